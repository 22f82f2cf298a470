"""Bots against each other with common deals: what it is worth to play like one of them instead of like another."""

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from bh99.intervals import Mean, mean_of
from bh99.simulating.batches import Batch, each_batch, numbers_of
from bh99.simulating.games import hands_played
from bh99.simulating.plan import Plan, plan_of
from domain.rule_sets import RuleSet
from projections.outcomes import Measure, measures_of


class Compared(msgspec.Struct, frozen=True, omit_defaults=True):
    """What it changes for one player, at a table of so many, to play like `bot` and not like all the others do: the
    mean difference of each rate. A game of Bong Hit 99 is one hand; of a match, `lose` is the share of its hands."""

    bot: str
    against: str
    players: int
    games: int
    win: Mean | None = None
    hit: Mean | None = None
    load: Mean | None = None
    lose: Mean | None = None
    match: Mean | None = None


class Comparison(msgspec.Struct, frozen=True):
    """What `compare` answers: a row a bot and number of players."""

    rules: str
    seed: int
    rows: list[Compared]


class _Games(Batch, frozen=True):
    """Games played with the same deals by `usual`, and by each of `plans`, where one seat is taken otherwise."""

    plans: tuple[Plan, ...]
    usual: Plan


_Differences = dict[Measure, Counter[float]]


def compare(
    rules: RuleSet,
    bots: Sequence[str],
    against: str,
    players: Sequence[int],
    games: int,
    seed: int,
    *,
    processes: int | None = None,
    done: Callable[[int], object] = lambda games: None,
) -> Comparison:
    """Play each bot on one seat among others of the kind `against`, and the same deals with that kind on all seats.

    players: how many sit at the table, each of these numbers by itself. Raises NotSimulated.
    """
    rows: dict[tuple[str, int], Compared] = {}
    for seats in players:
        usual = plan_of(rules, [against] * seats, seed, hands=None if rules.tokens else 1)
        plans = tuple(plan_of(rules, [bot, *[against] * (seats - 1)], seed, hands=usual.hands) for bot in bots)
        found = _no_differences(rules, len(bots))
        batches = [_Games(numbers, plans, usual) for numbers in numbers_of(games)]
        for batch, differences in zip(batches, each_batch(_play, batches, processes), strict=True):
            for total, of_batch in zip(found, differences, strict=True):
                for measure, counts in of_batch.items():
                    total[measure].update(counts)
            done(len(batch.numbers) * len(bots))
        for bot, total in zip(bots, found, strict=True):
            means = {measure: mean_of(sorted(counts.items())) for measure, counts in total.items()}
            rows[bot, seats] = Compared(bot=bot, against=against, players=seats, games=games, **means)
    return Comparison(rules.ref, seed, [rows[bot, seats] for bot in bots for seats in players])


def _no_differences(rules: RuleSet, bots: int) -> list[_Differences]:
    return [{measure: Counter() for measure in measures_of(rules)} for _ in range(bots)]


def _play(batch: _Games) -> list[_Differences]:
    """The differences of each plan; the usual games, which all are held against, are played once."""
    found = _no_differences(batch.usual.rules, len(batch.plans))
    for number in batch.numbers:
        usual = _shares(batch.usual, number)
        for plan, differences in zip(batch.plans, found, strict=True):
            one = _shares(plan, number)
            for measure, counts in differences.items():
                counts[one[measure] - usual[measure]] += 1
    return found


def _shares(plan: Plan, number: int) -> dict[Measure, float]:
    """How often each is true of the first seat, of its hands; of a match, whether it is won. The deals are those of
    the number, whoever sits there."""
    first, times, hands = plan.players[0], Counter[Measure](), 0
    for hand in hands_played(plan, number, lambda deal: plan.chance(number, deal)):
        hands += first in hand.dealt_in
        times.update(measure for measure, players in hand.outcome.items() if first in players)
    return {measure: times[measure] / (1 if measure == "match" else hands or 1) for measure in measures_of(plan.rules)}
