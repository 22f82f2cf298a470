"""The end of a hand: `last-standing`, `steal`, `bonus`, `slide`, `prize`, each in a fault and in its legal twin."""

import pytest
from tables import (
    Event,
    assert_clean,
    assert_reported,
    bonus,
    carried,
    closed,
    dealt,
    drew,
    findings_of,
    game,
    gave,
    joined,
    leisure,
    loaded,
    out,
    played,
    recounted,
    ruling,
    seen,
    shown,
    slid,
    stole,
    took,
    turn,
    voided,
    won,
)

ABC = "Ana Ben Cy"
HANDS = {"Ana": "Kh 3d 4d 5d", "Ben": "3h 4h 5h 6h", "Cy": "3s 4s 5s 6s"}


def last_in(**hands: str) -> list[Event]:
    """Ana has made it 99, and the two others couldn't play: she is the last one in."""
    deal = dealt("Cy", "7h 7d 7s", **(HANDS | hands))
    return game(ABC, deal, turn("Ana", "Kh", 99, drawn="7h"), out("Ben"), out("Cy"))


def ended(**hands: str) -> list[Event]:
    """Ana has won the hand."""
    return [*last_in(**hands), won("Ana")]


BLIND = [*game(ABC, seen("Cy", ABC)), *turn("Ana", "Kh", 99), out("Ben"), out("Cy"), won("Ana")]
THIEF = {"Ben": "3h 4h 5h Ac"}
ACE_WON = {"Ana": "Kh Ac 4d 5d"}


# ---- last-standing ----


def test_last_standing_wins_and_nobody_else() -> None:
    assert_clean(last_in(), won("Ana"), took("Ana"))
    assert_reported(last_in(), won("Ben"), took("Ben"), rule="last-standing", player="Ben")


def test_last_standing_wins_though_another_was_written() -> None:
    assert_reported(last_in(), won("Ben"), took("Ana"), rule="last-standing", player="Ben")


def test_last_standing_won_while_others_are_in() -> None:
    given = [*game(ABC, seen("Cy", ABC)), *turn("Ana", "Kh", 99), out("Ben")]
    after = [took("Ana"), seen("Ana", ABC), *turn("Ben", "5h", 5)]
    assert_reported(given, won("Ana"), *after, rule="last-standing", player="Ana")


def test_last_standing_won_while_others_are_in_and_the_hand_goes_on() -> None:
    given = [*game(ABC, seen("Cy", ABC)), *turn("Ana", "Kh", 99), out("Ben")]
    after = [*turn("Cy", "9h", 99), out("Ana"), won("Cy"), took("Cy")]
    assert_reported(given, won("Ana"), *after, rule="last-standing", player="Ana")


def test_last_standing_plays_nothing_after_the_others_are_out() -> None:
    after = [drew("Ana", "7d"), won("Ana"), took("Ana")]
    assert_reported(last_in(), played("Ana", "Ks", 99), after[1:], rule="last-standing", player="Ana")
    given = last_in(Ana="Kh Kd 4d 5d")
    assert_reported(given, played("Ana", "Kd", 99), after, rule="last-standing", player="Ana")


def test_last_standing_plays_on_with_somebody_who_was_not_out_after_all() -> None:
    """A player wrongly out is in again if the log shows it, also if it shows only when the hand seemed to be over."""
    given = [*game("Ana Ben", seen("Ben", "Ana Ben")), *turn("Ana", "Kh", 99), out("Ben")]
    after = [drew("Ana"), *turn("Ben", "3h", 92), *turn("Ana", "4d", 96), *turn("Ben", "As", 97), out("Ana")]
    after += [won("Ben"), took("Ben")]
    assert_reported(given, played("Ana", "Td", 89), *after, rule="last-standing", player="Ana")


def test_last_standing_nothing_is_played_between_a_win_and_the_next_deal() -> None:
    given = [*ended(Ana="Kh Kd 4d 5d"), took("Ana")]
    assert_clean(given, seen("Ana", ABC), turn("Ben", "5h", 5))
    after = [seen("Ana", ABC), *turn("Ben", "5h", 5)]
    assert_reported(given, played("Ana", "Kd", 99), *after, rule="last-standing", player="Ana")
    assert_reported(ended(), played("Ana", "3d", 99), took("Ana"), rule="last-standing", player="Ana")


