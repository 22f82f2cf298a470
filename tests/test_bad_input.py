"""Logs that can't be read: each bad line is named, with column and field, and nothing is guessed."""

import gzip
import json
import os
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bh99.errors import LogUnreadable, Problem
from bh99.logs import open_log
from projections.printable import printable

OPENED = '{"type":"game_opened","format":1,"rules":"bong-hit-99","players":["Ann","Bob"]}\n'
WON = '{"type":"hand_won","player":"Ann"}\n'


def write(folder: Path, data: bytes | str) -> str:
    path = folder / "game.jsonl"
    path.write_bytes(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    return str(path)


def problems_in(folder: Path, data: bytes | str) -> list[Problem]:
    log = open_log(write(folder, data))
    with pytest.raises(LogUnreadable) as caught:
        for _ in log.batches():
            pass
    assert caught.value.name == log.name
    for problem in caught.value.problems:
        assert printable(str(problem), None) == str(problem)
        assert len(problem.message) < 400
    with pytest.raises(LogUnreadable) as again:
        list(log.batches())
    assert again.value.problems == caught.value.problems
    return caught.value.problems


def play(count: str) -> str:
    return f'{{"type":"card_played","player":"Ann","card":"5h","count":{count}}}\n'


def only(folder: Path, line: str | bytes) -> Problem:
    """The only problem of a log whose third line is the one given."""
    line = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    (problem,) = problems_in(folder, (OPENED + WON).encode() + line.removesuffix(b"\n") + b"\n" + WON.encode())
    assert problem.line == 3
    return problem


@pytest.mark.parametrize("count", ["99.0", '"99"', "true", "NaN", "1e2", "-Infinity", "01", "1.", "[1]", "{}", "+1"])
def test_a_count_is_a_whole_number(tmp_path: Path, count: str) -> None:
    problem = only(tmp_path, play(count))
    assert (problem.column, problem.field) == (58, "count")
    assert problem.message.startswith("expected a whole number, got ")


def test_a_problem_is_one_line_with_file_line_column_and_field(tmp_path: Path) -> None:
    text = str(only(tmp_path, play("99.0")))
    assert text == f'{tmp_path}/game.jsonl:3:58: field "count": expected a whole number, got 99.0'


@pytest.mark.parametrize(
    ("line", "column", "field", "message"),
    [
        ('{"type":"hand_wonn","player":"Ann"}', 9, "type", "expected the type of an event"),
        ('{"type":3,"player":"Ann"}', 9, "type", "expected the type of an event, got 3"),
        ('{"player":"Ann"}', 1, "type", "missing"),
        ('{"type":"hand_won","player":"Ann","winner":1}', 35, "winner", "unknown field"),
        ('{"type":"hand_won"}', 1, "player", "missing"),
        ('{"type":"hand_won","player":null}', 29, "player", "expected text, got null"),
        ('{"type":"hand_won","player":""}', 29, "player", "expected a name of 1 to 40 characters"),
        (f'{{"type":"hand_won","player":"{"x" * 41}"}}', 29, "player", "expected a name of 1 to 40 characters"),
        ('{"type":"card_drawn","player":"Ann","card":"Zz"}', 44, "card", "expected a card such as Ac, Td or Qs"),
        ('{"type":"card_drawn","player":"Ann","card":5}', 44, "card", "expected a card such as Ac, Td or Qs, got 5"),
        ('{"type":"cards_shown","player":"Ann","cards":["10d",null]}', 53, "cards", "expected a card"),
        (
            '{"type":"hand_dealt","dealer":"Ann","hands":{"Ann":["10d","A♣"],"Bob":["Qx"]},"stock":null}',
            72,
            "hands",
            'expected a card such as Ac, Td or Qs, got "Qx"',
        ),
        (
            '{"type":"hand_dealt","dealer":"Ann","hands":{"Ann":[]},"stock":null,"tokens":{"Ann":1,"Bob":1.5}}',
            93,
            "tokens",
            "expected a whole number, got 1.5",
        ),
        ('{"type":"hand_dealt","dealer":"Ann","hands":{"":[]},"stock":null}', 46, "hands", "expected a name"),
        ('{"type":"taken_back","about":0,"why":"scribe"}', 30, "about", "expected a whole number of at least 1"),
        ('{"type":"taken_back","about":2,"why":"fun"}', 38, "why", "expected one of player, scribe"),
        ('{"type":"hand_won","player":"Ann","at":"2026-11-27T20:15:00"}', 40, "at", "expected a time with an offset"),
        ('{"type":"hand_won","player":"Ann","at":1700000000}', 40, "at", "expected a time with an offset"),
        ('{"type":"hand_won","player":"Ann","seq":0}', 41, "seq", "expected a whole number of at least 1, got 0"),
        ('{"type":"hand_won","player":"Ann","ext":[]}', 41, "ext", "expected an object, got a list"),
        ('{"type":"hand_won","player":"Ann","ext":{"a":1e999}}', 46, "ext", "the number 1e999 is out of range"),
        ("[1]", 1, None, "expected an event, which is an object, got a list"),
        ("null", 1, None, "expected an event, which is an object, got null"),
        ("hello", 1, None, "expected an event, got hello"),
        ('{"type":"hand_won","player":"Ann"} x', 36, None, "expected the end of the line after the event, got x"),
        ('{"type":"hand_won","player":"Ann"}{"type":"game_closed"}', 35, None, "expected the end of the line"),
        ('{"type":"hand_won","player":"Ann",}', 35, None, "expected a field's name in quotes"),
        ('{"type":"hand_won","player":"Ann"', 34, "player", 'expected "," or "}", but the line ends here'),
        ('{"type":"hand_won","player":"Ann', 33, "player", "expected a quote that ends the text"),
        ('{"type":"hand_won","player":"A\x01"}', 31, "player", "expected no raw control character"),
        ('{"type":"hand_won","player":"A\\x"}', 31, "player", "expected an escape that JSON knows"),
        ('{"type":"hand_won","player":"A\\ud800"}', 29, "player", "expected whole characters"),
        ("\ufeff" + WON, 1, None, "expected an event, got \\ufeff"),
        ('{"type":"hand_won","player":"Ann"}\0', 35, None, "expected the end of the line"),
        (b'{"type":"hand_won","player":"\xc3\xa9\xff"}', 31, None, "expected UTF-8, got the byte 0xff"),
        (b'{"type":"hand_won","\xff":"Ann"}', 21, None, "expected UTF-8, got the byte 0xff"),
        ('{"type":"hand_won","player":"\ud800"}', 30, None, "expected UTF-8"),
    ],
)
def test_a_bad_line_is_named_with_column_and_field(
    tmp_path: Path, line: str | bytes, column: int, field: str | None, message: str
) -> None:
    problem = only(tmp_path, line)
    assert (problem.column, problem.field) == (column, field)
    assert problem.message.startswith(message)


@pytest.mark.parametrize(
    ("line", "column", "field"),
    [
        ('{"type":"hand_won","player":"Ann","player":"Ann"}', 35, "player"),
        ('{"type":"hand_won","player":"Ann","type":"hand_won"}', 35, "type"),
        ('{"type":"hand_won","type":"bong_loaded","player":"Ann"}', 20, "type"),
        ('{"type":"hand_won","player":"Ann","\\u0070layer":"Ann"}', 35, "player"),
        ('{"type":"hand_won","player" : "Ann" , "player" : "Ann"}', 39, "player"),
        ('{"type":"hand_dealt","dealer":"Ann","hands":{"Ann":[],"Ann":[]},"stock":null}', 55, "hands"),
        ('{"type":"hand_won","player":"Ann","ext":{"a":[{"b":1,"b":1}]}}', 54, "ext"),
        ('{"type":"hand_won","player":"Ann","note":",,,,","note":"a\\u002c"}', 49, "note"),
        ('{"type":"card_drawn","player":"Ann","card":"10d","card":"10d"}', 50, "card"),
    ],
)
def test_a_key_stands_once_in_an_object(tmp_path: Path, line: str, column: int, field: str) -> None:
    problem = only(tmp_path, line)
    assert (problem.column, problem.field) == (column, field)
    assert problem.message.endswith("stands twice in one object; expected it once")


NAMES = st.sampled_from(["Ann", "Zoë", "target", "at", 'a,":b'])
ORDINARY = st.sampled_from(
    [
        {"type": "bong_loaded", "player": "Ann"},
        {"type": "card_played", "player": "Ann", "card": "Qs", "count": 99, "target": "Bob"},
        {"type": "card_played", "player": "Ann", "card": None, "count": None, "target": None},
        {"type": "hand_dealt", "dealer": "Ann", "hands": {"target": ["Ac", None], "at": []}, "stock": [None]},
        {"type": "card_drawn", "player": 'a,":b', "card": "10d", "note": ":a, b", "ext": {"x": {"y": [1, {"z": 2}]}}},
        {"type": "hand_won", "player": "Zoë", "at": "2026-11-27T20:15:00+01:00", "seq": 7},
        {"type": "hand_won", "player": "Zoë", "at": "2026-11-27T20:15:00Z", "note": "a\\u002cb, c"},
    ]
)


def written(value: Any, style: str, double: list[int]) -> str:
    """JSON text; the object whose turn it is when double[0] comes to 0 gets its key double[1] once more."""
    comma, colon = {"compact": (",", ":"), "json": (", ", ": "), "odd": (" ,\t", " : ")}[style]
    if isinstance(value, list):
        return "[" + comma.join(written(part, style, double) for part in value) + "]"
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=style == "odd").replace("\\\\u002c", "\\u002c")
    turn, double[0] = double[0], double[0] - 1
    parts = [f"{json.dumps(key)}{colon}{written(part, style, double)}" for key, part in value.items()]
    if turn == 0 and parts:
        parts.insert(double[1] % (len(parts) + 1), parts[double[2] % len(parts)])
        double[3] += 1
    return "{" + comma.join(parts) + "}"


