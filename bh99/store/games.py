"""The games of a store: an eventsourcing application whose stored events are the lines of the logs themselves."""

import datetime
import io
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, ClassVar, Final, Literal, NamedTuple

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import InfrastructureFactory, IntegrityError, Mapper, StoredEvent, Transcoder
from eventsourcing.utils import Environment, EnvType, get_topic

from bh99.errors import GameConflict, GameDamaged, GameForgotten, Problem, StoreDamaged, UnknownGame
from bh99.log_checks import opens_well
from bh99.log_reading import event_or_none, event_that_may_stand
from bh99.logs import Log
from bh99.spelling import event_respelled
from bh99.store.database import AT_A_STROKE, FORGOTTEN, FORGOTTEN_LINE, Cursor, EventTable, Row
from bh99.store.identity import HEAD, Ids, digest_of
from domain import events as ev
from domain.rule_sets import RuleSet
from projections.take_backs import Undone

LOOKED_AT: Final = 500
"""Lines of a game that its fingerprint is made of."""
MOST_LINES: Final = 2**31
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


class Mark(msgspec.Struct, frozen=True, tag_field="type", tag="game_forgotten"):
    """What is left of a game that was forgotten: when that was, and what tells the game again if it comes back."""

    at: ev.Instant
    lines: int
    closed: bool
    digest: str


_mark: Final = msgspec.json.Decoder(Mark)


