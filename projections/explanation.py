"""One page on one finding that can be shown to the table: `bh99 audit LOG --explain LINE`."""

from collections.abc import Sequence
from html import escape
from typing import Literal

import msgspec

from domain.rulebook import RULES, RULINGS, Rule
from projections.drawing import draw_table, lines_named
from projections.finding import Finding
from projections.frames import Replay

ODDS = "What it may have changed"
AROUND = 4
"""Lines of the game that are told before and after the finding's."""


class Page(msgspec.Struct, frozen=True):
    """What a page on a finding says; the stretch and the evidence are (line, sentence)."""

    finding: Finding
    rule: Rule
    stretch: list[tuple[int, str]]
    evidence: list[tuple[int, str]]
    before: list[str]
    after: list[str]
    ruling: str | None
    odds: list[str]
    """What it came to, in lines of text, if that was asked for."""


def explain(game: Replay, findings: Sequence[Finding], upto: int | None = None, odds: Sequence[str] = ()) -> list[Page]:
    """A page for each finding; nothing behind the line `upto` is told, if there is one. `odds`: what
    the first of them may have changed."""
    return [_page(game, finding, upto or len(game), () if at else odds) for at, finding in enumerate(findings)]


def _page(game: Replay, finding: Finding, upto: int, odds: Sequence[str]) -> Page:
    line = finding.line
    first, last = max(1, line - AROUND), min(upto, line + AROUND)
    return Page(
        finding=finding,
        rule=RULES[finding.rule],
        stretch=[_told(game, at) for at in range(first, last + 1)],
        evidence=[_told(game, at) for at in finding.evidence],
        before=draw_table(game.view_at(line - 1)) if line > 1 else [],
        after=draw_table(game.view_at(line)),
        ruling=None if finding.ruled is None else _told(game, finding.ruled)[1],
        odds=list(odds),
    )


def _told(game: Replay, line: int) -> tuple[int, str]:
    return line, game.sentence_at(line)


def render(pages: list[Page], format: Literal["text", "markdown", "html"]) -> str:
    """The pages as text, Markdown or one HTML document."""
    if format == "html":
        return _html(pages)
    return ("\n\n" if format == "text" else "\n\n---\n\n").join(
        _text(page) if format == "text" else _markdown(page) for page in pages
    )


def _allowed(page: Page) -> list[str]:
    return [option.text for option in page.finding.expected]


def _certainty(page: Page) -> str:
    if page.finding.certainty == "proved":
        return "Proved: it was broken in every deal that agrees with the log."
    return "Possible: it was broken in some deals that agree with the log."


def _rulings(page: Page) -> list[str]:
    return [f"{name}: {RULINGS[name].title}" for name in page.rule.rulings]


# ---- text ----


def _text(page: Page) -> str:
    finding = page.finding
    parts = [
        f"Line {finding.line}: {finding.message}",
        f"The rule ({finding.rule}): {page.rule.sentence}",
        _certainty(page),
        "The game around it:\n" + "\n".join(_marked(page, at, text) for at, text in page.stretch),
    ]
    if page.before:
        parts.append(f"The table before line {finding.line}:\n" + _indented(page.before))
    parts.append(f"The table after line {finding.line}, as the log tells it:\n" + _indented(page.after))
    if page.evidence:
        parts.append("The evidence:\n" + "\n".join(f"{at:>6}  {text}" for at, text in page.evidence))
    if finding.expected:
        parts.append("What would have been allowed:\n" + _indented(_allowed(page)))
    if _rulings(page):
        parts.append("Rulings on this rule: " + "; ".join(_rulings(page)))
    if page.ruling is not None:
        parts.append(f"The table's decision: {page.ruling}")
    if page.odds:
        parts.append(f"{ODDS}:\n" + _indented(page.odds))
    return "\n\n".join(parts)


def _marked(page: Page, line: int, text: str) -> str:
    return f"{'>' if line == page.finding.line else ' '}{line:>5}  {text}"


