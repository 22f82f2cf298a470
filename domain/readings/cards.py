"""Ways after a fault with cards or the Count: where it is open which card moved, later lines decide."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from domain import events as ev
from domain.card_places import less
from domain.cards import Card, seen
from domain.moves import apply
from domain.moves.turns import draw, play, reshuffle_unseen, staying
from domain.readings.ways import Way, as_written_or_not, following, waiting
from domain.referee.verdicts import Fault
from domain.table import Table


def miscalled(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """R6: the cards' Count goes on, one of several if there is a choice, or the table took the said one over."""
    totals = table.at.totals(event.card) or ()
    if len(totals) > 1:
        for total in totals:
            yield Way(following(table, msgspec.structs.replace(event, count=total, value=None)))
    else:
        yield Way(following(table, event))
    said = event.count
    if fault.kind == "wrong value" and event.value is not None and table.count is not None:
        said = table.count + event.value
    if said is not None:
        taken_over = table.copy()
        play(taken_over, event, taken_over=said)
        yield Way(taken_over)


def chosen_out_of_bounds(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """The bound that was to be passed, or what the card can give: the other choice."""
    said = event.count
    if said is None and table.count is not None and event.value is not None:
        said = table.count + event.value
    bound = following(table, event)
    bound.at = table.counts[None] if said is None else table.counts.within(said)
    yield Way(bound)
    for total in table.at.totals(event.card) or ():
        yield Way(following(table, msgspec.structs.replace(event, count=total, value=None)))


def card_not_held(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """The card came from elsewhere, was swapped for one of the player's own, or the scribe named the wrong one; or
    it had been drawn from the pile, and the stock was spared a card."""
    player, card = event.player, event.card
    if card is None or player not in table.hands:
        yield Way(table.copy())
        return
    for came in _lifted(table, card):
        came.give(player, card)
        yield Way(came, event)
    for swapped in _lifted(table, card, leaving_unknown=True):
        swapped.lose_unknown_card(player)
        swapped.give(player, card)
        yield Way(swapped, event)
    misnamed = table.copy()
    misnamed.lose_unknown_card(player)
    misnamed.give(player, card)
    yield Way(misnamed, event, lambda after: _unname(after, card, table))
    if card in table.pile and table.unseen[player]:
        drawn = table.copy()
        drawn.lift(card)
        drawn.reveal(player, card)
        drawn.stock.insert(0, None)
        yield Way(drawn, event)
    for astray in _astray(table, card):
        yield Way(astray, event)


def _lifted(table: Table, card: Card, leaving_unknown: bool = False) -> Iterator[Table]:
    """The table without a card that turned up elsewhere: with several decks it may have come from several places."""
    for place in range(table.number_of_places(card)):
        twin = table.copy()
        twin.lift(card, leaving_unknown, place)
        yield twin


def _unname(table: Table, card: Card, before: Table) -> None:
    """The card on the pile was not the one that was named, which stays where it was."""
    if table.pile and table.pile[-1] == card:
        table.pile[-1] = None
    table.shown |= {(player, shown): number for (player, shown), number in before.shown.items() if shown == card}
    if card in before.unplaced:
        table.unplace(card)


def _astray(table: Table, card: Card) -> Iterator[Table]:
    """Where some cards are unseen, an earlier move that nobody logged may have upset the stock and all hands."""
    if table.any_unseen:
        astray = table.copy()
        for player in astray.hands:
            astray.forget_hand(player)
        astray.forget_stock()
        astray.lift(card)
        yield astray


def wrong_card_drawn(table: Table, event: ev.CardDrawn, fault: Fault) -> Iterator[Way]:
    """The scribe named the wrong card, or it came from where it was, or it changed places with the top; or a draw that
    seemed to be forgotten had been made, and the stock was a card shorter."""
    yield Way(table.copy(), msgspec.structs.replace(event, card=None))
    for player in dict.fromkeys((*table.owing, *table.short)):
        made = table.copy()
        if player not in made.owing:
            less(made.short, player)
        draw(made, ev.CardDrawn(player=player, card=None))
        yield Way(made, event)
    card = event.card
    if card is None:
        return
    for came in _lifted(table, card):
        came.put_on_top(card)
        yield Way(came, event)
    for swapped in _lifted(table, card, leaving_unknown=True) if table.stock else ():
        top = swapped.stock.pop()
        if top is not None:
            swapped.unplace(top)
        swapped.put_on_top(card)
        yield Way(swapped, event)
    for astray in _astray(table, card):
        yield Way(astray, event)


def no_draw(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """The draw was forgotten, or it was made and not written down."""
    yield Way(waiting(table, table.then_awaiting, table.then_to_act), event)
    unwritten = table.copy()
    if not unwritten.stock:
        reshuffle_unseen(unwritten)
    if table.to_act is not None:
        draw(unwritten, ev.CardDrawn(player=table.to_act, card=None))
    yield Way(unwritten, event)


def wrong_drawer(table: Table, event: ev.CardDrawn, fault: Fault) -> Iterator[Way]:
    """The wrong name was written; or the wrong player drew, and the one to draw still may, or does not."""
    if table.to_act is not None:
        yield Way(table.copy(), msgspec.structs.replace(event, player=table.to_act))
    instead = following(table, event)
    instead.awaiting, instead.to_act = table.then_awaiting, table.then_to_act
    yield Way(instead)
    yield Way(following(table, event))
    yield Way(table.copy())


def no_reshuffle(table: Table, event: ev.CardDrawn, fault: Fault) -> Iterator[Way]:
    """The pile was reshuffled without a line that says so; or the stock held a card more than the log knows, because
    one that was drawn unseen had come from somewhere else, perhaps from the pile."""
    twin = table.copy()
    reshuffle_unseen(twin)
    twin.vague = table.vague
    yield Way(twin, event)
    yield Way(following(table, event))
    if table.any_unseen and table.pile:
        spared = table.copy()
        for known in seen(spared.pile):
            spared.unplace(known)
        spared.pile = [None] * (len(spared.pile) - 1)
        spared.stock = [None]
        yield Way(spared, event)


def early_reshuffle(table: Table, event: ev.PileReshuffled, fault: Fault) -> Iterator[Way]:
    """The listed stock is the stock (unlisted: stock and pile together); or it was not reshuffled; or the rest of the
    stock had gone astray before, among the cards that nobody logged."""
    yield from as_written_or_not(table, event, fault)
    if table.any_unseen:
        astray = table.copy()
        astray.forget_stock()
        astray.stock = []
        apply(astray, event)
        yield Way(astray)


def not_the_pile(table: Table, event: ev.PileReshuffled, fault: Fault) -> Iterator[Way]:
    """The listed stock is the stock; what it lacks stays in the pile, what it has too much came from elsewhere."""
    listed = Counter(seen(event.stock or ()))
    rightful = Counter(seen(table.taken_up(staying(table))))
    for leaving_unknown in (False, True):
        twin = table.copy()
        for card in (listed - rightful).elements():
            twin.lift(card, leaving_unknown)
        apply(twin, event)
        left = [card for card in (rightful - listed).elements() if card in twin.unplaced]
        twin.pile = [*left, *twin.pile]
        for card in left:
            less(twin.unplaced, card)
        yield Way(twin)
    yield Way(following(table, event))
    yield Way(following(table, ev.PileReshuffled(stock=None)))
    if staying(table):
        whole = table.copy()
        whole.aside, whole.pile = whole.aside + whole.pile, []
        apply(whole, event)
        yield Way(whole)


def wrong_card_corrected(table: Table, event: ev.HandCorrected, fault: Fault) -> Iterator[Way]:
    drew, returned = [None] * len(event.drew), [None] * len(event.returned)
    yield Way(table.copy(), msgspec.structs.replace(event, drew=drew, returned=returned))
