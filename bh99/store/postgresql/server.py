"""Talking to a server: connections, transactions and cursors, and what is begun again when a connection is lost."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Final

import psycopg
from eventsourcing.persistence import PersistenceError
from eventsourcing.postgres import PostgresDatastore
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row, tuple_row
from psycopg.types.numeric import IntLoader

from bh99.errors import StoreError, StoreUnusable
from bh99.store.database import BUSY, Cursor
from bh99.store.place import Answer
from bh99.store.postgresql.faults import Refused, cause_of, in_our_words, is_lost, no_connection, refusal
from bh99.store.postgresql.urls import Server

OLDEST: Final = 15
"""The oldest server that the store is tried on."""
PAUSE: Final = 0.2
"""Seconds between two attempts to reach it."""
MOST_TIMES: Final = 500
"""How often some work is begun, at most."""
_DEFAULTS: Final = {
    "application_name": "bh99",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": str(1000 * BUSY),
}
"""What the URL may say otherwise. A server that has vanished is noticed in half a minute."""
_SESSION: Final = "; ".join(
    (
        "SET standard_conforming_strings = on",  # or bytes are stored as others than they are
        "SET default_transaction_isolation = 'read committed'",  # whoever has waited sees what was waited for
        "SET lock_timeout = '{busy}s'",
        "SET idle_in_transaction_session_timeout = '{busy}s'",
        "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3",
        "SET tcp_user_timeout = '{busy}s'",
    )
)
"""So that the server notices as soon that one of us has vanished, and lets go of what that one has locked."""


def connect(server: Server) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection in which each statement is a transaction of its own. Raises Refused and psycopg.Error."""
    try:
        connection = psycopg.connect(**_settings(server), autocommit=True)
    except psycopg.OperationalError as fault:
        why = refusal(fault)
        if why is not None:
            raise Refused(why) from None
        raise
    connection.execute(_SESSION.format(busy=BUSY).encode())
    return connection


def _settings(server: Server) -> dict[str, Any]:
    """What libpq is told. Raises StoreUnusable for what it doesn't know; its own words could show a password."""
    try:
        named = conninfo_to_dict(server.conninfo)
    except psycopg.Error:
        message = (
            "the URL says something that PostgreSQL's library doesn't know; expected postgresql://user@host/database"
        )
        raise StoreUnusable(server.url, message) from None
    here = {"hostaddr": ""} if "host" in named else {}  # PGHOSTADDR would move the store
    return {**_DEFAULTS, **here, **named, "client_encoding": "UTF8"}


def safely(work: Callable[[], Answer], server: Server, name: str, patience: float = BUSY) -> Answer:
    """The result of some work. It is begun again as long as the connection is lost, for `patience` seconds at most at a
    time: what is in doubt, a transaction that ended with the connection, whoever does the work has to settle.

    Raises StoreUnusable and what belongs to it, in our words and without a password.
    """
    began = last = None
    for _ in range(MOST_TIMES):
        try:
            return work()
        except StoreError:
            raise
        except Refused as refused:
            raise StoreUnusable(name, str(refused)) from None
        except (PersistenceError, psycopg.Error) as fault:
            said = cause_of(fault)
            if not is_lost(said):
                raise in_our_words(said, name) from None
        now = time.monotonic()
        if began is None or last is None or now - last > 2 * patience:  # it had gone well for long since
            began = now
        last = now
        time.sleep(PAUSE)
        reached = True
        try:
            connect(server).close()
        except Refused as refused:
            raise StoreUnusable(name, str(refused)) from None
        except psycopg.Error as fault:
            said, reached = fault, False
        if time.monotonic() - began >= (2 * patience if reached else patience):
            break
    raise no_connection(said, name)


