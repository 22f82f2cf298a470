"""A game told as text: a line an event, hand by hand, with the Count, who is to act, and the findings."""

from collections.abc import Iterator

from domain.events import HandDealt
from projections.drawing import draw_table, finding_lines
from projections.frames import Frame, Replay
from projections.table_view import TableView

STATUS_AT = 58
"""The column where the Count and who is to act begin."""


def transcript(game: Replay, *, hand: int | None = None, start: int = 1, to: int | None = None) -> Iterator[str]:
    """The lines of a transcript, of one hand or of a stretch of lines if that is all that is wanted."""
    heading = 0
    for told in game.frames():
        if told.line < start or (to is not None and told.line > to) or (hand is not None and told.view.hand != hand):
            continue
        if told.view.hand != heading:
            heading = told.view.hand
            yield f"\nHand {heading}" if told.line > 1 else f"Hand {heading}"
        yield told_line(told)
        for finding in told.findings:
            yield from ("       " + line for line in finding_lines(finding))


def told_line(told: Frame) -> str:
    """`  12  Ana draws a card          99 · Ben to play`."""
    text = f"{told.line:>5}  {told.sentence}"
    if told.undone_by is not None:
        return f"{text}  (taken back on line {told.undone_by})"
    status = status_of(told.view)
    if len(text) >= STATUS_AT:
        return f"{text}\n{'':<{STATUS_AT}}  {status}"
    return f"{text:<{STATUS_AT}}  {status}"


def status_of(view: TableView) -> str:
    """The Count and who is to act, in a few words."""
    count = "?" if view.count is None else str(view.count)
    if not view.expected:
        won = view.awaiting is None and view.winner and view.in_match
        return f"{view.winner} has won the match" if won else "closed"
    option = view.expected[0]
    who = option.player or "anybody"
    turned = " ↺" if view.direction == -1 else ""
    return f"{count:>2}{turned} · {who} {_WAITS[option.type]}"


_WAITS = {
    "card_played": "to play",
    "card_drawn": "to draw",
    "pile_reshuffled": "to draw, after a reshuffle",
    "player_eliminated": "is out",
    "hand_won": "wins the hand",
    "hit_stolen": "to steal",
    "bonus_created": "has a bonus coming",
    "hit_slid": "gets the slide",
    "hit_taken": "to settle the prize",
    "hand_dealt": "to deal",
    "tokens_lost": "to pay",
    "player_knocked_out": "is out of the match",
    "match_won": "wins the match",
}


def frame_text(game: Replay, line: int) -> str:
    """The table after a line, with its sentence above and the findings that are shown on it below."""
    frame = game.frame_at(line)
    hand = f", hand {frame.view.hand}" if isinstance(game.events[line - 1], HandDealt) else ""
    heading = f"Line {line} of {len(game)}{hand}: {frame.sentence}"
    lines = [heading, *draw_table(frame.view)]
    for finding in frame.findings:
        lines += finding_lines(finding)
    return "\n".join(lines)
