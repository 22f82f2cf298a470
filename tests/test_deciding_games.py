"""Games that are decided, of every rule set and every number of seats: whatever is played, the log is in order.

The fold that looks after the cards is written from the rulebook alone.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import msgspec
import pytest
from legal_table import NAMES, count_after
from match_table import BORDERED, FIVE, GAMES, HOUSE_GAMES, PENNIES, Game, option
from tables import Event, findings_of

from bh99.bots import BOTS
from bh99.chance import Chance
from bh99.log_reading import event_or_none
from bh99.rule_files import read_rules
from domain import commands as do
from domain import events as ev
from domain.cards import DECK, Card, SeenCard
from domain.deciding import Refused, Sight, as_seen_from, choices, decide, follow, forced, open_game
from domain.deciding.decide import allowed
from domain.referee import expected
from domain.rule_sets import RuleSet
from domain.shipped_rules import OPTIONS, rules_named
from domain.table import Table

HOUSE_RULES = Path(__file__).parent.parent / "fixtures" / "house-rules"
BONG, MOST_SEATS, COMMANDS, HANDS = "bong-hit-99", 14, 150, 4
BORDERS_GAME = option(PENNIES, "borders", borders=True, turns="8", sets={}, values={**PENNIES.values, **BORDERED})
MORE_GAMES = [
    option(PENNIES, "five-cards+four-again", four_again=True, **FIVE),
    option(PENNIES, "five-cards+rolling+four-again", four_again=True, rolling=True, **FIVE),
    replace(BORDERS_GAME, name="ninety-nine-pennies+five-cards+borders", hand_size=5),
    replace(BORDERS_GAME, name="ninety-nine-pennies+rolling+borders", rolling=True),
    replace(BORDERS_GAME, name="ninety-nine-pennies+four-again+borders", four_again=True),
    replace(
        BORDERS_GAME,
        name="ninety-nine-pennies+five-cards+rolling+four-again+borders",
        hand_size=5,
        rolling=True,
        four_again=True,
    ),
]
KINDS: dict[str, Game] = {**GAMES, **HOUSE_GAMES, **{game.name: game for game in MORE_GAMES}}
PLAYED = [BONG, *KINDS]
FEW = [BONG, "ninety-nine-tokens", "ninety-nine-chips", "ninety-nine-pennies+rolling", BORDERS_GAME.name, *HOUSE_GAMES]


@functools.cache
def rules_for(name: str) -> RuleSet:
    return read_rules(str(HOUSE_RULES / f"{name}.toml")) if name in HOUSE_GAMES else rules_named(name)


def seats_of(name: str) -> range:
    """From two to the most that the decks serve."""
    if name == BONG:
        return range(2, 14)
    game = KINDS[name]
    return range(2, min(MOST_SEATS, len(game.decks(MOST_SEATS)) // game.hand_size) + 1)


def no_time() -> None:
    return None


# ---- an evening of random commands ----


@dataclass
class Evening:
    """A game that goes on by what `dice` ask for; `look` is shown the table before each command."""

    name: str
    seats: int
    seed: int
    look: Callable[["Evening"], None] = lambda evening: None
    log: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = Random(f"{self.name} {self.seats} {self.seed}")
        self.chance = Chance.seeded(self.seed)
        opened = open_game(rules_for(self.name), NAMES[: self.seats], no_time)
        self.log.append(opened)
        self.table = Table(opened)

    def ask(self, command: do.AnyCommand) -> None:
        events = decide(self.table, command, self.chance.shuffle, no_time)
        follow(self.table, events)
        self.log += events

    def play(self, commands: int = COMMANDS, hands: int = HANDS) -> "Evening":
        for _ in range(commands):
            if self.table.awaiting == "over" or (self.table.hand == hands and self.table.awaiting == "deal"):
                break
            self.look(self)
            self.ask(self.next_command())
            if self.table.awaiting == "deal" and len(self.table.seats) < 2:
                break
        if self.dice.random() < 0.5 and self.table.awaiting in ("deal", "play", "over"):
            self.ask(do.CloseGame())
        return self

    def next_command(self) -> do.AnyCommand:
        mine = [choice for player in self.table.seats for choice in choices(self.table, player)]
        if self.dice.random() < (0.3 if self.table.awaiting == "deal" else 0.08):
            aside = self._aside()
            if aside is not None:
                return aside
        return self.dice.choice(mine) if mine else do.Deal()

    def _aside(self) -> do.AnyCommand | None:
        """Something that isn't asked for, but may come; None if what came up may not."""
        table, dice = self.table, self.dice
        somebody = dice.choice(table.seats)
        match dice.choice(["smoke", "smoke", "load", "load", "rule", "show", "show", "join", "leave", "void"]):
            case "smoke":
                return do.SmokeLeisure(player=somebody, finished=dice.random() < 0.3)
            case "load":
                return do.LoadBong(player=table.loader or somebody)
            case "rule":
                return do.Rule(about=dice.randint(1, table.line), by=somebody, text="so be it")
            case "show" if table.awaiting == "prize" or somebody in table.next_in:
                held = [card for card in table.cards_of(somebody) if card is not None] if table.hands else []
                return do.ShowCards(player=somebody, cards=held[: dice.randint(1, 2)]) if held else None
            case "join" if table.awaiting == "deal" and not table.rules.tokens and len(table.seats) < 13:
                new = next(name for name in NAMES if name not in table.seats)
                return do.JoinTable(player=new, seat=dice.choice([None, 0, 1]))
            case "leave" if len(table.seats) > 2 and dice.random() < 0.5:
                return do.LeaveTable(player=somebody)
            case "void" if table.next_in and table.awaiting == "play" and dice.random() < 0.3:
                return do.VoidHand(reason="late")
        return None


