"""The rules as pages: for `bh99 rules`, and docs/rules.md as a whole."""

from textwrap import fill

from domain.rulebook import RULES, RULINGS, Rule, Ruling
from domain.shipped_rules import shipped

WIDTH = 88


def overview() -> str:
    """Every rule with its sentence, and every ruling with its title."""
    lines = ["The rules. bh99 rules SLUG explains one, bh99 rules --set NAME a whole game:"]
    lines += [f"  {rules.name}" for rules in shipped()] + [""]
    lines += [fill(f"{rule.slug:<22}{rule.sentence}", WIDTH, subsequent_indent=" " * 22) for rule in RULES.values()]
    lines += ["", "Rulings, where the rules leave something open:"]
    lines += [f"{ruling.id:<6}{ruling.title}" for ruling in RULINGS.values()]
    return "\n".join(lines)


def rule_page(slug: str) -> str | None:
    """A rule with the rulings on it, or a ruling; None if there is none of that name."""
    rule, ruling = RULES.get(slug.lower()), RULINGS.get(slug.upper())
    if rule is not None:
        parts = [f"{rule.slug} · {rule.title}", "", fill(rule.sentence, WIDTH), "", fill(rule.text, WIDTH)]
        for name in rule.rulings:
            parts += ["", *_ruling_lines(RULINGS[name])]
        return "\n".join(parts)
    return None if ruling is None else "\n".join(_ruling_lines(ruling))


def _ruling_lines(ruling: Ruling) -> list[str]:
    return [f"{ruling.id} · {ruling.title}", fill(ruling.text, WIDTH)]


def rules_markdown() -> str:
    """docs/rules.md."""
    lines = [
        "# The rules",
        "",
        "What the referee judges by. A finding cites a rule by its slug; `bh99 rules SLUG` prints the same text.",
        "Where the rules leave something open there is a ruling, with its reasons in `docs/adr/`.",
        "",
    ]
    for rule in RULES.values():
        lines += _markdown_of(rule)
    lines += ["## Rulings", ""]
    for ruling in RULINGS.values():
        lines += [f"### {ruling.id}: {ruling.title}", "", fill(ruling.text, 110), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _markdown_of(rule: Rule) -> list[str]:
    lines = [f"## `{rule.slug}`: {rule.title}", "", f"**{rule.sentence}**", "", fill(rule.text, 110), ""]
    if rule.rulings:
        lines += ["Rulings: " + ", ".join(rule.rulings) + ".", ""]
    return lines
