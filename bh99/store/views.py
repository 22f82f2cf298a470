"""The views of a store: tables in a file of their own, made from the events, disposable, never evidence.

They follow the events exactly once: the rows of a game are replaced whole, in one transaction with the place in the
table of events up to which everything is in the views.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Final

from eventsourcing.persistence import IntegrityError, OperationalError, Tracking
from eventsourcing.sqlite import SQLiteCursor, SQLiteDatastore, SQLiteTrackingRecorder

from bh99.errors import GameForgotten, LogUnreadable
from bh99.logs import Log
from bh99.store import view_tables
from bh99.store.games import BUSY, Games, readable_uri, uri_of
from bh99.version import __version__
from projections.chronicle import GameRecord, chronicle

FORM: Final = 1
"""The form of the tables; with another one, or another auditor, the views are made anew."""
EVENTS_A_COMMIT: Final = 20_000
_TRACKED: Final = Games.name
_memories: Final = count(1)

Progress = Callable[[int, int], None]
"""Told how many games are done, and of how many."""


def recorded(log: Log) -> GameRecord:
    """What is kept of a log. Raises LogUnreadable."""
    return chronicle(log.batches, log.take_backs)


class ViewRecorder(SQLiteTrackingRecorder):
    """Writes the views, and up to where they follow the events, in one transaction."""

    def construct_create_table_statements(self) -> list[str]:
        return [
            *super().construct_create_table_statements(),
            "CREATE TABLE IF NOT EXISTS made_by (form INTEGER, auditor TEXT)",
            *view_tables.create_statements(),
        ]

    def start_anew(self, form: int, auditor: str) -> None:
        """Empty tables, made by this version."""
        with self.datastore.transaction(commit=True) as c:
            for table in (*view_tables.TABLES, "made_by", "tracking"):
                c.execute(f"DROP TABLE IF EXISTS {table}")
            for statement in self.create_table_statements:
                c.execute(statement)
            c.execute("INSERT INTO made_by VALUES (?, ?)", (form, auditor))

    @contextlib.contextmanager
    def following(self, place: int) -> Iterator[SQLiteCursor]:
        """A transaction that brings the views up to a place. Raises IntegrityError if somebody else was faster."""
        with self.datastore.transaction(commit=True) as c:
            self._insert_tracking(c, Tracking(_TRACKED, place))
            yield c


class Views:
    """The views in a file, or in memory where none can be written."""

    def __init__(self, file: str | None, *, read_only: bool = False) -> None:
        """Raises sqlite3.Error and what eventsourcing makes of it."""
        self.auditor = __version__
        if file is None:
            database = f"file:bh99-views-{os.getpid()}-{next(_memories)}?mode=memory&cache=shared"
        else:
            database = readable_uri(file) if read_only else uri_of(file, "rwc")
        self.recorder = ViewRecorder(SQLiteDatastore(database, lock_timeout=BUSY, originator_id_type="text"))
        if not read_only and not self.made_by_us:
            self.clear()

    def close(self) -> None:
        self.recorder.datastore.close()

    def clear(self) -> None:
        """Empty tables, to be filled from the first event on."""
        self.recorder.start_anew(FORM, self.auditor)

    def wipe(self) -> None:
        """Leave nothing on the disk of rows that are gone."""
        with self.recorder.datastore.get_connection(commit=True) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def made_by_us(self) -> bool:
        """Whether the tables are there, of the form and by the auditor of this version."""
        try:
            with self.reading() as c:
                c.execute("SELECT form, auditor FROM made_by")
                row = c.fetchone()
        except OperationalError as error:
            if "no such" in str(error):
                return False
            raise
        return row is not None and tuple(row) == (FORM, self.auditor)

    def reading(self) -> contextlib.AbstractContextManager[SQLiteCursor]:
        """A transaction that sees the views as they are at one moment."""
        return self.recorder.datastore.transaction(commit=False)

    @property
    def place(self) -> int:
        """Up to where in the table of events everything is in the views."""
        return self.recorder.max_tracking_id(_TRACKED) or 0

    def add_logs(self, records: Iterable[tuple[str, GameRecord]], tables: Sequence[str]) -> list[str]:
        """Add logs that are in no store, with their names, to some of the tables; the names in order."""
        names = []
        with self.recorder.datastore.transaction(commit=True) as c:
            for name, record in records:
                view_tables.write(c, name, record, self.auditor, tables)
                names.append(name)
        return names

    def catch_up(self, games: Games, read: Callable[[str], Log], progress: Progress | None = None) -> None:
        """Bring the views up to the last event of the store."""
        while changed := games.changed(place := self.place):
            try:
                self._follow(changed, read, progress)
            except IntegrityError:
                if self.place == place:
                    raise
                # Somebody else follows too, and was faster.

    def _follow(
        self, changed: list[tuple[str, int, int]], read: Callable[[str], Log], progress: Progress | None
    ) -> None:
        pending: list[tuple[str, GameRecord | str | None]] = []
        events = 0
        for done, (game, _, place) in enumerate(changed, 1):
            record = _record_or_damage(read, game)
            pending.append((game, record))
            events += record.summary.events if isinstance(record, GameRecord) else 1
            if events >= EVENTS_A_COMMIT or done == len(changed):
                with self.recorder.following(place) as c:
                    for each, made in pending:
                        self._replace(c, each, made)
                pending, events = [], 0
            if progress is not None:
                progress(done, len(changed))

    def _replace(self, c: SQLiteCursor, game: str, record: GameRecord | str | None) -> None:
        if record is None:
            c.execute("PRAGMA secure_delete = ON")
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
