"""`bh99 audit`: every finding of one log, of many, or of a folder; or one finding explained."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.output import (
    BROKEN_RULE,
    DISAGREES,
    FINE,
    WRONG_USE,
    RulesOption,
    StoreOption,
    a_reader_may_leave,
    clear_errors,
    complain,
    harmless,
    logs_named,
    notes_of,
    put,
    put_json,
    rules_given,
    say,
)

if TYPE_CHECKING:
    from bh99.judging import Audited
    from bh99.logs import Log
    from projections.finding import Finding

MOST_SETTLED = 3
"""Open checks of a log of which the summary on the screen says what would settle them."""
Format = Literal["text", "json", "jsonl", "csv", "markdown", "html"]


def audit(
    logs: Annotated[
        list[str], typer.Argument(metavar="LOG…", help="Logs, folders of logs or stored games; - is standard input.")
    ],
    format: Annotated[
        Format, typer.Option("--format", help="How findings are printed; with --explain: text, markdown or html.")
    ] = "text",
    summary: Annotated[str | None, typer.Option(metavar="FILE", help="Write the summary to a file, as JSON.")] = None,
    open_only: Annotated[bool, typer.Option("--open", help="Count only findings without a ruling.")] = False,
    rules: RulesOption = None,
    possible: Annotated[bool, typer.Option("--possible", help="List also what unseen cards leave open.")] = False,
    explain: Annotated[int | None, typer.Option(metavar="LINE", help="One page on the finding of this line.")] = None,
    odds: Annotated[
        bool, typer.Option("--odds", help="With --explain: also who would have won otherwise, as bh99 whatif says.")
    ] = False,
    store: StoreOption = None,
) -> None:
    """Say which rule was broken on which line, what was allowed, and which lines show it.

    \b
    Examples:
      bh99 audit game.jsonl
      bh99 audit evenings/ --format csv > findings.csv
      zcat game.jsonl.gz | bh99 audit - --format json
      bh99 audit game.jsonl --explain 39 --format html > dispute.html
      bh99 audit game.jsonl --explain 39 --odds
      bh99 audit game.jsonl --rules ours.toml
    """
    if explain is not None:
        if summary is not None or open_only or possible:
            message = "--explain takes no --summary, --open or --possible"
            raise typer.BadParameter(message, param_hint="--explain")
        _explain(logs, explain, odds, format, rules, store)
        return
    if odds:
        raise typer.BadParameter("it is for the page on one finding: --explain LINE", param_hint="--odds")
    if format in ("markdown", "html"):
        raise typer.BadParameter(f"{format} is for --explain; expected text, json, jsonl or csv", param_hint="--format")
    raise typer.Exit(_audit_all(logs, format, summary, open_only, possible, rules, store))


def _audit_all(
    logs: list[str],
    format: Format,
    summary: str | None,
    open_only: bool,
    possible: bool,
    rules: str | None,
    store: str | None,
) -> int:
    """Audit each log; one that can't be read is named, and the others are answered all the same."""
    from bh99.audits import audit_logs
    from projections.printable import printable

    with clear_errors():
        judged_by = rules_given(rules)
    names, status = logs_named(logs)
    totals = []
    many = len(logs) > 1 or len(names) > 1
    records: list[dict[str, Any]] = []
    if format == "csv":
        from projections.findings import COLUMNS

        with a_reader_may_leave():
            put(",".join(COLUMNS) + "\n")
    for audited in audit_logs(names, rules=judged_by, possible=possible, store=store):
        if audited.error is not None:
            complain(audited.error)
            status = max(status, DISAGREES if audited.damaged else WRONG_USE)
            continue
        notes_of(audited, judged_by)
        found = audited.findings
        counted = [one for one in found if one.certainty == "proved" and not (open_only and one.ruled)]
        if counted and status == FINE:
            status = BROKEN_RULE
        shown = printable(audited.name, None)
        totals.append(_total(shown, audited, len(counted)))
        with a_reader_may_leave():
            records += _print_findings(shown if many else None, found, format)
    if format == "json":
        with a_reader_may_leave():
            put_json(records)
    _summarise(totals, summary)
    return status


