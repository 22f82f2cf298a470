"""Judging what happens in a turn: the play, the Count, the draw, the reshuffle, and putting a hand right."""

from collections import Counter

from domain import events as ev
from domain.cards import Card, SeenCard, card_name
from domain.referee.outs import interrupted, out_of_turn
from domain.referee.verdicts import OPEN_COUNT, OPEN_DEATH_CARD, Expected, Fault, FaultKind, Verdict, nonsense
from domain.table import IN_HAND, Table


def judge_play(table: Table, event: ev.CardPlayed) -> Verdict:
    """`hold-card`, `limit`, `count-called`, `turn-order` and what a play may come too early or too late for."""
    if table.awaiting == "play" and event.player == table.to_act:
        card = event.card
        if card in table.hands[event.player] or (card in table.unplaced and table.unseen[event.player]):
            at = table.at
            after = at.get(card)
            if (
                after is not None
                and after.count == event.count
                and card != at.deadly
                and event.target is None
                and event.value is None
            ):
                return None
    return _judge_play_closely(table, event)


def _judge_play_closely(table: Table, event: ev.CardPlayed) -> Verdict:
    fault = interrupted(table, event, event.player) or out_of_turn(table, event)
    if fault is not None:
        return fault
    if table.awaiting == "shield":
        return _judge_answer(table, event)
    return _judge_card(table, event.player, event.card) or _judge_count(table, event) or _judge_target(table, event)


def _judge_card(table: Table, player: str, card: SeenCard) -> Fault | None:
    """`deck` if the card lies in the open, else `hold-card` if it is known to be somewhere else."""
    if card is None or table.may_hold(player, card):
        return None
    if table.in_the_open(card):
        where = "lies in the play pile" if card in table.pile else "was shown in another hand"
        return _card_fault("deck", "card not held", player, card, f"{player} plays {card_name(card)}, which {where}")
    message = f"{player} plays {card_name(card)}, which is not in {player}'s hand"
    return _card_fault("hold-card", "card not held", player, card, message)


def _card_fault(rule: str, kind: FaultKind, player: str, card: Card, message: str) -> Fault:
    return Fault(rule=rule, kind=kind, player=player, card=card, message=message)


def _judge_answer(table: Table, event: ev.CardPlayed) -> Fault | None:
    """The target of a Death Card plays the shield, and the Count stays (`death-card-shield`)."""
    rules = table.rules.death_card
    if rules is not None and event.card is not None and event.card != rules.shield:
        answer = card_name(event.card)
        message = f"{event.player} answers the Death Card with {answer}; only {card_name(rules.shield)} shields"
        return Fault(rule="death-card-shield", kind="wrong answer", player=event.player, message=message)
    fault = _judge_card(table, event.player, event.card)
    if fault is None and event.count is not None and table.count is not None and event.count != table.count:
        return _miscalled(event, table.count)
    return fault


def _miscalled(event: ev.CardPlayed, after: int | str) -> Fault:
    player, card = event.player, event.card
    message = f"{player} plays {card_name(card)} and says {event.count}; the cards give {after}"
    allowed = Expected("card_played", player, [card], f"{player} says {after} with {card_name(card)}")
    return Fault(rule="count-called", kind="miscalled", player=player, card=card, message=message, allowed=allowed)


def _judge_count(table: Table, event: ev.CardPlayed) -> Verdict:
    """`limit` for a card that can't be played at this Count, `count-called` for a Count that it does not give."""
    count, limit, said = table.count, table.rules.limit, event.count
    leads_to = table.at.get(event.card) if event.card is not None else None
    after = leads_to.count if leads_to is not None else None
    if event.card is None or count is None:
        return _judge_said_alone(table, event, after)
    if after is None:
        message = f"{event.player} plays {card_name(event.card)} at {count}: that takes the Count over {limit}"
        return Fault(rule="limit", kind="over the limit", player=event.player, card=event.card, message=message)
    if said is not None and said != after:
        return _miscalled(event, after)
    if event.value is not None and event.value != after - count:
        message = f"{event.player}'s {card_name(event.card)} is said to count {event.value}; it counts {after - count}"
        return Fault(rule="count-called", kind="wrong value", player=event.player, card=event.card, message=message)
    return None