def test_last_standing_is_not_won_twice() -> None:
    assert_reported(ended(), won("Ana"), took("Ana"), rule="last-standing", player="Ana")


def test_last_standing_draws_before_it_wins() -> None:
    """With two left, the Death Card's player draws; then the target is out and the hand is won."""
    given = [*game("Ana Ben", seen("Ben", "Ana Ben")), *turn("Ana", "Kh", 99), *turn("Ben", "Qs", 99, "Ana")]
    assert_clean(given, out("Ana", "death_card"), won("Ben"), took("Ben"))


def test_log_order_a_win_is_missing_before_the_prize() -> None:
    assert_reported(last_in(), took("Ana"), seen("Ana", ABC), rule="log-order", player="Ana")
    assert_clean(last_in(), won("Ana"), took("Ana"), seen("Ana", ABC))


def test_log_order_no_prize_before_a_win() -> None:
    given = [*game(ABC, seen("Cy", ABC)), *turn("Ana", "Kh", 99)]
    assert_reported(given, took("Ana"), turn("Ben", "9h", 99), rule="log-order", player="Ana")
    assert_reported(given, stole("Ben", "Ana"), turn("Ben", "9h", 99), rule="log-order", player="Ben")


# ---- steal ----


def test_steal_is_made_with_the_ace_of_clubs_of_a_player_who_is_out() -> None:
    assert_clean(ended(**THIEF), stole("Ben", "Ana"), took("Ben"))


def test_steal_is_not_optional() -> None:
    assert_reported(ended(**THIEF), took("Ana"), seen("Ana", ABC), rule="steal", player="Ben")


@pytest.mark.parametrize("settled", [took("Ben"), carried("Ben"), gave("Ben", "Cy")])
def test_steal_was_made_but_not_written(settled: Event) -> None:
    """Its first sign is the hit that the thief takes, leaves or gives."""
    assert_reported(ended(**THIEF), settled, seen("Ana", ABC), rule="steal", player="Ben")


def test_steal_missing_shows_at_the_first_slide() -> None:
    given = ended(**THIEF, Ana="Kh Kc 4d 5d")
    assert_reported(given, slid("Ben", "Ana", "Kc"), took("Ana"), rule="steal", player="Ben")


@pytest.mark.parametrize("aside", [leisure("Cy"), loaded("Ben"), ruling(5), shown("Cy", "3s"), voided()])
def test_steal_missing_is_not_shown_by_an_aside(aside: Event) -> None:
    after: list[Event] = [seen("Cy", ABC)] if aside == voided() else [stole("Ben", "Ana"), took("Ben")]
    assert_clean(ended(**THIEF), aside, after)


def test_steal_invented_stands_for_its_holder() -> None:
    assert_reported(ended(), stole("Ben", "Ana"), took("Ben"), rule="steal", player="Ben")


def test_steal_invented_did_not_happen() -> None:
    assert_reported(ended(), stole("Ben", "Ana"), took("Ana"), rule="steal", player="Ben")


def test_steal_invented_slides_on_without_another_finding() -> None:
    given = ended(Ana="Kh Kc 4d 5d")
    assert_reported(given, stole("Ben", "Ana"), slid("Ben", "Ana", "Kc"), took("Ana"), rule="steal", player="Ben")
    assert_reported(given, stole("Ben", "Ana"), took("Ben"), rule="steal", player="Ben")


def test_steal_by_somebody_who_does_not_hold_the_ace() -> None:
    given = ended(**THIEF)
    assert_reported(given, stole("Cy", "Ana"), took("Cy"), rule="steal", player="Cy")
    after = [stole("Ben", "Ana"), took("Ben")]
    assert_reported(given, stole("Cy", "Ana"), *after, rule="steal", player="Cy")


