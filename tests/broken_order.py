"""Broken Death Cards, wins and order: what comes where it makes no sense, and who loads."""

from dataclasses import replace

from broken_base import (
    KINDS,
    Fault,
    acts_again,
    dealt,
    is_a,
    kind,
    last_event,
    never_again,
    next_line,
    nobody_holds,
    others_in,
    plain,
    plays_again,
    refill,
)
from legal_games import DECK, NAMES, Death, Host, World, count_after, pips

# The Death Card


def points_wrong(host: Host, *, pointed_answers: bool) -> Fault | None:
    """`death-card-target`: the Death Card points past the next player."""
    world, player = host.world, host.world.turn
    if world.count != 99 or "Qs" not in world.hands[player] or len(world.inside) < 3:
        return None
    right = world.after(player, world.inside)
    wrong = host.rng.choice(others_in(world, player, right))
    line = world.play(player, "Qs", target=wrong)
    world.death = Death(player, wrong if pointed_answers else right)
    return Fault(line, "death-card-target", player, True)


@kind("pointed-wrong", "play", seats=(3, 7), share=1)
def pointed_wrong(host: Host) -> Fault | None:
    """`death-card-target`: the wrong seat is pointed at and answers."""
    return points_wrong(host, pointed_answers=True)


@kind("pointed-wrong-rightful-answers", "play", seats=(3, 7), share=1)
def pointed_wrong_rightful_answers(host: Host) -> Fault | None:
    """`death-card-target`: the wrong seat is pointed at, but the rightful target answers."""
    return points_wrong(host, pointed_answers=False)


@kind("killed-below-99", "play", seats=(3, 7), share=1)
def killed_below_99(host: Host) -> Fault | None:
    """`death-card-target`: the Queen of Spades kills somebody below 99, where it names nobody."""
    world, player = host.world, host.world.turn
    if world.count == 99 or "Qs" not in world.playable(player) or len(world.inside) < 3:
        return None
    world.play(player, "Qs")
    refill(world, player)
    target = world.after(player, world.inside)
    return Fault(world.out(target, "death_card"), "death-card-target", target, True)


@kind("killed-without-death-card", "play", seats=(3, 7))
def killed_without_death_card(host: Host) -> Fault | None:
    """`death-card-target`: somebody is put out by a Death Card that nobody played."""
    world, player = host.world, host.world.turn
    if not last_event(world, "card_drawn") or len(world.inside) < 3:
        return None
    return Fault(world.out(player, "death_card"), "death-card-target", player, True)


def bare_target(host: Host) -> str | None:
    """The target, if they must answer now and have no shield."""
    world = host.world
    if world.death is None or world.death.shielded or "Ad" in world.hands[world.death.target]:
        return None
    return world.death.target


@kind("target-plays-on", "answer", share=1)
def target_plays_on(host: Host) -> Fault | None:
    """`death-card-shield`: the target has no shield, isn't out and takes a usual turn."""
    world, target = host.world, bare_target(host)
    if target is None or not plain(world, target):
        return None
    world.turn, world.death = target, None
    line = next_line(world)
    return Fault(line, "death-card-shield", target, True, (is_a(line, "card_played", target),))


@kind("target-passed-over", "answer", seats=(3, 7), share=1)
def target_passed_over(host: Host) -> Fault | None:
    """`death-card-shield`: the target has no shield; the next player plays, and the target again later."""
    world, target = host.world, bare_target(host)
    if target is None or len(world.inside) < 3:
        return None
    after = world.after(target, world.inside)
    if not plain(world, after):
        return None
    world.turn, world.death = after, None
    line = next_line(world)
    return Fault(line, "death-card-shield", target, True, (is_a(line, "card_played", after), acts_again(target, line)))


@kind("target-never-again", "answer", seats=(3, 7), share=1)
def target_never_again(host: Host) -> Fault | None:
    """`death-card-shield`: the target is out, but nobody writes it."""
    world, target = host.world, bare_target(host)
    if target is None or len(world.inside) < 3 or "Ac" in world.hands[target]:
        return None
    if not plain(world, world.after(target, world.inside)):
        return None
    world.put_out(target)
    line = next_line(world)
    return Fault(line, "death-card-shield", target, True, (is_a(line, "card_played"), never_again(target, line - 1)))


@kind("shield-withheld", "answer", share=1)
def shield_withheld(host: Host) -> Fault | None:
    """`death-card-shield`: the target has the shield and goes out all the same."""
    world = host.world
    if world.death is None or world.death.shielded or bare_target(host) is not None:
        return None
    target = world.death.target
    return Fault(world.out(target, "death_card"), "death-card-shield", target, False)


@kind("shield-withheld-and-shown", "answer", share=1)
def shield_withheld_and_shown(host: Host) -> Fault | None:
    """`death-card-shield`: as `shield-withheld`, and the shield is shown after the hand."""
    fault = shield_withheld(host)
    if fault is None:
        return None

    def show(world: World) -> None:
        world.log("cards_shown", player=fault.player, cards=["Ad"])

    return replace(fault, blanked=True, later=show)


