"""What the game's own ``value`` says of each legal action, for a network to read beside the observation.

A network with ``look_ahead`` begins as ``greedy`` plays, nearly, and learns by how much to differ (residual policy
learning, Silver et al. 2018): it adds its own logits to those that these columns make.
"""

from __future__ import annotations

import numpy as np

from agents.greedy import valuer, values_after
from northsea_envs.agent import Decisions
from northsea_envs.game import Game
from northsea_envs.jit import compiled

# A value this far below the best is as bad as any; most legal actions lie within some hundredths.
RANGE = 0.04
# What the worst action's logit is below the best one's before anything is learnt.
SCALE = 8.0


def width(actions: int) -> int:
    """How many columns stand for so many actions: one for each, and one for the best of them."""
    return actions + 1


@compiled
def columns_of(values, columns):
    """Fill ``columns``, float32 (width(actions),), from the ``values`` of one decision's actions, -1 where illegal.

    An action's column is (its value - the highest) / RANGE, at least -1, and -1 where illegal; the last is the highest.
    """
    best = 0.0
    for action in range(len(values)):
        best = max(best, values[action])
    for action in range(len(values)):
        columns[action] = max((values[action] - best) / RANGE, -1.0) if values[action] >= 0.0 else -1.0
    columns[len(values)] = best


@compiled
def _fill(values, columns):
    for k in range(len(values)):
        columns_of(values[k], columns[k])


class LookAhead:
    """The columns for many decisions.

    Args:
        game: the game.
        tables: its tables, with the weights to value by.
    """

    def __init__(self, game: Game, tables: np.ndarray):
        self.tables = tables
        self._values = valuer(game)

    def columns(self, decisions: Decisions) -> np.ndarray:
        """float32 (n, width(actions)), each -1 .. 1: all actions of a decision are tried in one game drawn for it."""
        n, actions = decisions.masks.shape
        columns = np.empty((n, width(actions)), np.float32)
        _fill(values_after(self._values, self.tables, decisions), columns)
        return columns

    def beside(self, observations: np.ndarray, decisions: Decisions) -> np.ndarray:
        """``observations`` (n, size) of ``decisions``, and the columns after them."""
        return np.concatenate([observations, self.columns(decisions)], 1)
