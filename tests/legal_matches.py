"""Legal matches of the Ninety-Nine family, made from the rulebook alone.

`legal_match` plays a match by chance and gives its log with every card. `World` is the true table; `Host` knows
the rules and takes the legal steps. Nothing here imports the project, so that a mistake there can't hide
itself here.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from legal_games import stopped
from legal_table import NAMES, Event
from match_table import GAMES, HOUSE_GAMES, LIMIT, Game, Move, World

MOST_PLAYS = 150
MOST_HANDS = 60


@dataclass(frozen=True)
class Habits:
    """How often (a step, a card, a deal) the table does what it needn't."""

    leisure: float = 0.01
    ruling: float = 0.006
    recount: float = 0.006
    leave: float = 0.0
    void: float = 0.0
    take_back: float = 0.0
    early_shuffle: float = 0.3
    forget: float = 0.0  # a draw is forgotten
    late: float = 0.3  # a forgotten draw is made good, while it can be
    noted: float = 0.3  # `draw_missed` says that a draw was forgotten
    value: float = 0.7  # the value of a card that leaves a choice is written
    plain_value: float = 0.1
    unsaid: float = 0.0  # no total is noted
    unknown: float = 0.0  # neither the total nor the value is noted
    untold: float = 0.0  # the player whom a card chooses is not noted
    tokens: float = 0.3  # a deal notes what each player has


QUIET = Habits(leisure=0, ruling=0, recount=0, tokens=0)


