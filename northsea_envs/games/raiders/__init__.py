"""Raiders of the North Sea (Shem Phillips, 2015): the base game, 2 to 4 players."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from northsea_envs.game import Game
from northsea_envs.games.raiders.actions import action_blocks, num_actions
from northsea_envs.games.raiders.check import check
from northsea_envs.games.raiders.components import TABLES, read_tables
from northsea_envs.games.raiders.observation import observation_fields, observe
from northsea_envs.games.raiders.rules import apply_decision, decider, legal_actions
from northsea_envs.games.raiders.scoring import ranks, scores, truncated
from northsea_envs.games.raiders.setup import resample_hidden, setup
from northsea_envs.games.raiders.state import (
    BUILDING_EXTRA,
    MAX_PLAYERS,
    RAID_REROLL,
    SWAP_WHOLE_HANDS,
    state_dtype,
)
from northsea_envs.games.raiders.text import Words
from northsea_envs.games.raiders.value import value
from northsea_envs.games.raiders.weights import WEIGHTS


def game(folder: str | Path | None = None) -> Game:
    """Raiders with the component tables in ``folder``; None takes those that come with the package.

    Raises:
        TableError: a table is missing or holds something that is not allowed.
    """
    return bind(read_tables(TABLES if folder is None else Path(folder)))


def bind(tables: np.ndarray) -> Game:
    """Raiders under tables that :func:`read_tables` has read."""
    t = tables[0]
    words = Words(tables)
    actions = num_actions(tables)
    blocks = action_blocks(tables)

    def longest_game(players: int) -> int:
        draft = players * int(t.draft_deal - t.draft_keep)
        return draft + players * int(t.max_turns_per_player) * longest_turn(tables)

    return Game(
        name="raiders",
        version="v0",
        title="Raiders of the North Sea",
        min_players=2,
        max_players=MAX_PLAYERS,
        tables=tables,
        state_dtype=state_dtype(tables),
        options=(),
        longest_game=longest_game,
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
        truncated=truncated,
        resample_hidden=resample_hidden,
        value=value,
        weights=WEIGHTS,
        check=check,
        action_name=words.action_name,
        action_text=words.action_text,
        text=words.text,
    )


def longest_turn(tables: np.ndarray) -> int:
    """No turn has more decisions than this, forced ones included."""
    t = tables[0]
    crew, cards = int(t.limit_crew), t.card_count.sum()

    def most(code: int) -> int:
        return crew * max((int(n) for n, c in zip(t.crew_n, t.crew_code, strict=True) if c == code), default=0)

    # An option with what is picked to pay and to gain; a visit to the Long House is one for each action, and PASS.
    option = 1 + int(t.op_pay_n.max() + t.op_get_n.max())
    building = max(option * (1 + most(BUILDING_EXTRA)) + 1, 2)
    # A card: an exchange of cards, payments by all opponents, picks, or the way to another building.
    picks = int(max(t.th_pay_n.max() + t.th_get_n.max(), t.th_get_n.max() + t.th_get2_n.max()))
    card = 1 + max(2 + 2 * int(t.limit_hand), (MAX_PLAYERS - 1) * int(t.th_get_n.max()), 1 + picks, 1 + building)
    work = 2 + card + building
    raid = 2 + most(RAID_REROLL) + int(t.plunder_count.max()) * (1 + 2 * int(t.crew_n.max()))
    # Cards beyond the limit: those gained this turn, or a whole hand.
    gained = int(t.op_get_n.max()) * (1 + most(BUILDING_EXTRA)) + most(BUILDING_EXTRA) + picks
    surplus = int(cards) if (t.th_code == SWAP_WHOLE_HANDS).any() else gained + int(t.plunder_count.max())
    return max(work, raid) + surplus
