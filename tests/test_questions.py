"""What may be asked of games: by player, date, rules and findings, in groups, with people of several spellings."""

import datetime
from pathlib import Path
from typing import Any

import pytest
from cli_runs import FIXTURES
from stores import log_in, store_in, url_in
from test_store import load, opened

import bh99
from bh99.aliases import read_aliases
from bh99.errors import AliasesUnreadable
from bh99.store.store import GameStore
from bh99.store.view_tables import TABLES, evening_of
from bh99.wanted import ALL, By, Wanted
from projections.statistics import COUNTED

pytestmark = pytest.mark.usefixtures("engine")


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    """Four games: two evenings of Bong Hit 99, one of them disputed, a match, and one that a program made up."""
    store = store_in(tmp_path)
    wrong = {"type": "hand_won", "player": "Ann"}
    for name, lines in {
        "a": [opened("Ann", "Bob", at="2026-10-30T20:00:00+01:00"), load("Ann")],
        "b": [opened("Ann", "Cy", at="2026-11-29T02:30:00-05:00"), load("Cy"), load("Cy"), wrong],
        "c": [{**opened("Bob", "Cy"), "rules": "ninety-nine-pennies+rolling"}],
        "d": [opened("Ann", "Bot", source="simulated", at="2026-11-30T09:00:00Z"), load("Bot")],
    }.items():
        store.import_log(log_in(tmp_path, [{**lines[0], "game": name}, *lines[1:]]))
    return store


@pytest.mark.parametrize(
    ("wanted", "games"),
    [
        (ALL, "cab"),
        (Wanted(simulated=True), "cabd"),
        (Wanted(players=("Bob",)), "ca"),
        (Wanted(players=("Bob", "Cy")), "cab"),
        (Wanted(since=datetime.date(2026, 10, 31)), "b"),
        (Wanted(since=datetime.date(2026, 11, 28)), "b"),
        (Wanted(since=datetime.date(2026, 11, 29)), ""),
        (Wanted(rules="bong-hit-99"), "ab"),
        (Wanted(rules="ninety-nine-pennies"), "c"),
        (Wanted(rules="ninety-nine-pennies+rolling"), "c"),
        (Wanted(rules="ninety-nine"), ""),
        (Wanted(disputed=False), "ca"),
        (Wanted(disputed=True), "b"),
        (Wanted(players=("Bobby",), aliases={"Bobby": "Robert", "Bob": "Robert"}), "ca"),
    ],
)
def test_games_are_listed_by_player_date_rules_and_findings(wanted: Wanted, games: str, store: GameStore) -> None:
    assert "".join(game.game for game in store.games(wanted)) == games


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (ALL, {"Ann": 2, "Bob": 2, "Cy": 2}),
        (Wanted(simulated=True), {"Ann": 3, "Bob": 2, "Bot": 1, "Cy": 2}),
        (Wanted(players=("Ann",)), {"Ann": 2}),
        (Wanted(since=datetime.date(2026, 11, 1)), {"Ann": 1, "Cy": 1}),
        (Wanted(rules="ninety-nine-pennies"), {"Bob": 1, "Cy": 1}),
        (Wanted(disputed=False), {"Ann": 1, "Bob": 2, "Cy": 1}),
        (Wanted(aliases={"Bob": "Ann"}), {"Ann": 3, "Cy": 2}),
        (Wanted(aliases={"Bob": "Robert"}, players=("Bob", "Cy")), {"Cy": 2, "Robert": 2}),
    ],
)
def test_statistics_are_of_the_games_and_players_that_are_meant(
    wanted: Wanted, expected: dict[str, int], store: GameStore
) -> None:
    rows = store.stats(wanted)
    assert {row.player: row.games for row in rows} == expected
    assert [row.player for row in rows] == sorted(expected)


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("evening", [(None, "Bob"), (None, "Cy"), ("2026-10-30", "Ann"), ("2026-10-30", "Bob"), ("2026-11-28", "Ann")]),
        ("month", [(None, "Bob"), (None, "Cy"), ("2026-10", "Ann"), ("2026-10", "Bob"), ("2026-11", "Ann")]),
        ("rules", [("bong-hit-99", "Ann"), ("bong-hit-99", "Bob"), ("bong-hit-99", "Cy")]),
    ],
)
@pytest.mark.parametrize("aliases", [{}, {"Nobody": "Ann"}])
def test_rows_are_grouped_by_evening_month_or_rules(
    by: By, expected: list[tuple[str | None, str]], aliases: dict[str, str], store: GameStore
) -> None:
    rows = store.stats(Wanted(aliases=aliases), by)
    assert [(getattr(row, by), row.player) for row in rows][: len(expected)] == expected
    assert list(rows.columns())[:2] == [by, "player"]
    assert sum(row.games for row in rows) == 6


