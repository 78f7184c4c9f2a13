"""Who meets whom, and where they sit: every pairing in every seating, each with the same deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement, permutations

import numpy as np

MAX_GAMES = 10_000_000


@dataclass(frozen=True)
class Pairing:
    """Agents that meet, and the seatings in which they do.

    Attributes:
        seats_held: for each agent, how many seats it holds.
        seatings: int64 (seatings, players), every distinct one: the agent in each seat.
        deals: how many seeds are played, each in every seating.
    """

    seats_held: tuple[int, ...]
    seatings: np.ndarray
    deals: int

    @property
    def games(self) -> int:
        """How many games it has."""
        return self.deals * len(self.seatings)

    def name(self, names: Sequence[str]) -> str:
        """The pairing in words, such as ``"greedy vs 3 x random"``, fewest seats first."""
        held = sorted((count, index) for index, count in enumerate(self.seats_held) if count)
        return " vs ".join(names[index] if count == 1 else f"{count} x {names[index]}" for count, index in held)


@dataclass(frozen=True)
class Schedule:
    """All games that are played, deal by deal: all seatings of all pairings before the next deal.

    Attributes:
        pairings: who meets whom.
        pairing: int64 (games,), the pairing of each game.
        deal: int64 (games,), the deal of each game, from 0.
        lineups: int64 (games, players), the agent in each seat.
    """

    pairings: tuple[Pairing, ...]
    pairing: np.ndarray = field(init=False)
    deal: np.ndarray = field(init=False)
    lineups: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        deals = max((p.deals for p in self.pairings), default=0)
        order = [(deal, k) for deal in range(deals) for k, p in enumerate(self.pairings) if deal < p.deals]
        lengths = [len(self.pairings[k].seatings) for _, k in order]
        numbers = np.array(order, np.int64).reshape(-1, 2).repeat(lengths, axis=0)
        object.__setattr__(self, "deal", numbers[:, 0])
        object.__setattr__(self, "pairing", numbers[:, 1])
        object.__setattr__(self, "lineups", np.concatenate([self.pairings[k].seatings for _, k in order]))

    def __len__(self) -> int:
        return len(self.deal)

    def first_deals(self, deals: int) -> Schedule:
        """The part of the schedule that plays only the first ``deals`` deals, at least one."""
        return Schedule(tuple(replace(p, deals=min(p.deals, deals)) for p in self.pairings))


def schedule(agents_count: int, players: int, games: int) -> Schedule:
    """Pairings of agents, each in every distinct seating and every seating equally often, with the same deals.

    ========================== =====================================================================================
    agents                     pairings
    ========================== =====================================================================================
    one                        it holds all seats
    two, fewer than seats      each alone against the other in all other seats
    more, fewer than seats     every way to share the seats in which each agent holds at least one
    as many as seats           all of them, one seat each
    more than seats            every choice of as many agents as seats, one seat each
    ========================== =====================================================================================

    Args:
        agents_count: how many agents.
        players: number of seats.
        games: games of each pairing, rounded up to a multiple of its seatings.

    Raises:
        ValueError: an argument is less than 1, or games more than MAX_GAMES.
    """
    for name, number in (("agents", agents_count), ("players", players), ("games", games)):
        if number < 1:
            raise ValueError(f"{name}={number} is not allowed; it must be at least 1")
    if games > MAX_GAMES:
        raise ValueError(f"games={games} is not allowed; it must be at most {MAX_GAMES}, since results stay in memory")
    pairings = []
    for seats_held in _shares(agents_count, players):
        holders = [index for index, count in enumerate(seats_held) for _ in range(count)]
        seatings = np.array(sorted(set(permutations(holders))), np.int64)
        pairings.append(Pairing(seats_held, seatings, -(-games // len(seatings))))
    return Schedule(tuple(pairings))


def _shares(agents: int, players: int) -> list[tuple[int, ...]]:
    """The ways to share the seats, each as the number of seats of each agent."""
    if agents == 2 < players:
        return [(1, players - 1), (players - 1, 1)]
    if agents >= players:
        held = [Counter(chosen) for chosen in combinations(range(agents), players)]
    else:
        spare = combinations_with_replacement(range(agents), players - agents)
        held = [Counter((*range(agents), *extra)) for extra in spare]
    return [tuple(count[index] for index in range(agents)) for count in held]
