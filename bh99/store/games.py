"""The games of a store: an eventsourcing application whose stored events are the lines of the logs themselves."""

import contextlib
import io
import os
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, ClassVar, Final, Literal, NamedTuple
from urllib.parse import quote

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError, Mapper, PersistenceError, StoredEvent, Transcoder
from eventsourcing.sqlite import SQLiteCursor
from eventsourcing.utils import Environment, EnvType

from bh99.errors import GameConflict, GameDamaged, GameForgotten, StoreDamaged, StoreError, StoreUnusable, UnknownGame
from bh99.log_reading import event_or_none
from bh99.logs import Log
from bh99.spelling import event_respelled
from bh99.store.identity import Ids
from bh99.store.recorder import (
    APPLICATION_ID,
    FORGOTTEN,
    FORGOTTEN_LINE,
    SCHEMA,
    GameRecorder,
    changed_games,
    games_in,
    lines_in,
)
from domain import events as ev
from domain.rule_sets import RuleSet
from projections.take_backs import Undone

AT_A_STROKE: Final = 5_000
"""Lines that are inserted at a stroke, several of which make a transaction."""
BUSY: Final = 30
"""Seconds to wait for another writer."""
_encoder: Final = msgspec.json.Encoder()


class StoredLine(msgspec.Struct, frozen=True):
    """One line of a stored game: the event, and the bytes that it was logged in."""

    originator_id: str
    originator_version: int
    line: bytes
    event: ev.AnyEvent


def topic_of(event: ev.Event) -> str:
    """The topic of an event in the store: a fixed name of ours, never the path of a class."""
    return f"bh99/{ev.type_of(event)}"


