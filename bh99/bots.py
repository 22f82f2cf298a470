"""Players that are programs: plain functions from what their seat sees to one of its choices.

A bot gets the table as its seat sees it, the choices that it has there, and chance; it can't know more than a player.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from domain.commands import Choice, GiveHits, PlayCard, TakeHits
from domain.shuffling import Bits, below
from domain.table import Table

Bot: TypeAlias = Callable[[Table, Sequence[Choice], Bits], Choice]


def at_random(table: Table, choices: Sequence[Choice], bits: Bits) -> Choice:
    """Any choice, each as likely."""
    return choices[below(len(choices), bits)]


def greedy(table: Table, choices: Sequence[Choice], bits: Bits) -> Choice:
    """The play that makes the Count highest without losing by it; takes every hit."""
    plays = [choice for choice in choices if isinstance(choice, PlayCard)]
    if not plays:
        return _takes(choices)
    return _best(plays, bits, lambda play: (not _over(table, play), play.count or 0))


def careful(table: Table, choices: Sequence[Choice], bits: Bits) -> Choice:
    """Avoids what costs tokens, keeps the cards that help at the limit for the end, and of the others plays the one
    that counts most; takes every hit, but gives a bonus away."""
    plays = [choice for choice in choices if isinstance(choice, PlayCard)]
    if not plays:
        gift = next((choice for choice in choices if isinstance(choice, GiveHits) and choice.prize == "bonus"), None)
        return gift or _takes(choices)
    counts, limit = table.counts, table.rules.limit

    def worth(play: PlayCard) -> tuple[int, ...]:
        helps_at_limit = any(total <= limit for total in counts[limit].totals(play.card) or ())
        free = not counts.costs(table.count, play.count or 0)
        return not _over(table, play), free, not helps_at_limit, play.count or 0

    return _best(plays, bits, worth)


BOTS: Final[dict[str, Bot]] = {"random": at_random, "greedy": greedy, "careful": careful}
"""The bots by their names."""


def _over(table: Table, play: PlayCard) -> bool:
    return (play.count or 0) > table.rules.limit


def _best(plays: Sequence[PlayCard], bits: Bits, worth: Callable[[PlayCard], tuple[int, ...]]) -> PlayCard:
    """One of the plays that are worth most, each of them as likely."""
    most = max(map(worth, plays))
    best = [play for play in plays if worth(play) == most]
    return best[below(len(best), bits)]


def _takes(choices: Sequence[Choice]) -> Choice:
    """Hits can always be taken, if they can be settled."""
    return next(choice for choice in choices if isinstance(choice, TakeHits))
