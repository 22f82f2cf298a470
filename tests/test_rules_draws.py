"""From the deal to the draw: `deal`, `draw`, `four-cards`, `reshuffle`, each in a fault and in its legal twin."""

import msgspec
import pytest
from tables import (
    Event,
    assert_clean,
    assert_reported,
    cards,
    closed,
    corrected,
    dealt,
    drew,
    findings_of,
    game,
    joined,
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
    took,
    turn,
    voided,
    won,
)

from domain import events as ev

ABC = "Ana Ben Cy"
HANDS = {"Ana": "9c 3d 2c As", "Ben": "Tc 4d 8c Kd", "Cy": "7c 5d 6c Ah"}
TOP = "5h 6h 7h 8h 9h Th Jh Qh"
OPEN = game(ABC, dealt("Cy", TOP, **HANDS))
BLIND = game(ABC, seen("Cy", ABC))
PLAYED = [*OPEN, played("Ana", "9c", 9)]

TWELVE = "Ana Ben Cy Dee Eve Fay Gus Hal Ivy Jo Kit Lou"


# ---- deal ----


@pytest.mark.parametrize("hand", ["9c 3d 2c", "9c 3d 2c As 5h", ""])
def test_deal_wrong_number_of_cards(hand: str) -> None:
    assert_reported(game(ABC), dealt("Cy", **(HANDS | {"Ana": hand})), rule="deal", player=None)


def test_deal_a_hand_may_stay_as_it_was_dealt() -> None:
    """Five cards were dealt and five stay in play: the accident is one finding."""
    deal = dealt("Cy", "6h 7h 8h 5s 6s", **(HANDS | {"Ana": "9c 3d 2c As 5h"}))
    after = [*turn("Ana", "9c", 9, drawn="6h"), *turn("Ben", "Tc", 19, drawn="7h"), *turn("Cy", "7c", 26, drawn="8h")]
    after += [*turn("Ana", "5h", 31, drawn="5s"), *turn("Ben", "4d", 35, drawn="6s")]
    assert_reported(game(ABC), deal, after, rule="deal", player=None)


def test_deal_or_it_was_written_wrong_and_everybody_had_four() -> None:
    deal = seen("Cy", ABC, Ana="9c 3d 2c")
    after = [*turn("Ana", "Kh", 99), *turn("Ben", "9h", 99), *turn("Cy", "9d", 99)]
    assert_reported(game(ABC), deal, after, rule="deal", player=None)


def test_deal_a_seat_is_not_dealt_in_and_stays_out() -> None:
    deal = dealt("Cy", TOP, Ana=HANDS["Ana"], Cy=HANDS["Cy"])
    after = [*turn("Ana", "9c", 9, drawn="5h"), *turn("Cy", "7c", 16, drawn="6h"), *turn("Ana", "3d", 19, drawn="7h")]
    assert_reported(game(ABC), deal, after, rule="deal", player=None)


def test_deal_a_seat_is_not_dealt_in_but_plays() -> None:
    deal = seen("Cy", "Ana Cy")
    after = [*turn("Ana", "9c", 9), *turn("Ben", "7c", 16), *turn("Cy", "3d", 19)]
    assert_reported(game(ABC), deal, after, rule="deal", player=None)


def test_deal_somebody_is_dealt_in_who_is_not_seated_and_looks_on() -> None:
    deal = dealt("Cy", TOP, **HANDS, Dee="2s 3s 4s 5s")
    after = [*turn("Ana", "9c", 9, drawn="5h"), *turn("Ben", "Tc", 19, drawn="6h"), *turn("Cy", "7c", 26, drawn="7h")]
    assert_reported(game(ABC), deal, after, turn("Ana", "3d", 29, drawn="8h"), rule="deal", player=None)


def test_deal_somebody_is_dealt_in_who_is_not_seated_and_plays() -> None:
    deal = dealt("Cy", TOP, **HANDS, Dee="2s 3s 4s 5s")
    after = [*turn("Ana", "9c", 9, drawn="5h"), *turn("Ben", "Tc", 19, drawn="6h"), *turn("Cy", "7c", 26, drawn="7h")]
    after += [*turn("Dee", "2s", 28, drawn="8h"), *turn("Ana", "3d", 31, drawn="9h")]
    assert_reported(game(ABC), deal, after, rule="deal", player=None)


