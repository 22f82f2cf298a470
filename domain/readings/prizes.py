"""Ways after a fault with the prize: a wrong step stands for its holder, and what follows from it is free."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain import events as ev
from domain.moves.prizes import make_bonus, steal
from domain.prize import plus
from domain.readings.ways import Way, following
from domain.referee.verdicts import Fault
from domain.table import Table


def wrong_move(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """A wrong steal, bonus or slide stands for its holder, and whether it slides on is free; or it never was."""
    stands = following(table, event)
    yield Way(stands)
    stays = stands.copy()
    prize = stays.prize("bonus" if isinstance(event, ev.BonusCreated) else getattr(event, "prize", "main"))
    if prize is not None:
        prize.step = None
        yield Way(stays)
    yield Way(table.copy())


def no_move(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """A missing steal or bonus was not made, or the main prize was meant; or it was made, and may have slid on."""
    thief = fault.player
    stays = table.copy()
    stays.prizes_moved = True
    yield Way(stays, event)
    if isinstance(event, ev.HitTaken | ev.HitCarried | ev.HitDonated) and event.prize == "bonus":
        yield Way(table.copy(), msgspec.structs.replace(event, prize="main"))
    if thief is None or table.winner is None:
        return
    made = table.copy()
    made.cut_trail(made.trail)  # nothing in the log says that the player held the card
    if fault.kind == "no bonus":
        make_bonus(made, ev.BonusCreated(player=thief))
    else:
        steal(made, ev.HitStolen(player=thief, source=table.winner))
    yield Way(made, event)
    unmoved = made.copy()
    for prize in unmoved.prizes:
        prize.step = None
    yield Way(unmoved, event)


def no_slide(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """A missing step was not made, or it was and the prize went on, or stopped, at each next holder."""
    stays = table.copy()
    prize = stays.prize(event.prize)
    rules = table.rules.prize
    if prize is None or rules is None:
        return
    prize.step = None
    yield Way(stays, event)
    moved = table.copy()
    prize = moved.prize(event.prize)
    while prize is not None and prize.step is not None and prize.step < len(rules.slide):
        holder = moved.holder_of(rules.slide[prize.step])
        if holder is None:
            break
        prize.holder, prize.step = holder, prize.step + 1
        yield Way(moved.copy(), event)
        stopped = moved.copy()
        for other in stopped.prizes:
            if other.name == prize.name:
                other.step = None
        yield Way(stopped, event)


def settled_early(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """The hits that were settled too early are settled anew; or the settling stands."""
    name: ev.PrizeName = getattr(event, "prize", "main")
    if isinstance(event, ev.CardsShown):
        shown = table.copy()
        shown.prizes_moved = True
        for each in shown.prizes:
            each.step = None
        yield Way(shown, event)
        return
    for anew in (True, False):
        twin = table.copy()
        prize = twin.prize(name)
        if prize is None:
            return
        prize.settled_at = None
        if anew:
            prize.hits = 1 if name == "bonus" else plus(twin.carried, 1)
            twin.left_over = 0
        yield Way(twin, event)


def wrong_settling(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """The prize is settled as stated, in part or whole; or the rightful number is; or nothing was settled."""
    yield Way(following(table, event))
    for rightful in (False, True):
        twin = following(table, event)
        prize, before = twin.prize(event.prize), table.prize(event.prize)
        if prize is None or before is None:
            continue
        prize.hits = 0
        if rightful and isinstance(event, ev.HitCarried):
            twin.left_over = plus(table.left_over, before.hits)
        yield Way(twin)
    yield Way(table.copy())


def unsettled(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """The hits were taken without a line that says so, or stay at stake; or they are settled after somebody joined."""
    for left in (False, True):
        twin = table.copy()
        for prize in twin.prizes:
            if left and prize.hits != 0:
                twin.left_over = plus(twin.left_over, prize.hits)
            prize.hits = 0
        yield Way(twin, event)
    if isinstance(event, ev.PlayerJoined):
        yield Way(following(table, event))


def wrong_prize(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """There is no such prize: the other one was meant, or the line means nothing."""
    yield Way(table.copy(), msgspec.structs.replace(event, prize="main"))
    yield Way(table.copy())
