"""What the architecture decisions promise (docs/adr, 0013 to 0022), each under the name that its record cites."""

import ast
import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest
from importlinter.cli import lint_imports
from legal_games import half_blanked, legal_game
from tables import (
    Event,
    as_events,
    assert_clean,
    audited,
    brief,
    dealt,
    drew,
    findings_of,
    flat,
    game,
    leisure,
    loaded,
    out,
    played,
    seen,
    stole,
    taken_back,
    took,
    turn,
    unseen,
    won,
)

from bh99.audits import audit_log, replay_log
from bh99.errors import LogUnreadable
from bh99.logs import open_log
from domain import events as ev
from domain.moves import apply
from domain.referee import judge
from domain.referee.plays import judge_play
from domain.referee.verdicts import Fault
from domain.shipped_rules import BONG_HIT_99
from domain.table import Table
from projections.audit import Audit, UnknownTakeBack
from projections.frames import Replay
from projections.seat_view import as_seen_by
from projections.take_backs import Undone

ROOT = Path(__file__).parent.parent
PACKAGES = ("domain", "projections", "bh99", "cli")
ABC = "Ana Ben Cy"
START = game(ABC, seen("Cy", ABC))


def written(events: list[Event]) -> bytes:
    """A log in our own spelling, a line an event."""
    return msgspec.json.Encoder().encode_lines(events)


def log_file(folder: Path, text: bytes) -> str:
    file = folder / "log.jsonl"
    file.write_bytes(text)
    return str(file)


# ---- 0013 ----


def test_log_lines_come_back_byte_for_byte(tmp_path: Path) -> None:
    """What was read can be written again as it stood, with notes and foreign data; and reading writes nothing."""
    for seed in range(12):
        events = as_events(half_blanked(legal_game(seed, 2 + seed % 6), seed))
        first = msgspec.structs.replace(events[0], note="Tisch 3 ♣", ext={"z": [1, {"b": None}], "a": 1.5})
        text = written([first, *events[1:]])
        path = log_file(tmp_path, text)
        read = [event for batch in open_log(path).batches() for event in batch]
        assert written(read) == text
        audit_log(path)
        assert Path(path).read_bytes() == text


# ---- 0014 ----


def test_other_card_spellings_are_read_alike(tmp_path: Path) -> None:
    ours = written(
        game("Ana Ben", dealt("Ben", "7h Qs", Ana="Td Ac 3d Kh", Ben="Th 2c 9s 8s"), turn("Ana", "Td", 10, drawn="7h"))
    )
    foreign = ours
    for mine, theirs in (("Td", "10d"), ("Ac", "A♣"), ("Qs", "QS"), ("Th", "10♥"), ("Kh", "K♡")):
        foreign = foreign.replace(f'"{mine}"'.encode(), f'"{theirs}"'.encode())
    assert foreign != ours
    (read,) = open_log(log_file(tmp_path, foreign)).batches()
    assert written(read) == ours
    (tmp_path / "log.jsonl").write_bytes(ours.replace(b'"Td"', b'"1d"'))
    with pytest.raises(LogUnreadable, match="1d"):
        list(open_log(str(tmp_path / "log.jsonl")).batches())


# ---- 0015 ----


def test_apply_never_refuses_and_judging_changes_nothing() -> None:
    """Whatever may be written is followed; tests/test_games.py does the same with random events."""
    events: list[Event] = [
        *turn("Zed", "5h", 400),
        out("Zed", "blowback"),
        won("Zed"),
        stole("Zed", "Ana"),
        took("Zed", 9),
        *turn("Ben", "Qs", 99, "Zed"),
    ]
    for given in ([], [*START[1:]], [*START[1:], *turn("Ana", "Kh", 99)]):
        table = Table(ev.GameOpened(format=1, rules="bong-hit-99", players=ABC.split()))
        for event in given:
            apply(table, event)
        for event in events:
            before = table.key()
            judge(table, event)
            assert table.key() == before
            apply(table, event)


# ---- 0016 ----


