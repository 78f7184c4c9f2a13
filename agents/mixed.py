"""One learner at tables of several sizes, as a stable-baselines3 ``VecEnv``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from agents.layout import Fit, Layout
from agents.learner import Rows, SelfPlayVecEnv, input_space
from northsea_envs.jit import mix_seed


def share_out(rows: int, counts: Sequence[int]) -> dict[int, int]:
    """How many of ``rows`` games are played at each number of players: as many of each, the first one more if need."""
    each, more = divmod(rows, len(counts))
    return {count: each + (k < more) for k, count in enumerate(counts)}


class MixedVecEnv(Rows):
    """The rows of several :class:`SelfPlayVecEnv`, each at another number of players, behind one another.

    Observations, masks and actions are those of the layout; each part's own are fitted into it.

    Args:
        layout: with room for every part.
        parts: an environment for each of ``layout.counts``, in that order; either all look ahead or none does.

    Raises:
        ValueError: the parts are not these.
    """

    def __init__(self, layout: Layout, parts: Sequence[SelfPlayVecEnv]):
        if tuple(part.players for part in parts) != layout.counts or len(parts) < 2:
            raise ValueError(f"there must be one part for each of {layout.counts}, several in all")
        self.layout = layout
        self.parts = tuple(parts)
        looks_ahead = parts[0].look_ahead is not None
        fits = [layout.fit(part.players, looks_ahead) for part in parts]
        self._fits: list[Fit] = [fit for fit in fits if fit is not None]
        ends = np.cumsum([part.num_envs for part in parts])
        self._slices = [slice(end - part.num_envs, end) for end, part in zip(ends.tolist(), parts, strict=True)]
        self.render_mode = None
        space = input_space(layout, looks_ahead)
        super().__init__(int(ends[-1]), space, gymnasium.spaces.Discrete(layout.num_actions))

    @property
    def shaping(self) -> float:
        """Weight of the potential-based reward, in all parts alike."""
        return self.parts[0].shaping

    @shaping.setter
    def shaping(self, weight: float) -> None:
        for part in self.parts:
            part.shaping = weight

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Begin the rows' sequences of games anew at the next reset; None draws seeds."""
        return [
            row for part in self.parts for row in part.seed(None if seed is None else int(mix_seed(seed, part.players)))
        ]

    def reset(self) -> np.ndarray:
        """As in each part, in the layout; float32 (n, size)."""
        self._reset_seeds()
        self._reset_options()
        return self._together([part.reset() for part in self.parts])

    def _together(self, observations: Sequence[np.ndarray]) -> np.ndarray:
        return np.concatenate([fit.inputs(seen) for fit, seen in zip(self._fits, observations, strict=True)])

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learner's actions, int (n,), numbered as in the layout.

        Raises:
            ValueError: an action is not legal; then no game has changed.
        """
        # All are looked at before a part plays.
        masks = self.action_masks()
        bad = np.flatnonzero(~masks[np.arange(self.num_envs), actions])
        if len(bad):
            row = int(bad[0])
            legal = np.flatnonzero(masks[row]).tolist()
            raise ValueError(f"action {actions[row]} is not legal in game {row}; legal: {legal}")
        for part, fit, rows in zip(self.parts, self._fits, self._slices, strict=True):
            part.step_async(fit.numbers[actions[rows]])

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """As in each part, in the layout; infos have ``players`` at the end of a game."""
        seen, rewards, dones, infos = zip(*(part.step_wait() for part in self.parts), strict=True)
        together = []
        for part, fit, part_infos in zip(self.parts, self._fits, infos, strict=True):
            for info in part_infos:
                if "terminal_observation" in info:
                    last = fit.inputs(info["terminal_observation"][None])[0]
                    info = {**info, "terminal_observation": last, "players": part.players}
                together.append(info)
        return self._together(seen), np.concatenate(rewards), np.concatenate(dones), together

    def action_masks(self) -> np.ndarray:
        """What the learner may do, bool (n, actions of the layout)."""
        return np.concatenate(
            [fit.masks(part.action_masks()) for fit, part in zip(self._fits, self.parts, strict=True)]
        )

    def running(self) -> dict[str, np.ndarray]:
        """The games in progress as plain arrays, for :meth:`restore`, by names such as ``4p.states``."""
        return {f"{part.players}p.{key}": array for part in self.parts for key, array in part.running().items()}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """Go on with the games that :meth:`running` gave; returns their observations, as :meth:`reset` does.

        Raises:
            ValueError: arrays are of other shapes, or hold no games that can go on.
        """
        seen = []
        for part in self.parts:
            start = f"{part.players}p."
            own = {key.removeprefix(start): array for key, array in arrays.items() if key.startswith(start)}
            seen.append(part.restore(own))
        return self._together(seen)
