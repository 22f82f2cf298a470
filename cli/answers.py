"""What the commands that answer from many games share: which games are meant, and how rows are printed."""

import datetime
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.output import BROKEN_RULE, FINE, clear_errors, complain, harmless, put, status_of

if TYPE_CHECKING:
    import msgspec

    from bh99.rows import Rows
    from bh99.store.questions import Questions
    from bh99.wanted import About, Wanted

Format = Literal["table", "json", "jsonl", "csv", "parquet"]
By = Literal["evening", "month", "rules"]
Block = tuple[str, Sequence[tuple[str, str]]]
"""Part of a table that fits on 80 columns: its title, and its columns: field and heading."""

_WHOLE = ("game", "log", "evening", "month")
"""Columns whose cells are kept on one line, so that they can be copied."""

LogsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[LOG…]", help="Logs, folders or stored games; - is standard input. None: the whole store."),
]
PlayersOption = Annotated[
    list[str] | None, typer.Option("--player", metavar="NAME", help="Only this player; may be given several times.")
]
SinceOption = Annotated[
    str | None, typer.Option(metavar="YYYY-MM-DD", help="Only games of this evening or a later one.")
]
SetOption = Annotated[
    str | None, typer.Option("--rules", metavar="NAME", help="Only games of this rule set, whatever its options.")
]
ByOption = Annotated[By | None, typer.Option("--by", help="A row for each of these.")]
ExcludeOption = Annotated[
    Literal["disputed"] | None, typer.Option("--exclude", help="Leave out games with a proved finding.")
]
SimulatedOption = Annotated[bool, typer.Option("--simulated", help="Also games that a program made up.")]
AliasesOption = Annotated[
    str | None, typer.Option(metavar="FILE", help="TOML: a person's name, and other spellings of it.")
]
FormatOption = Annotated[Format, typer.Option("--format", help="How rows are printed; parquet needs bh99[parquet].")]


def wanted_games(
    players: list[str] | None = None,
    since: str | None = None,
    rules: str | None = None,
    *,
    disputed: bool | None = None,
    simulated: bool = False,
    aliases: str | None = None,
) -> "Wanted":
    """Which games the options mean. Ends the command if one of them can't be."""
    from bh99.wanted import Wanted

    with clear_errors():
        names: dict[str, str] = {}
        if aliases is not None:
            from bh99.aliases import read_aliases

            names = read_aliases(aliases)
    evening = None
    if since is not None:
        try:
            if not re.fullmatch(r"\d{4}-\d\d-\d\d", since, re.ASCII):
                raise ValueError
            evening = datetime.date.fromisoformat(since)
        except ValueError:
            message = f"{since!r} is no date; expected one such as 2026-11-30"
            raise typer.BadParameter(message, param_hint="--since") from None
    return Wanted(
        players=tuple(players or ()),
        since=evening,
        rules=rules,
        disputed=disputed,
        simulated=simulated,
        aliases=names,
    )


def who_answers(about: "About", logs: list[str] | None, store: str | None) -> tuple["Questions", int]:
    """The logs, or the store if there are none, and the status so far: logs that can't be read are named."""
    from bh99.answers import asked, recorded_logs
    from bh99.errors import Bh99Error
    from bh99.logs import logs_in
    from bh99.store.questions import Logs
    from projections.printable import printable

    if not logs:
        with clear_errors():
            return asked(about, (), store), FINE
    status = FINE
    names: list[str] = []
    for path in logs:
        try:
            names += logs_in([path])
        except Bh99Error as error:
            complain(str(error))
            status = max(status, status_of(error))
    readable = []
    for one in recorded_logs(about, names, store):
        if one.error is not None:
            complain(str(one.error))
            status = max(status, status_of(one.error))
            continue
        for note in one.notes:
            complain(f"{printable(one.name, None)}: note: {note}")
        readable.append((one.name, one.told()))
    return Logs(about, readable), status


def status_after(questions: "Questions", wanted: "Wanted", status: int) -> int:
    """The exit status, once it is known whether the games have findings; says which games a date has left out."""
    from domain.cards import counted

    with clear_errors():
        undated, findings = questions.undated(wanted), questions.findings(wanted)
    if undated:
        complain(f"{counted(undated, 'game')} without a date left out, because of --since")
    return max(status, BROKEN_RULE if findings else FINE)


def print_rows(rows: "Rows[Any]", kind: type["msgspec.Struct"], format: Format, blocks: Sequence[Block]) -> None:
    """Print rows of a kind. `blocks`: what a table shows; a block in which nothing but zeros stands is left out."""
    import msgspec

    records = rows.records()
    if format == "json":
        put(msgspec.json.format(msgspec.json.encode(records)).decode() + "\n")
    elif format == "jsonl":
        put("".join(msgspec.json.encode(record).decode() + "\n" for record in records))
    elif format == "csv":
        from projections.cells import csv_rows

        columns = list(records[0]) if records else _columns_of(kind)
        put(csv_rows([columns, *([record[name] for name in columns] for record in records)]))
    elif format == "parquet":
        _put_parquet(rows)
    else:
        _print_table(records, blocks)


def _columns_of(kind: type["msgspec.Struct"]) -> list[str]:
    """The columns that every row of a kind has."""
    import msgspec

    return [field.name for field in msgspec.structs.fields(kind) if field.required]


def _put_parquet(rows: "Rows[Any]") -> None:
    import sys

    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        message = "this needs the package pyarrow: pip install 'bh99[parquet]'"
        raise typer.BadParameter(message, param_hint="--format parquet") from None
    if sys.stdout.isatty():
        raise typer.BadParameter("parquet is no text; write it into a file: > stats.parquet", param_hint="--format")
    out = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(rows.columns()), out)
    sys.stdout.buffer.write(out.getvalue().to_pybytes())


def _print_table(records: list[dict[str, Any]], blocks: Sequence[Block]) -> None:
    if not records:
        put("nothing to show: no such game or player\n")
        return
    parts: list[str] = []
    for title, columns in blocks:
        shown = [(field, heading) for field, heading in columns if field in records[0]]
        numbers = [record[field] for record in records for field, _ in shown if not _is_text(record[field])]
        if any(numbers) or not numbers or not parts:
            parts.append(_table(title, shown, records))
    put("\n".join(parts))


def _table(title: str, columns: Sequence[tuple[str, str]], records: list[dict[str, Any]]) -> str:
    """One part of the table, with its title above."""
    import io
    import shutil

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for field, heading in columns:
        right = all(record[field] is None or not _is_text(record[field]) for record in records)
        justify: Literal["right", "left"] = "right" if right else "left"
        table.add_column(heading, justify=justify, overflow="fold", no_wrap=field in _WHOLE)
    for record in records:
        table.add_row(*(Text(_cell(record[field])) for field, _ in columns))
    out = io.StringIO()
    width = shutil.get_terminal_size().columns
    Console(file=out, width=width, color_system=None, highlight=False, emoji=False, markup=False).print(table)
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "".join(f"{line}\n" for line in ([title] if title else []) + lines)


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str | list)


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0%}"
    if isinstance(value, list):
        return harmless(", ".join(map(str, value)))
    return harmless(str(value))
