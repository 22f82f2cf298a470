"""The table: the one mutable object. `apply` follows the log and never refuses; judging is the referee's business."""

from collections.abc import Callable
from copy import copy
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias

import msgspec

from domain import events as ev
from domain.card_places import CardPlaces
from domain.cards import SeenCard
from domain.counting import AtCount, Counts, counts_of
from domain.prize import Prize, plus
from domain.rule_sets import RuleSet, rules_named

Awaiting: TypeAlias = Literal["deal", "play", "draw", "shield", "blowback", "leave", "win", "prize", "closed"]
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
        "carried",
        "circle",
        "counts",
        "dealer",
        "drew_unseen",
        "earlier_finisher",
        "finisher",
        "first_out",
        "hand",
        "held",
        "left_over",
        "line",
        "loader",
        "next_in",
        "omits",
        "outs",
        "pair",
        "prizes",
        "prizes_moved",
        "rules",
        "seats",
        "source",
        "tells_all",
        "then_awaiting",
        "then_to_act",
        "to_act",
        "voided",
        "winner",
    )

    rules: RuleSet
    counts: Counts

    def __init__(self, opened: ev.GameOpened) -> None:
        """A table with the seats and the rules of a game's first line. Raises UnknownRules."""
        self.rules = rules_named(opened.rules)
        super().__init__(self.rules.deck)
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
        """Each seat, with the next one clockwise."""
        self.dealer: str | None = None
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
        """What was awaited when somebody left, until they are out."""
        self.at = self.counts[0]
        """The Count, with what can be played at it."""
        self.next_in: dict[str, str] = {}
        """The players still in, each with the next one clockwise."""
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

    # ---- questions ----

    @property
    def count(self) -> int | None:
        """The Count; None if the log doesn't tell it."""
        return self.at.count

    @property
    def being_played(self) -> bool:
        """Whether a hand has been dealt that isn't won or voided yet; a closed game stays as it was."""
        awaiting = self.then_awaiting if self.awaiting == "closed" else self.awaiting
        return awaiting in IN_HAND or awaiting == "win"

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
        twin.hands = {player: cards.copy() for player, cards in self.hands.items()}
        twin.prizes = [copy(prize) for prize in self.prizes]
        return twin

    def key(self) -> tuple[object, ...]:
        """Two tables with equal keys go on alike: whatever is judged from here on is the same."""
        return (
            self.awaiting, self.to_act, self._then(), tuple(self.held), self.count,
            self.dealer, self.after_dealer, self.pair, self.hand, self.voided, tuple(self.seats),
            tuple((player, frozenset(cards), self.unseen[player]) for player, cards in self.hands.items()),
            tuple(self.next_in.items()), tuple(self.stock), tuple(sorted(map(str, self.pile))),
            frozenset(self.shown), self.attacker, self.answered, self.winner, self.vague, self.doubles,
            self.drew_unseen,
            tuple((p.name, p.holder, p.hits, p.step, p.settled_at) for p in self.prizes), self.prizes_moved,
            self.carried, self.left_over, self.loader, self.first_out, self.finisher, self.earlier_finisher,
            tuple((player, out.line, out.reason, out.at.count, out.proved) for player, out in self.outs.items()),
        )  # fmt: skip

    def sketch(self) -> tuple[object, ...]:
        """Tables with equal keys have equal sketches; it costs little, and tells most tables apart."""
        sizes = tuple(self.unseen.values())
        return (self.at.count, self.to_act, len(self.stock), len(self.pile), self.dealer, self.loader, sizes)

    def _then(self) -> tuple[Awaiting, str | None] | None:
        return (self.then_awaiting, self.then_to_act) if self.awaiting in ("draw", "closed") else None

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

    def first_to_act(self) -> str | None:
        """The first player dealt in, clockwise from the dealer's left (`turn-order`)."""
        seat = start = self.left_of(self.dealer)
        while seat is not None and seat not in self.next_in:
            seat = self.circle.get(seat)
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

    # ---- following the log ----

    def apply(self, event: ev.Event) -> None:
        """Follow one event, whatever it says. Never refuses; a nonsensical event changes as little as it can."""
        APPLY[type(event)](self, event)

    # ---- a turn ----

    def play(self, event: ev.CardPlayed) -> None:
        player, card = event.player, event.card
        hand = self.hands.get(player)
        if hand is not None and card in hand:
            del hand[card]
            if self.shown:
                self.shown.discard(card)
        elif card is None:
            self.lose_unknown_card(player)
        else:
            self.take(player, card)
        self.pile.append(card)
        at = self.at
        if self.awaiting == "play":
            after = at.get(card)  # type: ignore[arg-type]
            self.at = after if after is not None else self.said_count(event)
            self.then_awaiting = "play"
            self.then_to_act = self.next_in.get(player)
            if (card == at.deadly or at.count is None) and self.is_death_card(event, at):
                self.then_awaiting = "shield"
                self.attacker = player
        else:
            self._play_otherwise(player)
        self.awaiting = "draw"
        self.to_act = player
        if not self.tells_all:
            self._go_unseen()

    def said_count(self, event: ev.CardPlayed) -> AtCount:
        """The Count that goes on where the cards give none: the said one, over the limit as the limit (`limit`)."""
        if event.count is not None:
            return self.counts.within(event.count)
        if event.value is not None and self.at.count is not None:
            return self.counts.within(self.at.count + event.value)
        return self.counts[None]

    def _play_otherwise(self, player: str) -> None:
        """What follows a play that isn't a turn: the answer to a Death Card, or one that should not be there."""
        if self.awaiting != "shield":
            self.then_awaiting, self.then_to_act = self.awaiting, self.to_act
            return
        self.answered = player
        self.then_awaiting, self.then_to_act = "blowback", self.attacker
        if self.two_player_game or self.attacker not in self.next_in:
            self.then_awaiting, self.then_to_act = "play", self.next_in.get(player)

    def _go_unseen(self) -> None:
        """What a log leaves out that writes no draws or no reshuffles down, and a card that the deck holds twice."""
        card = self.pile[-1]
        if card is not None and (self.vague or card in self.doubles):
            self.pile[-1] = None
            self.unplaced.add(card)
        if "card_drawn" in self.omits:
            self.draw_unseen()

    def draw(self, event: ev.CardDrawn) -> None:
        player, card = event.player, event.card
        if self.stock and (card is None or card == self.stock[-1]):
            card = self.stock.pop()
        else:
            if not self.stock and "pile_reshuffled" in self.omits:
                self.reshuffle_unseen()
            card = self.take_top(card)
        hand = self.hands.get(player)
        if hand is not None:
            if card is None:
                self.unseen[player] += 1
            else:
                hand[card] = 1
        if self.awaiting == "draw" and player == self.to_act:
            self.awaiting = self.then_awaiting
            self.to_act = self.then_to_act

    def draw_unseen(self) -> None:
        """The draw that is awaited, in a log that writes no draws down."""
        if self.to_act is not None and (self.stock or "pile_reshuffled" in self.omits):
            self.drew_unseen = (self.to_act, self.stock[-1] if self.stock else None)
            self.draw(ev.CardDrawn(player=self.to_act, card=None))

    def miss_draw(self, event: ev.DrawMissed) -> None:
        if self.awaiting == "draw" and self.to_act == event.player:
            self.awaiting, self.to_act = self.then_awaiting, self.then_to_act

    def reshuffle(self, event: ev.PileReshuffled) -> None:
        self.shuffle_pile(event.stock)
        if self.awaiting == "draw" and "card_drawn" in self.omits:
            self.draw_unseen()

    def reshuffle_unseen(self) -> None:
        """The pile goes into the stock, in an order and at a moment that nobody wrote down."""
        self.shuffle_pile(None)
        self.vague = True

    def correct_hand(self, event: ev.HandCorrected) -> None:
        player = event.player
        if player not in self.hands:
            return
        if player in self.outs:
            self.outs[player] = self.outs[player].proven()
        for card in event.drew:
            self.give(player, self.take_top(card))
        for card in event.returned:
            if card is None:
                self.lose_unknown_card(player)
            else:
                self.take(player, card)
            self.stock.insert(0, card)

    def correct_count(self, event: ev.CountCorrected) -> None:
        self.at = self.counts.within(event.count)

    # ---- going out ----

    def eliminate(self, event: ev.PlayerEliminated) -> None:
        self.put_out(event.player, event.reason)

    def put_out(self, player: str, reason: ev.Reason) -> None:
        """Take a player out of the hand, and let the turn pass to whom it belongs."""
        if player not in self.next_in:
            return
        self.outs[player] = Out(self.line, reason, self.at)
        if self.first_out is None and reason != "left":
            self.first_out = self.loader = player
            self.earlier_finisher, self.finisher = self.finisher, None
        following = self.next_in.pop(player)
        for before, after in self.next_in.items():
            if after == player:
                self.next_in[before] = following
                break
        if self.awaiting == "play" and not self.held:
            if self.to_act == player:
                self.to_act = following
        else:
            self._pass_on(player, following)
        if len(self.next_in) == 1:
            self._end()

    def _pass_on(self, player: str, following: str) -> None:
        """Somebody is out while something else than a play was awaited, perhaps of them."""
        if self.awaiting == "leave" and self.to_act == player:
            self.awaiting, self.to_act = self.held.pop()
        if self.to_act == player and self.awaiting == "draw":
            self.awaiting, self.to_act = self.then_awaiting, self.then_to_act
        self.awaiting, self.to_act = self._without(player, following, self.awaiting, self.to_act)
        self.then_awaiting, self.then_to_act = self._without(player, following, self.then_awaiting, self.then_to_act)
        self.held = [self._without(player, following, *pending) for pending in self.held]

    def _without(
        self, player: str, following: str, awaiting: Awaiting, to_act: str | None
    ) -> tuple[Awaiting, str | None]:
        """What is awaited once a player is out who may have been the one to act."""
        if to_act != player or awaiting in ("leave", "draw"):
            return awaiting, to_act
        if awaiting == "blowback":
            answered = self.answered if self.answered in self.next_in else following
            return "play", self.next_in.get(answered or following, following)
        return "play", following

    def _end(self) -> None:
        """One player is left: the hand is theirs, once a draw that is due has been made."""
        if self.awaiting in ("win", "prize"):
            return
        last = next(iter(self.next_in))
        if "hand_won" in self.omits:
            self.win(last)
        elif self.awaiting == "draw":
            self.then_awaiting, self.then_to_act = "win", last
        else:
            self.awaiting, self.to_act = "win", last

    # ---- the frame of a hand ----

    def deal(self, event: ev.HandDealt) -> None:
        if self.prizes and self.omits:
            self._settle_unwritten()
        self.hand += 1
        self.dealer = event.dealer
        self.after_dealer = None
        self.voided = False
        self.at = self.counts[0]
        stock = event.stock
        if stock is None:
            stock = [None] * max(len(self.rules.deck) - sum(map(len, event.hands.values())), 0)
        self.place(event.hands, stock[::-1])
        self.tells_all = not self.doubles and self.omits.isdisjoint(("card_drawn", "pile_reshuffled"))
        if self.hands.keys() == self.circle.keys():
            self.next_in = self.circle.copy()
        else:
            strangers = [player for player in self.hands if player not in self.circle]
            self.next_in = ring([seat for seat in self.seats if seat in self.hands] + strangers)
        if self.hand == 1 and len(self.hands) == 2:
            self.pair = frozenset(self.hands)
        elif self.pair is not None and self.pair != self.hands.keys():
            self.pair = None
        self.outs = {}
        self.held = []
        self.attacker = self.answered = self.winner = self.first_out = self.earlier_finisher = None
        self.drew_unseen = None
        self.prizes = []
        self.prizes_moved = False
        self.carried = self.left_over
        self.loader = self.finisher
        self.awaiting = "play"
        self.to_act = self.first_to_act()
        if len(self.next_in) == 1:
            self._end()

    def _settle_unwritten(self) -> None:
        """In a log that leaves out what became of hits: the unsettled were left over, or not, or nobody knows."""
        if "hit_carried" not in self.omits:
            return
        surely_left = self.omits.isdisjoint(("hit_taken", "hit_donated"))
        for prize in self.prizes:
            if prize.hits != 0:
                self.left_over = plus(self.left_over, prize.hits if surely_left else None)

    def win(self, player: str) -> None:
        """The hand is over; the main prize is one hit and what was left over (R4, R5)."""
        self.winner = player
        self.next_in = {player: player}
        self.awaiting, self.to_act = "prize", None
        self.held = []
        self.left_over = 0
        self.prizes = [Prize("main", player, plus(self.carried, 1), None)] if self.rules.prize else []

    def void(self, event: ev.HandVoided) -> None:
        """The hand is off (R7): nothing of it counts, and what was at stake stays at stake."""
        self.voided = True
        self.left_over = self.carried
        if self.loader is not None and self.loader == self.first_out and self.finisher is None:
            self.loader = self.finisher = self.earlier_finisher
        self.first_out = self.earlier_finisher = self.winner = None
        self.place({}, [])
        self.next_in, self.outs, self.held, self.prizes = {}, {}, [], []
        self.prizes_moved = False
        self.at = self.counts[0]
        self.awaiting, self.to_act = "deal", None

    def join(self, event: ev.PlayerJoined) -> None:
        if event.player not in self.seats:
            at = len(self.seats) if event.seat is None else event.seat
            self.seats.insert(at, event.player)
            self.circle = ring(self.seats)

    def leave(self, event: ev.PlayerLeft) -> None:
        player = event.player
        if player not in self.seats:
            return
        if player in (self.dealer, self.after_dealer):
            self.after_dealer = self.left_of(player)
        self.seats.remove(player)
        self.circle = ring(self.seats)
        if self.loader == player:
            self.loader = None
        if self.finisher == player:
            self.finisher = None
        if self.earlier_finisher == player:
            self.earlier_finisher = None
        if player in self.next_in and self.awaiting in IN_HAND:
            self.held.append((self.awaiting, self.to_act))
            self.awaiting, self.to_act = "leave", player

    def smoke(self, event: ev.LeisureHit) -> None:
        if event.finished:
            self.loader = self.finisher = event.player

    def close(self, event: ev.GameClosed) -> None:
        self.then_awaiting, self.then_to_act = self.awaiting, self.to_act
        self.awaiting, self.to_act = "closed", None

    def stand_still(self, event: ev.Event) -> None:
        """An event that moves nothing on the table."""

    # ---- prizes ----

    def show(self, event: ev.CardsShown) -> None:
        for card in event.cards:
            self.reveal(event.player, card)
            if card in self.hands.get(event.player, ()):
                self.shown.add(card)

    def steal(self, event: ev.HitStolen) -> None:
        self._move_prize(event.player, "main")

    def make_bonus(self, event: ev.BonusCreated) -> None:
        self._move_prize(event.player, "bonus")

    def _move_prize(self, player: str, name: ev.PrizeName) -> None:
        rules = self.rules.prize
        if rules is None:
            return
        self.prizes_moved = True
        self.reveal(player, rules.thief)
        prize = self.prize(name)
        if prize is None:
            self.prizes.append(Prize(name, player, 1, 0))
        else:
            prize.holder, prize.step = player, 0

    def slide(self, event: ev.HitSlid) -> None:
        prize = self.prize(event.prize)
        rules = self.rules.prize
        if prize is None or rules is None:
            return
        self.reveal(event.player, event.card)
        prize.holder = event.player
        if event.card in rules.slide:
            prize.step = rules.slide.index(event.card) + 1

    def settle(self, event: ev.HitTaken | ev.HitCarried | ev.HitDonated) -> None:
        if isinstance(event, ev.HitCarried):
            self.left_over = plus(self.left_over, event.hits)
        prize = self.prize(event.prize)
        if prize is not None:
            prize.settled_at = prize.settled_at or self.line
            prize.hits = None if prize.hits is None else max(prize.hits - event.hits, 0)


