"""What a file of entries holds, line by line."""

import datetime
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

Header: TypeAlias = Literal["players", "rules", "game", "dealer", "draws", "omits"]
BEGINS: Final = ("game", "players")
"""What begins the next game, once the one before has an entry."""


class Opens(NamedTuple):
    """Says how a game is played or written down; `game` or `players` begins the next game."""

    line: int
    word: Header
    values: Sequence[str]


class Entered(NamedTuple):
    """An entry of the shorthand, in words."""

    line: int
    words: list[str]
    note: str | None = None
    at: datetime.datetime | None = None


class Wrong(NamedTuple):
    """A line that can't be read, and what was expected."""

    line: int
    message: str


Row: TypeAlias = Opens | Entered | Wrong
