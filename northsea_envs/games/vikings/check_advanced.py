"""What the advanced game adds to the invariants: the auction, special tiles in their places, fields in their ranges."""

from northsea_envs.games.vikings.actions import MORE
from northsea_envs.games.vikings.special_tiles import replaceable
from northsea_envs.games.vikings.state import (
    ADVANCED,
    AUCTION,
    BUILDING,
    BUY,
    ISLAND_ROWS,
    LAY_COLOUR,
    MAX_PLAYERS,
    MIDDLE,
    OVER,
    REMOVE_VIKING,
    REPLACE,
    SPECIAL_SLOTS,
    START_ROW,
    TAKE_SPECIAL,
    TRIP,
    VIKING,
    WHEEL_SPACES,
)
from northsea_envs.jit import compiled, compiled_for


@compiled_for(ADVANCED, otherwise=False)
def phase_is_on(tables, state):
    """Whether the switch is on to which a phase of the advanced game belongs."""
    return (tables.auction if state.phase < BUY else tables.special_tiles) != 0


@compiled_for(ADVANCED, otherwise=True)
def advanced_ranges_hold(tables, state):
    """The fields of the advanced game that are used as indices, within their ranges."""
    kinds = len(tables.special_count)
    if not 0 <= state.standing_bidder < state.players or state.replacing > kinds:
        return False
    for kind in state.special_stack:
        if kind >= kinds:
            return False
    for kind in state.special_display:
        if kind > kinds:
            return False
    for kind in state.special_cell.flat:
        if kind > kinds:
            return False
    return state.specials_revealed <= len(state.special_stack)


@compiled_for(ADVANCED, otherwise=True)
def advanced_record_holds(tables, state):
    """What the fields of the advanced game say makes sense together, and is zero where it means nothing.

    Called when all fields are known to be within their ranges.
    """
    return _auction_holds(tables, state) and _special_record_holds(tables, state)


@compiled
def _auction_holds(tables, state):
    drawn = 0
    for colour in range(len(state.drawn)):
        drawn += int(state.drawn[colour])
    if state.phase > LAY_COLOUR and drawn:
        return False
    if state.phase != AUCTION:
        for seat in range(MAX_PLAYERS):
            if state.passed[seat]:
                return False
        return not (state.standing_bid or state.standing_bidder or state.bid_opened or state.pending_raise)
    if state.bid_opened > 1:
        return False
    for seat in range(MAX_PLAYERS):
        if state.passed[seat] > (seat < state.players):
            return False
    # V-AUC-3..5: nobody bids more than she has, and the bid being named is for the one who names it.
    bidder = state.standing_bidder
    if state.standing_bid < 0 or state.standing_bid > int(state.gold[bidder]) + int(state.fame[bidder]):
        return False
    room = int(state.gold[state.seat]) + int(state.fame[state.seat]) - int(state.standing_bid)
    return state.pending_raise == 0 or (0 < state.pending_raise < room and state.pending_raise % MORE == 0)


@compiled_for(ADVANCED, otherwise=False)
def auction_turn_holds(tables, state):
    """Whether the decider is one who may bid, remove or lay a colour now. V-AUC-2, -4..6, -8, -10."""
    if state.phase == REMOVE_VIKING:
        return state.seat == state.start_player
    if state.phase == LAY_COLOUR:
        laid = 0
        for space in range(WHEEL_SPACES):
            # Colours lie together.
            viking = state.wheel_viking[space]
            laid += viking != 0 and (space == 0 or state.wheel_viking[space - 1] != viking)
        return state.seat == (state.start_player + laid) % state.players
    if not state.bid_opened:
        passed = 0
        for seat in range(state.players):
            passed += int(state.passed[seat])
        if passed or state.standing_bid or state.standing_bidder != state.start_player:
            return False
        return state.seat == state.start_player
    # V-AUC-4, -5: a bid of 0 is the old start player's, and holds though she has passed.
    if state.standing_bid == 0 and state.standing_bidder != state.start_player:
        return False
    if state.passed[state.standing_bidder] and state.standing_bid:
        return False
    return state.passed[state.seat] == 0 and state.seat != state.standing_bidder


