"""The store in files of SQLite: what may become of files, and what only SQLite can be asked."""

import ctypes
import os
import resource
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cli_runs import FIXTURES
from stores import log_in, rows_of, store_in, url_in, views_of
from tables import as_events
from test_store import LOGS, load, loads, opened
from test_store_processes import finished, started

from bh99.errors import StoreUnusable
from bh99.store.store import open_store
from bh99.store.urls import place_of
from bh99.store.views import Views
from bh99.wanted import Wanted


@pytest.fixture
def raw(tmp_path: Path) -> sqlite3.Connection:
    """The database of a store with a game of three lines, open for writing."""
    with store_in(tmp_path) as store:
        store.append("g", as_events([opened("Ann", "Bob", game="g"), *loads(2)]), expected=0)
    return sqlite3.connect(store.place.events, isolation_level=None)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE stored_events SET state = x'00' WHERE originator_version = 2",
        "UPDATE stored_events SET state = x'', topic = 'bh99/forgotten'",
        "UPDATE stored_events SET originator_version = 9 WHERE originator_version = 3",
        "DELETE FROM stored_events",
        "DELETE FROM stored_events WHERE originator_version = 3",
        "INSERT INTO stored_events VALUES ('g', 4, 'bh99/bong_loaded', 'text')",
        "INSERT INTO stored_events VALUES ('g', 5, 'bh99/bong_loaded', x'00')",
        "INSERT INTO stored_events VALUES ('g', 3, 'bh99/bong_loaded', x'00')",
        "INSERT INTO stored_events VALUES ('g', 0, 'bh99/bong_loaded', x'00')",
        "INSERT INTO stored_events VALUES ('g', NULL, 'bh99/bong_loaded', x'00')",
        "INSERT INTO stored_events VALUES (NULL, 1, 'bh99/game_opened', x'00')",
        "INSERT INTO stored_events VALUES ('h', 2, 'bh99/bong_loaded', x'00')",
        "INSERT OR REPLACE INTO stored_events VALUES ('g', 2, 'bh99/bong_loaded', x'00')",
        "INSERT OR IGNORE INTO stored_events VALUES ('g', 7, 'bh99/bong_loaded', x'00')",
        "REPLACE INTO stored_events VALUES ('g', 3, 'bh99/bong_loaded', x'00')",
    ],
)
def test_the_database_itself_refuses_what_would_change_the_evidence(statement: str, raw: sqlite3.Connection) -> None:
    before = raw.execute("SELECT rowid, * FROM stored_events").fetchall()
    with pytest.raises(sqlite3.IntegrityError, match="bh99: "):
        raw.execute(statement)
    assert raw.execute("SELECT rowid, * FROM stored_events").fetchall() == before


@pytest.mark.parametrize(
    "damage", ["garbage", "empty", "a table less", "another place", "gone", "torn", "cut", "no tables", "a view"]
)
def test_views_that_are_damaged_are_made_anew_by_whoever_asks(damage: str, tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        for log in LOGS[:4]:
            store.import_log(str(FIXTURES / log))
        before = views_of(store)
    views = Path(store.place.views)
    if damage == "garbage":
        views.write_bytes(b"no database" * 999)
    elif damage == "empty":
        views.write_bytes(b"")
    elif damage == "gone":
        views.unlink()
    else:
        connection = sqlite3.connect(views, isolation_level=None)
        connection.execute(
            "DROP TABLE plays" if damage == "a table less" else "UPDATE tracking SET notification_id = 3"
        )
        connection.close()
    with store_in(tmp_path) as store:
        assert store.stats()
        assert views_of(store) == before


def test_a_database_of_somebody_else_is_never_taken_for_views(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "games-views.sqlite")
    other.execute("CREATE TABLE games (mine)")
    other.close()
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "one-hand.jsonl"))
        for question in (store.stats, store.rebuild, store.catch_up):
            with pytest.raises(StoreUnusable, match="this database isn't ours"):
                question()
    assert rows_of(str(tmp_path / "games-views.sqlite"), "games") == {"games": []}


