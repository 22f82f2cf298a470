"""What holds for all tests: none of them sees, or leaves, a game store in the data folder of whoever runs them."""

import tempfile
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def a_data_folder_of_their_own() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", folder)
        patch.delenv("BH99_STORE", raising=False)
        yield
