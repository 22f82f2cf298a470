"""What a log proves though cards are unknown, held against every deal that it may stand for, one by one."""

import math
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from tiny_games import (
    DECK,
    RULES,
    Event,
    TinyGame,
    TooMany,
    completions,
    hands_after,
    undone_in,
    unseen_below,
    written_down,
)

from bh99.deducing import Deduction
from domain import events as ev
from projections.audit import Audit, audit

CHUNKS = 6
LOGS = 220
"""Seeds of a chunk; some of them give more deals than are gone through."""


def as_events(log: list[Event]) -> list[ev.AnyEvent]:
    return [msgspec.convert(event, ev.AnyEvent) for event in log]


def audited(log: list[Event]) -> Audit:
    events = as_events(log)
    take_backs = [(line, event) for line, event in enumerate(events, 1) if isinstance(event, ev.TakenBack)]
    return audit(lambda: iter([events]), lambda: take_backs)


def found_in(log: list[Event]) -> set[tuple[int, str]]:
    return {(finding.line, finding.rule) for finding in audited(log).findings}


class Told:
    """A log with gaps, and all deals that it stands for, each as a complete log."""

    def __init__(self, seed: int, deals: list[list[Event]], log: list[Event]) -> None:
        self.seed, self.deals, self.log = seed, deals, log
        self.plays_known = all(event.get("card", 1) for event in log if event["type"] == "card_played")


def told(seed: int, faults: bool = True) -> Told | None:
    """A random log; None if it stands for too many deals to go through."""
    rng = Random(seed)
    game = TinyGame(rng, rng.choice([0, 0.15, 0.4]) if faults else 0, rng.choice([0, 0, 0.2]))
    log = written_down(game.play(rng.choice([4, 8, 14])), rng)
    try:
        deals = list(completions(log, 3000))
    except TooMany:
        return None
    return Told(seed, deals, log) if len(deals) <= 150 else None


@cache
def some_told(chunk: int) -> list[Told]:
    return [one for seed in range(chunk * LOGS, (chunk + 1) * LOGS) if (one := told(seed)) is not None]


def test_enough_logs_are_gone_through() -> None:
    assert len(some_told(0)) > LOGS // 3
    assert sum(len(one.deals) for one in some_told(0)) > LOGS


# ---- what is proved ----


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_every_deal_breaks_is_proved_and_what_some_break_stays_open(chunk: int) -> None:
    """And nothing else; lines that can't all be right are one finding."""
    for one in some_told(chunk):
        each = [found_in(deal) for deal in one.deals]
        answer = audited(one.log)
        proved = {(finding.line, finding.rule): finding for finding in answer.findings}
        every, some = set.intersection(*each), set.union(*each)
        assert (one.seed, every - proved.keys()) == (one.seed, set())
        for line, rule in proved.keys() - every:
            # the rule differs from deal to deal, or one of several lines is wrong: each deal has one of them
            named = {line, *proved[line, rule].evidence}
            assert all(named & {at for at, _ in found} for found in each), (one.seed, line, rule)
        lines = {line for line, _ in proved}
        assert not all({line for line, _ in found} - lines for found in each), one.seed
        left = {key for key in some - every if key[0] not in lines}
        assert (one.seed, {(check.line, check.rule) for check in answer.summary.left_open}) == (one.seed, left)


@pytest.mark.parametrize("chunk", range(2))
def test_a_proof_names_all_lines_that_it_needs(chunk: int) -> None:
    """With the cards of no other lines, but for the plays, it is proved still."""
    for one in some_told(chunk):
        for finding in audited(one.log).findings:
            if "holds a card that can be played" not in finding.message or not one.plays_known:
                continue
            key = (finding.line, finding.rule)
            named = [line for line in finding.evidence if _names_a_card(one.log[line - 1])]
            assert key in found_in(_blank(one.log, set(range(2, len(one.log) + 1)) - {*named, *_counts(one.log)}))


def _counts(log: list[Event]) -> list[int]:
    return [line for line, event in enumerate(log, 1) if event["type"] == "card_played"]


