"""Stores in a test: made in files or on a server, filled with games, read as plain SQL, and damaged.

Which of both engines it is, the fixture `engine` says; the server is the one of BH99_POSTGRESQL
(.ci/with-postgresql starts one).
"""

import contextlib
import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from legal_games import legal_game
from legal_matches import legal_match

from bh99.errors import StoreError
from bh99.store.store import GameStore, open_store
from bh99.store.urls import place_of
from bh99.store.view_tables import TABLES

ENGINES = ("files", "server")
_engine = [ENGINES[0]]


@contextlib.contextmanager
def on(engine: str) -> Iterator[None]:
    """Stores are made on this engine."""
    _engine.append(engine)
    try:
        yield
    finally:
        _engine.pop()


def on_server() -> bool:
    return _engine[-1] == "server"


def store_in(folder: Path, name: str = "games") -> GameStore:
    return open_store(url_in(folder, name))


def url_in(folder: Path, name: str = "games") -> str:
    """The URL of a store: a file in the folder, or a schema of the server that no other folder and name have."""
    if on_server():
        return f"{server()}?schema=t{hashlib.sha1(f'{folder}/{name}'.encode()).hexdigest()[:20]}"
    return f"sqlite:///{folder / name}.sqlite"


def server() -> str:
    """The URL of the server, without a schema."""
    return os.environ["BH99_POSTGRESQL"]


def text_of(events: Iterable[dict[str, Any]]) -> bytes:
    """A log of these events, as it stands in a file."""
    return b"".join(json.dumps(event, ensure_ascii=False).encode() + b"\n" for event in events)


def log_in(folder: Path, events: Iterable[dict[str, Any]], name: str = "game.jsonl") -> str:
    """A log file of these events; its path."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(text_of(events))
    return str(folder / name)


def logs_in(folder: Path, count: int, first: int = 0) -> Path:
    """A folder with so many logs."""
    for seed in range(first, first + count):
        lines = (
            legal_game(seed, 2 + seed % 5, hands=1) if seed % 4 else legal_match(seed, 3, "ninety-nine-chips", hands=2)
        )
        log_in(folder, [{**lines[0], "game": f"game-{seed}"}, *lines[1:]], f"{seed}.jsonl")
    return folder


# ---- plain SQL ----


def connection_to(url: str, *, views: bool = False) -> Any:
    """A connection for plain SQL to the events or the views of a store, past all that guards them."""
    place = place_of(url)
    if url.startswith("sqlite:"):
        return sqlite3.connect(f"file:{place.views if views else place.events}?mode=rw", uri=True, isolation_level=None)
    import psycopg

    connection = psycopg.connect(url.partition("?")[0], autocommit=True)
    schema = (url.partition("schema=")[2] or "bh99") + ("_views" if views else "")
    connection.execute(f"SET search_path = {schema}".encode())
    return connection


def ask(url: str, statement: str, *, views: bool = False) -> list[tuple[Any, ...]]:
    """The rows of a statement, if it has any."""
    with contextlib.closing(connection_to(url, views=views)) as connection:
        found = connection.execute(statement)
        return [tuple(row) for row in found.fetchall()] if found.description else []


def rows_of(file: str, *tables: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of tables in a SQLite file, opened as a script would."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr) for table in tables}
    finally:
        connection.close()


def events_of(store: GameStore) -> list[tuple[Any, ...]]:
    """All events of a store but for their places."""
    return sorted(
        ask(url_of(store), "SELECT originator_id, originator_version, topic, state FROM stored_events"), key=repr
    )


def url_of(store: GameStore) -> str:
    """The URL of a store with the password, if it has one."""
    url = store.place.url
    return url if url.startswith("sqlite:") else f"{server()}?{url.partition('?')[2]}"


def views_of(store: GameStore) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all views, once they are up to date."""
    with contextlib.closing(store.connect()) as connection:
        return _all_rows(connection)


def views_as_they_are(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all views of the store in a folder, as somebody left them."""
    with contextlib.closing(connection_to(url_in(folder), views=True)) as connection:
        return _all_rows(connection)


def _all_rows(connection: Any) -> dict[str, list[tuple[Any, ...]]]:
    return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr) for table in TABLES}


def rows_in(folder: Path, table: str) -> int:
    """How many rows a table has, of events or of views, that may not be there yet."""
    try:
        [(found,)] = ask(url_in(folder), f"SELECT count(*) FROM {table}", views=table != "stored_events")
    except Exception as fault:  # of either engine
        assert "Error" in type(fault).__name__ or "Undefined" in type(fault).__name__, fault
        return 0
    return int(found)


def views_are_there(store: GameStore) -> bool:
    try:
        return bool(ask(url_of(store), "SELECT count(*) FROM games", views=True))
    except Exception as fault:
        assert not isinstance(fault, StoreError)
        return False


# ---- damage ----


def damaged(store: GameStore, *statements: str) -> None:
    """Change what can't be changed: without the triggers."""
    url = url_of(store)
    with contextlib.closing(connection_to(url)) as connection:
        if not url.startswith("sqlite:"):
            connection.execute("ALTER TABLE stored_events DISABLE TRIGGER USER")
            for statement in statements:
                connection.execute(re.sub(r"x'(\w*)'", r"'\\x\1'::bytea", statement).encode())
            connection.execute("ALTER TABLE stored_events ENABLE TRIGGER USER")
            return
        kept = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in kept:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _, sql in kept:
            connection.execute(sql)


def drop_trigger(store: GameStore, name: str) -> None:
    url = url_of(store)
    ask(url, f"DROP TRIGGER {name}{'' if url.startswith('sqlite:') else ' ON stored_events'}")


def change_views(store: GameStore, statement: str) -> None:
    ask(url_of(store), statement, views=True)
