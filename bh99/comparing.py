"""Two accounts of one hand: `diff`, and what it answers (docs/worlds.md)."""

import os

import msgspec

from bh99.deducing import Deduction, deduce
from bh99.errors import NoWorlds
from bh99.logs import Log
from domain import events as ev
from domain.rule_sets import RuleSet
from domain.shipped_rules import rules_of
from projections.accounts import Together, laid_together
from projections.finding import Finding
from projections.sentences import sentence

CANNOT_BE: tuple[str, ...] = ("deck", "hold-card")
"""Rules whose proved finding says that what was written down can't have happened."""

NO_DEAL = "no deal agrees"
"""So begins the message of a finding that says so, whatever its rule."""


class Account(msgspec.Struct, frozen=True):
    """One of the accounts: what it says where they part, which of its lines tell more than the other, what is proved
    of it, whether it can have happened, and what it implies at the parting that the other one doesn't.

    `holds`: for each seat, the cards that it must hold there by this account alone.
    """

    name: str
    line: int | None
    says: str | None
    tells_more_on: list[int]
    findings: list[Finding]
    can_have_happened: bool
    holds: dict[str, list[str]]


class Difference(msgspec.Struct, frozen=True):
    """What `diff` answers. `field`: where the parting lines differ, "type" if they tell different events.

    `both_can_be_true`: whether some deal agrees with both accounts at once; `why` says it in a sentence.
    """

    parted: bool
    field: str | None
    one: Account
    other: Account
    both_can_be_true: bool
    why: str
    together: list[Finding]


def diff(
    one: Log | str | os.PathLike[str],
    other: Log | str | os.PathLike[str],
    *,
    rules: RuleSet | None = None,
    store: str | None = None,
) -> Difference:
    """Compare two accounts of one hand, in files or stored games.

    Raises LogUnreadable with all bad lines, of the first account that can't be read.
    """
    told = [deduce(log, rules=rules, store=store) for log in (one, other)]
    together = laid_together(told[0].events, told[1].events)
    parting = together.parting
    found: list[Finding] = []
    if parting is None:
        found = list(Deduction("both", together.events).proved)
    lines = _where(together)
    accounts = [_account(told[which], lines[which], together, which) for which in (0, 1)]
    both, why = _both_can_be_true(together, found, [account.can_have_happened for account in accounts])
    unlike = [
        {player: [card for card in cards if card not in accounts[1 - which].holds.get(player, [])]
         for player, cards in accounts[which].holds.items()}
        for which in (0, 1)
    ]  # fmt: skip
    first, second = (
        msgspec.structs.replace(account, holds={player: cards for player, cards in holds.items() if cards})
        for account, holds in zip(accounts, unlike, strict=True)
    )
    return Difference(parting is not None, parting and parting.field, first, second, both, why, found)


def _where(together: Together) -> tuple[int | None, int | None]:
    """The lines at which the accounts part, or the last that they have in common."""
    if together.parting is not None:
        return together.parting.line, together.parting.other
    common = [lines for lines in together.lines if None not in lines]
    return common[-1] if common else (None, None)


def _account(told: Deduction, line: int | None, together: Together, which: int) -> Account:
    findings = list(told.proved)
    says = None
    if together.parting is not None and line is not None:
        opened = told.events[0]
        assert isinstance(opened, ev.GameOpened), "a log begins with game_opened"
        says = sentence(told.events[line - 1], rules_of(opened.rules).says)
    holds: dict[str, list[str]] = {}
    if line is not None:
        try:
            holds = {seat.name: list(seat.must_hold) for seat in told.worlds(line).seats}
        except NoWorlds:
            holds = {}
    return Account(
        name=told.name,
        line=line if together.parting is not None else None,
        says=says,
        tells_more_on=together.told_by_other if which else together.told_by_one,
        findings=findings,
        can_have_happened=not any(map(_cannot_be, findings)),
        holds=holds,
    )


def _cannot_be(finding: Finding) -> bool:
    return finding.rule in CANNOT_BE or finding.message.startswith(NO_DEAL)


def _both_can_be_true(together: Together, found: list[Finding], alone: list[bool]) -> tuple[bool, str]:
    """`alone`: whether each account can have happened by itself."""
    if together.parting is not None:
        what = "tell different events" if together.parting.field == "type" else f"differ in “{together.parting.field}”"
        return False, f"both can't be true: the lines where they part {what}"
    against = next(filter(_cannot_be, found), None)
    if against is None:
        return True, "both can be true: some deal agrees with both at once"
    for account, name in zip(alone, ("first", "second"), strict=True):
        if not account:
            return False, f"both can't be true: the {name} can't be true by itself"
    lines = together.lines[against.line - 1]
    where = " and ".join(
        f"line {line} of the {name}" for line, name in zip(lines, ("first", "second"), strict=True) if line
    )
    return False, f"both can't be true: with {where} no deal is left that agrees with both ({against.message})"
