"""What carries over from one evening to the next: players, rules, and who deals next."""

import os
from typing import Any, Final

import msgspec

from bh99.user_folder import data_folder
from domain.events import GameOpened, Name
from domain.names import fault_of_name
from domain.reading_rules import UnknownRules
from domain.shipped_rules import rules_of
from domain.table import Table

FILE: Final = "last-evening.json"


class LastEvening(msgspec.Struct, frozen=True, kw_only=True):
    """How the last evening that was written down stood at its end. `rules`: as a log names or carries them."""

    rules: str | dict[str, Any]
    players: list[Name]
    dealer: Name | None = None


_decoder: Final = msgspec.json.Decoder(LastEvening)
_encoder: Final = msgspec.json.Encoder()


def last_evening() -> LastEvening | None:
    """The last evening; None if there was none, or nobody can read any more what was kept of it."""
    try:
        with open(os.path.join(data_folder(), FILE), "rb") as file:
            evening = _decoder.decode(file.read())
        rules_of(evening.rules)
    except (OSError, msgspec.DecodeError, UnknownRules, RecursionError):
        return None
    return None if any(fault_of_name(name) for name in evening.players) else evening


def as_it_stands(table: Table, opened: GameOpened) -> LastEvening:
    """How an evening stands: who sits there now, and who deals next."""
    return LastEvening(rules=opened.rules, players=list(table.seats), dealer=table.dealer_due())


def keep_evening(evening: LastEvening) -> None:
    """Keep how an evening stands, in place of the last one. It is a convenience: that it can't be kept is no error."""
    folder = data_folder()
    written = os.path.join(folder, f".{FILE}-{os.getpid()}")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(written, "wb") as file:
            file.write(_encoder.encode(evening))
        os.replace(written, os.path.join(folder, FILE))
    except OSError:
        return
