"""The record of one game of Vikings, and the record of its component tables.

Cells of a homeland are addressed by island row 0..4 (rows 2..6 of the rules: warriors, nobles, scouts, goldsmiths,
fishermen) and column 0.. (column 1.. of the rules). Tile *kinds* are the rows of ``tiles.csv``; a cell or wheel space
stores kind + 1, and 0 where it is empty. Viking *colours* are numbered in the order of the offer (blue, yellow, green,
red, black, gray with the printed tables); a wheel space stores colour + 1.

Both records begin with fields that only the advanced game has: the game with all three switches off has records without
them, and functions that read them are marked ``compiled_for``. *Special kinds* are the rows of ``special_tiles.csv``.
"""

from __future__ import annotations

import numpy as np

from northsea_envs.games.vikings.weights import WEIGHTS

# Structure of the rules, not component values: the tables are checked against them.
MAX_PLAYERS = 4
WHEEL_SPACES = 12
ISLAND_ROWS = 5
COLOURS = 6
WARRIORS, NOBLES, SCOUTS, GOLDSMITHS, FISHERMEN = range(ISLAND_ROWS)
ROW_LETTERS = "WNSGF"
ROW_NAMES = ("warriors", "nobles", "scouts", "goldsmiths", "fishermen")

NO_PIECE, LEFT_END, MIDDLE, RIGHT_END, SHIP = range(5)
PIECES = {"left_end": LEFT_END, "middle": MIDDLE, "right_end": RIGHT_END, "ship": SHIP}
NO_EDGE, SEA, LAND = range(3)
EDGES = {"": NO_EDGE, "sea": SEA, "land": LAND}
BUILDINGS = {"none": 0, "A": 1, "B": 2, "C": 3, "D": 4}
SAILS = ("red", "green", "yellow", "blue")

# Tiles that play alike in the basic game: island pieces, then ships from the shortest reach to the longest.
TILE_CLASSES = len(PIECES) - 1 + len(SAILS)

# Phases, in the order of a round. AUCTION, REMOVE_VIKING, LAY_COLOUR, TAKE_SPECIAL and REPLACE are the advanced game's.
AUCTION, REMOVE_VIKING, LAY_COLOUR, BUY, START_ROW, CELL, SHIP_COLUMN, VIKING, TAKE_SPECIAL, REPLACE, TRIP, OVER = (
    range(12)
)

# ship_opening_mode
ADJACENT, ANY_OF_FIRST_THREE = range(2)

# How the vikings of an open trip relate: one moved so far, all of one colour, or each of another.
ONE_MOVED, ONE_COLOUR, SEVERAL_COLOURS = range(3)

# The switches of the advanced game, each a field of its tables' record.
SWITCHES = ("auction", "limited_boatsmen", "special_tiles")
# A record has the fields of the advanced game if it has this one.
ADVANCED = "special_held"

SPECIAL_SLOTS = 4  # places for face-up special tiles

# What special tiles do, by ``effect_kind`` of special_tiles.csv.
(
    GAIN_GOLD,
    GOLDSMITH_GOLD,
    FULL_TRIP,
    NOBLE_FAME,
    SCOUT_FAME,
    FISHERMAN_FAME,
    MAJORITY_BOATSMAN,
    SURPLUS_FOOD_FAME,
    GOLD_PER_FAME,
    BUILDING,
) = range(10)

# For people, by effect; ``{}`` is the magnitude.
EFFECT_WORDS = (
    "{} gold",
    "goldsmith +{}",
    "boat",
    "noble +{}",
    "scout +{}",
    "fisherman +{}",
    "horn",
    "fish: {} fame for spare food",
    "{} gold for a fame",
    "building",
)

# Columns of ``final_steps``: fame by each step of the final scoring.
FINAL_STEPS = ("ships", "gold", "boatsmen", "islands", "longest island", "feeding")


