"""How the component tables become one record: read, check cell by cell, and check that they agree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from northsea_envs.games.vikings.special_table import read_special_tiles
from northsea_envs.games.vikings.state import (
    ADJACENT,
    ANY_OF_FIRST_THREE,
    BUILDINGS,
    COLOURS,
    EDGES,
    LEFT_END,
    MAX_PLAYERS,
    MIDDLE,
    PIECES,
    RIGHT_END,
    ROW_NAMES,
    SAILS,
    SHIP,
    SPECIAL_SLOTS,
    SWITCHES,
    WHEEL_SPACES,
    tables_dtype,
)
from northsea_envs.games.vikings.weights import WEIGHTS
from northsea_envs.tables import Column, Row, TableError, fill_weights, integer, read_constants, read_table, word

TABLES = Path(__file__).parent / "tables"


def read_tables(folder: Path) -> np.ndarray:
    """Read and check the component tables in ``folder``, those of the advanced game too.

    Returns:
        A read-only structured array of one element: the record of the advanced game, all its switches off, from which
        :func:`with_switches` makes the tables of each variant.

    Raises:
        TableError: a table is missing or holds something that is not allowed, with file, row, column and value.
    """
    tiles = _tiles(folder)
    ships = {row["sail_colour"]: row for row in _ships(folder)}
    vikings = _vikings(folder)
    rounds = _rounds(folder)
    counts = _player_counts(folder)
    constants = _constants(folder)
    specials = read_special_tiles(folder, constants)
    coins = _coins(folder)
    c = {name: row["value"] for name, row in constants.items()}

    tables = np.zeros(1, tables_dtype(len(tiles), len(rounds), len(specials)))
    t = tables[0]
    for row in counts:
        players = row["players"]
        t.start_gold[players], t.start_fame[players] = row["start_gold"], row["start_fame"]
        t.columns[players] = row["max_column_index_islands"]
        t.purchases_each[players] = row["sets_per_player_per_round"]
    for index, row in enumerate(rounds):
        t.large_scoring[index] = row["scoring"] == "large"
    for kind, row in enumerate(tiles):
        t.piece[kind] = PIECES[row["piece"]]
        t.left_edge[kind], t.right_edge[kind] = EDGES[row["left_edge"]], EDGES[row["right_edge"]]
        t.building[kind] = BUILDINGS[row["building"]]
        t.tile_count[kind], t.draw_count[kind] = row["count_total"], row["count_in_draw_pile"]
        if row["count_set_aside_at_setup"]:
            t.start_kind = kind
        if row["piece"] == "ship":
            ship = ships[row["ship_colour"]]
            t.sail[kind] = SAILS.index(row["ship_colour"])
            t.reach_last[kind] = ship["threat_last_row"] - 2
            t.ship_gold[kind] = ship["value"] if ship["value_kind"] == "gold" else 0
            t.ship_fame[kind] = ship["value"] if ship["value_kind"] == "fame" else 0
            if row["count_total"] != ship["count"]:
                raise row.error("count_total", f"the count in ships.csv, {ship['count']}")
        t.tile_class[kind] = t.piece[kind] - 1
    by_reach = sorted((t.reach_last[kind], kind) for kind in range(len(tiles)) if t.piece[kind] == SHIP)
    for order, (_, kind) in enumerate(by_reach):
        t.tile_class[kind] = SHIP - 1 + order
    for row in vikings:
        colour = row["offer_order"] - 1
        t.viking_count[colour], t.home_row[colour] = row["count"], row["home_row"] - 2 if row["home_row"] else -1
        if row["home_row"]:
            t.row_colour[row["home_row"] - 2] = colour
        else:
            t.boatsman = colour
    t.ship_opening_columns = c["ship_opening_columns"]
    t.default_opening_mode = c["ship_opening_mode"]
    t.goldsmith_gold, t.threat_in_small_scoring = c["goldsmith_gold"], c["small_scoring_uses_threat"]
    t.noble_fame, t.scout_fame, t.fisherman_fame = c["noble_fame"], c["scout_fame"], c["fisherman_large_scoring"]
    t.scout_goldsmith_fame, t.scout_fisherman_fame = c["scout_bonus_goldsmith_below"], c["scout_bonus_fisherman_below"]
    t.gold_per_fame = c["final_gold_per_fame"]
    t.most_boatsmen_fame, t.most_islands_fame = c["final_most_boatsmen"], c["final_most_islands"]
    t.longest_island_fame = c["final_longest_island"]
    t.zero_majority_scores = not c["final_majority_needs_positive_count"]
    t.food_per_fisherman = c["final_food_per_fisherman"]
    t.surplus_food_fame, t.short_food_fame = c["final_surplus_food_fame"], c["final_short_food_fame"]
    for kind, special in enumerate(specials):
        t.special_count[kind], t.special_effect[kind] = special.copies, special.effect
        t.special_magnitude[kind], t.special_building[kind] = special.magnitude, special.building
    t.special_on_zero_price, t.building_score_max = c["special_on_zero_price"], c["building_score_max"]

    _check_agreement(tables, folder, constants, counts, ships, coins)
    fill_weights(tables, folder, TABLES, WEIGHTS)
    tables.flags.writeable = False
    return tables


def with_switches(tables: np.ndarray, switches: Sequence[bool]) -> np.ndarray:
    """The tables of one variant, from those of :func:`read_tables`; read-only.

    Args:
        tables: the record of the advanced game.
        switches: which of ``SWITCHES`` are on. With none it is the basic game's record, a shorter one.

    Raises:
        TableError: the bag does not hold the thirteen vikings a round that the auction draws (V-AUC-1).
    """
    t = tables[0]
    if any(switches):
        bound = tables.copy()
        for switch, is_on in zip(SWITCHES, switches, strict=True):
            bound[switch] = is_on
    else:
        bound = np.zeros(1, tables_dtype(len(t.piece), len(t.large_scoring)))
        for name in bound.dtype.names or ():
            bound[name] = tables[name]
    needed = len(t.large_scoring) * (WHEEL_SPACES + 1)
    if switches[SWITCHES.index("auction")] and t.viking_count.sum() < needed:
        raise TableError(
            f"vikings.csv: column 'count': {t.viking_count.sum()} vikings in all are not enough for the auction; they "
            f"must be at least {WHEEL_SPACES + 1} a round, {needed}"
        )
    bound.flags.writeable = False
    return bound


def _tiles(folder: Path) -> list[Row]:
    rows = read_table(
        folder,
        "tiles.csv",
        [
            Column("tile_id", str, "a name"),
            word("class", ("island", "ship")),
            word("piece", tuple(PIECES)),
            word("left_edge", tuple(EDGES)),
            word("right_edge", tuple(EDGES)),
            word("top_edge", tuple(EDGES)),
            word("bottom_edge", tuple(EDGES)),
            word("building", tuple(BUILDINGS)),
            word("ship_colour", ("", *SAILS)),
            integer("count_total", 0, 99),
            integer("count_set_aside_at_setup", 0, 99),
            integer("count_in_draw_pile", 0, 99),
        ],
        key="tile_id",
    )
    edges = {"left_end": ("sea", "land"), "middle": ("land", "land"), "right_end": ("land", "sea"), "ship": ("", "")}
    sails: set[str] = set()
    starts = 0
    for row in rows:
        ship = row["piece"] == "ship"
        if (row["class"] == "ship") != ship:
            raise row.error("class", "ship for a ship and island for every other piece")
        upright = "" if ship else "sea"
        for column, edge in zip(
            ("left_edge", "right_edge", "top_edge", "bottom_edge"),
            (*edges[row["piece"]], upright, upright),
            strict=True,
        ):
            if row[column] != edge:
                raise row.error(column, f"{edge!r} for a {row['piece']}")
        if ship != bool(row["ship_colour"]) or row["ship_colour"] in sails:
            raise row.error("ship_colour", "a sail of its own for each ship, and empty for every other piece")
        if ship:
            sails.add(row["ship_colour"])
        if row["building"] != "none" and row["piece"] != "middle":
            raise row.error("building", f"none for a {row['piece']}")
        if row["count_in_draw_pile"] + row["count_set_aside_at_setup"] != row["count_total"]:
            raise row.error("count_total", "the sum of count_set_aside_at_setup and count_in_draw_pile")
        if row["count_set_aside_at_setup"]:
            starts += 1
            if row["piece"] != "left_end" or row["count_set_aside_at_setup"] != MAX_PLAYERS or starts > 1:
                raise row.error(
                    "count_set_aside_at_setup",
                    f"{MAX_PLAYERS} in the one row of start tiles, a left_end, and 0 elsewhere",
                )
            if row["count_in_draw_pile"]:
                raise row.error("count_in_draw_pile", "0 for the start tiles, which are not shuffled in")
    path = Path(folder) / "tiles.csv"
    if not starts:
        raise TableError(f"{path}: no row has start tiles; one must have count_set_aside_at_setup {MAX_PLAYERS}")
    if sails != set(SAILS):
        raise TableError(f"{path}: a row is needed for each ship colour: {', '.join(SAILS)}")
    return rows


def _ships(folder: Path) -> list[Row]:
    rows = read_table(
        folder,
        "ships.csv",
        [
            word("sail_colour", SAILS),
            integer("count", 0, 99),
            integer("threat_first_row", 2, 2),
            integer("threat_last_row", 2, 6),
            word("value_kind", ("gold", "fame")),
            integer("value", 0, 99),
        ],
        key="sail_colour",
        rows=len(SAILS),
    )
    seen: dict[int, int] = {}
    for row in rows:
        last = row["threat_last_row"]
        if last in seen:
            raise row.error("threat_last_row", f"different for every sail (row {seen[last]} has it too)")
        seen[last] = row.number
    return rows


def _vikings(folder: Path) -> list[Row]:
    rows = read_table(
        folder,
        "vikings.csv",
        [
            word("colour", ("blue", "yellow", "green", "red", "black", "gray")),
            integer("count", 0, 99),
            integer("home_row", 0, 6),
            integer("offer_order", 1, COLOURS),
            word("goes_on_islands", ("yes", "no")),
        ],
        key="colour",
        rows=COLOURS,
    )
    homes = {row["accepts_viking_colour"]: row["row"] for row in _homeland_rows(folder)}
    orders: dict[int, int] = {}
    for row in rows:
        home = homes.get(row["colour"], 0)
        if row["home_row"] != home:
            raise row.error("home_row", f"{home}, as homeland_rows.csv has it")
        if (row["goes_on_islands"] == "yes") != bool(home):
            raise row.error("goes_on_islands", "yes for a colour with a home row and no for the boatsman")
        if row["offer_order"] in orders:
            raise row.error("offer_order", f"different in every row (row {orders[row['offer_order']]} has it too)")
        orders[row["offer_order"]] = row.number
    return rows


def _homeland_rows(folder: Path) -> list[Row]:
    rows = read_table(
        folder,
        "homeland_rows.csv",
        [
            integer("row", 1, 6),
            word("name", ("ships", *ROW_NAMES)),
            word("accepts_tile_class", ("ship", "island")),
            word("accepts_viking_colour", ("none", "blue", "yellow", "green", "red", "black")),
            word("homeland_edge_at_column_1", ("none", "sea")),
        ],
        key="row",
        rows=6,
    )
    colours: set[str] = set()
    for row in rows:
        ships = row["row"] == 1
        if row["name"] != ("ships", *ROW_NAMES)[row["row"] - 1]:
            raise row.error("name", f"{('ships', *ROW_NAMES)[row['row'] - 1]} in row {row['row']}")
        if (row["accepts_tile_class"] == "ship") != ships:
            raise row.error("accepts_tile_class", "ship in row 1 and island in rows 2 to 6")
        if (row["homeland_edge_at_column_1"] == "none") != ships:
            raise row.error("homeland_edge_at_column_1", "none in row 1 and sea in rows 2 to 6")
        colour = row["accepts_viking_colour"]
        if (colour == "none") != ships or colour in colours:
            raise row.error("accepts_viking_colour", "none in row 1 and a colour of its own in rows 2 to 6")
        colours.add(colour)
    return rows


def _rounds(folder: Path) -> list[Row]:
    rows = read_table(
        folder,
        "rounds.csv",
        [
            integer("round", 1, 99),
            integer("tile_stack", 1, 99),
            word("scoring", ("small", "large")),
            word("final_scoring_follows", ("no", "yes")),
        ],
    )
    if not rows:
        raise TableError(f"{Path(folder) / 'rounds.csv'}: at least one round is needed")
    for number, row in enumerate(rows, 1):
        if row["round"] != number:
            raise row.error("round", str(number))
        if row["tile_stack"] != number:
            raise row.error("tile_stack", f"the number of the round, {number}")
        if (row["final_scoring_follows"] == "yes") != (number == len(rows)):
            raise row.error("final_scoring_follows", "yes in the last row and no elsewhere")
    return rows


def _player_counts(folder: Path) -> list[Row]:
    rows = read_table(
        folder,
        "player_counts.csv",
        [
            integer("players", 2, MAX_PLAYERS),
            integer("start_gold", 0, 999),
            integer("start_fame", 0, 999),
            integer("sets_per_player_per_round", 1, WHEEL_SPACES),
            integer("sets_per_player_per_game", 1, 999),
            integer("max_column_index_islands", 1, 120),
            integer("start_tiles_removed", 0, MAX_PLAYERS),
            integer("max_island_tiles_per_player", 1, 999),
            integer("max_ships_per_player", 0, 999),
            integer("max_vikings_acquired_per_player", 1, 999),
            integer("max_special_tiles_taken_per_round_per_player", 0, SPECIAL_SLOTS),
        ],
        key="players",
        rows=MAX_PLAYERS - 1,
    )
    for row in rows:
        if row["sets_per_player_per_round"] * row["players"] != WHEEL_SPACES:
            raise row.error("sets_per_player_per_round", f"{WHEEL_SPACES} divided by the players")
    return rows


def _coins(folder: Path) -> list[Row]:
    """The box's coins: the bank never runs out (V-SETUP-8), so that they are only checked."""
    rows = read_table(
        folder,
        "coins.csv",
        [integer("denomination", 1, 999), integer("count", 0, 999), integer("total_value", 0, 999_999)],
        key="denomination",
    )
    for row in rows:
        worth = row["denomination"] * row["count"]
        if row["total_value"] != worth:
            raise row.error("total_value", f"denomination times count, {worth}")
    return rows


