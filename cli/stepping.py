"""`bh99 replay --step`: the table after each line, and a key for the next."""

import re
import sys
from typing import TYPE_CHECKING

import typer

from cli.output import say

if TYPE_CHECKING:
    from projections.audit import Finding
    from projections.frames import Replay

KEYS = "enter/space next · b back · g line · f next finding · q quit"
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
_NEXT = ("\r", "\n", " ", "n", "j", "l", "\x1b[C", "\x1b[B", "\x1bOC", "\x1bOB")
_BACK = ("b", "p", "k", "h", "\x7f", "\x08", "\x1b[D", "\x1b[A", "\x1bOD", "\x1bOA")
_ONE_KEY = re.compile(r"\x1b[\[O][0-9;]*.|.", re.DOTALL)
_QUIT = ("q", "Q", "\x1b", "\x03", "\x04", "")


def step_through(game: "Replay", start: int) -> None:
    """On a terminal a key a step; else every step as text."""
    from projections.transcript import frame_text

    findings = game.audit_at(len(game)).findings
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        for each in range(start, len(game) + 1):
            say(frame_text(game, each, findings) + "\n")
        return
    line: int | None = min(start, len(game))
    while line is not None:
        print(_CLEAR, end="")
        say(frame_text(game, line, findings))
        print(f"\n{KEYS}", flush=True)
        for key in _keys():
            line = _after_key(game, findings, line, key)
            if line is None:
                break


def _keys() -> list[str]:
    """The next keys: several if they were typed faster than they were read."""
    try:
        return _ONE_KEY.findall(typer.getchar()) or [""]
    except (KeyboardInterrupt, EOFError):
        return [""]


def _after_key(game: "Replay", findings: list["Finding"], line: int, key: str) -> int | None:
    """The line to show next, or None to quit."""
    if key in _QUIT:
        return None
    if key in _NEXT:
        return min(line + 1, len(game))
    if key in _BACK:
        return max(line - 1, 1)
    if key == "f":
        later = [finding.line for finding in findings if finding.line > line]
        return later[0] if later else findings[0].line if findings else line
    if key == "g":
        return _asked_line(game, line)
    return line


def _asked_line(game: "Replay", line: int) -> int:
    try:
        answer = input(f"line (1 to {len(game)}): ")
    except (KeyboardInterrupt, EOFError):
        return line
    return min(max(int(answer), 1), len(game)) if answer.strip().isdecimal() else line
