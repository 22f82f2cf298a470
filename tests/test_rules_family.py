"""The rules of the Ninety-Nine family and of house rules: each once broken and once kept, in every set and option."""

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from matches import (
    ABC,
    BORDERS,
    CHIPS,
    HEARTS,
    PENNIES,
    ROLLING,
    TOKENS,
    at_99,
    backs,
    champion,
    forgot,
    fronts,
    gone,
    lost,
    match,
    paid,
)
from tables import (
    Event,
    Part,
    assert_clean,
    assert_reported,
    audited,
    corrected,
    drew,
    findings_of,
    flat,
    left,
    leisure,
    loaded,
    out,
    played,
    recounted,
    reshuffled,
    shown,
    turn,
    voided,
    won,
)

from bh99.rule_files import read_rules, rules_in, rules_toml
from domain import events as ev
from domain.cards import DECK
from domain.counting import counts_of
from domain.moves import APPLY, apply
from domain.reading_rules import OPTIONAL, UnknownRules
from domain.rule_sets import DeathCard, Effect, PrizeRules, RuleSet
from domain.rulebook import RULES
from domain.shipped_rules import EDITIONS, OPTIONS, rules_from, rules_named

SETS = [
    TOKENS,
    f"{TOKENS}+five-tokens",
    f"{TOKENS}+winner-takes-tokens",
    CHIPS,
    PENNIES,
    f"{PENNIES}+five-cards",
    ROLLING,
    f"{PENNIES}+four-again",
    BORDERS,
]
REFUSING = [rules for rules in SETS if not rules.startswith(TOKENS) and rules != BORDERS]
PAID_AT_ONCE = [rules for rules in SETS if rules not in (ROLLING, BORDERS)]
each_set = pytest.mark.parametrize("rules", SETS)
PAIR = "Ana Ben"


def size(rules: str) -> int:
    return rules_named(rules).hand_size


def start(rules: str, players: str = ABC) -> list[Event]:
    """A first hand that nobody looked into, dealt by the last seat."""
    return match(rules, players, backs(players.split()[-1], players, size(rules)))


def turner(rules: str) -> str:
    """The card that turns the direction."""
    return "8h" if rules == BORDERS else "4h"


def one_loss(rules: str) -> list[Event]:
    """Ana has lost a hand, and it stands before the payment."""
    over: ev.Event = played("Ana", "Qd", 109) if rules_named(rules).any_card_may_be_played else out("Ana")
    if rules == BORDERS:
        return match(rules, ABC, backs("Cy", ABC), recounted(99), over)
    return match(rules, ABC, at_99("Cy", ABC, "Ana", size(rules)), over)


def due(rules: str, player: str = "Ana", tokens: int = 1) -> ev.TokensLost:
    return paid(player, tokens, "border" if rules == BORDERS else "hand_lost")


def one_hand(rules: str) -> list[Event]:
    """A whole first hand: Ana has lost it, and where it rolls on Cy too."""
    more: list[Part] = [turn("Ben", "Kd", 99), out("Cy"), paid("Cy")] if rules == ROLLING else []
    return flat([one_loss(rules), due(rules), *more])


# ---- each rule broken once, in every set ----


class Case(NamedTuple):
    """A rule broken by one line, in some sets; what could have stood there instead is in order."""

    rule: str
    sets: list[str]
    given: Any
    wrong: Any
    player: str | None
    right: Any
    after: Any = None


def hand_in_sight(rules: str) -> list[Event]:
    """Every card of the deal is logged; Ana begins."""
    more = size(rules) - 3
    hands = {"Ana": ["2h", "3h", "6h", "2s", "3s"], "Ben": ["2d", "3d", "6d", "5s", "6s"], "Cy": ["2c", "3c", "6c"]}
    hands["Cy"] += ["7s", "Js"]
    held = {player: " ".join(cards[: 3 + more]) for player, cards in hands.items()}
    return match(rules, ABC, fronts("Cy", "7h 7d 7c", **held))


CASES = [
    Case(
        "deck",
        SETS,
        lambda rules: [*start(rules), *turn("Ana", "5h", 5)],
        lambda rules: turn("Ben", "5h", 10),
        "Ben",
        lambda rules: turn("Ben", "5d", 10),
    ),
    Case(
        "deal",
        SETS,
        lambda rules: match(rules, ABC),
        lambda rules: [backs("Cy", ABC, size(rules) + 1)],
        None,
        lambda rules: [backs("Cy", ABC, size(rules))],
    ),
    Case(
        "dealer-rotation",
        SETS,
        one_hand,
        lambda rules: [backs("Ben", ABC, size(rules))],
        None,
        lambda rules: [backs("Ana", ABC, size(rules))],
    ),
    Case(
        "turn-order",
        SETS,
        lambda rules: [*start(rules), *turn("Ana", turner(rules), 0)],
        lambda rules: turn("Ben", "5h", 5),
        "Ben",
        lambda rules: turn("Cy", "5h", 5),
    ),
    Case(
        "hold-card",
        SETS,
        hand_in_sight,
        lambda rules: turn("Ana", "3d", 3),
        "Ana",
        lambda rules: turn("Ana", "3h", 3),
    ),
    Case(
        "limit",
        REFUSING,
        lambda rules: match(rules, ABC, at_99("Cy", ABC, "Ben", size(rules))),
        lambda rules: turn("Ben", "5h", 104),
        "Ben",
        lambda rules: turn("Ben", "Th", 89),
    ),
    Case(
        "count-called",
        SETS,
        start,
        lambda rules: turn("Ana", "7h", 8),
        "Ana",
        lambda rules: turn("Ana", "7h", 7),
    ),
    Case(
        "must-play",
        SETS,
        hand_in_sight,
        lambda rules: [out("Ana")],
        "Ana",
        lambda rules: turn("Ana", "2h", 2, drawn="7h"),
    ),
    Case(
        "draw",
        SETS,
        lambda rules: [*start(rules), *turn("Ana", "7h", 7)],
        lambda rules: [drew("Ana")],
        "Ana",
        lambda rules: turn("Ben", "6h", 13),
    ),
    Case(
        "four-cards",
        SETS,
        lambda rules: [*start(rules), *turn("Ana", "7h", 7), *turn("Ben", "6h", 13)],
        lambda rules: [corrected("Ana", drew="?")],
        "Ana",
        lambda rules: turn("Cy", "5h", 18),
    ),
    Case(
        "reshuffle",
        SETS,
        lambda rules: [*start(rules), *turn("Ana", "7h", 7)],
        lambda rules: [reshuffled()],
        None,
        lambda rules: turn("Ben", "6h", 13),
    ),
    Case(
        "out",
        SETS,
        lambda rules: [*start(rules), *turn("Ana", "7h", 7), left("Ben")],
        lambda rules: turn("Cy", "6h", 13),
        "Ben",
        lambda rules: [out("Ben", "left"), *turn("Cy", "6h", 13)],
    ),
    Case(
        "last-standing",
        [ROLLING],
        one_hand,
        lambda rules: turn("Ben", "7h", 7),
        "Ben",
        lambda rules: [backs("Ana", ABC)],
    ),
    Case(
        "tokens",
        [rules for rules in SETS if rules != BORDERS],
        one_loss,
        lambda rules: [due(rules, "Ben")],
        "Ben",
        lambda rules: [due(rules)],
    ),
    Case(
        "border",
        [BORDERS],
        one_loss,
        lambda rules: [due(rules, "Ana", 2)],
        "Ana",
        lambda rules: [due(rules)],
    ),
    Case(
        "match",
        SETS,
        start,
        lambda rules: [gone("Ben")],
        "Ben",
        lambda rules: turn("Ana", "7h", 7),
    ),
    Case(
        "log-order",
        SETS,
        lambda rules: match(rules, ABC),
        lambda rules: [played("Ana", "7h", 7)],
        "Ana",
        lambda rules: [backs("Cy", ABC, size(rules))],
    ),
]  # fmt: skip