class LineMapper(Mapper[str]):
    """Stored events are lines of logs; a row is decoded as what it is, and its topic has to agree."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        line: StoredLine = domain_event
        return StoredEvent(line.originator_id, line.originator_version, topic_of(line.event), line.line)

    def to_domain_event(self, stored_event: StoredEvent) -> StoredLine:
        event = event_or_none(stored_event.state) or event_respelled(stored_event.state)
        if topic_of(event) != stored_event.topic:
            message = f"line {stored_event.originator_version} is stored as {stored_event.topic}, but is none"
            raise StoreDamaged(str(stored_event.originator_id), message)
        return StoredLine(str(stored_event.originator_id), stored_event.originator_version, stored_event.state, event)


class NoTranscoder(Transcoder):
    """Nothing is encoded: the mapper writes the bytes that were logged."""

    def encode(self, obj: Any) -> bytes:
        raise NotImplementedError

    def decode(self, data: bytes) -> Any:
        raise NotImplementedError


class TakenIn(NamedTuple):
    """What became of a log: `added` lines are new in the store; `differs` is the first line of a fork that differs."""

    outcome: Literal["imported", "continued", "already there", "fork", "forgotten"]
    game: str
    added: int = 0
    differs: int | None = None


class Games(Application[str]):
    """The events of all games of a store."""

    name = "bh99-games"
    log_section_size = 1000
    recorder: GameRecorder
    env_of_all: ClassVar[dict[str, str]] = {
        "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "ORIGINATOR_ID_TYPE": "text",
        "APPLICATION_RECORDER_TOPIC": f"{GameRecorder.__module__}:{GameRecorder.__qualname__}",
        "MAPPER_TOPIC": f"{LineMapper.__module__}:{LineMapper.__qualname__}",
        "TRANSCODER_TOPIC": f"{NoTranscoder.__module__}:{NoTranscoder.__qualname__}",
        "SQLITE_LOCK_TIMEOUT": str(BUSY),
    }

    def __init__(self, database: str, *, create_table: bool = False) -> None:
        """`database`: the path, or the URI, of a file of this project's; with `create_table`, of an empty one."""
        super().__init__({"SQLITE_DBNAME": database, "CREATE_TABLE": "y" if create_table else "n"})

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """What the program sets, and nothing else: no variable of the shell's may move the evidence."""
        return Environment("", {**self.env_of_all, **(env or {})})

    # ---- writing ----

    def take_in(self, ids: Ids, topics: Sequence[str], lines: Sequence[bytes]) -> TakenIn:
        """Store a log whole, or what it has more than the same game in the store, or nothing. One transaction."""
        with self.recorder.writing() as c:
            game, stored = _find(c, ids, lines)
            if stored and stored[-1][0] == FORGOTTEN:
                return TakenIn("forgotten", game)
            known = [line for _, line in stored]
            differs = next((at for at, (old, new) in enumerate(zip(known, lines, strict=False), 1) if old != new), None)
            if differs is not None:
                return TakenIn("fork", game, differs=differs)
            added = len(lines) - len(known)
            if added <= 0:
                return TakenIn("already there", game)
            for at in range(len(known), len(lines), AT_A_STROKE):
                some = zip(topics[at : at + AT_A_STROKE], lines[at : at + AT_A_STROKE], strict=True)
                new = [StoredEvent(game, version, topic, line) for version, (topic, line) in enumerate(some, at + 1)]
                self.recorder._insert_events(c, new)
        return TakenIn("continued" if known else "imported", game, added)

    def append(self, game: str, events: Sequence[ev.AnyEvent], expected: int) -> int:
        """Add events to a game that has `expected` lines (0: a new one); how many it has then.

        Raises GameConflict if it has another number of lines, and GameForgotten; then nothing was added.
        """
        new = [StoredLine(game, at, _encoder.encode(event), event) for at, event in enumerate(events, expected + 1)]
        try:
            self.events.put(new)
        except IntegrityError:
            with self.recorder.reading() as c:
                stored = lines_in(c, game)
            if stored and stored[-1][0] == FORGOTTEN:
                raise GameForgotten(game) from None
            raise GameConflict(game, expected, len(stored)) from None
        return expected + len(new)

    def forget(self, game: str, mark: bytes) -> None:
        """Empty all lines of a game, and put a mark behind them. Raises UnknownGame and GameForgotten."""
        with self.recorder.writing() as c:
            c.execute("PRAGMA secure_delete = ON")
            stored = _stored_lines(c, game)
            version = len(stored) + 1
            self.recorder._insert_events(c, [StoredEvent(game, version, FORGOTTEN, mark)])
            c.execute(
                "UPDATE stored_events SET topic = ?, state = x'' WHERE originator_id = ? AND originator_version < ?",
                (FORGOTTEN_LINE, game, version),
            )
        with self.recorder.datastore.get_connection(commit=True) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what was emptied stands there still

    # ---- reading ----

    def lines(self, game: str) -> list[bytes]:
        """The lines of a game as they were logged, without line feeds. Raises UnknownGame and GameForgotten."""
        with self.recorder.reading() as c:
            return [line for _, line in _stored_lines(c, game)]

    def games(self) -> list[str]:
        """The ids of all games, also of those that were forgotten."""
        with self.recorder.reading() as c:
            return games_in(c)

    def changed(self, after: int) -> list[tuple[str, int, int]]:
        """The games with events behind a place: id, how many are new, and the place of the last one; in that order."""
        with self.recorder.reading() as c:
            return changed_games(c, after)


def text_of(lines: Sequence[bytes]) -> bytes:
    """The text of a log."""
    return b"".join(line + b"\n" for line in lines)


def stored_log(games: Games, game: str, rules: RuleSet | None = None, beside: str | None = None) -> Log:
    """A stored game as a log: from here on it is read like any file. Raises UnknownGame and GameForgotten."""
    text = text_of(games.lines(game))
    return Log(game, lambda: io.BytesIO(text), rules, beside=beside, unreadable=GameDamaged)


def _stored_lines(c: SQLiteCursor, game: str) -> list[tuple[str, bytes]]:
    stored = lines_in(c, game)
    if not stored:
        raise UnknownGame(game)
    if stored[-1][0] == FORGOTTEN:
        raise GameForgotten(game)
    return stored


def _find(c: SQLiteCursor, ids: Ids, lines: Sequence[bytes]) -> tuple[str, list[tuple[str, bytes]]]:
    """The id of a log's game, and what is stored of it."""
    if ids.own is not None:
        return ids.own, lines_in(c, ids.own)
    alike = [game for beginning in ids.alike for game in games_in(c, beginning)]
    for game in alike:
        stored = lines_in(c, game)
        if stored[-1][0] == FORGOTTEN:
            if game == ids.new:
                return game, stored
        elif _is_same(list(lines), [line for _, line in stored]):
            return game, stored
    return next(game for game in _numbered(ids.new) if game not in alike), []


