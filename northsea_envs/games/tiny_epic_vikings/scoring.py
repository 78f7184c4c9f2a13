"""Final scoring and places: section 13 of the rules document. It never changes the position."""

import numpy as np

from northsea_envs.games.tiny_epic_vikings.battle import favors_held
from northsea_envs.games.tiny_epic_vikings.control import islands_held
from northsea_envs.games.tiny_epic_vikings.state import BOAT_SLOTS, FAVORS, GOODS, RUNES, SLOTS
from northsea_envs.jit import compiled

# What ties are broken by, most important first; the total before it. T-SCORE-3
TIE_BREAKS = ("Island Runes", "Favor cards", "Temples", "Boats", "resources")


@compiled
def god_rank(state, rune):
    """Rank 0, 1 or 2 of a rune's god by fury; equal gods all take the worst. T-SCORE-2"""
    rank = -1
    for other in range(len(RUNES)):
        rank += state.fury[other] >= state.fury[rune]
    return rank


@compiled
def passive_runes(tables, state, seat, rune):
    """Runes of a type on a seat's Favor cards. T-RUNE-5"""
    count = 0
    for favor in range(FAVORS):
        if state.favor_owner[favor] == seat + 1:
            count += tables.favor_runes[favor, rune]
    return count


@compiled
def island_points(tables, state, seat):
    """T-SCORE-1"""
    total = 0
    for island in range(tables.islands[state.side]):
        if state.holder[island] == seat:
            total += tables.island_vp[god_rank(state, tables.island_rune[state.side, island])]
    return total


@compiled
def favor_points(tables, state, seat):
    """T-SCORE-1"""
    total = 0
    for rune in range(len(RUNES)):
        total += passive_runes(tables, state, seat, rune) * tables.favor_vp[god_rank(state, rune)]
    return total


@compiled
def scores(tables, state, out):
    """Points of every seat if the game ended here. T-SCORE-1, T-SCORE-2, T-SCORE-4."""
    for seat in range(state.players):
        out[seat] = island_points(tables, state, seat) + favor_points(tables, state, seat)


@compiled
def _standing(tables, state, seat, out):
    """Total, then what ties are broken by. T-SCORE-3"""
    out[0] = island_points(tables, state, seat) + favor_points(tables, state, seat)
    out[1] = islands_held(tables, state, seat)
    out[2] = favors_held(state, seat)
    out[3:] = 0
    for slot in range(SLOTS):
        out[3 if slot >= BOAT_SLOTS else 4] += state.built[seat, slot]
    for good in range(GOODS):
        out[5] += state.resources[seat, good]


@compiled
def ranks(tables, state, out):
    """Places from 1 by points and tie-breaks; equal seats share and the next place is skipped. T-SCORE-3"""
    players = int(state.players)
    standing = np.empty((players, len(TIE_BREAKS) + 1), np.int64)
    for seat in range(players):
        _standing(tables, state, seat, standing[seat])
    for seat in range(players):
        out[seat] = 1
        for other in range(players):
            for k in range(len(TIE_BREAKS) + 1):
                if standing[other, k] != standing[seat, k]:
                    out[seat] += standing[other, k] > standing[seat, k]
                    break