def test_the_reading_with_fewest_findings_wins() -> None:
    """Ana plays Ben's eight. It came out of his hand, or it was misnamed and he still has it: what follows tells."""
    deal = dealt("Cy", "5h 6h 7h 8h 9h Th", Ana="9c 3d 2c As", Ben="Tc 4d 8c Kd", Cy="7c 5d 6c Ah")
    log = [*game(ABC, deal), *turn("Ana", "8c", 8, drawn="5h")]
    fold = audited(log)
    assert len(fold.readings) > 1
    assert brief(fold.findings) == [(3, "hold-card", "Ana")]
    # Ben plays it, so it had not left him; Ana then has one of her four no more.
    log += [*turn("Ben", "8c", 16, drawn="6h"), *turn("Cy", "7c", 23, drawn="7h"), *turn("Ana", "9c", 32, drawn="8h")]
    assert findings_of(log) == [(3, "hold-card", "Ana")]
    # A log without a fault has one reading, always.
    clean = as_events(legal_game(3, 4))
    fold = audited(clean)
    assert (len(fold.readings), fold.findings) == (1, [])


# ---- 0017 ----


def test_undone_lines_are_skipped_by_the_fold(tmp_path: Path) -> None:
    """They are found before the fold starts, in the file too; smoke, loads and seen cards of those lines stay."""
    log = [*START, *turn("Ana", "Kh", 99), out("Ben"), leisure("Cy", finished=True), loaded("Cy"), taken_back(3)]
    undone = Undone([(8, taken_back(3))])
    assert [line for line in range(1, 10) if undone.by(line)] == [3, 4, 5, 6, 7]
    path = log_file(tmp_path, written(log))
    assert open_log(path).take_backs() == [(8, log[-1])]
    fold = audit_log(path)
    assert (fold.findings, fold.table.count, fold.table.to_act, fold.table.loader) == ([], 0, "Ana", "Cy")
    # The King was seen in Ana's hand.
    assert fold.table.holder_of("Kh") == "Ana"
    told_nothing = Audit(ev.GameOpened(format=1, rules="bong-hit-99", players=ABC.split()))
    with pytest.raises(UnknownTakeBack):
        told_nothing.follow(log)


# ---- 0018 ----


def test_arrows_between_packages_point_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lint_imports(cache_dir=None, is_debug_mode=False) == 0
    for at, package in enumerate(PACKAGES):
        above = set(PACKAGES[at + 1 :])
        for file in (ROOT / package).rglob("*.py"):
            assert not above & imported(file), file


def test_arrows_between_packages_point_down_and_the_domain_stands_on_msgspec_alone() -> None:
    for file in (ROOT / "domain").rglob("*.py"):
        assert imported(file) <= {"domain", "msgspec", *sys.stdlib_module_names}, file
        # No file, no clock, no dice of its own.
        assert not imported(file) & {"os", "io", "pathlib", "time", "random", "secrets"}, file


def imported(file: Path) -> set[str]:
    """The packages that a module imports, at its top or anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return names


# ---- 0019 ----


def test_typer_is_held_below_0_29() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (typer,) = [need for need in project["dependencies"] if need.startswith("typer")]
    assert re.search(r"<\s*0\.29\b", typer)
    assert tuple(map(int, importlib.metadata.version("typer").split(".")[:2])) < (0, 29)
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            assert "click" not in imported(file), file


# ---- 0020 ----


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"bong_loaded","player":"Ana","player":"Ben"}',
        '{"player":"Ana","type":"bong_loaded","player":"Ana"}',
        '{"type":"hand_dealt","dealer":"Ana","hands":{"Ana":[null],"Ana":[null]},"stock":null}',
        '{"type":"bong_loaded","player":"Ana","ext":{"a":{"b":1,"b":2}}}',
        # White space before a colon must not hide it, nor a text that looks like a key.
        '{"type":"bong_loaded","player" :"Ana","player":"Ben"}',
        '{"type":"bong_loaded","player":"Ana","note":"\\":","note":"x"}',
        '{"type":"bong_loaded","player":"Ana","pl\\u0061yer":"Ben"}',
    ],
)
def test_a_key_twice_in_a_line_is_found(line: str, tmp_path: Path) -> None:
    start = written([*START])
    fine = b'{"type":"bong_loaded","player":"Ana","note":"\\":\\":"}\n'
    assert audit_log(log_file(tmp_path, start + fine)).findings == []
    with pytest.raises(LogUnreadable) as told:
        audit_log(log_file(tmp_path, start + fine + line.encode() + b"\n" + fine))
    assert [problem.line for problem in told.value.problems] == [4]


# ---- 0021 ----


def test_a_seat_view_holds_only_what_the_seat_saw(tmp_path: Path) -> None:
    """Swap two cards that a seat can't see: nothing it is told may differ."""
    deal = dealt("Cy", "5h 6h 7h 8h", Ana="9c 3d 2c As", Ben="Tc 4d 8c Kd", Cy="7c 5d 6c Ah")
    other = dealt("Cy", "5h 2s 7h 3s", Ana="9c 3d 2c As", Ben="Tc Js 8c Ks", Cy="7c Jh 6c Qh")
    logs = []
    for dealt_hand, drawn in ((deal, "6h"), (other, "2s")):
        log = game(ABC, dealt_hand, turn("Ana", "9c", 9, drawn="5h"), turn("Ben", "Tc", 19, drawn=drawn))
        log.append(msgspec.structs.replace(played("Cy", "7c", 26), note=f"thinks of {drawn}", ext={"top": drawn}))
        log += [drew("Cy", "7h"), out("Ana")]
        logs.append(log)
    seen_by = [[as_seen_by("Ana", event) for event in log] for log in logs]
    assert seen_by[0] == seen_by[1]
    replays = [replay_log(log_file(tmp_path, written(log)), seat="Ana") for log in logs]
    views = [[replay.view_at(line) for line in range(1, len(replay) + 1)] for replay in replays]
    assert views[0] == views[1]
    # What Ana saw is enough to tell that she could have played.
    (finding,) = replays[0].audit_at(len(logs[0])).findings
    assert (finding.line, finding.rule, finding.player) == (9, "must-play", "Ana")
    hands = {player.name: player.cards for player in views[0][-1].players}
    assert hands["Ana"] == ["3d", "2c", "As", "5h"]
    assert hands["Ben"] == hands["Cy"] == [None] * 4


