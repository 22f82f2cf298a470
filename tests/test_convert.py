"""`bh99 convert`: what was written down elsewhere becomes logs, what can't be read is named, no log is written over."""

import csv
import errno
import gzip
import io
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from cli_runs import FIXTURES, ROOT, STEERS, bh99, lines_of, shell
from legal_games import legal_game
from legal_matches import legal_match
from legal_table import Event
from match_table import GAMES, HOUSE_GAMES
from tables import as_events, findings_of
from test_scribe import RULES, plain
from typer.testing import Result
from typist import typed_short, typed_whole

from bh99.audits import audit_log
from bh99.converting import Kind, convert, kind_of
from bh99.converting.rows import Header
from bh99.converting.spreadsheets import _ALSO as OTHER_NAMES
from bh99.converting.spreadsheets import COLUMNS
from bh99.errors import LogUnreadable
from bh99.scribe.words import BY_NAME, WORDS
from domain.events import EVENT_TYPES, Omittable
from projections.printable import printable

PAGE = (ROOT / "docs/converting.md").read_text("utf-8")
TABLE = "players Ana, Ben, Cy\n"
FRIDAY = f"{TABLE}deal cy\n7h 7\n4d 11\n"
OMITS = ["card_drawn", "pile_reshuffled"]
KNOWN = ", ".join(["bong-hit-99", "ninety-nine-tokens", "ninety-nine-chips", "ninety-nine-pennies"])
KNOWN += ", or a file that ends in .toml"
SEATS = ("--players", "Ana,Ben,Cy")
SEATED = {"player": "Ana"}
SHEET = 'player,event,card,count,note,at\nCy,deal,,,,\nAna,,7h,7,"two\nlines",2026-11-30T21:15:00Z\nBen,,4d,11,,\n'
PLAYED = [*list(GAMES)[::3], *HOUSE_GAMES]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def converted(content: str | bytes, *options: str, name: str = "friday.txt") -> Result:
    """Convert a file of that name with this in it."""
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return bh99("convert", name, *options)


def events_of(content: str | bytes, *options: str, name: str = "friday.txt") -> list[dict[str, Any]]:
    """The events behind the first of the one log that comes out of a file."""
    result = converted(content, *options, name=name)
    assert result.stderr == "", result.stderr
    [log] = Path().glob("*.jsonl")
    return lines_of(str(log))[1:]


