"""One simulated game."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from bh99.bots import BOTS
from bh99.simulating.plan import Plan
from domain import events as ev
from domain.deciding import SelfPlay
from domain.shuffling import Bits
from domain.table import Table
from projections.outcomes import Measure, outcome


class Hand(NamedTuple):
    """A hand that was played: its lines, who was dealt in, and what it came to; nobody was, if it was voided."""

    events: list[ev.AnyEvent]
    dealt_in: list[str]
    outcome: Mapping[Measure, frozenset[str]]


class Played(NamedTuple):
    """A game that was played."""

    events: list[ev.AnyEvent]
    hands: list[Hand]


def played_game(plan: Plan, number: int) -> Played:
    """The game of that number, whole. The deal begins one seat further with each game."""
    opened = plan.opening(number)
    table, bits = Table(opened), plan.chance(number)
    bots = {player: BOTS[bot] for player, bot in zip(plan.players, plan.bots, strict=True)}
    play = SelfPlay(table, bots, bits)
    hands = list(hands_of(play, plan.hands, first_dealer=plan.players[number % len(plan.players)]))
    events: list[ev.AnyEvent] = [opened]
    for hand in hands:
        events += hand.events
    events.append(ev.GameClosed())
    return Played(events, hands)


def hands_of(
    play: SelfPlay, most: int, first_dealer: str | None = None, deals: Callable[[int], Bits] | None = None
) -> Iterator[Hand]:
    """Hand after hand, up to so many, or until the match is won. `deals`: the chance that each is dealt with."""
    table = play.table
    for number in range(1, most + 1):
        deal = play.deal(first_dealer if number == 1 else None, deals and deals(number))
        events = [deal, *play.play_hand()]
        yield Hand(events, [] if table.voided else list(deal.hands), outcome(table, events))
        if table.awaiting == "over":
            return
