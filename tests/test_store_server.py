"""The store on a server: what only a server can refuse, lose or be told."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import stores
from cli_runs import FIXTURES, ROOT, process
from eventsourcing.persistence import StoredEvent
from stores import ask, connection_to, events_of, log_in, server, store_in, url_in, url_of, views_of
from tables import as_events
from test_store import load, loads, opened

from bh99.errors import GameForgotten, StoreBusy, StoreUnusable, UnknownGame
from bh99.store.database import AT_A_STROKE, Cursor
from bh99.store.postgresql import events as server_events
from bh99.store.postgresql.events import ServerRecorder
from bh99.store.postgresql.server import OLDEST, ServerCursor, connect, safely
from bh99.store.postgresql.urls import server_of
from bh99.store.store import GameStore, open_store

pytestmark = pytest.mark.postgresql
TEXT = str(FIXTURES / "numbered.jsonl")


@pytest.fixture(autouse=True)
def on_the_server() -> Iterator[None]:
    with stores.on("server"):
        yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    """A store with a game of three lines."""
    with store_in(tmp_path) as store:
        store.append("g", as_events([opened("Ann", "Bob", game="g"), *loads(2)]), expected=0)
        yield store


def password() -> str:
    found = urlsplit(server()).password
    assert found
    return found


# ---- append only ----

COLUMNS = "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE stored_events SET state = 'x' WHERE originator_version = 2",
        "UPDATE stored_events SET state = '', topic = 'bh99/forgotten'",
        "UPDATE stored_events SET originator_version = 9 WHERE originator_version = 3",
        "UPDATE stored_events SET originator_id = 'h'",
        "DELETE FROM stored_events",
        "DELETE FROM stored_events WHERE originator_version = 3",
        "TRUNCATE stored_events",
        f"{COLUMNS} ('g', 5, 'bh99/bong_loaded', 'x')",
        f"{COLUMNS} ('g', 0, 'bh99/bong_loaded', 'x')",
        f"{COLUMNS} ('h', 2, 'bh99/bong_loaded', 'x')",
        f"{COLUMNS} ('g', 4, 'bh99/bong_loaded', 'x'), ('g', 6, 'bh99/bong_loaded', 'x')",
        f"{COLUMNS} ('g', 4, 'bh99/bong_loaded', 'x'), ('h', 3, 'bh99/bong_loaded', 'x')",
        f"{COLUMNS} ('g', 4, 'bh99/game_forgotten', 'x'), ('g', 5, 'bh99/bong_loaded', 'x')",
        f"{COLUMNS} ('g', 4, 'bh99/game_forgotten', 'x'), ('g', 5, 'bh99/game_forgotten', 'x')",
        f"{COLUMNS} ('g', 2, 'bh99/bong_loaded', 'x') ON CONFLICT (originator_id, originator_version) DO UPDATE"
        " SET state = 'x'",
        f"{COLUMNS} ('g', 7, 'bh99/bong_loaded', 'x') ON CONFLICT DO NOTHING",
    ],
)
def test_the_server_itself_refuses_what_would_change_the_evidence(statement: str, store: GameStore) -> None:
    before = events_of(store)
    with pytest.raises(psycopg.IntegrityError, match="bh99: "):
        ask(url_of(store), statement)
    assert events_of(store) == before


@pytest.mark.parametrize(
    "statement",
    [
        f"{COLUMNS} ('g', 3, 'bh99/bong_loaded', 'x')",
        f"{COLUMNS} ('g', NULL, 'bh99/bong_loaded', 'x')",
        f"{COLUMNS} (NULL, 1, 'bh99/game_opened', 'x')",
        f"{COLUMNS} ('g', 4, NULL, 'x')",
        f"{COLUMNS} ('g', 4, 'bh99/bong_loaded', NULL)",
    ],
)
def test_the_columns_refuse_what_is_no_line(statement: str, store: GameStore) -> None:
    with pytest.raises(psycopg.IntegrityError):
        ask(url_of(store), statement)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE stored_events DISABLE TRIGGER events_never_go",
        "CREATE OR REPLACE FUNCTION events_never_go() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
        "DROP TRIGGER events_come_one_after_the_other ON stored_events",
    ],
)
def test_a_check_notices_triggers_that_were_changed(statement: str, store: GameStore) -> None:
    assert list(store.check()) == []
    ask(url_of(store), statement)
    assert any("is missing or another one" in fault for fault in store.check())


def test_a_schema_may_have_any_name_even_one_of_the_language() -> None:
    with closing(connection_to(f"{server()}?schema=public")) as connection:
        connection.execute('DROP SCHEMA IF EXISTS "select" CASCADE; DROP SCHEMA IF EXISTS select_views CASCADE')
    with open_store(f"{server()}?schema=select") as store:
        store.import_log(TEXT)
        assert store.stats()
        assert list(store.check()) == []
        store.forget("friday-two")


# ---- how events come ----


def test_the_library_is_told_to_leave_its_functions_and_no_call_is_long(
    tmp_path: Path, store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its functions, whoever follows the events misses some; calls of 20,000 events can hang."""
    recorder = store._games.recorder
    assert isinstance(recorder, ServerRecorder)
    assert recorder.datastore.enable_db_functions is False
    sizes: list[int] = []
    add, insert = ServerRecorder.add, server_events._insert

    def counted_add(self: ServerRecorder, c: ServerCursor, events: Sequence[StoredEvent]) -> None:
        sizes.append(len(events))
        add(self, c, events)

    def counted_insert(c: Cursor, events: Sequence[StoredEvent], attempt: int) -> None:
        sizes.append(len(events))
        insert(c, events, attempt)

    monkeypatch.setattr(ServerRecorder, "add", counted_add)
    monkeypatch.setattr(server_events, "_insert", counted_insert)
    many = as_events([load("Ann")]) * (2 * AT_A_STROKE + 7)
    assert store.append("g", many, expected=3) == len(many) + 3
    log = [opened("Ann", "Bob", game="long"), *loads(AT_A_STROKE)]
    assert store.import_log(log_in(tmp_path / "logs", log)).added == AT_A_STROKE + 1
    assert sizes == [AT_A_STROKE, AT_A_STROKE, 7, AT_A_STROKE, 1]
    assert store.export("g").count(b"\n") == len(many) + 3