@kind("target-out-for-another-reason", "answer", share=1)
def target_out_for_another_reason(host: Host) -> Fault | None:
    """`death-card-shield`: the target goes out as one who can't play."""
    target = bare_target(host)
    if target is None:
        return None
    return Fault(host.world.out(target, "no_play"), "death-card-shield", target, True)


@kind("no-blowback", "blowback", seats=(3, 7), share=1)
def no_blowback(host: Host) -> Fault | None:
    """`death-card-blowback`: after a shield the Death Card's player isn't out and acts again."""
    world = host.world
    assert world.death is not None
    attacker, target, _ = world.death
    after = world.after(target, world.inside)
    if world.two_player_game() or attacker not in world.inside or not plain(world, after):
        return None
    world.turn, world.death = after, None
    line = next_line(world)
    checks = (is_a(line, "card_played", after), acts_again(attacker, line - 1))
    return Fault(line, "death-card-blowback", attacker, True, checks)


@kind("no-blowback-never-again", "blowback", seats=(3, 7), share=1)
def no_blowback_never_again(host: Host) -> Fault | None:
    """`death-card-blowback`: after a shield the Death Card's player is out, but nobody writes it."""
    world = host.world
    assert world.death is not None
    attacker, target, _ = world.death
    if attacker not in world.inside or len(world.inside) < 3 or "Ac" in world.hands[attacker]:
        return None
    if not plain(world, world.after(target, world.inside - {attacker})):
        return None
    world.put_out(attacker)
    line = next_line(world)
    checks = (is_a(line, "card_played"), never_again(attacker, line - 1))
    return Fault(line, "death-card-blowback", attacker, True, checks)


@kind("blowback-between-two", "blowback", seats=(2, 2), share=1)
def blowback_between_two(host: Host) -> Fault | None:
    """`death-card-blowback`: in a two-player game the Death Card's player goes out after a shield."""
    world = host.world
    assert world.death is not None
    if not world.two_player_game():
        return None
    attacker = world.death.attacker
    return Fault(world.out(attacker, "blowback"), "death-card-blowback", attacker, True)


@kind("blowback-between-two-plays-on", "blowback", seats=(2, 2), share=1)
def blowback_between_two_plays_on(host: Host) -> Fault | None:
    """`death-card-blowback`: as `blowback-between-two`, but then they have the turn as they should."""
    world = host.world
    assert world.death is not None
    attacker = world.death.attacker
    if not world.two_player_game() or not world.playable(attacker):
        return None
    line = world.log("player_eliminated", player=attacker, reason="blowback")
    world.turn, world.death = attacker, None
    return Fault(line, "death-card-blowback", attacker, True, (plays_again(attacker, line),))


@kind("blowback-without-shield", "answer", seats=(4, 7), share=1)
def blowback_without_shield(host: Host) -> Fault | None:
    """`death-card-blowback`: the target is out, and the Death Card's player goes out too."""
    world, target = host.world, bare_target(host)
    if target is None or len(world.inside) < 4 or world.death is None:
        return None
    attacker = world.death.attacker
    if attacker not in world.inside:
        return None
    world.out(target, "death_card")
    return Fault(world.out(attacker, "blowback"), "death-card-blowback", attacker, True)


# The win


@kind("won-too-soon", "play", share=0.1)
def won_too_soon(host: Host) -> Fault | None:
    """`last-standing`: somebody wins while others are in."""
    world = host.world
    if not nobody_holds(world, "Ac") or not last_event(world, "card_drawn"):
        return None
    player = host.rng.choice(others_in(world))
    return Fault(world.win(player), "last-standing", player, True)


@kind("won-by-somebody-out", "win", share=1)
def won_by_somebody_out(host: Host) -> Fault | None:
    """`last-standing`: a player who is out wins, and has the prize."""
    world = host.world
    players = [name for name in world.out_players() if name in world.seated]
    if not nobody_holds(world, "Ac") or not players:
        return None
    player = host.rng.choice(players)
    return Fault(world.win(player), "last-standing", player, True)


@kind("win-missing", "win", share=1)
def win_missing(host: Host) -> Fault | None:
    """`log-order`: the last player in takes the hit, but nobody wrote that the hand was won."""
    world = host.world
    player = next(iter(world.inside))
    if not nobody_holds(world, "Ac"):
        return None
    line = next_line(world)
    world.win(player)
    world.events.pop()
    world.settle("hit_taken", "main", world.prizes["main"].hits)
    return Fault(line, "log-order", player, True)


@kind("played-alone", "win", share=1)
def played_alone(host: Host) -> Fault | None:
    """`last-standing`: the last player in plays a card."""
    world = host.world
    player = next(iter(world.inside))
    cards = plain(world, player)
    if not cards:
        return None
    return Fault(world.play(player, host.rng.choice(cards)), "last-standing", player, True)


def stray_play(host: Host, player: str, rule: str) -> Fault | None:
    """A card of the player's own is played where no hand is on; the next deal gathers it in."""
    world = host.world
    cards = plain(world, player)
    if not cards:
        return None
    card = host.rng.choice(cards)
    line = world.log("card_played", player=player, card=card, count=count_after(card, world.count))
    world.hands[player].remove(card)
    return Fault(line, rule, player, True)


