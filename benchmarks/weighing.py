"""What benchmarks/tune.py stands on: candidate weights against incumbent ones, and weights fitted to how games end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares

from agents.greedy import GreedyAgent
from agents.match import play_match
from northsea_envs import Game
from northsea_envs.agent import RandomAgent
from northsea_envs.jit import compiled, mix_seed
from northsea_envs.tables import Weight, with_weights
from northsea_envs.vector import GameBatch

# What deals are for: numbers mixed into the seed, so that no deal serves two ends.
SEARCH, TEST, LOOK, FIT, COMPARE = range(1, 6)
# While positions are gathered, one decision in so many is random: they should hold more than greedy meets.
RANDOM_ONE_IN = 12
SAMPLES = 6  # positions of a game, about


# --- candidate against incumbent ------------------------------------------------------------------


def seatings(players: int) -> np.ndarray:
    """0 where the incumbent sits and 1 where the candidate does, int64 (seatings, players).

    They sit alternately. All rotations are played, so that each seat is held equally often and equals get one half.
    """
    alternate = [1 - seat % 2 for seat in range(players)]
    rotations = {tuple(alternate[k:] + alternate[:k]) for k in range(players)}
    return np.array(sorted(rotations), np.int64)


def shares_beaten(ranks: np.ndarray) -> np.ndarray:
    """Share of the other seats that each seat ends ahead of, ties one half; ``ranks`` int64 (n, players)."""
    own, other = ranks[:, :, None], ranks[:, None, :]
    ahead = (own < other) + 0.5 * (own == other)
    # A seat ties with itself.
    return (ahead.sum(axis=2) - 0.5) / (ranks.shape[1] - 1)


def meet(
    game: Game, players: int, candidate: Sequence[float], incumbent: Sequence[float], seeds: Sequence[int]
) -> np.ndarray:
    """What the candidate's weights get against the incumbent's; float64 (deals,), one half among equals.

    Args:
        game: the game.
        players: number of seats.
        candidate: weights in the order of ``game.weights``.
        incumbent: the same of the other side.
        seeds: one a deal; each is played in every seating of :func:`seatings`.
    """
    agents = {
        "incumbent": GreedyAgent(game, players, weights=incumbent),
        "candidate": GreedyAgent(game, players, weights=candidate),
    }
    seats = seatings(players)
    lineups = np.tile(seats, (len(seeds), 1))
    result = play_match(game, players, agents, lineups, np.repeat(np.asarray(seeds, np.int64), len(seats)))
    shares = shares_beaten(result.ranks)
    own = (shares * lineups).sum(axis=1) / lineups.sum(axis=1)
    return own.reshape(len(seeds), len(seats)).mean(axis=1)


def deal_seeds(seed: int, purpose: int, number: int, deals: int) -> list[int]:
    """Seeds of so many deals, different for each purpose and number."""
    first = mix_seed(mix_seed(seed, purpose), number)
    return [int(mix_seed(first, deal)) for deal in range(deals)]


def meet_all(
    game: Game, counts: Sequence[int], candidate: Sequence[float], incumbent: Sequence[float], seeds: Sequence[int]
) -> np.ndarray:
    """As :func:`meet` at each number of players in ``counts``; float64 (deals, counts)."""
    return np.stack([meet(game, players, candidate, incumbent, seeds) for players in counts], axis=1)


def mean_shares(
    game: Game, counts: Sequence[int], incumbent: np.ndarray, seeds: Sequence[int], candidate: np.ndarray
) -> np.ndarray:
    """What a candidate gets at each number of players; float64 (counts,)."""
    return meet_all(game, counts, candidate, incumbent, seeds).mean(axis=0)


# --- which weights --------------------------------------------------------------------------------


def weights_that_matter(game: Game, counts: Sequence[int], weights: Sequence[Weight], seed: int) -> set[str]:
    """Names of those that ever change a choice of greedy where they alone are at an end of their range.

    Those of another variant do not, and a search would let them drift. Every fifth decision of 16 games is looked at.
    """
    now = np.array([weight.value for weight in weights])
    found: set[str] = set()
    for players in counts:
        batch = GameBatch(game, players, np.array(deal_seeds(seed, LOOK, players, 16)))
        batch.want[:] = 0
        incumbent = GreedyAgent(game, players, weights=now)
        others = [
            (weight.name, GreedyAgent(game, players, weights=np.where(np.arange(len(now)) == k, end, now)))
            for k, weight in enumerate(weights)
            for end in (weight.low, weight.high)
        ]
        number = 0
        while len(rows := np.flatnonzero(batch.deciders >= 0)):
            decisions = batch.decisions(rows, observed=False)
            actions = incumbent.act(decisions)
            if number % 5 == 0:
                for name, agent in others:
                    if name not in found and (agent.act(decisions) != actions).any():
                        found.add(name)
            batch.step(rows, actions)
            number += 1
    return found


class Scale(NamedTuple):
    """Between weights and the coordinates of the search, which are 0 at each weight's low and 1 at its high.

    Attributes:
        start: float64 (n,), all weights of the game as they are.
        tuned: int64 (k,), the indices of those that are sought.
        low: float64 (k,), their lowest values.
        high: float64 (k,), their highest.
    """

    start: np.ndarray
    tuned: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def point(self, weights: np.ndarray) -> np.ndarray:
        """Coordinates (k,) of a full set of weights (n,)."""
        return (weights[self.tuned] - self.low) / (self.high - self.low)

    def weights(self, point: np.ndarray) -> np.ndarray:
        """The full set of weights (n,) at coordinates (k,), the others as they are."""
        weights = self.start.copy()
        weights[self.tuned] = np.clip(self.low + np.asarray(point) * (self.high - self.low), self.low, self.high)
        return weights


def scale_of(weights: Sequence[Weight], names: set[str]) -> Scale:
    """The scale in which the weights called ``names`` are sought."""
    tuned = [k for k, weight in enumerate(weights) if weight.name in names]
    return Scale(
        np.array([weight.value for weight in weights]),
        np.array(tuned, np.int64),
        np.array([weights[k].low for k in tuned]),
        np.array([weights[k].high for k in tuned]),
    )


# --- outcomes -------------------------------------------------------------------------------------


class Positions(NamedTuple):
    """Positions right after a decision, and how those games ended for whom decided.

    Attributes:
        states: structured array (n,) of the game's ``state_dtype``.
        seats: int64 (n,), who had decided.
        results: float64 (n,), the share of the other seats that it ended ahead of.
    """

    states: np.ndarray
    seats: np.ndarray
    results: np.ndarray


def gather(game: Game, players: int, weights: np.ndarray, games: int, seed: int) -> Positions:
    """Positions of so many games in which greedy with ``weights`` holds all seats."""
    rng = np.random.default_rng(seed)
    batch = GameBatch(game, players, np.array(deal_seeds(seed, FIT, players, games)))
    batch.want[:] = 0
    greedy, random = GreedyAgent(game, players, weights=weights), RandomAgent(game, players)
    # How many positions of a game have been passed is known only at its end: a reservoir holds a fair sample.
    kept = np.empty((games, SAMPLES), game.state_dtype)
    seats = np.zeros((games, SAMPLES), np.int64)
    passed = np.zeros(games, np.int64)
    while len(rows := np.flatnonzero(batch.deciders >= 0)):
        decisions = batch.decisions(rows, observed=False)
        is_random = rng.random(len(rows)) < 1 / RANDOM_ONE_IN
        deciders = batch.deciders[rows].astype(np.int64)
        batch.step(rows, np.where(is_random, random.act(decisions), greedy.act(decisions)))
        running = batch.deciders[rows] >= 0
        rows, deciders = rows[running], deciders[running]
        places = np.where(passed[rows] < SAMPLES, passed[rows], rng.integers(0, passed[rows] + 1))
        passed[rows] += 1
        taken = places < SAMPLES
        kept[rows[taken], places[taken]] = batch.states[rows[taken]]
        seats[rows[taken], places[taken]] = deciders[taken]
    held = np.arange(SAMPLES) < passed[:, None]
    shares = shares_beaten(batch.results(np.arange(games)).ranks)
    return Positions(kept[held], seats[held], np.take_along_axis(shares, seats, axis=1)[held])


@cache
def _valuer(game: Game) -> Callable:
    """The compiled loop that values many positions."""
    value_of = game.value

    @compiled
    def values(tables, states, seats, out):
        for k in range(len(seats)):
            out[k] = value_of(tables[0], states[k], seats[k])

    return values


def values(game: Game, weights: np.ndarray, positions: Positions) -> np.ndarray:
    """What ``game.value`` with these weights says; float64 (n,)."""
    out = np.empty(len(positions.seats))
    _valuer(game)(with_weights(game.tables, weights), positions.states, positions.seats, out)
    return out


def fit(game: Game, samples: Sequence[Positions], scale: Scale, begin: np.ndarray, ridge: float) -> np.ndarray:
    """The weights (n,) by which ``value`` foretells results best: least squares, each of ``samples`` counting alike.

    ``ridge`` is what going from one end of all ranges to the other costs, in mean squared error.
    """
    home = scale.point(scale.start)

    def misses(point: np.ndarray) -> np.ndarray:
        weights = scale.weights(point)
        by_sample = [
            (values(game, weights, sample) - sample.results) / np.sqrt(len(sample.seats) * len(samples))
            for sample in samples
        ]
        return np.concatenate([*by_sample, np.sqrt(ridge / len(home)) * (point - home)])

    # The method keeps off the bounds, and begins inside; steps of a fiftieth see past the kinks of value.
    inside = np.clip(scale.point(begin), 1e-3, 1 - 1e-3)
    found = least_squares(misses, inside, bounds=(0, 1), diff_step=0.02, max_nfev=8)
    return scale.weights(found.x)
