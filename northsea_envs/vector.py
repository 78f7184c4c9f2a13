"""Many games of one kind at once, one numpy batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from northsea_envs.agent import Decisions
from northsea_envs.game import Game, check_seed
from northsea_envs.jit import compiled, mix_seed


@compiled
def _mix_seeds(seeds, numbers, out):
    for k in range(len(out)):
        out[k] = mix_seed(seeds[k], numbers[k])


class Results(NamedTuple):
    """How games ended, or stand, row by row.

    Attributes:
        scores: float64 (n, players), by the game's own count.
        ranks: int64 (n, players), places from 1, ties shared.
        truncated: bool (n,), whether a game that is over was cut short by a limit on its length.
    """

    scores: np.ndarray
    ranks: np.ndarray
    truncated: np.ndarray


class GameBatch:
    """``len(seeds)`` games at the same number of players, stepped together.

    Rows are independent: a row's game depends on its seed and actions alone. All arrays belong to the batch and are
    overwritten by :meth:`step` and :meth:`restart`.

    Attributes:
        states: structured array (n,), the records.
        deciders: int8 (n,), the deciding seat, -1 where the game is over.
        legal: int8 (n, actions), what the decider may do.
        observations: float32 (n, size), from the decider's seat; written only where ``want[row, decider]`` is set.
        want: uint8 (n, players), seats whose observations are wanted; all by default.
        seeds: int64 (n,), the seed of each running game.
        decisions_made: int64 (n,), decisions since each game began.
    """

    def __init__(self, game: Game, players: int, seeds: np.ndarray, options: Mapping[str, Any] = {}):
        self.game = game
        self.players = game.check_players(players)
        self._options = game.option_codes(players, options)
        n = len(seeds)
        self.states = np.zeros(n, game.state_dtype)
        self.deciders = np.full(n, -1, np.int8)
        self.legal = np.zeros((n, game.num_actions(players)), np.int8)
        self.observations = np.zeros((n, game.observation_size(players)), np.float32)
        self.want = np.ones((n, players), np.uint8)
        self.seeds = np.zeros(n, np.int64)
        self.decisions_made = np.zeros(n, np.int64)
        self.restart(np.arange(n), seeds)

    def __len__(self) -> int:
        return len(self.states)

    def restart(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Begin new games in ``rows`` (int64), one from each of ``seeds``."""
        rows = np.asarray(rows, np.int64)
        self.seeds[rows] = [check_seed(seed) for seed in seeds]
        self.decisions_made[rows] = 0
        self.game.kernels.begin_many(
            self.game.tables,
            self.states,
            rows,
            self.players,
            self._options,
            self.seeds[rows],
            self.deciders,
            self.legal,
            self.observations,
            self.want,
        )

    def step(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Play ``actions[k]`` in game ``rows[k]``; the rows must differ.

        Raises:
            ValueError: an action is not legal; then no game has changed.
        """
        rows = np.asarray(rows, np.int64)
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu" or actions.shape != rows.shape:
            raise ValueError(f"actions must be integers of shape {rows.shape}, not {actions.dtype} {actions.shape}")
        bad = self.game.kernels.step_many(
            self.game.tables,
            self.states,
            rows,
            actions.astype(np.int64),
            self.deciders,
            self.legal,
            self.observations,
            self.want,
        )
        if bad >= 0:
            row = int(rows[bad])
            if self.deciders[row] < 0:
                raise ValueError(f"game {row} is over; restart it before the next action")
            legal = np.flatnonzero(self.legal[row]).tolist()
            raise ValueError(f"action {actions[bad]} is not legal in game {row}; legal: {legal}")
        self.decisions_made[rows] += 1

    def decisions(self, rows: np.ndarray, salt: int = 0, observed: bool = True) -> Decisions:
        """The decisions now waiting in ``rows``, for an agent, with observations if ``observed``.

        ``salt`` (0 or more) goes into the seeds: it tells the agents at one table apart.
        """
        rows = np.asarray(rows, np.int64)
        seeds = np.empty(len(rows), np.int64)
        _mix_seeds(self.seeds[rows], self.decisions_made[rows] + (np.int64(salt + 1) << 32), seeds)
        return Decisions(
            self.game,
            self.players,
            self.observations[rows] if observed else np.empty((len(rows), 0), np.float32),
            self.legal[rows],
            self.deciders[rows].astype(np.int64),
            seeds,
            self.states,
            rows,
        )

    def results(self, rows: np.ndarray) -> Results:
        """How the games in ``rows`` stand; new arrays."""
        scores = np.empty((len(rows), self.players))
        ranks = np.empty((len(rows), self.players), np.int64)
        truncated = np.empty(len(rows), bool)
        for k, row in enumerate(rows):
            truncated[k] = self.game.kernels.result(self.game.tables, self.states, int(row), scores[k], ranks[k])
        return Results(scores, ranks, truncated)