class Datastore(PostgresDatastore):
    """The library's pool of connections to a server, with tables looked for in one schema alone."""

    def __init__(self, server: Server, schema: str) -> None:
        super().__init__(
            *("", "", "", "", ""),
            schema=schema,
            pool_size=1,
            max_overflow=9,
            connect_timeout=5,
            lock_timeout=BUSY,
            idle_in_transaction_session_timeout=BUSY,
            originator_id_type="text",
            enable_db_functions=False,  # with them, whoever follows the events misses some (docs/adr/0053)
        )
        self.server = server
        self.pool.kwargs = {**_settings(server), "row_factory": dict_row}

    def register_type_adapters(self) -> None:
        """The store needs none of the library's types."""

    def after_connect_func(self) -> Callable[[psycopg.Connection[Any]], None]:
        library, schema = super().after_connect_func(), self.schema

        def after_connect(connection: psycopg.Connection[Any]) -> None:
            library(connection)
            connection.adapters.register_loader("numeric", IntLoader)  # sums of whole numbers are whole numbers
            connection.execute(f'{_SESSION.format(busy=BUSY)}; SET search_path = "{schema}"'.encode())

        return after_connect

    @contextmanager
    def begun(self, mode: str, *statements: str) -> Iterator["ServerCursor"]:
        """A transaction that begins with some statements; it is undone if anything is raised."""
        with self.get_connection() as connection:
            c = connection.cursor(row_factory=tuple_row)
            c.execute("; ".join((f"BEGIN {mode}", *statements)).encode())
            try:
                yield ServerCursor(c)
            except BaseException:
                with suppress(psycopg.Error):  # a lost connection has undone it already
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextmanager
    def asking(self) -> Iterator["ServerCursor"]:
        """Statements that are transactions of their own."""
        with self.get_connection() as connection:
            yield ServerCursor(connection.cursor(row_factory=tuple_row))

    def writing(self, lock: str) -> "AbstractContextManager[ServerCursor]":
        """A transaction in which nobody else has a lock, so that what is read in it stays true."""
        return self.begun("READ WRITE", f"SELECT pg_advisory_xact_lock({lock})")

    def reading(self) -> "AbstractContextManager[ServerCursor]":
        """A transaction that sees everything as it is at one moment. It keeps nobody waiting, and may take its time."""
        return self.begun(
            "ISOLATION LEVEL REPEATABLE READ, READ ONLY", "SET LOCAL idle_in_transaction_session_timeout = 0"
        )


class ServerCursor:
    """A cursor whose parameters stand as `?`, as in SQLite, and whose rows are tuples."""

    def __init__(self, c: psycopg.Cursor[tuple[Any, ...]]) -> None:
        self.c = c

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> None:
        self.c.execute(_ours(statement), parameters or None)

    def fill(self, table: str, rows: Iterable[Sequence[Any]], types: Sequence[str] = ()) -> None:
        """Insert rows at one stroke; with the types of the columns it is faster. `table`: its name, perhaps with the
        columns."""
        with self.c.copy(f"COPY {table} FROM STDIN{' (FORMAT BINARY)' if types else ''}".encode()) as copy:
            if types:
                copy.set_types(types)
            for row in rows:
                copy.write_row(row)

    def fetchone(self) -> tuple[Any, ...] | None:
        return self.c.fetchone()

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.c.fetchall()


def tables_in(c: Cursor, schema: str) -> set[str]:
    c.execute("SELECT tablename FROM pg_tables WHERE schemaname = ?", (schema,))
    return {name for (name,) in c.fetchall()}


def key_of(schema: str, what: str) -> str:
    """The number of an advisory lock, as a statement has it, apart from all other locks of the database."""
    return f"hashtextextended('{schema}.{what}', 99)"


def make_schema(c: Cursor, schema: str) -> None:
    """Make a schema, if nobody has: who may not make one can be given one that is empty."""
    c.execute("SELECT to_regnamespace(?) IS NULL", (f'"{schema}"',))
    if c.fetchone() == (True,):
        c.execute(f'CREATE SCHEMA "{schema}"')


def _ours(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()
