"""What the full screens share: the replayer, and the table to play at."""

import asyncio
import gc
import os
import signal
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

import typer
from rich.text import Text
from textual import events
from textual.app import App
from textual.screen import Screen
from textual.widgets import Static

from bh99.errors import Bh99Error
from projections.printable import printable

if TYPE_CHECKING:
    from types import FrameType

SMALLEST: Final = (80, 24)
"""Columns and rows that a screen needs."""
ENDING: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
"""Signals that end a screen, and leave the terminal as it was."""


class FullScreen(App[None]):
    """A screen that is drawn anew whenever something has changed, and left by a key or a signal."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    NAME: ClassVar = "the screen"
    """What needs so many columns and rows."""

    def __init__(self) -> None:
        super().__init__(ansi_color="NO_COLOR" in os.environ)  # else Textual writes greys
        self.animation_level = "none"
        self.message = ""
        self.ended_by: Bh99Error | None = None
        self.signal: int | None = None

    @property
    def ground(self) -> Screen[object]:
        """The screen with the table, whatever is asked or shown over it."""
        return self.screen_stack[0]

    def listen_for_signals(self) -> None:
        """From here on the screen ends itself; at once, if a signal came before it was up."""
        for number in ENDING:
            asyncio.get_running_loop().add_signal_handler(number, partial(self._end_on, number))
        if self.signal is not None:
            self.exit()

    def _end_on(self, number: int) -> None:
        self.signal = number
        self.exit()

    def draw(self) -> None:
        """Give every panel what there is to draw."""

    def caption(self, id: str, text: Text) -> None:
        """Show a row of text, cut off where the screen ends."""
        text.truncate(max(self.size.width - 2, 1), overflow="ellipsis")
        self.ground.query_one(f"#{id}", Static).update(text)

    def say(self, message: str) -> None:
        """Show a message until the next key."""
        self.message = printable(message, None)
        self.draw()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.ground.set_class(width < SMALLEST[0] or height < SMALLEST[1], "small")
        needs = f"{self.NAME} needs {SMALLEST[0]} by {SMALLEST[1]}"
        text = f"This terminal is {width} by {height}; {needs}.\nMake it larger, or press q to leave."
        self.ground.query_one("#too-small", Static).update(Text(text))
        self.call_after_refresh(self.draw)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent) and not self.screen_stack:
            return  # keys that were pressed behind the one that left
        await super().on_event(event)

    def action_theme(self) -> None:
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"
        self.call_after_refresh(self.draw)

    def action_leave(self) -> None:
        self.exit()


def run_screen(screen: FullScreen) -> None:
    """Show a screen until it is left.

    Raises the Bh99Error that ended it, and typer.Exit if the process was told to end, or the screen broke down.
    """

    def note(number: int, frame: "FrameType | None") -> None:
        screen.signal = number

    for number in ENDING:  # until the screen is up, and listens itself
        signal.signal(number, note)
    gc.enable()  # a screen that is open for an evening does make garbage
    screen.run()
    if screen.signal is not None:
        raise typer.Exit(128 + screen.signal)
    if screen.ended_by is not None:
        raise screen.ended_by
    if screen.return_code:
        raise typer.Exit(screen.return_code)
