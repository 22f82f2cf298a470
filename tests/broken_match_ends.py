"""Broken knock-outs and endings of a match, and things that have no place in one."""

from typing import Any

from broken_match_base import (
    Check,
    Fault,
    can_play,
    inside,
    is_a,
    just_drew,
    kind,
    last_event,
    next_line,
    paid_in_tokens,
    plain,
)
from legal_matches import QUIET, Host
from legal_table import NAMES

# Out of the match


@kind("knock-out-missing", "knock", where=paid_in_tokens, share=0.6)
def knock_out_missing(host: Host) -> Fault | None:
    """`match`: nobody writes that a player without tokens is out; the next line shows it."""
    world, player = host.world, host.world.broke()[0]
    if world.hand_on or len(world.broke()) > 1:
        return None
    world.drop(player)
    return Fault(next_line(world), "match", player)


@kind("knock-out-missing-dealt-in", "knock", seats=(3, 8), where=paid_in_tokens, share=0.6)
def knock_out_missing_dealt_in(host: Host) -> Fault | None:
    """`match`: a player without tokens is dealt in as if nothing had been."""
    world, player = host.world, host.world.broke()[0]
    if world.hand_on or len(world.broke()) > 1 or len(world.match) < 3:
        return None
    return Fault(host.deal(), "match", player, stops=True)


@kind("knock-out-too-late", "knock", seats=(3, 8), where=paid_in_tokens, share=0.6)
def knock_out_too_late(host: Host) -> Fault | None:
    """`match`: that a player is out is written only after the next deal, in which they have no part."""
    world, player = host.world, host.world.broke()[0]
    if world.hand_on or len(world.broke()) > 1 or len(world.match) < 3:
        return None
    world.drop(player)
    line = host.deal()
    world.log("player_knocked_out", player=player)
    return Fault(line, "match", player)


@kind("knock-out-wrong", "deal", seats=(3, 8), where=lambda game: paid_in_tokens(game) and not game.pot)
def knock_out_wrong(host: Host) -> Fault | None:
    """`match`: a player who still has tokens is put out of the match."""
    world = host.world
    if not last_event(world, "tokens_lost") or len(world.match) < 3:
        return None
    player = host.rng.choice(world.playing())
    return Fault(world.knock_out(player), "match", player)


def pays_nothing(line: int, player: str) -> Check:
    """In the hand dealt in that line the player loses nothing."""

    def check(events: list[dict[str, Any]]) -> bool:
        rest = events[line:]
        end = next((at for at, event in enumerate(rest) if event["type"] == "hand_dealt"), len(rest))
        return not any(event["type"] == "tokens_lost" and event["player"] == player for event in rest[:end])

    return check


@kind("knocked-out-but-dealt-in", "deal", seats=(3, 8), where=paid_in_tokens, share=0.6)
def knocked_out_but_dealt_in(host: Host) -> Fault | None:
    """`deal`: a player who is out of the match is dealt in, and plays a hand."""
    world = host.world
    gone = [name for name in world.chairs if name not in world.match | world.left]
    if not gone or last_event(world, "player_knocked_out"):
        return None
    player = host.rng.choice(gone)
    line = host.deal(names=[name for name in world.chairs if name in world.match or name == player])
    return Fault(line, "deal", None, True, (pays_nothing(line, player),))


@kind("left-out-of-a-deal", "deal", seats=(4, 8))
def left_out_of_a_deal(host: Host) -> Fault | None:
    """`deal`: a player of the match is not dealt in, and sits that hand out."""
    world = host.world
    if len(world.match) < 4:
        return None
    dealer = host.rng.choice(world.playing()) if world.dealer is None else world.next_dealer()
    starter = world.beside(dealer, world.match)
    missing = host.rng.choice([name for name in world.playing() if name not in (dealer, starter)])
    line = host.deal(dealer, [name for name in world.playing() if name != missing])
    return Fault(line, "deal", None)


@kind("left-but-not-out", "play", seats=(4, 8), where=lambda game: not game.pot, share=0.1)
def left_but_not_out(host: Host) -> Fault | None:
    """`out`: a player leaves inside a hand and nobody writes that they are out."""
    world = host.world
    names = inside(world, world.turn)
    if len(names) < 3 or not can_play(world, world.turn) or not host.may_leave():
        return None
    player = host.rng.choice(names)
    world.leave(player)
    world.put_out(player)
    line = next_line(world)
    return Fault(line, "out", player, True, (is_a(line, "card_played", world.turn),))


@kind("joined-a-match", "deal")
def joined_a_match(host: Host) -> Fault | None:
    """`match`: somebody joins a match that has begun."""
    world = host.world
    if not world.deals:
        return None
    player = next(name for name in NAMES if name not in world.chairs)
    return Fault(world.log("player_joined", player=player), "match", player)


# The winner of the match


