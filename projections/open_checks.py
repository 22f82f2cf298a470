"""The checks that a log leaves open, in words: what may be wrong, and what would settle it."""

from typing import NamedTuple

from domain.cards import card_names
from domain.referee.verdicts import Among, Question


class OpenCheck(NamedTuple):
    """A check that the log leaves open: where, which rule, what may be wrong, and what would settle it."""

    line: int
    rule: str
    player: str | None
    message: str
    settled_by: str


def open_check(line: int, rule: str, player: str | None, question: Question | None, hand: int) -> OpenCheck:
    """An open check of a hand; without a question it turns on more than cards."""
    if question is None:
        message = "whether this rule was broken turns on something that nobody wrote down"
        return OpenCheck(line, rule, player, message, _missing(line, rule, player))
    fault = question.fault
    message = f"it may be that {fault.message}"
    return OpenCheck(line, rule, fault.player, message, _settled_by(line, player, question, hand))


def doubtful(line: int, rule: str, player: str | None) -> OpenCheck:
    """A rule that is broken in some of the ways that the game may have gone."""
    message = "whether this rule was broken turns on which way the game went where the log is silent"
    return OpenCheck(line, rule, player, message, f"say what happened before line {line}")


def in_some_deals(line: int, rule: str, player: str | None) -> OpenCheck:
    """A rule that is broken in some of the deals that agree."""
    message = "in some of the deals that agree this rule is broken here, in others not"
    return OpenCheck(line, rule, player, message, f"say which cards were played and held unseen up to line {line}")


def _missing(line: int, rule: str, player: str | None) -> str:
    who = "somebody" if player is None else player
    match rule:
        case "loader":
            return f"say whether {who} had finished a bowl before line {line}"
        case "tokens" | "border":
            return f"say the Counts before and after the card that line {line} pays for"
        case "count-called":
            return f"say what {who} made the Count on line {line}"
    return f"say the Count that line {line} met"


def _settled_by(line: int, player: str | None, question: Question, hand: int) -> str:
    wrong_if = question.wrong_if
    if isinstance(wrong_if, Among):
        return f"say which card {player} played on line {line}"
    if len(wrong_if.players) == 1:
        return f"show {wrong_if.players[0]}'s cards of hand {hand}, as they were on line {line}"
    return f"show who held {card_names(sorted(wrong_if.cards))} at the end of hand {hand}"
