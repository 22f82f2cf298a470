"""Games between bots: the same everywhere, in order, counted rightly, and out of everybody's statistics."""

import hashlib
import json
import math
import os
import signal
import subprocess
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cli_runs import COMMAND, ROOT, environment
from cli_runs import bh99 as run

import bh99
from bh99.errors import NotSimulated
from bh99.intervals import interval, mean_of, rate_of
from bh99.rule_files import read_rules
from bh99.simulating import compare, plan_of, simulate
from bh99.simulating.batches import Batch, each_batch, numbers_of
from bh99.simulating.games import MOST_VOIDED, hands_played, played_game
from bh99.wanted import Wanted
from domain import events as ev
from domain.rule_sets import RuleSet
from domain.shipped_rules import rules_named

BONG, TOKENS, CHIPS = "bong-hit-99", "ninety-nine-tokens", "ninety-nine-chips"
SETS = [BONG, TOKENS, CHIPS, "ninety-nine-pennies+rolling", "ninety-nine-pennies+borders"]
HOUSE = sorted((ROOT / "fixtures/house-rules").iterdir())
DIGEST = "ed9b4ae7d77523f203851ab381258aa6"
"""Of the logs that `test_the_same_seed_gives_the_same_bytes` asks for, one behind the other, and of what is said."""


def rules_of(name: str | Path) -> RuleSet:
    return rules_named(name) if isinstance(name, str) else read_rules(str(name))


def logs_in(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.iterdir())]


# ---- the same everywhere ----


@pytest.mark.parametrize(("processes", "hash_seed"), [(1, "0"), (3, "1"), (3, "4711")])
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path, processes: int, hash_seed: str) -> None:
    bots = "random,greedy,careful,counting,every-tip"
    arguments = ["--bots", bots, "--games", "250", "--hands", "2", "--seed", "7", "--format", "json"]
    command = [*COMMAND, "simulate", *arguments, "--processes", str(processes), "--logs", str(tmp_path / "logs")]
    told = subprocess.run(command, capture_output=True, env=environment(PYTHONHASHSEED=hash_seed), check=True).stdout
    digest = hashlib.sha256(b"".join([*logs_in(tmp_path / "logs"), told])).hexdigest()
    assert digest[:32] == DIGEST


def test_a_game_is_the_same_whatever_is_played_before_it(tmp_path: Path) -> None:
    plan = plan_of(rules_named(BONG), ["random", "careful"], 3, hands=2)
    alone = played_game(plan, 7).events
    one = simulate(plan, 210, processes=1, logs=str(tmp_path))
    assert simulate(plan, 210, processes=2) == one
    assert bh99.read_log(tmp_path / "simulated-3-7.jsonl").events() == alone
    assert simulate(plan_of(rules_named(BONG), ["random", "careful"], 4, hands=2), 210) != one


def test_a_match_that_finds_no_end_is_left_after_some_hands() -> None:
    """With so many players nearly every card that comes round passes."""
    log = str(ROOT / "fixtures/pennies-twenty-seats.jsonl")
    found = bh99.fork(log, 3, bots=["careful"], hands=50)
    assert sum(isinstance(event, ev.HandVoided) for event in found) == 1 + MOST_VOIDED


# ---- in order ----


@pytest.mark.parametrize("name", [*SETS, *HOUSE])
def test_simulated_games_break_no_rule(name: str | Path) -> None:
    for bots in (
        ["random"] * 2,
        ["random", "careful", "every-tip"],
        ["counting", "greedy", "random", "saving", "random"],
    ):
        told = simulate(plan_of(rules_of(name), bots, 1), 8, processes=1)
        assert told.findings == 0
        assert told.games == 8
        assert [seat.bot for seat in told.seats] == bots


