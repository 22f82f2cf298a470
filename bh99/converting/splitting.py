"""A file with several games, one behind the other, as a log of each: the lines stay as they are."""

import io

from bh99.converting.converted import Converted, bytes_of, name_them
from bh99.errors import LogUnreadable, Problem
from bh99.judging import audited
from bh99.log_files import OPENS
from bh99.log_reading import event_or_none
from bh99.logs import Log
from domain.events import GameForked, GameOpened


def games_in(path: str) -> list[Converted]:
    """The games in a file of logs: each begins with its game_opened. Raises LogUnreadable if it can't be read."""
    games: list[tuple[int, list[bytes]]] = []
    ids: list[str | None] = []
    for line, text in enumerate(io.BytesIO(bytes_of(path).removeprefix(b"\xef\xbb\xbf")), 1):
        event = event_or_none(text) if b"game_" in text else None
        if isinstance(event, GameOpened) or OPENS.match(text) or (not games and text.strip()):
            games.append((line, []))
            ids.append(event.game if isinstance(event, GameOpened) else None)
        elif isinstance(event, GameForked):
            ids[-1] = event.game
        if games:
            games[-1][1].append(text)
    if not games:
        raise LogUnreadable(path, [Problem(path, "nothing stands in it; expected a game_opened")])
    converted = [_game(path, first, lines) for first, lines in games]
    name_them(converted, path, ids)
    return converted


def _game(path: str, first: int, lines: list[bytes]) -> Converted:
    """One game, whose first line has this number in the file, with every line checked; a cut last line is left out."""
    while not lines[-1].strip():
        lines.pop()
    game = Converted(name="", lines=[line.removesuffix(b"\n") for line in lines])
    log = Log(path, lambda: io.BytesIO(b"".join(lines)))
    try:
        game.findings = audited(log).summary.findings  # type: ignore[union-attr]
    except LogUnreadable as error:
        game.problems = [_moved(problem, first - 1) for problem in error.problems]
    if log.incomplete:
        game.lines.pop()
    game.notes = log.notes
    return game


def _moved(problem: Problem, by: int) -> Problem:
    """A problem with the number that its line has in the whole file."""
    line = problem.line and problem.line + by
    return Problem(problem.log, problem.message, line, problem.column, problem.field)
