"""Broken turns: who acts, and which way play goes."""

from broken_match_base import (
    Fault,
    NoChance,
    acts,
    can_play,
    inside,
    is_a,
    kind,
    next_line,
    plain,
    stuck_loses,
    turn,
)
from legal_matches import Host

# The direction of play


def turned(host: Host, turns: bool) -> tuple[str, str, int] | None:
    """A turn of a card that turns, or of one that doesn't: who is next by it, who sits on the other side, which way."""
    world = host.world
    player, way = world.turn, world.direction
    turning = [move for move in world.moves(player) if move.card[0] in world.game.turns]
    moves = turning if turns else plain(world, player)
    if len(world.inside) < 3 or not moves:
        return None
    move = host.choice(moves)
    turned_way = -way if turns else way
    right, wrong = world.beside(player, world.inside, turned_way), world.beside(player, world.inside, -turned_way)
    if not can_play(world, right, move.total):
        return None
    turn(host, player, move)
    return right, wrong, turned_way


def turned_wrong(host: Host, turns: bool) -> Fault | None:
    """The next player is the one on the wrong side, and play goes on that way."""
    world = host.world
    sides = turned(host, turns)
    if sides is None:
        return None
    _, wrong, way = sides
    world.turn, world.direction = wrong, -way
    line = next_line(world)
    return Fault(line, "turn-order", wrong, True, (acts(line, wrong),))


@kind("direction-not-turned", "play", seats=(3, 8))
def direction_not_turned(host: Host) -> Fault | None:
    """`turn-order`: a card turns the direction, and play goes on as before."""
    return turned_wrong(host, True)


@kind("direction-turned-without-reason", "play", seats=(3, 8), share=0.05)
def direction_turned_without_reason(host: Host) -> Fault | None:
    """`turn-order`: play goes back the other way though no card turned it."""
    return turned_wrong(host, False)


@kind("direction-not-turned-goes-back", "play", seats=(3, 8))
def direction_not_turned_goes_back(host: Host) -> Fault | None:
    """`turn-order`: the player on the wrong side plays, then the one on the right side does."""
    world = host.world
    sides = turned(host, True)
    if sides is None:
        return None
    right, wrong, way = sides
    if not plain(world, wrong) or world.moves(right) == []:
        raise NoChance
    line = turn(host, wrong, host.choice(plain(world, wrong)))
    world.turn, world.direction = right, way
    return Fault(line, "turn-order", wrong, True, (acts(next_line(world), right),))


def between_two(host: Host) -> tuple[str, str] | None:
    """A turn of a turning card between two players: who played it and the other."""
    world = host.world
    player = world.turn
    moves = [move for move in world.moves(player) if move.card[0] in world.game.turns]
    if len(world.inside) != 2 or not moves:
        return None
    other = world.next_in(player)
    if not can_play(world, other):
        return None
    turn(host, player, host.choice(moves))
    return player, other


@kind("turned-between-two", "play", where=lambda game: not game.four_again)
def turned_between_two(host: Host) -> Fault | None:
    """`turn-order`: between two players who plays a turning card acts again, though it has no effect."""
    world = host.world
    pair = between_two(host)
    if pair is None:
        return None
    world.turn = pair[0]
    line = next_line(world)
    return Fault(line, "turn-order", pair[0], True, (acts(line, pair[0]),))


@kind("four-again-not-taken", "play", where=lambda game: game.four_again)
def four_again_not_taken(host: Host) -> Fault | None:
    """`turn-order`: between two players the other acts after a four that gives another turn."""
    world = host.world
    pair = between_two(host)
    if pair is None:
        return None
    if not can_play(world, pair[0]):
        raise NoChance
    world.turn = pair[1]
    line = next_line(world)
    return Fault(line, "turn-order", pair[1], True, (acts(line, pair[1]),))


@kind("skipped-player-acts", "play", where=lambda game: bool(game.skips), share=1)
def skipped_player_acts(host: Host) -> Fault | None:
    """`turn-order`: the player who is skipped acts all the same."""
    world = host.world
    player = world.turn
    moves = [move for move in world.moves(player) if move.card[0] in world.game.skips]
    if not moves:
        return None
    turn(host, player, host.choice(moves))
    if not can_play(world, world.turn):
        raise NoChance
    skipped = world.next_in(player)
    world.turn = skipped
    line = next_line(world)
    return Fault(line, "turn-order", skipped, True, (acts(line, skipped),))


