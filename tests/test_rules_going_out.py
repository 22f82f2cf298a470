"""Going out: `must-play` and `out`, with all cards and without any, each in a fault and in its legal twin."""

import pytest
from tables import (
    Event,
    assert_clean,
    assert_reported,
    audited,
    dealt,
    drew,
    findings_of,
    game,
    left,
    played,
    seen,
    shown,
    slid,
    stole,
    took,
    turn,
    unseen,
    won,
)
from tables import out as goes_out

ABC = "Ana Ben Cy"
BLIND = game(ABC, seen("Cy", ABC))
AT_99 = [*BLIND, *turn("Ana", "Kh", 99)]

STUCK = {"Ana": "Kh 9c 3d 2c", "Ben": "3h 4h 5h 6h", "Cy": "3s 4s 5s 6s"}
"""At 99 Ben and Cy can't play."""


def known(top: str = "7h 7d 7s", **hands: str) -> list[Event]:
    """Everybody's cards are logged, and Ana has just made it 99."""
    return game(ABC, dealt("Cy", top, **(STUCK | hands)), turn("Ana", "Kh", 99, drawn=top.split()[0]))


# ---- must-play, with the cards ----


@pytest.mark.parametrize("fit", ["9h", "2h", "Th", "Kd"])
def test_must_play_out_though_a_card_can_be_played(fit: str) -> None:
    hand = f"3h 4h 5h {fit}"
    given = known(Ben=hand)
    count = 89 if fit == "Th" else 99
    assert_clean(given, turn("Ben", fit, count, drawn="7d"))
    assert_reported(given, goes_out("Ben"), rule="must-play", player="Ben")
    assert_clean(known(), goes_out("Ben"))


def test_must_play_the_death_card_can_be_forced() -> None:
    given = known(Ben="3h 4h 5h Qs")
    assert_clean(given, turn("Ben", "Qs", 99, "Cy", drawn="7d"), goes_out("Cy", "death_card"))
    assert_reported(given, goes_out("Ben"), rule="must-play", player="Ben")


def test_must_play_any_of_several_cards_is_the_players_choice() -> None:
    given = known(Ben="9h 2h Th Kd")
    for card, count in (("9h", 99), ("2h", 99), ("Th", 89), ("Kd", 99)):
        assert_clean(given, turn("Ben", card, count, drawn="7d"))


def test_must_play_wrongly_out_stays_out_as_the_log_shows() -> None:
    given = known(Ben="3h 4h 5h 9h")
    after = [goes_out("Cy"), won("Ana"), took("Ana")]
    assert_reported(given, goes_out("Ben"), *after, rule="must-play", player="Ben")


def test_must_play_wrongly_out_is_still_in_as_the_log_shows() -> None:
    given = known(Ben="3h 4h 5h 9h", Cy="3s 4s 5s 2s")
    after = [*turn("Cy", "2s", 99, drawn="7d"), *turn("Ana", "9c", 99, drawn="7s"), *turn("Ben", "9h", 99)]
    assert_reported(given, goes_out("Ben"), *after, rule="must-play", player="Ben")


def test_must_play_wrongly_out_and_plays_at_once_after_all() -> None:
    given = known(Ben="3h 4h 5h 9h")
    after = turn("Ben", "9h", 99, drawn="7d")
    assert_reported(given, goes_out("Ben"), *after, goes_out("Cy"), rule="must-play", player="Ben")


# ---- must-play, without any card ----


@pytest.mark.parametrize(
    ("plays", "count"),
    [("Kc Th", 89), ("Kc Ts", 89), ("5h 6h", 11), ("As Ad", 2), ("Qh Jh", 20)],
)
def test_must_play_out_at_89_or_less_whatever_the_cards_are(plays: str, count: int) -> None:
    first, second = plays.split()
    worth = {"K": 99, "5": 5, "A": 1, "Q": 10}[first[0]]
    given = [*BLIND, *turn("Ana", first, worth), *turn("Ben", second, count)]
    assert_clean(given, turn("Cy", "9d", count + 9))
    assert_reported(given, goes_out("Cy"), rule="must-play", player="Cy")


def test_must_play_out_at_90_or_more_may_be_right() -> None:
    at_90 = [*AT_99, *turn("Ben", "Th", 89), *turn("Cy", "Ah", 90)]
    assert_clean(at_90, goes_out("Ana"))
    assert_clean(AT_99, goes_out("Ben"))


def test_must_play_out_at_the_very_first_turn() -> None:
    assert_reported(BLIND, goes_out("Ana"), turn("Ben", "9h", 9), rule="must-play", player="Ana")


