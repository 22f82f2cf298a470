"""What should have stood in a log in place of an event that broke a rule."""

from domain import events as ev
from domain.commands import PlayCard
from domain.deciding.choices import plays
from domain.deciding.decide import event_of
from domain.referee import playable
from domain.table import Table


def ways_to_play(table: Table, event: ev.CardPlayed) -> list[PlayCard]:
    """The plays of that card that its player may make now; nothing if it isn't their turn, or can't be played."""
    player, card = event.player, event.card
    if table.awaiting != "play" or table.to_act != player or card is None or card not in playable(table, player):
        return []
    return list(plays(table, player, card))


def rightful(table: Table, event: ev.AnyEvent) -> ev.AnyEvent | None:
    """The same card, rightly called and pointed, where its player may play it; None where that isn't what is wrong.

    Then the rules force what comes, or somebody chooses it.
    """
    options = ways_to_play(table, event) if isinstance(event, ev.CardPlayed) else []
    if not options or not isinstance(event, ev.CardPlayed):
        return None
    meant = [play for play in options if event.count == play.count and event.target in (None, play.target)]
    return event_of(table, (meant or options)[0])
