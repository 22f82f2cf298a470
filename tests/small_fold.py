"""Statistics and loading duty of a log that is in order, by hand: written from the rulebook alone, slow and short."""

from collections import Counter
from typing import Any

from legal_table import count_after

Event = dict[str, Any]
Line = tuple[int, Event]
SMOKE = ("leisure_hit", "bong_loaded")


def is_match(events: list[Event]) -> bool:
    """Whether a log is of the family that is played for tokens, without hits."""
    return str(events[0]["rules"]).startswith("ninety-nine")


def standing(events: list[Event]) -> list[Line]:
    """The lines that stand (R14): smoke and loads stay where they were, whatever is taken back."""
    before: dict[int, list[Line]] = {}
    now: list[Line] = []
    for line, event in enumerate(events, 1):
        before[line] = list(now)
        if event["type"] == "taken_back":
            about = event["about"]
            smoke = [(at, events[at - 1]) for at in range(about, line) if events[at - 1]["type"] in SMOKE]
            now = sorted([*before[about], *smoke], key=lambda pair: pair[0])
        else:
            now.append((line, event))
    return now


def hands_of(lines: list[Line]) -> list[list[Line]]:
    """The lines before the first deal, then those of each hand from its deal on."""
    hands: list[list[Line]] = [[]]
    for line, event in lines:
        if event["type"] == "hand_dealt":
            hands.append([])
        hands[-1].append((line, event))
    return hands


def statistics(events: list[Event]) -> dict[str, Counter[str]]:
    """Of each player who sat at the table, the numbers that aren't 0."""
    counts: dict[str, Counter[str]] = {}
    family = is_match(events)
    for hand in hands_of(standing(events)):
        voided = any(event["type"] == "hand_voided" for _, event in hand)
        count, attacker, anybody_out = 0, None, False
        for _, event in hand:
            kind, who = event["type"], event.get("player", "")
            for name in event["players"] if kind == "game_opened" else [who] if kind == "player_joined" else []:
                counts.setdefault(name, Counter())["games"] = 1
                counts[name]["matches"] = int(family)
            mine = counts.setdefault(who, Counter()) if who else Counter()
            if kind == "leisure_hit":
                mine["leisure_hits"] += 1
                mine["bowls_finished"] += event.get("finished", False)
            if kind == "bong_loaded":
                mine["loads"] += 1
            if voided:
                continue
            if kind == "hand_dealt":
                for name in event["hands"]:
                    counts.setdefault(name, Counter())["hands"] += 1
            elif kind == "card_played":
                mine["plays"] += 1
                if attacker is not None and event["card"] == "Ad":
                    mine["shields"] += 1
                elif event["card"] == "Qs" and count == 99 and not family:
                    mine["death_cards"] += 1
                    attacker = who
                if not family and not (attacker and event["card"] == "Ad"):
                    count = count_after(event["card"], count) or 0
            elif kind == "count_corrected":
                count = event["count"]
            elif kind == "card_drawn":
                mine["draws"] += 1
                if attacker is not None and who != attacker:
                    attacker = None  # the shield was drawn for: the Death Card is spent
            elif kind == "player_eliminated":
                mine[f"out_{event['reason']}"] += 1
                if event["reason"] == "death_card":
                    counts[attacker or ""]["kills"] += 1
                    attacker = None
                elif event["reason"] == "left" and attacker is not None and who != attacker:
                    attacker = attacker if _still_waits(hand, event) else None
                if event["reason"] != "left" and not anybody_out:
                    mine["first_outs"] += 1
                    anybody_out = True
            elif kind == "hand_won":
                mine["wins"] += 1
            elif kind == "hit_stolen":
                mine["steals"] += 1
                counts[event["source"]]["robbed"] += 1
            elif kind == "bonus_created":
                mine["bonuses"] += 1
            elif kind == "hit_slid" and event["source"] != who:
                mine["slides_in"] += 1
                counts[event["source"]]["slides_out"] += 1
            elif kind in ("hit_taken", "hit_carried", "hit_donated"):
                mine[kind.replace("hit_", "hits_")] += event["hits"]
                if kind == "hit_donated":
                    counts.setdefault(event["to"], Counter())["hits_received"] += event["hits"]
            elif kind == "tokens_lost":
                mine["tokens_lost"] += event["tokens"]
            elif kind == "match_won":
                mine["matches_won"] += 1
    return {name: Counter({key: value for key, value in tally.items() if value}) for name, tally in counts.items()}


def _still_waits(hand: list[Line], left: Event) -> bool:
    """Whether the Death Card is still answered after somebody left: an answer or a going out by it comes next."""
    rest = [event for _, event in hand][[event for _, event in hand].index(left) + 1 :]
    for event in rest:
        if event["type"] == "player_eliminated" and event["reason"] == "death_card":
            return True
        if event["type"] == "card_played":
            return bool(event["card"] == "Ad")
    return False


def duties(events: list[Event]) -> list[dict[str, Any]]:
    """Each time that the loading duty is given (R16), with the loads done while it held."""
    rows: list[dict[str, Any]] = []
    if is_match(events):
        return rows
    finisher: dict[str, Any] | None = None
    for number, hand in enumerate(hands_of(standing(events))):
        held = earlier = finisher
        first: dict[str, Any] | None = None
        for line, event in hand:
            kind, who = event["type"], event.get("player")
            if kind == "leisure_hit" and event.get("finished"):
                held = finisher = {"line": line, "hand": number, "player": who, "cause": "finished_bowl", "loads": []}
                rows.append(held)
                if first is None:
                    earlier = finisher
            elif kind == "player_eliminated" and event["reason"] != "left" and first is None:
                held = first = {"line": line, "hand": number, "player": who, "cause": "first_out", "loads": []}
                rows.append(held)
                finisher = None
            elif kind == "bong_loaded" and held is not None:
                held["loads"].append(line)
            elif kind == "hand_voided" and first is not None:
                rows.remove(first)
                if held is first or held is None:
                    held = finisher = earlier
            elif kind == "player_left":
                held = None if held and held["player"] == who else held
                finisher = None if finisher and finisher["player"] == who else finisher
                earlier = None if earlier and earlier["player"] == who else earlier
    return rows
