"""Determinised Monte Carlo tree search for every game, through the contract alone (docs/search.md says how it works).

Single-observer information-set search (Cowling, Powley and Whitehouse 2012): every simulation plays in a game drawn
anew from all that look the same to the deciding seat, so that hidden cards and chance need no nodes.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from agents.guided import GuidedSearchAgent
from agents.policy import load_policy, policy_folder
from agents.tree import (
    BIAS,
    EXPLORATION,
    LEAVES,
    MAX_NODES,
    TEMPERATURE,
    UNIFORM,
    Room,
    Settings,
    most_visited,
    new_room,
    root_counts,
    rules_of,
    simulate,
)
from northsea_envs.agent import Agent, AgentError, Decisions, register_agent
from northsea_envs.game import Game
from northsea_envs.jit import mix_seed

SIMULATIONS = 400
GUIDED_SIMULATIONS = 100
MAX_SIMULATIONS = 10_000_000
MAX_SECONDS = 3600.0
MAX_TREES = 1024
MAX_LEAVES = 1024
MAX_THREADS = 1024


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def default_leaf(players: int) -> str:
    """How leaves are judged unless a search is told: see docs/search.md for what it rests on."""
    return "value" if players == 2 else "greedy"


class SearchAgent:
    """Takes the action that most simulations tried.

    A choice follows from what the seat knows, the decision's seed and the arguments, whatever the number of threads and
    however decisions are gathered; with ``seconds`` also from the speed of the machine.

    Args:
        game: the game.
        players: at how many seats.
        simulations: how many a decision, shared evenly by its trees; None with ``seconds``.
        seconds: processor time a decision, shared evenly by its trees, in place of a number of simulations.
        leaf: one of LEAVES: a leaf is judged by the game's ``value`` as it stands, or after random or greedy play.
            None for ``value`` with two players and ``greedy`` with more, where the own next turn is far away.
        depth: with ``random`` and ``greedy``, how often a simulation passes to another seat before ``value`` judges; -1
            for all to the end of the game. None for that with ``random``, and with ``greedy`` for players + 1, about
            until the own next turn is over.
        exploration: weight of what is worth trying against results so far.
        uniform: part of the exploration, 0 .. 1, that goes to all actions alike.
        bias: for how many simulations ``value`` after an action counts in its result.
        temperature: difference of ``value`` that makes one action e times as worth trying as another.
        trees: how many trees a decision grows, each from its own draws; their visits are added up. More than one lets
            one decision use several cores.
        threads: at most so many threads search; None for one a core.
    """

    needs_observation = False

    def __init__(
        self,
        game: Game,
        players: int,
        simulations: int | None = SIMULATIONS,
        seconds: float | None = None,
        leaf: str | None = None,
        depth: int | None = None,
        exploration: float = EXPLORATION,
        uniform: float = UNIFORM,
        bias: float = BIAS,
        temperature: float = TEMPERATURE,
        trees: int = 1,
        threads: int | None = None,
    ):
        self.game, self.players = game, players
        self.simulations, self.seconds = simulations, seconds
        # By the clock nobody plays the same twice; results files say so.
        self.reproducible = seconds is None
        self.trees, self.threads = trees, threads or available_cores()
        leaf = default_leaf(players) if leaf is None else leaf
        if leaf == "value":
            depth = 0
        elif depth is None:
            depth = players + 1 if leaf == "greedy" else -1
        self._settings = Settings(
            float(exploration),
            float(uniform),
            float(bias),
            float(temperature),
            LEAVES.index(leaf),
            depth,
        )
        self._rules = rules_of(game)
        most = MAX_NODES if simulations is None else 1 + simulations * game.num_actions(players)
        self._nodes = min(MAX_NODES, most)
        self._rooms: list[Room] = []
        if seconds is not None:
            # Compiled before the clock runs.
            self._simulate(game.new_states(players, [0]), 0, 0, 0, 0, 1, self._make_rooms(1)[0])

    def act(self, decisions: Decisions) -> np.ndarray:
        """The actions tried most, int64 (n,); of those tried equally often the one with the best results."""
        count, actions = decisions.masks.shape
        visits, totals = np.zeros((2, count, self.trees, actions))
        roots = decisions.draw(decisions.seeds)
        jobs = iter(range(count * self.trees))

        def work(room: Room) -> None:
            for job in jobs:
                row, tree = divmod(job, self.trees)
                seed = int(mix_seed(int(decisions.seeds[row]), tree))
                self._grow(roots, row, int(decisions.seats[row]), seed, tree, room)
                root_counts(room.tree, 0, visits[row, tree], totals[row, tree])

        rooms = self._make_rooms(min(self.threads, count * self.trees))
        if len(rooms) == 1:
            work(rooms[0])
        elif rooms:
            with ThreadPoolExecutor(len(rooms)) as pool:
                try:
                    for done in [pool.submit(work, room) for room in rooms]:
                        done.result()
                finally:
                    # After an error or Ctrl-C nobody begins another.
                    for _ in jobs:
                        pass
        return most_visited(decisions.masks, visits.sum(axis=1), totals.sum(axis=1))

    def _make_rooms(self, count: int) -> list[Room]:
        while len(self._rooms) < count:
            self._rooms.append(new_room(self.game, self.players, self._nodes))
        return self._rooms[:count]

    def _grow(self, roots: np.ndarray, row: int, seat: int, seed: int, tree: int, room: Room) -> None:
        """Grow one tree in ``room``."""
        if self.simulations is not None:
            share = self.simulations // self.trees + (tree < self.simulations % self.trees)
            self._simulate(roots, row, seat, seed, 0, share, room)
            return
        assert self.seconds is not None
        budget, began, done, used = self.seconds / self.trees, time.thread_time(), 0, 0.0
        while done == 0 or used < budget:
            # Half of what is left at the speed so far, so that the last call ends close to the end of the budget.
            more = 1 + int(done * (budget - used) / used / 2) if used > 0 else done + 1
            self._simulate(roots, row, seat, seed, done, done + more, room)
            done += more
            used = time.thread_time() - began

    def _simulate(self, roots: np.ndarray, row: int, seat: int, seed: int, first: int, last: int, room: Room) -> None:
        simulate(self._rules, self.game.tables, roots, row, seat, seed, first, last, room, self._settings)


def make_search(
    game: Game,
    players: int,
    simulations: Any = None,
    seconds: Any = None,
    leaf: Any = None,
    depth: Any = None,
    exploration: Any = None,
    uniform: Any = None,
    bias: Any = None,
    temperature: Any = None,
    trees: Any = None,
    threads: Any = None,
    policy: str | None = None,
    leaves: Any = None,
) -> Agent:
    """The agent that ``search:...`` names: a :class:`SearchAgent`, or with ``policy`` a :class:`GuidedSearchAgent`.

    Raises:
        AgentError: a parameter has a value that it does not take, or parameters do not go together.
    """
    if simulations is not None and seconds is not None:
        raise AgentError("search: give simulations or seconds, not both")
    parameters: dict[str, Any] = {}
    if seconds is not None:
        parameters["simulations"] = None
        parameters["seconds"] = _number("seconds", seconds, 1e-6, MAX_SECONDS)
    elif simulations is not None:
        parameters["simulations"] = _whole("simulations", simulations, 1, MAX_SIMULATIONS)
    if exploration is not None:
        parameters["exploration"] = _number("exploration", exploration, 0.0, 100.0)
    if uniform is not None:
        parameters["uniform"] = _number("uniform", uniform, 0.0, 1.0)
    if bias is not None:
        parameters["bias"] = _number("bias", bias, 0.01, 1e6)
    if policy is not None:
        plain = {"leaf": leaf, "depth": depth, "temperature": temperature, "trees": trees, "threads": threads}
        unused = [name for name, value in plain.items() if value is not None]
        if unused:
            others = "simulations, seconds, exploration, uniform, bias and leaves"
            raise AgentError(f"search: {', '.join(unused)} cannot be given with policy; it goes with {others}")
        if leaves is not None:
            parameters["leaves"] = _whole("leaves", leaves, 1, MAX_LEAVES)
        folder = Path(policy)
        if not folder.is_dir():
            raise AgentError(f"search: policy={policy} is no folder; give that of a run or of a policy")
        return GuidedSearchAgent(game, players, load_policy(policy_folder(folder), game, players), **parameters)
    if leaves is not None:
        raise AgentError("search: leaves can be given with policy only")
    if leaf is not None:
        if leaf not in LEAVES:
            raise AgentError(f"search: leaf={leaf} is not known; choose from {', '.join(LEAVES)}")
        parameters["leaf"] = leaf
    if depth is not None:
        if parameters.get("leaf", default_leaf(players)) == "value":
            raise AgentError("search: depth can be given with leaf=random or leaf=greedy only")
        parameters["depth"] = _whole("depth", depth, 1, MAX_SIMULATIONS)
    if temperature is not None:
        parameters["temperature"] = _number("temperature", temperature, 0.002, 1e6)
    if trees is not None:
        parameters["trees"] = _whole("trees", trees, 1, MAX_TREES)
        shared = parameters.get("simulations", SIMULATIONS)
        if shared is not None and trees > shared:
            raise AgentError(f"search: trees={trees} is more than the {shared} simulations that they share")
    if threads is not None:
        parameters["threads"] = _whole("threads", threads, 1, MAX_THREADS)
    return SearchAgent(game, players, **parameters)


def _whole(name: str, value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise AgentError(f"search: {name}={value} is not allowed; it must be a whole number from {least} to {most:,}")
    return value


def _number(name: str, value: Any, least: float, most: float) -> float:
    if type(value) not in (int, float) or not least <= value <= most:
        raise AgentError(f"search: {name}={value} is not allowed; it must be a number from {least:g} to {most:g}")
    return float(value)


register_agent("search", make_search)
