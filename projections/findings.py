"""Findings as text, JSON, JSON Lines and CSV: what `bh99 audit` prints."""

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from projections.audit import Finding
from projections.drawing import finding_lines

COLUMNS: Final = ("log", "line", "rule", "certainty", "player", "message", "expected", "evidence", "ruled")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def as_records(log: str | None, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """One object a finding, as log-format.md names its fields; `log` only where there are several logs."""
    records = [msgspec.to_builtins(finding) for finding in findings]
    return records if log is None else [{"log": log, **record} for record in records]


def as_text(findings: Sequence[Finding]) -> str:
    return "".join(line + "\n" for finding in findings for line in finding_lines(finding))


def as_csv_rows(log: str | None, findings: Sequence[Finding]) -> str:
    """Rows in the order of COLUMNS; no cell can be taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for finding in findings:
        expected = "; or ".join(option.text for option in finding.expected)
        evidence = " ".join(map(str, finding.evidence))
        cells = (log or "", finding.line, finding.rule, finding.certainty, finding.player or "", finding.message)
        writer.writerow([_harmless(cell) for cell in (*cells, expected, evidence, finding.ruled or "")])
    return out.getvalue()


def _harmless(cell: object) -> object:
    return "'" + cell if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
