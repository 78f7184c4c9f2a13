"""Greedy play: of all legal actions the one after which the position looks best. One file for all games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from northsea_envs.agent import AgentError, Decisions, register_agent
from northsea_envs.game import Game
from northsea_envs.jit import compiled, mix_seed, random_below, random_seed
from northsea_envs.tables import WEIGHTS_FILE, read_weights, with_weights


@cache
def valuer(game: Game) -> Callable:
    """A compiled function, for :func:`values_after`: what ``game.value`` says after each legal action.

    ``values(tables, drawn, masks, seats, out)`` fills ``out``, float64 (n, actions), for the records ``drawn`` (n,), in
    which ``seats`` decide: the value after the action and the forced decisions that follow, 0 .. 1, and -1 where
    ``masks`` has 0.
    """
    play, value_of = game.kernels.play, game.value

    @compiled
    def values(tables, drawn, masks, seats, out):
        scratch = np.zeros_like(drawn[:1])
        legal = np.zeros(masks.shape[1], np.int8)
        for k in range(len(seats)):
            for action in range(masks.shape[1]):
                out[k, action] = -1.0
                if masks[k, action]:
                    scratch[0] = drawn[k]
                    play(tables, scratch, 0, action, legal)
                    out[k, action] = value_of(tables[0], scratch[0], seats[k])

    return values


def values_after(values: Callable, tables: np.ndarray, decisions: Decisions) -> np.ndarray:
    """What looks how good after each action, float64 (n, actions): 0 .. 1, and -1 where it is not legal.

    All actions of a decision are tried in one game drawn for it, so that they meet the same chance.

    Args:
        values: :func:`valuer` of the game.
        tables: the game's, with the weights to value by.
        decisions: the batch.
    """
    out = np.empty(decisions.masks.shape)
    values(tables, decisions.draw(decisions.seeds), decisions.masks, decisions.seats, out)
    return out


@compiled
def _take_highest(values, seeds, actions):
    rng = np.empty(4, np.uint32)
    for k in range(len(seeds)):
        # Mixed, so that ties do not follow the seed that the game was drawn by.
        random_seed(rng, mix_seed(seeds[k], 1))
        best = -1.0
        tied = 0
        for action in range(values.shape[1]):
            looks = values[k, action]
            if looks < 0.0:
                continue
            if looks > best:
                best = looks
                tied = 1
                actions[k] = action
            elif looks == best:
                # The n-th of n equals replaces the one held with probability 1 / n: each is chosen equally often.
                tied += 1
                if random_below(rng, tied) == 0:
                    actions[k] = action


class GreedyAgent:
    """Tries every legal action in one game drawn for the decision, and takes the one of the highest ``game.value``.

    All actions of a decision are tried in the same drawn game, so that they meet the same chance; forced decisions
    that follow are played. ``game.value`` also judges finished games. Ties are broken uniformly by the decision's
    seed.

    Args:
        game: the game that it will play.
        players: number of seats.
        weights: what ``game.value`` weighs by, in the order of ``game.weights``; or a CSV file such as the game's
            ``tables/value.csv``, or a folder that holds a ``value.csv``. None for the weights of the game itself.

    Raises:
        AgentError: the weights cannot be read, or are not those of the game.
    """

    needs_observation = False

    def __init__(self, game: Game, players: int, weights: Sequence[float] | np.ndarray | str | Path | None = None):
        self._values = valuer(game)
        self._tables = None if weights is None else _weighed(game, weights)

    def act(self, decisions: Decisions) -> np.ndarray:
        """The actions that look best, int64 (n,)."""
        actions = np.empty(len(decisions), np.int64)
        tables = decisions.game.tables if self._tables is None else self._tables
        _take_highest(values_after(self._values, tables, decisions), decisions.seeds, actions)
        return actions


def _weighed(game: Game, source: Sequence[float] | np.ndarray | str | Path) -> np.ndarray:
    """The tables of ``game`` with the weights that ``source`` holds or names."""
    try:
        if isinstance(source, str | Path):
            path = Path(source)
            folder, file = (path, WEIGHTS_FILE) if path.is_dir() else (path.parent, path.name)
            source = [weight.value for weight in read_weights(folder, game.weights, file)]
        return with_weights(game.tables, source)
    except ValueError as error:
        raise AgentError(f"weights of greedy for {game.id}: {error}") from error


register_agent("greedy", GreedyAgent)