DEATH_CARD = {"death-card-target", "death-card-shield", "death-card-blowback"}
PRIZE = {"steal", "bonus", "slide", "prize", "loader"}
"""Parts of the engine that no set of the family switches on."""


def test_every_rule_of_the_family_is_among_the_cases() -> None:
    assert {case.rule for case in CASES} == RULES.keys() - DEATH_CARD - PRIZE


ALL_CASES = [(case, rules) for case in CASES for rules in case.sets]


def named(value: object) -> str:
    return value.rule if isinstance(value, Case) else str(value).removeprefix("ninety-nine-")


@pytest.mark.parametrize(("case", "rules"), ALL_CASES, ids=named)
def test_a_rule_is_reported_once_and_only_where_it_is_broken(case: Case, rules: str) -> None:
    given, wrong = case.given(rules), case.wrong(rules)
    assert_clean(given, case.right(rules))
    assert_reported(given, wrong[0], wrong[1:], rule=case.rule, player=case.player)


@each_set
@pytest.mark.parametrize(
    "prize",
    [won("Ana"), ev.HitTaken(player="Ana", prize="main", hits=1), ev.HitStolen(player="Ana", source="Ben")],
    ids=lambda event: type(event).__name__,
)
def test_nobody_wins_a_hand_or_a_hit(rules: str, prize: ev.Event) -> None:
    """A hand is only lost, so a win or a prize makes no sense."""
    assert_reported(start(rules), prize, turn("Ana", "7h", 7), rule="log-order", player="Ana")
    assert_clean(start(rules), loaded("Ben"), turn("Ana", "7h", 7))


@each_set
def test_there_is_no_loading_duty(rules: str) -> None:
    """It comes with the prize: anybody may load, whoever finished a bowl."""
    assert_clean(start(rules), leisure("Ana", finished=True), loaded("Ben"), turn("Ana", "7h", 7))


def test_a_game_without_tokens_knows_none() -> None:
    log = match("bong-hit-99", PAIR, backs("Ben", PAIR, 4), turn("Ana", "7h", 7))
    for event in (paid("Ana"), gone("Ana"), champion("Ana", 1)):
        assert_reported(log, event, turn("Ben", "6h", 13), rule="log-order", player="Ana")


# ---- tokens: who pays, how many, when ----


@pytest.mark.parametrize("rules", PAID_AT_ONCE)
def test_a_loss_is_paid_before_anything_else(rules: str) -> None:
    log = one_loss(rules)
    assert_clean(log, paid("Ana"), backs("Ana", ABC, size(rules)), turn("Ben", "2h", 2))
    assert_reported(log, backs("Ana", ABC, size(rules)), turn("Ben", "2h", 2), rule="tokens", player="Ana")
    assert_reported(log, paid("Ana", 2), backs("Ana", ABC, size(rules)), rule="tokens", player="Ana")
    assert_reported([*log, paid("Ana")], paid("Ana"), backs("Ana", ABC, size(rules)), rule="tokens", player="Ana")
    assert_reported(log, paid("Ana", 1, "exact"), backs("Ana", ABC, size(rules)), rule="tokens", player="Ana")


@each_set
def test_nothing_is_paid_for_an_ordinary_card(rules: str) -> None:
    after = [drew("Ana"), *turn("Ben", "6h", 13)]
    assert_reported([*start(rules), played("Ana", "7h", 7)], paid("Ana"), after, rule="tokens", player="Ana")


@pytest.mark.parametrize("rules", PAID_AT_ONCE)
def test_what_a_deal_says_of_tokens_must_be_right(rules: str) -> None:
    each = rules_named(rules).tokens
    assert each is not None
    has = {"Ana": each[1] - 1, "Ben": each[1], "Cy": each[1]}
    log = [*one_loss(rules), paid("Ana")]
    assert_clean(log, backs("Ana", ABC, size(rules), tokens=has))
    wrong = backs("Ana", ABC, size(rules), tokens={**has, "Cy": each[1] - 1})
    assert_reported(log, wrong, turn("Ben", "2h", 2), rule="tokens", player=None)


@pytest.mark.parametrize(
    ("rules", "each"),
    [
        (TOKENS, 3),
        (f"{TOKENS}+five-tokens", 5),
        (CHIPS, 5),
        (PENNIES, 5),
        (f"{PENNIES}+five-cards", 4),
        (ROLLING, 5),
        (BORDERS, 3),
    ],
)
def test_everybody_starts_with_so_many(rules: str, each: int) -> None:
    deal = backs("Cy", ABC, size(rules), tokens=dict.fromkeys(ABC.split(), each))
    assert_clean(match(rules, ABC, deal))
    wrong = backs("Cy", ABC, size(rules), tokens=dict.fromkeys(ABC.split(), each + 1))
    assert_reported(match(rules, ABC), wrong, turn("Ana", "2h", 2), rule="tokens", player=None)


@pytest.mark.parametrize("seats", [4, 5])
def test_five_tokens_are_for_two_or_three_players(seats: int) -> None:
    names = ["Ana", "Ben", "Cy", "Dee", "Eve"][:seats]
    deal = backs(names[-1], " ".join(names), tokens=dict.fromkeys(names, 3))
    assert_clean(match(f"{TOKENS}+five-tokens", " ".join(names), deal))


def test_a_card_that_loses_is_followed_by_no_draw() -> None:
    log = one_loss(TOKENS)
    assert_clean(log, paid("Ana"), backs("Ana", ABC))
    found = findings_of([*log, drew("Ana"), paid("Ana"), backs("Ana", ABC)])
    assert [line for line, _, _ in found] == [len(log) + 1]


# ---- choices ----


def ace(count: int | None, value: int | None = None, rules: str = CHIPS) -> list[Event]:
    """Ana has played an ace at zero."""
    return match(rules, ABC, backs("Cy", ABC), played("Ana", "Ah", count, value=value), drew("Ana"))


@pytest.mark.parametrize("rules", [TOKENS, CHIPS, PENNIES, BORDERS])
@pytest.mark.parametrize("number", [1, 11])
def test_a_choice_is_told_by_the_call_or_by_the_value(rules: str, number: int) -> None:
    for log in (ace(number, None, rules), ace(None, number, rules), ace(number, number, rules)):
        assert_clean(log, turn("Ben", "5h", number + 5), turn("Cy", "6h", number + 11))
        after = turn("Cy", "6h", number + 11)
        assert_reported(log, played("Ben", "5h", number + 4), drew("Ben"), after, rule="count-called", player="Ben")


@pytest.mark.parametrize(("count", "value"), [(7, None), (None, 7), (0, None), (None, -1), (7, 7), (1, 7)])
def test_a_choice_that_the_card_has_not_is_miscalled(count: int | None, value: int | None) -> None:
    assert findings_of(ace(count, value)) == [(3, "count-called", "Ana")]


@pytest.mark.parametrize("goes_on", [1, 11])
def test_a_choice_at_odds_with_the_call_is_one_finding_and_either_goes_on(goes_on: int) -> None:
    for log in (ace(11, 1), ace(1, 11)):
        after = flat([turn("Ben", "5h", goes_on + 5), turn("Cy", "6h", goes_on + 11)])
        assert findings_of([*log, *after]) == [(3, "count-called", "Ana")]
    neither = [*ace(11, 1), *turn("Ben", "5h", 7)]
    assert findings_of(neither) == [(3, "count-called", "Ana"), (5, "count-called", "Ben")]


