"""What a seat may know, as one flat vector of named fields. Section 14: no seat has private information."""

import numpy as np

from northsea_envs.game import Field
from northsea_envs.games.vikings.actions import MORE
from northsea_envs.games.vikings.offer import seen_tiles, seen_vikings
from northsea_envs.games.vikings.state import (
    ADJACENT,
    ADVANCED,
    AUCTION,
    BUILDING,
    BUILDINGS,
    BUY,
    CELL,
    COLOURS,
    EFFECT_WORDS,
    FISHERMAN_FAME,
    GAIN_GOLD,
    GOLD_PER_FAME,
    GOLDSMITH_GOLD,
    ISLAND_ROWS,
    LAND,
    LAY_COLOUR,
    NOBLE_FAME,
    ONE_COLOUR,
    REMOVE_VIKING,
    REPLACE,
    SCOUT_FAME,
    SEVERAL_COLOURS,
    SHIP,
    SHIP_COLUMN,
    SPECIAL_SLOTS,
    START_ROW,
    SURPLUS_FOOD_FAME,
    TAKE_SPECIAL,
    TILE_CLASSES,
    TRIP,
    VIKING,
    WHEEL_SPACES,
    is_advanced,
    ship_columns,
    special_word,
)
from northsea_envs.jit import compiled, compiled_for

CELL_FLOATS = 3
SPACE_FLOATS = TILE_CLASSES + COLOURS + 1
PHASES = (BUY, START_ROW, CELL, SHIP_COLUMN, VIKING, TRIP)
AUCTION_PHASES = (AUCTION, REMOVE_VIKING, LAY_COLOUR)
SPECIAL_PHASES = (TAKE_SPECIAL, REPLACE)
KINDS_OF_BUILDINGS = len(BUILDINGS) - 1
MONEY = 50.0  # gold and fame are divided by this
FIGURES = 10.0  # and counts of vikings by this
TILES = 20.0  # and counts of tiles by this
SPECIALS = 4.0  # and counts of special tiles by this
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
                (ISLAND_ROWS, columns, CELL_FLOATS),
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
    if is_advanced(tables):
        if t.auction:
            fields += _auction_fields(players, (gold + fame) / MONEY)
        if t.special_tiles:
            fields += _special_fields(tables, players)
    return tuple(fields)


def _auction_fields(players: int, wealth: float) -> list[Field]:
    return [
        Field("auction.phase", len(AUCTION_PHASES), 0, 1, "one-hot: bidding, removing a viking, laying out a colour"),
        Field(
            "auction.drawn",
            COLOURS,
            0,
            (WHEEL_SPACES + 1) / FIGURES,
            f"vikings not yet laid out by colour, divided by {FIGURES:g}",
        ),
        Field("auction.opened", 1, 0, 1, "1 when the old start player has spoken, so that 0 is no bid any more"),
        Field("auction.standing_bid", 1, 0, wealth, f"the standing bid, divided by {MONEY:g}"),
        Field("auction.standing_bidder", players, 0, 1, "one-hot: whose it is, by seat_k; all 0 outside the bidding"),
        Field("auction.passed", players, 0, 1, "1 for each seat_k that has passed"),
        Field("auction.pending_raise", 1, 0, wealth, f"what BID_MORE has added so far, divided by {MONEY:g}"),
    ]


