"""Copying a store to another place, on the same engine or another one, and the proof that both hold the same."""

import contextlib
import hashlib

import msgspec
from eventsourcing.persistence import IntegrityError, StoredEvent

from bh99.errors import StoreDamaged, StoreUnusable
from bh99.store.database import Cursor, EventTable
from bh99.store.place import Place


class Digest(msgspec.Struct, frozen=True):
    """What tells what a store holds: two of the same digest hold the same games, line for line and byte for byte, in
    whatever order they came. `digest`: 64 hexadecimal digits."""

    games: int
    events: int
    digest: str

    def __str__(self) -> str:
        from domain.cards import counted

        return f"{counted(self.games, 'game')}, {counted(self.events, 'event')}, digest {self.digest}"


def digest_in(table: EventTable, c: Cursor, name: str) -> Digest:
    """The digest of all events, forgotten games with what is left of them. `name`: what messages call the table.

    Raises StoreDamaged for what can't be an event.
    """
    games = events = 0
    digest = hashlib.blake2b(digest_size=32)
    for event in table.in_order(c):
        if not isinstance(event.state, bytes):
            raise StoreDamaged(name, "some of its lines aren't what was stored; bh99 store check says which")
        head = f"{event.originator_id}\n{event.originator_version}\n{event.topic}\n{len(event.state)}\n"
        digest.update(head.encode())
        digest.update(event.state)
        games += event.originator_version == 1
        events += 1
    return Digest(games, events, digest.hexdigest())


class _SourceFault(Exception):
    """Reading what is copied went wrong while the copy was being written: no fault of the copy's place."""


def copy_events(table: EventTable, name: str, to: Place) -> Digest:
    """Copy all events as they are at one moment, in the order in which they came, into a new store.

    It is there whole, and proved to hold the same, or not at all. `name`: what messages call the table. Raises
    StoreUnusable if something is there already, StoreDamaged for events that no store takes, and what the database
    that is copied says.
    """
    with table.reading() as source:
        ours = digest_in(table, source, name)

        def after(position: int) -> list[tuple[int, StoredEvent]]:
            try:
                return table.after(source, position)
            except Exception as fault:
                raise _SourceFault from fault

        def fill(copy: EventTable, c: Cursor) -> None:
            position = 0
            while events := after(position):
                copy.add(c, [event for _, event in events])
                position = events[-1][0]
            theirs = digest_in(copy, c, to.events)
            if theirs != ours:
                raise StoreDamaged(to.events, f"what was copied differs, so it was undone: {theirs}; expected {ours}")

        def make() -> bool:
            try:
                return to.make(fill)
            except IntegrityError:
                raise StoreDamaged(name, "some of its lines can't be copied; bh99 store check says which") from None

        try:
            made = to.safely(make, to.events)
        except _SourceFault as fault:
            assert fault.__cause__ is not None
            raise fault.__cause__ from None
    if not made and to.safely(lambda: _digest_at(to), to.events) != ours:  # else the answer was lost, and it was made
        raise there_is_one(to)
    return ours


def _digest_at(place: Place) -> Digest:
    with contextlib.closing(place.open_games()) as games, games.recorder.reading() as c:
        return digest_in(games.recorder, c, place.events)


def there_is_one(place: Place) -> StoreUnusable:
    return StoreUnusable(place.events, "there is a store already; expected a place for a new one")
