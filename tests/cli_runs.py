"""Running bh99 in a test: in this process where that shows it all, as a process of its own where it doesn't."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from cli.main import app

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
COMMAND = (sys.executable, "-c", "from cli.main import run; run()")
RULED = str(FIXTURES / "shown-two-of-spades.jsonl")
"""23 lines, one hand, one finding on line 13, ruled on line 19."""
CLEAN = str(FIXTURES / "one-hand.jsonl")
"""36 lines with all cards, one hand, no finding."""
STEERS = "\x1b[31m\x9b31m\x1b]0;x\x07\u202e\u2066\x00\x7f"
"""What a terminal or a reader would obey."""

OPENED: dict[str, Any] = {"type": "game_opened", "format": 1, "rules": "bong-hit-99", "players": ["Ann", "Bob"]}
LOAD = {"type": "bong_loaded", "player": "Ann"}
WON = {"type": "hand_won", "player": "Ann"}
"""Out of place wherever no hand is played: one finding."""


def bh99(*arguments: str, stdin: bytes | None = None) -> Result:
    """Run a command in this process; nothing but a SystemExit may come out of it."""
    result = CliRunner().invoke(app, list(arguments), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert shows_safely(result.stdout), result.stdout
    assert shows_safely(result.stderr), result.stderr
    return result


def environment(**more: str) -> dict[str, str]:
    ours = ("PYTHON", "LC_", "LANG", "COLUMNS", "LINES", "BH99_")  # the size is the terminal's, whoever runs the tests
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "PYTHONPATH": str(ROOT), "TERM": "dumb", **more}


def process(*arguments: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a process of its own, with these environment variables."""
    return subprocess.run(
        [*COMMAND, *arguments], env=environment(**more), stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )


def shell(script: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell script in which $BH99 is the command."""
    command = f"{sys.executable} -c 'from cli.main import run; run()'"
    script = script.replace("$BH99", command)
    return subprocess.run(["bash", "-c", script], env=environment(**more), capture_output=True, timeout=60)


def shows_safely(text: str) -> bool:
    """Whether nothing in a text steers a terminal."""
    return all(line.isprintable() for line in text.split("\n"))


def written(path: Path, events: Iterable[dict[str, Any]]) -> str:
    """A log file of these events; its name."""
    path.write_text("".join(json.dumps(event) + "\n" for event in events), "utf-8")
    return str(path)


def lines_of(log: str) -> list[dict[str, Any]]:
    """The events of a log file."""
    return [json.loads(line) for line in Path(log).read_text("utf-8").splitlines()]
