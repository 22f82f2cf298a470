"""Rule sets are values: cards, numbers and choices that the referee reads (docs/house-rules.md).

The Death Card and the prize are parts of the engine; a set switches them on by naming their cards.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

from domain.cards import DECK, Card

Then: TypeAlias = Literal["next", "turn", "skip", "choose", "again"]
BySeats: TypeAlias = dict[int, int]
"""A number that depends on how many sit down: the one for the largest key that is not over the number of seats."""


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a card does: it sets the Count, or adds one of several numbers to it; and who acts after it.

    `then`: the next player, the next after the direction has turned (`turn`), the one after the next (`skip`),
    whoever its player points at (`choose`), or the same player (`again`).
    """

    add: tuple[int, ...] = (0,)
    set: int | None = None
    then: Then = "next"


class DeathCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`death-card-target`, `death-card-shield`, `death-card-blowback`: the card and the only answer to it."""

    card: Card
    shield: Card


class PrizeRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`steal`, `bonus`, `slide`: the card that steals, and the cards that a prize slides down."""

    thief: Card
    slide: tuple[Card, ...]


class RuleSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One game as data. Sets of one name and edition never change; what is absent is as the default says."""

    name: str
    edition: int
    title: str
    deck: tuple[Card, ...] = DECK
    """The cards of one deck."""
    decks: BySeats = msgspec.field(default_factory=lambda: {1: 1})
    hand_size: int
    fewest_seats: int = 2
    most_seats: int | None = None
    """None: as many as the decks serve."""
    limit: int = 99
    floor: int | None = None
    """The lowest Count; None: there is none (R10)."""
    effects: dict[str, Effect]
    """By rank, or by card."""
    at_limit: dict[str, Effect] | None = None
    """By rank or by card, at exactly the limit, where a card that isn't listed can't be played; None: as below it."""
    over_limit: Literal["refused", "lost", "ends"] = "refused"
    """A card that takes the Count over the limit can't be played, or loses the hand, or just ends it."""
    out_ends: Literal["seat", "hand", "pile"] = "seat"
    """Who can't play is out and the others play on, or the hand ends, or the pile is taken away and they play on."""
    between_two: Literal["next", "again"] = "next"
    """Who acts after a card that turns the direction, where two are left in the hand (R23)."""
    forgotten_draw: Literal["fault", "until_own_play", "until_next_draw", "until_next_play"] = "fault"
    """Whether a draw may be forgotten, and until when it can be made good (R20)."""
    reshuffled: Literal["pile", "pile_but_last"] = "pile"
    """What becomes the new stock (R21)."""
    tokens: BySeats | None = None
    """Tokens, or points, of each player; None: the game has no match."""
    winner_takes_pot: bool = False
    borders: tuple[int, ...] = ()
    """A token is lost for each number from which, or to which, a card takes the Count across the next one."""
    exact_hits: tuple[int, ...] = ()
    """Who brings the Count to one of these costs each other player a token."""
    score_to: int | None = None
    """Tokens are points of one hand, added to a score when it ends; the highest wins from here on (R15)."""
    says: dict[str, str] = {}
    """What is said with a card, by rank or by card, `{count}` for the Count; others say just the Count."""
    death_card: DeathCard | None = None
    prize: PrizeRules | None = None

    def __hash__(self) -> int:
        return hash((self.name, self.edition))

    @property
    def ref(self) -> str:
        return f"{self.name}@{self.edition}"

    @property
    def any_card_may_be_played(self) -> bool:
        """Whether a card that takes the Count over the limit may be played (R13, R19)."""
        return self.over_limit != "refused"

    @property
    def forgiving(self) -> bool:
        """Whether a draw may be forgotten."""
        return self.forgotten_draw != "fault"

    def effect_of(self, card: Card, count: int | None) -> Effect | None:
        """What a card does at a Count; None where it can't be played."""
        effects = self.effects if self.at_limit is None or count != self.limit else self.at_limit
        return effects.get(card) or effects.get(card[0])

    def cards_in_play(self, seats: int) -> dict[Card, int]:
        """Each card, with how many there are of it where so many sit down (R22)."""
        return dict.fromkeys(self.deck, by_seats(self.decks, seats))

    def most_served(self, seats: int) -> int:
        """How many players can be dealt in."""
        served = by_seats(self.decks, seats) * len(self.deck) // self.hand_size
        return served if self.most_seats is None else min(served, self.most_seats)


