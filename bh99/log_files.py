"""Opening logs: files, gzip files and standard input, cut into texts of whole lines."""

import io
import os
import re
import stat
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Final, cast

from bh99.errors import LogRewritten, LogUnreadable, Problem

if TYPE_CHECKING:
    from typing_extensions import Buffer

TEXT_SIZE: Final = 256 * 1024
"""How many bytes are read at a time."""

MAX_LINE: Final = 1024 * 1024
"""The longest line allowed, in bytes, without its line feed."""

GZIP_MAGIC: Final = b"\x1f\x8b"
_SUFFIXES: Final = (".jsonl", ".jsonl.gz")


OPENS: Final = re.compile(rb'\s*\{\s*"type"\s*:\s*"game_opened"')
"""What a log begins with, also one whose first line can't be read."""


class DamagedFile(Exception):
    """The file breaks off or can't be read further; the text says why."""


class LineTooLong:
    """Stands for one line of more than MAX_LINE bytes, which was not kept."""


def opener(path: str) -> Callable[[], IO[bytes]]:
    """A function that opens the log's bytes from their start, unpacked; "-" is standard input.

    What can be read only once (standard input, a pipe) is first copied to a temporary file.
    Raises LogUnreadable for a missing file, a folder, an empty file, or one that may not be read.
    """
    try:
        if path == "-":
            again = _spooled(sys.stdin.buffer)
        elif stat.S_ISREG(os.stat(path).st_mode):
            again = lambda: open(path, "rb", buffering=0)  # noqa: E731, SIM115
        elif stat.S_ISDIR(os.stat(path).st_mode):
            raise _unreadable(path, "this is a folder; expected a log")
        else:
            with open(path, "rb") as once:
                again = _spooled(once)
        with again() as file:
            magic = file.read(2)
    except ValueError as fault:  # a NUL in the path
        raise _unreadable(path, f"no such file ({fault})") from None
    except OSError as fault:
        raise _unreadable(path, _words_for(fault)) from None
    if not magic:
        raise _unreadable(path, "the log is empty; expected a game_opened on line 1")

    def opened() -> IO[bytes]:
        try:
            file = again()
        except OSError as fault:  # it was there a moment ago
            raise _unreadable(path, _words_for(fault)) from None
        return _unpacked(file) if magic == GZIP_MAGIC else file

    return opened


def _unreadable(name: str, message: str) -> LogUnreadable:
    return LogUnreadable(name, [Problem(name, message)])


def _words_for(fault: OSError) -> str:
    if isinstance(fault, FileNotFoundError):
        return "no such file"
    if isinstance(fault, PermissionError):
        return "no permission to read it"
    return f"can't be read: {fault.strerror or fault}"


def _unpacked(packed: IO[bytes]) -> IO[bytes]:
    import gzip

    class Unpacked(gzip.GzipFile):
        def close(self) -> None:
            super().close()
            packed.close()

    return cast(IO[bytes], Unpacked(fileobj=packed, mode="rb"))


def _spooled(once: IO[bytes]) -> Callable[[], IO[bytes]]:
    """Copies a stream; gives a function that opens the copy. The copy goes when the function does."""
    import shutil
    import tempfile

    copy = tempfile.TemporaryFile()  # noqa: SIM115
    shutil.copyfileobj(once, copy, TEXT_SIZE)
    copy.flush()

    class Reader(io.RawIOBase):
        """One way through the copy, with a place of its own."""

        place = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: "Buffer") -> int:
            copy.seek(self.place)
            data = copy.read(memoryview(buffer).nbytes)
            memoryview(buffer)[: len(data)] = data
            self.place += len(data)
            return len(data)

    def again() -> IO[bytes]:
        return io.BufferedReader(Reader(), TEXT_SIZE)

    weakref.finalize(again, copy.close)
    return again


def grows(path: str) -> bool:
    """Whether a log can be followed as it grows: an ordinary file, not packed."""
    try:
        if path == "-" or not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with open(path, "rb") as file:
            return file.read(2) != GZIP_MAGIC
    except OSError:
        return False


LOOKED_AT_AGAIN: Final = 512
"""Bytes at the place that was read up to, which must still be there when the log has grown."""


def growing_texts(path: str, file: IO[bytes]) -> Iterator[bytes | LineTooLong]:
    """The file in texts of whole lines, for ever: an empty text where nothing more stands there yet.

    Raises LogRewritten if the path has become another file, a shorter one, or one that holds something else up to the
    place that was read, and DamagedFile.
    """
    rest, place, tail = b"", 0, b""
    while True:
        if os.pread(file.fileno(), len(tail), place - len(tail)) != tail:
            raise LogRewritten(path)
        chunk = _read(file)
        place += len(chunk)
        tail = (tail + chunk)[-LOOKED_AT_AGAIN:]
        text, rest = _whole_lines(rest, chunk)
        if not chunk:
            _check_it_is_there(path, file)
        if text or not chunk:
            yield text
        if len(rest) > MAX_LINE:
            yield LineTooLong()
            return


def _check_it_is_there(path: str, file: IO[bytes]) -> None:
    try:
        there = os.stat(path)
    except OSError:
        raise LogRewritten(path) from None
    ours = os.fstat(file.fileno())
    if (there.st_dev, there.st_ino) != (ours.st_dev, ours.st_ino):
        raise LogRewritten(path)


def texts(file: IO[bytes]) -> Iterator[bytes | LineTooLong]:
    """The file in texts of whole lines, each line ended by a line feed but perhaps the very last.

    Holds no more than MAX_LINE + TEXT_SIZE bytes. Raises DamagedFile where the file can't be read further.
    """
    rest = b""
    skipping = False
    while chunk := _read(file):
        if skipping:
            start = chunk.find(b"\n") + 1
            if not start:
                continue
            skipping = False
            chunk = chunk[start:]
        text, rest = _whole_lines(rest, chunk)
        if text:
            yield text
        if len(rest) > MAX_LINE:
            yield LineTooLong()
            rest = b""
            skipping = True
    if rest:
        yield rest


def _whole_lines(rest: bytes, chunk: bytes) -> tuple[bytes, bytes]:
    """The text of whole lines in what was left over and what was read next, and what is left over now."""
    cut = chunk.rfind(b"\n") + 1
    return (rest + chunk[:cut], chunk[cut:]) if cut else (b"", rest + chunk)


def _read(file: IO[bytes]) -> bytes:
    try:
        return file.read(TEXT_SIZE)
    except EOFError:
        raise DamagedFile("the gzip file is cut off") from None
    except OSError as fault:
        if fault.errno is None:  # gzip.BadGzipFile
            raise DamagedFile("the gzip file is damaged") from None
        raise DamagedFile(_words_for(fault)) from None
    except Exception as fault:
        if type(fault).__module__ == "zlib":
            raise DamagedFile("the gzip file is damaged") from None
        raise


def logs_in(paths: Sequence[str]) -> list[str]:
    """The paths with each folder replaced by the logs below it (`*.jsonl`, `*.jsonl.gz`), sorted.

    Raises LogUnreadable for a folder that has none. Whatever isn't a folder is passed on unseen.
    """
    found: list[str] = []
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            found.append(path)
            continue
        below = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
        inside = sorted(file for file in below if file.endswith(_SUFFIXES))
        if not inside:
            raise _unreadable(path, "no log in this folder; expected files named *.jsonl or *.jsonl.gz")
        found += inside
    return found
