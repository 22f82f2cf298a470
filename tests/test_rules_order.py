"""Seats and order: `dealer-rotation`, `turn-order`, `loader`, `log-order`, each in a fault and in its legal twin."""

import msgspec
import pytest
from tables import (
    Event,
    assert_clean,
    assert_reported,
    bonus,
    carried,
    closed,
    corrected,
    dealt,
    drew,
    findings_of,
    flat,
    game,
    joined,
    left,
    leisure,
    loaded,
    missed,
    out,
    played,
    recounted,
    reshuffled,
    ruling,
    seen,
    shown,
    slid,
    stole,
    taken_back,
    took,
    turn,
    voided,
    won,
)

from domain import events as ev

FOUR = "Ana Ben Cy Dee"
START = game(FOUR, seen("Dee", FOUR))
AT_99 = [*START, *turn("Ana", "Kh", 99)]
WON = [*AT_99, out("Ben"), out("Cy"), out("Dee"), won("Ana"), took("Ana")]


# ---- dealer-rotation ----


def test_dealer_rotation_one_seat_to_the_left() -> None:
    assert_clean(WON, seen("Ana", FOUR), turn("Ben", "5h", 5))


def test_dealer_rotation_wrong_dealer_and_the_seat_after_them_starts_and_deals_next() -> None:
    play = [*turn("Cy", "Kh", 99), out("Dee"), out("Ana"), out("Ben"), won("Cy"), took("Cy")]
    after = [*play, seen("Cy", FOUR), *turn("Dee", "5h", 5)]
    assert_reported(WON, seen("Ben", FOUR), *after, rule="dealer-rotation", player=None)


def test_dealer_rotation_wrong_dealer_was_written_and_the_rightful_one_dealt() -> None:
    play = [*turn("Ben", "Kh", 99), out("Cy"), out("Dee"), out("Ana"), won("Ben"), took("Ben")]
    after = [*play, seen("Ben", FOUR), *turn("Cy", "5h", 5)]
    assert_reported(WON, seen("Cy", FOUR), *after, rule="dealer-rotation", player=None)


def test_dealer_rotation_by_somebody_who_is_not_seated() -> None:
    assert_reported(WON, seen("Zed", FOUR), turn("Ben", "5h", 5), rule="dealer-rotation", player=None)


def test_dealer_rotation_passes_over_empty_seats() -> None:
    given = [*WON, left("Ana")]
    assert_clean(given, seen("Ben", "Ben Cy Dee"), turn("Cy", "5h", 5))
    assert_reported(given, seen("Cy", "Ben Cy Dee"), turn("Dee", "5h", 5), rule="dealer-rotation", player=None)


# ---- turn-order ----


def test_turn_order_starts_left_of_the_dealer() -> None:
    assert_clean(START, turn("Ana", "5h", 5), turn("Ben", "6h", 11))
    # Ana could play, whatever she holds; she is passed over and acts later.
    after = [drew("Ben"), *turn("Cy", "6h", 11), *turn("Dee", "2h", 13), *turn("Ana", "3h", 16)]
    assert_reported(START, played("Ben", "5h", 5), *after, rule="turn-order", player="Ben")


def test_turn_order_goes_clockwise_and_passes_over_who_is_out() -> None:
    given = [*AT_99, out("Ben"), *turn("Cy", "9h", 99), *turn("Dee", "9d", 99), *turn("Ana", "9c", 99)]
    assert_clean(given, turn("Cy", "2h", 99))
    after = [drew("Dee"), *turn("Ana", "2d", 99), *turn("Cy", "2c", 99)]
    assert_reported(given, played("Dee", "2h", 99), *after, rule="turn-order", player="Dee")


def test_turn_order_goes_on_from_there() -> None:
    """Ben was passed over and acts when it is his turn again."""
    given = [*START, *turn("Ana", "5h", 5)]
    after = [drew("Cy"), *turn("Dee", "2h", 13), *turn("Ana", "3h", 16), *turn("Ben", "4h", 20)]
    assert_reported(given, played("Cy", "6h", 11), *after, rule="turn-order", player="Cy")


def test_turn_order_goes_back() -> None:
    """Cy played too soon; then Ben does, and it is Cy's turn after him."""
    given = [*START, *turn("Ana", "5h", 5)]
    after = [drew("Cy"), *turn("Ben", "2h", 13), *turn("Cy", "3h", 16), *turn("Dee", "4h", 20)]
    assert_reported(given, played("Cy", "6h", 11), *after, rule="turn-order", player="Cy")


def test_turn_order_passed_over_is_out_if_they_never_act_again() -> None:
    given = [*START, *turn("Ana", "5h", 5)]
    after = [drew("Cy"), *turn("Dee", "2h", 13), *turn("Ana", "3h", 16), *turn("Cy", "Kd", 99), out("Dee"), out("Ana")]
    assert_reported(given, played("Cy", "6h", 11), *after, won("Cy"), took("Cy"), rule="turn-order", player="Cy")


