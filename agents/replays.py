"""Replays of a tournament's games in a folder: how they are called, and which of them an interrupted one left."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from northsea_envs.jit import mix_seed

_NAME = re.compile(r"pairing_[0-9]+_deal_([0-9]+)_seating_[0-9]+\.json")
# What is left of a file where the program was killed while it wrote it.
_PART = re.compile(rf"\.{_NAME.pattern}\..+\.part")


def replay_path(folder: Path, pairing: int, deal: int, seating: int) -> Path:
    """Where the replay of a game is."""
    return folder / f"pairing_{pairing}_deal_{deal}_seating_{seating}.json"


def deal_seed(seed: int, deal: int) -> int:
    """The seed of a deal of a tournament: 53 bits, so that it survives readers of JSON that keep numbers as doubles."""
    return int(mix_seed(seed, deal)) & (2**53 - 1)


def left_by(identity: Mapping[str, Any], folder: Path) -> list[Path] | None:
    """The files of a folder, if all of them are replays of the tournament that a journal is of; None if not.

    Args:
        identity: what the journal says of its tournament.
        folder: the folder, which is there.
    """
    seed = identity.get("seed")
    if identity.get("replays") != str(folder) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        return None
    files = list(folder.iterdir())
    return files if all(_is_of(path, seed) for path in files) else None


def _is_of(path: Path, seed: int) -> bool:
    """Whether a file is the replay of a game of the tournament with this seed."""
    name = _NAME.fullmatch(path.name)
    if not name:
        return _PART.fullmatch(path.name) is not None
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("seed") == deal_seed(seed, int(name[1]))
