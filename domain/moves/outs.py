"""Going out on the table, and the end of a hand for the last one in."""

from domain import events as ev
from domain.moves.match import carry_on, charge, end_hand, take_out
from domain.moves.turns import forget_draw
from domain.prize import Prize, plus
from domain.table import IN_HAND, Awaiting, Due, Table
from domain.trail import SetAside


def eliminate(table: Table, event: ev.PlayerEliminated) -> None:
    if table.awaiting == "draw" and table.rules.forgiving:
        forget_draw(table)
    rules = table.rules
    costs = event.reason != "left" and (rules.tokens or rules.out_ends != "seat") and event.player in table.next_in
    put_out(table, event.player, event.reason)
    if costs:
        _lose_hand(table, event.player)


def _lose_hand(table: Table, player: str) -> None:
    """What a loss ends, and what it costs."""
    rules = table.rules
    if rules.out_ends == "hand":
        end_hand(table)
    elif rules.out_ends == "pile":
        table.aside += table.pile
        table.pile = []
        table.note(SetAside(table.line))
        table.at = table.counts[0]
        if len(table.next_in) < 2:
            end_hand(table)
    if rules.tokens:
        charge(table, [Due("tokens_lost", player, 1, "hand_lost")])
    carry_on(table)


def put_out(table: Table, player: str, reason: ev.Reason) -> None:
    """Take a player out of the hand, and let the turn pass to whom it belongs."""
    if player not in table.next_in:
        return
    following = take_out(table, player, reason)
    if table.first_out is None and reason != "left":
        table.first_out = player
        if table.rules.prize is not None:
            table.loader = player
            table.earlier_finisher, table.finisher = table.finisher, None
    if table.awaiting == "play" and not table.held:
        if table.to_act == player:
            table.to_act = following
    else:
        _pass_on(table, player, following)
    if len(table.next_in) == 1 and (reason == "left" or table.rules.out_ends == "seat"):
        last_one_in(table)


def _pass_on(table: Table, player: str, following: str) -> None:
    """Somebody is out while something else than a play was awaited, perhaps of them."""
    if table.awaiting == "leave" and table.to_act == player:
        table.awaiting, table.to_act = table.held.pop()
    if table.to_act == player and table.awaiting == "draw":
        table.awaiting, table.to_act = table.then_awaiting, table.then_to_act
    table.awaiting, table.to_act = _without(table, player, following, table.awaiting, table.to_act)
    table.then_awaiting, table.then_to_act = _without(table, player, following, table.then_awaiting, table.then_to_act)
    if table.held:
        then = (table.then_awaiting, table.then_to_act)
        held = [then if pending == ("draw", player) else pending for pending in table.held]
        table.held = [_without(table, player, following, *pending) for pending in held]
    if table.awaiting == "due":
        carry_on(table)


def _without(
    table: Table, player: str, following: str, awaiting: Awaiting, to_act: str | None
) -> tuple[Awaiting, str | None]:
    """What is awaited once a player is out who may have been the one to act."""
    if to_act != player or awaiting in ("leave", "draw", "due"):
        return awaiting, to_act
    if awaiting == "blowback":
        answered = table.answered if table.answered in table.next_in else following
        return "play", table.next_in.get(answered or following, following)
    return "play", following


def last_one_in(table: Table) -> None:
    """One player is left: the hand is theirs, once a draw that is due has been made; or it just ends."""
    if table.awaiting not in IN_HAND and table.awaiting != "due":
        return
    last = next(iter(table.next_in))
    if table.rules.out_ends != "seat":
        end_hand(table)
        carry_on(table)
    elif "hand_won" in table.omits:
        win(table, last)
    elif table.awaiting == "draw":
        table.then_awaiting, table.then_to_act = "win", last
    else:
        table.awaiting, table.to_act = "win", last


def hand_won(table: Table, event: ev.HandWon) -> None:
    win(table, event.player)


def win(table: Table, player: str) -> None:
    """The hand is over; the main prize is one hit and what was left over (R4, R5)."""
    table.winner = player
    table.next_in = {player: player}
    table.awaiting, table.to_act = "prize", None
    table.held = []
    table.left_over = 0
    table.prizes = [Prize("main", player, plus(table.carried, 1), None)] if table.rules.prize else []