def test_steal_from_somebody_who_did_not_win() -> None:
    assert_reported(ended(**THIEF), stole("Ben", "Cy"), took("Ben"), rule="steal", player="Ben")


def test_steal_by_the_winner() -> None:
    assert_reported(ended(), stole("Ana", "Ana"), took("Ana"), rule="steal", player="Ana")


def test_steal_twice() -> None:
    given = [*ended(**THIEF), stole("Ben", "Ana")]
    assert_reported(given, stole("Cy", "Ben"), took("Cy"), rule="steal", player="Cy")


def test_steal_in_a_log_without_cards_is_open_either_way() -> None:
    assert_clean(BLIND, took("Ana"))
    assert_clean(BLIND, stole("Cy", "Ana"), took("Cy"))


def test_steal_missing_is_proved_by_the_shown_ace() -> None:
    assert_reported([*BLIND, shown("Cy", "Ac")], took("Ana"), rule="steal", player="Cy")
    assert_clean(BLIND, shown("Cy", "Ac"), stole("Cy", "Ana"), took("Cy"))


def test_steal_missing_is_proved_when_the_ace_is_shown_too_late() -> None:
    """The hit was settled before the Ace came up: the settling is the line that broke the rule."""
    assert findings_of([*BLIND, took("Ana"), shown("Cy", "Ac")]) == [(8, "steal", "Cy")]


# ---- bonus ----


def test_bonus_comes_into_being_if_the_winner_holds_the_ace_of_clubs() -> None:
    assert_clean(ended(**ACE_WON), bonus("Ana"), took("Ana"), took("Ana", 1, "bonus"))


def test_bonus_is_missing() -> None:
    assert_reported(ended(**ACE_WON), took("Ana"), seen("Ana", ABC), rule="bonus", player="Ana")


def test_bonus_is_missing_but_taken() -> None:
    """It came into being, though nobody wrote it."""
    given = ended(**ACE_WON)
    assert_reported(given, took("Ana"), took("Ana", 1, "bonus"), seen("Ana", ABC), rule="bonus", player="Ana")


def test_bonus_is_missing_but_slides() -> None:
    given = ended(**ACE_WON, Ben="3h 4h 5h Qc")
    after = [took("Ana"), took("Ana", 1, "bonus")]
    log = [*given, slid("Ana", "Ben", "Qc", "bonus"), *after]
    assert findings_of(log)[0] == (8, "bonus", "Ana")


def test_bonus_is_invented() -> None:
    after = [took("Ana"), took("Ana", 1, "bonus"), seen("Ana", ABC)]
    assert_reported(ended(), bonus("Ana"), *after, rule="bonus", player="Ana")
    assert_reported(ended(), bonus("Ana"), took("Ana"), seen("Ana", ABC), rule="bonus", player="Ana")


def test_bonus_is_somebody_elses() -> None:
    after = [took("Ana"), took("Ben", 1, "bonus")]
    assert_reported(ended(**ACE_WON), bonus("Ben"), *after, rule="bonus", player="Ben")


def test_bonus_is_another_thing_than_a_steal() -> None:
    """An out player with the Ace steals; the winner with it gets the bonus."""
    assert_reported(ended(**THIEF), bonus("Ben"), took("Ana"), rule="bonus", player="Ben")
    assert_reported(ended(**ACE_WON), stole("Ana", "Ana"), took("Ana"), rule="steal", player="Ana")


def test_bonus_is_settled_though_none_came_into_being() -> None:
    given = [*BLIND, took("Ana")]
    assert_reported(given, took("Ana", 1, "bonus"), seen("Ana", ABC), rule="bonus", player="Ana")


def test_bonus_other_prize_may_be_settled_before_it_slides() -> None:
    given = ended(Ana="Kh Ac 4d 5d", Ben="3h 4h 5h Jc", Cy="3s 4s 5s Qc")
    # Nobody holds the King, so the bonus stays where it is.
    assert_clean(given, bonus("Ana"), took("Ana"), took("Ana", 1, "bonus"))
    given = ended(Ana="Kh Ac Kc 5d", Ben="3h 4h 5h Jc", Cy="3s 4s 5s Qc")
    way = [slid("Ana", "Ana", "Kc", "bonus"), slid("Ana", "Cy", "Qc", "bonus"), slid("Cy", "Ben", "Jc", "bonus")]
    assert_clean(given, bonus("Ana"), took("Ana"), way, took("Ben", 1, "bonus"))
    assert_clean(given, bonus("Ana"), way, took("Ben", 1, "bonus"), took("Ana"))


