"""Deciding: commands become events, and what the rules force follows by itself. Only the referee says what is legal."""

from domain.deciding.choices import choices
from domain.deciding.decide import decide, follow, settle
from domain.deciding.forced import LONGEST_HAND, forced
from domain.deciding.opening import open_game
from domain.deciding.refused import Refused
from domain.deciding.seats import as_seen_from

__all__ = ["LONGEST_HAND", "Refused", "as_seen_from", "choices", "decide", "follow", "forced", "open_game", "settle"]
