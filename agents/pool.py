"""Whom the learner meets: agents and earlier versions of itself, drawn by how hard they are for it.

Prioritised fictitious self-play (Vinyals et al. 2019): the pool keeps the learner's win rate against each member, and
draws those more often against which it is low (``hard``) or undecided (``even``). It also rates everybody by Elo.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from northsea_envs.agent import Agent

CURRENT = "current"
EARLIER = "earlier"
ANCHOR = "random"

# By how a member's weight depends on the learner's win rate against it. A member that always loses is still met now and
# then, or nobody would notice that it no longer does.
PRIORITIES = {
    "none": lambda rate: 1.0,
    "hard": lambda rate: max((1.0 - rate) ** 2, 0.01),
    "even": lambda rate: max(rate * (1.0 - rate), 0.01),
}

# A win rate begins with so many imagined ties, and then remembers about so many games.
IMAGINED, MEMORY = 10, 200
# Games after which a win rate says something about who is better.
ENOUGH = 50
# Elo points that one game against one other seat can move.
STEP = 4.0


@dataclass
class Standing:
    """How a member of the pool stands.

    Attributes:
        rating: Elo points.
        rate: the learner's win rate against it, 0 to 1, a tie counting as half: an average that forgets old games.
        games: games they played.
    """

    rating: float = 0.0
    rate: float = 0.5
    games: int = 0


class OpponentPool:
    """Whom a learner may meet: agents with weights, and earlier versions of the learner.

    Every other seat of every game is drawn by weight when the game begins. Agents are numbered in the order they come;
    the numbers never change. An earlier version that left the pool plays its running games to the end. A pool belongs
    to one environment, which tells it who still plays and how games ended.

    Priorities share out anew what the members that are not ``steady`` weigh together, each in proportion to its weight
    times its priority. Ratings are relative to the agent called ``random``, else to the first that is not ``current``,
    which has 0; a new version begins with the learner's.

    Attributes:
        agents: those in the pool or still playing, by number; numbers below ``fixed_agents`` are no earlier versions.
        names: their names, by number; all earlier versions are called ``earlier``.
        standings: how they stand, by number; not of the agent called ``current``, which is the learner itself.
        rating: the learner's.
        earlier: numbers of the earlier versions that may be drawn, oldest first.

    Args:
        agents: name -> (agent, weight); weights are 0 or more.
        earlier_weight: weight of all earlier versions together. While there is none yet, it counts for nobody.
        max_earlier: earlier versions kept; with one more, the oldest leaves, or, with a priority, the one against
            which the learner wins most.
        priority: ``"none"``, ``"hard"``: (1 - win rate) squared, or ``"even"``: win rate times (1 - win rate).
        steady: names of agents whose share no priority changes.
    """

    def __init__(
        self,
        agents: Mapping[str, tuple[Agent, float]],
        earlier_weight: float = 0.0,
        max_earlier: int = 8,
        priority: str = "none",
        steady: Collection[str] = (),
    ):
        if any(weight < 0 for _, weight in agents.values()) or earlier_weight < 0 or max_earlier < 1:
            raise ValueError("weights must be 0 or more and max_earlier at least 1")
        if not sum(weight for _, weight in agents.values()) > 0:
            raise ValueError("at least one agent of the pool must have a weight above 0")
        if priority not in PRIORITIES:
            raise ValueError(f"priority={priority!r} is not allowed; choose from {', '.join(PRIORITIES)}")
        self.agents: dict[int, Agent] = {}
        self.names: dict[int, str] = {}
        self.standings: dict[int, Standing] = {}
        self.rating = 0.0
        self.earlier: list[int] = []
        self.fixed_agents = len(agents)
        self.priority = priority
        self._steady = {CURRENT, *steady}
        self._fixed: dict[int, float] = {}
        self._earlier_weight = earlier_weight
        self._max_earlier = max_earlier
        self._next = 0
        for name, (agent, weight) in agents.items():
            self._fixed[self._enter(name, agent)] = weight
        rated = [number for number, name in self.names.items() if name != CURRENT]
        self._anchor = next((n for n in rated if self.names[n] == ANCHOR), rated[0] if rated else None)
        self._stale = False
        self._update()

    def _enter(self, name: str, agent: Agent) -> int:
        number = self._next
        self.agents[number], self.names[number] = agent, name
        if name != CURRENT:
            self.standings[number] = Standing(self.rating)
        self._next += 1
        return number

    def _update(self) -> None:
        weights = dict(self._fixed)
        for number in self.earlier:
            weights[number] = self._earlier_weight / len(self.earlier)
        moving = [number for number in weights if self.names[number] not in self._steady]
        whole = sum(weights[number] for number in moving)
        if whole > 0:
            priority = PRIORITIES[self.priority]
            for number in moving:
                weights[number] *= priority(self.standings[number].rate)
            scale = whole / sum(weights[number] for number in moving)
            for number in moving:
                weights[number] *= scale
        self._numbers = list(weights)
        self._bounds = np.cumsum(list(weights.values())) / sum(weights.values())
        self._stale = False

    @property
    def fixed_names(self) -> list[str]:
        """Names of the agents that are no earlier versions, by number."""
        return [self.names[number] for number in range(self.fixed_agents)]

    def shares(self) -> dict[int, float]:
        """By number, the share of seats that each agent is drawn for."""
        if self._stale:
            self._update()
        return dict(zip(self._numbers, np.diff(self._bounds, prepend=0.0).tolist(), strict=True))

    def draw(self, lot: float) -> int:
        """Number of the agent that a ``lot`` in 0 <= lot < 1 falls on."""
        if self._stale:
            self._update()
        index = int(np.searchsorted(self._bounds, lot, side="right"))
        return self._numbers[min(index, len(self._numbers) - 1)]

    def note(self, number: int, score: float) -> None:
        """A game ended in which the learner was ahead of agent ``number`` (1), level (0.5) or behind (0)."""
        standing = self.standings.get(number)
        if standing is None:
            return
        standing.games += 1
        standing.rate += (score - standing.rate) / min(standing.games + IMAGINED, MEMORY)
        change = STEP * (score - 1 / (1 + 10 ** ((standing.rating - self.rating) / 400)))
        self.rating += change
        if number != self._anchor:
            standing.rating -= change
        self._stale = self.priority != "none"

    def improved(self, rate: float) -> bool:
        """Whether the learner wins at least ``rate`` against the latest earlier version, after enough games."""
        if not self.earlier:
            return False
        latest = self.standings[self.earlier[-1]]
        return latest.games >= ENOUGH and latest.rate >= rate

    def add(self, agent: Agent) -> int:
        """Take in an earlier version of the learner; returns its number."""
        number = self._enter(EARLIER, agent)
        # More than one where a run goes on with fewer.
        while len(self.earlier) >= self._max_earlier:
            leaves = self.earlier[0]
            if self.priority != "none":
                leaves = max(self.earlier, key=lambda n: (self.standings[n].rate, -n))
            self.earlier.remove(leaves)
        self.earlier.append(number)
        self._update()
        return number

    def put_back(
        self,
        earlier: Sequence[int],
        versions: Mapping[int, Agent],
        rating: float = 0.0,
        standings: Mapping[int, Standing] = {},
    ) -> None:
        """Make the pool what it was: ``versions`` by number, of which ``earlier`` may still be drawn."""
        for number, agent in versions.items():
            self.agents[number], self.names[number] = agent, EARLIER
            self.standings[number] = Standing()
        self.earlier = list(earlier)
        self._next = max(self.agents) + 1
        if not set(self.earlier) <= set(self.agents):
            raise ValueError("an earlier version that may be drawn is missing")
        self.rating = rating
        self.standings |= {number: standings[number] for number in self.standings if number in standings}
        self._update()

    def forget(self, in_use: Iterable[int]) -> None:
        """Drop the agents that can no longer be drawn, except those ``in_use``."""
        keep = {*self._fixed, *self.earlier, *in_use}
        for number in [number for number in self.agents if number not in keep]:
            del self.agents[number], self.names[number], self.standings[number]

    def figures(self, where: str = "") -> dict[str, float]:
        """Ratings, win rates and shares of those that may be drawn, by names such as ``pool/rating/earlier_7``.

        ``where``, such as ``"4p/"``, comes before what may be a name in several pools.
        """
        figures = {f"pool/rating/{where}learner": self.rating}
        for number, share in self.shares().items():
            standing = self.standings.get(number)
            if standing is not None:
                name = self.names[number] + (f"_{number}" if self.names[number] == EARLIER else "")
                figures[f"pool/rating/{where}{name}"] = standing.rating
                figures[f"pool/win_rate/{where}{name}"] = standing.rate
                figures[f"pool/share/{where}{name}"] = share
        return figures
