"""Marks and comments on lines of a log, kept in a file beside it (docs/replayer.md, Marks): never in the log."""

import os
from typing import Annotated, Final

import msgspec

from bh99.errors import MarksUnreadable
from bh99.user_folder import data_folder

SUFFIX: Final = ".marks"


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mark on a line; `seat` is whose view it was made in, None for all that the log tells."""

    line: Annotated[int, msgspec.Meta(ge=1)]
    comment: str = ""
    seat: str | None = None


_decoder: Final = msgspec.json.Decoder(Mark)
_encoder: Final = msgspec.json.Encoder()


class Marks:
    """The marks beside a log. Every change is on disk before it is seen.

    trouble: why the file can't be read; then there are no marks, and none can be made.
    """

    def __init__(self, log: str) -> None:
        """`log`: the file's name."""
        self.file = log + SUFFIX
        self.trouble = ""
        self._marks: dict[tuple[int, str | None], Mark] = {}
        try:
            self._marks = self._read()
        except MarksUnreadable as error:
            self.trouble = str(error)

    def on(self, line: int, seat: str | None) -> Mark | None:
        """The mark on a line that was made in a seat's view."""
        return self._marks.get((line, seat))

    def lines(self, seat: str | None) -> list[int]:
        """The marked lines of a view, in order."""
        return sorted(line for line, whose in self._marks if whose == seat)

    def put(self, mark: Mark) -> None:
        """Set a mark, in place of the one that stood there. Raises MarksUnreadable if it can't be kept."""
        self._write({**self._read(), (mark.line, mark.seat): mark})

    def drop(self, line: int, seat: str | None) -> None:
        """Take a mark away. Raises MarksUnreadable if that can't be kept."""
        self._write({key: mark for key, mark in self._read().items() if key != (line, seat)})

    def _read(self) -> dict[tuple[int, str | None], Mark]:
        """The marks in the file: somebody else may have set some."""
        try:
            with open(self.file, "rb") as file:
                texts = file.read().split(b"\n")
        except FileNotFoundError:
            return {}
        except OSError as fault:
            raise MarksUnreadable(self.file, f"can't be read: {fault.strerror}") from None
        found = {}
        for number, text in enumerate(texts, 1):
            if text.strip():
                try:
                    mark = _decoder.decode(text)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    expected = 'this is no mark; expected {"line": number, "comment": text, "seat": name or null}'
                    raise MarksUnreadable(self.file, expected, number) from None
                found[mark.line, mark.seat] = mark
        return found

    def _write(self, marks: dict[tuple[int, str | None], Mark]) -> None:
        """The whole file anew, in one stroke."""
        import tempfile

        lines = [_encoder.encode(marks[key]) + b"\n" for key in sorted(marks, key=lambda key: (key[0], key[1] or ""))]
        try:
            if self.file.startswith(data_folder()):  # which is ours to make
                os.makedirs(os.path.dirname(self.file), exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=os.path.dirname(self.file) or ".", prefix=".marks-")
            try:
                with open(descriptor, "wb") as file:
                    file.writelines(lines)
                    file.flush()
                    os.fsync(file.fileno())
                os.chmod(name, self._mode())
                os.replace(name, self.file)
            except BaseException:
                os.unlink(name)
                raise
        except OSError as fault:
            raise MarksUnreadable(self.file, f"the mark can't be kept: {fault.strerror}") from None
        self._marks = marks

    def _mode(self) -> int:
        """Who may read and write the file: as before, or everybody may read a new one."""
        try:
            return os.stat(self.file).st_mode & 0o777
        except FileNotFoundError:
            return 0o644
