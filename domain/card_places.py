"""Where each card is: in a hand, in the stock, in the play pile, or nobody logged where (`deck`)."""

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Final, Literal, TypeVar

from domain.cards import Card, SeenCard, seen


class Dealt:
    """How much of a deal was logged. A deal is looked at twice, by the referee and by the table that follows it; the
    second look remembers the first."""

    __slots__ = ("_deck", "_hands", "_kind")

    def __init__(self) -> None:
        self._hands: Mapping[str, list[SeenCard]] | None = None
        self._deck: Mapping[Card, int] | None = None
        self._kind: Literal["whole", "blank", "part"] = "part"

    def kind(
        self, deck: Mapping[Card, int], size: int, hands: Mapping[str, list[SeenCard]], stock: list[SeenCard]
    ) -> Literal["whole", "blank", "part"]:
        """ "whole": each card of the decks stands there; "blank": not a single one was logged; else "part"."""
        if hands is not self._hands or deck is not self._deck:
            self._hands, self._deck, self._kind = hands, deck, _kind_of(deck, size, hands, stock)
        return self._kind


def _kind_of(
    deck: Mapping[Card, int], size: int, hands: Mapping[str, list[SeenCard]], stock: list[SeenCard]
) -> Literal["whole", "blank", "part"]:
    if not any(stock) and not any(map(any, hands.values())):
        return "blank"
    if len(stock) + sum(map(len, hands.values())) != size:
        return "part"
    if size == len(deck):
        cards: set[SeenCard] = set(stock)
        cards.update(*hands.values())
        return "whole" if deck.keys() == cards else "part"
    return "whole" if Counter(chain(stock, *hands.values())) == deck else "part"


kind_of_deal: Final = Dealt().kind


Thing = TypeVar("Thing")


def _counted(cards: list[Card]) -> dict[Card, int]:
    """The cards of a hand, each with how many there are of it."""
    hand = dict.fromkeys(cards, 1)
    return hand if len(hand) == len(cards) else dict(Counter(cards))


def more(cards: dict[Card, int], card: Card) -> None:
    """One more of a card."""
    cards[card] = cards.get(card, 0) + 1


def less(cards: dict[Thing, int], card: Thing) -> None:
    """One less of a card; none stays none."""
    left = cards.get(card, 0)
    if left > 1:
        cards[card] = left - 1
    elif left:
        del cards[card]


