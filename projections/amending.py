"""What a hand proves as a whole changes what was found line by line: one fault is one finding."""

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from domain import events as ev
from domain.referee.verdicts import Among
from projections.finding import Finding

if TYPE_CHECKING:
    from projections.deduction.verdicts import Verdicts

ON_THE_COUNT: Final = frozenset(
    ("must-play", "limit", "count-called", "death-card-target", "death-card-shield", "death-card-blowback", "border")
)
"""Rules that are judged by the Count."""


def explained(finding: Finding, proved: Collection[Finding]) -> bool:
    """Whether a proof says what was wrong: somebody who is out acts again, as they should not have gone out; or what
    a card makes of the Count doesn't fit, as it wasn't that card."""
    if finding.rule == "turn-order":
        return any(one.line == finding.line and one.rule == "out" for one in proved)
    if finding.rule in ("out", "last-standing"):
        gone = [one for one in proved if one.rule in ("must-play", "death-card-shield")]
        same = finding.rule == "last-standing"
        return any(one.line in finding.evidence and (same or one.player == finding.player) for one in gone)
    not_that_card = finding.rule in ON_THE_COUNT
    return not_that_card and any(one.line == finding.line and one.rule == "hold-card" for one in proved)


class Calls:
    """Counts that were said with unseen cards and may be wrong: until it is said with another card, the Count isn't
    sure (R6)."""

    def __init__(self, wrong: Sequence[range], doubtful: Sequence[range]) -> None:
        self._wrong = wrong
        self._doubtful = doubtful
        """The lines of each such play up to, and without, the play after the next."""

    def __bool__(self) -> bool:
        return bool(self._wrong or self._doubtful)

    @staticmethod
    def in_question(told: "Verdicts", found: Iterable[Finding], lines: Sequence[tuple[int, ev.Event]]) -> "Calls":
        """Those of a hand, going by what was found, proved or left open in it; `lines` are its standing lines."""
        plays = [line for line, event in lines if isinstance(event, ev.CardPlayed)]
        unseen = {line for line, event in lines if isinstance(event, ev.CardPlayed) and event.card is None}
        first, last = (lines[0][0], lines[-1][0] + 1) if lines else (0, 0)

        def doubtful_from(line: int) -> range:
            later = [play for play in plays if play > line]
            return range(line, later[1] if len(later) > 1 else last + 1)

        called = [one.line for one in found if one.rule in ("count-called", "limit") and one.line in unseen]
        called += [one.line for one in told.proved if one.of_an_unseen_card and one.line >= first]
        wrong = [doubtful_from(line) for line in sorted(set(called))]
        left = [one for one in told.open if one.question and isinstance(one.question.wrong_if, Among)]
        return Calls(wrong, [doubtful_from(one.line) for one in left if one.line >= first])

    def amended(self, finding: Finding, together: Collection[int] = ()) -> Finding | None:
        """A finding that rests on such a Count: with a wrong one it proves nothing; else one of the lines
        is wrong, and the call's is named, too.

        `together`: other lines that can't all be right with it.
        """
        if finding.rule not in ON_THE_COUNT and not together:
            return finding
        rests_on = (finding.line, *together)
        if any(line in lines[1:] for lines in self._wrong for line in rests_on):
            return None
        calls = {lines[0] for lines in self._doubtful for line in rests_on if line in lines[1:]} - {*finding.evidence}
        if not calls:
            return finding
        return msgspec.structs.replace(finding, evidence=sorted(calls | {*finding.evidence}))
