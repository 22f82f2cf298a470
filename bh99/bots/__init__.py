"""Players that are programs: plain functions from what their seat sees to one of its choices (docs/playing.md).

`simple` are the opponents of live games; `tips` hold each to one piece of advice and play at random else, so that a
simulation can tell what it is worth; `counting` works out what others may hold.
"""

from typing import Final

from bh99.bots import tips
from bh99.bots.counting import counting
from bh99.bots.simple import at_random, careful, greedy
from bh99.errors import UnknownBot
from domain.deciding import Bot

BOTS: Final[dict[str, Bot]] = {
    "random": at_random,
    "greedy": greedy,
    "careful": careful,
    "within": tips.advised(tips.no_advice),
    "saving": tips.advised(tips.save_the_specials),
    "clubs-kept": tips.advised(tips.keep_the_thief),
    "smoking-out": tips.advised(tips.smoke_the_thief_out),
    "death-card": tips.advised(tips.dare_when_the_shield_is_gone),
    "tens-kept": tips.advised(tips.stay_up_between_two),
    "every-tip": tips.every_tip,
    "counting": counting,
}
"""The bots by their names."""


def bot_called(name: str) -> Bot:
    """The bot of that name. Raises UnknownBot."""
    if name not in BOTS:
        raise UnknownBot(name, BOTS)
    return BOTS[name]


__all__ = ["BOTS", "bot_called"]
