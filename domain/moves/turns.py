"""A turn on the table: the play, who acts after it, the draw, the reshuffle, and putting a hand right."""

from domain import events as ev
from domain.card_places import more
from domain.counting import AtCount
from domain.moves.match import carry_on, charge, end_hand
from domain.rule_sets import Then
from domain.table import Due, Table
from domain.trail import Drew, Lost, Played, Returned, Shuffled


def play(table: Table, event: ev.CardPlayed, taken_over: int | None = None) -> None:
    """Follow a play; `taken_over`: the Count that the table went on from, whatever the cards give (R6)."""
    if table.awaiting == "draw" and table.rules.forgiving:
        forget_draw(table)
    player, card = event.player, event.card
    if card is None:
        table.lose_sight()
    if table.trail is not None:
        table.note(Played(table.line, player, card))
    if card is None:
        table.lose_unknown_card(player)
    else:
        table.take(player, card)
    table.pile.append(card)
    if table.owing:
        _lose_claims(table, player)
    if table.awaiting != "play":
        _answer(table, player)
        table.awaiting, table.to_act = "draw", player
        _draw_otherwise(table)
        return
    at = table.at
    leads = at.get(card)  # type: ignore[arg-type]
    if taken_over is not None:
        table.at, ordinary = _as_said(table, taken_over), False
    elif isinstance(leads, AtCount) and leads.count == event.count:
        table.at, ordinary = leads, True
    else:
        table.at, ordinary = count_after(table, event), False
    table.costs_unknown = False
    table.then_awaiting, table.then_to_act = "play", table.next_in.get(player)
    table.awaiting, table.to_act = "draw", player
    if not (table.stock and table.tells_all):
        _draw_otherwise(table)
    if ordinary:
        return
    if card in at.close or at.count is None:
        _more_than_a_count(table, event, at)
    if table.rules.tokens or table.rules.any_card_may_be_played:
        _pay_for(table, player, at.count, table.count)


def count_after(table: Table, event: ev.CardPlayed) -> AtCount:
    """The Count that goes on: what the cards give, chosen as said; else the said one, over the limit as the limit."""
    said, at = event.count, table.at
    totals = at.totals(event.card)
    if totals:
        if said in totals:
            return table.counts[said]
        if len(totals) == 1:
            return table.counts[totals[0]]
        if event.value is not None and at.count is not None and at.count + event.value in totals:
            return table.counts[at.count + event.value]
    if said is None and event.value is not None and at.count is not None:
        said = at.count + event.value
    return table.counts[None] if said is None else _as_said(table, said)


def _as_said(table: Table, said: int) -> AtCount:
    """The Count that was said; one over the limit counts as the limit, unless the hand is lost or ends with it."""
    if table.rules.any_card_may_be_played and said > table.rules.limit:
        return table.counts[said]
    return table.counts.within(said)


def _draw_otherwise(table: Table) -> None:
    """What follows a play where not every draw is written down, or where there is nothing to draw."""
    if not table.tells_all:
        _go_unseen(table)
    if not table.stock and len(table.pile) + len(table.aside) == staying(table):
        table.awaiting, table.to_act = table.then_awaiting, table.then_to_act


def _more_than_a_count(table: Table, event: ev.CardPlayed, at: AtCount) -> None:
    """What a card does besides leading to a Count: the Death Card, and who acts next."""
    card = event.card
    if table.is_death_card(event, at):
        table.attacker = event.player
        _then(table, "shield", table.then_to_act)
        return
    effect = table.rules.effect_of(card, at.count) if card is not None else None
    if effect is not None and effect.then != "next":
        pass_turn(table, event.player, effect.then, event.target)


def _then(table: Table, awaiting: str, player: str | None) -> None:
    """What comes after the draw that is awaited, or now if there is nothing to draw."""
    if table.awaiting == "draw" or (table.awaiting == "due" and table.after_dues == "draw"):
        table.then_awaiting, table.then_to_act = awaiting, player  # type: ignore[assignment]
    else:
        table.awaiting, table.to_act = awaiting, player  # type: ignore[assignment]


def pass_turn(table: Table, player: str, then: Then, target: str | None) -> None:
    """Who acts after a card of `player` (`turn-order`, R23); nobody is known who was chosen and not written down."""
    if then == "turn" and len(table.next_in) > 2:
        turn_direction(table)
    following: str | None = table.next_in.get(player)
    if then == "skip" and following is not None:
        following = table.next_in.get(following)
    elif then == "again" or (then == "turn" and len(table.next_in) == 2 and table.rules.between_two == "again"):
        following = player
    elif then == "choose" and len(table.next_in) > 2:
        following = target if target != player and target in table.next_in else None
        table.chooser = player
    _then(table, "play", following)


def turn_direction(table: Table) -> None:
    """Play goes the other way round from here on."""
    before = {after: player for player, after in table.next_in.items()}
    table.next_in = {player: before[player] for player in table.next_in}
    table.direction = -1 if table.direction == 1 else 1


def _pay_for(table: Table, player: str, before: int | None, after: int | None) -> None:
    """What a card costs: borders, exact hits, and the hand if it took the Count over the limit."""
    rules = table.rules
    table.costs_unknown = before is None or after is None
    if table.costs_unknown and "tokens_lost" in table.omits:
        _lose_count_of_tokens(table, player)
    if after is None:
        return
    dues = []
    if before is None and after > rules.limit and rules.borders:
        dues.append(Due("tokens_lost", player, None, "border"))
    if before is not None:
        if borders := table.counts.crossed(before, after):
            dues.append(Due("tokens_lost", player, borders, "border"))
        if table.counts.hits(before, after):
            dues += [Due("tokens_lost", other, 1, "exact") for other in table.circle if other != player]
    if after > rules.limit:
        end_hand(table)
        if rules.over_limit == "lost" and rules.tokens:
            dues.append(Due("tokens_lost", player, 1, "hand_lost"))
    if dues:
        charge(table, dues)
    carry_on(table)


