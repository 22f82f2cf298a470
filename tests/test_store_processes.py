"""The store and its views when processes are killed, when several are at it, and when the disk has had enough."""

import ctypes
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cli_runs import ROOT, environment
from legal_games import legal_game
from legal_matches import legal_match
from stores import log_in, rows_of, store_in, text_of, url_in, views_of

from bh99.store.view_tables import TABLES

ROUNDS = 20
COMMAND = [sys.executable, "-c", "from cli.main import run; run()"]


def logs_in(folder: Path, count: int, first: int = 0) -> Path:
    """A folder with so many logs."""
    for seed in range(first, first + count):
        lines = (
            legal_game(seed, 2 + seed % 5, hands=1) if seed % 4 else legal_match(seed, 3, "ninety-nine-chips", hands=2)
        )
        log_in(folder, [{**lines[0], "game": f"game-{seed}"}, *lines[1:]], f"{seed}.jsonl")
    return folder


def started(*arguments: str, url: str, **more: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *arguments],
        env=environment(BH99_STORE=url),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        **more,
    )


def finished(process: subprocess.Popen[bytes], statuses: Sequence[int] = (0, 1)) -> str:
    """The output of a process, which has to end well."""
    out, err = process.communicate(timeout=100)
    assert process.returncode in statuses, err.decode()
    assert b"Traceback" not in err, err.decode()
    return out.decode() + err.decode()


def rows_in(file: Path, table: str) -> int:
    """How many rows a table has that may not be there yet."""
    try:
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        try:
            found: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            return found
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


