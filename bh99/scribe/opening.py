"""The first line of a log that a scribe writes, and who deals the first hand."""

from collections.abc import Sequence
from typing import Final, get_args

import msgspec

from bh99.scribe.entry import Misread, name_meant
from domain import events as ev
from domain.deciding import Clock, Refused, open_game
from domain.rule_sets import RuleSet

DRAWS: Final[tuple[ev.Omittable, ...]] = ("card_drawn", "pile_reshuffled")
"""What a log leaves out unless the draws are asked for."""


DEALER_KEY: Final = "first_dealer"
"""Where the opening's `ext` says who is to deal the first hand."""


def sit_down(
    rules: RuleSet,
    players: Sequence[str],
    omits: Sequence[str],
    clock: Clock,
    game: str | None,
    dealer: str | None = None,
) -> ev.GameOpened:
    """The first line of a log, with these seats clockwise. `omits`: types of events that it never holds; `dealer`: who
    deals first, if the table has chosen.

    Raises Misread for players that can't sit down together, an id that is none, a type that can't be left out, and a
    dealer who doesn't sit there.
    """
    if game is not None and not ev.is_game_id(game):
        raise Misread(f"{game} is no id of a game; expected small letters, digits and dashes")
    left_out: list[ev.Omittable] = [known for known in get_args(ev.Omittable) if known in omits]
    wrong = next((kind for kind in omits if kind not in left_out), None)
    if wrong is not None:
        raise Misread(f"{wrong} can't be left out; expected one of: {', '.join(get_args(ev.Omittable))}")
    try:
        opened = open_game(rules, players, clock, game=game, source="table", omits=left_out)
    except Refused as refused:
        raise Misread(refused.message) from None
    if dealer is None:
        return opened
    return msgspec.structs.replace(opened, ext={DEALER_KEY: dealer_named(dealer, players)})


def first_dealer(opened: ev.GameOpened) -> str | None:
    """Who is to deal the first hand; None if nobody was chosen."""
    dealer = (opened.ext or {}).get(DEALER_KEY)
    return dealer if isinstance(dealer, str) and dealer in opened.players else None


def dealer_named(dealer: str, players: Sequence[str]) -> str:
    """Who is meant to deal. Raises Misread for nobody of that name."""
    meant = name_meant(dealer, players)
    if meant is None:
        raise Misread(f"{dealer} doesn't sit here; expected one of: {', '.join(players)}")
    return meant
