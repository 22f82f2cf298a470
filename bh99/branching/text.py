"""Odds as text: a table with bars for each branch, at most 80 columns wide where the names allow it."""

import textwrap
from collections.abc import Sequence
from typing import Final

from bh99.branching.odds import Branch, Chance, SeatOdds, WhatIf
from projections.outcomes import MEASURES, TOLD, Measure

WIDTH: Final = 80
BAR: Final = 20
"""Characters of a bar that stands for certainty."""
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"


def whatif_text(found: WhatIf) -> str:
    """What was sampled, then for each measure a line a player, with the branches below each other."""
    lines = [f"Line {found.line}, in hand {found.hand}", ""]
    for at, branch in enumerate(found.branches):
        breaks = "" if branch.breaks is None else f", which breaks the rule {branch.breaks}"
        lines += textwrap.wrap(
            f"{_letter(at)}  {branch.told}{breaks}", WIDTH, subsequent_indent="   ", break_on_hyphens=False
        )
    for measure in _measures(found.branches):
        lines += ["", f"Who {TOLD[measure]}", *_bars(found.branches, measure)]
    said = [*_came_to_nothing(found.branches), *how_sampled(found)]
    return "\n".join(
        [*lines, "", *(line for sentence in said for line in textwrap.wrap(sentence, WIDTH, break_on_hyphens=False))]
    )


def _came_to_nothing(branches: Sequence[Branch]) -> list[str]:
    return [
        f"{_letter(at)}: in {100 * branch.nothing:.1f} % of the deals the hand came to nothing: it found no end "
        "and was voided, or the game was over."
        for at, branch in enumerate(branches)
        if branch.nothing
    ]


def how_sampled(found: WhatIf) -> list[str]:
    """How many deals were sampled, how everybody plays on, and how sure the numbers are; in sentences."""
    if found.only_one:
        deals = f"Every card is known, so there is one deal; it was played on {found.deals} times."
    else:
        deals = f"{found.deals} deals that agree with the lines before were sampled."
        if found.worth < 0.99 * found.deals:
            deals += f" Some are likelier than others: they are worth {found.worth:.0f} even ones."
    lines = [f"{deals} Everybody plays on like the bot {found.bot}; seed {found.seed}."]
    if found.finding is not None:
        lines.append(f"In each of them this line breaks the rule {found.finding}.")
    if not found.only_one:
        lines.append(
            "What the lines before leave open is taken to be right: who went out could not play."
            if found.believed
            else "Whatever the lines before leave open, no deal was found in which all of it is right."
        )
    lines.append("In brackets: where the true chance is in 95 of 100 such samples.")
    return lines


def _measures(branches: Sequence[Branch]) -> list[Measure]:
    return [measure for measure in MEASURES if any(_of(seat, measure) for seat in branches[0].seats)]


def _bars(branches: Sequence[Branch], measure: Measure) -> list[str]:
    width = max(len(seat.player) for seat in branches[0].seats)
    lines = []
    for seats in zip(*(branch.seats for branch in branches), strict=True):
        for at, seat in enumerate(seats):
            chance = _of(seat, measure)
            if chance is not None:
                name = seat.player if at == 0 else ""
                which = f"{_letter(at)} " if len(branches) > 1 else ""
                lines.append(f"  {name:<{width}}  {which}{percent(chance)}  {bar(chance.chance)}".rstrip())
    return lines


def _of(seat: SeatOdds, measure: Measure) -> Chance | None:
    chance: Chance | None = getattr(seat, measure)
    return chance


def percent(chance: Chance) -> str:
    """A chance in percent, with the ends of its interval: " 38.7 [ 36.9  40.4]"."""
    return f"{100 * chance.chance:5.1f} [{100 * chance.low:5.1f} {100 * chance.high:5.1f}]"


def bar(share: float) -> str:
    """A share from 0 to 1 as a bar of blocks, to the eighth of one."""
    eighths = round(share * BAR * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _letter(at: int) -> str:
    return "ABCDEFGH"[at]
