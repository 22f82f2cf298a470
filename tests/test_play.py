"""`bh99 play`: hands that are shown and hidden, choices, refusals, bots, leaving and going on, a match to its end."""

import os
import re
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from cli_runs import FIXTURES, bh99
from play_screens import LARGE, SMALL, PlayScreen, dealt_game, drive, new_game, same_game
from terminals import Open
from typer.testing import Result

from bh99.audits import audit_log
from bh99.errors import LogUnwritable
from bh99.keepers import FileKeeper, open_keeper
from bh99.playing import LiveGame
from cli.playing.choosing import Unclear, meant_by
from cli.playing.keys import CHOICE_KEYS, CHOOSE, KEYS
from cli.replayer.panels import LogPanel, TablePanel
from domain import events as ev
from domain.cards import Card, card_name, seen
from domain.commands import Choice, CloseGame, GiveHits, LeaveHits, PlayCard, SmokeLeisure, TakeHits

FIVE_CHOOSES = str(FIXTURES / "house-rules" / "five-chooses.toml")
PAGE = (FIXTURES.parent / "docs/playing.md").read_text("utf-8")


@pytest.fixture(autouse=True)
def bots_that_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.playing.app.BOT_PAUSE", 0)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "g.jsonl"


def at_99(log: Path) -> LiveGame:
    """Ana is to play at 99 with 5d 9h Td 3c; Bo can pass for a while."""
    hands = {"Ana": "Ks 5d 9h Td", "Bo": "2d 2h 9c 9s"}
    return dealt_game(log, hands, "3c 9d", {"Bo": "greedy"}, plays=[PlayCard(player="Ana", card="Ks")])


def prize_game(log: Path, people: str = "Ana") -> LiveGame:
    """A play of Ana's from here puts everybody else out; no ace of clubs is there to steal with."""
    hands = {"Ana": "Ks 9h Td 5d", "Bo": "3d 3h 4h 4d", "Cy": "3c 4s 5s 6s"}
    bots = {name: "greedy" for name in ("Bo", "Cy") if name not in people}
    return dealt_game(log, hands, "8d", bots)


def steps_of(game: LiveGame) -> int:
    return len(game.events)


# ---- cards that may be played, and cards that may not ----


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_cards_that_may_be_played_are_marked_with_the_count_they_make(size: tuple[int, int], log: Path) -> None:
    async def steps(screen: PlayScreen) -> None:
        assert "Choose a card:" in screen.text
        assert "(1) 5d   [2] 9h → 99   [3] Td → 89   (4) 3c" in screen.text
        await screen.press("9")
        assert "there is nothing to choose with 9" in screen.text
        await screen.press("enter")
        assert "choose with a number; ? lists the keys" in screen.text

    drive(at_99(log), steps, size=size)


@pytest.mark.parametrize("how", ["key", "typed"])
def test_a_card_that_may_not_be_played_is_answered_with_the_rule(how: str, log: Path) -> None:
    async def steps(screen: PlayScreen) -> None:
        before = steps_of(screen.game)
        await (screen.press("1") if how == "key" else screen.type("5d"))
        assert "! Ana plays the 5 of diamonds at 99: that takes the Count over 99 (limit)." in screen.words
        assert "Allowed: Ana plays the 9 of hearts or the 10 of diamonds at 99." in screen.words
        assert steps_of(screen.game) == before
        assert "[2] 9h → 99" in screen.text
        await screen.press("2")
        assert "(limit)" not in screen.text
        assert steps_of(screen.game) > before

    drive(at_99(log), steps)


