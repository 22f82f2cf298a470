"""Legal games of Bong Hit 99, made from the rulebook alone.

`legal_game` plays a game by chance and gives its log with every card. `World` is the true table: it knows
where each card lies and does what it is told without judging. `Host` knows the rules and takes the legal
steps. Nothing here imports the project, so that a mistake there can't hide itself here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from legal_logs import blanked, half_blanked, misplaced, with_omits
from legal_table import DECK, NAMES, SLIDE, Death, Event, Prize, World, count_after, pips

__all__ = [
    "DECK",
    "MOST_PLAYS",
    "MOST_SEATS",
    "NAMES",
    "QUIET",
    "SLIDE",
    "Death",
    "Event",
    "Habits",
    "Host",
    "Prize",
    "World",
    "blanked",
    "count_after",
    "half_blanked",
    "legal_game",
    "misplaced",
    "opened_game",
    "pips",
    "with_omits",
]

MOST_SEATS = 13
MOST_PLAYS = 400


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
        return stopped(world.events, rng.randint(2, len(world.events)))
    if not world.hand_on:
        world.close()
    return world.events


def stopped(events: list[Event], line: int) -> list[Event]:
    """A log may stop anywhere, but not between a scribe's slip or a leaving and the line that explains it."""
    for mended, event in enumerate(events, 1):
        if event["type"] == "taken_back" and event["about"] <= line < mended:
            line = mended
    return events[: line - (events[line - 1]["type"] == "player_left")]
