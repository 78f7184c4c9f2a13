"""A trained policy as an agent, and the two files it is kept in: ``policy.safetensors`` and ``policy.json``.

Playing needs numpy only: for batches of a few hundred rows numpy's products are quicker than torch's, and nobody who
only plays waits for torch to load. Reading a policy runs no code that the files bring along.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import northsea_envs
from agents.layers import ACTIVATIONS, MAX_LAYER, MAX_THINGS, Group, Network, logits_of, trunk, values_of
from agents.layout import Fit, Layout
from agents.look_ahead import LookAhead
from northsea_envs.agent import AgentError, Decisions, register_finder
from northsea_envs.files import write_atomically
from northsea_envs.game import Game
from northsea_envs.jit import compiled, mix_seed, random_seed, random_word
from northsea_envs.tables import WEIGHTS_FIELD, with_weights

FORMAT = 1
WEIGHTS_FILE = "policy.safetensors"
ABOUT_FILE = "policy.json"
BEST_FOLDER = "best"
CHECKPOINTS_FOLDER = "checkpoints"
# Second argument of mix_seed, which no game uses for what it draws.
_LOT = 15
# What policy.json says of a network only where it has it.
_OPTIONAL = {"groups", "look_ahead"}
_NEEDED = {"shared", "policy", "value", "activation"}


@compiled
def _choose(logits, masks, seeds, best, actions):
    """The likeliest legal action where ``best``, else one drawn by its probability among the legal ones."""
    rng = np.empty(4, np.uint32)
    for k in range(len(seeds)):
        top = -1
        for action in range(masks.shape[1]):
            if masks[k, action] and (top < 0 or logits[k, action] > logits[k, top]):
                top = action
        actions[k] = top
        if best or top < 0:
            continue
        total = 0.0
        for action in range(masks.shape[1]):
            if masks[k, action]:
                total += np.exp(np.float64(logits[k, action]) - np.float64(logits[k, top]))
        # Mixed, so that the lot does not follow the game that was drawn by this seed to look ahead.
        random_seed(rng, mix_seed(seeds[k], _LOT))
        left = (random_word(rng) + 0.5) / 4294967296.0 * total
        for action in range(masks.shape[1]):
            if masks[k, action]:
                left -= np.exp(np.float64(logits[k, action]) - np.float64(logits[k, top]))
                if left < 0.0:
                    actions[k] = action
                    break


class PolicyAgent:
    """Plays by a trained network.

    Args:
        network: its layers.
        weights: float32 arrays by the names of ``network.shapes()``. They are used as they are, not copied: views of
            a network in training give an agent that is always up to date.
        deterministic: always the likeliest action, else one drawn by its probability from the decision's seed.
        look_ahead: what looks ahead for a network that reads that; None for one that does not.
        fit: how what it reads here goes into the layout of a network for several numbers of players; None where it is
            what the network reads.
    """

    needs_observation = True

    def __init__(
        self,
        network: Network,
        weights: Mapping[str, np.ndarray],
        deterministic: bool = True,
        look_ahead: LookAhead | None = None,
        fit: Fit | None = None,
    ):
        if network.look_ahead != (look_ahead is not None):
            raise ValueError("look_ahead must be given for a network that reads what it sees, and for no other")
        self.network = network
        self.weights = dict(weights)
        self.deterministic = deterministic
        self.look_ahead = look_ahead
        self.fit = fit

    def inputs(self, decisions: Decisions) -> np.ndarray:
        """What is read for the batch, float32 (n, size): observations, and the columns of a look ahead."""
        if self.look_ahead is None:
            return decisions.observations
        return self.look_ahead.beside(decisions.observations, decisions)

    def logits(self, inputs: np.ndarray) -> np.ndarray:
        """Unmasked logits, float32 (n, actions), for what :meth:`inputs` gives."""
        inputs = self._fitted(inputs)
        return self._logits(trunk(self.network, self.weights, inputs), inputs)

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """The reward to come that each observing seat may expect, as in training, float32 (n,)."""
        return self.judge(inputs)[1]

    def judge(self, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """:meth:`logits` and :meth:`values` of the same inputs; values are -1 to 1 by rank or win."""
        inputs = self._fitted(inputs)
        seen = trunk(self.network, self.weights, inputs)
        return self._logits(seen, inputs), values_of(self.network, self.weights, seen)

    def _fitted(self, inputs: np.ndarray) -> np.ndarray:
        return inputs if self.fit is None else self.fit.inputs(inputs)

    def _logits(self, seen: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        logits = logits_of(self.network, self.weights, seen, inputs)
        return logits if self.fit is None else np.take(logits, self.fit.actions, 1)

    def act(self, decisions: Decisions) -> np.ndarray:
        """Legal actions for the batch, int64 (n,)."""
        actions = np.empty(len(decisions), np.int64)
        _choose(self.logits(self.inputs(decisions)), decisions.masks, decisions.seeds, self.deterministic, actions)
        return actions

    def frozen(self, deterministic: bool) -> PolicyAgent:
        """An agent with a copy of the weights as they are now."""
        weights = {name: w.copy() for name, w in self.weights.items()}
        return PolicyAgent(self.network, weights, deterministic, self.look_ahead, self.fit)

    def at(self, layout: Layout, players: int) -> PolicyAgent:
        """The same, with the same arrays of weights, at ``players`` seats of the network's ``layout``."""
        fit = layout.fit(players, self.network.look_ahead)
        if fit is None:
            return self
        return PolicyAgent(self.network, self.weights, self.deterministic, self.look_ahead, fit)


