"""Rule sets in TOML files (docs/house-rules.md): read with every key checked, and printed."""

import re
from collections.abc import Iterator
from typing import Any

from bh99.errors import RulesUnreadable
from bh99.text_files import text_in
from domain.reading_rules import UnknownRules, as_plain
from domain.rule_sets import RuleSet
from domain.shipped_rules import rules_from, rules_named
from projections.printable import printable

_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?$")
_KEY = re.compile(r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=")


def read_rules(reference: str) -> RuleSet:
    """The rule set of a shipped name (`name[+option…][@edition]`) or in a TOML file (a path that ends in `.toml`).

    Raises RulesUnreadable with file, line and key, or with the names that are known.
    """
    if not reference.endswith(".toml"):
        try:
            return rules_named(reference)
        except UnknownRules as unknown:
            raise RulesUnreadable("rules", f"{unknown}, or a file that ends in .toml") from None
    return rules_in(text_in(reference, RulesUnreadable), reference)


def rules_in(text: str, name: str = "rules") -> RuleSet:
    """The rule set in a TOML text; `name` is how errors call it. Raises RulesUnreadable."""
    try:
        return rules_from(_decoded(text, name))
    except UnknownRules as error:
        raise RulesUnreadable(name, str(error), _line_of(str(error), text)) from None


def _decoded(text: str, name: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said, _, place = str(error).partition(" (at ")
        found = re.search(r"line (\d+)", place)
        raise RulesUnreadable(name, said, int(found[1]) if found else None) from None
    except (RecursionError, ValueError):  # a number of thousands of digits is a plain ValueError
        raise RulesUnreadable(name, "nested too deep, or with too long a number, to be a rule set") from None


def rules_toml(rules: RuleSet) -> str:
    """A rule set as TOML, whole: it needs no base, and reads back as the same set."""
    import tomlkit

    page = tomlkit.document()
    tables = {}
    for key, value in as_plain(rules).items():
        if isinstance(value, dict):
            tables[key] = value
        else:
            page[key] = value
    for key, value in tables.items():
        table = tomlkit.table()
        for name, part in value.items():
            if isinstance(part, dict):
                effect = tomlkit.inline_table()
                effect.update(part)
                part = effect
            table[name] = part
        page[key] = table
    return "".join(map(_escaped, tomlkit.dumps(page)))


def _escaped(sign: str) -> str:
    """A sign of a TOML text; one that isn't fit to show as its escape, which reads back as the same."""
    return sign if sign == "\n" or printable(sign, None) == sign else f"\\U{ord(sign):08X}"


def _line_of(error: str, text: str) -> int | None:
    """The line that an error is about, whose first word is the key; None if the key stands nowhere."""
    named = error.partition(":")[0]
    unknown = re.search(r"no such key: `([^`]+)`", error)
    path = [part for part in re.split(r"[.\[\]`…]+", named) if part and " " not in part]
    if unknown:
        path = [*(path if ":" in error else []), unknown[1]]
    best: tuple[int, int] | None = None
    for line, keys in _keys(text):
        shared = next((at for at, (one, other) in enumerate(zip(keys, path, strict=False)) if one != other), None)
        depth = min(len(keys), len(path)) if shared is None else 0
        if depth and (best is None or depth > best[0]):
            best = (depth, line)
    return best[1] if best else None


def _keys(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each line that sets a key or begins a table, with the whole dotted key."""
    table: list[str] = []
    for line, content in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(content), _KEY.match(content)
        if header:
            table = _parts(header[1])
            yield line, table
        elif key:
            yield line, table + _parts(key[1])


def _parts(dotted: str) -> list[str]:
    return [part.strip().strip("\"'") for part in dotted.split(".")]