def _special_fields(tables: np.ndarray, players: int) -> list[Field]:
    t = tables[0]
    kinds = len(t.special_count)
    most = max(float(t.special_count.max()), 1.0) / SPECIALS
    columns = int(t.columns[players])
    order = ", ".join(special_word(t, kind) for kind in range(kinds))
    buildings = ", ".join(name for name, building in BUILDINGS.items() if building)
    fields = [
        Field(
            "special.cells",
            players * ISLAND_ROWS * columns,
            -1,
            1,
            "homeland by homeland from seat_0, row by row from W1: the building of a middle tile (A 0.25, B 0.5, "
            "C 0.75, D 1), minus that of a building tile, 0 elsewhere",
            (players, ISLAND_ROWS, columns),
        ),
        Field(
            "special.held",
            players * kinds,
            0,
            most,
            f"seat by seat from seat_0: special tiles beside the homeland by kind ({order}), divided by {SPECIALS:g}",
        ),
        Field(
            "special.display",
            SPECIAL_SLOTS * kinds,
            0,
            1,
            "the four places; each is one-hot by kind, all 0 where it is empty",
        ),
        Field("special.stack", kinds, 0, most, f"tiles not revealed yet by kind, divided by {SPECIALS:g}"),
        Field("special.phase", len(SPECIAL_PHASES), 0, 1, "one-hot: taking a special tile, replacing a middle tile"),
        Field("special.due", 1, 0, 1, "1 while the set being placed was the most expensive one"),
        Field("special.replacing", KINDS_OF_BUILDINGS, 0, 1, f"one-hot ({buildings}): the building tile to be placed"),
        Field(
            "special.wheel",
            WHEEL_SPACES * KINDS_OF_BUILDINGS,
            0,
            1,
            f"12 spaces; each is the one-hot building ({buildings}) of a middle tile",
        ),
        Field("special.bought", KINDS_OF_BUILDINGS, 0, 1, "one-hot: the building of the tile that waits to be placed"),
        Field(
            "special.stacks",
            KINDS_OF_BUILDINGS,
            0,
            max(float(t.draw_count[t.building > 0].sum()), 1.0) / TILES,
            f"middle tiles of later rounds by building, divided by {TILES:g}",
        ),
    ]
    if t.limited_boatsmen:
        fields.append(Field("special.boat_spent", 1, 0, 1, "1 while a boat tile serves the next or the open trip"))
    return fields


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
    bonus = np.zeros(len(EFFECT_WORDS), np.int64)  # what all special tiles of an effect add up to
    gold_per_fame, surplus, buildings = int(t.gold_per_fame), int(t.surplus_food_fame), 0
    if is_advanced(tables) and t.special_tiles:
        np.add.at(bonus, t.special_effect, t.special_count * t.special_magnitude)
        for kind, effect in enumerate(t.special_effect):
            magnitude = int(t.special_magnitude[kind])
            if effect == GOLD_PER_FAME:
                gold_per_fame = min(gold_per_fame, magnitude)
            elif effect == SURPLUS_FOOD_FAME:
                surplus = max(surplus, magnitude)
            elif effect == BUILDING:
                buildings += int(t.special_count[kind]) * int(t.building_score_max)
    gold = int(t.start_gold[players]) + ship_gold * large + int(bonus[GAIN_GOLD])
    gold += figures * (int(t.goldsmith_gold) + int(bonus[GOLDSMITH_GOLD])) * rounds
    scout = int(t.scout_fame + t.scout_goldsmith_fame + t.scout_fisherman_fame) + int(bonus[SCOUT_FAME])
    noble = int(t.noble_fame) + int(bonus[NOBLE_FAME])
    fisherman = int(t.fisherman_fame) + int(bonus[FISHERMAN_FAME])
    fame = int(t.start_fame[players]) + large * (figures * (noble + scout + fisherman) + ship_fame)
    fame += int(t.most_boatsmen_fame + t.most_islands_fame + t.longest_island_fame) + gold // gold_per_fame
    fame += figures * int(t.food_per_fisherman) * surplus + buildings
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
        if _PHASE_PLACE[int(state.phase)] >= 0:
            out[place + 2 * players + len(tables.large_scoring) + _PHASE_PLACE[int(state.phase)]] = 1
    out[place + players + (start - seat) % players] = 1
    place += 2 * players
    out[place + int(state.round_number) - 1] = 1
    place += len(tables.large_scoring) + len(PHASES)
    for space in range(WHEEL_SPACES):
        tile, viking = int(state.wheel_tile[space]), int(state.wheel_viking[space])
        out[place + int(tables.tile_class[max(tile - 1, 0)])] = tile != 0
        out[place + TILE_CLASSES + max(viking - 1, 0)] = (tile != 0) & (viking != 0)
        out[place + TILE_CLASSES + COLOURS] = (tile != 0) * (space - int(state.zero_space)) / (WHEEL_SPACES - 1)
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
    for k in range(seen_tiles(tables, state), len(state.stack)):
        out[place + int(tables.tile_class[state.stack[k]])] += 1
    out[place : place + TILE_CLASSES] /= TILES
    place += TILE_CLASSES
    for k in range(seen_vikings(tables, state), len(state.bag)):
        out[place + int(state.bag[k])] += 1
    out[place : place + COLOURS] /= FIGURES
    place += COLOURS
    out[place] = state.opening_mode == ADJACENT
    _observe_advanced(tables, state, seat, out, place + 1)


