"""Keeping a store: whether it is whole."""

from collections.abc import Callable, Iterator

from bh99.errors import LogUnreadable
from bh99.logs import Log
from bh99.store import view_tables
from bh99.store.database import FORGOTTEN, FORGOTTEN_LINE, Cursor
from bh99.store.games import Games, lines_in, log_of
from bh99.store.importing import read_to_store
from bh99.store.sqlite.views import views_in_memory
from bh99.store.views import Events, Views


def faults_of_events(games: Games) -> Iterator[str]:
    """What is wrong with the events, in words: the database, and each game."""
    yield from games.recorder.faults()
    with games.recorder.reading() as c:
        ids = games.recorder.every_id(c)
    for game in ids:
        yield from (f"{game}: {fault}" for fault in _faults_of_game(games, game))


def _faults_of_game(games: Games, game: str) -> Iterator[str]:
    with games.recorder.reading() as c:
        rows = games.recorder.rows(c, game)
    if rows[-1].topic == FORGOTTEN:
        if any((row.topic, row.state) != (FORGOTTEN_LINE, b"") for row in rows[:-1]):
            yield "it was forgotten, but not all of its lines were emptied"
        return
    try:
        log = log_of(game, lines_in(game, rows))
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
    """Tables that differ from those that the events give now. Games that are being played meanwhile aren't compared."""
    fresh = Views(views_in_memory())
    try:
        with views.tables.reading() as ours:
            position = views.tables.tracked(ours)
            fresh.catch_up(events, read)
            busy = {game for game, _ in events.changed(position)}
            with fresh.tables.reading() as right:
                for table in view_tables.TABLES:
                    if _rows(ours, table, busy) != _rows(right, table, busy):
                        yield f"the view {table} isn't what the events give; bh99 store rebuild makes it anew"
    finally:
        fresh.close()


def _rows(c: Cursor, table: str, busy: set[str]) -> list[tuple[object, ...]]:
    c.execute(f"SELECT * FROM {table}")
    return sorted((tuple(row) for row in c.fetchall() if row[0] not in busy), key=repr)
