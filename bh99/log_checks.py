"""What decoding alone lets through: a key twice in an object, and names that aren't fit to show.

The checks count bytes, because that costs a fraction of decoding. They never call a faulty text clean: what is counted
in the text is at least what is there, and what the events account for is at most that.
"""

import functools
import io
from collections.abc import Callable, Iterable, Sequence, Sized
from operator import attrgetter
from typing import Any, Final, TypeAlias, cast

import msgspec

from domain.events import (
    EVENT_TYPES,
    AnyEvent,
    CardPlayed,
    CardsShown,
    Event,
    GameOpened,
    HandCorrected,
    HandDealt,
    HitDonated,
    HitSlid,
    HitStolen,
    PileReshuffled,
)

_Kind: TypeAlias = type[Event]

_SHARED: Final = ("at", "seq", "note", "ext")
_AT, _SEQ, _NOTE, _EXT = map(attrgetter, _SHARED)
_TARGET, _VALUE = attrgetter("target"), attrgetter("value")
_decode_anything: Final = msgspec.json.Decoder().decode

KEYS: Final[dict[_Kind, int]] = {
    kind: 1 + sum(field.required for field in msgspec.structs.fields(kind)) for kind in EVENT_TYPES.values()
}
"""How many keys an event of a type has at least: `type` and the required fields."""

_OPTIONAL: Final[dict[_Kind, list[tuple[str, Any]]]] = {
    kind: [
        (field.name, None if field.default is msgspec.NODEFAULT else field.default)
        for field in msgspec.structs.fields(kind)
        if not field.required and field.name not in _SHARED
    ]
    for kind in EVENT_TYPES.values()
}
_CHOOSY: Final = frozenset(kind for kind, optional in _OPTIONAL.items() if optional) - {CardPlayed} | {HandDealt}
"""The types that may have more keys than the required and the shared ones; card_played is counted apart."""


_COMMAS: Final = {kind: keys - 1 for kind, keys in KEYS.items() if kind is not GameOpened}
_LISTS: Final[dict[_Kind, Callable[[Any], int]]] = {
    CardsShown: lambda event: _commas_of(event.cards),
    PileReshuffled: lambda event: _commas_of(event.stock),
    HandCorrected: lambda event: _commas_of(event.drew) + _commas_of(event.returned),
}


def no_key_twice(text: bytes, events: Sequence[AnyEvent]) -> bool:
    """Whether the text, one event a line, provably has no object with a key twice; the events are those decoded.

    False also where a string or an uncommon way of writing makes it look so (`key_twice` tells for sure), and if there
    is a game_opened: only the first line may be one.
    """
    # An object has a comma less than keys, a list one less than values, a string has some more: if there are no more
    # commas than the events account for, then no key stands twice. Blanks don't matter, and one byte is counted fast.
    kinds: list[_Kind] = list(map(type, events))
    try:
        known = sum(map(_COMMAS.__getitem__, kinds))
    except KeyError:
        return False
    if events and events[-1].at is not None:
        if not all(map(_AT, events)):
            return _no_key_twice_counted_closely(text, events)
        known += len(events)
    try:
        place = kinds.index(HandDealt)
        while True:
            deal = cast(HandDealt, events[place])
            # A comma less than cards in each hand, and a comma less than hands between them; too few for empty hands.
            known += sum(map(len, deal.hands.values())) - 1 + _commas_of(deal.stock)
            if deal.tokens is not None:
                known += 1 + _commas_of(deal.tokens)
            place = kinds.index(HandDealt, place + 1)
    except ValueError:
        pass
    found = text.count(b",")
    if found == known:
        return True
    if b"\\" not in text:
        known += _lines_with_target(text)
    else:
        known += _count_of_those_with(_TARGET, _plays_among(events, kinds))
    if found == known:
        return True
    known += sum([_LISTS[kind](event) for event, kind in zip(events, kinds, strict=True) if kind in _LISTS])
    return found == known or _no_key_twice_counted_closely(text, events)


def _commas_of(values: Sized | None) -> int:
    return len(values) - 1 if values else 0


def _count_of_keys(text: bytes) -> int:
    """At least the number of keys: where a blank may part a key from its colon, the number of colons."""
    for blank in (b" ", b"\t", b"\r"):
        # Looking for one byte first costs next to nothing.
        if blank in text and blank + b":" in text:
            return text.count(b":")
    return text.count(b'":')


def _lines_with_target(text: bytes) -> int:
    """How many lines have a key `target` with a text: a field, or in `ext`. There must be no backslash in the text.

    Without a backslash these bytes can't stand inside a string. No player's name is counted: that has a list or a
    number behind it.
    """
    lines, place = 0, find(text, b'"target":', b"g")
    while place >= 0:
        if text.startswith((b'"', b' "'), place + 9):
            lines += 1
        place = text.find(b"\n", place)
        if place >= 0:
            place = find(text, b'"target":', b"g", place)
    return lines


def find(text: bytes, word: bytes, letter: bytes, place: int = 0) -> int:
    """As `text.find(word, place)`; many times faster if a letter of the word is rare in the text."""
    offset = word.index(letter)
    seen = text.find(letter, place + offset)
    for _ in range(_PATIENCE):
        if seen < 0 or text.startswith(word, seen - offset):
            return seen - offset if seen >= 0 else -1
        seen = text.find(letter, seen + 1)
    return text.find(word, max(seen - offset, place)) if seen >= 0 else -1


