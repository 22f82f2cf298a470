"""URLs of stores on a server: which schema of which database, and what of it may be shown."""

import re
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from bh99.errors import StoreUnusable
from bh99.store.place import no_store

SCHEMA: Final = "bh99"
"""The schema of a store whose URL names none."""
_SCHEMA: Final = re.compile(r"[a-z_][a-z0-9_]{0,49}")
_SHOWN: Final = ("service", "host", "hostaddr", "port", "dbname", "user")
"""What is shown of that which stands behind the question mark."""
_ODD: Final = (
    "what stands in this URL can't be told apart; write each of @ : / ? # % in a name or password as %40 and so on"
)


class Server(NamedTuple):
    """A store on a server. `conninfo`: what libpq connects with; it may hold a password, and is never shown."""

    conninfo: str
    schema: str
    url: str
    """Names the store, without a password."""

    def __repr__(self) -> str:
        return f"Server({self.url!r})"


def server_of(url: str) -> Server:
    """The store that a URL means: `postgresql://user:password@host:port/database?schema=name`, and all else that libpq
    takes. Only the schema is ours; it is `bh99` if none is named.

    Raises StoreUnusable; its message shows nothing that might be a part of a password.
    """
    try:
        parts = urlsplit(url)
        pairs = parts.query.split("&") if parts.query else []
        options = [tuple(map(unquote, pair.split("=", 1))) for pair in pairs]
    except ValueError:
        raise StoreUnusable(_scheme(url), _ODD) from None
    login, at, hosts = parts.netloc.rpartition("@")
    user = login.partition(":")[0]
    odd = (
        "@" in login + hosts + parts.path + parts.query
        or {*parts.path} & {*"=; "}
        or "#" in url
        or login.count(":") > 1
        or "\0" in unquote(url)
    )
    if odd or any(len(option) != 2 for option in options):
        raise StoreUnusable(_scheme(url), _ODD)
    if any(not port.isdigit() for port in re.findall(r":([^:,\]]+)(?=,|$)", hosts)):
        raise StoreUnusable(_scheme(url), _ODD)
    named = [option[1] for option in options if option[0] == "schema"]
    schema = named[-1] if named else SCHEMA
    if not _SCHEMA.fullmatch(schema) or schema.startswith("pg_") or schema.endswith("_views"):
        message = "the schema of a store is of small letters, digits and _, 50 at most; it begins with no digit or pg_"
        message += ", and doesn't end in _views"
        raise StoreUnusable(_scheme(url), message)
    if not parts.path.removeprefix("/") and not any(option[0] in ("dbname", "service") for option in options):
        raise no_store(_scheme(url))
    theirs = "&".join(pair for pair in pairs if not pair.startswith("schema="))  # as it stands: libpq decodes it
    conninfo = f"postgresql://{parts.netloc}{parts.path}{'?' if theirs else ''}{theirs}"
    shown = [f"{name}={value}" for name, value in options if name in _SHOWN or (name == "schema" and value != SCHEMA)]
    ending = f"?{'&'.join(shown)}" if shown else ""
    return Server(conninfo, schema, f"postgresql://{user}{at if user else ''}{hosts}{parts.path}{ending}")


def _scheme(url: str) -> str:
    return f"{url.partition(':')[0]}://…"
