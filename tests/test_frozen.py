"""A store and a log that were written in form 1 read for ever: the files in `tests/frozen` are never written anew."""

import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest
from cli_runs import ROOT
from stores import rows_of, store_in

from bh99.answers import read_log
from bh99.errors import GameForgotten
from domain.events import EVENT_TYPES, AnyEvent

FROZEN = ROOT / "tests" / "frozen"
EVERY_EVENT = FROZEN / "every-event.jsonl"
"""One line of each type, with all its fields."""
STORE = FROZEN / "store-1.sqlite"
"""Made by importing `every-event`, `friday-late`, `house-spelling` and `one-hand-as-seen`, and forgetting the last."""


def test_a_log_of_every_event_reads_and_is_written_as_it_was() -> None:
    lines = EVERY_EVENT.read_bytes().splitlines()
    events = read_log(str(EVERY_EVENT)).events()
    assert [type(event) for event in events] == [EVENT_TYPES[msgspec.json.decode(line)["type"]] for line in lines]
    assert {*map(type, events)} == {*EVENT_TYPES.values()}
    # Fields are only added: what these lines have is all there, and nothing else is written.
    as_we_write = [msgspec.json.decode(msgspec.json.encode(event)) for event in events]
    assert as_we_write == [msgspec.json.decode(line) for line in lines]
    decoder = msgspec.json.Decoder(AnyEvent)
    assert [decoder.decode(line) for line in lines] == events


@pytest.fixture
def store(tmp_path: Path) -> Path:
    shutil.copy(STORE, tmp_path / "games.sqlite")
    return tmp_path


def test_a_store_of_form_1_gives_the_games_that_were_put_into_it(store: Path) -> None:
    with store_in(store) as opened:
        assert opened.export("every-event-2") == EVERY_EVENT.read_bytes()
        assert opened.export("friday-late") == (FROZEN / "friday-late.jsonl").read_bytes()
        with pytest.raises(GameForgotten):
            opened.export(_forgotten(store))
        assert list(opened.check()) == []
        assert {row.player for row in opened.stats()} >= {"Ana", "Ben", "Cy"}


def _forgotten(store: Path) -> str:
    connection = sqlite3.connect(store / "games.sqlite")
    [(game,)] = connection.execute("SELECT originator_id FROM stored_events WHERE topic = 'bh99/game_forgotten'")
    connection.close()
    return str(game)


def test_a_log_that_is_in_a_store_of_form_1_is_known_there(store: Path) -> None:
    with store_in(store) as opened:
        assert opened.import_log(str(EVERY_EVENT)).outcome == "already there"
        assert opened.import_log(str(FROZEN / "house-spelling.jsonl.gz")).outcome == "already there"
        assert opened.import_log(str(FROZEN / "one-hand-as-seen.jsonl")).outcome == "forgotten"


def test_topics_are_names_that_never_change(store: Path) -> None:
    topics = {row[2] for row in rows_of(str(store / "games.sqlite"), "stored_events")["stored_events"]}
    assert topics == {f"bh99/{name}" for name in EVENT_TYPES} | {"bh99/forgotten", "bh99/game_forgotten"}