def _judge_said_alone(table: Table, event: ev.CardPlayed, after: int | None) -> Verdict:
    """A said Count where the card or the Count before is unknown: is there a card that gives it?"""
    said, limit = event.count, table.rules.limit
    if _may_be_death_card(table, event):
        return OPEN_DEATH_CARD
    if said is None:
        return _judge_value_alone(table, event) or (OPEN_COUNT if after is None else None)
    if said > limit:
        message = f"{event.player} says {said}: no play may take the Count over {limit}"
        return Fault(rule="limit", kind="over the limit", player=event.player, message=message)
    if after is not None:
        return _miscalled(event, after) if said != after else None
    if event.card is None and table.count is not None and all(said != at.count for at in table.at.values()):
        return _miscalled(event, "another Count, whatever the card was")
    return _judge_value_alone(table, event) or OPEN_COUNT


def _judge_value_alone(table: Table, event: ev.CardPlayed) -> Fault | None:
    """What an unseen card is said to count must be what some card counts."""
    before = table.count
    if event.card is not None or before is None or event.value is None:
        return None
    if any(at.count is not None and at.count - before == event.value for at in table.at.values()):
        return None
    message = f"{event.player}'s card is said to count {event.value}; no card counts that at {before}"
    return Fault(rule="count-called", kind="wrong value", player=event.player, message=message)


def _may_be_death_card(table: Table, event: ev.CardPlayed) -> bool:
    """Whether a play that leaves the card or the Count open can be the Death Card, and need not be."""
    rules, limit = table.rules.death_card, table.rules.limit
    if rules is None or table.count not in (limit, None) or event.count not in (limit, None):
        return False
    if event.card is None:
        return table.may_hold(event.player, rules.card)
    return event.card == rules.card and table.count is None and event.target is None


def _judge_target(table: Table, event: ev.CardPlayed) -> Fault | None:
    """`death-card-target`: at the limit it points at the next player still in, below it at nobody."""
    if not table.is_death_card(event, table.at):
        if event.target is None:
            return None
        message = f"{event.player} points at {event.target}, but {card_name(event.card)} points at nobody here"
        return _target_fault("pointed for nothing", event.player, message)
    rightful = table.next_in.get(event.player)
    if event.target is None and table.source != "service":
        return None
    if event.target is None:
        message = f"{event.player}'s Death Card names no target; it points at {rightful}"
        return _target_fault("no target", event.player, message)
    if event.target != rightful:
        message = f"{event.player}'s Death Card points at {event.target}; the next player still in is {rightful}"
        return _target_fault("wrong target", event.player, message)
    return None


def _target_fault(kind: FaultKind, player: str, message: str) -> Fault:
    return Fault(rule="death-card-target", kind=kind, player=player, message=message)


# ---- the draw ----


def judge_draw(table: Table, event: ev.CardDrawn) -> Verdict:
    """`draw`: the player who played draws the top of the stock, once."""
    if table.awaiting == "draw" and event.player == table.to_act and table.stock:
        card = event.card
        if card is None or card == table.stock[-1]:
            return None
    return _judge_draw_closely(table, event)


def _judge_draw_closely(table: Table, event: ev.CardDrawn) -> Fault | None:
    player = event.player
    if table.awaiting in ("leave", "deal", "closed"):
        return interrupted(table, event, player)
    if table.awaiting == "draw" and player == table.to_act:
        if not table.stock and "pile_reshuffled" in table.omits:
            reshuffled = event.card in table.pile or event.card in table.unplaced
            return None if reshuffled else judge_top(table, player, event.card)
        if not table.stock:
            message = f"{player} draws, but the stock has run out and the play pile was not reshuffled"
            return Fault(rule="reshuffle", kind="no reshuffle", player=player, message=message)
        return judge_top(table, player, event.card)
    left = player in table.outs and table.outs[player].reason == "left"  # their draw fell away (R8)
    if 0 < table.size_of(player) < table.rules.hand_size and table.awaiting in IN_HAND and not left:
        return judge_top(table, player, event.card)
    if table.awaiting == "draw":
        message = f"{player} draws, but it is {table.to_act} who has just played"
        return Fault(rule="draw", kind="wrong drawer", player=player, message=message)
    message = f"{player} draws a card, but no draw is due"
    return Fault(rule="draw", kind="second draw", player=player, message=message)


