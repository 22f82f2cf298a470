"""What a hand proves as a whole where some of its cards are unseen: findings that all its deals have, checks that stay
open, and what becomes of what was found line by line."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from domain import events as ev
from domain.trail import Trail, first_line, same_trail
from projections.amending import Calls, explained
from projections.evidence import evidence_for
from projections.finding import Finding
from projections.open_checks import doubtful, open_check
from projections.reading import Reading

if TYPE_CHECKING:
    from projections.deduction.verdicts import Proof, Proved, Verdicts

    Answer: TypeAlias = tuple[Trail, Collection[tuple[int, str]], Verdicts]
    """A trail, what was found on it already, and what it proves."""

Lines: TypeAlias = Sequence[tuple[int, ev.Event]]


class Conclusions:
    """Concludes hands, and tells their proofs where they are asked for."""

    def __init__(self) -> None:
        self._proofs: dict[int, tuple[Finding, Finding, Proof | None]] = {}
        """By its identity, a finding whose proof is still to be told, with that; or as it is told."""

    def copy(self) -> "Conclusions":
        """Independent conclusions, of the same hands so far."""
        twin = Conclusions()
        twin._proofs = self._proofs.copy()
        return twin

    def conclude(self, readings: Sequence[Reading], settled: Sequence[Finding], lines: Lines) -> list[Reading]:
        """The readings, each with what the unseen cards of its hand prove, and what they leave open.

        `settled`: what was found already, whatever the reading. `lines`: the standing lines of the hand.
        """
        asked: list[Answer] = []
        return [self._conclude(reading, settled, lines, asked) for reading in readings]

    def _conclude(self, reading: Reading, settled: Sequence[Finding], lines: Lines, asked: "list[Answer]") -> Reading:
        table = reading.table
        if table.trail is None:
            return reading
        begins = first_line(table.trail)
        found = {(one.line, one.rule) for one in (*settled, *reading.findings) if one.line >= begins}
        told = self._verdicts(table.trail, found, asked)
        proved = [self._proved(one, lines) for one in told.proved]
        together = {id(finding): one.together for finding, one in zip(proved, told.proved, strict=True)}
        calls = Calls.in_question(told, (*settled, *reading.findings), lines)
        if not proved and not told.open and told.agrees and not calls:
            return reading
        left_open = [open_check(one.line, one.rule, one.player, one.question, table.hand) for one in told.open]
        concluded = Reading(table, (), (), reading.deals, reading.agrees and told.agrees)
        concluded.amended = reading.amended.copy()
        for finding in (*settled, *reading.findings, *proved):
            key = (finding.line, finding.rule)
            if explained(finding, proved):
                concluded.amended[key] = None
                continue
            amended = calls.amended(finding, together.get(id(finding), ()))
            if amended is None:
                left_open.append(doubtful(finding.line, finding.rule, finding.player))
            elif amended is not finding and id(finding) in self._proofs:
                self._proofs[id(amended)] = (amended, amended, self._proofs[id(finding)][2])
            if amended is not finding:
                concluded.amended[key] = amended
        concluded.left_open = (*reading.left_open, *left_open)
        concluded.findings = tuple(
            amended
            for finding in (*reading.findings, *proved)
            if (amended := concluded.amended.get((finding.line, finding.rule), finding)) is not None
        )
        return concluded

    def _verdicts(self, trail: Trail, found: Collection[tuple[int, str]], asked: "list[Answer]") -> "Verdicts":
        """What a trail proves; readings that differ in anything but cards have the same one."""
        from projections.deduction.verdicts import verdicts  # a log with all cards pays nothing for it

        for other, other_found, told in asked:
            if found == other_found and same_trail(trail, other):
                return told
        told = verdicts(trail, found)
        asked.append((trail, found, told))
        return told

    def _proved(self, proved: "Proved", lines: Lines) -> Finding:
        """A finding whose proof is still to be told."""
        fault, line = proved.fault, proved.line
        before = [(at, event) for at, event in lines if at < line]
        around = [] if fault.kind == "nonsense" else evidence_for(fault, line, before)
        finding = Finding(
            line=line,
            rule=fault.rule,
            player=fault.player,
            message=fault.message,
            expected=[fault.allowed] if fault.allowed else [],
            evidence=around,
        )
        self._proofs[id(finding)] = (finding, finding, proved.proof)
        return finding

    def told(self, finding: Finding) -> Finding:
        """A finding with its proof, if it has one that wasn't told yet."""
        _, told, proof = self._proofs.get(id(finding), (finding, finding, None))
        if proof is None:
            return told
        from projections.deduction.history import TooLarge

        try:
            because, evidence = proof()
        except TooLarge:
            because, evidence = "", []
        told = msgspec.structs.replace(
            finding,
            message=finding.message + because,
            evidence=sorted({*finding.evidence, *evidence} - {finding.line}),
        )
        self._proofs[id(finding)] = (finding, told, None)
        return told

    def forget(self) -> None:
        """Forget the proofs, as all of them have been told."""
        self._proofs.clear()
