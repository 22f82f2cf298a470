"""Walking in a log that is still being read: checkpoints, findings by line, seats, growing files, marks, searches."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cli_runs import CLEAN, FIXTURES, RULED, lines_of, written
from legal_games import legal_game
from tables import Event, as_events, audited

from bh99.audits import replay_log
from bh99.errors import LogRewritten, LogUnreadable, MarksUnreadable, UnknownSeat
from bh99.logs import open_log
from bh99.marks import Mark, Marks
from bh99.walks import Walk
from projections import frames
from projections.frames import Replay
from projections.search import Search
from projections.seat_view import as_seen_by

GAMES = sorted(FIXTURES.glob("*.jsonl"))


def events_of(path: Path) -> list[Event]:
    return [event for batch in open_log(str(path)).batches() for event in batch]


def found(events: Sequence[Event]) -> list[tuple[int, str]]:
    return [(finding.line, finding.rule) for finding in audited(events).findings]


# ---- frames ----


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_judging_bit_by_bit_finds_what_an_audit_finds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "CHECKPOINT_EVERY", 16)
    monkeypatch.setattr(frames, "STRIDE", 4)
    events = events_of(path)
    rng = Random(3)
    game = Replay(events[:1])
    while len(game) < len(events):
        game.extend(events[len(game) : len(game) + rng.randint(1, 9)])
        game.judge_on(rng.randint(1, 9))
        game.view_at(rng.randint(1, len(game)))  # somebody walks about meanwhile
    game.judge_all()
    whole = audited(events)
    assert game.findings == whole.findings
    assert [finding for line in sorted(game.shown()) for finding in game.shown()[line]] == whole.findings
    for line in range(1, len(events) + 1):
        assert game.findings_on(line) == [finding for finding in whole.findings if finding.line == line]
        assert game.view_at(line) == Replay(events[:line]).view_at(line)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_finding_is_shown_on_the_line_after_which_it_can_be_known(path: Path) -> None:
    events = events_of(path)
    game = Replay(events, known_then=True)
    game.judge_all()
    takes_long = path.stem.startswith("proof-")  # so every fourth line is looked at
    known, news = set[tuple[int, str]](), set[tuple[int, str]]()
    for line in range(1, len(events) + 1):
        news |= {(finding.line, finding.rule) for finding in game.findings_on(line)}
        if takes_long and line % 4 and line < len(events):
            continue
        now = set(found(events[:line]))
        assert news >= now - known if takes_long else news == now - known
        known, news = now, set()


def test_take_backs_of_take_backs_and_jumps_over_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "CHECKPOINT_EVERY", 8)
    monkeypatch.setattr(frames, "STRIDE", 4)
    rng = Random(5)
    for seed in range(12):
        events: list[Any] = []
        for event in as_events(legal_game(seed, 2 + seed % 4, hands=2)):
            events.append(event)
            if len(events) > 4 and rng.random() < 0.15:
                about = rng.randint(1, len(events))
                events += as_events([{"type": "taken_back", "about": about, "why": rng.choice(["player", "scribe"])}])
        game = Replay(events)
        assert game.judge_on(3)
        game.judge_all()
        assert game.findings == audited(events).findings
        for _ in range(8):
            line = rng.randint(1, len(events))
            fresh = Replay(events[:line])
            assert game.view_at(line) == fresh.view_at(line)
            assert game.audit_at(line).findings == fresh.audit_at(line).findings


def test_a_frame_has_the_steps_of_the_slide() -> None:
    game = Replay(events_of(FIXTURES / "steal-and-slide.jsonl"))
    cards = {line: [step.card for step in game.frame_at(line).slides] for line in range(7, 14)}
    assert cards[8] == []
    assert cards[11] == ["Kc", "Qc", "Jc"]
    assert game.frame_at(2).slides == []


def test_only_a_line_that_was_judged_can_be_shown_at_once() -> None:
    load = {"type": "bong_loaded", "player": "Tom"}
    game = Replay(as_events([*lines_of(CLEAN)[:-1], *[load] * 9000]))
    assert game.is_near(1)
    assert not game.is_near(2)
    assert not game.is_near(9000)
    assert not game.is_near(20_000)
    game.judge_all()
    assert game.is_near(9000)
    assert not game.is_near(20_000)


# ---- walks ----


@pytest.mark.parametrize("seat", [None, "Nora"])
def test_a_walk_comes_to_what_reading_at_once_gives(seat: str | None) -> None:
    walk = Walk(open_log(RULED), seat=seat)
    while walk.go_on():
        pass
    whole = replay_log(RULED, seat=seat)
    assert walk.game.events == whole.events
    whole.judge_all()
    assert walk.game.findings == whole.findings
    assert walk.done == 1


def test_the_view_may_be_changed_while_the_log_is_read(tmp_path: Path) -> None:
    load = {"type": "bong_loaded", "player": "Tom"}
    log = written(tmp_path / "g.jsonl", [*lines_of(CLEAN)[:-1], *[load] * 9000])
    walk = Walk(open_log(log))
    for number, seat in enumerate(["Nora", None, "Tom", "Tom", None, "Lena"]):
        walk.see_as(seat)
        assert walk.seat == seat
        for _ in range(number):
            walk.go_on()
    while walk.go_on():
        pass
    assert walk.game.events == [as_seen_by("Lena", event) for event in walk.whole.events]
    with pytest.raises(UnknownSeat, match="nobody called Nobody sits here; expected one of: Nora, Tom, Lena"):
        walk.see_as("Nobody")


def test_a_seat_that_joins_late_is_found() -> None:
    log = str(FIXTURES / "coming-and-going.jsonl")
    joined = next(event["player"] for event in lines_of(log) if event["type"] == "player_joined")
    assert Walk(open_log(log), seat=joined).seat == joined
    with pytest.raises(UnknownSeat):
        Walk(open_log(log), seat="Nobody")


def test_a_growing_log_gives_whole_lines_only(tmp_path: Path) -> None:
    texts = Path(RULED).read_bytes().splitlines(keepends=True)
    log = tmp_path / "g.jsonl"
    log.write_bytes(texts[0] + texts[1][:9])
    batches = open_log(str(log)).growing()
    assert len(next(batches)) == 1
    assert next(batches) == next(batches) == []
    with log.open("ab") as file:
        file.write(texts[1][9:] + b"\n\r\n" + texts[2])
    assert len(next(batches)) == 2
    assert next(batches) == []
    with log.open("ab") as file:
        file.write(b"nonsense\n")
    with pytest.raises(LogUnreadable, match=r"g\.jsonl:6:1: "):
        next(batches)


@pytest.mark.parametrize("how", ["shorter", "replaced", "gone", "longer"])
def test_a_growing_log_that_is_rewritten_is_told(how: str, tmp_path: Path) -> None:
    log = tmp_path / "g.jsonl"
    log.write_bytes(Path(RULED).read_bytes())
    batches = open_log(str(log)).growing()
    while next(batches):
        pass
    if how == "shorter":
        log.write_bytes(Path(RULED).read_bytes()[:-9])
    elif how == "longer":
        log.write_bytes(2 * Path(RULED).read_bytes().replace(b"Tom", b"Tim"))
    elif how == "gone":
        log.unlink()
    else:
        (tmp_path / "new").write_bytes(Path(RULED).read_bytes())
        (tmp_path / "new").replace(log)
    with pytest.raises(LogRewritten, match="was rewritten while it was followed; expected it to grow"):
        next(batches)


def test_only_a_plain_file_can_be_followed(tmp_path: Path) -> None:
    with pytest.raises(LogUnreadable, match="can't be followed as it grows; expected a file that isn't packed"):
        next(open_log(str(FIXTURES / "house-spelling.jsonl.gz")).growing())
    log = tmp_path / "g.jsonl"
    log.write_bytes(Path(RULED).read_bytes()[:20])
    with pytest.raises(LogUnreadable, match="no line is finished yet; expected a game_opened"):
        Walk(open_log(str(log)), follow=True)


# ---- marks ----


def test_marks_are_read_back_by_view(tmp_path: Path) -> None:
    log = str(tmp_path / "g.jsonl")
    marks, others = Marks(log), Marks(log)
    marks.put(Mark(5, "here"))
    others.put(Mark(3, "ö\n\x1b", "Ana"))  # somebody else at the same log
    marks.put(Mark(5, "there"))
    marks.put(Mark(2))
    again = Marks(log)
    assert again.lines(None) == marks.lines(None) == [2, 5]
    assert again.lines("Ana") == [3]
    assert again.on(5, None) == Mark(5, "there")
    assert again.on(5, "Ana") is None
    assert again.on(3, "Ana") == Mark(3, "ö\n\x1b", "Ana")
    again.drop(5, None)
    assert Marks(log).lines(None) == [2]
    assert [path.name for path in tmp_path.iterdir()] == ["g.jsonl.marks"]


@pytest.mark.parametrize(
    "damage",
    [b"{}\n", b'{"line":1}x\n', b"\xff\n", b'{"line":1,"more":2}', b'{"line":"1"}', b'{"line":0}', b"[" * 99_999],
)
def test_damaged_marks_are_named_and_left_alone(damage: bytes, tmp_path: Path) -> None:
    beside = tmp_path / "g.jsonl.marks"
    beside.write_bytes(b'{"line":1}\n' + damage)
    marks = Marks(str(tmp_path / "g.jsonl"))
    assert "g.jsonl.marks:2: this is no mark; expected " in marks.trouble
    assert marks.lines(None) == []
    with pytest.raises(MarksUnreadable, match="this is no mark"):
        marks.put(Mark(1))
    assert beside.read_bytes() == b'{"line":1}\n' + damage


def test_marks_stay_readable_for_those_who_could_read_them(tmp_path: Path) -> None:
    marks = Marks(str(tmp_path / "g.jsonl"))
    marks.put(Mark(1))
    assert (tmp_path / "g.jsonl.marks").stat().st_mode & 0o777 == 0o644
    (tmp_path / "g.jsonl.marks").chmod(0o664)
    marks.put(Mark(2))
    assert (tmp_path / "g.jsonl.marks").stat().st_mode & 0o777 == 0o664


def test_marks_that_can_t_be_kept_are_told(tmp_path: Path) -> None:
    marks = Marks(str(tmp_path / "g.jsonl"))
    (tmp_path / "g.jsonl.marks").mkdir()
    with pytest.raises(MarksUnreadable, match="can't be read: Is a directory"):
        marks.put(Mark(1))
    gone = Marks(str(tmp_path / "gone" / "g.jsonl"))
    with pytest.raises(MarksUnreadable, match="the mark can't be kept: No such file"):
        gone.put(Mark(1))


# ---- searches ----


def lines_with(query: str, log: str = RULED) -> list[int]:
    game = Replay(events_of(Path(log)))
    search = Search(query)
    return [at for at in range(1, len(game) + 1) if search.fits(game.events[at - 1], game.sentence_at(at))]


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("2h", [11]),
        ("2♥", [11]),
        ("10H", [7]),
        ("Th", [7]),
        ("the 10 of Hearts", [7]),
        ("ace of hearts", [14]),
        ("JH", [18]),
        ("tom loads", [19, 21, 22]),
        ("LOADS Tom", [19, 21, 22]),
        ("tom th", [7]),
        ("nora th", []),
        ("player_eliminated", [13, 16]),
        ("eliminated nora", [16]),
        ("hand_dealt", [2]),
        ("rule", [19]),
        ("ora", []),
        ("[", []),
        ("Kd 9h", []),
    ],
)
def test_a_search_is_for_players_cards_and_events(query: str, lines: list[int]) -> None:
    assert lines_with(query) == lines


def test_a_search_finds_players_whom_the_sentence_leaves_out() -> None:
    log = str(FIXTURES / "twelve-seats.jsonl")
    assert "Karl" not in json.dumps(Replay(events_of(Path(log))).sentence_at(2))
    assert lines_with("karl", log)[:2] == [1, 2]
