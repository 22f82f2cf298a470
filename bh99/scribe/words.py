"""The words of the scribe's shorthand: the one list that reading, completion, help and the documentation use."""

from typing import Final, NamedTuple


class Word(NamedTuple):
    """A word of the shorthand. `takes`: what stands behind it, in brackets what may be left out; `does`: what it
    writes down."""

    word: str
    takes: str
    does: str
    also: tuple[str, ...] = ()


WORDS: Final = (
    Word(
        "deal",
        "[DEALER] [without NAME…] [NAME CARDS…]",
        "a hand is dealt to everybody; NAME CARDS: another number of cards",
        ("dealt", "deals"),
    ),
    Word("out", "[NAME] [blowback|deathcard]", "the player is out of the hand"),
    Word("draw", "[NAME] [CARD]", "the draw, where draws are written down", ("d", "drew", "draws")),
    Word("nodraw", "[NAME]", "the player did not draw, where draws are written down", ("forgot",)),
    Word("reshuffle", "", "the play pile becomes the stock", ("shuffle", "reshuffled")),
    Word("won", "[NAME]", "the player has won the hand", ("wins",)),
    Word(
        "show", "[NAME] CARD…", "cards that somebody shows; what they steal or where a prize slides follows", ("shows",)
    ),
    Word("stole", "[NAME]", "the ace of clubs takes the hit from the winner", ("steal", "steals")),
    Word("bonus", "[NAME]", "the winner holds the ace of clubs: one more hit"),
    Word("slid", "[CARD] NAME [bonus]", "the prize slides to the player", ("slides",)),
    Word(
        "took", "[NAME] [HITS] [bonus]", "the holder of the prize takes the hits, or so many of them", ("takes", "take")
    ),
    Word("carried", "[NAME] [HITS] [bonus]", "the hits, or so many, stay for the next hand", ("carry",)),
    Word("gave", "[NAME to] NAME [HITS] [bonus]", "the hits, or so many, are given to somebody", ("give", "gives")),
    Word("leisure", "NAME [finished]", "a leisure hit; finished: it finished the bowl", ("smoked",)),
    Word("loaded", "[NAME]", "the player loads; without a name, whoever has the duty", ("load", "loads")),
    Word("joins", "NAME [SEAT]", "a player sits down, at the end or at a seat counted from 1", ("join",)),
    Word("leaves", "NAME", "a player leaves the table, and the hand if one is being played"),
    Word("fixed", "NAME [drew CARD…] [returned CARD…]", "a hand is put right; ? is a card that nobody saw", ("fix",)),
    Word("count", "NUMBER", "the table agrees on a Count"),
    Word("void", "REASON", "the hand is off", ("voided",)),
    Word("paid", "NAME [TOKENS] [border|exact]", "a player loses tokens", ("pays",)),
    Word("knocked", "NAME", "a player is out of the match"),
    Word("match", "NAME [TOKENS]", "a player has won the match, and has so many tokens then"),
    Word(
        "ruling",
        "[LINE] [RULE] [by NAME:] TEXT",
        "the table's decision; without a line, on the last finding",
        ("rule",),
    ),
    Word(
        "undo",
        "[LINE] [player]",
        "take the last entry back, or all from a line on; player: the table took it back. "
        "What an undo took back stands again if that is undone, by its line",
    ),
    Word("close", "", "the game is over; nothing follows", ("closed",)),
)
"""What can be written down besides a card that is played."""

CARD_ENTRY: Final = Word(
    "CARD", "[COUNT] [NAME]", "the card is played and the Count is said; NAME: whom it points at or chooses"
)
BY_NAME: Final[dict[str, str]] = {name: word.word for word in WORDS for name in (word.word, *word.also)}
"""Each way to write a word, and the word."""


def word_list() -> list[tuple[str, str]]:
    """Every entry as it is typed, with what it writes down."""
    return [(f"{word.word} {word.takes}".strip(), word.does) for word in (CARD_ENTRY, *WORDS)]
