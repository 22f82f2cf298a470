"""The audit: a fold over a log that says which rule was broken on which line, and goes on (docs/rules.md).

A faultless log is one plain fold. After a fault several readings are carried while they differ; the one with the
fewest findings wins.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeVar

import msgspec

from domain import events as ev
from domain.moves import APPLY
from domain.plain_turns import plain_turns
from domain.referee.judge import JUDGES
from domain.referee.legality import expected
from domain.referee.outs import contradiction
from domain.referee.verdicts import Fault, FaultKind, Open, Verdict
from domain.table import Table
from domain.trail import Asked, Trail, Turns
from projections.concluding import Conclusions
from projections.evidence import evidence_for, hides_cards
from projections.finding import Finding
from projections.open_checks import OpenCheck, open_check
from projections.reading import Reading, agreeing, as_one, best_of, best_of_each_part
from projections.take_backs import Memory, Undone

SomeFold = TypeVar("SomeFold", bound="Fold")
BEHIND: Final = 1
"""A reading with this many findings more than the best one is still carried: later lines may turn it around."""
MOST_READINGS: Final = 24
NO_DEAL: Final[frozenset[FaultKind]] = frozenset(
    ("card not held", "wrong card drawn", "not the pile", "wrong card corrected")
)
"""Faults that say that no deal agrees with the log."""
COMPARE_EVERY: Final = 8
"""Lines after which readings are compared whether they have come to the same table, besides where one is likely."""
_ENDS: Final = (ev.HandDealt, ev.HandVoided, ev.HandWon, ev.PileReshuffled, ev.CardsShown)
_FRESH_STARTS: Final = (ev.HandDealt, ev.HandVoided)
"""With these, all is said of the cards of the hand before."""
_MAY_HIDE: Final = (ev.HandDealt, ev.CardPlayed, ev.PileReshuffled, ev.HandCorrected)
LONGEST_LOOK_BACK: Final = 500
"""Lines of a hand that are searched for the evidence of a finding."""
MOST_RECENT: Final = 2048
"""Batches of a hand without an end that are kept to look for evidence in."""
_LOOK_CLOSELY: Final = Open("", forks=True)
_PLAIN_JUDGES: Final[dict[type[ev.Event], Callable[[Table, Any], Verdict]]] = {
    **JUDGES,
    ev.RulingMade: lambda table, event: _LOOK_CLOSELY,
    ev.TakenBack: lambda table, event: _LOOK_CLOSELY,
}
"""The referee, for the plain fold: events that concern other lines are left to the close look."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit looked at: events, hands dealt, proved findings, and checks that unseen cards leave open."""

    events: int
    hands: int
    findings: int
    open_checks: int
    left_open: list[OpenCheck] = []
    """Each of the open checks, with what would settle it."""


class UnknownTakeBack(Exception):
    """The fold met a take-back that it was not told of beforehand: it has to begin again, knowing them all."""


