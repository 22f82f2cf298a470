"""A game that was converted, and what is to be known of one."""

import os
import re
import zlib
from typing import Final

import msgspec

from bh99.errors import LogUnreadable, Problem


class Defaults(msgspec.Struct, frozen=True, kw_only=True):
    """How a game was played and written down, where its file doesn't say so."""

    players: tuple[str, ...] = ()
    rules: str | None = None
    dealer: str | None = None
    draws: bool = False


class Converted(msgspec.Struct, kw_only=True):
    """One game: `lines` are those of its log, without line feeds; `problems` what couldn't be read of it.

    `name`: what its file may be called, without folder. `findings`: proved findings in it; None if it isn't whole.
    `notes`: what was passed over.
    """

    name: str
    lines: list[bytes] = []
    problems: list[Problem] = []
    findings: int | None = None
    notes: list[str] = []


_SUFFIXES: Final = (".gz", ".jsonl", ".json", ".csv", ".tsv", ".txt")


def bytes_of(path: str) -> bytes:
    """All that is in a file ("-": standard input). Raises LogUnreadable if it can't be read."""
    from bh99.log_files import opener

    opened = opener(path)  # a copy of standard input is there as long as this is
    try:
        with opened() as file:
            return file.read()
    except EOFError:
        message = "the gzip file is cut off"
    except (OSError, zlib.error) as fault:
        message = getattr(fault, "strerror", None) or "the gzip file is damaged"
    raise LogUnreadable(path, [Problem(path, message)])


def text_of(path: str) -> str:
    """A text file without its byte-order mark. Raises LogUnreadable if it can't be read, or isn't UTF-8."""
    raw = bytes_of(path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = len(re.findall(rb"\r\n|\r|\n", raw[: fault.start])) + 1
        raise LogUnreadable(path, [Problem(path, "this is not UTF-8; expected a text file", line)]) from None


def stem_of(path: str) -> str:
    """What the logs are called that come out of a file."""
    if path == "-":
        return "game"
    name = os.path.basename(path)
    for suffix in _SUFFIXES:
        name = name[: -len(suffix)] if name.casefold().endswith(suffix) else name
    return name or "game"


def name_them(games: list[Converted], path: str, ids: list[str | None]) -> None:
    """Give each game the name of its log: its id, or that of the file, with a number if there are several."""
    for number, (game, id) in enumerate(zip(games, ids, strict=True), 1):
        stem = stem_of(path) if len(games) == 1 else f"{stem_of(path)}-{number}"
        game.name = f"{id or stem}.jsonl"
