"""One game as a PettingZoo AEC environment, for any game of the house."""

from __future__ import annotations

import copy
import operator
import secrets
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import northsea_envs
from northsea_envs.game import ILLEGAL, Game, check_seed, next_seed, reward_index, seat_rewards
from northsea_envs.jit import MAX_SEED
from northsea_envs.replay import Replay

RENDER_MODES = ("human", "ansi")


class IllegalActionError(ValueError):
    """The action is not legal in this position; the game has not changed."""


class GameEnv(AECEnv):
    """A PettingZoo AEC environment over a :class:`~northsea_envs.game.Game`, without wrappers.

    Agents are ``"player_0"`` ... in seating order. The agent selected next is the one who decides: it may be the same
    one several times in a row. Decisions with one legal action are never asked. Observations are
    ``{"observation": float32 (size,), "action_mask": int8 (actions,)}``; the mask stands in ``infos`` too, as the same
    array, and is all zeros for seats that do not decide. Every array is new: none is overwritten by a later step.

    When the game ends all agents terminate together, each with its reward and ``rank`` and ``score`` in its info. A
    game that is cut short by its limit of length truncates them instead, scored as it stands.

    Args:
        game: name of the game, or the game itself.
        num_players: number of seats.
        reward: what an agent receives at the end, zero-sum over the seats: ``"rank"`` first +1, last -1, evenly
            between, ties shared; ``"win"`` sole winner +1, each loser -1 / (players - 1), ties shared; ``"score"`` own
            score less the mean of the others'.
        render_mode: ``"ansi"`` (``render`` returns text), ``"human"`` (prints it after each step), or None.
        tables: folder with corrected component tables, None for those of the package.
        options: keywords of the game.

    Raises:
        ValueError: wrong number of players, unknown reward, render mode, option or value of an option.
        TableError: a component table is missing or wrong.
    """

    def __init__(
        self,
        game: str | Game,
        num_players: int = 2,
        *,
        reward: str = "rank",
        render_mode: str | None = None,
        tables: str | Path | None = None,
        **options: Any,
    ):
        super().__init__()
        found = game if isinstance(game, Game) else northsea_envs.get_game(game, tables)
        self.game = found.with_options(options)
        players = self.game.check_players(num_players)
        reward_index(reward)
        if render_mode is not None and render_mode not in RENDER_MODES:
            modes = ", ".join(map(repr, RENDER_MODES))
            raise ValueError(f"render_mode={render_mode!r} is not allowed; choose from {modes} or None")
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": self.game.id,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.reward = reward
        self.render_mode = render_mode
        self.options = dict(options)
        self._option_codes = self.game.option_codes(players, options)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        low, high = self.game.observation_bounds(players)
        actions = self.game.num_actions(players)
        self._size, self._actions = len(low), actions
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._states = np.zeros(1, self.game.state_dtype)
        self._legal = np.zeros(actions, np.int8)
        # Drawn at the first unseeded reset, so that copies made before it do not all play the same games.
        self._seed: int | None = None
        self._played: list[int] | None = None
        self._bind()

    def _bind(self) -> None:
        # Looked up once: attribute chains cost as much as a rule.
        self._tables, self._step = self.game.tables, self.game.kernels.step

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        del kept["_tables"], kept["_step"]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()

    def __copy__(self) -> GameEnv:
        # A shallow copy would play in the same record.
        return copy.deepcopy(self)

    def observation_space(self, agent: str) -> spaces.Space:
        """The agent's observation space, always the same object."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """The agent's action space, always the same object."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin a game.

        Args:
            seed: 0 .. 2**63 - 1; the same seed is the same game. None takes the seed that follows from the last one
                (the first is drawn from the system), so that unseeded games differ. A copy goes on with the same seeds.
            options: not used; the constructor's options stay in force.

        Raises:
            ValueError: a seed out of range.
        """
        if seed is not None:
            self._seed = check_seed(seed)
        elif self._seed is not None:
            self._seed = int(next_seed(self._seed))
        else:
            self._seed = secrets.randbelow(MAX_SEED)
        players = len(self.possible_agents)
        states = np.zeros(1, self.game.state_dtype)
        self.game.kernels.begin(self._tables, states, 0, players, self._option_codes, self._seed, self._legal)
        self._states = states
        self._played = []
        self._show()

    def _show(self) -> None:
        """Set everything that PettingZoo reads from the position."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.infos: dict[str, dict[str, Any]] = {}
        for agent in self.agents:
            self.infos[agent] = {"action_mask": np.zeros(self._actions, np.int8)}
        self._observed: str | None = None
        seat = self.game.kernels.legal(self._tables, self._states, 0, self._legal)
        if seat < 0:
            self._finish()
        else:
            self.agent_selection = self.possible_agents[seat]
            self.infos[self.agent_selection] = {"action_mask": self._legal.copy()}

    def step(self, action: int | None) -> None:
        """Play the selected agent's action and every forced decision after it.

        Args:
            action: a legal action, any integer type; None for an agent that has terminated.

        Raises:
            IllegalActionError: not legal here, out of range, or no integer. The game has not changed.
            RuntimeError: the game is over and all agents are gone.
        """
        agent = self.agent_selection
        if self.terminations.get(agent, True) or self.truncations[agent]:
            if not self.agents:
                raise RuntimeError("the game is over; call reset() to begin another")
            self._was_dead_step(action)
            return
        try:
            number = operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        # Here and not only in the compiled step, which takes no integers beyond 64 bits.
        if not 0 <= number < self._actions:
            self._refuse(action)
        observation = np.empty(self._size, np.float32)
        mask = np.empty(self._actions, np.int8)
        seat = self._step(self._tables, self._states, 0, number, self._legal, observation, mask)
        if seat == ILLEGAL:
            self._refuse(action)
        if self._played is not None:
            self._played.append(number)
        if seat >= 0:
            decider = self.possible_agents[seat]
            if decider is not agent:
                self.infos[agent] = {"action_mask": np.zeros(self._actions, np.int8)}
                self.agent_selection = decider
            self.infos[decider] = {"action_mask": mask}
            self._observed, self._observation = decider, observation
        else:
            self._finish()
        if self.render_mode == "human":
            self.render()

    def is_legal(self, action: Any) -> bool:
        """Whether :meth:`step` would play ``action`` for a live selected agent; False for anything else."""
        agent = self.agent_selection
        if self.terminations.get(agent, True) or self.truncations[agent]:
            return False
        try:
            number = operator.index(action)
        except TypeError:
            return False
        return 0 <= number < self._actions and self._legal.item(number) != 0

    def _refuse(self, action: Any) -> None:
        legal = np.flatnonzero(self._legal)
        names = ", ".join(f"{a} ({self.game.action_name(len(self.possible_agents), int(a))})" for a in legal[:12])
        more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
        raise IllegalActionError(f"action {action!r} is not legal for {self.agent_selection}; legal: {names}{more}")

    def _finish(self) -> None:
        players = len(self.possible_agents)
        scores, ranks = np.empty(players), np.empty(players, np.int64)
        truncated = bool(self.game.kernels.result(self._tables, self._states, 0, scores, ranks))
        rewards = np.empty(players)
        seat_rewards(reward_index(self.reward), scores, ranks, rewards)
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = float(rewards[seat])
            self._cumulative_rewards[agent] = float(rewards[seat])
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
            self.infos[agent] = {
                "action_mask": np.zeros(self._actions, np.int8),
                "rank": int(ranks[seat]),
                "score": float(scores[seat]),
            }
        self._observed = None
        self.agent_selection = self.possible_agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What ``agent`` may know now, from its own point of view; valid for every agent at any time after reset."""
        info = self.infos.get(agent)
        mask = np.zeros(self._actions, np.int8) if info is None else info["action_mask"]
        if agent == self._observed:
            return {"observation": self._observation, "action_mask": mask}
        observation = np.empty(self._size, np.float32)
        self.game.kernels.look(self._tables, self._states, 0, self._seats[agent], observation)
        if agent == self.agent_selection:
            self._observed, self._observation = agent, observation
        return {"observation": observation, "action_mask": mask}

    def render(self) -> str | None:
        """The position as text: returned in mode ``"ansi"``, printed in mode ``"human"``, None without a mode.

        Raises:
            RuntimeError: no game has begun.
        """
        if self.render_mode is None:
            return None
        self._check_begun()
        text = self.game.text(self._states, 0, None)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing to release."""

    def get_state(self) -> bytes:
        """The whole truth of the game, hidden cards and random numbers to come included, for :meth:`set_state`.

        That an illegal action ended the game early is not part of it.

        Raises:
            RuntimeError: no game has begun.
        """
        self._check_begun()
        return self.game.save(self._states, 0)

    def _check_begun(self) -> None:
        if "agents" not in self.__dict__:
            raise RuntimeError("no game has begun; call reset() or set_state() first")

    def set_state(self, data: bytes) -> None:
        """Go on from a position that :meth:`get_state` gave; the environment need not have been reset.

        Raises:
            SaveError: damaged bytes, or a game of another kind, version, tables or number of players; the environment
                keeps its own position.
        """
        states = self.game.restore(data)
        players = int(states[0].players)
        if players != len(self.possible_agents):
            raise northsea_envs.SaveError(f"a saved game of {players} players, not of {len(self.possible_agents)}")
        self._states = states
        self._played = None
        self._show()

    def clone(self) -> GameEnv:
        """An independent environment in the same position, for branching."""
        return copy.deepcopy(self)

    def replay(self) -> Replay:
        """The game so far as a replay that others can verify.

        Raises:
            RuntimeError: no game has begun, or it went on from :meth:`set_state`, so that its beginning is not known.
        """
        if self._played is None or self._seed is None:
            raise RuntimeError("no replay: the game did not begin with reset() here")
        return Replay.of(self.game, len(self.possible_agents), self._seed, self.options, self._played)


