"""The views of a store: tables apart from the events, made from them, disposable, never evidence.

They follow the events exactly once: the rows of a game are replaced whole, in one transaction with the position in the
table of events up to which everything is in the views.
"""

import contextlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Final, Protocol

from bh99.errors import GameForgotten, LogUnreadable, StoreUnusable
from bh99.logs import Log
from bh99.store import view_tables
from bh99.store.database import Cursor
from bh99.store.games import Games
from bh99.store.view_tables import Kept
from bh99.version import __version__
from projections.chronicle import chronicle
from projections.records import GameRecord

FORM: Final = 2
"""The form of the tables; with another one, or another auditor, the views are made anew."""
EVENTS_A_COMMIT: Final = 20_000
FOLLOWED: Final = Games.name
"""What the library knows the events by that views follow."""
TRACKING: Final = "tracking"
"""The library's table of the positions up to which views follow."""

Progress = Callable[[int, int], None]
"""Told how many games are done, and of how many."""
Maker = tuple[int, str]
"""The form of views, and the auditor that made them."""


def this_maker() -> Maker:
    """The form and the auditor of this version."""
    return FORM, __version__


class Events(Protocol):
    """What views follow: the last event, the games that have changed behind a position, and what stands at one."""

    def last(self) -> int: ...

    def changed(self, after: int) -> list[tuple[str, int]]: ...

    def fingerprint(self, position: int) -> str: ...


def recorded(log: Log) -> GameRecord:
    """What is kept of a log. Raises LogUnreadable."""
    return chronicle(log.batches, log.take_backs)


