"""Broken draws, corrections and reshuffles."""

from dataclasses import replace

from broken_base import many_draws, no_reshuffle
from broken_match_base import (
    Fault,
    NoChance,
    copies,
    inside,
    just_drew,
    kind,
    steps,
)
from legal_matches import QUIET, Host
from match_table import Game, World

# Draws


@kind("draw-second", "play", share=0.1)
def draw_second(host: Host) -> Fault | None:
    """`draw`: a second card is drawn after a play."""
    player = just_drew(host.world)
    if player is None or len(host.world.stock) < 6:
        return None
    return Fault(host.world.draw(player), "draw", player)


def correct(world: World, player: str, drew: int, returned: list[str]) -> int:
    """hand_corrected: from the top, back to the bottom of the stock (R17)."""
    line = world.log("hand_corrected", player=player, drew=world.stock[:drew], returned=returned)
    world.hands[player] += world.stock[:drew]
    del world.stock[:drew]
    for card in returned:
        world.hands[player].remove(card)
        world.stock.append(card)
    return line


@kind("draw-second-put-right", "play", share=0.1)
def draw_second_put_right(host: Host) -> Fault | None:
    """`draw`: a second card is drawn, and goes back by hand_corrected."""
    fault = draw_second(host)
    if fault is not None and fault.player is not None:
        correct(host.world, fault.player, 0, [host.world.hands[fault.player][-1]])
    return fault


@kind("draw-by-another", "draw", seats=(3, 8), share=0.1)
def draw_by_another(host: Host) -> Fault | None:
    """`draw`: somebody else draws in the place of who played; in *tokens* they make it good later."""
    world, player = host.world, host.world.fresh
    names = inside(world, player, world.turn)
    if not names or len(world.stock) < 6 or player is None:
        return None
    other = host.rng.choice(names)
    line = world.draw(other)
    world.fresh = None
    if world.game.lost_draw != "own play":
        world.owing = []
    return Fault(line, "draw", other)


@kind("draw-by-another-too", "play", seats=(3, 8), share=0.1)
def draw_by_another_too(host: Host) -> Fault | None:
    """`draw`: after the right draw somebody else draws as well."""
    world = host.world
    drew = just_drew(world)
    names = inside(world, drew, world.turn)
    if drew is None or not names or len(world.stock) < 6:
        return None
    other = host.rng.choice(names)
    return Fault(world.draw(other), "draw", other)


def forgets(host: Host, until: str) -> str | None:
    """Who played forgets to draw, and somebody else does this next."""
    world, player = host.world, host.world.fresh
    if player is None or len(world.stock) < 8 or len(world.hands[player]) < 2 or world.turn == player:
        return None
    deals = world.deals
    world.forget(player, False)
    host.habits = replace(QUIET, late=0)
    steps(host, lambda: world.events[-1]["type"] == until and world.events[-1]["player"] != player, 4)
    if world.deals != deals or not world.hand_on or world.losses or player not in world.inside:
        raise NoChance
    return player


def lost_draws(game: Game) -> bool:
    return game.lost_draw != "own play"


@kind("draw-too-late", "draw", where=lost_draws, share=0.1)
def draw_too_late(host: Host) -> Fault | None:
    """`draw`: a forgotten draw is made good when it is too late."""
    until = "card_drawn" if host.world.game.lost_draw == "next draw" else host.rng.choice(["card_drawn", "card_played"])
    player = forgets(host, until)
    return None if player is None else Fault(host.world.draw(player), "draw", player)


@kind("draw-lost-but-corrected", "draw", where=lost_draws, share=0.1)
def draw_lost_but_corrected(host: Host) -> Fault | None:
    """`four-cards`: a lost draw is brought back by hand_corrected."""
    player = forgets(host, "card_drawn")
    return None if player is None else Fault(correct(host.world, player, 1, []), "four-cards", player)


@kind("draw-never-made-good", "draw", where=lambda game: not lost_draws(game), share=0.1)
def draw_never_made_good(host: Host) -> Fault | None:
    """`draw`: a forgotten draw is not made good before its player plays again."""
    world, player = host.world, host.world.fresh
    if player is None or len(world.stock) < 8:
        return None
    deals = world.deals
    world.forget(player, False)
    world.owing.remove(player)
    host.habits = QUIET
    host.step()
    steps(host, lambda: world.events[-1]["type"] == "card_played" and world.events[-1]["player"] == player, 40)
    if world.deals != deals:
        raise NoChance
    return Fault(len(world.events), "draw", player)


@kind("corrected-a-right-hand", "play", share=0.05)
def corrected_a_right_hand(host: Host) -> Fault | None:
    """`four-cards`: a right hand is corrected."""
    world = host.world
    player = host.rng.choice(inside(world))
    if len(world.stock) < 6 or not world.hands[player]:
        return None
    return Fault(correct(world, player, 1, [host.rng.choice(world.hands[player])]), "four-cards", player)


