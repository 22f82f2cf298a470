"""URLs of stores on a server: what they mean, and that nothing of a password is ever shown."""

import pytest

from bh99.errors import StoreUnusable
from bh99.store.postgresql.urls import server_of
from bh99.store.urls import place_of

SECRET = "Xyzzy"


@pytest.mark.parametrize(
    ("url", "schema", "shown"),
    [
        (f"postgresql://ana:{SECRET}@db.example:5433/games", "bh99", "postgresql://ana@db.example:5433/games"),
        (f"postgres://ana:{SECRET}@db.example/games", "bh99", "postgresql://ana@db.example/games"),
        ("postgresql:///games", "bh99", "postgresql:///games"),
        (f"postgresql://:{SECRET}@/games", "bh99", "postgresql:///games"),
        ("postgresql://db/games?schema=league&sslmode=require", "league", "postgresql://db/games?schema=league"),
        (f"postgresql://db/games?password={SECRET}", "bh99", "postgresql://db/games"),
        (f"postgresql://ana:%40{SECRET}%2f@one:1,two:2/games", "bh99", "postgresql://ana@one:1,two:2/games"),
        ("postgresql://ana@[::1]:5432/games", "bh99", "postgresql://ana@[::1]:5432/games"),
        ("postgresql://?service=games", "bh99", "postgresql://?service=games"),
        (f"postgresql:///games?host=db1&password={SECRET}", "bh99", "postgresql:///games?host=db1"),
        (f"Postgresql://db/games?password={SECRET}", "bh99", "postgresql://db/games"),
    ],
)
def test_a_url_names_a_schema_and_shows_no_password(url: str, schema: str, shown: str) -> None:
    server = server_of(url)
    assert (server.schema, server.url) == (schema, shown)
    assert SECRET not in repr(server) + server.url
    assert "schema" not in server.conninfo


def test_what_libpq_is_told_stays_as_it_stands() -> None:
    """It decodes %20, but no plus."""
    url = "postgresql://ana@db/games?options=-c%20statement_timeout%3D5000&schema=league&password=a%20b%2Bc"
    assert server_of(url).conninfo == url.replace("&schema=league", "")


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ana:{SECRET}@{SECRET}@db/games",
        f"postgresql://ana:{SECRET}/{SECRET}@db/games",
        f"postgresql://ana:{SECRET}#{SECRET}@db/games",
        f"postgresql://ana:{SECRET}?{SECRET}@db/games",
        f"postgresql://ana:{SECRET}",
        f"postgresql://ana:{SECRET}:{SECRET}@db/games",
        f"postgresql://ana:{SECRET}@db",
        f"postgresql://ana:{SECRET}@db/games?schema={SECRET}",
        f"postgresql://ana:{SECRET}@db/games?schema=pg_x",
        f"postgresql://ana:{SECRET}@db/games?schema=",
        f"postgresql://ana:{SECRET}@[db/games",
        f"postgresql://ana:{SECRET}@db/ga%00mes",
        f"mysql://ana:{SECRET}@db/games",
        f"postgresql+psycopg://db/games?user=ana&password={SECRET}",
        f"host=db user=ana password={SECRET} dbname=games",
        f"postgresql://ana:{SECRET}@db/games?schema=league_views",
        f"postgresql://ana:{SECRET}@db/games?{SECRET}",
        f"postgresql:host=db password={SECRET} dbname=x",
        f"postgresql://db/games;password={SECRET}",
        f"postgresql://db/dbname=x password={SECRET}",
        f"psql://bh99:{SECRET}",
        f"sqlite://ana:{SECRET}@db/games",
    ],
)
def test_a_url_that_cannot_be_understood_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(StoreUnusable) as refused:
        place_of(url)
    assert SECRET not in str(refused.value)
    assert SECRET not in repr(refused.value)
    assert "\n" not in str(refused.value)


def test_without_the_library_for_servers_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "bh99.store.postgresql.place", None)
    with pytest.raises(StoreUnusable, match=r"bh99\[postgresql\]"):
        place_of(f"postgresql://ana:{SECRET}@db/games")
