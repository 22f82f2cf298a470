"""Reading logs that are in order, however they are written (docs/log-format.md)."""

import gzip
import io
import json
import os
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bh99.errors import LogUnreadable
from bh99.logs import logs_in, open_log
from domain.cards import DECK
from domain.events import AnyEvent, CardDrawn, CardPlayed, GameOpened, HandDealt, TakenBack

OPENED: dict[str, Any] = {"type": "game_opened", "format": 1, "rules": "bong-hit-99", "players": ["Ann", "Zoë"]}
HANDS: dict[str, list[str | None]] = {"Ann": ["Ac", "Td"], "Zoë": [None, None]}
DEALT = {"type": "hand_dealt", "dealer": "Ann", "hands": HANDS, "stock": ["Qs", None]}
PLAYED = {"type": "card_played", "player": "Ann", "card": "Td", "count": 10}
DRAWN = {"type": "card_drawn", "player": "Ann", "card": None}
BACK = {"type": "taken_back", "about": 3, "why": "player"}
LINES: list[dict[str, Any]] = [OPENED, DEALT, PLAYED, DRAWN, BACK]

EVENTS = msgspec.json.Decoder(AnyEvent)


def compact(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines)


def events_in(data: bytes) -> list[AnyEvent]:
    return [EVENTS.decode(line) for line in data.splitlines() if line.strip()]


def write(folder: Path, data: bytes, name: str = "game.jsonl") -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


def read(path: str) -> list[AnyEvent]:
    return [event for batch in open_log(path).batches() for event in batch]


def long_game(lines: int = 20_000) -> list[dict[str, Any]]:
    dice = random.Random(1)
    cards: list[str | None] = [*DECK, None]
    game: list[dict[str, Any]] = [OPENED]
    while len(game) < lines:
        game.append(DEALT)
        for number in range(50):
            play = {"type": "card_played", "player": "Ann", "card": dice.choice(cards), "count": number}
            game.append(play | ({"target": "Zoë"} if play["card"] == "Qs" else {}))
            game.append({"type": "card_drawn", "player": "Zoë", "card": dice.choice(cards)})
    return game


def test_events_come_in_the_order_of_the_lines(tmp_path: Path) -> None:
    data = compact(LINES)
    assert read(write(tmp_path, data)) == events_in(data)


def test_a_long_log_comes_in_batches_of_about_a_quarter_mebibyte(tmp_path: Path) -> None:
    data = compact(long_game())
    sizes = [len(batch) for batch in open_log(write(tmp_path, data)).batches()]
    assert len(sizes) == pytest.approx(len(data) / 2**18, abs=1)
    assert sum(sizes) == data.count(b"\n")


@pytest.mark.parametrize("style", ["compact", "spaced", "ascii", "at first", "at last", "everything", "nulls", "CRLF"])
def test_the_way_of_writing_changes_nothing(tmp_path: Path, style: str) -> None:
    game = long_game()
    want = events_in(compact(game))
    at = {"at": "2026-11-27T20:15:00.5+00:00"}
    if style == "at first":
        game = [{"type": line["type"]} | at | line for line in game]
    elif style == "at last":
        game = [line | at for line in game]
    elif style == "everything":
        extras = {"note": 'he said: "a, b": \\c\\ \u2028', "ext": {"a": [{"b": 1}], "": {}}}
        game = [line | extras | {"seq": number} for number, line in enumerate(game, 1)]
    elif style == "nulls":
        game = [line | {"at": None, "note": None, "seq": None, "ext": None} for line in game]
    data = compact(game)
    if style in ("spaced", "ascii"):
        data = "".join(json.dumps(line, ensure_ascii=style == "ascii") + "\n" for line in game).encode()
    elif style == "CRLF":
        data = data.replace(b"\n", b"\r\n")
    found = read(write(tmp_path, data))
    assert found == events_in(data)
    if style not in ("at first", "at last", "everything"):
        assert found == want


def test_the_type_may_stand_anywhere(tmp_path: Path) -> None:
    data = compact([OPENED]) + b'{"player":"Ann","type":"hand_won"}\n'
    assert read(write(tmp_path, data)) == events_in(data)


def test_gzip_is_known_by_its_first_bytes_not_by_its_name(tmp_path: Path) -> None:
    data = compact(LINES)
    assert read(write(tmp_path, gzip.compress(data))) == events_in(data)
    assert read(write(tmp_path, data, "game.jsonl.gz")) == events_in(data)
    assert read(write(tmp_path, gzip.compress(data[:200]) + gzip.compress(data[200:]))) == events_in(data)


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_can_be_read_twice(monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    data = compact(LINES)
    given_data = gzip.compress(data) if packed else data
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(given_data)))
    log = open_log("-")
    assert log.name == "-"
    assert log.opened == events_in(data)[0]
    first, second = log.batches(), log.batches()
    assert next(first) == next(second) == events_in(data)
    assert log.take_backs() == [(5, TakenBack(about=3, why="player"))]


