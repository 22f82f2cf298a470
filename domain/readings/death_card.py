"""Ways after a fault with the Death Card: who was pointed at, who answered, who is out."""

from collections.abc import Iterator

from domain import events as ev
from domain.moves.outs import put_out
from domain.readings.ways import Way, following, next_by_seat, prove, waiting
from domain.referee.verdicts import Fault
from domain.table import Table


def wrong_target(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """The one pointed at or the rightful one answers; play goes on after who did."""
    yield Way(following(table, event))
    if event.target in table.next_in:
        pointed = following(table, event)
        if pointed.awaiting == "draw":
            pointed.then_to_act = event.target
        else:
            pointed.to_act = event.target
        yield Way(pointed)


def pointed_for_nothing(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """It meant nothing, or the table took it for a Death Card."""
    yield Way(following(table, event))
    if event.target in table.next_in:
        deadly = following(table, event)
        deadly.attacker = event.player
        if deadly.awaiting == "draw":
            deadly.then_awaiting, deadly.then_to_act = "shield", event.target
        else:
            deadly.awaiting, deadly.to_act = "shield", event.target
        yield Way(deadly)


def no_answer(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """The target is out without a line that says so, or is still in and was passed over."""
    target = table.to_act
    if target is None:
        yield Way(table.copy())
        return
    gone = table.copy()
    put_out(gone, target, "death_card")
    yield Way(gone, event)
    yield Way(waiting(table, "play", table.next_in.get(target)), event)


def wrong_answer(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    yield Way(following(waiting(table, "play", event.player), event))


def no_blowback(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """The Death Card's player is out without a line that says so, or stayed in."""
    if table.to_act is not None:
        gone = table.copy()
        put_out(gone, table.to_act, "blowback")
        yield Way(gone, event)
    yield Way(waiting(table, "play", table.next_in.get(table.answered or "")), event)


def odd_reason(table: Table, event: ev.PlayerEliminated, fault: Fault) -> Iterator[Way]:
    """Out for a reason that was not there: out as written, and who acts then is open; or not out."""
    gone = following(table, event)
    prove(gone, event.player)
    yield Way(gone)
    if gone.awaiting == "shield":
        yield Way(waiting(gone, "play", gone.to_act))
        yield Way(waiting(gone, "play", gone.next_in.get(gone.to_act or "")))
    elif gone.awaiting == "play":
        yield Way(waiting(gone, "play", next_by_seat(gone, event.player)))
    yield Way(table.copy())
