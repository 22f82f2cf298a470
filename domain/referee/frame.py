"""Judging the frame of a hand: deal, seats, win, void, duty, close, and decisions on lines."""

from collections import Counter

from domain import events as ev
from domain.card_places import kind_of_deal
from domain.cards import card_name, counted
from domain.moves.match import after_unknown_end, may_have_ended, retire_silently, silently_out
from domain.referee.dues import due_thief, unsettled
from domain.referee.outs import closed, interrupted, not_done
from domain.referee.verdicts import (
    OPEN_DRAW,
    OPEN_END,
    OPEN_LOADER,
    Expected,
    Fault,
    Holds,
    Open,
    Question,
    Verdict,
    nonsense,
)
from domain.table import IN_HAND, Table

SETTLING = ("hit_taken", "hit_carried", "hit_donated")


def no_win(table: Table, rule: str, what: str) -> Fault:
    """The last one in has not won the hand before something that comes after a win."""
    message = f"{what}, but {table.to_act}, the last one in, has not won the hand yet"
    return Fault(rule=rule, kind="no win", player=table.to_act, message=message)


def unfinished(table: Table, what: str) -> Fault | None:
    """What a deal, a join or the close shows to be missing from the hand before: its win, or a prize (`prize`)."""
    if table.awaiting == "win":
        return no_win(table, "log-order", what)
    if table.awaiting == "due":
        return not_done(table)
    if table.awaiting != "prize":
        return None
    if table.omits and not table.omits.isdisjoint(SETTLING):
        return missing_steal(table) if unsettled(table) is not None else None
    prize = unsettled(table)
    if prize is None:
        return None
    hits = "the hits" if prize.hits is None else counted(prize.hits, "hit")
    message = f"{prize.holder} did not take, give or leave {hits} of the {prize.name} prize"
    return Fault(rule="prize", kind="unsettled", player=prize.holder, message=message)


def missing_steal(table: Table) -> Fault | None:
    """`steal` or `bonus`: somebody is known to hold the stealing card, and the prize goes on without it."""
    thief, rules = due_thief(table), table.rules.prize
    if thief is None or rules is None:
        return None
    if thief == table.winner:
        message = f"{thief} won holding {card_name(rules.thief)}, but no bonus hit came into being"
        return Fault(rule="bonus", kind="no bonus", player=thief, card=rules.thief, message=message)
    message = f"{thief} is out and holds {card_name(rules.thief)}, but did not steal the hit"
    return Fault(rule="steal", kind="no steal", player=thief, card=rules.thief, message=message)


def judge_deal(table: Table, event: ev.HandDealt) -> Fault | None:
    """`deal`, `dealer-rotation`, `deck`, and what the hand before still lacks."""
    table = after_unknown_end(table)
    if silently_out(table, event.hands):
        table = table.copy()
        retire_silently(table, event.hands)
    if table.awaiting in IN_HAND:
        message = "a hand is dealt while another one is being played"
        return Fault(rule="log-order", kind="deal inside a hand", player=None, message=message)
    if table.awaiting != "deal":
        fault = closed(table, None) or unfinished(table, "a hand is dealt")
        if fault is not None:
            return fault
    if table.awaiting == "over":
        message = f"a hand is dealt, but {table.champion} has won the match"
        return Fault(rule="match", kind="deal after the match", player=None, message=message)
    due = table.dealer_due()
    if event.dealer not in table.circle or (due is not None and event.dealer != due):
        message = f"{event.dealer} deals; the deal is {due or 'for somebody who is seated'}'s"
        return Fault(rule="dealer-rotation", kind="wrong dealer", player=None, message=message)
    fault = _judge_hands(table, event) or _judge_deck(table, event)
    return _judge_tokens(table, event.tokens) if fault is None and event.tokens else fault


def _judge_tokens(table: Table, said: dict[str, int]) -> Fault | None:
    """`tokens`: what is written down of each player's tokens at a deal must be what they have."""
    unknown = [name for name in table.circle if name not in table.tokens] if table.rules.tokens else []
    stated = [(name, tokens) for name, tokens in said.items() if name not in unknown]
    wrong = [name for name, tokens in stated if tokens != _tokens_at_deal(table, name)]
    if not wrong:
        return None
    name = wrong[0]
    if not table.rules.tokens:
        return nonsense(name, "tokens are written down in a game that is played without")
    message = f"{name} is said to have {counted(said[name], 'token')} at this deal; it should be "
    message += str(_tokens_at_deal(table, name))
    return Fault(rule="tokens", kind="wrong tokens", player=None, message=message)


