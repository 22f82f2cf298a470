"""Judging what happens in a turn: the play, the Count, the draw, the reshuffle, and putting a hand right."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from domain import events as ev
from domain.cards import Card, SeenCard, card_name
from domain.counting import Leads, after_effect
from domain.referee.outs import after_forgetting, interrupted, out_of_turn
from domain.referee.verdicts import (
    OPEN_COUNT,
    OPEN_DEATH_CARD,
    OPEN_TURN,
    Expected,
    Fault,
    FaultKind,
    Verdict,
    nonsense,
)
from domain.table import IN_HAND, Table


def judge_play(table: Table, event: ev.CardPlayed) -> Verdict:
    """`hold-card`, `limit`, `count-called`, `turn-order` and what a play may come too early or too late for."""
    if table.awaiting == "play" and event.player == table.to_act and not table.owing:
        card, at = event.card, table.at
        if card in table.hands[event.player] or (card in table.unplaced and table.unseen[event.player]):
            totals = at.get(card)
            if (
                totals is not None
                and event.count in totals
                and card not in at.close
                and event.target is None
                and event.value is None
            ):
                return None
    return _judge_play_closely(table, event)


def _judge_play_closely(table: Table, event: ev.CardPlayed) -> Verdict:
    table = after_forgetting(table)
    fault = interrupted(table, event, event.player) or out_of_turn(table, event) or _never_drew(table, event.player)
    if fault is not None:
        return fault
    if table.awaiting == "shield":
        return _judge_answer(table, event)
    return (
        _judge_card(table, event.player, event.card)
        or _judge_count(table, event)
        or _judge_target(table, event)
        or _open_turn(table, event)
    )


def _never_drew(table: Table, player: str) -> Fault | None:
    """`draw`: a forgotten draw was not made good before its player plays again, where it has to be (R20)."""
    if table.rules.forgotten_draw != "until_own_play" or player not in table.owing:
        return None
    message = f"{player} plays again without having made good a forgotten draw"
    return Fault(rule="draw", kind="never drew", player=player, message=message)


def _open_turn(table: Table, event: ev.CardPlayed) -> Verdict:
    """Whether an unseen card passed the turn otherwise than to the next player turns on which card it was."""
    if event.card is None and any(table.may_hold(event.player, card) for card in turning_cards(table, event.count)):
        return OPEN_TURN
    return None


def turning_cards(table: Table, said: int | None) -> list[Card]:
    """The cards that an unseen one may have been, going by what was said, and that don't just pass the turn on."""
    count, rules = table.count, table.rules
    return [
        card
        for card in table.at.close
        if (effect := rules.effect_of(card, count)) is not None
        and effect.then != "next"
        and (said is None or count is None or said in table.at.get(card, ()))
    ]


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
        return _miscalled(event, str(table.count))
    return fault


def _miscalled(event: ev.CardPlayed, after: str) -> Fault:
    player, card = event.player, event.card
    message = f"{player} plays {card_name(card)} and says {event.count}; the cards give {after}"
    allowed = Expected("card_played", player, [card], f"{player} says {after} with {card_name(card)}")
    return Fault(rule="count-called", kind="miscalled", player=player, card=card, message=message, allowed=allowed)


def _saying(event: ev.CardPlayed, totals: Iterable[int]) -> Expected:
    text = f"{event.player} says {_either(totals)} with {card_name(event.card)}"
    return Expected("card_played", event.player, [event.card], text)


def _either(totals: Iterable[int]) -> str:
    return " or ".join(map(str, totals))


