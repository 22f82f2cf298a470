"""The first line of a log that a scribe writes, and who deals the first hand."""

from collections.abc import Sequence
from typing import Final, get_args

from bh99.scribe.entry import Misread, name_meant
from domain import events as ev
from domain.deciding import Refused, open_game
from domain.deciding.opening import Clock
from domain.rule_sets import RuleSet

DRAWS: Final[tuple[ev.Omittable, ...]] = ("card_drawn", "pile_reshuffled")
"""What a log leaves out unless the draws are asked for."""


def sit_down(
    rules: RuleSet, players: Sequence[str], omits: Sequence[str], clock: Clock, game: str | None
) -> ev.GameOpened:
    """The first line of a log, with these seats clockwise. `omits`: types of events that it never holds.

    Raises Misread for players that can't sit down together, an id that is none, and a type that can't be left out.
    """
    if game is not None and not ev.is_game_id(game):
        raise Misread(f"{game} is no id of a game; expected small letters, digits and dashes")
    left_out: list[ev.Omittable] = [known for known in get_args(ev.Omittable) if known in omits]
    wrong = next((kind for kind in omits if kind not in left_out), None)
    if wrong is not None:
        raise Misread(f"{wrong} can't be left out; expected one of: {', '.join(get_args(ev.Omittable))}")
    try:
        return open_game(rules, players, clock, game=game, source="table", omits=left_out)
    except Refused as refused:
        raise Misread(refused.message) from None


def first_dealer(dealer: str, players: Sequence[str]) -> str:
    """Who deals the first hand. Raises Misread for nobody of that name."""
    meant = name_meant(dealer, players)
    if meant is None:
        raise Misread(f"{dealer} doesn't sit here; expected one of: {', '.join(players)}")
    return meant
