"""Broken deals, and cards that weren't the player's."""

from broken_base import few_draws, no_reshuffle
from broken_match_base import (
    Fault,
    NoChance,
    elsewhere,
    inside,
    kind,
    next_line,
    plain,
    special,
)
from legal_matches import Host
from match_table import Move

# Whose card it is


def foreign(host: Host, places: str) -> list[tuple[Move, str]]:
    """Plain moves with cards that aren't the player's, and where a copy lies: in a hand, the stock or the open."""
    world, player = host.world, host.world.turn
    if not plain(world, player):
        return []
    made: list[tuple[Move, str]] = []
    for card, at in elsewhere(world, player).items():
        if (set(at) == {"open"}) != (places == "open") or special(world.game, card):
            continue
        kept = [place for place in at if places == place or (places == "hand" and place in inside(world, player))]
        world.hands[player].append(card)
        moves = [move for move in plain(world, player) if move.card == card]
        world.hands[player].pop()
        made += [(move, place) for move in moves for place in kept]
    return made


def played_from(host: Host, places: str) -> Fault | None:
    """A card from elsewhere is played; the player's own hand stays as it was."""
    world, player = host.world, host.world.turn
    chances = foreign(host, places)
    if not chances or len(world.stock) < 6 or len(world.pile) < 4:
        return None
    move, place = host.rng.choice(chances)
    cards = {"stock": world.stock, "open": world.pile}.get(place) if place in ("stock", "open") else world.hands[place]
    if cards is None or move.card not in cards or (place == "stock" and world.stock[0] == move.card):
        return None
    cards.remove(move.card)
    return Fault(host.play(player, move), "deck" if places == "open" else "hold-card", player, places == "open")


def named_of(host: Host, places: str) -> Fault | None:
    """The card named lies elsewhere and stays there; one of the same rank went from the player's own hand."""
    world, player = host.world, host.world.turn
    moves = [move for move, _ in foreign(host, places)]
    chances = [(move, own) for move in moves for own in world.hands[player] if own[0] == move.card[0]]
    if not chances or len(world.stock) < 6 or len(world.pile) < 4:
        return None
    move, own = host.rng.choice(chances)
    world.hands[player].remove(own)
    line = host.play(player, move)
    world.pile[-1] = own
    return Fault(line, "deck" if places == "open" else "hold-card", player, places == "open")


@kind("played-from-anothers-hand", "play", share=0.1)
def played_from_anothers_hand(host: Host) -> Fault | None:
    """`hold-card`: somebody else's card is played."""
    return played_from(host, "hand")


@kind("played-from-the-stock", "play", share=0.1)
def played_from_the_stock(host: Host) -> Fault | None:
    """`hold-card`: a card of the stock is played."""
    return played_from(host, "stock")


@kind("played-from-the-pile", "play", share=0.1)
def played_from_the_pile(host: Host) -> Fault | None:
    """`deck`: a card is played again that lies in the open with all others like it."""
    return played_from(host, "open")


@kind("named-a-card-of-anothers-hand", "play", share=0.1)
def named_a_card_of_anothers_hand(host: Host) -> Fault | None:
    """`hold-card`: the card named is in another hand and stays there."""
    return named_of(host, "hand")


@kind("named-a-card-of-the-stock", "play", share=0.1)
def named_a_card_of_the_stock(host: Host) -> Fault | None:
    """`hold-card`: the card named is in the stock and stays there."""
    return named_of(host, "stock")


@kind("named-a-card-of-the-pile", "play", share=0.1)
def named_a_card_of_the_pile(host: Host) -> Fault | None:
    """`deck`: the card named lies in the open with all others like it."""
    return named_of(host, "open")


# Deals


@kind("dealt-a-card-too-often", "deal")
def dealt_a_card_too_often(host: Host) -> Fault | None:
    """`deck`: the listed stock names a card once more than there are decks, deep down where nobody comes."""
    line = host.deal()
    stock = host.world.events[-1]["stock"]
    if len(stock) < 12 or stock[-1] == stock[-2]:
        raise NoChance
    stock[-1] = stock[-2]
    return Fault(line, "deck", None, False, (no_reshuffle(line), few_draws(line, len(stock) - 7)))


@kind("dealt-a-card-short", "deal")
def dealt_a_card_short(host: Host) -> Fault | None:
    """`deck`: the listed stock lacks a card at its bottom, where nobody comes in that hand."""
    line = host.deal()
    stock = host.world.events[-1]["stock"]
    stock.pop()
    return Fault(line, "deck", None, False, (no_reshuffle(line), few_draws(line, len(stock) - 7)))


@kind("dealt-a-card-to-two", "deal")
def dealt_a_card_to_two(host: Host) -> Fault | None:
    """`deck`: a card is written in one hand too many; that hand really has a card that is named nowhere."""
    world = host.world
    line = host.deal()
    one, other = host.rng.sample(sorted(world.hands), 2)
    written = world.events[-1]["hands"]
    at = host.rng.randrange(len(written[other]))
    card = host.rng.choice(written[one])
    if card == written[other][at]:
        raise NoChance
    written[other][at] = card
    return Fault(line, "deck", None, False)


def dealt_another_number(host: Host, more: int) -> Fault | None:
    """`deal`: somebody gets a card more or less."""
    world = host.world
    line = host.deal()
    player = host.rng.choice(sorted(world.hands))
    if more > 0:
        world.hands[player].append(world.stock.pop(0))
    else:
        world.stock.insert(0, world.hands[player].pop())
    world.events[-1]["hands"] = {name: list(hand) for name, hand in world.hands.items()}
    world.events[-1]["stock"] = list(world.stock)
    return Fault(line, "deal", None)


@kind("dealt-one-more", "deal")
def dealt_one_more(host: Host) -> Fault | None:
    """`deal`: somebody gets a card too many."""
    return dealt_another_number(host, 1)


@kind("dealt-one-less", "deal")
def dealt_one_less(host: Host) -> Fault | None:
    """`deal`: somebody gets a card too few."""
    return dealt_another_number(host, -1)


# Whose deal it is


@kind("wrong-dealer", "deal", share=0.6)
def wrong_dealer(host: Host) -> Fault | None:
    """`dealer-rotation`: the wrong seat deals; the seat after it starts, and deals next."""
    world = host.world
    if world.dealer is None or world.voided:
        return None
    others = [name for name in world.playing() if name != world.next_dealer()]
    return Fault(host.deal(host.rng.choice(others)), "dealer-rotation", None)


@kind("wrong-dealer-written", "deal", seats=(3, 8), share=0.6)
def wrong_dealer_written(host: Host) -> Fault | None:
    """`dealer-rotation`: the wrong dealer is written; the seat after the rightful one starts, and deals next."""
    world = host.world
    if world.dealer is None or world.voided or len(world.match) < 3:
        return None
    right = world.next_dealer()
    line = host.deal(right)
    world.events[-1]["dealer"] = host.rng.choice([name for name in world.playing() if name != right])
    return Fault(line, "dealer-rotation", None)


@kind("dealer-moved-after-a-void", "play", seats=(3, 8), share=0.05)
def dealer_moved_after_a_void(host: Host) -> Fault | None:
    """`dealer-rotation`: after a void the deal moves on, though the same dealer deals again (R7)."""
    world = host.world
    if world.plays < 3 or world.dealer is None or world.dealer not in world.match:
        return None
    if world.game.rolling or world.game.exact:
        return None  # who is back in the match would matter too
    world.void("somebody looked")
    line = next_line(world)
    host.deal(world.beside(world.dealer, world.match))
    return Fault(line, "dealer-rotation", None)
