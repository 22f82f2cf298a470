"""A store as scripts and the command line use it."""

import contextlib
import datetime
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from bh99.clock import now
from bh99.errors import GameForgotten, StoreBusy, StoreUnusable
from bh99.judging import Audited, audited
from bh99.logs import Log
from bh99.marks import SUFFIX as MARKS
from bh99.store.copying import Digest, copy_events, digest_in, there_is_one
from bh99.store.current_views import PAUSE, CurrentViews
from bh99.store.database import Cursor
from bh99.store.games import log_of, text_of
from bh99.store.importing import Imported, import_log
from bh99.store.place import AT_OPENING, Found, Place
from bh99.store.queries import findings_in
from bh99.store.questions import Answer, Questions
from bh99.store.sqlite.files import check_it_is_new
from bh99.store.sqlite.place import FilePlace
from bh99.store.urls import place_of
from bh99.store.views import Progress, Views
from domain import events as ev
from domain.rule_sets import RuleSet

Clock = Callable[[], datetime.datetime]


def open_store(url: str | None = None, *, create: bool = True, clock: Clock = now) -> "GameStore":
    """The store of a URL (`sqlite:///path`, or `postgresql://user@host/database`), or the one that BH99_STORE names, or
    the one in the user's data folder.

    `create`: make it if it isn't there. `clock`: tells the time, where the service writes `at`.
    Raises StoreUnusable if it can't be used, or isn't there and isn't to be made.
    """
    place = place_of(url)

    def opened() -> GameStore:
        found = place.find()
        if found is None:
            if not create:
                raise StoreUnusable(place.events, "there is no store yet; bh99 import makes one")
            place.make()
            found = place.find()
        assert found is not None
        return GameStore(place, found, clock)

    return place.safely(opened, place.events, AT_OPENING)


