"""Ratings from full rankings: the Plackett-Luce model by maximum likelihood, with bootstrap intervals over whole deals.

Every seat of a game has the strength of the agent that holds it. The model fills the places from the first on: the
next place goes to one of the seats left with a probability in proportion to their strengths. A tie counts as every
order of the tied seats, all equally. Where all seats left belong to one agent nothing is learned, and nothing counted.
Beside what was played, each two agents that met are given one tied game between them: it keeps the ratings of agents
that never lost or never won finite, and weighs nothing among hundreds of games.

Ratings are 400 / ln 10 times the logarithm of strengths, as with Elo: 400 points are odds of ten to one of being ahead.

Libraries that fit the model (choix was looked at) take neither weights, without which a thousand fits of ten thousand
games last for hours, nor one agent in two seats of a game. Here the likelihood, over counts of equal choices, is handed
to scipy's optimiser, for all bootstrap samples at once; the tests compare it with choix where choix can say something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from agents.match import MatchResult
from agents.summary import TAIL, Estimate, estimate_bounded_mean

if TYPE_CHECKING:
    from scipy import sparse

POINTS = 400 / np.log(10)
RESAMPLES = 1000
ANCHOR = "random"
# Points: bounds closer than this are the same; what is between them is the optimiser's rounding.
SAME = 0.01


@dataclass(frozen=True)
class Rating:
    """One agent's rating, relative to the anchor.

    Attributes:
        points: on the Elo-like scale; the anchor has 0.
        low: lower bound of the 95% interval; None where the games set none, as for an agent that never won, or where
            one deal only was played.
        high: upper bound; None where the games set none, as for an agent that never lost.
        comparisons: pairs of seats, the agent's and another agent's in the same game.
    """

    points: float
    low: float | None
    high: float | None
    comparisons: int


@dataclass(frozen=True)
class Ratings:
    """The ratings of all agents of a tournament.

    Attributes:
        anchor: name of the agent that has 0 points; None where the mean of all has.
        agents: by name, in the order of the tournament.
        resamples: bootstrap samples behind the intervals.
    """

    anchor: str | None
    agents: dict[str, Rating]
    resamples: int

    def ranked(self) -> list[tuple[str, Rating]]:
        """Names and ratings, best first."""
        return sorted(self.agents.items(), key=lambda item: -item[1].points)


@dataclass(frozen=True)
class Choices:
    """Rankings as choices: who got the next place out of which seats.

    Attributes:
        sets: int64 (sets, agents), seats of each agent among those left.
        by_deal: sparse float64 (deals, sets), how often a deal chose out of each set.
        wins: sparse float64 (deals, agents), how often an agent was chosen in a deal.
        ahead: sparse float64 (deals, agents * agents), how often a seat of the first agent was ahead of one of the
            second, ties counting one half.
    """

    sets: np.ndarray
    by_deal: sparse.csr_array
    wins: sparse.csr_array
    ahead: sparse.csr_array

    @property
    def agents(self) -> int:
        """How many agents there are."""
        return self.sets.shape[1]


def choices(agents: int, deals: np.ndarray, lineups: np.ndarray, ranks: np.ndarray) -> Choices:
    """The choices in games.

    Args:
        agents: how many agents there are.
        deals: integers (n,), the deal of each game, from 0.
        lineups: integers (n, players), the agent in each seat.
        ranks: integers (n, players), places from 1, ties shared.
    """
    from scipy import sparse

    # Games with the same agents in the same places are one kind, wherever they sat.
    order = np.lexsort((lineups, ranks), axis=1)
    placed = np.concatenate([np.take_along_axis(array, order, 1) for array in (lineups, ranks)], axis=1)
    kinds, kind_of = np.unique(placed, axis=0, return_inverse=True)
    count = int(deals.max(initial=-1)) + 1
    ones = np.ones(len(deals))
    played = sparse.csr_array((ones, (deals, kind_of.reshape(-1))), shape=(count, len(kinds)))

    sets: dict[tuple[int, ...], int] = {}
    chosen: list[dict[int, float]] = []
    wins = np.zeros((len(kinds), agents))
    ahead = np.zeros((len(kinds), agents, agents))
    players = lineups.shape[1]
    for number, kind in enumerate(kinds.tolist()):
        lineup, places = kind[:players], kind[players:]
        weights: dict[int, float] = {}
        orders = [seats for seats in permutations(range(players)) if [places[k] for k in seats] == places]
        for seats in orders:
            for stage in range(players - 1):
                left = tuple(np.bincount([lineup[k] for k in seats[stage:]], minlength=agents).tolist())
                if sum(map(bool, left)) > 1:
                    index = sets.setdefault(left, len(sets))
                    weights[index] = weights.get(index, 0.0) + 1 / len(orders)
                    wins[number, lineup[seats[stage]]] += 1 / len(orders)
        chosen.append(weights)
        for first in range(players):
            for second in range(players):
                if lineup[first] != lineup[second]:
                    sign = np.sign(places[second] - places[first])
                    ahead[number, lineup[first], lineup[second]] += (1 + sign) / 2
    by_kind = sparse.lil_array((len(kinds), len(sets)))
    for number, weights in enumerate(chosen):
        for index, weight in weights.items():
            by_kind[number, index] = weight
    return Choices(
        np.array(list(sets), np.int64).reshape(-1, agents),
        played @ by_kind.tocsr(),
        played @ sparse.csr_array(wins),
        played @ sparse.csr_array(ahead.reshape(len(kinds), -1)),
    )


def fit(sets: np.ndarray, weights: np.ndarray, wins: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Maximum-likelihood logarithms of the agents' strengths, for several samples at once.

    Every agent must have been chosen, and not chosen, in every sample: the tied games of :func:`rate` see to that.

    Args:
        sets: integers (sets, agents), seats of each agent in each set of seats.
        weights: float (samples, sets), how often each set was chosen from.
        wins: float (samples, agents), how often each agent was chosen.
        start: float (samples, agents) to begin from; zeros if None.

    Returns:
        float64 (samples, agents), with mean 0 in each sample.

    Raises:
        RuntimeError: the optimiser did not reach the maximum.
    """
    from scipy import optimize

    seats = sets.astype(np.float64)
    shape = wins.shape
    # Each sample's likelihood a choice, so that all samples weigh the same and one tolerance fits all.
    total = weights.sum(axis=1, keepdims=True)
    weights, wins = weights / total, wins / total

    def likelihood(flat: np.ndarray) -> tuple[float, np.ndarray]:
        logs = flat.reshape(shape)
        strengths = np.exp(logs)
        sums = strengths @ seats.T
        loss = (weights * np.log(sums)).sum() - (wins * logs).sum()
        return float(loss), (strengths * ((weights / sums) @ seats) - wins).reshape(-1)

    def curvature(flat: np.ndarray, direction: np.ndarray) -> np.ndarray:
        strengths, step = np.exp(flat.reshape(shape)), direction.reshape(shape)
        sums = strengths @ seats.T
        moved = (strengths * step) @ seats.T
        first = strengths * step * ((weights / sums) @ seats)
        return (first - strengths * ((weights * moved / sums**2) @ seats)).reshape(-1)

    begin = (np.zeros(shape) if start is None else start).reshape(-1)
    found = optimize.minimize(
        likelihood, begin, jac=True, hessp=curvature, method="trust-ncg", options={"gtol": 1e-9, "maxiter": 1000}
    )
    if np.abs(found.jac).max() > 1e-6:
        raise RuntimeError(f"the ratings could not be fitted: {found.message}")
    logs: np.ndarray = found.x.reshape(shape)
    return logs - logs.mean(axis=1, keepdims=True)


