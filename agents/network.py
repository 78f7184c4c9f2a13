"""The network of a policy inside stable-baselines3: built from a :class:`Network`, weights out and in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from agents.policy import Network

_ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}


class SharedLayers(BaseFeaturesExtractor):
    """The hidden layers that both heads use; none where ``sizes`` is empty."""

    def __init__(self, observation_space: gymnasium.spaces.Box, sizes: tuple[int, ...], activation: type[nn.Module]):
        ins = (observation_space.shape[0], *sizes)
        super().__init__(observation_space, ins[-1])
        layers: list[nn.Module] = []
        for layer, size in enumerate(sizes):
            layers += [nn.Linear(ins[layer], size), activation()]
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.layers(observations)
        return out


def policy_arguments(network: Network) -> dict[str, Any]:
    """``policy_kwargs`` with which MaskablePPO builds ``network``."""
    activation = _ACTIVATIONS[network.activation]
    return {
        "net_arch": {"pi": list(network.policy), "vf": list(network.value)},
        "activation_fn": activation,
        "features_extractor_class": SharedLayers,
        "features_extractor_kwargs": {"sizes": network.shared, "activation": activation},
    }


def parameters(policy: MaskableActorCriticPolicy, network: Network) -> dict[str, nn.Parameter]:
    """The parameters of ``policy`` by the names of ``network.shapes()``."""
    found = dict(policy.named_parameters())
    bodies = {"policy": ("mlp_extractor.policy_net", "action_net"), "value": ("mlp_extractor.value_net", "value_net")}
    named = {}
    for name in network.shapes():
        part, layer, kind = name.split(".")
        # A hidden layer and its activation are two modules of a Sequential.
        if part == "shared":
            inside = f"features_extractor.layers.{2 * int(layer)}"
        elif int(layer) < len(getattr(network, part)):
            inside = f"{bodies[part][0]}.{2 * int(layer)}"
        else:
            inside = bodies[part][1]
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
