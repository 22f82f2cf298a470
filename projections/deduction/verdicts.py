"""What is proved and what stays open in one hand: each check that the referee left open, over every deal that agrees.

Broken in every deal is proved, in some is open, in none is nothing. Several checks that can't all be right are one
finding, at the last of them; lines that no deal agrees with are one, at the first line that leaves none.
"""

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from domain.cards import card_name
from domain.referee.verdicts import Among, Fault, Holds, Question, nearest_rule
from domain.trail import Trail
from projections.deduction.dealing import Dealer, Dealt
from projections.deduction.history import (
    Back,
    BeforeUndone,
    Check,
    History,
    Leaves,
    Shows,
    TooLarge,
    asked_in,
    histories,
)
from projections.drawing import lines_named
from projections.finding import not_all_right

if TYPE_CHECKING:
    from projections.deduction.deals import Deals

TRIES: Final = 3
"""Deals by chance, for each question, that had better answer it wrong, before the solver is asked."""
MANY: Final = 100
"""Where more lines of a hand than these name a card, a proof names all of them: to try each would take minutes."""
MOST_ASKED: Final = 200
"""Questions of a hand that so many deals are spent on."""
Proof: TypeAlias = Callable[[], tuple[str, list[int]]]
"""What proves a finding: the end of its sentence, and the lines whose cards it needs, of which none can be left out.
It takes a while to find, so it is asked for only where the finding is told."""


class Proved(NamedTuple):
    """A finding of the deduction: the line that broke a rule, and what proves it."""

    line: int
    fault: Fault
    proof: Proof
    of_an_unseen_card: bool = False
    """Whether it is what was said with an unseen card."""
    together: Sequence[int] = ()
    """Earlier lines that can't all be right with it."""


class StaysOpen(NamedTuple):
    """A check that stays open; without `question` it turns on more than cards."""

    line: int
    rule: str
    player: str | None
    question: Question | None


class Verdicts(NamedTuple):
    proved: list[Proved]
    open: list[StaysOpen]
    agrees: bool
    """Whether some deal agrees with the hand."""


def verdicts(trail: Trail, known: Collection[tuple[int, str]]) -> Verdicts:
    """What is proved in the hand of this trail; `known`: the lines and rules of what was found already."""
    found = histories(trail)
    if found is None:
        asked = [one for one in asked_in(trail) if not one.unless and (one.line, one.open.rule) not in known]
        return Verdicts([], [StaysOpen(one.line, one.open.rule, one.player, None) for one in asked], True)
    ways = [_of_way(way, known) for way in found]
    feasible = [way for way in ways if way.agrees] or ways[:1]
    first = feasible[0]
    if len(feasible) == 1:
        return Verdicts(first.proved, first.open, first.agrees)
    common = set.intersection(*({(one.line, one.fault.rule) for one in way.proved} for way in feasible))
    proved = [one for one in first.proved if (one.line, one.fault.rule) in common]
    left = {(one.line, one.rule): one for way in feasible for one in way.open}
    for way in feasible:
        for one in way.proved:
            if (one.line, one.fault.rule) not in common:
                key = (one.line, one.fault.rule)
                left.setdefault(key, StaysOpen(*key, one.fault.player, None))
    return Verdicts(proved, [left[key] for key in sorted(left)], True)


class _Way(NamedTuple):
    proved: list[Proved]
    open: list[StaysOpen]
    agrees: bool


def _of_way(stretches: Sequence[History], known: Collection[tuple[int, str]]) -> _Way:
    proved: list[Proved] = []
    left: list[StaysOpen] = []
    agrees = True
    for history in stretches:
        undecided = [one for one in history.undecided if not one.unless and (one.line, one.open.rule) not in known]
        left += [StaysOpen(one.line, one.open.rule, one.player, None) for one in undecided]
        stretch = _Stretch(history, known)
        try:
            stretch.decide()
        except TooLarge:
            stretch.leave_open()
        except Unfollowable:
            stretch.agrees = False
        proved += stretch.proved
        left += stretch.open
        agrees &= stretch.agrees
    return _Way(sorted(proved, key=lambda one: one.line), sorted(left, key=lambda one: one.line), agrees)


def _left(check: Check, which: int = 0) -> StaysOpen:
    asked, question = check.asked, check.asked.open.questions[which]
    return StaysOpen(asked.line, question.fault.rule, asked.player, question)


