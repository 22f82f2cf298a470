"""Broken plays: the Count, the limit, the turn order, cards that weren't the player's, going out."""

from broken_base import (
    Fault,
    acts_again,
    dealt,
    is_a,
    just_drew,
    kind,
    last_event,
    misnamed,
    never_again,
    next_line,
    others_in,
    plain,
    plays_again,
    refill,
)
from legal_games import Event, Host, count_after, pips

# The Count


def miscall(host: Host) -> tuple[int, str, int, int] | None:
    """A play with a wrong Count: line, player, the right Count and the said one."""
    world = host.world
    cards = plain(world, world.turn)
    if not cards:
        return None
    player, card = world.turn, host.choice(cards)
    right = count_after(card, world.count)
    assert right is not None
    near = [said for said in range(max(0, right - 12), min(98, right + 12) + 1) if said != right]
    said = host.rng.choice(near)
    return world.play(player, card, count=said), player, right, said


@kind("count-miscalled", "play")
def count_miscalled(host: Host) -> Fault | None:
    """`count-called`: a wrong total is said; the next one follows from the cards."""
    made = miscall(host)
    return made and Fault(made[0], "count-called", made[1], True)


@kind("count-taken-over", "play")
def count_taken_over(host: Host) -> Fault | None:
    """`count-called`: a wrong total is said and the table goes on from it."""
    made = miscall(host)
    if made is None:
        return None
    host.world.count = made[3]
    return Fault(made[0], "count-called", made[1], True)


@kind("count-put-right", "play")
def count_put_right(host: Host) -> Fault | None:
    """`count-called`: a wrong total is said, count_corrected follows with the right one."""
    made = miscall(host)
    if made is None:
        return None
    if host.rng.random() < 0.5:
        refill(host.world, made[1])
    host.world.log("count_corrected", count=made[2])
    return Fault(made[0], "count-called", made[1], True)


def over_the_limit(host: Host, said: str) -> Fault | None:
    """`limit`: one of several cards is played although it takes the Count over 99."""
    world = host.world
    player = world.turn
    over = [card for card in world.hands[player] if count_after(card, world.count) is None]
    if not over or not world.playable(player):
        return None
    card = host.rng.choice(over)
    totals: dict[str, int | None] = {"over": world.count + pips(card), "at": 99, "not": None}
    line = world.play(player, card, count=totals[said])
    world.count = 99
    return Fault(line, "limit", player, True)


@kind("limit-said-over", "play")
def limit_said_over(host: Host) -> Fault | None:
    """`limit`: the said total is over 99 and goes on as 99."""
    return over_the_limit(host, "over")


@kind("limit-said-99", "play")
def limit_said_99(host: Host) -> Fault | None:
    """`limit`: a card that goes over is played and 99 is said."""
    return over_the_limit(host, "at")


@kind("limit-unsaid", "play")
def limit_unsaid(host: Host) -> Fault | None:
    """`limit`: a card that goes over is played and no total is noted."""
    return over_the_limit(host, "not")


# Whose turn it is


def out_of_turn(host: Host, *, nearest: bool, starts: bool = False) -> tuple[int, str, str] | None:
    """Somebody plays though the one to act could: line, who played, who was to act."""
    world = host.world
    passed = world.turn
    if starts != (world.plays == 0) or not world.playable(passed):
        return None
    names = [world.after(passed, world.inside)] if nearest else others_in(world, passed)
    names = [name for name in names if plain(world, name)]
    if not names:
        return None
    player = host.rng.choice(names)
    line = world.play(player, host.choice(plain(world, player)))
    refill(world, player)
    return line, player, passed


@kind("out-of-turn-goes-on", "play", seats=(3, 7))
def out_of_turn_goes_on(host: Host) -> Fault | None:
    """`turn-order`: a player who could play is passed over and acts again later."""
    made = out_of_turn(host, nearest=True)
    return made and Fault(made[0], "turn-order", made[1], True, (acts_again(made[2], made[0]),))


@kind("out-of-turn-goes-back", "play", seats=(3, 7))
def out_of_turn_goes_back(host: Host) -> Fault | None:
    """`turn-order`: somebody plays too soon, then the one who was to act does."""
    made = out_of_turn(host, nearest=False)
    if made is None:
        return None
    host.world.turn = made[2]
    checks = (plays_again(made[2], made[0]), is_a(next_line(host.world), "card_played", made[2]))
    return Fault(made[0], "turn-order", made[1], True, checks)


