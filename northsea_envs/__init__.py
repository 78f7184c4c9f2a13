"""Reinforcement-learning environments for Viking board games."""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo
from pettingzoo.env_registry.registration import aec_registry

from northsea_envs.game import Game, SaveError
from northsea_envs.tables import TableError

if TYPE_CHECKING:
    from northsea_envs.vector import BatchedEnv

__version__ = "0.2.0"
__all__ = ["GAMES", "Game", "SaveError", "TableError", "get_game", "make", "make_vec"]

# Names of the games; each has a folder in games/ and a module NAME_v0.
GAMES = ("vikings", "tiny_epic_vikings", "raiders")


def get_game(name: str, tables: str | Path | None = None) -> Game:
    """The rules of a game, with the component tables that come with the package or those in a folder.

    Args:
        name: ``"vikings"`` or ``"vikings_v0"``.
        tables: a folder with corrected component tables.

    Raises:
        ValueError: no such game or version.
        TableError: a table is missing or holds something that is not allowed.
    """
    # Only a version is cut off: a name may itself hold "_v".
    short = re.sub(r"_v[0-9]+$", "", name)
    if short not in GAMES:
        raise ValueError(f"there is no game {name!r}; games: {', '.join(GAMES)}")
    if tables is None:
        game = _printed_game(short)
    else:
        game = importlib.import_module(f"northsea_envs.games.{short}").game(tables)
        # Equal tables are one game, whose kernels are looked up once.
        tables_held = game.tables if game.unbound_tables is None else game.unbound_tables
        game = _corrected_games.setdefault((short, game.fingerprint, tables_held.tobytes()), game)
    if name not in (game.name, game.id):
        raise ValueError(f"there is no {name!r}; the version here is {game.id!r}")
    return game


_corrected_games: dict[tuple[str, str, bytes], Game] = {}


@cache
def _printed_game(name: str) -> Game:
    game: Game = importlib.import_module(f"northsea_envs.games.{name}").game()
    return game


def make(env_id: str, **kwargs: Any) -> Any:
    """A wrapped AEC environment by module name, such as ``make("vikings_v0", num_players=3)``.

    Raises:
        ValueError: no such environment.
    """
    return importlib.import_module(f"northsea_envs.{get_game(env_id).id}").env(**kwargs)


def make_vec(
    env_id: str,
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
) -> BatchedEnv:
    """Many games at once, such as ``make_vec("vikings_v0", 1024)``: see :class:`~northsea_envs.vector.BatchedEnv`.

    Raises:
        ValueError: no such environment, or an argument is not allowed.
        TableError: a component table is missing or wrong.
    """
    # Imported when asked for: those who play one game at a time need no threads.
    from northsea_envs.vector import BatchedEnv

    return BatchedEnv(
        env_id,
        num_envs,
        num_players,
        num_threads=num_threads,
        reward=reward,
        tables=tables,
        autoreset=autoreset,
        copy=copy,
        seed=seed,
        **options,
    )


for _name in GAMES:
    _id = f"northsea/{_name}-v0"
    # Importing twice, after a reload for example, must not warn.
    if _id not in aec_registry:
        pettingzoo.register("aec", _id, f"northsea_envs.{_name}_v0:env")
    _id = f"northsea/{_name.title().replace('_', '')}-v0"
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            "northsea_envs.single:SeatEnv",
            vector_entry_point="northsea_envs.single:SeatVectorEnv",
            kwargs={"game": _name},
        )
