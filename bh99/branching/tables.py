"""Tables at which each card is known, as they may have been before a line: each stands for one deal that agrees."""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from bh99.errors import NoWorlds
from domain import events as ev
from domain.card_places import more
from domain.cards import Card, SeenCard
from domain.deciding import SelfPlay
from domain.table import Table
from domain.trail import Trail
from projections.audit import Audit, audit_of
from projections.deduction.dealing import Dealer
from projections.deduction.filling import dealer_of, fill
from projections.deduction.worlds import CannotFollow
from projections.take_backs import undone_in

TRIES: Final = 40
"""Deals by chance, for each that is wanted, that may come to nothing before that is what it comes to."""


class NotKnown(Exception):
    """A game can't be played on from a table: the reason, as a sentence."""


class Sample(NamedTuple):
    """A moment of the game in one of the deals that agree.

    hand: the lines of the hand so far that stand. weight: how many deals it stands for, against the others.
    """

    audit: Audit
    hand: list[ev.AnyEvent]
    weight: float

    @property
    def table(self) -> Table:
        return self.audit.table


class Tables:
    """Deals the moment after some lines anew, as often as wanted.

    believed: whether nothing that these lines leave open is wrong in them: who went out could not play, and so on.
    """

    def __init__(
        self, name: str, events: Sequence[ev.AnyEvent], rng: Random, held: Sequence[tuple[str, Card]] = ()
    ) -> None:
        """`held`: cards that players hold then, besides. Raises NoWorlds where the cards can't be told, or no deal
        agrees."""
        self._name = name
        self._events = events
        self._rng = rng
        self._undone = undone_in(events)
        self._whole = audit_of(events, self._undone, trails=True)
        trails = self._trails(held) if self._whole.table.hands else []
        self._dealer: Dealer | None = None
        self._first_ways = 0
        hand_begins = self._whole.table.dealt_on if self._whole.table.hand else len(events) + 1
        if trails and _hides(self._whole.table):
            self._dealer = self._dealer_of(trails)
            hand_begins = self._dealer.history.begins
        self._before = audit_of(events[: hand_begins - 1], self._undone)
        self._hand = {line: events[line - 1] for line in range(hand_begins, len(events) + 1)}
        self._found = _found_in(self._whole)
        self.believed = self._dealer is None or any(self._dealt(right=True) for _ in range(TRIES))

    @property
    def table(self) -> Table:
        """The table then, as far as the lines tell it."""
        return self._whole.table

    @property
    def only_one(self) -> bool:
        """Whether every card is known, so that there is but one deal."""
        return self._dealer is None

    def _trails(self, held: Sequence[tuple[str, Card]]) -> list[Trail]:
        looked_at = self._whole.copy()
        for player, card in held:
            if looked_at.table.may_hold(player, card):
                looked_at.follow([ev.CardsShown(player=player, cards=[card])])
        return looked_at.trails()

    def _dealer_of(self, trails: list[Trail]) -> Dealer:
        line = len(self._events)
        try:
            dealer = dealer_of(trails, line + 1, asked=True)
        except CannotFollow as reason:
            raise NoWorlds(self._name, line, str(reason)) from None
        if all(dealer.deal(self._rng) is None for _ in range(TRIES)):
            raise NoWorlds(self._name, line, "no deal that agrees was found")
        return dealer

    def _dealt(self, right: bool) -> Sample | None:
        """One more deal; None if it came to nothing."""
        assert self._dealer is not None, "only where cards are unknown"
        dealt = self._dealer.deal(self._rng, right=right)
        if dealt is None or (right and dealt.wrong):
            return None
        self._first_ways = self._first_ways or dealt.ways
        filled = self._hand.copy()
        fill(filled, self._dealer.history, dealt)
        audit = self._before.copy()
        audit.follow(list(filled.values()))
        if right and not _found_in(audit) <= self._found:
            return None  # what was played unseen decides more than single checks tell
        return Sample(audit, self._standing(filled), dealt.ways / self._first_ways)

    def _standing(self, hand: dict[int, ev.AnyEvent]) -> list[ev.AnyEvent]:
        """Those of the hand's lines that nobody took back."""
        return [event for line, event in hand.items() if self._undone.by(line) is None]

    def draw(self) -> Sample | None:
        """One more moment, at a table of its own; None if it came to nothing, which says nothing of others."""
        if self._dealer is None:
            return Sample(self._whole.copy(), self._standing(self._hand), 1.0)
        return self._dealt(self.believed)


def _found_in(audit: Audit) -> set[tuple[int, str]]:
    """The lines on which something was found, each with its rule."""
    return {(finding.line, finding.rule) for finding in audit.findings}


def _hides(table: Table) -> bool:
    return table.any_unseen or None in table.stock or None in table.pile or None in table.aside


def lay_open(table: Table, rng: Random) -> None:
    """Put cards that nobody can place where one is still unseen, by chance: after a fault, which card moved is open."""
    table.trail = None
    if not _hides(table):
        return
    cards = [card for card, number in table.unplaced.items() for _ in range(number)]
    rng.shuffle(cards)
    for player, number in table.unseen.items():
        for _ in range(min(number, len(cards))):
            more(table.hands[player], cards.pop())
        table.unseen[player] = 0
    for pile in (table.stock, table.pile, table.aside):
        _fill_pile(pile, cards)
    table.unplaced = {}


def played_out(play: SelfPlay) -> list[ev.AnyEvent]:
    """What follows until the hand is over. Raises NotKnown where it turns on something that nobody noted."""
    events = play.play_hand()
    if play.table.being_played:
        what = "what the Count is" if play.table.count is None else "who was chosen to act"
        raise NotKnown(f"nobody noted {what} there, and so it can't be played on")
    return events


def _fill_pile(pile: list[SeenCard], cards: list[Card]) -> None:
    pile[:] = [card if card is not None else cards.pop() for card in pile if card is not None or cards]
