"""Tiny Epic Vikings (Scott Almes, 2023): the complete game for 2 to 4 players."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from northsea_envs.game import Game
from northsea_envs.games.tiny_epic_vikings.actions import action_blocks, num_actions
from northsea_envs.games.tiny_epic_vikings.check import check
from northsea_envs.games.tiny_epic_vikings.components import TABLES, read_tables
from northsea_envs.games.tiny_epic_vikings.hidden import resample_hidden
from northsea_envs.games.tiny_epic_vikings.observation import observation_fields, observe
from northsea_envs.games.tiny_epic_vikings.rules import apply_decision, decider, legal_actions
from northsea_envs.games.tiny_epic_vikings.scoring import ranks, scores
from northsea_envs.games.tiny_epic_vikings.setup import setup
from northsea_envs.games.tiny_epic_vikings.state import MAX_PLAYERS, state_dtype
from northsea_envs.games.tiny_epic_vikings.text import Words
from northsea_envs.games.tiny_epic_vikings.value import value
from northsea_envs.games.tiny_epic_vikings.weights import WEIGHTS


def game(folder: str | Path | None = None) -> Game:
    """Tiny Epic Vikings with the component tables in ``folder``; None takes those that come with the package.

    Raises:
        TableError: a table is missing or holds something that is not allowed.
    """
    return bind(read_tables(TABLES if folder is None else Path(folder)))


def bind(tables: np.ndarray) -> Game:
    """Tiny Epic Vikings under tables that :func:`read_tables` has read."""
    words = Words(tables)
    actions = num_actions(tables)
    blocks = action_blocks(tables)
    return Game(
        name="tiny_epic_vikings",
        version="v0",
        title="Tiny Epic Vikings",
        min_players=2,
        max_players=MAX_PLAYERS,
        tables=tables,
        state_dtype=state_dtype(tables),
        options=(),
        longest_game=lambda players: players * (1 + int(tables[0].hand.sum()) * longest_turn(tables)),
        num_actions=lambda players: actions,
        observation_fields=partial(observation_fields, tables),
        action_blocks=lambda players: blocks,
        setup=setup,
        legal_actions=legal_actions,
        apply_decision=apply_decision,
        decider=decider,
        observe=observe,
        scores=scores,
        ranks=ranks,
        resample_hidden=resample_hidden,
        value=value,
        weights=WEIGHTS,
        check=check,
        action_name=words.action_name,
        action_text=words.action_text,
        text=words.text,
    )


def longest_turn(tables: np.ndarray) -> int:
    """No turn has more decisions than this, with the draft of its card and its battle, forced ones included."""
    t = tables[0]
    most = int(max(t.leader_n.max(), t.rune_n.max(), t.boon_n.max(), t.space_n.max()))
    # A docking: the move, a displacement, deployment, a raid. Other actions take one decision each, and PASS.
    action = max(1 + most * (4 + most), 1 + most + int(t.slot_any_bonus.sum()))
    # Draft, card, Favor card; Leader and Rune Action, dedication; a Boon for each loser; a Favor card returned.
    return 3 + 3 * (1 + action) + (1 + action) + 2
