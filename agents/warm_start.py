"""Learning from a teacher before reinforcement learning: imitate its decisions, and predict how its games end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.layout import Fit
from northsea_envs.agent import Agent, Decisions, RandomAgent
from northsea_envs.game import Game
from northsea_envs.jit import mix_seed
from northsea_envs.vector import GameBatch


@dataclass(frozen=True)
class Lessons:
    """``n`` decisions of a teacher.

    Attributes:
        inputs: float32 (n, size), what the learner's network reads.
        masks: bool (n, actions).
        actions: int64 (n,), what the teacher chose.
        returns: float32 (n,), the deciding seat's reward at the end of its game.
    """

    inputs: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    returns: np.ndarray

    def fitted(self, fit: Fit) -> Lessons:
        """The same in the layout of a network for several numbers of players."""
        return Lessons(fit.inputs(self.inputs), fit.masks(self.masks), fit.actions[self.actions], self.returns)


def together(parts: Sequence[Lessons]) -> Lessons:
    """The lessons of all parts, of which one is given back as it is."""
    if len(parts) == 1:
        return parts[0]
    return Lessons(
        np.concatenate([part.inputs for part in parts]),
        np.concatenate([part.masks for part in parts]),
        np.concatenate([part.actions for part in parts]),
        np.concatenate([part.returns for part in parts]),
    )


def collect(
    game: Game,
    players: int,
    teacher: Agent,
    seeds: np.ndarray,
    epsilon: float,
    reward: str,
    options: dict[str, object],
    see: Callable[[Decisions], np.ndarray],
) -> Lessons:
    """Play one game from each of ``seeds`` (int64), the teacher at every seat, and note every decision.

    With probability ``epsilon`` a random legal action is played in place of the teacher's, which is noted all the
    same: so the lessons also show how to go on from positions into which the teacher would not get.

    Args:
        game: the game.
        players: number of seats.
        teacher: who is imitated.
        seeds: one a game.
        epsilon: 0 .. 1.
        reward: what the seats receive at the end of a game, ``"rank"``, ``"win"`` or ``"score"``.
        options: the game's options.
        see: what the learner reads for a batch of decisions.
    """
    batch = GameBatch(game, players, seeds, options, reward)
    wanderer = RandomAgent(game, players)
    lots = np.random.default_rng(np.asarray(seeds, np.uint64))
    inputs, masks, actions, games, seats = [], [], [], [], []
    while len(rows := np.flatnonzero(batch.deciders >= 0)):
        decisions = batch.decisions(rows)
        chosen = teacher.act(decisions)
        inputs.append(see(decisions))
        masks.append(decisions.masks.astype(bool))
        actions.append(chosen)
        games.append(rows)
        seats.append(decisions.seats)
        wanders = lots.random(len(rows)) < epsilon
        batch.step(rows, np.where(wanders, wanderer.act(batch.decisions(rows, salt=1, observed=False)), chosen))
    return Lessons(
        np.concatenate(inputs),
        np.concatenate(masks),
        np.concatenate(actions),
        batch.arrays.rewards[np.concatenate(games), np.concatenate(seats)],
    )


def lesson_seeds(seed: int, games: int, at_once: int) -> Iterator[np.ndarray]:
    """Seeds of ``games`` games in parts of at most ``at_once``, int64."""
    seeds = np.array([mix_seed(seed, number) for number in range(games)], np.int64)
    for start in range(0, games, at_once):
        yield seeds[start : start + at_once]


def study(
    policy: MaskableActorCriticPolicy,
    optimizer: torch.optim.Optimizer,
    lessons: Lessons,
    epochs: int,
    batch_size: int,
    value_weight: float,
) -> tuple[float, float]:
    """Train ``policy`` on ``lessons``: cross-entropy on the legal actions, squared error of the value.

    Returns:
        Cross-entropy (nats) and mean squared error of the value, both over the last pass.
    """
    policy.set_training_mode(True)
    entropy = squared = 0.0
    for _ in range(epochs):
        entropy = squared = 0.0
        order = torch.randperm(len(lessons.actions)).numpy()
        for start in range(0, len(order), batch_size):
            part = order[start : start + batch_size]
            inputs = torch.from_numpy(lessons.inputs[part])
            actions = torch.from_numpy(lessons.actions[part])
            latent_policy, latent_value = policy.mlp_extractor(policy.extract_features(inputs))
            # The policy's own evaluate_actions builds distributions and entropies that are not needed here.
            logits = policy.action_net(latent_policy).masked_fill(~torch.from_numpy(lessons.masks[part]), -torch.inf)
            log_probabilities = torch.log_softmax(logits, 1).gather(1, actions[:, None])
            values = policy.value_net(latent_value)
            errors = torch.square(values.flatten() - torch.from_numpy(lessons.returns[part]))
            loss = value_weight * errors.mean() - log_probabilities.mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimizer.step()
            entropy -= float(log_probabilities.detach().sum())
            squared += float(errors.detach().sum())
    return entropy / len(order), squared / len(order)
