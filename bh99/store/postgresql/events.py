"""The table of events on a server: it grows and never changes, and the database itself sees to that."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresFactory
from eventsourcing.utils import Environment, EnvType

from bh99.store.database import AT_A_STROKE, FORGOTTEN, FORGOTTEN_LINE, Cursor, EventTable
from bh99.store.postgresql.server import Datastore, ServerCursor, key_of, make_schema, safely
from bh99.store.postgresql.urls import Server

FORM: Final = 1
"""The form of the schema. A later one is refused; an earlier one would be read for ever."""
KEY: Final = key_of("{schema}", "stored_events")
"""What whoever writes waits for, so that events can be seen in the order of their positions. A lock of the table itself
would stand in the way of the server's own housekeeping (docs/adr/0053)."""

_TABLES: Final = (
    f"CREATE TABLE {{schema}}.incarnation AS SELECT gen_random_uuid()::text AS id, {FORM} AS form",
    """
    CREATE TABLE {schema}.stored_events (
        originator_id text COLLATE "C" NOT NULL, originator_version bigint NOT NULL, topic text NOT NULL,
        state bytea NOT NULL, notification_id bigint GENERATED ALWAYS AS IDENTITY, attempt bigint,
        PRIMARY KEY (originator_id, originator_version)
    ) WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)
    """,
    "CREATE UNIQUE INDEX positions ON {schema}.stored_events(notification_id)",
    "CREATE INDEX openings ON {schema}.stored_events(originator_id) WHERE originator_version = 1",
)
_FUNCTIONS: Final = {
    "events_come_one_after_the_other": f"BEGIN PERFORM pg_advisory_xact_lock({KEY}); RETURN NULL; END",
    "versions_follow_each_other": f"""
    BEGIN
        IF EXISTS (
            SELECT FROM (
                SELECT originator_id, min(originator_version) AS first, max(originator_version) AS last,
                    count(*) AS lines, min(originator_version) FILTER (WHERE topic = '{FORGOTTEN}') AS mark
                FROM added GROUP BY originator_id
            ) AS fresh LEFT JOIN LATERAL (
                SELECT originator_version AS version, topic FROM {{schema}}.stored_events AS stored
                WHERE stored.originator_id = fresh.originator_id AND stored.originator_version < fresh.first
                ORDER BY originator_version DESC LIMIT 1
            ) AS before ON true
            WHERE first <> coalesce(before.version, 0) + 1 OR last - first + 1 <> lines OR mark < last
                OR before.topic = '{FORGOTTEN}'
        ) THEN
            RAISE EXCEPTION 'bh99: a line follows the last one of its game, and none a game that was forgotten'
            USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NULL;
    END
    """,
    "events_never_change": f"""
    BEGIN
        IF (NEW.originator_id, NEW.originator_version, NEW.notification_id, NEW.attempt, NEW.topic, NEW.state)
            IS DISTINCT FROM
            (OLD.originator_id, OLD.originator_version, OLD.notification_id, OLD.attempt,
             '{FORGOTTEN_LINE}'::text, ''::bytea)
            OR OLD.topic = '{FORGOTTEN}' OR (
                SELECT topic FROM {{schema}}.stored_events WHERE originator_id = NEW.originator_id
                ORDER BY originator_version DESC LIMIT 1
            ) <> '{FORGOTTEN}'
        THEN
            RAISE EXCEPTION 'bh99: events never change' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END
    """,
    "events_never_go": """
    BEGIN
        RAISE EXCEPTION 'bh99: events are never deleted' USING ERRCODE = 'integrity_constraint_violation';
    END
    """,
}
_TRIGGERS: Final = {
    "events_come_one_after_the_other": (
        "BEFORE INSERT ON {schema}.stored_events FOR EACH STATEMENT",
        "events_come_one_after_the_other",
    ),
    "versions_follow_each_other": (
        "AFTER INSERT ON {schema}.stored_events REFERENCING NEW TABLE AS added FOR EACH STATEMENT",
        "versions_follow_each_other",
    ),
    "events_never_change": ("BEFORE UPDATE ON {schema}.stored_events FOR EACH ROW", "events_never_change"),
    "events_never_go": ("BEFORE DELETE ON {schema}.stored_events FOR EACH ROW", "events_never_go"),
    "events_never_go_together": ("BEFORE TRUNCATE ON {schema}.stored_events FOR EACH STATEMENT", "events_never_go"),
}
"""Each trigger: when it is asked, and the function that it asks; put as the server itself puts it."""


def _trigger(name: str, schema: str) -> str:
    when, function = _TRIGGERS[name]
    return f"CREATE TRIGGER {name} {when} EXECUTE FUNCTION {{schema}}.{function}()".format(schema=schema)


def _create_statements(schema: str) -> list[str]:
    """What makes a schema with no events."""
    functions = [
        f"CREATE FUNCTION {{schema}}.{name}() RETURNS trigger LANGUAGE plpgsql AS $body${body}$body$"
        for name, body in _FUNCTIONS.items()
    ]
    statements = [*_TABLES, *functions]
    return [*(each.format(schema=schema) for each in statements), *(_trigger(name, schema) for name in _TRIGGERS)]


