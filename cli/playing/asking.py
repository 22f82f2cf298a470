"""What stands below the table: whom the game waits for, and what they may choose from, for whoever looks."""

from bh99.playing import LiveGame
from cli.playing.captions import waits_for
from cli.playing.choosing import Offer, hand_offers, prize_offers
from cli.playing.panels import Below
from domain.commands import PlayCard
from projections.printable import printable
from projections.table_view import TableView


def to_choose_a_card(game: LiveGame) -> str | None:
    """The person who is to play a card, and so needs to see their hand."""
    player = game.waits_for
    plays = player in game.people and any(isinstance(choice, PlayCard) for choice in game.choices(player))
    return player if plays else None


def asked_of(game: LiveGame, looking: str | None, view: TableView) -> Below:
    """What is asked, and what there is to choose from. `looking`: who is before the screen, and sees the `view`; None:
    it shows what everybody may see."""
    player = game.waits_for
    if player not in game.people:
        return Below(waits_for(game, view), _hand(game, looking, view), False)
    choices, who = game.choices(player), f", {printable(player)}" if len(game.people) > 1 else ""
    if to_choose_a_card(game) is None:
        return Below(f"What becomes of the prize{who}?", prize_offers(choices), True)
    if looking != player:
        return Below(f"{printable(player)}: press enter when only you look", [], False)
    return Below(f"Choose a card{who}:", _hand(game, looking, view), True)


def _hand(game: LiveGame, looking: str | None, view: TableView) -> list[Offer]:
    """The cards of whoever looks, as they see them, with what may be played of them now."""
    if looking is None:
        return []
    cards = next((seat.cards for seat in view.players if seat.name == looking), [])
    return hand_offers(looking, cards, game.choices(looking), game.rules.limit)
