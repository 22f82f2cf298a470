"""What is asked of the views: which games are meant, and the rows of them."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from bh99.rows import Rows, columns_of
from bh99.store.database import Cursor
from bh99.store.view_tables import AT_ONCE
from bh99.wanted import By, StoredGame, Wanted
from domain.reading_rules import UnknownRules
from domain.shipped_rules import rules_named
from projections.duty import DutyRow
from projections.statistics import COUNTED, PlayerStats, player_stats

_ONCE: Final = ("games", "matches")
"""What a game counts but once for a person, under however many spellings they sat in it."""


class _Sql:
    """Conditions with their parameters, as they add up."""

    def __init__(self) -> None:
        self.conditions: list[str] = []
        self.parameters: list[Any] = []

    def add(self, condition: str, *parameters: Any) -> None:
        self.conditions.append(condition)
        self.parameters += parameters

    @property
    def text(self) -> str:
        return " AND ".join(self.conditions) or "TRUE"


def _games_wanted(wanted: Wanted, *, dated: bool = True) -> _Sql:
    """What holds for a row of `games` that is meant. Not `dated`: those that `since` leaves out for want of a date."""
    sql = _Sql()
    sql.add("games.damage IS NULL")
    if not wanted.simulated:
        sql.add("games.source <> 'simulated'")
    if wanted.since is not None:
        sql.add("games.evening >= ?", wanted.since.isoformat()) if dated else sql.add("games.evening IS NULL")
    if wanted.rules is not None:
        _of_set(wanted.rules, sql)
    if wanted.disputed is not None:
        sql.add("games.findings > 0" if wanted.disputed else "games.findings = 0")
    return sql


def _of_set(rules: str, sql: _Sql) -> None:
    """Only games of a rule set: with these options, or with any if none is named. Editions don't matter."""
    try:
        rules = rules_named(rules).name
    except UnknownRules:
        rules = rules.partition("@")[0]
    if "+" in rules:
        sql.add("games.rules = ?", rules)
    else:
        sql.add("(games.rules = ? OR substr(games.rules, 1, ?) = ?)", rules, len(rules) + 1, f"{rules}+")


def _person(wanted: Wanted) -> tuple[str, list[str]]:
    """A table that gives each spelling its person's name, as SQL that stands before the query."""
    if not wanted.aliases:
        return "", []
    pairs = [text for pair in wanted.aliases.items() for text in pair]
    return f"WITH aliases(spelling, name) AS (VALUES {', '.join(['(?, ?)'] * len(wanted.aliases))}) ", pairs


def _name(wanted: Wanted, table: str) -> tuple[str, str]:
    """The person of a row, and the join that it needs."""
    if not wanted.aliases:
        return f"{table}.player", ""
    return f"coalesce(aliases.name, {table}.player)", f" LEFT JOIN aliases ON aliases.spelling = {table}.player"


def _only(wanted: Wanted, name: str, sql: _Sql) -> None:
    if wanted.players:
        people = [wanted.aliases.get(player, player) for player in wanted.players]
        sql.add(f"{name} IN ({', '.join('?' * len(people))})", *people)


def stats_rows(c: Cursor, wanted: Wanted, by: By | None = None) -> Rows[PlayerStats]:
    """A row a player, by name; with `by` a row a group and player."""
    games, sql = _games_wanted(wanted), _Sql()
    before, pairs = _person(wanted)
    name, join = _name(wanted, "players")
    # The games that aren't meant are mostly few: it costs less to pass them over than to look each row's game up.
    sql.add(f"players.game NOT IN (SELECT game FROM games WHERE ({games.text}) IS NOT TRUE)", *games.parameters)
    _only(wanted, name, sql)
    group = f"games.{by}" if by else "NULL"
    if by:
        join += " JOIN games ON games.game = players.game"
    source, column = f"players{join} WHERE {sql.text}", "players."
    if wanted.aliases:
        once = ", ".join(f"{'max' if each in _ONCE else 'sum'}(players.{each}) AS {each}" for each in COUNTED)
        inner = f"SELECT {group} AS grouped, {name} AS person, {once} FROM {source} GROUP BY 1, 2, players.game"
        source, group, name, column = f"({inner}) AS of_games", "grouped", "person", ""
    sums = ", ".join(f"sum({column}{each})" for each in COUNTED)
    c.execute(
        f"{before}SELECT {group}, {name}, {sums} FROM {source} GROUP BY 1, 2 ORDER BY 1 NULLS FIRST, 2",
        [*pairs, *sql.parameters],
    )
    found = c.fetchall()
    return Rows(
        (player_stats(row[1], dict(zip(COUNTED, row[2:], strict=True)), {by: row[0]} if by else {}) for row in found),
        columns_of(PlayerStats, by),
    )


