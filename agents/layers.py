"""The layers of a policy's network, and what they compute, in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

ACTIVATIONS = ("relu", "tanh")
MAX_LAYER = 65_536
MAX_THINGS = 4096

# First column and the one after the last.
Span = tuple[int, int]


@dataclass(frozen=True)
class Group:
    """Alike things in the observation, such as seats or cards, each embedded by the same weights.

    Attributes:
        name: ``"seats"``, ``"things_48"``, ...; names its weights.
        things: for each of them the columns of the observation that speak of it, as spans; equally many for each.
        units: floats that each becomes.
    """

    name: str
    things: tuple[tuple[Span, ...], ...]
    units: int

    @cached_property
    def columns(self) -> np.ndarray:
        """Columns by thing, int64 (things, width)."""
        return np.array([[c for first, end in spans for c in range(first, end)] for spans in self.things], np.int64)

    @property
    def width(self) -> int:
        """Columns that speak of one thing."""
        return sum(end - first for first, end in self.things[0])

    @cached_property
    def block(self) -> Span | None:
        """The columns of all, where they lie thing after thing without gaps: those need not be gathered."""
        columns = self.columns.ravel()
        first, size = int(columns[0]), len(columns)
        return (first, first + size) if (columns == np.arange(first, first + size)).all() else None


@dataclass(frozen=True)
class Network:
    """Layers of a policy: observation -> ``shared`` -> ``policy`` -> one logit an action, and -> ``value`` -> 1.

    With ``groups``, the first of these layers reads the embeddings of all things, group by group, and then the columns
    that are in no group.

    Attributes:
        observation_size: floats that go in.
        num_actions: logits that come out.
        shared: sizes of the hidden layers that both heads use.
        policy: sizes of the hidden layers of the policy's own.
        value: sizes of the hidden layers of the value's own.
        activation: ``"relu"`` or ``"tanh"``, after every hidden layer and embedding.
        groups: things that are embedded first.
        look_ahead: whether it also reads what ``value`` says of each action (``agents/look_ahead.py``), after the
            observation: ``num_actions`` columns that are added to the logits, times ``look.scale``, and one more.
    """

    observation_size: int
    num_actions: int
    shared: tuple[int, ...]
    policy: tuple[int, ...]
    value: tuple[int, ...]
    activation: str
    groups: tuple[Group, ...] = ()
    look_ahead: bool = False

    @property
    def input_size(self) -> int:
        """Floats that the network reads."""
        return self.observation_size + (self.num_actions + 1 if self.look_ahead else 0)

    @cached_property
    def rest(self) -> np.ndarray:
        """Columns of what it reads in no group, int64."""
        grouped = [group.columns.ravel() for group in self.groups]
        return np.setdiff1d(np.arange(self.input_size), np.concatenate([*grouped, np.empty(0, np.int64)]))

    @property
    def embedded_size(self) -> int:
        """Floats that the first layer after the embeddings reads."""
        if not self.groups:
            return self.input_size
        return sum(len(group.things) * group.units for group in self.groups) + len(self.rest)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shape of every weight and bias, by name: ``shared.0.weight`` (out, in), ``shared.0.bias`` (out,), ...

        A group has ``embed.<name>.weight`` (units, width) and ``embed.<name>.bias`` (things, units): things are told
        apart by their bias. With ``look_ahead`` there is ``look.scale`` (1,).
        """
        shapes: dict[str, tuple[int, ...]] = {}
        for group in self.groups:
            shapes[f"embed.{group.name}.weight"] = (group.units, group.width)
            shapes[f"embed.{group.name}.bias"] = (len(group.things), group.units)
        trunk = (self.embedded_size, *self.shared)
        heads = {
            "shared": trunk,
            "policy": (trunk[-1], *self.policy, self.num_actions),
            "value": (trunk[-1], *self.value, 1),
        }
        for part, sizes in heads.items():
            for layer in range(len(sizes) - 1):
                shapes[f"{part}.{layer}.weight"] = (sizes[layer + 1], sizes[layer])
                shapes[f"{part}.{layer}.bias"] = (sizes[layer + 1],)
        if self.look_ahead:
            shapes["look.scale"] = (1,)
        return shapes


def trunk(network: Network, weights: Mapping[str, np.ndarray], inputs: np.ndarray) -> np.ndarray:
    """What both heads read, float32 (n, size), for what the network reads, float32 (n, ``network.input_size``)."""
    return _layers(network, weights, "shared", len(network.shared), _embed(network, weights, inputs), False)


def logits_of(network: Network, weights: Mapping[str, np.ndarray], seen: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """Unmasked logits, float32 (n, actions), for :func:`trunk` of ``inputs``."""
    logits = _head(network, weights, "policy", seen)
    if network.look_ahead:
        first = network.observation_size
        logits += weights["look.scale"] * inputs[:, first : first + network.num_actions]
    return logits


def values_of(network: Network, weights: Mapping[str, np.ndarray], seen: np.ndarray) -> np.ndarray:
    """The values, float32 (n,), for :func:`trunk`."""
    return _head(network, weights, "value", seen)[:, 0]


def _head(network: Network, weights: Mapping[str, np.ndarray], part: str, seen: np.ndarray) -> np.ndarray:
    return _layers(network, weights, part, len(getattr(network, part)) + 1, seen, True)


def _embed(network: Network, weights: Mapping[str, np.ndarray], inputs: np.ndarray) -> np.ndarray:
    if not network.groups:
        return inputs
    n = len(inputs)
    out = np.empty((n, network.embedded_size), np.float32)
    end = 0
    for group in network.groups:
        # A slice is copied many times quicker than columns are gathered.
        columns = slice(*group.block) if group.block else group.columns.ravel()
        x = inputs[:, columns].reshape(-1, group.width) @ weights[f"embed.{group.name}.weight"].T
        x = x.reshape(n, len(group.things) * group.units)
        x += weights[f"embed.{group.name}.bias"].reshape(-1)
        begin, end = end, end + x.shape[1]
        out[:, begin:end] = _activate(network, x)
    out[:, end:] = inputs[:, network.rest]
    return out


def _layers(
    network: Network, weights: Mapping[str, np.ndarray], part: str, count: int, x: np.ndarray, last_is_linear: bool
) -> np.ndarray:
    for layer in range(count):
        x = x @ weights[f"{part}.{layer}.weight"].T
        x += weights[f"{part}.{layer}.bias"]
        if layer == count - 1 and last_is_linear:
            break
        x = _activate(network, x)
    return x


def _activate(network: Network, x: np.ndarray) -> np.ndarray:
    """The activation, in place."""
    return np.maximum(x, 0.0, out=x) if network.activation == "relu" else np.tanh(x, out=x)
