"""Where the rules are silent: each ruling of docs/adr (R1 to R9, R14, R16, R17) in the cases that it decides."""

import pytest
from tables import (
    Event,
    assert_clean,
    assert_reported,
    audited,
    bonus,
    cards,
    carried,
    closed,
    corrected,
    dealt,
    drew,
    findings_of,
    game,
    gave,
    joined,
    left,
    leisure,
    loaded,
    out,
    played,
    recounted,
    reshuffled,
    seen,
    shown,
    slid,
    stole,
    taken_back,
    took,
    turn,
    unseen,
    voided,
    won,
)

from domain import events as ev
from domain.shipped_rules import rules_named
from projections.frames import Replay

NAMES = ["Ana", "Ben", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou", "Mo", "Nan"]
ABC = "Ana Ben Cy"
START = game(ABC, seen("Cy", ABC))
AT_99 = [*START, *turn("Ana", "Kh", 99)]
WON = [*AT_99, out("Ben"), out("Cy"), won("Ana")]


# ---- R1 ----


@pytest.mark.parametrize("seats", range(1, 15))
def test_seats_two_to_thirteen(seats: int) -> None:
    names = " ".join(NAMES[:seats])
    found = findings_of(game(names, seen(NAMES[seats - 1], names)))
    assert found == ([] if 2 <= seats <= 13 else [(2, "deal", None)])
    rules = rules_named("bong-hit-99")
    assert (rules.fewest_seats, rules.most_seats) == (2, 13)


def test_seats_two_to_thirteen_and_with_thirteen_each_play_is_drawn_straight_back() -> None:
    names = " ".join(NAMES[:13])
    log = game(names, seen("Mo", names), played("Ana", "5h", 5), reshuffled("5h"), drew("Ana", "5h"))
    assert_clean(log, played("Ben", "6h", 11), reshuffled(), drew("Ben"))
    assert_reported([*log, played("Ben", "6h", 11)], drew("Ben"), rule="reshuffle", player="Ben")
    assert_reported([*log, played("Ben", "6h", 11)], reshuffled("5h"), drew("Ben"), rule="reshuffle", player=None)


# ---- R2 ----

TWELVE = " ".join(NAMES[:12])
RUN_OUT = game(
    TWELVE,
    seen("Lou", TWELVE),
    *(turn("Ana", "Ad", 1), turn("Ben", "Ah", 2), turn("Cy", "As", 3), turn("Dee", "2d", 5)),
)
"""Four cards of stock, and four draws."""


def test_reshuffle_between_the_emptying_draw_and_the_next() -> None:
    play, draw = turn("Eve", "3d", 8)
    assert_clean(RUN_OUT, reshuffled(), play, draw)
    assert_clean(RUN_OUT, play, reshuffled(), draw)
    assert_clean(RUN_OUT, leisure("Hal"), reshuffled("2d As Ah Ad"), play, drew("Eve", "2d"))
    assert_reported(RUN_OUT[:-1], reshuffled(), RUN_OUT[-1], play, draw, rule="reshuffle", player=None)
    assert_reported([*RUN_OUT, play], draw, rule="reshuffle", player="Eve")


def test_reshuffle_between_the_emptying_draw_and_the_next_takes_what_lies_there() -> None:
    """The last card too, if it was played before the shuffle; else it starts the next pile."""
    play, draw = turn("Eve", "3d", 8)
    assert_reported([*RUN_OUT, play], reshuffled("2d As Ah Ad"), draw, rule="reshuffle", player=None)
    assert_reported(RUN_OUT, reshuffled("2d As Ah Ad 3d"), play, draw, rule="reshuffle", player=None)


# ---- R3 ----


def shielded(first: str, second: str) -> list[Event]:
    """`first` makes it 99 and `second` plays the Death Card, which is shielded."""
    return [*turn(first, "Kh", 99), *turn(second, "Qs", 99, first), *turn(first, "Ad", 99)]


def test_two_player_game_is_two_from_the_start() -> None:
    log = game("Ana Ben", seen("Ben", "Ana Ben"), shielded("Ana", "Ben"))
    assert_clean(log, turn("Ben", "9h", 99), turn("Ana", "9d", 99))
    assert_reported(log, out("Ben", "blowback"), won("Ana"), took("Ana"), rule="death-card-blowback", player="Ben")


def test_two_player_game_is_two_from_the_start_and_stays_one_hand_after_hand() -> None:
    first = [*turn("Ana", "Kd", 99), out("Ben"), won("Ana"), took("Ana")]
    log = game("Ana Ben", seen("Ben", "Ana Ben"), first, seen("Ana", "Ana Ben"), shielded("Ben", "Ana"))
    assert_clean(log, turn("Ana", "9h", 99))


def test_two_player_game_is_two_from_the_start_not_a_hand_that_shrank() -> None:
    log = [*AT_99, out("Ben"), *turn("Cy", "Qs", 99, "Ana"), *turn("Ana", "Ad", 99)]
    assert_clean(log, out("Cy", "blowback"), won("Ana"), took("Ana"))
    after = [drew("Cy"), *turn("Ana", "9d", 99)]
    assert_reported(log, played("Cy", "9h", 99), *after, rule="death-card-blowback", player="Cy")


def test_two_player_game_is_two_from_the_start_not_an_evening_that_shrank() -> None:
    log = [*WON, took("Ana"), left("Cy"), seen("Ana", "Ana Ben"), *shielded("Ben", "Ana")]
    assert_clean(log, out("Ana", "blowback"), won("Ben"), took("Ben"))
    after = [drew("Ana"), *turn("Ben", "9d", 99)]
    assert_reported(log, played("Ana", "9h", 99), *after, rule="death-card-blowback", player="Ana")


def test_two_player_game_is_two_from_the_start_and_ends_when_a_third_is_dealt_in() -> None:
    first = [*turn("Ana", "Kd", 99), out("Ben"), won("Ana"), took("Ana"), joined("Cy")]
    log = game("Ana Ben", seen("Ben", "Ana Ben"), first)
    third = [seen("Cy", ABC), *turn("Ana", "Kh", 99), *turn("Ben", "Qs", 99, "Cy"), *turn("Cy", "Ad", 99)]
    assert_clean(log, third, out("Ben", "blowback"), turn("Ana", "9h", 99))


# ---- R4 ----

SLIDING = {"Ana": "Kh Kc 4d 5d", "Ben": "3h 4h 5h Ac", "Cy": "3s 4s 5s 6s"}


def ended(carried_over: int = 0, **hands: str) -> list[Event]:
    """Ana has won a hand with these cards; in as many hands before it the hit was left over."""
    players = ABC.split()
    log = game(ABC)
    for hand in range(carried_over + 1):
        # The last of these hands is dealt by Cy, so that Ana starts it.
        dealer = (2 - carried_over + hand) % 3
        first, second, third = (players[(dealer + step) % 3] for step in (1, 2, 3))
        last = hand == carried_over
        log.append(dealt("Cy", "7h 7d 7s", **hands) if last else seen(players[dealer], ABC))
        log += [*turn(first, "Kh", 99), out(second), out(third), won(first)]
        log += [] if last else [carried(first, hand + 1)]
    return log


def test_main_prize_moves_as_one_and_the_bonus_apart() -> None:
    """Three hits were left over from before: the thief steals four, and the King of Clubs gets four."""
    log = [*ended(3, **SLIDING), stole("Ben", "Ana"), slid("Ben", "Ana", "Kc")]
    assert_clean(log, took("Ana", 4), closed())
    assert_reported(log, took("Ana", 5), closed(), rule="prize", player="Ana")
    assert_reported([*log, took("Ana", 3)], closed(), rule="prize", player="Ana")


def test_main_prize_moves_as_one_and_the_bonus_apart_may_be_split() -> None:
    log = [*ended(3, **SLIDING), stole("Ben", "Ana"), slid("Ben", "Ana", "Kc")]
    parts = [took("Ana", 1), gave("Ana", "Cy", 1), carried("Ana", 2)]
    assert_clean(log, parts, closed())
    assert_reported(log, gave("Ben", "Cy", 1), *parts, rule="prize", player="Ben")


def test_main_prize_moves_as_one_and_the_bonus_apart_is_one_hit_that_slides() -> None:
    hands = {"Ana": "Kh Ac 4d Kc", "Ben": "3h 4h 5h 6h", "Cy": "3s 4s 5s Qc"}
    log = [*ended(3, **hands), bonus("Ana")]
    way = [slid("Ana", "Ana", "Kc", "bonus"), slid("Ana", "Cy", "Qc", "bonus")]
    assert_clean(log, way, took("Cy", 1, "bonus"), took("Ana", 4), closed())
    assert_clean(log, took("Ana", 4), way, took("Cy", 1, "bonus"), closed())
    assert_reported([*log, *way], took("Cy", 2, "bonus"), took("Ana", 4), closed(), rule="prize", player="Cy")


# ---- R5 ----


def test_hits_left_over_join_the_next_main_prize() -> None:
    hand = [seen("Ana", ABC), *turn("Ben", "Kd", 99), out("Cy"), out("Ana"), won("Ben")]
    log = [*WON, carried("Ana"), *hand]
    assert_clean(log, took("Ben", 2), closed())
    assert_reported([*log, took("Ben", 1)], closed(), rule="prize", player="Ben")
    none_left = [*WON, took("Ana"), *hand]
    assert_reported(none_left, took("Ben", 2), closed(), rule="prize", player="Ben")


def test_hits_left_over_join_the_next_main_prize_and_so_does_a_bonus() -> None:
    hands = {"Ana": "Kh Ac 4d 5d", "Ben": "3h 4h 5h 6h", "Cy": "3s 4s 5s 6s"}
    log = [*ended(0, **hands), bonus("Ana"), carried("Ana"), carried("Ana", 1, "bonus")]
    hand = [seen("Ana", ABC), *turn("Ben", "Kd", 99), out("Cy"), out("Ana"), won("Ben")]
    assert_clean(log, hand, took("Ben", 3), closed())
    assert_reported([*log, *hand], took("Ben", 1, "bonus"), took("Ben", 3), closed(), rule="bonus", player="Ben")


# ---- R6 ----


def test_miscalled_count_is_one_finding() -> None:
    wrong = [*turn("Ana", "6h", 7)]
    found = [(3, "count-called", "Ana")]
    assert findings_of([*START, *wrong]) == found
    assert findings_of([*START, *wrong, *turn("Ben", "5h", 11), *turn("Cy", "2h", 13)]) == found
    assert findings_of([*START, *wrong, *turn("Ben", "5h", 12), *turn("Cy", "2h", 14)]) == found
    assert findings_of([*START, *wrong, recounted(40), *turn("Ben", "5h", 45)]) == found
    both = [*found, (5, "count-called", "Ben")]
    assert findings_of([*START, *wrong, *turn("Ben", "5h", 20)]) == both


def test_miscalled_count_is_one_finding_also_if_the_next_counts_are_not_said() -> None:
    log = [*START, *turn("Ana", "6h", 7), *turn("Ben", "5h")]
    assert findings_of([*log, *turn("Cy", "2h", 13)]) == [(3, "count-called", "Ana")]
    assert findings_of([*log, *turn("Cy", "2h", 14)]) == [(3, "count-called", "Ana")]
    assert findings_of([*log, *turn("Cy", "2h", 15)]) == [(3, "count-called", "Ana"), (7, "count-called", "Cy")]


def test_miscalled_count_is_one_finding_and_the_taken_over_one_decides_what_can_be_played() -> None:
    """Ana's ten made it 89, and 99 was said; Ben passes with a two, as one does at 99, and play goes on there."""
    log = [*AT_99, *turn("Ben", "Th", 99), *turn("Cy", "2d", 99), *turn("Ana", "9d", 99)]
    assert findings_of(log) == [(5, "count-called", "Ben")]


# ---- R7 ----


def test_voided_hand_gives_nothing_and_is_dealt_again() -> None:
    again = [seen("Cy", ABC), *turn("Ana", "Kd", 99), out("Ben"), out("Cy"), won("Ana")]
    log = [*AT_99, voided(), *again]
    assert_clean(log, took("Ana"), closed())
    assert_reported([*AT_99, voided()], seen("Ana", ABC), rule="dealer-rotation", player=None)


def test_voided_hand_gives_nothing_and_is_dealt_again_for_what_was_at_stake() -> None:
    second = [seen("Ana", ABC), *turn("Ben", "Kd", 99), voided(), seen("Ana", ABC)]
    log = [*WON, carried("Ana"), *second, *turn("Ben", "Kh", 99), out("Cy"), out("Ana"), won("Ben")]
    assert_clean(log, took("Ben", 2), closed())
    assert_reported([*log, took("Ben", 1)], closed(), rule="prize", player="Ben")


def test_voided_hand_gives_nothing_and_is_dealt_again_after_the_win_too() -> None:
    again = [seen("Cy", ABC), *turn("Ana", "Kd", 99), out("Ben"), out("Cy"), won("Ana")]
    assert_clean(WON, voided(), again, took("Ana"), closed())
    assert_reported([*WON, voided(), *again], took("Ana", 2), closed(), rule="prize", player="Ana")


def test_voided_hand_gives_nothing_and_is_dealt_again_and_its_first_out_need_not_load() -> None:
    log = [*AT_99, out("Ben"), voided()]
    assert_clean(log, loaded("Cy"), seen("Cy", ABC), loaded("Cy"))
    bowl = [*AT_99, leisure("Cy", finished=True), out("Ben"), voided()]
    assert_clean(bowl, loaded("Cy"))
    assert_reported(bowl, loaded("Ben"), seen("Cy", ABC), rule="loader", player="Ben")


def test_voided_hand_has_no_limit_of_turns() -> None:
    """Five cards go round for a hundred turns; nobody is stopped."""
    names = " ".join(NAMES[:13])
    log = game(names, seen("Mo", names), played("Ana", "Kh", 99), reshuffled("Kh"), drew("Ana", "Kh"))
    log += [out(name) for name in NAMES[1:9]]
    passing = list(zip(["Jo", "Kit", "Lou", "Mo", "Ana"], ["9c", "9d", "9h", "Ks", "Kh"], strict=True))
    for player, card in passing * 20:
        log += [played(player, card, 99), reshuffled(card), drew(player, card)]
    assert_clean(log, voided())


# ---- R8 ----


def test_leaver_is_out_and_their_cards_count() -> None:
    """Ben leaves with the Ace of Clubs in his hand, and still takes the hit."""
    hands = {"Ana": "Kh 3d 4d 5d", "Ben": "3h 4h 5h Ac", "Cy": "3s 4s 5s 6s"}
    log = game(ABC, dealt("Cy", "7h 7d", **hands), turn("Ana", "Kh", 99, drawn="7h"), left("Ben"), out("Ben", "left"))
    log += [out("Cy"), won("Ana")]
    assert_clean(log, stole("Ben", "Ana"), took("Ben"), seen("Ana", "Ana Cy"))
    assert_reported(log, took("Ana"), seen("Ana", "Ana Cy"), rule="steal", player="Ben")
    # Leaving makes nobody the loader: that is Cy, the first who was really out.
    assert_clean(log, loaded("Cy"))
    assert_reported(log, loaded("Ben"), rule="loader", player="Ben")


def test_leaver_is_out_and_their_cards_count_on_the_slide() -> None:
    hands = {"Ana": "Kh 3d 4d 5d", "Ben": "3h 4h 5h Kc", "Cy": "3s 4s 5s Ac"}
    log = game(ABC, dealt("Cy", "7h 7d", **hands), turn("Ana", "Kh", 99, drawn="7h"), left("Ben"), out("Ben", "left"))
    log += [out("Cy"), won("Ana"), stole("Cy", "Ana")]
    assert_clean(log, slid("Cy", "Ben", "Kc"), gave("Ben", "Ana"))
    assert_reported(log, took("Cy"), rule="slide", player="Ben")


def test_leaver_is_out_and_their_cards_count_but_a_draw_they_owed_falls_away() -> None:
    log = [*START, played("Ana", "5h", 5), left("Ana"), out("Ana", "left")]
    assert_clean(log, turn("Ben", "6h", 11))
    assert_reported(log, drew("Ana"), turn("Ben", "6h", 11), rule="draw", player="Ana")


def test_leaver_is_out_and_their_cards_count_where_a_log_writes_no_draws() -> None:
    """Ana may have drawn the five before she left, or it is still the top, which Ben draws then."""
    stock = [*cards("5h 6h 7h 8h"), *[None] * 36]
    deal = ev.HandDealt(dealer="Cy", hands={name: [None] * 4 for name in ABC.split()}, stock=stock)
    log = game(ABC, deal, played("Ana", "9c", 9), left("Ana"), out("Ana", "left"), omits=["card_drawn"])
    log += [played("Ben", "Tc", 19), played("Cy", "7c", 26)]
    assert findings_of([*log, played("Ben", "6h", 32)]) == []
    assert findings_of([*log, played("Ben", "5h", 31)]) == []


def test_leaver_is_out_at_once_as_target_and_the_attackers_target_still_answers() -> None:
    four = "Ana Ben Cy Dee"
    pointed = [*game(four, seen("Dee", four)), *turn("Ana", "Kh", 99), *turn("Ben", "Qs", 99, "Cy")]
    assert_clean(pointed, left("Cy"), out("Cy", "left"), turn("Dee", "9h", 99))
    gone = [*pointed, left("Ben"), out("Ben", "left")]
    assert_clean(gone, turn("Cy", "Ad", 99), turn("Dee", "9h", 99))
    assert_clean(gone, out("Cy", "death_card"), turn("Dee", "9h", 99))
    after = [drew("Dee"), *turn("Ana", "9d", 99)]
    assert_reported(gone, played("Dee", "9h", 99), *after, rule="death-card-shield", player="Cy")


def test_leaver_is_out_and_the_deal_passes_over_the_empty_seat() -> None:
    four = "Ana Ben Cy Dee"
    end = [*turn("Ana", "Kh", 99), out("Ben"), out("Cy"), out("Dee"), won("Ana"), took("Ana")]
    log = [*game(four, seen("Dee", four)), *end]
    assert_clean(log, left("Ana"), seen("Ben", "Ben Cy Dee"), turn("Cy", "5h", 5))
    # The dealer leaves: the seat next to theirs deals.
    assert_clean(log, left("Dee"), seen("Ana", "Ana Ben Cy"), turn("Ben", "5h", 5))
    assert_reported([*log, left("Dee")], seen("Ben", "Ana Ben Cy"), rule="dealer-rotation", player=None)


def test_leaver_is_out_and_who_joins_is_dealt_in_the_next_time() -> None:
    log = [*WON, took("Ana"), joined("Dee", 1)]
    assert_clean(log, seen("Ana", "Ana Dee Ben Cy"), turn("Dee", "5h", 5), turn("Ben", "6h", 11))
    after = turn("Ben", "5h", 5)
    assert_reported(log, seen("Ana", ABC), *after, rule="deal", player=None)


# ---- R9 ----


@pytest.mark.parametrize(("dealer", "first"), [("Ana", "Ben"), ("Ben", "Cy"), ("Cy", "Ana")])
def test_any_seat_may_deal_first(dealer: str, first: str) -> None:
    log = game(ABC, seen(dealer, ABC))
    assert_clean(log, turn(first, "5h", 5))


def test_any_seat_may_deal_first_but_not_the_second_time() -> None:
    assert_reported([*WON, took("Ana")], seen("Ben", ABC), rule="dealer-rotation", player=None)
    assert_clean(WON, took("Ana"), seen("Ana", ABC))


# ---- R14 ----


def test_undone_lines_never_happened_but_are_shown() -> None:
    """Ana plays another card than the one she took back, at the Count before it."""
    log = [*START, *turn("Ana", "5h", 5), taken_back(3), *turn("Ana", "6h", 6), *turn("Ben", "2h", 8)]
    assert_clean(log)
    told = list(Replay(log).frames())
    assert [line.undone_by for line in told] == [None, None, 5, 5, None, None, None, None, None]
    assert audited(log).table.count == 8


def test_undone_lines_never_happened_and_findings_on_them_fall_away() -> None:
    """The scribe's way to mend a slip of the pen."""
    slip = [*START, played("Ana", "5h", 50)]
    assert findings_of(slip) == [(3, "count-called", "Ana")]
    assert_clean(slip, taken_back(3), turn("Ana", "5h", 5))
    deal = [*game(ABC, seen("Ben", "Ana Ben")), taken_back(2), seen("Cy", ABC), *turn("Ana", "5h", 5)]
    assert_clean(deal)


def test_undone_lines_never_happened_but_smoke_and_loads_did() -> None:
    log = [*AT_99, out("Ben"), loaded("Ben"), leisure("Cy", finished=True), taken_back(5)]
    assert_clean(log, turn("Ben", "9h", 99), loaded("Cy"))
    assert_reported(log, loaded("Ana"), turn("Ben", "9h", 99), rule="loader", player="Ana")


def test_undone_lines_never_happened_but_cards_seen_there_stay_known() -> None:
    """Ana took the five back into her hand; nobody else can play it."""
    log = [*START, played("Ana", "5h", 5), taken_back(3), *turn("Ana", "6h", 6)]
    assert_reported(log, played("Ben", "5h", 11), drew("Ben"), rule="hold-card", player="Ben")
    assert_clean(log, turn("Ben", "4h", 10), turn("Cy", "3h", 13), turn("Ana", "5h", 18))


def test_undone_lines_never_happened_nor_can_they_be_undone_again() -> None:
    log = [*START, *turn("Ana", "5h", 5), taken_back(3), *turn("Ana", "6h", 6)]
    assert_reported(log, taken_back(4), turn("Ben", "2h", 8), rule="log-order", player=None)
    # A later one that reaches further back swallows the first.
    assert_clean(log, taken_back(2), seen("Ben", ABC), turn("Cy", "2h", 2))


def test_undone_lines_never_happened_even_a_win() -> None:
    log = [*WON, took("Ana"), taken_back(7)]
    assert_clean(log, won("Ana"), carried("Ana"), seen("Ana", ABC))


# ---- R16 ----


def test_duty_waits_for_the_first_player_out() -> None:
    assert_clean(AT_99, loaded("Cy"), loaded("Ana"))
    log = [*AT_99, out("Ben")]
    assert_clean(log, loaded("Ben"), loaded("Ben"), out("Cy"), loaded("Ben"))
    assert_reported(log, loaded("Ana"), rule="loader", player="Ana")


def test_duty_waits_for_the_first_player_out_and_is_a_finishers_until_then() -> None:
    bowl = [*AT_99, leisure("Cy", finished=True)]
    assert_clean(bowl, loaded("Cy"), out("Ben"), loaded("Ben"))
    assert_reported(bowl, loaded("Ben"), rule="loader", player="Ben")
    assert_reported([*bowl, out("Ben")], loaded("Cy"), rule="loader", player="Cy")


def test_duty_waits_for_the_first_player_out_and_moves_to_a_later_finisher() -> None:
    log = [*AT_99, out("Ben"), leisure("Ana", finished=True)]
    assert_clean(log, out("Cy"), loaded("Ana"), won("Ana"), took("Ana"), seen("Ana", ABC), loaded("Ana"))
    assert_reported(log, loaded("Ben"), rule="loader", player="Ben")


def test_duty_waits_for_the_first_player_out_and_ends_at_the_deal() -> None:
    log = [*WON, took("Ana"), loaded("Ben"), seen("Ana", ABC)]
    assert_clean(log, loaded("Cy"))


def test_duty_waits_for_the_first_player_out_and_a_void_brings_the_finisher_back() -> None:
    log = [*AT_99, leisure("Cy", finished=True), out("Ben"), voided(), seen("Cy", ABC)]
    assert_clean(log, loaded("Cy"))
    assert_reported(log, loaded("Ben"), rule="loader", player="Ben")


# ---- R17 ----

HANDS = {"Ana": "9c 3d 2c As", "Ben": "Tc 4d 8c Kd", "Cy": "7c 5d 6c Ah"}
DEALT = game(ABC, dealt("Cy", "5h 6h 7h 8h 9h Th", **HANDS))


def test_hand_put_right_leaves_one_finding() -> None:
    """Ana forgot to draw; two turns later she takes the top of the stock."""
    log = [*DEALT, played("Ana", "9c", 9), *turn("Ben", "Tc", 19, drawn="5h"), *turn("Cy", "7c", 26, drawn="6h")]
    found = [(4, "draw", "Ana")]
    assert findings_of([*log, corrected("Ana", "7h"), *turn("Ana", "7h", 33, drawn="8h")]) == found
    assert findings_of(unseen([*log, corrected("Ana", "7h"), *turn("Ana", "7h", 33, drawn="8h")])) == found


def test_hand_put_right_leaves_one_finding_and_draws_from_the_top() -> None:
    log = [*DEALT, played("Ana", "9c", 9), *turn("Ben", "Tc", 19, drawn="5h")]
    assert findings_of([*log, corrected("Ana", "Th")]) == [(4, "draw", "Ana"), (6, "draw", "Ana")]


def test_hand_put_right_leaves_one_finding_and_returns_under_the_stock() -> None:
    """The stock is three cards; the one that Ana drew too much comes up after them."""
    names = " ".join(NAMES[:12])
    log = game(names, seen("Lou", names), turn("Ana", "5h", 5), drew("Ana"), corrected("Ana", "", "9h"))
    log += [*turn("Ben", "6h", 11), *turn("Cy", "4h", 15)]
    assert findings_of([*log, *turn("Dee", "3h", 18, drawn="9h")]) == [(5, "draw", "Ana")]
    assert findings_of([*log, *turn("Dee", "3h", 18, drawn="8h")]) == [(5, "draw", "Ana"), (12, "draw", "Dee")]


def test_hand_put_right_leaves_one_finding_and_a_right_hand_is_not_put_right() -> None:
    log = [*DEALT, *turn("Ana", "9c", 9, drawn="5h")]
    for drawn, back in (("6h", "3d"), ("6h", ""), ("", "3d")):
        assert_reported(log, corrected("Ana", drawn, back), rule="four-cards", player="Ana")


def test_hand_put_right_of_a_player_who_is_out() -> None:
    """Five cards went out with Ben; four stay for the prize, and what he gave back was in his hand till then."""
    log = [*AT_99, drew("Ben"), out("Ben"), corrected("Ben", "", "4h"), *turn("Cy", "2h", 99)]
    assert findings_of(log) == [(5, "draw", "Ben")]
    playable = [*log[:-3], corrected("Ben", "", "9h"), *turn("Cy", "2h", 99)]
    assert findings_of(playable) == [(5, "draw", "Ben"), (6, "must-play", "Ben")]
    (ben,) = [player for player in Replay(log).view_at(len(log)).players if player.name == "Ben"]
    assert len(ben.cards) == 4
    assert not ben.in_hand


def test_shown_cards_change_nothing() -> None:
    assert_clean(AT_99, shown("Ben", "9h 8h"), turn("Ben", "9h", 99))
