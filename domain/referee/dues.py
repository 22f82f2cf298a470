"""The prize: who holds which hits, and which steal, bonus or step of the slide is due (`steal`, `bonus`, `slide`).

Everything here reads a table.
"""

from domain.cards import Card
from domain.prize import Prize
from domain.rule_sets import PrizeRules
from domain.table import Table


def next_club(prize: Prize, rules: PrizeRules) -> Card | None:
    """The club whose holder gets the prize next, or None at the end of the suit and for a prize that stays."""
    if prize.step is None or prize.step >= len(rules.slide):
        return None
    return rules.slide[prize.step]


def due_slide(table: Table, prize: Prize) -> tuple[Card, str] | None:
    """The club and its known holder that the prize must slide to now, or None."""
    rules = table.rules.prize
    club = next_club(prize, rules) if rules else None
    holder = table.holder_of(club) if club else None
    return (club, holder) if club and holder else None


def due_thief(table: Table) -> str | None:
    """Whoever must take the hit, or create the bonus, with the stealing card; None if nobody is known to hold it."""
    if table.rules.prize is None or table.prizes_moved:
        return None
    return table.holder_of(table.rules.prize.thief)


def unsettled(table: Table) -> Prize | None:
    """The first prize with hits that nobody has taken, given or left; None if all are accounted for."""
    for prize in table.prizes:
        if prize.hits is None or prize.hits > 0:
            return prize
    return None


def between_hands(table: Table) -> bool:
    """Whether nothing of a hand is due any more, and the next may be dealt."""
    return table.awaiting == "deal" or (table.awaiting == "prize" and unsettled(table) is None)