def test_a_card_out_of_turn_is_refused_by_its_rule(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.playing.app.BOT_PAUSE", 30)
    game = dealt_game(log, {"Ana": "Ks 5d 9h Td", "Bo": "2d 2h 9c 9s"}, "3c", {"Bo": "greedy"})

    async def steps(screen: PlayScreen) -> None:
        screen.app._hurry.clear()
        screen.app.action_choose(1)
        before = steps_of(game)
        screen.app.action_choose(0)
        await screen.pilot.pause()
        assert "Bo, a greedy bot, is to choose" in screen.text
        assert "! Ana plays, but it is Bo's turn (turn-order)" in screen.words
        assert " 1  Ks" in screen.text
        assert steps_of(game) == before
        await screen.press("enter")
        assert steps_of(game) == before + 2, "enter lets the bot play at once"

    drive(game, steps)


# ---- choices that a card leaves ----


@pytest.mark.parametrize(
    ("card", "asks", "key", "count"),
    [("Ah", "the ace of hearts make", "1", 21), ("Ah", "the ace of hearts make", "2", 31), ("Td", "10", "2", 10)],
)
def test_an_ace_and_a_ten_ask_which_count_they_make(card: str, asks: str, key: str, count: int, log: Path) -> None:
    hands = {"Ana": "Jc Ah Td", "Bo": "Qd 2h 3h"}
    game = dealt_game(log, hands, "5d", {"Bo": "greedy"}, "ninety-nine-pennies")

    async def steps(screen: PlayScreen) -> None:
        await screen.press("1")
        assert "[1] Ah → 21 or 31   [2] Td → 30 or 10" in screen.text
        place = "1" if card == "Ah" else "2"
        await screen.press(place)
        assert asks in screen.words
        assert f"[{key}] {count}" in screen.text
        before = steps_of(game)
        await screen.press("escape")
        assert "Choose a card:" in screen.text
        assert steps_of(game) == before
        await screen.press(place, key)
        played = game.events[before]
        assert isinstance(played, ev.CardPlayed)
        assert (played.player, played.card, played.count, played.value) == ("Ana", card, count, count - 20)

    drive(game, steps)


def test_a_card_that_chooses_who_is_next_asks_whom(log: Path) -> None:
    hands = {"Ana": "5c 5d 2h 3h 4h", "Ben": "2c 3c 4c 6c 7c", "Cy": "2d 3d 4d 6d 7d"}
    game = dealt_game(log, hands, rules=FIVE_CHOOSES)

    async def steps(screen: PlayScreen) -> None:
        await screen.press("enter")
        assert "[1] 5c → 5, who is next?" in screen.text
        await screen.press("1")
        assert "Who is next after the 5 of clubs?" in screen.text
        assert "[1] Ben   [2] Cy" in screen.text
        await screen.press("2")
        assert "Cy: press enter when only you look" in screen.text

    drive(game, steps)
    assert game.waits_for == "Cy"


@pytest.mark.parametrize(
    ("line", "choices"),
    [
        ("7h", [PlayCard(player="Ana", card="7h", count=17)]),
        ("7♥", [PlayCard(player="Ana", card="7h", count=17)]),
        ("7h 17", [PlayCard(player="Ana", card="7h", count=17)]),
        ("7h 18", [PlayCard(player="Ana", card="7h", count=18)]),
        ("ah", [PlayCard(player="Ana", card="Ah", count=11), PlayCard(player="Ana", card="Ah", count=21)]),
        (" AH  21 ", [PlayCard(player="Ana", card="Ah", count=21)]),
        ("10d -5", [PlayCard(player="Ana", card="Td", count=-5)]),
        ("5c ben", [PlayCard(player="Ana", card="5c", count=15, target="Ben")]),
        ("5c b", [PlayCard(player="Ana", card="5c", count=15, target="Ben")]),
        ("5c big al", [PlayCard(player="Ana", card="5c", count=15, target="Big Al")]),
        ("qs", [PlayCard(player="Ana", card="Qs")]),
        ("take", [TakeHits(player="Ana")]),
        ("take 2 bonus", [TakeHits(player="Ana", hits=2, prize="bonus")]),
        ("leave 1", [LeaveHits(player="Ana", hits=1)]),
        ("give 1 hit to big al", [GiveHits(player="Ana", to="Big Al", hits=1)]),
    ],
)
def test_a_typed_line_means_a_choice(line: str, choices: Sequence[Choice]) -> None:
    seats = ["Ana", "Ben", "Big Al"] if line != "5c b" else ["Ana", "Ben"]
    offered: list[Choice] = [
        PlayCard(player="Ana", card="7h", count=17),
        *(PlayCard(player="Ana", card="Ah", count=count) for count in (11, 21)),
        *(PlayCard(player="Ana", card="Td", count=count) for count in (15, -5)),
        *(PlayCard(player="Ana", card="5c", count=15, target=name) for name in seats[1:]),
    ]
    assert meant_by(line, "Ana", seats, offered) == choices


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", "expected a card"),
        ("hello", "hello is no card; expected one such as 7h"),
        ("\x1b[2J", r"\\x1b\[2J is no card"),
        ("5c zed", "nobody here is called zed; expected one of: Ana, Ben, Bea"),
        ("5c b", "b may be Ben or Bea"),
        ("give 1", "give to whom"),
        ("take ben", "take takes a number"),
    ],
)
def test_a_typed_line_that_means_nothing_says_what_was_expected(line: str, expected: str) -> None:
    with pytest.raises(Unclear, match=expected):
        meant_by(line, "Ana", ["Ana", "Ben", "Bea"], [])


