"""The application: it moves about in a log, and gives the panels what they draw."""

import asyncio
import gc
import os
import pathlib
import re
import shlex
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.css.query import NoMatches
from textual.timer import Timer
from textual.widgets import OptionList, Static

from bh99.errors import Bh99Error, LogRewritten, UnknownLine
from bh99.logs import open_log
from bh99.marks import Mark, Marks
from bh99.walks import Walk
from cli.replayer.dialogs import Choice, Page, Prompt
from cli.replayer.keys import KEYS, help_text
from cli.replayer.panels import Bar, Evidence, FindingPanel, GoTo, LogPanel, TablePanel
from cli.replayer.pictures import ROOMY
from domain.cards import counted
from projections.drawing import lines_named
from projections.explanation import explain, render
from projections.frames import Frame, Replay
from projections.printable import printable
from projections.search import Search
from projections.seat_view import players_of
from projections.transcript import status_of

SMALLEST: Final = (80, 24)
SPEEDS: Final = {1: 2.0, 2: 0.5, 3: 0.125}
"""Seconds a line, when the game plays on by itself."""
LOOK_EVERY: Final = 0.3
"""Seconds between two looks at a log that grows, and between two pictures of how far it was read."""
AT_A_TIME: Final = 0.004
"""Seconds that are spent on reading before keys are looked for again."""
QUIET: Final = 0.1
"""Seconds after a key in which nothing is read, so that the answer is drawn at once."""
SEARCHED_AT_A_TIME: Final = 500
HINT: Final = "space next · b back · f finding · / search · s seat · x explain · ? keys"


