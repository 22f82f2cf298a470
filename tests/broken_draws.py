"""Broken draws, reshuffles, deals and corrections: cards that went where they shouldn't."""

from broken_base import (
    Fault,
    NoChance,
    dealt,
    few_draws,
    is_a,
    just_drew,
    kind,
    many_draws,
    next_line,
    no_reshuffle,
    others_in,
    plays_again,
)
from legal_games import DECK, NAMES, QUIET, Host

# Draws


def forgotten(host: Host) -> Fault | None:
    """`draw`: the draw is left out; the next player's play shows it."""
    world = host.world
    player = world.owing
    if player is None or world.death is not None or len(world.stock) < 6 or world.turn == player:
        return None
    if not world.playable(world.turn):
        return None
    world.owing = None
    line = next_line(world)
    return Fault(line, "draw", player, True, (is_a(line, "card_played", world.turn),))


def one_turn_on(host: Host, player: str) -> None:
    """Plays on for at least a turn, until nothing is owed and that player is still in."""
    world = host.world
    host.habits = QUIET
    start = len(world.events)
    while world.phase() != "play" or len(world.events) < start + 2:
        host.step()
        if not world.hand_on or player not in world.inside or len(world.events) > start + 8:
            raise NoChance
    if len(world.stock) < 2:
        raise NoChance


@kind("draw-forgotten", "draw")
def draw_forgotten(host: Host) -> Fault | None:
    """`draw`: forgotten and never made good."""
    return forgotten(host)


@kind("draw-forgotten-corrected", "draw")
def draw_forgotten_corrected(host: Host) -> Fault | None:
    """`draw`: forgotten, and put right a turn later by hand_corrected."""
    player = host.world.owing
    fault = forgotten(host)
    if fault is not None and player is not None:
        one_turn_on(host, player)
        host.world.correct(player, 1, [])
    return fault


@kind("draw-forgotten-admitted", "draw")
def draw_forgotten_admitted(host: Host) -> Fault | None:
    """`draw`: forgotten, and a turn later draw_missed says so."""
    player = host.world.owing
    fault = forgotten(host)
    if fault is not None and player is not None:
        one_turn_on(host, player)
        host.world.log("draw_missed", player=player)
    return fault


@kind("draw-missed", "draw")
def draw_missed(host: Host) -> Fault | None:
    """`draw`: draw_missed stands where the draw should; it is the first line that shows it."""
    world, player = host.world, host.world.owing
    if forgotten(host) is None:
        return None
    return Fault(world.log("draw_missed", player=player), "draw", player, True)


@kind("draw-forgotten-with-death-card", "draw", share=1)
def draw_forgotten_with_death_card(host: Host) -> Fault | None:
    """`draw`: the Death Card's player forgets to draw; the target's answer shows it."""
    world, player = host.world, host.world.owing
    if world.death is None or world.death.shielded or world.death.attacker != player or len(world.stock) < 6:
        return None
    world.owing = None
    return Fault(next_line(world), "draw", player, True)


@kind("draw-second", "play")
def draw_second(host: Host) -> Fault | None:
    """`draw`: a second card is drawn after a play."""
    player = just_drew(host.world)
    if player is None or len(host.world.stock) < 6:
        return None
    return Fault(host.world.draw(player), "draw", player, True)


@kind("draw-second-corrected", "play")
def draw_second_corrected(host: Host) -> Fault | None:
    """`draw`: a second card is drawn, and a card goes back by hand_corrected."""
    fault = draw_second(host)
    if fault is not None and fault.player is not None:
        if host.rng.random() < 0.5:
            one_turn_on(host, fault.player)
        host.world.correct(fault.player, 0, [host.world.hands[fault.player][-1]])
    return fault


@kind("draw-by-another", "draw", seats=(3, 9))
def draw_by_another(host: Host) -> Fault | None:
    """`draw`: somebody else draws in the place of who played."""
    world = host.world
    names = others_in(world, world.owing or "", world.turn)
    if world.death is not None or not names or len(world.stock) < 6:
        return None
    player = host.rng.choice(names)
    line = world.draw(player)
    world.owing = None
    return Fault(line, "draw", player, True)


