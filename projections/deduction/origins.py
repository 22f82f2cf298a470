"""With several decks: out of which lot each card that was played may have come, so that there are enough of it."""

from collections.abc import Sequence
from typing import Final

from domain.cards import Card
from projections.deduction.history import Enters, History, Leaves, Number

MOST_STEPS: Final = 500
"""Steps of the search for one card: it is but a help for those who deal by chance."""


def planned_lots(history: History, newest: bool) -> dict[Number, int]:
    """With several of a card, from which lot each one that was played may have come, so that there are enough; the
    oldest or the `newest` that it may be.

    By the spot of the play; cards of which nothing fits, or of which there is but one, are left out.
    """
    several = {card for card, number in (history.lots[0].cards or {}).items() if number > 1}
    if not several:
        return {}
    lot_of = {number: at for at, lot in enumerate(history.lots) for number in lot.spots}
    drawn: dict[str, set[int]] = {player: set() for player in history.players}
    plays: dict[Card, list[tuple[Number, list[int]]]] = {}
    for move in history.moves:
        if isinstance(move, Enters):
            drawn[move.player].add(lot_of.get(move.spot, -1))
        elif isinstance(move, Leaves):
            card = history.spots[move.spot].card
            if card in several:
                plays.setdefault(card, []).append((move.spot, sorted(drawn[move.player], reverse=newest)))
    planned: dict[Number, int] = {}
    for card, played in plays.items():
        left = [sum(history.spots[number].card == card for number in lot.sources) for lot in history.lots]
        left[0] = (history.lots[0].cards or {})[card]
        planned.update(_shared_out(played, left, [MOST_STEPS]) or {})
    return planned


def _shared_out(
    plays: Sequence[tuple[Number, list[int]]], left: list[int], steps: list[int]
) -> dict[Number, int] | None:
    """A lot for each play, of those that it may have come from, none more often than it has the card; None if there is
    no such choice, or it isn't found in so many steps."""
    steps[0] -= 1
    if not plays or steps[0] < 0:
        return {} if steps[0] >= 0 else None
    (number, lots), *others = plays
    for lot in lots:
        if lot >= 0 and left[lot]:
            left[lot] -= 1
            rest = _shared_out(others, left, steps)
            left[lot] += 1
            if rest is not None:
                return {number: lot, **rest}
    return None
