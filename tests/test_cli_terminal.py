"""bh99 as a process: keys on a terminal, pipes that break, full disks, locales, interrupts, help and completion."""

import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest
from cli_runs import CLEAN, COMMAND, FIXTURES, RULED, bh99, environment, lines_of, process, shell, written
from terminals import BACK_TO_NORMAL, Open

EVERY = ["replay", "now", "audit", "rules"]


def test_keys_walk_through_a_game_on_a_terminal(open_terminal: Open) -> None:
    screen = open_terminal("replay", RULED, "--step")
    screen.wait_for("line 1 of 23")
    for keys, line in [
        ("\r", 2),
        (" ", 3),
        ("\x1b[C", 4),
        ("\x1bOB", 5),
        ("b", 4),
        ("\x7f", 3),
        ("f", 13),
        ("\x1b[F", 23),
    ]:
        screen.press(keys, f"line {line} of 23")
    screen.press("g", "line (1 to 23):")
    screen.press("20\r", "line 20 of 23")
    os.write(screen.ours, b"q")
    assert screen.status() == 1
    assert screen.is_as_before()


@pytest.mark.parametrize(
    ("options", "line"), [(["--at", "13"], 13), (["--from", "20"], 20), (["--at", "9", "--seat", "Tom"], 9)]
)
def test_it_opens_at_a_line(options: list[str], line: int, open_terminal: Open) -> None:
    screen = open_terminal("replay", RULED, "--step", *options)
    screen.wait_for(f"line {line} of 23")


@pytest.mark.parametrize("key", ["q", "Q", "\x03", "\x04", "\x11"])
def test_it_is_left_with_the_status_of_the_log(key: str, open_terminal: Open) -> None:
    screen = open_terminal("replay", RULED, "--step")
    screen.press("f", "line 13 of 23")
    os.write(screen.ours, key.encode())
    assert screen.status() == 1
    clean = open_terminal("replay", CLEAN, "--step")
    clean.wait_for("line 1 of 36")
    os.write(clean.ours, key.encode())
    assert clean.status() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_killed_replayer_leaves_the_terminal_as_it_was(number: signal.Signals, open_terminal: Open) -> None:
    screen = open_terminal("replay", RULED, "--step")
    screen.wait_for("line 1 of 23")
    screen.process.send_signal(number)
    assert screen.status() == 128 + number
    assert screen.is_as_before()
    assert "Traceback" not in screen.seen


