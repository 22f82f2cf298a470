"""What both engines do for a store: tables of events, tables of views, and statements whose parameters stand as `?`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from eventsourcing.persistence import StoredEvent

BUSY: Final = 30
"""Seconds to wait for another writer, or for a server that has gone away."""
AT_A_STROKE: Final = 5_000
"""Lines that are inserted or read at a stroke; several strokes make a transaction."""
LAST: Final = "\U0010ffff"
"""No character comes after it."""
FORGOTTEN_LINE: Final = "bh99/forgotten"
FORGOTTEN: Final = "bh99/game_forgotten"
"""The topics of a line that was emptied, and of the mark behind such lines."""


class Cursor(Protocol):
    """A cursor of either engine. Parameters stand as `?`; a row can be unpacked."""

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> object: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class Row(NamedTuple):
    """A stored line: where it stands in its game, its topic, and the bytes."""

    version: int
    topic: str
    state: bytes


class EventTable(ABC):
    """The table of events: it grows and never changes, and the database itself sees to that.

    The only exception is a game that is forgotten: its lines are emptied, and a mark behind them says so.
    All events are numbered in the order in which they could first be seen: that is an event's position.
    """

    POSITION: ClassVar[str]
    """The column that numbers them."""
    ANY_ORDER: ClassVar[str] = ""
    """What stands before a column so that no index of it is used."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Cursor]:
        """A transaction in which nobody else writes, so that what is read in it stays true until it is over."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Cursor]:
        """A transaction that sees the store as it is at one moment."""

    @abstractmethod
    def asking(self) -> AbstractContextManager[Cursor]:
        """For statements that read, each of them by itself."""

    @abstractmethod
    def add(self, c: Cursor, events: Sequence[StoredEvent]) -> None:
        """Insert events, at most AT_A_STROKE."""

    @abstractmethod
    def wipe(self) -> None:
        """Leave as little on the disk as the engine can of what was emptied."""

    @abstractmethod
    def faults(self) -> Iterator[str]:
        """What is wrong with the database itself, in words."""

    def rows(self, c: Cursor, game: str) -> list[Row]:
        """The rows of a game, in order."""
        c.execute(
            "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ?"
            " ORDER BY originator_version",
            (game,),
        )
        return [Row(*row) for row in c.fetchall()]

    def rows_up_to(self, c: Cursor, position: int, most: int) -> tuple[str, list[Row]] | None:
        """The row at a position, and the last ones before it of the same game, with its id."""
        c.execute(f"SELECT originator_id, originator_version FROM stored_events WHERE {self.POSITION} = ?", (position,))
        found = c.fetchone()
        if found is None:
            return None
        game, version = found
        c.execute(
            "SELECT originator_version, topic, state FROM stored_events"
            " WHERE originator_id = ? AND originator_version BETWEEN ? AND ? ORDER BY originator_version",
            (game, version - most + 1, version),
        )
        return game, [Row(*row) for row in c.fetchall()]

    def after(self, c: Cursor, position: int) -> list[tuple[int, StoredEvent]]:
        """The next events behind a position, at most AT_A_STROKE, each with its position."""
        c.execute(
            f"SELECT {self.POSITION}, originator_id, originator_version, topic, state FROM stored_events"
            f" WHERE {self.POSITION} > ? ORDER BY {self.POSITION} LIMIT {AT_A_STROKE}",
            (position,),
        )
        return [(at, StoredEvent(*event)) for at, *event in c.fetchall()]

    def in_order(self, c: Cursor) -> Iterator[StoredEvent]:
        """All events, game by game in the order of their ids."""
        game, version = "", 0
        while True:
            c.execute(
                "SELECT originator_id, originator_version, topic, state FROM stored_events"
                " WHERE (originator_id, originator_version) > (?, ?)"
                f" ORDER BY originator_id, originator_version LIMIT {AT_A_STROKE}",
                (game, version),
            )
            events = [StoredEvent(*event) for event in c.fetchall()]
            if not events:
                return
            yield from events
            game, version = str(events[-1].originator_id), events[-1].originator_version

    def incarnation(self, c: Cursor) -> str:
        """What tells this store from any other, and from its copies."""
        c.execute("SELECT id FROM incarnation")
        return str(c.fetchone()[0])

    def games(self, c: Cursor, beginning: str = "") -> list[str]:
        """The ids of all games, or of those whose ids begin so, in order."""
        c.execute(
            "SELECT originator_id FROM stored_events"
            " WHERE originator_version = 1 AND originator_id >= ? AND originator_id < ? ORDER BY originator_id",
            (beginning, beginning + LAST),
        )
        return [game for (game,) in c.fetchall()]

    def every_id(self, c: Cursor) -> list[str]:
        """The ids of all games, also of those whose first line is missing."""
        c.execute("SELECT DISTINCT originator_id FROM stored_events ORDER BY originator_id")
        return [str(game) for (game,) in c.fetchall()]

    def last(self, c: Cursor) -> int:
        """The position of the last event; 0 for none."""
        c.execute(f"SELECT coalesce(max({self.POSITION}), 0) FROM stored_events")
        found: int = c.fetchone()[0]
        return found

    def changed(self, c: Cursor, after: int) -> list[tuple[str, int]]:
        """The games with events behind a position, each with the position of its last one, in that order."""
        c.execute(
            f"SELECT originator_id, max({self.POSITION}) FROM stored_events WHERE {self.POSITION} > ?"
            f" GROUP BY {self.ANY_ORDER}originator_id ORDER BY 2",
            (after,),
        )
        return [(game, last) for game, last in c.fetchall()]