@kind("out-of-turn-never-again", "play", seats=(3, 7))
def out_of_turn_never_again(host: Host) -> Fault | None:
    """`turn-order`: a player who could play is passed over and taken for out from then on."""
    world = host.world
    if len(world.inside) < 3 or "Ac" in world.hands[world.turn]:
        return None
    made = out_of_turn(host, nearest=True)
    if made is None:
        return None
    world.put_out(made[2])
    return Fault(made[0], "turn-order", made[1], True, (never_again(made[2], made[0]),))


@kind("wrong-starter", "play", seats=(3, 7), share=1)
def wrong_starter(host: Host) -> Fault | None:
    """`turn-order`: the dealer's left doesn't start, the seat after them does."""
    made = out_of_turn(host, nearest=True, starts=True)
    return made and Fault(made[0], "turn-order", made[1], True, (acts_again(made[2], made[0]),))


@kind("out-of-turn-going-out", "play", seats=(3, 7), share=1)
def out_of_turn_going_out(host: Host) -> Fault | None:
    """`turn-order`: a stuck player goes out before their turn, though the one to act could play."""
    world = host.world
    stuck = [name for name in others_in(world, world.turn) if not world.playable(name)]
    if not stuck or not world.playable(world.turn) or len(world.inside) < 3:
        return None
    player = host.rng.choice(stuck)
    line = world.out(player, "no_play")
    return Fault(line, "turn-order", player, True, (is_a(line + 1, "card_played", world.turn),))


@kind("stuck-passed-over", "play", seats=(3, 7), share=1)
def stuck_passed_over(host: Host) -> Fault | None:
    """`out`: a stuck player is passed over without a word and never acts again."""
    world = host.world
    player = world.turn
    if world.playable(player) or len(world.inside) < 3 or "Ac" in world.hands[player]:
        return None
    if not plain(world, world.after(player, world.inside)):
        return None
    world.put_out(player)
    line = next_line(world)
    return Fault(line, "out", player, False, (is_a(line, "card_played"), never_again(player, line - 1)))


@kind("stuck-passed-over-acts-again", "play", seats=(3, 7), share=1)
def stuck_passed_over_acts_again(host: Host) -> Fault | None:
    """`out`: a stuck player is passed over, stays in and acts later."""
    world = host.world
    player, after = world.turn, world.after(world.turn, world.inside)
    if world.playable(player) or len(world.inside) < 3 or not plain(world, after):
        return None
    world.turn = after
    line = next_line(world)
    return Fault(line, "out", player, False, (is_a(line, "card_played", after), acts_again(player, line)))


# Whose card it is


def from_a_hand(host: Host) -> list[tuple[str, str]]:
    """Plain playable cards of other players still in, with their owner; the one to act has one too."""
    world = host.world
    if not plain(world, world.turn):
        return []
    return [(name, card) for name in others_in(world, world.turn) for card in plain(world, name)]


def from_a_place(host: Host, place: list[str]) -> list[str]:
    """Cards of the stock or the pile that could be played now."""
    world = host.world
    cards = [card for card in place if count_after(card, world.count) is not None]
    return [card for card in cards if card != "Qs"] if plain(world, world.turn) else []


def same_rank(host: Host, cards: list[str]) -> list[tuple[str, str]]:
    """Which of those cards a card of the player's could be called by mistake, with that card."""
    hand = plain(host.world, host.world.turn)
    usual = [card for card in hand if card not in ("Ac", "Ad", "Kc", "Qs")]
    return [(card, own) for card in cards for own in usual if card[0] == own[0] and card not in ("Ac", "Ad", "Kc")]


@kind("played-from-anothers-hand", "play")
def played_from_anothers_hand(host: Host) -> Fault | None:
    """`hold-card`: somebody else's card is played; the player's own hand stays, the other's is short."""
    world = host.world
    chances = from_a_hand(host)
    if not chances:
        return None
    owner, card = host.rng.choice(chances)
    world.hands[owner].remove(card)
    player = world.turn
    return Fault(misnamed(world, player, card, None), "hold-card", player, False)


@kind("named-a-card-of-anothers-hand", "play", seats=(3, 9))
def named_a_card_of_anothers_hand(host: Host) -> Fault | None:
    """`hold-card`: the card named lies in another hand and stays there; one of the player's own went."""
    world, player = host.world, host.world.turn
    chances = same_rank(host, [card for _, card in from_a_hand(host)])
    if not chances:
        return None
    card, own = host.rng.choice(chances)
    return Fault(misnamed(world, player, card, own), "hold-card", player, False)


