"""Matches of the Ninety-Nine family that are broken in exactly one place, and then played on from the broken table.

`broken_match(kind, seed)` plays a legal match to a place where the kind finds its chance, breaks it there, and
plays on to the end of the match as the table then stands. `KINDS` names every kind.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import broken_match_cards
import broken_match_counts
import broken_match_draws
import broken_match_ends
import broken_match_tokens
import broken_match_turns
from broken_match_base import KINDS, Fault, Found, Kind, NoChance
from legal_matches import QUIET, Habits, Host, named_game, opened_match
from legal_table import Event
from match_table import GAMES, HOUSE_GAMES

__all__ = ["KINDS", "Broken", "broken_match", "games_for", "some_broken"]

# The modules with the kinds enter them into KINDS when they are imported.
MODULES = (
    broken_match_turns,
    broken_match_counts,
    broken_match_draws,
    broken_match_cards,
    broken_match_tokens,
    broken_match_ends,
)
LONGEST = 200
MOST_DEALS = 60


@dataclass(frozen=True)
class Broken:
    """A whole log with one fault, the one finding that it must give, and what is sure without hidden cards."""

    kind: str
    game: str
    events: list[Event]
    line: int
    rule: str
    player: str | None
    seen: Found | None

    @property
    def found(self) -> Found:
        return self.line, self.rule, self.player


def games_for(kind: str) -> list[str]:
    """The games in which this kind of fault can be made."""
    return [game for game in (*GAMES, *HOUSE_GAMES) if KINDS[kind].where(named_game(game))]


def broken_match(
    kind: str, seed: int, seats: int | None = None, game: str | None = None, rules: Any = None
) -> Broken | None:
    """A match broken in that way; None where this seed, or this game, gives no opportunity."""
    how = KINDS[kind]
    rng = Random(f"broken {kind} {seed} {seats} {game}")
    if game is None:
        names = games_for(kind)
        if not names:
            return None
        game = rng.choice(names)
    if seats is None:
        seats = rng.choice([how.seats[0], *range(how.seats[0], how.seats[1] + 1)])
    if not how.where(named_game(game)) or not how.seats[0] <= seats <= how.seats[1]:
        return None
    try:
        host, fault = until_broken(how, rng, seats, game, rules)
        if not fault.stops:
            play_on(host)
    except NoChance:
        return None
    events = host.world.events
    if fault.line > len(events) or not all(check(events) for check in fault.checks):
        return None
    found = (fault.line, fault.rule, fault.player)
    seen = found if fault.seen is True else fault.seen or None
    return Broken(kind, game, events, *found, seen)


def until_broken(how: Kind, rng: Random, seats: int, game: str, rules: Any) -> tuple[Host, Fault]:
    """Plays legally until the kind takes a chance."""
    host = Host(opened_match(rng, seats, game, rules), rng, table_habits(rng))
    world = host.world
    host.most_plays = LONGEST
    earliest = rng.choice([0, 0, 1, 2, 4])
    while world.deals <= MOST_DEALS:
        phase = world.phase()
        if phase in how.phases and world.deals >= earliest and rng.random() < how.share:
            fault = how.breaks(host)
            if fault is not None:
                return host, fault
        if phase in ("over", "closed"):
            break
        host.step()
    raise NoChance


def table_habits(rng: Random) -> Habits:
    """Before the fault a table does what tables do, but says every total and forgets no draw."""
    leave = 0.001 if rng.random() < 0.2 else 0
    return Habits(leisure=0.01, leave=leave, void=0.0003, value=rng.choice([0, 0.7, 1]))


def play_on(host: Host) -> None:
    """The rest of the match without asides, then mostly the close; a hand without end is broken off."""
    world = host.world
    host.habits = QUIET
    host.most_plays = 10**6
    while world.phase() not in ("over", "closed") and world.plays <= LONGEST and world.deals <= MOST_DEALS:
        host.step()
        if not world.match:
            raise NoChance  # somebody who was out has knocked out all others
    if world.phase() == "over" and host.rng.random() < 0.7:
        world.close()


def some_broken(kind: str, count: int, first_seed: int, rules: Mapping[str, Any]) -> list[Broken]:
    """So many matches of a kind, from the seeds that give one, the games in turn.

    `rules` says what stands in the first line of games whose name alone doesn't tell.
    """
    games = games_for(kind)
    made: list[Broken] = []
    for seed in range(first_seed, first_seed + 60 * count):
        game = games[seed % len(games)]
        broken = broken_match(kind, seed, game=game, rules=rules.get(game))
        if broken is not None:
            made.append(broken)
        if len(made) == count:
            break
    return made