def test_a_choice_that_nobody_noted_is_open_until_a_total_is_said() -> None:
    log = ace(None)
    assert audited(log).table.count is None
    assert_clean(log, turn("Ben", "5h", 6), turn("Cy", "6h", 12))
    assert_clean(log, turn("Ben", "5h", 16), turn("Cy", "6h", 22))
    assert_clean(log, played("Ben", "5h", None), drew("Ben"), turn("Cy", "Kh", 99), turn("Ana", "9h", 99))
    said = [*log, *turn("Ben", "5h", 16)]
    assert_reported(said, played("Cy", "6h", 21), drew("Cy"), turn("Ana", "7h", 29), rule="count-called", player="Cy")


def test_a_choice_that_nobody_noted_proves_nothing() -> None:
    """The total is unknown, so no finding rests on it."""
    assert_clean(ace(None), turn("Ben", "5h", 7), turn("Cy", "6h", 13))
    high = match(CHIPS, ABC, backs("Cy", ABC), recounted(94), played("Ana", "Th", None), drew("Ana"))
    assert_clean(high, turn("Ben", "5h", 89))


@pytest.mark.parametrize(
    ("card", "rightly", "wrongly", "rule"),
    [
        ("Th", 85, 105, "limit"),
        ("Ah", 96, 106, "limit"),
        ("Th", 85, 95, "count-called"),
        ("9h", 95, 104, "count-called"),
    ],
)
def test_a_choice_over_the_limit_can_not_be_made(card: str, rightly: int, wrongly: int, rule: str) -> None:
    for rules in REFUSING:
        log = match(rules, ABC, backs("Cy", ABC, size(rules)), recounted(95))
        assert_clean(log, turn("Ana", card, rightly), turn("Ben", "Kh", 99))
        assert_reported(log, played("Ana", card, wrongly), drew("Ana"), turn("Ben", "Kh", 99), rule=rule, player="Ana")


@pytest.mark.parametrize("goes_on", [85, 99])
def test_a_choice_over_the_limit_goes_on_from_the_limit_or_from_what_the_card_gives(goes_on: int) -> None:
    log = match(CHIPS, ABC, backs("Cy", ABC), recounted(95))
    after = [drew("Ana"), *turn("Ben", "9h", goes_on), *turn("Cy", "9d", goes_on)]
    assert_reported(log, played("Ana", "Th", 105), after, rule="limit", player="Ana")


def test_a_choice_over_the_limit_may_be_told_by_the_value() -> None:
    log = match(CHIPS, ABC, backs("Cy", ABC), recounted(95))
    assert_clean(log, played("Ana", "Th", None, value=-10), drew("Ana"), turn("Ben", "9h", 85))
    after = [drew("Ana"), *turn("Ben", "9h", 99)]
    assert_reported(log, played("Ana", "Th", None, value=10), after, rule="limit", player="Ana")


def test_a_value_may_stand_beside_any_card() -> None:
    log = start(CHIPS)
    assert_clean(log, played("Ana", "7h", 7, value=7), drew("Ana"), played("Ben", "9h", 7, value=0))
    wrong = played("Ana", "7h", 7, value=6)
    assert_reported(log, wrong, drew("Ana"), turn("Ben", "6h", 13), rule="count-called", player="Ana")


def test_an_unseen_card_may_be_any_that_gives_the_call() -> None:
    log = start(CHIPS)
    assert_clean(log, played("Ana", None, 11), drew("Ana"))
    assert_clean(log, played("Ana", None, None, value=-10), drew("Ana"), turn("Ben", "6h", -4))
    assert_reported(log, played("Ana", None, 50), drew("Ana"), rule="count-called", player="Ana")


# ---- forgotten draws ----


def test_a_forgotten_draw_falls_away_with_the_hand() -> None:
    for rules in (CHIPS, PENNIES):
        log = match(rules, ABC, backs("Cy", ABC), played("Ana", "Kh", 99), out("Ben"), paid("Ben"))
        assert_clean(log, backs("Ana", ABC), turn("Ben", "5h", 5), turn("Cy", "6h", 11), turn("Ana", "7h", 18))
    log = match(TOKENS, ABC, backs("Cy", ABC), played("Ana", "Kh", 99), played("Ben", "5h", 104), paid("Ben"))
    assert_clean(log, backs("Ana", ABC), turn("Ben", "5h", 5), turn("Cy", "6h", 11), turn("Ana", "7h", 18))


def test_a_forgotten_draw_of_two_players() -> None:
    for rules in (TOKENS, CHIPS):
        both = [*forgot(rules), played("Cy", "7h", 18)]
        assert_clean(both, drew("Ana"), drew("Cy"))
        assert_clean(both, drew("Cy"), turn("Ana", "8h", 26) if rules == CHIPS else drew("Ana"))
    both = [*forgot(TOKENS), played("Cy", "7h", 18), drew("Ben"), drew("Cy"), drew("Ana")]
    assert_clean(both, turn("Ana", "8h", 26))
    assert_reported([*forgot(CHIPS), drew("Ben")], drew("Ana"), turn("Cy", "7h", 18), rule="draw", player="Ana")


@pytest.mark.parametrize("rules", [TOKENS, CHIPS, PENNIES])
def test_a_draw_that_nobody_owes_is_reported(rules: str) -> None:
    log = [*forgot(rules), drew("Ben")]
    assert_reported(log, drew("Cy"), turn("Cy", "7h", 18), rule="draw", player="Cy")
    assert_reported(log, drew("Ben"), turn("Cy", "7h", 18), rule="draw", player="Ben")


@pytest.mark.parametrize("rules", [CHIPS, PENNIES])
def test_a_player_without_any_card_is_out(rules: str) -> None:
    log = match(rules, PAIR, backs("Ben", PAIR))
    for mine, yours, count in (("2h", "2d", 0), ("3h", "3d", 4), ("5h", "5d", 10)):
        log += [played("Ana", mine, count + int(mine[0])), *turn("Ben", yours, count + 2 * int(mine[0]))]
    assert_clean(log, out("Ana"), paid("Ana"), backs("Ana", PAIR))
    assert_reported(log, out("Ben"), rule="turn-order", player="Ben") if False else None


# ---- two decks ----

FIVE = "Ana Ben Cy Dee Eve"
FOUR = "Ana Ben Cy Dee"


@pytest.mark.parametrize(("rules", "players"), [(TOKENS, FOUR), (CHIPS, FIVE), (PENNIES, FIVE), (BORDERS, FIVE)])
def test_with_two_decks_a_card_may_be_there_twice(rules: str, players: str) -> None:
    names = players.split()
    log = match(rules, players, backs(names[-1], players, Ben="7h 7h 2c"), turn("Ana", "5h", 5))
    assert_clean(log, turn("Ben", "7h", 12), turn("Cy", "5h", 17))
    assert_reported([*log, *turn("Ben", "7h", 12)], played("Cy", "7h", 19), drew("Cy"), rule="hold-card", player="Cy")
    twice = [*log, *turn("Ben", "7h", 12), *turn("Cy", "5h", 17)]
    assert_reported(twice, played("Dee", "5h", 22), drew("Dee"), rule="deck", player="Dee")


@pytest.mark.parametrize(("rules", "players"), [(TOKENS, ABC), (CHIPS, FOUR), (PENNIES, FOUR)])
def test_with_one_deck_a_card_is_there_once(rules: str, players: str) -> None:
    last = players.split()[-1]
    assert_reported(match(rules, players), backs(last, players, Ben="7h 7h 2c"), rule="deck", player=None)


