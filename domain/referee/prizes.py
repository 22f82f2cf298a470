"""Judging the end of a hand: steal, bonus, slide, and who takes, gives or leaves the hits."""

from domain import events as ev
from domain.cards import card_name, counted
from domain.prize import Prize
from domain.referee.dues import due_slide, next_club
from domain.referee.frame import missing_steal, no_win, open_steal
from domain.referee.outs import closed, contradiction, judge_cards_shown
from domain.referee.verdicts import Expected, Fault, FaultKind, Holds, Open, Question, Verdict, nonsense
from domain.rule_sets import PrizeRules
from domain.table import Table


def _too_early(table: Table, player: str) -> Fault | None:
    """`log-order`: no prize before a win, which may itself be missing."""
    if table.rules.prize is None:
        return nonsense(player, "this game is played without a prize")
    if table.awaiting == "prize":
        return None
    if table.awaiting == "win":
        return no_win(table, "log-order", f"{player} has a part in the prize")
    message = "there is no prize before a hand is won"
    return closed(table, player) or Fault(rule="log-order", kind="prize before a win", player=player, message=message)


def judge_steal(table: Table, event: ev.HitStolen) -> Verdict:
    """`steal`: a player who is out shows the stealing card and takes the hit from the winner."""
    player, rules = event.player, table.rules.prize
    fault = _too_early(table, player)
    if fault is not None or rules is None:
        return fault
    misplaced = None
    if event.source != table.winner:
        misplaced = f"the hit is {table.winner}'s, not {event.source}'s"
    elif player == table.winner or player not in table.hands:
        misplaced = f"{player} is not out of this hand"
    wrong = _cannot_move(table, player, rules, misplaced)
    if wrong is not None:
        message = f"{player} steals the hit from {event.source}, but {wrong}"
        return Fault(rule="steal", kind="wrong steal", player=player, card=rules.thief, message=message)
    return _settled_early(table.prize("main"), "steal", player) or contradiction(table, player, rules.thief)


def judge_bonus(table: Table, event: ev.BonusCreated) -> Verdict:
    """`bonus`: a winner who holds the stealing card keeps the hit, and one more comes into being."""
    player, rules = event.player, table.rules.prize
    fault = _too_early(table, player)
    if fault is not None or rules is None:
        return fault
    misplaced = f"{table.winner} won the hand" if player != table.winner else None
    wrong = _cannot_move(table, player, rules, misplaced)
    if wrong is not None:
        message = f"a bonus hit comes into being for {player}, but {wrong}"
        return Fault(rule="bonus", kind="wrong bonus", player=player, card=rules.thief, message=message)
    return _settled_early(table.prize("main"), "bonus", player)


def _cannot_move(table: Table, player: str, rules: PrizeRules, misplaced: str | None) -> str | None:
    """Why a player cannot steal, or create a bonus: it was done, it is `misplaced`, or the card is elsewhere."""
    if table.prizes_moved:
        return "the prize of this hand has been stolen, or a bonus made, already"
    if misplaced is None and not table.may_hold(player, rules.thief):
        return f"{player} does not hold {card_name(rules.thief)}"
    return misplaced


def _settled_early(prize: Prize | None, rule: str, player: str) -> Fault | None:
    """A steal, bonus or slide that comes after the hits were settled proves that the settling came too early."""
    if prize is None or prize.settled_at is None:
        return None
    message = f"the {prize.name} prize was settled before the {rule} that {player} had coming"
    kinds = {"steal": "hit_stolen", "bonus": "bonus_created", "slide": "hit_slid"}
    allowed = Expected(kinds[rule], player, None, f"first the {rule} that is {player}'s")
    return Fault(
        rule=rule, kind="settled early", player=player, message=message, line=prize.settled_at, allowed=allowed
    )


def judge_shown(table: Table, event: ev.CardsShown) -> Fault | None:
    """What cards that are shown break, or prove of earlier lines: after a win also of the prize."""
    return judge_cards_shown(table, event) or _shown_too_late(table, event)


def _shown_too_late(table: Table, event: ev.CardsShown) -> Fault | None:
    """A shown card proves that a steal, a bonus or a step of the slide was due when the hits were settled."""
    rules = table.rules.prize
    if table.awaiting != "prize" or rules is None:
        return None
    main = table.prize("main")
    if not table.prizes_moved and rules.thief in event.cards:
        rule = "bonus" if event.player == table.winner else "steal"
        return _settled_early(main, rule, event.player)
    for prize in table.prizes:
        if next_club(prize, rules) in event.cards:
            return _settled_early(prize, "slide", event.player)
    return None


