"""The game as each seat sees it: whatever reaches the screen comes from here, so that a hidden hand can't."""

from collections.abc import Iterable, Sequence
from typing import Final

from domain import events as ev
from projections.frames import Replay
from projections.seat_view import as_seen_by

NOBODY: Final = ""
"""A seat that nobody has, as no name is empty: it sees what the whole table sees."""


class SeatViews:
    """A game told once for each person at this terminal, and once for everybody."""

    def __init__(self, people: Iterable[str], events: Sequence[ev.AnyEvent]) -> None:
        self._games = {
            seat: Replay([as_seen_by(seat, event) for event in events]) for seat in dict.fromkeys([NOBODY, *people])
        }

    def extend(self, events: Sequence[ev.AnyEvent]) -> None:
        """Tell each of them what has happened."""
        for seat, game in self._games.items():
            game.extend([as_seen_by(seat, event) for event in events])

    def seen_by(self, seat: str | None) -> Replay:
        """The game as a person sees it, or as everybody does."""
        return self._games[NOBODY if seat is None else seat]