def test_deal_to_nobody_but_strangers_can_be_followed() -> None:
    assert_reported(game("Ben Cy"), seen("Cy", "Ana"), played("Ben", "7h", 7), rule="deal", player=None)


def test_deal_more_cards_than_there_are() -> None:
    """Fourteen hands of four are 56 cards."""
    names = TWELVE + " Mo Nan"
    assert_reported(game(names), seen("Nan", names), rule="deal", player=None)
    assert_clean(game(names[:-4]), seen("Mo", names[:-4]))


def test_deal_takes_at_least_two() -> None:
    assert_reported(game("Ana"), seen("Ana", "Ana"), rule="deal", player=None)
    assert_clean(game("Ana Ben"), seen("Ben", "Ana Ben"))


# ---- draw ----


def test_draw_forgotten_shows_at_the_next_play_and_the_hand_stays_short() -> None:
    assert_clean(PLAYED, drew("Ana", "5h"), turn("Ben", "Tc", 19, drawn="6h"))
    after = [drew("Ben", "5h"), *turn("Cy", "7c", 26, drawn="6h"), *turn("Ana", "3d", 29, drawn="7h")]
    after += turn("Ben", "5h", 34, drawn="8h")
    assert_reported(PLAYED, played("Ben", "Tc", 19), after, rule="draw", player="Ana")


def test_draw_not_written_though_it_was_made() -> None:
    """Ana plays the card that nobody wrote down, and the next cards are the next of the stock."""
    after = [drew("Ben", "6h"), *turn("Cy", "7c", 26, drawn="7h"), *turn("Ana", "5h", 31, drawn="8h")]
    assert_reported(PLAYED, played("Ben", "Tc", 19), after, rule="draw", player="Ana")


def test_draw_forgotten_shows_when_somebody_goes_out_or_the_game_is_closed() -> None:
    at_99 = [*BLIND, played("Ana", "Kc", 99)]
    assert_reported(at_99, out("Ben"), rule="draw", player="Ana")
    assert_reported(at_99, closed(), rule="draw", player="Ana")


@pytest.mark.parametrize(
    "aside",
    [leisure("Ben"), loaded("Cy"), ruling(2), shown("Ben", "8c"), recounted(9), voided(), ev.PlayerLeft(player="Zed")],
)
def test_draw_missing_is_not_shown_by_an_aside(aside: Event) -> None:
    """Smoke, rulings, shown cards, Count corrections, voids and leaving never show that something is missing."""
    if isinstance(aside, ev.PlayerLeft):
        log = game("Ana Ben Cy Zed", seen("Zed", "Ana Ben Cy Zed"), played("Ana", "9c", 9), aside, out("Zed", "left"))
        assert_clean(log, drew("Ana"))
    elif isinstance(aside, ev.HandVoided):
        assert_clean(PLAYED, aside, seen("Cy", ABC))
    else:
        assert_clean(PLAYED, aside, drew("Ana", "5h"))


def test_draw_a_second_card() -> None:
    given = [*PLAYED, drew("Ana", "5h")]
    after = [*turn("Ben", "Tc", 19, drawn="7h"), *turn("Cy", "7c", 26, drawn="8h"), *turn("Ana", "6h", 32, drawn="9h")]
    assert_reported(given, drew("Ana", "6h"), after, rule="draw", player="Ana")


def test_draw_a_second_card_that_never_moved() -> None:
    given = [*PLAYED, drew("Ana", "5h")]
    after = [*turn("Ben", "Tc", 19, drawn="6h"), *turn("Cy", "7c", 26, drawn="7h"), *turn("Ben", "6h", 32, drawn="8h")]
    log = [*given, drew("Ana", "6h"), *after]
    # Ana is passed over in the last turn, which is a fault of its own.
    assert [found[:2] for found in findings_of(log)] == [(5, "draw"), (10, "turn-order")]


def test_draw_by_another_player_instead() -> None:
    after = [*turn("Ben", "Tc", 19, drawn="6h"), *turn("Cy", "5h", 24, drawn="7h"), *turn("Ana", "3d", 27, drawn="8h")]
    assert_reported(PLAYED, drew("Cy", "5h"), after, rule="draw", player="Cy")