def test_with_two_decks_a_card_is_not_dealt_three_times() -> None:
    log = match(CHIPS, FIVE)
    assert_reported(log, backs("Eve", FIVE, Ben="7h 7h 2c", Cy="7h 2d 3d"), rule="deck", player=None)
    hands = {name: f"{rank}h {rank}h {rank}d" for name, rank in zip(FIVE.split(), "23567", strict=True)}
    assert_clean(log, fronts("Eve", "Ac Ac", [*DECK, *DECK], **hands), turn("Ana", "2h", 2, drawn="Ac"))
    one_short = fronts("Eve", "", [*DECK, *DECK], **hands)
    assert one_short.stock is not None
    short = msgspec.structs.replace(one_short, stock=one_short.stock[1:])
    assert_reported(log, short, rule="deck", player=None)


def test_with_two_decks_each_of_two_cards_is_played_once_from_a_hand() -> None:
    hands = {name: f"{rank}h {rank}s {rank}d" for name, rank in zip(FIVE.split(), "23567", strict=True)}
    log = match(CHIPS, FIVE, fronts("Eve", "2h", [*DECK, *DECK], **hands), turn("Ana", "2h", 2, drawn="2h"))
    log += flat([turn("Ben", "3h", 5), turn("Cy", "5h", 10), turn("Dee", "6h", 16), turn("Eve", "7h", 23)])
    assert_clean(log, turn("Ana", "2h", 25))
    assert_reported([*log, *turn("Ana", "2h", 25)], played("Ben", "2h", 27), drew("Ben"), rule="deck", player="Ben")


# ---- borders ----


def bordered(count: int, *parts: Part) -> list[Event]:
    return match(BORDERS, ABC, backs("Cy", ABC), recounted(count), *parts)


@pytest.mark.parametrize(
    ("before", "card", "after"),
    [(33, "Ah", 34), (30, "4h", 34), (66, "2h", 68), (60, "Kh", 70), (40, "Th", 30), (34, "Th", 24), (75, "Th", 65)],
)
def test_a_border_costs_a_point_either_way(before: int, card: str, after: int) -> None:
    log = bordered(before, played("Ana", card, after))
    assert_clean(log, paid("Ana", 1, "border"), drew("Ana"), turn("Ben", "9h", after))
    assert_reported(log, drew("Ana"), turn("Ben", "9h", after), rule="border", player="Ana")
    goes_on = [drew("Ana"), *turn("Ben", "9h", after)]
    assert_reported(log, paid("Ana", 2, "border"), goes_on, rule="border", player="Ana")
    assert_reported(log, paid("Ben", 1, "border"), goes_on, rule="border", player="Ben")


@pytest.mark.parametrize(
    ("before", "card", "after"),
    [(30, "3h", 33), (34, "2h", 36), (43, "Th", 33), (43, "9h", 43), (89, "Jh", 99), (44, "Th", 34)],
)
def test_a_border_is_not_crossed_by_reaching_it(before: int, card: str, after: int) -> None:
    crossed = (before <= 33) != (after <= 33)
    assert crossed == (after == 33 and before == 43)
    log = bordered(before, played("Ana", card, after))
    if crossed:
        assert_clean(log, paid("Ana", 1, "border"), drew("Ana"))
        return
    assert_clean(log, drew("Ana"), turn("Ben", "9d", after))
    assert_reported(log, paid("Ana", 1, "border"), drew("Ana"), turn("Ben", "9d", after), rule="border", player="Ana")


def test_with_borders_other_cards_are_special() -> None:
    log = bordered(5)
    assert_clean(log, turn("Ana", "8h", 5), turn("Cy", "4h", 9), turn("Ben", "Kh", 19))
    assert_reported(log, played("Ana", "Kh", 99), drew("Ana"), turn("Ben", "9h", 15), rule="count-called", player="Ana")
    assert_reported(log, played("Ana", "4h", 5), drew("Ana"), turn("Ben", "9h", 9), rule="count-called", player="Ana")


def test_with_borders_the_hand_ends_over_the_limit() -> None:
    log = bordered(95, played("Ana", "5h", 100), paid("Ana", 1, "border"))
    assert_clean(log, backs("Ana", ABC, tokens=dict.fromkeys(ABC.split(), 3)), turn("Ben", "5h", 5))
    assert audited(log).table.scores == {"Ana": 2, "Ben": 3, "Cy": 3}
    found = findings_of([*log, *turn("Ben", "9h", 100)])
    assert {line for line, _, _ in found} == {len(log) + 1}


def test_with_borders_several_may_be_crossed_by_one_card() -> None:
    leap = {"base": BORDERS, "name": "leap", "effects": {"K": {"set": 99}}}
    log = match(leap, ABC, backs("Cy", ABC), played("Ana", "Kh", 99))
    assert_clean(log, paid("Ana", 2, "border"), drew("Ana"))
    assert_reported(log, paid("Ana", 1, "border"), drew("Ana"), rule="border", player="Ana")


# ---- miscalled totals that cost something, or should have (R6) ----


def test_a_miscalled_total_that_hides_a_loss_is_one_finding_if_the_table_goes_on() -> None:
    """98 and 5 are 103; said is 99, nobody notices, and the next player passes at 99."""
    log = match(TOKENS, ABC, backs("Cy", ABC), recounted(98))
    goes_on = [drew("Ana"), *turn("Ben", "9h", 99), *turn("Cy", "Th", 89)]
    assert_reported(log, played("Ana", "5h", 99), goes_on, rule="count-called", player="Ana")
    lost_all_the_same = [paid("Ana"), backs("Ana", ABC), *turn("Ben", "2h", 2)]
    assert_reported(log, played("Ana", "5h", 99), lost_all_the_same, rule="count-called", player="Ana")


def test_a_miscalled_total_that_invents_a_loss_is_one_finding_if_the_table_goes_by_it() -> None:
    """90 and 5 are 95; said is 100, and Ana pays for it."""
    log = match(TOKENS, ABC, backs("Cy", ABC), recounted(90))
    as_said = [paid("Ana"), backs("Ana", ABC), *turn("Ben", "2h", 2)]
    assert_reported(log, played("Ana", "5h", 100), as_said, rule="count-called", player="Ana")
    as_the_cards = [drew("Ana"), *turn("Ben", "9h", 95)]
    assert_reported(log, played("Ana", "5h", 100), as_the_cards, rule="count-called", player="Ana")


def test_a_miscalled_total_is_one_finding_whichever_border_is_then_paid_for() -> None:
    """30 and 5 are 35; said is 33: Ana has crossed the border, or the next player does."""
    log = bordered(30)
    as_said = [drew("Ana"), played("Ben", "2h", 35), paid("Ben", 1, "border"), drew("Ben"), *turn("Cy", "9h", 35)]
    assert_reported(log, played("Ana", "5h", 33), as_said, rule="count-called", player="Ana")
    as_the_cards = [paid("Ana", 1, "border"), drew("Ana"), *turn("Ben", "2h", 37)]
    assert_reported(log, played("Ana", "5h", 33), as_the_cards, rule="count-called", player="Ana")


def test_a_miscalled_total_is_one_finding_whether_it_was_an_exact_hit_or_not() -> None:
    log = match(EXACT, ABC, backs("Cy", ABC), recounted(23))
    goes_on = [drew("Ana"), *turn("Ben", "2h", 36)]
    assert_reported(log, played("Ana", "Jh", 34), goes_on, rule="count-called", player="Ana")
    short = match(EXACT, ABC, backs("Cy", ABC), recounted(22))
    hit = [paid("Ben", 1, "exact"), paid("Cy", 1, "exact"), drew("Ana"), *turn("Ben", "2h", 35)]
    assert_reported(short, played("Ana", "Jh", 33), hit, rule="count-called", player="Ana")


