"""bh99 audit: what is printed in each format, the summary, the exit status, and the page on one finding."""

import csv
import io
import json
from pathlib import Path

import pytest
from cli_runs import CLEAN, FIXTURES, LOAD, OPENED, RULED, WON, bh99, lines_of, written

FIELDS = ["line", "rule", "certainty", "player", "message", "expected", "evidence", "ruled"]
NAMES = ["=1+1", "@x", "-x", "+x", 'a"b', "a,b", "<b>x</b>", "`", "[red]", "a;b", "_x_", "|", "#", "&amp;", "~~~"]


def named(path: Path, name: str) -> str:
    """A log with one finding of a player with this name."""
    return written(path, [{**OPENED, "players": [name, "Bob"]}, LOAD, {**WON, "player": name}])


@pytest.mark.parametrize(
    ("arguments", "status"),
    [([CLEAN], 0), ([RULED], 1), ([CLEAN, RULED], 1), ([RULED, "--open"], 0), ([CLEAN, "none"], 2), ([RULED, "x"], 2)],
)
def test_the_status_says_whether_a_rule_was_broken(arguments: list[str], status: int) -> None:
    assert bh99("audit", *arguments).exit_code == status


def test_only_open_findings_count_with_open_but_all_are_printed() -> None:
    every, unruled = bh99("audit", RULED), bh99("audit", RULED, "--open")
    assert every.stdout == unruled.stdout
    assert ", 1 finding, " in every.stderr
    assert ", 0 findings, " in unruled.stderr


def test_a_ruling_on_another_rule_leaves_a_finding_open(tmp_path: Path) -> None:
    events = lines_of(RULED)
    events[18]["rule"] = "limit"
    assert bh99("audit", written(tmp_path / "game.jsonl", events), "--open").exit_code == 1


def test_possible_findings_are_listed_but_never_counted(tmp_path: Path) -> None:
    log = str(FIXTURES / "one-hand-as-seen.jsonl")
    plain, possible = bh99("audit", log), bh99("audit", log, "--possible")
    assert (plain.exit_code, possible.exit_code) == (0, 0)
    assert plain.stdout == ""
    assert "(possible)" in possible.stdout
    assert plain.stderr == possible.stderr
    summary = plain.stderr.splitlines()[0]
    assert int(summary.split(", ")[-1].split()[0]) == possible.stdout.count("(possible)")


def test_json_is_an_array_of_findings_with_the_documented_fields() -> None:
    (finding,) = json.loads(bh99("audit", RULED, "--format", "json").stdout)
    assert list(finding) == FIELDS
    assert (finding["line"], finding["rule"], finding["ruled"], finding["evidence"]) == (13, "must-play", 19, [11, 18])
    assert json.loads(bh99("audit", CLEAN, "--format", "json").stdout) == []
    assert json.loads(bh99("audit", "none", "--format", "json").stdout) == []


def test_with_several_logs_each_finding_names_its_log() -> None:
    (finding,) = json.loads(bh99("audit", CLEAN, RULED, "--format", "json").stdout)
    assert list(finding) == ["log", *FIELDS]
    assert finding["log"] == RULED


def test_json_lines_are_the_array_one_a_line() -> None:
    lines = bh99("audit", str(FIXTURES), "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == json.loads(bh99("audit", str(FIXTURES), "--format", "json").stdout)
    assert len(lines) > 20


def test_csv_has_the_same_findings_as_json() -> None:
    rows = list(csv.DictReader(io.StringIO(bh99("audit", str(FIXTURES), "--format", "csv").stdout)))
    found = json.loads(bh99("audit", str(FIXTURES), "--format", "json").stdout)
    assert [(row["log"], int(row["line"]), row["rule"], row["message"]) for row in rows] == [
        (one["log"], one["line"], one["rule"], one["message"]) for one in found
    ]


def test_csv_of_a_clean_log_is_its_header() -> None:
    assert bh99("audit", CLEAN, "--format", "csv").stdout == ",".join(["log", *FIELDS]) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_is_taken_for_a_formula(name: str, tmp_path: Path) -> None:
    log = named(tmp_path / "game.jsonl", name)
    _, row = csv.reader(io.StringIO(bh99("audit", log, "--format", "csv").stdout))
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)
    assert row[4].removeprefix("'") == name
    assert len(row) == 9


