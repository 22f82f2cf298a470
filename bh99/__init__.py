"""bh99: the referee that remembers. What scripts use.

>>> import bh99
>>> fold = bh99.audit_log("fixtures/miscalled.jsonl")
>>> fold.findings[0].rule
'count-called'
"""

from bh99.audits import audit_log, replay_log
from bh99.errors import Bh99Error, LogUnreadable, UnknownLine, UnknownSeat
from bh99.logs import Log, open_log

__all__ = ["Bh99Error", "Log", "LogUnreadable", "UnknownLine", "UnknownSeat", "audit_log", "open_log", "replay_log"]
