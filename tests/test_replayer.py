"""The full-screen replayer: every key, six screens as text, what a seat may see, a log that grows."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from cli_runs import CLEAN, FIXTURES, RULED, lines_of, shows_safely, written
from legal_games import legal_game
from legal_logs import with_hidden_cards_moved
from replayers import LARGE, SMALL, Drive, Screen, drive
from textual.events import Key

from bh99.errors import LogUnreadable, UnknownLine
from bh99.logs import open_log
from bh99.marks import Marks
from bh99.walks import Walk
from cli.replayer.app import Replayer
from cli.replayer.keys import KEYS

SIZES = [SMALL, LARGE]
EVENING = str(FIXTURES / "steals-gone-wrong.jsonl")
"""33 lines, four hands (deals on lines 2, 9, 17, 26), findings on lines 8, 15, 23, 32."""
SCREENS = Path(__file__).parent / "screens"


@pytest.fixture
def ruled(tmp_path: Path) -> str:
    """A log of 23 lines with a finding on line 13, evidence on 11 and 18, and a ruling on 19."""
    return shutil.copy(RULED, str(tmp_path / "game.jsonl"))


def names_of(keys: str) -> list[str]:
    return keys.split(",")


MOVES: list[tuple[str, list[tuple[str, int]]]] = [
    *((key, [(key, 2), (key, 3)]) for key in names_of("enter,space,right,down,l,j")),
    *((key, [("end", 33), (key, 32), (key, 31)]) for key in names_of("b,backspace,left,up,h,k")),
    *((key, [(key, 2), (key, 9), (key, 17), (key, 26), (key, 26)]) for key in ("right_square_bracket", "pagedown")),
    *((key, [("end", 33), (key, 26), (key, 17), (key, 9), (key, 2), (key, 2)]) for key in ("[", "pageup")),
    ("f", [("f", 8), ("f", 15), ("f", 23), ("f", 32), ("f", 8)]),
    ("F", [("F", 32), ("F", 23), ("F", 15), ("F", 8), ("F", 32)]),
    *((key, [("f", 8), (key, 1), (key, 1)]) for key in ("home", "less_than_sign")),
    *((key, [(key, 33), (key, 33), ("space", 33), ("b", 32)]) for key in ("end", "greater_than_sign", "G")),
    ("o", [("f", 8), ("G", 33), ("o", 8), ("o", 33)]),
    ("back at the first line", [("b", 1)]),
]


@pytest.mark.parametrize("size", SIZES)
def test_a_key_moves_to_the_line_it_names(size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        for what, moves in MOVES:
            screen.app.go_to(1, jump=False)
            for key, line in moves:
                await screen.press(key)
                assert (key, screen.line) == (key, line), what
                assert f"line {line} of 33" in screen.text
                assert any(f">{line:>2}" in row for row in screen.rows())

    drive(EVENING, steps, size=size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["g", "colon"])
def test_g_asks_for_a_line(key: str, size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        for answer, line in [("20", 20), ("33", 33), ("0", 33), ("99", 33), ("-4", 33), ("x", 33), ("", 33), ("1", 1)]:
            await screen.press(key)
            assert "line (1 to 33):" in screen.text
            await screen.type(answer)
            await screen.press("enter")
            assert screen.line == line, answer
            if answer in ("0", "99", "-4"):
                assert "expected a line from 1 to 33" in screen.text
        await screen.press(key, "5", "escape")
        assert screen.line == 1

    drive(EVENING, steps, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_slash_searches_and_n_goes_on(size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("n")
        assert "nothing was searched yet" in screen.text
        await screen.press("slash", *"deals", "enter")
        assert screen.line == 2
        for key, line in [("n", 9), ("n", 17), ("N", 9), ("N", 2), ("N", 26), ("n", 2)]:
            await screen.press(key)
            assert screen.line == line
        await screen.press("slash", *"queen of hats", "enter")
        assert "no line has “queen of hats”" in screen.text
        assert screen.line == 2
        await screen.press("slash", "escape", "slash", "enter")
        assert screen.line == 2

    drive(EVENING, steps, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_a_game_plays_on_by_itself_at_three_speeds(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.replayer.app.SPEEDS", {1: 0.2, 2: 0.1, 3: 0.05})
    load = {"type": "bong_loaded", "player": "Tom"}
    log = written(tmp_path / "g.jsonl", [*lines_of(CLEAN)[:-1], *[load] * 200])

    async def steps(screen: Screen) -> None:
        gone = {}
        for key in ("1", "2", "3", "p"):
            await screen.press("home", key)
            assert f"playing, speed {2 if key == 'p' else key}" in screen.text
            start = screen.line
            await asyncio.sleep(0.6)
            await screen.press("p")
            assert "playing" not in screen.text
            gone[key] = screen.line - start
            stopped = screen.line
            await asyncio.sleep(0.15)
            assert screen.line == stopped
        assert 1 < gone["1"] < gone["2"] < gone["3"]
        await screen.press("end", "b", "b", "3")
        while screen.app.speed:
            await asyncio.sleep(0.02)
        await screen.settle()
        assert screen.line == 235
        assert "this is the last line" in screen.text

    drive(log, steps, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_s_shows_what_one_seat_could_know(size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f")  # a line with all four cards of everybody
        assert "··" not in screen.text
        await screen.press("s", "down", "enter")
        seat = screen.app.walk.seat
        assert seat is not None
        assert screen.text.startswith(f" as {seat} sees it")
        assert screen.line == 8
        assert "·· ··" in screen.text
        await screen.press("s", "escape")
        assert screen.app.walk.seat == seat
        await screen.press("s", "k", "enter")
        assert screen.app.walk.seat is None
        assert "··" not in screen.text

    drive(EVENING, steps, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_x_explains_the_finding(size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("x")
        assert "nothing was found on this line" in screen.text
        await screen.press("f", "x")
        assert "Line 8: Lena is out and holds the ace of clubs" in screen.text
        assert "The rule (steal):" in screen.text
        await screen.press("space", "j", "pagedown")
        assert size == LARGE or "Line 8:" not in screen.text
        assert "What would have been allowed:" in screen.text
        await screen.press("b", "k", "home")
        assert "Line 8:" in screen.text
        await screen.press("escape")
        assert "line 8 of 33" in screen.text

    drive(EVENING, steps, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_enter_on_a_line_of_evidence_goes_there(ruled: str, size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("e")
        assert "there is no evidence on this line" in screen.text
        await screen.press("f", "e", "enter")
        assert screen.line == 11
        assert "o goes back to line 13" in screen.text
        await screen.press("o", "e", "down", "enter")
        assert screen.line == 18
        await screen.press("o", "e", "down", "down", "enter")
        assert screen.line == 19, "the ruling"
        await screen.press("o", "e", "escape", "enter")
        assert screen.line == 14, "enter is the next line again"
        await screen.press("f", "tab", "enter")
        assert screen.line == 11

    drive(ruled, steps, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_marks_are_kept_beside_the_log_and_never_in_it(ruled: str, size: tuple[int, int]) -> None:
    before = Path(ruled).read_bytes()
    beside = Path(f"{ruled}.marks")

    async def steps(screen: Screen) -> None:
        await screen.press("M")
        assert "not marked" in screen.text
        await screen.press("apostrophe")
        assert "no marked line" in screen.text
        await screen.press("f", "m", *"he winked", "enter")
        assert "* he winked" in screen.text
        assert beside.read_text() == '{"line":13,"comment":"he winked","seat":null}\n'
        await screen.press("space", "m", "escape", "M")
        assert "not marked" in screen.text
        await screen.press("space", "m", "enter")
        assert "* marked" in screen.text
        for key, line in [("quotation_mark", 13), ("apostrophe", 15), ("apostrophe", 13)]:
            await screen.press(key)
            assert screen.line == line
        await screen.press("m", *" twice", "enter")
        assert "* he winked twice" in screen.text
        await screen.press("apostrophe", "M")
        assert "the mark is gone" in screen.text

    drive(ruled, steps, size=size)
    assert beside.read_text() == '{"line":13,"comment":"he winked twice","seat":null}\n'
    assert Path(ruled).read_bytes() == before

    async def again(screen: Screen) -> None:
        await screen.press("apostrophe")
        assert screen.line == 13
        await screen.press("s", "down", "enter")
        assert "winked" not in screen.text, "a comment of the whole view may say what a seat can't know"

    drive(ruled, again)


@pytest.mark.parametrize("size", SIZES)
def test_y_copies_the_command_that_opens_the_line(tmp_path: Path, size: tuple[int, int]) -> None:
    log = shutil.copy(RULED, str(tmp_path / "our game.jsonl"))

    async def steps(screen: Screen) -> None:
        await screen.press("f", "y")
        assert screen.app.clipboard == f"bh99 replay '{log}' --step --at 13"
        assert "copied: bh99 replay" in screen.text
        await screen.press("s", "down", "enter", "y")
        assert screen.app.clipboard == f"bh99 replay '{log}' --step --at 13 --seat Nora"

    drive(log, steps, size=size)

    async def under_other_rules(screen: Screen) -> None:
        await screen.press("y")
        assert screen.app.clipboard.endswith(" --step --at 1 --rules bong-hit-99")

    drive(log, under_other_rules, rules="bong-hit-99")


@pytest.mark.parametrize("size", SIZES)
def test_t_is_light_or_dark(size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        colours, text = screen.strips(), screen.text
        await screen.press("t")
        assert screen.text == text
        assert screen.strips() != colours
        await screen.press("t")
        assert screen.strips() == colours

    drive(EVENING, steps, size=size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["question_mark", "f1"])
def test_help_shows_every_key(key: str, size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        await screen.press(key)
        shown = screen.text
        for _ in range(20):
            await screen.press("down")
            shown += screen.text
        for each in KEYS:
            assert each.shown in shown
            assert each.does[:30] in shown
        await screen.press("escape")
        assert "line 1 of 33" in screen.text

    drive(EVENING, steps, size=size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["q", "Q", "ctrl+c", "ctrl+q", "ctrl+d"])
def test_quitting(key: str, size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        await screen.pilot.press(key)
        await screen.pilot.pause()
        assert screen.app._exit

    assert drive(EVENING, steps, size=size).ended_by is None


@pytest.mark.parametrize("size", SIZES)
def test_ctrl_z_asks_the_terminal_to_put_it_to_sleep(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def steps(screen: Screen) -> None:
        monkeypatch.setattr(screen.app, "action_suspend_process", lambda: asked.append(True))
        await screen.press("ctrl+z")

    drive(EVENING, steps, size=size)
    assert asked == [True]


def test_every_key_of_the_list_is_tried_here() -> None:
    source = Path(__file__).read_text()
    for key in KEYS:
        for name in names_of(key.keys):
            named = {"left_square_bracket": "["}.get(name, name)
            assert f'"{named}"' in source or f"{named}," in source or f",{named}" in source, name


# ---- the mouse ----


@pytest.mark.parametrize("size", SIZES)
def test_the_mouse_points_at_lines(ruled: str, size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        await screen.pilot.click("#log", offset=(5, 4))
        await screen.settle()
        assert screen.line > 1
        await screen.press("home", "d", "u")
        width = screen.app.query_one("#bar").content_size.width
        await screen.pilot.click("#bar", offset=(width, 0))
        await screen.settle()
        assert screen.line == 23
        await screen.press("f")
        row = next(at for at, text in enumerate(screen.rows()) if "evidence, line 18" in text)
        await screen.pilot.click(offset=(6, row))
        await screen.settle()
        assert screen.line == 18

    drive(ruled, steps, size=size)


# ---- what is on the screen ----


def go(*keys: str) -> Drive:
    async def steps(screen: Screen) -> None:
        await screen.press(*keys)

    return steps


SIX = {
    "finding": (RULED, ["f"], SMALL, None),
    "slide": (str(FIXTURES / "steal-and-slide.jsonl"), ["g", "1", "1", "enter"], SMALL, None),
    "one-seat": (str(FIXTURES / "death-card.jsonl"), ["g", "3", "4", "enter"], SMALL, "Ida"),
    "twenty-seats": (str(FIXTURES / "pennies-twenty-seats.jsonl"), ["g", "1", "2", "enter"], SMALL, None),
    "wide": (EVENING, ["f", "f", "f", "e"], LARGE, None),
    "explained": (RULED, ["f", "x"], LARGE, None),
}


@pytest.mark.parametrize("name", SIX)
def test_a_screen_looks_as_it_did(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it has changed on purpose: delete the file, run the test twice, and look at what was written."""
    monkeypatch.chdir(FIXTURES.parent)
    log, keys, size, seat = SIX[name]

    async def steps(screen: Screen) -> None:
        await screen.press(*keys)
        file = SCREENS / f"{name}.txt"
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            file.write_text(screen.text, "utf-8")
            pytest.fail(f"{file.name} was not there, and was written")
        assert screen.text == file.read_text("utf-8")

    drive(str(Path(log).relative_to(FIXTURES.parent)), steps, size=size, seat=seat)


