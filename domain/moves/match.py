"""Tokens on the table: what is due for a hand, who is out of the match, and who wins it (`tokens`, `match`)."""

from collections.abc import Container

from domain import events as ev
from domain.table import Due, Out, Table


def end_hand(table: Table) -> None:
    """The hand ends without a winner; what follows it is told by `carry_on`."""
    table.next_in = {}
    table.owing = []
    table.held = [("score" if table.rules.score_to is not None else "deal", None)]
    table.awaiting, table.to_act = "due", None


def may_have_ended(table: Table) -> bool:
    """Whether the last card may have ended the hand, as the Count after it isn't known."""
    return table.costs_open and table.rules.any_card_may_be_played


def end_if_it_may(table: Table) -> None:
    """End a hand that the last card may have ended, now that what comes next shows that it did."""
    if may_have_ended(table):
        end_hand(table)
        carry_on(table)


def after_unknown_end(table: Table) -> Table:
    """A table at which a hand has ended that may have: a copy, unless it can't have."""
    if not may_have_ended(table):
        return table
    twin = table.copy()
    end_if_it_may(twin)
    return twin


def charge(table: Table, dues: list[Due]) -> None:
    """Tokens are due before play goes on; in a log that never writes them down they are paid at once."""
    if table.awaiting != "due":
        table.held.append((table.awaiting, table.to_act))
        table.awaiting = "due"
    table.dues += dues
    if dues and "tokens_lost" in table.omits:
        for due in dues:
            _pay(table, due.player, due.tokens or 0)
            table.dues.remove(due)


def carry_on(table: Table) -> None:
    """What comes once nothing is due: knock-outs, the end of the match, or what was awaited before."""
    while table.awaiting == "due" and not table.dues:
        broke = [player for player in table.circle if table.tokens.get(player, 1) <= 0]
        if broke and table.rules.score_to is None:
            _knock_out_all(table, broke)
        elif table.rules.tokens and len(table.circle) == 1 and _hand_is_settled(table):
            last = next(iter(table.circle))
            table.dues = [Due("match_won", last, _winnings(table, last))]
        else:
            table.awaiting, table.to_act = table.held.pop() if table.held else ("deal", None)
            if table.awaiting == "score":
                _score(table)
    if table.awaiting == "due":
        table.to_act = table.dues[0].player


def _hand_is_settled(table: Table) -> bool:
    """Whether nothing of the hand has to come before the match is won: a prize must be won and settled first."""
    return table.rules.prize is None or table.after_dues in ("deal", "score")


def _winnings(table: Table, player: str) -> int | None:
    """What the last player in the match then has, with the pot if the winner takes it; None if nobody can tell."""
    if table.rules.score_to is not None:
        return table.scores.get(player)
    tokens = table.tokens.get(player)
    if not table.rules.winner_takes_pot or tokens is None:
        return tokens
    known = all(seat in table.tokens or seat in table.knocked_out for seat in table.seats)
    return tokens + table.pot if known else None


def _knock_out_all(table: Table, broke: list[str]) -> None:
    if "player_knocked_out" in table.omits:
        for player in broke:
            retire(table, player)
    else:
        table.dues = [Due("player_knocked_out", player) for player in broke]


def _score(table: Table) -> None:
    """Points left are added to the score; a single highest one that is high enough wins (R15)."""
    for player in table.circle:
        if player in table.scores and player in table.tokens:
            table.scores[player] += table.tokens[player]
        else:
            table.scores.pop(player, None)
    table.awaiting, table.to_act = "deal", None
    if any(player not in table.scores for player in table.circle):
        return
    best = max(table.circle, key=lambda player: table.scores[player], default="")
    score = table.scores.get(best, 0)
    shared = sum(table.scores[player] == score for player in table.circle) > 1
    if not shared and table.rules.score_to is not None and score >= table.rules.score_to:
        table.held.append(("deal", None))
        table.awaiting, table.dues = "due", [Due("match_won", best, score)]


def _pay(table: Table, player: str, tokens: int) -> None:
    if player in table.tokens:
        table.tokens[player] -= tokens
    table.pot += tokens


def is_late(table: Table, kind: str, player: str) -> Due | None:
    """What was found missing before, and is written down now."""
    return next((due for due in table.late if (due.type, due.player) == (kind, player)), None)


def _no_longer_missing(table: Table, kind: str, player: str) -> None:
    if table.late:
        late = is_late(table, kind, player)
        table.late = tuple(due for due in table.late if due is not late)


def lose_tokens(table: Table, event: ev.TokensLost) -> None:
    _no_longer_missing(table, "tokens_lost", event.player)
    _pay(table, event.player, event.tokens)
    if event.reason == "hand_lost" and table.count is None and table.costs_open:
        end_hand(table)  # nobody wrote down that the total had gone over the limit
    for due in table.dues:
        if (due.type, due.player) == ("tokens_lost", event.player):
            table.dues.remove(due)
            break
    if table.costs_unknown and not any(due.type == "tokens_lost" for due in table.dues):
        charge(table, [])  # it may have been the last token of somebody, and others may still have to pay
    carry_on(table)


def knock_out(table: Table, event: ev.PlayerKnockedOut) -> None:
    _no_longer_missing(table, "player_knocked_out", event.player)
    table.dues = [due for due in table.dues if (due.type, due.player) != ("player_knocked_out", event.player)]
    retire(table, event.player)
    charge(table, [])  # the match may be won now
    carry_on(table)


def take_out(table: Table, player: str, reason: ev.Reason) -> str:
    """Take somebody who is in the hand out of it; the player who was next after them."""
    table.outs[player] = Out(table.line, reason, table.at)
    if player in table.owing:
        table.owing.remove(player)  # a draw they owed falls away (R8)
    next_in = table.next_in
    following = next_in.pop(player)
    for before, after in next_in.items():
        if after == player:
            next_in[before] = following
            break
    return following


def retire(table: Table, player: str) -> None:
    """A player is out of the match, and of the hand if one is being played."""
    if player not in table.circle:
        return
    table.step_out_of_circle(player)
    table.knocked_out.append(player)
    table.sit_round()
    if player in table.next_in:
        _drop_out(table, player)


def retire_silently(table: Table, dealt_in: Container[str]) -> None:
    """Take out of the match whoever a deal shows to have been knocked out unwritten."""
    for player in silently_out(table, dealt_in):
        retire(table, player)


def silently_out(table: Table, dealt_in: Container[str]) -> list[str]:
    """Who may have been knocked out unwritten, as a deal shows: it isn't known what tokens they had."""
    if "player_knocked_out" not in table.omits or not table.rules.tokens or table.rules.score_to is not None:
        return []
    return [player for player in table.circle if player not in dealt_in and player not in table.tokens]


def _drop_out(table: Table, player: str) -> None:
    """Somebody is out of the match inside a hand: the others play on, if there are two."""
    following = take_out(table, player, "left")
    if table.then_to_act == player:
        table.then_to_act = following
    table.held = [
        (awaiting, following if to_act == player and awaiting == "play" else to_act) for awaiting, to_act in table.held
    ]
    if len(table.next_in) == 1:
        end_hand(table)


def win_match(table: Table, event: ev.MatchWon) -> None:
    table.champion = event.player
    if table.rules.winner_takes_pot:
        table.tokens[event.player], table.pot = event.tokens, 0
    table.awaiting, table.to_act, table.dues, table.held = "over", None, [], []
