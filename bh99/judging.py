"""Auditing one log that is at hand."""

import msgspec

from bh99.logs import Log
from bh99.rows import Rows
from projections.audit import Summary, audit
from projections.finding import Finding


class Audited(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit of a log gave; among many logs, `error` and nothing else if it can't be read."""

    name: str
    findings: Rows[Finding] = msgspec.field(default_factory=Rows)
    summary: Summary | None = None
    notes: list[str] = []
    incomplete: bool = False
    judged_otherwise: str | None = None
    error: str | None = None
    damaged: bool = False
    """Whether it is in a store that isn't as it was stored."""


def audited(log: Log, *, possible: bool = False) -> Audited:
    """What an audit of a log gave. Raises LogUnreadable."""
    fold = audit(log.batches, log.take_backs, possible=possible)
    return Audited(
        name=log.name,
        findings=Rows(fold.findings, Finding.__struct_fields__),
        summary=fold.summary,
        notes=log.notes,
        incomplete=log.incomplete,
        judged_otherwise=log.judged_otherwise,
    )
