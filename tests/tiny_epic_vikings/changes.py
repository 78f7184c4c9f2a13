"""Component tables with some cells changed."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.tiny_epic_vikings.positions import TABLES, Rules

# File, what identifies the row, column, new value.
Change = tuple[str, Mapping[str, str], str, object]


def line_of(file: str, where: Mapping[str, str]) -> int:
    """The line of a row as a text editor counts."""
    with (TABLES / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines), 2):
            if all(row[column] == value for column, value in where.items()):
                return number
    raise AssertionError(f"{file} has no row {where}")


def rewrite(folder: Path, file: str, rows: list[dict]) -> None:
    """Write a table anew."""
    with (folder / f"{file}.csv").open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def rows_of(folder: Path, file: str) -> list[dict[str, str]]:
    """The rows of a table, as text."""
    with (folder / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def altered(folder: Path, *changes: Change) -> Path:
    """A copy of the tables in which some cells differ."""
    folder = folder / "tables"
    shutil.copytree(TABLES, folder, dirs_exist_ok=True)
    for file, where, column, value in changes:
        rows = rows_of(folder, file)
        found = [row for row in rows if all(row[name] == cell for name, cell in where.items())]
        assert found, f"{file} has no row {where}"
        for row in found:
            assert column in row, f"{file} has no column {column}"
            row[column] = str(value)
        rewrite(folder, file, rows)
    return folder


def changed(folder: Path, *changes: Change) -> Rules:
    """The game under such tables."""
    return Rules(altered(folder, *changes))


def constant(key: str, value: object) -> Change:
    return "constants", {"key": key}, "value", value


def allowed(key: str, value: object) -> list[Change]:
    """A constant that may only have another value if the table says so."""
    return [("constants", {"key": key}, "allowed", value), constant(key, value)]


def card(card_id: str, column: str, value: object) -> Change:
    return "viking_cards", {"card_id": card_id}, column, value
