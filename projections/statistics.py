"""What is counted of each player (docs/statistics.md): a tally a game, and the row that is made of several."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

Group = str | msgspec.UnsetType | None
"""What a row is about, where rows are grouped by it; None where the game doesn't tell; absent where they aren't."""


class Tally(msgspec.Struct):
    """What one player did in one game, or in one hand of it. Only lines that stand count (R14), and of a hand that
    was voided nothing but leisure hits, loads and finished bowls (R7)."""

    games: int = 0
    hands: int = 0
    wins: int = 0
    plays: int = 0
    draws: int = 0
    out_no_play: int = 0
    out_death_card: int = 0
    out_blowback: int = 0
    out_left: int = 0
    first_outs: int = 0
    death_cards: int = 0
    kills: int = 0
    shields: int = 0
    steals: int = 0
    robbed: int = 0
    slides_in: int = 0
    slides_out: int = 0
    bonuses: int = 0
    hits_taken: int = 0
    hits_donated: int = 0
    hits_received: int = 0
    hits_carried: int = 0
    leisure_hits: int = 0
    bowls_finished: int = 0
    loads: int = 0
    miscalls: int = 0
    tokens_lost: int = 0
    matches: int = 0
    matches_won: int = 0


COUNTED: Final = Tally.__struct_fields__
"""The numbers of a tally, in the order of the row."""


class PlayerStats(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `bh99 stats`: a player, over all games that were asked for."""

    evening: Group = msgspec.UNSET
    month: Group = msgspec.UNSET
    rules: Group = msgspec.UNSET
    player: str
    games: int
    hands: int
    wins: int
    win_rate: float
    """Wins by hands; 0 without hands."""
    plays: int
    draws: int
    out_no_play: int
    out_death_card: int
    out_blowback: int
    out_left: int
    first_outs: int
    death_cards: int
    kills: int
    shields: int
    steals: int
    robbed: int
    slides_in: int
    slides_out: int
    bonuses: int
    hits_taken: int
    hits_donated: int
    hits_received: int
    hits_carried: int
    leisure_hits: int
    bowls_finished: int
    loads: int
    miscalls: int
    tokens_lost: int
    matches: int
    matches_won: int


def player_stats(player: str, counts: Mapping[str, int], group: Mapping[str, str | None]) -> PlayerStats:
    """The row of a player. `group`: what the rows are grouped by, and the group of this one; empty without."""
    row: dict[str, Any] = {**group, "player": player, **counts}
    return PlayerStats(**row, win_rate=counts["wins"] / counts["hands"] if counts["hands"] else 0.0)