class Unfollowable(Exception):
    """The cards can't have moved as the trail says, whatever they were."""


class _Stretch:
    """The checks of one history, being decided."""

    def __init__(self, history: History, known: Collection[tuple[int, str]]) -> None:
        self.history = history
        self.proved: list[Proved] = []
        self.open: list[StaysOpen] = []
        self.agrees = True
        self.blank: frozenset[int] = frozenset()
        """Lines that no deal agrees with; they are found, and not counted any more."""
        self._pending = [
            at
            for at, check in enumerate(history.checks)
            if not check.asked.unless
            and not any((check.asked.line, q.fault.rule) in known for q in check.asked.open.questions)
        ]
        self._known = known
        self._roughly = False
        """Whether deals with fractions of cards are good enough: what has none of those has no deal at all."""
        self._wrong_in_some: set[tuple[int, int]] = set()
        """The questions that some deal answers wrong."""
        self._right_in_some: set[int] = set()
        """The checks that some deal makes right."""

    def decide(self) -> None:
        """Decide each check. Most are open, which a few deals show; what they don't show is put to the solver."""
        dealer = Dealer(self.history)
        right = dealer.deal_right()
        if right is not None:
            self._note(right)
            self._wrong_in_some |= right.wrong_in_others
        self._deal_some(dealer)
        deals: Deals | None = None
        if right is None or any(at in self._pending for at, _ in right.wrong):
            deals = self._deals()
            self._look_for_right(deals)
        self._look_for_wrong(deals)
        self._look_for_unless()

    def leave_open(self) -> None:
        """What isn't proved yet stays open."""
        self.open = [_left(self.history.checks[at]) for at in self._pending]

    def _asked(self) -> list[tuple[int, int]]:
        """The questions that aren't decided yet: their check and their place in it."""
        return [
            (at, which) for at in self._pending for which in range(len(self.history.checks[at].asked.open.questions))
        ]

    def _deal_some(self, dealer: Dealer) -> None:
        """A few deals by chance for each question that none so far answers wrong."""
        rng = Random(1)
        for asked in self._asked()[:MOST_ASKED]:
            for _ in range(TRIES):
                if asked not in self._wrong_in_some and (dealt := dealer.deal(rng, asked)) is not None:
                    self._note(dealt)

    def _note(self, dealt: Dealt) -> None:
        """What a deal that agrees shows of the checks."""
        self._wrong_in_some |= dealt.wrong
        self._right_in_some |= set(self._pending) - {at for at, _ in dealt.wrong}

    def _look_for_right(self, deals: "Deals") -> None:
        """Whether a deal agrees, and whether one does in which all checks are right; else something is proved."""
        may_be_right = [at for at in self._pending if _decides(self.history.checks[at])]
        if not deals.exist(*(deals.wrong(at).between(0, 0) for at in may_be_right)):
            self._prove(self._find_a_deal(deals))

    def _deals(
        self, blank: frozenset[int] | None = None, upto: int | None = None, look_at: int | None = None
    ) -> "Deals":
        from projections.deduction.deals import Deals  # most hands need no solver

        blank = self.blank if blank is None else blank
        return Deals(self.history, blank=blank, upto=upto, look_at=look_at, roughly=self._roughly)

    # ---- no deal agrees ----

    def _find_a_deal(self, deals: "Deals") -> "Deals":
        """The deals that agree once each line with which none is left is found and left out."""
        if not deals.exist() and not self._deals(frozenset(self.history.lines())).exist():
            raise Unfollowable
        while not deals.exist():
            line = self._first_without()
            if line is None:
                raise Unfollowable
            fault = self._no_deal(line)
            self.agrees &= self.history.undone(line)
            if (line, fault.rule) not in self._known and not self.history.undone(line):
                self.proved.append(Proved(line, fault, self._proof_that_none(line)))
            self.blank = self.blank | {line}
            deals = self._deals()
        return deals

    def _first_without(self) -> int | None:
        """The first line after which no deal is left; None if that isn't for any card that a line names."""
        lines = [line for line in self.history.lines() if line not in self.blank]
        return _first(lines, lambda line: self._deals(upto=line).exist() is False)

    def _no_deal(self, line: int) -> Fault:
        """The fault of a line with which no deal is left, told by what it says of a card."""
        rule, player, message = "deck", None, "these cards can't all lie in the new stock"
        for move in self.history.moves:
            if move.line != line or isinstance(move, BeforeUndone | Back):
                continue
            if isinstance(move, Shows):
                rule, player = move.rule, move.player
                message = f"{player} can't have held {' and '.join(map(card_name, move.cards))}"
                break
            spot = self.history.spots[move.spot]
            if spot.seen_on == line and spot.card is not None:
                played = isinstance(move, Leaves)
                rule, player = "hold-card" if played else "deck", move.player
                message = f"{player} can't have {'held' if played else 'drawn'} {card_name(spot.card)}"
        return Fault(rule=rule, kind="nonsense", player=player, message=f"no deal agrees with this line: {message}")

    # ---- proofs ----

    def _prove(self, deals: "Deals") -> None:
        """Each check that is wrong in every deal; then those that can't all be right."""
        for at in self._pending.copy():
            check = self.history.checks[at]
            shown = at in self._right_in_some and not self.blank
            if not shown and not deals.exist(deals.wrong(at).between(0, 0)):
                unseen = isinstance(check.asked.open.questions[0].wrong_if, Among)
                self.proved.append(Proved(check.asked.line, self._fault(deals, at), self._proof_of(at), unseen))
                self._pending.remove(at)
        together = [at for at in self._pending if _decides(self.history.checks[at])]
        while not deals.exist(*(deals.wrong(at).between(0, 0) for at in together)):
            last = self._prove_together(deals, together)
            together.remove(last)
            self._pending.remove(last)

    def _proof_that_none(self, line: int) -> Proof:
        def proof() -> tuple[str, list[int]]:
            return "", self._fewest(lambda blank: not self._deals(blank | but, line).exist(), but, line)

        but = self.blank
        return proof

    def _proof_of(self, at: int) -> Proof:
        def proof() -> tuple[str, list[int]]:
            evidence = self._fewest(lambda blank: self._cannot_be_right(blank | but, [at]), but)
            return self._because(self.history.checks[at], evidence), evidence

        but = self.blank
        return proof

    def _because(self, check: Check, evidence: list[int]) -> str:
        """Why a check is wrong in every deal, as the end of a sentence."""
        question, line = check.asked.open.questions[0], check.asked.line
        by = f"in every deal that agrees with {lines_named(evidence)}" if evidence else "whatever was dealt"
        if not isinstance(question.wrong_if, Holds) or len(question.wrong_if.players) > 1:
            return f"; that is so {by}"
        (player,) = question.wrong_if.players
        deals = self._deals(look_at=check.at)
        for card in sorted(question.wrong_if.cards & deals.kind_of.keys()):
            if not deals.exist(deals.at_least_one_less(player, card)):
                show = "shows" if len(evidence) == 1 else "show"
                shown = f"{lines_named(evidence)} {show} that" if evidence else "whatever was dealt,"
                later = max(evidence, default=0) > line
                unchanged = f", as {player}'s cards did not change after line {line}" if later else ""
                return f": {shown} {player} then held {card_name(card)}{unchanged}"
        return f": that is so {by}"

    def _prove_together(self, deals: "Deals", together: list[int]) -> int:
        """The last of the first checks that can't all be right."""

        def conflict(some: Sequence[int]) -> bool:
            return not deals.exist(*(deals.wrong(at).between(0, 0) for at in some))

        last = _first(together, lambda at: conflict([one for one in together if one <= at]))
        assert last is not None, "they can't all be right"
        some = [at for at in together if at <= last]
        for at in some[:-1]:
            if conflict([one for one in some if one != at]):
                some.remove(at)
        lines = [self.history.checks[at].asked.line for at in some]
        but = self.blank

        def proof() -> tuple[str, list[int]]:
            evidence = self._fewest(lambda blank: self._cannot_be_right(blank | but, some), but)
            return "", sorted({*lines[:-1], *evidence})

        question = self.history.checks[last].asked.open.questions[0]
        message = f"{not_all_right(lines)}: {question.fault.message}, or else one of the others is wrong"
        fault = Fault(
            rule=question.fault.rule, kind=question.fault.kind, player=question.fault.player, message=message,
            allowed=question.fault.allowed,
        )  # fmt: skip
        self.proved.append(Proved(lines[-1], fault, proof, together=lines[:-1]))
        return last

    def _cannot_be_right(self, blank: frozenset[int], some: Sequence[int]) -> bool:
        deals = self._deals(blank)
        return not deals.exist(*(deals.wrong(at).between(0, 0) for at in some))

    def _fault(self, deals: "Deals", at: int) -> Fault:
        """The fault that it is in every deal; where the deals don't agree on the rule, the one nearest to the line."""
        check = self.history.checks[at]
        questions = check.asked.open.questions
        for question, number in zip(questions, deals.asked[at], strict=True):
            if not deals.exist(number.between(0, 0)):
                return question.fault
        fault = questions[-1].fault
        either = "; or ".join(dict.fromkeys(question.fault.message for question in questions))
        return Fault(
            rule=nearest_rule(fault.rule),
            kind=fault.kind,
            player=check.asked.player,
            message=either,
            allowed=fault.allowed,
        )

    def _fewest(
        self, proves: Callable[[frozenset[int]], bool], but: frozenset[int], upto: int | None = None
    ) -> list[int]:
        """Lines that prove something together, of which none can be left out; `proves` is asked without some lines,
        and those in `but` count for nothing."""
        lines = [line for line in self.history.lines() if line not in but and (not upto or line <= upto)]

        def enough(kept: list[int]) -> bool:
            """Whether some lines prove it; where that can't be told, more are kept."""
            try:
                return proves(frozenset(lines) - frozenset(kept))
            except TooLarge:
                return False

        if len(lines) > MANY:
            return lines
        self._roughly = True
        try:
            self._roughly = enough(lines)
            return [] if enough([]) else sorted(_quickly(lines, [], enough))
        finally:
            self._roughly = False

    # ---- another fault than the one that was found ----

    def _look_for_unless(self) -> None:
        """Where nobody can have held the cards, it is the other fault."""
        for at, check in enumerate(self.history.checks):
            if check.asked.unless and self._nobody_held(self.blank, at):
                fault = check.asked.open.questions[0].fault
                self.proved.append(Proved(check.asked.line, fault, self._proof_that_nobody_held(at)))

    def _proof_that_nobody_held(self, at: int) -> Proof:
        def proof() -> tuple[str, list[int]]:
            return "", self._fewest(lambda blank: self._nobody_held(blank | but, at), but)

        but = self.blank
        return proof

    def _nobody_held(self, blank: frozenset[int], at: int) -> bool:
        deals = self._deals(blank)
        return not deals.exist(deals.wrong(at).between(1))

    # ---- what stays open ----

    def _look_for_wrong(self, deals: "Deals | None") -> None:
        """Each question that some deal answers wrong stays open."""
        doubtful = [
            one for one in self._asked() if one not in self._wrong_in_some and _decides(self.history.checks[one[0]])
        ]
        if len(doubtful) > 1 and not self.blank:
            deals = deals or self._deals()
            self._wrong_in_some |= deals.wrong_together(doubtful)
        for at, which in self._asked():
            check = self.history.checks[at]
            if ((at, which) in self._wrong_in_some and not self.blank) or not _decides(check):
                self.open.append(_left(check, which))
                continue
            if deals is None or self.blank:
                deals = self._deals()
            if deals.exist(deals.asked[at][which].between(1)):
                self.open.append(_left(check, which))


def _decides(check: Check) -> bool:
    return all(
        question.wrong_if.decides for question in check.asked.open.questions if isinstance(question.wrong_if, Holds)
    )


def _first(some: Sequence[int], holds: Callable[[int], bool]) -> int | None:
    """The first of some numbers for which something holds that then holds for all behind it."""
    low, high = 0, len(some)
    while low < high:
        middle = (low + high) // 2
        if holds(some[middle]):
            high = middle
        else:
            low = middle + 1
    return some[low] if low < len(some) else None


def _quickly(lines: list[int], given: list[int], proves: Callable[[list[int]], bool], grown: bool = False) -> list[int]:
    """Of lines that prove something together with given ones, some of which none can be left out (QuickXplain).

    `grown`: whether lines were added to the given ones, so that they may prove it alone.
    """
    if grown and proves(given):
        return []
    if len(lines) == 1:
        return lines
    first, second = lines[: len(lines) // 2], lines[len(lines) // 2 :]
    needed = _quickly(second, given + first, proves, True)
    return _quickly(first, given + needed, proves, bool(needed)) + needed
