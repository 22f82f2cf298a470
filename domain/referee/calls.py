"""Judging what is said with a card: the Count that it makes, and the value that was chosen for it."""

from collections.abc import Iterable

from domain import events as ev
from domain.cards import Card, card_name
from domain.counting import after_effect
from domain.referee.verdicts import OPEN_COUNT, OPEN_DEATH_CARD, OPEN_TURN, Expected, Fault, Verdict
from domain.table import Table


def judge_call(table: Table, event: ev.CardPlayed) -> Verdict:
    """`limit` for a card that can't be played at this Count, `count-called` for a Count that it does not give."""
    at, card, said, value = table.at, event.card, event.count, event.value
    count = at.count
    totals = at.totals(card)
    if card is None or count is None:
        return _judge_said_alone(table, event, totals)
    if totals is None:
        message = f"{event.player} plays {card_name(card)} at {count}: that takes the Count over {table.rules.limit}"
        return Fault(rule="limit", kind="over the limit", player=event.player, card=card, message=message)
    if said is not None and said not in totals:
        return _out_of_bounds(table, event) or miscalled(event, _either(totals))
    if value is not None and count + value not in totals and said is None and (fault := _out_of_bounds(table, event)):
        return fault
    if value is not None and (count + value not in totals or said not in (None, count + value)):
        counts = _either(total - count for total in totals)
        message = f"{_said_to_count(event)}; it counts {counts}"
        if said is not None and count + value in totals:
            message = f"{_said_to_count(event)} at {count}, but to make {said}"
        return _wrong_value(event, message, _saying(event, _either(totals)))
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
    message = f"{event.player} plays {card_name(card)} at {count} and makes it {total}: {_no_further(table, total)}"
    allowed = _saying(event, _either(table.at.totals(card) or ()))
    return Fault(
        rule="limit", kind="chosen out of bounds", player=event.player, card=card, message=message, allowed=allowed
    )


def _judge_said_alone(table: Table, event: ev.CardPlayed, totals: tuple[int, ...] | None) -> Verdict:
    """A said Count where the card or the Count before is unknown: is there a card that gives it?"""
    said = event.count
    fault = _impossible_value(table, event)
    if fault is not None:
        return fault
    if _may_be_death_card(table, event):
        return OPEN_DEATH_CARD
    if said is None:
        return _judge_value_alone(table, event) or (None if totals else open_turn(table, event) or OPEN_COUNT)
    if not table.counts.allows(said):
        message = f"{event.player} says {said}: {_no_further(table, said)}"
        return Fault(rule="limit", kind="over the limit", player=event.player, message=message)
    if totals:
        return miscalled(event, _either(totals)) if said not in totals else None
    if event.card is None and table.count is not None and not _some_card_makes(table, said):
        return miscalled(event, "another Count, whatever the card was")
    return _judge_value_alone(table, event) or open_turn(table, event) or OPEN_COUNT


def _some_card_makes(table: Table, total: int) -> bool:
    return any(total in (table.at.totals(card) or ()) for card in table.at)


def _impossible_value(table: Table, event: ev.CardPlayed) -> Fault | None:
    """`count-called`: a value that a card hasn't, whatever the Count before was."""
    card, value, rules = event.card, event.value, table.rules
    if card is None or value is None or rules.at_limit is not None:
        return None
    effect = rules.effect_of(card, None)
    if effect is None or effect.set is not None or value in effect.add:
        return None
    return _wrong_value(event, f"{_said_to_count(event)}; it counts {_either(effect.add)}")


def _judge_value_alone(table: Table, event: ev.CardPlayed) -> Fault | None:
    """What an unseen card is said to count must be what some card counts."""
    before, value = table.count, event.value
    if event.card is not None or before is None or value is None:
        return None
    if _some_card_makes(table, before + value):
        return None
    return _wrong_value(event, f"{_said_to_count(event)}; no card counts that at {before}")


def _may_be_death_card(table: Table, event: ev.CardPlayed) -> bool:
    """Whether a play that leaves the card or the Count open can be the Death Card, and need not be."""
    rules, limit = table.rules.death_card, table.rules.limit
    if rules is None or table.count not in (limit, None) or event.count not in (limit, None):
        return False
    if event.card is None:
        return table.may_hold(event.player, rules.card)
    return event.card == rules.card and table.count is None and event.target is None


def open_turn(table: Table, event: ev.CardPlayed) -> Verdict:
    """Whether an unseen card passed the turn otherwise than to the next player turns on which card it was."""
    if event.card is None and any(table.may_hold(event.player, card) for card in turning_cards(table, event)):
        return OPEN_TURN
    return None


def turning_cards(table: Table, event: ev.CardPlayed) -> list[Card]:
    """The cards that an unseen one may have been, going by what was said, and that don't just pass the turn on."""
    count, rules, said = table.count, table.rules, event.count
    if said is not None and said > rules.limit:
        return []  # whatever it was, the hand is over
    return [
        card
        for card in table.at.close
        if (effect := rules.effect_of(card, count)) is not None
        and effect.then != "next"
        and (event.value is None or effect.set is not None or event.value in effect.add)
        and (said is None or count is None or said in (table.at.totals(card) or ()))
    ]


def miscalled(event: ev.CardPlayed, after: str) -> Fault:
    player, card = event.player, event.card
    message = f"{player} plays {card_name(card)} and says {event.count}; the cards give {after}"
    allowed = _saying(event, after)
    return Fault(rule="count-called", kind="miscalled", player=player, card=card, message=message, allowed=allowed)


def _wrong_value(event: ev.CardPlayed, message: str, allowed: Expected | None = None) -> Fault:
    player, card = event.player, event.card
    return Fault(rule="count-called", kind="wrong value", player=player, card=card, message=message, allowed=allowed)


def _saying(event: ev.CardPlayed, counts: str) -> Expected:
    text = f"{event.player} says {counts} with {card_name(event.card)}"
    return Expected("card_played", event.player, [event.card], text)


def _said_to_count(event: ev.CardPlayed) -> str:
    name = "card" if event.card is None else card_name(event.card).removeprefix("the ")
    return f"{event.player}'s {name} is said to count {event.value}"


def _no_further(table: Table, count: int) -> str:
    """That the Count has bounds, and which one it is that `count` passes."""
    rules = table.rules
    bound = f"over {rules.limit}" if count > rules.limit else f"under {rules.floor}"
    return f"no play may take the Count {bound}"


def _either(totals: Iterable[int]) -> str:
    return " or ".join(map(str, totals))
