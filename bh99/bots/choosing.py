"""What the bots have in common: a bot made of how it plays cards, and one of the plays that are worth most."""

import functools
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from domain.cards import Card
from domain.commands import Choice, GiveHits, PlayCard, TakeHits
from domain.counting import counts_of
from domain.deciding import Bot, Sight
from domain.rule_sets import RuleSet
from domain.shuffling import Bits, below

Some = TypeVar("Some")
Plays: TypeAlias = Callable[[Sight, Sequence[PlayCard], Bits], PlayCard]
"""How a bot plays cards: one of the plays that it may choose from."""


def taking_every_hit(plays: Plays) -> Bot:
    """A bot that plays its cards like this, and takes each hit that it may have."""

    def bot(sight: Sight, choices: Sequence[Choice], bits: Bits) -> Choice:
        return plays(sight, choices, bits) if are_plays(choices) else takes(choices)  # type: ignore[arg-type]

    bot.__doc__ = plays.__doc__
    return bot


def giving_each_bonus(plays: Plays) -> Bot:
    """A bot that plays its cards like this, and takes each hit that it may have, but gives a bonus away."""

    def bot(sight: Sight, choices: Sequence[Choice], bits: Bits) -> Choice:
        if are_plays(choices):
            return plays(sight, choices, bits)  # type: ignore[arg-type]
        gift = next((choice for choice in choices if isinstance(choice, GiveHits) and choice.prize == "bonus"), None)
        return gift or takes(choices)

    bot.__doc__ = plays.__doc__
    return bot


def are_plays(choices: Sequence[Choice]) -> bool:
    """Whether a player chooses among cards to play; else it is what becomes of hits, never both."""
    return isinstance(choices[0], PlayCard)


def takes(choices: Sequence[Choice]) -> Choice:
    """Hits can always be taken, if they can be settled."""
    return next(choice for choice in choices if isinstance(choice, TakeHits))


def any_of(options: Sequence[Some], bits: Bits) -> Some:
    """Any of them, each as likely."""
    return options[below(len(options), bits)]


def preferring(plays: Sequence[PlayCard], wanted: Callable[[PlayCard], bool], bits: Bits) -> PlayCard:
    """Any of the plays that are wanted; if none is, any at all."""
    return any_of([play for play in plays if wanted(play)] or plays, bits)


def best(plays: Sequence[PlayCard], worth: Callable[[PlayCard], tuple[float, ...]], bits: Bits) -> PlayCard:
    """One of the plays that are worth most, each of them as likely."""
    worths = [worth(play) for play in plays]
    most = max(worths)
    return any_of([play for play, value in zip(plays, worths, strict=True) if value == most], bits)


@functools.lru_cache(maxsize=4096)
def cards_within(rules: RuleSet, count: int) -> frozenset[Card]:
    """The cards that can be played at a Count without going over the limit."""
    at = counts_of(rules)[count]
    return frozenset(card for card in at if any(total <= rules.limit for total in at.totals(card) or ()))


def limit_cards(rules: RuleSet) -> frozenset[Card]:
    """The cards that can be played at the limit without going over it."""
    return cards_within(rules, rules.limit)


def over(sight: Sight, play: PlayCard) -> bool:
    """Whether a play takes the Count over the limit, and so loses or ends the hand."""
    return (play.count or 0) > sight.rules.limit
