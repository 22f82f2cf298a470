"""Rules in files and on the command line: read with every key checked, printed, and judged by."""

import json
from pathlib import Path

import msgspec
import pytest
from cli_runs import bh99

from bh99.audits import audit_log, audit_logs, replay_log
from bh99.errors import RulesUnreadable
from bh99.rule_files import read_rules, rules_in, rules_toml
from domain.reading_rules import as_plain
from domain.rule_sets import RuleSet
from domain.shipped_rules import OPTIONS, rules_from, rules_named, shipped

FIXTURES = Path(__file__).parent.parent / "fixtures"
ALL_SETS = [rules.name for rules in shipped()] + [f"{name}+{each}" for name, many in OPTIONS.items() for each in many]


@pytest.mark.parametrize("name", ALL_SETS)
def test_a_set_printed_as_toml_reads_back_as_the_same_set(name: str) -> None:
    assert rules_in(rules_toml(rules_named(name))) == rules_named(name)


@pytest.mark.parametrize("name", ALL_SETS)
def test_a_set_carried_by_a_log_is_the_same_set(name: str) -> None:
    carried = msgspec.json.decode(msgspec.json.encode(as_plain(rules_named(name))))
    assert rules_from(carried) == rules_named(name)


def test_options_may_stand_in_any_order() -> None:
    assert rules_named("ninety-nine-pennies+rolling+five-cards") == rules_named(
        "ninety-nine-pennies+five-cards+rolling"
    )


def test_an_edition_that_is_not_named_is_the_first() -> None:
    assert rules_named("ninety-nine-chips") == rules_named("ninety-nine-chips@1")


def changed(**keys: object) -> RuleSet:
    return rules_from({"base": "ninety-nine-chips", "name": "ours", **keys})