def _names_a_card(event: Event) -> bool:
    return event["type"] in ("hand_dealt", "card_drawn", "card_played", "pile_reshuffled", "cards_shown")


def _blank(log: list[Event], lines: set[int]) -> list[Event]:
    blank = deepcopy(log)
    for line in lines:
        event = blank[line - 1]
        if event["type"] == "hand_dealt":
            event["hands"] = {name: [None] * len(cards) for name, cards in event["hands"].items()}
            event["stock"] = None
        elif event["type"] in ("card_drawn", "card_played"):
            event["card"] = None
        elif event["type"] == "pile_reshuffled":
            event["stock"] = None
        elif event["type"] == "cards_shown":
            event["cards"] = []
    return blank


# ---- no deal agrees ----


def test_where_no_deal_is_left_the_first_such_line_is_found() -> None:
    looked_at = 0
    for seed in range(350):
        log = _with_another_card(seed)
        first = _first_without_a_deal(log)
        if first is None:
            continue
        looked_at += 1
        found = audited(log).findings
        lines = {finding.line for finding in found}
        assert first in lines, seed
        rules = {finding.rule for finding in found if finding.line == first}
        assert rules & {"deck", "hold-card", "draw", "reshuffle", "death-card-target", "steal", "slide", "bonus"}, seed
    assert looked_at > 70


def _with_another_card(seed: int) -> list[Event]:
    """A right log, in which one card that was played or drawn is named as another one."""
    rng = Random(f"another {seed}")
    log = written_down(TinyGame(rng, 0).play(rng.choice([8, 14])), rng)
    named = [event for event in log if event["type"] in ("card_played", "card_drawn") and event["card"]]
    if named:
        rng.choice(named)["card"] = rng.choice(DECK)
    return log


def _first_without_a_deal(log: list[Event]) -> int | None:
    """The first line with which no deal is left; None if some is left at the end, or it takes too long to tell."""
    try:
        if next(completions(log, 6000), None) is not None:
            return None
        return next(line for line in range(2, len(log) + 1) if next(completions(log[:line], 6000), None) is None)
    except TooMany:
        return None


def test_no_deal_agrees_with_an_undone_line_which_is_no_finding() -> None:
    """R14: findings on undone lines fall away; what is said there beside all other lines counts for nothing."""
    hands = {"Ana": [None, None], "Ben": [None, None]}
    log: list[Event] = [
        {"type": "game_opened", "format": 1, "rules": RULES, "players": ["Ana", "Ben"]},
        {"type": "hand_dealt", "dealer": "Ben", "hands": hands, "stock": None},
        {"type": "card_played", "player": "Ana", "card": "3d", "count": 3},
        {"type": "card_drawn", "player": "Ana", "card": None},
        {"type": "card_played", "player": "Ben", "card": "3d", "count": 6},
        {"type": "taken_back", "about": 5, "why": "player"},
        {"type": "card_played", "player": "Ben", "card": "5h", "count": 8},
    ]
    answer = audited(log)
    assert (answer.findings, answer.summary.open_checks) == ([], 0)


def test_what_was_seen_in_undone_lines_stays_known_of_those_who_drew_there() -> None:
    """R14: Ana shows the king in an undone line; she held it, or drew it there, and it lies on the stock again."""
    hands = {"Ana": [None, None], "Ben": ["5h", "Ad"]}
    log: list[Event] = [
        {"type": "game_opened", "format": 1, "rules": RULES, "players": ["Ana", "Ben"]},
        {"type": "hand_dealt", "dealer": "Ben", "hands": hands, "stock": [None, "3d", None, None, None]},
        {"type": "card_played", "player": "Ana", "card": "9s", "count": 9},
        {"type": "card_drawn", "player": "Ana", "card": None},
        {"type": "card_played", "player": "Ben", "card": "5h", "count": 14},
        {"type": "card_drawn", "player": "Ben", "card": None},
        {"type": "card_played", "player": "Ana", "card": "Kc", "count": 20},
        {"type": "taken_back", "about": 3, "why": "player"},
    ]
    ana, ben = Deduction("log", as_events(log)).worlds(8).seats
    assert ana.must_hold == ["9s"]  # line 3 is undone, but she had it
    assert 0 < ana.chances["Kc"] < 1
    assert ben.must_hold == ["Ad", "5h"]


