"""Broken payments: for lost hands, exact hits and borders."""

from typing import Any

from broken_match_base import (
    Check,
    Fault,
    is_a,
    just_drew,
    kind,
    last_event,
    next_line,
    paid_in_tokens,
)
from legal_matches import Host
from match_table import Game, Loss, World


def exact_game(game: Game) -> bool:
    return bool(game.exact)


def bordered(game: Game) -> bool:
    return game.borders


def due(world: World, reason: str) -> Loss | None:
    """The next payment, if it is one of these."""
    return world.losses[0] if world.losses[0].reason == reason else None


def well_off(world: World, *names: str, least: int = 2) -> list[str]:
    """Players in the match who could lose one and stay in it, without these."""
    return [name for name in world.playing() if name not in names and world.tokens[name] >= least]


def slug(reason: str) -> str:
    return "border" if reason == "border" else "tokens"


def not_a(line: int, *types: str) -> Check:
    """That line is something else, and there is one."""

    def check(events: list[dict[str, Any]]) -> bool:
        return line <= len(events) and events[line - 1]["type"] not in types

    return check


# Not paid


def unpaid(host: Host, reason: str, written_only: bool) -> Fault | None:
    """A single payment isn't written; it was made all the same, or it wasn't."""
    world, loss = host.world, due(host.world, reason)
    if loss is None or len(world.losses) > 1:
        return None
    world.losses.clear()
    if written_only:
        world.take(loss.player, loss.tokens)
    line = next_line(world)
    return Fault(line, slug(reason), loss.player, True, (not_a(line, "pile_reshuffled"),))


@kind("token-not-paid", "lose", where=paid_in_tokens)
def token_not_paid(host: Host) -> Fault | None:
    """`tokens`: nobody pays for a lost hand; the next line shows it."""
    return unpaid(host, "hand_lost", False)


@kind("token-paid-but-not-written", "lose", where=paid_in_tokens)
def token_paid_but_not_written(host: Host) -> Fault | None:
    """`tokens`: the payment for a lost hand is not written, but the token is gone."""
    return unpaid(host, "hand_lost", True)


@kind("border-not-paid", "lose", where=bordered)
def border_not_paid(host: Host) -> Fault | None:
    """`border`: nobody pays for a border that was crossed; the next line shows it."""
    return unpaid(host, "border", False)


@kind("border-paid-but-not-written", "lose", where=bordered)
def border_paid_but_not_written(host: Host) -> Fault | None:
    """`border`: the point is gone, but the loss is not written."""
    return unpaid(host, "border", True)


@kind("exact-hit-not-paid", "lose", where=exact_game)
def exact_hit_not_paid(host: Host) -> Fault | None:
    """`tokens`: an exact hit, and none of the others pays."""
    world, loss = host.world, due(host.world, "exact")
    if loss is None or len(world.losses) < len(world.match) - 1:
        return None
    world.losses.clear()
    line = next_line(world)
    return Fault(line, "tokens", loss.player, True, (is_a(line, "card_drawn"),))


@kind("exact-hit-not-paid-by-one", "lose", seats=(3, 8), where=exact_game)
def exact_hit_not_paid_by_one(host: Host) -> Fault | None:
    """`tokens`: an exact hit, and the last of the others doesn't pay."""
    world, loss = host.world, due(host.world, "exact")
    if loss is None or len(world.losses) > 1 or len(world.match) < 3:
        return None
    world.losses.clear()
    line = next_line(world)
    return Fault(line, "tokens", loss.player, True, (not_a(line, "pile_reshuffled"),))


# Paid by the wrong player, or the wrong number


def paid_by_another(host: Host, reason: str) -> Fault | None:
    world, loss = host.world, due(host.world, reason)
    names = [] if loss is None else well_off(world, loss.player)
    if world.game.borders and loss is not None:
        names = [name for name in world.playing() if name != loss.player]
    if loss is None or not names or len(world.losses) > 1:
        return None
    wrong = host.rng.choice(names)
    world.losses.clear()
    return Fault(world.pay(loss._replace(player=wrong)), slug(reason), wrong)


