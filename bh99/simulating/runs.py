"""So many games: shared out among processes, counted, audited, and written down if wanted."""

import os
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from bh99.errors import NotSimulated
from bh99.intervals import Rate, rate_of
from bh99.new_files import write_new
from bh99.simulating.batches import Batch, each_batch, numbers_of
from bh99.simulating.games import Played, played_game
from bh99.simulating.plan import Plan
from domain import events as ev
from projections.audit import audit_of, opening
from projections.outcomes import MEASURES, Measure, measures_of
from projections.take_backs import Undone

_encode_lines: Final = msgspec.json.Encoder().encode_lines


class SeatRates(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one seat. Rates are of the hands that it was dealt into, those that were voided left out; that of
    matches, of the games."""

    player: str
    bot: str
    hands: int
    win: Rate | None = None
    hit: Rate | None = None
    load: Rate | None = None
    lose: Rate | None = None
    match: Rate | None = None


class Simulation(msgspec.Struct, frozen=True):
    """What `simulate` answers. `findings`: what an audit has found in the games; there is none in games that are
    played right."""

    rules: str
    seed: int
    games: int
    hands: int
    voided: int
    events: int
    findings: int
    seats: list[SeatRates]


class _Games(Batch, frozen=True):
    """Some of the games of a plan, and the folder that their logs go to."""

    plan: Plan
    folder: str | None


class _Counts(msgspec.Struct):
    """What games came to: in all, and for each seat."""

    games: int = 0
    hands: int = 0
    voided: int = 0
    events: int = 0
    findings: int = 0
    dealt_in: dict[str, int] = {}
    times: dict[tuple[str, Measure], int] = {}

    def add(self, other: "_Counts") -> None:
        self.games += other.games
        self.hands += other.hands
        self.voided += other.voided
        self.events += other.events
        self.findings += other.findings
        for player, hands in other.dealt_in.items():
            self.dealt_in[player] = self.dealt_in.get(player, 0) + hands
        for key, times in other.times.items():
            self.times[key] = self.times.get(key, 0) + times


def simulate(
    plan: Plan,
    games: int,
    *,
    processes: int | None = None,
    logs: str | None = None,
    done: Callable[[int], object] = lambda games: None,
) -> Simulation:
    """Play so many games by a plan, and audit each.

    processes: as many as there are processors, if it isn't said. logs: the folder that they are written to, a file a
    game; none is written over. done: is told of each batch how many games it had. Raises NotSimulated, where a log
    can't be written or a process was ended from outside.
    """
    total = _Counts()
    batches = [_Games(numbers, plan, logs) for numbers in numbers_of(games)]
    for counts in each_batch(_play, batches, processes):
        total.add(counts)
        done(counts.games)
    return Simulation(
        rules=plan.rules.ref,
        seed=plan.seed,
        games=total.games,
        hands=total.hands,
        voided=total.voided,
        events=total.events,
        findings=total.findings,
        seats=[_rates(plan, total, player, bot) for player, bot in zip(plan.players, plan.bots, strict=True)],
    )


def _play(batch: _Games) -> _Counts:
    counts = _Counts()
    for number in batch.numbers:
        played = played_game(batch.plan, number)
        _count(counts, played)
        counts.findings += findings_in(played)
        if batch.folder is not None:
            _write(os.path.join(batch.folder, f"{opening(played.events).game}.jsonl"), played.events)
    return counts


def _write(path: str, events: Sequence[ev.AnyEvent]) -> None:
    try:
        write_new(path, _encode_lines(events))
    except OSError as fault:
        raise NotSimulated(f"{path} can't be written: {fault.strerror}") from None


def findings_in(game: Played) -> int:
    """How many findings an audit has in a whole game; nothing is taken back in it."""
    return len(audit_of(game.events, Undone(())).findings)


def _count(counts: _Counts, played: Played) -> None:
    counts.games += 1
    counts.events += len(played.events)
    dealt_in, times = counts.dealt_in, counts.times
    for hand in played.hands:
        counts.hands += 1
        counts.voided += not hand.dealt_in
        for player in hand.dealt_in:
            dealt_in[player] = dealt_in.get(player, 0) + 1
        for measure, players in hand.outcome.items():
            for player in players:
                times[player, measure] = times.get((player, measure), 0) + 1


def _rates(plan: Plan, total: _Counts, player: str, bot: str) -> SeatRates:
    hands = total.dealt_in.get(player, 0)
    of = dict.fromkeys(MEASURES, hands) | {"match": total.games}
    rates = {
        measure: rate_of(total.times.get((player, measure), 0), of[measure]) for measure in measures_of(plan.rules)
    }
    return SeatRates(player=player, bot=bot, hands=hands, **rates)