def ending_at(count: int) -> list[Event]:
    """Ben faces this Count and goes out with "no play"; in the end Cy has won the hand."""
    if count == 99:
        before = [*AT_99]
    elif count == 98:
        before = [*BLIND, *turn("Ana", "Kh", 99), *turn("Ben", "Th", 89), *turn("Cy", "9d", 98), goes_out("Ana")]
        return [*before, goes_out("Ben"), won("Cy")]
    else:
        before = [*BLIND, *turn("Ana", "Kh", 99), *turn("Ben", "Th", 89), *turn("Cy", "Ah", 90), goes_out("Ana")]
        return [*before, goes_out("Ben"), won("Cy")]
    return [*before, goes_out("Ben"), *turn("Cy", "9d", 99), goes_out("Ana"), won("Cy")]


@pytest.mark.parametrize("count", [90, 98])
def test_must_play_a_steal_contradicts_an_elimination(count: int) -> None:
    """The Ace of Clubs could have been played at 98 or less; no hand is logged."""
    given = ending_at(count)
    assert findings_of(given) == []
    log = [*given, stole("Ben", "Cy"), took("Ben")]
    line = given.index(goes_out("Ben")) + 1
    assert findings_of(log) == [(line, "must-play", "Ben")]


def test_must_play_a_steal_agrees_with_going_out_at_99() -> None:
    assert_clean(ending_at(99), stole("Ben", "Cy"), took("Ben"))


def test_must_play_a_steal_by_somebody_who_left_proves_nothing() -> None:
    log = [*BLIND, *turn("Ana", "5h", 5), left("Ben"), goes_out("Ben", "left"), *turn("Cy", "Kd", 99)]
    assert_clean(log, goes_out("Ana"), won("Cy"), stole("Ben", "Cy"), took("Ben"))


@pytest.mark.parametrize("count", [90, 98, 99])
def test_must_play_a_slide_to_the_king_contradicts_any_elimination_without_a_play(count: int) -> None:
    """A King can be played at any Count."""
    given = ending_at(count)
    line = given.index(goes_out("Ben")) + 1
    log = [*given, stole("Ana", "Cy"), slid("Ana", "Ben", "Kc"), took("Ben")]
    # Ana's steal is in order at 99 only.
    steal = [] if count == 99 else [(line - 1, "must-play", "Ana")]
    assert findings_of(log) == [*steal, (line, "must-play", "Ben")]


def test_must_play_a_slide_to_the_king_of_a_death_cards_target_is_fine() -> None:
    log = [*AT_99, *turn("Ben", "Qs", 99, "Cy"), goes_out("Cy", "death_card"), goes_out("Ana"), won("Ben")]
    assert_clean(log, stole("Ana", "Ben"), slid("Ana", "Cy", "Kc"), took("Cy"))


@pytest.mark.parametrize(("card", "count"), [("8h", 90), ("9h", 99), ("2d", 99), ("Ts", 99), ("Qs", 99), ("Kd", 98)])
def test_must_play_a_shown_card_contradicts_an_elimination(card: str, count: int) -> None:
    given = ending_at(count)
    line = given.index(goes_out("Ben")) + 1
    assert findings_of([*given, shown("Ben", card), took("Cy")]) == [(line, "must-play", "Ben")]


@pytest.mark.parametrize(("card", "count"), [("8h", 98), ("3h", 99), ("Qh", 90), ("Ac", 99)])
def test_must_play_a_shown_card_that_could_not_be_played_is_fine(card: str, count: int) -> None:
    given = [*ending_at(count)]
    after = [stole("Ben", "Cy"), took("Ben")] if card == "Ac" else [took("Cy")]
    assert_clean(given, shown("Ben", card), after)


def test_must_play_is_reported_once_for_one_elimination() -> None:
    given = ending_at(98)
    line = given.index(goes_out("Ben")) + 1
    log = [*given, shown("Ben", "Ac"), stole("Ben", "Cy"), slid("Ben", "Ben", "Kc"), took("Ben")]
    assert findings_of(log) == [(line, "must-play", "Ben")]


def test_must_play_the_proof_is_the_evidence_of_the_line() -> None:
    given = ending_at(98)
    (finding,) = audited([*given, stole("Ben", "Cy"), took("Ben")]).findings
    assert finding.evidence[-1] == len(given) + 1


# ---- out ----


def test_out_a_stuck_player_is_passed_over() -> None:
    """Nobody wrote that Ben is out, and he never acts again."""
    given = known(Cy="3s 4s 5s 2s")
    assert_clean(given, goes_out("Ben"), turn("Cy", "2s", 99, drawn="7d"))
    after = [drew("Cy", "7d"), *turn("Ana", "9c", 99, drawn="7s"), goes_out("Cy"), won("Ana"), took("Ana")]
    assert_reported(given, played("Cy", "2s", 99), *after, rule="out", player="Ben")


