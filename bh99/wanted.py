"""Which games and players a question is about, and how games are listed."""

import datetime
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

import msgspec

By: TypeAlias = Literal["evening", "month", "rules"]
About: TypeAlias = Literal["players", "duty"]
"""What is asked of logs: statistics of the players, or the loading duty."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which games and players are meant.

    players: only these; empty for all. since: only games of this evening or a later one.
    rules: only games of this set, with or without options.
    disputed: only games with findings, or only those without; None for both.
    simulated: also games that a program made up. aliases: the name of a person for each spelling of it.
    """

    players: tuple[str, ...] = ()
    since: datetime.date | None = None
    rules: str | None = None
    disputed: bool | None = None
    simulated: bool = False
    aliases: Mapping[str, str] = {}

    def __post_init__(self) -> None:
        if isinstance(self.players, str):
            raise TypeError("players is a tuple of names")
        if self.since is not None and not isinstance(self.since, datetime.date):
            raise TypeError("since is a datetime.date")


ALL: Final = Wanted()


def check_by(by: str | None) -> None:
    """Raises ValueError for something that rows can't be grouped by."""
    if by is not None and by not in get_args(By):
        raise ValueError(f"by={by!r}: expected one of {', '.join(get_args(By))}")


class StoredGame(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `bh99 games`. `findings` is None, and `damage` says why, if the stored game can't be read."""

    game: str
    evening: str | None
    at: str | None
    rules: str | None
    source: str | None
    players: list[str]
    events: int | None
    hands: int | None
    closed: bool | None
    findings: int | None
    open_checks: int | None
    damage: str | None
