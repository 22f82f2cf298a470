"""What is drawn in the panels, as lines of coloured text: every fact comes from a frame, colour only repeats it."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.style import Style
from rich.text import Text

from domain.cards import SUIT_NAMES, SeenCard, counted
from projections.frames import Frame, Replay
from projections.printable import printable
from projections.table_view import PlayerView, PrizeView, TableView, standing, tokens_and_score

Ink = Callable[[str], Style]
"""The style that a theme has for a name."""

_PLAIN: Final = Console(no_color=True)
_COUNT_BOX: Final = 13
SHORTEST_NAME: Final = 5
MOST_ROWS: Final = 20
"""Rows that a sentence may take; only a ruling can be longer."""
ROOMY: Final = 9
"""Seats that have a row each on a screen of 24 rows; more of them sit in two columns."""


def card_text(card: SeenCard, ink: Ink) -> Text:
    """A card as two letters, or its back."""
    return Text.assemble(("··", ink("back")) if card is None else (card, ink(SUIT_NAMES[card[1]])))


def cards_in_a_row(cards: Iterable[SeenCard], ink: Ink) -> Text:
    return Text(" ").join(card_text(card, ink) for card in cards)


# ---- the table ----


def table_picture(frame: Frame, width: int, height: int, ink: Ink) -> list[Text]:
    """The table after a line: the Count, what is common to all, the seats, the prizes."""
    view = frame.view
    rows = [*_count_and_facts(view, width, ink), Text()]
    prizes = [row for prize in view.prizes for row in _prize(prize, frame, ink).wrap(_PLAIN, width)]
    if len(rows) + len(view.players) + len(prizes) <= height:
        rows += [_seat(player, view, width, ink) for player in view.players]
    else:
        rows = rows[:-1] + _two_columns(view, width, ink)
    rows += prizes
    if view.pile and len(rows) + 1 < height:
        rows += [Text(), _pile(view.pile, width, ink)]
    return [_cropped(row, width) for row in rows]


def _pile(pile: Sequence[SeenCard], width: int, ink: Ink) -> Text:
    """The cards played last, the top one at the end."""
    shown = pile[-((width - 8) // 3) :]
    return Text("pile " + ("… " if len(shown) < len(pile) else "")).append_text(cards_in_a_row(shown, ink))


def _count_and_facts(view: TableView, width: int, ink: Ink) -> list[Text]:
    """The Count, large, and beside it what concerns everybody."""
    count = "?" if view.count is None else str(view.count)
    box = ["Count", " ".join(count), "↺ turned" if view.direction == -1 else ""]
    if view.pile:
        played = f", {counted(len(view.pile), 'card')} played"
        top = Text("top ").append_text(card_text(view.pile[-1], ink)).append(played)
    else:
        top = Text("no card played yet" if view.hand else "no hand dealt yet")
    stock = "unknown" if view.stock_left is None else str(view.stock_left)
    carried = "?" if view.carried is None else str(view.carried)
    dealt = [f"{view.dealer} dealt"] if view.dealer else []
    facts = [
        top,
        Text(" · ".join([f"stock {stock}", *dealt])),
        Text(" · ".join(_duties(view, carried))),
    ]
    rows = []
    for text, fact in zip(box, facts, strict=True):
        rows.append(Text.assemble((_centred(text, _COUNT_BOX), ink("count")), "  ", fact))
    return rows


def _duties(view: TableView, carried: str) -> list[str]:
    """Who loads, what is left over, and who has won."""
    parts = [f"{view.loader} loads"] if view.loader else []
    if carried != "0":
        parts.append(f"{carried} left over")
    if view.winner:
        parts.append(f"{view.winner} has won" + (" the match" if view.in_match else ""))
    return parts


def _centred(text: str, width: int) -> str:
    left = (width - cell_len(text)) // 2
    return set_cell_size(" " * left + text, width)


def _seat(player: PlayerView, view: TableView, width: int, ink: Ink) -> Text:
    cards = cards_in_a_row(player.cards, ink)
    tokens = tokens_and_score(player)
    room = max(6, width - 9 - len(cards.plain) - len(tokens))
    longest = max(cell_len(each.name) for each in view.players)
    name = set_cell_size(short(player.name, room), min(longest, room))
    mark = "> " if player.name == view.to_act else "  "
    return Text.assemble((mark + name, _name_ink(player, view, ink)), f"  {standing(player, view):<3}  {tokens}", cards)


def _two_columns(view: TableView, width: int, ink: Ink) -> list[Text]:
    """Many seats, going down the left column and then the right one."""
    half = (len(view.players) + 1) // 2
    room = width // 2
    cells = [_narrow_seat(player, view, room - 1, ink) for player in view.players]
    rows = []
    for at in range(half):
        row = cells[at].copy()
        row.append(" " * (room - cell_len(row.plain)))
        rows.append(row.append_text(cells[half + at]) if half + at < len(cells) else row)
    return rows


def _narrow_seat(player: PlayerView, view: TableView, width: int, ink: Ink) -> Text:
    """A seat in half the width; `x` is before the name of who is out, and many cards stand close together."""
    most = max(len(each.cards) for each in view.players)
    between = " " if 3 * most + SHORTEST_NAME + 6 <= width else ""
    cards = Text(between).join(card_text(card, ink) for card in player.cards)
    tokens = "" if player.tokens is None else f"{player.tokens} "
    room = max(SHORTEST_NAME, width - 3 - len(tokens) - (2 + len(between)) * most)
    mark = "> " if player.name == view.to_act else "x " if standing(player, view) == "out" else "  "
    name = set_cell_size(short(player.name, room), room)
    return _cropped(Text.assemble((mark + name, _name_ink(player, view, ink)), " ", tokens, cards), width)


def _name_ink(player: PlayerView, view: TableView, ink: Ink) -> Style:
    return ink("acts" if player.name == view.to_act else "name" if player.in_hand else "out")


def _prize(prize: PrizeView, frame: Frame, ink: Ink) -> Text:
    """The hits of a prize, whose they are, and the way that they have slid."""
    hits = "? hits" if prize.hits is None else counted(prize.hits, "hit")
    row = Text.assemble((f"{prize.prize} prize, {hits}: ", ink("prize")))
    steps = [step for step in frame.slides if step.prize == prize.prize]
    if steps:
        row.append(printable(steps[0].source))
    for step in steps:
        row.append(" → ").append_text(card_text(step.card, ink)).append(f" → {printable(step.player)}")
    if not steps or steps[-1].player != prize.holder:
        row.append(f"{' → ' if steps else ''}{printable(prize.holder)}")
    return row


def short(name: str, room: int) -> str:
    """A name that fits into some cells; `…` stands for its end."""
    name = printable(name)
    return name if cell_len(name) <= room else set_cell_size(name, room - 1).rstrip() + "…"


def _cropped(row: Text, width: int) -> Text:
    row.truncate(width, overflow="ellipsis")
    return row


# ---- the log ----


class Story(NamedTuple):
    """Rows of the log that fit into a panel, and the line that each row belongs to."""

    rows: list[Text]
    lines: list[int]


def story_picture(
    game: Replay, line: int, marked: Container[int], last: int, width: int, height: int, ink: Ink
) -> Story:
    """The sentences around a line, none behind `last`: before it two thirds of the panel, the rest behind it."""
    here = _told_rows(game, line, line, marked, last, width, ink)[:height]
    behind: list[tuple[int, Text]] = []
    before: list[tuple[int, Text]] = []
    at = line + 1
    while at <= last and len(behind) < height:
        behind += [(at, row) for row in _told_rows(game, at, line, marked, last, width, ink)]
        at += 1
    at = line - 1
    while at >= 1 and len(before) < height:
        before = [(at, row) for row in _told_rows(game, at, line, marked, last, width, ink)] + before
        at -= 1
    room = height - len(here)
    after = max(room - len(before), min(len(behind), room // 3))
    kept = [*before[len(before) - max(0, room - after) :], *((line, row) for row in here), *behind]
    return Story([row for _, row in kept[:height]], [at for at, _ in kept[:height]])


def _told_rows(game: Replay, at: int, line: int, marked: Container[int], last: int, width: int, ink: Ink) -> list[Text]:
    """The sentence of a line, broken at words."""
    digits = len(str(last))
    undone = game.undone_by(at)
    undone = undone if undone is not None and undone <= last else None
    flags = ("!" if game.findings_on(at) and at <= last else " ") + ("*" if at in marked else " ")
    head = f"{'>' if at == line else ' '}{at:>{digits}}{flags}"
    told = printable(game.sentence_at(at), width * MOST_ROWS)
    text = told if undone is None else f"{told} (taken back on line {undone})"
    style = ink("here" if at == line else "undone" if undone else "later" if at > line else "told")
    rows = []
    for number, part in enumerate(folded(text, width - len(head))):
        start = head if number == 0 else " " * len(head)
        row = Text.assemble((start + set_cell_size(part, width - len(head)), style))
        if number == 0 and "!" in flags:
            row.stylize(ink("finding"), len(head) - 2, len(head) - 1)
        rows.append(row)
    return rows


def folded(text: str, width: int) -> list[str]:
    """A text in lines of at most so many cells, broken at words where there are any."""
    lines = Text(text).wrap(_PLAIN, max(width, 8), tab_size=1)
    return [line.plain.rstrip() for line in lines] or [""]


# ---- the bar ----


def bar_picture(game: Replay, line: int, last: int, lines: int, marked: Sequence[int], width: int, ink: Ink) -> Text:
    """The whole log as a row: the hands in turn lighter and darker, `!` a finding, `*` a mark, `O` where we are.

    Nothing behind the line `last` is shown, nor what was not judged yet.
    """
    signs = [" "] * width
    for at in marked:
        if at <= lines:
            signs[_cell(at, width, lines)] = "*"
    for at in game.lines_found(last):
        signs[_cell(at, width, lines)] = "!"
    signs[_cell(line, width, lines)] = "O"
    shows_hands = len(game.deals) * 2 <= width
    row = Text()
    for column, sign in enumerate(signs):
        first, behind = column * lines // width + 1, (column + 1) * lines // width
        odd = shows_hands and bisect_right(game.deals, max(first, behind)) % 2
        style = ink("bar-unread" if first > min(game.judged, last) else "bar-odd" if odd else "bar-even")
        row.append(sign, ink("here") if sign == "O" else style + ink("finding") if sign == "!" else style)
    return row


def _cell(line: int, width: int, lines: int) -> int:
    return (line - 1) * width // lines


def bar_line(column: int, width: int, lines: int, found: Sequence[int]) -> int:
    """The line that a column of the bar stands for: of a finding there, or else the first one."""
    first = min(lines, -(-column * lines // max(width, 1)) + 1)
    at = bisect_left(found, first)
    return found[at] if at < len(found) and _cell(found[at], width, lines) == column else first
