"""A log to walk about in: the audit as it stood after any line, and the game told line by line."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from domain import events as ev
from domain.shipped_rules import rules_of
from projections.audit import Audit, Finding
from projections.sentences import sentence
from projections.table_view import TableView, table_view
from projections.take_backs import Undone

CHECKPOINT_EVERY: Final = 2048
"""Lines between two copies that a step back starts from."""


def _says(opened: ev.AnyEvent) -> Mapping[str, str]:
    return rules_of(opened.rules).says if isinstance(opened, ev.GameOpened) else {}


class Told(msgspec.Struct, frozen=True):
    """One line of a told game: the sentence, the table after it, the findings on it, what took it back."""

    line: int
    sentence: str
    view: TableView
    findings: list[Finding]
    undone_by: int | None


class Replay:
    """The events of a log, and the audit after any of them; the next line is cheap, and going back is not dear."""

    def __init__(self, events: Sequence[ev.AnyEvent]) -> None:
        """`events`: a whole log, game_opened first."""
        self.events = events
        self.take_backs = [(at, event) for at, event in enumerate(events, 1) if isinstance(event, ev.TakenBack)]
        self.says = _says(events[0])
        """What is said with a card, where it is more than the Count."""
        self._now: Audit | None = None
        self._checkpoints: dict[int, Audit] = {}

    def __len__(self) -> int:
        return len(self.events)

    def audit_at(self, line: int) -> Audit:
        """The audit of the first `line` lines and of nothing after them; take-backs count from where they stand."""
        audit = self._start_for(line)
        for at in range(audit.line, line):
            audit.follow(self.events[at : at + 1])
            if audit.line % CHECKPOINT_EVERY == 0:
                self._checkpoints[audit.line] = audit.copy()
        self._now = audit
        return audit

    def _start_for(self, line: int) -> Audit:
        """The latest audit at or before a line that no take-back up to the line reaches behind."""
        known = list(self._checkpoints.values())
        if self._now is not None:
            known.append(self._now)
        usable = [audit for audit in known if audit.line <= line and not self._reaches_behind(audit.line, line)]
        if not usable:
            opened = self.events[0]
            assert isinstance(opened, ev.GameOpened)
            return Audit(opened, Undone(back for back in self.take_backs if back[0] <= line))
        best = max(usable, key=lambda audit: audit.line)
        start = best if best is self._now else best.copy()
        start.undone = Undone(back for back in self.take_backs if back[0] <= line)
        return start

    def _reaches_behind(self, start: int, line: int) -> bool:
        return any(start < at <= line and back.about <= start for at, back in self.take_backs)

    def news_at(self, line: int) -> list[Finding]:
        """What is known to be wrong after a line and wasn't before it: all that somebody at the table can say then."""
        known = {(finding.line, finding.rule) for finding in self.audit_at(line - 1).findings} if line > 1 else set()
        return [finding for finding in self.audit_at(line).findings if (finding.line, finding.rule) not in known]

    def view_at(self, line: int) -> TableView:
        """The table after a line."""
        return table_view(self.audit_at(line).table, line)

    def told(self, findings: Sequence[Finding]) -> Iterator[Told]:
        """The whole game, told line by line, with the findings of the whole audit on their lines."""
        opened = self.events[0]
        assert isinstance(opened, ev.GameOpened)
        undone = Undone(self.take_backs)
        audit = Audit(opened, undone)
        by_line: dict[int, list[Finding]] = {}
        for finding in findings:
            by_line.setdefault(finding.line, []).append(finding)
        for line, event in enumerate(self.events, 1):
            audit.follow((event,))
            view = table_view(audit.table, line)
            yield Told(line, sentence(event, self.says), view, by_line.get(line, []), undone.by(line))
