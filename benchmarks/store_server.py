"""What the store costs on a PostgreSQL server, against floors in the same run.

    uv run python benchmarks/store.py --store postgresql://user@host/database [EVENTS]       (100,000 by default)

All of it happens in schemas of its own, which are dropped at the end.

Appends of single events to live games by 1 to 8 processes at once, each with a game of its own, in turns with one
INSERT a transaction of the same bytes by psycopg alone ("raw"), and with the recorder of the eventsourcing library,
which locks the table. How far the views are behind while 8 processes write and a `bh99 store follow` works: from the
return of an append until the views have its line, against reading the same games once, without a database. Games read
whole, against the bare SELECT. An import against the audit of the same logs plus COPY and `executemany` of the same
bytes; statistics of 10,000 stored games against the bare SQL over one summary row a (game, player). The longest append
while an import goes on, against the longest one before it.
"""

import bisect
import contextlib
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier, Event
from typing import Any, Final, NamedTuple

import msgspec
import psycopg
import replay
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg.conninfo import conninfo_to_dict
from store_logs import BARE_STATISTICS, GAMES, decoder, long_logs, small_logs

from bh99.audits import audit_log
from bh99.logs import open_log
from bh99.store.current_views import PAUSE
from bh99.store.games import topic_of
from bh99.store.importing import read_to_store
from bh99.store.postgresql.urls import server_of
from bh99.store.store import GameStore, open_store
from bh99.store.views import recorded
from domain.events import AnyEvent, GameOpened

WRITERS: Final = (1, 2, 4, 8)
ROUNDS: Final = 3
SECONDS: Final = 2.0
"""How long each of ours, raw and the library's has its turn."""
FULL_SPEED: Final = 0.0
REAL_PACE: Final = 5.0
"""Events a second at one table; people are slower."""
EVENING: Final = 500
"""Lines of an evening."""
PATIENCE: Final = 120
"""Seconds after which something hangs."""
TABLE: Final = "(game text, line bigint, topic text, state bytea, PRIMARY KEY (game, line))"
INSERT: Final = "INSERT INTO events VALUES (%s, %s, %s, %s)"

Row = tuple[str, int, str, bytes]


class Line(NamedTuple):
    """A line that is to be written, and all that one or another writer of it wants to know."""

    row: Row
    event: AnyEvent


class Append(NamedTuple):
    """An append of one line, when it began and when it was done."""

    game: str
    line: int
    start: float
    end: float


class Schemas:
    """Schemas of a server for this run alone."""

    def __init__(self, url: str) -> None:
        self.server = url
        self._names: list[str] = []

    def fresh(self) -> str:
        """The URL of one that nobody has used."""
        self._names.append(f"benchmark_{os.getpid()}_{len(self._names)}")
        return f"{self.server}{'&' if '?' in self.server else '?'}schema={self._names[-1]}"

    def drop(self) -> None:
        with bare(self.server) as connection:
            for name in self._names:
                for each in (name, f"{name}_views"):
                    connection.execute(f"DROP SCHEMA IF EXISTS {each} CASCADE".encode())


def bare(url: str, beside: str = "") -> psycopg.Connection[tuple[Any, ...]]:
    """A connection without the store, to its schema, or to the one beside it."""
    server = server_of(url)
    connection = psycopg.connect(server.conninfo, autocommit=True)
    connection.execute(f"SET search_path = {server.schema}{beside}".encode())
    return connection


def make_plain_table(url: str) -> None:
    with bare(url) as connection:
        connection.execute(f"CREATE SCHEMA {server_of(url).schema}".encode())
        connection.execute(f"CREATE TABLE events {TABLE}".encode())


def make_store(url: str) -> None:
    open_store(url).close()


def library_recorder(url: str) -> PostgresApplicationRecorder:
    """What the library itself stores events with; its own functions in the database are off."""
    server = server_of(url)
    named = conninfo_to_dict(server.conninfo)
    names = (str(named.get(name, "")) for name in ("dbname", "host", "port", "user", "password"))
    return PostgresApplicationRecorder(
        PostgresDatastore(*names, schema=server.schema, originator_id_type="text", enable_db_functions=False)
    )