def test_effects_are_changed_card_by_card_and_false_takes_away() -> None:
    ours = changed(effects={"3": {"then": "skip"}, "Qs": {"add": [1]}}, winner_takes_pot=False)
    base = rules_named("ninety-nine-chips")
    assert ours.effects["3"].then == "skip"
    assert ours.effect_of("Qs", 0) != ours.effect_of("Qd", 0) == base.effect_of("Qd", 0)
    assert rules_from({"base": "bong-hit-99", "name": "ours", "prize": False, "death_card": False}).prize is None
    assert "Qs" not in (rules_from({"base": "bong-hit-99", "name": "o", "at_limit": {"Qs": False}}).at_limit or {})


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('name = "ours"\nbase = "ninety-nine-chips"\nhand_sizes = 4\n', 3, "there is no such key: `hand_sizes`"),
        (
            'name = "ours"\nbase = "ninety-nine-chips"\nhand_size = "4"\n',
            3,
            "hand_size: expected a whole number, got a text",
        ),
        ('name = "ours"\nbase = "ninety-nine-chips"\n[effects]\n4 = {add = ["a"]}\n', 4, "effects.4.add[0]"),
        (
            'name = "ours"\nbase = "ninety-nine-chips"\n[effects.4]\nthan = "turn"\n',
            4,
            "effects.4: there is no such key: `than`",
        ),
        ('name = "ours"\nbase = "ninety-nine-chips"\n[effects]\nX = {add = [1]}\n', 4, "effects.X: expected a rank"),
        (
            'name = "ours"\nbase = "ninety-nine-chips"\n[effects]\n4 = {add = []}\n',
            4,
            "effects.4.add: expected at least",
        ),
        ('name = "ours"\nbase = "ninety-nine-chips"\ntokens = {1 = 0}\n', 3, "tokens: expected numbers of at least 1"),
        ('name = "ours"\nbase = "ninety-nine-chips"\ntokens = false\nborders = [3]\n', 3, "tokens: expected some"),
        ('name = "ours"\nbase = "ninety-nine-chips"\nfloor = 3\n', 3, "floor: expected 0 or less"),
        ('name = "ours"\nbase = "ninety-nine-chips"\n[effects]\n4 = false\n', 4, "4c has none"),
        ('name = "ours"\nbase = "ninety-nine-cups"\n', 2, "base: rules 'ninety-nine-cups' are not known"),
        ('base = "ninety-nine-chips"\nhand_size = 4\n', None, "name: expected a name of its own"),
        ('name = "ours"\n', None, "missing, and has no default"),
        ('name = "ours\n', 1, "Illegal character"),
        ('name = "ours"\nbase = "ninety-nine-chips"\nbetween_two = "a"\n', 3, "expected next or again, got 'a'"),
        (
            'name = "ours"\nbase = "ninety-nine-chips"\n[effects]\n4 = {then = "x"}\n',
            4,
            "expected next or turn or skip",
        ),
        ('name = "ours"\nbase = "ninety-nine-chips"\ndeck = ["Zz"]\n', 3, "deck[0]: expected a card such as Qs"),
        (
            'name = "ours"\nbase = "ninety-nine-chips"\n[says]\n4 = 4\n',
            4,
            "says.4: expected a text, got a whole number",
        ),
        ('name = "ours"\nbase = "ninety-nine-chips"\n[says]\n4 = "{0}"\n', 4, "says.4: expected a text in which only"),
        ('name = "ours"\nbase = "ninety-nine-chips"\n[decks]\nT = 4\n', 4, "decks.T: expected a number of seats"),
        ('name = "ours"\nbase = "ninety-nine-chips"\n[tokens]\n1 = 2.5\n', 4, "tokens.1: expected a whole number"),
        ('name = "ours"\nbase = "ninety-nine-chips"\nmost_seats = 1\n', 3, "most_seats: expected fewest_seats or more"),
        ('name = "ours"\nbase = "ninety-nine-chips"\nhand_size = 999\n', 3, "hand_size: expected a hand that"),
        ('name = "ours"\nbase = "ninety-nine-chips"\nexact_hits = [66, 33]\n', 3, "exact_hits: expected rising"),
        ('name = "ours"\nbase = "bong-hit-99"\nout_ends = "hand"\n', 3, 'out_ends: expected "seat"'),
        ('name = "ours"\nbase = "bong-hit-99"\ndeath_card = {card = "Qs", shield = "Qs"}\n', 3, "two different cards"),
        ('name = "ours"\nbase = "bong-hit-99"\nprize = {thief = "Ac", slide = ["Ac"]}\n', 3, "prize: expected cards"),
        ('name = "bong-hit-99"\nbase = "ninety-nine-chips"\n', 1, "name: bong-hit-99 is the name of other rules"),
        ('name = "ours"\nname = "mine"\n', 2, "Cannot overwrite a value"),
    ],
)
def test_an_error_in_a_file_names_the_line_and_the_key(
    tmp_path: Path, text: str, line: int | None, message: str
) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(RulesUnreadable) as caught:
        read_rules(str(file))
    where = f"{file}:{line}: " if line else f"{file}: "
    assert str(caught.value).startswith(where), str(caught.value)
    assert message in str(caught.value)


def test_a_file_that_cannot_be_read_is_a_clear_error(tmp_path: Path) -> None:
    for name, content in (
        ("missing.toml", None),
        ("bytes.toml", b"\xff\xfe"),
        ("deep.toml", b"a = " + b"[" * 9999),
        ("long.toml", b"limit = " + b"9" * 5000),
    ):
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(RulesUnreadable, match=name):
            read_rules(str(file))
    with pytest.raises(RulesUnreadable, match=r"ends in \.toml"):
        read_rules("poker")


def named_rules(log: Path) -> str | None:
    """The rules that a recorded game names; None if it carries its own, or can't be read to its end."""
    rules = json.loads(log.read_text("utf-8").splitlines()[0])["rules"]
    return rules if isinstance(rules, str) else None


