"""Broken prizes: steals, bonuses and slides that are missing or invented, hits that weren't theirs."""

from dataclasses import replace

from broken_base import Fault, dealt, kind, last_event, next_line, nobody_holds
from legal_games import NAMES, SLIDE, Host, Prize, World

# The steal and the bonus


def ace_holder(host: Host) -> str | None:
    """Who holds the Ace of Clubs, straight after the win."""
    world = host.world
    return world.holder("Ac") if last_event(world, "hand_won") else None


def no_ace(host: Host) -> bool:
    """Straight after the win, with nobody holding the Ace of Clubs, and no King that would go on from it."""
    return last_event(host.world, "hand_won") and nobody_holds(host.world, "Ac", "Kc")


def unclaimed(host: Host, holder: str, rule: str) -> Fault:
    """The winner settles the main prize as if the Ace of Clubs weren't there."""
    world = host.world
    world.ace_done = True
    line = next_line(world)
    host.settle("main")
    return Fault(line, rule, holder, False)


def show_first(host: Host, player: str, card: str) -> None:
    host.world.log("cards_shown", player=player, cards=[card])


@kind("steal-missing", "prize", share=1)
def steal_missing(host: Host) -> Fault | None:
    """`steal`: an out player holds the Ace of Clubs, and the winner settles the hit."""
    holder = ace_holder(host)
    if holder is None or holder == host.world.winner:
        return None
    return unclaimed(host, holder, "steal")


@kind("steal-missing-but-shown", "prize", share=1)
def steal_missing_but_shown(host: Host) -> Fault | None:
    """`steal`: as `steal-missing`, and the Ace of Clubs was shown before."""
    holder = ace_holder(host)
    if holder is None or holder == host.world.winner or holder not in host.world.seated:
        return None
    show_first(host, holder, "Ac")
    return replace(unclaimed(host, holder, "steal"), blanked=True)


@kind("steal-missing-shown-later", "prize", share=1)
def steal_missing_shown_later(host: Host) -> Fault | None:
    """`steal`: as `steal-missing`, and the Ace of Clubs is shown when all is settled."""
    holder = ace_holder(host)
    if holder is None or holder == host.world.winner or holder not in host.world.seated:
        return None

    def show(world: World) -> None:
        world.log("cards_shown", player=holder, cards=["Ac"])

    return replace(unclaimed(host, holder, "steal"), blanked=True, later=show)


@kind("steal-invented", "prize", share=1)
def steal_invented(host: Host) -> Fault | None:
    """`steal`: somebody steals though nobody holds the Ace of Clubs; the hit stays with them."""
    world = host.world
    if not no_ace(host) or world.winner is None:
        return None
    player = host.rng.choice(dealt(world, world.winner))
    return Fault(world.steal(player, world.winner), "steal", player, "Ac" in world.pile)


@kind("steal-by-another", "prize", seats=(3, 9), share=1)
def steal_by_another(host: Host) -> Fault | None:
    """`steal`: an out player steals with an Ace of Clubs that another out player holds."""
    world, holder = host.world, ace_holder(host)
    if holder is None or world.winner is None or holder == world.winner or not nobody_holds(world, "Kc"):
        return None
    others = dealt(world, world.winner, holder)
    if not others:
        return None
    player = host.rng.choice(others)
    return Fault(world.steal(player, world.winner), "steal", player, False)


@kind("steal-from-another", "prize", seats=(3, 9), share=1)
def steal_from_another(host: Host) -> Fault | None:
    """`steal`: the hit is stolen from somebody who didn't win it."""
    world, holder = host.world, ace_holder(host)
    others = dealt(world, world.winner, holder)
    if holder is None or holder == world.winner or not others:
        return None
    return Fault(world.steal(holder, host.rng.choice(others)), "steal", holder, True)


@kind("bonus-missing", "prize", share=1)
def bonus_missing(host: Host) -> Fault | None:
    """`bonus`: the winner holds the Ace of Clubs and settles the hit without a bonus."""
    holder = ace_holder(host)
    return unclaimed(host, holder, "bonus") if holder and holder == host.world.winner else None


@kind("bonus-missing-but-shown", "prize", share=1)
def bonus_missing_but_shown(host: Host) -> Fault | None:
    """`bonus`: as `bonus-missing`, and the Ace of Clubs was shown before."""
    holder = ace_holder(host)
    if holder is None or holder != host.world.winner:
        return None
    show_first(host, holder, "Ac")
    return replace(unclaimed(host, holder, "bonus"), blanked=True)


