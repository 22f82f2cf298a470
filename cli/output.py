"""How commands end: what can go wrong becomes one clear line on standard error and a documented exit status."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from bh99.errors import Bh99Error
    from bh99.judging import Audited
    from bh99.logs import Log
    from domain.rule_sets import RuleSet

FINE, BROKEN_RULE, WRONG_USE, DISAGREES = 0, 1, 2, 3


@contextmanager
def clear_errors() -> Iterator[None]:
    """Turn whatever this project raises on purpose into lines on standard error and an exit status."""
    from bh99.errors import Bh99Error

    try:
        yield
    except Bh99Error as error:
        complain(str(error))
        raise typer.Exit(status_of(error)) from None


def status_of(error: "Bh99Error") -> int:
    """The exit status for an error: what is in the store isn't what was stored, or anything else."""
    from bh99.errors import GameDamaged, StoreDamaged

    return DISAGREES if isinstance(error, GameDamaged | StoreDamaged) else WRONG_USE


def can_draw() -> bool:
    """Whether a whole screen can be drawn: keys and output are one terminal's, and it can move its cursor."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "")


def logs_named(paths: list[str]) -> tuple[list[str], int]:
    """The logs that arguments name, folders replaced by what is in them, and the status so far: what can't be found is
    named, and the others are answered all the same."""
    from bh99.errors import LogUnreadable
    from bh99.logs import logs_in

    names: list[str] = []
    status = FINE
    for path in paths:
        try:
            names += logs_in([path])
        except LogUnreadable as error:
            complain(str(error))
            status = WRONG_USE
    return names, status


@contextmanager
def a_reader_may_leave() -> Iterator[None]:
    """For printing: who stops reading early (`| head`) changes neither what is done nor the exit status."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        nobody_reads()


def nobody_reads() -> None:
    """What is still to be printed goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(text: str) -> None:
    """Lines on standard error; nothing in them can steer a terminal."""
    try:
        print(harmless(text), file=sys.stderr)
    except OSError:  # nobody hears it; the answer on standard output still counts
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def say(text: str) -> None:
    """Text from a log on standard output; nothing in it can steer a terminal."""
    print(harmless(text))


def put(text: str) -> None:
    """JSON, CSV or a page, which are UTF-8 whatever the terminal speaks."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    print(text, end="")


def put_json(value: object) -> None:
    """A value as indented JSON."""
    import msgspec

    put(msgspec.json.format(msgspec.json.encode(value)).decode() + "\n")


def harmless(text: str) -> str:
    """Lines of text with whatever could steer a terminal as visible escapes."""
    from projections.printable import printable

    return "\n".join(printable(line, None) for line in text.split("\n"))


RulesOption = Annotated[
    str | None, typer.Option(metavar="NAME|FILE", help="Judge by these rules, not by those that the log names.")
]
"""`--rules`, of every command that judges a log."""


StoreOption = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="BH99_STORE",
        help="The store: sqlite:///path or postgresql://user@host/database. Else it is in your data folder.",
    ),
]
"""`--store`, of every command that may use the game store."""


def refuse(option: str, message: str) -> NoReturn:
    """End the command, as an option can't be what it is; nothing in the message can steer a terminal."""
    raise typer.BadParameter(harmless(message), param_hint=option)


def make_folder(option: str, folder: str) -> None:
    """Make the folder of an option, unless it is there. Ends the command if it can't be made."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as fault:
        refuse(option, f"{folder}: the folder can't be made: {fault.strerror}")


def names_given(names: str) -> list[str]:
    """The names of an option, which stand with commas between."""
    return [name.strip() for name in names.split(",") if name.strip()]


def rules_given(reference: str | None) -> "RuleSet | None":
    """The rules of a `--rules` option. Raises RulesUnreadable."""
    if reference is None:
        return None
    from bh99.rule_files import read_rules

    return read_rules(reference)


def notes_of(log: "Log | Audited", rules: "RuleSet | None" = None) -> None:
    """What was passed over while a log was read, and whether it was judged by other rules than it names."""
    from projections.printable import printable

    name = printable(log.name, None)
    if log.judged_otherwise is not None and rules is not None:
        own = printable(log.judged_otherwise, None)
        complain(f"{name}: judged by {printable(rules.name, None)}, not by {own}, which the log names")
    for note in log.notes:
        complain(f"{name}: note: {note}")
