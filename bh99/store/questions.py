"""What may be asked of games: the same questions to a store and to logs that are in none."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec

from bh99.rows import Rows
from bh99.store.database import Cursor
from bh99.store.queries import damaged, duty_rows, findings_of, games_rows, stats_rows, undated
from bh99.store.sqlite.files import clear_store_errors
from bh99.store.sqlite.views import views_in_memory
from bh99.store.views import Views
from bh99.wanted import ALL, About, By, StoredGame, Wanted, check_by
from projections.duty import DutyRow
from projections.printable import printable
from projections.records import GameRecord
from projections.statistics import PlayerStats

Answer = TypeVar("Answer")


class Questions(ABC):
    """The questions. Whoever asks closes them, or asks in `with`."""

    def __enter__(self) -> "Questions":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""

    @abstractmethod
    def _ask(self, question: Callable[[Cursor], Answer]) -> Answer:
        """The answer of the views, which know all games."""

    def games(self, wanted: Wanted = ALL) -> Rows[StoredGame]:
        """The games, the oldest evening first."""
        return self._ask(lambda c: games_rows(c, wanted))

    def stats(self, wanted: Wanted = ALL, by: By | None = None) -> Rows[PlayerStats]:
        """Statistics: a row a player, by name, or with `by` a row a group and player."""
        check_by(by)
        return self._ask(lambda c: stats_rows(c, wanted, by))

    def duty(self, wanted: Wanted = ALL, by: By | None = None) -> Rows[DutyRow]:
        """The loading duty: a row each time that it was given."""
        check_by(by)
        return self._ask(lambda c: duty_rows(c, wanted, by))

    def findings(self, wanted: Wanted = ALL) -> int:
        """How many proved findings the games have that are meant."""
        return self._ask(lambda c: findings_of(c, wanted))

    def damaged(self) -> list[str]:
        """Why games can't be read that are left out of all answers for that."""
        return self._ask(damaged)

    def undated(self, wanted: Wanted) -> int:
        """How many games `wanted.since` leaves out because nobody wrote down when they were."""
        return 0 if wanted.since is None else self._ask(lambda c: undated(c, wanted))


class Logs(Questions):
    """Logs that are in no store, in views that live in memory."""

    def __init__(self, about: About, records: Iterable[tuple[str, GameRecord]], *, several: bool) -> None:
        """`about`: what is asked. `records`: what is kept of each log, with its name. `several`: whether rows say
        which log they are of."""
        self._views = Views(views_in_memory())
        self._several = several
        self._names: dict[str, str] = {}
        """The name of each log by the key that it has in the views, as names may hold what no database does."""
        tables = ("games", "players") if about == "players" else ("games", "players", "duty")
        with clear_store_errors("the logs"):
            self._views.add_logs(self._with_keys(records), tables)

    def _with_keys(self, records: Iterable[tuple[str, GameRecord]]) -> Iterator[tuple[str, GameRecord]]:
        for place, (name, record) in enumerate(records):
            self._names[f"{place:09}"] = printable(name, None)
            yield f"{place:09}", record

    def close(self) -> None:
        self._views.close()

    def _ask(self, question: Callable[[Cursor], Answer]) -> Answer:
        with clear_store_errors("the logs"), self._views.tables.reading() as c:
            return question(c)

    def duty(self, wanted: Wanted = ALL, by: By | None = None) -> Rows[DutyRow]:
        """The loading duty: a row each time that it was given, in the order of the logs; with their names, if there
        are several."""
        check_by(by)
        rows = self._ask(lambda c: duty_rows(c, wanted, by, named=self._several))
        if not self._several:
            return rows
        if by is None:
            rows.sort(key=lambda row: row.log or "")
        named = [msgspec.structs.replace(row, log=self._names[row.log or ""]) for row in rows]
        return Rows(named, rows.names)
