"""What a place for a store is, on whatever engine, and what can be done there."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from bh99.errors import StoreUnusable
from bh99.store.database import BUSY

if TYPE_CHECKING:
    from bh99.store.database import Cursor, EventTable
    from bh99.store.games import Games
    from bh99.store.views import ViewTables

AT_OPENING: Final = 5
"""Seconds to wait for a server that isn't there when a store is opened."""
Answer = TypeVar("Answer")
Filling = Callable[["EventTable", "Cursor"], None]
"""Fills a table of events in a transaction."""


class Found(NamedTuple):
    """A store that is there. `beside`: what the names of files begin with that belong to its games, such as marks."""

    may_make_views: bool
    """Whether whoever asks may make the views, or change them."""
    beside: str


class Place(ABC):
    """A place for a store: the events, which are the evidence, and the views, which can be made anew."""

    url: str
    """Names the place. It never holds a password."""
    events: str
    """What messages call the events."""
    views: str
    """What messages call the views."""

    @abstractmethod
    def find(self) -> Found | None:
        """The store that is there; None if there is none.

        Raises StoreUnusable for what is no store, or one of a later version, and for a place where none can be.
        """

    @abstractmethod
    def make(self, fill: Filling | None = None) -> bool:
        """A new store without games, or with what `fill` puts into it. It is there whole or not at all; if somebody
        else was faster, theirs stays. Whether it was made."""

    @abstractmethod
    def open_games(self) -> "Games":
        """The events."""

    @abstractmethod
    def open_views(self, *, read_only: bool = False) -> "ViewTables | None":
        """The tables of the views, perhaps those of another version; None for none, where they may only be read."""

    @abstractmethod
    def discard_views(self) -> None:
        """Take views away that are damaged."""

    @abstractmethod
    def safely(self, work: Callable[[], Answer], name: str, patience: float = BUSY) -> Answer:
        """The result of some work with the database. What that says in its own words becomes StoreUnusable, or
        StoreDamaged, of this name. On a server, work is begun again after a lost connection, for so many seconds."""


def no_store(url: str) -> StoreUnusable:
    """A URL names no store. What may hold a password isn't shown."""
    shown = url if url.startswith("sqlite:///") or not {*url} & {*"@=:?"} else "the URL of the store"
    return StoreUnusable(
        shown, "this names no store; expected sqlite:///path/to/games.sqlite or postgresql://user@host/database"
    )
