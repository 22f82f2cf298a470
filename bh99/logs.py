"""Reading logs (docs/log-format.md): every line is checked, and all bad lines are named in one run.

`for events in open_log("game.jsonl").batches()` gives the events in order.
"""

import re
from collections.abc import Callable, Iterator
from typing import IO, Any, Final

import msgspec

from bh99 import log_checks
from bh99.errors import LogUnreadable, Problem
from bh99.log_files import DamagedFile, LineTooLong, growing_texts, grows, logs_in, opener, texts
from bh99.log_reading import BLANKS, MARK, MOST_PROBLEMS, Reading, event_or_none
from domain.events import AnyEvent, GameOpened, TakenBack
from domain.reading_rules import UnknownRules, as_plain
from domain.rule_sets import RuleSet
from domain.shipped_rules import rules_of

__all__ = ["Log", "logs_in", "open_log"]

_ESCAPED_ASCII: Final = re.compile(rb"\\u00[2-7]")


def open_log(path: str, rules: RuleSet | None = None) -> "Log":
    """The log in a file (`.jsonl`, or gzip by its content), or in standard input if the path is "-".

    `rules`: what it is judged by, instead of the rules that it names.
    Raises LogUnreadable for a missing file, a folder, an empty file, or one that may not be read.
    """
    return Log(path, opener(path), rules)


class Log:
    """A log that can be read again and again.

    name: how the user named it.
    notes: what was passed over, in words ("a byte-order mark was skipped"); complete once the log was read through.
    judged_otherwise: the name of the log's own rules, where it was judged by others; known once it was read.
    incomplete: whether the last line is cut off; known once the log was read through.
    beside: the path that files which belong to the log begin with.
    """

    def __init__(
        self,
        name: str,
        opened: Callable[[], IO[bytes]],
        rules: RuleSet | None = None,
        *,
        beside: str | None = None,
        unreadable: type[LogUnreadable] = LogUnreadable,
    ) -> None:
        """`unreadable`: what is raised if it can't be read."""
        self.name = name
        self._unreadable = unreadable
        self.beside = name if beside is None else beside
        self.rules = rules
        self.notes: list[str] = []
        self.incomplete = False
        self.judged_otherwise: str | None = None
        self._open = opened
        self._opened: GameOpened | None = None

    @property
    def opened(self) -> GameOpened:
        """The first event; only the log's beginning is read. Raises LogUnreadable with all bad lines if it is one."""
        if self._opened is None:
            with self._open() as file:
                first = Reading(self.name, self.rules is not None).first_event(file)
                self._opened = first and self._judged_by(first)
        if self._opened is None:
            for _ in self.batches():
                pass
        assert self._opened is not None
        return self._opened

    def batches(self) -> Iterator[list[AnyEvent]]:
        """The events in order, in lists of about 256 KiB of text each.

        Raises LogUnreadable when all bad lines are known (the first 20); after a bad line no list is given any more.
        """
        reading = Reading(self.name, self.rules is not None)
        with self._open() as file:
            yield from self._told_of(reading, reading.batches(texts(file)))

    def events(self) -> list[AnyEvent]:
        """All events, in order. Raises LogUnreadable."""
        return [event for batch in self.batches() for event in batch]

    def with_lines(self) -> Iterator[tuple[list[AnyEvent], list[bytes]]]:
        """The same batches, each with the lines as they were logged: one an event, without line feeds and whatever
        else isn't kept. Raises LogUnreadable, as `batches` does."""
        reading = Reading(self.name, self.rules is not None)
        read: list[bytes] = []

        def remembered(pieces: Iterator[bytes | LineTooLong]) -> Iterator[bytes | LineTooLong]:
            for number, piece in enumerate(pieces):
                if isinstance(piece, bytes):
                    read.append(piece.removeprefix(MARK) if number == 0 else piece)
                yield piece

        with self._open() as file:
            for events in self._told_of(reading, reading.batches(remembered(texts(file)))):
                lines = [line.rstrip(b"\r") for line in b"".join(read).split(b"\n") if line.strip(BLANKS)]
                read.clear()
                yield events, lines[: len(events)]  # the last line of all may be cut off, and be no event

    def growing(self) -> Iterator[list[AnyEvent]]:
        """The same, and then for ever what is written behind; an empty list where nothing more stands there yet.

        A last line without its line feed is waited for. Raises LogUnreadable at the first bad line, or if the log is
        packed or no file, and LogRewritten if it becomes another one.
        """
        if not grows(self.name):
            message = "can't be followed as it grows; expected a file that isn't packed"
            raise LogUnreadable(self.name, [Problem(self.name, message)])
        reading = Reading(self.name, self.rules is not None)
        with self._open() as file:
            yield from self._told_of(reading, reading.growing(growing_texts(self.name, file)))

    def _told_of(self, reading: Reading, batches: Iterator[list[AnyEvent]]) -> Iterator[list[AnyEvent]]:
        """The batches, the first event with the rules that the log is judged by; then what the reading has noted."""
        opened: GameOpened | None = None
        for events in batches:
            if opened is None and events and isinstance(events[0], GameOpened):
                opened = events[0] = self._judged_by(events[0])
            self.notes = reading.notes()
            yield events
        self.notes = reading.notes()
        self.incomplete = reading.incomplete
        if reading.problems:
            raise self._unreadable(self.name, reading.problems[:MOST_PROBLEMS])
        self._opened = opened

    def _judged_by(self, opened: GameOpened) -> GameOpened:
        """The first event, with the rules that the log is judged by."""
        if self.rules is None:
            return opened
        if not _same(opened.rules, self.rules):
            own = opened.rules if isinstance(opened.rules, str) else opened.rules.get("name")
            self.judged_otherwise = own if isinstance(own, str) else "rules without a name"
            if own == self.rules.name:
                self.judged_otherwise += " as it has them"
        return msgspec.structs.replace(opened, rules=as_plain(self.rules))

    def take_backs(self) -> list[tuple[int, TakenBack]]:
        """Every taken_back with its line, found without decoding other lines. Lines are counted without blank ones.

        Bad lines are passed over, and a damaged file has none: `batches` names what is wrong.
        """
        try:
            with self._open() as file:
                if not any(isinstance(text, bytes) and _may_take_back(text) for text in texts(file)):
                    return []
            with self._open() as file:
                return list(_take_backs_in(file))
        except DamagedFile:
            return []


def _same(named: str | dict[str, Any], rules: RuleSet) -> bool:
    try:
        return rules_of(named) == rules
    except UnknownRules:
        return False


def _take_backs_in(file: IO[bytes]) -> Iterator[tuple[int, TakenBack]]:
    line = 0
    for text in texts(file):
        if isinstance(text, LineTooLong):
            line += 1
        elif not _may_take_back(text):
            line += _count_of_lines(text)
        else:
            for each in text.removesuffix(b"\n").split(b"\n"):
                line += bool(each.strip(BLANKS))
                event = event_or_none(each) if _may_take_back(each) else None
                if isinstance(event, TakenBack):
                    yield line, event


def _may_take_back(text: bytes) -> bool:
    if log_checks.find(text, b"taken_back", b"k") >= 0:
        return True
    return b"\\" in text and b"\\u00" in text and _ESCAPED_ASCII.search(text) is not None


def _count_of_lines(text: bytes) -> int:
    """How many lines of a text aren't blank."""
    if text.startswith((b"{", MARK + b"{")) and text.count(b"\n{") == text.count(b"\n") - text.endswith(b"\n"):
        return text.count(b"\n{") + 1
    return sum(1 for line in text.split(b"\n") if line.strip(BLANKS))
