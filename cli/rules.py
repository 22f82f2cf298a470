"""`bh99 rules`: the rules and our rulings, in our own words."""

from typing import Annotated

import typer

from cli.output import WRONG_USE, a_reader_may_leave, complain, say


def rules(
    slug: Annotated[
        str | None, typer.Argument(metavar="[SLUG]", help="A rule or a ruling, such as must-play or R6.")
    ] = None,
) -> None:
    """Explain a rule and the rulings on it; without a slug, list them all.

    \b
    Examples:
      bh99 rules
      bh99 rules death-card-shield
      bh99 rules R6
    """
    from projections.printable import printable
    from projections.rule_pages import overview, rule_page

    if slug is None:
        with a_reader_may_leave():
            say(overview())
        return
    page = rule_page(slug)
    if page is None:
        complain(f"there is no rule or ruling {printable(slug)}; bh99 rules lists them")
        raise typer.Exit(WRONG_USE)
    with a_reader_may_leave():
        say(page)
