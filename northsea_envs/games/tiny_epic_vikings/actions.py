"""The flat action space of Tiny Epic Vikings: which id means what (rules document, section 20.3).

The printed tables give the 316 ids of the document; a map with more locations, Islands or links moves the blocks behind
them.
"""

from __future__ import annotations

import numpy as np

from northsea_envs.game import ActionBlock
from northsea_envs.games.tiny_epic_vikings.state import (
    BOATS,
    CARDS,
    ENEMY,
    FAVORS,
    GOODS,
    MAX_PLAYERS,
    PAIRS,
    RESOURCES,
    RUNES,
    SLOTS,
)
from northsea_envs.jit import compiled

PASS = 0
PICK_0 = PASS + 1
FACEUP_0 = PICK_0 + CARDS
FACEDOWN_0 = FACEUP_0 + CARDS
END_0 = FACEDOWN_0 + CARDS
FAVOR_0 = END_0 + 4
BOAT_0 = FAVOR_0 + FAVORS
LOCATION_0 = BOAT_0 + BOATS

# Islands x (opponents clockwise from the actor, then the Enemy).
TARGETS = MAX_PLAYERS

# Exchange pairs: what is lost, what is gained.
PAIR_LOSES = tuple(x for x in range(GOODS) for y in range(GOODS) if x != y)
PAIR_GAINS = tuple(y for x in range(GOODS) for y in range(GOODS) if x != y)


# Distances of the later blocks from the end of the Islands.
_DEPLOY = 0
_YES = _DEPLOY + 1
_RESOURCE = _YES + 1
_LINK = _RESOURCE + GOODS


@compiled
def island_0(tables):
    """First id of the Islands; locations before it: Fjords, then Docks of the side in play."""
    return LOCATION_0 + tables.is_edge.shape[1] + tables.dock_island.shape[1]


@compiled
def _behind_islands(tables):
    return island_0(tables) + tables.island_rune.shape[1]


@compiled
def deploy_from_mat(tables):
    """Id of deploying a Settler from the Clan mat."""
    return _behind_islands(tables) + _DEPLOY


@compiled
def yes(tables):
    """Id of YES."""
    return _behind_islands(tables) + _YES


@compiled
def resource_0(tables):
    """First id of the resources."""
    return _behind_islands(tables) + _RESOURCE


@compiled
def link_0(tables):
    """First id of the links."""
    return _behind_islands(tables) + _LINK


@compiled
def target_0(tables):
    """First id of Island x target: ``TARGETS * island + target``."""
    return link_0(tables) + tables.link_from.shape[1]


@compiled
def slot_0(tables):
    """First id of the build slots."""
    return target_0(tables) + TARGETS * tables.island_rune.shape[1]


@compiled
def pair_0(tables):
    """First id of the exchange pairs."""
    return slot_0(tables) + SLOTS


@compiled
def amount_1(tables):
    """Id of the amount 1."""
    return pair_0(tables) + PAIRS


@compiled
def space_0(tables):
    """First id of the dedication spaces."""
    return amount_1(tables) + tables.resource_max


@compiled
def fury_0(tables):
    """First id of moving fury: ``2 * rune``, + 1 for downwards."""
    return space_0(tables) + len(tables.space_action)


@compiled
def target_clan(players, actor, target):
    """The clan that a target of a Smite stands for, -1 where there is none: seats clockwise from the actor, last E."""
    if target == TARGETS - 1:
        return ENEMY
    return (actor + 1 + target) % players if target < players - 1 else -1


def action_blocks(tables: np.ndarray) -> tuple[ActionBlock, ...]:
    """The action ids by meaning, under ``tables`` (an array of one tables' record)."""
    t = tables[0]
    islands, locations = t.island_rune.shape[1], int(island_0(t)) - LOCATION_0
    names = [bytes(name).rstrip(b"\0").decode() for name in t.space_id]
    pairs = ", ".join(f"{RESOURCES[x]} for {RESOURCES[y]}" for x, y in zip(PAIR_LOSES, PAIR_GAINS, strict=True))
    return (
        ActionBlock(PASS, 1, "PASS", "pass, stop, done, no"),
        ActionBlock(PICK_0, CARDS, "PICK", "keep that Viking card in the draft; discard it after a draw"),
        ActionBlock(FACEUP_0, CARDS, "FACEUP", "play that Viking card faceup"),
        ActionBlock(FACEDOWN_0, CARDS, "FACEDOWN", "play that Viking card facedown"),
        ActionBlock(END_0, 4, "END", "TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT of the Favor rows"),
        ActionBlock(FAVOR_0, FAVORS, "FAVOR", "return that Favor card"),
        ActionBlock(BOAT_0, BOATS, "BOAT", "the starting boat, then that of each boat slot"),
        ActionBlock(LOCATION_0, locations, "LOCATION", "Fjords, then Docks of the side in play"),
        ActionBlock(int(island_0(t)), islands, "ISLAND", "take a Settler there, or build there"),
        ActionBlock(int(deploy_from_mat(t)), 1, "DEPLOY", "deploy a Settler from the Clan mat"),
        ActionBlock(int(yes(t)), 1, "YES", "do the action, raid, take the Boon"),
        ActionBlock(int(resource_0(t)), GOODS, "RESOURCE", ", ".join(RESOURCES).lower()),
        ActionBlock(int(link_0(t)), len(t.link_from[0]), "LINK", "step along a ferry route, in that direction"),
        ActionBlock(
            int(target_0(t)),
            TARGETS * islands,
            "TARGET",
            f"by Island, {TARGETS} each: a Settler of the player 1, 2, 3 seats clockwise from the actor, of the Enemy",
        ),
        ActionBlock(int(slot_0(t)), SLOTS, "SLOT", "build the piece of that slot: boats, then temples"),
        ActionBlock(int(pair_0(t)), PAIRS, "PAIR", f"exchange {pairs}".lower()),
        ActionBlock(int(amount_1(t)), int(t.resource_max), "AMOUNT", "exchange so many, from 1"),
        ActionBlock(int(space_0(t)), len(t.space_action), "DEDICATE", f"dedicate a Village on {', '.join(names)}"),
        ActionBlock(int(fury_0(t)), 2 * len(RUNES), "FURY", "fury of each rune's god, up and down"),
    )


def num_actions(tables: np.ndarray) -> int:
    """Size of the action space."""
    last = action_blocks(tables)[-1]
    return last.first + last.size