_PATIENCE: Final = 300


def _no_key_twice_counted_closely(text: bytes, events: Sequence[AnyEvent]) -> bool:
    """As `no_key_twice`, but with all optional fields; it counts keys, so that commas in a note don't disturb it."""
    kinds: list[_Kind] = list(map(type, events))
    known = sum(map(KEYS.__getitem__, kinds))
    for shared in (_AT, _SEQ, _NOTE):
        known += _count_of_those_with(shared, events)
    plays = _plays_among(events, kinds)
    known += _count_of_those_with(_TARGET, plays) + _count_of_those_with(_VALUE, plays)
    known += sum(_keys_by_choice(event) for event, kind in zip(events, kinds, strict=True) if kind in _CHOOSY)
    known += sum(1 + _keys_within(ext) for ext in map(_EXT, events) if ext is not None)
    found = _count_of_keys(text)
    return found == known or found == _keys_by_reading_again(text)


def _plays_among(events: Sequence[AnyEvent], kinds: list[_Kind]) -> list[AnyEvent]:
    return [event for event, kind in zip(events, kinds, strict=True) if kind is CardPlayed]


def _count_of_those_with(field: Callable[[Any], object], events: Sequence[Event]) -> int:
    return len(events) - list(map(field, events)).count(None)


def _keys_by_reading_again(text: bytes) -> int:
    """How many keys the objects of a text, one a line, have at any depth; where a key stands twice it counts once."""
    lines = list(map(_decode_anything, io.BytesIO(text)))
    return sum(map(_keys_within, lines))


def _keys_by_choice(event: AnyEvent) -> int:
    """How many more keys an event must have had than its type asks for; the shared ones aside."""
    keys: int = sum(getattr(event, name) != default for name, default in _OPTIONAL[type(event)])
    if type(event) is HandDealt:
        keys += len(event.hands) + len(event.tokens or ())
    return keys


def _keys_within(value: dict[str, Any]) -> int:
    """How many keys a decoded object has, at any depth."""
    keys = len(value)
    deeper = [part for part in value.values() if type(part) is dict or type(part) is list]
    while deeper:
        part = deeper.pop()
        if type(part) is dict:
            keys += len(part)
        within = part.values() if type(part) is dict else part
        deeper += [inner for inner in within if type(inner) is dict or type(inner) is list]
    return keys


def key_twice(line: bytes) -> bool:
    """Whether an object in this line of JSON has a key twice, at any depth."""
    if _count_of_keys(line) == _keys_within(_decode_anything(line)):
        return False
    import json  # only needed for lines that are unusual

    keys = 0

    def count(pairs: list[tuple[str, Any]]) -> None:
        nonlocal keys
        keys += len(pairs) - len(dict(pairs))

    json.loads(line, object_pairs_hook=count)
    return keys > 0


def names_need_a_look(text: bytes) -> bool:
    """Whether a name in this text could hold a character that isn't fit to show, or a space at an end.

    JSON forbids raw control characters; they come as escapes.
    """
    return not text.isascii() or b"\\" in text or b"\x7f" in text or b" " in text


def _no_names(_event: AnyEvent) -> None:
    return None


def _names_dealt(event: HandDealt) -> tuple[str, ...]:
    return (event.dealer, *event.hands, *(event.tokens or ()))


def _names_opened(event: GameOpened) -> tuple[str, ...]:
    return tuple(event.players)


_NAMES: Final[dict[_Kind, Callable[[Any], str | tuple[str | None, ...] | None]]] = {
    kind: attrgetter("player") if "player" in kind.__struct_fields__ else _no_names for kind in EVENT_TYPES.values()
}
_NAMES[GameOpened] = _names_opened
_NAMES[HandDealt] = _names_dealt
_NAMES[CardPlayed] = attrgetter("player", "target")
_NAMES[HitStolen] = attrgetter("player", "source")
_NAMES[HitSlid] = attrgetter("player", "source")
_NAMES[HitDonated] = attrgetter("player", "to")


def names_in(events: Iterable[AnyEvent]) -> set[str]:
    """Every name of a player in some events."""
    names: set[str] = set()
    for found in {_NAMES[type(event)](event) for event in events}:
        if isinstance(found, str):
            names.add(found)
        elif found is not None:
            names.update(name for name in found if name is not None)
    return names


def unfit_names(events: Iterable[AnyEvent]) -> bool:
    """Whether the name of a player in some events isn't fit to show."""
    return any(fault_of_name(name) is not None for name in names_in(events))


@functools.lru_cache(maxsize=4096)
def fault_of_name(name: str) -> str | None:
    """Why a text can't be a player's name, in words that follow it ("has …"); None if it can. Length isn't judged."""
    if name != name.strip():
        return "has a space at an end"
    if name.isprintable():
        return None
    import unicodedata  # only needed for names that are unusual

    for char in name:
        kind = unicodedata.category(char)
        if kind in _UNFIT:
            return f"has {_UNFIT[kind]} (U+{ord(char):04X})"
    return None


_UNFIT: Final = {
    "Cc": "a control character",
    "Cf": "a format or direction character",
    "Cs": "half of a character",
    "Co": "a character of private use",
    "Cn": "a character that isn't assigned",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
}
