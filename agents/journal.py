"""The journal of a tournament: one JSON line a finished chunk, so that nothing finished is ever played again.

The first line says which tournament it is. A line counts once its end is on disk; what a crash left of the last one is
dropped, and its chunk played anew.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

FORMAT = "northsea-journal-1"


class JournalError(ValueError):
    """A journal is damaged, or belongs to another tournament."""


def journal_path(results: str | Path) -> Path:
    """Where the journal of a results file is: beside it."""
    results = Path(results)
    return results.parent / f"{results.name}.journal"


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]], int]:
    """Header and lines of a journal, and the bytes that they fill.

    Raises:
        JournalError: it is no journal, or damaged before its last line.
        OSError: it cannot be read.
    """
    lines, size = [], 0
    for number, line in enumerate(_whole_lines(path), 1):
        try:
            content = json.loads(line)
        except ValueError as error:
            raise JournalError(f"{path}: damaged: line {number} is not JSON ({error})") from None
        if not isinstance(content, dict):
            raise JournalError(f"{path}: damaged: line {number} is not a JSON object")
        lines.append(content)
        size += len(line)
    if not lines or lines[0].get("format") != FORMAT:
        raise JournalError(f"{path}: not a journal: its first line does not have format {FORMAT!r}")
    return lines[0], lines[1:], size


def _whole_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield line


class Journal:
    """A journal that is being written.

    Args:
        path: the file.
        identity: what must agree for its chunks to count.
        header: what else the first line says.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any], header: Mapping[str, Any]):
        self.path = path
        self.lines: list[dict[str, Any]] = []
        self._file: IO[bytes]
        if path.exists() and path.stat().st_size and any(_whole_lines(path)):
            found, self.lines, size = read(path)
            check_identity(path, found.get("identity"), identity)
            self.header = found
            self._file = path.open("r+b")
            self._file.truncate(size)
            self._file.seek(size)
        else:
            self.header = {"format": FORMAT, "identity": dict(identity), **header}
            self._file = path.open("wb")
            self.add(self.header)

    def add(self, line: Mapping[str, Any]) -> None:
        """Write a line; it is on disk when this returns."""
        self._file.write(json.dumps(line, allow_nan=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """End writing; the file stays."""
        self._file.close()

    def remove(self) -> None:
        """End writing and delete the file."""
        self.close()
        self.path.unlink(missing_ok=True)


def check_identity(path: Path, found: Any, wanted: Mapping[str, Any]) -> None:
    """Raise JournalError where a journal belongs to another tournament, saying in what it differs."""
    wanted = json.loads(json.dumps(dict(wanted)))
    if not isinstance(found, dict):
        raise JournalError(f"{path}: damaged: its first line does not say which tournament it belongs to")
    differing = [name for name in {**wanted, **found} if wanted.get(name) != found.get(name)]
    if differing:
        parts = "; ".join(f"{name} {found.get(name)!r} there, {wanted.get(name)!r} here" for name in differing)
        raise JournalError(
            f"{path} belongs to another tournament that was interrupted: {parts}. "
            "Give the same command to go on with that one, --fresh to drop it, or another file"
        )
