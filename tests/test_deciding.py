"""Deciding: what a command becomes, what then follows by itself, and what is refused."""

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from matches import BORDERS, CHIPS, PENNIES, ROLLING, TOKENS, champion, fronts, gone, lost, match, paid
from tables import (
    Event,
    bonus,
    carried,
    closed,
    dealt,
    drew,
    flat,
    game,
    gave,
    joined,
    left,
    leisure,
    loaded,
    out,
    played,
    reshuffled,
    ruling,
    shown,
    slid,
    stole,
    took,
    voided,
    won,
)

from bh99.chance import Chance
from bh99.rule_files import read_rules
from domain import commands as do
from domain import events as ev
from domain.cards import DECK, Card
from domain.deciding import (
    LONGEST_HAND,
    Refused,
    as_seen_from,
    choices,
    decide,
    follow,
    forced,
    open_game,
    settle,
)
from domain.referee import expected
from domain.shipped_rules import reference_to, rules_from, rules_named
from domain.shuffling import SomeCard
from domain.table import Table

HOUSE_RULES = Path(__file__).parent.parent / "fixtures" / "house-rules"
AB, ABC, ABCD = "Ana Ben", "Ana Ben Cy", "Ana Ben Cy Dee"
THIRTEEN = "A B C D E F G H I J K L M"
NOON = datetime.datetime(2026, 5, 4, 12, tzinfo=datetime.UTC)


def as_they_lie(cards: Any) -> list[SomeCard]:
    """A shuffle that leaves the cards as they are."""
    return list(cards)


def no_time() -> None:
    return None


def after(log: Sequence[Event]) -> Table:
    """The table after a log of the service."""
    opened = log[0]
    assert isinstance(opened, ev.GameOpened)
    table = Table(msgspec.structs.replace(opened, source="service"))
    follow(table, log[1:])
    return table


def deciding(table: Table, command: do.AnyCommand) -> list[Event]:
    """What comes of a command; the table is as it was."""
    before, line = table.key(), table.line
    events = decide(table, command, as_they_lie, no_time)
    assert (table.key(), table.line) == (before, line)
    return events


def done(table: Table, *commands: do.AnyCommand) -> list[Event]:
    """What comes of the last of these commands, which are carried out."""
    events: list[Event] = []
    for command in commands:
        events = deciding(table, command)
        follow(table, events)
    return events


def put(text: str) -> do.PlayCard:
    """A play as it is asked for: `Ana Kh`, `Ana Ah 11`, `Ana 5h Cy`."""
    player, card, *more = text.split()
    count = next((int(one) for one in more if one.lstrip("-").isdecimal()), None)
    target = next((one for one in more if one.isalpha()), None)
    return do.PlayCard(player=player, card=msgspec.convert(card, Card), count=count, target=target)


def plays(table: Table, *texts: str) -> list[Event]:
    """What comes of the last of these plays, which are carried out."""
    return done(table, *map(put, texts))


def refused(table: Table, command: do.AnyCommand) -> Refused:
    """Why a command is refused; nothing has changed."""
    before, line = table.key(), table.line
    with pytest.raises(Refused) as caught:
        decide(table, command, as_they_lie, no_time)
    assert (table.key(), table.line) == (before, line)
    assert str(caught.value) == f"{caught.value.message} ({caught.value.rule})"
    return caught.value


def house(name: str) -> dict[str, Any]:
    """Rules of a table's own, as a log carries them."""
    reference = reference_to(read_rules(str(HOUSE_RULES / f"{name}.toml")))
    assert isinstance(reference, dict)
    return reference


HANDS = {"Ana": "Kh 2d 4d 5d", "Ben": "3h 4h 5h 6h", "Cy": "3s 4s 5s 6s"}


def begun(players: str = ABC, top: str = "7h 7d 7s", **hands: str) -> Table:
    """Ana is to play; each hand is known."""
    held = {name: hands.get(name, HANDS[name]) for name in players.split()}
    return after(game(players, dealt(players.split()[-1], top, **held)))


def ended(**hands: str) -> tuple[Table, list[Event]]:
    """Ana makes it 99, where the others can't play; the table, and what has come of it."""
    table = begun(**hands)
    return table, plays(table, "Ana Kh")


# ---- opening ----


def test_open_game_says_who_sits_and_by_which_rules() -> None:
    opened = open_game(rules_named("bong-hit-99"), ["Ana", "Ben"], lambda: NOON, game="friday", ext={"table": 3})
    assert (opened.rules, opened.players, opened.source) == ("bong-hit-99", ["Ana", "Ben"], "service")
    assert (opened.at, opened.game, opened.ext, opened.omits) == (NOON, "friday", {"table": 3}, [])


def test_open_game_carries_rules_of_its_own_whole() -> None:
    rules = read_rules(str(HOUSE_RULES / "skip-three.toml"))
    assert Table(open_game(rules, ["Ana", "Ben"], no_time)).rules == rules


@pytest.mark.parametrize(
    ("name", "most"), [("bong-hit-99", 13), (TOKENS, 34), (CHIPS, 34), (f"{PENNIES}+five-cards", 20)]
)
def test_deal_serves_no_more_seats_than_the_decks(name: str, most: int) -> None:
    """R1, R22."""
    seats = [f"P{seat}" for seat in range(most + 1)]
    assert open_game(rules_named(name), seats[:most], no_time).players == seats[:most]
    said = {
        f"{most + 1} players want to play; the cards serve {most}": seats,
        "too few players: 1; expected 2 at least": seats[:1],
        "too few players: 0; expected 2 at least": [],
    }
    for message, wrong in said.items():
        with pytest.raises(Refused) as caught:
            open_game(rules_named(name), wrong, no_time)
        assert (caught.value.rule, caught.value.message) == ("deal", message)


@pytest.mark.parametrize("name", ["", " Ana", "\x1b[1m", "A" * 41, "A\u202eb"])
def test_open_game_and_joining_take_no_name_that_cannot_be_shown(name: str) -> None:
    with pytest.raises(Refused, match="a name has"):
        open_game(rules_named("bong-hit-99"), ["Ana", name], no_time)
    assert refused(after(game(ABC)), do.JoinTable(player=name)).rule == "deal"


