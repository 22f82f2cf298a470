"""What a log proves though cards are unknown: `deduce`, and what it answers (docs/worlds.md)."""

import os
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from bh99.errors import NoWorlds, UnknownLine, UnknownSeat
from bh99.logs import Log
from bh99.rows import Rows
from bh99.sources import find_log
from domain import events as ev
from domain.rule_sets import RuleSet
from projections.audit import Audit, audit_of
from projections.deduction.filling import dealer_of, deals_in_full
from projections.deduction.worlds import CannotFollow, Worlds, worlds_of
from projections.finding import Finding
from projections.open_checks import OpenCheck
from projections.seat_view import as_seen_by, players_of
from projections.take_backs import undone_in

EVENLY: Final = "drawn evenly: each log that agrees is as likely as any other"
UNEVENLY: Final = (
    "drawn card by card, as the game went, not quite evenly: where an unseen card was played, or there are several of "
    "each card, logs with fewer choices on their way come more often"
)


class Deduction:
    """What every deal that agrees with a log has in common, and where they differ."""

    def __init__(self, name: str, events: Sequence[ev.AnyEvent]) -> None:
        self.name = name
        self.events = events
        self._undone = undone_in(events)
        self._audit = self._upto(len(events))
        self.how_drawn = EVENLY
        """How evenly the last samples were drawn, in words."""

    def _upto(self, line: int) -> Audit:
        return audit_of(self.events[:line], self._undone, trails=True)

    def __len__(self) -> int:
        return len(self.events)

    @property
    def proved(self) -> Rows[Finding]:
        """The rules that are broken in every deal, with the lines that prove it."""
        return Rows(self._audit.findings, Finding.__struct_fields__)

    @property
    def left_open(self) -> list[OpenCheck]:
        """The rules that are broken in some deals, with what would settle each."""
        return self._audit.summary.left_open

    def worlds(self, line: int) -> Worlds:
        """What may be in which hand after a line, by all that the log tells before and after it.

        Raises UnknownLine, and NoWorlds where it can't be told.
        """
        if not 1 <= line <= len(self.events):
            raise UnknownLine(line, len(self.events), self.name)
        audit = self._upto(self._end_of_hand(line))
        try:
            return worlds_of(audit.trails(), line, audit.table.hand)
        except CannotFollow as reason:
            raise NoWorlds(self.name, line, str(reason)) from None

    def _end_of_hand(self, line: int) -> int:
        """The last line before the next deal or void that stands."""
        for at in range(line + 1, len(self.events) + 1):
            if isinstance(self.events[at - 1], ev.HandDealt | ev.HandVoided) and self._undone.by(at) is None:
                return at - 1
        return len(self.events)

    def samples(self, number: int, seed: int = 0) -> Iterator[list[ev.AnyEvent]]:
        """Logs that agree with this one and leave no card of a line that stands unknown; the same seed, the same logs.

        Raises NoWorlds where the cards of some hand can't be told.
        """
        ends = [
            self._end_of_hand(line)
            for line, event in enumerate(self.events, 1)
            if isinstance(event, ev.HandDealt) and self._undone.by(line) is None
        ]
        try:
            trails = [(self._upto(end).trails(), end) for end in dict.fromkeys(ends)]
            dealers = [dealer_of(some, end) for some, end in trails if some]
            even = all(dealer.even for dealer in dealers)
            self.how_drawn = EVENLY if even else UNEVENLY
            yield from deals_in_full(self.events, dealers, number, Random(seed))
        except CannotFollow as reason:
            raise NoWorlds(self.name, None, str(reason)) from None


def deduce(
    log: Log | str | os.PathLike[str],
    *,
    seat: str | None = None,
    upto: int | None = None,
    rules: RuleSet | None = None,
    store: str | None = None,
) -> Deduction:
    """What a log proves though cards are unknown, of the file or stored game of that name.

    `seat`: by what this player could know. `upto`: by its first lines alone. `rules`: by these instead of those that it
    names. Raises LogUnreadable with all bad lines, UnknownLine and UnknownSeat.
    """
    if not isinstance(log, Log):
        log = find_log(os.fspath(log), rules, store)
    events = log.events()
    if upto is not None and not 1 <= upto <= len(events):
        raise UnknownLine(upto, len(events), log.name)
    events = events[:upto]
    if seat is not None:
        players = players_of(events)
        if seat not in players:
            raise UnknownSeat(seat, players, log.name)
        events = [as_seen_by(seat, event) for event in events]
    return Deduction(log.name, events)