def sheet(rows: Iterable[dict[str, Any]], separator: str = ",", columns: Sequence[str] = tuple(COLUMNS)) -> str:
    """A spreadsheet as a program writes one."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, delimiter=separator, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def entries(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    """What rows become behind a deal at a table of Ana, Ben and Cy that writes draws down."""
    first = {"players": "Ana, Ben, Cy", "player": "Cy", "event": "hand_dealt"}
    return events_of(sheet([first, *rows]), "--draws", name="friday.csv")[1:]


def said(result: Result) -> list[str]:
    return result.stderr.splitlines()


# ---- text files ----


def test_a_text_file_becomes_a_log() -> None:
    result = converted(f"{FRIDAY}kd 99\n")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "friday.jsonl: 5 lines, no finding\n", "")
    opened, dealt, *plays = lines_of("friday.jsonl")
    assert opened == {
        "type": "game_opened",
        "format": 1,
        "rules": "bong-hit-99",
        "players": ["Ana", "Ben", "Cy"],
        "omits": OMITS,
    }
    assert dealt["dealer"] == "Cy"
    assert [(play["player"], play["card"], play["count"]) for play in plays] == [
        ("Ana", "7h", 7),
        ("Ben", "4d", 11),
        ("Cy", "Kd", 99),
    ]


def test_headers_say_how_a_game_is_played_and_written_down() -> None:
    headers = (
        "Game: friday-1\nPLAYERS\tBig Al,  Ben ,, Cy\nrules ninety-nine-pennies\ndealer ben\ndraws\nomits tokens_lost\n"
    )
    converted(f"{headers}deal\n")
    opened, dealt = lines_of("friday-1.jsonl")
    assert (opened["game"], opened["rules"]) == ("friday-1", "ninety-nine-pennies")
    assert (opened["players"], opened["omits"]) == (["Big Al", "Ben", "Cy"], ["tokens_lost"])
    assert dealt["dealer"] == "Ben"


def test_options_say_what_a_file_does_not() -> None:
    options = ("--players", "Ana, Ben", "--rules", "ninety-nine-chips", "--dealer", "ana", "--draws")
    converted("deal\n", *options)
    opened, dealt = lines_of("friday.jsonl")
    assert (opened["players"], opened["rules"], dealt["dealer"]) == (["Ana", "Ben"], "ninety-nine-chips", "Ana")
    assert "omits" not in opened
    converted("players Cy, Dee\nrules bong-hit-99\ndealer dee\ndeal\n", *options, name="b.txt")
    opened, dealt = lines_of("b.jsonl")
    assert (opened["players"], opened["rules"], dealt["dealer"]) == (["Cy", "Dee"], "bong-hit-99", "Dee")


def test_blank_lines_and_comments_say_nothing_and_notes_are_kept() -> None:
    events = events_of(f"# friday\n\n{TABLE}  # at Ana's\n \t\ndeal cy\n\n7h 7 # loudly # twice\n   # a comment\n")
    assert [event.get("note") for event in events] == [None, "loudly # twice"]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_mark_of_the_bytes_make_no_difference(ends: str, mark: str) -> None:
    assert len(events_of(mark + FRIDAY.replace("\n", ends))) == 3


def test_names_with_spaces_stand_in_quotes_or_are_shortened() -> None:
    events = events_of('players Big Al, "quoted", Ben\ndeal ben\n"Big Al" 7h\nbig leisure\n')
    assert [event["player"] for event in events[1:]] == ["Big Al", "Big Al"]


def test_several_games_in_a_text_become_logs_of_their_own() -> None:
    text = (
        f"{FRIDAY}close\n\nplayers Dee, Eva\ndeal eva\ngame third\nplayers Ana, Dee\ndraws\ndeal dee\nkh 99\ndraws 9c\n"
    )
    result = converted(text)
    assert result.stdout.splitlines() == [
        "friday-1.jsonl: 5 lines, no finding",
        "friday-2.jsonl: 2 lines, no finding",
        "third.jsonl: 4 lines, no finding",
    ]
    assert [lines_of(f"{name}.jsonl")[0]["players"] for name in ("friday-2", "third")] == [
        ["Dee", "Eva"],
        ["Ana", "Dee"],
    ]
    assert (lines_of("friday-2.jsonl")[0]["omits"], lines_of("third.jsonl")[0].get("omits")) == (OMITS, None)
    assert lines_of("third.jsonl")[3] == {"type": "card_drawn", "player": "Ana", "card": "9c"}


def test_a_game_with_a_bad_line_does_not_keep_the_others_from_being_written() -> None:
    result = converted(f"{TABLE}deal cy\nxx\n{FRIDAY}")
    assert result.exit_code == 2
    assert result.stdout == "friday-2.jsonl: 4 lines, no finding\n"
    assert said(result) == [
        "friday.txt:3: xx: expected a card, a player or a word such as out or took",
        "friday-1.jsonl is not written: not every line of it could be read",
    ]
    assert not Path("friday-1.jsonl").exists()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("7h 7\n", 1, "who plays? expected a line such as players Ana, Ben, Cy, or --players"),
        ("# Friday\n\ndealer cy\ndeal\n", 3, "who plays? expected a line such as players Ana, Ben, Cy, or --players"),
        ("players\n", 1, "players: nothing is said behind it"),
        ("players Ana, Ana\n", 1, "two players are called Ana; expected names of their own"),
        (f"players Ana, {'B' * 41}\n", 1, "a name has 1 to 40 characters"),
        ("players Ana, B\u202en\n", 1, "a name has a format or direction character (U+202E)"),
        (f"{TABLE}dealer Zoe\n", 1, "Zoe doesn't sit here; expected one of: Ana, Ben, Cy"),
        ("players Ana, Al\ndealer a\n", 1, "a may be Ana or Al"),
        (f"{TABLE}game Friday\n", 1, "Friday is no id of a game; expected small letters, digits and dashes"),
        (f"{TABLE}game ../x\n", 1, "../x is no id of a game; expected small letters, digits and dashes"),
        (f"{TABLE}game a, b\n", 2, "game: a, b: expected one, without commas"),
        (f"{TABLE}players Dee, Eva\n", 2, "players was said already for this game"),
        (f"{TABLE}draws no\n", 2, "draws: no: nothing may stand behind it"),
        (f"{FRIDAY}rules ninety-nine-chips\n", 5, "rules stands before the first entry of a game"),
        (f"{FRIDAY}draws zz\n", 5, "zz: this isn't understood here"),
        (f"{TABLE}rules nosuch\n", 1, f"rules: rules 'nosuch' are not known here; expected one of: {KNOWN}"),
        (f"{TABLE}omits foo\n", 1, f"foo can't be left out; expected one of: {', '.join(get_args(Omittable))}"),
        (f"{FRIDAY}close\n8h 19\n", 6, "the game was closed before this line"),
        (f'{FRIDAY}"8h\n', 5, "a quotation mark is never closed"),
        (f"{FRIDAY}undo 1\n", 5, "line 1 can't be taken back; expected one from 2 on that stands"),
        (
            f"{FRIDAY}\u2028\x0b8x\n",
            5,
            "8x: expected a card, a player or a word such as out or took",
        ),
        ("# \x0c \x1c \x85 \u2028\nxx\n", 2, "who plays? expected a line such as players Ana, Ben, Cy, or --players"),
    ],
)
def test_what_cannot_be_read_in_a_text_is_named_by_its_line(text: str, line: int, message: str) -> None:
    result = converted(text)
    assert (result.exit_code, result.stdout) == (2, "")
    problem, summary = said(result)
    assert problem == f"friday.txt:{line}: {printable(message, None)}"
    assert summary.endswith(".jsonl is not written: not every line of it could be read")
    assert [path.name for path in Path().iterdir()] == ["friday.txt"]


def test_a_file_that_is_no_text_is_refused_with_its_line() -> None:
    for name, kind in (("friday.txt", "text"), ("friday.csv", "csv")):
        for ends in (b"\n", b"\r\n", b"\r"):
            content = ends.join([b"player,event", b"Ana,deal", b"Z\xfcrich,deal"])
            result = converted(content, "--from", kind, name=name)
            assert (result.exit_code, said(result)) == (2, [f"{name}:3: this is not UTF-8; expected a text file"])


@pytest.mark.parametrize("content", ["# nothing\n\n", " \n", "\ufeff\n"])
def test_a_file_in_which_nothing_stands_is_refused(content: str) -> None:
    for name, expected in (
        ("friday.txt", "players, and then entries"),
        ("friday.csv", "players, and then entries"),
        ("friday.jsonl", "a game_opened"),
    ):
        if name == "friday.txt" or "#" not in content:
            result = converted(content, "--to", "out", name=name)
            assert (result.exit_code, said(result)) == (2, [f"{name}: nothing stands in it; expected {expected}"])


# ---- spreadsheets ----


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_columns_come_in_any_order_in_any_capitals_and_under_other_names(separator: str) -> None:
    rows = ["SAID| Who |CARDS|What", "|Cy||deal", "7|Ana|7h|", '"-4"|"Ben"|4d|PLAYS', "|Cy||OUT"]
    events = events_of("".join(f"{row}\r\n".replace("|", separator) for row in rows), *SEATS, name="friday.csv")
    assert [(event["type"], event["player"], event["count"]) for event in events[1:3]] == [
        ("card_played", "Ana", 7),
        ("card_played", "Ben", -4),
    ]
    assert (events[3]["type"], events[3]["player"]) == ("player_eliminated", "Cy")


def test_a_tsv_file_is_a_spreadsheet_with_a_mark_blank_rows_and_empty_columns() -> None:
    text = "\ufeff\n\t\nplayer\tcard\tevent\t\t\n\nCy\t\tdeal\t\t\n\t\t\t\t\nAna\t7h\t\t\t \t\n"
    events = events_of(text, *SEATS, name="friday.tsv")
    assert [event["type"] for event in events] == ["hand_dealt", "card_played"]


ROWS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({**SEATED, "card": "10♥", "count": 10}, {"type": "card_played", **SEATED, "card": "Th", "count": 10}),
    ({**SEATED, "card": "Ah"}, {"type": "card_played", **SEATED, "card": "Ah", "count": None}),
    ({**SEATED, "event": "card_played"}, {"type": "card_played", **SEATED, "card": None, "count": None}),
    ({**SEATED, "event": "plays", "card": "?", "count": -4}, {"type": "card_played", "card": None, "count": -4}),
    ({**SEATED, "card": "Th", "value": "-10"}, {"type": "card_played", "count": None, "value": -10}),
    ({**SEATED, "card": "4h", "value": 0, "count": "+0"}, {"type": "card_played", "count": 0, "value": 0}),
    ({**SEATED, "card": "Qs", "count": 99, "target": "Cy"}, {"type": "card_played", "card": "Qs", "target": "Cy"}),
    ({**SEATED, "event": "card_drawn"}, {"type": "card_drawn", **SEATED, "card": None}),
    ({**SEATED, "event": "draw", "card": "9c"}, {"type": "card_drawn", **SEATED, "card": "9c"}),
    ({**SEATED, "event": "draw_missed"}, {"type": "draw_missed", **SEATED}),
    ({"event": "pile_reshuffled"}, {"type": "pile_reshuffled"}),
    ({**SEATED, "event": "player_eliminated"}, {"type": "player_eliminated", **SEATED, "reason": "no_play"}),
    ({**SEATED, "event": "out", "text": "blowback"}, {"type": "player_eliminated", "reason": "blowback"}),
    ({**SEATED, "event": "out deathcard"}, {"type": "player_eliminated", "reason": "death_card"}),
    ({**SEATED, "event": "cards_shown", "card": "Ac kc"}, {"type": "cards_shown", **SEATED, "cards": ["Ac", "Kc"]}),
    ({**SEATED, "event": "hand_won"}, {"type": "hand_won", **SEATED}),
    (
        {**SEATED, "event": "hit_taken", "hits": 2, "prize": "Main"},
        {"type": "hit_taken", **SEATED, "hits": 2, "prize": "main"},
    ),
    (
        {**SEATED, "event": "hit_carried", "hits": 1, "prize": "BONUS"},
        {"type": "hit_carried", "hits": 1, "prize": "bonus"},
    ),
    (
        {**SEATED, "event": "hit_donated", "to": "Ben", "hits": 1},
        {"type": "hit_donated", **SEATED, "to": "Ben", "hits": 1},
    ),
    ({**SEATED, "event": "bonus_created"}, {"type": "bonus_created", **SEATED}),
    ({**SEATED, "event": "leisure_hit"}, {"type": "leisure_hit", **SEATED}),
    ({**SEATED, "event": "leisure", "text": "finished"}, {"type": "leisure_hit", "finished": True}),
    ({**SEATED, "event": "bong_loaded"}, {"type": "bong_loaded", **SEATED}),
    (
        {"player": "Big Al", "event": "player_joined", "hits": 1},
        {"type": "player_joined", "player": "Big Al", "seat": 0},
    ),
    ({"player": "Big Al", "event": "Join"}, {"type": "player_joined", "player": "Big Al"}),
    ({"event": 'joins "Big Al"'}, {"type": "player_joined", "player": "Big Al"}),
    ({**SEATED, "event": "player_left"}, {"type": "player_left", **SEATED}),
    (
        {**SEATED, "event": "hand_corrected", "text": "drew ? returned 7h 8h"},
        {"type": "hand_corrected", "drew": [None], "returned": ["7h", "8h"]},
    ),
    ({"event": "count_corrected", "count": -7}, {"type": "count_corrected", "count": -7}),
    ({"event": "hand_voided", "text": "two cards fell"}, {"type": "hand_voided", "reason": "two cards fell"}),
    ({"event": "taken_back", "line": 2, "text": "player"}, {"type": "taken_back", "about": 2, "why": "player"}),
    (
        {"event": "ruling_made", "line": "2", "text": "deal by Ben: it stands"},
        {"type": "ruling_made", "about": 2, "rule": "deal", "by": "Ben", "text": "it stands"},
    ),
    (
        {**SEATED, "event": "ruling", "line": 2, "text": "deal it stands"},
        {"type": "ruling_made", "about": 2, "rule": "deal", "by": "Ana", "text": "it stands"},
    ),
    (
        {"player": "Big Al", "event": "Rule", "line": 2, "text": "it stands"},
        {"type": "ruling_made", "about": 2, "by": "Big Al", "text": "it stands"},
    ),
    (
        {**SEATED, "event": "tokens_lost", "hits": 2, "text": "border"},
        {"type": "tokens_lost", **SEATED, "tokens": 2, "reason": "border"},
    ),
    ({**SEATED, "event": "player_knocked_out"}, {"type": "player_knocked_out", **SEATED}),
    ({**SEATED, "event": "match_won", "hits": -1}, {"type": "match_won", **SEATED, "tokens": -1}),
    ({"event": "game_closed"}, {"type": "game_closed"}),
    ({**SEATED, "event": "deal", "text": "without ben"}, {"type": "hand_dealt", "dealer": "Ana"}),
]


@pytest.mark.parametrize(("row", "event"), ROWS, ids=lambda part: "-".join(map(str, part.values())))
def test_a_row_is_an_event(row: dict[str, Any], event: dict[str, Any]) -> None:
    first = entries(row)[0]
    assert {key: first.get(key) for key in event} == event


def test_a_steal_and_a_slide_are_rows_too() -> None:
    won = {**SEATED, "event": "hand_won"}
    stole = {"player": "Ben", "event": "hit_stolen"}
    slid = {"player": "Cy", "event": "hit_slid", "card": "Kc"}
    assert entries(won, stole, slid)[-2:] == [
        {"type": "hit_stolen", "player": "Ben", "source": "Ana"},
        {"type": "hit_slid", "prize": "main", "source": "Ben", "player": "Cy", "card": "Kc"},
    ]


def test_every_event_of_the_log_and_every_word_of_the_shorthand_stands_in_a_row_here() -> None:
    made = {event["type"] for _, event in ROWS} | {"hit_stolen", "hit_slid"}
    assert made == set(EVENT_TYPES) - {"game_opened", "game_forked"}
    assert len(made) == len(WORDS) + 1  # a card that is played needs no word
    for word in BY_NAME:
        result = converted(f"event\n{word} zz zz\n", *SEATS, name="friday.csv")
        assert "expected a card, a player or a word" not in result.stderr, word


def test_notes_and_moments_are_kept_and_a_cell_may_have_several_lines() -> None:
    events = entries(
        {**SEATED, "card": "7h", "count": 7, "note": "said\nloudly, twice", "at": "2026-11-30T21:15:00+01:00"},
        {"player": "Ben", "card": "8h", "count": 15, "note": '"fifteen"', "at": "2026-11-30T20:16:00Z"},
        {"event": "ruling", "line": 3, "text": "it\nstands,\r\nall of it"},
    )
    assert [event.get("note") for event in events] == ["said\nloudly, twice", '"fifteen"', None]
    assert [event.get("at") for event in events] == ["2026-11-30T21:15:00+01:00", "2026-11-30T20:16:00Z", None]
    assert events[2]["text"] == "it stands, all of it"


def test_names_with_spaces_need_no_quotes_in_a_cell() -> None:
    rows: list[dict[str, Any]] = [
        {"players": "Big Al,Little Al", "player": "Little Al", "event": "deal"},
        {"player": "Big Al", "card": "Qs", "count": 99, "target": "Little Al"},
    ]
    events = events_of(sheet(rows), name="friday.csv")
    assert (events[1]["player"], events[1]["target"]) == ("Big Al", "Little Al")


def test_the_game_column_begins_the_next_game() -> None:
    rows: list[dict[str, Any]] = [
        {"game": "one", "players": "Ana, Ben", "rules": "ninety-nine-chips", "event": "deal"},
        {"event": "card_played", "player": "Ana", "card": "7h", "count": 7},
        {"game": "one", "event": "out"},
        {"game": "two", "players": "Ana, Ben"},
        {"event": "deal"},
    ]
    result = converted(sheet(rows), name="friday.csv")
    assert result.stdout.splitlines() == ["one.jsonl: 4 lines, 1 finding", "two.jsonl: 2 lines, no finding"]
    assert [lines_of(f"{name}.jsonl")[0]["rules"] for name in ("one", "two")] == ["ninety-nine-chips", "bong-hit-99"]


def test_game_players_and_rules_may_stand_in_every_row() -> None:
    same = {"players": "Ana,Ben", "rules": "bong-hit-99"}
    rows: list[dict[str, Any]] = [
        {**same, "game": game, **row} for game in "ab" for row in ({"event": "deal"}, {"card": "7h", "count": 7})
    ]
    converted(sheet(rows), name="friday.csv")
    assert [len(lines_of(f"{game}.jsonl")) for game in "ab"] == [3, 3]


def test_players_begin_the_next_game_where_there_is_no_game_column() -> None:
    rows: list[dict[str, Any]] = [{"players": "Ana,Ben", "event": "deal"}, {"card": "7h", "count": 7}] * 2
    converted(sheet(rows), name="friday.csv")
    assert [len(lines_of(f"friday-{number}.jsonl")) for number in (1, 2)] == [3, 3]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("player,colour,event\n", 1, f"unknown column 'colour'; expected one of: {', '.join(COLUMNS)}"),
        ("\n\nplayer,,event\n", 3, f"unknown column ''; expected one of: {', '.join(COLUMNS)}"),
        ("player,Name,event\n", 1, "two columns are called player"),
        ("player,count\n", 1, "no column is called event or card; expected one of them at least"),
        ('player,event\n\nCy,deal\nAna,"out\nBen,out\n', 4, "this is no CSV: a quotation mark is never closed"),
        ('player,event\nCy,"deal"s\n', 2, "this is no CSV: ',' expected after '\"'"),
        (f"event\n{'x' * 200_000}\n", 2, "this is no CSV: field larger than field limit (131072)"),
    ],
)
def test_a_spreadsheet_that_cannot_be_read_says_why(text: str, line: int, message: str) -> None:
    result = converted(text, name="friday.csv")
    assert (result.exit_code, said(result)) == (2, [f"friday.csv:{line}: {message}"])


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("Ana,,7h,7,,,,,x", "9 cells; expected 8, as the first row has"),
        ("Ana,,7h,7.0,,,,", "'7.0' is no number; expected one in the column count"),
        ("Ana,,7h,--5,,,,", "'--5' is no number; expected one in the column count"),
        ("Ana,,7h,٣,,,,", "'٣' is no number; expected one in the column count"),
        (f"Ana,,7h,{'9' * 5000},,,,", f"'{'9' * 39} … {'9' * 209}' is no number; expected one in the column count"),
        ("Ana,,7h,,eleven,,,", "'eleven' is no number; expected one in the column value"),
        ("Ana,took,,,,many,,", "'many' is no number; expected one in the column hits"),
        ("Ana,took,,,,1,both,", "'both' is no prize; expected main or bonus"),
        ("Ana,,7h,7,,,,yesterday", "'yesterday' is no moment; expected one such as 2026-11-30T21:15:00Z"),
        (
            "Ana,,7h,7,,,,2026-11-30T21:15:00",
            "'2026-11-30T21:15:00' is no moment; expected one such as 2026-11-30T21:15:00Z",
        ),
        (
            "Ana,,7h,7,,,,2026-02-30T21:15:00Z",
            "'2026-02-30T21:15:00Z' is no moment; expected one such as 2026-11-30T21:15:00Z",
        ),
        (",,,,,,,2026-11-30T21:15:00Z", "nothing happens in this row; expected a card or an event"),
        ("Zoe,,7h,7,,,,", "Zoe: expected a card, a player or a word such as out or took"),
        ("Ana,dances,,,,,,", "dances: expected a card, a player or a word such as out or took"),
        ("Ana,,7x,7,,,,", "7x: expected a card, a player or a word such as out or took"),
        ('Ana,"joins ""x",,,,,,', "a quotation mark is never closed"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_by_its_line(cells: str, message: str) -> None:
    head = 'player,event,card,count,value,hits,prize,at\nCy,deal,,,,,,\n,"void\nit\nall",,,,,,\nCy,deal,,,,,,\n'
    result = converted(f"{head}{cells}\n", *SEATS, name="friday.csv")
    assert result.exit_code == 2
    assert said(result) == [
        f"friday.csv:7: {message}",
        "friday.jsonl is not written: not every line of it could be read",
    ]


def test_a_ruling_needs_a_number_for_its_line() -> None:
    result = converted("event,line,text\ndeal,,\nruling,two,it stands\n", *SEATS, name="friday.csv")
    assert said(result)[0] == "friday.csv:3: 'two' is no number; expected one in the column line"


# ---- files of several games ----


LOGS = [(FIXTURES / f"{name}.jsonl").read_bytes() for name in ("friday-late", "one-hand", "two-players")]


def test_a_file_of_several_games_is_cut_and_its_lines_stay_byte_for_byte() -> None:
    result = converted(b"\n\n" + b"\n".join(LOGS), name="all.jsonl")
    assert result.stdout.splitlines() == [
        "friday-late.jsonl: 27 lines, 1 finding",
        "all-2.jsonl: 36 lines, no finding",
        "all-3.jsonl: 26 lines, 1 finding",
    ]
    assert result.exit_code == 1
    assert [Path(f"{name}.jsonl").read_bytes() for name in ("friday-late", "all-2", "all-3")] == LOGS


@pytest.mark.parametrize("name", ["all.jsonl.gz", "all.gz", "all.JSONL", "all.json"])
def test_packed_files_and_other_suffixes_are_logs_too(name: str) -> None:
    content = b"".join(LOGS)
    result = converted(gzip.compress(content) if name.endswith("gz") else content, "--to", "out", name=name)
    assert sorted(path.name for path in Path("out").iterdir()) == ["all-2.jsonl", "all-3.jsonl", "friday-late.jsonl"]
    assert result.exit_code == 1


def test_lines_stay_as_they_are_whoever_wrote_them() -> None:
    odd = b'\xef\xbb\xbf { "type" : "game_opened", "format": 1, "rules": "bong-hit-99", '
    odd += b'"players": ["Ann", "B\\u006fb"] }\r\n'
    load = b'{"type":"bong_loaded","player":"Ann","ext":{"z":1.50}}\r\n'
    result = converted(odd + load + b"\r\n" + odd[3:] + load, name="all.jsonl")
    assert [Path(f"all-{number}.jsonl").read_bytes() for number in (1, 2)] == [odd[3:] + load, odd[3:] + load]
    assert said(result) == [f"all-{number}.jsonl: note: carriage returns were skipped" for number in (1, 2)]
    assert result.exit_code == 0


def test_bad_lines_keep_the_number_that_they_have_in_the_whole_file() -> None:
    lines = LOGS[1].splitlines(keepends=True)
    lines[4] = b'{"type":"nonsense"}\n'
    result = converted(LOGS[0] + b"\n" + b"".join(lines) + LOGS[2], name="all.jsonl")
    first, second = said(result)
    assert first.startswith('all.jsonl:33:9: field "type": expected the type of an event, got "nonsense"')
    assert second == "all-2.jsonl is not written: not every line of it could be read"
    assert result.stdout.splitlines() == ["friday-late.jsonl: 27 lines, 1 finding", "all-3.jsonl: 26 lines, 1 finding"]
    assert result.exit_code == 2


def test_a_first_line_that_cannot_be_read_spoils_no_other_game() -> None:
    bad = b'{"type":"game_opened","format":1,"colour":"red","rules":"bong-hit-99","players":["Ann","Bob"]}\n'
    result = converted(LOGS[1] + bad + LOGS[0], name="all.jsonl")
    assert sorted(path.name for path in Path().glob("*.jsonl")) == ["all-1.jsonl", "all.jsonl", "friday-late.jsonl"]
    assert said(result)[0].startswith("all.jsonl:37:")


def test_lines_before_the_first_game_are_named() -> None:
    result = converted(b'\n{"type":"bong_loaded","player":"Ann"}\n' + LOGS[1], name="all.jsonl")
    assert said(result)[0].startswith("all.jsonl:2:")
    assert [path.name for path in Path().glob("all-*")] == ["all-2.jsonl"]


def test_a_cut_last_line_is_left_out_and_said() -> None:
    result = converted(LOGS[0] + LOGS[1].strip()[:-9], name="all.jsonl")
    assert said(result) == ["all-2.jsonl: note: the last line is cut off: the log is incomplete"]
    assert Path("all-2.jsonl").read_bytes().splitlines() == LOGS[1].splitlines()[:-1]
    assert result.exit_code == 1
    cut_inside = converted(LOGS[1].strip()[:-9] + b"\n" + LOGS[0], "--to", "out", name="all.jsonl")
    assert said(cut_inside)[0].startswith("all.jsonl:36:")
    assert (cut_inside.exit_code, [path.name for path in Path("out").iterdir()]) == (2, ["friday-late.jsonl"])


def test_a_fork_is_called_by_its_own_id() -> None:
    fork = (FIXTURES / "numbered.jsonl").read_bytes()
    ids = re.findall(rb'"game_forked".*?"game":"([^"]+)"', fork)
    assert ids
    converted(fork, name="all.jsonl")
    assert Path(f"{ids[-1].decode()}.jsonl").read_bytes() == fork


@pytest.mark.parametrize(
    ("packed", "message"),
    [
        (gzip.compress(LOGS[0])[:-20], "the gzip file is cut off"),
        (gzip.compress(LOGS[0])[:-8] + bytes(8), "the gzip file is damaged"),
        (b"\x1f\x8b" + bytes(40), "the gzip file is damaged"),
        (gzip.compress(LOGS[0])[:12] + b"\xff" * 200, "the gzip file is damaged"),
    ],
)
def test_a_damaged_packed_file_is_refused(packed: bytes, message: str) -> None:
    for name in ("all.jsonl.gz", "friday.csv.gz", "friday.txt.gz"):
        result = converted(packed, name=name)
        assert (result.exit_code, said(result)) == (2, [f"{name}: {message}"])


def test_the_name_of_a_file_says_what_it_is() -> None:
    kinds: dict[Kind, tuple[str, ...]] = {
        "text": ("a", "a.txt", "a.TXT.gz", "a.notes", "-", "a.csv/b"),
        "csv": ("a.csv", "a.TSV", "a.csv.gz"),
        "logs": ("a.jsonl", "a.json", "a.jsonl.gz", "a.gz", "A.GZ"),
    }
    for kind, names in kinds.items():
        assert [kind_of(name) for name in names] == [kind] * len(names)


# ---- output ----


def test_a_log_is_never_written_over() -> None:
    Path("out").mkdir()
    Path("out/friday.jsonl").write_bytes(b"mine")
    result = converted(FRIDAY, "--to", "out")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said(result) == ["out/friday.jsonl is there already, and holds something else; it is left as it is"]
    assert Path("out/friday.jsonl").read_bytes() == b"mine"


def test_the_same_content_again_is_fine() -> None:
    first, again = converted(FRIDAY), converted(FRIDAY)
    assert (again.exit_code, again.stdout) == (0, first.stdout)


def test_two_games_of_one_name_in_a_file_are_told_apart() -> None:
    result = converted(f"game g\n{FRIDAY}game g\n{TABLE}deal ana\n")
    assert said(result) == ["g.jsonl is there already, and holds something else; it is left as it is"]
    assert (result.exit_code, len(lines_of("g.jsonl"))) == (2, 4)


def test_the_folder_is_made() -> None:
    result = converted(FRIDAY, "--to", "logs/2026/friday")
    assert result.stdout == "logs/2026/friday/friday.jsonl: 4 lines, no finding\n"
    assert len(lines_of("logs/2026/friday/friday.jsonl")) == 4


def test_a_folder_that_cannot_be_made_or_written_to_is_said() -> None:
    result = converted(FRIDAY, "--to", "friday.txt")
    assert result.exit_code == 2
    assert "friday.txt: the folder can't be made: File exists" in result.stderr
    Path("out/friday.jsonl").mkdir(parents=True)
    result = converted(FRIDAY, "--to", "out")
    assert said(result) == ["out/friday.jsonl is there already, and holds something else; it is left as it is"]
    name = "f" * 251
    result = converted(FRIDAY, name=f"{name}.txt")
    assert (result.exit_code, said(result)) == (2, [f"{name}.jsonl can't be written: File name too long"])
    assert list(Path().glob("*.jsonl")) == []


def test_a_link_or_a_pipe_in_the_place_of_a_log_is_left_alone() -> None:
    Path("friday.jsonl").symlink_to("nowhere")
    assert converted(FRIDAY).exit_code == 2
    assert not Path("nowhere").exists()
    Path("friday.jsonl").unlink()
    os.mkfifo("friday.jsonl")
    assert said(converted(FRIDAY)) == ["friday.jsonl is there already, and holds something else; it is left as it is"]


def test_a_read_only_folder_and_a_full_disk_give_status_2_and_leave_nothing() -> None:
    Path("friday.txt").write_text(TABLE + "deal\nvoid it all\n" * 100)
    full = shell("ulimit -f 1; $BH99 convert friday.txt", PYTHONDONTWRITEBYTECODE="1")
    assert (full.returncode, full.stdout) == (2, b"")
    assert full.stderr == b"friday.jsonl can't be written: File too large\n"
    assert [path.name for path in Path().iterdir()] == ["friday.txt"]
    Path("locked").mkdir(mode=0o500)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bh99.new_files.write_new", refused)  # root may write everywhere
        result = bh99("convert", "friday.txt", "--to", "locked")
    assert (result.exit_code, said(result)) == (2, ["locked/friday.jsonl can't be written: Permission denied"])


def refused(path: str, text: bytes) -> None:
    raise PermissionError(errno.EACCES, "Permission denied")


# ---- exit status, several files, standard input ----


def test_the_status_says_the_worst() -> None:
    assert converted(FRIDAY).exit_code == 0
    wrong = converted(f"{TABLE}deal cy\n7h 8\n", name="wrong.txt")
    assert (wrong.exit_code, wrong.stdout) == (1, "wrong.jsonl: 3 lines, 1 finding\n")
    result = bh99("convert", "wrong.txt", "nosuch.txt", "friday.txt")
    assert (result.exit_code, said(result)) == (2, ["nosuch.txt: no such file"])
    assert result.stdout.splitlines() == ["wrong.jsonl: 3 lines, 1 finding", "friday.jsonl: 4 lines, no finding"]
    assert (bh99("convert", ".").exit_code, bh99("convert").exit_code) == (2, 2)
    assert bh99("convert", "friday.txt", "--from", "xml").exit_code == 2


@pytest.mark.parametrize(
    ("kind", "content"),
    [("text", FRIDAY), ("csv", 'players,event\n"Ana,Ben",deal\n'), ("logs", LOGS[1])],
)
def test_standard_input_is_what_it_is_said_to_be(kind: str, content: str | bytes) -> None:
    raw = content.encode() if isinstance(content, str) else content
    result = bh99("convert", "-", "--from", kind, stdin=raw)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("game.jsonl: ")


def test_an_empty_standard_input_is_refused() -> None:
    assert bh99("convert", "-", stdin=b"").exit_code == 2


def test_the_first_20_bad_lines_of_a_game_are_named() -> None:
    result = converted(TABLE + "deal cy\n" + "xx\n" * 50)
    *problems, summary = said(result)
    assert [problem.partition(" ")[0] for problem in problems] == [f"friday.txt:{line}:" for line in range(3, 23)]
    assert summary == "friday.jsonl is not written: not every line of it could be read"
    columns = converted(",".join(f"c{number}" for number in range(50)), name="friday.csv")
    assert len(said(columns)) == 20


# ---- skipping ----


def test_lines_that_are_skipped_are_told_in_the_note_of_the_next() -> None:
    result = converted(f'{TABLE}deal cy\nxx yy\n"zz\n7h 7 # loud\n4d 11\nww\n', "--skip")
    left_out = [
        "line 3 of friday.txt was left out: xx yy",
        "line 4 of friday.txt was left out: a quotation mark is never closed",
        "line 7 of friday.txt was left out: ww",
    ]
    assert (result.exit_code, result.stdout) == (0, "friday.jsonl: 4 lines, no finding\n")
    assert said(result) == [f"friday.jsonl: note: {line}" for line in left_out]
    assert [event.get("note") for event in lines_of("friday.jsonl")] == [
        None,
        None,
        "; ".join([*left_out[:2], "loud"]),
        left_out[2],
    ]


def test_rows_that_are_skipped_are_told_too() -> None:
    rows: list[dict[str, Any]] = [
        {"players": "Ana,Ben", "event": "deal"},
        {"card": "7h", "count": "x"},
        {"card": "8h", "count": 8},
    ]
    Path("in").mkdir()
    result = converted(sheet(rows), "--skip", name="in/friday.csv")
    note = "line 3 of friday.csv was left out: 'x' is no number; expected one in the column count"
    assert [event.get("note") for event in lines_of("friday.jsonl")] == [None, None, note]
    assert said(result) == [f"friday.jsonl: note: {note}"]


def test_a_skipped_line_makes_nothing_that_follows_by_itself_stand_twice() -> None:
    result = converted("players Ana, Ben\ndeal ben\nkh 99\nout\nxx\nwon\ntook\n", "--skip")
    events = lines_of("friday.jsonl")
    assert [event["type"] for event in events[-2:]] == ["hand_won", "hit_taken"]
    assert [event.get("note") for event in events[-2:]] == [None, "line 5 of friday.txt was left out: xx"]
    assert result.stdout == "friday.jsonl: 6 lines, no finding\n"


def test_many_skipped_lines_make_a_short_note() -> None:
    result = converted(f"{TABLE}deal cy\n{'x' * 3000}\n" + "xx\n" * 29 + "7h\n", "--skip")
    note = lines_of("friday.jsonl")[-1]["note"].split("; ")
    assert note[0] == f"line 3 of friday.txt was left out: {'x' * 99}…"
    assert (len(note), note[-1]) == (21, "10 more lines were left out")
    assert len(said(result)) == 21


def test_what_a_game_begins_with_is_not_skipped() -> None:
    result = converted("players Ana, Ana\ndeal\n", "--skip")
    assert (result.exit_code, said(result)[0]) == (
        2,
        "friday.txt:1: two players are called Ana; expected names of their own",
    )


# ---- whole games ----


def header(log: list[Event]) -> list[str]:
    """What stands before the entries of a game, for a log that writes draws down or doesn't."""
    opened = log[0]
    lines = [f"players {', '.join(opened['players'])}"]
    lines += [f"rules {opened['rules']}"] if isinstance(opened["rules"], str) else []
    lines += [f"rules {FIXTURES}/house-rules/{opened['rules']['name']}.toml"] if not lines[1:] else []
    lines += [f"game {opened['game']}"] if "game" in opened else []
    return [*lines, "draws"]


