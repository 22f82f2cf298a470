"""Rule sets in words: the list of them, and a page on one, made from its values."""

from collections.abc import Iterator
from textwrap import fill

from domain.cards import RANK_NAMES, card_name, counted
from domain.rule_sets import BySeats, Effect, RuleSet
from domain.shipped_rules import EDITIONS, OPTIONS, rules_named, shipped
from projections.printable import printable

WIDTH = 88


def list_of_sets() -> str:
    """Every rule set with its title, editions and options."""
    lines = []
    for rules in shipped():
        editions = ", ".join(map(str, EDITIONS[rules.name]))
        lines += [f"{rules.name} (edition {editions})", fill(rules.title, WIDTH, initial_indent="  ")]
        options = ["+" + option for option in OPTIONS.get(rules.name, {})]
        if options:
            lines.append("  options: " + " ".join(options))
    return "\n".join(lines)


def rule_set_page(rules: RuleSet) -> str:
    """What a game is played by, in sentences."""
    title = printable(f"{rules.name}, edition {rules.edition}", None)
    lines = [title, fill(printable(rules.title, None), WIDTH), ""]
    lines += [fill(text, WIDTH, initial_indent="- ", subsequent_indent="  ") for text in _sentences(rules)]
    options = OPTIONS.get(rules.name, {})
    if options:
        lines += ["", f"Options, written {rules.name}+{next(iter(options))}:"]
        lines += [f"- {option}: {_difference(rules, option)}" for option in options]
    return "\n".join(lines)


def _difference(rules: RuleSet, option: str) -> str:
    """What an option changes, as the sentences that are then another."""
    before = set(_sentences(rules))
    other = [text for text in _sentences(rules_named(f"{rules.ref.split('@')[0]}+{option}")) if text not in before]
    return " ".join(other)


def _sentences(rules: RuleSet) -> Iterator[str]:
    yield from _setting_up(rules)
    yield from _cards(rules)
    yield from _going_on(rules)
    yield from _ending(rules)


def _setting_up(rules: RuleSet) -> Iterator[str]:
    most = f" to {rules.most_seats}" if rules.most_seats else " or more"
    yield f"{rules.fewest_seats}{most} players, {counted(rules.hand_size, 'card')} each."
    yield f"Decks of {len(rules.deck)} cards: {_by_seats(rules.decks)}."
    if rules.tokens:
        each = "points for each hand" if rules.score_to is not None else "tokens each"
        yield f"The {each}: {_by_seats(rules.tokens)}."


def _by_seats(numbers: BySeats) -> str:
    ordered = sorted(numbers.items())
    return ", ".join(str(number) if seats < 2 else f"{number} from {seats} players up" for seats, number in ordered)


def _cards(rules: RuleSet) -> Iterator[str]:
    below = "; ".join(f"{_ranks(cards)} {what}" for what, cards in _grouped(rules.effects).items())
    yield f"The cards: {below}."
    if rules.at_limit is not None:
        there = "; ".join(f"{_ranks(cards)} {what}" for what, cards in _grouped(rules.at_limit).items())
        yield f"At exactly {rules.limit}: {there}; nothing else can be played."
    over = {
        "refused": f"No card may take the Count over {rules.limit}.",
        "lost": f"Every card may be played; whoever takes the Count over {rules.limit} loses the hand.",
        "ends": f"Every card may be played; one that takes the Count over {rules.limit} ends the hand.",
    }
    yield over[rules.over_limit]
    if rules.floor is not None:
        yield f"The Count never goes below {rules.floor}."
    for key, says in rules.says.items():
        yield f"With {_ranks([key])} one says “{printable(says, None).replace('{count}', 'N')}”."
    if rules.death_card is not None:
        card, shield = card_name(rules.death_card.card), card_name(rules.death_card.shield)
        yield f"At {rules.limit} {card} is the Death Card; only {shield} answers it."


def _grouped(effects: dict[str, Effect]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for card, effect in effects.items():
        grouped.setdefault(_effect(effect), []).append(card)
    return grouped


_THEN = {
    "turn": "turns the direction",
    "skip": "skips the next player",
    "choose": "lets its player choose who is next",
    "again": "lets its player play again",
}


def _effect(effect: Effect) -> str:
    if effect.set is not None:
        what = f"makes it {effect.set}"
    else:
        what = "adds " + " or ".join(str(number).replace("-", "−") for number in effect.add)
    return what if effect.then == "next" else f"{what} and {_THEN[effect.then]}"


def _ranks(cards: list[str]) -> str:
    return ", ".join(RANK_NAMES.get(card, card) if len(card) == 1 else card_name(card) for card in cards)  # type: ignore[arg-type]


def _going_on(rules: RuleSet) -> Iterator[str]:
    if rules.over_limit == "refused":
        ends = {
            "seat": "Who can't play is out, and the others play on; the last one in wins the hand.",
            "hand": "Who can't play loses, and the hand ends.",
            "pile": "Who can't play loses and sits out; the pile is taken away, and the others play on from 0.",
        }
        yield ends[rules.out_ends]
    if any(effect.then == "turn" for effect in rules.effects.values()):
        two = {"next": "nothing turns", "again": "the same player plays again"}[rules.between_two]
        yield f"Between two players left in the hand {two}."
    forgotten = {
        "fault": "Every play is followed by a draw; a forgotten one is an accident, to be put right.",
        "until_own_play": "A forgotten draw must be made good before that player plays again.",
        "until_next_draw": "A forgotten draw is lost once another player has drawn; the hand stays short.",
        "until_next_play": "A forgotten draw is lost once the next player has played; the hand stays short.",
    }
    yield forgotten[rules.forgotten_draw]
    kept = ", all but its last card," if rules.reshuffled == "pile_but_last" else ""
    yield f"When the stock has run out, the play pile{kept} is shuffled into a new one; the Count stays."


def _ending(rules: RuleSet) -> Iterator[str]:
    if rules.borders:
        borders = ", ".join(f"{border}|{border + 1}" for border in rules.borders)
        yield f"Each border that a card crosses, either way, costs its player a token: {borders}."
    if rules.exact_hits:
        yield f"Who hits {', '.join(map(str, rules.exact_hits))} exactly costs each other player a token."
    if rules.prize is not None:
        yield f"The hand is for a hit; {card_name(rules.prize.thief)} steals it, and it slides."
    if rules.score_to is not None:
        yield f"Points left are added to a score; from {rules.score_to} on the highest one wins, if it isn't shared."
    elif rules.tokens:
        pot = " and takes all that were lost" if rules.winner_takes_pot else ""
        yield f"A lost hand costs a token; the last player with tokens wins the match{pot}."
