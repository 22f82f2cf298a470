"""Broken totals, limits, and going out."""

from broken_match_base import (
    Fault,
    NoChance,
    can_play,
    just_drew,
    kind,
    last_event,
    plain,
    refill,
    stuck_loses,
    turn,
)
from legal_matches import Host
from match_table import LIMIT, Game, Move

# The total


def near(host: Host, card: str, right: int) -> list[int]:
    """Totals that the card can't give, and that would cost nobody anything."""
    world, game = host.world, host.world.game
    given = {move.total for move in game.moves(card, world.total)}
    totals = [total for total in range(right - 12, min(LIMIT, right + 12) + 1) if total not in given]
    if game.floor is not None:
        totals = [total for total in totals if total >= game.floor]
    return [total for total in totals if total not in game.exact and not game.crossed(world.total, total)]


def miscall(host: Host) -> tuple[int, str, int, int] | None:
    """A play with a wrong total: line, player, the right total and the said one."""
    world, player = host.world, host.world.turn
    moves = plain(world, player)
    if not moves:
        return None
    move = host.choice(moves)
    totals = near(host, move.card, move.total)
    if not totals:
        return None
    said = host.rng.choice(totals)
    return host.play(player, move, count=said, value=None), player, move.total, said


@kind("count-miscalled", "play", share=0.1)
def count_miscalled(host: Host) -> Fault | None:
    """`count-called`: a wrong total is said; the next one follows from the cards."""
    made = miscall(host)
    return made and Fault(made[0], "count-called", made[1])


@kind("count-taken-over", "play", share=0.1)
def count_taken_over(host: Host) -> Fault | None:
    """`count-called`: a wrong total is said and the table goes on from it."""
    made = miscall(host)
    if made is None:
        return None
    host.world.total = made[3]
    return Fault(made[0], "count-called", made[1])


@kind("count-put-right", "play", share=0.1)
def count_put_right(host: Host) -> Fault | None:
    """`count-called`: a wrong total is said, count_corrected follows with the right one."""
    made = miscall(host)
    if made is None:
        return None
    refill(host, made[1])
    host.world.log("count_corrected", count=made[2])
    return Fault(made[0], "count-called", made[1])


@kind("value-and-count-at-odds", "play")
def value_and_count_at_odds(host: Host) -> Fault | None:
    """`count-called`: a choice is written with the total of the other choice; one of the two goes on."""
    world, player = host.world, host.world.turn
    moves = plain(world, player)
    pairs = [(one, two) for one in moves for two in moves if one.card == two.card and one.value != two.value]
    if not pairs:
        return None
    real, other = host.rng.choice(pairs)
    told = {"value": other.value} if host.rng.random() < 0.5 else {"count": other.total, "value": real.value}
    line = host.play(player, real, **told)
    return Fault(line, "count-called", player)


@kind("value-that-the-card-has-not", "play")
def value_that_the_card_has_not(host: Host) -> Fault | None:
    """`count-called`: the total is right, but the card can't have counted what is written."""
    world, player = host.world, host.world.turn
    moves = [move for move in plain(world, player) if move.value is not None]
    if not moves:
        return None
    move = host.choice(moves)
    value = host.rng.choice([2, 3, 5, 6, 7, 8, -10])
    if value in world.game.values[move.card[0]]:
        return None
    return Fault(host.play(player, move, value=value), "count-called", player)


@kind("pile-not-taken-away", "play", where=lambda game: game.rolling, share=1)
def pile_not_taken_away(host: Host) -> Fault | None:
    """`count-called`: after a loss the old total is not dropped, but goes on."""
    world, player = host.world, host.world.turn
    if world.plays or not world.aside:
        return None
    said = [event["count"] for event in world.events if event["type"] == "card_played"][-1]
    moves = [move for card in world.hands[player] for move in world.game.allowed(card, said) if move.value is not None]
    given = {move.card: {other.total for other in world.game.moves(move.card, 0)} for move in moves}
    moves = [move for move in moves if move.total not in given[move.card]]
    if not moves:
        return None
    return Fault(host.play(player, host.choice(moves), value=None), "count-called", player)


# The limit