def test_a_pipe_can_be_read_twice(tmp_path: Path) -> None:
    receiver, sender = os.pipe()
    os.write(sender, compact(LINES))
    os.close(sender)
    try:
        log = open_log(f"/dev/fd/{receiver}")
    finally:
        os.close(receiver)
    assert list(log.batches()) == list(log.batches()) == [events_in(compact(LINES))]


def test_opened_reads_only_the_beginning(tmp_path: Path) -> None:
    path = write(tmp_path, compact([OPENED]) + b"\n" * 9 + compact(LINES[1:]) * 20_000)
    log = open_log(path)
    assert log.opened == GameOpened(format=1, rules="bong-hit-99", players=["Ann", "Zoë"])
    assert log.notes == []


def test_a_byte_order_mark_carriage_returns_and_blank_lines_are_noted_once(tmp_path: Path) -> None:
    data = "\ufeff\r\n".encode() + compact(LINES).replace(b"\n", b"\r\n") + b" \t\n\n"
    log = open_log(write(tmp_path, data))
    for _ in range(2):
        assert [event for batch in log.batches() for event in batch] == events_in(compact(LINES))
        assert log.notes == [
            "a byte-order mark was skipped",
            "carriage returns were skipped",
            "3 blank lines were skipped; lines are counted without them",
        ]
    assert not log.incomplete


def test_a_blank_line_in_a_long_log_is_counted(tmp_path: Path) -> None:
    lines = compact(long_game()).splitlines(keepends=True)
    log = open_log(write(tmp_path, b"".join(lines[:9000]) + b"\n" + b"".join(lines[9000:])))
    assert sum(map(len, log.batches())) == len(lines)
    assert log.notes == ["1 blank line was skipped; lines are counted without them"]


