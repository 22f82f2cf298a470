"""A store on a server: a schema with the events, and another one with the views."""

import contextlib
import os
from collections.abc import Callable
from typing import Any, Final

import psycopg

from bh99.errors import StoreDamaged, StoreUnusable
from bh99.store.database import BUSY
from bh99.store.games import Games
from bh99.store.place import Answer, Filling, Found, Place
from bh99.store.postgresql.events import FORM, Factory, ServerRecorder, environment_of
from bh99.store.postgresql.server import OLDEST, ServerCursor, connect, safely, tables_in
from bh99.store.postgresql.urls import Server
from bh99.store.postgresql.views import ServerViews
from bh99.store.views import TRACKING
from bh99.user_folder import data_folder

BESIDE: Final = "beside-servers"
"""The folder of what belongs to games on servers, such as marks, in the user's data folder."""
Connection = psycopg.Connection[tuple[Any, ...]]


class ServerPlace(Place):
    """Two schemas of a database."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.url = self.events = server.url
        self.view_schema = f"{server.schema}_views"
        before, _, options = server.url.partition("?")
        others = [option for option in options.split("&") if option and not option.startswith("schema=")]
        self.views = f"{before}?{'&'.join([*others, f'schema={self.view_schema}'])}"

    def find(self) -> Found | None:
        """Raises StoreUnusable also for a server that is too old, and for a database that can't hold all characters."""
        with connect(self.server) as connection:
            version = connection.info.server_version
            if version < OLDEST * 10_000:
                message = f"the server is PostgreSQL {version // 10_000}; expected {OLDEST} or later"
                raise StoreUnusable(self.url, message)
            encoding = connection.info.parameter_status("server_encoding")
            if encoding != "UTF8":
                raise StoreUnusable(self.url, f"the database is in {encoding}; expected UTF8")
            tables = tables_in(ServerCursor(connection.cursor()), self.server.schema)
            if "stored_events" not in tables:
                return None
            if "incarnation" not in tables:
                message = "there is a table of events in this schema, but it is no store of games"
                raise StoreUnusable(self.url, message)
            form, incarnation = self._form_and_incarnation(connection)
            if form > FORM:
                message = (
                    f"this store was made by a later version (form {form}); expected form {FORM} or an earlier one"
                )
                raise StoreUnusable(self.url, message)
            return Found(self._may_make_views(connection), os.path.join(data_folder(), BESIDE, f"{incarnation}."))

    def _form_and_incarnation(self, connection: Connection) -> tuple[int, str]:
        row = connection.execute(f'SELECT form, id FROM "{self.server.schema}".incarnation'.encode()).fetchone()
        if row is None or None in row:
            raise StoreDamaged(self.url, "the table incarnation is empty: restore a backup")
        return row[0], row[1]

    def _may_make_views(self, connection: Connection) -> bool:
        row = connection.execute(
            "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AND coalesce("
            "(SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = %s),"
            " has_database_privilege(current_database(), 'CREATE'))",
            (self.view_schema,),
        ).fetchone()
        return bool(row and row[0])

    def make(self, fill: Filling | None = None) -> bool:
        with contextlib.closing(self.open_games()) as games:
            recorder = games.recorder
            assert isinstance(recorder, ServerRecorder)
            with recorder.writing() as c:
                made = recorder.create(c)
                if made and fill is not None:
                    fill(recorder, c)
        return made

    def open_games(self) -> Games:
        return Games(Factory, environment_of(self.server))

    def open_views(self, *, read_only: bool = False) -> ServerViews | None:
        """Raises StoreUnusable also for a schema of somebody else."""
        with connect(self.server) as connection:
            tables = tables_in(ServerCursor(connection.cursor()), self.view_schema)
        if read_only and not tables:
            return None
        if tables and not tables & {"made_by", TRACKING}:
            raise StoreUnusable(self.views, "this schema isn't ours, but the views belong there; move it away")
        return ServerViews(self.server, self.view_schema, self.views)

    def discard_views(self) -> None:
        views = ServerViews(self.server, self.view_schema, self.views)
        with contextlib.closing(views), views.writing() as c:
            views.discard(c)

    def safely(self, work: Callable[[], Answer], name: str, patience: float = BUSY) -> Answer:
        return safely(work, self.server, name, patience)