def test_out_a_stuck_player_is_passed_over_and_is_still_in() -> None:
    given = known("7h 7d 7s", Ana="Kh 9c Td 2c", Cy="3s 4s 5s 2s")
    after = [drew("Cy", "7d"), *turn("Ana", "Td", 89, drawn="7s"), *turn("Ben", "3h", 92)]
    assert_reported(given, played("Cy", "2s", 99), *after, rule="out", player="Ben")


def test_out_a_player_passed_over_could_play_as_far_as_the_log_knows() -> None:
    """Without cards nobody can tell whether Ben was stuck; it is proved only that he was passed over."""
    log = unseen([*known(Cy="3s 4s 5s 2s"), *turn("Cy", "2s", 99)])
    assert findings_of(log) == [(5, "turn-order", "Cy")]


def test_out_a_player_who_is_out_plays() -> None:
    given = [*AT_99, goes_out("Ben"), *turn("Cy", "Td", 89)]
    assert_clean(given, turn("Ana", "4c", 93))
    after = [drew("Ben"), *turn("Cy", "Ad", 93), *turn("Ana", "4c", 97)]
    assert_reported(given, played("Ben", "3s", 92), *after, rule="out", player="Ben")


def test_out_a_player_who_is_out_plays_and_is_in_again() -> None:
    given = [*AT_99, goes_out("Ben"), *turn("Cy", "Td", 89)]
    log = [*given, *turn("Ana", "As", 90), *turn("Ben", "3s", 93), *turn("Cy", "Ah", 94), *turn("Ana", "2h", 96)]
    assert findings_of([*log, *turn("Ben", "3d", 99)]) == [(10, "out", "Ben")]


def test_must_play_who_is_out_plays_a_card_that_they_held_when_they_went_out() -> None:
    """Ben's cards didn't change while he was out, so he could have played the 2; that he is in again follows."""
    given = [*AT_99, goes_out("Ben"), *turn("Cy", "9d", 99)]
    log = [*given, *turn("Ana", "9h", 99), *turn("Ben", "2s", 99), *turn("Cy", "2d", 99), *turn("Ana", "2h", 99)]
    assert findings_of([*log, *turn("Ben", "9s", 99)]) == [(5, "must-play", "Ben")]


def test_out_a_player_who_is_out_goes_out_again() -> None:
    given = [*AT_99, goes_out("Ben")]
    assert_reported(given, goes_out("Ben"), turn("Cy", "9d", 99), turn("Ana", "9h", 99), rule="out", player="Ben")


def test_out_cards_are_shown_before_the_hand_is_won() -> None:
    given = [*AT_99, goes_out("Ben")]
    assert_reported(given, shown("Ben", "3h"), turn("Cy", "9d", 99), rule="out", player="Ben")
    assert_clean(given, goes_out("Cy"), won("Ana"), shown("Ben", "3h"), took("Ana"))


def test_out_cards_are_shown_when_one_is_left_but_has_not_won_yet() -> None:
    given = [*AT_99, goes_out("Ben"), goes_out("Cy")]
    assert_reported(given, shown("Ben", "3h"), won("Ana"), took("Ana"), rule="out", player="Ben")


def test_out_who_is_still_in_may_show_cards() -> None:
    assert_clean(AT_99, shown("Ben", "3h"), shown("Ana", "9h"))


def test_out_cards_stay_unchanged_for_the_prize() -> None:
    """A club that an out player holds is theirs until the slide."""
    given = known(Ben="3h 4h 5h Ac", Cy="3s 4s 5s Qc")
    log = [*given, goes_out("Ben"), goes_out("Cy"), won("Ana"), stole("Ben", "Ana")]
    assert_clean(log, took("Ben"))
    assert_reported(log, slid("Ben", "Cy", "Kc"), took("Cy"), rule="slide", player="Cy")


def test_out_a_leaver_must_be_put_out_at_once() -> None:
    given = [*AT_99, left("Cy")]
    assert_clean(given, goes_out("Cy", "left"), turn("Ben", "9d", 99), turn("Ana", "9h", 99))
    after = [drew("Ben"), *turn("Ana", "9h", 99), *turn("Ben", "2s", 99)]
    assert_reported(given, played("Ben", "9d", 99), *after, rule="out", player="Cy")


def test_out_a_leaver_goes_out_for_leaving() -> None:
    given = [*AT_99, left("Ben")]
    assert_clean(given, goes_out("Ben", "left"), turn("Cy", "9d", 99))
    assert_reported(given, goes_out("Ben"), turn("Cy", "9d", 99), rule="out", player="Ben")


def test_out_for_leaving_without_leaving_makes_no_sense() -> None:
    assert_reported(AT_99, goes_out("Ben", "left"), turn("Ben", "9d", 99), rule="log-order", player="Ben")
