"""The offer of a round: what has been seen of the stacks and the bag, laying out the wheel, paying. V-OFFER."""

from northsea_envs.games.vikings.state import ADVANCED, AUCTION, BUY, REMOVE_VIKING, SHIP, WHEEL_SPACES
from northsea_envs.jit import compiled, compiled_for


@compiled
def seen_tiles(tables, state):
    """How many tiles of the stack have been face up; the rest are hidden."""
    return int(state.round_number) * WHEEL_SPACES - _face_down_tiles(tables, state)


@compiled_for(ADVANCED, otherwise=0)
def _face_down_tiles(tables, state):
    # V-AUC-1, -9: this round's tiles are laid out when the winner of the auction has removed a viking.
    return WHEEL_SPACES if state.phase == AUCTION or state.phase == REMOVE_VIKING else 0


@compiled
def seen_vikings(tables, state):
    """How many vikings have been drawn from the bag; the rest are hidden."""
    return int(state.round_number) * vikings_each_round(tables, state)


@compiled
def vikings_each_round(tables, state):
    """V-OFFER-4, V-AUC-1"""
    return WHEEL_SPACES + auction_is_on(tables, state)


@compiled_for(ADVANCED, otherwise=0)
def auction_is_on(tables, state):
    """1 in the game with the auction."""
    return int(tables.auction)


@compiled
def lay_tiles(tables, state):
    """Lay this round's tiles on the empty wheel, islands from space 0 up, ships from space 11 down. V-OFFER-1..3."""
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
    state.zero_space = 0


@compiled
def lay_vikings(tables, state):
    """Draw this round's vikings and lay them in the order of their colours from space 0. V-OFFER-4, V-AUC-13."""
    first = (state.round_number - 1) * WHEEL_SPACES
    space = 0
    for colour in range(len(tables.viking_count)):
        for k in range(WHEEL_SPACES):
            if state.bag[first + k] == colour:
                state.wheel_viking[space] = colour + 1
                space += 1


@compiled
def begin_buying(state):
    """The start player buys first. V-BUY-1, V-AUC-12."""
    state.phase = BUY
    state.seat = state.start_player


@compiled
def pay(state, seat, amount):
    """Gold first, then the missing part from fame. V-BUY-8, V-AUC-7."""
    gold = min(amount, int(state.gold[seat]))
    state.gold[seat] -= gold
    state.fame[seat] -= amount - gold
