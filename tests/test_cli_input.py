"""What the commands make of files: each one that can't be read is one clear line and status 2, never a traceback."""

import gzip
import json
from pathlib import Path

import pytest
from cli_runs import CLEAN, FIXTURES, LOAD, OPENED, RULED, STEERS, bh99, lines_of, process, written

DATA = Path(CLEAN).read_bytes()
START = json.dumps(OPENED).encode() + b"\n"
TAIL = json.dumps(LOAD).encode() + b"\n"

each_command = pytest.mark.parametrize(
    "command",
    ["replay {}", "replay {} --step", "replay {} --at 1", "now {}", "audit {}", "audit {} --explain 1"],
)


def run(command: str, log: str, stdin: bytes | None = None) -> tuple[int, str, str]:
    result = bh99(*[part.format(log) for part in command.split()], stdin=stdin)
    return result.exit_code, result.stdout, result.stderr


BAD = {
    "empty": (b"", "the log is empty"),
    "blanks": (b"\n \n", "the log is empty"),
    "utf16": (DATA.decode().encode("utf-16"), "the log is UTF-16"),
    "not utf8": (START + b'{"type":"bong_loaded","player":"\xff"}\n' + TAIL, "expected UTF-8, got the byte 0xff"),
    "long line": (START + b"x" * 2_000_000 + b"\n" + TAIL, "the line is too long"),
    "deep": (START + b'{"type":"game_closed","ext":' + b'{"a":' * 99_999 + b"1" + b"}" * 100_000 + b"\n", "too deeply"),
    "deep list": (START + b"[" * 100_000 + b"\n", "expected a value"),
    "twice": (START + b'{"type":"bong_loaded","player":"Ann","player":"Ann"}\n', "stands twice"),
    "nan": (START + b'{"type":"count_corrected","count":NaN}\n', "expected a whole number, got NaN"),
    "text count": (START + b'{"type":"count_corrected","count":"9"}\n', "expected a whole number"),
    "unknown type": (START + b'{"type":"bark"}\n', "expected the type of an event"),
    "unknown field": (START + b'{"type":"game_closed","x":1}\n', "unknown field"),
    "later format": (START.replace(b": 1,", b": 2,"), "format 2, later than"),
    "later edition": (START.replace(b"bong-hit-99", b"bong-hit-99@2"), "edition 2 of bong-hit-99 is later"),
    "unknown rules": (START.replace(b"bong-hit-99", b"po\\u001b[31mker"), "are not known here"),
    "zeros inside": (START + b"\0" * 50 + b"\n" + TAIL, "expected an event"),
    "two logs": (DATA + DATA, "a second game_opened"),
    "gzip cut": (gzip.compress(DATA)[:-9], "the gzip file is cut off"),
    "hostile name": (START + b'{"type":"bong_loaded","player":"A\\u001b[31m"}\n', "has a control character"),
}


@each_command
@pytest.mark.parametrize("kind", BAD)
def test_a_log_that_cannot_be_read_is_one_line_and_status_2(command: str, kind: str, tmp_path: Path) -> None:
    data, words = BAD[kind]
    (tmp_path / "game.jsonl").write_bytes(data)
    status, out, err = run(command, str(tmp_path / "game.jsonl"))
    assert (status, out) == (2, "")
    assert words in err
    assert err.startswith(f"{tmp_path}/game.jsonl:")
    assert err.count("\n") == 1


@each_command
def test_a_missing_file_is_one_line_and_status_2(command: str, tmp_path: Path) -> None:
    assert run(command, f"{tmp_path}/none.jsonl") == (2, "", f"{tmp_path}/none.jsonl: no such file\n")


@pytest.mark.parametrize("command", ["replay {}", "now {}", "audit {} --explain 1"])
def test_a_folder_is_no_log(command: str, tmp_path: Path) -> None:
    assert run(command, str(tmp_path)) == (2, "", f"{tmp_path}: this is a folder; expected a log\n")


