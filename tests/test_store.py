"""The store: what goes in comes out byte for byte, and nothing that is in it ever changes."""

import dataclasses
import gzip
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from broken_games import KINDS, broken_game
from cli_runs import FIXTURES
from freezegun import freeze_time
from legal_games import blanked, legal_game
from legal_matches import legal_match
from match_table import GAMES
from stores import (
    change_views,
    damaged,
    drop_trigger,
    events_of,
    log_in,
    rows_in,
    store_in,
    text_of,
    url_in,
    views_are_there,
    views_of,
)
from tables import as_events

import bh99
from bh99.answers import read_log
from bh99.errors import GameConflict, GameForgotten, StoreDamaged, StoreUnusable, UnknownGame
from bh99.judging import audited
from bh99.store.store import GameStore, open_store
from bh99.store.views import recorded
from domain import events as ev

pytestmark = pytest.mark.usefixtures("engine")
LOGS = sorted(path.name for path in FIXTURES.iterdir() if path.name.endswith((".jsonl", ".jsonl.gz")))


def opened(*players: str, **more: Any) -> dict[str, Any]:
    return {"type": "game_opened", "format": 1, "rules": "bong-hit-99", "players": list(players), **more}


def load(player: str, **more: Any) -> dict[str, Any]:
    return {"type": "bong_loaded", "player": player, **more}


def loads(count: int, start: int = 0) -> list[dict[str, Any]]:
    return [load("Ann", note=str(number)) for number in range(start, start + count)]


CLOSED = {"type": "game_closed"}


# ---- in and out ----


@pytest.mark.parametrize("log", LOGS)
def test_a_game_comes_out_byte_for_byte_as_it_was_imported(log: str, tmp_path: Path) -> None:
    data = (FIXTURES / log).read_bytes()
    text = gzip.decompress(data) if log.endswith(".gz") else data
    with store_in(tmp_path) as store:
        one = store.import_log(str(FIXTURES / log))
        assert one.outcome == "imported"
        whole = text[: text.rfind(b"\n") + 1] if one.incomplete else text
        assert store.export(one.game or "") == whole
        assert one.added == whole.count(b"\n")


def test_what_a_log_may_have_but_does_not_keep_is_noted_and_not_stored(tmp_path: Path) -> None:
    lines = text_of([opened("Ann", "Bob"), load("Ann"), load("Bob")]).splitlines()
    (tmp_path / "odd.jsonl").write_bytes(b"\xef\xbb\xbf" + lines[0] + b"\r\n\n  \n" + lines[1] + b" \n" + lines[2])
    with store_in(tmp_path) as store:
        one = store.import_log(str(tmp_path / "odd.jsonl"))
        assert len(one.notes) == 3
        assert store.export(one.game or "") == lines[0] + b"\n" + lines[1] + b" \n" + lines[2] + b"\n"


def test_a_log_that_cannot_be_read_leaves_nothing(tmp_path: Path) -> None:
    log = log_in(tmp_path, [opened("Ann", "Bob"), load("Ann"), {"type": "load"}])
    with store_in(tmp_path) as store:
        one = store.import_log(log)
        assert (one.outcome, [problem.line for problem in one.problems]) == ("unreadable", [3])
        assert store.game_ids() == []


