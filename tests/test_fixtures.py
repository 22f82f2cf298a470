"""The recorded games in fixtures/: each gives exactly its findings and its transcript, and together they show all."""

import json
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bh99.audits import audit_log
from bh99.logs import open_log
from domain import events as ev
from domain.rule_sets import RuleSet
from domain.rulebook import RULES
from domain.shipped_rules import EDITIONS, OPTIONS, rules_from, rules_of
from projections.take_backs import Undone

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FIXTURES / "EXPECTED.json").read_text("utf-8"))
REFRESH = runpy.run_path(str(FIXTURES / "refresh.py"))
HOUSE_RULES = sorted((FIXTURES / "house-rules").glob("*.toml"))
LONG = {"borders-match.jsonl"}
"""Fifteen points take five hands at least, and a hand of borders takes ten cards."""

each_game = pytest.mark.parametrize("file", sorted(EXPECTED))


def rules_of_game(file: str) -> RuleSet:
    """What a recorded game is played by."""
    return rules_of(open_log(str(FIXTURES / file)).opened.rules)


def lines_with_verdicts() -> list[tuple[ev.AnyEvent, bool]]:
    """Every standing line of every game, and whether something is wrong with it."""
    lines = []
    for file, expected in EXPECTED.items():
        log = open_log(str(FIXTURES / file))
        undone = Undone(log.take_backs())
        wrong = {finding["line"] for finding in expected["findings"]}
        events = [event for batch in log.batches() for event in batch]
        lines += [(event, at in wrong) for at, event in enumerate(events, 1) if undone.by(at) is None]
    return lines


@each_game
def test_a_recorded_game_gives_exactly_its_findings(file: str) -> None:
    found = [
        {"line": one.line, "rule": one.rule, "player": one.player, "certainty": one.certainty}
        for one in audit_log(str(FIXTURES / file)).findings
    ]
    assert found == EXPECTED[file]["findings"], EXPECTED[file]["why"]


@each_game
def test_a_recorded_game_is_told_as_in_its_transcript(file: str) -> None:
    text, status = REFRESH["transcript_of"](file)
    assert text == REFRESH["transcript_path"](file).read_text("utf-8"), "fixtures/README.md says how to refresh it"
    assert status == (1 if EXPECTED[file]["findings"] else 0)


@each_game
def test_a_recorded_game_is_small(file: str) -> None:
    most = 110 if file in LONG else 60
    assert 5 <= sum(map(len, open_log(str(FIXTURES / file)).batches())) <= most


def test_no_game_is_without_expectation_and_no_transcript_without_game() -> None:
    assert {path.name for path in FIXTURES.iterdir() if ".jsonl" in path.name} == set(EXPECTED)
    assert set((FIXTURES / "transcripts").iterdir()) == set(map(REFRESH["transcript_path"], EXPECTED))


def test_every_event_type_occurs_in_order() -> None:
    assert {ev.type_of(event) for event, wrong in lines_with_verdicts() if not wrong} == set(ev.EVENT_TYPES)


def test_every_event_type_occurs_out_of_order() -> None:
    assert {ev.type_of(event) for event, wrong in lines_with_verdicts() if wrong} == set(ev.EVENT_TYPES)


@pytest.mark.parametrize("reason", ["no_play", "death_card", "blowback", "left"])
def test_somebody_goes_out_rightly_and_wrongly_for_every_reason(reason: str) -> None:
    outs = [
        wrong
        for event, wrong in lines_with_verdicts()
        if isinstance(event, ev.PlayerEliminated) and event.reason == reason
    ]
    assert set(outs) == {True, False}


@pytest.mark.parametrize("reason", ["hand_lost", "border", "exact"])
def test_tokens_are_lost_rightly_and_wrongly_for_every_reason(reason: str) -> None:
    losses = [
        wrong for event, wrong in lines_with_verdicts() if isinstance(event, ev.TokensLost) and event.reason == reason
    ]
    assert set(losses) == {True, False}


@pytest.mark.parametrize("name", [*EDITIONS, *(f"{name}+{option}" for name in OPTIONS for option in OPTIONS[name])])
def test_every_game_and_every_option_is_played(name: str) -> None:
    assert rules_of(name) in map(rules_of_game, EXPECTED)


@pytest.mark.parametrize("path", HOUSE_RULES, ids=lambda path: path.stem)
def test_house_rules_are_played_in_order_and_disputed(path: Path) -> None:
    with path.open("rb") as file:
        rules = rules_from(tomllib.load(file))
    assert rules.name == path.stem
    for game in (f"{path.stem}.jsonl", f"{path.stem}-disputes.jsonl"):
        carried = open_log(str(FIXTURES / game)).opened.rules
        assert isinstance(carried, dict)
        assert "base" not in carried
        assert rules_from(carried) == rules
    assert not EXPECTED[f"{path.stem}.jsonl"]["findings"]
    assert EXPECTED[f"{path.stem}-disputes.jsonl"]["findings"]


@pytest.mark.parametrize("rule", list(RULES))
def test_every_rule_is_reported_somewhere(rule: str) -> None:
    assert any(finding["rule"] == rule for expected in EXPECTED.values() for finding in expected["findings"])


@each_game
def test_the_readme_names_every_game_and_says_what_it_shows(file: str) -> None:
    assert f"| `{file}` | {EXPECTED[file]['why']} |\n" in (FIXTURES / "README.md").read_text("utf-8")


def test_a_ruling_stands_beside_the_finding_it_is_about() -> None:
    [finding] = audit_log(str(FIXTURES / "shown-two-of-spades.jsonl")).findings
    assert (finding.line, finding.ruled) == (13, 19)


def test_a_log_that_breaks_off_is_told_and_called_incomplete() -> None:
    log = open_log(str(FIXTURES / "cut-short.jsonl"))
    assert len([event for batch in log.batches() for event in batch]) == 6
    assert log.incomplete
