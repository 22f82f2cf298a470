"""bh99: the referee that remembers. What scripts use.

>>> import bh99
>>> fold = bh99.audit_log("fixtures/miscalled.jsonl")
>>> fold.findings[0].rule
'count-called'
"""

from bh99.audits import Audited, audit_log, audit_logs, replay_log
from bh99.errors import Bh99Error, LogUnreadable, RulesUnreadable, UnknownLine, UnknownSeat
from bh99.logs import Log, open_log

__all__ = [
    "Audited",
    "Bh99Error",
    "Log",
    "LogUnreadable",
    "RulesUnreadable",
    "UnknownLine",
    "UnknownSeat",
    "audit_log",
    "audit_logs",
    "open_log",
    "replay_log",
]
