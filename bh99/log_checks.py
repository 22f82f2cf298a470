"""What decoding alone lets through: a key twice in an object, and names that aren't fit to show.

The checks count bytes, because that costs a fraction of decoding. They are quick to doubt, and never call a faulty text
clean.
"""

import io
from collections.abc import Callable, Iterable
from itertools import compress
from operator import attrgetter, ne
from typing import Any, Final, TypeAlias

import msgspec

from domain.events import (
    EVENT_TYPES,
    FORMAT,
    AnyEvent,
    CardPlayed,
    Event,
    GameOpened,
    HandDealt,
    HitDonated,
    HitSlid,
    HitStolen,
)
from domain.names import fault_of_name
from domain.reading_rules import UnknownRules
from domain.shipped_rules import rules_of

_Kind: TypeAlias = type[Event]
_decode_anything: Final = msgspec.json.Decoder().decode


def opens_well(event: GameOpened, any_rules: bool = False) -> bool:
    """Whether a first event is one that we can read on from: its format, its rules, each name once."""
    try:
        if not any_rules:
            rules_of(event.rules)
    except UnknownRules:
        return False
    return event.format == FORMAT and len(set(event.players)) == len(event.players)


def no_key_twice(text: bytes, written: bytes) -> bool:
    """Whether a text, one event a line, has no object with a key twice. `written` is the same events, written again.

    An object has a comma less than keys, a list one less than values, and texts have their own. What was written again
    has each key once, and nothing that the text hasn't; so each key that stood twice was a comma more.
    """
    if _as_many_commas(text, written):
        return True
    # Perhaps a default was written down somewhere: only lines with more commas than needed are looked at closely.
    lines = zip(io.BytesIO(text), io.BytesIO(written), strict=True)
    return not any(not _as_many_commas(line, anew) and key_twice(line) for line, anew in lines)


def lines_written_otherwise(text: bytes, written: bytes) -> list[bytes] | None:
    """The lines of a text that differ from the same line of another; None if one has more lines."""
    lines, again = text.split(b"\n"), written.split(b"\n")
    return list(compress(lines, map(ne, lines, again))) if len(lines) == len(again) else None


def _as_many_commas(text: bytes, written: bytes) -> bool:
    escaped_comma = b"\\" in text and b"\\u002" in text
    return not escaped_comma and text.count(b",") == written.count(b",")


def _count_of_keys(text: bytes) -> int:
    """At least the number of keys: where a blank may part a key from its colon, the number of colons."""
    for blank in (b" ", b"\t", b"\r"):
        # Looking for one byte first costs next to nothing.
        if blank in text and blank + b":" in text:
            return text.count(b":")
    return text.count(b'":')


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


def names_need_a_look(written: bytes | None) -> bool:
    """Whether a name in events that msgspec wrote could hold a character that isn't fit to show, or an outer space.

    JSON forbids raw control characters; they come as escapes. Between values msgspec writes no spaces.
    """
    if written is None or not written.isascii() or b"\\" in written or b"\x7f" in written:
        return True
    return b" " in written and (b'" ' in written or b' "' in written)


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