def test_lines_of_every_game_can_be_drawn() -> None:
    """The Count and the line are where they belong, and nothing steers the terminal."""

    async def steps(screen: Screen) -> None:
        for log in sorted(map(str, FIXTURES.glob("*.jsonl"))):
            screen.app.reading.walk = Walk(open_log(log))
            while screen.app.walk.go_on():
                pass
            game = screen.app.game
            for line in sorted({len(game) // 2 + 1, *list(game.shown())[:1]}):
                screen.app.go_to(line)
                await screen.pilot.pause()
                rows, count = screen.rows(), game.view_at(line).count
                assert len(rows) == 24
                assert shows_safely("\n".join(rows))
                assert ("?" if count is None else " ".join(str(count))) in rows[2]
                assert f"line {line} of {len(game)}" in rows[22]

    drive(EVENING, steps)


def test_nothing_in_a_log_steers_the_screen(tmp_path: Path) -> None:
    events = lines_of(RULED)
    events[18]["text"] = "\x1b[2J\x9b2J\u202e [red]x[/] [@click=app.leave]y[/]"
    log = written(tmp_path / "g.jsonl", events)

    async def steps(screen: Screen) -> None:
        await screen.press("f", "x", "escape", "o", "m", *"[red]", "enter")
        await screen.press("g", "1", "9", "enter")
        assert "\\x1b[2J\\x9b2J\\u202e" in screen.text
        assert "[red]x[/]" in screen.text.replace("\n", " ")
        assert shows_safely(screen.text)

    drive(log, steps, size=LARGE)


def test_a_terminal_that_is_too_small_is_told_so_and_may_grow() -> None:
    async def steps(screen: Screen) -> None:
        for size in [(79, 24), (80, 23), (20, 5), (1, 1)]:
            await screen.pilot.resize_terminal(*size)
            await screen.settle()
            if size[0] > 20:
                assert f"This terminal is {size[0]} by {size[1]}; the replayer needs 80 by" in screen.text
            assert "Count" not in screen.text
        await screen.press("space", "f")
        await screen.pilot.resize_terminal(*SMALL)
        await screen.settle()
        assert "Count" in screen.text
        assert "line 8 of 33" in screen.text
        await screen.pilot.resize_terminal(*LARGE)
        await screen.settle()
        assert len(screen.rows()) == 40

    drive(EVENING, steps)


def test_what_happens_under_a_dialog_is_there_when_it_closes(tmp_path: Path) -> None:
    texts = Path(RULED).read_bytes().splitlines(keepends=True)
    log = tmp_path / "g.jsonl"
    log.write_bytes(b"".join(texts[:19]))

    async def steps(screen: Screen) -> None:
        for keys in (["g"], ["s"], ["question_mark"]):
            await screen.press(*keys)
            await screen.pilot.resize_terminal(40, 10)
            await screen.pilot.resize_terminal(*LARGE)
            await screen.settle()
            await screen.press("escape")
            assert "line 1 of 19" in screen.text
        await screen.press("g")
        log.write_bytes(b"".join(texts))
        await grown(screen, 23)
        await screen.press("escape")
        assert "line 1 of 23" in screen.text

    drive(str(log), steps, follow=True)


# ---- one seat ----


@pytest.mark.parametrize("seed", range(2))
def test_a_seat_s_screens_tell_nothing_that_it_cannot_know(seed: int, tmp_path: Path) -> None:
    """Two logs that differ only in what the seat can't know: the same screens, with their colours, at every line."""
    events = legal_game(seed, 2 + seed, hands=1)
    seat = events[0]["players"][seed % 2]
    moved = with_hidden_cards_moved(events, seat)
    assert moved != events
    screens: list[list[list[object]]] = []
    for folder, log in (("a", events), ("b", moved)):
        (tmp_path / folder).mkdir()
        taken: list[list[object]] = []
        screens.append(taken)

        async def steps(screen: Screen, taken: list[list[object]] = taken) -> None:
            for _ in range(len(screen.app.game)):
                taken.append([screen.app.clipboard, *map(list, screen.strips())])
                if screen.app.game.findings_on(screen.line):
                    await screen.press("x")
                    taken.append([*map(list, screen.strips())])
                    await screen.press("escape")
                await screen.press("space")
            for key in ("f", "F", "n", "slash", *"queen", "enter", "n", "x"):
                await screen.press(key)
                taken.append([*map(list, screen.strips())])

        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(tmp_path / folder)
            drive(Path(written(Path("g.jsonl"), log)).name, steps, seat=seat)
    assert screens[0] == screens[1]


def test_a_seat_s_screen_tells_nothing_of_later_lines(tmp_path: Path) -> None:
    """Two logs with the same beginning, as one seat sees them there: only how long they are is another matter."""
    events = lines_of(CLEAN)
    other = [*events[:20], *({"type": "bong_loaded", "player": "Tom"} for _ in events[20:])]
    screens = []
    for folder, log in (("a", events), ("b", other)):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder / "g.jsonl", log)
        texts: list[str] = []
        screens.append(texts)

        async def steps(screen: Screen, texts: list[str] = texts) -> None:
            for line in range(2, 21):
                screen.app.go_to(line)
                await screen.settle()
                rows = screen.rows()
                texts.append("\n".join(rows[:21]))

        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(tmp_path / folder)
            drive("g.jsonl", steps, seat="Nora")
    assert screens[0] == screens[1]


# ---- reading on ----


def test_a_log_that_grows_is_followed(tmp_path: Path) -> None:
    texts = Path(RULED).read_bytes().splitlines(keepends=True)
    log = tmp_path / "g.jsonl"
    log.write_bytes(b"".join(texts[:12]))

    async def steps(screen: Screen) -> None:
        assert "line 1 of 12 · following" in screen.text
        for upto in (13, 15, 18):
            log.write_bytes(b"".join(texts[:upto]) + texts[upto][:20])
            await grown(screen, upto)
            assert screen.line == 1, "it stays where it is looked at"
        assert "a finding on line 13" in screen.text
        await screen.press("G")
        assert screen.line == 18
        log.write_bytes(b"".join(texts[:20]))
        await grown(screen, 20)
        assert screen.line == 20, "from the last line it goes along"
        await screen.press("3")
        log.write_bytes(b"".join(texts))
        await grown(screen, 23)
        while screen.line < 23:
            await asyncio.sleep(0.05)
        assert screen.app.speed == 3, "it waits for more"

    drive(str(log), steps, follow=True)


async def grown(screen: Screen, lines: int) -> None:
    """Wait until so many lines were read."""
    for _ in range(200):
        if len(screen.app.walk.whole) == lines:
            break
        await asyncio.sleep(0.05)
    assert len(screen.app.walk.whole) == lines
    await screen.settle()


def test_a_followed_log_that_is_rewritten_is_read_again(tmp_path: Path) -> None:
    texts = Path(RULED).read_bytes().splitlines(keepends=True)
    log = tmp_path / "g.jsonl"
    log.write_bytes(b"".join(texts))

    async def steps(screen: Screen) -> None:
        await screen.press("f")
        log.write_bytes(b"".join(texts[:15]))
        await grown(screen, 15)
        assert screen.line == 13
        assert "the log was rewritten" in screen.text
        (tmp_path / "new").write_bytes(b"".join(texts[:20]))
        (tmp_path / "new").replace(log)
        await grown(screen, 20)
        assert screen.line == 13

    drive(str(log), steps, follow=True)


def test_a_bad_line_further_on_ends_it_with_a_clear_error(tmp_path: Path) -> None:
    log = tmp_path / "g.jsonl"
    load = json.dumps({"type": "bong_loaded", "player": "Tom"}) + "\n"
    good = Path(CLEAN).read_text().splitlines(keepends=True)[:-1]
    log.write_text("".join(good) + load * 20_000 + "nonsense\n")

    async def steps(screen: Screen) -> None:
        while not screen.app._exit:
            await asyncio.sleep(0.01)

    app = drive(str(log), steps)
    assert isinstance(app.ended_by, LogUnreadable)
    assert f"g.jsonl:{len(good) + 20_001}:" in str(app.ended_by)


@pytest.mark.parametrize("spoil", ["bad line", "empty", "gone", "other game"])
def test_a_followed_log_that_is_spoiled_is_waited_for(spoil: str, tmp_path: Path) -> None:
    good = Path(RULED).read_bytes()
    texts = good.splitlines(keepends=True)
    log = tmp_path / "g.jsonl"
    log.write_bytes(b"".join(texts[:19]))

    async def steps(screen: Screen) -> None:
        await screen.press("f")
        if spoil == "gone":
            log.unlink()
        elif spoil == "other game":
            log.write_bytes(good.replace(b"Tom", b"Tim"))
            await grown(screen, 23)
            assert "Tim" in screen.text
            return
        else:
            log.write_bytes(b"" if spoil == "empty" else b"".join(texts[:19]) + b"nonsense\n")
        for _ in range(100):
            if screen.app.reading.trouble is not None and "rewritten" not in str(screen.app.reading.trouble):
                break
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.1)
        assert "waiting: " in screen.text
        assert screen.line == 13
        assert "must-play" in screen.text
        log.write_bytes(b"".join(texts[:21]))
        await grown(screen, 21)
        assert "waiting: " not in screen.text
        assert "the log was rewritten" in screen.text
        assert screen.line == 13

    drive(str(log), steps, follow=True)