class Replayer(App[None]):
    """The full-screen replayer of one log."""

    CSS_PATH = pathlib.Path(__file__).with_name("replayer.tcss")
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.keys, key.action, key.does, show=False) for key in KEYS),
        Binding("escape", "out_of_evidence", show=False),
    ]

    def __init__(self, walk: Walk, marks: Marks, start: int, rules: str | None) -> None:
        """`start`: the line to open at. `rules`: as they were given on the command line, for links."""
        super().__init__(ansi_color="NO_COLOR" in os.environ)  # else Textual writes greys
        self.animation_level = "none"
        self.walk = walk
        self.marks = marks
        self.rules = rules
        self.line = 1
        self.wanted: int | None = start
        """The line to go to as soon as it was read."""
        self.before_jump: int | None = None
        self.search: Search | None = None
        self.speed = 0
        self.message = ""
        self.ended_by: Bh99Error | None = None
        self.signal: int | None = None
        self._player: Timer | None = None
        self._quiet_until = 0.0
        self._wake = asyncio.Event()

    @property
    def game(self) -> Replay:
        """The game as it is looked at."""
        return self.walk.game

    def compose(self) -> ComposeResult:
        yield Static(id="heading", markup=False)
        with Horizontal(id="middle"):
            yield TablePanel(id="table")
            yield LogPanel(id="log")
        yield FindingPanel(id="finding")
        yield Bar(id="bar")
        yield Static(id="place", markup=False)
        yield Static(id="keys", markup=False)
        yield Static(id="too-small", markup=False)

    def on_mount(self) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, partial(self._end_on, number))
        self._go_where_wanted()
        self.draw()
        self.run_worker(self._read_behind(), exit_on_error=True)

    def _end_on(self, number: int) -> None:
        self.signal = number
        self.exit()

    # ---- reading behind ----

    async def _read_behind(self) -> None:
        """Read and judge the log while it is looked at, in small bites."""
        drawn_at, drawn = time.monotonic(), (0, 0)
        while True:
            try:
                more = self._read_a_bite()
            except LogRewritten:
                self._open_again()
                more = True
            except Bh99Error as error:
                self.ended_by = error
                self.exit()
                return
            if not more and self._wanted_in_vain():
                return
            known = (len(self.walk.whole), self.game.judged)
            waited = not more or time.monotonic() - drawn_at > LOOK_EVERY
            if self._go_where_wanted() or (waited and known != drawn):
                drawn_at, drawn = time.monotonic(), known
                self.draw()
            if more:
                await asyncio.sleep(max(0.001, self._quiet_until - time.monotonic()))
            else:
                await self._rest()

    async def _rest(self) -> None:
        """Wait until there may be something to read: the log has grown, or another seat's view was opened."""
        self._wake.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), LOOK_EVERY if self.walk.follow else None)

    def _read_a_bite(self) -> bool:
        end = time.monotonic() + AT_A_TIME
        while more := self.walk.go_on():
            if time.monotonic() > end:
                break
        gc.freeze()  # what was read stays: to look through a million events for garbage takes longer than a key may
        return more

    def _open_again(self) -> None:
        """The log was rewritten: begin again, and come back to the line."""
        log, seat = self.walk.log, self.walk.seat
        self.walk = Walk(open_log(log.name, log.rules), seat=seat, follow=True)
        self.line, self.wanted = 1, self.line
        self.say("the log was rewritten, and is read again")

    def _wanted_in_vain(self) -> bool:
        """Whether a line was asked for that the log doesn't have, and never will."""
        if self.wanted is None or self.wanted <= len(self.game) or self.walk.follow:
            return False
        self.ended_by = UnknownLine(self.wanted, len(self.game), self.walk.log.name)
        self.exit()
        return True

    # ---- drawing ----

    def draw(self) -> None:
        """Give every panel what there is to draw."""
        try:
            table = self.query_one(TablePanel)
        except NoMatches:  # the screen is being left
            return
        game, line = self.game, self.line
        frame = game.frame_at(line)
        last = line if self.walk.seat is not None else len(game)
        marked = [at for at in self.marks.lines(self.walk.seat) if at <= last]
        mark = self.marks.on(line, self.walk.seat)
        table.show(frame)
        self.query_one(LogPanel).show(game, line, last, marked)
        self.query_one(Bar).show(game, line, last, marked)
        finding = self.query_one(FindingPanel)
        finding.set_class(len(frame.view.players) > ROOMY and self.size.height < 30, "short")
        finding.set_class(self.size.height >= 36, "tall")
        finding.show(game, frame, None if mark is None else mark.comment)
        self.query_one("#heading", Static).update(self._heading(frame))
        self.query_one("#place", Static).update(Text(self._place(frame, last), overflow="ellipsis", no_wrap=True))
        self.query_one("#keys", Static).update(Text(self.message or HINT, overflow="ellipsis", no_wrap=True))

    def _heading(self, frame: Frame) -> Text:
        seat = "" if self.walk.seat is None else f" · as {printable(self.walk.seat)} sees it"
        name = printable(self.walk.log.name, None)
        tail = f" · hand {frame.view.hand} · {status_of(frame.view)}{seat}"
        room = max(8, self.size.width - 2 - len(tail))
        return Text((name if len(name) <= room else "…" + name[1 - room :]) + tail, overflow="ellipsis", no_wrap=True)

    def _place(self, frame: Frame, last: int) -> str:
        """Where we are in the log, and what was found in it."""
        found = sorted(line for line in self.game.shown() if line <= last)
        parts = [f"line {frame.line} of {len(self.game)}"]
        if self.game.judged < len(self.walk.whole) or not self.walk.read_through:
            parts.append(f"{int(100 * self.walk.done)} % read" if self.walk.read_through else "reading")
        if self.wanted is not None:
            parts.append(f"going to line {self.wanted}")
        if self.speed:
            parts.append(f"playing, speed {self.speed}")
        if self.walk.follow:
            parts.append("following")
        shown = ": " + lines_named(found[:12]) + (" …" if len(found) > 12 else "") if found else ""
        return " · ".join([*parts, counted(sum(len(self.game.findings_on(line)) for line in found), "finding") + shown])

    def say(self, message: str) -> None:
        """Show a message until the next key."""
        self.message = printable(message, None)
        self.draw()

    def on_resize(self, event: events.Resize) -> None:
        small = event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1]
        self.screen_stack[0].set_class(small, "small")
        text = (
            f"This terminal is {event.size.width} by {event.size.height}; the replayer needs {SMALLEST[0]} by "
            f"{SMALLEST[1]}.\nMake it larger, or press q to leave."
        )
        self.query_one("#too-small", Static).update(text)
        self.call_after_refresh(self.draw)

    # ---- moving ----

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.MouseEvent):
            self._quiet_until = time.monotonic() + QUIET
        if isinstance(event, events.Key):
            self.message = ""
        await super().on_event(event)

    def go_to(self, line: int, jump: bool = True) -> None:
        """Show a line; one that was not read yet as soon as it is."""
        if jump and line != self.line:
            self.before_jump = self.line
        self.wanted = max(line, 1)
        self._go_where_wanted()
        self.draw()

    def _go_where_wanted(self) -> bool:
        """Go to the line that was asked for, if it can be shown at once; whether it could."""
        if self.wanted is None or not self.game.is_near(self.wanted):
            return False
        self.line, self.wanted = self.wanted, None
        return True

    def on_go_to(self, message: GoTo) -> None:
        self.stop_playing()
        self.go_to(message.line)

    def on_mouse_scroll_down(self) -> None:
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-1)

    def action_move(self, by: int) -> None:
        self.stop_playing()
        self._move(by)

    def _move(self, by: int) -> bool:
        """Go some lines on or back, as far as there are any; whether there were."""
        line = min(max(self.line + by, 1), len(self.game))
        if line == self.line:
            self.say("this is the last line" if by > 0 else "this is the first line")
            return False
        self.go_to(line, jump=False)
        return True

    def action_ends(self, last: int) -> None:
        self.stop_playing()
        self.go_to(len(self.walk.whole) if last else 1)

    def action_hand(self, way: int) -> None:
        self._go_along(self.game.deals, way, "hand", wrap=False)

    def action_finding(self, way: int) -> None:
        self._go_along(sorted(self.game.shown()), way, "finding")

    def action_mark(self, way: int) -> None:
        lines = [line for line in self.marks.lines(self.walk.seat) if line <= len(self.game)]
        self._go_along(lines, way, "marked line")

    def _go_along(self, lines: list[int], way: int, what: str, wrap: bool = True) -> None:
        """Go to the next of some lines in a direction, and round at the end of the log if it was read."""
        self.stop_playing()
        behind = [line for line in lines if (line - self.line) * way > 0]
        so_far = "" if self.game.judged == len(self.walk.whole) else " so far: the log is still being read"
        if behind:
            self.go_to(min(behind) if way > 0 else max(behind))
        elif wrap and lines and not so_far and lines != [self.line]:
            self.message = f"{what}s: round the {'end' if way > 0 else 'beginning'} of the log"
            self.go_to(lines[0] if way > 0 else lines[-1])
        else:
            self.say(f"no {'other' if self.line in lines else ''} {what}".replace("  ", " ") + so_far)

    def action_return(self) -> None:
        self.stop_playing()
        if self.before_jump is None:
            self.say("you have not jumped yet")
        else:
            self.go_to(self.before_jump)

    def action_ask_line(self) -> None:
        self.ask(f"line (1 to {len(self.game)}):", self._to_line)

    def _to_line(self, answer: str) -> None:
        if re.fullmatch(r"[0-9]{1,9}", answer) and 1 <= int(answer) <= len(self.game):
            self.go_to(int(answer))
        elif answer:
            self.say(f"there is no line {answer[:20]}; expected a line from 1 to {len(self.game)}")

    def ask(self, question: str, then: Callable[[str], None], value: str = "") -> None:
        """Ask for a line of text, and do something with it unless escape was pressed."""
        self.stop_playing()
        self.draw()
        self.push_screen(Prompt(question, value), lambda answer: None if answer is None else then(answer))

    # ---- playing on ----

    def action_play(self, speed: int) -> None:
        if speed == 0:
            speed = 0 if self.speed else 2
        self.stop_playing()
        self.speed = speed
        if speed:
            self._player = self.set_interval(SPEEDS[speed], self._play_on)
        self.draw()

    def _play_on(self) -> None:
        if self.line < len(self.game):
            self._move(1)
        elif not self.walk.follow:
            self.stop_playing()
            self.say("this is the last line")

    def stop_playing(self) -> None:
        self.speed = 0
        if self._player is not None:
            self._player.stop()
            self._player = None

    # ---- searching ----

    def action_ask_search(self) -> None:
        self.ask("search:", self._search_for)

    def _search_for(self, query: str) -> None:
        self.search = Search(query) if query else self.search
        if query:
            self.action_found(1)

    def action_found(self, way: int) -> None:
        self.stop_playing()
        if self.search is None:
            self.say("nothing was searched yet; / searches")
            return
        self.run_worker(self._find(self.search, self.line, way), group="search", exclusive=True)

    async def _find(self, search: Search, start: int, way: int) -> None:
        """Look through the log from a line on, and round its end, a bit at a time."""
        game, lines = self.game, len(self.game)
        for distance in range(1, lines + 1):
            at = (start - 1 + way * distance) % lines + 1
            if search.fits(game.events[at - 1], game.sentence_at(at)):
                if (at - start) * way <= 0:
                    self.message = "round the end of the log" if way > 0 else "round the beginning of the log"
                self.go_to(at)
                return
            if distance % SEARCHED_AT_A_TIME == 0:
                await asyncio.sleep(0)
                if self.game is not game or self.line != start:
                    return
        self.say(f"no line has “{' '.join(search.words)}”")

    # ---- seats ----

    def action_ask_seat(self) -> None:
        self.stop_playing()
        seats = [None, *players_of(self.walk.whole.events)]
        names = ["all that the log tells", *(seat for seat in seats if seat is not None)]
        self.push_screen(
            Choice("Whose eyes?", names, seats.index(self.walk.seat)),
            lambda place: None if place is None else self._see_as(seats[place]),
        )

    def _see_as(self, seat: str | None) -> None:
        self.walk.see_as(seat)
        self._wake.set()
        self.line, self.wanted = min(self.line, len(self.game)), self.line
        if not self.game.is_near(self.line):
            self.line = 1
        self._go_where_wanted()
        self.draw()

    # ---- findings, marks, links ----

    def action_evidence(self) -> None:
        panel = self.query_one(FindingPanel)
        if not panel.can_focus:
            self.say("there is no evidence on this line")
            return
        self.stop_playing()
        self.say("↑ ↓ choose a line · enter goes there · escape comes back")
        panel.focus()

    def action_out_of_evidence(self) -> None:
        self.set_focus(None)
        self.draw()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if isinstance(event.option, Evidence):
            self.set_focus(None)
            self.message = f"o goes back to line {self.line}"
            self.go_to(event.option.line)

    def action_explain(self) -> None:
        self.stop_playing()
        findings = self.game.findings_on(self.line)
        if not findings:
            self.say("nothing was found on this line; f goes to the next finding")
            return
        upto = None if self.walk.seat is None else self.line
        self.push_screen(Page(render(explain(self.game, findings, upto), "text")))

    def action_help(self) -> None:
        self.stop_playing()
        self.push_screen(Page(help_text()))

    def action_ask_mark(self) -> None:
        mark = self.marks.on(self.line, self.walk.seat)
        question = f"comment on line {self.line} (may be empty):"
        self.ask(question, partial(self._set_mark, self.line), mark.comment if mark else "")

    def _set_mark(self, line: int, comment: str) -> None:
        self._keep(lambda: self.marks.put(Mark(line, comment, self.walk.seat)), f"marked, in {self.marks.file}")

    def action_drop_mark(self) -> None:
        if self.marks.on(self.line, self.walk.seat) is None:
            self.say("this line is not marked; m marks it")
        else:
            self._keep(lambda: self.marks.drop(self.line, self.walk.seat), "the mark is gone")

    def _keep(self, change: Callable[[], None], done: str) -> None:
        try:
            change()
        except Bh99Error as error:
            self.say(str(error))
        else:
            self.say(done)

    def action_link(self) -> None:
        words = ["bh99", "replay", self.walk.log.name, "--step", "--at", str(self.line)]
        words += [] if self.walk.seat is None else ["--seat", self.walk.seat]
        words += [] if self.rules is None else ["--rules", self.rules]
        link = shlex.join(words)
        self.copy_to_clipboard(link)
        self.say(f"copied: {link}")

    def action_theme(self) -> None:
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"
        self.call_after_refresh(self.draw)

    def action_leave(self) -> None:
        self.exit()
