"""Ways after a fault with tokens, knock-outs and the match: as written, as it should have been, or not at all."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain import events as ev
from domain.moves import apply
from domain.moves.match import after_unknown_end, carry_on, charge, end_hand
from domain.moves.turns import draw
from domain.readings.ways import Way, as_written_or_not, following, played_on
from domain.referee.verdicts import Fault
from domain.table import Due, Table


def not_paid(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """Tokens were lost without a line that says so, or they never were; of one player, or of all who should pay."""
    dues = [due for due in table.dues if due.type == "tokens_lost"]
    if isinstance(event, ev.TokensLost) and any(due.player == event.player for due in dues):
        yield Way(following(table, event))  # they just pay in another order
    if isinstance(event, ev.CardPlayed) and table.after_dues in ("deal", "score") and event.player in table.hands:
        yield Way(played_on(table, event), event)
    for number in dict.fromkeys((1, len(dues))):
        paid, let_off = table.copy(), table
        for due in dues[:number]:
            apply(paid, ev.TokensLost(player=due.player, tokens=due.tokens or 1, reason=due.reason))
            let_off = _let_off(let_off)
        yield Way(paid, event)
        yield Way(let_off, event)


def draw_after_the_end(table: Table, event: ev.CardDrawn, fault: Fault) -> Iterator[Way]:
    """Drawn for nothing, or not at all; or nobody noticed that the hand had ended."""
    yield from as_written_or_not(table, event, fault)
    if event.player in table.hands:
        yield Way(played_on(table, event), event)


def invented_loss(table: Table, event: ev.TokensLost, fault: Fault) -> Iterator[Way]:
    """Lost as written, or not; or the hand had ended without a line that says so."""
    yield from as_written_or_not(table, event, fault)
    if event.reason == "hand_lost" and table.in_hand and event.player in table.next_in:
        ended = table.copy()
        end_hand(ended)
        charge(ended, [Due("tokens_lost", event.player, 1, "hand_lost")])
        yield Way(ended, event)


def ways_of_ending(table: Table, event: ev.Event) -> Iterator[Table]:
    """Somebody leaves after a card that may have ended the hand: inside it, or after it."""
    yield following(table, event)
    ended = after_unknown_end(table)
    apply(ended, event)
    yield ended


def _let_off(table: Table) -> Table:
    """The first thing that is due doesn't come, and what follows it does."""
    twin = table.copy()
    twin.late = (*twin.late, twin.dues.pop(0))
    carry_on(twin)
    return twin


def wrong_payer(table: Table, event: ev.TokensLost, fault: Fault) -> Iterator[Way]:
    """The wrong player really paid, instead of the right one or beside them; or only the name is wrong."""
    beside = following(table, event)
    yield Way(_let_off(beside) if beside.dues else beside)
    yield Way(table.copy(), msgspec.structs.replace(event, player=table.dues[0].player))
    yield Way(beside)


def wrong_number(table: Table, event: ev.TokensLost, fault: Fault) -> Iterator[Way]:
    yield Way(following(table, event))
    due = next((due for due in table.dues if due.player == event.player), None)
    if due is not None:
        yield Way(following(table, msgspec.structs.replace(event, tokens=due.tokens or 1, reason=due.reason)))


def not_knocked_out(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """Knocked out without a line that says so; or still in the match without a token."""
    gone, stays = table.copy(), table.copy()
    player = table.dues[0].player
    apply(gone, ev.PlayerKnockedOut(player=player))
    gone.late = (*gone.late, table.dues[0])
    yield Way(gone, event)
    stays.tokens.pop(player, None)
    del stays.dues[0]
    carry_on(stays)
    yield Way(stays, event)


def wrong_knock_out(table: Table, event: ev.PlayerKnockedOut, fault: Fault) -> Iterator[Way]:
    """Out of the match as written, in place of whoever should be or beside them; or another was meant; or nobody."""
    due = table.dues[0] if table.dues else None
    if due is not None and due.type == "player_knocked_out":
        yield Way(table.copy(), msgspec.structs.replace(event, player=due.player))
        instead = table.copy()
        instead.tokens.pop(due.player, None)
        instead.dues = [other for other in instead.dues if other.player != due.player]
        yield Way(following(instead, event))
    yield Way(table.copy())
    yield Way(following(table, event))


def no_champion(table: Table, event: ev.Event, fault: Fault) -> Iterator[Way]:
    """The match was won without a line that says so, and another one begins; or it just goes on."""
    yield Way(_new_match(table), event)
    goes_on = table.copy()
    goes_on.awaiting, goes_on.to_act, goes_on.dues, goes_on.held = "deal", None, [], []
    yield Way(goes_on, event)
    if not isinstance(event, ev.HandDealt):
        won = table.copy()
        due = table.dues[0]
        apply(won, ev.MatchWon(player=due.player, tokens=due.tokens or 0))
        yield Way(won, event)


def wrong_tokens(table: Table, event: ev.HandDealt, fault: Fault) -> Iterator[Way]:
    """What was written down of tokens is wrong, or that is what the players have."""
    yield Way(table.copy(), msgspec.structs.replace(event, tokens=None))
    stated = table.copy()
    if stated.tokens and stated.rules.score_to is None:
        stated.tokens.update({name: tokens for name, tokens in (event.tokens or {}).items() if name in stated.circle})
        yield Way(stated, event)


def deal_after_the_match(table: Table, event: ev.HandDealt, fault: Fault) -> Iterator[Way]:
    """Another match begins; or the same goes on, or it doesn't."""
    yield Way(_new_match(table), event)
    goes_on = table.copy()
    goes_on.awaiting, goes_on.champion = "deal", None
    yield Way(goes_on, event)
    yield Way(table.copy())


def _new_match(table: Table) -> Table:
    twin = table.copy()
    twin.tokens, twin.pot, twin.knocked_out = dict.fromkeys(twin.seats, twin.tokens_each), 0, []
    twin.scores = dict.fromkeys(twin.seats, 0) if twin.rules.score_to is not None else {}
    twin.sit_round()
    twin.awaiting, twin.to_act, twin.dues, twin.held, twin.champion = "deal", None, [], [], None
    twin.dealer = twin.after_dealer = None
    return twin


def never_drew(table: Table, event: Any, fault: Fault) -> Iterator[Way]:
    """The hand stays short; or the draw was made and not written down."""
    yield Way(following(table, event))
    unwritten = table.copy()
    draw(unwritten, ev.CardDrawn(player=event.player, card=None))
    yield Way(unwritten, event)
