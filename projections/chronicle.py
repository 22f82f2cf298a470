"""The chronicle: one fold over a log that gathers all that is asked about a game later, hand by hand.

It drives the audit, and looks at the audit's table wherever what an event was worth turns on it: a Queen of Spades is
a Death Card at 99 only. Ordinary plays and draws, which are most of every log, are just counted.
"""

import datetime
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias

import msgspec

from domain import events as ev
from domain.table import Table
from projections.audit import Audit, Finding, Summary, knowing_take_backs, opening
from projections.duty import Duties, DutyRow
from projections.statistics import Tally
from projections.take_backs import Undone

Role: TypeAlias = Literal["death_card", "shield"] | None
Deed: TypeAlias = Literal["stolen", "bonus", "slid", "taken", "carried", "donated", "leisure", "finished"]
Play: TypeAlias = tuple[int, int, ev.CardPlayed, Role]
"""Line, hand, the play, and what it was besides a card."""
_DEEDS: Final[dict[type[ev.Event], Deed]] = {
    ev.HitStolen: "stolen",
    ev.BonusCreated: "bonus",
    ev.HitSlid: "slid",
    ev.HitTaken: "taken",
    ev.HitCarried: "carried",
    ev.HitDonated: "donated",
    ev.LeisureHit: "leisure",
}


class HandRecord(msgspec.Struct):
    """One hand: the lines from its deal to its last one, who dealt, who was dealt in and who won it."""

    hand: int
    line: int
    last_line: int
    dealer: str
    players: list[str]
    winner: str | None = None
    first_out: str | None = None
    plays: int = 0
    voided: bool = False


class Hit(msgspec.Struct, frozen=True):
    """Something that happened to a hit: `source` is whom it came from, `to` whom it was given to."""

    line: int
    hand: int
    deed: Deed
    player: str
    source: str | None
    to: str | None
    prize: ev.PrizeName | None
    hits: int
    card: str | None
    at: datetime.datetime | None


class GameRecord(msgspec.Struct):
    """All that the projections keep of one game. Lines that were taken back are in none of it."""

    opened: ev.GameOpened
    rules: str
    """The name of the rule set, with its options."""
    at: datetime.datetime | None
    """When the game began: the first time that is written in it."""
    closed: bool
    summary: Summary
    findings: list[Finding]
    tallies: dict[str, Tally]
    hands: list[HandRecord]
    plays: list[Play]
    hits: list[Hit]
    duties: list[DutyRow]


