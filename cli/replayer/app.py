"""The application: it moves about in a log, and gives the panels what they draw."""

import asyncio
import pathlib
import re
import shlex
import time
from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import OptionList, Static

from bh99.errors import Bh99Error, UnknownLine
from bh99.marks import Mark, Marks
from bh99.walks import Walk
from cli.full_screen import FullScreen
from cli.replayer.captions import HINT, heading, place
from cli.replayer.dialogs import Choice, Prompt, TextPage
from cli.replayer.keys import KEYS, help_text
from cli.replayer.panels import Bar, Evidence, FindingPanel, GoTo, LogPanel, TablePanel
from cli.replayer.pictures import ROOMY
from cli.replayer.reading import ReadingBehind
from projections.explanation import explain, render
from projections.frames import Replay
from projections.printable import printable
from projections.search import Search

SPEEDS: Final = {1: 2.0, 2: 0.5, 3: 0.125}
"""Seconds a line, when the game plays on by itself."""
BEYOND: Final = 2**62
"""A line behind every log: the last one, as soon as it is known which one that is."""
DRAW_EVERY: Final = 0.3
"""Seconds between two pictures of how far the log was read."""
SCROLLED: Final = 3
"""Rows that the part below the table is scrolled by."""
SEARCHED_AT_A_TIME: Final = 500


