"""`bh99 simulate`: games between bots, and what came of them; bots compared."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.output import (
    BROKEN_RULE,
    a_reader_may_leave,
    clear_errors,
    complain,
    make_folder,
    names_given,
    put_json,
    refuse,
    rules_given,
    say,
)

if TYPE_CHECKING:
    from bh99.simulating import Comparison, Simulation
    from domain.rule_sets import RuleSet

USUAL_BOTS = "random,random,random,random"


def simulate(
    bots: Annotated[
        str | None,
        typer.Option("--bots", metavar="KIND,KIND…", help=f"Who sits at the table, clockwise; else {USUAL_BOTS}."),
    ] = None,
    games: Annotated[int, typer.Option("--games", min=1, max=10_000_000, metavar="N", help="How many games.")] = 1000,
    hands: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, metavar="N", help="Hands a game: 10, or until the match is won, 1000 at most."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="S", help="The same seed gives the same games; else one by chance.")
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="What is played: bong-hit-99, or what bh99 rulesets lists.")
    ] = None,
    logs: Annotated[
        str | None, typer.Option("--logs", metavar="FOLDER", help="Write each game's log there, marked as simulated.")
    ] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="What it is worth to play like each of --bots, with common deals.")
    ] = False,
    against: Annotated[
        str, typer.Option("--against", metavar="KIND", help="With --compare: how all others play.")
    ] = "random",
    players: Annotated[
        str, typer.Option("--players", metavar="N,N…", help="With --compare: how many sit at the table.")
    ] = "2,3,4,6",
    processes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many at once; else one for each processor.")
    ] = None,
    format: Annotated[Literal["text", "json"], typer.Option("--format", help="text or json.")] = "text",
) -> None:
    """Play games between bots, audit each, and say how often each seat won, ended with the hit, and had to load.

    The same seed gives the same games, to the byte, in however many processes. docs/simulating.md tells what the bots
    do, and which advice is worth following.

    \b
    Examples:
      bh99 simulate --bots careful,greedy,random --games 10000
      bh99 simulate --rules ninety-nine-tokens --games 100 --seed 1 --logs simulated/
      bh99 simulate --compare --bots saving,clubs-kept --players 2,4 --games 20000
    """
    with clear_errors():
        chosen = _rules(rules)
    seed = _any_seed() if seed is None else seed
    kinds = names_given(USUAL_BOTS if bots is None else bots)
    with clear_errors():
        if compare:
            if logs is not None or hands is not None:
                refuse("--logs" if logs is not None else "--hands", "--compare plays hands or matches, and keeps none")
            _show_comparison(
                _compared(chosen, kinds if bots else None, against, players, games, seed, processes), format
            )
            return
        found = _simulated(chosen, kinds, games, hands, seed, processes, logs)
    _show_simulation(found, format)
    if found.findings:
        complain("an audit finds fault with these games; that is a fault of this program, please report it")
        raise typer.Exit(BROKEN_RULE)


def _rules(reference: str | None) -> "RuleSet":
    from domain.shipped_rules import usual_rules

    return rules_given(reference) or usual_rules()


def _any_seed() -> int:
    import secrets

    return secrets.randbelow(1 << 32)


def _simulated(
    rules: "RuleSet",
    bots: Sequence[str],
    games: int,
    hands: int | None,
    seed: int,
    processes: int | None,
    logs: str | None,
) -> "Simulation":
    from bh99.simulating import plan_of
    from bh99.simulating import simulate as simulated

    plan = plan_of(rules, bots, seed, hands)
    if logs is not None:
        make_folder("--logs", logs)
    with _progress(games) as done:
        return simulated(plan, games, processes=processes, logs=logs, done=done)


def _compared(
    rules: "RuleSet",
    bots: Sequence[str] | None,
    against: str,
    players: str,
    games: int,
    seed: int,
    processes: int | None,
) -> "Comparison":
    from bh99.bots import BOTS
    from bh99.simulating import compare

    bots = [kind for kind in BOTS if kind != against] if bots is None else bots
    if not bots:
        refuse("--bots", "expected at least one kind of bot")
    numbers = names_given(players)
    if not numbers or not all(number.isdecimal() for number in numbers):
        refuse("--players", f"expected numbers of players with commas between, got {players[:40]}")
    seats = [int(number) for number in numbers]
    with _progress(games * len(bots) * len(seats)) as done:
        return compare(rules, bots, against, seats, games, seed, processes=processes, done=done)


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], object]]:
    """A bar on standard error, if that is a terminal."""
    import sys

    if not sys.stderr.isatty():
        yield lambda games: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), "games", TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("games", total=games)
        yield lambda games: progress.advance(task, games)


def _show_simulation(found: "Simulation", format: str) -> None:
    from bh99.simulating.text import simulation_text

    _show(found, format, simulation_text)


def _show_comparison(found: "Comparison", format: str) -> None:
    from bh99.simulating.text import comparison_text

    _show(found, format, comparison_text)


def _show(found: object, format: str, text: Callable[[Any], str]) -> None:
    with a_reader_may_leave():
        if format == "json":
            put_json(found)
        else:
            say(text(found))
