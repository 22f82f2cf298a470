"""`bh99 replay`: a game told line by line, stepped through, or shown at one line."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.output import (
    BROKEN_RULE,
    WRONG_USE,
    RulesOption,
    StoreOption,
    a_reader_may_leave,
    can_draw,
    clear_errors,
    complain,
    notes_of,
    put_json,
    rules_given,
    say,
)

if TYPE_CHECKING:
    from bh99.logs import Log
    from projections.frames import Replay


def replay(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The log, or a stored game; - is standard input.")],
    hand: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only this hand.")] = None,
    start: Annotated[int | None, typer.Option("--from", metavar="N", min=1, help="From this line on.")] = None,
    to: Annotated[int | None, typer.Option(metavar="N", min=1, help="Up to this line.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Walk through it, the table after each line.")] = False,
    at: Annotated[int | None, typer.Option(metavar="N", min=1, help="The table after this line.")] = None,
    seat: Annotated[str | None, typer.Option(metavar="NAME", help="Only what this player could know.")] = None,
    rules: RulesOption = None,
    format: Annotated[Literal["text", "json"], typer.Option("--format", help="With --at: text or JSON.")] = "text",
    follow: Annotated[bool, typer.Option("--follow", help="With --step: go on as the log grows.")] = False,
    store: StoreOption = None,
) -> None:
    """Tell a recorded game in sentences, with the Count, who is to act, and each finding under its line.

    With --step on a terminal it is a full screen to walk about in; the key ? lists the keys.

    \b
    Examples:
      bh99 replay game.jsonl
      bh99 replay game.jsonl --hand 2
      bh99 replay game.jsonl --step
      bh99 replay game.jsonl --step --at 39
      bh99 replay game.jsonl --at 39 --seat Ana --format json
    """
    from bh99.sources import find_log

    if at is not None and (hand or start or to):
        raise typer.BadParameter("--at shows one line; it takes no --hand, --from or --to", param_hint="--at")
    if step and (hand or to or format == "json"):
        message = "--step takes no --hand, --to or --format; --at or --from says where it begins"
        raise typer.BadParameter(message, param_hint="--step")
    if follow and not step:
        raise typer.BadParameter("--follow goes with --step", param_hint="--follow")
    if format == "json" and at is None:
        raise typer.BadParameter("json is for --at", param_hint="--format")
    with clear_errors():
        opened = find_log(log, rules_given(rules), store)
        if step:
            found = _step(opened, at or start or 1, seat, rules, follow)
        else:
            game = _read(opened, at if at is not None else to if seat is not None else None, seat, at is not None)
            found = bool(game.findings)
    if not step:
        notes_of(opened, opened.rules)
        with a_reader_may_leave():
            if at is not None:
                _show_table(game, at, format)
            elif not _tell(game, hand, start or 1, to or len(game)):
                _nothing_to_tell()
    if found:
        raise typer.Exit(BROKEN_RULE)


def _read(log: "Log", upto: int | None, seat: str | None, must_exist: bool) -> "Replay":
    """The game, judged up to a line, which must exist or not. Raises what `replay_log` does."""
    from bh99.audits import replay_log
    from bh99.errors import UnknownLine

    try:
        game = replay_log(log, upto=upto, seat=seat)
    except UnknownLine:
        if must_exist:
            raise
        game = replay_log(log, seat=seat)  # a stretch may reach beyond the end
    game.judge_all()
    return game


def _step(log: "Log", start: int, seat: str | None, rules: str | None, follow: bool) -> bool:
    """Walk through a log, on the screen or as text; whether anything was found in it."""
    from bh99.walks import Walk

    draws = log.name != "-" and can_draw()
    # What was printed stays: a finding of an earlier line can only be told when it is known.
    walk = Walk(log, seat=seat, follow=follow, known_then=follow and not draws)
    if draws:
        from cli.replayer import walk_through

        walk = walk_through(walk, start, rules)
    else:
        from cli.stepping import tell_steps

        with a_reader_may_leave():
            if not tell_steps(walk, start):
                _nothing_to_tell()
    notes_of(walk.log, walk.log.rules)
    return bool(walk.game.findings)


def _nothing_to_tell() -> None:
    complain("nothing to tell: no line of the log is in that range")
    raise typer.Exit(WRONG_USE)


def _show_table(game: "Replay", line: int, format: str) -> None:
    if format == "json":
        put_json(game.view_at(line))
        return
    from projections.transcript import frame_text

    say(frame_text(game, line))


def _tell(game: "Replay", hand: int | None, start: int, to: int) -> bool:
    """Tell a stretch of the game; whether there was anything to tell."""
    from projections.transcript import transcript

    told = False
    for line in transcript(game, hand=hand, start=start, to=to):
        say(line)
        told = True
    return told