# What an import does, in a process that can be killed between its first commit and its last: small commits, and many.
KILLED = """
import sys
from bh99.store import views
from bh99.store.store import open_store
views.EVENTS_A_COMMIT = 200
url, folder, what = sys.argv[1:]
with open_store(url) as store:
    if what != "views":
        import pathlib
        for path in sorted(pathlib.Path(folder).iterdir()):
            store.import_log(str(path))
    store.rebuild() if what == "rebuild" else store.catch_up()
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return logs_in(tmp_path_factory.mktemp("logs"), 60)


@pytest.fixture(scope="module")
def right(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[Any, ...]]]:
    """What the views of all logs have to be: imported and built by one process, undisturbed."""
    with store_in(tmp_path_factory.mktemp("right")) as store:
        for path in sorted(logs.iterdir()):
            store.import_log(str(path))
        return views_of(store)


def test_killed_at_any_moment_and_started_again_the_tables_equal_a_clean_rebuild(
    tmp_path: Path, logs: Path, right: dict[str, list[tuple[Any, ...]]]
) -> None:
    """Real kills, between the first and the last commit of the events or of the views."""
    rng = random.Random(20)
    unfinished = 0
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        watched, table, most = (
            (folder / "games.sqlite", "stored_events", 10_000)
            if number % 2
            else (folder / "games-views.sqlite", "games", 60)
        )
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, url_in(folder), str(logs), "all"], env=environment(), cwd=ROOT
        )
        while process.poll() is None and not 0 < rows_in(watched, table) < most:
            time.sleep(0.002)
        time.sleep(rng.random() * 0.03)
        process.send_signal(signal.SIGKILL)
        process.wait()
        stored = rows_in(folder / "games.sqlite", "stored_events")
        unfinished += rows_in(watched, table) > 0 and rows_in(folder / "games-views.sqlite", "games") < 60
        with store_in(folder) as store:
            whole = {text_of_file(logs, game) for game in store.game_ids()} == {
                store.export(game) for game in store.game_ids()
            }
            assert whole, "a game is stored whole or not at all"
            assert stored == sum(store.export(game).count(b"\n") for game in store.game_ids())
        subprocess.run(
            [sys.executable, "-c", KILLED, url_in(folder), str(logs), "all"], env=environment(), cwd=ROOT, check=True
        )
        assert rows_of(str(folder / "games-views.sqlite"), *TABLES) == right
    assert unfinished >= ROUNDS // 2, "most were killed on the way"


def text_of_file(logs: Path, game: str) -> bytes:
    return (logs / f"{game.removeprefix('game-')}.jsonl").read_bytes()


def test_a_killed_rebuild_is_finished_by_whoever_comes_next(
    tmp_path: Path, logs: Path, right: dict[str, list[tuple[Any, ...]]]
) -> None:
    with store_in(tmp_path) as store:
        for path in sorted(logs.iterdir()):
            store.import_log(str(path))
        store.catch_up()
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, url_in(tmp_path), str(logs), "rebuild"], env=environment(), cwd=ROOT
        )
        while process.poll() is None and not 0 < rows_in(tmp_path / "games-views.sqlite", "games") < 60:
            time.sleep(0.001)
        process.kill()
        process.wait()
        with store_in(tmp_path) as store:
            assert views_of(store) == right


def test_several_importers_at_once_store_each_game_once(
    tmp_path: Path, logs: Path, right: dict[str, list[tuple[Any, ...]]]
) -> None:
    """All begin with a store that isn't there yet; games without an id come to each of them in another length."""
    nameless = legal_game(5, 4, hands=2)
    nameless[0].pop("game", None)
    texts = [nameless[: len(nameless) * part // 5] for part in range(1, 6)]
    copies = [log_in(tmp_path / "copies", text, f"{at}.jsonl") for at, text in enumerate(texts)]
    importers = [started("import", str(logs), copies[at], url=url_in(tmp_path)) for at in range(5)]
    for importer in importers:
        finished(importer)
    with store_in(tmp_path) as store:
        assert len(store.game_ids()) == 61
        [game] = [game for game in store.game_ids() if game.startswith("log-")]
        assert store.export(game) == text_of(nameless)
        assert list(store.check()) == []
        found = views_of(store)
        for table, rows in found.items():
            assert [row for row in rows if row[0] != game] == right[table]


def test_many_processes_may_make_the_same_new_store(tmp_path: Path) -> None:
    script = "import sys; from bh99.store.store import open_store; open_store(sys.argv[1]).close()"
    for number in range(3):
        url = url_in(tmp_path, f"new{number}")
        makers = [
            subprocess.Popen([sys.executable, "-c", script, url], env=environment(), cwd=ROOT, stderr=subprocess.PIPE)
            for _ in range(8)
        ]
        for maker in makers:
            _, err = maker.communicate(timeout=60)
            assert maker.returncode == 0, err.decode()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"new{number}.sqlite" for number in range(3)]


def test_many_processes_may_ask_a_store_that_has_no_views_yet(tmp_path: Path, logs: Path) -> None:
    with store_in(tmp_path) as store:
        for path in sorted(logs.iterdir())[:20]:
            store.import_log(str(path))
    for _ in range(3):
        askers = [started("stats", "--format", "csv", url=url_in(tmp_path)) for _ in range(5)]
        assert len({finished(asker) for asker in askers}) == 1
        for left in tmp_path.glob("*-views*"):
            left.unlink()


def test_a_reader_that_stays_open_hinders_nobody_and_sees_one_moment(tmp_path: Path, logs: Path) -> None:
    paths = sorted(map(str, logs.iterdir()))
    with store_in(tmp_path) as store:
        store.import_log(paths[0])
        store.catch_up()
        reader = sqlite3.connect(f"file:{store.place.views}?mode=ro", uri=True, isolation_level=None)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM games").fetchone() == (1,)
        finished(started("import", *paths[1:9], url=url_in(tmp_path)))
        finished(started("store", "rebuild", url=url_in(tmp_path)))
        assert reader.execute("SELECT count(*) FROM games").fetchone() == (1,)
        reader.execute("COMMIT")
        assert reader.execute("SELECT count(*) FROM games").fetchone() == (9,)
        reader.close()
        assert len(store.games()) == 9


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


def test_an_interrupted_import_ends_at_once_and_leaves_whole_games(tmp_path: Path, logs: Path) -> None:
    process = started("import", str(logs), url=url_in(tmp_path))
    while process.poll() is None and not rows_in(tmp_path / "games.sqlite", "stored_events"):
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode in (130, 0, 1)
    with store_in(tmp_path) as store:
        for game in store.game_ids():
            assert store.export(game) == text_of_file(logs, game)
