"""Many games shared out among processes, some at a time."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NoReturn, TypeVar

import msgspec

from bh99.errors import NotSimulated
from bh99.workers import in_processes

GAMES: Final = 100
"""Games that a process plays before it says what they came to."""


class Batch(msgspec.Struct, frozen=True):
    """Some of the games, by their numbers."""

    numbers: range

    @property
    def name(self) -> str:
        return f"games {self.numbers.start} to {self.numbers.stop - 1}"


SomeBatch = TypeVar("SomeBatch", bound=Batch)
Answer = TypeVar("Answer")


def numbers_of(games: int) -> list[range]:
    """The numbers of so many games, from 1 on, some at a time."""
    return [range(at, min(at + GAMES, games + 1)) for at in range(1, games + 1, GAMES)]


def each_batch(
    work: Callable[[SomeBatch], Answer], batches: Sequence[SomeBatch], processes: int | None
) -> Iterator[Answer]:
    """What each batch came to, in order. `processes`: as many as there are processors, if it isn't said.

    Raises NotSimulated where a process was ended from outside.
    """
    processes = min(processes or os.cpu_count() or 1, len(batches))
    if processes < 2:
        yield from map(work, batches)
    else:
        yield from in_processes(work, batches, processes, _stopped)


def _stopped(batch: Batch) -> NoReturn:
    raise NotSimulated(f"{batch.name}: the process that played them was ended from outside")