def test_a_terminal_that_is_too_small_is_told_so(open_terminal: Open) -> None:
    screen = open_terminal("replay", RULED, "--step", rows=20, columns=60)
    screen.wait_for("This terminal is 60 by 20")
    fcntl.ioctl(screen.ours, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
    screen.process.send_signal(signal.SIGWINCH)
    screen.wait_for("line 1 of 23")
    os.write(screen.ours, b"q")
    assert screen.status() == 1


def test_no_color_is_no_colour(open_terminal: Open) -> None:
    screen = open_terminal("replay", RULED, "--step", NO_COLOR="1")
    os.write(screen.ours, b"f")
    time.sleep(1)
    os.write(screen.ours, b"q")
    assert screen.status() == 1
    assert "must-play" in screen.seen
    codes = {code for found in re.findall(r"\x1b\[([0-9;]*)m", screen.seen) for code in found.split(";")}
    assert codes <= {"", "0", "1", "4", "7", "9", "39", "49"}


def test_a_terminal_that_cannot_draw_gets_every_step_as_text(open_terminal: Open) -> None:
    plain = bh99("replay", RULED, "--step").stdout
    screen = open_terminal("replay", RULED, "--step", TERM="dumb")
    assert screen.status() == 1
    assert screen.seen.replace("\r\n", "\n") == plain


def test_nothing_in_a_log_steers_the_terminal(tmp_path: Path, open_terminal: Open) -> None:
    events = lines_of(RULED)
    events[18]["text"] = "\x1b[2J\x9b2J\u202e"
    screen = open_terminal(
        "replay", written(tmp_path / "g.jsonl", events), "--step", "--at", "19", rows=40, columns=120
    )
    screen.wait_for("\\x1b[2J\\x9b2J\\u202e")
    os.write(screen.ours, b"q")
    assert screen.status() == 1
    assert "\x9b" not in screen.seen
    assert "\u202e" not in screen.seen


def test_a_bad_line_further_on_is_named_after_the_screen(tmp_path: Path, open_terminal: Open) -> None:
    log = tmp_path / "g.jsonl"
    load = '{"type":"bong_loaded","player":"Tom"}\n'
    log.write_text("".join(Path(CLEAN).read_text().splitlines(keepends=True)[:-1]) + load * 20_000 + "nonsense\n")
    screen = open_terminal("replay", str(log), "--step")
    assert screen.status() == 2
    assert "g.jsonl:20036:1: " in screen.seen.rpartition(BACK_TO_NORMAL[0])[2]
    assert screen.is_as_before()


def test_a_line_that_is_not_there_is_named_after_the_screen(open_terminal: Open) -> None:
    screen = open_terminal("replay", RULED, "--step", "--at", "24")
    assert screen.status() == 2
    assert "there is no line 24; expected a line from 1 to 23" in screen.seen


def test_damaged_marks_are_named_and_the_game_is_shown(tmp_path: Path, open_terminal: Open) -> None:
    log = written(tmp_path / "g.jsonl", lines_of(RULED))
    Path(f"{log}.marks").write_text("nonsense\n")
    screen = open_terminal("replay", log, "--step", columns=200)
    screen.wait_for("g.jsonl.marks:1: this is no mark")
    os.write(screen.ours, b"q")
    assert screen.status() == 1
    assert Path(f"{log}.marks").read_text() == "nonsense\n"


@pytest.mark.parametrize("after", [0.3, 0.4, 0.5, 0.6, 0.7])
def test_a_replayer_that_is_killed_while_it_starts_leaves_the_terminal_as_it_was(
    after: float, open_terminal: Open
) -> None:
    screen = open_terminal("replay", RULED, "--step")
    time.sleep(after)
    screen.process.send_signal(signal.SIGTERM)
    assert screen.status() in (128 + signal.SIGTERM, -signal.SIGTERM)
    assert termios.tcgetattr(screen.ours)[:4] == screen.modes
    assert screen.seen.count("\x1b[?1049h") == screen.seen.count("\x1b[?1049l")
    assert "Traceback" not in screen.seen


def test_a_growing_log_is_told_as_text_where_nothing_can_be_drawn(tmp_path: Path) -> None:
    texts = Path(RULED).read_bytes().splitlines(keepends=True)
    log = tmp_path / "g.jsonl"
    log.write_bytes(b"".join(texts[:17]))
    running = subprocess.Popen(
        [*COMMAND, "replay", str(log), "--step", "--follow", "--from", "16"],
        env=environment(PYTHONUNBUFFERED="1"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdout is not None
    told = b""
    while b"Line 17 of 17" not in told:
        told += os.read(running.stdout.fileno(), 65536)
    assert b"Line 16 of 17" in told
    with log.open("ab") as file:
        file.write(texts[17])
    while b"Line 18 of 18" not in told:
        told += os.read(running.stdout.fileno(), 65536)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert b"must-play" in told + out
    assert b"Traceback" not in err


# ---- pipes, disks, locales ----


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (f"replay {RULED}", 1),
        (f"replay {CLEAN}", 0),
        (f"replay {CLEAN} --step", 0),
        (f"now {CLEAN}", 0),
        (f"audit {FIXTURES}", 1),
        (f"audit {FIXTURES} --format json", 1),
        (f"audit {CLEAN} --format csv", 0),
        (f"audit {RULED} --explain 13", 1),
        ("rules", 0),
    ],
)
def test_a_reader_that_stops_early_changes_no_status(command: str, status: int) -> None:
    result = shell(f"$BH99 {command} | true; echo ${{PIPESTATUS[0]}}")
    assert result.stdout == f"{status}\n".encode()
    assert b"Traceback" not in result.stderr
    assert b"Exception" not in result.stderr


def test_the_summary_is_written_though_nobody_reads_the_findings(tmp_path: Path) -> None:
    shell(f"$BH99 audit {FIXTURES} --summary {tmp_path}/s.json | true")
    assert len(json.loads((tmp_path / "s.json").read_text())["logs"]) > 20


@pytest.mark.parametrize("command", [f"replay {CLEAN}", f"audit {FIXTURES} --format csv", "rules", "--help"])
def test_a_full_disk_is_a_clear_line_and_status_2(command: str) -> None:
    result = shell(f"$BH99 {command} > /dev/full")
    assert result.returncode == 2
    assert result.stderr.endswith(b"the output can't be written: No space left on device\n")
    assert b"Traceback" not in result.stderr


def test_closed_streams_are_made_up_for() -> None:
    assert shell(f"$BH99 replay {RULED} >&-").returncode == 1
    quiet = shell(f"$BH99 audit none {RULED} --format json 2>&-")
    assert quiet.returncode == 2
    assert len(json.loads(quiet.stdout)) == 1
    full = shell(f"$BH99 audit none {RULED} --format json 2>/dev/full")
    assert full.returncode == 2
    assert len(json.loads(full.stdout)) == 1
    nothing = shell("$BH99 replay - <&-")
    assert nothing.returncode == 2
    assert nothing.stderr == b"-: the log is empty; expected a game_opened on line 1\n"


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}


