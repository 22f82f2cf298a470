"""Text from a log, made safe to show: logs come from strangers, and terminals obey control characters."""


def printable(text: str, limit: int | None = 60) -> str:
    r"""The text with control, format, direction and unassigned characters as visible escapes (`\x1b`, `\u202e`).

    At most `limit` characters, the last one `…` if something was cut; None for no limit. Letters, signs and plain
    spaces of any script stay as they are; other kinds of space and every kind of line end are escaped.
    """
    cut = limit is not None and len(text) > limit
    if cut:
        text = text[:limit]
    if not text.isprintable():
        text = "".join(char if char.isprintable() else _escaped(char) for char in text)
    if limit is None or (not cut and len(text) <= limit):
        return text
    return text[: max(limit - 1, 0)] + "…"


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
