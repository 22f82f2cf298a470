"""What may be in which hand after a line: the cards that a seat must hold and can't hold, how many deals agree with
the log, and how likely each card is where (docs/worlds.md)."""

import math
from collections import Counter
from random import Random

import msgspec

from domain.cards import DECK, Card
from domain.table import Table
from projections.deduction.dealing import Dealer, Dealt
from projections.deduction.history import Enters, History, Leaves, histories

DEALS_LOOKED_AT = 2000
"""Deals by chance from which chances are estimated where they can't be counted."""


class Seat(msgspec.Struct, frozen=True):
    """What is known of one hand. `chances`: for each card that is in it in some deals but not in all, how likely that
    is, if every deal that agrees is as likely as any other; 0 to 1."""

    name: str
    must_hold: list[Card]
    cannot_hold: list[Card]
    chances: dict[Card, float]


class Worlds(msgspec.Struct, frozen=True):
    """The deals that agree with a log, seen from the table after one line.

    `deals`: how many there are, in digits, as it may be a long number; "0" if none agrees. `exact`: whether they were
    counted; else the number and the chances are estimates, and `how` says by what.
    """

    line: int
    hand: int
    deals: str
    exact: bool
    how: str
    seats: list[Seat]


class CannotFollow(Exception):
    """Where the cards are isn't told by the lines alone: the reason, as a sentence."""


def worlds_of(table: Table, line: int, hand: int) -> Worlds:
    """The worlds after a line, of the table at the end of its hand. Raises CannotFollow."""
    history = stretch_at(table, line)
    at = history.moves_upto(line)
    dealer = Dealer(history)
    return _counted(dealer, at, line, hand) if dealer.even else _estimated(dealer, at, line, hand)


def stretch_at(table: Table, line: int) -> History:
    """The history that a line of the hand stands in. Raises CannotFollow."""
    if table.trail is None:
        raise CannotFollow("no hand is being played there")
    ways = histories(table.trail)
    if ways is None or len(ways) > 1:
        raise CannotFollow("there are several ways that the cards may have gone")
    stretches = [history for history in ways[0] if history.begins <= line]
    if not stretches:
        raise CannotFollow("no hand had been dealt")
    history = stretches[-1]
    if history.lost_on is not None and history.lost_on <= line:
        raise CannotFollow(f"from line {history.lost_on} on, which cards lie in the stock isn't told")
    return history


# ---- counted ----


def _counted(dealer: Dealer, at: int, line: int, hand: int) -> Worlds:
    """With every played card known, all ways to deal are equally many, whichever is taken first."""
    history = dealer.history
    everything = _ways(history)
    if not everything:
        return Worlds(line, hand, "0", True, "no deal agrees with the log", [])
    named = _named(history)
    seats = []
    for player in history.players:
        odds: dict[Card | None, float] = {}
        must, cannot, chances = list[Card](), list[Card](), dict[Card, float]()
        for card in _deck(history):
            key = card if card in named else None  # of the others, each is as likely as the next
            if key not in odds:
                ways = _ways(history.if_held(at, player, card))
                odds[key] = 1.0 if ways == everything else ways / everything
            if odds[key] == 1:
                must.append(card)
            elif odds[key] == 0:
                cannot.append(card)
            else:
                chances[card] = odds[key]
        seats.append(Seat(player, must, cannot, chances))
    how = "counted: every played card is known, so all deals are alike"
    return Worlds(line, hand, str(everything), True, how, seats)


def _ways(history: History) -> int:
    dealt = Dealer(history).deal(Random(1))
    return 0 if dealt is None else dealt.ways


def _named(history: History) -> set[Card]:
    named = {spot.card for spot in history.spots if spot.card is not None}
    for move in history.moves:
        if not isinstance(move, Enters | Leaves):
            named.update(move.cards)
    return named


def _deck(history: History) -> list[Card]:
    return sorted(history.lots[0].cards or {}, key=DECK.index)


# ---- estimated ----


def _estimated(dealer: Dealer, at: int, line: int, hand: int) -> Worlds:
    """Deals by chance, each weighed by how unlikely it was; what none of them shows is put to the solver."""
    from projections.deduction.deals import Deals

    history = dealer.history
    deals = Deals(history, look_at=at)
    if not deals.exist():
        return Worlds(line, hand, "0", True, "no deal agrees with the log", [])
    rng = Random(1)
    held: dict[str, Counter[Card]] = {player: Counter() for player in history.players}
    total, found = 0, 0
    for _ in range(DEALS_LOOKED_AT):
        dealt = dealer.deal(rng)
        if dealt is not None:
            found, total = found + 1, total + dealt.ways
            for player, cards in hands_at(history, dealt, at).items():
                for card in set(cards):
                    held[player][card] += dealt.ways
    seats = []
    for player in history.players:
        must, cannot, chances = list[Card](), list[Card](), dict[Card, float]()
        for card in _deck(history):
            weight = held[player][card]
            if not weight and not deals.exist(deals.looked_at(player, card).between(1)):
                cannot.append(card)
            elif weight == total and not deals.exist(deals.at_least_one_less(player, card)):
                must.append(card)
            else:
                chances[card] = weight / total if total else math.nan
        seats.append(Seat(player, must, cannot, chances))
    how = f"estimated from {found} deals by chance: not every played card is known"
    if not dealer.one_of_each:
        how = f"estimated from {found} deals by chance: there are several of each card, which are told apart"
    return Worlds(line, hand, str(total // DEALS_LOOKED_AT), False, how, seats)


def hands_at(history: History, dealt: Dealt, at: int) -> dict[str, list[Card]]:
    """What everybody holds in a deal after so many moves."""
    hands: dict[str, list[Card]] = {player: [] for player in history.players}
    for move in history.moves[:at]:
        if isinstance(move, Enters):
            hands[move.player].append(dealt.cards[move.spot])
        elif isinstance(move, Leaves):
            hands[move.player].remove(dealt.cards[move.spot])
    return hands


def hand_known(table: Table, line: int) -> Worlds:
    """The one world of a table at which every card is known. Raises CannotFollow."""
    if not table.hands:
        raise CannotFollow("no hand is being played there")
    seats = []
    for player in table.hands:
        held = [card for card in table.cards_of(player) if card is not None]
        others = [card for card in table.deck if card not in held]
        seats.append(Seat(player, held, others, {}))
    return Worlds(line, table.hand, "1", True, "every card is known", seats)