def test_views_follow_the_store_that_is_there_and_no_other(tmp_path: Path) -> None:
    """A store that was deleted or replaced leaves its views behind; those of a backup know less."""
    with store_in(tmp_path) as store:
        store.import_log(log_in(tmp_path, [opened("Ann", "Bob", game="a")]))
        store.backup(str(tmp_path / "copy"))
        store.import_log(log_in(tmp_path, [opened("Ann", "Bob", game="b"), load("Ann")]))
        assert [game.game for game in store.games()] == ["a", "b"]
    (tmp_path / "copy").replace(tmp_path / "games.sqlite")
    with store_in(tmp_path) as store:
        assert [game.game for game in store.games()] == ["a"]
        store.import_log(log_in(tmp_path, [opened("Ann", "Bob", game="c"), load("Bob"), load("Bob")]))
        assert [game.game for game in store.games()] == ["a", "c"]
    (tmp_path / "games.sqlite").unlink()
    with store_in(tmp_path) as store:
        assert [game.game for game in store.games()] == []
        store.import_log(log_in(tmp_path, [opened("Ann", "Bob", game="d"), *loads(9)]))
        assert [game.game for game in store.games()] == ["d"]
        assert list(store.check()) == []


def test_views_notice_another_store_though_its_games_end_alike(tmp_path: Path) -> None:
    """A typo that is mended in a copy of the store: same ids, same number of lines, same last line."""
    with store_in(tmp_path) as store:
        store.import_log(FIXTURES / "two-players.jsonl")
        store.backup(tmp_path / "copy")
        store.import_log(FIXTURES / "friday-late.jsonl")
        assert [row.miscalls for row in store.stats(Wanted(players=("Ben",)))] == [1]
    mended = (FIXTURES / "friday-late.jsonl").read_bytes().replace(b'"5c","count":6', b'"5c","count":5')
    (tmp_path / "mended.jsonl").write_bytes(mended)
    for start in ("copy", None):
        Path(store.place.events).unlink()
        if start is not None:
            (tmp_path / start).replace(store.place.events)
        with store_in(tmp_path) as store:
            store.import_log(tmp_path / "mended.jsonl")
            assert [row.miscalls for row in store.stats(Wanted(players=("Ben",)))] == [0]
            assert list(store.check()) == []


def test_stores_whose_names_differ_in_the_ending_have_views_of_their_own(tmp_path: Path) -> None:
    names = [
        place_of(f"sqlite:///{tmp_path}/{name}").views for name in ("g", "g.sqlite", "g.db", "g.views", "h.sqlite")
    ]
    assert len({*names}) == 5


