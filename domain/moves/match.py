"""Tokens on the table: what is due for a hand, who is out of the match, and who wins it (`tokens`, `match`)."""

from domain import events as ev
from domain.table import Due, Out, Table, ring


def end_hand(table: Table) -> None:
    """The hand ends without a winner; what follows it is told by `carry_on`."""
    table.next_in = {}
    table.owing = []
    table.held = [("score" if table.rules.score_to is not None else "deal", None)]
    table.awaiting, table.to_act, table.dues = "due", None, []


def charge(table: Table, dues: list[Due]) -> None:
    """Tokens are due before play goes on; in a log that never writes them down they are paid at once."""
    if table.awaiting != "due":
        table.held.append((table.awaiting, table.to_act))
        table.awaiting = "due"
    table.dues = dues
    if "tokens_lost" in table.omits:
        for due in dues:
            _pay(table, due.player, due.tokens)
        table.dues = []


def carry_on(table: Table) -> None:
    """What comes once nothing is due: knock-outs, the end of the match, or what was awaited before."""
    while table.awaiting == "due" and not table.dues:
        broke = [player for player in table.circle if table.tokens.get(player, 1) <= 0]
        if broke and table.rules.score_to is None:
            _knock_out_all(table, broke)
        elif table.tokens and len(table.circle) == 1:
            last = next(iter(table.circle))
            tokens = table.scores[last] if table.scores else table.tokens[last]
            table.dues = [Due("match_won", last, tokens + (table.pot if table.rules.winner_takes_pot else 0))]
        else:
            table.awaiting, table.to_act = table.held.pop() if table.held else ("deal", None)
            if table.awaiting == "score":
                _score(table)
    if table.awaiting == "due":
        table.to_act = table.dues[0].player


def _knock_out_all(table: Table, broke: list[str]) -> None:
    if "player_knocked_out" in table.omits:
        for player in broke:
            retire(table, player)
    else:
        table.dues = [Due("player_knocked_out", player) for player in broke]


def _score(table: Table) -> None:
    """Points left are added to the score; a single highest one that is high enough wins (R15)."""
    for player in table.circle:
        table.scores[player] = table.scores.get(player, 0) + table.tokens.get(player, 0)
    table.awaiting, table.to_act = "deal", None
    best = max(table.circle, key=lambda player: table.scores[player])
    score = table.scores[best]
    shared = sum(table.scores[player] == score for player in table.circle) > 1
    if not shared and table.rules.score_to is not None and score >= table.rules.score_to:
        table.held.append(("deal", None))
        table.awaiting, table.dues = "due", [Due("match_won", best, score)]


def _pay(table: Table, player: str, tokens: int) -> None:
    if table.tokens:
        table.tokens[player] = table.tokens.get(player, 0) - tokens
        table.pot += tokens


def lose_tokens(table: Table, event: ev.TokensLost) -> None:
    _pay(table, event.player, event.tokens)
    if event.reason == "hand_lost" and table.count is None and table.awaiting == "draw":
        end_hand(table)  # nobody wrote down that the total had gone over the limit
    for due in table.dues:
        if (due.type, due.player) == ("tokens_lost", event.player):
            table.dues.remove(due)
            break
    carry_on(table)


def knock_out(table: Table, event: ev.PlayerKnockedOut) -> None:
    table.dues = [due for due in table.dues if (due.type, due.player) != ("player_knocked_out", event.player)]
    retire(table, event.player)
    carry_on(table)


def retire(table: Table, player: str) -> None:
    """A player is out of the match, and of the hand if one is being played."""
    if player not in table.circle:
        return
    if player in (table.dealer, table.after_dealer):
        table.after_dealer = table.left_of(player)
    table.knocked_out.append(player)
    table.circle = ring([seat for seat in table.seats if seat not in table.knocked_out])
    if player in table.next_in:
        _drop_out(table, player)


def _drop_out(table: Table, player: str) -> None:
    """Somebody is out of the match inside a hand: the others play on, if there are two."""
    table.outs[player] = Out(table.line, "left", table.at)
    following = table.next_in.pop(player)
    table.next_in = {name: following if after == player else after for name, after in table.next_in.items()}
    if table.then_to_act == player:
        table.then_to_act = following
    table.held = [
        (awaiting, following if to_act == player and awaiting == "play" else to_act) for awaiting, to_act in table.held
    ]
    if len(table.next_in) == 1:
        end_hand(table)


def win_match(table: Table, event: ev.MatchWon) -> None:
    table.champion = event.player
    table.awaiting, table.to_act, table.dues, table.held = "over", None, [], []