def judge_slide(table: Table, event: ev.HitSlid) -> Verdict:
    """`slide`: one step to the holder of the next club down, until one that nobody holds."""
    rules = table.rules.prize
    fault = _too_early(table, event.player)
    if fault is not None or rules is None:
        return fault
    prize = table.prize(event.prize)
    if not table.prizes_moved:
        fault = missing_steal(table)
        if fault is not None:
            return fault
        if event.prize == "bonus" and table.winner is not None and table.may_hold(table.winner, rules.thief):
            message = f"a bonus hit slides, but none came into being for {table.winner}"
            return Fault(rule="bonus", kind="no bonus", player=table.winner, message=message)
    wrong = _wrong_slide(table, event, prize)
    if wrong is not None:
        message = f"the {event.prize} prize slides to {event.player} with {card_name(event.card)}, but {wrong}"
        return Fault(rule="slide", kind="wrong slide", player=event.player, card=event.card, message=message)
    return _settled_early(prize, "slide", event.player) or contradiction(table, event.player, event.card)


def _wrong_slide(table: Table, event: ev.HitSlid, prize: Prize | None) -> str | None:
    rules = table.rules.prize
    if prize is None or rules is None:
        return "there is no such prize"
    if prize.step is None:
        return "it was not stolen, and a hit that was not stolen never moves"
    club = next_club(prize, rules)
    if club is None:
        return "the slide has come to the end of the clubs"
    if event.card != club:
        return f"the next club is {card_name(club)}"
    if event.source != prize.holder:
        return f"it is {prize.holder}'s, not {event.source}'s"
    if not table.may_hold(event.player, event.card):
        return f"{event.player} does not hold {card_name(event.card)}"
    return None


def judge_settling(table: Table, event: ev.HitTaken | ev.HitCarried | ev.HitDonated) -> Verdict:
    """`prize`: whoever ends up with hits takes, gives or leaves them; the hits are the hits at stake (R4, R5)."""
    player = event.player
    fault = _too_early(table, player) or missing_steal(table)
    if fault is not None:
        return fault
    prize = table.prize(event.prize)
    if prize is None:
        return _no_such_prize(table, event)
    slide = due_slide(table, prize) if prize.step is not None and prize.settled_at is None else None
    if slide is not None:
        club, holder = slide
        message = f"{holder} holds {card_name(club)}, but the {prize.name} prize did not slide to them"
        return Fault(rule="slide", kind="no slide", player=holder, card=club, message=message)
    wrong = None
    if player != prize.holder:
        wrong = f"it is {prize.holder}'s"
    elif prize.hits is not None and not 0 < event.hits <= prize.hits:
        wrong = f"it has {counted(prize.hits, 'hit')} left to settle"
    elif isinstance(event, ev.HitDonated) and event.to == player:
        wrong = "a gift goes to another player"
    if wrong is not None:
        does = {ev.HitTaken: "takes", ev.HitCarried: "leaves", ev.HitDonated: "gives"}[type(event)]
        message = f"{player} {does} {event.hits} of the {prize.name} prize, but {wrong}"
        return Fault(rule="prize", kind="wrong settling", player=player, message=message)
    return (open_steal(table) or _open_slide(table, prize)) if table.unplaced else None


def _no_such_prize(table: Table, event: ev.HitTaken | ev.HitCarried | ev.HitDonated) -> Fault:
    rules, winner = table.rules.prize, table.winner
    if event.prize == "bonus" and rules and winner and not table.prizes_moved and table.may_hold(winner, rules.thief):
        message = f"a bonus hit is settled, but none came into being for {winner}"
        return Fault(rule="bonus", kind="no bonus", player=winner, message=message)
    message = f"{event.player} settles a {event.prize} prize, but there is none"
    kind: FaultKind = "wrong prize" if event.prize == "bonus" else "nonsense"
    return Fault(rule="prize", kind=kind, player=event.player, message=message)


def _open_slide(table: Table, prize: Prize) -> Open | None:
    """Whether a step of the slide is missing turns on cards nobody logged; asked when its first hits are settled."""
    club = next_club(prize, table.rules.prize) if table.rules.prize else None
    if club not in table.unplaced or not table.any_unseen or prize.settled_at is not None:
        return None
    name = card_name(club)
    allowed = Expected("hit_slid", None, [club], f"the {prize.name} prize slides to whoever holds {name}")
    message = f"somebody holds {name}, but the {prize.name} prize did not slide to them"
    fault = Fault(rule="slide", kind="no slide", player=None, message=message, allowed=allowed)
    return Open("slide", questions=(Question(Holds(tuple(table.hands), frozenset((club,))), fault),))
