"""Where Ninety-Nine is silent or leaves two readings: each ruling of the family (R10 to R13, R15, R18 to R23)."""

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
    from_left_of,
    fronts,
    gone,
    lost,
    match,
    paid,
)
from tables import (
    Event,
    assert_clean,
    assert_reported,
    audited,
    corrected,
    drew,
    findings_of,
    flat,
    joined,
    left,
    missed,
    out,
    played,
    recounted,
    reshuffled,
    turn,
)

from domain import events as ev
from domain.shipped_rules import rules_named

START = backs("Cy", ABC)


# ---- R10 ----


@pytest.mark.parametrize("rules", [TOKENS, CHIPS, PENNIES, BORDERS])
def test_a_total_may_go_below_zero(rules: str) -> None:
    log = match(rules, ABC, START)
    assert_clean(log, turn("Ana", "Th", -10), turn("Ben", "Td", -20), turn("Cy", "5h", -15))
    assert_clean(log, played("Ana", "Th", None, value=-10), drew("Ana"), turn("Ben", "5h", -5))
    assert_reported(log, played("Ana", "Th", 0), drew("Ana"), rule="count-called", player="Ana")


def test_a_total_may_go_below_zero_and_points_too() -> None:
    """Ana crosses the lowest border four times in one hand, and is one point worse off at its end than before."""
    log = match(BORDERS, "Ana Ben", backs("Ben", "Ana Ben"))
    for mine, yours in (("Jh", "9h"), ("Jd", "9d"), ("Js", "9s"), ("Jc", "9c")):
        log += flat(
            [recounted(30), played("Ana", mine, 40), paid("Ana", 1, "border"), drew("Ana"), turn("Ben", yours, 40)]
        )
    log += flat([recounted(95), turn("Ana", "2h", 97), played("Ben", "5h", 102)])
    assert_clean(log, paid("Ben", 1, "border"), backs("Ana", "Ana Ben"))
    assert audited([*log, paid("Ben", 1, "border")]).table.scores == {"Ana": -1, "Ben": 2}


# ---- R11 ----

ROLLED = match(ROLLING, ABC, at_99("Cy", ABC, "Ben"), out("Ben"), paid("Ben"))


def test_rolling_goes_on_from_zero_with_the_next_player() -> None:
    assert_clean(ROLLED, turn("Cy", "5h", 5), turn("Ana", "6h", 11), turn("Cy", "7h", 18))
    assert_reported(ROLLED, played("Cy", "5h", 99), drew("Cy"), turn("Ana", "9d", 99), rule="count-called", player="Cy")
    assert_reported(ROLLED, played("Ana", "5h", 5), drew("Ana"), turn("Cy", "6h", 11), rule="turn-order", player="Ana")


def test_rolling_goes_on_from_zero_with_the_next_player_and_the_loser_sits_out() -> None:
    after = [*ROLLED, *turn("Cy", "5h", 5), *turn("Ana", "6h", 11)]
    assert_reported(after, played("Ben", "7h", 18), rule="out", player="Ben")
    dealt_early = [*ROLLED, *turn("Cy", "5h", 5)]
    assert_reported(dealt_early, backs("Ana", ABC), rule="log-order", player=None)


def test_rolling_goes_on_from_zero_with_the_next_player_in_the_direction_of_play() -> None:
    turned = match(ROLLING, ABC, START, turn("Ana", "Kh", 99), turn("Ben", "4h", 99), turn("Ana", "9h", 99))
    turned += [out("Cy"), paid("Cy")]
    assert_clean(turned, turn("Ben", "5h", 5), turn("Ana", "6h", 11))
    assert_reported(turned, played("Ana", "5h", 5), drew("Ana"), turn("Ben", "6h", 11), rule="turn-order", player="Ana")


def test_rolling_goes_on_from_zero_with_the_next_player_and_ends_with_one() -> None:
    last = [*ROLLED, *turn("Cy", "Kd", 99), out("Ana"), paid("Ana")]
    assert_clean(last, backs("Ana", ABC, tokens={"Ana": 4, "Ben": 4, "Cy": 5}), turn("Ben", "2h", 2))
    assert_reported(last, paid("Cy"), rule="tokens", player="Cy")
    assert_reported(last, played("Cy", "5h", 5), rule="last-standing", player="Cy")


