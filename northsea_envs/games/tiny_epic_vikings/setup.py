"""Setting up a game. Section 4."""

import numpy as np

from northsea_envs.games.tiny_epic_vikings.actions import LOCATION_0
from northsea_envs.games.tiny_epic_vikings.draft import begin_era
from northsea_envs.games.tiny_epic_vikings.knowledge import pool_0
from northsea_envs.games.tiny_epic_vikings.state import (
    CARDS,
    ENEMY,
    FAVORS,
    GODS,
    NOBODY,
    NOWHERE,
    RUNES,
    START_BOAT,
)
from northsea_envs.games.tiny_epic_vikings.turn import forget_action
from northsea_envs.jit import compiled, mix_seed, random_below, random_seed, random_shuffle

# Independent streams of random numbers, all from the game's seed; all but the first draw during setup only.
CARD_STREAM, GOD_STREAM, FAVOR_STREAM, CHIEFTAIN_STREAM = range(1, 5)


@compiled
def setup(tables, state, players, options, seed):
    """A fresh game in an all-zero record, up to the placing of boats. T-SETUP-1..9, T-2P-1."""
    state.players = players
    state.side = tables.side_of[players]
    state.enemy = players == 2 and tables.two_player_enemy != 0
    state.era = 1
    state.turn_seat = NOBODY
    state.starter = NOBODY
    state.invader_rune = NOWHERE
    state.holder[:] = NOBODY
    state.boat_at[:] = NOWHERE
    forget_action(state)
    _lay_out_map(tables, state)
    for seat in range(players):
        state.resources[seat] = tables.start_goods
    rng = np.empty(4, np.uint32)
    random_seed(rng, mix_seed(seed, GOD_STREAM))
    _choose_gods(tables, state, rng)
    random_seed(rng, mix_seed(seed, FAVOR_STREAM))
    _deal_favors(tables, state, rng)
    _shuffle_deck(tables, state, seed)
    random_seed(rng, mix_seed(seed, CHIEFTAIN_STREAM))
    state.chieftain = random_below(rng, players)
    state.phase = START_BOAT
    state.seat = (state.chieftain - 1) % players


@compiled
def _lay_out_map(tables, state):
    """T-SETUP-1, T-2P-1, T-2P-2."""
    for dock in range(tables.docks[state.side]):
        state.village[dock] = tables.has_village[state.side, dock]
    if state.enemy:
        for island in range(tables.islands[state.side]):
            state.settlers[island, ENEMY] = tables.enemy_settlers[state.side, island]
            state.temples[island, ENEMY] = tables.enemy_temples[state.side, island]


@compiled
def _choose_gods(tables, state, rng):
    """T-SETUP-2, T-SETUP-3."""
    gods = np.arange(GODS)
    random_shuffle(rng, gods)
    for rune in range(len(RUNES)):
        state.god[rune] = gods[rune]
        state.fury[rune] = tables.fury_start


@compiled
def _deal_favors(tables, state, rng):
    """T-SETUP-6"""
    favors = np.arange(FAVORS)
    random_shuffle(rng, favors)
    size = int(tables.favor_row[state.players])
    for row in range(2):
        for k in range(size):
            state.favor_row[row, k] = favors[row * size + k] + 1
        state.favor_row_size[row] = size


@compiled
def _shuffle_deck(tables, state, seed):
    """T-SETUP-5"""
    random_seed(state.rng, mix_seed(seed, CARD_STREAM))
    for card in range(CARDS):
        state.deck[card] = card
    random_shuffle(state.rng, state.deck)
    state.deck_size = CARDS
    state.kin[: state.players] = pool_0(tables) + 1


@compiled
def legal_starts(tables, state, mask):
    """DP-1. T-SETUP-9, T-MAP-7."""
    count = 0
    for fjord in range(tables.fjords[state.side]):
        if tables.is_edge[state.side, fjord]:
            mask[LOCATION_0 + fjord] = 1
            count += 1
    return count


@compiled
def place_start_boat(tables, state, fjord):
    """Counterclockwise, the Chieftain last. T-SETUP-9"""
    seat = int(state.seat)
    state.boat_at[seat, 0] = fjord
    if seat == state.chieftain:
        begin_era(tables, state)
    else:
        state.seat = (seat - 1) % state.players
