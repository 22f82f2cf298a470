"""Words for what is wrong with a line. Slow and exact: it only sees lines that were refused."""

import re
import typing
from typing import Any, Final

import msgspec

from bh99.json_places import NotJson, Value, places, what_stands
from bh99.line_fault import LineFault
from bh99.log_checks import names_in
from bh99.spelling import CARD_FIELDS, respelled
from domain.cards import card_named
from domain.events import EVENT_TYPES, FORMAT, AnyEvent, GameOpened, type_of
from domain.names import fault_of_name
from domain.reading_rules import UnknownRules
from domain.shipped_rules import rules_of
from projections.printable import printable

_WHAT: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
    "datetime": "a time with an offset, such as 2026-01-31T20:15:00Z",
}
_A_CARD: Final = "a card such as Ac, Td or Qs"
_NULL: Final = Value(("type",), "", "null", 1, 1)


def fault_of_line(line: bytes) -> LineFault:
    """What is wrong with a line that can't be decoded, or has a key twice."""
    try:
        text = line.decode()
    except UnicodeDecodeError as wrong:
        column = len(line[: wrong.start].decode()) + 1
        return LineFault(f"expected UTF-8, got the byte 0x{line[wrong.start]:02x}", column)
    try:
        values = places(text)
    except NotJson as wrong:
        return LineFault(wrong.message, wrong.column, wrong.field)
    top = values[0]
    if top.kind != "object":
        return LineFault(f"expected an event, which is an object, got {what_stands(top)}", top.column)
    fields = {value.path[0]: value for value in values if len(value.path) == 1}
    try:
        decoded = respelled(msgspec.json.decode(line))
    except RecursionError:
        return LineFault("nested too deeply", top.column, _deepest(values))
    except msgspec.DecodeError:
        return _number_out_of_range(values)
    return _fault_of_keys(decoded, top, fields) or _fault_of_values(decoded, values)


def _deepest(values: list[Value]) -> str | None:
    deepest = max(values, key=lambda value: len(value.path))
    return str(deepest.path[0]) if deepest.path else None


def _number_out_of_range(values: list[Value]) -> LineFault:
    numbers = [value for value in values if value.kind in ("int", "float") and value.path]
    for value in numbers:
        try:
            msgspec.json.decode(value.raw)
        except msgspec.DecodeError:
            return LineFault(f"the number {what_stands(value)} is out of range", value.column, str(value.path[0]))
    return LineFault("a number is out of range")


def _fault_of_keys(decoded: dict[str, Any], top: Value, fields: dict[Any, Value]) -> LineFault | None:
    """A wrong type, a later format, a field that is unknown or missing."""
    at_type = fields.get("type")
    if at_type is None:
        return LineFault("missing; expected the event's type", top.column, "type")
    kind = EVENT_TYPES.get(decoded["type"]) if at_type.kind == "str" else None
    if kind is None:
        return LineFault(f"expected the type of an event, got {what_stands(at_type)}", at_type.column, "type")
    name = decoded["type"]
    if kind is GameOpened and fields.get("format", _NULL).kind == "int" and decoded["format"] > FORMAT:
        return _later_format(fields["format"].column, decoded["format"])
    known = ("type", *kind.__struct_fields__)
    for field, value in fields.items():
        if field not in known:
            listed = ", ".join(part.name for part in msgspec.structs.fields(kind))
            return LineFault(f"unknown field; {name} has: {listed}", value.key_column, str(field))
    for part in msgspec.structs.fields(kind):
        if part.required and part.name not in fields:
            return LineFault(f"missing; {name} must have it", top.column, part.name)
    return None


def _later_format(column: int | None, found: int) -> LineFault:
    shown = printable(str(found), 20)
    message = f"the log has format {shown}, later than the last one known here; expected {FORMAT}"
    return LineFault(message, column, "format", last=True)


def _fault_of_values(decoded: dict[str, Any], values: list[Value]) -> LineFault:
    """What msgspec found wrong with a value, in our words and with its column."""
    try:
        msgspec.convert(decoded, AnyEvent)
    except msgspec.ValidationError as wrong:
        words = str(wrong)
    else:
        return LineFault("the line can't be read")
    what, _, where = words.rpartition(" - at ")
    path = re.match(r"`(?P<key>key` in `)?\$\.?(?P<field>\w*)(?P<rest>[^`]*)`", where)
    if path is None:
        return LineFault(printable(words, 200))
    field, rest = path["field"], re.findall(r"\[(\.\.\.|\d+)\]", path["rest"])
    kind = EVENT_TYPES[decoded["type"]]
    here = [value for value in values if value.path and value.path[0] == field]
    if path["key"]:
        for value in here:
            if len(value.path) == 2 and not 1 <= len(str(value.path[1])) <= 40:
                shown = printable(str(value.path[1]), 44)
                return LineFault(f'expected a name of 1 to 40 characters, got "{shown}"', value.key_column, field)
    found = _culprit(what, field, rest, here)
    wanted = _wanted(what, field, kind, found)
    if found is None:
        return LineFault(f"expected {wanted}", None, field)
    return LineFault(f"expected {wanted}, got {what_stands(found)}", found.column, field)


