"""Finding the log that a user means: a file, standard input, or a game in the store."""

import os

from bh99.errors import LogUnreadable, Problem
from bh99.logs import Log, open_log
from domain.events import is_game_id
from domain.rule_sets import RuleSet


def find_log(name: str, rules: RuleSet | None = None, store: str | None = None) -> Log:
    """The log in the file of that name ("-": standard input), or else the stored game of that id.

    `rules`: judge by these, not by those that it names. `store`: the URL of the store, if it isn't the default one.
    Raises LogUnreadable if it can't be read or is neither, GameForgotten, and StoreUnusable.
    """
    if name == "-" or os.path.lexists(name) or not is_game_id(name):
        return open_log(name, rules)
    from bh99.store.urls import place_of

    place = place_of(store)
    if place.safely(place.find, place.events) is None:
        where = "" if store is None else f", and there is no store {place.events}"
        raise LogUnreadable(name, [Problem(name, f"no such file{where}")])
    return _stored(name, rules, store)


def _stored(name: str, rules: RuleSet | None, url: str | None) -> Log:
    from bh99.errors import UnknownGame
    from bh99.store.store import open_store

    with open_store(url, create=False) as store:
        try:
            return store.read_log(name, rules)
        except UnknownGame:
            message = "no such file, and the store has no such game"
            raise LogUnreadable(name, [Problem(name, message)]) from None
