"""What decoding alone lets through: two events in a line, a key twice in an object, names that aren't fit to show.

The checks count bytes, because that costs a fraction of decoding. They never call a faulty text clean: each count of
what stands in the text is at least what is there, and each count of what the events account for is at most that.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, Final, TypeAlias

import msgspec

from domain.events import (
    EVENT_TYPES,
    AnyEvent,
    CardPlayed,
    Event,
    GameOpened,
    HandDealt,
    HitDonated,
    HitSlid,
    HitStolen,
)

_Kind: TypeAlias = type[Event]

_SHARED: Final = ("at", "seq", "note", "ext")
_AT, _SEQ, _NOTE, _EXT = map(attrgetter, _SHARED)

KEYS: Final[dict[_Kind, int]] = {
    kind: 1 + sum(field.required for field in msgspec.structs.fields(kind)) for kind in EVENT_TYPES.values()
}
"""How many keys an event of a type has at least: `type` and the required fields."""

_LATER_KEYS: Final = {kind: keys for kind, keys in KEYS.items() if kind is not GameOpened}
_OPTIONAL: Final[dict[_Kind, list[tuple[str, Any]]]] = {
    kind: [
        (field.name, None if field.default is msgspec.NODEFAULT else field.default)
        for field in msgspec.structs.fields(kind)
        if not field.required and field.name not in _SHARED
    ]
    for kind in EVENT_TYPES.values()
}
_CHOOSY: Final = frozenset(kind for kind, optional in _OPTIONAL.items() if optional) | {HandDealt}
"""The types that may have more keys than the required and the shared ones."""


def one_event_a_line(text: bytes, events: Sequence[AnyEvent]) -> bool:
    """Whether every line of a text, ended by a line feed, is exactly one of the events decoded from it.

    False also for lines that are in order but unusual: blank, with spaces at the end, or with `type` not first.
    """
    # `}` and then `{` can only stand between two values, and a raw line feed never inside a string. So each of these
    # is one of the len(events) - 1 borders; if all borders look so, the other line feeds are inside of events.
    return text.count(b'}\n{"type":') == len(events) - 1 and text.count(b"\n") == len(events)


def no_key_twice(text: bytes, events: Sequence[AnyEvent]) -> bool:
    """Whether the text provably has no object with a key twice; the events are those decoded from it, in any order.

    False also where a string or an uncommon way of writing makes it look so (`key_twice` tells for sure), and if there
    is a game_opened: only the first line may be one.
    """
    kinds = list(map(type, events))
    try:
        known = sum(map(_LATER_KEYS.__getitem__, kinds))
    except KeyError:
        return False
    try:
        place = kinds.index(HandDealt)
        while True:
            known += len(events[place].hands)  # type: ignore[union-attr]
            place = kinds.index(HandDealt, place + 1)
    except ValueError:
        pass
    if events and events[-1].at is None:
        # Every key has its colon; a time has more.
        found = text.count(b":")
    elif all(map(_AT, events)):
        known += len(events)
        found = _count_of_keys(text)
    else:
        return _no_key_twice_counted_closely(text, events)
    if found == known:
        return True
    if b"\\" not in text:
        known += _lines_with_target(text)
        if found == known:
            return True
    return _no_key_twice_counted_closely(text, events)


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
    lines, place = 0, text.find(b'"target":"')
    while place >= 0:
        lines += 1
        place = text.find(b"\n", place)
        if place >= 0:
            place = text.find(b'"target":"', place)
    return lines


def _no_key_twice_counted_closely(text: bytes, events: Sequence[AnyEvent]) -> bool:
    """As `no_key_twice`, but with all optional fields."""
    known = sum(map(KEYS.__getitem__, map(type, events)))
    known += 3 * len(events)
    for shared in (_AT, _SEQ, _NOTE):
        known -= list(map(shared, events)).count(None)
    known += sum(_keys_by_choice(event) for event in events if type(event) in _CHOOSY)
    known += sum(1 + _keys_within(ext) for ext in map(_EXT, events) if ext is not None)
    return known == _count_of_keys(text)


def _keys_by_choice(event: AnyEvent) -> int:
    """How many more keys an event must have had than its type asks for; the shared ones aside."""
    keys = sum(getattr(event, name) != default for name, default in _OPTIONAL[type(event)])
    if type(event) is HandDealt:
        keys += len(event.hands) + len(event.tokens or ())
    elif type(event) is GameOpened and isinstance(event.rules, dict):
        keys += _keys_within(event.rules)
    return keys


def _keys_within(value: Any) -> int:
    """How many keys a decoded value has, at any depth."""
    keys, todo = 0, [value]
    while todo:
        value = todo.pop()
        if type(value) is dict:
            keys += len(value)
            todo += value.values()
        elif type(value) is list:
            todo += value
    return keys


def key_twice(line: bytes) -> bool:
    """Whether an object in this line of JSON has a key twice, at any depth."""
    if _count_of_keys(line) == _keys_within(msgspec.json.decode(line)):
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


_NAMES: Final[dict[_Kind, Callable[[Any], str | None | tuple[str | None, ...]]]] = {
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