def test_turn_order_several_are_passed_over() -> None:
    given = [*START, *turn("Ana", "5h", 5)]
    after = [drew("Dee"), *turn("Ana", "2h", 13), *turn("Cy", "3h", 16), *turn("Dee", "4h", 20)]
    assert_reported(given, played("Dee", "6h", 11), *after, rule="turn-order", player="Dee")


def test_turn_order_two_cards_in_a_row() -> None:
    given = [*START, *turn("Ana", "5h", 5)]
    after = [drew("Ana"), *turn("Ben", "2h", 13)]
    assert_reported(given, played("Ana", "6h", 11), *after, rule="turn-order", player="Ana")


def test_turn_order_goes_out_before_their_turn() -> None:
    """Ben could play, as the cards show; Cy, who can't, goes out too soon."""
    deal = dealt("Dee", "7h 7d 7s", Ana="Kh 3d 4d 5d", Ben="9h 4h 5h 6h", Cy="3s 4s 5s 6s", Dee="9s 8s 7c 6c")
    given = game(FOUR, deal, turn("Ana", "Kh", 99, drawn="7h"))
    after = [*turn("Ben", "9h", 99, drawn="7d"), *turn("Dee", "9s", 99, drawn="7s")]
    assert_clean(given, after[:2], out("Cy"), after[2:])
    assert_reported(given, out("Cy"), *after, rule="turn-order", player="Cy")


def test_turn_order_is_proved_without_cards_where_nobody_can_be_stuck() -> None:
    """At 89 or less everybody can play: who is passed over can't have gone out unwritten."""
    given = [*START, *turn("Ana", "5h", 5)]
    log = [*given, *turn("Cy", "6h", 11)]
    assert findings_of(log) == [(5, "turn-order", "Cy")]


def test_turn_order_of_somebody_who_was_not_dealt_in() -> None:
    log = [*START, played("Zed", "5h", 5)]
    assert findings_of(log) == [(3, "turn-order", "Zed")]


# ---- loader ----


def test_loader_is_the_first_player_out() -> None:
    given = [*AT_99, out("Ben"), out("Cy")]
    assert_clean(given, loaded("Ben"), loaded("Ben"), turn("Dee", "9h", 99))
    assert_reported(given, loaded("Cy"), turn("Dee", "9h", 99), rule="loader", player="Cy")


def test_loader_may_be_anybody_while_nobody_has_the_duty() -> None:
    assert_clean(AT_99, loaded("Cy"), loaded("Ana"), out("Ben"), loaded("Ben"))


def test_loader_loads_even_if_they_end_up_with_the_hit() -> None:
    given = [*AT_99, out("Ben"), out("Cy"), out("Dee"), won("Ana"), stole("Ben", "Ana")]
    assert_clean(given, loaded("Ben"), took("Ben"), loaded("Ben"))
    assert_reported(given, loaded("Ana"), took("Ben"), rule="loader", player="Ana")


def test_loader_duty_does_not_outlast_its_hand() -> None:
    given = [*WON, loaded("Ben"), seen("Ana", FOUR)]
    assert_clean(given, loaded("Dee"))
    assert_reported(WON, loaded("Dee"), seen("Ana", FOUR), rule="loader", player="Dee")


def test_loader_is_whoever_finished_the_bowl_until_a_first_player_is_out() -> None:
    given = [*AT_99, leisure("Dee", finished=True)]
    assert_clean(given, loaded("Dee"), out("Ben"), loaded("Ben"))
    assert_reported(given, loaded("Cy"), out("Ben"), rule="loader", player="Cy")
    assert_reported([*given, out("Ben")], loaded("Dee"), out("Cy"), rule="loader", player="Dee")


def test_loader_is_not_proved_wrong_in_a_log_that_writes_no_leisure_hits() -> None:
    """Whoever loads may have finished a bowl; the table never writes that down."""
    log = game(FOUR, seen("Dee", FOUR), turn("Ana", "Kh", 99), out("Ben"), omits=["leisure_hit"])
    assert_clean(log, loaded("Cy"), turn("Cy", "9h", 99))


def test_loader_is_not_who_merely_had_a_leisure_hit() -> None:
    assert_clean(AT_99, leisure("Dee"), loaded("Cy"))


# ---- log-order ----

IN_A_HAND: list[Event] = [
    played("Ben", "5h", 5),
    drew("Ben"),
    missed("Ben"),
    reshuffled(),
    out("Ben"),
    corrected("Ben", "5h"),
    recounted(5),
    shown("Ben", "5h"),
    won("Ben"),
    stole("Ben", "Ana"),
    bonus("Ben"),
    slid("Ana", "Ben", "Kc"),
    took("Ben"),
    carried("Ben"),
    voided(),
]


@pytest.mark.parametrize("event", IN_A_HAND, ids=ev.type_of)
def test_log_order_before_a_deal(event: Event) -> None:
    player = getattr(event, "player", None)
    assert_reported(game(FOUR), event, seen("Dee", FOUR), turn("Ana", "5h", 5), rule="log-order", player=player)


@pytest.mark.parametrize("event", IN_A_HAND, ids=ev.type_of)
def test_log_order_after_a_void(event: Event) -> None:
    player = getattr(event, "player", None)
    given = [*AT_99, voided()]
    assert_clean(given, seen("Dee", FOUR))
    assert_reported(given, event, seen("Dee", FOUR), turn("Ana", "5h", 5), rule="log-order", player=player)


def test_log_order_a_deal_inside_a_hand() -> None:
    after = turn("Ben", "9h", 9)
    assert_reported(AT_99, seen("Ana", FOUR), *after, rule="log-order", player=None)


@pytest.mark.parametrize("hits", [1, 2])
def test_log_order_a_deal_inside_a_hand_leaves_open_what_was_at_stake(hits: int) -> None:
    after = [*turn("Ben", "Kd", 99), out("Cy"), out("Dee"), out("Ana"), won("Ben"), took("Ben", hits)]
    assert_reported(AT_99, seen("Ana", FOUR), *after, closed(), rule="log-order", player=None)


def test_log_order_somebody_joins_inside_a_hand() -> None:
    assert_reported(AT_99, joined("Eve"), turn("Ben", "9h", 99), rule="log-order", player="Eve")
    assert_clean(WON, joined("Eve"), seen("Eve", FOUR + " Eve"))


def test_log_order_somebody_joins_who_is_seated() -> None:
    assert_reported(WON, joined("Ben"), seen("Ana", FOUR), rule="log-order", player="Ben")


def test_log_order_somebody_leaves_who_is_not_seated() -> None:
    assert_reported(WON, left("Zed"), seen("Ana", FOUR), rule="log-order", player="Zed")


ANYTHING: list[Event] = [*IN_A_HAND, leisure("Ben"), loaded("Ben"), joined("Eve"), left("Ben"), closed()]


@pytest.mark.parametrize("event", [*ANYTHING, seen("Ana", FOUR)], ids=ev.type_of)
def test_log_order_nothing_follows_the_close(event: Event) -> None:
    given = [*WON, closed()]
    found = findings_of([*given, event])
    assert [line_rule[:2] for line_rule in found] == [(len(given) + 1, "log-order")]


def test_log_order_seq_counts_up() -> None:
    numbered = [msgspec.structs.replace(event, seq=line) for line, event in enumerate(AT_99, 1)]
    ninth = turn("Ben", "9h", 99)
    right = [msgspec.structs.replace(event, seq=line) for line, event in enumerate(ninth, 5)]
    assert_clean(numbered, right)
    gap = [msgspec.structs.replace(event, seq=line) for line, event in enumerate(ninth, 6)]
    assert_reported(numbered, gap[0], gap[1], rule="log-order", player="Ben")
    again = [msgspec.structs.replace(event, seq=line) for line, event in enumerate(ninth, 4)]
    assert_reported(numbered, again[0], again[1], rule="log-order", player="Ben")


def test_log_order_a_take_back_names_a_line_that_stands() -> None:
    given = [*AT_99, *turn("Ben", "9h", 99)]
    assert_clean(given, taken_back(5), turn("Ben", "9h", 99))
    for about in (1, 7, 8):
        assert_reported(given, taken_back(about), turn("Cy", "2h", 99), rule="log-order", player=None)
    undone = [*given, taken_back(5)]
    assert_reported(undone, taken_back(6), turn("Ben", "2h", 99), rule="log-order", player=None)


def test_log_order_a_ruling_names_an_earlier_line() -> None:
    assert_clean(AT_99, ruling(4))
    assert_reported(AT_99, ruling(9), turn("Ben", "9h", 99), rule="log-order", player=None)


def test_log_order_tokens_and_matches_are_another_games() -> None:
    lost = ev.TokensLost(player="Ben", tokens=1, reason="hand_lost")
    for event in (lost, ev.PlayerKnockedOut(player="Ben"), ev.MatchWon(player="Ben", tokens=3)):
        assert_reported(AT_99, event, turn("Ben", "9h", 99), rule="log-order", player="Ben")


@pytest.mark.parametrize("smoke", [leisure("Ben"), loaded("Ben")], ids=ev.type_of)
def test_log_order_smoke_may_stand_anywhere(smoke: Event) -> None:
    for stop in range(1, len(WON) + 1):
        assert_clean(WON[:stop], smoke, WON[stop:])


def test_log_order_a_void_ends_a_hand_at_any_moment() -> None:
    moments = [START, [*START, played("Ana", "Kh", 99)], AT_99, [*AT_99, *turn("Ben", "Qs", 99, "Cy")], WON[:-1]]
    for given in moments:
        assert_clean(given, voided(), seen("Dee", FOUR), turn("Ana", "5h", 5))


def test_parts_are_put_together_in_order() -> None:
    """The helper that every test here leans on."""
    assert flat([closed(), [drew("Ana"), drew("Ben")]]) == [closed(), drew("Ana"), drew("Ben")]