@kind("draw-by-another-too", "play", seats=(3, 9))
def draw_by_another_too(host: Host) -> Fault | None:
    """`draw`: after the right draw somebody else draws as well."""
    world = host.world
    drew = just_drew(world)
    names = others_in(world, drew or "", world.turn)
    if drew is None or not names or len(world.stock) < 6:
        return None
    player = host.rng.choice(names)
    return Fault(world.draw(player), "draw", player, True)


def draw_of(host: Host, card: str, real: str | None = None) -> int:
    """Draws a card that the caller has taken from its place; `real` is what the player really got."""
    world = host.world
    assert world.owing is not None
    line = world.log("card_drawn", player=world.owing, card=card)
    world.hands[world.owing].append(real or card)
    world.owing = None
    return line


@kind("drew-not-the-top", "draw")
def drew_not_the_top(host: Host) -> Fault | None:
    """`draw`: the card comes from further down in the stock."""
    world, player = host.world, host.world.owing
    if len(world.stock) < 8 or world.death is not None:
        return None
    card = world.stock.pop(host.rng.randrange(1, len(world.stock)))
    return Fault(draw_of(host, card), "draw", player, False)


@kind("drew-from-the-pile", "draw")
def drew_from_the_pile(host: Host) -> Fault | None:
    """`deck`: the card drawn lay in the open."""
    world, player = host.world, host.world.owing
    if len(world.pile) < 4 or len(world.stock) < 6 or world.death is not None:
        return None
    card = world.pile.pop(host.rng.randrange(len(world.pile) - 1))
    return Fault(draw_of(host, card), "deck", player, False)


@kind("drew-from-a-hand", "draw")
def drew_from_a_hand(host: Host) -> Fault | None:
    """`draw`: the card drawn was in another hand, which is short from then on."""
    world, player = host.world, host.world.owing
    if player is None or len(world.stock) < 6 or world.death is not None:
        return None
    hand = world.hands[host.rng.choice(others_in(world, player))]
    card = hand.pop(host.rng.randrange(len(hand)))
    return Fault(draw_of(host, card), "draw", player, False)


@kind("named-a-card-of-a-hand-drawing", "draw")
def named_a_card_of_a_hand_drawing(host: Host) -> Fault | None:
    """`draw`: the card named as drawn is in another hand and stays there; really the top was drawn."""
    world, player = host.world, host.world.owing
    if player is None or len(world.stock) < 8 or world.death is not None:
        return None
    card = host.rng.choice(world.hands[host.rng.choice(others_in(world, player))])
    line = draw_of(host, card, world.stock.pop(0))
    return Fault(line, "draw", player, False, (many_draws(line, 2),))


# Reshuffles


@kind("drew-without-reshuffle", "draw", seats=(2, 9), share=1)
def drew_without_reshuffle(host: Host) -> Fault | None:
    """`reshuffle`: the stock is empty and a card is drawn, though no reshuffle is written."""
    world, player = host.world, host.world.owing
    if world.stock or len(world.pile) < 8 or player is None or world.death is not None:
        return None
    world.stock, world.pile = host.rng.sample(world.pile, len(world.pile)), []
    line = world.draw(player)
    return Fault(line, "reshuffle", player, True, (many_draws(line, 3),))


def early(host: Host, listed: bool) -> Fault | None:
    """`reshuffle`: stock and pile are shuffled together before the stock has run out."""
    world = host.world
    if len(world.stock) < 3 or len(world.pile) < 3:
        return None
    stock = world.stock + world.pile
    host.rng.shuffle(stock)
    line = world.log("pile_reshuffled", stock=stock[:] if listed else None)
    world.stock, world.pile = stock, []
    return Fault(line, "reshuffle", None, True)


@kind("reshuffle-too-early", "play")
def reshuffle_too_early(host: Host) -> Fault | None:
    """`reshuffle`: too early, the new stock is listed."""
    return early(host, True)


@kind("reshuffle-too-early-unlisted", "play", "draw")
def reshuffle_too_early_unlisted(host: Host) -> Fault | None:
    """`reshuffle`: too early, and nobody knows the new stock."""
    return early(host, False)


@kind("reshuffle-leaves-a-card", "draw", share=1)
def reshuffle_leaves_a_card(host: Host) -> Fault | None:
    """`reshuffle`: a card, mostly the last one, stays lying in the pile."""
    world = host.world
    if world.stock or len(world.pile) < 5 or world.death is not None:
        return None
    left = world.pile.pop(-1 if host.rng.random() < 0.6 else 0)
    line = world.reshuffle()
    world.pile = [left]
    return Fault(line, "reshuffle", None, False)