def test_a_table_that_everybody_left_can_be_filled_again() -> None:
    table = after(game("Ana Ben", left("Ana"), left("Ben")))
    assert refused(table, do.Deal()).message == "too few players: 0; expected 2 at least"
    closed_game = after(game("Ana Ben", left("Ana"), left("Ben"), closed()))
    assert refused(closed_game, do.Deal()).rule == "log-order"
    for name in ("Cy", "Dee"):
        done(table, do.JoinTable(player=name))
    assert isinstance(done(table, do.Deal())[0], ev.HandDealt)


def test_joining_counts_the_decks_of_the_opening() -> None:
    """R22."""
    base = {"base": "bong-hit-99", "name": "ten", "title": "Ten.", "hand_size": 10, "decks": {1: 1, 4: 2}}
    table = Table(open_game(rules_from({**base, "most_seats": 20}), ["A", "B", "C"], no_time))
    done(table, do.JoinTable(player="D"))
    done(table, do.JoinTable(player="E"))
    assert refused(table, do.JoinTable(player="F")).message == "6 players want to play; the cards serve 5"


def test_a_refused_deal_uses_up_no_chance() -> None:
    table, chance, same = after(game(ABC)), Chance.seeded(7), Chance.seeded(7)
    follow(table, decide(table, do.Deal(), chance.shuffle, no_time))
    with pytest.raises(Refused):
        decide(table, do.Deal(), chance.shuffle, no_time)
    same.shuffle(DECK)
    assert chance.shuffle(DECK) == same.shuffle(DECK)


def test_strangers_neither_smoke_nor_load_and_seats_and_lines_must_be_there() -> None:
    table = after(game(ABC))
    for command in (
        do.SmokeLeisure(player="Zoe", finished=True),
        do.LoadBong(player="Zoe"),
        do.JoinTable(player="Zoe", seat=-1),
        do.JoinTable(player="Zoe", seat=4),
        do.Rule(about=0, by="Ana", text="so be it"),
        do.Rule(about=2, by="Ana", text="so be it"),
    ):
        assert refused(table, command).rule == "log-order"
    assert refused(table, do.ShowCards(player="Ana", cards=[])).rule == "hold-card"


def test_deal_needs_a_name_for_each_seat() -> None:
    with pytest.raises(Refused, match="two players are called Ben") as caught:
        open_game(rules_named("bong-hit-99"), ["Ana", "Ben", "Ben"], no_time)
    assert caught.value.rule == "deal"


# ---- the deal ----


def test_deal_goes_round_from_the_dealers_left_one_card_at_a_time() -> None:
    [event] = deciding(after(game(ABC)), do.Deal(dealer="Ana"))
    hands = {"Ben": DECK[0:12:3], "Cy": DECK[1:12:3], "Ana": DECK[2:12:3]}
    assert event == dealt("Ana", " ".join(DECK[12:]), **{name: " ".join(hand) for name, hand in hands.items()})


def test_dealer_rotation_begins_with_the_last_seat() -> None:
    """R9; anybody who sits there may be named instead."""
    for named, dealer in ((None, "Cy"), ("Ben", "Ben")):
        [event] = deciding(after(game(ABC)), do.Deal(dealer=named))
        assert event == msgspec.structs.replace(event, dealer=dealer)
    assert refused(after(game(ABC)), do.Deal(dealer="Zoe")).rule == "dealer-rotation"


def test_dealer_rotation_goes_on_to_the_left() -> None:
    table, _ = ended()
    done(table, do.TakeHits(player="Ana"), do.Deal())
    assert (table.dealer, table.to_act) == ("Ana", "Ben")
    table, _ = ended()
    done(table, do.TakeHits(player="Ana"))
    why = refused(table, do.Deal(dealer="Ben"))
    assert (why.rule, [one.player for one in why.allowed]) == ("dealer-rotation", ["Ana"])


def test_deck_is_doubled_for_many() -> None:
    [event] = deciding(after(match(CHIPS, "A B C D E")), do.Deal())
    assert msgspec.to_builtins(event)["stock"] == sorted(DECK * 2, key=DECK.index)[15:]


def test_log_order_no_deal_inside_a_hand() -> None:
    why = refused(begun(), do.Deal())
    assert (why.rule, why.message) == ("log-order", "a hand is dealt while another one is being played")


# ---- a turn ----


def test_draw_follows_by_itself() -> None:
    assert plays(begun(), "Ana 5d") == [played("Ana", "5d", 5), drew("Ana", "7h")]


def test_count_called_is_said_by_itself_and_never_wrongly() -> None:
    assert plays(begun(), "Ana Kh 99")[0] == played("Ana", "Kh", 99)
    why = refused(begun(), put("Ana 5d 6"))
    assert (why.rule, why.message) == ("count-called", "Ana plays the 5 of diamonds and says 6; the cards give 5")


def test_must_play_leaves_the_choice_among_playable_cards() -> None:
    table = begun()
    assert choices(table, "Ana") == [
        do.PlayCard(player="Ana", card="Kh", count=99),
        do.PlayCard(player="Ana", card="2d", count=2),
        do.PlayCard(player="Ana", card="4d", count=4),
        do.PlayCard(player="Ana", card="5d", count=5),
    ]
    assert choices(table, "Ben") == choices(table, "Zoe") == []
    assert choices(after(game(ABC)), "Ana") == []


def test_must_play_a_death_card_too_if_nothing_else_can_be_played() -> None:
    table = begun(Ben="Qs 4h 5h 6h", Cy="9s 4s 5s 6s")
    plays(table, "Ana Kh")
    assert choices(table, "Ben") == [do.PlayCard(player="Ben", card="Qs", count=99, target="Cy")]


@pytest.mark.parametrize(
    ("play", "rule"),
    [
        ("Ben 3h", "turn-order"),
        ("Ana 3h", "hold-card"),
        ("Ana 7h", "hold-card"),
        ("Zoe 7h", "turn-order"),
        ("Ana 5d Ben", "death-card-target"),
    ],
)
def test_a_play_is_refused_that_breaks_a_rule(play: str, rule: str) -> None:
    why = refused(begun(), put(play))
    assert why.rule == rule


