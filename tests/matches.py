"""Short ways to write a match of Ninety-Nine down, for the tests of its rules."""

from collections.abc import Mapping
from typing import Any

from tables import Event, Part, cards, flat, out, played, turn

from domain import events as ev
from domain.cards import DECK

TOKENS, CHIPS, PENNIES = "ninety-nine-tokens", "ninety-nine-chips", "ninety-nine-pennies"
ROLLING, BORDERS = f"{PENNIES}+rolling", f"{PENNIES}+borders"
ABC = "Ana Ben Cy"
HEARTS = [card for card in DECK if card[1] == "h"]


def match(rules: str | Mapping[str, Any], players: str, *parts: Part, **opened: Any) -> list[Event]:
    """A log of a match: the opening with these seats, and then what happened."""
    named = rules if isinstance(rules, str) else dict(rules)
    return [ev.GameOpened(format=1, rules=named, players=players.split(), **opened), *flat(parts)]


def backs(dealer: str, players: str, size: int = 3, tokens: dict[str, int] | None = None, **hands: str) -> ev.HandDealt:
    """A deal as the table saw it: no card is known but those named here."""
    held = {player: cards(hands.get(player, "? " * size)) for player in players.split()}
    return ev.HandDealt(dealer=dealer, hands=held, stock=None, tokens=tokens)


def fronts(dealer: str, top: str = "", pack: Any = DECK, **hands: str) -> ev.HandDealt:
    """A deal with every card of the pack logged: these hands, and a stock with `top` on top."""
    held = {player: cards(hand) for player, hand in hands.items()}
    first, rest = cards(top), list(pack)
    for card in [*first, *(card for hand in held.values() for card in hand)]:
        rest.remove(card)
    return ev.HandDealt(dealer=dealer, hands=held, stock=[*first, *rest])


def paid(player: str, tokens: int = 1, reason: Any = "hand_lost") -> ev.TokensLost:
    return ev.TokensLost(player=player, tokens=tokens, reason=reason)


def gone(player: str) -> ev.PlayerKnockedOut:
    return ev.PlayerKnockedOut(player=player)


def champion(player: str, tokens: int) -> ev.MatchWon:
    return ev.MatchWon(player=player, tokens=tokens)


def from_left_of(dealer: str, players: str) -> list[str]:
    names = players.split()
    first = names.index(dealer) + 1
    return names[first:] + names[:first]


def at_99(dealer: str, players: str, loser: str, size: int = 3) -> list[Event]:
    """A deal, a King, and nines until it is the turn of the one who is going to lose."""
    order = from_left_of(dealer, players)
    events = flat([backs(dealer, players, size), turn(order[0], "Kh", 99)])
    for player, card in zip(order[1:] + order[:1], ("9h", "9d", "9s", "9c"), strict=False):
        if player == loser:
            break
        events += turn(player, card, 99)
    return events


def lost(rules: str, dealer: str, players: str, loser: str) -> list[Event]:
    """A whole hand that `loser` loses, and pays for."""
    loss: ev.Event = played(loser, "Qd", 109) if rules.startswith(TOKENS) else out(loser)
    return flat([at_99(dealer, players, loser), loss, paid(loser)])


def forgot(rules: str) -> list[Event]:
    """Ana has played and not drawn, and Ben has played after her."""
    return match(rules, ABC, backs("Cy", ABC), played("Ana", "5h", 5), played("Ben", "6h", 11))
