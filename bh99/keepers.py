"""Where a game is kept while it goes on: a log file, or the store. What was added is on the disk when `add` returns."""

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol

import msgspec

from bh99.errors import LogUnreadable, LogUnwritable, Problem, UnknownGame
from bh99.log_files import GZIP_MAGIC, MAX_LINE, OPENS
from bh99.log_reading import MARK, event_or_none, event_that_may_stand
from bh99.logs import open_log
from domain import events as ev

SUFFIX: Final = ".jsonl"
_BEGINS: Final = b'{"type":"game_opened"'
_encode: Final = msgspec.json.Encoder().encode


class Keeper(Protocol):
    """A place for one game.

    name: how the user calls it. game: the id that the game has there, if the place asks for one.
    notes: what had to be said of what was found there.
    """

    name: str
    game: str | None
    notes: list[str]

    def events(self) -> list[ev.AnyEvent]:
        """What is kept so far; nothing for a new game. Raises Bh99Error if it can't be read."""
        ...

    def add(self, events: Sequence[ev.AnyEvent]) -> None:
        """Add events, all or none. Raises Bh99Error if they can't be kept, and ValueError for what can't be a line."""
        ...

    def close(self) -> None: ...


def open_keeper(name: str, store: str | None = None) -> Keeper:
    """The log file of that name, made if it isn't there, or the game of that id in the store.

    What ends in `.jsonl`, or is there as a file, is a file.
    Raises LogUnwritable or StoreError if nothing can be kept there, and LogUnwritable for what is neither.
    """
    if name.endswith(SUFFIX) or os.path.lexists(name):
        return FileKeeper(name)
    if not ev.is_game_id(name):
        raise LogUnwritable(name, "expected a log file (.jsonl), or the id of a game: small letters, digits, dashes")
    return StoreKeeper(name, store)


class FileKeeper:
    """A game in a log file. Nobody else may add to it meanwhile."""

    game: str | None = None

    def __init__(self, path: str) -> None:
        """Opens the file, and mends a last line that was cut off when a program was killed. Raises LogUnwritable."""
        self.name = path
        self.notes: list[str] = []
        try:
            if os.path.lexists(path) and not os.path.isfile(path):
                raise LogUnwritable(path, "this is no file that lines can be added to")
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except (OSError, ValueError) as fault:
            raise LogUnwritable(path, f"can't be written: {getattr(fault, 'strerror', None) or fault}") from None
        try:
            self._lock()
            self._mend()
            self._size = os.fstat(self._file).st_size
        except BaseException:
            os.close(self._file)
            raise

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # no such locks here
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise LogUnwritable(self.name, "another program is writing to it; expected to be alone") from None

    def _mend(self) -> None:
        """A last line without its line feed is finished, or, if it is no event, laid beside the log."""
        size = os.fstat(self._file).st_size
        head = os.pread(self._file, MAX_LINE, 0).removeprefix(MARK)
        if head.startswith(GZIP_MAGIC):
            raise LogUnwritable(self.name, "the log is packed; expected a plain file")
        tail = os.pread(self._file, MAX_LINE + 1, max(0, size - MAX_LINE - 1))
        rest = tail[tail.rfind(b"\n") + 1 :]
        if not rest:
            return
        if not OPENS.match(head) and not _BEGINS.startswith(head):
            raise LogUnwritable(self.name, "this is no log, and its last line isn't finished; it is left as it is")
        if len(rest) > MAX_LINE:
            raise LogUnwritable(self.name, "its last line is longer than a line may be, and isn't finished")
        if event_or_none(rest) is not None:
            self._write(b"\n")
            return
        beside = self.name + ".cut"
        try:
            with open(beside, "ab") as file:
                file.write(rest + b"\n")
                file.flush()
                os.fsync(file.fileno())
            os.ftruncate(self._file, size - len(rest))
        except OSError as fault:
            raise LogUnwritable(self.name, f"its last line is cut off, and can't be mended: {fault.strerror}") from None
        self.notes.append(f"the last line was cut off; what there was of it stands in {beside}")

    def events(self) -> list[ev.AnyEvent]:
        if os.fstat(self._file).st_size == 0:
            return []
        log = open_log(self.name)
        found = log.events()
        self.notes += log.notes
        self._size = os.fstat(self._file).st_size
        return found

    def add(self, events: Sequence[ev.AnyEvent]) -> None:
        self._check_it_is_as_it_was()
        self._write(b"".join(line + b"\n" for line in lines_of(events)))

    def _check_it_is_as_it_was(self) -> None:
        """Somebody may have edited the log meanwhile, or put another file in its place."""
        ours = os.fstat(self._file)
        try:
            there = os.stat(self.name)
        except OSError:
            there = None
        if there is None or (there.st_dev, there.st_ino, there.st_size) != (ours.st_dev, ours.st_ino, self._size):
            message = "somebody else has changed the log meanwhile; this was not written, and can be entered again"
            raise LogUnwritable(self.name, message)

    def _write(self, text: bytes) -> None:
        size = os.fstat(self._file).st_size
        try:
            written = 0
            while written < len(text):
                written += os.write(self._file, text[written:])
            os.fsync(self._file)
            self._size = size + written
        except OSError as fault:
            os.ftruncate(self._file, size)
            raise LogUnwritable(self.name, f"can't be written: {fault.strerror}") from None

    def close(self) -> None:
        """Leaves no file behind in which nothing stands."""
        with suppress(OSError):
            if os.fstat(self._file).st_size == 0:
                os.unlink(self.name)
        os.close(self._file)


class StoreKeeper:
    """A game in the store."""

    def __init__(self, game: str, url: str | None) -> None:
        """Opens the store, which is made if it isn't there. Raises StoreUnusable."""
        from bh99.store.store import open_store

        self.name = game
        self.game: str | None = game
        self.notes: list[str] = []
        self._lines = 0
        self._store = open_store(url)

    def events(self) -> list[ev.AnyEvent]:
        try:
            log = self._store.read_log(self.name)
        except UnknownGame:
            return []
        found = log.events()
        self._lines = len(found)
        return found

    def add(self, events: Sequence[ev.AnyEvent]) -> None:
        self._lines = self._store.append(self.name, events, expected=self._lines)

    def close(self) -> None:
        self._store.close()


class MemoryKeeper:
    """A game that is kept nowhere but here, for one that is written out when it is whole."""

    def __init__(self, name: str, game: str | None = None) -> None:
        self.name = name
        self.game = game
        self.notes: list[str] = []
        self.kept: list[ev.AnyEvent] = []

    def events(self) -> list[ev.AnyEvent]:
        return list(self.kept)

    def add(self, events: Sequence[ev.AnyEvent]) -> None:
        lines_of(events)
        self.kept += events

    def close(self) -> None:
        """There is nothing to close."""


def lines_of(events: Sequence[ev.AnyEvent]) -> list[bytes]:
    """The events as lines. Raises ValueError for what the reader would refuse."""
    lines = [_encode(event) for event in events]
    for line in lines:
        event_that_may_stand(line)
    return lines


def check_it_may_go_on(name: str, events: Sequence[ev.AnyEvent]) -> None:
    """Raises LogUnreadable for a game that was closed, which nothing may follow."""
    if events and isinstance(events[-1], ev.GameClosed):
        raise LogUnreadable(name, [Problem(name, "this game was closed; nothing may follow", len(events))])
