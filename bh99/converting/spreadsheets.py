"""A spreadsheet as CSV: a row an event, the columns named in the first row; each row is an entry of the shorthand."""

import csv
import datetime
import io
import re
from collections.abc import Iterator
from typing import Final

from bh99.converting.converted import text_of
from bh99.converting.rows import Entered, Opens, Row, Wrong
from bh99.errors import LogUnreadable, Problem
from bh99.log_reading import MOST_PROBLEMS
from bh99.scribe.entry import UNSEEN, Misread, words_of
from bh99.scribe.words import BY_NAME
from domain.cards import card_named
from domain.rulebook import RULES

COLUMNS: Final[dict[str, str]] = {
    "game": "the id of the game; another one begins the next game",
    "players": "who sits at the table, clockwise, with commas between; on the first row of a game",
    "rules": "the rule set, on the first row of a game",
    "player": "who it is about",
    "event": "a word of the shorthand or a type of the log; empty for a card that is played",
    "card": "the card, or several with spaces between",
    "count": "the Count that was said",
    "value": "what the card was chosen to count",
    "target": "whom the card points at or chooses",
    "to": "whom hits are given to",
    "hits": "how many hits, tokens or, of somebody who joins, which seat",
    "prize": "main or bonus",
    "line": "the line that a take-back or a ruling is about, in the log",
    "text": "the text of a ruling or the reason of a void, or more words of the entry",
    "note": "a note on the event",
    "at": "when it was, such as 2026-11-30T21:15:00Z",
}
"""The columns that are read; the order doesn't matter, and none is needed but `event` or `card`."""
_ALSO: Final = {"name": "player", "who": "player", "type": "event", "what": "event", "cards": "card", "said": "count"}
_WORDS: Final = {
    "card_played": "",
    "play": "",
    "plays": "",
    "card_drawn": "draw",
    "draw_missed": "nodraw",
    "pile_reshuffled": "reshuffle",
    "player_eliminated": "out",
    "cards_shown": "show",
    "hand_won": "won",
    "hit_stolen": "stole",
    "bonus_created": "bonus",
    "hit_slid": "slid",
    "hit_taken": "took",
    "hit_carried": "carried",
    "hit_donated": "gave",
    "leisure_hit": "leisure",
    "bong_loaded": "loaded",
    "hand_dealt": "deal",
    "player_joined": "joins",
    "player_left": "leaves",
    "hand_corrected": "fixed",
    "count_corrected": "count",
    "hand_voided": "void",
    "taken_back": "undo",
    "ruling_made": "ruling",
    "tokens_lost": "paid",
    "player_knocked_out": "knocked",
    "match_won": "match",
    "game_closed": "close",
}
"""The word of the shorthand for each type of the log."""


