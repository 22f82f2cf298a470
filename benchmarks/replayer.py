"""How fast the full-screen replayer answers, in logs of 100,000 and of a million events.

    uv run python benchmarks/replayer.py [EVENTS …]

Of each log: the start of the whole command until the first table is drawn (beside `python -c pass` and the import of
Textual alone), how long it goes on reading behind, and how long keys take from the press to the drawn screen: next,
back, jumps to anywhere, hands and findings; all while nothing is read, and next and back while it reads. In
milliseconds, with the goal of 50 beside them, since that is what a person waits.
"""

import asyncio
import os
import pathlib
import pty
import random
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import msgspec  # noqa: E402
import replay  # noqa: E402
import textual.events  # noqa: E402

from bh99.logs import open_log  # noqa: E402
from bh99.marks import Marks  # noqa: E402
from bh99.walks import Walk  # noqa: E402
from cli.replayer.app import Replayer  # noqa: E402

GOAL = 50.0
"""Milliseconds in which a key answers."""
SIZE = (120, 40)


def write_log(folder: pathlib.Path, events: int) -> str:
    log = folder / f"{events}.jsonl"
    lines = replay.with_faults(replay.long_game(5, 5, events), 5)
    log.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return str(log)


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - start


def seconds_to_first_table(log: str) -> float:
    """From the start of the process until the screen shows who is to act; then it is left."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    command = [sys.executable, "-c", "from cli import start; start()", "replay", log, "--step"]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=ROOT)
    os.close(theirs)
    seen = b""
    while b"Count" not in seen:
        if select.select([ours], [], [], 20)[0]:
            seen += os.read(ours, 65536)
    taken = time.perf_counter() - start
    process.kill()
    process.wait()
    os.close(ours)
    return taken


class Timed(Replayer):
    """A replayer that notes when it has drawn."""

    left = 0
    drawn_at = 0.0

    def post_display_hook(self) -> None:
        if self.line != self.left and not self.drawn_at:
            self.drawn_at = time.perf_counter()

    async def press(self, key: str) -> float:
        """Milliseconds from a key until the line that it leads to is drawn."""
        return await self.timed(lambda: self.post_message(textual.events.Key(key, None)))

    async def jump(self, line: int) -> float:
        return await self.timed(lambda: self.go_to(line))

    async def timed(self, move: Callable[[], object]) -> float:
        self.left, self.drawn_at = self.line, 0.0
        start = time.perf_counter()
        move()
        await asyncio.sleep(0.2)
        return 1000 * (self.drawn_at - start)


async def keys(log: str) -> None:
    app = Timed(Walk(open_log(log)), Marks(log), 1, None)
    async with app.run_test(size=SIZE):
        begun = time.perf_counter()
        while_reading: list[float] = []
        while app.game.judged < len(app.walk.whole) or not app.walk.read_through:
            while_reading.append(await app.press("space" if len(while_reading) % 2 == 0 else "b"))
        print(f"  read and judged behind after {time.perf_counter() - begun:.1f} s, though keys were pressed")
        tell("next or back while it reads", while_reading)
        rng = random.Random(1)
        for what, names in (("back", ["b"]), ("next", ["space"])):
            taken = []
            for _ in range(25):
                await app.jump(rng.randint(2, len(app.game) - 1))
                taken += [await app.press(name) for name in names]
            tell(f"{what}, after a jump", taken)
        hand = ["right_square_bracket", "left_square_bracket"]
        tell("next hand, hand before", [await app.press(key) for key in hand * 12])
        tell("last line, first line", [await app.press(key) for key in ["end", "home"] * 12])
        tell("next finding", [await app.press("f") for _ in range(25)])
        tell("jump to any line", [await app.jump(rng.randint(2, len(app.game) - 1)) for _ in range(50)])


def tell(what: str, taken: list[float]) -> None:
    if taken:
        worst = max(taken)
        print(f"  {what:<34} median {statistics.median(taken):5.1f} ms, worst {worst:5.1f} (goal {GOAL:.0f})")


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or [100_000, 1_000_000]
    floor = statistics.median(seconds([sys.executable, "-c", "pass"]) for _ in range(5))
    textual = statistics.median(seconds([sys.executable, "-c", "import textual.app"]) for _ in range(5))
    print(f"python -c pass {1000 * floor:.0f} ms, import textual.app {1000 * textual:.0f} ms")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            log = write_log(pathlib.Path(folder), size)
            first = statistics.median(seconds_to_first_table(log) for _ in range(5))
            print(f"{size} events: first table after {1000 * first:.0f} ms, {first / textual:.1f} times that import")
            asyncio.run(keys(log))


if __name__ == "__main__":
    main()