def test_limit_is_never_passed() -> None:
    table = begun(Ben="2h 3h 4h 5h")
    plays(table, "Ana Kh")
    why = refused(table, put("Ben 3h"))
    assert why.rule == "limit"
    assert [(one.type, one.player, one.cards) for one in why.allowed] == [("card_played", "Ben", ["2h"])]


def test_deck_a_card_in_the_pile_is_not_played_again() -> None:
    table = begun()
    plays(table, "Ana 5d")
    assert refused(table, put("Ben 5d")).rule == "deck"


# ---- going out ----


def test_out_follows_by_itself_and_so_does_the_win() -> None:
    _, events = ended()
    assert events == [played("Ana", "Kh", 99), drew("Ana", "7h"), out("Ben"), out("Cy"), won("Ana")]


def test_out_follows_by_itself_but_not_for_who_can_play() -> None:
    table, events = ended(Cy="9s 4s 5s 6s")
    assert events == [played("Ana", "Kh", 99), drew("Ana", "7h"), out("Ben")]
    assert table.to_act == "Cy"


def test_last_standing_wins_though_the_last_card_could_be_played() -> None:
    table, _ = ended(Cy="9s 4s 5s 6s")
    assert plays(table, "Cy 9s") == [played("Cy", "9s", 99), drew("Cy", "7d")]
    assert plays(table, "Ana 2d") == [played("Ana", "2d", 99), drew("Ana", "7s"), out("Cy"), won("Ana")]


# ---- the Death Card ----


def death_card(**hands: str) -> tuple[Table, list[Event]]:
    """Ana has made it 99, and Ben plays the Death Card; the table, and what has come of it."""
    table = begun(**({"Ana": "Kh 9d 4d 5d", "Ben": "Qs 4h 5h 6h"} | hands))
    return table, plays(table, "Ana Kh", "Ben Qs")


def test_death_card_target_is_named_and_is_out_after_the_draw() -> None:
    table, events = death_card()
    assert events == [played("Ben", "Qs", 99, "Cy"), drew("Ben", "7d"), out("Cy", "death_card")]
    assert table.to_act == "Ana"


def test_death_card_target_is_nobody_else() -> None:
    table = begun(Ana="Kh 9d 4d 5d", Ben="Qs 4h 5h 6h")
    plays(table, "Ana Kh")
    assert refused(table, put("Ben Qs Ana")).rule == "death-card-target"
    assert deciding(table, put("Ben Qs 99 Cy"))[0] == played("Ben", "Qs", 99, "Cy")


def test_death_card_target_below_99_is_nobody() -> None:
    table = begun(Ana="Qs 2d 4d 5d")
    assert plays(table, "Ana Qs") == [played("Ana", "Qs", 10), drew("Ana", "7h")]


def test_death_card_shield_is_played_by_itself() -> None:
    """Then the blowback, and the turn is behind the target."""
    table, events = death_card(Cy="Ad 4s 5s 6s")
    assert events == [
        *(played("Ben", "Qs", 99, "Cy"), drew("Ben", "7d")),
        *(played("Cy", "Ad", 99), drew("Cy", "7s")),
        out("Ben", "blowback"),
    ]
    assert (table.to_act, table.pile) == ("Ana", ["Kh", "Qs", "Ad"])


def test_death_card_shield_is_just_drawn_and_helps_its_player_later() -> None:
    """Only what the target holds when it has to answer counts."""
    table, events = death_card(top="7h Ad 7s")
    assert events[1:] == [drew("Ben", "Ad"), out("Cy", "death_card")]
    assert "Ad" in table.hands["Ben"]


def test_death_card_blowback_also_when_only_two_are_left() -> None:
    table = begun(Ana="Kh 9d 4d Ad", Ben="3h 4h 5h 6h", Cy="Qs 4s 5s 6s")
    assert plays(table, "Ana Kh") == [played("Ana", "Kh", 99), drew("Ana", "7h"), out("Ben")]
    assert plays(table, "Cy Qs") == [
        *(played("Cy", "Qs", 99, "Ana"), drew("Cy", "7d")),
        *(played("Ana", "Ad", 99), drew("Ana", "7s")),
        *(out("Cy", "blowback"), won("Ana")),
    ]


def test_two_player_game_shield_puts_nobody_out() -> None:
    """R3: the Death Card's player has the turn again, and must play if they can."""
    table = begun(AB, Ana="Kh 9d 4d Ad", Ben="Qs 9h 5h 6h")
    plays(table, "Ana Kh")
    assert plays(table, "Ben Qs") == [
        *(played("Ben", "Qs", 99, "Ana"), drew("Ben", "7d")),
        *(played("Ana", "Ad", 99), drew("Ana", "7s")),
    ]
    assert table.to_act == "Ben"


def test_two_player_game_shield_and_the_player_is_stuck() -> None:
    table = begun(AB, Ana="Kh 9d 4d Ad", Ben="Qs 4h 5h 6h")
    plays(table, "Ana Kh")
    assert plays(table, "Ben Qs")[3:] == [drew("Ana", "7s"), out("Ben"), won("Ana")]


def test_two_player_game_is_none_where_a_third_left() -> None:
    log = game(ABC, dealt("Cy", "7h 7d 7s", **HANDS), voided(), left("Cy"))
    log += [dealt("Ben", "7h 7d 7s", Ana="Kh 9d 4d Ad", Ben="Qs 9h 5h 6h")]
    table = after(log)
    plays(table, "Ana Kh")
    assert plays(table, "Ben Qs")[4:] == [out("Ben", "blowback"), won("Ana")]


# ---- the reshuffle ----


def test_reshuffle_of_each_card_with_thirteen() -> None:
    """R1: the stock starts empty, and each play is drawn straight back."""
    table = after(game(THIRTEEN))
    done(table, do.Deal())
    [card, *_] = table.hands["A"]
    assert plays(table, f"A {card}") == [played("A", card, 1), reshuffled(card), drew("A", card)]


