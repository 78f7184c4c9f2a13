"""Let the best policy of a finished run come along: ``python -m agents.ship runs/vikings/two_players``.

Its policy, configuration, metrics, learning curve, strength and the commands that made it are put into
``agents/pretrained/<game>/<players>p/``, from where the agent ``pretrained`` takes it.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import northsea_envs
from agents.config import read_config
from agents.curve import draw_run
from agents.policy import ABOUT_FILE, BEST_FOLDER, WEIGHTS_FILE, load_policy, read_about
from agents.runs import CONFIG_FILE, EVALUATION_FILE, LEARNER_NAME, METRICS_FILE, RUN_FILE, read_metrics
from agents.shipped import folder_of
from northsea_envs.agent import AgentError
from northsea_envs.files import write_atomically

STRENGTH_FILE = "strength.json"
MAX_SIZE = 3_000_000  # bytes
# Lines of metrics that are kept beside those of the evaluations.
KEPT_LINES = 300


def keep(run: Path) -> Path:
    """Make the best policy of a finished ``run`` the one that comes along; returns its folder.

    Raises:
        ConfigError: the folder is no run's.
        AgentError: the run has no best policy or no final evaluation, or component tables of its own, or the policy is
            too large.
    """
    config = read_config(run / CONFIG_FILE)
    best = run / BEST_FOLDER
    about = read_about(best)
    size = (best / WEIGHTS_FILE).stat().st_size
    if size > MAX_SIZE:
        raise AgentError(f"policy {best}: {WEIGHTS_FILE} has {size:,} bytes; at most {MAX_SIZE:,} come along")
    try:
        strengths = [_strength(document) for document in json.loads((run / EVALUATION_FILE).read_bytes())]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise AgentError(
            f"{run / EVALUATION_FILE} cannot be used ({error!r}); train.py --resume {run} makes it"
        ) from error
    if not isinstance(config.players, int):
        raise AgentError(f"run {run}: it is for {config.players} players; a policy for one number of them comes along")
    if config.tables is not None:
        raise AgentError(
            f"run {run}: it was trained with tables of its own, {config.tables}; no such policy comes along"
        )
    record = json.loads((run / RUN_FILE).read_bytes())
    game = northsea_envs.get_game(config.game, config.tables).with_options(config.options)
    load_policy(best, game, config.players)
    lines = read_metrics(run)
    step = math.ceil(len(lines) / KEPT_LINES)
    kept = [line for i, line in enumerate(lines) if i % step == 0 or any(key.startswith("evaluation/") for key in line)]
    strength = {
        "commands": [session["command"] for session in record["sessions"]],
        "minutes": _minutes(lines, about["steps"]),
        "decisions": about["steps"],
        "run": {"minutes": _minutes(lines, int(lines[-1]["steps"])), "decisions": int(lines[-1]["steps"])},
        "versions": record["versions"],
        "against": strengths,
    }
    folder = folder_of(game, config.players)
    folder.mkdir(parents=True, exist_ok=True)
    for name in (ABOUT_FILE, WEIGHTS_FILE):
        shutil.copyfile(best / name, folder / name)
    shutil.copyfile(run / CONFIG_FILE, folder / CONFIG_FILE)
    write_atomically(folder / METRICS_FILE, "".join(json.dumps(line) + "\n" for line in kept).encode())
    write_atomically(folder / STRENGTH_FILE, (json.dumps(strength, indent=2) + "\n").encode())
    draw_run(folder)
    return folder


def _minutes(lines: Sequence[Mapping[str, float]], steps: int) -> float:
    """When a run had made so many decisions."""
    return round(next(line["seconds"] for line in lines if line["steps"] >= steps) / 60, 1)


def _strength(document: dict[str, Any]) -> dict[str, Any]:
    """One opponent, games played, and win share with its 95% interval, from a document of the final evaluation."""
    (opponent,) = (agent["name"] for agent in document["agents"] if agent["name"] != LEARNER_NAME)
    for pairing in document["summary"].values():
        own = pairing["agents"].get(LEARNER_NAME)
        # One seat against the others, not the other way about.
        if own is not None and own["seats_held"] == 1:
            return {"opponent": opponent, "games": own["games"], "win_share": own["win_share"]}
    raise LookupError(f"no match of one {LEARNER_NAME} against {opponent}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns 0, or 2 where the run cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.ship", description="Let the best policy of a finished run come along."
    )
    parser.add_argument("run", metavar="RUN", help="the run's folder")
    try:
        print(keep(Path(parser.parse_args(argv).run)))
    except (ValueError, OSError) as error:
        print(f"python -m agents.ship: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