def test_logs_are_marked_and_read_like_any(tmp_path: Path) -> None:
    run("simulate", "--games", "3", "--seed", "5", "--bots", "careful,random", "--logs", str(tmp_path / "logs"))
    for number, path in enumerate(sorted((tmp_path / "logs").iterdir()), 1):
        log = bh99.read_log(path)
        assert (log.opened.source, log.opened.game) == ("simulated", f"simulated-5-{number}")
        assert log.opened.ext == {"bots": {"careful 1": "careful", "random 2": "random"}, "seed": 5, "number": number}
        assert bh99.audit(path).findings == []
        assert isinstance(log.events()[-1], ev.GameClosed)
    again = run("simulate", "--games", "3", "--seed", "5", "--bots", "careful,random", "--logs", str(tmp_path / "logs"))
    assert again.exit_code == 2
    assert "File exists" in again.stderr


# ---- counted rightly ----


def test_rates_are_those_of_the_logs(tmp_path: Path) -> None:
    """By what statistics say of the same games."""
    told = json.loads(
        run("simulate", "--games", "12", "--seed", "5", "--logs", str(tmp_path / "a"), "--format", "json").stdout
    )
    rows = {row.player: row for row in bh99.stats(tmp_path / "a", wanted=Wanted(simulated=True))}
    duties = bh99.duty(tmp_path / "a", wanted=Wanted(simulated=True))
    for seat in told["seats"]:
        row = rows[seat["player"]]
        assert (seat["win"]["times"], seat["hands"]) == (row.wins, row.hands)
        assert seat["load"]["times"] == sum(duty.player == seat["player"] for duty in duties)
    assert sum(seat["hit"]["times"] for seat in told["seats"]) == told["hands"] == 120


def test_in_a_match_who_pays_and_who_wins(tmp_path: Path) -> None:
    arguments = ["--rules", TOKENS, "--bots", "careful,random,greedy", "--games", "10", "--seed", "2"]
    told = json.loads(run("simulate", *arguments, "--logs", str(tmp_path / "a"), "--format", "json").stdout)
    rows = {row.player: row for row in bh99.stats(tmp_path / "a", wanted=Wanted(simulated=True))}
    for seat in told["seats"]:
        row = rows[seat["player"]]
        assert (seat["match"]["times"], seat["lose"]["times"]) == (row.matches_won, row.tokens_lost)
        assert "win" not in seat
    assert sum(seat["match"]["times"] for seat in told["seats"]) == 10


def test_simulated_games_stay_out_of_statistics(tmp_path: Path) -> None:
    run("simulate", "--games", "2", "--seed", "5", "--logs", str(tmp_path / "a"))
    store = f"sqlite:///{tmp_path / 'store.db'}"
    run("import", str(tmp_path / "a"), "--store", store)
    for source in ([str(tmp_path / "a")], ["--store", store]):
        assert json.loads(run("stats", *source, "--format", "json").stdout) == []
        assert len(json.loads(run("stats", *source, "--simulated", "--format", "json").stdout)) == 4
        assert json.loads(run("duty", *source, "--format", "json").stdout) == []


# ---- intervals ----


@pytest.mark.parametrize("true", [0.03, 0.25, 0.5, 0.9])
def test_intervals_of_rates_hold_the_true_one_as_often_as_they_say(true: float) -> None:
    rng, held, of = Random(1), 0, 60
    for _ in range(1000):
        rate = rate_of(sum(rng.random() < true for _ in range(of)), of)
        assert 0 <= rate.low <= rate.rate <= rate.high <= 1
        held += rate.low <= true <= rate.high
    assert 930 <= held <= 985


def test_intervals_where_there_is_little_to_tell() -> None:
    assert (rate_of(0, 0).low, rate_of(0, 0).high) == (0, 1)
    assert rate_of(0, 5).low == 0 < rate_of(0, 5).high < 1
    assert 0 < rate_of(5, 5).low < rate_of(5, 5).high == 1
    assert interval(0.5, 100)[0] > interval(0.5, 10)[0]


def test_means_hold_the_true_one_as_often_as_they_say() -> None:
    rng, held = Random(2), 0
    for _ in range(1000):
        drawn = [rng.choice([-1, 0, 0, 1, 1]) for _ in range(80)]
        mean = mean_of([(float(one), drawn.count(one)) for one in (-1, 0, 1)])
        held += abs(mean.mean - 0.2) <= mean.reach
    assert 925 <= held <= 975
    assert mean_of([(1.0, 1)]).reach == math.inf