def test_what_is_left_of_a_deleted_store_does_not_come_alive(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite-wal").write_bytes(b"left over")
    with pytest.raises(StoreUnusable, match=r"games\.sqlite-wal is left of it"):
        store_in(tmp_path)


def test_whoever_is_overtaken_while_views_are_made_anew_follows_from_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rebuild inside somebody else's catching up, after their first commit of two."""
    monkeypatch.setattr("bh99.store.views.EVENTS_A_COMMIT", 1)
    logs = [str(FIXTURES / log) for log in LOGS[:8]]
    with store_in(tmp_path) as one, store_in(tmp_path) as other:
        for log in logs:
            one.import_log(log)
        right = views_of(one)
        one.rebuild()
        rebuilt: list[int] = []

        def interrupt(done: int, of: int) -> None:
            if done == 4 and not rebuilt:
                rebuilt.append(done)
                other.rebuild()
                other._views.work(Views.clear)

        one.rebuild(interrupt)
        assert rebuilt
        assert views_of(one) == right


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_bytes(b"no database at all, though it is long enough to look like one" * 99)
    (tmp_path / "empty.sqlite").write_bytes(b"")
    (tmp_path / "folder.sqlite").mkdir()
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE stored_events (x)")
    other.close()
    for name, said in (
        ("text", "this is no database"),
        ("empty", "no store of games"),
        ("other", "no store of games"),
        ("folder", "this is no file"),
    ):
        with pytest.raises(StoreUnusable, match=said):
            store_in(tmp_path, name)
    assert (tmp_path / "empty.sqlite").read_bytes() == b""


def test_a_store_from_a_later_version_is_refused_with_that_reason(tmp_path: Path) -> None:
    store_in(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "games.sqlite")
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    with pytest.raises(StoreUnusable, match=r"made by a later version \(form 2\)"):
        store_in(tmp_path)


@pytest.mark.parametrize("url", ["", "games.sqlite", "sqlite://", "sqlite:///", "mysql://x/y", "sqlite:///a?b=c"])
def test_a_url_that_names_no_store_is_refused(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("BH99_STORE", raising=False)
    if url:
        with pytest.raises(StoreUnusable, match="expected sqlite:///path"):
            place_of(url)
    else:
        assert place_of(url).events == str(tmp_path / "bh99" / "games.sqlite")


def test_the_environment_names_the_store_and_nothing_else_moves_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BH99_STORE", url_in(tmp_path, "mine"))
    for name in ("SQLITE_DBNAME", "BH99_SQLITE_DBNAME", "BH99-GAMES_SQLITE_DBNAME"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    monkeypatch.setenv("COMPRESSOR_TOPIC", "zlib")
    monkeypatch.setenv("PERSISTENCE_MODULE", "eventsourcing.popo")
    with open_store() as store:
        one = store.import_log(str(FIXTURES / "one-hand.jsonl"))
    assert (tmp_path / "mine.sqlite").exists()
    assert not (tmp_path / "elsewhere").exists()
    with open_store() as store:
        assert store.export(one.game or "") == (FIXTURES / "one-hand.jsonl").read_bytes()


def test_names_of_files_may_hold_any_characters(tmp_path: Path) -> None:
    folder = tmp_path / "a b%20#&ü"
    with store_in(folder) as store:
        store.import_log(str(FIXTURES / "one-hand.jsonl"))
        assert len(store.games()) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["games-views.sqlite", "games.sqlite"]


def test_threads_may_make_the_same_new_store(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for store in pool.map(lambda _: store_in(tmp_path), range(8)):
            store.close()
    assert [path.name for path in tmp_path.iterdir()] == ["games.sqlite"]


def test_a_store_can_be_made_and_copied_where_files_have_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", no_links)
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "one-hand.jsonl"))
        store.backup(str(tmp_path / "copy.sqlite"))
    with store_in(tmp_path, "copy") as copy:
        assert len(copy.games()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy-views.sqlite", "copy.sqlite", "games.sqlite"]


@pytest.mark.parametrize("megabytes", [0.02, 0.12, 0.3])
def test_a_full_disk_is_a_clear_error_and_loses_nothing(
    megabytes: float, tmp_path: Path, logs: Path, right: dict[str, list[tuple[Any, ...]]]
) -> None:
    def little_room() -> None:
        most = int(megabytes * 1024 * 1024)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    said = finished(started("import", str(logs), url=url_in(tmp_path), preexec_fn=little_room), statuses=(2,))
    assert "what was stored before is safe" in said
    finished(started("import", str(logs), url=url_in(tmp_path)))
    with store_in(tmp_path) as store:
        assert list(store.check()) == []
        assert views_of(store) == right


def as_anybody() -> None:
    """In a child that will be another program: permissions apply, even where it is root's."""
    if os.getuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, with PR_CAPBSET_DROP
            assert libc.prctl(24, capability, 0, 0, 0) == 0


def test_a_read_only_folder_can_be_asked_but_not_imported_into(tmp_path: Path, logs: Path) -> None:
    folder = tmp_path / "sealed"
    folder.mkdir()
    paths = sorted(map(str, logs.iterdir()))
    with store_in(folder) as store:
        for path in paths[:6]:
            store.import_log(path)
        expected = store.stats().records()
        one = store.games()[0].game
    for views in (True, False):
        if not views:
            (folder / "games-views.sqlite").unlink()
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        try:
            before = {path.name: path.read_bytes() for path in folder.iterdir()}
            said = finished(started("stats", "--format", "json", url=url_in(folder), preexec_fn=as_anybody))
            assert said.count('"player"') == len(expected)
            assert finished(started("export", one, url=url_in(folder), preexec_fn=as_anybody))
            said = finished(started("import", paths[9], url=url_in(folder), preexec_fn=as_anybody), statuses=(2,))
            assert "no permission to write it" in said
            assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
        finally:
            folder.chmod(0o755)


def test_a_store_cannot_be_made_where_nothing_may_be_written(tmp_path: Path, logs: Path) -> None:
    folder = tmp_path / "sealed"
    folder.mkdir()
    folder.chmod(0o555)
    said = finished(started("import", str(logs), url=url_in(folder), preexec_fn=as_anybody), statuses=(2,))
    assert "no permission to make a store there" in said
    assert list(folder.iterdir()) == []