def test_a_log_with_findings_is_stored_and_says_so(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        one = store.import_log(str(FIXTURES / "miscalled.jsonl"))
        assert store.findings_in([one.game or ""]) == {one.game: len(store.audit(one.game or "").findings)}


def test_export_reads_the_events_and_nothing_else(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        one = store.import_log(str(FIXTURES / "one-hand.jsonl"))
        store.catch_up()
    store.place.discard_views()
    with store_in(tmp_path) as store:
        assert store.export(one.game or "") == (FIXTURES / "one-hand.jsonl").read_bytes()
        assert not views_are_there(store)


# ---- which game it is ----


def test_the_same_log_again_is_already_there(tmp_path: Path) -> None:
    for first in (opened("Ann", "Bob"), opened("Ann", "Bob", game="g")):
        log = log_in(tmp_path, [first, *loads(3)])
        with store_in(tmp_path) as store:
            one, again = store.import_log(log), store.import_log(log)
            assert (again.outcome, again.game, again.added) == ("already there", one.game, 0)


@pytest.mark.parametrize("first", [opened("Ann", "Bob"), opened("Ann", "Bob", game="g")], ids=["nameless", "named"])
@pytest.mark.parametrize(("short", "long"), [(1, 3), (3, 50), (40, 60)])
def test_a_longer_copy_adds_its_tail_and_a_shorter_one_nothing(
    first: dict[str, Any], short: int, long: int, tmp_path: Path
) -> None:
    lines = [first, *loads(long)]
    with store_in(tmp_path) as store:
        one = store.import_log(log_in(tmp_path, lines[:short]))
        longer = store.import_log(log_in(tmp_path, lines))
        assert (longer.outcome, longer.game, longer.added) == ("continued", one.game, long + 1 - short)
        shorter = store.import_log(log_in(tmp_path, lines[: short + 1]))
        assert (shorter.outcome, shorter.game) == ("already there", one.game)
        assert store.export(one.game or "") == text_of(lines)
        assert store.game_ids() == [one.game]


def test_a_log_that_differs_from_its_game_is_a_fork_with_the_first_line_that_differs(tmp_path: Path) -> None:
    lines = [opened("Ann", "Bob", game="g"), *loads(5)]
    with store_in(tmp_path) as store:
        store.import_log(log_in(tmp_path, lines))
        for changed in (
            [*lines[:3], load("Bob"), *lines[4:]],
            [*lines[:3], load("Bob")],
            [*lines[:3], load("Bob"), *loads(9)],
        ):
            one = store.import_log(log_in(tmp_path, changed))
            assert (one.outcome, one.game, one.line, one.added) == ("fork", "g", 4, 0)
        assert store.export("g") == text_of(lines)


@pytest.mark.parametrize("count", [5, 50])
def test_games_without_an_id_that_only_begin_alike_are_games_of_their_own(count: int, tmp_path: Path) -> None:
    shared = [opened("Ann", "Bob"), *loads(count)]
    with store_in(tmp_path) as store:
        games = [store.import_log(log_in(tmp_path, [*shared, load("Bob", note=str(n))])) for n in range(4)]
        assert [one.outcome for one in games] == ["imported"] * 4
        assert len({one.game for one in games}) == 4
        for n in range(4):
            again = store.import_log(log_in(tmp_path, [*shared, load("Bob", note=str(n))]))
            assert (again.outcome, again.game) == ("already there", games[n].game)


@pytest.mark.parametrize("count", [5, 50])
def test_a_closed_game_without_an_id_is_not_continued(count: int, tmp_path: Path) -> None:
    closed = [opened("Ann", "Bob"), *loads(count), CLOSED]
    with store_in(tmp_path) as store:
        one = store.import_log(log_in(tmp_path, closed))
        longer = store.import_log(log_in(tmp_path, [*closed, load("Bob")]))
        assert longer.outcome == "imported"
        assert longer.game != one.game


def test_a_close_that_was_taken_back_does_not_close_a_game(tmp_path: Path) -> None:
    lines = [opened("Ann", "Bob"), load("Ann"), CLOSED, {"type": "taken_back", "about": 3, "why": "scribe"}]
    with store_in(tmp_path) as store:
        one = store.import_log(log_in(tmp_path, lines))
        longer = store.import_log(log_in(tmp_path, [*lines, load("Bob")]))
        assert (longer.outcome, longer.game) == ("continued", one.game)


def test_a_forked_log_is_another_game_than_the_one_it_was_forked_from(tmp_path: Path) -> None:
    lines = [opened("Ann", "Bob", game="g"), *loads(3)]
    fork = [*lines, {"type": "game_forked", "game": "h", "source": "g", "line": 4}, load("Bob")]
    with store_in(tmp_path) as store:
        assert [store.import_log(log_in(tmp_path, each)).game for each in (fork, lines, fork[:-1])] == ["h", "g", "h"]
        assert store.export("h") == text_of(fork)


# ---- one way to read a game ----


def games() -> list[list[dict[str, Any]]]:
    """Some 1,400 games and matches, in order and broken, with all cards and as the table saw them."""
    rng = Random(8)
    made = [legal_game(seed + 9000, 2 + seed % 12, hands=1 + seed % 2) for seed in range(700)]
    made += [legal_match(seed + 9000, 2 + seed % 5, sorted(GAMES)[seed % len(GAMES)], hands=3) for seed in range(300)]
    broken = (broken_game(rng.choice(list(KINDS)), 9000 + seed) for seed in range(400))
    made += [game.events for game in broken if game is not None]
    return [blanked(game) if at % 9 == 0 else game for at, game in enumerate(made)]


def test_a_file_a_stored_game_and_a_live_one_give_the_same_table_findings_and_statistics(tmp_path: Path) -> None:
    rng = Random(9)
    with store_in(tmp_path) as store:
        for number, lines in enumerate(games()):
            lines[0] = {**lines[0], "game": f"g{number}"}
            file = log_in(tmp_path, lines)
            assert store.import_log(file).outcome == "imported"
            from_file, stored = read_log(file), store.read_log(f"g{number}")
            assert stored.events() == from_file.events()
            record = recorded(from_file)
            assert told(recorded(stored)) == told(record)
            if number % 4 == 0:
                play(store, f"live{number}", as_events(lines), rng)
                assert told(recorded(store.read_log(f"live{number}"))) == told(record)
                table = bh99.replay_log(file).view_at(len(lines))
                for game in (f"g{number}", f"live{number}"):
                    assert bh99.replay_log(store.read_log(game)).view_at(len(lines)) == table
                assert audited(stored).findings == audited(from_file).findings


def told(record: Any) -> Any:
    """What a record tells but for what a live game has of its own: its id and the times."""
    plays = [(line, hand, play.player, play.card, role) for line, hand, play, role in record.plays]
    hits = [msgspec.structs.replace(hit, at=None) for hit in record.hits]
    kept = (record.summary, record.findings, record.tallies, record.hands, record.duties, record.closed, record.rules)
    return *kept, plays, hits


def play(store: GameStore, game: str, events: list[Any], rng: Random) -> None:
    """Append a game in pieces."""
    events = [msgspec.structs.replace(events[0], game=game), *events[1:]]
    at = 0
    while at < len(events):
        some = events[at : at + rng.randint(1, 60)]
        assert store.append(game, some, expected=at) == at + len(some)
        at += len(some)


# ---- live ----


def test_the_service_writes_the_time_of_its_clock(tmp_path: Path) -> None:
    with store_in(tmp_path) as store, freeze_time("2026-11-30 20:15:07"):
        store.append("g", as_events([opened("Ann", "Bob", game="g")]), expected=0)
        store.append("g", as_events([load("Ann", at="2020-01-01T00:00:00Z")]), expected=1)
        first, second = store.read_log("g").events()
        assert first.at == datetime(2026, 11, 30, 20, 15, 7, tzinfo=UTC)
        assert second.at == datetime(2020, 1, 1, tzinfo=UTC)
        assert b'"at":"2026-11-30T20:15:07Z"' in store.export("g")


@pytest.mark.parametrize("expected", [0, 1, 3, 9])
def test_an_append_to_another_number_of_lines_is_a_conflict_and_changes_nothing(expected: int, tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.append("g", as_events([opened("Ann", "Bob", game="g"), load("Ann")]), expected=0)
        before = store.export("g")
        new = [opened("Ann", "Bob", game="g")] if expected == 0 else [load("Bob")]
        with pytest.raises(GameConflict) as refused:
            store.append("g", as_events(new), expected=expected)
        assert str(refused.value) == f"g: the game has 2 lines; expected {expected}"
        assert store.export("g") == before


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([load("Ann")], 0),
        ([opened("Ann", "Bob")], 0),
        ([opened("Ann", "Bob", game="h")], 0),
        ([{**opened("Ann", "Bob", game="g"), "rules": "no-such"}], 0),
        ([{**opened("Ann", "Bob", game="g"), "format": 7}], 0),
        ([opened("Ann", "Ann", game="g")], 0),
        ([opened("Ann", "Bob", game="g")], 1),
        ([load("Ann"), opened("Ann", "Bob", game="g")], 1),
        ([load("Ann\x1b[31m")], 1),
        ([load("Ann", note="x" * 2**20)], 1),
        ([{"type": "game_forked", "game": "h", "source": "g", "line": 1}], 1),
        ([load("Ann")], -1),
        ([load("Ann")], 2**70),
    ],
)
def test_what_no_log_may_hold_is_refused_by_an_append_too(
    events: list[dict[str, Any]], expected: int, tmp_path: Path
) -> None:
    with store_in(tmp_path) as store:
        if expected:
            store.append("g", as_events([opened("Ann", "Bob", game="g")]), expected=0)
        with pytest.raises(ValueError, match=r"line \d+: |expected="):
            store.append("g", as_events(events), expected=expected)
        assert store.game_ids() == ["g"] * bool(expected)


def test_events_that_were_made_wrong_in_python_are_refused(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.append("g", as_events([opened("Ann", "Bob", game="g")]), expected=0)
        loop: dict[str, Any] = {}
        loop["loop"] = loop
        for wrong in (
            {"type": "bong_loaded", "player": "Ann"},
            ev.BongLoaded(player="Ann", ext=loop),
            ev.HitTaken(player="Ann", prize="zz", hits="x"),  # type: ignore[arg-type]
            ev.CardDrawn(player="Ann", card="Zz"),  # type: ignore[arg-type]
            ev.BongLoaded(player="Ann", at=datetime(2026, 11, 30)),
        ):
            with pytest.raises(ValueError, match="this can't"):
                store.append("g", [wrong], expected=1)  # type: ignore[list-item]
        for game in (None, "", "Not An Id", "../../x"):
            with pytest.raises(ValueError, match="is no id of a game"):
                store.append(game, as_events([opened("Ann", "Bob")]), expected=0)  # type: ignore[arg-type]
            with pytest.raises(UnknownGame, match="no such game"):
                store.forget(game)  # type: ignore[arg-type]
        assert store.game_ids() == ["g"]


def test_an_append_of_nothing_still_says_if_it_stands_elsewhere(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.append("g", as_events([opened("Ann", "Bob", game="g")]), expected=0)
        assert store.append("g", [], expected=1) == 1
        for game, expected in (("g", 2), ("nope", 5)):
            with pytest.raises(GameConflict):
                store.append(game, [], expected=expected)
        store.forget("g")
        with pytest.raises(GameForgotten):
            store.append("g", [], expected=1)


def test_the_library_gives_the_game_at_any_version(tmp_path: Path) -> None:
    def folded(so_far: list[Any] | None, lines: Any) -> list[Any]:
        return [*(so_far or []), *(line.event for line in lines)]

    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "numbered.jsonl"))
        events = store.read_log("friday-two").events()
        repository = store._games.repository
        assert repository.get("friday-two", projector_func=folded) == events  # type: ignore[type-var]
        assert repository.get("friday-two", version=4, projector_func=folded) == events[:4]  # type: ignore[type-var]


# ---- forgetting ----


def test_a_forgotten_game_leaves_a_mark_and_nothing_else(tmp_path: Path) -> None:
    secret = "Ludmilla"
    with store_in(tmp_path) as store:
        store.append("g", as_events([opened(secret, "Bob", game="g"), load(secret)]), expected=0)
        store.append("h", as_events([opened("Ann", "Bob", game="h")]), expected=0)
        store.catch_up()
        store.forget("g")
        assert [game.game for game in store.games()] == ["h"]
        assert store.game_ids() == ["g", "h"]
        for refused in (store.export, store.read_log, store.forget):
            with pytest.raises(GameForgotten):
                refused("g")
        with pytest.raises(GameForgotten):
            store.append("g", as_events([load("Bob")]), expected=3)
        assert list(store.check()) == []
        with pytest.raises(UnknownGame):
            store.forget("k")
    for file in tmp_path.iterdir():
        assert secret.encode() not in file.read_bytes(), file
    with store_in(tmp_path) as store:
        assert secret not in repr(views_of(store))
        rows = events_of(store)
    assert secret not in repr(rows)
    assert [row[:3] for row in rows if row[0] == "g"] == [
        ("g", 1, "bh99/forgotten"),
        ("g", 2, "bh99/forgotten"),
        ("g", 3, "bh99/game_forgotten"),
    ]


@pytest.mark.parametrize("first", [opened("Ann", "Bob"), opened("Ann", "Bob", game="g")], ids=["nameless", "named"])
def test_a_forgotten_game_is_not_imported_again(first: dict[str, Any], tmp_path: Path) -> None:
    log = log_in(tmp_path, [first, *loads(3)])
    with store_in(tmp_path) as store:
        game = store.import_log(log).game or ""
        store.forget(game)
        again = store.import_log(log)
        assert (again.outcome, again.game, again.added) == ("forgotten", game, 0)


@pytest.mark.parametrize("count", [5, 50])
def test_a_game_without_an_id_is_known_again_when_it_was_forgotten(count: int, tmp_path: Path) -> None:
    """Also one that was imported in parts, or that begins like another one."""
    lines = [opened("Ann", "Bob"), *loads(count)]
    whole, other = [*lines, load("Ann", note="x")], [*lines, load("Ann", note="y")]
    with store_in(tmp_path) as store:
        store.import_log(log_in(tmp_path, lines))
        continued = store.import_log(log_in(tmp_path, whole))
        second = store.import_log(log_in(tmp_path, other))
        assert (continued.outcome, second.outcome) == ("continued", "imported")
        store.forget(second.game or "")
        assert store.import_log(log_in(tmp_path, other)).outcome == "forgotten"
        assert store.import_log(log_in(tmp_path, whole)).outcome == "already there"
        # One that goes on is only known if it is long enough to be no other evening of the same players.
        longer = store.import_log(log_in(tmp_path, [*other, load("Bob")]))
        assert longer.outcome == ("forgotten" if count == 50 else "imported")
        store.forget(continued.game or "")
        assert store.import_log(log_in(tmp_path, whole)).outcome == "forgotten"


def test_a_forgotten_game_does_not_come_back_by_way_of_a_shorter_copy(tmp_path: Path) -> None:
    lines = (FIXTURES / "two-players.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "short.jsonl").write_bytes(b"".join(lines[:20]))
    with store_in(tmp_path) as store:
        store.forget(store.import_log(FIXTURES / "two-players.jsonl").game or "")
        store.import_log(tmp_path / "short.jsonl")
        assert store.import_log(FIXTURES / "two-players.jsonl").outcome == "forgotten"


def test_an_evening_that_was_forgotten_before_it_began_blocks_no_other(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.forget(store.import_log(log_in(tmp_path, [opened("Ann", "Bob")])).game or "")
        assert store.import_log(log_in(tmp_path, [opened("Ann", "Bob"), *loads(3)])).outcome == "imported"
        closed = store.import_log(log_in(tmp_path, [opened("Ann", "Bob"), *loads(50), CLOSED])).game or ""
        store.forget(closed)
        assert store.import_log(log_in(tmp_path, [opened("Ann", "Bob"), *loads(50), CLOSED, load("Bob")])).added == 53


def test_forgetting_again_finishes_what_was_left_of_it(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        for game in "gh":
            store.append(game, as_events([opened("Ann", "Bob", game=game)]), expected=0)
        store.forget("g")
        marks = Path(f"{store.read_log('h').beside[:-1]}g.marks")
        marks.parent.mkdir(parents=True, exist_ok=True)
        marks.write_text("{}")
        with pytest.raises(GameForgotten):
            store.forget("g")
        assert not marks.exists()


def test_views_of_another_process_lose_a_forgotten_game_too(tmp_path: Path) -> None:
    with store_in(tmp_path) as one, store_in(tmp_path) as other:
        one.import_log(str(FIXTURES / "numbered.jsonl"))
        assert other.stats()
        one.forget("friday-two")
        assert not other.stats()


# ---- keeping ----


def test_views_can_be_deleted_and_made_anew(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        for log in LOGS[:12]:
            store.import_log(str(FIXTURES / log))
        before = views_of(store)
        assert len(before["games"]) == 12
        store.rebuild()
        assert views_of(store) == before
    store.place.discard_views()
    with store_in(tmp_path) as store:
        assert not views_are_there(store)
        assert views_of(store) == before


def test_another_auditor_makes_the_views_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "miscalled.jsonl"))
        store.catch_up()
    monkeypatch.setattr("bh99.store.views.__version__", "99.0")
    with store_in(tmp_path) as store:
        rows = views_of(store)
    assert {row[-1] for row in rows["findings"]} == {"99.0"}


def test_a_backup_is_a_store_too_and_replaces_no_file(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        for log in LOGS[:5]:
            store.import_log(str(FIXTURES / log))
        store.backup(str(tmp_path / "copy.sqlite"))
        with pytest.raises(StoreUnusable, match="there already"):
            store.backup(str(tmp_path / "copy.sqlite"))
        with open_store(f"sqlite:///{tmp_path}/copy.sqlite") as copy:
            assert events_of(copy) == events_of(store)
            assert copy.stats() == store.stats()
            assert list(copy.check()) == []


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE stored_events SET state = x'7b7d' WHERE originator_version = 3", "friday-two:3"),
        ("UPDATE stored_events SET topic = 'bh99/card_drawn' WHERE originator_version = 3", "is stored as bh99/card"),
        ("DELETE FROM stored_events WHERE originator_version = 3", "friday-two:3: the line is missing"),
        ("UPDATE stored_events SET originator_id = 'other'", "calls itself friday-two"),
        ("DELETE FROM stored_events WHERE originator_version = 1", "friday-two:1: the line is missing"),
        (
            "UPDATE stored_events SET state = state || x'0a' || state WHERE originator_version = 4",
            "friday-two:4: this isn't a line",
        ),
        ("SELECT 1", ""),
    ],
)
def test_a_check_finds_what_was_changed_behind_the_triggers(statement: str, said: str, tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "numbered.jsonl"))
        assert list(store.check()) == []
        damaged(store, statement)
        found = list(store.check())
        assert any(said in fault for fault in found) if said else found == []


def test_a_check_finds_a_missing_trigger_and_views_that_were_changed(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "numbered.jsonl"))
        store.catch_up()
        drop_trigger(store, "events_never_go")
        change_views(store, "UPDATE players SET wins = 99")
        found = list(store.check())
        assert len(found) == 2
        assert "events_never_go is missing" in found[0]
        assert found[1].startswith("the view players isn't what the events give")


