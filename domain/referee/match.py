"""Judging the match: who loses how many tokens, who is out of it, and who wins it (`tokens`, `border`, `match`)."""

from domain import events as ev
from domain.cards import counted
from domain.moves.match import after_unknown_end, is_late
from domain.referee.dues import unsettled
from domain.referee.legality import WHY_LOST
from domain.referee.outs import closed, not_done
from domain.referee.verdicts import OPEN_TOKENS, Fault, Verdict, nonsense
from domain.table import Table


def _no_match(table: Table, player: str) -> Fault | None:
    if table.rules.tokens:
        return closed(table, player)
    return nonsense(player, "this game is played without tokens and matches")


def judge_tokens(table: Table, event: ev.TokensLost) -> Verdict:
    """`tokens`, `border`: who a loss, a border or an exact hit costs how many tokens, in seat order."""
    player = event.player
    fault = _no_match(table, player)
    if fault is not None:
        return fault
    if is_late(table, "tokens_lost", player):
        return None
    rule = "border" if event.reason == "border" else "tokens"
    dues = [due for due in table.dues if due.type == "tokens_lost"]
    if not dues:
        knocking_out = bool(table.dues) and table.dues[0].type == "player_knocked_out"
        if table.costs_open or (table.costs_unknown and knocking_out):
            return OPEN_TOKENS
        if table.dues:
            return not_done(table)
        message = f"{player} loses {counted(event.tokens, 'token')}, but nothing has cost any"
        return Fault(rule=rule, kind="invented loss", player=player, message=message)
    due = next((one for one in dues if one.player == player), None)
    if due is None:
        message = f"{player} loses {counted(event.tokens, 'token')}, but it is {dues[0].player} who does"
        return Fault(rule=rule, kind="wrong payer", player=player, message=f"{message}: {WHY_LOST[dues[0].reason]}")
    if due.reason != event.reason:
        message = f"{player} loses a token with the reason {event.reason!r}, but {WHY_LOST[due.reason]}"
        return Fault(rule=rule, kind="wrong number", player=player, message=message)
    if due.tokens is not None and due.tokens != event.tokens:
        message = f"{player} loses {counted(event.tokens, 'token')}; it should be {due.tokens}"
        return Fault(rule=rule, kind="wrong number", player=player, message=message)
    if due is not dues[0]:
        return not_done(table)
    return None


def judge_knock_out(table: Table, event: ev.PlayerKnockedOut) -> Verdict:
    """`match`: whoever has no token left is out of the match, and nobody else."""
    player = event.player
    fault = _no_match(table, player)
    if fault is not None:
        return fault
    if table.dues and table.dues[0].type == "player_knocked_out":
        if any(due.player == player for due in table.dues):
            return None
    elif table.dues and table.dues[0].type == "tokens_lost":
        return not_done(table)
    if is_late(table, "player_knocked_out", player) or (player in table.circle and player not in table.tokens):
        return None  # it was found missing before, or nobody knows how many they have
    if "tokens_lost" in table.omits and player in table.knocked_out:
        return None
    left = table.tokens.get(player, 0)
    has = "is not in the match" if player not in table.circle else f"still has {counted(left, 'token')}"
    if table.rules.score_to is not None:
        has = "nobody is knocked out where points are counted"
    message = f"{player} is knocked out, but {has}"
    return Fault(rule="match", kind="wrong knock-out", player=player, message=message)


def judge_match_won(table: Table, event: ev.MatchWon) -> Verdict:
    """`match`: the last player with tokens wins, or the highest score once it is high enough (R15)."""
    player = event.player
    fault = _no_match(table, player)
    if fault is not None:
        return fault
    table = after_unknown_end(table)
    due = table.dues[0] if table.dues else None
    known = table.tokens if table.rules.score_to is None else table.scores
    if due is None and table.champion is None and any(seat not in known for seat in table.circle):
        return OPEN_TOKENS
    if due is None and table.awaiting == "prize" and list(table.circle) == [player] and unsettled(table) is None:
        return None  # the hand that decided the match was won and settled first
    if due is not None and due.type != "match_won":
        return not_done(table)
    if due is None:
        message = f"{player} wins the match, but it is not decided"
        if table.champion is not None:
            message = f"{player} wins a match that {table.champion} has won already"
        return Fault(rule="match", kind="wrong champion", player=player, message=message)
    if due.player != player:
        message = f"{player} wins the match, but it is {due.player} who has"
        return Fault(rule="match", kind="wrong champion", player=player, message=message)
    if due.tokens is not None and due.tokens != event.tokens:
        message = f"{player} wins the match with {event.tokens}; it should be {due.tokens}"
        return Fault(rule="match", kind="wrong champion", player=player, message=message)
    return None
