"""Greedy play: of all legal actions the one after which the position looks best. One file for all games."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from northsea_envs.agent import Decisions, register_agent
from northsea_envs.game import Game
from northsea_envs.jit import compiled, mix_seed, random_below, random_seed


@cache
def _chooser(game: Game) -> Callable:
    """The compiled loop of :class:`GreedyAgent` for one game."""
    play, value_of = game.kernels.play, game.value

    @compiled
    def choose(tables, drawn, masks, seats, seeds, actions):
        rng = np.empty(4, np.uint32)
        scratch = np.zeros_like(drawn[:1])
        legal = np.zeros(masks.shape[1], np.int8)
        for k in range(len(seats)):
            # Mixed, so that ties do not follow the numbers that the drawn game will use.
            random_seed(rng, mix_seed(seeds[k], 1))
            best = -1.0
            tied = 0
            for action in range(masks.shape[1]):
                if masks[k, action] == 0:
                    continue
                scratch[0] = drawn[k]
                play(tables, scratch, 0, action, legal)
                looks = value_of(tables[0], scratch[0], seats[k])
                if looks > best:
                    best = looks
                    tied = 1
                    actions[k] = action
                elif looks == best:
                    # The n-th of n equals replaces the one held with probability 1 / n: each is chosen equally often.
                    tied += 1
                    if random_below(rng, tied) == 0:
                        actions[k] = action

    return choose


class GreedyAgent:
    """Tries every legal action in one game drawn for the decision, and takes the one of the highest ``game.value``.

    All actions of a decision are tried in the same drawn game, so that they meet the same chance; forced decisions
    that follow are played. ``game.value`` also judges finished games. Ties are broken uniformly by the decision's
    seed.
    """

    needs_observation = False

    def __init__(self, game: Game, players: int):
        self._choose = _chooser(game)

    def act(self, decisions: Decisions) -> np.ndarray:
        """The actions that look best, int64 (n,)."""
        actions = np.empty(len(decisions), np.int64)
        drawn = decisions.draw(decisions.seeds)
        self._choose(decisions.game.tables, drawn, decisions.masks, decisions.seats, decisions.seeds, actions)
        return actions


register_agent("greedy", GreedyAgent)