# ---- bots compared ----


def test_a_bot_is_as_good_as_itself() -> None:
    [row] = compare(rules_named(BONG), ["random"], "random", [3], 60, 1, processes=1).rows
    assert row.win is not None
    assert (row.win.mean, row.win.reach) == (0, 0)


def test_what_is_worth_playing_like_is_the_same_in_any_number_of_processes() -> None:
    asked: Any = (rules_named(BONG), ["every-tip"], "random", [2, 4], 400, 1)
    one, two = compare(*asked, processes=1), compare(*asked, processes=2)
    assert one == two
    for row in one.rows:
        assert row.win is not None and row.load is not None
        assert row.win.mean - row.win.reach > 0 > row.load.mean + row.load.reach


@pytest.mark.parametrize("name", [BONG, TOKENS])
def test_common_deals_are_dealt_to_both(name: str) -> None:
    """Hand for hand, as long as the same players are still in the match."""
    plans = [plan_of(rules_named(name), [bot, "random", "random"], 1, hands=4) for bot in ("careful", "random")]
    for number in range(1, 6):
        one, other = (list(hands_played(plan, number, partial(plan.chance, number))) for plan in plans)
        assert len(one) > 1
        for mine, theirs in zip(one, other, strict=False):
            if len(mine.dealt_in) == len(theirs.dealt_in) == 3:
                assert cards_of(mine.events[0]) == cards_of(theirs.events[0])


def cards_of(deal: Any) -> tuple[Any, ...]:
    """The hands of a deal, whoever they are dealt to, and its stock."""
    return sorted(map(tuple, deal.hands.values())), deal.stock


# ---- the command ----


def test_simulate_as_text() -> None:
    text = run("simulate", "--games", "5", "--seed", "1", "--bots", "careful,random").stdout
    assert "5 games of bong-hit-99@1, seed 1" in text
    assert "an audit finds nothing wrong" in text
    assert [text.count(heading) for heading in ("wins the hand", "ends with the hit", "has to load")] == [1, 1, 1]
    assert max(map(len, text.splitlines())) <= 100
    compared = run("simulate", "--compare", "--bots", "saving", "--players", "2", "--games", "20", "--seed", "1").stdout
    assert "saving" in compared
    assert "±" in compared


def test_simulate_without_a_seed_says_which_it_took() -> None:
    told = json.loads(run("simulate", "--games", "1", "--format", "json").stdout)
    again = json.loads(run("simulate", "--games", "1", "--seed", str(told["seed"]), "--format", "json").stdout)
    assert told == again


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bots", "clever,random"], "there is no bot called clever; expected one of: random, greedy, careful"),
        (["--bots", "random"], "too few players: 1; expected 2 at least"),
        (["--bots", ",".join(["random"] * 14)], "14 players want to play; the cards serve 13"),
        (["--compare", "--players", "two"], "expected numbers of players"),
        (["--compare", "--players", "1"], "too few players"),
        (["--compare", "--bots", ","], "expected at least one kind of bot"),
        (["--compare", "--against", "clever"], "there is no bot called clever"),
        (["--compare", "--logs", "x"], "keeps none"),
        (["--rules", "whist"], "whist"),
        (["--logs", "/dev/null/x"], "can't be made"),
        (["--seed", str(2**63)], "expected a whole number from 0 up, below 2^63"),
    ],
)
def test_simulate_says_what_can_not_be_asked(arguments: list[str], words: str) -> None:
    answer = run("simulate", "--games", "1", *arguments)
    assert answer.exit_code == 2
    assert words in " ".join(answer.stderr.split())


def ended(batch: Batch) -> int:
    """What a process comes to that somebody kills."""
    if batch.numbers.start > 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return len(batch.numbers)


def test_a_process_that_is_ended_from_outside_is_told() -> None:
    batches = [Batch(numbers) for numbers in numbers_of(250)]
    assert [len(batch.numbers) for batch in batches] == [100, 100, 50]
    with pytest.raises(NotSimulated, match=r"games \d+ to \d+: the process that played them was ended from outside"):
        list(each_batch(ended, batches, 2))
