"""A table drawn in plain text, at most 80 columns wide where the names allow it."""

from collections.abc import Iterable

from domain.cards import SeenCard
from projections.finding import Finding
from projections.table_view import TableView, standing, tokens_and_score


def cards_text(cards: Iterable[SeenCard]) -> str:
    """Cards as two letters each, `··` for one nobody logged."""
    return " ".join(card or "··" for card in cards)


def draw_table(view: TableView) -> list[str]:
    """The table as lines of text: seats, cards, pile, stock, prizes, duty, and what may come next."""
    width = max((len(player.name) for player in view.players), default=4)
    count = "?" if view.count is None else view.count
    stock = "?" if view.stock_left is None else view.stock_left
    dealer = f" · {view.dealer} dealt" if view.dealer else ""
    turned = " · counterclockwise" if view.direction == -1 else ""
    lines = [f"hand {view.hand}{dealer} · Count {count}{turned} · stock {stock} · pile {len(view.pile)}"]
    for player in view.players:
        mark = ">" if player.name == view.to_act else " "
        tokens = tokens_and_score(player)
        state = standing(player, view)
        lines.append(f" {mark} {player.name:<{width}}  {state:<3}  {tokens}{cards_text(player.cards)}".rstrip())
    top = cards_text(view.pile[-12:])
    if top:
        lines.append(f"   pile, top last: {'… ' if len(view.pile) > 12 else ''}{top}")
    hits = {prize.prize: "?" if prize.hits is None else prize.hits for prize in view.prizes}
    lines += [f"   {prize.prize} prize: {hits[prize.prize]}, held by {prize.holder}" for prize in view.prizes]
    if view.carried != 0:
        lines.append(f"   left over: {'?' if view.carried is None else view.carried}")
    if view.loader:
        lines.append(f"   loads: {view.loader}")
    lines += [f"   next: {option.text}" for option in view.expected]
    return lines


def finding_lines(finding: Finding) -> list[str]:
    """A finding as lines of text: rule, what happened, what was allowed, the evidence, the ruling."""
    lines = [f"! line {finding.line} · {finding.rule} ({finding.certainty}): {finding.message}"]
    if finding.expected:
        lines.append("  allowed: " + "; or ".join(option.text for option in finding.expected))
    if finding.evidence:
        lines.append("  evidence: " + lines_named(finding.evidence))
    if finding.ruled is not None:
        lines.append(f"  ruled on line {finding.ruled}")
    return lines


def lines_named(lines: list[int]) -> str:
    """ "line 3", or "lines 3, 9"."""
    return ("line " if len(lines) == 1 else "lines ") + ", ".join(map(str, lines))
