"""What stands below the table: what the game waits for, the cards to choose from, and what was answered."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from cli.playing.choosing import Offer
from cli.playing.keys import CHOICE_KEYS
from cli.replayer.panels import Panel
from cli.replayer.pictures import Ink, card_text, folded

BETWEEN = 3
"""Cells between two things to choose."""


class Below(NamedTuple):
    """asks: what the game waits for. offers: what there is to choose. open: whether it may be chosen now."""

    asks: str
    offers: list[Offer]
    open: bool


class HandPanel(Panel):
    """What somebody is asked, with their hand."""

    below: Below | None = None

    def show(self, below: Below, message: str) -> None:
        self.below, self.message = below, message
        self.refresh()

    def render(self) -> Text:
        if self.below is None:
            return Text()
        width, height = self.content_size
        rows = [Text(row, self.ink("acts")) for row in folded(self.below.asks, width)]
        rows += offers_picture(self.below, width, self.ink)
        if self.message:
            style = self.ink("finding" if self.message.startswith("!") else "told")
            said = [Text(row, style) for row in folded(self.message, width)]
            rows = rows[: max(2, height - len(said))] + said
        return Text("\n").join(rows[:height])


def offers_picture(below: Below, width: int, ink: Ink) -> list[Text]:
    """The things to choose, as many in a row as there is room for."""
    rows = [Text()]
    for item in _items(below.offers, below.open, ink):
        if rows[-1].plain and cell_len(rows[-1].plain) + BETWEEN + cell_len(item.plain) > width:
            rows.append(Text())
        if rows[-1].plain:
            rows[-1].append(" " * BETWEEN)
        rows[-1].append_text(item)
    return rows


def _items(offers: Sequence[Offer], open: bool, ink: Ink) -> list[Text]:
    """`[1] 7h → 24` for what may be chosen, `(2) Kd` for what may not, ` 3  5c` while nothing may."""
    items = []
    for place, offer in enumerate(offers):
        key = CHOICE_KEYS[place] if place < len(CHOICE_KEYS) else "-"
        mark = f"[{key}] " if offer.choices else f"({key}) " if open else f" {key}  "
        item = Text(mark, ink("acts" if offer.choices else "out" if open else "told"))
        if offer.card is not None:
            dim = open and not offer.choices
            item.append_text(Text(offer.card, ink("out")) if dim else card_text(offer.card, ink))
        text = f" → {offer.text}" if offer.card and offer.text else offer.text
        items.append(item.append(text, ink("told")))
    return items
