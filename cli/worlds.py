"""`bh99 worlds`: what may be in which hand after a line, and complete logs that agree."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.output import (
    RulesOption,
    StoreOption,
    a_reader_may_leave,
    clear_errors,
    complain,
    notes_of,
    put,
    put_json,
    rules_given,
    say,
)

if TYPE_CHECKING:
    from bh99.deducing import Deduction


def worlds(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The log, or a stored game; - is standard input.")],
    at: Annotated[
        int | None, typer.Option("--at", min=1, metavar="N", help="After line N; by default the last line.")
    ] = None,
    seat: Annotated[str | None, typer.Option(metavar="NAME", help="By what this player could know.")] = None,
    known_then: Annotated[bool, typer.Option("--known-then", help="By the lines up to N alone.")] = False,
    sample: Annotated[int | None, typer.Option(min=1, metavar="K", help="Write K complete logs that agree.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="The same seed gives the same logs.")] = None,
    into: Annotated[str | None, typer.Option(metavar="FOLDER", help="Where samples go; one alone is printed.")] = None,
    rules: RulesOption = None,
    format: Annotated[Literal["text", "json"], typer.Option("--format", help="text or json.")] = "text",
    store: StoreOption = None,
) -> None:
    """Say which cards each seat must hold and can't hold, in how many deals, and how likely the others are.

    \b
    Examples:
      bh99 worlds game.jsonl --at 39
      bh99 worlds game.jsonl --at 39 --known-then --seat Ana
      bh99 worlds game.jsonl --sample 5 --seed 1 --into samples/
    """
    from bh99.deducing import deduce
    from bh99.sources import find_log

    if sample is not None and (at is not None or format == "json"):
        raise typer.BadParameter(
            "--sample completes the whole log; it takes no --at or --format", param_hint="--sample"
        )
    if sample is None and (seed is not None or into is not None):
        raise typer.BadParameter("it is for samples: --sample K", param_hint="--seed" if seed is not None else "--into")
    if sample is not None and sample > 1 and into is None:
        raise typer.BadParameter("several logs need a folder: --into FOLDER", param_hint="--sample")
    with clear_errors():
        opened = find_log(log, rules_given(rules), store)
        told = deduce(opened, seat=seat, upto=at if known_then else None)
    notes_of(opened, opened.rules)
    if sample is not None:
        _write_samples(told, sample, seed or 0, into)
        return
    with clear_errors():
        found = told.worlds(at or len(told))
    with a_reader_may_leave():
        if format == "json":
            put_json(found)
        else:
            from projections.worlds_text import worlds_text

            say(worlds_text(found))


def _write_samples(told: "Deduction", number: int, seed: int, into: str | None) -> None:
    import pathlib

    import msgspec

    from bh99.new_files import write_new
    from projections.printable import printable

    with clear_errors():
        for at, events in enumerate(told.samples(number, seed), 1):
            text = b"".join(msgspec.json.encode(event) + b"\n" for event in events)
            if into is None:
                with a_reader_may_leave():
                    put(text.decode())
                continue
            folder = pathlib.Path(into)
            try:
                folder.mkdir(parents=True, exist_ok=True)
                write_new(str(folder / f"{at}.jsonl"), text)
            except OSError as error:
                complain(f"{printable(str(error.filename), None)}: can't be written: {error.strerror}")
                raise typer.Exit(2) from None
    complain(told.how_drawn)
