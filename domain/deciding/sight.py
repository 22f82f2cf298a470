"""What a player who chooses may know: their own hand, the Count, and what lies in the open."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from domain.cards import Card
from domain.commands import Choice
from domain.counting import AtCount
from domain.deciding.seats import as_seen_from
from domain.rule_sets import RuleSet
from domain.shuffling import Bits
from domain.table import Table


class Sight:
    """The table with one player's eyes, always as it is now. What hides cards from others hides them here."""

    __slots__ = ("_table", "player")

    def __init__(self, table: Table, player: str) -> None:
        self._table = table
        self.player = player

    @property
    def rules(self) -> RuleSet:
        return self._table.rules

    @property
    def at(self) -> AtCount:
        """The Count, with what can be played at it."""
        return self._table.at

    def costs(self, count: int) -> bool:
        """Whether it costs tokens, or ends the hand, to make this the Count now."""
        return self._table.counts.costs(self._table.count, count)

    @property
    def hand(self) -> Iterable[Card]:
        """The player's own cards; one of which they hold several comes once."""
        return self._table.hands[self.player].keys()

    def holds(self, card: Card) -> bool:
        return card in self._table.hands[self.player]

    @property
    def players_in(self) -> int:
        """How many players are still in the hand."""
        return len(self._table.next_in)

    @property
    def next_player(self) -> str:
        """Who acts after this player, if no card changes that."""
        return self._table.next_in[self.player]

    def is_gone(self, card: Card) -> bool:
        """Whether everybody can see that nobody else can hold a card: it lies in the pile, in all its copies."""
        return self._table.in_the_open(card)

    def table(self) -> Table:
        """A table of one's own that tells no more than this seat may know; it takes longer than the other questions."""
        return as_seen_from(self._table, self.player)


Bot: TypeAlias = Callable[[Sight, Sequence[Choice], Bits], Choice]
"""A player that is a program: from what its seat sees, and chance, to one of the choices that it is given."""