def _tokens_at_deal(table: Table, player: str) -> int | None:
    return table.tokens.get(player) if table.rules.score_to is None else table.tokens_each


def _judge_hands(table: Table, event: ev.HandDealt) -> Fault | None:
    """`deal`: every seat of the match, and nobody else, gets a hand of the right size."""
    rules, hands, seats = table.rules, event.hands, table.circle
    most = rules.most_served(table.cards_in_play)
    if (
        hands.keys() == seats.keys()
        and set(map(len, hands.values())) == {rules.hand_size}
        and rules.fewest_seats <= len(seats) <= most
    ):
        return None
    left_out = [seat for seat in seats if seat not in hands]
    strangers = [player for player in hands if player not in seats]
    sizes = [f"{player} {len(cards)}" for player, cards in hands.items() if len(cards) != rules.hand_size]
    if left_out:
        wrong = f"{', '.join(left_out)} is {'in the match' if table.tokens else 'seated'} but not dealt in"
    elif strangers:
        wrong = f"{', '.join(strangers)} is dealt in but not {'in the match' if table.tokens else 'seated'}"
    elif sizes:
        wrong = f"everybody gets {rules.hand_size} cards, but: {', '.join(sizes)}"
    else:
        wrong = f"{len(hands)} players are dealt in; a hand has {rules.fewest_seats} to {most}"
    whom = "still in the match" if rules.tokens else "seated"
    text = f"{rules.hand_size} cards to everybody {whom}, and to nobody else"
    allowed = Expected("hand_dealt", event.dealer, None, text)
    return Fault(rule="deal", kind="wrong deal", player=None, message=wrong, allowed=allowed)


def _judge_deck(table: Table, event: ev.HandDealt) -> Fault | None:
    """No card stands more often than the decks have it; with every card logged none may be missing."""
    stock, hands = event.stock or [], event.hands
    total = len(stock) + sum(map(len, hands.values()))
    size = table.cards_in_play
    kind = kind_of_deal(table.deck, size, hands, stock)
    if kind == "whole":
        return None
    if kind == "part":
        cards = Counter(stock)
        for hand in hands.values():
            cards.update(hand)
        twin = next((card for card, number in cards.items() if card and number > table.deck.get(card, 0)), None)
        if twin is not None:
            often = "twice" if cards[twin] == 2 else f"{cards[twin]} times"
            message = f"{card_name(twin)} stands {often} in the deal"
            return Fault(rule="deck", kind="as written", player=None, card=twin, message=message)
    if event.stock is None or total == size:
        return None
    message = f"the hands and the stock hold {total} cards; there are {size}"
    return Fault(rule="deck", kind="as written", player=None, message=message)


def judge_joined(table: Table, event: ev.PlayerJoined) -> Fault | None:
    if table.awaiting in IN_HAND:
        message = f"{event.player} joins inside a hand; players join between hands"
        return Fault(rule="log-order", kind="as written or not", player=event.player, message=message)
    fault = closed(table, event.player) or unfinished(table, f"{event.player} joins")
    if fault is None and table.rules.tokens:
        message = f"{event.player} joins, but nobody joins a match"
        return Fault(rule="match", kind="as written or not", player=event.player, message=message)
    if fault is None and event.player in table.seats:
        return nonsense(event.player, f"{event.player} joins, but is seated already")
    return fault


def judge_left(table: Table, event: ev.PlayerLeft) -> Verdict:
    if event.player not in table.seats:
        return nonsense(event.player, f"{event.player} leaves, but is not seated")
    if table.drew_unseen is not None and table.drew_unseen[0] == event.player and table.awaiting in IN_HAND:
        return OPEN_DRAW
    if may_have_ended(table) and event.player in table.next_in:
        return OPEN_END
    return closed(table, event.player)


