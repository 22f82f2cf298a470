"""Where each value of a line of JSON stands. Slow (plain Python) and never recursive; used for error texts only."""

import re
from typing import Final, NoReturn

import msgspec

from projections.printable import printable


class Value(msgspec.Struct, frozen=True):
    """A value: its path (keys and indexes from the top), text (`{` or `[` of a container), kind and columns.

    Columns count characters from 1; `key_column` is that of the key before it, or its own in a list.
    """

    path: tuple[str | int, ...]
    raw: str
    kind: str
    column: int
    key_column: int


class NotJson(Exception):
    """A line isn't JSON, or has a key twice in an object. `closed`: its first object came to its end."""

    def __init__(self, message: str, column: int, field: str | None, closed: bool = False) -> None:
        super().__init__(message)
        self.message, self.column, self.field, self.closed = message, column, field, closed


_DEPTH: Final = 4
"""Values deeper than this are checked, but not listed."""

_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_TEXT: Final = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
_ESCAPE: Final = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|(?:u[0-9a-fA-F]{0,3})?\Z)')
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")
_WORD: Final = re.compile(r"[^\s\"{}\[\],:\x00-\x1f]+")
_KINDS: Final = {"true": "bool", "false": "bool", "null": "null"}


class _Level:
    """An object or a list that isn't closed yet."""

    __slots__ = ("key", "key_column", "keys", "mark")

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.key: str | int = 0
        self.key_column = 0
        self.keys: set[str] = set()


def places(text: str, any_word: bool = False) -> list[Value]:
    """All values of a line, the outermost first, down to a depth of four.

    Raises NotJson. With `any_word`, words such as NaN and keys that stand twice are let through within the object.
    """
    return _Places(text, any_word).values()


class _Places:
    def __init__(self, text: str, any_word: bool) -> None:
        self.text = text
        self.any_word = any_word
        self.place = 0
        self.levels: list[_Level] = []
        self.found: list[Value] = []

    def values(self) -> list[Value]:
        self.value("an event")
        while self.levels:
            level = self.levels[-1]
            close = "}" if level.mark == "{" else "]"
            if self.takes(close):
                self.levels.pop()
                continue
            first = not level.key_column
            if not first and not self.takes(","):
                self.refuse(f'"," or "{close}"')
            if level.mark == "{":
                self.key(level)
            else:
                level.key = int(level.key) + 1 if level.key_column else 0
                self.skip()
                level.key_column = self.place + 1
            self.value("a value")
        self.skip()
        if self.place < len(self.text):
            shown = printable(self.text[self.place :], 20)
            message = f"expected the end of the line after the event, got {shown}"
            raise NotJson(message, self.place + 1, None, closed=True)
        return self.found

    def skip(self) -> None:
        self.place = _BLANKS.match(self.text, self.place).end()  # type: ignore[union-attr]

    def takes(self, mark: str) -> bool:
        self.skip()
        if self.text.startswith(mark, self.place):
            self.place += 1
            return True
        return False

    def key(self, level: _Level) -> None:
        self.skip()
        level.key_column = self.place + 1
        level.key = 0
        key = str(msgspec.json.decode(self.string("a field's name in quotes")))
        twice = key in level.keys
        if len(self.levels) <= _DEPTH or twice:
            level.key = key
        level.keys.add(key)
        if twice and not self.any_word:
            field = self.field()
            message = f'"{printable(key)}" stands twice in one object; expected it once'
            raise NotJson(message, level.key_column, field)
        if not self.takes(":"):
            self.refuse('":"')

    def value(self, wanted: str) -> None:
        self.skip()
        column = self.place + 1
        mark = self.text[self.place : self.place + 1]
        if mark in ("{", "["):
            self.place += 1
            self.keep(mark, "object" if mark == "{" else "array", column)
            self.levels.append(_Level(mark))
        elif mark == '"':
            self.keep(self.string(wanted), "str", column)
        else:
            word = _WORD.match(self.text, self.place)
            if word is None:
                self.refuse(wanted)
            kind = _KINDS.get(word[0])
            if kind is None and _NUMBER.match(word[0]):
                kind = "int" if word[0].lstrip("-").isdecimal() else "float"
            if kind is None and not (self.any_word and self.levels):
                self.refuse(_wanted_by_a_number if _looks_like_a_number(word[0]) else wanted)
            self.place = word.end()
            self.keep(word[0], kind or "word", column)

    def keep(self, raw: str, kind: str, column: int) -> None:
        if len(self.levels) <= _DEPTH:
            path = tuple(level.key for level in self.levels)
            key_column = self.levels[-1].key_column if self.levels else column
            self.found.append(Value(path, raw, kind, column, key_column))

    def string(self, wanted: str) -> str:
        found = _TEXT.match(self.text, self.place)
        if found is None:
            if self.text.startswith('"', self.place):
                self.refuse_text()
            self.refuse(wanted)
        raw = found[0]
        if "\\u" in raw:
            try:
                msgspec.json.decode(raw)
            except msgspec.DecodeError:
                if not self.any_word:
                    message = f"expected whole characters, got half of an escaped pair: {printable(raw, 40)}"
                    raise NotJson(message, self.place + 1, self.field()) from None
                raw = '""'
        self.place = found.end()
        return raw

    def field(self) -> str | None:
        key = self.levels[0].key if self.levels else None
        return key if isinstance(key, str) else None

    def refuse(self, wanted: str) -> NoReturn:
        word = _WORD.match(self.text, self.place)
        shown = word[0] if word else self.text[self.place : self.place + 1]
        got = f"got {printable(shown, 40)}" if shown else "but the line ends here"
        raise NotJson(f"expected {wanted}, {got}", self.place + 1, self.field())

    def refuse_text(self) -> NoReturn:
        """For a text in quotes that isn't one: says at which character."""
        place = self.place + 1
        while True:
            char = self.text[place : place + 1]
            if not char or char == '"':
                message = "expected a quote that ends the text, but the line ends here"
                raise NotJson(message, min(place, len(self.text)) + 1, self.field())
            if char < " ":
                message = f"expected no raw control character in a text, got {printable(char)}"
                raise NotJson(message, place + 1, self.field())
            if char == "\\":
                escape = _ESCAPE.match(self.text, place)
                if escape is None:
                    message = f"expected an escape that JSON knows, got {printable(self.text[place : place + 6])}"
                    raise NotJson(message, place + 1, self.field())
                place = escape.end()
            else:
                place += 1


_wanted_by_a_number: Final = "a whole number"


def _looks_like_a_number(word: str) -> bool:
    return word[0] in "+-.0123456789" or word in ("NaN", "Infinity")


def what_stands(value: Value) -> str:
    """A value as it stands in the line, fit to show; in words if it holds others."""
    return {"{": "an object", "[": "a list"}.get(value.raw) or printable(value.raw, 44)
