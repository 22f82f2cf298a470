"""`bh99 record`: entries typed or piped in, kept before the next is asked for, and what carries over."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from cli_runs import COMMAND, ROOT, bh99, environment, lines_of
from terminals import Open
from typist import typed_short

from bh99.errors import LogUnwritable
from bh99.keepers import FileKeeper
from bh99.scribe.words import WORDS
from bh99.store.store import open_store
from domain.events import BongLoaded, GameOpened

PLAYED = [
    "deal",
    "7h 7",
    "kd 99",
    "9c",
    "out",
    "2h 99",
    "out",
    "took",
    "leisure ben finished",
    "loaded",
    "deal",
    "4s 4",
]
"""An evening of three."""
HEADERS = {"at", "game"}


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to record in, and no evening before."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def home() -> dict[str, str]:
    """The environment of a terminal that doesn't say where its cursor is."""
    return {"XDG_DATA_HOME": os.environ["XDG_DATA_HOME"], "PROMPT_TOOLKIT_NO_CPR": "1"}


def record(log: str, *options: str, typed: list[str]) -> Any:
    return bh99("record", log, *options, stdin="".join(f"{entry}\n" for entry in typed).encode())


def untimed(log: str) -> list[dict[str, Any]]:
    return [{key: part for key, part in event.items() if key not in HEADERS} for event in lines_of(log)]


def test_what_is_piped_in_is_a_log_that_is_in_order() -> None:
    result = record("friday.jsonl", "--players", "Ana,Ben,Cy", "--dealer", "cy", typed=PLAYED)
    assert result.exit_code == 0, result.output
    assert "    5  Cy plays the 9 of clubs, no Count noted              99 · Ana to play\n" in result.stdout
    assert "friday.jsonl: 14 lines, no finding\nbh99 record friday.jsonl goes on with it" in result.stderr
    assert all("at" in event for event in lines_of("friday.jsonl"))
    assert lines_of("friday.jsonl")[0]["omits"] == ["card_drawn", "pile_reshuffled"]
    assert bh99("audit", "friday.jsonl").exit_code == 0


def test_it_goes_on_where_it_was() -> None:
    record("whole.jsonl", "--players", "Ana,Ben,Cy", "--dealer", "Cy", typed=PLAYED)
    record("parts.jsonl", "--players", "Ana,Ben,Cy", "--dealer", "Cy", typed=PLAYED[:1])
    for entry in PLAYED[1:]:
        result = record("parts.jsonl", typed=[entry])
    assert "14 lines are kept" not in result.stdout
    assert "13 lines are kept; the last ones:" in result.stdout
    assert untimed("parts.jsonl") == untimed("whole.jsonl")


def test_a_sample_evening_typed_in_gives_the_same_log(at_home: Path) -> None:
    evening = ROOT / "fixtures" / "coming-and-going.jsonl"
    log = [json.loads(line) for line in evening.read_text("utf-8").splitlines()]
    for event in log:
        event.pop("at", None)
    entries = typed_short([event for event in log if event["type"] != "card_drawn"])
    result = record("again.jsonl", "--players", ",".join(log[0]["players"]), typed=entries)
    assert result.exit_code == bh99("audit", str(evening)).exit_code
    kinds = [event["type"] for event in log if event["type"] not in ("card_drawn", "pile_reshuffled")]
    assert [event["type"] for event in lines_of("again.jsonl")] == kinds


def test_a_broken_rule_is_told_at_once_with_what_was_allowed() -> None:
    result = record("friday.jsonl", "--players", "Ana,Ben", "--dealer", "Ben", typed=["deal", "7h 8", "out"])
    assert result.exit_code == 1
    assert "! line 3 · count-called (proved): Ana plays the 7 of hearts and says 8; the cards give 7" in result.stdout
    assert "! line 4 · must-play (proved): Ben goes out at 7, but every card that Ben may hold can" in result.stdout
    assert result.stdout.count("undo takes it back") == 2


