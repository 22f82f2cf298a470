"""Death Cards and shields among the plays of a log: what is counted of them.

Whether a play was one is the table's business. Where nobody knows the Count, whoever goes out by it shows it later.
"""

from collections.abc import Callable, Set
from typing import Literal

import msgspec

from domain import events as ev
from domain.cards import Card
from domain.rule_sets import RuleSet
from domain.table import Table
from projections.records import Role


class TellingPlay(msgspec.Struct):
    """A play that may be a Death Card or its shield: whose, where among the plays, and whether it was counted."""

    player: str
    place: int
    role: Literal["death_card", "shield"]
    counted: bool = False


class DeathCards:
    """The last play in this hand that may be a Death Card nobody went out by yet, and the shield since.

    telling: the cards whose plays are worth a look at the table.
    """

    def __init__(
        self,
        rules: RuleSet,
        table_before: Callable[[int], Table],
        count: Callable[[TellingPlay], None],
        stands_right: Callable[[int], bool],
    ) -> None:
        """`table_before`: the table before a line. `count`: is told of each Death Card and each shield, once.
        `stands_right`: whether a line breaks no rule."""
        self._rules = rules.death_card
        self.telling: Set[Card] = {self._rules.card, self._rules.shield} if self._rules is not None else set()
        self._table_before = table_before
        self._tell = count
        self._stands_right = stands_right
        self._death: TellingPlay | None = None
        self._shield: TellingPlay | None = None

    def played(self, event: ev.CardPlayed, line: int, place: int) -> Role:
        """What a play of a telling card is besides a card, as the table stands."""
        assert self._rules is not None, "only a set with a Death Card has telling cards"
        if event.card == self._rules.shield and self._death is None:
            return None
        table = self._table_before(line)
        waits = _is_waiting(table)
        if event.card == self._rules.shield:
            play = self._shield = TellingPlay(event.player, place, "shield")
            counts = waits
        elif waits:
            return None
        else:
            play = self._death = TellingPlay(event.player, place, "death_card")
            self._shield = None
            counts = table.is_death_card(event, table.at)
            if not counts and table.count is not None:
                self._death = None  # just a card
        if not counts:
            return None
        self._count(play)
        return play.role

    def killer(self, line: int) -> str | None:
        """Whose Death Card put somebody out on a line: which shows that it was one, where nobody could tell before."""
        death, self._death = self._death, None
        shielded = self._shield is not None and self._shield.counted
        if death is not None and death.counted and not shielded:
            return death.player
        table = self._table_before(line)
        if table.attacker is not None and _is_waiting(table):
            return table.attacker
        if death is not None and self._stands_right(line):
            self._count(death)
            return death.player
        return None

    def struck_back(self, player: str, line: int) -> None:
        """The Death Card's player is out, which shows that it was shielded."""
        death, self._death = self._death, None
        if death is not None and death.player == player and not death.counted and self._stands_right(line):
            self._count(death)
            if self._shield is not None:
                self._count(self._shield)

    def hand_over(self) -> None:
        """The hand ends."""
        self._death = self._shield = None

    def _count(self, play: TellingPlay) -> None:
        if not play.counted:
            play.counted = True
            self._tell(play)


def _is_waiting(table: Table) -> bool:
    """Whether a Death Card is still to be answered."""
    return table.awaiting == "shield" or (table.awaiting == "draw" and table.then_awaiting == "shield")
