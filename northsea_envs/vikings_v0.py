"""Vikings as a PettingZoo environment (page written later)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from northsea_envs.aec import GameEnv, WrappedEnv, wrap


class raw_env(GameEnv):  # noqa: N801 (PettingZoo's name)
    """Vikings without wrappers: an illegal action raises and changes nothing. The fast face."""

    def __init__(
        self,
        num_players: int = 2,
        *,
        reward: str = "rank",
        render_mode: str | None = None,
        tables: str | Path | None = None,
        **options: Any,
    ):
        super().__init__("vikings", num_players, reward=reward, render_mode=render_mode, tables=tables, **options)


def env(**kwargs: Any) -> WrappedEnv:
    """Vikings in PettingZoo's classic wrappers; keywords as :class:`raw_env`."""
    return wrap(raw_env(**kwargs))
