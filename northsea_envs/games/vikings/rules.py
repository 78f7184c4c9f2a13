"""Whose decision it is, what is legal, and what a decision does: sections 5 to 9.4 of the rules document.

Sections 10 and 11, the advanced game, are in ``auction.py`` and ``special_tiles.py``.
"""

from northsea_envs.games.vikings.actions import (
    BUY_0,
    CELL_0,
    DONE,
    END_TRIP,
    SHIP_CHOICES,
    SHIP_COLUMN,
    START_ROW_0,
    USE_BOAT,
    VIKING_ON,
    VIKING_POOL,
    behind_cells,
)
from northsea_envs.games.vikings.auction import decide_in_auction, legal_in_auction
from northsea_envs.games.vikings.offer import pay
from northsea_envs.games.vikings.scoring import final_scoring, large_scoring, small_scoring
from northsea_envs.games.vikings.setup import begin_round
from northsea_envs.games.vikings.special_tiles import (
    ask_for_special,
    boat_is_spent,
    decide_special_tile,
    forget_boat,
    lay_building_tile,
    legal_special_tiles,
    may_use_boat,
    note_special_due,
    trip_is_full,
    use_boat,
)
from northsea_envs.games.vikings.state import (
    ADJACENT,
    BUY,
    CELL,
    ISLAND_ROWS,
    ONE_COLOUR,
    ONE_MOVED,
    OVER,
    SEA,
    SEVERAL_COLOURS,
    SHIP,
    START_ROW,
    TRIP,
    VIKING,
    WHEEL_SPACES,
)
from northsea_envs.games.vikings.state import SHIP_COLUMN as SHIP_COLUMN_PHASE
from northsea_envs.jit import compiled


@compiled
def decider(tables, state):
    """The seat that decides now, -1 when the game is over."""
    return int(state.seat)


@compiled
def legal_actions(tables, state, mask):
    """Fill ``mask`` for the decider and return how many actions are legal. Section 14."""
    mask[:] = 0
    columns = tables.columns[state.players]
    behind = behind_cells(columns)
    phase = state.phase
    if phase == BUY:
        return _legal_purchases(state, mask)
    if phase == START_ROW:
        # V-TILE-9: column 1 of any island row; it is the first tile, so all are empty.
        for row in range(ISLAND_ROWS):
            mask[START_ROW_0 + row] = 1
        return ISLAND_ROWS
    if phase == CELL:
        count = 0
        kind = state.bought_tile - 1
        for row in range(ISLAND_ROWS):
            for column in range(min(state.width[state.seat] + 1, columns)):
                if cell_fits(tables, state.tile[state.seat], kind, row, column, columns):
                    mask[CELL_0 + row * columns + column] = 1
                    count += 1
        return count
    if phase == SHIP_COLUMN_PHASE:
        count = 0
        for column in range(SHIP_CHOICES):
            if ship_fits(state, state.seat, column):
                mask[behind + SHIP_COLUMN + column] = 1
                count += 1
        return count
    if phase == VIKING:
        # V-VIK-1
        mask[behind + VIKING_ON] = 1
        mask[behind + VIKING_POOL] = 1
        return 2
    if phase < BUY:
        return legal_in_auction(tables, state, mask, behind)
    if phase != TRIP:
        return legal_special_tiles(tables, state, mask, columns, behind)
    return _legal_trip_moves(tables, state, mask, columns, behind)


@compiled
def _legal_purchases(state, mask):
    """V-BUY-3..7: fame counts for the priced sets, not for the test that opens the zero set."""
    seat = state.seat
    zero = state.zero_space
    wealth = state.gold[seat] + state.fame[seat]
    cheapest = WHEEL_SPACES
    colour_remains = False
    count = 0
    for space in range(zero + 1, WHEEL_SPACES):
        if state.wheel_tile[space] == 0:
            continue
        price = space - zero
        cheapest = min(cheapest, price)
        colour_remains = colour_remains or state.wheel_viking[space] == state.wheel_viking[zero]
        if wealth >= price:
            mask[BUY_0 + space] = 1
            count += 1
    if not colour_remains or state.gold[seat] < cheapest:
        mask[BUY_0 + zero] = 1
        count += 1
    return count


@compiled
def cell_fits(tables, home, kind, row, column, columns):
    """Whether an island tile of ``kind`` may lie in this cell of ``home``. V-TILE-2..5, V-GEO-5, -7."""
    if home[row, column]:
        return False
    contact = column == 0
    if column == 0:
        if tables.left_edge[kind] != SEA:
            return False
    elif home[row, column - 1]:
        if tables.right_edge[home[row, column - 1] - 1] != tables.left_edge[kind]:
            return False
        contact = True
    if column + 1 < columns and home[row, column + 1]:
        if tables.left_edge[home[row, column + 1] - 1] != tables.right_edge[kind]:
            return False
        contact = True
    if row > 0 and home[row - 1, column]:
        contact = True
    if row + 1 < ISLAND_ROWS and home[row + 1, column]:
        contact = True
    return contact