def test_rolling_puts_the_pile_that_was_taken_away_into_the_next_reshuffle() -> None:
    small = {"base": ROLLING, "name": "one-suit", "deck": HEARTS}
    hands = {"Ana": "Kh 3h 6h", "Ben": "Ah 8h Jh", "Cy": "5h 7h 4h"}
    log = match(small, ABC, fronts("Cy", "2h Th Qh 9h", HEARTS, **hands))
    log += [*turn("Ana", "Kh", 99, drawn="2h"), out("Ben"), paid("Ben")]
    log += [*turn("Cy", "5h", 5, drawn="Th"), *turn("Ana", "6h", 11, drawn="Qh"), *turn("Cy", "7h", 18, drawn="9h")]
    log.append(played("Ana", "2h", 20))
    assert_clean(log, reshuffled("Kh 5h 6h 7h 2h"), drew("Ana", "Kh"), turn("Cy", "Th", 30, drawn="5h"))
    assert_reported(log, reshuffled("5h 6h 7h 2h"), rule="reshuffle", player=None)


# ---- R12 ----


def ana_loses(times: int) -> list[Event]:
    """Ana has lost that many hands of chips against Ben."""
    return match(CHIPS, "Ana Ben", *(lost(CHIPS, ("Ben", "Ana")[n % 2], "Ana Ben", "Ana") for n in range(times)))


def test_the_last_chip_is_the_end() -> None:
    four, five = ana_loses(4), ana_loses(5)
    assert_clean(four, backs("Ben", "Ana Ben", tokens={"Ana": 1, "Ben": 5}))
    assert_clean(five, gone("Ana"), champion("Ben", 10), ev.GameClosed())
    assert_reported(four, gone("Ana"), rule="match", player="Ana")
    assert_reported(five, backs("Ana", "Ana Ben"), rule="match", player="Ana")
    assert_reported(five, champion("Ben", 10), rule="match", player="Ana")


# ---- R13 ----

BORDERED = match(BORDERS, ABC, START, recounted(95), turn("Ana", "4h", 99))


def test_with_borders_every_card_may_be_played() -> None:
    assert_clean(BORDERED, played("Ben", "Qh", 109), paid("Ben", 1, "border"), backs("Ana", ABC))
    assert_clean(BORDERED, turn("Ben", "Th", 89), turn("Cy", "9h", 89))
    assert_reported(BORDERED, out("Ben"), turn("Cy", "9h", 99), turn("Ana", "9d", 99), rule="must-play", player="Ben")
    over = [*BORDERED, played("Ben", "Qh", 109), paid("Ben", 1, "border")]
    found = findings_of([*over, drew("Ben")])
    assert [line for line, _, _ in found] == [len(over) + 1], "the card that ends the hand is followed by no draw"


# ---- R15 ----


def cy_loses_all(dealer: str) -> list[Event]:
    """A hand with borders in which Cy crosses all three, and the others none."""
    events: list[ev.Event] = [backs(dealer, ABC)]
    order, count, edges, step = from_left_of(dealer, ABC), 0, [33, 66, 99], 0
    spare = [f"{rank}{suit}" for rank in "567" for suit in "cdhs"]
    while edges:
        player = order[step % 3]
        step += 1
        if player == "Cy":
            edge = edges.pop(0)
            card = {33: "2c", 66: "2d", 99: "2h"}[edge]
            count = edge + 2
            events += [recounted(edge), played("Cy", card, count), paid("Cy", 1, "border")]
        else:
            card = spare.pop(0)
            count += int(card[0])
            events.append(played(player, card, count))
        if edges:
            events.append(drew(player))
    return flat(events)


FIVE_HANDS = match(BORDERS, ABC, *(cy_loses_all(dealer) for dealer in ("Cy", "Ana", "Ben", "Cy", "Ana")))
"""Ana and Ben have fifteen each."""


def test_a_shared_highest_score_plays_on() -> None:
    assert audited(FIVE_HANDS).table.scores == {"Ana": 15, "Ben": 15, "Cy": 0}
    assert_reported(FIVE_HANDS, champion("Ana", 15), rule="match", player="Ana")
    sixth = [backs("Ben", ABC), recounted(33), *turn("Cy", "9c", 33), played("Ana", "2c", 35), paid("Ana", 1, "border")]
    sixth += flat([drew("Ana"), turn("Ben", "2d", 37), recounted(97), turn("Cy", "9d", 97), turn("Ana", "2h", 99)])
    log = flat([FIVE_HANDS, sixth, recounted(98), played("Ben", "9h", 98), drew("Ben")])
    log += [played("Cy", "3h", 101), paid("Cy", 1, "border")]
    assert_clean(log, champion("Ben", 18), ev.GameClosed())
    assert_reported(log, champion("Ana", 17), rule="match", player="Ana")
    assert_reported(log, champion("Ben", 15), rule="match", player="Ben")
    assert_reported(log, backs("Cy", ABC), rule="match", player="Ben")