def make_library_table(url: str) -> None:
    with bare(url) as connection:
        connection.execute(f"CREATE SCHEMA {server_of(url).schema}".encode())
    recorder = library_recorder(url)
    recorder.create_table()
    recorder.datastore.close()


# ---- writers, each in a process of its own ----


def game_of(number: int, length: int) -> list[Line]:
    """A legal game of about so many lines."""
    text = replay.text_of(replay.long_game(number, 4, length))
    events = [decoder.decode(line) for line in text.splitlines()]
    lines = [Line(("", at, topic_of(event), msgspec.json.encode(event)), event) for at, event in enumerate(events, 1)]
    return [renamed(line, f"table-{number}") for line in lines]


def again_and_again(lines: Sequence[Line]) -> Iterator[Line]:
    """The same game for ever, each time under an id of its own."""
    for number in count():
        game = f"{lines[0].row[0]}-{number}"
        yield from (renamed(line, game) for line in lines)


def renamed(line: Line, game: str) -> Line:
    """The same line in a game of another id."""
    _, at, topic, state = line.row
    if not isinstance(line.event, GameOpened):
        return Line((game, at, topic, state), line.event)
    event = msgspec.structs.replace(line.event, game=game)
    return Line((game, at, topic, msgspec.json.encode(event)), event)


def appends(
    lines: Iterator[Line], append: Callable[[Line], object], over: Callable[[], bool], pace: float, wait: float = 0
) -> list[Append]:
    """Append one line after the other, so many a second or as fast as it goes. `wait`: seconds before the first one."""
    done: list[Append] = []
    begun = time.perf_counter() + wait
    while not over():
        if pace:
            time.sleep(max(0.0, begun + len(done) / pace - time.perf_counter()))
        line = next(lines)
        start = time.perf_counter()
        append(line)
        done.append(Append(line.row[0], line.row[1], start, time.perf_counter()))
    return done


def past(seconds: float) -> Callable[[], bool]:
    """Whether so much time is over."""
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end


def to_store(store: GameStore) -> Callable[[Line], object]:
    return lambda line: store.append(line.row[0], [line.event], expected=line.row[1] - 1)


def race(ours: str, raw: str, library: str, number: int) -> list[list[float]]:
    """Seconds of the appends of one writer to a store, to a plain table, and by the library; all writers change from
    one to the next at the same moment."""
    recorder = library_recorder(library)
    with open_store(ours) as store, bare(raw) as connection, recorder.datastore:
        kinds: list[Callable[[Line], object]] = [
            to_store(store),
            lambda line: connection.execute(INSERT, line.row),
            lambda line: recorder.insert_events([StoredEvent(*line.row)]),
        ]
        game = game_of(number, 10 * EVENING)
        games = [again_and_again(game) for _ in kinds]
        seconds: list[list[float]] = [[] for _ in kinds]
        for _ in range(ROUNDS):
            for append, lines, taken in zip(kinds, games, seconds, strict=True):
                _together.wait()
                taken += [each.end - each.start for each in appends(lines, append, past(SECONDS), FULL_SPEED)]
        return seconds


def play(url: str, length: int, before: int, pace: float, seconds: float, number: int) -> list[Append]:
    """The appends of one writer to games of so many lines, `before` of which the first game has already; for so many
    seconds, or until it is told to end."""
    lines = islice(again_and_again(game_of(number, length)), before, None)
    with open_store(url) as store:
        _together.wait()
        over = past(seconds)
        wait = number / 8 / pace if pace else 0.0  # so that not all write at the same moment
        return appends(lines, to_store(store), lambda: over() or _ended.is_set(), pace, wait)


_together: Barrier
_ended: Event


def _begin(together: Barrier, ended: Event) -> None:
    """What a process is given as it starts, and no later."""
    global _together, _ended
    _together, _ended = together, ended


