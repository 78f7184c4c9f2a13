"""From names of agents to what their games say: a plan that is checked before anything is played, and its evaluation.

>>> import rich
>>> from agents.evaluation import evaluate
>>> from agents.report import table
>>> evaluation = evaluate("vikings", players=4, agents=["greedy", my_agent], games=1000)
>>> evaluation.summary["greedy vs 3 x MyAgent"].agents["greedy"].win_share.mean
>>> rich.print(table(evaluation))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

import northsea_envs
from agents.entrants import check_names, class_name, entrant, named
from agents.match import Interrupted, MatchResult, Progress, play_match
from agents.replays import deal_seed
from agents.schedule import Schedule, schedule
from agents.summary import AgentSummary, PairingSummary, summarise, summarise_overall
from northsea_envs.agent import Agent
from northsea_envs.game import Game, check_seed


@dataclass(frozen=True)
class Plan:
    """What is going to be played, all of it checked.

    Attributes:
        game: the game.
        players: number of seats.
        options: keywords of the game, defaults filled in, and its variant.
        agents: by name.
        specs: by name, what the agent was asked for as.
        games: games of each pairing that were asked for.
        seed: what the deals are drawn from.
        schedule: the games.
        deal_seeds: int64 (deals,), the game's seed of each deal.
    """

    game: Game
    players: int
    options: dict[str, Any]
    agents: dict[str, Agent]
    specs: dict[str, str]
    games: int
    seed: int
    schedule: Schedule
    deal_seeds: np.ndarray

    def play(self, batch: int = 1024, progress: Progress | None = None) -> Evaluation:
        """Play all games; raises WrongAnswerError, AgentFailedError and Interrupted as :func:`play_match` does."""
        seeds = self.deal_seeds[self.schedule.deal]
        result = play_match(
            self.game, self.players, self.agents, self.schedule.lineups, seeds, self.options, batch, progress
        )
        return Evaluation(self, result)

    def finished_part(self, interrupt: Interrupted) -> Evaluation | None:
        """The deals that were complete at an interrupt, in order up to the first that was not; None if not one was.

        Deals behind it are left out: those that end early are not a fair sample.
        """
        finished = interrupt.finished
        deals = int(self.schedule.deal[np.argmin(finished)]) if not finished.all() else len(self.deal_seeds)
        if deals == 0:
            return None
        part = replace(self, schedule=self.schedule.first_deals(deals))
        return Evaluation(part, interrupt.result[: len(part.schedule)])


@dataclass(frozen=True)
class Evaluation:
    """A played plan.

    Attributes:
        plan: what was played.
        result: every game, in the order of ``plan.schedule``.
    """

    plan: Plan
    result: MatchResult

    @cached_property
    def summary(self) -> dict[str, PairingSummary]:
        """What each pairing said, by its name."""
        return summarise(self.plan.schedule, self.result)

    @cached_property
    def overall(self) -> dict[str, AgentSummary] | None:
        """How each agent did over all pairings, by its name; None unless more agents than seats met."""
        return summarise_overall(self.plan.schedule, self.result)


def plan(
    game: str | Game,
    players: int,
    agents: Sequence[str | Agent] | Mapping[str, str | Agent],
    games: int = 1000,
    seed: int = 0,
    options: Mapping[str, Any] = {},
) -> Plan:
    """Prepare an evaluation, and refuse it before anything is played.

    Args:
        game: its name, or the game itself, such as one with other component tables.
        players: number of seats.
        agents: agents, or strings that name them; one string is one agent. In a sequence an agent is named by its
            string or its class, and namesakes are numbered (``greedy#1``, ``greedy#2``); a mapping gives names of
            your own.
        games: games of each pairing, rounded up to a multiple of its seatings (see :func:`schedule`).
        seed: deals are drawn from it, in 0 .. 2**63 - 1.
        options: keywords of the game.

    Raises:
        ValueError: something is not known or not allowed; AgentError where it is an agent.
    """
    if isinstance(game, str):
        game = northsea_envs.get_game(game)
    game = game.with_options(options)
    players = game.check_players(players)
    game.option_codes(players, options)
    seed = check_seed(seed)
    wanted = dict(agents) if isinstance(agents, Mapping) else named(agents)
    if not wanted:
        raise ValueError("no agent is given; at least one is needed")
    check_names(wanted)
    games_planned = schedule(len(wanted), players, games)
    entrants = {name: entrant(name, agent, game, players) for name, agent in wanted.items()}
    deals = range(int(games_planned.deal.max()) + 1)
    deal_seeds = np.array([deal_seed(seed, deal) for deal in deals], np.int64)
    return Plan(
        game,
        players,
        {**{option.name: options.get(option.name, option.default) for option in game.options}, **game.variant},
        entrants,
        {name: agent if isinstance(agent, str) else class_name(agent) for name, agent in wanted.items()},
        games,
        seed,
        games_planned,
        deal_seeds,
    )


def evaluate(
    game: str | Game,
    players: int,
    agents: Sequence[str | Agent] | Mapping[str, str | Agent],
    games: int = 1000,
    seed: int = 0,
    options: Mapping[str, Any] = {},
    batch: int = 1024,
    progress: Progress | None = None,
) -> Evaluation:
    """Play agents against each other: :func:`plan`, then :meth:`Plan.play`; arguments and errors are theirs."""
    return plan(game, players, agents, games, seed, options).play(batch, progress)