class Chronicle:
    """The fold. Feed it batches of events in order; `record` tells what they made, and ends it.

    `undone`: the take-backs of the lines that will be fed, known beforehand. `in_detail`: keep each play and hit.
    """

    def __init__(self, opened: ev.GameOpened, undone: Undone | None = None, *, in_detail: bool = True) -> None:
        self.opened = opened
        self._in_detail = in_detail
        self.audit = Audit(opened, undone)
        rules = self._table.rules
        self._telling = {rules.death_card.card, rules.death_card.shield} if rules.death_card is not None else set()
        """Cards whose plays are worth a look at the table."""
        self._match = rules.tokens is not None
        self._kept: dict[str, Tally] = defaultdict(Tally)
        """What counts whatever becomes of the hand."""
        self._hand: dict[str, Tally] = defaultdict(Tally)
        self._sat: dict[str, None] = {}
        self._corrected: dict[str, int] = defaultdict(int)
        """By how many cards each hand was put right, in this hand."""
        self._at: datetime.datetime | None = None
        self._hands: list[HandRecord] = []
        self._plays: list[Play] = []
        self._hits: list[Hit] = []
        self._duties = Duties()
        self._closed = False
        self._dealt: dict[str, int] = {}
        """How many cards everybody was dealt in this hand."""
        self._batch: Sequence[ev.Event] = ()
        self._before = 0
        """The line before the batch."""

    @property
    def _table(self) -> Table:
        return self.audit.table

    def follow(self, batch: Sequence[ev.Event]) -> None:
        """Follow the next events of the log."""
        self._batch, self._before = batch, self.audit.line
        line, undone, telling, hand = self._before, self.audit.undone, self._telling, self._hand
        for event in batch:
            line += 1
            if undone and undone.by(line) is not None and type(event) not in _STAND_ANYHOW:
                continue
            if type(event) is ev.CardDrawn:
                hand[event.player].draws += 1
            elif type(event) is ev.CardPlayed:
                hand[event.player].plays += 1
                role = self._role_of(event, line) if event.card in telling else None
                if self._in_detail:
                    self._plays.append((line, len(self._hands), event, role))
            elif type(event) in _NOTED:
                _NOTED[type(event)](self, event, line)
        self._look_before(line + 1)
        if self._at is None:
            self._at = next((event.at for event in batch if event.at is not None), None)

    def _look_before(self, line: int) -> Table:
        """The table before a line of the batch."""
        followed, upto = self.audit.line - self._before, line - 1 - self._before
        if followed < upto:
            whole = followed == 0 and upto == len(self._batch)
            self.audit.follow(self._batch if whole else self._batch[followed:upto])
        return self._table

    def record(self) -> GameRecord:
        """What the log has told."""
        self._end_hand(self._table, voided=False)
        tallies = self._kept
        for player in self._sat:
            tallies[player].games = 1
            tallies[player].matches = int(self._match)
        findings = self.audit.findings
        for finding in findings:
            if finding.rule == "count-called" and finding.player is not None and not self._is_voided(finding.line):
                tallies[finding.player].miscalls += 1
        return GameRecord(
            opened=self.opened,
            rules=self._table.rules.name,
            at=self._at,
            closed=self._closed,
            summary=self.audit.summary,
            findings=findings,
            tallies=dict(tallies),
            hands=self._hands,
            plays=self._plays,
            hits=self._hits,
            duties=self._duties.rows,
        )

    def _is_voided(self, line: int) -> bool:
        """Whether a line belongs to a hand that was voided."""
        at = bisect_right(self._hands, line, key=attrgetter("line")) - 1
        return at >= 0 and self._hands[at].voided

    # ---- the hand ----

    def _deal(self, event: ev.HandDealt, line: int) -> None:
        self._end_hand(self._look_before(line), voided=False)
        self._hands.append(HandRecord(len(self._hands) + 1, line, line, event.dealer, list(event.hands)))
        self._dealt = {player: len(cards) for player, cards in event.hands.items()}
        for player in event.hands:
            self._hand[player].hands = 1

    def _end_hand(self, table: Table, *, voided: bool) -> None:
        """What was counted in the hand counts, unless it was voided. `table`: as it is after the hand's last line."""
        self._duties.hand_over(table, voided=voided)
        hand = self._hands[-1] if self._hands else None
        if hand is not None:
            hand.last_line, hand.voided = self.audit.line, hand.voided or voided
            hand.plays += sum(tally.plays for tally in self._hand.values())
        if hand is None or not hand.voided:
            self._count_what_is_never_written(table)
            if table.first_out is not None:
                self._hand[table.first_out].first_outs = 1
            for player, tally in self._hand.items():
                self._kept[player].add(tally)
        if hand is not None and not hand.voided:
            hand.first_out, hand.winner = table.first_out, table.winner
        self._hand.clear()
        self._corrected.clear()

    def _count_what_is_never_written(self, table: Table) -> None:
        """Wins, draws and lost tokens count as having happened, in a log that says it never writes them."""
        omits = table.omits
        if not omits or not self._hands:
            return
        if "hand_won" in omits and table.winner is not None and not any(tally.wins for tally in self._hand.values()):
            self._hand[table.winner].wins = 1
        if "card_drawn" in omits:
            for player, dealt in self._dealt.items():
                held = len(table.cards_of(player)) if player in table.hands else dealt
                drew = held - dealt + self._hand[player].plays - self._corrected[player]
                self._hand[player].draws = max(drew, self._hand[player].draws)
        if "tokens_lost" in omits and self._match:
            for player, before in table.before_deal[0].items():
                self._hand[player].tokens_lost = max(before - table.tokens.get(player, before), 0)

    def _void(self, event: ev.HandVoided, line: int) -> None:
        table = self._look_before(line)
        if table.being_played:
            self._end_hand(table, voided=True)

    # ---- players ----

    def _sit(self, event: ev.GameOpened | ev.PlayerJoined, line: int) -> None:
        names = event.players if isinstance(event, ev.GameOpened) else [event.player]
        self._sat.update(dict.fromkeys(names))

    def _out(self, event: ev.PlayerEliminated, line: int) -> None:
        tally = self._hand[event.player]
        match event.reason:
            case "no_play":
                tally.out_no_play += 1
            case "death_card":
                tally.out_death_card += 1
                table = self._look_before(line)
                if table.attacker is not None and _death_card_waits(table):
                    self._hand[table.attacker].kills += 1
            case "blowback":
                tally.out_blowback += 1
            case "left":
                tally.out_left += 1
        self._duties.somebody_out(self._look_before(line + 1))

    def _role_of(self, event: ev.CardPlayed, line: int) -> Role:
        """What a play is besides a card: the Death Card, or the answer to one."""
        table = self._look_before(line)
        death = table.rules.death_card
        assert death is not None, "only a set with a Death Card has telling cards"
        if _death_card_waits(table):
            if event.card == death.shield:
                self._hand[event.player].shields += 1
                return "shield"
        elif event.card == death.card and table.is_death_card(event, table.at):
            self._hand[event.player].death_cards += 1
            return "death_card"
        return None

    # ---- hits ----

    def _hit(self, event: Any, line: int) -> None:
        """Something happens to a prize."""
        player, hits = event.player, getattr(event, "hits", 1)
        tally = self._hand[player]
        match event:
            case ev.HitStolen():
                tally.steals += 1
                self._hand[event.source].robbed += 1
            case ev.BonusCreated():
                tally.bonuses += 1
            case ev.HitSlid():
                if event.source != player:
                    tally.slides_in += 1
                    self._hand[event.source].slides_out += 1
            case ev.HitTaken():
                tally.hits_taken += hits
            case ev.HitCarried():
                tally.hits_carried += hits
            case ev.HitDonated():
                tally.hits_donated += hits
                self._hand[event.to].hits_received += hits
        self._note_hit(event, line, _DEEDS[type(event)], hits)

    def _smoke(self, event: ev.LeisureHit, line: int) -> None:
        tally = self._kept[event.player]
        tally.leisure_hits += 1
        if event.finished:
            tally.bowls_finished += 1
            self._duties.bowl_finished(self._look_before(line), event.player, line)
        self._note_hit(event, line, "finished" if event.finished else "leisure", 1)

    def _note_hit(self, event: Any, line: int, deed: Deed, hits: int) -> None:
        if not self._in_detail:
            return
        source, to = getattr(event, "source", None), getattr(event, "to", None)
        prize, card = getattr(event, "prize", None), getattr(event, "card", None)
        self._hits.append(Hit(line, len(self._hands), deed, event.player, source, to, prize, hits, card, event.at))

    def _load(self, event: ev.BongLoaded, line: int) -> None:
        self._kept[event.player].loads += 1
        self._duties.loaded(self._look_before(line), line)

    # ---- the rest ----

    def _win(self, event: ev.HandWon, line: int) -> None:
        self._hand[event.player].wins += 1

    def _correct(self, event: ev.HandCorrected, line: int) -> None:
        self._corrected[event.player] += len(event.drew) - len(event.returned)

    def _pay(self, event: ev.TokensLost, line: int) -> None:
        self._hand[event.player].tokens_lost += event.tokens

    def _win_match(self, event: ev.MatchWon, line: int) -> None:
        self._hand[event.player].matches_won += 1

    def _close(self, event: ev.GameClosed, line: int) -> None:
        self._closed = True