def test_nothing_is_written_behind_an_entry_that_is_not_understood() -> None:
    result = record("friday.jsonl", "--players", "Ana,Ben", typed=["deal", "", "xx", "7h"])
    assert result.exit_code == 2
    assert "standard input:3: xx: expected a card, a player or a word such as out or took" in result.stderr
    assert len(lines_of("friday.jsonl")) == 2


def test_players_rules_and_dealer_carry_over() -> None:
    record("first.jsonl", "--players", "Ana,Ben,Cy", "--rules", "bong-hit-99", "--draws", typed=["deal cy"])
    record("first.jsonl", typed=["kh 99", ".", "out", "out", "took", "joins Dee"])
    result = record("second.jsonl", typed=["deal", "9h 9"])
    assert "second.jsonl: Ana, Ben, Cy, Dee play bong-hit-99\nDee deals first." in result.stdout
    opened, dealt, played = lines_of("second.jsonl")
    assert opened["players"] == ["Ana", "Ben", "Cy", "Dee"]
    assert (dealt["dealer"], played["player"]) == ("Dee", "Ana")


def test_house_rules_carry_over_whole(at_home: Path) -> None:
    (at_home / "ours.toml").write_text('base = "bong-hit-99"\nname = "ours"\ntitle = "Ours."\nhand_size = 3\n')
    record("first.jsonl", "--players", "Ana,Ben", "--rules", "ours.toml", typed=["deal"])
    record("second.jsonl", typed=["deal"])
    assert lines_of("second.jsonl")[0]["rules"]["hand_size"] == 3
    assert lines_of("second.jsonl")[1]["hands"] == {"Ana": [None] * 3, "Ben": [None] * 3}


def test_an_evening_that_cannot_be_read_any_more_is_no_evening(tmp_path: Path) -> None:
    record("first.jsonl", "--players", "Ana,Ben", typed=["deal"])
    (tmp_path / "data" / "bh99" / "last-evening.json").write_text("{")
    result = record("second.jsonl", typed=["deal"])
    assert (result.exit_code, "--players Ana,Ben,Cy" in result.stderr) == (2, True)


def test_the_log_of_an_evening_has_its_date_and_one_that_was_closed_is_left_alone(at_home: Path) -> None:
    bh99("record", "--players", "Ana,Ben", stdin=b"close\n")
    bh99("record", stdin=b"deal\n")
    first, second = sorted(path.name for path in at_home.iterdir())
    assert re.fullmatch(r"evening-\d{4}-\d\d-\d\d-2\.jsonl", first)
    assert first.replace("-2.jsonl", ".jsonl") == second


def test_a_game_in_the_store_is_written_down_too(at_home: Path) -> None:
    url = f"sqlite:///{at_home}/games.sqlite"
    record("friday", "--players", "Ana,Ben", "--store", url, typed=["deal", "7h 7"])
    record("friday", "--store", url, typed=["4d 11"])
    with open_store(url) as store:
        assert [event.__class__.__name__ for event in store.read_log("friday").events()][2:] == ["CardPlayed"] * 2
        assert store.read_log("friday").opened.game == "friday"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--players", "Ana"], "too few players: 1; expected 2 at least"),
        (["--players", "Ana,Ana"], "two players are called Ana; expected names of their own"),
        (["--players", "Ana,Ben", "--dealer", "Cy"], "Cy doesn't sit here; expected one of: Ana, Ben"),
        (["--players", "Ana,Ben", "--omits", "card_played"], "card_played can't be left out"),
        (["--players", "Ana,Ben", "--rules", "whist"], "rules 'whist' are not known here"),
        (["--players", "Ana,B\u202en"], "a name has a format or direction character"),
    ],
)
def test_what_cannot_be_opened_is_refused_and_no_log_is_left(at_home: Path, options: list[str], said: str) -> None:
    result = record("friday.jsonl", *options, typed=["deal"])
    assert result.exit_code == 2
    assert said in " ".join(re.sub("[│╭╮╰╯─]", " ", result.stderr).split())
    assert list(at_home.iterdir()) == []


