"""A game that is played here: commands go in, events come out and are kept before anybody sees them."""

from collections.abc import Mapping, Sequence
from typing import Final

from bh99.bots import BOTS
from bh99.chance import Chance
from bh99.errors import LogUnreadable, Problem
from bh99.keepers import Keeper, check_it_may_go_on
from domain import events as ev
from domain.commands import AnyCommand, Choice, Deal
from domain.deciding import Clock, Sight, choices, decide, follow, open_game, settle
from domain.referee.dues import between_hands
from domain.rule_sets import RuleSet
from projections.evidence import hides_cards
from projections.frames import Replay

BOTS_KEY: Final = "bots"
"""Where the opening's `ext` says which seats are bots, and which ones."""


class LiveGame:
    """A game at its table, which knows every card.

    events: the log so far. bots: the seats that programs sit on, each with the name of its bot.
    """

    def __init__(self, keeper: Keeper, events: Sequence[ev.AnyEvent], chance: Chance, clock: Clock) -> None:
        """A game that goes on; what the rules force and a broken connection left out is made up for.

        Raises LogUnreadable for a log that wasn't played here, or was closed.
        """
        self.keeper = keeper
        self.chance = chance
        self.clock = clock
        opened = events[0]
        if not isinstance(opened, ev.GameOpened) or opened.source != "service":
            message = "this game was not played here, and can't be gone on with: not every card is known"
            raise LogUnreadable(keeper.name, [Problem(keeper.name, message, 1)])
        hidden = next((line for line, event in enumerate(events, 1) if hides_cards(event)), None)
        if hidden is not None:
            message = "a card is unseen here, and the game can't be gone on with: every card must be known"
            raise LogUnreadable(keeper.name, [Problem(keeper.name, message, hidden)])
        check_it_may_go_on(keeper.name, events)
        self.opened = opened
        self.events: list[ev.AnyEvent] = list(events)
        self.bots = _bots_of(opened)
        self.table = Replay(events).audit_at(len(events)).table
        self._happen(settle(self.table, chance.shuffle, clock))

    def do(self, command: AnyCommand) -> list[ev.AnyEvent]:
        """Carry a command out; what has happened. Nothing has if it raises Refused, or Bh99Error."""
        return self._happen(decide(self.table, command, self.chance.shuffle, self.clock))

    def _happen(self, events: list[ev.AnyEvent]) -> list[ev.AnyEvent]:
        if events:
            self.keeper.add(events)
            follow(self.table, events)
            self.events += events
        return events

    @property
    def players(self) -> list[str]:
        """Who sits at the table now, clockwise."""
        return list(self.table.seats)

    @property
    def people(self) -> list[str]:
        """Who of them is no bot."""
        return [player for player in self.players if player not in self.bots]

    @property
    def rules(self) -> RuleSet:
        """What is played."""
        return self.table.rules

    @property
    def closed(self) -> bool:
        """Whether the game was closed."""
        return self.table.awaiting == "closed"

    @property
    def over(self) -> bool:
        """Whether nothing can follow: the match was won, or the game closed."""
        return self.table.awaiting in ("over", "closed")

    @property
    def between_hands(self) -> bool:
        """Whether the next hand may be dealt."""
        return between_hands(self.table)

    @property
    def waits_for(self) -> str | None:
        """The player who has a choice to make; None between hands, and once the game is over."""
        return next((player for player in self.table.seats if choices(self.table, player)), None)

    def choices(self, player: str) -> list[Choice]:
        """What a player may choose from now."""
        return choices(self.table, player)

    def bot_goes_on(self) -> list[ev.AnyEvent]:
        """If the game waits for a bot, its choice and what follows; else nothing. Raises Bh99Error, as `do` does."""
        player = self.waits_for
        if player is None or player not in self.bots:
            return []
        sight, options = Sight(self.table, player), choices(self.table, player)
        return self.do(BOTS[self.bots[player]](sight, options, self.chance.bits))

    def deal(self) -> list[ev.AnyEvent]:
        """Deal the next hand. Raises Refused and Bh99Error, as `do` does."""
        return self.do(Deal())


def begin_game(
    keeper: Keeper,
    rules: RuleSet,
    players: Sequence[str],
    bots: Mapping[str, str],
    chance: Chance,
    clock: Clock,
) -> LiveGame:
    """Open a game with these seats, clockwise. Raises Refused for seats that can't be served, and LogUnreadable where
    a game has begun already."""
    if keeper.events():
        raise LogUnreadable(keeper.name, [Problem(keeper.name, "a game has begun there already")])
    opened = open_game(rules, players, clock, game=keeper.game, ext={BOTS_KEY: dict(bots)} if bots else None)
    keeper.add([opened])
    return LiveGame(keeper, [opened], chance, clock)


def _bots_of(opened: ev.GameOpened) -> dict[str, str]:
    """The seats of bots that are known here; a bot of a later version is played by hand."""
    bots = (opened.ext or {}).get(BOTS_KEY)
    if not isinstance(bots, dict):
        return {}
    return {
        player: bot for player, bot in bots.items() if player in opened.players and isinstance(bot, str) and bot in BOTS
    }
