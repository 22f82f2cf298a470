"""Opening a game: who sits down, and by which rules."""

import datetime
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from domain import events as ev
from domain.deciding.refused import Refused
from domain.rule_sets import RuleSet
from domain.shipped_rules import reference_to

Clock: TypeAlias = Callable[[], datetime.datetime | None]
"""Tells the time of an event; None where time plays no part."""


def open_game(
    rules: RuleSet,
    players: Sequence[str],
    clock: Clock,
    *,
    game: str | None = None,
    source: Literal["table", "service", "simulated"] = "service",
    omits: Sequence[ev.Omittable] = (),
    ext: dict[str, Any] | None = None,
) -> ev.GameOpened:
    """The first event of a game, with these seats clockwise.

    Raises Refused for two players of one name, and for more or fewer than the rules and the decks serve (R1, R22).
    """
    twice = next((name for name in players if players.count(name) > 1), None)
    if twice is not None:
        raise Refused("deal", f"two players are called {twice}; expected names of their own")
    check_seats(rules, len(players), len(players))
    return ev.GameOpened(
        at=clock(),
        format=ev.FORMAT,
        rules=reference_to(rules),
        players=list(players),
        game=game,
        source=source,
        omits=list(omits),
        ext=ext,
    )


def check_seats(rules: RuleSet, opened_with: int, seats: int) -> None:
    """Raises Refused where so many can't be dealt in (`deal`, R1, R22)."""
    most = rules.most_served(sum(rules.cards_in_play(opened_with).values()))
    if not rules.fewest_seats <= seats <= most:
        raise Refused("deal", f"{seats} players sit here; the cards serve {rules.fewest_seats} to {most}")
