"""What may be in which hand after a line: the cards that a seat must hold and can't hold, how many deals agree with
the log, and how likely each card is where (docs/worlds.md)."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Final

import msgspec

from domain.cards import DECK, Card
from domain.trail import Trail
from projections.deduction.dealing import Dealer, Dealt, Ending
from projections.deduction.history import Back, BeforeUndone, Enters, History, Leaves, TooLarge, copied, moved_on

MOST_ENDINGS: Final = 3000
"""Ways through a hand that are counted one by one; most hands have but few."""
DEALS_LOOKED_AT: Final = 2000
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


def worlds_of(trails: Sequence[Trail], line: int, hand: int) -> Worlds:
    """The worlds after a line, by the trails of its hand up to its end. Raises CannotFollow."""
    told, alike = followed(trails)
    history = stretch_at(told, line)
    at = history.moves_upto(line)
    try:
        worlds = _worlds(Dealer(history), at, line, hand)
    except TooLarge:
        raise CannotFollow("too much is unknown") from None
    if len(told) > 1:
        how = f"{worlds.how}, by the lines around it alone: after a fault, which card moved is open"
    elif not alike:
        how = f"{worlds.how}, as the log reads best; it may be read in other ways"
    else:
        return worlds
    return msgspec.structs.replace(worlds, how=how)


def _worlds(dealer: Dealer, at: int, line: int, hand: int) -> Worlds:
    if dealer.even:
        return _counted_alike(dealer.history, at, line, hand)
    endings = dealer.endings(at, MOST_ENDINGS) if dealer.one_of_each else None
    return _estimated(dealer, at, line, hand) if endings is None else _counted(dealer, endings, line, hand)


def followed(trails: Sequence[Trail], *, asked: bool = False) -> tuple[list[History], bool]:
    """The stretches of a hand, and whether all trails tell the same of them; `asked`: with the checks on the way.

    Raises CannotFollow.
    """
    if not trails:
        raise CannotFollow("no hand is being played there")
    return moved_on(trails, asked=asked)


def stretch_at(told: Sequence[History], line: int) -> History:
    """The stretch that a line of a hand stands in. Raises CannotFollow."""
    stretches = [history for history in told if history.begins <= line]
    if not stretches:
        raise CannotFollow("no hand had been dealt")
    history = stretches[-1]
    if history.lost_on is not None and history.lost_on <= line:
        raise CannotFollow(f"from line {history.lost_on} on, which cards lie in the stock isn't told")
    return history


# ---- counted ----


def _counted_alike(history: History, at: int, line: int, hand: int) -> Worlds:
    """With every played card known, there are as many deals whichever way is taken first; and so there are if a player
    is seen to hold a card besides."""
    everything = _deals(history)
    if not everything:
        return Worlds(line, hand, "0", True, "counted", [])
    named = history.named()
    seats = []
    for player in history.players:
        shares: dict[Card | None, Fraction] = {}
        chances: dict[Card, Fraction] = {}
        for card in _deck(history):
            alike = card if card in named else None  # of the others, each is as likely as the next
            if alike not in shares:
                shares[alike] = Fraction(_deals(history.if_held(at, player, card)), everything)
            chances[card] = shares[alike]
        seats.append(_seat(player, chances))
    return Worlds(line, hand, str(everything), True, "counted", seats)


def _deals(history: History) -> int:
    dealt = Dealer(history).deal(Random(1))
    return 0 if dealt is None else dealt.ways


def _seat(player: str, chances: dict[Card, Fraction]) -> Seat:
    return Seat(
        player,
        [card for card, chance in chances.items() if chance == 1],
        [card for card, chance in chances.items() if chance == 0],
        {card: float(chance) for card, chance in chances.items() if 0 < chance < 1},
    )


def _counted(dealer: Dealer, endings: list[Ending], line: int, hand: int) -> Worlds:
    """Each way through the game with all deals that it stands for."""
    history = dealer.history
    everything = sum(ending.orders for ending in endings)
    if not everything:
        return Worlds(line, hand, "0", True, "counted", [])
    seats = []
    for player in history.players:
        shares = {card: Fraction(0) for card in _deck(history)}
        for ending in endings:
            for number in ending.held[player]:
                card = ending.cards[number]
                if card is not None:
                    shares[card] += ending.orders
                    continue
                left = ending.left[number]
                for other in left:
                    shares[other] += Fraction(ending.orders, left.total())
        seats.append(_seat(player, {card: share / everything for card, share in shares.items()}))
    return Worlds(line, hand, str(everything), True, "counted", seats)


def _deck(history: History) -> list[Card]:
    return sorted(history.lots[0].cards or {}, key=DECK.index)


# ---- estimated ----


def _estimated(dealer: Dealer, at: int, line: int, hand: int) -> Worlds:
    """Deals by chance, each weighed by how unlikely it was; what none of them shows is put to the solver."""
    from projections.deduction.deals import Deals

    history = dealer.history
    deals = Deals(history, look_at=at)
    if not deals.exist():
        return Worlds(line, hand, "0", True, "counted", [])
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
    if not total:
        raise CannotFollow("none of many deals by chance agreed, though some do")
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
                chances[card] = weight / total
        seats.append(Seat(player, must, cannot, chances))
    how = f"estimated from {found} deals by chance: too many cards were played unseen"
    if not dealer.one_of_each:
        how = f"estimated from {found} deals by chance: there are several of each card, which are told apart"
    return Worlds(line, hand, str(max(1, round(Fraction(total, DEALS_LOOKED_AT)))), False, how, seats)


def hands_at(history: History, dealt: Dealt, at: int) -> dict[str, list[Card]]:
    """What everybody holds in a deal after so many moves."""
    hands: dict[str, list[Card]] = {player: [] for player in history.players}
    before: dict[int, dict[str, list[Card]]] = {}
    for move in history.moves[:at]:
        match move:
            case Enters(player=player, spot=number):
                hands[player].append(dealt.cards[number])
            case Leaves(player=player, spot=number):
                hands[player].remove(dealt.cards[number])
            case BeforeUndone(line=line):
                before[line] = copied(hands)
            case Back(about=line):
                hands = copied(before[line])
    return hands
