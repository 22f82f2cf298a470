"""Driving a game at the terminal in a test: keys go in, the rows of the screen come out."""

import asyncio
import datetime
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from screens_driven import Driven

from bh99.chance import Chance
from bh99.keepers import FileKeeper
from bh99.playing import LiveGame, begin_game
from bh99.rule_files import read_rules
from cli.playing.app import PlayTable
from cli.playing.choosing import Offer
from domain import events as ev
from domain.cards import Card
from domain.commands import PlayCard
from domain.deciding import open_game

SMALL, LARGE = (80, 24), (120, 40)
Steps = Callable[["PlayScreen"], Awaitable[None]]


class PlayScreen(Driven[PlayTable]):
    """A game that is played without a terminal."""

    async def type(self, line: str) -> None:
        """Type a line where a card is asked for."""
        await self.press("colon", *line, "enter")

    async def settle(self) -> None:
        """Wait until it is a person's turn."""
        for _ in range(5000):
            if self.app._exit or not self.app._bots_play:
                break
            await self.pilot.pause()

    async def choose(self, card: Card) -> None:
        """Press the key of a card."""
        place = next(place for place, offer in enumerate(self.offers) if offer.card == card)
        await self.press(str(place + 1))

    @property
    def game(self) -> LiveGame:
        return self.app.game

    @property
    def offers(self) -> list[Offer]:
        return self.app.below().offers

    @property
    def words(self) -> str:
        """All that is on the screen, however its rows are broken."""
        return " ".join(self.text.split())


def drive(game: LiveGame, steps: Steps, size: tuple[int, int] = SMALL) -> PlayTable:
    """Show a game, and let `steps` press its keys."""
    app = PlayTable(game)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            screen = PlayScreen(app, pilot)
            await screen.settle()
            await steps(screen)

    try:
        asyncio.run(run())
    finally:
        game.keeper.close()
    return app


def now() -> datetime.datetime:
    return datetime.datetime(2026, 11, 30, 20, tzinfo=datetime.UTC)


def new_game(
    path: Path, people: Sequence[str], bots: Mapping[str, str], rules: str = "bong-hit-99", seed: int = 1
) -> LiveGame:
    """A game that begins, in a file."""
    seats = [*people, *bots]
    return begin_game(FileKeeper(str(path)), read_rules(rules), seats, bots, Chance.seeded(seed), now)


def same_game(path: Path, seed: int = 2) -> LiveGame:
    """A game that is gone on with."""
    keeper = FileKeeper(str(path))
    return LiveGame(keeper, keeper.events(), Chance.seeded(seed), now)


def dealt_game(
    path: Path,
    hands: Mapping[str, str],
    top: str = "",
    bots: Mapping[str, str] | None = None,
    rules: str = "bong-hit-99",
    plays: Sequence[PlayCard] = (),
) -> LiveGame:
    """A game with these hands dealt and these cards on top of the stock, the one drawn first at the front; `plays` were
    played."""
    chosen = read_rules(rules)
    opened = open_game(chosen, list(hands), now, ext={"bots": dict(bots or {})})
    cards: dict[str, list[Any]] = {player: hand.split() for player, hand in hands.items()}
    left: Counter[Any] = Counter(chosen.cards_in_play(len(hands)))
    left.subtract(top.split())
    for hand in cards.values():
        left.subtract(hand)
    stock: list[Any] = [*top.split(), *left.elements()]
    dealt = ev.HandDealt(dealer=list(hands)[-1], hands={**cards}, stock=stock)
    keeper = FileKeeper(str(path))
    keeper.add([opened, dealt])
    game = LiveGame(keeper, [opened, dealt], Chance.seeded(3), now)
    for play in plays:
        game.do(play)
    return game
