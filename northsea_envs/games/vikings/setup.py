"""Setting up a game, beginning each round, and drawing hidden things anew. V-SETUP, V-OFFER, V-PASS."""

from northsea_envs.games.vikings.auction import open_auction
from northsea_envs.games.vikings.offer import begin_buying, lay_tiles, lay_vikings, seen_tiles, seen_vikings
from northsea_envs.games.vikings.special_tiles import reveal_special_tiles, shuffle_special_tiles
from northsea_envs.games.vikings.stacks import fill, redraw
from northsea_envs.games.vikings.state import ADVANCED, WHEEL_SPACES
from northsea_envs.jit import compiled, compiled_for, random_below, random_seed, random_shuffle

# Order of the option codes that ``setup`` receives.
START_SEAT, OPENING_MODE = range(2)


@compiled
def setup(tables, state, players, options, seed):
    """A fresh game in an all-zero record, the first round begun. V-SETUP-1..10, V-BUY-1."""
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
    shuffle_special_tiles(tables, state)
    state.round_number = 1
    begin_round(tables, state)


@compiled
def begin_round(tables, state):
    """Reveal special tiles, open the auction, or lay out the twelve sets. V-OFFER-1..5, V-SPEC-2, V-AUC-1, V-AUC-13."""
    state.sets_left = WHEEL_SPACES
    reveal_special_tiles(tables, state)
    if not open_auction(tables, state):
        lay_tiles(tables, state)
        lay_vikings(tables, state)
        begin_buying(state)


@compiled
def resample_hidden(tables, state, seat, seed):
    """Shuffle the stacks and the bag not yet seen, from their public contents, and all later chance.

    No seat knows more than another; the outcome depends on the contents, not on their present order. V-SETUP-5, -6, -9.
    """
    random_seed(state.rng, seed)
    redraw(state.rng, state.stack[seen_tiles(tables, state) :], len(tables.piece))
    redraw(state.rng, state.bag[seen_vikings(tables, state) :], len(tables.viking_count))
    _resample_special_tiles(tables, state)


@compiled_for(ADVANCED, otherwise=None)
def _resample_special_tiles(tables, state):
    redraw(state.rng, state.special_stack[state.specials_revealed :], len(tables.special_count))
