"""Judging who acts and who goes out: turn order, what was passed over, the Death Card, shown cards."""

import msgspec

from domain import events as ev
from domain.cards import Card, card_name, card_names
from domain.moves.turns import forget_draw
from domain.referee.legality import WHY_LOST, can_play, due_tokens, expected, playable
from domain.referee.verdicts import Expected, Fault, FaultKind, Holds, Open, Question, Verdict, nonsense
from domain.table import IN_HAND, Out, Table


def closed(table: Table, player: str | None) -> Fault | None:
    """`log-order`: nothing follows the close."""
    if table.awaiting != "closed":
        return None
    message = "the game was closed before this line"
    return Fault(rule="log-order", kind="after the close", player=player, message=message)


def interrupted(table: Table, event: ev.Event, player: str | None) -> Fault | None:
    """What should have come before this event and didn't, or why it can't stand here at all."""
    due = table.to_act
    match table.awaiting:
        case "draw":
            if "card_drawn" in table.omits:
                message = f"the stock has run out and {due} has to draw, but the pile was not reshuffled"
                return Fault(rule="reshuffle", kind="no draw", player=due, message=message)
            return Fault(rule="draw", kind="no draw", player=due, message=f"{due} played and did not draw")
        case "shield" if player != due:
            message = f"{due} must answer the Death Card or is out; neither came"
            return Fault(rule="death-card-shield", kind="no answer", player=due, message=message)
        case "blowback" if player != due or not isinstance(event, ev.PlayerEliminated):
            message = f"{table.answered} shielded, so {due} is out; {due}'s going out did not come"
            return Fault(rule="death-card-blowback", kind="no blowback", player=due, message=message)
        case "leave" if player != due or not isinstance(event, ev.PlayerEliminated):
            message = f"{due} left the table inside a hand and was not put out"
            return Fault(rule="out", kind="leaver stays", player=due, message=message)
        case "win":
            message = f"{due} is the only one left in the hand and has won it; nothing is played after that"
            return Fault(rule="last-standing", kind="after the end", player=player, message=message)
        case "due":
            return not_done(table) if table.dues else None
        case "prize":
            message = "the hand has been won; nothing is played until the next deal"
            return Fault(rule="last-standing", kind="after the end", player=player, message=message)
        case "closed":
            return closed(table, player)
        case "over":
            message = f"{table.champion} has won the match; nothing is played after that"
            return Fault(rule="log-order", kind="nonsense", player=player, message=message)
        case "deal":
            over = "the hand has ended" if table.hand else "no hand has been dealt"
            if table.hand and not table.voided and table.rules.out_ends == "pile":
                message = "one player was left and the hand has ended; nothing is played until the next deal"
                return Fault(rule="last-standing", kind="after the end", player=player, message=message)
            message = "the hand was voided" if table.voided else over
            return Fault(rule="log-order", kind="after the end", player=player, message=f"{message} before this line")
    return None


def not_done(table: Table) -> Fault:
    """`tokens`, `border` or `match`: what is due after a loss, and did not come."""
    due = table.dues[0]
    if due.type == "tokens_lost":
        rule, kind = ("border" if due.reason == "border" else "tokens"), "not paid"
        message = f"{due.player} should have lost {due_tokens(due)}, and did not: {WHY_LOST[due.reason]}"
    elif due.type == "player_knocked_out":
        rule, kind, message = "match", "not knocked out", f"{due.player} has no token left and was not knocked out"
    else:
        rule, kind, message = "match", "no champion", f"{due.player} has won the match, and nothing says so"
    return Fault(rule=rule, kind=kind, player=due.player, message=message, allowed=next(iter(expected(table)), None))  # type: ignore[arg-type]


def after_forgetting(table: Table) -> Table:
    """The table once the draw that is awaited has been forgotten, where a set lets that be (R20)."""
    if table.awaiting != "draw" or not table.rules.forgiving:
        return table
    twin = table.copy()
    forget_draw(twin)
    return twin


def _may_be_skipped(table: Table, player: str) -> bool:
    """Whether everybody before a player may be out of the match, by exact hits that nobody wrote down."""
    if not table.rules.exact_hits or "player_knocked_out" not in table.omits or player not in table.next_in:
        return False
    seat = table.to_act
    while seat is not None and seat != player and seat not in table.tokens:
        seat = table.next_in.get(seat)
    return seat == player


