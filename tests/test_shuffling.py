"""Shuffling: each order is as likely, and the same seed gives the same cards everywhere."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bh99.chance import Chance
from domain.cards import DECK, Card, SeenCard
from domain.shuffling import Bits, below, shuffled

CARDS = st.lists(st.sampled_from([*DECK, None]), max_size=110)
FREEDOM = (len(DECK) - 1) ** 2
TOO_HIGH = 2878
"""Chi-square with so many degrees of freedom is higher once in 10,000 times."""
SHUFFLES = 20_000
VECTOR = (
    "8c 8d As 7h 5d Tc 7d 9s Th Qh Ks 4c 4h Ac 6s 3h 2c Jh 2s 7s Td 4s 3c Jc 6d Ts "
    "5h 8s 5c 7c 9d 2h 3s Jd Ad Ah Js 6h 5s 9h 8h Qs 4d 6c 9c 3d 2d Qc Kh Kc Qd Kd"
)
"""A deck shuffled with the seed 99."""


def told(numbers: Sequence[int]) -> tuple[Bits, list[int]]:
    """Bits that are these numbers, one after the other; and how many were asked for each time."""
    left, asked = list(numbers), list[int]()

    def bits(number: int) -> int:
        asked.append(number)
        return left.pop(0)

    return bits, asked


# ---- a number below another ----


def test_below_takes_each_number_once_and_draws_again_for_a_higher_one() -> None:
    """Of all numbers of so many bits, those below are taken as they come: so each is as likely."""
    for number in range(2, 130):
        size = next(size for size in range(1, 9) if 2**size >= number)
        for drawn in range(2**size):
            bits, asked = told([drawn, drawn, 0])
            assert below(number, bits) == (drawn if drawn < number else 0)
            assert asked == [size] * (1 if drawn < number else 3)


def test_below_one_needs_no_chance() -> None:
    bits, asked = told([])
    assert (below(1, bits), asked) == (0, [])


def test_below_is_even_with_a_seed() -> None:
    bits = Chance.seeded(11).bits
    found = Counter(below(6, bits) for _ in range(60_000))
    assert set(found) == set(range(6))
    assert sum((times - 10_000) ** 2 for times in found.values()) / 10_000 < 25.7  # five degrees of freedom


# ---- each order ----


@given(cards=CARDS, seed=st.integers(0, 2**64))
def test_a_shuffle_keeps_the_cards(cards: list[SeenCard], seed: int) -> None:
    before = cards.copy()
    found = Chance.seeded(seed).shuffle(cards)
    assert Counter(found) == Counter(before)
    assert cards == before


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_each_order_comes_of_one_way_to_draw(size: int) -> None:
    pile: list[Card] = list(DECK[:size])
    ways = itertools.product(*(range(place + 1) for place in range(size - 1, 0, -1)))
    orders = Counter(tuple(shuffled(pile, told(way)[0])) for way in ways)
    assert orders == Counter(itertools.permutations(pile))


def test_nothing_to_shuffle_needs_no_chance() -> None:
    bits, asked = told([])
    assert (shuffled(DECK[:0], bits), shuffled(DECK[:1], bits), asked) == ([], ["Ac"], [])


# ---- the same everywhere: the algorithm once more, from what the docs say of it ----


def twister(seed: int) -> Iterator[int]:
    """The 32-bit numbers of MT19937, begun with the array of the 32-bit parts of a whole number, lowest first."""
    key = [seed >> 32 * at & 0xFFFFFFFF for at in range(max(1, (seed.bit_length() + 31) // 32))]
    state = [19650218]
    for at in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + at) & 0xFFFFFFFF)
    at = 1
    for step in range(max(624, len(key))):
        part = step % len(key)
        mixed = (state[at] ^ (state[at - 1] ^ state[at - 1] >> 30) * 1664525) + key[part] + part
        state[at] = mixed & 0xFFFFFFFF
        at += 1
        if at == 624:
            state[0], at = state[623], 1
    for _ in range(623):
        state[at] = ((state[at] ^ (state[at - 1] ^ state[at - 1] >> 30) * 1566083941) - at) & 0xFFFFFFFF
        at += 1
        if at == 624:
            state[0], at = state[623], 1
    state[0] = 1 << 31
    while True:
        for at in range(624):
            both = (state[at] & 0x80000000) | (state[(at + 1) % 624] & 0x7FFFFFFF)
            state[at] = state[(at + 397) % 624] ^ both >> 1 ^ (0x9908B0DF if both & 1 else 0)
        for word in state:
            word ^= word >> 11
            word ^= word << 7 & 0x9D2C5680
            word ^= word << 15 & 0xEFC60000
            yield word ^ word >> 18


def shuffled_once_more(cards: Sequence[str], seed: int) -> list[str]:
    """From the last place down to the second, each with one up to and with itself; bits are the top ones of a word."""
    words, order = twister(seed), list(cards)
    for places in range(len(order), 1, -1):
        size = len(bin(places - 1)) - 2
        other = next(drawn for drawn in (word >> 32 - size for word in words) if drawn < places)
        last = order[places - 1]
        order[places - 1] = order[other]
        order[other] = last
    return order


@pytest.mark.parametrize("seed", [0, 1, 7, 99, 2**31, 2**32 + 5, 2**80 + 3])
def test_a_seed_gives_the_same_cards_everywhere(seed: int) -> None:
    chance = Chance.seeded(seed)
    assert chance.shuffle(DECK) == shuffled_once_more(DECK, seed)


def test_a_seed_gives_these_cards() -> None:
    """Written down once, so that no later version deals otherwise."""
    assert " ".join(Chance.seeded(99).shuffle(DECK)) == VECTOR


def test_secrets_give_other_cards_each_time() -> None:
    chance = Chance()
    assert chance.shuffle(DECK) != chance.shuffle(DECK)


# ---- many shuffles ----


def by_place_and_card(shuffle: Callable[[Sequence[Card]], Sequence[Card]], shuffles: int) -> float:
    """Chi-square of how often each card comes to each place.

    Each shuffle fills each place once and lays each card once, so each cell varies by 52 / 51 more than by itself
    (benchmarks/shuffles.py does the same with a million).
    """
    places: list[Counter[Card]] = [Counter() for _ in DECK]
    for _ in range(shuffles // 1000):
        for place, cards in zip(places, zip(*(shuffle(DECK) for _ in range(1000)), strict=True), strict=True):
            place.update(cards)
    each = shuffles / len(DECK)
    whole = sum((place[card] - each) ** 2 for place in places for card in DECK) / each
    return whole * (len(DECK) - 1) / len(DECK)


def test_no_place_and_no_card_is_favoured() -> None:
    found = by_place_and_card(Chance.seeded(2026).shuffle, SHUFFLES)
    assert FREEDOM - 270 < found < TOO_HIGH


def any_with_any(cards: Sequence[Card], bits: Bits) -> list[Card]:
    """A well-known way to get it wrong: each place with any other."""
    order = list(cards)
    for place in range(len(order)):
        other = below(len(order), bits)
        order[place], order[other] = order[other], order[place]
    return order


def never_itself(cards: Sequence[Card], bits: Bits) -> list[Card]:
    """Another one: no place with itself."""
    order = list(cards)
    for place in range(len(order) - 1, 0, -1):
        other = below(place, bits)
        order[place], order[other] = order[other], order[place]
    return order


@pytest.mark.parametrize("wrong", [any_with_any, never_itself])
def test_a_wrong_shuffle_would_show(wrong: Callable[[Sequence[Card], Bits], list[Card]]) -> None:
    bits = Chance.seeded(2026).bits
    assert by_place_and_card(lambda cards: wrong(cards, bits), SHUFFLES // 2) > TOO_HIGH
