"""The frame of a hand on the table: the deal, the void, seats, and the close."""

from domain import events as ev
from domain.cards import SeenCard
from domain.moves.match import carry_on, charge, end_if_it_may, retire_silently
from domain.moves.outs import last_one_in
from domain.prize import plus
from domain.table import Table, ring


def deal(table: Table, event: ev.HandDealt) -> None:
    if table.prizes and table.omits:
        _settle_unwritten(table)
    end_if_it_may(table)
    retire_silently(table, event.hands)
    table.hand += 1
    table.dealt_on = table.line
    table.dealer = event.dealer
    table.after_dealer = None
    table.voided = False
    table.at = table.counts[0]
    stock: list[SeenCard] | None = event.stock
    if stock is None:
        stock = [None] * max(table.cards_in_play - sum(map(len, event.hands.values())), 0)
    table.place(event.hands, stock[::-1])
    table.trail = None
    if table.follows_all:
        table.begin_trail()
    else:
        table.cut_trail(None)
    table.tells_all = not table.doubles and table.omits.isdisjoint(("card_drawn", "pile_reshuffled"))
    if table.hands.keys() == table.circle.keys():
        table.next_in = table.circle.copy()
    else:
        strangers = [player for player in table.hands if player not in table.seats]
        table.next_in = ring([seat for seat in table.seats if seat in table.hands] + strangers)
    if table.hand == 1 and len(table.hands) == 2:
        table.pair = frozenset(table.hands)
    elif table.pair is not None and table.pair != table.hands.keys():
        table.pair = None
    table.outs = {}
    table.held = []
    table.attacker = table.answered = table.winner = table.first_out = table.earlier_finisher = None
    table.drew_unseen = None
    table.prizes = []
    table.prizes_moved = False
    table.carried = table.left_over
    table.loader = table.finisher
    table.awaiting = "play"
    table.to_act = table.first_to_act()
    if table.rules.tokens:
        _begin_with_tokens(table)
    if len(table.next_in) == 1:
        last_one_in(table)


def _begin_with_tokens(table: Table) -> None:
    """A fresh hand of a match; points are given out anew."""
    table.direction, table.owing, table.short, table.dues = 1, [], {}, []
    if table.rules.score_to is not None:
        table.tokens = dict.fromkeys(table.seats, table.tokens_each)
    table.before_deal = (table.tokens.copy(), table.pot, table.knocked_out.copy())


def _settle_unwritten(table: Table) -> None:
    """In a log that leaves out what became of hits: the unsettled were left over, or not, or nobody knows."""
    if "hit_carried" not in table.omits:
        return
    surely_left = table.omits.isdisjoint(("hit_taken", "hit_donated"))
    for prize in table.prizes:
        if prize.hits != 0:
            table.left_over = plus(table.left_over, prize.hits if surely_left else None)


def void(table: Table, event: ev.HandVoided) -> None:
    """The hand is off (R7): nothing of it counts, and what was at stake stays at stake."""
    table.voided = True
    table.left_over = table.carried
    if table.loader is not None and table.loader == table.first_out and table.finisher is None:
        table.loader = table.finisher = table.earlier_finisher
    table.first_out = table.earlier_finisher = table.winner = None
    table.place({}, [])
    table.trail = None
    table.next_in, table.outs, table.held, table.prizes = {}, {}, [], []
    table.prizes_moved = False
    table.at = table.counts[0]
    table.awaiting, table.to_act = "deal", None
    if table.rules.tokens:
        _bring_tokens_back(table)


def _bring_tokens_back(table: Table) -> None:
    tokens, table.pot, knocked_out = table.before_deal
    table.tokens, table.knocked_out = tokens.copy(), knocked_out.copy()
    table.dues, table.owing, table.short = [], [], {}
    table.sit_round()
    table.direction = 1
    charge(table, [])  # somebody may have left who was the last opponent
    carry_on(table)


def join(table: Table, event: ev.PlayerJoined) -> None:
    if event.player not in table.seats:
        at = len(table.seats) if event.seat is None else event.seat
        table.seats.insert(at, event.player)
        table.sit_round()


def leave(table: Table, event: ev.PlayerLeft) -> None:
    player = event.player
    if player not in table.seats:
        return
    table.step_out_of_circle(player)
    table.seats.remove(player)
    table.sit_round()
    if table.loader == player:
        table.loader = None
    if table.finisher == player:
        table.finisher = None
    if table.earlier_finisher == player:
        table.earlier_finisher = None
    owed = tuple(due for due in table.dues if due.player == player)
    if owed:  # nobody can make them pay, but they may
        table.late += owed
        table.dues = [due for due in table.dues if due.player != player]
    if player in table.next_in and table.in_hand:
        table.held.append((table.awaiting, table.to_act))
        table.awaiting, table.to_act = "leave", player
    elif table.rules.tokens and table.hand:
        charge(table, [])  # the match may be won now
        carry_on(table)


def close(table: Table, event: ev.GameClosed) -> None:
    table.held.append((table.awaiting, table.to_act))
    table.awaiting, table.to_act = "closed", None
