"""Every event as a sentence."""

from collections.abc import Mapping
from types import MappingProxyType

from domain import events as ev
from domain.cards import SeenCard, card_name, counted
from projections.printable import printable


def sentence(event: ev.AnyEvent, says: Mapping[str, str] = MappingProxyType({})) -> str:
    """What happened, in plain words and on one line, whatever a text in the log holds.

    `says`: what is said with a card, by rank or by card, where it is more than the Count.
    """
    match event:
        case ev.GameOpened():
            rules = event.rules if isinstance(event.rules, str) else str(event.rules.get("name", "rules of their own"))
            return f"{_company(event.players)} sit down to {printable(rules, None)}"
        case ev.GameForked():
            source = event.source or "a game without an id"
            return f"from here on this is game {event.game}, forked from {source} at line {event.line}"
        case ev.PlayerJoined():
            return f"{event.player} joins the table"
        case ev.PlayerLeft():
            return f"{event.player} leaves the table"
        case ev.HandDealt():
            return f"{event.dealer} deals to {_company(list(event.hands))}"
        case ev.CardPlayed():
            return _played(event, says)
        case ev.CardDrawn():
            return f"{event.player} draws {card_name(event.card)}"
        case ev.DrawMissed():
            return f"{event.player} did not draw"
        case ev.PileReshuffled():
            return "the play pile is shuffled into a new stock"
        case ev.PlayerEliminated():
            return f"{event.player} is out: {_WHY_OUT[event.reason]}"
        case ev.CardsShown():
            return f"{event.player} shows {_cards(list(event.cards))}"
        case ev.HandWon():
            return f"{event.player} wins the hand"
        case ev.HitStolen():
            return f"{event.player} steals the hit from {event.source}"
        case ev.BonusCreated():
            return f"{event.player} creates a bonus hit"
        case ev.HitSlid():
            return f"the {event.prize} prize slides from {event.source} to {event.player} with {card_name(event.card)}"
        case ev.HitTaken():
            return f"{event.player} takes {_hits(event.hits, event.prize)}"
        case ev.HitCarried():
            return f"{event.player} leaves {_hits(event.hits, event.prize)} for the next hand"
        case ev.HitDonated():
            return f"{event.player} gives {_hits(event.hits, event.prize)} to {event.to}"
        case ev.LeisureHit():
            return f"{event.player} takes a leisure hit" + (" and finishes the bowl" if event.finished else "")
        case ev.BongLoaded():
            return f"{event.player} loads"
        case ev.HandCorrected():
            return f"{event.player}'s hand is put right: drew {_cards(event.drew)}, returned {_cards(event.returned)}"
        case ev.CountCorrected():
            return f"the Count is put right: {event.count}"
        case ev.TakenBack():
            who = "the scribe mends the log" if event.why == "scribe" else "the table takes back"
            return f"{who}: everything from line {event.about} on never happened"
        case ev.HandVoided():
            return f"the hand is voided: {printable(event.reason, None)}"
        case ev.RulingMade():
            return f"{printable(event.by, None)} rules on line {event.about}: {printable(event.text, None)}"
        case ev.TokensLost():
            return f"{event.player} loses {counted(event.tokens, 'token')}{_WHY_LOST[event.reason]}"
        case ev.PlayerKnockedOut():
            return f"{event.player} is out of the match"
        case ev.MatchWon():
            return f"{event.player} wins the match with {event.tokens}"
        case ev.GameClosed():
            return "the game is closed"


_WHY_LOST = {"hand_lost": "", "border": " at a border", "exact": ": the Count was hit exactly"}

_WHY_OUT = {
    "no_play": "no card can be played",
    "death_card": "the Death Card",
    "blowback": "the Death Card was shielded",
    "left": "left the table",
}


def _played(event: ev.CardPlayed, says: Mapping[str, str]) -> str:
    said = ", no Count noted" if event.count is None else f" and says {_said(event, says)}"
    target = "" if event.target is None else f", pointing at {event.target}"
    value = "" if event.value is None else f" for {event.value}"
    return f"{event.player} plays {card_name(event.card)}{value}{said}{target}"


def _said(event: ev.CardPlayed, says: Mapping[str, str]) -> str:
    form = says.get(event.card or "") or says.get((event.card or " ")[0])
    return str(event.count) if form is None else f"“{printable(form, 60).replace('{count}', str(event.count))}”"


def _company(names: list[str]) -> str:
    """A few names, or how many there are."""
    return _names(names) if len(names) <= 6 else f"{len(names)} players"


def _names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1] if names else "nobody"


def _cards(cards: list[SeenCard]) -> str:
    return ", ".join(map(card_name, cards)) or "nothing"


def _hits(hits: int, prize: str) -> str:
    return f"{counted(hits, 'hit')} of the {prize} prize"
