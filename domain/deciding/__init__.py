"""Deciding: commands become events, and what the rules force follows by itself. The referee says what is legal; what
isn't a fault in any log, but can't be asked for, is refused here: strangers, seats and lines that aren't there."""

from domain.deciding.choices import choices, ways_to_play
from domain.deciding.decide import decide, event_of, follow, settle
from domain.deciding.forced import LONGEST_HAND, forced
from domain.deciding.opening import Clock, open_game
from domain.deciding.play_on import SelfPlay
from domain.deciding.refused import Refused
from domain.deciding.seats import as_seen_from
from domain.deciding.sight import Bot, Sight

__all__ = [
    "LONGEST_HAND",
    "Bot",
    "Clock",
    "Refused",
    "SelfPlay",
    "Sight",
    "as_seen_from",
    "choices",
    "decide",
    "event_of",
    "follow",
    "forced",
    "open_game",
    "settle",
    "ways_to_play",
]