def test_an_evening_lasts_until_six_in_the_morning_where_it_was() -> None:
    zone = datetime.timezone(datetime.timedelta(hours=-5))
    at = datetime.datetime(2026, 11, 29, 5, 59, tzinfo=zone)
    assert evening_of(at) == "2026-11-28"
    assert evening_of(at + datetime.timedelta(minutes=1)) == "2026-11-29"


def test_one_person_under_two_spellings_in_one_game_was_in_one_game(tmp_path: Path) -> None:
    log = log_in(tmp_path, [opened("Ben", "Benny", "Cy"), load("Ben"), load("Benny")])
    [ben, cy] = bh99.stats(log, wanted=Wanted(aliases={"Benny": "Ben"}))
    assert (ben.player, ben.games, ben.loads) == ("Ben", 1, 2)
    assert (cy.player, cy.games, cy.loads) == ("Cy", 1, 0)


def test_how_many_games_a_date_leaves_out_for_want_of_one_is_known(store: GameStore) -> None:
    assert store.undated(Wanted(since=datetime.date(2026, 1, 1))) == 1
    assert store.undated(ALL) == 0


def test_logs_and_a_store_give_the_same_rows(tmp_path: Path) -> None:
    logs = sorted(map(str, FIXTURES.glob("*.jsonl")))
    with store_in(tmp_path) as store:
        names = {store.import_log(log).game: log for log in logs}
        assert len(names) == len(logs)
        for by in (None, "rules", "evening"):
            assert bh99.stats(*logs, by=by) == store.stats(by=by)
        rows = [{**row, "log": names[row["log"]]} for row in store.duty().records()]
        assert sorted(rows, key=str) == sorted(bh99.duty(*logs).records(), key=str)


def test_one_log_has_duty_rows_without_its_name(tmp_path: Path) -> None:
    log = str(FIXTURES / "friday-late.jsonl")
    assert bh99.duty(log).records() == [
        {"line": 7, "hand": 1, "player": "Cy", "cause": "first_out", "loads": [14]},
        {"line": 22, "hand": 2, "player": "Ben", "cause": "first_out", "loads": [26]},
    ]
    assert [row.log for row in bh99.duty(log, str(FIXTURES / "one-hand.jsonl"))][:1] == [log]


def test_a_log_that_is_named_twice_counts_once() -> None:
    log = str(FIXTURES / "friday-late.jsonl")
    assert bh99.stats(log, log) == bh99.stats(log)


def test_rows_become_columns_and_records() -> None:
    rows = bh99.stats(str(FIXTURES / "friday-late.jsonl"))
    assert rows.columns()["player"] == ["Ana", "Ben", "Cy"]
    assert list(rows.columns()) == list(rows.records()[0])
    assert rows.records()[1]["miscalls"] == 1
    assert bh99.stats(str(FIXTURES / "friday-late.jsonl"), wanted=Wanted(players=("Nobody",))).columns()["wins"] == []


def test_scripts_read_a_log_and_audit_it(tmp_path: Path) -> None:
    log = bh99.read_log(str(FIXTURES / "friday-late.jsonl"))
    assert (log.opened.game, len(log.events())) == ("friday-late", 27)
    assert bh99.audit(log).findings.columns()["rule"] == ["count-called"]
    with store_in(tmp_path) as store:
        store.import_log(log.name)
        assert store.audit("friday-late").findings == bh99.audit(log.name).findings
        assert bh99.audit("friday-late", store=url_in(tmp_path)).findings == bh99.audit(log).findings
        assert bh99.stats("friday-late", store=url_in(tmp_path)) == bh99.stats(log.name)
        assert bh99.stats(store=url_in(tmp_path)) == store.stats()
    with pytest.raises(bh99.LogUnreadable):
        bh99.read_log(log_in(tmp_path, [opened("Ann", "Bob"), {"type": "nonsense"}]))
    with pytest.raises(bh99.LogUnreadable):
        bh99.stats(str(tmp_path / "nosuch.jsonl"))


