"""bh99: the referee that remembers. What scripts use (docs/scripts.md).

>>> import bh99
>>> bh99.audit("fixtures/miscalled.jsonl").findings[0].rule
'count-called'
"""

from typing import TYPE_CHECKING, Any

from bh99.answers import audit, duty, read_log, stats
from bh99.audits import audit_logs, replay_log
from bh99.errors import (
    AliasesUnreadable,
    Bh99Error,
    GameConflict,
    GameDamaged,
    GameForgotten,
    LogRewritten,
    LogUnreadable,
    RulesUnreadable,
    StoreDamaged,
    StoreError,
    StoreUnusable,
    UnknownGame,
    UnknownLine,
    UnknownSeat,
)
from bh99.judging import Audited
from bh99.logs import Log
from bh99.rows import Rows
from bh99.wanted import Wanted

if TYPE_CHECKING:
    from bh99.store.store import GameStore, open_store

__all__ = [
    "AliasesUnreadable",
    "Audited",
    "Bh99Error",
    "GameConflict",
    "GameDamaged",
    "GameForgotten",
    "GameStore",
    "Log",
    "LogRewritten",
    "LogUnreadable",
    "Rows",
    "RulesUnreadable",
    "StoreDamaged",
    "StoreError",
    "StoreUnusable",
    "UnknownGame",
    "UnknownLine",
    "UnknownSeat",
    "Wanted",
    "audit",
    "audit_logs",
    "duty",
    "open_store",
    "read_log",
    "replay_log",
    "stats",
]


def __getattr__(name: str) -> Any:
    """The store, whose libraries take longer to load than an audit does."""
    if name not in ("GameStore", "open_store"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bh99.store import store

    return getattr(store, name)
