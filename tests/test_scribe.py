"""The scribe: what is typed is what the log holds, and what must follow follows by itself."""

import datetime
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from legal_games import blanked, legal_game
from legal_matches import legal_match
from legal_table import Event
from match_table import GAMES, HOUSE_GAMES
from tables import as_events, findings_of
from typist import typed_short, typed_whole

from bh99.errors import LogUnreadable
from bh99.keepers import MemoryKeeper
from bh99.logs import open_log
from bh99.scribe.completing import completions
from bh99.scribe.entry import Misread
from bh99.scribe.scribe import Scribe
from bh99.scribe.words import BY_NAME, WORDS
from domain import events as ev

FIXTURES = Path(__file__).parent.parent / "fixtures"
RULES: dict[str, Any] = {
    game: json.loads((FIXTURES / f"{game}.jsonl").read_text().splitlines()[0])["rules"] for game in HOUSE_GAMES
}
MOMENT = datetime.datetime(2026, 11, 30, 21, 0, tzinfo=datetime.UTC)


def sat_down(players: str = "Ana Ben Cy", rules: Any = "bong-hit-99", draws: bool = False, **opened: Any) -> Scribe:
    """A scribe with a fresh log."""
    omits: Any = [] if draws else ["card_drawn", "pile_reshuffled"]
    first = ev.GameOpened(format=1, rules=rules, players=players.split(), **{"omits": omits, **opened})
    return scribe_of([first])


def scribe_of(events: Sequence[ev.AnyEvent]) -> Scribe:
    keeper = MemoryKeeper("evening")
    keeper.add(events)
    return Scribe(keeper, events, lambda: None)


def kept(scribe: Scribe) -> list[ev.AnyEvent]:
    assert isinstance(scribe.keeper, MemoryKeeper)
    return scribe.keeper.kept[1:]


def last(scribe: Scribe) -> ev.AnyEvent:
    return kept(scribe)[-1]


def rules_found(scribe: Scribe) -> list[tuple[int, str]]:
    return [(finding.line, finding.rule) for finding in scribe.findings]


def type_in(scribe: Scribe, text: str) -> None:
    """Entries, parted by commas."""
    for entry in text.split(","):
        scribe.enter(entry.strip())


# ---- whole games, typed ----


def plain(log: list[Event]) -> list[Event]:
    """A log as it can be typed: as the table saw it, without what no entry holds."""
    untyped = ("at", "seq", "ext")
    return [
        {key: part for key, part in event.items() if key not in (*untyped, event["type"] == "hand_dealt" and "tokens")}
        for event in blanked(log)
    ]


def typed_again(log: list[Event], entries: Sequence[str]) -> list[ev.AnyEvent]:
    scribe = scribe_of(as_events(log[:1]))
    for entry in entries:
        scribe.enter(entry)
    return [as_events(log[:1])[0], *kept(scribe)]


@pytest.mark.parametrize("seats", [2, 3, 5, 13])
def test_any_log_can_be_typed_event_by_event(seats: int) -> None:
    for seed in range(3 if seats < 13 else 1):
        log = plain(legal_game(seed, seats, hands=2 if seats < 13 else 1))
        assert typed_again(log, typed_whole(log)) == as_events(log)


@pytest.mark.parametrize("game", [*GAMES, *HOUSE_GAMES])
def test_any_match_can_be_typed_event_by_event(game: str) -> None:
    for seed in range(2):
        log = plain(legal_match(seed, 2 + seed, game, rules=RULES.get(game), hands=2))
        assert typed_again(log, typed_whole(log)) == as_events(log)


@pytest.mark.parametrize("game", [*GAMES, *HOUSE_GAMES])
def test_what_a_match_calls_for_follows_by_itself(game: str) -> None:
    for seed in range(2):
        log = plain(legal_match(seed, 2 + seed, game, rules=RULES.get(game), hands=3, forgetful=False))
        if any(event["type"] in ("taken_back", "player_left") for event in log):
            continue  # what follows a take-back isn't written anew by itself
        again = typed_again(log, typed_short(log, named=game == "five-chooses"))
        assert findings_of(again) == []
        left_out, added = Counter(map(str, as_events(log))), Counter(map(str, again))
        assert left_out - added == Counter()
        assert {text.partition("(")[0] for text in added - left_out} <= {"TokensLost", "PlayerKnockedOut", "MatchWon"}


