"""Where each card is: in a hand, in the stock, in the play pile, or nobody logged where (`deck`)."""

from collections.abc import Iterable

from domain.cards import Card, SeenCard, seen


def nothing_seen(hands: dict[str, list[SeenCard]], stock: list[SeenCard]) -> bool:
    """Whether nobody logged a single card of a deal."""
    return not any(stock) and not any(map(any, hands.values()))


class CardPlaces:
    """The places of the cards of one hand. Piles are lists with the top card last; None is a card nobody logged."""

    __slots__ = ("deck", "doubles", "hands", "pile", "shown", "stock", "unplaced", "unseen", "vague")

    def __init__(self, deck: Iterable[Card]) -> None:
        self.deck = frozenset(deck)
        self.doubles: frozenset[Card] = frozenset()
        """Cards that stood twice in the deal: there may be two of each, so their place is never known."""
        self.hands: dict[str, dict[Card, int]] = {}
        """The known cards of each player dealt in, in the order they came, each with how many there are of it."""
        self.unseen: dict[str, int] = {}
        """How many cards nobody logged each player holds."""
        self.stock: list[SeenCard] = []
        self.pile: list[SeenCard] = []
        self.unplaced: set[Card] = set()
        """The cards of the deck whose place isn't known: any of them may be a card nobody logged."""
        self.shown: set[Card] = set()
        """The cards in hands that everybody has seen."""
        self.vague = False
        """Whether the pile was reshuffled at a moment that nobody wrote down: what lies in it now isn't known (R2)."""

    # ---- questions ----

    def cards_of(self, player: str) -> list[SeenCard]:
        """A player's cards, the unseen ones last."""
        return [*self.hands.get(player, ()), *[None] * self.unseen.get(player, 0)]

    def size_of(self, player: str) -> int:
        """How many cards a player holds."""
        return len(self.hands.get(player, ())) + self.unseen.get(player, 0)

    def holder_of(self, card: Card) -> str | None:
        """The player who is known to hold a card."""
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
        """Whether everybody can see where a card lies."""
        return card in self.pile or card in self.shown

    @property
    def any_unseen(self) -> bool:
        """Whether some hand holds a card that nobody logged."""
        return any(self.unseen.values())

    # ---- moves ----

    def place(self, hands: dict[str, list[SeenCard]], stock: list[SeenCard]) -> None:
        """Lay out a fresh deal; of a card that stands twice, no place is known."""
        self.stock, self.pile, self.shown, self.vague, self.doubles = stock, [], set(), False, frozenset()
        if nothing_seen(hands, stock):
            self.unplaced = set(self.deck)
            self.hands = {player: {} for player in hands}
            self.unseen = {player: len(cards) for player, cards in hands.items()}
            return
        self.unplaced = set(self.deck.difference(stock, *hands.values()))
        if not self.unplaced and len(stock) + sum(map(len, hands.values())) == len(self.deck):
            self.hands = {player: dict.fromkeys(cards, 1) for player, cards in hands.items()}  # type: ignore[arg-type]
            self.unseen = dict.fromkeys(hands, 0)
        else:
            self._place_what_is_known(hands)

    def _place_what_is_known(self, hands: dict[str, list[SeenCard]]) -> None:
        dealt = seen(self.stock, *hands.values())
        if len(set(dealt)) < len(dealt):
            twins = self.doubles = frozenset(card for card in dealt if dealt.count(card) > 1)
            hands = {player: [None if card in twins else card for card in cards] for player, cards in hands.items()}
            self.stock = [None if card in twins else card for card in self.stock]
            self.unplaced |= twins
        self.hands = {player: dict.fromkeys(seen(cards), 1) for player, cards in hands.items()}
        self.unseen = {player: len(cards) - len(self.hands[player]) for player, cards in hands.items()}

    def give(self, player: str, card: SeenCard) -> None:
        """Put a card into a hand; one that nobody logged is just one more."""
        if player not in self.hands:
            return
        if card is None:
            self.unseen[player] += 1
        else:
            self.hands[player][card] = 1
            self.unplaced.discard(card)

    def take(self, player: str, card: Card) -> None:
        """Take a card out of a hand, where it may have been unseen; or from wherever it is known to be."""
        if card in self.hands.get(player, ()):
            del self.hands[player][card]
        elif card in self.unplaced and self.unseen.get(player, 0):
            self.unseen[player] -= 1
        else:
            self.lift(card)
        self.shown.discard(card)
        self.unplaced.discard(card)

    def reveal(self, player: str, card: Card) -> None:
        """Note that a player holds a card, where the log leaves it open."""
        if card in self.unplaced and self.unseen.get(player, 0):
            self.unseen[player] -= 1
            self.give(player, card)

    def forget_hand(self, player: str) -> None:
        """From here on nobody knows which cards a player holds."""
        cards = self.hands.get(player)
        if cards:
            self.unplaced.update(cards)
            self.shown.difference_update(cards)
            self.unseen[player] += len(cards)
            cards.clear()

    def lose_unknown_card(self, player: str) -> None:
        """A player has put down some card of theirs that nobody logged."""
        self.forget_hand(player)
        if self.unseen.get(player):
            self.unseen[player] -= 1

    def lift(self, card: Card, leaving_unknown: bool = False) -> None:
        """Take a card away from wherever it is known to be; in its place stays nothing, or a card nobody logged."""
        if card in self.unplaced:
            return
        holder = self.holder_of(card)
        self.unplaced.add(card)
        self.shown.discard(card)
        if holder is not None:
            del self.hands[holder][card]
            self.unseen[holder] += leaving_unknown
            return
        for cards in (self.stock, self.pile):
            if card in cards:
                at = cards.index(card)
                cards[at : at + 1] = [None] if leaving_unknown else []
                return

    def put_on_top(self, card: Card) -> None:
        """Lay a card on the stock."""
        self.stock.append(card)
        self.unplaced.discard(card)

    def take_top(self, card: SeenCard) -> SeenCard:
        """Take the top card off the stock; one that is named, and is another, is believed."""
        top = self.stock.pop() if self.stock else None
        if card is None or card == top:
            return top
        if top is not None:
            self.unplaced.add(top)
        self.lift(card)
        self.unplaced.discard(card)
        return card

    def shuffle_pile(self, listed: list[SeenCard] | None) -> None:
        """The pile, with what is left of the stock, becomes the stock: as listed (top first), or in an unseen order."""
        if listed is not None and not self.stock and set(listed) == set(self.pile) and None not in listed:
            self.stock = listed[::-1]
        elif listed is None and not self.stock and len(self.pile) == 1:
            self.stock = self.pile  # a single card has but one order
        else:
            self.unplaced.update(seen(self.pile, self.stock))
            if listed is None:
                self.stock = [None] * (len(self.pile) + len(self.stock))
            else:
                self.stock = [card if card in self.unplaced else None for card in reversed(listed)]
                self.unplaced.difference_update(seen(self.stock))
        self.pile = []
