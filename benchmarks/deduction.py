"""How long the audit of a log with unknown cards takes, against the audit of the same log with all cards.

    uv run python benchmarks/deduction.py

The logs are legal evenings of Bong Hit 99 as the table saw them: no hands, no stock, no drawn cards. Printed are, for
about 300 and 3,000 events and for 4 and 13 seats, the time in this process with all cards, as seen, their ratio (best
of three, interleaved), and the whole process as a user starts it; then the same for an evening of which only the Counts
were written down. With `--faults`: how often a fault is provable in 10,000 faulty games with gaps, by kind.
"""

import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "benchmarks")]

import broken_games  # noqa: E402
from legal_logs import blanked, half_blanked  # noqa: E402
from replay import long_game  # noqa: E402
from tables import as_events, audited  # noqa: E402

Log = list[dict[str, Any]]
SEED = 7
GAMES = 10_000


def seconds(log: Log) -> float:
    events = as_events(log)
    start = time.perf_counter()
    _ = audited(events).summary
    return time.perf_counter() - start


def process_seconds(log: Log) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "log.jsonl"
        path.write_text("".join(json.dumps(event) + "\n" for event in log))
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", "from cli.main import run; run()", "audit", str(path)], capture_output=True
        )
        return time.perf_counter() - start


def counts_only(log: Log) -> Log:
    """As seen, and of the plays only what was said."""
    return [{**event, "card": None} if event["type"] == "card_played" else event for event in blanked(log)]


def show(name: str, whole: Log, seen: Log) -> None:
    best_whole = best_seen = float("inf")
    for _ in range(3):
        best_whole, best_seen = min(best_whole, seconds(whole)), min(best_seen, seconds(seen))
    ratio, process = best_seen / best_whole, process_seconds(seen)
    print(f"{name:<34} {len(seen):>5} events  {best_whole * 1000:>7.1f} ms  {best_seen * 1000:>8.1f} ms"
          f"  {ratio:>6.1f}  {process:>6.2f} s")  # fmt: skip


def faults() -> None:
    """How often a fault is provable, by the kind of the fault, in games with gaps."""
    provable: collections.Counter[str] = collections.Counter()
    played: collections.Counter[str] = collections.Counter()
    kinds = sorted(broken_games.KINDS)
    start, spent, seed = time.perf_counter(), 0.0, 0
    while sum(played.values()) < GAMES:
        kind = kinds[seed % len(kinds)]
        seed += 1
        game = broken_games.broken_game(kind, seed)
        if game is None:
            continue
        log = half_blanked(game.events, seed) if random.Random(seed).random() < 0.5 else blanked(game.events)
        began = time.perf_counter()
        found = audited(as_events(log)).findings
        spent += time.perf_counter() - began
        played[kind] += 1
        provable[kind] += bool(found)
    for kind in kinds:
        if played[kind]:
            print(f"{kind:<32} {provable[kind]:>5} of {played[kind]:>5}  {100 * provable[kind] / played[kind]:>5.1f} %")
    whole = time.perf_counter() - start
    print(f"{sum(provable.values())} of {GAMES} provable; audits {spent:.0f} s, with playing the games {whole:.0f} s")


def main() -> None:
    if "--faults" in sys.argv:
        faults()
        return
    print(f"{'':<34} {'':>12}  {'all cards':>10}  {'as seen':>11}  {'ratio':>6}  {'process':>8}")
    for seats in (4, 13):
        for size in (300, 3000):
            whole = long_game(SEED, seats, size)
            show(f"{seats} seats, as seen", whole, blanked(whole))
    whole = long_game(SEED, 4, 300)
    show("4 seats, Counts alone", whole, counts_only(whole))


if __name__ == "__main__":
    main()
