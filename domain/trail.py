"""What happened to the cards of a hand, step by step, kept while some of them are cards that nobody logged.

The table notes each step as it follows it; what the steps prove together is found out above the domain. A trail is a
chain from the last step back, so that the copies of a table share what they have in common.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from domain.cards import Card, SeenCard

if TYPE_CHECKING:
    from domain.referee.verdicts import Open


MOST_WAYS: Final = 8
"""Where more trails lead to the same table, they aren't told apart any more."""


class Laid(NamedTuple):
    """The places of all cards as they are known now, and the cards whose place isn't: a deal, or a fresh start after
    a fault that leaves open which card moved. Piles have the top card last."""

    line: int
    hands: dict[str, list[SeenCard]]
    stock: list[SeenCard]
    pile: list[SeenCard]
    aside: list[SeenCard]
    unplaced: dict[Card, int]


class Played(NamedTuple):
    """A card goes from a hand to the play pile."""

    line: int
    player: str
    card: SeenCard


class Drew(NamedTuple):
    """The top of the stock goes to a hand."""

    line: int
    player: str
    card: SeenCard


class Returned(NamedTuple):
    """A card goes from a hand to the bottom of the stock."""

    line: int
    player: str
    card: SeenCard


class Turns(NamedTuple):
    """Plays, each with its draw: `events` from index `start` up to `end`, of which the first stands on `line`."""

    line: int
    events: Sequence[object]
    start: int
    end: int


class Shuffled(NamedTuple):
    """The pile but for its last `staying` cards, with piles set aside and what was left of the stock, is the stock."""

    line: int
    listed: list[SeenCard] | None
    staying: int


class SetAside(NamedTuple):
    """The pile is taken away until the next reshuffle."""

    line: int


class Held(NamedTuple):
    """A player is seen to hold these cards."""

    line: int
    player: str
    cards: list[Card]
    rule: str = "hold-card"
    """What is broken if they can't have held them."""


class Undoing(NamedTuple):
    """This line is taken back later: what it moves goes back, and what was seen stays known."""

    line: int


class MovedBack(NamedTuple):
    """The cards are again where they were before line `about`, which was undone."""

    line: int
    about: int


class Was(NamedTuple):
    """The card that nobody logged on this line is taken to be one of these."""

    line: int
    cards: frozenset[Card]


class Asked(NamedTuple):
    """The referee left a check open here; what is asked is asked before the line moves a card."""

    line: int
    player: str | None
    open: "Open"
    unless: bool = False
    """Whether a fault was found already, which is another one unless somebody holds the cards."""


class Either(NamedTuple):
    """Several trails lead to the same table."""

    trails: tuple["Trail", ...]
    ways: int
    """How many ways there are in all; behind `MOST_WAYS` but one of them is kept."""
    line: int = 0


class Lost(NamedTuple):
    """From here on it isn't known which cards lie in the stock and which in the pile."""

    line: int


Moved: TypeAlias = Laid | Played | Drew | Returned | Turns | Shuffled | SetAside | Lost | Undoing | MovedBack
Told: TypeAlias = Held | Was | Asked | Either
Step: TypeAlias = Moved | Told
Trail: TypeAlias = tuple[Step, "Trail | None"]


def joined(one: Trail | None, other: Trail | None) -> Trail | None:
    """The trail of a table that two trails led to."""
    if one is other or one is None or other is None:
        return one or other
    (step, before), (other_step, other_before) = one, other
    if isinstance(step, Was) and isinstance(other_step, Was) and _alike(before, other_before):
        return (Was(step.line, step.cards | other_step.cards), before)
    ways = ways_of(one)
    if ways > MOST_WAYS:
        return one
    ways += ways_of(other)
    return (Either((one, other) if ways <= MOST_WAYS else (one,), ways), None)


def ways_of(trail: Trail | None) -> int:
    """In how many ways a trail may have gone."""
    while trail is not None:
        step, trail = trail
        if isinstance(step, Either):
            return step.ways
    return 1


def _alike(one: Trail | None, other: Trail | None) -> bool:
    """Whether two trails parted with their last step, and took the same."""
    return one is not None and other is not None and one[1] is other[1] and one[0] == other[0]


def unseen_after_all(trail: Trail | None, line: int, card: Card) -> Trail | None:
    """A trail on which a line was taken to play a card that it doesn't name: it plays an unseen one, which was that."""
    if trail is None or trail[0].line < line:
        return trail
    step, before = trail
    if isinstance(step, Played) and step.line == line and step.card == card:
        return (Was(line, frozenset((card,))), (step._replace(card=None), before))
    return (step, unseen_after_all(before, line, card))


def same_trail(one: Trail | None, other: Trail | None) -> bool:
    """Whether the same happened on two trails, for sure: where each of them came from several, it isn't looked into."""
    while one is not other:
        if one is None or other is None or isinstance(one[0], Either) or one[0] != other[0]:
            return False
        one, other = one[1], other[1]
    return True


def first_line(trail: Trail | None) -> int:
    """The line of the deal, or of the first card that nobody saw."""
    line, at = 0, trail
    while at is not None:
        step, at = at
        if isinstance(step, Either):
            at = step.trails[0]
        else:
            line = step.line
    return line
