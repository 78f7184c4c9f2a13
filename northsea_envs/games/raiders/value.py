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
    BY_KIND,
    NOW,
    PURSE,
    SEAT,
    TILES,
    TURNS,
    card_quality,
    holdings_worth,
    later,
    muster,
    new_holdings,
    offers_worth,
    rounds_to_come,
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
                total += 0.5 + 0.5 * (int(places[seat] < places[other]) - int(places[seat] > places[other]))
        return total / (players - 1)
    points = np.empty(MAX_PLAYERS)
    holdings, rounds = new_holdings(tables), rounds_to_come(tables, state)
    for k in range(players):
        points[k] = expected_points(tables, state, k, k == seat, rounds, holdings)
    turns = turns_to_come(tables, state, seat, rounds)
    scale = tables.weights[SCALE_END] + tables.weights[SCALE] * max(0.0, turns)
    for other in range(players):
        if other != seat:
            total += 1 / (1 + math.exp((points[other] - points[seat]) / scale))
    return total / (players - 1)


@compiled
def expected_points(tables, state, seat, own, rounds, holdings):
    """Estimated final points of a seat; with ``own`` its hand may be looked at. ``holdings`` is scratch."""
    turns = turns_to_come(tables, state, seat, rounds)
    share = later(tables, turns)
    for good in range(GOODS):
        holdings[PURSE, good] = state.goods[seat, good]
    holdings[PURSE, CARD], holdings[PURSE, ARMOUR] = state.hand_size[seat], state.armour[seat]
    quality = 0.0
    for kind in range(len(tables.card_count)):
        holdings[BY_KIND, kind] = state.crew[seat, kind]
        if own and state.hand[seat, kind]:
            # Those picked to go away are as good as gone.
            holdings[PURSE, CARD] -= state.picked[seat, kind]
            quality += (int(state.hand[seat, kind]) - int(state.picked[seat, kind])) * card_quality(tables, kind)
    settlements_worth(tables, state, seat, share, holdings)
    offers_worth(tables, state, share, holdings)
    colour, tiles = int(state.worker[seat]), 0
    total = state.vp[seat] + track_worth(tables, int(state.valkyries[seat]), share) + share * quality
    for tile in range(len(state.tile_owner)):
        if state.tile_owner[tile] == seat + 1:
            total += tables.tile_vp[tile]
            tiles += 1
    holdings[SEAT, TURNS], holdings[SEAT, TILES] = turns, tiles
    muster(tables, state, seat, holdings, NOW)
    base = holdings_worth(tables, state, holdings, colour, NOW)
    total += base
    if own and seat == state.owner:
        total += under_way(tables, state, seat, holdings, colour, base)
    return total
