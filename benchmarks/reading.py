"""How long reading a log takes, as a ratio to D: decoding its lines and throwing the events away.

    python benchmarks/reading.py [LINES]

D is measured in the same process on the same lines. Each number is the best of nine rounds, taken in turns.
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from bh99.logs import open_log
from domain.cards import DECK
from domain.events import AnyEvent

ROUNDS = 9
NAMES = ["Ann", "Bob", "Cy", "Dee"]
LIMIT = {"compact": 1.75, "with at": 1.75, "at last, +00:00": 1.75}


def lines_of_play(count: int, names: list[str]) -> Iterator[dict[str, Any]]:
    """Lines in the shape of a game; half of the hands are known. Nobody asks whether the plays are allowed."""
    dice = random.Random(99)
    yield {"type": "game_opened", "format": 1, "rules": "bong-hit-99", "players": names, "game": "g-1"}
    made = hand = 0
    while made < count:
        for line in _hand(dice, names, hand):
            made += 1
            yield line
        hand += 1


def _hand(dice: random.Random, names: list[str], hand: int) -> Iterator[dict[str, Any]]:
    known = hand % 2 == 0
    deck: list[str | None] = list(dice.sample(DECK, 52)) if known else [None] * 52
    hands = {name: deck[4 * seat : 4 * seat + 4] for seat, name in enumerate(names)}
    yield {"type": "hand_dealt", "dealer": names[hand % 4], "hands": hands, "stock": deck[16:] if known else None}
    for turn in range(24):
        card = dice.choice(DECK)
        play = {"type": "card_played", "player": names[turn % 4], "card": card, "count": min(99, 4 * turn)}
        yield play | ({"target": names[(turn + 1) % 4]} if card == "Qs" else {})
        yield {"type": "card_drawn", "player": names[turn % 4], "card": dice.choice(DECK) if known else None}
    for name in names[:3]:
        yield {"type": "player_eliminated", "player": name, "reason": "no_play"}
    yield {"type": "hand_won", "player": names[3]}
    yield {"type": "hit_slid", "prize": "main", "source": names[3], "player": names[1], "card": "Kc"}
    yield {"type": "hit_taken", "player": names[1], "prize": "main", "hits": 1}


def moment(number: int, zone: str) -> str:
    return (
        f"2026-11-{1 + number // 86400 % 28:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}{zone}"
    )


def with_at(line: dict[str, Any], number: int) -> dict[str, Any]:
    return {"type": line["type"], "at": moment(number, "Z"), **line}


def styles(count: int) -> Iterator[tuple[str, bytes]]:
    """The same game written in several ways: what it is called, and the file."""
    plain = list(lines_of_play(count, NAMES))
    other = list(lines_of_play(count, ["Zoë", "José María", "李", "Ann-Kathrin"]))

    def file(lines: list[dict[str, Any]], separators: tuple[str, str] = (",", ":"), ascii_only: bool = False) -> bytes:
        return "".join(
            json.dumps(line, separators=separators, ensure_ascii=ascii_only) + "\n" for line in lines
        ).encode()

    yield "compact", file(plain)
    yield "with at", file([with_at(line, number) for number, line in enumerate(plain)])
    yield "at last, +00:00", file([line | {"at": moment(number, "+00:00")} for number, line in enumerate(plain)])
    yield "json.dumps", file(plain, (", ", ": "))
    yield "json.dumps with at", file([with_at(line, number) for number, line in enumerate(plain)], (", ", ": "))
    yield (
        "seq, note and ext",
        file(
            [
                line | {"seq": number, "note": "well, said: he", "ext": {"a": [1, 2]}}
                for number, line in enumerate(plain, 1)
            ]
        ),
    )
    yield "names in other scripts", file(other)
    yield "names as escapes", file(other, (", ", ": "), ascii_only=True)
    yield "CR LF", file(plain).replace(b"\n", b"\r\n")
    yield (
        "a blank line now and then",
        b"".join(line + b"\n" * (1 + (number % 50 == 0)) for number, line in enumerate(file(plain).splitlines())),
    )
    yield "cards as signs", file([_with_signs(line) for line in plain])
    yield "every null written", file([line | {"at": None, "note": None} for line in plain])


def _with_signs(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_signs(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_signs(part) for part in value]
    if value in DECK:
        return value[0].replace("T", "10") + dict(zip("cdhs", "♣♦♥♠", strict=True))[value[1]]
    return value


def ratios(path: Path, floor_lines: list[bytes]) -> tuple[float, float, float]:
    """Events a second at D; reading to D; looking for what was taken back to D."""
    decode = msgspec.json.Decoder(AnyEvent).decode

    def floor() -> None:
        for line in floor_lines:
            decode(line)

    def reading() -> None:
        for _ in open_log(str(path)).batches():
            pass

    def take_backs() -> None:
        open_log(str(path)).take_backs()

    jobs: list[Callable[[], None]] = [floor, reading, take_backs]
    best = [float("inf")] * 3
    for _ in range(ROUNDS):
        for number, job in enumerate(jobs):
            start = time.perf_counter()
            job()
            best[number] = min(best[number], time.perf_counter() - start)
    return len(floor_lines) / best[0], best[1] / best[0], best[2] / best[0]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    compact: list[bytes] = []
    print(f"{'':28}{'D, events/s':>12}{'batches':>9}{'take_backs':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for name, data in styles(count):
            path = Path(folder, "log.jsonl")
            path.write_bytes(data)
            compact = compact or data.splitlines()
            # Cards spelled otherwise can't be decoded at once: there D is that of the compact log.
            rate, read, back = ratios(
                path, compact if name == "cards as signs" else [line for line in data.split(b"\n") if line]
            )
            late = "  too slow" if read > LIMIT.get(name, 6 if name == "cards as signs" else 3) else ""
            print(f"{name:28}{rate:12,.0f}{read:8.2f}D{back:11.2f}D{late}")


if __name__ == "__main__":
    main()
