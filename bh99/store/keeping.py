"""Keeping a store: whether it is whole, and a copy of it."""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from typing import Final

from eventsourcing.sqlite import SQLiteCursor

from bh99.errors import LogUnreadable, StoreDamaged, StoreUnusable
from bh99.logs import Log
from bh99.store import view_tables
from bh99.store.files import BUSY, appear, readable_uri, remove, unfinished_name, uri_of
from bh99.store.games import Games, stored_log
from bh99.store.importing import read_to_store
from bh99.store.recorder import FORGOTTEN, FORGOTTEN_LINE, TRIGGERS, rows_in
from bh99.store.views import Events, Views

SAID_AT_MOST: Final = 20
"""Faults of one kind that are told one by one."""


def faults_of_events(games: Games) -> Iterator[str]:
    """What is wrong with the events, in words: the file, its triggers, and each game."""
    with games.recorder.reading() as c:
        c.execute(f"PRAGMA integrity_check({SAID_AT_MOST})")
        yield from (f"the database: {said}" for (said,) in c.fetchall() if said != "ok")
        c.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        there = {name: _plain(sql) for name, sql in c.fetchall()}
        c.execute("SELECT DISTINCT originator_id FROM stored_events ORDER BY originator_id")
        ids = [str(game) for (game,) in c.fetchall()]
    for name, sql in TRIGGERS.items():
        if there.get(name) != _plain(sql):
            yield f"the database: the trigger {name} is missing or another one, so events may have been changed"
    for game in ids:
        yield from (f"{game}: {fault}" for fault in _faults_of_game(games, game))


def _plain(sql: str) -> str:
    return " ".join(sql.split())


def _faults_of_game(games: Games, game: str) -> Iterator[str]:
    with games.recorder.reading() as c:
        rows = rows_in(c, game)
    if rows[-1].topic == FORGOTTEN:
        if any((row.topic, row.state) != (FORGOTTEN_LINE, b"") for row in rows[:-1]):
            yield "it was forgotten, but not all of its lines were emptied"
        return
    try:
        log = stored_log(games, game)
        read = read_to_store(log)
    except LogUnreadable as error:
        yield from (str(problem) for problem in error.problems)
        return
    if log.notes or len(read.lines) != len(rows):
        lines = [f"{len(read.lines)} of {len(rows)} are left"]
        yield "its lines aren't what was stored: " + "; ".join(log.notes or lines)
    for row, right in zip(rows, read.topics, strict=False):
        if row.topic != right:
            yield f"line {row.version} is stored as {row.topic}, but is {right}"
    if read.ids.own not in (None, game):
        yield f"it is stored under this id, but calls itself {read.ids.own}"


def faults_of_views(events: Events, read: Callable[[str], Log], views: Views) -> Iterator[str]:
    """Tables that differ from those that the events give now."""
    fresh = Views(None)
    try:
        fresh.catch_up(events, read)
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
    """Copy the database as it is at one moment into a new file.

    Raises StoreUnusable if there is one already, and StoreDamaged if what was copied isn't whole.
    """
    there = StoreUnusable(file, "this file is there already; expected the name of a new one")
    if not file:
        raise StoreUnusable(file, "expected the name of a new file")
    if os.path.lexists(file):
        raise there
    unfinished = unfinished_name(file)
    source = sqlite3.connect(readable_uri(events), uri=True, timeout=BUSY)
    try:
        target = sqlite3.connect(uri_of(unfinished, "rwc"), uri=True)
        try:
            source.backup(target)
            if target.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise StoreDamaged(events, "the database is damaged, so it wasn't copied; bh99 store check says more")
            with target:
                target.execute("UPDATE incarnation SET id = hex(randomblob(16))")  # it goes its own way from here on
        finally:
            target.close()
        if not appear(unfinished, file):
            raise there
    finally:
        source.close()
        with contextlib.suppress(OSError):
            remove(unfinished)