@given(
    lines=st.lists(st.tuples(ORDINARY, st.sampled_from(["compact", "json", "odd"])), min_size=1, max_size=8),
    bad=st.integers(0, 7),
    turn=st.integers(0, 3),
    put=st.integers(0, 9),
    which=st.integers(0, 9),
    many=st.sampled_from([0, 0, 0, 6000]),
)
@settings(max_examples=150, deadline=None)
def test_a_key_doubled_anywhere_is_refused_with_its_line(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[tuple[dict[str, Any], str]],
    bad: int,
    turn: int,
    put: int,
    which: int,
    many: int,
) -> None:
    texts = [written(event, style, [-1, 0, 0, 0]) for event, style in lines]
    bad %= len(lines)
    double = [turn, put, which, 0]
    texts[bad] = written(*lines[bad], double)
    data = OPENED + WON * many + "".join(text + "\n" for text in texts) + WON * many
    path = write(tmp_path_factory.mktemp("double"), data)
    if double[3]:
        with pytest.raises(LogUnreadable) as caught:
            for _ in open_log(path).batches():
                pass
        (problem,) = caught.value.problems
        assert problem.line == 2 + many + bad
        assert "stands twice" in problem.message
    else:
        assert sum(map(len, open_log(path).batches())) == 1 + 2 * many + len(lines)


