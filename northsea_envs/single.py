"""One learning seat, the other seats played inside by agents: one game as a ``gymnasium.Env``, many as a ``VectorEnv``.

What is returned belongs to the learner alone: the observation is that of its next decision (or of the end, from its
seat), and the reward is all that came to it since its last decision, so a game that another seat ends still tells a
losing learner that it lost.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import northsea_envs
from northsea_envs.agent import Agent, AgentError, make_agent
from northsea_envs.game import Game, check_seed, next_seed, reward_index
from northsea_envs.jit import MAX_SEED, compiled, mix_seed, random_seed, random_word
from northsea_envs.vector import GameBatch, check_count

RENDER_MODES = ("human", "ansi")
ILLEGAL_ACTIONS = ("replace", "raise")
LEARNER = -1
MAX_EMPTY_GAMES = 1000

# Second argument of mix_seed for the lots drawn about a game, apart from those drawn in it.
_LOTS = 2


@compiled
def _draw_lots(seed, lots):
    rng = np.empty(4, np.uint32)
    random_seed(rng, mix_seed(seed, _LOTS))
    for k in range(len(lots)):
        lots[k] = random_word(rng) / 4294967296.0


def lots_about(seed: int, lots: int) -> np.ndarray:
    """Numbers in 0 <= lot < 1 that follow from a game's seed: who sits where, not what happens in the game."""
    drawn = np.empty(lots)
    _draw_lots(seed, drawn)
    return drawn


