"""Rule sets are values: cards, numbers and choices that the referee reads.

The Death Card and the prize are parts of the engine; a set switches them on by naming their cards.
"""

from typing import Final

import msgspec

from domain.cards import DECK, Card


class Effect(msgspec.Struct, frozen=True):
    """What a card does to the Count: sets it, or adds to it (0 is a pass)."""

    add: int = 0
    set: int | None = None

    def on(self, count: int | None) -> int | None:
        """The Count after it; None where the Count before is unknown and matters."""
        if self.set is not None:
            return self.set
        return None if count is None else count + self.add


class DeathCard(msgspec.Struct, frozen=True):
    """`death-card-target`, `death-card-shield`, `death-card-blowback`: the card and the only answer to it."""

    card: Card
    shield: Card


class PrizeRules(msgspec.Struct, frozen=True):
    """`steal`, `bonus`, `slide`: the card that steals, and the cards that a prize slides down."""

    thief: Card
    slide: tuple[Card, ...]


class RuleSet(msgspec.Struct, frozen=True):
    """One game as data."""

    name: str
    edition: int
    title: str
    deck: tuple[Card, ...]
    hand_size: int
    fewest_seats: int
    most_seats: int
    limit: int
    effects: dict[str, Effect]
    """By rank, while the Count is below the limit."""
    at_limit: dict[str, Effect]
    """By rank or by card, at exactly the limit; a card that isn't listed can't be played."""
    death_card: DeathCard | None = None
    prize: PrizeRules | None = None

    def __hash__(self) -> int:
        return hash((self.name, self.edition))

    @property
    def ref(self) -> str:
        return f"{self.name}@{self.edition}"


_PIPS: Final = {str(pips): Effect(add=pips) for pips in range(2, 10)}

BONG_HIT_99: Final = RuleSet(
    name="bong-hit-99",
    edition=1,
    title="Bong Hit 99: play, say the Count, draw; last player standing wins the hit.",
    deck=DECK,
    hand_size=4,
    fewest_seats=2,
    most_seats=13,
    limit=99,
    effects={"A": Effect(add=1), **_PIPS, **dict.fromkeys("TJQ", Effect(add=10)), "K": Effect(set=99)},
    at_limit={
        "2": Effect(),
        "9": Effect(),
        "T": Effect(add=-10),
        "K": Effect(set=99),
        "Qs": Effect(),
    },
    death_card=DeathCard(card="Qs", shield="Ad"),
    prize=PrizeRules(
        thief="Ac",
        slide=("Kc", "Qc", "Jc", "Tc", "9c", "8c", "7c", "6c", "5c", "4c", "3c", "2c"),
    ),
)

RULE_SETS: Final[dict[str, RuleSet]] = {rules.ref: rules for rules in (BONG_HIT_99,)}


class UnknownRules(ValueError):
    """The log is played by rules that this version does not know; the text says which."""


def rules_named(reference: object) -> RuleSet:
    """The rule set that a log names: `name[+option…][@edition]`, edition 1 if absent.

    Raises UnknownRules for a name, an option or an edition that isn't known, and for rules given inline.
    """
    if not isinstance(reference, str):
        raise UnknownRules("rules given inline are not known to this version; expected the name of a rule set")
    name, _, edition = reference.partition("@")
    found = RULE_SETS.get(f"{name}@{edition or 1}")
    if found is not None:
        return found
    editions = [rules.edition for rules in RULE_SETS.values() if rules.name == name]
    if editions and edition.isdecimal() and int(edition) > max(editions):
        raise UnknownRules(f"edition {edition} of {name} is later than the last one known here, {max(editions)}")
    known = ", ".join(sorted({rules.name for rules in RULE_SETS.values()}))
    raise UnknownRules(f"rules {reference[:60]!r} are not known here; expected one of: {known}")