def test_a_log_named_like_a_formula_is_no_formula(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    named(tmp_path / "=1+1.jsonl", "Ann")
    _, row = csv.reader(io.StringIO(bh99("audit", "=1+1.jsonl", CLEAN, "--format", "csv").stdout))
    assert row[0] == "'=1+1.jsonl"


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stands_in_a_page_as_it_is(name: str, tmp_path: Path) -> None:
    from html import unescape

    log = named(tmp_path / "game.jsonl", name)
    plain = bh99("audit", named(tmp_path / "plain.jsonl", "Ann"), "--explain", "3", "--format", "html").stdout
    page = bh99("audit", log, "--explain", "3", "--format", "html").stdout
    assert page.count("<") == plain.count("<")
    assert f"{name} wins the hand" in unescape(page)
    assert f"{name} wins the hand" in bh99("audit", log, "--explain", "3").stdout
    heading = bh99("audit", log, "--explain", "3", "--format", "markdown").stdout.split("\n")[0]
    for sign in "<`[|#&~":
        assert heading[1:].count(sign) == heading[1:].count("\\" + sign)


@pytest.mark.parametrize("name", ["Ann", "```", "````x", "~~~"])
def test_a_name_never_ends_a_block_of_a_markdown_page(name: str, tmp_path: Path) -> None:
    page = bh99("audit", named(tmp_path / "game.jsonl", name), "--explain", "3", "--format", "markdown").stdout
    fences = [line for line in page.split("\n") if line.startswith("```")]
    assert len(fences) % 2 == 0
    assert all(
        start.removesuffix("text") == end and start.endswith("text")
        for start, end in zip(fences[::2], fences[1::2], strict=True)
    )


def test_a_page_explains_the_finding_of_a_line() -> None:
    page = bh99("audit", RULED, "--explain", "13")
    assert page.exit_code == 1
    for words in (
        "Line 13: Tom went out at 97",
        "The rule (must-play):",
        ">   13  Tom is out",
        "The table before line 13:",
        "The table after line 13",
        "    18  Tom shows",
        "Tom plays the 2 of spades at 97",
        "The table's decision: Lena rules on line 13",
    ):
        assert words in page.stdout


@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_every_finding_of_every_fixture_has_a_page(format: str) -> None:
    for finding in json.loads(bh99("audit", str(FIXTURES), "--format", "json").stdout):
        page = bh99("audit", finding["log"], "--explain", str(finding["line"]), "--format", format)
        assert page.exit_code == 1
        assert finding["rule"] in page.stdout


@pytest.mark.parametrize("line", ["12", "0", "-3", "999"])
def test_a_line_without_a_finding_is_named_with_those_that_have_one(line: str) -> None:
    result = bh99("audit", RULED, "--explain", line)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"{RULED}: nothing was found on line {line}; findings are on line 13\n"
    assert "this log has no findings" in bh99("audit", CLEAN, "--explain", line).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [RULED, "--format", "html"],
        [RULED, "--format", "markdown"],
        [RULED, "--explain", "13", "--format", "csv"],
        [RULED, CLEAN, "--explain", "13"],
        [RULED, "--explain", "13", "--summary", "x.json"],
        [RULED, "--explain", "13", "--open"],
        [RULED, "--explain", "13", "--possible"],
        [RULED, "--explain", "x"],
        [RULED, "--format", "xml"],
        [],
    ],
)
def test_options_that_do_not_go_together_are_wrong_use(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = bh99("audit", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: ")
    assert not list(tmp_path.iterdir())


def test_the_summary_goes_to_a_file_too(tmp_path: Path) -> None:
    file = tmp_path / "summary.json"
    assert bh99("audit", RULED, CLEAN, "none", "--summary", str(file)).exit_code == 2
    summary = json.loads(file.read_text("utf-8"))
    assert {key: summary[key] for key in ("events", "hands", "findings", "open_checks")} == {
        "events": 59,
        "hands": 2,
        "findings": 1,
        "open_checks": 3,
    }
    assert [log["log"] for log in summary["logs"]] == [RULED, CLEAN]


@pytest.mark.parametrize("file", [".", "/none/summary.json", "", "/dev/full"])
def test_a_summary_that_cannot_be_written_is_a_clear_line_and_status_2(file: str) -> None:
    result = bh99("audit", CLEAN, "--summary", file)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith(f"{file}: the summary can't be written: ")
