"""Playing a hand to its end, every seat by a bot: the table is taken along, and nobody judges (the audit does).

Ordinary turns, which are most of a hand, are played at a stroke; all else is chosen, forced and followed one by one,
as in a live game (tests hold the two against each other).
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias, cast

from domain import events as ev
from domain.card_places import less, more
from domain.cards import Card
from domain.commands import Choice
from domain.deciding.choices import choices, plays
from domain.deciding.dealing import dealt, deck_of, next_dealer
from domain.deciding.decide import event_of
from domain.deciding.forced import LONGEST_HAND, forced
from domain.deciding.ready import Ready, ReadyPlay, ready_for
from domain.deciding.sight import Bot, Sight
from domain.moves import APPLY
from domain.moves.turns import turn_direction
from domain.shuffling import Bits, SomeCard, shuffled
from domain.table import Table

_Hand: TypeAlias = tuple[dict[Card, int], Ready, Mapping[Card, ev.CardDrawn], Bot, Sight]
"""What is at hand for a player: their cards, plays and draws ready made, who chooses, and what they see."""


class SelfPlay:
    """A table, which knows each card, with a bot on every seat."""

    def __init__(self, table: Table, bots: Mapping[str, Bot], bits: Bits) -> None:
        self.table = table
        self.bots = bots
        self.bits = bits
        self._sights = {name: Sight(table, name) for name in table.names}

    def shuffle(self, cards: Iterable[SomeCard], /) -> list[SomeCard]:
        return shuffled(cards, self.bits)

    def deal(self, dealer: str | None = None, bits: Bits | None = None) -> ev.HandDealt:
        """Shuffle and deal the next hand; the table has to wait for it, and follows.

        dealer: who deals, if it isn't whose turn it is. bits: chance for the deal alone.
        """
        table = self.table
        deal = dealt(table, dealer or next_dealer(table), shuffled(deck_of(table), bits or self.bits))
        table.line += 1
        APPLY[ev.HandDealt](table, deal)
        return deal

    def play_hand(self) -> list[ev.AnyEvent]:
        """What follows until the hand and its prize are over; the table follows."""
        table, events = self.table, list[ev.AnyEvent]()
        hands = {name: self._hand_of(name) for name in table.next_in if name in table.hands}
        while True:
            choice = self._plain_turns(hands, events) if table.awaiting == "play" else None
            event = forced(table, self.shuffle) if choice is None else None
            if event is None:
                choice = choice or self._settling()
                if choice is None:
                    return events
                event = choice.event if isinstance(choice, ReadyPlay) else event_of(table, choice)
            table.line += 1
            APPLY[type(event)](table, event)
            events.append(event)

    def _hand_of(self, player: str) -> _Hand:
        ready = ready_for(self.table.rules, player)
        return self.table.hands[player], ready, ready.draws, self.bots[player], self._sights[player]

    def _settling(self) -> Choice | None:
        """What somebody who holds hits makes of them."""
        if self.table.awaiting == "prize":
            holders = {prize.holder for prize in self.table.prizes if prize.hits}
            for player in self.table.seats:
                options = choices(self.table, player) if player in holders else None
                if options:
                    return self.bots[player](self._sights[player], options, self.bits)
        return None

    def _plain_turns(self, hands: Mapping[str, _Hand], events: list[ev.AnyEvent]) -> Choice | None:
        """Play ordinary turns as long as there are any. The choice that ended them, which nothing has followed yet;
        None if nobody made one."""
        table, bits = self.table, self.bits
        stock = cast(list[Card], table.stock)
        pile, next_in = table.pile, table.next_in
        count, player = table.at.count, table.to_act
        if player is None or count is None or table.shown or table.owing or not table.tells_all:
            return self._next_choice()
        one_deck, again_between_two = table.one_deck, table.rules.between_two == "again"
        first_line = table.line - len(events)
        last = table.dealt_on + LONGEST_HAND - first_line
        while len(events) < last:
            hand, ready, draws, bot, sight = hands[player]
            here, all_here, several, special = ready[count]
            if special and not special.isdisjoint(hand):
                options = [play for card in hand for play in all_here.get(card) or plays(table, player, card)]
            elif several:
                options = [play for card in hand if card in here for play in all_here[card]]
            else:
                options = [here[card] for card in hand if card in here]
            if not options:
                break
            choice = options[0] if len(options) == 1 else bot(sight, options, bits)
            if type(choice) is not ReadyPlay or not stock:
                table.line = first_line + len(events)
                return choice
            card, top = choice.card, stock.pop()
            events += choice.event, draws[top]
            pile.append(card)
            if one_deck:
                del hand[card]
                hand[top] = 1
            else:
                less(hand, card)
                more(hand, top)
            table.at, count = choice.leads_to, choice.count
            if choice.turns:
                if len(next_in) > 2:
                    turn_direction(table)
                    next_in = table.next_in
                elif again_between_two:
                    continue
            table.to_act = player = next_in[player]
        table.line = first_line + len(events)
        return None

    def _next_choice(self) -> Choice | None:
        """What the player who is to act plays, if they can, and nothing else is due first."""
        player = self.table.to_act
        options = choices(self.table, player) if player is not None and forced(self.table, None) is None else None
        return self.bots[player](self._sights[player], options, self.bits) if player and options else None
