"""`bh99 diff`: two accounts of one hand."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.output import (
    BROKEN_RULE,
    RulesOption,
    StoreOption,
    a_reader_may_leave,
    clear_errors,
    put_json,
    rules_given,
    say,
)

if TYPE_CHECKING:
    from bh99.comparing import Account, Difference


def diff(
    one: Annotated[str, typer.Argument(metavar="A", help="One account: a log, or a stored game.")],
    other: Annotated[str, typer.Argument(metavar="B", help="The other account.")],
    rules: RulesOption = None,
    format: Annotated[Literal["text", "json"], typer.Option("--format", help="text or json.")] = "text",
    store: StoreOption = None,
) -> None:
    """Say where two accounts of a hand part, what each implies, and whether both can be true.

    \b
    Examples:
      bh99 diff anas.jsonl bens.jsonl
    """
    from bh99.comparing import diff as compare

    if one == other == "-":
        raise typer.BadParameter("standard input can't be both accounts", param_hint="B")
    with clear_errors():
        found = compare(one, other, rules=rules_given(rules), store=store)
    with a_reader_may_leave():
        if format == "json":
            put_json(found)
        else:
            say("\n".join(_in_words(found)))
    if found.one.findings or found.other.findings or not found.both_can_be_true:
        raise typer.Exit(BROKEN_RULE)


def _in_words(found: "Difference") -> list[str]:
    lines = ["They part here:" if found.parted else "They don't part: each line of one fits the other."]
    parts = [account for account in (found.one, found.other) if account.says is not None]
    lines += [f"  {account.name}, line {account.line}: {account.says}" for account in parts]
    for account in (found.one, found.other):
        lines += ["", f"{account.name}:", *(f"  {line}" for line in _account(account, found))]
    return [*lines, "", found.why[0].upper() + found.why[1:] + "."]


def _account(account: "Account", found: "Difference") -> list[str]:
    from domain.cards import card_name
    from projections.drawing import finding_lines, lines_named

    lines = []
    if account.tells_more_on:
        lines.append(f"tells more than the other on {lines_named(account.tells_more_on)}")
    for player, cards in account.holds.items():
        named = ", ".join(card_name(card) for card in cards)  # type: ignore[arg-type]
        lines.append(f"by this account alone, {player} must hold there: {named}")
    if not account.can_have_happened:
        lines.append("it can't have happened as it is written down:")
    elif account.findings:
        lines.append("a rule is broken in it:")
    else:
        lines.append("no broken rule is proved in it")
    for finding in account.findings:
        lines += [f"  {line}" for line in finding_lines(finding)]
    return lines
