"""Legal games of Bong Hit 99, made from the rulebook alone.

`legal_game` plays a game by chance and gives its log with every card. `World` is the true table: it knows
where each card lies and does what it is told without judging. `Host` knows the rules and takes the legal
steps. Nothing here imports the project, so that a mistake there can't hide itself here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
MOST_SEATS = 13
MOST_PLAYS = 400


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


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    if type(value) is list:
        return [_copied(item) for item in value]
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
            self.marks[line] = {key: _copied(value) for key, value in vars(self).items() if key not in skip}
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
        vars(self).update(_copied(self.marks[line]))
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
        line = self.log("hand_dealt", dealer=dealer, hands=_copied(hands), stock=list(stock))
        self.hands, self.stock, self.pile, self.count = _copied(hands), list(stock), [], 0
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


@dataclass(frozen=True)
class Habits:
    """How often (a step) the table does what it needn't."""

    leisure: float = 0.015
    load: float = 0.02
    ruling: float = 0.006
    recount: float = 0.006
    show: float = 0.15
    leave: float = 0.0
    join: float = 0.0
    void: float = 0.002
    take_back: float = 0.0
    slip: float = 0.0
    early_shuffle: float = 0.3
    unsaid: float = 0.0
    untold: float = 0.0


QUIET = Habits(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.3)


