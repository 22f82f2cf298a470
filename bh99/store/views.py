"""The views of a store: tables in a file of their own, made from the events, disposable, never evidence.

They follow the events exactly once: the rows of a game are replaced whole, in one transaction with the place in the
table of events up to which everything is in the views.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Final, Protocol

from eventsourcing.persistence import Tracking
from eventsourcing.sqlite import SQLiteCursor, SQLiteDatastore, SQLiteTrackingRecorder

from bh99.errors import GameForgotten, LogUnreadable, StoreUnusable
from bh99.logs import Log
from bh99.store import view_tables
from bh99.store.files import (
    BUSY,
    VIEWS_ID,
    appear,
    clear_the_way_for_views,
    readable_uri,
    remove,
    unfinished_name,
    uri_of,
)
from bh99.store.games import Games
from bh99.store.recorder import keeping_statements, leave_no_trace
from bh99.version import __version__
from projections.chronicle import chronicle
from projections.records import GameRecord

FORM: Final = 1
"""The form of the tables; with another one, or another auditor, the views are made anew."""
EVENTS_A_COMMIT: Final = 20_000
_TRACKED: Final = Games.name
_memories: Final = count(1)

Progress = Callable[[int, int], None]
"""Told how many games are done, and of how many."""
Maker = tuple[int, str]
"""The form of views, and the auditor that made them."""


class Events(Protocol):
    """What views follow: the games that have changed behind a place, and what stands at one."""

    def changed(self, after: int) -> list[tuple[str, int]]: ...

    def fingerprint(self, place: int) -> str: ...


def recorded(log: Log) -> GameRecord:
    """What is kept of a log. Raises LogUnreadable."""
    return chronicle(log.batches, log.take_backs)


class ViewRecorder(SQLiteTrackingRecorder):
    """Writes the views, and up to where they follow the events, in one transaction."""

    def construct_create_table_statements(self) -> list[str]:
        return [
            *super().construct_create_table_statements(),
            "CREATE TABLE IF NOT EXISTS made_by (form INTEGER, auditor TEXT, fingerprint TEXT)",
            *view_tables.create_statements(),
            f"PRAGMA application_id = {VIEWS_ID}",
        ]

    @contextlib.contextmanager
    def writing(self) -> Iterator[SQLiteCursor]:
        """A transaction in which nobody else writes. What is deleted in it is gone from the disk."""
        with self.datastore.transaction(commit=True) as c:
            c.execute(f"PRAGMA user_version = {FORM}")  # what begins by reading can't write later
            c.execute("PRAGMA secure_delete = ON")
            yield c

    def start_anew(self, made_by: Maker, unless: Callable[[SQLiteCursor], bool] = lambda c: False) -> None:
        """Empty tables, made by this version, unless they are that already."""
        with self.writing() as c:
            if unless(c):
                return
            for table in (*view_tables.TABLES, "made_by", "tracking"):
                c.execute(f"DROP TABLE IF EXISTS {table}")
            for statement in self.create_table_statements:
                c.execute(statement)
            c.execute("INSERT INTO made_by VALUES (?, ?, '')", made_by)

    @contextlib.contextmanager
    def following(self, before: int, place: int, fingerprint: str, made_by: Maker) -> Iterator[SQLiteCursor]:
        """A transaction that brings the views from one place to a later one.

        Raises Overtaken if they aren't at that place any more, or have been made anew.
        """
        with self.writing() as c:
            if (self._max_tracking_id(_TRACKED, c) or 0) != before or not _made_by(c, made_by):
                raise Overtaken
            self._insert_tracking(c, Tracking(_TRACKED, place))
            c.execute("UPDATE made_by SET fingerprint = ?", (fingerprint,))
            yield c


class Overtaken(Exception):
    """Somebody else brings the views up to date too, and was faster."""


def _made_by(c: SQLiteCursor, made_by: Maker) -> bool:
    """Whether all tables are there, of this form and by this auditor."""
    c.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    tables = {name for (name,) in c.fetchall()}
    if not tables >= {*view_tables.TABLES, "made_by", "tracking"}:
        return False
    c.execute("SELECT form, auditor FROM made_by")
    return [tuple(row) for row in c.fetchall()] == [made_by]


def _recorder(uri: str) -> ViewRecorder:
    return ViewRecorder(keeping_statements(SQLiteDatastore(uri, lock_timeout=BUSY, originator_id_type="text")))


def _make(file: str, made_by: Maker) -> None:
    """Views that follow nothing yet; they are there whole or not at all, as a store is (docs/adr/0051)."""
    unfinished = unfinished_name(file)
    try:
        recorder = _recorder(uri_of(unfinished, "rwc"))
        recorder.start_anew(made_by)
        recorder.datastore.close()
        appear(unfinished, file)
    finally:
        remove(unfinished)


class Views:
    """The views in a file, or in memory where none can be written."""

    def __init__(self, file: str | None, *, read_only: bool = False) -> None:
        """Raises sqlite3.Error and what eventsourcing makes of it, and StoreUnusable for a file of somebody else."""
        self.auditor = __version__
        self._maker = (FORM, self.auditor)
        if file is None:
            self.uri = f"file:bh99-views-{os.getpid()}-{next(_memories)}?mode=memory&cache=shared"
        else:
            if not read_only:
                clear_the_way_for_views(file)
                if not os.path.exists(file):
                    _make(file, self._maker)
            self.uri = readable_uri(file) if read_only else uri_of(file, "rwc")
        self.recorder = _recorder(self.uri)
        if not read_only and not self.made_by_us:
            self.recorder.start_anew(self._maker, unless=lambda c: _made_by(c, self._maker))

    def close(self) -> None:
        self.recorder.datastore.close()

    def clear(self) -> None:
        """Empty tables, to be filled from the first event on."""
        self.recorder.start_anew(self._maker)

    def wipe(self) -> None:
        """Leave nothing on the disk of rows that are gone."""
        leave_no_trace(self.recorder.datastore)

    @property
    def made_by_us(self) -> bool:
        """Whether all tables are there, of the form and by the auditor of this version."""
        with self.reading() as c:
            return _made_by(c, self._maker)

    def connect(self) -> sqlite3.Connection:
        """A connection of its own, for reading alone."""
        uri = self.uri.replace("?mode=rwc", "?mode=ro")
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY)
        connection.execute("PRAGMA query_only = ON")
        return connection

    def reading(self) -> contextlib.AbstractContextManager[SQLiteCursor]:
        """A transaction that sees the views as they are at one moment."""
        return self.recorder.datastore.transaction(commit=False)

    def followed(self) -> tuple[int, str]:
        """The place in the table of events up to which everything is in the views, and what stands there."""
        with self.reading() as c:
            place = self.recorder._max_tracking_id(_TRACKED, c) or 0
            c.execute("SELECT fingerprint FROM made_by")
            return place, c.fetchone()[0]

    def are_up_to_date(self, games: Events) -> bool:
        """Whether the views follow these events, and to the end."""
        place, fingerprint = self.followed()
        return place > 0 and games.fingerprint(place) == fingerprint and not games.changed(place)

    def add_logs(self, records: Iterable[tuple[str, GameRecord]], tables: Sequence[str]) -> list[str]:
        """Add logs that are in no store, with their names, to some of the tables; the names in order."""
        names = []
        with self.recorder.datastore.transaction(commit=True) as c:
            for name, record in records:
                view_tables.write(c, name, record, self.auditor, tables)
                names.append(name)
        return names

    def catch_up(self, games: Events, read: Callable[[str], Log], progress: Progress | None = None) -> None:
        """Bring the views up to the last event of the store; anew, if they have followed another one."""
        while True:
            if not self.made_by_us:
                raise StoreUnusable(self.uri, "another version of bh99 uses the views at this moment; try again later")
            place, fingerprint = self.followed()
            if place and games.fingerprint(place) != fingerprint:
                self.clear()
                continue
            changed = games.changed(place)
            if not changed:
                return
            with contextlib.suppress(Overtaken):
                self._follow(games, place, changed, read, progress)

    def _follow(
        self,
        games: Events,
        before: int,
        changed: list[tuple[str, int]],
        read: Callable[[str], Log],
        progress: Progress | None,
    ) -> None:
        pending: list[tuple[str, GameRecord | str | None]] = []
        events = 0
        for done, (game, place) in enumerate(changed, 1):
            record = _record_or_damage(read, game)
            pending.append((game, record))
            events += record.summary.events if isinstance(record, GameRecord) else 1
            if events >= EVENTS_A_COMMIT or done == len(changed):
                with self.recorder.following(before, place, games.fingerprint(place), self._maker) as c:
                    for each, made in pending:
                        self._replace(c, each, made)
                pending, events, before = [], 0, place
            if progress is not None:
                progress(done, len(changed))

    def _replace(self, c: SQLiteCursor, game: str, record: GameRecord | str | None) -> None:
        view_tables.drop(c, game)
        if isinstance(record, GameRecord):
            view_tables.write(c, game, record, self.auditor)
        elif record is not None:
            view_tables.write_damage(c, game, record)


def _record_or_damage(read: Callable[[str], Log], game: str) -> GameRecord | str | None:
    """What is kept of a stored game; why it can't be read; None if it was forgotten."""
    try:
        return recorded(read(game))
    except GameForgotten:
        return None
    except LogUnreadable as damage:
        return str(damage)