def draw_of(host: Host, card: str) -> int:
    """Draws a card that the caller has taken from its place."""
    world = host.world
    assert world.fresh is not None
    line = world.log("card_drawn", player=world.fresh, card=card)
    world.hands[world.fresh].append(card)
    world.has_drawn(world.fresh)
    return line


@kind("drew-not-the-top", "draw", share=0.1)
def drew_not_the_top(host: Host) -> Fault | None:
    """`draw`: the card comes from further down in the stock."""
    world, player = host.world, host.world.fresh
    if len(world.stock) < 8:
        return None
    at = host.rng.randrange(1, len(world.stock))
    if world.stock[at] == world.stock[0]:
        return None
    return Fault(draw_of(host, world.stock.pop(at)), "draw", player, False)


@kind("drew-from-a-hand", "draw", share=0.1)
def drew_from_a_hand(host: Host) -> Fault | None:
    """`draw`: the card drawn was in another hand, which is short from then on."""
    world, player = host.world, host.world.fresh
    others = [name for name in inside(world, player) if len(world.hands[name]) > 1]
    if not others or len(world.stock) < 6:
        return None
    hand = world.hands[host.rng.choice(others)]
    card = host.rng.choice(hand)
    if card == world.stock[0]:
        return None
    hand.remove(card)
    return Fault(draw_of(host, card), "draw", player, False)


@kind("drew-from-the-pile", "draw", share=0.1)
def drew_from_the_pile(host: Host) -> Fault | None:
    """`deck`: the card drawn lay in the open, with all others like it."""
    world, player = host.world, host.world.fresh
    open_cards = [card for card in world.pile[:-1] if set(copies(world, card)) == {"open"}]
    if not open_cards or len(world.stock) < 6:
        return None
    card = host.rng.choice(open_cards)
    world.pile.remove(card)
    line = draw_of(host, card)
    return Fault(line, "deck", player, False, (no_reshuffle(line),))


# Reshuffles


def early(host: Host, listed: bool) -> Fault | None:
    """`reshuffle`: stock and pile are shuffled together before the stock has run out."""
    world = host.world
    if len(world.stock) < 3 or len(world.pile) < 3:
        return None
    stock = world.stock + world.to_shuffle()
    host.rng.shuffle(stock)
    line = world.reshuffle(stock)
    if not listed:
        world.events[-1]["stock"] = None
    return Fault(line, "reshuffle", None)


@kind("reshuffle-too-early", "play", share=0.05)
def reshuffle_too_early(host: Host) -> Fault | None:
    """`reshuffle`: too early, the new stock is listed."""
    return early(host, True)


@kind("reshuffle-too-early-unlisted", "play", "draw", share=0.05)
def reshuffle_too_early_unlisted(host: Host) -> Fault | None:
    """`reshuffle`: too early, and nobody knows the new stock."""
    return early(host, False)


def reshuffled(host: Host, left: list[str]) -> Fault:
    """A reshuffle in which these cards stay lying."""
    world = host.world
    stock = world.aside + world.pile
    for card in left:
        stock.remove(card)
    host.rng.shuffle(stock)
    line = world.reshuffle(stock)
    world.pile = left
    return Fault(line, "reshuffle", None, False)


@kind("reshuffle-leaves-a-card", "draw", share=1)
def reshuffle_leaves_a_card(host: Host) -> Fault | None:
    """`reshuffle`: a card of the pile that should be shuffled in stays lying."""
    world = host.world
    if world.stock or len(world.pile) < 5:
        return None
    return reshuffled(host, [world.pile[0], *world.pile[-1:]] if world.game.keeps_last else [world.pile[-1]])


@kind("reshuffle-takes-the-last-card", "draw", where=lambda game: game.keeps_last, share=1)
def reshuffle_takes_the_last_card(host: Host) -> Fault | None:
    """`reshuffle`: the card played last is shuffled in too, though it should stay lying."""
    world = host.world
    if world.stock or len(world.pile) < 5:
        return None
    return reshuffled(host, [])


@kind("reshuffle-forgets-what-was-taken-away", "draw", where=lambda game: game.rolling, share=1)
def reshuffle_forgets_what_was_taken_away(host: Host) -> Fault | None:
    """`reshuffle`: only the pile is shuffled, not what was taken away after losses."""
    world = host.world
    if world.stock or len(world.pile) < 5 or not world.aside:
        return None
    kept, world.aside = world.aside, []
    fault = reshuffled(host, [])
    world.aside = kept
    return fault


@kind("drew-without-reshuffle", "draw", share=1)
def drew_without_reshuffle(host: Host) -> Fault | None:
    """`reshuffle`: the stock is empty and a card is drawn, though no reshuffle is written."""
    world, player = host.world, host.world.fresh
    if world.stock or len(world.pile) < 8 or player is None:
        return None
    world.stock = host.rng.sample(world.to_shuffle(), len(world.to_shuffle()))
    world.pile, world.aside = world.pile[-1:] if world.game.keeps_last else [], []
    line = world.draw(player)
    return Fault(line, "reshuffle", player, True, (many_draws(line, 3),))
