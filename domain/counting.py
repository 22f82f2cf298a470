"""The Count: which cards can be played at it, and what each makes of it (`limit`, `count-called`)."""

import functools
import math
from typing import Final

from domain.cards import Card, SeenCard
from domain.rule_sets import Effect, RuleSet


class AtCount(dict[Card, "AtCount | Leads"]):
    """One Count: each card that can be played at it, with the Count that it leads to, or the several that it may.

    A card that isn't a key can't be played. An ordinary card leads straight to the next Count; one that leaves a
    choice, or does more, to Leads. Where the Count is unknown (None), the keys are the cards that can be played
    whatever it is.
    """

    __slots__ = ("close", "count", "deadly", "turning")

    def __init__(self, count: int | None, deadly: Card | None) -> None:
        super().__init__()
        self.count = count
        self.deadly = deadly
        """The card that is the Death Card here."""
        self.close: set[Card] = set()
        """Cards that may do more here than lead to another Count with the turn passing to the next player."""
        self.turning: set[Card] = set()
        """Those of them that only turn the direction."""

    def totals(self, card: SeenCard) -> tuple[int, ...] | None:
        """The Counts that a card can lead to; None if it can't be played or wasn't seen, none if unknown."""
        leads = self.get(card) if card is not None else None
        if isinstance(leads, AtCount):
            return () if leads.count is None else (leads.count,)
        return None if leads is None else tuple(leads)

    def __repr__(self) -> str:
        leads = ", ".join(f"{card}: {'/'.join(map(str, self.totals(card) or ()))}" for card in self)
        return f"<at {self.count}: {leads}>"


class Leads(dict[int, AtCount | None]):
    """The Counts that a card may lead to; None in place of one that no game has come to from there yet."""

    __slots__ = ()


class Counts(dict[int | None, AtCount]):
    """Every Count of a rule set, made when first asked for."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self.rules: Final = rules
        self._below = _cards_by_effect(rules, None)
        self._at_limit = _cards_by_effect(rules, rules.limit)
        floor = -math.inf if rules.floor is None else rules.floor
        self._bounds = (floor, math.inf if rules.any_card_may_be_played else rules.limit)
        self._may_cost = bool(rules.borders or rules.exact_hits or rules.any_card_may_be_played)

    def __missing__(self, count: int | None) -> AtCount:
        rules = self.rules
        deadly = rules.death_card.card if rules.death_card and count == rules.limit else None
        at = self[count] = AtCount(count, deadly)
        if count is not None and count > rules.limit:
            return at
        lowest, highest = self._bounds
        for effect, cards in self._at_limit if count == rules.limit else self._below:
            counts = [after for after in after_effect(effect, count) if lowest <= after <= highest]
            costly = self._may_cost and any(self.costs(count, after) for after in counts)
            special = costly or effect.then != "next" or deadly in cards
            if not special and len(counts) == 1 and 0 <= counts[0] <= rules.limit:
                at.update(dict.fromkeys(cards, self[counts[0]]))
                continue
            if counts or (count is None and rules.any_card_may_be_played):
                at.update(dict.fromkeys(cards, Leads(dict.fromkeys(counts))))
            if special:
                at.close.update(cards)
            if special and not costly and effect.then == "turn":
                at.turning.update(cards)
        return at

    def allows(self, count: int) -> bool:
        """Whether a card may lead to a Count: not over the limit where that is refused, never under the floor."""
        lowest, highest = self._bounds
        return lowest <= count <= highest

    def costs(self, before: int | None, after: int) -> bool:
        """Whether a Count reached costs somebody something, or ends the hand."""
        rules = self.rules
        if after > rules.limit:
            return True
        if not rules.borders and not rules.exact_hits:
            return False
        return before is None or bool(self.crossed(before, after)) or self.hits(before, after)

    def crossed(self, before: int, after: int) -> int:
        """How many borders a card crosses that takes the Count from one to another (`border`)."""
        low, high = sorted((before, after))
        return sum(low <= border < high for border in self.rules.borders)

    def hits(self, before: int, after: int) -> bool:
        """Whether a card brings the Count exactly to a number that costs the others."""
        return before != after and after in self.rules.exact_hits

    def within(self, count: int) -> AtCount:
        """The Count that a table goes on from which said `count`: over the limit as the limit."""
        rules = self.rules
        lowest = count if rules.floor is None else max(rules.floor, count)
        return self[min(lowest, rules.limit)]


def _cards_by_effect(rules: RuleSet, count: int | None) -> list[tuple[Effect, list[Card]]]:
    """The cards that do the same at a Count; the Death Card by itself."""
    deadly = rules.death_card.card if rules.death_card else None
    cards: dict[tuple[Effect, bool], list[Card]] = {}
    for card in rules.deck:
        effect = rules.effect_of(card, count)
        if effect is not None:
            cards.setdefault((effect, card == deadly), []).append(card)
    return [(effect, alike) for (effect, _), alike in cards.items()]


def after_effect(effect: Effect, count: int | None) -> tuple[int, ...]:
    """The Counts that an effect can lead to; none where the Count before is unknown and matters."""
    if effect.set is not None:
        return (effect.set,)
    return () if count is None else tuple(count + number for number in effect.add)


@functools.lru_cache(maxsize=64)
def counts_of(rules: RuleSet) -> Counts:
    """The one place that says which card can be played at which Count, and what it makes of it."""
    return Counts(rules)
