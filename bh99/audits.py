"""Auditing and replaying log files: the doors that the command line and scripts use."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from bh99.errors import LogUnreadable, UnknownLine, UnknownSeat
from bh99.logs import Log, open_log
from domain.events import AnyEvent
from domain.rule_sets import RuleSet
from projections.audit import Audit, Finding, Summary, audit
from projections.printable import printable

if TYPE_CHECKING:
    from projections.frames import Replay

Job: TypeAlias = tuple[str, RuleSet | None, bool]
"""A log's name, the rules to judge it by, and whether open checks are listed."""
WORTH_A_PROCESS: Final = 2 << 20
"""Bytes of logs from which on a second process pays for its start."""


class Audited(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit of one log among many gave; `error` and nothing else if the log can't be read."""

    name: str
    findings: list[Finding] = []
    summary: Summary | None = None
    notes: list[str] = []
    incomplete: bool = False
    judged_otherwise: str | None = None
    error: str | None = None


def audit_log(log: Log | str, *, rules: RuleSet | None = None, possible: bool = False) -> Audit:
    """Audit a log, or the file of that name ("-": standard input), without holding it in memory.

    `rules`: judge by these instead of those that the log names. `possible`: list the checks that it leaves open too.
    Raises LogUnreadable with all bad lines.
    """
    if isinstance(log, str):
        log = open_log(log, rules)
    return audit(log.batches, log.take_backs, possible=possible)


def audit_logs(names: Sequence[str], *, rules: RuleSet | None = None, possible: bool = False) -> Iterator[Audited]:
    """Audit many logs, in order; large ones in as many processes as there are processors."""
    jobs = [(name, rules, possible) for name in names]
    processes = min(len(names), os.cpu_count() or 1)
    if processes < 2 or "-" in names or sum(map(_size, names)) < WORTH_A_PROCESS:
        yield from map(_audited, jobs)
        return
    yield from _in_processes(jobs, processes)


def _in_processes(jobs: list[Job], processes: int) -> Iterator[Audited]:
    """Audit logs in processes of their own, which end with this one, whatever ends it."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    pool = ProcessPoolExecutor(processes, initializer=_end_with_parent)
    try:
        for (name, _, _), answer in [(job, pool.submit(_audited, job)) for job in jobs]:
            try:
                yield answer.result()
            except BrokenProcessPool:
                message = "the process that audited it was stopped from outside; audit it alone"
                yield Audited(name=name, error=f"{printable(name, None)}: {message}")
        pool.shutdown()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in multiprocessing.active_children():
            worker.kill()
        raise


def _end_with_parent() -> None:
    """In a worker: leave interrupts to the parent, and end when it does."""
    import multiprocessing
    import signal
    import threading
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def watch() -> None:
            wait([parent.sentinel])
            os._exit(1)

        threading.Thread(target=watch, daemon=True).start()


def _size(name: str) -> int:
    try:
        return os.path.getsize(name)
    except OSError:
        return 0


def _audited(job: Job) -> Audited:
    name, rules, possible = job
    try:
        log = open_log(name, rules)
        fold = audit_log(log, possible=possible)
    except LogUnreadable as error:
        return Audited(name=name, error=str(error))
    return Audited(
        name=name,
        findings=fold.findings,
        summary=fold.summary,
        notes=log.notes,
        incomplete=log.incomplete,
        judged_otherwise=log.judged_otherwise,
    )


def replay_log(
    log: Log | str, *, upto: int | None = None, seat: str | None = None, rules: RuleSet | None = None
) -> "Replay":
    """A log, or the file of that name, to walk about in.

    `upto`: only its first lines, as if nothing had come after them. `seat`: only what that player could know.
    `rules`: judge by these instead of those that the log names.
    Raises LogUnreadable with all bad lines, UnknownLine and UnknownSeat.
    """
    from projections.frames import Replay
    from projections.seat_view import as_seen_by, players_of

    if isinstance(log, str):
        log = open_log(log, rules)
    events: list[AnyEvent] = [event for batch in log.batches() for event in batch]
    if upto is not None and not 1 <= upto <= len(events):
        raise UnknownLine(upto, len(events), log.name)
    if seat is not None:
        players = players_of(events[:upto])
        if seat not in players:
            raise UnknownSeat(seat, players, log.name)
        events = [as_seen_by(seat, event) for event in events]
    return Replay(events[:upto])
