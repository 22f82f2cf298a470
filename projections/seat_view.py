"""What one seat may know: events with every card blanked that the seat did not see.

The table, the findings and what is expected are then told from those events alone, so that nothing can leak.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from domain import events as ev
from domain.cards import SeenCard


def as_seen_by(seat: str, event: ev.AnyEvent) -> ev.AnyEvent:
    """The event as a seat saw it. Notes and `ext` are left out: they may say anything."""
    if event.note is not None or event.ext is not None:
        event = msgspec.structs.replace(event, note=None, ext=None)
    match event:
        case ev.HandDealt():
            hands = {player: cards if player == seat else _backs(cards) for player, cards in event.hands.items()}
            stock = None if event.stock is None else _backs(event.stock)
            return msgspec.structs.replace(event, hands=hands, stock=stock)
        case ev.CardDrawn() if event.player != seat:
            return msgspec.structs.replace(event, card=None)
        case ev.PileReshuffled() if event.stock is not None:
            return msgspec.structs.replace(event, stock=_backs(event.stock))
        case ev.HandCorrected() if event.player != seat:
            return msgspec.structs.replace(event, drew=_backs(event.drew), returned=_backs(event.returned))
    return event


def _backs(cards: list[SeenCard]) -> list[SeenCard]:
    return [None] * len(cards)


SITTING_DOWN: Final = (ev.GameOpened, ev.PlayerJoined)


def players_of(events: Sequence[ev.AnyEvent]) -> list[str]:
    """Everybody who sat at the table, in the order in which they sat down."""
    return list(dict.fromkeys(name for event in events for name in sit_down(event)))


def sit_down(event: ev.AnyEvent) -> list[str]:
    """Who sits down with an event."""
    if isinstance(event, ev.GameOpened):
        return event.players
    return [event.player] if isinstance(event, ev.PlayerJoined) else []