class Host:
    """Takes legal steps at a table, one event or a few at a time."""

    def __init__(self, world: World, rng: Random, habits: Habits) -> None:
        self.world, self.rng, self.habits = world, rng, habits
        self.most_plays = MOST_PLAYS
        self.slow = False
        world.shuffle = rng

    def chance(self, probability: float) -> bool:
        return probability > 0 and self.rng.random() < probability

    def step(self) -> None:
        """The next thing that happens: an aside, or what the rules ask for."""
        world = self.world
        if self.aside():
            return
        match world.phase():
            case "lose":
                world.pay(world.losses[0])
            case "knock":
                world.knock_out(world.broke()[0])
            case "crown":
                self.crown()
            case "deal":
                self.deal()
            case "draw":
                self.draw()
            case "play":
                self.act()

    # What the rules ask for

    def crown(self) -> int:
        champion = self.world.champion()
        assert champion is not None
        return self.world.win(champion, self.world.prize(champion))

    def deal(self, dealer: str | None = None, names: list[str] | None = None) -> int:
        world = self.world
        if dealer is None:
            seats = world.playing()
            first = seats[-1] if self.chance(0.5) else self.rng.choice(seats)
            dealer = first if world.dealer is None else world.next_dealer()
        names = world.playing() if names is None else names
        cards = self.shuffled()
        size = world.game.hand_size
        hands = {name: cards[size * place : size * place + size] for place, name in enumerate(names)}
        return world.deal(dealer, hands, cards[size * len(names) :], **self.tokens_said())

    def tokens_said(self) -> dict[str, Any]:
        """What each player in the match has at the deal, if this table notes it."""
        world = self.world
        if world.game.borders or not self.chance(self.habits.tokens):
            return {}
        return {"tokens": {name: world.tokens[name] for name in world.playing()}}

    def shuffled(self) -> list[str]:
        """The cards of a deal: as they fall, with the special ones early, or so that the hand lasts long."""
        world, rng = self.world, self.rng
        deck = world.game.decks(len(world.chairs))
        cards = rng.sample(deck, len(deck))
        self.slow = rng.random() < 0.25
        if self.slow:
            weights = {card: "T49A235678JQK".index(card[0]) + rng.uniform(0, 3) for card in deck}
            return sorted(cards, key=lambda card: weights[card])
        if rng.random() < 0.3:
            early = {card for card in deck if card[0] in "49TK385" and rng.random() < 0.5}
            return sorted(cards, key=lambda card: card not in early)
        return cards

    def draw(self) -> None:
        """The draw after a play; a table that forgets draws may forget it."""
        world, habits = self.world, self.habits
        player = world.fresh
        assert player is not None
        if not self.can_draw():
            world.fresh, world.owing = None, []
        elif self.chance(habits.forget) and not self.must_keep_a_card(player):
            world.forget(player, self.chance(habits.noted))
        else:
            self.refill(player)

    def must_keep_a_card(self, player: str) -> bool:
        """In borders nothing says what becomes of a player without any card."""
        return self.world.game.borders and len(self.world.hands[player]) < 2

    def can_draw(self) -> bool:
        return bool(self.world.stock or self.world.to_shuffle())

    def refill(self, player: str) -> int:
        """Draws the top card, after the reshuffle it needs."""
        if not self.world.stock:
            self.world.reshuffle()
        return self.world.draw(player)

    def act(self) -> None:
        """`must-play`: who can play plays; who can't is out."""
        world = self.world
        player = world.turn
        if world.game.lost_draw == "own play" and player in world.owing and self.can_draw():
            self.refill(player)
            return
        moves = world.moves(player)
        if not moves:
            world.out(player, "no_play")
            return
        self.play(player, self.choice(moves))

    def play(self, player: str, move: Move, **changed: Any) -> int:
        """Plays, points at somebody where the card chooses who is next, and notes what the table notes."""
        world = self.world
        chosen = None
        if move.card[0] in world.game.chooses:
            chosen = self.rng.choice([name for name in world.chairs if name in world.inside and name != player])
        return world.play(player, move, chosen, **{**self.noted(move), **changed})

    def noted(self, move: Move) -> dict[str, Any]:
        """What is written of a play besides its card and its total."""
        world, habits = self.world, self.habits
        chosen = len(world.game.values.get(move.card[0], ())) > 1
        if self.chance(habits.unknown):
            return {"count": None}
        fields: dict[str, Any] = {}
        if move.value is not None and self.chance(habits.value if chosen else habits.plain_value):
            fields["value"] = move.value
        if self.chance(habits.unsaid):
            fields["count"] = None
            if chosen:
                fields["value"] = move.value
        if self.chance(habits.untold):
            fields["target"] = None
        return fields

    def choice(self, moves: list[Move]) -> Move:
        return self.rng.choices(moves, [self.weight(move) for move in moves])[0]

    def weight(self, move: Move) -> float:
        """Climbs fast, or slowly in a long hand; keeps what helps at 99; seldom chooses to lose."""
        world = self.world
        gain = move.total - world.total
        if self.slow:
            return 0.6 ** (gain + (40 if move.total > LIMIT else 0))
        if move.total > LIMIT:
            return 0.02 if world.game.over_loses else 1
        if move.total in world.game.exact and gain:
            return 6
        if world.total > 88:
            return 1 if gain >= 0 else 0.6
        return 4 if move.card[0] in world.game.sets else 1 + gain if gain >= 0 else 0.4

    # What may happen besides

    def aside(self) -> bool:
        """Perhaps one of the things that may stand here; True where something happened."""
        world, habits, phase = self.world, self.habits, self.world.phase()
        before = len(world.events)
        playing = phase in ("play", "draw")
        late = [name for name in world.owing if name != world.fresh]
        if playing and self.may_shuffle_early() and self.chance(habits.early_shuffle):
            world.reshuffle()
        elif playing and late and self.can_draw() and self.chance(habits.late):
            self.refill(self.rng.choice(late))
        elif playing and (world.plays > self.most_plays or self.chance(habits.void)):
            world.void(self.rng.choice(["endless", "the deck was short", "pizza came"]))
        elif phase == "play" and self.chance(habits.recount):
            world.log("count_corrected", count=world.total)
        elif phase in ("play", "draw", "deal") and self.chance(habits.leave):
            self.leave()
        elif world.marks is not None and phase != "over" and self.chance(habits.take_back):
            self.take_back()
        else:
            self.anywhere()
        return len(world.events) > before

    def may_shuffle_early(self) -> bool:
        """From the draw that empties the stock on (R2); a deal that leaves no stock is no draw."""
        world = self.world
        return not world.stock and bool(world.to_shuffle()) and world.plays > 2

    def anywhere(self) -> None:
        """Leisure hits and rulings may stand anywhere."""
        world, rng, habits = self.world, self.rng, self.habits
        if self.chance(habits.leisure):
            player = rng.choice([name for name in world.chairs if name not in world.left])
            world.log("leisure_hit", player=player, finished=rng.random() < 0.3)
        elif len(world.events) > 2 and self.chance(habits.ruling) and world.events[-1]["type"] != "taken_back":
            fields: Event = {"about": len(world.events), "by": rng.choice(world.chairs), "text": "it stands"}
            if rng.random() < 0.5:
                fields["rule"] = "turn-order"
            world.log("ruling_made", **fields)

    def may_leave(self) -> list[str]:
        """Who can leave so that nothing is left unclear: no pot would miss their tokens, no hand of borders ends."""
        world = self.world
        if world.game.pot or (world.game.borders and world.hand_on and len(world.inside) < 3):
            return []
        return [name for name in world.playing() if name != world.turn or not world.game.chooses]

    def leave(self) -> None:
        world = self.world
        names = self.may_leave()
        if names:
            name = self.rng.choice(names)
            world.leave(name)
            if world.hand_on and name in world.inside:
                world.out(name, "left")

    def take_back(self) -> None:
        """A few lines are undone (R14), none of them a leaving."""
        world = self.world
        assert world.marks is not None
        lines: list[int] = []
        for line in range(len(world.events), max(2, len(world.events) - 9), -1):
            event = world.events[line - 1]
            if (
                line not in world.marks
                or event["type"] in ("player_left", "taken_back")
                or event.get("reason") == "left"
            ):
                break
            if event["type"] not in ("leisure_hit", "ruling_made"):
                lines.append(line)
        if lines:
            world.take_back(self.rng.choice(lines), "player")


