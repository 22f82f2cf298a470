"""`bh99 convert`: spreadsheets, the scribe's shorthand and files of several games, as logs."""

import os
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.output import BROKEN_RULE, FINE, WRONG_USE, complain, make_folder, names_given, say

if TYPE_CHECKING:
    from bh99.converting import Converted


def convert(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="What to convert; - is standard input.")],
    to: Annotated[str, typer.Option(metavar="FOLDER", help="Where the logs are written.")] = ".",
    kind: Annotated[
        Literal["text", "csv", "logs"] | None,
        typer.Option("--from", help="What the files are, if their names don't tell: shorthand, a spreadsheet, logs."),
    ] = None,
    players: Annotated[
        str | None, typer.Option(metavar="NAME,NAME…", help="Who plays, clockwise, where a file doesn't say.")
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="What is played, where a file doesn't say; else bong-hit-99."),
    ] = None,
    dealer: Annotated[str | None, typer.Option(metavar="NAME", help="Who deals first, likewise.")] = None,
    draws: Annotated[bool, typer.Option("--draws", help="The files write every draw down.")] = False,
    skip: Annotated[
        bool, typer.Option("--skip", help="Leave out lines that can't be read; a note on the next line tells of them.")
    ] = False,
) -> None:
    """Turn games that were written down elsewhere into logs, one a game.

    A text file holds the shorthand of bh99 record, an entry a line, behind a line such as players Ana, Ben, Cy. A
    spreadsheet (.csv, .tsv) names its columns in the first row: player, event, card, count … A file of logs (.jsonl)
    with several games is cut into single ones. A game with a line that can't be read is not written; the line is
    named. No log is ever written over.

    \b
    Examples:
      bh99 convert friday.txt
      bh99 convert friday.csv --players Ana,Ben,Cy --to logs/
      bh99 convert all-games.jsonl --to logs/
    """
    from bh99.converting import Defaults
    from bh99.converting import convert as converted
    from bh99.errors import Bh99Error

    names = tuple(names_given(players or ""))
    defaults = Defaults(players=names, rules=rules, dealer=dealer, draws=draws)
    status = FINE
    make_folder("--to", to)
    for file in files:
        try:
            games = converted(file, kind, defaults, skip=skip)
        except Bh99Error as error:
            complain(str(error))
            status = WRONG_USE
            continue
        for game in games:
            status = max(status, _write(game, to))
    if status:
        raise typer.Exit(status)


def _write(game: "Converted", folder: str) -> int:
    """Write a game's log, and say so; the exit status that this means."""
    from bh99.new_files import write_new
    from domain.cards import counted

    path = game.name if folder == "." else os.path.join(folder, game.name)
    for note in game.notes:
        complain(f"{path}: note: {note}")
    if game.problems:
        for problem in game.problems:
            complain(str(problem))
        complain(f"{path} is not written: not every line of it could be read")
        return WRONG_USE
    text = b"".join(line + b"\n" for line in game.lines)
    try:
        if not os.path.lexists(path):
            write_new(path, text)
        elif not os.path.isfile(path) or not _holds(path, text):
            complain(f"{path} is there already, and holds something else; it is left as it is")
            return WRONG_USE
    except OSError as fault:
        complain(f"{path} can't be written: {fault.strerror}")
        return WRONG_USE
    lines = counted(len(game.lines), "line")
    say(f"{path}: {lines}, {counted(game.findings, 'finding') if game.findings else 'no finding'}")
    return BROKEN_RULE if game.findings else FINE


def _holds(path: str, text: bytes) -> bool:
    with open(path, "rb") as file:
        return file.read() == text