def _culprit(what: str, field: str, rest: list[str], here: list[Value]) -> Value | None:
    """The first value that msgspec's words fit, among those of a field; `[...]` in its paths is any key."""
    got = re.search(r", got `(\w+)`", what)
    first = None
    for value in here:
        path = [str(step) for step in value.path[1:]]
        if len(path) != len(rest) or any(want not in ("...", step) for want, step in zip(rest, path, strict=True)):
            continue
        first = first or value
        if got is not None and got[1] == value.kind:
            return value
        if value.kind == "str" and what.startswith("Invalid enum value"):
            known = field in CARD_FIELDS and card_named(msgspec.json.decode(value.raw)) is not None
            if not known:
                return value
    return first


def _wanted(what: str, field: str, kind: type, found: Value | None) -> str:
    """What a value should have been."""
    card = field in CARD_FIELDS and (found is None or found.kind not in ("array", "object") or "str" in what)
    types = re.search(r"Expected `([^`]+)`", what)
    names = types[1].split(" | ") if types else []
    if what.startswith("Invalid enum value"):
        if card:
            return _A_CARD
        return "one of " + ", ".join(_choices(typing.get_type_hints(kind)[field]))
    if "datetime" in what or "RFC3339" in what:
        return _WHAT["datetime"]
    if "of length" in what:
        return "a name of 1 to 40 characters"
    if "matching regex" in what:
        return '1 to 64 of the characters a-z, 0-9 and "-"'
    if "out of range" in what:
        return "a number that isn't out of range"
    least = re.search(r">= (-?\d+)$", what)
    if least:
        return f"a whole number of at least {least[1]}"
    if card and "str" in names:
        return _A_CARD
    # Whoever wrote something didn't mean null.
    words = [_WHAT.get(name, name) for name in names if name != "null"]
    return " or ".join(words) or printable(what, 200)


def _choices(hint: Any) -> list[str]:
    """The texts that a type allows, whatever it is wrapped in."""
    if typing.get_origin(hint) is typing.Literal:
        return [str(choice) for choice in typing.get_args(hint)]
    return [choice for part in typing.get_args(hint) for choice in _choices(part)]


def fault_of_key_twice(line: bytes) -> LineFault:
    """Where the key stands for the second time, in a line that has one twice."""
    try:
        places(line.decode())
    except NotJson as wrong:
        return LineFault(wrong.message, wrong.column, wrong.field)
    return LineFault("a key stands twice in one object")  # pragma: no cover - the two readers would have to differ


def fault_of_opening(event: AnyEvent, line: bytes, any_rules: bool = False) -> LineFault:
    """What is wrong with the first event of a log, which doesn't open it well."""
    columns = {value.path: value.column for value in places(line.decode(), any_word=True)}
    if not isinstance(event, GameOpened):
        message = f"expected a game_opened on the first line, got {type_of(event)}"
        return LineFault(message, columns.get(("type",)), "type")
    if event.format > FORMAT:
        return _later_format(columns.get(("format",)), event.format)
    if event.format != FORMAT:
        message = f"expected the format {FORMAT}, got {printable(str(event.format), 20)}"
        return LineFault(message, columns.get(("format",)), "format")
    try:
        if not any_rules:
            rules_of(event.rules)
    except UnknownRules as unknown:
        return LineFault(printable(str(unknown), 300), columns.get(("rules",)), "rules")
    index, name = next((at, name) for at, name in enumerate(event.players) if name in event.players[:at])
    message = f'expected each name once, got "{printable(name)}" twice'
    return LineFault(message, columns.get(("players", index)), "players")


def fault_of_second_opening(line: bytes) -> LineFault:
    """For a game_opened that isn't the first event."""
    columns = {value.path: value.column for value in places(line.decode(), any_word=True)}
    message = "a second game_opened; expected one game a log (are these two logs in one file?)"
    return LineFault(message, columns.get(("type",)), "type")


def fault_of_names(event: AnyEvent, line: bytes) -> LineFault | None:
    """The first name in an event that isn't fit to show, if any."""
    bad = {name: fault for name in names_in([event]) if (fault := fault_of_name(name)) is not None}
    if not bad:
        return None
    for value in places(line.decode(), any_word=True):
        if not value.path or value.path[0] in ("note", "ext", "type", "at", "rules"):
            continue
        if value.kind == "str" and (name := msgspec.json.decode(value.raw)) in bad:
            return _unfit(name, bad[name], value.column, value)
        if len(value.path) == 2 and value.path[0] in ("hands", "tokens") and value.path[1] in bad:
            name = str(value.path[1])
            return _unfit(name, bad[name], value.key_column, value)
    name, fault = next(iter(bad.items()))  # pragma: no cover - names stand in one of these places
    return _unfit(name, fault, None, _NULL)


def _unfit(name: str, fault: str, column: int | None, value: Value) -> LineFault:
    message = f'the name "{printable(name)}" {fault}; expected 1 to 40 printable characters'
    return LineFault(message, column, str(value.path[0]))


def is_cut_off(line: bytes) -> bool:
    """Whether a last line without a line feed, which can't be decoded, was cut off: it isn't JSON.

    A line whose object is closed was not cut, whatever else is wrong with it.
    """
    if b"\0" in line:
        return not line.rstrip(b"\0").count(b"\0")
    try:
        places(line.decode(errors="replace"), any_word=True)
    except NotJson as wrong:
        return not wrong.closed
    return False
