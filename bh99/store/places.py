"""Where a store is: its URL, and the files that it means."""

import os
from typing import Final, NamedTuple

from bh99.errors import StoreUnusable

VARIABLE: Final = "BH99_STORE"
_SQLITE: Final = "sqlite:///"


class Place(NamedTuple):
    """The files of a store: the events, which are the evidence, and the views, which can be made anew."""

    url: str
    events: str
    views: str


def place_of(url: str | None = None) -> Place:
    """The files of a store. `url`: `sqlite:///path`, a fourth slash begins an absolute path; None: the one that the
    environment names in BH99_STORE, or else the one in the user's data folder.

    Raises StoreUnusable for a URL that names no store.
    """
    url = url or os.environ.get(VARIABLE) or None
    path = _default_path() if url is None else _path_in(url)
    url = url or f"{_SQLITE}{path}"
    stem, suffix = os.path.splitext(path)
    return Place(url, path, f"{stem}-views{suffix}")


def _path_in(url: str) -> str:
    path = url.removeprefix(_SQLITE)
    if not url.startswith(_SQLITE) or not path or "\0" in path or "?" in path or not _is_utf8(path):
        raise StoreUnusable(url, "this names no store; expected sqlite:///path/to/games.sqlite")
    return path


def _default_path() -> str:
    from platformdirs import user_data_dir

    return os.path.join(user_data_dir("bh99", appauthor=False), "games.sqlite")


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
