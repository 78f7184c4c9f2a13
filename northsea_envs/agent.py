"""What an agent is, how agents are named, and the random one.

An agent is asked for actions by batch; one decision is a batch of one. It never gets a game's true state: what it may
see are observations and masks, and games drawn by :meth:`Decisions.draw` that agree with what the deciding seat knows.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from northsea_envs.game import Game
from northsea_envs.jit import compiled, random_legal, random_seed


@dataclass(frozen=True)
class Decisions:
    """A batch of ``n`` decisions of one game at one number of players.

    Attributes:
        game: the game.
        players: number of seats.
        observations: float32 (n, observation size), each from its decider's seat; empty (n, 0) for an agent whose
            ``needs_observation`` is False.
        masks: int8 (n, actions), 1 where an action is legal.
        seats: int64 (n,), the deciding seats.
        seeds: int64 (n,), one fresh seed a decision. An agent that draws lots does it from these, so that its choice
            does not depend on how decisions are gathered into batches.
    """

    game: Game
    players: int
    observations: np.ndarray
    masks: np.ndarray
    seats: np.ndarray
    seeds: np.ndarray
    _states: np.ndarray = field(repr=False)
    _rows: np.ndarray = field(repr=False)

    def __len__(self) -> int:
        return len(self.seats)

    def draw(self, seeds: np.ndarray) -> np.ndarray:
        """One game for each decision, drawn uniformly from all that look the same to its decider.

        Args:
            seeds: int64 (n,), each in 0 .. 2**63 - 1.

        Returns:
            A new structured array (n,) of the game's ``state_dtype``.
        """
        out = np.empty(len(self), self.game.state_dtype)
        self.game.kernels.redraw_many(self.game.tables, self._states, self._rows, self.seats, seeds, out)
        return out


class Agent(Protocol):
    """Anything that chooses actions.

    Attributes:
        needs_observation: whether ``act`` reads ``decisions.observations``; False saves encoding them.
    """

    needs_observation: bool

    def act(self, decisions: Decisions) -> np.ndarray:
        """Legal actions for the batch, int64 (n,)."""
        ...


@compiled
def _random_actions(masks, seeds, actions):
    rng = np.empty(4, np.uint32)
    for k in range(len(seeds)):
        random_seed(rng, seeds[k])
        actions[k] = random_legal(rng, masks[k])


class RandomAgent:
    """Chooses uniformly among the legal actions."""

    needs_observation = False

    def __init__(self, game: Game, players: int):
        pass

    def act(self, decisions: Decisions) -> np.ndarray:
        """Uniformly random legal actions, int64 (n,)."""
        actions = np.empty(len(decisions), np.int64)
        _random_actions(decisions.masks, decisions.seeds, actions)
        return actions


class AgentError(ValueError):
    """An agent is not known, cannot be loaded, or does not fit the game."""


AgentFactory = Callable[..., Agent]

# Factories are called as factory(game, players, **parameters).
_factories: dict[str, AgentFactory] = {"random": RandomAgent}


def register_agent(name: str, factory: AgentFactory) -> None:
    """Make ``factory(game, players, **parameters)`` known as ``name``."""
    _factories[name] = factory


def make_agent(spec: str, game: Game, players: int) -> Agent:
    """The agent that a short string names.

    Args:
        spec: a name, such as ``"random"``, with parameters as in ``"name:parameter=1"``; the folder of a run or policy;
            or ``"package.module:Class"``, called as ``Class(game, players)``. Parameters that look like numbers are
            given as int or float, unless their annotation has ``str``.
        game: the game it will play.
        players: at how many seats.

    Raises:
        AgentError: no such agent, wrong parameters, or an agent of another game.
    """
    name, _, rest = spec.partition(":")
    rest_is_here = name in _factories or _import_agents()
    if name in _factories:
        return _call(spec, _factories[name], game, players, _parameters(spec, rest))
    for find in _finders:
        agent = find(spec, game, players)
        if agent is not None:
            return agent
    if rest and all(part.isidentifier() for part in name.split(".")):
        return _from_module(spec, name, rest, game, players)
    raise AgentError(
        f"agent {spec!r} is not known: not one of {', '.join(sorted(_factories))}, not the folder of a run, "
        "not module:Class"
        + ("" if rest_is_here else "; greedy and others come with the repository's agents folder, which is not here")
    )


# Each is asked for names that no factory has; it returns an agent, or None where the name is not its kind.
_finders: list[Callable[[str, Game, int], Agent | None]] = []


def register_finder(find: Callable[[str, Game, int], Agent | None]) -> None:
    """Ask ``find(spec, game, players)`` for names that no factory has, such as folders of runs."""
    _finders.append(find)


def _import_agents() -> bool:
    """Let the checkout's ``agents`` package register the rest; False where it is absent, as beside a bare wheel."""
    try:
        importlib.import_module("agents")
    except ModuleNotFoundError as error:
        if error.name != "agents":
            raise
        return False
    return True


def _parameters(spec: str, text: str) -> dict[str, str]:
    """What is behind a name, as it is written."""
    parameters: dict[str, str] = {}
    for part in text.split(",") if text else ():
        key, sign, value = part.partition("=")
        if not sign or not key.isidentifier() or not value:
            raise AgentError(f"agent {spec!r}: parameters are written name=value,name=value")
        if key in parameters:
            raise AgentError(f"agent {spec!r}: parameter {key} is given twice")
        parameters[key] = value
    return parameters


def _number(text: str) -> int | float | str:
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text


def _from_module(spec: str, module: str, attribute: str, game: Game, players: int) -> Agent:
    try:
        loaded = importlib.import_module(module)
    except ModuleNotFoundError as error:
        known = f"; agents are {', '.join(sorted(_factories))}" if error.name == module else ""
        raise AgentError(f"agent {spec!r}: there is no module {error.name!r}{known}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {spec!r}: importing {module!r} failed: {type(error).__name__}: {error}") from error
    if not hasattr(loaded, attribute):
        raise AgentError(f"agent {spec!r}: module {module!r} has no {attribute!r}")
    agent = _call(spec, getattr(loaded, attribute), game, players, {})
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"agent {spec!r}: {attribute} has no method act(decisions)")
    return agent


def _call(spec: str, factory: AgentFactory, game: Game, players: int, written: dict[str, str]) -> Agent:
    """``factory(game, players, **written)``, numbers being made of what are; AgentError where it does not take them."""
    try:
        # Bound before the call, so that a TypeError out of the factory's own code stays what it is.
        signature = inspect.signature(factory)
        own = list(signature.parameters.values())[2:]
        taken = {p.name: p.kind for p in own}
        # Folders may have names that look like numbers.
        texts = {p.name for p in own if re.search(r"\bstr\b", str(p.annotation))}
        parameters = {name: value if name in texts else _number(value) for name, value in written.items()}
        unknown = [name for name in parameters if name not in taken]
        if unknown and inspect.Parameter.VAR_KEYWORD not in taken.values():
            known = f"; there are {', '.join(taken)}" if taken else "; it takes none"
            raise AgentError(f"agent {spec!r}: parameter {unknown[0]!r} is not known{known}")
        signature.bind(game, players, **parameters)
    except TypeError as error:
        named = "".join(f", {name}={value}" for name, value in written.items())
        raise AgentError(f"agent {spec!r} cannot be called as (game, players{named}): {error}") from error
    return factory(game, players, **parameters)
