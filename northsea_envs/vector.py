"""Many games of one kind at once, one numpy batch: rows for those who play them, and the public batched face."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

import northsea_envs
from northsea_envs.agent import Decisions
from northsea_envs.game import (
    LEAVE,
    REFUSE,
    RENEW,
    BatchArrays,
    Game,
    SaveError,
    check_seed,
    first_illegal,
    next_seed,
    reward_index,
)
from northsea_envs.jit import MAX_SEED, compiled, mix_seed, random_legal, random_seed

# Fewer rows than this are played sooner than a thread is woken.
MIN_ROWS_PER_THREAD = 64

_BATCH_FORMAT = "northsea-batch-1"


@compiled
def _mix_seeds(seeds, numbers, out):
    for k in range(len(out)):
        out[k] = mix_seed(seeds[k], numbers[k])


@compiled
def _follow_seeds(seeds):
    for k in range(len(seeds)):
        seeds[k] = next_seed(seeds[k])


@compiled
def _sample(rows, actions, salt, batch):
    """Draw a legal action for each of ``rows``, -1 where the game is over, by seed, decision and ``salt`` alone."""
    rng = np.empty(4, np.uint32)
    for k in range(len(rows)):
        row = rows[k]
        if batch.deciders[row] < 0:
            actions[k] = -1
        else:
            # Odd, so that no two decisions of a game draw from one seed, and not the seed that the game itself uses.
            number = 0x1E3779B97F4A7C15 * (1 + int(batch.decisions_made[row])) + salt
            random_seed(rng, (int(batch.seeds[row]) + number) & MAX_SEED)
            actions[k] = random_legal(rng, batch.legal[row])


class Results(NamedTuple):
    """How games ended, row by row.

    Attributes:
        scores: float64 (n, players), by the game's own count.
        ranks: int64 (n, players), places from 1, ties shared.
        truncated: bool (n,), whether the game was cut short by a limit on its length.
    """

    scores: np.ndarray
    ranks: np.ndarray
    truncated: np.ndarray


class GameBatch:
    """``len(seeds)`` games at the same number of players; any of them can be stepped, together.

    Rows are independent: a row's game depends on its seed and actions alone, not on the other rows nor on the number of
    threads. All arrays belong to the batch and are overwritten by :meth:`step` and :meth:`restart`.

    Attributes:
        game: the game.
        players: number of seats.
        states: structured array (n,), the records.
        arrays: everything else, see :class:`~northsea_envs.game.BatchArrays`. Of its arrays ``want``, ``seeds``,
            ``decisions_made``, ``deciders``, ``legal`` and ``observations`` are attributes here too.

    Args:
        game: the game.
        players: number of seats.
        seeds: int64 (n,), one a game.
        options: keywords of the game.
        reward: what the seats receive at the end: ``"rank"``, ``"win"`` or ``"score"``.
        num_threads: how many threads play; they pay from some hundred rows on.

    Raises:
        ValueError: an argument is not allowed.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        seeds: Sequence[int] | np.ndarray,
        options: Mapping[str, Any] = {},
        reward: str = "rank",
        num_threads: int = 1,
    ):
        self.game = game
        self.players = players = game.check_players(players)
        self.num_threads = check_count("num_threads", num_threads)
        self._pool: Executor | None = None
        n = len(seeds)
        self.states = np.zeros(n, game.state_dtype)
        self.arrays = BatchArrays(
            players=players,
            options=game.option_codes(players, options),
            blank=np.zeros(1, game.state_dtype),
            reward=reward_index(reward),
            want=np.ones((n, players), np.uint8),
            seeds=np.zeros(n, np.int64),
            decisions_made=np.zeros(n, np.int64),
            deciders=np.full(n, -1, np.int8),
            legal=np.zeros((n, game.num_actions(players)), np.int8),
            observations=np.zeros((n, game.observation_size(players)), np.float32),
            rewards=np.zeros((n, players), np.float32),
            terminated=np.zeros(n, bool),
            truncated=np.zeros(n, bool),
            scores=np.zeros((n, players)),
            ranks=np.zeros((n, players), np.int64),
            final_seeds=np.zeros(n, np.int64),
            final_decisions=np.zeros(n, np.int64),
        )
        self.want, self.seeds, self.decisions_made = self.arrays.want, self.arrays.seeds, self.arrays.decisions_made
        self.deciders, self.legal, self.observations = self.arrays.deciders, self.arrays.legal, self.arrays.observations
        self.restart(np.arange(n), seeds)

    def __len__(self) -> int:
        return len(self.states)

    def __getstate__(self) -> dict[str, Any]:
        # Threads are not copied; a copy makes its own.
        return {**self.__dict__, "_pool": None}

    def close(self) -> None:
        """End the threads; where one is needed again, they begin anew."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def spread(self, call: Callable[..., Any], *by_row: np.ndarray) -> None:
        """``call`` with ranges of the arrays, cut up alike, each range in a thread; for compiled functions."""
        n = len(by_row[0])
        pieces = min(self.num_threads, n // MIN_ROWS_PER_THREAD)
        if pieces < 2:
            call(*by_row)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.num_threads - 1, "northsea")
        bounds = [n * piece // pieces for piece in range(pieces + 1)]
        others = [
            self._pool.submit(call, *(array[begin:end] for array in by_row)) for begin, end in pairwise(bounds[1:])
        ]
        call(*(array[: bounds[1]] for array in by_row))
        for other in others:
            other.result()

    def restart(self, rows: np.ndarray, seeds: Sequence[int] | np.ndarray) -> None:
        """Begin new games in ``rows`` (int64), one from each of ``seeds``.

        Raises:
            ValueError: a seed is out of range; then no game has changed.
        """
        fresh = np.array([check_seed(seed) for seed in seeds], np.int64)
        begin, tables, states, arrays = self.game.kernels.begin_many, self.game.tables, self.states, self.arrays
        self.spread(lambda rows, seeds: begin(tables, states, rows, seeds, arrays), np.asarray(rows, np.int64), fresh)

    def step(self, rows: np.ndarray, actions: np.ndarray, over: int = REFUSE) -> None:
        """Play ``actions[k]`` in game ``rows[k]``; the rows must differ.

        Args:
            rows: int64 (k,).
            actions: integers (k,).
            over: what becomes of a game that is over: REFUSE an action in it, LEAVE it as it is, or RENEW it: begin the
                game of its :func:`~northsea_envs.game.next_seed` within the step that ends it. With the last two an
                action for a game that was over before is not looked at.

        Raises:
            ValueError: an action is not legal; then no game has changed.
        """
        rows = np.asarray(rows, np.int64)
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu" or actions.shape != rows.shape:
            raise ValueError(f"actions must be integers of shape {rows.shape}, not {actions.dtype} {actions.shape}")
        actions = actions.astype(np.int64, copy=False)
        play, tables, states, arrays = self.game.kernels.step_many, self.game.tables, self.states, self.arrays
        if self.num_threads == 1:
            bad = play(tables, states, rows, actions, over, arrays)
        else:
            # All are looked at before one is played.
            bad = first_illegal(rows, actions, over, self.deciders, self.legal)
            if bad < 0:
                self.spread(lambda rows, actions: play(tables, states, rows, actions, over, arrays), rows, actions)
        if bad >= 0:
            row = int(rows[bad])
            if self.deciders[row] < 0:
                raise ValueError(f"game {row} is over; restart it before the next action")
            legal = np.flatnonzero(self.legal[row]).tolist()
            raise ValueError(f"action {actions[bad]} is not legal in game {row}; legal: {legal}")

    def check_saved(self, states: np.ndarray, seeds: np.ndarray, decisions_made: np.ndarray) -> None:
        """Raise SaveError where :meth:`put_back` could not go on from these."""
        if states.dtype != self.states.dtype or not states.shape == seeds.shape == decisions_made.shape == (len(self),):
            raise SaveError(f"other games than these {len(self)} of {self.game.described}")
        self.game.check_states(states)
        wrong = (states["players"] != self.players) | (seeds < 0) | (decisions_made < 0)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise SaveError(f"game {row} is damaged: its number of players, seed or number of decisions is wrong")

    def put_back(self, states: np.ndarray, seeds: np.ndarray, decisions_made: np.ndarray) -> None:
        """Go on from these records (n,), seeds and numbers of decisions instead; ``want`` stays as it is.

        Raises:
            SaveError: they do not fit this batch, or are no positions; then nothing has changed.
        """
        self.check_saved(states, seeds, decisions_made)
        self.states[:], self.seeds[:], self.decisions_made[:] = states, seeds, decisions_made
        show, tables, arrays = self.game.kernels.show_many, self.game.tables, self.arrays
        self.spread(lambda rows: show(tables, self.states, rows, arrays), np.arange(len(self)))

    def sample(self, rows: np.ndarray, actions: np.ndarray, salt: int = 0) -> None:
        """Fill ``actions`` (int64) with uniformly random legal ones for ``rows`` (int64), -1 where a game is over.

        They follow from the game's seed, the number of its decisions and ``salt``, 0 .. 2**63 - 1.
        """
        self.spread(lambda rows, actions: _sample(rows, actions, salt, self.arrays), rows, actions)

    def look(self, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """What ``seats[k]`` (int64) sees in game ``rows[k]`` (int64), running or over; new, float32 (k, size)."""
        seen = np.empty((len(rows), self.observations.shape[1]), np.float32)
        self.game.kernels.look_many(self.game.tables, self.states, rows, seats, seen)
        return seen

    def decisions(self, rows: np.ndarray, salt: int = 0, observed: bool = True) -> Decisions:
        """The decisions now waiting in ``rows``, for an agent, with observations if ``observed``.

        ``salt`` (0 or more) goes into the seeds: it tells the agents at one table apart.
        """
        rows = np.asarray(rows, np.int64)
        seeds = np.empty(len(rows), np.int64)
        _mix_seeds(self.seeds[rows], self.decisions_made[rows] + (np.int64(salt + 1) << 32), seeds)
        return Decisions(
            self.game,
            self.players,
            self.observations[rows] if observed else np.empty((len(rows), 0), np.float32),
            self.legal[rows],
            self.deciders[rows].astype(np.int64),
            seeds,
            self.states,
            rows,
        )

    def results(self, rows: np.ndarray) -> Results:
        """How the games that ended last in ``rows`` ended; new arrays."""
        return Results(self.arrays.scores[rows], self.arrays.ranks[rows], self.arrays.truncated[rows])


class Step(NamedTuple):
    """What :meth:`BatchedEnv.reset` and :meth:`BatchedEnv.step` return; row i is game i.

    Attributes:
        observations: float32 (n, size), what the seat in ``seats`` may know, from its own point of view.
        masks: int8 (n, actions), 1 for what it may do; all zeros where the game is over.
        seats: int8 (n,), the seat that decides now; -1 where the game is over.
        rewards: float32 (n, players), what this step brought to every seat.
        terminated: bool (n,), the game ended in this step by its rules.
        truncated: bool (n,), the game ended in this step by a limit on its length.
    """

    observations: np.ndarray
    masks: np.ndarray
    seats: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray


class Ended(NamedTuple):
    """The ``k`` games that ended in the last step, in the order of their rows.

    Attributes:
        rows: int64 (k,), where they were played.
        seeds: int64 (k,), their seeds: ``reset(seed=...)`` of the AEC environment begins the same games.
        decisions: int64 (k,), how many decisions they had.
        scores: float64 (k, players), by the game's own count.
        ranks: int64 (k, players), places from 1, ties shared.
    """

    rows: np.ndarray
    seeds: np.ndarray
    decisions: np.ndarray
    scores: np.ndarray
    ranks: np.ndarray


class BatchedEnv:
    """``num_envs`` games at once, arrays in and arrays out; ``docs/batched.md`` says what belongs to what.

    In every step each game is given one action of the seat that decides in it, and plays on to its next decision, of
    whichever seat. A game that ends says so, with the rewards of all seats, and with ``autoreset`` its row shows the
    first decision of the next game in the same step.

    Row i's games are those that the AEC environment plays after ``reset(seed=s)`` and further ``reset()``, where s is
    row i's seed; they depend on nothing else, be it other rows, the number of rows or threads.

    Unless ``copy`` is set, all arrays are the environment's own and change with the next step or reset.

    Attributes:
        game: the game.
        num_envs: number of games, n.
        num_players: number of seats.
        reward: ``"rank"``, ``"win"`` or ``"score"``.
        autoreset: whether games that end are followed by new ones.
        copy: whether every array that is returned is new.
        games: the rows beneath: records, and decisions for agents (:meth:`GameBatch.decisions`).
        observation_space: Box of one observation.
        action_space: Discrete of the actions.

    Args:
        game: name of the game, or the game itself.
        num_envs: number of games, 1 or more.
        num_players: number of seats.
        num_threads: how many threads play.
        reward: what a seat receives at the end, as in :class:`~northsea_envs.aec.GameEnv`.
        tables: folder with corrected component tables, None for those of the package.
        autoreset: whether a game that ends is followed by the next. Without it the row stays over, its actions are not
            looked at and its rewards are 0, until it is reset.
        copy: whether to return copies.
        seed: row i begins with the game of ``seed + i``; None draws a seed from the system.
        options: keywords of the game.

    Raises:
        ValueError: an argument is not allowed.
        TableError: a component table is missing or wrong.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        num_players: int = 2,
        *,
        num_threads: int = 1,
        reward: str = "rank",
        tables: str | Path | None = None,
        autoreset: bool = True,
        copy: bool = False,
        seed: int | None = None,
        **options: Any,
    ):
        found = game if isinstance(game, Game) else northsea_envs.get_game(game, tables)
        self.game = found.with_options(options)
        self.num_envs = check_count("num_envs", num_envs)
        first = secrets.randbelow(MAX_SEED - self.num_envs) if seed is None else check_seed(seed)
        seeds = range(first, first + self.num_envs)
        self.games = GameBatch(self.game, num_players, seeds, options, reward, num_threads)
        self.num_players = self.games.players
        self.num_threads = self.games.num_threads
        self.reward = reward
        self.autoreset = bool(autoreset)
        self.copy = bool(copy)
        low, high = self.game.observation_bounds(self.num_players)
        self.observation_space = spaces.Box(low, high, dtype=np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions(self.num_players))
        arrays = self.games.arrays
        self._now = Step(
            arrays.observations, arrays.legal, arrays.deciders, arrays.rewards, arrays.terminated, arrays.truncated
        )
        self._all = np.arange(self.num_envs)
        self._sampled = np.zeros(self.num_envs, np.int64)
        self._over = RENEW if autoreset else LEAVE
        self._begun = False

    @property
    def seeds(self) -> np.ndarray:
        """int64 (n,), the seed of the game in each row."""
        return self.games.seeds.copy() if self.copy else self.games.seeds

    def _show(self) -> Step:
        return Step(*(array.copy() for array in self._now)) if self.copy else self._now

    def _check_begun(self) -> None:
        if not self._begun:
            raise RuntimeError("no game has begun; call reset() first")

    def reset(
        self,
        seed: int | None = None,
        *,
        rows: Sequence[int] | np.ndarray | None = None,
        seeds: Sequence[int] | np.ndarray | None = None,
    ) -> Step:
        """Begin new games, in all rows or in some.

        Args:
            seed: row i begins the game of ``seed + i``.
            rows: the rows to begin anew, as different indices or as a mask, bool (n,); None for all.
            seeds: instead of ``seed``, one for each of these rows. Without either every row goes on to the game that
                follows its last one; the first time it takes the game of the constructor's ``seed``.

        Returns:
            All rows. Rewards are 0, and nothing has ended, in the rows that begin; the others show their last step.

        Raises:
            ValueError: an argument is not allowed; then no game has changed.
        """
        chosen = self._all if rows is None else self._check_rows(rows)
        if seeds is not None:
            if seed is not None:
                raise ValueError("give seed or seeds, not both")
            if len(seeds) != len(chosen):
                raise ValueError(f"{len(chosen)} rows begin, and {len(seeds)} seeds are given")
        elif seed is not None:
            first = check_seed(seed)
            seeds = [first + row for row in chosen.tolist()]
        else:
            seeds = self.games.seeds[chosen]
            if self._begun:
                _follow_seeds(seeds)
        if rows is not None:
            self._check_begun()
        self.games.restart(chosen, seeds)
        self._begun = True
        return self._show()

    def _check_rows(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        chosen = np.asarray(rows)
        if chosen.dtype == bool and chosen.shape == (self.num_envs,):
            return np.flatnonzero(chosen)
        if not chosen.size:
            return np.empty(0, np.int64)
        if chosen.dtype.kind not in "iu" or chosen.ndim != 1 or len(np.unique(chosen)) < len(chosen):
            raise ValueError(f"rows must be different indices or a mask of {self.num_envs}, not {rows!r}")
        if chosen.min() < 0 or chosen.max() >= self.num_envs:
            raise ValueError(f"rows must lie in 0 .. {self.num_envs - 1}, not {rows!r}")
        return chosen.astype(np.int64)

    def step(self, actions: np.ndarray) -> Step:
        """Play ``actions[i]`` for the seat that decides in game i, and every forced decision after it.

        Args:
            actions: integers (n,). Of a row that is over (without ``autoreset`` only) it is not looked at.

        Raises:
            ValueError: an action is not legal, or the array is not of this kind; no game has changed.
            RuntimeError: no game has begun.
        """
        self._check_begun()
        self.games.step(self._all, actions, self._over)
        return self._show()

    def sample(self, salt: int = 0) -> np.ndarray:
        """A uniformly random legal action for every row, -1 where the game is over; int64 (n,).

        They follow from each game's seed, the number of its decisions, and ``salt`` (0 .. 2**63 - 1): the same again
        until the next step, and the same random games in whatever batch.
        """
        self.games.sample(self._all, self._sampled, check_seed(salt))
        return self._sampled.copy() if self.copy else self._sampled

    def ended(self) -> Ended:
        """The games that ended in the last step; new arrays."""
        arrays = self.games.arrays
        rows = np.flatnonzero(arrays.terminated | arrays.truncated)
        return Ended(
            rows, arrays.final_seeds[rows], arrays.final_decisions[rows], arrays.scores[rows], arrays.ranks[rows]
        )

    def get_state(self, row: int) -> bytes:
        """The game in ``row``, for ``set_state`` of the AEC environment."""
        return self.game.save(self.games.states, row)

    def save(self) -> bytes:
        """The whole batch, hidden cards and random numbers to come included, for :meth:`restore`.

        What the last step brought is not part of it.

        Raises:
            RuntimeError: no game has begun.
        """
        self._check_begun()
        games = self.games
        contents = games.states.tobytes() + games.seeds.tobytes() + games.decisions_made.tobytes()
        return self.game.seal(_BATCH_FORMAT, contents, **self._facts())

    def _facts(self) -> dict[str, Any]:
        # The options too: further games of the rows begin with them.
        return {
            "num_envs": self.num_envs,
            "num_players": self.num_players,
            "options": self.games.arrays.options.tolist(),
        }

    def restore(self, data: bytes) -> Step:
        """Go on from what :meth:`save` gave; the environment need not have been reset.

        Returns:
            All rows, as after :meth:`reset`.

        Raises:
            SaveError: damaged bytes, or games of another kind, version, tables, options or number; nothing has changed.
        """
        header, contents = self.game.unseal(_BATCH_FORMAT, data)
        for name, here in self._facts().items():
            if header.get(name) != here:
                raise SaveError(f"saved games with {name}={header.get(name)!r}, not {here!r}")
        n, size = self.num_envs, self.game.state_dtype.itemsize
        if len(contents) != n * (size + 16):
            raise SaveError(f"damaged: {len(contents)} bytes where {n * (size + 16)} are needed")
        states = np.frombuffer(contents, self.game.state_dtype, n).copy()
        seeds, decisions_made = np.frombuffer(contents, np.int64, 2 * n, n * size).reshape(2, n)
        self.games.put_back(states, seeds, decisions_made)
        self._begun = True
        return self._show()

    def close(self) -> None:
        """End the threads."""
        self.games.close()


def check_count(name: str, value: Any) -> int:
    """``value`` as an int; raises ValueError where it is no integer of 1 or more."""
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if isinstance(value, bool) or number < 1:
        raise ValueError(f"{name}={value!r} is not allowed; give an integer of 1 or more")
    return number