@compiled_for(ADVANCED, otherwise=0)
def vikings_drawn(tables, state, colour):
    """Vikings of a colour that are shown and not yet laid out. V-INV-2, V-AUC-1."""
    return int(state.drawn[colour])


@compiled_for(ADVANCED, otherwise=False)
def wheel_is_being_laid(tables, state):
    """Before buying: an empty wheel, or all tiles on it and those vikings that are not shown beside it. V-AUC-9."""
    tiles, vikings, drawn = 0, 0, 0
    for space in range(WHEEL_SPACES):
        tiles += state.wheel_tile[space] != 0
        vikings += state.wheel_viking[space] != 0
        # V-AUC-10: from the highest space down.
        if state.wheel_viking[space] == 0 and vikings:
            return False
    for colour in range(len(state.drawn)):
        drawn += int(state.drawn[colour])
    if state.phase != LAY_COLOUR:
        return tiles == 0 and vikings == 0 and drawn == WHEEL_SPACES + 1 and state.zero_space == -1
    return tiles == WHEEL_SPACES and drawn > 0 and drawn + vikings == WHEEL_SPACES and state.zero_space == 0


@compiled_for(ADVANCED, otherwise=False)
def building_tile_lies(tables, state, seat, row, column):
    """Whether a building tile lies in this cell, which is none of the 76 tiles. V-INV-1."""
    return state.special_cell[seat, row, column] != 0


@compiled
def _special_record_holds(tables, state):
    if state.special_due > 1 or state.boat_spent > 1 or (state.replacing != 0) != (state.phase == REPLACE):
        return False
    if state.phase != OVER:
        for step in state.buildings_step:
            if step:
                return False
    # V-SPEC-3, -6: while a purchase is under way.
    if state.special_due and not (START_ROW <= state.phase <= VIKING or state.phase == TAKE_SPECIAL):
        return False
    face_up = 0
    for place in range(SPECIAL_SLOTS):
        face_up += state.special_display[place] != 0
    if (state.special_due or state.phase == TAKE_SPECIAL) and (face_up == 0 or state.special_due == 0):
        return False
    if state.boat_spent and not (state.phase == TRIP and tables.limited_boatsmen):
        return False
    # V-ADV-2: without a boat tile no trip has room for a second move.
    if tables.limited_boatsmen and state.trip_moves and not state.boat_spent:
        return False
    if state.phase == REPLACE:
        kind = state.replacing - 1
        if tables.special_effect[kind] != BUILDING or state.special_held[state.seat, kind] == 0:
            return False
        for row in range(ISLAND_ROWS):
            for column in range(state.width[state.seat]):
                if replaceable(tables, state, state.seat, kind, row, column):
                    return True
        return False
    return True


@compiled_for(ADVANCED, otherwise=True)
def special_tiles_hold(tables, state):
    """V-INV-1 for special tiles, kind by kind, and building tiles where middles of their building may lie."""
    if not tables.special_tiles:
        return _no_special_tiles(state)
    for kind in range(len(tables.special_count)):
        count = int(state.special_removed[kind])
        for k in range(state.specials_revealed, len(state.special_stack)):
            count += state.special_stack[k] == kind
        for place in range(SPECIAL_SLOTS):
            count += state.special_display[place] == kind + 1
        for seat in range(state.players):
            count += int(state.special_held[seat, kind])
            for row in range(ISLAND_ROWS):
                for column in range(state.tile.shape[2]):
                    if state.special_cell[seat, row, column] != kind + 1:
                        continue
                    tile = int(state.tile[seat, row, column])
                    if tables.special_effect[kind] != BUILDING or tile == 0 or tables.piece[tile - 1] != MIDDLE:
                        return False
                    if tables.building[tile - 1] != tables.special_building[kind]:
                        return False
                    count += 1
        if count != tables.special_count[kind]:
            return False
    return True


@compiled
def _no_special_tiles(state):
    """Whether every place for special tiles is empty."""
    for kind in state.special_cell.flat:
        if kind:
            return False
    for count in state.special_held.flat:
        if count:
            return False
    for place in range(SPECIAL_SLOTS):
        if state.special_display[place]:
            return False
    for count in state.special_removed:
        if count:
            return False
    return state.specials_revealed == 0
