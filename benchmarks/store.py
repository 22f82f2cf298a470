"""What the store costs, against floors in the same run.

    uv run python benchmarks/store.py [EVENTS]               (100,000 by default)
    uv run python benchmarks/store.py --store URL [EVENTS]   (on a PostgreSQL server: benchmarks/store_server.py)

Live appends against one row a transaction in plain sqlite3, as durable, interleaved, in a short game and in a long one;
an import against the audit of the same logs plus one `executemany` of the same bytes; statistics of 10,000 stored games
against the bare SQL over one summary row a (game, player); statistics straight from logs against D, the time that
`msgspec.json.Decoder(AnyEvent).decode(line)` takes for all their lines.
"""

import argparse
import gc
import pathlib
import sqlite3
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "benchmarks")]

import msgspec  # noqa: E402
import replay  # noqa: E402
from store_logs import BARE_STATISTICS, GAMES, decoder, long_logs, small_logs  # noqa: E402

import bh99  # noqa: E402
from bh99.audits import audit_log  # noqa: E402
from bh99.store.store import GameStore, open_store  # noqa: E402

APPENDS = 400


def store_in(folder: pathlib.Path, name: str) -> GameStore:
    return open_store(f"sqlite:///{folder / name}.sqlite")


class Plain:
    """One row a transaction, as durable as the store."""

    def __init__(self, path: pathlib.Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute(
            "CREATE TABLE events (game TEXT, line INTEGER, topic TEXT, state BLOB, PRIMARY KEY (game, line))"
        )

    def append_all(self, line: int, states: list[bytes]) -> None:
        rows = [("g", at, "bh99/card_played", state) for at, state in enumerate(states, line)]
        self.connection.execute("BEGIN")
        self.connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
        self.connection.execute("COMMIT")


def live(folder: pathlib.Path) -> None:
    """Appends a second, in a game of few lines and in one of many; both tables always hold the same."""
    events = [decoder.decode(msgspec.json.encode(event)) for event in replay.long_game(1, 4, 12_000)]
    events[0] = msgspec.structs.replace(events[0], game="live")
    store, plain = store_in(folder, "live"), Plain(folder / "plain.sqlite")
    lines = [msgspec.json.encode(event) for event in events]
    line, far, medians = 0, len(events) - APPENDS, []
    for start in (0, far):
        if start:
            store.append("live", events[line:start], expected=line)
            plain.append_all(line + 1, lines[line:start])
            line = start
        ours, theirs = [], []
        for event in events[start : start + APPENDS]:
            ours.append(replay.timed(lambda: store.append("live", [event], expected=line)))  # noqa: B023
            theirs.append(replay.timed(lambda: plain.append_all(line + 1, [lines[line]])))  # noqa: B023
            line += 1
        medians.append((statistics.median(ours), statistics.median(theirs)))
    (short, plain_short), (long, plain_long) = medians
    print(f"live append           {plain_short / short:.2f} of plain sqlite3 (at least 0.5)")
    print(f"  after {far} lines   {plain_long / long:.2f} of it, and {long / short:.2f} times the time of a short game")
    store.close()


def imports(folder: pathlib.Path, events: int) -> None:
    """An import with its audit, against the audit and the bare insert."""
    paths = long_logs(folder, events)
    best = [float("inf")] * 3
    for number in range(3):
        best[0] = min(best[0], sum(replay.timed(lambda: audit_log(path)) for path in paths))  # noqa: B023
        best[1] = min(best[1], replay.timed(lambda: insert_all(folder / f"bare{number}.sqlite", paths)))  # noqa: B023
        store = store_in(folder, f"import{number}")
        start = time.perf_counter()
        for path in paths:
            store.import_log(path)
        stored = time.perf_counter() - start
        store.catch_up()
        best[2] = min(best[2], time.perf_counter() - start)
        store.close()
    audit, insert, ours = best
    print(f"import                {ours / (audit + insert):.2f} times audit and executemany (at most 3)")
    print(f"  storing alone       {stored / (audit + insert):.2f} times that")


def insert_all(file: pathlib.Path, paths: list[str]) -> None:
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(
        "CREATE TABLE events (game TEXT, line INTEGER, topic TEXT, state BLOB, PRIMARY KEY (game, line))"
    )
    for path in paths:
        connection.execute("BEGIN")
        rows = [
            (path, at, "bh99/card_played", line) for at, line in enumerate(pathlib.Path(path).read_bytes().splitlines())
        ]
        connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
        connection.execute("COMMIT")
    connection.close()


def from_views(folder: pathlib.Path) -> None:
    """Statistics of many stored games, against the bare SQL."""
    store = store_in(folder, "many")
    for path in small_logs(folder):
        store.import_log(path)
    start = time.perf_counter()
    store.catch_up()
    print(f"views of {GAMES} games  {time.perf_counter() - start:.1f} s")
    connection = sqlite3.connect(f"file:{store.place.views}?mode=ro", uri=True)
    bare, ours = [], []
    for _ in range(15):
        bare.append(replay.timed(lambda: connection.execute(BARE_STATISTICS).fetchall()))
        ours.append(replay.timed(store.stats))
    print(f"statistics of a store {min(ours) / min(bare):.2f} times bare SQL (at most 3)")
    store.close()


def from_logs(folder: pathlib.Path, events: int) -> None:
    """Statistics straight from logs, one after the other and in as many processes as there are processors."""
    logs = folder / "straight"
    logs.mkdir()
    replay.logs(logs, 10 * events)
    paths = sorted(map(str, logs.iterdir()))
    lines = [line for path in paths for line in pathlib.Path(path).read_bytes().splitlines()]
    d = min(replay.timed(lambda: replay.floor(lines)) for _ in range(3))
    audits = sum(replay.timed(lambda: audit_log(path)) for path in paths)  # noqa: B023
    alone = sum(replay.timed(lambda: bh99.stats(path)) for path in paths)  # noqa: B023
    together = min(replay.timed(lambda: bh99.stats(*paths)) for _ in range(2))
    print(f"statistics of logs    {together / d:.2f} D at once (at most 5), {alone / d:.2f} D one by one")
    print(f"  their audit         {audits / d:.2f} D one by one")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("events", metavar="EVENTS", nargs="?", type=int, default=100_000)
    arguments.add_argument("--store", metavar="URL", help="postgresql://user@host/database")
    asked = arguments.parse_args()
    gc.disable()  # as the command does
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if asked.store:
            import store_server  # needs the library for servers

            store_server.measure(asked.store, folder, asked.events)
            return
        live(folder)
        imports(folder, asked.events)
        from_views(folder)
        from_logs(folder, asked.events)


if __name__ == "__main__":
    main()
