"""Text files that people write by hand."""

from bh99.errors import FileUnreadable


def text_in(file: str, unreadable: type[FileUnreadable]) -> str:
    """The text of a file, without a byte-order mark. Raises `unreadable` if it can't be read, or isn't UTF-8."""
    try:
        with open(file, "rb") as opened:
            return opened.read().decode("utf-8-sig")
    except OSError as error:
        raise unreadable(file, error.strerror or "the file can't be read") from None
    except UnicodeDecodeError:
        raise unreadable(file, "this is not UTF-8; expected a text file") from None
