"""A full screen that runs without a terminal: keys go in, the rows that are drawn come out."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from textual import events
from textual.keys import _character_to_key, key_to_character
from textual.pilot import Pilot
from textual.strip import Strip

from cli.full_screen import FullScreen

SomeScreen = TypeVar("SomeScreen", bound=FullScreen)


class Driven(ABC, Generic[SomeScreen]):
    """A screen, and what moves it."""

    def __init__(self, app: SomeScreen, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other, and wait until all is drawn; quicker than the pilot's own way."""
        for key in keys:
            name, character = (_character_to_key(key), key) if len(key) == 1 else (key, key_to_character(key))
            self.app.post_message(events.Key(name, character))
            await self.pilot.pause()
        await self.settle()

    @abstractmethod
    async def settle(self) -> None:
        """Wait until nothing happens any more."""

    def strips(self) -> list[Strip]:
        """The rows of the screen, with their colours."""
        return list(self.app.screen._compositor.render_strips())

    def rows(self) -> list[str]:
        """The rows of the screen."""
        return [strip.text.rstrip() for strip in self.strips()]

    @property
    def text(self) -> str:
        return "\n".join(self.rows()) + "\n"
