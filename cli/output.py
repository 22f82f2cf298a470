"""How commands end: what can go wrong becomes one clear line on standard error and a documented exit status."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

FINE, BROKEN_RULE, WRONG_USE = 0, 1, 2


@contextmanager
def clear_errors() -> Iterator[None]:
    """Turn whatever this project raises on purpose into lines on standard error and exit status 2."""
    from bh99.errors import Bh99Error

    try:
        yield
    except Bh99Error as error:
        complain(str(error))
        raise typer.Exit(WRONG_USE) from None


def complain(text: str) -> None:
    """Lines on standard error."""
    print(text, file=sys.stderr)


def say(text: str) -> None:
    """Text from a log on standard output; nothing in it can steer a terminal."""
    from bh99.printable import printable

    print("\n".join(printable(line, None) for line in text.split("\n")))


def notes_of(log: object) -> None:
    """What was passed over while a log was read."""
    for note in getattr(log, "notes", ()):
        complain(f"{getattr(log, 'name', 'log')}: note: {note}")