@functools.cache
def evening(name: str, seats: int, seed: int = 1) -> Evening:
    return Evening(name, seats, seed).play()


# ---- the cards, by the rulebook alone ----


class CardsOf(NamedTuple):
    """What the rulebook says of the cards of a game."""

    deck: Counter[str]
    hand_size: int
    keeps_last: bool
    rolling: bool


def cards_of(name: str, seats: int) -> CardsOf:
    if name == BONG:
        return CardsOf(Counter(map(str, DECK)), 4, False, False)
    game = KINDS[name]
    return CardsOf(Counter(game.decks(seats)), game.hand_size, game.keeps_last, game.rolling)


def totals(name: str, card: str, total: int) -> list[int]:
    """What a card may make of a total."""
    if name == BONG:
        after = count_after(card, total)
        return [] if after is None else [after]
    return [move.total for move in KINDS[name].allowed(card, total)]


@dataclass
class Places:
    """Where each card of a hand is, and the total; it stops at the first thing that can't be."""

    name: str
    kind: CardsOf
    hands: dict[str, list[str]] = field(default_factory=dict)
    stock: list[str] = field(default_factory=list)
    pile: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    total: int = 0
    owes: str | None = None

    def follow(self, event: dict[str, Any]) -> None:
        step = getattr(self, f"on_{event['type']}", None)
        if step is not None:
            step(**{key: value for key, value in event.items() if key != "type"})
            if self.hands:
                self.check()

    def check(self) -> None:
        """Each card in one place, and everybody with a whole hand but for who has to draw."""
        lying = Counter([*self.stock, *self.pile, *self.aside])
        for player, hand in self.hands.items():
            lying.update(hand)
            assert len(hand) == self.kind.hand_size - (player == self.owes)
        assert lying == self.kind.deck

    def on_hand_dealt(self, dealer: str, hands: dict[str, list[str]], stock: list[str] = []) -> None:  # noqa: B006
        assert dealer in hands
        self.hands, self.stock = {name: list(hand) for name, hand in hands.items()}, list(stock)
        self.pile, self.aside, self.total, self.owes = [], [], 0, None

    def on_card_played(
        self, player: str, card: str, count: int, target: str | None = None, value: int | None = None
    ) -> None:
        assert self.owes is None
        answer = card == "Ad" and count == self.total == 99 and self.name == BONG
        assert answer or count in totals(self.name, card, self.total)
        assert value is None or self.total + value == count
        assert target is None or (target in self.hands and target != player)
        self.hands[player].remove(card)
        self.pile.append(card)
        self.total = count
        ended = count > 99
        self.owes = None if ended else player
        if ended:
            self.hands = {}

    def on_card_drawn(self, player: str, card: str) -> None:
        assert (player, card) == (self.owes, self.stock[0])
        self.hands[player].append(self.stock.pop(0))
        self.owes = None

    def on_pile_reshuffled(self, stock: list[str]) -> None:
        staying = self.pile[-1:] if self.kind.keeps_last else []
        assert not self.stock
        assert self.owes is not None
        assert Counter([*stock, *staying]) == Counter([*self.pile, *self.aside])
        self.stock, self.pile, self.aside = list(stock), staying, []

    def on_player_eliminated(self, player: str, reason: str) -> None:
        if reason == "no_play":
            assert not [card for card in self.hands[player] if totals(self.name, card, self.total)]
        if reason == "left" and self.owes == player:
            self.hands = {}  # a draw that fell away: what follows has one card less in that hand
        if self.kind.rolling and reason == "no_play":
            self.aside, self.pile, self.total = self.aside + self.pile, [], 0

    def on_cards_shown(self, player: str, cards: list[str]) -> None:
        if self.hands:
            assert not Counter(cards) - Counter(self.hands[player])

    def on_hand_voided(self, reason: str) -> None:
        self.hands, self.owes = {}, None


