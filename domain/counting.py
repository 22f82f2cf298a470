"""The Count: which cards can be played at it, and what each makes of it (`limit`, `count-called`)."""

import functools
from collections.abc import Iterable

from domain.cards import Card
from domain.rule_sets import Effect, RuleSet


class AtCount(dict[Card, "AtCount"]):
    """One Count: each card that can be played at it, with the Count that it leads to.

    A card that isn't a key can't be played. Where the Count is unknown (None), the keys are the cards that can be
    played whatever it is, and lead to a known Count.
    """

    __slots__ = ("count", "deadly")

    def __init__(self, count: int | None, deadly: Card | None) -> None:
        super().__init__()
        self.count = count
        self.deadly = deadly
        """The card that is the Death Card here."""


class Counts(dict[int | None, AtCount]):
    """Every Count of a rule set, made when first asked for."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self.rules = rules
        self._below = _cards_by_effect((card, rules.effects.get(card[0])) for card in rules.deck)
        self._at_limit = _cards_by_effect(
            (card, rules.at_limit.get(card) or rules.at_limit.get(card[0])) for card in rules.deck
        )

    def __missing__(self, count: int | None) -> AtCount:
        rules = self.rules
        deadly = rules.death_card.card if rules.death_card and count == rules.limit else None
        at = self[count] = AtCount(count, deadly)
        for effect, cards in (self._at_limit if count == rules.limit else self._below).items():
            after = effect.on(count)
            if after is not None and after <= rules.limit:
                at.update(dict.fromkeys(cards, self[after]))
        return at

    def within(self, count: int) -> AtCount:
        """The Count that a table goes on from which said `count`: over the limit as the limit."""
        return self[max(0, min(count, self.rules.limit))]


def _cards_by_effect(effects: Iterable[tuple[Card, Effect | None]]) -> dict[Effect, list[Card]]:
    cards: dict[Effect, list[Card]] = {}
    for card, effect in effects:
        if effect is not None:
            cards.setdefault(effect, []).append(card)
    return cards


@functools.cache
def counts_of(rules: RuleSet) -> Counts:
    """The one place that says which card can be played at which Count, and what it makes of it."""
    return Counts(rules)
