"""Properties over whole games: a generator and a breaker that share no code with the referee, and random events."""

import functools
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from broken_games import KINDS, Broken, broken_game, some_broken
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_games import blanked, count_after, half_blanked, legal_game, with_omits
from tables import Event, as_events, audited, brief, findings_of, take_backs_of

from domain import events as ev
from domain.cards import DECK
from domain.moves import apply
from domain.plain_turns import plain_turns
from domain.prize import Prize
from domain.readings import fork, go_on
from domain.referee import judge
from domain.referee.legality import expected
from domain.referee.verdicts import Expected, Fault, Open
from domain.table import Out, Table
from projections import frames
from projections.audit import Audit, audit
from projections.frames import Replay
from projections.take_backs import Undone

SEATS = range(2, 14)
OMITTABLE: list[tuple[str, ...]] = [
    ("card_drawn",),
    ("pile_reshuffled",),
    ("card_drawn", "pile_reshuffled"),
    ("hand_won",),
    ("hit_taken", "hit_carried", "hit_donated"),
    ("cards_shown",),
    ("bong_loaded",),
    ("leisure_hit",),
    ("card_drawn", "pile_reshuffled", "hand_won", "cards_shown", "bong_loaded", "leisure_hit"),
]


@functools.cache
def some_legal(seats: int) -> list[list[dict[str, Any]]]:
    """Thirty games with so many seats, each with all cards."""
    return [legal_game(seed, seats) for seed in range(30)]


# ---- legal games ----


@pytest.mark.parametrize("seats", SEATS)
def test_legal_games_are_clean_with_all_cards(seats: int) -> None:
    for seed, log in enumerate(some_legal(seats)):
        assert (seed, findings_of(as_events(log))) == (seed, [])


@pytest.mark.parametrize("seats", SEATS)
def test_legal_games_are_clean_as_the_table_saw_them(seats: int) -> None:
    for seed, log in enumerate(some_legal(seats)):
        assert (seed, findings_of(as_events(blanked(log)))) == (seed, [])


@pytest.mark.parametrize("seats", SEATS)
def test_legal_games_are_clean_with_some_of_the_cards(seats: int) -> None:
    for seed, log in enumerate(some_legal(seats)):
        assert (seed, findings_of(as_events(half_blanked(log, seed)))) == (seed, [])


@pytest.mark.parametrize("omitted", OMITTABLE, ids="+".join)
@pytest.mark.parametrize("form", ["all cards", "half", "seen"])
def test_legal_games_are_clean_if_the_table_never_writes_some_events(omitted: tuple[str, ...], form: str) -> None:
    for seats in SEATS:
        for seed, whole in enumerate(some_legal(seats)[:4]):
            log = whole if form == "all cards" else blanked(whole) if form == "seen" else half_blanked(whole, seed)
            found = findings_of(as_events(with_omits(log, omitted)))
            assert (seats, seed, found) == (seats, seed, [])


def test_legal_games_stop_anywhere_without_a_finding() -> None:
    """Nothing is missing until a later line shows it."""
    for seats in (2, 3, 5, 13):
        for log in some_legal(seats)[:6]:
            if not any(line["type"] == "taken_back" for line in log):
                events = as_events(log)
                fold = Audit(opening(events))
                for event in events:
                    fold.follow([event])
                    assert fold.findings == []


# ---- broken games ----


@functools.cache
def broken(kind: str) -> list[Broken]:
    return some_broken(kind, 8, first_seed=500)


@pytest.mark.parametrize("kind", KINDS)
def test_broken_games_show_their_one_fault(kind: str) -> None:
    games = broken(kind)
    assert games
    for game in games:
        assert findings_of(as_events(game.events)) == [(game.line, game.rule, game.player)]


@pytest.mark.parametrize("kind", KINDS)
def test_broken_games_as_the_table_saw_them(kind: str) -> None:
    """Where it needs no cards the fault is proved all the same; a hidden one may surface later, but only once."""
    for game in broken(kind):
        found = findings_of(as_events(blanked(game.events)))
        if game.shows_blanked:
            assert found == [(game.line, game.rule, game.player)]
        elif kind.startswith("stuck-passed-over"):
            # Who doesn't know the hands can tell that the player was stuck only if no deal says otherwise.
            passed_over = (game.line, "turn-order", game.events[game.line - 1]["player"])
            assert found in ([passed_over], [(game.line, game.rule, game.player)])
        else:
            assert len(found) <= 1


