"""Ways after a fault in the frame of a hand: its deal, its end, and what stands outside of it."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain import events as ev
from domain.moves.frame import void
from domain.moves.outs import put_out, win
from domain.prize import plus
from domain.readings.prizes import unsettled
from domain.readings.ways import Way, bring_back, following, played_on, waiting
from domain.referee.verdicts import Fault
from domain.table import Table


def after_the_end(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """It means nothing; or it was played for nothing, draw and all; or somebody who is out was still in; or a deal was
    not written down."""
    yield Way(table.copy())
    if isinstance(event, ev.CardPlayed | ev.CardDrawn):
        for_nothing = table.copy()
        if not for_nothing.stock:
            for_nothing.stock = [None]
        for_nothing.cut_trail(for_nothing.trail)
        yield Way(following(for_nothing, event))
    acts = isinstance(event, ev.CardPlayed | ev.CardDrawn)
    if acts and table.rules.out_ends != "seat" and event.player in table.hands:
        yield Way(played_on(table, event), event)
    if isinstance(event, ev.CardPlayed) and table.awaiting == "win":
        for player in reversed(table.outs):
            twin = table.copy()
            bring_back(twin, player)
            if event.player in twin.next_in:
                twin.awaiting, twin.to_act = "play", event.player
                yield Way(twin, event)
    if isinstance(event, ev.CardPlayed) and table.awaiting in ("deal", "prize") and event.player in table.seats:
        at = table.seats.index(event.player)
        dealer = table.dealer_due() or table.seats[at - 1]
        hands: dict[str, list[Any]] = {seat: [None] * table.rules.hand_size for seat in table.seats}
        yield Way(following(table, ev.HandDealt(dealer=dealer, hands=hands, stock=None)), event)


def after_the_close(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    yield Way(table.copy())
    open_again = table.copy()
    if open_again.held:
        open_again.awaiting, open_again.to_act = open_again.held.pop()
        yield Way(open_again, event)


def deal_inside_a_hand(table: Table, event: ev.HandDealt, fault: Fault) -> Iterator[Way]:
    """The hand before was given up: like a void, or like one that was played, with or without its hit."""
    voided = table.copy()
    void(voided, ev.HandVoided(reason=""))
    yield Way(voided, event)
    for more in (0, 1):
        over = waiting(table, "deal", None)
        over.left_over = plus(table.carried, more)
        yield Way(over, event)


def wrong_dealer(table: Table, event: ev.HandDealt, fault: Fault) -> Iterator[Way]:
    """The seat after the logged or after the rightful dealer starts, and deals next."""
    if event.dealer in table.seats:
        logged = table.copy()
        logged.voided = True
        logged.dealer = event.dealer
        yield Way(logged, event)
    due = table.dealer_due()
    if due is not None and due in table.seats:
        yield Way(table.copy(), msgspec.structs.replace(event, dealer=due))
    elif event.dealer not in table.seats:
        yield Way(following(table, event))


def wrong_deal(table: Table, event: ev.HandDealt, fault: Fault) -> Iterator[Way]:
    """Dealt as written; or whoever was left out was in, and whoever isn't seated was not."""
    dealt = following(table, event)
    yield Way(dealt)
    strangers = [player for player in event.hands if player not in table.circle]
    if strangers:
        looked_on = dealt.copy()
        for player in strangers:
            put_out(looked_on, player, "left")
        yield Way(looked_on)
    size = table.rules.hand_size
    left_out = [seat for seat in table.seats if seat not in event.hands]
    if left_out or any(len(cards) != size for cards in event.hands.values()):
        hands = {**event.hands, **{seat: [None] * size for seat in left_out}}
        yield Way(following(table, msgspec.structs.replace(event, hands=hands, stock=None)))
        unseen: dict[str, list[Any]] = {seat: [None] * size for seat in hands}
        yield Way(following(table, msgspec.structs.replace(event, hands=unseen, stock=None)))


def early_win(table: Table, event: ev.HandWon, fault: Fault) -> Iterator[Way]:
    """Won as written; or won by the one still in; or not won yet."""
    yield Way(following(table, event))
    if table.awaiting == "win" and table.to_act is not None:
        yield Way(following(table, ev.HandWon(player=table.to_act)))
    yield Way(table.copy())


def no_win(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """The win was not written down; at a deal, a join or the close, what became of its prize wasn't either."""
    won = table.copy()
    if table.to_act is not None:
        win(won, table.to_act)
    if isinstance(event, ev.HandDealt | ev.PlayerJoined | ev.GameClosed):
        yield from unsettled(won, event, fault)
    else:
        yield Way(won, event)
