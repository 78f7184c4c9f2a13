"""Setting up a game, the offer of each round, and drawing hidden things anew. V-SETUP, V-OFFER, V-PASS."""

from northsea_envs.games.vikings.state import BUY, SHIP, WHEEL_SPACES
from northsea_envs.jit import compiled, random_below, random_seed, random_shuffle

# Order of the option codes that ``setup`` receives.
START_SEAT, OPENING_MODE = range(2)


@compiled
def setup(tables, state, players, options, seed):
    """A fresh game in an all-zero record, the first offer laid out. V-SETUP-1..10, V-BUY-1."""
    random_seed(state.rng, seed)
    state.players = players
    state.opening_mode = options[OPENING_MODE]
    for seat in range(players):
        state.gold[seat] = tables.start_gold[players]
        state.fame[seat] = tables.start_fame[players]
        state.start_tile_kept[seat] = 1
    # V-SETUP-2: start tiles of absent players leave the game.
    state.tiles_removed[tables.start_kind] = tables.tile_count[tables.start_kind] - players
    fill(state.stack, tables.draw_count)
    random_shuffle(state.rng, state.stack)
    fill(state.bag, tables.viking_count)
    random_shuffle(state.rng, state.bag)
    # V-SETUP-7: code 0 draws the start player, code 1 + seat names one.
    if options[START_SEAT] == 0:
        state.start_player = random_below(state.rng, players)
    else:
        state.start_player = options[START_SEAT] - 1
    state.round_number = 1
    prepare_offer(tables, state)


@compiled
def fill(values, counts):
    """Write each index k of ``counts`` into ``values`` ``counts[k]`` times, in order."""
    place = 0
    for k in range(len(counts)):
        for _ in range(counts[k]):
            values[place] = k
            place += 1


@compiled
def prepare_offer(tables, state):
    """Lay out this round's twelve sets and give the start player the first turn. V-OFFER-1..5, V-BUY-1."""
    first = (state.round_number - 1) * WHEEL_SPACES
    island_space, ship_space = 0, WHEEL_SPACES - 1
    for k in range(WHEEL_SPACES):
        kind = state.stack[first + k]
        if tables.piece[kind] == SHIP:
            state.wheel_tile[ship_space] = kind + 1
            ship_space -= 1
        else:
            state.wheel_tile[island_space] = kind + 1
            island_space += 1
    space = 0
    for colour in range(len(tables.viking_count)):
        for k in range(WHEEL_SPACES):
            if state.bag[first + k] == colour:
                state.wheel_viking[space] = colour + 1
                space += 1
    state.zero_space = 0
    state.sets_left = WHEEL_SPACES
    state.phase = BUY
    state.seat = state.start_player


@compiled
def resample_hidden(tables, state, seat, seed):
    """Shuffle the stacks and the bag not yet seen, from their public contents, and all later chance. V-SETUP-5, -6.

    No seat knows more than another; the outcome depends on the contents, not on their present order.
    """
    random_seed(state.rng, seed)
    seen = state.round_number * WHEEL_SPACES
    _redraw(state.rng, state.stack[seen:], len(tables.piece))
    _redraw(state.rng, state.bag[seen:], len(tables.viking_count))


@compiled
def _redraw(rng, values, kinds):
    # Sorted first, so that two orders of the same contents give the same draw.
    place = 0
    for kind in range(kinds):
        for k in range(place, len(values)):
            if values[k] == kind:
                values[k] = values[place]
                values[place] = kind
                place += 1
    random_shuffle(rng, values)
