"""What could have been: each player's chances from a line on, as it happened and as it might have (docs/whatif.md)."""

from bh99.whatif.odds import Branch, Chance, SeatOdds, WhatIf, whatif

__all__ = ["Branch", "Chance", "SeatOdds", "WhatIf", "whatif"]
