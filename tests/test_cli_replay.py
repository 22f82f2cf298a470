"""bh99 replay and now: which part is told, and that a seat and a moment know nothing more than they could."""

import json
from pathlib import Path

import pytest
from cli_runs import CLEAN, FIXTURES, RULED, bh99, lines_of, written
from legal_games import legal_game
from legal_logs import with_hidden_cards_moved

GAMES = ["one-hand", "taken-back", "coming-and-going", "steal-and-slide", "death-card", "voided", "miscalled"]


def game(name: str) -> str:
    return str(FIXTURES / f"{name}.jsonl")


def told(*options: str, log: str = RULED) -> list[int]:
    """The numbers of the lines that are told."""
    lines = bh99("replay", log, *options).stdout.split("\n")
    return [int(line[:5]) for line in lines if line[:5].strip().isdecimal()]


def test_a_stretch_is_told_and_nothing_else() -> None:
    assert told() == list(range(1, 24))
    assert told("--from", "5", "--to", "7") == [5, 6, 7]
    assert told("--from", "22") == [22, 23]
    assert told("--from", "22", "--to", "999") == [22, 23]
    assert told("--to", "2") == [1, 2]
    assert told("--hand", "1", "--to", "3") == [2, 3]
    assert told("--to", "999", "--seat", "Tom") == list(range(1, 24))
    assert told("--to", "3", "--seat", "Tom") == [1, 2, 3]


def test_one_hand_is_told_from_its_deal_to_the_next() -> None:
    log = game("coming-and-going")
    deals = [at for at, event in enumerate(lines_of(log), 1) if event["type"] == "hand_dealt"]
    assert told("--hand", "2", log=log) == list(range(deals[1], deals[2]))