def test_a_damaged_game_is_told_of_and_the_others_are_answered(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "numbered.jsonl"))
        damaged(store, "UPDATE stored_events SET state = x'7b7d' WHERE originator_version = 3")
        store.import_log(str(FIXTURES / "one-hand.jsonl"))
        games = {game.game: game.damage for game in store.games()}
        assert (games.pop("friday-two") or "").startswith("friday-two:3")
        assert list(games.values()) == [None]
        assert {row.player for row in store.stats()} == {"Nora", "Tom", "Lena"}
        with pytest.raises(bh99.GameDamaged):
            store.audit("friday-two")


def test_a_question_is_never_answered_out_of_views_that_are_only_being_made(tmp_path: Path) -> None:
    with store_in(tmp_path) as store, store_in(tmp_path) as other:
        for log in LOGS[:8]:
            store.import_log(str(FIXTURES / log))
        right = (len(store.games()), len(store.stats()))
        ended = threading.Event()

        def rebuild() -> None:
            while not ended.is_set():
                other.rebuild()

        rebuilder = threading.Thread(target=rebuild)
        rebuilder.start()
        try:
            with ThreadPoolExecutor(4) as pool:
                answers = {*pool.map(lambda _: (len(store.games()), len(store.stats())), range(40))}
        finally:
            ended.set()
            rebuilder.join()
        assert answers == {right}