class CardPlaces:
    """The places of the cards of one hand. Piles are lists with the top card last; None is a card nobody logged."""

    __slots__ = (
        "aside",
        "cards_in_play",
        "deck",
        "doubles",
        "hands",
        "pile",
        "shown",
        "stock",
        "unplaced",
        "unseen",
        "vague",
    )

    def __init__(self, deck: dict[Card, int]) -> None:
        self.deck = deck
        """Each card, with how many there are of it."""
        self.cards_in_play = sum(deck.values())
        self.doubles: frozenset[Card] = frozenset()
        """Cards that stood too often in the deal: nobody knows how many there are, so their place is never known."""
        self.hands: dict[str, dict[Card, int]] = {}
        """The known cards of each player dealt in, in the order they came, each with how many there are of it."""
        self.unseen: dict[str, int] = {}
        """How many cards nobody logged each player holds."""
        self.stock: list[SeenCard] = []
        self.pile: list[SeenCard] = []
        self.aside: list[SeenCard] = []
        """Piles that were taken away, and wait for the next reshuffle (R11)."""
        self.unplaced: dict[Card, int] = {}
        """The cards whose place isn't known, and how many of each: any may be a card nobody logged."""
        self.shown: dict[tuple[str, Card], int] = {}
        """The cards in hands that everybody has seen, each with how many there are of it."""
        self.vague = False
        """Whether the pile was reshuffled at a moment that nobody wrote down: what lies in it now isn't known (R2)."""

    # ---- questions ----

    def cards_of(self, player: str) -> list[SeenCard]:
        """A player's cards, the unseen ones last."""
        known = [card for card, number in self.hands.get(player, {}).items() for _ in range(number)]
        return [*known, *[None] * self.unseen.get(player, 0)]

    def size_of(self, player: str) -> int:
        """How many cards a player holds."""
        return sum(self.hands.get(player, {}).values()) + self.unseen.get(player, 0)

    def holder_of(self, card: Card) -> str | None:
        """The player who is known to hold a card of which there is but one."""
        if card not in self.unplaced:
            for player, hand in self.hands.items():
                if card in hand:
                    return player
        return None

    def may_hold(self, player: str, card: Card) -> bool:
        """Whether a player holds a card in some deal that agrees with the log so far."""
        return card in self.hands.get(player, ()) or (card in self.unplaced and self.unseen.get(player, 0) > 0)

    def may_be_top(self, card: Card) -> bool:
        """Whether a card is the top of the stock in some deal that agrees with the log so far."""
        return bool(self.stock) and (self.stock[-1] == card or (self.stock[-1] is None and card in self.unplaced))

    def in_the_open(self, card: Card) -> bool:
        """Whether everybody can see where a card lies: all of its copies, if there are several."""
        if card in self.unplaced:
            return False
        shown = sum(number for (_, known), number in self.shown.items() if known == card)
        return self.pile.count(card) + self.aside.count(card) + shown >= max(self.deck.get(card, 1), 1)

    @property
    def one_deck(self) -> bool:
        """Whether there is but one of each card."""
        return self.cards_in_play == len(self.deck)

    @property
    def any_unseen(self) -> bool:
        """Whether some hand holds a card that nobody logged."""
        return any(self.unseen.values())

    # ---- moves ----

    def place(self, hands: Mapping[str, list[SeenCard]], stock: list[SeenCard]) -> None:
        """Lay out a fresh deal; of a card that stands too often, no place is known."""
        self.stock, self.pile, self.aside, self.shown = stock, [], [], {}
        self.vague, self.doubles = False, frozenset()
        kind = kind_of_deal(self.deck, self.cards_in_play, hands, stock)
        if kind == "blank":
            self.unplaced = self.deck.copy()
            self.hands = {player: {} for player in hands}
            self.unseen = {player: len(cards) for player, cards in hands.items()}
        elif kind == "whole":
            self.unplaced = {}
            self.hands = {player: _counted(cards) for player, cards in hands.items()}  # type: ignore[arg-type]
            self.unseen = dict.fromkeys(hands, 0)
        else:
            self._place_what_is_known(hands)

    def _place_what_is_known(self, hands: Mapping[str, list[SeenCard]]) -> None:
        dealt = Counter(seen(self.stock, *hands.values()))
        twins = self.doubles = frozenset(card for card, number in dealt.items() if number > self.deck.get(card, 0))
        if twins:
            hands = {player: [None if card in twins else card for card in cards] for player, cards in hands.items()}
            self.stock = [None if card in twins else card for card in self.stock]
        left = {card: number - (0 if card in twins else dealt[card]) for card, number in self.deck.items()}
        self.unplaced = {card: number for card, number in left.items() if number > 0}
        self.unplaced.update((card, dealt[card]) for card in twins)
        self.hands = {player: _counted(seen(cards)) for player, cards in hands.items()}
        self.unseen = {player: cards.count(None) for player, cards in hands.items()}

    def give(self, player: str, card: SeenCard) -> None:
        """Put a card into a hand; one that nobody logged is just one more."""
        if player not in self.hands:
            return
        if card is None:
            self.unseen[player] += 1
        else:
            more(self.hands[player], card)
            less(self.unplaced, card)

    def take(self, player: str, card: Card) -> None:
        """Take a card out of a hand, where it may have been unseen; or from wherever it is known to be."""
        hand = self.hands.get(player)
        if hand is not None and card in hand:
            less(hand, card)
        else:
            if card in self.unplaced and self.unseen.get(player, 0):
                self.unseen[player] -= 1
            else:
                self.lift(card)
            less(self.unplaced, card)
        if self.shown:
            self._unshow(player, card)

    def _unshow(self, player: str, card: Card) -> None:
        less(self.shown, (player, card))

    def reveal(self, player: str, card: Card) -> None:
        """Note that a player holds a card, where the log leaves it open."""
        if card in self.unplaced and self.unseen.get(player, 0) and card not in self.hands[player]:
            self.unseen[player] -= 1
            self.give(player, card)

    def show(self, player: str, cards: list[Card]) -> None:
        """Everybody sees these cards of a hand, each as often as it stands there."""
        hand = self.hands.get(player, {})
        for card in cards:
            if hand.get(card, 0) < cards.count(card) and card in self.unplaced and self.unseen.get(player, 0):
                self.unseen[player] -= 1
                self.give(player, card)
            if card in hand:
                seen_before = self.shown.get((player, card), 0)
                self.shown[player, card] = max(seen_before, min(cards.count(card), hand[card]))

    def forget_hand(self, player: str) -> None:
        """From here on nobody knows which cards a player holds."""
        cards = self.hands.get(player)
        if cards:
            for card, number in cards.items():
                for _ in range(number):
                    self.unplace(card)
                self.shown.pop((player, card), None)
                self.unseen[player] += number
            cards.clear()

    def unplace(self, card: Card) -> None:
        """From here on nobody knows where this card is; there are never more of it than the deck has."""
        if self.unplaced.get(card, 0) < max(self.deck.get(card, 1), 1) or card in self.doubles:
            more(self.unplaced, card)

    def unplace_all(self, cards: list[Card]) -> None:
        """From here on nobody knows where these cards are."""
        if self.one_deck and not self.doubles:
            self.unplaced.update(dict.fromkeys(cards, 1))
        else:
            for card in cards:
                self.unplace(card)

    def forget_stock(self) -> None:
        """From here on nobody knows which cards the stock holds."""
        self.unplace_all(seen(self.stock))
        self.stock = [None] * len(self.stock)

    def lose_unknown_card(self, player: str) -> None:
        """A player has put down some card of theirs that nobody logged."""
        self.forget_hand(player)
        if self.unseen.get(player):
            self.unseen[player] -= 1

    def lift(self, card: Card, leaving_unknown: bool = False, place: int = 0) -> None:
        """Take a card away from where it is known to be; in its place stays nothing, or a card nobody logged.

        `place`: from which of several places, players in order, then stock, pile and the piles set aside.
        """
        if card in self.unplaced:
            return
        holders = [player for player, hand in self.hands.items() if card in hand]
        self.unplace(card)
        if place < len(holders):
            holder = holders[place]
            less(self.hands[holder], card)
            self.unseen[holder] += leaving_unknown
            self._unshow(holder, card)
            return
        piles = [
            (cards, at) for cards in (self.stock, self.pile, self.aside) for at, one in enumerate(cards) if one == card
        ]
        for cards, at in piles[place - len(holders) :][:1]:
            cards[at : at + 1] = [None] if leaving_unknown else []

    def number_of_places(self, card: Card) -> int:
        """In how many places a card is known to be; at least 1, as a card that isn't may be anywhere."""
        if card in self.unplaced:
            return 1
        piles = sum(cards.count(card) for cards in (self.stock, self.pile, self.aside))
        return max(piles + sum(card in hand for hand in self.hands.values()), 1)

    def put_on_top(self, card: Card) -> None:
        """Lay a card on the stock."""
        self.stock.append(card)
        less(self.unplaced, card)

    def take_top(self, card: SeenCard) -> SeenCard:
        """Take the top card off the stock; one that is named, and is another, is believed."""
        top = self.stock.pop() if self.stock else None
        if card is None or card == top:
            return top
        if top is not None:
            self.unplace(top)
        self.lift(card)
        less(self.unplaced, card)
        return card

    def taken_up(self, staying: int) -> list[SeenCard]:
        """The cards that a reshuffle takes up: piles set aside and the pile, but for its last `staying` cards (R21)."""
        return self.aside + self.pile[: len(self.pile) - staying]

    def shuffle_pile(self, listed: list[SeenCard] | None, staying: int = 0) -> None:
        """The pile, with what is left of the stock and the piles set aside, becomes the stock: as listed (top first),
        or in an unseen order. The last `staying` cards of the pile stay where they are."""
        cards, kept = self.taken_up(staying), self.pile[len(self.pile) - staying :] if staying else []
        if listed is not None and not self.stock and None not in listed and Counter(listed) == Counter(cards):
            self.stock = listed[::-1]
        elif listed is None and not self.stock and len(cards) == 1:
            self.stock = cards  # a single card has but one order
        else:
            self.unplace_all(seen(cards, self.stock))
            if listed is None:
                self.stock = [None] * (len(cards) + len(self.stock))
            else:
                self.stock = [self._if_unplaced(card) for card in reversed(listed)]
        self.pile, self.aside = kept, []

    def _if_unplaced(self, card: SeenCard) -> SeenCard:
        if card is None or card not in self.unplaced:
            return None
        less(self.unplaced, card)
        return card
