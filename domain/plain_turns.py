"""The ordinary turn, followed at a stroke: most of every log is a play and its draw in perfect order.

It saves the fold the two steps of judging and applying where there is nothing to judge. Whatever is the least bit
out of the ordinary is left to the referee, untouched (tests hold the two against each other).
"""

from domain import events as ev
from domain.table import Table


def plain_turn(table: Table, play: ev.CardPlayed, draw: ev.Event) -> bool:
    """Follow a play and a draw if both are surely in order; else change nothing and return False."""
    player, card, at = play.player, play.card, table.at
    after = at.get(card)  # type: ignore[arg-type]
    stock = table.stock
    if (
        after is None
        or type(draw) is not ev.CardDrawn
        or table.awaiting != "play"
        or player != table.to_act
        or draw.player != player
        or after.count != play.count
        or card == at.deadly
        or play.target is not None
        or play.value is not None
        or play.seq is not None
        or draw.seq is not None
        or table.shown
        or not table.tells_all
        or not stock
    ):
        return False
    drawn, top = draw.card, stock[-1]
    if drawn is not None and drawn != top:
        return False
    hand = table.hands[player]
    if card in hand:
        del hand[card]
    elif card in table.unplaced and table.unseen[player]:
        table.unplaced.discard(card)
        table.unseen[player] -= 1
    else:
        return False
    if top is not None:
        hand[top] = 1
    else:
        table.unseen[player] += 1
    table.pile.append(card)
    stock.pop()
    table.at = after
    table.to_act = table.next_in[player]
    return True