@kind("bonus-invented", "prize", share=1)
def bonus_invented(host: Host) -> Fault | None:
    """`bonus`: a bonus is created though the winner doesn't hold the Ace of Clubs."""
    world = host.world
    if not no_ace(host) or world.winner is None:
        return None
    return Fault(world.bonus(world.winner), "bonus", world.winner, "Ac" in world.pile)


@kind("bonus-for-another", "prize", share=1)
def bonus_for_another(host: Host) -> Fault | None:
    """`bonus`: the winner holds the Ace of Clubs, but the bonus is written for somebody else."""
    world, holder = host.world, ace_holder(host)
    if holder is None or holder != world.winner or not nobody_holds(world, "Kc"):
        return None
    player = host.rng.choice(dealt(world, holder))
    return Fault(world.bonus(player), "bonus", player, False)


# The slide


def moving(host: Host) -> tuple[str, Prize] | None:
    """A prize that moves and isn't settled, with the ace's part done."""
    prizes = [(name, prize) for name, prize in host.world.prizes.items() if prize.step is not None and prize.hits]
    return host.rng.choice(prizes) if prizes else None


def due_to_another(host: Host) -> tuple[str, str, str] | None:
    """A slide that is due to another player: prize, club and who holds it."""
    made = moving(host)
    due = host.world.slide_due(made[0]) if made else None
    return (made[0], *due) if made and due and due[1] != made[1].holder else None


def ends_after(host: Host, card: str) -> bool:
    """Nobody holds the club after this one, so that a chain ends here."""
    after = SLIDE.index(card) + 1
    return after == len(SLIDE) or nobody_holds(host.world, SLIDE[after])


@kind("slide-missing", "prize", share=1)
def slide_missing(host: Host) -> Fault | None:
    """`slide`: somebody holds the next club, and the prize is settled without going there."""
    due = due_to_another(host)
    if due is None:
        return None
    name, _, holder = due
    world = host.world
    world.prizes[name] = world.prizes[name]._replace(step=None)
    line = next_line(world)
    host.settle(name)
    return Fault(line, "slide", holder, False)


@kind("slide-missing-but-shown", "prize", share=1)
def slide_missing_but_shown(host: Host) -> Fault | None:
    """`slide`: as `slide-missing`, and the club was shown before."""
    due = due_to_another(host)
    if due is None or due[2] not in host.world.seated:
        return None
    name, card, holder = due
    show_first(host, holder, card)
    world = host.world
    world.prizes[name] = world.prizes[name]._replace(step=None)
    line = next_line(world)
    host.settle(name)
    return Fault(line, "slide", holder, True)


@kind("slide-invented", "prize", share=1)
def slide_invented(host: Host) -> Fault | None:
    """`slide`: the chain has ended, but the prize slides to somebody who hasn't that club."""
    world, made = host.world, moving(host)
    if made is None or made[1].step is None or made[1].step == len(SLIDE) or world.slide_due(made[0]) is not None:
        return None
    card = SLIDE[made[1].step]
    if not ends_after(host, card):
        return None
    player = host.rng.choice(dealt(world, made[1].holder))
    return Fault(world.slide(made[0], player, card), "slide", player, card in world.pile)


@kind("slide-of-an-unstolen-hit", "prize", share=1)
def slide_of_an_unstolen_hit(host: Host) -> Fault | None:
    """`slide`: a hit that nobody stole moves to the King of Clubs."""
    world = host.world
    player = world.holder("Kc")
    if not last_event(world, "hand_won") or not nobody_holds(world, "Ac") or not ends_after(host, "Kc"):
        return None
    if player is None or player == world.winner:
        return None
    return Fault(world.slide("main", player, "Kc"), "slide", player, "Ac" in world.pile)


@kind("slide-to-another", "prize", seats=(3, 9), share=1)
def slide_to_another(host: Host) -> Fault | None:
    """`slide`: the prize slides to somebody who hasn't the next club, though another has it."""
    world, due = host.world, due_to_another(host)
    if due is None or not ends_after(host, due[1]):
        return None
    name, card, holder = due
    others = dealt(world, holder, world.prizes[name].holder)
    if not others:
        return None
    player = host.rng.choice(others)
    return Fault(world.slide(name, player, card), "slide", player, False)


@kind("slide-skips-a-club", "prize", share=1)
def slide_skips_a_club(host: Host) -> Fault | None:
    """`slide`: nobody holds the next club, but the prize goes on to the one below it."""
    world, made = host.world, moving(host)
    if made is None or made[1].step is None or made[1].step + 1 >= len(SLIDE) or world.slide_due(made[0]):
        return None
    card = SLIDE[made[1].step + 1]
    player = world.holder(card)
    if player is None or player == made[1].holder or not ends_after(host, card):
        return None
    return Fault(world.slide(made[0], player, card), "slide", player, True)