def tables_dtype(kinds: int, rounds: int, special_kinds: int = 0) -> np.dtype:
    """Dtype of the tables' record for ``kinds`` rows in ``tiles.csv`` and ``rounds`` rounds.

    With ``special_kinds``, the rows in ``special_tiles.csv``, it is the record of the advanced game.
    """
    by_players = (MAX_PLAYERS + 1,)
    return np.dtype(
        (
            np.record,
            [
                *(_advanced_tables(special_kinds) if special_kinds else ()),
                ("start_gold", "i4", by_players),  # player_counts.csv, by number of players
                ("start_fame", "i4", by_players),
                ("columns", "i4", by_players),
                ("purchases_each", "i4", by_players),  # a round
                ("large_scoring", "u1", (rounds,)),  # rounds.csv, 0 for a small scoring
                ("piece", "u1", (kinds,)),  # tiles.csv
                ("left_edge", "u1", (kinds,)),
                ("right_edge", "u1", (kinds,)),
                ("building", "u1", (kinds,)),
                ("tile_class", "u1", (kinds,)),  # see TILE_CLASSES
                ("sail", "u1", (kinds,)),  # index in SAILS; ships only
                ("tile_count", "i4", (kinds,)),
                ("draw_count", "i4", (kinds,)),
                ("reach_last", "i4", (kinds,)),  # ships.csv, island row 0..4; ships only
                ("ship_gold", "i4", (kinds,)),
                ("ship_fame", "i4", (kinds,)),
                ("viking_count", "i4", (COLOURS,)),  # vikings.csv
                ("home_row", "i4", (COLOURS,)),  # island row 0..4, -1 for the boatsman
                ("row_colour", "i4", (ISLAND_ROWS,)),
                ("start_kind", "i4"),
                ("boatsman", "i4"),  # its colour
                ("ship_opening_columns", "i4"),  # constants.csv
                ("default_opening_mode", "i4"),
                ("goldsmith_gold", "i4"),
                ("threat_in_small_scoring", "i4"),
                ("noble_fame", "i4"),
                ("scout_fame", "i4"),
                ("scout_goldsmith_fame", "i4"),
                ("scout_fisherman_fame", "i4"),
                ("fisherman_fame", "i4"),
                ("gold_per_fame", "i4"),
                ("most_boatsmen_fame", "i4"),
                ("most_islands_fame", "i4"),
                ("longest_island_fame", "i4"),
                ("zero_majority_scores", "i4"),
                ("food_per_fisherman", "i4"),
                ("surplus_food_fame", "i4"),
                ("short_food_fame", "i4"),
                ("weights", "f8", (len(WEIGHTS),)),  # value.csv
            ],
        )
    )


def _advanced_tables(special_kinds: int) -> list[tuple]:
    return [
        *((switch, "i4") for switch in SWITCHES),  # 1 where it is on
        ("special_count", "i4", (special_kinds,)),  # special_tiles.csv
        ("special_effect", "i4", (special_kinds,)),  # GAIN_GOLD ... BUILDING
        ("special_magnitude", "i4", (special_kinds,)),
        ("special_building", "i4", (special_kinds,)),  # as ``building``; 0 for every tile that is no building
        ("special_on_zero_price", "i4"),  # constants.csv
        ("building_score_max", "i4"),
    ]