@kind("played-from-the-stock", "play")
def played_from_the_stock(host: Host) -> Fault | None:
    """`hold-card`: a card of the stock is played; the player's own hand stays as it was."""
    world, player = host.world, host.world.turn
    chances = from_a_place(host, world.stock)
    if not chances or len(world.stock) < 6:
        return None
    card = host.rng.choice(chances)
    world.stock.remove(card)
    return Fault(misnamed(world, player, card, None), "hold-card", player, False)


@kind("named-a-card-of-the-stock", "play")
def named_a_card_of_the_stock(host: Host) -> Fault | None:
    """`hold-card`: the card named lies in the stock and stays there; one of the player's own went."""
    world, player = host.world, host.world.turn
    chances = same_rank(host, from_a_place(host, world.stock))
    if not chances or len(world.stock) < 6:
        return None
    card, own = host.rng.choice(chances)
    return Fault(misnamed(world, player, card, own), "hold-card", player, False)


@kind("played-from-the-pile", "play")
def played_from_the_pile(host: Host) -> Fault | None:
    """`deck`: a card that lies in the open is played again; the player's own hand stays as it was."""
    world, player = host.world, host.world.turn
    chances = from_a_place(host, world.pile)
    if not chances or len(world.pile) < 4:
        return None
    card = host.rng.choice(chances)
    world.pile.remove(card)
    return Fault(misnamed(world, player, card, None), "deck", player, True)


@kind("named-a-card-of-the-pile", "play")
def named_a_card_of_the_pile(host: Host) -> Fault | None:
    """`deck`: the card named lies in the open; really one of the player's own went."""
    world, player = host.world, host.world.turn
    chances = same_rank(host, from_a_place(host, world.pile))
    if not chances or len(world.pile) < 4:
        return None
    card, own = host.rng.choice(chances)
    return Fault(misnamed(world, player, card, own), "deck", player, True)


@kind("shown-but-not-held", "deal", share=0.5)
def shown_but_not_held(host: Host) -> Fault | None:
    """`hold-card`: after the hand somebody shows a card that was another's or in the stock."""
    world = host.world
    if world.winner is None or world.voided:
        return None
    players = [name for name in dealt(world) if name in world.seated]
    player = host.rng.choice(players)
    elsewhere = [card for name in dealt(world, player) for card in world.hands[name]] + world.stock
    said = {card for event in this_hand(host) for card in event.get("cards", [])}
    elsewhere = [card for card in elsewhere if card[1] != "c" and card not in said]
    if not elsewhere:
        return None
    line = world.log("cards_shown", player=player, cards=[host.rng.choice(elsewhere)])
    return Fault(line, "hold-card", player, False)


def this_hand(host: Host) -> list[Event]:
    """The events since the last deal."""
    events = host.world.events
    starts = [at for at, event in enumerate(events) if event["type"] == "hand_dealt"]
    return events[starts[-1] :] if starts else []


# Going out


def gives_up(host: Host) -> int | None:
    """The one to act goes out though they could play."""
    world = host.world
    return world.out(world.turn, "no_play") if world.playable(world.turn) else None


@kind("gave-up", "play")
def gave_up(host: Host) -> Fault | None:
    """`must-play`: out though a card can be played; stays out."""
    player = host.world.turn
    line = gives_up(host)
    return None if line is None else Fault(line, "must-play", player, False)


@kind("gave-up-with-death-card", "play", share=1)
def gave_up_with_death_card(host: Host) -> Fault | None:
    """`must-play`: at 99 the Death Card is the only playable card, and its player goes out instead."""
    player = host.world.turn
    if host.world.playable(player) != ["Qs"] or host.world.count != 99:
        return None
    line = gives_up(host)
    return None if line is None else Fault(line, "must-play", player, False)


@kind("gave-up-and-stole", "play", seats=(3, 7), share=1)
def gave_up_and_stole(host: Host) -> Fault | None:
    """`must-play`: out with a playable Ace of Clubs, which the steal proves without any hand logged."""
    world, player = host.world, host.world.turn
    if "Ac" not in world.hands[player] or world.count == 99:
        return None
    line = gives_up(host)

    def stole(events: list[Event]) -> bool:
        steals = [event for event in events[line or 0 :] if event["type"] in ("hit_stolen", "hand_dealt")]
        return steals[0]["type"] == "hit_stolen" and bool(steals[0]["player"] == player)

    return None if line is None else Fault(line, "must-play", player, True, (stole,))


