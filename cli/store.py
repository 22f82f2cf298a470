"""`bh99 store`: keeping the game store."""

from typing import Annotated

import typer

from cli.output import DISAGREES, StoreOption, a_reader_may_leave, clear_errors, complain, say

store = typer.Typer(help="Check the game store, make its views anew, copy it, or forget a game.", no_args_is_help=True)
Url = StoreOption
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="A stored game; bh99 games lists them.")]


@store.command()
def check(store: Url = None) -> None:
    """Read all that is stored, and say what isn't as it was stored. Status 3 if something isn't.

    \b
    Example:
      bh99 store check
    """
    from bh99.store.store import open_store
    from domain.cards import counted

    with clear_errors(), open_store(store, create=False) as opened:
        faults = list(opened.check())
        games = len(opened.game_ids())
    for fault in faults:
        complain(fault)
    with a_reader_may_leave():
        say(f"{opened.place.url}: {counted(games, 'game')}, {counted(len(faults), 'fault')}")
    if faults:
        raise typer.Exit(DISAGREES)


@store.command()
def rebuild(store: Url = None) -> None:
    """Make the views anew from the events. They are never evidence, and can also just be deleted.

    \b
    Example:
      bh99 store rebuild
    """
    from bh99.store.store import open_store
    from bh99.wanted import Wanted
    from domain.cards import counted

    with clear_errors(), open_store(store, create=False) as opened:
        opened.rebuild()
        games, damaged = len(opened.games(Wanted(simulated=True))), opened.damaged()
    with a_reader_may_leave():
        say(f"{opened.place.views}: {counted(games, 'game')}")
    for damage in damaged:
        complain(f"damaged: {damage}")
    if damaged:
        raise typer.Exit(DISAGREES)


@store.command()
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file.")],
    store: Url = None,
) -> None:
    """Copy the store into a new file, as it is at this moment, whoever is using it. The copy is a store too.

    \b
    Example:
      bh99 store backup games-2026-11-30.sqlite
    """
    from bh99.store.store import open_store

    with clear_errors(), open_store(store, create=False) as opened:
        opened.backup(file)
    with a_reader_may_leave():
        say(f"{file}: a copy of {opened.place.events}")


@store.command()
def forget(game: GameArgument, store: Url = None) -> None:
    """Empty a game for ever. A mark is left in its place, and the game isn't stored again. Backups keep what they have.

    \b
    Example:
      bh99 store forget friday
    """
    from bh99.store.store import open_store

    with clear_errors(), open_store(store, create=False) as opened:
        opened.forget(game)
    with a_reader_may_leave():
        say(f"{game}: forgotten")
