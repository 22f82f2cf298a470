"""A store on a server: a schema with the events, and another one with the views."""

import contextlib
import os
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import psycopg

from bh99.errors import StoreUnusable
from bh99.store.copying import copy_events
from bh99.store.games import Games
from bh99.store.place import Answer, Filling, Place, data_folder
from bh99.store.postgresql.events import FORM, Factory, ServerRecorder, environment_of
from bh99.store.postgresql.server import AT_OPENING, OLDEST, connect, safely
from bh99.store.postgresql.urls import Server
from bh99.store.postgresql.views import ServerViews
from bh99.store.sqlite.place import FilePlace


class ServerPlace(Place):
    """Two schemas of a database."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.url = self.events = server.url
        self.view_schema = f"{server.schema}_views"
        self.views = f"{server.url.partition('?')[0]}?schema={self.view_schema}"
        self._opened = False

    def exists(self) -> bool:
        """Raises StoreUnusable for a server that is too old, and for a database that can't hold all characters."""
        with connect(self.server) as connection:
            version = connection.info.server_version
            if version < OLDEST * 10_000:
                found = f"{version // 10_000}"
                raise StoreUnusable(self.url, f"the server is PostgreSQL {found}; expected {OLDEST} or later")
            encoding = connection.info.parameter_status("server_encoding")
            if encoding != "UTF8":
                raise StoreUnusable(self.url, f"the database is in {encoding}; expected UTF8")
            return _has(connection, self.server.schema, "stored_events")

    def make(self, fill: Filling | None = None) -> bool:
        with contextlib.closing(self.open_games()) as games:
            recorder = games.recorder
            assert isinstance(recorder, ServerRecorder)
            with recorder.writing() as c:
                made = recorder.create(c)
                if made and fill is not None:
                    fill(recorder, c)
        return made

    def check_it_is_ours(self) -> None:
        schema = self.server.schema
        with connect(self.server) as connection:
            if not _has(connection, schema, "incarnation"):
                raise StoreUnusable(self.url, "there is a table of events in this schema, but it is no store of games")
            row = connection.execute(f'SELECT form FROM "{schema}".incarnation'.encode()).fetchone()
        form = row[0] if row else 0
        if form > FORM:
            message = f"this store was made by a later version (form {form}); expected form {FORM} or an earlier one"
            raise StoreUnusable(self.url, message)
        self._opened = True

    def may_write(self) -> bool:
        """Whether whoever asks may make the views, or change them."""
        with connect(self.server) as connection:
            row = connection.execute(
                "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AND coalesce("
                "(SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = %s),"
                " has_database_privilege(current_database(), 'CREATE'))",
                (self.view_schema,),
            ).fetchone()
        return bool(row and row[0])

    def beside(self, game: str) -> str:
        folder = os.path.join(data_folder(), "beside-servers")
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, f"{quote(self.url, safe='')}.{game}")

    def open_games(self) -> Games:
        return Games(Factory, environment_of(self.server))

    def open_views(self, *, read_only: bool = False) -> ServerViews | None:
        with connect(self.server) as connection:
            if not _has(connection, self.view_schema, "made_by"):
                if read_only:
                    return None
                tables = "SELECT FROM pg_tables WHERE schemaname = %s"
                if connection.execute(tables, (self.view_schema,)).fetchone() is not None:
                    raise StoreUnusable(self.views, "this schema isn't ours, but the views belong there; move it away")
        return ServerViews(self.server, self.view_schema, self.views)

    def discard_views(self) -> None:
        views = ServerViews(self.server, self.view_schema, self.views)
        with contextlib.closing(views), views.writing() as c:
            views.discard(c)

    def back_up(self, file: str) -> None:
        if not file:
            raise StoreUnusable(file, "expected the name of a new file")
        if os.path.lexists(file):
            raise StoreUnusable(file, "this file is there already; expected the name of a new one")
        with contextlib.closing(self.open_games()) as games:
            copy_events(games.recorder, self.url, FilePlace(file, None))

    def safely(self, work: Callable[[], Answer], name: str) -> Answer:
        return safely(work, self.server, name) if self._opened else safely(work, self.server, name, AT_OPENING)


def _has(connection: "psycopg.Connection[tuple[Any, ...]]", schema: str, table: str) -> bool:
    row = connection.execute("SELECT to_regclass(%s) IS NOT NULL", (f'"{schema}".{table}',)).fetchone()
    return bool(row and row[0])