def test_breaker_knows_every_slug_and_enough_kinds() -> None:
    slugs = {broken(kind)[0].rule for kind in KINDS}
    assert len(KINDS) >= 35
    assert slugs == {
        *("deck", "deal", "dealer-rotation", "turn-order", "hold-card", "limit", "count-called", "must-play", "draw"),
        *("four-cards", "reshuffle", "out", "death-card-target", "death-card-shield", "death-card-blowback"),
        *("last-standing", "steal", "bonus", "slide", "prize", "loader", "log-order"),
    }


def test_a_thousand_games_broken_in_one_place_give_one_finding_each() -> None:
    for game in mixed(1000, 77):
        found = findings_of(as_events(game.events))
        assert (game.kind, found) == (game.kind, [(game.line, game.rule, game.player)])


def mixed(count: int, seed: int) -> Iterator[Broken]:
    """So many games, broken in any way."""
    rng, kinds, made = Random(seed), list(KINDS), 0
    while made < count:
        game = broken_game(rng.choice(kinds), rng.randrange(10**6))
        if game is not None:
            made += 1
            yield game


# ---- folding: the same from every side ----


def opening(events: Sequence[Event]) -> ev.GameOpened:
    assert isinstance(events[0], ev.GameOpened)
    return events[0]


def assorted() -> list[list[Event]]:
    """Legal and broken games, with and without cards; some take lines back."""
    logs = [legal_game(seed, seats, hands=2) for seats in (2, 3, 4, 6, 9, 13) for seed in range(100, 106)]
    logs += [game.events for game in mixed(60, 5)]
    events = [as_events(blanked(log) if at % 3 == 0 else log) for at, log in enumerate(logs)]
    assert any(take_backs_of(log) for log in events)
    return events


def told(fold: Audit) -> tuple[Any, ...]:
    """All that an audit answers."""
    return fold.findings, fold.summary, fold.table.key(), sorted(reading.table.key() for reading in fold.readings[:1])


def split(events: Sequence[Event], rng: Random, longest: int) -> Iterator[Sequence[Event]]:
    at = 0
    while at < len(events):
        size = rng.randint(1, longest)
        yield events[at : at + size]
        at += size


@pytest.mark.parametrize("longest", [1, 2, 3, 17])
def test_batch_boundaries_do_not_matter(longest: int) -> None:
    """With batches of one line the log is judged line by line."""
    rng = Random(longest)
    for events in assorted():
        whole = audited(events)
        parts = audited_in_batches(list(split(events, rng, longest)), events)
        assert told(parts) == told(whole)


def audited_in_batches(batches: Sequence[Sequence[Event]], events: list[Event]) -> Audit:
    return audit(lambda: batches, lambda: take_backs_of(events))


def test_jumping_about_tells_what_a_fresh_audit_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    # Checkpoints are set far apart; here they should matter.
    monkeypatch.setattr(frames, "CHECKPOINT_EVERY", 16)
    rng = Random(12)
    for events in assorted():
        replay = Replay(events)
        for _ in range(6):
            line = rng.randint(1, len(events))
            there = replay.audit_at(line)
            assert (line, told(there)) == (line, told(audited(events[:line])))


def standing_after(abouts: Sequence[int | None]) -> list[frozenset[int]]:
    """After each line those that stand; `abouts` has for each line what it takes back (R14).

    A take-back that names a standing line leaves what stood just before that line, and itself.
    """
    stands: list[frozenset[int]] = [frozenset()]
    for line, about in enumerate(abouts, 1):
        before = stands[-1]
        if about is not None and 1 < about < line and about in before:
            before = stands[about - 1]
        stands.append(before | {line})
    return stands[1:]


@given(st.lists(st.one_of(st.none(), st.integers(1, 25)), min_size=1, max_size=25))
def test_undone_lines_are_those_that_no_longer_stand(abouts: list[int | None]) -> None:
    """R14, also for a take-back that is taken back itself: what it had undone stands again, what was undone before
    doesn't."""
    take_backs = [(line, ev.TakenBack(about=about, why="player")) for line, about in enumerate(abouts, 1) if about]
    stands = standing_after([about or None for about in abouts])
    for line in range(1, len(abouts) + 1):
        undone = Undone(each for each in take_backs if each[0] <= line)
        assert {at for at in range(1, line + 1) if undone.by(at) is None} == stands[line - 1]


