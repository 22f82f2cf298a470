"""The keys of a game at the terminal: the one list that bindings, help page and documentation are made of."""

from typing import Final

from cli.replayer.keys import Key

CHOICE_KEYS: Final = "123456789adefghijkmnoprsuvwxyz"
"""What stands before a card, or before anything else to choose; the other letters are keys of their own."""

KEYS: Final = (
    Key("enter", "enter", "go_on", "deal; show my hand; let the bots play on without a pause"),
    Key("colon,slash", ": /", "ask_card", "type it: 7h, ah 34, 5c ben, take, leave 1, give 1 kim"),
    Key("escape", "escape", "choose_again", "choose another card, if one asks for more"),
    Key("l", "l", "leisure", "a leisure hit"),
    Key("L", "L", "leisure(True)", "a leisure hit that finishes the bowl"),
    Key("b", "b", "load", "load the bowl"),
    Key("up,pageup", "↑ page-up", "tell(-1)", "read back in the story"),
    Key("down,pagedown", "↓ page-down", "tell(1)", "read on in the story"),
    Key("c", "c", "close", "close the game for good; it asks before"),
    Key("t", "t", "theme", "light or dark"),
    Key("question_mark,f1", "? f1", "help", "the keys"),
    Key("ctrl+z", "ctrl-z", "suspend_process", "put the game to sleep; fg wakes it"),
    Key("q,Q,ctrl+c,ctrl+q,ctrl+d", "q ctrl-c ctrl-q", "leave", "leave; the game is kept and can be gone on with"),
)
CHOOSE: Final = Key(",".join(CHOICE_KEYS), "1 2 3 …", "choose", "play that card, or choose what stands behind it")


def help_text() -> str:
    """The help page, at most 78 columns wide."""
    keys = (CHOOSE, *KEYS)
    width = max(len(key.shown) for key in keys)
    lines = [f"{key.shown:>{width}}   {key.does}" for key in keys]
    signs = [
        "[1] 7h → 24   a card that may be played, and the Count that it makes",
        "(2) Kd        a card that may not: try it, and the rule is named",
        " 3  5c        a card of a hand that is not to play now",
        "",
        "> who is to act     ·· a card that you don't see",
        "Cards are two letters: rank (A 2 … 9 T J Q K), then suit (c d h s).",
        "",
        "Draws, going out, the answer to a Death Card, steals, slides and tokens",
        "follow by themselves. A game that is played here takes nothing back.",
    ]
    return "\n".join([*lines, "", *signs])
