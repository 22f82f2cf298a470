"""Which game a log is (docs/log-format.md, The same game).

A game with an id of its own is stored under it. Another one gets an id made of its first lines: how it begins tells it
from nearly all others, and a number behind tells apart those that begin alike.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from domain import events as ev

HEAD: Final = 32
"""Lines that go into the id of a game without one: about a third of a hand."""
_PREFIX: Final = "log-"
_SHORT: Final = "s"
"""Stands in the id of a log that was shorter than HEAD when it was first imported; no digest has this letter."""


class Ids(NamedTuple):
    """`own`: the id that the log gives itself, or None. Else `new` is the id to store it under, perhaps with a number
    behind, and `alike` are the beginnings of the ids under which the same game may be stored already."""

    own: str | None
    new: str = ""
    alike: Sequence[str] = ()


def ids_of(opened: ev.GameOpened, forked: ev.GameForked | None, lines: Sequence[bytes]) -> Ids:
    """The ids of a log. What was forked goes by the new id from the last fork on, and so does the whole log."""
    own = opened.game if forked is None else forked.game
    if own is not None:
        return Ids(own)
    opening = f"{_PREFIX}{_digest(lines[:1], 6)}-"
    if len(lines) < HEAD:
        return Ids(None, f"{opening}{_SHORT}{_digest(lines, 5)}", [opening])
    new = f"{opening}{_digest(lines[:HEAD], 6)}"
    return Ids(None, new, [new, f"{opening}{_SHORT}"])


def digest_of(lines: Sequence[bytes]) -> str:
    """What tells a game again that was forgotten: of all its lines together, so that none can be guessed from it."""
    return _digest(lines, 32)


def _digest(lines: Sequence[bytes], digits: int) -> str:
    return hashlib.blake2b(b"\n".join(lines)).hexdigest()[:digits]
