"""Findings as text, JSON, JSON Lines and CSV: what `bh99 audit` prints."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from projections.cells import csv_rows
from projections.drawing import finding_lines
from projections.finding import Finding

COLUMNS: Final = ("log", "line", "rule", "certainty", "player", "message", "expected", "evidence", "ruled")


def as_records(log: str | None, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """One object a finding, as log-format.md names its fields; `log` only where there are several logs."""
    records = [msgspec.to_builtins(finding) for finding in findings]
    return records if log is None else [{"log": log, **record} for record in records]


def as_text(findings: Sequence[Finding]) -> str:
    return "".join(line + "\n" for finding in findings for line in finding_lines(finding))


def as_csv_rows(log: str | None, findings: Sequence[Finding]) -> str:
    """Rows in the order of COLUMNS."""
    return csv_rows(
        (
            *(log or "", finding.line, finding.rule, finding.certainty, finding.player or "", finding.message),
            *("; or ".join(option.text for option in finding.expected), finding.evidence, finding.ruled or ""),
        )
        for finding in findings
    )