NOT_TYPED = {
    "comings-gone-wrong": "somebody leaves who never sat there",
    "deals-gone-wrong": "somebody is dealt in or left out against the rules, which takes other words",
    "dealt-in-again": "the same",
    "dealt-in-but-not-playing": "the same",
    "knocked-out-too-late": "the same",
    "on-after-the-match": "the same",
    "numbered": "it was forked",
    "numbers-jump": "it was forked",
    "stolen-too-early": "something is stolen before there is a winner",
    "taken-back": "the first line is taken back",
}
"""Recorded games that hold what no scribe can have meant, or what takes other words than a typist here knows."""


@pytest.mark.parametrize("name", sorted(path.stem for path in FIXTURES.glob("*.jsonl") if path.stem not in NOT_TYPED))
def test_a_recorded_game_that_is_typed_again_gives_the_same_findings(name: str) -> None:
    events = open_log(str(FIXTURES / f"{name}.jsonl")).events()
    log = plain([json.loads(msgspec.json.encode(event)) for event in events])
    again = typed_again(log, typed_whole(log))
    assert again == as_events(log)
    assert findings_of(again) == findings_of(as_events(log))


# ---- one entry ----


def test_a_card_is_played_by_whose_turn_it_is() -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy, 7h, 4d 11, ben kd 99")
    assert kept(scribe)[1:] == [
        ev.CardPlayed(player="Ana", card="7h", count=None),
        ev.CardPlayed(player="Ben", card="4d", count=11),
        ev.CardPlayed(player="Ben", card="Kd", count=99),
    ]
    assert rules_found(scribe) == [(5, "turn-order")]


@pytest.mark.parametrize("typed", ["10h 10", "Th =10", "ana th 10", "A 10h says 10", "a TH -> 10"])
def test_cards_and_names_may_be_spelled_in_many_ways(typed: str) -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy")
    scribe.enter(typed)
    assert last(scribe) == ev.CardPlayed(player="Ana", card="Th", count=10)


def test_must_play_is_warned_of_at_once() -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy, kh 99, 10c 89")
    scribe.enter("out")
    [finding] = scribe.news()
    assert (finding.line, finding.rule, finding.player) == (5, "must-play", "Cy")
    assert finding.message == "Cy goes out at 89, but every card that Cy may hold can be played"


def test_count_called_compares_what_was_said_with_the_cards() -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy, 7h 7")
    scribe.enter("4d 12")
    [finding] = scribe.news()
    assert (finding.rule, finding.expected[0].text) == ("count-called", "Ben says 11 with the 4 of diamonds")


def test_what_was_warned_of_can_be_kept_taken_back_or_ruled_on() -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy, 7h 7, 4d 12")
    scribe.enter("ruling by Ana: 11 it is")
    assert [finding.ruled for finding in scribe.findings] == [5]
    scribe.enter("ruling 4 count-called by ana: he drinks")
    assert last(scribe) == ev.RulingMade(about=4, rule="count-called", by="ana", text="he drinks")
    type_in(scribe, "undo 4, 4d 11")
    assert rules_found(scribe) == []
    assert scribe.table.count == 11


def test_undo_takes_back_the_last_entry_with_what_followed_from_it() -> None:
    scribe = sat_down("Ana Ben", "ninety-nine-pennies")
    type_in(scribe, "deal ben, kh 99, out")
    assert [type(event) for event in kept(scribe)[2:]] == [ev.PlayerEliminated, ev.TokensLost]
    scribe.enter("undo")
    assert last(scribe) == ev.TakenBack(about=4, why="scribe")
    scribe.enter("undo player")
    assert last(scribe) == ev.TakenBack(about=3, why="player")
    assert (scribe.table.to_act, scribe.table.count) == ("Ana", 0)


def test_undo_after_sitting_down_again_takes_back_one_line() -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy, 7h, 4d")
    again = scribe_of([scribe.game.opened, *kept(scribe)])
    type_in(again, "undo, undo")
    assert kept(again)[-2:] == [ev.TakenBack(about=4, why="scribe"), ev.TakenBack(about=3, why="scribe")]


def test_an_undo_that_was_undone_leaves_its_entry_to_be_undone_again() -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy, 7h, 4d, undo, undo 5")
    assert scribe.table.count == 11
    scribe.enter("undo")
    assert last(scribe) == ev.TakenBack(about=4, why="scribe")