@kind("reshuffle-takes-a-hand-card", "draw", share=1)
def reshuffle_takes_a_hand_card(host: Host) -> Fault | None:
    """`reshuffle`: a card of somebody's hand is shuffled in too; they are short from then on."""
    world = host.world
    if world.stock or len(world.pile) < 5 or world.death is not None:
        return None
    hand = world.hands[host.rng.choice(dealt(world, world.owing, *host.world.out_players()))]
    world.pile.append(hand.pop(host.rng.randrange(len(hand))))
    return Fault(world.reshuffle(), "reshuffle", None, False)


# Corrections


def correction(host: Host, drew: int, returned: int) -> Fault | None:
    """`four-cards`: a hand that was right is corrected."""
    world = host.world
    if len(world.stock) < 6:
        return None
    player = host.rng.choice(others_in(world))
    back = host.rng.sample(world.hands[player], returned)
    return Fault(world.correct(player, drew, back), "four-cards", player, True)


@kind("corrected-a-right-hand", "play")
def corrected_a_right_hand(host: Host) -> Fault | None:
    """`four-cards`: a right hand is corrected and has four cards after it."""
    return correction(host, 1, 1)


@kind("corrected-to-five", "play")
def corrected_to_five(host: Host) -> Fault | None:
    """`four-cards`: a correction leaves five cards."""
    return correction(host, 1, 0)


@kind("corrected-to-three", "play")
def corrected_to_three(host: Host) -> Fault | None:
    """`four-cards`: a correction leaves three cards."""
    return correction(host, 0, 1)


# Deals


def new_deal(host: Host, least: int = 2) -> tuple[str, dict[str, list[str]], list[str]] | None:
    """The next deal, not yet dealt: dealer, hands and stock."""
    world = host.world
    if len(world.seated) < least:
        return None
    seats = world.seats()
    dealer = seats[-1] if world.dealer is None else world.next_dealer()
    hands, stock = host.shuffled(dealer, seats)
    return dealer, hands, stock


@kind("dealt-a-card-twice", "deal", seats=(2, 6))
def dealt_a_card_twice(host: Host) -> Fault | None:
    """`deck`: the listed stock names a card twice, deep down where nobody comes in that hand."""
    deal = new_deal(host)
    if deal is None:
        return None
    line = host.world.deal(*deal)
    host.world.events[-1]["stock"][-1] = host.rng.choice(deal[2][-6:-1])
    return Fault(line, "deck", None, False, (no_reshuffle(line), few_draws(line, len(deal[2]) - 7)))


@kind("dealt-a-card-short", "deal", seats=(2, 6))
def dealt_a_card_short(host: Host) -> Fault | None:
    """`deck`: the listed stock lacks a card at its bottom, where nobody comes in that hand."""
    deal = new_deal(host)
    if deal is None:
        return None
    line = host.world.deal(*deal)
    host.world.events[-1]["stock"].pop()
    return Fault(line, "deck", None, False, (no_reshuffle(line), few_draws(line, len(deal[2]) - 7)))


@kind("dealt-a-card-to-two", "deal", seats=(2, 6))
def dealt_a_card_to_two(host: Host) -> Fault | None:
    """`deck`: a card is written in two hands; one of them really has a card that is named nowhere."""
    deal = new_deal(host)
    if deal is None:
        return None
    line = host.world.deal(*deal)
    one, other = host.rng.sample(sorted(deal[1]), 2)
    written = host.world.events[-1]["hands"]
    written[other][host.rng.randrange(4)] = host.rng.choice(written[one])
    return Fault(line, "deck", None, False)


@kind("dealt-five", "deal")
def dealt_five(host: Host) -> Fault | None:
    """`deal`: somebody gets five cards."""
    deal = new_deal(host)
    if deal is None:
        return None
    deal[1][host.rng.choice(sorted(deal[1]))].append(deal[2].pop(0))
    return Fault(host.world.deal(*deal), "deal", None, True)


@kind("dealt-three", "deal")
def dealt_three(host: Host) -> Fault | None:
    """`deal`: somebody gets three cards."""
    deal = new_deal(host)
    if deal is None:
        return None
    deal[2].insert(0, deal[1][host.rng.choice(sorted(deal[1]))].pop())
    return Fault(host.world.deal(*deal), "deal", None, True)