def layout_hash(layout: Layout) -> str:
    """16 hex digits over the names, sizes and bounds of the observation's fields, in order."""
    fields = [(f.name, f.size, float(f.low), float(f.high)) for f in layout.fields]
    return hashlib.sha256(repr(fields).encode()).hexdigest()[:16]


def identity(game: Game, players: int | Sequence[int]) -> dict[str, Any]:
    """What a policy must agree with to play: game, variant, number or numbers of players, observation and actions."""
    layout = Layout(game, players)
    return {
        "game": game.id,
        **({"variant": dict(game.variant)} if game.variant else {}),
        "players": layout.counts[0] if len(layout.counts) == 1 else list(layout.counts),
        "observation_size": layout.observation_size,
        "observation_layout": layout_hash(layout),
        "num_actions": layout.num_actions,
    }


def save_policy(
    folder: str | Path,
    game: Game,
    players: int | Sequence[int],
    network: Network,
    weights: Mapping[str, np.ndarray],
    steps: int,
) -> None:
    """Write ``policy.safetensors`` and ``policy.json`` into ``folder``, which is made where it is missing.

    Args:
        folder: where to.
        game: the game it plays.
        players: at how many seats, or at which numbers of seats.
        network: its layers.
        weights: float32 arrays by the names of ``network.shapes()``.
        steps: decisions it has been trained on.
    """
    from safetensors.numpy import save

    folder = Path(folder)
    about = {
        "format": FORMAT,
        **identity(game, players),
        "tables": game.fingerprint,
        "package_version": northsea_envs.__version__,
        "network": _layers_of(network),
        **({"value_weights": weights_now(game)} if network.look_ahead else {}),
        "steps": steps,
    }
    tensors = {name: np.ascontiguousarray(weights[name], np.float32) for name in network.shapes()}
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / WEIGHTS_FILE, save(tensors))
    write_atomically(folder / ABOUT_FILE, (json.dumps(about, indent=2) + "\n").encode())


def load_policy(folder: str | Path, game: Game, players: int, deterministic: bool = True) -> PolicyAgent:
    """The policy in ``folder`` as an agent for ``game`` at ``players`` seats.

    Raises:
        AgentError: a file is missing or damaged, or the policy is for another game, number of players, observation
            layout or action space; the message names which.
    """
    folder = Path(folder)
    about = read_about(folder)
    trained = _trained_players(about, game, players)
    # A game of no variant names none.
    for key, here in {"variant": {}, **identity(game, trained)}.items():
        found = about.get(key, {} if key == "variant" else None)
        if found != here:
            raise AgentError(f"policy {folder}: it was trained for {key} {found!r}; here it is {here!r}")
    if about.get("tables") != game.fingerprint:
        warnings.warn(
            f"policy {folder} was trained with component tables {about.get('tables')!r}, not {game.fingerprint!r}; "
            "it plays, but values have changed since",
            RuntimeWarning,
            stacklevel=2,
        )
    network = _network(folder, about)
    look_ahead = _look_ahead(folder, about, game) if network.look_ahead else None
    fit = Layout(game, trained).fit(players, network.look_ahead)
    return PolicyAgent(network, _read_weights(folder, network), deterministic, look_ahead, fit)


def _trained_players(about: Mapping[str, Any], game: Game, players: int) -> int | list[int]:
    """The numbers of players that a policy was trained for, where ``players`` is among several; else ``players``."""
    found = about.get("players")
    if isinstance(found, list) and players in found:
        numbers = [number for number in range(game.min_players, game.max_players + 1) if number in found]
        # Equal numbers of another type, such as 2.0, are not those.
        if found == numbers and all(type(number) is int for number in found):
            return numbers
    return players


