"""Two accounts of the same game: where they part, and what they say together.

Lines that say the same are one line, also if one of them leaves open what the other tells. What only one of them writes
down, as the other leaves such lines out, parts nobody.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from domain import events as ev

APART: Final = ("at", "seq", "note", "ext")
"""Fields that say nothing of the game."""
_ANYWHERE: Final = (ev.LeisureHit, ev.BongLoaded, ev.CardsShown, ev.RulingMade)
"""Lines that one of two scribes may leave out without being asked."""


class Parting(NamedTuple):
    """The first lines of two accounts that can't both be right, and the field in which they differ."""

    line: int
    other: int
    field: str


class Together(NamedTuple):
    """Two accounts laid over each other: what both say together, up to where they part."""

    events: list[ev.AnyEvent]
    lines: list[tuple[int | None, int | None]]
    """For each of these events, its line in the one account and in the other."""
    parting: Parting | None
    told_by_one: list[int]
    told_by_other: list[int]
    """Lines that tell a card or a Count that the other account leaves open, in each account."""


def laid_together(one: Sequence[ev.AnyEvent], other: Sequence[ev.AnyEvent]) -> Together:
    """Both accounts as one, as far as they agree."""
    together = Together([], [], None, [], [])
    omits = [_omits(one), _omits(other)]
    at = [0, 0]
    moved: tuple[dict[int, int], dict[int, int]] = ({}, {})
    while at[0] < len(one) and at[1] < len(other):
        first, second = (_about(moved[which], (one, other)[which][at[which]]) for which in (0, 1))
        for which in (0, 1):
            moved[which][at[which] + 1] = len(together.events) + 1
        both = merged(first, second)
        if isinstance(both, ev.Event):
            together.lines.append((at[0] + 1, at[1] + 1))
            together.events.append(both)
            _note_news(together, first, second, at)
            at[0], at[1] = at[0] + 1, at[1] + 1
        elif _left_out(first, omits[1]):
            together.lines.append((at[0] + 1, None))
            together.events.append(first)
            at[0] += 1
        elif _left_out(second, omits[0]):
            together.lines.append((None, at[1] + 1))
            together.events.append(second)
            at[1] += 1
        else:
            return together._replace(parting=Parting(at[0] + 1, at[1] + 1, both))
    for which, rest in enumerate((one[at[0] :], other[at[1] :])):
        for line, event in enumerate(rest, at[which] + 1):
            moved[which][line] = len(together.events) + 1
            together.events.append(_about(moved[which], event))
    together.lines.extend((line, None) for line in range(at[0] + 1, len(one) + 1))
    together.lines.extend((None, line) for line in range(at[1] + 1, len(other) + 1))
    return together


def _about(moved: dict[int, int], event: ev.AnyEvent) -> ev.AnyEvent:
    """An event whose `about` names the line where that one stands in both accounts laid together."""
    if isinstance(event, ev.TakenBack | ev.RulingMade):
        return msgspec.structs.replace(event, about=moved.get(event.about, event.about))
    return event


def _omits(events: Sequence[ev.AnyEvent]) -> frozenset[str]:
    opened = events[0]
    return frozenset(opened.omits) if isinstance(opened, ev.GameOpened) else frozenset()


def _left_out(event: ev.AnyEvent, omits: frozenset[str]) -> bool:
    return isinstance(event, _ANYWHERE) or ev.type_of(event) in omits


def _note_news(together: Together, one: ev.AnyEvent, other: ev.AnyEvent, at: list[int]) -> None:
    if isinstance(one, ev.GameOpened):
        return
    if merged(one, other) != _bare(other):
        together.told_by_one.append(at[0] + 1)
    if merged(one, other) != _bare(one):
        together.told_by_other.append(at[1] + 1)


def _bare(event: ev.AnyEvent) -> ev.AnyEvent:
    return msgspec.structs.replace(event, at=None, seq=None, note=None, ext=None)


def merged(one: ev.AnyEvent, other: ev.AnyEvent) -> ev.AnyEvent | str:
    """What two lines say together; or the field in which they can't both be right, "type" if it is another event."""
    if type(one) is not type(other):
        return "type"
    fields: dict[str, Any] = {}
    for field in one.__struct_fields__:
        if field in APART:
            continue
        if isinstance(one, ev.GameOpened) and field in ("game", "source", "omits"):
            fields[field] = _of_both_openings(field, getattr(one, field), getattr(other, field))
            continue
        both = _both(field, getattr(one, field), getattr(other, field))
        if both is _CONTRARY:
            return field
        fields[field] = both
    return type(one)(**fields)


def _of_both_openings(field: str, one: Any, other: Any) -> Any:
    """Together they leave out what both leave out; they are a third account, with no id of its own."""
    return sorted(set(one) & set(other)) if field == "omits" else "table" if field == "source" else None


_CONTRARY: Final = object()


def _both(field: str, one: Any, other: Any) -> Any:
    """A value that both may mean; None is what nobody noted."""
    if one == other or other is None:
        return one
    if one is None:
        return other
    if field in ("stock", "drew", "returned"):
        return _lists(one, other)
    if field == "hands":
        if one.keys() != other.keys():
            return _CONTRARY
        hands = {player: _hand(cards, other[player]) for player, cards in one.items()}
        return _CONTRARY if any(hand is _CONTRARY for hand in hands.values()) else hands
    return _CONTRARY


def _lists(one: list[Any], other: list[Any]) -> Any:
    """Cards in order."""
    if len(one) != len(other):
        return _CONTRARY
    both = [_both("card", first, second) for first, second in zip(one, other, strict=True)]
    return _CONTRARY if _CONTRARY in both else both


def _hand(one: list[Any], other: list[Any]) -> Any:
    """Cards of a hand, in any order: those that the one knows, and those that only the other knows."""
    known = [card for card in one if card is not None]
    left = known.copy()
    for card in other:
        if card is not None and card in left:
            left.remove(card)
        elif card is not None:
            known.append(card)
    if len(one) != len(other) or len(known) > len(one):
        return _CONTRARY
    return [*known, *[None] * (len(one) - len(known))]
