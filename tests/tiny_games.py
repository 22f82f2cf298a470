"""Games with a deck of nine cards, played with faults, written down with gaps; and every deal that a log may stand for.

Nothing here comes from the deduction, nor from the table: cards are moved about by hand.
"""

from collections.abc import Iterator
from copy import deepcopy
from itertools import permutations
from math import factorial
from random import Random
from typing import Any

Event = dict[str, Any]
Cards = list[str]
DECK = ["Ac", "Ad", "Kc", "Qs", "2h", "9s", "3d", "5h", "Tc"]
LIMIT = 20
RULES: dict[str, Any] = {
    "name": "tiny",
    "edition": 1,
    "title": "Nine cards, two each, up to 20.",
    "deck": DECK,
    "hand_size": 2,
    "limit": LIMIT,
    "floor": 0,
    "effects": {
        "A": {"add": [1]}, "K": {"set": LIMIT}, "Q": {"add": [10]}, "2": {"add": [2]}, "9": {"add": [9]},
        "3": {"add": [3]}, "5": {"add": [5]}, "T": {"add": [10]},
    },
    "at_limit": {"2": {}, "9": {}, "T": {"add": [-10]}, "K": {"set": LIMIT}, "Qs": {}},
    "death_card": {"card": "Qs", "shield": "Ad"},
    "prize": {"thief": "Ac", "slide": ["Kc", "Tc"]},
}  # fmt: skip
PIPS = {"A": 1, "2": 2, "3": 3, "5": 5, "9": 9, "T": 10, "Q": 10}
NAMES = ["Ana", "Ben", "Cy"]


def after(card: str, count: int) -> int | None:
    """The Count that a card makes; None if it can't be played."""
    if count == LIMIT:
        return {"2": count, "9": count, "K": count, "Q": count, "T": count - 10}.get(card[0])
    made = LIMIT if card[0] == "K" else count + PIPS[card[0]]
    return made if made <= LIMIT else None


class TinyGame:
    """One hand, played by chance, in which now and then something is done wrongly that isn't about where cards are."""

    def __init__(self, rng: Random, faults: float, taken_back: float = 0) -> None:
        self.rng, self.faults, self.taken_back = rng, faults, taken_back
        self.players = NAMES[: rng.choice([2, 3, 3])]
        deck = DECK.copy()
        rng.shuffle(deck)
        self.hands = {name: [deck.pop(), deck.pop()] for name in self.players}
        self.dealt = deepcopy(self.hands)
        self.stock, self.pile, self.out = deck, list[str](), list[str]()
        self.count = 0
        opened = {"type": "game_opened", "format": 1, "rules": RULES, "players": self.players}
        deal = {
            "type": "hand_dealt", "dealer": self.players[-1], "hands": deepcopy(self.hands),
            "stock": self.stock[::-1],
        }  # fmt: skip
        self.events: list[Event] = [opened, deal]

    def say(self, kind: str, **fields: Any) -> None:
        self.events.append({"type": kind, **fields})

    def wrong(self) -> bool:
        return self.rng.random() < self.faults

    def playing(self) -> list[str]:
        return [name for name in self.players if name not in self.out]

    def next_after(self, name: str) -> str:
        at = self.players.index(name)
        return next(n for n in (*self.players[at + 1 :], *self.players[: at + 1]) if n not in self.out)

    def put(self, name: str, card: str, said: int, **more: Any) -> None:
        self.hands[name].remove(card)
        self.pile.append(card)
        self.say("card_played", player=name, card=card, count=said, **more)
        if not self.stock:
            self.stock, self.pile = self.pile, []
            self.rng.shuffle(self.stock)
            self.say("pile_reshuffled", stock=self.stock[::-1])
        card = self.stock.pop()
        self.hands[name].append(card)
        self.say("card_drawn", player=name, card=card)

    def go_out(self, name: str, reason: str) -> None:
        self.say("player_eliminated", player=name, reason=reason)
        self.out.append(name)

    def play(self, turns: int) -> list[Event]:
        name = self.players[0]
        before = [self.kept(name)]
        for _ in range(turns):
            if len(self.playing()) == 1:
                self.end()
                break
            name = self.turn(name)
            if self.rng.random() < self.taken_back:
                before = before[: len(before) - self.rng.randrange(min(3, len(before)))]
                name = self.take_back(before.pop())
            before.append(self.kept(name))
        return self.events

    def kept(self, name: str) -> Any:
        """How the game stands before a line, with whose turn it is."""
        return deepcopy((len(self.events) + 1, name, self.hands, self.stock, self.pile, self.out, self.count))

    def take_back(self, kept: Any) -> str:
        line, name, *state = deepcopy(kept)
        if line > len(self.events):
            return str(name)
        self.say("taken_back", about=line, why=self.rng.choice(["player", "player", "scribe"]))
        self.hands, self.stock, self.pile, self.out, self.count = state
        return str(name)

    def turn(self, name: str) -> str:
        if len(self.playing()) == 3 and self.rng.random() < self.faults / 6:
            name = self.next_after(name)  # somebody is passed over
        able = [card for card in self.hands[name] if after(card, self.count) is not None]
        if not able or self.wrong():
            following = self.next_after(name)
            self.go_out(name, "no_play")
            return following
        card = self.rng.choice(able)
        made = after(card, self.count)
        assert made is not None
        deadly = card == "Qs" and self.count == LIMIT
        self.count = made
        target = self.next_after(name)
        said = made - 1 if not deadly and made > 1 and self.rng.random() < self.faults / 4 else made
        self.put(name, card, said, **({"target": target} if deadly else {}))
        return self.answer(name, target) if deadly else target

    def answer(self, name: str, target: str) -> str:
        if "Ad" in self.hands[target] and not self.wrong():
            self.put(target, "Ad", self.count)
            if len(self.players) == 2:
                return name
            following = self.next_after(target)
            self.go_out(name, "blowback")
            return following if following != name else target
        following = self.next_after(target)
        self.go_out(target, "death_card")
        return following

    def end(self) -> None:
        (winner,) = self.playing()
        self.say("hand_won", player=winner)
        holder = winner
        thief = next((name for name in self.players if "Ac" in self.hands[name]), None)
        prizes = {"main": winner}
        if thief is not None and not self.wrong():
            if thief == winner:
                self.say("bonus_created", player=winner)
                moving = "bonus"
            else:
                self.say("hit_stolen", player=thief, source=winner)
                moving = "main"
            holder = thief
            for club in ("Kc", "Tc"):
                taker = next((name for name in self.players if club in self.hands[name]), None)
                if taker is None or self.wrong():
                    break
                self.say("hit_slid", prize=moving, source=holder, player=taker, card=club)
                holder = taker
            prizes[moving] = holder
        for prize, name in prizes.items():
            self.say("hit_taken", player=name, prize=prize, hits=1)
        if self.rng.random() < 0.3:
            name = self.rng.choice(self.players)
            self.say("cards_shown", player=name, cards=self.rng.sample(self.hands[name], self.rng.choice([1, 2])))


