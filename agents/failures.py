"""Agents whose own code fails: told with the agent's name, by one process or several alike."""

from __future__ import annotations

import traceback

from northsea_envs.agent import Agent, AgentError, make_agent
from northsea_envs.game import Game


class AgentFailedError(RuntimeError):
    """An agent raised something when it was asked; that is the cause.

    Other processes hand it on: it holds texts only, whatever the agent raised.

    Attributes:
        message: which agent raised what, on one line.
        trace: the traceback of what it raised.
    """

    def __init__(self, message: str, trace: str):
        super().__init__(message, trace)
        self.message, self.trace = message, trace

    def __str__(self) -> str:
        return self.message


def agent_failed(name: str, error: BaseException, decisions: int) -> AgentFailedError:
    """What to raise where agent ``name`` raised ``error`` when asked for so many decisions."""
    trace = "".join(traceback.format_exception(error))
    asked = "a decision" if decisions == 1 else f"{decisions} decisions"
    return AgentFailedError(f"agent {name!r} raised {_said(error)} when asked for {asked}", trace)


def make(name: str, spec: str, game: Game, players: int) -> Agent:
    """:func:`~northsea_envs.agent.make_agent`, for an agent that is called ``name``.

    Raises:
        AgentError: as there, and where its own code raises something else.
    """
    try:
        return make_agent(spec, game, players)
    except AgentError:
        raise
    except (Exception, SystemExit) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{where.filename}, line {where.lineno}"
        raise AgentError(f"agent {name!r} cannot be made: it raised {_said(error)} ({place})") from error


def _said(error: BaseException) -> str:
    """An error's type and text on one line."""
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