# ---- slide ----

SLIDING = {"Ana": "Kh Kc 4d 5d", "Ben": "3h 4h 5h Ac", "Cy": "3s 4s 5s Qc"}
WAY = [slid("Ben", "Ana", "Kc"), slid("Ana", "Cy", "Qc")]


def stolen(**hands: str) -> list[Event]:
    return [*ended(**(SLIDING | hands)), stole("Ben", "Ana")]


def test_slide_goes_down_the_clubs_until_one_that_nobody_holds() -> None:
    assert_clean(stolen(), WAY, took("Cy"))


def test_slide_may_pass_one_player_several_times() -> None:
    given = stolen(Cy="3s 4s 5s Jc", Ana="Kh Kc Qc Tc")
    way = [slid("Ben", "Ana", "Kc"), slid("Ana", "Ana", "Qc"), slid("Ana", "Cy", "Jc"), slid("Cy", "Ana", "Tc")]
    assert_clean(given, way, took("Ana"))


def test_slide_goes_down_to_the_two() -> None:
    players = "Ana Ben Cy Dee"
    hands = {"Ana": "Kh Kc 9c Tc", "Ben": "Ac 8c 7c 6c", "Cy": "Qc Jc 5c 4c", "Dee": "Qs 3c 2c As"}
    given = game(players, dealt("Dee", "7h 7d 7s", **hands), turn("Ana", "Kh", 99, drawn="7h"), out("Ben"), out("Cy"))
    given += [*turn("Dee", "2c", 99, drawn="7d"), *turn("Ana", "9c", 99, drawn="7s")]
    given += [*turn("Dee", "Qs", 99, "Ana"), out("Ana", "death_card"), won("Dee"), stole("Ben", "Dee")]
    steps = [("Ana", "Kc"), ("Cy", "Qc"), ("Cy", "Jc"), ("Ana", "Tc")]
    holder, way = "Ben", list[Event]()
    for player, card in steps:
        way.append(slid(holder, player, card))
        holder = player
    # The nine has been played: there the slide ends.
    assert_clean(given, way, took("Ana"))
    assert_reported([*given, *way], slid("Ana", "Ben", "8c"), took("Ben"), rule="slide", player="Ben")


def test_slide_is_due_before_the_prize_is_settled() -> None:
    assert_reported(stolen(), took("Ben"), seen("Ana", ABC), rule="slide", player="Ana")
    assert_reported([*stolen(), WAY[0]], took("Ana"), seen("Ana", ABC), rule="slide", player="Cy")


def test_slide_was_made_but_not_written() -> None:
    """Whoever takes the hit in the end tells how far it went."""
    assert_reported(stolen(), took("Cy"), seen("Ana", ABC), rule="slide", player="Ana")
    assert_reported(stolen(), took("Ana"), seen("Ana", ABC), rule="slide", player="Ana")


def test_slide_of_a_hit_that_was_not_stolen() -> None:
    given = ended(Ana="Kh Kc 4d 5d", Cy="3s 4s 5s Qc")
    assert_clean(given, took("Ana"))
    assert_reported(given, slid("Ana", "Ana", "Kc"), took("Ana"), rule="slide", player="Ana")
    given = ended(Cy="3s 4s 5s Qc")
    assert_reported(given, slid("Ana", "Cy", "Qc"), took("Cy"), rule="slide", player="Cy")
    assert_reported(given, slid("Ana", "Cy", "Qc"), took("Ana"), rule="slide", player="Cy")


def test_slide_main_prize_does_not_move_when_there_is_a_bonus() -> None:
    given = [*ended(Ana="Kh Ac Kc 5d"), bonus("Ana")]
    after = [took("Ana"), slid("Ana", "Ana", "Kc", "bonus"), took("Ana", 1, "bonus")]
    assert_clean(given, after)
    assert_reported(given, slid("Ana", "Ana", "Kc"), *after, rule="slide", player="Ana")