def test_reshuffle_comes_when_a_card_must_be_drawn_and_none_is_there() -> None:
    """R2: the whole pile, as it is shuffled, the first card on top; the Count stays."""
    table = after(game(THIRTEEN[:-2]))
    done(table, do.Deal())
    for _ in range(4):
        *_, last = done(table, choices(table, table.to_act or "")[0])
        assert last == drew(msgspec.to_builtins(last)["player"], msgspec.to_builtins(last)["card"])
    assert (table.stock, len(table.pile)) == ([], 4)
    choice = choices(table, "E")[0]
    assert isinstance(choice, do.PlayCard)
    pile = [*table.pile, choice.card]
    events = decide(table, choice, lambda cards: [*cards][::-1], no_time)
    assert events[1:] == [reshuffled(" ".join(map(str, pile[::-1]))), drew("E", pile[-1])]
    follow(table, events)
    assert (table.count, table.pile, len(table.stock)) == (choice.count, [], 4)


def test_reshuffle_leaves_the_last_card_with_chips() -> None:
    """R21."""
    names = " ".join(f"P{seat}" for seat in range(34))
    table = after(match(CHIPS, names))
    done(table, do.Deal())
    for _ in range(2):
        done(table, choices(table, table.to_act or "")[0])
    pile = table.pile.copy()
    player = table.to_act or ""
    play, shuffle, draw = done(table, choices(table, player)[0])
    assert (shuffle, draw) == (reshuffled(" ".join(map(str, pile))), drew(player, pile[0]))
    assert table.pile == [msgspec.to_builtins(play)["card"]]


# ---- the prize ----


def test_steal_follows_by_itself() -> None:
    table, events = ended(Ben="3h 4h 5h Ac")
    assert events[-2:] == [won("Ana"), stole("Ben", "Ana")]
    assert choices(table, "Ana") == []
    assert choices(table, "Ben") == [
        do.TakeHits(player="Ben", hits=1),
        do.LeaveHits(player="Ben", hits=1),
        do.GiveHits(player="Ben", to="Ana", hits=1),
        do.GiveHits(player="Ben", to="Cy", hits=1),
    ]


def test_slide_follows_by_itself_to_the_end() -> None:
    """It goes on to whoever holds the next club, out or in, until a club that nobody holds."""
    _, events = ended(Ana="Kh Kc Tc 5d", Ben="3h 4h Qc Ac", Cy="3s Jc 8c 6s")
    assert events[5:] == [
        stole("Ben", "Ana"),
        slid("Ben", "Ana", "Kc"),
        slid("Ana", "Ben", "Qc"),
        slid("Ben", "Cy", "Jc"),
        slid("Cy", "Ana", "Tc"),
    ]


def test_bonus_follows_by_itself_and_slides() -> None:
    table, events = ended(Ana="Kh Kc Ac 5d", Ben="3h 4h Qc 6h")
    assert events[4:] == [
        won("Ana"),
        bonus("Ana"),
        slid("Ana", "Ana", "Kc", "bonus"),
        slid("Ana", "Ben", "Qc", "bonus"),
    ]
    assert [choice.prize for choice in choices(table, "Ben") if isinstance(choice, do.TakeHits)] == ["bonus"]
    assert [choice.prize for choice in choices(table, "Ana") if isinstance(choice, do.TakeHits)] == ["main"]
    assert done(table, do.GiveHits(player="Ben", to="Cy", prize="bonus")) == [gave("Ben", "Cy", prize="bonus")]
    assert refused(table, do.Deal()).rule == "prize"
    assert done(table, do.TakeHits(player="Ana")) == [took("Ana")]
    assert table.dealer_due() == "Ana"


def test_prize_may_be_split_and_what_is_left_joins_the_next() -> None:
    """R4, R5."""
    table, _ = ended()
    done(table, do.LeaveHits(player="Ana"), do.Deal())
    follow(table, [voided()])
    log = dealt("Ana", "7h 7d 7s", Ben="Kh 2d 4d 5d", Cy="3h 4h 5h 6h", Ana="3s 4s 5s 6s")
    follow(table, [log])
    plays(table, "Ben Kh")
    assert done(table, do.TakeHits(player="Ben", hits=1)) == [took("Ben")]
    assert done(table, do.GiveHits(player="Ben", to="Ana")) == [gave("Ben", "Ana")]
    assert choices(table, "Ben") == []


@pytest.mark.parametrize(
    "command",
    [
        do.TakeHits(player="Ben"),
        do.LeaveHits(player="Cy"),
        do.TakeHits(player="Ana", hits=2),
        do.TakeHits(player="Ana", hits=0),
        do.TakeHits(player="Ana", hits=-1),
        do.TakeHits(player="Ana", prize="bonus"),
        do.GiveHits(player="Ana", to="Ana"),
        do.GiveHits(player="Ana", to="Zoe"),
        do.Deal(),
        do.CloseGame(),
        do.JoinTable(player="Dee"),
    ],
)
def test_prize_goes_to_nobody_else_and_is_settled_first(command: do.AnyCommand) -> None:
    table, _ = ended()
    why = refused(table, command)
    assert why.rule == "prize"
    assert [(one.type, one.player) for one in why.allowed] == [("hit_taken", "Ana")]


def test_loader_is_the_first_player_out() -> None:
    table, _ = ended()
    assert done(table, do.LoadBong(player="Ben")) == [loaded("Ben")]
    why = refused(table, do.LoadBong(player="Cy"))
    assert (why.rule, why.message) == ("loader", "Cy loads, but the duty is Ben's")


def test_loader_may_be_anybody_until_a_bowl_is_finished() -> None:
    """R16."""
    table = begun()
    assert done(table, do.LoadBong(player="Cy")) == [loaded("Cy")]
    assert done(table, do.SmokeLeisure(player="Cy")) == [leisure("Cy")]
    assert done(table, do.SmokeLeisure(player="Cy", finished=True)) == [leisure("Cy", True)]
    assert refused(table, do.LoadBong(player="Ana")).rule == "loader"


