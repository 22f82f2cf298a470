"""What the replayer asks or shows over the table: a line of text, a choice, a page."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Input, Label, OptionList, Static

from projections.printable import printable


class Dialog(ModalScreen[ScreenResultType]):
    """Something that is asked or shown over the table."""

    AUTO_FOCUS = "*"


class Prompt(Dialog[str | None]):
    """Asks for a text on the last row; None if it is left with escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+c", "dismiss(None)", show=False)]

    def __init__(self, question: str, value: str = "", max_length: int = 500) -> None:
        super().__init__()
        self.question, self.value, self.max_length = question, value, max_length

    def compose(self) -> ComposeResult:
        with Horizontal(id="prompt"):
            yield Label(Content(self.question + " "))
            yield Input(self.value, compact=True, max_length=self.max_length, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())


class Choice(Dialog[int | None]):
    """Asks for one of some texts; gives its place, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "dismiss(None)", show=False),
        Binding("j", "down", show=False),
        Binding("k", "up", show=False),
    ]

    def __init__(self, title: str, choices: list[str], chosen: int) -> None:
        super().__init__()
        self.heading, self.choices, self.chosen = title, choices, chosen

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="choice", can_focus=False):
            yield Label(Content(self.heading))
            yield OptionList(*[Content(printable(choice)) for choice in self.choices], markup=False, compact=True)

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = self.chosen

    def action_down(self) -> None:
        self.query_one(OptionList).action_cursor_down()

    def action_up(self) -> None:
        self.query_one(OptionList).action_cursor_up()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)


class Page(Dialog[None]):
    """A text to read, as long as it may be."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,x,enter,question_mark,f1,ctrl+c", "dismiss(None)", show=False),
        Binding("j", "scroll(1)", show=False),
        Binding("k", "scroll(-1)", show=False),
        Binding("space", "scroll(10)", show=False),
        Binding("b", "scroll(-10)", show=False),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = "\n".join(printable(line, None) for line in text.split("\n"))

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(Content(self.text))
        yield Static(Content("↑ ↓ page up, page down · escape closes"), id="page-keys")

    def action_scroll(self, rows: int) -> None:
        self.query_one("#page").scroll_relative(y=rows, animate=False)
