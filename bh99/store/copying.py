"""Copying a store to another place, on the same engine or another one, and the proof that both hold the same."""

import hashlib

import msgspec
from eventsourcing.persistence import IntegrityError

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


def digest_in(table: EventTable, c: Cursor) -> Digest:
    """The digest of all events, forgotten games with what is left of them."""
    games = events = 0
    digest = hashlib.blake2b(digest_size=32)
    for event in table.in_order(c):
        state = event.state
        head = f"{event.originator_id}\n{event.originator_version}\n{event.topic}\n{len(state)}\n"
        digest.update(head.encode())
        digest.update(state)
        games += event.originator_version == 1
        events += 1
    return Digest(games, events, digest.hexdigest())


def copy_events(table: EventTable, name: str, to: Place) -> Digest:
    """Copy all events as they are at one moment, in the order in which they came, into a new store.

    It is there whole, and proved to hold the same, or not at all. `name`: what messages call the table. Raises
    StoreUnusable if something is there already, and StoreDamaged for events that no store takes.
    """
    with table.reading() as source:
        ours = digest_in(table, source)

        def fill(copy: EventTable, c: Cursor) -> None:
            place = 0
            while events := table.after(source, place):
                copy.add(c, [event for _, event in events])
                place = events[-1][0]
            theirs = digest_in(copy, c)
            if theirs != ours:
                raise StoreDamaged(to.events, f"what was copied differs, so it was undone: {theirs}; expected {ours}")

        try:
            made = to.make(fill)
        except IntegrityError:
            raise StoreDamaged(name, "some of its lines can't be copied; bh99 store check says which") from None
    if not made:
        raise StoreUnusable(to.events, "there is a store already; expected a place for a new one")
    return ours
