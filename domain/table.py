"""The table: the one mutable object. `domain.moves` makes it follow a log; judging is the referee's business."""

from copy import copy
from operator import attrgetter
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from domain import events as ev
from domain.card_places import CardPlaces
from domain.cards import SeenCard
from domain.counting import AtCount, Counts, counts_of
from domain.prize import Prize
from domain.rule_sets import RuleSet, by_seats
from domain.shipped_rules import rules_of
from domain.trail import Laid, Step, Trail

Awaiting: TypeAlias = Literal[
    "deal", "play", "draw", "shield", "blowback", "leave", "win", "prize", "due", "score", "over", "closed"
]
IN_HAND: Final = frozenset({"play", "draw", "shield", "blowback", "leave"})
"""What a table waits for while a hand is being played."""


class Out(msgspec.Struct, frozen=True, eq=False):
    """How a player went out: the line, the reason, and the Count that they faced."""

    line: int
    reason: ev.Reason
    at: AtCount
    proved: bool = False
    """Whether it is settled already that they could have played, or can't be told any more."""

    def proven(self) -> "Out":
        return Out(self.line, self.reason, self.at, True)


class Due(NamedTuple):
    """What must be written down before play goes on: who loses how many tokens, is out of the match, or wins it.

    `tokens` is None where the log doesn't tell how many.
    """

    type: Literal["tokens_lost", "player_knocked_out", "match_won"]
    player: str
    tokens: int | None = 0
    reason: Literal["hand_lost", "border", "exact"] = "hand_lost"


def ring(names: list[str]) -> dict[str, str]:
    """Each name with the one after it, and the last with the first."""
    return dict(zip(names, names[1:] + names[:1], strict=True))