@compiled
def _observe_seat(tables, state, seat, columns, out, place):
    for column in range(state.width[seat]):
        for row in range(ISLAND_ROWS):
            # Without a branch, which the processor would guess wrong on every other cell.
            tile = int(state.tile[seat, row, column])
            laid, kind = tile != 0, max(tile - 1, 0)
            cell = place + (row * columns + column) * CELL_FLOATS
            out[cell] = laid * (2 * (tables.left_edge[kind] == LAND) - 1)
            out[cell + 1] = laid * (2 * (tables.right_edge[kind] == LAND) - 1)
            out[cell + 2] = state.viking[seat, row, column]
    place += ISLAND_ROWS * columns * CELL_FLOATS
    for column in range(state.ship.shape[1]):
        ship = int(state.ship[seat, column])
        out[place + column] = (ship != 0) * (tables.reach_last[max(ship - 1, 0)] + 1) / ISLAND_ROWS
    place += state.ship.shape[1]
    out[place] = state.gold[seat] / MONEY
    out[place + 1] = state.fame[seat] / MONEY
    for colour in range(COLOURS):
        out[place + 2 + colour] = state.pool[seat, colour] / FIGURES
    out[place + 2 + COLOURS] = state.start_tile_kept[seat]
    return place + 3 + COLOURS


@compiled_for(ADVANCED, otherwise=None)
def _observe_advanced(tables, state, seat, out, place):
    if tables.auction:
        place = _observe_auction(state, seat, out, place)
    if tables.special_tiles:
        _observe_special_tiles(tables, state, seat, out, place)


@compiled
def _observe_auction(state, seat, out, place):
    players = int(state.players)
    if state.phase <= LAY_COLOUR:
        out[place + int(state.phase)] = 1
    place += len(AUCTION_PHASES)
    for colour in range(COLOURS):
        out[place + colour] = state.drawn[colour] / FIGURES
    place += COLOURS
    out[place] = state.bid_opened
    out[place + 1] = state.standing_bid / MONEY
    place += 2
    if state.phase == AUCTION:
        out[place + (int(state.standing_bidder) - seat) % players] = 1
    place += players
    for k in range(players):
        out[place + k] = state.passed[(seat + k) % players]
    out[place + players] = state.pending_raise / MONEY
    return place + players + 1


@compiled
def _observe_special_tiles(tables, state, seat, out, place):
    players = int(state.players)
    columns = int(tables.columns[players])
    kinds = len(tables.special_count)
    for k in range(players):
        home = (seat + k) % players
        for row in range(ISLAND_ROWS):
            for column in range(state.width[home]):
                tile = int(state.tile[home, row, column])
                if tile:
                    sign = -1 if state.special_cell[home, row, column] else 1
                    out[place + row * columns + column] = sign * int(tables.building[tile - 1]) / KINDS_OF_BUILDINGS
        place += ISLAND_ROWS * columns
    for k in range(players):
        for kind in range(kinds):
            out[place + kind] = state.special_held[(seat + k) % players, kind] / SPECIALS
        place += kinds
    for slot in range(SPECIAL_SLOTS):
        if state.special_display[slot]:
            out[place + int(state.special_display[slot]) - 1] = 1
        place += kinds
    for k in range(state.specials_revealed, len(state.special_stack)):
        out[place + int(state.special_stack[k])] += 1
    out[place : place + kinds] /= SPECIALS
    place += kinds
    if state.phase == TAKE_SPECIAL or state.phase == REPLACE:
        out[place + (state.phase == REPLACE)] = 1
    place += len(SPECIAL_PHASES)
    out[place] = state.special_due
    place += 1
    if state.replacing:
        out[place + int(tables.special_building[int(state.replacing) - 1]) - 1] = 1
    place += KINDS_OF_BUILDINGS
    for space in range(WHEEL_SPACES):
        _observe_building(tables, int(state.wheel_tile[space]), out, place)
        place += KINDS_OF_BUILDINGS
    _observe_building(tables, int(state.bought_tile), out, place)
    place += KINDS_OF_BUILDINGS
    for k in range(seen_tiles(tables, state), len(state.stack)):
        _observe_building(tables, int(state.stack[k]) + 1, out, place)
    out[place : place + KINDS_OF_BUILDINGS] /= TILES
    if tables.limited_boatsmen:
        out[place + KINDS_OF_BUILDINGS] = state.boat_spent


@compiled
def _observe_building(tables, tile, out, place):
    """Count the building of a tile (kind + 1, 0 for none), if it has one."""
    if tile and tables.building[tile - 1]:
        out[place + int(tables.building[tile - 1]) - 1] += 1
