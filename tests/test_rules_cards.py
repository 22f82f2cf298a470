"""Cards and the Count: `deck`, `hold-card`, `limit`, `count-called`, each in a fault and in its legal twin."""

import pytest
from tables import (
    assert_clean,
    assert_reported,
    carried,
    closed,
    dealt,
    drew,
    findings_of,
    game,
    out,
    played,
    recounted,
    reshuffled,
    seen,
    shown,
    took,
    turn,
    unseen,
    won,
)

from domain.cards import DECK

ABC = "Ana Ben Cy"
HANDS = {"Ana": "9c 3d 2c As", "Ben": "Tc 4d 8c Kd", "Cy": "7c 5d 6c Ah"}
OPEN = game(ABC, dealt("Cy", "5h 6h 7h 8h 9h Th", **HANDS))
BLIND = game(ABC, seen("Cy", ABC))
AT_99 = [*BLIND, *turn("Ana", "Kc", 99)]

WORTH = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 99} | {str(pips): pips for pips in range(2, 10)}
PASSES_AT_99 = [card for card in DECK if card[0] in "29K"]
DEAD_AT_99 = [card for card in DECK if card[0] not in "29TK" and card != "Qs"]


# ---- count-called ----


@pytest.mark.parametrize("card", DECK)
def test_count_called_is_what_the_card_gives_below_99(card: str) -> None:
    """2, 9, 10, Q♠, A♦ and A♣ are no special cards here; only the King is."""
    count = WORTH[card[0]]
    assert_clean(BLIND, turn("Ana", card, count))
    wrong = count - 1
    assert_reported(BLIND, played("Ana", card, wrong), drew("Ana"), rule="count-called", player="Ana")


@pytest.mark.parametrize("card", [card for card in PASSES_AT_99 if card != "Kc"])
def test_count_called_stays_99_after_a_pass(card: str) -> None:
    assert_clean(AT_99, turn("Ben", card, 99))
    wrong = 99 - WORTH[card[0]] if card[0] != "K" else 0
    assert_reported(AT_99, played("Ben", card, wrong), drew("Ben"), rule="count-called", player="Ben")


@pytest.mark.parametrize("card", ["Tc", "Td", "Th", "Ts"])
def test_count_called_is_89_after_a_ten_at_99(card: str) -> None:
    assert_clean(AT_99, turn("Ben", card, 89), turn("Cy", "4d", 93))
    assert_reported(AT_99, played("Ben", card, 99), drew("Ben"), rule="count-called", player="Ben")


def test_count_called_ten_counts_its_pips_at_89_and_below_99() -> None:
    """The 10 takes the Count down at exactly 99 only."""
    at_89 = [*AT_99, *turn("Ben", "Tc", 89)]
    assert_clean(at_89, turn("Cy", "Td", 99))
    assert_reported(at_89, played("Cy", "Td", 79), drew("Cy"), rule="count-called", player="Cy")


def test_count_called_death_card_leaves_99() -> None:
    assert_clean(AT_99, turn("Ben", "Qs", 99, "Cy"), out("Cy", "death_card"))
    wrong = played("Ben", "Qs", 89, "Cy")
    assert_reported(AT_99, wrong, drew("Ben"), out("Cy", "death_card"), rule="count-called", player="Ben")


def test_count_called_shield_leaves_99() -> None:
    pointed = [*AT_99, *turn("Ben", "Qs", 99, "Cy")]
    after = [drew("Cy"), out("Ben", "blowback")]
    assert_clean(pointed, played("Cy", "Ad", 99), after)
    assert_reported(pointed, played("Cy", "Ad", 1), *after, rule="count-called", player="Cy")


def test_count_called_king_makes_99_from_any_count() -> None:
    assert_clean(BLIND, turn("Ana", "5c", 5), turn("Ben", "Kc", 99), turn("Cy", "Kd", 99))