class _TerminateIllegal(wrappers.TerminateIllegalWrapper):
    """PettingZoo's wrapper keeps the mask of the last look; here every action is judged by the present position's."""

    def step(self, action: Any) -> None:
        self._prev_obs = None
        super().step(action)

    def set_state(self, data: bytes) -> None:
        self.env.set_state(data)
        self._terminated = False


class WrappedEnv(wrappers.OrderEnforcingWrapper):
    """The outermost wrapper of :func:`wrap`.

    A legal action of a live agent goes to the game directly, and so do look-ups after reset: PettingZoo's wrappers
    would pass them on unchanged, at several times the cost of the game itself. All else takes the whole stack.
    """

    def __init__(self, env: AECEnv):
        super().__init__(env)
        self._raw: GameEnv = env.unwrapped

    def __getattr__(self, name: str) -> Any:
        if name[0] != "_" and self.__dict__.get("_has_reset"):
            return getattr(self._raw, name)
        return super().__getattr__(name)

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """See :meth:`GameEnv.reset`."""
        # Before the wrappers note a reset that then fails.
        if seed is not None:
            check_seed(seed)
        super().reset(seed, options)

    def step(self, action: Any) -> None:
        """See :meth:`GameEnv.step`; an illegal action ends the game for the offender instead of raising."""
        if self._has_reset and self._raw.is_legal(action):
            self._has_updated = True
            self._raw.step(action)
        else:
            super().step(action)

    def observe(self, agent: str) -> Any:
        """See :meth:`GameEnv.observe`."""
        return self._raw.observe(agent) if self._has_reset else super().observe(agent)

    def last(self, observe: bool = True) -> tuple:
        """Observation, reward since its last decision, termination, truncation and info of the selected agent."""
        return self._raw.last(observe) if self._has_reset else super().last(observe)

    def set_state(self, data: bytes) -> None:
        """See :meth:`GameEnv.set_state`."""
        self.env.set_state(data)
        self._has_reset = True
        self._has_updated = True

    def clone(self) -> WrappedEnv:
        """An independent, equally wrapped environment in the same position."""
        return copy.deepcopy(self)


def wrap(raw: GameEnv) -> WrappedEnv:
    """PettingZoo's classic wrappers: an illegal action ends the game with -1 for the offender and 0 for the others."""
    env = _TerminateIllegal(raw, illegal_reward=-1)
    return WrappedEnv(wrappers.AssertOutOfBoundsWrapper(env))
