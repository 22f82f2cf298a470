"""Spellings of one person, in a TOML file (docs/statistics.md): `Benjamin = ["Ben", "benny"]`."""

import tomllib

import msgspec

from bh99.errors import AliasesUnreadable
from bh99.text_files import text_in


def read_aliases(file: str) -> dict[str, str]:
    """The person's name for each spelling. Raises AliasesUnreadable if it can't be read, or is ambiguous."""
    try:
        people = msgspec.convert(tomllib.loads(text_in(file, AliasesUnreadable)), dict[str, list[str]])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError, ValueError) as error:
        raise AliasesUnreadable(file, f'{error}; expected lines such as Benjamin = ["Ben", "benny"]') from None
    names: dict[str, str] = {}
    for person, spellings in people.items():
        for spelling in (person, *spellings):
            if names.setdefault(spelling, person) != person:
                raise AliasesUnreadable(file, f"{spelling} stands for {names[spelling]} and for {person}")
    return {spelling: person for spelling, person in names.items() if spelling != person}