# ---- voided hands ----


def test_a_void_brings_tokens_back() -> None:
    log = match(ROLLING, ABC, at_99("Cy", ABC, "Ben"), out("Ben"), paid("Ben"), turn("Cy", "5h", 5), voided())
    each = dict.fromkeys(ABC.split(), 5)
    assert_clean(log, backs("Cy", ABC, tokens=each), turn("Ana", "5h", 5))
    assert_reported(log, backs("Ana", ABC), turn("Ben", "5h", 5), rule="dealer-rotation", player=None)
    assert_reported(log, backs("Cy", ABC, tokens={**each, "Ben": 4}), rule="tokens", player=None)


def test_a_void_brings_tokens_back_and_who_was_knocked_out() -> None:
    short = {"base": ROLLING, "name": "one-penny", "tokens": {"1": 1}}
    log = match(short, ABC, at_99("Cy", ABC, "Ben"), out("Ben"), paid("Ben"), gone("Ben"), turn("Cy", "5h", 5))
    assert_clean(log, voided(), backs("Cy", ABC), turn("Ana", "5h", 5), turn("Ben", "6h", 11))
    assert_reported([*log, voided()], backs("Cy", "Ana Cy"), turn("Ana", "5h", 5), rule="deal", player=None)


def test_a_void_brings_points_back() -> None:
    log = bordered(33, played("Ana", "2h", 35), paid("Ana", 1, "border"), drew("Ana"), voided())
    assert_clean(log, backs("Cy", ABC), turn("Ana", "5h", 5))
    assert audited(log).table.scores == {"Ana": 0, "Ben": 0, "Cy": 0}


def test_a_hand_that_was_lost_and_paid_is_over_and_can_not_be_voided() -> None:
    log = [*one_loss(CHIPS), paid("Ana")]
    assert_reported(log, voided(), rule="log-order", player=None)


# ---- the match ----


def ana_is_broke(rules: str) -> list[Event]:
    """Ben has lost a hand, and Ana then all that she had."""
    tokens = rules_named(rules).tokens
    assert tokens is not None
    losers = ["Ben", *["Ana"] * tokens[1]]
    return match(rules, PAIR, *(lost(rules, PAIR.split()[1 - n % 2], PAIR, loser) for n, loser in enumerate(losers)))


@pytest.mark.parametrize(
    ("rules", "wins"),
    [
        (TOKENS, 2),
        (f"{TOKENS}+five-tokens", 4),
        (f"{TOKENS}+winner-takes-tokens", 6),
        (f"{TOKENS}+five-tokens+winner-takes-tokens", 10),
        (CHIPS, 10),
        (PENNIES, 4),
    ],
)
def test_the_winner_of_a_match_has_so_many(rules: str, wins: int) -> None:
    log = ana_is_broke(rules)
    assert_clean(log, gone("Ana"), champion("Ben", wins), ev.GameClosed())
    assert_reported([*log, gone("Ana")], champion("Ben", wins + 1), ev.GameClosed(), rule="match", player="Ben")
    assert_reported([*log, gone("Ana")], champion("Ana", wins), ev.GameClosed(), rule="match", player="Ana")
    assert_reported([*log, gone("Ana")], ev.GameClosed(), rule="match", player="Ben")


def test_nobody_is_dealt_in_after_being_knocked_out() -> None:
    short = {"base": CHIPS, "name": "one-chip", "tokens": {"1": 1}}
    log = match(short, ABC, at_99("Cy", ABC, "Ben"), out("Ben"), paid("Ben"), gone("Ben"))
    assert_clean(log, backs("Ana", "Ana Cy"), turn("Cy", "5h", 5), turn("Ana", "6h", 11))
    assert_reported(log, backs("Ana", ABC), rule="deal", player=None)
    assert_reported(log, backs("Ben", "Ana Cy"), rule="dealer-rotation", player=None)


def test_a_match_that_nobody_said_was_won_is_one_finding_and_a_new_one_begins() -> None:
    log = [*ana_is_broke(CHIPS), gone("Ana")]
    again = [*turn("Ana", "5h", 5), *turn("Ben", "6h", 11)]
    assert_reported(log, backs("Ben", PAIR), again, rule="match", player="Ben")


def test_nothing_is_dealt_after_the_match() -> None:
    log = [*ana_is_broke(CHIPS), gone("Ana"), champion("Ben", 10)]
    assert_reported(log, backs("Ben", PAIR), rule="match", player=None)
    assert_reported(log, champion("Ben", 10), rule="match", player="Ben")


def test_what_is_due_comes_in_order() -> None:
    """All who pay, in the order of the seats; then who is out of the match; then who has won it."""
    short = {**EXACT, "name": "one-chip", "tokens": {"1": 1}}
    log = match(short, ABC, backs("Cy", ABC), turn("Ana", "3h", 3), recounted(23), played("Ben", "Jh", 33))
    payments = [paid("Ana", 1, "exact"), paid("Cy", 1, "exact")]
    assert_clean(log, payments, gone("Ana"), gone("Cy"), champion("Ben", 3), ev.GameClosed())
    assert_reported([*log, payments[0]], gone("Ana"), rule="tokens", player="Cy")
    assert_reported([*log, *payments, gone("Ana")], champion("Ben", 3), rule="match", player="Cy")
    assert_reported([*log, *payments, gone("Ana"), gone("Cy")], ev.GameClosed(), rule="match", player="Ben")


# ---- leaving a match ----


def test_who_leaves_between_hands_is_out_of_the_match() -> None:
    log = [*match(CHIPS, ABC, lost(CHIPS, "Cy", ABC, "Ben")), left("Ana")]
    assert_clean(log, backs("Ben", "Ben Cy"), turn("Cy", "5h", 5), turn("Ben", "6h", 11))
    assert_reported(log, backs("Ben", ABC), rule="deal", player=None)


def test_who_leaves_inside_a_hand_is_out_and_pays_nothing() -> None:
    log = [*start(CHIPS), *turn("Ana", "5h", 5), left("Ben"), out("Ben", "left")]
    assert_clean(log, turn("Cy", "6h", 11), turn("Ana", "7h", 18))
    assert_reported(log, paid("Ben"), turn("Cy", "6h", 11), rule="tokens", player="Ben")


def test_the_last_one_at_the_table_has_won_the_match() -> None:
    between = [*match(PENNIES, PAIR, lost(PENNIES, "Ben", PAIR, "Ana")), left("Ben")]
    assert_clean(between, champion("Ana", 4), ev.GameClosed())
    assert_reported(between, champion("Ben", 5), rule="match", player="Ben")
    assert_reported(between, ev.GameClosed(), rule="match", player="Ana")
    inside = [*start(PENNIES, PAIR), *turn("Ana", "5h", 5), left("Ben"), out("Ben", "left")]
    assert_clean(inside, champion("Ana", 5), ev.GameClosed())
    assert_reported(inside, ev.GameClosed(), rule="match", player="Ana")


def test_the_dealer_who_left_is_followed_by_the_next_seat() -> None:
    log = [*match(CHIPS, ABC, lost(CHIPS, "Ben", ABC, "Cy")), left("Ben")]
    assert_clean(log, backs("Cy", "Ana Cy"), turn("Ana", "5h", 5))
    assert_reported(log, backs("Ana", "Ana Cy"), rule="dealer-rotation", player=None)


# ---- out, in a hand that goes on ----


