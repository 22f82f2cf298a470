"""The views of a store, up to date whenever something is asked: those that are there, or others in memory."""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Final

from bh99.errors import StoreDamaged, StoreUnusable
from bh99.logs import Log
from bh99.store.place import Answer, Place
from bh99.store.sqlite.views import views_in_memory
from bh99.store.views import Events, Progress, Views

PAUSE: Final = 0.1
"""Seconds between two looks whether there is something new."""


class CurrentViews:
    """The views of the store at a place. `may_make`: whether we may change them, or can only read them.

    They are opened when they are first asked. Threads may share them.
    """

    def __init__(self, place: Place, events: Events, read: Callable[[str], Log], *, may_make: bool) -> None:
        self._place, self._events, self._read, self._may_make = place, events, read, may_make
        self._views: Views | None = None
        self._opening = threading.Lock()

    def close(self) -> None:
        if self._views is not None:
            self._views.close()
            self._views = None

    def check_they_may_be_made(self, why: str) -> None:
        """Raises StoreUnusable if we can only read them."""
        if not self._may_make:
            raise StoreUnusable(self._place.views, f"no permission to change the views, which {why}")

    def work(
        self,
        work: Callable[[Views], Answer],
        progress: Progress | None = None,
        ended: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """Work with views that are up to date. If they turn out to be damaged, they are made anew."""

        def caught_up() -> Answer:
            views = self._opened()
            if not views.read_only:
                views.catch_up(self._events, self._read, progress, ended)
            return work(views)

        try:
            return self._place.safely(caught_up, self._place.views)
        except StoreDamaged as damage:
            if damage.args[0] != self._place.views or not self._may_make:
                raise
        self.close()
        self._place.safely(self._place.discard_views, self._place.views)
        return self._place.safely(caught_up, self._place.views)

    def _opened(self) -> Views:
        with self._opening:
            if self._views is not None and self._views.read_only and not self._reached(self._views):
                self.close()
            if self._views is None:
                self._views = self._to_change() if self._may_make else self._to_read()
            return self._views

    def _to_change(self) -> Views:
        tables = self._place.open_views()
        assert tables is not None
        return Views(tables)

    def _to_read(self) -> Views:
        """The views that are there, once whoever may has brought them up to date, or else some in memory."""
        with contextlib.suppress(StoreUnusable):
            views = self._place.safely(self._that_are_there, self._place.views)
            if views is not None:
                return views
        return Views(views_in_memory())

    def _that_are_there(self) -> Views | None:
        tables = self._place.open_views(read_only=True)
        if tables is None:
            return None
        views = Views(tables, read_only=True)
        if self._reached(views):
            return views
        views.close()
        return None

    def _reached(self, views: Views) -> bool:
        """Whether the views have what is stored now, or will have it in a moment, if somebody keeps them up to date."""
        last, until = self._events.last(), time.monotonic() + views.tables.WORKER
        while not views.have_reached(last, self._events):
            if time.monotonic() >= until:
                return False
            time.sleep(PAUSE)
        return True
