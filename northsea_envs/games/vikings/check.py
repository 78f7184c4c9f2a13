"""The invariants of a game of Vikings: section 12 of the rules document."""

from northsea_envs.games.vikings.check_advanced import (
    advanced_ranges_hold,
    advanced_record_holds,
    auction_turn_holds,
    building_tile_lies,
    phase_is_on,
    special_tiles_hold,
    vikings_drawn,
    wheel_is_being_laid,
)
from northsea_envs.games.vikings.offer import seen_tiles, seen_vikings
from northsea_envs.games.vikings.state import (
    ADJACENT,
    ANY_OF_FIRST_THREE,
    BUY,
    CELL,
    ISLAND_ROWS,
    LEFT_END,
    MAX_PLAYERS,
    OVER,
    SEVERAL_COLOURS,
    SHIP,
    SHIP_COLUMN,
    START_ROW,
    TRIP,
    VIKING,
    WHEEL_SPACES,
)
from northsea_envs.jit import compiled


@compiled
def check(tables, state):
    """Number k of the first broken V-INV-k, 0 if all hold; 9 where the record itself makes no sense."""
    if not _record_holds(tables, state) or not advanced_record_holds(tables, state):
        return 9
    if not _tiles_hold(tables, state) or not special_tiles_hold(tables, state):
        return 1
    if not _vikings_hold(tables, state):
        return 2
    if not _purchases_hold(tables, state):
        return 3
    if not _zero_space_holds(tables, state):
        return 4
    for seat in range(state.players):
        # V-INV-5: only the final scoring may push fame below 0.
        if state.gold[seat] < 0 or (state.fame[seat] < 0 and state.phase != OVER):
            return 5
    for seat in range(state.players):
        if not _vikings_stand(tables, state, seat):
            return 6
        if not _edges_match(tables, state, seat):
            return 7
        if not _ships_hold(tables, state, seat):
            return 8
    return 0


@compiled
def _below(values, limit):
    for value in values:
        if value >= limit:
            return False
    return True


@compiled
def _record_holds(tables, state):
    """Every field within the range that the other functions take for granted, so that no damaged record is played."""
    kinds, colours = len(tables.piece), len(tables.viking_count)
    if not 2 <= state.players <= MAX_PLAYERS or not -1 <= state.seat < state.players:
        return False
    if state.phase > OVER or (state.seat < 0) != (state.phase == OVER):
        return False
    # The phases of the advanced game need its fields.
    if not BUY <= state.phase <= VIKING and state.phase < TRIP and not phase_is_on(tables, state):
        return False
    if not 0 <= state.start_player < state.players or not 1 <= state.round_number <= len(tables.large_scoring):
        return False
    columns = tables.columns[state.players]
    if not (
        _below(state.wheel_tile, kinds + 1)
        and _below(state.wheel_viking, colours + 1)
        and _below(state.stack, kinds)
        and _below(state.bag, colours)
        and _below(state.width, columns + 1)
        and _below(state.tile.flat, kinds + 1)
        and _below(state.viking.flat, 2)
        and _below(state.ship.flat, kinds + 1)
        and _below(state.ships, state.ship.shape[1] + 1)
        and _below(state.start_tile_kept, 2)
    ):
        return False
    if not advanced_ranges_hold(tables, state) or not _turn_holds(tables, state):
        return False
    # What is pending belongs to its phase.
    if (state.bought_tile != 0) != (state.phase in (START_ROW, CELL, SHIP_COLUMN)) or state.bought_tile > kinds:
        return False
    if (state.bought_viking != 0) != (START_ROW <= state.phase <= VIKING) or state.bought_viking > colours:
        return False
    if state.phase == CELL and tables.piece[state.bought_tile - 1] == SHIP:
        return False
    if state.phase == SHIP_COLUMN and (
        tables.piece[state.bought_tile - 1] != SHIP or state.ships[state.seat] >= tables.ship_opening_columns
    ):
        return False
    if not 0 <= state.placed_row < ISLAND_ROWS or not 0 <= state.placed_column < columns:
        return False
    if state.phase == VIKING and (
        state.tile[state.seat, state.placed_row, state.placed_column] == 0
        or state.viking[state.seat, state.placed_row, state.placed_column] != 0
        or tables.home_row[state.bought_viking - 1] != state.placed_row
    ):
        return False
    if state.trip_mode > SEVERAL_COLOURS or not 0 <= state.trip_column < columns or state.trip_rows >= 1 << ISLAND_ROWS:
        return False
    if (state.phase != TRIP and (state.trip_moves or state.scorings_done)) or state.scorings_done >= state.players:
        return False
    if state.phase != OVER:
        for step in state.final_steps.flat:
            if step:
                return False
    # From a state of zeros the generator would never leave it.
    return state.opening_mode <= ANY_OF_FIRST_THREE and not _below(state.rng, 1)


