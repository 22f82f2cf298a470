"""`bh99`: the command line. It parses, calls and prints; everything it knows it asks of the packages below.

Heavy imports stand inside the commands that use them: `bh99 audit` of one evening starts as fast as it can.
"""

import io
from contextlib import suppress
from typing import Any, cast

import typer

from cli import (
    audit,
    convert,
    diff,
    duty,
    fork,
    games,
    import_logs,
    now,
    play,
    record,
    replay,
    rules,
    rulesets,
    simulate,
    stats,
    store,
    whatif,
    worlds,
)
from cli.output import WRONG_USE, a_reader_may_leave, complain, harmless, nobody_reads

app = typer.Typer(
    name="bh99",
    help="The referee that remembers: replays and audits recorded games of Bong Hit 99 and Ninety-Nine.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 fine, 1 a rule was broken, 2 wrong use or an unreadable log, 3 log and store disagree.",
)
app.command("replay")(replay.replay)
app.command("now")(now.now)
app.command("audit")(audit.audit)
app.command("record")(record.record)
app.command("play")(play.play)
app.command("simulate")(simulate.simulate)
app.command("fork")(fork.fork)
app.command("whatif")(whatif.whatif)
app.command("convert")(convert.convert)
app.command("worlds")(worlds.worlds)
app.command("diff")(diff.diff)
app.command("stats")(stats.stats)
app.command("duty")(duty.duty)
app.command("import")(import_logs.import_logs)
app.command("games")(games.games)
app.command("export")(games.export)
app.command("rules")(rules.rules)
app.add_typer(rulesets.rulesets, name="rulesets")
app.add_typer(store.store, name="store")


def _print_version(wanted: bool) -> None:
    if wanted:
        from bh99.version import __version__

        typer.echo(f"bh99 {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """The referee that remembers: replays and audits recorded games of Bong Hit 99 and Ninety-Nine.

    \b
    Examples:
      bh99 replay game.jsonl            the game told in sentences
      bh99 replay game.jsonl --step     walk through it, table by table
      bh99 now game.jsonl               who is to act, the Count, who loads
      bh99 audit game.jsonl             which rule was broken on which line
      bh99 record                       write down a game at a real table
      bh99 convert friday.csv           a spreadsheet as a log
      bh99 play                         a game against bots, or hot-seat
      bh99 simulate --bots careful,random   games between bots
      bh99 fork game.jsonl --at 39      another game from line 39 on
      bh99 whatif game.jsonl --at 39    who would have won otherwise
      bh99 worlds game.jsonl --at 39    what may have been in which hand
      bh99 diff anas.jsonl bens.jsonl   two accounts of one hand
      bh99 import evenings/             logs into the game store
      bh99 stats                        what everybody did, in all stored games
      bh99 duty game.jsonl              who had to load
      bh99 rules must-play              a rule and the rulings on it
      bh99 rulesets                     the games that are known here
    """


def run() -> None:
    """The entry point: whatever user, terminal or disk do, it ends with a clear line and a documented status."""
    import sys

    try:
        _open_streams()
        status = app(standalone_mode=False)
        with a_reader_may_leave():
            sys.stdout.flush()
    except _WRONG_USE as wrong:
        status = _show(wrong)
    except KeyboardInterrupt:
        nobody_reads()
        status = 130
    except OSError as fault:
        nobody_reads()
        status = WRONG_USE
        with suppress(OSError):
            complain(f"the output can't be written: {fault.strerror}")
    sys.exit(status)


_WRONG_USE = cast(tuple[type[Exception], ...], typer.BadParameter.__bases__)
"""What typer raises for wrong use; it doesn't export the class."""


def _show(wrong: Any) -> int:
    """Say what is wrong with the arguments; they may be names of files that came from strangers."""
    wrong.message = harmless(wrong.message)
    with suppress(OSError):
        wrong.show()
    return int(wrong.exit_code)


def _open_streams() -> None:
    """Make up for streams that are closed, and for a terminal that can't show every character."""
    import os
    import sys

    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
