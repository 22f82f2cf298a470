"""Whatever the project offers is documented: events, fields, tables, findings, commands, options, rules, decisions."""

import re
import sqlite3
from pathlib import Path
from typing import get_args

import msgspec
import pytest
import typer

import bh99
from bh99.audits import audit_log
from bh99.bots import BOTS
from bh99.errors import LogUnreadable
from bh99.marks import Mark
from bh99.scribe.words import WORDS
from bh99.store.importing import Imported, Outcome
from bh99.store.view_tables import TABLES
from bh99.wanted import StoredGame, Wanted
from cli.main import app
from cli.replayer.keys import KEYS
from domain.commands import COMMAND_TYPES
from domain.deciding import LONGEST_HAND
from domain.events import EVENT_TYPES, Event
from domain.referee.verdicts import Expected
from domain.rulebook import RULINGS
from projections.audit import Summary
from projections.duty import DutyRow
from projections.finding import Finding
from projections.records import Deed
from projections.rule_pages import rules_markdown
from projections.statistics import PlayerStats
from projections.table_view import PlayerView, PrizeView, TableView

ROOT = Path(__file__).resolve().parent.parent
FORMAT = (ROOT / "docs/log-format.md").read_text("utf-8")
COMMANDS = (ROOT / "docs/command-line.md").read_text("utf-8")
REPLAYER = (ROOT / "docs/replayer.md").read_text("utf-8")
STATISTICS = (ROOT / "docs/statistics.md").read_text("utf-8")
STORE = (ROOT / "docs/store.md").read_text("utf-8")
SCRIPTS = (ROOT / "docs/scripts.md").read_text("utf-8")
RECORDING = (ROOT / "docs/recording.md").read_text("utf-8")
DEALING = (ROOT / "docs/dealing.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ADRS = sorted((ROOT / "docs/adr").glob("*.md"))


def section(text: str, heading: str) -> str:
    """The part of a page under a heading, up to the next of its rank."""
    rank = heading.split(" ", 1)[0]
    _, found, rest = text.partition(f"\n{heading}\n")
    assert found, f"no heading {heading!r}"
    return re.split(rf"^{rank} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def row(text: str, name: str) -> str:
    """The row of a table that begins with a name; empty if there is none."""
    found = re.search(rf"^\| `{name}`.*$", text, re.MULTILINE)
    return found[0] if found else ""


def undocumented(text: str, struct: type[msgspec.Struct]) -> list[str]:
    """The fields of a struct that a text doesn't name."""
    return [field for field in struct.__struct_fields__ if f"`{field}`" not in text]


@pytest.mark.parametrize("name", list(EVENT_TYPES))
def test_every_event_type_is_documented_with_all_its_fields(name: str) -> None:
    documented = row(section(FORMAT, "## The events"), name)
    assert documented, f"{name} has no row"
    own = [field for field in msgspec.structs.fields(EVENT_TYPES[name]) if field.name not in Event.__struct_fields__]
    fields = documented.split("|")[2]
    assert [field.name for field in own if f"`{field.name}`" not in fields] == []
    assert [field.name for field in own if field.required == (f"(`{field.name}`)" in fields)] == [], "( ) mean optional"
    assert len(re.findall("`", fields)) == 2 * len(own), "a field is documented that there isn't"


@pytest.mark.parametrize("name", list(EVENT_TYPES))
def test_every_choice_of_a_field_is_documented(name: str) -> None:
    schema = msgspec.json.schema(EVENT_TYPES[name])["$defs"][EVENT_TYPES[name].__name__]["properties"]
    choices = {choice for field in schema.values() for choice in choices_of(field) if len(choice) > 2}
    assert [choice for choice in choices if f"`{choice}`" not in FORMAT] == []


def choices_of(schema: object) -> list[str]:
    """The texts that a part of a schema allows, cards and all."""
    if isinstance(schema, list):
        return [choice for part in schema for choice in choices_of(part)]
    if not isinstance(schema, dict):
        return []
    found = [choice for choice in schema.get("enum", []) if isinstance(choice, str)]
    return found + [choice for key, part in schema.items() if key != "enum" for choice in choices_of(part)]


def test_what_every_event_may_carry_is_documented() -> None:
    part = section(FORMAT, "## What every event may carry")
    assert [field for field in ("type", *Event.__struct_fields__) if not row(part, field)] == []


def test_no_event_is_documented_that_there_is_not() -> None:
    rows = re.findall(r"^\| `(\w+)`", section(FORMAT, "## The events"), re.MULTILINE)
    assert sorted(rows) == sorted(EVENT_TYPES)


def test_every_field_of_the_table_is_documented() -> None:
    part = section(FORMAT, "## The table")
    assert [field for field in TableView.__struct_fields__ if not row(part, field)] == []
    assert undocumented(row(part, "players"), PlayerView) == []
    assert undocumented(row(part, "prizes"), PrizeView) == []
    assert undocumented(row(part, "expected"), Expected) == []


def test_every_field_of_a_finding_is_documented() -> None:
    part = section(FORMAT, "## Findings")
    assert [field for field in ("log", *Finding.__struct_fields__) if not row(part, field)] == []


def test_every_field_of_the_summary_is_documented() -> None:
    part = section(FORMAT, "## The summary")
    assert [field for field in (*Summary.__struct_fields__, "logs") if not row(part, field)] == []


def test_every_command_and_option_is_documented() -> None:
    group = typer.main.get_command(app)
    commands = getattr(group, "commands")  # noqa: B009 - typer's own click is not imported, so it has no type here
    documented = {"": COMMANDS, **{name: section(COMMANDS, f"## bh99 {name}") for name in commands}}
    missing = []
    for name, command in {"": group, **commands}.items():
        for inside, below in getattr(command, "commands", {}).items() if name else ():
            missing += [f"{name} {inside}"] if f"`bh99 {name} {inside}" not in documented[name] else []
            options = [option for parameter in below.params for option in parameter.opts if option.startswith("--")]
            missing += [f"{name} {inside} {option}" for option in options if f"`{option}" not in documented[name]]
        options = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
        missing += [f"{name} {option}" for option in options if not re.search(rf"`{option}\b", documented[name])]
    assert missing == []


def columns_of(table: str) -> list[str]:
    """The columns of a view."""
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE {table} ({TABLES[table]})")
    return [column for _, column, *_ in connection.execute(f"PRAGMA table_info({table})")]


@pytest.mark.parametrize("table", list(TABLES))
def test_every_view_is_documented_with_all_its_columns(table: str) -> None:
    described = next(part for part in STORE.split("\n\n") if part.startswith(f"| `{table}` |"))
    described += STATISTICS if table == "players" else ""
    assert [column for column in columns_of(table) if f"`{column}`" not in described] == []


def test_every_field_of_a_row_is_documented() -> None:
    assert undocumented(section(STATISTICS, "## Statistics"), PlayerStats) == []
    assert undocumented(section(STATISTICS, "## Loading duty"), DutyRow) == []
    assert undocumented(section(STATISTICS, "## Which games and players"), Wanted) == []
    assert undocumented(section(COMMANDS, "## bh99 games"), StoredGame) == []
    assert undocumented(section(COMMANDS, "## bh99 import"), Imported) == []


def test_every_outcome_of_an_import_and_every_deed_is_documented() -> None:
    for choices, text in ((get_args(Outcome), section(COMMANDS, "## bh99 import")), (get_args(Deed), STORE)):
        assert [choice for choice in choices if f"`{choice}`" not in text] == []


def test_every_public_function_and_method_of_the_store_is_documented() -> None:
    functions = [name for name in bh99.__all__ if name[0].islower()]
    assert [name for name in functions if f"`{name}(" not in SCRIPTS] == []
    inner = {"changed", "close", "damaged", "findings", "findings_in", "fingerprint", "game_ids", "last", "undated"}
    methods = [name for name in dir(bh99.GameStore) if not name.startswith("_") and name not in inner]
    assert [name for name in methods if f"`.{name}(" not in SCRIPTS] == []


def test_every_entry_of_the_shorthand_is_documented_with_all_its_spellings() -> None:
    part = section(RECORDING, "## What can be typed")
    for word in WORDS:
        [line] = [line for line in part.splitlines() if line.startswith((f"| `{word.word} ", f"| `{word.word}`"))]
        assert word.does in line
        assert [also for also in word.also if f"`{also}`" not in line] == []


@pytest.mark.parametrize("name", list(COMMAND_TYPES))
def test_every_command_of_a_live_game_is_documented_with_all_its_fields(name: str) -> None:
    documented = row(section(DEALING, "## Commands"), name)
    fields = documented.split("|")[2]
    own = msgspec.structs.fields(COMMAND_TYPES[name])
    assert [field.name for field in own if f"`{field.name}`" not in fields] == []
    assert [field.name for field in own if field.required == (f"(`{field.name}`)" in fields)] == [], "( ) mean optional"


def test_every_bot_is_documented_and_how_long_a_hand_may_go_on() -> None:
    assert [name for name in BOTS if not row(section(DEALING, "## Bots"), name)] == []
    assert f"{LONGEST_HAND:,} lines after its deal" in section(DEALING, "## Hands without an end")


def test_every_key_of_the_replayer_is_documented() -> None:
    part = section(REPLAYER, "## Keys")
    for key in KEYS:
        assert any(key.does in line and f"`{key.shown.split()[0]}`" in line for line in part.splitlines()), key.does


def test_every_field_of_a_mark_is_documented() -> None:
    part = section(REPLAYER, "## Marks")
    assert [field for field in Mark.__struct_fields__ if not row(part, field)] == []


def test_pictures_are_shown_and_need_nothing_from_elsewhere() -> None:
    shown = {Path(name).name for page in (REPLAYER, README) for name in re.findall(r"!\[[^]]+\]\(([^)]+\.svg)\)", page)}
    pictures = {path.name: path.read_text("utf-8") for path in (ROOT / "docs/pictures").glob("*.svg")}
    assert set(pictures) == shown
    assert [name for name, svg in pictures.items() if re.search(r"url\(.?http|@import|<!--", svg)] == []


def test_the_log_that_the_page_begins_with_is_in_order(tmp_path: Path) -> None:
    example = FENCE.findall(section(FORMAT, "## The file"))[0]
    (tmp_path / "game.jsonl").write_text(example, "utf-8")
    found = audit_log(str(tmp_path / "game.jsonl"))
    assert (found.line, found.findings) == (4, [])


def test_bad_lines_are_named_as_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = (
        '{"type":"game_opened","format":1,"rules":"bong-hit-99","players":["Eva","Finn"]}',
        '{"type":"card_played","player":"Eva","card":"Xx","count":5}',
        '{"type":"card_drawn","player":"Eva","card":"7d","colour":"red"}',
    )
    Path("evening.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    with pytest.raises(LogUnreadable) as refused:
        audit_log("evening.jsonl")
    assert f"{refused.value}\n" == FENCE.findall(section(FORMAT, "## Bad input"))[0]


@pytest.mark.parametrize("status", ["0", "1", "2", "3"])
def test_every_exit_status_is_documented(status: str) -> None:
    assert f"\n| {status} |" in section(FORMAT, "## Exit status")
    assert f"\n| {status} |" in COMMANDS


def test_the_page_of_the_rules_is_made_from_the_rulebook() -> None:
    assert (ROOT / "docs/rules.md").read_text("utf-8") == rules_markdown(), "README.md says how to make it anew"


@pytest.mark.parametrize("adr", ADRS, ids=lambda path: path.stem)
def test_a_decision_is_short_and_names_a_test_that_there_is(adr: Path) -> None:
    text = adr.read_text("utf-8")
    assert 50 <= len(text.split()) <= 200
    confirmed = re.findall(r"`(test_\w+)` in `(tests/test_\w+\.py)`", text)
    assert confirmed, "no test is named"
    for name, file in confirmed:
        assert (ROOT / file).is_file(), file
        assert f"def {name}(" in (ROOT / file).read_text("utf-8"), name


@pytest.mark.parametrize("name", list(RULINGS))
def test_every_ruling_has_its_decision_record(name: str) -> None:
    [adr] = [path for path in ADRS if path.name.startswith(f"{RULINGS[name].adr:04}-")]
    assert f"Ruling {name}." in adr.read_text("utf-8")
