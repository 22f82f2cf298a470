"""What the referee says of an event: nothing, that a rule was broken, or that the log leaves a check open."""

from typing import Final, Literal, TypeAlias

import msgspec

from domain.cards import Card, SeenCard

FaultKind: TypeAlias = Literal[
    "nonsense",
    "as written",
    "as written or not",
    "out as written",
    "miscalled",
    "wrong value",
    "over the limit",
    "chosen out of bounds",
    "card not held",
    "wrong card drawn",
    "no draw",
    "wrong drawer",
    "second draw",
    "draw after the end",
    "draw missed",
    "never drew",
    "no reshuffle",
    "early reshuffle",
    "not the pile",
    "wrong card corrected",
    "needless correction",
    "out of turn",
    "wrong choice",
    "passed over",
    "out player plays",
    "out again",
    "wrongly out",
    "proved late",
    "leaver stays",
    "wrong target",
    "no target",
    "pointed for nothing",
    "no answer",
    "wrong answer",
    "no blowback",
    "odd reason",
    "after the end",
    "after the close",
    "deal inside a hand",
    "wrong dealer",
    "wrong deal",
    "early win",
    "no win",
    "prize before a win",
    "wrong steal",
    "wrong bonus",
    "wrong slide",
    "no steal",
    "no bonus",
    "no slide",
    "settled early",
    "wrong settling",
    "unsettled",
    "wrong prize",
    "not paid",
    "wrong payer",
    "wrong number",
    "invented loss",
    "not knocked out",
    "wrong knock-out",
    "no champion",
    "wrong champion",
    "wrong tokens",
    "deal after the match",
]
"""What went wrong, more finely than the rule that it breaks: it decides how the game may have gone on."""


class Expected(msgspec.Struct, frozen=True):
    """One thing that the rules allow next: an event type, who, with which known cards, and in words."""

    type: str
    player: str | None
    cards: list[SeenCard] | None
    text: str


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that an event broke.

    `line` is the line that broke the rule where it isn't the event's own; the event is then the proof.
    """

    rule: str
    kind: FaultKind
    player: str | None
    message: str
    line: int | None = None
    allowed: Expected | None = None
    """What the rules allowed, where it isn't what may come next at the table."""
    card: Card | None = None
    evidence: tuple[int, ...] = ()
    unless: "Question | None" = None
    """It is the question's fault instead, unless somebody holds one of the question's cards, which nobody logged."""


class Holds(msgspec.Struct, frozen=True):
    """Wrong if one of the players holds one of the cards."""

    players: tuple[str, ...]
    cards: frozenset[Card]
    decides: bool = True
    """Whether it is right if nobody does; else something besides the cards is unknown, too."""


class Among(msgspec.Struct, frozen=True):
    """Wrong if the card that is played on this line is one of these."""

    cards: frozenset[Card]


class Question(msgspec.Struct, frozen=True):
    """What an open check turns on, and the fault that it is if it is wrong."""

    wrong_if: Holds | Among
    fault: "Fault"


class Open(msgspec.Struct, frozen=True):
    """A check that turns on cards nobody logged: the rule is broken in some deals that agree with the log only."""

    rule: str
    forks: bool = False
    """Whether the table goes on in two ways, so that two readings are carried."""
    questions: tuple[Question, ...] = ()
    """What decides it, each a way of its own to be wrong; none where more than cards is unknown."""


OF_PRIZES: Final = ("steal", "bonus", "slide")


def nearest_rule(rule: str) -> str:
    """The rule that a line breaks where deals agree that it breaks one, but not which: of a prize, `prize`."""
    return "prize" if rule in OF_PRIZES else rule


OPEN_COUNT: Final = Open("count-called")
"""A choice of the card was not said, so the Count is unknown."""
OPEN_LOADER: Final = Open("loader")
"""The log writes no leisure hits down: the loader may have finished a bowl."""
OPEN_DEATH_CARD: Final = Open("death-card-target", forks=True)
"""The Count is unknown, so this may or may not be the Death Card."""
OPEN_TURN: Final = Open("turn-order", forks=True)
"""An unseen card may have turned the direction, or passed the turn in another way."""
OPEN_END: Final = Open("log-order", forks=True)
"""The Count is unknown, so the last card may have ended the hand before somebody left."""
OPEN_TOKENS: Final = Open("tokens")
"""The Count is unknown, so it can't be told what the last card cost."""
OPEN_DRAW: Final = Open("draw", forks=True)
"""Somebody leaves after a play, in a log that writes no draws down: they may have drawn, or not (R8)."""

Verdict: TypeAlias = Fault | Open | None


def nonsense(player: str | None, message: str) -> Fault:
    """`log-order`: an event that makes no sense where it stands."""
    return Fault(rule="log-order", kind="nonsense", player=player, message=message)


def card_fault(rule: str, kind: FaultKind, player: str, card: Card, message: str) -> Fault:
    return Fault(rule=rule, kind=kind, player=player, card=card, message=message)
