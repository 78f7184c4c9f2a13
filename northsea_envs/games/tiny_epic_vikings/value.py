"""How good a position looks for one seat: for greedy play, search and reward shaping."""

import numpy as np

from northsea_envs.games.tiny_epic_vikings.scoring import ranks
from northsea_envs.games.tiny_epic_vikings.state import MAX_PLAYERS
from northsea_envs.jit import compiled


@compiled
def value(tables, state, seat):
    """Between 0 and 1: the mean over the opponents of the chance to end ahead; at the end exactly that."""
    places = np.empty(MAX_PLAYERS, np.int64)
    ranks(tables, state, places)
    total = 0.0
    for other in range(state.players):
        if other != seat:
            total += 0.5 + 0.5 * ((places[seat] < places[other]) - (places[seat] > places[other]))
    return total / (state.players - 1)