def written_down(events: list[Event], rng: Random) -> list[Event]:
    """The log with gaps: each card is blanked with some chance, one that was played less often."""
    share, played = rng.choice([0.1, 0.3, 0.6, 0.9]), rng.choice([0.0, 0.0, 0.2, 0.6])
    log = deepcopy(events)

    def some(cards: list[Any]) -> list[Any]:
        return [None if rng.random() < share else card for card in cards]

    undone = undone_in(log)
    for line, event in enumerate(log, 1):
        match event["type"]:
            case "hand_dealt":
                event["hands"] = {name: some(cards) for name, cards in event["hands"].items()}
                event["stock"] = None if rng.random() < 0.4 else some(event["stock"])
            case "card_drawn":
                event["card"] = some([event["card"]])[0]
            case "pile_reshuffled":
                event["stock"] = None if rng.random() < 0.5 else some(event["stock"])
            case "card_played" if rng.random() < played and line not in undone:
                event["card"] = None
    return log


def undone_in(log: list[Event]) -> dict[int, str]:
    """The lines that were taken back, with why; nothing is taken back that stood behind a take-back of its own."""
    undone: dict[int, str] = {}
    for line, event in enumerate(log, 1):
        if event["type"] == "taken_back":
            why: str = event["why"]
            undone.update(dict.fromkeys(range(event["about"], line), why))
    return undone


class TooMany(Exception):
    pass


