"""A finding: one broken rule."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from domain.referee.verdicts import Expected


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False):
    """One broken rule, as `bh99 audit --format json` prints it (docs/log-format.md, Findings)."""

    line: int
    rule: str
    certainty: Literal["proved", "possible"] = "proved"
    player: str | None
    message: str
    expected: list[Expected]
    evidence: list[int]
    ruled: int | None = None


def not_all_right(lines: Sequence[int]) -> str:
    """The beginning of the sentence that not all of these lines can be right."""
    return f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]} can't all be right"