def test_views_that_are_taken_away_from_many_threads_are_made_anew(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        for log in LOGS[:4]:
            store.import_log(str(FIXTURES / log))
        right = len(store.games())

        def use(number: int) -> int:
            if number % 10 == 9:
                change_views(store, "DROP TABLE IF EXISTS plays")
            return len(store.games())

        with ThreadPoolExecutor(4) as pool:
            assert {*pool.map(use, range(40))} == {right}


def test_views_with_other_columns_are_made_anew(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "numbered.jsonl"))
        before = views_of(store)
        change_views(store, "ALTER TABLE games ADD COLUMN mine INTEGER")
        store.rebuild()
        assert views_of(store) == before


def test_what_a_later_version_made_is_left_alone_and_nothing_is_half_forgotten(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "numbered.jsonl"))
        store.catch_up()
        change_views(store, "UPDATE made_by SET auditor = '99.0'")
        for refused in (store.stats, lambda: store.forget("friday-two")):
            with pytest.raises(StoreUnusable, match="a later bh99"):
                refused()
        assert store.export("friday-two") == (FIXTURES / "numbered.jsonl").read_bytes()
        [fault] = store.check()
        assert fault.startswith("the views can't be compared: ")


# ---- what a store may meet ----


def test_a_store_that_is_not_there_is_made_only_where_that_is_meant(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="there is no store yet; bh99 import makes one"):
        open_store(url_in(tmp_path), create=False)
    assert list(tmp_path.iterdir()) == []
    with store_in(tmp_path / "deep" / "down"):
        assert [path.name for path in (tmp_path / "deep" / "down").glob("*.new*")] == []


