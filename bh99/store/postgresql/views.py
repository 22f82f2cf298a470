"""The tables of views on a server: a schema of their own."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

import psycopg
from eventsourcing.persistence import Tracking
from eventsourcing.postgres import PostgresTrackingRecorder
from psycopg.rows import dict_row

from bh99.errors import StoreBusy
from bh99.store import view_tables
from bh99.store.database import BUSY
from bh99.store.postgresql.server import Datastore, ServerCursor, connect, key_of, make_schema, tables_in
from bh99.store.postgresql.urls import Server
from bh99.store.views import FOLLOWED, TRACKING, ViewTables

POLL: Final = 0.05
"""Seconds between two looks whether it is our turn."""


class ServerViews(PostgresTrackingRecorder, ViewTables):
    """Writes the views, and up to where they follow the events, in one transaction."""

    WORKER = 3
    datastore: Datastore

    def __init__(self, server: Server, schema: str, name: str) -> None:
        super().__init__(Datastore(server, schema), tracking_table_name=TRACKING)
        self.schema, self.name = schema, name

    def writing(self) -> AbstractContextManager[ServerCursor]:
        return self.datastore.writing(key_of(self.schema, "writing"))

    def reading(self) -> AbstractContextManager[ServerCursor]:
        return self.datastore.reading()

    @contextlib.contextmanager
    def turn(self, ended: Callable[[], bool]) -> Iterator[bool]:
        """One of all that would bring the views up to date does so; the others wait for it to end, or to be killed."""
        key = key_of(self.schema, "turn")
        until = time.monotonic() + BUSY
        with connect(self.datastore.server) as connection:  # what it has locked goes with it, whatever happens
            while connection.execute(f"SELECT pg_try_advisory_lock({key})".encode()).fetchone() != (True,):
                if ended():
                    yield False
                    return
                if time.monotonic() > until:
                    raise StoreBusy(self.name, f"somebody has been making the views for {BUSY} seconds; try again")
                time.sleep(POLL)
            yield True

    def create(self, c: ServerCursor) -> None:  # type: ignore[override]
        make_schema(c, self.schema)
        for statement in self.sql_create_statements:
            c.c.execute(statement)
        for text in view_tables.create_statements('TEXT COLLATE "C"', "BIGINT", ""):
            c.execute(text)

    def there(self, c: ServerCursor) -> set[str]:  # type: ignore[override]
        return tables_in(c, self.schema)

    def track(self, c: ServerCursor, position: int) -> None:  # type: ignore[override]
        self._insert_tracking(c.c.connection.cursor(row_factory=dict_row), Tracking(FOLLOWED, position))

    def tracked(self, c: ServerCursor) -> int:  # type: ignore[override]
        return self._max_tracking_id(FOLLOWED, c.c.connection.cursor(row_factory=dict_row)) or 0

    def connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        connection = connect(self.datastore.server)
        connection.execute(f'SET search_path = "{self.schema}"; SET default_transaction_read_only = on'.encode())
        return connection

    def fill(self, c: ServerCursor, table: str, rows: Sequence[Sequence[Any]]) -> None:  # type: ignore[override]
        c.fill(table, rows)

    def wipe(self) -> None:
        """What was deleted goes when the server next cleans up; it is asked to do so now."""
        with self.datastore.get_connection() as connection:
            connection.execute(f"VACUUM {', '.join(view_tables.TABLES)}".encode())

    def close(self) -> None:
        self.datastore.close()