@kind("slide-from-another", "prize", seats=(3, 9), share=1)
def slide_from_another(host: Host) -> Fault | None:
    """`slide`: the step is written as coming from somebody who hasn't the prize."""
    world, due = host.world, due_to_another(host)
    if due is None:
        return None
    name, card, holder = due
    others = dealt(world, holder, world.prizes[name].holder)
    if not others:
        return None
    return Fault(world.slide(name, holder, card, source=host.rng.choice(others)), "slide", holder, True)


# The hits


def only_prize(host: Host) -> Prize | None:
    """The main prize, if it is the only one, whole, and nothing else is due."""
    world = host.world
    if set(world.prizes) != {"main"} or (not world.ace_done and not nobody_holds(world, "Ac")):
        return None
    settled = any(event["type"] in ("hit_taken", "hit_carried", "hit_donated") for event in since_the_win(host))
    return None if settled or world.slide_due("main") else world.prizes["main"]


def since_the_win(host: Host) -> list[dict[str, object]]:
    events = host.world.events
    won = max(at for at, event in enumerate(events) if event["type"] == "hand_won")
    return events[won:]


@kind("hit-of-anothers", "prize", share=1)
def hit_of_anothers(host: Host) -> Fault | None:
    """`prize`: somebody takes or gives a hit that isn't theirs."""
    world, prize = host.world, only_prize(host)
    others = [name for name in world.seats() if prize and name != prize.holder]
    if prize is None or not others:
        return None
    player = host.rng.choice(others)
    if host.rng.random() < 0.5:
        line = world.settle("hit_taken", "main", prize.hits, player=player)
    else:
        to = host.rng.choice([name for name in world.seats() if name != player])
        line = world.settle("hit_donated", "main", prize.hits, player=player, to=to)
    return Fault(line, "prize", player, True)


@kind("too-many-hits", "prize", share=1)
def too_many_hits(host: Host) -> Fault | None:
    """`prize`: more hits are taken or given than there are."""
    world, prize = host.world, only_prize(host)
    if prize is None:
        return None
    others = [name for name in world.seats() if name != prize.holder]
    hits = prize.hits + host.rng.randint(1, 2)
    if host.rng.random() < 0.5 or not others:
        line = world.settle("hit_taken", "main", hits)
    else:
        line = world.settle("hit_donated", "main", hits, to=host.rng.choice(others))
    return Fault(line, "prize", prize.holder, True)


def carries_too_many(host: Host, stated: bool) -> Fault | None:
    """`prize`: more hits are left for the next hand than there are."""
    world, prize = host.world, only_prize(host)
    if prize is None:
        return None
    hits = prize.hits + host.rng.randint(1, 2)
    line = world.settle("hit_carried", "main", hits)
    world.carried = hits if stated else prize.hits
    return Fault(line, "prize", prize.holder, True)


@kind("carried-too-many", "prize", share=1)
def carried_too_many(host: Host) -> Fault | None:
    """`prize`: a wrong number of hits is left over, and that many are at stake next."""
    return carries_too_many(host, True)


@kind("carried-too-many-rightful-next", "prize", share=1)
def carried_too_many_rightful_next(host: Host) -> Fault | None:
    """`prize`: a wrong number of hits is left over, but the rightful number is at stake next."""
    return carries_too_many(host, False)


def leaves_unsettled(host: Host) -> str | None:
    """Nobody settles the prize; gives its holder."""
    prize = only_prize(host)
    if prize is None or not nobody_holds(host.world, "Ac"):
        return None
    host.world.hand_on = False
    return prize.holder


@kind("unsettled-at-the-deal", "prize", share=1)
def unsettled_at_the_deal(host: Host) -> Fault | None:
    """`prize`: the next hand is dealt before the prize is settled."""
    if len(host.world.seated) < 2:
        return None
    holder = leaves_unsettled(host)
    return None if holder is None else Fault(host.deal(), "prize", holder, True)


@kind("unsettled-at-a-join", "prize", share=1)
def unsettled_at_a_join(host: Host) -> Fault | None:
    """`prize`: somebody joins before the prize is settled, and nobody settles it."""
    world = host.world
    if len(world.seated) < len(world.chairs):
        return None
    holder = leaves_unsettled(host)
    free = next(name for name in NAMES if name not in world.chairs)
    return None if holder is None else Fault(world.join(free), "prize", holder, True)


@kind("unsettled-at-the-close", "prize", share=1)
def unsettled_at_the_close(host: Host) -> Fault | None:
    """`prize`: the game is closed before the prize is settled."""
    holder = leaves_unsettled(host)
    return None if holder is None else Fault(host.world.close(), "prize", holder, True)
