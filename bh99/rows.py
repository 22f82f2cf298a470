"""Answers as rows: a list of typed structs that becomes a frame of pandas, polars or arrow without needing them."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec

Row = TypeVar("Row", bound=msgspec.Struct)


class Rows(list[Row]):
    """A list of structs of one kind.

    >>> import bh99
    >>> rows = bh99.stats("fixtures/one-hand.jsonl")
    >>> rows[0].player, rows.columns()["wins"]
    ('Lena', [1, 0, 0])
    """

    def __init__(self, rows: Iterable[Row] = (), names: Sequence[str] = ()) -> None:
        """`names`: the columns, also if there are no rows."""
        super().__init__(rows)
        self._names = tuple(names)

    @property
    def names(self) -> list[str]:
        """The columns, in order."""
        return list(self._names or (self.records()[0] if self else ()))

    def records(self) -> list[dict[str, Any]]:
        """One dict a row, as JSON has it: `pandas.DataFrame.from_records(rows.records())`."""
        return [msgspec.to_builtins(row) for row in self]

    def columns(self) -> dict[str, list[Any]]:
        """One list a column: what `pandas.DataFrame`, `polars.DataFrame` and `pyarrow.table` take as it is."""
        records = self.records()
        return {name: [record[name] for record in records] for name in self.names}


def columns_of(kind: type[msgspec.Struct], *more: str | None) -> list[str]:
    """The columns that every row of a kind has, behind those of this answer."""
    own = [field.name for field in msgspec.structs.fields(kind) if field.required]
    return [*filter(None, more), *own]
