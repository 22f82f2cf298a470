"""A store in files: the one that the URL names, with the events, and one beside it with the views."""

import contextlib
import os
import sqlite3
from collections.abc import Callable

from bh99.errors import StoreDamaged, StoreUnusable
from bh99.store.database import BUSY
from bh99.store.games import Games
from bh99.store.place import Answer, Filling, Found, Place
from bh99.store.sqlite import files, views
from bh99.store.sqlite.events import Factory


class FilePlace(Place):
    """Two files. `url`: None for the default one."""

    def __init__(self, path: str, url: str | None) -> None:
        self.url = url or f"sqlite:///{path}"
        stem, suffix = os.path.splitext(path)
        self.events, self.views = path, f"{stem}-views{suffix}"

    def find(self) -> Found | None:
        if not os.path.exists(self.events):
            return None
        if not os.path.isfile(self.events):
            raise StoreUnusable(self.events, "this is no file; expected a store of games")
        files.check_it_is_ours(self.events)
        return Found(files.may_write(self.events), f"{self.events}.")

    def make(self, fill: Filling | None = None) -> bool:
        files.check_folder(self.events)
        unfinished = files.unfinished_name(self.events)
        try:
            with contextlib.closing(_games(files.uri_of(unfinished, "rwc"), create=True)) as games:
                if fill is not None:
                    with games.recorder.writing() as c:
                        fill(games.recorder, c)
            return files.appear(unfinished, self.events)
        finally:
            files.remove(unfinished)

    def open_games(self) -> Games:
        return _games(files.usable_uri(self.events))

    def open_views(self, *, read_only: bool = False) -> views.FileViews | None:
        if read_only and not os.path.exists(self.views):
            return None
        return views.open_views(self.views, read_only=read_only)

    def discard_views(self) -> None:
        files.remove(self.views)

    def back_up(self, file: str) -> None:
        """Copy the file as it is at one moment, also what `check` would find fault with.

        Raises StoreUnusable if there is a file already, and StoreDamaged if the database isn't whole.
        """
        unfinished = files.unfinished_name(file)
        try:
            self._copy_into(unfinished)
            if not files.appear(unfinished, file):
                files.check_it_is_new(file)
        finally:
            with contextlib.suppress(OSError):
                files.remove(unfinished)

    def _copy_into(self, file: str) -> None:
        source = sqlite3.connect(files.readable_uri(self.events), uri=True, timeout=BUSY)
        target = sqlite3.connect(files.uri_of(file, "rwc"), uri=True)
        with contextlib.closing(source), contextlib.closing(target):
            source.backup(target)
            if target.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                message = "the database is damaged, so it wasn't copied; bh99 store check says more"
                raise StoreDamaged(self.events, message)
            with target:
                target.execute("UPDATE incarnation SET id = hex(randomblob(16))")  # it goes its own way from here on

    def safely(self, work: Callable[[], Answer], name: str, patience: float = BUSY) -> Answer:
        with files.clear_store_errors(name):
            return work()


def _games(database: str, *, create: bool = False) -> Games:
    """The games in the file of a path or URI; with `create`, it is an empty one."""
    env = {"SQLITE_DBNAME": database, "SQLITE_LOCK_TIMEOUT": str(BUSY), "CREATE_TABLE": "y" if create else "n"}
    return Games(Factory, env)
