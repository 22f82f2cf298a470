"""A log with its gaps filled: the cards of a deal that agrees, written into the lines where nobody logged them."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from domain import events as ev
from domain.cards import Card, SeenCard
from domain.trail import Trail
from projections.deduction.dealing import Dealer, Dealt
from projections.deduction.history import Enters, History, Leaves, Number
from projections.deduction.worlds import CannotFollow, followed, stretch_at

MOST_TRIES = 1000


class _Cards:
    """The cards of one line: those drawn, those that left a hand, and the new stock, top first."""

    def __init__(self) -> None:
        self.drawn: list[Card] = []
        self.left: list[Card] = []
        self.stock: list[Card] = []


def deals_in_full(
    events: Sequence[ev.AnyEvent], dealers: Sequence[Dealer], number: int, rng: Random
) -> Iterator[list[ev.AnyEvent]]:
    """So many logs with every gap filled, each hand by its dealer. Raises CannotFollow."""
    for _ in range(number):
        filled = dict(enumerate(events, 1))
        for dealer in dealers:
            fill(filled, dealer.history, _dealt(dealer, rng))
        yield list(filled.values())


def dealer_of(trails: Sequence[Trail], line: int, *, asked: bool = False) -> Dealer:
    """Who deals the hand anew that ended on a line; `asked`: knowing what was left open in it. Raises CannotFollow."""
    told, _ = followed(trails, asked=asked)
    history = stretch_at(told, line)
    if len(told) > 1:
        raise CannotFollow(f"after a fault before line {history.begins}, which card moved is open")
    return Dealer(history)


def _dealt(dealer: Dealer, rng: Random) -> Dealt:
    for _ in range(MOST_TRIES):
        dealt = dealer.deal(rng)
        if dealt is not None:
            return dealt
    raise CannotFollow(f"no deal that agrees was found for the hand that begins on line {dealer.history.begins}")


def fill(events: dict[int, Any], history: History, dealt: Dealt) -> None:
    """Write the cards of a deal into those of the events, by line, that are of its hand."""
    for line, cards in _by_line(history, dealt).items():
        if line in events:
            events[line] = _filled(events[line], cards)
    deal = events[history.begins]
    if isinstance(deal, ev.HandDealt):
        events[history.begins] = _filled_deal(deal, history, dealt)


def _by_line(history: History, dealt: Dealt) -> dict[int, _Cards]:
    lines: dict[int, _Cards] = {}
    for move in history.moves:
        if isinstance(move, Enters) and move.line != history.begins:
            lines.setdefault(move.line, _Cards()).drawn.append(dealt.cards[move.spot])
        elif isinstance(move, Leaves):
            lines.setdefault(move.line, _Cards()).left.append(dealt.cards[move.spot])
    for lot in history.lots[1:]:
        line = history.spots[lot.spots[0]].line
        lines.setdefault(line, _Cards()).stock = _top_first(dealt, lot.spots)
    return lines


def _top_first(dealt: Dealt, numbers: Sequence[Number]) -> list[Card]:
    return [dealt.cards[number] for number in reversed(numbers)]


def _filled(event: ev.Event, cards: _Cards) -> ev.Event:
    match event:
        case ev.CardPlayed(card=None) if cards.left:
            return msgspec.structs.replace(event, card=cards.left[0])
        case ev.CardDrawn(card=None) if cards.drawn:
            return msgspec.structs.replace(event, card=cards.drawn[-1])
        case ev.PileReshuffled() if cards.stock:
            return msgspec.structs.replace(event, stock=cards.stock)
        case ev.HandCorrected():
            return msgspec.structs.replace(event, drew=list(cards.drawn), returned=list(cards.left))
    return event


def _filled_deal(deal: ev.HandDealt, history: History, dealt: Dealt) -> ev.HandDealt:
    held: dict[str, list[Card]] = {player: [] for player in history.players}
    stock: list[SeenCard] = []
    for number in history.lots[0].spots:
        spot = history.spots[number]
        if spot.kind == "stock":
            stock.append(dealt.cards[number])
        elif spot.holder is not None and spot.card is None:
            held[spot.holder].append(dealt.cards[number])
    hands = {
        player: [card if card is not None else held[player].pop(0) for card in cards]
        for player, cards in deal.hands.items()
    }
    return msgspec.structs.replace(deal, hands=hands, stock=stock[::-1])