def row_of(event: Event) -> dict[str, Any]:
    """An event as somebody fills in a row who knows the columns: the fields of the log, and what has no column as
    text. Nothing follows by itself behind an exclamation mark."""
    row: dict[str, Any] = {"event": event["type"], "text": "!", "note": event.get("note")}
    kept = ("player", "card", "count", "value", "target", "to", "hits", "prize")
    row |= {key: event[key] for key in kept if event.get(key) is not None}
    text = ""
    match event["type"]:
        case "hand_dealt":
            row["player"] = event["dealer"]
        case "card_played":
            text = "?" if not {"count", "value"} & row.keys() else ""
        case "cards_shown":
            row["card"] = " ".join(event["cards"])
        case "player_eliminated":
            text = {"no_play": "", "left": ""}.get(event["reason"], event["reason"].replace("_", ""))
        case "leisure_hit":
            text = "finished" if event.get("finished") else ""
        case "player_joined":
            row["hits"] = None if event.get("seat") is None else event["seat"] + 1
        case "hand_corrected":
            text = " ".join(["drew", *(card or "?" for card in event["drew"])])
            text += " ".join([" returned", *(card or "?" for card in event["returned"])])
        case "hand_voided":
            text = event["reason"]
        case "taken_back" | "ruling_made":
            row["line"] = event["about"]
            text = f"{event.get('rule') or ''} by {event['by']}: {event['text']}" if "by" in event else ""
            text = "player" if event.get("why") == "player" else text
        case "tokens_lost" | "match_won":
            row["hits"] = event["tokens"]
            text = "" if event.get("reason", "hand_lost") == "hand_lost" else event["reason"]
    return {**row, "text": f"{text} !"}


