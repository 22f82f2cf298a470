"""`bh99 replay --step` on a terminal: the full-screen replayer (Textual). It draws frames, and knows no rule."""

import gc
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from bh99.walks import Walk


def walk_through(walk: "Walk", start: int, rules: str | None) -> None:
    """Open the screen at a line, and come back when it is left. `rules`: as they were given on the command line.

    Raises LogUnreadable or UnknownLine if that shows on the way, MarksUnreadable before the screen is opened, and
    typer.Exit if the process was told to end.
    """
    from bh99.marks import Marks
    from cli.replayer.app import Replayer

    app = Replayer(walk, Marks(walk.log.name), start, rules)
    gc.enable()  # a screen that is open for an evening does make garbage
    app.run()
    if app.ended_by is not None:
        raise app.ended_by
    if app.signal is not None:
        raise typer.Exit(128 + app.signal)
