"""Component tables: read CSV files, check every cell, and say which one is wrong.

A game lists the columns that its rules read; columns for people (provenance, notes) are ignored.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np


class TableError(ValueError):
    """A component table is missing, misshapen or holds a value that is not allowed."""


class Column(NamedTuple):
    """One column that the rules read: its name, the parser of a cell, and what a cell may be, in words.

    ``parse`` returns the value of a cell or raises ValueError.
    """

    name: str
    parse: Callable[[str], Any]
    allowed: str


def integer(name: str, low: int, high: int, words: Mapping[str, int] | None = None) -> Column:
    """A column of integers from ``low`` to ``high``; ``words`` are other spellings and what they stand for."""

    def parse(cell: str) -> int:
        if words and cell in words:
            return words[cell]
        # Not all that int() takes is a number in a table: "1_0", full-width digits.
        if not re.fullmatch(r"-?[0-9]{1,9}", cell):
            raise ValueError
        value = int(cell)
        if not low <= value <= high:
            raise ValueError
        return value

    spellings = f" or {', '.join(words)}" if words else ""
    return Column(name, parse, f"an integer from {low} to {high}{spellings}")


def word(name: str, allowed: Collection[str]) -> Column:
    """A column of words from a closed list; the empty cell is allowed if ``""`` is in it."""

    def parse(cell: str) -> str:
        if cell not in allowed:
            raise ValueError
        return cell

    return Column(name, parse, "one of " + ", ".join(repr(a) if a == "" else a for a in allowed))


def number(name: str) -> Column:
    """A column of plain decimal numbers, such as ``-0.25``."""

    def parse(cell: str) -> float:
        if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", cell):
            raise ValueError
        return float(cell)

    return Column(name, parse, "a decimal number")


class Row(dict):
    """One row: values by column name, and where it stands in its file."""

    def __init__(self, path: Path, number: int, values: dict[str, Any]):
        super().__init__(values)
        self.path, self.number = path, number

    def error(self, column: str, allowed: str) -> TableError:
        """The error to raise when this row's ``column`` cannot stand as it is."""
        return TableError(
            f"{self.path}: row {self.number}, column {column!r}: {str(self[column])[:80]!r} is not allowed; "
            f"it must be {allowed}"
        )


def read_table(
    folder: Path, file: str, columns: Sequence[Column], *, key: str | None = None, rows: int | None = None
) -> list[Row]:
    """Read ``folder / file``; rows are numbered as a text editor shows them (the header is row 1).

    Args:
        folder: the tables' folder.
        file: file name within it.
        columns: the columns to read; others are ignored.
        key: a column whose values must differ from row to row.
        rows: how many rows there must be.

    Raises:
        TableError: the file is missing or not CSV in UTF-8, a column is missing, a row is too short or too long, a cell
            is not allowed, a key stands twice, or the number of rows is wrong.
    """
    path = Path(folder) / file
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise TableError(f"{path}: no such table; the folder must hold it") from None
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from None
    except OSError as error:
        raise TableError(f"{path}: cannot be read ({error.strerror})") from None
    reader = csv.reader(text.splitlines(), strict=True)
    result: list[Row] = []
    seen: dict[Any, int] = {}
    try:
        header = next(reader, [])
        for column in columns:
            if header.count(column.name) != 1:
                found = "is missing" if column.name not in header else "stands twice"
                raise TableError(f"{path}: row 1: column {column.name!r} {found}; the header is {', '.join(header)}")
        for cells in reader:
            if not cells:
                continue
            number = reader.line_num
            if len(cells) != len(header):
                raise TableError(f"{path}: row {number}: {len(cells)} cells where the header has {len(header)}")
            raw = dict(zip(header, cells, strict=True))
            row = Row(path, number, raw)
            values = {}
            for column in columns:
                try:
                    values[column.name] = column.parse(raw[column.name].strip())
                except ValueError:
                    raise row.error(column.name, column.allowed) from None
            row = Row(path, number, values)
            if key is not None:
                if values[key] in seen:
                    raise row.error(key, f"different in every row (row {seen[values[key]]} has it too)")
                seen[values[key]] = number
            result.append(row)
    except csv.Error as error:
        raise TableError(f"{path}: row {reader.line_num}: not CSV ({error})") from None
    if rows is not None and len(result) != rows:
        raise TableError(f"{path}: {len(result)} rows where {rows} are needed")
    return result


