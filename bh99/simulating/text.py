"""What simulations came to, as text of at most 80 columns where the names allow it."""

from collections.abc import Sequence

from bh99.intervals import Mean, Rate
from bh99.simulating.comparing import Comparison
from bh99.simulating.runs import Simulation
from domain.cards import counted
from projections.outcomes import MEASURES, TOLD


def simulation_text(found: Simulation) -> str:
    """A line a seat, each rate in percent with the ends of its interval."""
    games = f"{counted(found.games, 'game')} of {found.rules}, seed {found.seed}"
    hands = f"{counted(found.hands, 'hand')}, {found.voided} of them voided, {counted(found.events, 'event')}"
    measures = [measure for measure in MEASURES if any(getattr(seat, measure) for seat in found.seats)]
    rows = [["", "hands", *(TOLD[measure] for measure in measures)]]
    rows += [
        [seat.player, str(seat.hands), *(_rate(getattr(seat, measure)) for measure in measures)] for seat in found.seats
    ]
    audited = "an audit finds nothing wrong" if not found.findings else counted(found.findings, "finding")
    below = "In brackets: where the true rate is in 95 of 100 such simulations."
    return "\n".join([games, f"{hands}; {audited}", "", *_columns(rows), "", below])


def comparison_text(found: Comparison) -> str:
    """A line a bot and number of players, each difference in points of a percent."""
    measures = [measure for measure in MEASURES if any(getattr(row, measure) for row in found.rows)]
    rows = [["", "players", *(TOLD[measure] for measure in measures)]]
    rows += [[row.bot, str(row.players), *(_mean(getattr(row, measure)) for measure in measures)] for row in found.rows]
    first = found.rows[0]
    title = f"{found.rules}, seed {found.seed}: one player plays like this, all others like {first.against}"
    games = f"{counted(first.games, 'game')} a line, each with the same deals both ways; differences in percent points"
    below = "After ±: how far the true difference may lie away, in 95 of 100 such comparisons."
    return "\n".join([title, games, "", *_columns(rows), "", below])


def _rate(rate: Rate) -> str:
    return f"{100 * rate.rate:.1f} [{100 * rate.low:.1f} {100 * rate.high:.1f}]"


def _mean(mean: Mean) -> str:
    return f"{100 * mean.mean:+.1f} ±{100 * mean.reach:.1f}"


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines
