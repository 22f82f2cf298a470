"""The Death Card: `death-card-target`, `death-card-shield`, `death-card-blowback`, in faults and their legal twins."""

import pytest
from tables import (
    Event,
    assert_clean,
    assert_reported,
    dealt,
    drew,
    findings_of,
    game,
    left,
    out,
    played,
    seen,
    shown,
    stole,
    took,
    turn,
    unseen,
    won,
)

FOUR = "Ana Ben Cy Dee"
HANDS = {"Ana": "Kh 9c 2c 3d", "Ben": "Qs 9h 2h 3h", "Cy": "9s 2s 3s 4s", "Dee": "9d 2d Kd 4d"}
TOP = "7h 7d 7s 7c 8h 8d 8s"


def at_99(players: str = FOUR, **hands: str) -> list[Event]:
    """All cards are logged; Ana has made it 99, and Ben is to play: he holds the Death Card."""
    held = {player: (HANDS | hands)[player] for player in players.split()}
    return game(players, dealt(players.split()[-1], TOP, **held), turn("Ana", "Kh", 99, drawn="7h"))


def pointed(players: str = FOUR, target: str | None = "Cy", **hands: str) -> list[Event]:
    """Ben has played the Death Card and drawn."""
    return [*at_99(players, **hands), *turn("Ben", "Qs", 99, target, drawn="7d")]


SHIELD = {"Cy": "Ad 2s 3s 4s"}
BLIND = [*game(FOUR, seen("Dee", FOUR)), *turn("Ana", "Kh", 99), *turn("Ben", "Qs", 99, "Cy")]


# ---- death-card-target ----


def test_death_card_target_is_the_next_player_still_in() -> None:
    assert_clean(pointed(), out("Cy", "death_card"), turn("Dee", "9d", 99, drawn="7s"))
    given = [*at_99(Cy="3s 4s 5s 6s", Dee="Qs 9d 2d Kd", Ben="3h 4h 5h 6h"), out("Ben"), out("Cy")]
    assert_clean(given, turn("Dee", "Qs", 99, "Ana", drawn="7d"), out("Ana", "death_card"), won("Dee"))


def test_death_card_target_wrong_seat_is_pointed_at_and_answers() -> None:
    after = [drew("Ben", "7d"), out("Dee", "death_card"), *turn("Ana", "9c", 99, drawn="7s")]
    after += [*turn("Ben", "9h", 99, drawn="7c"), *turn("Cy", "9s", 99, drawn="8h")]
    assert_reported(at_99(), played("Ben", "Qs", 99, "Dee"), *after, rule="death-card-target", player="Ben")


def test_death_card_target_wrong_seat_is_pointed_at_but_the_rightful_one_answers() -> None:
    after = [drew("Ben", "7d"), out("Cy", "death_card"), *turn("Dee", "9d", 99, drawn="7s")]
    assert_reported(at_99(), played("Ben", "Qs", 99, "Dee"), *after, rule="death-card-target", player="Ben")


def test_death_card_target_wrong_seat_shields_and_play_goes_on_after_it() -> None:
    given = at_99(Dee="Ad 9d 2d Kd")
    after = [drew("Ben", "7d"), *turn("Dee", "Ad", 99, drawn="7s"), out("Ben", "blowback")]
    after += turn("Ana", "9c", 99, drawn="7c")
    assert_reported(given, played("Ben", "Qs", 99, "Dee"), *after, rule="death-card-target", player="Ben")


def test_death_card_target_below_99_names_nobody() -> None:
    """There the Queen of Spades is a queen: 10."""
    given = game(FOUR, seen("Dee", FOUR))
    assert_clean(given, turn("Ana", "Qs", 10), turn("Ben", "5h", 15))
    after = [drew("Ana"), *turn("Ben", "5h", 15)]
    assert_reported(given, played("Ana", "Qs", 10, "Ben"), *after, rule="death-card-target", player="Ana")


