"""Every event of a log, one frozen struct a type (docs/log-format.md).

Decoding with `Event` is validation: a type, a field or a value that the format doesn't know is an error.
Fields are only ever added, with a default; types and tags never change.
"""

import datetime
import re
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from domain.cards import Card, SeenCard

FORMAT: Final = 1

Instant: TypeAlias = Annotated[datetime.datetime, msgspec.Meta(tz=True)]
Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Text: TypeAlias = str
Line: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Hits: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
_GAME_ID: Final = r"\A[a-z0-9-]{1,64}\Z"
GameId: TypeAlias = Annotated[str, msgspec.Meta(pattern=_GAME_ID)]
PrizeName: TypeAlias = Literal["main", "bonus"]
Reason: TypeAlias = Literal["no_play", "death_card", "blowback", "left"]
Omittable: TypeAlias = Literal[
    "card_drawn",
    "pile_reshuffled",
    "hand_won",
    "hit_taken",
    "hit_carried",
    "hit_donated",
    "cards_shown",
    "bong_loaded",
    "leisure_hit",
    "tokens_lost",
    "player_knocked_out",
]


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What all events may carry; none of it is judged but `seq`."""

    at: Instant | None = None
    seq: Line | None = None
    note: Text | None = None
    ext: dict[str, Any] | None = None


class GameOpened(Event, frozen=True, tag_field="type", tag="game_opened"):
    """The first line: the seats, clockwise, and the rules that the game is played by."""

    format: int
    rules: str | dict[str, Any]
    players: list[Name]
    game: GameId | None = None
    source: Literal["table", "service", "simulated"] = "table"
    omits: list[Omittable] = []


class GameForked(Event, frozen=True, tag_field="type", tag="game_forked"):
    """What follows shares the lines before it with another game."""

    game: GameId
    source: GameId | None
    line: Line


class PlayerJoined(Event, frozen=True, tag_field="type", tag="player_joined"):
    """A player sits down between hands, at a seat index or at the end."""

    player: Name
    seat: Annotated[int, msgspec.Meta(ge=0)] | None = None


class PlayerLeft(Event, frozen=True, tag_field="type", tag="player_left"):
    player: Name


class HandDealt(Event, frozen=True, tag_field="type", tag="hand_dealt"):
    """Shuffled and dealt; the stock is listed top first."""

    dealer: Name
    hands: dict[Name, list[SeenCard]]
    stock: list[SeenCard] | None
    tokens: dict[Name, int] | None = None


class CardPlayed(Event, frozen=True, tag_field="type", tag="card_played"):
    """`count` is the total that was said, `target` whom the card points at, `value` what it was chosen to count."""

    player: Name
    card: SeenCard
    count: int | None
    target: Name | None = None
    value: int | None = None


class CardDrawn(Event, frozen=True, tag_field="type", tag="card_drawn"):
    player: Name
    card: SeenCard


class DrawMissed(Event, frozen=True, tag_field="type", tag="draw_missed"):
    player: Name


class PileReshuffled(Event, frozen=True, tag_field="type", tag="pile_reshuffled"):
    """The new stock, top first; None if nobody saw its order."""

    stock: list[SeenCard] | None


class PlayerEliminated(Event, frozen=True, tag_field="type", tag="player_eliminated"):
    player: Name
    reason: Reason


class CardsShown(Event, frozen=True, tag_field="type", tag="cards_shown"):
    """What somebody showed of the hand that they then held."""

    player: Name
    cards: list[Card]


class HandWon(Event, frozen=True, tag_field="type", tag="hand_won"):
    player: Name


class HitStolen(Event, frozen=True, tag_field="type", tag="hit_stolen"):
    """`player` is the thief, `source` the winner."""

    player: Name
    source: Name


class BonusCreated(Event, frozen=True, tag_field="type", tag="bonus_created"):
    player: Name


class HitSlid(Event, frozen=True, tag_field="type", tag="hit_slid"):
    """One step of a prize from `source` to `player`, the holder of the club `card`."""

    prize: PrizeName
    source: Name
    player: Name
    card: Card


class HitTaken(Event, frozen=True, tag_field="type", tag="hit_taken"):
    player: Name
    prize: PrizeName
    hits: Hits


class HitCarried(Event, frozen=True, tag_field="type", tag="hit_carried"):
    player: Name
    prize: PrizeName
    hits: Hits


class HitDonated(Event, frozen=True, tag_field="type", tag="hit_donated"):
    player: Name
    to: Name
    prize: PrizeName
    hits: Hits


class LeisureHit(Event, frozen=True, tag_field="type", tag="leisure_hit"):
    player: Name
    finished: bool = msgspec.field(default_factory=bool)  # a factory, so that it is written even when it is false


class BongLoaded(Event, frozen=True, tag_field="type", tag="bong_loaded"):
    player: Name


class HandCorrected(Event, frozen=True, tag_field="type", tag="hand_corrected"):
    """`drew` came from the top of the stock, `returned` went to its bottom."""

    player: Name
    drew: list[SeenCard]
    returned: list[SeenCard]


class CountCorrected(Event, frozen=True, tag_field="type", tag="count_corrected"):
    count: int


class TakenBack(Event, frozen=True, tag_field="type", tag="taken_back"):
    """Everything from line `about` on never happened for the table."""

    about: Line
    why: Literal["player", "scribe"]


class HandVoided(Event, frozen=True, tag_field="type", tag="hand_voided"):
    reason: Text


class RulingMade(Event, frozen=True, tag_field="type", tag="ruling_made"):
    """The table's decision on a line; changes no card."""

    about: Line
    by: Text
    text: Text
    rule: Text | None = None


class TokensLost(Event, frozen=True, tag_field="type", tag="tokens_lost"):
    player: Name
    tokens: int
    reason: Literal["hand_lost", "border", "exact"]


class PlayerKnockedOut(Event, frozen=True, tag_field="type", tag="player_knocked_out"):
    player: Name


class MatchWon(Event, frozen=True, tag_field="type", tag="match_won"):
    player: Name
    tokens: int


class GameClosed(Event, frozen=True, tag_field="type", tag="game_closed"):
    """Nothing follows."""


AnyEvent: TypeAlias = (
    GameOpened
    | GameForked
    | PlayerJoined
    | PlayerLeft
    | HandDealt
    | CardPlayed
    | CardDrawn
    | DrawMissed
    | PileReshuffled
    | PlayerEliminated
    | CardsShown
    | HandWon
    | HitStolen
    | BonusCreated
    | HitSlid
    | HitTaken
    | HitCarried
    | HitDonated
    | LeisureHit
    | BongLoaded
    | HandCorrected
    | CountCorrected
    | TakenBack
    | HandVoided
    | RulingMade
    | TokensLost
    | PlayerKnockedOut
    | MatchWon
    | GameClosed
)

EVENT_TYPES: Final[dict[str, type[Event]]] = {kind.__struct_config__.tag: kind for kind in AnyEvent.__args__}


def type_of(event: Event) -> str:
    """The event's `type` as it stands in a log."""
    return str(event.__struct_config__.tag)


def is_game_id(text: object) -> bool:
    """Whether a game may have this id."""
    return isinstance(text, str) and re.match(_GAME_ID, text) is not None
