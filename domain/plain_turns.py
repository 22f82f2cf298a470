"""Ordinary turns, followed at a stroke: most of every log is plays and their draws in perfect order.

It saves the fold the two steps of judging and applying where there is nothing to judge. Whatever is the least bit
out of the ordinary is left to the referee, untouched (tests hold the two against each other).
"""

from collections.abc import Sequence

from domain import events as ev
from domain.moves.turns import turn_direction
from domain.table import Table


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
    for index in range(start, end - 1, 2):
        play, draw = events[index], events[index + 1]
        if type(play) is not ev.CardPlayed or type(draw) is not ev.CardDrawn or not stock:
            break
        card, drawn, top = play.card, draw.card, stock[-1]
        leads = at.get(card)  # type: ignore[arg-type]
        if leads is None:
            break
        after = leads.get(play.count)  # type: ignore[arg-type]
        if after is None:
            if play.count is None or play.count not in leads:
                break
            after = leads[play.count] = table.counts[play.count]
        if (
            (card in at.close and card not in at.turning)
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
        if number := hand.pop(card, 0):  # type: ignore[arg-type]
            if number > 1:
                hand[card] = number - 1  # type: ignore[index]
        elif unseen[player] and (number := unplaced.pop(card, 0)):  # type: ignore[arg-type]
            if number > 1:
                unplaced[card] = number - 1  # type: ignore[index]
            unseen[player] -= 1
        else:
            break
        if top is None:
            unseen[player] += 1
        else:
            hand[top] = hand[top] + 1 if top in hand else 1
        pile.append(card)
        stock.pop()
        if card not in at.turning:
            player = next_in[player]
        elif len(next_in) > 2:
            turn_direction(table)
            next_in = table.next_in
            player = next_in[player]
        elif not again_between_two:
            player = next_in[player]
        at = after
    else:
        index = start + max((end - start) // 2 * 2, 0)
    table.at, table.to_act = at, player
    if index > start:
        table.costs_unknown = False
    return index