def test_count_called_value_at_odds_with_the_count_is_one_finding() -> None:
    """Either of the two may go on: the table plays from 5, or from 7."""
    wrong = played("Ana", "5h", 5, value=7)
    assert_reported(BLIND, wrong, drew("Ana"), turn("Ben", "6c", 11), rule="count-called", player="Ana")
    assert_reported(BLIND, wrong, drew("Ana"), turn("Ben", "6c", 13), rule="count-called", player="Ana")
    assert_clean(BLIND, played("Ana", "5h", 5, value=5))


def test_count_called_a_count_nobody_noted_is_no_finding() -> None:
    assert_clean(BLIND, turn("Ana", "5h"), turn("Ben", "6h", 11))
    assert_reported([*BLIND, *turn("Ana", "5h")], played("Ben", "6h", 6), rule="count-called", player="Ben")


def test_count_called_of_an_unnoted_card_must_be_what_some_card_gives() -> None:
    assert_clean(BLIND, played("Ana", None, 7))
    assert_reported(BLIND, played("Ana", None, 50), rule="count-called", player="Ana")


def test_count_called_carries_the_cards_count_on() -> None:
    """The next said Count follows from the cards: the miscall was but a word."""
    wrong = played("Ana", "5h", 6)
    assert_reported(BLIND, wrong, drew("Ana"), turn("Ben", "6h", 11), rule="count-called", player="Ana")


def test_count_called_carries_the_said_count_on_if_the_table_took_it_over() -> None:
    wrong = played("Ana", "5h", 6)
    after = [*turn("Ben", "6h", 12), *turn("Cy", "2h", 14)]
    assert_reported(BLIND, wrong, drew("Ana"), after, rule="count-called", player="Ana")


def test_count_called_that_fits_neither_is_found_once_more() -> None:
    log = [*BLIND, *turn("Ana", "5h", 6), *turn("Ben", "6h", 20)]
    assert findings_of(log) == [(3, "count-called", "Ana"), (5, "count-called", "Ben")]


def test_count_corrected_sets_the_count() -> None:
    wrong = played("Ana", "5h", 6)
    after = [drew("Ana"), recounted(5), *turn("Ben", "6h", 11)]
    assert_reported(BLIND, wrong, *after, rule="count-called", player="Ana")
    log = [*BLIND, *turn("Ana", "5h", 5), recounted(30), *turn("Ben", "6h", 36)]
    assert_clean(log)


# ---- limit ----


@pytest.mark.parametrize("card", DEAD_AT_99)
def test_limit_nothing_else_can_be_played_at_99(card: str) -> None:
    assert_reported(AT_99, played("Ben", card, 99), drew("Ben"), turn("Cy", "9s", 99), rule="limit", player="Ben")


@pytest.mark.parametrize(("card", "after"), [("4c", 97), ("6c", 99), ("Kd", 99)])
def test_limit_is_kept_up_to_99(card: str, after: int) -> None:
    at_93 = [*AT_99, *turn("Ben", "Tc", 89), *turn("Cy", "4d", 93)]
    assert_clean(at_93, turn("Ana", card, after))


@pytest.mark.parametrize("said", [100, 99])
def test_limit_is_broken_above_99_and_the_said_count_goes_on_as_99(said: int) -> None:
    at_93 = [*AT_99, *turn("Ben", "Tc", 89), *turn("Cy", "4d", 93)]
    after = [drew("Ana"), *turn("Ben", "9d", 99)]
    assert_reported(at_93, played("Ana", "7c", said), *after, rule="limit", player="Ana")


def test_limit_broken_and_a_smaller_count_said_goes_on_with_that() -> None:
    at_93 = [*AT_99, *turn("Ben", "Tc", 89), *turn("Cy", "4d", 93)]
    after = [drew("Ana"), *turn("Ben", "3d", 94)]
    assert_reported(at_93, played("Ana", "7c", 91), *after, rule="limit", player="Ana")


