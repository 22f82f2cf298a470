"""The table as it is printed: `bh99 replay LOG --at N` and everything that draws (docs/log-format.md, Table)."""

from typing import Final, Literal

import msgspec

from domain.cards import SeenCard, counted
from domain.referee.legality import expected
from domain.referee.verdicts import Expected
from domain.table import Table

Shown = Literal["play", "draw", "shield", "prize", "deal"] | None

_SHOWN: Final[dict[str, Shown]] = {
    "play": "play",
    "draw": "draw",
    "shield": "shield",
    "blowback": "shield",
    "win": "prize",
    "prize": "prize",
    "deal": "deal",
}
"""A going out or a win that must be written down is part of what it ends; nothing is awaited after the close."""


class PlayerView(msgspec.Struct, frozen=True):
    """One player; `cards` holds None for a card nobody logged."""

    name: str
    in_hand: bool
    cards: list[SeenCard]
    tokens: int | None
    score: int | None


class PrizeView(msgspec.Struct, frozen=True):
    """Hits that still have to be taken, given or left; `hits` is None if nobody knows how many."""

    prize: Literal["main", "bonus"]
    holder: str
    hits: int | None


class TableView(msgspec.Struct, frozen=True):
    """The table after `line`. `hand` counts from 1, `pile` is bottom first; None is what the log doesn't tell."""

    line: int
    hand: int
    dealer: str | None
    count: int | None
    direction: int
    to_act: str | None
    awaiting: Shown
    expected: list[Expected]
    players: list[PlayerView]
    pile: list[SeenCard]
    stock_left: int | None
    carried: int | None
    prizes: list[PrizeView]
    loader: str | None
    winner: str | None

    @property
    def in_match(self) -> bool:
        """Whether the game is played for tokens or points."""
        return any(player.tokens is not None for player in self.players)


def table_view(table: Table, line: int) -> TableView:
    """What the table looks like after a line."""
    options = expected(table)
    prizes = [PrizeView(prize.name, prize.holder, prize.hits) for prize in table.prizes if prize.hits != 0]
    settled = table.awaiting == "prize" and not prizes
    return TableView(
        line=line,
        hand=table.hand,
        dealer=table.dealer,
        count=table.count,
        direction=table.direction,
        to_act=options[0].player if options else None,
        awaiting="deal" if settled else _SHOWN.get(table.awaiting),
        expected=options,
        players=[_player(table, name) for name in table.names],
        pile=list(table.pile),
        stock_left=None if table.vague else len(table.stock),
        carried=table.carried if table.being_played else table.left_over,
        prizes=prizes,
        loader=table.loader,
        winner=table.champion or table.winner,
    )


def _player(table: Table, name: str) -> PlayerView:
    tokens, score = table.tokens.get(name), table.scores.get(name)
    return PlayerView(name, name in table.next_in, table.cards_of(name), tokens, score)


def three_sentences(view: TableView) -> str:
    """Who is to act or deal, the Count and the pot, and who loads (`bh99 now`)."""
    first = ", or ".join(option.text for option in view.expected[:2]) or (
        f"{view.winner} has won the match" if view.winner and view.in_match else "the game is closed"
    )
    count = "the Count is unknown" if view.count is None else f"the Count is {view.count}"
    if view.awaiting not in ("play", "draw", "shield"):
        count = "no hand is being played"
    loads = f"{view.loader} loads when a load is needed" if view.loader else "nobody has the loading duty"
    if view.in_match:
        way = "clockwise" if view.direction == 1 else "counterclockwise"
        second, third = f"{count}, and play goes {way}", _tokens(view)
    else:
        second, third = f"{count}, and {_pot(view)}", loads
    return " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in (first, second, third))


def _tokens(view: TableView) -> str:
    """What each player has, of tokens or of points and score."""
    has = []
    for player in view.players:
        if player.tokens is not None or player.score is not None:
            score = "" if player.score is None else f" and a score of {player.score}"
            has.append(f"{player.name} {tokens_left(player)}{score}")
    return f"left: {', '.join(has)}"


def standing(player: PlayerView, view: TableView) -> Literal["in", "out", ""]:
    """Whether a player is in the hand or out of it; neither between hands, and without cards."""
    between_hands = view.awaiting == "deal" and view.winner is None
    return "in" if player.in_hand else "out" if player.cards and not between_hands else ""


def tokens_and_score(player: PlayerView) -> str:
    """What a player has in a match, with two spaces behind; nothing in a game without tokens."""
    if player.tokens is None:
        return ""
    score = "" if player.score is None else f" score {player.score:>2}"
    return f"{tokens_left(player)}{score}  "


def tokens_left(player: PlayerView) -> str:
    """`3 tokens`, or `3 points` where a score is kept."""
    return counted(player.tokens or 0, "token" if player.score is None else "point")


def _pot(view: TableView) -> str:
    if view.prizes:
        held = (f"{prize.holder} holds {_hits(prize.hits)} of the {prize.prize} prize" for prize in view.prizes)
        return "; ".join(held)
    if view.carried is None:
        return "nobody wrote down how many hits are at stake"
    if not view.expected:
        return f"{_hits(view.carried)} {'was' if view.carried == 1 else 'were'} left over"
    return f"{_hits(view.carried + 1)} {'is' if view.carried == 0 else 'are'} at stake"


def _hits(hits: int | None) -> str:
    return "an unknown number of hits" if hits is None else counted(hits, "hit")
