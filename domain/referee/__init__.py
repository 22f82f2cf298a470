"""The referee: what may come next at a table, and what was wrong with an event."""

from domain.referee.judge import judge
from domain.referee.legality import can_play, expected, playable

__all__ = ["can_play", "expected", "judge", "playable"]
