"""A spreadsheet as CSV: a row an event, the columns named in the first row; each row is an entry of the shorthand."""

import csv
import datetime
from collections.abc import Iterator
from typing import Final

from bh99.converting.converted import text_of
from bh99.converting.rows import Entered, Opens, Row, Wrong
from bh99.errors import LogUnreadable, Problem
from domain.cards import card_named

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
_NAMED_BEHIND: Final = ("joins", "join")
"""Words that a name which isn't known yet stands behind."""


def rows_of(path: str) -> Iterator[Row]:
    """The rows of a spreadsheet. Raises LogUnreadable if it is none, or has a column that isn't known."""
    lines = text_of(path)
    head = next((line for line in lines if line.strip()), "")
    separator = max((",", ";", "\t"), key=head.count)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    columns: list[str] | None = None
    game: str | None = None
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if columns is None:
                columns = _columns(path, cells, reader.line_num)
                continue
            row = dict(zip(columns, (cell.strip() for cell in cells), strict=False))
            if len(cells) > len(columns):
                yield Wrong(reader.line_num, f"{len(cells)} cells; expected {len(columns)}, as the first row has")
                continue
            yield from _opened(row, reader.line_num, game)
            game = row.get("game") or game
            yield from _entered(row, reader.line_num)
    except csv.Error as fault:
        raise LogUnreadable(path, [Problem(path, f"this is no CSV: {fault}", reader.line_num)]) from None


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
        raise LogUnreadable(path, problems)
    return named


def _opened(row: dict[str, str], line: int, game: str | None) -> Iterator[Opens]:
    """How the game is played that begins with a row."""
    begins = bool(row.get("game")) and row["game"] != game
    players = [name.strip() for name in row.get("players", "").split(",") if name.strip()]
    if begins:
        yield Opens(line, "game", [row["game"]])
    if players:
        yield Opens(line, "players", players)
    if row.get("rules"):
        yield Opens(line, "rules", [row["rules"]])


def _entered(row: dict[str, str], line: int) -> Iterator[Row]:
    """The entry of a row; none in one that only says how the game is played."""
    event = row.get("event", "")
    word = _WORDS.get(event.casefold(), event)
    player = row.get("player", "")
    words = [word, player] if word.casefold() in _NAMED_BEHIND else [player, *word.split()]
    words.append(row.get("line", ""))
    words += row.get("card", "").split()
    for column in ("count", "value"):
        number = row.get(column, "")
        if number and not number.lstrip("+-").isdecimal():
            yield Wrong(line, f"{number!r} is no number; expected one in the column {column}")
            return
        if number:
            words.append(f"={int(number)}" if column == "count" else f"{int(number):+d}")
    if word == "" and not row.get("count") and not row.get("value") and card_named(row.get("card", "")):
        words.append("?")
    words += [row.get("target", ""), row.get("to", ""), row.get("hits", "")]
    words += ["bonus"] if row.get("prize") == "bonus" else []
    words += row.get("text", "").split()
    words = [part for part in words if part]
    if not words:
        return
    at: datetime.datetime | None = None
    if row.get("at"):
        at = _moment(row["at"])
        if at is None:
            yield Wrong(line, f"{row['at']!r} is no moment; expected one such as 2026-11-30T21:15:00Z")
            return
    yield Entered(line, words, row.get("note") or None, at)


def _moment(text: str) -> datetime.datetime | None:
    """A moment with its offset from UTC; None if the text is none."""
    try:
        at = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo is not None else None
