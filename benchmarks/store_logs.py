"""The logs that the benchmarks of the store put into it, and the bare query that its statistics are held against."""

import pathlib
import random
from collections.abc import Iterator

import legal_games
import msgspec
import replay

from domain.events import AnyEvent
from projections.statistics import COUNTED

GAMES = 10_000
BARE_STATISTICS = f"SELECT player, {', '.join(f'sum({name})' for name in COUNTED)} FROM players GROUP BY player"
decoder = msgspec.json.Decoder(AnyEvent)


def long_logs(folder: pathlib.Path, events: int) -> list[str]:
    """The paths of seven logs with so many events together."""
    logs = folder / "logs"
    logs.mkdir()
    for seats in range(2, 9):
        (logs / f"{seats}.jsonl").write_bytes(
            replay.text_of(replay.with_faults(replay.long_game(seats, seats, events // 7), seats))
        )
    return sorted(map(str, logs.iterdir()))


def small_logs(folder: pathlib.Path) -> Iterator[str]:
    """The paths of GAMES logs of one hand each; a log is there until the next one is asked for."""
    small = [legal_games.legal_game(seed, 2 + seed % 6, hands=1) for seed in range(40)]
    path = folder / "small.jsonl"
    rng = random.Random(1)
    for number in range(GAMES):
        lines = [dict(event) for event in small[number % len(small)]]
        lines[0] |= {"game": f"g-{number}", "at": f"2026-{1 + number % 12:02}-{rng.randint(1, 28):02}T20:00:00Z"}
        path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        yield str(path)