def test_out_shows_nothing_before_the_hand_is_won() -> None:
    table, _ = ended(Cy="9s 4s 5s 6s")
    assert refused(table, do.ShowCards(player="Ben", cards=["3h"])).rule == "out"
    assert refused(table, do.ShowCards(player="Cy", cards=["3h"])).rule == "hold-card"
    plays(table, "Cy 9s", "Ana 2d")
    assert done(table, do.ShowCards(player="Ben", cards=["3h", "4h"])) == [shown("Ben", "3h 4h")]


# ---- coming and going ----


def test_leaving_inside_a_hand_is_going_out() -> None:
    """R8: the turn passes on, and who is stuck then is out, too."""
    table = begun()
    assert done(table, do.LeaveTable(player="Ana")) == [left("Ana"), out("Ana", "left")]
    assert (table.to_act, table.seats) == ("Ben", ["Ben", "Cy"])
    table = begun(Ben="2h 4h 5h 6h")
    plays(table, "Ana Kh")
    assert done(table, do.LeaveTable(player="Ben")) == [left("Ben"), out("Ben", "left"), out("Cy"), won("Ana")]


def test_leaving_out_of_turn_leaves_the_turn_where_it_is() -> None:
    table = begun()
    assert done(table, do.LeaveTable(player="Cy")) == [left("Cy"), out("Cy", "left")]
    assert table.to_act == "Ana"


def test_leaving_between_hands_is_no_more_than_that() -> None:
    table, _ = ended()
    done(table, do.TakeHits(player="Ana"))
    assert done(table, do.LeaveTable(player="Ana")) == [left("Ana")]
    assert table.dealer_due() == "Ben"
    assert refused(table, do.LeaveTable(player="Ana")).rule == "log-order"


def test_leaving_with_hits_leaves_them_for_the_next_hand() -> None:
    table, _ = ended()
    assert done(table, do.LeaveTable(player="Ana")) == [left("Ana"), carried("Ana")]
    assert (table.left_over, table.awaiting) == (1, "prize")
    assert [event.type for event in expected(table)] == ["hand_dealt"]


def test_steal_by_somebody_who_left() -> None:
    """Their cards stay and count: the hit is theirs, and left for the next hand."""
    table = begun(Ana="Kh 9d 4d 5d", Ben="2h 4h 5h Ac")
    plays(table, "Ana Kh")
    assert done(table, do.LeaveTable(player="Ben")) == [
        *(left("Ben"), out("Ben", "left"), out("Cy")),
        *(won("Ana"), stole("Ben", "Ana"), carried("Ben")),
    ]


def test_joining_is_for_between_hands() -> None:
    assert refused(begun(), do.JoinTable(player="Dee")).rule == "log-order"
    table, _ = ended()
    done(table, do.TakeHits(player="Ana"))
    assert refused(table, do.JoinTable(player="Ben")).rule == "log-order"
    assert done(table, do.JoinTable(player="Dee", seat=1)) == [joined("Dee", 1)]
    assert table.seats == ["Ana", "Dee", "Ben", "Cy"]


def test_joining_as_the_fourteenth() -> None:
    """R1."""
    table = after(game(THIRTEEN))
    why = refused(table, do.JoinTable(player="N"))
    assert (why.rule, why.message) == ("deal", "14 players want to play; the cards serve 13")
    done(table, do.LeaveTable(player="C"))
    assert done(table, do.JoinTable(player="N")) == [joined("N")]


@pytest.mark.parametrize("rules", [TOKENS, CHIPS, PENNIES, BORDERS])
def test_match_is_joined_by_nobody(rules: str) -> None:
    """R22."""
    why = refused(after(match(rules, ABC)), do.JoinTable(player="Dee"))
    assert (why.rule, why.message) == ("match", "Dee joins, but nobody joins a match")


def test_deal_needs_two_who_sit_there() -> None:
    table, _ = ended()
    done(table, do.TakeHits(player="Ana"), do.LeaveTable(player="Cy"), do.LeaveTable(player="Ben"))
    assert refused(table, do.Deal()).rule == "deal"
    done(table, do.JoinTable(player="Dee"), do.Deal())
    assert set(table.hands) == {"Ana", "Dee"}


# ---- voids ----


def test_a_void_is_dealt_again_by_the_same_dealer() -> None:
    """R7."""
    table = begun()
    assert done(table, do.VoidHand(reason="spilled")) == [voided("spilled")]
    done(table, do.Deal())
    assert (table.dealer, table.hand) == ("Cy", 2)


def test_a_hand_without_end_is_voided() -> None:
    """R7: a hand of so many lines is broken off when the next player would have to play; not a line before."""
    table = begun()
    follow(table, [leisure("Ana")] * (LONGEST_HAND - 3))
    assert deciding(table, put("Ana 2d")) == [played("Ana", "2d", 2), drew("Ana", "7h")]
    follow(table, [leisure("Ana")])
    end = voided(f"no end after {LONGEST_HAND} lines")
    assert plays(table, "Ana 2d") == [played("Ana", "2d", 2), drew("Ana", "7h"), end]
    done(table, do.Deal())
    assert (table.dealer, table.awaiting) == ("Cy", "play")
    assert done(table, do.SmokeLeisure(player="Ana")) == [leisure("Ana")]


def test_a_hand_without_end_of_thirteen() -> None:
    """Everybody passes as long as they can; the hand ends by itself, won or voided."""
    chance, table = Chance.seeded(5), after(game(THIRTEEN))
    last: list[Event] = []
    follow(table, decide(table, do.Deal(), chance.shuffle, no_time))
    while table.awaiting == "play" and table.to_act is not None:
        careful = min(choices(table, table.to_act), key=lambda play: getattr(play, "count", 0) or 0)
        last = decide(table, careful, chance.shuffle, no_time)
        follow(table, last)
        assert table.line - table.dealt_on < LONGEST_HAND + 5
    assert last[-1] == voided(f"no end after {LONGEST_HAND} lines")


# ---- matches ----


