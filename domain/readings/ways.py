"""What the ways after a fault are made of: each is a table of its own, and a few hands to set it up."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from domain import events as ev
from domain.moves import apply
from domain.referee.verdicts import Fault
from domain.table import Table, ring


class Way(NamedTuple):
    """One way to go on: `event` is judged again at `table` (None: it was followed already), then `after` runs."""

    table: Table
    event: ev.Event | None = None
    after: Callable[[Table], None] | None = None


def following(table: Table, event: ev.Event) -> Table:
    twin = table.copy()
    apply(twin, event)
    return twin


def waiting(table: Table, awaiting: Any, player: str | None) -> Table:
    twin = table.copy()
    twin.awaiting, twin.to_act = awaiting, player
    return twin


def then(player: str | None) -> Callable[[Table], None]:
    """After an event out of turn: the turn goes to `player`, once its draw has been made."""

    def turn(table: Table) -> None:
        if table.awaiting == "draw":
            table.then_awaiting, table.then_to_act = "play", player
        elif table.awaiting == "play":
            table.to_act = player

    return turn


def prove(table: Table, player: str) -> None:
    """Note that a player's going out has been found wrong, or was never logged: it is not judged again."""
    out = table.outs.get(player)
    if out is not None:
        table.outs[player] = out.proven()


def bring_back(table: Table, player: str) -> None:
    """A player is in the hand again after all."""
    table.outs.pop(player, None)
    if table.first_out == player:
        table.first_out = None
        table.loader = table.finisher = table.earlier_finisher
    order = seat_order(table)
    still_in = [name for name in order if name in table.next_in or name == player][:: table.direction]
    table.next_in = {name: still_in[(at + 1) % len(still_in)] for at, name in enumerate(still_in)}


def seat_order(table: Table) -> list[str]:
    return [*table.seats, *(name for name in table.hands if name not in table.seats)]


def next_by_seat(table: Table, player: str) -> str | None:
    order = seat_order(table)[:: table.direction]
    if player not in order:
        return table.to_act
    at = order.index(player)
    return next((name for name in order[at + 1 :] + order[:at] if name in table.next_in), None)


def played_on(table: Table, event: Any) -> Table:
    """A hand that had ended goes on, with whoever acts: nobody noticed the loss, and over the limit is the limit."""
    twin = table.copy()
    twin.dues, twin.held = [], []
    if twin.count is not None:
        twin.at = twin.counts.within(twin.count)
    dealt = [name for name in seat_order(table) if name in table.hands]
    still_in = [name for name in dealt if name not in table.outs or name == event.player]
    twin.next_in = ring(still_in[:: table.direction])
    drawing = isinstance(event, ev.CardDrawn)
    twin.awaiting, twin.to_act = "draw" if drawing else "play", event.player
    if drawing and twin.then_to_act not in twin.next_in:
        twin.then_awaiting, twin.then_to_act = "play", twin.next_in.get(event.player)
    return twin


# ---- the plainest ways ----


def nonsense(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    yield Way(table.copy())


def as_written(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    yield Way(following(table, event))


def out_as_written(table: Table, event: ev.PlayerEliminated, fault: Fault) -> Iterator[Way]:
    gone = following(table, event)
    prove(gone, event.player)
    yield Way(gone)


def as_written_or_not(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    yield Way(following(table, event))
    yield Way(table.copy())
