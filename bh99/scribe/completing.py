"""What may complete the word that is being typed: words of the shorthand, players, cards."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from bh99.scribe.words import BY_NAME, WORDS
from domain.table import Table

AFTER_WORD: dict[str, tuple[str, ...]] = {
    "out": ("blowback", "deathcard"),
    "leisure": ("finished",),
    "fixed": ("drew", "returned"),
    "paid": ("border", "exact"),
    "undo": ("player",),
    "took": ("bonus",),
    "carried": ("bonus",),
    "gave": ("bonus",),
    "slid": ("bonus",),
}
"""Words that may stand behind a word."""
LEAVING: Final = ("quit", "q", "exit")
SPOKEN: Final = ("help", "table", *LEAVING)
"""What is said to the program, and not written down."""


class Completion(NamedTuple):
    """A word that may be meant, and what it is."""

    word: str
    meaning: str


def completions(text: str, table: Table) -> Iterator[Completion]:
    """What the last word of an unfinished entry may become; the most likely first."""
    *before, begun = text.split(" ")
    heads = [BY_NAME.get(word.casefold(), word.casefold()) for word in before if word]
    begun = begun.removeprefix('"').casefold()
    for word, meaning in _candidates(heads, table):
        if word.casefold().startswith(begun) and word.casefold() != begun:
            yield Completion(f'"{word}"' if " " in word else word, meaning)


def _candidates(heads: list[str], table: Table) -> Iterator[tuple[str, str]]:
    said = next((word for word in WORDS if heads and word.word == heads[-1]), None)
    if not any(word.word in heads for word in WORDS):
        yield from ((word.word, word.does) for word in WORDS)
        if not heads:
            yield from ((word, "said to the program") for word in SPOKEN)
    for word in WORDS:
        if word.word in heads:
            yield from ((more, "") for more in AFTER_WORD.get(word.word, ()))
    for name in table.names:
        yield name, "out" if name in table.outs else ""
    if said is None or said.word in ("show", "draw", "fixed", "slid"):
        yield from ((card.lower(), "") for card in table.deck if not table.in_the_open(card))
