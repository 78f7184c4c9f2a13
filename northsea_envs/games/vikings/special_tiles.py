"""The special tiles: how they come to the players, and what they do for them. Section 11 of the rules document.

What they are worth in a scoring is in ``scoring.py``, which asks here for :func:`bonus` and :func:`rate`.
"""

from northsea_envs.games.vikings.actions import CELL_0, DECLINE, SPECIAL
from northsea_envs.games.vikings.stacks import fill
from northsea_envs.games.vikings.state import (
    ADVANCED,
    BUILDING,
    FULL_TRIP,
    GAIN_GOLD,
    ISLAND_ROWS,
    REPLACE,
    SPECIAL_SLOTS,
    TAKE_SPECIAL,
    WHEEL_SPACES,
)
from northsea_envs.jit import compiled, compiled_for, random_shuffle


@compiled_for(ADVANCED, otherwise=None)
def shuffle_special_tiles(tables, state):
    """V-SETUP-9, V-SPEC-1"""
    if tables.special_tiles:
        fill(state.special_stack, tables.special_count)
        random_shuffle(state.rng, state.special_stack)


@compiled_for(ADVANCED, otherwise=None)
def reveal_special_tiles(tables, state):
    """Refill the empty places while tiles are left. V-SPEC-2, -5."""
    if not tables.special_tiles:
        return
    for place in range(SPECIAL_SLOTS):
        if state.special_display[place] == 0 and state.specials_revealed < len(state.special_stack):
            state.special_display[place] = state.special_stack[state.specials_revealed] + 1
            state.specials_revealed += 1


@compiled_for(ADVANCED, otherwise=0)
def bonus(tables, state, seat, effect):
    """What the tiles of ``seat`` with this effect add up to. V-SPEC-7."""
    total = 0
    for kind in range(len(tables.special_effect)):
        if tables.special_effect[kind] == effect:
            total += int(state.special_held[seat, kind]) * int(tables.special_magnitude[kind])
    return total


@compiled_for(ADVANCED, otherwise=0)
def rate(tables, state, seat, effect):
    """The rate that a tile of ``seat`` puts in place of the usual one, 0 without it. V-SPEC-17, -18."""
    for kind in range(len(tables.special_effect)):
        if tables.special_effect[kind] == effect and state.special_held[seat, kind]:
            return int(tables.special_magnitude[kind])
    return 0


@compiled_for(ADVANCED, otherwise=None)
def note_special_due(tables, state, space, price):
    """Whether the set just bought was the most expensive one and cost something. V-SPEC-3, -4, -6."""
    if not tables.special_tiles or (price == 0 and not tables.special_on_zero_price):
        return
    for later in range(space + 1, WHEEL_SPACES):
        if state.wheel_tile[later]:
            return
    for place in range(SPECIAL_SLOTS):
        if state.special_display[place]:
            state.special_due = 1


@compiled_for(ADVANCED, otherwise=False)
def ask_for_special(tables, state):
    """At the end of a purchase: ask for a special tile if one is due, and say whether. V-SPEC-6."""
    if state.special_due == 0:
        return False
    state.phase = TAKE_SPECIAL
    return True


@compiled_for(ADVANCED, otherwise=0)
def legal_special_tiles(tables, state, mask, columns, behind):
    """Face-up tiles and DECLINE, or the cells of middle tiles that the tile just taken may replace. V-SPEC-3, -19b."""
    count = 0
    if state.phase == TAKE_SPECIAL:
        for place in range(SPECIAL_SLOTS):
            if state.special_display[place]:
                mask[behind + SPECIAL + place] = 1
                count += 1
        mask[behind + DECLINE] = 1
        return count + 1
    for row in range(ISLAND_ROWS):
        for column in range(state.width[state.seat]):
            if replaceable(tables, state, state.seat, state.replacing - 1, row, column):
                mask[CELL_0 + row * columns + column] = 1
                count += 1
    return count


@compiled_for(ADVANCED, otherwise=False)
def replaceable(tables, state, seat, kind, row, column):
    """Whether the building tile ``kind`` may replace the tile in this cell. V-SPEC-19b."""
    tile = int(state.tile[seat, row, column])
    return (
        tile != 0
        and tables.building[tile - 1] == tables.special_building[kind]
        and state.special_cell[seat, row, column] == 0
    )


@compiled_for(ADVANCED, otherwise=True)
def decide_special_tile(tables, state, seat, action, columns, offset):
    """Take, decline, or replace a middle tile; returns whether the turn is over."""
    if state.phase == REPLACE:
        row = (action - CELL_0) // columns
        kind = state.replacing - 1
        state.replacing = 0
        _place_building_tile(state, seat, kind, row, action - CELL_0 - row * columns)
        return True
    state.special_due = 0
    if offset == DECLINE:
        return True
    kind = int(state.special_display[offset - SPECIAL]) - 1
    state.special_display[offset - SPECIAL] = 0
    if tables.special_effect[kind] == GAIN_GOLD:
        # V-SPEC-10
        state.gold[seat] += tables.special_magnitude[kind]
        state.special_removed[kind] += 1
        return True
    state.special_held[seat, kind] += 1
    if tables.special_effect[kind] == BUILDING:
        for row in range(ISLAND_ROWS):
            for column in range(state.width[seat]):
                if replaceable(tables, state, seat, kind, row, column):
                    state.replacing = kind + 1
                    state.phase = REPLACE
                    return False
    return True


@compiled_for(ADVANCED, otherwise=None)
def lay_building_tile(tables, state, seat, row, column):
    """Put a building tile that waits for it in the place of the middle tile just laid. V-SPEC-19c."""
    building = tables.building[state.tile[seat, row, column] - 1]
    if building == 0:
        return
    for kind in range(len(tables.special_effect)):
        if state.special_held[seat, kind] and tables.special_building[kind] == building:
            _place_building_tile(state, seat, kind, row, column)
            return


@compiled
def _place_building_tile(state, seat, kind, row, column):
    # A viking on the old tile stays, V-SPEC-19b. ``tile`` still says middle, V-SPEC-19a, -19d.
    state.tiles_removed[state.tile[seat, row, column] - 1] += 1
    state.special_held[seat, kind] -= 1
    state.special_cell[seat, row, column] = kind + 1


@compiled_for(ADVANCED, otherwise=True)
def trip_is_full(tables, state):
    """Whether the trip may carry what a boatsman carries in the basic game. V-ADV-2, V-SPEC-12."""
    return tables.limited_boatsmen == 0 or state.boat_spent != 0


@compiled_for(ADVANCED, otherwise=False)
def boat_is_spent(tables, state):
    """Whether a boat tile serves the next or the open trip."""
    return state.boat_spent != 0


@compiled_for(ADVANCED, otherwise=False)
def may_use_boat(tables, state):
    """V-SPEC-12: without limited boatsmen the tile has no use."""
    return tables.limited_boatsmen != 0 and bonus(tables, state, state.seat, FULL_TRIP) != 0


@compiled_for(ADVANCED, otherwise=None)
def use_boat(tables, state, seat):
    """Spend a boat tile on the next trip. V-SPEC-12."""
    for kind in range(len(tables.special_effect)):
        if tables.special_effect[kind] == FULL_TRIP and state.special_held[seat, kind]:
            state.special_held[seat, kind] -= 1
            state.special_removed[kind] += 1
            state.boat_spent = 1
            return


@compiled_for(ADVANCED, otherwise=None)
def forget_boat(tables, state):
    """The trip that a boat tile was spent on is over."""
    state.boat_spent = 0
