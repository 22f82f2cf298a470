"""Finding a line of a game by what happened on it: a player, a card, a type of event, or words of its sentence."""

import re
from typing import Final

from domain import events as ev
from domain.cards import RANK_NAMES, SUIT_NAMES, card_named, seen
from projections.evidence import cards_shown

_RANKS: Final = {**{name: rank for rank, name in RANK_NAMES.items()}, **{str(pips): str(pips) for pips in range(2, 10)}}
_IN_WORDS: Final = re.compile(rf"\b({'|'.join(_RANKS)}) of ({'|'.join(SUIT_NAMES.values())})\b")
_SUITS: Final = {name: suit for suit, name in SUIT_NAMES.items()}


class Search:
    """What is looked for: every word of the query has to begin a word of the line; a card in any spelling is one word.

    `ana 7h`, `queen of spades`, `A♣`, `hit_stolen`, `ben out`: capitals don't matter.
    """

    def __init__(self, query: str) -> None:
        query = _IN_WORDS.sub(lambda found: _RANKS[found[1]] + _SUITS[found[2]], query.casefold())
        self.words = query.split()
        self._cards = {card for card in map(card_named, self.words) if card is not None}
        texts = [word for word in self.words if card_named(word) is None]
        self._patterns = [re.compile(rf"(?<![^\W_]){re.escape(text)}") for text in texts]

    def fits(self, event: ev.AnyEvent, sentence: str) -> bool:
        """Whether an event, which is told by this sentence, is looked for."""
        if self._cards and not self._cards <= set(seen(cards_shown(event))):
            return False
        if not self._patterns:
            return bool(self._cards)
        text = f"{sentence} {event.__struct_config__.tag} {' '.join(_players_of(event))}".casefold()
        return all(pattern.search(text) for pattern in self._patterns)


def _players_of(event: ev.AnyEvent) -> list[str]:
    """The players whom a sentence may leave out, because there are too many."""
    match event:
        case ev.GameOpened():
            return event.players
        case ev.HandDealt():
            return list(event.hands)
    return []