class Writers:
    """Processes that write. They begin at the same moment, and end when they are done or `ended` is set."""

    def __init__(self, processes: int) -> None:
        context = get_context("spawn")
        self._processes = processes
        self.ended = context.Event()
        self._pool = ProcessPoolExecutor(
            processes, context, _begin, (context.Barrier(processes, timeout=PATIENCE), self.ended)
        )

    def __enter__(self) -> "Writers":
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._pool.shutdown(cancel_futures=True)

    def start(self, work: Callable[..., Any], *arguments: object) -> list[Future[Any]]:
        return [self._pool.submit(work, *arguments, number) for number in range(self._processes)]


# ---- appends ----


def measure_appends(schemas: Schemas) -> None:
    """Appends a second of so many writers, against raw ones."""
    for number in WRITERS:
        urls = ours, raw, library = schemas.fresh(), schemas.fresh(), schemas.fresh()
        make_store(ours)
        make_plain_table(raw)
        make_library_table(library)
        with Writers(number) as writers:
            of_writers = [future.result() for future in writers.start(race, *urls)]
        kinds = [[taken for writer in of_writers for taken in writer[kind]] for kind in range(len(urls))]
        floor = len(kinds[1])
        names = (f"appends, {counted(number)}", "  raw", "  the library's lock")
        for name, taken in zip(names, kinds, strict=True):
            ratio = "" if name == "  raw" else f": {len(taken) / floor:.2f} of raw"
            say(name, f"{len(taken) / ROUNDS / SECONDS:.0f} a second, {spread(taken)}{ratio}")


def counted(writers: int) -> str:
    return "1 writer" if writers == 1 else f"{writers} writers"


def spread(seconds: Sequence[float]) -> str:
    """The median and what only one in a hundred exceeds."""
    return f"median {1000 * statistics.median(seconds):.2f} ms, p99 {1000 * p99(seconds):.1f} ms"


def p99(numbers: Sequence[float]) -> float:
    return statistics.quantiles(numbers, n=100, method="inclusive")[98]


def say(name: str, figures: str) -> None:
    print(f"{name:22}{figures}", flush=True)


# ---- the views behind the events ----