def check_log(name: str, log: list[Event]) -> None:
    """Whether a log holds the same events behind its first, is played by the same people by the same rules, and gives
    the same findings."""
    opened, *events = lines_of(name)
    assert (opened["players"], opened.get("game")) == (log[0]["players"], log[0].get("game"))
    assert as_events([{**opened, "omits": []}, *events])[1:] == as_events(log)[1:]
    found = [(finding.line, finding.rule, finding.player) for finding in audit_log(name).findings]
    assert found == findings_of(as_events(log))


LEGAL = [*((None, seats, seed) for seats in (2, 3, 6) for seed in (0, 1)), *((game, 3, 0) for game in PLAYED)]


@pytest.mark.parametrize(("game", "seats", "seed"), LEGAL)
def test_a_legal_game_that_is_typed_or_filled_in_becomes_the_same_log(game: str | None, seats: int, seed: int) -> None:
    legal = (
        legal_game(seed, seats, 2) if game is None else legal_match(seed, seats, game, rules=RULES.get(game), hands=1)
    )
    log = plain(legal)
    name = f"{log[0].get('game', 'friday')}.jsonl"
    text = "\n".join([*header(log), *typed_whole(log)])
    result = converted(text)
    assert said(result) == []
    check_log(name, log)
    from_text = Path(name).read_bytes()
    rows: list[dict[str, Any]] = [
        {"players": ",".join(log[0]["players"]), "game": log[0].get("game")},
        *map(row_of, log[1:]),
    ]
    rules = ("--rules", header(log)[1].removeprefix("rules "))
    result = converted(sheet(rows, ";"), *rules, "--draws", "--to", "out", name="friday.csv")
    assert said(result) == []
    assert Path("out", name).read_bytes() == from_text