def over(host: Host, said: str) -> Fault | None:
    """One of several cards is played although it takes the total over the limit."""
    world, player = host.world, host.world.turn
    cards = [card for card in world.hands[player] if all(m.total > LIMIT for m in world.game.moves(card, world.total))]
    if not cards or not can_play(world, player):
        return None
    card = host.rng.choice(cards)
    totals: dict[str, int | None] = {"over": world.game.moves(card, world.total)[0].total, "at": LIMIT, "not": None}
    return Fault(host.play(player, Move(card, None, LIMIT), count=totals[said]), "limit", player)


def limited(game: Game) -> bool:
    """A total over the limit can't be; as an exact hit it would be two things at once."""
    return stuck_loses(game) and not game.exact


@kind("limit-said-over", "play", where=limited)
def limit_said_over(host: Host) -> Fault | None:
    """`limit`: the said total is over 99 and goes on as 99."""
    return over(host, "over")


@kind("limit-said-99", "play", where=limited)
def limit_said_99(host: Host) -> Fault | None:
    """`limit`: a card that goes over is played and 99 is said."""
    return over(host, "at")


@kind("limit-unsaid", "play", where=limited)
def limit_unsaid(host: Host) -> Fault | None:
    """`limit`: a card that goes over is played and no total is noted."""
    return over(host, "not")


@kind("below-the-floor", "play", where=lambda game: game.floor is not None, share=1)
def below_the_floor(host: Host) -> Fault | None:
    """`limit`: a choice takes the total below what it may be; it goes on as the least it may be."""
    world, player, floor = host.world, host.world.turn, host.world.game.floor
    moves = [move for card in world.hands[player] for move in world.game.moves(card, world.total)]
    moves = [move for move in moves if floor is not None and floor - 12 < move.total < floor]
    if not moves or not can_play(world, player):
        return None
    line = host.play(player, host.rng.choice(moves))
    world.total = max(world.total, floor or 0)
    return Fault(line, "limit", player)


# Going out


def gives_up(host: Host) -> int | None:
    world = host.world
    return world.out(world.turn, "no_play") if can_play(world, world.turn) else None


@kind("gave-up", "play", where=stuck_loses, share=0.1)
def gave_up(host: Host) -> Fault | None:
    """`must-play`: out, and a token lost, though a card can be played."""
    world, player, total = host.world, host.world.turn, host.world.total
    sure = all(world.game.allowed(card, total) for card in world.game.decks(1)) and bool(world.hands[player])
    line = gives_up(host)
    return None if line is None else Fault(line, "must-play", player, sure)


@kind("gave-up-where-any-card-may-be-played", "play", where=lambda game: game.over_loses, share=0.1)
def gave_up_where_any_card_may_be_played(host: Host) -> Fault | None:
    """`must-play`: out with cards in hand where every card may be played."""
    player = host.world.turn
    line = gives_up(host)
    return None if line is None else Fault(line, "must-play", player)


@kind("out-player-plays", "play", seats=(4, 8), where=lambda game: game.rolling)
def out_player_plays(host: Host) -> Fault | None:
    """`out`: who sits out the rest of the hand plays a card and draws; the turn stays where it was."""
    world, now, way = host.world, host.world.turn, host.world.direction
    moves = {name: plain(world, name) for name in world.hands if name not in world.inside | world.left}
    players = [name for name in world.match if moves.get(name)]
    if not players or not can_play(world, now) or just_drew(world) is None:
        return None
    player = host.rng.choice(sorted(players))
    line = turn(host, player, host.choice(moves[player]))
    world.turn, world.direction = now, way
    if not can_play(world, now):
        raise NoChance
    return Fault(line, "out", player)


@kind("out-twice", "play", seats=(3, 8), where=lambda game: game.rolling)
def out_twice(host: Host) -> Fault | None:
    """`out`: somebody who sits out goes out again."""
    world = host.world
    players = [name for name in world.hands if name in world.match - world.inside]
    if not players or not can_play(world, world.turn) or not last_event(world, "card_drawn"):
        return None
    player = host.rng.choice(players)
    return Fault(world.log("player_eliminated", player=player, reason="no_play"), "out", player)