@contextlib.contextmanager
def follower(url: str) -> Iterator[None]:
    """A worker that keeps the views of a store up to date."""
    script = "from cli import start; start()"
    environment = {**os.environ, "PYTHONPATH": str(replay.ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", script, "store", "follow", "--store", url],
        env=environment,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()  # it says that it follows
    try:
        yield
        assert process.poll() is None, "the worker has ended"
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


class Sightings:
    """When the views were first seen to have so many lines of each game."""

    def __init__(self) -> None:
        self.lines: dict[str, list[int]] = {}
        self.times: dict[str, list[float]] = {}

    def look(self, views: psycopg.Connection[tuple[Any, ...]]) -> None:
        found = views.execute("SELECT game, events FROM games").fetchall()
        now = time.perf_counter()
        for game, lines in found:
            seen = self.lines.setdefault(game, [0])
            if lines > seen[-1]:
                seen.append(lines)
                self.times.setdefault(game, [0.0]).append(now)

    def have(self, append: Append) -> bool:
        return self.lines.get(append.game, [0])[-1] >= append.line

    def lag(self, append: Append) -> float:
        """Seconds from the return of an append until the views had its line."""
        place = bisect.bisect_left(self.lines[append.game], append.line)
        return max(0.0, self.times[append.game][place] - append.end)


def measure_lag(schemas: Schemas, what: str, length: int, before: int, pace: float, seconds: float) -> None:
    """How far the views are behind while 8 processes write, and how long until they have all."""
    url = schemas.fresh()
    with open_store(url) as store:
        for number in range(8 if before else 0):
            first = list(islice(again_and_again(game_of(number, length)), before))
            store.append(first[0].row[0], [line.event for line in first], expected=0)
        store.catch_up()  # makes the views
        with follower(url), Writers(8) as writers, bare(url, "_views") as views:
            futures = writers.start(play, url, length, before, pace, seconds)
            sightings = Sightings()
            while not all(future.done() for future in futures):
                sightings.look(views)
                time.sleep(0.005)
            done = [append for future in futures for append in future.result()]
            late = time.perf_counter() + PATIENCE
            while not all(map(sightings.have, done)) and time.perf_counter() < late:
                sightings.look(views)
                time.sleep(0.005)
        missing = sum(not sightings.have(append) for append in done)
        assert not missing, f"{missing} lines aren't in the views {PATIENCE} seconds later"
        latest = sorted({append.game: append for append in done}.values(), key=lambda append: append.end)[-8:]
        floor = sum(replay.timed(lambda: recorded(log)) for log in [store.read_log(game.game) for game in latest])  # noqa: B023
    lags = [sightings.lag(append) for append in done]
    end = max(append.end for append in done)
    caught_up = max(append.end + sightings.lag(append) for append in done) - end
    rate = len(done) / (end - min(append.start for append in done))
    took = spread([append.end - append.start for append in done])
    say(f"views, {what}", f"{statistics.median(lags):.2f} s behind, p99 {p99(lags):.2f} s, worst {max(lags):.2f} s")
    say("  after the end", f"all there {caught_up:.2f} s after the last append")
    say("  floor", f"{floor:.2f} s to read the latest 8 games once, and a rest of {PAUSE} s if there is nothing to do")
    say("  the appends", f"{rate:.0f} a second, {took}")


# ---- games read whole ----


def measure_reading(schemas: Schemas) -> None:
    """Games of few lines and of many, as text and as events, against the bare SELECT."""
    url = schemas.fresh()
    with open_store(url) as store, bare(url) as connection:
        for number, (length, rounds) in enumerate(((EVENING, 50), (50_000, 5))):
            lines = game_of(number, length)
            game = lines[0].row[0]
            store.append(game, [line.event for line in lines], expected=0)
            select = "SELECT state FROM stored_events WHERE originator_id = %s ORDER BY originator_version"
            ways: list[Callable[[], object]] = [
                lambda: connection.execute(select, (game,)).fetchall(),  # noqa: B023
                lambda: store.export(game),  # noqa: B023
                lambda: store.read_log(game).events(),  # noqa: B023
                lambda: replay.floor([line.row[3] for line in lines]),  # noqa: B023
            ]
            times = [[replay.timed(way) for way in ways] for _ in range(rounds)]
            floor, text, events, decoding = (min(taken) for taken in zip(*times, strict=True))
            bare_ms, decoded_ms = 1000 * floor, 1000 * (floor + decoding)
            say(f"{len(lines)} lines read", f"{text / floor:.2f} times the bare SELECT, {bare_ms:.1f} ms")
            say("  as events", f"{events / (floor + decoding):.2f} times SELECT and decoding, {decoded_ms:.1f} ms")


# ---- imports ----


def insert_many(url: str, rows: list[list[Row]]) -> None:
    with bare(url) as connection, connection.cursor() as c:
        for log in rows:
            with connection.transaction():
                c.executemany(INSERT, log)


def copy_in(url: str, rows: list[list[Row]]) -> None:
    with bare(url) as connection, connection.cursor() as c:
        for log in rows:
            with connection.transaction(), c.copy("COPY events FROM STDIN") as copy:
                for row in log:
                    copy.write_row(row)


def rows_of(paths: list[str]) -> list[list[Row]]:
    """What is stored of logs."""
    read = [(path, read_to_store(open_log(path))) for path in paths]
    return [
        [(path, at, *new) for at, new in enumerate(zip(log.topics, log.lines, strict=True), 1)] for path, log in read
    ]


def measure_import(schemas: Schemas, paths: list[str]) -> None:
    """An import with its audit, against the audit and the bare inserts; best of three, in turns."""
    rows = rows_of(paths)
    rounds = []
    for _ in range(3):
        audit = sum(replay.timed(lambda: audit_log(path)) for path in paths)  # noqa: B023
        bare_times = []
        for insert in (copy_in, insert_many):
            url = schemas.fresh()
            make_plain_table(url)
            bare_times.append(replay.timed(lambda: insert(url, rows)))  # noqa: B023
        with open_store(schemas.fresh()) as store:
            stored = replay.timed(lambda: [store.import_log(path) for path in paths])
            views = replay.timed(store.catch_up)
        rounds.append((audit, *bare_times, stored, stored + views))
    audit, copied, many, stored, ours = (min(times) for times in zip(*rounds, strict=True))
    events = sum(map(len, rows))
    for name, taken in (("import", ours), ("  storing alone", stored)):
        ratios = f"{taken / (audit + copied):.2f} times audit and COPY, {taken / (audit + many):.2f} with executemany"
        say(name, f"{ratios}; {events / taken:.0f} events a second")
    say("  floors", f"audit {audit:.2f} s, COPY {copied:.2f} s, executemany {many:.2f} s")


def measure_statistics(schemas: Schemas, folder: pathlib.Path) -> None:
    """Statistics of many stored games, against the bare SQL."""
    url = schemas.fresh()
    with open_store(url) as store:
        stored = replay.timed(lambda: [store.import_log(path) for path in small_logs(folder)])
        views = replay.timed(store.catch_up)
        say(f"{GAMES} small games", f"stored in {stored:.1f} s, their views made in {views:.1f} s")
        with bare(url, "_views") as connection:
            times = [
                (
                    replay.timed(lambda: connection.execute(BARE_STATISTICS.encode()).fetchall()),
                    replay.timed(store.stats),
                )
                for _ in range(15)
            ]
    floor, ours = (min(taken) for taken in zip(*times, strict=True))
    say("  statistics", f"{ours / floor:.2f} times bare SQL, which takes {1000 * floor:.1f} ms")


def measure_import_beside(schemas: Schemas, paths: list[str], what: str, pace: float) -> None:
    """The longest append of 8 writers while an import goes on, against the longest one before it."""
    url = schemas.fresh()
    with open_store(url) as store, Writers(8) as writers:
        futures = writers.start(play, url, EVENING, 0, pace, PATIENCE)
        while len(store.game_ids()) < 8 and not any(future.done() for future in futures):
            time.sleep(0.05)
        begun = time.perf_counter()
        time.sleep(2 * SECONDS)
        start = time.perf_counter()
        longest = max(replay.timed(lambda: store.import_log(path)) for path in paths)  # noqa: B023
        end = time.perf_counter()
        writers.ended.set()
        done = [append for future in futures for append in future.result()]
    before = [append.end - append.start for append in done if begun < append.start and append.end < start]
    during = [append.end - append.start for append in done if append.end > start and append.start < end]
    say(f"import, {what}", f"longest append {1000 * max(during):.0f} ms, {1000 * max(before):.0f} ms before the import")
    say("  the appends", f"{len(during) / (end - start):.0f} a second, {spread(during)}")
    say("  before", f"{len(before) / (start - begun):.0f} a second, {spread(before)}")
    say("  the import", f"{end - start:.2f} s, the slowest of {len(paths)} logs {longest:.2f} s")


def measure(url: str, folder: pathlib.Path, events: int) -> None:
    """Everything, in schemas that are gone afterwards."""
    schemas = Schemas(url)
    try:
        with bare(url) as connection:
            version = connection.info.parameter_status("server_version")
        print(f"PostgreSQL {version}, {os.cpu_count()} cores for the server and all that ask it, {events} events")
        measure_appends(schemas)
        measure_lag(schemas, "full speed", EVENING, 0, FULL_SPEED, 5)
        measure_lag(schemas, "real pace", 2 * EVENING, EVENING, REAL_PACE, 15)
        measure_lag(schemas, "long games", 10 * EVENING, 9 * EVENING, REAL_PACE, 15)
        measure_reading(schemas)
        paths = long_logs(folder, events)
        measure_import(schemas, paths)
        measure_statistics(schemas, folder)
        measure_import_beside(schemas, paths, "full speed", FULL_SPEED)
        measure_import_beside(schemas, paths, "real pace", REAL_PACE)
    finally:
        schemas.drop()
