"""`bh99 stats`: what everybody did, over logs or the store."""

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

_WHO: Final = (("evening", "evening"), ("month", "month"), ("rules", "rules"), ("player", "player"))
BLOCKS: Final[tuple[Block, ...]] = (
    (
        "",
        (
            *_WHO,
            *(("games", "games"), ("hands", "hands"), ("wins", "wins"), ("win_rate", "won"), ("plays", "plays")),
            *(("draws", "draws"), ("miscalls", "miscalls")),
        ),
    ),
    (
        "out of the hand",
        (
            *_WHO,
            *(("first_outs", "first"), ("out_no_play", "no play"), ("out_death_card", "death card")),
            *(("out_blowback", "blowback"), ("out_left", "left")),
        ),
    ),
    ("at 99", (*_WHO, ("death_cards", "death cards"), ("kills", "kills"), ("shields", "shields"))),
    (
        "on the way of a hit",
        (
            *_WHO,
            *(("steals", "steals"), ("robbed", "robbed"), ("slides_in", "slid to"), ("slides_out", "slid from")),
            ("bonuses", "bonuses"),
        ),
    ),
    (
        "hits",
        (
            *_WHO,
            *(("hits_taken", "taken"), ("hits_donated", "given"), ("hits_received", "received")),
            ("hits_carried", "left over"),
        ),
    ),
    (
        "at leisure",
        (*_WHO, ("leisure_hits", "hits"), ("bowls_finished", "bowls finished"), ("loads", "loads")),
    ),
    ("matches", (*_WHO, ("matches", "matches"), ("matches_won", "won"), ("tokens_lost", "tokens lost"))),
)
"""Every field, in parts that fit on 80 columns."""


def stats(
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
    """Count what everybody did: hands won, cards played, hits, loads and much else, a row a player.

    \b
    Examples:
      bh99 stats
      bh99 stats evenings/ --player Ana --by month
      bh99 stats game.jsonl --format csv > stats.csv
      bh99 stats --exclude disputed --aliases people.toml
    """
    wanted = wanted_games(
        player, since, rules, disputed=False if exclude else None, simulated=simulated, aliases=aliases
    )
    answer("players", BLOCKS, logs, by, format, store, wanted)