def test_a_shared_highest_score_plays_on_and_fourteen_is_not_enough() -> None:
    four = match(BORDERS, ABC, *(cy_loses_all(dealer) for dealer in ("Cy", "Ana", "Ben", "Cy")))
    assert_clean(four, backs("Ana", ABC))
    assert_reported(four, champion("Ana", 12), rule="match", player="Ana")


# ---- R18 ----

TURNED = match(TOKENS, ABC, START, turn("Ana", "Kh", 99), turn("Ben", "4h", 99), played("Ana", "5h", 104), paid("Ana"))
"""The hand ended while it went anticlockwise."""


def test_each_hand_starts_clockwise() -> None:
    log = [*TURNED, backs("Ana", ABC)]
    assert_clean(log, turn("Ben", "2h", 2), turn("Cy", "3h", 5), turn("Ana", "6h", 11))
    assert_reported(log, played("Cy", "2h", 2), drew("Cy"), rule="turn-order", player="Cy")
    assert_reported([*log, *turn("Ben", "2h", 2)], played("Ana", "3h", 5), drew("Ana"), rule="turn-order", player="Ana")


@pytest.mark.parametrize("rules", [TOKENS, CHIPS, PENNIES])
def test_each_hand_starts_clockwise_and_the_deal_moves_to_the_left(rules: str) -> None:
    log = match(rules, ABC, lost(rules, "Cy", ABC, "Ana"))
    assert_clean(log, backs("Ana", ABC), turn("Ben", "2h", 2))
    assert_reported(log, backs("Cy", ABC), turn("Ana", "2h", 2), rule="dealer-rotation", player=None)
    assert_reported(TURNED, backs("Ben", ABC), turn("Cy", "2h", 2), rule="dealer-rotation", player=None)


# ---- R19 ----


def test_a_losing_card_may_be_chosen() -> None:
    hands = {"Ana": "Kh 2h 3h", "Ben": "9h 5h 6h", "Cy": "2d 3d 6d"}
    log = match(TOKENS, ABC, fronts("Cy", "7h", **hands), turn("Ana", "Kh", 99, drawn="7h"))
    assert_clean(log, played("Ben", "5h", 104), paid("Ben"), backs("Ana", ABC))
    assert_reported(log, out("Ben"), rule="must-play", player="Ben")
    stuck = [*log, *turn("Ben", "9h", 99)]
    assert_clean(stuck, played("Cy", "2d", 101), paid("Cy"))
    assert_reported(stuck, out("Cy"), rule="must-play", player="Cy")


@pytest.mark.parametrize("rules", [CHIPS, PENNIES])
def test_a_losing_card_may_be_chosen_with_tokens_only(rules: str) -> None:
    log = match(rules, ABC, at_99("Cy", ABC, "Ben"))
    assert_reported(log, played("Ben", "5h", 104), drew("Ben"), turn("Cy", "9d", 99), rule="limit", player="Ben")


# ---- R20 ----


def test_a_draw_can_be_made_good_until_the_next_own_card_with_tokens() -> None:
    round_ = [*forgot(TOKENS), drew("Ben"), *turn("Cy", "7h", 18)]
    assert_clean(forgot(TOKENS), drew("Ana"), drew("Ben"), turn("Cy", "7h", 18))
    assert_clean(round_, drew("Ana"), turn("Ana", "8h", 26))
    assert_reported(round_, played("Ana", "8h", 26), drew("Ana"), turn("Ben", "2h", 28), rule="draw", player="Ana")
    assert_reported([*round_, drew("Ana")], drew("Ana"), turn("Ana", "8h", 26), rule="draw", player="Ana")


def test_a_draw_can_be_made_good_until_somebody_has_drawn_with_chips() -> None:
    assert_clean(forgot(CHIPS), drew("Ana"), drew("Ben"), turn("Cy", "7h", 18))
    assert_clean(forgot(CHIPS), drew("Ben"), turn("Cy", "7h", 18), turn("Ana", "8h", 26), turn("Ben", "2h", 28))
    assert_reported([*forgot(CHIPS), drew("Ben")], drew("Ana"), turn("Cy", "7h", 18), rule="draw", player="Ana")