@pytest.mark.parametrize("log", sorted(FIXTURES.glob("*.jsonl")), ids=lambda log: log.stem)
def test_a_set_read_back_under_another_name_gives_the_same_findings_and_tables(log: Path) -> None:
    name = named_rules(log)
    if name is None:
        return
    printed = rules_toml(rules_named(name)).replace(f'name = "{name.partition("@")[0]}"', 'name = "another"')
    rules = rules_in(printed)
    assert rules.name == "another"
    asked = [(replay_log(str(log), rules=one), audit_log(str(log), rules=one).findings) for one in (None, rules)]
    (own, own_findings), (other, other_findings) = asked
    assert msgspec.json.encode(own_findings) == msgspec.json.encode(other_findings)
    for line in range(1, len(own) + 1):
        assert msgspec.json.encode(own.view_at(line)) == msgspec.json.encode(other.view_at(line))


# ---- on the command line ----


def test_every_set_is_listed_with_its_options() -> None:
    listed = bh99("rulesets").stdout
    assert all(rules.name in listed for rules in shipped())
    assert all(f"+{option}" in listed for options in OPTIONS.values() for option in options)


@pytest.mark.parametrize("name", ALL_SETS)
def test_a_set_is_explained(name: str) -> None:
    page = bh99("rules", "--set", name)
    assert page.exit_code == 0
    assert page.stdout.startswith(f"{name}, edition 1\n")


def test_a_set_is_printed_and_the_print_can_be_judged_by(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    printed = bh99("rulesets", "show", "bong-hit-99").stdout
    file.write_text(printed.replace('name = "bong-hit-99"', 'name = "ours"').replace("hand_size = 4", "hand_size = 3"))
    log = str(FIXTURES / "one-hand.jsonl")
    judged = bh99("audit", log, "--rules", str(file))
    assert judged.exit_code == 1
    assert "deal (proved)" in judged.stdout
    assert f"{log}: judged by ours, not by bong-hit-99, which the log names" in judged.stderr
    assert "judged by" not in bh99("audit", log, "--rules", "bong-hit-99").stderr
    for command in (("replay", log), ("now", log), ("audit", log, "--explain", "2")):
        assert bh99(*command, "--rules", str(file)).exit_code == 1
        assert "judged by ours" in bh99(*command, "--rules", str(file)).stderr


def test_a_log_whose_rules_got_lost_is_judged_by_those_that_are_given(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    log.write_text((FIXTURES / "one-hand.jsonl").read_text("utf-8").replace('"bong-hit-99"', '"our-old-rules"'))
    assert bh99("audit", str(log)).exit_code == 2
    assert bh99("audit", str(log), "--rules", "bong-hit-99").exit_code == 0


@pytest.mark.parametrize("command", [("rules", "--set"), ("rulesets", "show")])
def test_a_set_that_is_not_known_is_wrong_use(command: tuple[str, ...]) -> None:
    result = bh99(*command, "poker\x1b[31m")
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr
    assert "expected one of: bong-hit-99" in result.stderr


def test_rules_that_cannot_be_read_are_wrong_use() -> None:
    log = str(FIXTURES / "one-hand.jsonl")
    for command in ("audit", "replay", "now"):
        assert bh99(command, log, "--rules", "nowhere.toml").exit_code == 2
    assert bh99("rules", "must-play", "--set", "bong-hit-99").exit_code == 2


# ---- many logs ----


def test_many_logs_are_answered_in_order_as_each_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bh99.workers.WORTH_A_PROCESS", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    names = sorted(map(str, FIXTURES.glob("*.jsonl")))
    missing = str(tmp_path / "missing.jsonl")
    answers = list(audit_logs([*names, missing]))
    assert [answer.name for answer in answers] == [*names, missing]
    for answer in answers[:-1]:
        alone = audit_log(answer.name)
        assert (answer.findings, answer.summary) == (alone.findings, alone.summary)
    assert answers[-1].summary is None
    assert answers[-1].error is not None


def test_a_smaller_deck_leaves_the_effects_of_the_other_cards_behind() -> None:
    ours = changed(deck=["Ac", "Tc", "Kc", "Ad", "Td", "Kd", "9c"], hand_size=1)
    assert set(ours.effects) == {"A", "T", "K", "9"}


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(b'\xef\xbb\xbfname = "ours"\r\nbase = "ninety-nine-chips"\r\n')
    assert read_rules(str(file)).name == "ours"
