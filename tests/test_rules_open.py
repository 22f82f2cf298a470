"""What must not be proved, since the table may have seen more than the log holds; and one fault stays one."""

from tables import (
    assert_clean,
    assert_reported,
    carried,
    dealt,
    drew,
    findings_of,
    game,
    joined,
    out,
    played,
    reshuffled,
    seen,
    shown,
    stole,
    taken_back,
    took,
    turn,
    voided,
    won,
)

from domain import events as ev

ABC = "Ana Ben Cy"
BLIND = game(ABC, seen("Cy", ABC))
AT_99 = [*BLIND, *turn("Ana", "Kh", 99)]
BEN_AND_CY_OUT = [*AT_99, out("Ben"), out("Cy")]


def test_must_play_is_not_proved_where_the_table_took_the_miscalled_count_over() -> None:
    """B went out at 98 by the cards and at 99 as called: the readings must not be taken for one."""
    for pause in range(8):
        log = [*BLIND, *turn("Ana", "Kh", 99), *turn("Ben", "Th", 89), *turn("Cy", "8h", 97)]
        log += [ev.LeisureHit(player="Cy") for _ in range(pause)]
        log += [*turn("Ana", "Ah", 99), out("Ben"), *turn("Cy", "Ks", 99), out("Ana"), won("Cy"), stole("Ben", "Cy")]
        assert [(rule, player) for _, rule, player in findings_of(log)] == [("count-called", "Ana")]


def test_death_card_may_be_a_card_that_nobody_noted() -> None:
    unnoted = [*AT_99, ev.CardPlayed(player="Ben", card=None, count=99), drew("Ben")]
    assert_clean(unnoted, turn("Cy", "Ad", 99), out("Ben", "blowback"))
    assert_clean(unnoted, out("Cy", "death_card"))
    assert_clean(unnoted, turn("Cy", "9d", 99))


def test_death_card_may_come_while_the_count_is_unknown() -> None:
    unknown = [*BLIND, ev.CardPlayed(player="Ana", card=None, count=None), drew("Ana")]
    queen = [ev.CardPlayed(player="Ben", card="Qs", count=None), drew("Ben")]
    assert_clean(unknown, queen, out("Cy", "death_card"))
    assert_clean(unknown, queen, turn("Cy", "Ad", 99), out("Ben", "blowback"))


def test_prize_left_over_counts_in_a_log_that_writes_no_carried_hits() -> None:
    first = [seen("Cy", ABC), *turn("Ana", "Kh", 99), out("Ben"), out("Cy"), won("Ana")]
    second = [seen("Ana", ABC), *turn("Ben", "Kd", 99), out("Cy"), out("Ana"), won("Ben")]
    assert_clean(game(ABC, *first, *second, took("Ben", 2), omits=["hit_carried"]))
    assert_clean(game(ABC, *first, *second, took("Ben", 1), omits=["hit_taken", "hit_carried", "hit_donated"]))


def test_hold_card_is_not_proved_by_a_card_that_the_scribe_wrote_by_mistake() -> None:
    slip = [*BLIND, played("Ana", "5h", 5), ev.TakenBack(about=3, why="scribe")]
    assert_clean(slip, turn("Ana", "5d", 5), turn("Ben", "5h", 10))
    undone = [*BLIND, played("Ana", "5h", 5), taken_back(3), *turn("Ana", "5d", 5)]
    assert_reported(undone, played("Ben", "5h", 10), drew("Ben"), rule="hold-card", player="Ben")


def test_must_play_is_proved_by_a_card_shown_on_a_line_that_was_taken_back() -> None:
    log = [*BEN_AND_CY_OUT, won("Ana"), shown("Ben", "9h"), taken_back(8)]
    assert findings_of(log) == [(5, "must-play", "Ben")]


def test_turn_order_a_misspelt_name_is_one_finding() -> None:
    assert_reported(
        BLIND, played("Anna", "5h", 5), drew("Anna"), turn("Ben", "5d", 10), rule="turn-order", player="Anna"
    )


