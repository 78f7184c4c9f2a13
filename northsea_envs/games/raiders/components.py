"""How the component tables become one record: read, check cell by cell, and check that they agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from northsea_envs.games.raiders.state import (
    BUILDING_KEYS,
    BUILDING_SCOPE,
    BUILDINGS,
    COLOURS,
    CREW_CODES,
    DICE,
    DIE_FACES,
    DISPLAY,
    EVERY_RAID,
    GOODS,
    GREY,
    MAX_PLAYERS,
    MOST_CARDS,
    MOST_ROWS,
    NAME_BYTES,
    NO_SCOPE,
    OPS,
    OPTIONS,
    PROVISION,
    RESOURCES,
    SETS,
    SETTLEMENT_TYPES,
    SILVER,
    TIERS,
    TOWN_HALL_CODES,
    WHITE,
    tables_dtype,
)
from northsea_envs.games.raiders.weights import WEIGHTS
from northsea_envs.tables import Column, Row, TableError, fill_weights, integer, read_constants, read_table, word

TABLES = Path(__file__).parent / "tables"

_GOODS = RESOURCES[:GOODS]
_GAINS = (*_GOODS, "CARD", "ARMOUR", "PLUNDER")
_PAYS = (*_GAINS, "CREW")
_RAIDS = (*SETTLEMENT_TYPES, "ANY")
_NOTHING = ("NONE",)
_WORKERS = COLOURS[1:]

# By crew code: the scopes it takes, the most of crew_n (0: none), and whether it divides by crew_per.
_CREW = {
    "NONE": (_NOTHING, 0, False),
    "RAID_VP": (_RAIDS, 99, False),
    "RAID_STRENGTH": (_RAIDS, 99, False),
    "RAID_REROLL": (_RAIDS, 9, False),
    "RAID_LESS_PROVISION": (_RAIDS, 99, False),
    "RAID_LESS_GOLD": (_RAIDS, 99, False),
    "STRENGTH_PER_ARMOUR": (_RAIDS, 99, True),
    "STRENGTH_PER_OTHER_CREW": (_RAIDS, 99, True),
    "STRENGTH_PER_VALKYRIE": (_RAIDS, 99, True),
    "DEATH_RETURN_TO_HAND": (_NOTHING, 1, False),
    "DEATH_GAIN_GOLD": (_NOTHING, 99, False),
    "DEATH_GAIN_VP": (_NOTHING, 99, False),
    "DEATH_OPPONENT_LOSES_CREW": (_NOTHING, 9, False),
    "BUILDING_EXTRA": (("GATE_HOUSE", "MILL", "SILVERSMITH", "LONG_HOUSE"), 9, False),
    "HIRE_DISCOUNT": (("BARRACKS",), 99, False),
    "END_VP": (_NOTHING, 99, False),
    "END_VP_PER_LIVESTOCK": (_NOTHING, 99, True),
    "END_VP_PER_OFFERING": (_NOTHING, 99, True),
}
# By Town Hall code: the resources that th_pay_res, th_get_res and th_get2_res take.
_TOWN_HALL = {
    "GAIN": (_NOTHING, _GAINS, (*_GAINS, "NONE")),
    "EXCHANGE": (_PAYS, _GAINS, _NOTHING),
    "ALL_OPPONENTS_LOSE": ((*_GOODS, "ARMOUR"), _NOTHING, _NOTHING),
    "OPPONENT_LOSES": ((*_GOODS, "ARMOUR"), _NOTHING, _NOTHING),
    "STEAL": (_NOTHING, (*_GOODS, "PLUNDER"), _NOTHING),
    "ALL_OPPONENTS_GIVE": (_NOTHING, (*_GOODS, "SILVER_OR_PROVISION"), _NOTHING),
    "HIRE_AT_PRICE": (("SILVER",), _NOTHING, _NOTHING),
    "OFFER_AT_DISCOUNT": (("DISCOUNT",), _NOTHING, _NOTHING),
}
_NO_RESOURCES = (_NOTHING, _NOTHING, _NOTHING)
# The buildings whose actions are more than a gain or an exchange.
_BUILDING_OF_OP = {"PLAY_CARD": "town_hall", "HIRE": "barracks", "OFFER": "long_house"}
_MOST = 20  # of anything that one effect gives or takes


def read_tables(folder: Path) -> np.ndarray:
    """Read and check the component tables in ``folder``.

    Returns:
        A read-only structured array of one element, dtype :func:`tables_dtype`.

    Raises:
        TableError: a table is missing or holds something that is not allowed, with file, row, column and value.
    """
    folder = Path(folder)
    cards, tiles = _townsfolk(folder), _offerings(folder)
    settlements = _settlements(folder)
    spaces = _raid_spaces(folder, settlements)
    buildings, options = _buildings(folder), _building_actions(folder)
    valkyrie, armour = _tracks(folder)
    constants = _constants(folder)
    faces = [constants[f"die_face_{face}"] for face in range(1, DIE_FACES + 1)]
    if len({row["value"] for row in faces}) == 1:
        # Ties of the roll for the first player roll again (R-SETUP-11), with such dice for ever.
        raise faces[-1].error("value", "different from another die_face")
    _check_agreement(folder, constants, cards, tiles, spaces, buildings, valkyrie, armour)
    c = {name: row["value"] for name, row in constants.items()}

    copies = [row for row in tiles for _ in range(row["count"])]
    dtype = tables_dtype(len(cards), len(copies), len(settlements), len(spaces), len(valkyrie) - 1, len(armour) - 1)
    tables = np.zeros(1, dtype)
    t = tables[0]
    _fill_cards(t, cards)
    for tile, row in enumerate(copies):
        t.tile_cost[tile] = [row["gold"], row["iron"], row["livestock"], row["silver"], 0]
        t.tile_vp[tile] = row["vp"]
    for index, row in enumerate(settlements):
        t.settlement_name[index] = _name(row["key"].replace("_", " ").title())
        t.settlement_type[index] = SETTLEMENT_TYPES.index(row["type"])
        t.min_crew[index], t.provisions[index] = row["min_crew"], row["provisions"]
        t.gold[index], t.dice[index] = row["gold"], row["dice"]
        t.settlement_takes[index] = [0, row["allow_black"], row["allow_grey"], row["allow_white"]]
        t.fixed_vp[index], t.tiers[index] = row["fixed_vp"], row["tiers"]
        t.tier_strength[index] = [row[f"t{k}_strength"] for k in range(1, TIERS + 1)]
        t.tier_vp[index] = [row[f"t{k}_vp"] for k in range(1, TIERS + 1)]
        t.space_count[index] = row["spaces"]
        t.first_space[index] = [space["settlement_key"] for space in spaces].index(row["key"])
        t.space_settlement[t.first_space[index] :][: row["spaces"]] = index
    for index, row in enumerate(spaces):
        t.plunder_count[index], t.space_worker[index] = row["plunder_count"], COLOURS.index(row["worker_colour"])
    for index, row in enumerate(buildings):
        t.building_takes[index] = [0, row["allow_black"], row["allow_grey"], row["allow_white"]]
        t.initial_worker[index] = COLOURS.index(row["initial_worker"])
    for row in options:
        for colour in _colours(row):
            at = BUILDING_KEYS.index(row["building_key"]), row["option_index"], COLOURS.index(colour)
            t.op[at] = OPS.index(row["op_code"])
            t.op_pay_res[at], t.op_pay_n[at] = RESOURCES.index(row["pay_res"]), row["pay_n"]
            t.op_get_res[at], t.op_get_n[at] = RESOURCES.index(row["get_res"]), row["get_n"]
    t.valkyrie_vp[:] = [row["vp"] for row in valkyrie]
    t.armour_vp[:] = [row["vp"] for row in armour]
    t.tokens[:] = [c["tokens_gold"], c["tokens_iron"], c["tokens_livestock"], c["tokens_valkyrie"]]
    t.stock[SILVER], t.stock[PROVISION] = c["tokens_silver"], c["tokens_provision"]
    t.workers[1:] = [c["workers_black"], c["workers_grey"], c["workers_white"]]
    t.die_face[:] = [c[f"die_face_{face}"] for face in range(1, DIE_FACES + 1)]
    t.start_goods[SILVER], t.start_goods[PROVISION] = c["start_silver"], c["start_provision"]
    for name in ("start_armour", "start_valkyrie", "start_vp", "draft_deal", "draft_keep", "limit_silver"):
        t[name] = c[name]
    for name in ("limit_provision", "limit_hand", "limit_crew", "limit_hero_crew", "final_turns_per_player"):
        t[name] = c[name]
    for name in ("end_fortress_sets_left", "end_offering_stack_left", "end_valkyrie_on_board", "max_turns_per_player"):
        t[name] = c[name]
    t.gold_per_vp, t.iron_per_vp = c["score_gold_per_vp"], c["score_iron_per_vp"]
    t.livestock_per_vp = c["score_livestock_per_vp"]
    t.crew_discards_per_hire = c["crew_discards_per_hire_max"]
    fill_weights(tables, folder, TABLES, WEIGHTS)
    tables.flags.writeable = False
    return tables


def _name(text: str) -> np.ndarray:
    return np.frombuffer(text.encode().ljust(NAME_BYTES, b"\0"), np.uint8)


def _text(name: str) -> Column:
    def parse(cell: str) -> str:
        if not 1 <= len(cell.encode()) <= NAME_BYTES or "\0" in cell:
            raise ValueError
        return cell

    return Column(name, parse, f"a name of 1 to {NAME_BYTES} bytes")


def _flag(name: str) -> Column:
    return integer(name, 0, 1)


def _resource(name: str) -> Column:
    return word(name, RESOURCES)


def _colours(row: Row) -> tuple[str, ...]:
    """The worker colours that a row of building_actions.csv speaks of."""
    return _WORKERS if row["worker_colour"] == "ANY" else (row["worker_colour"],)


def _one_of(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else "one of " + ", ".join(words)


# --- townsfolk.csv --------------------------------------------------------------------------------


def _townsfolk(folder: Path) -> list[Row]:
    scopes = (*SETTLEMENT_TYPES, "ANY", "NONE", *(key.upper() for key in BUILDING_KEYS))
    rows = read_table(
        folder,
        "townsfolk.csv",
        [
            integer("card_id", 0, MOST_ROWS - 1),
            _text("name"),
            integer("count", 1, MOST_ROWS // 2),
            integer("hire_cost", 0, 99),
            integer("strength", 0, 99),
            _flag("is_hero"),
            word("crew_code", CREW_CODES),
            word("crew_scope", scopes),
            integer("crew_n", 0, 99),
            integer("crew_per", 0, 99),
            word("th_code", TOWN_HALL_CODES),
            _resource("th_pay_res"),
            integer("th_pay_n", 0, _MOST),
            _resource("th_get_res"),
            integer("th_get_n", 0, _MOST),
            _resource("th_get2_res"),
            integer("th_get2_n", 0, _MOST),
        ],
        key="name",
    )
    if not rows:
        raise TableError(f"{folder / 'townsfolk.csv'}: at least one card is needed")
    for number, row in enumerate(rows):
        if row["card_id"] != number:
            raise row.error("card_id", f"the number of the row, {number}")
        places, most, divides = _CREW[row["crew_code"]]
        if row["crew_scope"] not in places:
            raise row.error("crew_scope", f"{_one_of(places)} with crew_code {row['crew_code']}")
        if not (1 if most else 0) <= row["crew_n"] <= most:
            allowed = f"1 to {most}" if most else "0"
            raise row.error("crew_n", f"{allowed} with crew_code {row['crew_code']}")
        if divides != (row["crew_per"] > 0) and not (row["crew_code"] == "NONE" and row["crew_per"] == 0):
            raise row.error("crew_per", f"{'at least 1' if divides else 0} with crew_code {row['crew_code']}")
        for part, allowed_words in zip(
            ("th_pay", "th_get", "th_get2"), _TOWN_HALL.get(row["th_code"], _NO_RESOURCES), strict=True
        ):
            resource, amount = row[f"{part}_res"], row[f"{part}_n"]
            if resource not in allowed_words:
                raise row.error(f"{part}_res", f"{_one_of(allowed_words)} with th_code {row['th_code']}")
            # A hire may be free, everything else is of something.
            least = 0 if row["th_code"] == "HIRE_AT_PRICE" or resource == "NONE" else 1
            if amount < least or (resource == "NONE" and amount):
                raise row.error(f"{part}_n", f"{'at least 1' if least else 0} with {part}_res {resource}")
    return rows


def _fill_cards(t: np.record, rows: list[Row]) -> None:
    for kind, row in enumerate(rows):
        t.card_name[kind] = _name(row["name"])
        t.card_count[kind] = row["count"]
        for name in ("hire_cost", "strength", "is_hero", "crew_n", "crew_per", "th_pay_n", "th_get_n", "th_get2_n"):
            t[name][kind] = row[name]
        t.crew_code[kind] = CREW_CODES.index(row["crew_code"])
        scope = row["crew_scope"]
        if scope in SETTLEMENT_TYPES:
            t.crew_scope[kind] = SETTLEMENT_TYPES.index(scope)
        elif scope.lower() in BUILDING_KEYS:
            t.crew_scope[kind] = BUILDING_SCOPE + BUILDING_KEYS.index(scope.lower())
        else:
            t.crew_scope[kind] = EVERY_RAID if scope == "ANY" else NO_SCOPE
        t.th_code[kind] = TOWN_HALL_CODES.index(row["th_code"])
        for name in ("th_pay_res", "th_get_res", "th_get2_res"):
            t[name][kind] = RESOURCES.index(row[name])


# --- the board ------------------------------------------------------------------------------------


def _offerings(folder: Path) -> list[Row]:
    goods = ("gold", "iron", "livestock", "silver")
    rows = read_table(
        folder,
        "offerings.csv",
        [
            integer("offering_id", 0, MOST_ROWS - 1),
            integer("count", 1, MOST_ROWS),
            *(integer(name, 0, _MOST) for name in goods),
            integer("vp", 0, 99),
        ],
        key="offering_id",
    )
    for row in rows:
        # R-LONG-5: no offering is free.
        if not any(row[name] for name in goods):
            raise row.error("gold", "at least 1 in one of gold, iron, livestock, silver")
    return rows


def _settlements(folder: Path) -> list[Row]:
    steps = [(f"t{k}_strength", f"t{k}_vp") for k in range(1, TIERS + 1)]
    rows = read_table(
        folder,
        "settlements.csv",
        [
            integer("settlement_id", 0, MOST_ROWS // SETS - 1),
            _text("key"),
            word("type", SETTLEMENT_TYPES),
            integer("min_crew", 0, 99),
            integer("provisions", 0, 99),
            integer("gold", 0, 99),
            integer("dice", 0, DICE),
            *(_flag(f"allow_{colour.lower()}") for colour in _WORKERS),
            integer("fixed_vp", 0, 99),
            integer("tiers", 0, TIERS),
            *(integer(name, 0, 99) for pair in steps for name in pair),
            integer("spaces", 1, SETS),
        ],
        key="key",
    )
    if not rows:
        raise TableError(f"{folder / 'settlements.csv'}: at least one settlement is needed")
    for number, row in enumerate(rows):
        if row["settlement_id"] != number:
            raise row.error("settlement_id", f"the number of the row, {number}")
        for k, (strength, vp) in enumerate(steps):
            if k >= row["tiers"]:
                for name in (strength, vp):
                    if row[name]:
                        raise row.error(name, f"0 with tiers {row['tiers']}")
            elif k and row[strength] <= row[steps[k - 1][0]]:
                raise row.error(strength, f"more than {steps[k - 1][0]}, {row[steps[k - 1][0]]}")
    return rows


def _raid_spaces(folder: Path, settlements: list[Row]) -> list[Row]:
    rows = read_table(
        folder,
        "raid_spaces.csv",
        [
            integer("space_id", 0, MOST_ROWS - 1),
            word("settlement_key", [row["key"] for row in settlements]),
            integer("slot", 0, SETS - 1),
            integer("plunder_count", 1, _MOST),
            word("worker_colour", _WORKERS),
        ],
    )
    # The spaces of a settlement stand together, in the order of their slots.
    expected = [(row["key"], slot) for row in settlements for slot in range(row["spaces"])]
    for number, row in enumerate(rows):
        if row["space_id"] != number:
            raise row.error("space_id", f"the number of the row, {number}")
        if number >= len(expected):
            raise row.error("settlement_key", f"nothing: settlements.csv gives {len(expected)} spaces in all")
        key, slot = expected[number]
        if row["settlement_key"] != key:
            raise row.error("settlement_key", f"{key}, for as many rows as settlements.csv gives it spaces")
        if row["slot"] != slot:
            raise row.error("slot", f"{slot}: the slots of a settlement count from 0 without gaps")
    if len(rows) != len(expected):
        raise TableError(f"{folder / 'raid_spaces.csv'}: {len(rows)} rows where {len(expected)} are needed")
    return rows


def _buildings(folder: Path) -> list[Row]:
    rows = read_table(
        folder,
        "buildings.csv",
        [
            integer("building_id", 0, BUILDINGS - 1),
            word("key", BUILDING_KEYS),
            *(_flag(f"allow_{colour.lower()}") for colour in _WORKERS),
            word("initial_worker", COLOURS),
        ],
        key="key",
        rows=BUILDINGS,
    )
    for number, row in enumerate(rows):
        if row["building_id"] != number:
            raise row.error("building_id", f"the number of the row, {number}")
        if row["key"] != BUILDING_KEYS[number]:
            raise row.error("key", f"{BUILDING_KEYS[number]} in this row")
        colour = row["initial_worker"]
        if colour != "NONE" and not row[f"allow_{colour.lower()}"]:
            raise row.error("initial_worker", "of a colour that the building takes")
    # R-TURN-3: work is always possible.
    workers = sum(row["initial_worker"] != "NONE" for row in rows)
    open_to_all = sum(all(row[f"allow_{colour.lower()}"] for colour in _WORKERS) for row in rows)
    if not 1 <= workers < open_to_all:
        raise TableError(
            f"{folder / 'buildings.csv'}: {workers} initial workers are not allowed; there must be at least 1, and "
            f"fewer than the buildings that take every colour, {open_to_all}"
        )
    return rows


def _building_actions(folder: Path) -> list[Row]:
    rows = read_table(
        folder,
        "building_actions.csv",
        [
            word("building_key", BUILDING_KEYS),
            integer("option_index", 0, OPTIONS - 1),
            word("worker_colour", (*_WORKERS, "ANY")),
            word("op_code", OPS[1:]),
            _resource("pay_res"),
            integer("pay_n", 0, _MOST),
            _resource("get_res"),
            integer("get_n", 0, _MOST),
        ],
    )
    # What pays for what, and how much of it; None is any number. A hire costs what the card says.
    allowed = {
        "GAIN": ((_NOTHING, 0), (_GAINS, None)),
        "EXCHANGE": ((_PAYS, None), (_GAINS, None)),
        "PLAY_CARD": ((("CARD",), 1), (_NOTHING, 0)),
        "HIRE": ((("SILVER",), 0), (("CREW",), 1)),
        "OFFER": ((_NOTHING, 0), (("OFFERING",), 1)),
    }
    ops: dict[tuple[str, int, str], str] = {}
    for row in rows:
        op, key, index = row["op_code"], row["building_key"], row["option_index"]
        for part, (words, number) in zip(("pay", "get"), allowed[op], strict=True):
            if row[f"{part}_res"] not in words:
                raise row.error(f"{part}_res", f"{_one_of(words)} with op_code {op}")
            if row[f"{part}_n"] != number and (number is not None or row[f"{part}_n"] == 0):
                raise row.error(f"{part}_n", f"{'at least 1' if number is None else number} with op_code {op}")
        if op in _BUILDING_OF_OP and key != _BUILDING_OF_OP[op]:
            raise row.error("op_code", f"used at the {_BUILDING_OF_OP[op]} only, not at the {key}")
        if op in ("PLAY_CARD", "HIRE") and index:
            raise row.error("option_index", f"0 with op_code {op}")
        for colour in _colours(row):
            if (key, index, colour) in ops:
                raise row.error("option_index", f"given once for each building and colour, {colour} has two")
            ops[key, index, colour] = op
    for row in rows:
        for colour in _colours(row):
            both = [ops.get((row["building_key"], k, colour)) for k in range(OPTIONS)]
            if both[0] in ("PLAY_CARD", "HIRE", "OFFER") and both[1] is not None:
                raise row.error("option_index", f"0 alone where op_code is {both[0]}")
    return rows


def _tracks(folder: Path) -> tuple[list[Row], list[Row]]:
    rows = read_table(
        folder,
        "tracks.csv",
        [word("track", ("VALKYRIE", "ARMOUR")), integer("position", 0, 99), integer("vp", 0, 99)],
    )
    tracks = tuple([row for row in rows if row["track"] == name] for name in ("VALKYRIE", "ARMOUR"))
    for name, track in zip(("VALKYRIE", "ARMOUR"), tracks, strict=True):
        if not track:
            raise TableError(f"{folder / 'tracks.csv'}: the {name} track is missing")
        for position, row in enumerate(track):
            if row["position"] != position:
                raise row.error("position", f"{position}: each track counts from 0 without gaps")
    return tracks[0], tracks[1]


# --- constants.csv and agreement ------------------------------------------------------------------


def _constants(folder: Path) -> dict[str, Row]:
    return read_constants(
        folder,
        [
            *(integer(f"tokens_{name}", 0, 99) for name in ("valkyrie", "gold", "iron", "livestock")),
            *(integer(f"tokens_{name}", 0, 99) for name in ("silver", "provision")),
            *(integer(f"workers_{colour.lower()}", 0, 99) for colour in _WORKERS),
            *(integer(f"die_face_{face}", 1, 99) for face in range(1, DIE_FACES + 1)),
            *(integer(name, 0, 99) for name in ("start_silver", "start_provision", "start_vp")),
            *(integer(name, 0, 99) for name in ("start_armour", "start_valkyrie")),
            integer("draft_deal", 1, MOST_CARDS // MAX_PLAYERS),
            integer("draft_keep", 0, MOST_CARDS // MAX_PLAYERS),
            *(integer(name, 1, 99) for name in ("limit_silver", "limit_provision", "limit_hand")),
            integer("limit_crew", 1, 20),
            integer("limit_hero_crew", 0, 20),
            *(integer(f"score_{name}_per_vp", 1, 99) for name in ("gold", "iron", "livestock")),
            *(integer(name, 0, 99) for name in ("end_fortress_sets_left", "end_offering_stack_left")),
            integer("end_valkyrie_on_board", 0, 99),
            integer("final_turns_per_player", 1, 9),
            integer("max_turns_per_player", 1, MOST_CARDS),
            integer("crew_discards_per_hire_max", 0, 1),
            # What only one value makes sense for, so that another is refused and not silently ignored.
            integer("players_min", 2, 2),
            integer("players_max", MAX_PLAYERS, MAX_PLAYERS),
            integer("dice_in_box", DICE, DICE),
            integer("offering_display", DISPLAY, DISPLAY),
            integer("start_worker_black_per_player", 1, 1),
            integer("ship_cards", MAX_PLAYERS, MAX_PLAYERS),
            integer("score_markers", 3 * MAX_PLAYERS, 3 * MAX_PLAYERS),
            *(integer(name, 0, 0) for name in ("start_gold", "start_iron", "start_livestock")),
            # What other tables say too; they must agree.
            *(integer(name, 0, 999) for name in ("townsfolk_cards", "offering_tiles")),
            *(integer(name, 0, 99) for name in ("limit_armour", "limit_valkyrie_track")),
        ],
    )


def _check_agreement(
    folder: Path,
    constants: dict[str, Row],
    cards: list[Row],
    tiles: list[Row],
    spaces: list[Row],
    buildings: list[Row],
    valkyrie: list[Row],
    armour: list[Row],
) -> None:
    """Refuse tables that contradict one another."""

    def refuse(name: str, allowed: str) -> TableError:
        return constants[name].error("value", f"{allowed} (key {name!r})")

    c = {name: row["value"] for name, row in constants.items()}
    same = {
        "townsfolk_cards": sum(row["count"] for row in cards),
        "offering_tiles": sum(row["count"] for row in tiles),
        "limit_valkyrie_track": len(valkyrie) - 1,
        "limit_armour": len(armour) - 1,
    }
    for name, value in same.items():
        if c[name] != value:
            raise refuse(name, f"{value}, as the other tables have it")
    for number, colour in enumerate(_WORKERS, 1):
        on_board = sum(row["worker_colour"] == colour for row in spaces)
        on_board += sum(row["initial_worker"] == colour for row in buildings)
        name = f"workers_{colour.lower()}"
        if number in (GREY, WHITE) and c[name] != on_board:
            raise refuse(name, f"the workers that stand on the board at the start, {on_board}")
        if number not in (GREY, WHITE) and c[name] < on_board + MAX_PLAYERS:
            raise refuse(name, f"at least {on_board + MAX_PLAYERS}: those on the board and one a player")
    if c["townsfolk_cards"] > MOST_CARDS:
        raise refuse("townsfolk_cards", f"at most {MOST_CARDS}")
    if c["townsfolk_cards"] < MAX_PLAYERS * c["draft_deal"]:
        raise refuse("draft_deal", f"at most {c['townsfolk_cards'] // MAX_PLAYERS}, for there are so few cards")
    if c["draft_keep"] > c["draft_deal"]:
        raise refuse("draft_keep", f"at most draft_deal, {c['draft_deal']}")
    if not DISPLAY < c["offering_tiles"] <= MOST_ROWS:
        raise refuse("offering_tiles", f"{DISPLAY + 1} to {MOST_ROWS}")
    if c["start_armour"] > c["limit_armour"]:
        raise refuse("start_armour", f"at most limit_armour, {c['limit_armour']}")
    if c["start_valkyrie"] > c["limit_valkyrie_track"]:
        raise refuse("start_valkyrie", f"at most limit_valkyrie_track, {c['limit_valkyrie_track']}")
    for good in ("silver", "provision"):
        if MAX_PLAYERS * c[f"start_{good}"] > c[f"tokens_{good}"]:
            raise refuse(f"start_{good}", f"at most {c[f'tokens_{good}'] // MAX_PLAYERS}: the tokens must do for all")
    drawn = sum(row["plunder_count"] for row in spaces)
    bag = sum(c[f"tokens_{name}"] for name in ("valkyrie", "gold", "iron", "livestock"))
    if drawn > bag:
        raise TableError(
            f"{folder / 'raid_spaces.csv'}: plunder_count adds up to {drawn}, but the bag holds {bag} tokens"
        )