def _judge_count(table: Table, event: ev.CardPlayed) -> Verdict:
    """`limit` for a card that can't be played at this Count, `count-called` for a Count that it does not give."""
    at, card, said, value = table.at, event.card, event.count, event.value
    count = at.count
    totals = at.get(card) if card is not None else None
    if card is None or count is None:
        return _judge_said_alone(table, event, totals)
    if totals is None:
        message = f"{event.player} plays {card_name(card)} at {count}: that takes the Count over {table.rules.limit}"
        return Fault(rule="limit", kind="over the limit", player=event.player, card=card, message=message)
    if said is not None and said not in totals:
        return _out_of_bounds(table, event) or _miscalled(event, _either(totals))
    if value is not None and count + value not in totals and said is None and (fault := _out_of_bounds(table, event)):
        return fault
    if value is not None and (count + value not in totals or said not in (None, count + value)):
        counts = _either(total - count for total in totals)
        name = card_name(card).removeprefix("the ")
        message = f"{event.player}'s {name} is said to count {value}; it counts {counts}"
        if said is not None and count + value in totals:
            message = f"{event.player}'s {name} is said to count {value} at {count}, but to make {said}"
        return Fault(
            rule="count-called",
            kind="wrong value",
            player=event.player,
            card=card,
            message=message,
            allowed=_saying(event, totals),
        )
    return OPEN_COUNT if len(totals) > 1 and said is None and value is None else None


def _out_of_bounds(table: Table, event: ev.CardPlayed) -> Fault | None:
    """`limit`: a choice of the card, told by the Count or the value, that goes over the limit or under the floor."""
    card, count = event.card, table.count
    effect = table.rules.effect_of(card, count) if card is not None else None
    if effect is None or count is None:
        return None
    total = count + event.value if event.count is None and event.value is not None else event.count
    if total is None or total not in after_effect(effect, count) or table.counts.allows(total):
        return None
    bound = f"over {table.rules.limit}" if total > table.rules.limit else f"under {table.rules.floor}"
    message = (
        f"{event.player} plays {card_name(card)} at {count} and makes it {total}: no play may take the Count {bound}"
    )
    allowed = _saying(event, table.at.get(card, ()) if card is not None else ())
    return Fault(
        rule="limit", kind="chosen out of bounds", player=event.player, card=card, message=message, allowed=allowed
    )


def _judge_said_alone(table: Table, event: ev.CardPlayed, totals: Leads | None) -> Verdict:
    """A said Count where the card or the Count before is unknown: is there a card that gives it?"""
    said, rules = event.count, table.rules
    if _may_be_death_card(table, event):
        return OPEN_DEATH_CARD
    if said is None:
        return _judge_value_alone(table, event) or (None if totals else OPEN_COUNT)
    if not table.counts.allows(said):
        bound = f"over {rules.limit}" if said > rules.limit else f"under {rules.floor}"
        message = f"{event.player} says {said}: no play may take the Count {bound}"
        return Fault(rule="limit", kind="over the limit", player=event.player, message=message)
    if totals:
        return _miscalled(event, _either(totals)) if said not in totals else None
    if event.card is None and table.count is not None and all(said not in after for after in table.at.values()):
        return _miscalled(event, "another Count, whatever the card was")
    return _judge_value_alone(table, event) or (_open_turn(table, event) or OPEN_COUNT)


def _judge_value_alone(table: Table, event: ev.CardPlayed) -> Fault | None:
    """What an unseen card is said to count must be what some card counts."""
    before, value = table.count, event.value
    if event.card is not None or before is None or value is None:
        return None
    if any(before + value in totals for totals in table.at.values()):
        return None
    message = f"{event.player}'s card is said to count {value}; no card counts that at {before}"
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
        effect = table.rules.effect_of(event.card, table.count) if event.card is not None else None
        if effect is not None and effect.then == "choose":
            return _judge_chosen(table, event)
        if event.target is None or event.card is None:
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


