"""The auction for the start player's marker, and laying out the vikings by colours: section 10 of the rules."""

from northsea_envs.games.vikings.actions import BID, BID_MORE, COLOUR, MORE, PASS
from northsea_envs.games.vikings.offer import begin_buying, lay_tiles, pay, vikings_each_round
from northsea_envs.games.vikings.state import ADVANCED, AUCTION, LAY_COLOUR, REMOVE_VIKING, WHEEL_SPACES
from northsea_envs.jit import compiled, compiled_for


@compiled_for(ADVANCED, otherwise=False)
def open_auction(tables, state):
    """Show this round's vikings and ask the old start player; False where there is no auction. V-AUC-1, -2, -4."""
    if not tables.auction:
        return False
    each = vikings_each_round(tables, state)
    first = (state.round_number - 1) * each
    for k in range(each):
        state.drawn[state.bag[first + k]] += 1
    state.zero_space = -1
    state.standing_bidder = state.start_player
    state.phase = AUCTION
    state.seat = state.start_player
    return True


@compiled_for(ADVANCED, otherwise=0)
def legal_in_auction(tables, state, mask, behind):
    """Bids and PASS, or the colours that can be removed or laid. V-AUC-3..5, -8, -10."""
    count = 0
    if state.phase != AUCTION:
        for colour in range(len(state.drawn)):
            if state.drawn[colour]:
                mask[behind + COLOUR + colour] = 1
                count += 1
        return count
    wealth = int(state.gold[state.seat]) + int(state.fame[state.seat])
    highest = wealth - int(state.standing_bid) - int(state.pending_raise)
    # V-AUC-4: only the old start player's first word may be 0.
    lowest = 0 if not state.bid_opened and state.pending_raise == 0 else 1
    for step in range(lowest, min(highest, MORE) + 1):
        mask[behind + BID + step] = 1
        count += 1
    if highest > MORE:
        mask[behind + BID_MORE] = 1
        count += 1
    if state.pending_raise == 0:
        mask[behind + PASS] = 1
        count += 1
    return count


@compiled_for(ADVANCED, otherwise=None)
def decide_in_auction(tables, state, seat, offset):
    """A bid or a pass, a removal, or a colour laid out; ``offset`` is the action's distance from the cells' end."""
    if state.phase == REMOVE_VIKING:
        _remove_viking(tables, state, offset - COLOUR)
    elif state.phase == LAY_COLOUR:
        _lay_colour(state, seat, offset - COLOUR)
    elif offset == BID_MORE:
        state.pending_raise += MORE
    else:
        if offset == PASS:
            state.passed[seat] = 1
        else:
            state.standing_bid += state.pending_raise + offset - BID
            state.standing_bidder = seat
            state.pending_raise = 0
        state.bid_opened = 1
        _ask_next_bidder(state, seat)


@compiled
def _ask_next_bidder(state, seat):
    """Clockwise, whoever has neither passed nor the standing bid; without one the auction is over. V-AUC-2, -5, -6."""
    for k in range(1, state.players):
        other = (seat + k) % state.players
        if not state.passed[other] and other != state.standing_bidder:
            state.seat = other
            return
    # V-AUC-7
    winner = int(state.standing_bidder)
    pay(state, winner, int(state.standing_bid))
    state.start_player = winner
    state.standing_bid = 0
    state.standing_bidder = 0
    state.bid_opened = 0
    state.passed[:] = 0
    state.phase = REMOVE_VIKING
    state.seat = winner


@compiled
def _remove_viking(tables, state, colour):
    """V-AUC-8, -9"""
    state.drawn[colour] -= 1
    state.vikings_removed[colour] += 1
    lay_tiles(tables, state)
    state.phase = LAY_COLOUR


@compiled
def _lay_colour(state, seat, colour):
    """All vikings of the colour on the highest free spaces, then the next player's colour or buying. V-AUC-10..12."""
    space = WHEEL_SPACES - 1
    while state.drawn[colour]:
        if state.wheel_viking[space] == 0:
            state.wheel_viking[space] = colour + 1
            state.drawn[colour] -= 1
        space -= 1
    state.seat = (seat + 1) % state.players
    for other in range(len(state.drawn)):
        if state.drawn[other]:
            return
    begin_buying(state)