def test_typed_cards_are_played_asked_about_or_refused(log: Path) -> None:
    hands = {"Ana": "Jc Ah Td", "Bo": "Qd 2h 3h"}
    game = dealt_game(log, hands, "5d", {"Bo": "greedy"}, "ninety-nine-pennies")

    async def steps(screen: PlayScreen) -> None:
        await screen.type("jc")
        assert game.table.count == 20
        for line, said in [("hm", "! hm is no card"), ("ah 3", "(count-called)"), ("ks", "(hold-card)")]:
            before = steps_of(game)
            await screen.type(line)
            assert said in screen.words
            assert steps_of(game) == before
        await screen.type("td")
        assert "What does the 10 of diamonds make of the Count?" in screen.text
        await screen.press("slash", "escape")
        await screen.type("ah 31")

    drive(game, steps)
    assert [event.count for event in game.events if isinstance(event, ev.CardPlayed) and event.player == "Ana"] == [
        10,
        31,
    ]


# ---- the prize, hits in between, the end ----


@pytest.mark.parametrize(("key", "kind"), [("1", ev.HitTaken), ("2", ev.HitCarried), ("3", ev.HitDonated)])
def test_what_becomes_of_the_prize_is_chosen(key: str, kind: type[ev.Event], log: Path) -> None:
    game = prize_game(log)

    async def steps(screen: PlayScreen) -> None:
        await screen.press("1")
        assert "What becomes of the prize?" in screen.text
        assert "[1] take 1 hit   [2] leave 1 hit for the next hand   [3] give 1 hit to …" in screen.text
        await screen.press(key)
        if key == "3":
            assert "To whom?" in screen.text
            assert "[1] Bo   [2] Cy" in screen.text
            await screen.press("2")
        assert "Ana has won the hand. Press enter to deal (dealer: Ana)." in screen.text
        await screen.press("enter")
        assert "hand 2 · " in screen.text

    drive(game, steps)
    assert sum(isinstance(event, kind) for event in game.events) == 1


def test_hits_are_split_by_typing_and_hits_between_plays_are_told(log: Path) -> None:
    game = prize_game(log)

    async def steps(screen: PlayScreen) -> None:
        await screen.press("l", "L", "b")
        assert [type(event).__name__ for event in game.events[-3:]] == ["LeisureHit", "LeisureHit", "BongLoaded"]
        assert "Ana takes a leisure hit and finishes the bowl" in screen.words
        await screen.press("1")
        await screen.type("take 2")
        assert "(prize)" in screen.text
        await screen.type("give bo")
        assert isinstance(game.events[-1], ev.HitDonated)

    drive(game, steps, size=LARGE)


def test_several_people_say_who_takes_the_hit(log: Path) -> None:
    game = prize_game(log, "Ana Bo Cy")

    async def steps(screen: PlayScreen) -> None:
        await screen.press("l")
        assert "Who takes a leisure hit?" in screen.text
        await screen.press("down", "enter")
        await screen.press("b", "escape")

    drive(game, steps)
    assert [event.player for event in game.events if isinstance(event, ev.LeisureHit)] == ["Bo"]
    assert not any(isinstance(event, ev.BongLoaded) for event in game.events)


def test_closing_is_asked_for_and_is_for_good(log: Path) -> None:
    game = at_99(log)

    async def steps(screen: PlayScreen) -> None:
        await screen.press("c")
        assert "without a winner, and nothing can follow." in screen.text
        await screen.press("enter")
        assert not game.closed
        await screen.press("c", "down", "enter")
        assert game.closed
        assert "The game is closed: q leaves." in screen.text
        await screen.press("enter", "1")
        assert isinstance(game.events[-1], ev.GameClosed)

    drive(game, steps)
    assert bh99("audit", str(log)).exit_code == 0


# ---- what is hidden ----


