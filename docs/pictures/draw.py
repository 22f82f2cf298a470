"""Draw the pictures of the replayer anew: what its screen shows of recorded games.

uv run python docs/pictures/draw.py
"""

import asyncio
import os
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

from textual.events import Key
from textual.pilot import Pilot

from bh99.logs import open_log
from bh99.marks import Marks
from bh99.walks import Walk
from cli.replayer.app import Replayer

HERE: Final = Path(__file__).resolve().parent
FIXTURES: Final = HERE.parent.parent / "fixtures"


class Picture(NamedTuple):
    """A screen: of which game, after which keys, how large, in which theme, through whose eyes."""

    game: str
    keys: str
    size: tuple[int, int] = (100, 28)
    theme: str = "textual-dark"
    seat: str | None = None


PICTURES: Final = {
    "finding": Picture("shown-two-of-spades.jsonl", "f"),
    "steal-light": Picture("steals-gone-wrong.jsonl", "f f e", theme="textual-light"),
    "one-seat": Picture("death-card.jsonl", "end", seat="Ida"),
    "explained": Picture("shown-two-of-spades.jsonl", "f x"),
    "twenty-seats": Picture("pennies-twenty-seats.jsonl", "end b b b b b", (80, 24)),
}


async def draw(picture: Picture) -> str:
    """The screen as SVG, without the addresses of fonts on other machines."""
    os.chdir(FIXTURES)
    app = Replayer(Walk(open_log(picture.game), seat=picture.seat), Marks(picture.game), 1, None)
    async with app.run_test(size=picture.size) as pilot:
        app.theme = picture.theme
        await press(pilot, picture.keys.split())
        svg = app.export_screenshot(title=f"bh99 replay {picture.game} --step")
    return re.sub(r"<!--.*?-->|@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


async def press(pilot: Pilot[Any], keys: list[str]) -> None:
    await asyncio.sleep(0.5)
    for key in keys:
        pilot.app.post_message(Key(key, key if len(key) == 1 else None))
        await pilot.pause()
    await asyncio.sleep(0.2)


def main() -> None:
    for name, picture in PICTURES.items():
        (HERE / f"{name}.svg").write_text(asyncio.run(draw(picture)), "utf-8")


if __name__ == "__main__":
    main()
