"""The network of a policy inside stable-baselines3: built from a :class:`Network`, weights out and in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor
from torch import nn

from agents.layers import Group, Network
from agents.look_ahead import SCALE

_ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}


class Embedding(nn.Module):
    """One group of things, embedded by the same weights; out (n, things * units)."""

    columns: torch.Tensor

    def __init__(self, group: Group, activation: type[nn.Module]):
        super().__init__()
        self.group = group
        self.linear = nn.Linear(group.width, group.units, bias=False)
        self.bias = nn.Parameter(torch.zeros(len(group.things), group.units))
        self.activation = activation()
        self.register_buffer("columns", torch.from_numpy(group.columns.ravel()), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        block = self.group.block
        x = observations[:, block[0] : block[1]] if block else observations.index_select(1, self.columns)
        x = self.linear(x.reshape(-1, *self.bias.shape[:1], self.group.width)) + self.bias
        out: torch.Tensor = self.activation(x).flatten(1)
        return out


class SharedLayers(BaseFeaturesExtractor):
    """Embeddings, and the hidden layers that both heads use; either may be none.

    Behind their output come the columns of a look ahead that belong to the logits, where the network reads them.
    """

    rest: torch.Tensor

    def __init__(self, observation_space: gymnasium.spaces.Box, network: Network):
        activation = _ACTIVATIONS[network.activation]
        ins = (network.embedded_size, *network.shared)
        self.looks = slice(network.observation_size, network.observation_size + network.num_actions)
        self.passes_looks = network.look_ahead
        super().__init__(observation_space, ins[-1] + (network.num_actions if network.look_ahead else 0))
        self.embeddings = nn.ModuleList(Embedding(group, activation) for group in network.groups)
        self.register_buffer("rest", torch.from_numpy(network.rest), persistent=False)
        layers: list[nn.Module] = []
        for layer, size in enumerate(network.shared):
            layers += [nn.Linear(ins[layer], size), activation()]
        self.layers = nn.Sequential(*layers)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        x = inputs
        if len(self.embeddings):
            embedded = [embedding(inputs) for embedding in self.embeddings]
            x = torch.cat([*embedded, inputs.index_select(1, self.rest)], 1)
        out: torch.Tensor = self.layers(x)
        return torch.cat([out, inputs[:, self.looks]], 1) if self.passes_looks else out


class HeadsPastLooks(MlpExtractor):
    """Both heads' hidden layers; the last ``looks`` columns of what comes in go past the policy's to its logits."""

    def __init__(self, features: int, looks: int, *arguments: Any, **keywords: Any):
        super().__init__(features - looks, *arguments, **keywords)
        self.looks = looks
        self.latent_dim_pi += looks

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        return torch.cat([self.policy_net(features[:, : -self.looks]), features[:, -self.looks :]], 1)

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.value_net(features[:, : -self.looks])
        return out


class LogitsPastLooks(nn.Module):
    """The policy's last layer, whose logits are added to the look ahead's, times ``scale``."""

    def __init__(self, size: int, looks: int):
        super().__init__()
        self.linear = nn.Linear(size, looks)
        self.scale = nn.Parameter(torch.full((1,), SCALE))

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        size = self.linear.in_features
        out: torch.Tensor = self.linear(latent[:, :size]) + self.scale * latent[:, size:]
        return out


class LookAheadPolicy(MaskableActorCriticPolicy):
    """A policy whose logits begin as those of a look ahead."""

    mlp_extractor: HeadsPastLooks

    def _build_mlp_extractor(self) -> None:
        assert isinstance(self.action_space, gymnasium.spaces.Discrete)
        self.mlp_extractor = HeadsPastLooks(
            self.features_dim,
            int(self.action_space.n),
            net_arch=self.net_arch,
            activation_fn=self.activation_fn,
            device=self.device,
        )

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        looks = self.mlp_extractor.looks
        self.action_net = LogitsPastLooks(self.mlp_extractor.latent_dim_pi - looks, looks)
        self.action_net.apply(partial(self.init_weights, gain=0.01))
        # The one that was made holds the layer that was replaced.
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def policy_class(network: Network) -> type[MaskableActorCriticPolicy]:
    """What MaskablePPO makes ``network`` of, with :func:`policy_arguments`."""
    return LookAheadPolicy if network.look_ahead else MaskableActorCriticPolicy


def policy_arguments(network: Network) -> dict[str, Any]:
    """``policy_kwargs`` with which MaskablePPO builds ``network``."""
    return {
        "net_arch": {"pi": list(network.policy), "vf": list(network.value)},
        "activation_fn": _ACTIVATIONS[network.activation],
        "features_extractor_class": SharedLayers,
        "features_extractor_kwargs": {"network": network},
    }


def parameters(policy: MaskableActorCriticPolicy, network: Network) -> dict[str, nn.Parameter]:
    """The parameters of ``policy`` by the names of ``network.shapes()``."""
    found = dict(policy.named_parameters())
    bodies = {"policy": ("mlp_extractor.policy_net", "action_net"), "value": ("mlp_extractor.value_net", "value_net")}
    groups = [group.name for group in network.groups]
    named = {}
    for name in network.shapes():
        if name.startswith("embed."):
            group, kind = name.removeprefix("embed.").rsplit(".", 1)
            place = f"features_extractor.embeddings.{groups.index(group)}"
            named[name] = found[f"{place}.linear.weight" if kind == "weight" else f"{place}.bias"]
            continue
        if name == "look.scale":
            named[name] = found["action_net.scale"]
            continue
        part, layer, kind = name.split(".")
        # A hidden layer and its activation are two modules of a Sequential.
        if part == "shared":
            inside = f"features_extractor.layers.{2 * int(layer)}"
        elif int(layer) < len(getattr(network, part)):
            inside = f"{bodies[part][0]}.{2 * int(layer)}"
        else:
            inside = bodies[part][1] + (".linear" if network.look_ahead and part == "policy" else "")
        named[name] = found[f"{inside}.{kind}"]
    return named


def weights_of(policy: MaskableActorCriticPolicy, network: Network) -> dict[str, np.ndarray]:
    """Views of the weights: they change as ``policy`` is trained."""
    return {name: parameter.detach().numpy() for name, parameter in parameters(policy, network).items()}


def set_weights(policy: MaskableActorCriticPolicy, network: Network, weights: Mapping[str, np.ndarray]) -> None:
    """Copy ``weights`` into ``policy``."""
    with torch.no_grad():
        for name, parameter in parameters(policy, network).items():
            parameter.copy_(torch.from_numpy(weights[name]))
