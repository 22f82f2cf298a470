"""`bh99 duty`: who had to load, since when, and what was loaded."""

from typing import Final

from cli.answers import (
    AliasesOption,
    Block,
    ByOption,
    ExcludeOption,
    FormatOption,
    LogsArgument,
    PlayersOption,
    SetOption,
    SimulatedOption,
    SinceOption,
    answer,
    wanted_games,
)
from cli.output import StoreOption

BLOCKS: Final[tuple[Block, ...]] = (
    (
        "",
        (
            *(("log", "log"), ("evening", "evening"), ("month", "month"), ("rules", "rules"), ("line", "line")),
            *(("hand", "hand"), ("player", "player"), ("cause", "cause"), ("loads", "loads")),
        ),
    ),
)


def duty(
    logs: LogsArgument = None,
    player: PlayersOption = None,
    since: SinceOption = None,
    rules: SetOption = None,
    by: ByOption = None,
    exclude: ExcludeOption = None,
    simulated: SimulatedOption = False,
    aliases: AliasesOption = None,
    format: FormatOption = "table",
    store: StoreOption = None,
) -> None:
    """List each time that the loading duty was given, why, and the loads that were done while it held.

    \b
    Examples:
      bh99 duty game.jsonl
      bh99 duty --player Tom --since 2026-11-01
    """
    wanted = wanted_games(
        player, since, rules, disputed=False if exclude else None, simulated=simulated, aliases=aliases
    )
    answer("duty", BLOCKS, logs, by, format, store, wanted)
