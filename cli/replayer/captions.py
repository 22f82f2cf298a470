"""The rows of text round the panels: what is looked at, where we are, how far the log was read."""

from rich.cells import cell_len
from rich.text import Text

from bh99.errors import Bh99Error, LogUnreadable
from bh99.walks import Walk
from cli.replayer.pictures import short
from projections.frames import Frame
from projections.printable import printable
from projections.transcript import status_of

HINT = "space next · b back · f finding · / search · s seat · x explain · ? keys"
LONGEST_SEAT = 24
"""Cells that the name of a seat may take in the heading."""
LINES_NAMED = 12
"""Lines of findings that are named; the others are counted."""


def heading(walk: Walk, frame: Frame, width: int) -> Text:
    """Whose eyes see it, the log, the hand, the Count and who is to act."""
    seat = "" if walk.seat is None else f"as {short(walk.seat, LONGEST_SEAT)} sees it · "
    hand = f"hand {frame.view.hand}" if frame.view.hand else "before the first hand"
    tail = f" · {hand} · {status_of(frame.view)}"
    return Text(seat + short_end(walk.log.name, max(8, width - 2 - cell_len(seat + tail))) + tail)


def short_end(name: str, room: int) -> str:
    """The end of a name that fits into some cells; `…` stands for what comes before it."""
    name = printable(name, None)
    while cell_len(name) > room:
        name = "…" + name[2:]
    return name


def place(walk: Walk, line: int, last: int, going_to: str | None, speed: int, trouble: Bh99Error | None) -> Text:
    """Where we are in the log, how far it was read, and what was found in it up to a last line."""
    parts = [f"line {line} of {len(walk.whole)}"]
    if not walk.read_through:
        parts.append("reading")
    elif walk.done < 1:
        parts.append(f"{int(100 * walk.done)} % judged")
    if going_to is not None:
        parts.append(f"going to {going_to}")
    if speed:
        parts.append(f"playing, speed {speed}")
    if walk.follow:
        parts.append("following")
    if trouble is not None:
        parts.append(f"waiting: {_in_short(trouble)}")
    return Text(" · ".join([*parts, _found(walk.game.lines_found(last))]))


def _in_short(trouble: Bh99Error) -> str:
    """What is wrong with the log, which is named above."""
    if isinstance(trouble, LogUnreadable):
        problem = trouble.problems[0]
        return problem.message if problem.line is None else f"line {problem.line}: {problem.message}"
    return "it was rewritten"


def _found(lines: list[int]) -> str:
    if len(lines) < 2:
        return f"a finding on line {lines[0]}" if lines else "no finding"
    named = ", ".join(map(str, lines[:LINES_NAMED])) + (" …" if len(lines) > LINES_NAMED else "")
    return f"findings on {len(lines)} lines: {named}"