def _indented(lines: list[str]) -> str:
    return "\n".join(f"  {line}".rstrip() for line in lines)


# ---- Markdown ----


def _markdown(page: Page) -> str:
    finding = page.finding
    parts = [
        f"# Line {finding.line}: {_plain(finding.message)}",
        f"**The rule** (`{finding.rule}`): {page.rule.sentence}",
        _certainty(page),
        "## The game around it",
        _fenced([_marked(page, at, text) for at, text in page.stretch]),
    ]
    if page.before:
        parts += [f"## The table before line {finding.line}", _fenced(page.before)]
    parts += [f"## The table after line {finding.line}, as the log tells it", _fenced(page.after)]
    if page.evidence:
        parts += [f"## The evidence: {lines_named(finding.evidence)}"]
        parts += [_fenced([f"{at:>6}  {text}" for at, text in page.evidence])]
    if finding.expected:
        parts += ["## What would have been allowed", "\n".join(f"- {_plain(text)}" for text in _allowed(page))]
    if _rulings(page):
        parts.append("Rulings on this rule: " + "; ".join(_rulings(page)))
    if page.ruling is not None:
        parts.append(f"**The table's decision:** {_plain(page.ruling)}")
    if page.odds:
        parts += [f"## {ODDS}", _fenced(page.odds)]
    return "\n\n".join(parts)


def _plain(text: str) -> str:
    """Text from a log in which no character is taken for Markdown or HTML."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>()#+!|~&" else char for char in text)


def _fenced(lines: list[str]) -> str:
    text = "\n".join(lines)
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}\n{fence}"


# ---- HTML ----

_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem;
       color: #1a1a1a; background: #fff; }
pre { background: #f4f4f1; padding: .8rem; overflow-x: auto; line-height: 1.4; }
blockquote { border-left: .3rem solid #b3261e; margin-left: 0; padding-left: 1rem; }
mark { background: #ffe2a8; }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #161616; } pre { background: #262626; }
  mark { background: #6b4e00; color: inherit; }
}
""".strip()


def _html(pages: list[Page]) -> str:
    """One document that needs nothing from anywhere else."""
    title = f"Line {pages[0].finding.line}: {pages[0].finding.rule}"
    body = "\n<hr>\n".join(_html_page(page) for page in pages)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n{body}\n</body>\n</html>"
    )


def _html_page(page: Page) -> str:
    finding = page.finding
    stretch = [
        f"<mark>{escape(_marked(page, at, text))}</mark>" if at == finding.line else escape(_marked(page, at, text))
        for at, text in page.stretch
    ]
    parts = [
        f"<h1>Line {finding.line}: {escape(finding.message)}</h1>",
        f"<blockquote><strong>{escape(finding.rule)}</strong>: {escape(page.rule.sentence)}</blockquote>",
        f"<p>{escape(_certainty(page))}</p>",
        "<h2>The game around it</h2>",
        "<pre>" + "\n".join(stretch) + "</pre>",
    ]
    if page.before:
        parts += [f"<h2>The table before line {finding.line}</h2>", _pre(page.before)]
    parts += [f"<h2>The table after line {finding.line}, as the log tells it</h2>", _pre(page.after)]
    if page.evidence:
        parts += ["<h2>The evidence</h2>", _pre([f"{at:>6}  {text}" for at, text in page.evidence])]
    if finding.expected:
        items = "".join(f"<li>{escape(text)}</li>" for text in _allowed(page))
        parts += ["<h2>What would have been allowed</h2>", f"<ul>{items}</ul>"]
    if _rulings(page):
        parts.append(f"<p>Rulings on this rule: {escape('; '.join(_rulings(page)))}</p>")
    if page.ruling is not None:
        parts.append(f"<p><strong>The table's decision:</strong> {escape(page.ruling)}</p>")
    if page.odds:
        parts += [f"<h2>{ODDS}</h2>", _pre(page.odds)]
    return "\n".join(parts)


def _pre(lines: list[str]) -> str:
    return "<pre>" + escape("\n".join(lines)) + "</pre>"