def rate(names: Sequence[str], played: Choices, anchor: str | None, seed: int, resamples: int = RESAMPLES) -> Ratings:
    """Ratings with 95% intervals: the bootstrap's percentiles, drawing whole deals with replacement.

    Bounds that the games do not set are None: where one group of agents never finished behind another or tied with
    it, ratings between the groups have one bound only: that at which such a finish has so high a chance in a deal that
    all deals go without one with a chance of 2.5%. The tied games have no part in it.
    Where all deals rate an agent alike, its bounds are what deals of another kind would give that have the same chance.

    Args:
        names: the agents' names.
        played: the games' choices; agents are numbered as in ``names``.
        anchor: who has 0 points; None for the mean of all.
        seed: the bootstrap draws from it.
        resamples: how often it draws.

    Raises:
        ValueError: there are fewer than two agents, or the anchor is none of them.
    """
    if len(names) < 2:
        raise ValueError("ratings compare agents; at least two are needed")
    if anchor is not None and anchor not in names:
        raise ValueError(f"anchor {anchor!r} is not among the agents {', '.join(names)}")
    deals = played.by_deal.shape[0]
    all_deals = np.ones((1, deals))
    weights, wins = all_deals @ played.by_deal, all_deals @ played.wins
    ahead = (all_deals @ played.ahead).reshape(played.agents, played.agents)
    tied = _tied_games(ahead)
    logs = _fit_with(tied, played.sets, weights, wins)
    start = np.repeat(logs, resamples, axis=0)
    drawn = _fit_with(tied, played.sets, *_resampled(played, seed, resamples), start)
    place = None if anchor is None else list(names).index(anchor)
    low, high = np.quantile(_points(drawn, place), (TAIL, 1 - TAIL), axis=0)
    alike = high - low < SAME
    level = _levels(ahead)
    if level.any():
        # No tied games here: every group is behind and ahead without them, and they would pull it towards the others.
        more_weights, more_wins = _turned(played.sets, weights, level, _unseen_odds(deals))
        extreme = _points(fit(played.sets, weights + more_weights, wins + more_wins, logs), place)[0]
        low, high = np.minimum(low, extreme), np.maximum(high, extreme)
    points = _points(logs, place)[0]
    has_low, has_high = _bounded(level, place)
    if deals < 2:
        # One deal says nothing about the spread.
        has_low = has_high = np.arange(len(names)) == place
    for k in np.flatnonzero(has_low & has_high & alike):
        if k != place:
            low[k], high[k] = _bounds_of_alike(played.sets, weights, wins, level, deals, int(k), place)
    compared = ahead.sum(axis=0) + ahead.sum(axis=1)
    return Ratings(
        anchor,
        {
            name: Rating(
                float(points[k]),
                float(low[k]) if has_low[k] else None,
                float(high[k]) if has_high[k] else None,
                round(float(compared[k])),
            )
            for k, name in enumerate(names)
        },
        resamples,
    )


