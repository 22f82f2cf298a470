"""The tables of views in SQLite: a file of their own, or memory."""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, Final

from eventsourcing.persistence import Tracking
from eventsourcing.sqlite import SQLiteCursor, SQLiteDatastore, SQLiteTrackingRecorder

from bh99.store import view_tables
from bh99.store.database import BUSY, Cursor
from bh99.store.sqlite.events import keeping_statements, leave_no_trace
from bh99.store.sqlite.files import (
    VIEWS_ID,
    appear,
    clear_the_way_for_views,
    readable_uri,
    remove,
    unfinished_name,
    uri_of,
)
from bh99.store.views import FOLLOWED, ViewTables, this_maker

_memories: Final = count(1)


class FileViews(SQLiteTrackingRecorder, ViewTables):
    """Writes the views, and up to where they follow the events, in one transaction."""

    def __init__(self, uri: str, name: str) -> None:
        super().__init__(keeping_statements(SQLiteDatastore(uri, lock_timeout=BUSY, originator_id_type="text")))
        self.uri, self.name = uri, name

    def construct_create_table_statements(self) -> list[str]:
        return [
            *super().construct_create_table_statements(),
            *view_tables.create_statements(),
            f"PRAGMA application_id = {VIEWS_ID}",
        ]

    @contextlib.contextmanager
    def writing(self) -> Iterator[SQLiteCursor]:
        """What is deleted in it is gone from the disk."""
        with self.datastore.transaction(commit=True) as c:
            c.execute("PRAGMA user_version = 1")  # what begins by reading can't write later
            c.execute("PRAGMA secure_delete = ON")
            yield c

    def reading(self) -> contextlib.AbstractContextManager[SQLiteCursor]:
        return self.datastore.transaction(commit=False)

    def turn(self, ended: Callable[[], bool]) -> contextlib.AbstractContextManager[bool]:
        """In a file, whoever is overtaken begins again; nobody waits."""
        return contextlib.nullcontext(True)

    def create(self, c: Cursor) -> None:
        for statement in self.create_table_statements:
            c.execute(statement)

    def there(self, c: Cursor) -> set[str]:
        c.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {name for (name,) in c.fetchall()}

    def track(self, c: SQLiteCursor, position: int) -> None:  # type: ignore[override]
        self._insert_tracking(c, Tracking(FOLLOWED, position))

    def tracked(self, c: SQLiteCursor) -> int:  # type: ignore[override]
        return self._max_tracking_id(FOLLOWED, c) or 0

    def connect(self) -> sqlite3.Connection:
        uri = self.uri.replace("?mode=rwc", "?mode=ro")
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY)
        connection.execute("PRAGMA query_only = ON")
        return connection

    def fill(self, c: SQLiteCursor, table: str, rows: Sequence[Sequence[Any]]) -> None:  # type: ignore[override]
        c.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)

    def wipe(self) -> None:
        leave_no_trace(self.datastore)

    def close(self) -> None:
        self.datastore.close()


def views_in_memory() -> FileViews:
    """Views that nobody else sees, and that go with whoever made them."""
    views = FileViews(f"file:bh99-views-{os.getpid()}-{next(_memories)}?mode=memory&cache=shared", "the views")
    views.start_anew(this_maker())
    return views


def open_views(file: str, *, read_only: bool) -> FileViews:
    """The views in a file.

    Raises sqlite3.Error and what eventsourcing makes of it, and StoreUnusable for a file of somebody else.
    """
    if read_only:
        return FileViews(readable_uri(file), file)
    clear_the_way_for_views(file)
    if not os.path.exists(file):
        _make(file)
    return FileViews(uri_of(file, "rwc"), file)


def _make(file: str) -> None:
    """Views that follow nothing yet; they are there whole or not at all, as a store is (docs/adr/0051)."""
    unfinished = unfinished_name(file)
    try:
        views = FileViews(uri_of(unfinished, "rwc"), file)
        views.start_anew(this_maker())
        views.close()
        appear(unfinished, file)
    finally:
        remove(unfinished)
