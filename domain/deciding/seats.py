"""The table as one seat sees it: where cards are hidden from it, the table has cards that nobody logged."""

from domain.cards import Card, SeenCard, seen
from domain.table import Table


def as_seen_from(table: Table, seat: str | None) -> Table:
    """A copy of a table that tells nothing but what a seat may know; None: what everybody may know.

    Other hands are unseen but for what was shown of them, the stock is unseen, and the order in which things stand
    tells nothing of them.
    """
    view = table.copy()
    view.trail = None
    hidden: dict[Card, int] = dict.fromkeys(table.deck, 0) | table.unplaced
    for player, hand in table.hands.items():
        if player == seat:
            continue
        shown = {card: table.shown[player, card] for card in table.deck if (player, card) in table.shown}
        for card, number in hand.items():
            hidden[card] += number - shown.get(card, 0)
        view.hands[player] = dict(shown)
        view.unseen[player] = table.size_of(player) - sum(shown.values())
    for top in seen(table.stock):
        hidden[top] += 1
    unseen: list[SeenCard] = [None] * len(table.stock)
    view.stock = unseen
    view.unplaced = {card: number for card, number in hidden.items() if number}
    return view