@kind("token-paid-by-another", "lose", where=paid_in_tokens)
def token_paid_by_another(host: Host) -> Fault | None:
    """`tokens`: somebody else pays for the lost hand."""
    return paid_by_another(host, "hand_lost")


@kind("border-paid-by-another", "lose", where=bordered)
def border_paid_by_another(host: Host) -> Fault | None:
    """`border`: somebody else pays for the border."""
    return paid_by_another(host, "border")


def paid_wrong_number(host: Host, reason: str, more: int) -> Fault | None:
    world, loss = host.world, due(host.world, reason)
    if loss is None or (not world.game.borders and world.tokens[loss.player] < more + 2):
        return None
    world.losses.remove(loss)
    return Fault(world.pay(loss._replace(tokens=loss.tokens + more)), slug(reason), loss.player)


@kind("token-too-many", "lose", where=paid_in_tokens)
def token_too_many(host: Host) -> Fault | None:
    """`tokens`: two are paid for a lost hand."""
    return paid_wrong_number(host, "hand_lost", 1)


@kind("exact-hit-costs-too-much", "lose", where=exact_game)
def exact_hit_costs_too_much(host: Host) -> Fault | None:
    """`tokens`: one of the others pays two for an exact hit."""
    return paid_wrong_number(host, "exact", 1)


@kind("border-too-many", "lose", where=bordered)
def border_too_many(host: Host) -> Fault | None:
    """`border`: more points are lost than borders were crossed."""
    return paid_wrong_number(host, "border", host.rng.choice([1, 2]))


# Paid for nothing


@kind("token-paid-twice", "deal", "play", where=paid_in_tokens, share=0.6)
def token_paid_twice(host: Host) -> Fault | None:
    """`tokens`: the payment for a lost hand stands twice."""
    world = host.world
    last = world.events[-1]
    if last["type"] != "tokens_lost" or last["player"] not in well_off(world):
        return None
    return Fault(world.pay(Loss(last["player"], 1, last["reason"])), "tokens", last["player"])


@kind("token-for-nothing", "play", where=paid_in_tokens, share=0.05)
def token_for_nothing(host: Host) -> Fault | None:
    """`tokens`: somebody pays in the middle of a hand."""
    world = host.world
    names = well_off(world)
    if not names or just_drew(world) is None:
        return None
    player = host.rng.choice(names)
    return Fault(world.pay(Loss(player, 1, "hand_lost")), "tokens", player)


@kind("exact-hit-paid-by-who-made-it", "draw", where=exact_game)
def exact_hit_paid_by_who_made_it(host: Host) -> Fault | None:
    """`tokens`: after an exact hit its player pays too."""
    world, player = host.world, host.world.fresh
    if not last_event(world, "tokens_lost") or player is None or player not in well_off(world):
        return None
    return Fault(world.pay(Loss(player, 1, "exact")), "tokens", player)


@kind("exact-hit-that-was-none", "draw", where=exact_game, share=0.05)
def exact_hit_that_was_none(host: Host) -> Fault | None:
    """`tokens`: somebody pays for an exact hit, but the total is none or was there before."""
    world, player = host.world, host.world.fresh
    names = well_off(world, player or "")
    if not last_event(world, "card_played") or not names:
        return None
    wrong = host.rng.choice(names)
    return Fault(world.pay(Loss(wrong, 1, "exact")), "tokens", wrong)


@kind("border-that-was-none", "draw", where=bordered, share=0.05)
def border_that_was_none(host: Host) -> Fault | None:
    """`border`: a point is lost though no border was crossed."""
    world, player = host.world, host.world.fresh
    if not last_event(world, "card_played") or player is None:
        return None
    return Fault(world.pay(Loss(player, 1, "border")), "border", player)


@kind("tokens-misnoted-at-the-deal", "deal", where=paid_in_tokens)
def tokens_misnoted_at_the_deal(host: Host) -> Fault | None:
    """`tokens`: a deal notes a number that a player hasn't got."""
    world = host.world
    said = {name: world.tokens[name] for name in world.playing()}
    line = host.deal()
    said[host.rng.choice(list(said))] += host.rng.choice([-1, 1, 2])
    world.events[-1]["tokens"] = said
    return Fault(line, "tokens", None)
