"""The example scripts print what was worked out by hand on `fixtures/friday-late.jsonl`: two hands, three players."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runs import FIXTURES, ROOT, environment
from stores import store_in, url_in

pytestmark = pytest.mark.usefixtures("engine")
BY_HAND = {
    # Ben and Ana each won one of their two hands, Cy none.
    "leader_board.py": """\
  1  Ana                     1 of    2 hands   50%
  2  Ben                     1 of    2 hands   50%
  3  Cy                      0 of    2 hands    0%
""",
    # Cy was first out in the first hand (line 7), Ben in the second (line 22); each loaded once, Ana never had to.
    "who_loads_most.py": """\
                     first out bowl done  loads
Ben                          1         0      1
Cy                           1         0      1
""",
    # Ana stole from Ben; the hit slid to Ben, who held the King of Clubs, and on to Cy, who held the Queen.
    "ace_of_clubs.py": """\
2 hands won, 1 of them robbed
   0  stayed with the thief
   0  slid back to the winner
   1  slid to somebody else
""",
    # Two cards were played before midnight; of the three after it Ben's five was called as a six.
    "miscalls_by_hour.py": """\
23 o'clock     0 of     2   0.0%
00 o'clock     1 of     3  33.3%
""",
}


def printed(script: str, url: str) -> str:
    run = subprocess.run(
        [sys.executable, str(ROOT / "examples" / script), url], env=environment(), capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (0, ""), run.stderr
    return run.stdout


@pytest.fixture
def url(tmp_path: Path) -> str:
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "friday-late.jsonl"))
    return url_in(tmp_path)


@pytest.mark.parametrize("script", list(BY_HAND))
def test_an_example_prints_what_was_worked_out_by_hand(script: str, url: str) -> None:
    assert printed(script, url) == BY_HAND[script]


def test_findings_become_a_spreadsheet(url: str) -> None:
    header, row = csv.reader(io.StringIO(printed("findings_to_spreadsheet.py", url)))
    found = dict(zip(header, row, strict=True))
    assert (found["evening"], found["game"], found["line"], found["hand"]) == ("2026-11-27", "friday-late", "16", "2")
    assert (found["rule"], found["player"], found["ruled"]) == ("count-called", "Ben", "")


def test_every_example_is_tested_and_listed() -> None:
    scripts = {path.name for path in (ROOT / "examples").glob("*.py")}
    assert scripts == {*BY_HAND, "findings_to_spreadsheet.py", "many_hosts.py"}
    listed = (ROOT / "examples/README.md").read_text("utf-8")
    assert all(f"`{script}`" in listed for script in scripts)


@pytest.mark.parametrize("script", [*BY_HAND, "findings_to_spreadsheet.py"])
def test_examples_over_all_recorded_games_have_an_answer(script: str, tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        for path in sorted(FIXTURES.glob("*.jsonl")):
            store.import_log(str(path))
    assert printed(script, url_in(tmp_path)).count("\n") > 2