class Table(CardPlaces):
    """A game at one moment, as the log tells it."""

    __slots__ = (
        "after_dealer",
        "answered",
        "at",
        "attacker",
        "awaiting",
        "before_deal",
        "carried",
        "champion",
        "chooser",
        "circle",
        "costs_unknown",
        "counts",
        "dealer",
        "dealt_on",
        "direction",
        "drew_unseen",
        "dues",
        "earlier_finisher",
        "finisher",
        "first_out",
        "follows_all",
        "hand",
        "held",
        "knocked_out",
        "late",
        "left_over",
        "line",
        "loader",
        "next_in",
        "omits",
        "outs",
        "owing",
        "pair",
        "pot",
        "prizes",
        "prizes_moved",
        "rules",
        "scores",
        "seats",
        "short",
        "source",
        "tells_all",
        "then_awaiting",
        "then_to_act",
        "to_act",
        "tokens",
        "tokens_each",
        "trail",
        "voided",
        "winner",
    )

    rules: RuleSet
    counts: Counts

    def __init__(self, opened: ev.GameOpened) -> None:
        """A table with the seats and the rules of a game's first line. Raises UnknownRules."""
        self.rules = rules_of(opened.rules)
        super().__init__(self.rules.cards_in_play(len(opened.players)))
        self.counts = counts_of(self.rules)
        self.source = opened.source
        self.omits = frozenset(opened.omits)
        self.tells_all = True
        """Whether every draw and reshuffle of this hand is written down, and each card stands once in its deal."""
        self.drew_unseen: tuple[str, SeenCard] | None = None
        """In a log that writes no draws down: whose draw was the last, and of which card."""
        self.line = 1
        """The line applied last; the fold that owns the table keeps it."""
        self.seats = list(opened.players)
        self.circle = ring(self.seats)
        """Each seat that is still in the match, with the next one clockwise."""
        self.dealer: str | None = None
        self.dealt_on = 0
        """The line of the last deal."""
        self.after_dealer: str | None = None
        """Who sits next to a dealer that left."""
        self.pair: frozenset[str] | None = None
        """The two players of a two-player game (R3), None if it is not one."""
        self.hand = 0
        self.voided = False
        self.awaiting: Awaiting = "deal"
        self.to_act: str | None = None
        self.then_awaiting: Awaiting = "deal"
        self.then_to_act: str | None = None
        """With `then_awaiting`: what comes after the draw that is awaited."""
        self.held: list[tuple[Awaiting, str | None]] = []
        """What was awaited when something came first: a leaver's going out, what is due, or the close."""
        self.at = self.counts[0]
        """The Count, with what can be played at it."""
        self.next_in: dict[str, str] = {}
        """The players still in, each with the next one in the direction of play."""
        self.direction: Literal[1, -1] = 1
        """1 for clockwise."""
        self.chooser: str | None = None
        """Who chose the next player, where nobody wrote down whom: anybody else may act."""
        self.owing: list[str] = []
        """Who forgot to draw and may still do so (R20)."""
        self.short: dict[str, int] = {}
        """By how many cards a hand is rightly short, for draws that were forgotten and lost."""
        self.outs: dict[str, Out] = {}
        self.attacker: str | None = None
        self.answered: str | None = None
        """The Death Card's player, and who answered it last."""
        self.winner: str | None = None
        self.prizes: list[Prize] = []
        self.prizes_moved = False
        """Whether the steal or the bonus of this hand has been made."""
        self.carried: int | None = 0
        """Hits at stake beside the hand's own; None if unknown."""
        self.left_over: int | None = 0
        """Hits at stake in the next hand."""
        self.loader: str | None = None
        self.first_out: str | None = None
        self.finisher: str | None = None
        self.earlier_finisher: str | None = None
        """Who had the duty for a finished bowl before somebody was first out; it comes back with a void."""
        self.tokens_each = by_seats(self.rules.tokens, len(self.seats)) if self.rules.tokens else 0
        """What everybody begins with, by the seats at the opening (R22); 0 in a game without."""
        self.tokens: dict[str, int] = dict.fromkeys(self.seats, self.tokens_each) if self.tokens_each else {}
        """The tokens of each player, if they are known; where points are kept, those of this hand. Empty without."""
        self.scores: dict[str, int] = dict.fromkeys(self.seats, 0) if self.rules.score_to is not None else {}
        self.pot = 0
        """Tokens lost so far."""
        self.knocked_out: list[str] = []
        self.before_deal: tuple[dict[str, int], int, list[str]] = ({}, 0, [])
        """Tokens, pot and who was knocked out when the hand was dealt: a void brings them back (R7)."""
        self.dues: list[Due] = []
        """What is due now, in order, while `awaiting` is "due"."""
        self.costs_unknown = False
        """Whether the last card may have cost tokens, as the Count before or after it isn't known."""
        self.late: tuple[Due, ...] = ()
        """What was found missing, and may still be written down."""
        self.champion: str | None = None
        """Who won the match."""
        self.follows_all = False
        """Whether a trail is kept of hands of which each card was logged, too."""
        self.trail: Trail | None = None
        """What happened to the cards of this hand, if some of them are unseen; None if each of them was logged."""

    # ---- the trail ----

    def note(self, step: Step) -> None:
        """Note what happens to the cards, if some of them are unseen."""
        if self.trail is not None:
            self.trail = (step, self.trail)

    def lose_sight(self) -> None:
        """A card is about to move that nobody sees: from here on it is noted what happens."""
        if self.trail is None and self.hands:
            self.begin_trail()

    def cut_trail(self, before: Trail | None) -> None:
        """What follows proves nothing of the steps before: these, and how all cards lie now."""
        if self.unplaced:
            self.begin_trail(before)

    def begin_trail(self, before: Trail | None = None) -> None:
        """Note where all cards are as far as that is known."""
        hands = {player: self.cards_of(player) for player in self.hands}
        laid = Laid(self.line, hands, self.stock.copy(), self.pile.copy(), self.aside.copy(), self.unplaced.copy())
        self.trail = (laid, before)

    # ---- questions ----

    @property
    def count(self) -> int | None:
        """The Count; None if the log doesn't tell it."""
        return self.at.count

    @property
    def being_played(self) -> bool:
        """Whether a hand has been dealt that isn't won or voided yet; a closed game stays as it was."""
        awaiting = self.after_dues if self.awaiting in ("due", "closed") else self.awaiting
        if awaiting == "due" and len(self.held) > 1:
            awaiting = self.held[-2][0]
        return awaiting in IN_HAND or awaiting == "win"

    @property
    def in_hand(self) -> bool:
        """Whether a hand is being played, though something may be due first."""
        return self.awaiting in IN_HAND or (self.awaiting == "due" and self.after_dues in IN_HAND)

    @property
    def after_dues(self) -> Awaiting:
        """What is awaited once nothing is due any more, or would be without the close."""
        return self.held[-1][0] if self.held else "deal"

    @property
    def costs_open(self) -> bool:
        """Whether it may still be written down what the last card cost, though nobody can tell that it did."""
        if not self.costs_unknown:
            return False
        return self.awaiting == "draw" or (self.awaiting == "play" and "card_drawn" in self.omits)

    @property
    def names(self) -> list[str]:
        """Everybody who sits here, and whoever was dealt in and doesn't."""
        return [*self.seats, *(player for player in self.hands if player not in self.seats)]

    @property
    def two_player_game(self) -> bool:
        """R3: since the game was opened every hand was dealt to exactly the same two."""
        return self.pair is not None

    def copy(self) -> "Table":
        """An independent table in the same state."""
        twin = object.__new__(Table)
        for name, value in zip(_ALL_SLOTS, _everything(self), strict=True):
            setattr(twin, name, value)
        twin.seats = self.seats.copy()
        twin.held = self.held.copy()
        twin.unseen = self.unseen.copy()
        twin.next_in = self.next_in.copy()
        twin.outs = self.outs.copy()
        twin.stock = self.stock.copy()
        twin.pile = self.pile.copy()
        twin.unplaced = self.unplaced.copy()
        twin.shown = self.shown.copy()
        twin.aside = self.aside.copy()
        twin.owing, twin.short, twin.dues = self.owing.copy(), self.short.copy(), self.dues.copy()
        twin.tokens, twin.scores, twin.knocked_out = self.tokens.copy(), self.scores.copy(), self.knocked_out.copy()
        twin.hands = {player: cards.copy() for player, cards in self.hands.items()}
        twin.prizes = [copy(prize) for prize in self.prizes]
        return twin

    def key(self) -> tuple[object, ...]:
        """Two tables with equal keys go on alike: whatever is judged from here on is the same."""
        return (
            self.awaiting, self.to_act, self._then(), tuple(self.held), self.count,
            self.dealer, self.after_dealer, self.pair, self.hand, self.voided, tuple(self.seats),
            tuple((player, frozenset(cards.items()), self.unseen[player]) for player, cards in self.hands.items()),
            tuple(self.next_in.items()), tuple(self.stock), tuple(sorted(map(str, self.pile))),
            tuple(sorted(map(str, self.aside))),
            frozenset(self.shown.items()), self.attacker, self.answered, self.winner, self.vague, self.doubles,
            self.drew_unseen,
            tuple((p.name, p.holder, p.hits, p.step, p.settled_at) for p in self.prizes), self.prizes_moved,
            self.carried, self.left_over, self.loader, self.first_out, self.finisher, self.earlier_finisher,
            tuple((player, out.line, out.reason, out.at.count, out.proved) for player, out in self.outs.items()),
            self.direction, tuple(self.owing), tuple(self.short.items()), tuple(self.tokens.items()), self.pot,
            tuple(self.scores.items()), tuple(self.dues), tuple(self.knocked_out), self.champion,
            self.costs_unknown, self.late, self.chooser, *self._before_deal(),
        )  # fmt: skip

    def _before_deal(self) -> tuple[object, ...]:
        tokens, pot, knocked_out = self.before_deal
        return tuple(tokens.items()), pot, tuple(knocked_out)

    def sketch(self) -> tuple[object, ...]:
        """Tables with equal keys have equal sketches; it costs little, and tells most tables apart."""
        top = self.stock[-1] if self.stock else None
        sizes = (len(self.stock), len(self.pile), len(self.unplaced), top, *self.unseen.values())
        return (self.at.count, self.awaiting, self.to_act, self.dealer, self.loader, self.pot, sizes)

    def _then(self) -> tuple[Awaiting, str | None] | None:
        waits = "draw" in (self.awaiting, *(awaiting for awaiting, _ in self.held))
        return (self.then_awaiting, self.then_to_act) if waits else None

    def left_of(self, seat: str | None) -> str | None:
        """The next seat clockwise; for a dealer who left, the one that sat next to them."""
        return self.circle.get(seat, self.after_dealer) if seat is not None else self.after_dealer

    def dealer_due(self) -> str | None:
        """Who deals next (`dealer-rotation`, R7, R8); None before the first deal (R9)."""
        if self.hand == 0:
            return None
        if self.voided and self.dealer in self.circle:
            return self.dealer
        return self.left_of(self.dealer)

    def sit_round(self) -> None:
        """Note who sits next to whom, of those who are still in the match."""
        self.circle = ring([seat for seat in self.seats if seat not in self.knocked_out])

    def step_out_of_circle(self, player: str) -> None:
        """Note who sits next to the dealer, before `player` gives up a place that may be the dealer's or the next."""
        if player in (self.dealer, self.after_dealer):
            self.after_dealer = self.left_of(player)

    def first_to_act(self) -> str | None:
        """The first player dealt in, clockwise from the dealer's left (`turn-order`)."""
        circle, seat = self.circle, self.left_of(self.dealer)
        if self.knocked_out and self.next_in.keys() > circle.keys():  # somebody was dealt in who is out of the match
            circle = ring(self.seats)
            seat = circle.get(self.dealer or "", seat)
        start = seat
        while seat is not None and seat not in self.next_in:
            seat = circle.get(seat)
            if seat == start:
                break
        return seat if seat in self.next_in else next(iter(self.next_in), None)

    def is_death_card(self, event: ev.CardPlayed, at: AtCount) -> bool:
        """Whether a play at a Count is the Death Card: at the limit, or pointed at somebody while it is unknown."""
        if event.card == at.deadly:
            return event.card is not None
        rules = self.rules.death_card
        return rules is not None and event.card == rules.card and at.count is None and event.target is not None

    def prize(self, name: ev.PrizeName) -> Prize | None:
        """The prize of that name, if it has come into being."""
        for prize in self.prizes:
            if prize.name == name:
                return prize
        return None


_ALL_SLOTS: Final = (*CardPlaces.__slots__, *Table.__slots__)
_everything: Final = attrgetter(*_ALL_SLOTS)