def test_last_standing_and_blowback_follow_by_themselves() -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy, kh 99, qs, ad, out")
    assert kept(scribe)[3:] == [
        ev.CardPlayed(player="Cy", card="Ad", count=None),
        ev.PlayerEliminated(player="Ben", reason="blowback"),
        ev.PlayerEliminated(player="Ana", reason="no_play"),
        ev.HandWon(player="Cy"),
    ]
    assert rules_found(scribe) == []


def test_what_was_written_by_itself_needn_t_be_typed_and_may_be() -> None:
    scribe = sat_down("Ana Ben")
    type_in(scribe, "deal ben, kh 99, out")
    lines = len(scribe.game)
    assert scribe.enter("won # at last").standing == lines
    assert len(scribe.game) == lines


def test_nothing_follows_by_itself_behind_an_exclamation_mark() -> None:
    scribe = sat_down("Ana Ben")
    type_in(scribe, "deal ben, kh 99, out !")
    assert last(scribe) == ev.PlayerEliminated(player="Ben", reason="no_play")
    scribe.enter(".")
    assert last(scribe) == ev.HandWon(player="Ana")


def test_steal_and_slide_and_loader_are_worked_out_from_the_clubs_that_are_shown() -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy, kh 99, out ben, out cy, show ben ac kc, show cy qc, took")
    assert kept(scribe)[4:] == [
        ev.HandWon(player="Ana"),
        ev.CardsShown(player="Ben", cards=["Ac", "Kc"]),
        ev.HitStolen(player="Ben", source="Ana"),
        ev.HitSlid(prize="main", source="Ben", player="Ben", card="Kc"),
        ev.CardsShown(player="Cy", cards=["Qc"]),
        ev.HitSlid(prize="main", source="Ben", player="Cy", card="Qc"),
        ev.HitTaken(player="Cy", prize="main", hits=1),
    ]
    assert [rule for _, rule in rules_found(scribe)] == ["must-play"]  # a king can always be played
    assert scribe.table.loader == "Ben"


def test_a_slide_that_was_written_by_itself_may_be_typed_step_by_step() -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy, kh 99, out ben, out cy, show ben ac qc, show cy kc jc")
    lines = len(scribe.game)
    assert [scribe.enter(typed).standing for typed in ("slid kc cy", "slid qc ben", "slid jc cy")] == [
        lines - 2,
        lines - 1,
        lines,
    ]
    assert len(scribe.game) == lines


def test_bonus_follows_from_the_ace_that_the_winner_shows() -> None:
    scribe = sat_down("Ana Ben")
    type_in(scribe, "deal ben, kh 99, out, show ana ac, took, gave ben bonus")
    assert kept(scribe)[5:] == [
        ev.BonusCreated(player="Ana"),
        ev.HitTaken(player="Ana", prize="main", hits=1),
        ev.HitDonated(player="Ana", to="Ben", prize="bonus", hits=1),
    ]


def test_tokens_knock_out_and_match_follow_by_themselves() -> None:
    scribe = sat_down("Ana Ben", "ninety-nine-chips")
    for hand in range(5):
        type_in(scribe, f"deal, {'kh 99, out ben !' if hand % 2 == 0 else 'kh 99, 9h 99, out ben !'}")
        while scribe.table.awaiting == "due":
            scribe.enter("")
    assert kept(scribe)[-3:] == [
        ev.TokensLost(player="Ben", tokens=1, reason="hand_lost"),
        ev.PlayerKnockedOut(player="Ben"),
        ev.MatchWon(player="Ana", tokens=10),
    ]


def test_a_card_that_leaves_a_choice_is_asked_about() -> None:
    scribe = sat_down("Ana Ben", "ninety-nine-pennies")
    type_in(scribe, "deal ben")
    with pytest.raises(Misread, match="leaves a choice: say ah 1 or ah 11; or ah \\? if nobody noted it"):
        scribe.enter("ah")
    type_in(scribe, "ah +11, td 1, th =-9, as ?")
    assert [(play.count, play.value) for play in kept(scribe)[1:] if isinstance(play, ev.CardPlayed)] == [
        (None, 11),
        (1, None),
        (-9, None),
        (None, None),
    ]