@pytest.mark.parametrize("seed", range(3))
def test_what_follows_by_itself_is_written_once_whether_it_was_noted_or_not(seed: int) -> None:
    log = plain(legal_match(seed, 3, "ninety-nine-chips", hands=3, forgetful=False))
    result = converted("\n".join([*header(log), *typed_short(log)]))
    assert said(result) == []
    rows = [{**row_of(event), "text": row_of(event)["text"].removesuffix("!")} for event in log[1:]]
    rows[0] |= {"players": ",".join(log[0]["players"]), "rules": "ninety-nine-chips"}
    result = converted(sheet(rows), "--draws", "--to", "out", name="friday.csv")
    assert (said(result), result.exit_code) == ([], 0)
    assert result.stdout.endswith(", no finding\n")


# ---- anything at all ----


def check_anything(name: str, kind: Kind, skip: bool) -> None:
    """A file becomes logs that can be read, or its problems are named."""
    try:
        games = convert(name, kind, skip=skip)
    except LogUnreadable as refused:
        assert all(str(problem).isprintable() and problem.message for problem in refused.problems)
        return
    for game in games:
        assert all(problem.line and str(problem).isprintable() for problem in game.problems)
        if not game.problems:
            log = b"".join(line + b"\n" for line in game.lines)
            Path("again.jsonl").write_bytes(log)
            assert len(audit_log("again.jsonl").findings) == game.findings