def test_a_seat_view_holds_only_what_the_seat_saw_in_whole_games() -> None:
    """What others draw, hold or return, and the order of the stock, is not in any event."""
    for seed in range(12):
        log = as_events(legal_game(seed, 4))
        batch = [as_seen_by("Ana", event) for event in log]
        for event, whole, hidden in zip(batch, log, unseen(log), strict=True):
            match event, whole:
                case ev.HandDealt(), ev.HandDealt():
                    assert event.hands.get("Ana") == whole.hands.get("Ana")
                    assert all(set(hand) == {None} for name, hand in event.hands.items() if name != "Ana")
                    assert set(event.stock or ()) <= {None}
                case ev.PileReshuffled(), _:
                    assert set(event.stock or ()) <= {None}
                case _ if getattr(event, "player", None) == "Ana":
                    assert event == whole
                case _:
                    assert event == hidden


# ---- 0022 ----


def test_death_card_and_prize_are_switched_on_by_the_rules() -> None:
    plain = {**BONG_HIT_99, "name": "plain"}
    del plain["death_card"], plain["prize"]
    opened: list[Event] = [ev.GameOpened(format=1, rules=plain, players=ABC.split())]
    queen = [seen("Cy", ABC), *turn("Ana", "Kh", 99), *turn("Ben", "Qs", 99), *turn("Cy", "9h", 99)]
    over = [out("Ana"), out("Ben"), won("Cy"), seen("Ana", ABC)]
    # The queen is a pass like a nine, and a won hand is just over.
    assert_clean([*opened, *queen], over)
    assert findings_of(game(ABC, queen)) == [(7, "death-card-shield", "Cy")]
    assert Replay(flat([opened, queen, over[:3]])).view_at(10).prizes == []


def test_death_card_and_prize_are_switched_on_by_the_rules_and_no_game_is_named_in_the_code() -> None:
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            if file.name in ("shipped_rules.py", "rulebook.py"):
                continue
            tree = ast.parse(file.read_text("utf-8"))
            texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
            assert not texts & {"bong-hit-99", "bong-hit-99@1"}, file


def test_a_rule_set_is_a_value_that_decides_what_can_be_played() -> None:
    """Another limit is another number, not another engine."""
    short = {**BONG_HIT_99, "name": "short", "limit": 49}
    table = Table(ev.GameOpened(format=1, rules=short, players=ABC.split()))
    apply(table, seen("Cy", ABC))
    apply(table, ev.CountCorrected(count=45))
    assert judge_play(table, played("Ana", "4h", 49)) is None
    verdict = judge_play(table, played("Ana", "5h", 50))
    assert isinstance(verdict, Fault)
    assert verdict.rule == "limit"
