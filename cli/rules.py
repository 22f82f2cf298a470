"""`bh99 rules`: the rules and our rulings, in our own words."""

from typing import Annotated

import typer

from cli.output import WRONG_USE, a_reader_may_leave, clear_errors, complain, say


def rules(
    slug: Annotated[
        str | None, typer.Argument(metavar="[SLUG]", help="A rule or a ruling, such as must-play or R6.")
    ] = None,
    rule_set: Annotated[
        str | None, typer.Option("--set", metavar="NAME|FILE", help="Explain this rule set instead, or a TOML file.")
    ] = None,
) -> None:
    """Explain a rule and the rulings on it; without a slug, list them all.

    \b
    Examples:
      bh99 rules
      bh99 rules --set ninety-nine-pennies+rolling
      bh99 rules death-card-shield
      bh99 rules R6
    """
    from projections.printable import printable
    from projections.rule_pages import overview, rule_page

    if rule_set is not None:
        if slug is not None:
            raise typer.BadParameter("--set takes no SLUG", param_hint="--set")
        _explain_set(rule_set)
    elif slug is None:
        with a_reader_may_leave():
            say(overview())
    else:
        page = rule_page(slug)
        if page is None:
            complain(f"there is no rule or ruling {printable(slug)}; bh99 rules lists them")
            raise typer.Exit(WRONG_USE)
        with a_reader_may_leave():
            say(page)


def _explain_set(name: str) -> None:
    with clear_errors():
        from bh99.rule_files import read_rules
        from projections.rule_set_pages import rule_set_page

        page = rule_set_page(read_rules(name))
    with a_reader_may_leave():
        say(page)