def test_events_can_be_seen_in_the_order_of_their_places(store: GameStore) -> None:
    """Whoever reads on from the last place that they have seen misses nothing, however many write."""
    seen: list[tuple[str, int]] = []
    ended = threading.Event()

    def write(number: int) -> None:
        with open_store(url_of(store)) as mine:
            mine.append(f"w{number}", as_events([opened("Ann", "Bob", game=f"w{number}")]), expected=0)
            for at in range(1, 60):
                mine.append(f"w{number}", as_events([load("Ann")]) * (1 + at % 3), expected=_lines(mine, f"w{number}"))

    def follow() -> None:
        place, last = 0, False
        recorder = store._games.recorder
        while not last:
            last = ended.is_set()
            with recorder.reading() as c:
                found = recorder.after(c, place)
            seen.extend((str(event.originator_id), event.originator_version) for _, event in found)
            place = found[-1][0] if found else place

    follower = threading.Thread(target=follow)
    writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in (follower, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    ended.set()
    follower.join()
    assert len(seen) == len({*seen})
    assert sorted(seen) == sorted((game, line) for game, line, _, _ in events_of(store))
    for number in range(8):
        mine = [line for game, line in seen if game == f"w{number}"]
        assert mine == list(range(1, len(mine) + 1))


def _lines(store: GameStore, game: str) -> int:
    return store.export(game).count(b"\n")


# ---- views ----


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE plays",
        "UPDATE tracking SET notification_id = 2",
        "DROP TABLE tracking",
        "DELETE FROM made_by",
        "ALTER TABLE players DROP COLUMN wins",
        "ALTER TABLE games RENAME TO matches",
        "DROP TABLE made_by",
        "DO $$ BEGIN EXECUTE 'DROP SCHEMA ' || current_schema() || ' CASCADE'; END $$",
    ],
)
def test_views_that_are_damaged_are_made_anew_by_whoever_asks(damage: str, store: GameStore) -> None:
    store.import_log(TEXT)
    before = views_of(store)
    ask(url_of(store), damage, views=True)
    with open_store(url_of(store)) as other:
        assert other.stats()
        assert views_of(other) == before


def test_a_schema_of_somebody_else_is_never_taken_for_views(store: GameStore) -> None:
    with closing(connection_to(url_of(store))) as connection:
        schema = connection.execute("SELECT current_schema()").fetchone()[0]
        connection.execute(f"CREATE SCHEMA {schema}_views; CREATE TABLE {schema}_views.games (mine text)")
    for question in (store.stats, store.rebuild, store.catch_up):
        with pytest.raises(StoreUnusable, match="this schema isn't ours"):
            question()
    assert ask(url_of(store), "SELECT * FROM games", views=True) == []


