"""The application: keys become commands, and what happened is shown to whoever looks."""

import asyncio
import pathlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from bh99.errors import Bh99Error
from bh99.playing import LiveGame
from cli.full_screen import FullScreen
from cli.playing.asking import asked_of, to_choose_a_card
from cli.playing.captions import HINT, heading, refusal
from cli.playing.choosing import Offer, Unclear, meant_by, narrowed
from cli.playing.keys import CHOICE_KEYS, KEYS, help_text
from cli.playing.panels import Below, HandPanel
from cli.playing.seats import SeatViews
from cli.replayer.dialogs import Choice, Prompt, TextPage
from cli.replayer.panels import LogPanel, TablePanel
from domain import commands as do
from domain import events as ev
from domain.deciding import Refused
from projections.printable import printable

BOT_PAUSE: Final = 0.6
"""Seconds before a bot plays, so that one can follow."""


class PlayTable(FullScreen):
    """A game at the terminal, for one person or for several that take turns before the screen."""

    CSS_PATH: ClassVar = [
        pathlib.Path(__file__).parent.parent / "replayer" / "replayer.tcss",
        pathlib.Path(__file__).with_name("playing.tcss"),
    ]
    NAME = "the table"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.keys, key.action, key.does, show=False) for key in KEYS),
        *(Binding(key, f"choose({place})", show=False) for place, key in enumerate(CHOICE_KEYS)),
    ]

    def __init__(self, game: LiveGame) -> None:
        super().__init__()
        self.game = game
        self.people = game.people
        self.views = SeatViews(self.people, game.events)
        self.looking = self.people[0] if len(self.people) == 1 else None
        """The person whose eyes the screen sees with; None: it shows what everybody may see."""
        self.asked: tuple[str, list[Offer]] | None = None
        """What a choice that was made leaves to choose."""
        self.story_line: int | None = None
        """The line that somebody reads back to."""
        self.message = ". ".join(printable(note, None) for note in game.keeper.notes)
        self._bots_play = False
        self._hurry = asyncio.Event()

    def compose(self) -> ComposeResult:
        yield Static(id="heading", markup=False)
        with Horizontal(id="middle"):
            yield TablePanel(id="table")
            yield LogPanel(id="log")
        yield HandPanel(id="hand")
        yield Static(id="keys", markup=False)
        yield Static(id="too-small", markup=False)

    def on_mount(self) -> None:
        self.listen_for_signals()
        self.go_on()

    # ---- what happens ----

    def ask_for(self, command: do.AnyCommand) -> None:
        """Ask the game for something; it happens, or it is said which rule forbids it."""
        self.asked = None
        try:
            happened = self.game.do(command)
        except Refused as refused:
            whose = getattr(command, "player", self.looking)
            self.say(refusal(refused, tells=whose == self.looking))
        except Bh99Error as error:
            self._end(error)
        else:
            self.show(happened)

    def show(self, happened: Sequence[ev.AnyEvent]) -> None:
        """Show what has happened; whoever isn't to act any more doesn't see their hand on."""
        self.views.extend(happened)
        self.story_line = self.asked = None
        self.go_on()

    def go_on(self) -> None:
        """Cover the hand of somebody who is done, draw, and let bots play if it is theirs."""
        if len(self.people) > 1 and self.looking not in (None, to_choose_a_card(self.game)):
            self.looking, self.message = None, ""
        if self.game.waits_for in self.game.bots and not self._bots_play:
            self._bots_play = True
            self.run_worker(self._let_bots_play(), exit_on_error=True)
        self.draw()

    def _end(self, error: Bh99Error) -> None:
        self.message = str(error)
        self.draw()
        self.ended_by = error
        self.exit()

    async def _let_bots_play(self) -> None:
        """Bots play until a person has a choice, or the hand is over."""
        try:
            while self.game.waits_for in self.game.bots:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), BOT_PAUSE)
                await asyncio.sleep(0)  # keys may come in between, however fast bots are
                self.show(self.game.bot_goes_on())
        except Bh99Error as error:
            self._end(error)
        finally:
            self._hurry.clear()
            self._bots_play = False
        self.draw()

    # ---- who looks, and what there is to choose ----

    def below(self) -> Below:
        """What is asked, and what there is to choose from, for whoever looks."""
        if self.asked is not None:
            return Below(f"{self.asked[0]} (escape: something else)", self.asked[1], True)
        game = self.views.seen_by(self.looking)
        return asked_of(self.game, self.looking, game.view_at(len(game)))

    def _settle_on(self, choices: Sequence[do.Choice]) -> None:
        """Do what was chosen, or ask on if it leaves a choice."""
        if len(choices) == 1:
            self.ask_for(choices[0])
        else:
            self.asked = narrowed(choices)
            self.draw()

    def action_choose(self, place: int) -> None:
        below = self.below()
        if place >= len(below.offers):
            self.say(f"there is nothing to choose with {CHOICE_KEYS[place]}" if below.offers else "")
            return
        offer = below.offers[place]
        self._settle_on(offer.choices or ((offer.tried,) if offer.tried else ()))

    def action_choose_again(self) -> None:
        self.asked = None
        self.draw()

    def action_ask_card(self) -> None:
        self.asked = None
        if self.looking is None and (self.game.waits_for not in self.people or to_choose_a_card(self.game)):
            self.say(self.below().asks)
            return
        self.draw()
        self.push_screen(Prompt("play:"), self._typed)

    def _typed(self, line: str | None) -> None:
        player = self.looking or self.game.waits_for
        if not line or player is None:
            return
        try:
            self._settle_on(meant_by(line, player, self.game.players, self.game.choices(player)))
        except Unclear as unclear:
            self.say(f"! {unclear}")

    def action_go_on(self) -> None:
        """Deal, show a hand, or hurry the bots: whatever the game waits for."""
        if self.game.between_hands:
            self.ask_for(do.Deal())
        elif self.game.waits_for in self.game.bots:
            self._hurry.set()
        elif to_choose_a_card(self.game) not in (None, self.looking):
            self.looking = to_choose_a_card(self.game)
            self.message = ""
            self.draw()
        elif not self.game.over:
            self.say("choose with a number; ? lists the keys")

    # ---- hits between plays, the end ----

    def action_leisure(self, finished: bool = False) -> None:
        self._ask_who("Who takes a leisure hit?", lambda who: do.SmokeLeisure(player=who, finished=finished))

    def action_load(self) -> None:
        self._ask_who("Who loads?", lambda who: do.LoadBong(player=who))

    def _ask_who(self, question: str, command: Callable[[str], do.AnyCommand]) -> None:
        """Ask which person does something, if there are several."""
        if len(self.people) == 1:
            self.ask_for(command(self.people[0]))
        elif self.people:
            chosen = self.people.index(self.looking) if self.looking is not None else 0
            self.push_screen(
                Choice(question, self.people, chosen),
                lambda place: None if place is None else self.ask_for(command(self.people[place])),
            )

    def action_close(self) -> None:
        question = "Close the game? Nothing can follow then."
        if not self.game.over and not self.game.between_hands:
            question = "Close the game? The hand that is played ends without a winner, and nothing can follow."
        self.push_screen(
            Choice(question, ["no, go on", "yes, close it for good"], 0),
            lambda place: self.ask_for(do.CloseGame()) if place == 1 else None,
        )

    # ---- drawing ----

    def draw(self) -> None:
        """Give every panel what there is to draw."""
        if not self.screen_stack or not self.ground.query(HandPanel):  # it isn't there yet, or is being left
            return
        game = self.views.seen_by(self.looking)
        frame = game.frame_at(len(game))
        hand = self.ground.query_one(HandPanel)
        hand.set_class(self.size.height >= 36, "tall")
        hand.show(self.below(), self.message)
        self.ground.query_one(TablePanel).show(frame)
        self.ground.query_one(LogPanel).show(game, self.story_line or len(game), len(game), [])
        seat = self.looking if len(self.people) > 1 else None
        self.caption("heading", heading(self.game.keeper.name, self.game.rules.name, seat, frame, self.size.width))
        self.caption("keys", Text(HINT))

    def action_tell(self, way: int) -> None:
        lines = len(self.views.seen_by(self.looking))
        self.story_line = min(lines, max(1, (self.story_line or lines) + way))
        self.draw()

    def action_help(self) -> None:
        self.push_screen(TextPage(help_text()))

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            self.message = ""
        await super().on_event(event)
