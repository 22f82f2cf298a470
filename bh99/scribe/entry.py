"""One entry of the shorthand, read word by word at the table as it stands."""

import re
from collections.abc import Sequence
from typing import Final

from bh99.scribe.words import BY_NAME
from domain import events as ev
from domain.cards import Card, SeenCard, card_named
from domain.table import Table

ARROWS: Final = ("->", "→", "to", "at", "says")
"""Words that may stand between others, and mean nothing."""
LONGEST_TEXT: Final = 300
"""Characters of what is said of an entry that isn't understood."""
UNSEEN: Final = "?"
JUST_THIS: Final = "!"
"""At the end of an entry: nothing follows by itself."""
_WORD: Final = re.compile(r'"[^"]*"|\S+')
_NUMBER: Final = re.compile(r"=?-?[0-9]{1,9}", re.ASCII)
_VALUE: Final = re.compile(r"[+-][0-9]{1,9}", re.ASCII)


class Word(str):
    """A word of an entry, without quotes, with the entry and its place there."""

    __slots__ = ("entry", "place")
    entry: str
    place: int

    def __new__(cls, word: str, entry: str, place: int) -> "Word":
        made = super().__new__(cls, word[1:-1] if word[0] == word[-1] == '"' and len(word) > 1 else word)
        made.entry, made.place = entry, place
        return made


class Misread(Exception):
    """An entry that can't be understood; nothing was written. The text says what was expected."""

    def __init__(self, text: str) -> None:
        super().__init__(text if len(text) <= LONGEST_TEXT else f"{text[:40]} … {text[-LONGEST_TEXT + 43 :]}")


def words_of(text: str) -> list[str]:
    """The words of an entry; names with spaces stand in quotes. Raises Misread."""
    if text.count('"') % 2 and any(word.startswith('"') for word in text.split()):
        raise Misread("a quotation mark is never closed")
    return [Word(found[0], text, found.start()) for found in _WORD.finditer(text)]


def parted(text: str) -> tuple[str, str | None]:
    """An entry, and the note on it that `#` begins, if it has one."""
    quoted = False
    for at, sign in enumerate(text):
        quoted ^= sign == '"'
        if sign == "#" and not quoted:
            return text[:at], text[at + 1 :].strip() or None
    return text, None


def name_meant(word: str, names: Sequence[str]) -> str | None:
    """The name that a word means: exactly, but for capitals, or by its first letters. Raises Misread for several."""
    if word in names:
        return word
    small = word.casefold()
    alike = [name for name in names if name.casefold() == small]
    alike = alike or [name for name in names if name.casefold().startswith(small)]
    if len(alike) > 1:
        raise Misread(f"{word} may be {' or '.join(alike)}")
    return alike[0] if alike else None


class Entry:
    """The words of an entry that are still to be read, and the table that they are about."""

    def __init__(self, words: Sequence[str], table: Table) -> None:
        """`words`: as they were typed. Who acts may stand first."""
        self.words = list(words)
        self.table = table
        self.names = table.names
        """Who may be meant."""
        self.subject: str | None = None
        """Who the entry says it is about, if it begins with a name."""
        if len(self.words) > 1 and self._is_name(self.words[0]):
            self.subject = self.name()

    def _is_name(self, word: str) -> bool:
        if word in self.names:
            return True
        if word.casefold() in BY_NAME or card_named(word) is not None or _NUMBER.fullmatch(word):
            return False
        return name_meant(word, self.names) is not None

    # ---- one word after the other ----

    def next(self) -> str | None:
        """The next word that means something; it stays there."""
        at = self._place()
        return self.words[at] if at < len(self.words) else None

    def take(self) -> str:
        """Read that word."""
        at = self._place()
        word = str(self.words[at])
        del self.words[: at + 1]
        return word

    def _place(self) -> int:
        at = 0
        while at + 1 < len(self.words) and self.words[at].casefold() in ARROWS and self.words[at] not in self.names:
            at += 1
        return at

    def has(self, *words: str) -> bool:
        """Whether one of these comes next; then it is read."""
        word = self.next()
        if word is None or word.casefold() not in words:
            return False
        self.take()
        return True

    def name(self) -> str | None:
        """The player who is named next, if one is. Raises Misread for a name that may be several players'."""
        word = self.next()
        if word is None or not self._is_name(word):
            return None
        return name_meant(self.take(), self.names)

    def who(self, default: str | None, example: str) -> str:
        """Whom the entry is about: the subject, the player named next, or the default. Raises Misread for nobody."""
        who = self.subject or self.name() or default
        if who is None:
            raise self._not_understood(f"whose? say {example}")
        return who

    def card(self) -> SeenCard:
        """The card that comes next; None for `?`, one that nobody saw. Raises Misread."""
        word = self.next()
        card = card_named(word) if word is not None else None
        if word is None or (card is None and word != UNSEEN):
            raise self._not_understood("expected a card such as 7h, 10d or ?")
        self.take()
        return card

    def cards(self) -> list[SeenCard]:
        """The cards that come next, as many as there are; `?` is one that nobody saw."""
        found: list[SeenCard] = []
        while self.is_card():
            found.append(self.card())
        return found

    def seen_cards(self, example: str) -> list[Card]:
        """The cards that come next, all of which were seen. Raises Misread."""
        found = self.cards()
        if not found or None in found:
            raise Misread(f"which cards? say {example}")
        return [card for card in found if card is not None]

    def is_card(self) -> bool:
        """Whether a card comes next, and no player whose name looks like one."""
        word = self.next()
        return word is not None and (word == UNSEEN or (card_named(word) is not None and word not in self.names))

    def value(self) -> int | None:
        """`+11` or `-10`, what a card was chosen to count, if it comes next."""
        word = self.next()
        if word is None or not _VALUE.fullmatch(word):
            return None
        return int(self.take())

    def number(self) -> int | None:
        """The number that comes next, if one does; `=-4` for one below zero."""
        word = self.next()
        if word is None or not _NUMBER.fullmatch(word):
            return None
        return int(self.take().removeprefix("="))

    def prize(self) -> ev.PrizeName:
        """`bonus` if that comes next, else the main prize."""
        return "bonus" if self.has("bonus") else "main"

    def rest(self) -> str:
        """All that is left, as it was typed."""
        first, last = self.words[0] if self.words else "", self.words[-1] if self.words else ""
        text = first.entry[first.place :].strip() if isinstance(first, Word) else " ".join(self.words)
        if text.endswith(JUST_THIS) and not last.endswith(JUST_THIS):
            text = text[: -len(JUST_THIS)].rstrip()
        self.words = []
        return text

    def end(self) -> None:
        """Raises Misread if anything is left."""
        if self.words:
            raise Misread(f"{' '.join(self.words)}: this isn't understood here")

    def _not_understood(self, expected: str) -> Misread:
        return Misread(f"{self.words[0]}: {expected}" if self.words else expected)
