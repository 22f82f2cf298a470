"""Files that are written once, and never over another."""

import os


def write_new(path: str, text: bytes) -> None:
    """Write a file that isn't there yet, whole or not at all. Raises OSError, also if it is there."""
    file = open(path, "xb")  # noqa: SIM115
    try:
        with file:
            file.write(text)
    except BaseException:
        os.unlink(path)
        raise
