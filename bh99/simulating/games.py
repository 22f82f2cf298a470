"""One simulated game."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from bh99.bots import BOTS
from bh99.simulating.plan import Plan
from domain import events as ev
from domain.deciding import SelfPlay
from domain.shuffling import Bits
from domain.table import Table
from projections.outcomes import Measure, outcome

MOST_VOIDED: Final = 3
"""Hands in turn that are voided, as they found no end, after which a match is left as it is (R7)."""


class Hand(NamedTuple):
    """A hand that was played: its lines, who was dealt in, and what it came to; nobody was, if it was voided."""

    events: list[ev.AnyEvent]
    dealt_in: list[str]
    outcome: Mapping[Measure, frozenset[str]]


class Played(NamedTuple):
    """A game that was played."""

    events: list[ev.AnyEvent]
    hands: list[Hand]


def hands_played(plan: Plan, number: int, deals: Callable[[int], Bits] | None = None) -> Iterator[Hand]:
    """The hands of the game of that number. The deal begins one seat further with each game."""
    bots = {player: BOTS[bot] for player, bot in zip(plan.players, plan.bots, strict=True)}
    play = SelfPlay(Table(plan.opening(number)), bots, plan.chance(number))
    return hands_of(play, plan.hands, plan.players[number % len(plan.players)], deals)


def played_game(plan: Plan, number: int) -> Played:
    """The game of that number, whole."""
    hands = list(hands_played(plan, number))
    events: list[ev.AnyEvent] = [plan.opening(number)]
    for hand in hands:
        events += hand.events
    events.append(ev.GameClosed())
    return Played(events, hands)


def hands_of(
    play: SelfPlay, most: int, first_dealer: str | None = None, deals: Callable[[int], Bits] | None = None
) -> Iterator[Hand]:
    """Hand after hand, up to so many, or until the match is won, or can't be: so many hands in turn found no end.

    deals: the chance that each is dealt with.
    """
    table, voided = play.table, 0
    for number in range(1, most + 1):
        deal = play.deal(first_dealer if number == 1 else None, deals and deals(number))
        events = [deal, *play.play_hand()]
        yield Hand(events, [] if table.voided else list(deal.hands), outcome(table, events))
        voided = voided + 1 if table.voided else 0
        if table.awaiting == "over" or (table.rules.tokens and voided == MOST_VOIDED):
            return
