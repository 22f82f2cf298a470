"""Driving the full-screen replayer in a test: keys go in, the rows of the screen come out."""

import asyncio
from collections.abc import Awaitable, Callable

from screens_driven import Driven

from bh99.logs import open_log
from bh99.marks import Marks
from bh99.walks import Walk
from cli.replayer.app import Replayer

SMALL, LARGE = (80, 24), (120, 40)
Drive = Callable[["Screen"], Awaitable[None]]


class Screen(Driven[Replayer]):
    """A replayer that runs without a terminal."""

    async def type(self, text: str) -> None:
        await self.press(*text)

    async def settle(self) -> None:
        """Wait until the log is read and judged as far as it goes."""
        walk = self.app.walk
        for _ in range(2000):
            all_read = walk.read_through and walk.game.judged == len(walk.whole) and self.app.wanted is None
            if all_read or self.app._exit:
                return
            await asyncio.sleep(0.005)
            await self.pilot.pause()

    @property
    def line(self) -> int:
        return self.app.line


def drive(
    log: str,
    steps: Drive,
    *,
    size: tuple[int, int] = SMALL,
    start: int = 1,
    seat: str | None = None,
    follow: bool = False,
    rules: str | None = None,
) -> Replayer:
    """Run the replayer on a log, and let `steps` press its keys."""
    app = Replayer(Walk(open_log(log), seat=seat, follow=follow), Marks(log), start, rules)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            screen = Screen(app, pilot)
            await screen.settle()
            await steps(screen)

    asyncio.run(run())
    return app
