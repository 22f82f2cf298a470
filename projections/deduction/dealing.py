"""Dealing a history anew: a deal that agrees with it, put together card by card as the game went.

A card that is played, or shown, must have been one of those in its player's hand that are still open, so it is given
to one of them; whatever is open at the end gets the cards that are left. With one of each card, and every played card
known, each deal is as likely as any other (docs/adr/0057).
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, TypeVar

from domain.cards import Card, SeenCard
from domain.referee.verdicts import Among
from projections.deduction.history import (
    Back,
    BeforeUndone,
    Check,
    Enters,
    History,
    Leaves,
    Lot,
    Move,
    Number,
    Shows,
    TooLarge,
    copied,
)
from projections.deduction.origins import planned_lots

Some = TypeVar("Some")
DEAD_ENDS: Final = 50
"""Many runs come to nothing early: by the choices of one of them, there may be so many times as many as are taken."""


class Dealt(NamedTuple):
    """A deal that agrees: the card of each spot, and what it makes wrong: the check and its question, by index.

    `wrong_in_others`: what is wrong in deals that differ from it only in which of the cards that are left lies where.
    """

    cards: list[Card]
    wrong: set[tuple[int, int]]
    wrong_in_others: set[tuple[int, int]]
    ways: int
    """How many choices there were, multiplied: one over it is the chance that just this deal was dealt."""


class Ending(NamedTuple):
    """One way through a history, with the cards that are open at its end not yet given out.

    `orders`: how many deals it stands for. `held`: the spots in each hand where it was looked. `cards`: what is known
    to lie in a spot. `left`: for a spot that is open, the cards of which any may lie there.
    """

    orders: int
    held: dict[str, list[Number]]
    cards: dict[Number, SeenCard]
    left: dict[Number, Counter[Card]]


class EveryChoice:
    """Stands in for chance: with each run, choices are taken that no run before has taken together.

    Raises TooLarge where the choices of a run are so many that there are hardly few runs.
    """

    def __init__(self, most: float) -> None:
        self._path: list[list[int]] = []
        self._at = 0
        self._most = most

    def choice(self, options: Sequence[Some]) -> Some:
        if self._at == len(self._path):
            self._path.append([0, len(options)])
            if math.prod(number for _, number in self._path) > self._most:
                raise TooLarge
        self._at += 1
        return options[self._path[self._at - 1][0]]

    def next_run(self) -> bool:
        """Whether there is another run; it is begun."""
        self._at = 0
        while self._path and self._path[-1][0] + 1 == self._path[-1][1]:
            self._path.pop()
        if self._path:
            self._path[-1][0] += 1
        return bool(self._path)


class Dealer:
    """Deals one history, as often as wanted."""

    def __init__(self, history: History) -> None:
        self.history = history
        plans = [planned_lots(history, newest) for newest in (False, True)]
        self.plans = plans if plans[0] != plans[1] else plans[:1]
        """Where cards may have come from, of which there are several."""

        self.one_of_each = all(number == 1 for number in (history.lots[0].cards or {}).values())
        plays = (history.spots[move.spot] for move in history.moves if isinstance(move, Leaves))
        taken_up = (history.spots[number] for lot in history.lots for number in lot.sources)
        seen = all(spot.card is not None for spot in (*plays, *taken_up))
        self.even = self.one_of_each and seen and not history.went_back
        """Whether each deal is as likely as any other; then `ways` is how many deals there are."""
        self.come_to_hand = {move.spot for move in history.moves if isinstance(move, Enters)}
        self.named_later: dict[Card, list[int]] = {}
        """For each card, the moves that name it."""
        for at, move in enumerate(history.moves):
            for card in named_by(history, move):
                if card is not None:
                    self.named_later.setdefault(card, []).append(at)

    def deal(self, rng: Random, wrong: tuple[int, int] | None = None, right: bool = False) -> Dealt | None:
        """A deal by chance; None if it came to nothing, which says nothing of others.

        `wrong`: a question, by its check and its place in it, that had better be answered wrong. `right`: all of them
        had better be answered right; then deals are more or less likely, as `ways` tells of each.
        """
        return _Dealing(self, rng, rng.choice(self.plans), wrong, right=right).deal()

    def endings(self, at: int, most: int) -> list[Ending] | None:
        """Every way through the history, with the hands after so many moves; None if there are more than `most`.

        Spots, and cards, that nothing tells apart from there on are one choice.
        """
        return self._every_run(lambda every: _Dealing(self, None, {}, every=every, look_at=at).end(), most)

    def every_deal(self, most: int, runs: int) -> list[Dealt] | None:
        """Every deal that agrees, but for the order of what lies in one hand, or is never drawn; None if there are more
        than `most`, or it takes more than so many runs to find them."""
        return self._every_run(lambda every: _Dealing(self, None, {}, every=every, whole=True).deal(), runs, most)

    def _every_run(
        self, run: Callable[[EveryChoice], Some | None], runs: int, most: int | None = None
    ) -> list[Some] | None:
        every, found = EveryChoice(DEAD_ENDS * runs), list[Some]()
        try:
            for _ in range(runs):
                one = run(every)
                if one is not None:
                    found.append(one)
                if not every.next_run():
                    return found
                if len(found) == most:
                    return None
        except TooLarge:
            pass
        return None

    def deal_right(self) -> Dealt | None:
        """A deal in which, as far as that goes without looking ahead, every check is right; None if none was found."""
        dealt = None
        for plan in self.plans:
            dealt = dealt or _Dealing(self, None, plan).deal()
        return dealt


def named_by(history: History, move: Move) -> Sequence[SeenCard]:
    """The cards that a move names."""
    match move:
        case Shows(cards=cards):
            return cards
        case Enters(spot=number) | Leaves(spot=number):
            return [history.spots[number].card]
    return ()


class _NoDeal(Exception):
    """The cards can't be dealt on in this way."""