def test_a_stuck_player_is_not_passed_over() -> None:
    hands = {"Ana": "Kh 2h 3h", "Ben": "2d 3d 6d", "Cy": "9c 3c 6c"}
    for rules in (CHIPS, PENNIES, ROLLING):
        log = match(rules, ABC, fronts("Cy", "7h", **hands), turn("Ana", "Kh", 99, drawn="7h"))
        assert_clean(log, out("Ben"), paid("Ben"))
        assert_reported(log, played("Cy", "9c", 99), rule="out", player="Ben")
        assert_reported(log, out("Ana"), rule="out", player="Ben")


def test_cards_are_laid_down_and_may_be_shown_when_the_hand_is_over() -> None:
    hands = {"Ana": "Kh 2h 3h", "Ben": "2d 3d 6d", "Cy": "9c 3c 6c"}
    log = match(CHIPS, ABC, fronts("Cy", "7h", **hands), turn("Ana", "Kh", 99, drawn="7h"), out("Ben"), paid("Ben"))
    assert_clean(log, shown("Ben", "2d 3d 6d"), backs("Ana", ABC))
    blind = match(CHIPS, ABC, backs("Cy", ABC), turn("Ana", "Kh", 99), out("Ben"), paid("Ben"))
    assert_clean(blind, shown("Ben", "2d 3d 6d"), backs("Ana", ABC))
    assert findings_of([*blind, shown("Ben", "9d 3d 6d")]) == [(5, "must-play", "Ben")]


# ---- the three house rules ----

SKIP: dict[str, Any] = {
    "name": "skip-three",
    "base": CHIPS,
    "hand_size": 4,
    "effects": {"3": {"add": [3], "then": "skip"}, "9": {"set": 99}, "K": {"add": [0]}},
}
CHOOSE: dict[str, Any] = {
    "name": "five-chooses",
    "base": CHIPS,
    "hand_size": 5,
    "floor": 0,
    "effects": {"5": {"add": [5], "then": "choose"}, "J": {"add": [0]}, "Q": {"add": [20, -20]}},
}
EXACT: dict[str, Any] = {"name": "exact-hits", "base": CHIPS, "exact_hits": [33, 66, 99]}


def test_skip_three_passes_over_the_next_player() -> None:
    log = match(SKIP, ABC, backs("Cy", ABC, 4), turn("Ana", "3h", 3))
    assert_clean(log, turn("Cy", "5h", 8), turn("Ana", "9h", 99), turn("Ben", "Kh", 99))
    assert_reported(log, played("Ben", "5h", 8), drew("Ben"), turn("Cy", "6h", 14), rule="turn-order", player="Ben")
    pair = match(SKIP, PAIR, backs("Ben", PAIR, 4), turn("Ana", "3h", 3))
    assert_clean(pair, turn("Ana", "5h", 8), turn("Ben", "6h", 14))
    assert_reported(pair, played("Ben", "5h", 8), drew("Ben"), turn("Ana", "6h", 14), rule="turn-order", player="Ben")


def test_skip_three_has_other_cards() -> None:
    log = match(SKIP, ABC, backs("Cy", ABC, 4))
    assert_clean(log, turn("Ana", "Kh", 0), turn("Ben", "9h", 99), turn("Cy", "Kd", 99))
    assert_reported(log, played("Ana", "Kh", 99), drew("Ana"), turn("Ben", "5h", 5), rule="count-called", player="Ana")
    assert_reported(log, played("Ana", "9h", 0), drew("Ana"), turn("Ben", "Kd", 99), rule="count-called", player="Ana")
    assert_reported(match(SKIP, ABC), backs("Cy", ABC, 3), rule="deal", player=None)


def test_five_chooses_who_is_next() -> None:
    log = match(CHOOSE, FOUR, backs("Dee", FOUR, 5))
    assert_clean(log, turn("Ana", "5h", 5, "Cy"), turn("Cy", "6h", 11), turn("Dee", "7h", 18))
    chosen = [*log, *turn("Ana", "5h", 5, "Cy")]
    assert_reported(chosen, played("Ben", "6h", 11), drew("Ben"), turn("Cy", "7h", 18), rule="turn-order", player="Ben")
    assert_reported(log, played("Ana", "5h", 5, "Ana"), drew("Ana"), rule="turn-order", player="Ana")
    assert_reported(log, played("Ana", "5h", 5, "Zed"), drew("Ana"), rule="turn-order", player="Ana")


@pytest.mark.parametrize("player", ["Ben", "Cy", "Dee"])
def test_five_chooses_who_is_next_though_nobody_noted_whom(player: str) -> None:
    log = match(CHOOSE, FOUR, backs("Dee", FOUR, 5), turn("Ana", "5h", 5))
    assert_clean(log, turn(player, "6h", 11))


def test_five_chooses_who_is_next_and_our_service_always_says_whom() -> None:
    log = match(CHOOSE, FOUR, backs("Dee", FOUR, 5), source="service")
    assert_reported(log, played("Ana", "5h", 5), drew("Ana"), turn("Ben", "6h", 11), rule="turn-order", player="Ana")


def test_a_card_that_chooses_nobody_points_at_nobody() -> None:
    log = match(CHOOSE, FOUR, backs("Dee", FOUR, 5))
    wrong = played("Ana", "6h", 6, "Cy")
    found = findings_of([*log, wrong, drew("Ana"), *turn("Ben", "7h", 13)])
    assert [(line, player) for line, _, player in found] == [(3, "Ana")]


@pytest.mark.parametrize(
    ("before", "card", "over", "under"), [(5, "Th", 15, -5), (15, "Qh", 35, -5), (0, "Th", 10, -10)]
)
def test_never_below_the_floor(before: int, card: str, over: int, under: int) -> None:
    """Like the limit: the choice that would go there can't be made."""
    log = match(CHOOSE, ABC, backs("Cy", ABC, 5), recounted(before))
    assert_clean(log, turn("Ana", card, over), turn("Ben", "6h", over + 6))
    assert_clean(log, played("Ana", card, None), drew("Ana"), turn("Ben", "6h", over + 6))
    goes_on = [drew("Ana"), *turn("Ben", "6h", over + 6)]
    assert_reported(log, played("Ana", card, under), goes_on, rule="limit", player="Ana")


@pytest.mark.parametrize("goes_on", [15, 0])
def test_never_below_the_floor_and_it_goes_on_from_there_or_from_what_the_card_gives(goes_on: int) -> None:
    log = match(CHOOSE, ABC, backs("Cy", ABC, 5), recounted(5))
    after = [drew("Ana"), *turn("Ben", "9h", goes_on), *turn("Cy", "9d", goes_on)]
    assert_reported(log, played("Ana", "Th", -5), after, rule="limit", player="Ana")


def test_never_below_the_floor_but_down_to_it() -> None:
    log = match(CHOOSE, ABC, backs("Cy", ABC, 5), recounted(20))
    assert_clean(log, turn("Ana", "Qh", 0), turn("Ben", "Jh", 0))
    assert_clean(log, turn("Ana", "Qh", 40))
    assert_reported(match(CHOOSE, ABC, backs("Cy", ABC, 5)), recounted(-1), rule="limit", player=None)


def test_never_below_the_floor_and_a_card_with_no_other_choice_can_not_be_played() -> None:
    down = {"base": CHIPS, "name": "down", "floor": 0, "effects": {"T": {"add": [-10]}}}
    hands = {"Ana": "Th Td Ts", "Ben": "2d 3d 6d", "Cy": "9c 3c 6c"}
    log = match(down, ABC, fronts("Cy", "7h", **hands))
    assert_clean(log, out("Ana"), paid("Ana"))
    assert_reported(log, played("Ana", "Th", -10), rule="limit", player="Ana")


