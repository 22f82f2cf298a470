"""A log to walk about in: the audit as it stood after any line, and the frame that is drawn of it.

The log may still be read while somebody walks in it: `extend` adds events, `judge_on` folds them bit by bit. The fold
leaves checkpoints behind, from which every other line is near (docs/adr/0041).
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from domain import events as ev
from domain.shipped_rules import rules_of
from projections.audit import Audit
from projections.finding import Finding
from projections.seat_view import SITTING_DOWN, sit_down
from projections.sentences import sentence
from projections.table_view import TableView, table_view
from projections.take_backs import Undone

CHECKPOINT_EVERY: Final = 1024
"""Lines between two copies that a step back or a jump starts from."""
DEARER: Final = 4
"""How much dearer a line is for each reading, while several are carried: copies are that much closer then."""
STRIDE: Final = 64
"""Lines that are folded at a stroke, and between the copies behind take-backs."""
LONGEST_SLIDE: Final = 200
"""Lines that are searched for the steps of a slide."""


class Frame(msgspec.Struct, frozen=True):
    """What is drawn of one line: the sentence, the table after it, the findings shown on it, what took it back, and
    the steps that the prizes have slid so far."""

    line: int
    sentence: str
    view: TableView
    findings: list[Finding]
    undone_by: int | None
    slides: list[ev.HitSlid] = []


class Replay:
    """The events of a log, and the audit after any of them; the next line is cheap, and going back is not dear."""

    def __init__(self, events: Sequence[ev.AnyEvent], *, known_then: bool = False) -> None:
        """`events`: a log from its game_opened on, or its beginning.

        `known_then`: a finding is shown on the line after which it can be known, not on the line that broke the rule.
        """
        opened = events[0]
        if not isinstance(opened, ev.GameOpened):
            raise TypeError("a log begins with game_opened")
        self.opened = opened
        self.known_then = known_then
        self.events: list[ev.AnyEvent] = []
        self.deals: list[int] = []
        """The lines of the deals."""
        self.players: dict[str, None] = {}
        """Everybody who sat at the table, in the order in which they sat down."""
        self.says = rules_of(opened.rules).says
        """What is said with a card, where it is more than the Count."""
        self._take_backs: list[tuple[int, ev.TakenBack]] = []
        self._reaching: list[tuple[int, int]] = []
        """The line of each take-back that undoes something, and the first line that it undoes."""
        self._undone = Undone(())
        self._front_undone = Undone(())
        """The take-backs up to the line that was judged last."""
        self._now: Audit | None = None
        self._front: Audit | None = None
        self._checkpoints: list[Audit] = []
        self._shown: dict[int, list[Finding]] = {}
        self._shown_upto = 0
        self._known: tuple[set[tuple[int, str]], set[tuple[int, str]]] = (set(), set())
        """The settled and the unsettled findings that were known after the last line judged, if news are noted."""
        self._lines_found: tuple[int, list[int]] = (0, [])
        """How many lines had been judged when the lines of the findings were sorted, and those lines."""
        self.extend(events)

    def __len__(self) -> int:
        return len(self.events)

    def extend(self, events: Sequence[ev.AnyEvent]) -> None:
        """Add the next events of the log."""
        for line, event in enumerate(events, len(self.events) + 1):
            kind = type(event)
            if kind is ev.HandDealt:
                self.deals.append(line)
            elif kind in SITTING_DOWN:
                self.players.update(dict.fromkeys(sit_down(event)))
            elif isinstance(event, ev.TakenBack):
                self._take_backs.append((line, event))
                self._undone.add(line, event)
                if line not in self._undone.invalid:
                    self._reaching.append((line, event.about))
        self.events += events

    # ---- the audit after a line ----

    def audit_at(self, line: int) -> Audit:
        """The audit of the first `line` lines and of nothing after them; take-backs count from where they stand."""
        self._now = self._walked(self._now, line)
        return self._now

    def view_at(self, line: int) -> TableView:
        """The table after a line."""
        return table_view(self.audit_at(line).table, line)

    def frame_at(self, line: int) -> Frame:
        """What is drawn of a line."""
        audit = self.audit_at(line)
        view = table_view(audit.table, line)
        slides = self._slides(line, view, audit.undone)
        return Frame(line, self.sentence_at(line), view, self.findings_on(line), self.undone_by(line), slides)

    def _walked(self, cursor: Audit | None, line: int, undone: Undone | None = None) -> Audit:
        """The audit after a line, from the cursor on if it may be used, else from a checkpoint.

        `undone`: the take-backs up to the line, where they are at hand.
        """
        audit = self._start_for(cursor, line, undone)
        while audit.line < line:
            at = audit.line
            audit.follow(self.events[at : min(line, at + max(1, STRIDE // self._dearness(audit)))])
            if (audit.line - self._kept_before(audit.line)) * self._dearness(audit) >= CHECKPOINT_EVERY:
                self._keep(audit)
        return audit

    def _dearness(self, audit: Audit) -> int:
        readings = len(audit.readings)
        return 1 if readings == 1 else DEARER * readings

    def _kept_before(self, line: int) -> int:
        """The line of the last checkpoint up to a line."""
        at = self._place(line)
        return self._checkpoints[at - 1].line if at else 0

    def _keep(self, audit: Audit) -> None:
        """Keep a copy to start from, if there is none of this line. What an undone line left behind is no copy of how
        the table looked before it was undone."""
        if audit.undone.by(audit.line) is None and self._kept_before(audit.line) != audit.line:
            self._checkpoints.insert(self._place(audit.line), audit.copy())

    def _place(self, line: int) -> int:
        """How many checkpoints lie at or before a line."""
        return bisect_right(self._checkpoints, line, key=_line_of)

    def _start_for(self, cursor: Audit | None, line: int, undone: Undone | None) -> Audit:
        """The latest audit at or before a line that no take-back up to the line reaches behind; a copy, or the cursor
        itself."""
        known = bisect_right(self._take_backs, line, key=_first)
        best = self._checkpoint_for(line)
        may_go_on = cursor is not None and cursor.line <= line and self._reach(cursor.line, line) > cursor.line
        if cursor is not None and may_go_on and (best is None or cursor.line >= best.line):
            start = cursor
        elif best is not None:
            start = best.copy()
        else:
            start = Audit(self.opened)
        if undone is not None:
            start.undone = undone
        elif len(start.undone.known) != known:
            start.undone = Undone(self._take_backs[:known])
        return start

    def _checkpoint_for(self, line: int) -> Audit | None:
        at = self._place(line)
        reach, upto = line + 1, line
        while at:
            audit = self._checkpoints[at - 1]
            reach = min(reach, self._reach(audit.line, upto))
            if reach > audit.line:
                return audit
            upto = audit.line
            at = self._place(reach - 1)
        return None

    def _reach(self, start: int, line: int) -> int:
        """The first line that is undone by a take-back after `start` and up to a line; behind the line if none is."""
        first = bisect_right(self._reaching, start, key=_first)
        last = bisect_right(self._reaching, line, key=_first)
        return min((about for _, about in self._reaching[first:last]), default=line + 1)

    # ---- the findings ----

    @property
    def judged(self) -> int:
        """How many lines `judge_on` has come to."""
        return self._front.line if self._front else 0

    def is_near(self, line: int) -> bool:
        """Whether a line was judged, so that it can be shown at once."""
        return line <= min(len(self), max(self.judged, 1))

    def judge_on(self, lines: int) -> bool:
        """Judge about so many more lines, if there are any; whether more are left."""
        end = min(len(self), self.judged + lines)
        while self.judged < end:
            stride = STRIDE if self._front is None else max(1, STRIDE // self._dearness(self._front))
            self._judge_stretch(min(end, self.judged + stride))
        return self.judged < len(self)

    def judge_all(self) -> None:
        """Judge all lines that were read."""
        self.judge_on(len(self))

    def _judge_stretch(self, end: int) -> None:
        """Judge on to a line, or before that up to a take-back; behind one, the way back is kept short."""
        start = self.judged
        at = bisect_right(self._reaching, start, key=_first)
        take_back = self._reaching[at][0] if at < len(self._reaching) else end + 1
        end = min(end, max(take_back - 1, start + 1))
        before = self._front.copy() if self._front is not None and self.known_then else None
        for each in self._take_backs[len(self._front_undone.known) :]:
            if each[0] > end:
                break
            self._front_undone.add(*each)
        self._front = self._walked(self._front, end, self._front_undone)
        if self.known_then:
            self._note_news(before, self._front, start, end, end == take_back)
        if end == take_back and end - self._usable_before(end) >= STRIDE:
            self._keep(self._front)

    def _usable_before(self, line: int) -> int:
        """The line of the checkpoint from which a line can be reached."""
        checkpoint = self._checkpoint_for(line)
        return checkpoint.line if checkpoint else 0

    def _note_news(self, before: Audit | None, after: Audit, start: int, end: int, taken_back: bool) -> None:
        """Find out on which line each new finding of a stretch could be known first."""
        settled, unsettled = self._known
        if taken_back:
            self._show(end, after.findings, settled | unsettled)
            self._known = _keys(after.settled_since(0)), _keys(after.unsettled)
            return
        if before is not None and (before.settled, before.unsettled) == (after.settled, after.unsettled):
            return
        audit = before
        for line in range(start + 1, end + 1):
            so_far = audit.settled if audit is not None else 0
            audit = self._walked(audit, line, self._front_undone)
            fresh = audit.settled_since(so_far)
            found = audit.standing((*fresh, *audit.unsettled))
            news = [each for each in found if (key := (each.line, each.rule)) not in settled and key not in unsettled]
            if news:
                self._show(line, list(audit.with_rulings(news)), set())
            settled |= _keys(fresh)
            unsettled = _keys(audit.unsettled)
        self._known = settled, unsettled

    def _show(self, line: int, findings: Sequence[Finding], known: set[tuple[int, str]]) -> None:
        """Show on a line those of some findings that aren't known, each rule of a line once."""
        news = {(finding.line, finding.rule): finding for finding in reversed(findings)}
        shown = [news[key] for key in sorted(news.keys() - known)]
        if shown:
            self._shown[line] = shown

    @property
    def findings(self) -> list[Finding]:
        """All that is found in the lines judged so far, in line order."""
        return self._front.findings if self._front else []

    def shown(self) -> Mapping[int, list[Finding]]:
        """The findings by the line that they are shown on, as far as the log was judged."""
        if not self.known_then and self._shown_upto != self.judged:
            self._shown = {}
            for finding in self.findings:
                self._shown.setdefault(finding.line, []).append(finding)
            self._shown_upto = self.judged
        return self._shown

    def findings_on(self, line: int) -> list[Finding]:
        """The findings that are shown on a line, of all that is known so far."""
        return self.shown().get(line, [])

    def lines_found(self, last: int) -> list[int]:
        """The lines that findings are shown on, in order, up to a last one."""
        judged, lines = self._lines_found
        if judged != self.judged:
            lines = sorted(self.shown())
            self._lines_found = self.judged, lines
        return lines[: bisect_right(lines, last)]

    def undone_by(self, line: int) -> int | None:
        """The line of the take-back that undid a line, of all take-backs in the log."""
        return self._undone.by(line)

    # ---- what is told ----

    def sentence_at(self, line: int) -> str:
        """What happened on a line."""
        return sentence(self.events[line - 1], self.says)

    def frames(self) -> Iterator[Frame]:
        """The whole game, line by line, with the findings of the whole audit; undone lines are passed over."""
        self.judge_all()
        undone = Undone(self._take_backs)
        audit = Audit(self.opened, undone)
        for line, event in enumerate(self.events, 1):
            audit.follow((event,))
            view = table_view(audit.table, line)
            slides = self._slides(line, view, undone)
            yield Frame(line, sentence(event, self.says), view, self.findings_on(line), undone.by(line), slides)

    def _slides(self, line: int, view: TableView, undone: Undone) -> list[ev.HitSlid]:
        """The steps that the prizes have slid since the hand was won."""
        steps: list[ev.HitSlid] = []
        if view.prizes:
            for at in range(line, max(0, line - LONGEST_SLIDE), -1):
                event = self.events[at - 1]
                if undone.by(at) is not None:
                    continue
                if isinstance(event, ev.HandDealt | ev.HandWon):
                    break
                if isinstance(event, ev.HitSlid):
                    steps.append(event)
        return steps[::-1]


def _line_of(audit: Audit) -> int:
    return audit.line


def _first(pair: tuple[int, object]) -> int:
    return pair[0]


def _keys(findings: Sequence[Finding]) -> set[tuple[int, str]]:
    return {(finding.line, finding.rule) for finding in findings}
