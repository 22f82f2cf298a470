"""Who can play what, and what may come next at a table: the questions that everything else asks."""

from typing import Final

from domain.cards import Card, SeenCard, card_names, counted
from domain.referee.dues import due_slide, due_thief, unsettled
from domain.referee.verdicts import Expected
from domain.table import Due, Table


def playable(table: Table, player: str) -> list[Card]:
    """The cards that a player is known to hold and can play now (`limit`, `count-called`)."""
    at = table.at
    return [card for card in table.hands.get(player, ()) if card in at]


def can_play(table: Table, player: str) -> bool | None:
    """Whether a player can play (`must-play`); None if that turns on cards nobody logged."""
    at = table.at
    for card in table.hands.get(player, ()):
        if card in at:
            return True
    if table.unseen.get(player):
        return _unseen_can_play(table)
    return False if at.count is not None or not table.hands.get(player) else None


def _unseen_can_play(table: Table) -> bool | None:
    """Whether every card that could be the unseen one can be played, or none can."""
    at = table.at
    some_can = some_cannot = False
    for card in table.unplaced:
        if card in at:
            some_can = True
        else:
            some_cannot = True
        if some_can and some_cannot:
            return None
    if some_cannot:
        return False if at.count is not None else None
    return True


def expected(table: Table) -> list[Expected]:
    """What the rules allow next, best first: the only place that says so.

    Leisure hits, loads, rulings, take-backs and leaving may stand anywhere and are not listed.
    """
    return _EXPECTED[table.awaiting](table)


def _deal(table: Table) -> list[Expected]:
    dealer = table.dealer_due()
    who = dealer or "whoever the table chooses"
    return [Expected("hand_dealt", dealer, None, f"{who} deals")]


def _play(table: Table) -> list[Expected]:
    player = table.to_act
    owed = [_owed(table, name) for name in table.owing]
    if player is None:
        return [Expected("card_played", None, None, "whoever was chosen plays"), *owed] if table.next_in else []
    if player in table.owing and table.rules.forgotten_draw == "until_own_play":
        return [_owed(table, player), *(option for option in owed if option.player != player)]
    able = can_play(table, player)
    cards: list[SeenCard] = list(playable(table, player))
    at = "an unknown Count" if table.count is None else str(table.count)
    options = []
    if able is not False:
        unseen = table.unseen.get(player, 0) > 0
        named = card_names(playable(table, player)) if cards else ""
        what = " or ".join(filter(None, [named, "an unseen card that can be played" if unseen else ""])) or "a card"
        options.append(
            Expected("card_played", player, [*cards, None] if unseen else cards, f"{player} plays {what} at {at}")
        )
    if able is not True:
        why = "can't play" if able is False else "cannot play, if nothing in their hand fits"
        options.append(Expected("player_eliminated", player, None, f"{player} goes out at {at}: {why}"))
    return options + owed


def _owed(table: Table, player: str) -> Expected:
    if not table.stock:
        text = f"the play pile is reshuffled, then {player} draws the card that they forgot to draw"
        return Expected("pile_reshuffled", player, None, text)
    card = table.stock[-1]
    return Expected("card_drawn", player, [card], f"{player} draws the card that they forgot to draw")


def _draw(table: Table) -> list[Expected]:
    player = table.to_act
    if not table.stock:
        pile = "the play pile" if table.rules.reshuffled == "pile" else "the play pile, all but its last card,"
        return [Expected("pile_reshuffled", player, None, f"{pile} is reshuffled, then {player} draws")]
    options = [Expected("card_drawn", player, [table.stock[-1]], f"{player} draws the top of the stock")]
    if table.rules.forgiving and table.then_awaiting == "play" and table.then_to_act is not None:
        options.append(
            Expected("card_played", table.then_to_act, None, f"{table.then_to_act} plays, if {player} forgets to draw")
        )
    return options + [_owed(table, name) for name in table.owing if name != player]


WHY_LOST: Final = {
    "hand_lost": "the hand was lost",
    "border": "a border was crossed",
    "exact": "the Count was hit exactly",
}
"""Why tokens are lost, in words."""


def due_tokens(due: Due) -> str:
    """How many tokens are due, in words."""
    return "tokens" if due.tokens is None else counted(due.tokens, "token")


def _due(table: Table) -> list[Expected]:
    due = table.dues[0]
    if due.type == "tokens_lost":
        text = f"{due.player} loses {due_tokens(due)}: {WHY_LOST[due.reason]}"
    elif due.type == "player_knocked_out":
        text = f"{due.player} has no token left and is out of the match"
    else:
        text = f"{due.player} wins the match" + ("" if due.tokens is None else f" with {due.tokens}")
    return [Expected(due.type, due.player, None, text)]


def _shield(table: Table) -> list[Expected]:
    player, rules = table.to_act, table.rules.death_card
    if player is None or rules is None:
        return []
    options = []
    if table.may_hold(player, rules.shield):
        text = f"{player} answers the Death Card with {card_names([rules.shield])}"
        options.append(Expected("card_played", player, [rules.shield], text))
    if rules.shield not in table.hands.get(player, ()):
        options.append(Expected("player_eliminated", player, None, f"{player} is out by the Death Card"))
    return options


def _blowback(table: Table) -> list[Expected]:
    player = table.to_act
    return [Expected("player_eliminated", player, None, f"{player} is out: the Death Card was shielded")]


def _leave(table: Table) -> list[Expected]:
    return [Expected("player_eliminated", table.to_act, None, f"{table.to_act} left and is out at once")]


def _win(table: Table) -> list[Expected]:
    return [Expected("hand_won", table.to_act, None, f"{table.to_act} is the last one in and wins the hand")]


def _prize(table: Table) -> list[Expected]:
    thief = due_thief(table)
    rules = table.rules.prize
    if thief is not None and rules is not None:
        if thief == table.winner:
            text = f"{thief} holds {card_names([rules.thief])}: a bonus hit comes into being"
            return [Expected("bonus_created", thief, [rules.thief], text)]
        text = f"{thief} shows {card_names([rules.thief])} and steals the hit from {table.winner}"
        return [Expected("hit_stolen", thief, [rules.thief], text)]
    options = []
    for prize in table.prizes:
        if prize.hits == 0:
            continue
        slide = due_slide(table, prize)
        if slide is not None:
            club, holder = slide
            text = f"the {prize.name} prize slides from {prize.holder} to {holder}, who holds {card_names([club])}"
            options.append(Expected("hit_slid", holder, [club], text))
        else:
            hits = "the hits" if prize.hits is None else counted(prize.hits, "hit")
            text = f"{prize.holder} takes, gives or leaves {hits} of the {prize.name} prize"
            options.append(Expected("hit_taken", prize.holder, None, text))
    return options if unsettled(table) else _deal(table)


def _closed(table: Table) -> list[Expected]:
    return []


_EXPECTED = {
    "deal": _deal,
    "play": _play,
    "draw": _draw,
    "shield": _shield,
    "blowback": _blowback,
    "leave": _leave,
    "win": _win,
    "prize": _prize,
    "due": _due,
    "over": _closed,
    "closed": _closed,
}
