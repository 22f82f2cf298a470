"""What holds for all tests: none of them sees, or leaves, a game store in the data folder of whoever runs them; and
what runs on both engines of the store."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stores
from terminals import Open, Terminal

from bh99.store.store import open_store


@pytest.fixture(autouse=True, scope="session")
def a_data_folder_of_their_own() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", folder)
        patch.delenv("BH99_STORE", raising=False)
        yield


@pytest.fixture(
    scope="module", params=["files", pytest.param("server", marks=pytest.mark.postgresql)], ids=stores.ENGINES
)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each of both engines of the store; a test that uses it runs on both."""
    with stores.on(request.param):
        yield request.param


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 60 logs."""
    return stores.logs_in(tmp_path_factory.mktemp("logs"), 60)


@pytest.fixture(scope="session")
def right(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[Any, ...]]]:
    """What the views of these logs have to be: imported and built by one process, undisturbed, in SQLite."""
    with open_store(f"sqlite:///{tmp_path_factory.mktemp('right')}/games.sqlite") as store:
        for path in sorted(logs.iterdir()):
            store.import_log(str(path))
        return stores.views_of(store)


@pytest.fixture
def open_terminal() -> Iterator[Open]:
    """Opens terminals, and closes them after the test."""
    opened: list[Terminal] = []

    def terminal(*arguments: str, **more: Any) -> Terminal:
        opened.append(Terminal(*arguments, **more))
        return opened[-1]

    yield terminal
    for each in opened:
        each.process.kill()
        each.process.wait()
        os.close(each.ours)
