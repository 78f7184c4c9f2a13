"""The flat action space of Raiders of the North Sea: which id means what (rules document, section 14.1).

The printed tables give the 97 ids of the document; other tables with more kinds of card or settlements move the blocks
behind them.
"""

from __future__ import annotations

import numpy as np

from northsea_envs.game import ActionBlock
from northsea_envs.games.raiders.state import (
    BUILDING_KEYS,
    BUILDINGS,
    DICE,
    DISPLAY,
    GOODS,
    MAX_PLAYERS,
    OPTIONS,
    RESOURCES,
    SETS,
)
from northsea_envs.jit import compiled

PASS = 0
BUILDING_0 = PASS + 1
SETTLEMENT_0 = BUILDING_0 + BUILDINGS

# Distances of the later blocks from the end of the crew's.
_OPPONENT = 0
_DISPLAY = _OPPONENT + MAX_PLAYERS - 1
_SET = _DISPLAY + DISPLAY
_RESOURCE = _SET + SETS
_DIE = _RESOURCE + GOODS
_COUNT = _DIE + DICE


@compiled
def hand_0(tables):
    """First id of the cards in hand, by kind."""
    return SETTLEMENT_0 + len(tables.min_crew)


@compiled
def crew_0(tables):
    """First id of the crew members, by kind."""
    return SETTLEMENT_0 + len(tables.min_crew) + len(tables.card_count)


@compiled
def _behind_crew(tables):
    return SETTLEMENT_0 + len(tables.min_crew) + 2 * len(tables.card_count)


@compiled
def opponent_0(tables):
    """First id of the opponents; the first is the next seat clockwise from the decider."""
    return _behind_crew(tables) + _OPPONENT


@compiled
def display_0(tables):
    """First id of the slots of the display."""
    return _behind_crew(tables) + _DISPLAY


@compiled
def set_0(tables):
    """First id of the sets of the raided settlement."""
    return _behind_crew(tables) + _SET


@compiled
def resource_0(tables):
    """First id of the goods."""
    return _behind_crew(tables) + _RESOURCE


@compiled
def die_0(tables):
    """First id of the dice."""
    return _behind_crew(tables) + _DIE


@compiled
def count_1(tables):
    """Id of the count of one card."""
    return _behind_crew(tables) + _COUNT


@compiled
def option_0(tables):
    """First id of the options of a building."""
    return _behind_crew(tables) + _COUNT + tables.limit_hand


def action_blocks(tables: np.ndarray) -> tuple[ActionBlock, ...]:
    """All blocks of the action space, in order, without gaps; ``tables`` is an array of one tables' record."""
    t = tables[0]
    kinds = len(t.card_count)
    goods = ", ".join(RESOURCES[:GOODS]).lower()
    return (
        ActionBlock(PASS, 1, "PASS", "decline, stop, or keep the dice"),
        ActionBlock(
            BUILDING_0,
            BUILDINGS,
            "BUILDING",
            f"place on, pick up from, or choose for the Merchant or Archer: {', '.join(BUILDING_KEYS)}",
        ),
        ActionBlock(SETTLEMENT_0, len(t.min_crew), "SETTLEMENT", "raid it, in the order of settlements.csv"),
        ActionBlock(int(hand_0(t)), kinds, "HAND", "a card of that kind from the own hand"),
        ActionBlock(int(crew_0(t)), kinds, "CREW", "an own crew member of that kind"),
        ActionBlock(
            int(opponent_0(t)), MAX_PLAYERS - 1, "OPPONENT", "the opponent 1, 2 or 3 seats clockwise from the decider"
        ),
        ActionBlock(int(display_0(t)), DISPLAY, "DISPLAY", "the offering in that slot"),
        ActionBlock(int(set_0(t)), SETS, "SET", "the set on that raid space of the settlement"),
        ActionBlock(int(resource_0(t)), GOODS, "RESOURCE", goods),
        ActionBlock(int(die_0(t)), DICE, "DIE", "the die to roll again"),
        ActionBlock(int(count_1(t)), int(t.limit_hand), "COUNT", "so many cards, from 1"),
        ActionBlock(int(option_0(t)), OPTIONS, "OPTION", "that option of the building's action"),
    )


def num_actions(tables: np.ndarray) -> int:
    """Size of the action space."""
    last = action_blocks(tables)[-1]
    return last.first + last.size
