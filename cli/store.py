"""`bh99 store`: keeping the game store."""

import time
from typing import Annotated, Final

import typer

from cli.output import DISAGREES, StoreOption, a_reader_may_leave, clear_errors, complain, say

store = typer.Typer(
    help="Check the game store, make its views anew or keep them up to date, copy it, or forget a game.",
    no_args_is_help=True,
)
Url = StoreOption
SILENT: Final = 10
"""Seconds between two lines of a worker."""
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
    say_now(f"{opened.place.url}: {counted(games, 'game')}, {counted(len(faults), 'fault')}")
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
    say_now(f"{opened.place.views}: {counted(games, 'game')}")
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
    say_now(f"{file}: a copy of {opened.place.events}")


@store.command()
def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The URL of a store.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The URL of a new one, on the same engine or another.")],
) -> None:
    """Copy a store to a new place, as it is at this moment, and prove that both hold the same, line for line.

    \b
    Example:
      bh99 store copy sqlite:///games.sqlite postgresql://ana@db.example/games
    """
    from bh99.store.store import open_store
    from bh99.store.urls import place_of

    with clear_errors(), open_store(source, create=False) as opened:
        digest = opened.copy_to(target)
        names = opened.place.url, place_of(target).url
    for name in names:
        say_now(f"{name}: {digest}")


@store.command()
def follow(store: Url = None) -> None:
    """Keep the views up to date until it is ended (Ctrl-C or SIGTERM), so that no question has to.

    Start two of them, on two hosts, and one stands in for the other.

    \b
    Example:
      bh99 store follow --store postgresql://ana@db.example/games
    """
    import signal
    import threading

    from bh99.store.store import open_store
    from domain.cards import counted

    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    news = _News()
    with clear_errors(), open_store(store, create=False) as opened:
        say_now(f"{opened.place.views}: following")
        opened.follow(ended, news.told)
    say_now(f"{opened.place.views}: ended after reading {counted(news.games, 'game')}")


class _News:
    """Says what a worker has done, but not each time."""

    def __init__(self) -> None:
        self.games = 0
        self._next = 0.0

    def told(self, games: int) -> None:
        from domain.cards import counted

        self.games += games
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + SILENT
            say_now(f"up to date; {counted(self.games, 'game')} read so far")


def say_now(text: str) -> None:
    """A line that is seen at once; who doesn't read on changes nothing."""
    with a_reader_may_leave():
        say(text)


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
    say_now(f"{game}: forgotten")
