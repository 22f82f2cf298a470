"""`bh99 worlds`, `bh99 diff` and what scripts get of them: what a user sees, and what goes wrong."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cli_runs import bh99 as run
from tables import game, out, played, seen, shown, stole, took, turn, won

import bh99
from domain import events as ev
from projections.accounts import laid_together

SEEN = [*game("Ana Ben Cy", seen("Cy", "Ana Ben Cy")), *turn("Ana", "Kh", 99), *turn("Ben", "Td", 89)]
ENDED = [*SEEN, *turn("Cy", "9h", 98), out("Ana"), out("Ben"), won("Cy"), stole("Ana", "Cy")]


def written(path: Path, events: Sequence[ev.Event]) -> str:
    path.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))
    return str(path)


@pytest.fixture
def log(tmp_path: Path) -> str:
    return written(tmp_path / "game.jsonl", ENDED)


def asked(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--format", "json").stdout)


# ---- worlds ----


def test_worlds_names_what_every_deal_and_what_no_deal_puts_into_a_hand(log: str) -> None:
    told = asked("worlds", log, "--at", "9")
    ana = told["seats"][0]
    assert told["exact"]
    assert ana["must_hold"] == ["Ac"]
    assert set(ana["cannot_hold"]) == {"Kh", "Td", "9h"}
    assert sum(ana["chances"].values()) == pytest.approx(3)
    text = run("worlds", log, "--at", "9").stdout
    assert "holds in every deal: the ace of clubs" in text
    assert "holds in no deal: Td 9h Kh" in text


def test_worlds_by_the_lines_so_far_alone(log: str) -> None:
    """That Ana has the ace shows only later."""
    assert asked("worlds", log, "--at", "9", "--known-then")["seats"][0]["must_hold"] == []


def test_worlds_by_what_one_seat_knows(tmp_path: Path) -> None:
    known = game("Ana Ben", seen("Ben", "Ana Ben", Ana="2c 3c 4c 5c", Ben="Ac Kc Qc Jc"), *turn("Ana", "2c", 2))
    log = written(tmp_path / "known.jsonl", known)
    told = asked("worlds", log, "--at", "2", "--seat", "Ana")
    assert [len(seat["must_hold"]) for seat in told["seats"]] == [4, 0]
    assert told["seats"][1]["chances"]["Ac"] == pytest.approx(4 / 48)


def test_worlds_of_a_log_with_all_cards_is_one() -> None:
    told = asked("worlds", "fixtures/one-hand.jsonl", "--at", "20")
    assert (told["deals"], told["exact"]) == ("1", True)
    assert all(seat["chances"] == {} for seat in told["seats"])


def test_worlds_where_no_deal_agrees() -> None:
    told = asked("worlds", "fixtures/proof-played-from-nowhere.jsonl")
    assert (told["deals"], told["seats"]) == ("0", [])
    assert "no deal agrees with the log" in run("worlds", "fixtures/proof-played-from-nowhere.jsonl").stdout


def test_worlds_cannot_be_told_before_the_first_deal(log: str) -> None:
    done = run("worlds", log, "--at", "1")
    assert done.exit_code == 2
    assert "no hand is being played there" in done.stderr
    assert run("worlds", log, "--at", "99").exit_code == 2
    assert run("worlds", log, "--seat", "Zoe").exit_code == 2


def test_worlds_cannot_be_told_behind_a_reshuffle_that_nobody_wrote_down(tmp_path: Path) -> None:
    names = " ".join(f"P{at}" for at in range(1, 14))
    events = game(names, seen("P13", names), *turn("P1", "Kh", 99), *turn("P2", "9h", 99), omits=["pile_reshuffled"])
    done = run("worlds", written(tmp_path / "vague.jsonl", events))
    assert done.exit_code == 2
    assert "isn't told" in done.stderr


# ---- samples ----


def test_worlds_samples_are_complete_logs_that_agree(log: str, tmp_path: Path) -> None:
    done = run("worlds", log, "--sample", "3", "--seed", "7", "--into", str(tmp_path / "samples"))
    assert done.exit_code == 0
    assert "drawn evenly" in done.stderr
    for at in (1, 2, 3):
        sample = tmp_path / "samples" / f"{at}.jsonl"
        assert "null" not in sample.read_text()
        assert laid_together(bh99.read_log(sample).events(), ENDED).parting is None
        assert (9, "must-play") in [(one.line, one.rule) for one in bh99.audit(sample).findings]


def test_worlds_samples_are_the_same_with_the_same_seed(log: str) -> None:
    first = run("worlds", log, "--sample", "1", "--seed", "7").stdout
    assert run("worlds", log, "--sample", "1", "--seed", "7").stdout == first
    assert run("worlds", log, "--sample", "1", "--seed", "8").stdout != first


def test_worlds_samples_never_write_over_a_file(log: str, tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_text("mine")
    done = run("worlds", log, "--sample", "2", "--into", str(tmp_path))
    assert done.exit_code == 2
    assert (tmp_path / "1.jsonl").read_text() == "mine"
    assert run("worlds", log, "--sample", "2").exit_code == 2
    assert run("worlds", log, "--sample", "1", "--at", "3").exit_code == 2


# ---- two accounts ----


def accounts(tmp_path: Path, one: Sequence[ev.Event], other: Sequence[ev.Event]) -> tuple[str, str]:
    return written(tmp_path / "one.jsonl", one), written(tmp_path / "other.jsonl", other)


def test_diff_names_where_two_accounts_part_and_what_each_implies(tmp_path: Path) -> None:
    one, other = accounts(tmp_path, ENDED, [*ENDED[:-1], took("Cy")])
    told = asked("diff", one, other)
    assert (told["parted"], told["field"], told["both_can_be_true"]) == (True, "type", False)
    assert [told[which]["line"] for which in ("one", "other")] == [12, 12]
    assert told["one"]["says"] == "Ana steals the hit from Cy"
    assert told["one"]["holds"] == {"Ana": ["Ac"]}
    assert [finding["rule"] for finding in told["one"]["findings"]] == ["must-play"]
    assert told["other"]["findings"] == []
    done = run("diff", one, other)
    assert done.exit_code == 1
    assert "Both can't be true" in done.stdout


def test_diff_a_card_that_one_of_them_leaves_open_is_no_difference(tmp_path: Path) -> None:
    other = [played("Ben", None, 89) if event == played("Ben", "Td", 89) else event for event in SEEN]
    done = run("diff", *accounts(tmp_path, SEEN, other))
    assert done.exit_code == 0
    assert "They don't part" in done.stdout
    assert "tells more than the other on line 5" in done.stdout
    assert "Both can be true" in done.stdout


def test_diff_each_can_be_true_and_both_together_cannot(tmp_path: Path) -> None:
    """One saw the ace of clubs dealt to Ana, the other saw Ben show it."""
    deal = seen("Cy", "Ana Ben Cy", Ana="Ac ? ? ?")
    end = [out("Ana"), out("Ben"), won("Cy")]
    one = game("Ana Ben Cy", deal, *turn("Ana", "Kh", 99), *turn("Ben", "2d", 99), *turn("Cy", "2h", 99), *end)
    start = game("Ana Ben Cy", seen("Cy", "Ana Ben Cy"), *turn("Ana", "Kh", 99), *turn("Ben", "2d", 99))
    other = [*start, *turn("Cy", "2h", 99), *end, shown("Ben", "Ac")]
    told = asked("diff", *accounts(tmp_path, one, other))
    assert not told["parted"]
    assert not told["both_can_be_true"]
    assert told["one"]["can_have_happened"]
    assert told["other"]["can_have_happened"]
    assert told["one"]["holds"] == {"Ana": ["Ac"]}


def test_diff_a_card_that_differs_is_named_with_its_field(tmp_path: Path) -> None:
    other = [played("Ben", "Tc", 89) if event == played("Ben", "Td", 89) else event for event in SEEN]
    told = asked("diff", *accounts(tmp_path, SEEN, other))
    assert (told["parted"], told["field"]) == (True, "card")
    assert run("diff", *accounts(tmp_path, SEEN, other)).exit_code == 1


def test_diff_lines_that_one_of_them_never_writes_part_nobody(tmp_path: Path) -> None:
    other = [event for event in SEEN if not isinstance(event, ev.CardDrawn)]
    other[0] = msgspec.structs.replace(other[0], omits=["card_drawn"])
    assert not asked("diff", *accounts(tmp_path, SEEN, other))["parted"]


def test_diff_what_it_gives_in_python(tmp_path: Path) -> None:
    told = bh99.diff(*accounts(tmp_path, ENDED, ENDED))
    assert (told.parted, told.both_can_be_true) == (False, True)
    assert told.one.name.endswith("one.jsonl")


# ---- what would settle it ----


def test_the_summary_says_what_would_settle_each_open_check(log: str, tmp_path: Path) -> None:
    done = run("audit", log, "--summary", str(tmp_path / "summary.json"))
    assert "to settle it, show Ben's cards of hand 1, as they were on line 10" in done.stderr
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["open_checks"] == len(summary["logs"][0]["left_open"]) == 1
    assert summary["logs"][0]["left_open"][0]["rule"] == "must-play"