def named_game(game: str) -> Game:
    return GAMES[game] if game in GAMES else HOUSE_GAMES[game]


def opened_match(rng: Random, seats: int, game: str, rules: Any = None) -> World:
    """A table with that many seats, sometimes with a game id."""
    players = list(NAMES[:seats])
    if rng.random() < 0.5:
        rng.shuffle(players)
    opened = {"game": f"match-{rng.randrange(10**6)}"} if rng.random() < 0.2 else {}
    return World(named_game(game), players, rules, **opened)


def some_habits(rng: Random) -> Habits:
    """Each table has its own habits; not every table does everything."""
    return Habits(
        leave=0.004 if rng.random() < 0.25 else 0,
        void=0.004 if rng.random() < 0.3 else 0,
        take_back=0.02 if rng.random() < 0.25 else 0,
        early_shuffle=rng.choice([0, 0.2, 0.7]),
        forget=rng.choice([0, 0, 0.05, 0.3]),
        late=rng.choice([0, 0.3, 0.6]),
        noted=rng.choice([0, 0.3, 1]),
        value=rng.choice([0, 0.7, 1]),
        plain_value=rng.choice([0, 0, 0.3]),
        unsaid=rng.choice([0, 0, 0.2]),
        untold=rng.choice([0, 0.3]),
    )


def legal_match(
    seed: int,
    seats: int,
    game: str,
    *,
    rules: Any = None,
    hands: int = MOST_HANDS,
    forgetful: bool = True,
    unknown: bool = False,
) -> list[Event]:
    """A legal match with all cards logged, broken off after so many hands.

    Not `forgetful`: every draw comes at once. With `unknown`, totals are open at times.
    """
    rng = Random(f"match {seed} {seats} {game} {hands} {forgetful} {unknown}")
    world = opened_match(rng, seats, game, rules)
    habits = some_habits(rng)
    if not forgetful:
        habits = replace(habits, forget=0)
    host = Host(world, rng, replace(habits, unknown=rng.choice([0.1, 0.4])) if unknown else habits)
    if host.habits.take_back:
        world.marks = {}
    if rng.random() < 0.15:
        world.numbered = True
        world.events[0]["seq"] = 1
    while world.phase() != "over" and (world.hand_on or world.deals < hands):
        host.step()
    return ended(host)


def omitting(events: list[Event], types: Iterable[str]) -> list[Event]:
    """The log of a table that never writes these types; what was about a line left out is about the next one."""
    left_out = set(types)
    moved: dict[int, int] = {}
    made: list[Event] = []
    for line, event in enumerate(events, 1):
        if event["type"] in left_out:
            continue
        event = dict(event)
        if line == 1:
            event["omits"] = sorted(left_out)
        if "about" in event:
            about = next((now for was, now in moved.items() if was >= event["about"]), None)
            if about is None:
                continue  # all that it was about is left out
            event["about"] = about
        made.append(event)
        moved[line] = len(made)
        if "seq" in event:
            event["seq"] = len(made)
    return made


def ended(host: Host) -> list[Event]:
    """The log of a match that is over, or broken off: closed, cut anywhere, or just as it is."""
    world, rng = host.world, host.rng
    while host.world.phase() in ("lose", "knock"):
        host.step()
    if world.phase() == "over":
        for _ in range(rng.choice([0, 0, 3])):
            host.anywhere()
    if rng.random() < 0.1:
        return stopped(world.events, rng.randint(2, len(world.events)))
    if world.phase() in ("over", "deal") and rng.random() < 0.5:
        world.close()
    return world.events
