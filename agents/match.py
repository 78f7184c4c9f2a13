"""Playing agents against each other: whole games in batches, fair seatings, and what the results say.

>>> import rich
>>> from agents.match import evaluate
>>> evaluation = evaluate("vikings", players=4, agents=["greedy", my_agent], games=1000)
>>> evaluation.summary["greedy vs 3 x MyAgent"].agents["greedy"].win_share.mean
>>> rich.print(evaluation.table())
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Any

import numpy as np

import northsea_envs
from agents.entrants import check_names, class_name, entrant, named
from agents.failures import agent_failed
from agents.replays import deal_seed
from agents.summary import AgentSummary, PairingSummary, summarise, summarise_overall
from northsea_envs.agent import Agent, AgentError
from northsea_envs.game import Game, check_seed
from northsea_envs.vector import GameBatch

if TYPE_CHECKING:
    from rich.table import Table

MAX_GAMES = 10_000_000

# Called with the games finished so far and the games in all.
Progress = Callable[[int, int], None]
# Called with games, by their place in the match, and the action chosen in each: int64 (k,) and int64 (k,).
Record = Callable[[np.ndarray, np.ndarray], None]


class WrongAnswerError(AgentError):
    """An agent answered with something that is not one legal action a decision."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while games were played.

    Attributes:
        result: all games, of which only the finished ones mean something.
        finished: bool (n,), which these are.
    """

    def __init__(self, result: MatchResult, finished: np.ndarray):
        super().__init__()
        self.result = result
        self.finished = finished


# --- playing --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MatchResult:
    """Finished games, in the order in which they were asked for.

    Attributes:
        names: the agents' names; ``lineups`` holds indices into them.
        seeds: int64 (n,), the games' seeds.
        lineups: int64 (n, players), the agent in each seat.
        ranks: int64 (n, players), places from 1, ties shared.
        scores: float64 (n, players), by the game's own count.
        decisions: int64 (n,), decisions that agents were asked for; forced ones are not counted.
        truncated: bool (n,), which were cut short by the game's limit on its length, and ranked as they stood.
        asked: by agent, how many decisions of the whole match were timed: all but those of its first call.
        thought: by agent, the processor time in seconds, of all threads, that it took for them.
    """

    names: tuple[str, ...]
    seeds: np.ndarray
    lineups: np.ndarray
    ranks: np.ndarray
    scores: np.ndarray
    decisions: np.ndarray
    truncated: np.ndarray
    asked: dict[str, int] = field(default_factory=dict)
    thought: dict[str, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.seeds)

    def __getitem__(self, games: slice | np.ndarray) -> MatchResult:
        """The result of some of the games, by slice or index array."""
        names = ("seeds", "lineups", "ranks", "scores", "decisions", "truncated")
        return replace(self, **{name: getattr(self, name)[games] for name in names})

    @property
    def thinking(self) -> dict[str, tuple[int, float]]:
        """Timed decisions and the seconds that they took, by agent."""
        return {name: (count, self.thought[name]) for name, count in self.asked.items()}

    @property
    def thinking_times(self) -> dict[str, float]:
        """Processor time a decision in seconds, by agent; an agent that was never asked is left out."""
        return {name: self.thought[name] / count for name, count in self.asked.items() if count}


def play_match(
    game: Game,
    players: int,
    agents: Mapping[str, Agent],
    lineups: np.ndarray | Sequence[Sequence[int]],
    seeds: np.ndarray | Sequence[int],
    options: Mapping[str, Any] = {},
    batch: int = 1024,
    progress: Progress | None = None,
    record: Record | None = None,
) -> MatchResult:
    """Play whole games, many at a time; each agent is asked once a step for all games that wait for it.

    A game depends on its seed, its lineup and the agents alone, not on ``batch``; an agent whose arithmetic depends
    on the size of its batches (a neural network's last bits) may break this.

    Args:
        game: the game, in the variant that ``options`` may name.
        players: number of seats.
        agents: agents by name; names are used in errors.
        lineups: integers (games, players), for each game and seat the index of its agent in ``agents``.
        seeds: integers (games,), the games' seeds, each in 0 .. 2**63 - 1.
        options: keywords of the game.
        batch: how many games run at the same time.
        progress: called as games finish.
        record: called with the actions of each step.

    Raises:
        ValueError: the arguments do not fit the game or one another.
        WrongAnswerError: an agent's answer has the wrong shape or type, or is not legal.
        AgentFailedError: an agent raised something.
        Interrupted: Ctrl-C; carries the games finished by then.
    """
    players = game.check_players(players)
    game.option_codes(players, options)
    names, entrants = tuple(agents), tuple(agents.values())
    lineups = np.array(lineups)
    if lineups.dtype.kind not in "iu" or lineups.shape != (len(seeds), players):
        raise ValueError(
            f"lineups must be integers of shape {(len(seeds), players)}, one row a seed and one column a seat, "
            f"not {lineups.dtype} {lineups.shape}"
        )
    if lineups.size and not (lineups.min() >= 0 and lineups.max() < len(names)):
        raise ValueError(f"lineups must hold 0 to {len(names) - 1}, the indices of {', '.join(names)}")
    seeds = np.array([check_seed(seed) for seed in seeds], np.int64)
    if batch < 1:
        raise ValueError(f"batch={batch} is not allowed; at least one game must run")

    total = len(seeds)
    result = MatchResult(
        names,
        seeds,
        lineups.astype(np.int64),
        np.zeros((total, players), np.int64),
        np.zeros((total, players)),
        np.zeros(total, np.int64),
        np.zeros(total, bool),
        dict.fromkeys(names, 0),
        dict.fromkeys(names, 0.0),
    )
    finished = np.zeros(total, bool)
    try:
        _play_all(game, entrants, result, finished, options, batch, progress, record)
    except KeyboardInterrupt:
        raise Interrupted(result, finished) from None
    return result


def _play_all(
    game: Game,
    agents: tuple[Agent, ...],
    result: MatchResult,
    finished: np.ndarray,
    options: Mapping[str, Any],
    batch: int,
    progress: Progress | None,
    record: Record | None,
) -> None:
    """Fill ``result`` in place, and mark in ``finished`` which games it holds."""
    total, players = result.lineups.shape
    observed = np.array([getattr(agent, "needs_observation", True) for agent in agents], np.uint8)
    begun = min(batch, total)
    games = GameBatch(game, players, result.seeds[:begun], options)
    playing = np.arange(begun)  # which game each row plays
    games.want[:] = observed[result.lineups[playing]]
    running = np.arange(begun)  # rows whose game is not over
    called: set[str] = set()
    if progress:
        progress(0, total)
    while len(running):
        over = games.deciders[running] < 0
        if over.any():
            rows = running[over]
            ended = playing[rows]
            result.scores[ended], result.ranks[ended], result.truncated[ended] = games.results(rows)
            result.decisions[ended] = games.decisions_made[rows]
            finished[ended] = True
            fresh = np.arange(begun, min(begun + len(rows), total))
            begun += len(fresh)
            refilled = rows[: len(fresh)]
            playing[refilled] = fresh
            games.want[refilled] = observed[result.lineups[fresh]]
            games.restart(refilled, result.seeds[fresh])
            running = np.sort(np.concatenate((running[~over], refilled)))
            if progress:
                progress(int(np.count_nonzero(finished)), total)
            continue
        waiting_for = result.lineups[playing[running], games.deciders[running]]
        actions = np.empty(len(running), np.int64)
        for index in np.unique(waiting_for):
            chosen = waiting_for == index
            name, rows = result.names[index], running[chosen]
            began = time.process_time()
            actions[chosen] = _ask(name, agents[index], int(index), games, rows)
            # An agent's first call may compile or load something.
            if name in called:
                result.thought[name] += time.process_time() - began
                result.asked[name] += len(rows)
            called.add(name)
        games.step(running, actions)
        if record:
            record(playing[running], actions)


def _ask(name: str, agent: Agent, index: int, games: GameBatch, rows: np.ndarray) -> np.ndarray:
    """The agent's actions for ``rows``, checked."""
    decisions = games.decisions(rows, salt=index, observed=getattr(agent, "needs_observation", True))
    try:
        actions = agent.act(decisions)
    except (Exception, SystemExit) as error:
        raise agent_failed(name, error, len(rows)) from error
    if not isinstance(actions, np.ndarray):
        raise WrongAnswerError(f"agent {name!r} returned a {type(actions).__name__}, not a numpy array of actions")
    if actions.dtype.kind not in "iu" or actions.shape != rows.shape:
        raise WrongAnswerError(
            f"agent {name!r} returned {actions.dtype} of shape {actions.shape}, "
            f"not integers of shape {rows.shape}, one action a decision"
        )
    known = (actions >= 0) & (actions < games.legal.shape[1])
    legal = known & (games.legal[rows, np.where(known, actions, 0)] != 0)
    if not legal.all():
        bad = int(np.argmin(legal))
        action, row = int(actions[bad]), int(rows[bad])
        meaning = f" ({games.game.action_name(games.players, action)})" if known[bad] else ""
        raise WrongAnswerError(
            f"agent {name!r} chose action {action}{meaning} for seat {games.deciders[row]} in the game of seed "
            f"{games.seeds[row]}, which is not legal there; legal: {np.flatnonzero(games.legal[row]).tolist()}"
        )
    return actions.astype(np.int64)


# --- who meets whom, and where they sit -----------------------------------------------------------


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


# --- from names to results ------------------------------------------------------------------------


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

    def table(self) -> Table:
        """The summary as a ``rich`` table."""
        from agents.report import table

        return table(self)


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