@compiled
def ship_fits(state, seat, column):
    """Whether the first, second or third ship of ``seat`` may lie in this column. V-SHIP-2, -4."""
    ship = state.ship[seat]
    if ship[column]:
        return False
    if state.ships[seat] == 0 or state.opening_mode != ADJACENT:
        return True
    return (column > 0 and ship[column - 1] != 0) or (column + 1 < SHIP_CHOICES and ship[column + 1] != 0)


@compiled
def cell_takes_viking(tables, state, seat, row, column):
    """Whether a waiting viking may be moved to this cell. V-FERRY-2, -8, V-VIK-4."""
    return (
        state.tile[seat, row, column] != 0
        and state.viking[seat, row, column] == 0
        and state.pool[seat, tables.row_colour[row]] != 0
    )


@compiled
def _legal_trip_moves(tables, state, mask, columns, behind):
    """V-FERRY-1..8: opening moves and DONE outside a trip, further moves and END_TRIP inside one."""
    seat = state.seat
    count = 0
    inside = state.trip_moves != 0
    if inside or state.pool[seat, tables.boatsman]:
        for row in range(ISLAND_ROWS):
            if state.pool[seat, tables.row_colour[row]] == 0:
                continue
            first_column = 0
            if inside:
                used = (state.trip_rows >> row) & 1
                if used and state.trip_mode == SEVERAL_COLOURS:
                    continue
                if not used and state.trip_mode == ONE_COLOUR:
                    continue
                if used:
                    # Within one colour only ascending columns, so that a load is reached in one way.
                    first_column = state.trip_column + 1
            for column in range(first_column, state.width[seat]):
                if cell_takes_viking(tables, state, seat, row, column):
                    mask[CELL_0 + row * columns + column] = 1
                    count += 1
    if inside:
        mask[behind + END_TRIP] = 1
        return count + 1
    if boat_is_spent(tables, state):
        # V-SPEC-12: the trip that it was spent on must follow.
        return count
    moves = count
    # V-FERRY-6, -7: in the last round nobody stops while a trip is possible.
    if moves == 0 or state.round_number < len(tables.large_scoring):
        mask[behind + DONE] = 1
        count += 1
    if moves and may_use_boat(tables, state):
        mask[behind + USE_BOAT] = 1
        count += 1
    return count


@compiled
def apply_decision(tables, state, action):
    """Carry out one legal decision and all that follows by itself."""
    columns = tables.columns[state.players]
    seat = int(state.seat)
    phase = state.phase
    offset = action - behind_cells(columns)
    if phase == BUY:
        _buy(tables, state, seat, action - BUY_0)
    elif phase == START_ROW:
        # V-TILE-9..11
        state.start_tile_kept[seat] = 0
        _lay_tile(state, seat, tables.start_kind, action - START_ROW_0, 0)
        _place_bought_tile(tables, state, seat)
    elif phase == CELL:
        row = (action - CELL_0) // columns
        column = action - CELL_0 - row * columns
        _lay_tile(state, seat, state.bought_tile - 1, row, column)
        lay_building_tile(tables, state, seat, row, column)
        state.bought_tile = 0
        # V-VIK-1, -3
        if tables.home_row[state.bought_viking - 1] == row:
            state.placed_row = row
            state.placed_column = column
            state.phase = VIKING
        else:
            _send_to_pool(state, seat)
            _end_purchase(tables, state, seat)
    elif phase == SHIP_COLUMN_PHASE:
        _lay_ship(tables, state, seat, offset - SHIP_COLUMN)
    elif phase == VIKING:
        if offset == VIKING_POOL:
            _send_to_pool(state, seat)
        else:
            state.viking[seat, state.placed_row, state.placed_column] = 1
            state.bought_viking = 0
        state.placed_row = 0
        state.placed_column = 0
        _end_purchase(tables, state, seat)
    elif phase < BUY:
        decide_in_auction(tables, state, seat, offset)
    elif phase != TRIP:
        if decide_special_tile(tables, state, seat, action, columns, offset):
            _end_turn(tables, state, seat)
    elif offset == END_TRIP:
        _end_trip(tables, state)
    elif offset == DONE:
        _finish_large_scoring(tables, state, seat)
    elif offset == USE_BOAT:
        use_boat(tables, state, seat)
    else:
        row = (action - CELL_0) // columns
        _move(tables, state, seat, row, action - CELL_0 - row * columns)


