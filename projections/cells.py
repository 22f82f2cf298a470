"""Rows as CSV that no spreadsheet can take for formulas."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_rows(rows: Iterable[Sequence[object]]) -> str:
    """Rows of CSV; None is an empty cell, a list its items with spaces between them."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue()


def _harmless(cell: object) -> object:
    if isinstance(cell, list):
        cell = " ".join(map(str, cell))
    return "'" + cell if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
