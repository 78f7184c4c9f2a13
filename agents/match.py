"""Playing whole games in batches: each agent is asked once a step for all games that wait for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from agents.failures import agent_failed
from northsea_envs.agent import Agent, AgentError
from northsea_envs.game import Game, check_seed
from northsea_envs.vector import GameBatch

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
