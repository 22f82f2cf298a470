"""What a person may choose from, and what a typed line means. The game says which choices there are; these functions
only sort and name them."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from bh99.scribe.entry import Misread, name_meant
from domain.cards import Card, SeenCard, card_name, card_named, counted
from domain.commands import Choice, GiveHits, LeaveHits, PlayCard, TakeHits
from projections.printable import printable

Value = TypeVar("Value")
_VERBS: Final = ("take", "leave", "give")
_PRIZES: Final = ("main", "bonus")


class Offer(NamedTuple):
    """One thing to choose.

    text: what it does, behind the card if there is one. choices: what it may mean, several if it leaves a choice, none
    if the rules don't allow it. tried: what is asked for all the same then, so that the game names the rule.
    """

    text: str
    card: Card | None = None
    choices: tuple[Choice, ...] = ()
    tried: PlayCard | None = None


class Unclear(Exception):
    """A typed line that can't be understood; the message says what was expected."""


# ---- what there is to choose ----


def hand_offers(player: str, cards: Iterable[SeenCard], choices: Sequence[Choice], limit: int) -> list[Offer]:
    """The cards of a hand, each with the Counts that it may make; `limit`: a Count over it is called so."""
    offers = []
    for card in cards:
        if card is not None:
            plays = tuple(play for play in choices if isinstance(play, PlayCard) and play.card == card)
            offers.append(Offer(_makes(plays, limit), card, plays, PlayCard(player=player, card=card)))
    return offers


def _makes(plays: Sequence[PlayCard], limit: int) -> str:
    """`24`, `46 or 56`, `104, over 99`, `29, who is next?`."""
    counts = " or ".join(_count(count, limit) for count in _each(plays, lambda play: play.count))
    targets = _each(plays, lambda play: play.target)
    if len(targets) > 1:
        return f"{counts}, who is next?"
    return counts if not targets or targets[0] is None else f"{counts}, at {printable(targets[0])}"


def _count(count: int | None, limit: int) -> str:
    return f"{count}, over {limit}" if count is not None and count > limit else str(count)


def prize_offers(choices: Sequence[Choice]) -> list[Offer]:
    """What may become of the hits that somebody holds: taken, left, or given to somebody."""
    offers = []
    several = len({choice.prize for choice in choices if not isinstance(choice, PlayCard)}) > 1
    for prize in _PRIZES:
        of_it = f" of the {prize} prize" if several else ""
        for kind, does in ((TakeHits, "take {}"), (LeaveHits, "leave {} for the next hand"), (GiveHits, "give {}")):
            found = tuple(choice for choice in choices if isinstance(choice, kind) and choice.prize == prize)
            if found:
                offers.append(Offer(does.format(counted(found[0].hits or 0, "hit") + of_it) + _to(found), None, found))
    return offers


def _to(choices: Sequence[Choice]) -> str:
    """To whom hits go, if they go to somebody."""
    if not isinstance(choices[0], GiveHits):
        return ""
    return f" to {printable(choices[0].to)}" if len(choices) == 1 else " to …"


def narrowed(choices: Sequence[Choice]) -> tuple[str, list[Offer]]:
    """What must be asked where something that was chosen leaves a choice, and the answers."""
    plays = [choice for choice in choices if isinstance(choice, PlayCard)]
    if not plays:
        gifts = [choice for choice in choices if isinstance(choice, GiveHits)]
        return "To whom?", [Offer(printable(gift.to), None, (gift,)) for gift in gifts]
    name = card_name(plays[0].card)
    counts = _each(plays, lambda play: play.count)
    if len(counts) > 1:
        offers = [Offer(str(count), None, tuple(play for play in plays if play.count == count)) for count in counts]
        return f"What does {name} make of the Count?", offers
    return f"Who is next after {name}?", [Offer(printable(play.target or "–"), None, (play,)) for play in plays]


def _each(plays: Iterable[PlayCard], field: Callable[[PlayCard], Value]) -> list[Value]:
    """The different values of a field, in order."""
    return list(dict.fromkeys(map(field, plays)))


# ---- what is typed ----


def meant_by(line: str, player: str, seats: Sequence[str], choices: Sequence[Choice]) -> list[Choice]:
    """What a typed line may mean: several choices if it leaves one, or one that the game will refuse if none fits.

    `7h`, `ah 34` with the Count that it makes, `5c ben` with who is next; `take`, `leave 1`, `give 1 kim bonus`.
    Raises Unclear.
    """
    words = line.split()
    if not words:
        raise Unclear("expected a card, such as 7h")
    verb = words[0].lower()
    if verb in _VERBS:
        return [_settling(verb, words[1:], player, seats, choices)]
    card = card_named(words[0])
    if card is None:
        raise Unclear(f"{printable(words[0], 20)} is no card; expected one such as 7h, 10d or Qs, or take, leave, give")
    rest = words[1:]
    count = int(rest.pop(0)) if rest and re.fullmatch(r"[+-]?[0-9]{1,6}", rest[0]) else None
    target = _named(rest, seats) if rest else None
    fitting: list[Choice] = [
        play
        for play in choices
        if isinstance(play, PlayCard)
        and play.card == card
        and count in (None, play.count)
        and target in (None, play.target)
    ]
    return fitting or [PlayCard(player=player, card=card, count=count, target=target)]


def _settling(verb: str, words: list[str], player: str, seats: Sequence[str], choices: Sequence[Choice]) -> Choice:
    """What becomes of hits: how many of them, of which prize, and for whom."""
    held = [choice.prize for choice in choices if not isinstance(choice, PlayCard) and choice.player == player]
    prize = held[0] if held else "main"
    hits, names = None, []
    for word in words:
        if word.lower() in _PRIZES:
            prize = "bonus" if word.lower() == "bonus" else "main"
        elif hits is None and re.fullmatch(r"[0-9]{1,6}", word):
            hits = int(word)
        elif word.lower() not in ("to", "hit", "hits"):
            names.append(word)
    if verb == "give":
        if not names:
            raise Unclear("give to whom? expected a name, such as: give 1 kim")
        return GiveHits(player=player, to=_named(names, seats), prize=prize, hits=hits)
    if names:
        raise Unclear(f"{verb} takes a number and main or bonus, got {printable(names[0], 20)}")
    return (TakeHits if verb == "take" else LeaveHits)(player=player, prize=prize, hits=hits)


def _named(words: Sequence[str], seats: Sequence[str]) -> str:
    """The player whose name it is, or begins with it. Raises Unclear."""
    try:
        named = name_meant(" ".join(words), seats)
    except Misread as several:
        raise Unclear(str(several)) from None
    if named is None:
        raise Unclear(f"nobody here is called {printable(' '.join(words), 20)}; expected one of: {', '.join(seats)}")
    return named
