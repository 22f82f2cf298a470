"""What players and tables ask for, one frozen struct a wish. `domain.deciding` turns them into events, or refuses."""

from typing import Final, TypeAlias

import msgspec

from domain.cards import Card
from domain.events import Name, PrizeName, Text


class Command(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"
):
    """What all commands share: `do` names them in JSON."""


class Deal(Command, frozen=True, tag="deal"):
    """Shuffle and deal. `dealer`: who deals the first hand, the last seat if nobody is named (R9)."""

    dealer: Name | None = None


class PlayCard(Command, frozen=True, tag="play_card"):
    """Play a card. `count`: the total that it makes, needed where the card leaves a choice; `target`: who is chosen."""

    player: Name
    card: Card
    count: int | None = None
    target: Name | None = None


class TakeHits(Command, frozen=True, tag="take_hits"):
    """Take hits of a prize; all that are left of it if no number is given."""

    player: Name
    prize: PrizeName = "main"
    hits: int | None = None


class LeaveHits(Command, frozen=True, tag="leave_hits"):
    """Leave hits of a prize for the next hand; all that are left of it if no number is given."""

    player: Name
    prize: PrizeName = "main"
    hits: int | None = None


class GiveHits(Command, frozen=True, tag="give_hits"):
    """Give hits of a prize to another player; all that are left of it if no number is given."""

    player: Name
    to: Name
    prize: PrizeName = "main"
    hits: int | None = None


class ShowCards(Command, frozen=True, tag="show_cards"):
    """Show cards of one's own hand."""

    player: Name
    cards: list[Card]


class SmokeLeisure(Command, frozen=True, tag="smoke_leisure"):
    """A leisure hit; `finished`: it finishes the bowl."""

    player: Name
    finished: bool = False


class LoadBong(Command, frozen=True, tag="load_bong"):
    """Load the bowl."""

    player: Name


class JoinTable(Command, frozen=True, tag="join_table"):
    """Sit down between hands, at a seat counted from 0, or at the end."""

    player: Name
    seat: int | None = None


class LeaveTable(Command, frozen=True, tag="leave_table"):
    """Leave the table, and the hand if one is being played."""

    player: Name


class VoidHand(Command, frozen=True, tag="void_hand"):
    """The hand is off (R7)."""

    reason: Text


class Rule(Command, frozen=True, tag="rule"):
    """Decide on a line."""

    about: int
    by: Text
    text: Text
    rule: Text | None = None


class CloseGame(Command, frozen=True, tag="close_game"):
    """Nothing is to follow."""


Choice: TypeAlias = PlayCard | TakeHits | LeaveHits | GiveHits
"""What a player chooses when the game waits for them."""
AnyCommand: TypeAlias = (
    Deal
    | PlayCard
    | TakeHits
    | LeaveHits
    | GiveHits
    | ShowCards
    | SmokeLeisure
    | LoadBong
    | JoinTable
    | LeaveTable
    | VoidHand
    | Rule
    | CloseGame
)
COMMAND_TYPES: Final[dict[str, type[Command]]] = {kind.__struct_config__.tag: kind for kind in AnyCommand.__args__}