def weights_now(game: Game) -> list[float]:
    """The weights by which ``game.value`` weighs, in the order of ``game.weights``."""
    return game.tables[WEIGHTS_FIELD][0].tolist() if game.weights else []


def _look_ahead(folder: Path, about: Mapping[str, Any], game: Game) -> LookAhead:
    """With the weights that the policy was trained with: better ones would be a different world to it."""
    weights = about.get("value_weights")
    try:
        if not isinstance(weights, list) or not all(type(weight) in (int, float) for weight in weights):
            raise ValueError(f"they must be a list of numbers, not {weights!r}"[:300])
        return LookAhead(game, game.tables if weights == weights_now(game) else with_weights(game.tables, weights))
    except (ValueError, OverflowError) as error:
        raise AgentError(f"policy {folder}: value_weights do not fit {game.described} ({error})") from error


def read_about(folder: Path) -> dict[str, Any]:
    """The parsed ``policy.json`` of a policy's folder; raises AgentError where it is missing or damaged."""
    path = folder / ABOUT_FILE
    try:
        about = json.loads(path.read_bytes())
    except OSError as error:
        raise AgentError(f"policy {folder}: {ABOUT_FILE} cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise AgentError(f"policy {folder}: {ABOUT_FILE} is not JSON ({error})") from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        found = about.get("format") if isinstance(about, dict) else about
        raise AgentError(f"policy {folder}: {ABOUT_FILE} must have format {FORMAT}, not {found!r}")
    return about


def _layers_of(network: Network) -> dict[str, Any]:
    """``network`` for the file: what the game says is left out, and what the network does not have."""
    optional = {key for key in _OPTIONAL if not getattr(network, key)}
    left_out = {"observation_size", "num_actions", *optional}
    return {key: value for key, value in asdict(network).items() if key not in left_out}


def _network(folder: Path, about: Mapping[str, Any]) -> Network:
    layers = about.get("network")
    if isinstance(layers, dict) and (unknown := sorted(set(layers) - _NEEDED - _OPTIONAL)):
        raise AgentError(f"policy {folder}: network has what is not known here: {', '.join(map(str, unknown))}")
    if not isinstance(layers, dict) or set(layers) - _OPTIONAL != _NEEDED:
        raise AgentError(f"policy {folder}: network must have shared, policy, value and activation, not {layers!r}")
    for part in ("shared", "policy", "value"):
        sizes = layers[part]
        if not isinstance(sizes, list) or not all(_is_size(size) for size in sizes):
            raise AgentError(f"policy {folder}: network.{part} must be a list of sizes 1..{MAX_LAYER}, not {sizes!r}")
    if layers["activation"] not in ACTIVATIONS:
        raise AgentError(
            f"policy {folder}: network.activation must be one of {', '.join(ACTIVATIONS)}, not {layers['activation']!r}"
        )
    look_ahead = layers.get("look_ahead", False)
    if type(look_ahead) is not bool:
        raise AgentError(f"policy {folder}: network.look_ahead must be true or false, not {look_ahead!r}")
    size = about["observation_size"]
    try:
        groups = _groups(layers.get("groups", []), size)
    except (ValueError, TypeError, KeyError) as error:
        raise AgentError(
            f"policy {folder}: network.groups must be a list of name, units 1..{MAX_LAYER} and things, each thing a "
            f"list of [first, end] columns of the {size} of the observation, equally many for each ({error})"
        ) from error
    return Network(
        size,
        about["num_actions"],
        tuple(layers["shared"]),
        tuple(layers["policy"]),
        tuple(layers["value"]),
        layers["activation"],
        groups,
        look_ahead,
    )


def _is_size(size: Any) -> bool:
    return type(size) is int and 0 < size <= MAX_LAYER


def _groups(found: Any, observation_size: int) -> tuple[Group, ...]:
    """The groups of a file; raises ValueError, TypeError or KeyError where they do not fit the observation."""
    groups = []
    for item in found:
        name, units = item["name"], item["units"]
        things = tuple(tuple((first, end) for first, end in spans) for spans in item["things"])
        if not isinstance(name, str) or not _is_size(units) or not 0 < len(things) <= MAX_THINGS:
            raise ValueError(f"group {name!r}")
        for first, end in (span for spans in things for span in spans):
            if type(first) is not int or type(end) is not int or not 0 <= first < end <= observation_size:
                raise ValueError(f"columns {first!r} to {end!r} of group {name!r}")
        widths = {sum(end - first for first, end in spans) for spans in things}
        if len(widths) > 1 or 0 in widths:
            raise ValueError(f"things of {sorted(widths)} columns in group {name!r}")
        groups.append(Group(name, things, units))
    if len({group.name for group in groups}) < len(groups):
        raise ValueError("a name that is there twice")
    columns = [column for group in groups for column in group.columns.ravel().tolist()]
    if len(set(columns)) < len(columns):
        raise ValueError("a column that is there twice")
    return tuple(groups)


def _read_weights(folder: Path, network: Network) -> dict[str, np.ndarray]:
    weights = read_tensors(folder / WEIGHTS_FILE, f"policy {folder}")
    shapes = network.shapes()
    missing = sorted(set(shapes) - set(weights))
    extra = sorted(set(weights) - set(shapes))
    if missing or extra:
        raise AgentError(
            f"policy {folder}: {WEIGHTS_FILE} does not fit the layers in {ABOUT_FILE}"
            + (f"; missing: {', '.join(missing)}" if missing else "")
            + (f"; not expected: {', '.join(extra)}" if extra else "")
        )
    for name, shape in shapes.items():
        tensor = weights[name]
        if tensor.shape != shape or tensor.dtype != np.float32:
            raise AgentError(
                f"policy {folder}: {name} must be float32 of shape {shape}, not {tensor.dtype} of {tensor.shape}"
            )
        if not np.isfinite(tensor).all():
            raise AgentError(f"policy {folder}: {name} holds values that are not finite")
    return weights


def read_tensors(path: Path, what: str) -> dict[str, np.ndarray]:
    """All arrays of a safetensors file; raises AgentError, beginning with ``what``, where it is missing or damaged."""
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load
    except ModuleNotFoundError as error:
        raise AgentError(f"{what}: reading it needs the package safetensors (the extra 'train')") from error
    try:
        return load(path.read_bytes())
    except OSError as error:
        raise AgentError(f"{what}: {path.name} cannot be read ({error.strerror})") from error
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        # KeyError: a tensor type that numpy lacks.
        raise AgentError(f"{what}: {path.name} is damaged ({error})") from error


def checkpoints(run: Path) -> list[Path]:
    """The checkpoints of a run's folder, oldest first."""
    return sorted(path for path in (run / CHECKPOINTS_FOLDER).glob("step_*") if path.is_dir())


def policy_folder(folder: Path) -> Path:
    """Where the policy of a run or policy folder is: itself, else its ``best``, else its latest checkpoint.

    Raises:
        AgentError: there is none.
    """
    if any((folder / name).exists() for name in (ABOUT_FILE, WEIGHTS_FILE)):
        return folder
    if (folder / BEST_FOLDER).is_dir():
        return folder / BEST_FOLDER
    latest = checkpoints(folder)
    if latest:
        return latest[-1]
    raise AgentError(
        f"folder {folder} holds no policy: no {ABOUT_FILE}, no {BEST_FOLDER}/, no {CHECKPOINTS_FOLDER}/step_*"
    )


def named_folder(spec: str) -> tuple[Path, str] | None:
    """The folder that ``spec`` begins with, and what is behind its colon; None where it is no folder."""
    if spec and Path(spec).is_dir():
        return Path(spec), ""
    name, _, option = spec.rpartition(":")
    if not name or not Path(name).is_dir():
        return None
    if name.isidentifier() and option.isidentifier() and not _holds_policy(Path(name)):
        # A package in the current folder, of module:Class.
        return None
    return Path(name), option


def _holds_policy(folder: Path) -> bool:
    try:
        policy_folder(folder)
    except AgentError:
        return False
    return True


def find_policy(spec: str, game: Game, players: int) -> PolicyAgent | None:
    """The agent of a folder such as ``runs/vikings/quick`` or ``runs/vikings/quick/best:deterministic=0``.

    Returns:
        None where ``spec`` names no folder.

    Raises:
        AgentError: the folder holds no policy, or one that cannot be used here.
    """
    named = named_folder(spec)
    if named is None:
        return None
    folder, option = named
    if option not in ("", "deterministic=0", "deterministic=1"):
        raise AgentError(f"agent {spec!r}: a policy takes deterministic=0 or deterministic=1, not {option!r}")
    return load_policy(policy_folder(folder), game, players, option != "deterministic=0")


register_finder(find_policy)
