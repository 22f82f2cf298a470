"""A hand of which few deals are left, judged deal by deal: each as if every card of it had been logged.

Where a card was played unseen, what was said with it may be wrong in some deals; then, and after any other fault, how
the game went on may differ from deal to deal. What such a hand proves, and leaves open, is what all of its deals break,
and what some do.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from domain import events as ev
from domain.referee.verdicts import nearest_rule
from domain.table import Table
from domain.trail import Trail
from projections.deduction.dealing import Dealer, Dealt
from projections.deduction.filling import fill
from projections.deduction.history import Enters, History, Leaves
from projections.deduction.worlds import CannotFollow, followed
from projections.finding import Finding
from projections.open_checks import in_some_deals
from projections.reading import Reading, agreeing, as_one, best_of_each_part, one_of

if TYPE_CHECKING:
    from projections.audit import Audit

Key: TypeAlias = tuple[int, str]
"""The line and the rule of a finding."""
Found: TypeAlias = Mapping[Key, Finding | None]
"""What one deal breaks, each with its finding; without one, what is open even then."""
MOST_TRIES: Final = 400
"""Tries to deal the hand, each time in another way."""
MOST_LINES: Final = 8000
"""Lines that are judged for it, those of all deals taken together."""
TOO_MANY: Final = 1000 * MOST_TRIES
"""With so many ways to lie for the cards that are unseen at the end, it isn't even tried."""


class Broken:
    """What the deals of a hand break: in all of them, with a finding, or in some."""

    def __init__(self, deals: Sequence[Found]) -> None:
        self.deals = deals
        self.in_some = frozenset().union(*deals)
        self.in_all: dict[Key, Finding] = {}
        """What all deals break, with the finding of one of them."""
        self.on_lines: dict[int, Finding] = {}
        """Lines that break a rule in all deals, but not the same one, with the finding that most of them have."""
        broken = [{key: finding for key, finding in found.items() if finding} for found in deals]
        for key in sorted(set.intersection(*(set(found) for found in broken))):
            self.in_all[key] = broken[0][key]
        lines = set.intersection(*({line for line, _ in found} for found in broken))
        for line in sorted(lines - {line for line, _ in self.in_all}):
            self.on_lines[line] = _nearest(
                [finding for found in broken for (at, _), finding in found.items() if at == line]
            )

    def proves(self, finding: Finding, told: Callable[[Finding], Finding]) -> bool:
        """Whether each deal breaks the rule there; or, on the same line, another one; or another one on one of the
        lines that the finding names once it is `told`, as then one of these lines is wrong."""
        key = (finding.line, finding.rule)
        if key in self.in_all or key not in self.in_some:
            return key in self.in_all
        if finding.line in self.on_lines:
            return finding.rule == nearest_rule(finding.rule)
        evidence = told(finding).evidence
        return all(
            found.get(key) or any(line in evidence for (line, _), one in found.items() if one) for found in self.deals
        )

    def player_of(self, key: Key) -> str | None:
        """Whose fault it is in the first deal that finds it."""
        return next((finding.player for found in self.deals if (finding := found.get(key))), None)

    def besides(self, known: Collection[Key]) -> list[Finding]:
        """What is proved besides the findings that are known."""
        lines = {line for line, _ in known}
        found = [finding for key, finding in self.in_all.items() if key not in known]
        found += [finding for line, finding in self.on_lines.items() if line not in lines]
        told = "in every deal that agrees; in one of them"
        found = [msgspec.structs.replace(one, message=f"{told} {one.message}") for one in found]
        return [*found, *self._together(lines | {finding.line for finding in found})]

    def _together(self, proved: Collection[int]) -> Iterator[Finding]:
        """Findings on lines that can't all be right, each at the last of them, besides those that are `proved`."""
        left = [
            {line: finding for (line, _), finding in found.items() if finding and line not in proved}
            for found in self.deals
        ]
        while all(left):
            last = max(min(found) for found in left)
            lines = {line for found in left for line in found if line <= last}
            for line in sorted(lines - {last}):
                if all((lines - {line}) & found.keys() for found in left):
                    lines.remove(line)
            yield one_of([next(found[line] for found in left if line in found) for line in lines])
            for found in left:
                found.pop(last, None)


def _nearest(findings: Sequence[Finding]) -> Finding:
    """Where deals agree on a line but not on the rule: what most of them break, or `prize`, if that is of a prize."""
    rule, _ = Counter(finding.rule for finding in findings).most_common(1)[0]
    finding = next(finding for finding in findings if finding.rule == rule)
    return msgspec.structs.replace(finding, rule=nearest_rule(rule))