@kind("played-after-the-win", "deal", share=0.6)
def played_after_the_win(host: Host) -> Fault | None:
    """`last-standing`: a card is played between the win and the next deal."""
    world = host.world
    players = [name for name in dealt(world) if name in world.seated]
    if world.winner is None or world.voided or not players:
        return None
    return stray_play(host, host.rng.choice(players), "last-standing")


# The order of things


@kind("played-before-the-deal", "deal", share=1)
def played_before_the_deal(host: Host) -> Fault | None:
    """`log-order`: a card is played before anything was dealt."""
    world = host.world
    if world.deals:
        return None
    player, card = host.rng.choice(world.seats()), host.rng.choice(DECK)
    said = 99 if card[0] == "K" else pips(card)
    return Fault(world.log("card_played", player=player, card=card, count=said), "log-order", player, True)


@kind("played-after-a-void", "play", share=0.1)
def played_after_a_void(host: Host) -> Fault | None:
    """`log-order`: a card is played after the hand was voided."""
    world, player = host.world, host.world.turn
    if world.plays < 3 or not plain(world, player):
        return None
    world.void("the deck was short")
    return stray_play(host, player, "log-order")


@kind("dealt-inside-a-hand", "play", share=0.1)
def dealt_inside_a_hand(host: Host) -> Fault | None:
    """`log-order`: the next dealer deals while a hand is on."""
    world = host.world
    if world.plays < 3 or not last_event(world, "card_drawn"):
        return None
    return Fault(host.deal(world.next_dealer()), "log-order", None, True)


@kind("prize-before-the-win", "play")
def prize_before_the_win(host: Host) -> Fault | None:
    """`log-order`: somebody takes a hit while the hand is on."""
    world = host.world
    if not last_event(world, "card_drawn"):
        return None
    player = host.rng.choice(others_in(world))
    line = world.log("hit_taken", player=player, prize="main", hits=1 + world.carried)
    return Fault(line, "log-order", player, True)


@kind("joined-inside-a-hand", "play")
def joined_inside_a_hand(host: Host) -> Fault | None:
    """`log-order`: somebody joins while a hand is on; they are dealt in next time."""
    world = host.world
    if len(world.seated) < len(world.chairs) or not last_event(world, "card_drawn"):
        return None
    player = next(name for name in NAMES if name not in world.chairs)
    return Fault(world.join(player), "log-order", player, True)


def misnumbered(host: Host, by: int) -> Fault | None:
    """`log-order`: the next line's seq isn't one more than the last."""
    world = host.world
    if not world.playable(world.turn):
        return None
    world.seq_shift += by
    line = next_line(world)
    return Fault(line, "log-order", world.turn, True, (is_a(line, "card_played", world.turn),))


@kind("seq-gap", "play", share=0.1)
def seq_gap(host: Host) -> Fault | None:
    """`log-order`: a number of the lines is left out."""
    return misnumbered(host, host.rng.choice([1, 1, 5]))


@kind("seq-repeat", "play", share=0.1)
def seq_repeat(host: Host) -> Fault | None:
    """`log-order`: a number of the lines stands twice."""
    return misnumbered(host, -1)


@kind("dealt-after-the-close", "deal", share=0.6)
def dealt_after_the_close(host: Host) -> Fault | None:
    """`log-order`: something follows game_closed."""
    world = host.world
    if not world.deals or world.voided or len(world.seated) < 2:
        return None
    world.close()
    return Fault(host.deal(), "log-order", None, True)


@kind("took-back-an-undone-line", "play", share=0.2)
def took_back_an_undone_line(host: Host) -> Fault | None:
    """`log-order`: a take-back names a line that is already undone; it changes nothing."""
    world = host.world
    events = world.events
    if not last_event(world, "card_drawn") or events[-2]["type"] != "card_played":
        return None
    if events[-2].get("target") or world.marks is None:
        return None
    drew = len(events)
    world.take_back(drew - 1, "player")
    return Fault(world.log("taken_back", about=drew, why="player"), "log-order", None, True)


@kind("took-back-the-first-line", "play", share=0.1)
def took_back_the_first_line(host: Host) -> Fault | None:
    """`log-order`: a take-back names the game's opening; it changes nothing."""
    return Fault(host.world.log("taken_back", about=1, why="player"), "log-order", None, True)


KINDS["seq-gap"] = replace(KINDS["seq-gap"], numbered=True)
KINDS["seq-repeat"] = replace(KINDS["seq-repeat"], numbered=True)
KINDS["took-back-an-undone-line"] = replace(KINDS["took-back-an-undone-line"], marked=True)


@kind("wrong-loader", "play", "prize")
def wrong_loader(host: Host) -> Fault | None:
    """`loader`: somebody loads while another has the duty."""
    world = host.world
    others = [name for name in world.seats() if name != world.duty]
    if world.duty is None or world.duty not in world.seated:
        return None
    player = host.rng.choice(others)
    return Fault(world.log("bong_loaded", player=player), "loader", player, True)
