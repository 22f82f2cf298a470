"""`bh99`: the command line. It parses, calls and prints; everything it knows it asks of the packages below.

Heavy imports stand inside the commands that use them: `bh99 audit` of one evening starts as fast as it can.
"""

import typer

from cli import audit, now, replay, rules

app = typer.Typer(
    name="bh99",
    help="The referee that remembers: replays and audits recorded games of Bong Hit 99.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 fine, 1 a rule was broken, 2 wrong use or an unreadable log, 3 log and store disagree.",
)
app.command("replay")(replay.replay)
app.command("now")(now.now)
app.command("audit")(audit.audit)
app.command("rules")(rules.rules)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"bh99 {version('bh99')}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """The referee that remembers: replays and audits recorded games of Bong Hit 99.

    \b
    Examples:
      bh99 replay game.jsonl            the game told in sentences
      bh99 replay game.jsonl --step     walk through it, table by table
      bh99 now game.jsonl               who is to act, the Count, who loads
      bh99 audit game.jsonl             which rule was broken on which line
      bh99 rules must-play              a rule and the rulings on it
    """


def run() -> None:
    """The entry point: a reader of the output that goes away ends the run quietly."""
    import os
    import sys

    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