def test_an_undone_correction_moved_cards_that_later_undone_lines_go_by() -> None:
    """R14, R17: Ana is given the top card in the undone stretch, so that the card drawn there was the second one."""
    hands = {"Ana": ["2h", "5h"], "Ben": ["Ad", "Qs"]}
    log: list[Event] = [
        {"type": "game_opened", "format": 1, "rules": RULES, "players": ["Ana", "Ben"]},
        {"type": "hand_dealt", "dealer": "Ben", "hands": hands, "stock": None},
        {"type": "card_played", "player": "Ana", "card": "2h", "count": 2},
        {"type": "hand_corrected", "player": "Ana", "drew": [None], "returned": []},
        {"type": "card_played", "player": "Ben", "card": "Ad", "count": 3},
        {"type": "card_drawn", "player": "Ben", "card": "9s"},
        {"type": "taken_back", "about": 3, "why": "player"},
        {"type": "card_played", "player": "Ana", "card": "2h", "count": 2},
        {"type": "card_drawn", "player": "Ana", "card": "3d"},
    ]
    assert found_in(log) == set()
    ana, ben = Deduction("log", as_events(log)).worlds(9).seats
    assert (ana.must_hold, ben.must_hold) == (["3d", "5h"], ["Ad", "Qs"])


def test_no_deal_a_line_is_found_with_the_fewest_lines_that_show_it() -> None:
    """With the cards of these lines alone no deal is left; without those of any one of them some deal is."""
    proofs = 0
    for seed in range(200):
        log = _with_another_card(seed)
        if _first_without_a_deal(log) is None:
            continue
        found = audited(log).findings
        for finding in found:
            if "no deal agrees" not in finding.message or len(found) > 1:
                continue
            upto, needed = log[: finding.line], {finding.line, *finding.evidence}
            try:
                assert not _some_deal(_with_cards_of(upto, needed)), seed
                assert all(_some_deal(_with_cards_of(upto, needed - {line})) for line in needed), seed
            except TooMany:
                continue
            proofs += 1
    assert proofs > 0


def _some_deal(log: list[Event]) -> bool:
    return next(completions(log, 40_000), None) is not None


def _with_cards_of(log: list[Event], lines: set[int]) -> list[Event]:
    return _blank(log, set(range(2, len(log) + 1)) - lines)


# ---- what has nothing to do with cards ----


@pytest.mark.parametrize(
    ("line", "more"),
    [
        (9, [{"type": "taken_back", "about": 40, "why": "player"}]),
        (9, [{"type": "ruling_made", "about": 40, "by": "Ana", "text": "so be it"}]),
        (9, [{"type": "game_closed", "seq": 5}]),
    ],
)
def test_log_order_is_found_beside_unseen_cards(line: int, more: list[Event]) -> None:
    assert found_in([*_two_deals(), *more]) == {(line, "log-order")}


def test_undone_smoke_stands_and_its_line_is_no_finding() -> None:
    """R14, R16: Ben finished the bowl, so that Ana loads out of turn; her line is undone, though the load stands."""
    smoke: list[Event] = [
        {"type": "leisure_hit", "player": "Ben", "finished": True},
        {"type": "card_played", "player": "Ben", "card": "9s", "count": 17},
        {"type": "bong_loaded", "player": "Ana"},
    ]
    log = [*_two_deals(), *smoke, {"type": "taken_back", "about": 10, "why": "player"}]
    assert found_in(log) == found_in([*log[:2], {**log[2], "card": "2h"}, *log[3:]])


def _two_deals() -> list[Event]:
    """A right hand so far, in which Ana played one of two cards unseen."""
    hands, stock = {"Ana": ["2h", "3d"], "Ben": ["5h", "9s"]}, ["Ac", "Ad", "Kc", "Qs", "Tc"]
    return [
        {"type": "game_opened", "format": 1, "rules": RULES, "players": ["Ana", "Ben"]},
        {"type": "hand_dealt", "dealer": "Ben", "hands": hands, "stock": stock},
        {"type": "card_played", "player": "Ana", "card": None, "count": 2},
        {"type": "card_drawn", "player": "Ana", "card": "Ac"},
        {"type": "card_played", "player": "Ben", "card": "5h", "count": 7},
        {"type": "card_drawn", "player": "Ben", "card": "Ad"},
        {"type": "card_played", "player": "Ana", "card": "Ac", "count": 8},
        {"type": "card_drawn", "player": "Ana", "card": "Kc"},
    ]