def test_a_plain_turn_does_what_judging_and_applying_do() -> None:
    """Wherever the short cut says yes, both events are in order and lead to the same table; else nothing changes."""
    taken = refused = 0
    for events in assorted():
        table = Table(opening(events))
        for play, draw in pairwise(events):
            if isinstance(play, ev.CardPlayed):
                short, before = table.copy(), table.key()
                if plain_turns(short, (play, draw), 0, 2):
                    assert judge(table, play) is None
                    long = table.copy()
                    apply(long, play)
                    assert judge(long, draw) is None
                    apply(long, draw)
                    assert short.key() == long.key()
                    taken += 1
                else:
                    assert short.key() == before
                    refused += 1
            apply(table, play)
    assert taken > 1000 and refused > 100


def test_a_plain_turn_is_a_play_and_a_draw() -> None:
    """The short cut of the fold comes to the same table as judging and applying each event does."""
    for events in assorted():
        if take_backs_of(events):
            continue
        fold, table = Audit(opening(events)), Table(opening(events))
        plain = 0
        for event in events:
            table.line = plain + 1
            if judge(table, event) is not None:
                break
            apply(table, event)
            plain += 1
        fold.follow(events[:plain])
        assert fold.table.key() == table.key()


# ---- what is expected, and what is judged ----

ANYWHERE = (
    ev.LeisureHit,
    ev.BongLoaded,
    ev.RulingMade,
    ev.TakenBack,
    ev.PlayerLeft,
    ev.PlayerJoined,
    ev.HandVoided,
    ev.CountCorrected,
    ev.CardsShown,
    ev.GameClosed,
    ev.GameOpened,
)
ONE_OF_THREE = ("hit_taken", "hit_carried", "hit_donated")


@pytest.mark.parametrize("seats", SEATS)
def test_expected_names_what_comes_and_the_referee_agrees(seats: int) -> None:
    for log in some_legal(seats)[:8]:
        events = as_events(log)
        undone, table = Undone(take_backs_of(events)), Table(opening(events))
        for line, event in enumerate(events, 1):
            if undone.by(line) is not None:
                continue
            table.line = line
            options = expected(table)
            assert isinstance(event, ANYWHERE) or any(names(option, event) for option in options) or early(table, event)
            for made in as_options(table, options):
                assert (line, made, judge(table, made)) == (line, made, None)
            for made in unexpected(table, options):
                assert isinstance(judge(table, made), Fault), (line, made)
            apply(table, event)


@pytest.mark.parametrize("seats", SEATS)
def test_expected_is_never_judged_a_fault_where_cards_are_unseen(seats: int) -> None:
    for seed, log in enumerate(some_legal(seats)[:4]):
        events = as_events(half_blanked(log, seed))
        if take_backs_of(events):
            continue
        table = Table(opening(events))
        for line, event in enumerate(events, 1):
            table.line = line
            options = expected(table)
            assert isinstance(event, ANYWHERE) or any(names(option, event) for option in options) or early(table, event)
            for made in as_options(table, options):
                assert not isinstance(judge(table, made), Fault), (line, made)
            apply(table, event)


def names(option: Expected, event: Event) -> bool:
    """Whether what came is what was expected: type, player and card."""
    kind = ev.type_of(event)
    if kind in ONE_OF_THREE:
        kind = "hit_taken"
    player = event.dealer if isinstance(event, ev.HandDealt) else getattr(event, "player", option.player)
    if (kind, player) != (option.type, option.player) and not (option.player is None and kind == option.type):
        return False
    card = getattr(event, "card", None)
    return card is None or option.cards is None or card in option.cards or None in option.cards


def early(table: Table, event: Event) -> bool:
    """A reshuffle before it is needed, but after the stock has run out (R2); or a prize's part that is open."""
    if isinstance(event, ev.PileReshuffled):
        return not table.stock
    return isinstance(event, ev.HitStolen | ev.BonusCreated | ev.HitSlid) and any(table.unseen.values())


