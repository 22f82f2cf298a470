"""The odds: deals that agree are sampled, each is played on with every branch, and what it came to is counted."""

import os
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from bh99.bots import BOTS
from bh99.branching.tables import TRIES, Sample, Tables, lay_open
from bh99.errors import NotForked, NoWorlds, UnknownLine
from bh99.intervals import interval
from bh99.logs import Log
from bh99.simulating.plan import MOST_HANDS
from bh99.sources import find_log
from domain import events as ev
from domain.cards import Card, card_name
from domain.deciding import SelfPlay, Sight, event_of, rightful, ways_to_play
from domain.referee import judge
from domain.referee.verdicts import Fault
from domain.rule_sets import RuleSet
from projections.audit import Audit
from projections.finding import Finding
from projections.outcomes import Measure, measures_of, outcome
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
    """One way that it goes on: what happens on the line, in words, and what it comes to."""

    told: str
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
    Raises LogUnreadable, UnknownLine, NoWorlds, and NotForked for a card or event that can't come there.
    """
    if not isinstance(log, Log):
        log = find_log(os.fspath(log), rules, store)
    events = log.events()
    if not 2 <= line <= len(events):
        raise UnknownLine(line, len(events), log.name)
    before, here = events[: line - 1], events[line - 1]
    finding = None if play or event else _finding_on(events, line)
    instead = event if play is None else _played_instead(log.name, here, play)
    return _Odds(log.name, before, here, finding, instead, seed, bot).count(line, deals)


def _finding_on(events: Sequence[ev.AnyEvent], line: int) -> Finding | None:
    opened = events[0]
    assert isinstance(opened, ev.GameOpened), "a log begins with game_opened"
    audit = Audit(opened, undone_in(events))
    audit.follow(events)
    return next((finding for finding in audit.findings if finding.line == line), None)


def _played_instead(name: str, here: ev.AnyEvent, card: Card) -> ev.AnyEvent:
    player = getattr(here, "player", None)
    if not isinstance(here, ev.CardPlayed | ev.PlayerEliminated) or player is None:
        raise NotForked(name, f"nobody plays a card on that line ({sentence(here)}); another event goes with --event")
    return ev.CardPlayed(player=player, card=card, count=None)


def _could_play(finding: Finding, player: str) -> list[Card]:
    """The cards that a player is proved to have held, and could have played."""
    options = [option for option in finding.expected if option.type == "card_played" and option.player == player]
    return [card for option in options for card in option.cards or () if card is not None]


Move = Callable[[Audit], Sequence[ev.AnyEvent]]
"""Takes an audit along with what happens on the line; what that was."""


class _Tally:
    """What one branch came to, in all deals together."""

    def __init__(self, told: str) -> None:
        self.told = told
        self.weights = 0.0
        self.times: dict[tuple[str, Measure], float] = {}

    def add(self, weight: float, came_to: Mapping[Measure, frozenset[str]]) -> None:
        self.weights += weight
        for measure, players in came_to.items():
            for player in players:
                self.times[player, measure] = self.times.get((player, measure), 0.0) + weight

    def branch(self, players: Sequence[str], measures: Sequence[Measure], worth: float) -> Branch:
        seats = []
        for player in players:
            odds = {measure: self._chance(player, measure, worth) for measure in measures}
            seats.append(SeatOdds(player, **odds))
        return Branch(self.told, seats)

    def _chance(self, player: str, measure: Measure, worth: float) -> Chance:
        chance = min(1.0, self.times.get((player, measure), 0.0) / self.weights) if self.weights else 0.0
        return Chance(chance, *interval(chance, worth))


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
        ways: list[tuple[_Tally, Tables, Move]] = [
            (_Tally("as it happened: " + sentence(self.here)), *self._way(self.here, before, self._goes_as_logged))
        ]
        if self.instead is not None:
            told = "instead: " + self._told_instead()
            ways.append((_Tally(told), *self._way(self.instead, before, self._goes_otherwise)))
        elif self.finding is not None:
            ways.append((_Tally(AS_IT_SHOULD), before, self._goes_right))
        weights = squares = 0.0
        sampled = tried = 0
        conditional = self.finding is not None
        players: list[str] = []
        measures: Sequence[Measure] = ()
        while sampled < deals:
            tried += 1
            if tried > TRIES * deals or (not sampled and tried > TRIES * TRIES):
                if not conditional:
                    raise NoWorlds(self.name, line, "too few of the deals by chance agreed")
                conditional, tried = False, 0
            drawn = {id(tables): tables.draw() for _, tables, _ in ways}
            if None in drawn.values():
                continue
            first = drawn[id(before)] if id(before) in drawn else next(iter(drawn.values()))
            assert first is not None, "none of them came to nothing"
            if conditional and not self._breaks_a_rule(first):
                continue
            sampled += 1
            weights, squares = weights + first.weight, squares + first.weight**2
            players = players or first.table.names
            measures = measures or measures_of(first.table.rules)
            for tally, tables, move in ways:
                sample = drawn[id(tables)]
                assert sample is not None, "none of them came to nothing"
                tally.add(first.weight, self._came_to(sample, move, sampled))
        worth = weights**2 / squares
        return WhatIf(
            line=line,
            hand=max(1, before.hand),
            bot=self.bot,
            seed=self.seed,
            deals=sampled,
            worth=worth,
            only_one=before.only_one,
            believed=before.believed,
            finding=self.finding.rule if self.finding is not None and conditional else None,
            branches=[tally.branch(players, measures, worth) for tally, _, _ in ways],
        )

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
            return Tables(self.name, [*self.before, event], self.rng), lambda audit: ()
        return before, move

    def _goes_as_logged(self, audit: Audit) -> Sequence[ev.AnyEvent]:
        audit.follow([self.here])
        return [self.here]

    def _told_instead(self) -> str:
        assert self.instead is not None, "only where there is another event"
        if isinstance(self.instead, ev.CardPlayed) and self.instead.count is None:
            return f"{self.instead.player} plays {card_name(self.instead.card)}"
        return sentence(self.instead)

    def _goes_otherwise(self, audit: Audit) -> Sequence[ev.AnyEvent]:
        event = self.instead
        assert event is not None, "only where there is another event"
        if isinstance(event, ev.CardPlayed) and event.count is None:
            options = ways_to_play(audit.table, event)
            if options:
                sight = Sight(audit.table, event.player)
                event = event_of(audit.table, BOTS[self.bot](sight, options, random.Random(self.seed).getrandbits))
            elif isinstance(fault := judge(audit.table, event), Fault):
                raise NotForked(self.name, fault.message)
        audit.follow([event])
        return [event]

    def _goes_right(self, audit: Audit) -> Sequence[ev.AnyEvent]:
        table = audit.table
        right = rightful(table, self.here) if isinstance(judge(table, self.here), Fault) else self.here
        if right is None:
            return ()  # the rules force what comes, or somebody chooses it
        audit.follow([right])
        return [right]

    def _breaks_a_rule(self, sample: Sample) -> bool:
        table = sample.table
        table.line += 1
        broken = isinstance(judge(table, self.here), Fault)
        table.line -= 1
        return broken

    def _came_to(self, sample: Sample, move: Move, number: int) -> Mapping[Measure, frozenset[str]]:
        """What a deal comes to once it has gone this way on the line, and everybody plays on."""
        audit = sample.audit.copy()
        between_hands = audit.table.awaiting == "deal"
        events = [*sample.hand, *move(audit)]
        table = audit.table
        chance = random.Random((self.seed << 64) | number)
        lay_open(table, chance)
        play = SelfPlay(table, dict.fromkeys(table.names, BOTS[self.bot]), chance.getrandbits)
        if between_hands and table.awaiting == "deal":
            events = [play.deal()]
        events += play.play_hand()
        came_to = outcome(table, events)
        if table.rules.tokens:
            for _ in range(MOST_HANDS):
                if table.awaiting != "deal":
                    break
                play.deal()
                play.play_hand()
            came_to = {**came_to, "match": outcome(table, ())["match"]}
        return came_to
