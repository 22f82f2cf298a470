"""Many processes on one server: nothing missed, nothing twice, exactly one winner a version; also when workers are
killed, and when the server is restarted, in order or in the middle of everything."""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import ROOT, environment
from legal_games import legal_game
from stores import ask, log_in, views_of
from tables import as_events
from test_store import opened
from test_store_processes import COMMAND, finished

from bh99.store.store import open_store

pytestmark = pytest.mark.postgresql
ALONE, TOGETHER, LINES, IMPORTED = 8, 4, 600, 50_000

# Appends line after line to a game, and notes each one that was accepted. Whoever loses a line tries the next one.
WRITER = """
import sys
from bh99.errors import GameConflict
from bh99.store.store import open_store
from domain import events as ev

url, game, name, lines, notes = sys.argv[1:]
with open_store(url) as store, open(notes, "a") as won:
    at = store.export(game).count(b"\\n")
    while at < int(lines):
        event = ev.BongLoaded(player="Ann", note=name)
        try:
            store.append(game, [event], expected=at)
        except GameConflict as lost:
            at = lost.lines
            continue
        at += 1
        print(game, at, name, file=won, flush=True)
"""


@pytest.fixture(scope="module")
def own() -> Iterator[tuple[str, str]]:
    """A server that no other test uses, as it will be restarted: its URL, and the command that does that."""
    tell = 'echo "$BH99_POSTGRESQL $BH99_PGCTL"; exec cat'
    with subprocess.Popen(
        [ROOT / ".ci" / "with-postgresql", "bash", "-c", tell], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        url, pg_ctl = server.stdout.readline().split()
        yield url, pg_ctl


class Hosts:
    """Processes that use a store, each as if it ran on a host of its own."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self.running: list[subprocess.Popen[bytes]] = []

    def write(self, game: str, name: str) -> subprocess.Popen[bytes]:
        return self._start([sys.executable, "-c", WRITER, self.url, game, name, str(LINES), str(self.folder / name)])

    def command(self, *arguments: str) -> subprocess.Popen[bytes]:
        return self._start([*COMMAND, *arguments])

    def _start(self, arguments: list[str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            arguments,
            env=environment(BH99_STORE=self.url),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.running.append(process)
        return process

    def won(self) -> list[tuple[str, int, str]]:
        """The game, the line and the writer of each append that was accepted."""
        notes = [line.split() for file in self.folder.iterdir() for line in file.read_text().splitlines()]
        return [(game, int(line), name) for game, line, name in notes]


@pytest.mark.parametrize("disturbed", ["never", "killed", "restarted", "crashed"])
def test_many_hosts_write_import_and_follow_at_once(disturbed: str, own: tuple[str, str], tmp_path: Path) -> None:
    url, pg_ctl = f"{own[0]}?schema={disturbed}", own[1]
    (tmp_path / "won").mkdir()
    first, *lines = legal_game(1, 4, hands=1700)[:IMPORTED]
    assert len(lines) == IMPORTED - 1
    long = log_in(tmp_path, [{**first, "game": "long"}, *lines])
    games = [f"g{number}" for number in range(ALONE)] + ["together"]
    with open_store(url) as store:
        for game in games:
            store.append(game, as_events([opened("Ann", "Bob", game=game)]), expected=0)
    hosts = Hosts(url, tmp_path / "won")
    followers = [hosts.command("store", "follow") for _ in range(2)]
    writers = {f"alone{number}": hosts.write(f"g{number}", f"alone{number}") for number in range(ALONE)}
    writers |= {f"together{number}": hosts.write("together", f"together{number}") for number in range(TOGETHER)}
    importer = hosts.command("import", long)
    rng = random.Random(disturbed)
    for time_of in range(0 if disturbed == "never" else 3):
        time.sleep(0.3 + rng.random())
        assert any(writer.poll() is None for writer in writers.values()), "they are disturbed at work"
        if disturbed == "killed":
            worker = followers.pop(0) if time_of == 0 else None  # the other one does it all from then on
            for process in (writers["alone3"], writers["together1"], importer, worker):
                if process is not None:
                    process.kill()
                    process.communicate()
            writers["alone3"] = hosts.write("g3", "alone3")
            writers["together1"] = hosts.write("together", "together1")
            importer = hosts.command("import", long)
        else:
            mode = "fast" if disturbed == "restarted" else "immediate"
            subprocess.run([pg_ctl, "restart", "--mode", mode], check=True, capture_output=True)
    for writer in writers.values():
        finished(writer)
    finished(importer)
    caught_up(url)
    for follower in followers:
        follower.send_signal(signal.SIGTERM)
        assert "ended after reading" in finished(follower)

    won = hosts.won()
    assert max(Counter((game, line) for game, line, _ in won).values()) == 1, "two winners of a version"
    with open_store(url) as store, open_store(f"sqlite:///{tmp_path}/games.sqlite") as files:
        assert store.export("long") == Path(long).read_bytes()
        stored = {
            (game, line): json.loads(text)["note"]
            for game in games
            for line, text in enumerate(store.export(game).splitlines()[1:], 2)
        }
        assert {game: sum(key[0] == game for key in stored) for game in games} == dict.fromkeys(games, LINES - 1)
        assert all(stored[game, line] == name for game, line, name in won), "an event was accepted but isn't stored"
        unknown = len(stored) - len(won)  # a writer may be killed between storing a line and noting it
        assert unknown <= (6 if disturbed == "killed" else 0), "an event is stored but wasn't accepted"
        for game in [*games, "long"]:
            (tmp_path / f"{game}.jsonl").write_bytes(store.export(game))
            files.import_log(tmp_path / f"{game}.jsonl")
        assert views_of(files) == views_of(store)
        assert list(store.check()) == []


def caught_up(url: str) -> None:
    """Wait until somebody else has brought the views up to the last event."""
    behind = (
        "SELECT (SELECT max(notification_id) FROM {0}.stored_events) - (SELECT notification_id FROM {0}_views.tracking)"
    ).format(url.partition("schema=")[2])
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if ask(url, behind) == [(0,)]:
                return
        except Exception as fault:  # views are only now being made
            assert "Undefined" in type(fault).__name__, fault
        time.sleep(0.1)
    raise AssertionError("nobody follows")