def test_slide_leaves_out_a_club() -> None:
    given = stolen(Ana="Kh 6d 4d 5d")
    assert_clean(given, took("Ben"))
    assert_reported(given, slid("Ben", "Cy", "Qc"), took("Cy"), rule="slide", player="Cy")


def test_slide_to_somebody_who_does_not_hold_the_club() -> None:
    assert_reported(stolen(), slid("Ben", "Cy", "Kc"), took("Cy"), rule="slide", player="Cy")
    assert_reported(stolen(), slid("Ben", "Cy", "Kc"), slid("Cy", "Cy", "Qc"), took("Cy"), rule="slide", player="Cy")


def test_slide_did_not_happen_after_all() -> None:
    assert_reported(stolen(), slid("Ben", "Cy", "Kc"), *WAY, took("Cy"), rule="slide", player="Cy")


def test_slide_from_somebody_who_has_not_got_it() -> None:
    assert_reported(stolen(), slid("Cy", "Ana", "Kc"), WAY[1], took("Cy"), rule="slide", player="Ana")


def test_slide_of_a_prize_that_is_none() -> None:
    after = [*WAY, took("Cy")]
    assert_reported(stolen(), slid("Ben", "Ana", "Kc", "bonus"), *after, rule="slide", player="Ana")


def test_slide_without_cards_shows_who_held_what() -> None:
    """The two that Cy could have played proves that she wasn't stuck; the six proves nothing."""
    given = [*BLIND, stole("Ben", "Ana")]
    assert_clean(given, slid("Ben", "Ana", "Kc"), took("Ana"))
    assert findings_of([*given, slid("Ben", "Cy", "Kc"), took("Cy")]) == [(6, "must-play", "Cy")]


def test_slide_missing_is_proved_by_the_shown_club() -> None:
    given = [*BLIND, shown("Ana", "Kc"), stole("Ben", "Ana")]
    assert_reported(given, took("Ben"), rule="slide", player="Ana")
    assert_clean(given, slid("Ben", "Ana", "Kc"), took("Ana"))


def test_slide_missing_is_proved_when_the_club_is_shown_too_late() -> None:
    given = [*BLIND, stole("Ben", "Ana"), took("Ben")]
    assert findings_of([*given, shown("Ana", "Kc")]) == [(9, "slide", "Ana")]


# ---- prize ----


@pytest.mark.parametrize("settled", [took("Ana"), carried("Ana"), gave("Ana", "Cy")])
def test_prize_is_taken_left_or_given(settled: Event) -> None:
    assert_clean(ended(), settled, seen("Ana", ABC))


@pytest.mark.parametrize("settled", [took("Cy"), carried("Cy"), gave("Cy", "Ana")])
def test_prize_of_another_is_taken_left_or_given(settled: Event) -> None:
    assert_reported(ended(), settled, seen("Ana", ABC), rule="prize", player="Cy")


@pytest.mark.parametrize("settled", [took("Cy"), carried("Cy"), gave("Cy", "Ana")])
def test_prize_of_another_is_settled_again_by_its_holder(settled: Event) -> None:
    assert_reported(ended(), settled, took("Ana"), seen("Ana", ABC), rule="prize", player="Cy")


@pytest.mark.parametrize("settled", [took("Ana", 2), carried("Ana", 2), gave("Ana", "Cy", 2), took("Ana", 0)])
def test_prize_wrong_number_of_hits(settled: Event) -> None:
    assert_reported(ended(), settled, seen("Ana", ABC), rule="prize", player="Ana")


def test_prize_is_given_to_another_player() -> None:
    assert_reported(ended(), gave("Ana", "Ana"), seen("Ana", ABC), rule="prize", player="Ana")


def test_prize_is_taken_twice() -> None:
    given = [*ended(), took("Ana")]
    assert_reported(given, took("Ana"), seen("Ana", ABC), rule="prize", player="Ana")