def _is_same(one: list[bytes], other: list[bytes]) -> bool:
    """Whether two logs without ids are of the same game: identical, or one goes on where the other isn't closed."""
    short, long = sorted((one, other), key=len)
    return long[: len(short)] == short and (len(short) == len(long) or not _is_closed(short))


def _is_closed(lines: Sequence[bytes]) -> bool:
    events = [(at, event_or_none(line)) for at, line in enumerate(lines, 1)]
    undone = Undone((at, event) for at, event in events if isinstance(event, ev.TakenBack))
    return any(isinstance(event, ev.GameClosed) and undone.by(at) is None for at, event in events)


def _numbered(game: str) -> Iterator[str]:
    """The id, and then the id with 2, 3 … behind."""
    yield game
    yield from (f"{game}-{number}" for number in count(2))


# ---- the file ----


def create(path: str) -> None:
    """A new store without games. It is there whole or not at all; if somebody else was faster, theirs stays."""
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise StoreUnusable(path, "no permission to make a store there")
    unfinished = f"{path}.{os.getpid()}.new"
    try:
        Games(uri_of(unfinished, "rwc"), create_table=True).close()
        with contextlib.suppress(FileExistsError):
            os.link(unfinished, path)
    finally:
        remove(unfinished)


def remove(path: str) -> None:
    """Remove a database, with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + suffix)


def check_it_is_ours(path: str) -> None:
    """Raises StoreUnusable if the file is no store, or one of a later version."""
    connection = sqlite3.connect(usable_uri(path), uri=True, timeout=BUSY)
    try:
        [application], [schema] = (
            connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
        )
    finally:
        connection.close()
    if application != APPLICATION_ID:
        raise StoreUnusable(path, "this is a database, but no store of games")
    if schema > SCHEMA:
        message = f"this store was made by a later version (form {schema}); expected form {SCHEMA} or an earlier one"
        raise StoreUnusable(path, message)


def may_write(path: str) -> bool:
    """Whether the file and what SQLite keeps beside it can be written."""
    return os.access(path, os.W_OK) and os.access(os.path.dirname(os.path.abspath(path)), os.W_OK)


def uri_of(path: str, mode: str) -> str:
    return f"file:{quote(os.path.abspath(path))}?mode={mode}"


def usable_uri(path: str) -> str:
    """How a file that is there is opened, for writing if that may be."""
    return uri_of(path, "rw") if may_write(path) else readable_uri(path)


def readable_uri(path: str) -> str:
    """How a file is opened for reading alone, also where nothing can be written beside it."""
    lonely = not may_write(path) and not os.path.exists(f"{path}-wal")
    return f"{uri_of(path, 'ro')}{'&immutable=1' if lonely else ''}"


@contextlib.contextmanager
def clear_store_errors(path: str) -> Iterator[None]:
    """Whatever the database says in its own words becomes StoreUnusable, or StoreDamaged."""
    try:
        yield
    except StoreError:
        raise
    except (PersistenceError, sqlite3.Error, OSError) as fault:
        said = str(fault)
        for words, error, message in _IN_OUR_WORDS:
            if words in said:
                raise error(path, message) from None
        raise StoreUnusable(path, f"the database can't be used: {said or type(fault).__name__}") from None


_IN_OUR_WORDS: Final[tuple[tuple[str, type[StoreError], str], ...]] = (
    ("malformed", StoreDamaged, "the database is damaged: restore a backup"),
    ("not a database", StoreDamaged, "this is no database; expected a store of games"),
    ("disk is full", StoreUnusable, "the disk is full; what was stored before is safe"),
    ("disk I/O", StoreUnusable, "the disk is full, or can't be written; what was stored before is safe"),
    ("readonly", StoreUnusable, "no permission to write it"),
    ("locked", StoreUnusable, f"somebody else has been writing to it for {BUSY} seconds; try again"),
    ("unable to open", StoreUnusable, "it can't be opened; is it a file, and may it be read?"),
    ("Permission denied", StoreUnusable, "no permission to make a store there"),
    ("Read-only file system", StoreUnusable, "no permission to make a store there"),
)