@kind("gave-up-and-slid", "play", seats=(3, 7), share=1)
def gave_up_and_slid(host: Host) -> Fault | None:
    """`must-play`: out with a playable club, which a slide proves without any hand logged."""
    world, player = host.world, host.world.turn
    clubs = [card for card in world.playable(player) if card[1] == "c" and card != "Ac"]
    if not clubs or (world.holder("Ac") is None):
        return None
    line = gives_up(host)

    def slid(events: list[Event]) -> bool:
        rest = events[line or 0 :]
        end = next((at for at, event in enumerate(rest) if event["type"] == "hand_dealt"), len(rest))
        return any(event["type"] == "hit_slid" and event["card"] in clubs for event in rest[:end])

    return None if line is None else Fault(line, "must-play", player, True, (slid,))


@kind("gave-up-but-plays-on", "play", seats=(3, 7))
def gave_up_but_plays_on(host: Host) -> Fault | None:
    """`must-play`: out though a card can be played, and then plays on as if nothing had been."""
    world, player = host.world, host.world.turn
    if len(world.inside) < 3:
        return None
    line = gives_up(host)
    if line is None:
        return None
    world.inside.add(player)
    return Fault(line, "must-play", player, False, (plays_again(player, line),))


def how_out(host: Host, player: str) -> str:
    reasons = [event["reason"] for event in this_hand(host) if event.get("player") == player and "reason" in event]
    return str(reasons[-1]) if reasons else ""


@kind("out-player-plays", "play", seats=(3, 7))
def out_player_plays(host: Host) -> Fault | None:
    """`out`: a player who is out plays a card and draws; the turn stays where it was."""
    world, turn = host.world, host.world.turn
    usual = {
        name: [card for card in plain(world, name) if card[1] != "c"]
        for name in world.out_players()
        if name in world.seated
    }
    players = [name for name, cards in usual.items() if cards]
    if not players or not world.playable(turn) or not world.stock or world.stock[0][1] == "c":
        return None
    player = host.rng.choice(players)
    line = world.play(player, host.rng.choice(usual[player]))
    refill(world, player)
    world.turn = turn
    return Fault(line, "out", player, how_out(host, player) == "blowback")


@kind("out-twice", "play", seats=(3, 7), share=1)
def out_twice(host: Host) -> Fault | None:
    """`out`: an elimination stands twice."""
    world = host.world
    if not last_event(world, "player_eliminated") or world.events[-1]["reason"] != "no_play":
        return None
    player = world.events[-1]["player"]
    if not world.playable(world.turn):
        return None
    return Fault(world.log("player_eliminated", player=player, reason="no_play"), "out", player, True)


@kind("out-again", "play", seats=(3, 7))
def out_again(host: Host) -> Fault | None:
    """`out`: a player who has long been out goes out again."""
    world = host.world
    players = [name for name in world.out_players() if name in world.seated]
    if not players or not world.playable(world.turn) or just_drew(world) is None:
        return None
    player = host.rng.choice(players)
    return Fault(world.log("player_eliminated", player=player, reason="no_play"), "out", player, False)


@kind("shown-too-soon", "play", seats=(3, 7))
def shown_too_soon(host: Host) -> Fault | None:
    """`out`: a player who is out shows cards before the hand is won."""
    world = host.world
    players = [name for name in world.out_players() if name in world.seated]
    if not players:
        return None
    player = host.rng.choice(players)
    cards = host.rng.sample(world.hands[player], host.rng.randint(1, 3))
    return Fault(world.log("cards_shown", player=player, cards=cards), "out", player, True)


@kind("left-but-not-out", "play", seats=(4, 7))
def left_but_not_out(host: Host) -> Fault | None:
    """`out`: a player leaves inside a hand and nobody writes that they are out."""
    world = host.world
    kept = {world.turn, world.duty, world.finisher}
    players = [name for name in others_in(world) if name not in kept]
    if not players or len(world.inside) < 3 or not world.playable(world.turn):
        return None
    player = host.rng.choice(players)
    world.leave(player)
    world.put_out(player, loader=False)
    line = next_line(world)
    return Fault(line, "out", player, True, (is_a(line, "card_played", world.turn),))
