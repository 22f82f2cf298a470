"""`bh99 replay`: a game told line by line, stepped through, or shown at one line."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.output import (
    BROKEN_RULE,
    WRONG_USE,
    RulesOption,
    a_reader_may_leave,
    clear_errors,
    complain,
    notes_of,
    put_json,
    rules_given,
    say,
)

if TYPE_CHECKING:
    from projections.audit import Finding
    from projections.frames import Replay


def replay(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The log; - is standard input.")],
    hand: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only this hand.")] = None,
    start: Annotated[int | None, typer.Option("--from", metavar="N", min=1, help="From this line on.")] = None,
    to: Annotated[int | None, typer.Option(metavar="N", min=1, help="Up to this line.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Walk through it, the table after each line.")] = False,
    at: Annotated[int | None, typer.Option(metavar="N", min=1, help="The table after this line.")] = None,
    seat: Annotated[str | None, typer.Option(metavar="NAME", help="Only what this player could know.")] = None,
    rules: RulesOption = None,
    format: Annotated[Literal["text", "json"], typer.Option("--format", help="With --at: text or JSON.")] = "text",
) -> None:
    """Tell a recorded game in sentences, with the Count, who is to act, and each finding under its line.

    \b
    Examples:
      bh99 replay game.jsonl
      bh99 replay game.jsonl --hand 2
      bh99 replay game.jsonl --step
      bh99 replay game.jsonl --at 39 --seat Ana --format json
    """
    from bh99.audits import replay_log
    from bh99.errors import UnknownLine
    from bh99.logs import open_log

    if at is not None and (hand or start or to):
        raise typer.BadParameter("--at shows one line; it takes no --hand, --from or --to", param_hint="--at")
    if step and (hand or to):
        raise typer.BadParameter("--step takes no --hand or --to; --from says where it begins", param_hint="--step")
    if format == "json" and at is None:
        raise typer.BadParameter("json is for --at", param_hint="--format")
    upto = None if step else at if at is not None else to if seat is not None else None
    with clear_errors():
        opened = open_log(log, rules_given(rules))
        try:
            game = replay_log(opened, upto=upto, seat=seat)
        except UnknownLine:
            if at is not None:
                raise
            game = replay_log(opened, seat=seat)  # a stretch may reach beyond the end
    notes_of(opened, opened.rules)
    audit = game.audit_at(len(game))
    findings = audit.findings
    begin = at or start or 1
    with a_reader_may_leave():
        if step and begin <= len(game):
            from cli.stepping import step_through

            step_through(game, begin, findings_known_then=seat is not None)
        elif at is not None:
            _show_table(game, at, findings, format)
        elif step or not _tell(game, findings, hand, begin, to or len(game)):
            complain("nothing to tell: no line of the log is in that range")
            raise typer.Exit(WRONG_USE)
    if findings:
        raise typer.Exit(BROKEN_RULE)


def _show_table(game: "Replay", line: int, findings: list["Finding"], format: str) -> None:
    view = game.view_at(line)
    if format == "json":
        put_json(view)
        return
    from projections.transcript import frame_text

    say(frame_text(game, line, [finding for finding in findings if finding.line == line]))


def _tell(game: "Replay", findings: list["Finding"], hand: int | None, start: int, to: int) -> bool:
    """Tell a stretch of the game; whether there was anything to tell."""
    from projections.transcript import transcript

    told = False
    for line in transcript(game, findings, hand=hand, start=start, to=to):
        say(line)
        told = True
    return told