@pytest.mark.parametrize("said", [12, 60, 98])
def test_limit_broken_without_a_said_count_leaves_it_open_until_the_next(said: int) -> None:
    at_93 = [*AT_99, *turn("Ben", "Tc", 89), *turn("Cy", "4d", 93)]
    after = [drew("Ana"), *turn("Ben", "3d", said), *turn("Cy", "Ah", said + 1)]
    assert_reported(at_93, played("Ana", "7c"), *after, rule="limit", player="Ana")


def test_limit_a_ten_at_90_takes_the_count_over() -> None:
    at_90 = [*AT_99, *turn("Ben", "Tc", 89), *turn("Cy", "Ad", 90)]
    assert_reported(at_90, played("Ana", "Td", 99), drew("Ana"), rule="limit", player="Ana")


def test_limit_a_total_over_99_is_said_for_an_unnoted_card() -> None:
    assert_reported(AT_99, played("Ben", None, 104), drew("Ben"), rule="limit", player="Ben")


# ---- hold-card ----


def test_hold_card_of_another_hand_is_played() -> None:
    assert_clean(OPEN, turn("Ana", "9c", 9, drawn="5h"))
    assert_reported(OPEN, played("Ana", "8c", 8), drew("Ana", "5h"), rule="hold-card", player="Ana")


def test_hold_card_of_the_stock_is_played() -> None:
    assert_reported(OPEN, played("Ana", "9h", 9), drew("Ana", "5h"), rule="hold-card", player="Ana")


def test_hold_card_it_came_from_the_other_hand() -> None:
    """Ben is short from then on, and plays only what is left to him."""
    after = [drew("Ana", "5h"), *turn("Ben", "Tc", 18, drawn="6h"), *turn("Cy", "7c", 25, drawn="7h")]
    after += [*turn("Ana", "9c", 34, drawn="8h"), *turn("Ben", "4d", 38, drawn="9h")]
    assert_reported(OPEN, played("Ana", "8c", 8), *after, rule="hold-card", player="Ana")


def test_hold_card_it_came_from_the_other_hand_which_is_stuck_without_it() -> None:
    """The nine was all that Ben could have played at 99."""
    given = game("Ana Ben", dealt("Ana", "9c 2h", Ben="Kd 4c 6c 8c", Ana="Kh 3h 4h 5h"))
    given += turn("Ben", "Kd", 99, drawn="9c")
    after = [drew("Ana", "2h"), out("Ben"), won("Ana"), took("Ana")]
    assert_reported(given, played("Ana", "9c", 99), *after, rule="hold-card", player="Ana")


def test_hold_card_or_the_scribe_named_the_wrong_one() -> None:
    """Ben plays the named card himself later: it had stayed with him, and one of Ana's own went."""
    after = [drew("Ana", "5h"), *turn("Ben", "8c", 16, drawn="6h"), *turn("Cy", "7c", 23, drawn="7h")]
    assert_reported(OPEN, played("Ana", "8c", 8), *after, rule="hold-card", player="Ana")


def test_hold_card_a_card_of_another_is_shown() -> None:
    assert_clean(OPEN, shown("Ana", "9c"))
    assert_reported(OPEN, shown("Ana", "8c"), rule="hold-card", player="Ana")


def test_hold_card_what_a_player_played_was_theirs_unless_a_logged_card_says_otherwise() -> None:
    """Only Ben's hand is known; Ana may hold anything else."""
    given = game(ABC, seen("Cy", ABC, Ben="Tc 4d 8c Kd"))
    assert_clean(given, turn("Ana", "9h", 9))
    assert_reported(given, played("Ana", "8c", 8), drew("Ana"), rule="hold-card", player="Ana")


def test_hold_card_a_hand_that_is_wholly_known_holds_nothing_else() -> None:
    given = game(ABC, seen("Cy", ABC, Ana="9c 3d 2c As"))
    assert_reported(given, played("Ana", "8c", 8), drew("Ana"), rule="hold-card", player="Ana")


# ---- deck ----


