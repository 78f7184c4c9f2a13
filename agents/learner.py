"""One learning seat in each of many games, as a stable-baselines3 ``VecEnv``; agents play the other seats inside.

A step plays the learner's actions and then the other seats until every game waits for its learner again or is over.
The learner's reward is all that came to its own seat since its own last decision, so a game that ends on somebody
else's decision still tells a losing learner that it lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from agents.layout import Layout
from agents.look_ahead import LookAhead, width
from agents.pool import OpponentPool
from northsea_envs.game import Game, SaveError, bounds_of
from northsea_envs.jit import mix_seed
from northsea_envs.single import LEARNER, SeatGames, lots_about
from northsea_envs.vector import GameBatch


def input_space(layout: Layout, look_ahead: bool) -> gymnasium.spaces.Box:
    """What a network reads: the observation of ``layout``, and the columns of a look ahead if it has them."""
    looks = width(layout.num_actions) if look_ahead else 0
    low, high = bounds_of(layout.fields)
    low, high = np.append(low, np.full(looks, -1.0)), np.append(high, np.ones(looks))
    return gymnasium.spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)


class Rows(VecEnv):
    """What stable-baselines3 asks of a ``VecEnv`` whose rows are not environments of their own."""

    def action_masks(self) -> np.ndarray:
        """What the learner may do, bool (n, actions)."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing to release."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, once a row."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Rows share their attributes: set one for all."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> Any:
        """``action_masks``: bool (rows, actions); no other method exists by row."""
        if method_name != "action_masks":
            raise AttributeError(f"{method_name!r} is no method of a row; there is action_masks")
        return self.action_masks()[list(self._get_indices(indices))]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """No row is wrapped."""
        return [False for _ in self._get_indices(indices)]


