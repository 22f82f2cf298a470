"""`bh99 play`: a game at the terminal, against bots or with others at the same one."""

import os
import shlex
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.output import WRONG_USE, StoreOption, can_draw, clear_errors, complain, names_given, refuse, rules_given, say

if TYPE_CHECKING:
    from bh99.chance import Chance
    from bh99.keepers import Keeper
    from bh99.playing import LiveGame
    from domain.rule_sets import RuleSet

BOT_NAMES: Final = ("Bo", "Kim", "Lou", "Max", "Pat", "Ray", "Sam", "Tess", "Uma", "Vic", "Wes", "Zoe")
PEOPLE: Final = ["Guest"]
BOTS: Final = ["careful", "greedy"]
"""Who plays if nobody is named, and whom one person alone plays against."""


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="The game to go on with, or to begin: its id in the store, or a log file (.jsonl). None: a new one.",
        ),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Option("--players", metavar="NAME,NAME…", help="Who plays at this terminal; Guest, if nobody is named."),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bots",
            metavar="KIND,KIND…",
            help="A bot each: random, greedy, careful … One person: careful,greedy.",
        ),
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="What is played: bong-hit-99, or what bh99 rulesets lists.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="The same seed and the same plays give the same game.")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Play a game at the terminal: against bots, or several people in turns before one screen.

    The numbers before your cards play them: [1] may be played, (2) may not. Enter deals. The key ? lists the keys, and
    q leaves; the game is kept as it is played, and bh99 play GAME goes on with it.

    \b
    Examples:
      bh99 play
      bh99 play --bots careful,random,greedy
      bh99 play --players Ana,Ben --rules ninety-nine-tokens
      bh99 play friday.jsonl --players Ana --bots greedy
      bh99 play play-20261130-1
    """
    people, kinds = _listed(players), _listed(bots)
    if people == []:
        refuse("--players", "expected at least one name")
    _check_kinds(kinds)
    if not can_draw():
        complain("bh99 play draws a whole screen; expected a terminal for keys and output, with TERM set to what it is")
        raise typer.Exit(WRONG_USE)
    from bh99.keepers import open_keeper
    from cli.playing import play_at

    with clear_errors():
        chosen = rules_given(rules)
        if game is None or not os.path.lexists(game):  # of a file it is known only later whether it is begun
            _check_seats(people, kinds, chosen, bool(game))
        with closing(open_keeper(game or _fresh_id(store), store)) as keeper:
            live = _opened(keeper, people, kinds, chosen, seed)
            play_at(live)
    if live.closed:
        say(f"The game is closed; see it with: {_command('replay', keeper, store)}")
    else:
        say(f"The game is kept; go on with: {_command('play', keeper, store)}")


def _listed(values: Sequence[str] | None) -> list[str] | None:
    """What was given with commas, or by giving an option several times; None if nothing was."""
    return None if values is None else [part for value in values for part in names_given(value)]


def _check_kinds(kinds: Sequence[str] | None) -> None:
    from bh99.bots import BOTS as KNOWN

    for kind in kinds or ():
        if kind not in KNOWN:
            refuse("--bots", f"there is no bot called {kind[:40]}; expected some of: {', '.join(KNOWN)}")


# ---- beginning, and going on ----


def _opened(
    keeper: "Keeper", people: list[str] | None, kinds: list[str] | None, rules: "RuleSet | None", seed: int | None
) -> "LiveGame":
    """The game that is kept there, or a new one."""
    from bh99.chance import Chance
    from bh99.clock import now
    from bh99.playing import LiveGame

    events = keeper.events()
    if not events:
        return _begun(keeper, people, kinds, rules, Chance() if seed is None else Chance.seeded(seed))
    live = LiveGame(keeper, events, Chance(), now)
    _check_it_is_that_game(live, people, kinds, rules, seed)
    return live


def _begun(
    keeper: "Keeper", people: list[str] | None, kinds: list[str] | None, rules: "RuleSet | None", chance: "Chance"
) -> "LiveGame":
    from bh99.clock import now
    from bh99.playing import begin_game
    from domain.deciding import Refused
    from domain.shipped_rules import usual_rules

    seats, bots = _seats(people, kinds)
    try:
        return begin_game(keeper, rules or usual_rules(), seats, bots, chance, now)
    except Refused as refused:
        refuse("--players", str(refused))


def _check_seats(
    people: list[str] | None, kinds: list[str] | None, rules: "RuleSet | None", may_be_there: bool
) -> None:
    """Refuse seats that can't be served before anything is kept."""
    from bh99.clock import now
    from domain.deciding import Refused, open_game
    from domain.shipped_rules import usual_rules

    if may_be_there and people is None and kinds is None:
        return  # a stored game may have others
    try:
        open_game(rules or usual_rules(), _seats(people, kinds)[0], now)
    except Refused as refused:
        refuse("--players", str(refused))


def _seats(people: list[str] | None, kinds: list[str] | None) -> tuple[list[str], dict[str, str]]:
    """The seats clockwise, people first, and the kind of each bot."""
    people = people or PEOPLE
    if kinds is None:
        kinds = BOTS if len(people) == 1 else []
    taken = {name.casefold() for name in people}
    free = [name for name in BOT_NAMES if name.casefold() not in taken]
    free += [f"Bot {number}" for number in range(1, len(kinds) + 1)]
    bots = dict(zip(free, kinds, strict=False))
    return [*people, *bots], bots


def _check_it_is_that_game(
    live: "LiveGame", people: list[str] | None, kinds: list[str] | None, rules: "RuleSet | None", seed: int | None
) -> None:
    """Refuse options that say something else than the game that is gone on with."""
    name = live.keeper.name
    if people is not None and people != live.people:
        refuse("--players", f"{name} has begun already, with {', '.join(live.people) or 'nobody but bots'}")
    if kinds is not None and kinds != (there := [live.bots[each] for each in live.players if each in live.bots]):
        refuse("--bots", f"{name} has begun already, with these bots: {', '.join(there) or 'none'}")
    if rules is not None and rules != live.rules:
        refuse("--rules", f"{name} has begun already, and is played by {live.rules.ref}")
    if seed is not None:
        refuse("--seed", f"{name} has begun already; a seed is for a new game")


def _fresh_id(store: str | None) -> str:
    """An id that no game of the store has: `play-20261130-1`."""
    from bh99.clock import now
    from bh99.store.store import open_store

    with open_store(store) as opened:
        taken = set(opened.game_ids())
    day, number = f"play-{now().astimezone():%Y%m%d}-", 1
    while f"{day}{number}" in taken:
        number += 1
    return f"{day}{number}"


def _command(name: str, keeper: "Keeper", store: str | None) -> str:
    """The command for a game that is kept somewhere, with the store if it isn't the usual one."""
    elsewhere = keeper.game is not None and store is not None and store != os.environ.get("BH99_STORE")
    return shlex.join(["bh99", name, keeper.name, *(["--store", store] if elsewhere and store else [])])
