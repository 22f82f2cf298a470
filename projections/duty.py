"""The loading duty (`loader`, R16): a row each time that it is given, with the loads done while it held.

Who has the duty is the table's business; this only writes down when it was given, and why.
"""

from typing import Literal

import msgspec

from domain.table import Table
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
        self._first_out: DutyRow | None = None
        """The duty of this hand's first player out, if somebody is out."""

    def bowl_finished(self, table: Table, player: str, line: int) -> None:
        if table.rules.prize is not None:
            self._add(DutyRow(line=line, hand=table.hand, player=player, cause="finished_bowl", loads=[]))

    def loaded(self, table: Table, line: int) -> None:
        """Somebody loads, at the table as it was before."""
        self._look_who_is_out(table)
        if table.loader is not None:
            held = next((row for row in reversed(self.rows) if row.player == table.loader), None)
            if held is not None:
                held.loads.append(line)

    def hand_over(self, table: Table, *, voided: bool) -> None:
        """The hand ends; a duty that it gave to its first player out falls away with it if it is voided."""
        self._look_who_is_out(table)
        if voided and self._first_out is not None:
            self.rows.remove(self._first_out)
        self._first_out = None

    def _look_who_is_out(self, table: Table) -> None:
        """Somebody may have been the first one out since the last look, or another one than it seemed then."""
        if table.rules.prize is None or table.first_out == (self._first_out and self._first_out.player):
            return
        if self._first_out is not None:
            self.rows.remove(self._first_out)
            self._first_out = None
        out = table.outs.get(table.first_out or "")
        if out is not None and table.first_out is not None:
            self._first_out = DutyRow(
                line=out.line, hand=table.hand, player=table.first_out, cause="first_out", loads=[]
            )
            self._add(self._first_out)

    def _add(self, row: DutyRow) -> None:
        """Add a row in the order of lines; mostly it is the last one."""
        at = len(self.rows)
        while at and self.rows[at - 1].line > row.line:
            at -= 1
        self.rows.insert(at, row)
