"""The deal: which cards come to whom (`deal`, `dealer-rotation`)."""

from domain import events as ev
from domain.cards import Card, SeenCard
from domain.table import Table


def deck_of(table: Table) -> list[Card]:
    """The cards that are shuffled and dealt, in the order of the rules."""
    if table.one_deck:
        return list(table.deck)
    return [card for card, number in table.deck.items() for _ in range(number)]


def next_dealer(table: Table) -> str:
    """Who deals the next hand; the last seat deals the first (R9)."""
    return table.dealer_due() or next(reversed(table.circle), "nobody")


def dealt(table: Table, dealer: str, cards: list[Card]) -> ev.HandDealt:
    """One card at a time, from the dealer's left on, off the top."""
    names = list(table.circle)
    first = names.index(dealer) + 1 if dealer in table.circle else 0
    given = table.rules.hand_size * len(names)
    hands: dict[str, list[SeenCard]] = {
        name: [*cards[(seat - first) % len(names) : given : len(names)]] for seat, name in enumerate(names)
    }
    return ev.HandDealt(dealer=dealer, hands=hands, stock=[*cards[given:]])
