"""The table: the one mutable object. `apply` follows the log and never refuses; judging is the referee's business."""

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

from domain import events as ev
from domain.cards import Card, SeenCard, seen
from domain.prizes import Prize
from domain.rule_sets import CountRows, RuleSet, count_rows, rules_named

Awaiting: TypeAlias = Literal[
    "opening", "deal", "play", "draw", "shield", "blowback", "leave", "win", "prize", "closed"
]
IN_HAND: Final = frozenset({"play", "draw", "shield", "blowback", "leave"})
"""What a table waits for while a hand is being played."""


class Out:
    """How a player went out: the line, the reason, and the Count that they faced."""

    __slots__ = ("count", "line", "proved", "reason")

    def __init__(self, line: int, reason: ev.Reason, count: int | None) -> None:
        self.line = line
        self.reason = reason
        self.count = count
        self.proved = False
        """Whether it is settled already that they could have played, or can't be told any more."""

    def proven(self) -> "Out":
        twin = Out(self.line, self.reason, self.count)
        twin.proved = True
        return twin


class Table:
    """A game at one moment, as the log tells it.

    Lists of cards hold None for a card nobody logged. `stock` and `pile` are lists with the top card last.
    """

    __slots__ = (
        "after_dealer", "answered", "attacker", "awaiting", "carried", "count", "deadly", "dealer", "drew_unseen",
        "earlier_finisher",
        "finisher", "first_out", "hand", "hands", "held", "left_over", "line", "loader", "next_in", "omits",
        "outs", "pair", "pile", "placed", "prizes", "prizes_moved", "rows", "rules", "seats",
        "shown", "source", "stock", "then_awaiting", "then_to_act", "to_act", "vague",
        "voided", "winner", "writes_all",
    )  # fmt: skip

    rules: RuleSet
    rows: CountRows

    def __init__(self, opened: ev.GameOpened) -> None:
        """A table with the seats and the rules of a game's first line. Raises UnknownRules."""
        self.rules = rules_named(opened.rules)
        self.rows = count_rows(self.rules)
        self.deadly = self.rules.death_card.card if self.rules.death_card else None
        self.source = opened.source
        self.omits = frozenset(opened.omits)
        self.writes_all = self.omits.isdisjoint(("card_drawn", "pile_reshuffled"))
        self.drew_unseen: str | None = None
        """In a log that writes no draws down: whose draw was the last."""
        self.line = 1
        """The line applied last; the fold that owns the table keeps it."""
        self.seats = list(opened.players)
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
        self.count: int | None = 0
        self.hands: dict[str, list[SeenCard]] = {}
        self.next_in: dict[str, str] = {}
        """The players still in, each with the next one clockwise."""
        self.outs: dict[str, Out] = {}
        self.stock: list[SeenCard] = []
        self.vague = False
        """Whether the pile was reshuffled at a moment that nobody wrote down: what lies in it now isn't known (R2)."""
        self.pile: list[SeenCard] = []
        self.placed: set[Card] = set()
        """The cards whose place is known."""
        self.shown: set[Card] = set()
        """The cards in hands that everybody has seen."""
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

    def copy(self) -> "Table":
        """An independent table in the same state."""
        twin = object.__new__(Table)
        for name in Table.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.seats = self.seats.copy()
        twin.held = self.held.copy()
        twin.hands = {player: cards.copy() for player, cards in self.hands.items()}
        twin.next_in = self.next_in.copy()
        twin.outs = self.outs.copy()
        twin.stock = self.stock.copy()
        twin.pile = self.pile.copy()
        twin.placed = self.placed.copy()
        twin.shown = self.shown.copy()
        twin.prizes = [prize.copy() for prize in self.prizes]
        return twin

    def key(self) -> tuple[object, ...]:
        """Two tables with equal keys go on alike: whatever is judged from here on is the same."""
        return (
            self.awaiting, self.to_act, self.then_awaiting, self.then_to_act, tuple(self.held), self.count,
            self.dealer, self.after_dealer, self.pair, self.hand, self.voided, tuple(self.seats),
            tuple((player, tuple(sorted(map(str, cards)))) for player, cards in self.hands.items()),
            tuple(self.next_in.items()), tuple(self.stock), tuple(sorted(map(str, self.pile))),
            frozenset(self.shown), self.attacker, self.answered, self.winner, self.vague, self.drew_unseen,
            tuple((p.name, p.holder, p.hits, p.step) for p in self.prizes), self.prizes_moved,
            self.carried, self.left_over, self.loader, self.first_out, self.finisher, self.earlier_finisher,
            tuple((player, out.line, out.proved) for player, out in self.outs.items()),
        )  # fmt: skip

    def holder_of(self, card: Card) -> str | None:
        """The player who is known to hold a card."""
        if card not in self.placed:
            return None
        return next((player for player, cards in self.hands.items() if card in cards), None)

    def may_hold(self, player: str, card: Card) -> bool:
        """Whether a player holds a card in some deal that agrees with the log so far."""
        cards = self.hands.get(player, ())
        return card in cards or (None in cards and card not in self.placed)

    def left_of(self, seat: str | None) -> str | None:
        """The next seat clockwise; for a dealer who left, the one that sat next to them."""
        if seat in self.seats:
            return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]
        return self.after_dealer

    def dealer_due(self) -> str | None:
        """Who deals next (`dealer-rotation`, R7, R8); None before the first deal (R9)."""
        if self.hand == 0:
            return None
        if self.voided and self.dealer in self.seats:
            return self.dealer
        return self.left_of(self.dealer)

    def first_to_act(self) -> str | None:
        """The first player dealt in, clockwise from the dealer's left (`turn-order`)."""
        start = self.left_of(self.dealer)
        at = self.seats.index(start) if start in self.seats else 0
        seats = self.seats[at:] + self.seats[:at]
        return next((seat for seat in seats if seat in self.next_in), next(iter(self.next_in), None))

    @property
    def two_player_game(self) -> bool:
        """R3: since the game was opened every hand was dealt to exactly the same two."""
        return self.pair is not None

    # ---- following the log ----

    def apply(self, event: ev.Event) -> None:
        """Follow one event, whatever it says. Never refuses; a nonsensical event changes as little as it can."""
        APPLY[type(event)](self, event)

    def deal(self, event: ev.HandDealt) -> None:
        self.hand += 1
        self.dealer = event.dealer
        self.after_dealer = None
        self.voided = False
        self.count = 0
        self.hands = {player: list(cards) for player, cards in event.hands.items()}
        dealt = sum(map(len, self.hands.values()))
        if event.stock is None:
            self.stock = [None] * max(len(self.rules.deck) - dealt, 0)
        else:
            self.stock = event.stock[::-1]
        self.vague = False
        self.pile = []
        self.shown = set()
        self._place_dealt_cards()
        order = [seat for seat in self.seats if seat in self.hands]
        if len(order) < len(self.hands):
            order += [player for player in self.hands if player not in self.seats]
        self.next_in = dict(zip(order, order[1:] + order[:1], strict=True))
        if self.hand == 1 and len(order) == 2:
            self.pair = frozenset(order)
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
        if len(order) == 1:
            self._end()

    def _place_dealt_cards(self) -> None:
        """Note where the dealt cards are; of a card that stands twice, no place is known."""
        dealt = seen(self.stock, *self.hands.values())
        self.placed = set(dealt)
        if len(dealt) > len(self.placed):
            twice = {card for card in self.placed if dealt.count(card) > 1}
            for cards in (*self.hands.values(), self.stock):
                cards[:] = [None if card in twice else card for card in cards]
            self.placed -= twice

    def play(self, event: ev.CardPlayed) -> None:
        player, card = event.player, event.card
        hand = self.hands.get(player)
        if hand is not None and card is not None and card in hand:
            hand.remove(card)
            if self.shown:
                self.shown.discard(card)
        else:
            self._put_down(player, card)
        self.pile.append(card)
        if self.awaiting == "play":
            before = self.count
            after = self.rows[before].get(card)  # type: ignore[arg-type]
            self.count = after if after is not None else self.count_said(event, before)
            self.then_to_act = self.next_in.get(player)
            self.then_awaiting = "play"
            if card == self.deadly and self.is_death_card(before, event):
                self.then_awaiting = "shield"
                self.attacker = player
        else:
            self._play_otherwise(player)
        self.awaiting = "draw"
        self.to_act = player
        if not self.writes_all:
            self._go_unseen()

    def _go_unseen(self) -> None:
        """What a log leaves out that writes no draws or no reshuffles down."""
        card = self.pile[-1]
        if self.vague and card is not None:
            self.pile[-1] = None
            self.placed.discard(card)
        if "card_drawn" in self.omits:
            self.draw_unseen()

    def _put_down(self, player: str, card: SeenCard) -> None:
        """Take a card that isn't known to be in its player's hand out of it, or from wherever it was."""
        if card is None:
            self.lose_unknown_card(player)
            return
        if card in self.placed or player not in self.hands or None not in self.hands[player]:
            self.lift(card)
        else:
            self.hands[player].remove(None)
        self.placed.add(card)

    def _play_otherwise(self, player: str) -> None:
        """What follows a play that isn't a turn: the answer to a Death Card, or one that should not be there."""
        if self.awaiting != "shield":
            self.then_awaiting, self.then_to_act = self.awaiting, self.to_act
            return
        self.answered = player
        self.then_awaiting, self.then_to_act = "blowback", self.attacker
        if self.two_player_game or self.attacker not in self.next_in:
            self.then_awaiting, self.then_to_act = "play", self.next_in.get(player)

    def is_death_card(self, before: int | None, event: ev.CardPlayed) -> bool:
        """Whether a play is the Death Card: at exactly the limit, or pointed at somebody while the Count is unknown."""
        if event.card != self.deadly or self.deadly is None:
            return False
        return before == self.rules.limit or (before is None and event.target is not None)

    def count_said(self, event: ev.CardPlayed, before: int | None) -> int | None:
        """The Count that goes on where the cards give none: the said one, over the limit as the limit (`limit`)."""
        if event.count is not None:
            return max(0, min(event.count, self.rules.limit))
        if event.value is not None and before is not None:
            return max(0, min(before + event.value, self.rules.limit))
        return None

    def draw(self, event: ev.CardDrawn) -> None:
        player, card = event.player, event.card
        if self.stock:
            top = self.stock.pop()
            if card is None:
                card = top
            elif card != top:
                self._replace_top(card, top)
        else:
            card = self._draw_from_nothing(card)
        hand = self.hands.get(player)
        if hand is not None:
            hand.append(card)
        if self.awaiting == "draw" and player == self.to_act:
            self.awaiting = self.then_awaiting
            self.to_act = self.then_to_act

    def _replace_top(self, card: Card, top: SeenCard) -> None:
        """The log names another card than the top of the stock, or the first one to be seen; it is believed."""
        if top is not None:
            self.placed.discard(top)
        self.lift(card)
        self.placed.add(card)

    def _draw_from_nothing(self, card: SeenCard) -> SeenCard:
        """A draw though the stock has run out: the pile was reshuffled unseen, or the card came from somewhere."""
        if "pile_reshuffled" in self.omits:
            self.reshuffle_unseen()
        if self.stock:
            self.stock.pop()
        if card is not None:
            self.lift(card)
            self.placed.add(card)
        return card

    def draw_unseen(self) -> None:
        """The draw that is awaited, in a log that writes no draws down."""
        if self.to_act is not None and (self.stock or "pile_reshuffled" in self.omits):
            self.drew_unseen = self.to_act
            self.draw(ev.CardDrawn(player=self.to_act, card=None))

    def reshuffle_unseen(self) -> None:
        """The pile goes into the stock, in an order and at a moment that nobody wrote down."""
        self.placed.difference_update(seen(self.pile, self.stock))
        self.stock = [None] * (len(self.pile) + len(self.stock))
        self.pile = []
        self.vague = True

    def reshuffle(self, event: ev.PileReshuffled) -> None:
        self.placed.difference_update(seen(self.pile, self.stock))
        if event.stock is None:
            self.stock = [None] * (len(self.pile) + len(self.stock))
        else:
            self.stock = [None if card in self.placed else card for card in reversed(event.stock)]
            self.placed.update(seen(self.stock))
        self.pile = []
        if self.awaiting == "draw" and "card_drawn" in self.omits:
            self.draw_unseen()

    def eliminate(self, event: ev.PlayerEliminated) -> None:
        self.put_out(event.player, event.reason)

    def put_out(self, player: str, reason: ev.Reason) -> None:
        """Take a player out of the hand, and let the turn pass to whom it belongs."""
        if player not in self.next_in:
            return
        self.outs[player] = Out(self.line, reason, self.count)
        if reason != "left" and self.first_out is None:
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
        self.then_awaiting, self.then_to_act = self._without(
            player, following, self.then_awaiting, self.then_to_act
        )
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

    def win(self, player: str) -> None:
        """The hand is over; the main prize is one hit and what was left over (R4, R5)."""
        self.winner = player
        self.next_in = {player: player}
        self.awaiting, self.to_act = "prize", None
        self.held = []
        hits = None if self.carried is None else 1 + self.carried
        self.left_over = 0
        self.prizes = [Prize("main", player, hits, None)] if self.rules.prize else []

    def show(self, event: ev.CardsShown) -> None:
        for card in event.cards:
            self.reveal(event.player, card)
            if self.holder_of(card) == event.player:
                self.shown.add(card)

    def reveal(self, player: str, card: Card) -> None:
        """Note that a player holds a card, where the log leaves it open."""
        hand = self.hands.get(player, [])
        if card not in hand and None in hand and card not in self.placed:
            hand[hand.index(None)] = card
            self.placed.add(card)

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

    def prize(self, name: ev.PrizeName) -> Prize | None:
        return next((prize for prize in self.prizes if prize.name == name), None)

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
            self.left_over = None if self.left_over is None else self.left_over + event.hits
        prize = self.prize(event.prize)
        if prize is not None:
            prize.settled_at = prize.settled_at or self.line
            prize.hits = None if prize.hits is None else max(prize.hits - event.hits, 0)

    def void(self, event: ev.HandVoided) -> None:
        """The hand is off (R7): nothing of it counts, and what was at stake stays at stake."""
        self.voided = True
        self.left_over = self.carried
        if self.loader is not None and self.loader == self.first_out and self.finisher is None:
            self.loader = self.finisher = self.earlier_finisher
        self.first_out = self.earlier_finisher = self.winner = None
        self._clear()
        self.awaiting, self.to_act = "deal", None

    def _clear(self) -> None:
        self.hands, self.next_in, self.outs = {}, {}, {}
        self.stock, self.pile, self.held, self.prizes = [], [], [], []
        self.placed, self.shown = set(), set()
        self.prizes_moved = False
        self.count = 0

    def correct_hand(self, event: ev.HandCorrected) -> None:
        hand = self.hands.get(event.player)
        if hand is None:
            return
        if event.player in self.outs:
            self.outs[event.player] = self.outs[event.player].proven()
        for card in event.drew:
            self.take_top(hand, card)
        for card in event.returned:
            if card is None:
                self.lose_unknown_card(event.player)
            elif card in hand:
                hand.remove(card)
            elif None in hand and card not in self.placed:
                hand.remove(None)
                self.placed.add(card)
            self.stock.insert(0, card)

    def take_top(self, hand: list[SeenCard], card: SeenCard) -> None:
        """Move the top of the stock to a hand; a card that is named is believed."""
        top = self.stock.pop() if self.stock else None
        if card is not None and card != top:
            if top is not None:
                self.placed.discard(top)
            self.lift(card)
            self.placed.add(card)
        hand.append(card if card is not None else top)

    def correct_count(self, event: ev.CountCorrected) -> None:
        self.count = max(0, min(event.count, self.rules.limit))

    def miss_draw(self, event: ev.DrawMissed) -> None:
        if self.awaiting == "draw" and self.to_act == event.player:
            self.awaiting, self.to_act = self.then_awaiting, self.then_to_act

    def join(self, event: ev.PlayerJoined) -> None:
        if event.player not in self.seats:
            at = len(self.seats) if event.seat is None else event.seat
            self.seats.insert(at, event.player)

    def leave(self, event: ev.PlayerLeft) -> None:
        player = event.player
        if player not in self.seats:
            return
        if player in (self.dealer, self.after_dealer):
            self.after_dealer = self.left_of(player)
        self.seats.remove(player)
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

    # ---- cards whose move is open ----

    def lift(self, card: Card, leaving_unknown: bool = False) -> None:
        """Take a card away from wherever it is known to be; in its place stays nothing, or a card nobody logged."""
        if card not in self.placed:
            return
        self.placed.discard(card)
        self.shown.discard(card)
        for cards in (*self.hands.values(), self.stock, self.pile):
            if card in cards:
                if leaving_unknown:
                    cards[cards.index(card)] = None
                else:
                    cards.remove(card)
                return

    def forget_hand(self, player: str) -> None:
        """From here on nobody knows which cards a player holds."""
        cards = self.hands.get(player, [])
        self.placed.difference_update(seen(cards))
        self.shown.difference_update(seen(cards))
        cards[:] = [None] * len(cards)

    def lose_unknown_card(self, player: str) -> None:
        """A player has put down some card of theirs that nobody logged."""
        cards = self.hands.get(player, [])
        if len(set(cards)) > 1 or None not in cards:
            self.forget_hand(player)
        if cards:
            cards.pop()


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
