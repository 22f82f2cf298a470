"""Forks: a new game that shares the first lines of another, says so, and goes on."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cli_runs import FIXTURES
from cli_runs import bh99 as run
from tables import Event, closed, dealt, findings_of, game, ruling, taken_back, turn

import bh99
from bh99.keepers import open_keeper
from bh99.wanted import Wanted
from domain import events as ev

SEEN = str(FIXTURES / "one-hand-as-seen.jsonl")
KNOWN = str(FIXTURES / "one-hand.jsonl")


def written(path: Path, events: Sequence[Event]) -> str:
    path.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))
    return str(path)


def forked(*arguments: str) -> list[dict[str, Any]]:
    answer = run("fork", *arguments)
    assert answer.exit_code == 0, answer.stderr
    return [json.loads(line) for line in answer.stdout.splitlines()]


def hand(**opened: Any) -> list[Event]:
    deal = dealt("Ben", "3h 4s", Ana="5h 6h 7h 8h", Ben="2s 3s 5s 6s")
    return game("Ana Ben", deal, *turn("Ana", "5h", 5, drawn="3h"), *turn("Ben", "2s", 7, drawn="4s"), **opened)


def test_the_lines_before_are_shared_to_the_byte_and_the_fork_says_so(tmp_path: Path) -> None:
    to = tmp_path / "other.jsonl"
    told = run("fork", SEEN, "--at", "12", "--to", str(to))
    lines = to.read_bytes().splitlines()
    assert lines[:11] == Path(SEEN).read_bytes().splitlines()[:11]
    fork = json.loads(lines[11])
    assert len(lines) == 12
    assert (fork["type"], fork["line"]) == ("game_forked", 11)
    assert fork["game"].startswith("fork-")
    assert "the first 11 lines shared" in told.stdout
    assert run("fork", SEEN, "--at", "12", "--to", str(to)).exit_code == 2, "it is there already"


def test_a_fork_names_the_game_that_it_comes_from(tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", hand(game="friday"))
    first = bh99.fork(log, 4, game="saturday")
    assert first[-1] == ev.GameForked(game="saturday", source="friday", line=3)
    again = bh99.fork(written(tmp_path / "again.jsonl", first), 5)
    assert isinstance(again[-1], ev.GameForked)
    assert again[-1].source == "saturday"
    assert bh99.fork(written(tmp_path / "none.jsonl", hand()), 4)[-1].source is None  # type: ignore[union-attr]
    assert bh99.fork(log, 4)[-1] == bh99.fork(log, 4)[-1], "the same for whoever forks there"
    assert bh99.fork(log, 4)[-1] != bh99.fork(log, 5)[-1]


def test_one_event_replaced_and_the_rest_as_given() -> None:
    """A miscalled log with its miscall put right has no finding left."""
    log = str(FIXTURES / "miscalled.jsonl")
    finding = bh99.audit(log).findings[0]
    event = bh99.read_log(log).events()[finding.line - 1]
    assert isinstance(event, ev.CardPlayed)
    right = msgspec.structs.replace(event, count=next(n for n in range(100) if _right(log, finding.line, event, n)))
    found = bh99.fork(log, finding.line, replace=right, as_given=True)
    assert len(found) == len(bh99.read_log(log).events()) + 1
    assert finding.line + 1 not in {line for line, *_ in findings_of(found)}


def _right(log: str, line: int, event: ev.CardPlayed, count: int) -> bool:
    events = bh99.fork(log, line, replace=msgspec.structs.replace(event, count=count))
    return all(found <= line for found, *_ in findings_of(events))


def test_lines_that_are_named_behind_the_fork_are_the_same_lines(tmp_path: Path) -> None:
    events = [*hand(), ruling(3), taken_back(5), *turn("Ben", "3s", 8, drawn="4s"), ruling(8), closed()]
    log = written(tmp_path / "log.jsonl", events)
    found = bh99.fork(log, 5, as_given=True)
    about = [event.about for event in found if isinstance(event, ev.RulingMade | ev.TakenBack)]
    assert about == [3, 6, 9]
    assert [line for line, *_ in findings_of(found)] == [line + 1 for line, *_ in findings_of(events)]


def test_numbers_go_on(tmp_path: Path) -> None:
    events = [msgspec.structs.replace(event, seq=seq) for seq, event in enumerate(hand(), 1)]
    found = bh99.fork(written(tmp_path / "log.jsonl", events), 4, as_given=True)
    assert [event.seq for event in found] == list(range(1, len(events) + 2))


# ---- by bots ----


@pytest.mark.parametrize("log", [SEEN, KNOWN])
@pytest.mark.parametrize("line", [3, 6, 11, 20])
def test_bots_play_the_hand_to_its_end_and_break_no_rule(log: str, line: int) -> None:
    before = {finding.line for finding in bh99.audit(log).findings}
    found = bh99.fork(log, line, bots=["careful"], seed=4)
    assert {line for line, *_ in findings_of(found)} <= {at for at in before if at < line}
    assert any(isinstance(event, ev.HandWon) for event in found[line:])
    assert found == bh99.fork(log, line, bots=["careful"], seed=4)
    mark = found[line - 1].ext
    assert mark is not None
    assert (mark["simulated"], mark["seed"]) == (True, 4)


def test_bots_play_so_many_hands_more() -> None:
    found = bh99.fork(KNOWN, 4, bots=["random"], hands=3)
    assert sum(isinstance(event, ev.HandDealt) for event in found) == 4
    assert findings_of(found) == []


def test_what_bots_played_on_counts_in_no_statistics_unless_asked_for(tmp_path: Path) -> None:
    by_bots = written(tmp_path / "bots.jsonl", bh99.fork(KNOWN, 4, bots=["careful"]))
    by_hand = written(tmp_path / "hand.jsonl", bh99.fork(KNOWN, 4, as_given=True))
    assert list(bh99.stats(by_bots)) == []
    assert len(bh99.stats(by_bots, wanted=Wanted(simulated=True))) == len(bh99.stats(by_hand)) > 1


def test_between_hands_bots_play_the_next_one_and_so_many_more(tmp_path: Path) -> None:
    events = bh99.fork(KNOWN, 4, bots=["careful"])
    log = written(tmp_path / "log.jsonl", events)
    for hands, dealt_hands in ((None, 1), (2, 3)):
        found = bh99.fork(log, len(events) + 1, bots=["careful"], hands=hands)
        assert sum(isinstance(event, ev.HandDealt) for event in found[len(events) :]) == dealt_hands


def test_a_forgotten_draw_is_made_good_before_its_player_plays() -> None:
    """R20: with tokens until they play again."""
    log = str(FIXTURES / "tokens-draws-forgotten.jsonl")
    for line in (5, 6, 7, 8, 13, 14, 15, 16, 17):
        found = bh99.fork(log, line, bots=["careful"])
        assert [at for at, *_ in findings_of(found) if at >= line] == []


# ---- by hand ----


def test_a_fork_goes_on_at_a_prompt(tmp_path: Path) -> None:
    to = str(tmp_path / "other.jsonl")
    run("fork", SEEN, "--at", "5", "--to", to)
    entered = run("record", to, stdin=b"close\n")
    assert entered.exit_code == 0, entered.stderr
    events = bh99.read_log(to).events()
    assert isinstance(events[4], ev.GameForked)
    assert isinstance(events[-1], ev.GameClosed)


def test_a_fork_of_a_game_played_here_is_played_on(tmp_path: Path) -> None:
    from bh99.clock import now

    log = written(tmp_path / "log.jsonl", hand(source="service"))
    other = written(tmp_path / "other.jsonl", bh99.fork(log, 4))
    keeper = open_keeper(other)
    live = bh99.LiveGame(keeper, keeper.events(), bh99.Chance.seeded(1), now)
    assert live.waits_for == "Ben"
    live.do(live.choices("Ben")[0])
    keeper.close()
    assert bh99.audit(other).findings == []


# ---- what can't be ----


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--at", "40"], "there is no line 40; expected a line from 1 to 37"),
        (["--at", "5", "--bots", "clever"], "there is no bot called clever"),
        (["--at", "5", "--bots", "random,random"], "seats; expected one bot, or one for each"),
        (["--at", "5", "--bots", "random", "--as-given"], "either as given or by bots"),
        (["--at", "5", "--bots", ","], "expected at least one kind of bot"),
        (["--at", "5", "--hands", "2"], "it is for bots"),
        (["--at", "5", "--game", "Friday Night"], "expected an id"),
        (
            ["--at", "5", "--replace", '{"type":"card_played","player":"Ana","cart":"9h"}'],
            'field "cart": unknown field',
        ),
        (
            ["--at", "5", "--replace", '{"type":"game_opened","format":1,"rules":"bong-hit-99","players":[]}'],
            "--replace",
        ),
        (["--at", "5", "--to", "/dev/null/x"], "can't be written"),
    ],
)
def test_fork_says_what_can_not_be_asked(arguments: list[str], words: str) -> None:
    answer = run("fork", SEEN, *arguments)
    assert answer.exit_code == 2
    assert words in " ".join(answer.stderr.split())


def test_what_was_forked_itself_is_forked_behind_that() -> None:
    answer = run("fork", str(FIXTURES / "numbered.jsonl"), "--at", "9", "--as-given")
    assert answer.exit_code == 2
    assert "is a fork itself, to game friday-two; fork behind it" in answer.stderr


def test_nothing_follows_a_close(tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", [*hand(), closed()])
    answer = run("fork", log, "--at", "8")
    assert answer.exit_code == 2
    assert "the game was closed before line 8" in answer.stderr
