"""bh99 as a process: keys on a terminal, pipes that break, full disks, locales, interrupts, help and completion."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import CLEAN, COMMAND, FIXTURES, RULED, bh99, environment, lines_of, process, shell, written

PROMPT = "q quit"
EVERY = ["replay", "now", "audit", "rules"]


class Terminal:
    """bh99 on a pseudo-terminal; `press` gives the screen that a key leads to."""

    def __init__(self, *arguments: str, rows: int = 24, columns: int = 80) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(LC_ALL="C.UTF-8"),
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = ""

    def wait_for(self, words: str) -> str:
        """What is printed up to some words, without the codes that clear the screen."""
        end = time.monotonic() + 20
        while words not in self.seen:
            ready, _, _ = select.select([self.ours], [], [], end - time.monotonic())
            assert ready, f"{words!r} was never printed: {self.seen!r}"
            self.seen += os.read(self.ours, 65536).decode()
        screen, self.seen = self.seen.split(words, 1)
        return screen.rpartition("\x1b[3J")[2].replace("\r\n", "\n")

    def press(self, keys: str, wait: str = PROMPT) -> str:
        self.settle()
        os.write(self.ours, keys.encode())
        return self.wait_for(wait)

    def settle(self) -> None:
        """Wait until the process reads single keys: keys typed before that are thrown away by the terminal."""
        end = time.monotonic() + 20
        while termios.tcgetattr(self.ours)[3] & termios.ICANON:
            assert time.monotonic() < end, "no key was ever waited for"
            time.sleep(0.002)

    def status(self) -> int:
        with contextlib.suppress(OSError):  # the other end is closed
            while os.read(self.ours, 65536):
                pass
        return self.process.wait(20)


@pytest.fixture
def stepping() -> Iterator[Terminal]:
    terminal = Terminal("replay", RULED, "--step")
    yield terminal
    terminal.process.kill()
    terminal.process.wait()
    os.close(terminal.ours)


def line_of(screen: str) -> int:
    found = re.match(r"Line (\d+) of 23", screen)
    assert found, screen
    return int(found[1])


def test_keys_walk_through_a_game(stepping: Terminal) -> None:
    assert line_of(stepping.wait_for(PROMPT)) == 1
    for keys, line in [
        ("\r", 2),
        (" ", 3),
        ("\x1b[C", 4),
        ("\x1b[B", 5),
        ("\x1bOC", 6),
        ("b", 5),
        ("\x1b[D", 4),
        ("\x1b[A", 3),
        ("x", 3),
        ("   ", 6),
        (" b  ", 8),
        ("\x1b[C\x1b[C\x1b[D", 9),
        ("f", 13),
        ("f", 13),
        ("b" * 20, 1),
        ("b", 1),
        (" " * 30, 23),
        (" ", 23),
        ("f", 13),
    ]:
        assert line_of(stepping.press(keys)) == line, repr(keys)


def test_a_screen_shows_the_table_and_the_finding(stepping: Terminal) -> None:
    stepping.wait_for(PROMPT)
    screen = stepping.press("f")
    table = bh99("replay", RULED, "--at", "18").stdout
    assert "! line 13 · must-play (proved): Tom went out at 97" in screen
    assert "ruled on line 19" in screen
    assert "hand 1 · Tom dealt · Count 97" in screen
    assert "hand 1 · Tom dealt" in table


@pytest.mark.parametrize(("answer", "line"), [("20", 20), ("0", 1), ("99999", 23), ("abc", 1), ("", 1), ("-4", 1)])
def test_g_goes_to_a_line(stepping: Terminal, answer: str, line: int) -> None:
    stepping.wait_for(PROMPT)
    stepping.press("g", "line (1 to 23): ")
    os.write(stepping.ours, answer.encode() + b"\r")
    assert line_of(stepping.wait_for(PROMPT).rpartition("\x1b[3J")[2]) == line


@pytest.mark.parametrize("key", ["q", "Q", "\x1b", "\x03", "\x04"])
def test_q_escape_and_interrupt_quit_with_the_status_of_the_log(stepping: Terminal, key: str) -> None:
    stepping.wait_for(PROMPT)
    stepping.settle()
    os.write(stepping.ours, key.encode())
    assert stepping.status() == 1


def test_nothing_in_a_log_steers_the_screen(tmp_path: Path) -> None:
    events = lines_of(RULED)
    events[18]["text"] = "\x1b[2J\x9b2J\u202e"
    terminal = Terminal("replay", written(tmp_path / "g.jsonl", events), "--step", "--from", "19")
    screen = terminal.wait_for(PROMPT)
    assert "\\x1b[2J\\x9b2J\\u202e" in screen
    assert "\x1b" not in screen
    assert "\x9b" not in screen
    terminal.settle()
    os.write(terminal.ours, b"q")
    assert terminal.status() == 1
    os.close(terminal.ours)


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
    asked = shell("bh99", PATH=path, _BH99_COMPLETE="complete_bash", COMP_WORDS="bh99 re", COMP_CWORD="1")
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
