"""What a seat may know, as one flat vector of named fields. Section 14: no seat has private information."""

import numpy as np

from northsea_envs.game import Field
from northsea_envs.games.vikings.actions import MORE
from northsea_envs.games.vikings.state import (
    ADJACENT,
    BUY,
    CELL,
    COLOURS,
    ISLAND_ROWS,
    LAND,
    ONE_COLOUR,
    SEVERAL_COLOURS,
    SHIP,
    SHIP_COLUMN,
    START_ROW,
    TILE_CLASSES,
    TRIP,
    VIKING,
    WHEEL_SPACES,
    ship_columns,
)
from northsea_envs.jit import compiled

CELL_FLOATS = 3
SPACE_FLOATS = TILE_CLASSES + COLOURS + 1
PHASES = (BUY, START_ROW, CELL, SHIP_COLUMN, VIKING, TRIP)
MONEY = 50.0  # gold and fame are divided by this
FIGURES = 10.0  # and counts of vikings by this
TILES = 20.0  # and counts of tiles by this
_PHASE_PLACE = np.array([PHASES.index(phase) if phase in PHASES else -1 for phase in range(12)])


def observation_fields(tables: np.ndarray, players: int) -> tuple[Field, ...]:
    """The fields of the flat observation, in order; ``seat_0`` is the observing seat, the others follow clockwise."""
    t = tables[0]
    columns = int(t.columns[players])
    ship_width = ship_columns(tables)
    gold, fame, lowest = _money_bounds(tables, players)
    fields = []
    for k in range(players):
        seat = f"seat_{k}"
        fields += [
            Field(
                f"{seat}.homeland",
                ISLAND_ROWS * columns * CELL_FLOATS,
                -1,
                1,
                "row by row from W1; a cell is left edge, right edge (1 land, -1 sea, 0 empty cell), and 1 where a "
                "viking stands",
            ),
            Field(f"{seat}.ships", ship_width, 0, 1, "by column: rows that the ship there threatens, divided by 5"),
            Field(f"{seat}.gold", 1, 0, gold / MONEY, f"gold, divided by {MONEY:g}"),
            Field(f"{seat}.fame", 1, lowest / MONEY, fame / MONEY, f"fame, divided by {MONEY:g}"),
            Field(
                f"{seat}.pool",
                COLOURS,
                0,
                float(t.viking_count.max()) / FIGURES,
                f"waiting vikings by colour in the order of the offer, boatsmen last, divided by {FIGURES:g}",
            ),
            Field(f"{seat}.start_tile_kept", 1, 0, 1, "1 until the first purchase"),
        ]
    fields += [
        Field("decider", players, 0, 1, "one-hot: whose decision it is, by seat_k; all 0 when the game is over"),
        Field("start_player", players, 0, 1, "one-hot: this round's start player, by seat_k"),
        Field("round", len(t.large_scoring), 0, 1, "one-hot: round 1, 2, ..."),
        Field(
            "phase",
            len(PHASES),
            0,
            1,
            "one-hot: buying, row of the start tile, cell of the tile, column of the ship, viking on or off, trips",
        ),
        Field(
            "wheel",
            WHEEL_SPACES * SPACE_FLOATS,
            0,
            1,
            "12 spaces; each is one-hot tile (left end, middle, right end, ships by reach), one-hot viking colour, "
            "and the price divided by 11; all 0 where the set is gone",
        ),
        Field("bought_tile", TILE_CLASSES, 0, 1, "one-hot: the tile that waits to be placed"),
        Field("bought_viking", COLOURS, 0, 1, "one-hot: the viking that came with it"),
        Field("placed_row", ISLAND_ROWS, 0, 1, "one-hot: row of the tile just laid, while its viking is asked for"),
        Field("placed_column", 1, 0, 1, "its column, divided by the number of columns"),
        Field("trip_rows", ISLAND_ROWS, 0, 1, "1 for each row into which the open trip has moved a viking"),
        Field(
            "trip_mode",
            2,
            0,
            1,
            "one-hot: the open trip carries one colour, several colours; 0 0 before its second move",
        ),
        Field("trip_column", 1, 0, 1, "column of the open trip's latest move, divided by the number of columns"),
        Field(
            "stacks",
            TILE_CLASSES,
            0,
            float(t.draw_count[t.piece != SHIP].sum()) / TILES,
            f"tiles of later rounds by class, divided by {TILES:g}",
        ),
        Field(
            "bag",
            COLOURS,
            0,
            float(t.viking_count.max()) / FIGURES,
            f"vikings in the bag by colour, divided by {FIGURES:g}",
        ),
        Field("adjacent_ships", 1, 0, 1, "1 with ship_opening_mode adjacent, 0 with any_of_first_three"),
    ]
    return tuple(fields)


