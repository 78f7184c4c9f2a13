"""Endgames small enough to be worked out completely: what every action of a position is worth, by trying everything."""

from __future__ import annotations

from collections import deque

import numpy as np

from northsea_envs.agent import make_agent
from northsea_envs.game import Game
from northsea_envs.vector import GameBatch
from tests.conftest import mask_of


class TooManyError(Exception):
    """More positions than were allowed."""


def share(game: Game, states: np.ndarray, players: int) -> np.ndarray:
    """What a finished game brings each seat: first 1, last 0, evenly between, ties shared."""
    ranks = np.zeros(players, np.int64)
    game.kernels.result(game.tables, states, 0, np.zeros(players), ranks)
    behind = (ranks[:, None] < ranks).sum(axis=1)
    level = (ranks[:, None] == ranks).sum(axis=1) - 1
    return (behind + level / 2) / (players - 1)


class Solver:
    """Every seat plays its best for itself, in one game whose hidden cards and chance are as its record has them."""

    def __init__(self, game: Game, players: int, most: int):
        self.game, self.players, self.left = game, players, most

    def worth(self, states: np.ndarray) -> dict[int, np.ndarray]:
        """Every legal action's worth for all seats; empty where the game is over. Raises TooManyError."""
        _, mask = mask_of(self.game, self.players, states)
        return {int(action): self._after(states, int(action)) for action in np.flatnonzero(mask)}

    def _after(self, states: np.ndarray, action: int) -> np.ndarray:
        self.left -= 1
        if self.left < 0:
            raise TooManyError
        states = states.copy()
        legal = np.zeros(self.game.num_actions(self.players), np.int8)
        seat = self.game.kernels.play(self.game.tables, states, 0, action, legal)
        if seat < 0:
            return share(self.game, states, self.players)
        return max(self.worth(states).values(), key=lambda worth: worth[seat])


def worked_out(game: Game, states: np.ndarray, most: int, draws: int) -> set[int]:
    """The best actions of a position; empty where all are alike, it is too large, or something hidden bears on it.

    It is worked out in ``draws`` games that look the same to the deciding seat: what every action is worth to it must
    be the same in each.
    """
    players = int(states[0].players)
    seat, _ = mask_of(game, players, states)
    known: dict[int, float] = {}
    for draw in range(draws):
        drawn = states.copy()
        game.kernels.redraw(game.tables, drawn, 0, seat, draw)
        try:
            worth = Solver(game, players, most).worth(drawn)
        except TooManyError:
            return set()
        answer = {action: float(result[seat]) for action, result in worth.items()}
        if len(set(answer.values())) == 1 or answer != (known or answer):
            return set()
        known = answer
    return {action for action, value in known.items() if value == max(known.values())}


def endgames(
    game: Game, players: int, games: int, last: int, most: int = 300, draws: int = 6
) -> list[tuple[np.ndarray, set[int]]]:
    """Of the ``last`` decisions of greedy games those that are :func:`worked_out`, with their best actions."""
    batch = GameBatch(game, players, np.arange(games))
    agent = make_agent("greedy", game, players)
    kept: list[deque[np.ndarray]] = [deque(maxlen=last) for _ in range(games)]
    while len(rows := np.flatnonzero(batch.deciders >= 0)):
        for row in rows:
            kept[row].append(batch.states[row : row + 1].copy())
        batch.step(rows, agent.act(batch.decisions(rows, observed=False)))
    found = ((states, worked_out(game, states, most, draws)) for ends in kept for states in ends)
    return [(states, best) for states, best in found if best]