def test_a_draw_can_be_made_good_until_the_own_next_card_with_chips_if_nobody_drew() -> None:
    log = [*forgot(CHIPS), played("Cy", "7h", 18)]
    assert_clean(log, drew("Ana"), played("Ana", "8h", 26))
    again = [*log, played("Ana", "8h", 26), drew("Ana")]
    assert_clean(again, turn("Ben", "2h", 28))
    assert_reported(again, drew("Ana"), turn("Ben", "2h", 28), rule="draw", player="Ana")


def test_a_draw_can_be_made_good_until_the_next_card_with_pennies() -> None:
    log = match(PENNIES, ABC, START, played("Ana", "5h", 5))
    assert_clean(log, drew("Ana"), turn("Ben", "6h", 11))
    assert_clean(forgot(PENNIES), drew("Ben"), turn("Cy", "7h", 18), turn("Ana", "8h", 26))
    assert_reported(forgot(PENNIES), drew("Ana"), drew("Ben"), turn("Cy", "7h", 18), rule="draw", player="Ana")


@pytest.mark.parametrize("rules", [CHIPS, PENNIES])
def test_a_draw_that_is_lost_leaves_a_hand_rightly_short(rules: str) -> None:
    log = [*forgot(rules), drew("Ben"), *turn("Cy", "7h", 18)]
    assert_reported(log, corrected("Ana", drew="?"), turn("Ana", "8h", 26), rule="four-cards", player="Ana")
    assert_clean(log, turn("Ana", "8h", 26), turn("Ben", "2h", 28))


@pytest.mark.parametrize("rules", [TOKENS, CHIPS, PENNIES])
def test_a_missed_draw_may_be_noted(rules: str) -> None:
    log = match(rules, ABC, START, played("Ana", "5h", 5))
    assert_clean(log, missed("Ana"), played("Ben", "6h", 11))
    assert_reported(log, missed("Ben"), drew("Ana"), turn("Ben", "6h", 11), rule="log-order", player="Ben")


# ---- R21 ----

ONE_SUIT = {"Ana": "2h 6h Kh", "Ben": "3h 7h Jh", "Cy": "5h 4h Ah"}


def run_out(rules: str) -> list[Event]:
    """Thirteen cards, four of them in the stock, all drawn; Ben has just played a seven."""
    small = {"base": rules, "name": "one-suit", "deck": HEARTS, "decks": {"1": 1}}
    log = match(small, ABC, fronts("Cy", "8h 9h Th Qh", HEARTS, **ONE_SUIT))
    log += [*turn("Ana", "2h", 2, drawn="8h"), *turn("Ben", "3h", 5, drawn="9h"), *turn("Cy", "5h", 10, drawn="Th")]
    return [*log, *turn("Ana", "6h", 16, drawn="Qh"), played("Ben", "7h", 23)]


def test_the_last_card_stays_with_chips() -> None:
    log = run_out(CHIPS)
    assert_clean(log, reshuffled("6h 5h 3h 2h"), drew("Ben", "6h"), turn("Cy", "Th", 33, drawn="5h"))
    assert_reported(log, reshuffled("7h 6h 5h 3h 2h"), rule="reshuffle", player=None)


@pytest.mark.parametrize("rules", [TOKENS, PENNIES])
def test_the_last_card_stays_with_chips_and_goes_in_elsewhere(rules: str) -> None:
    log = run_out(rules)
    assert_clean(log, reshuffled("7h 6h 5h 3h 2h"), drew("Ben", "7h"), turn("Cy", "Th", 33, drawn="6h"))
    assert_reported(log, reshuffled("6h 5h 3h 2h"), rule="reshuffle", player=None)


def test_the_last_card_stays_with_chips_and_with_nothing_under_it_nobody_draws() -> None:
    pack = [*HEARTS, "2d"]
    small = {"base": CHIPS, "name": "no-stock", "deck": pack, "hand_size": 7}
    hands = {"Ana": "2h 3h 4h 5h 6h 7h 8h", "Ben": "2d Ah 9h Th Jh Qh Kh"}
    log = match(small, "Ana Ben", fronts("Ben", "", pack, **hands), played("Ana", "2h", 2))
    assert_clean(log, played("Ben", "2d", 4), reshuffled("2h"), drew("Ben", "2h"))
    log += [played("Ben", "2d", 4), reshuffled("2h"), drew("Ben", "2h"), played("Ana", "3h", 7)]
    assert_clean(log, reshuffled("2d"), drew("Ana", "2d"), played("Ben", "Ah", 8))
    assert_reported(log, reshuffled("3h 2d"), rule="reshuffle", player=None)


# ---- R22 ----

