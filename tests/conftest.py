"""What the tests of the faces share: every registered game at every number of players, and random play."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from northsea_envs import GAMES, Game, get_game
from northsea_envs.aec import GameEnv, WrappedEnv
from tests.small_run import SMALL

ROOT = Path(__file__).parent.parent
TABLES_OF_PLAYERS = [
    (name, players) for name in GAMES for players in range(get_game(name).min_players, get_game(name).max_players + 1)
]

COMPILE = """
import sys
import numpy as np
from northsea_envs import get_game
from northsea_envs.agent import make_agent
from northsea_envs.vector import GameBatch
game = get_game(sys.argv[1]).with_options(eval(sys.argv[2]))
batch = GameBatch(game, 2, np.arange(2))
greedy = make_agent("greedy", game, 2)
batch.step(np.arange(2), greedy.act(batch.decisions(np.arange(2))))
game.save(batch.states, 0)
game.restore(game.save(batch.states, 0))
game.kernels.random_game(game.tables, batch.states, 0, 1, batch.legal[0], True)
batch.results(np.arange(2))
"""


def pytest_configure(config: pytest.Config) -> None:
    """Before several workers start, compile every game once: otherwise each of them would compile the same."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        games = [(name, "{}") for name in GAMES] + [("vikings", "{'variant': 'advanced'}")]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda game: python("-c", COMPILE, *game), games))


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The file of a training small enough for tests."""
    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(SMALL))
    return path


# Every registered game at every number of players.
every_game = pytest.mark.parametrize(
    ("name", "players"), TABLES_OF_PLAYERS, ids=[f"{name}-{players}" for name, players in TABLES_OF_PLAYERS]
)


def raw_env(name: str, players: int, **keywords: Any) -> GameEnv:
    """The environment of a game without wrappers."""
    module = importlib.import_module(f"northsea_envs.{get_game(name).id}")
    env: GameEnv = module.raw_env(num_players=players, **keywords)
    return env


def wrapped_env(name: str, players: int, **keywords: Any) -> WrappedEnv:
    """The environment of a game in its wrappers."""
    module = importlib.import_module(f"northsea_envs.{get_game(name).id}")
    env: WrappedEnv = module.env(num_players=players, **keywords)
    return env


# Both faces, for tests that hold for either.
both_faces = pytest.mark.parametrize("make", [raw_env, wrapped_env], ids=["raw", "wrapped"])


def draw(mask: np.ndarray, rng: np.random.Generator) -> int:
    """A uniformly drawn legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


def over(env: Any) -> bool:
    """Whether the selected agent has no more to decide: the game is over, by its rules or cut short."""
    agent = env.agent_selection
    return not env.agents or env.terminations[agent] or env.truncations[agent]


def look_closely(number: int) -> bool:
    """Whether a test should look at a game's so-manieth position: at all of a short game, ever fewer of a long one."""
    return number % max(1, number // 100) == 0


def play(env: Any, rng: np.random.Generator, decisions: int = 10**9) -> list[int]:
    """Play at most so many random legal actions, stopping when the game ends; returns the actions."""
    actions: list[int] = []
    while len(actions) < decisions and not over(env):
        actions.append(draw(env.infos[env.agent_selection]["action_mask"], rng))
        env.step(actions[-1])
    return actions


def positions(game: Game, players: int, seed: int, options: dict[str, Any] | None = None) -> Iterator[np.ndarray]:
    """Every position of one random game, the last included, each a structured array of one element."""
    rng = np.random.default_rng(seed)
    states = game.new_states(players, [seed], options or {})
    legal = np.zeros(game.num_actions(players), np.int8)
    seat = game.kernels.legal(game.tables, states, 0, legal)
    yield states.copy()
    while seat >= 0:
        seat = game.kernels.play(game.tables, states, 0, draw(legal, rng), legal)
        yield states.copy()


def mask_of(game: Game, players: int, states: np.ndarray) -> tuple[int, np.ndarray]:
    """The seat that decides (-1 at the end) and its legal actions."""
    legal = np.zeros(game.num_actions(players), np.int8)
    seat = game.kernels.legal(game.tables, states, 0, legal)
    return int(seat), legal


def view(game: Game, players: int, states: np.ndarray, seat: int) -> np.ndarray:
    """What a seat sees; filled with NaN first, so that a float left unwritten shows."""
    observation = np.full(game.observation_size(players), np.nan, np.float32)
    game.kernels.look(game.tables, states, 0, seat, observation)
    return observation


def same(a: Any, b: Any) -> bool:
    """Equality of type, value and dtype all the way down, arrays included."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return bool(a == b)


def shown(env: Any) -> dict[str, Any]:
    """Everything that PettingZoo lets one read after reset, for comparison with :func:`same`."""
    agents = env.agents[:]
    return {
        "agents": agents,
        "num_agents": env.num_agents,
        "agent_selection": env.agent_selection,
        "rewards": dict(env.rewards),
        "cumulative": dict(env._cumulative_rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": {agent: dict(info) for agent, info in env.infos.items()},
        "observations": {agent: env.observe(agent) for agent in env.possible_agents},
        "last": env.last() if agents else None,
        "last_unobserved": env.last(observe=False) if agents else None,
        "render": env.render() if env.render_mode == "ansi" else None,
    }


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a fresh interpreter in the checkout with extra environment variables; fails the test where it fails."""
    paths = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done
