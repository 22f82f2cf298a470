"""Plays that are ready made: at a Count, what each card that does nothing special leads to, with the event for it.

Events are frozen, so that one will do for every time the same player plays the same card at the same Count.
"""

import functools
from typing import NamedTuple

from domain import events as ev
from domain.cards import Card
from domain.commands import PlayCard
from domain.counting import AtCount, Counts, counts_of
from domain.rule_sets import RuleSet


class ReadyPlay(PlayCard, frozen=True, kw_only=True):
    """A play as a player chooses it, with its event, the Count that it leads to, and whether it turns the direction."""

    event: ev.CardPlayed
    leads_to: AtCount
    turns: bool


class ReadyAt(NamedTuple):
    """What one player may play at one Count.

    `several`: whether some card leaves a choice. `special`: the cards that may do more than lead to another Count, and
    so aren't ready.
    """

    plays: dict[Card, ReadyPlay]
    """By card: its first play, which is the only one unless it leaves a choice."""
    all_plays: dict[Card, tuple[ReadyPlay, ...]]
    several: bool
    special: frozenset[Card]


def _ready_at(counts: Counts, player: str, count: int | None) -> ReadyAt:
    at = counts[count]
    special = frozenset(at) if count is None else frozenset(at.close - at.turning)
    ready = {card: _plays(counts, at, player, card) for card in at if card not in special}
    several = any(len(plays) > 1 for plays in ready.values())
    return ReadyAt({card: plays[0] for card, plays in ready.items()}, ready, several, special)


def _plays(counts: Counts, at: AtCount, player: str, card: Card) -> tuple[ReadyPlay, ...]:
    totals = at.totals(card) or ()
    plays = []
    for total in totals:
        value = played_value(at, card, total)
        event = ev.CardPlayed(player=player, card=card, count=total, value=value)
        leads_to, turns = counts[total], card in at.turning
        plays.append(ReadyPlay(player=player, card=card, count=total, event=event, leads_to=leads_to, turns=turns))
    return tuple(plays)


def played_value(at: AtCount, card: Card, total: int | None) -> int | None:
    """What a card counts that leaves a choice; None where the total tells it all."""
    if total is None or at.count is None or len(at.totals(card) or ()) < 2:
        return None
    return total - at.count


class Ready(dict[int | None, ReadyAt]):
    """The plays of one player at every Count, and their draws; made when first asked for."""

    def __init__(self, rules: RuleSet, player: str) -> None:
        super().__init__()
        self._counts = counts_of(rules)
        self._player = player
        self.draws = {card: ev.CardDrawn(player=player, card=card) for card in rules.deck}

    def __missing__(self, count: int | None) -> ReadyAt:
        ready = self[count] = _ready_at(self._counts, self._player, count)
        return ready


@functools.lru_cache(maxsize=64)
def ready_for(rules: RuleSet, player: str) -> Ready:
    """The plays of a player, the same for every game by these rules."""
    return Ready(rules, player)