class _Dealing:
    def __init__(
        self,
        dealer: Dealer,
        rng: Random | None,
        planned: dict[Number, int],
        wrong: tuple[int, int] | None = None,
        every: EveryChoice | None = None,
        look_at: int | None = None,
        whole: bool = False,
        right: bool = False,
    ) -> None:
        self.move = 0
        self.right = right
        self.whole = whole
        """Whether every choice goes down to each card in each place that ever came to a hand."""
        self.every = every
        self.look_at = look_at
        self.held_then: dict[str, list[Number]] = {}
        self.dealer = dealer
        self.to_be_wrong = wrong
        self.aim: tuple[Number | None, frozenset[Card]] = (None, frozenset())
        """A play of an unseen card that had better be of one of these cards."""
        self.history = history = dealer.history
        self.planned = planned
        self.rng = rng
        self.card: list[SeenCard] = [spot.card for spot in history.spots]
        self.same_as: dict[Number, Number] = {}
        """For a card that was played without being seen, the spot that it came from."""
        self.hands: dict[str, list[Number]] = {player: [] for player in history.players}
        self.lot_of: dict[Number, int] = {}
        self.pools: list[Counter[Card]] = []
        """For each lot, the cards in it that aren't placed yet."""
        self.avoid: dict[Number, set[Card]] = {}
        """Cards that would make a check wrong if they lay in a spot."""
        self.ways = 1
        self.seen_by: dict[tuple[int, int], list[Number]] = {}
        """For each question of each check, the spots whose cards decide it."""

    def deal(self) -> Dealt | None:
        try:
            self._go_through()
            wrong_in_others = self._wrong_in_others()
            self._fill()
        except _NoDeal:
            return None
        cards = [self._card(number) for number in range(len(self.card))]
        if any(spot.among is not None and cards[at] not in spot.among for at, spot in enumerate(self.history.spots)):
            return None
        wrong = {asked for asked in self.seen_by if self._is_wrong(*asked)}
        return Dealt(cards, wrong, wrong_in_others, self.ways)  # type: ignore[arg-type]

    def end(self) -> Ending | None:
        """The end of a run of every choice; None if it came to nothing."""
        try:
            self._go_through()
        except _NoDeal:
            return None
        open_spots: dict[int, list[Number]] = {}
        for number, lot in self.lot_of.items():
            if self.card[number] is None:
                open_spots.setdefault(lot, []).append(number)
        for lot, numbers in open_spots.items():
            self.ways *= math.perm(self.pools[lot].total(), len(numbers))
        spots = {number for numbers in self.held_then.values() for number in numbers}
        left = {number: self.pools[self.lot_of[self._origin(number)]] for number in spots if self._card(number) is None}
        return Ending(self.ways, self.held_then, {number: self._card(number) for number in spots}, left)

    def _card(self, number: Number) -> SeenCard:
        return self.card[self._origin(number)]

    def _go_through(self) -> None:
        lots, checks = iter(self.history.lots), enumerate(self.history.checks)
        before: dict[int, dict[str, list[Number]]] = {}
        self._fill_lot(next(lots))
        lot, check = next(lots, None), next(checks, None)
        for at, move in enumerate(self.history.moves):
            while check is not None and check[1].at <= at:
                self._look(*check)
                check = next(checks, None)
            while lot is not None and lot.at <= at:
                self._fill_lot(lot)
                lot = next(lots, None)
            self.move = at
            if at == self.look_at:
                self.held_then = copied(self.hands)
            match move:
                case Enters(player=player, spot=number):
                    self.hands[player].append(number)
                case Leaves(player=player, spot=number):
                    self._leave(player, number)
                case Shows(player=player, cards=cards):
                    self._show(player, cards)
                case BeforeUndone(line=line):
                    before[line] = copied(self.hands)
                case Back(about=line):
                    self.hands = copied(before[line])
        while check is not None:
            self._look(*check)
            check = next(checks, None)
        while lot is not None:
            self._fill_lot(lot)
            lot = next(lots, None)
        if self.look_at is not None and not self.held_then:
            self.held_then = self.hands

    # ---- lots ----

    def _fill_lot(self, lot: Lot) -> None:
        """The cards that a lot is made of, less those that are known to lie in one of its spots."""
        named = Counter(card for number in lot.spots if (card := self.card[number]) is not None)
        pool = Counter(lot.cards) if lot.cards is not None else self._taken_up(lot.sources, named)
        if not named <= pool:
            raise _NoDeal
        at = len(self.pools)
        self.pools.append(pool - named)
        for number in lot.spots:
            self.lot_of[number] = at

    def _taken_up(self, sources: Sequence[Number], named: Counter[Card]) -> Counter[Card]:
        """The cards that a reshuffle takes up; those that nobody saw are settled now, first those that it must hold."""
        pool = Counter(card for number in sources if (card := self._card(number)) is not None)
        for number in sources:
            if self._card(number) is None:
                number = self._origin(number)
                mine = self.pools[self.lot_of[number]]
                needed = [card for card in named - pool if mine[card]] if self.every is None else []
                self._put(number, self._choose(needed or [card for card in mine if card not in self._avoided(number)]))
                pool[self.card[number]] += 1  # type: ignore[index]
        return pool

    def _origin(self, number: Number) -> Number:
        while number in self.same_as:
            number = self.same_as[number]
        return number

    def _avoided(self, number: Number) -> set[Card] | frozenset[Card]:
        return self.avoid.get(number, frozenset()) if self.rng is None and self.every is None else frozenset()

    # ---- moves ----

    def _choose(self, options: Sequence[Card]) -> Card:
        if not options:
            raise _NoDeal
        if self.every is not None:
            return self.every.choice(options)
        self.ways *= len(options)
        return options[0] if self.rng is None else self.rng.choice(options)

    def _put(self, number: Number, card: Card) -> None:
        self.card[number] = card
        pool = self.pools[self.lot_of[number]]
        pool[card] -= 1
        if not pool[card]:
            del pool[card]

    def _give(self, player: str, card: Card, but: Sequence[Number] = (), lot: int | None = None) -> Number:
        """The spot of a hand that holds a card: one that is known to, or an open one that is given it.

        `lot`: the lot that it had better come from.
        """
        open_ones = []
        for number in self.hands[player]:
            if number in but:
                continue
            held = self._card(number)
            if held == card:
                return number
            if held is None and self.pools[self.lot_of[self._origin(number)]][card]:
                open_ones.append(number)
        if not open_ones:
            raise _NoDeal
        if self.every is not None:
            number = self._one_of_each(open_ones, self._told_apart)
            self._put(self._origin(number), card)
            return number
        if lot is not None:
            open_ones = [one for one in open_ones if self.lot_of[self._origin(one)] == lot] or open_ones
        if self.rng is not None:
            self.ways *= len(open_ones)
            number = self.rng.choice(open_ones)
        else:
            number = min(open_ones, key=lambda one: card in self.avoid.get(one, ()))
        self._put(self._origin(number), card)
        return number

    def _leave(self, player: str, number: Number) -> None:
        spot, hand = self.history.spots[number], self.hands[player]
        if spot.card is not None:
            hand.remove(self._give(player, spot.card, lot=self.planned.get(number)))
            return
        options = [one for one in hand if self._may_be(one, number)]
        if number == self.aim[0]:
            may_be = self.history.spots[number].among
            options = self._aimed(options, self.aim[1] if may_be is None else self.aim[1] & may_be) or options
        if not options:
            raise _NoDeal
        if self.every is not None:
            came_from = self._one_of_each(options, self._told_apart)
        else:
            self.ways *= len(options)
            came_from = options[-1] if self.rng is None else self.rng.choice(options)
        hand.remove(came_from)
        self.same_as[number] = came_from

    def _aimed(self, options: Sequence[Number], cards: frozenset[Card]) -> list[Number]:
        """The spot of a hand that holds one of these cards, or an open one that is given it."""
        known = [number for number in options if self._card(number) in cards]
        if not known:
            self._make_wrong(options, cards, self.move)
            known = [number for number in options if self._card(number) in cards]
        return known

    def _one_of_each(self, options: Sequence[Some], told_apart: Callable[[Some], object]) -> Some:
        """An option, of those that nothing tells apart the first, which stands for all of them."""
        assert self.every is not None, "only where every choice is taken"
        alike: dict[object, list[Some]] = {}
        for option in options:
            alike.setdefault(told_apart(option), []).append(option)
        chosen = self.every.choice(list(alike.values()))
        self.ways *= len(chosen)
        return chosen[0]

    def _told_apart(self, number: Number) -> object:
        """What tells a spot in a hand from others: its card; else its lot, and whether it was there when looked at. In
        whole deals, all but what was dealt to the same hand is told apart."""
        card, spot = self._card(number), self.history.spots[number]
        if card is None and self.whole:
            return (self.lot_of[self._origin(number)], spot.holder) if spot.kind == "dealt" else number
        if card is None and number in self.history.went_back:
            return number
        then = any(number in hand for hand in self.held_then.values())
        return card if card is not None else (self.lot_of[self._origin(number)], then)

    def _may_be(self, one: Number, played: Number) -> bool:
        card, among = self._card(one), self.history.spots[played].among
        return card is None or among is None or card in among

    def _show(self, player: str, cards: Sequence[Card]) -> None:
        shown: list[Number] = []
        for card in cards:
            shown.append(self._give(player, card, shown))

    # ---- checks ----

    def _look(self, at: int, check: Check) -> None:
        """Note which spots decide a check."""
        for which, question in enumerate(check.asked.open.questions):
            if isinstance(question.wrong_if, Among):
                spots = [] if check.spot is None else [check.spot]
            else:
                spots = [number for player in question.wrong_if.players for number in self.hands.get(player, ())]
            self.seen_by[at, which] = spots
            if self.to_be_wrong == (at, which) and isinstance(question.wrong_if, Among):
                self.aim = (check.spot, question.wrong_if.cards)
            elif self.to_be_wrong == (at, which):
                self._make_wrong(spots, question.wrong_if.cards, check.at)
            if self.rng is None or self.right:
                for number in spots:
                    self.avoid.setdefault(number, set()).update(question.wrong_if.cards)

    def _make_wrong(self, spots: Sequence[Number], cards: frozenset[Card], at: int) -> None:
        """Give one of some spots one of these cards, if that may be: best one that is never named afterwards."""
        assert self.rng is not None, "only a deal by chance is wrong on purpose"
        options = []
        for number in spots:
            if self._card(number) is None:
                for card in self.pools[self.lot_of[self._origin(number)]].keys() & cards:
                    later = any(move >= at for move in self.dealer.named_later.get(card, ()))
                    options.append((later, card, number))
        if options:
            soonest = min(later for later, _, _ in options)
            _, card, number = self.rng.choice(sorted(option for option in options if option[0] == soonest))
            self._put(self._origin(number), card)

    def _is_wrong(self, at: int, which: int) -> bool:
        cards = self.history.checks[at].asked.open.questions[which].wrong_if.cards
        return any(self._card(number) in cards for number in self.seen_by[at, which])

    def _wrong_in_others(self) -> set[tuple[int, int]]:
        """The questions that a card that is left would answer wrong, in a place that is open; each card may lie in each
        of those, if no unseen one is taken to be of some cards."""
        if any(spot.among is not None for spot in self.history.spots):
            return set()
        wrong = set()
        for (at, which), numbers in self.seen_by.items():
            cards = self.history.checks[at].asked.open.questions[which].wrong_if.cards
            lots = {self.lot_of[self._origin(number)] for number in numbers if self._card(number) is None}
            if any(not cards.isdisjoint(self.pools[lot]) for lot in lots):
                wrong.add((at, which))
        return wrong

    def _fill(self) -> None:
        """What is open at the end gets the cards that are left."""
        for number, came_from in self.same_as.items():
            self.avoid.setdefault(self._origin(came_from), set()).update(self._unlike(number))
        open_spots: dict[int, list[Number]] = {}
        for number, lot in self.lot_of.items():
            if self.card[number] is None:
                open_spots.setdefault(lot, []).append(number)
        for lot, numbers in open_spots.items():
            if self.every is not None:
                numbers = self._fill_each(numbers)
            elif self.right:
                numbers = self._fill_rightly(numbers)
            cards = list(self.pools[lot].elements())
            if self.rng is not None:
                self.rng.shuffle(cards)
                if any(card in self.avoid.get(number, ()) for number, card in zip(numbers, cards, strict=False)):
                    raise _NoDeal
            else:
                cards = self._spread(numbers, cards)
            if len(cards) < len(numbers):
                raise _NoDeal
            self.ways *= math.perm(len(cards), len(numbers))
            for number, card in zip(numbers, cards, strict=False):
                self.card[number] = card

    def _fill_rightly(self, numbers: Sequence[Number]) -> list[Number]:
        """Give the spots where a card would make a check wrong one of the others; the spots that are still open."""
        others = []
        for number in numbers:
            avoided = self.avoid.get(number)
            if not avoided:
                others.append(number)
                continue
            pool = self.pools[self.lot_of[number]]
            self._put(number, self._choose([card for card in pool.elements() if card not in avoided]))
        return others

    def _fill_each(self, numbers: Sequence[Number]) -> list[Number]:
        """Each way to fill the open spots that come to a hand; the other ones."""
        first_for: dict[object, str] = {}
        played, others = {self._origin(number) for number in self.same_as}, []
        for number in numbers:
            if number not in self.dealer.come_to_hand:
                others.append(number)
                continue
            alike = number if number in played else self._told_apart(number)
            cards = sorted(self.pools[self.lot_of[number]])
            chosen = self._choose([card for card in cards if card >= first_for.get(alike, "")])
            first_for[alike] = chosen
            self._put(number, chosen)
        return others

    def _unlike(self, played: Number) -> set[Card]:
        """The cards that an unseen one can't have been, and in a right deal those that it shouldn't."""
        among = self.history.spots[played].among
        unlike = set() if among is None else set(self.history.lots[0].cards or ()) - among
        return unlike | self.avoid.get(played, set()) if self.rng is None else unlike

    def _spread(self, numbers: list[Number], cards: list[Card]) -> list[Card]:
        """The cards in the order of the spots, so that few lie where they would make a check wrong: the spots that
        bear least choose first, of the cards that fewest others bear."""
        fussy = [number for number in numbers if self.avoid.get(number)]
        fussy.sort(key=lambda number: -len(self.avoid[number]))
        unwanted = Counter(card for number in fussy for card in self.avoid[number])
        cards.sort(key=lambda card: -unwanted[card])
        given: dict[Number, Card] = {}
        for number in fussy:
            card = next((card for card in cards if card not in self.avoid[number]), None)
            if card is not None:
                given[number] = card
                cards.remove(card)
        rest = iter(cards)
        spread = [given[number] if number in given else next(rest, None) for number in numbers]
        return [card for card in spread if card is not None]
