"""The rule sets that come with bh99, their editions and options, as data; and finding one by its name."""

import functools
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.reading_rules import UnknownRules, as_plain, changed, rule_set
from domain.rule_sets import RuleSet

_PIPS: Final[dict[str, Any]] = {str(pips): {"add": [pips]} for pips in range(2, 10)}

BONG_HIT_99: Final[dict[str, Any]] = {
    "name": "bong-hit-99",
    "edition": 1,
    "title": "Bong Hit 99: play, say the Count, draw; last player standing wins the hit.",
    "hand_size": 4,
    "most_seats": 13,
    "floor": 0,
    "effects": {"A": {"add": [1]}, **_PIPS, **{rank: {"add": [10]} for rank in "TJQ"}, "K": {"set": 99}},
    "at_limit": {"2": {}, "9": {}, "T": {"add": [-10]}, "K": {"set": 99}, "Qs": {}},
    "death_card": {"card": "Qs", "shield": "Ad"},
    "prize": {
        "thief": "Ac",
        "slide": ["Kc", "Qc", "Jc", "Tc", "9c", "8c", "7c", "6c", "5c", "4c", "3c", "2c"],
    },
}

_NINETY_NINE: Final[dict[str, Any]] = {
    "edition": 1,
    "hand_size": 3,
    "effects": {
        **_PIPS,
        "A": {"add": [1, 11]},
        "4": {"then": "turn"},
        "9": {},
        "T": {"add": [10, -10]},
        "J": {"add": [10]},
        "Q": {"add": [10]},
        "K": {"set": 99},
    },
    "out_ends": "hand",
}

NINETY_NINE_TOKENS: Final[dict[str, Any]] = {
    **_NINETY_NINE,
    "name": "ninety-nine-tokens",
    "title": "Ninety-Nine with tokens: whoever takes the total over 99 loses the hand and a token.",
    "decks": {1: 1, 4: 2},
    "tokens": {1: 3},
    "over_limit": "lost",
    "forgotten_draw": "until_own_play",
}

NINETY_NINE_CHIPS: Final[dict[str, Any]] = {
    **_NINETY_NINE,
    "name": "ninety-nine-chips",
    "title": "Ninety-Nine with chips: whoever can't play loses a chip; the last one with chips takes them all.",
    "decks": {1: 1, 5: 2},
    "tokens": {1: 5, 5: 3},
    "winner_takes_pot": True,
    "forgotten_draw": "until_next_draw",
    "reshuffled": "pile_but_last",
}

NINETY_NINE_PENNIES: Final[dict[str, Any]] = {
    **_NINETY_NINE,
    "name": "ninety-nine-pennies",
    "title": "Ninety-Nine with pennies: whoever can't play loses a penny; the last one with pennies wins.",
    "decks": {1: 1, 5: 2},
    "tokens": {1: 5, 5: 3},
    "forgotten_draw": "until_next_play",
    "says": {"4": "back on you {count}", "9": "pass to you {count}"},
}

_BORDERS: Final[dict[str, Any]] = {
    "effects": {"4": {"add": [4]}, "8": {"then": "turn"}, "K": {"add": [10]}},
    "says": {"4": False, "8": "back on you {count}"},
    "over_limit": "ends",
    "tokens": {1: 3},
    "borders": [33, 66, 99],
    "score_to": 15,
}

OPTIONS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "ninety-nine-tokens": {
        "five-tokens": {"tokens": {1: 5, 4: 3}},
        "winner-takes-tokens": {"winner_takes_pot": True},
    },
    "ninety-nine-pennies": {
        "five-cards": {"hand_size": 5, "tokens": {1: 4}},
        "rolling": {"out_ends": "pile"},
        "four-again": {"between_two": "again"},
        "borders": _BORDERS,
    },
}
"""What each option of a set changes, in the order in which options are applied."""

EDITIONS: Final[dict[str, dict[int, dict[str, Any]]]] = {
    data["name"]: {data["edition"]: data}
    for data in (BONG_HIT_99, NINETY_NINE_TOKENS, NINETY_NINE_CHIPS, NINETY_NINE_PENNIES)
}
"""Every edition of every set; an edition that was shipped never changes."""


def rules_of(reference: str | Mapping[str, Any]) -> RuleSet:
    """The rules that a log names, or carries: `name[+option…][@edition]`, edition 1 if absent, or the set itself.

    Raises UnknownRules for a name, an option or an edition that isn't known, and for a set that can't be read.
    """
    if isinstance(reference, str):
        return rules_named(reference)
    return rules_from(reference)


def rules_from(data: Mapping[str, Any]) -> RuleSet:
    """A set out of plain data that is complete, or names a `base` and what differs. Raises UnknownRules."""
    rules = rule_set(data if "base" not in data else _from_base(data))
    try:
        known = rules_named(rules.ref)
    except UnknownRules:
        return rules
    if rules != known:
        raise UnknownRules(f"name: {rules.name} is the name of other rules, known here; expected a name of its own")
    return rules


def _from_base(data: Mapping[str, Any]) -> dict[str, Any]:
    base = data["base"]
    if not isinstance(base, str):
        raise UnknownRules("base: expected the name of a rule set")
    changes = {key: value for key, value in data.items() if key != "base"}
    if "name" not in changes:
        raise UnknownRules("name: expected a name of its own for rules that differ from their base")
    try:
        plain = as_plain(rules_named(base))
    except UnknownRules as error:
        raise UnknownRules(f"base: {error}") from None
    return changed({**plain, "edition": 1}, changes)


@functools.lru_cache(maxsize=64)
def rules_named(reference: str) -> RuleSet:
    """The shipped set of that name. Raises UnknownRules."""
    named, _, edition = reference.partition("@")
    name, *options = named.split("+")
    editions = EDITIONS.get(name)
    if editions is None:
        raise UnknownRules(f"rules {reference[:60]!r} are not known here; expected one of: {', '.join(EDITIONS)}")
    if edition.isdecimal() and (len(edition) > 9 or int(edition) > max(editions)):
        raise UnknownRules(f"edition {edition[:20]} of {name} is later than the last one known here, {max(editions)}")
    if edition and (not edition.isdecimal() or int(edition) not in editions):
        raise UnknownRules(f"{name} has no edition {edition[:20]!r}; expected one of: {', '.join(map(str, editions))}")
    known = OPTIONS.get(name, {})
    for option in options:
        if option not in known or options.count(option) > 1:
            choice = ", ".join(known) or "none"
            raise UnknownRules(f"{option[:40]!r} is no option of {name}, or stands twice; its options: {choice}")
    data: Mapping[str, Any] = editions[int(edition or 1)]
    for option in known:
        if option in options:
            data = changed(data, known[option])
    return rule_set({**data, "name": "+".join([name, *(option for option in known if option in options)])})


def reference_to(rules: RuleSet) -> str | dict[str, Any]:
    """How a log names these rules: `name[+option…][@edition]`, without edition 1; a table's own stand there whole."""
    try:
        shipped = rules_named(rules.ref) == rules
    except UnknownRules:
        shipped = False
    if shipped:
        return rules.ref.removesuffix("@1")
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(as_plain(rules)))
    return plain


def usual_rules() -> RuleSet:
    """What is played where nobody says what."""
    return rules_from(BONG_HIT_99)


def shipped() -> list[RuleSet]:
    """The last edition of every set, without options."""
    return [rules_named(f"{name}@{max(editions)}") for name, editions in EDITIONS.items()]
