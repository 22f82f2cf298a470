"""Statistics and loading duty, against a small fold that shares no code with them."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from broken_games import KINDS, some_broken
from cli_runs import FIXTURES
from legal_games import legal_game, with_omits
from legal_matches import legal_match, omitting
from match_table import GAMES
from small_fold import duties, statistics
from tables import (
    as_events,
    drew,
    game,
    left,
    leisure,
    loaded,
    out,
    played,
    seen,
    take_backs_of,
    took,
    turn,
    voided,
    won,
)

from domain import events as ev
from projections.audit import Audit, opening
from projections.chronicle import chronicle
from projections.records import GameRecord
from projections.statistics import COUNTED


def told(lines: list[dict[str, Any]], longest: int = 50) -> GameRecord:
    """What the chronicle keeps of a log, read in batches of so many lines."""
    events = as_events(lines)
    batches = [events[at : at + longest] for at in range(0, len(events), longest)]
    return chronicle(lambda: batches, lambda: take_backs_of(events))


def counts_of(record: GameRecord) -> dict[str, Counter[str]]:
    tallies = {name: msgspec.to_builtins(tally) for name, tally in record.tallies.items()}
    return {name: Counter({key: n for key, n in tally.items() if n}) for name, tally in tallies.items()}


def games() -> Iterator[list[dict[str, Any]]]:
    """A thousand games of Bong Hit 99 and matches, with voids, take-backs, leavers and split prizes."""
    for seed in range(700):
        yield legal_game(seed + 4000, 2 + seed % 12)
    for seed in range(300):
        yield legal_match(seed + 4000, 2 + seed % 5, sorted(GAMES)[seed % len(GAMES)])


def test_a_thousand_random_games_give_what_a_small_fold_of_their_own_gives() -> None:
    seen: Counter[str] = Counter()
    for lines in games():
        record = told(lines, longest=1 + len(lines) % 40)
        assert counts_of(record) == statistics(lines)
        assert msgspec.to_builtins(record.duties) == duties(lines)
        seen.update(event["type"] for event in lines)
        for tally in counts_of(record).values():
            seen.update(tally.keys())
    never = {"miscalls"}
    assert {*Counter(seen)} >= {"hand_voided", "taken_back", "player_left", "player_joined"}
    assert set(COUNTED) - seen.keys() == never


# ---- single rules, worked out by hand ----


def of_events(events: list[Any]) -> GameRecord:
    return chronicle(lambda: [events], lambda: take_backs_of(events))


def one_out_after_the_other(*before: Any) -> list[Any]:
    """Ann, at the left of the dealer Cy, plays a King; Ben and Cy are stuck, in this order."""
    return game("Ann Ben Cy", seen("Cy", "Ann Ben Cy"), turn("Ann", "Kh", 99), *before, out("Ben"), out("Cy"))


@pytest.mark.parametrize("voided_after", ["the win", "the last out", "a load"])
def test_R7_a_hand_may_be_voided_until_its_prize_is_settled_and_then_counts_for_nothing(voided_after: str) -> None:
    ends: dict[str, list[Any]] = {"the win": [won("Ann")], "the last out": [], "a load": [won("Ann"), loaded("Ben")]}
    after = ends[voided_after]
    record = of_events([*one_out_after_the_other(), *after, voided(), *seen_again()])
    assert record.findings == []
    assert [hand.voided for hand in record.hands] == [True, False]
    assert (record.hands[0].winner, record.hands[0].first_out) == (None, None)
    assert record.duties == []
    loads = {"Ben": Counter(games=1, hands=1, loads=1)} if voided_after == "a load" else {}
    nothing = Counter(games=1, hands=1)
    assert counts_of(record) == {"Ann": nothing, "Ben": nothing, "Cy": nothing} | loads


def seen_again() -> list[Any]:
    return [seen("Cy", "Ann Ben Cy")]


def test_R7_a_void_that_comes_too_late_takes_nothing_away() -> None:
    record = of_events([*one_out_after_the_other(), won("Ann"), took("Ann"), voided(), *seen_again()])
    assert [finding.rule for finding in record.findings][:1] == ["log-order"]
    assert counts_of(record)["Ben"] == Counter(games=1, hands=2, out_no_play=1, first_outs=1)
    assert counts_of(record)["Ann"]["wins"] == 1
    assert [(duty.player, duty.cause) for duty in record.duties] == [("Ben", "first_out")]


def test_loader_loads_belong_to_whoever_was_first_out_though_only_later_lines_show_it() -> None:
    """Ben is passed over at line 5; that he was out already shows when he never acts again."""
    deal = seen("Dee", "Ann Ben Cy Dee")
    before: list[Any] = [turn("Ann", "Kh", 99), turn("Cy", "9h", 99), out("Dee"), loaded("Ben")]
    lines = game(
        "Ann Ben Cy Dee", deal, *before, turn("Ann", "9d", 99), turn("Cy", "2h", 99), out("Ann"), loaded("Ben")
    )
    record = of_events(lines)
    [duty] = record.duties
    assert duty.player == "Ben"
    assert duty.loads == [line for line, event in enumerate(lines, 1) if isinstance(event, ev.BongLoaded)]


def test_R16_nobody_loads_any_more_for_somebody_who_has_left() -> None:
    first: list[Any] = [leisure("Ben", finished=True), loaded("Ben"), left("Ben"), loaded("Ann")]
    hand: list[Any] = [seen("Cy", "Ann Cy"), turn("Ann", "Kh", 99), out("Cy"), won("Ann"), loaded("Cy")]
    record = of_events(game("Ann Ben Cy", *first, *hand))
    found = [(duty.player, duty.cause, duty.loads) for duty in record.duties]
    assert found == [("Ben", "finished_bowl", [3]), ("Cy", "first_out", [11])]


def test_death_card_is_shown_by_whoever_goes_out_by_it_where_nobody_knows_the_count() -> None:
    """Nobody noted what Ann played, so the Count is unknown when the Queen of Spades comes; no target was noted."""
    unnoted = [played("Ann", None), drew("Ann")]
    by_death = game("Ann Ben Cy", seen("Cy", "Ann Ben Cy"), unnoted, turn("Ben", "Qs"), out("Cy", "death_card"))
    record = of_events(by_death)
    assert record.findings == []
    assert counts_of(record)["Ben"] == Counter(games=1, hands=1, plays=1, draws=1, death_cards=1, kills=1)
    assert [role for *_, role in record.plays] == [None, "death_card"]
    shielded = [*by_death[:-1], *turn("Cy", "Ad"), out("Ben", "blowback")]
    record = of_events(shielded)
    assert record.findings == []
    assert counts_of(record)["Cy"]["shields"] == counts_of(record)["Ben"]["death_cards"] == 1
    assert [role for *_, role in record.plays] == [None, "death_card", "shield"]


def test_death_card_that_the_rules_know_nothing_of_is_none() -> None:
    """At 20 the Queen of Spades is worth ten; who is put out by her all the same is a finding."""
    deal = seen("Cy", "Ann Ben Cy")
    record = of_events(game("Ann Ben Cy", deal, turn("Ann", "Jh", 10), turn("Ben", "Qs", 20), out("Cy", "death_card")))
    assert [finding.rule for finding in record.findings] == ["death-card-target"]
    assert counts_of(record)["Ben"] == Counter(games=1, hands=1, plays=1, draws=1)
    assert counts_of(record)["Cy"]["out_death_card"] == 1


def test_a_hand_is_won_once_whatever_the_log_says() -> None:
    lines = game(
        "Ann Ben", won("Ann"), seen("Ben", "Ann Ben"), turn("Ann", "Kh", 99), out("Ben"), won("Ann"), won("Ann")
    )
    assert counts_of(of_events(lines))["Ann"]["wins"] == 1


def test_match_is_won_once_by_whom_the_table_has() -> None:
    """A whole match, with a line more that says so again, or of somebody else."""
    lines = [msgspec.json.decode(line) for line in (FIXTURES / "chips-match.jsonl").read_bytes().splitlines()]
    [at] = [at for at, line in enumerate(lines) if line["type"] == "match_won"]
    champion, loser = lines[at]["player"], next(name for name in lines[0]["players"] if name != lines[at]["player"])
    for more in ([], [lines[at]], [{**lines[at], "player": loser}]):
        counts = counts_of(told([*lines[: at + 1], *more, *lines[at + 1 :]]))
        assert {name: tally["matches_won"] for name, tally in counts.items() if tally["matches_won"]} == {champion: 1}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.startswith(("miscall", "count"))])
def test_miscalls_are_findings_of_the_rule_count_called(kind: str) -> None:
    for broken in some_broken(kind, 4, first_seed=60):
        record = told(broken.events)
        rules = Counter(finding.player for finding in record.findings if finding.rule == "count-called")
        found = {name: tally["miscalls"] for name, tally in counts_of(record).items() if tally["miscalls"]}
        assert found == rules


@pytest.mark.parametrize("types", [["hand_won"], ["card_drawn"], ["card_drawn", "pile_reshuffled", "hand_won"]])
def test_what_a_log_never_writes_counts_where_the_rules_call_for_it(types: list[str]) -> None:
    """A log with these left out gives the same numbers as the whole one."""
    compared = 0
    for seed in range(60):
        lines = legal_game(seed + 300, 2 + seed % 6, hands=2)
        # A draw that fell away as its player left, or that is yet to come, can't be told in a log without draws.
        odd = any(line["type"] in ("taken_back", "hand_corrected", "player_left") for line in lines)
        if not odd and lines[-1]["type"] == "game_closed":
            assert counts_of(told(with_omits(lines, types))) == counts_of(told(lines))
            compared += 1
    for seed in range(40):
        lines = legal_match(seed + 300, 2 + seed % 4, "ninety-nine-tokens", forgetful=False)
        if lines[-1]["type"] != "card_played" and not any(line["type"] == "taken_back" for line in lines):
            whole = counts_of(told(lines))
            compared += 1
            assert counts_of(told(omitting(lines, ["card_drawn", "pile_reshuffled", "tokens_lost"]))) == whole
    assert compared > 30


def test_duty_agrees_with_the_table_on_every_load() -> None:
    """In games that are in order, a load belongs to the duty of whoever has it at the table."""
    for seed in range(80):
        lines = legal_game(seed + 7000, 2 + seed % 8)
        if any(line["type"] == "taken_back" for line in lines):
            continue
        events = as_events(lines)
        fold, record = Audit(opening(events)), told(lines)
        voids = [(hand.line, hand.last_line) for hand in record.hands if hand.voided]
        for line, event in enumerate(events, 1):
            holder = fold.table.loader
            if isinstance(event, ev.BongLoaded) and not any(first <= line <= last for first, last in voids):
                assert [duty.player for duty in record.duties if line in duty.loads] == ([holder] if holder else [])
            fold.follow([event])