@pytest.mark.parametrize("later", [seen("Ana", ABC), joined("Dee"), closed()])
def test_prize_is_left_unsettled(later: Event) -> None:
    assert_clean(ended(), took("Ana"), later)
    assert_reported(ended(), later, rule="prize", player="Ana")


def test_prize_of_a_bonus_is_left_unsettled() -> None:
    given = [*ended(**ACE_WON), bonus("Ana"), took("Ana")]
    assert_reported(given, seen("Ana", ABC), rule="prize", player="Ana")
    assert_clean(given, carried("Ana", 1, "bonus"), seen("Ana", ABC))


def hand_of_two(*hits: Event) -> list[Event]:
    """Ben leads the second hand and wins it; what he settles shows how many hits were at stake."""
    play = [*turn("Ben", "Kh", 99), out("Cy"), out("Ana"), won("Ben")]
    return [seen("Ana", ABC), *play, *hits]


def test_prize_left_unsettled_was_taken_or_stays_at_stake() -> None:
    """What the next hand's winner takes tells which."""
    deal, *one = hand_of_two(took("Ben", 1))
    assert_reported(ended(), deal, *one, seen("Ben", ABC), rule="prize", player="Ana")
    deal, *two = hand_of_two(took("Ben", 2))
    assert_reported(ended(), deal, *two, seen("Ben", ABC), rule="prize", player="Ana")


@pytest.mark.parametrize("next_hits", [took("Ben", 2), took("Ben", 3)])
def test_prize_wrong_number_left_over_the_stated_or_the_rightful_is_at_stake_next(next_hits: Event) -> None:
    after = [*hand_of_two(next_hits), seen("Ben", ABC)]
    assert_reported(ended(), carried("Ana", 2), *after, rule="prize", player="Ana")


def test_prize_wrong_number_left_over_is_found_again_if_neither_is_at_stake() -> None:
    log = [*ended(), carried("Ana", 2), *hand_of_two(took("Ben", 7)), seen("Ben", ABC)]
    assert findings_of(log) == [(8, "prize", "Ana"), (15, "prize", "Ben")]


def test_prize_hits_left_over_must_be_accounted_for() -> None:
    given = [*ended(), carried("Ana"), *hand_of_two()]
    assert_clean(given, took("Ben", 2), seen("Ben", ABC))
    assert_clean(given, took("Ben", 1), gave("Ben", "Ana", 1), seen("Ben", ABC))
    assert_reported(given, took("Ben", 3), seen("Ben", ABC), rule="prize", player="Ben")
    assert_reported([*given, took("Ben", 1)], seen("Ben", ABC), rule="prize", player="Ben")


@pytest.mark.parametrize("aside", [leisure("Cy"), loaded("Ben"), ruling(5), shown("Cy", "3s")])
def test_prize_unsettled_is_not_shown_by_an_aside(aside: Event) -> None:
    assert_clean(ended(), aside, took("Ana"))


def test_prize_of_a_log_that_writes_no_hits_is_never_missed() -> None:
    log = game(ABC, dealt("Cy", "7h", **HANDS), omits=["hit_taken", "hit_carried", "hit_donated"])
    play = [*turn("Ana", "Kh", 99, drawn="7h"), out("Ben"), out("Cy"), won("Ana")]
    assert_clean(log, play, seen("Ana", ABC), turn("Ben", "5h", 5))


def test_prize_of_a_hand_that_nobody_wrote_as_won_in_a_log_that_never_does() -> None:
    log = game(ABC, dealt("Cy", "7h", **(HANDS | THIEF)), omits=["hand_won"])
    play = [*turn("Ana", "Kh", 99, drawn="7h"), out("Ben"), out("Cy")]
    assert_clean(log, play, stole("Ben", "Ana"), took("Ben"), seen("Ana", ABC))
    assert_reported([*log, *play], took("Ana"), seen("Ana", ABC), rule="steal", player="Ben")


def test_count_is_not_corrected_after_the_hand() -> None:
    assert_reported(ended(), recounted(5), took("Ana"), rule="log-order", player=None)