class Host:
    """Takes legal steps at a table, one event or a few at a time."""

    def __init__(self, world: World, rng: Random, habits: Habits) -> None:
        self.world, self.rng, self.habits = world, rng, habits
        self.most_plays = MOST_PLAYS
        world.shuffle = rng

    def chance(self, probability: float) -> bool:
        return probability > 0 and self.rng.random() < probability

    def step(self) -> None:
        """The next thing that happens: an aside, or what the rules ask for."""
        world = self.world
        if self.aside():
            return
        match world.phase():
            case "deal":
                self.deal()
            case "draw":
                assert world.owing is not None
                if not world.stock:
                    world.reshuffle()
                world.draw(world.owing)
            case "answer":
                self.answer()
            case "blowback":
                self.blowback()
            case "win":
                world.win(next(iter(world.inside)))
            case "play":
                self.act()
            case "prize":
                self.prize()

    # What the rules ask for

    def deal(self, dealer: str | None = None) -> int:
        world = self.world
        if dealer is None:
            seats = world.seats()
            first = seats[-1] if self.chance(0.5) else self.rng.choice(seats)
            dealer = first if world.dealer is None else world.next_dealer()
        hands, stock = self.shuffled(dealer, world.seats())
        return world.deal(dealer, hands, stock)

    def shuffled(self, dealer: str, players: list[str]) -> tuple[dict[str, list[str]], list[str]]:
        """A deal, often one in which the Death Card, its shield and the clubs come to matter."""
        rng = self.rng
        deck = rng.sample(DECK, 52)
        at = rng.randrange(len(players))
        wishes: list[tuple[int, str]] = []
        if rng.random() < 0.6:
            wishes += [(at, "Qs"), (at + 1, "Ad" if rng.random() < 0.7 else "Ah")]
        if rng.random() < 0.6:
            wishes.append((rng.randrange(len(players)), "Ac"))
        if rng.random() < 0.5:
            wishes += [(rng.randrange(len(players)), card) for card in SLIDE[: rng.randint(1, 4)]]
        taken = [0] * len(players)
        for who, card in wishes:
            seat = who % len(players)
            if taken[seat] < 4:
                here, there = deck.index(card), 4 * seat + taken[seat]
                deck[here], deck[there] = deck[there], deck[here]
                taken[seat] += 1
        hands = {name: deck[4 * place : 4 * place + 4] for place, name in enumerate(players)}
        return hands, deck[4 * len(players) :]

    def act(self) -> None:
        """`must-play`: who can play plays one of the playable cards; who can't is out."""
        world = self.world
        player = world.turn
        cards = world.playable(player)
        if not cards:
            world.out(player, "no_play")
            return
        card = self.choice(cards)
        unsaid = {"count": None} if self.chance(self.habits.unsaid) else {}
        untold = {"target": None} if self.chance(self.habits.untold) else {}
        if self.chance(self.habits.slip):
            self.slip(player, card)
            return
        world.play(player, card, **unsaid, **untold)

    def choice(self, cards: list[str]) -> str:
        """Climbs fast and keeps what matters at 99 and for the prize, so that hands end."""
        return self.rng.choices(cards, [self.weight(card) for card in cards])[0]

    def weight(self, card: str) -> float:
        if self.world.count == 99:
            return 6 if card == "Qs" else 1 if card[0] == "T" else 2
        base = 1 + pips(card) if card[0] != "K" else 5
        kept = card in ("Qs", "Ad", "Ac", "Kc") or card[0] in "29"
        return base * (0.08 if kept else 0.5 if card[1] == "c" else 1)

    def answer(self) -> None:
        """`death-card-shield`: the Ace of Diamonds or out."""
        world = self.world
        assert world.death is not None
        target = world.death.target
        if "Ad" in world.hands[target]:
            world.play(target, "Ad")
        else:
            world.out(target, "death_card")

    def blowback(self) -> None:
        """`death-card-blowback`: the Death Card's player is out, but not in a two-player game (R3)."""
        world = self.world
        assert world.death is not None
        attacker, target, _ = world.death
        if world.two_player_game():
            world.turn, world.death = attacker, None
        elif attacker in world.inside:
            world.out(attacker, "blowback")
        else:
            world.turn, world.death = world.after(target, world.inside), None

    def prize(self) -> None:
        """The steal or bonus first; then each prize slides to its end and is settled, in parts or whole."""
        world, rng = self.world, self.rng
        ace = None if world.ace_done else world.holder("Ac")
        if ace is not None:
            assert world.winner is not None
            if ace == world.winner:
                world.bonus(ace)
            else:
                world.steal(ace, world.winner)
            return
        world.ace_done = True
        name = rng.choice([prize for prize, left in world.prizes.items() if left.hits])
        due = world.slide_due(name)
        if due is not None:
            card, to = due
            world.slide(name, to, card)
            return
        self.settle(name)

    def settle(self, name: str) -> int:
        """`prize`: taken, given or left for the next hand; a pot may be split (R4)."""
        world, rng = self.world, self.rng
        now = world.prizes[name]
        hits = rng.randint(1, now.hits) if rng.random() < 0.5 else now.hits
        others = [seat for seat in world.seats() if seat != now.holder]
        type_ = rng.choices(["hit_taken", "hit_carried", "hit_donated"], [4, 3, 2 if others else 0])[0]
        given = {"to": rng.choice(others)} if type_ == "hit_donated" else {}
        return world.settle(type_, name, hits, **given)

    # What may happen besides

    def aside(self) -> bool:
        """Perhaps one of the things that may stand here; True where something happened."""
        world, habits, phase = self.world, self.habits, self.world.phase()
        before = len(world.events)
        playing = phase in ("play", "draw", "answer", "blowback")
        if playing and not world.stock and world.pile and self.chance(habits.early_shuffle):
            world.reshuffle()
        elif playing and (world.plays > self.most_plays or self.chance(habits.void)):
            world.void(self.rng.choice(["endless", "the deck was short", "pizza came"]))
        elif playing and self.chance(habits.leave * (6 if world.death is not None else 1)):
            self.leave_inside()
        elif phase == "play" and self.chance(habits.recount):
            world.log("count_corrected", count=world.count)
        elif phase in ("prize", "deal") and world.winner and not world.voided and self.chance(habits.show):
            self.show()
        elif phase == "deal" and self.chance(habits.join):
            self.come_or_go()
        elif world.marks is not None and self.chance(habits.take_back):
            self.take_back()
        else:
            self.anywhere()
        return len(world.events) > before

    def anywhere(self) -> None:
        """Leisure hits, loads and rulings may stand anywhere (`log-order`)."""
        world, rng, habits = self.world, self.rng, self.habits
        if self.chance(habits.leisure):
            world.leisure(rng.choice(world.seats()), rng.choice([None, False, True]))
        elif self.chance(habits.load):
            # `loader`: whoever has the duty; if nobody has it, anybody (R16).
            world.log("bong_loaded", player=world.duty or rng.choice(world.seats()))
        elif len(world.events) > 2 and self.chance(habits.ruling):
            about = len(world.events)
            fields: Event = {"about": about, "by": rng.choice(world.seats()), "text": "it stands"}
            if rng.random() < 0.5:
                fields["rule"] = "turn-order"
            if world.events[-1]["type"] != "taken_back":
                world.log("ruling_made", **fields)

    def show(self) -> None:
        """After the win anybody may show cards of the hand they still hold."""
        world = self.world
        names = [name for name, hand in world.hands.items() if hand and name in world.seated]
        if names:
            name = self.rng.choice(names)
            hand = world.hands[name]
            world.log("cards_shown", player=name, cards=self.rng.sample(hand, self.rng.randint(1, len(hand))))

    def may_leave(self) -> list[str]:
        """Who can leave inside a hand so that nothing is left unclear (R8), the likeliest named twice."""
        world, phase = self.world, self.world.phase()
        inside, death = world.inside, world.death
        kept = {world.duty, world.finisher}
        if phase == "blowback" or (death is not None and death.shielded) or len(world.seated) < 3:
            return []
        names = [name for name in world.hands if name in world.seated and name not in kept]
        if len(inside) < 3:
            alone = inside if phase == "draw" else {death.attacker} if death is not None else set()
            names = [name for name in names if name not in alone]
            if phase == "draw":
                names = [name for name in names if name not in inside]
        roles = {world.turn, world.owing, *(death[:2] if death is not None else ())}
        return names + [name for name in names if name in roles and name in inside] * 3

    def leave_inside(self) -> None:
        world = self.world
        names = self.may_leave()
        if names:
            name = self.rng.choice(names)
            world.leave(name)
            if name in world.inside:
                world.out(name, "left")

    def come_or_go(self) -> None:
        """Between hands players join and leave; nobody joins while the dealer's chair stands empty."""
        world, rng = self.world, self.rng
        free = [name for name in NAMES if name not in world.chairs]
        dealer_left = world.dealer is not None and world.dealer not in world.seated
        if free and len(world.seated) < MOST_SEATS and not dealer_left and rng.random() < 0.5:
            everybody = len(world.seated) == len(world.chairs)
            seat = rng.randint(0, len(world.chairs)) if everybody and rng.random() < 0.5 else None
            world.join(free[0], seat)
        elif len(world.seated) > 2 and world.deals:
            names = [name for name in world.seats() if name != world.finisher]
            if world.dealer in names and rng.random() < 0.4:
                names = [world.dealer]
            world.leave(rng.choice(names))

    def may_take_back(self) -> list[int]:
        """Lines that stand and can be named without leaving half of something (R14)."""
        world = self.world
        assert world.marks is not None
        lines: list[int] = []
        for line in range(len(world.events), max(2, len(world.events) - 9), -1):
            event = world.events[line - 1]
            if line not in world.marks or event["type"] in ("player_joined", "player_left", "taken_back"):
                break
            if event.get("reason") == "left":
                break
            if event["type"] not in ("leisure_hit", "bong_loaded", "ruling_made"):
                lines.append(line)
        return [line for line in lines if self.duty_unmoved(line)]

    def duty_unmoved(self, line: int) -> bool:
        """Loads and finished bowls stand, so nobody's duty may change in the lines taken back."""
        undone = self.world.events[line - 1 :]
        kinds = {event["type"] for event in undone}
        stays = {"leisure_hit", "bong_loaded"} & kinds
        return not stays or not {"player_eliminated", "hand_dealt", "hand_voided"} & kinds

    def take_back(self) -> None:
        lines = self.may_take_back()
        if lines:
            self.world.take_back(self.rng.choice(lines), "player")

    def slip(self, player: str, card: str) -> None:
        """The scribe writes a wrong Count, sees it and writes the line again."""
        world, rng = self.world, self.rng
        if world.marks is None or (card == "Qs" and world.count == 99):
            world.play(player, card)
            return
        right = count_after(card, world.count)
        line = world.play(player, card, count=rng.choice([n for n in range(100) if n != right]))
        if world.stock and rng.random() < 0.3:
            world.draw(player)
        world.take_back(line, "scribe")
        world.play(player, card)