class Games(Application[str]):
    """The events of all games of a store."""

    name = "bh99-games"
    log_section_size = 1000
    recorder: EventTable  # type: ignore[assignment]
    env_of_all: ClassVar[dict[str, str]] = {
        "ORIGINATOR_ID_TYPE": "text",
        "MAPPER_TOPIC": get_topic(LineMapper),
        "TRANSCODER_TOPIC": get_topic(NoTranscoder),
    }

    def __init__(self, factory: type[InfrastructureFactory[Any]], env: EnvType) -> None:
        """`factory`: makes the table of events, in one engine or the other; `env`: says where."""
        super().__init__({"PERSISTENCE_MODULE": get_topic(factory), **env})

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """What the program sets, and nothing else: no variable of the shell's may move the evidence."""
        return Environment("", {**self.env_of_all, **(env or {})})

    # ---- writing ----

    def take_in(self, ids: Ids, topics: Sequence[str], lines: Sequence[bytes]) -> TakenIn:
        """Store a log whole, or what it has more than the same game in the store, or nothing. One transaction."""
        with self.recorder.asking() as c:  # what isn't new is found out without hindering whoever writes
            found = self._compare(c, ids, lines)
        if not found.added:
            return found
        with self.recorder.writing() as c:
            found = self._compare(c, ids, lines)
            for at in range(len(lines) - found.added, len(lines), AT_A_STROKE):
                some = zip(topics[at : at + AT_A_STROKE], lines[at : at + AT_A_STROKE], strict=True)
                self.recorder.add(c, [StoredEvent(found.game, line, *new) for line, new in enumerate(some, at + 1)])
        return found

    def _compare(self, c: Cursor, ids: Ids, lines: Sequence[bytes]) -> TakenIn:
        """What becomes of a log, by what is stored of its game."""
        game, stored = self._find(c, ids, lines)
        if _is_forgotten(stored):
            return TakenIn("forgotten", game)
        known = [row.state for row in stored]
        differs = next((at for at, (old, new) in enumerate(zip(known, lines, strict=False), 1) if old != new), None)
        if differs is not None:
            return TakenIn("fork", game, differs=differs)
        added = len(lines) - len(known)
        if added <= 0:
            return TakenIn("already there", game)
        return TakenIn("continued" if known else "imported", game, added)

    def _find(self, c: Cursor, ids: Ids, lines: Sequence[bytes]) -> tuple[str, list[Row]]:
        """The id of a log's game, and what is stored of it."""
        if ids.own is not None:
            return ids.own, self.recorder.rows(c, ids.own)
        beginnings = [game for beginning in ids.alike for game in self.recorder.games(c, beginning)]
        alike = {game: self.recorder.rows(c, game) for game in beginnings}
        for same in (_was_same, _is_same):
            for game, stored in alike.items():
                if same(lines, stored):
                    return game, stored
        return next(game for game in _numbered(ids.new) if game not in alike), []

    def append(self, game: str, events: Sequence[ev.AnyEvent], expected: int) -> int:
        """Add events to a game that has `expected` lines (0: a new one); how many it has then.

        Raises GameConflict if it has another number of lines, GameForgotten, and ValueError for events that can't
        stand there; then nothing was added.
        """
        lines = _encoded(events)
        _check_lines(game, lines, expected)
        new = [
            StoredLine(game, at, line, event)
            for at, (line, event) in enumerate(zip(lines, events, strict=True), expected + 1)
        ]
        try:
            self.events.put(new)
        except IntegrityError:
            self._say_what_is_there(game, expected)
            raise
        if not new:
            self._say_what_is_there(game, expected)
        return expected + len(new)

    def _say_what_is_there(self, game: str, expected: int) -> None:
        with self.recorder.asking() as c:
            stored = self.recorder.rows(c, game)
        if _is_forgotten(stored):
            raise GameForgotten(game)
        if len(stored) != expected:
            raise GameConflict(game, expected, len(stored))

    def forget(self, game: str, at: datetime.datetime) -> None:
        """Empty all lines of a game, and put a mark behind them. Raises UnknownGame and GameForgotten."""
        with self.recorder.writing() as c:
            stored = self.recorder.rows(c, game)
            _check_it_is_there(game, stored)
            version = stored[-1].version + 1
            lines = [_bytes(row.state) for row in stored]
            mark = Mark(at, len(lines), _is_closed(lines), digest_of(lines))
            self.recorder.add(c, [StoredEvent(game, version, FORGOTTEN, _encoder.encode(mark))])
            c.execute(
                "UPDATE stored_events SET topic = ?, state = ? WHERE originator_id = ? AND originator_version < ?",
                (FORGOTTEN_LINE, b"", game, version),
            )

    def wipe(self) -> None:
        """Leave nothing on the disk of lines that were emptied."""
        self.recorder.wipe()

    # ---- reading ----

    def lines(self, game: str) -> list[bytes]:
        """The lines of a game as they were logged, without line feeds.

        Raises UnknownGame, GameForgotten, and GameDamaged if they can't be what was stored.
        """
        with self.recorder.asking() as c:
            stored = self.recorder.rows(c, game) if ev.is_game_id(game) else []
        return lines_in(game, stored)

    def games(self) -> list[str]:
        """The ids of all games, also of those that were forgotten."""
        with self.recorder.asking() as c:
            return self.recorder.games(c)

    def last(self) -> int:
        """The position of the last event; 0 for none."""
        with self.recorder.asking() as c:
            return self.recorder.last(c)

    def changed(self, after: int) -> list[tuple[str, int]]:
        """The games with events behind a position, each with the position of its last one; in that order."""
        with self.recorder.asking() as c:
            return self.recorder.changed(c, after)

    def fingerprint(self, position: int) -> str:
        """Which store this is, and what stands up to a position in it. Views that have followed up to there tell by it
        whether it is still the same store. Who forgets the game at that position changes it, and they are made anew."""
        with self.recorder.reading() as c:
            incarnation, found = self.recorder.incarnation(c), self.recorder.rows_up_to(c, position, LOOKED_AT)
        if found is None:
            return incarnation
        game, rows = found
        return f"{incarnation} {game} {rows[-1].version} {digest_of([_bytes(row.state) for row in rows])}"