def _constants(folder: Path) -> dict[str, Row]:
    flag = {"false": 0, "true": 1}
    amounts = (
        "goldsmith_gold",
        "noble_fame",
        "scout_fame",
        "scout_bonus_goldsmith_below",
        "scout_bonus_fisherman_below",
        "fisherman_large_scoring",
        "final_most_boatsmen",
        "final_most_islands",
        "final_longest_island",
        "final_food_per_fisherman",
        "final_surplus_food_fame",
    )
    return read_constants(
        folder,
        [
            *(integer(name, 0, 99) for name in amounts),
            integer("final_short_food_fame", -99, 0),
            integer("final_gold_per_fame", 1, 99),
            integer("ship_opening_columns", 3, 3),
            _choice("ship_opening_mode", {"adjacent": ADJACENT, "any_of_first_three": ANY_OF_FIRST_THREE}),
            _choice("small_scoring_uses_threat", flag),
            _choice("final_majority_needs_positive_count", flag),
            # What only one value makes sense for, so that another is refused and not silently ignored.
            _choice("bank_limited", {"false": 0}),
            _choice("gold_to_fame_in_game", {"false": 0}),
            _choice("final_fame_floor", {"none": 0}),
            _choice("round6_transport_rule", {"use_boatsmen_while_a_move_exists": 0}),
            integer("fame_to_gold_rate", 1, 1),
            integer("wheel_lowest_number", 0, 0),
            integer("wheel_highest_number", WHEEL_SPACES - 1, WHEEL_SPACES - 1),
            integer("wheel_spaces", WHEEL_SPACES, WHEEL_SPACES),
            integer("sets_per_round", WHEEL_SPACES, WHEEL_SPACES),
            integer("vikings_drawn_basic", WHEEL_SPACES, WHEEL_SPACES),
            integer("vikings_drawn_advanced", WHEEL_SPACES + 1, WHEEL_SPACES + 1),
            integer("boatsman_capacity_advanced", 1, 1),
            integer("special_display", SPECIAL_SLOTS, SPECIAL_SLOTS),
            integer("special_stacks", 2, 2),
            integer("auction_opening_min_bid", 0, 0),
            integer("auction_min_raise", 1, 1),
            _choice("special_on_zero_price", flag),
            integer("building_score_per_viking", 0, 99),
            integer("building_score_max", 0, 999),
            integer("stack_size", WHEEL_SPACES, WHEEL_SPACES),
            integer("players_min", 2, 2),
            integer("players_max", MAX_PLAYERS, MAX_PLAYERS),
            integer("ship_row", 1, 1),
            integer("first_island_row", 2, 2),
            integer("last_island_row", 6, 6),
            # What other tables say too; they must agree.
            *(integer(name, 0, 999) for name in _REPEATED),
        ],
    )