def test_tokens_are_lost_when_nothing_can_be_played() -> None:
    log = fronts("Cy", "7h 7d", Ana="Kh 2d 5d", Ben="3h 5h 6h", Cy="9s 5s 6s")
    table = after(match(CHIPS, ABC, log))
    assert plays(table, "Ana Kh") == [played("Ana", "Kh", 99), drew("Ana", "7h"), out("Ben"), paid("Ben")]
    assert (table.awaiting, table.tokens) == ("deal", {"Ana": 5, "Ben": 4, "Cy": 5})
    done(table, do.Deal())
    assert table.dealer == "Ana"


def test_tokens_are_lost_by_playing_over_the_limit() -> None:
    """R19: no draw, and nobody goes out; the hand is over."""
    log = fronts("Cy", "7h 7d", Ana="Kh 2d 5d", Ben="3h 9h 6h", Cy="9s 5s 6s")
    table = after(match(TOKENS, ABC, log))
    plays(table, "Ana Kh")
    assert plays(table, "Ben 6h") == [played("Ben", "6h", 105), paid("Ben")]
    assert table.awaiting == "deal"


def broke(rules: str, players: str) -> Table:
    """Ben has one token left, and Ana is to play; then Ben can't."""
    dealers = players.split()
    each = rules_named(rules).tokens or {}
    table = after(match(rules, players))
    hands: list[Event] = []
    for hand in range(each[1] - 1):
        hands += lost(rules, dealers[hand % len(dealers) - 1], players, "Ben")
    held = dict(zip(dealers, ("Kh 2d 5d", "3h 5h 6h", "9s 5s 6s"), strict=False))
    dealer = dealers[(each[1] - 1) % len(dealers) - 1]
    follow(table, flat([hands, fronts(dealer, "7h 7d", **held)]))
    table.to_act = "Ana"
    return table


def test_match_is_lost_with_the_last_token() -> None:
    table = broke(CHIPS, ABC)
    assert plays(table, "Ana Kh")[2:] == [out("Ben"), paid("Ben"), gone("Ben")]
    done(table, do.Deal())
    assert set(table.hands) == {"Ana", "Cy"}


def test_match_is_won_by_the_last_one_with_tokens_who_takes_the_pot() -> None:
    table = broke(CHIPS, AB)
    assert plays(table, "Ana Kh")[2:] == [out("Ben"), paid("Ben"), gone("Ben"), champion("Ana", 10)]
    why = refused(table, do.Deal())
    assert (why.rule, why.message) == ("match", "a hand is dealt, but Ana has won the match")


def test_match_is_won_without_the_pot_with_pennies() -> None:
    assert plays(broke(PENNIES, AB), "Ana Kh")[2:] == [out("Ben"), paid("Ben"), gone("Ben"), champion("Ana", 5)]


def test_match_is_won_by_who_is_left_there() -> None:
    log = fronts("Cy", "7h 7d", Ana="Kh 2d 5d", Ben="3h 5h 6h", Cy="9s 5s 6s")
    table = after(match(PENNIES, ABC, log))
    assert done(table, do.LeaveTable(player="Ben")) == [left("Ben"), out("Ben", "left")]
    assert done(table, do.LeaveTable(player="Ana")) == [left("Ana"), out("Ana", "left"), champion("Cy", 5)]


def test_a_void_brings_tokens_back() -> None:
    table = after(match(house("exact-hits"), ABC, fronts("Cy", "7h", Ana="Kh 2d 5d", Ben="9h 5h 6h", Cy="9s 5s 6s")))
    plays(table, "Ana Kh")
    assert table.tokens == {"Ana": 5, "Ben": 4, "Cy": 4}
    done(table, do.VoidHand(reason="late"))
    assert table.tokens == {"Ana": 5, "Ben": 5, "Cy": 5}


def test_out_rolling_the_others_play_on_from_zero() -> None:
    """R11: the pile is taken away, and joins the next reshuffle."""
    log = fronts("Cy", "7h 7d", Ana="Kh 2d 5d", Ben="3h 5h 6h", Cy="3s 5s 6s")
    table = after(match(ROLLING, ABC, log))
    assert plays(table, "Ana Kh")[2:] == [out("Ben"), paid("Ben")]
    assert (table.to_act, table.count, table.pile, table.aside) == ("Cy", 0, [], ["Kh"])
    assert plays(table, "Cy 3s") == [played("Cy", "3s", 3), drew("Cy", "7d")]


def test_out_rolling_the_hand_ends_with_one_left() -> None:
    log = fronts("Ben", "7h 7d", Ana="Kh 2d 5d", Ben="3h 5h 6h")
    table = after(match(ROLLING, AB, log))
    assert plays(table, "Ana Kh")[2:] == [out("Ben"), paid("Ben")]
    assert table.awaiting == "deal"


def test_border_costs_a_point_before_the_draw() -> None:
    log = fronts("Ben", "7h 7d 7s 7c", Ana="Th Kd 5d", Ben="Jh Td 6h")
    table = after(match(BORDERS, AB, log))
    assert plays(table, "Ana Th 10", "Ben Jh", "Ana Kd") == [played("Ana", "Kd", 30), drew("Ana", "7s")]
    assert plays(table, "Ben 6h") == [played("Ben", "6h", 36), paid("Ben", 1, "border"), drew("Ben", "7c")]
    events = plays(table, "Ana 5d", "Ben Td 31")
    assert events[:2] == [played("Ben", "Td", 31, value=-10), paid("Ben", 1, "border")]


def test_border_the_card_that_passes_99_ends_the_hand_without_a_draw() -> None:
    log = fronts("Ben", "7h 7d 7s 7c", Ana="Th Kd 5d", Ben="Jh Td 6h")
    table = after(match(BORDERS, AB, log))
    table.at = table.counts[98]
    assert plays(table, "Ana Kd") == [played("Ana", "Kd", 108), paid("Ana", 1, "border")]
    assert (table.awaiting, table.scores) == ("deal", {"Ana": 2, "Ben": 3})


