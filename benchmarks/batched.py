"""The batched face: decisions a second, bytes written a second, memory, and its share of a training.

    python benchmarks/batched.py
    python benchmarks/batched.py raiders --players 2 --rounds 9

Random legal play with observations and masks. The batches of a game take turns, so that a slow moment of the machine
hits all alike; medians over the rounds are shown, and ratios are medians of the rounds' own ratios. "fill" is a plain
``fill`` of the same observations and of as many bytes as the masks, in the same round: the least that writing costs.

With ``--train`` (needs ``pip install -e ".[train]"``) a second table says what share of a training step is spent in the
environment, opponents included: MaskablePPO with the network and settings of the game's ``two_players.yaml``, without
its look ahead, and the same trainer on an environment of the same spaces that costs nothing, in turns.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from northsea_envs import GAMES, Game, get_game, make_vec

ROOT = Path(__file__).parent.parent
BATCHES = (1, 64, 1024, 16384)
THREADS = (1, 2)
BIGGEST = BATCHES[-1]

# Peak memory in KiB of one small batch, then of a big one.
MEMORY = """
import pathlib, re, resource, sys
from northsea_envs import make_vec
status = pathlib.Path("/proc/self/status")
for size in (1, int(sys.argv[3])):
    env = make_vec(sys.argv[1], size, int(sys.argv[2]), seed=0)
    env.reset()
    env.step(env.sample())
    # Where it is known, for getrusage begins with the peak of the process that started this one.
    peak = re.search(r"VmHWM:\\s*(\\d+)", status.read_text()) if status.exists() else None
    print(peak[1] if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


class Batch:
    """A batch in random play; every turn adds its seconds a decision of stepping, sampling and filling."""

    def __init__(self, name: str, players: int, num_envs: int, num_threads: int):
        self.env = make_vec(name, num_envs, players, num_threads=num_threads, seed=0)
        self.observations, self.masks, *_ = self.env.reset()
        self.spare_masks = np.empty_like(self.masks)
        self.step: list[float] = []
        self.sample: list[float] = []
        self.fill: list[float] = []

    def turn(self, seconds: float) -> None:
        """Play for about ``seconds``."""
        env, clock = self.env, time.perf_counter
        sampling = stepping = filling = 0.0
        turns = 0
        while sampling + stepping < seconds:
            began = clock()
            actions = env.sample()
            sampled = clock()
            env.step(actions)
            stepped = clock()
            sampling += sampled - began
            stepping += stepped - sampled
            turns += 1
        for _ in range(min(turns, 30)):
            began = clock()
            # The next step writes them anew.
            self.observations.fill(0)
            self.spare_masks.fill(0)
            filling += clock() - began
        decisions = turns * env.num_envs
        self.step.append(stepping / decisions)
        self.sample.append(sampling / decisions)
        self.fill.append(filling / (min(turns, 30) * env.num_envs))


def ratio(above: list[float], below: list[float]) -> float:
    """Median of the rounds' own ratios."""
    return median(a / b for a, b in zip(above, below, strict=True))


def speed_table(name: str, players: int, rounds: int, seconds: float) -> Table:
    """One game at one number of players."""
    batches = {(size, threads): Batch(name, players, size, threads) for size in BATCHES for threads in THREADS}
    for batch in batches.values():
        batch.turn(0.1)
        batch.step.clear(), batch.sample.clear(), batch.fill.clear()
    for _ in range(rounds):
        for batch in batches.values():
            batch.turn(seconds)
    written = batches[1, 1].observations.nbytes + batches[1, 1].masks.nbytes
    headings = (
        "batch",
        "threads",
        "decisions/s",
        "with sampling",
        "GB/s written",
        "GB/s of a fill",
        "x 1,024",
        "x 1 thread",
    )
    table = Table(*headings, title=f"{name}, {players} players", title_justify="left")
    for (size, threads), batch in batches.items():
        whole = [step + sample for step, sample in zip(batch.step, batch.sample, strict=True)]
        table.add_row(
            f"{size:,}",
            str(threads),
            f"{1 / median(batch.step):,.0f}",
            f"{1 / median(whole):,.0f}",
            f"{written / median(batch.step) / 1e9:.2f}",
            f"{written / median(batch.fill) / 1e9:.1f}",
            f"{ratio(batches[1024, threads].step, batch.step):.2f}",
            f"{ratio(batches[size, 1].step, batch.step):.2f}",
        )
    for batch in batches.values():
        batch.env.close()
    return table


def memory_row(name: str, players: int) -> tuple[str, ...]:
    """Bytes a game, what a big batch adds to the process at its peak, and that peak."""
    game = get_game(name)
    command = [sys.executable, "-c", MEMORY, name, str(players), str(BIGGEST)]
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    output = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}
    )
    small, big = map(int, output.stdout.split())
    return (
        name,
        str(players),
        f"{game.state_dtype.itemsize:,}",
        f"{4 * game.observation_size(players):,}",
        f"{game.num_actions(players):,}",
        f"{(big - small) / 1024:,.0f} MiB",
        f"{big / 1024:,.0f} MiB",
    )


# --- share of a training --------------------------------------------------------------------------