def opened_game(rng: Random, seats: int, names: Sequence[str] = NAMES) -> World:
    """A table with that many seats, sometimes with a game id."""
    players = list(names[:seats])
    if rng.random() < 0.5:
        rng.shuffle(players)
    return World(players, **({"game": f"game-{rng.randrange(10**6)}"} if rng.random() < 0.2 else {}))


def some_habits(rng: Random) -> Habits:
    """Each table has its own habits; not every table does everything."""
    goes = rng.random() < 0.45
    undoes = rng.random() < 0.35
    return Habits(
        leave=0.008 if goes else 0,
        join=0.3 if goes else 0,
        void=0.004 if rng.random() < 0.3 else 0,
        take_back=0.02 if undoes else 0,
        slip=0.02 if undoes else 0,
        early_shuffle=rng.choice([0, 0.2, 0.7]),
        unsaid=0.2 if rng.random() < 0.12 else 0,
        untold=0.3 if rng.random() < 0.2 else 0,
    )


def play_hands(host: Host, hands: int) -> None:
    """Plays until that many hands are won, or voided hands made it too long."""
    world = host.world
    won = 0
    while world.deals < hands + 3:
        was_on = world.hand_on
        if not was_on and won >= hands:
            return
        host.step()
        won += was_on and not world.hand_on and not world.voided


def legal_game(seed: int, seats: int, hands: int = 3) -> list[Event]:
    """A legal game with all cards logged; most end with game_closed, some stop anywhere."""
    rng = Random(f"legal {seed} {seats} {hands}")
    world = opened_game(rng, seats)
    host = Host(world, rng, some_habits(rng))
    host.most_plays = rng.choice([90, 160, MOST_PLAYS] if seats < 9 else [90, 160])
    if host.habits.take_back:
        world.marks = {}
    if rng.random() < 0.15:
        world.numbered = True
        world.events[0]["seq"] = 1
    play_hands(host, hands)
    if rng.random() < 0.1:
        return without_half_steps(world.events[: rng.randint(2, len(world.events))])
    if not world.hand_on:
        world.close()
    return world.events


