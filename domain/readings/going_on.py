"""After a fault: every reading of the event, and where each leaves the table.

A way either has followed the event already, or stands before it with the fault mended, and judges it again.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from domain import events as ev
from domain.card_places import less
from domain.moves import apply
from domain.moves.match import after_unknown_end
from domain.readings import cards, death_card, frame, match, prizes, turns, ways
from domain.readings.ways import Way
from domain.referee.judge import judge
from domain.referee.outs import after_forgetting
from domain.referee.verdicts import OPEN_DEATH_CARD, OPEN_END, OPEN_TURN, Fault, FaultKind, Open
from domain.table import Table
from domain.trail import Was, unseen_after_all

CARDS_MOVED: Final[frozenset[FaultKind]] = frozenset(
    {
        "card not held", "wrong card drawn", "no reshuffle", "early reshuffle", "not the pile", "wrong card corrected",
    }
)  # fmt: skip
"""Faults after which cards may lie elsewhere than their lines say: what is known of them is noted anew."""
DEEPEST: Final = 4
"""Faults of one line that are looked at one behind the other."""


class Outcome(NamedTuple):
    """A table after the event, and the faults that this reading of it costs."""

    table: Table
    faults: tuple[Fault, ...]


def go_on(table: Table, event: ev.Event, fault: Fault, most: int | None = None, depth: int = 0) -> list[Outcome]:
    """Every reading of an event that broke a rule, likeliest first. The table given is left as it is.

    `most`: readings that cost more faults than these aren't wanted.
    """
    if most is not None and most < 1:
        return []
    if isinstance(event, ev.CardPlayed | ev.PlayerEliminated):
        table = after_forgetting(table)
    elif isinstance(event, ev.HandDealt | ev.MatchWon):
        table = after_unknown_end(table)
    outcomes = []
    for way in WAYS[fault.kind](table, event, fault):
        if way.event is None:
            outcomes.append(Outcome(way.table, (fault,)))
            continue
        verdict = judge(way.table, way.event)
        if isinstance(verdict, Fault):
            if depth < DEEPEST:
                deeper = go_on(way.table, way.event, verdict, None if most is None else most - 1, depth + 1)
                outcomes += [Outcome(after, (fault, *faults)) for after, faults in deeper]
            continue
        apply(way.table, way.event)
        if way.after is not None:
            way.after(way.table)
        outcomes.append(Outcome(way.table, (fault,)))
    if not outcomes:
        outcomes.append(Outcome(table.copy(), (fault,)))
    if fault.kind in CARDS_MOVED:
        for outcome in outcomes:
            outcome.table.cut_trail(table.trail)
    fewest = min(len(outcome.faults) for outcome in outcomes)
    return [outcome for outcome in outcomes if len(outcome.faults) <= fewest + 1]


def fork(table: Table, event: ev.Event, verdict: Open) -> list[Outcome]:
    """The readings of an event that broke nothing, where the log leaves open what it did."""
    if verdict.rule == OPEN_END.rule:
        return [Outcome(twin, ()) for twin in match.ways_of_ending(table, event)]
    if verdict.rule == OPEN_TURN.rule and isinstance(event, ev.CardPlayed):
        return [Outcome(twin, ()) for twin in turns.ways_of_passing(table, event)]
    if isinstance(event, ev.CardPlayed) and event.card is None:
        table.lose_sight()
    plain, other = table.copy(), table.copy()
    apply(plain, event)
    rules = table.rules.death_card
    if verdict.rule == OPEN_DEATH_CARD.rule and isinstance(event, ev.CardPlayed) and rules is not None:
        other.at = table.counts[table.rules.limit]
        apply(other, msgspec.structs.replace(event, card=rules.card))
        if event.card is None:
            plain.note(Was(table.line, frozenset(table.deck) - {rules.card}))
            other.trail = unseen_after_all(other.trail, table.line, rules.card)
        return [Outcome(plain, ()), Outcome(other, ())]
    if isinstance(event, ev.PlayerLeft):
        _undraw(other, event.player)
        other.drew_unseen = None
        other.cut_trail(other.trail)
    apply(other, event)
    return [Outcome(plain, ()), Outcome(other, ())]


def _undraw(table: Table, player: str) -> None:
    """The draw that a log leaves out did not come: the last card that came to a hand goes back on the stock."""
    card = table.drew_unseen[1] if table.drew_unseen else None
    if card is not None and card in table.hands[player]:
        less(table.hands[player], card)
        table.stock.append(card)
    elif table.unseen[player]:
        table.unseen[player] -= 1
        table.stock.append(None)


WAYS: Final[dict[FaultKind, Callable[[Table, Any, Fault], Iterator[Way]]]] = {
    "nonsense": ways.nonsense,
    "as written": ways.as_written,
    "as written or not": ways.as_written_or_not,
    "out as written": ways.out_as_written,
    "miscalled": cards.miscalled,
    "wrong value": cards.miscalled,
    "over the limit": ways.as_written,
    "chosen out of bounds": cards.chosen_out_of_bounds,
    "card not held": cards.card_not_held,
    "wrong card drawn": cards.wrong_card_drawn,
    "no draw": cards.no_draw,
    "wrong drawer": cards.wrong_drawer,
    "second draw": ways.as_written_or_not,
    "draw after the end": match.draw_after_the_end,
    "draw missed": ways.as_written,
    "no reshuffle": cards.no_reshuffle,
    "early reshuffle": cards.early_reshuffle,
    "not the pile": cards.not_the_pile,
    "wrong card corrected": cards.wrong_card_corrected,
    "needless correction": ways.as_written_or_not,
    "out of turn": turns.out_of_turn,
    "passed over": turns.out_of_turn,
    "out player plays": turns.out_player_plays,
    "out again": turns.out_again,
    "wrongly out": turns.wrongly_out,
    "proved late": turns.proved_late,
    "leaver stays": turns.leaver_stays,
    "wrong target": death_card.wrong_target,
    "no target": ways.as_written,
    "pointed for nothing": death_card.pointed_for_nothing,
    "no answer": death_card.no_answer,
    "wrong answer": death_card.wrong_answer,
    "no blowback": death_card.no_blowback,
    "odd reason": death_card.odd_reason,
    "after the end": frame.after_the_end,
    "after the close": frame.after_the_close,
    "deal inside a hand": frame.deal_inside_a_hand,
    "wrong dealer": frame.wrong_dealer,
    "wrong deal": frame.wrong_deal,
    "early win": frame.early_win,
    "no win": frame.no_win,
    "prize before a win": ways.nonsense,
    "wrong steal": prizes.wrong_move,
    "wrong bonus": prizes.wrong_move,
    "wrong slide": prizes.wrong_move,
    "no steal": prizes.no_move,
    "no bonus": prizes.no_move,
    "no slide": prizes.no_slide,
    "settled early": prizes.settled_early,
    "wrong settling": prizes.wrong_settling,
    "unsettled": prizes.unsettled,
    "wrong prize": prizes.wrong_prize,
    "never drew": match.never_drew,
    "wrong choice": ways.as_written,
    "not paid": match.not_paid,
    "wrong payer": match.wrong_payer,
    "wrong number": match.wrong_number,
    "invented loss": match.invented_loss,
    "not knocked out": match.not_knocked_out,
    "wrong knock-out": match.wrong_knock_out,
    "no champion": match.no_champion,
    "wrong champion": ways.as_written_or_not,
    "wrong tokens": match.wrong_tokens,
    "deal after the match": match.deal_after_the_match,
}
