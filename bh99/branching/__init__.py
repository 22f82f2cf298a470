"""Games that branch off from a line of another: forks, and the odds of what could have been (docs/whatif.md)."""

from bh99.branching.forking import fork
from bh99.branching.odds import Branch, Chance, SeatOdds, WhatIf, whatif

__all__ = ["Branch", "Chance", "SeatOdds", "WhatIf", "fork", "whatif"]
