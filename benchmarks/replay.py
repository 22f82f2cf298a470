"""How long an audit takes, against the floor of decoding the same lines in the same process.

    uv run python benchmarks/replay.py [EVENTS]        (a million by default)

The logs: 2 to 8 seats, every second one as seen at the table, a fault in a thousand events. Printed are ratios to D,
the time that `msgspec.json.Decoder(AnyEvent).decode(line)` takes for all lines; best of three, interleaved.
The same for Ninety-Nine with tokens, chips and pennies, in matches that last long enough.
Then the time of the command for all logs at once, in as many processes as it takes.
Then the peak memory of auditing one log of all the events and of a tenth of them, and the start-up of the command.
"""

import dataclasses
import gc
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import legal_games  # noqa: E402
import legal_matches  # noqa: E402
import match_table  # noqa: E402
import msgspec  # noqa: E402

from bh99.audits import audit_log  # noqa: E402
from bh99.logs import open_log  # noqa: E402
from domain.events import AnyEvent  # noqa: E402

HABITS = legal_games.Habits(void=0.0, ruling=0.0, recount=0.0)


def long_game(seed: int, seats: int, events: int) -> list[dict[str, Any]]:
    """A legal game of about so many events."""
    rng = random.Random(seed)
    host = legal_games.Host(legal_games.opened_game(rng, seats), rng, HABITS)
    while len(host.world.events) < events or host.world.hand_on:
        host.step()
    return host.world.events


RICH = 10**9
"""Tokens each, so that a match outlasts the benchmark."""


def long_match(seed: int, seats: int, events: int, game: match_table.Game) -> list[dict[str, Any]]:
    """A legal match of about so many events."""
    rules = {"base": game.name, "name": "long", "tokens": {"1": RICH}}
    rich = dataclasses.replace(game, tokens=(RICH, RICH))
    rng = random.Random(seed)
    world = match_table.World(rich, list(legal_games.NAMES[:seats]), rules)
    host = legal_matches.Host(world, rng, legal_matches.Habits(ruling=0, recount=0, tokens=0))
    while len(world.events) < events or world.hand_on:
        host.step()
    return world.events


def with_faults(events: list[dict[str, Any]], seed: int) -> list[dict[str, Any]]:
    """A fault in about a thousand: a Count said wrong, a draw left out, a name written for another."""
    rng = random.Random(seed)
    players = events[0]["players"]
    broken = []
    for event in events:
        if rng.random() < 1 / 1000 and event["type"] in ("card_played", "card_drawn"):
            if event["type"] == "card_drawn" and rng.random() < 0.5:
                continue
            if event["type"] == "card_drawn":
                event = {**event, "player": rng.choice([name for name in players if name != event["player"]])}
            elif event["count"] is not None:
                event = {**event, "count": (event["count"] + 1) % 100}
        broken.append(event)
    return broken


def text_of(events: list[dict[str, Any]]) -> bytes:
    lines = []
    for second, event in enumerate(events):
        at = f"2026-11-{1 + second // 86400 % 28:02}T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}Z"
        lines.append(msgspec.json.encode(msgspec.convert({**event, "at": at}, AnyEvent)))
    return b"\n".join(lines) + b"\n"


