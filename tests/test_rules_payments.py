"""What stands around a payment, a knock-out and the end of a hand: leaving, correcting, drawing, playing on."""

import pytest
from matches import ABC, BORDERS, CHIPS, PENNIES, TOKENS, backs, champion, gone, match, paid
from tables import (
    Event,
    assert_clean,
    assert_reported,
    audited,
    drew,
    findings_of,
    flat,
    joined,
    left,
    missed,
    out,
    played,
    recounted,
    turn,
    voided,
)

from domain import events as ev

AB = "Ana Ben"
EXACT = {"base": CHIPS, "name": "exact", "exact_hits": [33, 66, 99]}
CHOOSE = {"base": CHIPS, "name": "choose", "effects": {"5": {"add": [5], "then": "choose"}}}


def leaves(player: str) -> list[Event]:
    return [left(player), out(player, "left")]


def omitting(log: list[Event], *omitted: str) -> list[Event]:
    opened = log[0]
    assert isinstance(opened, ev.GameOpened)
    return [ev.GameOpened(format=1, rules=opened.rules, players=opened.players, omits=list(omitted)), *log[1:]]  # type: ignore[arg-type]


# ---- the end of a hand ----


def test_border_points_of_a_hand_are_scored_once() -> None:
    hand = [*turn("Ana", "2h", 2), *turn("Ben", "2d", 4)]
    bare = [*match(BORDERS, AB, backs("Ben", AB)), *hand]
    for card, total in (("3h", 7), ("5h", 14)):
        bare += [played("Ana", card, total), *turn("Ben", "2s" if total == 7 else "2c", total + 2)]
    # Ana forgot to draw twice, played her last card, and has none left.
    log = [*bare, played("Ana", "6h", 22), *turn("Ben", "3d", 25), out("Ana"), paid("Ana")]
    assert_clean(log, backs("Ana", AB))
    assert audited(log).table.scores == {"Ana": 2, "Ben": 3}


def test_tokens_who_plays_on_after_an_overlooked_loss_is_one_finding() -> None:
    log = match(TOKENS, ABC, backs("Cy", ABC), recounted(96), played("Ana", "5h", 101))
    on = [*turn("Ben", "9h", 99), *turn("Cy", "9d", 99), *turn("Ana", "9c", 99)]
    assert_reported(log, drew("Ana"), on, rule="draw", player="Ana")
    assert [found[:2] for found in findings_of(flat([log, on]))] == [(5, "tokens")]


def test_border_who_plays_on_after_the_end_is_one_finding() -> None:
    log = match(BORDERS, ABC, backs("Cy", ABC), recounted(96), played("Ana", "5h", 101), paid("Ana", 1, "border"))
    on = [drew("Ana"), *turn("Ben", "9h", 99), *turn("Cy", "9d", 99)]
    assert len(findings_of(flat([log, on]))) == 1


def test_tokens_a_loss_that_nobody_wrote_down_is_one_finding() -> None:
    log = match(TOKENS, AB, backs("Ben", AB), recounted(97), played("Ana", "Ah", None), drew("Ana"))
    assert_reported(log, paid("Ana"), backs("Ana", AB), rule="tokens", player="Ana")


# ---- leaving ----


@pytest.mark.parametrize("payment", ["after", "between"])
def test_border_somebody_leaves_before_a_payment(payment: str) -> None:
    log = match(BORDERS, ABC, backs("Cy", ABC), recounted(30), played("Ana", "5h", 35))
    lost = paid("Ana", 1, "border")
    leaving = [*leaves("Ben"), lost] if payment == "after" else [left("Ben"), lost, out("Ben", "left")]
    assert_clean(log, leaving, drew("Ana"), turn("Cy", "2h", 37))


def test_exact_hits_who_leaves_before_paying_need_not_pay() -> None:
    log = match(EXACT, ABC, backs("Cy", ABC), recounted(23), played("Ana", "Jh", 33), leaves("Ben"))
    assert_clean(log, paid("Cy", 1, "exact"), drew("Ana"), turn("Cy", "2h", 35))
    assert_clean(log, paid("Ben", 1, "exact"), paid("Cy", 1, "exact"), drew("Ana"))


def test_match_is_won_when_the_last_opponent_has_left_and_a_void_changes_nothing() -> None:
    log = match(CHIPS, AB, backs("Ben", AB), leaves("Ben"))
    assert_clean(log, champion("Ana", 5))
    assert_clean(match(CHIPS, AB, backs("Ben", AB), turn("Ana", "2h", 2), voided(), left("Ben")), champion("Ana", 5))