class Replayer(FullScreen):
    """The full-screen replayer of one log."""

    CSS_PATH = pathlib.Path(__file__).with_name("replayer.tcss")
    NAME = "the replayer"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.keys, key.action, key.does, show=False) for key in KEYS),
        Binding("escape", "out_of_evidence", show=False),
    ]

    def __init__(self, walk: Walk, marks: Marks, start: int, rules: str | None) -> None:
        """`start`: the line to open at. `rules`: as they were given on the command line, for links."""
        super().__init__()
        self.reading = ReadingBehind(walk)
        self.marks = marks
        self.rules = rules
        self.line = 1
        self.wanted: int | None = start
        """The line to go to as soon as it was read."""
        self.must_exist = True
        """Whether the line that is wanted was given on the command line."""
        self.before_jump: int | None = None
        self.search: Search | None = None
        self.speed = 0
        self._player: Timer | None = None

    @property
    def walk(self) -> Walk:
        """The log that is walked in."""
        return self.reading.walk

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
        self.listen_for_signals()
        self.message = self.marks.trouble and f"no marks: {printable(self.marks.trouble, None)}"
        self._go_where_wanted()
        self.draw()
        self.run_worker(self._read_behind(), exit_on_error=True)

    # ---- reading behind ----

    async def _read_behind(self) -> None:
        """Show what was read, and what is waited for as soon as it was."""
        walk, lines = self.walk, len(self.walk.whole)
        drawn_at, drawn = time.monotonic(), self._known()
        try:
            async for more in self.reading.bites():
                if self.walk is not walk:
                    walk, lines = self.walk, 0
                    self._begin_again()
                if walk.read_through and self.wanted is not None and self.wanted > len(walk.whole):
                    if self.must_exist and not walk.follow:
                        raise UnknownLine(self.wanted, len(walk.whole), walk.log.name)
                    self.wanted = len(walk.whole)
                if walk.follow and walk.all_known and len(walk.whole) > lines:
                    if lines and self.line == lines and not self.speed:
                        self.wanted = len(walk.whole)
                    lines = len(walk.whole)
                known = self._known()
                waited = not more or time.monotonic() - drawn_at > DRAW_EVERY
                if self._go_where_wanted() or (waited and known != drawn):
                    drawn_at, drawn = time.monotonic(), known
                    self.draw()
                self.reading.wanted = self.wanted or 0
        except Bh99Error as error:
            self.ended_by = error
            self.exit()

    def _known(self) -> tuple[object, ...]:
        """Changes when there is something new to draw."""
        return self.game, len(self.walk.whole), self.walk.read_through, self.game.judged, self.reading.trouble

    def _begin_again(self) -> None:
        """The log was rewritten: come back to the line, if there is one of that number."""
        self.line, self.wanted, self.before_jump, self.must_exist = 1, self.line, None, False
        self.message = "the log was rewritten, and was read again"

    # ---- drawing ----

    def draw(self) -> None:
        """Give every panel what there is to draw."""
        if not self.screen_stack or not self.ground.query(TablePanel):  # it isn't there yet, or is being left
            return
        table = self.ground.query_one(TablePanel)
        game, line = self.game, self.line
        frame = game.frame_at(line)
        last = line if self.walk.seat is not None else len(game)
        lines = len(self.walk.whole)
        marked = [at for at in self.marks.lines(self.walk.seat) if at <= last]
        mark = self.marks.on(line, self.walk.seat)
        table.show(frame)
        self.ground.query_one(LogPanel).show(game, line, last, marked)
        self.ground.query_one(Bar).show(game, line, last, lines, marked)
        finding = self.ground.query_one(FindingPanel)
        finding.set_class(len(frame.view.players) > ROOMY and self.size.height < 30, "short")
        finding.set_class(self.size.height >= 36, "tall")
        finding.show(game, frame, None if mark is None else mark.comment)
        self.caption("heading", heading(self.walk, frame, self.size.width))
        going_to = None if self.wanted is None else "the end" if self.wanted == BEYOND else f"line {self.wanted}"
        self.caption("place", place(self.walk, line, last, going_to, self.speed, self.reading.trouble))
        self.caption("keys", Text(self.message or HINT))

    # ---- moving ----

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.MouseDown | events.MouseScrollDown | events.MouseScrollUp):
            self.reading.hold()
            self.message = ""
        await super().on_event(event)

    def go_to(self, line: int, jump: bool = True) -> None:
        """Show a line; one that was not read yet as soon as it is."""
        if jump and line != self.line:
            self.before_jump = self.line
        self.wanted, self.must_exist = max(line, 1), False
        self.reading.wanted = self.wanted
        self.ground.set_focus(None)
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
        line = self.line + by
        if line < 1:
            self.say("this is the first line")
        elif line > len(self.walk.whole):
            self.say("this is the last line" + ("" if self.walk.read_through else " that was read so far"))
        else:
            self.go_to(line, jump=False)
            return True
        return False

    def action_ends(self, last: int) -> None:
        self.stop_playing()
        end = len(self.walk.whole) if self.walk.read_through else BEYOND
        self.go_to(end if last else 1)

    def action_hand(self, way: int) -> None:
        self._go_along(self.game.deals, way, "hand", wrap=False)

    def action_finding(self, way: int) -> None:
        self._go_along(self.game.lines_found(len(self.game)), way, "finding")

    def action_mark(self, way: int) -> None:
        lines = [line for line in self.marks.lines(self.walk.seat) if line <= len(self.game)]
        self._go_along(lines, way, "marked line")

    def _go_along(self, lines: list[int], way: int, what: str, wrap: bool = True) -> None:
        """Go to the next of some lines in a direction, and round at the end of the log if it was read."""
        self.stop_playing()
        behind = [line for line in lines if (line - self.line) * way > 0]
        so_far = "" if self.walk.all_known else " so far: the log is still being read"
        if behind:
            self.go_to(min(behind) if way > 0 else max(behind))
        elif wrap and lines and not so_far and lines != [self.line]:
            self.message = f"{what}s: round the {'end' if way > 0 else 'beginning'} of the log"
            self.go_to(lines[0] if way > 0 else lines[-1])
        else:
            self.say((f"this is the only {what}" if lines == [self.line] else f"no {what} that way") + so_far)

    def action_return(self) -> None:
        self.stop_playing()
        if self.before_jump is None:
            self.say("you have not jumped yet")
        else:
            self.go_to(self.before_jump)

    def action_ask_line(self) -> None:
        self.ask(f"line (1 to {self._lines()}):", self._to_line)

    def _lines(self) -> str:
        """How many lines there are, as far as that is known."""
        return f"{len(self.walk.whole)}{'' if self.walk.read_through else ' or more'}"

    def _to_line(self, answer: str) -> None:
        line = int(answer) if re.fullmatch(r"[0-9]{1,9}", answer) else 0
        if 1 <= line <= len(self.walk.whole) or (line and not self.walk.read_through):
            self.go_to(line)
        elif answer:
            self.say(f"there is no line {printable(answer, 20)}; expected a line from 1 to {self._lines()}")

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
        if self.wanted is not None or (self.line == len(self.walk.whole) and not self.walk.all_known):
            return  # it is read soon
        if self.line < len(self.walk.whole):
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
        seats = [None, *self.walk.whole.players]
        names = ["all that the log tells", *(seat for seat in seats if seat is not None)]
        self.push_screen(
            Choice("Whose eyes?", names, seats.index(self.walk.seat)),
            lambda place: None if place is None else self._see_as(seats[place]),
        )

    def _see_as(self, seat: str | None) -> None:
        try:
            self.walk.see_as(seat)
        except Bh99Error as error:  # the log was rewritten meanwhile
            self.say(str(error))
            return
        self.reading.look_again()
        self.line, self.wanted = 1, self.line
        self._go_where_wanted()
        self.draw()

    # ---- findings, marks, links ----

    def action_evidence(self) -> None:
        panel = self.ground.query_one(FindingPanel)
        if not panel.can_focus:
            self.say("there is no evidence on this line")
            return
        self.stop_playing()
        self.say("↑ ↓ choose a line · enter goes there · escape comes back")
        panel.focus()

    def action_scroll(self, way: int) -> None:
        self.ground.query_one(FindingPanel).scroll_relative(y=way * SCROLLED, animate=False)

    def action_out_of_evidence(self) -> None:
        self.ground.set_focus(None)
        self.draw()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if isinstance(event.option, Evidence):
            self.ground.set_focus(None)
            self.message = f"o goes back to line {self.line}"
            self.go_to(event.option.line)

    def action_explain(self) -> None:
        self.stop_playing()
        findings = self.game.findings_on(self.line)
        if not findings:
            self.say("nothing was found on this line; f goes to the next finding")
            return
        upto = None if self.walk.seat is None else self.line
        self.push_screen(TextPage(render(explain(self.game, findings, upto), "text")))

    def action_help(self) -> None:
        self.stop_playing()
        self.push_screen(TextPage(help_text()))

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
