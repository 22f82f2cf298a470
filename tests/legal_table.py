"""The true table of a game of Bong Hit 99, and what cards are worth; it says nothing about what is legal."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

Event = dict[str, Any]

RANKS = "A23456789TJQK"
DECK = [rank + suit for suit in "cdhs" for rank in RANKS]
SLIDE = [rank + "c" for rank in "KQJT98765432"]
NAMES = [
    *("Ana", "Ben", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou", "Mo"),
    *("Nan", "Oz", "Pia", "Quin", "Rex", "Sól", "Tío", "Ulf", "Val", "Wes", "Xi", "Yo", "Zed"),
]


def pips(card: str) -> int:
    """What a card adds below 99; a King adds nothing, it sets."""
    return 10 if card[0] in "TJQ" else RANKS.index(card[0]) + 1


def count_after(card: str, count: int) -> int | None:
    """The Count after a card, None where it can't be played (`limit`, `count-called`)."""
    if card[0] == "K":
        return 99
    if count == 99:
        if card[0] == "T":
            return 89
        return 99 if card[0] in "29" or card == "Qs" else None
    return count + pips(card) if count + pips(card) <= 99 else None


class Death(NamedTuple):
    """A Death Card that still waits for its answer, or for its blowback."""

    attacker: str
    target: str
    shielded: bool = False


class Prize(NamedTuple):
    """A prize: who has it now, how many hits, and where on the clubs it is (None: it never moves)."""

    holder: str
    hits: int
    step: int | None = None


