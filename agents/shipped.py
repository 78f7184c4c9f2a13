"""The policies that come along, as the agent ``pretrained``, and agents by name in one call."""

from __future__ import annotations

from pathlib import Path

import northsea_envs
from agents.policy import ABOUT_FILE, PolicyAgent, load_policy
from northsea_envs.agent import Agent, AgentError, make_agent, register_agent
from northsea_envs.game import Game

# The agent's name.
PRETRAINED = "pretrained"
FOLDER = Path(__file__).parent / "pretrained"


def folder_of(game: Game, players: int) -> Path:
    """Where the policy for ``game`` (a variant has one of its own) at ``players`` seats belongs."""
    variant = "".join(f"+{name}={value}" for name, value in game.variant.items() if value)
    return FOLDER / f"{game.name}{variant}" / f"{players}p"


def make_pretrained(game: Game, players: int, deterministic: int = 1) -> PolicyAgent:
    """The policy that comes along; with ``deterministic=0`` it draws actions by their probability.

    Raises:
        AgentError: there is none for this game at so many seats, or it is damaged.
    """
    if deterministic not in (0, 1):
        raise AgentError(f"pretrained: deterministic must be 0 or 1, not {deterministic!r}")
    folder = folder_of(game, players)
    if not (folder / ABOUT_FILE).is_file():
        there = sorted(
            f"{path.parent.parent.name} at {path.parent.name[:-1]}" for path in FOLDER.glob(f"*/*p/{ABOUT_FILE}")
        )
        raise AgentError(
            f"no pretrained policy comes along for {game.described} at {players} players; "
            f"there is one for: {', '.join(there) or 'no game yet'}"
        )
    return load_policy(folder, game, players, bool(deterministic))


def load(game: str | Game, spec: str, players: int = 2) -> Agent:
    """The agent that ``spec`` names: ``load("vikings", "pretrained")``, ``load("raiders", "greedy", players=4)``.

    Args:
        game: the game or its name.
        spec: as :func:`~northsea_envs.agent.make_agent` takes it.
        players: at how many seats it will play.

    Raises:
        ValueError: no such game or number of players; AgentError where it is the agent.
    """
    found = game if isinstance(game, Game) else northsea_envs.get_game(game)
    return make_agent(spec, found, found.check_players(players))


register_agent(PRETRAINED, make_pretrained)