def hidden_from(game: LiveGame, seat: str | None) -> set[Card]:
    """The cards of the hands that a seat doesn't see."""
    return {card for player in game.players if player != seat for card in seen(game.table.cards_of(player))}


def shows(screen: PlayScreen, cards: set[Card]) -> list[str]:
    """Those of some cards, each there once and never played, that are on the screen or given to its panels."""
    words = screen.words
    given = screen.app.ground.query_one(LogPanel).game
    frame = screen.app.ground.query_one(TablePanel).frame
    assert given is not None
    assert frame is not None
    told = f"{given.events} {frame.view}"
    return [
        card for card in cards if re.search(rf"\b{card}\b", words) or card_name(card) in words or f"'{card}'" in told
    ]


@pytest.mark.parametrize(("seed", "size"), [(3, SMALL), (5, LARGE)])
def test_several_people_never_see_each_others_hands(seed: int, size: tuple[int, int], log: Path) -> None:
    game = new_game(log, ["Ana", "Ben", "Cy"], {"Bo": "random"}, seed=seed)
    looked = []

    async def steps(screen: PlayScreen) -> None:
        await screen.press("enter")
        while game.waits_for in game.people and len(game.table.next_in) > 1:
            player = game.waits_for
            assert f"{player}: press enter when only you look" in screen.words
            assert screen.offers == []
            assert shows(screen, hidden_from(game, None)) == []
            await screen.press("1", "colon")
            assert shows(screen, hidden_from(game, None)) == []
            await screen.press("enter")
            assert f"as {player} sees it" in screen.text
            own = set(seen(game.table.cards_of(player)))
            assert set(shows(screen, own)) == own
            assert shows(screen, hidden_from(game, player)) == []
            looked.append(player)
            await screen.press(CHOICE_KEYS[next(at for at, offer in enumerate(screen.offers) if offer.choices)])

    drive(game, steps, size=size)
    assert len(set(looked)) == 3


def test_a_refusal_before_everybodys_eyes_tells_of_no_hand(log: Path) -> None:
    game = dealt_game(log, {"Ana": "Ks 5d 9h Td", "Ben": "2d 2h 9c 9s", "Cy": "3d 3h 8c 8s"})
    game.do(SmokeLeisure(player="Cy", finished=True))

    async def steps(screen: PlayScreen) -> None:
        await screen.press("b", "enter")
        assert "! Ana loads, but the duty is Cy's (loader)" in screen.words
        assert shows(screen, hidden_from(game, None)) == []

    drive(game, steps)


def test_a_refusal_is_gone_when_the_next_person_comes(log: Path) -> None:
    game = dealt_game(
        log,
        {"Ana": "Ks 5d 9h Td", "Ben": "2d 2h 9c 9s", "Cy": "3d 3h 8c 8s"},
        "3c 9d",
        plays=[PlayCard(player="Ana", card="Ks"), PlayCard(player="Ben", card="2d")],
    )

    async def steps(screen: PlayScreen) -> None:
        assert "Ana: press enter" in screen.text, "Cy is out"
        await screen.press("enter", "1")
        assert "the 10 of diamonds" in screen.words
        await screen.press("2")
        assert "Ben: press enter" in screen.text
        assert "the 10 of diamonds" not in screen.words

    drive(game, steps)


def test_one_person_always_sees_their_hand_and_no_other(log: Path) -> None:
    game = new_game(log, ["Ana"], {"Bo": "greedy", "Kim": "random"}, seed=8)

    async def steps(screen: PlayScreen) -> None:
        await screen.press("enter")
        for _ in range(3):
            own = set(seen(game.table.cards_of("Ana")))
            assert set(shows(screen, own)) == own
            assert shows(screen, hidden_from(game, "Ana")) == []
            await screen.press(CHOICE_KEYS[next(at for at, offer in enumerate(screen.offers) if offer.choices)])

    drive(game, steps)


# ---- bots, leaving and going on ----


async def play_on(screen: PlayScreen, most: int) -> None:
    """Press the keys of somebody who plays the first card that may be played, and takes every hit."""
    for _ in range(most):
        if screen.game.over:
            return
        offers = [offer for offer in screen.offers if offer.choices]
        await screen.press(CHOICE_KEYS[screen.offers.index(offers[0])] if offers else "enter")


