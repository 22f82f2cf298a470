"""The opponents of live games."""

from collections.abc import Sequence

from bh99.bots.choosing import any_of, best, giving_each_bonus, limit_cards, over, taking_every_hit
from domain.commands import Choice, PlayCard
from domain.deciding import Sight
from domain.shuffling import Bits


def at_random(sight: Sight, choices: Sequence[Choice], bits: Bits) -> Choice:
    """Any choice, each as likely."""
    return any_of(choices, bits)


@taking_every_hit
def greedy(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """The play that makes the Count highest without losing by it; takes every hit."""
    return best(plays, lambda play: (not over(sight, play), play.count or 0), bits)


@giving_each_bonus
def careful(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """Avoids what costs tokens, keeps the cards that help at the limit for the end, and of the others plays the one
    that counts most; takes every hit, but gives a bonus away."""

    helpful, limit, costs = limit_cards(sight.rules), sight.rules.limit, sight.costs

    def worth(play: PlayCard) -> tuple[float, ...]:
        count = play.count or 0
        return count <= limit, not costs(count), play.card not in helpful, count

    return best(plays, worth, bits)
