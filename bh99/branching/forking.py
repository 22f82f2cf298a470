"""A game that shares its first lines with another one, and goes on otherwise: `fork` (docs/whatif.md)."""

import hashlib
import os
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from bh99.bots import bot_called
from bh99.branching.odds import check_it_may_come
from bh99.branching.tables import TRIES, NotKnown, Tables, lay_open, played_out
from bh99.errors import NotForked, UnknownLine
from bh99.logs import Log
from bh99.simulating.games import hands_of
from bh99.sources import find_log
from domain import events as ev
from domain.deciding import SelfPlay
from domain.referee.dues import between_hands
from domain.rule_sets import RuleSet
from domain.table import Table
from projections.records import SIMULATED

_encode: Final = msgspec.json.Encoder().encode


class Fork:
    """A fork as it grows: the lines that are shared, as they are logged, and the events of them and behind them."""

    def __init__(self, log: Log, line: int, game: str | None) -> None:
        """The lines before `line`, and the one that says so. Raises UnknownLine, and NotForked behind the close."""
        pairs = [pair for events, lines in log.with_lines() for pair in zip(events, lines, strict=True)]
        if not 2 <= line <= len(pairs) + 1:
            raise UnknownLine(line, len(pairs) + 1, log.name)
        self.name = log.name
        self.given = [event for event, _ in pairs[line - 1 :]]
        self.shared = [text for _, text in pairs[: line - 1]]
        self.events: list[ev.AnyEvent] = [event for event, _ in pairs[: line - 1]]
        if any(isinstance(event, ev.GameClosed) for event in self.events):
            raise NotForked(log.name, f"the game was closed before line {line}, and nothing can follow")
        self.line = line
        self._numbered = self.events[-1].seq is not None
        """Whether the events have numbers (`seq`), which then go on."""
        self.forked = ev.GameForked(game=game or self._id(), source=_id_of(self.events), line=line - 1)
        self.add(self.forked)

    def _id(self) -> str:
        """The same for whoever forks the same lines there."""
        return "fork-" + hashlib.blake2b(b"\n".join([*self.shared, b"%d" % self.line])).hexdigest()[:16]

    def add(self, event: ev.AnyEvent) -> None:
        """One more event, with the next number if they have numbers."""
        seq = (self.events[-1].seq or 0) + 1 if self._numbered else None
        self.events.append(event if event.seq == seq else msgspec.structs.replace(event, seq=seq))

    def mark(self, ext: Mapping[str, Any]) -> None:
        """Say on the line of the fork how it goes on."""
        at = len(self.shared)
        self.events[at] = msgspec.structs.replace(self.events[at], ext=dict(ext))

    @property
    def lines(self) -> list[bytes]:
        """The log, line by line, without line feeds."""
        return [*self.shared, *map(_encode, self.events[len(self.shared) :])]

    # ---- how it goes on ----

    def go_on_as_given(self, from_line: int) -> None:
        """As the other game did, from a line of it on; what names a line behind the fork names the same event."""
        for line, event in enumerate(self.given[from_line - self.line :], from_line):
            if isinstance(event, ev.GameForked):
                raise NotForked(self.name, f"line {line} is a fork itself, to game {event.game}; fork behind it")
            about = getattr(event, "about", 0)
            self.add(msgspec.structs.replace(event, about=about + 1) if about >= self.line else event)

    def go_on_by_bots(self, bots: Sequence[str], hands: int | None, seed: int) -> None:
        """As bots play: to the end of the hand, or of the next one between hands, and `hands` more. Unseen cards lie as
        in a deal that agrees.

        bots: one for all seats, or one for each. Raises UnknownBot, NotForked for other numbers of bots and for a game
        that can't be played on, and NoWorlds where the cards can't be told.
        """
        rng = random.Random(seed)
        table = self._table(rng)
        seats = table.names
        if len(bots) not in (1, len(seats)):
            raise NotForked(self.name, f"there are {len(seats)} seats; expected one bot, or one for each")
        kinds = dict(zip(seats, bots if len(bots) > 1 else [*bots] * len(seats), strict=True))
        self.mark({SIMULATED: True, "bots": kinds, "seed": seed})
        play = SelfPlay(table, {player: bot_called(kind) for player, kind in kinds.items()}, rng.getrandbits)
        more = (hands or 0) + between_hands(table)
        try:
            events = played_out(play)
        except NotKnown as reason:
            raise NotForked(self.name, str(reason)) from None
        if between_hands(table):
            events += [event for hand in hands_of(play, more) for event in hand.events]
        for event in events:
            self.add(event)

    def _table(self, rng: random.Random) -> Table:
        """The table after all lines so far, each card known."""
        tables = Tables(self.name, self.events, rng)
        for _ in range(TRIES * TRIES):
            sample = tables.draw()
            if sample is not None:
                table = sample.audit.table
                lay_open(table, rng)
                return table
        raise NotForked(self.name, "too few of the deals by chance agreed")


def _id_of(events: Sequence[ev.AnyEvent]) -> str | None:
    """The id of the game that lines are of; None if it gives itself none."""
    last = next((event for event in reversed(events) if isinstance(event, ev.GameForked | ev.GameOpened)), None)
    return None if last is None else last.game


def fork(
    log: Log | str | os.PathLike[str],
    line: int,
    *,
    replace: ev.AnyEvent | None = None,
    as_given: bool = False,
    bots: Sequence[str] = (),
    hands: int | None = None,
    seed: int = 0,
    game: str | None = None,
    rules: RuleSet | None = None,
    store: str | None = None,
) -> list[ev.AnyEvent]:
    """The events of a new game that shares the lines before `line` with another: they end with `game_forked`, and with
    `replace` where one is given. Then it goes on as the other one did, or as bots play, or not at all yet.

    Raises LogUnreadable, UnknownLine, UnknownBot, NoWorlds and NotForked.
    """
    if not isinstance(log, Log):
        log = find_log(os.fspath(log), rules, store)
    return forked(log, line, replace, as_given, bots, hands, seed, game).events


def forked(
    log: Log,
    line: int,
    replace: ev.AnyEvent | None,
    as_given: bool,
    bots: Sequence[str],
    hands: int | None,
    seed: int,
    game: str | None,
) -> Fork:
    """As `fork`, with the shared lines as they are logged."""
    found = Fork(log, line, game)
    if replace is not None:
        check_it_may_come(log.name, replace, found.events)
        found.add(replace)
    if as_given:
        found.go_on_as_given(line if replace is None else line + 1)
    if bots:
        found.go_on_by_bots(bots, hands, seed)
    return found
