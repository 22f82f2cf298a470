"""What could have been: the odds against every deal counted one by one, and their intervals; what a user sees.

The deals are counted by hand, with cards moved about by nothing but this file.
"""

import json
from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cli_runs import FIXTURES
from cli_runs import bh99 as run
from matches import PENNIES, TOKENS, fronts, match
from tables import (
    Event,
    as_events,
    dealt,
    findings_of,
    game,
    out,
    played,
    recounted,
    seen,
    stole,
    took,
    turn,
    voided,
    won,
)

import bh99
from bh99.branching import Branch, Chance
from bh99.errors import NotForked

CARDS = ["Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc"]
LIMIT = 20
SLIDE = ["7c", "6c", "Tc", "4c"]
RULES: dict[str, Any] = {
    "name": "ten-cards",
    "edition": 1,
    "title": "Ten cards, two each, up to 20, where nothing can be played any more.",
    "deck": CARDS,
    "hand_size": 2,
    "limit": LIMIT,
    "effects": {card: {"add": [number]} for number, card in enumerate(CARDS, 1)},
    "at_limit": {},
    "prize": {"thief": "3c", "slide": SLIDE},
}
PLAYERS = ["Ana", "Ben", "Cy"]
BACKS = [None, None]


def log_of(*, ben_unseen: bool = False) -> list[Event]:
    """Ana makes it 9, Ben 14, Cy can't play; then Ana plays the 2, though she has the 4 as well."""
    return as_events(
        [
            {"type": "game_opened", "format": 1, "rules": RULES, "players": PLAYERS},
            {"type": "hand_dealt", "dealer": "Cy", "hands": dict.fromkeys(PLAYERS, BACKS), "stock": None},
            {"type": "card_played", "player": "Ana", "card": "9c", "count": 9},
            {"type": "card_drawn", "player": "Ana", "card": None},
            {"type": "card_played", "player": "Ben", "card": None if ben_unseen else "5c", "count": 14},
            {"type": "card_drawn", "player": "Ben", "card": None},
            {"type": "player_eliminated", "player": "Cy", "reason": "no_play"},
            {"type": "card_played", "player": "Ana", "card": "2c", "count": 16},
        ]
    )


LINE = 8


def worth(card: str) -> int:
    return CARDS.index(card) + 1


Outcome = tuple[str, str]
"""Who wins, and who has the hit."""


def came_to(
    hands: dict[str, list[str]], stock: list[str], pile: list[str], count: int, turn: str, card: str | None = None
) -> dict[Outcome, Fraction]:
    """How likely each outcome is from here on, where everybody plays the highest that goes, or first this card."""
    options = [one for one in hands[turn] if count + worth(one) <= LIMIT]
    other = "Ben" if turn == "Ana" else "Ana"
    if not options:
        return {(other, hit_of(hands, other)): Fraction(1)}
    chosen = card or max(options, key=worth)
    found: dict[Outcome, Fraction] = {}
    pile = [*pile, chosen]
    draws = [(stock[0], stock[1:], pile)] if stock else [(top, [], [one for one in pile if one != top]) for top in pile]
    for drawn, rest, left in draws:
        held = [drawn if one == chosen else one for one in hands[turn]]
        # What is left of a pile that was reshuffled is drawn from in any order, so that it may stay a pile.
        after = came_to({**hands, turn: held}, rest, left, count + worth(chosen), other)
        for outcome, chance in after.items():
            found[outcome] = found.get(outcome, Fraction(0)) + chance * Fraction(1, len(draws))
    return found


def hit_of(hands: dict[str, list[str]], winner: str) -> str:
    """Who ends with the hit: stolen by whoever is out with the 3, it slides as far as the next of the clubs is held."""
    holders = {one: player for player, cards in hands.items() for one in cards}
    holder = winner
    if holders.get("3c", winner) != winner:
        holder = holders["3c"]
        for club in SLIDE:
            if club not in holders:
                break
            holder = holders[club]
    return holder


def exact(card: str) -> dict[tuple[str, str], Fraction]:
    """How likely each is for each player, over every deal in which Cy could not play, and Ana has 4 and 2."""
    chances: dict[tuple[str, str], Fraction] = {("load", "Cy"): Fraction(1)}
    deals = 6 * 24
    for u, v in permutations([one for one in CARDS if worth(one) > 6 and one != "9c"], 2):
        rest = [one for one in CARDS if one not in ("9c", "5c", "4c", "2c", u, v)]
        for y, s2, s3, s4 in permutations(rest):
            hands = {"Ana": ["4c", "2c"], "Ben": [y, s2], "Cy": [u, v]}
            for (winner, holder), chance in came_to(hands, [s3, s4], ["9c", "5c"], 14, "Ana", card).items():
                for key in (("win", winner), ("hit", holder)):
                    chances[key] = chances.get(key, Fraction(0)) + chance * Fraction(1, deals)
    return chances


