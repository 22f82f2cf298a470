"""The scribe at work: entries go in, lines of the log come out, and what was found in them."""

import datetime
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from bh99.keepers import Keeper, check_it_may_go_on
from bh99.scribe.entry import JUST_THIS, Misread, parted, words_of
from bh99.scribe.opening import dealer_named, first_dealer
from bh99.scribe.reading import Evening, event_of
from domain import events as ev
from domain.deciding import Clock, forced
from domain.referee import expected, judge
from domain.referee.verdicts import Expected, Fault
from domain.table import Table
from projections.finding import Finding
from projections.frames import Replay

BY_ITSELF: Final = (
    ev.HandWon,
    ev.HitStolen,
    ev.BonusCreated,
    ev.HitSlid,
    ev.TokensLost,
    ev.PlayerKnockedOut,
    ev.MatchWon,
)
"""What is written down by itself where it is sure, as everybody at the table sees it happen; besides who is out after a
shield, or by leaving."""
BY_RULE: Final = "."
"""An entry that stands for what must come next, as an empty one does."""


class Written(NamedTuple):
    """What became of an entry: the lines that it wrote, the line on which it stands already, or the type of event that
    this log leaves out, so that nothing was written."""

    lines: range
    standing: int | None = None
    left_out: str | None = None


class Scribe:
    """A log that is written down entry by entry; each is kept before the next is asked for.

    game: the log so far, judged.
    """

    def __init__(self, keeper: Keeper, events: Sequence[ev.AnyEvent], clock: Clock) -> None:
        """`events`: what the keeper keeps already. Raises LogUnreadable for a game that was closed."""
        check_it_may_go_on(keeper.name, events)
        self.keeper = keeper
        self.clock = clock
        self.game = Replay(events)
        self._entries: list[int] = []
        """The first line of each entry that stands and was made since the scribe sat down."""
        self._by_itself = range(0)
        """The lines that followed the last entry by themselves."""
        self._told = {(finding.line, finding.rule) for finding in self.findings} if len(events) > 1 else set()
        """The findings that were told already, by line and rule."""

    # ---- questions ----

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.game.audit_at(len(self.game)).table

    @property
    def first_dealer(self) -> str | None:
        """Who is to deal the first hand; None if the table hasn't chosen, or has dealt it."""
        return first_dealer(self.game.opened) if self.table.hand == 0 else None

    def is_first_dealer(self, dealer: str) -> bool:
        """Whether this player was chosen to deal the first hand."""
        with suppress(Misread):
            return dealer_named(dealer, self.game.opened.players) == first_dealer(self.game.opened)
        return False

    @property
    def expected(self) -> list[Expected]:
        """What may come next."""
        return expected(self.table)

    @property
    def closed(self) -> bool:
        """Whether the game was closed: nothing can follow."""
        return self.table.awaiting == "closed"

    @property
    def findings(self) -> list[Finding]:
        """All that is found so far, in line order."""
        self.game.judge_all()
        return self.game.findings

    def news(self) -> list[Finding]:
        """What is found and was not told yet."""
        found = self.findings
        news = [finding for finding in found if (finding.line, finding.rule) not in self._told]
        self._told = {(finding.line, finding.rule) for finding in found}
        return news

    @property
    def evening(self) -> Evening:
        """What an entry may refer to."""
        return Evening(self._last_entry, self._last_unruled, self._rules_found_on, self.first_dealer)

    def _rules_found_on(self, line: int) -> set[str]:
        return {finding.rule for finding in self.findings if finding.line == line}

    def _last_entry(self) -> int | None:
        return self._entries[-1] if self._entries else self._last_that_stands()

    def _last_unruled(self) -> int | None:
        return max((finding.line for finding in self.findings if finding.ruled is None), default=None)

    def _last_that_stands(self) -> int | None:
        """The last line that can be taken back and isn't; if it followed from an entry by itself, that entry."""
        lines = [line for line in range(len(self.game), 1, -1) if self._may_be_taken_back(line)]
        for line, before in pairwise(lines):
            event, earlier = self.game.events[line - 1], self.game.events[before - 1]
            if event.at != earlier.at or not (_goes_out(event) or isinstance(event, BY_ITSELF)):
                return line
        return lines[-1] if lines else None

    def _may_be_taken_back(self, line: int) -> bool:
        return self.game.undone_by(line) is None and not isinstance(self.game.events[line - 1], ev.TakenBack)

    # ---- entries ----

    def enter(self, text: str, at: datetime.datetime | None = None) -> Written:
        """Write an entry down: its events, and what is sure to follow. `#` begins a note on it.

        Raises Misread if it isn't understood, and Bh99Error if it can't be kept; then nothing was written.
        """
        text, note = parted(text)
        return self.enter_words(words_of(text), note, at)

    def enter_words(self, words: list[str], note: str | None = None, at: datetime.datetime | None = None) -> Written:
        """Write an entry down whose words are known. Raises what `enter` does."""
        just_this = bool(words) and words[-1] == JUST_THIS
        if just_this:
            words = words[:-1]
        event = self.expected_event() if words in ([], [BY_RULE]) else event_of(words, self.table, self.evening)
        if (line := self._written_already(event)) is not None:
            return Written(range(0), line)
        if ev.type_of(event) in self.game.opened.omits:
            return Written(range(0), left_out=ev.type_of(event))
        self._check(event)
        if note is not None:
            event = msgspec.structs.replace(event, note=note)
        return self._write(event, just_this, at)

    def expected_event(self) -> ev.AnyEvent:
        """What an empty entry stands for: the one thing that must come next. Raises Misread if there is a choice."""
        table = self.table
        if table.awaiting in ("deal", "prize") and not isinstance(judge(table, deal := self._deal()), Fault):
            return deal
        event = self._sure_to_follow((*BY_ITSELF, ev.PileReshuffled, ev.CardDrawn))
        if event is None:
            options = "; or ".join(option.text for option in self.expected)
            raise Misread(f"nothing can be taken for granted here: {options or 'the game is over'}")
        return event

    def _deal(self) -> ev.AnyEvent:
        return event_of(["deal"], self.table, self.evening)

    def _written_already(self, event: ev.AnyEvent) -> int | None:
        """The line on which an event just was written down by itself."""
        for line in self._by_itself:
            written = msgspec.structs.replace(self.game.events[line - 1], at=None)
            if isinstance(event, ev.HitSlid) and isinstance(written, ev.HitSlid):
                event = msgspec.structs.replace(event, source=written.source)  # the hit may have slid on meanwhile
            if written == event:
                return line
        return None

    def _check(self, event: ev.AnyEvent) -> None:
        """Raises Misread for what names a line that can't be meant."""
        if isinstance(event, ev.TakenBack):
            if not 1 < event.about <= len(self.game) or self.game.undone_by(event.about) is not None:
                raise Misread(f"line {event.about} can't be taken back; expected one from 2 on that stands")
        elif isinstance(event, ev.RulingMade) and not 1 <= event.about <= len(self.game):
            raise Misread(f"there is no line {event.about} to decide on")

    def _write(self, event: ev.AnyEvent, just_this: bool, at: datetime.datetime | None) -> Written:
        moment = at or self.clock()
        before = len(self.game)
        self._keep(event, moment)
        self._note_entry(before + 1, event)
        if not just_this and not isinstance(event, ev.TakenBack):
            while (following := self._sure_to_follow(BY_ITSELF)) is not None:
                self._keep(following, moment)
        self._by_itself = range(before + 2, len(self.game) + 1)
        return Written(range(before + 1, len(self.game) + 1))

    def _keep(self, event: ev.AnyEvent, moment: datetime.datetime | None) -> None:
        if moment is not None:
            event = msgspec.structs.replace(event, at=moment)
        try:
            self.keeper.add([event])
        except ValueError as fault:
            raise Misread(str(fault)) from None
        self.game.extend([event])

    def _note_entry(self, line: int, event: ev.AnyEvent) -> None:
        if isinstance(event, ev.TakenBack):
            again = isinstance(self.game.events[event.about - 1], ev.TakenBack)  # what that had undone stands again
            self._entries = [] if again else [first for first in self._entries if first < event.about]
        else:
            self._entries.append(line)

    def _sure_to_follow(self, kinds: tuple[type[ev.Event], ...]) -> ev.AnyEvent | None:
        """What the rules force in every reading of the log, if it is of these kinds; out goes who was shielded, or
        left."""
        readings = self.game.audit_at(len(self.game)).readings
        event, *others = [forced(reading.table, None) for reading in readings]
        sure = event is not None and (_goes_out(event) or isinstance(event, kinds))
        return event if sure and all(other == event for other in others) else None


def _goes_out(event: ev.AnyEvent) -> bool:
    """Whether somebody goes out whom everybody sees go: shielded, or gone."""
    return isinstance(event, ev.PlayerEliminated) and event.reason in ("blowback", "left")
