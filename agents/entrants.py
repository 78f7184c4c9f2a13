"""Who takes part: agents by name, made of the strings that stand for them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from agents.failures import make
from northsea_envs.agent import Agent, AgentError
from northsea_envs.game import Game


def named(agents: Sequence[str | Agent]) -> dict[str, str | Agent]:
    """Agents by their strings or classes, namesakes numbered; raises ValueError where that tells them not apart."""
    if isinstance(agents, str):
        agents = [agents]
    names = [agent if isinstance(agent, str) else type(agent).__name__ for agent in agents]
    numbered = [
        name if names.count(name) == 1 else f"{name}#{names[: place + 1].count(name)}"
        for place, name in enumerate(names)
    ]
    by_name = dict(zip(numbered, agents, strict=True))
    if len(by_name) < len(numbered):
        raise ValueError(f"agents {', '.join(numbered)} cannot be told apart; give a mapping with names of your own")
    return by_name


def check_names(agents: Mapping[str, str | Agent]) -> None:
    """Raise AgentError where a name or string holds what no report can show."""
    for name, agent in agents.items():
        for text in dict.fromkeys((name, agent)) if isinstance(agent, str) else (name,):
            # Control characters, bytes that are no letter, and what XML does not know.
            wrong = [sign for sign in text if unicodedata.category(sign) in ("Cc", "Cs") or sign in "\ufffe\uffff"]
            if wrong:
                raise AgentError(f"agent {text!a} holds {wrong[0]!a}, which no report can show; rename it")


def entrant(name: str, agent: str | Agent, game: Game, players: int) -> Agent:
    """The agent that takes part as ``name``; raises AgentError where it cannot be made or is none."""
    if isinstance(agent, str):
        return make(name, agent, game, players)
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"agent {name!r}: {class_name(agent)} has no method act(decisions)")
    return agent


def class_name(agent: Agent) -> str:
    """Such as ``package.module:Class``."""
    return f"{type(agent).__module__}:{type(agent).__qualname__}"
