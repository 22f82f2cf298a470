"""Cards that a log spells otherwise (`10d`, `A♣`, `QS`), read slowly: decode anything, respell, then check strictly."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from domain.cards import card_named
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
_encode: Final = msgspec.json.Encoder().encode
_encode_lines: Final = msgspec.json.Encoder().encode_lines
_decode_event: Final = msgspec.json.Decoder(AnyEvent).decode
_decode_events: Final = msgspec.json.Decoder(AnyEvent).decode_lines


class _Spellings(dict[str, str]):
    """What a spelling means. There are few, as only those that mean a card are kept; others mean themselves."""

    def __missing__(self, spelling: str) -> str:
        card = card_named(spelling)
        if card is None:
            return spelling
        self[spelling] = card
        return card


_SPELLINGS: Final = _Spellings()


def event_respelled(line: bytes) -> AnyEvent:
    """The event in a line whose cards may be spelled otherwise.

    Raises msgspec.DecodeError if the line isn't JSON, msgspec.ValidationError if it isn't an event, RecursionError.
    """
    return _decode_event(_encode(respelled(_decode(line))))


def events_respelled(lines: Iterable[bytes]) -> list[AnyEvent]:
    """As `event_respelled`, for many lines."""
    decoded = [respelled(each) for each in map(_decode, lines)]
    # Writing the lines again and reading them is faster than converting what was read.
    return _decode_events(_encode_lines(decoded))


def respelled(decoded: Any) -> Any:
    """A decoded line with its cards spelled our way; whatever is no card stays as it is. Changes it in place."""
    if type(decoded) is not dict:
        return decoded
    kind = decoded.get("type")
    if type(kind) is not str:
        return decoded
    if kind in _CARD:
        field = _CARD[kind]
        card = decoded.get(field)
        if type(card) is str:
            decoded[field] = _SPELLINGS[card]
    elif kind in _CARDS:
        for field in _CARDS[kind]:
            _respell(decoded.get(field))
        hands = decoded.get("hands")
        if kind == "hand_dealt" and type(hands) is dict:
            for hand in hands.values():
                _respell(hand)
    return decoded


def _respell(cards: Any) -> None:
    if type(cards) is list:
        cards[:] = [_SPELLINGS[card] if type(card) is str else card for card in cards]