def by_seats(numbers: Mapping[int, int], seats: int) -> int:
    """The number for so many seats."""
    return numbers[max((key for key in numbers if key <= seats), default=min(numbers))]


# ---- changing a set, and reading one ----


class UnknownRules(ValueError):
    """The log is played by rules that this version does not know, or can't read; the text says which."""


OPTIONAL: Final = ("most_seats", "floor", "at_limit", "tokens", "score_to", "death_card", "prize")
"""Keys that a change can take back: `false` for them means that the set has none."""


def changed(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A set as plain data with changes: a table of cards is changed key by key, anything else is replaced."""
    made = dict(base)
    for key, value in changes.items():
        if value is False and key in OPTIONAL:
            made.pop(key, None)
        elif key in ("effects", "at_limit", "says") and isinstance(value, Mapping):
            kept = {**made.get(key, {}), **value}
            made[key] = {card: effect for card, effect in kept.items() if effect is not False}
        else:
            made[key] = value
    return made


def rule_set(data: Mapping[str, Any]) -> RuleSet:
    """A rule set out of plain data, checked. Raises UnknownRules with the key that is wrong."""
    try:
        for key in ("effects", "at_limit"):
            _check_effects(key, data.get(key))
        rules = msgspec.convert(data, RuleSet, str_keys=True)
    except msgspec.ValidationError as error:
        raise UnknownRules(_in_words(str(error))) from None
    wrong = _nonsense(rules)
    if wrong is not None:
        raise UnknownRules(wrong)
    return rules


def _check_effects(key: str, effects: object) -> None:
    """Each effect by itself, so that an error names its card."""
    if isinstance(effects, Mapping):
        for card, effect in effects.items():
            try:
                msgspec.convert(effect, Effect)
            except msgspec.ValidationError as error:
                raise UnknownRules(_in_words(str(error), f"{key}.{card}")) from None


def _in_words(error: str, within: str = "") -> str:
    """The library's error with the key first: "effects.Q.add: …"."""
    text, _, path = error.partition(" - at `")
    place = (within + path.removesuffix("`").removeprefix("$")).lstrip(".")
    return f"{place}: {text}" if place else text


def _nonsense(rules: RuleSet) -> str | None:
    """What no game can be played by, with its key; None if all is well."""
    ranks = {card[0] for card in rules.deck}
    for key, cards in (("effects", rules.effects), ("at_limit", rules.at_limit or {}), ("says", rules.says)):
        for card in cards:
            if card not in ranks and card not in rules.deck:
                return f"{key}.{card}: expected a rank ({' '.join(sorted(ranks))}) or a card of the deck"
    for key, numbers in (("decks", rules.decks), ("tokens", rules.tokens)):
        if numbers is not None and (not numbers or min(numbers.values()) < 1):
            return f"{key}: expected numbers of at least 1, by seats"
    if len(set(rules.deck)) < len(rules.deck):
        return "deck: expected each card once; decks says how many decks there are"
    if any(rules.effect_of(card, None) is None for card in rules.deck):
        missing = next(card for card in rules.deck if rules.effect_of(card, None) is None)
        return f"effects: expected an effect for every card; {missing} has none"
    if any(not effect.add for effect in [*rules.effects.values(), *(rules.at_limit or {}).values()]):
        return "effects: expected at least one number to add"
    if rules.hand_size < 1 or rules.fewest_seats < 2:
        return "hand_size: expected at least 1, and at least two seats"
    if rules.floor is not None and rules.floor > 0:
        return "floor: expected 0 or less, as a hand starts at 0"
    if rules.limit < 1:
        return "limit: expected at least 1"
    if rules.tokens is None and (rules.borders or rules.exact_hits or rules.score_to is not None):
        return "tokens: expected a number, as borders, exact_hits and score_to need tokens"
    return None
