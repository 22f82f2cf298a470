"""Where a live game is kept, and how it goes on from there: files, the store, and what breaks off halfway."""

import errno
import gzip
import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from stores import log_in, url_in
from tables import Event, audited, dealt, findings_of, game, leisure, loaded, played, taken_back, took

from bh99.answers import read_log
from bh99.chance import Chance
from bh99.errors import GameConflict, LogUnreadable, LogUnwritable
from bh99.keepers import FileKeeper, Keeper, StoreKeeper, open_keeper
from bh99.playing import BOTS_KEY, LiveGame, begin_game
from domain import commands as do
from domain import events as ev
from domain.deciding import Refused
from domain.shipped_rules import rules_named

BONG, CHIPS = "bong-hit-99", "ninety-nine-chips"
HANDS = {"Ana": "Kh 2d 4d Ac", "Ben": "3h 4h 5h 6h", "Cy": "3s 4s 5s 6s"}
LOG = game("Ana Ben Cy", dealt("Cy", **HANDS), source="service")


class Clock:
    """Each question is a second later."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 4, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def text_of(events: Sequence[Event]) -> bytes:
    return b"".join(msgspec.json.encode(event) + b"\n" for event in events)


def path_in(folder: Path, text: bytes = b"", name: str = "game.jsonl") -> str:
    (folder / name).write_bytes(text)
    return str(folder / name)


def opened_on(path: str) -> FileKeeper:
    keeper = open_keeper(path)
    assert isinstance(keeper, FileKeeper)
    return keeper


# ---- a file ----


def test_a_file_is_made_and_added_to(tmp_path: Path) -> None:
    path = str(tmp_path / "game.jsonl")
    keeper = opened_on(path)
    assert (keeper.name, keeper.game, keeper.events(), keeper.notes) == (path, None, [], [])
    keeper.add(LOG[:1])
    keeper.add(LOG[1:])
    assert keeper.events() == LOG
    keeper.close()
    assert Path(path).read_bytes() == text_of(LOG)
    assert read_log(path).events() == LOG


def test_a_file_is_gone_on_with(tmp_path: Path) -> None:
    path = path_in(tmp_path, text_of(LOG))
    keeper = opened_on(path)
    assert keeper.events() == LOG
    keeper.add([leisure("Ana")])
    keeper.close()
    assert Path(path).read_bytes() == text_of([*LOG, leisure("Ana")])


def test_what_was_added_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time the disk is asked to hold it, and only when all of it has been written."""
    path, synced, really = path_in(tmp_path), list[int](), os.fsync

    def fsync(file: int) -> None:
        synced.append(os.fstat(file).st_size)
        really(file)

    keeper = opened_on(path)
    monkeypatch.setattr(os, "fsync", fsync)
    keeper.add(LOG)
    keeper.add([leisure("Ana")])
    assert synced == [len(text_of(LOG)), len(text_of([*LOG, leisure("Ana")]))]
    keeper.close()


def test_a_file_has_one_writer(tmp_path: Path) -> None:
    path = path_in(tmp_path, text_of(LOG))
    first = opened_on(path)
    with pytest.raises(LogUnwritable, match="another program is writing to it"):
        open_keeper(path)
    first.add([leisure("Ana")])
    first.close()
    second = opened_on(path)
    assert second.events() == [*LOG, leisure("Ana")]
    second.close()


def test_a_second_writer_does_not_mend_what_the_first_is_writing(tmp_path: Path) -> None:
    path = path_in(tmp_path, text_of(LOG))
    first = opened_on(path)
    with Path(path).open("ab") as file:
        file.write(b'{"type":"leis')
    with pytest.raises(LogUnwritable):
        open_keeper(path)
    assert Path(path).read_bytes() == text_of(LOG) + b'{"type":"leis'
    first.close()


def test_a_last_line_that_was_cut_off_is_laid_beside(tmp_path: Path) -> None:
    path = path_in(tmp_path, text_of(LOG) + b'{"type":"card_played","pla')
    keeper = opened_on(path)
    assert keeper.notes == [f"the last line was cut off; what there was of it stands in {path}.cut"]
    assert Path(f"{path}.cut").read_bytes() == b'{"type":"card_played","pla\n'
    keeper.add([leisure("Ana")])
    assert keeper.events() == [*LOG, leisure("Ana")]
    keeper.close()
    with Path(path).open("ab") as file:
        file.write(b"{")
    opened_on(path).close()
    assert Path(f"{path}.cut").read_bytes() == b'{"type":"card_played","pla\n{\n'
    assert Path(path).read_bytes() == text_of([*LOG, leisure("Ana")])


def test_a_first_line_that_was_cut_off_leaves_a_new_game(tmp_path: Path) -> None:
    keeper = opened_on(path_in(tmp_path, text_of(LOG)[:20]))
    assert keeper.events() == []
    keeper.add(LOG)
    assert keeper.events() == LOG
    keeper.close()


