"""The keys of the replayer: the one list that the bindings, the help page and the documentation are made of."""

from typing import Final, NamedTuple


class Key(NamedTuple):
    """Keys (as Textual names them), how they are shown, the action that they start, and what it does."""

    keys: str
    shown: str
    action: str
    does: str


KEYS: Final = (
    Key("enter,space,right,down,l,j", "enter space → ↓ l j", "move(1)", "next line"),
    Key("b,backspace,left,up,h,k", "b backspace ← ↑ h k", "move(-1)", "line before"),
    Key("right_square_bracket,pagedown", "] page-down", "hand(1)", "next hand"),
    Key("left_square_bracket,pageup", "[ page-up", "hand(-1)", "start of this hand, or the hand before"),
    Key("f", "f", "finding(1)", "next finding"),
    Key("F", "F", "finding(-1)", "finding before"),
    Key("home,less_than_sign", "home <", "ends(0)", "first line"),
    Key("end,greater_than_sign,G", "end > G", "ends(1)", "last line"),
    Key("g,colon", "g :", "ask_line", "go to a line"),
    Key("o", "o", "return", "back to where you jumped from"),
    Key("slash", "/", "ask_search", "search: ana 7h, hit_stolen, queen of spades"),
    Key("n", "n", "found(1)", "next line that fits the search"),
    Key("N", "N", "found(-1)", "line before that fits the search"),
    Key("p", "p", "play(0)", "play on by itself, or stop"),
    Key("1", "1", "play(1)", "play on slowly: a line in two seconds"),
    Key("2", "2", "play(2)", "play on faster: two lines a second"),
    Key("3", "3", "play(3)", "play on fast: eight lines a second"),
    Key("s", "s", "ask_seat", "see the game with the eyes of one seat, or whole"),
    Key("x", "x", "explain", "explain the finding on this line"),
    Key("e", "e", "evidence", "to the evidence: ↑ ↓ choose, enter goes there"),
    Key("d", "d", "scroll(1)", "scroll what stands below the table down"),
    Key("u", "u", "scroll(-1)", "scroll it up"),
    Key("m", "m", "ask_mark", "mark this line, with a comment if you like"),
    Key("M", "M", "drop_mark", "take the mark away"),
    Key("apostrophe", "'", "mark(1)", "next marked line"),
    Key("quotation_mark", '"', "mark(-1)", "marked line before"),
    Key("y", "y", "link", "copy the command that opens this line"),
    Key("t", "t", "theme", "light or dark"),
    Key("question_mark,f1", "? f1", "help", "the keys"),
    Key("ctrl+z", "ctrl-z", "suspend_process", "put the replayer to sleep; fg wakes it"),
    Key("q,Q,ctrl+c,ctrl+q,ctrl+d", "q ctrl-c ctrl-q", "leave", "quit"),
)


def help_text() -> str:
    """The help page, at most 78 columns wide."""
    width = max(len(key.shown) for key in KEYS)
    lines = [f"{key.shown:>{width}}   {key.does}" for key in KEYS]
    mouse = [
        "Click on a line of the log, on a line of evidence or on the bar to go there;",
        "the wheel goes line by line. Marks are kept beside the log, never in it.",
    ]
    signs = [
        "> the line you are at, or who is to act     x who is out of the hand",
        "! a finding     * a mark     O on the bar: where you are     ·· a card that is",
        "not known; in a finding it may be known all the same, from a later line.",
    ]
    return "\n".join([*lines, "", *mouse, "", *signs])