def deal_by_deal(start: "Audit", lines: Sequence[tuple[int, ev.Event]], readings: Sequence[Reading]) -> Broken | None:
    """What the deals of a hand break, each for itself; None if one reading tells it all and no play is unseen, or if
    there are too many deals, or none.

    `start`: an audit of a log with all cards up to the first of these lines, from which on some are unseen.
    """
    if not lines or _ways_to_lie(readings[0].table) > TOO_MANY:
        return None
    best = _as_written(best_of_each_part(agreeing(readings)), dict(lines))
    trails = best or _as_written(readings, dict(lines))[:1]
    try:
        told, alike = followed(trails)
    except CannotFollow:
        return None
    history = told[0]
    unseen = any(isinstance(move, Leaves) and history.spots[move.spot].card is None for move in history.moves)
    if not (unseen or len(readings) > 1) or not alike or len(told) > 1 or history.lost or history.begins != lines[0][0]:
        return None
    deals = Dealer(history).every_deal(MOST_LINES // len(lines), MOST_TRIES)
    if not deals:
        return None
    return Broken([_found(start, history, dealt, lines) for dealt in deals])


def _ways_to_lie(table: Table) -> int:
    """In how many ways the cards that nobody has seen may lie now, in which hand or in the stock; a first guess."""
    left = sum(table.unplaced.values())
    ways = math.factorial(left)
    for unseen in table.unseen.values():
        ways //= math.factorial(min(unseen, left))
        left -= min(unseen, left)
    return ways // math.factorial(left)


def _as_written(readings: Sequence[Reading], events: Mapping[int, ev.Event]) -> list[Trail]:
    """The trails on which it was they who moved cards whom the lines name."""

    def as_written(way: History) -> bool:
        moves = [
            one for one in way.moves if isinstance(one, Leaves) or (isinstance(one, Enters) and one.line != way.begins)
        ]
        return all(move.player == getattr(events.get(move.line), "player", move.player) for move in moves)

    trails = [reading.table.trail for reading in readings if reading.table.trail is not None]
    return [trail for trail in trails if all(map(as_written, followed([trail])[0]))]


def _found(start: "Audit", history: History, dealt: Dealt, lines: Sequence[tuple[int, ev.Event]]) -> Found:
    filled = dict(lines)
    fill(filled, history, dealt)
    audit = start.copy()
    audit.line = lines[0][0] - 1
    audit.follow(
        [event if event.seq is None else msgspec.structs.replace(event, seq=None) for event in filled.values()]
    )
    found: dict[Key, Finding | None] = {(check.line, check.rule): None for check in audit.summary.left_open}
    found |= {(finding.line, finding.rule): finding for finding in audit.findings}
    begins, known = lines[0][0], audit.of_the_frame
    return {key: finding for key, finding in found.items() if key[0] >= begins and key not in known}


def judged_by_deals(
    readings: Sequence[Reading],
    broken: Broken,
    settled: Sequence[Finding],
    begins: int,
    told: Callable[[Finding], Finding],
) -> list[Reading]:
    """The readings, all with just what their deals break from the line on where the unseen cards begin; those that
    others of the same deals better are left out.

    `settled`: what was found whatever the reading. `told`: gives a finding with its proof.
    """
    found, left_open = as_one(readings)
    amended = {key: after for reading in readings for key, after in reading.amended.items()}
    amended = {key: after for key, after in amended.items() if after is not None or key not in broken.in_all}
    for finding in settled:
        after = amended.get((finding.line, finding.rule), finding)
        if finding.line >= begins and after is not None and not broken.proves(after, told):
            amended[finding.line, finding.rule] = None
    kept = [one for one in found if one.line >= begins and broken.proves(one, told)]
    kept = [*{one.line if one.line in broken.on_lines else (one.line, one.rule): one for one in kept}.values()]
    stand = [*kept, *(one for one in settled if amended.get((one.line, one.rule), one) is not None)]
    kept += broken.besides({(finding.line, finding.rule) for finding in stand})
    for finding in kept:
        amended.pop((finding.line, finding.rule), None)
    lines = {finding.line for finding in (*stand, *kept)}
    known = {(check.line, check.rule): check for check in left_open}
    left = [check for check in left_open if check.line < begins]
    left += [
        known.get(key) or in_some_deals(*key, broken.player_of(key))
        for key in sorted(broken.in_some)
        if key[0] not in lines
    ]
    judged = []
    for reading in readings:
        if len(reading.findings) == min(len(other.findings) for other in readings if other.deals == reading.deals):
            before = (one for one in reading.findings if one.line < begins)
            judged.append(Reading(reading.table, (*before, *kept), tuple(left), reading.deals, reading.agrees))
            judged[-1].amended = amended.copy()
    return judged
