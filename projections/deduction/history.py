"""A trail as a history: the places that cards passed through, and what is known of each.

A *spot* is a place that held one card: a card as it was dealt, a place in a reshuffled stock, or a card as it was
played. The card in it is known from a line of the log, or not at all.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from domain import events as ev
from domain.cards import Card, SeenCard
from domain.trail import (
    MOST_WAYS,
    Asked,
    Drew,
    Either,
    Held,
    Laid,
    Lost,
    MovedBack,
    Played,
    Returned,
    SetAside,
    Shuffled,
    Step,
    Trail,
    Turns,
    Undoing,
    Was,
    ways_of,
)

Some = TypeVar("Some")
Number: TypeAlias = int
"""The index of a spot in its history."""


class TooLarge(Exception):
    """More is unknown than the solver is asked about."""


class Spot:
    """A place that held one card."""

    __slots__ = ("among", "card", "holder", "kind", "line", "seen_on")

    def __init__(self, kind: Literal["dealt", "stock", "played"], line: int, holder: str | None) -> None:
        self.kind = kind
        self.line = line
        self.holder = holder
        """Whose hand it was dealt to, or played from."""
        self.card: SeenCard = None
        self.seen_on: int | None = None
        """The line that names the card."""
        self.among: frozenset[Card] | None = None
        """Cards of which it is taken to be one."""


class Lot(NamedTuple):
    """Spots that were filled together: by the deal, with the cards in play, or by a reshuffle, out of older spots."""

    spots: list[Number]
    cards: dict[Card, int] | None
    """The cards of a deal with how many there are; None for a reshuffle."""
    sources: list[Number]
    at: int
    """How many moves came before."""


class Enters(NamedTuple):
    player: str
    spot: Number
    line: int


class Leaves(NamedTuple):
    player: str
    spot: Number
    line: int


class Shows(NamedTuple):
    player: str
    cards: list[Card]
    line: int
    rule: str


class Check(NamedTuple):
    """A check that was left open, and where in the moves it was asked."""

    asked: Asked
    at: int
    spot: Number | None
    """The spot that the line fills, if it plays a card."""


class BeforeUndone(NamedTuple):
    """What this line moves goes back later."""

    line: int


class Back(NamedTuple):
    """All hands are again as they were before line `about`, which was undone."""

    line: int
    about: int


Move: TypeAlias = Enters | Leaves | Shows | BeforeUndone | Back


class History:
    """The spots of one stretch of a hand in which every card can be followed, and what was asked in it."""

    def __init__(self) -> None:
        self.spots: list[Spot] = []
        self.lots: list[Lot] = []
        self.moves: list[Move] = []
        self.checks: list[Check] = []
        self.undecided: list[Asked] = []
        """Checks that turn on more than cards, or that were asked where the cards can't be followed."""
        self.stock: list[Number] = []
        self.pile: list[Number] = []
        self.aside: list[Number] = []
        self._piles: dict[int, tuple[list[Number], list[Number], list[Number]]] = {}
        """Stock, pile and what was set aside, before each undone line."""
        self.went_back: set[Number] = set()
        """Spots of the stock that were drawn, and went back."""
        self.players: tuple[str, ...] = ()
        self.begins = 0
        """The line of its deal, or of the fault after which it begins."""
        self.lost_on: int | None = None
        """The line from which on the cards can't be followed."""

    def lines(self) -> list[int]:
        """The lines that name a card, in order."""
        named = {spot.seen_on for spot in self.spots if spot.seen_on is not None}
        named |= {move.line for move in self.moves if isinstance(move, Shows)}
        return sorted(named)

    def moves_upto(self, line: int) -> int:
        """How many moves there are up to and with a line; an undone one never happened."""
        while line in self._piles:
            line -= 1
        return bisect_right(self.moves, line, key=_line_of)

    def undone(self, line: int) -> bool:
        """Whether a line was taken back."""
        return line in self._piles

    def named(self) -> set[Card]:
        """The cards that some line names."""
        named = {spot.card for spot in self.spots if spot.card is not None}
        for move in self.moves:
            if isinstance(move, Shows):
                named.update(move.cards)
        return named

    def if_held(self, at: int, player: str, card: Card) -> "History":
        """The same history, if a player had been seen to hold a card after so many moves."""
        twin = copy(self)
        twin.moves = [*self.moves[:at], Shows(player, [card], 0, "hold-card"), *self.moves[at:]]
        twin.lots = [lot._replace(at=lot.at + (lot.at > at)) for lot in self.lots]
        return twin

    # ---- steps ----

    def follow(self, step: Step) -> None:
        match step:
            case Asked():
                self._ask(step)
            case Lost(line=line):
                self._lose(line)
            case _ if not self.lost:
                self._move(step)

    @property
    def lost(self) -> bool:
        return self.lost_on is not None

    def _lose(self, line: int) -> None:
        if self.lost_on is None:
            self.lost_on = line

    def _ask(self, asked: Asked) -> None:
        if asked.open.questions and not self.lost:
            self.checks.append(Check(asked, len(self.moves), None))
        else:
            self.undecided.append(asked)

    def _move(self, step: Step) -> None:
        match step:
            case Laid():
                self._lay(step)
            case Played(line=line, player=player, card=card):
                self.pile.append(self._leave(line, player, card))
            case Returned(line=line, player=player, card=card):
                self.stock.insert(0, self._leave(line, player, card))
            case Drew(line=line, player=player, card=card):
                self._draw(line, player, card)
            case Turns(line=line, events=events, start=start, end=end):
                for at, event in enumerate(events[start:end], line):
                    if isinstance(event, ev.CardPlayed):
                        self.pile.append(self._leave(at, event.player, event.card))
                    elif isinstance(event, ev.CardDrawn):
                        self._draw(at, event.player, event.card)
            case Shuffled(line=line, listed=listed, staying=staying):
                self._shuffle(line, listed, staying)
            case SetAside():
                self.aside, self.pile = self.aside + self.pile, []
            case Held(line=line, player=player, cards=cards, rule=rule):
                if player in self.players:
                    self.moves.append(Shows(player, cards, line, rule))
            case Undoing(line=line):
                self.moves.append(BeforeUndone(line))
                self._piles[line] = self.stock.copy(), self.pile.copy(), self.aside.copy()
            case MovedBack(line=line, about=about):
                self._move_back(line, about)
            case Was(line=line, cards=cards):
                self._narrow(line, cards)

    def _move_back(self, line: int, about: int) -> None:
        if about not in self._piles:
            self._lose(line)
            return
        stock, pile, aside = self._piles[about]
        self.stock, self.pile, self.aside = stock.copy(), pile.copy(), aside.copy()
        first = self.moves.index(BeforeUndone(about))
        self.went_back |= {move.spot for move in self.moves[first:] if isinstance(move, Enters)}
        self.moves.append(Back(line, about))

    def _spot(
        self, kind: Literal["dealt", "stock", "played"], line: int, holder: str | None, card: SeenCard = None
    ) -> Number:
        self.spots.append(Spot(kind, line, holder))
        if card is not None:
            self._name(len(self.spots) - 1, card, line)
        return len(self.spots) - 1

    def _name(self, number: Number, card: Card, line: int) -> None:
        spot = self.spots[number]
        if spot.card is None:
            spot.card, spot.seen_on = card, line
        elif spot.card != card:
            self._lose(line)  # the table believed the later line: a fault, after which all is laid anew

    def _lay(self, laid: Laid) -> None:
        line, first = laid.line, len(self.spots)
        self.begins = line
        self.players = tuple(laid.hands)
        for player, cards in laid.hands.items():
            for card in cards:
                self.moves.append(Enters(player, self._spot("dealt", line, player, card), line))
        self.stock = [self._spot("stock", line, None, card) for card in laid.stock]
        self.pile = [self._spot("played", line, None, card) for card in laid.pile]
        self.aside = [self._spot("played", line, None, card) for card in laid.aside]
        pool = laid.unplaced.copy()
        for spot in self.spots[first:]:
            if spot.card is not None:
                pool[spot.card] = pool.get(spot.card, 0) + 1
        if sum(pool.values()) < len(self.spots) - first:
            self._lose(line)  # more cards were dealt than there are
        self.lots.append(Lot(list(range(first, len(self.spots))), pool, [], 0))

    def _leave(self, line: int, player: str, card: SeenCard) -> Number:
        number = self._spot("played", line, player, card)
        if player in self.players:
            self.moves.append(Leaves(player, number, line))
        else:
            self._lose(line)
        if self.checks and self.checks[-1].asked.line == line and self.checks[-1].spot is None:
            self.checks[-1] = self.checks[-1]._replace(spot=number)
        return number

    def _draw(self, line: int, player: str, card: SeenCard) -> None:
        if not self.stock or player not in self.players:
            self._lose(line)
            return
        number = self.stock.pop()
        if card is not None:
            self._name(number, card, line)
        self.moves.append(Enters(player, number, line))

    def _shuffle(self, line: int, listed: list[SeenCard] | None, staying: int) -> None:
        stays = min(staying, len(self.pile))
        taken = [*self.stock, *self.aside, *self.pile[: len(self.pile) - stays]]
        self.pile, self.aside = self.pile[len(self.pile) - stays :], []
        if listed is not None and len(listed) != len(taken):
            self._lose(line)
        elif len(taken) == 1 and (listed is None or listed[0] is None):
            self.stock = taken  # a single card has but one order
        else:
            order = [None] * len(taken) if listed is None else listed[::-1]
            self.stock = [self._spot("stock", line, None, card) for card in order]
            self.lots.append(Lot(self.stock.copy(), None, taken, len(self.moves)))

    def _narrow(self, line: int, cards: frozenset[Card]) -> None:
        for spot in reversed(self.spots):
            if spot.line == line and spot.kind == "played":
                spot.among = cards if spot.among is None else spot.among & cards
                return


