"""Auditing and replaying log files: the doors that the command line and scripts use."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bh99.errors import Bh99Error, GameDamaged, StoreDamaged, UnknownLine, UnknownSeat
from bh99.judging import Audited, audited
from bh99.logs import Log
from bh99.sources import find_log
from bh99.workers import each
from domain.rule_sets import RuleSet
from projections.audit import Audit, audit
from projections.printable import printable

if TYPE_CHECKING:
    from projections.frames import Replay


class Job(NamedTuple):
    """What is to be audited: a log by its name, or a game of a store."""

    name: str
    rules: RuleSet | None = None
    possible: bool = False
    store: str | None = None


def audit_log(
    log: Log | str, *, rules: RuleSet | None = None, possible: bool = False, store: str | None = None
) -> Audit:
    """Audit a log, or the file or stored game of that name ("-": standard input), without holding it in memory.

    `rules`: judge by these instead of those that the log names. `possible`: list the checks that it leaves open too.
    Raises LogUnreadable with all bad lines.
    """
    if isinstance(log, str):
        log = find_log(log, rules, store)
    return audit(log.batches, log.take_backs, possible=possible)


def audit_logs(
    names: Sequence[str], *, rules: RuleSet | None = None, possible: bool = False, store: str | None = None
) -> Iterator[Audited]:
    """Audit many logs, or stored games, in order; large ones in as many processes as there are processors."""
    yield from each(_audited, [Job(name, rules, possible, store) for name in names], _stopped)


def _stopped(job: Job) -> Audited:
    message = "the process that audited it was stopped from outside; audit it alone"
    return Audited(name=job.name, error=f"{printable(job.name, None)}: {message}")


def _audited(job: Job) -> Audited:
    try:
        return audited(find_log(job.name, job.rules, job.store), possible=job.possible)
    except Bh99Error as error:
        return Audited(name=job.name, error=str(error), damaged=isinstance(error, GameDamaged | StoreDamaged))


def replay_log(
    log: Log | str,
    *,
    upto: int | None = None,
    seat: str | None = None,
    rules: RuleSet | None = None,
    store: str | None = None,
) -> "Replay":
    """A log, or the file or stored game of that name, to walk about in.

    `upto`: only its first lines, as if nothing had come after them. `seat`: only what that player could know.
    `rules`: judge by these instead of those that the log names. `store`: the URL of the store, if it isn't the default.
    Raises LogUnreadable with all bad lines, UnknownLine and UnknownSeat.
    """
    from projections.frames import Replay
    from projections.seat_view import as_seen_by, players_of

    if isinstance(log, str):
        log = find_log(log, rules, store)
    events = log.events()
    if upto is not None and not 1 <= upto <= len(events):
        raise UnknownLine(upto, len(events), log.name)
    if seat is not None:
        players = players_of(events[:upto])
        if seat not in players:
            raise UnknownSeat(seat, players, log.name)
        events = [as_seen_by(seat, event) for event in events]
    return Replay(events[:upto])