def _lose_count_of_tokens(table: Table, player: str) -> None:
    """Nobody wrote down what a card did, nor what it cost: from here on it isn't known who has how many tokens."""
    rules = table.rules
    may_pay = set(table.circle) if rules.exact_hits else {player} if rules.borders or rules.over_limit == "lost" else ()
    for name in may_pay:
        table.tokens.pop(name, None)


def _answer(table: Table, player: str) -> None:
    """What follows a play that isn't a turn: the answer to a Death Card, or one that should not be there."""
    if table.awaiting != "shield":
        table.then_awaiting, table.then_to_act = table.awaiting, table.to_act
        return
    table.answered = player
    table.then_awaiting, table.then_to_act = "blowback", table.attacker
    if table.two_player_game or table.attacker not in table.next_in:
        table.then_awaiting, table.then_to_act = "play", table.next_in.get(player)


def _go_unseen(table: Table) -> None:
    """What a log leaves out that writes no draws or no reshuffles down, and a card that stands too often."""
    card = table.pile[-1]
    if card is not None and (table.vague or card in table.doubles):
        table.pile[-1] = None
        table.unplace(card)
    if "card_drawn" in table.omits and not (table.count is not None and table.count > table.rules.limit):
        draw_unseen(table)  # a card that takes the Count over the limit ends the hand, and nothing is drawn


# ---- the draw ----


def draw(table: Table, event: ev.CardDrawn) -> None:
    player, card = event.player, event.card
    if table.stock and (card is None or card == table.stock[-1]):
        card = table.stock.pop()
    else:
        if not table.stock and "pile_reshuffled" in table.omits:
            reshuffle_unseen(table)
        card = table.take_top(card)
    if table.trail is not None:
        table.note(Drew(table.line, player, event.card))
    hand = table.hands.get(player)
    if hand is not None:
        if card is None:
            table.unseen[player] += 1
        else:
            more(hand, card)
    if table.awaiting == "draw" and player == table.to_act:
        table.awaiting = table.then_awaiting
        table.to_act = table.then_to_act
    elif player in table.owing:
        table.owing.remove(player)
    if table.owing and table.rules.forgotten_draw == "until_next_draw":
        for other in [name for name in table.owing if name != player]:
            _lose_claim(table, other)


def draw_unseen(table: Table) -> None:
    """The draw that is awaited, in a log that writes no draws down."""
    if table.to_act is not None and (table.stock or "pile_reshuffled" in table.omits):
        table.drew_unseen = (table.to_act, table.stock[-1] if table.stock else None)
        draw(table, ev.CardDrawn(player=table.to_act, card=None))


def miss_draw(table: Table, event: ev.DrawMissed) -> None:
    if table.awaiting == "draw" and table.to_act == event.player:
        forget_draw(table)


def forget_draw(table: Table) -> None:
    """The draw that is awaited does not come; whether it may still be made good is the set's business (R20)."""
    if table.to_act is not None and table.rules.forgiving:
        table.owing.append(table.to_act)
    table.awaiting, table.to_act = table.then_awaiting, table.then_to_act


def _lose_claims(table: Table, player: str) -> None:
    """Draws that can't be made good any more, now that `player` has played."""
    for owing in table.owing.copy():
        if owing == player or table.rules.forgotten_draw == "until_next_play":
            _lose_claim(table, owing)


def _lose_claim(table: Table, player: str) -> None:
    table.owing.remove(player)
    table.short[player] = table.short.get(player, 0) + 1


# ---- the reshuffle ----


def reshuffle(table: Table, event: ev.PileReshuffled) -> None:
    if event.stock is None or None in event.stock:
        table.lose_sight()
    table.shuffle_pile(event.stock, staying(table))
    table.note(Shuffled(table.line, event.stock, staying(table)))
    if table.awaiting == "draw" and "card_drawn" in table.omits:
        draw_unseen(table)


def reshuffle_unseen(table: Table) -> None:
    """The pile goes into the stock, in an order and at a moment that nobody wrote down."""
    table.shuffle_pile(None, staying(table))
    table.note(Lost(table.line))
    table.vague = True


def staying(table: Table) -> int:
    """How many cards of the pile are not reshuffled (`reshuffle`, R21)."""
    return 1 if table.rules.reshuffled == "pile_but_last" else 0


# ---- putting right ----


def correct_hand(table: Table, event: ev.HandCorrected) -> None:
    player = event.player
    if player not in table.hands:
        return
    if player in table.outs:
        table.outs[player] = table.outs[player].proven()
    for card in event.drew:
        table.note(Drew(table.line, player, card))
        table.give(player, table.take_top(card))
        if player in table.owing:
            table.owing.remove(player)
    for card in event.returned:
        if card is None:
            table.lose_sight()
        table.note(Returned(table.line, player, card))
        if card is None:
            table.lose_unknown_card(player)
        else:
            table.take(player, card)
        table.stock.insert(0, card)


def correct_count(table: Table, event: ev.CountCorrected) -> None:
    table.at = table.counts.within(event.count)
