"""Advice that players give each other, one piece to a bot: where it says nothing, any card is as good.

A card that takes the Count over the limit, where it may be played at all, is played only if there is no other.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from bh99.bots.choosing import limit_cards, over, preferring, taking_every_hit
from domain.commands import PlayCard
from domain.deciding import Bot, Sight
from domain.shuffling import Bits

Advice: TypeAlias = Callable[[Sight, PlayCard], bool]
"""Whether a play is in order by a piece of advice."""


def advised(advice: Advice) -> Bot:
    """A bot that chooses by chance among the plays that a piece of advice allows, or among all if it allows none."""

    @taking_every_hit
    def plays(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
        return preferring(plays, lambda play: not over(sight, play) and advice(sight, play), bits)

    return plays


def no_advice(sight: Sight, play: PlayCard) -> bool:
    """Anything goes."""
    return True


def save_the_specials(sight: Sight, play: PlayCard) -> bool:
    """Save the cards that help at the limit until the Count is there: K, 10, 9, 2 and the Death Card, or in the other
    games 4, 9, 10 and K."""
    return _at_limit(sight) or play.card not in limit_cards(sight.rules)


def keep_the_thief(sight: Sight, play: PlayCard) -> bool:
    """Keep the card that steals the hit as long as there is another to play."""
    return sight.rules.prize is None or play.card != sight.rules.prize.thief


def smoke_the_thief_out(sight: Sight, play: PlayCard) -> bool:
    """At the limit play a card that lowers the Count, as long as somebody else may hold the card that steals: they may
    have to play it on the way up."""
    prize = sight.rules.prize
    may_be_held = prize is not None and not sight.holds(prize.thief) and not sight.is_gone(prize.thief)
    return may_be_held and _at_limit(sight) and (play.count or 0) < sight.rules.limit


def dare_when_the_shield_is_gone(sight: Sight, play: PlayCard) -> bool:
    """Keep the Death Card until nobody else can have its shield, then play it at the limit at once."""
    deadly = sight.rules.death_card
    if deadly is None or not sight.holds(deadly.card):
        return True
    surely = sight.is_gone(deadly.shield) or sight.holds(deadly.shield)
    return (play.card == deadly.card) == (surely and _at_limit(sight))


def stay_up_between_two(sight: Sight, play: PlayCard) -> bool:
    """Between two don't lower the Count from the limit as long as another card can be played."""
    return sight.players_in > 2 or not _at_limit(sight) or (play.count or 0) >= sight.rules.limit


def _at_limit(sight: Sight) -> bool:
    return sight.at.count == sight.rules.limit


@taking_every_hit
def every_tip(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """Follows all of this advice but the smoking out, the first that applies before the next; makes the Count high."""
    left = [play for play in plays if not over(sight, play)] or plays
    for advice in (dare_when_the_shield_is_gone, keep_the_thief, save_the_specials, stay_up_between_two):
        left = [play for play in left if advice(sight, play)] or left
    most = max(play.count or 0 for play in left)
    return preferring(left, lambda play: play.count == most, bits)