def test_death_card_target_below_99_and_the_table_took_it_for_a_death_card() -> None:
    given = game(FOUR, seen("Dee", FOUR))
    after = [drew("Ana"), out("Ben", "death_card"), *turn("Cy", "5h", 15)]
    assert_reported(given, played("Ana", "Qs", 10, "Ben"), *after, rule="death-card-target", player="Ana")


def test_death_card_target_makes_the_count_99_by_itself_and_kills_nobody() -> None:
    """89 and a Queen make 99; the Count was not 99 when it was played."""
    given = [*game(FOUR, seen("Dee", FOUR)), *turn("Ana", "Kh", 99), *turn("Ben", "Th", 89)]
    assert_clean(given, turn("Cy", "Qs", 99), turn("Dee", "9d", 99))
    assert_reported([*given, *turn("Cy", "Qs", 99)], out("Dee", "death_card"), rule="death-card-target", player="Dee")


def test_death_card_target_out_by_a_death_card_that_nobody_played() -> None:
    given = at_99()
    after = turn("Cy", "9s", 99, drawn="7d")
    assert_reported(given, out("Ben", "death_card"), *after, rule="death-card-target", player="Ben")


def test_death_card_target_need_not_be_noted() -> None:
    assert_clean(pointed(target=None), out("Cy", "death_card"), turn("Dee", "9d", 99, drawn="7s"))


def test_death_card_target_absent_in_a_log_of_our_service_was_not_named() -> None:
    log = game(FOUR, dealt("Dee", TOP, **HANDS), turn("Ana", "Kh", 99, drawn="7h"), source="service")
    after = [drew("Ben", "7d"), out("Cy", "death_card"), *turn("Dee", "9d", 99, drawn="7s")]
    assert_clean(log, played("Ben", "Qs", 99, "Cy"), after)
    assert_reported(log, played("Ben", "Qs", 99), *after, rule="death-card-target", player="Ben")


def test_death_card_target_is_one_who_does_not_draw_first() -> None:
    """Its player draws as usual, then the target answers."""
    given = [*at_99(), played("Ben", "Qs", 99, "Cy")]
    assert_clean(given, drew("Ben", "7d"), out("Cy", "death_card"))
    after = turn("Dee", "9d", 99)
    assert_reported(given, out("Cy", "death_card"), *after, rule="draw", player="Ben")


# ---- death-card-shield ----


def test_death_card_shield_must_be_played() -> None:
    given = pointed(**SHIELD)
    after = [*turn("Dee", "9d", 99, drawn="7s"), *turn("Ana", "9c", 99, drawn="7c")]
    assert_clean(given, turn("Cy", "Ad", 99, drawn="7s"), out("Ben", "blowback"))
    assert_reported(given, out("Cy", "death_card"), *after, rule="death-card-shield", player="Cy")


def test_death_card_shield_withheld_without_cards_may_be_right() -> None:
    assert_clean(BLIND, out("Cy", "death_card"), turn("Dee", "9d", 99))


def test_death_card_shield_shown_later_contradicts_going_out() -> None:
    """No hand is logged; the shown Ace of Diamonds proves it, at the line where Cy went out."""
    given = [*BLIND, out("Cy", "death_card"), *turn("Dee", "9d", 99), out("Ana"), out("Ben"), won("Dee")]
    assert findings_of([*given, shown("Cy", "Ad"), took("Dee")]) == [(7, "death-card-shield", "Cy")]
    assert_clean(given, shown("Cy", "Kd"), took("Dee"))
    assert_clean(given, stole("Cy", "Dee"), took("Cy"))


def test_death_card_shield_target_without_it_is_out_at_once() -> None:
    given = pointed()
    after = [drew("Cy", "7s"), *turn("Dee", "9d", 99, drawn="7c"), *turn("Ana", "9c", 99, drawn="8h")]
    assert_reported(given, played("Cy", "9s", 99), *after, rule="death-card-shield", player="Cy")


@pytest.mark.parametrize("hand", [HANDS["Cy"], SHIELD["Cy"] + " "])
def test_death_card_shield_nothing_else_helps(hand: str) -> None:
    given = pointed(Cy=hand)
    assert_reported(given, played("Cy", "2s", 99), drew("Cy", "7s"), rule="death-card-shield", player="Cy")