def test_draw_that_was_owed_falls_away_with_who_leaves() -> None:
    log = match(CHIPS, ABC, backs("Cy", ABC), played("Ana", "5h", 5), missed("Ana"), leaves("Ana"))
    assert_reported(log, drew("Ana"), turn("Ben", "6h", 11), rule="draw", player="Ana")


def test_log_order_somebody_leaves_after_a_card_that_may_have_ended_the_hand() -> None:
    log = match(BORDERS, ABC, backs("Cy", ABC), recounted(90), played("Ana", "Ah", None), paid("Ana", 1, "border"))
    assert_clean(log, left("Cy"), backs("Ana", AB))
    assert_clean(log, leaves("Cy"), drew("Ana"), turn("Ben", "9h", 91))


# ---- putting right, drawing ----


def test_limit_a_count_is_corrected_before_a_payment() -> None:
    log = match(BORDERS, ABC, backs("Cy", ABC), recounted(30), played("Ana", "5h", 35))
    assert_clean(log, recounted(35), paid("Ana", 1, "border"), drew("Ana"))


@pytest.mark.parametrize("game", [TOKENS, CHIPS, PENNIES])
def test_four_cards_a_draw_is_made_good_by_a_correction(game: str) -> None:
    log = match(game, ABC, backs("Cy", ABC), played("Ana", "5h", 5), missed("Ana"))
    right = ev.HandCorrected(player="Ana", drew=[None], returned=[])
    assert_clean(log, right, turn("Ben", "6h", 11), turn("Cy", "2h", 13), turn("Ana", "3h", 16))
    assert_reported([*log, right], drew("Ana"), turn("Ben", "6h", 11), rule="draw", player="Ana")


def test_log_order_who_goes_out_after_the_close() -> None:
    log = match(TOKENS, ABC, backs("Cy", ABC), played("Ana", "5h", 5), ev.GameClosed())
    assert_reported(log, out("Ben"), rule="log-order", player="Ben")


# ---- who is next, what a card can count ----


def test_turn_order_who_chooses_is_not_the_next() -> None:
    log = match(CHOOSE, ABC, backs("Cy", ABC), turn("Ana", "5h", 5))
    assert_clean(log, turn("Cy", "2h", 7))
    assert_reported(log, played("Ana", "2h", 7), rule="turn-order", player="Ana")


def test_turn_order_between_two_the_other_is_next_whoever_is_chosen() -> None:
    log = match(CHOOSE, AB, backs("Ben", AB), turn("Ana", "5h", 5))
    assert_reported(log, played("Ana", "2h", 7), rule="turn-order", player="Ana")


def test_count_called_a_value_that_a_card_never_has() -> None:
    log = match(PENNIES, ABC, backs("Cy", ABC), played("Ana", "Ah", None), drew("Ana"))
    assert_clean(log, played("Ben", "Th", None, value=-10))
    assert_reported(log, played("Ben", "Th", None, value=7), drew("Ben"), rule="count-called", player="Ben")


def test_match_nobody_joins_it() -> None:
    assert_reported(match(CHIPS, AB), joined("Cy"), rule="match", player="Cy")


# ---- what nobody wrote down ----


def test_match_is_open_where_scores_are_not_known() -> None:
    hand = [recounted(30), played("Ana", "Ad", None), drew("Ana"), played("Ben", "2h", None), drew("Ben")]
    hand += [played("Ana", "Kd", None), drew("Ana"), *turn("Ben", "2d", 44), recounted(95), played("Ana", "6h", 101)]
    log = omitting(match(BORDERS, AB, backs("Ben", AB), hand), "tokens_lost")
    assert_clean(log, champion("Ben", 15))


def test_match_is_open_where_tokens_are_not_known() -> None:
    first = [*turn("Ana", "Kh", 99), played("Ben", None, None)]
    second = [*turn("Ben", "2h", 2), *turn("Ana", "Kh", 99), played("Ben", None, None)]
    third = [*turn("Ana", "Kh", 99), played("Ben", "5h", 104)]
    deals = [backs("Ben", AB), backs("Ana", AB), backs("Ben", AB)]
    log = omitting(match(TOKENS, AB, deals[0], first, deals[1], second, deals[2], third), "tokens_lost")
    assert_clean(log, gone("Ben"), champion("Ana", 3))


def test_out_a_card_that_nobody_saw_and_that_ends_the_hand() -> None:
    log = match(TOKENS, ABC, backs("Cy", ABC), played("Ana", "Ah", None), drew("Ana"), played("Ben", None, 105))
    assert_clean(log, paid("Ben"), backs("Ana", ABC))
    assert_reported([*log, paid("Ben")], gone("Cy"), rule="match", player="Cy")
