"""A game in a test, written tersely: one small function an event, and what an audit finds in it.

Nothing here knows a rule. Cards are written as in a log and parted by spaces, `?` is a card nobody logged.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

import msgspec

from domain import events as ev
from domain.cards import DECK, SeenCard
from projections.audit import Audit, audit
from projections.finding import Finding

Event: TypeAlias = ev.AnyEvent
Part: TypeAlias = ev.Event | Iterable[ev.Event]
Found: TypeAlias = tuple[int, str, str | None]


def game(players: str, *parts: Part, **opened: Any) -> list[Event]:
    """A log: the opening with these seats, and then what happened."""
    first = ev.GameOpened(format=1, rules="bong-hit-99", players=players.split(), **opened)
    return [first, *flat(parts)]


def flat(parts: Iterable[Part]) -> list[Event]:
    events: list[ev.Event] = []
    for part in parts:
        if isinstance(part, ev.Event):
            events.append(part)
        else:
            events += part
    return cast("list[Event]", events)


def cards(text: str) -> list[SeenCard]:
    return cast("list[SeenCard]", [None if card == "?" else card for card in text.split()])


# ---- deals ----


def dealt(dealer: str, top: str = "", **hands: str) -> ev.HandDealt:
    """A deal with every card logged: these hands, and a stock with `top` on top and all other cards below."""
    held = {player: cards(hand) for player, hand in hands.items()}
    first = cards(top)
    away = {card for hand in held.values() for card in hand}.union(first)
    return ev.HandDealt(dealer=dealer, hands=held, stock=[*first, *(card for card in DECK if card not in away)])


def seen(dealer: str, players: str, **hands: str) -> ev.HandDealt:
    """A deal as the table saw it: no card is known but those named here."""
    held = {player: cards(hands.get(player, "? ? ? ?")) for player in players.split()}
    return ev.HandDealt(dealer=dealer, hands=held, stock=None)


# ---- turns ----


def played(
    player: str, card: str | None, count: int | None = None, target: str | None = None, value: int | None = None
) -> ev.CardPlayed:
    return ev.CardPlayed(player=player, card=cast("SeenCard", card), count=count, target=target, value=value)


def drew(player: str, card: str | None = None) -> ev.CardDrawn:
    return ev.CardDrawn(player=player, card=cast("SeenCard", card))


def turn(
    player: str, card: str, count: int | None = None, target: str | None = None, drawn: str | None = None
) -> list[Event]:
    """A play and its draw; a draw of a card nobody logged, unless one is named."""
    return [played(player, card, count, target), drew(player, drawn)]


def missed(player: str) -> ev.DrawMissed:
    return ev.DrawMissed(player=player)


def reshuffled(stock: str | None = None) -> ev.PileReshuffled:
    return ev.PileReshuffled(stock=None if stock is None else cards(stock))


def corrected(player: str, drew: str = "", returned: str = "") -> ev.HandCorrected:
    return ev.HandCorrected(player=player, drew=cards(drew), returned=cards(returned))


def recounted(count: int) -> ev.CountCorrected:
    return ev.CountCorrected(count=count)


def out(player: str, reason: ev.Reason = "no_play") -> ev.PlayerEliminated:
    return ev.PlayerEliminated(player=player, reason=reason)


def shown(player: str, hand: str) -> ev.CardsShown:
    return ev.CardsShown(player=player, cards=cast("list[Any]", cards(hand)))


# ---- the end of a hand ----


def won(player: str) -> ev.HandWon:
    return ev.HandWon(player=player)


def stole(player: str, source: str) -> ev.HitStolen:
    return ev.HitStolen(player=player, source=source)


def bonus(player: str) -> ev.BonusCreated:
    return ev.BonusCreated(player=player)


def slid(source: str, player: str, card: str, prize: ev.PrizeName = "main") -> ev.HitSlid:
    return ev.HitSlid(prize=prize, source=source, player=player, card=cast("Any", card))


def took(player: str, hits: int = 1, prize: ev.PrizeName = "main") -> ev.HitTaken:
    return ev.HitTaken(player=player, prize=prize, hits=hits)


def carried(player: str, hits: int = 1, prize: ev.PrizeName = "main") -> ev.HitCarried:
    return ev.HitCarried(player=player, prize=prize, hits=hits)


def gave(player: str, to: str, hits: int = 1, prize: ev.PrizeName = "main") -> ev.HitDonated:
    return ev.HitDonated(player=player, to=to, prize=prize, hits=hits)


# ---- seats, smoke and paper ----


def joined(player: str, seat: int | None = None) -> ev.PlayerJoined:
    return ev.PlayerJoined(player=player, seat=seat)


def left(player: str) -> ev.PlayerLeft:
    return ev.PlayerLeft(player=player)


def leisure(player: str, finished: bool = False) -> ev.LeisureHit:
    return ev.LeisureHit(player=player, finished=finished)


def loaded(player: str) -> ev.BongLoaded:
    return ev.BongLoaded(player=player)


def voided(reason: str = "endless") -> ev.HandVoided:
    return ev.HandVoided(reason=reason)


def taken_back(about: int) -> ev.TakenBack:
    return ev.TakenBack(about=about, why="player")


def ruling(about: int, rule: str | None = None) -> ev.RulingMade:
    return ev.RulingMade(about=about, by="Ana", text="it stands", rule=rule)


def closed() -> ev.GameClosed:
    return ev.GameClosed()


# ---- what an audit says ----


def as_events(lines: Iterable[dict[str, Any]]) -> list[Event]:
    """Events out of the JSON objects of a log."""
    return msgspec.convert(list(lines), list[ev.AnyEvent])


def audited(events: Sequence[Event]) -> Audit:
    """The audit of a whole log, with its take-backs."""
    return audit(lambda: [events], lambda: take_backs_of(events))


def take_backs_of(events: Sequence[Event]) -> list[tuple[int, ev.TakenBack]]:
    return [(line, event) for line, event in enumerate(events, 1) if isinstance(event, ev.TakenBack)]


def brief(findings: Iterable[Finding]) -> list[Found]:
    return [(finding.line, finding.rule, finding.player) for finding in findings if finding.certainty == "proved"]


def findings_of(events: Sequence[Event]) -> list[Found]:
    """Line, rule and player of each finding of a log."""
    return brief(audited(events).findings)


def unseen(events: Sequence[Event]) -> list[Event]:
    """The same log as the table saw it: cards in hands and in the stock are not named."""
    return [_unseen(event) for event in events]


def _unseen(event: Event) -> Event:
    match event:
        case ev.HandDealt():
            hands = {name: _backs(hand) for name, hand in event.hands.items()}
            return msgspec.structs.replace(event, hands=hands, stock=None)
        case ev.CardDrawn():
            return msgspec.structs.replace(event, card=None)
        case ev.PileReshuffled():
            return msgspec.structs.replace(event, stock=None)
        case ev.HandCorrected():
            return msgspec.structs.replace(event, drew=_backs(event.drew), returned=_backs(event.returned))
    return event


def _backs(hand: Sequence[SeenCard]) -> list[SeenCard]:
    return [None] * len(hand)


def assert_clean(*parts: Part) -> None:
    """Nothing is found in this log, nor in what the table saw of it."""
    events = flat(parts)
    assert findings_of(events) == []
    assert findings_of(unseen(events)) == []


def assert_reported(given: Sequence[Event], when: ev.Event, *after: Part, rule: str, player: str | None) -> None:
    """What was given is clean; `when` is the one fault, and the game goes on without another finding."""
    assert findings_of(given) == []
    assert findings_of(flat([given, when, *after])) == [(len(given) + 1, rule, player)]