def test_a_last_line_that_is_whole_is_finished(tmp_path: Path) -> None:
    path = path_in(tmp_path, text_of([*LOG, leisure("Ana")])[:-1])
    keeper = opened_on(path)
    assert keeper.notes == []
    assert Path(path).read_bytes() == text_of([*LOG, leisure("Ana")])
    keeper.close()
    assert not Path(f"{path}.cut").exists()


def test_a_cut_line_that_can_not_be_laid_beside_stays(tmp_path: Path) -> None:
    text = text_of(LOG) + b"{"
    path = path_in(tmp_path, text)
    Path(f"{path}.cut").mkdir()
    with pytest.raises(LogUnwritable, match="its last line is cut off, and can't be mended"):
        open_keeper(path)
    assert Path(path).read_bytes() == text
    Path(f"{path}.cut").rmdir()
    opened_on(path).close()  # nobody holds it any more


def test_a_packed_file_is_refused(tmp_path: Path) -> None:
    for name in ("game.jsonl", "game.jsonl.gz"):
        text = gzip.compress(text_of(LOG))
        path = path_in(tmp_path, text, name)
        with pytest.raises(LogUnwritable, match="the log is packed; expected a plain file"):
            open_keeper(path)
        assert Path(path).read_bytes() == text


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name in ("folder.jsonl", "pipe.jsonl"):
        with pytest.raises(LogUnwritable, match="this is no file that lines can be added to"):
            open_keeper(str(tmp_path / name))


