"""A reading of a log, and which of several count: the one with the fewest findings, for each part of the deals."""

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from domain.table import Table
from domain.trail import joined
from projections.finding import Finding, not_all_right
from projections.open_checks import OpenCheck, doubtful

Deals: TypeAlias = tuple[tuple[int, int], ...]
"""Some of the deals that agree with a log: the lines where it is silent on what they did, and which way was taken."""


class Reading:
    """One way that the game may have gone, what it costs, and what it leaves open."""

    __slots__ = ("agrees", "amended", "deals", "findings", "left_open", "table")

    def __init__(
        self,
        table: Table,
        findings: tuple[Finding, ...] = (),
        left_open: tuple[OpenCheck, ...] = (),
        deals: Deals = (),
        agrees: bool = True,
    ) -> None:
        self.table = table
        self.findings = findings
        self.left_open = left_open
        self.deals = deals
        """The deals that it stands for; after a fault, several readings stand for the same ones."""
        self.agrees = agrees
        """Whether some deal agrees with it."""
        self.amended: dict[tuple[int, str], Finding | None] = {}
        """What became of findings, by their line and rule, once their hand was looked at as a whole."""

    def copy(self) -> "Reading":
        twin = Reading(self.table.copy(), self.findings, self.left_open, self.deals, self.agrees)
        twin.amended = self.amended.copy()
        return twin

    def joined_by(self, other: "Reading") -> None:
        """Other deals have come to this table, if there are any: what isn't found in all of them is open."""
        if other.deals == self.deals or (self.agrees and not other.agrees):
            return
        if other.agrees and not self.agrees and len(other.findings) == len(self.findings):
            self.table.trail, self.agrees, self.deals = other.table.trail, True, other.deals
            self.findings, self.left_open, self.amended = other.findings, other.left_open, other.amended
            return
        self.table.trail = joined(self.table.trail, other.table.trail)
        self.findings, self.left_open = _in_all([self, other])
        shared = 0
        while self.deals[shared : shared + 1] == other.deals[shared : shared + 1] != ():
            shared += 1
        self.deals = self.deals[:shared]


def best_of(readings: Sequence[Reading]) -> Reading:
    return readings[0] if len(readings) == 1 else min(readings, key=lambda reading: len(reading.findings))


def as_one(readings: Sequence[Reading]) -> tuple[tuple[Finding, ...], tuple[OpenCheck, ...]]:
    """What all deals find, and what stays open."""
    if len(readings) == 1:
        return readings[0].findings, readings[0].left_open
    return _in_all(best_of_each_part(agreeing(readings)))


def best_of_each_part(readings: Sequence[Reading]) -> list[Reading]:
    """For each part of the deals the best reading of it, the best of all first."""
    parts = {reading.deals for reading in readings}
    best = [
        best_of([reading for reading in readings if reading.deals == part[: len(reading.deals)]])
        for part in parts
        if not any(other != part and other[: len(part)] == part for other in parts)
    ]
    first = best_of(readings)
    return [first, *(reading for reading in best if reading is not first)]


def agreeing(readings: Sequence[Reading]) -> Sequence[Reading]:
    """The readings of those parts of the deals that aren't empty, unless the others explain the log with fewer
    findings."""
    parts: dict[Deals, list[Reading]] = {}
    for reading in readings:
        parts.setdefault(reading.deals, []).append(reading)
    best = {deals: best_of(some) for deals, some in parts.items()}
    filled = {deals: one for deals, one in best.items() if one.agrees}
    if not filled or len(best_of([*filled.values()]).findings) > len(best_of(readings).findings):
        return readings
    return [reading for reading in readings if reading.deals in filled]


def _in_all(readings: Sequence[Reading]) -> tuple[tuple[Finding, ...], tuple[OpenCheck, ...]]:
    """What readings find that stand for some deals each: what all of them find, and what stays open.

    Where each finds something, and nothing in common, not all of these lines can be right.
    """
    keys = [{(finding.line, finding.rule) for finding in reading.findings} for reading in readings]
    common = set.intersection(*keys)
    left = {(check.line, check.rule): check for reading in readings for check in reading.left_open}
    for reading in readings:
        for finding in reading.findings:
            left.setdefault((finding.line, finding.rule), doubtful(finding.line, finding.rule, finding.player))
    found = tuple(finding for finding in readings[0].findings if (finding.line, finding.rule) in common)
    if not found and all(keys):
        found = (one_of([min(reading.findings, key=lambda one: one.line) for reading in readings]),)
    common = {(finding.line, finding.rule) for finding in found}
    return found, tuple(left[key] for key in sorted(left) if key not in common)


def one_of(findings: Sequence[Finding]) -> Finding:
    """One finding at the last of some lines that can't all be right."""
    last = max(findings, key=lambda one: one.line)
    others = {one.line for one in findings} - {last.line}
    if not others:
        return last
    return msgspec.structs.replace(
        last,
        message=f"{not_all_right([*sorted(others), last.line])}: either {last.message}; or one of the others is wrong",
        evidence=sorted({*last.evidence, *others}),
    )
