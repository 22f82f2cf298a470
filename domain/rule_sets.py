"""Rule sets are values: cards, numbers and choices that the referee reads (docs/house-rules.md).

The Death Card and the prize are parts of the engine; a set switches them on by naming their cards.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

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

    def most_served(self, cards: int) -> int:
        """How many players can be dealt in, with so many cards in play (R1, R22)."""
        served = cards // self.hand_size
        return served if self.most_seats is None else min(served, self.most_seats)


def by_seats(numbers: Mapping[int, int], seats: int) -> int:
    """The number for so many seats."""
    return numbers[max((key for key in numbers if key <= seats), default=min(numbers))]
