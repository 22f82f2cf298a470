"""The loading duty (`loader`, R16): a row each time that it is given, with the loads done while it held.

Who is first out of a hand is the table's business, and may only show later; so loads find their duty at the hand's end.
"""

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter
from typing import Literal

import msgspec

from projections.statistics import Group


class DutyRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One row of `bh99 duty`. `loads` are the lines of the loads that were done while this duty held."""

    log: str | None = None
    """Which log, where there are several."""
    evening: Group = msgspec.UNSET
    month: Group = msgspec.UNSET
    rules: Group = msgspec.UNSET
    line: int
    hand: int
    player: str
    cause: Literal["first_out", "finished_bowl"]
    loads: list[int]


class Duties:
    """The duties of a game so far."""

    def __init__(self) -> None:
        self.rows: list[DutyRow] = []
        self._carried: DutyRow | None = None
        """Whose duty for a finished bowl outlasted the hand before."""
        self._finished: list[DutyRow] = []
        self._loads: list[int] = []
        self._left: list[tuple[int, str]] = []
        """What happened in this hand, by line: bowls finished, loads, and who left the table."""

    def bowl_finished(self, line: int, hand: int, player: str) -> None:
        self._finished.append(DutyRow(line=line, hand=hand, player=player, cause="finished_bowl", loads=[]))

    def loaded(self, line: int) -> None:
        self._loads.append(line)

    def left(self, line: int, player: str) -> None:
        self._left.append((line, player))

    def hand_over(self, hand: int, first_out: tuple[int, str] | None, *, voided: bool) -> None:
        """The hand ends. `first_out`: the line and the player; a void takes that duty away again."""
        carried = [] if self._carried is None else [self._carried]
        given = [*carried, *self._finished]
        if first_out is not None:
            line, player = first_out
            out = DutyRow(line=line, hand=hand, player=player, cause="first_out", loads=[])
            given = sorted([*given, out], key=attrgetter("line"))
        for load in self._loads:
            held = self._held_at(load, given)
            if held is not None:
                held.loads.append(load)
        if voided:
            given = [*carried, *self._finished]
        self.rows += [row for row in given if row is not self._carried]
        last = given[-1] if given and given[-1].cause == "finished_bowl" else None
        self._carried = last if last is not None and not self._has_left(last, None) else None
        self._finished, self._loads, self._left = [], [], []

    def _held_at(self, line: int, given: Sequence[DutyRow]) -> DutyRow | None:
        """The duty that held at a line: the one given last before it, unless its player has left since."""
        at = bisect_left(given, line, key=attrgetter("line"))
        held = given[at - 1] if at else None
        return None if held is None or self._has_left(held, line) else held

    def _has_left(self, held: DutyRow, line: int | None) -> bool:
        return any(
            player == held.player and held.line < at and (line is None or at < line) for at, player in self._left
        )