# ---- what may be in a hand ----


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_worlds_must_hold_cannot_hold_and_chances(chunk: int) -> None:
    for one in some_told(chunk)[::3]:
        undone = undone_in(one.log)
        line = Random(one.seed).choice([line for line in range(2, len(one.log) + 1) if line not in undone])
        worlds = Deduction("log", as_events(one.log)).worlds(line)
        held = [hands_after(deal, line) for deal in one.deals]
        for seat in worlds.seats:
            hands = [set(hand[seat.name]) for hand in held]
            assert (one.seed, line, seat.must_hold) == (one.seed, line, _in_order(set.intersection(*hands)))
            some: set[str] = set.union(*hands)
            assert (one.seed, line, seat.cannot_hold) == (one.seed, line, _in_order(set(DECK) - some))
            for card, chance in seat.chances.items():
                share = sum(card in hand for hand in hands) / len(hands)
                assert abs(chance - share) < (1e-12 if worlds.exact else 0.2), (one.seed, line, seat.name, card)


def _in_order(cards: set[str]) -> list[str]:
    from domain.cards import DECK as whole

    return sorted(cards, key=whole.index)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_worlds_the_number_of_deals(chunk: int) -> None:
    for one in some_told(chunk)[1::3]:
        worlds = Deduction("log", as_events(one.log)).worlds(len(one.log))
        number = len(one.deals) * unseen_below(one.log)
        if worlds.exact:
            assert (one.seed, int(worlds.deals)) == (one.seed, number)
        else:
            assert Fraction(7, 10) < Fraction(int(worlds.deals), number) < Fraction(13, 10), one.seed
        assert worlds.exact or not one.plays_known


def test_worlds_samples_agree_and_come_evenly() -> None:
    tried = 0
    for one in some_told(1):
        if not one.plays_known or not 2 <= len(one.deals) <= 12 or unseen_below(one.log) > 1:
            continue
        tried += 1
        number = 400 * len(one.deals)
        deduction = Deduction("log", as_events(one.log))
        drawn = Counter(msgspec.json.encode(log) for log in deduction.samples(number, seed=one.seed))
        assert drawn.keys() == {msgspec.json.encode(as_events(deal)) for deal in one.deals}
        for times in drawn.values():
            assert abs(times - 400) < 6 * math.sqrt(400), one.seed
    assert tried > 3


def test_worlds_samples_leave_no_gap_and_break_what_is_proved() -> None:
    for one in some_told(2):
        deduction = Deduction("log", as_events(one.log))
        proved = {(finding.line, finding.rule) for finding in deduction.proved}
        every = set.intersection(*(found_in(deal) for deal in one.deals))
        for log in deduction.samples(3, seed=one.seed):
            plain: list[Any] = [msgspec.to_builtins(event) for event in log]
            undone = undone_in(plain)
            assert None not in [event.get("card", 1) for line, event in enumerate(plain, 1) if line not in undone]
            assert (one.seed, proved & every) == (one.seed, proved & every & found_in(plain))


# ---- a log with all cards pays nothing ----


@pytest.mark.parametrize(
    ("log", "unwanted"),
    [
        ("fixtures/one-hand.jsonl", ["projections.deduction", "highspy", "numpy"]),
        ("fixtures/one-hand-as-seen.jsonl", ["highspy", "numpy"]),
    ],
)
def test_a_log_pays_only_for_what_it_needs(log: str, unwanted: list[str]) -> None:
    """With all cards the deduction isn't even loaded; where a few deals show that all is open, no solver is."""
    code = (
        f"import sys, bh99\nbh99.audit({log!r}).summary\nprint([name for name in {unwanted!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
