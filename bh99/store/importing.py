"""Importing logs: each game is stored whole or not at all, and what became of each log is told."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from bh99.errors import LogUnreadable, Problem
from bh99.logs import Log, open_log
from bh99.store.games import TakenIn, topic_of
from bh99.store.identity import Ids, ids_of
from domain.events import GameForked, TakenBack
from projections.take_backs import Undone

Outcome = Literal["imported", "continued", "already there", "fork", "forgotten", "unreadable"]


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one log. `added`: lines that are new in the store. `line`: the first one of a fork that differs.

    `findings`: proved findings of the game as it is stored now; None if the log was refused.
    """

    log: str
    outcome: Outcome
    game: str | None = None
    added: int = 0
    line: int | None = None
    findings: int | None = None
    incomplete: bool = False
    notes: list[str] = []
    problems: list[Problem] = []

    @property
    def refused(self) -> bool:
        return self.outcome in ("fork", "forgotten", "unreadable")


def import_log(path: str, take_in: "Callable[[ToStore], TakenIn]") -> Imported:
    """Store the log in a file; "-" is standard input, which can be read but once. Raises what `take_in` raises."""
    try:
        log = open_log(path)
        read = read_to_store(log)
    except LogUnreadable as error:
        return Imported(log=path, outcome="unreadable", problems=error.problems)
    taken = take_in(read)
    return Imported(
        log=path,
        outcome=taken.outcome,
        game=taken.game,
        added=taken.added,
        line=taken.differs,
        incomplete=log.incomplete,
        notes=log.notes,
    )


class ToStore(NamedTuple):
    """A log as it is stored: its ids, and of each line the topic and the bytes."""

    ids: Ids
    topics: list[str]
    lines: list[bytes]


def read_to_store(log: Log) -> ToStore:
    """A log, with every line checked. Raises LogUnreadable."""
    topics: list[str] = []
    lines: list[bytes] = []
    forks: list[tuple[int, GameForked]] = []
    take_backs: list[tuple[int, TakenBack]] = []
    for events, of_events in log.with_lines():
        for line, event in enumerate(events, len(lines) + 1):
            if isinstance(event, GameForked):
                forks.append((line, event))
            elif isinstance(event, TakenBack):
                take_backs.append((line, event))
        topics += map(topic_of, events)
        lines += of_events
    undone = Undone(take_backs)
    forked = next((fork for line, fork in reversed(forks) if undone.by(line) is None), None)
    return ToStore(ids_of(log.opened, forked, lines), topics, lines)