class SeatGames:
    """Games in each of which one seat, the learner's, is asked from outside, and agents play the others.

    Attributes:
        batch: the games. Every one waits for its learner or is over, except while a method runs.
        agents: who plays, by number; looked up anew each time.
        seats: int64 (n,), the learner's seat in each game.
        plays: int64 (n, players), the number of the agent in each seat, LEARNER in the learner's.
    """

    def __init__(self, batch: GameBatch, agents: Mapping[int, Agent]):
        self.batch = batch
        self.agents = agents
        self.seats = np.zeros(len(batch), np.int64)
        self.plays = np.full((len(batch), batch.players), LEARNER, np.int64)

    def begin(self, rows: np.ndarray, draw: Callable[[np.ndarray], np.ndarray]) -> None:
        """Begin games in ``rows`` and play to the learner's first decision.

        A game that ends before the learner decides anything teaches nothing; the next is begun in its place.

        Args:
            rows: int64.
            draw: sets ``seats`` and ``plays`` of the rows it is given, and returns the seeds of their next games.
        """
        for _ in range(MAX_EMPTY_GAMES):
            seeds = draw(rows)
            self.note_who_looks(rows)
            self.batch.restart(rows, seeds)
            self._play_others(rows)
            rows = rows[self.batch.deciders[rows] < 0]
            if not len(rows):
                return
        game = self.batch.game.id
        raise RuntimeError(f"{MAX_EMPTY_GAMES} games of {game} in a row ended before the learner decided")

    def note_who_looks(self, rows: np.ndarray) -> None:
        """Have observations written for the learner, and for agents that need them."""
        for row in rows:
            self.batch.want[row] = [
                number == LEARNER or getattr(self.agents[number], "needs_observation", True)
                for number in self.plays[row].tolist()
            ]

    def step(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Play the learner's ``actions`` in ``rows``, and the other seats until it is asked again or the game is over.

        Raises:
            ValueError: an action is not legal; then no game has changed.
            AgentError: an agent's answer is not legal.
        """
        self.batch.step(rows, actions)
        self._play_others(rows)

    def _play_others(self, rows: np.ndarray) -> None:
        batch = self.batch
        while True:
            deciders = batch.deciders[rows]
            others = (deciders >= 0) & (deciders != self.seats[rows])
            rows = rows[others]
            if not len(rows):
                return
            playing = self.plays[rows, deciders[others]]
            for number in np.unique(playing).tolist():
                agent = self.agents[number]
                its = rows[playing == number]
                actions = agent.act(batch.decisions(its, observed=getattr(agent, "needs_observation", True)))
                try:
                    batch.step(its, actions)
                except ValueError as error:
                    raise AgentError(f"{type(agent).__name__} as an opponent: {error}") from error

    def rewards(self) -> np.ndarray:
        """What the last step of every game brought to its learner, float32 (n,)."""
        batch = self.batch
        given = batch.arrays.rewards[np.arange(len(batch)), self.seats]
        # A game that goes on has brought nothing yet; the games pay at the end.
        given[batch.deciders >= 0] = 0
        return given

    def look(self, rows: np.ndarray) -> np.ndarray:
        """What the learners see in ``rows``, running or over; new, float32 (k, size)."""
        return self.batch.look(rows, self.seats[rows])


class _Table:
    """What the two Gymnasium faces share: the arguments, who sits where, and which game comes next."""

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        num_players: int | None,
        opponents: str | Agent | Sequence[str | Agent],
        seat: int | str,
        reward: str,
        illegal_action: str,
        tables: str | Path | None,
        num_threads: int,
        options: Mapping[str, Any],
    ):
        found = game if isinstance(game, Game) else northsea_envs.get_game(game, tables)
        self.game = found.with_options(options)
        several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        if num_players is None:
            num_players = len(opponents) + 1 if several else 2  # type: ignore[arg-type]
        players = self.game.check_players(num_players)
        who: list[Any] = list(opponents) if several else [opponents] * (players - 1)  # type: ignore[arg-type]
        if len(who) != players - 1:
            raise ValueError(f"{len(who)} opponents are given; a game of {players} players has {players - 1}")
        if seat != "random" and (isinstance(seat, bool | str) or seat not in range(players)):
            raise ValueError(
                f"seat={seat!r} is not allowed; choose from 'random', {', '.join(map(str, range(players)))}"
            )
        if illegal_action not in ILLEGAL_ACTIONS:
            choices = ", ".join(map(repr, ILLEGAL_ACTIONS))
            raise ValueError(f"illegal_action={illegal_action!r} is not allowed; choose from {choices}")
        reward_index(reward)
        # An agent that is named twice is one agent, asked once for all its seats.
        named = {spec: make_agent(spec, self.game, players) for spec in who if isinstance(spec, str)}
        self._seat, self._illegal_action = seat, illegal_action
        first = secrets.randbelow(MAX_SEED - num_envs)
        batch = GameBatch(self.game, players, range(first, first + num_envs), options, reward, num_threads)
        agents = [named[spec] if isinstance(spec, str) else spec for spec in who]
        distinct = {id(agent): agent for agent in agents}
        self._numbers = np.array([list(distinct).index(id(agent)) for agent in agents], np.int64)
        self.games = SeatGames(batch, dict(enumerate(distinct.values())))
        low, high = self.game.observation_bounds(players)
        self.observation_space = spaces.Box(low, high, dtype=np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions(players))

    def begin(self, rows: np.ndarray, seeds: Sequence[int | None] | None = None) -> None:
        """New games in ``rows``: those of ``seeds``, and where None, the ones that follow the rows' last games."""
        batch = self.games.batch
        given = dict(zip(rows.tolist(), seeds or [None] * len(rows), strict=True))
        for seed in given.values():
            if seed is not None:
                check_seed(seed)

        def draw(rows: np.ndarray) -> np.ndarray:
            found = []
            for row in rows.tolist():
                seed = given.pop(row, None)
                if seed is None:
                    seed = int(next_seed(int(batch.seeds[row])))
                self._take_seats(row, seed)
                found.append(seed)
            return np.array(found, np.int64)

        self.games.begin(rows, draw)

    def _take_seats(self, row: int, seed: int) -> None:
        players = self.games.batch.players
        seat = int(lots_about(seed, 1)[0] * players) if self._seat == "random" else int(self._seat)
        self.games.seats[row] = seat
        self.games.plays[row, seat] = LEARNER
        self.games.plays[row, (seat + 1 + np.arange(players - 1)) % players] = self._numbers

    def step(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Play in ``rows`` that wait for their learner; returns which actions were illegal and replaced, bool (k,)."""
        batch = self.games.batch
        actions = np.asarray(actions)
        if self._illegal_action == "raise" or actions.dtype.kind not in "iu" or actions.shape != rows.shape:
            self.games.step(rows, actions)
            return np.zeros(len(rows), bool)
        known = (actions >= 0) & (actions < batch.legal.shape[1])
        replaced = ~known | (batch.legal[rows, np.where(known, actions, 0)] == 0)
        if replaced.any():
            actions = actions.astype(np.int64)
            drawn = np.empty(int(replaced.sum()), np.int64)
            batch.sample(rows[replaced], drawn)
            actions[replaced] = drawn
        self.games.step(rows, actions)
        return replaced


class SeatEnv(gymnasium.Env):
    """One seat of one game as a Gymnasium environment; agents play the other seats inside.

    ``gymnasium.make("northsea/Vikings-v0", opponents=["greedy", "random"])`` and the like.

    Observations are float32 (size,), the learner's; actions are ``Discrete``. ``info`` holds ``"action_mask"``, int8
    (actions,), all zeros at the end, and ``"seat"``; at the end ``"rank"`` and ``"score"`` too, and after an illegal
    action ``"illegal_action"``. Every array is new.

    The games are those that the AEC environment plays after ``reset(seed=s)`` and further ``reset()``.

    Args:
        game: name of the game, or the game itself; the registered ids have it bound.
        num_players: number of seats; None takes one more than there are opponents in a list, else 2.
        opponents: who plays the other seats: an agent (object, or name as for
            :func:`~northsea_envs.agent.make_agent`) for all of them, or a list of them, the one who sits next to the
            learner clockwise first.
        seat: the learner's, 0 .. players - 1, or ``"random"``: drawn from each game's seed.
        reward: what a seat receives at the end, as in :class:`~northsea_envs.aec.GameEnv`.
        illegal_action: ``"replace"`` plays a uniformly random legal action in place of an illegal one and says so in
            ``info["illegal_action"]``, so that agents that do not know masks can learn; ``"raise"`` raises ValueError.
        render_mode: ``"ansi"`` (``render`` returns text), ``"human"`` (prints it after each step), or None.
        tables: folder with corrected component tables, None for those of the package.
        options: keywords of the game.

    Raises:
        ValueError: an argument is not allowed; AgentError where it is an opponent.
        TableError: a component table is missing or wrong.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 (Gymnasium's)

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        *,
        opponents: str | Agent | Sequence[str | Agent] = "random",
        seat: int | str = "random",
        reward: str = "rank",
        illegal_action: str = "replace",
        render_mode: str | None = None,
        tables: str | Path | None = None,
        **options: Any,
    ):
        _check_render_mode(render_mode)
        self.render_mode = render_mode
        self._table = _Table(game, 1, num_players, opponents, seat, reward, illegal_action, tables, 1, options)
        self.game = self._table.game
        self.observation_space: spaces.Box = self._table.observation_space
        self.action_space: spaces.Discrete = self._table.action_space
        self._row = np.zeros(1, np.int64)
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a game and play to the learner's first decision.

        Args:
            seed: 0 .. 2**63 - 1; None takes the game that follows the last one (the first is drawn from the system).
            options: not used.

        Raises:
            ValueError: a seed out of range.
        """
        if seed is not None:
            check_seed(seed)
        super().reset(seed=seed)
        self._table.begin(self._row, [seed])
        self._begun = True
        self._print()
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the other seats until it decides again or the game is over.

        Raises:
            ValueError: no integer, or not legal under ``illegal_action="raise"``; the game has not changed.
            RuntimeError: no game is running.
        """
        batch = self._table.games.batch
        if not self._begun or batch.deciders[0] < 0:
            raise RuntimeError("no game is running; call reset() first")
        replaced = self._table.step(self._row, np.asarray(action).reshape(-1))
        info = self._info()
        if replaced[0]:
            info["illegal_action"] = True
        self._print()
        arrays = batch.arrays
        reward = float(self._table.games.rewards()[0])
        return self._observe(), reward, bool(arrays.terminated[0]), bool(arrays.truncated[0]), info

    def _observe(self) -> np.ndarray:
        batch = self._table.games.batch
        return batch.observations[0].copy() if batch.deciders[0] >= 0 else self._table.games.look(self._row)[0]

    def _info(self) -> dict[str, Any]:
        batch, seat = self._table.games.batch, int(self._table.games.seats[0])
        info: dict[str, Any] = {"action_mask": batch.legal[0].copy(), "seat": seat}
        if batch.deciders[0] < 0:
            info |= {"rank": int(batch.arrays.ranks[0, seat]), "score": float(batch.arrays.scores[0, seat])}
        return info

    def action_masks(self) -> np.ndarray:
        """What the learner may do, bool (actions,); where sb3-contrib looks for it."""
        return self._table.games.batch.legal[0].astype(bool)

    def render(self) -> str | None:
        """The position as the learner sees it: returned in mode ``"ansi"``, printed in ``"human"``."""
        if self.render_mode is None:
            return None
        if not self._begun:
            raise RuntimeError("no game has begun; call reset() first")
        text = self.game.text(self._table.games.batch.states, 0, int(self._table.games.seats[0]))
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def _print(self) -> None:
        if self.render_mode == "human":
            self.render()


class SeatVectorEnv(VectorEnv):
    """One learning seat in each of many games as a Gymnasium ``VectorEnv``; opponents are asked in batch.

    ``gymnasium.make_vec("northsea/Vikings-v0", num_envs=256, vectorization_mode="vector_entry_point")`` and the like.
    Row i plays what :class:`SeatEnv` plays after ``reset(seed=seed + i)``, and everything is as in a ``SyncVectorEnv``
    of those, in the same autoreset mode. One thing is better: ``infos["action_mask"]`` always holds the masks of all
    rows, also where only some are reset.

    =========  ====================================================================================================
    NEXT_STEP  a game that ends shows its last observation; the row's next action is not looked at, and begins the
               next game, with reward 0
    SAME_STEP  the next game begins in the same step; ``infos["final_obs"]`` and ``["final_info"]`` tell of the end
    DISABLED   a game that ends shows its last observation; the caller begins the next with
               ``reset(options={"reset_mask": bool array})``
    =========  ====================================================================================================

    Args:
        game: as in :class:`SeatEnv`, and so are the others that are not listed here.
        num_envs: number of games.
        autoreset_mode: a mode or its value, such as ``"SameStep"``.
        copy: whether returned arrays are new. Without it observations and masks change with the next call.
        num_threads: how many threads play.
        render_mode: ``"ansi"`` (``render`` returns a text for each row) or None.

    Raises:
        ValueError: an argument is not allowed; AgentError where it is an opponent.
        TableError: a component table is missing or wrong.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        num_players: int | None = None,
        *,
        opponents: str | Agent | Sequence[str | Agent] = "random",
        seat: int | str = "random",
        reward: str = "rank",
        illegal_action: str = "replace",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int = 1,
        render_mode: str | None = None,
        tables: str | Path | None = None,
        **options: Any,
    ):
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode={render_mode!r} is not allowed for many games; choose from 'ansi' or None")
        self.num_envs = check_count("num_envs", num_envs)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**SeatEnv.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.copy = bool(copy)
        self._table = _Table(
            game, self.num_envs, num_players, opponents, seat, reward, illegal_action, tables, num_threads, options
        )
        self.game = self._table.game
        self.single_observation_space: spaces.Box = self._table.observation_space
        self.single_action_space: spaces.Discrete = self._table.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._all = np.arange(self.num_envs)
        self._begun = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin new games and play to the learners' first decisions.

        Args:
            seed: row i takes ``seed + i``, or the i-th of a list. None is the game that follows the row's last one.
            options: ``{"reset_mask": bool array (num_envs,)}`` begins those rows only.

        Raises:
            ValueError: a seed is out of range, or the mask is not of this kind.
        """
        seeds: list[int | None]
        if seed is None or isinstance(seed, Sequence):
            seeds = list(seed or [None] * self.num_envs)
            if len(seeds) != self.num_envs:
                raise ValueError(f"{len(seeds)} seeds are given for {self.num_envs} games")
            super().reset()
        else:
            seeds = [check_seed(seed) + row for row in range(self.num_envs)]
            super().reset(seed=seed)
        rows = self._all
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.dtype != bool or mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(f"reset_mask must be bool of shape ({self.num_envs},) with at least one True")
            if not self._begun and not mask.all():
                raise ValueError("reset_mask leaves out games that have not begun")
            rows = np.flatnonzero(mask)
        self._table.begin(rows, [seeds[row] for row in rows])
        self._begun = True
        return self._observations(), self._infos(np.empty(0, np.int64))

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play the learners' actions, then the other seats until each learner decides again or its game is over.

        Returns:
            Observations, float32 (n, size); rewards, float64 (n,); terminated and truncated, bool (n,); infos.

        Raises:
            ValueError: the actions are no integers (n,), or one is not legal under ``illegal_action="raise"``; no game
                has changed.
            RuntimeError: no game has begun, or, with autoreset disabled, one has ended and was not reset.
        """
        table, batch = self._table, self._table.games.batch
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu" or actions.shape != (self.num_envs,):
            raise ValueError(
                f"actions must be integers of shape ({self.num_envs},), not {actions.dtype} {actions.shape}"
            )
        over = batch.deciders < 0
        if not self._begun or (over.any() and self.autoreset_mode == AutoresetMode.DISABLED):
            which = f"game {int(np.argmax(over))} is over" if self._begun else "no game has begun"
            raise RuntimeError(f"{which}; call reset() first")
        running = np.flatnonzero(~over)
        replaced = running[table.step(running, actions[running])]
        if over.any():
            table.begin(np.flatnonzero(over))
        terminated, truncated = batch.arrays.terminated.copy(), batch.arrays.truncated.copy()
        rewards = table.games.rewards().astype(np.float64)
        ended = np.flatnonzero(batch.deciders < 0)
        if len(ended) and self.autoreset_mode == AutoresetMode.SAME_STEP:
            final = {"final_obs": self._last_observations(ended), "final_info": self._infos(replaced, ended)}
            table.begin(ended)
            infos = self._infos(np.setdiff1d(replaced, ended)) | final
            infos["_final_obs"] = infos["_final_info"] = self._marks(ended)
        else:
            infos = self._infos(replaced)
        return self._observations(), rewards, terminated, truncated, infos

    def _marks(self, rows: np.ndarray) -> np.ndarray:
        marks = np.zeros(self.num_envs, bool)
        marks[rows] = True
        return marks

    def _last_observations(self, ended: np.ndarray) -> np.ndarray:
        final = np.full(self.num_envs, None, object)
        for row, seen in zip(ended, self._table.games.look(ended), strict=True):
            final[row] = seen
        return final

    def _observations(self) -> np.ndarray:
        batch = self._table.games.batch
        ended = np.flatnonzero(batch.deciders < 0)
        if len(ended):
            # Nobody decides there, so the rows are free to show the end.
            batch.observations[ended] = self._table.games.look(ended)
        return batch.observations.copy() if self.copy else batch.observations

    def _infos(self, replaced: np.ndarray, rows: np.ndarray | None = None) -> dict[str, Any]:
        """Infos of ``rows`` (all by default), in the form of Gymnasium's vector environments."""
        games, arrays = self._table.games, self._table.games.batch.arrays
        told = self._marks(self._all if rows is None else rows)
        ended = told & (arrays.deciders < 0)
        values: dict[str, tuple[np.ndarray, np.ndarray]] = {
            "action_mask": (arrays.legal, told),
            "seat": (games.seats, told),
        }
        if ended.any():
            values["rank"] = arrays.ranks[self._all, games.seats], ended
            values["score"] = arrays.scores[self._all, games.seats], ended
        if (illegal := self._marks(replaced) & told).any():
            values["illegal_action"] = illegal, illegal
        infos: dict[str, Any] = {}
        for key, (array, marks) in values.items():
            if not marks.all():
                array = np.where(marks.reshape(-1, *[1] * (array.ndim - 1)), array, array.dtype.type(0))
            elif self.copy:
                array = array.copy()
            infos[key], infos[f"_{key}"] = array, marks.copy()
        return infos

    def action_masks(self) -> np.ndarray:
        """What the learners may do, bool (n, actions)."""
        return self._table.games.batch.legal.astype(bool)

    def render(self) -> tuple[str, ...] | None:
        """Each position as its learner sees it, in mode ``"ansi"``."""
        if self.render_mode is None:
            return None
        games = self._table.games
        return tuple(self.game.text(games.batch.states, row, int(games.seats[row])) for row in range(self.num_envs))

    def close_extras(self, **keywords: Any) -> None:
        """End the threads."""
        self._table.games.batch.close()


def _check_render_mode(render_mode: str | None) -> None:
    if render_mode is not None and render_mode not in RENDER_MODES:
        modes = ", ".join(map(repr, RENDER_MODES))
        raise ValueError(f"render_mode={render_mode!r} is not allowed; choose from {modes} or None")