def test_bots_play_the_hand_to_its_end_when_the_person_is_out(log: Path) -> None:
    hands = {"Ana": "Ks 5d 3h 6d", "Bo": "2d 2h 9c 9s", "Kim": "9d 9h 2s 2c"}
    game = dealt_game(log, hands, "4s", {"Bo": "greedy", "Kim": "careful"})

    async def steps(screen: PlayScreen) -> None:
        await screen.press("1")
        assert "Ana  out" in screen.text
        assert "Press enter to deal" in screen.text

    drive(game, steps)
    assert game.between_hands
    out = next(at for at, event in enumerate(game.events) if isinstance(event, ev.PlayerEliminated))
    by_bots = [event for event in game.events[out:] if isinstance(event, ev.CardPlayed)]
    assert len(by_bots) > 3
    assert {event.player for event in by_bots} == {"Bo", "Kim"}


def test_a_game_that_was_left_is_gone_on_with_at_the_same_table(log: Path) -> None:
    shown = []

    async def first(screen: PlayScreen) -> None:
        await play_on(screen, 4)
        shown.append(screen.text)
        await screen.press("q")
        assert screen.app._exit

    async def second(screen: PlayScreen) -> None:
        assert screen.text == shown[0]
        await play_on(screen, 2)
        assert screen.text != shown[0]

    game = new_game(log, ["Ana"], {"Bo": "greedy", "Kim": "careful"}, seed=8)
    drive(game, first)
    again = same_game(log)
    assert (again.events, again.bots) == (game.events, game.bots)
    drive(again, second)


@pytest.mark.parametrize(
    ("rules", "people", "bots"),
    [
        ("ninety-nine-tokens", ["Ana", "Ben"], {}),
        ("ninety-nine-pennies", ["Ana"], {"Bo": "random"}),
    ],
)
def test_a_match_is_played_to_its_end_with_keys(rules: str, people: list[str], bots: dict[str, str], log: Path) -> None:
    game = new_game(log, people, bots, rules, seed=4)

    async def steps(screen: PlayScreen) -> None:
        await play_on(screen, 600)
        [won] = [event for event in game.events if isinstance(event, ev.MatchWon)]
        assert f"{won.player} has won the match. c closes the game, q leaves it open." in screen.words
        await screen.press("enter", "c", "down", "enter")
        assert "The game is closed" in screen.text

    drive(game, steps)
    assert isinstance(game.events[-1], ev.GameClosed)
    found = audit_log(str(log))
    assert (found.findings, found.line) == ([], len(game.events))


def test_an_evening_of_bong_hit_99_is_clean(log: Path) -> None:
    game = new_game(log, ["Ana"], {"Bo": "random", "Kim": "careful", "Lou": "greedy"}, seed=11)

    async def steps(screen: PlayScreen) -> None:
        while len([event for event in game.events if isinstance(event, ev.HandWon)]) < 3:
            await play_on(screen, 1)

    drive(game, steps)
    assert audit_log(str(log)).findings == []


def test_the_story_is_read_back_and_on(log: Path) -> None:
    async def steps(screen: PlayScreen) -> None:
        await screen.press("up", "up")
        assert ">4" in screen.text
        await screen.press("pagedown")
        assert ">5" in screen.text
        await screen.press("2")
        assert f">{steps_of(screen.game)}" in screen.text

    drive(at_99(log), steps)


