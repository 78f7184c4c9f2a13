"""What a results file says about each agent, each seat and the games: figures for tables and charts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agents.results import Results
from agents.summary import Estimate, estimate_bounded_mean, estimate_mean, win_shares


@dataclass(frozen=True)
class Line:
    """One agent, over all seats that it held.

    Attributes:
        name: its name.
        points: its rating; None where one agent played itself.
        low: lower bound of the rating's interval; None where the games set none.
        high: upper bound, likewise.
        games: games in which it sat.
        win_share: for each seat held; a win shared by k seats counts 1 / k.
        rank: place, from 1.
        score: by the game's own count.
        milliseconds: processor time for each decision; None where it was not measured.
    """

    name: str
    points: float | None
    low: float | None
    high: float | None
    games: int
    win_share: Estimate
    rank: Estimate
    score: Estimate
    milliseconds: float | None


class Figures:
    """Figures of a results file.

    Attributes:
        results: the file's contents.
        names: the agents' names.
        lineups: int64 (games, players), the agent in each seat.
        ranks: int64 (games, players).
        scores: float64 (games, players).
        decisions: int64 (games,).
    """

    def __init__(self, results: Results):
        self.results = results
        self.names = [agent.name for agent in results.agents]
        number = {name: k for k, name in enumerate(self.names)}
        self.lineups = np.array([[number[name] for name in game.seating] for game in results.games], np.int64)
        self.ranks = np.array([game.ranks for game in results.games], np.int64)
        self.scores = np.array([game.scores for game in results.games], np.float64)
        self.decisions = np.array([game.decisions for game in results.games], np.int64)
        self._deals = np.unique([game.seed for game in results.games], return_inverse=True)[1]

    @cached_property
    def deals(self) -> int:
        """How many deals were played."""
        return int(self._deals.max()) + 1

    @cached_property
    def shares(self) -> np.ndarray:
        """Win shares, float64 (games, players)."""
        return win_shares(self.ranks)

    @cached_property
    def lines(self) -> list[Line]:
        """The agents, best first."""
        lines = [self._line(k, name) for k, name in enumerate(self.names)]
        return sorted(lines, key=lambda line: (-(line.points or 0.0), -line.win_share.mean))

    def _line(self, index: int, name: str) -> Line:
        own = self.lineups == index
        rating = self.results.ratings.agents.get(name) if self.results.ratings else None
        thinking = self.results.thinking.get(name)
        share, rank, score = self._estimates(name, own)
        return Line(
            name,
            rating.points if rating else None,
            rating.low if rating else None,
            rating.high if rating else None,
            int(own.any(axis=1).sum()),
            share,
            rank,
            score,
            1000 * thinking.seconds / thinking.decisions if thinking and thinking.decisions else None,
        )

    def _estimates(self, name: str, own: np.ndarray) -> tuple[Estimate, Estimate, Estimate]:
        """Win share, rank and score: as in the table of the terminal, if it has them over all pairings."""
        overall = self.results.overall and self.results.overall.get(name)
        if overall:
            share, rank, score = (
                Estimate(value.mean, value.low, value.high)
                for value in (overall.win_share, overall.rank, overall.score)
            )
            return share, rank, score
        return (
            estimate_bounded_mean(self._by_deal(self.shares, own)),
            estimate_bounded_mean(self._by_deal(self.ranks, own), 1.0, float(self.results.players)),
            estimate_mean(self._by_deal(self.scores, own)),
        )

    def _by_deal(self, values: np.ndarray, own: np.ndarray) -> np.ndarray:
        """Means of the values chosen by ``own``, both (games, players), by deal: float64 (deals, 1)."""
        counts = np.bincount(self._deals, own.sum(axis=1))
        sums = np.bincount(self._deals, (values * own).sum(axis=1))
        return (sums[counts > 0] / counts[counts > 0])[:, None]

    @cached_property
    def seats(self) -> list[Estimate]:
        """Win share of each seat, whoever sat there: all agents equally often."""
        seats = np.arange(self.results.players)
        every = np.ones(self.lineups.shape, bool)
        return [estimate_bounded_mean(self._by_deal(self.shares, every & (seats == seat))) for seat in seats]

    def scores_of(self, name: str) -> np.ndarray:
        """All scores of one agent, float64 (n,)."""
        return self.scores[self.lineups == self.names.index(name)]
