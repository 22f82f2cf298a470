"""A file with several games, one behind the other, as a log of each: the lines stay as they are."""

import io

from bh99.converting.converted import Converted, bytes_of, name_them
from bh99.errors import LogUnreadable, Problem
from bh99.judging import audited
from bh99.log_reading import event_or_none
from bh99.logs import Log
from domain.events import GameOpened


def games_in(path: str) -> list[Converted]:
    """The games in a file of logs: each begins with its game_opened. Raises LogUnreadable if it can't be read."""
    games: list[tuple[int, list[bytes]]] = []
    ids: list[str | None] = []
    for line, text in enumerate(bytes_of(path).removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        event = event_or_none(text) if b"game_opened" in text else None
        if isinstance(event, GameOpened) or not games:
            games.append((line, []))
            ids.append(event.game if isinstance(event, GameOpened) else None)
        games[-1][1].append(text)
    converted = [_game(path, first, lines) for first, lines in games]
    name_them(converted, path, ids)
    return converted


def _game(path: str, first: int, lines: list[bytes]) -> Converted:
    """One game, whose first line has this number in the file, with every line checked."""
    while lines and not lines[-1].strip():
        lines.pop()
    text = b"\n".join(lines) + b"\n"
    game = Converted(name="", lines=lines)
    log = Log(path, lambda: io.BytesIO(text))
    try:
        game.findings = audited(log).summary.findings  # type: ignore[union-attr]
    except LogUnreadable as error:
        game.problems = [_moved(problem, first - 1) for problem in error.problems]
    game.notes = log.notes
    return game


def _moved(problem: Problem, by: int) -> Problem:
    """A problem with the number that its line has in the whole file."""
    line = problem.line and problem.line + by
    return Problem(problem.log, problem.message, line, problem.column, problem.field)