def test_draw_by_another_player_was_the_wrong_name() -> None:
    """Ana plays the card later: it was she who drew."""
    after = [*turn("Ben", "Tc", 19, drawn="6h"), *turn("Cy", "7c", 26, drawn="7h"), *turn("Ana", "5h", 31, drawn="8h")]
    assert_reported(PLAYED, drew("Cy", "5h"), after, rule="draw", player="Cy")


def test_draw_by_another_player_and_then_by_the_right_one() -> None:
    after = [drew("Ana", "6h"), *turn("Ben", "Tc", 19, drawn="7h"), *turn("Cy", "5h", 24, drawn="8h")]
    assert_reported(PLAYED, drew("Cy", "5h"), after, rule="draw", player="Cy")


def test_draw_by_a_player_when_none_is_due() -> None:
    assert_reported(OPEN, drew("Ana", "5h"), turn("Ana", "9c", 9, drawn="6h"), rule="draw", player="Ana")


def test_draw_not_the_top_of_the_stock() -> None:
    """The card came from further down, and the top is still there."""
    after = [*turn("Ben", "Tc", 19, drawn="5h"), *turn("Cy", "7c", 26, drawn="6h"), *turn("Ana", "9h", 35, drawn="7h")]
    assert_reported(PLAYED, drew("Ana", "9h"), after, rule="draw", player="Ana")


def test_draw_not_the_top_but_only_misnamed() -> None:
    """The top went to Ana's hand, whatever the scribe wrote: the others draw on, and 9♥ comes up in its place."""
    after = [*turn("Ben", "Tc", 19, drawn="6h"), *turn("Cy", "7c", 26, drawn="7h"), *turn("Ana", "5h", 31, drawn="8h")]
    after += turn("Ben", "4d", 35, drawn="9h")
    assert_reported(PLAYED, drew("Ana", "9h"), after, rule="draw", player="Ana")


def test_draw_a_card_of_another_hand() -> None:
    after = [*turn("Ben", "Tc", 19, drawn="5h"), *turn("Cy", "7c", 26, drawn="6h"), *turn("Ana", "4d", 30, drawn="7h")]
    assert_reported(PLAYED, drew("Ana", "4d"), after, rule="draw", player="Ana")


def test_draw_a_card_of_another_hand_which_is_stuck_without_it() -> None:
    """The two that Ana drew out of Ben's hand was all that he could have played at 99."""
    given = [*game("Ana Ben", dealt("Ben", "7h 7d 7s", Ana="Kh 3h 4h 5h", Ben="2c 4c 6c 8c"), played("Ana", "Kh", 99))]
    assert_reported(given, drew("Ana", "2c"), out("Ben"), won("Ana"), took("Ana"), rule="draw", player="Ana")


def test_draw_missed_says_itself_that_none_came() -> None:
    after = [*turn("Ben", "Tc", 19, drawn="5h"), *turn("Cy", "7c", 26, drawn="6h"), *turn("Ana", "3d", 29, drawn="7h")]
    assert_reported(PLAYED, missed("Ana"), after, rule="draw", player="Ana")


def test_draw_missed_may_be_noted_later_without_another_finding() -> None:
    after = [drew("Ben", "5h"), missed("Ana"), *turn("Cy", "7c", 26, drawn="6h")]
    assert_reported(PLAYED, played("Ben", "Tc", 19), after, rule="draw", player="Ana")


def test_draw_in_a_log_that_writes_none_is_never_missed() -> None:
    log = game(ABC, seen("Cy", ABC), omits=["card_drawn"])
    assert_clean(log, played("Ana", "9c", 9), played("Ben", "Tc", 19), played("Cy", "7c", 26))


# ---- four-cards ----


@pytest.mark.parametrize(("got", "returned"), [("6h", "3d"), ("6h", ""), ("", "3d")])
def test_four_cards_a_right_hand_is_corrected(got: str, returned: str) -> None:
    """Whether four, five or three are left: there was nothing to put right."""
    given = [*PLAYED, drew("Ana", "5h")]
    top = "7h" if got else "6h"
    after = [*turn("Ben", "Tc", 19, drawn=top), *turn("Cy", "7c", 26), *turn("Ana", "2c", 28)]
    assert_reported(given, corrected("Ana", got, returned), after, rule="four-cards", player="Ana")


