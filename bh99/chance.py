"""Where chance comes from: `secrets` for games that are played, a seed for those that can be repeated.

With a seed it is the Mersenne Twister (MT19937), begun as Python's `random.Random` begins it for a whole number, and
read by `getrandbits`; how cards are shuffled with these bits is told in docs/dealing.md.
"""

import random
import secrets
from collections.abc import Iterable

from domain.shuffling import Bits, SomeCard, shuffled


class Chance:
    """A source of chance: it shuffles cards, and gives random bits.

    >>> Chance.seeded(7).shuffle(["Ac", "2c", "3c", "4c", "5c"])
    ['2c', '5c', 'Ac', '4c', '3c']
    """

    def __init__(self, bits: Bits = secrets.randbits) -> None:
        self.bits = bits

    @classmethod
    def seeded(cls, seed: int) -> "Chance":
        """Chance that can be repeated: the same seed gives the same cards everywhere."""
        return cls(random.Random(seed).getrandbits)

    def shuffle(self, cards: Iterable[SomeCard], /) -> list[SomeCard]:
        """The cards in a random order; each order is as likely."""
        return shuffled(cards, self.bits)
