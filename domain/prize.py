"""Hits at stake: a prize as a value on the table, and arithmetic with hits that nobody wrote down."""

import msgspec

from domain.events import PrizeName


class Prize(msgspec.Struct):
    """Hits that somebody holds after a win: the main prize, or the bonus. The table changes it as the log goes on."""

    name: PrizeName
    holder: str
    hits: int | None
    """Hits not yet taken, given or left; None if nobody wrote down how many were at stake."""
    step: int | None
    """Index of the club that it slides to next; None for a prize that does not move."""
    settled_at: int | None = None
    """The line that first took, gave or left hits of it."""


def plus(hits: int | None, more: int | None) -> int | None:
    """A sum of hits; None if one of them isn't known."""
    return None if hits is None or more is None else hits + more