def read_constants(folder: Path, columns: Sequence[Column], *, file: str = "constants.csv") -> dict[str, Row]:
    """Read a table of ``key,value`` rows, each checked by the column of the key's name; rows by key.

    A row's value stands under ``"value"``. Keys that no column names are ignored: the rules do not read them.

    Raises:
        TableError: as :func:`read_table`, or a key is missing.
    """
    by_name = {column.name: column for column in columns}
    text = Column("key", str, "a name")
    rows = {row["key"]: row for row in read_table(folder, file, [text, Column("value", str, "a value")], key="key")}
    for name, column in by_name.items():
        if name not in rows:
            raise TableError(f"{Path(folder) / file}: key {name!r} is missing; it must be {column.allowed}")
        try:
            rows[name]["value"] = column.parse(rows[name]["value"])
        except ValueError:
            raise rows[name].error("value", f"{column.allowed} (key {name!r})") from None
    return {name: rows[name] for name in by_name}


# --- weights --------------------------------------------------------------------------------------


WEIGHTS_FILE = "value.csv"
# The field of a tables' record that holds them. They are no components: the rules do not read them.
WEIGHTS_FIELD = "weights"


class Weight(NamedTuple):
    """One number that a game's ``value`` weighs by, the range in which it makes sense, and what it means."""

    name: str
    value: float
    low: float
    high: float
    meaning: str


def read_weights(folder: Path, names: Sequence[str], file: str = WEIGHTS_FILE) -> tuple[Weight, ...]:
    """The weights in ``folder / file``, in the order of ``names``; rows may stand in any order.

    Raises:
        TableError: as :func:`read_table`, a weight is missing or not one of ``names``, its range is empty, or its value
            is outside the range.
    """
    columns = [word("name", names), number("value"), number("low"), number("high"), Column("meaning", str, "words")]
    rows = {row["name"]: row for row in read_table(folder, file, columns, key="name")}
    for row in rows.values():
        if row["high"] <= row["low"]:
            raise row.error("high", f"more than low, {row['low']:g}")
        if not row["low"] <= row["value"] <= row["high"]:
            raise row.error("value", f"from low to high, {row['low']:g} to {row['high']:g}")
    for name in names:
        if name not in rows:
            raise TableError(f"{Path(folder) / file}: weight {name!r} is missing")
    return tuple(Weight(**rows[name]) for name in names)


def fill_weights(tables: np.ndarray, folder: Path, package_folder: Path, names: Sequence[str]) -> None:
    """Write the weights into ``tables`` (one record with a field ``weights``): those in ``folder``.

    A folder without ``value.csv`` leaves them to the package's own, in ``package_folder``.

    Raises:
        TableError: as :func:`read_weights`.
    """
    home = folder if (Path(folder) / WEIGHTS_FILE).exists() else package_folder
    tables[WEIGHTS_FIELD][0] = [weight.value for weight in read_weights(home, names)]


def with_weights(tables: np.ndarray, weights: np.ndarray | Sequence[float]) -> np.ndarray:
    """``tables`` with other weights, as a new read-only array; what the rules read is the same.

    Raises:
        ValueError: the wrong number of weights, or one that is not finite.
    """
    array = np.asarray(weights, np.float64)
    needed = tables[WEIGHTS_FIELD][0].shape if WEIGHTS_FIELD in (tables.dtype.names or ()) else (0,)
    if array.shape != needed or not np.isfinite(array).all():
        raise ValueError(f"weights must be {needed[0]} finite numbers, not {array.tolist()!r}"[:300])
    weighed = tables.copy()
    if len(array):
        weighed[WEIGHTS_FIELD][0] = array
    weighed.flags.writeable = False
    return weighed