@kind("another-than-the-chosen-acts", "play", seats=(3, 8), where=lambda game: bool(game.chooses), share=1)
def another_than_the_chosen_acts(host: Host) -> Fault | None:
    """`turn-order`: a card chooses who is next, and somebody else acts."""
    world = host.world
    player = world.turn
    moves = [move for move in world.moves(player) if move.card[0] in world.game.chooses]
    if len(world.inside) < 3 or not moves:
        return None
    turn(host, player, host.choice(moves))
    if not can_play(world, world.turn):
        raise NoChance
    other = host.rng.choice(inside(world, player, world.turn))
    world.turn = other
    line = next_line(world)
    return Fault(line, "turn-order", other, True, (acts(line, other),))


# Whose turn it is


def out_of_turn(host: Host, nearest: bool, starts: bool | None = False) -> tuple[int, str, str] | None:
    """Somebody plays though the one to act could: line, who played, who was to act. `starts`: on an empty pile."""
    world = host.world
    passed = world.turn
    if (world.plays == 0) != starts or not can_play(world, passed) or len(world.inside) < 3:
        return None
    names = [world.next_in(passed)] if nearest else inside(world, passed)
    names = [name for name in names if plain(world, name)]
    if not names:
        return None
    player = host.rng.choice(names)
    return turn(host, player, host.choice(plain(world, player))), player, passed


@kind("passed-over", "play", seats=(3, 8), share=0.1)
def passed_over(host: Host) -> Fault | None:
    """`turn-order`: a player who could play is passed over; play goes on from there."""
    made = out_of_turn(host, True)
    return made and Fault(made[0], "turn-order", made[1])


@kind("out-of-turn-goes-back", "play", seats=(3, 8), share=0.1)
def out_of_turn_goes_back(host: Host) -> Fault | None:
    """`turn-order`: somebody plays too soon, then the one who was to act does."""
    made = out_of_turn(host, False)
    if made is None:
        return None
    host.world.turn = made[2]
    return Fault(made[0], "turn-order", made[1], True, (is_a(next_line(host.world), "card_played", made[2]),))


@kind("wrong-starter", "play", seats=(3, 8), share=1)
def wrong_starter(host: Host) -> Fault | None:
    """`turn-order`: the dealer's left doesn't start, the seat after them does."""
    if host.world.aside:
        return None
    made = out_of_turn(host, True, True)
    return made and Fault(made[0], "turn-order", made[1])


@kind("wrong-starter-after-a-loss", "play", seats=(4, 8), where=lambda game: game.rolling, share=1)
def wrong_starter_after_a_loss(host: Host) -> Fault | None:
    """`turn-order`: the pile is taken away, and not the next player in the direction of play starts the new one."""
    if not host.world.aside:
        return None
    made = out_of_turn(host, True, True)
    return made and Fault(made[0], "turn-order", made[1])


@kind("out-of-turn-going-out", "play", seats=(3, 8), where=stuck_loses, share=1)
def out_of_turn_going_out(host: Host) -> Fault | None:
    """`turn-order`: a stuck player goes out, and pays, before their turn, though the one to act could play."""
    world = host.world
    stuck = [name for name in inside(world, world.turn) if not can_play(world, name)]
    if not stuck or not can_play(world, world.turn):
        return None
    player = host.rng.choice(stuck)
    line = world.out(player, "no_play")
    if world.hand_on:
        world.turn = world.next_in(player)
    return Fault(line, "turn-order", player)


@kind("stuck-passed-over", "play", seats=(3, 8), where=stuck_loses, share=1)
def stuck_passed_over(host: Host) -> Fault | None:
    """`out`: a stuck player is passed over without a word, and the next plays."""
    world = host.world
    player, after = world.turn, world.next_in(world.turn)
    if can_play(world, player) or len(world.inside) < 3 or not can_play(world, after):
        return None
    world.turn = after
    line = next_line(world)
    return Fault(line, "out", player, (line, "turn-order", after), (is_a(line, "card_played", after),))
