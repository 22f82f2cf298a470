"""Following the log: each event moves the table, whatever it says. Nothing here refuses or judges."""

from collections.abc import Callable
from typing import Any, Final

from domain import events as ev
from domain.moves import frame, match, outs, prizes, turns
from domain.table import Table


def stand_still(table: Table, event: ev.Event) -> None:
    """An event that moves nothing on the table."""


APPLY: Final[dict[type[ev.Event], Callable[[Table, Any], None]]] = {
    ev.GameOpened: stand_still,
    ev.GameForked: stand_still,
    ev.PlayerJoined: frame.join,
    ev.PlayerLeft: frame.leave,
    ev.HandDealt: frame.deal,
    ev.CardPlayed: turns.play,
    ev.CardDrawn: turns.draw,
    ev.DrawMissed: turns.miss_draw,
    ev.PileReshuffled: turns.reshuffle,
    ev.PlayerEliminated: outs.eliminate,
    ev.CardsShown: prizes.show,
    ev.HandWon: outs.hand_won,
    ev.HitStolen: prizes.steal,
    ev.BonusCreated: prizes.make_bonus,
    ev.HitSlid: prizes.slide,
    ev.HitTaken: prizes.settle,
    ev.HitCarried: prizes.settle,
    ev.HitDonated: prizes.settle,
    ev.LeisureHit: prizes.smoke,
    ev.BongLoaded: stand_still,
    ev.HandCorrected: turns.correct_hand,
    ev.CountCorrected: turns.correct_count,
    ev.TakenBack: stand_still,
    ev.HandVoided: frame.void,
    ev.RulingMade: stand_still,
    ev.TokensLost: match.lose_tokens,
    ev.PlayerKnockedOut: match.knock_out,
    ev.MatchWon: match.win_match,
    ev.GameClosed: frame.close,
}


def apply(table: Table, event: ev.Event) -> None:
    """Follow one event, whatever it says. Never refuses; a nonsensical event changes as little as it can."""
    APPLY[type(event)](table, event)