def as_objects(log: list[Event]) -> list[dict[str, Any]]:
    return [cast("dict[str, Any]", msgspec.to_builtins(event)) for event in log]


def lines_of(log: list[Event]) -> list[bytes]:
    return [msgspec.json.encode(event) for event in log]


# ---- legal games ----

ALL = [(name, seats) for name in PLAYED for seats in seats_of(name)]


def test_every_option_of_every_set_is_played_alone_and_with_all_others() -> None:
    for name, known in OPTIONS.items():
        for wanted in [[], *([one] for one in known), list(known)]:
            assert "+".join([name, *wanted]) in PLAYED


@pytest.mark.parametrize(("name", "seats"), ALL)
def test_decided_games_are_in_order(name: str, seats: int) -> None:
    """The audit has nothing to say, each card is where it should be, and each line reads back as it was."""
    log = evening(name, seats).log
    assert findings_of(log) == []
    places = Places(name, cards_of(name, seats))
    for written in as_objects(log):
        places.follow(written)
    read = [event for line in lines_of(log) if (event := event_or_none(line)) is not None]
    assert (lines_of(read), read[1:]) == (lines_of(log), log[1:])


@pytest.mark.parametrize("name", PLAYED)
def test_decided_games_are_the_same_from_the_same_seed(name: str) -> None:
    for seats in (2, 5):
        assert lines_of(Evening(name, seats, 1).play().log) == lines_of(evening(name, seats).log)
    assert lines_of(Evening(name, 5, 2).play().log) != lines_of(evening(name, 5).log)


@pytest.mark.parametrize("seats", range(2, 8))
def test_decided_hands_are_in_order_to_their_end(seats: int) -> None:
    """Bong Hit 99 takes its time: these are played until some hands are won and their hits settled."""
    for seed in range(10, 14):
        log = Evening(BONG, seats, seed).play(commands=400, hands=3).log
        assert (seed, findings_of(log)) == (seed, [])
        places = Places(BONG, cards_of(BONG, seats))
        for event in as_objects(log):
            places.follow(event)


def test_decided_games_show_what_can_happen() -> None:
    """Each type of event that deciding knows comes up, and each reason for going out and for losing tokens."""
    seen: Counter[str] = Counter()
    logs = [evening(name, seats).log for name, seats in ALL]
    logs += [Evening(BONG, seats, seed).play(400, 3).log for seats in (2, 3, 4) for seed in range(10, 14)]
    for log in logs:
        for event in as_objects(log):
            seen.update([event["type"], event.get("reason", "")])
    for type_ in ("match_won", "player_knocked_out", "pile_reshuffled", "hand_voided", "player_joined", "hit_slid"):
        assert seen[type_] > 2, type_
    for type_ in ("hit_stolen", "bonus_created", "hit_taken", "hit_carried", "hit_donated", "cards_shown"):
        assert seen[type_] > 2, type_
    for reason in ("left", "no_play", "death_card", "blowback", "border", "exact", "hand_lost"):
        assert seen[reason] > 2, reason


# ---- what may be chosen, and what may not ----


def decided(table: Table, command: do.AnyCommand) -> list[Event] | Refused:
    """What comes of a command; whichever it is, the table is as it was."""
    before, line = table.key(), table.line
    try:
        return decide(table, command, Chance.seeded(3).shuffle, no_time)
    except Refused as refused:
        return refused
    finally:
        assert (table.key(), table.line) == (before, line)