class Audit:
    """The fold. Feed it batches of events in order; ask `findings`, `table`, `summary` at any time.

    `undone` are the take-backs of the lines that will be fed, known beforehand.
    """

    def __init__(
        self, opened: ev.GameOpened, undone: Undone | None = None, *, possible: bool = False, trails: bool = False
    ) -> None:
        """`possible`: checks that the log leaves open are listed as possible findings. `trails`: `trails` tells of
        hands of which every card is known, too.
        """
        self.line = 0
        self.possible = possible
        self.left_open: list[OpenCheck] = []
        """The checks that finished hands leave open."""
        self.undone = Undone(()) if undone is None else undone
        self.readings = [Reading(Table(opened))]
        self.table.follows_all = trails
        self._opened = opened
        self._all_seen: tuple[int, list[Reading]] | None = None
        """The line from which on some cards of this hand are unseen, and the readings before it."""
        self._by_deals = True
        """Whether hands of few deals are judged deal by deal; not where one of them is."""
        self._settled: list[Finding] = []
        self.of_the_frame: set[tuple[int, str]] = set()
        """Findings that have nothing to do with cards: numbers out of order, take-backs of what doesn't stand."""
        self._rulings: list[tuple[int, ev.RulingMade]] = []
        self._recent: list[tuple[int, Sequence[ev.Event]]] = []
        self._last_seq = self._highest_seq = 0
        self._memory: Memory | None = None
        self._so_far: list[tuple[int, ev.Event]] | None = None
        self._amended: dict[tuple[int, str], Finding | None] = {}
        self._conclusions = Conclusions()
        self._concluded: tuple[int, list[Reading]] = (0, self.readings)
        """The line that the hand being played was concluded at, and the readings with what that gave."""

    def copy(self) -> "Audit":
        """An independent audit in the same state."""
        twin = object.__new__(Audit)
        twin.__dict__.update(self.__dict__)
        twin.readings = [reading.copy() for reading in self.readings]
        twin._settled, twin._rulings, twin._recent = self._settled.copy(), self._rulings.copy(), self._recent.copy()
        twin._conclusions = self._conclusions.copy()
        twin._concluded = (0, [])
        twin._memory = None if self._memory is None else self._memory.copy()
        twin.of_the_frame = self.of_the_frame.copy()
        twin.left_open, twin._amended = self.left_open.copy(), self._amended.copy()
        return twin

    @property
    def table(self) -> Table:
        """The table after the last line, in the reading with the fewest findings."""
        return best_of(self.readings).table

    @property
    def findings(self) -> list[Finding]:
        """The findings so far, in line order, with the rulings on them."""
        found: dict[tuple[int, str], Finding] = {}
        for finding in self.standing((*self._settled, *self.unsettled)):
            found.setdefault((finding.line, finding.rule), finding)
        if self.possible:
            for check in self._open():
                found.setdefault((check.line, check.rule), _possible(check))
        return sorted(self.with_rulings(found.values()), key=lambda finding: finding.line)

    def standing(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Of some findings those that still stand once their hand is looked at as a whole, as they are then told."""
        amended = self._amended.copy()
        for reading in best_of_each_part(agreeing(self._so_far_concluded())):
            amended |= reading.amended
        for finding in findings:
            after = amended.get((finding.line, finding.rule), finding)
            if after is not None:
                yield self._conclusions.told(after)

    @property
    def settled(self) -> int:
        """How many findings no later line but a take-back can change."""
        return len(self._settled)

    @property
    def unsettled(self) -> tuple[Finding, ...]:
        """The findings of the best reading, as long as others are carried or the hand is being played."""
        return tuple(map(self._conclusions.told, as_one(self._so_far_concluded())[0]))

    def settled_since(self, settled: int) -> list[Finding]:
        """The settled findings behind the first so many."""
        return self._settled[settled:]

    def trails(self) -> list[Trail]:
        """What happened to the cards of the hand being played, or just ended, in each part of the deals; nothing if
        every card is known."""
        return [one.table.trail for one in best_of_each_part(agreeing(self.readings)) if one.table.trail is not None]

    def _open(self) -> list[OpenCheck]:
        left_open = {(check.line, check.rule): check for check in self.left_open}
        left_open |= {(check.line, check.rule): check for check in as_one(self._so_far_concluded())[1]}
        return list(left_open.values())

    @property
    def summary(self) -> Summary:
        left_open = self._open()
        return Summary(
            events=self.line,
            hands=self.table.hand,
            findings=sum(finding.certainty == "proved" for finding in self.findings),
            open_checks=len(left_open),
            left_open=left_open,
        )

    def follow(self, batch: Sequence[ev.Event]) -> None:
        """Judge and follow the next events of the log."""
        self._recent.append((self.line + 1, batch))
        hand = self.readings[0].table.hand
        at = 0
        while at < len(batch):
            if len(self.readings) == 1:
                at = self._follow_plainly(batch, at, self._plain_stretch(batch, at))
            if at < len(batch):
                self._follow_closely(batch[at])
                at += 1
        if self.readings[0].table.hand != hand:
            self._recent = self._recent[-1:]
        elif len(self._recent) > 2 * MOST_RECENT:
            self._recent = self._recent[-MOST_RECENT:]

    def _plain_stretch(self, batch: Sequence[ev.Event], at: int) -> int:
        """The index in the batch up to which no line is undone."""
        undone = self.undone.next_from(self.line + 1) if self.undone else None
        return len(batch) if undone is None else min(len(batch), at + undone - self.line - 1)

    def _follow_plainly(self, batch: Sequence[ev.Event], at: int, end: int) -> int:
        """Follow events while nothing is wrong and one table tells it all; the index of the first that needs more."""
        table = self.readings[0].table
        start = self.line - at
        while at < end:
            event = batch[at]
            kind = type(event)
            if kind is ev.CardPlayed:
                after_turns = plain_turns(table, batch, at, end)
                if after_turns > at:
                    if table.trail is not None:
                        table.note(Turns(start + at + 1, batch, at, after_turns))
                    at = after_turns
                    continue
            if event.seq is not None and not self._last_seq + 1 == event.seq == self._highest_seq + 1:
                break
            if table.trail is not None and kind in _FRESH_STARTS:
                break
            if kind in _MAY_HIDE:
                self._watch(event, start + at + 1)
            table.line = start + at + 1
            verdict = _PLAIN_JUDGES[kind](table, event)
            if verdict is not None:
                if type(verdict) is not Open or verdict.forks or table.trail is None:
                    break
                table.note(Asked(table.line, getattr(event, "player", None), verdict))
            if event.seq is not None:
                self._last_seq = self._highest_seq = event.seq
            APPLY[kind](table, event)
            at += 1
        self.line = table.line = start + at
        self._so_far = None
        return at

    def _follow_closely(self, event: ev.Event) -> None:
        """Follow one event in every reading."""
        self.line += 1
        self._so_far = None
        line = self.line
        by = self.undone.by(line) if self.undone else None
        if by is not None:
            self._pass_over(event, by)
            return
        if self._memory is not None:
            for reading in self.readings:
                reading.table.line = line
                self._memory.end(reading.table)
            self._memory = None
        if type(event) in _FRESH_STARTS:
            self.readings = list(agreeing(self._conclude(line)))
            self.readings = self._carried_on(self.readings, type(event))
        self._check_frame(event)
        if type(event) in _MAY_HIDE:
            self._watch(event, line)
        if type(event) is ev.RulingMade:
            self._rulings.append((line, event))
        verdicts = []
        for reading in self.readings:
            reading.table.line = line
            verdicts.append(JUDGES[type(event)](reading.table, event))
        fine = [
            len(self.readings[at].findings) for at, verdict in enumerate(verdicts) if not isinstance(verdict, Fault)
        ]
        most = min(fine) + BEHIND if fine else None
        readings: list[Reading] = []
        for at, reading in enumerate(self.readings):
            readings += self._readings_after(reading, event, verdicts[at], most)
        self.readings = self._carried_on(readings, type(event))

    def _watch(self, event: ev.Event, line: int) -> None:
        """Keep the readings as they were before the first card of a hand that nobody saw."""
        if type(event) is ev.HandDealt:
            self._all_seen = None
        elif self.readings[0].table.trail is not None:
            return
        if hides_cards(event):
            self._all_seen = line, [reading.copy() for reading in self.readings]

    def _readings_after(self, reading: Reading, event: ev.Event, verdict: Verdict, most: int | None) -> list[Reading]:
        """What a reading becomes, as long as it has no more than `most` findings."""
        table = reading.table
        if isinstance(verdict, Fault) or (verdict is not None and verdict.forks):
            from domain.readings import fork, go_on  # a log without a fault starts faster without them

        if isinstance(verdict, Fault):
            if verdict.unless is not None and table.trail is not None:
                table.note(
                    Asked(self.line, verdict.player, Open(verdict.rule, questions=(verdict.unless,)), unless=True)
                )
            outcomes = go_on(table, event, verdict, None if most is None else most - len(reading.findings))
        elif verdict is not None and verdict.forks:
            self._leave_open(verdict, event, reading)
            outcomes = fork(table, event, verdict)
        else:
            if verdict is not None:
                self._leave_open(verdict, event, reading)
            APPLY[type(event)](table, event)
            return [reading]
        found: dict[int, Finding] = {}
        for _, faults in outcomes:
            for fault in faults:
                if id(fault) not in found:
                    found[id(fault)] = self._finding(fault, table)
        return [
            Reading(
                after,
                (*reading.findings, *(found[id(fault)] for fault in faults)),
                reading.left_open,
                reading.deals if isinstance(verdict, Fault) else (*reading.deals, (self.line, at)),
                reading.agrees and not (isinstance(verdict, Fault) and verdict.kind in NO_DEAL),
            )
            for at, (after, faults) in enumerate(outcomes)
        ]

    def _carried_on(self, readings: list[Reading], event_type: type[ev.Event]) -> list[Reading]:
        """Drop the readings that can't win any more, and keep one of those that have come to the same table."""
        costs = [len(reading.findings) for reading in readings]
        fewest = min(costs)
        if max(costs) > fewest + BEHIND:
            readings = [reading for reading in readings if len(reading.findings) <= fewest + BEHIND]
        grown = len(readings) > len(self.readings)
        look = grown or self.line % COMPARE_EVERY == 0 or event_type in _ENDS
        if look and len({reading.table.sketch() for reading in readings}) < len(readings):
            readings.sort(key=lambda reading: len(reading.findings))
            merged: dict[tuple[object, ...], Reading] = {}
            for reading in readings:
                same = merged.setdefault(reading.table.key(), reading)
                if same is not reading:
                    same.joined_by(reading)
            readings = list(merged.values())
        if len(readings) > MOST_READINGS:
            readings = sorted(readings, key=lambda reading: len(reading.findings))[:MOST_READINGS]
        if len(readings) == 1:
            self._settled += map(self._conclusions.told, readings[0].findings)
            amended = readings[0].amended.items()
            self._amended |= {key: finding and self._conclusions.told(finding) for key, finding in amended}
            self._conclusions.forget()
            self.left_open += readings[0].left_open
            readings[0].amended = {}
            readings[0].findings = readings[0].left_open = readings[0].deals = ()
            readings[0].agrees = True
        return readings

    def _pass_over(self, event: ev.Event, by: int) -> None:
        """An undone line: nothing of it happened but smoke and loads, and the cards seen there stay known."""
        self._memory = self._memory or Memory(self.undone.known[by].why, self.line)
        for reading in self.readings:
            reading.table.line = self.line
            for card in self._memory.recall(reading.table, event):
                player = getattr(event, "player", "")
                fault = contradiction(reading.table, player, card) if reading.table.holder_of(card) == player else None
                if fault is not None:
                    from domain.readings import prove

                    prove(reading.table, player)
                    reading.findings = (*reading.findings, self._finding(fault, reading.table))
        self._memory.move_on(event, self.line)
        if event.seq is not None:
            self._check_seq(event)

    # ---- what is the same in every reading ----

    def _check_frame(self, event: ev.Event) -> None:
        if event.seq is not None:
            self._check_seq(event)
        if type(event) is ev.TakenBack and self.line not in self.undone.known:
            raise UnknownTakeBack
        if type(event) is ev.TakenBack and self.line in self.undone.invalid:
            message = f"line {event.about} can't be taken back: only an earlier line that stands can, and not the first"
            self._note("log-order", event, message)

    def _check_seq(self, event: ev.Event) -> None:
        """`seq` counts 1, 2, 3 …; a gap or a repeat is a `log-order` finding."""
        seq = event.seq or 0
        if seq not in (self._last_seq + 1, self._highest_seq + 1):
            self._note("log-order", event, f"seq {seq} comes where seq {self._last_seq + 1} is next")
        self._last_seq, self._highest_seq = seq, max(seq, self._highest_seq)

    def _note(self, rule: str, event: ev.Event, message: str) -> None:
        player = getattr(event, "player", None)
        self.of_the_frame.add((self.line, rule))
        self._settled.append(
            Finding(line=self.line, rule=rule, player=player, message=message, expected=[], evidence=[])
        )

    # ---- findings ----

    def _leave_open(self, verdict: Open, event: ev.Event, reading: Reading) -> None:
        """Note a check that turns on unseen cards; it is decided when its hand is over."""
        if verdict.forks and not verdict.questions:
            return
        player, hand = getattr(event, "player", None), reading.table.hand
        if verdict.questions:
            reading.table.lose_sight()
        if reading.table.trail is not None:
            reading.table.note(Asked(self.line, player, verdict))
        else:
            reading.left_open = (*reading.left_open, open_check(self.line, verdict.rule, player, None, hand))

    # ---- what a hand proves together ----

    def _so_far_concluded(self) -> list[Reading]:
        """The readings, with what the hand that is being played proves so far."""
        if self._concluded[0] != self.line:
            self._concluded = self.line, self._conclude(self.line + 1)
        return self._concluded[1]

    def _conclude(self, before: int) -> list[Reading]:
        """The readings with what the hand proves that was played up to, and without, a line."""
        if all(reading.table.trail is None for reading in self.readings):
            return self.readings
        lines = self._look_back(before)
        concluded = self._conclusions.conclude(self.readings, self._settled, lines)
        if len({reading.deals for reading in concluded}) > 1:
            for reading in concluded:  # lines of which one is wrong are told together
                reading.findings = tuple(map(self._conclusions.told, reading.findings))
        if self._all_seen is None or not self._by_deals:
            return concluded
        from projections.deal_by_deal import deal_by_deal, judged_by_deals

        begins, readings = self._all_seen
        start = Audit(self._opened, self.undone)
        start.readings, start._by_deals = readings, False
        start._recent = [(first, batch[: begins - first]) for first, batch in self._recent if first < begins]
        broken = deal_by_deal(start, self._lines(begins, before), concluded)
        if broken is None:
            return concluded
        of_cards = [one for one in self._settled if (one.line, one.rule) not in self.of_the_frame]
        return judged_by_deals(concluded, broken, of_cards, begins, self._conclusions.told)

    def _lines(self, begins: int, before: int) -> list[tuple[int, ev.Event]]:
        """All lines, undone ones too, from one up to, and without, another, as far as they are kept."""
        kept = ((first + at, event) for first, batch in self._recent for at, event in enumerate(batch))
        return [(line, event) for line, event in kept if begins <= line < before]

    def _finding(self, fault: Fault, table: Table) -> Finding:
        return Finding(
            line=fault.line or self.line,
            rule=fault.rule,
            player=fault.player,
            message=fault.message,
            expected=[fault.allowed] if fault.allowed else expected(table) if fault.line is None else [],
            evidence=evidence_for(fault, self.line, self._hand_so_far()),
        )

    def _hand_so_far(self) -> list[tuple[int, ev.Event]]:
        """The standing lines of this hand before the current one, from its deal on, or the last of a long hand."""
        if self._so_far is None:
            self._so_far = self._look_back(self.line)
        return self._so_far

    def _look_back(self, before: int) -> list[tuple[int, ev.Event]]:
        """The standing lines of this hand before a line."""
        lines: list[tuple[int, ev.Event]] = []
        all_stand = not self.undone
        for first, batch in reversed(self._recent):
            for at in range(min(len(batch), before - first) - 1, -1, -1):
                if all_stand or self.undone.by(first + at) is None:
                    lines.append((first + at, batch[at]))
                if type(batch[at]) is ev.HandDealt or len(lines) == LONGEST_LOOK_BACK:
                    return lines[::-1]
        return lines[::-1]

    def with_rulings(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings, each with the line of the last ruling on it."""
        rulings: dict[tuple[int, str | None], int] = {(one.about, one.rule): line for line, one in self._rulings}
        for finding in findings:
            ruled = max(rulings.get((finding.line, rule), 0) for rule in (None, finding.rule))
            yield msgspec.structs.replace(finding, ruled=ruled) if ruled else finding


def _possible(check: OpenCheck) -> Finding:
    return Finding(
        line=check.line, rule=check.rule, certainty="possible", player=check.player, message=check.message,
        expected=[], evidence=[],
    )  # fmt: skip


def audit(
    batches: Callable[[], Iterable[Sequence[ev.Event]]],
    take_backs: Callable[[], Iterable[tuple[int, ev.TakenBack]]],
    *,
    possible: bool = False,
) -> Audit:
    """Audit a log that can be read again and again: its batches of events in order, its take-backs with their lines.

    `possible`: list the checks that the log leaves open too.
    """

    return folded(lambda opened, undone: Audit(opened, undone, possible=possible), batches, take_backs)


class Fold(Protocol):
    """What is fed the batches of a log in order."""

    def follow(self, batch: Sequence[ev.Event], /) -> None: ...


def folded(
    begin: Callable[[ev.GameOpened, Undone], SomeFold],
    batches: Callable[[], Iterable[Sequence[ev.Event]]],
    take_backs: Callable[[], Iterable[tuple[int, ev.TakenBack]]],
) -> SomeFold:
    """A fold that has followed a whole log, and knew all take-backs. Most logs hold none, and are folded once."""
    try:
        return _followed(begin, batches(), Undone(()))
    except UnknownTakeBack:
        return _followed(begin, batches(), Undone(take_backs()))


def _followed(
    begin: Callable[[ev.GameOpened, Undone], SomeFold], batches: Iterable[Sequence[ev.Event]], undone: Undone
) -> SomeFold:
    fold: SomeFold | None = None
    for batch in batches:
        if fold is None:
            fold = begin(opening(batch), undone)
        fold.follow(batch)
    if fold is None:
        raise ValueError("a log has at least one event")
    return fold


def audit_of(events: Sequence[ev.Event], undone: Undone, *, trails: bool = False) -> Audit:
    """The audit of some lines from the first one on, with the take-backs that are known of them."""
    audit = Audit(opening(events), undone, trails=trails)
    audit.follow(events)
    return audit


def opening(batch: Sequence[ev.Event]) -> ev.GameOpened:
    """The first event of the first batch of a log."""
    opened = batch[0]
    if not isinstance(opened, ev.GameOpened):
        raise TypeError("a log begins with game_opened")
    return opened
