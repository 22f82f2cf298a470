"""What the rules force: the next event that nobody has a choice in."""

from typing import Final

from domain import events as ev
from domain.moves.turns import staying
from domain.prize import Prize
from domain.referee import can_play
from domain.referee.dues import due_slide, due_thief
from domain.shuffling import Shuffle
from domain.table import Due, Table

LONGEST_HAND: Final = 2000
"""Lines after its deal at which a hand is voided that found no end (R7)."""


def forced(table: Table, shuffle: Shuffle | None) -> ev.AnyEvent | None:
    """The event that must come next, whoever plays; None if somebody has a choice, or may do something or not.

    `shuffle`: what shuffles the pile where that is due; None where nobody sees its order.
    """
    player = table.to_act
    match table.awaiting:
        case "due":
            return _due(table.dues[0]) if table.dues else None
        case "prize":
            return _of_the_prize(table)
        case "play" if table.line - table.dealt_on >= LONGEST_HAND:
            return ev.HandVoided(reason=f"no end after {LONGEST_HAND} lines")
    if player is None:
        return None
    match table.awaiting:
        case "draw":
            return _draw(table, player, shuffle)
        case "play" if player in table.owing and table.rules.forgotten_draw == "until_own_play":
            return _draw(table, player, shuffle)  # one that was forgotten is made good first (R20)
        case "play" if can_play(table, player) is False:
            return ev.PlayerEliminated(player=player, reason="no_play")
        case "shield":
            return _answer(table, player)
        case "blowback":
            return ev.PlayerEliminated(player=player, reason="blowback")
        case "leave":
            return ev.PlayerEliminated(player=player, reason="left")
        case "win":
            return ev.HandWon(player=player)
    return None


def _draw(table: Table, player: str, shuffle: Shuffle | None) -> ev.AnyEvent:
    if table.stock:
        return ev.CardDrawn(player=player, card=table.stock[-1])
    return ev.PileReshuffled(stock=None if shuffle is None else shuffle(table.taken_up(staying(table))))


def _answer(table: Table, player: str) -> ev.AnyEvent | None:
    """What becomes of the target of a Death Card (`death-card-shield`); None if it turns on cards nobody logged."""
    rules = table.rules.death_card
    if rules is None:
        return None
    if rules.shield in table.hands.get(player, ()):
        return ev.CardPlayed(player=player, card=rules.shield, count=table.count)
    if table.may_hold(player, rules.shield):
        return None
    return ev.PlayerEliminated(player=player, reason="death_card")


def _due(due: Due) -> ev.AnyEvent | None:
    if due.type == "player_knocked_out":
        return ev.PlayerKnockedOut(player=due.player)
    if due.tokens is None:
        return None
    if due.type == "match_won":
        return ev.MatchWon(player=due.player, tokens=due.tokens)
    return ev.TokensLost(player=due.player, tokens=due.tokens, reason=due.reason)


def _of_the_prize(table: Table) -> ev.AnyEvent | None:
    """The steal, the bonus or the step of a slide that is due; hits of somebody who has left stay for the next hand."""
    thief, winner = due_thief(table), table.winner
    if thief is not None and winner is not None:
        if thief == winner:
            return ev.BonusCreated(player=thief)
        return ev.HitStolen(player=thief, source=winner)
    for prize in table.prizes:
        step = due_slide(table, prize) if prize.hits != 0 else None
        if step is not None:
            club, holder = step
            return ev.HitSlid(prize=prize.name, source=prize.holder, player=holder, card=club)
    return next((_left_behind(prize) for prize in table.prizes if prize.holder not in table.seats and prize.hits), None)


def _left_behind(prize: Prize) -> ev.HitCarried:
    return ev.HitCarried(player=prize.holder, prize=prize.name, hits=prize.hits or 0)
