"""Judging a play: who plays, which card, what was said of it, and whom it points at."""

import msgspec

from domain import events as ev
from domain.cards import Card, SeenCard, card_name
from domain.counting import AtCount
from domain.referee.calls import judge_call, miscalled, open_turn
from domain.referee.outs import after_forgetting, interrupted, out_of_turn
from domain.referee.verdicts import Among, Fault, FaultKind, Open, Question, Verdict, card_fault
from domain.table import Table


def judge_play(table: Table, event: ev.CardPlayed) -> Verdict:
    """`hold-card`, `limit`, `count-called`, `turn-order` and what a play may come too early or too late for."""
    if table.awaiting == "play" and event.player == table.to_act and not table.owing:
        card, at = event.card, table.at
        if card in table.hands[event.player] or (card in table.unplaced and table.unseen[event.player]):
            after = at.get(card)
            if type(after) is AtCount and after.count == event.count and event.target is None and event.value is None:
                return None
    return _judge_play_closely(table, event)


def _judge_play_closely(table: Table, event: ev.CardPlayed) -> Verdict:
    table = after_forgetting(table)
    fault = interrupted(table, event, event.player) or out_of_turn(table, event) or _never_drew(table, event.player)
    if fault is not None:
        return fault
    judge_card = _judge_answer if table.awaiting == "shield" else _judge_turn
    verdict = judge_card(table, event)
    return verdict if event.card is not None or isinstance(verdict, Fault) else _unseen(table, event, verdict)


def _judge_turn(table: Table, event: ev.CardPlayed) -> Verdict:
    return (
        _judge_card(table, event.player, event.card)
        or judge_call(table, event)
        or _judge_target(table, event)
        or open_turn(table, event)
    )


def _unseen(table: Table, event: ev.CardPlayed, verdict: Open | None) -> Open | None:
    """What would be wrong with a play of an unseen card, for each card that it may have been."""
    judge_card = _judge_answer if table.awaiting == "shield" else _judge_turn
    wrong: dict[str, set[Card]] = {}
    faults: dict[str, Fault] = {}
    for card in table.deck:
        if table.may_hold(event.player, card):
            fault = judge_card(table, msgspec.structs.replace(event, card=card))
            if isinstance(fault, Fault):
                wrong.setdefault(fault.rule, set()).add(card)
                faults.setdefault(fault.rule, fault)
    forks = verdict is not None and verdict.forks
    if not wrong:
        return verdict if forks else None
    questions = tuple(
        Question(Among(frozenset(cards)), _whatever_it_was(table, event, faults[rule])) for rule, cards in wrong.items()
    )
    rule = verdict.rule if forks and verdict is not None else next(iter(wrong))
    return Open(rule, forks=forks, questions=questions)


def _whatever_it_was(table: Table, event: ev.CardPlayed, fault: Fault) -> Fault:
    at = "" if table.count is None else f" at {table.count}"
    said = "" if event.count is None else f" and says {event.count}"
    message = f"{event.player} plays an unseen card{at}{said}; no card that they can have played fits that"
    return msgspec.structs.replace(fault, card=None, message=message, allowed=None)


def _never_drew(table: Table, player: str) -> Fault | None:
    """`draw`: a forgotten draw was not made good before its player plays again, where it has to be (R20)."""
    if table.rules.forgotten_draw != "until_own_play" or player not in table.owing:
        return None
    message = f"{player} plays again without having made good a forgotten draw"
    return Fault(rule="draw", kind="never drew", player=player, message=message)


def _judge_card(table: Table, player: str, card: SeenCard) -> Fault | None:
    """`deck` if the card lies in the open, else `hold-card` if it is known to be somewhere else."""
    if card is None or table.may_hold(player, card):
        return None
    if table.in_the_open(card):
        where = "lies in the play pile" if card in table.pile else "was shown in another hand"
        return card_fault("deck", "card not held", player, card, f"{player} plays {card_name(card)}, which {where}")
    message = f"{player} plays {card_name(card)}, which is not in {player}'s hand"
    return card_fault("hold-card", "card not held", player, card, message)


def _judge_answer(table: Table, event: ev.CardPlayed) -> Fault | None:
    """The target of a Death Card plays the shield, and the Count stays (`death-card-shield`)."""
    rules = table.rules.death_card
    if rules is not None and event.card is not None and event.card != rules.shield:
        answer = card_name(event.card)
        message = f"{event.player} answers the Death Card with {answer}; only {card_name(rules.shield)} shields"
        return Fault(rule="death-card-shield", kind="wrong answer", player=event.player, message=message)
    fault = _judge_card(table, event.player, event.card)
    if fault is None and event.count is not None and table.count is not None and event.count != table.count:
        return miscalled(event, str(table.count))
    return fault


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
    whom = f"{event.target}, who can't act next" if event.target is not None else "who is next and names nobody"
    message = f"{event.player} chooses {whom}; expected another player who is still in"
    return Fault(rule="turn-order", kind="wrong choice", player=event.player, card=event.card, message=message)


def _target_fault(kind: FaultKind, player: str, message: str) -> Fault:
    return Fault(rule="death-card-target", kind=kind, player=player, message=message)
