"""How the component tables become one record: read, check cell by cell, and check that they agree. Section 17."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from northsea_envs.games.tiny_epic_vikings.board import Side, as_bytes, fill_side, read_sides, text_column
from northsea_envs.games.tiny_epic_vikings.state import (
    ACTIONS,
    BOAT_SLOTS,
    BOATS,
    BOOSTS,
    CARDS,
    ERAS,
    FAVORS,
    GODS,
    ID_BYTES,
    MAX_PLAYERS,
    NAME_BYTES,
    REQUIREMENTS,
    RESOURCES,
    RUNES,
    SLOTS,
    SWITCHES,
    TEMPLE_SLOTS,
    tables_dtype,
)
from northsea_envs.games.tiny_epic_vikings.weights import WEIGHTS
from northsea_envs.tables import Column, Row, TableError, fill_weights, integer, read_table, word

TABLES = Path(__file__).parent / "tables"

_MAIN_ACTIONS = ("SAIL", "EXPLORE", "HARVEST", "BUILD")
_RUNE_ACTIONS = (
    *_MAIN_ACTIONS,
    "SMITE",
    "TEMPLE_EXPLORE",
    "DRAW_REPLACE",
    "ENTER_BATTLE",
    "COLLECT",
    "EXCHANGE",
    "NONE",
)
_BOON_ACTIONS = (*(name for name in _RUNE_ACTIONS if name != "ENTER_BATTLE"), "FURY_ADJUST")
_BAG = tuple(name.lower() for name in RESOURCES)
_MOST = 9  # of anything that one effect does


def read_tables(folder: Path) -> np.ndarray:
    """Read and check the component tables in ``folder``.

    Returns:
        A read-only structured array of one element, dtype :func:`tables_dtype`.

    Raises:
        TableError: a table is missing or holds something that is not allowed, with file, row, column and value.
    """
    folder = Path(folder)
    constants = _constants(folder)
    components = _components(folder, constants)
    cards, favors, gods = _cards(folder), _favors(folder), _gods(folder)
    counts = _player_counts(folder)
    sides = read_sides(folder, counts, components["village"])
    mat, eras = _clan_mat(folder), _eras(folder)
    spaces = _dedication_spaces(folder, gods, constants)

    dtype = tables_dtype(
        len(sides),
        max(len(side.islands) for side in sides),
        max(len(side.fjords) for side in sides),
        max(len(side.docks) for side in sides),
        max(2 * len(side.crossings) for side in sides),
        len(spaces),
    )
    tables = np.zeros(1, dtype)
    t = tables[0]
    _fill_cards(t, cards, favors, gods)
    for index, side in enumerate(sides):
        fill_side(t, index, side)
    _fill_counts(t, counts, sides)
    for index, row in enumerate(mat):
        t.slot_id[index] = as_bytes(row["slot_id"], ID_BYTES)
        t.slot_wood[index] = row["wood_cost"]
        t.slot_food_bonus[index] = row["harvest_bonus_n"] if row["harvest_bonus"] == "FOOD" else 0
        t.slot_any_bonus[index] = row["harvest_bonus_n"] if row["harvest_bonus"] == "ANY" else 0
    for index, row in enumerate(eras):
        t.hand[index], t.raid_steel[index] = row["hand_size"], row["raid_steel_cost"]
        t.direction[index] = 1 if row["pass_direction"] == "CW" else -1
    for index, row in enumerate(spaces):
        t.space_id[index] = as_bytes(row["space_id"], ID_BYTES)
        t.space_action[index], t.space_n[index] = ACTIONS.index(row["action"]), row["action_n"]
    _fill_constants(t, {name: row["value"] for name, row in constants.items()})
    fill_weights(tables, folder, TABLES, WEIGHTS)
    tables.flags.writeable = False
    return tables


# --- cards ----------------------------------------------------------------------------------------


def _cards(folder: Path) -> list[Row]:
    """T-DATA-1, -8, -9"""
    rows = read_table(
        folder,
        "viking_cards.csv",
        [
            text_column("card_id", ID_BYTES),
            text_column("name", NAME_BYTES),
            integer("count", 1, 1),
            word("rune", RUNES),
            integer("str_base", 0, 99),
            integer("str_boost_per", 0, 9),
            word("str_boost_source", BOOSTS),
            integer("steel_cost", 0, 9),
            word("leader_action", _MAIN_ACTIONS),
            integer("leader_n", 1, _MOST),
            *(column for k in (1, 2) for column in (word(f"req{k}_rune", REQUIREMENTS), integer(f"req{k}_n", 0, 99))),
            word("rune_action", _RUNE_ACTIONS),
            integer("rune_n", 0, _MOST),
            *(integer(f"rune_{name}", 0, _MOST) for name in _BAG),
        ],
        key="card_id",
        rows=CARDS,
    )
    for row in rows:
        if (row["str_boost_per"] == 0) != (row["str_boost_source"] == "NONE"):
            raise row.error("str_boost_per", "0 exactly where str_boost_source is NONE")
        for k in (1, 2):
            if (row[f"req{k}_n"] == 0) != (row[f"req{k}_rune"] == "NONE"):
                raise row.error(f"req{k}_n", f"0 exactly where req{k}_rune is NONE")
        _check_action(row, "leader_action", "leader_n", None)
        _check_action(row, "rune_action", "rune_n", "rune")
    return rows


def _favors(folder: Path) -> list[Row]:
    """T-DATA-1"""
    return read_table(
        folder,
        "favor_cards.csv",
        [
            text_column("favor_id", ID_BYTES),
            integer("count", 1, 1),
            *(integer(f"runes_{rune.lower()}", 0, _MOST) for rune in RUNES),
            *(integer(f"bag_{name}", 0, _MOST) for name in _BAG),
        ],
        key="favor_id",
        rows=FAVORS,
    )


def _gods(folder: Path) -> list[Row]:
    """T-DATA-1, -8"""
    rows = read_table(
        folder,
        "gods.csv",
        [
            text_column("god_id", ID_BYTES),
            text_column("name", NAME_BYTES),
            word("boon_action", _BOON_ACTIONS),
            integer("boon_n", 0, _MOST),
            *(integer(f"boon_{name}", 0, _MOST) for name in _BAG),
            integer("dedication_fury", 0, _MOST),
        ],
        key="god_id",
        rows=GODS,
    )
    for row in rows:
        _check_action(row, "boon_action", "boon_n", "boon")
    return rows


def _check_action(row: Row, action_column: str, n_column: str, bag: str | None) -> None:
    """The number and the bag that belong to an action."""
    action, n = row[action_column], row[n_column]
    if action in ("NONE", "COLLECT", "EXCHANGE"):
        if n:
            raise row.error(n_column, f"0 with {action}")
    elif action in ("BUILD", "ENTER_BATTLE"):
        if n != 1:
            raise row.error(n_column, f"1 with {action}")
    elif n == 0:
        raise row.error(n_column, f"at least 1 with {action}")
    for name in _BAG if bag else ():
        if row[f"{bag}_{name}"] and action != "COLLECT":
            raise row.error(f"{bag}_{name}", f"0 with {action}")


def _fill_cards(t: np.record, cards: list[Row], favors: list[Row], gods: list[Row]) -> None:
    for index, row in enumerate(cards):
        t.card_id[index] = as_bytes(row["card_id"], ID_BYTES)
        t.card_name[index] = as_bytes(row["name"], NAME_BYTES)
        t.card_rune[index] = RUNES.index(row["rune"])
        t.strength[index], t.boost_per[index] = row["str_base"], row["str_boost_per"]
        t.boost_source[index] = BOOSTS.index(row["str_boost_source"])
        t.steel_cost[index] = row["steel_cost"]
        t.leader_action[index], t.leader_n[index] = ACTIONS.index(row["leader_action"]), row["leader_n"]
        t.need_rune[index] = [REQUIREMENTS.index(row[f"req{k}_rune"]) for k in (1, 2)]
        t.need_n[index] = [row[f"req{k}_n"] for k in (1, 2)]
        t.rune_action[index], t.rune_n[index] = ACTIONS.index(row["rune_action"]), row["rune_n"]
        t.rune_bag[index] = [row[f"rune_{name}"] for name in _BAG]
    for index, row in enumerate(favors):
        t.favor_id[index] = as_bytes(row["favor_id"], ID_BYTES)
        t.favor_runes[index] = [row[f"runes_{rune.lower()}"] for rune in RUNES]
        t.favor_bag[index] = [row[f"bag_{name}"] for name in _BAG]
    for index, row in enumerate(gods):
        t.god_name[index] = as_bytes(row["name"], NAME_BYTES)
        t.boon_action[index], t.boon_n[index] = ACTIONS.index(row["boon_action"]), row["boon_n"]
        t.boon_bag[index] = [row[f"boon_{name}"] for name in _BAG]


# --- players, mats, spaces ------------------------------------------------------------------------


def _player_counts(folder: Path) -> list[Row]:
    rows = read_table(
        folder,
        "map_sides.csv",
        [
            integer("players", 1, MAX_PLAYERS),
            text_column("map_side", ID_BYTES),
            integer("villages_on_map", 0, 99),
            integer("island_runes_on_map", 1, 99),
            integer("favor_row_size", 1, FAVORS // 2),
            integer("dedication_cap", 1, 99),
        ],
        key="players",
    )
    found = {row["players"] for row in rows}
    for players in range(2, MAX_PLAYERS + 1):
        if players not in found:
            raise TableError(f"{folder / 'map_sides.csv'}: no row for {players} players; each of 2 to 4 needs one")
    return rows


def _fill_counts(t: np.record, counts: list[Row], sides: list[Side]) -> None:
    names = [side.name for side in sides]
    for row in counts:
        players = row["players"]
        t.side_of[players] = names.index(row["map_side"])
        t.favor_row[players], t.dedication_cap[players] = row["favor_row_size"], row["dedication_cap"]


def _clan_mat(folder: Path) -> list[Row]:
    """T-DATA-7; the slots to build, boats first."""
    rows = read_table(
        folder,
        "clan_mat.csv",
        [
            text_column("slot_id", ID_BYTES),
            word("unit", ("BOAT", "TEMPLE")),
            integer("wood_cost", 0, 99),
            word("starts_on", ("MAP", "MAT")),
            word("harvest_bonus", ("NONE", "FOOD", "ANY")),
            integer("harvest_bonus_n", 0, _MOST),
        ],
        key="slot_id",
        rows=SLOTS + 1,
    )
    for row in rows:
        if (row["harvest_bonus_n"] == 0) != (row["harvest_bonus"] == "NONE"):
            raise row.error("harvest_bonus_n", "0 exactly where harvest_bonus is NONE")
    on_map = [row for row in rows if row["starts_on"] == "MAP"]
    if len(on_map) != 1:
        raise (on_map or rows)[-1].error("starts_on", "MAP in exactly one row, a BOAT")
    if on_map[0]["unit"] != "BOAT":
        raise on_map[0].error("unit", "BOAT in the row that starts on the MAP")
    # T-HARV-2: the starting boat gives nothing.
    if on_map[0]["harvest_bonus"] != "NONE":
        raise on_map[0].error("harvest_bonus", "NONE in the row that starts on the MAP")
    built = sorted((row for row in rows if row["starts_on"] == "MAT"), key=lambda row: row["unit"])
    for row, unit in zip(built, ("BOAT",) * BOAT_SLOTS + ("TEMPLE",) * TEMPLE_SLOTS, strict=True):
        if row["unit"] != unit:
            raise row.error("unit", f"BOAT in {BOAT_SLOTS} and TEMPLE in {TEMPLE_SLOTS} rows that start on the MAT")
    return built


def _eras(folder: Path) -> list[Row]:
    rows = read_table(
        folder,
        "era_mat.csv",
        [
            integer("era", 1, ERAS),
            integer("hand_size", 2, 9),
            word("pass_direction", ("CW", "CCW")),
            integer("raid_steel_cost", 0, 99),
        ],
        rows=ERAS,
    )
    for number, row in enumerate(rows, 1):
        if row["era"] != number:
            raise row.error("era", str(number))
    # T-DRAW-2: there is always a card to draw, with one Invader a round at most.
    hands = [row["hand_size"] for row in rows]
    if MAX_PLAYERS * max(hands) + sum(hands) >= CARDS:
        worst = rows[hands.index(max(hands))]
        raise worst.error("hand_size", f"so small that {MAX_PLAYERS} hands and all eras' sizes are below {CARDS} cards")
    return rows


def _dedication_spaces(folder: Path, gods: list[Row], constants: dict[str, Row]) -> list[Row]:
    """T-DATA-8, -9; spaces of the Era mat, then those of the God mats."""
    rows = read_table(
        folder,
        "dedication_spaces.csv",
        [
            text_column("space_id", ID_BYTES),
            word("location", ("ERA_MAT", "GOD_MAT")),
            integer("order", 1, 99),
            word("action", (*_MAIN_ACTIONS, "FURY_PLUS")),
            integer("action_n", 0, _MOST),
        ],
        key="space_id",
    )
    spaces = []
    for location in ("ERA_MAT", "GOD_MAT"):
        here = [row for row in rows if row["location"] == location]
        for number, row in enumerate(here, 1):
            if row["order"] != number:
                raise row.error("order", f"{number}, its place among the rows of {location}")
            if (row["action"] == "FURY_PLUS") != (location == "GOD_MAT"):
                raise row.error("action", "FURY_PLUS on the GOD_MAT, a main action on the ERA_MAT")
            if location == "ERA_MAT":
                _check_action(row, "action", "action_n", None)
        spaces += here
    file = folder / "dedication_spaces.csv"
    if len(here) != len(RUNES):
        raise TableError(f"{file}: {len(here)} rows on the GOD_MAT where {len(RUNES)} are needed, one a god in play")
    if len(spaces) > 20:
        raise TableError(f"{file}: {len(spaces)} rows where at most 20 are allowed")
    fury = constants["fury_on_dedication"]["value"]
    for row in here:
        if row["action_n"] != fury:
            raise row.error("action_n", f"{fury}, as fury_on_dedication in constants.csv")
    for row in gods:
        if row["dedication_fury"] != fury:
            raise row.error("dedication_fury", f"{fury}, as fury_on_dedication in constants.csv")
    return spaces


# --- constants ------------------------------------------------------------------------------------

# What the rules can do with each number, whatever the table allows.
_RANGES = {
    "players_min": (2, 2),
    "players_max": (MAX_PLAYERS, MAX_PLAYERS),
    "eras": (ERAS, ERAS),
    "gods_in_play": (len(RUNES), len(RUNES)),
    "resource_min": (0, 0),
    "resource_max": (1, 20),
    "start_wood": (0, 20),
    "start_food": (0, 20),
    "start_steel": (0, 20),
    "settlers_per_player": (1, 20),
    "start_settlers_on_mat": (1, 20),
    "boats_per_player": (BOATS, BOATS),
    "start_boats_on_map": (1, 1),
    "temples_per_player": (TEMPLE_SLOTS, TEMPLE_SLOTS),
    "deploy_food_cost": (0, 20),
    "influence_settler": (0, 20),
    "influence_temple": (0, 20),
    "influence_boat_docked": (0, 20),
    "influence_boat_fjord": (0, 0),
    "favor_limit": (1, FAVORS),
    "fury_start": (0, 20),
    "fury_min": (0, 20),
    "fury_lap": (1, 999),
    "fury_on_rune_taken": (0, 9),
    "fury_on_battle_loss": (0, 9),
    "fury_on_invader_loss": (0, 9),
    "fury_on_dedication": (0, 9),
    **{f"vp_{what}_rank{rank}": (0, 99) for what in ("island", "favor") for rank in (1, 2, 3)},
    "dedications_per_turn": (1, 1),
    "score_track_lap": (1, 999),
}


def _constants(folder: Path) -> dict[str, Row]:
    """Rows by key, values parsed: numbers as such, switches as the index of the word. T-DATA-8."""
    rows = read_table(
        folder,
        "constants.csv",
        [
            Column("key", str, "a name"),
            word("type", ("INT", "BOOL", "ENUM")),
            Column("value", str, "a value"),
            Column("allowed", str, "values"),
        ],
        key="key",
    )
    found = {row["key"]: row for row in rows}
    for name in (*_RANGES, *SWITCHES):
        if name not in found:
            raise TableError(f"{folder / 'constants.csv'}: key {name!r} is missing")
        row = found[name]
        cell = row["value"]
        _check_allowed(row)
        if name in SWITCHES:
            if cell not in SWITCHES[name]:
                raise row.error("value", f"{' or '.join(SWITCHES[name])} (key {name!r})")
            row["value"] = SWITCHES[name].index(cell)
        else:
            low, high = _RANGES[name]
            if not re.fullmatch(r"-?[0-9]{1,9}", cell) or not low <= int(cell) <= high:
                raise row.error("value", f"an integer from {low} to {high} (key {name!r})")
            row["value"] = int(cell)
    for name in ("start_wood", "start_food", "start_steel"):
        if found[name]["value"] > found["resource_max"]["value"]:
            raise found[name].error("value", f"at most resource_max, {found['resource_max']['value']}")
    if found["start_settlers_on_mat"]["value"] != found["settlers_per_player"]["value"]:
        raise found["start_settlers_on_mat"].error("value", "as settlers_per_player: all start on the mat")
    if found["fury_start"]["value"] < found["fury_min"]["value"]:
        raise found["fury_start"].error("value", f"at least fury_min, {found['fury_min']['value']}")
    return found


def _check_allowed(row: Row) -> None:
    """The value is one that the row itself allows: ``7``, ``0..7`` or ``A|B``."""
    cell, allowed = row["value"], row["allowed"]
    span = re.fullmatch(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})", allowed)
    if span and re.fullmatch(r"-?[0-9]{1,9}", cell):
        fits = int(span[1]) <= int(cell) <= int(span[2])
    else:
        fits = cell in allowed.split("|")
    if not fits:
        raise row.error("value", f"as the column 'allowed' says, {allowed} (key {row['key']!r})")


def _components(folder: Path, constants: dict[str, Row]) -> dict[str, int]:
    """Counts by component; those that the rules rely on must agree with the rest."""
    rows = read_table(
        folder,
        "components.csv",
        [Column("component", str, "a name"), integer("count", 0, 999), integer("per_player", 0, 99)],
        key="component",
    )
    found = {row["component"]: row for row in rows}
    needed = {
        "viking_card": ("count", CARDS),
        "favor_card": ("count", FAVORS),
        "god_mat": ("count", GODS),
        "settler": ("per_player", constants["settlers_per_player"]["value"]),
        "boat": ("per_player", constants["boats_per_player"]["value"]),
        "temple": ("per_player", constants["temples_per_player"]["value"]),
        "village": ("count", None),
    }
    for name, (column, value) in needed.items():
        if name not in found:
            raise TableError(f"{folder / 'components.csv'}: component {name!r} is missing")
        if value is not None and found[name][column] != value:
            raise found[name].error(column, f"{value}, as the other tables have it")
    return {name: row["count"] for name, row in found.items()}


def _fill_constants(t: np.record, c: dict[str, int]) -> None:
    t.start_goods[:] = [c[f"start_{name}"] for name in _BAG]
    t.settlers_each = c["settlers_per_player"]
    t.deploy_food = c["deploy_food_cost"]
    t.influence_docked = c["influence_boat_docked"]
    t.fury_rune, t.fury_loss = c["fury_on_rune_taken"], c["fury_on_battle_loss"]
    t.fury_invader = c["fury_on_invader_loss"]
    for name in ("resource_max", "influence_settler", "influence_temple", "favor_limit", "fury_start", "fury_min"):
        t[name] = c[name]
    t.island_vp[:] = [c[f"vp_island_rank{rank}"] for rank in (1, 2, 3)]
    t.favor_vp[:] = [c[f"vp_favor_rank{rank}"] for rank in (1, 2, 3)]
    t.most_islands_lead = c["chieftain_rule"]
    t.two_player_enemy = c["two_player_enemy"]
    t.enter_from_hand = c["enter_battle_card"]
    t.enter_may_start = c["enter_battle_may_start"]
    t.deploy_per_action = c["deploy_limit_scope"]
    t.own_boat_displaced = c["own_boat_may_be_displaced"]
    t.influence_keeps = c["control_lost_when"]
    t.unopposed_wins = c["lone_after_unpaid_steel"]
    t.favors_observable = c["favor_holdings_observable"]
