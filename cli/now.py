"""`bh99 now`: where a game stands, in three sentences."""

from typing import Annotated, Literal

import typer

from cli.output import (
    BROKEN_RULE,
    RulesOption,
    StoreOption,
    a_reader_may_leave,
    clear_errors,
    notes_of,
    put_json,
    rules_given,
    say,
)


def now(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The log, or a stored game; - is standard input.")],
    seat: Annotated[str | None, typer.Option(metavar="NAME", help="Only what this player could know.")] = None,
    rules: RulesOption = None,
    format: Annotated[Literal["text", "json"], typer.Option("--format", help="text, or the table as JSON.")] = "text",
    store: StoreOption = None,
) -> None:
    """Say who is to act or deal, the Count and the pot, and who loads.

    \b
    Examples:
      bh99 now game.jsonl
      bh99 now game.jsonl --seat Ana
    """
    from bh99.audits import replay_log
    from bh99.sources import find_log
    from projections.table_view import three_sentences

    with clear_errors():
        opened = find_log(log, rules_given(rules), store)
        replay = replay_log(opened, seat=seat)
    notes_of(opened, opened.rules)
    view = replay.view_at(len(replay))
    with a_reader_may_leave():
        if format == "json":
            put_json(view)
        else:
            say(three_sentences(view))
    replay.judge_all()
    if replay.findings:
        raise typer.Exit(BROKEN_RULE)
