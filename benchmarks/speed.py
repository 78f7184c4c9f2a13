"""Random play through the AEC faces, against PettingZoo's own games, in one run.

Every contestant is driven by the same loop (reset, last, one uniformly drawn legal action, step, with mask and
observation at each step). They take turns, so that a slow moment of the machine hits all alike; medians over the rounds
are shown, and the ratios are medians of the rounds' own ratios.

    pip install -e ".[bench]"
    python benchmarks/speed.py
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from northsea_envs import GAMES, make
from northsea_envs.aec import GameEnv


def contestants() -> dict[str, Callable[[], Any]]:
    """Names and makers of everything that is measured; peers first."""
    with warnings.catch_warnings():
        # PettingZoo announces that its game modules will move.
        warnings.simplefilter("ignore")
        from pettingzoo.classic import hanabi_v5, tictactoe_v3
    found: dict[str, Callable[[], Any]] = {"hanabi_v5": hanabi_v5.env, "tictactoe_v3": tictactoe_v3.env}
    for name in GAMES:
        for players in (2, 4):
            found[f"{name} raw_env {players}p"] = lambda name=name, players=players: GameEnv(name, players)
            found[f"{name} env {players}p"] = lambda name=name, players=players: make(name, num_players=players)
    return found


def decisions_per_second(env: Any, seconds: float, seed: int) -> float:
    """Uniformly random legal play for about ``seconds``."""
    draws = np.random.default_rng(seed).random(4096).tolist()
    decisions = 0
    env.reset(seed=seed)
    began = time.perf_counter()
    while (now := time.perf_counter()) - began < seconds:
        for draw in draws[:512]:
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.reset()
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(draw * len(legal))]))
            decisions += 1
    return decisions / (now - began)


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="turns that each contestant gets (default 9)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a turn (default 1)")
    arguments = parser.parse_args()
    makers = contestants()
    environments = {name: make_env() for name, make_env in makers.items()}
    for env in environments.values():
        decisions_per_second(env, 0.2, 0)
    speeds: dict[str, list[float]] = {name: [] for name in environments}
    for number in track(range(arguments.rounds), "rounds", transient=True):
        for name, env in environments.items():
            speeds[name].append(decisions_per_second(env, arguments.seconds, number))
    table = Table("face", "decisions/s", "x hanabi_v5", "x tictactoe_v3", title="Random play, medians")
    for name, values in speeds.items():
        ratios = [
            f"{median(v / p for v, p in zip(values, speeds[peer], strict=True)):.1f}"
            for peer in ("hanabi_v5", "tictactoe_v3")
        ]
        table.add_row(name, f"{median(values):,.0f}", *ratios)
    Console().print(table)


if __name__ == "__main__":
    main()