def now_and_then(look: Callable[[Evening], None], share: float) -> Callable[[Evening], None]:
    """Looks at some of the tables of an evening only."""

    def sometimes(evening: Evening) -> None:
        if Random(f"{evening.seed} {evening.table.line}").random() < share:
            look(evening)

    return sometimes


def any_command(dice: Random, table: Table) -> do.AnyCommand:
    """Something that somebody may say, mostly at the wrong time."""
    who, other = dice.choice([*table.seats, "Zoe"]), dice.choice([*table.seats, "Zoe"])
    prize: Any = dice.choice(["main", "bonus"])
    hits = dice.choice([None, 0, 1, 2, 7])
    cards = dice.sample(DECK, dice.randint(1, 3))
    commands: list[do.AnyCommand] = [
        do.Deal(dealer=dice.choice([None, who])),
        do.PlayCard(player=who, card=cards[0], count=dice.choice([None, table.count, 99]), target=other),
        do.TakeHits(player=who, prize=prize, hits=hits),
        do.LeaveHits(player=who, prize=prize, hits=hits),
        do.GiveHits(player=who, to=other, prize=prize, hits=hits),
        do.ShowCards(player=who, cards=cards),
        do.SmokeLeisure(player=who),
        do.LoadBong(player=who),
        do.JoinTable(player=who),
        do.LeaveTable(player=who),
        do.VoidHand(reason="why not"),
        do.Rule(about=dice.randint(1, table.line + 9), by=who, text="no"),
        do.CloseGame(),
    ]
    assert {type(command) for command in commands} == set(do.COMMAND_TYPES.values())
    return dice.choice(commands)


@pytest.mark.parametrize("name", PLAYED)
def test_a_command_that_is_refused_changes_nothing(name: str) -> None:
    refused: Counter[str] = Counter()

    def look(evening: Evening) -> None:
        dice = Random(evening.table.line)
        for _ in range(6):
            command = any_command(dice, evening.table)
            what = decided(evening.table, command)
            if isinstance(what, Refused):
                refused[type(command).__name__] += 1
                assert what.message

    for seats in (2, 4):
        assert lines_of(Evening(name, seats, 1, look).play().log) == lines_of(evening(name, seats).log)
    assert len(refused) >= 8


def calls(table: Table, card: Card) -> Iterator[int | None]:
    """What may be said with a card, rightly or wrongly: of another's card what it would make, of one's own anything."""
    yield None
    count = table.count or 0
    held = table.to_act is not None and card in table.hands[table.to_act]
    yield from range(count - 21, count + 22) if held else (table.at.totals(card) or (count,))
    if held:
        yield from (total for total in (0, 89, 99) if abs(total - count) > 21)


def only_what_is_listed(evening: Evening) -> None:
    """Each choice is accepted, and no play that isn't listed, whatever the card, the total and the target."""
    table, player = evening.table, evening.table.to_act
    for seat in table.seats:
        for choice in choices(table, seat):
            assert not isinstance(decided(table, choice), Refused)
    if table.awaiting != "play" or player is None:
        return
    mine = [choice for choice in choices(table, player) if isinstance(choice, do.PlayCard)]
    listed = {(choice.card, choice.count, choice.target) for choice in mine}
    assert listed
    accepted = set()
    for card in DECK:
        said: list[tuple[int | None, str | None]] = [(count, None) for count in calls(table, card)]
        said += [(count, target) for count in (table.at.totals(card) or (99,)) for target in table.seats]
        for count, target in said:
            what = decided(table, do.PlayCard(player=player, card=card, count=count, target=target))
            if not isinstance(what, Refused):
                play = what[0]
                assert isinstance(play, ev.CardPlayed)
                accepted.add((play.card, play.count, play.target))
    assert accepted == listed


@pytest.mark.parametrize("name", PLAYED)
def test_choices_are_what_is_accepted(name: str) -> None:
    looked = 0

    def look(evening: Evening) -> None:
        nonlocal looked
        looked += 1
        only_what_is_listed(evening)

    for seats in (2, 4):
        Evening(name, seats, 3, now_and_then(look, 0.025)).play()
    assert looked > 1


# ---- what a seat sees ----


