"""The scribe's prompt on a terminal: completion, the entries before, and what may come next below it."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory

from projections.printable import printable

if TYPE_CHECKING:
    from bh99.scribe.scribe import Scribe


class Words(Completer):
    """Completes the word before the cursor."""

    def __init__(self, scribe: "Scribe") -> None:
        self.scribe = scribe

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        from bh99.scribe.completing import completions

        text = document.text_before_cursor
        begun = text.rpartition(" ")[2]
        for word, meaning in completions(text, self.scribe.table):
            yield Completion(word, start_position=-len(begun), display_meta=meaning)


def prompts(scribe: "Scribe") -> Iterator[str]:
    """The entries as they are typed; control-D ends them, control-C begins the entry anew."""
    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(), completer=Words(scribe), complete_while_typing=False, enable_suspend=True
    )
    while True:
        try:
            text = session.prompt(_prompt(scribe), bottom_toolbar=lambda: _below(scribe))
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        yield from text.splitlines() or [""]  # several, if they were pasted


def _prompt(scribe: "Scribe") -> str:
    """`hand 2 · 24 · Ben to play> `."""
    from projections.transcript import status_of

    view = scribe.game.view_at(len(scribe.game))
    return printable(f"{f'hand {view.hand} · ' if view.hand else ''}{status_of(view).strip()}", None) + "> "


def _below(scribe: "Scribe") -> str:
    """What may come next, and who loads."""
    table = scribe.table
    parts = [option.text for option in scribe.expected[:3]]
    if table.loader is not None:
        parts.append(f"{table.loader} loads")
    return printable(" · ".join(parts), 200)