def copied(value: Any) -> Any:
    """A copy whose lists, dicts and sets are its own; cards and names are shared."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if type(value) is list:
        return [copied(item) for item in value]
    return set(value) if isinstance(value, set) else value


class World:
    """The true table. Each method writes its event first and then moves the cards; none judges."""

    def __init__(self, players: Sequence[str], **opened: Any) -> None:
        self.events: list[Event] = []
        self.marks: dict[int, dict[str, Any]] | None = None
        self.shuffle = Random(0)
        self.numbered = False
        self.seq_shift = 0
        self.chairs = list(players)
        self.seated = set(players)
        self.hands: dict[str, list[str]] = {}
        self.stock: list[str] = []
        self.pile: list[str] = []
        self.count = 0
        self.dealer: str | None = None
        self.inside: set[str] = set()
        self.turn = ""
        self.owing: str | None = None
        self.death: Death | None = None
        self.plays = 0
        self.hand_on = False
        self.voided = False
        self.winner: str | None = None
        self.ace_done = False
        self.prizes: dict[str, Prize] = {}
        self.carried = 0
        self.pairs: list[list[str]] = []
        self.deals = 0
        self.first_out: str | None = None
        self.finisher: str | None = None
        self.duty: str | None = None
        self.closed = False
        self.log("game_opened", format=1, rules="bong-hit-99", players=list(players), **opened)

    # The log and the way back

    def log(self, type_: str, **fields: Any) -> int:
        """Writes an event and gives its line."""
        line = len(self.events) + 1
        if self.marks is not None:
            skip = ("events", "marks", "shuffle", "numbered", "seq_shift")
            self.marks[line] = {key: copied(value) for key, value in vars(self).items() if key not in skip}
        event = {"type": type_, **fields}
        if self.numbered:
            event["seq"] = line + self.seq_shift
        self.events.append(event)
        return line

    def take_back(self, line: int, why: str) -> int:
        """`taken_back`: the table is as it was before that line, but a bowl once finished stays finished."""
        assert self.marks is not None
        undone = self.events[line - 1 :]
        tb = self.log("taken_back", about=line, why=why)
        vars(self).update(copied(self.marks[line]))
        for late in [mark for mark in self.marks if mark >= line]:
            del self.marks[late]
        for event in undone:
            if event["type"] == "leisure_hit" and event.get("finished"):
                self.finisher = self.duty = event["player"]
        return tb

    # Who sits where

    def after(self, player: str, among: Iterable[str]) -> str:
        """The first of these players clockwise after that chair, empty chairs passed over."""
        here = self.chairs.index(player)
        ring = self.chairs[here + 1 :] + self.chairs[: here + 1]
        return next(name for name in ring if name in among)

    def seats(self) -> list[str]:
        return [name for name in self.chairs if name in self.seated]

    def next_dealer(self) -> str:
        """`dealer-rotation`; after a void the same dealer deals again (R7)."""
        assert self.dealer is not None
        if self.voided and self.dealer in self.seated:
            return self.dealer
        return self.after(self.dealer, self.seated)

    def two_player_game(self) -> bool:
        """R3: since the game was opened every hand was dealt to exactly these two."""
        return all(len(pair) == 2 and pair == self.pairs[0] for pair in self.pairs)

    def out_players(self) -> list[str]:
        return [name for name in self.chairs if name in self.hands and name not in self.inside]

    def holder(self, card: str) -> str | None:
        """Whose hand a card is in, whoever was dealt into the hand."""
        return next((name for name, hand in self.hands.items() if card in hand), None)

    def playable(self, player: str) -> list[str]:
        return [card for card in self.hands[player] if count_after(card, self.count) is not None]

    def phase(self) -> str:
        """What the table waits for: deal, draw, answer, blowback, win, play, prize or nothing more."""
        if self.closed:
            return "closed"
        if not self.hand_on:
            return "deal"
        if self.winner is not None:
            return "prize"
        if self.owing is not None:
            return "draw"
        if self.death is not None:
            return "blowback" if self.death.shielded else "answer"
        return "win" if len(self.inside) == 1 else "play"

    # Setting up

    def deal(self, dealer: str, hands: dict[str, list[str]], stock: list[str]) -> int:
        line = self.log("hand_dealt", dealer=dealer, hands=copied(hands), stock=list(stock))
        self.hands, self.stock, self.pile, self.count = copied(hands), list(stock), [], 0
        self.dealer, self.inside = dealer, set(hands)
        self.turn = self.after(dealer, self.inside)
        self.owing = self.death = self.winner = None
        self.prizes, self.ace_done, self.voided, self.hand_on, self.plays = {}, False, False, True, 0
        if self.duty is None or self.duty != self.finisher:
            self.finisher = None
        self.duty, self.first_out = self.finisher, None
        self.pairs.append(sorted(hands))
        self.deals += 1
        return line

    def void(self, reason: str) -> int:
        line = self.log("hand_voided", reason=reason)
        self.hand_on, self.voided = False, True
        if self.duty == self.first_out:
            self.duty = self.finisher
        self.first_out = None
        return line

    def join(self, player: str, seat: int | None = None) -> int:
        line = self.log("player_joined", player=player, **({} if seat is None else {"seat": seat}))
        self.chairs.insert(len(self.chairs) if seat is None else seat, player)
        self.seated.add(player)
        return line

    def leave(self, player: str) -> int:
        """The chair stays where it is, empty; who is in the hand must still be put out."""
        line = self.log("player_left", player=player)
        self.seated.discard(player)
        return line

    def close(self) -> int:
        line = self.log("game_closed")
        self.closed = True
        return line

    # A turn

    def play(self, player: str, card: str, **changed: Any) -> int:
        """Plays a card. `changed` overrides fields of the event, never the table; None drops a target."""
        before, after = self.count, count_after(card, self.count)
        fields: Event = {"player": player, "card": card, "count": before if after is None else after}
        answering = self.death is not None and player == self.death.target and card == "Ad"
        target = self.after(player, self.inside) if card == "Qs" and before == 99 else None
        if target is not None:
            fields["target"] = target
        fields.update(changed)
        if fields.get("target", "") is None:
            del fields["target"]
        line = self.log("card_played", **fields)
        if card in self.hands[player]:
            self.hands[player].remove(card)
        self.pile.append(card)
        if after is not None:
            self.count = after
        self.owing, self.plays = player, self.plays + 1
        if answering:
            assert self.death is not None
            self.death = self.death._replace(shielded=True)
        elif target is not None:
            self.death = Death(player, target)
        else:
            self.turn = self.after(player, self.inside)
        return line

    def draw(self, player: str) -> int:
        line = self.log("card_drawn", player=player, card=self.stock[0])
        self.hands[player].append(self.stock.pop(0))
        if self.owing == player:
            self.owing = None
        return line

    def reshuffle(self) -> int:
        """The whole pile becomes the stock (`reshuffle`)."""
        stock = self.pile[:]
        self.shuffle.shuffle(stock)
        line = self.log("pile_reshuffled", stock=stock[:])
        self.stock, self.pile = stock, []
        return line

    def out(self, player: str, reason: str) -> int:
        line = self.log("player_eliminated", player=player, reason=reason)
        self.put_out(player, loader=reason != "left")
        return line

    def put_out(self, player: str, loader: bool = True) -> None:
        """Out of the hand, whatever the log says of it; the cards stay where they are (`out`)."""
        self.inside.discard(player)
        if loader and self.first_out is None:
            self.first_out = self.duty = player
        if self.owing == player:
            self.owing = None
        if self.turn == player:
            self.turn = self.after(player, self.inside)
        if self.death is not None and (player == self.death.target or self.death.shielded):
            self.turn, self.death = self.after(self.death.target, self.inside), None

    # The prize

    def win(self, player: str) -> int:
        line = self.log("hand_won", player=player)
        self.winner = player
        self.prizes = {"main": Prize(player, 1 + self.carried)}
        self.carried = 0
        return line

    def steal(self, thief: str, source: str) -> int:
        line = self.log("hit_stolen", player=thief, source=source)
        self.prizes["main"] = Prize(thief, self.prizes["main"].hits, 0)
        self.ace_done = True
        return line

    def bonus(self, player: str) -> int:
        line = self.log("bonus_created", player=player)
        self.prizes["bonus"] = Prize(player, 1, 0)
        self.ace_done = True
        return line

    def slide_due(self, prize: str) -> tuple[str, str] | None:
        """The next club and whoever holds it, None where the chain ends (`slide`)."""
        step = self.prizes[prize].step
        if step is None or step == len(SLIDE):
            return None
        to = self.holder(SLIDE[step])
        return None if to is None else (SLIDE[step], to)

    def slide(self, prize: str, to: str, card: str, **changed: Any) -> int:
        now = self.prizes[prize]
        fields = {"prize": prize, "source": now.holder, "player": to, "card": card, **changed}
        line = self.log("hit_slid", **fields)
        self.prizes[prize] = Prize(to, now.hits, SLIDE.index(card) + 1)
        return line

    def settle(self, type_: str, prize: str, hits: int, **changed: Any) -> int:
        """hit_taken, hit_carried or hit_donated; the hand is over when nothing is left."""
        now = self.prizes[prize]
        line = self.log(type_, **{"player": now.holder, "prize": prize, "hits": hits, **changed})
        self.prizes[prize] = now._replace(hits=now.hits - hits)
        if type_ == "hit_carried":
            self.carried += hits
        if not any(left.hits > 0 for left in self.prizes.values()):
            self.hand_on = False
        return line

    # Asides

    def leisure(self, player: str, finished: bool | None) -> int:
        line = self.log("leisure_hit", player=player, **({} if finished is None else {"finished": finished}))
        if finished:
            self.finisher = self.duty = player
        return line

    def correct(self, player: str, drew: int, returned: Sequence[str]) -> int:
        """hand_corrected: from the top, back to the bottom of the stock (R17)."""
        line = self.log("hand_corrected", player=player, drew=self.stock[:drew], returned=list(returned))
        self.hands[player] += self.stock[:drew]
        del self.stock[:drew]
        for card in returned:
            self.hands[player].remove(card)
            self.stock.append(card)
        return line