@given(cut=st.integers(1, len(compact([DRAWN])) - 2))
@settings(max_examples=40)
def test_a_cut_last_line_leaves_what_stands_before_it(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = write(tmp_path_factory.mktemp("cut"), compact(LINES) + compact([DRAWN])[:cut])
    log = open_log(path)
    assert list(log.batches()) == [events_in(compact(LINES))]
    assert log.incomplete
    assert log.notes == ["the last line is cut off: the log is incomplete"]


@pytest.mark.parametrize("tail", [b"\0" * 512, b'{"type":"hand\0\0\0', b'{"type":"hand_won","player":"Zo' + b"\xc3"])
def test_a_tail_of_zeros_or_half_a_character_is_a_cut_last_line(tmp_path: Path, tail: bytes) -> None:
    log = open_log(write(tmp_path, compact(LINES) + tail))
    assert list(log.batches()) == [events_in(compact(LINES))]
    assert log.incomplete


def test_a_last_line_without_line_feed_counts(tmp_path: Path) -> None:
    log = open_log(write(tmp_path, compact(LINES)[:-1]))
    assert [event for batch in log.batches() for event in batch] == events_in(compact(LINES))
    assert not log.incomplete
    assert read(write(tmp_path, compact([OPENED])[:-1])) == events_in(compact([OPENED]))


def test_other_spellings_of_cards_are_read(tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [
        OPENED,
        DEALT | {"hands": {"Ann": ["A♣", "10d"], "Zoë": [None, "QS"]}, "stock": ["kH", None]},
        PLAYED | {"card": "10♦", "note": "10d"},
        {"type": "cards_shown", "player": "Ann", "cards": ["TD"]},
        {"type": "hand_corrected", "player": "Ann", "drew": ["2C"], "returned": ["9♡", None]},
        {"type": "hit_slid", "prize": "main", "source": "Ann", "player": "Zoë", "card": "K♣"},
        {"type": "pile_reshuffled", "stock": ["as"]},
    ]
    events = read(write(tmp_path, compact(lines)))
    assert isinstance(events[1], HandDealt)
    assert events[1].hands == {"Ann": ["Ac", "Td"], "Zoë": [None, "Qs"]}
    assert events[1].stock == ["Kh", None]
    assert events[2] == CardPlayed(player="Ann", card="Td", count=10, note="10d")
    fields = ("cards", "drew", "card", "stock")
    found = [getattr(event, field) for event, field in zip(events[3:], fields, strict=True)]
    assert found == [["Td"], ["2c"], "Kc", ["As"]]


def test_a_long_log_in_other_spelling_equals_the_same_in_ours(tmp_path: Path) -> None:
    game = long_game()
    other = compact(game).replace(b'"Td"', b'"10d"').replace(b'"Ac"', '"A♣"'.encode()).replace(b'"Qs"', b'"QS"')
    assert read(write(tmp_path, other)) == events_in(compact(game))


def test_a_player_named_like_a_card_keeps_the_name(tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [
        OPENED | {"players": ["10d", "QS"]},
        {"type": "card_drawn", "player": "10d", "card": "10d"},
    ]
    assert read(write(tmp_path, compact(lines)))[1] == CardDrawn(player="10d", card="Td")


def test_take_backs_are_found_with_their_lines(tmp_path: Path) -> None:
    game = long_game()
    game[7000] = BACK | {"why": "scribe"}
    lines = compact(game).splitlines(keepends=True)
    lines[15_000] = rb'{"type":"taken\u005fback","about":2,"why":"player"}' + b"\n"
    lines[16_000] = b'{"type":"bong_loaded","player":"Ann","note":"taken_back"}\n'
    lines.insert(3, b" \n\n")
    log = open_log(write(tmp_path, b"".join(lines)))
    assert log.take_backs() == [(7001, TakenBack(about=3, why="scribe")), (15_001, TakenBack(about=2, why="player"))]
    events = [event for batch in log.batches() for event in batch]
    assert [(line, event) for line, event in enumerate(events, 1) if isinstance(event, TakenBack)] == log.take_backs()


def test_no_take_back_is_an_empty_list(tmp_path: Path) -> None:
    assert open_log(write(tmp_path, compact(long_game()))).take_backs() == []


NAMES = st.sampled_from(["Ann", "Zoë", "Greg", "target", "at", "taken_back", "J. Smith, jr", ':"', "10d", "李"])
TEXTS = st.text(max_size=8) | st.sampled_from(['":', ":", ",", '\\"', "a, b", "{}", "\u2028"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
CARDS = st.sampled_from([*DECK, None])
PLAIN_EVENTS = st.one_of(
    st.fixed_dictionaries({"type": st.just("bong_loaded"), "player": NAMES}),
    st.fixed_dictionaries(
        {"type": st.just("card_played"), "player": NAMES, "card": CARDS, "count": st.none() | st.integers()},
        optional={"target": NAMES, "value": st.integers(0, 99)},
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("hand_dealt"),
            "dealer": NAMES,
            "hands": st.dictionaries(NAMES, st.lists(CARDS, max_size=4), max_size=4),
            "stock": st.none() | st.lists(CARDS, max_size=3),
        },
        optional={"tokens": st.dictionaries(NAMES, st.integers(), max_size=3)},
    ),
)
SHARED = st.fixed_dictionaries(
    {},
    optional={
        "at": st.sampled_from(["2026-11-27T20:15:00Z", "2026-11-27T20:15:00.25+02:00", None]),
        "seq": st.none() | st.integers(1, 10**6),
        "note": st.none() | TEXTS,
        "ext": st.none() | st.dictionaries(TEXTS, JSON, max_size=3),
    },
)
ANY_EVENT = st.builds(lambda plain, shared: plain | shared, PLAIN_EVENTS, SHARED)


@given(lines=st.lists(ANY_EVENT, max_size=6), spaces=st.booleans(), escapes=st.booleans())
@settings(max_examples=150, deadline=None)
def test_whatever_is_in_order_is_read(
    tmp_path_factory: pytest.TempPathFactory, lines: list[dict[str, Any]], spaces: bool, escapes: bool
) -> None:
    separators = (" , ", " : ") if spaces else (",", ":")
    data = "".join(
        json.dumps(line, separators=separators, ensure_ascii=escapes) + "\n" for line in [OPENED, *lines]
    ).encode("utf-8")
    path = write(tmp_path_factory.mktemp("any"), data)
    assert read(path) == [EVENTS.decode(line) for line in data.split(b"\n")[:-1]]


def test_folders_give_the_logs_below_them_in_order(tmp_path: Path) -> None:
    (tmp_path / "b" / "c").mkdir(parents=True)
    for name in ("z.jsonl", "b/c/a.jsonl.gz", "b/x.jsonl", "b/notes.txt"):
        write(tmp_path, b"", name)
    inside = [str(tmp_path / name) for name in ("b/c/a.jsonl.gz", "b/x.jsonl", "z.jsonl")]
    assert logs_in(["-", str(tmp_path), "missing.jsonl"]) == ["-", *inside, "missing.jsonl"]


def test_a_folder_without_logs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LogUnreadable, match="no log in this folder"):
        logs_in([str(tmp_path)])
