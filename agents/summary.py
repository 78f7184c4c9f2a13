"""What the results of a match say: win share, rank and score with 95% intervals, the deal being the unit.

Games of one deal share their seed and are alike, so intervals come from the spread of means over deals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.match import MatchResult
from agents.schedule import Pairing, Schedule

# Each tail outside the 95% interval.
TAIL = 0.025
# Values closer than this are the same: shares are sums of few fractions.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95% interval; ``low`` and ``high`` are None where one deal says nothing about the spread."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class AgentSummary:
    """How one agent did, on average over its games and over the seats that it holds in each.

    Attributes:
        seats_held: seats that it holds in each game.
        games: games that it played.
        win_share: wins, one shared by k seats counting 1 / k; an even field has 1 / players.
        rank: place, from 1.
        score: by the game's own count.
    """

    seats_held: int
    games: int
    win_share: Estimate
    rank: Estimate
    score: Estimate


@dataclass(frozen=True)
class PairingSummary:
    """What one pairing said.

    Attributes:
        deals: seeds that were played, each in every seating.
        seatings: distinct seatings.
        agents: by the agent's name.
        win_share_by_seat: seat by seat, whoever sat there.
    """

    deals: int
    seatings: int
    agents: dict[str, AgentSummary]
    win_share_by_seat: tuple[Estimate, ...]


def estimate_mean(values: np.ndarray) -> Estimate:
    """Mean with Student's t interval over deals; ``values`` is float (deals, games of a deal)."""
    from scipy import stats  # half a second, which those who only play need not wait

    by_deal = values.mean(axis=1)
    mean = float(by_deal.mean())
    if len(by_deal) < 2:
        return Estimate(mean, None, None)
    half = float(stats.t.ppf(1 - TAIL, len(by_deal) - 1) * stats.sem(by_deal))
    return Estimate(mean, mean - half, mean + half)


def estimate_bounded_mean(values: np.ndarray, least: float = 0.0, most: float = 1.0) -> Estimate:
    """Mean of values in ``least`` .. ``most``, with an interval that stays there and never has width zero.

    It is Clopper and Pearson's interval at the effective sample size of Korn and Graubard (1998): deals are the
    clusters, and the games of a deal never count for more than as many independent games. Where all values are the
    same, each deal counts as one.

    Args:
        values: float (deals, games of a deal).
        least: least possible value.
        most: greatest possible value.
    """
    from scipy import stats  # as above

    deals = len(values)
    shares = (values - least) / (most - least)
    mean = float(shares.mean())
    if deals < 2:
        return Estimate(least + (most - least) * mean, None, None)
    if np.ptp(shares) < ROUNDING:
        size = float(deals)
    else:
        variance = max(stats.sem(shares.mean(axis=1)) ** 2, shares.var() / shares.size)
        size = mean * (1 - mean) / variance * (stats.norm.ppf(TAIL) / stats.t.ppf(TAIL, deals - 1)) ** 2
    low = stats.beta.ppf(TAIL, mean * size, (1 - mean) * size + 1) if mean > ROUNDING else 0.0
    high = stats.beta.ppf(1 - TAIL, mean * size + 1, (1 - mean) * size) if mean < 1 - ROUNDING else 1.0
    return Estimate(*(least + (most - least) * float(share) for share in (mean, low, high)))


def are_places(ranks: np.ndarray) -> np.ndarray:
    """Whether each game's ranks, integers (n, players), can be its places (1, 2, 2, 4), not (1, 3); bool (n,)."""
    better = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)
    return (ranks == better + 1).all(axis=1)


def win_shares(ranks: np.ndarray) -> np.ndarray:
    """1 for a sole winner, 1 / k for each of k; float64 of the shape of ``ranks`` (n, players)."""
    wins = ranks == 1
    return wins / wins.sum(axis=1, keepdims=True)


def summarise(schedule: Schedule, result: MatchResult) -> dict[str, PairingSummary]:
    """What each pairing said, by its name; ``result`` holds all games of ``schedule`` in their order."""
    summaries = {}
    for number, pairing in enumerate(schedule.pairings):
        measures = _measures(schedule, result, number)
        agents = {
            result.names[index]: _agent_summary(count, len(pairing.seatings[0]), _own(pairing, index, measures))
            for index, count in enumerate(pairing.seats_held)
            if count
        }
        by_seat = tuple(estimate_bounded_mean(shares) for shares in np.moveaxis(measures[0], 2, 0))
        summaries[pairing.name(result.names)] = PairingSummary(pairing.deals, len(pairing.seatings), agents, by_seat)
    return summaries


def summarise_overall(schedule: Schedule, result: MatchResult) -> dict[str, AgentSummary] | None:
    """How each agent did over all pairings, by its name; None unless more agents than seats met."""
    players = result.lineups.shape[1]
    if len(result.names) <= players:
        return None
    summaries = {}
    for index, name in enumerate(result.names):
        own = [
            _own(pairing, index, _measures(schedule, result, number))
            for number, pairing in enumerate(schedule.pairings)
            if pairing.seats_held[index]
        ]
        summaries[name] = _agent_summary(1, players, np.concatenate(own, axis=2))
    return summaries


def _measures(schedule: Schedule, result: MatchResult, number: int) -> np.ndarray:
    """Win share, rank and score, float64 (3, deals, seatings, players), in the games of one pairing."""
    pairing = schedule.pairings[number]
    games = schedule.pairing == number
    measures = np.stack((win_shares(result.ranks[games]), result.ranks[games], result.scores[games]))
    return measures.reshape(3, pairing.deals, *pairing.seatings.shape)


def _own(pairing: Pairing, index: int, measures: np.ndarray) -> np.ndarray:
    """The measures on average over the seats that one agent holds, float64 (3, deals, seatings)."""
    return (measures * (pairing.seatings == index)).sum(axis=3) / pairing.seats_held[index]


def _agent_summary(seats_held: int, players: int, own: np.ndarray) -> AgentSummary:
    shares, ranks, scores = own
    # At best one of its seats wins alone, at worst its seats take the last places.
    share = estimate_bounded_mean(shares, 0.0, 1 / seats_held)
    if seats_held == players:
        # Who holds all seats wins every game: nothing is uncertain about 1 / players.
        share = Estimate(1 / players, 1 / players, 1 / players)
    rank = estimate_bounded_mean(ranks, 1.0, players - (seats_held - 1) / 2)
    return AgentSummary(seats_held, shares.size, share, rank, estimate_mean(scores))
