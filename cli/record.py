"""`bh99 record`: the scribe at a real table."""

import datetime
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cli.output import (
    BROKEN_RULE,
    WRONG_USE,
    StoreOption,
    clear_errors,
    complain,
    harmless,
    names_given,
    refuse,
    rules_given,
)

if TYPE_CHECKING:
    from bh99.keepers import Keeper
    from bh99.scribe.evenings import LastEvening
    from bh99.scribe.scribe import Scribe
    from domain.events import GameOpened


def record(
    log: Annotated[
        str | None,
        typer.Argument(
            metavar="[LOG]", help="A log file (.jsonl), or the id of a game in the store. None: this evening."
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option(metavar="NAME,NAME…", help="Who sits at the table, clockwise. Else as last time.")
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="What is played. Else as last time, or bong-hit-99.")
    ] = None,
    dealer: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who deals first. Else whose deal it was last time.")
    ] = None,
    draws: Annotated[bool, typer.Option("--draws", help="Write every draw down: enter says that it was made.")] = False,
    omits: Annotated[
        list[str] | None,
        typer.Option("--omits", metavar="TYPE", help="What this log never writes down, such as leisure_hit."),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Write a game at a real table down, entry by entry; each is on the disk before the next is asked for.

    Who is next, the Count, steals, slides and who loads are filled in. A warning comes at once if a rule is broken:
    keep it as it happened and go on, type undo, or type ruling and what the table decided. Killed, or left with quit,
    the same command goes on where it was. bh99 replay LOG --step --follow reads along in another terminal.

    \b
    Typed                     Written down
      (enter), piped in .     what must come next: the deal, a draw
      7h   or   7h 24         the 7 of hearts, and the Count that was said
      ben kd 99               the same for somebody who was not to play
      ah 34   or   ah +11     a card that leaves a choice
      qs 99   ad   or   out   the Death Card, and its answer
      out   won               cannot play; has won
      show ben ac             the steal and the slide follow by themselves
      took   carried   gave cy 1        what becomes of the hits
      leisure ben finished   loaded     a hit in between; a load
      undo   ruling stays out   7h # spilled water
      help   table   quit

    \b
    Examples:
      bh99 record --players Ana,Ben,Cy
      bh99 record friday.jsonl --players "Ana,Ben,Cy" --dealer Cy
      bh99 record tokens.jsonl --players Ana,Ben --rules ninety-nine-tokens
      bh99 record friday.jsonl < typed.txt
    """
    from bh99.clock import now
    from bh99.keepers import open_keeper

    with clear_errors():
        keeper = open_keeper(log or _this_evening(now()), store)
        try:
            scribe = _sit_down(keeper, Said(players, rules, dealer, draws, omits or []))
            misread = _write_down(scribe)
        finally:
            keeper.close()
    if misread:
        raise typer.Exit(WRONG_USE)
    if scribe.findings:
        raise typer.Exit(BROKEN_RULE)


class Said(NamedTuple):
    """The options that say how a log is opened."""

    players: str | None
    rules: str | None
    dealer: str | None
    draws: bool
    omits: list[str]


def _sit_down(keeper: "Keeper", said: Said) -> "Scribe":
    """The scribe of a log that goes on, or of a new one. Ends the command for options that can't be."""
    from bh99.clock import now
    from bh99.scribe.evenings import last_evening
    from bh99.scribe.scribe import Scribe

    events, last = keeper.events(), last_evening()
    for note in keeper.notes:
        complain(f"{keeper.name}: note: {note}")
    if events:
        scribe = Scribe(keeper, events, now)
        _check_it_is_that_log(scribe, said)
        return scribe
    opened = _opened(keeper, _seats(said.players, last), said, last)
    keeper.add([opened])
    return Scribe(keeper, [opened], now)


def _check_it_is_that_log(scribe: "Scribe", said: Said) -> None:
    """Refuse options that say something else than the log that is gone on with."""
    from bh99.scribe.opening import DRAWS
    from domain.shipped_rules import rules_of

    opened, name = scribe.game.opened, scribe.keeper.name
    if said.players is not None and names_given(said.players) != opened.players:
        refuse("--players", f"{name} has begun already, with {', '.join(opened.players)}")
    if said.rules is not None and rules_given(said.rules) != rules_of(opened.rules):
        refuse("--rules", f"{name} has begun already, and is played by other rules")
    if said.dealer is not None and not scribe.is_first_dealer(said.dealer):
        refuse("--dealer", f"{name} has begun already; deal NAME says who deals")
    if said.draws and set(DRAWS) & set(opened.omits):
        refuse("--draws", f"{name} has begun already, and draws are not written down there")
    if not set(said.omits) <= set(opened.omits):
        refuse("--omits", f"{name} has begun already, and leaves out: {', '.join(opened.omits) or 'nothing'}")


def _this_evening(moment: datetime.datetime) -> str:
    """A log for this evening, which lasts until six in the morning; another one once the first was closed."""
    from bh99.clock import date_of_evening

    evening = date_of_evening(moment.astimezone()).isoformat()
    number, name = 1, f"evening-{evening}.jsonl"
    while os.path.exists(name) and _is_closed(name):
        number += 1
        name = f"evening-{evening}-{number}.jsonl"
    return name


def _is_closed(name: str) -> bool:
    """Whether the last line of a log closes it."""
    from bh99.log_files import MAX_LINE
    from bh99.log_reading import event_or_none
    from domain.events import GameClosed

    with open(name, "rb") as file:
        file.seek(max(0, os.path.getsize(name) - MAX_LINE))
        return isinstance(event_or_none(file.read().rstrip().rpartition(b"\n")[2]), GameClosed)


def _seats(players: str | None, last: "LastEvening | None") -> list[str]:
    """Who sits down: as given, as asked for, or as on the last evening."""
    if players is None and last is not None:
        return list(last.players)
    if players is None and sys.stdin.isatty():
        players = typer.prompt("Who plays? Names clockwise, with commas between")
    if players is None:
        raise typer.BadParameter("who plays? expected --players Ana,Ben,Cy", param_hint="--players")
    return names_given(players)


def _opened(keeper: "Keeper", seats: list[str], said: Said, last: "LastEvening | None") -> "GameOpened":
    """The first line of a new log; rules and dealer are as on the last evening, if nobody says so. Raises
    RulesUnreadable, and typer.BadParameter for what can't be."""
    from bh99.clock import now
    from bh99.scribe.entry import Misread
    from bh99.scribe.opening import DRAWS, sit_down
    from domain.shipped_rules import rules_of, usual_rules

    given = rules_given(said.rules) or (usual_rules() if last is None else rules_of(last.rules))
    dealer = said.dealer
    if dealer is None and last is not None and last.dealer in seats:
        dealer = last.dealer
    try:
        return sit_down(given, seats, [*(() if said.draws else DRAWS), *said.omits], now, keeper.game, dealer)
    except Misread as wrong:
        raise typer.BadParameter(harmless(str(wrong))) from None


def _write_down(scribe: "Scribe") -> bool:
    """Ask for entries until there are no more. Of those that are piped in, nothing is written behind one that isn't
    understood, as it might then be somebody else's; whether there was one."""
    from bh99.scribe.completing import LEAVING
    from bh99.scribe.evenings import as_it_stands, keep_evening
    from cli.scribing import greet, part, take_down

    greet(scribe)
    piped, understood, kept = not sys.stdin.isatty(), True, None
    if piped:
        entries: Iterator[str] = (line.rstrip("\n") for line in sys.stdin)
    else:
        from cli.prompting import prompts

        entries = prompts(scribe)
    for number, entry in enumerate(entries, 1):
        understood = take_down(scribe, entry, number if piped else None)
        sys.stdout.flush()
        evening = as_it_stands(scribe.table, scribe.game.opened)
        if evening != kept:
            keep_evening(kept := evening)
        if scribe.closed or entry.strip() in LEAVING or (piped and not understood):
            break
    part(scribe)
    return piped and not understood