def as_options(table: Table, options: list[Expected]) -> Iterator[Event]:
    """Each expected option as events that a table could write."""
    unsettled = iter([prize for prize in table.prizes if prize.hits != 0])
    for option in options:
        player = option.player or table.seats[0]
        match option.type:
            case "hand_dealt":
                yield ev.HandDealt(dealer=player, hands={seat: [None] * 4 for seat in table.seats}, stock=None)
            case "card_played":
                for card in option.cards or ():
                    count = None if card is None or table.count is None else count_after(card, table.count)
                    yield ev.CardPlayed(player=player, card=card, count=99 if table.awaiting == "shield" else count)
            case "card_drawn":
                yield from (ev.CardDrawn(player=player, card=card) for card in option.cards or ())
            case "pile_reshuffled":
                yield ev.PileReshuffled(stock=None)
            case "player_eliminated":
                reasons: dict[str, ev.Reason] = {"shield": "death_card", "blowback": "blowback", "leave": "left"}
                yield ev.PlayerEliminated(player=player, reason=reasons.get(table.awaiting, "no_play"))
            case "hand_won":
                yield ev.HandWon(player=player)
            case "hit_stolen":
                yield ev.HitStolen(player=player, source=table.winner or "")
            case "bonus_created":
                yield ev.BonusCreated(player=player)
            case "hit_slid":
                prize = next(unsettled)
                for card in option.cards or ():
                    assert card is not None
                    yield ev.HitSlid(prize=prize.name, source=prize.holder, player=player, card=card)
            case "hit_taken":
                prize = next(unsettled)
                hits = prize.hits or 1
                yield ev.HitTaken(player=player, prize=prize.name, hits=hits)
                yield ev.HitCarried(player=player, prize=prize.name, hits=hits)
                for to in [seat for seat in table.seats if seat != player][:1]:
                    yield ev.HitDonated(player=player, prize=prize.name, hits=hits, to=to)
            case other:
                raise AssertionError(f"nobody knows how to write a {other}")


def unexpected(table: Table, options: list[Expected]) -> Iterator[Event]:
    """What the rules do not allow here, though it is near what they do. All cards are known."""
    if table.awaiting != "play" or table.to_act is None:
        return
    player = table.to_act
    allowed = {card for option in options if option.type == "card_played" for card in option.cards or ()}
    for card in DECK:
        if card not in allowed:
            yield ev.CardPlayed(player=player, card=card, count=None)
    if allowed:
        yield ev.PlayerEliminated(player=player, reason="no_play")
    for other in table.next_in:
        if other != player:
            yield ev.PlayerEliminated(player=other, reason="no_play")
            yield ev.CardPlayed(player=other, card=None, count=None)
    yield ev.CardDrawn(player=player, card=None)
    yield ev.HandWon(player=player)


# ---- any events in any order ----

NAMES = st.sampled_from(["Ana", "Ben", "Cy", "Dee", "Zed"])
CARDS = st.sampled_from(DECK)
SEEN = st.none() | CARDS | st.sampled_from(["Qs", "Ad", "Ac", "Kc", "Kh", "9h"])
FEW = st.integers(0, 6)
COUNT = st.none() | st.integers(-3, 120) | st.sampled_from([89, 98, 99])
PRIZE = st.sampled_from(["main", "bonus"])
REASON = st.sampled_from(["no_play", "death_card", "blowback", "left"])
LINE = st.integers(1, 60)