def test_numbers_that_no_database_holds_are_no_traceback(tmp_path: Path) -> None:
    huge = 10**40
    hit = {"type": "hit_taken", "player": "Ann", "prize": "main", "hits": huge}
    log = log_in(tmp_path, [opened("Ann", "Bob", game="g"), hit, hit])
    with store_in(tmp_path) as store:
        store.import_log(log)
        assert store.stats()[0].hits_taken == 2**53 - 1
        assert bh99.stats(log) == store.stats()
        assert store.export("g") == Path(log).read_bytes()


def test_sums_of_large_numbers_are_no_traceback(tmp_path: Path) -> None:
    hit = {"type": "hit_taken", "player": "Ann", "prize": "main", "hits": 2**63 - 1}
    logs = [log_in(tmp_path, [opened("Ann", "Bob"), hit, load("Ann", note=str(n))], f"{n}.jsonl") for n in range(3)]
    assert bh99.stats(*logs)[0].hits_taken == 3 * (2**53 - 1)


def test_a_store_that_was_closed_says_so(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.close()
    with pytest.raises(StoreUnusable, match="this store was closed"):
        store.stats()


def test_a_game_of_the_first_night_of_all_is_no_traceback(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.import_log(log_in(tmp_path, [opened("Ann", "Bob", game="g", at="0001-01-01T00:00:00Z")]))
        assert store.games()[0].evening == "0001-01-01"


# ---- copies ----


def filled(store: GameStore) -> None:
    """Games with and without ids, one that was continued after another one, and one that was forgotten."""
    store.append("g", as_events([opened("Ann", "Bob", game="g")]), expected=0)
    for log in LOGS[:6]:
        store.import_log(str(FIXTURES / log))
    store.append("g", as_events(loads(3)), expected=1)
    store.import_log(str(FIXTURES / "numbered.jsonl"))
    store.forget("friday-two")


@pytest.mark.parametrize("to", ["the same engine", "files"])
def test_a_copy_holds_the_same_as_is_proved_by_its_digest(to: str, tmp_path: Path) -> None:
    target = url_in(tmp_path, "copy") if to == "the same engine" else f"sqlite:///{tmp_path}/in-files.sqlite"
    with store_in(tmp_path) as store:
        filled(store)
        digest = store.copy_to(target)
        with open_store(target, create=False) as copy:
            assert copy.digest() == digest == store.digest()
            assert (digest.games, digest.events) == (len(store.game_ids()), len(events_of(store)))
            assert events_of(copy) == events_of(store)
            assert [game for game, _ in copy.changed(0)] == [game for game, _ in store.changed(0)]
            assert views_of(copy) == views_of(store)
            assert list(copy.check()) == []
            assert copy.import_log(str(FIXTURES / "numbered.jsonl")).outcome == "forgotten"
            with pytest.raises(StoreUnusable, match="there is a store already"):
                store.copy_to(target)
            one_more = as_events([load("Bob", at="2026-11-30T20:00:00Z")])
            copy.append("g", one_more, expected=4)
            assert copy.digest() != store.digest()
            store.append("g", one_more, expected=4)
            assert copy.digest() == store.digest()


def test_a_digest_tells_what_is_held_and_not_in_which_order_it_came(tmp_path: Path) -> None:
    logs = [log_in(tmp_path, [opened("Ann", "Bob", game=game), *loads(3)], f"{game}.jsonl") for game in "abc"]
    with store_in(tmp_path, "one") as one, store_in(tmp_path, "other") as other:
        assert one.digest() == other.digest()
        for log in logs:
            one.import_log(log)
        for log in reversed(logs):
            assert one.digest() != other.digest()
            other.import_log(log)
        assert one.digest() == other.digest()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM stored_events WHERE originator_version = 3", "bh99 store check says which"),
        ("UPDATE stored_events SET topic = 'bh99/game_forgotten' WHERE originator_version = 3", "bh99 store check"),
    ],
)
def test_a_store_that_is_not_whole_is_not_copied(damage: str, said: str, tmp_path: Path) -> None:
    target = url_in(tmp_path, "copy")
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "numbered.jsonl"))
        damaged(store, damage)
        with pytest.raises(StoreDamaged, match=said):
            store.copy_to(target)
        with pytest.raises(StoreUnusable, match="there is no store yet"):
            open_store(target, create=False)


