"""The tables that are asked: what SQL they are, and how the record of a game becomes their rows (docs/store.md)."""

import datetime
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from bh99.clock import date_of_evening
from bh99.store.database import Cursor
from projections.records import GameRecord
from projections.statistics import COUNTED

TABLES: Final[dict[str, str]] = {
    "games": "game TEXT PRIMARY KEY, rules TEXT, at TEXT, evening TEXT, month TEXT, source TEXT, players INTEGER,"
    " events INTEGER, hands INTEGER, closed INTEGER, findings INTEGER, open_checks INTEGER, damage TEXT",
    "players": f"game TEXT, player TEXT, {', '.join(f'{name} INTEGER' for name in COUNTED)},"
    " PRIMARY KEY (game, player)",
    "hands": "game TEXT, hand INTEGER, line INTEGER, last_line INTEGER, dealer TEXT, players INTEGER, winner TEXT,"
    " first_out TEXT, plays INTEGER, voided INTEGER, PRIMARY KEY (game, hand)",
    "plays": "game TEXT, line INTEGER, hand INTEGER, player TEXT, card TEXT, said INTEGER, target TEXT, value INTEGER,"
    " role TEXT, at TEXT, PRIMARY KEY (game, line)",
    "hits": "game TEXT, line INTEGER, hand INTEGER, deed TEXT, player TEXT, source TEXT, receiver TEXT, prize TEXT,"
    " hits INTEGER, card TEXT, at TEXT, PRIMARY KEY (game, line)",
    "duty": "game TEXT, line INTEGER, hand INTEGER, player TEXT, cause TEXT, loads INTEGER, load_lines TEXT,"
    " PRIMARY KEY (game, line)",
    "findings": "game TEXT, line INTEGER, hand INTEGER, rule TEXT, certainty TEXT, player TEXT, message TEXT,"
    " expected TEXT, evidence TEXT, ruled INTEGER, auditor TEXT",
}
"""Each table with its columns."""
MADE_BY: Final = "form INTEGER, auditor TEXT, fingerprint TEXT"
"""The columns of `made_by`: of which form the views are, by which auditor, and what they follow."""
MOST: Final = 2**53 - 1
"""The largest number in a view: the largest whole one that every reader of JSON and every spreadsheet holds."""
AT_ONCE: Final = 500
"""Games that a statement names, at most."""
_COLUMNS_OF_GAMES: Final = TABLES["games"].count(",") + 1
Kept = GameRecord | str | None
"""What is kept of a stored game: why it can't be read, if it can't; None if it was forgotten."""


def create_statements(text: str = "TEXT", whole: str = "INTEGER", keyed: str = " WITHOUT ROWID") -> list[str]:
    """What makes the tables. `text`, `whole`: how the engine calls texts, in the order of their characters, and whole
    numbers; `keyed`: what it says behind a table with a key."""
    statements = []
    for name, columns in {**TABLES, "made_by": MADE_BY}.items():
        columns = columns.replace("TEXT", text).replace("INTEGER", whole)
        end = keyed if "PRIMARY KEY" in columns else ""
        statements.append(f"CREATE TABLE IF NOT EXISTS {name} ({columns}){end}")
    return [*statements, "CREATE INDEX IF NOT EXISTS findings_of_games ON findings(game)"]


def drop(c: Cursor, games: Sequence[str]) -> None:
    """Take the rows of some games out of all tables."""
    for at in range(0, len(games), AT_ONCE):
        some = games[at : at + AT_ONCE]
        for table in TABLES:
            c.execute(f"DELETE FROM {table} WHERE game IN ({', '.join('?' * len(some))})", some)


def rows_of(table: str, records: Sequence[tuple[str, Kept]], auditor: str) -> list[tuple[Any, ...]]:
    """The rows of some games in a table. `auditor`: the version that judged them."""
    end = (auditor,) if table == "findings" else ()
    rows = [(game, *row, *end) for game, kept in records if isinstance(kept, GameRecord) for row in _ROWS[table](kept)]
    if table == "games":
        nothing = (None,) * (_COLUMNS_OF_GAMES - 2)
        rows += [(game, *nothing, damage) for game, damage in records if isinstance(damage, str)]
    return rows


def _held(number: int | None) -> int | None:
    """A number that a view can't hold becomes the largest that it can; the log itself has it whole."""
    return number if number is None or -MOST <= number <= MOST else MOST if number > 0 else -MOST


def evening_of(at: datetime.datetime | None) -> str | None:
    """The date of the evening that a moment belongs to, where it was; None for none."""
    if at is None:
        return None
    try:
        return date_of_evening(at).isoformat()
    except OverflowError:  # the first night of all
        return at.date().isoformat()


def _games(record: GameRecord) -> list[tuple[Any, ...]]:
    evening = evening_of(record.at)
    summary, source = record.summary, "simulated" if record.simulated else record.opened.source
    return [
        (
            *(record.rules, _text(record.at), evening, evening and evening[:7], source, len(record.tallies)),
            *(summary.events, len(record.hands), int(record.closed), summary.findings, summary.open_checks, None),
        )
    ]


def _players(record: GameRecord) -> list[tuple[Any, ...]]:
    return [(player, *map(_held, msgspec.structs.astuple(tally))) for player, tally in record.tallies.items()]


def _hands(record: GameRecord) -> list[tuple[Any, ...]]:
    return [
        (h.hand, h.line, h.last_line, h.dealer, len(h.players), h.winner, h.first_out, h.plays, int(h.voided))
        for h in record.hands
    ]


def _plays(record: GameRecord) -> list[tuple[Any, ...]]:
    return [
        (line, hand, play.player, play.card, _held(play.count), play.target, _held(play.value), role, _text(play.at))
        for line, hand, play, role in record.plays
    ]


def _hits(record: GameRecord) -> list[tuple[Any, ...]]:
    return [
        (h.line, h.hand, h.deed, h.player, h.source, h.to, h.prize, _held(h.hits), h.card, _text(h.at))
        for h in record.hits
    ]


def _duty(record: GameRecord) -> list[tuple[Any, ...]]:
    return [(row.line, row.hand, row.player, row.cause, len(row.loads), _json(row.loads)) for row in record.duties]


def _findings(record: GameRecord) -> list[tuple[Any, ...]]:
    deals = [hand.line for hand in record.hands]
    return [
        (
            *(f.line, bisect_right(deals, f.line), f.rule, f.certainty, f.player, f.message),
            *(_json(f.expected), _json(f.evidence), f.ruled),
        )
        for f in record.findings
    ]


_ROWS: Final = {
    "games": _games,
    "players": _players,
    "hands": _hands,
    "plays": _plays,
    "hits": _hits,
    "duty": _duty,
    "findings": _findings,
}


def _json(value: Sequence[Any]) -> str:
    return msgspec.json.encode(value).decode()


def _text(at: datetime.datetime | None) -> str | None:
    return None if at is None else at.isoformat()