def state_dtype(tables: np.ndarray) -> np.dtype:
    """Dtype of one game under ``tables`` (an array of one tables' record)."""
    t = tables[0]
    columns = int(t.columns.max())
    kinds = len(t.piece)
    homes = (MAX_PLAYERS, ISLAND_ROWS, columns)
    return np.dtype(
        (
            np.record,
            [
                # First: numba would take a record that only has more fields at its end for the shorter one.
                *(_advanced_state(t, homes) if is_advanced(tables) else ()),
                ("rng", "u4", (4,)),
                ("players", "i1"),
                ("opening_mode", "u1"),
                ("phase", "u1"),
                ("seat", "i1"),  # whose decision it is; -1 when the game is over
                ("start_player", "i1"),
                ("round_number", "u1"),  # 1..
                ("sets_left", "u1"),  # still to be bought this round
                ("zero_space", "i1"),  # -1 when no set is left
                ("wheel_tile", "u1", (WHEEL_SPACES,)),
                ("wheel_viking", "u1", (WHEEL_SPACES,)),
                ("stack", "u1", (int(t.draw_count.sum()),)),  # kinds; round k takes the k-th twelve
                # Colours in the order they are drawn: twelve a round, thirteen with the auction.
                ("bag", "u1", (int(t.viking_count.sum()),)),
                ("tile", "u1", homes),
                ("viking", "u1", homes),  # 1 where a viking of the row's colour stands
                ("width", "u1", (MAX_PLAYERS,)),  # columns 0 .. width - 1 hold all island tiles
                ("ship", "u1", (MAX_PLAYERS, ship_columns(tables))),  # kind + 1 by column
                ("ships", "u1", (MAX_PLAYERS,)),
                ("pool", "u1", (MAX_PLAYERS, COLOURS)),
                ("start_tile_kept", "u1", (MAX_PLAYERS,)),
                ("gold", "i4", (MAX_PLAYERS,)),
                ("fame", "i4", (MAX_PLAYERS,)),
                ("purchases", "u1", (MAX_PLAYERS,)),  # this game
                ("bought_tile", "u1"),  # kind + 1 until it is placed
                ("bought_viking", "u1"),  # colour + 1 until it stands or waits
                ("placed_row", "i1"),  # the island tile just placed, while its viking is asked for
                ("placed_column", "i1"),
                ("scorings_done", "u1"),  # seats that have finished this large scoring
                ("trip_moves", "u1"),  # of the open trip, 0 if none is open
                ("trip_mode", "u1"),
                ("trip_rows", "u1"),  # bit r: the open trip has moved a viking of island row r
                ("trip_column", "i1"),  # column of its latest move
                ("tiles_removed", "u1", (kinds,)),
                ("vikings_removed", "u1", (COLOURS,)),
                ("final_steps", "i4", (MAX_PLAYERS, len(FINAL_STEPS))),
            ],
        )
    )


def _advanced_state(t: np.record, homes: tuple[int, ...]) -> list[tuple]:
    special_kinds = len(t.special_count)
    return [
        # The auction: all 0 outside the phase AUCTION.
        ("standing_bid", "i4"),
        ("standing_bidder", "i1"),  # the old start player until somebody bids
        ("bid_opened", "u1"),  # 1 when the old start player has bid or passed, so that 0 is no bid any more
        ("pending_raise", "i4"),  # what BID_MORE has added so far to the bid being named
        ("passed", "u1", (MAX_PLAYERS,)),
        ("drawn", "u1", (COLOURS,)),  # vikings of this round that are shown and not yet on the wheel or removed
        ("special_stack", "u1", (int(t.special_count.sum()),)),  # special kinds in the order they are revealed
        ("specials_revealed", "u1"),  # how many of them have been
        ("special_display", "u1", (SPECIAL_SLOTS,)),  # special kind + 1, 0 where a place is empty
        ("special_held", "u1", (MAX_PLAYERS, special_kinds)),  # beside the homeland; building tiles until placed
        ("special_cell", "u1", homes),  # special kind + 1 of a building tile; ``tile`` is the middle it stands for
        ("special_removed", "u1", (special_kinds,)),
        ("special_due", "u1"),  # 1 from buying the most expensive set until its special tile is chosen or declined
        ("replacing", "u1"),  # special kind + 1 of the building tile just taken, in phase REPLACE
        ("boat_spent", "u1"),  # 1 when a boat tile serves the next or the open trip
        ("buildings_step", "i4", (MAX_PLAYERS,)),  # fame from building tiles in the final scoring
    ]


def is_advanced(tables: np.ndarray) -> bool:
    """Whether any switch of the advanced game is on under ``tables``, so that both records have its fields."""
    return SWITCHES[0] in (tables.dtype.names or ())


def ship_columns(tables: np.ndarray) -> int:
    """Highest column that a ship can reach: all ships in one homeland."""
    t = tables[0]
    return max(int(t.tile_count[t.piece == SHIP].sum()), int(t.ship_opening_columns))


def special_word(t: np.record, kind: int) -> str:
    """A special kind in words, such as ``"noble +1"`` or ``"building A"``, under the tables' record ``t``."""
    word = EFFECT_WORDS[int(t.special_effect[kind])].format(int(t.special_magnitude[kind]))
    letters = {building: letter for letter, building in BUILDINGS.items()}
    building = int(t.special_building[kind])
    return f"{word} {letters[building]}" if building else word
