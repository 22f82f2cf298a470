"""Which place a URL means: a file, or a schema of a database on a server."""

import os
from typing import Final

from bh99.errors import StoreUnusable
from bh99.store.place import Place, no_store
from bh99.user_folder import data_folder

VARIABLE: Final = "BH99_STORE"
_SQLITE: Final = "sqlite:///"
_POSTGRESQL: Final = ("postgresql://", "postgres://")


def place_of(url: str | None = None) -> Place:
    """The place of a store. `url`: `sqlite:///path`, a fourth slash begins an absolute path, or
    `postgresql://user@host/database`; None: the one that the environment names in BH99_STORE, or else a file in the
    user's data folder.

    Raises StoreUnusable for a URL that names no store, and for a server where the library for servers is missing.
    """
    url = url or os.environ.get(VARIABLE) or None
    if url is not None and url.lower().startswith(_POSTGRESQL):
        return _server_place(url)
    from bh99.store.sqlite.place import FilePlace

    return FilePlace(_default_path() if url is None else _path_in(url), url)


def _server_place(url: str) -> Place:
    from bh99.store.postgresql.urls import server_of

    server = server_of(url)
    try:
        from bh99.store.postgresql.place import ServerPlace
    except ImportError as missing:
        message = f"a store on a server needs psycopg ({missing}); pip install 'bh99[postgresql]' brings it"
        raise StoreUnusable(server.url, message) from None
    return ServerPlace(server)


def _path_in(url: str) -> str:
    path = url.removeprefix(_SQLITE)
    if not url.startswith(_SQLITE) or not path or "\0" in path or "?" in path or not _is_utf8(path):
        raise no_store(url)
    return path


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _default_path() -> str:
    return os.path.join(data_folder(), "games.sqlite")
