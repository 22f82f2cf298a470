"""The panels of the replayer. Each draws itself anew from what it was given last."""

from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from cli.replayer.pictures import bar_line, bar_picture, story_picture, table_picture
from domain.rulebook import RULES
from projections.drawing import lines_named
from projections.finding import Finding
from projections.frames import Frame, Replay
from projections.printable import printable

INKS = (
    *("clubs", "diamonds", "hearts", "spades", "back", "count", "acts", "name", "out", "prize", "finding"),
    *("told", "here", "later", "undone", "bar-odd", "bar-even", "bar-unread"),
)


LONGEST_COMMENT = 150
LONGEST_SENTENCE = 500
"""Characters that a comment and a line of evidence may take below the table; x shows a sentence whole."""


class GoTo(Message):
    """Somebody pointed at a line."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


class Panel(Widget):
    """A part of the screen that draws lines of text in the inks of the theme."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"ink--{name}" for name in INKS}
    can_focus = False

    def __init__(self, *, id: str) -> None:
        self.inks: dict[str, Style] = {}
        super().__init__(id=id)

    def ink(self, name: str) -> Style:
        """The style of a name (replayer.tcss)."""
        if name not in self.inks:
            self.inks[name] = self.get_component_rich_style(f"ink--{name}", partial=True)
        return self.inks[name]

    def notify_style_update(self) -> None:
        self.inks.clear()
        super().notify_style_update()


class TablePanel(Panel):
    """The table after the line."""

    frame: Frame | None = None

    def show(self, frame: Frame) -> None:
        self.frame = frame
        self.refresh()

    def render(self) -> Text:
        if self.frame is None:
            return Text()
        width, height = self.content_size
        return Text("\n").join(table_picture(self.frame, width, height, self.ink))


class LogPanel(Panel):
    """The log in sentences, around the line."""

    game: Replay | None = None

    def show(self, game: Replay, line: int, last: int, marked: list[int]) -> None:
        """`last`: nothing behind this line is told."""
        self.game, self.line, self.last, self.marked = game, line, last, set(marked)
        self.refresh()

    def render(self) -> Text:
        if self.game is None:
            return Text()
        width, height = self.content_size
        story = story_picture(self.game, self.line, self.marked, self.last, width, height, self.ink)
        self.lines = story.lines
        return Text("\n").join(story.rows)

    def on_click(self, click: events.Click) -> None:
        place = click.get_content_offset(self)
        if place is not None and self.game is not None and place.y < len(self.lines):
            self.post_message(GoTo(self.lines[place.y]))


class Bar(Panel):
    """The whole log as one row."""

    game: Replay | None = None

    def show(self, game: Replay, line: int, last: int, lines: int, marked: list[int]) -> None:
        """`last`: nothing behind this line is shown. `lines`: how many there are."""
        self.game, self.line, self.last, self.lines, self.marked = game, line, last, lines, marked
        self.refresh()

    def render(self) -> Text:
        if self.game is None:
            return Text()
        width = self.content_size.width
        return bar_picture(self.game, self.line, self.last, self.lines, self.marked, width, self.ink)

    def on_click(self, click: events.Click) -> None:
        place = click.get_content_offset(self)
        if place is not None and self.game is not None:
            found = self.game.lines_found(self.last)
            self.post_message(GoTo(bar_line(place.x, self.content_size.width, self.lines, found)))


class Evidence(Option):
    """A line that a finding rests on; `>` stands before the one that Enter goes to."""

    def __init__(self, text: str, line: int) -> None:
        super().__init__(self.pointed(text, False))
        self.text, self.line, self.chosen = text, line, False

    @staticmethod
    def pointed(text: str, chosen: bool) -> Content:
        return Content.assemble("> " if chosen else "  ", (text, "underline"))


class FindingPanel(OptionList):
    """The findings on the line, with their evidence to choose from, and what may come next."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False, compact=True)
        self.shown: object = None

    def on_focus(self) -> None:
        self.action_first()
        self._point_at(self.highlighted)

    def on_blur(self) -> None:
        self._point_at(None)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self.has_focus:
            self._point_at(event.option_index)

    def _point_at(self, place: int | None) -> None:
        """Colours alone don't tell which line is chosen."""
        for at, option in enumerate(self.options):
            if isinstance(option, Evidence) and option.chosen != (at == place):
                option.chosen = at == place
                self.replace_option_prompt_at_index(at, option.pointed(option.text, option.chosen))

    def show(self, game: Replay, frame: Frame, comment: str | None) -> None:
        if self.shown == (what := (game, frame.findings, frame.view.expected, comment)):
            return  # somebody may be choosing from it, while the log is read on
        self.shown = what
        options = []
        if comment is not None:
            options.append(_text(f"* {comment}" if comment else "* marked", "mark", LONGEST_COMMENT))
        for finding in frame.findings:
            options += _finding(game, finding)
        options += [_text(f"next: {option.text}", "next") for option in frame.view.expected]
        if not frame.view.expected:
            options.append(_text("nothing is awaited", "next"))
        for rule in dict.fromkeys(finding.rule for finding in frame.findings):
            options.append(_text(f"{rule}: {RULES[rule].sentence}", "told"))
        self.clear_options()
        self.add_options(options)
        self.scroll_home(animate=False)
        self.can_focus = any(isinstance(option, Evidence) for option in options)


def _finding(game: Replay, finding: Finding) -> list[Option]:
    """A finding: what happened, what was allowed, the evidence, the ruling, the rule."""
    ruled = f", ruled on {lines_named([finding.ruled])}" if finding.ruled is not None else ""
    head = f"! line {finding.line} · {finding.rule} ({finding.certainty}{ruled}): {finding.message}"
    options = [_text(head, "finding")]
    if finding.expected:
        options.append(_text("  allowed: " + "; or ".join(option.text for option in finding.expected), "told"))
    there = [*finding.evidence, *([finding.ruled] if finding.ruled is not None else [])]
    for line in there:
        what = "ruling" if line == finding.ruled else "evidence"
        sentence = printable(game.sentence_at(line), LONGEST_SENTENCE)
        options.append(Evidence(f"{what}, line {line}: {sentence}", line))
    return options


def _text(text: str, kind: str, limit: int | None = None) -> Option:
    style = {"finding": "bold $text-error", "mark": "bold", "next": "$text-accent"}.get(kind, "")
    return Option(Content.styled(printable(text, limit), style), disabled=True)
