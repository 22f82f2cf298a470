"""A finding: one broken rule."""

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