def test_options_that_say_something_else_than_the_log_that_has_begun_are_refused() -> None:
    same = ["--players", "Ana,Ben", "--dealer", "Ana"]
    record("friday.jsonl", *same, typed=[])
    for other in (
        ["--draws"],
        ["--players", "Ana,Cy"],
        ["--dealer", "Ben"],
        ["--dealer", "Zoe"],
        ["--rules", "ninety-nine-chips"],
        ["--omits", "leisure_hit"],
    ):
        result = record("friday.jsonl", *other, typed=["deal"])
        assert (result.exit_code, "has begun already" in " ".join(result.stderr.split())) == (2, True), other
    assert record("friday.jsonl", *same, typed=["deal"]).exit_code == 0
    assert lines_of("friday.jsonl")[1]["dealer"] == "Ana"


def test_what_is_left_out_does_not_carry_over() -> None:
    record("first.jsonl", "--players", "Ana,Ben", "--draws", "--omits", "leisure_hit", typed=["deal"])
    record("second.jsonl", typed=["deal"])
    assert lines_of("first.jsonl")[0]["omits"] == ["leisure_hit"]
    assert lines_of("second.jsonl")[0]["omits"] == ["card_drawn", "pile_reshuffled"]


def test_what_the_log_leaves_out_is_not_written_and_that_is_said() -> None:
    typed = ["deal ben", "7h 7", "d", "reshuffle"]
    result = record("friday.jsonl", "--players", "Ana,Ben", typed=typed)
    assert "(this log leaves card_drawn out: it counts as done where the rules call for it)" in result.stdout
    assert (result.exit_code, len(lines_of("friday.jsonl"))) == (0, 3)


@pytest.mark.parametrize("change", ["replace", "append", "remove"])
def test_a_log_that_somebody_changes_meanwhile_gets_no_more_entries(at_home: Path, change: str) -> None:
    keeper = FileKeeper("friday.jsonl")
    opened = GameOpened(format=1, rules="bong-hit-99", players=["Ana", "Ben"])
    keeper.add([opened])
    log = Path("friday.jsonl")
    if change == "append":
        with log.open("a") as file:
            file.write("\n")
    else:
        log.unlink()
        if change == "replace":
            log.write_text("{}\n")
    before = log.read_bytes() if log.exists() else None
    with pytest.raises(LogUnwritable, match="somebody else has changed the log meanwhile"):
        keeper.add([BongLoaded(player="Ana")])
    assert (log.read_bytes() if log.exists() else None) == before
    keeper.close()


def test_what_is_said_to_the_program_is_said_alone() -> None:
    result = record("friday.jsonl", "--players", "Quentin,Ana", typed=["deal ana", "q 7h 7", "help me"])
    assert lines_of("friday.jsonl")[2]["player"] == "Quentin"
    assert (result.exit_code, "help: expected a card" in result.stderr) == (2, True)


def test_a_log_that_somebody_else_wrote_with_spaces_is_gone_on_with(at_home: Path) -> None:
    first = {"type": "game_opened", "format": 1, "rules": "bong-hit-99", "players": ["Ana", "Ben"]}
    Path("other.jsonl").write_text(json.dumps(first))
    assert record("other.jsonl", typed=["deal"]).exit_code == 0
    assert len(lines_of("other.jsonl")) == 2