def test_draws_that_are_asked_for_are_entries_and_a_reshuffle_comes_before_one() -> None:
    scribe = sat_down("Ana Ben", draws=True)
    type_in(scribe, "deal ben, 7h 7, , 4d 11, d 9c, 2h 13, nodraw")
    assert kept(scribe)[2:] == [
        ev.CardDrawn(player="Ana", card=None),
        ev.CardPlayed(player="Ben", card="4d", count=11),
        ev.CardDrawn(player="Ben", card="9c"),
        ev.CardPlayed(player="Ana", card="2h", count=13),
        ev.DrawMissed(player="Ana"),
    ]
    assert rules_found(scribe) == [(8, "draw")]


def test_a_hand_is_put_right_and_a_count_agreed_on() -> None:
    scribe = sat_down(draws=True)
    type_in(scribe, "deal cy, 7h 7, d, d ana, fixed ana returned ?, count 8, void two cards lay on the floor")
    assert kept(scribe)[4:] == [
        ev.HandCorrected(player="Ana", drew=[], returned=[None]),
        ev.CountCorrected(count=8),
        ev.HandVoided(reason="two cards lay on the floor"),
    ]


def test_players_come_and_go() -> None:
    scribe = sat_down()
    type_in(scribe, 'joins "Big Al" 1, joins Dee, deal, leaves big, deal !')
    assert kept(scribe)[:2] == [ev.PlayerJoined(player="Big Al", seat=0), ev.PlayerJoined(player="Dee")]
    assert kept(scribe)[3:5] == [
        ev.PlayerLeft(player="Big Al"),
        ev.PlayerEliminated(player="Big Al", reason="left"),
    ]
    with pytest.raises(Misread, match="two players are called Dee"):
        scribe.enter("joins Dee")


def test_a_deal_may_leave_somebody_out_or_miscount() -> None:
    scribe = sat_down()
    scribe.enter("deal cy without ben ana 5")
    dealt = last(scribe)
    assert isinstance(dealt, ev.HandDealt)
    assert {player: len(hand) for player, hand in dealt.hands.items()} == {"Ana": 5, "Cy": 4}
    assert rules_found(scribe) == [(2, "deal")]


def test_a_note_stands_on_the_first_event_and_times_come_from_the_clock() -> None:
    scribe = sat_down()
    scribe.clock = lambda: MOMENT
    scribe.enter("deal cy # a new pack")
    assert (last(scribe).note, last(scribe).at) == ("a new pack", MOMENT)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("xx", "xx: expected a card, a player or a word such as out or took"),
        ("7h 8 zz", "zz: this isn't understood here"),
        ("show", "which cards? say show ben ac"),
        ("leisure", "whose? say leisure ben"),
        ("won", "whose? say won ben"),
        ("took", "there are no hits to settle now; a hand is won first"),
        ("stole ben", "nobody has won the hand yet; say who has, as in won ana"),
        ("count", "which Count? say count 87"),
        ("ana count 7", "count is said without a name before it"),
        ("ana took -5", "whose hits, and how many? say ben took 1"),
        ("undo 1", "line 1 can't be taken back; expected one from 2 on that stands"),
        ("undo 9", "line 9 can't be taken back; expected one from 2 on that stands"),
        ("ruling", "on which line? say ruling 13 stays out"),
        ("ruling 40 so be it", "there is no line 40 to decide on"),
        ("void", "why? say void two cards lay on the floor"),
        ('joins "', "a quotation mark is never closed"),
        ("joins x\u202ey", "a name has a format or direction character (U+202E)"),
        ("joins eva 9", "seat 9: expected one from 1 to 4"),
        ("", "nothing can be taken for granted here: Ana plays an unseen card that can be played at 0"),
    ],
)
def test_what_is_not_understood_says_what_was_expected_and_writes_nothing(typed: str, said: str) -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy")
    with pytest.raises(Misread) as misread:
        scribe.enter(typed)
    assert str(misread.value) == said
    assert len(kept(scribe)) == 1


def test_what_is_said_of_a_long_entry_is_short() -> None:
    with pytest.raises(Misread) as misread:
        sat_down().enter("y" * 5000)
    assert str(misread.value).startswith("y" * 40 + " … yy")
    assert str(misread.value).endswith("y: expected a card, a player or a word such as out or took")
    assert len(str(misread.value)) == 300


def test_the_next_hand_is_dealt_by_rule_where_nobody_writes_down_what_becomes_of_hits() -> None:
    scribe = sat_down("Ana Ben", omits=["card_drawn", "pile_reshuffled", "hit_taken", "hit_carried", "hit_donated"])
    type_in(scribe, "deal ben, kh 99, out")
    scribe.enter("")
    assert isinstance(last(scribe), ev.HandDealt)