EXACT = {card: exact(card) for card in ("2c", "4c")}
MEASURED = [(measure, player) for measure in ("win", "hit", "load") for player in PLAYERS]


def chances(branch: Branch) -> dict[tuple[str, str], Chance]:
    return {
        (measure, seat.player): getattr(seat, measure) for seat in branch.seats for measure in ("win", "hit", "load")
    }


def written(path: Path, events: Any) -> str:
    path.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))
    return str(path)


@pytest.mark.parametrize("ben_unseen", [False, True])
def test_odds_are_those_of_all_deals_counted(tmp_path: Path, ben_unseen: bool) -> None:
    log = written(tmp_path / "log.jsonl", log_of(ben_unseen=ben_unseen))
    deals = 3000
    told = bh99.whatif(log, LINE, play="4c", deals=deals, bot="greedy", seed=1)
    assert (told.deals, told.only_one, told.believed, told.finding, told.hand) == (deals, False, True, None, 1)
    assert told.worth > deals / 2
    for card, branch in zip(("2c", "4c"), told.branches, strict=True):
        for key, chance in chances(branch).items():
            true = float(EXACT[card].get(key, 0))
            assert chance.low <= chance.chance <= chance.high
            assert abs(chance.chance - true) <= 4 * sqrt(true * (1 - true) / told.worth), (card, key)
    assert {chance.chance for key, chance in chances(told.branches[0]).items() if key == ("load", "Cy")} == {1.0}
    assert EXACT["2c"] != EXACT["4c"]


def test_intervals_hold_the_true_chance_as_often_as_they_say(tmp_path: Path) -> None:
    """In 95 of 100 samples, give or take what a thousand of them can tell."""
    log, repeats = written(tmp_path / "log.jsonl", log_of()), 1000
    held: Counter[tuple[str, str]] = Counter()
    open_ones = [key for key in MEASURED if 0 < EXACT["2c"].get(key, 0) < 1]
    for seed in range(repeats):
        told = bh99.whatif(log, LINE, play="4c", deals=20, bot="greedy", seed=seed)
        for key, chance in chances(told.branches[0]).items():
            held[key] += chance.low <= EXACT["2c"].get(key, 0) <= chance.high
    assert len(open_ones) == 4
    for key in MEASURED:
        assert held[key] >= (0.93 if key in open_ones else 1) * repeats, (key, held[key])
    assert sum(held[key] for key in open_ones) <= 0.985 * repeats * len(open_ones)


