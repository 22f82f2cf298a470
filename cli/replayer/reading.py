"""Reading a log while somebody looks at it: in bites so small that a key never has to wait."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from bh99.errors import Bh99Error
from bh99.logs import open_log
from bh99.walks import LOOK_EVERY, Walk

AT_A_TIME: Final = 0.004
"""Seconds that are spent on reading before keys are looked for again."""
QUIET: Final = 0.1
"""Seconds after a key in which nothing is read, so that the answer is drawn at once."""


class ReadingBehind:
    """Goes on reading and judging the log of `walk`, which is another one after the log was rewritten."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.wanted = 0
        """A line to read up to first."""
        self.trouble: Bh99Error | None = None
        """Why a log that is followed can't be read on just now."""
        self._quiet_until = 0.0
        self._something_to_do = asyncio.Event()

    def hold(self) -> None:
        """Somebody pressed a key: leave it the time that it needs."""
        self._quiet_until = time.monotonic() + QUIET

    def look_again(self) -> None:
        """There may be something to do: another seat's view was opened."""
        self._something_to_do.set()

    async def bites(self) -> AsyncIterator[bool]:
        """After each bite, whether more can be read at once; ends never.

        Raises LogUnreadable; of a log that is followed only its `trouble` is told, until it can be read again.
        """
        spoiled = False
        while True:
            try:
                more = await self._open_again() if spoiled else self._bite()
                spoiled, self.trouble = False, None
            except Bh99Error as error:
                if not self.walk.follow:
                    raise
                spoiled, more = True, False
                self.trouble = error
            yield more
            if more:
                await asyncio.sleep(max(0.001, self._quiet_until - time.monotonic()))
            else:
                self._something_to_do.clear()
                with suppress(TimeoutError):
                    wait = LOOK_EVERY if self.walk.follow else None
                    await asyncio.wait_for(self._something_to_do.wait(), wait)

    def _bite(self) -> bool:
        end, known = time.monotonic() + AT_A_TIME, self._known()
        while more := self.walk.go_on(self.wanted):
            if time.monotonic() > end:
                break
        if self._known() != known:
            # What was read and judged stays: to look through it all for garbage takes longer than a key may.
            gc.freeze()
        return more

    async def _open_again(self) -> bool:
        """Read the log anew after it was rewritten or spoiled; it is taken once it can be read to its end."""
        old = self.walk
        walk = Walk(open_log(old.log.name, old.log.rules), seat=old.seat, follow=True)
        while not walk.read_through:
            walk.go_on()
            await asyncio.sleep(0)
        self.walk = walk
        return True

    def _known(self) -> tuple[int, int]:
        return len(self.walk.whole), self.walk.game.judged
