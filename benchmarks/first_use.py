"""Seconds from starting Python to the first step of an environment: cold compile cache, then warm.

python benchmarks/first_use.py
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

from northsea_envs import GAMES

PROGRAM = """
import sys
from northsea_envs import make
env = make(sys.argv[1], num_players=4)
env.reset(seed=1)
observation, *_ = env.last()
env.step(int(observation["action_mask"].argmax()))
"""


def seconds(game: str, cache: str) -> float:
    """One new process, from its start to its end."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", PROGRAM, game], check=True, env={**os.environ, "NORTHSEA_CACHE_DIR": cache})
    return time.perf_counter() - began


def main() -> None:
    """Measure every game and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="warm processes (default 5)")
    rounds = parser.parse_args().rounds
    for game in GAMES:
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds(game, cache)
            warm = [seconds(game, cache) for _ in range(rounds)]
        print(f"{game}: cold {cold:.1f} s, warm {median(warm):.2f} s (median of {rounds})")


if __name__ == "__main__":
    main()