_ALL_SLOTS: Final = (*CardPlaces.__slots__, *Table.__slots__)
_everything: Final = attrgetter(*_ALL_SLOTS)

APPLY: Final[dict[type[ev.Event], Callable[[Table, Any], None]]] = {
    ev.GameOpened: Table.stand_still,
    ev.GameForked: Table.stand_still,
    ev.PlayerJoined: Table.join,
    ev.PlayerLeft: Table.leave,
    ev.HandDealt: Table.deal,
    ev.CardPlayed: Table.play,
    ev.CardDrawn: Table.draw,
    ev.DrawMissed: Table.miss_draw,
    ev.PileReshuffled: Table.reshuffle,
    ev.PlayerEliminated: Table.eliminate,
    ev.CardsShown: Table.show,
    ev.HandWon: lambda table, event: table.win(event.player),
    ev.HitStolen: Table.steal,
    ev.BonusCreated: Table.make_bonus,
    ev.HitSlid: Table.slide,
    ev.HitTaken: Table.settle,
    ev.HitCarried: Table.settle,
    ev.HitDonated: Table.settle,
    ev.LeisureHit: Table.smoke,
    ev.BongLoaded: Table.stand_still,
    ev.HandCorrected: Table.correct_hand,
    ev.CountCorrected: Table.correct_count,
    ev.TakenBack: Table.stand_still,
    ev.HandVoided: Table.void,
    ev.RulingMade: Table.stand_still,
    ev.TokensLost: Table.stand_still,
    ev.PlayerKnockedOut: Table.stand_still,
    ev.MatchWon: Table.stand_still,
    ev.GameClosed: Table.close,
}
