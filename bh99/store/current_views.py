"""The views of a store, up to date whenever something is asked: those that are there, or others in memory."""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Final

from bh99.errors import StoreBusy, StoreDamaged, StoreUnusable
from bh99.logs import Log
from bh99.store.database import Cursor
from bh99.store.place import Answer, Place
from bh99.store.sqlite.views import views_in_memory
from bh99.store.views import Events, Progress, Views

PAUSE: Final = 0.1
"""Seconds between two looks whether there is something new."""
MOST_TIMES: Final = 20
"""How often is begun again what somebody else is in the way of."""


class CurrentViews:
    """The views of the store at a place. `may_make`: whether we may change them, or can only read them.

    They are opened when they are first asked. Threads may share them.
    """

    def __init__(self, place: Place, events: Events, read: Callable[[str], Log], *, may_make: bool) -> None:
        self._place, self._events, self._read, self._may_make = place, events, read, may_make
        self._views: Views | None = None
        self._left: list[Views] = []
        """Views that have been replaced; another thread may be reading them still."""
        self._opening = threading.Lock()

    def close(self) -> None:
        for views in (*self._left, self._views):
            if views is not None:
                views.close()
        self._left, self._views = [], None

    def check_they_may_be_made(self, why: str) -> None:
        """Raises StoreUnusable if we can only read them."""
        if not self._may_make:
            raise StoreUnusable(self._place.views, f"no permission to change the views, which {why}")

    def ask(self, question: Callable[[Cursor], Answer]) -> Answer:
        """The answer out of views that have all that was stored when it was asked, also if somebody makes them anew at
        this moment."""

        def asked(views: Views) -> Answer | None:
            with views.tables.reading() as c:
                return question(c) if views.stand_at(c, last) else None

        for _ in range(MOST_TIMES):
            last = self._events.last()
            answer = self.work(asked)
            if answer is not None:
                return answer
        raise StoreBusy(self._place.views, "somebody else makes the views anew again and again; try again later")

    def work(
        self,
        work: Callable[[Views], Answer],
        progress: Progress | None = None,
        ended: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """Work with views that are up to date. If they turn out to be damaged, they are made anew."""
        used: Views | None = None

        def caught_up() -> Answer:
            nonlocal used
            views = used = self._opened()
            if not views.read_only:
                views.catch_up(self._events, self._read, progress, ended)
            return work(views)

        for _ in range(MOST_TIMES):
            try:
                return self._place.safely(caught_up, self._place.views)
            except StoreDamaged as damage:
                if damage.args[0] != self._place.views or not self._may_make:
                    raise
            self._discard(used)
        raise StoreBusy(self._place.views, "somebody else damages the views again and again; try again later")

    def _discard(self, damaged: Views | None) -> None:
        with self._opening:
            if self._views is damaged:  # else another thread was faster
                self._leave()
                self._place.safely(self._place.discard_views, self._place.views)

    def _leave(self) -> None:
        if self._views is not None:
            self._left.append(self._views)
            self._views = None

    def _opened(self) -> Views:
        with self._opening:
            if self._views is not None and self._views.read_only and not self._reached(self._views):
                self._leave()
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