def test_an_event_may_not_run_over_two_lines_even_if_another_line_holds_two(tmp_path: Path) -> None:
    data = OPENED + WON + WON.strip() + WON + '{"type":"hand_won",\n"player":"Ann"}\n' + WON
    assert [problem.line for problem in problems_in(tmp_path, data)] == [3, 4, 5]


@pytest.mark.parametrize("blank", ["", "\n \n"])
def test_problems_name_the_physical_line(tmp_path: Path, blank: str) -> None:
    (problem,) = problems_in(tmp_path, "\n" + OPENED + blank + play("99.0") + WON)
    assert problem.line == 3 + blank.count("\n")


def test_the_first_20_bad_lines_are_named_in_one_run_and_no_batch_comes_behind_a_bad_one(tmp_path: Path) -> None:
    good = WON * 20_000
    data = OPENED + good + play("9.5") + good + (play("9.5") + WON + WON.replace("}", ',"player":"Ann"}')) * 15 + good
    log = open_log(write(tmp_path, data))
    seen = 0
    with pytest.raises(LogUnreadable) as caught:
        for batch in log.batches():
            seen += len(batch)
    assert 1 <= seen <= 20_001
    first = [40_003 + 3 * number + more for number in range(15) for more in (0, 2)]
    assert [problem.line for problem in caught.value.problems] == [20_002, *first[:19]]