@compiled
def _buy(tables, state, seat, space):
    """V-BUY-3, V-WHEEL-1..3."""
    price = space - int(state.zero_space)
    pay(state, seat, price)
    state.bought_tile = state.wheel_tile[space]
    state.bought_viking = state.wheel_viking[space]
    state.wheel_tile[space] = 0
    state.wheel_viking[space] = 0
    state.purchases[seat] += 1
    state.sets_left -= 1
    if price == 0:
        state.zero_space = -1
        for later in range(space + 1, WHEEL_SPACES):
            if state.wheel_tile[later]:
                state.zero_space = later
                break
    note_special_due(tables, state, space, price)
    if state.start_tile_kept[seat]:
        state.phase = START_ROW
    else:
        _place_bought_tile(tables, state, seat)


@compiled
def _place_bought_tile(tables, state, seat):
    """Ask where the bought tile goes, or do what leaves no choice. V-TILE-7, V-SHIP-1..3."""
    kind = state.bought_tile - 1
    if tables.piece[kind] == SHIP:
        if state.ships[seat] < tables.ship_opening_columns:
            state.phase = SHIP_COLUMN_PHASE
        else:
            _lay_ship(tables, state, seat, int(state.ships[seat]))
        return
    columns = tables.columns[state.players]
    for row in range(ISLAND_ROWS):
        for column in range(min(state.width[seat] + 1, columns)):
            if cell_fits(tables, state.tile[seat], kind, row, column, columns):
                state.phase = CELL
                return
    state.tiles_removed[kind] += 1
    state.bought_tile = 0
    _send_to_pool(state, seat)
    _end_purchase(tables, state, seat)


@compiled
def _lay_tile(state, seat, kind, row, column):
    state.tile[seat, row, column] = kind + 1
    state.width[seat] = max(int(state.width[seat]), column + 1)


@compiled
def _lay_ship(tables, state, seat, column):
    """V-SHIP-1, V-VIK-3."""
    state.ship[seat, column] = state.bought_tile
    state.ships[seat] += 1
    state.bought_tile = 0
    _send_to_pool(state, seat)
    _end_purchase(tables, state, seat)


@compiled
def _send_to_pool(state, seat):
    """V-VIK-3, -6."""
    state.pool[seat, state.bought_viking - 1] += 1
    state.bought_viking = 0


@compiled
def _end_purchase(tables, state, seat):
    """Everything bought is placed: a special tile may be due, or the turn is over. V-SPEC-6."""
    if not ask_for_special(tables, state):
        _end_turn(tables, state, seat)


@compiled
def _end_turn(tables, state, seat):
    """The next player's turn, or scoring after the twelfth set. V-BUY-1, V-WHEEL-5, V-ROUND-2."""
    if state.sets_left:
        state.seat = (seat + 1) % state.players
        state.phase = BUY
    elif tables.large_scoring[state.round_number - 1]:
        # V-LARGE-1
        state.phase = TRIP
        state.seat = state.start_player
        state.scorings_done = 0
    else:
        for scorer in range(state.players):
            small_scoring(tables, state, scorer)
        _end_round(tables, state)


@compiled
def _move(tables, state, seat, row, column):
    """Move a waiting viking; the first move of a trip takes a boatsman. V-FERRY-1..4, V-ADV-2."""
    if state.trip_moves == 0:
        state.pool[seat, tables.boatsman] -= 1
        state.vikings_removed[tables.boatsman] += 1
        state.trip_mode = ONE_MOVED
    elif state.trip_mode == ONE_MOVED:
        state.trip_mode = ONE_COLOUR if (state.trip_rows >> row) & 1 else SEVERAL_COLOURS
    state.pool[seat, tables.row_colour[row]] -= 1
    state.viking[seat, row, column] = 1
    state.trip_moves += 1
    state.trip_rows |= 1 << row
    state.trip_column = column
    if not trip_is_full(tables, state):
        _end_trip(tables, state)


@compiled
def _end_trip(tables, state):
    forget_boat(tables, state)
    state.trip_moves = 0
    state.trip_mode = ONE_MOVED
    state.trip_rows = 0
    state.trip_column = 0


@compiled
def _finish_large_scoring(tables, state, seat):
    """Score this seat, then the next one's trips or the end of the round. V-LARGE-1, V-FINAL-1."""
    large_scoring(tables, state, seat)
    state.scorings_done += 1
    if state.scorings_done < state.players:
        state.seat = (seat + 1) % state.players
        return
    state.scorings_done = 0
    _end_round(tables, state)


@compiled
def _end_round(tables, state):
    """Pass the marker and begin the next round, or end the game. V-ROUND-1, V-PASS-1..3."""
    if state.round_number == len(tables.large_scoring):
        final_scoring(tables, state)
        state.phase = OVER
        state.seat = -1
        return
    state.round_number += 1
    state.start_player = (state.start_player + 1) % state.players
    begin_round(tables, state)
