"""`bh99 rulesets`: the rule sets that come with bh99, and any of them as TOML."""

from typing import Annotated

import typer

from cli.output import a_reader_may_leave, clear_errors, say

rulesets = typer.Typer(help="List the rule sets, or print one as TOML to begin your own with.")


@rulesets.callback(invoke_without_command=True)
def list_rule_sets(context: typer.Context) -> None:
    """List the rule sets that are known here, with their editions and options.

    \b
    Examples:
      bh99 rulesets
      bh99 rulesets show ninety-nine-pennies+rolling > ours.toml
    """
    if context.invoked_subcommand is not None:
        return
    from projections.rule_set_pages import list_of_sets

    with a_reader_may_leave():
        say(list_of_sets())


@rulesets.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME[+OPTION…]", help="A rule set, or a TOML file.")],
) -> None:
    """Print a rule set as TOML, whole: it reads back as the same set (docs/house-rules.md).

    \b
    Examples:
      bh99 rulesets show bong-hit-99
      bh99 rulesets show ours.toml
    """
    with clear_errors():
        from bh99.rule_files import read_rules, rules_toml

        text = rules_toml(read_rules(name))
    with a_reader_may_leave():
        say(text.rstrip("\n"))
