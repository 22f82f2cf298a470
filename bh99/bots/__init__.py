"""Players that are programs: plain functions from what their seat sees to one of its choices (docs/playing.md).

`simple` are the opponents of live games; `tips` hold each to one piece of advice and play at random else, so that a
simulation can tell what it is worth; `counting` works out what others may hold.
"""

from typing import Final

from bh99.bots.counting import counting
from bh99.bots.simple import at_random, careful, greedy
from bh99.bots.tips import clubs_kept, death_card, every_tip, saving, smoking_out, tens_kept, within
from domain.deciding import Bot

BOTS: Final[dict[str, Bot]] = {
    "random": at_random,
    "greedy": greedy,
    "careful": careful,
    "within": within,
    "saving": saving,
    "clubs-kept": clubs_kept,
    "smoking-out": smoking_out,
    "death-card": death_card,
    "tens-kept": tens_kept,
    "every-tip": every_tip,
    "counting": counting,
}
"""The bots by their names."""

__all__ = ["BOTS"]