@pytest.mark.parametrize("kind", ["text", "csv", "logs"])
def test_any_bytes_become_logs_or_named_problems(kind: Kind) -> None:
    rng = Random(kind)
    good = {"text": FRIDAY.encode(), "csv": SHEET.encode(), "logs": LOGS[1]}[kind]
    for turn in range(120):
        raw = bytearray(good if turn % 3 else rng.randbytes(rng.randint(1, 300)))
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(raw))
            raw[at : at + rng.randint(0, 3)] = rng.choice([rng.randbytes(2), b'"', b"\n", b"\0", b"\xe2\x80\xae", b"9"])
        Path("any").write_bytes(bytes(raw) or b"\n")
        check_anything("any", kind, skip=turn % 2 == 0)


def test_any_words_in_a_text_become_logs_or_named_problems() -> None:
    rng = Random("words")
    words = [
        *get_args(Header),
        *BY_NAME,
        "Ana",
        "ben,",
        "7h",
        "Qs",
        "?",
        "13",
        "=-4",
        "+11",
        "#",
        "!",
        ".",
        '"',
        STEERS,
    ]
    words += ["deal", "7h 7", "undo 3", "-5", "99999999999", "\\", "to", "bonus", "x" * 50]
    for turn in range(150):
        lines = [" ".join(rng.choices(words, k=rng.randint(1, 4))) for _ in range(12)]
        Path("any.txt").write_text((TABLE if turn % 3 else "") + "deal\n" + "\n".join(lines), "utf-8")
        check_anything("any.txt", "text", skip=turn % 2 == 0)


