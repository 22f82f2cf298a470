"""What a command is answered with that the rules don't allow."""

from collections.abc import Sequence

from domain.referee.verdicts import Expected


class Refused(Exception):
    """A command that would break a rule; nothing has changed.

    rule: the slug of the rule. message: why, in one sentence. allowed: what may come instead, as far as the player who
    asked may know it.
    """

    def __init__(self, rule: str, message: str, allowed: Sequence[Expected] = ()) -> None:
        super().__init__(rule, message)
        self.rule = rule
        self.message = message
        self.allowed = list(allowed)

    def __str__(self) -> str:
        return f"{self.message} ({self.rule})"
