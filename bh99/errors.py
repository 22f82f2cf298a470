"""What can go wrong, by cause.

Bh99Error
├── LogUnreadable    a log can't be read; `problems` says where and why
│   └── GameDamaged      a game in the store can't be read any more
├── LogUnwritable    nothing can be added to a log file
├── LogRewritten     a log that was followed as it grew has become another one
├── AliasesUnreadable  a file of spellings can't be read
├── MarksUnreadable  the marks beside a log can't be read or kept
├── RulesUnreadable  a file of rules can't be read, or a set has no such name
├── StoreError       the game store can't do what is asked
│   ├── StoreUnusable    it isn't there, is no store, or can't be read or written
│   │   ├── StoreBusy        somebody else has been writing to it for too long
│   │   └── StoreDamaged     what it holds isn't what was stored
│   ├── UnknownGame      it holds no game of that id
│   ├── GameForgotten    the game was forgotten, and only a mark is left
│   └── GameConflict     somebody else has added to the game
├── UnknownSeat      nobody of that name sat at the table
├── UnknownLine      the log has no such line
├── UnknownBot       there is no bot of that name
├── NoWorlds         how the cards may lie can't be told, after a fault that leaves it open
├── NotForked        a game can't go on from there in the way that was asked for
└── NotSimulated     games can't be simulated like that
"""

from collections.abc import Iterable, Sequence

import msgspec

from projections.printable import printable


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong with a log; `str()` gives one line, safe to show.

    `line` and `column` count from 1, as an editor shows them (blank lines count, columns are characters);
    None where the problem isn't at a line, or nobody can tell the column. `field` is a field of the event.
    """

    log: str
    message: str
    line: int | None = None
    column: int | None = None
    field: str | None = None

    @property
    def kind(self) -> str:
        """The problem without what is particular to this log, for counting: "unknown field"."""
        return self.message.partition("; ")[0].partition(", got ")[0]

    def __str__(self) -> str:
        where = printable(self.log, None)
        if self.line is not None:
            where += f":{self.line}" if self.column is None else f":{self.line}:{self.column}"
        field = "" if self.field is None else f'field "{printable(self.field)}": '
        return f"{where}: {field}{self.message}"


class Bh99Error(Exception):
    """Whatever this package raises on purpose."""


class LogUnreadable(Bh99Error):
    """A log can't be read. `name` is how the user named it, `problems` the first 20 things that are wrong."""

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        super().__init__(name, problems)
        self.name = name
        self.problems = list(problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class GameDamaged(LogUnreadable):
    """A game in the store can't be read any more: it isn't what was stored."""


class LogUnwritable(Bh99Error):
    """Nothing can be added to a log file; nothing was."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{printable(name, None)}: {printable(message, None)}")


class LogRewritten(Bh99Error):
    """A log that was followed as it grew has become another file, or a shorter one. It can be opened again."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{printable(name, None)}: the log was rewritten while it was followed; expected it to grow")


class FileUnreadable(Bh99Error):
    """A file beside the logs can't be used. `str()` gives one line, safe to show: file, line and what was expected."""

    def __init__(self, name: str, message: str, line: int | None = None) -> None:
        where = printable(name, None) if line is None else f"{printable(name, None)}:{line}"
        super().__init__(f"{where}: {printable(message, None)}")


class AliasesUnreadable(FileUnreadable):
    """A file that says which spellings are one person's can't be read."""


class MarksUnreadable(FileUnreadable):
    """The marks beside a log can't be read or kept."""


class RulesUnreadable(FileUnreadable):
    """A rule set can't be read."""


class StoreError(Bh99Error):
    """The game store can't do what is asked. `str()` gives one line, safe to show."""


class StoreUnusable(StoreError):
    """A store isn't there, is none, is one of a later version, or can't be read or written."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(name, message)

    def __str__(self) -> str:
        return ": ".join(printable(str(part), None) for part in self.args)


class StoreBusy(StoreUnusable):
    """Somebody else has been writing to a store for too long; it can be tried again."""


class StoreDamaged(StoreUnusable):
    """What a store holds isn't what was stored."""


class UnknownGame(StoreError):
    """The store holds no game of this id."""

    def __init__(self, game: str) -> None:
        super().__init__(game)

    def __str__(self) -> str:
        return f"{printable(str(self.args[0]), None)}: the store has no such game; bh99 games lists them"


class GameForgotten(StoreError):
    """The game was forgotten: nothing of it is left but a mark."""

    def __init__(self, game: str) -> None:
        super().__init__(game)

    def __str__(self) -> str:
        return f"{printable(str(self.args[0]), None)}: this game was forgotten"


class GameConflict(StoreError):
    """Events were to be added to a game that has another number of lines than was expected; none was added."""

    def __init__(self, game: str, expected: int, lines: int) -> None:
        super().__init__(game, expected, lines)
        self.game = game
        self.expected = expected
        self.lines = lines

    def __str__(self) -> str:
        return f"{printable(self.game, None)}: the game has {self.lines} lines; expected {self.expected}"


class UnknownSeat(Bh99Error):
    """Nobody of that name sat at the table of this log."""

    def __init__(self, seat: str, players: Sequence[str], log: str) -> None:
        names = ", ".join(dict.fromkeys(players))
        super().__init__(f"{printable(log, None)}: nobody called {printable(seat)} sits here; expected one of: {names}")


class UnknownLine(Bh99Error):
    """The log has no such line."""

    def __init__(self, line: int, lines: int, log: str) -> None:
        super().__init__(f"{printable(log, None)}: there is no line {line}; expected a line from 1 to {lines}")


class UnknownBot(Bh99Error):
    """There is no bot of that name."""

    def __init__(self, bot: str, bots: Iterable[str]) -> None:
        super().__init__(f"there is no bot called {printable(bot, 40)}; expected one of: {', '.join(bots)}")


class NoWorlds(Bh99Error):
    """It can't be told how the cards may lie; the reason says why."""

    def __init__(self, name: str, line: int | None, reason: str) -> None:
        where = printable(name, None) + ("" if line is None else f", line {line}")
        super().__init__(f"{where}: how the cards may lie can't be told: {reason}")


class NotForked(Bh99Error):
    """A game can't go on from a line in the way that was asked for; `str()` says why."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{printable(name, None)}: {printable(reason, None)}")


class NotSimulated(Bh99Error):
    """Games can't be simulated like that, or one of their logs can't be written; `str()` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(printable(reason, None))