def test_a_line_over_1_mib_is_refused_and_reading_goes_on(tmp_path: Path) -> None:
    def noted(size: int) -> str:
        start = '{"type":"hand_won","player":"Ann","note":"'
        return start + "x" * (size - len(start) - 2) + '"}\n'

    assert sum(map(len, open_log(write(tmp_path, OPENED + noted(2**20) + WON)).batches())) == 3
    for size in (2**20 + 1, 2**20 + 300_000, 3 * 2**20):
        problems = problems_in(tmp_path, OPENED + noted(size) + WON + play("9.5"))
        assert [problem.line for problem in problems] == [2, 4]
        assert problems[0].message == "the line is too long; expected at most 1 MiB (1,048,576 bytes)"
    assert [problem.line for problem in problems_in(tmp_path, OPENED + "x" * 2**21)] == [2]


def test_a_line_of_50_mb_is_not_held_in_memory(tmp_path: Path) -> None:
    path = write(tmp_path, OPENED + '{"type":"hand_won","player":"' + "x" * 50_000_000 + '"}\n' + WON)
    tracemalloc.start()
    try:
        with pytest.raises(LogUnreadable):
            list(open_log(path).batches())
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "1}")])
def test_deep_nesting_is_an_error_not_a_crash(tmp_path: Path, opening: str, closing: str) -> None:
    deep = opening * 100_000 + ("1" if closing == "1}" else "") + closing.replace("1", "") * 100_000
    problem = only(tmp_path, f'{{"type":"hand_won","player":"Ann","ext":{{"a":{deep}}}}}')
    assert (problem.field, problem.message) == ("ext", "nested too deeply")


def test_a_number_of_any_length_is_read_or_refused(tmp_path: Path) -> None:
    log = open_log(write(tmp_path, OPENED + play("123456789012345678901234567890")))
    assert sum(map(len, log.batches())) == 2
    assert only(tmp_path, play("9" * 5000)).field == "count"
    both = play("123456789012345678901234567890").replace("}", ',"count":1}')
    assert "stands twice" in only(tmp_path, both).message


@pytest.mark.parametrize(
    ("old", "new", "field", "message"),
    [
        ('"format":1', '"format":2', "format", "the log has format 2, later than the last one known here; expected 1"),
        ('"format":1', '"format":0', "format", "expected the format 1, got 0"),
        ("-99", "-99@2", "rules", "edition 2 of bong-hit-99 is later than the last one known here, 1"),
        ("bong-hit-99", "poker", "rules", "rules 'poker' are not known here"),
        ("-99", "-99@x", "rules", "bong-hit-99 has no edition 'x'; expected one of: 1"),
        ("-99", "-99+turbo", "rules", "'turbo' is no option of bong-hit-99, or stands twice; its options: none"),
        ('"bong-hit-99"', '{"limit":99}', "rules", "missing, and has no default: `name`"),
        ('"bong-hit-99"', '{"base":"bong-hit-99","limit":9}', "rules", "name: expected a name of its own"),
        ('"bong-hit-99"', '{"base":"poker","name":"x"}', "rules", "base: rules 'poker' are not known here"),
        (
            '"bong-hit-99"',
            '{"base":"bong-hit-99","name":"x","effects":{"A":{"ad":[1]}}}',
            "rules",
            "effects.A: there is no such key",
        ),
        ('"bong-hit-99"', '{"base":"bong-hit-99","name":"x","hand_size":0}', "rules", "hand_size: expected 1 or more"),
        ("Bob", "Ann", "players", 'expected each name once, got "Ann" twice'),
        ("Bob", "B\\u0007b", "players", 'the name "B\\x07b" has a control character (U+0007)'),
    ],
)
def test_a_game_that_is_not_known_here_is_refused(tmp_path: Path, old: str, new: str, field: str, message: str) -> None:
    (problem,) = problems_in(tmp_path, OPENED.replace(old, new) + WON)
    assert (problem.line, problem.field) == (1, field)
    assert problem.message.startswith(message)
    with pytest.raises(LogUnreadable):
        _ = open_log(str(tmp_path / "game.jsonl")).opened


def test_a_line_with_several_faults_is_named_once(tmp_path: Path) -> None:
    twice = WON.replace("Ann", "A\x7f").replace("}", ',"player":"A\x7f"}')
    opened = OPENED.replace("Bob", "Ann").replace("}", ',"format":1}')
    assert [problem.line for problem in problems_in(tmp_path, opened + twice + opened)] == [1, 2, 3]


def test_of_a_later_format_only_that_is_said(tmp_path: Path) -> None:
    later = OPENED.replace('"format":1', '"format":2,"weather":"fine"') + '{"type":"dog_barked"}\n'
    (problem,) = problems_in(tmp_path, later)
    assert problem.field == "format"