def test_keys_that_come_too_fast_for_a_dialog_are_harmless() -> None:
    async def steps(screen: Screen) -> None:
        for keys in (["g", "5", "enter", "enter"], ["slash", "a", "enter", "enter"], ["s", *["enter"] * 5]):
            for key in keys:
                screen.app.post_message(Key(key, key if len(key) == 1 else None))
            await screen.pilot.pause()
            await screen.settle()
        await screen.press("escape", "escape")
        assert "Count" in screen.text

    drive(EVENING, steps)


def test_keys_behind_the_one_that_leaves_are_harmless() -> None:
    async def steps(screen: Screen) -> None:
        for key in ["f", "q", *["space", "f", "g", "escape"] * 20]:
            screen.app.post_message(Key(key, key if len(key) == 1 else None))
        while not screen.app._exit:
            await asyncio.sleep(0.01)

    for _ in range(3):
        assert drive(EVENING, steps).ended_by is None


@pytest.mark.parametrize(("asked", "line"), [("the end", 40_035), ("30000", 30_000), ("99999", 40_035)])
def test_what_is_asked_for_while_it_reads_is_shown_when_it_was_read(asked: str, line: int, tmp_path: Path) -> None:
    load = {"type": "bong_loaded", "player": "Tom"}
    log = written(tmp_path / "g.jsonl", [*lines_of(CLEAN)[:-1], *[load] * 40_000])
    app = Replayer(Walk(open_log(log)), Marks(log), 1, None)
    assert not app.walk.read_through

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            screen = Screen(app, pilot)
            if asked == "the end":
                app.action_ends(1)
            else:
                app._to_line(asked)
            await screen.settle()
            assert screen.line == line

    asyncio.run(run())


def test_a_line_that_a_log_does_not_have_ends_it_with_a_clear_error() -> None:
    async def steps(screen: Screen) -> None:
        while not screen.app._exit:
            await asyncio.sleep(0.01)

    app = drive(EVENING, steps, start=34)
    assert isinstance(app.ended_by, UnknownLine)


def test_a_far_line_is_shown_as_soon_as_it_was_read(tmp_path: Path) -> None:
    load = {"type": "bong_loaded", "player": "Tom"}
    log = written(tmp_path / "g.jsonl", [*lines_of(CLEAN)[:-1], *[load] * 30_000])

    async def steps(screen: Screen) -> None:
        await screen.settle()
        assert screen.line == 30_000

    drive(log, steps, start=30_000)
