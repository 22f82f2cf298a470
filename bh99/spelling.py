"""Cards that a log spells otherwise (`10d`, `A♣`, `QS`), read slowly: decode anything, respell, then check strictly."""

import itertools
from collections.abc import Iterator
from typing import Any, Final, cast

import msgspec

from domain.cards import card_named
from domain.events import EVENT_TYPES, AnyEvent

_CARD: Final = {"card_played": "card", "card_drawn": "card", "hit_slid": "card"}
_CARDS: Final = {
    "hand_dealt": ("stock",),
    "pile_reshuffled": ("stock",),
    "cards_shown": ("cards",),
    "hand_corrected": ("drew", "returned"),
}
CARD_FIELDS: Final = frozenset(_CARD.values()) | {field for fields in _CARDS.values() for field in fields} | {"hands"}
"""The fields that hold cards."""

_AT_ONCE: Final = 100
"""How many decoded lines are kept: few, so that their memory is used again while it is warm."""

_decode: Final = msgspec.json.Decoder().decode
_encode_lines: Final = msgspec.json.Encoder().encode_lines
_decode_events: Final = msgspec.json.Decoder(AnyEvent).decode_lines


class _Spellings(dict[str | None, str | None]):
    """What a spelling means, and None for a card nobody logged.

    There are few, as only those that mean a card are kept; others mean themselves.
    """

    def __missing__(self, spelling: str | None) -> str | None:
        card = card_named(cast(str, spelling))
        if card is None:
            return spelling
        self[spelling] = card
        return card


_SPELLINGS: Final = _Spellings({None: None})


def event_respelled(line: bytes) -> AnyEvent:
    """The event in a line whose cards may be spelled otherwise.

    Raises msgspec.DecodeError if the line isn't JSON, msgspec.ValidationError if it isn't an event, RecursionError.
    """
    decoded = respelled(_decode(line))
    kind = decoded.get("type") if isinstance(decoded, dict) else None
    if not isinstance(kind, str) or kind not in EVENT_TYPES:
        raise msgspec.ValidationError("not an event")
    # Not to AnyEvent: msgspec works out a union anew at each call, which takes fifty times as long.
    return cast(AnyEvent, msgspec.convert(decoded, EVENT_TYPES[kind]))


def events_respelled(lines: Iterator[bytes]) -> list[AnyEvent]:
    """As `event_respelled`, for many lines, and faster."""
    events: list[AnyEvent] = []
    while decoded := list(map(_decode, itertools.islice(lines, _AT_ONCE))):
        try:
            for each in decoded:
                field = _CARD.get(each["type"])
                if field is not None:
                    each[field] = _SPELLINGS[each[field]]
                else:
                    respelled(each)
            # Writing the lines again and reading them is faster than converting what was read.
            events += _decode_events(_encode_lines(decoded))
        except (AttributeError, KeyError, TypeError, OverflowError):
            raise msgspec.ValidationError("not all lines are events, or simple ones") from None
    return events


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
