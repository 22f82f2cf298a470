"""The prize on the table: cards shown, the steal, the bonus, the slide, and hits that are settled."""

from domain import events as ev
from domain.cards import Card
from domain.prize import Prize, plus
from domain.table import Table
from domain.trail import Held


def show(table: Table, event: ev.CardsShown) -> None:
    if all(table.may_hold(event.player, card) for card in event.cards):
        table.note(Held(table.line, event.player, event.cards))
    table.show(event.player, event.cards)


def steal(table: Table, event: ev.HitStolen) -> None:
    _move(table, event.player, "main", "steal")


def make_bonus(table: Table, event: ev.BonusCreated) -> None:
    _move(table, event.player, "bonus", "bonus")


def _move(table: Table, player: str, name: ev.PrizeName, rule: str) -> None:
    rules = table.rules.prize
    if rules is None:
        return
    table.prizes_moved = True
    _named(table, player, rules.thief, rule)
    prize = table.prize(name)
    if prize is None:
        table.prizes.append(Prize(name, player, 1, 0))
    else:
        prize.holder, prize.step = player, 0


def _named(table: Table, player: str, card: Card, rule: str) -> None:
    """A card that an event names as a player's was theirs, unless a logged card says otherwise."""
    if table.may_hold(player, card):
        table.note(Held(table.line, player, [card], rule))
        table.reveal(player, card)


def slide(table: Table, event: ev.HitSlid) -> None:
    prize = table.prize(event.prize)
    rules = table.rules.prize
    if prize is None or rules is None:
        return
    _named(table, event.player, event.card, "slide")
    prize.holder = event.player
    if event.card in rules.slide:
        prize.step = rules.slide.index(event.card) + 1


def settle(table: Table, event: ev.HitTaken | ev.HitCarried | ev.HitDonated) -> None:
    if isinstance(event, ev.HitCarried):
        table.left_over = plus(table.left_over, event.hits)
    prize = table.prize(event.prize)
    if prize is not None:
        prize.settled_at = prize.settled_at or table.line
        prize.hits = None if prize.hits is None else max(prize.hits - event.hits, 0)


def smoke(table: Table, event: ev.LeisureHit) -> None:
    if event.finished and table.rules.prize is not None:
        table.loader = table.finisher = event.player
