"""Stores in a test: made in a temporary folder, filled with games, and read as plain SQLite."""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bh99.store.store import GameStore, open_store
from bh99.store.view_tables import TABLES


def store_in(folder: Path, name: str = "games") -> GameStore:
    return open_store(url_in(folder, name))


def url_in(folder: Path, name: str = "games") -> str:
    return f"sqlite:///{folder / name}.sqlite"


def text_of(events: Iterable[dict[str, Any]]) -> bytes:
    """A log of these events, as it stands in a file."""
    return b"".join(json.dumps(event, ensure_ascii=False).encode() + b"\n" for event in events)


def log_in(folder: Path, events: Iterable[dict[str, Any]], name: str = "game.jsonl") -> str:
    """A log file of these events; its path."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(text_of(events))
    return str(folder / name)


def rows_of(file: str, *tables: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of tables in a SQLite file, opened as a script would."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr) for table in tables}
    finally:
        connection.close()


def views_of(store: GameStore) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all views, once they are up to date."""
    store.catch_up()
    return rows_of(store.place.views, *TABLES)
