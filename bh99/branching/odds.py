"""The odds: deals that agree are sampled, each is played on with every branch, and what it came to is counted."""

import os
import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from bh99.bots import bot_called
from bh99.branching.tables import TRIES, NotKnown, Sample, Tables, lay_open, played_out
from bh99.errors import NotForked, NoWorlds, UnknownLine
from bh99.intervals import interval
from bh99.logs import Log
from bh99.simulating.games import hands_of
from bh99.simulating.plan import MOST_HANDS
from bh99.sources import find_log
from domain import events as ev
from domain.cards import Card, card_name
from domain.deciding import SelfPlay, Sight, event_of, ways_to_play
from domain.referee import judge
from domain.referee.dues import between_hands
from domain.referee.verdicts import Fault
from domain.rule_sets import RuleSet
from domain.shuffling import Bits
from domain.table import Table
from projections.audit import Audit, audit_of
from projections.finding import Finding
from projections.outcomes import Measure, measures_of, outcome
from projections.seat_view import players_of
from projections.sentences import sentence
from projections.take_backs import undone_in

DEALS: Final = 1000
USUAL_BOT: Final = "careful"
"""How everybody plays on, if nobody says otherwise."""
AS_IT_SHOULD: Final = "as it should have been"


class Chance(msgspec.Struct, frozen=True):
    """How likely something is, from 0 to 1, and the ends of its interval of 95 %."""

    chance: float
    low: float
    high: float


