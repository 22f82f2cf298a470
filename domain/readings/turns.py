"""Ways after a fault in who acts and who goes out: each player passed over is out or still in."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec

from domain import events as ev
from domain.cards import Card
from domain.moves.outs import put_out
from domain.moves.turns import pass_turn, turn_direction
from domain.readings.ways import Way, bring_back, following, next_by_seat, prove, then, waiting
from domain.referee.calls import turning_cards
from domain.referee.verdicts import Fault
from domain.rule_sets import Then
from domain.table import Table
from domain.trail import Was


def out_of_turn(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """Each player passed over is out or still in; play goes on from there, or goes back."""
    player, due = event.player, table.to_act
    if due in table.next_in:
        yield from _misnamed(table, event)
    if player not in table.next_in or due is None:
        yield from _stranger_acts(table, event)
        return
    if due not in table.next_in:
        yield Way(waiting(table, "play", player), event)
        return
    skipped = [due]
    while table.next_in[skipped[-1]] != player and len(skipped) < len(table.next_in):
        skipped.append(table.next_in[skipped[-1]])
    sizes = range(len(skipped) + 1) if len(skipped) <= 3 else (0, len(skipped))
    for size in sizes:
        for gone in combinations(skipped, size):
            twin = table.copy()
            for name in gone:
                put_out(twin, name, "no_play")
                prove(twin, name)
            if player in twin.next_in and twin.awaiting == "play":
                twin.to_act = player
                yield Way(twin, event)
    yield Way(waiting(table, "play", player), event, then(due))
    if any(effect.then == "turn" for effect in table.rules.effects.values()):
        turned = waiting(table, "play", player)
        turn_direction(turned)
        yield Way(turned, event)
    if isinstance(event, ev.PlayerEliminated):
        yield Way(table.copy())


def ways_of_passing(table: Table, event: ev.CardPlayed) -> Iterator[Table]:
    """An unseen card was an ordinary one, or one of those that turn the direction or pass the turn in another way."""
    turning: dict[Then, set[Card]] = {}
    for card in turning_cards(table, event):
        effect = table.rules.effect_of(card, table.count)
        if effect is not None:
            turning.setdefault(effect.then, set()).add(card)
    ordinary = following(table, event)
    ordinary.note(Was(table.line, frozenset(table.deck).difference(*turning.values())))
    yield ordinary
    for passing, cards in turning.items():
        twin = following(table, event)
        if twin.in_hand:
            pass_turn(twin, event.player, passing, event.target)
            twin.note(Was(table.line, frozenset(cards)))
            yield twin


def _misnamed(table: Table, event: Any) -> Iterator[Way]:
    """The one to act did, and the wrong name was written; their draw, too, may stand under that name."""
    meant = msgspec.structs.replace(event, player=table.to_act)
    yield Way(table.copy(), meant)
    if isinstance(event, ev.CardPlayed):

        def draws_under_that_name(after: Table) -> None:
            if after.awaiting == "draw":
                after.to_act = event.player

        yield Way(table.copy(), meant, draws_under_that_name)


def _stranger_acts(table: Table, event: Any) -> Iterator[Way]:
    """Somebody acts who was not dealt in: they may have been, or the line means nothing."""
    yield Way(table.copy())
    if event.player in table.seats and event.player not in table.hands:
        twin = table.copy()
        twin.hands[event.player], twin.unseen[event.player] = {}, table.rules.hand_size
        twin.cut_trail(twin.trail)
        bring_back(twin, event.player)
        yield Way(twin, event)


def out_player_plays(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """They are in again and play goes on from them or goes back; or they stay out, and it does."""
    due = table.to_act
    for turn in (None, then(due)):
        twin = table.copy()
        bring_back(twin, event.player)
        twin.awaiting, twin.to_act = "play", event.player
        yield Way(twin, event, turn)
    following = next_by_seat(table, event.player)
    for player in dict.fromkeys((due, following)):
        yield Way(waiting(table, "play", event.player), event, then(player))


def out_again(table: Table, event: ev.PlayerEliminated, fault: Fault) -> Iterator[Way]:
    yield Way(table.copy())
    if table.awaiting == "play" and table.to_act in table.next_in:
        yield Way(waiting(table, "play", table.next_in[table.to_act]))


def wrongly_out(table: Table, event: ev.PlayerEliminated, fault: Fault) -> Iterator[Way]:
    """Out as the log says; or still in, with the turn theirs or passed."""
    gone = following(table, event)
    prove(gone, event.player)
    yield Way(gone)
    yield Way(table.copy())
    if table.to_act in table.next_in:
        yield Way(waiting(table, "play", table.next_in[event.player]))


def proved_late(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    twin = table.copy()
    if fault.player is not None:
        prove(twin, fault.player)
    yield Way(twin, event)


def leaver_stays(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    if table.to_act is not None:
        gone = table.copy()
        put_out(gone, table.to_act, "left")
        yield Way(gone, event)
    stays = table.copy()
    stays.awaiting, stays.to_act = stays.held.pop()
    yield Way(stays, event)
