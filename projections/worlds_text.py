"""The worlds after a line, in words."""

from domain.cards import Card, card_name
from projections.deduction.worlds import Seat, Worlds

MOST_NAMED = 8
"""Cards of a seat that are named with their chance, likeliest first."""


def worlds_text(worlds: Worlds) -> str:
    """What each seat must hold, can't hold and may hold, and how many deals agree."""
    lines = [f"After line {worlds.line}, in hand {worlds.hand}: {_deals(worlds)}"]
    if worlds.how:
        lines.append(f"  ({worlds.how})")
    for seat in worlds.seats:
        lines += ["", seat.name, *(f"  {line}" for line in _seat(seat))]
    return "\n".join(lines)


def _deals(worlds: Worlds) -> str:
    if worlds.deals == "0":
        return "no deal agrees with the log; an audit names the line."
    if worlds.deals == "1":
        return "one deal agrees with the log."
    about = "" if worlds.exact else "about "
    return f"{about}{number_text(worlds.deals)} deals agree with the log."


def number_text(digits: str) -> str:
    """A long number so that it can be read: 1,234 or 1.2 × 10^30."""
    if len(digits) <= 12:
        return f"{int(digits):,}"
    return f"{digits[0]}.{digits[1:3]} × 10^{len(digits) - 1}"


def _seat(seat: Seat) -> list[str]:
    lines = []
    if seat.must_hold:
        lines.append("holds in every deal: " + ", ".join(map(card_name, seat.must_hold)))
    likely = sorted(seat.chances.items(), key=lambda item: -item[1])
    groups: dict[str, list[Card]] = {}
    for card, chance in likely:
        groups.setdefault(_percent(chance), []).append(card)
    named = 0
    for percent, cards in groups.items():
        if named >= MOST_NAMED:
            lines.append(f"may hold {len(likely) - named} others, each less likely")
            break
        named += len(cards)
        lines.append(f"may hold, {percent}{' each' if len(cards) > 1 else ''}: " + " ".join(cards))
    if seat.cannot_hold:
        lines.append(f"holds in no deal: {' '.join(seat.cannot_hold)}")
    return lines


def _percent(chance: float) -> str:
    percent = 100 * chance
    if percent < 0.1:
        return "under 0.1 %"
    return "over 99.9 %" if percent > 99.9 else f"{percent:.1f} %"
