"""How good a position looks for one seat: for greedy play, search and reward shaping.

Each seat's final points are estimated: what it has, what its holdings will score and may still earn
(:mod:`prospects`), and, while its turn is under way, the best of its actions to come. The value is the mean over the
opponents of the chance to end ahead of them. Own cards count by what they do, those of others by their number.
"""

import math

import numpy as np

from northsea_envs.games.raiders.options import (
    under_way,
)
from northsea_envs.games.raiders.prospects import (
    FORCES,
    PURSE,
    TYPES,
    card_quality,
    holdings_worth,
    later,
    settlements_worth,
    track_worth,
    turns_to_come,
)
from northsea_envs.games.raiders.scoring import (
    ranks,
)
from northsea_envs.games.raiders.state import (
    ARMOUR,
    CARD,
    GOODS,
    MAX_PLAYERS,
)
from northsea_envs.games.raiders.weights import SCALE, SCALE_END
from northsea_envs.jit import compiled


@compiled
def value(tables, state, seat):
    """Between 0 and 1: the mean over the opponents of the chance to end ahead; at the end exactly that."""
    players = int(state.players)
    total = 0.0
    if state.seat < 0:
        places = np.empty(MAX_PLAYERS, np.int64)
        ranks(tables, state, places)
        for other in range(players):
            if other != seat:
                total += 0.5 + 0.5 * ((places[seat] < places[other]) - (places[seat] > places[other]))
        return total / (players - 1)
    points = np.empty(MAX_PLAYERS)
    for k in range(players):
        points[k] = expected_points(tables, state, k, k == seat)
    scale = tables.weights[SCALE_END] + tables.weights[SCALE] * max(0.0, turns_to_come(tables, state, seat))
    for other in range(players):
        if other != seat:
            total += 1 / (1 + math.exp((points[other] - points[seat]) / scale))
    return total / (players - 1)


@compiled
def expected_points(tables, state, seat, own):
    """Estimated final points of a seat; with ``own`` its hand may be looked at."""
    turns = turns_to_come(tables, state, seat)
    share = later(tables, turns)
    kinds = len(tables.card_count)
    purse, crew = np.zeros(PURSE), np.empty(kinds, np.int64)
    for good in range(GOODS):
        purse[good] = state.goods[seat, good]
    purse[CARD], purse[ARMOUR] = state.hand_size[seat], state.armour[seat]
    quality = 0.0
    for kind in range(kinds):
        crew[kind] = state.crew[seat, kind]
        if own:
            # Those picked to go away are as good as gone.
            purse[CARD] -= state.picked[seat, kind]
            quality += (int(state.hand[seat, kind]) - int(state.picked[seat, kind])) * card_quality(tables, kind)
    sets, force = np.empty(len(tables.min_crew)), np.empty((TYPES, FORCES))
    settlements_worth(tables, state, seat, share, sets)
    colour = int(state.worker[seat])
    total = state.vp[seat] + track_worth(tables, int(state.valkyries[seat]), share) + share * quality
    for tile in range(len(state.tile_owner)):
        if state.tile_owner[tile] == seat + 1:
            total += tables.tile_vp[tile]
    base = holdings_worth(tables, state, seat, purse, crew, colour, turns, sets, force)
    total += base
    if own and seat == state.owner:
        total += under_way(tables, state, seat, (purse, crew, turns, sets, force), colour, base)
    return total