def test_names_may_be_paths_and_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    path = FIXTURES / "friday-late.jsonl"
    assert bh99.stats(path) == bh99.stats(str(path))
    assert bh99.stats(path, str(path)) == bh99.stats(path)
    assert bh99.audit(path).name == str(path)
    with store_in(tmp_path) as store:
        assert store.import_log(path).game == "friday-late"
        for by in ("week", "game, (select 1)"):
            for question in (store.stats, store.duty):
                with pytest.raises(ValueError, match="expected one of evening, month, rules"):
                    question(by=by)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="players is a tuple"):
        Wanted(players="Ana")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"since is a datetime\.date"):
        Wanted(since="2026-11-30")  # type: ignore[arg-type]


def test_what_is_public_is_there() -> None:
    for name in bh99.__all__:
        assert getattr(bh99, name) is not None
    with pytest.raises(AttributeError):
        _ = bh99.nonsense


# ---- aliases ----


def test_aliases_name_one_person_for_each_spelling(tmp_path: Path) -> None:
    (tmp_path / "people.toml").write_text('Benjamin = ["Ben", "benny"]\n"Anna Maria" = ["Ana"]\n', "utf-8")
    assert read_aliases(str(tmp_path / "people.toml")) == {
        "Ben": "Benjamin",
        "benny": "Benjamin",
        "Ana": "Anna Maria",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('A = ["X"]\nB = ["X"]', "X stands for A and for B"),
        ('A = "X"', "expected lines such as"),
        ("nonsense", "expected lines such as"),
        (b"\xff\xfe", "not UTF-8"),
        (None, "No such file"),
    ],
)
def test_aliases_that_cannot_be_read_are_a_clear_error(text: str | bytes | None, said: str, tmp_path: Path) -> None:
    file = tmp_path / "people.toml"
    if text is not None:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(AliasesUnreadable, match=said):
        read_aliases(str(file))


# ---- plain SQL ----


def test_the_views_answer_plain_sql(tmp_path: Path) -> None:
    """Worked out by hand from the 27 lines of the game."""
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "friday-late.jsonl"))
        views = store.connect()

    def ask(sql: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = views.execute(sql).fetchall()
        return found

    assert ask(
        "SELECT game, rules, at, evening, month, source, players, events, hands, closed, findings FROM games"
    ) == [("friday-late", "bong-hit-99", "2026-11-27T23:40:00+01:00", "2026-11-27", "2026-11", "table", 3, 27, 2, 1, 1)]
    assert ask("SELECT player, hands, wins, plays, draws, first_outs, miscalls FROM players ORDER BY 1") == [
        ("Ana", 2, 1, 2, 2, 0, 0),
        ("Ben", 2, 1, 2, 2, 1, 1),
        ("Cy", 2, 0, 1, 1, 1, 0),
    ]
    assert ask("SELECT hand, line, last_line, dealer, players, winner, first_out, plays, voided FROM hands") == [
        (1, 2, 14, "Cy", 3, "Ben", "Cy", 2, 0),
        (2, 15, 27, "Ana", 3, "Ana", "Ben", 3, 0),
    ]
    assert ask("SELECT line, hand, player, card, said, role, at FROM plays WHERE hand = 2 ORDER BY line LIMIT 1") == [
        (16, 2, "Ben", "5c", 6, None, "2026-11-28T00:06:00+01:00")
    ]
    assert ask("SELECT line, deed, player, source, prize, hits, card FROM hits WHERE hand = 1 ORDER BY line") == [
        (10, "stolen", "Ana", "Ben", None, 1, None),
        (11, "slid", "Ben", "Ana", "main", 1, "Kc"),
        (12, "slid", "Cy", "Ben", "main", 1, "Qc"),
        (13, "taken", "Cy", None, "main", 1, None),
    ]
    assert ask("SELECT line, hand, player, cause, loads, load_lines FROM duty ORDER BY line") == [
        (7, 1, "Cy", "first_out", 1, "[14]"),
        (22, 2, "Ben", "first_out", 1, "[26]"),
    ]
    [found] = ask("SELECT line, hand, rule, certainty, player, ruled, auditor FROM findings")
    assert found[:6] == (16, 2, "count-called", "proved", "Ben", None)
    with pytest.raises(Exception, match=r"read-?only"):
        views.execute("DELETE FROM games")
    views.close()


def test_a_voided_hand_is_told_apart_in_the_views(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "voided.jsonl"))
        plays = sum(row.plays for row in store.stats())
        views = store.connect()
    counted = views.execute("SELECT count(*) FROM plays JOIN hands USING (game, hand) WHERE voided = 0").fetchone()
    assert counted == (plays,)
    assert views.execute("SELECT count(*) FROM plays").fetchone()[0] > plays
    views.close()


def test_every_counted_number_is_a_column_of_players() -> None:
    assert all(f"{name} INTEGER" in TABLES["players"] for name in COUNTED)
