"""A hand of which few deals are left, judged deal by deal: each as if every card of it had been logged.

Where a card was played unseen, what was said with it may be wrong in some deals, and how the table went on then (R6)
differs from deal to deal. What such a hand proves, and leaves open, is what all of its deals break, and some.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import msgspec

from domain import events as ev
from domain.trail import Trail
from projections.deduction.dealing import Dealer, Dealt
from projections.deduction.filling import fill
from projections.deduction.history import History, Leaves
from projections.deduction.worlds import CannotFollow, followed
from projections.finding import Finding
from projections.open_checks import doubtful
from projections.reading import Reading

if TYPE_CHECKING:
    from projections.audit import Audit

Key: TypeAlias = tuple[int, str]
"""The line and the rule of a finding."""
MOST_DEALS: Final = 400
"""Deals that are gone through one by one; and ways that are tried to find them, ten times as many."""


class Broken(NamedTuple):
    """What is broken in every deal of a hand, with the finding of one of them, and what in some."""

    in_all: Mapping[Key, Finding]
    in_some: frozenset[Key]


def deal_by_deal(start: "Audit", lines: Sequence[tuple[int, ev.Event]], trails: Sequence[Trail]) -> Broken | None:
    """What the deals of a hand break, each for itself; None if none of its plays is unseen, there are too many deals,
    or none.

    `start`: an audit of a log with all cards up to the first of these lines, from which on some are unseen.
    """
    try:
        told, alike = followed(trails)
    except CannotFollow:
        return None
    history = told[0]
    unseen = any(isinstance(move, Leaves) and history.spots[move.spot].card is None for move in history.moves)
    if not unseen or not alike or len(told) > 1 or history.lost or history.begins != lines[0][0]:
        return None
    deals = Dealer(history).every_deal(MOST_DEALS)
    if not deals:
        return None
    broken = [_broken(start, history, dealt, lines) for dealt in deals]
    every = frozenset.intersection(*(frozenset(found) for found in broken))
    in_all = {key: finding for key in every if (finding := broken[0][key]) and all(found[key] for found in broken)}
    return Broken(in_all, frozenset().union(*broken) - in_all.keys())


def _broken(
    start: "Audit", history: History, dealt: Dealt, lines: Sequence[tuple[int, ev.Event]]
) -> dict[Key, Finding | None]:
    """What one deal breaks, and, without a finding, what even then is open."""
    filled = dict(lines)
    fill(filled, history, dealt)
    audit = start.copy()
    for line, event in filled.items():
        if not isinstance(event, ev.TakenBack | ev.RulingMade):
            audit.line = line - 1
            audit.follow([msgspec.structs.replace(event, seq=None)])
    broken: dict[Key, Finding | None] = {(check.line, check.rule): None for check in audit.summary.left_open}
    return broken | {(finding.line, finding.rule): finding for finding in audit.findings}


def judged_by_deals(reading: Reading, broken: Broken, settled: Sequence[Finding], begins: int) -> Reading:
    """A reading with just what its deals break from the line on where the hand begins; `settled`: what was found in
    it whatever the reading."""
    found = (*settled, *reading.findings)
    keys = {(one.line, one.rule) for one in found}
    nowhere = {key for key in keys if key[0] >= begins} - broken.in_all.keys() - broken.in_some
    missing = [_in_every_deal(broken.in_all[key]) for key in sorted(broken.in_all.keys() - keys)]
    stand = tuple(one for one in reading.findings if (one.line, one.rule) not in nowhere)
    lines = {one.line for one in (*settled, *stand, *missing)}
    left = {(check.line, check.rule): check for check in reading.left_open}
    judged = Reading(reading.table, (*stand, *missing), (), reading.deals, reading.agrees)
    judged.amended = reading.amended | dict.fromkeys(nowhere)
    judged.left_open = (
        *(check for check in reading.left_open if check.line < begins),
        *(left.get(key) or doubtful(*key, None) for key in sorted(broken.in_some) if key[0] not in lines),
    )
    return judged


def _in_every_deal(finding: Finding) -> Finding:
    return msgspec.structs.replace(finding, message=f"in every deal that agrees; in one of them {finding.message}")