def lines_in(game: str, stored: Sequence[Row]) -> list[bytes]:
    """The lines of a game, out of its rows. Raises UnknownGame, GameForgotten and GameDamaged."""
    _check_it_is_there(game, stored)
    for line, row in enumerate(stored, 1):
        if row.version != line:
            raise GameDamaged(game, [Problem(game, "the line is missing", line)])
        if not isinstance(row.state, bytes) or b"\n" in row.state:
            raise GameDamaged(game, [Problem(game, "this isn't a line that was stored", line)])
    return [row.state for row in stored]


def text_of(lines: Sequence[bytes]) -> bytes:
    """The text of a log."""
    return b"".join(line + b"\n" for line in lines)


def log_of(game: str, lines: Sequence[bytes], rules: RuleSet | None = None, beside: str | None = None) -> Log:
    """The lines of a stored game as a log: from here on it is read like any file."""
    text = text_of(lines)
    return Log(game, lambda: io.BytesIO(text), rules, beside=beside, unreadable=GameDamaged)


def _encoded(events: Sequence[ev.AnyEvent]) -> list[bytes]:
    """The events as lines. Raises ValueError for what can't be one."""
    try:
        return [_encoder.encode(event) for event in events]
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"this can't be written as a line of a log: {error}") from None


def _check_lines(game: str, lines: Sequence[bytes], expected: int) -> None:
    """Raises ValueError for lines that the reader would refuse, or that can't stand where they come."""
    if not ev.is_game_id(game):
        raise ValueError(f"{game!r} is no id of a game")
    if expected < 0 or expected + len(lines) > MOST_LINES:
        raise ValueError(f"expected={expected}: a game has 0 lines or more")
    for number, line in enumerate(lines, expected + 1):
        event = event_that_may_stand(line, f"line {number}: ")
        if isinstance(event, ev.GameForked):
            raise ValueError(f"line {number}: what is forked is a game of its own; import it")
        opens = isinstance(event, ev.GameOpened)
        right = not isinstance(event, ev.GameOpened) or (event.game == game and opens_well(event))
        if opens != (number == 1) or not right:
            message = "a game begins with a game_opened that names it, by rules that are known, and holds only one"
            raise ValueError(f"line {number}: {message}")


def _check_it_is_there(game: str, stored: Sequence[Row]) -> None:
    if not stored:
        raise UnknownGame(game)
    if _is_forgotten(stored):
        raise GameForgotten(game)


def _is_forgotten(stored: Sequence[Row]) -> bool:
    return bool(stored) and stored[-1].topic == FORGOTTEN


def _bytes(state: object) -> bytes:
    """The bytes of a line, even if somebody has changed the store so that they are none."""
    return state if isinstance(state, bytes) else str(state).encode("utf-8", "replace")


def _is_same(lines: Sequence[bytes], stored: Sequence[Row]) -> bool:
    """Whether a log is of a stored game without an id: identical, or one goes on where the other isn't closed."""
    if _is_forgotten(stored):
        return False
    short, long = sorted((list(lines), [row.state for row in stored]), key=len)
    return long[: len(short)] == short and (len(short) == len(long) or not _is_closed(short))


def _was_same(lines: Sequence[bytes], stored: Sequence[Row]) -> bool:
    """Whether a log is of a game that was forgotten: identical, or going on where that broke off, if that was long
    enough to be told from other evenings of the same players."""
    if not _is_forgotten(stored):
        return False
    mark = _mark.decode(stored[-1].state)
    goes_on = mark.lines >= HEAD and not mark.closed
    if len(lines) < mark.lines or (len(lines) > mark.lines and not goes_on):
        return False
    return digest_of(lines[: mark.lines]) == mark.digest


def _is_closed(lines: Sequence[bytes]) -> bool:
    events = [(at, event_or_none(line)) for at, line in enumerate(lines, 1)]
    undone = Undone((at, event) for at, event in events if isinstance(event, ev.TakenBack))
    return any(isinstance(event, ev.GameClosed) and undone.by(at) is None for at, event in events)


def _numbered(game: str) -> Iterator[str]:
    """The id, and then the id with 2, 3 … behind."""
    yield game
    yield from (f"{game}-{number}" for number in count(2))
