"""The table of events in SQLite: it grows and never changes, and the database itself sees to that.

The only exception is a game that is forgotten: its lines are emptied, and a mark behind them says so.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
)

APPLICATION_ID: Final = 0x62683939  # "bh99"
SCHEMA: Final = 1
"""The form of the database. A later one is refused; an earlier one would be read for ever."""
STATEMENTS: Final = 100
FORGOTTEN_LINE: Final = "bh99/forgotten"
FORGOTTEN: Final = "bh99/game_forgotten"
"""The topics of a line that was emptied, and of the mark behind such lines."""

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


class GameRecorder(SQLiteApplicationRecorder):
    """Events of games: the id of the game, the line, the topic, and the line itself as it was logged."""

    def construct_create_table_statements(self) -> list[str]:
        return [*super().construct_create_table_statements(), *_APPEND_ONLY]

    def _insert_events(self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        """Insert at one stroke; the rows of one transaction are numbered in a row."""
        c.executemany(
            self.insert_events_statement,
            [(e.originator_id, e.originator_version, e.topic, e.state) for e in stored_events],
        )
        c.execute("SELECT last_insert_rowid()")
        last: int = c.fetchone()[0]
        return range(last - len(stored_events) + 1, last + 1)

    @contextmanager
    def writing(self) -> Iterator[SQLiteCursor]:
        """A transaction in which nobody else writes, so that what is read in it stays true until it is over."""
        with self.datastore.transaction(commit=True) as c:
            c.execute("UPDATE stored_events SET state = state WHERE 0")  # what begins by reading can't write later
            yield c

    @contextmanager
    def reading(self) -> Iterator[SQLiteCursor]:
        """A transaction that sees the store as it is at one moment."""
        with self.datastore.transaction(commit=False) as c:
            yield c


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


class Row(NamedTuple):
    """A stored line: where it stands in its game, its topic, and the bytes."""

    version: int
    topic: str
    state: bytes


def rows_in(c: SQLiteCursor, game: str) -> list[Row]:
    """The rows of a game, in order."""
    c.execute(
        "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ?"
        " ORDER BY originator_version",
        (game,),
    )
    return [Row(*row) for row in c.fetchall()]


def rows_up_to(c: SQLiteCursor, place: int, most: int) -> tuple[str, list[Row]] | None:
    """The row at a place in the table of events, and the last ones before it of the same game, with its id."""
    c.execute("SELECT originator_id, originator_version FROM stored_events WHERE rowid = ?", (place,))
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


def incarnation_in(c: SQLiteCursor) -> str:
    """What tells this store from any other, and from its backups."""
    c.execute("SELECT id FROM incarnation")
    return str(c.fetchone()[0])


def games_in(c: SQLiteCursor, beginning: str = "") -> list[str]:
    """The ids of all games, or of those whose ids begin so, in order."""
    c.execute(
        "SELECT originator_id FROM stored_events WHERE originator_version = 1 AND originator_id >= ?"
        " AND substr(originator_id, 1, ?) = ? ORDER BY originator_id",
        (beginning, len(beginning), beginning),
    )
    return [game for (game,) in c.fetchall()]


def changed_games(c: SQLiteCursor, after: int) -> list[tuple[str, int]]:
    """The games with events behind a place in the table, each with the place of its last one, in that order."""
    c.execute(
        "SELECT originator_id, max(rowid) FROM stored_events WHERE rowid > ? GROUP BY +originator_id"
        " ORDER BY max(rowid)",
        (after,),
    )
    return [(game, last) for game, last in c.fetchall()]