def test_four_cards_a_correction_that_does_not_come_to_four() -> None:
    given = [*PLAYED, *turn("Ben", "Tc", 19, drawn="5h")]
    assert findings_of(given) == [(4, "draw", "Ana")]
    log = [*given, corrected("Ana", "6h 7h"), *turn("Cy", "7c", 26, drawn="8h")]
    assert findings_of(log) == [(4, "draw", "Ana"), (6, "four-cards", "Ana")]


def test_four_cards_a_forgotten_draw_is_put_right_from_the_top() -> None:
    after = [drew("Ben", "5h"), corrected("Ana", "6h"), *turn("Cy", "7c", 26, drawn="7h")]
    after += turn("Ana", "6h", 32, drawn="8h")
    assert_reported(PLAYED, played("Ben", "Tc", 19), after, rule="draw", player="Ana")


def test_four_cards_a_second_card_goes_back_to_the_bottom() -> None:
    given = [*PLAYED, drew("Ana", "5h")]
    after = [corrected("Ana", "", "6h"), *turn("Ben", "Tc", 19, drawn="7h")]
    assert_reported(given, drew("Ana", "6h"), after, rule="draw", player="Ana")


def test_four_cards_short_for_some_turns_adds_nothing() -> None:
    """The accident stays one finding, later turns add none (R17)."""
    after = [drew("Ben", "5h"), *turn("Cy", "7c", 26, drawn="6h"), *turn("Ana", "3d", 29, drawn="7h")]
    after += [*turn("Ben", "4d", 33, drawn="8h"), *turn("Cy", "5d", 38, drawn="9h"), *turn("Ana", "2c", 40, drawn="Th")]
    assert_reported(PLAYED, played("Ben", "Tc", 19), after, rule="draw", player="Ana")


# ---- reshuffle ----

FOUR_PLAYS = [*turn("Ana", "Ad", 1), *turn("Ben", "Ah", 2), *turn("Cy", "As", 3), *turn("Dee", "2d", 5)]
AT_LAST_CARD = game(TWELVE, seen("Lou", TWELVE), FOUR_PLAYS[:-2])
"""Twelve hands leave a stock of four; one card is left in it."""
RUN_OUT = game(TWELVE, seen("Lou", TWELVE), FOUR_PLAYS)


def test_reshuffle_once_the_stock_has_run_out() -> None:
    assert_clean(RUN_OUT, played("Eve", "3d", 8), reshuffled(), drew("Eve"))
    assert_clean(RUN_OUT, played("Eve", "3d", 8), reshuffled("As 2d 3d Ad Ah"), drew("Eve", "As"))


def test_reshuffle_before_the_stock_can_have_run_out() -> None:
    """Nobody logged a card; the number of draws alone proves it."""
    after = [*turn("Dee", "2d", 5), *turn("Eve", "3d", 8), *turn("Fay", "4d", 12), *turn("Gus", "Ac", 13)]
    assert_reported(AT_LAST_CARD, reshuffled(), after, rule="reshuffle", player=None)
    at_first = [*OPEN, *turn("Ana", "9c", 9, drawn="5h")]
    assert_reported(at_first, reshuffled(), turn("Ben", "Tc", 19), rule="reshuffle", player=None)


def test_reshuffle_too_early_without_a_list_puts_stock_and_pile_together() -> None:
    """One card and a pile of three: four more draws until the next one."""
    more = [*turn("Dee", "2d", 5), *turn("Eve", "3d", 8), *turn("Fay", "4d", 12), *turn("Gus", "Ac", 13)]
    log = [*AT_LAST_CARD, reshuffled(), *more]
    assert findings_of(log) == [(9, "reshuffle", None)]
    assert findings_of([*log, played("Hal", "2h", 15), reshuffled(), drew("Hal")]) == [(9, "reshuffle", None)]


def test_reshuffle_too_early_with_a_list_the_listed_stock_is_the_stock() -> None:
    given = [*OPEN, *turn("Ana", "9c", 9, drawn="5h")]
    listed = "2h 9c Jh"
    after = [*turn("Ben", "Tc", 19, drawn="2h"), *turn("Cy", "7c", 26, drawn="9c"), *turn("Ana", "3d", 29, drawn="Jh")]
    after += [reshuffled("3d 7c Tc")]
    assert_reported(given, reshuffled(listed), after, rule="reshuffle", player=None)


