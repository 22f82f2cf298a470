"""Judging draws, reshuffles, and hands and Counts that are put right."""

from collections import Counter
from typing import Any

from domain import events as ev
from domain.cards import SeenCard, card_name
from domain.moves.turns import staying
from domain.referee.outs import interrupted
from domain.referee.verdicts import Fault, Verdict, card_fault, nonsense
from domain.table import IN_HAND, Table


def judge_draw(table: Table, event: ev.CardDrawn) -> Verdict:
    """`draw`: the player who played draws the top of the stock, once."""
    if table.awaiting == "draw" and event.player == table.to_act and table.stock:
        card = event.card
        if card is None or card == table.stock[-1]:
            return None
    return _judge_draw_closely(table, event)


def _judge_draw_closely(table: Table, event: ev.CardDrawn) -> Fault | None:
    player = event.player
    if table.awaiting == "due" and table.after_dues in ("deal", "score"):
        message = f"{player} draws a card, but the hand has ended"
        return Fault(rule="draw", kind="draw after the end", player=player, message=message)
    if table.awaiting in ("leave", "due", "deal", "over", "closed"):
        return interrupted(table, event, player)
    if player in table.owing or (table.awaiting == "draw" and player == table.to_act):
        if not table.stock and "pile_reshuffled" in table.omits:
            reshuffled = event.card in table.pile or event.card in table.aside or event.card in table.unplaced
            return None if reshuffled else judge_top(table, player, event.card)
        if not table.stock:
            message = f"{player} draws, but the stock has run out and the play pile was not reshuffled"
            return Fault(rule="reshuffle", kind="no reshuffle", player=player, message=message)
        return judge_top(table, player, event.card)
    left = player in table.outs and table.outs[player].reason == "left"  # their draw fell away (R8)
    short = 0 < table.size_of(player) < table.rules.hand_size and not table.rules.forgiving
    if short and table.awaiting in IN_HAND and not left:
        return judge_top(table, player, event.card)
    if table.awaiting == "draw":
        message = f"{player} draws, but it is {table.to_act} who has just played"
        return Fault(rule="draw", kind="wrong drawer", player=player, message=message)
    if table.short.get(player) and table.awaiting in IN_HAND:
        message = f"{player} draws a card, but the draw that was forgotten can't be made good any more"
        return Fault(rule="draw", kind="second draw", player=player, message=message)
    message = f"{player} draws a card, but no draw is due"
    return Fault(rule="draw", kind="second draw", player=player, message=message)


def judge_top(table: Table, player: str, card: SeenCard) -> Fault | None:
    """The card that a player draws must be able to be the top of the stock."""
    if card is None or table.may_be_top(card) or (not table.stock and card in table.unplaced):
        return None
    if table.in_the_open(card):
        where = "the play pile" if card in table.pile or card in table.aside else "a hand that was shown"
        message = f"{player} draws {card_name(card)}, which lies in {where}"
        return card_fault("deck", "wrong card drawn", player, card, message)
    message = f"{player} draws {card_name(card)}, which is not the top of the stock"
    return card_fault("draw", "wrong card drawn", player, card, message)


def judge_missed_draw(table: Table, event: ev.DrawMissed) -> Fault | None:
    if table.awaiting == "draw" and event.player == table.to_act:
        if table.rules.forgiving:
            return None
        message = f"{event.player} played and did not draw"
        return Fault(rule="draw", kind="draw missed", player=event.player, message=message)
    if 0 < table.size_of(event.player) < table.rules.hand_size:
        return None
    return nonsense(event.player, f"a missed draw of {event.player} is noted, but no draw of theirs was due")


def judge_reshuffle(table: Table, event: ev.PileReshuffled) -> Fault | None:
    """`reshuffle`: once the stock has run out, exactly the play pile becomes the stock (R2)."""
    if table.awaiting == "due":
        return interrupted(table, event, None)
    if table.awaiting in ("deal", "over", "closed"):
        return nonsense(None, "the pile is reshuffled, but no hand is being played")
    if table.stock:
        message = f"the pile is reshuffled, but the stock still holds {len(table.stock)} cards"
        return Fault(rule="reshuffle", kind="early reshuffle", player=None, message=message)
    if event.stock is not None and not _same_cards(event.stock, table):
        last = ", without its last card" if table.rules.reshuffled == "pile_but_last" else ""
        message = f"the new stock is not exactly the play pile{last}"
        return Fault(rule="reshuffle", kind="not the pile", player=None, message=message)
    return None


def _same_cards(listed: list[SeenCard], table: Table) -> bool:
    """Whether the listed cards can be the cards that are reshuffled (R11, R21)."""
    pile: Counter[Any] = Counter(table.taken_up(staying(table)))
    size = pile.total()
    cards: Counter[Any] = Counter(listed)
    if cards == pile and None not in cards:
        return True
    unseen_in_pile, unseen_listed = pile.pop(None, 0), cards.pop(None, 0)
    extra, missing = cards - pile, pile - cards
    return (
        len(listed) == size
        and extra.total() <= unseen_in_pile
        and missing.total() <= unseen_listed
        and all(
            number <= table.unplaced.get(card, 0) or card in table.doubles for card, number in extra.items() if card
        )
    )


# ---- putting right ----


def judge_hand_correction(table: Table, event: ev.HandCorrected) -> Fault | None:
    """`four-cards`, R17: only a hand with another number than four is put right, and to four."""
    player = event.player
    if table.awaiting in ("deal", "over", "closed") or player not in table.hands:
        return nonsense(player, f"a hand of {player} is put right, but {player} holds none")
    held, size = table.size_of(player), table.rules.hand_size - table.short.get(player, 0)
    after = held + len(event.drew) - len(event.returned)
    if held == size or after != size:
        message = f"{player}'s hand of {held} cards is corrected to {after}"
        return Fault(rule="four-cards", kind="needless correction", player=player, message=message)
    for depth, card in enumerate(event.drew):
        top = table.stock[-1 - depth] if depth < len(table.stock) else None
        if card is not None and card != top and (top is not None or card not in table.unplaced):
            rule = "deck" if table.in_the_open(card) else "draw"
            message = f"{player} is given {card_name(card)}, which is not the top of the stock"
            return card_fault(rule, "wrong card corrected", player, card, message)
    for card in event.returned:
        if card is not None and card not in event.drew and not table.may_hold(player, card):
            message = f"{player} returns {card_name(card)}, which is not in {player}'s hand"
            return card_fault("hold-card", "wrong card corrected", player, card, message)
    return None


def judge_count_correction(table: Table, event: ev.CountCorrected) -> Fault | None:
    if not table.in_hand:
        return nonsense(None, "the Count is corrected, but no hand is being played")
    if event.count > table.rules.limit or not table.counts.allows(event.count):
        lowest = "" if table.rules.floor is None else f"not under {table.rules.floor} and "
        message = f"the Count is corrected to {event.count}; it is {lowest}not over {table.rules.limit}"
        return Fault(rule="limit", kind="as written", player=None, message=message)
    return None