@pytest.mark.parametrize(("before", "card", "total"), [(23, "Jh", 33), (43, "Th", 33), (60, "6h", 66), (50, "Kh", 99)])
def test_exact_hits_cost_each_other_player_a_token(before: int, card: str, total: int) -> None:
    log = match(EXACT, ABC, backs("Cy", ABC), turn("Ana", "2h", 2), recounted(before), played("Ben", card, total))
    goes_on = [drew("Ben"), *turn("Cy", "9h", total)]
    assert_clean(log, paid("Ana", 1, "exact"), paid("Cy", 1, "exact"), goes_on)
    assert_reported(log, paid("Cy", 1, "exact"), goes_on, rule="tokens", player="Ana")
    assert_reported([*log, paid("Ana", 1, "exact")], drew("Ben"), turn("Cy", "9h", total), rule="tokens", player="Cy")
    both = [*log, paid("Ana", 1, "exact"), paid("Cy", 1, "exact")]
    assert_reported(both, paid("Ben", 1, "exact"), goes_on, rule="tokens", player="Ben")


def hit_exactly() -> list[Event]:
    """Ben has brought the total to 33."""
    return match(EXACT, ABC, backs("Cy", ABC), turn("Ana", "2h", 2), recounted(23), played("Ben", "Jh", 33))


def test_exact_hits_that_nobody_pays_name_the_first_who_should_have() -> None:
    found = findings_of(flat([hit_exactly(), drew("Ben"), turn("Cy", "9h", 33)]))
    assert {(line, rule) for line, rule, _ in found} == {(7, "tokens")}
    assert found[0][2] == "Ana"


def test_exact_hits_that_are_paid_in_the_wrong_order_are_one_finding() -> None:
    """Everybody pays who should, so only the order is wrong."""
    swapped = [paid("Cy", 1, "exact"), paid("Ana", 1, "exact")]
    found = findings_of(flat([hit_exactly(), swapped, drew("Ben"), turn("Cy", "9h", 33)]))
    assert [(line, rule) for line, rule, _ in found] == [(7, "tokens")]


@pytest.mark.parametrize(("before", "card"), [(33, "9h"), (66, "4h"), (99, "Kh"), (99, "9h")])
def test_exact_hits_cost_nothing_where_the_total_stays(before: int, card: str) -> None:
    log = match(EXACT, ABC, backs("Cy", ABC), recounted(before), played("Ana", card, before))
    assert_clean(log, drew("Ana"))
    assert_reported(log, paid("Ben", 1, "exact"), drew("Ana"), rule="tokens", player="Ben")


def test_exact_hits_knock_out_inside_a_hand() -> None:
    short = {**EXACT, "name": "one-chip", "tokens": {"1": 2}}
    log = match(short, ABC, at_99("Cy", ABC, "Ana")[:2], paid("Ben", 1, "exact"), paid("Cy", 1, "exact"), drew("Ana"))
    log += [*turn("Ben", "9h", 99), out("Cy"), paid("Cy"), gone("Cy")]
    assert_clean(log, backs("Ana", PAIR), turn("Ben", "5h", 5))


def test_exact_hits_knock_out_inside_a_hand_and_the_others_play_on() -> None:
    short = {**EXACT, "name": "few-chips", "tokens": {"1": 2}}
    first = [*turn("Ana", "2h", 2), recounted(23), played("Ben", "Jh", 33)]
    first += [paid("Ana", 1, "exact"), paid("Cy", 1, "exact"), drew("Ben")]
    log = match(short, ABC, backs("Cy", ABC), first, recounted(56), played("Cy", "Jd", 66))
    log += [paid("Ana", 1, "exact"), paid("Ben", 1, "exact"), gone("Ana"), drew("Cy")]
    assert_clean(log, turn("Ben", "5h", 71), turn("Cy", "6h", 77))
    assert_reported(log, played("Ana", "5h", 71), rule="out", player="Ana")


# ---- how it is built (docs/adr, 0038 and 0039) ----


def test_every_event_has_its_move_and_no_move_knows_the_referee() -> None:
    assert set(APPLY) == set(ev.EVENT_TYPES.values())
    for file in (Path(__file__).parent.parent / "domain/moves").glob("*.py"):
        assert not re.search(r"domain\.(referee|readings)", file.read_text("utf-8")), file


def test_a_count_is_a_table_of_cards_to_totals() -> None:
    at = counts_of(rules_named(CHIPS))[95]
    assert [at.totals(card) for card in ("Ah", "Th", "9h", "4h", "Kh")] == [(96,), (85,), (95,), (95,), (99,)]
    assert counts_of(rules_named(CHIPS))[50].totals("Ah") == (51, 61)
    assert "5h" not in at
    assert {card[0] for card in at.close} == {"4"}, "the others only lead to a total"
    over = counts_of(rules_named(TOKENS))[95]
    assert over.totals("5h") == (100,)
    assert "5h" in over.close


def test_a_copy_of_a_table_shares_no_pile_that_was_taken_away() -> None:
    bare = {"base": ROLLING, "name": "bare", "tokens": False, "forgotten_draw": "fault"}
    log = match(bare, ABC, at_99("Cy", ABC, "Ben"))
    table = audited(log).table
    copy = table.copy()
    apply(copy, out("Ben"))
    assert len(copy.aside) == 1
    assert table.aside == []


def test_deal_more_than_the_decks_serve_whatever_a_set_allows() -> None:
    ours = {"base": CHIPS, "name": "crowded", "hand_size": 5, "most_seats": 40, "decks": {"1": 1}}
    ten, eleven = (" ".join(f"P{seat}" for seat in range(seats)) for seats in (10, 11))
    assert_clean(match(ours, ten), backs("P9", ten, 5))
    assert_reported(match(ours, eleven), backs("P10", eleven, 5), rule="deal", player=None)


# ---- a set as plain data ----

ALL_SETS = [
    *EDITIONS,
    *(f"{name}+{option}" for name, options in OPTIONS.items() for option in options),
    f"{TOKENS}+five-tokens+winner-takes-tokens",
    f"{PENNIES}+five-cards+rolling+four-again",
]


def as_data(rules: RuleSet) -> dict[str, Any]:
    """A set printed in full, under another name."""
    printed: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(rules, str_keys=True)))
    return {**printed, "name": "printed"}


@pytest.mark.parametrize("name", ALL_SETS)
def test_a_set_that_is_printed_reads_back_the_same(name: str) -> None:
    rules = rules_named(name)
    back = rules_from(as_data(rules))
    assert msgspec.structs.replace(back, name=rules.name) == rules
    with_base = rules_from({"name": "based", "base": name})
    assert msgspec.structs.replace(with_base, name=rules.name) == rules


@pytest.mark.parametrize(("case", "rules"), ALL_CASES, ids=named)
def test_a_set_that_a_log_carries_judges_like_the_one_it_names(case: Case, rules: str) -> None:
    inline = as_data(rules_named(rules))
    for what in (case.right, case.wrong):
        log = flat([case.given(rules), what(rules)])
        carrying = [msgspec.structs.replace(log[0], rules=inline), *log[1:]]
        assert findings_of(carrying) == findings_of(log)


@pytest.mark.parametrize("data", [SKIP, CHOOSE, EXACT], ids=lambda data: str(data["name"]))
def test_a_house_rule_that_is_printed_in_full_reads_back_the_same(data: dict[str, Any]) -> None:
    rules = rules_from(data)
    full = {**as_data(rules), "name": rules.name}
    assert "base" not in full
    assert rules_from(full) == rules