def test_the_same_seed_gives_the_same_answer(tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", log_of())
    one, same, other = (bh99.whatif(log, LINE, play="Ac", deals=200, seed=seed) for seed in (5, 5, 6))
    assert one == same
    assert one.branches != other.branches


# ---- as it should have been ----


def told(log: str, line: int, **more: Any) -> dict[str, dict[str, Any]]:
    """The chances of each player, by the letter of the branch."""
    found = bh99.whatif(log, line, deals=300, **more)
    return {
        letter: {seat.player: seat for seat in branch.seats}
        for letter, branch in zip("AB", found.branches, strict=False)
    }


def test_must_play_what_was_shown_later_was_held(tmp_path: Path) -> None:
    """Ana is out at 98 and steals with the ace later: so she could have played it."""
    events = [
        *game("Ana Ben Cy", seen("Cy", "Ana Ben Cy")),
        *turn("Ana", "Kh", 99), *turn("Ben", "Td", 89), *turn("Cy", "9h", 98), out("Ana"), out("Ben"), won("Cy"),
        stole("Ana", "Cy"), took("Ana"),
    ]  # fmt: skip
    log = written(tmp_path / "log.jsonl", events)
    found = bh99.whatif(log, 9, deals=300)
    assert found.finding == "must-play"
    assert [branch.told for branch in found.branches] == [
        "as it happened: Ana is out: no card can be played",
        "as it should have been",
    ]
    odds = told(log, 9)
    assert odds["A"]["Ana"].win.chance == 0
    assert odds["A"]["Ana"].load.chance == 1
    assert odds["B"]["Ana"].win.chance > 0.2
    assert odds["A"]["Ana"].hit.chance > 0.6, "she has the ace of clubs"


def test_count_called_the_card_is_played_again_with_the_right_count(tmp_path: Path) -> None:
    """Ana's 5 makes 99, whatever she said: Ben is out."""
    deal = dealt("Ben", "3h", Ana="Kh 5d 9d Qh", Ben="Ah 5h 6h 7h")
    log = written(tmp_path / "log.jsonl", game("Ana Ben", deal, recounted(94), played("Ana", "5d", 98)))
    found = bh99.whatif(log, 4, deals=20)
    assert found.finding == "count-called"
    odds = told(log, 4)
    assert odds["B"]["Ben"].load.chance == 1


def test_a_line_that_breaks_no_rule_has_one_branch() -> None:
    found = bh99.whatif(str(FIXTURES / "one-hand.jsonl"), 4, deals=50)
    assert (len(found.branches), found.finding, found.only_one) == (1, None, True)


def test_where_each_card_is_known_it_goes_as_the_cards_lie(tmp_path: Path) -> None:
    """Ana holds two Kings and wins at once whatever she does first: the others hold nothing for 99."""
    events = game(
        "Ana Ben", dealt("Ben", "3h", Ana="Kh Ks 9d Qh", Ben="4h 5h 6h 7h"), *turn("Ana", "Qh", 10, drawn="3h")
    )
    odds = told(written(tmp_path / "log.jsonl", events), 3, play="Kh")
    assert odds["B"]["Ana"].win.chance == 1
    assert odds["B"]["Ben"].load.chance == 1


@pytest.mark.parametrize("line", range(2, 37))
def test_odds_can_be_told_of_every_line(line: int) -> None:
    for name in ("one-hand.jsonl", "one-hand-as-seen.jsonl"):
        found = bh99.whatif(str(FIXTURES / name), line, deals=20)
        for branch in found.branches:
            assert sum(seat.win.chance for seat in branch.seats if seat.win) == pytest.approx(1)
            assert sum(seat.hit.chance for seat in branch.seats if seat.hit) == pytest.approx(1)


def test_in_a_match_who_pays_and_who_wins_it(tmp_path: Path) -> None:
    events = match(TOKENS, "Ana Ben", fronts("Ben", Ana="Kh 9d 5d", Ben="3s 6s 7s"), *turn("Ana", "Kh", 99))
    found = bh99.whatif(written(tmp_path / "log.jsonl", events), 3, play="5d", deals=100)
    for branch in found.branches:
        assert sum(seat.match.chance for seat in branch.seats if seat.match) == pytest.approx(1)
        assert all(seat.win is None and seat.lose is not None for seat in branch.seats)


def test_disputed_logs_have_odds_on_each_finding() -> None:
    for name in (
        "out-with-a-king",
        "blowback-disputes",
        "direction-not-turned",
        "steal-disputes",
        "shown-two-of-spades",
    ):
        log = FIXTURES / f"{name}.jsonl"
        if log.exists():
            for finding in bh99.audit(str(log)).findings:
                found = bh99.whatif(str(log), finding.line, deals=10)
                assert len(found.branches) == 2, (name, finding.line)


# ---- what is said of it ----


def test_what_was_dealt_unseen_is_not_known(tmp_path: Path) -> None:
    events = [*game("Ana Ben", seen("Ben", "Ana Ben")), *turn("Ana", "Kh", 99), out("Ben"), won("Ana"), took("Ana")]
    log = written(tmp_path / "log.jsonl", [*events, seen("Ana", "Ana Ben"), *turn("Ben", "5h", 5)])
    first, second = bh99.whatif(log, 2, deals=20), bh99.whatif(log, 8, deals=20)
    assert not first.only_one
    assert (first.hand, second.hand) == (1, 2)


def test_a_line_that_breaks_no_rule_is_believed(tmp_path: Path) -> None:
    """That Ben is out at 99 rules the ace of clubs no less out on its own line than behind it."""
    events = game("Ana Ben", seen("Ben", "Ana Ben"), *turn("Ana", "Ks", 99), out("Ben"), won("Ana"))
    log = written(tmp_path / "log.jsonl", events)
    on, behind = (bh99.whatif(log, line, deals=1500) for line in (5, 6))
    for one, other in zip(on.branches[0].seats, behind.branches[0].seats, strict=True):
        assert one.hit is not None and other.hit is not None
        assert abs(one.hit.chance - other.hit.chance) < 0.05


def test_a_bot_with_several_ways_to_play_a_card_chooses_in_each_deal_anew(tmp_path: Path) -> None:
    """At 89 a 10 makes it 99 or 79: Ben, who holds no card for 99, is out at once in about half of the deals."""
    deal = fronts("Ben", Ana="Th 5d 6d", Ben="5s 6s 7s")
    log = written(tmp_path / "log.jsonl", match(PENNIES, "Ana Ben", deal, recounted(89), *turn("Ana", "5d", 94)))
    found = bh99.whatif(log, 4, play="Th", bot="random", deals=200)
    loses = found.branches[1].seats[1].lose
    assert loses is not None
    assert 0.3 < loses.chance < 1


def test_a_hand_without_an_end_is_said(tmp_path: Path) -> None:
    events = [*game("Ana Ben", seen("Ben", "Ana Ben")), *turn("Ana", "5h", 5), voided()]
    log = written(tmp_path / "log.jsonl", events)
    found = bh99.whatif(log, 5, deals=20)
    assert found.branches[0].nothing == 1
    assert (
        "A: in 100.0 % of the deals the hand came to nothing" in run("whatif", log, "--at", "5", "--deals", "20").stdout
    )


def test_what_breaks_a_rule_instead_is_said(tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", log_of())
    event = '{"type":"card_played","player":"Ana","card":"4c","count":3}'
    told = asked(log, "--at", "8", "--event", event)
    assert [branch["breaks"] for branch in told["branches"]] == [None, "count-called"]
    text = run("whatif", log, "--at", "8", "--event", event, "--deals", "20").stdout
    assert "which breaks the rule count-called" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


def test_where_the_count_or_who_is_to_act_is_not_known_it_is_refused() -> None:
    with pytest.raises(NotForked, match="nobody noted who was chosen to act there"):
        bh99.whatif(str(FIXTURES / "five-chooses.jsonl"), 19, deals=5)
    with pytest.raises(NotForked, match="nobody noted what the Count is there"):
        bh99.whatif(str(FIXTURES / "nobody-said-the-choice.jsonl"), 9, deals=5)


def test_unseen_plays_agree_with_what_follows_them() -> None:
    """What a deal puts under an unseen play must not break a rule behind it."""
    log = str(FIXTURES / "proof-a-steal-or-a-bonus-late.jsonl")
    for seed in range(6):
        found = bh99.fork(log, 16, bots=["careful"], seed=seed)
        assert [line for line, *_ in findings_of(found) if line >= 16] == []


# ---- the command ----


def asked(*arguments: str) -> Any:
    return json.loads(run("whatif", *arguments, "--deals", "50", "--format", "json").stdout)


def test_whatif_as_text_and_as_json(tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", log_of())
    told = asked(log, "--at", "8", "--play", "a♣")
    assert [branch["told"] for branch in told["branches"]] == [
        "as it happened: Ana plays the 2 of clubs and says 16",
        "instead: Ana plays the ace of clubs",
    ]
    assert set(told["branches"][0]["seats"][0]) == {"player", "win", "hit", "load"}
    text = run("whatif", log, "--at", "8", "--play", "Ac", "--deals", "50").stdout
    assert "Who wins the hand" in text
    assert "█" in text
    assert max(map(len, text.splitlines())) <= 80
    event = '{"type":"card_played","player":"Ana","card":"Ac","count":15}'
    assert asked(log, "--at", "8", "--event", event)["branches"][1]["seats"] == told["branches"][1]["seats"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--at", "9"], "there is no line 9; expected a line from 1 to 8"),
        (["--at", "8", "--play", "Zz"], "Zz is no card"),
        (["--at", "8", "--play", "Tc"], "that takes the Count over 20"),
        (["--at", "8", "--play", "9c"], "lies in the play pile"),
        (["--at", "4", "--play", "9c"], "nobody plays a card on that line"),
        (["--at", "8", "--event", '{"type":"card_played","player":"Ana"}'], 'field "card"'),
        (["--at", "8", "--event", "{"], "--event:1"),
        (["--at", "8", "--play", "Ac", "--event", "{}"], "--play is given already"),
        (["--at", "8", "--bot", "clever"], "there is no bot called clever"),
        (["--at", "8", "--event", '{"type":"hand_won","player":"Nobody"}'], "nobody called Nobody sits here"),
    ],
)
def test_whatif_says_what_can_not_be_asked(tmp_path: Path, arguments: list[str], words: str) -> None:
    log = written(tmp_path / "log.jsonl", log_of())
    answer = run("whatif", log, *arguments)
    assert answer.exit_code == 2
    assert words in " ".join(answer.stderr.split())


def test_the_page_on_a_finding_tells_the_odds() -> None:
    log = str(FIXTURES / "miscalled.jsonl")
    line = str(bh99.audit(log).findings[0].line)
    for format in ("text", "markdown", "html"):
        page = run("audit", log, "--explain", line, "--odds", "--format", format)
        assert page.exit_code == 1
        assert "What it may have changed" in page.stdout
        assert "as it should have been" in page.stdout
    assert "What it may have changed" not in run("audit", log, "--explain", line).stdout
    assert run("audit", log, "--odds").exit_code == 2
