"""`bh99 import`: logs into the store, each whole or not at all."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cli.output import (
    BROKEN_RULE,
    DISAGREES,
    FINE,
    WRONG_USE,
    StoreOption,
    a_reader_may_leave,
    clear_errors,
    complain,
    logs_named,
    put_json,
    say,
    status_of,
)

if TYPE_CHECKING:
    from bh99.store.importing import Imported, Outcome
    from bh99.store.store import GameStore
    from bh99.store.views import Progress

MANY: Final = 20
"""More logs than this are summed up, and get a progress bar."""


def import_logs(
    logs: Annotated[list[str], typer.Argument(metavar="LOG…", help="Logs or folders of logs; - is standard input.")],
    format: Annotated[Literal["text", "json"], typer.Option("--format", help="text, or a JSON array.")] = "text",
    store: StoreOption = None,
) -> None:
    """Store logs as games: each whole or not at all, and each line as it is.

    What is stored already stays as it is; a longer copy adds its last lines; a log that differs from its stored game
    is refused. Logs with findings are stored too: they are evidence.

    \b
    Examples:
      bh99 import game.jsonl
      bh99 import evenings/
      zcat game.jsonl.gz | bh99 import -
    """
    from bh99.errors import Bh99Error
    from bh99.store.store import open_store

    names, status = logs_named(logs)
    done: list[Imported] = []
    with clear_errors(), open_store(store) as opened:
        try:
            with _progress("storing", len(names)) as tell:
                for name in names:
                    done.append(opened.import_log(name))
                    tell(len(done), len(names))
            done = _with_findings(opened, done)
        except Bh99Error as error:
            complain(str(error))
            status = max(status, status_of(error))
    with a_reader_may_leave():
        if format == "json":
            put_json([_as_json(one) for one in done])
        else:
            _tell(done)
    for one in done:
        if one.outcome == "unreadable":
            status = max(status, WRONG_USE)
        elif one.refused:
            status = max(status, DISAGREES)
    raise typer.Exit(max(status, BROKEN_RULE if any(one.findings for one in done) else FINE))


def _with_findings(store: "GameStore", done: list["Imported"]) -> list["Imported"]:
    """The same, with what the audit found in the games."""
    import msgspec

    new = sum(one.added for one in done)
    with _progress("auditing", len(done) if new else 0) as tell:
        store.catch_up(tell)
    games = [one.game for one in done if one.game is not None and not one.refused]
    found = store.findings_in(games)
    return [
        one if one.refused or one.game is None else msgspec.structs.replace(one, findings=found.get(one.game))
        for one in done
    ]


def _as_json(one: "Imported") -> "Imported":
    """With names that JSON can hold, whatever files are called."""
    import msgspec

    from projections.printable import printable

    replace = msgspec.structs.replace
    problems = [replace(problem, log=printable(problem.log, None)) for problem in one.problems]
    return replace(one, log=printable(one.log, None), problems=problems)


@contextmanager
def _progress(what: str, many: int) -> Iterator["Progress"]:
    """A bar on standard error, if that is a terminal and there is enough to wait for."""
    import sys

    if many <= MANY or not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    with Progress(
        TextColumn(what), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(what, total=many)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _tell(done: list["Imported"]) -> None:
    """What became of the logs: a line each if they are few, and a summary grouped by what is wrong."""
    from domain.cards import counted
    from projections.printable import printable

    for one in done:
        name = printable(one.log, None)
        for note in one.notes:
            complain(f"{name}: note: {note}")
        if len(done) <= MANY and not one.refused:
            more = "more " if one.outcome == "continued" else ""
            lines = f"{one.added} {more}{'line' if one.added == 1 else 'lines'}" if one.added else "already there"
            found = f", {counted(one.findings, 'finding')}" if one.findings else ""
            say(f"{name}: {lines}, game {one.game}{found}")
    outcomes = Counter(one.outcome for one in done)
    nouns: dict[Outcome, str] = {"imported": "game", "continued": "game", "already there": "log"}
    parts = [f"{counted(outcomes[what], noun)} {what}" for what, noun in nouns.items() if outcomes[what]]
    disputed = sum(1 for one in done if one.findings)
    if disputed:
        parts.append(f"{counted(disputed, 'game')} with findings")
    refused = sum(one.refused for one in done)
    if refused:
        parts.append(f"{counted(refused, 'log')} refused")
    say("; ".join(parts) or "nothing to import")
    _tell_problems(done)


def _tell_problems(done: list["Imported"]) -> None:
    """The logs that were refused, grouped by the kind of problem."""
    from domain.cards import counted

    kinds: dict[str, list[str]] = defaultdict(list)
    logs: dict[str, set[str]] = defaultdict(set)
    for one in done:
        for kind, text in _problems_of(one):
            kinds[kind].append(text)
            logs[kind].add(one.log)
    for kind, texts in sorted(kinds.items(), key=lambda pair: (-len(logs[pair[0]]), pair[0])):
        complain(f"{kind}: {counted(len(logs[kind]), 'log')}")
        for text in texts:
            complain(f"  {text}")


def _problems_of(one: "Imported") -> Iterator[tuple[str, str]]:
    """Why a log was refused: the kind of problem, and the problem."""
    from projections.printable import printable

    name = printable(one.log, None)
    if one.outcome == "fork":
        yield "differs from the stored game", f"{name}:{one.line}: differs from line {one.line} of game {one.game}"
    elif one.outcome == "forgotten":
        yield "was forgotten", f"{name}: the game {one.game} was forgotten, and isn't stored again"
    for problem in one.problems:
        yield problem.kind, str(problem)