def test_the_first_line_opens_the_game(tmp_path: Path) -> None:
    problems = problems_in(tmp_path, WON + OPENED)
    assert [problem.line for problem in problems] == [1, 2]
    assert problems[0].message == "expected a game_opened on the first line, got hand_won"


@pytest.mark.parametrize("before", [1, 30_000])
def test_two_logs_in_one_file_are_refused(tmp_path: Path, before: int) -> None:
    (problem,) = problems_in(tmp_path, OPENED + WON * before + OPENED + WON)
    assert problem.line == before + 2
    assert problem.message.startswith("a second game_opened")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_another_encoding_is_named(tmp_path: Path, encoding: str) -> None:
    data = (OPENED + WON).encode(encoding)
    (problem,) = problems_in(tmp_path, data)
    assert problem.line == 1
    assert encoding[:6].upper() in problem.message


@pytest.mark.parametrize("data", ["\n", " \t\r\n\n", "\ufeff", "\ufeff\n"])
def test_a_log_of_nothing_but_blanks_is_empty(tmp_path: Path, data: str) -> None:
    (problem,) = problems_in(tmp_path, data)
    assert problem.message == "the log is empty; expected a game_opened on line 1"


def test_a_cut_line_with_nothing_before_it_is_an_error(tmp_path: Path) -> None:
    (problem,) = problems_in(tmp_path, "\n" + OPENED[:30])
    assert problem.line == 2
    assert problem.message.startswith("the only line is cut off")


@pytest.mark.parametrize("line", [play("9.5"), play("NaN"), WON.strip() + " x", WON.strip() + WON, "[1]"])
def test_a_last_line_that_was_not_cut_is_judged_like_any(tmp_path: Path, line: str) -> None:
    (problem,) = problems_in(tmp_path, OPENED + line.removesuffix("\n"))
    assert problem.line == 2


def test_a_gzip_file_that_is_damaged_or_cut_is_an_error(tmp_path: Path) -> None:
    lines = OPENED + "".join(WON.replace("Ann", f"Ann{number * 7919 % 10007}") for number in range(40_000))
    packed = gzip.compress(lines.encode())
    for damaged in (packed[:-9], packed[:40], packed[:3], packed[:2]):
        assert problems_in(tmp_path, damaged)[0].message == "the gzip file is cut off"
    middle = len(packed) // 2
    for damaged in (packed[:middle] + bytes(50) + packed[middle + 50 :], packed[:-8] + bytes(8), packed + b"junk"):
        assert problems_in(tmp_path, damaged)[0].message == "the gzip file is damaged"
        assert open_log(str(tmp_path / "game.jsonl")).take_backs() == []


UNFIT = {
    "\x00": "control", "\x1b": "control", "\x7f": "control", "\x9b": "control", "\n": "control",
    "\u200b": "format", "\u202e": "direction", "\u2066": "direction", "\ufeff": "format", "\xad": "format",
    "\u2028": "line separator", "\u2029": "paragraph separator", "\ue000": "private", "\uffff": "assigned",
}  # fmt: skip


@pytest.mark.parametrize("char", UNFIT)
@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"type":"hand_won","player":"%s"}', "player"),
        ('{"type":"card_played","player":"Ann","card":null,"count":null,"target":"%s"}', "target"),
        ('{"type":"hit_stolen","player":"Ann","source":"%s"}', "source"),
        ('{"type":"hit_slid","prize":"main","source":"%s","player":"Ann","card":"2c"}', "source"),
        ('{"type":"hit_donated","player":"Ann","to":"%s","prize":"main","hits":1}', "to"),
        ('{"type":"hand_dealt","dealer":"%s","hands":{},"stock":null}', "dealer"),
        ('{"type":"hand_dealt","dealer":"Ann","hands":{"%s":[]},"stock":null}', "hands"),
        ('{"type":"hand_dealt","dealer":"Ann","hands":{},"stock":null,"tokens":{"%s":1}}', "tokens"),
        ('{"type":"player_joined","player":"%s"}', "player"),
    ],
)
def test_a_name_holds_nothing_that_a_screen_obeys(tmp_path: Path, line: str, field: str, char: str) -> None:
    escaped = json.dumps(f"A{char}n")[1:-1]
    raw = escaped if char < " " else f"A{char}n"
    for name in {escaped, raw}:
        problem = only(tmp_path, line % name)
        assert problem.field == field
        assert UNFIT[char] in problem.message
        assert problem.column == line.index("%s")