def out_of_turn(table: Table, event: ev.CardPlayed | ev.PlayerEliminated) -> Fault | None:
    """`turn-order`, or `out` where the one to act was stuck, or where the player is out already."""
    player, due = event.player, table.to_act
    if player == due or (due is None and player in table.next_in and player != table.chooser):
        return None
    if _may_be_skipped(table, player):
        return None
    if player in table.outs:
        again = isinstance(event, ev.PlayerEliminated)
        what = "goes out again" if again else "plays"
        message = f"{player} {what}, but went out on line {table.outs[player].line}"
        kind: FaultKind = "out again" if again else "out player plays"
        return Fault(rule="out", kind=kind, player=player, message=message, evidence=(table.outs[player].line,))
    does = "plays" if isinstance(event, ev.CardPlayed) else "goes out"
    message = f"{player} {does}, but it is {due}'s turn"
    wrong_turn = Fault(rule="turn-order", kind="out of turn", player=player, message=message)
    if due is None or player not in table.next_in:
        return wrong_turn
    message = f"{player} {does}, but {due}, whose turn it was, could not play and should have gone out"
    passed_over = Fault(rule="out", kind="passed over", player=due, message=message)
    able = can_play(table, due)
    if able is None and table.count is not None:
        held = Question(Holds((due,), frozenset(table.at)), passed_over)
        return msgspec.structs.replace(wrong_turn, unless=held)
    return passed_over if able is False else wrong_turn


def judge_elimination(table: Table, event: ev.PlayerEliminated) -> Verdict:
    """`must-play`, `out`, and the Death Card's rules for who goes out and why."""
    player, reason = event.player, event.reason
    if table.awaiting == "play" and player == table.to_act and reason == "no_play":
        return _judge_stuck(table, player)
    if table.awaiting == "draw" and table.rules.forgiving:
        return judge_elimination(after_forgetting(table), event)
    if table.awaiting in ("shield", "play") and reason == "blowback":
        return _odd_blowback(table, player)
    fault = interrupted(table, event, player)
    if fault is not None:
        return fault
    if table.awaiting == "leave":
        return None if reason == "left" else _reason_fault("out", player, reason, "left the table")
    if reason == "left":
        message = f"{player} is out for leaving, but did not leave"
        return Fault(rule="log-order", kind="odd reason", player=player, message=message)
    if table.awaiting == "blowback":
        shielded = "played a Death Card that was shielded"
        return None if reason == "blowback" else _reason_fault("death-card-blowback", player, reason, shielded)
    if table.awaiting == "shield":
        return _judge_target_out(table, player, reason)
    if reason == "death_card":
        message = f"{player} is out by the Death Card, but no Death Card points at {player}"
        return Fault(rule="death-card-target", kind="odd reason", player=player, message=message)
    return out_of_turn(table, event) or _judge_stuck(table, player)


def _odd_blowback(table: Table, player: str) -> Fault:
    if table.two_player_game and table.answered is not None:
        message = f"{player} is out after a shield, but in a two-player game a shielded Death Card puts nobody out"
    else:
        message = f"{player} is out by blowback, but no Death Card of theirs was shielded"
    evidence = tuple(out.line for name, out in table.outs.items() if name == player)
    return Fault(rule="death-card-blowback", kind="odd reason", player=player, message=message, evidence=evidence)


def _reason_fault(rule: str, player: str, reason: str, why: str) -> Fault:
    message = f"{player} is out with the reason {reason!r}, but {player} {why}"
    return Fault(rule=rule, kind="out as written", player=player, message=message)


def _judge_target_out(table: Table, player: str, reason: str) -> Verdict:
    rules = table.rules.death_card
    if rules is None:
        return None
    if reason != "death_card":
        return _reason_fault("death-card-shield", player, reason, "had a Death Card to answer")
    message = f"{player} is out by the Death Card, but holds {card_name(rules.shield)} and must play it"
    if rules.shield in table.hands.get(player, ()):
        return Fault(rule="death-card-shield", kind="wrongly out", player=player, card=rules.shield, message=message)
    if not table.may_hold(player, rules.shield):
        return None
    allowed = Expected("card_played", player, [rules.shield], f"{player} answers with {card_name(rules.shield)}")
    fault = Fault(
        rule="death-card-shield", kind="wrongly out", player=player, card=None, message=message, allowed=allowed
    )
    held = Holds((player,), frozenset((rules.shield,)))
    return Open("death-card-shield", questions=(Question(held, fault),))


