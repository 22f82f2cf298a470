"""The commands of the store: import, games, export, stats, duty and store, and stored games where a log is meant."""

import csv
import gzip
import io
import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from cli_runs import CLEAN, COMMAND, FIXTURES, RULED, bh99, environment, process, shell
from stores import damaged, drop_trigger, log_in, rows_in, store_in, url_in
from test_store import load, loads, opened

from bh99.store.urls import place_of
from cli.duty import BLOCKS as DUTY_BLOCKS
from cli.stats import BLOCKS
from projections.duty import DutyRow
from projections.statistics import PlayerStats

FRIDAY = str(FIXTURES / "friday-late.jsonl")


@pytest.fixture(autouse=True)
def url(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store of its own for each test, which the environment names."""
    monkeypatch.setenv("BH99_STORE", url_in(tmp_path))
    return os.environ["BH99_STORE"]


# ---- import ----


def test_import_tells_what_became_of_each_log(tmp_path: Path) -> None:
    result = bh99("import", FRIDAY, CLEAN)
    first, second, summary = result.stdout.splitlines()
    assert first == f"{FRIDAY}: 27 lines, game friday-late, 1 finding"
    assert second.startswith(f"{CLEAN}: 36 lines, game log-")
    assert summary == "2 games imported; 1 game with findings"
    assert result.exit_code == 1
    again = bh99("import", CLEAN)
    assert again.stdout.splitlines()[1] == "1 log already there"
    assert again.exit_code == 0


def test_import_of_a_longer_copy_says_how_many_lines_are_new(tmp_path: Path) -> None:
    lines = [opened("Ann", "Bob", game="g"), *loads(3)]
    bh99("import", log_in(tmp_path, lines[:2]))
    result = bh99("import", log_in(tmp_path, lines))
    assert result.stdout.splitlines() == [f"{tmp_path}/game.jsonl: 2 more lines, game g", "1 game continued"]


def test_import_of_many_goes_on_past_logs_that_cannot_be_read_and_groups_the_problems(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    for number in range(30):
        log_in(folder, [opened("Ann", "Bob", game=f"g{number}"), load("Ann")], f"{number:02}.jsonl")
    for number in range(3):
        log_in(folder, [opened("Ann", "Bob"), load("Ann", colour="red")], f"bad{number}.jsonl")
    log_in(folder, [opened("Ann", "Bob"), {"type": "nonsense"}], "worse.jsonl")
    (folder / "packed.jsonl.gz").write_bytes(gzip.compress(Path(FRIDAY).read_bytes()))
    bh99("import", log_in(tmp_path, [opened("Ann", "Bob", game="g7"), load("Bob")]))
    result = bh99("import", str(folder), str(tmp_path / "nosuch"))
    assert result.exit_code == 3
    assert result.stdout.splitlines() == ["30 games imported; 1 game with findings; 6 logs refused"]
    said = result.stderr.splitlines()
    assert said[0] == f"{tmp_path}/nosuch: no such file" or "no such file: 1 log" in said
    assert "unknown field: 3 logs" in said
    unknown = 'field "colour": unknown field; bong_loaded has: player, at, seq, note, ext'
    assert f"  {folder}/bad0.jsonl:2:42: {unknown}" in said
    assert "differs from the stored game: 1 log" in said
    assert f"  {folder}/07.jsonl:2: differs from line 2 of game g7" in said


def test_import_reads_standard_input_and_packed_logs(tmp_path: Path) -> None:
    result = bh99("import", "-", stdin=Path(CLEAN).read_bytes())
    assert result.stdout.startswith("-: 36 lines, game log-")
    assert bh99("import", str(FIXTURES / "house-spelling.jsonl.gz")).exit_code in (0, 1)


def test_import_prints_json(tmp_path: Path) -> None:
    bad = log_in(tmp_path, [opened("Ann", "Bob"), {"type": "nonsense"}], "bad.jsonl")
    result = bh99("import", FRIDAY, bad, "--format", "json")
    good, refused = json.loads(result.stdout)
    assert (good["outcome"], good["game"], good["added"], good["findings"]) == ("imported", "friday-late", 27, 1)
    assert (refused["outcome"], refused["game"], refused["problems"][0]["line"]) == ("unreadable", None, 2)
    assert result.exit_code == 2


def test_import_of_a_cut_log_says_that_it_is_incomplete(tmp_path: Path) -> None:
    result = bh99("import", str(FIXTURES / "cut-short.jsonl"))
    assert "the last line is cut off: the log is incomplete" in result.stderr


def test_import_shows_a_bar_on_a_terminal(tmp_path: Path) -> None:
    for number in range(25):
        log_in(tmp_path / "logs", [opened("Ann", "Bob", game=f"g{number}")], f"{number}.jsonl")
    ours, theirs = pty.openpty()
    shell_environment = environment(BH99_STORE=os.environ["BH99_STORE"], TERM="xterm")
    pid = os.fork()
    if pid == 0:  # pragma: no cover
        os.dup2(theirs, 2)
        os.execve(COMMAND[0], [*COMMAND, "import", str(tmp_path / "logs")], shell_environment)
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 4096):
            seen += chunk
    except OSError:
        pass  # the other end is closed
    os.waitpid(pid, 0)
    assert b"storing" in seen
    assert b"25/25" in seen


# ---- games and export ----


def test_games_lists_what_is_stored(tmp_path: Path) -> None:
    bh99("import", FRIDAY, CLEAN)
    rows = json.loads(bh99("games", "--format", "json").stdout)
    assert [row["game"] for row in rows][1:] == ["friday-late"]
    assert rows[1]["players"] == ["Ana", "Ben", "Cy"]
    assert json.loads(bh99("games", "--findings", "--format", "json").stdout) == rows[1:]
    assert json.loads(bh99("games", "--exclude", "disputed", "--format", "json").stdout) == rows[:1]
    assert json.loads(bh99("games", "--player", "Tom", "--format", "json").stdout) == rows[:1]
    assert json.loads(bh99("games", "--since", "2026-11-27", "--format", "json").stdout) == rows[1:]
    assert json.loads(bh99("games", "--rules", "ninety-nine-chips", "--format", "json").stdout) == []
    bh99("import", str(FIXTURES))
    table = process("games", COLUMNS="80", BH99_STORE=os.environ["BH99_STORE"]).stdout.decode()
    assert table.splitlines()[0].split() == ["game", "evening", "rules", "players", "lines", "findings"]
    assert max(map(len, table.splitlines())) <= 80
    assert all(f" {rules}" in table for rules in ("bong-hit-99", "ninety-nine-pennies", "+four-again"))


def test_export_prints_the_bytes_that_were_imported(tmp_path: Path) -> None:
    bh99("import", FRIDAY)
    assert process("export", "friday-late", **os.environ).stdout == Path(FRIDAY).read_bytes()
    missing = bh99("export", "nosuch")
    assert missing.exit_code == 2
    assert missing.stderr == "nosuch: the store has no such game; bh99 games lists them\n"


# ---- a stored game where a log is meant ----


@pytest.mark.parametrize(
    "command",
    [
        ("replay", "{}"),
        ("replay", "{}", "--at", "16", "--format", "json"),
        ("replay", "{}", "--step"),
        ("now", "{}"),
        ("audit", "{}", "--format", "json"),
        ("audit", "{}", "--explain", "16"),
        ("stats", "{}", "--format", "json"),
        ("duty", "{}", "--format", "json"),
    ],
    ids=" ".join,
)
def test_every_command_that_takes_a_log_takes_a_stored_game(command: tuple[str, ...], tmp_path: Path) -> None:
    bh99("import", FRIDAY)
    stored, file = (bh99(*(word.replace("{}", name) for word in command)) for name in ("friday-late", FRIDAY))
    assert (stored.exit_code, stored.stdout) == (file.exit_code, file.stdout)
    assert stored.stdout


def test_a_file_comes_before_a_stored_game_of_the_same_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bh99("import", FRIDAY)
    monkeypatch.chdir(tmp_path)
    Path("friday-late").write_bytes(Path(CLEAN).read_bytes())
    assert bh99("audit", "friday-late", "--format", "json").stdout == "[]\n"


def test_a_name_that_is_neither_file_nor_game_is_a_clear_error(tmp_path: Path) -> None:
    no_store = f"nosuch: no such file, and there is no store {place_of(url_in(tmp_path)).events}\n"
    assert bh99("audit", "nosuch").stderr == no_store
    bh99("import", FRIDAY)
    result = bh99("audit", "nosuch", FRIDAY)
    assert result.stderr.startswith("nosuch: no such file, and the store has no such game\n")
    assert result.exit_code == 2


def test_the_store_can_be_named_by_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = url_in(tmp_path, "other")
    bh99("import", FRIDAY, "--store", other)
    assert bh99("games").exit_code == 2
    assert "friday-late" in bh99("games", "--store", other).stdout
    assert bh99("audit", "friday-late", "--store", other).exit_code == 1


def test_marks_of_a_stored_game_lie_beside_the_store(engine: str, tmp_path: Path) -> None:
    bh99("import", FRIDAY)
    with store_in(tmp_path) as store:
        beside = store.read_log("friday-late").beside or ""
        assert engine == "server" or beside == f"{tmp_path}/games.sqlite.friday-late"
        Path(beside).parent.mkdir(parents=True, exist_ok=True)
        Path(f"{beside}.marks").write_text("{}")
        store.forget("friday-late")
        assert not Path(f"{beside}.marks").exists()


# ---- stats and duty ----


def test_stats_answers_from_logs_and_from_the_store_alike(tmp_path: Path) -> None:
    bh99("import", FRIDAY)
    from_logs = bh99("stats", FRIDAY, "--format", "json")
    assert json.loads(from_logs.stdout)[1]["miscalls"] == 1
    assert bh99("stats", "--format", "json").stdout == from_logs.stdout
    assert from_logs.exit_code == 1


def test_stats_has_every_field_in_the_order_of_the_format() -> None:
    rows = json.loads(bh99("stats", FRIDAY, "--format", "json").stdout)
    fields = [name for name in PlayerStats.__struct_fields__ if name not in ("evening", "month", "rules")]
    assert list(rows[0]) == fields
    lines = bh99("stats", FRIDAY, "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == rows
    header, *table = csv.reader(io.StringIO(bh99("stats", FRIDAY, "--format", "csv").stdout))
    assert header == fields
    assert [row[0] for row in table] == ["Ana", "Ben", "Cy"]


def test_stats_of_nobody_is_an_empty_answer() -> None:
    assert bh99("stats", CLEAN, "--player", "Nobody", "--format", "json").stdout == "[]\n"
    fields = [name for name in PlayerStats.__struct_fields__ if name not in ("evening", "month", "rules")]
    assert bh99("stats", CLEAN, "--player", "Nobody", "--format", "csv").stdout == ",".join(fields) + "\n"
    assert bh99("stats", CLEAN, "--player", "Nobody").stderr == "nothing to show: no such game or player\n"


def test_the_table_fits_on_80_columns_and_shows_every_field() -> None:
    shown = {field for _, columns in BLOCKS for field, _ in columns}
    assert shown == set(PlayerStats.__struct_fields__)
    assert {field for _, columns in DUTY_BLOCKS for field, _ in columns} == set(DutyRow.__struct_fields__)
    for options in ((), ("--by", "month"), ("--by", "evening"), ("--by", "rules")):
        text = process("stats", str(FIXTURES), *options, COLUMNS="80").stdout.decode()
        assert max(map(len, text.splitlines())) <= 80
        assert text.splitlines()[0].split()[-2:] == ["draws", "miscalls"]
        assert {"Ana", "Ben", "Cy", "Tom"} <= {word for line in text.splitlines() for word in line.split()}


def test_a_name_in_a_table_steers_nothing(tmp_path: Path) -> None:
    names = ["[red]Ann[/red]", "=SUM(A1)", ":smile:"]
    log = log_in(tmp_path, [opened(*names), load(names[0])])
    table = bh99("stats", log)
    assert all(name in table.stdout for name in names)
    rows = list(csv.reader(io.StringIO(bh99("stats", log, "--format", "csv").stdout)))
    assert {row[0] for row in rows} == {"player", ":smile:", "'=SUM(A1)", "[red]Ann[/red]"}


def test_csv_has_its_columns_without_any_rows_too(tmp_path: Path) -> None:
    def header(*arguments: str) -> str:
        return bh99(*arguments, "--player", "Nobody", "--format", "csv").stdout

    assert header("stats", CLEAN, "--by", "month").startswith("month,player,games,")
    assert header("duty", CLEAN) == "line,hand,player,cause,loads\n"
    assert header("duty", CLEAN, FRIDAY, "--by", "rules") == "log,rules,line,hand,player,cause,loads\n"
    assert header("games", "--store", f"sqlite:///{tmp_path}/games.sqlite") == ""  # there is no store yet


def test_rows_of_several_logs_say_which_even_if_but_one_can_be_read(tmp_path: Path) -> None:
    bad = log_in(tmp_path, [opened("Ann", "Bob"), {"type": "nonsense"}], "bad.jsonl")
    rows = json.loads(bh99("duty", FRIDAY, bad, "--format", "json").stdout)
    assert {row["log"] for row in rows} == {FRIDAY}


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        ("ninety-nine-pennies", 2),
        ("ninety-nine-pennies@1", 2),
        ("ninety-nine-pennies+five-cards", 0),
        ("ninety-nine-pennies+rolling", 1),
        ("ninety-nine-pennies+rolling+five-cards", 1),
        ("ninety-nine-pennies+five-cards+rolling@1", 1),
        ("\udcff", 0),
    ],
)
def test_rules_with_options_mean_these_and_no_others(rules: str, found: int, tmp_path: Path) -> None:
    for name in ("five-cards+rolling", "rolling"):
        log = {**opened("Ann", "Bob", game=name.replace("+", "-")), "rules": f"ninety-nine-pennies+{name}"}
        bh99("import", log_in(tmp_path, [log]))
    assert len(json.loads(bh99("games", "--rules", rules, "--format", "json").stdout)) == found


def test_status_is_of_the_games_and_players_that_were_asked_for() -> None:
    assert bh99("stats", FRIDAY, CLEAN, "--player", "Tom").exit_code == 0
    assert bh99("stats", FRIDAY, CLEAN, "--player", "Ben").exit_code == 1
    assert bh99("duty", FRIDAY, CLEAN, "--player", "Tom").exit_code == 0


def test_names_that_are_no_text_steer_and_stop_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    name = os.fsencode(folder) + b"/b\xff\x1b.jsonl"
    Path(os.fsdecode(name)).write_bytes(Path(FRIDAY).read_bytes())
    (folder / "good.jsonl").write_bytes(Path(CLEAN).read_bytes())
    done = [shell(f"$BH99 {command}", **os.environ) for command in (f"stats {folder}", f"duty {folder}")]
    done += [shell(f"$BH99 duty {folder} --format json", **os.environ)]
    done += [shell(f"$BH99 import {folder} --format json", **os.environ), shell("$BH99 games", **os.environ)]
    done += [shell(f"$BH99 {command} $'a\xff'", **os.environ) for command in ("export", "store forget", "audit")]
    done += [shell(f"$BH99 stats {FRIDAY} --player $'a\xff' --rules $'a\xff'", **os.environ)]
    done += [shell(f"$BH99 store backup {tmp_path}/$'a\xff'", **os.environ)]
    done += [shell(f"$BH99 games --store sqlite:///{tmp_path}/$'a\xff'", **os.environ)]
    for one in done:
        assert b"Traceback" not in one.stderr, one.stderr.decode()
        assert one.returncode in (0, 1, 2)
        assert b"\x1b" not in one.stdout + one.stderr
    assert json.loads(done[2].stdout)
    assert len(json.loads(done[3].stdout)) == 2


def test_a_narrow_terminal_loses_no_column() -> None:
    text = process("stats", FRIDAY, COLUMNS="30").stdout.decode()
    assert text.splitlines()[0].split()[:4] == ["player", "games", "hands", "wins"]


def test_nothing_is_shown_of_logs_that_cannot_be_read(tmp_path: Path) -> None:
    bad = log_in(tmp_path, [opened("Ann", "Bob"), {"type": "nonsense"}], "bad.jsonl")
    assert bh99("stats", bad).stdout == ""
    assert bh99("stats", bad, "--format", "json").stdout == "[]\n"


def test_options_of_stats_and_duty_choose_games_and_players(tmp_path: Path) -> None:
    (tmp_path / "people.toml").write_text('Benjamin = ["Ben"]\n')
    bh99("import", FRIDAY, CLEAN)

    def players(*options: str) -> list[str]:
        return [row["player"] for row in json.loads(bh99("stats", *options, "--format", "json").stdout)]

    assert players() == ["Ana", "Ben", "Cy", "Lena", "Nora", "Tom"]
    assert players("--exclude", "disputed") == ["Lena", "Nora", "Tom"]
    assert players("--player", "Cy", "--player", "Tom") == ["Cy", "Tom"]
    assert players("--rules", "ninety-nine-tokens") == []
    assert players("--aliases", str(tmp_path / "people.toml")) == ["Ana", "Benjamin", "Cy", "Lena", "Nora", "Tom"]
    dated = bh99("stats", "--since", "2026-11-27", "--format", "json")
    assert len(json.loads(dated.stdout)) == 3
    assert dated.stderr == "1 game without a date left out, because of --since\n"
    by_month = json.loads(bh99("duty", "--by", "month", "--player", "Cy", "--format", "json").stdout)
    assert [(row["month"], row["player"], row["line"]) for row in by_month] == [("2026-11", "Cy", 7)]


def test_simulated_games_count_only_if_they_are_asked_for(tmp_path: Path) -> None:
    log = log_in(tmp_path, [opened("Ann", "Bot", source="simulated"), load("Bot")])
    assert bh99("stats", log, "--format", "json").stdout == "[]\n"
    assert len(json.loads(bh99("stats", log, "--simulated", "--format", "json").stdout)) == 2


@pytest.mark.parametrize("since", ["yesterday", "2026-13-01", "20261130", "2026-11-30T00:00", "２０２６-11-30"])
def test_a_date_that_is_none_is_wrong_use(since: str) -> None:
    result = bh99("stats", CLEAN, "--since", since)
    assert result.exit_code == 2
    assert "expected one such as 2026-11-30" in result.stderr.replace("\n", " ")


def test_logs_that_cannot_be_read_are_named_and_the_others_counted(tmp_path: Path) -> None:
    bad = log_in(tmp_path, [opened("Ann", "Bob"), {"type": "nonsense"}], "bad.jsonl")
    result = bh99("stats", bad, CLEAN, str(tmp_path / "nosuch.jsonl"), "--format", "json")
    assert [row["player"] for row in json.loads(result.stdout)] == ["Lena", "Nora", "Tom"]
    assert "bad.jsonl:2:" in result.stderr
    assert "nosuch.jsonl: no such file" in result.stderr
    assert result.exit_code == 2


def test_parquet_is_written_for_whoever_has_the_extra(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="it is in the development group")
    done = shell(f"$BH99 stats {FRIDAY} --format parquet > {tmp_path}/stats.parquet", **os.environ)
    assert done.returncode == 1, done.stderr
    rows = parquet.read_table(tmp_path / "stats.parquet").to_pylist()
    assert rows == json.loads(bh99("stats", FRIDAY, "--format", "json").stdout)


def test_parquet_without_the_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    result = bh99("stats", FRIDAY, "--format", "parquet")
    assert result.exit_code == 2
    assert "bh99[parquet]" in result.stderr


# ---- store ----


def test_store_check_rebuild_backup_and_forget(tmp_path: Path) -> None:
    bh99("import", FRIDAY, RULED)
    place = place_of(url_in(tmp_path))
    assert bh99("store", "check").stdout == f"{place.url}: 2 games, 0 faults\n"
    assert bh99("store", "rebuild").stdout == f"{place.views}: 2 games\n"
    assert bh99("store", "backup", str(tmp_path / "copy.sqlite")).exit_code == 0
    assert bh99("store", "backup", str(tmp_path / "copy.sqlite")).exit_code == 2
    assert bh99("store", "forget", "friday-late").stdout == "friday-late: forgotten\n"
    refused = bh99("import", FRIDAY)
    assert refused.exit_code == 3
    assert "was forgotten, and isn't stored again" in refused.stderr
    for command in (("export", "friday-late"), ("store", "forget", "friday-late"), ("audit", "friday-late")):
        result = bh99(*command)
        assert (result.exit_code, "this game was forgotten" in result.stderr) == (2, True)
    assert bh99("games", "--store", f"sqlite:///{tmp_path}/copy.sqlite", "--format", "json").stdout.count('"game"') == 2


def test_store_copy_says_what_both_hold(tmp_path: Path) -> None:
    bh99("import", FRIDAY, RULED)
    here, there = url_in(tmp_path), f"sqlite:///{tmp_path}/moved.sqlite"
    copied = bh99("store", "copy", here, there)
    first, second = copied.stdout.splitlines()
    said = ": 2 games, 50 events, digest "
    assert first.startswith(place_of(here).url + said)
    assert second.startswith(there + said)
    assert first.rpartition(" ")[2] == second.rpartition(" ")[2]
    assert bh99("games", "--store", there, "--format", "json").stdout == bh99("games", "--format", "json").stdout
    again = bh99("store", "copy", here, there)
    assert (again.exit_code, "there is a store already" in again.stderr) == (2, True)
    assert bh99("store", "copy", url_in(tmp_path, "nosuch"), there).exit_code == 2
    assert bh99("store", "copy", here).exit_code == 2


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_store_follow_works_until_it_is_ended(end: signal.Signals, tmp_path: Path, url: str) -> None:
    bh99("import", FRIDAY)
    with subprocess.Popen(
        [*COMMAND, "store", "follow"], env=environment(BH99_STORE=url), stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout
        assert worker.stdout.readline() == f"{place_of(url).views}: following\n"
        with store_in(tmp_path) as store:
            store.import_log(CLEAN)
        while rows_in(tmp_path, "games") < 2:
            assert worker.poll() is None
            time.sleep(0.05)
        worker.send_signal(end)
        assert "ended after reading" in worker.stdout.read()
    assert worker.returncode == 0


def test_a_damaged_store_is_told_with_status_3(tmp_path: Path) -> None:
    bh99("import", FRIDAY, CLEAN)
    with store_in(tmp_path) as store:
        changed = "UPDATE stored_events SET state = x'7b7d' WHERE originator_version = 3 AND originator_id LIKE 'f%'"
        damaged(store, changed)
        drop_trigger(store, "events_never_change")
        store.place.discard_views()
    check = bh99("store", "check")
    assert check.exit_code == 3
    assert "the trigger events_never_change is missing" in check.stderr
    assert "friday-late:3" in check.stderr
    assert bh99("games").exit_code == 3
    assert bh99("audit", "friday-late", CLEAN).exit_code == 3
    assert bh99("now", "friday-late").exit_code == 3
    assert bh99("stats", "friday-late", CLEAN, "--format", "json").exit_code == 3
    for command in (("stats", "--format", "json"), ("duty",), ("store", "rebuild")):
        result = bh99(*command)
        assert result.exit_code == 3
        assert "friday-late:3:" in result.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("games",),
        ("stats",),
        ("duty",),
        ("export", "g"),
        ("store", "check"),
        ("store", "rebuild"),
        ("store", "forget", "g"),
    ],
    ids=" ".join,
)
def test_without_a_store_commands_say_how_to_make_one(command: tuple[str, ...], tmp_path: Path) -> None:
    result = bh99(*command)
    assert result.exit_code == 2
    assert result.stderr == f"{place_of(url_in(tmp_path)).events}: there is no store yet; bh99 import makes one\n"
    assert list(tmp_path.iterdir()) == []


def test_commands_that_need_no_store_load_none() -> None:
    """The libraries of the store take longer to load than an audit does."""
    script = (
        "import sys; from typer.testing import CliRunner; from cli.main import app;"
        f"CliRunner().invoke(app, ['audit', {CLEAN!r}]); import bh99;"
        "print([name for name in ('eventsourcing', 'psycopg', 'sqlite3', 'rich.table') if name in sys.modules])"
    )
    import sys

    done: Any = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