def rows_of(path: str) -> Iterator[Row]:
    """The rows of a spreadsheet. Raises LogUnreadable if it is none, or has a column that isn't known."""
    text = text_of(path)
    head = next((line for line in text.splitlines() if line.strip()), "")
    separator = max((",", ";", "\t"), key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    columns: list[str] | None = None
    game, last, line = "", dict[str, str](), 1
    try:
        for cells in reader:
            begins, line = line, reader.line_num + 1
            while cells and not cells[-1].strip():
                cells.pop()
            if not cells:
                continue
            if columns is None:
                columns = _columns(path, cells, begins)
                continue
            if len(cells) > len(columns):
                yield Wrong(begins, f"{len(cells)} cells; expected {len(columns)}, as the first row has")
                continue
            row = dict(zip(columns, (cell.strip() for cell in cells), strict=False))
            yield from _opened(row, begins, game, last)
            yield from _entered(row, begins)
            game, last = row.get("game") or game, row
    except csv.Error as fault:
        message = "a quotation mark is never closed" if "end of data" in str(fault) else str(fault)
        raise LogUnreadable(path, [Problem(path, f"this is no CSV: {message}", line)]) from None


def _columns(path: str, cells: list[str], line: int) -> list[str]:
    """The columns, by our names. Raises LogUnreadable."""
    named = [_ALSO.get(cell.strip().casefold(), cell.strip().casefold()) for cell in cells]
    problems = [
        Problem(path, f"unknown column {cell!r}; expected one of: {', '.join(COLUMNS)}", line)
        for name, cell in zip(named, cells, strict=True)
        if name not in COLUMNS
    ]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None and not problems:
        problems.append(Problem(path, f"two columns are called {twice}", line))
    if not problems and not {"event", "card"} & set(named):
        problems.append(Problem(path, "no column is called event or card; expected one of them at least", line))
    if problems:
        raise LogUnreadable(path, problems[:MOST_PROBLEMS])
    return named


def _opened(row: dict[str, str], line: int, game: str, last: dict[str, str]) -> Iterator[Opens]:
    """How the game is played that begins with a row. `game`: the one before; `last`: the row before, which is repeated
    in spreadsheets that say it all in every row."""
    if row.get("game", "") not in ("", game):
        yield Opens(line, "game", [row["game"]])
        last = {}
    if row.get("players") and row["players"] != last.get("players"):
        yield Opens(line, "players", [name.strip() for name in row["players"].split(",") if name.strip()])
    if row.get("rules") and row["rules"] != last.get("rules"):
        yield Opens(line, "rules", [row["rules"]])


def _entered(row: dict[str, str], line: int) -> Iterator[Row]:
    """The entry of a row; none in one that only says how the game is played."""
    try:
        words = _words(row)
        if words:
            yield Entered(line, words, row.get("note") or None, _moment(row.get("at", "")))
        elif row.get("note") or row.get("at"):
            raise Misread("nothing happens in this row; expected a card or an event")
    except Misread as wrong:
        yield Wrong(line, str(wrong))


def _words(row: dict[str, str]) -> list[str]:
    """The words of the entry that a row stands for. Raises Misread."""
    event, player, text = (row.get(column, "") for column in ("event", "player", "text"))
    said = words_of(_WORDS.get(event.casefold(), event))
    word = BY_NAME.get(said[0].casefold()) if len(said) == 1 else None
    if word == "ruling" and player:
        rule, _, rest = text.partition(" ")
        text = f"{rule} by {player}: {rest}" if rule in RULES else f"by {player}: {text}"
        player = ""
    words = [*said, player] if word == "joins" else [player, *said]  # who joins isn't known yet
    cards, count, value = row.get("card", "").split(), _number(row, "count"), _number(row, "value")
    words += [_number(row, "line"), *(cards or [UNSEEN] * (event != "" and not said))]
    words += [f"={count}" if count else "", f"{int(value):+d}" if value else ""]
    if not said and not count and not value and len(cards) == 1 and card_named(cards[0]):
        words.append(UNSEEN)  # nobody noted the Count
    words += [row.get("target", ""), row.get("to", ""), _number(row, "hits"), _prize(row), *text.split()]
    return [part for part in words if part]


def _number(row: dict[str, str], column: str) -> str:
    """The number in a cell, as the shorthand writes it; empty if none is there. Raises Misread."""
    number = row.get(column, "")
    if not number:
        return ""
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", number, re.ASCII):
        raise Misread(f"{number!r} is no number; expected one in the column {column}")
    return str(int(number))


def _prize(row: dict[str, str]) -> str:
    """What the shorthand says for the prize. Raises Misread."""
    prize = row.get("prize", "").casefold()
    if prize not in ("", "main", "bonus"):
        raise Misread(f"{row['prize']!r} is no prize; expected main or bonus")
    return prize if prize == "bonus" else ""


def _moment(text: str) -> datetime.datetime | None:
    """A moment with its offset from UTC; None for an empty text. Raises Misread for what is none."""
    if not text:
        return None
    try:
        at = datetime.datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise Misread(f"{text!r} is no moment; expected one such as 2026-11-30T21:15:00Z")
    return at