def test_exact_hits_cost_each_other_player_a_token_in_seat_order() -> None:
    log = fronts("Ben", "7h 7d 7s 7c", Ana="9s 5s 6s", Ben="9h 5h 6h", Cy="Kh 2d 5d")
    table = after(match(house("exact-hits"), ABC, log))
    assert plays(table, "Cy Kh") == [
        played("Cy", "Kh", 99),
        *(paid("Ana", 1, "exact"), paid("Ben", 1, "exact")),
        drew("Cy", "7h"),
    ]
    assert plays(table, "Ana 9s") == [played("Ana", "9s", 99), drew("Ana", "7d")]  # it stays where it is


def test_exact_hits_knock_out_before_the_draw() -> None:
    log = fronts("Ben", "7h 7d 7s 7c", Ana="9s 5s 6s", Ben="9h 5h 6h", Cy="Kh 2d 5d")
    table = after(match(house("exact-hits"), ABC, log))
    table.tokens |= {"Ana": 1}
    assert plays(table, "Cy Kh") == [
        played("Cy", "Kh", 99),
        *(paid("Ana", 1, "exact"), paid("Ben", 1, "exact"), gone("Ana")),
        drew("Cy", "7h"),
    ]
    assert table.to_act == "Ben"


# ---- cards that do more ----


def test_count_called_a_choice_must_be_said() -> None:
    """Then it stands there what the card counted."""
    log = fronts("Cy", "7h", Ana="Ah Td 5d", Ben="9h 5h 6h", Cy="9s 5s 6s")
    table = after(match(PENNIES, ABC, log))
    for card, name, said in (("Ah", "the ace of hearts", "1 or 11"), ("Td", "the 10 of diamonds", "10 or -10")):
        why = refused(table, put(f"Ana {card}"))
        assert (why.rule, why.message) == ("count-called", f"{name} leaves a choice: say {said}")
        assert why.allowed == expected(as_seen_from(table, "Ana"))
    for count in (1, 11):
        assert deciding(table, put(f"Ana Ah {count}"))[0] == played("Ana", "Ah", count, value=count)
    assert deciding(table, put("Ana Td -10"))[0] == played("Ana", "Td", -10, value=-10)
    assert refused(table, put("Ana Ah 2")).rule == "count-called"
    assert deciding(table, put("Ana 5d"))[0] == played("Ana", "5d", 5)


def test_count_called_no_choice_is_left_where_the_limit_takes_it() -> None:
    log = fronts("Cy", "7h", Ana="Ah Td 5d", Ben="9h 5h 6h", Cy="9s 5s 6s")
    table = after(match(PENNIES, ABC, log))
    table.at = table.counts[95]
    assert deciding(table, put("Ana Ah"))[0] == played("Ana", "Ah", 96)
    assert deciding(table, put("Ana Td"))[0] == played("Ana", "Td", 85)
    assert refused(table, put("Ana Ah 106")).rule == "limit"


def test_turn_order_is_turned_by_a_four() -> None:
    log = fronts("Cy", "7h", Ana="4h Td 5d", Ben="9h 5h 6h", Cy="9s 5s 6s")
    table = after(match(PENNIES, ABC, log))
    plays(table, "Ana 4h")
    assert (table.to_act, table.direction) == ("Cy", -1)


@pytest.mark.parametrize(("rules", "then"), [(f"{PENNIES}+four-again", "Ana"), (PENNIES, "Ben")])
def test_turn_order_four_again_between_two(rules: str, then: str) -> None:
    """R23: also where two are left of three."""
    log = fronts("Cy", "7h", Ana="4h Td 5d", Ben="9h 5h 6h", Cy="9s 5s 6s")
    table = after(match(rules, ABC, log))
    done(table, do.LeaveTable(player="Cy"))
    plays(table, "Ana 4h")
    assert table.to_act == then


def test_turn_order_a_five_chooses_who_is_next() -> None:
    hands = {"Ana": "5h Td 2d 3d 6d", "Ben": "9h 5c 6h 7h 8h", "Cy": "9s 5s 6s 7s 8s"}
    table = after(match(house("five-chooses"), ABC, fronts("Cy", "Th", **hands)))
    why = refused(table, put("Ana 5h"))
    assert (why.rule, why.message) == ("turn-order", "the 5 of hearts chooses who is next: name one")
    for nobody in ("Ana", "Zoe"):
        assert refused(table, put(f"Ana 5h {nobody}")).rule == "turn-order"
    assert {play.target for play in choices(table, "Ana") if isinstance(play, do.PlayCard) and play.card == "5h"} == {
        "Ben",
        "Cy",
    }
    assert plays(table, "Ana 5h Cy")[0] == played("Ana", "5h", 5, "Cy")
    assert table.to_act == "Cy"


def test_turn_order_a_five_chooses_between_two_by_itself() -> None:
    hands = {"Ana": "5h Td 2d 3d 6d", "Ben": "9h 5c 6h 7h 8h"}
    table = after(match(house("five-chooses"), AB, fronts("Ben", "Th", **hands)))
    assert plays(table, "Ana 5h")[0] == played("Ana", "5h", 5, "Ben")


def test_limit_a_floor_takes_a_choice_away() -> None:
    hands = {"Ana": "Qh Td 2d 3d 6d", "Ben": "9h 5c 6h 7h 8h"}
    table = after(match(house("five-chooses"), AB, fronts("Ben", "Th", **hands)))
    assert deciding(table, put("Ana Qh"))[0] == played("Ana", "Qh", 20)
    assert refused(table, put("Ana Qh -20")).rule == "limit"


def test_turn_order_a_three_skips_the_next_player() -> None:
    hands = {"Ana": "3h Td 2d 5d", "Ben": "9h 5c 6h 7h", "Cy": "9s 5s 6s 7s"}
    table = after(match(house("skip-three"), ABC, fronts("Cy", "Th", **hands)))
    plays(table, "Ana 3h")
    assert table.to_act == "Cy"


# ---- out of place ----