def test_a_disk_that_is_full_ends_the_game_with_a_message(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = at_99(log)
    before: list[ev.Event] = []

    def full(self: FileKeeper, events: object) -> None:
        raise LogUnwritable("g.jsonl", "can't be written: No space left on device")

    async def steps(screen: PlayScreen) -> None:
        before.extend(game.events)
        monkeypatch.setattr(FileKeeper, "add", full)
        await screen.press("2")
        assert screen.app._exit

    app = drive(game, steps)
    assert isinstance(app.ended_by, LogUnwritable)
    monkeypatch.undo()
    assert same_game(log).events == before


# ---- help, size, colours ----


@pytest.mark.parametrize("key", ["question_mark", "f1"])
def test_help_lists_every_key(key: str, log: Path) -> None:
    async def steps(screen: PlayScreen) -> None:
        await screen.press(key)
        shown = screen.words
        for _ in range(20):
            await screen.press("down")
            shown += screen.words
        for each in (CHOOSE, *KEYS):
            assert f"{each.shown} {each.does}" in shown
        await screen.press("escape")
        assert "Choose a card:" in screen.text

    drive(at_99(log), steps)


def test_every_key_is_documented_and_chooses_but_one_thing() -> None:
    part = PAGE.split("\n## Keys\n")[1].split("\n## ")[0]
    for key in (CHOOSE, *KEYS):
        assert any(key.does in line and f"`{key.shown.split()[0]}`" in line for line in part.splitlines()), key.does
    names = [name for key in (CHOOSE, *KEYS) for name in key.keys.split(",")]
    assert len(set(names)) == len(names)


def test_a_terminal_that_is_too_small_is_told_so(log: Path) -> None:
    async def steps(screen: PlayScreen) -> None:
        assert "This terminal is 79 by 24; the table needs 80 by 24." in screen.text
        assert "5d" not in screen.text
        await screen.pilot.resize_terminal(80, 24)
        await screen.pilot.pause()
        assert "(1) 5d" in screen.text

    drive(at_99(log), steps, size=(79, 24))


def test_light_and_dark_show_the_same(log: Path) -> None:
    async def steps(screen: PlayScreen) -> None:
        text, colours = screen.text, screen.app.screen._compositor.render_strips()
        await screen.press("t")
        assert screen.text == text
        assert screen.app.screen._compositor.render_strips() != colours

    drive(at_99(log), steps)


# ---- the command ----


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[LiveGame]]:
    """The games that a screen was opened for; the screens themselves are left at once."""
    opened: list[LiveGame] = []
    monkeypatch.setattr("cli.play.can_draw", lambda: True)
    monkeypatch.setattr("cli.playing.play_at", opened.append)
    yield opened


def play(*arguments: object) -> Result:
    return bh99("play", *map(str, arguments))


def test_where_nothing_can_be_drawn_nothing_is_begun(tmp_path: Path) -> None:
    result = play(tmp_path / "g.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("bh99 play draws a whole screen; expected a terminal")
    assert list(tmp_path.iterdir()) == []


def test_one_person_plays_against_two_bots_in_a_new_stored_game(screens: list[LiveGame], tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/games.sqlite"
    names = []
    for _ in range(2):
        result = play("--store", store)
        assert result.exit_code == 0, result.stderr
        game = screens[-1]
        assert game.players == ["Guest", "Bo", "Kim"]
        assert game.bots == {"Bo": "careful", "Kim": "greedy"}
        assert game.rules.name == "bong-hit-99"
        names.append(game.keeper.name)
        assert f"go on with: bh99 play {names[-1]} --store {store}\n" in result.stdout
    assert [re.fullmatch(r"play-\d{8}-(\d)", name)[1] for name in names] == ["1", "2"]  # type: ignore[index]
    assert play(names[0], "--store", store).exit_code == 0
    assert screens[-1].events == screens[0].events
    keeper = open_keeper(names[0], store)
    assert keeper.events() == screens[0].events
    keeper.close()


def test_bots_take_no_name_of_a_person_and_several_people_need_none(screens: list[LiveGame], tmp_path: Path) -> None:
    assert play(tmp_path / "a.jsonl", "--players", "bo,Kim", "--bots", "random", "--bots", "greedy").exit_code == 0
    assert screens[-1].bots == {"Lou": "random", "Max": "greedy"}
    assert play(tmp_path / "b.jsonl", "--players", "Ana", "--players", "Ben, Cy").exit_code == 0
    assert (screens[-1].people, screens[-1].bots) == (["Ana", "Ben", "Cy"], {})


def test_a_seed_gives_the_same_hands(screens: list[LiveGame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = []
    monkeypatch.setattr("cli.playing.play_at", lambda game: dealt.append(game.deal()[0].hands))
    for seed in (5, 5, 6):
        assert play(tmp_path / f"{len(dealt)}.jsonl", "--seed", seed, "--rules", FIVE_CHOOSES).exit_code == 0
    assert dealt[0] == dealt[1] != dealt[2]
    assert [len(hand) for hand in dealt[0].values()] == [5, 5, 5]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", "Ana,Cy"], "has begun already, with Ana, Ben"),
        (["--bots", "random"], "has begun already, with these bots: careful"),
        (["--rules", "ninety-nine-chips"], "has begun already, and is played by bong-hit-99@"),
        (["--seed", "3"], "a seed is for a new game"),
    ],
)
def test_options_that_contradict_the_game_are_refused(
    options: list[str], message: str, screens: list[LiveGame], log: Path
) -> None:
    same = ["--players", "Ana,Ben", "--bots", "careful", "--rules", "bong-hit-99"]
    assert play(log, *same).exit_code == 0
    assert play(log, *same).exit_code == 0
    written = log.read_bytes()
    result = play(log, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.replace("│", " ").split())
    assert (len(screens), log.read_bytes()) == (2, written)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bots", "clever"], "there is no bot called clever; expected some of: random, greedy, careful"),
        (["--players", ","], "expected at least one name"),
        (["--players", "A" * 41], "40"),
        (["--players", "Ana\x07"], "has a control character"),
        (["--players", "Ana,Ana"], "called Ana"),
        (["--players", "Ana", "--bots", ""], "expected 2 at least"),
        (["--bots", ",".join(["random"] * 13)], "14 players"),
        (["--rules", "whist"], "whist"),
        (["--seed", "-1"], "-1"),
    ],
)
def test_a_game_that_cannot_be_begun_leaves_nothing_behind(
    options: list[str], message: str, screens: list[LiveGame], log: Path
) -> None:
    result = play(log, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.replace("│", " ").split())
    assert (screens, log.exists()) == ([], False)


