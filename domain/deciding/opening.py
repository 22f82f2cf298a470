"""Opening a game: who sits down, and by which rules."""

import datetime
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from domain import events as ev
from domain.cards import counted
from domain.deciding.refused import Refused
from domain.names import LONGEST, fault_of_name
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

    Raises Refused for what can't be names, and for more or fewer seats than rules and decks serve (R1, R22).
    """
    for at, name in enumerate(players):
        check_name(name, players[:at])
    seats = len(players)
    if seats < rules.fewest_seats:
        raise Refused("deal", f"too few players: {seats}; expected {rules.fewest_seats} at least")
    check_seats(seats, rules.most_served(sum(rules.cards_in_play(seats).values())))
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


def check_name(name: str, taken: Sequence[str]) -> None:
    """Raises Refused for what can't be the name of somebody who sits down."""
    fault = fault_of_name(name) if 1 <= len(name) <= LONGEST else f"has 1 to {LONGEST} characters"
    if fault is not None:
        raise Refused("deal", f"a name {fault}")
    if name in taken:
        raise Refused("deal", f"two players are called {name}; expected names of their own")


def check_seats(seats: int, most: int) -> None:
    """Raises Refused for more seats than the cards serve (`deal`, R1, R22)."""
    if seats > most:
        raise Refused("deal", f"{counted(seats, 'player')} want to play; the cards serve {most}")
