"""The chronicle: one fold over a log that gathers all that is asked about a game later, hand by hand.

It drives the audit, and looks at the audit's table wherever what an event was worth turns on it: a Queen of Spades is
a Death Card at 99 only. Ordinary plays and draws, which are most of every log, are just counted.
"""

import datetime
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from operator import attrgetter
from typing import Any, Final, TypeAlias

from domain import events as ev
from domain.referee.frame import may_be_voided
from domain.table import Table
from projections.audit import Audit, folded
from projections.death_cards import DeathCards, TellingPlay
from projections.duty import Duties
from projections.finding import Finding
from projections.records import SIMULATED, Deed, GameRecord, HandRecord, Hit, Play
from projections.statistics import Tally
from projections.take_backs import Undone

_OfPlayer: TypeAlias = (
    ev.HitStolen | ev.BonusCreated | ev.HitSlid | ev.HitTaken | ev.HitCarried | ev.HitDonated | ev.LeisureHit
)


class Chronicle:
    """The fold. Feed it batches of events in order; `record` tells what they made, and ends it.

    `undone`: the take-backs of the lines that will be fed, known beforehand. `in_detail`: keep each play and hit.
    """

    def __init__(self, opened: ev.GameOpened, undone: Undone | None = None, *, in_detail: bool = True) -> None:
        self.opened = opened
        self._simulated = opened.source == "simulated"
        self._in_detail = in_detail
        self.audit = Audit(opened, undone)
        rules = self._table.rules
        self._match = rules.tokens is not None
        self._prize = rules.prize is not None
        self._tallies: dict[str, Tally] = defaultdict(Tally)
        self._at_deal: dict[str, Tally] = {}
        """The tallies as they were before this hand."""
        self._deaths = DeathCards(rules, self._look_before, self._count_role, self._stands_right)
        self._given_up: tuple[tuple[int, str] | None, str | None] | None = None
        """First out and winner of a hand before the table gave it up, though it couldn't be voided any more."""
        self._sat: dict[str, None] = {}
        self._corrected: dict[str, int] = defaultdict(int)
        """By how many cards each hand was put right, in this hand."""
        self._at: datetime.datetime | None = None
        self._hands: list[HandRecord] = []
        self._plays: list[Play] = []
        self._hits: list[Hit] = []
        self._duties = Duties()
        self._closed = False
        self._matches_won: list[tuple[int, ev.MatchWon]] = []
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
        line, telling, tallies = self._before, self._deaths.telling, self._tallies
        undone = self.audit.undone or None
        for event in batch:
            line += 1
            if undone is not None and undone.by(line) is not None and type(event) not in _STAND_ANYHOW:
                continue
            if type(event) is ev.CardDrawn:
                tallies[event.player].draws += 1
            elif type(event) is ev.CardPlayed:
                tallies[event.player].plays += 1
                role = self._deaths.played(event, line, len(self._plays)) if event.card in telling else None
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
        self._end_hand(self._table)
        tallies = self._tallies
        for player in self._sat:
            tallies[player].games = 1
            tallies[player].matches = int(self._match)
        findings = self.audit.findings
        champion = self._champion(findings)
        if champion is not None:
            tallies[champion].matches_won = 1
        for finding in findings:
            if finding.rule == "count-called" and finding.player is not None and not self._is_voided(finding.line):
                tallies[finding.player].miscalls += 1
        return GameRecord(
            opened=self.opened,
            simulated=self._simulated,
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

    def _champion(self, findings: Sequence[Finding]) -> str | None:
        """Who has won the match: whom the first rightful line names, or else whom the table has."""
        wrong = {finding.line for finding in findings}
        right = next((event.player for line, event in self._matches_won if line not in wrong), None)
        return (right or self._table.champion) if self._match else None

    def _is_voided(self, line: int) -> bool:
        """Whether a line belongs to a hand that was voided."""
        at = bisect_right(self._hands, line, key=attrgetter("line")) - 1
        return at >= 0 and self._hands[at].voided

    # ---- the hand ----

    def _deal(self, event: ev.HandDealt, line: int) -> None:
        self._end_hand(self._look_before(line))
        self._hands.append(HandRecord(len(self._hands) + 1, line, line, event.dealer, list(event.hands)))
        self._dealt = {player: len(cards) for player, cards in event.hands.items()}
        for player in event.hands:
            self._tallies[player].hands += 1

    def _end_hand(self, table: Table) -> None:
        """What was counted in the hand counts, unless it was voided. `table`: as it is after the hand's last line."""
        hand = self._hands[-1] if self._hands else None
        first_out, winner = self._given_up or _outcome(table)
        if hand is not None:
            hand.last_line = self.audit.line
            if self._in_detail:
                hand.plays = sum(each.plays - self._tally_at_deal(name).plays for name, each in self._tallies.items())
        if hand is not None and hand.voided:
            self._hand_over_duty(None)
            self._uncount()
        else:
            self._hand_over_duty(first_out)
            self._count_what_is_never_written(table)
            if first_out is not None:
                self._tallies[first_out[1]].first_outs += 1
            if hand is not None:
                hand.first_out, hand.winner = first_out and first_out[1], winner
                if winner is not None:
                    self._tallies[winner].wins += 1
        self._at_deal = {player: copy(tally) for player, tally in self._tallies.items()}
        self._corrected.clear()
        self._deaths.hand_over()
        self._given_up = None

    def _hand_over_duty(self, first_out: tuple[int, str] | None, *, voided: bool = False) -> None:
        if self._prize:
            self._duties.hand_over(len(self._hands), first_out, voided=voided)

    def _tally_at_deal(self, player: str) -> Tally:
        return self._at_deal.get(player, _NOTHING)

    def _uncount(self) -> None:
        """Nothing of a voided hand counts but what was smoked and loaded (R7)."""
        for player, tally in self._tallies.items():
            before = copy(self._tally_at_deal(player))
            before.leisure_hits, before.bowls_finished, before.loads = (
                tally.leisure_hits, tally.bowls_finished, tally.loads
            )  # fmt: skip
            self._tallies[player] = before

    def _count_what_is_never_written(self, table: Table) -> None:
        """Draws and lost tokens count as having happened, in a log that says it never writes them."""
        omits, tallies = table.omits, self._tallies
        if not omits or not self._hands:
            return
        if "card_drawn" in omits:
            for player, dealt in self._dealt.items():
                before, tally = self._tally_at_deal(player), tallies[player]
                held = len(table.cards_of(player)) if player in table.hands else dealt
                drew = held - dealt + tally.plays - before.plays - self._corrected[player]
                tally.draws = max(before.draws + drew, tally.draws)
        if "tokens_lost" in omits and self._match:
            for player, tokens in table.before_deal[0].items():
                lost = max(tokens - table.tokens.get(player, tokens), 0)
                tallies[player].tokens_lost = self._tally_at_deal(player).tokens_lost + lost

    def _void(self, event: ev.HandVoided, line: int) -> None:
        table = self._look_before(line)
        if not may_be_voided(table):
            self._given_up = self._given_up or _outcome(table)
        elif self._hands:
            self._hand_over_duty(_outcome(table)[0], voided=True)
            self._hands[-1].voided = True

    # ---- players ----

    def _fork(self, event: ev.GameForked, line: int) -> None:
        self._simulated = self._simulated or bool((event.ext or {}).get(SIMULATED))

    def _sit(self, event: ev.GameOpened | ev.PlayerJoined, line: int) -> None:
        names = event.players if isinstance(event, ev.GameOpened) else [event.player]
        self._sat.update(dict.fromkeys(names))

    def _leave(self, event: ev.PlayerLeft, line: int) -> None:
        self._duties.left(line, event.player)

    def _out(self, event: ev.PlayerEliminated, line: int) -> None:
        tally, reason = self._tallies[event.player], event.reason
        if reason == "no_play":
            tally.out_no_play += 1
        elif reason == "death_card":
            tally.out_death_card += 1
            killer = self._deaths.killer(line)
            if killer is not None:
                self._tallies[killer].kills += 1
        elif reason == "blowback":
            tally.out_blowback += 1
            self._deaths.struck_back(event.player, line)
        else:
            tally.out_left += 1

    # ---- plays ----

    def _count_role(self, play: TellingPlay) -> None:
        """A play was the Death Card, or a shield; perhaps that only shows now."""
        tally = self._tallies[play.player]
        if play.role == "death_card":
            tally.death_cards += 1
        else:
            tally.shields += 1
        if self._in_detail and play.place < len(self._plays):
            self._plays[play.place] = (*self._plays[play.place][:3], play.role)

    def _stands_right(self, line: int) -> bool:
        """Whether a line breaks no rule, as far as that is known behind it."""
        self._look_before(line + 1)
        return all(finding.line != line for finding in self.audit.findings)

    # ---- hits ----

    def _steal(self, event: ev.HitStolen, line: int) -> None:
        self._tallies[event.player].steals += 1
        self._tallies[event.source].robbed += 1
        self._note_hit(event, line, "stolen", source=event.source)

    def _make_bonus(self, event: ev.BonusCreated, line: int) -> None:
        self._tallies[event.player].bonuses += 1
        self._note_hit(event, line, "bonus")

    def _slide(self, event: ev.HitSlid, line: int) -> None:
        if event.source != event.player:
            self._tallies[event.player].slides_in += 1
            self._tallies[event.source].slides_out += 1
        self._note_hit(event, line, "slid", source=event.source, prize=event.prize, card=event.card)

    def _take(self, event: ev.HitTaken, line: int) -> None:
        self._tallies[event.player].hits_taken += event.hits
        self._note_hit(event, line, "taken", prize=event.prize, hits=event.hits)

    def _carry(self, event: ev.HitCarried, line: int) -> None:
        self._tallies[event.player].hits_carried += event.hits
        self._note_hit(event, line, "carried", prize=event.prize, hits=event.hits)

    def _donate(self, event: ev.HitDonated, line: int) -> None:
        self._tallies[event.player].hits_donated += event.hits
        self._tallies[event.to].hits_received += event.hits
        self._note_hit(event, line, "donated", to=event.to, prize=event.prize, hits=event.hits)

    def _smoke(self, event: ev.LeisureHit, line: int) -> None:
        tally = self._tallies[event.player]
        tally.leisure_hits += 1
        if event.finished:
            tally.bowls_finished += 1
            self._duties.bowl_finished(line, len(self._hands), event.player)
        self._note_hit(event, line, "finished" if event.finished else "leisure")

    def _note_hit(
        self,
        event: _OfPlayer,
        line: int,
        deed: Deed,
        *,
        source: str | None = None,
        to: str | None = None,
        prize: ev.PrizeName | None = None,
        hits: int = 1,
        card: str | None = None,
    ) -> None:
        if self._in_detail:
            self._hits.append(Hit(line, len(self._hands), deed, event.player, source, to, prize, hits, card, event.at))

    def _load(self, event: ev.BongLoaded, line: int) -> None:
        self._tallies[event.player].loads += 1
        self._duties.loaded(line)

    # ---- the rest ----

    def _correct(self, event: ev.HandCorrected, line: int) -> None:
        self._corrected[event.player] += len(event.drew) - len(event.returned)

    def _pay(self, event: ev.TokensLost, line: int) -> None:
        self._tallies[event.player].tokens_lost += event.tokens

    def _win_match(self, event: ev.MatchWon, line: int) -> None:
        self._matches_won.append((line, event))

    def _close(self, event: ev.GameClosed, line: int) -> None:
        self._closed = True


_NOTED: Final[dict[type[ev.Event], Callable[[Chronicle, Any, int], None]]] = {
    ev.GameOpened: Chronicle._sit,
    ev.GameForked: Chronicle._fork,
    ev.PlayerJoined: Chronicle._sit,
    ev.PlayerLeft: Chronicle._leave,
    ev.HandDealt: Chronicle._deal,
    ev.HandVoided: Chronicle._void,
    ev.PlayerEliminated: Chronicle._out,
    ev.HitStolen: Chronicle._steal,
    ev.BonusCreated: Chronicle._make_bonus,
    ev.HitSlid: Chronicle._slide,
    ev.HitTaken: Chronicle._take,
    ev.HitCarried: Chronicle._carry,
    ev.HitDonated: Chronicle._donate,
    ev.LeisureHit: Chronicle._smoke,
    ev.BongLoaded: Chronicle._load,
    ev.HandCorrected: Chronicle._correct,
    ev.TokensLost: Chronicle._pay,
    ev.MatchWon: Chronicle._win_match,
    ev.GameClosed: Chronicle._close,
}
_NOTHING: Final = Tally()
_STAND_ANYHOW: Final = (ev.LeisureHit, ev.BongLoaded)
"""What stands though it is taken back (R14)."""


def _outcome(table: Table) -> tuple[tuple[int, str] | None, str | None]:
    """Who was first out of a hand, with the line, and who has won it."""
    out = table.outs.get(table.first_out or "")
    first_out = (out.line, table.first_out) if out is not None and table.first_out is not None else None
    return first_out, table.winner


def chronicle(
    batches: Callable[[], Iterable[Sequence[ev.Event]]],
    take_backs: Callable[[], Iterable[tuple[int, ev.TakenBack]]],
    *,
    in_detail: bool = True,
) -> GameRecord:
    """All that is kept of a log that can be read again and again: its batches of events, and its take-backs.

    Not `in_detail`: without its plays and hits.
    """

    fold = folded(lambda opened, undone: Chronicle(opened, undone, in_detail=in_detail), batches, take_backs)
    return fold.record()
