"""The views of a store: tables apart from the events, made from them, disposable, never evidence.

They follow the events exactly once: the rows of a game are replaced whole, in one transaction with the place in the
table of events up to which everything is in the views.
"""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol

from bh99.errors import GameForgotten, LogUnreadable, StoreUnusable
from bh99.logs import Log
from bh99.store import view_tables
from bh99.store.database import Cursor
from bh99.store.games import Games
from bh99.store.view_tables import Kept
from bh99.version import __version__
from projections.chronicle import chronicle
from projections.records import GameRecord

FORM: Final = 1
"""The form of the tables; with another one, or another auditor, the views are made anew."""
EVENTS_A_COMMIT: Final = 20_000
FOLLOWED: Final = Games.name
"""What the library knows the events by that views follow."""
TRACKING: Final = "tracking"
"""The library's table of the places up to which views follow."""

Progress = Callable[[int, int], None]
"""Told how many games are done, and of how many."""
Maker = tuple[int, str]
"""The form of views, and the auditor that made them."""


def this_maker() -> Maker:
    """The form and the auditor of this version."""
    return FORM, __version__


class Events(Protocol):
    """What views follow: the games that have changed behind a place, and what stands at one."""

    def changed(self, after: int) -> list[tuple[str, int]]: ...

    def fingerprint(self, place: int) -> str: ...


def recorded(log: Log) -> GameRecord:
    """What is kept of a log. Raises LogUnreadable."""
    return chronicle(log.batches, log.take_backs)


class ViewTables(ABC):
    """The tables of the views in a database, of either engine."""

    name: str
    """What messages call them."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Cursor]:
        """A transaction in which nobody else writes."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Cursor]:
        """A transaction that sees the views as they are at one moment."""

    @abstractmethod
    def turn(self) -> AbstractContextManager[None]:
        """Wait until nobody else brings the views up to date, and keep others waiting."""

    @abstractmethod
    def create(self, c: Cursor) -> None:
        """Make all tables that aren't there."""

    @abstractmethod
    def there(self, c: Cursor) -> set[str]:
        """The tables that are there."""

    @abstractmethod
    def track(self, c: Cursor, place: int) -> None:
        """Note the place up to which the views follow; it only grows."""

    @abstractmethod
    def tracked(self, c: Cursor) -> int:
        """The place up to which the views follow; 0 for none."""

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
            if self.are_of_form(c, maker[0]):
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
    def following(self, before: int, place: int, fingerprint: str, maker: Maker) -> Iterator[Cursor]:
        """A transaction that brings the views from one place to a later one.

        Raises Overtaken if they aren't at that place any more, or have been made anew.
        """
        with self.writing() as c:
            if not self.are_made_by(c, maker) or self.tracked(c) != before:
                raise Overtaken
            self.track(c, place)
            c.execute("UPDATE made_by SET fingerprint = ?", (fingerprint,))
            yield c

    def are_made_by(self, c: Cursor, maker: Maker) -> bool:
        """Whether all tables are there, of this form and by this auditor."""
        return self._made_by(c) == [maker]

    def are_of_form(self, c: Cursor, form: int) -> bool:
        """Whether all tables are there, of this form."""
        return [made for made, _ in self._made_by(c)] == [form]

    def _made_by(self, c: Cursor) -> list[Maker]:
        if not self.there(c) >= set(_ALL):
            return []
        c.execute("SELECT form, auditor FROM made_by")
        return [(form, auditor) for form, auditor in c.fetchall()]


_ALL: Final = (*view_tables.TABLES, "made_by", TRACKING)


class Overtaken(Exception):
    """Somebody else brings the views up to date too, and was faster."""


class Views:
    """The views, in whatever tables. If those aren't of this version, they are made anew, unless `read_only`."""

    def __init__(self, tables: ViewTables, *, read_only: bool = False) -> None:
        self.tables = tables
        self._maker = this_maker()
        if not read_only and not self.made_by_us:
            tables.start_anew(self._maker, unless=lambda c: tables.are_made_by(c, self._maker))

    def close(self) -> None:
        self.tables.close()

    def clear(self) -> None:
        """Empty tables, to be filled from the first event on."""
        self.tables.start_anew(self._maker)

    @property
    def made_by_us(self) -> bool:
        """Whether all tables are there, of the form and by the auditor of this version."""
        with self.tables.reading() as c:
            return self.tables.are_made_by(c, self._maker)

    def followed(self) -> tuple[int, str]:
        """The place in the table of events up to which everything is in the views, and what stands there."""
        with self.tables.reading() as c:
            place = self.tables.tracked(c)
            c.execute("SELECT fingerprint FROM made_by")
            return place, c.fetchone()[0]

    def are_up_to_date(self, games: Events) -> bool:
        """Whether the views follow these events, and to the end."""
        place, fingerprint = self.followed()
        return place > 0 and games.fingerprint(place) == fingerprint and not games.changed(place)

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

    def catch_up(self, games: Events, read: Callable[[str], Log], progress: Progress | None = None) -> None:
        """Bring the views up to the event that is the last one when this begins, and to no earlier one; anew, if they
        have followed another store."""
        while True:
            with self.tables.turn(), contextlib.suppress(Overtaken):
                if not self.made_by_us:
                    message = "another version of bh99 uses the views at this moment; try again later"
                    raise StoreUnusable(self.tables.name, message)
                place, fingerprint = self.followed()
                if place and games.fingerprint(place) != fingerprint:
                    self.clear()
                    place = 0
                changed = games.changed(place)
                self._follow(games, place, changed, read, progress)
                return

    def _follow(
        self,
        games: Events,
        before: int,
        changed: list[tuple[str, int]],
        read: Callable[[str], Log],
        progress: Progress | None,
    ) -> None:
        pending: list[tuple[str, Kept]] = []
        events = 0
        for done, (game, place) in enumerate(changed, 1):
            record = _record_or_damage(read, game)
            pending.append((game, record))
            events += record.summary.events if isinstance(record, GameRecord) else 1
            if events >= EVENTS_A_COMMIT or done == len(changed):
                with self.tables.following(before, place, games.fingerprint(place), self._maker) as c:
                    view_tables.drop(c, [game for game, _ in pending])
                    self._write(c, pending)
                pending, events, before = [], 0, place
            if progress is not None:
                progress(done, len(changed))


def _record_or_damage(read: Callable[[str], Log], game: str) -> Kept:
    """What is kept of a stored game; why it can't be read; None if it was forgotten."""
    try:
        return recorded(read(game))
    except GameForgotten:
        return None
    except LogUnreadable as damage:
        return str(damage)