def test_a_key_that_is_false_takes_away() -> None:
    rules = rules_from({"name": "no-borders", "base": BORDERS, "score_to": False, "says": {"8": False}})
    assert rules.score_to is None
    assert rules.says.keys() == {"9"}
    bare = rules_from({"name": "bare", "base": "bong-hit-99", "death_card": False, "prize": False, "at_limit": False})
    assert (bare.death_card, bare.prize, bare.at_limit) == (None, None, None)


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ({"base": CHIPS}, "name"),
        ({"base": CHIPS, "name": CHIPS, "hand_size": 4}, "name"),
        ({"base": "whist", "name": "mine"}, "base"),
        ({"base": 5, "name": "mine"}, "base"),
        ({"base": CHIPS, "name": "mine", "hand_sise": 4}, "hand_sise"),
        ({"base": CHIPS, "name": "mine", "effects": {"5": {"then": "sing"}}}, "effects"),
        ({"base": CHIPS, "name": "mine", "effects": {"5": False}}, "effects"),
        ({"base": CHIPS, "name": "mine", "effects": {"5": {"add": []}}}, "effects"),
        ({"base": CHIPS, "name": "mine", "tokens": False, "exact_hits": [33]}, "tokens"),
        ({"base": CHIPS, "name": "mine", "floor": 5}, "floor"),
        ({"base": CHIPS, "name": "mine", "deck": HEARTS + HEARTS}, "deck"),
        ({"base": CHIPS, "name": "mine", "decks": {}}, "decks"),
        ({"name": "mine", "edition": 1, "title": "Mine.", "effects": {}}, "hand_size"),
    ],
)
def test_a_set_that_can_not_be_played_is_refused_by_its_key(data: dict[str, Any], wrong: str) -> None:
    with pytest.raises(UnknownRules, match=wrong):
        rules_from(data)


# ---- docs/house-rules.md ----

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/house-rules.md").read_text("utf-8")
EXAMPLES = {text.split('"')[1]: text for text in re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)}


@pytest.mark.parametrize("struct", [RuleSet, Effect, DeathCard, PrizeRules], ids=lambda struct: str(struct.__name__))
def test_every_key_of_a_set_is_on_the_page(struct: type[msgspec.Struct]) -> None:
    assert [key for key in struct.__struct_fields__ if f"`{key}`" not in PAGE] == []
    choices = re.findall(r'"enum":\[([^\]]*)\]', msgspec.json.encode(msgspec.json.schema(struct)).decode())
    words = {word for part in choices for word in part.replace('"', "").split(",") if len(word) > 2}
    assert [word for word in words if f'`"{word}"`' not in PAGE] == []


@pytest.mark.parametrize("key", OPTIONAL)
def test_every_key_that_can_be_taken_away_is_on_the_page(key: str) -> None:
    [sentence] = re.findall(r"For (`most_seats`.*?) it means that the set has none", PAGE, re.DOTALL)
    assert f"`{key}`" in sentence


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_set_on_the_page_can_be_read(name: str) -> None:
    rules = rules_in(EXAMPLES[name])
    assert rules.name == name
    assert rules_in(rules_toml(rules)) == rules


@pytest.mark.parametrize("data", [SKIP, CHOOSE, EXACT], ids=lambda data: str(data["name"]))
def test_the_three_known_sets_are_the_same_everywhere(data: dict[str, Any]) -> None:
    name = data["name"]
    shipped = read_rules(str(ROOT / f"fixtures/house-rules/{name}.toml"))
    assert rules_in(EXAMPLES[name]) == shipped
    assert rules_from({**data, "title": shipped.title}) == shipped


def test_the_fourth_set_on_the_page_can_be_played() -> None:
    data = tomllib.loads(EXAMPLES["seventy-seven"])
    log = match(data, ABC, backs("Cy", ABC, tokens=dict.fromkeys(ABC.split(), 4), Ana="7h 7h 2c"))
    log += [*turn("Ana", "7h", 0), *turn("Ben", "2h", 2), *turn("Ana", "7h", 9), *turn("Cy", "4h", 13)]
    log += flat([turn("Ben", "Kh", 77), out("Ana"), paid("Ana")])
    assert_clean(log, backs("Ana", ABC), turn("Ben", "7h", 7))
    assert_reported(log[:-2], played("Ana", "5h", 82), rule="limit", player="Ana")
    assert rules_in(EXAMPLES["seventy-seven"]).says.keys() == {"2", "9"}


def test_the_opening_on_the_page_carries_its_set() -> None:
    [line] = re.findall(r"^```json\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
    opened = msgspec.json.decode(line, type=ev.AnyEvent)
    assert_clean([opened, backs("Kai", "Eva Finn Kai"), recounted(23), played("Eva", "Jh", 33)])
    assert findings_of([opened, backs("Kai", "Eva Finn Kai"), recounted(23), *turn("Eva", "Jh", 33)])


# ---- what was shipped ----


def digest(rules: RuleSet) -> str:
    """A fingerprint of everything that a set says; keys that are absent, as they have their default, don't count."""
    plain = msgspec.to_builtins(rules, str_keys=True)
    return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()[:24]


DIGESTS = {
    "bong-hit-99": "80cbcc91017a8e479931462c",
    "ninety-nine-tokens": "7f43c5778880ae4b6981fef6",
    "ninety-nine-chips": "e64791e8cbedeb7a71d6ec94",
    "ninety-nine-pennies": "9759722972a0c00a2a6e5c68",
    "ninety-nine-tokens+five-tokens": "7b5fb4b1d3055e61464ca5e6",
    "ninety-nine-tokens+winner-takes-tokens": "be97414c93d0787c6494edcf",
    "ninety-nine-pennies+five-cards": "a022e201f874bd9e5d394da3",
    "ninety-nine-pennies+rolling": "de5dc1e4aeb3289dce756e72",
    "ninety-nine-pennies+four-again": "de9672c75fc28e2610c1c45f",
    "ninety-nine-pennies+borders": "09e0122dd86277eff6a513ce",
    "ninety-nine-tokens+five-tokens+winner-takes-tokens": "88f4811eeed93e583b5c8a5b",
    "ninety-nine-pennies+five-cards+rolling+four-again": "734a793294c2dd980110ecdc",
}


@pytest.mark.parametrize("name", ALL_SETS)
def test_an_edition_that_was_shipped_never_changes(name: str) -> None:
    """A log keeps its rules for ever. If this fails, make a new edition and leave the old one as it was."""
    assert digest(rules_named(f"{name}@1")) == DIGESTS[name]


def test_an_edition_that_was_shipped_never_changes_and_none_is_left_out() -> None:
    every = {f"{name}@{edition}" for name, editions in EDITIONS.items() for edition in editions}
    assert every == {f"{name}@1" for name in EDITIONS}, "give a new edition digests of its own"


# ---- cards that nobody saw ----


@pytest.mark.parametrize("said", [0, None])
@pytest.mark.parametrize("after", ["Ben", "Cy"])
def test_an_unseen_card_may_have_turned_the_direction(said: int | None, after: str) -> None:
    log = [*match(CHIPS, ABC, backs("Cy", ABC)), played("Ana", None, said), drew("Ana")]
    third = {"Ben": "Cy", "Cy": "Ben"}[after]
    assert_clean(log, played(after, "Kh", 99), drew(after), played(third, "9h", 99), drew(third))
    assert_reported(
        [*log, played(after, "Kh", 99), drew(after)], played("Ana", "9h", 99), rule="turn-order", player="Ana"
    )


def test_an_unseen_card_that_made_ten_turned_nothing() -> None:
    log = [*match(CHIPS, ABC, backs("Cy", ABC)), played("Ana", None, 10), drew("Ana")]
    assert_clean(log, played("Ben", "Kh", 99))
    assert_reported(log, played("Cy", "Kh", 99), rule="turn-order", player="Cy")