EIGHT = "Ana Ben Cy Dee Eve"


def test_decks_and_tokens_follow_the_seats_at_the_opening() -> None:
    log = match(CHIPS, EIGHT, backs("Eve", EIGHT, tokens=dict.fromkeys(EIGHT.split(), 3), Ana="7h 7h Kh"))
    assert_clean(log, turn("Ana", "7h", 7), turn("Ben", "6h", 13))
    few = match(CHIPS, EIGHT, lost(CHIPS, "Eve", EIGHT, "Ana"), left("Dee"), left("Eve"))
    tokens = {"Ana": 2, "Ben": 3, "Cy": 3}
    assert_clean(few, backs("Ana", ABC, tokens=tokens, Ben="7h 7h Kh"), turn("Ben", "7h", 7), turn("Cy", "6h", 13))
    one_deck = fronts("Ana", Ana="2h 3h 4h", Ben="2d 3d 4d", Cy="2s 3s 4s")
    assert_reported(few, one_deck, rule="deck", player=None)


@pytest.mark.parametrize(("rules", "seats", "each"), [(TOKENS, 4, 3), (CHIPS, 4, 5), (CHIPS, 5, 3), (PENNIES, 5, 3)])
def test_decks_and_tokens_follow_the_seats_at_the_opening_by_number(rules: str, seats: int, each: int) -> None:
    names = EIGHT.split()[:seats]
    players = " ".join(names)
    assert_clean(match(rules, players, backs(names[-1], players, tokens=dict.fromkeys(names, each))))
    wrong = backs(names[-1], players, tokens=dict.fromkeys(names, each + 1))
    assert_reported(match(rules, players), wrong, rule="tokens", player=None)


def test_decks_and_tokens_follow_the_seats_at_the_opening_and_nobody_joins() -> None:
    log = match(CHIPS, ABC, lost(CHIPS, "Cy", ABC, "Ana"))
    assert_reported(log, joined("Dee"), rule="match", player="Dee")
    assert_reported(log, backs("Ana", f"{ABC} Dee"), rule="deal", player=None)


@pytest.mark.parametrize(("rules", "most"), [(CHIPS, 34), (TOKENS, 34), (f"{PENNIES}+five-cards", 20)])
def test_decks_and_tokens_follow_the_seats_at_the_opening_and_serve_so_many(rules: str, most: int) -> None:
    size = rules_named(rules).hand_size
    for seats in (most, most + 1):
        names = [f"P{number}" for number in range(seats)]
        players = " ".join(names)
        found = findings_of(match(rules, players, backs(names[-1], players, size)))
        assert found == ([] if seats <= most else [(2, "deal", None)])


# ---- R23 ----


def two_left(rules: str) -> list[Event]:
    """Three were dealt in and Ben is out: it is Cy's turn at zero."""
    return match(rules, ABC, at_99("Cy", ABC, "Ben"), out("Ben"), paid("Ben"), turn("Cy", "4h", 0))


def test_between_two_is_two_in_the_hand() -> None:
    again = two_left(f"{ROLLING}+four-again")
    assert_clean(again, turn("Cy", "5h", 5), turn("Ana", "4d", 5), turn("Ana", "6h", 11), turn("Cy", "7h", 18))
    assert_reported(again, played("Ana", "5h", 5), drew("Ana"), rule="turn-order", player="Ana")
    plain = two_left(ROLLING)
    assert_clean(plain, turn("Ana", "5h", 5), turn("Cy", "6h", 11))
    assert_reported(plain, played("Cy", "5h", 5), drew("Cy"), turn("Ana", "6h", 11), rule="turn-order", player="Cy")


def test_between_two_is_two_in_the_hand_and_with_three_it_turns() -> None:
    log = match(f"{PENNIES}+four-again", ABC, START, turn("Ana", "4h", 0))
    assert_clean(log, turn("Cy", "5h", 5), turn("Ben", "6h", 11))
    assert_reported(log, played("Ana", "5h", 5), drew("Ana"), rule="turn-order", player="Ana")


@pytest.mark.parametrize("rules", [TOKENS, CHIPS, PENNIES])
def test_between_two_a_four_changes_nothing(rules: str) -> None:
    log = match(rules, "Ana Ben", backs("Ben", "Ana Ben"), turn("Ana", "4h", 0))
    assert_clean(log, turn("Ben", "5h", 5), turn("Ana", "6h", 11))
    assert_reported(log, played("Ana", "5h", 5), drew("Ana"), turn("Ben", "6h", 11), rule="turn-order", player="Ana")
