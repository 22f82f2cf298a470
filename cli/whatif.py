"""`bh99 whatif`: what could have been, from a line on."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.output import (
    RulesOption,
    StoreOption,
    a_reader_may_leave,
    clear_errors,
    notes_of,
    put_json,
    refuse,
    rules_given,
    say,
)

if TYPE_CHECKING:
    from domain.cards import Card
    from domain.events import AnyEvent

BotOption = Annotated[
    str, typer.Option("--bot", metavar="KIND", help="How everybody plays on: a bot of bh99 simulate.")
]
DealsOption = Annotated[int, typer.Option("--deals", min=1, max=1_000_000, metavar="K", help="How many deals.")]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, max=2**63 - 1, metavar="S", help="The same seed gives the same answer.")
]


def whatif(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The log, or a stored game; - is standard input.")],
    at: Annotated[int, typer.Option("--at", min=2, metavar="N", help="The line that might have been another one.")],
    play: Annotated[
        str | None, typer.Option("--play", metavar="CARD", help="What its player plays instead: 9d, Kc …")
    ] = None,
    event: Annotated[
        str | None, typer.Option("--event", metavar="JSON", help="What happens instead, as a line of a log.")
    ] = None,
    deals: DealsOption = 1000,
    bot: BotOption = "careful",
    seed: SeedOption = 0,
    rules: RulesOption = None,
    format: Annotated[Literal["text", "json"], typer.Option("--format", help="text or json.")] = "text",
    store: StoreOption = None,
) -> None:
    """Say how likely each player was to win, to end with the hit and to load: as it happened on line N, and otherwise.

    Otherwise is another card or event; if none is named, and line N broke a rule, what should have stood there. Deals
    that agree with the lines before N are sampled, and every one is played on both ways by the same chance.

    \b
    Examples:
      bh99 whatif game.jsonl --at 39
      bh99 whatif game.jsonl --at 35 --play 9d
      bh99 whatif game.jsonl --at 35 --event '{"type":"player_eliminated","player":"Ben","reason":"no_play"}'
    """
    from bh99.branching import whatif as odds_of
    from bh99.branching.text import whatif_text
    from bh99.sources import find_log

    if play is not None and event is not None:
        refuse("--event", "either another card or another event; --play is given already")
    card = None if play is None else _card(play)
    instead = None if event is None else event_given(event, "--event")
    with clear_errors():
        opened = find_log(log, rules_given(rules), store)
        found = odds_of(opened, at, play=card, event=instead, deals=deals, seed=seed, bot=bot)
    notes_of(opened, opened.rules)
    with a_reader_may_leave():
        if format == "json":
            put_json(found)
        else:
            say(whatif_text(found))


def _card(text: str) -> "Card":
    from domain.cards import card_named

    card = card_named(text)
    if card is None:
        refuse("--play", f"{text[:20]} is no card; expected one such as 9d, 10d or K♣")
    return card


def event_given(text: str, option: str) -> "AnyEvent":
    """The event that an option holds, as a line of a log. Ends the command with the reason if it isn't one."""
    from bh99.log_reading import event_in

    with clear_errors():
        return event_in(text.encode(errors="surrogateescape"), option)