def training_row(game: Game, rounds: int) -> tuple[str, ...]:
    """Throughput of the trainer on the game and on nothing, and the time inside the environment's methods."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecEnv

    from agents.config import read_config
    from agents.layout import Layout
    from agents.learner import OpponentPool, SelfPlayVecEnv
    from agents.network import policy_arguments, weights_of
    from agents.policy import PolicyAgent
    from northsea_envs.agent import make_agent

    config = read_config(ROOT / "configs" / game.name / "two_players.yaml", ["network.look_ahead=false"])
    torch.set_num_threads(config.threads)
    torch.distributions.Distribution.set_default_validate_args(False)
    network = config.network.build(Layout(game, config.players))
    inside = 0.0

    class Timed(SelfPlayVecEnv):
        def step_wait(self) -> Any:
            nonlocal inside
            began = time.perf_counter()
            result = super().step_wait()
            inside += time.perf_counter() - began
            return result

        def action_masks(self) -> np.ndarray:
            nonlocal inside
            began = time.perf_counter()
            result = super().action_masks()
            inside += time.perf_counter() - began
            return result

    class Free(VecEnv):
        """Costs nothing: always the same observations and masks, no game ever ends."""

        def __init__(self, other: SelfPlayVecEnv):
            self.render_mode = None
            self.observations, self.masks = other.reset(), other.action_masks()
            self.rewards, self.dones = np.zeros(other.num_envs, np.float32), np.zeros(other.num_envs, bool)
            self.infos: list[dict] = [{} for _ in range(other.num_envs)]
            super().__init__(other.num_envs, other.observation_space, other.action_space)

        def reset(self) -> np.ndarray:
            return self.observations

        def step_async(self, actions: np.ndarray) -> None: ...

        def step_wait(self) -> tuple:
            return self.observations, self.rewards, self.dones, self.infos

        def env_method(self, method_name: str, *args: Any, indices: Any = None, **keywords: Any) -> Any:
            return self.masks

        def get_attr(self, attr_name: str, indices: Any = None) -> list:
            return [None] * self.num_envs

        def close(self) -> None: ...

        set_attr = env_is_wrapped = close

    def model(env: VecEnv) -> MaskablePPO:
        ppo = config.ppo
        return MaskablePPO(
            "MlpPolicy",
            env,
            n_steps=ppo.n_steps,
            batch_size=min(ppo.batch_size, ppo.n_steps * config.num_envs),
            n_epochs=ppo.epochs,
            policy_kwargs=policy_arguments(network),
            seed=0,
            device="cpu",
        )

    def pool(current: float) -> OpponentPool:
        random = make_agent("random", game, config.players)
        return OpponentPool({"current": (random, current), "random": (random, 1 - current)})

    environments: dict[str, VecEnv] = {}
    for opponent, weight in (("random", 0.0), ("itself", 1.0)):
        environments[opponent] = Timed(game, config.players, config.num_envs, 0, pool(weight))
    environments["free"] = Free(Timed(game, config.players, config.num_envs, 0, pool(0.0)))
    models = {kind: model(env) for kind, env in environments.items()}
    learner = PolicyAgent(network, weights_of(models["itself"].policy, network), deterministic=False)
    environments["itself"].opponents.agents[0] = learner  # type: ignore[attr-defined]
    seconds: dict[str, list[float]] = {kind: [] for kind in models}
    shares: dict[str, list[float]] = {kind: [] for kind in models}
    steps = config.ppo.n_steps * config.num_envs
    for number in range(rounds + 1):
        for kind, trained in models.items():
            inside, began = 0.0, time.perf_counter()
            trained.learn(steps, reset_num_timesteps=False)
            if number:
                seconds[kind].append(time.perf_counter() - began)
                shares[kind].append(inside / seconds[kind][-1])

    def cell(kind: str) -> str:
        of_free = ratio(seconds["free"], seconds[kind])
        return f"{steps / median(seconds[kind]):,.0f} ({of_free:.0%}; {median(shares[kind]):.0%})"

    free = f"{steps / median(seconds['free']):,.0f}"
    return game.name, str(config.num_envs), free, cell("random"), cell("itself")


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="names of games (all by default)")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4], help="numbers of players (default 2 4)")
    parser.add_argument("--rounds", type=int, default=5, help="turns that each batch gets (default 5)")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a turn (default 0.5)")
    parser.add_argument("--train", action="store_true", help="measure the share of a training too")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 160)
    for name in arguments.games:
        for players in arguments.players:
            console.print(speed_table(name, players, arguments.rounds, arguments.seconds))
    headings = ("game", "players", "state", "observation", "mask", f"memory of {BIGGEST:,}", "whole process")
    memory = Table(*headings, title="Bytes a game, and what a batch adds at its peak", title_justify="left")
    for name in arguments.games:
        for players in arguments.players:
            memory.add_row(*memory_row(name, players))
    console.print(memory)
    if arguments.train:
        training = Table(
            "game",
            "environments",
            "free, steps/s",
            "against random (of free; inside)",
            "against itself (of free; inside)",
            title="Training: steps/s, share of the speed of a free environment, share of time inside the environment",
            title_justify="left",
        )
        for name in arguments.games:
            training.add_row(*training_row(get_game(name), arguments.rounds))
        console.print(training)


if __name__ == "__main__":
    main()