class SeatOdds(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's chances, in this hand; that of the match, in all of it. Absent is what the rules don't know."""

    player: str
    win: Chance | None = None
    hit: Chance | None = None
    load: Chance | None = None
    lose: Chance | None = None
    match: Chance | None = None


class Branch(msgspec.Struct, frozen=True):
    """One way that it goes on: what happens on the line, in words, and what it comes to.

    breaks: the rule that it breaks by what the lines before tell; None if they don't tell that it breaks one. nothing:
    how likely the hand comes to nothing, as it finds no end and is voided, or the game is over.
    """

    told: str
    breaks: str | None
    nothing: float
    seats: list[SeatOdds]


class WhatIf(msgspec.Struct, frozen=True):
    """What `whatif` answers.

    line, hand: where it branches off. bot: how everybody plays on. deals: how many were sampled; `worth`: how many
    that draw evenly they are worth, as some are likelier than others. only_one: whether every card is known.
    believed: whether in each of them no line before is wrong that the log leaves open. finding: the rule that the line
    breaks in each of them; None where it isn't known to break one.
    """

    line: int
    hand: int
    bot: str
    seed: int
    deals: int
    worth: float
    only_one: bool
    believed: bool
    finding: str | None
    branches: list[Branch]


def whatif(
    log: Log | str | os.PathLike[str],
    line: int,
    *,
    play: Card | None = None,
    event: ev.AnyEvent | None = None,
    deals: int = DEALS,
    seed: int = 0,
    bot: str = USUAL_BOT,
    rules: RuleSet | None = None,
    store: str | None = None,
) -> WhatIf:
    """Each player's chances from a line on: with the line as it is, and with what should have stood there, or with
    another card played (`play`), or another event.

    The deals agree with the lines before, and with the cards that the branches name in the hand of whoever plays them.
    Raises LogUnreadable, UnknownLine, UnknownBot, NoWorlds, and NotForked for what can't come there.
    """
    if not isinstance(log, Log):
        log = find_log(os.fspath(log), rules, store)
    events = log.events()
    if not 2 <= line <= len(events):
        raise UnknownLine(line, len(events), log.name)
    if deals < 1:
        raise ValueError(f"deals={deals}: expected 1 at least")
    bot_called(bot)
    before, here = events[: line - 1], events[line - 1]
    finding = None if play or event else _finding_on(events, line)
    instead = event if play is None else _played_instead(log.name, here, play)
    check_it_may_come(log.name, instead, before)
    return _Odds(log.name, before, here, finding, instead, seed, bot).count(line, deals)


def check_it_may_come(name: str, event: ev.AnyEvent | None, before: Sequence[ev.AnyEvent]) -> None:
    """Raises NotForked for an event behind some lines that no referee could make sense of."""
    if isinstance(event, ev.GameOpened):
        raise NotForked(name, "a game is opened by its first line only")
    player = getattr(event, "player", None)
    players = players_of(before)
    if player is not None and player not in players and not isinstance(event, ev.PlayerJoined):
        raise NotForked(name, f"nobody called {player} sits here; expected one of: {', '.join(players)}")


def _finding_on(events: Sequence[ev.AnyEvent], line: int) -> Finding | None:
    findings = audit_of(events, undone_in(events)).findings
    return next((finding for finding in findings if finding.line == line), None)


def _played_instead(name: str, here: ev.AnyEvent, card: Card) -> ev.AnyEvent:
    player = getattr(here, "player", None)
    if not isinstance(here, ev.CardPlayed | ev.PlayerEliminated) or player is None:
        raise NotForked(name, f"nobody plays a card on that line ({sentence(here)}); another event goes with --event")
    return ev.CardPlayed(player=player, card=card, count=None)


def _could_play(finding: Finding, player: str) -> list[Card]:
    """The cards that a player is proved to have held, and could have played."""
    options = [option for option in finding.expected if option.type == "card_played" and option.player == player]
    return [card for option in options for card in option.cards or () if card is not None]


Move = Callable[[Audit, Bits], Sequence[ev.AnyEvent]]
"""Takes an audit along with what happens on the line; what that was."""


class _Tally:
    """What one branch came to, in all deals together."""

    def __init__(self, told: str, breaks: str | None = None) -> None:
        self.told = told
        self.breaks = breaks
        self.nothing = 0.0
        self.weights = self.squares = 0.0
        self.times: dict[tuple[str, Measure], float] = {}

    @property
    def worth(self) -> float:
        """How many even deals these are worth."""
        return self.weights**2 / self.squares

    def add(self, weight: float, came_to: Mapping[Measure, frozenset[str]]) -> None:
        self.weights += weight
        self.squares += weight**2
        if not any(came_to.values()):
            self.nothing += weight
        for measure, players in came_to.items():
            for player in players:
                self.times[player, measure] = self.times.get((player, measure), 0.0) + weight

    def branch(self, players: Sequence[str], measures: Sequence[Measure]) -> Branch:
        odds = [{measure: self._chance(player, measure) for measure in measures} for player in players]
        seats = [SeatOdds(player, **each) for player, each in zip(players, odds, strict=True)]
        return Branch(self.told, self.breaks, self.nothing / self.weights, seats)

    def _chance(self, player: str, measure: Measure) -> Chance:
        chance = min(1.0, self.times.get((player, measure), 0.0) / self.weights)
        return Chance(chance, *interval(chance, self.worth))


class _Odds:
    """Counts the odds of one line."""

    def __init__(
        self,
        name: str,
        before: Sequence[ev.AnyEvent],
        here: ev.AnyEvent,
        finding: Finding | None,
        instead: ev.AnyEvent | None,
        seed: int,
        bot: str,
    ) -> None:
        self.name = name
        self.before = before
        self.here = here
        self.finding = finding
        self.instead = instead
        self.seed = seed
        self.bot = bot
        self.rng = random.Random(seed)

    def count(self, line: int, deals: int) -> WhatIf:
        """Sample so many deals, and play each on with every branch, by the same chance."""
        before = self._tables(self.here, self.instead)
        ways = self._ways(before)
        for number, samples in enumerate(self._samples(line, deals, before, [tables for _, tables, _ in ways]), 1):
            for (tally, _, move), sample in zip(ways, samples, strict=True):
                tally.add(sample.weight, self._came_to(sample, move, number))
        table = before.table
        used = [before, *(tables for _, tables, _ in ways)]
        return WhatIf(
            line=line,
            hand=table.hand + between_hands(table),
            bot=self.bot,
            seed=self.seed,
            deals=deals,
            worth=min(tally.worth for tally, _, _ in ways),
            only_one=all(tables.only_one for tables in used),
            believed=all(tables.believed for tables in used),
            finding=self.finding.rule if self.finding is not None else None,
            branches=[tally.branch(table.names, measures_of(table.rules)) for tally, _, _ in ways],
        )

    def _ways(self, before: Tables) -> list[tuple[_Tally, Tables, Move]]:
        """The branches: what is counted of each, the tables that it begins with, and its move."""
        as_it_happened = _Tally("as it happened: " + sentence(self.here))
        ways = [(as_it_happened, *self._way(self.here, before, self._goes_as_logged))]
        if self.instead is not None:
            fault = judge(before.table, self.instead)
            breaks = fault.rule if isinstance(fault, Fault) else None
            otherwise = _Tally("instead: " + self._told_instead(), breaks)
            ways.append((otherwise, *self._way(self.instead, before, self._goes_otherwise)))
        elif self.finding is not None:
            ways.append((_Tally(AS_IT_SHOULD), before, self._goes_right))
        return ways

    def _samples(self, line: int, deals: int, before: Tables, ways: Sequence[Tables]) -> Iterator[Sequence[Sample]]:
        """A deal for each branch, so many times: the same for all that begin with the same tables.

        Where the line is known to break a rule, only deals count in which it does; where it isn't, and nothing else is
        put in its place, only those in which it doesn't. If none of those is found, all count.
        """
        broken: bool | None = True if self.finding is not None else False if self.instead is None else None
        found = tried = 0
        while found < deals:
            tried += 1
            if tried > TRIES * TRIES:
                if broken is None or found:
                    raise NoWorlds(self.name, line, "too few of the deals by chance agreed")
                broken, self.finding, tried = None, None, 0
            drawn = {tables: tables.draw() for tables in dict.fromkeys((before, *ways))}
            samples = [sample for tables in ways if (sample := drawn[tables]) is not None]
            first = drawn[before]
            if first is None or len(samples) < len(ways):
                continue
            if broken is None or self._breaks_a_rule(first) is broken:
                found, tried = found + 1, 0
                yield samples

    def _tables(self, *branches: ev.AnyEvent | None) -> Tables:
        """The moment before the line, with the cards in hand that are played there in one branch or another."""
        held = [
            (event.player, event.card)
            for event in branches
            if isinstance(event, ev.CardPlayed) and event.card is not None
        ]
        if self.finding is not None and isinstance(self.here, ev.PlayerEliminated):
            held += [(self.here.player, card) for card in _could_play(self.finding, self.here.player)]
        return Tables(self.name, self.before, self.rng, list(dict.fromkeys(held)))

    def _way(self, event: ev.AnyEvent, before: Tables, move: Move) -> tuple[Tables, Move]:
        """The tables that a branch begins with, and its move; one that lays out cards, or takes lines back, is dealt
        with its event."""
        if isinstance(event, ev.HandDealt | ev.PileReshuffled | ev.TakenBack):
            return Tables(self.name, [*self.before, event], self.rng), lambda audit, bits: ()
        return before, move

    def _goes_as_logged(self, audit: Audit, bits: Bits) -> Sequence[ev.AnyEvent]:
        audit.follow([self.here])
        return [self.here]

    def _told_instead(self) -> str:
        assert self.instead is not None, "only where there is another event"
        if isinstance(self.instead, ev.CardPlayed) and self.instead.count is None:
            return f"{self.instead.player} plays {card_name(self.instead.card)}"
        return sentence(self.instead)

    def _goes_otherwise(self, audit: Audit, bits: Bits) -> Sequence[ev.AnyEvent]:
        event = self.instead
        assert event is not None, "only where there is another event"
        if isinstance(event, ev.CardPlayed) and event.count is None:
            fault = judge(audit.table, event)
            if isinstance(fault, Fault):
                raise NotForked(self.name, fault.message)
            event = self._played_rightly(audit.table, event, bits) or event
        audit.follow([event])
        return [event]

    def _goes_right(self, audit: Audit, bits: Bits) -> Sequence[ev.AnyEvent]:
        """What should have stood there: the same card, rightly called and pointed, where its player may play it; else
        nothing, as the rules force what comes, or somebody chooses it."""
        right: ev.AnyEvent | None = self.here
        if isinstance(judge(audit.table, self.here), Fault):
            event = self.here
            right = self._played_rightly(audit.table, event, bits) if isinstance(event, ev.CardPlayed) else None
        if right is None:
            return ()
        audit.follow([right])
        return [right]

    def _played_rightly(self, table: Table, event: ev.CardPlayed, bits: Bits) -> ev.AnyEvent | None:
        """The same card, as the bot plays it, if its player may play it; called and pointed as in the event where that
        may be."""
        options = ways_to_play(table, event)
        meant = [play for play in options if event.count == play.count and event.target in (None, play.target)]
        if not options:
            return None
        return event_of(table, bot_called(self.bot)(Sight(table, event.player), meant or options, bits))

    def _breaks_a_rule(self, sample: Sample) -> bool:
        table = sample.table
        table.line += 1
        broken = isinstance(judge(table, self.here), Fault)
        table.line -= 1
        return broken

    def _came_to(self, sample: Sample, move: Move, number: int) -> Mapping[Measure, frozenset[str]]:
        """What a deal comes to once it has gone this way on the line, and everybody plays on."""
        audit = sample.audit.copy()
        between = between_hands(audit.table)
        chance = random.Random((self.seed << 64) | number)
        events = [*sample.hand, *move(audit, chance.getrandbits)]
        table = audit.table
        lay_open(table, chance)
        play = SelfPlay(table, dict.fromkeys(table.names, bot_called(self.bot)), chance.getrandbits)
        if between and between_hands(table):
            events = [play.deal()]
        try:
            events += played_out(play)
        except NotKnown as reason:
            raise NotForked(self.name, str(reason)) from None
        came_to = outcome(table, events)
        if table.rules.tokens:
            if table.awaiting == "deal":
                deque(hands_of(play, MOST_HANDS), maxlen=0)  # the rest of the match
            came_to = {**came_to, "match": outcome(table, ())["match"]}
        return came_to
