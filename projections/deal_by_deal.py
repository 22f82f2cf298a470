"""A hand of which few deals are left, judged deal by deal: each as if every card of it had been logged.

Where a card was played unseen, what was said with it may be wrong in some deals, and how the table went on then (R6)
differs from deal to deal. What such a hand proves, and leaves open, is what all of its deals break, and some.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from domain import events as ev
from domain.trail import Trail
from projections.deduction.dealing import Dealer, Dealt
from projections.deduction.filling import fill
from projections.deduction.history import History, Leaves
from projections.deduction.worlds import CannotFollow, followed
from projections.finding import Finding
from projections.open_checks import doubtful
from projections.reading import Reading, agreeing, best_of_each_part

if TYPE_CHECKING:
    from projections.audit import Audit

Key: TypeAlias = tuple[int, str]
"""The line and the rule of a finding."""
Found: TypeAlias = Mapping[Key, Finding | None]
"""What one deal breaks, each with its finding; without one, what is open even then."""
MOST_DEALS: Final = 400
"""Deals that are gone through one by one, and tries to deal them."""
_OF_PRIZES: Final = ("steal", "bonus", "slide")


class Broken:
    """What the deals of a hand break: in all of them, with a finding, or in some."""

    def __init__(self, deals: Sequence[Found]) -> None:
        self.deals = deals
        self.in_all = _in_all(deals)
        self.in_some = frozenset().union(*deals) - self.in_all.keys()

    def proves(self, finding: Finding) -> bool:
        """Whether each deal breaks the rule there, or another one on one of the lines that the finding names."""
        key = (finding.line, finding.rule)
        if key not in self.in_some:
            return key in self.in_all
        return all(
            found.get(key) or any(line in finding.evidence for (line, _), one in found.items() if one)
            for found in self.deals
        )


def _in_all(deals: Sequence[Found]) -> dict[Key, Finding]:
    """What all deals break. If they agree on the line but not on the rule, it is the one that most of them break, or
    `prize`, if it is one of a prize's."""
    broken = [{key: finding for key, finding in found.items() if finding} for found in deals]
    every = set.intersection(*(set(found) for found in broken))
    in_all = {key: broken[0][key] for key in sorted(every)}
    lines = set.intersection(*({line for line, _ in found} for found in broken))
    for at in sorted(lines - {line for line, _ in every}):
        rules = Counter(rule for found in broken for line, rule in found if line == at)
        rule, _ = rules.most_common(1)[0]
        finding = next(found[at, rule] for found in broken if (at, rule) in found)
        rule = "prize" if rule in _OF_PRIZES else rule
        in_all[at, rule] = msgspec.structs.replace(finding, rule=rule)
    return in_all


def deal_by_deal(
    start: "Audit", lines: Sequence[tuple[int, ev.Event]], readings: Sequence[Reading]
) -> Broken | None:
    """What the deals of a hand break, each for itself; None if none of its plays is unseen, there are too many deals,
    or none.

    `start`: an audit of a log with all cards up to the first of these lines, from which on some are unseen.
    """
    best = _as_written(best_of_each_part(agreeing(readings)), dict(lines))
    trails = best or _as_written(readings, dict(lines))[:1]
    try:
        told, alike = followed(trails)
    except CannotFollow:
        return None
    history = told[0]
    unseen = any(isinstance(move, Leaves) and history.spots[move.spot].card is None for move in history.moves)
    if not unseen or not alike or len(told) > 1 or history.lost or history.begins != lines[0][0]:
        return None
    deals = Dealer(history).every_deal(MOST_DEALS)
    return Broken([_found(start, history, dealt, lines) for dealt in deals]) if deals else None


def _as_written(readings: Sequence[Reading], events: Mapping[int, ev.Event]) -> list[Trail]:
    """The trails on which it was they who moved cards whom the lines name."""

    def as_written(way: History) -> bool:
        moves = [move for move in way.moves if isinstance(move, Leaves) or move.line != way.begins]
        return all(move.player == getattr(events.get(move.line), "player", move.player) for move in moves)

    trails = [reading.table.trail for reading in readings if reading.table.trail is not None]
    return [trail for trail in trails if all(map(as_written, followed([trail])[0]))]


def _found(start: "Audit", history: History, dealt: Dealt, lines: Sequence[tuple[int, ev.Event]]) -> Found:
    filled = dict(lines)
    fill(filled, history, dealt)
    audit = start.copy()
    for line, event in filled.items():
        if not isinstance(event, ev.TakenBack | ev.RulingMade):
            audit.line = line - 1
            audit.follow([msgspec.structs.replace(event, seq=None)])
    found: dict[Key, Finding | None] = {(check.line, check.rule): None for check in audit.summary.left_open}
    found |= {(finding.line, finding.rule): finding for finding in audit.findings}
    return {key: finding for key, finding in found.items() if key[0] >= lines[0][0]}


def judged_by_deals(reading: Reading, broken: Broken, settled: Sequence[Finding], begins: int) -> Reading:
    """A reading with just what its deals break from the line on where its unseen cards begin; `settled`: what was
    found in it whatever the reading. The findings have their proofs told."""
    amended = {key: after for key, after in reading.amended.items() if after is not None or key not in broken.in_all}
    for finding in (*settled, *reading.findings):
        if finding.line >= begins and not broken.proves(finding):
            amended[finding.line, finding.rule] = None
    stand = [one for one in (*settled, *reading.findings) if amended.get((one.line, one.rule), one) is not None]
    missing = broken.in_all.keys() - {(one.line, one.rule) for one in stand}
    proved = tuple(_in_every_deal(broken.in_all[key]) for key in sorted(missing))
    lines = {finding.line for finding in (*stand, *proved)}
    left = {(check.line, check.rule): check for check in reading.left_open}
    left_open = [check for check in reading.left_open if check.line < begins]
    left_open += [
        left.get((line, rule)) or doubtful(line, rule, None)
        for line, rule in sorted(broken.in_some)
        if line not in lines
    ]
    findings = (*(one for one in reading.findings if one in stand), *proved)
    judged = Reading(reading.table, findings, tuple(left_open), reading.deals, reading.agrees)
    judged.amended = amended
    return judged


def _in_every_deal(finding: Finding) -> Finding:
    return msgspec.structs.replace(finding, message=f"in every deal that agrees; in one of them {finding.message}")
