"""Rule sets out of plain data: changed from a base, and checked key by key."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, get_args, get_type_hints

import msgspec

from domain.rule_sets import Effect, RuleSet


class UnknownRules(ValueError):
    """The log is played by rules that this version does not know, or can't read; the text says which, key first."""


OPTIONAL: Final = ("most_seats", "floor", "at_limit", "tokens", "score_to", "death_card", "prize")
"""Keys that a change can take back: `false` for them means that the set has none."""
BY_CARD: Final = ("effects", "at_limit", "says")
"""Tables with a key for each card, or for all cards of a rank."""


def changed(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A set as plain data with changes: a table of cards is changed key by key, anything else is replaced."""
    made = dict(base)
    deck = changes.get("deck")
    if isinstance(deck, list):
        for key in BY_CARD:
            if key in made:
                made[key] = {card: effect for card, effect in made[key].items() if _in_deck(card, deck)}
    for key, value in changes.items():
        if value is False and key in OPTIONAL:
            made.pop(key, None)
        elif key in BY_CARD and isinstance(value, Mapping):
            kept = {**made.get(key, {}), **value}
            made[key] = {card: effect for card, effect in kept.items() if effect is not False}
        else:
            made[key] = value
    return made


def _in_deck(key: str, deck: list[Any]) -> bool:
    return key in deck or any(isinstance(card, str) and card[:1] == key for card in deck)


def rule_set(data: Mapping[str, Any]) -> RuleSet:
    """A rule set out of plain data, checked. Raises UnknownRules with the key that is wrong."""
    for key, kind in (("effects", Effect), ("at_limit", Effect), ("says", str), ("decks", int), ("tokens", int)):
        _check_each(key, data.get(key), kind)
    try:
        rules = msgspec.convert(data, RuleSet, str_keys=True)
    except msgspec.ValidationError as error:
        raise UnknownRules(_in_words(str(error))) from None
    for key, is_sound, expected in _DEMANDS:
        if not is_sound(rules):
            raise UnknownRules(f"{key}: expected {expected}")
    for wrong in _wrong_cards(rules):
        raise UnknownRules(wrong)
    return rules


def as_plain(rules: RuleSet) -> dict[str, Any]:
    """A rule set as plain data, with the keys of its TOML: as a log carries it."""
    plain: dict[str, Any] = msgspec.to_builtins(rules, str_keys=True)
    return plain


def _check_each(key: str, table: object, kind: type) -> None:
    """Each entry of a table by itself, so that an error names it."""
    for name, value in table.items() if isinstance(table, Mapping) else ():
        if kind is int and not (str(name).isdecimal() and int(name) > 0):
            raise UnknownRules(f"{key}.{name}: expected a number of seats, 1 or more, as the key")
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise UnknownRules(_in_words(str(error), f"{key}.{name}")) from None


_WORDS: Final = {
    "object | null": "a table",
    "object": "a table",
    "array": "a list",
    "int | null": "a whole number",
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "float": "a number with a point",
    "null": "nothing",
}


def _in_words(error: str, within: str = "") -> str:
    """The library's error with the key first, and in the words of the documentation."""
    text, _, path = error.partition(" - at `")
    place = (within + path.removesuffix("`").removeprefix("$")).lstrip(".")
    for word, meant in _WORDS.items():
        text = text.replace(f"`{word}`", meant)
    if text.startswith("Invalid enum value"):
        got = text.removeprefix("Invalid enum value ")
        choices = _choices(place.rpartition(".")[2].partition("[")[0])
        text = f"expected {' or '.join(choices)}, got {got}" if choices else f"expected a card such as Qs, got {got}"
    text = f"{text[:1].lower()}{text[1:]}".replace("object contains unknown field", "there is no such key:")
    text = text.replace("object missing required field", "missing, and has no default:")
    return f"{place}: {text}" if place else text


def _choices(field: str) -> tuple[str, ...]:
    """What a key can be, if it is one of a few words."""
    hints = {**get_type_hints(RuleSet), **get_type_hints(Effect)}
    return tuple(choice for choice in get_args(hints.get(field)) if isinstance(choice, str))


def _wrong_cards(rules: RuleSet) -> Iterator[str]:
    """What is said of cards that aren't there, or can't be done."""
    ranks = sorted({card[0] for card in rules.deck})
    for key, cards in (("effects", rules.effects), ("at_limit", rules.at_limit or {}), ("says", rules.says)):
        for card in cards:
            if card not in ranks and card not in rules.deck:
                yield f"{key}.{card}: expected a rank ({' '.join(ranks)}) or a card of the deck"
    for card in rules.deck:
        if rules.effects.get(card) is None and rules.effects.get(card[0]) is None:
            yield f"effects.{card[0]}: expected an effect for every card; {card} has none"
    for key, effects in (("effects", rules.effects), ("at_limit", rules.at_limit or {})):
        for card, effect in effects.items():
            if not effect.add or len(set(effect.add)) < len(effect.add):
                yield f"{key}.{card}.add: expected at least one number, and each once"
    for card, says in rules.says.items():
        if set("{}") & set(says.replace("{count}", "")):
            yield f"says.{card}: expected a text in which only {{count}} stands in braces"


def _rising(numbers: tuple[int, ...], rules: RuleSet) -> bool:
    return list(numbers) == sorted(set(numbers)) and all(number <= rules.limit for number in numbers)


def _enough_cards(rules: RuleSet) -> bool:
    fewest = rules.fewest_seats
    return rules.most_served(sum(rules.cards_in_play(fewest).values())) >= fewest


def _prize_is_sound(rules: RuleSet) -> bool:
    prize = rules.prize
    if prize is None:
        return True
    slide = set(prize.slide)
    return prize.thief not in slide and len(slide) == len(prize.slide) and {prize.thief, *slide} <= set(rules.deck)


def _death_card_is_sound(rules: RuleSet) -> bool:
    death = rules.death_card
    return death is None or (death.card != death.shield and {death.card, death.shield} <= set(rules.deck))


def _needs_no_tokens(rules: RuleSet) -> bool:
    return not rules.borders and not rules.exact_hits and rules.score_to is None and not rules.winner_takes_pot


_SEAT: Final = '"seat", as with a prize or a Death Card the others play on until one has won'

_DEMANDS: Final[tuple[tuple[str, Callable[[RuleSet], bool], str], ...]] = (
    ("name", lambda rules: 0 < len(rules.name) <= 80 and rules.name.isprintable(), "1 to 80 printable characters"),
    ("name", lambda rules: "@" not in rules.name, "a name without @, as edition has a key of its own"),
    ("title", lambda rules: bool(rules.title) and rules.title.isprintable(), "a sentence of printable characters"),
    ("edition", lambda rules: rules.edition > 0, "1 or more"),
    ("deck", lambda rules: 0 < len(set(rules.deck)) == len(rules.deck), "each card once; decks says how often"),
    ("decks", lambda rules: min(rules.decks.values(), default=0) > 0 and max(rules.decks.values()) <= 99, "1 to 99"),
    ("tokens", lambda rules: min((rules.tokens or {1: 1}).values()) > 0, "numbers of at least 1"),
    ("hand_size", lambda rules: rules.hand_size > 0, "1 or more"),
    ("fewest_seats", lambda rules: rules.fewest_seats > 1, "2 or more"),
    (
        "most_seats",
        lambda rules: (rules.most_seats or rules.fewest_seats) >= rules.fewest_seats,
        "fewest_seats or more",
    ),
    ("most_seats", lambda rules: rules.most_seats != 0, "fewest_seats or more"),
    ("hand_size", _enough_cards, "a hand that the decks can serve to the fewest seats"),
    ("limit", lambda rules: 0 < rules.limit <= 10**6, "1 to 1000000"),
    ("floor", lambda rules: -(10**6) <= (rules.floor or 0) <= 0, "0 or less, as a hand starts at 0"),
    ("borders", lambda rules: _rising(rules.borders, rules), "rising numbers up to the limit"),
    ("exact_hits", lambda rules: _rising(rules.exact_hits, rules), "rising numbers up to the limit"),
    ("score_to", lambda rules: rules.score_to is None or rules.score_to > 0, "1 or more"),
    ("tokens", lambda rules: bool(rules.tokens) or _needs_no_tokens(rules), "some, for borders, hits, scores and pots"),
    ("out_ends", lambda rules: rules.out_ends == "seat" or not (rules.prize or rules.death_card), _SEAT),
    ("prize", _prize_is_sound, "cards of the deck, each once"),
    ("death_card", _death_card_is_sound, "two different cards of the deck"),
)
"""What a game can be played by: a key, whether it is sound, and what was expected."""
