"""What the replayer asks or shows over the table: a line of text, a choice, a page."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Input, Label, OptionList, Static

from projections.printable import printable

LONGEST_ANSWER = 500


class Dialog(ModalScreen[ScreenResultType]):
    """Something that is asked or shown over the table. It is closed once, however fast keys come."""

    AUTO_FOCUS = "*"
    closed = False

    def close(self, result: ScreenResultType | None) -> None:
        if not self.closed and self.is_current:
            self.closed = True
            self.dismiss(result)

    def action_close(self) -> None:
        self.close(None)


class Prompt(Dialog[str | None]):
    """Asks for a text on the last row; None if it is left with escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+c", "close", show=False)]

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self.question, self.value = question, printable(value, LONGEST_ANSWER)

    def compose(self) -> ComposeResult:
        with Horizontal(id="prompt"):
            yield Label(Content(self.question + " "))
            yield Input(self.value, compact=True, max_length=LONGEST_ANSWER, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.close(event.value.strip())


class Choice(Dialog[int | None]):
    """Asks for one of some texts; gives its place, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "close", show=False),
        Binding("j", "down", show=False),
        Binding("k", "up", show=False),
    ]

    def __init__(self, title: str, choices: list[str], chosen: int) -> None:
        super().__init__()
        self.heading, self.chosen = title, chosen
        self.choices = OptionList(*(Content(printable(choice)) for choice in choices), markup=False, compact=True)

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="choice", can_focus=False):
            yield Label(Content(self.heading))
            yield self.choices

    def on_mount(self) -> None:
        self.choices.highlighted = self.chosen

    def action_down(self) -> None:
        self.choices.action_cursor_down()

    def action_up(self) -> None:
        self.choices.action_cursor_up()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.close(event.option_index)


class TextPage(Dialog[None]):
    """A text to read, as long as it may be."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,x,enter,question_mark,f1,ctrl+c", "close", show=False),
        Binding("j", "scroll(1)", show=False),
        Binding("k", "scroll(-1)", show=False),
        Binding("space", "scroll(10)", show=False),
        Binding("b", "scroll(-10)", show=False),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        text = "\n".join(printable(line, None) for line in text.split("\n"))
        self.page = VerticalScroll(Static(Content(text)), id="page")

    def compose(self) -> ComposeResult:
        yield self.page
        yield Static(Content("↑ ↓ page up, page down · escape closes"), id="page-keys")

    def action_scroll(self, rows: int) -> None:
        self.page.scroll_relative(y=rows, animate=False)
