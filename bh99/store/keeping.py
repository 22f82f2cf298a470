"""Keeping a store: whether it is whole, and a copy of it."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from typing import Final

from eventsourcing.sqlite import SQLiteCursor

from bh99.errors import LogUnreadable, StoreUnusable
from bh99.store import view_tables
from bh99.store.games import BUSY, Games, readable_uri, stored_log, uri_of
from bh99.store.importing import read_to_store
from bh99.store.recorder import FORGOTTEN, FORGOTTEN_LINE, TRIGGERS, lines_in
from bh99.store.views import Views

SAID_AT_MOST: Final = 20
"""Faults of one kind that are told one by one."""


def faults_of(games: Games, views: Views) -> Iterator[str]:
    """What is wrong with a store, in words: its file, its games, and views that aren't what the events give."""
    with games.recorder.reading() as c:
        c.execute(f"PRAGMA integrity_check({SAID_AT_MOST})")
        yield from (f"the database: {said}" for (said,) in c.fetchall() if said != "ok")
        c.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for missing in sorted(TRIGGERS - {name for (name,) in c.fetchall()}):
            yield f"the database: the trigger {missing} is missing, so that events may have been changed"
    for game in games.games():
        yield from (f"{game}: {fault}" for fault in _faults_of_game(games, game))
    yield from _faults_of_views(games, views)


def _faults_of_game(games: Games, game: str) -> Iterator[str]:
    with games.recorder.reading() as c:
        rows = lines_in(c, game)
        c.execute("SELECT max(originator_version) FROM stored_events WHERE originator_id = ?", (game,))
        [last] = c.fetchone()
    if last != len(rows):
        yield f"it has {len(rows)} lines, and the last one is numbered {last}"
    if rows[-1][0] == FORGOTTEN:
        if any(row != (FORGOTTEN_LINE, b"") for row in rows[:-1]):
            yield "it was forgotten, but not all of its lines were emptied"
        return
    try:
        log = stored_log(games, game)
        read = read_to_store(log)
    except LogUnreadable as error:
        yield from (str(problem) for problem in error.problems)
        return
    if log.notes or len(read.lines) != len(rows):
        yield "its lines aren't what was stored: " + "; ".join(
            log.notes or [f"{len(read.lines)} of {len(rows)} are left"]
        )
    for version, ((topic, _), right) in enumerate(zip(rows, read.topics, strict=False), 1):
        if topic != right:
            yield f"line {version} is stored as {topic}, but is {right}"
    if read.ids.own not in (None, game):
        yield f"it is stored under this id, but calls itself {read.ids.own}"


def _faults_of_views(games: Games, views: Views) -> Iterator[str]:
    """Tables that differ from those that the events give now."""
    fresh = Views(None)
    try:
        fresh.catch_up(games, lambda game: stored_log(games, game))
        with views.reading() as ours, fresh.reading() as right:
            for table in view_tables.TABLES:
                if _rows(ours, table) != _rows(right, table):
                    yield f"the view {table} isn't what the events give; bh99 store rebuild makes it anew"
    finally:
        fresh.close()


def _rows(c: SQLiteCursor, table: str) -> list[tuple[object, ...]]:
    c.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3, 4")
    return [tuple(row) for row in c.fetchall()]


def backup(events: str, file: str) -> None:
    """Copy the database as it is at one moment into a new file. Raises StoreUnusable if there is one already."""
    if os.path.exists(file):
        raise StoreUnusable(file, "this file is there already; expected the name of a new one")
    unfinished = f"{file}.{os.getpid()}.new"
    source = sqlite3.connect(readable_uri(events), uri=True, timeout=BUSY)
    try:
        target = sqlite3.connect(uri_of(unfinished, "rwc"), uri=True)
        try:
            source.backup(target)
        finally:
            target.close()
        os.link(unfinished, file)
    except FileExistsError:
        raise StoreUnusable(file, "this file is there already; expected the name of a new one") from None
    finally:
        source.close()
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