def test_any_rows_become_logs_or_named_problems() -> None:
    rng = Random("rows")
    numbers = ["-4", "0", "+7", "--1", "1e3", "²", "9" * 30, "99"]
    moments = ["2026-11-30T21:15:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-11-30", "24:00"]
    moments += ["2026-11-30T21:15:00+01:00:30", "2026-11-30T21:15:00.123456789Z", "2026-W01-1T00:00Z"]
    cells = ["", "", "Ana", "Ben", "Zoe", "7h", "Qs Ac", "?", "!", '"', "main", "bonus", STEERS, "a\nb", ",", "x" * 300]
    cells += [*numbers, *moments, *BY_NAME, *EVENT_TYPES]
    likely = {"event": [*BY_NAME, *EVENT_TYPES, ""], "player": ["Ana", "Ben", ""], "card": ["7h", "", "Qs"]}
    likely |= {"at": ["", *moments]} | {column: ["", "", *numbers] for column in ("count", "value", "hits", "line")}
    for turn in range(150):
        rows = [
            {column: rng.choice(likely.get(column, [""]) if rng.random() < 0.9 else cells) for column in COLUMNS}
            for _ in range(12)
        ]
        first = {"players": "Ana,Ben", "event": "deal"}
        Path("any.csv").write_text(sheet([first, *rows]), "utf-8")
        check_anything("any.csv", "csv", skip=turn % 2 == 0)