@pytest.mark.parametrize(
    "options",
    [
        ["--from", "24"],
        ["--from", "5", "--to", "3"],
        ["--hand", "2"],
        ["--hand", "1", "--to", "1"],
        ["--from", "9" * 30],
        ["--step", "--from", "24"],
        ["--from", "24", "--seat", "Tom"],
    ],
)
def test_a_stretch_without_a_line_is_wrong_use(options: list[str]) -> None:
    result = bh99("replay", RULED, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "nothing to tell: no line of the log is in that range\n"


@pytest.mark.parametrize(
    "options",
    [
        ["--at", "0"],
        ["--at", "-1"],
        ["--hand", "0"],
        ["--from", "0"],
        ["--to", "0"],
        ["--at", "x"],
        ["--at", "3", "--from", "2"],
        ["--at", "3", "--to", "2"],
        ["--at", "3", "--hand", "1"],
        ["--step", "--to", "3"],
        ["--step", "--hand", "1"],
        ["--format", "json"],
        ["--format", "csv"],
        ["--seat"],
    ],
)
def test_options_that_make_no_sense_are_wrong_use(options: list[str]) -> None:
    result = bh99("replay", RULED, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(("Usage: ", "Error: "))


@pytest.mark.parametrize("line", ["24", "9" * 30])
def test_a_line_behind_the_end_is_named_with_those_there_are(line: str) -> None:
    result = bh99("replay", RULED, "--at", line)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"{RULED}: there is no line {line}; expected a line from 1 to 23\n"


@pytest.mark.parametrize("command", ["replay", "now"])
@pytest.mark.parametrize("seat", ["nobody", "tom", "", "\x1b[31m"])
def test_an_unknown_seat_is_named_with_those_there_are(command: str, seat: str) -> None:
    result = bh99(command, RULED, "--seat", seat)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith("expected one of: Nora, Tom, Lena\n")
    assert result.stderr.count("\n") == 1


def test_the_status_says_whether_the_log_has_findings() -> None:
    assert bh99("replay", CLEAN).exit_code == bh99("now", CLEAN).exit_code == 0
    assert bh99("replay", RULED).exit_code == bh99("now", RULED).exit_code == 1
    assert bh99("replay", RULED, "--to", "3").exit_code == 1
    assert bh99("replay", RULED, "--at", "17").exit_code == 0  # the card that proves it is shown on line 18
    assert bh99("replay", RULED, "--at", "18").exit_code == 1


def test_every_step_is_printed_where_there_is_no_terminal() -> None:
    steps = bh99("replay", CLEAN, "--step").stdout.split("\n\n")
    assert len([step for step in steps if step.strip()]) == 36
    assert bh99("replay", CLEAN, "--at", "7").stdout.split(": ", 1)[1].strip() == steps[6].split(": ", 1)[1]


def test_the_table_as_json_has_the_documented_fields() -> None:
    table = json.loads(bh99("replay", CLEAN, "--at", "5", "--format", "json").stdout)
    fields = "line hand dealer count direction to_act awaiting expected players pile stock_left carried prizes loader"
    assert list(table) == [*fields.split(), "winner"]
    assert list(table["players"][0]) == ["name", "in_hand", "cards", "tokens", "score"]
    assert list(table["expected"][0]) == ["type", "player", "cards", "text"]
    assert json.loads(bh99("now", CLEAN, "--format", "json").stdout)["line"] == 36


def test_now_is_three_sentences() -> None:
    for name in GAMES:
        out = bh99("now", game(name)).stdout
        assert out.count(". ") == 2
        assert out.endswith(".\n")


@pytest.mark.parametrize("name", GAMES)
def test_at_a_line_nothing_later_is_known(name: str, tmp_path: Path) -> None:
    events = lines_of(game(name))
    players = events[0]["players"]
    cut = tmp_path / "cut.jsonl"
    for line in range(1, len(events) + 1, 1 if len(events) < 30 else 3):
        written(cut, events[:line])
        seat = ["--seat", players[line % len(players)]] if line % 2 else []
        for options in ([], ["--format", "json"]):
            whole = bh99("replay", game(name), "--at", str(line), *seat, *options)
            assert (whole.exit_code, whole.stdout) == (
                (short := bh99("replay", str(cut), "--at", str(line), *seat, *options)).exit_code,
                short.stdout,
            )
        now = bh99("now", str(cut), *seat, "--format", "json")
        assert now.stdout == whole.stdout


@pytest.mark.parametrize("seed", range(4))
def test_a_seat_is_told_the_same_whatever_the_hidden_cards_are(seed: int, tmp_path: Path) -> None:
    events = legal_game(seed, 3 + seed, hands=2)
    seat = events[0]["players"][seed % 3]
    moved = with_hidden_cards_moved(events, seat)
    assert moved != events
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    ours, other = written(tmp_path / "a" / "g.jsonl", events), written(tmp_path / "b" / "g.jsonl", moved)
    middle = len(events) // 2
    asked = [["replay"], ["replay", "--step"], ["replay", "--hand", "1"], ["now"], ["now", "--format", "json"]]
    asked += [["replay", "--to", str(line)] for line in (middle, len(events))]
    for line in {5, middle, middle + 1, len(events) - 1, len(events)}:
        asked += [["replay", "--at", str(line)], ["replay", "--at", str(line), "--format", "json"]]
    for command, *options in asked:
        a = bh99(command, ours, "--seat", seat, *options)
        b = bh99(command, other, "--seat", seat, *options)
        assert (a.exit_code, a.stdout, a.stderr) == (b.exit_code, b.stdout, b.stderr)
        assert a.stdout
    assert bh99("replay", ours, "--step").stdout != bh99("replay", other, "--step").stdout


def test_a_seat_sees_its_own_cards_and_the_backs_of_the_others() -> None:
    table = json.loads(bh99("replay", CLEAN, "--at", "2", "--seat", "Nora", "--format", "json").stdout)
    hands = {player["name"]: player["cards"] for player in table["players"]}
    assert sorted(hands["Nora"]) == ["3s", "5c", "7d", "Kh"]
    assert hands["Tom"] == hands["Lena"] == [None] * 4


def test_a_fault_is_found_for_a_seat_only_if_that_seat_could_know(tmp_path: Path) -> None:
    events = lines_of(CLEAN)
    events = events[: next(at for at, event in enumerate(events) if event["type"] == "card_played")]
    out = {"type": "player_eliminated", "player": "Tom", "reason": "no_play"}
    events[1]["hands"]["Nora"] = ["Ks", "Kd", "Kh", "Kc"]
    played = {"type": "card_played", "player": "Nora", "card": "Kh", "count": 99}
    drawn = {"type": "card_drawn", "player": "Nora", "card": None}
    events[1]["hands"]["Tom"] = ["9d", "5h", "6h", "7h"]
    events[1]["stock"] = None
    log = written(tmp_path / "game.jsonl", [*events, played, drawn, out])
    assert "must-play" in bh99("replay", log).stdout
    assert bh99("replay", log, "--seat", "Tom").exit_code == 1
    assert bh99("replay", log, "--seat", "Nora").exit_code == 0
    assert "must-play" not in bh99("replay", log, "--seat", "Nora", "--step").stdout
