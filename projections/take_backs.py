"""Which lines stand (R14): a take-back undoes everything from the line it names, and stays in the log itself.

The take-backs of a log are known before it is folded, so the fold just passes over the lines that are undone.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from copy import copy
from typing import Literal, NamedTuple

from domain import events as ev
from domain.card_places import less
from domain.cards import Card
from domain.moves import apply
from domain.table import Table
from domain.trail import Held, StockHeld


class _Range(NamedTuple):
    """Undone lines: from `first` up to the take-back on line `by`; `before` is the last range before them."""

    first: int
    by: int
    before: "_Range | None"


class Undone:
    """The lines of a log that were taken back, as ranges with the take-back that undid them.

    Who takes back a take-back has what it had undone again, and what was undone before that stays undone.
    """

    def __init__(self, take_backs: Iterable[tuple[int, ev.TakenBack]]) -> None:
        self.known: dict[int, ev.TakenBack] = {}
        """All take-backs, by line."""
        self.invalid: set[int] = set()
        """Take-backs that name the first line, a later line, or one that doesn't stand."""
        self._firsts: list[int] = []
        self._by: list[int] = []
        """The first line of each range and the line of its take-back, in order; ranges never overlap."""
        self._last_after: list[tuple[int, _Range]] = []
        """For each line of a valid take-back, the last range after it."""
        for line, event in take_backs:
            self.add(line, event)

    def add(self, line: int, event: ev.TakenBack) -> None:
        """Learn of one more take-back, behind all those that are known."""
        self.known[line] = event
        if not 1 < event.about < line or self.by(event.about) is not None:
            self.invalid.add(line)
            return
        while self._by and self._by[-1] >= event.about:
            self._firsts.pop()
            self._by.pop()
        at = bisect_left(self._last_after, event.about, key=_line)
        before = self._last_after[at - 1][1] if at else None
        back_in_force, undone = [], before
        while undone is not None and (not self._by or undone.by > self._by[-1]):
            back_in_force.append(undone)
            undone = undone.before
        new = _Range(event.about, line, before)
        self._last_after.append((line, new))
        for each in (*reversed(back_in_force), new):
            self._firsts.append(each.first)
            self._by.append(each.by)

    def __bool__(self) -> bool:
        return bool(self._by)

    def by(self, line: int) -> int | None:
        """The line of the take-back that undid a line, or None if the line stands."""
        at = bisect_right(self._firsts, line) - 1
        return self._by[at] if at >= 0 and line < self._by[at] else None

    def next_from(self, line: int) -> int | None:
        """The first undone line from a line on, or None if all of them stand."""
        if self.by(line) is not None:
            return line
        at = bisect_right(self._firsts, line)
        return self._firsts[at] if at < len(self._firsts) else None


def _line(pair: tuple[int, _Range]) -> int:
    return pair[0]


class Memory:
    """What stays known of a stretch of undone lines: the cards seen there, and what leisure hits and loads did."""

    def __init__(self, why: Literal["player", "scribe"]) -> None:
        self._seen = why == "player"
        """What the scribe only wrote by mistake, nobody saw."""
        self._drawn: set[str] = set()
        """Who drew in the stretch: what they play later may have been drawn in it, and gone back with it."""
        self._draws = 0
        self._order_known = True
        self._same_hand = True
        """Whether the stretch has not come to another deal, whose cards say nothing of this one."""

    def copy(self) -> "Memory":
        """An independent memory of the same."""
        twin = copy(self)
        twin._drawn = self._drawn.copy()
        return twin

    def recall(self, table: Table, event: ev.Event) -> list[Card]:
        """Do to a table what an undone event does all the same; the cards it showed to be in its player's hand."""
        if isinstance(event, ev.LeisureHit | ev.BongLoaded):
            apply(table, event)
        if not self._same_hand or not self._seen:
            return []
        match event:
            case ev.CardDrawn(card=card) if card is not None and self._order_known and not table.vague:
                at = len(table.stock) - 1 - self._draws
                if at >= 0 and table.stock[at] is None and card in table.unplaced:
                    table.stock[at] = card
                    table.note(StockHeld(table.line, at, card))
                    less(table.unplaced, card)
            case ev.CardPlayed(player=player, card=card) if card is not None and player not in self._drawn:
                table.note(Held(table.line, player, [card]))
                table.reveal(player, card)
                if "card_drawn" in table.omits:
                    self._drawn.add(player)
                return [card]
            case ev.CardsShown(player=player, cards=cards) if player not in self._drawn:
                table.note(Held(table.line, player, cards))
                for card in cards:
                    table.reveal(player, card)
                return cards
        return []

    def move_on(self, event: ev.Event) -> None:
        """Note what an undone event would have moved, before the next one is recalled."""
        match event:
            case ev.CardDrawn(player=player):
                self._drawn.add(player)
                self._draws += 1
            case ev.HandCorrected(player=player):
                self._drawn.add(player)
                self._order_known = False
            case ev.PileReshuffled():
                self._order_known = False
            case ev.HandDealt() | ev.HandVoided():
                self._same_hand = False
