"""Vikings (Michael Kiesling, 2007): the basic game, 2 to 4 players."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from northsea_envs.game import Game, Option
from northsea_envs.games.vikings.actions import BEHIND, action_blocks, behind_cells
from northsea_envs.games.vikings.check import check
from northsea_envs.games.vikings.components import read_tables
from northsea_envs.games.vikings.observation import observation_fields, observe
from northsea_envs.games.vikings.rules import apply_decision, decider, legal_actions
from northsea_envs.games.vikings.scoring import ranks, scores
from northsea_envs.games.vikings.setup import resample_hidden, setup
from northsea_envs.games.vikings.state import MAX_PLAYERS, WHEEL_SPACES, state_dtype
from northsea_envs.games.vikings.text import Words
from northsea_envs.games.vikings.value import value

TABLES = Path(__file__).parent / "tables"
OPENING_MODES = ("adjacent", "any_of_first_three")


def game(folder: str | Path | None = None) -> Game:
    """Vikings with the component tables in ``folder``; None takes those that come with the package.

    Raises:
        TableError: a table is missing or holds something that is not allowed.
    """
    return bind(read_tables(TABLES if folder is None else Path(folder)))


def bind(tables: np.ndarray) -> Game:
    """Vikings under tables that :func:`read_tables` has read."""
    t = tables[0]
    words = Words(tables)

    def num_actions(players: int) -> int:
        return int(behind_cells(int(t.columns[players]))) + BEHIND

    def longest_game(players: int) -> int:
        # Purchases, placements and choices for a viking, start rows; a move and an END_TRIP a figure, DONEs.
        purchases = len(t.large_scoring) * WHEEL_SPACES
        return 3 * purchases + players + 2 * int(t.viking_count.sum()) + players * int(t.large_scoring.sum())

    return Game(
        name="vikings",
        version="v0",
        title="Vikings",
        min_players=2,
        max_players=MAX_PLAYERS,
        tables=tables,
        state_dtype=state_dtype(tables),
        options=(
            Option(
                "start_seat",
                (None, *range(MAX_PLAYERS)),
                None,
                "seat of the first start player; None draws it (V-SETUP-7)",
                is_seat=True,
            ),
            Option(
                "ship_opening_mode",
                OPENING_MODES,
                OPENING_MODES[int(t.default_opening_mode)],
                "second and third ship: touching an earlier one, or anywhere in columns 1 to 3 (V-SHIP-2)",
            ),
        ),
        longest_game=longest_game,
        num_actions=num_actions,
        observation_fields=partial(observation_fields, tables),
        action_blocks=lambda players: action_blocks(int(t.columns[players])),
        setup=setup,
        legal_actions=legal_actions,
        apply_decision=apply_decision,
        decider=decider,
        observe=observe,
        scores=scores,
        ranks=ranks,
        resample_hidden=resample_hidden,
        value=value,
        check=check,
        action_name=words.action_name,
        action_text=words.action_text,
        text=words.text,
    )
