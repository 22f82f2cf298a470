"""All deals that agree with a history, as linear conditions on whole numbers: how many of a card each spot holds.

A solver for such conditions (HiGHS) finds a deal that meets them, or that there is none. Cards that nothing in the
history tells apart are one kind, and spots of which nothing tells which is which are one class: that keeps it small.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, TypeAlias

import highspy
import numpy as np

from domain.cards import Card
from domain.referee.verdicts import Among
from projections.deduction.history import Back, BeforeUndone, Check, Enters, History, Leaves, Number, Shows, TooLarge

Kind: TypeAlias = int
Terms: TypeAlias = dict[int, int]
"""Variables, each with its factor."""
MOST_VARIABLES: Final = 60_000
"""Larger questions are not put to the solver."""
LARGE: Final = 10_000
"""Variables from which on the first answer comes sooner by the interior of the conditions than along their edges."""
MOST_BRANCHES: Final = 200
"""How often the solver may try one way and then the other, before a question is too large."""


class Condition(NamedTuple):
    """`low` ≤ the sum of the terms ≤ `high`."""

    terms: Terms
    low: float
    high: float


class Sum:
    """A number of cards: a part that is known, and variables."""

    __slots__ = ("known", "terms")

    def __init__(self, known: int = 0, terms: Terms | None = None) -> None:
        self.known = known
        self.terms: Terms = {} if terms is None else terms

    def add(self, other: "Sum", factor: int = 1) -> None:
        self.known += factor * other.known
        for variable, of in other.terms.items():
            self.terms[variable] = self.terms.get(variable, 0) + factor * of

    def between(self, low: float, high: float = highspy.kHighsInf) -> Condition:
        return Condition({v: of for v, of in self.terms.items() if of}, low - self.known, high - self.known)


class Deals:
    """The deals that agree with a history.

    `blank`: lines whose cards are left out of account. `upto`: no line after it counts. `look_at`: after so many moves,
    it is kept who holds what, for `looked_at`. `roughly`: deals with fractions of cards are good enough.
    """

    def __init__(
        self,
        history: History,
        *,
        blank: Collection[int] = (),
        upto: int | None = None,
        look_at: int | None = None,
        roughly: bool = False,
    ) -> None:
        self._roughly = roughly
        self._look_at = look_at
        self._seen: dict[str, dict[Kind, Sum]] = {}
        self.history = history
        self._blank = blank
        self._upto = upto
        self.one_of_each = False
        self._bounds: list[int] = []
        self._conditions: list[Condition] = []
        self._where: dict[tuple[Kind, Number], int] = {}
        """The variable for a kind in a spot's class."""
        self.asked: list[tuple[Sum, ...]] = []
        """For each check of the history, for each of its questions: how many cards there are that would be wrong."""
        self.contradictory = False
        """Whether conditions without any variable aren't met."""
        self._sort_cards()
        self._sort_spots()
        self._fill()
        self._move()
        self._solver: highspy.Highs | None = None

    # ---- what is told apart ----

    def counts(self, line: int | None) -> bool:
        """Whether what a line says is taken into account."""
        return line is not None and line not in self._blank and (self._upto is None or line <= self._upto)

    def card_in(self, number: Number) -> Card | None:
        spot = self.history.spots[number]
        return spot.card if self.counts(spot.seen_on) else None

    def _among(self, number: Number) -> frozenset[Card] | None:
        spot = self.history.spots[number]
        return spot.among if self._upto is None or spot.line <= self._upto else None

    def _sort_cards(self) -> None:
        """Each card's kind; cards that no line, check or assumption tells apart share one."""
        history = self.history
        pool = history.lots[0].cards or {}
        self.one_of_each = all(number == 1 for number in pool.values())
        named: set[Card] = {card for number in range(len(history.spots)) if (card := self.card_in(number))}
        for move in history.moves:
            if isinstance(move, Shows) and self.counts(move.line):
                named.update(move.cards)
        sets = {question.wrong_if.cards for check in history.checks for question in check.asked.open.questions}
        sets |= {spot.among for spot in history.spots if spot.among is not None}
        self.kinds: list[list[Card]] = []
        self.kind_of: dict[Card, Kind] = {}
        alike: dict[tuple[object, ...], Kind] = {}
        for card, number in pool.items():
            key = (card,) if card in named else (number, *(card in cards for cards in sets))
            kind = alike.setdefault(key, len(self.kinds))
            if kind == len(self.kinds):
                self.kinds.append([])
            self.kinds[kind].append(card)
            self.kind_of[card] = kind
        self.sizes = [sum(pool[card] for card in cards) for cards in self.kinds]
        self.contradictory = any(card not in self.kind_of for card in named)

    def _sort_spots(self) -> None:
        """Each spot's class, named by its first spot, and its size; a spot whose card is known has none."""
        history = self.history
        moved = {move.spot for move in history.moves if isinstance(move, Enters)}
        moved |= {number for lot in history.lots for number in lot.sources}
        firsts: dict[tuple[int, str | None], Number] = {}
        self.class_of: dict[Number, Number] = {}
        self.class_size: Counter[Number] = Counter()
        for at, lot in enumerate(history.lots):
            for number in lot.spots:
                spot = history.spots[number]
                if self.card_in(number) is not None:
                    continue
                if at == 0 and spot.kind == "dealt":
                    first = firsts.setdefault((at, spot.holder), number)
                elif number not in moved:
                    first = firsts.setdefault((at, None), number)
                else:
                    first = number
                self.class_of[number] = first
                self.class_size[first] += 1
        for move in history.moves:
            if isinstance(move, Leaves) and self.card_in(move.spot) is None:
                self.class_of[move.spot] = move.spot
                self.class_size[move.spot] = 1

    # ---- the conditions ----

    def _require(self, condition: Condition) -> None:
        if condition.terms:
            self._conditions.append(condition)
        elif condition.low > 0 or condition.high < 0:
            self.contradictory = True

    def _variable(self, kind: Kind, number: Number) -> int:
        first = self.class_of[number]
        variable = self._where.get((kind, first))
        if variable is None:
            variable = self._where[kind, first] = len(self._bounds)
            self._bounds.append(min(self.sizes[kind], self.class_size[first]))
            if len(self._bounds) > MOST_VARIABLES:
                raise TooLarge
        return variable

    def within(self, kind: Kind, number: Number) -> Sum:
        """How many of a kind lie in a spot; of a class, in all its spots."""
        card = self.card_in(number)
        if card is not None:
            return Sum(int(self.kind_of.get(card) == kind))
        if kind not in self._possible[self.class_of[number]]:
            return Sum()
        return Sum(0, {self._variable(kind, number): 1})

    def _fill(self) -> None:
        """What each lot was filled with, and that each spot holds one card."""
        self._possible: dict[Number, set[Kind]] = {}
        everything = set(range(len(self.kinds)))
        unseen_plays = [m.spot for m in self.history.moves if isinstance(m, Leaves) and self.card_in(m.spot) is None]
        self._possible.update(dict.fromkeys(unseen_plays, everything))
        for lot in self.history.lots:
            classes = list(dict.fromkeys(self.class_of[number] for number in lot.spots if number in self.class_of))
            sources = self._sums(lot.sources)
            possible = everything if lot.cards is not None else set(sources)
            for first in classes:
                self._possible[first] = possible
            placed = self._sums(lot.spots)
            surplus = lot.cards is not None and sum(lot.cards.values()) > len(lot.spots)
            for kind in possible | set(placed):
                total = placed.get(kind) or Sum()
                if lot.cards is not None:
                    self._require(total.between(0 if surplus else self.sizes[kind], self.sizes[kind]))
                else:
                    total.add(sources.get(kind) or Sum(), -1)
                    self._require(total.between(0, 0))
            for first in classes:
                self._fill_class(first)
        for number in unseen_plays:
            self._fill_class(number)

    def _fill_class(self, first: Number) -> None:
        total = Sum()
        among = self._among(first)
        for kind in self._possible[first]:
            if among is None or self.kinds[kind][0] in among:
                total.add(self.within(kind, first))
            else:
                self._require(self.within(kind, first).between(0, 0))
        self._require(total.between(self.class_size[first], self.class_size[first]))

    def _sums(self, numbers: Iterable[Number]) -> dict[Kind, Sum]:
        """For each kind that may lie in some spots, how many do; a class counts whole."""
        sums: dict[Kind, Sum] = {}
        for first in dict.fromkeys(self.class_of.get(number, number) for number in numbers):
            self._add_to(sums, first)
        return sums

    def _add_to(self, sums: dict[Kind, Sum], first: Number, factor: int = 1) -> Iterable[Kind]:
        """Add what lies in a spot, or in a class of spots, to the numbers of each kind; the kinds that may."""
        card = self.card_in(first)
        if card is not None:
            kind = self.kind_of.get(card)
            if kind is None:
                return ()
            sums.setdefault(kind, Sum()).known += factor
            return (kind,)
        possible = self._possible[first]
        for kind in possible:
            variable = self._variable(kind, first)
            total = sums.get(kind)
            if total is None:
                sums[kind] = Sum(0, {variable: factor})
            else:
                total.terms[variable] = total.terms.get(variable, 0) + factor
        return possible

    def _move(self) -> None:
        """Whoever lets a card go, or shows it, holds it then; and how many wrong cards each check sees."""
        held: dict[str, dict[Kind, Sum]] = {player: {} for player in self.history.players}
        entered: set[Number] = set()
        before: dict[int, tuple[dict[str, dict[Kind, Sum]], set[Number]]] = {}
        checks = iter(enumerate(self.history.checks))
        check = next(checks, None)
        for at, move in enumerate(self.history.moves):
            while check is not None and check[1].at <= at:
                self.asked.append(self._ask(check[1], held))
                check = next(checks, None)
            if at == self._look_at:
                self._seen = _copied(held)
            if isinstance(move, BeforeUndone):
                before[move.line] = _copied(held), entered.copy()
                continue
            if isinstance(move, Back):
                held, entered = _copied(before[move.about][0]), before[move.about][1].copy()
                continue
            hand = held[move.player]
            match move:
                case Enters(spot=number):
                    first = self.class_of.get(number, number)
                    if first not in entered:
                        entered.add(first)
                        self._add_to(hand, first)
                case Leaves(spot=number):
                    for kind in self._add_to(hand, number, -1):
                        self._require(hand[kind].between(0))
                        if self.one_of_each and self.card_in(number) is not None and len(self.kinds[kind]) == 1:
                            for other in held.values():  # it lies in the pile, so nobody holds it
                                other.pop(kind, None)
                case Shows(cards=cards, line=line) if self.counts(line):
                    for card, times in Counter(cards).items():
                        kind_shown = self.kind_of.get(card)
                        if kind_shown is not None:
                            self._require(hand.get(kind_shown, Sum()).between(times))
        while check is not None:
            self.asked.append(self._ask(check[1], held))
            check = next(checks, None)
        if self._look_at is not None and not self._seen:
            self._seen = held

    def _ask(self, check: Check, held: dict[str, dict[Kind, Sum]]) -> tuple[Sum, ...]:
        asked = []
        for question in check.asked.open.questions:
            total = Sum()
            kinds = {self.kind_of[card] for card in question.wrong_if.cards if card in self.kind_of}
            if isinstance(question.wrong_if, Among):
                for kind in kinds if check.spot is not None else ():
                    total.add(self.within(kind, check.spot))  # type: ignore[arg-type]
            else:
                for player in question.wrong_if.players:
                    for kind in kinds & held.get(player, {}).keys():
                        total.add(held[player][kind])
            asked.append(total)
        return tuple(asked)

    def looked_at(self, player: str, card: Card) -> Sum:
        """How many of a card a player holds where it was looked, or of the cards that nothing tells apart from it."""
        total = Sum()
        number = self._seen.get(player, {}).get(self.kind_of.get(card, -1))
        if number is not None:
            total.add(number)
        return total

    def at_least_one_less(self, player: str, card: Card) -> Condition:
        """That a player, where it was looked, lacks a card of a kind of which they may hold others."""
        kind = self.kind_of[card]
        copies = (self.history.lots[0].cards or {})[card]
        return self.looked_at(player, card).between(0, self.sizes[kind] - copies)

    def wrong(self, at: int) -> Sum:
        """How many cards there are that make a check wrong."""
        total = Sum()
        for number in self.asked[at]:
            total.add(number)
        return total

    # ---- the solver ----

    def exist(self, *conditions: Condition) -> bool:
        """Whether some deal that agrees meets these conditions too."""
        if self.contradictory:
            return False
        extra = [condition for condition in conditions if condition.terms]
        if any(condition.low > 0 or condition.high < 0 for condition in conditions if not condition.terms):
            return False
        if not self._bounds:
            return True
        solver = self._solver = self._solver or self._passed_on()
        for terms, low, high in extra:
            solver.addRow(low, high, len(terms), np.array([*terms], np.int32), np.array([*terms.values()], np.float64))
        found = _meets(solver, self._roughly)
        for row in range(solver.getNumRow() - len(extra), solver.getNumRow()):
            solver.changeRowBounds(row, -highspy.kHighsInf, highspy.kHighsInf)  # what was found helps with the next one
        return found

    def wrong_together(self, asked: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
        """Of some questions, by their check and their place in it, many that one deal answers wrong; none if that is
        too much to ask."""
        if self.contradictory or not self._bounds:
            return set()
        solver = self._solver = self._solver or self._passed_on()
        first = solver.getNumCol()
        for at, which in asked:
            wrong = self.asked[at][which].terms
            solver.addCol(-1.0, 0.0, 1.0, 0, np.array([], np.int32), np.array([], np.float64))
            columns = np.array([*wrong, solver.getNumCol() - 1], np.int32)
            factors = np.array([*wrong.values(), -1], np.float64)
            solver.addRow(-self.asked[at][which].known, highspy.kHighsInf, len(columns), columns, factors)
        try:
            met = _meets(solver, self._roughly)
        except TooLarge:
            met = False
        found = solver.getSolution().col_value[first:] if met else ()
        for column in range(first, solver.getNumCol()):
            solver.changeColCost(column, 0.0)
        return {one for one, value in zip(asked, found, strict=False) if value > 0.5}

    def _passed_on(self) -> highspy.Highs:
        solver = highspy.Highs()  # type: ignore[no-untyped-call]
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("random_seed", 1)
        solver.setOptionValue("mip_max_nodes", MOST_BRANCHES)
        if len(self._bounds) > LARGE:
            solver.setOptionValue("solver", "ipm")
        number = len(self._bounds)
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = number, len(self._conditions)
        model.col_cost_, model.col_lower_ = np.zeros(number), np.zeros(number)
        model.col_upper_ = np.array(self._bounds, np.float64)
        model.row_lower_ = np.array([condition.low for condition in self._conditions], np.float64)
        model.row_upper_ = np.array([condition.high for condition in self._conditions], np.float64)
        starts = [0]
        columns: list[int] = []
        factors: list[int] = []
        for condition in self._conditions:
            columns += condition.terms
            factors += condition.terms.values()
            starts.append(len(columns))
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.array(starts, np.int32)
        model.a_matrix_.index_ = np.array(columns, np.int32)
        model.a_matrix_.value_ = np.array(factors, np.float64)
        model.integrality_ = [highspy.HighsVarType.kInteger] * number
        solver.passModel(model)
        return solver


def _meets(solver: highspy.Highs, roughly: bool) -> bool:
    """Whether there is a deal; that there is none can often be told from fractions of cards already, at less cost.

    Raises TooLarge if the solver can't tell.
    """
    for relaxed in (True, False):
        solver.setOptionValue("solve_relaxation", relaxed)
        solver.run()
        status = solver.getModelStatus()
        if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
            return False
        if status != highspy.HighsModelStatus.kOptimal:
            raise TooLarge
        if relaxed and roughly:
            return True
        if relaxed:
            solver.setOptionValue("solver", "simplex")  # from here on, what was found is gone on from
            basis = solver.getBasis()
            if all(abs(value - round(value)) < 1e-6 for value in solver.getSolution().col_value):
                return True
    solver.setBasis(basis)
    return True


def _copied(held: dict[str, dict[Kind, Sum]]) -> dict[str, dict[Kind, Sum]]:
    return {
        player: {kind: Sum(number.known, dict(number.terms)) for kind, number in hand.items()}
        for player, hand in held.items()
    }