def test_reshuffle_is_not_exactly_the_pile() -> None:
    given = [*RUN_OUT, played("Eve", "3d", 8)]
    assert_reported(given, reshuffled("As 2d Ad Ah"), drew("Eve"), rule="reshuffle", player=None)
    assert_reported(given, reshuffled("As 2d 3d Ad Ah 9h"), drew("Eve"), rule="reshuffle", player=None)
    assert_reported(given, reshuffled("As 2d 3d Ad Ad"), drew("Eve"), rule="reshuffle", player=None)


def test_reshuffle_missing_before_a_draw() -> None:
    given = [*RUN_OUT, played("Eve", "3d", 8)]
    after = [*turn("Fay", "4d", 12), *turn("Gus", "3c", 15), *turn("Hal", "2c", 17), *turn("Ivy", "3s", 20)]
    assert_reported(given, drew("Eve"), after, rule="reshuffle", player="Eve")


def test_reshuffle_leaves_the_count_alone() -> None:
    given = [*RUN_OUT, played("Eve", "3d", 8), reshuffled(), drew("Eve")]
    assert_clean(given, turn("Fay", "4d", 12))
    assert_reported(given, played("Fay", "4d", 4), drew("Fay"), rule="count-called", player="Fay")


def test_reshuffle_that_a_log_never_writes_is_not_missed() -> None:
    log = game(TWELVE, seen("Lou", TWELVE), FOUR_PLAYS, turn("Eve", "3d", 8), omits=["pile_reshuffled"])
    assert_clean(log, turn("Fay", "4d", 12), turn("Gus", "3c", 15))


def test_reshuffle_one_draw_late_because_a_card_had_come_from_the_pile() -> None:
    """Dee's card came from the pile: the stock lasts a draw longer than the log can know.

    The next pile is one card short too, but what shows is one finding: the draw that finds no stock in the log.
    """
    late = [*turn("Eve", "3d", 8), played("Fay", "4d", 12), reshuffled(), drew("Fay")]
    # Six were played and one of them is in Dee's hand: five lie in the new stock, and Fay has drawn the first.
    more = [*turn("Gus", "3c", 15), *turn("Hal", "2c", 17), *turn("Ivy", "3s", 20), *turn("Jo", "2h", 22)]
    log = [*RUN_OUT, *late, *more, played("Kit", "4h", 26), reshuffled(), drew("Kit")]
    assert findings_of(log) == [(12, "reshuffle", "Eve")]


def test_reshuffle_one_draw_early_because_a_card_of_the_stock_was_played() -> None:
    """Cy played from the stock and drew as well: the stock runs out a draw before the log can know.

    What shows is one finding, at the reshuffle; the new stock is the pile, and no card more.
    """
    more = [*turn("Dee", "2d", 5), *turn("Eve", "3d", 8), *turn("Fay", "4d", 12)]
    log = [*AT_LAST_CARD, reshuffled(), *more, played("Gus", "3c", 15), reshuffled(), drew("Gus")]
    assert findings_of(log) == [(9, "reshuffle", None)]


# ---- nothing is missing until a later line shows it ----


def test_nothing_is_missing_where_a_log_just_stops() -> None:
    log = game(
        ABC,
        dealt("Cy", TOP, **HANDS),
        *(turn("Ana", "9c", 9, drawn="5h"), turn("Ben", "Kd", 99, drawn="6h"), out("Cy"), turn("Ana", "2c", 99)),
    )
    for stop in range(1, len(log) + 1):
        assert findings_of(log[:stop]) == []


def test_joining_is_for_between_hands() -> None:
    """The same seat is dealt in the next time, and nobody misses it in this hand."""
    won_hand = [*turn("Ana", "Kh", 99), out("Ben"), out("Cy"), won("Ana"), took("Ana")]
    assert_clean(BLIND, won_hand, joined("Dee"), seen("Dee", "Ana Ben Cy Dee"))
    given = [*BLIND, *turn("Ana", "Kh", 99)]
    assert_reported(given, joined("Dee"), turn("Ben", "9h", 99), rule="log-order", player="Dee")


def test_the_stock_is_listed_top_first() -> None:
    deal = dealt("Cy", TOP, **HANDS)
    assert deal.stock is not None
    assert deal.stock[:8] == cards(TOP)
    turned = msgspec.structs.replace(deal, stock=deal.stock[::-1])
    assert_clean(game(ABC, turned, turn("Ana", "9c", 9, drawn=turned.stock[0] if turned.stock else None)))
