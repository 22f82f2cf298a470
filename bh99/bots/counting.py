"""A bot that works out what others may hold, from all that its seat has seen."""

import math
from collections.abc import Callable, Sequence

from bh99.bots.choosing import best, cards_within, limit_cards, over, taking_every_hit
from domain.cards import Card
from domain.commands import PlayCard
from domain.deciding import Sight
from domain.shuffling import Bits
from domain.table import Table


@taking_every_hit
def counting(sight: Sight, plays: Sequence[PlayCard], bits: Bits) -> PlayCard:
    """Plays what makes it likeliest that the next player goes out, and that this one doesn't.

    It counts the cards that nobody has shown yet, and knows that who couldn't play at a Count holds no card that could
    be played there.
    """
    table = sight.table()
    chance = _chances(table)

    def worth(play: PlayCard) -> tuple[float, ...]:
        kept = sum(card in limit_cards(sight.rules) for card in sight.hand if card != play.card)
        return not over(sight, play), _worth(sight, table, play, chance), kept, play.count or 0

    return best(plays, worth, bits)


def _worth(sight: Sight, table: Table, play: PlayCard, chance: Callable[[str, Card], float]) -> float:
    """How likely the next player is out, and this one still in when the Count is at its limit; added."""
    deadly = sight.rules.death_card
    others = [card for card in sight.hand if card != play.card]
    stays_in = 1.0 if not limit_cards(sight.rules).isdisjoint(others) else _a_draw_helps(sight, table)
    following = play.target or sight.next_player
    if deadly is not None and play.card == sight.at.deadly:
        shielded = chance(following, deadly.shield)
        return 1 - shielded + (stays_in if table.two_player_game else stays_in * (1 - shielded))
    return _stuck(chance, following, cards_within(sight.rules, play.count or 0)) + stays_in


def _stuck(chance: Callable[[str, Card], float], player: str, playable: frozenset[Card]) -> float:
    """How likely a player is without any of these cards, each taken for itself."""
    return math.prod(1 - chance(player, card) for card in sorted(playable))


def _a_draw_helps(sight: Sight, table: Table) -> float:
    unseen = sum(table.unplaced.values())
    helpful = sum(number for card, number in table.unplaced.items() if card in limit_cards(sight.rules))
    return helpful / unseen if unseen else 0.0


def _chances(table: Table) -> Callable[[str, Card], float]:
    """How likely a player holds a card: it may lie in each place that is unseen and doesn't rule it out."""
    everywhere = sum(table.unseen.values()) + table.stock.count(None)
    barred: dict[Card, int] = {}
    cannot = {
        player: table.counts[out.at.count].keys() for player, out in table.outs.items() if out.reason == "no_play"
    }
    for player, cards in cannot.items():
        for card in cards:
            barred[card] = barred.get(card, 0) + table.unseen.get(player, 0)

    def chance(player: str, card: Card) -> float:
        if card in table.hands.get(player, ()):
            return 1.0
        places = everywhere - barred.get(card, 0)
        if card not in table.unplaced or card in cannot.get(player, ()) or places <= 0:
            return 0.0
        return min(1.0, table.unseen.get(player, 0) * table.unplaced[card] / places)

    return chance
