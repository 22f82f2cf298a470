"""`bh99 games` and `bh99 export`: what is in the store, and any of it as it was imported."""

from typing import Annotated, Final

import typer

from cli.answers import (
    AliasesOption,
    Block,
    ExcludeOption,
    FormatOption,
    PlayersOption,
    SetOption,
    SinceOption,
    print_rows,
    say_what_is_undated,
    wanted_games,
)
from cli.output import DISAGREES, FINE, StoreOption, a_reader_may_leave, clear_errors, complain

BLOCKS: Final[tuple[Block, ...]] = (
    (
        "",
        (
            *(("game", "game"), ("evening", "evening"), ("rules", "rules"), ("players", "players")),
            *(("events", "lines"), ("findings", "findings")),
        ),
    ),
)


def games(
    player: PlayersOption = None,
    since: SinceOption = None,
    rules: SetOption = None,
    findings: Annotated[bool, typer.Option("--findings", help="Only games with a proved finding.")] = False,
    exclude: ExcludeOption = None,
    aliases: AliasesOption = None,
    format: FormatOption = "table",
    store: StoreOption = None,
) -> None:
    """List the games of the store, the oldest evening first. Every command that takes a log takes a game of these.

    \b
    Examples:
      bh99 games
      bh99 games --player Ana --since 2026-11-01
      bh99 games --findings --format json
    """
    from bh99.store.store import open_store

    if findings and exclude:
        raise typer.BadParameter("--findings and --exclude disputed leave nothing", param_hint="--findings")
    disputed = True if findings else False if exclude else None
    wanted = wanted_games(player, since, rules, disputed=disputed, simulated=True, aliases=aliases)
    with clear_errors(), open_store(store, create=False) as opened:
        rows = opened.games(wanted)
        say_what_is_undated(opened, wanted)
    with a_reader_may_leave():
        print_rows(rows, format, BLOCKS)
    for row in rows:
        if row.damage is not None:
            complain(f"damaged: {row.damage}")
    raise typer.Exit(DISAGREES if any(row.damage for row in rows) else FINE)


def export(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A stored game; bh99 games lists them.")],
    store: StoreOption = None,
) -> None:
    """Print a stored game: the lines that were imported, byte for byte.

    \b
    Example:
      bh99 export friday > friday.jsonl
    """
    import sys

    from bh99.store.store import open_store

    with clear_errors(), open_store(store, create=False) as opened:
        text = opened.export(game)
    with a_reader_may_leave():
        sys.stdout.buffer.write(text)
