"""Chunks of a tournament: what they are, playing one, and who plays them.

A chunk is a range of deals of one pairing, each in every seating. What it gives depends on the plan and the chunk, not
on who plays it or when: agents draw lots from their decisions' seeds, batches are those of the chunk, and libraries for
matrices use one thread. So results are the same to the bit with one process, several, or a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from threadpoolctl import threadpool_limits

import northsea_envs
from agents.failures import make
from agents.match import Interrupted, MatchResult, play_match
from northsea_envs.agent import Agent
from northsea_envs.game import Game
from northsea_envs.replay import FORMAT as REPLAY_FORMAT
from northsea_envs.replay import Replay


class NotPossibleError(ValueError):
    """A tournament that cannot be played in the way it was asked for."""


@dataclass(frozen=True)
class Setup:
    """What whoever plays chunks must know of a tournament; it can be pickled.

    Attributes:
        game: the game.
        players: number of seats.
        options: keywords of the game.
        specs: the agents by name, as strings.
        batch: games that run at a time, at most.
        replays: whether actions are recorded.
        version: the package's version.
    """

    game: Game
    players: int
    options: dict[str, Any]
    specs: dict[str, str]
    batch: int
    replays: bool
    version: str = northsea_envs.__version__


@dataclass(frozen=True)
class Chunk:
    """Some deals of one pairing.

    Attributes:
        pairing: number of the pairing in the schedule.
        first: the first deal.
        seatings: int64 (seatings, players), the agent in each seat.
        seeds: int64 (deals,), the seed of each deal.
    """

    pairing: int
    first: int
    seatings: np.ndarray
    seeds: np.ndarray

    def __len__(self) -> int:
        return len(self.seeds) * len(self.seatings)

    @property
    def key(self) -> tuple[int, int, int]:
        """Pairing, first deal, and the deal after the last."""
        return self.pairing, self.first, self.first + len(self.seeds)


@dataclass(frozen=True)
class Played:
    """A chunk's games.

    Attributes:
        result: the games, deal by deal in every seating.
        replays: the games as JSON documents, if recorded.
    """

    result: MatchResult
    replays: tuple[dict[str, Any], ...] = ()


class Workers(Protocol):
    """Those who play chunks.

    Attributes:
        slots: how many chunks they want to have at hand.
    """

    slots: int

    def submit(self, chunk: Chunk) -> None:
        """Hand over a chunk."""
        ...

    def finished(self) -> list[tuple[Chunk, Played]]:
        """Chunks that were played since the last call; waits until there is one."""
        ...

    def close(self) -> None:
        """End; chunks that are not finished are dropped."""
        ...


def play_chunk(setup: Setup, chunk: Chunk, agents: Mapping[str, Agent]) -> Played:
    """Play a chunk; raises as :func:`~agents.match.play_match` does."""
    seeds = np.repeat(chunk.seeds, len(chunk.seatings))
    lineups = np.tile(chunk.seatings, (len(chunk.seeds), 1))
    steps: list[tuple[np.ndarray, np.ndarray]] = []
    record = (lambda games, actions: steps.append((games, actions))) if setup.replays else None
    with threadpool_limits(limits=1):
        result = play_match(
            setup.game, setup.players, agents, lineups, seeds, setup.options, setup.batch, record=record
        )
    return Played(result, tuple(_replays(setup, result, steps)) if setup.replays else ())


def _replays(setup: Setup, result: MatchResult, steps: list[tuple[np.ndarray, np.ndarray]]) -> Iterator[dict[str, Any]]:
    games = np.concatenate([games for games, _ in steps])
    actions = np.concatenate([actions for _, actions in steps])
    order = np.argsort(games, kind="stable")
    ends = np.cumsum(np.bincount(games, minlength=len(result)))
    for k, own in enumerate(np.split(actions[order], ends[:-1])):
        replay = Replay.of(setup.game, setup.players, int(result.seeds[k]), setup.options, own.tolist())
        yield {"format": REPLAY_FORMAT, **vars(replay), "seating": [result.names[a] for a in result.lineups[k]]}


_agents: dict[tuple[Any, ...], dict[str, Agent]] = {}


def play_chunk_anywhere(setup: Setup, chunk: Chunk) -> Played:
    """:func:`play_chunk` in any process: the agents are made of their strings, once a process.

    Raises:
        NotPossibleError: another version of the package is installed where the chunk is played.
        AgentError: an agent cannot be made there.
    """
    if setup.version != northsea_envs.__version__:
        raise NotPossibleError(
            f"a worker has northsea_envs {northsea_envs.__version__}, the tournament {setup.version}; "
            "all machines must have the same checkout"
        )
    key = (setup.game.id, setup.game.fingerprint, setup.players, tuple(setup.specs.items()))
    if key not in _agents:
        _agents[key] = {name: make(name, spec, setup.game, setup.players) for name, spec in setup.specs.items()}
    return play_chunk(setup, chunk, _agents[key])


class InProcess:
    """Chunks played here, one when asked for."""

    slots = 1

    def __init__(self, setup: Setup, agents: Mapping[str, Agent]):
        self._setup, self._agents = setup, agents
        self._chunks: list[Chunk] = []

    def submit(self, chunk: Chunk) -> None:
        """Keep it until :meth:`finished`."""
        self._chunks.append(chunk)

    def finished(self) -> list[tuple[Chunk, Played]]:
        """Play the oldest; raises Interrupted, with the chunk as attribute, and as :func:`play_chunk`."""
        chunk = self._chunks.pop(0)
        try:
            return [(chunk, play_chunk(self._setup, chunk, self._agents))]
        except Interrupted as interrupt:
            interrupt.chunk = chunk  # type: ignore[attr-defined]
            raise

    def close(self) -> None:
        """Drop what was not begun."""
        self._chunks.clear()