def judge_top(table: Table, player: str, card: SeenCard) -> Fault | None:
    """The card that a player draws must be able to be the top of the stock."""
    if card is None or table.may_be_top(card) or (not table.stock and card in table.unplaced):
        return None
    if table.in_the_open(card):
        where = "the play pile" if card in table.pile else "a hand that was shown"
        message = f"{player} draws {card_name(card)}, which lies in {where}"
        return _card_fault("deck", "wrong card drawn", player, card, message)
    message = f"{player} draws {card_name(card)}, which is not the top of the stock"
    return _card_fault("draw", "wrong card drawn", player, card, message)


def judge_missed_draw(table: Table, event: ev.DrawMissed) -> Fault | None:
    if table.awaiting == "draw" and event.player == table.to_act:
        message = f"{event.player} played and did not draw"
        return Fault(rule="draw", kind="draw missed", player=event.player, message=message)
    if 0 < table.size_of(event.player) < table.rules.hand_size:
        return None
    return nonsense(event.player, f"a missed draw of {event.player} is noted, but no draw of theirs was due")


def judge_reshuffle(table: Table, event: ev.PileReshuffled) -> Fault | None:
    """`reshuffle`: once the stock has run out, exactly the play pile becomes the stock (R2)."""
    if table.awaiting in ("deal", "closed"):
        return nonsense(None, "the pile is reshuffled, but no hand is being played")
    if table.stock:
        message = f"the pile is reshuffled, but the stock still holds {len(table.stock)} cards"
        return Fault(rule="reshuffle", kind="early reshuffle", player=None, message=message)
    if event.stock is not None and not _same_cards(event.stock, table):
        message = "the new stock is not exactly the play pile"
        return Fault(rule="reshuffle", kind="not the pile", player=None, message=message)
    return None


def _same_cards(listed: list[SeenCard], table: Table) -> bool:
    """Whether the listed cards can be the cards of the pile."""
    if len(listed) == len(table.pile) and None not in listed and set(listed) == set(table.pile):
        return len(set(listed)) == len(listed)
    pile = Counter(table.pile)
    cards = Counter(listed)
    unseen_in_pile, unseen_listed = pile.pop(None, 0), cards.pop(None, 0)
    extra, missing = cards - pile, pile - cards
    return (
        len(listed) == len(table.pile)
        and extra.total() <= unseen_in_pile
        and missing.total() <= unseen_listed
        and all(card in table.unplaced for card in extra)
        and all(times == 1 or card in table.doubles for card, times in cards.items())
    )


# ---- putting right ----


def judge_hand_correction(table: Table, event: ev.HandCorrected) -> Fault | None:
    """`four-cards`, R17: only a hand with another number than four is put right, and to four."""
    player = event.player
    if table.awaiting in ("deal", "closed") or player not in table.hands:
        return nonsense(player, f"a hand of {player} is put right, but {player} holds none")
    held, size = table.size_of(player), table.rules.hand_size
    after = held + len(event.drew) - len(event.returned)
    if held == size or after != size:
        message = f"{player}'s hand of {held} cards is corrected to {after}"
        return Fault(rule="four-cards", kind="needless correction", player=player, message=message)
    for depth, card in enumerate(event.drew):
        top = table.stock[-1 - depth] if depth < len(table.stock) else None
        if card is not None and card != top and (top is not None or card not in table.unplaced):
            rule = "deck" if table.in_the_open(card) else "draw"
            message = f"{player} is given {card_name(card)}, which is not the top of the stock"
            return _card_fault(rule, "wrong card corrected", player, card, message)
    for card in event.returned:
        if card is not None and card not in event.drew and not table.may_hold(player, card):
            message = f"{player} returns {card_name(card)}, which is not in {player}'s hand"
            return _card_fault("hold-card", "wrong card corrected", player, card, message)
    return None


def judge_count_correction(table: Table, event: ev.CountCorrected) -> Fault | None:
    if table.awaiting not in IN_HAND:
        return nonsense(None, "the Count is corrected, but no hand is being played")
    if not 0 <= event.count <= table.rules.limit:
        message = f"the Count is corrected to {event.count}; it lies between 0 and {table.rules.limit}"
        return Fault(rule="limit", kind="as written", player=None, message=message)
    return None