def completions(log: list[Event], most: int = 20_000) -> Iterator[list[Event]]:
    """The log with every gap filled, in each way that agrees with it; cards that were never drawn lie in any order."""
    tried = [0]
    undone = undone_in(log)

    def go(
        at: int, made: list[Event], hands: dict[str, Cards], stock: Cards, pile: Cards, before: dict[int, Any]
    ) -> Iterator[list[Event]]:
        tried[0] += 1
        if tried[0] > most:
            raise TooMany
        if at == len(log):
            yield made
            return
        event = log[at]
        if undone.get(at + 1) == "scribe":
            yield from go(at + 1, [*made, event], hands, stock, pile, before)  # it was written, and never happened
            return
        before = {**before, at + 1: (hands, stock, pile)}
        match event["type"]:
            case "taken_back":
                hands, stock, pile = before.get(event["about"], (hands, stock, pile))
                yield from go(at + 1, [*made, event], hands, stock, pile, before)
            case "hand_dealt":
                places = [card for cards in event["hands"].values() for card in cards]
                drawn = _draws_ahead(log, at)
                listed = event["stock"] or [None] * (len(DECK) - len(places))
                for filled in _filled([*places, *listed], DECK, len(places) + drawn):
                    rest = iter(filled)
                    dealt = {name: [next(rest) for _ in cards] for name, cards in event["hands"].items()}
                    below = list(rest)
                    full = {**event, "hands": dealt, "stock": below}
                    yield from go(at + 1, [*made, full], deepcopy(dealt), below[::-1], [], before)
            case "card_played":
                name = event["player"]
                for card in [event["card"]] if event["card"] else list(hands[name]):
                    if card in hands[name]:
                        left = {**hands, name: [one for one in hands[name] if one != card]}
                        yield from go(at + 1, [*made, {**event, "card": card}], left, stock, [*pile, card], before)
            case "card_drawn":
                card, name = stock[-1], event["player"]
                if event["card"] in (None, card):
                    more = {**hands, name: [*hands[name], card]}
                    yield from go(at + 1, [*made, {**event, "card": card}], more, stock[:-1], pile, before)
            case "pile_reshuffled":
                listed = event["stock"] or [None] * len(pile)
                for filled in _filled(listed, pile, _draws_ahead(log, at)):
                    yield from go(at + 1, [*made, {**event, "stock": filled}], hands, filled[::-1], [], before)
            case "cards_shown":
                if set(event["cards"]) <= set(hands[event["player"]]):
                    yield from go(at + 1, [*made, event], hands, stock, pile, before)
            case "hit_stolen" | "bonus_created":
                if "Ac" in hands[event["player"]]:
                    yield from go(at + 1, [*made, event], hands, stock, pile, before)
            case "hit_slid":
                if event["card"] in hands[event["player"]]:
                    yield from go(at + 1, [*made, event], hands, stock, pile, before)
            case _:
                yield from go(at + 1, [*made, event], hands, stock, pile, before)

    return go(0, [], {}, [], [], {})


def _draws_ahead(log: list[Event], at: int) -> int:
    drawn = 0
    for event in log[at + 1 :]:
        if event["type"] == "pile_reshuffled":
            break
        drawn += event["type"] == "card_drawn"
    return drawn


def _filled(listed: list[Any], cards: Cards, matter: int) -> Iterator[Cards]:
    """The list with its gaps filled from these cards; behind the first `matter` places in one order only."""
    left = [card for card in cards if card not in listed]
    if len(left) != listed.count(None) or any(card not in cards for card in listed if card):
        return
    gaps = listed[:matter].count(None)
    for order in permutations(left, gaps):
        rest = iter([*order, *(card for card in left if card not in order)])
        yield [card or next(rest) for card in listed]


def hands_after(deal: list[Event], line: int) -> dict[str, Cards]:
    """What everybody holds after a line, that stands, of a complete log."""
    hands: dict[str, Cards] = {}
    before: dict[int, dict[str, Cards]] = {}
    undone = undone_in(deal)
    for at, event in enumerate(deal[:line], 1):
        if undone.get(at) == "scribe":
            continue
        before[at] = deepcopy(hands)
        match event["type"]:
            case "hand_dealt":
                hands = {name: list(cards) for name, cards in event["hands"].items()}
            case "card_played":
                hands[event["player"]].remove(event["card"])
            case "card_drawn":
                hands[event["player"]].append(event["card"])
            case "taken_back":
                hands = deepcopy(before.get(event["about"], hands))
    return hands


def unseen_below(log: list[Event]) -> int:
    """In how many orders the unknown cards may lie that were never drawn: `completions` gives one of them."""
    orders, pile = 1, 0
    before: dict[int, int] = {}
    undone = undone_in(log)
    for at, event in enumerate(log):
        if undone.get(at + 1) == "scribe":
            continue
        before[at + 1] = pile
        match event["type"]:
            case "hand_dealt":
                dealt = sum(map(len, event["hands"].values()))
                orders *= factorial(
                    (event["stock"] or [None] * (len(DECK) - dealt))[_draws_ahead(log, at) :].count(None)
                )
            case "card_played":
                pile += 1
            case "pile_reshuffled":
                below = (event["stock"] or [None] * pile)[_draws_ahead(log, at) :]
                orders *= factorial(below.count(None))
                pile = 0
            case "taken_back":
                pile = before.get(event["about"], pile)
    return orders
