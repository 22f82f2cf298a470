"""How sure a rate is that was counted in a sample: intervals that hold the true one in 95 of 100 samples."""

import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import Final

import msgspec

CONFIDENCE: Final = 0.95
_Z: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Rate(msgspec.Struct, frozen=True):
    """How often something happened: `times` out of `of`, the share from 0 to 1, and the ends of its interval."""

    times: int
    of: int
    rate: float
    low: float
    high: float


def rate_of(times: int, of: int) -> Rate:
    """How often something happened, with its interval; of nothing it is anywhere."""
    share = times / of if of else 0.0
    return Rate(times, of, share, *interval(share, of))


def interval(share: float, of: float) -> tuple[float, float]:
    """The ends of the interval of a share (Wilson's, which holds for rare things and for few as well).

    of: how many it was counted in, or how many even ones those are worth.
    """
    if not of:
        return 0.0, 1.0
    slack = _Z * _Z / of
    middle = (share + slack / 2) / (1 + slack)
    reach = _Z / (1 + slack) * math.sqrt(max(0.0, share * (1 - share)) / of + slack / of / 4)
    low = max(0.0, middle - reach) if share > 0 else 0.0
    high = min(1.0, middle + reach) if share < 1 else 1.0
    return low, high


class Mean(msgspec.Struct, frozen=True):
    """A mean of so many numbers, and how far its interval reaches to either side."""

    mean: float
    reach: float
    of: int


def mean_of(numbers: Iterable[tuple[float, int]]) -> Mean:
    """The mean of numbers, each with how often it came."""
    counted = [(number, times) for number, times in numbers if times]
    of = sum(times for _, times in counted)
    if of < 2:
        return Mean(sum(number * times for number, times in counted), math.inf, of)
    mean = math.fsum(number * times for number, times in counted) / of
    spread = math.fsum((number - mean) ** 2 * times for number, times in counted) / (of - 1)
    return Mean(mean, _Z * math.sqrt(spread / of), of)