def logs(folder: pathlib.Path, events: int) -> None:
    """The logs of the benchmark, in files."""
    for seats in range(2, 9):
        game = with_faults(long_game(seats, seats, events // 14), seats)
        for name, log in ((f"{seats}-known", game), (f"{seats}-seen", legal_games.blanked(game))):
            (folder / f"{name}.jsonl").write_bytes(text_of(log))


def matches(folder: pathlib.Path, events: int) -> None:
    """Logs of the other games, in files."""
    games = [match_table.GAMES[f"ninety-nine-{name}"] for name in ("tokens", "chips", "pennies")]
    for seats in range(2, 9, 2):
        for game in games:
            match = with_faults(long_match(seats, seats, events // 24, game), seats)
            for name, log in (("known", match), ("seen", legal_games.blanked(match))):
                (folder / f"{game.name}-{seats}-{name}.match").write_bytes(text_of(log))


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def floor(lines: list[bytes]) -> None:
    decode = msgspec.json.Decoder(AnyEvent).decode
    for line in lines:
        decode(line)


def read_all(path: pathlib.Path) -> None:
    for _ in open_log(str(path)).batches():
        pass


def peak_memory(path: pathlib.Path) -> int:
    """Peak resident memory of auditing a log in a process of its own, in KiB."""
    script = (
        "import sys; from bh99.audits import audit_log; audit_log(sys.argv[1]);"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return int(run.stdout)


def start_up(log: pathlib.Path) -> tuple[float, float]:
    """Seconds of `python -c pass` and of `bh99 audit` of a small log, whole processes, best of twenty."""
    script = "from cli import start; start()"
    nothing = min(timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)) for _ in range(20))
    command = [sys.executable, "-c", script, "audit", str(log)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled once, as installed programs are
    audit = min(timed(lambda: subprocess.run(command, env=environment, capture_output=True)) for _ in range(20))
    return nothing, audit


def write_logs(folder: pathlib.Path, events: int) -> None:
    """The logs, one long log, a tenth of it and one evening of it; written by a process of its own."""
    logs(folder, events)
    matches(folder, events // 2)
    game = text_of(with_faults(long_game(1, 4, events), 1))
    for name, lines in (("one", events), ("tenth", events // 10), ("evening", 250)):
        (folder / f"{name}.part").write_bytes(b"\n".join(game.split(b"\n", lines)[:-1]) + b"\n")


def measure(path: pathlib.Path) -> tuple[int, float, float, float]:
    """How many events a log has, and the best of three times for the floor, reading, and auditing; interleaved."""
    lines = [line for line in path.read_bytes().split(b"\n") if line]
    rounds = [
        (timed(lambda: floor(lines)), timed(lambda: read_all(path)), timed(lambda: audit_log(str(path))))
        for _ in range(3)
    ]
    best = [min(times) for times in zip(*rounds, strict=True)]
    return len(lines), best[0], best[1], best[2]


def all_at_once(folder: pathlib.Path) -> float:
    """Seconds of the whole command for all logs of a folder."""
    command = [sys.executable, "-c", "from cli import start; start()", "audit", str(folder), "--format", "jsonl"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return min(timed(lambda: subprocess.run(command, env=environment, capture_output=True)) for _ in range(3))


def main() -> None:
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    if len(sys.argv) > 2:
        write_logs(pathlib.Path(sys.argv[2]), events)
        return
    gc.disable()  # as the command does
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, __file__, str(events), name], check=True)
        paths = sorted(folder.glob("*.jsonl"))
        lines, d, read, audit = (sum(column) for column in zip(*map(measure, paths), strict=True))
        _, others_d, _, others = (sum(each) for each in zip(*map(measure, folder.glob("*.match")), strict=True))
        summaries = [audit_log(str(path)).summary for path in paths]
        hands, findings = sum(s.hands for s in summaries), sum(s.findings for s in summaries)
        print(f"{lines} events, {hands} hands, {findings} findings")
        print(f"D                     {lines / d / 1e6:.2f} million events/s")
        print(f"read, with all checks {read / d:.2f} D")
        print(f"read and audit        {audit / d:.2f} D")
        print(f"Ninety-Nine           {others / others_d:.2f} D, {others / others_d / (audit / d):.2f} times that")
        print(f"the command, at once  {all_at_once(folder) / d:.2f} D")
        much, little = peak_memory(folder / "one.part"), peak_memory(folder / "tenth.part")
        print(f"peak memory           {much / 1024:.0f} MiB, {much / little:.2f} times that of a tenth")
        nothing, start = start_up(folder / "evening.part")
        print(f"audit of one evening  {start / nothing:.1f} times python -c pass")


if __name__ == "__main__":
    main()