@pytest.mark.parametrize("name", [" Ann", "Ann ", "\u3000Ann"])
def test_a_name_has_no_space_at_an_end(tmp_path: Path, name: str) -> None:
    assert "has a space at an end" in only(tmp_path, WON.replace("Ann", name)).message


@pytest.mark.parametrize("name", ["Zoë", "李", "J. Smith, jr.", "O'Neil", "👍", "אבג", "x" * 40, "é" * 40, '"A\\'])
def test_a_name_in_any_script_is_fine(tmp_path: Path, name: str) -> None:
    line = json.dumps({"type": "hand_won", "player": name}, ensure_ascii=False) + "\n"
    assert sum(map(len, open_log(write(tmp_path, OPENED + line + line)).batches())) == 3


def test_a_hostile_name_deep_in_a_long_log_is_found(tmp_path: Path) -> None:
    good = WON * 30_000
    (problem,) = problems_in(tmp_path, OPENED + good + WON.replace("Ann", "A\x7fn") + good)
    assert (problem.line, problem.column) == (30_002, 29)


@given(line=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
@settings(max_examples=200, deadline=None)
def test_no_line_crashes_the_reader_or_reaches_the_screen_raw(
    tmp_path_factory: pytest.TempPathFactory, line: bytes
) -> None:
    path = write(tmp_path_factory.mktemp("any"), OPENED.encode() + line + b"\n" + WON.encode())
    try:
        for _ in open_log(path).batches():
            pass
    except LogUnreadable as refused:
        assert printable(str(refused.problems[0]), None) == str(refused.problems[0])


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_a_line_with_one_byte_changed_is_read_or_named(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    line = bytearray(
        b'{"type":"hand_dealt","dealer":"Ann","hands":{"Ann":["Ac",null]},"stock":null,"ext":{"a":[1,"\\u0041"]}}'
    )
    line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    path = write(tmp_path_factory.mktemp("any"), OPENED.encode() + bytes(line) + b"\n" + WON.encode())
    try:
        assert sum(map(len, open_log(path).batches())) in (2, 3, 4)
    except LogUnreadable as refused:
        assert {problem.line for problem in refused.problems} <= {2, 3}


@pytest.mark.parametrize(
    ("path", "message"),
    [("missing.jsonl", "no such file"), (".", "this is a folder"), ("a\0b", "no such file"), ("/dev/null", "is empty")],
)
def test_what_cannot_be_opened_is_said_at_once(path: str, message: str) -> None:
    with pytest.raises(LogUnreadable, match=message) as caught:
        open_log(path)
    assert caught.value.name == path
    assert caught.value.problems[0].line is None


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogUnreadable, match="the log is empty; expected a game_opened on line 1"):
        open_log(write(tmp_path, ""))


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path, OPENED)
    monkeypatch.setattr("builtins.open", refuse)  # the superuser may read everything: a mode of 0 would not do
    with pytest.raises(LogUnreadable, match="no permission"):
        open_log(path)


def test_a_file_that_goes_away_is_an_error_of_ours(tmp_path: Path) -> None:
    log = open_log(write(tmp_path, OPENED))
    os.unlink(log.name)
    with pytest.raises(LogUnreadable, match="no such file"):
        list(log.batches())


def test_blank_lines_before_the_first_do_not_take_long(tmp_path: Path) -> None:
    start = time.perf_counter()
    assert sum(map(len, open_log(write(tmp_path, "\n" * 150_000 + OPENED)).batches())) == 1
    assert time.perf_counter() - start < 5


@given(text=st.text(), limit=st.none() | st.integers(1, 80))
def test_printable_text_is_printable_and_short(text: str, limit: int | None) -> None:
    shown = printable(text, limit)
    assert shown.isprintable()
    assert limit is None or len(shown) <= limit
    assert not text.isprintable() or (limit is not None and len(text) > limit) or shown == text


def test_printable_shows_escapes() -> None:
    assert printable("a\x1b[31m\u202eb\U000e0041") == "a\\x1b[31m\\u202eb\\U000e0041"
    assert printable("x" * 61) == "x" * 59 + "…"
    assert printable("x" * 61, None) == "x" * 61
