"""The journal of a tournament: one JSON line a finished chunk, so that nothing finished is ever played again.

The first line says which tournament it is. A line counts once its end is on disk; what a crash left of the last one is
dropped, and its chunk played anew.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from agents.summary import are_places
from northsea_envs.game import check_seed

FORMAT = "northsea-journal-1"
# What a line says of each game, and the kinds of number that this is.
OUTCOMES = {"ranks": "i", "scores": "fi", "decisions": "i", "truncated": "b"}


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
        except (ValueError, RecursionError) as error:
            raise JournalError(f"{path}: damaged: line {number} is not JSON ({error})") from None
        if not isinstance(content, dict):
            raise JournalError(f"{path}: damaged: line {number} is not a JSON object")
        lines.append(content)
        size += len(line)
    if not lines or lines[0].get("format") != FORMAT:
        raise JournalError(f"{path}: not a journal: its first line does not have format {FORMAT!r}")
    identity = lines[0].get("identity")
    if isinstance(identity, dict) and "seed" in identity:
        try:
            check_seed(identity["seed"])
        except ValueError as error:
            raise JournalError(f"{path}: damaged: line 1: {error}") from None
    return lines[0], lines[1:], size


def _whole_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield line


def chunk_of(
    line: Mapping[str, Any], games: int, players: int, names: Sequence[str]
) -> tuple[tuple[np.ndarray, ...], dict[str, tuple[int, float]]]:
    """What a line says of a chunk.

    Args:
        line: the line's contents.
        games: how many games the chunk has.
        players: number of seats.
        names: the agents.

    Returns:
        The arrays of OUTCOMES: (games, players), (games, players), (games,) and (games,); and by agent, timed decisions
        and their seconds.

    Raises:
        KeyError, TypeError, ValueError, OverflowError: something is missing, or is nothing that a chunk can give.
    """
    shapes = ((games, players), (games, players), (games,), (games,))
    arrays = tuple(np.array(line[name]) for name in OUTCOMES)
    for (name, kinds), shape, array in zip(OUTCOMES.items(), shapes, arrays, strict=True):
        if array.shape != shape or array.dtype.kind not in kinds:
            raise ValueError(f"{name} of {array.dtype} and shape {array.shape}, which must have shape {shape}")
    ranks, scores, decisions, _ = arrays
    if not are_places(ranks).all():
        raise ValueError("ranks that are not the places of a game")
    if not np.isfinite(scores).all():
        raise ValueError("scores that are not finite")
    if decisions.min() < 0:
        raise ValueError("decisions below 0")
    thinking = {}
    for name in names:
        timed, seconds = line["thinking"][name]
        if type(timed) is not int or timed < 0 or not (math.isfinite(seconds) and seconds >= 0):
            raise ValueError(f"thinking of {name!r} {timed!r} and {seconds!r}")
        thinking[name] = (timed, float(seconds))
    if sum(timed for timed, _ in thinking.values()) > sum(decisions.tolist()):
        raise ValueError("more decisions were timed than made")
    return arrays, thinking


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