def duty_rows(c: Cursor, wanted: Wanted, by: By | None = None, *, named: bool = True) -> Rows[DutyRow]:
    """A row each time that the duty was given, by game and line. Not `named`: without the name of the log."""
    sql = _games_wanted(wanted)
    before, pairs = _person(wanted)
    name, join = _name(wanted, "duty")
    _only(wanted, name, sql)
    group = f"games.{by}" if by else "NULL"
    c.execute(
        f"{before}SELECT {group}, duty.game, duty.line, duty.hand, {name}, duty.cause, duty.load_lines"
        f" FROM duty JOIN games ON games.game = duty.game{join} WHERE {sql.text}"
        " ORDER BY 1 NULLS FIRST, games.evening NULLS FIRST, games.at NULLS FIRST, duty.game, duty.line",
        [*pairs, *sql.parameters],
    )
    rows = (
        DutyRow(
            **{"log": game} if named else {},
            **{by: of_group} if by else {},
            line=line,
            hand=hand,
            player=player,
            cause=cause,
            loads=msgspec.json.decode(loads),
        )
        for of_group, game, line, hand, player, cause, loads in c.fetchall()
    )
    return Rows(rows, columns_of(DutyRow, "log" if named else None, by))


def games_rows(c: Cursor, wanted: Wanted) -> Rows[StoredGame]:
    """A row a game, the oldest evening first; games that can't be read are listed whatever is wanted."""
    sql = _games_wanted(wanted)
    _with_players(wanted, sql)
    meant = f"damage IS NOT NULL OR ({sql.text})"
    c.execute(
        f"SELECT game, player FROM players WHERE game IN (SELECT game FROM games WHERE {meant}) ORDER BY game, player",
        sql.parameters,
    )
    players: dict[str, list[str]] = {}
    for game, player in c.fetchall():
        players.setdefault(game, []).append(player)
    c.execute(
        "SELECT game, evening, at, rules, source, events, hands, closed, findings, open_checks, damage"
        f" FROM games WHERE {meant} ORDER BY evening NULLS FIRST, at NULLS FIRST, game",
        sql.parameters,
    )
    rows = (
        StoredGame(
            game=row[0],
            evening=row[1],
            at=row[2],
            rules=row[3],
            source=row[4],
            players=players.get(row[0], []),
            events=row[5],
            hands=row[6],
            closed=None if row[7] is None else bool(row[7]),
            findings=row[8],
            open_checks=row[9],
            damage=row[10],
        )
        for row in c.fetchall()
    )
    return Rows(rows, columns_of(StoredGame))


def _with_players(wanted: Wanted, sql: _Sql) -> None:
    """Only games in which one of the players sat, under whatever spelling."""
    if wanted.players:
        people = [wanted.aliases.get(player, player) for player in wanted.players]
        spelled = [*people, *(spelling for spelling, name in wanted.aliases.items() if name in people)]
        marks = ", ".join("?" * len(spelled))
        sql.add(f"games.game IN (SELECT game FROM players WHERE player IN ({marks}))", *spelled)


def undated(c: Cursor, wanted: Wanted) -> int:
    """How many games `since`, which is given, leaves out because nobody wrote down when they were."""
    sql = _games_wanted(wanted, dated=False)
    _with_players(wanted, sql)
    c.execute(f"SELECT count(*) FROM games WHERE {sql.text}", sql.parameters)
    found: int = c.fetchone()[0]
    return found


def findings_of(c: Cursor, wanted: Wanted) -> int:
    """How many proved findings the games have that are meant."""
    sql = _games_wanted(wanted)
    _with_players(wanted, sql)
    c.execute(f"SELECT coalesce(sum(findings), 0) FROM games WHERE {sql.text}", sql.parameters)
    found: int = c.fetchone()[0]
    return found


def findings_in(c: Cursor, games: Sequence[str]) -> dict[str, int]:
    """How many proved findings each of these games has; a game that can't be read isn't there."""
    found: dict[str, int] = {}
    for at in range(0, len(games), AT_ONCE):
        some = games[at : at + AT_ONCE]
        marks = ", ".join("?" * len(some))
        c.execute(f"SELECT game, findings FROM games WHERE findings IS NOT NULL AND game IN ({marks})", some)
        found.update((game, findings) for game, findings in c.fetchall())
    return found


def damaged(c: Cursor) -> list[str]:
    """Why games can't be read, in the order of their ids."""
    c.execute("SELECT damage FROM games WHERE damage IS NOT NULL ORDER BY game")
    return [damage for (damage,) in c.fetchall()]
