"""What the kinds of broken matches share: how a kind is written down, and small moves at the table.

As with broken games, a kind looks at a table in a certain phase. Where it sees its chance it breaks one rule,
leaves the table as it then stands and says which line must be reported; else it touches nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from broken_base import Check, NoChance, is_a
from legal_matches import Host
from match_table import LIMIT, Game, Move, World

__all__ = ["KINDS", "Check", "Fault", "Kind", "NoChance", "is_a", "kind"]

Found = tuple[int, str, str | None]
Where = Callable[[Game], bool]


@dataclass(frozen=True)
class Fault:
    """What was broken. `seen` says what the log tells without hidden cards: the same, something else, or nothing sure.

    `stops`: the log ends here, as nothing clear can follow.
    """

    line: int
    rule: str
    player: str | None
    seen: bool | Found = True
    checks: tuple[Check, ...] = ()
    stops: bool = False


Break = Callable[[Host], Fault | None]


@dataclass(frozen=True)
class Kind:
    """A way to break a match: in which phases, at how many seats, in which games, how often a chance is taken."""

    text: str
    breaks: Break
    phases: tuple[str, ...]
    seats: tuple[int, int]
    where: Where
    share: float


KINDS: dict[str, Kind] = {}


def any_game(game: Game) -> bool:
    return True


def stuck_loses(game: Game) -> bool:
    """Games in which a player without a playable card is out."""
    return not game.any_card


def paid_in_tokens(game: Game) -> bool:
    return not game.borders


def kind(
    name: str, *phases: str, seats: tuple[int, int] = (2, 8), where: Where = any_game, share: float = 0.3
) -> Callable[[Break], Break]:
    """Registers a function as a kind; its docstring says what was broken."""

    def register(breaks: Break) -> Break:
        KINDS[name] = Kind((breaks.__doc__ or "").strip(), breaks, phases, seats, where, share)
        return breaks

    return register


# Looking


def next_line(world: World) -> int:
    return len(world.events) + 1


def last_event(world: World, type_: str) -> bool:
    return bool(world.events[-1]["type"] == type_)


def just_drew(world: World) -> str | None:
    """Who drew in the line before, if nothing has happened since."""
    player: str = world.events[-1].get("player", "")
    return player if last_event(world, "card_drawn") and player in world.inside else None


def inside(world: World, *names: str | None) -> list[str]:
    """Players in the hand, clockwise, without these."""
    return [name for name in world.chairs if name in world.inside and name not in names]


def can_play(world: World, player: str, total: int | None = None) -> bool:
    """Whether that player could play at this total, now if none is given."""
    at = world.total if total is None else total
    return any(world.game.allowed(card, at) for card in world.hands[player])


def costs(world: World, move: Move) -> bool:
    """Whether somebody pays for the move."""
    game = world.game
    hit = move.total in game.exact and move.total != world.total
    return hit or move.total > LIMIT or game.crossed(world.total, move.total) > 0


def special(game: Game, card: str) -> bool:
    """Whether a card changes who is next."""
    return card[0] in game.turns + game.skips + game.chooses


def plain(world: World, player: str) -> list[Move]:
    """What the player could play now without a payment, the next player being next."""
    return [move for move in world.moves(player) if not special(world.game, move.card) and not costs(world, move)]


def copies(world: World, card: str) -> list[str]:
    """Where each copy of a card lies: a player's name, "stock" or "open"."""
    places = {**world.hands, "stock": world.stock, "open": world.pile + world.aside}
    return [place for place, cards in places.items() for _ in range(cards.count(card))]


def elsewhere(world: World, player: str) -> dict[str, list[str]]:
    """Cards of which the player has none, and where their copies lie."""
    places = {card: copies(world, card) for card in world.game.decks(len(world.chairs))}
    return {card: at for card, at in places.items() if at and player not in at}


# Moving


def refill(host: Host, player: str) -> None:
    """The draw after a play, if the play calls for one."""
    if host.world.fresh == player:
        host.refill(player)


def turn(host: Host, player: str, move: Move, **changed: Any) -> int:
    """A play and its draw, the hand going on; gives the line of the play."""
    line = host.play(player, move, **changed)
    refill(host, player)
    if not host.world.hand_on or host.world.losses:
        raise NoChance
    return line


def steps(host: Host, enough: Callable[[], bool], most: int = 400) -> None:
    """Plays on until something has come about."""
    for _ in range(most):
        if enough():
            return
        host.step()
        if host.world.phase() in ("over", "closed"):
            break
    if not enough():
        raise NoChance


# Checks on the finished log


def acts(line: int, player: str) -> Check:
    """In that line the player plays a card or goes out for want of one."""

    def check(events: list[dict[str, Any]]) -> bool:
        event = events[line - 1] if line <= len(events) else {}
        return event.get("type") in ("card_played", "player_eliminated") and event.get("player") == player

    return check
