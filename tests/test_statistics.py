"""Statistics and loading duty, against a small fold that shares no code with them."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from legal_games import legal_game
from legal_matches import legal_match
from match_table import GAMES
from small_fold import duties, statistics
from tables import as_events, take_backs_of

from projections.chronicle import GameRecord, chronicle


def told(lines: list[dict[str, Any]], longest: int = 50) -> GameRecord:
    """What the chronicle keeps of a log, read in batches of so many lines."""
    events = as_events(lines)
    batches = [events[at : at + longest] for at in range(0, len(events), longest)]
    return chronicle(lambda: batches, lambda: take_backs_of(events))


def counts_of(record: GameRecord) -> dict[str, Counter[str]]:
    tallies = {name: msgspec.to_builtins(tally) for name, tally in record.tallies.items()}
    return {name: Counter({key: n for key, n in tally.items() if n}) for name, tally in tallies.items()}


def games() -> Iterator[list[dict[str, Any]]]:
    """A thousand games of Bong Hit 99 and matches, with voids, take-backs, leavers and split prizes."""
    for seed in range(700):
        yield legal_game(seed + 4000, 2 + seed % 12)
    for seed in range(300):
        yield legal_match(seed + 4000, 2 + seed % 5, sorted(GAMES)[seed % len(GAMES)])


def test_a_thousand_random_games_give_what_a_small_fold_of_their_own_gives() -> None:
    seen: Counter[str] = Counter()
    for lines in games():
        record = told(lines, longest=1 + len(lines) % 40)
        assert counts_of(record) == statistics(lines)
        assert msgspec.to_builtins(record.duties) == duties(lines)
        seen.update(event["type"] for event in lines)
        for tally in counts_of(record).values():
            seen.update(tally.keys())
    never = {"miscalls"}
    assert {*Counter(seen)} >= {"hand_voided", "taken_back", "player_left", "player_joined"}
    from projections.statistics import COUNTED

    assert set(COUNTED) - seen.keys() == never
