"""The table of events in SQLite."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment, EnvType

from bh99.store.database import FORGOTTEN, FORGOTTEN_LINE, EventTable

APPLICATION_ID: Final = 0x62683939  # "bh99"
SCHEMA: Final = 1
"""The form of the database. A later one is refused; an earlier one would be read for ever."""
STATEMENTS: Final = 100
SAID_AT_MOST: Final = 20
"""Faults of one kind that are told one by one."""

_LAST: Final = "FROM stored_events WHERE originator_id = NEW.originator_id ORDER BY originator_version DESC LIMIT 1"
_APPEND_ONLY: Final = (
    "CREATE TABLE incarnation AS SELECT hex(randomblob(16)) AS id",
    "CREATE INDEX openings ON stored_events(originator_id) WHERE originator_version = 1",
    f"""
    CREATE TRIGGER versions_follow_each_other BEFORE INSERT ON stored_events
    WHEN typeof(NEW.originator_id) <> 'text' OR typeof(NEW.state) <> 'blob' OR NEW.originator_version IS NOT
        coalesce((SELECT CASE topic WHEN '{FORGOTTEN}' THEN -1 ELSE originator_version + 1 END {_LAST}), 1)
    BEGIN SELECT RAISE(ABORT, 'bh99: a line follows the last one of its game, and none a game that was forgotten'); END
    """,
    f"""
    CREATE TRIGGER events_never_change BEFORE UPDATE ON stored_events
    WHEN NOT (
        (NEW.rowid, NEW.originator_id, NEW.originator_version, NEW.topic, NEW.state)
        IS (OLD.rowid, OLD.originator_id, OLD.originator_version, '{FORGOTTEN_LINE}', x'')
        AND OLD.topic <> '{FORGOTTEN}' AND (SELECT topic {_LAST}) = '{FORGOTTEN}'
    )
    BEGIN SELECT RAISE(ABORT, 'bh99: events never change'); END
    """,
    """
    CREATE TRIGGER events_never_go BEFORE DELETE ON stored_events
    BEGIN SELECT RAISE(ABORT, 'bh99: events are never deleted'); END
    """,
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA}",
)
TRIGGERS: Final = {found[1]: text for text in _APPEND_ONLY if (found := re.search(r"CREATE TRIGGER (\w+)", text))}
"""Each trigger, with the statement that made it."""


class GameRecorder(SQLiteApplicationRecorder, EventTable):
    """Events of games: the id of the game, the line, the topic, and the line itself as it was logged."""

    POSITION = "rowid"
    ANY_ORDER = "+"

    def construct_create_table_statements(self) -> list[str]:
        return [*super().construct_create_table_statements(), *_APPEND_ONLY]

    def _insert_events(self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        """Insert at one stroke; the rows of one transaction are numbered in a row."""
        self.add(c, stored_events)
        c.execute("SELECT last_insert_rowid()")
        last: int = c.fetchone()[0]
        return range(last - len(stored_events) + 1, last + 1)

    def add(self, c: SQLiteCursor, events: Sequence[StoredEvent]) -> None:  # type: ignore[override]
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in events]
        c.executemany(self.insert_events_statement, rows)

    @contextmanager
    def writing(self) -> Iterator[SQLiteCursor]:
        with self.datastore.transaction(commit=True) as c:
            c.execute("UPDATE stored_events SET state = state WHERE 0")  # what begins by reading can't write later
            c.execute("PRAGMA secure_delete = ON")  # what is emptied in it is gone from the disk
            yield c

    @contextmanager
    def reading(self) -> Iterator[SQLiteCursor]:
        with self.datastore.transaction(commit=False) as c:
            yield c

    asking = reading

    def wipe(self) -> None:
        leave_no_trace(self.datastore)

    def faults(self) -> Iterator[str]:
        """What is wrong with the file, and with its triggers."""
        with self.reading() as c:
            c.execute(f"PRAGMA integrity_check({SAID_AT_MOST})")
            yield from (f"the database: {said}" for (said,) in c.fetchall() if said != "ok")
            c.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            there = {name: _plain(sql) for name, sql in c.fetchall()}
        for name, sql in TRIGGERS.items():
            if there.get(name) != _plain(sql):
                yield f"the database: the trigger {name} is missing or another one, so events may have been changed"


def _plain(sql: str) -> str:
    return " ".join(sql.split())


class Factory(SQLiteFactory):
    """What the library makes a store of. SQLITE_DBNAME in its environment is a path or a URI."""

    application_recorder_class = GameRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        keeping_statements(self.datastore)


class Pool(SQLiteConnectionPool):
    """Connections that keep their prepared statements. The library asks for `True` of them, which is one: each insert,
    with its triggers, would be prepared anew."""

    def _create_connection(self) -> SQLiteConnection:
        first = super()._create_connection()  # sets the journal mode
        connection = sqlite3.connect(
            self.db_name,
            uri=True,
            check_same_thread=False,
            isolation_level=None,
            cached_statements=STATEMENTS,
            timeout=self.lock_timeout or 0,
        )
        connection.row_factory = sqlite3.Row
        first.close()
        return SQLiteConnection(sqlite_conn=connection, max_age=self.max_age)


def keeping_statements(datastore: SQLiteDatastore) -> SQLiteDatastore:
    """The same datastore, with connections that keep their prepared statements."""
    pool = datastore.pool
    datastore.pool = Pool(db_name=pool.db_name, lock_timeout=pool.lock_timeout)
    return datastore


def leave_no_trace(datastore: SQLiteDatastore) -> None:
    """Leave nothing on the disk of what was deleted or emptied: it stands in the write-ahead log still."""
    with datastore.get_connection(commit=True) as connection:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