def _points(logs: np.ndarray, anchor: int | None) -> np.ndarray:
    """Logarithms of strengths (samples, agents) on the scale of ratings, the anchor or the mean at 0."""
    centre = logs.mean(axis=1) if anchor is None else logs[:, anchor]
    # Adding zero makes a -0.0 of the anchor a 0.0.
    return POINTS * (logs - centre[:, None]) + 0.0


def _resampled(played: Choices, seed: int, resamples: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights (resamples, sets) and wins (resamples, agents) of deals drawn with replacement."""
    rng = np.random.default_rng(seed)
    deals = played.by_deal.shape[0]
    weights = np.empty((resamples, played.by_deal.shape[1]))
    wins = np.empty((resamples, played.agents))
    for sample in range(resamples):
        counts = np.bincount(rng.integers(deals, size=deals), minlength=deals).astype(np.float64)
        weights[sample], wins[sample] = counts @ played.by_deal, counts @ played.wins
    return weights, wins


def _tied_games(ahead: np.ndarray) -> np.ndarray:
    """A set of two seats for each two agents that met, int64 (pairs, agents)."""
    pairs = np.argwhere(np.triu(ahead + ahead.T) > 0)
    sets = np.zeros((len(pairs), len(ahead)), np.int64)
    np.put_along_axis(sets, pairs, 1, axis=1)
    return sets


def _fit_with(
    tied: np.ndarray, sets: np.ndarray, weights: np.ndarray, wins: np.ndarray, start: np.ndarray | None = None
) -> np.ndarray:
    """:func:`fit` with one tied game more for each of the sets ``tied``."""
    one_each = np.ones((len(weights), len(tied)))
    return fit(
        np.concatenate((sets, tied)), np.concatenate((weights, one_each), axis=1), wins + tied.sum(axis=0) / 2, start
    )


def _levels(ahead: np.ndarray) -> np.ndarray:
    """The level of each agent, from 0 at the bottom: nobody ever finished behind an agent of a lower level, or beside.

    All are on level 0 where each is, by way of others, both ahead of and behind each. That is when ratings have both
    bounds: likelihoods of groups, one always ahead, grow without end with the distance between the groups.
    """
    from scipy.sparse import csgraph

    count, group = csgraph.connected_components(ahead > 0, directed=True, connection="strong")
    # All have met, so the groups stand in one line: the n-th from below is ahead of all n below it.
    beaten = [len(set(group[(ahead[group == g] > 0).any(axis=0)].tolist()) - {g}) for g in range(count)]
    levels: np.ndarray = np.array(beaten)[group]
    return levels


def _bounds_of_alike(
    sets: np.ndarray,
    weights: np.ndarray,
    wins: np.ndarray,
    level: np.ndarray,
    deals: int,
    agent: int,
    anchor: int | None,
) -> tuple[float, float]:
    """Bounds of an agent that all deals rate alike: that unseen deals, each won or lost wholly by it, would give.

    Resampling such deals shows no spread, which does not mean that there is none.
    """
    odds = _unseen_odds(deals)
    own = np.arange(sets.shape[1]) == agent
    bounds = []
    for part in (own, ~own):
        # What separates levels is turned as well, so that all strengths are finite.
        turned = [_turned(sets, weights, ranking, odds) for ranking in (part.astype(np.int64), level)]
        logs = fit(sets, weights + sum(more for more, _ in turned), wins + sum(more for _, more in turned))
        bounds.append(float(_points(logs, anchor)[0, agent]))
    return bounds[0], bounds[1]


def _unseen_odds(deals: int) -> float:
    """The odds, against those that were seen, of deals of a kind that so many deals may have missed.

    With a chance of p each, n deals miss them at (1 - p) ** n = 2.5%; the odds are p to 1 - p.
    """
    return float(TAIL ** (-1 / deals)) - 1


def _turned(sets: np.ndarray, weights: np.ndarray, level: np.ndarray, odds: float) -> tuple[np.ndarray, np.ndarray]:
    """Choices to add so that seats below the highest level in a set win at ``odds`` to 1 against all that was seen.

    Returns:
        How often each set was chosen from, float64 (samples, sets), and each agent was, float64 (samples, agents).
    """
    present = np.where(sets > 0, level, -1)
    below = np.where(present < present.max(axis=1, keepdims=True), sets, 0)
    seats = below.sum(axis=1, keepdims=True)
    more = np.where(seats[:, 0] > 0, odds * weights, 0.0)
    return more, more @ (below / np.maximum(seats, 1))


def _bounded(level: np.ndarray, anchor: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Which ratings have a lower bound and which an upper one, bool (agents,)."""
    if anchor is not None:
        return level >= level[anchor], level <= level[anchor]
    # The mean of all lies between the levels: only the best are surely above it, and only the worst below.
    one = level.max() == 0
    return one | (level == level.max()), one | (level == 0)


@dataclass(frozen=True)
class Matrix:
    """How often each agent finished ahead of each other one, in games in which both sat.

    Attributes:
        names: the agents' names.
        ahead: by the two agents' numbers, the share of pairs of their seats in which the first's was ahead, ties
            counting one half; None on the diagonal and where they never met.
    """

    names: tuple[str, ...]
    ahead: tuple[tuple[Estimate | None, ...], ...]


def pairwise(names: Sequence[str], played: Choices) -> Matrix:
    """The matrix of pairwise results, its 95% intervals with the deal as unit."""
    columns = played.ahead.tocsc()
    rows = []
    for first in range(played.agents):
        row: list[Estimate | None] = []
        for second in range(played.agents):
            numbers = [first * played.agents + second, second * played.agents + first]
            won, lost = columns[:, numbers].toarray().T
            met = (won + lost > 0) & (first != second)
            row.append(estimate_bounded_mean((won[met] / (won + lost)[met])[:, None]) if met.any() else None)
        rows.append(tuple(row))
    return Matrix(tuple(names), tuple(rows))


def choices_of(agents: int, deals: np.ndarray, result: MatchResult) -> Choices:
    """:func:`choices` in a match's games, ``deals`` integers (n,)."""
    return choices(agents, deals, result.lineups, result.ranks)


def anchor_of(specs: dict[str, str]) -> str | None:
    """The agent with 0 points: the first that plays at random; None, the mean of all, without one."""
    return next((name for name, spec in specs.items() if spec == ANCHOR), None)
