"""bh99 on a pseudo-terminal: what it draws is read, and keys are pressed."""

import codecs
import contextlib
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from typing import TypeAlias

from cli_runs import COMMAND, environment

BACK_TO_NORMAL = ("\x1b[?1049l", "\x1b[?25h")
"""What leaves the second screen and shows the cursor again."""


class Terminal:
    """bh99 on a pseudo-terminal."""

    def __init__(self, *arguments: str, rows: int = 24, columns: int = 80, **more: str) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.modes = termios.tcgetattr(self.ours)[:4]
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(**{"LC_ALL": "C.UTF-8", "TERM": "xterm-256color", **more}),
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")  # a sign may be cut in two

    def wait_for(self, words: str) -> None:
        """Read what is drawn until some words are there; forget all up to them."""
        end = time.monotonic() + 20
        while words not in self.seen:
            ready, _, _ = select.select([self.ours], [], [], max(0, end - time.monotonic()))
            assert ready, f"{words!r} was never drawn: {self.seen!r}"
            self.seen += self._decoder.decode(os.read(self.ours, 65536))
        self.seen = self.seen.split(words, 1)[1]

    def press(self, keys: str, words: str) -> None:
        os.write(self.ours, keys.encode())
        self.wait_for(words)

    def status(self) -> int:
        """The exit status; what was drawn last is in `seen`."""
        with contextlib.suppress(OSError):  # the other end is closed
            while drawn := os.read(self.ours, 65536):
                self.seen += self._decoder.decode(drawn)
        return self.process.wait(20)

    def is_as_before(self) -> bool:
        """Whether keys are shown and lines are edited as before it ran, on the first screen, with a cursor."""
        return termios.tcgetattr(self.ours)[:4] == self.modes and all(code in self.seen for code in BACK_TO_NORMAL)


Open: TypeAlias = Callable[..., Terminal]
"""Opens a terminal with these arguments; it is closed after the test."""
