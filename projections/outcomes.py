"""What a hand came to: who won it, had the hit in the end, had to load, or paid; and who won the match."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, get_args

from domain import events as ev
from domain.rule_sets import RuleSet
from domain.table import Table

Measure: TypeAlias = Literal["win", "hit", "load", "lose", "match"]
MEASURES: Final[tuple[Measure, ...]] = get_args(Measure)
TOLD: Final[dict[Measure, str]] = {
    "win": "wins the hand",
    "hit": "ends with the hit",
    "load": "has to load",
    "lose": "pays in the hand",
    "match": "wins the match",
}
"""Each of them in words, of a player."""


def measures_of(rules: RuleSet) -> tuple[Measure, ...]:
    """What can be told of a game by these rules: with tokens, who pays in a hand, and who wins the match."""
    if rules.tokens:
        return ("lose", "match")
    return ("win", "hit", "load") if rules.prize else ("win",)


def outcome(table: Table, hand: Iterable[ev.Event]) -> dict[Measure, frozenset[str]]:
    """Who each is true of, at a table whose hand, with these events, is over; of a voided hand nobody (R7).

    The hit counts where it came to after steal and slide, whatever its holder made of it (`steal`, `slide`).
    """
    if table.voided:
        return {measure: frozenset() for measure in measures_of(table.rules)}
    if table.rules.tokens:
        paid = frozenset(event.player for event in hand if type(event) is ev.TokensLost)
        return {"lose": paid, "match": _only(table.champion)}
    prize = table.prize("main")
    return {
        "win": _only(table.winner),
        "hit": _only(prize.holder if prize is not None else None),
        "load": _only(table.loader),
    }


def _only(player: str | None) -> frozenset[str]:
    return frozenset() if player is None else frozenset((player,))
