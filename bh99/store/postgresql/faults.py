"""What a server says when something goes wrong, in our words and without a password."""

import re
from typing import Final

import psycopg

from bh99.errors import StoreBusy, StoreDamaged, StoreUnusable
from bh99.store.database import BUSY


class Refused(Exception):
    """The server lets nobody in, for a reason that doesn't pass by itself; `str()` says why in our words."""


def refusal(fault: psycopg.Error) -> str | None:
    """Why a connection is refused for good, in our words; None if it isn't."""
    said = str(fault).rpartition("FATAL:")[2]
    return next((message for words, message in _REFUSED if re.search(words, said)), None)


def cause_of(fault: Exception) -> Exception:
    """What the server, or its library, said: the library of events passes it on in errors of its own."""
    cause = fault.__cause__
    return cause if isinstance(cause, psycopg.Error) else fault


def is_lost(fault: Exception) -> bool:
    """Whether a connection was lost, or none could be had, and that may pass."""
    state = getattr(fault, "sqlstate", None)
    if state is None:
        return isinstance(fault, psycopg.OperationalError | psycopg.InterfaceError)
    return state[:2] == "08" or state in _PASSING


def no_connection(fault: Exception, name: str) -> StoreUnusable:
    """That there is no connection, and why."""
    reason = str(fault).rpartition("failed: ")[2].rpartition("FATAL:")[2].strip().partition("\n")[0]
    for words, message in _AWAY:
        if words in str(fault):
            reason = message
    return StoreUnusable(name, f"there is no connection to the server: {reason or type(fault).__name__}")


def in_our_words(fault: Exception, name: str) -> StoreUnusable:
    """Whatever else the server says."""
    told = fault.diag.message_primary if isinstance(fault, psycopg.Error) else None  # without the data behind it
    said = " ".join((told or str(fault)).split())
    error, message = _STATES.get(getattr(fault, "sqlstate", None) or "", (StoreUnusable, ""))
    return error(name, message or f"the database can't be used: {said or type(fault).__name__}")


_PASSING: Final = ("57P01", "57P02", "57P03", "57P05", "53300", "40001", "40P01", "25P03")
"""The server goes down or comes up, has too many connections, or has broken off what stood in somebody's way."""
_AWAY: Final = (
    ("could not translate host name", "there is no such host"),
    ("failed to resolve host", "there is no such host"),
    ("Name or service not known", "there is no such host"),
    ("couldn't get a connection", "none could be had in time"),
)
_REFUSED: Final = (
    ("no password supplied", "the server wants a password; expected one in ~/.pgpass, in PGPASSWORD or in the URL"),
    ("password authentication failed", "the server refuses this user or this password"),
    ("authentication failed", "the server refuses this user"),
    ("no pg_hba.conf entry", "the server lets nobody in from here under this name"),
    ('^ *role ".*" does not exist', "the server doesn't know this user"),
    ('^ *role ".*" is not permitted to log in', "the server doesn't let this user log in"),
    ('^ *permission denied for database "', "this user may not use this database"),
    ('^ *database ".*" does not exist', "the server has no such database; createdb makes one"),
    (
        "unrecognized configuration parameter|invalid value for parameter",
        "it doesn't take the options that it is given",
    ),
    ("invalid [a-z_ ]*value", "PostgreSQL's library doesn't take a value that the URL or the environment gives"),
    ("channel binding", "the server doesn't offer the channel binding that is wanted"),
    ("server does not support SSL", "the server speaks no TLS, but the URL wants it"),
    ("certificate verify failed", "the server's certificate isn't accepted"),
    ("root certificate file .* does not exist", "there is no certificate to check the server's by; see sslrootcert"),
)
"""In which words a connection is refused for good; libpq gives no code for them."""
_STATES: Final[dict[str, tuple[type[StoreUnusable], str]]] = {
    "55P03": (StoreBusy, f"somebody else has been writing to it for {BUSY} seconds; try again"),
    "57014": (StoreBusy, "the server broke it off, as it took longer than its statement_timeout"),
    "42501": (StoreUnusable, "no permission for that on the server"),
    "25006": (StoreUnusable, "no permission to write it: the server only lets it be read"),
    "53100": (StoreUnusable, "the server's disk is full; what was stored before is safe"),
    "2BP01": (
        StoreUnusable,
        "something of somebody else's depends on the views, and they can't be made anew; drop that",
    ),
    "42P07": (StoreUnusable, "there is something else in the place of a table"),
    "42P01": (StoreDamaged, "a table is missing: restore a backup"),
    "42703": (StoreDamaged, "a column is missing: restore a backup"),
    "22P04": (StoreDamaged, "a table has other columns: restore a backup"),
    "42883": (StoreDamaged, "a function is missing: restore a backup"),
    "42704": (StoreDamaged, "something is missing in the database: restore a backup"),
    "3F000": (StoreDamaged, "the schema is missing: restore a backup"),
    "XX001": (StoreDamaged, "the database is damaged: restore a backup"),
    "XX002": (StoreDamaged, "the database is damaged: an index; REINDEX makes it anew"),
}