def test_death_card_shield_target_is_passed_over_and_out() -> None:
    """Nobody wrote that Cy is out; he never acts again."""
    given = pointed()
    after = [drew("Dee", "7s"), *turn("Ana", "9c", 99, drawn="7c"), *turn("Ben", "9h", 99, drawn="8h")]
    after += [*turn("Dee", "2d", 99, drawn="8d")]
    assert_reported(given, played("Dee", "9d", 99), *after, rule="death-card-shield", player="Cy")


def test_death_card_shield_target_is_passed_over_and_still_in() -> None:
    given = pointed()
    after = [drew("Dee", "7s"), *turn("Ana", "9c", 99, drawn="7c"), *turn("Ben", "9h", 99, drawn="8h")]
    after += [*turn("Cy", "9s", 99, drawn="8d"), *turn("Dee", "2d", 99, drawn="8s")]
    assert_reported(given, played("Dee", "9d", 99), *after, rule="death-card-shield", player="Cy")


def test_death_card_shield_target_goes_out_for_another_reason() -> None:
    after = turn("Dee", "9d", 99, drawn="7s")
    assert_reported(pointed(), out("Cy"), *after, rule="death-card-shield", player="Cy")


def test_death_card_shield_of_another_player_does_not_count() -> None:
    """Dee holds the Ace of Diamonds, but it is Cy who is pointed at; the shield saves nobody else."""
    given = [*pointed(Dee="Ad 9d 2d Kd"), out("Cy", "death_card")]
    assert_clean(given, turn("Dee", "9d", 99, drawn="7s"))
    assert_reported(given, played("Dee", "Ad", 99), drew("Dee", "7s"), rule="limit", player="Dee")


# ---- death-card-blowback ----


def test_death_card_blowback_puts_the_player_out() -> None:
    given = [*pointed(**SHIELD), *turn("Cy", "Ad", 99, drawn="7s")]
    assert_clean(given, out("Ben", "blowback"), turn("Dee", "9d", 99, drawn="7c"), turn("Ana", "9c", 99, drawn="8h"))


def test_death_card_blowback_is_missing_and_the_player_acts_again() -> None:
    given = [*pointed(**SHIELD), *turn("Cy", "Ad", 99, drawn="7s")]
    after = [drew("Dee", "7c"), *turn("Ana", "9c", 99, drawn="8h"), *turn("Ben", "9h", 99, drawn="8d")]
    assert_reported(given, played("Dee", "9d", 99), *after, rule="death-card-blowback", player="Ben")


def test_death_card_blowback_is_missing_and_the_player_is_out_all_the_same() -> None:
    given = [*pointed(**SHIELD), *turn("Cy", "Ad", 99, drawn="7s")]
    after = [drew("Dee", "7c"), *turn("Ana", "9c", 99, drawn="8h"), *turn("Cy", "2s", 99, drawn="8d")]
    assert_reported(given, played("Dee", "9d", 99), *after, rule="death-card-blowback", player="Ben")


def test_death_card_blowback_goes_out_for_another_reason() -> None:
    given = [*pointed(**SHIELD), *turn("Cy", "Ad", 99, drawn="7s")]
    after = turn("Dee", "9d", 99, drawn="7c")
    assert_reported(given, out("Ben"), *after, rule="death-card-blowback", player="Ben")


def test_death_card_blowback_spends_the_targets_turn() -> None:
    """Play goes to the next player after the target."""
    given = [*pointed(**SHIELD), *turn("Cy", "Ad", 99, drawn="7s"), out("Ben", "blowback")]
    assert_clean(given, turn("Dee", "9d", 99, drawn="7c"))
    assert_reported(given, played("Cy", "2s", 99), drew("Cy", "7c"), rule="turn-order", player="Cy")