def longest_auctions(tables: np.ndarray, players: int) -> int:
    """No game has more decisions in its auctions, with removals and laying the colours."""
    if not tables[0].auction:
        return 0
    gold, fame, _ = _money_bounds(tables, players)
    # Bids rise by 1 at least, and BID_MORE by more; everybody passes once.
    bids = int(gold + fame) + 1
    return len(tables[0].large_scoring) * (bids + bids // MORE + players + 1 + COLOURS)


def _money_bounds(tables: np.ndarray, players: int) -> tuple[float, float, float]:
    """Safe bounds of section 15: most gold, most fame, least fame."""
    t = tables[0]
    rounds, large = len(t.large_scoring), int(t.large_scoring.sum())
    figures = int(t.viking_count.max())
    ships = t.piece == SHIP
    ship_gold, ship_fame = (
        int((t.ship_gold * t.tile_count)[ships].sum()),
        int((t.ship_fame * t.tile_count)[ships].sum()),
    )
    gold = int(t.start_gold[players]) + figures * int(t.goldsmith_gold) * rounds + ship_gold * large
    scout = int(t.scout_fame + t.scout_goldsmith_fame + t.scout_fisherman_fame)
    fame = int(t.start_fame[players]) + large * (
        figures * (int(t.noble_fame) + scout + int(t.fisherman_fame)) + ship_fame
    )
    fame += int(t.most_boatsmen_fame + t.most_islands_fame + t.longest_island_fame) + gold // int(t.gold_per_fame)
    fame += figures * int(t.food_per_fisherman) * int(t.surplus_food_fame)
    mouths = int(t.purchases_each[players]) * rounds
    return gold, fame, mouths * int(t.short_food_fame) - ship_gold - ship_fame


@compiled
def observe(tables, state, seat, out):
    """Write what ``seat`` may know into ``out``, field by field in the order of ``observation_fields``."""
    out[:] = 0
    players, decider, start = int(state.players), int(state.seat), int(state.start_player)
    columns = int(tables.columns[players])
    place = 0
    for k in range(players):
        place = _observe_seat(tables, state, (seat + k) % players, columns, out, place)
    if decider >= 0:
        out[place + (decider - seat) % players] = 1
        out[place + 2 * players + len(tables.large_scoring) + _PHASE_PLACE[int(state.phase)]] = 1
    out[place + players + (start - seat) % players] = 1
    place += 2 * players
    out[place + int(state.round_number) - 1] = 1
    place += len(tables.large_scoring) + len(PHASES)
    for space in range(WHEEL_SPACES):
        tile = int(state.wheel_tile[space])
        if tile:
            out[place + int(tables.tile_class[tile - 1])] = 1
            out[place + TILE_CLASSES + int(state.wheel_viking[space]) - 1] = 1
            out[place + TILE_CLASSES + COLOURS] = (space - int(state.zero_space)) / (WHEEL_SPACES - 1)
        place += SPACE_FLOATS
    if state.bought_tile:
        out[place + int(tables.tile_class[int(state.bought_tile) - 1])] = 1
    place += TILE_CLASSES
    if state.bought_viking:
        out[place + int(state.bought_viking) - 1] = 1
    place += COLOURS
    if state.phase == VIKING:
        out[place + int(state.placed_row)] = 1
        out[place + ISLAND_ROWS] = state.placed_column / columns
    place += ISLAND_ROWS + 1
    if state.trip_moves:
        for row in range(ISLAND_ROWS):
            out[place + row] = (int(state.trip_rows) >> row) & 1
        out[place + ISLAND_ROWS] = state.trip_mode == ONE_COLOUR
        out[place + ISLAND_ROWS + 1] = state.trip_mode == SEVERAL_COLOURS
        out[place + ISLAND_ROWS + 2] = state.trip_column / columns
    place += ISLAND_ROWS + 3
    # Counted whole and divided once: sums of tenths leave the bounds by their rounding.
    seen = int(state.round_number) * WHEEL_SPACES
    for k in range(seen, len(state.stack)):
        out[place + int(tables.tile_class[state.stack[k]])] += 1
    out[place : place + TILE_CLASSES] /= TILES
    place += TILE_CLASSES
    for k in range(seen, len(state.bag)):
        out[place + int(state.bag[k])] += 1
    out[place : place + COLOURS] /= FIGURES
    place += COLOURS
    out[place] = state.opening_mode == ADJACENT


@compiled
def _observe_seat(tables, state, seat, columns, out, place):
    for row in range(ISLAND_ROWS):
        for column in range(state.width[seat]):
            tile = int(state.tile[seat, row, column])
            if tile:
                cell = place + (row * columns + column) * CELL_FLOATS
                out[cell] = 1 if tables.left_edge[tile - 1] == LAND else -1
                out[cell + 1] = 1 if tables.right_edge[tile - 1] == LAND else -1
                out[cell + 2] = state.viking[seat, row, column]
    place += ISLAND_ROWS * columns * CELL_FLOATS
    for column in range(state.ship.shape[1]):
        ship = int(state.ship[seat, column])
        if ship:
            out[place + column] = (tables.reach_last[ship - 1] + 1) / ISLAND_ROWS
    place += state.ship.shape[1]
    out[place] = state.gold[seat] / MONEY
    out[place + 1] = state.fame[seat] / MONEY
    for colour in range(COLOURS):
        out[place + 2 + colour] = state.pool[seat, colour] / FIGURES
    out[place + 2 + COLOURS] = state.start_tile_kept[seat]
    return place + 3 + COLOURS
