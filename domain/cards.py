"""The 52 cards, as two-letter strings: rank then suit (`Ac`, `Td`, `Qs`).

A card is a plain string out of a closed list, so that reading a log checks the cards and costs nothing.
`None` stands for a card nobody logged.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, Literal, TypeAlias

# fmt: off
Card: TypeAlias = Literal[
    "Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc",
    "Ad", "2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "Td", "Jd", "Qd", "Kd",
    "Ah", "2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h", "Th", "Jh", "Qh", "Kh",
    "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks",
]
# fmt: on
SeenCard: TypeAlias = Card | None

DECK: Final[tuple[Card, ...]] = Card.__args__  # type: ignore[attr-defined]

RANK_NAMES: Final = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
SUIT_NAMES: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
SUIT_SIGNS: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"}

_KNOWN: Final[dict[str, Card]] = {card: card for card in DECK}


def seen(*piles: Iterable[SeenCard]) -> list[Card]:
    """The cards that were logged, of one or several piles, in order."""
    return list(filter(None, chain.from_iterable(piles)))


def counted(number: int, noun: str) -> str:
    """`1 hit`, `2 hits`, `0 hits`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def card_named(spelling: str) -> Card | None:
    """The card that a spelling means: `Td`, `10d`, `A♣`, `QS`, `qs`; None if it means none."""
    rank, suit = spelling[:-1].upper(), spelling[-1:]
    return _KNOWN.get(("T" if rank == "10" else rank) + SUIT_SIGNS.get(suit, suit.lower()))


def card_name(card: SeenCard) -> str:
    """A card in words: "the ace of clubs", or "a card" for one nobody logged."""
    if card is None:
        return "a card"
    return f"the {RANK_NAMES.get(card[0], card[0])} of {SUIT_NAMES[card[1]]}"


def card_names(cards: Sequence[Card]) -> str:
    """Several cards in words, joined by commas and "or"."""
    names = [card_name(card) for card in cards]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1] if names else "no card"
