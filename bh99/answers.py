"""What scripts ask: `read_log`, `audit`, `stats` and `duty`, of logs by their names (docs/scripts.md)."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from bh99.errors import Bh99Error, LogUnreadable, Problem
from bh99.judging import Audited, audited
from bh99.logs import Log, logs_in
from bh99.rows import Rows
from bh99.sources import find_log
from bh99.wanted import ALL, About, By, Wanted
from bh99.workers import each
from domain.rule_sets import RuleSet
from projections.chronicle import chronicle
from projections.duty import DutyRow
from projections.records import GameRecord
from projections.statistics import PlayerStats

if TYPE_CHECKING:
    from bh99.store.questions import Questions

Name: TypeAlias = str | os.PathLike[str]
"""What a log is called: a file, "-" for standard input, or the id of a stored game."""


def read_log(name: Name, *, rules: RuleSet | None = None, store: str | None = None) -> Log:
    """The log in the file of that name ("-": standard input), or the stored game of that id; every line is checked.

    `rules`: judge by these instead of those that it names. `store`: the URL of the store, if it isn't the default one.
    Raises LogUnreadable with all bad lines, and StoreError.
    """
    log = find_log(os.fspath(name), rules, store)
    for _ in log.batches():
        pass
    return log


def audit(
    log: Log | Name, *, rules: RuleSet | None = None, possible: bool = False, store: str | None = None
) -> Audited:
    """Which rules were broken in a log, on which lines: `findings` are rows, `summary` says what was looked at.

    `possible`: list the checks that it leaves open too; the others as in `read_log`, which says what is raised.
    """
    return audited(log if isinstance(log, Log) else find_log(os.fspath(log), rules, store), possible=possible)


def stats(*names: Name, wanted: Wanted = ALL, by: By | None = None, store: str | None = None) -> Rows[PlayerStats]:
    """Statistics: a row a player, by name, or with `by` a row a group and player.

    names: logs, folders of logs or stored games; none: all games of the store. Raises LogUnreadable and StoreError.
    """
    with asked("players", names, store) as questions:
        return questions.stats(wanted, by)


def duty(*names: Name, wanted: Wanted = ALL, by: By | None = None, store: str | None = None) -> Rows[DutyRow]:
    """The loading duty: a row each time that it was given. What is asked, and what is raised, as in `stats`."""
    with asked("duty", names, store) as questions:
        return questions.duty(wanted, by)


def asked(about: About, names: Sequence[Name], store: str | None = None) -> "Questions":
    """Whoever answers: the logs of these names, or the store if none is named. Raises LogUnreadable and StoreError."""
    if not names:
        from bh99.store.store import open_store

        return open_store(store, create=False)
    from bh99.store.questions import Logs

    logs = logs_in([os.fspath(name) for name in names])
    told = ((one.name, one.told()) for one in recorded_logs(about, logs, store))
    return Logs(about, told, several=len(logs) > 1)


# ---- many logs ----


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of one log among many; `error` and nothing else if it can't be read."""

    name: str
    record: GameRecord | None = None
    notes: list[str] = []
    error: Bh99Error | None = None

    def told(self) -> GameRecord:
        """What is kept of it. Raises the error."""
        if self.error is not None:
            raise self.error
        assert self.record is not None, "a log that could be read has a record"
        return self.record


class _Job(NamedTuple):
    about: About
    name: str
    store: str | None


def recorded_logs(about: About, names: Sequence[str], store: str | None = None) -> Iterator[Recorded]:
    """What is kept of many logs, each file once, in order; large ones in as many processes as there are processors."""
    files = {os.path.realpath(name) if os.path.exists(name) else name: name for name in reversed(names)}
    jobs = [_Job(about, name, store) for name in reversed(files.values())]
    yield from each(_recorded, jobs, _stopped)


def _recorded(job: _Job) -> Recorded:
    try:
        log = find_log(job.name, store=job.store)
        record = chronicle(log.batches, log.take_backs, in_detail=False)
    except Bh99Error as error:
        return Recorded(name=job.name, error=error)
    # What isn't asked for needn't be carried from one process to another.
    record.findings = []
    if job.about == "players":
        record.duties = []
    return Recorded(name=job.name, record=record, notes=log.notes)


def _stopped(job: _Job) -> Recorded:
    message = "the process that read it was stopped from outside; ask for it alone"
    return Recorded(name=job.name, error=LogUnreadable(job.name, [Problem(job.name, message)]))