def test_death_card_blowback_also_when_only_two_are_left_in_the_hand() -> None:
    given = game("Ana Ben Cy", dealt("Ana", TOP, Ana="3d 4d 5d 6d", Ben="Kd Qs 4h 5h", Cy="9s Ad 3s 4s"))
    given += [*turn("Ben", "Kd", 99, drawn="7h"), *turn("Cy", "9s", 99, drawn="7d"), out("Ana")]
    given += [*turn("Ben", "Qs", 99, "Cy", drawn="7s"), *turn("Cy", "Ad", 99, drawn="7c")]
    assert_clean(given, out("Ben", "blowback"), won("Cy"), took("Cy"))
    assert_reported(given, won("Cy"), took("Cy"), rule="death-card-blowback", player="Ben")


TWO = {"Ana": "Kh 9c 2c 3d", "Ben": "Qs 9h 2h 3h"}


def test_death_card_blowback_between_two_puts_nobody_out_and_the_turn_comes_back() -> None:
    hands = {"Ana": "Kh Ad 2c 3d", "Ben": TWO["Ben"]}
    given = [*game("Ana Ben", dealt("Ben", TOP, **hands)), *turn("Ana", "Kh", 99, drawn="7h")]
    given += [*turn("Ben", "Qs", 99, "Ana", drawn="7d"), *turn("Ana", "Ad", 99, drawn="7s")]
    assert_clean(given, turn("Ben", "9h", 99, drawn="7c"), turn("Ana", "2c", 99, drawn="8h"))
    assert_reported(given, out("Ben", "blowback"), won("Ana"), took("Ana"), rule="death-card-blowback", player="Ben")
    assert_reported(given, played("Ana", "2c", 99), drew("Ana", "7c"), rule="turn-order", player="Ana")


def test_death_card_blowback_between_two_and_then_the_player_plays_on() -> None:
    hands = {"Ana": "Kh Ad 2c 3d", "Ben": TWO["Ben"]}
    given = [*game("Ana Ben", dealt("Ben", TOP, **hands)), *turn("Ana", "Kh", 99, drawn="7h")]
    given += [*turn("Ben", "Qs", 99, "Ana", drawn="7d"), *turn("Ana", "Ad", 99, drawn="7s")]
    after = [*turn("Ben", "9h", 99, drawn="7c"), *turn("Ana", "2c", 99, drawn="8h")]
    assert_reported(given, out("Ben", "blowback"), *after, rule="death-card-blowback", player="Ben")


def test_death_card_blowback_without_a_shield() -> None:
    given = [*pointed(), out("Cy", "death_card")]
    after = [*turn("Dee", "9d", 99, drawn="7s"), *turn("Ana", "9c", 99, drawn="7c"), *turn("Dee", "2d", 99)]
    assert_reported(given, out("Ben", "blowback"), *after, rule="death-card-blowback", player="Ben")


def test_death_card_blowback_of_somebody_who_played_no_death_card() -> None:
    given = [*at_99()]
    assert_reported(given, out("Ben", "blowback"), turn("Cy", "9s", 99), rule="death-card-blowback", player="Ben")


def test_death_card_blowback_in_a_log_without_cards() -> None:
    given = [*BLIND, *turn("Cy", "Ad", 99)]
    assert_clean(given, out("Ben", "blowback"), turn("Dee", "9d", 99))
    assert findings_of(unseen([*given, *turn("Dee", "9d", 99)])) == [(9, "death-card-blowback", "Ben")]


def test_death_card_leaving_target_is_simply_out() -> None:
    given = [*pointed(**SHIELD), left("Cy"), out("Cy", "left")]
    assert_clean(given, turn("Dee", "9d", 99, drawn="7s"), turn("Ana", "9c", 99, drawn="7c"))


def test_death_card_target_still_answers_a_player_who_has_left() -> None:
    given = [*pointed(**SHIELD), left("Ben"), out("Ben", "left")]
    assert_clean(given, turn("Cy", "Ad", 99, drawn="7s"), turn("Dee", "9d", 99, drawn="7c"))
    assert_reported(given, out("Cy", "death_card"), turn("Dee", "9d", 99), rule="death-card-shield", player="Cy")