def rematch(host: Host) -> int:
    """A deal to all who have not left, as if a new match began; it doesn't note what they have."""
    host.habits = QUIET
    return host.deal(names=[name for name in host.world.chairs if name not in host.world.left])


@kind("winner-missing-dealt-again", "crown", share=1)
def winner_missing_dealt_again(host: Host) -> Fault | None:
    """`match`: the match is won, but the next hand is dealt to all."""
    champion = host.world.champion()
    line = rematch(host)
    return Fault(line, "match", champion, stops=True)


@kind("winner-missing-closed", "crown", share=1)
def winner_missing_closed(host: Host) -> Fault | None:
    """`match`: the match is won, and the game is closed without a word of it."""
    champion = host.world.champion()
    return Fault(host.world.close(), "match", champion, stops=True)


@kind("won-by-another", "crown", share=1)
def won_by_another(host: Host) -> Fault | None:
    """`match`: the wrong player wins the match."""
    world, champion = host.world, host.world.champion()
    assert champion is not None
    wrong = host.rng.choice([name for name in world.chairs if name != champion])
    return Fault(world.win(wrong, world.prize(champion)), "match", wrong)


@kind("won-another-number", "crown", share=1)
def won_another_number(host: Host) -> Fault | None:
    """`match`: the winner is said to have more or less than they have."""
    world, champion = host.world, host.world.champion()
    assert champion is not None
    return Fault(world.win(champion, world.prize(champion) + host.rng.choice([-1, 1, 2])), "match", champion)


@kind("won-too-soon", "deal")
def won_too_soon(host: Host) -> Fault | None:
    """`match`: the match is won while others could still win it."""
    world = host.world
    if not last_event(world, "tokens_lost"):
        return None
    player = host.rng.choice(world.playing())
    return Fault(world.win(player, world.prize(player)), "match", player)


@kind("dealt-after-the-match", "over", share=1)
def dealt_after_the_match(host: Host) -> Fault | None:
    """`match`: a hand is dealt after the match was won."""
    return Fault(rematch(host), "match", None, stops=True)


# What has no place in these games, or not there


@kind("hand-won", "deal")
def hand_won(host: Host) -> Fault | None:
    """`log-order`: somebody is said to have won a hand; nobody wins one here."""
    world = host.world
    if not last_event(world, "tokens_lost"):
        return None
    player = host.rng.choice(world.playing())
    return Fault(world.log("hand_won", player=player), "log-order", player)


@kind("hit-in-a-match", "deal", "play", share=0.1)
def hit_in_a_match(host: Host) -> Fault | None:
    """`log-order`: somebody takes, leaves or gives a hit; there is no prize here."""
    world = host.world
    player, other = host.rng.sample(world.playing(), 2)
    type_ = host.rng.choice(["hit_taken", "hit_carried", "hit_donated"])
    to = {"to": other} if type_ == "hit_donated" else {}
    return Fault(world.log(type_, player=player, prize="main", hits=1, **to), "log-order", player)


def stray_play(host: Host, player: str) -> int | None:
    """A card is played outside of a hand; it lies there until the next deal."""
    world = host.world
    moves = plain(world, player)
    if not moves:
        return None
    move = host.rng.choice(moves)
    return world.log("card_played", player=player, card=move.card, count=move.total)


@kind("played-after-a-void", "play", share=0.1)
def played_after_a_void(host: Host) -> Fault | None:
    """`log-order`: a card is played after the hand was voided."""
    world, player = host.world, host.world.turn
    if world.plays < 3 or not plain(world, player) or world.aside:
        return None
    world.void("the deck was short")
    line = stray_play(host, player)
    return None if line is None else Fault(line, "log-order", player)


@kind("played-after-a-loss", "deal", where=lambda game: not game.rolling and not game.borders)
def played_after_a_loss(host: Host) -> Fault | None:
    """`log-order`: a card is played between a lost hand and the next deal; more than one was still in."""
    world = host.world
    players = sorted(world.inside & world.match)
    if not last_event(world, "tokens_lost") or not players or len(world.inside) < 2:
        return None
    player = host.rng.choice(players)
    line = stray_play(host, player)
    return None if line is None else Fault(line, "log-order", player)


@kind("played-before-the-deal", "deal", share=1)
def played_before_the_deal(host: Host) -> Fault | None:
    """`log-order`: a card is played before anything was dealt."""
    world = host.world
    if world.deals:
        return None
    player = host.rng.choice(world.playing())
    return Fault(world.log("card_played", player=player, card="7h", count=7), "log-order", player)


@kind("dealt-inside-a-hand", "play", share=0.05)
def dealt_inside_a_hand(host: Host) -> Fault | None:
    """`log-order`: the next dealer deals while a hand is on."""
    world = host.world
    if world.plays < 3 or just_drew(world) is None or world.aside or world.game.borders or world.game.exact:
        return None
    return Fault(host.deal(world.next_dealer()), "log-order", None)
