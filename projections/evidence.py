"""Which earlier lines a finding rests on: those that put the cards, the Count and the turn where they were."""

from collections.abc import Sequence

from domain import events as ev
from domain.cards import Card, SeenCard
from domain.referee.verdicts import Fault

_COUNTS = (ev.CardPlayed, ev.CountCorrected)
_TURNS = (ev.CardPlayed, ev.PlayerEliminated, ev.PlayerLeft, ev.HandDealt)
_PRIZES = (ev.HandWon, ev.HitStolen, ev.BonusCreated, ev.HitSlid, ev.HitTaken, ev.HitCarried, ev.HitDonated)
_MATCH = (ev.TokensLost, ev.PlayerKnockedOut, ev.MatchWon)

Lines = Sequence[tuple[int, ev.Event]]


def evidence_for(fault: Fault, line: int, before: Lines) -> list[int]:
    """The lines that show a fault of `line`, in order; `before` are the standing lines of its hand, up to it."""
    lines = set(fault.evidence)
    if fault.line is not None:
        lines.add(line)
        before = [(at, event) for at, event in before if at < fault.line]
    if fault.card is not None:
        lines.update(_where_card_was(fault.card, before))
    match fault.rule:
        case "count-called" | "limit" | "must-play":
            lines.update(_last(_COUNTS, before))
        case "turn-order" | "out" | "draw" | "death-card-target" | "death-card-shield" | "death-card-blowback":
            lines.update(_last(_TURNS, before))
        case "reshuffle" | "deck":
            lines.update(_last((ev.PileReshuffled,), before) or _last((ev.HandDealt,), before))
        case "steal" | "bonus" | "slide" | "prize" | "last-standing":
            lines.update(_last(_PRIZES, before) or _last(_TURNS, before))
        case "tokens" | "border" | "match":
            lines.update(_last(_MATCH, before))
            if fault.kind not in ("wrong tokens", "deal after the match"):
                lines.update(_last((ev.CardPlayed, ev.PlayerEliminated), before))
        case "dealer-rotation" | "log-order":
            lines.update(_last((ev.HandDealt,), before))
    reported = fault.line or line
    return sorted(lines - {reported})


def _last(kinds: tuple[type[ev.Event], ...], before: Lines) -> list[int]:
    return next(([line] for line, event in reversed(before) if isinstance(event, kinds)), [])


def _where_card_was(card: Card, before: Lines) -> list[int]:
    found = []
    for line, event in reversed(before):
        if names(event, card):
            found.append(line)
            if len(found) == 2:
                break
    return found


def names(event: ev.Event, card: Card) -> bool:
    """Whether an event says where a card was or went."""
    return card in cards_shown(event) or card in (getattr(event, "stock", None) or ())


def cards_shown(event: ev.Event) -> list[SeenCard]:
    """The cards that an event shows; of a deal those of the hands."""
    match event:
        case ev.CardPlayed() | ev.CardDrawn() | ev.HitSlid():
            return [event.card]
        case ev.HandDealt():
            return [card for cards in event.hands.values() for card in cards]
        case ev.CardsShown():
            return list(event.cards)
        case ev.HandCorrected():
            return [*event.drew, *event.returned]
    return []


def hides_cards(event: ev.Event) -> bool:
    """Whether an event puts cards somewhere of which nobody logged which they are."""
    match event:
        case ev.HandDealt(hands=hands, stock=stock):
            return stock is None or None in stock or any(None in cards for cards in hands.values())
        case ev.CardPlayed(card=card):
            return card is None
        case ev.PileReshuffled(stock=stock):
            return stock is None or None in stock
        case ev.HandCorrected(returned=returned):
            return None in returned
    return False
