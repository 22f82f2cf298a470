"""Somebody who types a log in the scribe's shorthand, from the log format and the list of entries alone.

Nothing here imports the scribe. What only a player could know (hands, the stock, drawn cards) isn't typed.
"""

from collections.abc import Sequence
from typing import Any

FOLLOWS = {"hand_won", "tokens_lost", "player_knocked_out", "match_won"}
"""What the scribe writes by itself where everybody at the table sees that it must happen."""
REASONS = {"no_play": "", "death_card": " deathcard", "blowback": " blowback", "left": ""}


def typed(event: dict[str, Any]) -> str:
    """One event as it is typed, with every name."""
    who = _quoted(event.get("player") or "")
    prize = " bonus" if event.get("prize") == "bonus" else ""
    match event["type"]:
        case "hand_dealt":
            return f"deal {_quoted(event['dealer'])}"
        case "card_played":
            return f"{who} {_card(event['card'])}{_said(event)}{_target(event)}"
        case "card_drawn":
            return f"{who} drew {_card(event['card'])}"
        case "draw_missed":
            return f"{who} nodraw"
        case "pile_reshuffled":
            return "reshuffle"
        case "player_eliminated":
            return f"{who} out{REASONS[event['reason']]}"
        case "cards_shown":
            return f"{who} show {' '.join(map(_card, event['cards']))}"
        case "hand_won":
            return f"{who} won"
        case "hit_stolen":
            return f"{who} stole"
        case "bonus_created":
            return f"{who} bonus"
        case "hit_slid":
            return f"slid {_card(event['card'])} {who}{prize}"
        case "hit_taken":
            return f"{who} took {event['hits']}{prize}"
        case "hit_carried":
            return f"{who} carried {event['hits']}{prize}"
        case "hit_donated":
            return f"{who} gave {_quoted(event['to'])} {event['hits']}{prize}"
        case "leisure_hit":
            return f"{who} leisure{' finished' if event.get('finished') else ''}"
        case "bong_loaded":
            return f"{who} loaded"
        case "player_joined":
            seat = event.get("seat")
            return f"joins {who}{'' if seat is None else f' {seat + 1}'}"
        case "player_left":
            return f"leaves {who}"
        case "hand_corrected":
            drew = "".join(f" {_card(card)}" for card in event["drew"])
            returned = "".join(f" {_card(card)}" for card in event["returned"])
            return f"fixed {who} drew{drew} returned{returned}"
        case "count_corrected":
            return f"count ={event['count']}"
        case "hand_voided":
            return f"void {event['reason']}"
        case "taken_back":
            return f"undo {event['about']}{' player' if event['why'] == 'player' else ''}"
        case "ruling_made":
            rule = f" {event['rule']}" if event.get("rule") else ""
            return f"ruling {event['about']}{rule} by {event['by']}: {event['text']}"
        case "tokens_lost":
            reason = "" if event["reason"] == "hand_lost" else f" {event['reason']}"
            return f"paid {who} {event['tokens']}{reason}"
        case "player_knocked_out":
            return f"knocked {who}"
        case "match_won":
            return f"match {who} ={event['tokens']}"
        case "game_closed":
            return "close"
    raise ValueError(event["type"])


def typed_whole(events: Sequence[dict[str, Any]]) -> list[str]:
    """Every event after the first, and nothing else: what would follow by itself is typed, too."""
    return [f"{typed(event)} !{_note(event)}" for event in events[1:]]


def typed_short(events: Sequence[dict[str, Any]], named: bool = False) -> list[str]:
    """What a scribe would type: whose turn it is needn't be named, and what follows by itself isn't typed.

    `named`: everybody is named all the same, as it may not have been noted whom a card chose."""
    entries = []
    for event in events[1:]:
        kind = event["type"]
        if kind in FOLLOWS or event.get("reason") in ("blowback", "left"):
            continue
        if kind in ("card_played", "player_eliminated", "card_drawn") and not named:
            entries.append(typed(event).removeprefix(_quoted(event["player"])).strip() + _note(event))
        elif kind == "hand_dealt" and entries and "note" not in event:
            entries.append(".")
        else:
            entries.append(typed(event) + _note(event))
    return entries


def _note(event: dict[str, Any]) -> str:
    return f" # {event['note']}" if event.get("note") else ""


def _quoted(name: str) -> str:
    return f'"{name}"' if " " in name else name


def _card(card: str | None) -> str:
    return "?" if card is None else card.lower()


def _said(event: dict[str, Any]) -> str:
    count, value = event.get("count"), event.get("value")
    said = "" if count is None else f" ={count}" if count < 0 else f" {count}"
    if value is not None:
        said += f" {value:+d}"
    return said or " ?"


def _target(event: dict[str, Any]) -> str:
    target = event.get("target")
    return "" if target is None else f" -> {_quoted(target)}"
