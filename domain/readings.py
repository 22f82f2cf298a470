"""How a game may have gone on after a fault: each reading is a table of its own (rulebook: one fault, one finding).

A way either has followed the event already, or stands before it with the fault mended, and judges it again. Where
it is open which card moved, the cards that may have moved become cards nobody logged; later lines then decide.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, Final, NamedTuple

import msgspec

from domain import events as ev
from domain.cards import seen
from domain.prize import plus
from domain.referee import judge
from domain.table import Table
from domain.verdicts import OPEN_DEATH_CARD, Fault, FaultKind, Open

DEEPEST = 4
"""Faults of one line that are looked at one behind the other."""


class Way(NamedTuple):
    """One way to go on: `event` is judged again at `table` (None: it was followed already), then `after` runs."""

    table: Table
    event: ev.Event | None = None
    after: Callable[[Table], None] | None = None


class Outcome(NamedTuple):
    """A table after the event, and the faults that this reading of it costs."""

    table: Table
    faults: tuple[Fault, ...]


def go_on(table: Table, event: ev.Event, fault: Fault, depth: int = 0) -> list[Outcome]:
    """Every reading of an event that broke a rule, likeliest first. The table given is left as it is."""
    outcomes = []
    for way in WAYS[fault.kind](table, event, fault):
        if way.event is None:
            outcomes.append(Outcome(way.table, (fault,)))
            continue
        verdict = judge(way.table, way.event)
        if isinstance(verdict, Fault):
            if depth < DEEPEST:
                deeper = go_on(way.table, way.event, verdict, depth + 1)
                outcomes += [Outcome(after, (fault, *faults)) for after, faults in deeper]
            continue
        way.table.apply(way.event)
        if way.after is not None:
            way.after(way.table)
        outcomes.append(Outcome(way.table, (fault,)))
    if not outcomes:
        outcomes.append(Outcome(table.copy(), (fault,)))
    fewest = min(len(outcome.faults) for outcome in outcomes)
    return [outcome for outcome in outcomes if len(outcome.faults) <= fewest + 1]


def fork(table: Table, event: ev.Event, verdict: Open) -> list[Outcome]:
    """The readings of an event that broke nothing, where the log leaves open what it did."""
    plain, other = table.copy(), table.copy()
    plain.apply(event)
    rules = table.rules.death_card
    if verdict is OPEN_DEATH_CARD and isinstance(event, ev.CardPlayed) and rules is not None:
        other.at = table.counts[table.rules.limit]
        event = msgspec.structs.replace(event, card=rules.card)
    elif isinstance(event, ev.PlayerLeft):
        _undraw(other, event.player)
        other.drew_unseen = None
    other.apply(event)
    return [Outcome(plain, ()), Outcome(other, ())]


def _undraw(table: Table, player: str) -> None:
    """The draw that a log leaves out did not come: the last card that came to a hand goes back on the stock."""
    card = table.drew_unseen[1] if table.drew_unseen else None
    if card is not None and card in table.hands[player]:
        del table.hands[player][card]
        table.stock.append(card)
    elif table.unseen[player]:
        table.unseen[player] -= 1
        table.stock.append(None)


def _following(table: Table, event: ev.Event) -> Table:
    twin = table.copy()
    twin.apply(event)
    return twin


def _waiting(table: Table, awaiting: Any, player: str | None) -> Table:
    twin = table.copy()
    twin.awaiting, twin.to_act = awaiting, player
    return twin


def _then(player: str | None) -> Callable[[Table], None]:
    """After an event out of turn: the turn goes to `player`, once its draw has been made."""

    def turn(table: Table) -> None:
        if table.awaiting == "draw":
            table.then_awaiting, table.then_to_act = "play", player
        elif table.awaiting == "play":
            table.to_act = player

    return turn


# ---- plain ways ----


def nonsense(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    yield Way(table.copy())


def as_written(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    yield Way(_following(table, event))


def out_as_written(table: Table, event: ev.PlayerEliminated, fault: Fault) -> Iterator[Way]:
    gone = _following(table, event)
    prove(gone, event.player)
    yield Way(gone)


def as_written_or_not(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    yield Way(_following(table, event))
    yield Way(table.copy())


# ---- cards and Counts ----


def miscalled(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """R6: the cards' Count goes on, or the table took the said one over."""
    yield Way(_following(table, event))
    said = event.count
    if fault.kind == "wrong value" and event.value is not None and table.count is not None:
        said = table.count + event.value
    if said is not None:
        taken_over = _following(table, event)
        taken_over.at = table.counts.within(said)
        yield Way(taken_over)