def dealt_anew(table: Table, seat: str | None, dice: Random) -> Table:
    """A table that a seat can't tell from this one: the cards that it doesn't know lie elsewhere."""
    twin = table.copy()
    others = [player for player in twin.hands if player != seat]
    open_cards = {player: {card: 1 for card in twin.hands[player] if (player, card) in twin.shown} for player in others}
    hidden: list[SeenCard] = [
        *twin.stock,
        *(one for player in others for one in (Counter(twin.hands[player]) - Counter(open_cards[player])).elements()),
    ]
    dice.shuffle(hidden)
    for player in others:
        hand = list(open_cards[player])
        hand += [cast("Card", hidden.pop()) for _ in range(table.size_of(player) - len(hand))]
        dice.shuffle(hand)
        twin.hands[player] = dict(Counter(hand))
    twin.stock = hidden
    return twin


def assert_seen_alike(table: Table, twin: Table, seat: str) -> None:
    one, two = as_seen_from(table, seat), as_seen_from(twin, seat)
    assert one.key() == two.key()
    assert expected(one) == expected(two)
    assert list(one.unplaced.items()) == list(two.unplaced.items())
    assert [list(hand.items()) for hand in one.hands.values()] == [list(hand.items()) for hand in two.hands.values()]
    assert choices(one, seat) == choices(two, seat) == choices(table, seat)
    for bot in BOTS.values() if choices(one, seat) else ():
        sights = (Sight(table, seat), Sight(twin, seat))
        chosen = [bot(sight, choices(one, seat), Random(5).getrandbits) for sight in sights]
        assert chosen[0] == chosen[1]


def assert_nothing_is_told(table: Table, seat: str) -> None:
    """Of the stock and of other hands a view tells no more than what was shown."""
    view = as_seen_from(table, seat)
    assert view.stock == [None] * len(table.stock)
    for player, hand in view.hands.items():
        assert player == seat or all((player, card) in table.shown for card in hand)
        assert view.size_of(player) == table.size_of(player)
    whole = Counter(view.unplaced)
    for hand in view.hands.values():
        whole.update(hand)
    whole.update(card for card in [*view.pile, *view.aside] if card is not None)
    assert not table.hands or whole == Counter(table.deck)


@pytest.mark.parametrize("name", PLAYED)
def test_as_seen_from_a_seat_the_hidden_cards_make_no_difference(name: str) -> None:
    looked = 0

    def look(evening: Evening) -> None:
        nonlocal looked
        for seat in evening.table.seats:
            twin = dealt_anew(evening.table, seat, Random(evening.table.line))
            looked += twin.key() != evening.table.key()
            assert_seen_alike(evening.table, twin, seat)
            assert_nothing_is_told(evening.table, seat)

    for seats in (2, 3, 6):
        Evening(name, seats, 4, now_and_then(look, 0.15)).play()
    assert looked > 20


def answer(table: Table, command: do.AnyCommand) -> tuple[Any, ...] | None:
    """What a player is told who is refused."""
    what = decided(table, command)
    return (what.rule, what.message, what.allowed) if isinstance(what, Refused) else None


def may_be_asked(table: Table, seat: str, dice: Random) -> Iterator[do.AnyCommand]:
    for card in dice.sample(DECK, 16):
        yield do.PlayCard(player=seat, card=card, count=dice.choice([None, table.count, 99]))
    yield from (do.ShowCards(player=seat, cards=dice.sample(DECK, 2)) for _ in range(4))
    yield from (any_command(dice, table) for _ in range(6))


@pytest.mark.parametrize("name", PLAYED)
def test_refusals_tell_a_player_nothing_of_hidden_cards(name: str) -> None:
    looked = 0

    def look(evening: Evening) -> None:
        nonlocal looked
        table, dice = evening.table, Random(evening.table.line)
        seat = dice.choice(table.seats)
        twin = dealt_anew(table, seat, dice)
        if forced(twin, None) is not None:
            return  # it would have gone on by itself
        looked += 1
        for command in may_be_asked(table, seat, dice):
            if getattr(command, "player", seat) == seat:
                assert answer(table, command) == answer(twin, command)

    for seats in (2, 3, 6):
        Evening(name, seats, 5, now_and_then(look, 0.12)).play()
    assert looked > 4


def test_what_is_allowed_is_told_to_the_table_as_everybody_sees_it() -> None:
    """A command that no player makes is answered with what everybody may know."""
    table = evening(BONG, 3).table
    for command in (do.Deal(), do.VoidHand(reason="late"), do.CloseGame()):
        assert allowed(table, command) == expected(as_seen_from(table, None))
