"""The rows of text round the table of a game that is played: whose eyes see it, what it waits for, what was refused."""

from rich.cells import cell_len
from rich.text import Text

from bh99.playing import LiveGame
from cli.replayer.captions import LONGEST_SEAT, short_end
from cli.replayer.pictures import short
from domain.deciding import Refused
from domain.rulebook import RULES
from projections.frames import Frame
from projections.printable import printable
from projections.table_view import TableView
from projections.transcript import status_of

HINT = "number plays a card · : type one · l leisure hit · b load · ? keys · q leave"


def heading(name: str, rules: str, seat: str | None, frame: Frame, width: int) -> Text:
    """Whose eyes see it, the game, the rules, the hand, the Count and who is to act; cut where it is narrow."""
    eyes = "" if seat is None else f"as {short(seat, LONGEST_SEAT)} sees it · "
    hand = f"hand {frame.view.hand}" if frame.view.hand else "before the first hand"
    tail = f" · {hand} · {status_of(frame.view).strip()}"
    for middle in (f"{printable(name, None)} · {printable(rules, None)}", printable(name, None)):
        if cell_len(eyes + middle + tail) <= width - 2:
            return Text(eyes + middle + tail)
    room = max(8, width - 2 - cell_len(eyes + tail))
    return Text(eyes + short_end(name, room) + tail)


def waits_for(game: LiveGame, view: TableView) -> str:
    """What a game waits for that waits for no person here."""
    player = game.waits_for
    if player is not None:
        return f"{printable(player)}, a {game.bots[player]} bot, is to choose (enter: without a pause)"
    if game.over:
        won = f"{printable(view.winner)} has won the match. " if view.winner and view.in_match else ""
        closed = "The game is closed: q leaves." if game.closed else "c closes the game, q leaves it open."
        return won + closed
    won = f"{printable(view.winner)} has won the hand. " if view.winner else ""
    dealer = view.expected[0].player if view.expected else None
    return f"{won}Press enter to deal" + ("." if dealer is None else f" (dealer: {printable(dealer)}).")


def refusal(refused: Refused, tells: bool) -> str:
    """Why nothing has happened: the rule, and what is allowed; not if it tells of a hand that nobody may see here."""
    allowed = "; or ".join(option.text for option in refused.allowed) if tells else ""
    rule = RULES.get(refused.rule)
    parts = [
        f"! {refused.message} ({refused.rule})",
        *([f"Allowed: {allowed}"] if allowed else []),
        *([rule.sentence] if rule else []),
    ]
    return printable(". ".join(part.rstrip(".") for part in parts) + ".", None)