def test_hits_that_are_settled_are_not_settled_again() -> None:
    scribe = sat_down("Ana Ben")
    type_in(scribe, "deal ben, kh 99, out, took")
    with pytest.raises(Misread, match="there are no hits of the main prize left to settle"):
        scribe.enter("gave ana")


def test_a_name_that_may_be_two_players_is_asked_about() -> None:
    scribe = sat_down("Ben Bea Cy")
    with pytest.raises(Misread, match="be may be Ben or Bea"):
        scribe.enter("leisure be")


def test_signs_that_mean_something_elsewhere_mean_nothing_in_quotes_or_behind_a_backslash() -> None:
    scribe = sat_down()
    scribe.enter('joins "Al #1" # late')
    assert last(scribe) == ev.PlayerJoined(player="Al #1", note="late")
    scribe.enter("deal cy")
    scribe.enter("void \\o/ \\")
    assert last(scribe) == ev.HandVoided(reason="\\o/ \\")
    type_in(scribe, "ana ruling 2 stays")
    assert last(scribe) == ev.RulingMade(about=2, by="Ana", text="stays")


def test_nothing_follows_the_close() -> None:
    scribe = sat_down()
    scribe.enter("close")
    assert scribe.closed
    with pytest.raises(LogUnreadable, match="this game was closed"):
        scribe_of([scribe.game.opened, *kept(scribe)])


def test_every_word_is_read_and_no_two_are_spelled_alike() -> None:
    assert len(BY_NAME) == sum(1 + len(word.also) for word in WORDS)
    for name, word in BY_NAME.items():
        try:
            sat_down().enter(f"{name} zz zz")
        except Misread as misread:
            assert "expected a card, a player or a word" not in str(misread), word


def test_completion_offers_words_players_and_cards_that_are_not_in_the_open() -> None:
    scribe = sat_down("Ana Ben Sofia")
    type_in(scribe, "deal, 7h 7")
    offered = [completion.word for completion in completions("s", scribe.table)]
    assert offered == ["show", "stole", "slid", "Sofia"]
    assert "7h" not in [completion.word for completion in completions("7", scribe.table)]
    assert [completion.word for completion in completions("out b", scribe.table)] == ["blowback", "Ben"]
    assert [completion.word for completion in completions("show ben 7", scribe.table)] == ["7c", "7d", "7s"]


def test_any_entry_is_understood_or_refused_in_words() -> None:
    words = [
        *BY_NAME,
        "ana",
        "ben",
        "7h",
        "qs",
        "ah",
        "?",
        "13",
        "+1",
        "=-4",
        "!",
        "#",
        "to",
        "zz",
        "bonus",
        "finished",
    ]
    scribe = sat_down(rules="bong-hit-99")
    for seed in range(400):
        chosen = Random(seed).choices(words, k=1 + seed % 4)
        try:
            scribe.enter(" ".join(chosen))
        except Misread as misread:
            assert str(misread)
        if scribe.closed:
            scribe = sat_down(draws=seed % 2 == 0)


def test_a_ruling_names_a_rule_only_where_that_is_meant() -> None:
    scribe = sat_down()
    type_in(scribe, "deal cy, 7h 8")
    scribe.enter('ruling out of turn is "fine"  here')
    scribe.enter("ruling 3 out by Ana: it stands")
    scribe.enter("ruling 3 count-called it stands")
    assert [
        (ruling.rule, ruling.by, ruling.text) for ruling in kept(scribe)[2:] if isinstance(ruling, ev.RulingMade)
    ] == [
        (None, "the table", 'out of turn is "fine"  here'),
        ("out", "Ana", "it stands"),
        ("count-called", "the table", "it stands"),
    ]


def test_undo_after_sitting_down_again_takes_back_what_followed_by_itself_with_its_entry() -> None:
    scribe = sat_down("Ana Ben")
    type_in(scribe, "deal ben, kh 99, out")
    again = scribe_of([scribe.game.opened, *kept(scribe)])
    again.enter("undo")
    assert last(again) == ev.TakenBack(about=4, why="scribe")


def test_who_wins_a_match_takes_the_pot_where_the_rules_say_so() -> None:
    scribe = sat_down("Ana Ben", "ninety-nine-chips")
    with pytest.raises(Misread, match="with how many tokens"):
        scribe.enter("match ana")
