"""What the commands that answer from many games share: which games are meant, and how rows are printed."""

import datetime
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.output import (
    BROKEN_RULE,
    DISAGREES,
    FINE,
    a_reader_may_leave,
    clear_errors,
    complain,
    harmless,
    logs_named,
    put,
    put_json,
    status_of,
)

if TYPE_CHECKING:
    from bh99.rows import Rows
    from bh99.store.questions import Questions
    from bh99.wanted import About, Wanted

Format = Literal["table", "json", "jsonl", "csv", "parquet"]
By = Literal["evening", "month", "rules"]
Block = tuple[str, Sequence[tuple[str, str]]]
"""Part of a table that fits on 80 columns: its title, and its columns: field and heading."""

GAP = 2
_MAY_BE_FOLDED = {"rules": len("ninety-nine-pennies"), "players": 8, "loads": 8, "log": 12, "player": 12}
"""Columns whose cells may stand on several lines where the screen is too narrow, with the least width of each."""

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
        players=tuple(map(fit_for_utf8, players or ())),
        since=evening,
        rules=None if rules is None else fit_for_utf8(rules),
        disputed=disputed,
        simulated=simulated,
        aliases=names,
    )


def fit_for_utf8(text: str) -> str:
    """An argument whose bytes may be no UTF-8: what isn't can't be in the store either."""
    return text.encode("utf-8", "replace").decode()


def answer(
    about: "About",
    blocks: Sequence[Block],
    logs: list[str] | None,
    by: By | None,
    format: Format,
    store: str | None,
    wanted: "Wanted",
) -> None:
    """Print the statistics, or the duties, that are wanted of logs or the store, and end with the status."""
    questions, status = _who_answers(about, logs, store)
    with clear_errors():
        rows: Rows[Any] = questions.stats(wanted, by) if about == "players" else questions.duty(wanted, by)
    with a_reader_may_leave():
        print_rows(rows, format, blocks)
    raise typer.Exit(_status_after(questions, wanted, status))


def _who_answers(about: "About", logs: list[str] | None, store: str | None) -> tuple["Questions", int]:
    """The logs, or the store if there are none, and the status so far: logs that can't be read are named."""
    from bh99.answers import asked, recorded_logs
    from bh99.store.questions import Logs
    from projections.printable import printable

    if not logs:
        with clear_errors():
            return asked(about, (), store), FINE
    names, status = logs_named(logs)
    readable = []
    for one in recorded_logs(about, names, store):
        if one.error is not None:
            complain(str(one.error))
            status = max(status, status_of(one.error))
            continue
        for note in one.notes:
            complain(f"{printable(one.name, None)}: note: {note}")
        readable.append((one.name, one.told()))
    with clear_errors():
        return Logs(about, readable, several=len(names) > 1), status


def _status_after(questions: "Questions", wanted: "Wanted", status: int) -> int:
    """The exit status, once it is known whether the games have findings; says which games were left out, and why."""
    with clear_errors():
        say_what_is_undated(questions, wanted)
        findings, damaged = questions.findings(wanted), questions.damaged()
        questions.close()
    for damage in damaged:
        complain(f"left out, as it is damaged: {damage}")
    return max(status, BROKEN_RULE if findings else FINE, DISAGREES if damaged else FINE)


def say_what_is_undated(questions: "Questions", wanted: "Wanted") -> None:
    """Say how many games --since leaves out for want of a date."""
    from domain.cards import counted

    undated = questions.undated(wanted)
    if undated:
        complain(f"{counted(undated, 'game')} without a date left out, because of --since")


def print_rows(rows: "Rows[Any]", format: Format, blocks: Sequence[Block]) -> None:
    """Print rows. `blocks`: what a table shows; a block in which nothing but zeros stands is left out."""
    records = rows.records()
    if format == "json":
        put_json(records)
    elif format == "jsonl":
        import msgspec

        put("".join(msgspec.json.encode(record).decode() + "\n" for record in records))
    elif format == "csv":
        from projections.cells import csv_rows

        put(csv_rows([rows.names, *(list(record.values()) for record in records)]))
    elif format == "parquet":
        _put_parquet(rows)
    else:
        _print_table(records, blocks)


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
        complain("nothing to show: no such game or player")
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

    rows = [[_cell(field, record[field]) for field, _ in columns] for record in records]
    widths = _widths(columns, rows, shutil.get_terminal_size().columns)
    table = Table(box=None, pad_edge=False)
    for (field, heading), width in zip(columns, widths, strict=True):
        right = all(record[field] is None or not _is_text(record[field]) for record in records)
        table.add_column(heading, justify="right" if right else "left", overflow="fold", width=width)
    for row in rows:
        table.add_row(*map(Text, row))
    out = io.StringIO()
    whole = sum(widths) + GAP * len(widths)
    Console(file=out, width=whole, color_system=None, highlight=False, emoji=False, markup=False).print(table)
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "".join(f"{line}\n" for line in ([title] if title else []) + lines)


def _widths(columns: Sequence[tuple[str, str]], rows: list[list[str]], screen: int) -> list[int]:
    """How wide each column is: what is too much for the screen, some columns are narrower, and none is left out."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, cells)) for cells in zip([heading for _, heading in columns], *rows, strict=True)]
    too_much = sum(widths) + GAP * (len(widths) - 1) - screen
    for name, least in _MAY_BE_FOLDED.items():
        for at, (field, _) in enumerate(columns):
            if field == name and too_much > 0 and widths[at] > least:
                less = min(too_much, widths[at] - least)
                widths[at] -= less
                too_much -= less
    return widths


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str | list)


def _cell(field: str, value: object) -> str:
    if value is None:
        return "–"
    if field == "rules":
        value = str(value).replace("+", " +")  # an option may stand on a line of its own
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0%}"
    if isinstance(value, list):
        return harmless(", ".join(map(str, value)))
    return harmless(str(value))