def without_half_steps(events: list[Event]) -> list[Event]:
    """A log may stop anywhere, but a player_left says more once its elimination is there."""
    return events[:-1] if events[-1]["type"] == "player_left" else events


# The same game as others would have written it


def _nulls(cards: Sequence[str]) -> list[str | None]:
    return [None] * len(cards)


def _blanked(event: Event) -> Event:
    match event["type"]:
        case "hand_dealt":
            hands = {name: _nulls(cards) for name, cards in event["hands"].items()}
            return {**event, "hands": hands, "stock": None}
        case "card_drawn":
            return {**event, "card": None}
        case "pile_reshuffled":
            return {**event, "stock": None}
        case "hand_corrected":
            return {**event, "drew": _nulls(event["drew"]), "returned": _nulls(event["returned"])}
    return _copied_event(event)


def _copied_event(event: Event) -> Event:
    return {key: _copied(value) for key, value in event.items()}


def blanked(events: list[Event]) -> list[Event]:
    """The log as somebody at the table wrote it: only what everybody saw."""
    return [_blanked(event) for event in events]


def half_blanked(events: list[Event], seed: int) -> list[Event]:
    """Each hidden card is known with some chance; a stock is known whole, in part or not at all."""
    rng = Random(f"half {seed}")
    share = rng.choice([0.2, 0.5, 0.8])

    def some(cards: Sequence[str | None]) -> list[str | None]:
        return [card if rng.random() < share else None for card in cards]

    def some_stock(cards: Sequence[str | None] | None) -> list[str | None] | None:
        kind = rng.random()
        return None if cards is None or kind < 0.4 else list(cards) if kind < 0.7 else some(cards)

    made: list[Event] = []
    for event in map(_copied_event, events):
        match event["type"]:
            case "hand_dealt":
                event["hands"] = {name: some(cards) for name, cards in event["hands"].items()}
                event["stock"] = some_stock(event["stock"])
            case "card_drawn":
                event["card"] = some([event["card"]])[0]
            case "pile_reshuffled":
                event["stock"] = some_stock(event["stock"])
            case "hand_corrected":
                event["drew"], event["returned"] = some(event["drew"]), some(event["returned"])
        made.append(event)
    return made


def with_omits(events: list[Event], types: Iterable[str]) -> list[Event]:
    """The log of a table that never writes these types; line numbers inside are moved along."""
    left_out = set(types)
    kept = [line for line, event in enumerate(events, 1) if event["type"] not in left_out]
    moved: dict[int, int] = {}
    made: list[Event] = []
    for line in kept:
        event = _copied_event(events[line - 1])
        if line == 1:
            event["omits"] = sorted(left_out)
        if "about" in event:
            about = next(moved.get(late, line) for late in kept if late >= event["about"])
            if about == line:
                continue  # all that it was about is left out
            event["about"] = about
        made.append(event)
        moved[line] = len(made)
        if "seq" in event:
            event["seq"] = len(made)
    return made


# A check of the generator by other means: it reads the finished log only


def misplaced(events: list[Event]) -> list[str]:
    """What is wrong with the places of the cards in a log that names them all; empty if nothing is."""
    wrong: list[str] = []
    hands: dict[str, list[str]] = {}
    stock: list[str] = []
    pile: list[str] = []
    before: dict[int, Any] = {}
    for line, event in enumerate(events, 1):
        before[line] = _copied([hands, stock, pile])
        player, card = event.get("player", ""), event.get("card", "")
        match event["type"]:
            case "hand_dealt":
                hands, stock, pile = _copied(event["hands"]), list(event["stock"]), []
            case "card_played" if card in hands.get(player, []):
                hands[player].remove(card)
                pile.append(card)
            case "card_drawn" if stock and stock[0] == card:
                hands[player].append(stock.pop(0))
            case "card_played" | "card_drawn":
                wrong.append(f"line {line}: {card} is not there")
            case "pile_reshuffled":
                if stock or sorted(pile) != sorted(event["stock"]):
                    wrong.append(f"line {line}: not the pile")
                stock, pile = list(event["stock"]), []
            case "taken_back":
                hands, stock, pile = _copied(before[event["about"]])
        everywhere = sorted([*stock, *pile, *(one for hand in hands.values() for one in hand)])
        if hands and everywhere != sorted(DECK):
            wrong.append(f"line {line}: {len(everywhere)} cards")
    return wrong