def judge_win(table: Table, event: ev.HandWon) -> Verdict:
    """`last-standing`: the last player in wins, and nobody else."""
    player = event.player
    if table.awaiting == "win" and player == table.to_act:
        return None
    if table.awaiting == "deal":
        return nonsense(player, f"{player} wins, but no hand is being played")
    if table.rules.out_ends != "seat" and table.awaiting != "closed":
        return nonsense(player, f"{player} wins a hand, but here nobody does: a hand is only lost")
    if table.awaiting == "closed":
        return closed(table, player)
    if table.awaiting == "win":
        message = f"{player} wins the hand, but the last one in is {table.to_act}"
        return Fault(rule="last-standing", kind="early win", player=player, message=message)
    if table.awaiting == "prize" and player == table.winner and "hand_won" in table.omits:
        return None
    if table.awaiting == "prize":
        message = f"{player} wins a hand that {table.winner} has won already"
        return Fault(rule="last-standing", kind="nonsense", player=player, message=message)
    if table.awaiting != "play" and not (table.awaiting == "draw" and len(table.next_in) > 1):
        return interrupted(table, event, None)
    others = ", ".join(name for name in table.next_in if name != player)
    message = f"{player} wins the hand, but {others} is still in"
    return Fault(rule="last-standing", kind="early win", player=player, message=message)


def may_be_voided(table: Table) -> bool:
    """Whether there is a hand to be voided (R7): one that isn't over, or whose prize isn't settled yet."""
    if table.awaiting == "prize":
        return unsettled(table) is not None
    return table.awaiting not in ("deal", "over", "closed")


def judge_void(table: Table, event: ev.HandVoided) -> Fault | None:
    if not may_be_voided(table):
        message = "a hand is voided, but none is being played"
        return closed(table, None) or Fault(rule="log-order", kind="as written or not", player=None, message=message)
    return None


def judge_loaded(table: Table, event: ev.BongLoaded) -> Verdict:
    """`loader`: whoever has the duty loads; without duty anybody may (R16)."""
    if table.loader is None or table.loader == event.player:
        return closed(table, event.player)
    if "leisure_hit" in table.omits:
        return OPEN_LOADER
    message = f"{event.player} loads, but the duty is {table.loader}'s"
    out = table.outs.get(table.loader)
    return closed(table, event.player) or Fault(
        rule="loader",
        kind="as written",
        player=event.player,
        message=message,
        allowed=Expected("bong_loaded", table.loader, None, f"{table.loader} loads"),
        evidence=(out.line,) if out is not None and table.first_out == table.loader else (),
    )


def judge_leisure(table: Table, event: ev.LeisureHit) -> Fault | None:
    return closed(table, event.player)


def judge_ruling(table: Table, event: ev.RulingMade) -> Fault | None:
    if event.about >= table.line:
        return nonsense(None, f"a ruling about line {event.about} stands on line {table.line}, before it")
    return None


def judge_close(table: Table, event: ev.GameClosed) -> Fault | None:
    """The close shows what the last hand still lacks; a hand may be left unplayed."""
    if table.awaiting in ("deal", "play", "over") or (table.awaiting == "draw" and table.rules.forgiving):
        return None
    if table.awaiting in IN_HAND:
        return interrupted(table, event, None)
    if table.awaiting == "win":
        return no_win(table, "last-standing", "the game is closed")
    return closed(table, None) or unfinished(table, "the game is closed")


def never_wrong(table: Table, event: ev.Event) -> Verdict:
    return closed(table, None)


def open_steal(table: Table) -> Open | None:
    """Whether a steal or bonus is missing turns on cards nobody logged; asked once, when the first hits are settled."""
    rules, winner = table.rules.prize, table.winner
    if rules is None or winner is None or table.prizes_moved or rules.thief not in table.unplaced:
        return None
    if not table.any_unseen or any(prize.settled_at for prize in table.prizes):
        return None
    thief, cards = card_name(rules.thief), frozenset((rules.thief,))
    others = tuple(player for player in table.hands if player != winner)
    stolen = Expected("hit_stolen", None, [rules.thief], f"whoever holds {thief} shows it and steals the hit")
    steal = Fault(
        rule="steal", kind="no steal", player=others[0] if len(others) == 1 else None, allowed=stolen,
        message=f"a player who is out holds {thief}, but did not steal the hit",
    )  # fmt: skip
    made = Expected("bonus_created", winner, [rules.thief], f"{winner} holds {thief}: a bonus hit comes into being")
    bonus = Fault(
        rule="bonus", kind="no bonus", player=winner, allowed=made,
        message=f"{winner} won holding {thief}, but no bonus hit came into being",
    )  # fmt: skip
    return Open("steal", questions=(Question(Holds(others, cards), steal), Question(Holds((winner,), cards), bonus)))