def test_who_may_read_the_views_may_still_when_they_are_made_anew(store: GameStore) -> None:
    store.catch_up()
    with closing(connection_to(url_of(store), views=True)) as connection:
        connection.execute("GRANT SELECT ON games TO pg_monitor")
        store.rebuild()
        assert connection.execute("SELECT has_table_privilege('pg_monitor', 'games', 'SELECT')").fetchone() == (True,)


# ---- who may what ----


@pytest.fixture
def reader(store: GameStore) -> Iterator[str]:
    """The URL of the store for somebody who may read it and nothing else."""
    store.import_log(TEXT)
    store.catch_up()
    with closing(connection_to(url_of(store))) as connection:
        schema = connection.execute("SELECT current_schema()").fetchone()[0]
        name = f"reader_{schema}"
        connection.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'reads'")
        connection.execute("REVOKE CREATE ON DATABASE postgres FROM PUBLIC")
        for each in (schema, f"{schema}_views"):
            connection.execute(
                f"GRANT USAGE ON SCHEMA {each} TO {name}; GRANT SELECT ON ALL TABLES IN SCHEMA {each} TO {name}"
            )
        yield url_of(store).replace(f"bh99:{password()}@", f"{name}:reads@")
        for each in (schema, f"{schema}_views"):
            connection.execute(f"DROP SCHEMA {each} CASCADE")
        connection.execute(f"DROP ROLE {name}")


@pytest.mark.parametrize("up_to_date", [True, False])
def test_a_store_that_may_only_be_read_can_be_asked_but_not_imported_into(
    up_to_date: bool, reader: str, store: GameStore
) -> None:
    if not up_to_date:
        store.import_log(FIXTURES / "one-hand.jsonl")
    with open_store(reader) as mine:
        assert mine.stats() == store.stats()
        assert mine.export("friday-two") == store.export("friday-two")
        with pytest.raises(StoreUnusable, match="no permission"):
            mine.import_log(FIXTURES / "friday-late.jsonl")
        with pytest.raises(StoreUnusable, match="no permission to change the views"):
            mine.forget("friday-two")
        with pytest.raises(StoreUnusable, match="no permission to change the views"):
            mine.follow(threading.Event())
    assert "friday-late" not in store.game_ids()


def test_a_reader_that_stays_sees_what_comes_with_a_worker_and_without(reader: str, store: GameStore) -> None:
    with open_store(reader) as mine:
        assert len(mine.games()) == 2
        store.append("h", as_events([opened("Ann", "Bob", game="h")]), expected=0)
        assert len(mine.games()) == 3
        store.append("i", as_events([opened("Ann", "Bob", game="i")]), expected=0)
        assert len(mine.games()) == 4
    ended = threading.Event()
    worker = threading.Thread(target=store.follow, args=(ended,))
    worker.start()
    try:
        with open_store(url_of(store)) as writer, open_store(reader) as mine:
            for number in range(3):
                writer.append(f"w{number}", as_events([opened("Ann", "Bob", game=f"w{number}")]), expected=0)
                assert len(mine.games()) == 5 + number
                assert mine._views._views is not None
                assert mine._views._views.read_only
    finally:
        ended.set()
        worker.join()


def test_a_schema_that_somebody_made_beforehand_is_taken_if_it_is_empty(tmp_path: Path) -> None:
    schema = url_in(tmp_path).partition("schema=")[2]
    with closing(connection_to(f"{server()}?schema=public")) as connection:
        connection.execute(f"CREATE SCHEMA {schema}; CREATE SCHEMA {schema}_views")
    with store_in(tmp_path) as store:
        store.import_log(TEXT)
        assert store.stats()


def test_whatever_a_server_does_by_default_does_not_matter(tmp_path: Path) -> None:
    settings = ("default_transaction_isolation%3Dserializable", "statement_timeout%3D60000", "bytea_output%3Descape")
    odd = "%20".join(f"-c%20{setting}" for setting in (*settings, "standard_conforming_strings%3Doff"))
    with open_store(f"{url_in(tmp_path)}&options={odd}") as store:
        store.import_log(TEXT)
        store.append("g", as_events([opened("Ann", "Bob", game="g"), load("Ann", note="\\ ' \\000")]), expected=0)
        assert store.export("friday-two") == Path(TEXT).read_bytes()
        assert json.loads(store.export("g").splitlines()[1])["note"] == "\\ ' \\000"
        assert list(store.check()) == []
        assert store.stats()
        with store._games.recorder.asking() as c:
            c.execute("SHOW statement_timeout")
            assert c.fetchone() == ("1min",)
            c.execute("SHOW transaction_isolation")
            assert c.fetchone() == ("read committed",)


