"""Cards that a log spells otherwise (`10d`, `A♣`, `QS`), read slowly: decode anything, respell, then check strictly."""

from typing import Any, Final

import msgspec

from domain.cards import Card, card_named
from domain.events import AnyEvent

_CARD: Final = {"card_played": "card", "card_drawn": "card", "hit_slid": "card"}
_CARDS: Final = {
    "hand_dealt": ("stock",),
    "pile_reshuffled": ("stock",),
    "cards_shown": ("cards",),
    "hand_corrected": ("drew", "returned"),
}
CARD_FIELDS: Final = frozenset(_CARD.values()) | {field for fields in _CARDS.values() for field in fields} | {"hands"}
"""The fields that hold cards."""

_decode: Final = msgspec.json.Decoder().decode


class _Spellings(dict[str, Card]):
    """The spellings seen so far and what they mean; there are few, as only those that mean a card are kept."""

    def __missing__(self, spelling: str) -> Card:
        card = card_named(spelling)
        if card is None:
            raise KeyError(spelling)
        self[spelling] = card
        return card


_SPELLINGS: Final = _Spellings()


def event_respelled(line: bytes) -> AnyEvent:
    """The event in a line whose cards may be spelled otherwise.

    Raises msgspec.DecodeError if the line isn't JSON, msgspec.ValidationError if it isn't an event, RecursionError.
    """
    return msgspec.convert(respelled(_decode(line)), AnyEvent)  # type: ignore[no-any-return, call-overload]


def respelled(decoded: Any) -> Any:
    """A decoded line with its cards spelled our way; whatever is no card stays as it is. Changes it in place."""
    if not isinstance(decoded, dict):
        return decoded
    kind = decoded.get("type")
    if not isinstance(kind, str):
        return decoded
    field = _CARD.get(kind)
    if field is not None:
        card = decoded.get(field)
        if isinstance(card, str):
            decoded[field] = _one(card)
    elif kind in _CARDS:
        for field in _CARDS[kind]:
            _all(decoded.get(field))
        hands = decoded.get("hands")
        if kind == "hand_dealt" and isinstance(hands, dict):
            for hand in hands.values():
                _all(hand)
    return decoded


def _one(card: str) -> str:
    try:
        return _SPELLINGS[card]
    except KeyError:
        return card


def _all(cards: Any) -> None:
    if isinstance(cards, list):
        cards[:] = [_one(card) if isinstance(card, str) else card for card in cards]
