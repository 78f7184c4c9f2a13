"""Everything a training needs to go on exactly where it stopped, in a folder of safetensors and JSON files."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import save
from sb3_contrib import MaskablePPO

from agents.layers import Network
from agents.layout import Layout
from agents.learner import SelfPlayVecEnv
from agents.mixed import MixedVecEnv
from agents.network import parameters, set_weights, weights_of
from agents.policy import (
    CHECKPOINTS_FOLDER,
    PolicyAgent,
    checkpoints,
    load_policy,
    read_tensors,
    save_policy,
)
from agents.pool import OpponentPool, Standing
from northsea_envs.agent import AgentError
from northsea_envs.files import write_atomically

FORMAT = 2
TENSORS_FILE = "trainer.safetensors"
STATE_FILE = "trainer.json"
OPPONENTS_FOLDER = "opponents"
KEEP = 2


class MismatchError(AgentError):
    """A checkpoint is whole, but the configuration has changed what cannot change within a run."""


@dataclass
class Progress:
    """Where a training stands.

    Attributes:
        steps: decisions of the learner that have been learned from.
        seconds: time spent, over all sessions.
        warm_started: whether the warm start is done (or there is none).
        next_opponent: steps at which the next earlier version enters the pool.
        next_evaluation: steps at which the next short evaluation is due.
        best_share: highest mean win share of a short evaluation, -1 before the first.
        shares: win share by opponent in the latest short evaluation.
        complete: whether the training has reached its end.
    """

    steps: int = 0
    seconds: float = 0.0
    warm_started: bool = False
    next_opponent: int = 0
    next_evaluation: int = 0
    best_share: float = -1.0
    shares: dict[str, float] | None = None
    complete: bool = False


def save_opponent(run: Path, layout: Layout, number: int, agent: PolicyAgent, steps: int) -> None:
    """Keep an earlier version of the learner as ``opponents/<number>``."""
    save_policy(run / OPPONENTS_FOLDER / str(number), layout.game, layout.counts, agent.network, agent.weights, steps)


def save_checkpoint(
    run: Path,
    model: MaskablePPO,
    env: SelfPlayVecEnv | MixedVecEnv,
    layout: Layout,
    network: Network,
    progress: Progress,
) -> Path:
    """Write ``checkpoints/step_<steps>``, complete or not at all, and remove those before the last ``KEEP``.

    Earlier versions in the pool must have been kept with :func:`save_opponent`.
    """
    folder = run / CHECKPOINTS_FOLDER / f"step_{progress.steps:010d}"
    temporary = folder.with_name(f".{folder.name}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    weights = weights_of(model.policy, network)
    save_policy(temporary, layout.game, layout.counts, network, weights, progress.steps)
    tensors, state = _trainer(model, env, network)
    write_atomically(temporary / TENSORS_FILE, save(tensors))
    state = {"format": FORMAT, "progress": asdict(progress), **state}
    write_atomically(temporary / STATE_FILE, (json.dumps(state, indent=2) + "\n").encode())
    # The same steps can come twice: before and after a warm start, and at the end.
    before = folder.with_name(f".{folder.name}.old")
    if folder.exists():
        folder.rename(before)
    temporary.rename(folder)
    shutil.rmtree(before, ignore_errors=True)
    for old in checkpoints(run)[:-KEEP]:
        shutil.rmtree(old)
    _remove_unused_opponents(run)
    return folder


def _trainer(
    model: MaskablePPO, env: SelfPlayVecEnv | MixedVecEnv, network: Network
) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    tensors: dict[str, np.ndarray] = {}
    for name, parameter in parameters(model.policy, network).items():
        for key, value in model.policy.optimizer.state[parameter].items():
            tensors[f"adam.{key}.{name}"] = value.numpy()
    tensors["random.torch"] = torch.get_rng_state().numpy()
    generator = np.random.get_state(legacy=False)
    tensors["random.numpy"] = generator["state"]["key"]
    state: dict[str, Any] = {
        "updates": model._n_updates,
        "numpy_random": [generator["state"]["pos"], generator["has_gauss"], generator["gauss"]],
        "running": model._last_obs is not None,
        "pools": {str(part.players): _state_of(part.opponents) for part in env.parts},
    }
    if model._last_obs is not None:
        tensors["episode_starts"] = np.asarray(model._last_episode_starts, bool)
        tensors |= {f"running.{name}": array for name, array in env.running().items()}
    return {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}, state


def _state_of(pool: OpponentPool) -> dict[str, Any]:
    return {
        "earlier": pool.earlier,
        "versions": [number for number in pool.agents if number >= pool.fixed_agents],
        "fixed": pool.fixed_names,
        "rating": pool.rating,
        "standings": {str(number): asdict(standing) for number, standing in pool.standings.items()},
    }


def _remove_unused_opponents(run: Path) -> None:
    try:
        pools = [pool for folder in checkpoints(run) for pool in read_state(folder)["pools"].values()]
    except AgentError:
        # What a damaged checkpoint uses is not known.
        return
    used = {str(number) for pool in pools for number in pool["versions"]}
    for folder in (run / OPPONENTS_FOLDER).glob("*"):
        if folder.name not in used:
            shutil.rmtree(folder)


def read_state(folder: Path) -> dict[str, Any]:
    """The parsed ``trainer.json`` of a checkpoint; raises AgentError where it is missing or damaged."""
    try:
        state = json.loads((folder / STATE_FILE).read_bytes())
        if type(state["format"]) is int and 0 < state["format"] < FORMAT:
            raise MismatchError(f"checkpoint {folder}: it is of an earlier version of this package; begin a new run")
        if state["format"] != FORMAT:
            raise ValueError(f"format {state['format']!r}, not {FORMAT}")
        if set(state["progress"]) != {field.name for field in fields(Progress)}:
            raise ValueError("progress has other keys")
        _check_values(state)
    except MismatchError:
        raise
    except OSError as error:
        raise AgentError(f"checkpoint {folder}: {STATE_FILE} cannot be read ({error.strerror})") from error
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise AgentError(f"checkpoint {folder}: {STATE_FILE} is damaged ({error!r})") from error
    return state


def _check_values(state: Mapping[str, Any]) -> None:
    """Raise ValueError, KeyError or TypeError where a value of ``trainer.json`` is of a wrong type or size."""

    def check(name: str, value: Any, allowed: bool, right: str) -> None:
        if not allowed:
            raise ValueError(f"{name} must be {right}, not {value!r}")

    def is_number(value: Any) -> bool:
        return type(value) in (int, float) and math.isfinite(value)

    progress = state["progress"]
    for key in ("steps", "next_opponent", "next_evaluation"):
        check(f"progress.{key}", progress[key], type(progress[key]) is int and progress[key] >= 0, "an integer from 0")
    seconds, best, shares = progress["seconds"], progress["best_share"], progress["shares"]
    check("progress.seconds", seconds, is_number(seconds) and seconds >= 0, "a number from 0")
    check("progress.best_share", best, is_number(best), "a number")
    known = shares is None or (isinstance(shares, dict) and all(is_number(share) for share in shares.values()))
    check("progress.shares", shares, known, "null or numbers by name")
    for key in ("warm_started", "complete"):
        check(f"progress.{key}", progress[key], type(progress[key]) is bool, "true or false")
    check("updates", state["updates"], type(state["updates"]) is int and state["updates"] >= 0, "an integer from 0")
    check("running", state["running"], type(state["running"]) is bool, "true or false")
    check("pools", state["pools"], bool(state["pools"]), "a pool for each number of players")
    for players, pool in state["pools"].items():
        where = f"pools.{int(players)}"
        for key in ("earlier", "versions"):
            numbers = pool[key]
            whole = isinstance(numbers, list) and all(type(number) is int and number >= 0 for number in numbers)
            check(f"{where}.{key}", numbers, whole, "a list of integers from 0")
        fixed = pool["fixed"]
        known = isinstance(fixed, list) and all(isinstance(name, str) for name in fixed)
        check(f"{where}.fixed", fixed, known, "a list of names")
        check(f"{where}.rating", pool["rating"], is_number(pool["rating"]), "a number")
        for number, standing in pool["standings"].items():
            games, rate, rating = standing["games"], standing["rate"], standing["rating"]
            whole = type(games) is int and games >= 0 and is_number(rate) and 0 <= rate <= 1 and is_number(rating)
            right = "a rating, a rate 0 to 1 and games"
            check(f"{where}.standings.{int(number)}", standing, whole and len(standing) == 3, right)
    latest = {max(pool["versions"], default=0) for pool in state["pools"].values()}
    check("pools", state["pools"], len(latest) == 1, "of the same latest version")
    state["numpy_random"]


def load_checkpoint(
    run: Path, folder: Path, model: MaskablePPO, env: SelfPlayVecEnv | MixedVecEnv, layout: Layout, network: Network
) -> Progress:
    """Put ``model``, ``env``, its pool and the random generators where they stood.

    Raises:
        MismatchError: it is of another network, numbers of players or games at once than the configuration.
        AgentError: a file is missing or damaged; the training cannot go on from there.
    """
    state = read_state(folder)
    tensors = read_tensors(folder / TENSORS_FILE, f"checkpoint {folder}")
    counts = sorted(map(int, state["pools"]))
    if counts != list(layout.counts):
        raise MismatchError(
            f"checkpoint {folder}: it is of a training with {', '.join(map(str, counts))} players; that cannot be "
            "changed when resuming"
        )
    learned = load_policy(folder, layout.game, layout.counts[0])
    if learned.network != network:
        different = _differing(learned.network, network)
        raise MismatchError(
            f"checkpoint {folder}: its network differs from the configuration's in {different}; that cannot be changed "
            "when resuming"
        )
    if learned.look_ahead is not None and learned.look_ahead.tables is not layout.game.tables:
        raise MismatchError(
            f"checkpoint {folder}: the weights of {layout.game.id}'s value have changed since, and its network reads "
            "what they say; begin a new run"
        )
    states = [array for name, array in tensors.items() if name.startswith("running.") and name.endswith("states")]
    games = sum(len(array) for array in states if array.ndim)
    if state["running"] and games not in (0, env.num_envs):
        raise MismatchError(
            f"num_envs={env.num_envs} is not allowed: it cannot be changed when resuming, and checkpoint {folder} "
            f"holds {games} running games; leave num_envs={games} or begin a new run"
        )
    pools = [(part.players, part.opponents, state["pools"][str(part.players)]) for part in env.parts]
    for _, pool, kept in pools:
        if kept["fixed"] != pool.fixed_names:
            raise MismatchError(
                f"checkpoint {folder}: opponents.baselines and opponents.steady name {pool.fixed_names[1:]}; a run "
                f"keeps those that it began with, {kept['fixed'][1:]}, though a weight may become 0"
            )
    versions = {
        number: load_policy(run / OPPONENTS_FOLDER / str(number), layout.game, counts[0], deterministic=False)
        for number in {number for _, _, kept in pools for number in kept["versions"]}
    }
    try:
        for players, pool, kept in pools:
            own = {number: versions[number].at(layout, players) for number in kept["versions"]}
            standings = {int(number): Standing(**standing) for number, standing in kept["standings"].items()}
            pool.put_back(kept["earlier"], own, kept["rating"], standings)
        set_weights(model.policy, network, learned.weights)
        _load_adam(model, network, tensors)
        if state["running"]:
            running = {name.partition(".")[2]: array for name, array in tensors.items() if name.startswith("running.")}
            model._last_obs = env.restore(running)
            model._last_episode_starts = tensors["episode_starts"]
        progress = Progress(**state["progress"])
        model.num_timesteps = progress.steps
        model._n_updates = state["updates"]
        position, has_gauss, gauss = state["numpy_random"]
        np.random.set_state(("MT19937", tensors["random.numpy"], position, has_gauss, gauss))
        torch.set_rng_state(torch.from_numpy(tensors["random.torch"]))
    except (ValueError, TypeError, KeyError, RuntimeError) as error:
        raise AgentError(f"checkpoint {folder} is damaged ({error})") from error
    return progress


def _differing(one: Network, other: Network) -> str:
    """The parts in which two networks differ, in words."""
    pairs = [(f.name, getattr(one, f.name), getattr(other, f.name)) for f in fields(Network)]
    return ", ".join(
        # Groups say thing by thing where it lies.
        "what is embedded" if name == "groups" else f"{name} ({left}, not {right})"
        for name, left, right in pairs
        if left != right
    )


def _load_adam(model: MaskablePPO, network: Network, tensors: Mapping[str, np.ndarray]) -> None:
    optimizer = model.policy.optimizer
    for name, parameter in parameters(model.policy, network).items():
        kept = {
            key: torch.from_numpy(tensors[f"adam.{key}.{name}"].copy())
            for key in ("step", "exp_avg", "exp_avg_sq")
            if f"adam.{key}.{name}" in tensors
        }
        if not kept:
            continue
        if len(kept) != 3 or any(kept[key].shape != parameter.shape for key in ("exp_avg", "exp_avg_sq")):
            raise ValueError(f"the optimizer's state of {name} is missing or of another shape")
        optimizer.state[parameter] = kept
