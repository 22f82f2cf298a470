"""Auditing and replaying log files: the doors that the command line and scripts use."""

from typing import TYPE_CHECKING

from bh99.errors import UnknownLine, UnknownSeat
from bh99.logs import Log, open_log
from domain.events import AnyEvent, GameOpened, PlayerJoined
from projections.audit import Audit, audit

if TYPE_CHECKING:
    from projections.frames import Replay


def audit_log(log: Log | str, *, possible: bool = False) -> Audit:
    """Audit a log, or the file of that name ("-": standard input), without holding it in memory.

    `possible`: list the checks that it leaves open too. Raises LogUnreadable with all bad lines.
    """
    if isinstance(log, str):
        log = open_log(log)
    return audit(log.batches, log.take_backs, possible=possible)


def replay_log(log: Log | str, *, upto: int | None = None, seat: str | None = None) -> "Replay":
    """A log, or the file of that name, to walk about in.

    `upto`: only its first lines, as if nothing had come after them. `seat`: only what that player could know.
    Raises LogUnreadable with all bad lines, UnknownLine and UnknownSeat.
    """
    from projections.frames import Replay
    from projections.seat_view import as_seen_by

    if isinstance(log, str):
        log = open_log(log)
    events: list[AnyEvent] = [event for batch in log.batches() for event in batch]
    if upto is not None and not 1 <= upto <= len(events):
        raise UnknownLine(upto, len(events), log.name)
    if seat is not None:
        players = [name for event in events[:upto] for name in _sit_down(event)]
        if seat not in players:
            raise UnknownSeat(seat, players, log.name)
        events = [as_seen_by(seat, event) for event in events]
    return Replay(events[:upto])


def _sit_down(event: AnyEvent) -> list[str]:
    if isinstance(event, GameOpened):
        return event.players
    return [event.player] if isinstance(event, PlayerJoined) else []
