"""What can be a player's name: it reaches terminals, pages and spreadsheets."""

import functools
from typing import Final

LONGEST: Final = 40
"""Characters that a name may have."""


@functools.lru_cache(maxsize=4096)
def fault_of_name(name: str) -> str | None:
    """Why a text can't be a player's name, in words that follow it ("has …"); None if it can. Length isn't judged."""
    if name != name.strip():
        return "has a space at an end"
    if name.isprintable():
        return None
    import unicodedata  # only needed for names that are unusual

    for char in name:
        kind = unicodedata.category(char)
        if kind in _UNFIT:
            return f"has {_UNFIT[kind]} (U+{ord(char):04X})"
    return None


_UNFIT: Final = {
    "Cc": "a control character",
    "Cf": "a format or direction character",
    "Cs": "half of a character",
    "Co": "a character of private use",
    "Cn": "a character that isn't assigned",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
}