@pytest.mark.parametrize("name", ["missing/game.jsonl", "file/game.jsonl", "nul\0.jsonl", "x" * 300 + ".jsonl"])
def test_a_file_that_can_not_be_made_is_refused(tmp_path: Path, name: str) -> None:
    path_in(tmp_path, b"", "file")
    with pytest.raises(LogUnwritable, match="can't be written: "):
        open_keeper(f"{tmp_path}/{name}")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_adds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, really, calls = path_in(tmp_path, text_of(LOG)), os.write, list[int]()
    keeper = opened_on(path)

    def write(file: int, text: bytes) -> int:
        calls.append(len(text))
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return really(file, text[: len(text) // 2])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        with pytest.raises(LogUnwritable, match="can't be written: No space left on device"):
            keeper.add([leisure("Ana"), leisure("Ben")])
    assert calls[0] > calls[1] > 0
    assert Path(path).read_bytes() == text_of(LOG)
    keeper.add([leisure("Cy")])
    assert keeper.events() == [*LOG, leisure("Cy")]
    keeper.close()


def test_a_write_that_takes_a_part_at_a_time_adds_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, really = path_in(tmp_path), os.write
    keeper = opened_on(path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda file, text: really(file, text[:7]))
        keeper.add(LOG)
    assert Path(path).read_bytes() == text_of(LOG)
    keeper.close()


@pytest.mark.parametrize(
    "event", [leisure("\x1b[31m"), leisure(""), ev.LeisureHit(player="Ana", note="x" * 2**20), took("Ana", -1)]
)
def test_what_can_not_be_a_line_is_not_added(tmp_path: Path, event: Event) -> None:
    path = path_in(tmp_path, text_of(LOG))
    keeper = opened_on(path)
    with pytest.raises(ValueError, match="this can't stand in a log"):
        keeper.add([leisure("Ana"), event])
    keeper.close()
    assert Path(path).read_bytes() == text_of(LOG)


def test_a_file_that_is_no_log_can_not_be_read(tmp_path: Path) -> None:
    keeper = opened_on(path_in(tmp_path, b"dear diary\n"))
    with pytest.raises(LogUnreadable):
        keeper.events()
    keeper.close()


def test_a_name_is_a_file_or_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ends in .jsonl, is there, or can't be an id, is a file; anything else is a game of the store."""
    monkeypatch.chdir(tmp_path)
    path_in(tmp_path, b"", "friday")
    for name in ("friday", "saturday.jsonl"):
        keeper = open_keeper(name)
        assert isinstance(keeper, FileKeeper)
        keeper.close()
    for name in ("Sunday Night", "friday.jsonl.gz"):
        with pytest.raises(LogUnwritable, match="expected a log file"):
            open_keeper(name)
    stored = open_keeper("monday", url_in(tmp_path))
    assert (type(stored), stored.game) == (StoreKeeper, "monday")
    stored.close()


# ---- the store ----


def stored(folder: Path, name: str = "friday") -> StoreKeeper:
    return StoreKeeper(name, url_in(folder))


def timed(events: Sequence[Event], game: str = "friday") -> list[Event]:
    """As the service writes them: each with a time, the first with the id."""
    moment = datetime(2026, 5, 4, 12, tzinfo=UTC)
    replace = msgspec.structs.replace
    found: list[Event] = [replace(event, at=moment) for event in events]
    opened = found[0]
    return [replace(opened, game=game), *found[1:]] if isinstance(opened, ev.GameOpened) else found


def test_the_store_keeps_a_game(tmp_path: Path) -> None:
    keeper = stored(tmp_path)
    assert (keeper.name, keeper.game, keeper.events()) == ("friday", "friday", [])
    keeper.add(timed(LOG[:1]))
    keeper.add(timed(LOG[1:]))
    keeper.close()
    again = stored(tmp_path)
    assert again.events() == timed(LOG)
    again.add(timed([leisure("Ana")]))
    assert again.events() == [*timed(LOG), *timed([leisure("Ana")])]
    assert stored(tmp_path, "monday").events() == []
    again.close()


def test_the_store_refuses_what_comes_behind_others(tmp_path: Path) -> None:
    """Both knew the same lines; the second one is told, and nothing of theirs was added."""
    one, two = stored(tmp_path), stored(tmp_path)
    one.add(timed(LOG))
    with pytest.raises(GameConflict):
        two.add(timed(LOG))
    assert two.events() == timed(LOG)
    one.add(timed([leisure("Ana")]))
    with pytest.raises(GameConflict) as caught:
        two.add(timed([leisure("Ben"), leisure("Cy")]))
    assert (caught.value.expected, caught.value.lines) == (2, 3)
    assert two.events() == [*timed(LOG), *timed([leisure("Ana")])]
    two.add(timed([leisure("Ben")]))
    assert len(one.events()) == 4
    for keeper in (one, two):
        keeper.close()


# ---- a live game ----


def keeper_in(folder: Path, place: str) -> Keeper:
    return stored(folder) if place == "store" else FileKeeper(str(folder / "game.jsonl"))


PLACES = pytest.mark.parametrize("place", ["file", "store"])


def begun(keeper: Keeper, rules: str = BONG, **bots: str) -> LiveGame:
    return begin_game(keeper, rules_named(rules), ["Ana", "Ben", "Cy"], bots, Chance.seeded(1), Clock())


def gone_on(keeper: Keeper) -> LiveGame:
    return LiveGame(keeper, keeper.events(), Chance.seeded(9), Clock())


def step(game: LiveGame) -> None:
    """The next deal, or what a bot chooses."""
    assert game.deal() if game.between_hands else game.bot_goes_on()


ALL_BOTS = {"Ana": "random", "Ben": "greedy", "Cy": "careful"}


@PLACES
def test_a_game_begins(tmp_path: Path, place: str) -> None:
    keeper = keeper_in(tmp_path, place)
    game = begun(keeper, Ben="greedy")
    [opened] = keeper.events()
    assert isinstance(opened, ev.GameOpened)
    assert (opened.players, opened.source, opened.game) == (["Ana", "Ben", "Cy"], "service", keeper.game)
    assert (opened.ext, opened.at is not None) == ({BOTS_KEY: {"Ben": "greedy"}}, True)
    assert (game.players, game.bots, game.between_hands, game.over) == (opened.players, {"Ben": "greedy"}, True, False)
    keeper.close()


def test_a_game_without_bots_says_nothing_of_them(tmp_path: Path) -> None:
    keeper = keeper_in(tmp_path, "file")
    assert begun(keeper).opened.ext is None
    keeper.close()


def test_a_game_with_too_many_is_not_begun(tmp_path: Path) -> None:
    keeper = keeper_in(tmp_path, "file")
    with pytest.raises(Refused):
        begin_game(keeper, rules_named(BONG), [f"P{seat}" for seat in range(14)], {}, Chance(), Clock())
    assert keeper.events() == []
    keeper.close()


@PLACES
def test_a_match_is_played_to_its_end_and_kept(tmp_path: Path, place: str) -> None:
    keeper = keeper_in(tmp_path, place)
    game = begun(keeper, CHIPS, **ALL_BOTS)
    while not game.over:
        step(game)
    assert isinstance(game.events[-1], ev.MatchWon)
    assert (game.between_hands, game.waits_for, game.bot_goes_on()) == (False, None, [])
    assert keeper.events() == game.events
    assert findings_of(game.events) == []
    assert all(event.at is not None for event in game.events)
    with pytest.raises(Refused):
        game.deal()
    assert gone_on(keeper).table.key() == game.table.key()
    keeper.close()


@PLACES
@pytest.mark.parametrize("rules", [BONG, CHIPS])
def test_a_game_goes_on_from_what_is_kept(tmp_path: Path, rules: str, place: str) -> None:
    """Opened again after each step it stands as it stood, waits for the same player, and is in order."""
    keeper = keeper_in(tmp_path, place)
    game = begun(keeper, rules, **ALL_BOTS)
    for _ in range(25):
        step(game)
        keeper.close()
        keeper = keeper_in(tmp_path, place)
        again = gone_on(keeper)
        assert again.table.key() == game.table.key()
        assert (again.events, again.bots, again.waits_for) == (game.events, game.bots, game.waits_for)
        game = again
    assert findings_of(game.events) == []
    keeper.close()


def test_a_game_that_broke_off_is_settled(tmp_path: Path) -> None:
    """Whatever of a command's events was kept, the rest is made up for, and kept."""
    keeper = FileKeeper(str(tmp_path / "game.jsonl"))
    keeper.add(LOG)
    game = gone_on(keeper)
    assert game.events == LOG
    events = game.do(do.PlayCard(player="Ana", card="Kh"))
    assert [type(event) for event in events] == [
        *(ev.CardPlayed, ev.CardDrawn, ev.PlayerEliminated, ev.PlayerEliminated, ev.HandWon, ev.BonusCreated)
    ]
    keeper.close()
    for kept in range(1, len(events) + 1):
        keeper = FileKeeper(path_in(tmp_path, text_of([*LOG, *events[:kept]]), f"{kept}.jsonl"))
        again = gone_on(keeper)
        assert again.table.key() == game.table.key()
        untimed = [[msgspec.structs.replace(event, at=None) for event in log] for log in (keeper.events(), game.events)]
        assert untimed[0] == untimed[1]
        assert keeper.events() == again.events
        keeper.close()


def test_what_is_refused_is_not_kept(tmp_path: Path) -> None:
    keeper = FileKeeper(str(tmp_path / "game.jsonl"))
    keeper.add(LOG)
    game = gone_on(keeper)
    before = game.table.key()
    with pytest.raises(Refused):
        game.do(do.PlayCard(player="Ben", card="3h"))
    assert (game.table.key(), game.events, keeper.events()) == (before, LOG, LOG)
    keeper.close()


def test_what_can_not_be_kept_has_not_happened(tmp_path: Path) -> None:
    """Somebody else has gone on with the game: the table stays as it was before the command."""
    one, two = stored(tmp_path), stored(tmp_path)
    first = begun(one)
    second = gone_on(two)
    first.deal()
    before = second.table.key()
    with pytest.raises(GameConflict):
        second.deal()
    assert (second.table.key(), second.events) == (before, first.events[:1])
    assert one.events() == first.events
    for keeper in (one, two):
        keeper.close()


def test_what_was_taken_back_has_not_happened(tmp_path: Path) -> None:
    keeper = FileKeeper(str(tmp_path / "game.jsonl"))
    keeper.add([*LOG, played("Ana", "2d", 2), taken_back(3)])
    assert gone_on(keeper).table.key() == audited(LOG).table.key()
    keeper.close()


def test_a_game_that_was_closed_does_not_go_on(tmp_path: Path) -> None:
    keeper = FileKeeper(str(tmp_path / "game.jsonl"))
    game = begun(keeper)
    game.do(do.CloseGame())
    assert game.over
    with pytest.raises(LogUnreadable, match="this game was closed"):
        gone_on(keeper)
    keeper.close()


@pytest.mark.parametrize("source", ["table", "simulated"])
def test_a_game_that_was_written_down_does_not_go_on(tmp_path: Path, source: Any) -> None:
    keeper = FileKeeper(str(tmp_path / "game.jsonl"))
    keeper.add(game("Ana Ben Cy", dealt("Cy", **HANDS), source=source))
    with pytest.raises(LogUnreadable, match="was not played here"):
        gone_on(keeper)
    keeper.close()


def test_bots_that_nobody_knows_are_played_by_hand(tmp_path: Path) -> None:
    """So are bots of seats that aren't there; and an opening may say anything in its `ext`."""
    for said, bots in (
        ({BOTS_KEY: {"Ana": "deep", "Ben": "greedy", "Zoe": "greedy"}}, {"Ben": "greedy"}),
        ({BOTS_KEY: ["Ana"]}, {}),
        ({"mine": 1}, {}),
        (None, {}),
    ):
        log = game("Ana Ben Cy", source="service", ext=said)
        keeper = FileKeeper(log_in(tmp_path, [], f"{len(bots)}.jsonl"))
        assert LiveGame(keeper, log, Chance.seeded(1), Clock()).bots == bots
        keeper.close()


def test_smoke_and_loads_may_come_at_any_time(tmp_path: Path) -> None:
    keeper = FileKeeper(str(tmp_path / "game.jsonl"))
    game = begun(keeper)
    game.do(do.SmokeLeisure(player="Ana", finished=True))
    game.deal()
    game.do(do.LoadBong(player="Ana"))
    untimed = [msgspec.structs.replace(event, at=None) for event in (game.events[1], game.events[-1])]
    assert untimed == [leisure("Ana", True), loaded("Ana")]
    keeper.close()
