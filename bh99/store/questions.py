"""What may be asked of games: the same questions to a store and to logs that are in none."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TypeVar

from eventsourcing.sqlite import SQLiteCursor

from bh99.rows import Rows
from bh99.store.queries import duty_rows, findings_of, games_rows, stats_rows, undated
from bh99.store.views import Views
from bh99.wanted import ALL, About, By, StoredGame, Wanted
from projections.chronicle import GameRecord
from projections.duty import DutyRow
from projections.statistics import PlayerStats

Answer = TypeVar("Answer")


class Questions(ABC):
    """The questions."""

    @abstractmethod
    def _ask(self, question: Callable[[SQLiteCursor], Answer]) -> Answer:
        """The answer of the views, which know all games."""

    def games(self, wanted: Wanted = ALL) -> Rows[StoredGame]:
        """The games, the oldest evening first."""
        return self._ask(lambda c: games_rows(c, wanted))

    def stats(self, wanted: Wanted = ALL, by: By | None = None) -> Rows[PlayerStats]:
        """Statistics: a row a player, by name, or with `by` a row a group and player."""
        return self._ask(lambda c: stats_rows(c, wanted, by))

    def duty(self, wanted: Wanted = ALL, by: By | None = None) -> Rows[DutyRow]:
        """The loading duty: a row each time that it was given."""
        return self._ask(lambda c: duty_rows(c, wanted, by))

    def findings(self, wanted: Wanted = ALL) -> int:
        """How many proved findings the games have that are meant."""
        return self._ask(lambda c: findings_of(c, wanted))

    def undated(self, wanted: Wanted) -> int:
        """How many games `wanted.since` leaves out because nobody wrote down when they were."""
        return self._ask(lambda c: undated(c, wanted))


class Logs(Questions):
    """Logs that are in no store, in views that live in memory."""

    def __init__(self, about: About, records: Iterable[tuple[str, GameRecord]]) -> None:
        """`about`: what is asked. `records`: what is kept of each log, with its name."""
        self._views = Views(None)
        names = self._views.add_logs(records, ("games", about))
        self._places = {name: place for place, name in enumerate(names)}

    def _ask(self, question: Callable[[SQLiteCursor], Answer]) -> Answer:
        with self._views.reading() as c:
            return question(c)

    def duty(self, wanted: Wanted = ALL, by: By | None = None) -> Rows[DutyRow]:
        """The loading duty: a row each time that it was given, in the order of the logs; with their names, if there
        are several."""
        rows = self._ask(lambda c: duty_rows(c, wanted, by, named=len(self._places) > 1))
        if by is None and len(self._places) > 1:
            rows.sort(key=lambda row: self._places[row.log or ""])
        return rows