class SelfPlayVecEnv(Rows):
    """``num_envs`` games at once, one learning seat in each, drawn anew for every game.

    Row i's k-th game, its learning seat and its opponents depend on ``seed``, i and k alone (and on who is in the pool
    when it begins, with what priority). Finished games restart within the step; ``infos[i]`` of a finished game has
    ``terminal_observation``, ``seat``, ``rank``, ``opponents`` (their names, by seat) and ``truncated``: whether the
    limit on a game's length cut it short. Such a game is ranked and rewarded as it stands, so nothing that it might
    have brought is estimated on top (stable-baselines3 would, for ``TimeLimit.truncated``).

    Args:
        game: the game.
        players: number of seats.
        num_envs: games at once.
        seed: 0 .. 2**63 - 1.
        opponents: who plays the other seats.
        reward: ``"rank"``, ``"win"`` or ``"score"``, as the environments' own rewards.
        shaping: weight w of the potential-based reward ``gamma * w' * value(after) - w * value(before)``, value(end)
            being 0 and w' the weight when it is paid. It may be set anew at any time: what a game has been paid sums to
            ``-w * value(start)`` with ``gamma`` 1, whatever was played, so it does not change which play is best.
        gamma: the trainer's discount.
        options: the game's options.
        look_ahead: whose columns follow each observation of a decision (at the end of a game they are 0); None for
            observations as they are.

    Raises:
        ValueError: an argument is not allowed.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        num_envs: int,
        seed: int,
        opponents: OpponentPool,
        reward: str = "rank",
        shaping: float = 0.0,
        gamma: float = 1.0,
        options: Mapping[str, Any] = {},
        look_ahead: LookAhead | None = None,
    ):
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs!r} is not allowed; give at least 1")
        self.game = game
        self.players = game.check_players(players)
        self.opponents = opponents
        self.reward = reward
        self.shaping = shaping
        self.gamma = gamma
        self.render_mode = None
        self.wins: dict[str, list[float]] = defaultdict(list)
        self._actions = np.zeros(num_envs, np.int64)
        self._all = np.arange(num_envs)
        self._potentials = np.zeros(num_envs)
        self._no_infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self.look_ahead = look_ahead
        space = input_space(Layout(game, players), look_ahead is not None)
        super().__init__(num_envs, space, gymnasium.spaces.Discrete(game.num_actions(players)))
        self.seed(seed)
        self._row_seeds = np.array(self._seeds, np.int64)
        self._games_begun = np.zeros(num_envs, np.int64)
        self._games = SeatGames(GameBatch(game, players, self._row_seeds, options, reward), opponents.agents)

    @property
    def parts(self) -> tuple[SelfPlayVecEnv, ...]:
        """The environments at one number of players each: this one."""
        return (self,)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Begin the rows' sequences of games anew at the next reset; None draws a seed."""
        if seed is None:
            seed = int(np.random.randint(0, 2**31))
        self._seeds = [int(mix_seed(seed, row)) for row in range(self.num_envs)]
        return self._seeds

    def reset(self) -> np.ndarray:
        """Begin a new game in every row and play to the learner's first decision; observations (n, size)."""
        if self._seeds[0] is not None:
            self._row_seeds = np.array(self._seeds, np.int64)
            self._games_begun[:] = 0
        self._reset_seeds()
        self._reset_options()
        self._begin(self._all)
        return self._observe()

    def _observe(self) -> np.ndarray:
        """What the learner reads in all rows; new, float32 (n, size)."""
        batch = self._games.batch
        if self.look_ahead is None:
            return batch.observations.copy()
        return self.look_ahead.beside(batch.observations, batch.decisions(self._all, observed=False))

    def _begin(self, rows: np.ndarray) -> None:
        """New games in ``rows``, played to the learner's first decision."""
        self._games.begin(rows, self._draw_games)
        self._potentials[rows] = self.shaping * self._values(rows) if self.shaping else 0.0

    def _draw_games(self, rows: np.ndarray) -> np.ndarray:
        """Seat the learner and its opponents in ``rows``; returns the seeds of the games."""
        games = self._games
        seeds = np.array(
            [mix_seed(s, k) for s, k in zip(self._row_seeds[rows], self._games_begun[rows], strict=True)], np.int64
        )
        self._games_begun[rows] += 1
        for row, seed in zip(rows, seeds.tolist(), strict=True):
            lots = lots_about(seed, 1 + self.players)
            games.seats[row] = int(lots[0] * self.players)
            games.plays[row] = [self.opponents.draw(lot) for lot in lots[1:]]
            games.plays[row, games.seats[row]] = LEARNER
        self.opponents.forget(np.unique(games.plays[games.plays != LEARNER]).tolist())
        return seeds

    def _values(self, rows: np.ndarray) -> np.ndarray:
        value, tables, games = self.game.kernels.value, self.game.tables, self._games
        return np.array([value(tables, games.batch.states, int(row), int(games.seats[row])) for row in rows])

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learner's actions, int (n,)."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play them, and then the other seats.

        Returns:
            Copies of the observations at the learner's next decision, float32 (n, size); its rewards, float32 (n,);
            which games ended, bool (n,); one info a row.

        Raises:
            ValueError: an action is not legal; then no game has changed.
        """
        games, batch = self._games, self._games.batch
        games.step(self._all, self._actions)
        dones = batch.deciders < 0
        rewards = games.rewards()
        infos = list(self._no_infos)
        if self.shaping or self._potentials.any():
            potentials = np.where(dones, 0.0, self.shaping * self._values(self._all))
            rewards += self.gamma * potentials - self._potentials
            self._potentials = potentials
        if dones.any():
            finished = np.flatnonzero(dones)
            for row, last in zip(finished.tolist(), self._last(finished), strict=True):
                infos[row] = {"terminal_observation": last, **self._report(row)}
            self._begin(finished)
        return self._observe(), rewards, dones, infos

    def _last(self, finished: np.ndarray) -> np.ndarray:
        """What the learner reads at the end of games; new, float32 (k, size)."""
        last = self._games.look(finished)
        if self.look_ahead is None:
            return last
        return np.pad(last, ((0, 0), (0, width(self.game.num_actions(self.players)))))

    def _report(self, row: int) -> dict[str, Any]:
        games, arrays = self._games, self._games.batch.arrays
        seat, ranks = int(games.seats[row]), arrays.ranks[row]
        numbers = games.plays[row].tolist()
        for other, number in enumerate(numbers):
            if other != seat:
                self.opponents.note(number, 0.5 + 0.5 * float(np.sign(ranks[other] - ranks[seat])))
        names = [None if number == LEARNER else self.opponents.names[number] for number in numbers]
        for name in {name for name in names if name is not None}:
            self.wins[name].append(float(ranks[seat] == 1) / np.sum(ranks == 1))
        return {
            "seat": seat,
            "rank": int(ranks[seat]),
            "opponents": names,
            "truncated": bool(arrays.truncated[row]),
        }

    def action_masks(self) -> np.ndarray:
        """What the learner may do, bool (n, actions)."""
        return self._games.batch.legal.astype(bool)

    def take_wins(self) -> dict[str, tuple[float, int]]:
        """By opponent: the learner's win share in games finished since the last call, and how many they were."""
        shares = {name: (float(np.mean(wins)), len(wins)) for name, wins in self.wins.items()}
        self.wins.clear()
        return shares

    def running(self) -> dict[str, np.ndarray]:
        """The games in progress as plain arrays, for :meth:`restore`."""
        games, batch = self._games, self._games.batch
        return {
            "states": batch.states.view(np.uint8).reshape(self.num_envs, -1).copy(),
            "seeds": batch.seeds.copy(),
            "decisions_made": batch.decisions_made.copy(),
            "row_seeds": self._row_seeds.copy(),
            "games_begun": self._games_begun.copy(),
            "seats": games.seats.copy(),
            "plays": games.plays.copy(),
            "potentials": self._potentials.copy(),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """Go on with the games that :meth:`running` gave; returns their observations, as :meth:`reset` does.

        The pool must hold the agents that play in them.

        Raises:
            ValueError: the arrays are of other shapes, or hold no games that can go on; then nothing has changed.
        """
        here = self.running()
        for name, array in here.items():
            found = arrays.get(name)
            if found is None or found.shape != array.shape or found.dtype != array.dtype:
                raise ValueError(f"running games: {name} must be {array.dtype} of shape {array.shape}")
        games, batch = self._games, self._games.batch
        states = np.ascontiguousarray(arrays["states"]).reshape(-1).view(self.game.state_dtype)
        seats, plays = arrays["seats"], arrays["plays"]
        saved = states, arrays["seeds"], arrays["decisions_made"]
        try:
            batch.check_saved(*saved)
        except SaveError as error:
            raise ValueError(f"running games: {error}") from error
        legal = np.zeros_like(batch.legal[0])
        for row in range(self.num_envs):
            known = all(n in self.opponents.agents for s, n in enumerate(plays[row].tolist()) if s != seats[row])
            if not known or self.game.kernels.legal(self.game.tables, states, row, legal) != seats[row]:
                raise ValueError(f"running games: game {row} is damaged")
        games.seats[:], games.plays[:] = seats, plays
        games.note_who_looks(self._all)
        batch.put_back(*saved)
        self._row_seeds, self._games_begun = arrays["row_seeds"].copy(), arrays["games_begun"].copy()
        self._potentials = arrays["potentials"].copy()
        return self._observe()
