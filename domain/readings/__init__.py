"""How a game may have gone on after a fault: each reading is a table of its own (one fault, one finding)."""

from domain.readings.going_on import Outcome, fork, go_on
from domain.readings.ways import prove

__all__ = ["Outcome", "fork", "go_on", "prove"]
