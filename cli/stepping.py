"""`bh99 replay --step`: the table after each line, and a key for the next."""

import re
import sys
from typing import TYPE_CHECKING

import typer

from cli.output import say

if TYPE_CHECKING:
    from projections.frames import Replay

KEYS = "enter/space next · b back · g line · f next finding · q quit"
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
_NEXT = ("\r", "\n", " ", "n", "j", "l", "\x1b[C", "\x1b[B", "\x1bOC", "\x1bOB")
_BACK = ("b", "p", "k", "h", "\x7f", "\x08", "\x1b[D", "\x1b[A", "\x1bOD", "\x1bOA")
_ONE_KEY = re.compile(r"\x1b[\[O][0-9;]*.|.", re.DOTALL)
_QUIT = ("q", "Q", "\x1b", "\x03", "\x04", "")


class _Frames:
    """What each step shows: the table after a line, and the findings on it, or (a seat's view) those known by then."""

    def __init__(self, game: "Replay", findings_known_then: bool) -> None:
        self.game = game
        self.findings = game.audit_at(len(game)).findings
        self.known_then = findings_known_then

    def text(self, line: int) -> str:
        from projections.transcript import frame_text

        if self.known_then:
            return frame_text(self.game, line, self.game.news_at(line))
        return frame_text(self.game, line, [finding for finding in self.findings if finding.line == line])

    def next_finding(self, line: int) -> int | None:
        """The next line that shows a finding, from the first line on if there is none behind."""
        if self.known_then:
            order = [*range(line + 1, len(self.game) + 1), *range(1, line)]
            return next((each for each in order if self.game.news_at(each)), None)
        lines = [finding.line for finding in self.findings]
        return next((each for each in lines if each > line), lines[0] if lines else None)


def step_through(game: "Replay", start: int, findings_known_then: bool = False) -> None:
    """On a terminal a key a step; else every step as text."""
    frames = _Frames(game, findings_known_then)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        for each in range(start, len(game) + 1):
            say(frames.text(each) + "\n")
        return
    line: int | None = min(start, len(game))
    hint = ""
    while line is not None:
        print(_CLEAR, end="")
        say(_fitted(frames.text(line)))
        print(f"\n{hint}{KEYS}", flush=True)
        hint = ""
        for key in _keys():
            there = _after_key(frames, line, key)
            if there is None:
                print()
                return
            hint = _why_here(frames, key) if there == line else ""
            line = there


def _fitted(text: str) -> str:
    """The text with lines broken at words to the width of the terminal."""
    import shutil
    import textwrap

    width = max(shutil.get_terminal_size().columns, 20)
    lines = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        lines += textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return "\n".join(lines)


def _why_here(frames: _Frames, key: str) -> str:
    """Why a key led nowhere."""
    if key in _NEXT:
        return "that was the last line · "
    if key in _BACK:
        return "this is the first line · "
    return "no other finding · " if key == "f" else ""


def _keys() -> list[str]:
    """The next keys: several if they were typed faster than they were read."""
    try:
        return _ONE_KEY.findall(typer.getchar()) or [""]
    except (KeyboardInterrupt, EOFError):
        return [""]


def _after_key(frames: _Frames, line: int, key: str) -> int | None:
    """The line to show next, or None to quit."""
    if key in _QUIT:
        return None
    if key in _NEXT:
        return min(line + 1, len(frames.game))
    if key in _BACK:
        return max(line - 1, 1)
    if key == "f":
        return frames.next_finding(line) or line
    if key == "g":
        return _asked_line(frames.game, line)
    return line


def _asked_line(game: "Replay", line: int) -> int:
    try:
        answer = input(f"line (1 to {len(game)}): ")
    except (KeyboardInterrupt, EOFError):
        return line
    return min(max(int(answer), 1), len(game)) if answer.strip().isdecimal() else line