@each_command
def test_a_hostile_file_name_reaches_standard_error_as_escapes(command: str, tmp_path: Path) -> None:
    name = f"{tmp_path}/{STEERS}\n".replace("\0", "")
    Path(name).write_bytes(b"\xef\xbb\xbf" + DATA + b"\r\n")
    result = bh99(*[part.format(name) for part in command.split()])
    assert "\\x1b[31m\\x9b31m" in result.stderr or command.startswith("audit {} --explain")
    assert result.exit_code in (0, 2)
    assert bh99("replay", name + "x").stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"\xef\xbb\xbf" + DATA, "a byte-order mark was skipped"),
        (DATA.replace(b"\n", b"\r\n"), "carriage returns were skipped"),
        (DATA.replace(b"\n", b"\n\n"), "36 blank lines were skipped; lines are counted without them"),
        (DATA + b'{"type":"bong_lo', "the last line is cut off: the log is incomplete"),
        (DATA + b"\0\0\0", "the last line is cut off: the log is incomplete"),
        (gzip.compress(DATA), None),
    ],
)
@pytest.mark.parametrize("command", ["replay {}", "replay {} --step", "replay {} --at 9 --format json", "now {}"])
def test_what_is_passed_over_is_noted_and_changes_no_answer(
    command: str, data: bytes, note: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    status, out, err = run(command, str(path))
    assert (status, out) == run(command, CLEAN)[:2]
    assert err == ("" if note is None else f"{path}: note: {note}\n")
    assert run(command, "-", stdin=data) == (status, out, err.replace(str(path), "-"))


@pytest.mark.parametrize("format", ["text", "json", "jsonl", "csv"])
def test_the_logs_that_can_be_read_are_answered_beside_those_that_cannot(format: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b"x\n")
    result = bh99("audit", "none.jsonl", RULED, str(empty), str(broken), CLEAN, "--format", format)
    assert result.exit_code == 2
    assert result.stdout == bh99("audit", RULED, CLEAN, "--format", format).stdout
    assert "must-play" in result.stdout
    assert result.stderr.splitlines()[-1] == "2 logs: 59 events, 2 hands, 1 finding, 3 checks left open"
    for words in ("none.jsonl: no such file", f"{empty}: no log in this folder", f"{broken}:1:1: expected an event"):
        assert words in result.stderr


def test_an_empty_folder_alone_is_status_2(tmp_path: Path) -> None:
    result = bh99("audit", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == f"{tmp_path}: no log in this folder; expected files named *.jsonl or *.jsonl.gz\n"


def test_a_folder_is_searched_for_logs_packed_or_not(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (below / "one.jsonl").write_bytes(DATA)
    (tmp_path / "two.jsonl.gz").write_bytes(gzip.compress(Path(RULED).read_bytes()))
    (tmp_path / "notes.txt").write_text("not a log")
    result = bh99("audit", str(tmp_path))
    assert result.exit_code == 1
    assert [line.partition(":")[0] for line in result.stderr.splitlines() if not line.startswith(" ")] == [
        str(below / "one.jsonl"),
        str(tmp_path / "two.jsonl.gz"),
        "2 logs",
    ]


def test_standard_input_is_read_once() -> None:
    result = bh99("audit", "-", "-", stdin=Path(RULED).read_bytes())
    assert result.exit_code == 2
    assert "must-play" in result.stdout


def test_twenty_bad_lines_are_named_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(START + b"x\n" * 50)
    result = bh99("audit", str(path))
    assert result.exit_code == 2
    assert [int(line.split(":")[1]) for line in result.stderr.splitlines()] == list(range(2, 22))


@pytest.mark.parametrize(
    "arguments",
    [["audit", "none"], ["replay", "none"], ["rules", "none"], ["replay", RULED, "--seat", "none"], ["audit", RULED]],
)
def test_arguments_that_are_not_utf8_are_shown_as_escapes(arguments: list[str], tmp_path: Path) -> None:
    bad = tmp_path / "a\udcff.jsonl"
    bad.write_bytes(DATA)
    given = [arg.replace("none", "no\udcff\x1b[31m") for arg in arguments] + [str(bad)] * (arguments[-1] == RULED)
    result = process(*given, "--format", "json") if given[-1] == str(bad) else process(*given)
    assert result.returncode == (1 if given[-1] == str(bad) else 2)
    assert b"\\udcff" in result.stderr
    assert b"Traceback" not in result.stderr
    assert b"\x1b" not in result.stderr + result.stdout


@pytest.mark.parametrize("arguments", [["replay", RULED, "\x1b[31m"], ["--\x1b[31m"], ["\x1b[31m"], ["now", "-\x9b"]])
def test_wrong_arguments_are_shown_as_escapes(arguments: list[str]) -> None:
    result = process(*arguments)
    assert result.returncode == 2
    assert b"\\x1b[31m" in result.stderr or b"\\x9b" in result.stderr
    assert b"\x1b" not in result.stderr
    assert b"\xc2\x9b" not in result.stderr


def test_every_fixture_is_answered_by_every_command() -> None:
    for path in sorted(FIXTURES.glob("*.jsonl*")):
        for command in ("replay {}", "replay {} --step", "now {}", "audit {}", "audit {} --possible"):
            status, out, _ = run(command, str(path))
            assert status in (0, 1)
            assert out or status == 0


TEXTS = ["ok\n   14  Tom wins the hand", "a\r\nb", f"x{STEERS}", "[red]x[/red]", "<script>x</script>", "</pre>"]


def hostile(path: Path, text: str) -> str:
    """The ruled game with this text wherever a log may hold one."""
    events = lines_of(RULED)
    events[0]["note"] = text
    events[0]["ext"] = {text: text}
    for event in events:
        if event["type"] == "ruling_made":
            event["by"] = event["text"] = event["note"] = text
    events.insert(16, {"type": "ruling_made", "about": 13, "by": text, "text": text, "rule": text})
    events.append({"type": "hand_voided", "reason": text})
    return written(path, events)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_from_a_log_stays_on_its_line_and_steers_nothing(text: str, tmp_path: Path) -> None:
    log = hostile(tmp_path / "game.jsonl", text)
    plain = hostile(tmp_path / "plain.jsonl", "words")
    for command in ("replay {}", "replay {} --step", "audit {} --explain 13", "audit {}", "now {}"):
        status, out, _ = run(command, log)
        as_plain = run(command, plain)
        assert status == as_plain[0]
        # A text that is long puts the status on a line of its own, no more.
        assert len(out.split("\n")) - len(as_plain[1].split("\n")) in (0, 1, 2, 3)
        assert not any(line.startswith("   14  Tom wins") for line in out.split("\n"))


@pytest.mark.parametrize("text", TEXTS)
def test_a_page_holds_a_text_from_a_log_as_text(text: str, tmp_path: Path) -> None:
    log = hostile(tmp_path / "game.jsonl", text)
    page = bh99("audit", log, "--explain", "13", "--format", "html").stdout
    plain = bh99("audit", hostile(tmp_path / "plain.jsonl", "words"), "--explain", "13", "--format", "html").stdout
    assert page.count("<") == plain.count("<")
    assert page.count("\n") == plain.count("\n")
    markdown = bh99("audit", log, "--explain", "13", "--format", "markdown").stdout
    decision = next(line for line in markdown.split("\n") if line.startswith("**The table's decision:**"))
    assert "<" not in decision.replace("\\<", "")
    assert decision == markdown.rstrip("\n").split("\n")[-1]