def _judge_stuck(table: Table, player: str) -> Verdict:
    able = can_play(table, player)
    if able is None:
        return _may_be_stuck(table, player)
    if not able:
        return None
    cards = playable(table, player)
    could = f"could play {card_names(cards)}" if cards else f"every card that {player} may hold can be played"
    message = f"{player} goes out at {table.count}, but {could}"
    card = cards[0] if cards else None
    return Fault(rule="must-play", kind="wrongly out", player=player, card=card, message=message)


def _may_be_stuck(table: Table, player: str) -> Open:
    """`must-play`, where it turns on the unseen cards of a hand whether something in it could be played."""
    at = "an unknown Count" if table.count is None else table.count
    message = f"{player} goes out at {at}, but holds a card that can be played"
    allowed = Expected("card_played", player, [None], f"{player} plays a card that can be played at {at}")
    fault = Fault(rule="must-play", kind="wrongly out", player=player, message=message, allowed=allowed)
    held = Holds((player,), frozenset(table.at), decides=table.count is not None)
    return Open("must-play", questions=(Question(held, fault),))


def contradiction(table: Table, player: str, card: Card) -> Fault | None:
    """`must-play` or `death-card-shield`, proved late: a card that a player turns out to have held when they went out
    could have been played."""
    out = table.outs.get(player)
    if out is None or out.proved:
        return None
    death_card = table.rules.death_card
    if out.reason == "no_play" and card in out.at:
        at = "an unknown Count" if out.at.count is None else out.at.count
        message = (
            f"{player} went out at {at}, but held {card_name(card)}, which could be played: {_shown_by(table, out)}"
        )
        rule, does = "must-play", f"plays {card_name(card)} at {at}"
    elif out.reason == "death_card" and death_card is not None and card == death_card.shield:
        message = f"{player} went out by the Death Card, but held {card_name(card)} and had to play it"
        message += f": {_shown_by(table, out)}"
        rule, does = "death-card-shield", f"answers with {card_name(card)}"
    else:
        return None
    allowed = Expected("card_played", player, [card], f"{player} {does}")
    return Fault(
        rule=rule, kind="proved late", player=player, card=card, message=message, line=out.line, allowed=allowed
    )


def _shown_by(table: Table, out: Out) -> str:
    return f"line {table.line} shows it, and their cards did not change after line {out.line}"


def _not_in_hand(table: Table, player: str, cards: list[Card]) -> Fault | None:
    """`hold-card`: cards that a player can't hold, each alone or all together."""
    hand = table.hands.get(player, {})
    unseen = 0
    for card in dict.fromkeys(cards):
        missing = cards.count(card) - hand.get(card, 0)
        if missing <= 0:
            continue
        if not table.may_hold(player, card):
            message = f"{player} shows {card_name(card)}, which is not in {player}'s hand"
            return Fault(rule="hold-card", kind="nonsense", player=player, card=card, message=message)
        unseen += missing if missing <= table.unplaced.get(card, 0) else len(table.deck)  # more than there are
    if unseen > table.unseen.get(player, 0):
        message = f"{player} shows {len(cards)} cards, which can't all be in {player}'s hand"
        return Fault(rule="hold-card", kind="nonsense", player=player, message=message)
    return None


def judge_cards_shown(table: Table, event: ev.CardsShown) -> Fault | None:
    """`out`: a player who is out shows nothing before the hand is won; `hold-card`: nobody shows another's card."""
    player = event.player
    ended = table.awaiting in ("deal", "over") and (table.rules.out_ends == "seat" or player not in table.hands)
    if ended or table.awaiting == "closed":
        return nonsense(player, f"{player} shows cards, but no hand is being played")
    not_theirs = _not_in_hand(table, player, event.cards)
    if not_theirs is not None:
        return not_theirs
    if player in table.outs:
        for card in event.cards:
            fault = contradiction(table, player, card)
            if fault is not None:
                return fault
    if player in table.outs and (table.awaiting in IN_HAND or table.awaiting == "win"):
        line = table.outs[player].line
        message = f"{player} went out on line {line} and shows cards before the hand is won"
        return Fault(rule="out", kind="as written", player=player, message=message, evidence=(line,))
    return None
