"""`bh99 fork`: a new game that shares the first lines of another one."""

from typing import Annotated

import typer

from cli.output import (
    WRONG_USE,
    RulesOption,
    StoreOption,
    a_reader_may_leave,
    clear_errors,
    complain,
    names_given,
    notes_of,
    put,
    refuse,
    rules_given,
    say,
)
from cli.whatif import event_given


def fork(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The log, or a stored game; - is standard input.")],
    at: Annotated[int, typer.Option("--at", min=2, metavar="N", help="The new game shares the lines before line N.")],
    replace: Annotated[
        str | None, typer.Option("--replace", metavar="EVENT", help="What happens there, as a line of a log, in JSON.")
    ] = None,
    as_given: Annotated[
        bool, typer.Option("--as-given", help="It goes on with line N of the other, or behind it with --replace.")
    ] = False,
    bots: Annotated[
        str | None,
        typer.Option("--bots", metavar="KIND[,KIND…]", help="Bots play the hand to its end: one kind, or one a seat."),
    ] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", min=0, max=10_000, metavar="K", help="With --bots: so many hands more.")
    ] = None,
    seed: Annotated[
        int,
        typer.Option("--seed", min=0, max=2**63 - 1, metavar="S", help="With --bots: the same seed, the same plays."),
    ] = 0,
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help="The new game's id.")] = None,
    to: Annotated[str | None, typer.Option("--to", metavar="FILE", help="Write it there, not to the screen.")] = None,
    rules: RulesOption = None,
    store: StoreOption = None,
) -> None:
    """Begin a new game with the lines of another one before line N, and say so in it (game_forked).

    Written to a file, it goes on by hand: bh99 record FILE for a table's game, bh99 play FILE for one that was played
    here. Or the rest of the other game follows, or bots play on; then it counts in no statistics unless asked for.

    \b
    Examples:
      bh99 fork game.jsonl --at 39 --to other.jsonl
      bh99 fork game.jsonl --at 39 --bots careful --seed 1
      bh99 fork game.jsonl --at 9 --as-given --replace '{"type":"card_played","player":"Ana","card":"8h","count":30}'
    """
    from bh99.branching.forking import forked
    from bh99.new_files import write_new
    from bh99.sources import find_log
    from domain.cards import counted
    from domain.events import is_game_id

    kinds = names_given(bots or "")
    if bots is not None and not kinds:
        refuse("--bots", "expected at least one kind of bot")
    if as_given and kinds:
        refuse("--as-given", "either as given or by bots; --bots is given already")
    if hands is not None and not kinds:
        refuse("--hands", "it is for bots: --bots KIND")
    if game is not None and not is_game_id(game):
        refuse("--game", "expected an id of lower-case letters, digits and -, up to 64")
    instead = None if replace is None else event_given(replace, "--replace")
    with clear_errors():
        opened = find_log(log, rules_given(rules), store)
        found = forked(opened, at, instead, as_given, kinds, hands, seed, game)
    notes_of(opened, opened.rules)
    text = b"".join(line + b"\n" for line in found.lines)
    if to is None:
        with a_reader_may_leave():
            put(text.decode())
        return
    try:
        write_new(to, text)
    except OSError as fault:
        complain(f"{to} can't be written: {fault.strerror}")
        raise typer.Exit(WRONG_USE) from None
    say(f"{to}: {counted(len(found.events), 'line')}, game {found.forked.game}, the first {at - 1} lines shared")