_NOTED: Final[dict[type[ev.Event], Callable[[Chronicle, Any, int], None]]] = {
    ev.GameOpened: Chronicle._sit,
    ev.PlayerJoined: Chronicle._sit,
    ev.HandDealt: Chronicle._deal,
    ev.HandVoided: Chronicle._void,
    ev.PlayerEliminated: Chronicle._out,
    ev.HandWon: Chronicle._win,
    ev.HitStolen: Chronicle._hit,
    ev.BonusCreated: Chronicle._hit,
    ev.HitSlid: Chronicle._hit,
    ev.HitTaken: Chronicle._hit,
    ev.HitCarried: Chronicle._hit,
    ev.HitDonated: Chronicle._hit,
    ev.LeisureHit: Chronicle._smoke,
    ev.BongLoaded: Chronicle._load,
    ev.HandCorrected: Chronicle._correct,
    ev.TokensLost: Chronicle._pay,
    ev.MatchWon: Chronicle._win_match,
    ev.GameClosed: Chronicle._close,
}
_STAND_ANYHOW: Final = (ev.LeisureHit, ev.BongLoaded)
"""What stands though it is taken back (R14)."""


def _death_card_waits(table: Table) -> bool:
    """Whether a Death Card is still to be answered."""
    return table.awaiting == "shield" or (table.awaiting == "draw" and table.then_awaiting == "shield")


def chronicle(
    batches: Callable[[], Iterable[Sequence[ev.Event]]],
    take_backs: Callable[[], Iterable[tuple[int, ev.TakenBack]]],
    *,
    in_detail: bool = True,
) -> GameRecord:
    """All that is kept of a log that can be read again and again: its batches of events, and its take-backs.

    Not `in_detail`: without its plays and hits.
    """

    def told(undone: Undone) -> GameRecord:
        fold: Chronicle | None = None
        for batch in batches():
            if fold is None:
                fold = Chronicle(opening(batch), undone, in_detail=in_detail)
            fold.follow(batch)
        assert fold is not None, "a log has at least one event"
        return fold.record()

    return knowing_take_backs(told, take_backs)