def test_a_game_that_was_closed_or_not_played_here_is_not_gone_on_with(screens: list[LiveGame], log: Path) -> None:
    result = play(FIXTURES / "friday-late.jsonl")
    assert (result.exit_code, screens) == (2, [])
    assert "was not played here" in result.stderr
    game = at_99(log)
    game.keeper.add([ev.GameClosed()])
    game.keeper.close()
    result = play(log)
    assert (result.exit_code, screens) == (2, [])
    assert "was closed" in result.stderr


def test_it_says_how_to_see_a_game_that_was_closed(
    screens: list[LiveGame], log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.playing.play_at", lambda game: game.do(CloseGame()))
    assert play(log).stdout == f"The game is closed; see it with: bh99 replay {log}\n"
    assert bh99("replay", str(log)).exit_code == 0


def test_help_is_enough_to_begin() -> None:
    text = " ".join(bh99("play", "-h").stdout.split())
    for words in ("Enter deals", "key ? lists the keys", "q leaves", "bh99 play GAME goes on with it", "Examples:"):
        assert words in text


# ---- on a terminal ----


def test_a_game_on_a_terminal_is_played_left_and_gone_on_with(open_terminal: Open, log: Path) -> None:
    command = ("play", str(log), "--players", "Ana,Ben", "--seed", "2", "--rules", "ninety-nine-pennies")
    screen = open_terminal(*command)
    screen.wait_for("Press enter to deal")
    screen.press("\r", "press enter when only you look")
    screen.press("\r", "Choose a card")
    screen.press("q", "go on with: bh99 play")
    assert screen.status() == 0
    assert len(log.read_text().splitlines()) == 2
    again = open_terminal("play", str(log))
    again.wait_for("press enter when only you look")
    again.press("\r", "Choose a card")
    again.press(":", "play: ")
    again.press("9\r", "is no card")
    again.process.send_signal(signal.SIGTERM)
    assert again.status() == 128 + signal.SIGTERM
    assert again.is_as_before()
    assert "Traceback" not in again.seen


def test_a_game_that_somebody_else_adds_to_ends_with_a_message_and_status_2(open_terminal: Open, log: Path) -> None:
    store = f"sqlite:///{log.parent}/games.sqlite"
    screen = open_terminal("play", "evening", "--store", store, "--players", "Ana,Ben")
    screen.wait_for("Press enter to deal")
    keeper = open_keeper("evening", store)
    assert [type(event) for event in keeper.events()] == [ev.GameOpened]
    keeper.add([ev.BongLoaded(player="Ben")])
    keeper.close()
    os.write(screen.ours, b"\r")
    assert screen.status() == 2
    assert "evening: the game has 2 lines; expected 1" in screen.seen.rpartition("\x1b[?1049l")[2]
    assert screen.is_as_before()


def test_a_file_that_is_being_played_is_not_opened_twice(screens: list[LiveGame], log: Path) -> None:
    keeper = FileKeeper(str(log))
    result = play(log)
    assert (result.exit_code, screens) == (2, [])
    assert "another program is writing to it" in result.stderr
    keeper.close()