def test_turn_order_going_out_written_for_another_is_one_finding() -> None:
    log = [*AT_99, out("Cy"), *turn("Cy", "9d", 99), *turn("Ana", "2c", 99)]
    assert len(findings_of(log)) == 1


def test_prize_settled_after_somebody_joined_is_one_finding() -> None:
    log = [*BEN_AND_CY_OUT, won("Ana"), joined("Dee"), took("Ana")]
    assert findings_of(log) == [(8, "prize", "Ana")]


def test_prize_settled_under_the_wrong_name_is_one_finding() -> None:
    log = [*BEN_AND_CY_OUT, won("Ana"), took("Ana", 1, "bonus"), seen("Ana", ABC)]
    assert len(findings_of(log)) == 1


def test_log_order_a_turn_after_a_void_is_one_finding() -> None:
    log = [*BLIND, voided(), *turn("Ana", "5h", 5), seen("Cy", ABC), *turn("Ana", "5d", 5)]
    assert findings_of(log) == [(4, "log-order", "Ana")]


def test_hold_card_nobody_shows_more_cards_than_they_hold() -> None:
    won_by_ana = [*BEN_AND_CY_OUT, won("Ana")]
    assert_clean(won_by_ana, shown("Ben", "5c 6c 7c 8c"))
    assert_reported(won_by_ana, shown("Ben", "5c 6c 7c 8c 8d"), rule="hold-card", player="Ben")
    assert_reported(won_by_ana, shown("Ben", "5c 5c"), rule="hold-card", player="Ben")


def test_reshuffle_of_a_single_card_leaves_no_doubt_of_what_is_drawn() -> None:
    seats = " ".join(f"P{seat}" for seat in range(1, 14))
    given = [*game(seats, seen("P13", seats)), played("P1", "5h", 5), reshuffled()]
    assert_clean(given, drew("P1", "5h"))
    assert_reported(given, drew("P1", "6h"), rule="draw", player="P1")


def test_deck_a_card_dealt_twice_and_played_twice_is_one_finding() -> None:
    hands = {"Ana": "5h 3d 2c As", "Ben": "5h 4d 8c Kd", "Cy": "7c 5d 6c Ah"}
    log = [*game(ABC, dealt("Cy", "6h 7h 8h 9h Th", **hands)), *turn("Ana", "5h", 5), *turn("Ben", "5h", 10)]
    assert [(line, rule) for line, rule, _ in findings_of(log)] == [(2, "deck")]


def test_hold_card_named_for_an_unseen_card_leaves_the_named_one_where_it_was() -> None:
    log = [*game(ABC, seen("Cy", ABC, Ana="9c 3d 2c As")), *turn("Ana", "9s", 9), *turn("Ben", "9s", 18)]
    assert findings_of(log) == [(3, "hold-card", "Ana")]


def test_steal_is_missed_at_the_next_deal_in_a_log_that_writes_no_taken_hits() -> None:
    hands = {"Ana": "Kh 3d 2c As", "Ben": "Ac 4d 8c 5s", "Cy": "7c 5d 6c Ah"}
    first = [dealt("Cy", "6h 7h 8h 9h Th", **hands), *turn("Ana", "Kh", 99), out("Ben"), out("Cy"), won("Ana")]
    log = game(ABC, *first, seen("Ana", ABC), omits=["hit_taken"])
    assert [(rule, player) for _, rule, player in findings_of(log)] == [("steal", "Ben")]
    assert_clean(game(ABC, *first, stole("Ben", "Ana"), seen("Ana", ABC), omits=["hit_taken"]))


def test_count_called_no_unseen_card_counts_fifty_five() -> None:
    assert_reported(
        BLIND, ev.CardPlayed(player="Ana", card=None, count=None, value=55), rule="count-called", player="Ana"
    )
    assert_clean(BLIND, ev.CardPlayed(player="Ana", card=None, count=None, value=7))


def test_prize_no_gift_is_one_to_oneself_but_leaving_is_no_gift() -> None:
    assert_clean(BEN_AND_CY_OUT, won("Ana"), carried("Ana"), seen("Ana", ABC))
