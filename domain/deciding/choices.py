"""What a player may choose from, as commands that are sure to be accepted."""

from collections.abc import Iterator

from domain import events as ev
from domain.cards import Card
from domain.commands import Choice, GiveHits, LeaveHits, PlayCard, TakeHits
from domain.referee import playable
from domain.referee.dues import due_slide, due_thief
from domain.table import Table


def choices(table: Table, player: str) -> list[Choice]:
    """All that a player may choose from now: the plays, or what becomes of the hits that they hold; perhaps nothing."""
    if table.awaiting == "play" and table.to_act == player:
        return [play for card in playable(table, player) for play in plays(table, player, card)]
    return list(_settlings(table, player)) if table.awaiting == "prize" else []


def plays(table: Table, player: str, card: Card) -> Iterator[PlayCard]:
    """The ways to play a card now: a total, and somebody whom it points at."""
    for total in table.at.totals(card) or ():
        for target in targets(table, player, card):
            yield PlayCard(player=player, card=card, count=total, target=target)


def ways_to_play(table: Table, event: ev.CardPlayed) -> list[PlayCard]:
    """The plays of an event's card that its player may make now; nothing if it isn't their turn, or can't be played."""
    player, card = event.player, event.card
    if table.awaiting != "play" or table.to_act != player or card is None or card not in playable(table, player):
        return []
    return list(plays(table, player, card))


def targets(table: Table, player: str, card: Card) -> list[str | None]:
    """Whom a card of a player may point at; None alone for a card that points at nobody."""
    if card == table.at.deadly:
        return [table.next_in[player]]
    effect = table.rules.effect_of(card, table.count)
    if effect is None or effect.then != "choose":
        return [None]
    return [name for name in table.next_in if name != player]


def _settlings(table: Table, player: str) -> Iterator[Choice]:
    """What may become of hits: taken, left or given to somebody, all together."""
    if due_thief(table) is not None:
        return
    for prize in table.prizes:
        if prize.holder == player and prize.hits and due_slide(table, prize) is None:
            yield TakeHits(player=player, prize=prize.name, hits=prize.hits)
            yield LeaveHits(player=player, prize=prize.name, hits=prize.hits)
            for other in table.seats:
                if other != player:
                    yield GiveHits(player=player, to=other, prize=prize.name, hits=prize.hits)
