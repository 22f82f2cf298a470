"""The prize on the table: cards shown, the steal, the bonus, the slide, and hits that are settled."""

from domain import events as ev
from domain.prize import Prize, plus
from domain.table import Table


def show(table: Table, event: ev.CardsShown) -> None:
    table.show(event.player, event.cards)


def steal(table: Table, event: ev.HitStolen) -> None:
    _move(table, event.player, "main")


def make_bonus(table: Table, event: ev.BonusCreated) -> None:
    _move(table, event.player, "bonus")


def _move(table: Table, player: str, name: ev.PrizeName) -> None:
    rules = table.rules.prize
    if rules is None:
        return
    table.prizes_moved = True
    table.reveal(player, rules.thief)
    prize = table.prize(name)
    if prize is None:
        table.prizes.append(Prize(name, player, 1, 0))
    else:
        prize.holder, prize.step = player, 0


def slide(table: Table, event: ev.HitSlid) -> None:
    prize = table.prize(event.prize)
    rules = table.rules.prize
    if prize is None or rules is None:
        return
    table.reveal(event.player, event.card)
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