def hands(cards: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(NAMES, st.lists(cards, max_size=6) | st.lists(cards, min_size=4, max_size=4), max_size=5)


ANY_EVENT: st.SearchStrategy[Any] = st.one_of(
    st.builds(ev.PlayerJoined, player=NAMES, seat=st.none() | FEW),
    st.builds(ev.PlayerLeft, player=NAMES),
    st.builds(ev.HandDealt, dealer=NAMES, hands=hands(SEEN), stock=st.none() | st.lists(SEEN, max_size=8)),
    st.builds(ev.HandDealt, dealer=NAMES, hands=hands(st.none()), stock=st.none()),
    st.builds(ev.CardPlayed, player=NAMES, card=SEEN, count=COUNT, target=st.none() | NAMES, value=COUNT),
    st.builds(ev.CardPlayed, player=NAMES, card=SEEN, count=COUNT),
    st.builds(ev.CardDrawn, player=NAMES, card=SEEN),
    st.builds(ev.CardDrawn, player=NAMES, card=st.none()),
    st.builds(ev.DrawMissed, player=NAMES),
    st.builds(ev.PileReshuffled, stock=st.none() | st.lists(SEEN, max_size=8)),
    st.builds(ev.PlayerEliminated, player=NAMES, reason=REASON),
    st.builds(ev.CardsShown, player=NAMES, cards=st.lists(CARDS, max_size=4)),
    st.builds(ev.HandWon, player=NAMES),
    st.builds(ev.HitStolen, player=NAMES, source=NAMES),
    st.builds(ev.BonusCreated, player=NAMES),
    st.builds(ev.HitSlid, prize=PRIZE, source=NAMES, player=NAMES, card=CARDS | st.sampled_from(["Kc", "Qc"])),
    st.builds(ev.HitTaken, player=NAMES, prize=PRIZE, hits=FEW),
    st.builds(ev.HitCarried, player=NAMES, prize=PRIZE, hits=FEW),
    st.builds(ev.HitDonated, player=NAMES, to=NAMES, prize=PRIZE, hits=FEW),
    st.builds(ev.LeisureHit, player=NAMES, finished=st.booleans()),
    st.builds(ev.BongLoaded, player=NAMES),
    st.builds(ev.HandCorrected, player=NAMES, drew=st.lists(SEEN, max_size=3), returned=st.lists(SEEN, max_size=3)),
    st.builds(ev.CountCorrected, count=st.integers(-5, 130)),
    st.builds(ev.TakenBack, about=LINE, why=st.sampled_from(["player", "scribe"])),
    st.builds(ev.HandVoided, reason=st.just("endless")),
    st.builds(ev.RulingMade, about=LINE, by=NAMES, text=st.just(""), rule=st.none() | st.just("draw")),
    st.builds(ev.TokensLost, player=NAMES, tokens=FEW, reason=st.sampled_from(["hand_lost", "border", "exact"])),
    st.builds(ev.PlayerKnockedOut, player=NAMES),
    st.builds(ev.MatchWon, player=NAMES, tokens=FEW),
    st.builds(ev.GameForked, game=st.just("g-1"), source=st.none(), line=LINE),
    st.builds(ev.GameClosed),
)
OPENED = st.builds(
    ev.GameOpened,
    format=st.just(1),
    rules=st.just("bong-hit-99"),
    players=st.lists(NAMES, min_size=1, max_size=5, unique=True),
    source=st.sampled_from(["table", "service"]),
    omits=st.just([])
    | st.lists(st.sampled_from(["card_drawn", "pile_reshuffled", "hand_won", "hit_taken"]), unique=True),
)


@st.composite
def odd_logs(draw: st.DrawFn) -> list[Event]:
    """Random events, alone or after the beginning of a real game, and with pieces of it strewn in."""
    events = draw(st.lists(ANY_EVENT, max_size=30))
    if draw(st.booleans()):
        return [draw(OPENED), *events]
    log: list[Event] = as_events(legal_game(draw(st.integers(0, 60)), draw(st.integers(2, 4)), hands=1))
    log = log[: draw(st.integers(1, 60))]
    for event in events:
        # After the odd event the game goes on a little, as if nothing had been.
        log.insert(draw(st.integers(1, len(log))), event)
    return log


ODD = settings(max_examples=120, deadline=None, derandomize=True, database=None)


@given(odd_logs())
@ODD
def test_apply_never_raises_and_judging_never_changes_the_table(log: list[Event]) -> None:
    table = Table(opening(log))
    for line, event in enumerate(log, 1):
        table.line = line
        before = (table.key(), snapshot(table))
        expected(table)
        verdict = judge(table, event)
        if isinstance(verdict, Fault):
            go_on(table, event, verdict)
        elif isinstance(verdict, Open) and verdict.forks:
            fork(table, event, verdict)
        assert (table.key(), snapshot(table)) == before
        apply(table, event)


@given(odd_logs(), st.randoms(use_true_random=False))
@ODD
def test_an_audit_of_any_events_in_any_order_never_raises(log: list[Event], rng: Random) -> None:
    whole = audited(log)
    assert brief(whole.findings) == findings_of(log)
    assert {finding.line for finding in whole.findings} <= set(range(1, len(log) + 1))
    parts = audited_in_batches(list(split(log, rng, 3)), log)
    assert told(parts) == told(whole)


def snapshot(value: Any) -> Any:
    """A table, or a part of it, as plain values that are its own."""
    if isinstance(value, Table | Prize | Out):
        slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        return {name: getattr(value, name).count if name == "at" else snapshot(getattr(value, name)) for name in slots
                if name not in ("counts", "rules")}  # fmt: skip
    if isinstance(value, dict):
        return [(key, snapshot(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [snapshot(item) for item in value]
    return set(value) if isinstance(value, set) else value
