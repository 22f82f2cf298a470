"""bh99: the referee that remembers. What scripts use (docs/scripts.md).

>>> import bh99
>>> bh99.audit("fixtures/miscalled.jsonl").findings[0].rule
'count-called'
"""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from bh99.answers import audit, duty, read_log, stats
    from bh99.audits import audit_logs, replay_log
    from bh99.branching import WhatIf, fork, whatif
    from bh99.chance import Chance
    from bh99.comparing import Difference, diff
    from bh99.converting import Converted, convert
    from bh99.deducing import Deduction, deduce
    from bh99.errors import (
        AliasesUnreadable,
        Bh99Error,
        GameConflict,
        GameDamaged,
        GameForgotten,
        LogRewritten,
        LogUnreadable,
        LogUnwritable,
        NotForked,
        NotSimulated,
        NoWorlds,
        RulesUnreadable,
        StoreBusy,
        StoreDamaged,
        StoreError,
        StoreUnusable,
        UnknownBot,
        UnknownGame,
        UnknownLine,
        UnknownSeat,
    )
    from bh99.judging import Audited
    from bh99.keepers import MemoryKeeper, open_keeper
    from bh99.logs import Log
    from bh99.playing import LiveGame, begin_game
    from bh99.rows import Rows
    from bh99.simulating import Comparison, Plan, Simulation, compare, plan_of, simulate
    from bh99.store.store import GameStore, open_store
    from bh99.wanted import Wanted

__all__ = [
    "AliasesUnreadable",
    "Audited",
    "Bh99Error",
    "Chance",
    "Comparison",
    "Converted",
    "Deduction",
    "Difference",
    "GameConflict",
    "GameDamaged",
    "GameForgotten",
    "GameStore",
    "LiveGame",
    "Log",
    "LogRewritten",
    "LogUnreadable",
    "LogUnwritable",
    "MemoryKeeper",
    "NoWorlds",
    "NotForked",
    "NotSimulated",
    "Plan",
    "Rows",
    "RulesUnreadable",
    "Simulation",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreUnusable",
    "UnknownBot",
    "UnknownGame",
    "UnknownLine",
    "UnknownSeat",
    "Wanted",
    "WhatIf",
    "audit",
    "audit_logs",
    "begin_game",
    "compare",
    "convert",
    "deduce",
    "diff",
    "duty",
    "fork",
    "open_keeper",
    "open_store",
    "plan_of",
    "read_log",
    "replay_log",
    "simulate",
    "stats",
    "whatif",
]

_ELSEWHERE: Final = {
    "bh99.answers": ("audit", "duty", "read_log", "stats"),
    "bh99.audits": ("audit_logs", "replay_log"),
    "bh99.chance": ("Chance",),
    "bh99.comparing": ("Difference", "diff"),
    "bh99.converting": ("Converted", "convert"),
    "bh99.deducing": ("Deduction", "deduce"),
    "bh99.branching": ("WhatIf", "fork", "whatif"),
    "bh99.judging": ("Audited",),
    "bh99.keepers": ("MemoryKeeper", "open_keeper"),
    "bh99.logs": ("Log",),
    "bh99.playing": ("LiveGame", "begin_game"),
    "bh99.rows": ("Rows",),
    "bh99.simulating": ("Comparison", "Plan", "Simulation", "compare", "plan_of", "simulate"),
    "bh99.store.store": ("GameStore", "open_store"),
    "bh99.wanted": ("Wanted",),
}
"""Where each name is defined, if not among the errors: loaded when it is used, as an audit needs little of it all."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = next((module for module, names in _ELSEWHERE.items() if name in names), "bh99.errors")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted(__all__)
