"""`bh99 play` on a terminal: the table to play at (Textual). It draws what a seat may see, and knows no rule."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bh99.playing import LiveGame


def play_at(game: "LiveGame") -> None:
    """Open the screen, and come back when it is left. Raises what `run_screen` does."""
    from cli.full_screen import run_screen
    from cli.playing.app import PlayTable

    run_screen(PlayTable(game))
