"""From an entry to the event that it writes down, as the table stands. Nothing here judges it."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from bh99.scribe.entry import UNSEEN, Entry, Misread
from bh99.scribe.words import BY_NAME
from domain import events as ev
from domain.cards import Card, SeenCard, card_name
from domain.deciding import Refused
from domain.deciding.opening import check_name
from domain.referee.dues import due_thief, next_club
from domain.rulebook import RULES
from domain.table import Table

OF_NOBODY: Final = ("reshuffle", "count", "void", "undo", "close")
"""Words that aren't about a player."""


class Evening(NamedTuple):
    """What an entry may refer to besides the table: if somebody asks for them, the lines of the last entry and of the
    last finding without a ruling, and the rules that were broken on a line; and who is to deal the first hand."""

    last_entry: Callable[[], int | None]
    last_finding: Callable[[], int | None]
    rules_found_on: Callable[[int], set[str]]
    first_dealer: str | None


def event_of(words: Sequence[str], table: Table, evening: Evening) -> ev.AnyEvent:
    """The event that an entry writes down. Raises Misread if it isn't understood."""
    entry = Entry(words, table)
    word = entry.next()
    if word is None:
        raise Misread("nothing was said; expected a card, a player or a word such as out or took")
    if entry.is_card():
        event: ev.AnyEvent = _play(entry)
    elif (known := BY_NAME.get(word.casefold())) is not None:
        if entry.subject is not None and known in OF_NOBODY:
            raise Misread(f"{known} is said without a name before it")
        entry.take()
        event = _READ[known](entry, evening)
    else:
        raise Misread(f"{word}: expected a card, a player or a word such as out or took")
    entry.end()
    return event


# ---- turns ----


def _next_player(table: Table) -> str | None:
    """Who is to play, answer or go out; after a play whose draw isn't written down, the player after that."""
    return table.then_to_act if table.awaiting == "draw" else table.to_act


def _play(entry: Entry) -> ev.CardPlayed:
    table, card = entry.table, entry.card()
    player = entry.subject or _next_player(table)
    if player is None or (entry.subject is None and table.awaiting not in ("play", "draw", "shield")):
        raise Misread("nobody is to play now; say who, as in ben 7h")
    value, count, target, unnoted = None, None, None, False
    while entry.next() is not None:
        if (number := entry.value()) is not None:
            value = number
        elif (number := entry.number()) is not None:
            count = number
        elif entry.has(UNSEEN):
            unnoted = True
        elif (name := entry.name()) is not None:
            target = name
        else:
            break
    if value is None and count is None and not unnoted and table.awaiting == "play":
        _must_be_noted(table, card)
    return ev.CardPlayed(player=player, card=card, count=count, target=target, value=value)


def _must_be_noted(table: Table, card: Card | None) -> None:
    """A card that leaves a choice tells nothing of the Count by itself. Raises Misread."""
    totals = table.at.totals(card) or ()
    if len(totals) > 1 and card is not None:
        either = " or ".join(f"{card.lower()} {total if total >= 0 else f'={total}'}" for total in totals)
        raise Misread(f"{card_name(card)} leaves a choice: say {either}; or {card.lower()} {UNSEEN} if nobody noted it")


def _draw(entry: Entry, evening: Evening) -> ev.CardDrawn:
    table = entry.table
    due = table.awaiting == "draw" or "card_drawn" in table.omits
    player = entry.who(table.to_act if due else None, "ben drew")
    return ev.CardDrawn(player=player, card=entry.card() if entry.is_card() else None)


def _no_draw(entry: Entry, evening: Evening) -> ev.DrawMissed:
    table = entry.table
    return ev.DrawMissed(player=entry.who(table.to_act if table.awaiting == "draw" else None, "ben nodraw"))


def _reshuffle(entry: Entry, evening: Evening) -> ev.PileReshuffled:
    return ev.PileReshuffled(stock=None)


_REASONS: Final[dict[str, ev.Reason]] = {
    "blowback": "blowback",
    "deathcard": "death_card",
    "death_card": "death_card",
    "no_play": "no_play",
    "left": "left",
}
"""Why somebody is out, where it is said."""


def _out(entry: Entry, evening: Evening) -> ev.PlayerEliminated:
    table = entry.table
    waits = table.awaiting in ("play", "draw", "shield", "blowback", "leave")
    player = entry.who(_next_player(table) if waits else None, "out ben")
    for word, reason in _REASONS.items():
        if entry.has(word):
            return ev.PlayerEliminated(player=player, reason=reason)
    awaiting = table.then_awaiting if table.awaiting == "draw" else table.awaiting
    reasons: dict[str, ev.Reason] = {"shield": "death_card", "blowback": "blowback", "leave": "left"}
    mine = player == _next_player(table)
    return ev.PlayerEliminated(player=player, reason=reasons.get(awaiting, "no_play") if mine else "no_play")


# ---- a hand ----


