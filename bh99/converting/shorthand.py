"""The scribe's shorthand in a text file: an entry a line, and before a game's first entry how it is played."""

import csv
import re
from collections.abc import Iterator
from typing import Final, get_args

from bh99.converting.converted import text_of
from bh99.converting.rows import BEGINS, Entered, Header, Opens, Row, Wrong
from bh99.scribe.entry import Misread, parted, words_of

HEADERS: Final[dict[str, Header]] = {word: word for word in get_args(Header)}


def rows_of(path: str) -> Iterator[Row]:
    """The rows of a text file; blank lines and lines that begin with # say nothing. Raises LogUnreadable."""
    begun = False
    for line, text in enumerate(re.split(r"\r\n|\r|\n", text_of(path)), 1):
        said, note = parted(text)
        if not said.strip():
            continue
        head, *rest = said.split(None, 1)
        word = HEADERS.get(head.casefold().rstrip(":"))
        if word is not None and not (word == "draws" and begun):  # then somebody draws
            begun = begun and word not in BEGINS
            yield Opens(line, word, _values("".join(rest)))
            continue
        begun = True
        try:
            yield Entered(line, words_of(said), note)
        except Misread as wrong:
            yield Wrong(line, str(wrong))


def _values(text: str) -> list[str]:
    """What stands behind a header, parted by commas; a value may stand in quotes."""
    return [value.strip() for row in csv.reader([text], skipinitialspace=True) for value in row if value.strip()]