def test_deck_a_card_is_dealt_twice() -> None:
    deal = dealt("Cy", **(HANDS | {"Ben": "9c 4d 8c Kd"}))
    assert_clean(OPEN)
    assert_reported(game(ABC), deal, rule="deck", player=None)


def test_deck_a_card_is_missing_from_the_deal() -> None:
    whole = dealt("Cy", **HANDS)
    assert whole.stock is not None
    short = type(whole)(dealer="Cy", hands=whole.hands, stock=whole.stock[:-1])
    assert_reported(game(ABC), short, turn("Ana", "9c", 9), rule="deck", player=None)


def test_deck_a_card_stands_twice_in_the_stock() -> None:
    whole = dealt("Cy", **HANDS)
    assert whole.stock is not None
    twice = type(whole)(dealer="Cy", hands=whole.hands, stock=[*whole.stock[:-1], whole.stock[0]])
    assert_reported(game(ABC), twice, rule="deck", player=None)


def test_deck_a_card_that_lies_in_the_pile_is_played_again() -> None:
    """No card was logged, and yet it is sure: it has lain in the open since."""
    given = [*BLIND, *turn("Ana", "5h", 5)]
    after = [drew("Ben"), *turn("Cy", "2c", 12)]
    assert_reported(given, played("Ben", "5h", 10), *after, rule="deck", player="Ben")


def test_deck_a_card_may_be_played_again_after_a_reshuffle() -> None:
    """Thirteen at the table: each card goes back into the stock at once (R1)."""
    names = "Ana Ben Cy Dee Eve Fay Gus Hal Ivy Jo Kit Lou Mo"
    low = [rank + suit for rank in "A2" for suit in "cdhs"]
    plays = zip(names.split(), ["5h", "6h", *low, "3c", "3d", "3h"], strict=True)
    log, count = game(names, seen("Mo", names)), 0
    for player, card in plays:
        count += WORTH[card[0]]
        log += [played(player, card, count), reshuffled(), drew(player)]
    assert_clean(log, played("Ana", "5h", count + 5))


def test_deck_a_card_of_a_shown_hand_is_played_by_another() -> None:
    given = [*BLIND, shown("Ben", "8c")]
    assert_clean(given, turn("Ana", "9c", 9), turn("Ben", "8c", 17))
    assert_reported(given, played("Ana", "8c", 8), drew("Ana"), rule="deck", player="Ana")


def test_deck_a_card_that_lies_in_the_pile_is_drawn() -> None:
    given = [*BLIND, *turn("Ana", "5h", 5), played("Ben", "6h", 11)]
    assert_clean(given, drew("Ben", "7h"))
    assert_reported(given, drew("Ben", "5h"), turn("Cy", "2c", 13), rule="deck", player="Ben")


def test_deck_one_of_a_deal_is_each_hands_own() -> None:
    """What lay in the pile of the last hand may be dealt, drawn and played in this one."""
    first = [*turn("Ana", "Kh", 99), out("Ben"), out("Cy"), won("Ana"), took("Ana")]
    assert_clean(BLIND, first, seen("Ana", ABC), turn("Ben", "Kh", 99), out("Cy"), out("Ana"), won("Ben"))


def test_deck_proof_needs_no_hands_but_names_the_same_line_with_them() -> None:
    given = [*OPEN, *turn("Ana", "9c", 9, drawn="5h")]
    log = [*given, played("Ben", "9c", 18)]
    assert findings_of(log) == findings_of(unseen(log)) == [(5, "deck", "Ben")]


def test_count_and_limit_end_with_the_hand() -> None:
    """A new hand starts at 0, whatever the last one came to."""
    first = [*turn("Ana", "Kh", 99), out("Ben"), out("Cy"), won("Ana"), carried("Ana")]
    given = [*BLIND, *first, seen("Ana", ABC)]
    assert_clean(given, turn("Ben", "7d", 7), closed())
    assert_reported(given, played("Ben", "7d", 99), drew("Ben"), rule="count-called", player="Ben")