ANY: list[do.AnyCommand] = [
    do.Deal(),
    put("Ana Kh"),
    do.TakeHits(player="Ana"),
    do.LeaveHits(player="Ana"),
    do.GiveHits(player="Ana", to="Ben"),
    do.ShowCards(player="Ana", cards=["Kh"]),
    do.SmokeLeisure(player="Ana"),
    do.LoadBong(player="Ana"),
    do.JoinTable(player="Zoe"),
    do.LeaveTable(player="Ana"),
    do.VoidHand(reason="late"),
    do.CloseGame(),
]
LATE = do.Rule(about=9, by="Ana", text="it stands")
BEFORE_THE_DEAL = (put("Ana Kh"), *ANY[2:6], do.VoidHand(reason="late"), do.LeaveTable(player="Zoe"))
INSIDE = (
    *ANY[2:5],
    do.Deal(),
    do.JoinTable(player="Zoe"),
    do.LeaveTable(player="Zoe"),
    do.Rule(about=9, by="A", text=""),
)


def test_every_kind_of_command_is_tried_out_of_place() -> None:
    kinds = {type(command) for command in (*ANY, *INSIDE)}
    assert kinds == set(do.COMMAND_TYPES.values())


@pytest.mark.parametrize("command", ANY, ids=lambda command: command.__struct_config__.tag)
def test_log_order_nothing_follows_the_close(command: do.AnyCommand) -> None:
    table = after(game(ABC, dealt("Cy", **HANDS), closed()))
    why = refused(table, command)
    assert (why.rule, why.allowed) == ("log-order", [])
    if not isinstance(command, do.ShowCards):
        assert why.message == "the game was closed before this line"


@pytest.mark.parametrize("command", BEFORE_THE_DEAL, ids=lambda command: command.__struct_config__.tag)
def test_log_order_before_the_deal(command: do.AnyCommand) -> None:
    why = refused(after(game(ABC)), command)
    assert (why.rule, [one.type for one in why.allowed]) == ("log-order", ["hand_dealt"])


@pytest.mark.parametrize("command", INSIDE, ids=lambda command: command.__struct_config__.tag)
def test_log_order_inside_a_hand(command: do.AnyCommand) -> None:
    why = refused(begun(), command)
    assert (why.rule, [one.type for one in why.allowed]) == ("log-order", ["card_played"])


def test_log_order_no_prize_in_a_match() -> None:
    table = after(match(CHIPS, ABC, fronts("Cy", "7h", Ana="Kh 2d 5d", Ben="9h 5h 6h", Cy="9s 5s 6s")))
    for command in ANY[2:5]:
        assert refused(table, command).rule == "log-order"


def test_last_standing_nothing_is_played_after_the_win() -> None:
    table, _ = ended(Ana="Kh Kd 4d 5d")
    assert refused(table, put("Ana Kd")).rule == "last-standing"


def test_a_ruling_is_about_a_line_that_is_there() -> None:
    table = begun()
    assert done(table, do.Rule(about=2, by="Ana", text="it stands", rule="deal")) == [ruling(2, "deal")]
    assert refused(table, do.Rule(about=4, by="Ana", text="it stands")).rule == "log-order"


def test_a_close_may_leave_a_hand_unplayed() -> None:
    assert done(begun(), do.CloseGame()) == [closed()]


# ---- what a refusal tells ----


def test_a_refusal_tells_what_the_player_may_know() -> None:
    """Of the cards of whoever is to play, the others are told nothing."""
    table = begun()
    assert [one.cards for one in refused(table, put("Ana 9h")).allowed] == [["Kh", "2d", "4d", "5d"]]
    for command in (put("Ben 3h"), do.Deal()):
        assert [(one.player, one.cards) for one in refused(table, command).allowed] == [("Ana", [None])]
    done(table, do.ShowCards(player="Ana", cards=["Kh"]))
    assert [one.cards for one in refused(table, put("Ben 3h")).allowed] == [["Kh", None]]


# ---- time ----


def test_each_event_tells_the_time_of_its_command() -> None:
    table = begun()
    asked = []

    def clock() -> datetime.datetime:
        asked.append(table.line)
        return NOON

    events = decide(table, put("Ana Kh"), as_they_lie, clock)
    assert [event.at for event in events] == [NOON] * 5
    assert asked == [2]
    untimed = [msgspec.structs.replace(event, at=None) for event in events]
    assert untimed == deciding(table, put("Ana Kh"))


# ---- what is forced ----


def test_settle_makes_up_for_what_a_broken_game_left_out() -> None:
    table = begun()
    events = deciding(table, put("Ana Kh"))
    for told in range(1, len(events)):
        twin = table.copy()
        follow(twin, events[:told])
        before = twin.key()
        assert settle(twin, as_they_lie, no_time) == events[told:]
        assert twin.key() == before
    follow(table, events)
    assert settle(table, as_they_lie, no_time) == []


def test_settle_tells_the_time() -> None:
    table = begun()
    follow(table, [played("Ana", "5d", 5)])
    assert settle(table, as_they_lie, lambda: NOON) == [msgspec.structs.replace(drew("Ana", "7h"), at=NOON)]


def test_forced_is_nothing_where_somebody_has_a_choice() -> None:
    table = begun()
    assert forced(table, as_they_lie) is None
    assert forced(after(game(ABC)), as_they_lie) is None
    plays(table, "Ana Kh")
    assert forced(table, as_they_lie) is None


def test_forced_is_nothing_where_unseen_cards_decide() -> None:
    """Nobody knows whether the target shields; without an order nobody knows how the pile lies."""
    table = begun(Ana="Kh 9d 4d 5d", Ben="Qs 4h 5h 6h")
    plays(table, "Ana Kh")
    follow(table, [played("Ben", "Qs", 99, "Cy"), drew("Ben", "7d")])
    assert forced(table, None) == out("Cy", "death_card")
    assert forced(as_seen_from(table, "Ana"), None) is None
    assert forced(as_seen_from(table, "Cy"), None) == out("Cy", "death_card")


def test_forced_reshuffle_that_nobody_sees() -> None:
    table = after(game(THIRTEEN))
    done(table, do.Deal())
    [card, *_] = table.hands["A"]
    follow(table, [played("A", card, 1)])
    assert forced(table, None) == reshuffled()