def test_nothing_that_is_printed_steers_a_terminal() -> None:
    name = f"f{STEERS.replace(chr(0), '').replace('/', '')}.txt"
    for text in (
        f"{TABLE}deal\n{STEERS} 7h\n",
        f"players Ana, {STEERS}\n",
        f"{TABLE}game {STEERS}\n",
        f"{TABLE}rules {STEERS}\n",
    ):
        assert converted(text, name=name).exit_code == 2
        assert converted(text, "--skip", "--to", "out", name=name).exit_code in (0, 2)
    for content in (
        f"{STEERS}\nx",
        f"player,event\n{STEERS},deal",
        f'event,note\nout,"{STEERS}"',
        f"event,at\nout,{STEERS}",
    ):
        assert converted(content, *SEATS, name="friday.csv").exit_code in (0, 1, 2)
    assert converted(f'{{"type":"{STEERS}"}}\n', name="friday.jsonl").exit_code == 2


# ---- the page ----


def test_the_page_names_every_column_header_and_other_name() -> None:
    for column, meaning in COLUMNS.items():
        assert f"\n| `{column}` | {meaning} |\n" in PAGE
    assert [header for header in get_args(Header) if f"\n| `{header}" not in PAGE] == []
    assert [name for name in OTHER_NAMES if f"`{name}`" not in PAGE] == []
    assert [status for status in (0, 1, 2) if f"\n| {status} |" not in PAGE] == []


def test_every_example_of_the_page_prints_what_stands_there() -> None:
    """A block named by the line above it is a file; a console block is run where the files before it are."""
    ran = 0
    for name, block in re.findall(r"^(?:`([\w./-]+)`:\n\n)?```\w*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        if name and not block.startswith("$ "):
            Path(name).write_text(block, "utf-8")
            continue
        for command, printed in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            done = shell(f"{command.replace('bh99', '$BH99', 1)} 2>&1")
            assert done.stdout.decode() == printed, command
            ran += 1
    assert ran >= 6