def _print_findings(log: str | None, found: list["Finding"], format: Format) -> list[dict[str, Any]]:
    """Print findings at once, or return them where they are printed as one array at the end."""
    if not found and format != "json":
        return []
    from projections import findings

    if format == "text":
        if log is not None and found:
            say(f"{log}:")
        if found:
            say(findings.as_text(found).rstrip("\n"))
    elif format == "csv":
        put(findings.as_csv_rows(log, found))
    elif format == "jsonl":
        import msgspec

        for record in findings.as_records(log, found):
            put(msgspec.json.encode(record).decode() + "\n")
    else:
        return findings.as_records(log, found)
    return []


def _total(name: str, audited: "Audited", counted: int) -> dict[str, Any]:
    numbers = audited.summary
    assert numbers is not None, "a log that was read has a summary"
    return {
        "log": name,
        "events": numbers.events,
        "hands": numbers.hands,
        "findings": counted,
        "open_checks": numbers.open_checks,
        "left_open": [check._asdict() for check in numbers.left_open],
        "incomplete": audited.incomplete,
    }


def _summarise(totals: list[dict[str, Any]], file: str | None) -> None:
    """The summary, to standard error, and as JSON to a file."""
    from projections.printable import printable

    for total in totals:
        incomplete = "; the log is incomplete" if total["incomplete"] else ""
        complain(f"{total['log']}: {_in_words(total)}{incomplete}")
        for check in total["left_open"][:MOST_SETTLED]:
            complain(f"  line {check['line']} · {check['rule']}: to settle it, {check['settled_by']}")
        if len(total["left_open"]) > MOST_SETTLED:
            complain(f"  and {len(total['left_open']) - MOST_SETTLED} more; --summary FILE lists all of them")
    sums = {key: sum(total[key] for total in totals) for key in ("events", "hands", "findings", "open_checks")}
    if len(totals) > 1:
        complain(f"{len(totals)} logs: {_in_words(sums)}")
    if file is not None:
        import msgspec

        text = msgspec.json.format(msgspec.json.encode({**sums, "logs": totals}))
        try:
            with open(file, "wb") as out:
                out.write(text + b"\n")
        except OSError as error:
            complain(f"{printable(file, None)}: the summary can't be written: {error.strerror}")
            raise typer.Exit(WRONG_USE) from None


def _in_words(numbers: dict[str, Any]) -> str:
    from domain.cards import counted

    parts = [
        counted(numbers[key], noun) for key, noun in (("events", "event"), ("hands", "hand"), ("findings", "finding"))
    ]
    return ", ".join([*parts, f"{counted(numbers['open_checks'], 'check')} left open"])


def _explain(logs: list[str], line: int, odds: bool, format: Format, rules: str | None, store: str | None) -> None:
    """One page on the finding of a line."""
    from bh99.audits import replay_log
    from bh99.sources import find_log
    from projections.drawing import lines_named
    from projections.explanation import explain, render
    from projections.printable import printable

    if format not in ("text", "markdown", "html"):
        message = f"{format} is not for --explain; expected text, markdown or html"
        raise typer.BadParameter(message, param_hint="--format")
    if len(logs) != 1:
        raise typer.BadParameter("--explain takes one log", param_hint="LOG")
    with clear_errors():
        log = find_log(logs[0], rules_given(rules), store)
        replay = replay_log(log)
    notes_of(log, log.rules)
    replay.judge_all()
    findings = replay.findings_on(line)
    pages = explain(replay, findings, odds=_odds(log, line) if odds and findings else ())
    if not pages:
        found = sorted(replay.shown())
        where = f"findings are on {lines_named(found)}" if found else "this log has no findings"
        complain(f"{printable(logs[0], None)}: nothing was found on line {line}; {where}")
        raise typer.Exit(WRONG_USE)
    with a_reader_may_leave():
        put(harmless(render(pages, format)) + "\n")
    raise typer.Exit(BROKEN_RULE)


def _odds(log: "Log", line: int) -> list[str]:
    """Who would have won otherwise, in lines of text."""
    from bh99.branching import whatif
    from bh99.branching.text import whatif_text

    with clear_errors():
        return whatif_text(whatif(log, line)).splitlines()