_REPEATED = (
    "rounds",
    "start_fame",
    *(f"start_gold_{players}p" for players in range(2, MAX_PLAYERS + 1)),
    "tiles_total",
    "tiles_island_total",
    "tiles_ship_total",
    "tiles_start",
    "tiles_draw_pile",
    "island_left_total",
    "island_left_draw_pile",
    "island_middle_total",
    "island_middle_kinds",
    "island_right_total",
    "vikings_total",
    "vikings_per_colour",
    *(f"threat_last_row_{sail}" for sail in SAILS),
    "special_tiles_total",
    "coins_total_value",
)


def _choice(name: str, values: dict[str, int]) -> Column:
    def parse(cell: str) -> int:
        if cell not in values:
            raise ValueError
        return values[cell]

    return Column(name, parse, " or ".join(values))


def _check_agreement(
    tables: np.ndarray,
    folder: Path,
    constants: dict[str, Row],
    counts: list[Row],
    ships: dict[str, Row],
    coins: list[Row],
) -> None:
    """Refuse tables that contradict one another."""
    t = tables[0]
    rounds = len(t.large_scoring)
    piece, total, drawn = t.piece, t.tile_count, t.draw_count
    same = {
        "rounds": rounds,
        "tiles_total": total.sum(),
        "tiles_island_total": total[piece != SHIP].sum(),
        "tiles_ship_total": total[piece == SHIP].sum(),
        "tiles_start": total[t.start_kind],
        "tiles_draw_pile": drawn.sum(),
        "island_left_total": total[piece == LEFT_END].sum(),
        "island_left_draw_pile": drawn[piece == LEFT_END].sum(),
        "island_middle_total": total[piece == MIDDLE].sum(),
        "island_middle_kinds": (piece == MIDDLE).sum(),
        "island_right_total": total[piece == RIGHT_END].sum(),
        "vikings_total": t.viking_count.sum(),
        **{f"threat_last_row_{sail}": ships[sail]["threat_last_row"] for sail in SAILS},
        "special_tiles_total": t.special_count.sum(),
        "coins_total_value": sum(row["total_value"] for row in coins),
        **{f"start_gold_{row['players']}p": row["start_gold"] for row in counts},
    }
    for name, value in same.items():
        if constants[name]["value"] != value:
            raise constants[name].error("value", f"{value}, as the other tables have it (key {name!r})")
    for colour in range(COLOURS):
        if t.viking_count[colour] != constants["vikings_per_colour"]["value"]:
            raise constants["vikings_per_colour"].error("value", f"{t.viking_count[colour]}, as vikings.csv has it")
    if drawn.sum() != rounds * WHEEL_SPACES:
        raise constants["tiles_draw_pile"].error("value", f"{WHEEL_SPACES} a round, {rounds * WHEEL_SPACES}")
    if t.viking_count.sum() < rounds * WHEEL_SPACES:
        raise constants["vikings_total"].error("value", f"at least {WHEEL_SPACES} a round, {rounds * WHEEL_SPACES}")
    for row in counts:
        each = row["sets_per_player_per_round"] * rounds
        if row["sets_per_player_per_game"] != each:
            raise row.error("sets_per_player_per_game", f"{rounds} times sets_per_player_per_round, {each}")
        for column in ("max_column_index_islands", "max_island_tiles_per_player"):
            if row[column] != each + 1:
                raise row.error(column, f"sets_per_player_per_game and the start tile, {each + 1}")
        if row["max_vikings_acquired_per_player"] != each:
            raise row.error("max_vikings_acquired_per_player", f"sets_per_player_per_game, {each}")
        if row["max_ships_per_player"] != total[piece == SHIP].sum():
            raise row.error("max_ships_per_player", f"all ships of tiles.csv, {total[piece == SHIP].sum()}")
        taken = min(SPECIAL_SLOTS, row["sets_per_player_per_round"])
        if row["max_special_tiles_taken_per_round_per_player"] != taken:
            raise row.error(
                "max_special_tiles_taken_per_round_per_player",
                f"sets_per_player_per_round, and {SPECIAL_SLOTS} at most, {taken}",
            )
        if row["start_tiles_removed"] != MAX_PLAYERS - row["players"]:
            raise row.error("start_tiles_removed", f"one for each absent player, {MAX_PLAYERS - row['players']}")
        if row["start_fame"] != constants["start_fame"]["value"]:
            raise row.error("start_fame", f"{constants['start_fame']['value']}, as constants.csv has it")
