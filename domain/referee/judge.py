"""The referee: one function that judges an event at a table. It reads the table and never changes it.

What may come next is asked of `expected`, beside it. The audit, the replayer and every player ask these two.
"""

from collections.abc import Callable
from typing import Any, Final

from domain import events as ev
from domain.referee.draws import (
    judge_count_correction,
    judge_draw,
    judge_hand_correction,
    judge_missed_draw,
    judge_reshuffle,
)
from domain.referee.frame import (
    judge_close,
    judge_deal,
    judge_joined,
    judge_left,
    judge_leisure,
    judge_loaded,
    judge_ruling,
    judge_void,
    judge_win,
    never_wrong,
)
from domain.referee.match import judge_knock_out, judge_match_won, judge_tokens
from domain.referee.outs import judge_elimination
from domain.referee.plays import judge_play
from domain.referee.prizes import judge_bonus, judge_settling, judge_shown, judge_slide, judge_steal
from domain.referee.verdicts import Verdict
from domain.table import Table

JUDGES: Final[dict[type[ev.Event], Callable[[Table, Any], Verdict]]] = {
    ev.GameOpened: never_wrong,
    ev.GameForked: never_wrong,
    ev.PlayerJoined: judge_joined,
    ev.PlayerLeft: judge_left,
    ev.HandDealt: judge_deal,
    ev.CardPlayed: judge_play,
    ev.CardDrawn: judge_draw,
    ev.DrawMissed: judge_missed_draw,
    ev.PileReshuffled: judge_reshuffle,
    ev.PlayerEliminated: judge_elimination,
    ev.CardsShown: judge_shown,
    ev.HandWon: judge_win,
    ev.HitStolen: judge_steal,
    ev.BonusCreated: judge_bonus,
    ev.HitSlid: judge_slide,
    ev.HitTaken: judge_settling,
    ev.HitCarried: judge_settling,
    ev.HitDonated: judge_settling,
    ev.LeisureHit: judge_leisure,
    ev.BongLoaded: judge_loaded,
    ev.HandCorrected: judge_hand_correction,
    ev.CountCorrected: judge_count_correction,
    ev.TakenBack: never_wrong,
    ev.HandVoided: judge_void,
    ev.RulingMade: judge_ruling,
    ev.TokensLost: judge_tokens,
    ev.PlayerKnockedOut: judge_knock_out,
    ev.MatchWon: judge_match_won,
    ev.GameClosed: judge_close,
}


def judge(table: Table, event: ev.Event) -> Verdict:
    """What an event breaks at this table, as one fault; None if it is in order; Open if unseen cards decide."""
    return JUDGES[type(event)](table, event)
