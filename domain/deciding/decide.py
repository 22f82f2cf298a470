"""decide(table, command, shuffle, clock) → events: the one way in which a live game goes on."""

import datetime
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import msgspec

from domain import commands as do
from domain import events as ev
from domain.cards import card_name
from domain.deciding.choices import targets
from domain.deciding.dealing import dealt, deck_of, next_dealer
from domain.deciding.forced import forced
from domain.deciding.opening import Clock, check_name, check_seats
from domain.deciding.ready import played_value
from domain.deciding.refused import Refused
from domain.deciding.seats import as_seen_from
from domain.moves import apply
from domain.referee import expected, judge
from domain.referee.verdicts import Expected, Fault
from domain.shuffling import Shuffle
from domain.table import Table


def decide(table: Table, command: do.AnyCommand, shuffle: Shuffle, clock: Clock) -> list[ev.AnyEvent]:
    """What happens when somebody asks for something: their event, and all that the rules force then.

    The table, which knows each card, isn't changed; `follow` takes it along. Raises Refused, and then nothing happens.
    """
    asked_for = event_of(table, command)
    twin = table.copy()
    twin.line += 1
    verdict = judge(twin, asked_for)
    if isinstance(verdict, Fault):
        raise Refused(verdict.rule, verdict.message, allowed(table, command))
    if isinstance(asked_for, ev.HandDealt):
        asked_for = dealt(table, asked_for.dealer, shuffle(deck_of(table)))
    apply(twin, asked_for)
    at = clock()
    return [_timed(asked_for, at), *_forced(twin, shuffle, at)]


def settle(table: Table, shuffle: Shuffle, clock: Clock) -> list[ev.AnyEvent]:
    """What the rules force at a table as it is: nothing, unless a game broke off before it was told."""
    return list(_forced(table.copy(), shuffle, clock()))


def follow(table: Table, events: Iterable[ev.AnyEvent]) -> None:
    """Take a table along with the events that were decided."""
    for event in events:
        table.line += 1
        apply(table, event)


def allowed(table: Table, command: do.AnyCommand) -> list[Expected]:
    """What may come instead of a command, as far as the player who asked may know it."""
    return expected(as_seen_from(table, getattr(command, "player", None)))


def _forced(table: Table, shuffle: Shuffle, at: datetime.datetime | None) -> Iterator[ev.AnyEvent]:
    while (event := forced(table, shuffle)) is not None:
        follow(table, [event])
        yield _timed(event, at)


def _timed(event: ev.AnyEvent, at: datetime.datetime | None) -> ev.AnyEvent:
    return event if at is None else msgspec.structs.replace(event, at=at)


# ---- the event that each command asks for ----


def event_of(table: Table, command: do.AnyCommand) -> ev.AnyEvent:
    """What a command asks for, as an event that nobody has judged yet. Raises Refused where no event can say it."""
    return _EVENT_OF[type(command)](table, command)


def _deal(table: Table, command: do.Deal) -> ev.HandDealt:
    if len(table.circle) < table.rules.fewest_seats and table.awaiting in ("deal", "prize"):
        message = f"too few players: {len(table.circle)}; expected {table.rules.fewest_seats} at least"
        raise Refused("deal", message, allowed(table, command))
    dealer = command.dealer or next_dealer(table)
    return dealt(table, dealer, deck_of(table))  # it is shuffled once it is sure that it may be dealt


def _play(table: Table, command: do.PlayCard) -> ev.CardPlayed:
    player, card, count, target = command.player, command.card, command.count, command.target
    its_turn = table.awaiting == "play" and table.to_act == player and card in table.hands.get(player, ())
    totals = (table.at.totals(card) or ()) if its_turn else ()
    if count is None and len(totals) > 1:
        said = " or ".join(map(str, totals))
        raise Refused("count-called", f"{card_name(card)} leaves a choice: say {said}", allowed(table, command))
    if its_turn and target is None:
        whom = targets(table, player, card)
        if len(whom) > 1:
            raise Refused("turn-order", f"{card_name(card)} chooses who is next: name one", allowed(table, command))
        target = whom[0]
    value = played_value(table.at, card, count) if its_turn else None
    if count is None:
        count = totals[0] if totals else table.count
    return ev.CardPlayed(player=player, card=card, count=count, target=target, value=value)


