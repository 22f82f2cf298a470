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
from domain.moves.turns import staying
from domain.table import Table
from domain.trail import Drew, Held, MovedBack, Played, Returned, Shuffled, Undoing


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


def undone_in(events: Iterable[ev.Event]) -> Undone:
    """Which of some lines stand, by all of them."""
    return Undone((line, event) for line, event in enumerate(events, 1) if isinstance(event, ev.TakenBack))


class Memory:
    """What stays known of a stretch of undone lines: the cards seen there, and what leisure hits and loads did."""

    def __init__(self, why: Literal["player", "scribe"], first: int) -> None:
        self._seen = why == "player"
        """What the scribe only wrote by mistake, nobody saw."""
        self._first = first
        self._noted = False
        self._drawn: frozenset[str] = frozenset()
        """Who drew in the stretch: what they play later may have been drawn in it, and gone back with it."""
        self._draws = 0
        self._order_known = True
        self._before: dict[int, tuple[frozenset[str], int, bool]] = {}
        """What was known of the draws before each line of the stretch: it may be taken back in the stretch itself."""

    def copy(self) -> "Memory":
        """An independent memory of the same."""
        twin = copy(self)
        twin._before = self._before.copy()
        return twin

    def recall(self, table: Table, event: ev.Event) -> list[Card]:
        """Do to a table what an undone event does all the same; the cards it showed to be in its player's hand."""
        if isinstance(event, ev.LeisureHit | ev.BongLoaded):
            apply(table, event)
        if not self._seen:
            return []
        if table.trail is not None and _all_moves_are_written(table):
            self._note(table, event)
        match event:
            case ev.CardDrawn(card=card) if card is not None and self._order_known and not table.vague:
                at = len(table.stock) - 1 - self._draws
                if at >= 0 and table.stock[at] is None and card in table.unplaced:
                    table.stock[at] = card
                    less(table.unplaced, card)
            case ev.CardPlayed(player=player, card=card) if card is not None and player not in self._drawn:
                self._note_held(table, player, [card])
                table.reveal(player, card)
                if "card_drawn" in table.omits:
                    self._drawn |= {player}
                return [card]
            case ev.CardsShown(player=player, cards=cards) if player not in self._drawn:
                self._note_held(table, player, cards)
                for card in cards:
                    table.reveal(player, card)
                return cards
        return []

    def _note(self, table: Table, event: ev.Event) -> None:
        """Note what an undone event moved, for what the cards of the hand prove together."""
        line = table.line
        self._noted |= line == self._first
        table.note(Undoing(line))
        match event:
            case ev.CardPlayed(player=player, card=card) if card is not None and player in table.hands:
                table.note(Played(line, player, card))
            case ev.CardDrawn(player=player, card=card) if player in table.hands:
                table.note(Drew(line, player, card))
            case ev.CardsShown(player=player, cards=cards) if player in table.hands:
                table.note(Held(line, player, cards))
            case ev.HandCorrected(player=player, drew=drew, returned=returned) if player in table.hands:
                for card in drew:
                    table.note(Drew(line, player, card))
                for card in returned:
                    table.note(Returned(line, player, card))
            case ev.PileReshuffled(stock=stock):
                table.note(Shuffled(line, stock, staying(table)))
            case ev.TakenBack(about=about) if about in self._before:
                table.note(MovedBack(line, about))

    def _note_held(self, table: Table, player: str, cards: list[Card]) -> None:
        if not _all_moves_are_written(table):
            table.note(Held(table.line, player, cards))

    def move_on(self, event: ev.Event, line: int) -> None:
        """Note what an undone event would have moved, before the next one is recalled."""
        self._before[line] = self._drawn, self._draws, self._order_known
        match event:
            case ev.CardDrawn(player=player):
                self._drawn |= {player}
                self._draws += 1
            case ev.HandCorrected(player=player):
                self._drawn |= {player}
                self._order_known = False
            case ev.PileReshuffled():
                self._order_known = False
            case ev.TakenBack(about=about) if about in self._before:
                self._drawn, self._draws, self._order_known = self._before[about]
            case ev.HandDealt() | ev.HandVoided() | ev.TakenBack():
                self._seen = False  # what follows says nothing of the cards that lie on the table

    def end(self, table: Table) -> None:
        """The stretch is over: the cards lie again as they did before it."""
        if self._noted:
            table.note(MovedBack(table.line, self._first))


def _all_moves_are_written(table: Table) -> bool:
    return table.omits.isdisjoint(("card_drawn", "pile_reshuffled"))
