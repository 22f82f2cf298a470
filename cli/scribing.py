"""What the scribe's screen says: the lines that an entry wrote, warnings, help, and how to go on."""

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from cli.output import complain, say
from domain.cards import counted

if TYPE_CHECKING:
    from bh99.scribe.scribe import Scribe, Written

WIDTH: Final = 79
BESIDE: Final = 32
"""The column where it is said what an entry does."""
WHAT_NOW: Final = "go on to keep it as it happened · undo takes it back · ruling TEXT is the table's decision"


def greet(scribe: "Scribe") -> None:
    """Where it is written, who plays what, and where the game stands."""
    opened, lines = scribe.game.opened, len(scribe.game)
    rules = opened.rules if isinstance(opened.rules, str) else opened.rules.get("name")
    say(f"{scribe.keeper.name}: {', '.join(scribe.table.seats)} play {rules}")
    if lines > 1:
        say(f"{counted(lines, 'line')} are kept; the last ones:")
        for line in range(max(2, lines - 2), lines + 1):
            _tell(scribe, line)
    elif scribe.first_dealer is not None:
        say(f"{scribe.first_dealer} deals first.")
    say("help says what can be typed, enter does what must come next, quit leaves.")


def take_down(scribe: "Scribe", text: str, number: int | None) -> bool:
    """Write an entry down and show what it wrote; whether it was understood. `number`: its line where it is piped in.

    Raises Bh99Error if it can't be kept.
    """
    from bh99.scribe.completing import SPOKEN
    from bh99.scribe.entry import Misread

    said = text.strip()
    if number is not None and not said:
        return True  # a blank line in a file says nothing
    if said in SPOKEN:
        _answer(scribe, said)
        return True
    try:
        written = scribe.enter(text)
    except Misread as wrong:
        complain(f"  ? {wrong}" if number is None else f"standard input:{number}: {wrong}")
        return False
    _show(scribe, written, "#" in text)
    return True


def _answer(scribe: "Scribe", word: str) -> None:
    """What is said to the program, and not written down."""
    if word == "help":
        say(help_text())
    elif word == "table":
        from projections.transcript import frame_text

        say(frame_text(scribe.game, len(scribe.game)))


def _show(scribe: "Scribe", written: "Written", noted: bool) -> None:
    from projections.drawing import finding_lines

    for line in written.lines:
        _tell(scribe, line)
    if written.standing is not None:
        note = "; a note can't be added to it any more" if noted else ""
        say(f"       (that stands there already, on line {written.standing}{note})")
    if written.left_out is not None:
        say(f"       (this log leaves {written.left_out} out: it counts as done where the rules call for it)")
    news = scribe.news()
    for finding in news:
        for text in finding_lines(finding):
            say("       " + text)
    if news:
        say("       " + WHAT_NOW)


def _tell(scribe: "Scribe", line: int) -> None:
    from projections.transcript import told_line

    say(told_line(scribe.game.frame_at(line)))


def part(scribe: "Scribe") -> None:
    """What is kept, and how to go on."""
    found = len(scribe.findings)
    name = scribe.keeper.name
    findings = counted(found, "finding") if found else "no finding"
    complain(f"{name}: {counted(len(scribe.game), 'line')}, {findings}")
    if not scribe.closed:
        complain(f"bh99 record {name} goes on with it; bh99 audit {name} judges it")


def help_text() -> str:
    """All that can be typed, on 80 columns."""
    from bh99.scribe.words import word_list

    entries = [
        ("enter (piped in: .)", "what must come next, if there is but one thing"),
        *word_list(),
        ("help, table, quit", "this list; the table as it stands; leave, and go on another time"),
    ]
    notes = (
        "Who is to play, answer, draw or deal needn't be named: 7h is played by whose turn it is, ben 7h by Ben. A few "
        "letters of a name are enough. +11 or -10 is what a card was chosen to count, =-4 a Count below zero, ? a card "
        "or a Count that nobody noted. ! at the end: nothing follows by itself. # begins a note on the entry."
    )
    return "\n".join([*(line for entry in entries for line in _told_of(*entry)), "", *wrap(notes, WIDTH)])


def _told_of(typed: str, does: str) -> list[str]:
    """An entry and what it writes down, below it where it is too long to stand beside it."""
    lines = wrap(does, initial_indent=" " * BESIDE, subsequent_indent=" " * BESIDE, width=WIDTH)
    beside = f"  {typed:<{BESIDE - 2}}"
    return [beside + lines[0][BESIDE:], *lines[1:]] if len(beside) <= BESIDE else [beside, *lines]
