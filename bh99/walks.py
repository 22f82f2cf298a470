"""A log that is read while somebody already walks in it, bit by bit, so that a screen never has to wait for the end."""

from typing import Final

from bh99.errors import LogUnreadable, Problem, UnknownSeat
from bh99.logs import Log
from projections.frames import Replay
from projections.seat_view import as_seen_by

LINES_A_STEP: Final = 64
"""Lines that are judged, or blanked for a seat, at a time: well below a millisecond, but after a fault more."""
LOOK_EVERY: Final = 0.3
"""Seconds between two looks at a log that grows."""


class Walk:
    """A log, and the game as far as it was read: all that the log tells, or what one seat could know.

    whole: the game with all that the log tells.
    game: the game as it is looked at.
    seat: whose view that is; None for everything.
    read_through: whether the end of the log was reached (of one that is followed, for now).
    """

    def __init__(self, log: Log, *, seat: str | None = None, follow: bool = False, known_then: bool = False) -> None:
        """Reads the first lines, and judges some. `known_then`: see Replay; in a seat's view it is always so.

        Raises LogUnreadable, and UnknownSeat: to find a player who joins later, the log is read to its end.
        """
        self.log = log
        self.follow = follow
        self.seat: str | None = None
        self.read_through = False
        self._seen: dict[str, Replay] = {}
        """The game as each seat saw it whose view was opened, as far as it was judged."""
        self._batches = log.growing() if follow else log.batches()
        first = next(self._batches)
        if not first:
            raise LogUnreadable(log.name, [Problem(log.name, "no line is finished yet; expected a game_opened")])
        self.whole = self.game = Replay(first, known_then=known_then)
        if seat is not None:
            while seat not in self.whole.players and not self.read_through:
                self._read()
            self.see_as(seat)
        self.game.judge_on(LINES_A_STEP)  # so that the first keys needn't wait

    def see_as(self, seat: str | None) -> None:
        """Look at the game with the eyes of a seat, or None with all that the log tells. Raises UnknownSeat."""
        if seat == self.seat:
            return
        if seat is None:
            self.game = self.whole
        elif seat in self._seen:
            self.game = self._seen[seat]
        elif seat in self.whole.players:
            self.game = self._seen[seat] = Replay([as_seen_by(seat, self.whole.opened)], known_then=True)
            self._blank_on(seat)
        else:
            raise UnknownSeat(seat, list(self.whole.players), self.log.name)
        self.seat = seat

    def go_on(self, wanted: int = 0) -> bool:
        """Read or judge a little more, some milliseconds of work; whether there is more to do at once.

        First all is read, so that it is known how long the log is; but if a `wanted` line is among what was read,
        it is judged first. Raises LogUnreadable, with all bad lines, and LogRewritten.
        """
        if not self.read_through and not self.game.judged < wanted <= len(self.game):
            self._read()
            return True
        if self.game.judge_on(LINES_A_STEP) or len(self.game) < len(self.whole):
            if self.seat is not None:
                self._blank_on(self.seat)
            return True
        if self.follow:
            self._read()
        return not self.read_through

    @property
    def done(self) -> float:
        """How much of what was read is judged, from 0 to 1."""
        return self.game.judged / len(self.whole)

    @property
    def all_known(self) -> bool:
        """Whether the log was read and judged to its end (of one that is followed, for now)."""
        return self.read_through and self.game.judged == len(self.whole)

    def _read(self) -> None:
        batch = next(self._batches, None)
        self.read_through = not batch
        if batch:
            self.whole.extend(batch)

    def _blank_on(self, seat: str) -> None:
        """Add the next lines to the game, as the seat saw them."""
        start = len(self.game)
        self.game.extend([as_seen_by(seat, event) for event in self.whole.events[start : start + LINES_A_STEP]])
