"""What the projections keep of a game: its hands, plays and hits, what its players did, and what was found."""

import datetime
from typing import Final, Literal, TypeAlias

import msgspec

from domain import events as ev
from projections.audit import Summary
from projections.duty import DutyRow
from projections.finding import Finding
from projections.statistics import Tally

Role: TypeAlias = Literal["death_card", "shield"] | None
Deed: TypeAlias = Literal["stolen", "bonus", "slid", "taken", "carried", "donated", "leisure", "finished"]
Play: TypeAlias = tuple[int, int, ev.CardPlayed, Role]
"""Line, hand, the play, and what it was besides a card."""


SIMULATED: Final = "simulated"
"""Where the `ext` of a `game_forked` says that bots played on from there."""


class HandRecord(msgspec.Struct):
    """One hand: the lines from its deal to its last one, who dealt, who was dealt in and who won it."""

    hand: int
    line: int
    last_line: int
    dealer: str
    players: list[str]
    winner: str | None = None
    first_out: str | None = None
    plays: int = 0
    voided: bool = False


class Hit(msgspec.Struct, frozen=True):
    """Something that happened to a hit: `source` is whom it came from, `to` whom it was given to."""

    line: int
    hand: int
    deed: Deed
    player: str
    source: str | None
    to: str | None
    prize: ev.PrizeName | None
    hits: int
    card: str | None
    at: datetime.datetime | None


class GameRecord(msgspec.Struct):
    """All that the projections keep of one game. Lines that were taken back are in none of it."""

    opened: ev.GameOpened
    simulated: bool
    """Whether bots made it up, from the start or from where it was forked on."""
    rules: str
    """The name of the rule set, with its options."""
    at: datetime.datetime | None
    """When the game began: the first time that is written in it."""
    closed: bool
    summary: Summary
    findings: list[Finding]
    tallies: dict[str, Tally]
    hands: list[HandRecord]
    plays: list[Play]
    hits: list[Hit]
    duties: list[DutyRow]
