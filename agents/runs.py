"""The folder of a run: its files, who holds it, and what it says about itself."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

import northsea_envs
from agents.config import ConfigError, TrainConfig
from northsea_envs.files import write_atomically
from northsea_envs.game import Game

CONFIG_FILE = "config.yaml"
RUN_FILE = "run.json"
METRICS_FILE = "metrics.jsonl"
EVALUATION_FILE = "evaluation.json"
CURVE_FILE = "curve.svg"
LOCK_FILE = ".lock"

# What the final evaluation calls the policy.
LEARNER_NAME = "learner"


def new_folder(config: TrainConfig, name: str, asked: str | None) -> Path:
    """Make a run's folder: the one ``asked`` for, else ``runs/<game>/<name>``, numbered where that is taken.

    Raises:
        ConfigError: the folder asked for is there already and not empty, or cannot be made.
    """
    if asked is not None:
        folder = Path(asked)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ConfigError(f"{folder} is there already; take another --run-dir, or go on with --resume {folder}")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"{folder} cannot be made: {error.strerror}") from error
        return folder
    number = 1
    while True:
        folder = Path("runs") / config.game / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            number += 1
        except OSError as error:
            raise ConfigError(f"{folder} cannot be made: {error.strerror}; choose another with --run-dir") from error


def describe(config: TrainConfig, game: Game) -> dict[str, Any]:
    """What a run should be known by later."""
    packages = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")
    return {
        "game": game.id,
        **({"variant": dict(game.variant)} if game.variant else {}),
        "players": config.players,
        "tables": game.fingerprint,
        "seed": config.seed,
        "machine": {"system": platform.system(), "machine": platform.machine(), "processors": os.cpu_count()},
        "versions": {
            "python": platform.python_version(),
            "northsea-envs": northsea_envs.__version__,
            **{package: version(package) for package in packages},
        },
        "sessions": [],
    }


def lock(folder: Path) -> FileLock:
    """Hold a run's folder until released, so that no two trainings write into it.

    Raises:
        ConfigError: another training holds it.
    """
    held = FileLock(folder / LOCK_FILE, timeout=0)
    try:
        held.acquire()
    except Timeout as error:
        raise ConfigError(f"{folder} is in use by another training; wait until that has ended") from error
    return held


def note_session(folder: Path, about: Mapping[str, Any], steps: int, overrides: Sequence[str]) -> str | None:
    """Add to ``run.json`` when a session began, from how many steps, by which command, and what ``--set`` changed.

    Args:
        folder: the run's.
        about: what :func:`describe` says, for a file that is missing or damaged.
        steps: decisions learned from so far.
        overrides: those of the command line.

    Returns:
        A warning where the file was missing or damaged and is begun anew.
    """
    path = folder / RUN_FILE
    warning = None
    try:
        record = json.loads(path.read_bytes())
        if not isinstance(record, dict) or not isinstance(record.get("sessions"), list):
            raise ValueError("it holds no sessions")
    except (FileNotFoundError, ValueError, RecursionError) as error:
        warning = f"Warning: {path} is missing or damaged ({error}); a new one is begun."
        record = dict(about)
    record["sessions"].append(
        {
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "steps": steps,
            "command": ["python", *sys.argv],
            "set": list(overrides),
        }
    )
    write_atomically(path, (json.dumps(record, indent=2) + "\n").encode())
    return warning


def read_metrics(folder: Path) -> list[dict[str, float]]:
    """The lines of a run's ``metrics.jsonl``, oldest first; lines that cannot be read are left out.

    Raises:
        ConfigError: there is no such file.
    """
    path = folder / METRICS_FILE
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    return [values for line in content.splitlines() if (values := metrics_of(line)) is not None]


def metrics_of(line: bytes) -> dict[str, float] | None:
    """A line of metrics, or None where it cannot be read."""
    try:
        values = json.loads(line.decode())
        return values if values["steps"] >= 0 and values["seconds"] >= 0 else None
    except (ValueError, TypeError, KeyError, RecursionError):
        # A session that was killed or a full disk can leave a part of a line.
        return None
