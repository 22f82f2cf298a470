"""The recorded games in fixtures/: each gives exactly its findings and its transcript, and together they show all."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from bh99.audits import audit_log
from bh99.logs import open_log
from domain import events as ev
from domain.rulebook import RULES
from projections.take_backs import Undone

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FIXTURES / "EXPECTED.json").read_text("utf-8"))
REFRESH = runpy.run_path(str(FIXTURES / "refresh.py"))
FOREIGN = {"tokens_lost", "player_knocked_out", "match_won"}
"""Events of other games: there is no right place for them in Bong Hit 99."""

each_game = pytest.mark.parametrize("file", sorted(EXPECTED))


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
    assert 5 <= sum(map(len, open_log(str(FIXTURES / file)).batches())) <= 60


def test_no_game_is_without_expectation_and_no_transcript_without_game() -> None:
    assert {path.name for path in FIXTURES.iterdir() if ".jsonl" in path.name} == set(EXPECTED)
    assert set((FIXTURES / "transcripts").iterdir()) == set(map(REFRESH["transcript_path"], EXPECTED))


def test_every_event_type_occurs_in_order() -> None:
    assert {ev.type_of(event) for event, wrong in lines_with_verdicts() if not wrong} == set(ev.EVENT_TYPES) - FOREIGN


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