def _deal(entry: Entry, evening: Evening) -> ev.HandDealt:
    table = entry.table
    first = evening.first_dealer if evening.first_dealer in table.circle else next(reversed(table.circle), None)
    dealer = entry.who(table.dealer_due() or first, "deal ben")
    size = table.rules.hand_size
    sizes = dict.fromkeys(table.circle, size)
    while entry.next() is not None:
        left_out = entry.has("without")
        player = entry.name()
        if player is None:
            break
        if left_out:
            sizes.pop(player, None)
        else:
            dealt = entry.number()
            sizes[player] = size if dealt is None else dealt
    hands: dict[str, list[SeenCard]] = {player: [None] * dealt for player, dealt in sizes.items()}
    return ev.HandDealt(dealer=dealer, hands=hands, stock=None)


def _won(entry: Entry, evening: Evening) -> ev.HandWon:
    table = entry.table
    only = next(iter(table.next_in)) if len(table.next_in) == 1 else None
    return ev.HandWon(player=entry.who(only, "won ben"))


def _void(entry: Entry, evening: Evening) -> ev.HandVoided:
    return ev.HandVoided(reason=_text(entry, "void two cards lay on the floor"))


def _text(entry: Entry, example: str) -> str:
    text = entry.rest()
    if not text:
        raise Misread(f"why? say {example}")
    return text


# ---- the prize ----


def _show(entry: Entry, evening: Evening) -> ev.CardsShown:
    table = entry.table
    named = entry.subject or entry.name()
    cards = entry.seen_cards("show ben ac")
    if named is None:
        holders = [player for player in table.hands if all(table.may_hold(player, card) for card in cards)]
        if len(holders) != 1:
            raise Misread(f"who shows it? say show ben {' '.join(cards).lower()}")
        named = holders[0]
    return ev.CardsShown(player=named, cards=cards)


def _stole(entry: Entry, evening: Evening) -> ev.HitStolen:
    table = entry.table
    others = [player for player in table.hands if player != table.winner]
    thief = entry.who(due_thief(table) or (others[0] if len(others) == 1 else None), "stole ben")
    if table.winner is None:
        raise Misread("nobody has won the hand yet; say who has, as in won ana")
    return ev.HitStolen(player=thief, source=table.winner)


def _bonus(entry: Entry, evening: Evening) -> ev.BonusCreated:
    return ev.BonusCreated(player=entry.who(entry.table.winner, "bonus ben"))


def _slid(entry: Entry, evening: Evening) -> ev.HitSlid:
    table = entry.table
    card = entry.card() if entry.is_card() else None
    player = entry.who(None, "slid kc ben")
    card = entry.card() if entry.is_card() else card
    name = entry.prize()
    prize, rules = table.prize(name), table.rules.prize
    if prize is None or rules is None:
        raise Misread(f"there is no {name} prize now")
    card = card or next_club(prize, rules)
    if card is None:
        raise Misread("with which club? say slid kc ben")
    return ev.HitSlid(prize=name, source=prize.holder, player=player, card=card)


class _Settled(NamedTuple):
    player: str
    prize: ev.PrizeName
    hits: int


def _hits(entry: Entry, player: str | None) -> _Settled:
    """Whose hits, of which prize, and how many: all that are left of it if nobody says so."""
    hits = entry.number()
    name = entry.prize()
    hits = entry.number() if hits is None else hits
    prize = entry.table.prize(name)
    if prize is None and name == "main" and player is None:
        raise Misread("there are no hits to settle now; a hand is won first")
    if prize is not None:
        player, hits = player or prize.holder, prize.hits if hits is None else hits
    if prize is not None and prize.hits == 0:
        raise Misread(f"there are no hits of the {name} prize left to settle")
    if player is None or hits is None or hits < 0:
        raise Misread("whose hits, and how many? say ben took 1")
    return _Settled(player, name, hits)


def _took(entry: Entry, evening: Evening) -> ev.HitTaken:
    return ev.HitTaken(**_hits(entry, entry.subject or entry.name())._asdict())


def _carried(entry: Entry, evening: Evening) -> ev.HitCarried:
    return ev.HitCarried(**_hits(entry, entry.subject or entry.name())._asdict())


def _gave(entry: Entry, evening: Evening) -> ev.HitDonated:
    giver, hits = entry.subject, entry.number()
    first, second = entry.name(), entry.name()
    if first is None:
        raise Misread("to whom? say gave ben")
    if second is not None:
        giver, first = first, second
    entry.words = [*([str(hits)] if hits is not None else []), *entry.words]
    settled = _hits(entry, giver)
    return ev.HitDonated(player=settled.player, to=first, prize=settled.prize, hits=settled.hits)


# ---- the bowl ----


def _leisure(entry: Entry, evening: Evening) -> ev.LeisureHit:
    return ev.LeisureHit(player=entry.who(None, "leisure ben"), finished=entry.has("finished", "empty"))