@compiled
def _turn_holds(tables, state):
    """Whether the phase fits the round, and the decider the turn order. V-BUY-1, V-LARGE-1, V-TILE-9."""
    if state.phase == OVER:
        return state.sets_left == 0 and state.round_number == len(tables.large_scoring)
    turn = int(state.scorings_done)
    if state.phase < BUY:
        return state.sets_left == WHEEL_SPACES and auction_turn_holds(tables, state)
    if state.phase == TRIP:
        if state.sets_left or not tables.large_scoring[state.round_number - 1]:
            return False
    else:
        # A purchase under way has left the wheel already.
        turn = WHEEL_SPACES - int(state.sets_left) - (state.phase != BUY)
    if state.sets_left > WHEEL_SPACES or state.seat != (state.start_player + turn) % state.players:
        return False
    return state.phase != START_ROW or state.start_tile_kept[state.seat] != 0


@compiled
def _tiles_hold(tables, state):
    """V-INV-1, kind by kind."""
    for kind in range(len(tables.piece)):
        count = int(state.tiles_removed[kind]) + (state.bought_tile == kind + 1)
        for seat in range(state.players):
            if kind == tables.start_kind:
                count += state.start_tile_kept[seat]
            for row in range(ISLAND_ROWS):
                for column in range(state.tile.shape[2]):
                    if not building_tile_lies(tables, state, seat, row, column):
                        count += state.tile[seat, row, column] == kind + 1
            ships = 0
            for column in range(state.ship.shape[1]):
                ships += state.ship[seat, column] == kind + 1
            count += ships
        for space in range(WHEEL_SPACES):
            count += state.wheel_tile[space] == kind + 1
        for k in range(seen_tiles(tables, state), len(state.stack)):
            count += state.stack[k] == kind
        if count != tables.tile_count[kind]:
            return False
    return True


@compiled
def _vikings_hold(tables, state):
    """V-INV-2, colour by colour."""
    for colour in range(len(tables.viking_count)):
        count = int(state.vikings_removed[colour]) + (state.bought_viking == colour + 1)
        count += vikings_drawn(tables, state, colour)
        for seat in range(state.players):
            count += state.pool[seat, colour]
            if tables.home_row[colour] >= 0:
                for column in range(state.viking.shape[2]):
                    count += state.viking[seat, tables.home_row[colour], column]
        for space in range(WHEEL_SPACES):
            count += state.wheel_viking[space] == colour + 1
        for k in range(seen_vikings(tables, state), len(state.bag)):
            count += state.bag[k] == colour
        if count != tables.viking_count[colour]:
            return False
    return True


@compiled
def _purchases_hold(tables, state):
    """V-INV-3: between rounds all have bought the same number; within one they differ by one at most."""
    total, most, least = 0, 0, 255
    for seat in range(state.players):
        total += state.purchases[seat]
        most, least = max(most, int(state.purchases[seat])), min(least, int(state.purchases[seat]))
    bought = state.round_number * WHEEL_SPACES - state.sets_left
    return total == bought and most - least <= (bought % state.players != 0)


@compiled
def _zero_space_holds(tables, state):
    """V-INV-4, V-WHEEL-4: the zero is beside the first remaining set, -1 without sets."""
    if state.phase < BUY:
        return wheel_is_being_laid(tables, state)
    first, sets = -1, 0
    for space in range(WHEEL_SPACES - 1, -1, -1):
        if (state.wheel_tile[space] != 0) != (state.wheel_viking[space] != 0):
            return False
        if state.wheel_tile[space]:
            first = space
            sets += 1
    if sets != state.sets_left or (state.phase == BUY and sets == 0):
        return False
    return state.zero_space == first


@compiled
def _vikings_stand(tables, state, seat):
    """V-INV-6: a row holds figures of its own colour only, one a tile, on tiles."""
    for row in range(ISLAND_ROWS):
        for column in range(state.viking.shape[2]):
            if state.viking[seat, row, column] > (state.tile[seat, row, column] != 0):
                return False
    return True


@compiled
def _edges_match(tables, state, seat):
    """V-INV-7"""
    for row in range(ISLAND_ROWS):
        for column in range(state.tile.shape[2]):
            tile = int(state.tile[seat, row, column])
            if tile == 0:
                continue
            if tables.piece[tile - 1] == SHIP or column >= state.width[seat]:
                return False
            if column == 0:
                if tables.piece[tile - 1] != LEFT_END:
                    return False
            elif state.tile[seat, row, column - 1]:
                left = int(state.tile[seat, row, column - 1])
                if tables.right_edge[left - 1] != tables.left_edge[tile - 1]:
                    return False
    return True


@compiled
def _ships_hold(tables, state, seat):
    """V-INV-8"""
    ships, last = 0, -1
    for column in range(state.ship.shape[1]):
        if state.ship[seat, column]:
            if tables.piece[state.ship[seat, column] - 1] != SHIP:
                return False
            ships += 1
            last = column
    if ships != state.ships[seat]:
        return False
    if ships >= tables.ship_opening_columns:
        return last == ships - 1
    if last >= tables.ship_opening_columns:
        return False
    if ships == 2 and state.opening_mode == ADJACENT:
        return state.ship[seat, last - 1] != 0
    return True
