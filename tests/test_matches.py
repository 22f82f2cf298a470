"""Whole matches of the Ninety-Nine family: a generator and a breaker that share no code with the referee."""

import functools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from broken_matches import KINDS, Broken, some_broken
from legal_logs import blanked, half_blanked
from legal_matches import MOST_HANDS, legal_match, named_game, omitting
from legal_table import Event
from match_table import GAMES, HOUSE_GAMES
from tables import as_events, findings_of

SEATS = range(2, 9)
FIXTURES = Path(__file__).parent.parent / "fixtures"
# What `rules` holds where a name alone doesn't say it: the house games carry their rules with them.
RULES: dict[str, Any] = {
    game: json.loads((FIXTURES / f"{game}.jsonl").read_text().splitlines()[0])["rules"] for game in HOUSE_GAMES
}
PLAYED = [*GAMES, *HOUSE_GAMES]
OMITTABLE: list[tuple[str, ...]] = [
    ("card_drawn",),
    ("pile_reshuffled",),
    ("tokens_lost",),
    ("player_knocked_out",),
    ("tokens_lost", "player_knocked_out"),
]
FORMS = ["all cards", "half", "seen"]


def in_form(log: list[Event], form: str, seed: int) -> list[Event]:
    return blanked(log) if form == "seen" else half_blanked(log, seed) if form == "half" else log


@functools.cache
def some_legal(game: str, seats: int, *, forgetful: bool = True, unknown: bool = False) -> list[list[Event]]:
    """Matches of a game with so many seats, each with all cards; the longest of them only to their sixth hand."""
    hands = 6 if seats > 4 or game == "five-chooses" else MOST_HANDS
    options: dict[str, Any] = {"rules": RULES.get(game), "hands": hands, "forgetful": forgetful, "unknown": unknown}
    return [legal_match(seed, seats, game, **options) for seed in range(4)]


# ---- legal matches ----


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", PLAYED)
def test_legal_matches_are_clean(game: str, form: str) -> None:
    for seats in SEATS:
        for seed, log in enumerate(some_legal(game, seats)[: 1 if form == "seen" and "rolling" in game else 4]):
            found = findings_of(as_events(in_form(log, form, seed)))
            assert (seats, seed, found) == (seats, seed, [])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", PLAYED)
def test_legal_matches_are_clean_where_totals_are_not_said(game: str, form: str) -> None:
    """Neither the total nor what the card counted: no finding rests on what nobody noted."""
    for seats in (2, 3, 5):
        for seed, log in enumerate(some_legal(game, seats, unknown=True)[:3]):
            found = findings_of(as_events(in_form(log, form, seed)))
            assert (seats, seed, found) == (seats, seed, [])


@pytest.mark.parametrize("omitted", OMITTABLE, ids="+".join)
@pytest.mark.parametrize("game", PLAYED)
def test_legal_matches_are_clean_if_the_table_never_writes_some_events(game: str, omitted: tuple[str, ...]) -> None:
    """Where draws are not written, none is forgotten: a draw that isn't written counts as done."""
    for seats in (2, 3, 6):
        for seed, log in enumerate(some_legal(game, seats, forgetful=False)[:3]):
            found = findings_of(as_events(omitting(in_form(log, FORMS[seed % 3], seed), omitted)))
            assert (seats, seed, found) == (seats, seed, [])


def test_the_cards_of_legal_matches_are_where_they_should_be() -> None:
    """A check of the generator by other means: it reads the finished logs only."""
    for game in PLAYED:
        for seats in (2, 4, 5, 8):
            for log in some_legal(game, seats)[:2]:
                assert misplaced(log, game) == []


def misplaced(log: list[Event], game: str) -> list[str]:
    """What is wrong with the places of the cards in a log that names them all."""
    wrong: list[str] = []
    whole = Counter(named_game(game).decks(len(log[0]["players"])))
    hands: dict[str, list[str]] = {}
    stock: list[str] = []
    played: list[str] = []
    undone = {event["about"] for event in log if event["type"] == "taken_back"}
    before: dict[int, str] = {}
    for line, event in enumerate(log, 1):
        if line in undone:
            before[line] = json.dumps([hands, stock, played])
        player, card = event.get("player", ""), event.get("card", "")
        match event["type"]:
            case "hand_dealt":
                hands, stock, played = json.loads(json.dumps([event["hands"], event["stock"], []]))
            case "card_played" if card in hands.get(player, []):
                hands[player].remove(card)
                played.append(card)
            case "card_drawn" if stock and stock[0] == card:
                hands[player].append(stock.pop(0))
            case "card_played" | "card_drawn":
                wrong.append(f"line {line}: {card} is not there")
            case "pile_reshuffled":
                kept = played[-1:] if named_game(game).keeps_last else []
                if stock or Counter(played) != Counter([*event["stock"], *kept]):
                    wrong.append(f"line {line}: not the pile")
                stock, played = list(event["stock"]), kept
            case "taken_back":
                hands, stock, played = json.loads(before[event["about"]])
        if (
            hands
            and line % 5 == 0
            and Counter([*stock, *played, *(one for hand in hands.values() for one in hand)]) != whole
        ):
            wrong.append(f"line {line}: not the whole deck")
    return wrong


def test_legal_matches_show_what_can_happen() -> None:
    """Most are won; direction, reshuffles, forgotten draws, voids, undone lines and leaving all come up."""
    seen: Counter[str] = Counter()
    for game in PLAYED:
        for seats in SEATS:
            for log in some_legal(game, seats):
                seen.update({event["type"] for event in log} | {event.get("reason", "") for event in log})
    for type_ in ("match_won", "player_knocked_out", "pile_reshuffled", "draw_missed", "hand_voided", "taken_back"):
        assert seen[type_] > 40, type_
    assert all(seen[what] > 10 for what in ("player_left", "left", "border", "exact", "no_play", "hand_lost"))


# ---- broken matches ----


@functools.cache
def broken(kind: str) -> list[Broken]:
    """Some matches broken that way, as far as can be each in another game."""
    return some_broken(kind, 6, first_seed=300, rules=RULES)


@pytest.mark.parametrize("kind", KINDS)
def test_broken_matches_show_their_one_fault(kind: str) -> None:
    matches = broken(kind)
    assert matches
    for match in matches:
        assert (match.game, findings_of(as_events(match.events))) == (match.game, [match.found])


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_found_before_the_fault(kind: str) -> None:
    """What was legal is clean, so that it is the break that is found; a fault that hides shows nowhere earlier."""
    for match in broken(kind)[:2]:
        assert findings_of(as_events(match.events[: match.line - 1])) == []


@pytest.mark.parametrize("kind", KINDS)
def test_broken_matches_as_the_table_saw_them(kind: str) -> None:
    """Where it needs no cards the fault is proved all the same; a hidden one may surface later, but only once."""
    for match in broken(kind)[:2]:
        found = findings_of(as_events(blanked(match.events)))
        if match.seen is not None:
            # What seems to be out of turn may be proved by the cards: somebody was stuck, and passed over.
            assert found in ([match.seen], [match.found]), match.game
        else:
            assert len(found) <= 1, match.game


def test_the_breaker_knows_every_slug_of_the_family() -> None:
    assert len(KINDS) >= 40
    assert {match.rule for kind in KINDS for match in broken(kind)} == {
        *("deck", "deal", "dealer-rotation", "turn-order", "hold-card", "limit", "count-called", "must-play", "draw"),
        *("four-cards", "reshuffle", "out", "tokens", "match", "border", "log-order"),
    }
