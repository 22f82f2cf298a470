"""Advice that players give each other, one piece to a bot: where it says nothing, any card is as good.

A card that takes the Count over the limit, where it may be played at all, is played only if there is no other.
"""

from collections.abc import Sequence

from bh99.bots.choosing import limit_cards, over, preferring, taking_every_hit
from domain.commands import PlayCard
from domain.deciding import Sight
from domain.shuffling import Bits


@taking_every_hit
def within(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """Any play that doesn't take the Count over the limit; no advice at all, but no gift either."""
    return preferring(plays, lambda play: not over(sight, play), bits)


@taking_every_hit
def saving(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """Saves the cards that help at the limit until the Count is there: K, 10, 9, 2 and the Death Card, or in the other
    games 4, 9, 10 and K."""
    return preferring(plays, lambda play: not over(sight, play) and _keeps_specials(sight, play), bits)


@taking_every_hit
def clubs_kept(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """Keeps the card that steals the hit as long as there is another to play."""
    return preferring(plays, lambda play: not over(sight, play) and _keeps_thief(sight, play), bits)


@taking_every_hit
def smoking_out(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """At the limit plays a card that lowers the Count, as long as somebody else may hold the card that steals: they may
    have to play it on the way up."""
    return preferring(plays, lambda play: not over(sight, play) and _smokes_out(sight, play), bits)


@taking_every_hit
def death_card(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """Keeps the Death Card until its shield is gone, then plays it at the limit at once."""
    return preferring(plays, lambda play: not over(sight, play) and _dares(sight, play), bits)


@taking_every_hit
def tens_kept(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """Between two doesn't lower the Count from the limit as long as another card can be played."""
    return preferring(plays, lambda play: not over(sight, play) and _stays_up(sight, play), bits)


@taking_every_hit
def every_tip(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """Follows all of this advice, the first that applies before the next, and makes the Count high."""
    within = [play for play in plays if not over(sight, play)] or plays
    for wanted in (_dares, _keeps_thief, _keeps_specials, _stays_up):
        within = [play for play in within if wanted(sight, play)] or within
    most = max(play.count or 0 for play in within)
    return preferring(within, lambda play: play.count == most, bits)


def _at_limit(sight: Sight) -> bool:
    return sight.at.count == sight.rules.limit


def _keeps_specials(sight: Sight, play: PlayCard) -> bool:
    return _at_limit(sight) or play.card not in limit_cards(sight.rules)


def _keeps_thief(sight: Sight, play: PlayCard) -> bool:
    return sight.rules.prize is None or play.card != sight.rules.prize.thief


def _smokes_out(sight: Sight, play: PlayCard) -> bool:
    prize = sight.rules.prize
    may_be_held = prize is not None and not sight.holds(prize.thief) and not sight.is_gone(prize.thief)
    return may_be_held and _at_limit(sight) and (play.count or 0) < sight.rules.limit


def _dares(sight: Sight, play: PlayCard) -> bool:
    rules = sight.rules.death_card
    if rules is None or not sight.holds(rules.card):
        return True
    surely_deadly = sight.is_gone(rules.shield) or sight.holds(rules.shield)
    return (play.card == rules.card) == (surely_deadly and _at_limit(sight))


def _stays_up(sight: Sight, play: PlayCard) -> bool:
    return sight.players_in > 2 or not _at_limit(sight) or (play.count or 0) >= sight.rules.limit
