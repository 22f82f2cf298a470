"""Ordinary turns, followed at a stroke: most of every log is plays and their draws in perfect order.

It saves the fold the two steps of judging and applying where there is nothing to judge. Whatever is the least bit
out of the ordinary is left to the referee, untouched (tests hold the two against each other).
"""

from collections.abc import Sequence

from domain import events as ev
from domain.card_places import less, more
from domain.counting import AtCount, Leads
from domain.moves.turns import turn_direction
from domain.table import Table


def _chosen(table: Table, at: AtCount, play: ev.CardPlayed) -> AtCount | None:
    """The Count after a card that leaves a choice or turns the direction; None if it may do more, or isn't clear."""
    card, said = play.card, play.count
    if card is None or said is None or (card in at.close and card not in at.turning):
        return None
    leads = at.get(card)
    if type(leads) is not Leads or said not in leads:
        return None
    after = leads[said]
    if after is None:
        after = leads[said] = table.counts[said]
    return after


def plain_turns(table: Table, events: Sequence[ev.Event], start: int, end: int) -> int:
    """Follow plays with their draws, from index `start` up to `end` at most, while they are surely in order.

    Returns the index of the first event that is left; that one has changed nothing.
    """
    if table.awaiting != "play" or table.to_act is None or table.shown or table.owing or not table.tells_all:
        return start
    hands, unseen, unplaced = table.hands, table.unseen, table.unplaced
    stock, pile, next_in = table.stock, table.pile, table.next_in
    at, player = table.at, table.to_act
    again_between_two = table.rules.between_two == "again"
    one_deck = table.one_deck
    for index in range(start, end - 1, 2):
        play, draw = events[index], events[index + 1]
        if type(play) is not ev.CardPlayed or type(draw) is not ev.CardDrawn or not stock:
            break
        card, drawn, top = play.card, draw.card, stock[-1]
        after = at.get(card)  # type: ignore[arg-type]
        turning = False
        if type(after) is not AtCount:
            after = _chosen(table, at, play)
            if after is None:
                break
            turning = card in at.turning
        if (
            after.count != play.count
            or play.player != player
            or draw.player != player
            or (drawn is not None and drawn != top)
            or play.target is not None
            or (play.value is not None and (at.count is None or at.count + play.value != after.count))
            or play.seq is not None
            or draw.seq is not None
        ):
            break
        hand = hands[player]
        if card in hand:
            if one_deck:
                del hand[card]
            else:
                less(hand, card)
        elif card in unplaced and unseen[player]:
            if one_deck:
                del unplaced[card]
            else:
                less(unplaced, card)
            unseen[player] -= 1
        else:
            break
        if top is None:
            unseen[player] += 1
        elif one_deck:
            hand[top] = 1
        else:
            more(hand, top)
        pile.append(card)
        stock.pop()
        at = after
        if turning:
            if len(next_in) > 2:
                turn_direction(table)
                next_in = table.next_in
            elif again_between_two:
                continue
        player = next_in[player]
    else:
        index = start + max((end - start) // 2 * 2, 0)
    table.at, table.to_act = at, player
    if index > start:
        table.costs_unknown = False
    return index