def test_a_log_that_somebody_else_is_writing_is_left_alone(at_home: Path) -> None:
    record("friday.jsonl", "--players", "Ana,Ben", typed=["deal"])
    holding = "from bh99.keepers import FileKeeper; FileKeeper('friday.jsonl'); print(1, flush=True); input()"
    holder = subprocess.Popen(
        [sys.executable, "-c", holding],
        env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert holder.stdout is not None
    holder.stdout.readline()
    result = record("friday.jsonl", typed=["7h"])
    holder.communicate(b"\n")
    assert (result.exit_code, "another program is writing to it" in result.stderr) == (2, True)


def test_help_lists_every_word_and_fits_the_screen() -> None:
    result = record("friday.jsonl", "--players", "Ana,Ben", typed=["help", "table"])
    for word in WORDS:
        assert f"  {word.word} {word.takes}".rstrip() in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "Line 1 of 1: Ana and Ben sit down to bong-hit-99" in result.stdout


# ---- killed ----


def test_killed_after_each_entry_nothing_is_lost(open_terminal: Open, at_home: Path) -> None:
    record("whole.jsonl", "--players", "Ana,Ben,Cy", "--dealer", "Cy", typed=PLAYED)
    there = home()
    for number, entry in enumerate(PLAYED):
        opened = ["--players", "Ana,Ben,Cy", "--dealer", "Cy"] if number == 0 else []
        screen = open_terminal("record", "killed.jsonl", *opened, columns=120, **there)
        screen.wait_for(">")
        screen.press(entry + "\r", f"{len(lines_of('killed.jsonl')) + 1}  ")
        screen.process.send_signal(signal.SIGKILL)
        screen.process.wait()
    assert untimed("killed.jsonl") == untimed("whole.jsonl")


@pytest.mark.parametrize("after", [0.0, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2])
def test_killed_in_the_middle_of_writing_every_entry_that_was_told_is_kept(at_home: Path, after: float) -> None:
    entries = ["deal", *(f"ana {rank}{suit}" for suit in "hdcs" for rank in "23456789")]
    command = [*COMMAND, "record", "killed.jsonl", "--players", "Ana,Ben"]
    scribe = subprocess.Popen(command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert scribe.stdin is not None
    assert scribe.stdout is not None
    scribe.stdin.write("".join(f"{entry}\n" for entry in entries))
    scribe.stdin.flush()
    told = scribe.stdout.readline()
    time.sleep(after)
    scribe.kill()
    told += scribe.stdout.read()
    scribe.communicate()
    last = max((int(line) for line in re.findall(r"^ +(\d+)  ", told, re.MULTILINE)), default=1)
    assert len(lines_of("killed.jsonl")) >= last
    assert record("killed.jsonl", typed=["ana th"]).exit_code in (0, 1)


def test_a_last_line_that_was_cut_off_is_kept_beside_the_log(at_home: Path) -> None:
    record("friday.jsonl", "--players", "Ana,Ben", "--dealer", "Ben", typed=["deal", "7h 7"])
    with open("friday.jsonl", "ab") as file:
        file.write(b'{"type":"card_pl')
    result = record("friday.jsonl", typed=["4d 11"])
    assert "the last line was cut off; what there was of it stands in friday.jsonl.cut" in result.stderr
    assert Path("friday.jsonl.cut").read_bytes() == b'{"type":"card_pl\n'
    assert [event["type"] for event in lines_of("friday.jsonl")][-2:] == ["card_played", "card_played"]


# ---- on a terminal ----


def test_a_terminal_asks_who_plays_completes_words_and_shows_who_is_next(open_terminal: Open) -> None:
    screen = open_terminal("record", "friday.jsonl", columns=100, **home())
    screen.wait_for("Who plays?")
    screen.press("Ana, Ben\r", "anybody to deal>")
    for keys, told in (
        ("\r", "Ben deals to Ana and Ben"),
        ("7h\r", "Ana plays the 7 of hearts"),
        ("nonsense\r", "? nonsense: expected a card"),
        ("undo\r", "everything from line 3 on never happened"),
    ):
        screen.press(keys, told)
        screen.wait_for(">")
    screen.press("ruling\x03", "play>")
    screen.press("lei\t", "leisure")
    screen.press(" be\t", "Ben")
    screen.press("\r", "Ben takes a leisure hit")
    screen.press("quit\r", "friday.jsonl: 5 lines, no finding")
    assert screen.status() == 0


def test_another_terminal_reads_along(open_terminal: Open) -> None:
    there = home()
    record("friday.jsonl", "--players", "Ana,Ben", "--dealer", "Ben", typed=["deal"])
    reader = open_terminal("replay", "friday.jsonl", "--step", "--follow", "--at", "2", **there)
    reader.wait_for("line 2 of 2")
    record("friday.jsonl", typed=["7h 7"])
    reader.wait_for("line 3 of 3")
    os.write(reader.ours, b"q")
    assert reader.status() == 0