def copied(hands: Mapping[str, list[Some]]) -> dict[str, list[Some]]:
    """The hands, as they are kept for the time when undone lines are moved back."""
    return {player: hand.copy() for player, hand in hands.items()}


def _line_of(move: Move) -> int:
    return move.line


def histories(trail: Trail) -> list[list[History]] | None:
    """The ways that a trail may have gone, as a rule one, each cut into the stretches that can be followed; None if
    there are too many."""
    return None if ways_of(trail) > MOST_WAYS else [_cut(way) for way in _ways(trail)]


def moved_on(trails: Sequence[Trail], *, asked: bool = False) -> tuple[list[History], bool]:
    """What happened to the cards on the first of several trails, whatever a card is taken to be on it, cut into
    stretches; and whether the same happened on all of them. `asked`: with the checks on the way, if there is but one.
    """
    told = [way for trail in trails for way in _ways(trail)]
    ways = [[step for step in way if not isinstance(step, Was | Asked)] for way in told]
    return _cut(told[0] if asked and len(told) == 1 else ways[0]), all(way == ways[0] for way in ways)


def asked_in(trail: Trail) -> list[Asked]:
    """What was asked on a trail, in order, by one of its ways."""
    return [step for step in next(_ways(trail)) if isinstance(step, Asked)]


def _ways(trail: Trail | None) -> Iterator[list[Step]]:
    steps: list[Step] = []
    while trail is not None:
        step, before = trail
        if isinstance(step, Either):
            for other in step.trails:
                for way in _ways(other):
                    yield way + steps[::-1]
            return
        steps.append(step)
        trail = before
    yield steps[::-1]


def _cut(steps: Sequence[Step]) -> list[History]:
    stretches: list[History] = []
    for step in steps:
        if isinstance(step, Laid):
            stretches.append(History())
        stretches[-1].follow(step)
    return stretches