def _loaded(entry: Entry, evening: Evening) -> ev.BongLoaded:
    return ev.BongLoaded(player=entry.who(entry.table.loader, "loaded ben"))


# ---- seats, and putting right ----


def _joins(entry: Entry, evening: Evening) -> ev.PlayerJoined:
    if entry.subject is None and entry.next() is None:
        raise Misread("who? say joins eva")
    word = entry.subject or entry.take()
    seat = entry.number()
    if seat is not None and not 1 <= seat <= len(entry.table.seats) + 1:
        raise Misread(f"seat {seat}: expected one from 1 to {len(entry.table.seats) + 1}")
    try:
        check_name(word, entry.table.seats)
    except Refused as refused:
        raise Misread(refused.message) from None
    return ev.PlayerJoined(player=word, seat=None if seat is None else seat - 1)


def _leaves(entry: Entry, evening: Evening) -> ev.PlayerLeft:
    return ev.PlayerLeft(player=entry.who(None, "leaves ben"))


def _fixed(entry: Entry, evening: Evening) -> ev.HandCorrected:
    player = entry.who(None, "fixed ben drew ? returned 7h")
    drew, returned = [], []
    while entry.next() is not None:
        if entry.has("drew"):
            drew += entry.cards()
        elif entry.has("returned"):
            returned += entry.cards()
        else:
            break
    if not drew and not returned:
        raise Misread("how? say fixed ben drew ? returned 7h")
    return ev.HandCorrected(player=player, drew=drew, returned=returned)


def _count(entry: Entry, evening: Evening) -> ev.CountCorrected:
    count = entry.number()
    if count is None:
        raise Misread("which Count? say count 87")
    return ev.CountCorrected(count=count)


# ---- the match ----


def _paid(entry: Entry, evening: Evening) -> ev.TokensLost:
    player = entry.who(None, "paid ben 1")
    tokens = entry.number()
    tokens = 1 if tokens is None else tokens
    if entry.has("border"):
        return ev.TokensLost(player=player, tokens=tokens, reason="border")
    return ev.TokensLost(player=player, tokens=tokens, reason="exact" if entry.has("exact") else "hand_lost")


def _knocked(entry: Entry, evening: Evening) -> ev.PlayerKnockedOut:
    return ev.PlayerKnockedOut(player=entry.who(None, "knocked ben"))


def _match(entry: Entry, evening: Evening) -> ev.MatchWon:
    table = entry.table
    player, tokens = entry.who(None, "match ben 5"), entry.number()
    if tokens is None:
        dues = (due.tokens for due in table.dues if (due.type, due.player) == ("match_won", player))
        tokens = next(dues, None)
    if tokens is None:
        raise Misread("with how many tokens? say match ben 5")
    return ev.MatchWon(player=player, tokens=tokens)


# ---- the log itself ----


def _ruling(entry: Entry, evening: Evening) -> ev.RulingMade:
    line = entry.number()
    about = evening.last_finding() if line is None else line
    if about is None:
        raise Misread("on which line? say ruling 13 stays out")
    rule = entry.take() if _is_its_rule(entry, evening.rules_found_on(about)) else None
    text = entry.rest()
    by = entry.subject or "the table"
    if text.casefold().startswith("by ") and ":" in text:
        by, text = (part.strip() for part in text[3:].split(":", 1))
    if not text or not by:
        raise Misread("what was decided? say ruling 13 by ana: stays out")
    return ev.RulingMade(about=about, by=by, text=text, rule=rule)


def _is_its_rule(entry: Entry, found: set[str]) -> bool:
    """Whether a rule is named next, and not just a word of the text such as out: one that was broken there, or one that
    stands before who decides."""
    then_by = len(entry.words) > 1 and entry.words[1].casefold() == "by"
    return entry.next() in found or (entry.next() in RULES and then_by)


def _undo(entry: Entry, evening: Evening) -> ev.TakenBack:
    line = entry.number()
    by_player = entry.has("player", "table")
    about = evening.last_entry() if line is None else line
    if about is None:
        raise Misread("there is nothing to take back")
    return ev.TakenBack(about=about, why="player" if by_player else "scribe")


def _close(entry: Entry, evening: Evening) -> ev.GameClosed:
    return ev.GameClosed()


_READ: Final[dict[str, Callable[[Entry, Evening], ev.AnyEvent]]] = {
    "deal": _deal,
    "out": _out,
    "draw": _draw,
    "nodraw": _no_draw,
    "reshuffle": _reshuffle,
    "won": _won,
    "show": _show,
    "stole": _stole,
    "bonus": _bonus,
    "slid": _slid,
    "took": _took,
    "carried": _carried,
    "gave": _gave,
    "leisure": _leisure,
    "loaded": _loaded,
    "joins": _joins,
    "leaves": _leaves,
    "fixed": _fixed,
    "count": _count,
    "void": _void,
    "paid": _paid,
    "knocked": _knocked,
    "match": _match,
    "ruling": _ruling,
    "undo": _undo,
    "close": _close,
}
