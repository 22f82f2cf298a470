"""Typing the rows of a file in, as a scribe would: each game becomes a log."""

import os
from collections.abc import Iterable
from typing import Final

import msgspec

from bh99.converting.converted import Converted, Defaults, name_them
from bh99.converting.rows import BEGINS, Entered, Opens, Row
from bh99.errors import Bh99Error, LogUnreadable, Problem
from bh99.keepers import MemoryKeeper, lines_of
from bh99.log_reading import MOST_PROBLEMS
from bh99.rule_files import read_rules
from bh99.scribe.entry import Misread
from bh99.scribe.opening import DRAWS, sit_down
from bh99.scribe.scribe import Scribe
from domain.events import AnyEvent
from domain.shipped_rules import usual_rules
from projections.printable import printable

LONGEST_MESSAGE: Final = 500


class _Game:
    """A game whose rows are being read."""

    def __init__(self, path: str, line: int, defaults: Defaults) -> None:
        self.path = path
        self.line = line
        self.said: dict[str, list[str]] = {
            "players": list(defaults.players),
            "rules": [defaults.rules] if defaults.rules else [],
            "dealer": [defaults.dealer] if defaults.dealer else [],
        }
        self.told: set[str] = set()
        """The headers of the file that were read."""
        self.draws = defaults.draws
        self.scribe: Scribe | None = None
        self.keeper: MemoryKeeper | None = None
        self.problems: list[Problem] = []
        self.left_out: list[str] = []
        self.notes: list[str] = []
        """What was not written as the log never holds it."""
        self.untold: list[str] = []
        """What was left out and no event tells of yet."""

    @property
    def id(self) -> str | None:
        return next(iter(self.said.get("game", [])), None)

    def wrong(self, line: int, message: str) -> None:
        self.problems.append(Problem(self.path, printable(message, LONGEST_MESSAGE), line))

    def is_told(self, row: Opens) -> None:
        if self.scribe is not None:
            self.wrong(row.line, f"{row.word} stands before the first entry of a game")
        elif row.word in self.told:
            self.wrong(row.line, f"{row.word} was said already for this game")
        elif fault := _fault_of(row):
            self.wrong(row.line, fault)
        else:
            self.told.add(row.word)
            self.said[row.word] = list(row.values)
            self.draws = self.draws or row.word == "draws"

    def open(self) -> Scribe | None:
        """Sit down, once it is known who plays what; None, and a problem, if that can't be."""
        if self.scribe is None and not self.problems:
            try:
                self.scribe = self._opened()
            except (Misread, Bh99Error, ValueError) as wrong:
                self.wrong(self.line, str(wrong))
        return self.scribe

    def _opened(self) -> Scribe:
        players = self.said["players"]
        if not players:
            raise Misread("who plays? expected a line such as players Ana, Ben, Cy, or --players")
        omits = [*(() if self.draws else DRAWS), *self.said.get("omits", [])]
        rules = read_rules(self.said["rules"][0]) if self.said["rules"] else usual_rules()
        dealer = next(iter(self.said["dealer"]), None)
        opened = sit_down(rules, players, omits, lambda: None, self.id, dealer)
        self.keeper = MemoryKeeper(self.path, self.id)
        self.keeper.add([opened])
        return Scribe(self.keeper, [opened], lambda: None)

    def enter(self, row: Entered) -> None:
        scribe = self.open()
        if scribe is None:
            return
        if scribe.closed:
            self.wrong(row.line, "the game was closed before this line")
            return
        note = "; ".join([*_shortened(self.untold), *([row.note] if row.note else [])]) or None
        try:
            written = scribe.enter_words(row.words, note, row.at)
        except Misread as wrong:
            self.wrong(row.line, str(wrong))
            return
        if written.left_out is not None:
            self.notes.append(f"line {row.line}: {written.left_out} isn't written, as this log leaves it out")
        elif written.standing is None:
            self.untold = []
        elif row.note and self.keeper is not None:
            _add_note(self.keeper.kept, written.standing, row.note)

    def skip(self, line: int, text: str) -> None:
        """A line is left out that can't be read; the next one that can tells of it."""
        left_out = f"line {line} of {os.path.basename(self.path)} was left out: {printable(text, 100)}"
        self.left_out.append(left_out)
        self.untold.append(left_out)

    def converted(self) -> Converted:
        if self.keeper is not None and self.untold:  # no event has come behind it
            _add_note(self.keeper.kept, len(self.keeper.kept), "; ".join(_shortened(self.untold)))
        lines = lines_of(self.keeper.kept) if self.keeper is not None else []
        found = len(self.scribe.findings) if self.scribe is not None and not self.problems else None
        notes = [*_shortened(self.left_out), *_shortened(self.notes)]
        return Converted(name="", lines=lines, problems=self.problems, findings=found, notes=notes)


def _add_note(kept: list[AnyEvent], line: int, note: str) -> None:
    """Put a note on a line that was written by itself, before it was typed."""
    before = kept[line - 1].note
    kept[line - 1] = msgspec.structs.replace(kept[line - 1], note=f"{before}; {note}" if before else note)


def _fault_of(row: Opens) -> str | None:
    """Why a header can't be read; None if it can."""
    if row.word == "draws":
        return f"draws: {', '.join(row.values)}: nothing may stand behind it" if row.values else None
    if not row.values:
        return f"{row.word}: nothing is said behind it"
    if row.word in ("rules", "game", "dealer") and len(row.values) > 1:
        return f"{row.word}: {', '.join(row.values)}: expected one, without commas"
    return None


def _shortened(left_out: list[str]) -> list[str]:
    more = len(left_out) - MOST_PROBLEMS
    return left_out if more <= 0 else [*left_out[:MOST_PROBLEMS], f"{more} more lines were left out"]


def typed_in(path: str, rows: Iterable[Row], defaults: Defaults, skip: bool) -> list[Converted]:
    """The games of a file, row by row. Raises LogUnreadable if there is none."""
    games: list[_Game] = []
    fresh = True  # nothing was entered yet in the last of them
    for row in rows:
        if not games or (isinstance(row, Opens) and row.word in BEGINS and not fresh):
            games.append(_Game(path, row.line, defaults))
        game = games[-1]
        fresh = game.scribe is None and not isinstance(row, Entered)
        _read(game, row, skip)
    if not games:
        raise LogUnreadable(path, [Problem(path, "nothing stands in it; expected players, and then entries")])
    for game in games:
        game.open()
    converted = [game.converted() for game in games]
    name_them(converted, path, [game.id for game in games])
    return converted


def _read(game: _Game, row: Row, skip: bool) -> None:
    known = len(game.problems)
    if isinstance(row, Opens):
        game.is_told(row)
    elif isinstance(row, Entered):
        game.enter(row)
    else:
        game.wrong(row.line, row.message)
    if skip and game.scribe is not None:
        for problem in game.problems[known:]:
            game.skip(row.line, " ".join(row.words) if isinstance(row, Entered) else problem.message)
        del game.problems[known:]
    del game.problems[MOST_PROBLEMS:]
