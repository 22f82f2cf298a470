"""Whether shuffling favours a place or a card: a million shuffles of 52 cards, counted by place and card.

    uv run python benchmarks/shuffles.py [SHUFFLES] [--seed N]

Chance is `secrets`, or with `--seed` one seeded source a process, and then the figures are the same each time. Printed
are the chi-square statistic, its degrees of freedom, and how likely a fair shuffle gives one as high; the exit status
is 1 where that is under 1 in 10,000.

Every shuffle puts one card into each place and each card into one place. So rows and columns of the table always come
out even, (52 - 1) * (52 - 1) degrees of freedom are left, and each cell varies a little more than by itself: by
52 / 51. The statistic is divided by that.
"""

import argparse
import math
import multiprocessing
import os
import pathlib
import sys
import time
from collections import Counter
from collections.abc import Sequence

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from bh99.chance import Chance  # noqa: E402
from domain.cards import DECK  # noqa: E402

SHUFFLES = 1_000_000
BATCH = 2_000
TOO_UNLIKELY = 0.0001


def counted(shuffles: int, seed: int | None) -> list[Counter[str]]:
    """How often each card came to each place."""
    chance = Chance() if seed is None else Chance.seeded(seed)
    places: list[Counter[str]] = [Counter() for _ in DECK]
    left = shuffles
    while left:
        batch = min(left, BATCH)
        left -= batch
        for place, cards in zip(places, zip(*(chance.shuffle(DECK) for _ in range(batch)), strict=True), strict=True):
            place.update(cards)
    return places


def statistic(places: Sequence[Counter[str]], shuffles: int) -> float:
    """Chi-square of the table of places and cards."""
    size = len(places)
    each = shuffles / size
    whole = sum((place[card] - each) ** 2 for place in places for card in DECK) / each
    return whole * (size - 1) / size


def tail(value: float, freedom: int) -> float:
    """How likely chi-square is at least that high: the incomplete gamma function, by its series or its fraction."""
    a, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return 1 - front * total
    b = x + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for i in range(1, 100_000):
        an = i * (a - i)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


def all_processes(shuffles: int, seed: int | None) -> list[Counter[str]]:
    """The same, shared out among as many processes as there are cores."""
    processes = os.cpu_count() or 1
    shares = [shuffles // processes + (at < shuffles % processes) for at in range(processes)]
    jobs = [(share, None if seed is None else seed + at) for at, share in enumerate(shares)]
    places: list[Counter[str]] = [Counter() for _ in DECK]
    with multiprocessing.Pool(processes) as pool:
        for part in pool.starmap(counted, jobs):
            for place, more in zip(places, part, strict=True):
                place.update(more)
    return places


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("shuffles", nargs="?", type=int, default=SHUFFLES)
    parser.add_argument("--seed", type=int)
    asked = parser.parse_args()
    start = time.perf_counter()
    places = all_processes(asked.shuffles, asked.seed)
    freedom = (len(DECK) - 1) ** 2
    value = statistic(places, asked.shuffles)
    likely = tail(value, freedom)
    low, high = (pick(place[card] for place in places for card in DECK) for pick in (min, max))
    print(f"{asked.shuffles} shuffles, {'secrets' if asked.seed is None else f'seed {asked.seed}'}")
    print(f"each card in each place {low} to {high} times; expected {asked.shuffles / len(DECK):.1f}")
    print(f"chi-square {value:.1f} with {freedom} degrees of freedom, p = {likely:.4f}")
    print(f"{time.perf_counter() - start:.0f} s")
    return 1 if likely < TOO_UNLIKELY else 0


if __name__ == "__main__":
    sys.exit(main())