@pytest.mark.parametrize("damage", ["DROP TABLE plays", "DELETE FROM made_by", "DROP TABLE made_by"])
def test_views_that_are_taken_away_from_an_open_store_are_made_anew(damage: str, store: GameStore) -> None:
    store.import_log(TEXT)
    before = views_of(store)
    ask(url_of(store), damage, views=True)
    assert store.stats()
    assert views_of(store) == before
    store.place.discard_views()
    assert views_of(store) == before


def test_many_threads_may_share_a_store(store: GameStore) -> None:
    def use(number: int) -> None:
        game = f"t{number}"
        for line in range(4):
            event = load("Ann") if line else opened("Ann", "Bob", game=game)
            store.append(game, as_events([event]), expected=line)
            assert game in {each.game for each in store.games()}

    with ThreadPoolExecutor(24) as pool:
        list(pool.map(use, range(24)))
    assert len(store.games()) == 25


def test_a_store_is_not_shared_with_a_process_that_was_forked(store: GameStore) -> None:
    child = os.fork()
    if child == 0:
        try:
            store.game_ids()
        except StoreUnusable as refused:
            os._exit(7 if "open it anew" in str(refused) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert store.game_ids() == ["g"]


def test_no_variable_moves_a_store_that_names_its_host(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PGHOSTADDR": "127.0.0.9", "PGPORT": "1", "PGDATABASE": "x", "POSTGRES_HOST": "nosuch"}.items():
        monkeypatch.setenv(name, value)
    with open_store(url_of(store)) as mine:
        assert mine.game_ids() == ["g"]


def test_views_that_a_later_version_made_are_left_alone(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.catch_up()
    ask(url_of(store), "UPDATE made_by SET auditor = '0.10.3'", views=True)
    monkeypatch.setattr("bh99.store.views.__version__", "0.9.20")
    with (
        open_store(url_of(store)) as mine,
        pytest.raises(StoreUnusable, match=r"a later bh99 \(0\.10\.3, form 2\)"),
    ):
        mine.stats()
    monkeypatch.setattr("bh99.store.views.__version__", "0.11")
    with open_store(url_of(store)) as mine:
        assert mine.stats()
    assert ask(url_of(store), "SELECT auditor FROM made_by", views=True) == [("0.11",)]


# ---- what a server may say ----


def test_a_store_from_a_later_version_is_refused_with_that_reason(store: GameStore) -> None:
    ask(url_of(store), "UPDATE incarnation SET form = 2")
    with pytest.raises(StoreUnusable, match=r"made by a later version \(form 2\)"):
        open_store(url_of(store))


def test_a_table_of_somebody_else_is_no_store(store: GameStore) -> None:
    ask(url_of(store), "DROP TABLE incarnation")
    with pytest.raises(StoreUnusable, match="it is no store of games"):
        open_store(url_of(store))


def test_a_database_that_cannot_hold_all_characters_is_refused() -> None:
    with closing(connection_to(f"{server()}?schema=public")) as connection:
        connection.execute("DROP DATABASE IF EXISTS latin")
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0")
    with pytest.raises(StoreUnusable, match="the database is in LATIN1; expected UTF8"):
        open_store(f"{server().rpartition('/')[0]}/latin")


def test_a_server_that_is_too_old_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bh99.store.postgresql.place.OLDEST", 99)
    with pytest.raises(StoreUnusable, match=r"the server is PostgreSQL \d+; expected 99 or later"):
        store_in(tmp_path)
    assert OLDEST == 15


def nobody_listens() -> int:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda url: url.replace(password(), "Xyzzy"), "the server refuses this user or this password"),
        (lambda url: url.replace(f":{password()}", ""), "the server wants a password"),
        (lambda url: url.replace("//bh99:", "//nobody:"), "the server refuses this user or this password"),
        (lambda url: url.replace("/postgres", "/nosuch"), "the server has no such database"),
        (lambda url: f"{url}?options=-c%20no.such%3D1%20-c%20nosuch%3D2", "it doesn't take the options"),
        (lambda url: f"{url}?sslmode=odd", "doesn't take a value"),
        (lambda url: url.replace("127.0.0.1", "nosuch.invalid"), "there is no such host"),
        (
            lambda url: f"{url}?sslmode=verify-full&sslrootcert=nosuch",
            "there is no certificate to check the server's by",
        ),
        (lambda url: f"{url}?colour=red", "says something that PostgreSQL's library doesn't know"),
        (
            lambda url: url.replace(str(urlsplit(url).port), str(nobody_listens())),
            "there is no connection to the server: Connection refused",
        ),
    ],
)
def test_whatever_is_wrong_with_a_connection_is_one_clear_line_without_the_password(
    change: Callable[[str], str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PGPASSWORD", "PGPASSFILE"):
        monkeypatch.delenv(name, raising=False)
    result = process("games", "--store", change(server()))
    shown = (result.stdout + result.stderr).decode()
    assert result.returncode == 2
    assert shown.count("\n") == 1
    assert said in shown
    assert password() not in shown
    assert "Xyzzy" not in shown


def test_who_waits_too_long_for_another_writer_is_told_and_has_stored_nothing(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bh99.store.postgresql.server.BUSY", 1)
    with closing(connection_to(url_of(store))) as other, open_store(url_of(store)) as mine:
        other.execute("BEGIN")
        other.execute("INSERT INTO stored_events VALUES ('h', 1, 'bh99/game_opened', 'x')")
        before = time.monotonic()
        with pytest.raises(StoreBusy, match="try again"):
            mine.append("g", as_events([load("Bob")]), expected=3)
        with pytest.raises(StoreBusy, match="try again"):
            mine.import_log(TEXT)
        assert 1 < time.monotonic() - before < 6
        other.execute("ROLLBACK")
        assert mine.append("g", as_events([load("Bob")]), expected=3) == 4
        assert mine.game_ids() == ["g"]


# ---- lost connections ----


def test_a_connection_that_was_cut_is_made_again(store: GameStore) -> None:
    cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'cut'"
    with open_store(f"{url_of(store)}&application_name=cut") as mine:
        mine.catch_up()
        for _ in range(3):
            assert ask(url_of(store), cut) >= [(2,)]
            assert mine.append("g", as_events([load("Bob")]), expected=_lines(store, "g"))
            assert ask(url_of(store), cut) >= [(1,)]
            assert mine.stats()
    assert _lines(store, "g") == 6


class Wire:
    """Stands between a store and the server, and cuts the wire where something is stored: before the server is told, or
    after."""

    def __init__(self, *, delivered: bool) -> None:
        self.delivered = delivered
        self.cuts = 0
        self.cutting = False
        self._socket = socket.create_server(("127.0.0.1", 0))
        parts = urlsplit(server())
        self._server = (parts.hostname, parts.port)
        self.url = server().replace(f":{parts.port}/", f":{self._socket.getsockname()[1]}/")
        self._open: list[socket.socket] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            ours, _ = self._socket.accept()
            theirs = socket.create_connection(self._server)
            self._open += [ours, theirs]
            for pair in ((ours, theirs), (theirs, ours)):
                threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def cut_now(self) -> None:
        """Cut all wires that there are, whatever they carry."""
        for end in self._open:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def in_plain(self, url: str) -> str:
        """The URL of a store by way of this wire, on which anybody can read what is said."""
        return f"{self.url}?{url.partition('?')[2]}&sslmode=disable"

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                if self.cutting and (b"COMMIT" in data or b"INSERT INTO stored_events" in data):
                    self.cutting = False
                    self.cuts += 1
                    source.shutdown(socket.SHUT_RDWR)  # no answer comes through any more
                    if self.delivered:
                        target.sendall(data)
                        time.sleep(0.2)  # the server has done it by then
                    break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            with closing(end), suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("delivered", [True, False])
def test_an_event_is_stored_once_though_nobody_knows_whether_it_was(delivered: bool, tmp_path: Path) -> None:
    wire = Wire(delivered=delivered)
    with open_store(wire.in_plain(url_in(tmp_path))) as store:
        store.append("g", as_events([opened("Ann", "Bob", game="g")]), expected=0)
        for line in range(1, 4):
            wire.cutting = True
            assert store.append("g", as_events([load("Ann")]), expected=line) == line + 1
        wire.cutting = True
        assert store.import_log(TEXT).game == "friday-two"
        wire.cutting = True
        store.catch_up()
        assert wire.cuts == 5
        assert _lines(store, "g") == 4
        assert store.export("friday-two") == Path(TEXT).read_bytes()
        with store_in(tmp_path) as straight:
            assert views_of(straight) == views_of(store)
            assert list(straight.check()) == []


def test_whoever_forgets_though_the_wire_is_cut_has_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Wire(delivered=True)
    with open_store(wire.in_plain(url_in(tmp_path))) as store:
        store.import_log(TEXT)
        forget = store._games.forget

        def cut_once(game: str, at: datetime) -> None:
            wire.cutting = wire.cuts == 0
            forget(game, at)

        monkeypatch.setattr(store._games, "forget", cut_once)
        with pytest.raises(GameForgotten):
            store.forget("friday-two")
        assert wire.cuts == 1
        assert not store.stats()
        with pytest.raises(UnknownGame):
            store.forget("nosuch")


@pytest.mark.parametrize("delivered", [True, False])
def test_a_copy_is_made_once_though_nobody_knows_whether_it_was(
    delivered: bool, tmp_path: Path, store: GameStore
) -> None:
    wire = Wire(delivered=delivered)
    target = url_in(tmp_path, "copy")
    wire.cutting = True
    digest = store.copy_to(wire.in_plain(target))
    assert wire.cuts == 1
    with open_store(target, create=False) as copy:
        assert copy.digest() == digest == store.digest()


def test_a_source_that_is_lost_while_it_is_copied_is_read_anew(
    tmp_path: Path, store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire(delivered=True)
    store.import_log(TEXT)
    with open_store(wire.in_plain(url_of(store))) as source:
        after, lost = ServerRecorder.after, [True]

        def losing(self: ServerRecorder, c: Cursor, position: int) -> list[tuple[int, StoredEvent]]:
            if lost:
                wire.cut_now()
                lost.clear()
            return after(self, c, position)

        monkeypatch.setattr(ServerRecorder, "after", losing)
        assert source.copy_to(f"sqlite:///{tmp_path}/copy.sqlite") == store.digest()
    assert [path.name for path in tmp_path.iterdir()] == ["copy.sqlite"]


def test_a_connection_with_tls_that_was_cut_is_made_again_too(store: GameStore) -> None:
    wire = Wire(delivered=True)
    with open_store(f"{wire.url}?{url_of(store).partition('?')[2]}&sslmode=require") as mine:
        for line in range(3, 6):
            wire.cut_now()
            assert mine.append("g", as_events([load("Bob")]), expected=line) == line + 1
            wire.cut_now()
            assert len(mine.games()) == 1
            wire.cut_now()
            assert mine.stats()


def test_a_server_that_stays_away_is_given_up_and_lost_connections_are_counted_anew_each_time(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bh99.store.postgresql.server.PAUSE", 0.3)
    calls = 0

    def cut_twice() -> int:
        nonlocal calls
        calls += 1
        if calls < 3:
            raise psycopg.OperationalError("SSL connection has been closed unexpectedly")
        return calls

    assert safely(cut_twice, server_of(server()), "store", patience=0.5) == 3
    gone = server_of(server().replace(str(urlsplit(server()).port), str(nobody_listens())))
    before = time.monotonic()
    with pytest.raises(StoreUnusable, match=r"there is no connection to the server: .*refused"):
        safely(lambda: connect(gone), gone, "store", patience=0.5)
    assert time.monotonic() - before < 5


def test_a_session_is_let_go_of_when_its_host_vanishes(store: GameStore) -> None:
    with store._games.recorder.reading() as c:
        for name in ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count"):
            c.execute(f"SHOW {name}")
            assert 0 < int(c.fetchone()[0]) <= 10
        c.execute("SHOW tcp_user_timeout")
        assert c.fetchone() in (("30s",), ("30000",))


# ---- together ----


def test_the_example_of_many_hosts_proves_the_same_as_files(tmp_path: Path) -> None:
    logs = [str(path) for path in sorted(FIXTURES.glob("*.jsonl"))]
    run = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "many_hosts.py"), url_in(tmp_path), *logs], capture_output=True
    )
    assert (run.returncode, run.stderr) == (0, b""), run.stderr.decode()
    assert run.stdout.endswith(b"the same as in files\n")