@pytest.mark.parametrize("command", [["replay", RULED], ["replay", RULED, "--step"], ["audit", RULED], ["rules", "R6"]])
def test_a_terminal_without_unicode_gets_escapes(command: list[str]) -> None:
    result, usual = process(*command, **ASCII), process(*command)
    assert result.returncode == usual.returncode
    assert result.stdout.isascii()
    assert b"\\xb7" in result.stdout
    assert result.stdout.decode("unicode_escape") == usual.stdout.decode()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize("format", ["json", "jsonl", "csv", "html", "markdown"])
def test_what_programs_read_is_utf8_whatever_the_terminal_speaks(encoding: str, format: str, tmp_path: Path) -> None:
    text = Path(RULED).read_text("utf-8").replace('"Tom"', '"Zoë 李"')
    (tmp_path / "game.jsonl").write_text(text, "utf-8")
    explain = ["--explain", "13"] if format in ("html", "markdown") else []
    result = process("audit", f"{tmp_path}/game.jsonl", "--format", format, *explain, PYTHONIOENCODING=encoding)
    assert result.returncode == 1
    assert "Zoë 李" in result.stdout.decode("utf-8")


@pytest.mark.parametrize("more", [{"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}, {"TERM": ""}, {"COLUMNS": "20"}])
def test_output_is_the_same_plain_text_on_any_terminal(more: dict[str, str]) -> None:
    result, usual = process("replay", RULED, **more), process("replay", RULED)
    assert result.stdout == usual.stdout
    assert b"\x1b" not in process("--help", **more).stdout


def test_an_interrupt_ends_a_run_without_a_traceback() -> None:
    reading, writing = os.pipe()
    running = subprocess.Popen(
        [*COMMAND, "audit", "-"], env=environment(), stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    os.close(reading)
    os.write(writing, Path(CLEAN).read_bytes())
    # It waits for more once all is read; the pipe is drained only then.
    end = time.monotonic() + 20
    while int.from_bytes(fcntl.ioctl(writing, termios.FIONREAD, b"\0" * 4), "little"):
        assert time.monotonic() < end
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    os.close(writing)
    assert (running.returncode, out) == (130, b"")
    assert b"Traceback" not in err


def test_a_long_log_is_usable(tmp_path: Path) -> None:
    events = lines_of(CLEAN)
    load = {"type": "bong_loaded", "player": "Tom"}
    log = written(tmp_path / "long.jsonl", [*events[:-1], *[load] * 60_000])
    start = time.perf_counter()
    assert "of 50000: Tom loads" in bh99("replay", log, "--at", "50000").stdout
    assert bh99("replay", log, "--step", "--from", "60020").exit_code == 0
    assert bh99("audit", log).exit_code == 0
    assert time.perf_counter() - start < 8


# ---- help and completion ----


def examples() -> list[str]:
    """Every command line that a help text shows."""
    found = []
    for command in EVERY:
        text = bh99(command, "--help").stdout
        block = text.split("Examples:\n")[1].split("\n\n")[0]
        shown = [line.strip() for line in block.splitlines()]
        assert shown, command
        found += shown
    top = bh99("--help").stdout
    return found + re.findall(r"^ +(bh99 \S.*?)(?:  .*)?$", top, re.MULTILINE)


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """A folder that has what the examples speak of: a game of Ana's, two hands long, with a finding on line 39."""
    hands = {"Ana": [None] * 4, "Ben": [None] * 4}
    deal = {"type": "hand_dealt", "dealer": "Ben", "hands": hands, "stock": None}
    opened = {"type": "game_opened", "format": 1, "rules": "bong-hit-99", "players": ["Ana", "Ben"]}
    loads = [{"type": "bong_loaded", "player": "Ana"}] * 34
    won = {"type": "hand_won", "player": "Ana"}
    log = written(tmp_path / "game.jsonl", [opened, deal, {"type": "hand_voided", "reason": "late"}, deal, *loads, won])
    (tmp_path / "evenings").mkdir()
    subprocess.run(["gzip", "-k", log], check=True)
    (tmp_path / "evenings" / "one.jsonl").write_bytes(Path(log).read_bytes())
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "bh99").write_text(f"#!{COMMAND[0]}\n{COMMAND[2]}\n")
    (bin / "bh99").chmod(0o755)
    (tmp_path / "ours.toml").write_text('name = "ours"\nbase = "bong-hit-99"\nhand_size = 3\n')
    return tmp_path


@pytest.mark.parametrize("example", examples())
def test_an_example_of_a_help_text_runs(example: str, evening: Path) -> None:
    path = f"{evening}/bin:{os.environ['PATH']}"
    result = shell(f"cd {evening} && {example}", PATH=path)
    assert result.returncode == (0 if example.startswith(("bh99 rules", "bh99 rulesets")) else 1), result.stderr
    assert b"Error" not in result.stderr
    assert result.stdout or list(evening.glob("*.html")) + list(evening.glob("*.csv"))


@pytest.mark.parametrize("command", EVERY)
def test_h_is_help(command: str) -> None:
    assert bh99(command, "-h").stdout == bh99(command, "--help").stdout
    assert bh99(command, "-h").exit_code == 0


def test_bash_completion_is_printed_and_completes(evening: Path) -> None:
    path = f"{evening}/bin:{os.environ['PATH']}"
    shown = shell('eval "$(bh99 --show-completion bash)" && complete -p bh99', PATH=path)
    assert shown.returncode == 0
    assert b"_bh99_completion bh99" in shown.stdout
    asked = shell("bh99", PATH=path, _BH99_COMPLETE="complete_bash", COMP_WORDS="bh99 rep", COMP_CWORD="1")
    assert asked.stdout.split() == [b"replay"]


def test_the_version_is_the_package_s() -> None:
    from importlib.metadata import version

    assert bh99("--version").stdout == f"bh99 {version('bh99')}\n"


@pytest.mark.parametrize("slug", ["must-play", "MUST-PLAY", "r6", "R17"])
def test_a_rule_or_a_ruling_is_explained(slug: str) -> None:
    result = bh99("rules", slug)
    assert result.exit_code == 0
    assert result.stdout.lower().startswith(slug.lower() + " · ")


@pytest.mark.parametrize("slug", ["", "nothing", "\x1b[31m", "a\nb", "x" * 9999])
def test_an_unknown_rule_is_one_line_and_status_2(slug: str) -> None:
    result = bh99("rules", slug)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("there is no rule or ruling ")
    assert result.stderr.count("\n") == 1
