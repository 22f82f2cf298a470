"""What the kinds of broken games share: how a kind is written down, and small moves at the table.

A kind is a function that looks at a table in a certain phase. Where it sees its chance it breaks one rule,
leaves the table as it then stands, and says which line must be reported. Where it doesn't, it touches
nothing and gives None.
"""

from collections.abc import Callable
from dataclasses import dataclass

from legal_games import Event, Host, World

Check = Callable[[list[Event]], bool]


class NoChance(Exception):
    """A game went another way than the kind needs; another seed may do."""


@dataclass(frozen=True)
class Fault:
    """What was broken. `checks` see the finished log; `later` happens when the hand is over."""

    line: int
    rule: str
    player: str | None
    blanked: bool
    checks: tuple[Check, ...] = ()
    later: Callable[[World], None] | None = None


Break = Callable[[Host], Fault | None]


@dataclass(frozen=True)
class Kind:
    """A way to break a game: in which phase, at how many seats, and how often a chance is taken."""

    text: str
    breaks: Break
    phases: tuple[str, ...]
    seats: tuple[int, int] = (2, 9)
    share: float = 0.3
    numbered: bool = False
    marked: bool = False


KINDS: dict[str, Kind] = {}


def kind(name: str, *phases: str, seats: tuple[int, int] = (2, 9), share: float = 0.3) -> Callable[[Break], Break]:
    """Registers a function as a kind; its docstring says what was broken."""

    def register(breaks: Break) -> Break:
        KINDS[name] = Kind((breaks.__doc__ or "").strip(), breaks, phases, seats, share)
        return breaks

    return register


# Looking


def plain(world: World, player: str) -> list[str]:
    """Cards a player could play now, without the Death Card."""
    cards = world.playable(player)
    return [card for card in cards if not (card == "Qs" and world.count == 99)]


def next_line(world: World) -> int:
    return len(world.events) + 1


def others_in(world: World, *names: str) -> list[str]:
    """Players still in, clockwise, without these."""
    return [name for name in world.chairs if name in world.inside and name not in names]


def dealt(world: World, *names: str | None) -> list[str]:
    """Players with cards in this hand, without these."""
    return [name for name in world.chairs if name in world.hands and name not in names]


def last_event(world: World, type_: str) -> bool:
    return bool(world.events[-1]["type"] == type_)


def just_drew(world: World) -> str | None:
    """Who drew in the line before, if nothing has happened since."""
    player: str = world.events[-1].get("player", "")
    return player if last_event(world, "card_drawn") and player in world.inside else None


def nobody_holds(world: World, *cards: str) -> bool:
    return all(world.holder(card) is None for card in cards)


# Moving


def refill(world: World, player: str) -> None:
    """The draw after a play, with the reshuffle it needs."""
    if not world.stock:
        world.reshuffle()
    world.draw(player)


def misnamed(world: World, player: str, named: str, real: str | None) -> int:
    """A play of a card that wasn't the player's. `real` went from their hand instead; None: their hand stays."""
    if real is not None:
        world.hands[player].remove(real)
    line = world.play(player, named)
    if real is not None:
        world.pile[-1] = real
    return line


# Checks on the finished log


def hand_after(events: list[Event], line: int) -> list[Event]:
    """The events after that line up to the end of its hand's play."""
    rest = events[line:]
    ends = [at for at, event in enumerate(rest) if event["type"] in ("hand_won", "hand_dealt", "hand_voided")]
    return rest[: ends[0]] if ends else rest


def is_a(line: int, type_: str, player: str | None = None) -> Check:
    """That line is an event of this type, and of this player."""

    def check(events: list[Event]) -> bool:
        event = events[line - 1]
        return bool(event["type"] == type_ and (player is None or event["player"] == player))

    return check


def acts_again(player: str, line: int) -> Check:
    """After that line the player's next act in the hand is a turn of their own, not an answer."""

    def check(events: list[Event]) -> bool:
        for event in hand_after(events, line):
            if event.get("target") == player:
                return False
            if event.get("player") == player and event["type"] == "card_played":
                return bool(event["card"] != "Ad")
            if event.get("player") == player and event["type"] == "player_eliminated":
                return bool(event["reason"] == "no_play")
        return False

    return check


def plays_again(player: str, line: int) -> Check:
    """As `acts_again`, and what they do is play a card."""

    def check(events: list[Event]) -> bool:
        acts = [event for event in hand_after(events, line) if event.get("player") == player]
        return bool(acts) and acts[0]["type"] == "card_played" and acts_again(player, line)(events)

    return check


def never_again(player: str, line: int) -> Check:
    """The player is not heard of again in the hand."""

    def check(events: list[Event]) -> bool:
        return not any(player in (event.get("player"), event.get("target")) for event in hand_after(events, line))

    return check


def no_reshuffle(line: int) -> Check:
    """Nothing is reshuffled in the rest of that hand."""

    def check(events: list[Event]) -> bool:
        return "pile_reshuffled" not in {event["type"] for event in hand_after(events, line)}

    return check


def many_draws(line: int, least: int) -> Check:
    """The hand goes on for so many draws that it tells what happened."""

    def check(events: list[Event]) -> bool:
        return [event["type"] for event in hand_after(events, line)].count("card_drawn") >= least

    return check


def few_draws(line: int, most: int) -> Check:
    """The hand ends before so many draws that they come near the bottom of the stock."""

    def check(events: list[Event]) -> bool:
        return not many_draws(line, most)(events)

    return check
