"""Games that are broken in exactly one place, and then played on from the broken table.

`broken_game(kind, seed)` plays a legal game to a place where the kind finds its chance, breaks it there, plays
the hand to its end as the table then stands, and one more hand. `KINDS` names every kind.
"""

from dataclasses import dataclass
from random import Random

import broken_draws
import broken_order
import broken_plays
import broken_prizes
from broken_base import KINDS, Fault, Kind, NoChance
from legal_games import MOST_SEATS, QUIET, Event, Habits, Host, opened_game

__all__ = ["KINDS", "Broken", "broken_game", "some_broken"]

# The modules with the kinds enter them into KINDS when they are imported.
MODULES = (broken_plays, broken_draws, broken_order, broken_prizes)
LONGEST = 220


@dataclass(frozen=True)
class Broken:
    """A whole log with one fault, and the one finding that it must give."""

    kind: str
    events: list[Event]
    line: int
    rule: str
    player: str | None
    shows_blanked: bool


def broken_game(kind: str, seed: int, seats: int | None = None) -> Broken | None:
    """A game broken in that way; None where this seed gives no opportunity."""
    how = KINDS[kind]
    rng = Random(f"broken {kind} {seed} {seats}")
    if seats is None:
        seats = rng.choice(range(how.seats[0], how.seats[1] + 1))
    elif not how.seats[0] <= seats <= how.seats[1]:
        return None
    try:
        host, fault = until_broken(how, rng, seats)
        play_on(host, fault)
    except NoChance:
        return None
    events = host.world.events
    if fault.line > len(events) or not all(check(events) for check in fault.checks):
        return None
    return Broken(kind, events, fault.line, fault.rule, fault.player, fault.blanked)


def until_broken(how: Kind, rng: Random, seats: int) -> tuple[Host, Fault]:
    """Plays legally until the kind takes a chance."""
    host = Host(opened_game(rng, seats), rng, table_habits(rng))
    world = host.world
    if how.numbered:
        world.numbered = True
        world.events[0]["seq"] = 1
    if how.marked:
        world.marks = {}
    earliest = 0 if seats > MOST_SEATS else rng.choice([0, 0, 1, 2])
    while world.deals <= earliest + 2 and world.plays <= LONGEST:
        if world.phase() in how.phases and world.deals >= earliest and rng.random() < how.share:
            fault = how.breaks(host)
            if fault is not None:
                return host, fault
        host.step()
    raise NoChance


def table_habits(rng: Random) -> Habits:
    """Before the fault a table does what tables do, but says every Count and target."""
    moves = 1 if rng.random() < 0.3 else 0
    return Habits(leisure=0.01, load=0.012, leave=0.004 * moves, join=0.15 * moves, void=0.0005)


def play_on(host: Host, fault: Fault) -> None:
    """The rest of the hand without asides, then one more hand, then the end."""
    world = host.world
    host.habits = QUIET
    world.marks = None
    host.most_plays = 10**6
    while world.hand_on and not world.closed:
        host.step()
        if world.plays > LONGEST:
            raise NoChance
    if fault.later is not None:
        fault.later(world)
    if not world.closed:
        host.step()
        host.habits = Habits(load=0, leisure=0.005, show=0.1, ruling=0, void=0)
        host.most_plays = LONGEST
    while world.hand_on and not world.closed:
        host.step()
    if not world.closed:
        world.close()


def some_broken(kind: str, count: int, first_seed: int = 0) -> list[Broken]:
    """So many games of a kind, from the seeds that give one."""
    made: list[Broken] = []
    for seed in range(first_seed, first_seed + 4000 * max(count, 1)):
        if len(made) == count:
            break
        broken = broken_game(kind, seed)
        if broken is not None:
            made.append(broken)
    return made
