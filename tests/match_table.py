"""The games of the Ninety-Nine family and the true table of a match; nothing here says what is legal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

from legal_table import DECK, RANKS, Event, copied

LIMIT = 99
BORDERS = (33, 66, 99)
GOAL = 15

PLAIN = {rank: (pips,) for pips, rank in enumerate(RANKS, 1) if rank not in "A49TJQK"}
VALUES: dict[str, tuple[int, ...]] = {
    **PLAIN,
    "A": (1, 11),
    "4": (0,),
    "9": (0,),
    "T": (10, -10),
    "J": (10,),
    "Q": (10,),
}


class Move(NamedTuple):
    """A card, what it counts for (None: it sets the total) and the total after it."""

    card: str
    value: int | None
    total: int


class Loss(NamedTuple):
    """A payment that the rules call for."""

    player: str
    tokens: int
    reason: str


@dataclass(frozen=True)
class Game:
    """What sets a game of the family apart from the others."""

    name: str
    hand_size: int = 3
    two_decks_from: int = 5
    tokens: tuple[int, int] = (5, 3)  # with one deck, with two
    values: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: VALUES)
    sets: Mapping[str, int] = field(default_factory=lambda: {"K": LIMIT})
    turns: str = "4"
    skips: str = ""
    chooses: str = ""
    over_loses: bool = False  # any card may be played, and a total over the limit loses the hand
    floor: int | None = None
    lost_draw: str = "next draw"  # a forgotten draw is lost with the next draw, the next play, or (a fault) one's own
    keeps_last: bool = False  # the card played last is not reshuffled
    four_again: bool = False
    rolling: bool = False
    borders: bool = False
    exact: tuple[int, ...] = ()
    pot: bool = False

    @property
    def any_card(self) -> bool:
        """Whether a card may be played that takes the total over the limit."""
        return self.over_loses or self.borders

    def decks(self, seats: int) -> list[str]:
        return DECK * 2 if seats >= self.two_decks_from else DECK

    def each(self, seats: int) -> int:
        return self.tokens[seats >= self.two_decks_from]

    def moves(self, card: str, total: int) -> list[Move]:
        """What the card can count for, whether allowed now or not."""
        if card[0] in self.sets:
            return [Move(card, None, self.sets[card[0]])]
        return [Move(card, value, total + value) for value in self.values[card[0]]]

    def allowed(self, card: str, total: int) -> list[Move]:
        """What the card may count for now (`limit`)."""
        moves = [move for move in self.moves(card, total) if self.any_card or move.total <= LIMIT]
        return [move for move in moves if self.floor is None or move.total >= self.floor]

    def crossed(self, before: int, after: int) -> int:
        """How many borders lie between two totals (`border`)."""
        low, high = sorted((before, after))
        return sum(low <= edge < high for edge in BORDERS) if self.borders else 0


TOKENS = Game("ninety-nine-tokens", two_decks_from=4, tokens=(3, 3), over_loses=True, lost_draw="own play")
CHIPS = Game("ninety-nine-chips", keeps_last=True, pot=True)
PENNIES = Game("ninety-nine-pennies", lost_draw="next play")
BORDERED = {"8": (0,), "4": (4,), "K": (10,)}
COURTLY = {"J": (0,), "Q": (20, -20)}
FIVE = {"tokens": (4, 4), "hand_size": 5}


def option(base: Game, name: str, **changed: Any) -> Game:
    return replace(base, name=f"{base.name}+{name}", **changed)


GAMES = {
    game.name: game
    for game in (
        TOKENS,
        option(TOKENS, "five-tokens", tokens=(5, 3)),
        option(TOKENS, "winner-takes-tokens", pot=True),
        option(TOKENS, "five-tokens+winner-takes-tokens", tokens=(5, 3), pot=True),
        CHIPS,
        PENNIES,
        option(PENNIES, "five-cards", **FIVE),
        option(PENNIES, "rolling", rolling=True),
        option(PENNIES, "four-again", four_again=True),
        option(PENNIES, "borders", borders=True, turns="8", sets={}, values={**VALUES, **BORDERED}),
        option(PENNIES, "five-cards+rolling", rolling=True, **FIVE),
        option(PENNIES, "rolling+four-again", rolling=True, four_again=True),
    )
}

HOUSE_GAMES = {
    game.name: game
    for game in (
        replace(CHIPS, name="skip-three", hand_size=4, skips="3", sets={"9": LIMIT}, values={**VALUES, "K": (0,)}),
        replace(CHIPS, name="five-chooses", hand_size=5, chooses="5", floor=0, values={**VALUES, **COURTLY}),
        replace(CHIPS, name="exact-hits", exact=BORDERS),
    )
}


class World:
    """The true table. Each method writes its event first and then moves cards and tokens; none judges."""

    def __init__(self, kind: Game, players: Sequence[str], rules: Any = None, **opened: Any) -> None:
        self.game = kind
        self.events: list[Event] = []
        self.marks: dict[int, dict[str, Any]] | None = None
        self.shuffle = Random(0)
        self.numbered = False
        self.chairs = list(players)
        self.match = set(players)
        self.left: set[str] = set()
        self.tokens = dict.fromkeys(players, kind.each(len(players)))
        self.banked = dict.fromkeys(players, 0)
        self.points: dict[str, int] = {}
        self.pot = 0
        self.before_hand: tuple[dict[str, int], set[str], int] = ({}, set(), 0)
        self.hands: dict[str, list[str]] = {}
        self.stock: list[str] = []
        self.pile: list[str] = []
        self.aside: list[str] = []
        self.total = 0
        self.direction = 1
        self.dealer: str | None = None
        self.inside: set[str] = set()
        self.turn = ""
        self.fresh: str | None = None
        self.owing: list[str] = []
        self.losses: list[Loss] = []
        self.plays = 0  # on this pile
        self.deals = 0
        self.hand_on = False
        self.voided = False
        self.winner: str | None = None
        self.closed = False
        self.log("game_opened", format=1, rules=rules or kind.name, players=list(players), **opened)

    # The log and the way back

    def log(self, type_: str, **fields: Any) -> int:
        """Writes an event and gives its line."""
        line = len(self.events) + 1
        if self.marks is not None:
            skip = ("game", "events", "marks", "shuffle", "numbered")
            self.marks[line] = {key: copied(value) for key, value in vars(self).items() if key not in skip}
        event = {"type": type_, **fields}
        if self.numbered:
            event["seq"] = line
        self.events.append(event)
        return line

    def take_back(self, line: int, why: str) -> int:
        """`taken_back`: the table is as it was before that line."""
        assert self.marks is not None
        made = self.log("taken_back", about=line, why=why)
        vars(self).update(copied(self.marks[line]))
        for late in [mark for mark in self.marks if mark >= line]:
            del self.marks[late]
        return made

    # Who sits where, and what the table waits for

    def beside(self, player: str, among: Iterable[str], direction: int = 1) -> str:
        """The first of these players after that chair, clockwise or the other way."""
        here = self.chairs.index(player)
        ring = self.chairs[here + 1 :] + self.chairs[:here]
        return next(name for name in [*ring[::direction], player] if name in among)

    def next_in(self, player: str) -> str:
        """The next player of the hand in the direction of play."""
        return self.beside(player, self.inside, self.direction)

    def playing(self) -> list[str]:
        """Who is still in the match, in the order of the seats."""
        return [name for name in self.chairs if name in self.match]

    def next_dealer(self) -> str:
        """`dealer-rotation`: the next player still in the match; after a void the same dealer again (R7)."""
        assert self.dealer is not None
        if self.voided and self.dealer in self.match:
            return self.dealer
        return self.beside(self.dealer, self.match)

    def moves(self, player: str) -> list[Move]:
        """What the player may do with the cards of their hand."""
        return [move for card in self.hands[player] for move in self.game.allowed(card, self.total)]

    def score(self, player: str) -> int:
        """Borders: what was added at the end of each hand, this one too when it is over."""
        over = not self.hand_on and not self.voided
        return self.banked[player] + (self.points.get(player, 0) if over else 0)

    def broke(self) -> list[str]:
        """Players in the match who have nothing left."""
        return [] if self.game.borders else [name for name in self.playing() if self.tokens[name] <= 0]

    def champion(self) -> str | None:
        """Who has won the match, as things stand."""
        names = self.playing()
        if len(names) == 1:
            return names[0]
        if not self.game.borders or self.hand_on:
            return None
        ranked = sorted(names, key=self.score)
        best, second = self.score(ranked[-1]), self.score(ranked[-2])
        return ranked[-1] if best >= GOAL and best > second else None

    def prize(self, player: str) -> int:
        """What a winner of the match then has."""
        if self.game.borders:
            return self.score(player)
        return self.tokens[player] + (self.pot if self.game.pot else 0)

    def phase(self) -> str:
        """What the table waits for."""
        if self.closed or self.winner is not None:
            return "closed" if self.closed else "over"
        if self.losses:
            return "lose"
        if self.broke():
            return "knock"
        if self.champion() is not None:
            return "crown"
        if not self.hand_on:
            return "deal"
        return "play" if self.fresh is None else "draw"

    # A hand

    def deal(self, dealer: str, hands: dict[str, list[str]], stock: list[str], **said: Any) -> int:
        line = self.log("hand_dealt", dealer=dealer, hands=copied(hands), stock=list(stock), **said)
        self.banked = {name: self.score(name) for name in self.chairs}
        self.points = dict.fromkeys(self.playing(), 3) if self.game.borders else {}
        self.before_hand = (dict(self.tokens), set(self.match), self.pot)
        self.hands, self.stock, self.pile, self.aside = copied(hands), list(stock), [], []
        self.total, self.direction, self.plays = 0, 1, 0
        self.dealer, self.inside = dealer, set(hands)
        self.turn = self.beside(dealer, self.inside)
        self.fresh, self.owing, self.losses = None, [], []
        self.voided, self.hand_on = False, True
        self.deals += 1
        return line

    def end_hand(self) -> None:
        self.hand_on, self.fresh, self.owing = False, None, []

    def void(self, reason: str) -> int:
        """R7: tokens lost in the hand come back, and with them who was knocked out."""
        line = self.log("hand_voided", reason=reason)
        self.end_hand()
        tokens, match, self.pot = self.before_hand
        self.tokens, self.match = dict(tokens), match - self.left
        self.losses, self.voided = [], True
        return line

    def leave(self, player: str) -> int:
        line = self.log("player_left", player=player)
        self.left.add(player)
        self.match.discard(player)
        return line

    def close(self) -> int:
        line = self.log("game_closed")
        self.closed = True
        return line

    # A turn

    def play(self, player: str, move: Move, chosen: str | None = None, **changed: Any) -> int:
        """Plays a card. `changed` overrides fields of the event, never the table; a target of None is not written."""
        fields: Event = {"player": player, "card": move.card, "count": move.total, "target": chosen, **changed}
        fields = {key: said for key, said in fields.items() if said is not None or key in ("card", "count")}
        line = self.log("card_played", **fields)
        if move.card in self.hands[player]:
            self.hands[player].remove(move.card)
        self.pile.append(move.card)
        self.plays += 1
        before, self.total = self.total, move.total
        self.move_on(player, move.card, chosen)
        still = [] if self.game.lost_draw == "next play" else [name for name in self.owing if name != player]
        self.fresh, self.owing = player, [*still, player]
        self.charge(player, before)
        return line

    def move_on(self, player: str, card: str, chosen: str | None) -> None:
        """Whose turn it is after a card (`turn-order`); between two players a 4 turns nothing."""
        game, rank = self.game, card[0]
        if rank in game.turns and len(self.inside) > 2:
            self.direction = -self.direction
        self.turn = chosen or self.next_in(player)
        if rank in game.skips:
            self.turn = self.next_in(self.turn)
        if rank in game.turns and len(self.inside) == 2 and game.four_again:
            self.turn = player

    def charge(self, player: str, before: int) -> None:
        """What a play costs, and whether the hand ends with it (`tokens`, `border`)."""
        game = self.game
        if crossed := game.crossed(before, self.total):
            self.losses = [Loss(player, crossed, "border")]
        if self.total in game.exact and self.total != before:
            self.losses = [Loss(name, 1, "exact") for name in self.playing() if name != player]
        if self.total > LIMIT and game.over_loses:
            self.losses = [Loss(player, 1, "hand_lost")]
        if self.total > LIMIT and game.any_card:
            self.end_hand()

    def draw(self, player: str) -> int:
        line = self.log("card_drawn", player=player, card=self.stock[0])
        self.hands[player].append(self.stock.pop(0))
        self.has_drawn(player)
        return line

    def has_drawn(self, player: str) -> None:
        """In *chips* everybody else's forgotten draw is lost now."""
        self.owing = [name for name in self.owing if name != player]
        if self.fresh == player:
            self.fresh = None
        if self.game.lost_draw == "next draw":
            self.fresh, self.owing = None, []

    def forget(self, player: str, told: bool) -> None:
        """The draw doesn't come now; where a note says so, it is lost for good but in *tokens*."""
        if told:
            self.log("draw_missed", player=player)
        self.fresh = None
        if told and self.game.lost_draw != "own play":
            self.owing.remove(player)

    def to_shuffle(self) -> list[str]:
        """What a reshuffle takes up: the pile, in *chips* without the last card, and what was taken away before."""
        return self.aside + (self.pile[:-1] if self.game.keeps_last else self.pile)

    def reshuffle(self, stock: list[str] | None = None) -> int:
        """What lies on the pile becomes the stock, or what is given."""
        if stock is None:
            stock = self.to_shuffle()
            self.shuffle.shuffle(stock)
        line = self.log("pile_reshuffled", stock=list(stock))
        self.stock, self.aside = list(stock), []
        self.pile = self.pile[-1:] if self.game.keeps_last else []
        return line

    # Losses

    def out(self, player: str, reason: str) -> int:
        line = self.log("player_eliminated", player=player, reason=reason)
        self.put_out(player)
        if reason == "left":
            return line
        self.losses = [Loss(player, 1, "hand_lost")]
        if self.game.rolling and self.hand_on:
            self.aside, self.pile, self.total, self.plays = self.aside + self.pile, [], 0, 0
        else:
            self.end_hand()
        return line

    def put_out(self, player: str) -> None:
        """Out of the hand; the cards stay where they are. With one player left the hand is over."""
        self.inside.discard(player)
        self.owing = [name for name in self.owing if name != player]
        if self.fresh == player:
            self.fresh = None
        if len(self.inside) < 2:
            self.end_hand()
        elif self.turn == player:
            self.turn = self.next_in(player)

    def pay(self, loss: Loss) -> int:
        """`tokens_lost`; what was due is due no longer."""
        line = self.log("tokens_lost", player=loss.player, tokens=loss.tokens, reason=loss.reason)
        if loss in self.losses:
            self.losses.remove(loss)
        self.take(loss.player, loss.tokens)
        return line

    def take(self, player: str, tokens: int) -> None:
        if self.game.borders:
            self.points[player] -= tokens
        else:
            self.tokens[player] -= tokens
            self.pot += tokens

    def knock_out(self, player: str) -> int:
        line = self.log("player_knocked_out", player=player)
        self.drop(player)
        return line

    def drop(self, player: str) -> None:
        """Out of the match, and of the hand if it still goes on."""
        self.match.discard(player)
        if player in self.inside and self.hand_on:
            self.put_out(player)

    def win(self, player: str, tokens: int) -> int:
        line = self.log("match_won", player=player, tokens=tokens)
        self.winner = player
        return line