def test_a_copy_that_differs_is_undone(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if engine == "server":
        from bh99.store.postgresql.events import ServerRecorder as Recorder
    else:
        from bh99.store.sqlite.events import GameRecorder as Recorder  # type: ignore[assignment]
    add = Recorder.add

    def careless(self: Any, c: Any, events: Any) -> Any:
        return add(self, c, [*events[:-1], dataclasses.replace(events[-1], state=b"{}")])

    target = url_in(tmp_path, "copy")
    with store_in(tmp_path) as store:
        store.import_log(str(FIXTURES / "numbered.jsonl"))
        monkeypatch.setattr(Recorder, "add", careless)
        with pytest.raises(StoreDamaged, match="what was copied differs, so it was undone"):
            store.copy_to(target)
        with pytest.raises(StoreUnusable, match="there is no store yet"):
            open_store(target, create=False)


# ---- a worker ----


def test_a_worker_keeps_the_views_up_to_date_until_it_is_ended(tmp_path: Path) -> None:
    ended = threading.Event()
    read: list[int] = []

    def work() -> None:
        with store_in(tmp_path) as mine:
            mine.follow(ended, read.append)

    with store_in(tmp_path) as store:
        workers = [threading.Thread(target=work) for _ in range(2)]
        for worker in workers:
            worker.start()
        lines = 0
        for number in range(5):
            game = f"g{number}"
            store.append(game, as_events([opened("Ann", "Bob", game=game), *loads(number)]), expected=0)
            lines += number + 1
            until = time.monotonic() + 20
            while time.monotonic() < until and rows_in(tmp_path, "games") <= number:
                time.sleep(0.02)
            assert rows_in(tmp_path, "games") == number + 1
        ended.set()
        for worker in workers:
            worker.join()
        assert sum(row[7] for row in views_of(store)["games"]) == lines
        assert sum(read) >= 5
