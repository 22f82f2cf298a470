"""Players that are programs: they play by the rules, do what they say, and see no more than their seat."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from legal_table import NAMES
from matches import BORDERS, CHIPS, PENNIES, ROLLING, TOKENS, fronts, match
from tables import Event, dealt, drew, findings_of, game, out, played

from bh99.bots import BOTS
from bh99.bots.simple import at_random, careful, greedy
from bh99.chance import Chance
from bh99.playing import LiveGame, begin_game
from bh99.rule_files import read_rules
from domain import commands as do
from domain import events as ev
from domain.commands import Choice
from domain.deciding import Bot, SelfPlay, Sight, choices, decide, follow, open_game
from domain.rule_sets import RuleSet
from domain.shuffling import Bits
from domain.table import Table

HOUSE_RULES = Path(__file__).parent.parent / "fixtures" / "house-rules"
BONG = "bong-hit-99"
HOUSE = [path.stem for path in sorted(HOUSE_RULES.iterdir())]
ALL = [BONG, TOKENS, CHIPS, PENNIES, f"{PENNIES}+four-again", ROLLING, BORDERS, *HOUSE]


class Memory:
    """Keeps a game for as long as the test lasts."""

    def __init__(self) -> None:
        self.name = "a test"
        self.game: str | None = None
        self.notes: list[str] = []
        self.kept: list[Event] = []

    def events(self) -> list[Event]:
        return self.kept.copy()

    def add(self, events: Sequence[Event]) -> None:
        self.kept += events

    def close(self) -> None:
        pass


def noon() -> datetime:
    return datetime(2026, 5, 4, 12, tzinfo=UTC)


def rules_for(name: str) -> RuleSet:
    return read_rules(str(HOUSE_RULES / f"{name}.toml") if name in HOUSE else name)


def live(name: str, seats: int, bots: Sequence[str], seed: int = 1) -> LiveGame:
    """A game of bots only, seat by seat."""
    players = NAMES[:seats]
    sitting = {player: bots[seat % len(bots)] for seat, player in enumerate(players)}
    return begin_game(Memory(), rules_for(name), players, sitting, Chance.seeded(seed), noon)


def played_on(game: LiveGame, steps: int) -> list[Event]:
    """The log of a game that goes on by itself for a while."""
    for _ in range(steps):
        if game.over:
            break
        if game.between_hands:
            game.deal()
        else:
            assert game.bot_goes_on()
    return game.events


# ---- all of them ----


def never_cheating(bot: Bot, asked: Counter[str]) -> Bot:
    """The same bot; what it returns must be one of its choices."""

    def watched(sight: Sight, choices: Sequence[Choice], bits: Bits) -> Choice:
        before = sight.table().key()
        choice = bot(sight, choices, bits)
        assert choice in choices
        assert sight.table().key() == before
        asked[type(choice).__name__] += 1
        return choice

    return watched


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", ALL)
def test_bots_return_one_of_their_choices(name: str, bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[str] = Counter()
    monkeypatch.setitem(BOTS, bot, never_cheating(BOTS[bot], asked))
    for seats in (2, 3, 6):
        assert findings_of(played_on(live(name, seats, [bot]), 120)) == []
    assert asked["PlayCard"] > 60


@pytest.mark.parametrize("name", ALL)
def test_bots_of_all_kinds_play_together(name: str) -> None:
    log = played_on(live(name, 4, list(BOTS)), 200)
    assert findings_of(log) == []
    assert log == played_on(live(name, 4, list(BOTS)), 200)


# ---- by themselves ----


def played_alone(name: str, seats: int, bots: Sequence[str], hands: int, seed: int = 1) -> list[Event]:
    """The log of a game in which every seat plays by itself."""
    players = NAMES[:seats]
    opened = open_game(rules_for(name), players, lambda: None)
    sitting = {player: BOTS[bots[seat % len(bots)]] for seat, player in enumerate(players)}
    play = SelfPlay(Table(opened), sitting, Chance.seeded(seed).bits)
    log: list[Event] = [opened]
    for _ in range(hands):
        log += [play.deal(), *play.play_hand()]
        if play.table.awaiting == "over":
            break
    return log


@pytest.mark.parametrize("name", ALL)
def test_a_game_at_a_stroke_is_the_game_move_by_move(name: str) -> None:
    for seats in (2, 3, 5):
        for seed in range(3):
            bots = [list(BOTS)[(seed + seat) % len(BOTS)] for seat in range(seats)]
            log = played_alone(name, seats, bots, 4, seed)
            game = live(name, seats, bots, seed)
            while len(game.events) < len(log):
                if game.between_hands:
                    game.deal()
                else:
                    assert game.bot_goes_on()
            slow = [msgspec.structs.replace(event, at=None) for event in game.events]
            assert slow[1:] == log[1:]
            assert findings_of(log) == []


def test_bots_are_asked_only_for_seats_of_theirs() -> None:
    players = ["Ana", "Ben"]
    game = begin_game(Memory(), rules_for(BONG), players, {"Ben": "greedy"}, Chance.seeded(1), noon)
    assert (game.bots, game.bot_goes_on()) == ({"Ben": "greedy"}, [])
    game.deal()
    assert (game.waits_for, game.bot_goes_on()) == ("Ana", [])
    game.do(game.choices("Ana")[0])
    assert game.waits_for == "Ben"
    [play, *_] = game.bot_goes_on()
    assert isinstance(play, ev.CardPlayed)
    assert play.player == "Ben"


# ---- small positions ----


def at(log: Sequence[Event], count: int = 0) -> Table:
    """The table after a log of the service, at that Count."""
    opened = log[0]
    assert isinstance(opened, ev.GameOpened)
    table = Table(msgspec.structs.replace(opened, source="service"))
    follow(table, log[1:])
    table.at = table.counts[count]
    return table


def bong(hand: str, count: int = 0) -> Table:
    return at(game("Ana Ben", dealt("Ben", "8h", Ana=hand, Ben="3h 4h 6h 7h")), count)


def family(rules: str, hand: str, count: int = 0) -> Table:
    return at(match(rules, "Ana Ben", fronts("Ben", Ana=hand, Ben="3s 6s 7s")), count)


def chosen(bot: Bot, table: Table, player: str = "Ana") -> Counter[Any]:
    """What a bot chooses in one position with all kinds of chance: cards with Counts, or the names of commands."""
    found = [bot(Sight(table, player), choices(table, player), Chance.seeded(seed).bits) for seed in range(40)]
    return Counter(
        (choice.card, choice.count) if isinstance(choice, do.PlayCard) else (type(choice).__name__, choice.prize)
        for choice in found
    )


def test_random_chooses_anything() -> None:
    assert set(chosen(at_random, bong("Kh 2d 4d 5d"))) == {("Kh", 99), ("2d", 2), ("4d", 4), ("5d", 5)}


def test_greedy_makes_the_count_highest() -> None:
    assert set(chosen(greedy, bong("Kh 2d 4d 5d"))) == {("Kh", 99)}
    assert set(chosen(greedy, bong("3h 2d 4d 5d", 93))) == {("5d", 98)}
    assert set(chosen(greedy, family(PENNIES, "Ah 5d Td"))) == {("Ah", 11)}


def test_greedy_tosses_for_what_is_as_high() -> None:
    assert set(chosen(greedy, bong("Jh Qd 4d 5d"))) == {("Jh", 10), ("Qd", 10)}


def test_greedy_does_not_lose_by_it() -> None:
    assert set(chosen(greedy, family(TOKENS, "5h 3h 8h", 95))) == {("3h", 98)}
    assert set(chosen(greedy, family(TOKENS, "5h 6h 8h", 98))) == {("8h", 106)}  # whatever it plays


def test_careful_keeps_what_helps_at_the_limit() -> None:
    assert set(chosen(careful, bong("Kh 2d 4d 5d"))) == {("5d", 5)}
    assert set(chosen(careful, bong("Kh 2d 9d Td"))) == {("Kh", 99)}  # all of it helps
    assert set(chosen(careful, bong("Kh 8d 4d 5d", 95))) == {("4d", 99)}
    assert set(chosen(careful, family(PENNIES, "4h 9d 5d"))) == {("5d", 5)}


def test_careful_avoids_what_costs_tokens() -> None:
    assert set(chosen(careful, family(BORDERS, "5h 2h 6d", 30))) == {("2h", 32)}
    assert set(chosen(greedy, family(BORDERS, "5h 2h 6d", 30))) == {("6d", 36)}
    assert set(chosen(careful, family(TOKENS, "4h Kd 5d", 95))) == {("Kd", 99)}


def test_within_never_goes_over_without_need() -> None:
    assert set(chosen(BOTS["within"], family(TOKENS, "5h 3h 8h", 95))) == {("3h", 98)}
    assert set(chosen(BOTS["within"], family(TOKENS, "5h 6h 8h", 98))) == {("5h", 103), ("6h", 104), ("8h", 106)}


def test_saving_keeps_what_helps_at_the_limit() -> None:
    assert set(chosen(BOTS["saving"], bong("Kh 9d 4d Qs"))) == {("4d", 4)}
    assert set(chosen(BOTS["saving"], bong("Kh 9d Td Qs"))) == {("Kh", 99), ("9d", 9), ("Td", 10), ("Qs", 10)}
    assert set(chosen(BOTS["saving"], family(PENNIES, "4h Kd 5d", 60))) == {("5d", 65)}


def test_clubs_kept_plays_the_ace_of_clubs_last() -> None:
    assert set(chosen(BOTS["clubs-kept"], bong("Ac 4d 5d Jh", 95))) == {("4d", 99)}
    assert set(chosen(BOTS["clubs-kept"], bong("Ac 5d 6d Jh", 98))) == {("Ac", 99)}


def test_smoking_out_lowers_the_count_while_somebody_may_hold_the_ace_of_clubs() -> None:
    assert set(chosen(BOTS["smoking-out"], bong("Td 9d 2d Kh", 99))) == {("Td", 89)}
    assert len(set(chosen(BOTS["smoking-out"], bong("Td 9d 2d Ac", 99)))) == 3, "it has the ace itself"
    assert len(set(chosen(BOTS["smoking-out"], bong("Td 4d 2d Kh", 50)))) == 4, "not at the limit"


def test_death_card_waits_until_its_shield_is_gone() -> None:
    assert "Qs" not in {card for card, _ in chosen(BOTS["death-card"], bong("Qs 9d 2d Kh", 99))}
    assert set(chosen(BOTS["death-card"], bong("Qs 9d Ad Kh", 99))) == {("Qs", 99)}
    assert "Qs" not in {card for card, _ in chosen(BOTS["death-card"], bong("Qs 9d Ad Kh", 50))}
    table = bong("Qs 9d 2d Kh", 99)
    table.pile.append("Ad")
    assert set(chosen(BOTS["death-card"], table)) == {("Qs", 99)}


def test_tens_kept_between_two_stays_at_the_limit() -> None:
    assert set(chosen(BOTS["tens-kept"], bong("Td 9d 4d Kh", 99))) == {("9d", 99), ("Kh", 99)}
    three = at(game("Ana Ben Cy", dealt("Cy", "8h", Ana="Td 9d 4d 6d", Ben="3h 4h 6h 7h", Cy="3s 4s 6s 7s")), 99)
    assert set(chosen(BOTS["tens-kept"], three)) == {("9d", 99), ("Td", 89)}


def test_every_tip_at_once() -> None:
    assert set(chosen(BOTS["every-tip"], bong("Ac Kh 4d 8d"))) == {("8d", 8)}
    assert set(chosen(BOTS["every-tip"], bong("Ac Qs 4d Ad", 99))) == {("Qs", 99)}


def test_counting_plays_for_what_others_can_not_hold() -> None:
    """At 97 only aces, 2s and Kings can be played; at 94 and 96 more cards can."""
    assert set(chosen(BOTS["counting"], bong("4d 2h Jd 5c", 92))) == {("5c", 97)}
    assert set(chosen(BOTS["counting"], bong("Qs 9d 2d Ad", 99))) == {("Qs", 99)}, "nobody can have the shield"


def test_counting_knows_what_who_went_out_can_not_hold() -> None:
    """Cy went out at 99: the special cards are with Ben, or in the stock, and with Ben the likelier for that."""
    from bh99.bots.counting import _chances

    log = game("Ana Ben Cy", dealt("Cy", "8h", Ana="Kh 9d 4d 6d", Ben="3h 4h 6h 7h", Cy="3s 4s 6s 7s"))
    table = at([*log, played("Ana", "Kh", 99), drew("Ana", "8h"), out("Ben")])
    chance = _chances(Sight(table, "Ana").table())
    assert chance("Ben", "Kd") == 0
    assert chance("Cy", "Kd") > chance("Cy", "5d") > 0
    assert chance("Cy", "Kh") == 0


def after_the_win(hand: str) -> Table:
    """Ana has won with that hand."""
    table = bong(hand)
    chance = Chance.seeded(1)
    follow(table, decide(table, do.PlayCard(player="Ana", card="Kh"), chance.shuffle, lambda: None))
    assert table.winner == "Ana"
    return table


@pytest.mark.parametrize("bot", [greedy, careful])
def test_bots_take_every_hit(bot: Bot) -> None:
    assert set(chosen(bot, after_the_win("Kh 2d 4d 5d"))) == {("TakeHits", "main")}


def first_choice(table: Table, prize: str) -> Sequence[Choice]:
    """The first thing that may become of a prize."""
    found: list[Choice] = [
        one for one in choices(table, "Ana") if not isinstance(one, do.PlayCard) and one.prize == prize
    ]
    return found[:1]


def test_bots_take_a_bonus_or_give_it_away() -> None:
    """What they hold of the main prize they take all the same."""
    table = after_the_win("Kh Ac 4d 5d")
    assert set(chosen(greedy, table)) == {("TakeHits", "main")}
    assert set(chosen(careful, table)) == {("GiveHits", "bonus")}
    for command in first_choice(table, "bonus"):
        follow(table, decide(table, command, Chance.seeded(1).shuffle, lambda: None))
    assert set(chosen(careful, table)) == {("TakeHits", "main")}
