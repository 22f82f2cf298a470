"""`bh99 replay --step` where no screen can be drawn: the table after each line, as text."""

import time
from typing import TYPE_CHECKING

from cli.output import say

if TYPE_CHECKING:
    from bh99.walks import Walk


def tell_steps(walk: "Walk", start: int) -> int:
    """Print every step from a line on, of a log that is followed as it grows; how many were printed."""
    from bh99.walks import LOOK_EVERY
    from projections.transcript import frame_text

    line = start
    while True:
        while walk.go_on():
            pass
        for at in range(line, len(walk.game) + 1):
            say(frame_text(walk.game, at) + "\n")
        line = max(line, len(walk.game) + 1)
        if not walk.follow:
            return line - start
        time.sleep(LOOK_EVERY)
