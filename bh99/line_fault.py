"""What is wrong with one line, and what can be told of it at a glance. The words for the rest are in log_faults."""

from typing import Final

import msgspec


class LineFault(msgspec.Struct, frozen=True):
    """What is wrong with a line. `column` counts characters from 1; after a `last` one reading on makes no sense."""

    message: str
    column: int | None = None
    field: str | None = None
    last: bool = False


TOO_LONG: Final = LineFault("the line is too long; expected at most 1 MiB (1,048,576 bytes)")


def fault_of_start(start: bytes) -> LineFault | None:
    """What is wrong with a log that isn't UTF-8, by its first four bytes; the UTF-8 mark is no fault."""
    for width, marks in ((32, (b"\xff\xfe\0\0", b"\0\0\xfe\xff")), (16, (b"\xff\xfe", b"\xfe\xff"))):
        if start.startswith(marks):
            return LineFault(f"the log is UTF-{width}; expected UTF-8", 1, last=True)
    zeros = bytes(byte and 1 for byte in start)
    for width, patterns in ((32, (b"\1\0\0\0", b"\0\0\0\1")), (16, (b"\1\0\1\0", b"\0\1\0\1"))):
        if zeros in patterns:
            return LineFault(f"the log seems to be UTF-{width}; expected UTF-8", 1, last=True)
    return None