class ServerRecorder(PostgresApplicationRecorder, EventTable):
    """Events of games: the id of the game, the line, the topic, and the line itself as it was logged. Live ones have
    the number of the attempt too that stored them, so that an attempt whose answer was lost is known again."""

    POSITION = "notification_id"
    datastore: Datastore

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> None:
        """Insert all or none. After a lost connection it is tried again; that the lines are there by then is no
        conflict if the lost attempt stored them. Raises IntegrityError if somebody else was faster."""
        if not stored_events:
            return
        attempt = secrets.randbits(63)

        def conflict() -> IntegrityError | None:
            try:
                self._insert_all(stored_events, attempt)
            except IntegrityError as fault:
                return None if self._stored_by(stored_events[0]) == attempt else fault
            return None

        server = self.datastore.server
        found = safely(conflict, server, server.url)
        if found is not None:
            raise found

    def _insert_all(self, events: Sequence[StoredEvent], attempt: int) -> None:
        if len(events) <= AT_A_STROKE:
            with self.asking() as c:  # whoever writes is waited for, and waits, within the server alone
                _insert(c, events, attempt)
        else:
            with self.writing() as c:
                for at in range(0, len(events), AT_A_STROKE):
                    _insert(c, events[at : at + AT_A_STROKE], attempt)

    def _stored_by(self, event: StoredEvent) -> int | None:
        """The attempt that stored a line."""
        with self.asking() as c:
            c.execute(
                "SELECT attempt FROM stored_events WHERE originator_id = ? AND originator_version = ?",
                (event.originator_id, event.originator_version),
            )
            found = c.fetchone()
        return None if found is None else found[0]

    def add(self, c: ServerCursor, events: Sequence[StoredEvent]) -> None:  # type: ignore[override]
        rows = ((e.originator_id, e.originator_version, e.topic, e.state) for e in events)
        c.fill("stored_events (originator_id, originator_version, topic, state)", rows, _TYPES)

    def asking(self) -> AbstractContextManager[Cursor]:
        return self.datastore.asking()

    @property
    def schema(self) -> str:
        """The schema, as it stands in statements."""
        return f'"{self.datastore.schema}"'

    def writing(self) -> AbstractContextManager[Cursor]:
        return self.datastore.writing(KEY.format(schema=self.schema))

    def reading(self) -> AbstractContextManager[Cursor]:
        return self.datastore.reading()

    def wipe(self) -> None:
        """What was emptied goes when the server next cleans up; it is asked to do so now."""
        with self.datastore.get_connection() as connection:
            connection.execute("VACUUM stored_events")

    def create(self, c: Cursor) -> bool:
        """Make the whole schema, unless it is there; whether it was made."""
        c.execute("SELECT to_regclass(?) IS NULL", (f"{self.schema}.stored_events",))
        (missing,) = c.fetchone()
        if missing:
            make_schema(c, self.datastore.schema)
            for statement in _create_statements(self.schema):
                c.execute(statement)
        return bool(missing)

    def faults(self) -> Iterator[str]:
        """What is wrong with the triggers, and with what they ask."""
        with self.reading() as c:
            c.execute("SET LOCAL search_path = pg_catalog")  # or the server leaves the schema out where it can
            c.execute(
                "SELECT tgname, pg_get_triggerdef(oid), tgenabled = 'O' FROM pg_trigger"
                " WHERE tgrelid = ?::regclass AND NOT tgisinternal",
                (f"{self.schema}.stored_events",),
            )
            triggers = {name: text for name, text, enabled in c.fetchall() if enabled}
            c.execute("SELECT proname, prosrc FROM pg_proc WHERE pronamespace = ?::regnamespace", (self.schema,))
            functions = dict(c.fetchall())
        for name, (_, function) in _TRIGGERS.items():
            right = _plain(triggers.get(name, "")) == _plain(_trigger(name, self.schema))
            if not right or functions.get(function) != _FUNCTIONS[function].format(schema=self.schema):
                yield f"the database: the trigger {name} is missing or another one, so events may have been changed"


def _plain(statement: str) -> str:
    """A statement as the server or we may put it: the name of the schema in quotes or not."""
    return statement.replace('"', "")


_TYPES: Final = ("text", "int8", "text", "bytea")


def _insert(c: Cursor, events: Sequence[StoredEvent], attempt: int) -> None:
    """Insert by a statement, which knows the attempt again."""
    columns = zip(*((e.originator_id, e.originator_version, e.topic, e.state) for e in events), strict=True)
    c.execute(
        "INSERT INTO stored_events (originator_id, originator_version, topic, state, attempt)"
        " SELECT *, ?::bigint FROM unnest(?::text[], ?::bigint[], ?::text[], ?::bytea[])",
        [attempt, *map(list, columns)],
    )


class Factory(PostgresFactory):
    """What the library makes a store of. Its environment is that of `environment_of`."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        server = Server(self.env["STORE_CONNINFO"], self.env["STORE_SCHEMA"], self.env["STORE_URL"])
        self.datastore = Datastore(server, server.schema)

    def application_recorder(self) -> ServerRecorder:
        return ServerRecorder(self.datastore)


def environment_of(server: Server) -> dict[str, str]:
    """What the factory is told. The library wants to know a server too, though it never asks it."""
    unused = dict.fromkeys(("POSTGRES_DBNAME", "POSTGRES_HOST", "POSTGRES_USER", "POSTGRES_PASSWORD"), "")
    return {**unused, "STORE_CONNINFO": server.conninfo, "STORE_SCHEMA": server.schema, "STORE_URL": server.url}