def card_not_held(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """The card came from elsewhere, was swapped for one of the player's own, or the scribe named the wrong one; or
    it had been drawn from the pile, and the stock was spared a card."""
    player, card = event.player, event.card
    if card is None or player not in table.hands:
        yield Way(table.copy())
        return
    came = table.copy()
    came.lift(card)
    came.give(player, card)
    yield Way(came, event)
    swapped = table.copy()
    swapped.lift(card, leaving_unknown=True)
    swapped.lose_unknown_card(player)
    swapped.give(player, card)
    yield Way(swapped, event)
    misnamed = table.copy()
    misnamed.lose_unknown_card(player)
    misnamed.give(player, card)
    yield Way(misnamed, event, lambda after: _unname(after, card, was_shown=card in table.shown))
    if card in table.pile and table.unseen[player]:
        drawn = table.copy()
        drawn.lift(card)
        drawn.reveal(player, card)
        drawn.stock.insert(0, None)
        yield Way(drawn, event)


def _unname(table: Table, card: Any, was_shown: bool) -> None:
    """The card on the pile was not the one that was named, which stays where it is."""
    if table.pile and table.pile[-1] == card:
        table.pile[-1] = None
    if was_shown:
        table.shown.add(card)


def wrong_card_drawn(table: Table, event: ev.CardDrawn, fault: Fault) -> Iterator[Way]:
    """The scribe named the wrong card, or it came from where it was, or it changed places with the top."""
    yield Way(table.copy(), msgspec.structs.replace(event, card=None))
    card = event.card
    if card is None:
        return
    came = table.copy()
    came.lift(card)
    came.put_on_top(card)
    yield Way(came, event)
    if table.stock:
        swapped = table.copy()
        swapped.lift(card, leaving_unknown=True)
        top = swapped.stock.pop()
        if top is not None:
            swapped.unplaced.add(top)
        swapped.put_on_top(card)
        yield Way(swapped, event)


def no_draw(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """The draw was forgotten, or it was made and not written down."""
    yield Way(_waiting(table, table.then_awaiting, table.then_to_act), event)
    unwritten = table.copy()
    if not unwritten.stock:
        unwritten.reshuffle_unseen()
    if table.to_act is not None:
        unwritten.draw(ev.CardDrawn(player=table.to_act, card=None))
    yield Way(unwritten, event)


def wrong_drawer(table: Table, event: ev.CardDrawn, fault: Fault) -> Iterator[Way]:
    """The wrong name was written; or the wrong player drew, and the one to draw still may, or does not."""
    if table.to_act is not None:
        yield Way(table.copy(), msgspec.structs.replace(event, player=table.to_act))
    instead = _following(table, event)
    instead.awaiting, instead.to_act = table.then_awaiting, table.then_to_act
    yield Way(instead)
    yield Way(_following(table, event))
    yield Way(table.copy())


def no_reshuffle(table: Table, event: ev.CardDrawn, fault: Fault) -> Iterator[Way]:
    """The pile was reshuffled without a line that says so; or the stock held a card more than the log knows, because
    one that was drawn unseen had come from somewhere else, perhaps from the pile."""
    twin = table.copy()
    twin.reshuffle_unseen()
    twin.vague = table.vague
    yield Way(twin, event)
    yield Way(_following(table, event))
    if table.any_unseen and table.pile:
        spared = table.copy()
        spared.unplaced.update(seen(spared.pile))
        spared.pile = [None] * (len(spared.pile) - 1)
        spared.stock = [None]
        yield Way(spared, event)


def early_reshuffle(table: Table, event: ev.PileReshuffled, fault: Fault) -> Iterator[Way]:
    """The listed stock is the stock (unlisted: stock and pile together); or it was not reshuffled; or the rest of the
    stock had gone astray before, among the cards that nobody logged."""
    yield from as_written_or_not(table, event, fault)
    if table.any_unseen:
        astray = table.copy()
        astray.unplaced.update(seen(astray.stock))
        astray.stock = []
        astray.apply(event)
        yield Way(astray)


def not_the_pile(table: Table, event: ev.PileReshuffled, fault: Fault) -> Iterator[Way]:
    """The listed stock is the stock; what it lacks stays in the pile, what it has too much came from elsewhere."""
    listed = set(seen(event.stock or ()))
    for leaving_unknown in (False, True):
        twin = table.copy()
        for card in listed.difference(seen(table.pile)):
            twin.lift(card, leaving_unknown)
        left = [card for card in seen(twin.pile) if card not in listed]
        twin.apply(event)
        twin.pile = [card for card in left if card in twin.unplaced]
        twin.unplaced.difference_update(left)
        yield Way(twin)
    yield Way(_following(table, event))
    yield Way(_following(table, ev.PileReshuffled(stock=None)))


def wrong_card_corrected(table: Table, event: ev.HandCorrected, fault: Fault) -> Iterator[Way]:
    drew, returned = [None] * len(event.drew), [None] * len(event.returned)
    yield Way(table.copy(), msgspec.structs.replace(event, drew=drew, returned=returned))


# ---- turns and going out ----


def out_of_turn(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """Each player passed over is out or still in; play goes on from there, or goes back."""
    player, due = event.player, table.to_act
    if due in table.next_in:
        yield from _misnamed(table, event)
    if player not in table.next_in or due is None:
        yield from _stranger_acts(table, event)
        return
    if due not in table.next_in:
        yield Way(_waiting(table, "play", player), event)
        return
    skipped = [due]
    while table.next_in[skipped[-1]] != player and len(skipped) < len(table.next_in):
        skipped.append(table.next_in[skipped[-1]])
    sizes = range(len(skipped) + 1) if len(skipped) <= 3 else (0, len(skipped))
    for size in sizes:
        for gone in combinations(skipped, size):
            twin = table.copy()
            for name in gone:
                twin.put_out(name, "no_play")
                prove(twin, name)
            if player in twin.next_in and twin.awaiting == "play":
                twin.to_act = player
                yield Way(twin, event)
    yield Way(_waiting(table, "play", player), event, _then(due))
    if isinstance(event, ev.PlayerEliminated):
        yield Way(table.copy())


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
        bring_back(twin, event.player)
        yield Way(twin, event)


def out_player_plays(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """They are in again and play goes on from them or goes back; or they stay out, and it does."""
    due = table.to_act
    for turn in (None, _then(due)):
        twin = table.copy()
        bring_back(twin, event.player)
        twin.awaiting, twin.to_act = "play", event.player
        yield Way(twin, event, turn)
    following = _next_by_seat(table, event.player)
    for player in dict.fromkeys((due, following)):
        yield Way(_waiting(table, "play", event.player), event, _then(player))


def out_again(table: Table, event: ev.PlayerEliminated, fault: Fault) -> Iterator[Way]:
    yield Way(table.copy())
    if table.awaiting == "play" and table.to_act in table.next_in:
        yield Way(_waiting(table, "play", table.next_in[table.to_act]))


def wrongly_out(table: Table, event: ev.PlayerEliminated, fault: Fault) -> Iterator[Way]:
    """Out as the log says; or still in, with the turn theirs or passed."""
    gone = _following(table, event)
    prove(gone, event.player)
    yield Way(gone)
    yield Way(table.copy())
    if table.to_act in table.next_in:
        yield Way(_waiting(table, "play", table.next_in[event.player]))


def proved_late(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    twin = table.copy()
    if fault.player is not None:
        prove(twin, fault.player)
    yield Way(twin, event)


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
    order = _seat_order(table)
    still_in = [name for name in order if name in table.next_in or name == player]
    table.next_in = {name: still_in[(at + 1) % len(still_in)] for at, name in enumerate(still_in)}


def _seat_order(table: Table) -> list[str]:
    return [*table.seats, *(name for name in table.hands if name not in table.seats)]


def _next_by_seat(table: Table, player: str) -> str | None:
    order = _seat_order(table)
    if player not in order:
        return table.to_act
    at = order.index(player)
    return next((name for name in order[at + 1 :] + order[:at] if name in table.next_in), None)


def leaver_stays(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    if table.to_act is not None:
        gone = table.copy()
        gone.put_out(table.to_act, "left")
        yield Way(gone, event)
    stays = table.copy()
    stays.awaiting, stays.to_act = stays.held.pop()
    yield Way(stays, event)


# ---- the Death Card ----


def wrong_target(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """The one pointed at or the rightful one answers; play goes on after who did."""
    yield Way(_following(table, event))
    if event.target in table.next_in:
        pointed = _following(table, event)
        if pointed.awaiting == "draw":
            pointed.then_to_act = event.target
        else:
            pointed.to_act = event.target
        yield Way(pointed)


def pointed_for_nothing(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    """It meant nothing, or the table took it for a Death Card."""
    yield Way(_following(table, event))
    if event.target in table.next_in:
        deadly = _following(table, event)
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
    gone.put_out(target, "death_card")
    yield Way(gone, event)
    yield Way(_waiting(table, "play", table.next_in.get(target)), event)


def wrong_answer(table: Table, event: ev.CardPlayed, fault: Fault) -> Iterator[Way]:
    yield Way(_following(_waiting(table, "play", event.player), event))


def no_blowback(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """The Death Card's player is out without a line that says so, or stayed in."""
    if table.to_act is not None:
        gone = table.copy()
        gone.put_out(table.to_act, "blowback")
        yield Way(gone, event)
    yield Way(_waiting(table, "play", table.next_in.get(table.answered or "")), event)


def odd_reason(table: Table, event: ev.PlayerEliminated, fault: Fault) -> Iterator[Way]:
    """Out for a reason that was not there: out as written, and who acts then is open; or not out."""
    gone = _following(table, event)
    prove(gone, event.player)
    yield Way(gone)
    if gone.awaiting == "shield":
        yield Way(_waiting(gone, "play", gone.to_act))
        yield Way(_waiting(gone, "play", gone.next_in.get(gone.to_act or "")))
    elif gone.awaiting == "play":
        yield Way(_waiting(gone, "play", _next_by_seat(gone, event.player)))
    yield Way(table.copy())


# ---- the frame of a hand ----


def after_the_end(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """It means nothing; or it was played for nothing, draw and all; or somebody who is out was still in; or a deal was
    not written down."""
    yield Way(table.copy())
    if isinstance(event, ev.CardPlayed | ev.CardDrawn):
        for_nothing = table.copy()
        if not for_nothing.stock:
            for_nothing.stock = [None]
        yield Way(_following(for_nothing, event))
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
        yield Way(_following(table, ev.HandDealt(dealer=dealer, hands=hands, stock=None)), event)


def after_the_close(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    yield Way(table.copy())
    yield Way(_waiting(table, table.then_awaiting, table.then_to_act), event)


def deal_inside_a_hand(table: Table, event: ev.HandDealt, fault: Fault) -> Iterator[Way]:
    """The hand before was given up: like a void, or like one that was played, with or without its hit."""
    voided = table.copy()
    voided.void(ev.HandVoided(reason=""))
    yield Way(voided, event)
    for more in (0, 1):
        over = _waiting(table, "deal", None)
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
        yield Way(_following(table, event))


def wrong_deal(table: Table, event: ev.HandDealt, fault: Fault) -> Iterator[Way]:
    """Dealt as written; or whoever was left out was in, and whoever isn't seated was not."""
    dealt = _following(table, event)
    yield Way(dealt)
    strangers = [player for player in event.hands if player not in table.seats]
    if strangers:
        looked_on = dealt.copy()
        for player in strangers:
            looked_on.put_out(player, "left")
        yield Way(looked_on)
    size = table.rules.hand_size
    left_out = [seat for seat in table.seats if seat not in event.hands]
    if left_out or any(len(cards) != size for cards in event.hands.values()):
        hands = {**event.hands, **{seat: [None] * size for seat in left_out}}
        yield Way(_following(table, msgspec.structs.replace(event, hands=hands, stock=None)))
        unseen: dict[str, list[Any]] = {seat: [None] * size for seat in hands}
        yield Way(_following(table, msgspec.structs.replace(event, hands=unseen, stock=None)))


def early_win(table: Table, event: ev.HandWon, fault: Fault) -> Iterator[Way]:
    """Won as written; or won by the one still in; or not won yet."""
    yield Way(_following(table, event))
    if table.awaiting == "win" and table.to_act is not None:
        yield Way(_following(table, ev.HandWon(player=table.to_act)))
    yield Way(table.copy())


def no_win(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """The win was not written down; at a deal, a join or the close, what became of its prize wasn't either."""
    won = table.copy()
    if table.to_act is not None:
        won.win(table.to_act)
    if isinstance(event, ev.HandDealt | ev.PlayerJoined | ev.GameClosed):
        yield from unsettled(won, event, fault)
    else:
        yield Way(won, event)


# ---- prizes ----


def wrong_move(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """A wrong steal, bonus or slide stands for its holder, and whether it slides on is free; or it never was."""
    stands = _following(table, event)
    yield Way(stands)
    stays = stands.copy()
    prize = stays.prize("bonus" if isinstance(event, ev.BonusCreated) else getattr(event, "prize", "main"))
    if prize is not None:
        prize.step = None
        yield Way(stays)
    yield Way(table.copy())


def no_move(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """A missing steal or bonus was not made; or it was, and whether it slid on is free."""
    thief = fault.player
    stays = table.copy()
    stays.prizes_moved = True
    yield Way(stays, event)
    if thief is None or table.winner is None:
        return
    made = table.copy()
    if fault.kind == "no bonus":
        made.make_bonus(ev.BonusCreated(player=thief))
    else:
        made.steal(ev.HitStolen(player=thief, source=table.winner))
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
    yield Way(_following(table, event))
    for rightful in (False, True):
        twin = _following(table, event)
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
        yield Way(_following(table, event))


def wrong_prize(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """There is no such prize: the other one was meant, or the line means nothing."""
    yield Way(table.copy(), msgspec.structs.replace(event, prize="main"))
    yield Way(table.copy())


WAYS: Final[dict[FaultKind, Callable[[Table, Any, Fault], Iterator[Way]]]] = {
    "nonsense": nonsense,
    "as written": as_written,
    "as written or not": as_written_or_not,
    "out as written": out_as_written,
    "miscalled": miscalled,
    "wrong value": miscalled,
    "over the limit": as_written,
    "card not held": card_not_held,
    "wrong card drawn": wrong_card_drawn,
    "no draw": no_draw,
    "wrong drawer": wrong_drawer,
    "second draw": as_written_or_not,
    "draw missed": as_written,
    "no reshuffle": no_reshuffle,
    "early reshuffle": early_reshuffle,
    "not the pile": not_the_pile,
    "wrong card corrected": wrong_card_corrected,
    "needless correction": as_written_or_not,
    "out of turn": out_of_turn,
    "passed over": out_of_turn,
    "out player plays": out_player_plays,
    "out again": out_again,
    "wrongly out": wrongly_out,
    "proved late": proved_late,
    "leaver stays": leaver_stays,
    "wrong target": wrong_target,
    "no target": as_written,
    "pointed for nothing": pointed_for_nothing,
    "no answer": no_answer,
    "wrong answer": wrong_answer,
    "no blowback": no_blowback,
    "odd reason": odd_reason,
    "after the end": after_the_end,
    "after the close": after_the_close,
    "deal inside a hand": deal_inside_a_hand,
    "wrong dealer": wrong_dealer,
    "wrong deal": wrong_deal,
    "early win": early_win,
    "no win": no_win,
    "prize before a win": nonsense,
    "wrong steal": wrong_move,
    "wrong bonus": wrong_move,
    "wrong slide": wrong_move,
    "no steal": no_move,
    "no bonus": no_move,
    "no slide": no_slide,
    "settled early": settled_early,
    "wrong settling": wrong_settling,
    "unsettled": unsettled,
    "wrong prize": wrong_prize,
}
