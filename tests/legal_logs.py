"""The log of a game as others would have written it, and a check of where the cards in a log are."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from legal_table import DECK, Event, copied


def _nulls(cards: Sequence[str]) -> list[str | None]:
    return [None] * len(cards)


def _blanked(event: Event) -> Event:
    match event["type"]:
        case "hand_dealt":
            hands = {name: _nulls(cards) for name, cards in event["hands"].items()}
            return {**event, "hands": hands, "stock": None}
        case "card_drawn":
            return {**event, "card": None}
        case "pile_reshuffled":
            return {**event, "stock": None}
        case "hand_corrected":
            return {**event, "drew": _nulls(event["drew"]), "returned": _nulls(event["returned"])}
    return _copied_event(event)


def _copied_event(event: Event) -> Event:
    return {key: copied(value) for key, value in event.items()}


def blanked(events: list[Event]) -> list[Event]:
    """The log as somebody at the table wrote it: only what everybody saw."""
    return [_blanked(event) for event in events]


def half_blanked(events: list[Event], seed: int) -> list[Event]:
    """Each hidden card is known with some chance; a stock is known whole, in part or not at all."""
    rng = Random(f"half {seed}")
    share = rng.choice([0.2, 0.5, 0.8])

    def some(cards: Sequence[str | None]) -> list[str | None]:
        return [card if rng.random() < share else None for card in cards]

    def some_stock(cards: Sequence[str | None] | None) -> list[str | None] | None:
        kind = rng.random()
        return None if cards is None or kind < 0.4 else list(cards) if kind < 0.7 else some(cards)

    made: list[Event] = []
    for event in map(_copied_event, events):
        match event["type"]:
            case "hand_dealt":
                event["hands"] = {name: some(cards) for name, cards in event["hands"].items()}
                event["stock"] = some_stock(event["stock"])
            case "card_drawn":
                event["card"] = some([event["card"]])[0]
            case "pile_reshuffled":
                event["stock"] = some_stock(event["stock"])
            case "hand_corrected":
                event["drew"], event["returned"] = some(event["drew"]), some(event["returned"])
        made.append(event)
    return made


def with_omits(events: list[Event], types: Iterable[str]) -> list[Event]:
    """The log of a table that never writes these types; line numbers inside are moved along."""
    left_out = set(types)
    kept = [line for line, event in enumerate(events, 1) if event["type"] not in left_out]
    moved: dict[int, int] = {}
    made: list[Event] = []
    for line in kept:
        event = _copied_event(events[line - 1])
        if line == 1:
            event["omits"] = sorted(left_out)
        if "about" in event:
            about = next(moved.get(late, line) for late in kept if late >= event["about"])
            if about == line:
                continue  # all that it was about is left out
            event["about"] = about
        made.append(event)
        moved[line] = len(made)
        if "seq" in event:
            event["seq"] = len(made)
    return made


# A check of the generator by other means: it reads the finished log only


def misplaced(events: list[Event]) -> list[str]:
    """What is wrong with the places of the cards in a log that names them all; empty if nothing is."""
    wrong: list[str] = []
    hands: dict[str, list[str]] = {}
    stock: list[str] = []
    pile: list[str] = []
    before: dict[int, Any] = {}
    for line, event in enumerate(events, 1):
        before[line] = copied([hands, stock, pile])
        player, card = event.get("player", ""), event.get("card", "")
        match event["type"]:
            case "hand_dealt":
                hands, stock, pile = copied(event["hands"]), list(event["stock"]), []
            case "card_played" if card in hands.get(player, []):
                hands[player].remove(card)
                pile.append(card)
            case "card_drawn" if stock and stock[0] == card:
                hands[player].append(stock.pop(0))
            case "card_played" | "card_drawn":
                wrong.append(f"line {line}: {card} is not there")
            case "pile_reshuffled":
                if stock or sorted(pile) != sorted(event["stock"]):
                    wrong.append(f"line {line}: not the pile")
                stock, pile = list(event["stock"]), []
            case "taken_back":
                hands, stock, pile = copied(before[event["about"]])
        everywhere = sorted([*stock, *pile, *(one for hand in hands.values() for one in hand)])
        if hands and everywhere != sorted(DECK):
            wrong.append(f"line {line}: {len(everywhere)} cards")
    return wrong


def with_hidden_cards_moved(events: list[dict[str, Any]], seat: str) -> list[dict[str, Any]]:
    """The same game to the eyes of one seat: every card that it did not see is another one."""
    moved = []
    for event in events:
        match event["type"]:
            case "hand_dealt":
                others = [card for name, hand in event["hands"].items() if name != seat for card in hand]
                unseen = [*others, *(event["stock"] or [])]
                again = iter(unseen[7:] + unseen[:7])
                hands = {
                    name: hand if name == seat else [next(again) for _ in hand] for name, hand in event["hands"].items()
                }
                event = {**event, "hands": hands, "stock": event["stock"] and list(again)}
            case "card_drawn" if event["player"] != seat:
                event = {**event, "card": "Ac" if event["card"] == "Kd" else "Kd"}
            case "pile_reshuffled" if event["stock"]:
                event = {**event, "stock": event["stock"][::-1]}
            case "hand_corrected" if event["player"] != seat:
                event = {**event, "drew": event["returned"], "returned": event["drew"]}
        moved.append(event)
    return moved
