"""What simulated games cost, and how long odds take.

    uv run python benchmarks/simulate.py [GAMES]        (300 games a round by default)
    uv run --with open_spiel python benchmarks/simulate.py        (with the comparison)

Games of bots that play at random, at tables of 2 to 8. Printed are the times to play and to audit an event as ratios to
D, the time that `msgspec.json.Decoder(AnyEvent).decode(line)` takes for a line of the same games as the service writes
them, with the time of each (best of five rounds, interleaved game by game, in one process). Then events and dealt cards
a second, against the steps a second of OpenSpiel's crazy_eights in the same process, played at random through Python:
there each card that is dealt is a step. Then the same games in two processes, and odds of a thousand deals.
"""

import datetime
import gc
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import msgspec  # noqa: E402

from bh99.branching import whatif  # noqa: E402
from bh99.simulating import plan_of, simulate  # noqa: E402
from bh99.simulating.games import played_game  # noqa: E402
from bh99.simulating.runs import findings_in  # noqa: E402
from domain.events import AnyEvent, HandDealt  # noqa: E402
from domain.shipped_rules import rules_named  # noqa: E402

ROUNDS = 5
SETS = ("bong-hit-99", "ninety-nine-tokens", "ninety-nine-chips", "ninety-nine-pennies")
NOON = datetime.datetime(2026, 12, 1, 12, tzinfo=datetime.UTC)
decode = msgspec.json.Decoder(AnyEvent).decode


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    made = work()
    return time.perf_counter() - start, made


def lines_of(events: list[AnyEvent]) -> list[bytes]:
    """The lines of a game as the service writes them."""
    return [
        msgspec.json.encode(msgspec.structs.replace(event, at=NOON + datetime.timedelta(seconds=second)))
        for second, event in enumerate(events)
    ]


def decode_all(lines: list[bytes]) -> None:
    for line in lines:
        decode(line)


def round_of(name: str, games: int) -> tuple[float, float, float, int, int]:
    """Seconds to play, to audit and to decode some games; their events, and the cards that were dealt."""
    playing = auditing = floor = 0.0
    events = cards = 0
    for seats in range(2, 9):
        plan = plan_of(rules_named(name), ["random"] * seats, seats)
        for number in range(1, games // 7 + 1):
            took, played = timed(partial(played_game, plan, number))
            playing += took
            took, found = timed(partial(findings_in, played))
            auditing += took
            assert not found
            lines = lines_of(played.events)
            floor += timed(partial(decode_all, lines))[0]
            events += len(lines)
            deals = [event for event in played.events if isinstance(event, HandDealt)]
            cards += sum(len(hand) for deal in deals for hand in deal.hands.values())
    return playing, auditing, floor, events, cards


def crazy_eights(games: int) -> float | None:
    """Steps a second of OpenSpiel, at random, at tables of 2 to 8; None if it isn't installed."""
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        return None
    rng, steps = random.Random(1), 0
    start = time.perf_counter()
    for seats in range(2, 9):
        game = pyspiel.load_game(f"crazy_eights(players={seats})")
        for _ in range(games // 7):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[int(rng.random() * len(actions))])
                steps += 1
    return steps / (time.perf_counter() - start)


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    gc.disable()  # as the command does
    round_of(SETS[0], 70)
    rate, spiel = 0.0, None
    for name in SETS:
        rounds = []
        for _ in range(ROUNDS):
            rounds.append(round_of(name, games))
            if name == SETS[0]:
                playing, auditing, _, events, cards = rounds[-1]
                rate = max(rate, (events + cards) / (playing + auditing))
                spiel = max(spiel or 0.0, crazy_eights(games) or 0.0) or None
        playing, auditing, d = (min(column) for column in zip(*(each[:3] for each in rounds), strict=True))
        each = f"{playing / d:.2f} + {auditing / d:.2f} = {(playing + auditing) / d:.2f} D an event"
        speed = rounds[0][3] / (playing + auditing) / 1e3
        print(f"{name:20} play + audit {each}, {speed:.0f} thousand a second")
    if spiel is None:
        print("OpenSpiel is not installed")
    else:
        print(f"steps a second       {rate / spiel:.2f} times crazy_eights' {spiel / 1e3:.0f} thousand")
    plan = plan_of(rules_named("bong-hit-99"), ["random"] * 4, 1)
    one, two = (min(timed(partial(simulate, plan, games * 7, processes=p))[0] for _ in range(3)) for p in (1, 2))
    print(f"two processes        {one / two:.2f} times one")
    for log, line in (("disputed-steal", 39), ("disputed-slide", 18), ("tokens-wrong-player-pays", 24)):
        took = min(timed(partial(whatif, f"{ROOT}/fixtures/{log}.jsonl", line))[0] for _ in range(3))
        print(f"odds of 1,000 deals  {took:.2f} s, both branches, {log}")


if __name__ == "__main__":
    main()