def _judge_chosen(table: Table, event: ev.CardPlayed) -> Fault | None:
    """`turn-order`: who is chosen to act next must be another player who is still in."""
    if event.target is None and table.source != "service":
        return None
    if event.target in table.next_in and event.target != event.player:
        return None
    if event.target is None:
        message = f"{event.player} chooses who is next and names nobody; expected another player who is still in"
        return Fault(rule="turn-order", kind="wrong choice", player=event.player, card=event.card, message=message)
    message = f"{event.player} chooses {event.target}, who can't act next; expected another player who is still in"
    return Fault(rule="turn-order", kind="wrong choice", player=event.player, card=event.card, message=message)


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
    if table.awaiting == "due" and table.after_dues in ("deal", "score"):
        message = f"{player} draws a card, but the hand has ended"
        return Fault(rule="draw", kind="second draw", player=player, message=message)
    if table.awaiting in ("leave", "due", "deal", "over", "closed"):
        return interrupted(table, event, player)
    if player in table.owing and not (table.awaiting == "draw" and player == table.to_act):
        return judge_top(table, player, event.card)
    if table.awaiting == "draw" and player == table.to_act:
        if not table.stock and "pile_reshuffled" in table.omits:
            reshuffled = event.card in table.pile or event.card in table.unplaced
            return None if reshuffled else judge_top(table, player, event.card)
        if not table.stock:
            message = f"{player} draws, but the stock has run out and the play pile was not reshuffled"
            return Fault(rule="reshuffle", kind="no reshuffle", player=player, message=message)
        return judge_top(table, player, event.card)
    left = player in table.outs and table.outs[player].reason == "left"  # their draw fell away (R8)
    short = 0 < table.size_of(player) < table.rules.hand_size and not table.rules.forgiving
    if short and table.awaiting in IN_HAND and not left:
        return judge_top(table, player, event.card)
    if table.awaiting == "draw":
        message = f"{player} draws, but it is {table.to_act} who has just played"
        return Fault(rule="draw", kind="wrong drawer", player=player, message=message)
    if table.short.get(player) and table.awaiting in IN_HAND:
        message = f"{player} draws a card, but the draw that was forgotten can't be made good any more"
        return Fault(rule="draw", kind="second draw", player=player, message=message)
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
        if table.rules.forgiving:
            return None
        message = f"{event.player} played and did not draw"
        return Fault(rule="draw", kind="draw missed", player=event.player, message=message)
    if 0 < table.size_of(event.player) < table.rules.hand_size:
        return None
    return nonsense(event.player, f"a missed draw of {event.player} is noted, but no draw of theirs was due")


def judge_reshuffle(table: Table, event: ev.PileReshuffled) -> Fault | None:
    """`reshuffle`: once the stock has run out, exactly the play pile becomes the stock (R2)."""
    if table.awaiting == "due":
        return interrupted(table, event, None)
    if table.awaiting in ("deal", "over", "closed"):
        return nonsense(None, "the pile is reshuffled, but no hand is being played")
    if table.stock:
        message = f"the pile is reshuffled, but the stock still holds {len(table.stock)} cards"
        return Fault(rule="reshuffle", kind="early reshuffle", player=None, message=message)
    if event.stock is not None and not _same_cards(event.stock, table):
        last = ", without its last card" if table.rules.reshuffled == "pile_but_last" else ""
        message = f"the new stock is not exactly the play pile{last}"
        return Fault(rule="reshuffle", kind="not the pile", player=None, message=message)
    return None


def _same_cards(listed: list[SeenCard], table: Table) -> bool:
    """Whether the listed cards can be the cards that are reshuffled (R11, R21)."""
    pile: Counter[Any] = Counter(
        table.aside + (table.pile[:-1] if table.rules.reshuffled == "pile_but_last" else table.pile)
    )
    size = pile.total()
    cards: Counter[Any] = Counter(listed)
    if cards == pile and None not in cards:
        return True
    unseen_in_pile, unseen_listed = pile.pop(None, 0), cards.pop(None, 0)
    extra, missing = cards - pile, pile - cards
    return (
        len(listed) == size
        and extra.total() <= unseen_in_pile
        and missing.total() <= unseen_listed
        and all(
            number <= table.unplaced.get(card, 0) or card in table.doubles for card, number in extra.items() if card
        )
    )


# ---- putting right ----


def judge_hand_correction(table: Table, event: ev.HandCorrected) -> Fault | None:
    """`four-cards`, R17: only a hand with another number than four is put right, and to four."""
    player = event.player
    if table.awaiting in ("deal", "over", "closed") or player not in table.hands:
        return nonsense(player, f"a hand of {player} is put right, but {player} holds none")
    held, size = table.size_of(player), table.rules.hand_size - table.short.get(player, 0)
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
    if event.count > table.rules.limit or not table.counts.allows(event.count):
        lowest = "" if table.rules.floor is None else f"not under {table.rules.floor} and "
        message = f"the Count is corrected to {event.count}; it is {lowest}not over {table.rules.limit}"
        return Fault(rule="limit", kind="as written", player=None, message=message)
    return None
