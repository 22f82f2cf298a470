"""Shuffling, the same everywhere: chance comes from outside, as a function that gives random bits.

A pile is shuffled from its last place down to its second. For a place with n places up to and with it, numbers of as
many bits as n - 1 needs are drawn until one is below n; the cards in the two places change places (Fisher and Yates).
"""

import functools
from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias, TypeVar

from domain.cards import SeenCard

Bits: TypeAlias = Callable[[int], int]
"""Gives so many random bits, as a number from 0 up; `secrets.randbits` is one, `random.Random(7).getrandbits` too."""
SomeCard = TypeVar("SomeCard", bound=SeenCard)


class Shuffle(Protocol):
    """Puts cards into a random order."""

    def __call__(self, cards: Iterable[SomeCard], /) -> list[SomeCard]: ...


def below(number: int, bits: Bits) -> int:
    """A number from 0 up to, and without, `number`; each is as likely."""
    wanted = (number - 1).bit_length()
    drawn = bits(wanted) if wanted else 0
    while drawn >= number:
        drawn = bits(wanted)
    return drawn


@functools.lru_cache(maxsize=1024)
def _places(number: int) -> list[tuple[int, int]]:
    """The places of so many cards that are shuffled, from the last to the second, with the bits that each needs."""
    return [(place, place.bit_length()) for place in range(number - 1, 0, -1)]


def shuffled(cards: Iterable[SomeCard], bits: Bits) -> list[SomeCard]:
    """The cards in a random order; each order is as likely."""
    order = list(cards)
    for place, wanted in _places(len(order)):
        other = bits(wanted)
        while other > place:  # as `below` does, without a call for each card
            other = bits(wanted)
        order[place], order[other] = order[other], order[place]
    return order
