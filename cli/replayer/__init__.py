"""`bh99 replay --step` on a terminal: the full-screen replayer (Textual). It draws frames, and knows no rule."""

import gc
import signal
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from types import FrameType

    from bh99.walks import Walk


def walk_through(walk: "Walk", start: int, rules: str | None) -> "Walk":
    """Open the screen at a line, and come back when it is left, with the log as it then was.

    `rules`: as they were given on the command line. Raises LogUnreadable or UnknownLine if that shows on the way, and
    typer.Exit if the process was told to end, or the screen broke down.
    """
    from bh99.marks import Marks
    from cli.replayer.app import ENDING, Replayer

    app = Replayer(walk, Marks(walk.log.beside), start, rules)

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
    if app.reading.trouble is not None:
        raise app.reading.trouble
    return app.walk
