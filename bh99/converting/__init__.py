"""Games that were written down elsewhere, as logs: the scribe's shorthand, spreadsheets, files of several games.

What can't be read is named by its line (docs/converting.md).
"""

import os
from typing import Final, Literal, TypeAlias

from bh99.converting.converted import Converted, Defaults

Kind: TypeAlias = Literal["text", "csv", "logs"]
_KINDS: Final[dict[str, Kind]] = {".csv": "csv", ".tsv": "csv", ".txt": "text", ".jsonl": "logs", ".json": "logs"}


def kind_of(path: str) -> Kind:
    """What a file is by its name: a spreadsheet, logs, or else the scribe's shorthand."""
    stem, suffix = os.path.splitext(path.lower())
    if suffix == ".gz":
        return _KINDS.get(os.path.splitext(stem)[1], "logs")
    return _KINDS.get(suffix, "text")


def convert(
    path: str, kind: Kind | None = None, defaults: Defaults | None = None, *, skip: bool = False
) -> list[Converted]:
    """The games in a file, each as a log of its own. Nothing is written.

    `kind`: what the file is, if its name doesn't tell. `defaults`: what it doesn't say itself. `skip`: leave out lines
    that can't be read; the next line that can tells of them in its note.
    Raises LogUnreadable for a file that can't be read at all.
    """
    kind = kind or kind_of(path)
    if kind == "logs":
        from bh99.converting.splitting import games_in

        return games_in(path)
    if kind == "csv":
        from bh99.converting.spreadsheets import rows_of
    else:
        from bh99.converting.shorthand import rows_of
    from bh99.converting.typing_in import typed_in

    return typed_in(path, rows_of(path), defaults or Defaults(), skip)


__all__ = ["Converted", "Defaults", "Kind", "convert", "kind_of"]
