"""The store and its views when processes are killed, when several are at it, and when the disk has had enough."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cli_runs import ROOT, environment
from legal_games import legal_game
from stores import log_in, rows_in, store_in, text_of, url_in, views_as_they_are, views_of

pytestmark = pytest.mark.usefixtures("engine")
ROUNDS = 20
COMMAND = [sys.executable, "-c", "from cli.main import run; run()"]


def started(*arguments: str, url: str, **more: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *arguments],
        env=environment(BH99_STORE=url, PYTHONDONTWRITEBYTECODE="1"),  # some have no room for it
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


def test_killed_at_any_moment_and_started_again_the_tables_equal_a_clean_rebuild(
    tmp_path: Path, logs: Path, right: dict[str, list[tuple[Any, ...]]]
) -> None:
    """Real kills, between the first and the last commit of the events or of the views."""
    rng = random.Random(20)
    unfinished = 0
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        table, most = ("stored_events", 10_000) if number % 2 else ("games", 60)
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, url_in(folder), str(logs), "all"], env=environment(), cwd=ROOT
        )
        while process.poll() is None and not 0 < rows_in(folder, table) < most:
            time.sleep(0.002)
        time.sleep(rng.random() * 0.03)
        process.send_signal(signal.SIGKILL)
        process.wait()
        stored = rows_in(folder, "stored_events")
        unfinished += rows_in(folder, table) > 0 and rows_in(folder, "games") < 60
        with store_in(folder) as store:
            whole = {text_of_file(logs, game) for game in store.game_ids()} == {
                store.export(game) for game in store.game_ids()
            }
            assert whole, "a game is stored whole or not at all"
            assert stored == sum(store.export(game).count(b"\n") for game in store.game_ids())
        subprocess.run(
            [sys.executable, "-c", KILLED, url_in(folder), str(logs), "all"], env=environment(), cwd=ROOT, check=True
        )
        assert views_as_they_are(folder) == right
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
        while process.poll() is None and not 0 < rows_in(tmp_path, "games") < 60:
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
    assert {path.name for path in tmp_path.iterdir()} <= {f"new{number}.sqlite" for number in range(3)}


def test_many_processes_may_ask_a_store_that_has_no_views_yet(tmp_path: Path, logs: Path) -> None:
    with store_in(tmp_path) as store:
        for path in sorted(logs.iterdir())[:20]:
            store.import_log(str(path))
    for _ in range(3):
        askers = [started("stats", "--format", "csv", url=url_in(tmp_path)) for _ in range(5)]
        assert len({finished(asker) for asker in askers}) == 1
        store.place.discard_views()


def test_a_reader_that_stays_open_hinders_nobody_and_sees_one_moment(engine: str, tmp_path: Path, logs: Path) -> None:
    paths = sorted(map(str, logs.iterdir()))
    with store_in(tmp_path) as store:
        store.import_log(paths[0])
        store.catch_up()
        reader = store.connect()
        reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ" if engine == "server" else "BEGIN")
        assert reader.execute("SELECT count(*) FROM games").fetchone() == (1,)
        finished(started("import", *paths[1:9], url=url_in(tmp_path)))
        finished(started("store", "rebuild", url=url_in(tmp_path)))
        assert reader.execute("SELECT count(*) FROM games").fetchone() == (1,)
        reader.execute("COMMIT")
        assert reader.execute("SELECT count(*) FROM games").fetchone() == (9,)
        reader.close()
        assert len(store.games()) == 9


def test_an_interrupted_import_ends_at_once_and_leaves_whole_games(tmp_path: Path, logs: Path) -> None:
    process = started("import", str(logs), url=url_in(tmp_path))
    while process.poll() is None and not rows_in(tmp_path, "stored_events"):
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode in (130, 0, 1)
    with store_in(tmp_path) as store:
        for game in store.game_ids():
            assert store.export(game) == text_of_file(logs, game)