class ViewTables(ABC):
    """The tables of the views in a database, of either engine."""

    WORKER: ClassVar[float] = 0
    """Seconds in which somebody who keeps them up to date does so."""
    name: str
    """What messages call them."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Cursor]:
        """A transaction in which nobody else writes."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Cursor]:
        """A transaction that sees the views as they are at one moment."""

    @abstractmethod
    def turn(self, ended: Callable[[], bool]) -> AbstractContextManager[bool]:
        """Wait until nobody else brings the views up to date, and keep others waiting; whether it is our turn, which
        it isn't if waiting has `ended`. Raises StoreBusy."""

    @abstractmethod
    def create(self, c: Cursor) -> None:
        """Make all tables that aren't there."""

    @abstractmethod
    def there(self, c: Cursor) -> set[str]:
        """The tables that are there."""

    @abstractmethod
    def track(self, c: Cursor, position: int) -> None:
        """Note the position up to which the views follow; it only grows."""

    @abstractmethod
    def tracked(self, c: Cursor) -> int:
        """The position up to which the views follow; 0 for none."""

    @abstractmethod
    def connect(self) -> Any:
        """A connection of its own, for reading alone."""

    @abstractmethod
    def fill(self, c: Cursor, table: str, rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows, of which there are some."""

    @abstractmethod
    def wipe(self) -> None:
        """Leave nothing on the disk of rows that are gone."""

    @abstractmethod
    def close(self) -> None: ...

    def start_anew(self, maker: Maker, unless: Callable[[Cursor], bool] = lambda c: False) -> None:
        """Empty tables, made by this version, unless they are that already."""
        with self.writing() as c:
            if unless(c):
                return
            made_by = self.made_by(c)
            if made_by is not None and made_by[0] == maker[0]:
                for table in _ALL:  # they stay, for whoever is reading them, and so does who may read them
                    c.execute(f"DELETE FROM {table}")
            else:
                self.discard(c)
                self.create(c)
            c.execute("INSERT INTO made_by VALUES (?, ?, '')", maker)

    def discard(self, c: Cursor) -> None:
        """Take all tables away."""
        for table in _ALL:
            c.execute(f"DROP TABLE IF EXISTS {table}")

    @contextlib.contextmanager
    def following(self, before: int, position: int, fingerprint: str, maker: Maker) -> Iterator[Cursor]:
        """A transaction that brings the views from one position to a later one.

        Raises Overtaken if they aren't at that position any more, or have been made anew.
        """
        with self.writing() as c:
            if self.made_by(c) != maker or self.tracked(c) != before:
                raise Overtaken
            self.track(c, position)
            c.execute("UPDATE made_by SET fingerprint = ?", (fingerprint,))
            yield c

    def made_by(self, c: Cursor) -> Maker | None:
        """Of which form the tables are, and by which auditor; None if one is missing."""
        if not self.there(c) >= set(_ALL):
            return None
        c.execute("SELECT form, auditor FROM made_by")
        found = c.fetchall()
        return (found[0][0], found[0][1]) if len(found) == 1 else None


_ALL: Final = (*view_tables.TABLES, "made_by", TRACKING)


class Overtaken(Exception):
    """Somebody else brings the views up to date too, and was faster."""


class Views:
    """The views, in whatever tables. If those aren't of this version, they are made anew, unless `read_only`.

    Raises StoreUnusable if a later version has made them: two versions in turns would make them anew each time.
    """

    def __init__(self, tables: ViewTables, *, read_only: bool = False) -> None:
        self.tables = tables
        self.read_only = read_only
        self._maker = this_maker()
        if not read_only:
            self._make_ours()

    def _make_ours(self) -> None:
        """Tables of this version, unless they are that already."""
        with self.tables.reading() as c:
            made_by = self.tables.made_by(c)
        if made_by == self._maker:
            return
        if made_by is not None and _age(made_by) > _age(self._maker):
            message = (
                f"a later bh99 ({made_by[1]}, form {made_by[0]}) made the views; expected that one, or a later one"
            )
            raise StoreUnusable(self.tables.name, message)
        self.tables.start_anew(self._maker, unless=lambda c: self.tables.made_by(c) == self._maker)

    def close(self) -> None:
        self.tables.close()

    def clear(self) -> None:
        """Empty tables, to be filled from the first event on."""
        self.tables.start_anew(self._maker)

    def followed(self) -> tuple[int, str] | None:
        """The position up to which everything is in the views, and what stands there; None if another version has made
        them by now."""
        with self.tables.reading() as c:
            if self.tables.made_by(c) != self._maker:
                return None
            position = self.tables.tracked(c)
            c.execute("SELECT fingerprint FROM made_by")
            return position, c.fetchone()[0]

    def are_up_to_date(self, games: Events) -> bool:
        """Whether the views follow these events, and to the one that is the last one now."""
        return self.have_reached(games.last(), games)

    def have_reached(self, position: int, games: Events) -> bool:
        """Whether the views follow these events, and to a position."""
        followed = self.followed()
        return followed is not None and followed[0] >= position and (not followed[0] or _still_stands(games, *followed))

    def stand_at(self, c: Cursor, position: int) -> bool:
        """Whether what a transaction sees is of this version, and has all up to a position."""
        return self.tables.made_by(c) == self._maker and self.tables.tracked(c) >= position

    def add_logs(self, records: Iterable[tuple[str, GameRecord]], tables: Sequence[str]) -> None:
        """Add logs that are in no store, with their names, to some of the tables."""
        with self.tables.writing() as c:
            for record in records:
                self._write(c, [record], tables)

    def _write(
        self, c: Cursor, records: Sequence[tuple[str, Kept]], tables: Iterable[str] = view_tables.TABLES
    ) -> None:
        for table in tables:
            rows = view_tables.rows_of(table, records, self._maker[1])
            if rows:
                self.tables.fill(c, table, rows)

    def catch_up(
        self,
        games: Events,
        read: Callable[[str], Log],
        progress: Progress | None = None,
        ended: Callable[[], bool] = lambda: False,
    ) -> None:
        """Bring the views up to the event that is the last one when this begins, and to no earlier one; anew, if they
        have followed another store. It stops on the way once it has `ended`."""
        while not ended() and not self.are_up_to_date(games):
            with self.tables.turn(ended) as ours, contextlib.suppress(Overtaken):
                if not ours:
                    return
                followed = self.followed()
                if followed is None:  # somebody has taken them away, or another version has made them
                    self._make_ours()
                    continue
                position = followed[0]
                if position and not _still_stands(games, *followed):
                    self.clear()
                    position = 0
                self._follow(games, position, games.changed(position), read, progress, ended)
                return

    def _follow(
        self,
        games: Events,
        before: int,
        changed: list[tuple[str, int]],
        read: Callable[[str], Log],
        progress: Progress | None,
        ended: Callable[[], bool],
    ) -> None:
        pending: list[tuple[str, Kept]] = []
        events = 0
        for done, (game, position) in enumerate(changed, 1):
            record = _record_or_damage(read, game)
            pending.append((game, record))
            events += record.summary.events if isinstance(record, GameRecord) else 1
            if events >= EVENTS_A_COMMIT or done == len(changed):
                with self.tables.following(before, position, games.fingerprint(position), self._maker) as c:
                    view_tables.drop(c, [game for game, _ in pending])
                    self._write(c, pending)
                pending, events, before = [], 0, position
                if ended():
                    return
            if progress is not None:
                progress(done, len(changed))


def _still_stands(games: Events, position: int, fingerprint: str) -> bool:
    """Whether the events are still those that were followed."""
    return games.fingerprint(position) == fingerprint


def _age(maker: Maker) -> tuple[int, ...]:
    """What grows from version to version."""
    return maker[0], *map(int, re.findall(r"\d+", maker[1]))


def _record_or_damage(read: Callable[[str], Log], game: str) -> Kept:
    """What is kept of a stored game; why it can't be read; None if it was forgotten."""
    try:
        return recorded(read(game))
    except GameForgotten:
        return None
    except LogUnreadable as damage:
        return str(damage)
