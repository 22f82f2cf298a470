"""`bh99 replay --step` on a terminal: the full-screen replayer (Textual). It draws frames, and knows no rule."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bh99.walks import Walk


def walk_through(walk: "Walk", start: int, rules: str | None) -> "Walk":
    """Open the screen at a line, and come back when it is left, with the log as it then was.

    `rules`: as they were given on the command line. Raises LogUnreadable or UnknownLine if that shows on the way, and
    what `run_screen` does.
    """
    from bh99.marks import Marks
    from cli.full_screen import run_screen
    from cli.replayer.app import Replayer

    app = Replayer(walk, Marks(walk.log.beside), start, rules)
    run_screen(app)
    if app.reading.trouble is not None:
        raise app.reading.trouble
    return app.walk
