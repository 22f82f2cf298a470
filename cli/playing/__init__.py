"""`bh99 play` on a terminal: the table to play at (Textual). It draws what a seat may see, and knows no rule."""

import gc
import signal
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from types import FrameType

    from bh99.playing import LiveGame


def play_at(game: "LiveGame") -> None:
    """Open the screen, and come back when it is left.

    Raises the Bh99Error that ended the game, and typer.Exit if the process was told to end, or the screen broke down.
    """
    from cli.playing.app import ENDING, PlayTable

    app = PlayTable(game)

    def note(number: int, frame: "FrameType | None") -> None:
        app.signal = number

    for number in ENDING:  # until the screen is up, and listens itself
        signal.signal(number, note)
    gc.enable()  # a screen that is open for an evening does make garbage
    app.run()
    if app.signal is not None:
        raise typer.Exit(128 + app.signal)
    if app.ended_by is not None:
        raise app.ended_by
    if app.return_code:
        raise typer.Exit(app.return_code)