class GameStore(Questions):
    """The games of a store. `place`: where it is, and its URL. Use it in `with`, or close it.

    Any method raises StoreUnusable if the database can't be read or written.
    """

    def __init__(self, place: Place, found: Found, clock: Clock = now) -> None:
        self.place = place
        self.clock = clock
        self._found = found
        self._games = place.open_games()
        self._views = CurrentViews(place, self, self.read_log, may_make=found.may_make_views)
        self._process = os.getpid()
        self._closed = False

    def __enter__(self) -> "GameStore":
        return self

    def close(self) -> None:
        self._closed = True
        self._games.close()
        self._views.close()

    # ---- games in ----

    def import_log(self, path: str | os.PathLike[str]) -> Imported:
        """Store the log in a file ("-": standard input), whole or not at all. Importing it again changes nothing."""
        return import_log(os.fspath(path), lambda log: self._with_events(lambda: self._games.take_in(*log)))

    def append(self, game: str, events: Sequence[ev.AnyEvent], *, expected: int) -> int:
        """Add events to a game that has `expected` lines, 0 for a new one; how many lines it has then.

        An event without `at` gets the time of the clock. A new game begins with its game_opened, which names it.
        Raises GameConflict if the game has another number of lines, GameForgotten, and ValueError for events that
        can't stand there; then nothing was added.
        """
        if not all(isinstance(event, ev.Event) for event in events):
            raise ValueError("this can't stand in a log: expected events")
        moment = self.clock()
        timed = [event if event.at is not None else msgspec.structs.replace(event, at=moment) for event in events]
        return self._with_events(lambda: self._games.append(game, timed, expected))

    def _with_events(self, work: Callable[[], Answer]) -> Answer:
        self._check_it_is_open()
        return self.place.safely(work, self.place.events)

    def _check_it_is_open(self) -> None:
        if self._closed:
            raise StoreUnusable(self.place.events, "this store was closed")
        if os.getpid() != self._process:
            raise StoreUnusable(self.place.events, "another process has opened this store; open it anew in this one")

    # ---- games out ----

    def read_log(self, game: str, rules: RuleSet | None = None) -> Log:
        """A stored game as a log. `rules`: judge by these, not by those that it names.

        Raises UnknownGame, GameForgotten, and GameDamaged, as reading it does.
        """
        lines = self._with_events(lambda: self._games.lines(game))
        return log_of(game, lines, rules, self._beside(game))

    def _beside(self, game: str) -> str:
        """What the names of files begin with that belong to a game, such as its marks."""
        return self._found.beside + game

    def audit(self, game: str, *, rules: RuleSet | None = None, possible: bool = False) -> Audited:
        """What an audit of a stored game gives. Raises UnknownGame, GameForgotten and GameDamaged."""
        return audited(self.read_log(game, rules), possible=possible)

    def export(self, game: str) -> bytes:
        """The lines of a game as they were imported, byte for byte, each with a line feed.

        Raises UnknownGame, GameForgotten and GameDamaged.
        """
        return self._with_events(lambda: text_of(self._games.lines(game)))

    def game_ids(self) -> list[str]:
        """The ids of all games, also of those that were forgotten."""
        return self._with_events(self._games.games)

    # ---- what the views follow ----

    def last(self) -> int:
        """The position of the last event; 0 for none."""
        return self._with_events(self._games.last)

    def changed(self, after: int) -> list[tuple[str, int]]:
        """The games with events behind a position in the table of events, each with the position of its last one."""
        return self._with_events(lambda: self._games.changed(after))

    def fingerprint(self, position: int) -> str:
        """What stands at a position in the table of events."""
        return self._with_events(lambda: self._games.fingerprint(position))

    # ---- questions ----

    def findings_in(self, games: Sequence[str]) -> dict[str, int]:
        """How many proved findings each of these games has; a game that can't be read isn't there."""
        return self._ask(lambda c: findings_in(c, games))

    def catch_up(self, progress: Progress | None = None, ended: Callable[[], bool] = lambda: False) -> int:
        """Bring the views up to the last event; every question does it first. How many games were read for it.

        It stops on the way once it has `ended`.
        """
        read = 0

        def counted(done: int, of: int) -> None:
            nonlocal read
            read += 1
            if progress is not None:
                progress(done, of)

        self._check_it_is_open()
        self._views.work(lambda views: None, counted, ended)
        return read

    def connect(self) -> Any:
        """The views as they are now, for plain SQL that only reads (docs/store.md, The views); to be closed.

        A connection of `sqlite3`, or of `psycopg` for a store on a server.
        """
        return self._with_views(lambda views: views.tables.connect())

    def _ask(self, question: Callable[[Cursor], Answer]) -> Answer:
        self._check_it_is_open()
        return self._views.ask(question)

    def _with_views(self, work: Callable[[Views], Answer]) -> Answer:
        self._check_it_is_open()
        return self._views.work(work)

    # ---- keeping ----

    def follow(self, until: threading.Event, told: Callable[[int], None] = lambda games: None) -> None:
        """Keep the views up to date until the event is set: a worker's whole life.

        Two workers, here or on other hosts, take turns: whoever is killed or waits is stood in for by the other.
        `told`: is given how many games were read anew, each time that some were. The games that are being read when
        the event is set are finished first.
        """
        self._views.check_they_may_be_made("is a worker's task")
        while not until.is_set():
            try:
                games = self.catch_up(ended=until.is_set)
            except StoreBusy:  # somebody else makes them anew, which may take long
                continue
            if games:
                told(games)
            else:
                until.wait(PAUSE)

    def rebuild(self, progress: Progress | None = None) -> None:
        """Make the views anew from the events."""
        self._views.check_they_may_be_made("a rebuild does")
        self._with_views(Views.clear)
        self.catch_up(progress)

    def check(self) -> Iterator[str]:
        """What is wrong with the store, in words; nothing if all is well."""
        from bh99.store.keeping import faults_of_events, faults_of_views

        yield from self._with_events(lambda: list(faults_of_events(self._games)))
        try:
            yield from self._with_views(lambda views: list(faults_of_views(self, self.read_log, views)))
        except StoreUnusable as unusable:  # what is wrong with the events is said all the same
            yield f"the views can't be compared: {unusable}"

    def backup(self, file: str | os.PathLike[str]) -> None:
        """A copy of the events as they are at one moment, in a new file.

        Raises StoreUnusable if it can't be made, and StoreDamaged if the store isn't whole.
        """
        name, place = os.fspath(file), self.place
        check_it_is_new(name)
        if isinstance(place, FilePlace):
            place.safely(lambda: place.back_up(name), name)
        else:
            self._copy(FilePlace(name, None))

    def digest(self) -> Digest:
        """What tells this store from any that doesn't hold the same games, line for line."""

        def look() -> Digest:
            with self._games.recorder.reading() as c:
                return digest_in(self._games.recorder, c, self.place.events)

        return self._with_events(look)

    def copy_to(self, url: str) -> Digest:
        """Copy all events as they are at one moment into a new store, perhaps on the other engine; what both hold.

        Raises StoreUnusable if there is a store already, and StoreDamaged for events that no store takes.
        """
        to = place_of(url)
        if to.safely(to.find, to.events) is not None:
            raise there_is_one(to)
        return self._copy(to)

    def _copy(self, to: Place) -> Digest:
        return self._with_events(lambda: copy_events(self._games.recorder, self.place.events, to))

    def forget(self, game: str) -> None:
        """Empty a game for ever, and leave a mark in its place. Raises UnknownGame, and GameForgotten for one that
        was forgotten already, once it is sure that nothing of it is left."""
        self._views.check_they_may_be_made("a game that is forgotten has to leave too")
        self._with_views(lambda views: None)  # which a later version may have made
        forgotten: GameForgotten | None = None
        try:
            self._with_events(lambda: self._games.forget(game, self.clock()))
        except GameForgotten as error:
            forgotten = error
        self._with_events(self._games.wipe)
        self._with_views(lambda views: views.tables.wipe())
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._beside(game) + MARKS)
        if forgotten is not None:
            raise forgotten
