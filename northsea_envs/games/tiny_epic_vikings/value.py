"""How good a position looks for one seat: for greedy play, search and reward shaping.

Each seat's final points are estimated: Islands by its chance to hold them in the end, Favor cards, what its resources,
pieces, cards and battles may still bring (:mod:`prospects`), and what its actions under way will (:mod:`pending`). The
value is the mean over the opponents of the chance to end ahead of them. Own cards count by what they do, those of
others by their number. The weights come from tables/value.csv.
"""

import math

import numpy as np

from northsea_envs.games.tiny_epic_vikings.cards import row_runes
from northsea_envs.games.tiny_epic_vikings.pending import built_worth, pending_worth
from northsea_envs.games.tiny_epic_vikings.prospects import (
    COLUMNS,
    battle_worth,
    favor_runes_worth,
    good_worth,
    hand_worth,
    hold_chance,
    rune_worth,
    survey,
    turns_left,
    weigh,
)
from northsea_envs.games.tiny_epic_vikings.scoring import ranks
from northsea_envs.games.tiny_epic_vikings.state import (
    ANY_RUNE,
    DRAFT,
    FAVORS,
    GOODS,
    MAX_PLAYERS,
    RUNES,
    SLOTS,
)
from northsea_envs.games.tiny_epic_vikings.weights import (
    BUILT_TURNS,
    MEAN_CARD,
    ROW_RUNE,
    SCALE,
    SCALE_END,
    VILLAGE,
)
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
    left = turns_left(tables, state, seat)
    islands, runes = np.empty((len(state.holder), COLUMNS)), np.empty((2, len(RUNES)))
    survey(tables, state, islands)
    rune_worth(tables, state, left, runes)
    points = np.empty(MAX_PLAYERS)
    weighed_for = -1
    for k in range(players):
        turns = turns_left(tables, state, k)
        if turns != weighed_for:
            weigh(tables, state, islands, turns)
            weighed_for = turns
        points[k] = expected_points(tables, state, k, seat, islands, runes, turns)
    scale = tables.weights[SCALE_END] + tables.weights[SCALE] * left
    for other in range(players):
        if other != seat:
            total += 1 / (1 + math.exp((points[other] - points[seat]) / scale))
    return total / (players - 1)


@compiled
def expected_points(tables, state, seat, observer, islands, runes, left):
    """Estimated final points of a seat with so many turns left, from what ``observer`` may see."""
    w = tables.weights
    share = min(1.0, left / w[BUILT_TURNS])
    total = 0.0
    for island in range(tables.islands[state.side]):
        held = hold_chance(islands, island, seat)
        total += held * runes[0, tables.island_rune[state.side, island]]
    for favor in range(FAVORS):
        if state.favor_owner[favor] == seat + 1 and state.returning != favor + 1:
            total += favor_runes_worth(tables, favor, runes)
    for good in range(GOODS):
        total += good_worth(tables, good, int(state.resources[seat, good]), left)
    for slot in range(SLOTS):
        if state.built[seat, slot]:
            total += built_worth(tables, slot, share)
    total += w[VILLAGE] * min(float(state.villages[seat]), float(left)) * min(1.0, left / 2.0)
    if state.hand_size[seat]:
        total += w[ROW_RUNE] * row_runes(tables, state, seat, ANY_RUNE)
    if state.battle_card[seat] and not state.revealed:
        total += battle_worth(tables, state, seat, observer, runes, left)
    if seat == observer:
        total += hand_worth(tables, state, seat)
        total += pending_worth(tables, state, seat, islands, runes, left)
    else:
        total += w[MEAN_CARD] * (state.hand_size[seat] + (state.phase == DRAFT and state.picked[seat] > 0))
    return total
