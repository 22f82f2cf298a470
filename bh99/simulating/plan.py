"""What is simulated: which rules, who sits where, how many games, and where their chance comes from."""

import functools
import random
from collections.abc import Sequence
from typing import Final

import msgspec

from bh99.bots import bot_called
from bh99.errors import NotSimulated
from domain import events as ev
from domain.deciding import Refused, open_game
from domain.rule_sets import RuleSet
from domain.shuffling import Bits

USUAL_HANDS: Final = 10
"""Hands of a game that has no match to win."""
MOST_HANDS: Final = 1000
"""Hands after which a match that found no end is left as it is."""
_GAMES_BITS: Final = 64


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that games are played by: the same plan gives the same games, on any machine, in any order.

    bots: the bot on each seat, clockwise. hands: after how many a game ends, if its match isn't won before.
    """

    rules: RuleSet
    players: tuple[str, ...]
    bots: tuple[str, ...]
    hands: int
    seed: int

    def opening(self, number: int) -> ev.GameOpened:
        """The first line of a game: its id and `ext` say where it comes from. Games are numbered from 1."""
        game = f"simulated-{self.seed}-{number}"
        ext = {"bots": dict(zip(self.players, self.bots, strict=True)), "seed": self.seed, "number": number}
        return msgspec.structs.replace(_opened(self.rules, self.players), game=game, ext=ext)

    def chance(self, number: int, deal: int = 0) -> Bits:
        """The chance of a game, or with `deal` that of one of its deals alone."""
        return random.Random(((self.seed << _GAMES_BITS | number) << _GAMES_BITS) | deal).getrandbits


def plan_of(rules: RuleSet, bots: Sequence[str], seed: int, hands: int | None = None) -> Plan:
    """A plan with these bots on the seats, each named after what sits on it. Raises UnknownBot and NotSimulated."""
    for bot in bots:
        bot_called(bot)
    players = tuple(f"{bot} {seat}" for seat, bot in enumerate(bots, 1))
    hands = hands or (MOST_HANDS if rules.tokens else USUAL_HANDS)
    plan = Plan(rules=rules, players=players, bots=tuple(bots), hands=hands, seed=seed)
    try:
        plan.opening(1)
    except Refused as refused:
        raise NotSimulated(str(refused)) from None
    if not 0 <= seed < 1 << 63:
        raise NotSimulated(f"the seed is {seed}; expected a whole number from 0 up, below 2^63")
    return plan


@functools.lru_cache(maxsize=8)
def _opened(rules: RuleSet, players: tuple[str, ...]) -> ev.GameOpened:
    """What the openings of all games have in common. Raises Refused."""
    return open_game(rules, players, _no_time, source="simulated")


def _no_time() -> None:
    """Simulated games have no time of their own: the same seed gives the same bytes."""