def _hits_of(table: Table, command: do.TakeHits | do.LeaveHits | do.GiveHits) -> int:
    """How many hits are meant: those that are asked for, or all of the prize."""
    prize = table.prize(command.prize)
    return command.hits if command.hits is not None else (prize and prize.hits) or 0


def _take(table: Table, command: do.TakeHits) -> ev.HitTaken:
    return ev.HitTaken(player=command.player, prize=command.prize, hits=_hits_of(table, command))


def _leave_hits(table: Table, command: do.LeaveHits) -> ev.HitCarried:
    return ev.HitCarried(player=command.player, prize=command.prize, hits=_hits_of(table, command))


def _give(table: Table, command: do.GiveHits) -> ev.HitDonated:
    if command.to not in table.seats:
        raise Refused("prize", f"{command.to} doesn't sit here; a gift goes to another player", allowed(table, command))
    hits = _hits_of(table, command)
    return ev.HitDonated(player=command.player, to=command.to, prize=command.prize, hits=hits)


def _show(table: Table, command: do.ShowCards) -> ev.CardsShown:
    if not command.cards:
        raise Refused("hold-card", f"{command.player} names no card to show", allowed(table, command))
    return ev.CardsShown(player=command.player, cards=command.cards)


def _smoke(table: Table, command: do.SmokeLeisure) -> ev.LeisureHit:
    _check_seated(table, command)
    return ev.LeisureHit(player=command.player, finished=command.finished)


def _check_seated(table: Table, command: do.SmokeLeisure | do.LoadBong) -> None:
    if command.player not in table.seats:
        raise Refused("log-order", f"{command.player} doesn't sit here", allowed(table, command))


def _load(table: Table, command: do.LoadBong) -> ev.BongLoaded:
    _check_seated(table, command)
    return ev.BongLoaded(player=command.player)


def _join(table: Table, command: do.JoinTable) -> ev.PlayerJoined:
    if command.player not in table.seats and not table.rules.tokens:
        check_name(command.player, [])
        check_seats(len(table.seats) + 1, table.rules.most_served(table.cards_in_play))
    if command.seat is not None and not 0 <= command.seat <= len(table.seats):
        message = f"there is no seat {command.seat}; expected one from 0 to {len(table.seats)}"
        raise Refused("log-order", message, allowed(table, command))
    return ev.PlayerJoined(player=command.player, seat=command.seat)


def _leave(table: Table, command: do.LeaveTable) -> ev.PlayerLeft:
    return ev.PlayerLeft(player=command.player)


def _void(table: Table, command: do.VoidHand) -> ev.HandVoided:
    return ev.HandVoided(reason=command.reason)


def _rule(table: Table, command: do.Rule) -> ev.RulingMade:
    if table.awaiting == "closed" or not 1 <= command.about <= table.line:
        message = f"nobody decides on line {command.about}; expected a line from 1 to {table.line} of an open game"
        raise Refused("log-order", message, allowed(table, command))
    return ev.RulingMade(about=command.about, by=command.by, text=command.text, rule=command.rule)


def _close(table: Table, command: do.CloseGame) -> ev.GameClosed:
    return ev.GameClosed()


_EVENT_OF: Final[dict[type[do.Command], Callable[[Table, Any], ev.AnyEvent]]] = {
    do.Deal: _deal,
    do.PlayCard: _play,
    do.TakeHits: _take,
    do.LeaveHits: _leave_hits,
    do.GiveHits: _give,
    do.ShowCards: _show,
    do.SmokeLeisure: _smoke,
    do.LoadBong: _load,
    do.JoinTable: _join,
    do.LeaveTable: _leave,
    do.VoidHand: _void,
    do.Rule: _rule,
    do.CloseGame: _close,
}