def left_over(host: Host, dealer: str) -> str:
    """A seat that neither deals nor starts."""
    world = host.world
    starter = world.after(dealer, world.seated)
    return host.rng.choice([name for name in world.seats() if name not in (dealer, starter)])


@kind("seat-left-out", "deal", seats=(4, 8))
def seat_left_out(host: Host) -> Fault | None:
    """`deal`: a seat isn't dealt in, and stays out of that hand."""
    deal = new_deal(host, 4)
    if deal is None:
        return None
    dealer, hands, stock = deal
    stock += hands.pop(left_over(host, dealer))
    return Fault(host.world.deal(dealer, hands, stock), "deal", None, True)


@kind("seat-left-out-plays", "deal", seats=(4, 8))
def seat_left_out_plays(host: Host) -> Fault | None:
    """`deal`: a seat has no hand in the log, but plays; the stock isn't known."""
    deal = new_deal(host, 4)
    if deal is None:
        return None
    player = left_over(host, deal[0])
    line = host.world.deal(*deal)
    del host.world.events[-1]["hands"][player]
    host.world.events[-1]["stock"] = None
    return Fault(line, "deal", None, True, (plays_again(player, line),))


@kind("stranger-dealt-in", "deal", seats=(3, 8))
def stranger_dealt_in(host: Host) -> Fault | None:
    """`deal`: four cards go to somebody who isn't seated, and who doesn't take part."""
    world = host.world
    deal = new_deal(host, 3)
    if deal is None:
        return None
    dealer, hands, stock = deal
    gone = [name for name in world.chairs if name not in world.seated]
    stranger = host.rng.choice(gone) if gone else NAMES[-1]
    idle = [card for card in stock if card[1] != "c" and card not in ("Ad", "Qs")][-4:]
    hands[stranger] = idle
    line = world.deal(dealer, hands, [card for card in stock if card not in idle])
    world.inside.discard(stranger)
    if world.turn == stranger:
        world.turn = world.after(dealer, world.inside)
    return Fault(line, "deal", None, True)


@kind("dealt-to-fourteen", "deal", seats=(14, 14), share=1)
def dealt_to_fourteen(host: Host) -> Fault | None:
    """`deal`: fourteen hands are dealt (R1); the table voids that and one leaves."""
    world = host.world
    seats = world.seats()
    if world.deals:
        return None
    deck = host.rng.sample(DECK, 52)
    hands: dict[str, list[str | None]] = {
        name: list(deck[4 * place : 4 * place + 4]) or [None] * 4 for place, name in enumerate(seats)
    }
    line = world.log("hand_dealt", dealer=seats[-1], hands=hands, stock=[])
    world.dealer = seats[-1]
    world.log("hand_voided", reason="too many")
    world.voided = True
    world.leave(host.rng.choice(seats[:-1]))
    return Fault(line, "deal", None, True)


@kind("wrong-dealer", "deal", seats=(3, 8), share=0.6)
def wrong_dealer(host: Host) -> Fault | None:
    """`dealer-rotation`: the wrong seat deals; the seat after it starts, and deals next."""
    world = host.world
    if world.dealer is None or world.voided or len(world.seated) < 3:
        return None
    others = [name for name in world.seats() if name != world.next_dealer()]
    return Fault(host.deal(host.rng.choice(others)), "dealer-rotation", None, True)


@kind("wrong-dealer-written", "deal", seats=(3, 8), share=0.6)
def wrong_dealer_written(host: Host) -> Fault | None:
    """`dealer-rotation`: the wrong dealer is written; the seat after the rightful one starts, and deals next."""
    world = host.world
    if world.dealer is None or world.voided or len(world.seated) < 3:
        return None
    right = world.next_dealer()
    line = host.deal(right)
    world.events[-1]["dealer"] = host.rng.choice([name for name in world.seats() if name != right])
    return Fault(line, "dealer-rotation", None, True)


@kind("dealer-moved-after-void", "play", seats=(3, 8))
def dealer_moved_after_void(host: Host) -> Fault | None:
    """`dealer-rotation`: after a void the deal moves on, though the same dealer deals again (R7)."""
    world = host.world
    if world.plays < 3 or world.dealer is None or world.dealer not in world.seated or len(world.seated) < 3:
        return None
    world.void("somebody looked")
    return Fault(host.deal(world.after(world.dealer, world.seated)), "dealer-rotation", None, True)
