"""The files of a store: making a new one, opening one that is there, and what SQLite says in our words."""

import contextlib
import errno
import os
import secrets
import sqlite3
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import quote

from eventsourcing.persistence import ConnectionPoolClosedError, PersistenceError

from bh99.errors import StoreBusy, StoreDamaged, StoreError, StoreUnusable
from bh99.store.database import BUSY
from bh99.store.sqlite.events import APPLICATION_ID, SCHEMA

VIEWS_ID: Final = 0x62683976  # "bh9v"
"""The application id of the views."""
_NO_LINKS: Final = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


def unfinished_name(path: str) -> str:
    """A name beside a file that nobody else uses, for what isn't finished yet."""
    return f"{path}.{os.getpid()}-{secrets.token_hex(4)}.new"


def check_it_is_new(file: str) -> None:
    """Raises StoreUnusable unless it is a name for a new file."""
    if not file:
        raise StoreUnusable(file, "expected the name of a new file")
    if os.path.lexists(file):
        raise StoreUnusable(file, "this file is there already; expected the name of a new one")


def appear(unfinished: str, path: str) -> bool:
    """Give a finished file its name, unless there is one already; whether it was given."""
    try:
        os.link(unfinished, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        with contextlib.suppress(FileExistsError):  # a disk without links: an empty file holds the place
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            os.replace(unfinished, path)
            return True
        return False
    return True


def check_folder(path: str) -> None:
    """Make the folder of a new store. Raises StoreUnusable if nothing may be written there, and OSError."""
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise StoreUnusable(path, "no permission to make a store there")
    if os.path.exists(f"{path}-wal") and not os.path.exists(path):
        message = (
            f"the store is gone, but {os.path.basename(path)}-wal is left of it, and would come alive; move it away"
        )
        raise StoreUnusable(path, message)


def remove(path: str) -> None:
    """Remove a database, with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + suffix)


def check_it_is_ours(path: str) -> None:
    """Raises StoreUnusable if the file is no store, or one of a later version."""
    header = _header_of(path)
    if header.application != APPLICATION_ID:
        raise StoreUnusable(path, "this is a database, but no store of games")
    if header.form > SCHEMA:
        message = (
            f"this store was made by a later version (form {header.form}); expected form {SCHEMA} or an earlier one"
        )
        raise StoreUnusable(path, message)


def clear_the_way_for_views(path: str) -> None:
    """Remove what isn't a database, as views can be made anew. Raises StoreUnusable if it is somebody else's."""
    if not os.path.exists(path):
        return
    if not os.path.isfile(path):
        raise StoreUnusable(path, "this is no file, but the views belong there; move it away")
    try:
        header = _header_of(path)
    except sqlite3.DatabaseError as error:
        if "not a database" not in str(error):
            raise
        remove(path)
        return
    if header.application != VIEWS_ID and header.tables:  # views that somebody is about to make have none yet
        raise StoreUnusable(path, "this database isn't ours, but the views belong there; move it away")


class _Header(NamedTuple):
    """What a database says of itself: whose it is, in which form, and how many tables it has."""

    application: int
    form: int
    tables: int


def _header_of(path: str) -> _Header:
    connection = sqlite3.connect(usable_uri(path), uri=True, timeout=BUSY, isolation_level=None)
    try:
        connection.execute("BEGIN")  # all of it as it is at one moment
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        form = connection.execute("PRAGMA user_version").fetchone()[0]
        return _Header(application, form, tables)
    finally:
        connection.close()


def may_write(path: str) -> bool:
    """Whether the file and what SQLite keeps beside it can be written."""
    return os.access(path, os.W_OK) and os.access(os.path.dirname(os.path.abspath(path)), os.W_OK)


def uri_of(path: str, mode: str) -> str:
    return f"file:{quote(os.path.abspath(path))}?mode={mode}"


def usable_uri(path: str) -> str:
    """How a file that is there is opened, for writing if that may be."""
    return uri_of(path, "rw") if may_write(path) else readable_uri(path)


def readable_uri(path: str) -> str:
    """How a file is opened for reading alone, also where nothing can be written beside it."""
    lonely = not may_write(path) and not os.path.exists(f"{path}-wal")
    return f"{uri_of(path, 'ro')}{'&immutable=1' if lonely else ''}"


@contextlib.contextmanager
def clear_store_errors(path: str) -> Iterator[None]:
    """Whatever the database says in its own words becomes StoreUnusable, or StoreDamaged."""
    try:
        yield
    except StoreError:
        raise
    except (PersistenceError, sqlite3.Error, OSError) as fault:
        said = str(fault)
        for words, error, message in _IN_OUR_WORDS:
            if words in said:
                raise error(path, message) from None
        raise StoreUnusable(path, f"the database can't be used: {said or type(fault).__name__}") from None
    except ConnectionPoolClosedError:
        raise StoreUnusable(path, "this store was closed") from None


_IN_OUR_WORDS: Final[tuple[tuple[str, type[StoreError], str], ...]] = (
    ("malformed", StoreDamaged, "the database is damaged: restore a backup"),
    ("no such table", StoreDamaged, "the database is damaged, a table is missing: restore a backup"),
    ("columns but", StoreDamaged, "a table has other columns: restore a backup"),
    ("use DROP", StoreDamaged, "the database is damaged: there is something else in the place of a table"),
    ("not a database", StoreUnusable, "this is no database; expected a store of games"),
    ("disk is full", StoreUnusable, "the disk is full; what was stored before is safe"),
    ("disk I/O", StoreUnusable, "the disk is full, or the file can't be written; what was stored before is safe"),
    ("readonly", StoreUnusable, "no permission to write it"),
    ("locked", StoreBusy, f"somebody else has been writing to it for {BUSY} seconds; try again"),
    ("unable to open", StoreUnusable, "it can't be opened; is it a file, and may it be read?"),
    ("File exists", StoreUnusable, "there can't be a folder there; expected the name of a file in a folder"),
    ("Not a directory", StoreUnusable, "there can't be a folder there; expected the name of a file in a folder"),
    ("Permission denied", StoreUnusable, "no permission to make a store there"),
    ("Read-only file system", StoreUnusable, "no permission to make a store there"),
)
