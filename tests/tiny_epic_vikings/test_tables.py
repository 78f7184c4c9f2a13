"""Section 17: the component tables are data. Altered rows take effect, bad ones are refused (T-DATA-1 to T-DATA-9)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from northsea_envs.games.tiny_epic_vikings import game as vikings_game
from northsea_envs.tables import TableError
from tests.tiny_epic_vikings.changes import Change, allowed, altered, card, changed, constant, line_of, rewrite, rows_of
from tests.tiny_epic_vikings.lockstep import play_game
from tests.tiny_epic_vikings.positions import PRINTED, TABLES, Rules, boats_placed, fresh, idle, position, read, seat

NO, YES = "STOP", "YES"


@pytest.fixture
def with_tables(tmp_path):
    """Make the game with some cells altered."""
    return lambda *changes: changed(tmp_path, *changes)


# --- altered rows take effect ---------------------------------------------------------------------


def test_tables_are_part_of_the_game_s_identity(with_tables):
    assert with_tables().game.fingerprint == PRINTED.game.fingerprint
    assert with_tables(card("V02", "str_base", 5)).game.fingerprint != PRINTED.game.fingerprint
    # A column for people changes nothing.
    same = with_tables(card("V02", "str_base", 4), card("V02", "provenance", "mine"))
    assert same.game.fingerprint == PRINTED.game.fingerprint


def test_a_folder_may_be_named_by_a_string(tmp_path):
    folder = altered(tmp_path, constant("start_wood", 5))
    assert vikings_game(str(folder)).fingerprint == vikings_game(folder).fingerprint != PRINTED.game.fingerprint


def test_cards(with_tables):
    rules = with_tables(
        card("V02", "rune", "PERTHO"),
        card("V02", "leader_action", "HARVEST"),
        card("V02", "leader_n", 1),
        card("V02", "req1_rune", "PERTHO"),
        card("V02", "rune_wood", 3),
        card("V02", "rune_steel", 0),
        card("V22", "str_base", 1),
        card("V22", "str_boost_per", 2),
        card("V22", "str_boost_source", "FOOD"),
        card("V22", "steel_cost", 1),
    )
    p = position(seat(hand="V02 V03"), seat(), seat(), rules=rules).do("UP V02", YES, "STEEL")
    assert p.point == "DP-6"
    assert p.do(YES).resources(0) == (3, 0, 1)
    battle = {"starter": 0, "favor": "F01", "end": "TOP LEFT"}
    seats = seat(row="(V02)"), seat(row="(V22)", food=2, steel=1), seat()
    p = idle(position(*seats, turn=2, battle=battle, rules=rules))
    assert (p.favors(1), p.resources(1)) == ({"F01"}, (1, 3, 1))  # 1 + 2 x 2 against 4
    assert p.do(NO).fury == (0, 0, 1)


def test_favor_cards(with_tables):
    where = {"favor_id": "F01"}
    rules = with_tables(("favor_cards", where, "runes_pertho", 3), ("favor_cards", where, "bag_food", 4))
    battle = {"starter": 0, "favor": "F01", "end": "TOP LEFT"}
    p = idle(position(seat(row="(V22)"), seat(row="(V02)"), seat(), turn=2, battle=battle, fury=(3, 2, 1), rules=rules))
    assert (p.resources(0), p.scores()[0]) == ((1, 4, 1), 4 + 3 * 2)


def test_gods(with_tables):
    where = {"god_id": "ODIN"}
    rules = with_tables(
        ("gods", where, "boon_action", "COLLECT"), ("gods", where, "boon_n", 0), ("gods", where, "boon_wood", 3)
    )
    battle = {"starter": 0, "favor": "F01", "end": "TOP LEFT"}
    p = position(seat(row="(V18)"), seat(row="(V22)"), seat(), turn=2, battle=battle, rules=rules)
    assert idle(p).do(YES).resources(0) == (3, 0, 0)


def test_a_god_without_a_boon(with_tables):
    where = {"god_id": "ODIN"}
    rules = with_tables(("gods", where, "boon_action", "NONE"), ("gods", where, "boon_n", 0))
    battle = {"starter": 0, "favor": "F01", "end": "TOP LEFT"}
    p = position(seat(row="(V18)"), seat(row="(V22)"), seat(), turn=2, battle=battle, rules=rules)
    assert (idle(p).point, p.fury) == ("DP-3", (0, 1, 0))


def test_the_clan_mat(with_tables):
    rules = with_tables(
        ("clan_mat", {"slot_id": "BOAT_3"}, "wood_cost", 0),
        ("clan_mat", {"slot_id": "TEMPLE_1"}, "wood_cost", 6),
        ("clan_mat", {"slot_id": "BOAT_1"}, "harvest_bonus", "ANY"),
        ("clan_mat", {"slot_id": "TEMPLE_1"}, "harvest_bonus", "FOOD"),
        ("clan_mat", {"slot_id": "TEMPLE_1"}, "harvest_bonus_n", 2),
    )
    own = seat(hand="V15 V03", settlers="A1", wood=5)
    p = position(own, seat(), seat(), holders={"A1": 0}, rules=rules).do("UP V15", YES)
    assert p.legal("BUILD") == {"BOAT_1", "BOAT_2", "BOAT_3", "TEMPLE_2"}
    own = seat(hand="V09 V03", boats="AF01 AF01", temples="A1")
    p = position(own, seat(), seat(), holders={"A1": 0}, rules=rules).do("UP V09", YES)
    assert p.food(0) == 2
    assert p.do("WOOD", "WOOD", "WOOD").point == "DP-6"


def test_the_era_mat(with_tables):
    rules = with_tables(
        ("era_mat", {"era": "1"}, "hand_size", 3),
        ("era_mat", {"era": "1"}, "pass_direction", "CCW"),
        ("era_mat", {"era": "1"}, "raid_steel_cost", 4),
    )
    p = boats_placed(fresh(3, rules=rules))
    packs, picks = [p.pack(s) for s in range(3)], {}
    assert [len(pack) for pack in packs] == [3, 3, 3]
    while len(picks) < 3:
        picks[p.seat] = min(p.legal("PICK"))
        p.do(f"PICK {picks[p.seat]}")
    assert all(p.pack(s) == packs[(s + 1) % 3] - {picks[(s + 1) % 3]} for s in range(3))
    p = position(seat(hand="V02 V03", boats="AF07", steel=4), seat(), seat(), rules=rules)
    assert p.do("UP V02", YES, "BOAT 0", "TO AD16", YES).steel(0) == 0


def test_dedication_spaces(with_tables):
    rules = with_tables(
        ("dedication_spaces", {"space_id": "D1"}, "action", "HARVEST"),
        ("dedication_spaces", {"space_id": "D1"}, "action_n", 1),
        ("map_sides", {"players": "3"}, "dedication_cap", 1),
    )
    p = position(seat(hand="V01 V03", villages=1), seat(), seat(), spaces={"D2": 1}, raided="AD01 AD03", rules=rules)
    p.do("UP V01", NO)
    assert p.legal("SPACE") == {"D1", "D3", "D4", "G1", "G2", "G3"}
    assert p.do("SPACE D1", "WOOD").resources(0) == (1, 0, 0)


def test_the_number_of_favor_cards(with_tables):
    p = fresh(3, rules=with_tables(("map_sides", {"players": "3"}, "favor_row_size", 2)))
    assert (len(p.top()), len(p.bottom())) == (2, 2)


def test_islands_and_the_enemy(with_tables):
    rules = with_tables(
        ("islands", {"island_id": "A2"}, "enemy_settlers_2p", 3),
        ("islands", {"island_id": "A1"}, "rune", "PERTHO"),
        ("islands", {"island_id": "A2"}, "rune", "FEHU"),
    )
    p = fresh(2, rules=rules)
    assert p.settlers("A2") == {"E": 3}
    p = position(seat(hand="V07 V03", settlers="A2 4"), seat(), rules=rules).do("UP V07", YES, NO)
    assert (p.holder("A2"), p.fury) == (0, (1, 0, 0))


def test_docks_and_fjords(with_tables):
    rules = with_tables(
        ("docks", {"dock_id": "AD16"}, "has_village", 0),
        ("docks", {"dock_id": "AD17"}, "has_village", 1),
        ("fjords", {"fjord_id": "AF10"}, "is_edge", 1),
    )
    assert "AF10" in fresh(3, rules=rules).legal("TO")
    p = position(seat(hand="V02 V03", boats="AF07", steel=4), seat(), seat(), rules=rules)
    p.do("UP V02", YES, "BOAT 0")
    assert p.then("TO AD16").point == "DP-8"
    assert p.then("TO AD17").point == "DP-11"


def test_constants(with_tables):
    rules = with_tables(
        constant("start_wood", 5),
        *allowed("resource_max", 9),
        *allowed("deploy_food_cost", 2),
        *allowed("influence_settler", 2),
        *allowed("influence_temple", 3),
        *allowed("influence_boat_docked", 1),
        *allowed("favor_limit", 1),
        *allowed("vp_island_rank3", 7),
        *allowed("fury_on_rune_taken", 3),
        *allowed("fury_on_battle_loss", 2),
        *allowed("fury_on_invader_loss", 4),
    )
    p = fresh(3, rules=rules)
    assert p.resources(0) == (5, 2, 1)
    assert rules.game.num_actions(3) == 316 + 2  # two amounts more
    p = position(seat(hand="V13 V03", wood=7), seat(), seat(), rules=rules).do("UP V13", YES, *["WOOD"] * 4)
    assert p.wood(0) == 9
    # Two Settlers for 4 food; 4 + 1 against a Temple's 3.
    p = position(seat(hand="V02 V03", boats="AF08", food=5), seat(temples="A2"), seat(), holders={"A2": 1}, rules=rules)
    p.do("UP V02", YES, "BOAT 0", "TO AD18", "MAT", "MAT")
    assert (p.point, p.food(0)) == ("DP-8", 1)
    p.do(NO)
    assert (p.holder("A2"), p.fury, p.scores()) == (0, (0, 0, 3), [6, 0, 0])
    assert p.then().s["fury"].tolist() == [0, 0, 3]
    battle = {"starter": 0, "favor": "F02", "end": "TOP LEFT"}
    seats = seat(row="(V18)"), seat(row="(V22)", favors="F09"), seat()
    p = idle(position(*seats, turn=2, battle=battle, rules=rules))
    assert p.legal() == {"FAVOR F02", "FAVOR F09"}
    assert p.do("FAVOR F02", "TOP LEFT", NO).fury == (0, 2, 0)
    p = idle(position(seat(row="(V22)"), seat(), seat(), turn=2, battle=battle, deck="V20", rules=rules))
    assert p.fury == (0, 4, 0)
    one = position(seat(settlers="A1"), seat(), seat(), holders={"A1": 0}, rules=rules)
    assert one.scores()[0] == 7


# --- a map of one's own ---------------------------------------------------------------------------

# Side, new Island, the Island it is joined to, the two edge Fjords beside it; the third number is that of new rows.
NEW_ISLANDS = {
    "A": ("A7", "A5", ("AF04", "AF05"), "AF11", ("AD22", "AD23", "AD24"), ("RA13", "RA14")),
    "B": ("B10", "B9", ("BF04", "BF05"), "BF13", ("BD29", "BD30", "BD31"), ("RB17", "RB18")),
}


def with_one_island_more(folder: Path) -> Path:
    """Tables whose sides have one Island more, at the map edge, with a route of its own that leads off the map.

    Everything else that the record's size depends on is larger as well: hands, and Favor rows.
    """
    hands = [("era_mat", {"era": era}, "hand_size", size) for era, size in (("1", 7), ("2", 3), ("3", 4))]
    folder = altered(folder, *hands, ("map_sides", {"players": "4"}, "favor_row_size", 8))
    for side, (island, old, (left, right), fjord, docks, routes) in NEW_ISLANDS.items():

        def add(file: str, *cells: object) -> None:
            rows = rows_of(folder, file)
            values = [side, *cells]  # noqa: B023
            rows.append({name: str(values[k]) if k < len(values) else "own" for k, name in enumerate(rows[0])})
            rewrite(folder, file, rows)

        add("islands", island, "Nyey", "FEHU", 1, "BOTTOM", 0, 0)
        add("fjords", fjord, 1)
        add("ferry_routes", routes[0], old, island, docks[0], docks[1])
        add("ferry_routes", routes[1], island, "NONE", docks[2], "NONE")
        add("docks", docks[0], old, routes[0], left, fjord, 0, 9)
        add("docks", docks[1], island, routes[0], left, fjord, 0, 1)
        add("docks", docks[2], island, routes[1], fjord, right, int(side == "A"), 2)
        add("fjord_adjacency", left, fjord, routes[0])
        add("fjord_adjacency", fjord, right, routes[1])
    sides = rows_of(folder, "map_sides")
    for row in sides:
        row["island_runes_on_map"] = str(int(row["island_runes_on_map"]) + 1)
        row["villages_on_map"] = str(int(row["villages_on_map"]) + (row["map_side"] == "A"))
    rewrite(folder, "map_sides", sides)
    return folder


def test_a_map_with_one_island_more_is_played(tmp_path):
    rules = Rules(with_one_island_more(tmp_path))
    # A location's block grows by a Fjord and three Docks, and so on: 4 locations, 1 Island, 2 links, 4 targets.
    assert rules.game.num_actions(4) == 316 + 4 + 1 + 2 + 4
    p = position(seat(hand="V07 V03", settlers="A5"), seat(), seat(), holders={"A5": 0}, rules=rules)
    p.do("UP V07", YES, "A5>A7", NO)
    assert (p.holder("A7"), p.fury) == (0, (1, 0, 0))
    p = position(seat(hand="V02 V03", boats="AF11", steel=1), seat(), seat(), rules=rules).do("UP V02", YES, "BOAT 0")
    assert p.legal("TO") == {"AF04", "AF05", "AD22", "AD23", "AD24"}
    assert p.do("TO AD24", YES).villages(0) == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_on_a_map_with_one_island_more(players, tmp_path):
    rules = Rules(with_one_island_more(tmp_path))
    assert play_game(players, 1, rules)["DP-3"]


# --- random alterations, in lockstep with the reference --------------------------------------------

MAIN = ("SAIL", "EXPLORE", "HARVEST", "BUILD")
RUNE_ACTIONS = (*MAIN, "SMITE", "TEMPLE_EXPLORE", "DRAW_REPLACE", "COLLECT", "EXCHANGE", "NONE")
BOOSTS = ("RUNE_FEHU", "RUNE_HAGALAZ", "RUNE_PERTHO", "RUNE_ANY", "WOOD", "FOOD", "STEEL")
RUNES = ("FEHU", "HAGALAZ", "PERTHO")


def numbered(chooser: random.Random, action: str) -> int:
    """A number that goes with an action."""
    if action in ("COLLECT", "EXCHANGE", "NONE"):
        return 0
    return 1 if action in ("BUILD", "ENTER_BATTLE", "DRAW_REPLACE") else chooser.randint(1, 4)


def random_changes(chooser: random.Random) -> list[Change]:
    """Many rows, changed within what makes sense."""
    changes: list[Change] = []
    for row in read("viking_cards"):
        key = row["card_id"]
        leader, action = chooser.choice(MAIN), chooser.choice((*RUNE_ACTIONS, "ENTER_BATTLE"))
        boosted = chooser.random() < 0.4
        cells = {
            "rune": chooser.choice(RUNES),
            "str_base": chooser.randint(0, 6),
            "str_boost_per": chooser.randint(1, 3) if boosted else 0,
            "str_boost_source": chooser.choice(BOOSTS) if boosted else "NONE",
            "steel_cost": chooser.choice((0, 0, 1, 2)),
            "leader_action": leader,
            "leader_n": numbered(chooser, leader),
            "rune_action": action,
            "rune_n": numbered(chooser, action),
            "req1_rune": chooser.choice((*RUNES, "ANY")),
            "req1_n": chooser.randint(1, 2),
        }
        second = chooser.choice((*RUNES, "NONE", "NONE"))
        cells |= {"req2_rune": second, "req2_n": int(second != "NONE")}
        cells |= {f"rune_{r}": chooser.randint(0, 2) * (action == "COLLECT") for r in ("wood", "food", "steel")}
        changes += [card(key, column, value) for column, value in cells.items()]
    for row in read("gods"):
        action = chooser.choice((*RUNE_ACTIONS, "FURY_ADJUST"))
        cells = {"boon_action": action, "boon_n": numbered(chooser, action)}
        cells |= {f"boon_{r}": chooser.randint(0, 2) * (action == "COLLECT") for r in ("wood", "food", "steel")}
        changes += [("gods", {"god_id": row["god_id"]}, column, value) for column, value in cells.items()]
    for row in read("favor_cards"):
        for column in ("runes_fehu", "runes_hagalaz", "runes_pertho", "bag_wood", "bag_food", "bag_steel"):
            changes.append(("favor_cards", {"favor_id": row["favor_id"]}, column, chooser.randint(0, 2)))
    for slot in ("BOAT_1", "BOAT_2", "BOAT_3", "TEMPLE_1", "TEMPLE_2"):
        changes.append(("clan_mat", {"slot_id": slot}, "wood_cost", chooser.randint(0, 3)))
        changes.append(("clan_mat", {"slot_id": slot}, "harvest_bonus", chooser.choice(("FOOD", "ANY"))))
        changes.append(("clan_mat", {"slot_id": slot}, "harvest_bonus_n", chooser.randint(1, 2)))
    for era in "123":
        changes.append(("era_mat", {"era": era}, "raid_steel_cost", chooser.randint(0, 2)))
        # The largest number stays, so that the record keeps its size and nothing is compiled anew; so below.
        changes.append(("era_mat", {"era": era}, "hand_size", 6 if era == "2" else chooser.randint(3, 6)))
        changes.append(("era_mat", {"era": era}, "pass_direction", chooser.choice(("CW", "CCW"))))
    for space in ("D1", "D2", "D3", "D4"):
        action = chooser.choice(MAIN)
        changes.append(("dedication_spaces", {"space_id": space}, "action", action))
        changes.append(("dedication_spaces", {"space_id": space}, "action_n", numbered(chooser, action)))
    for players in "1234":
        side = {"1": "A", "4": "B"}.get(players, chooser.choice("AB"))
        changes.append(("map_sides", {"players": players}, "map_side", side))
        changes.append(
            ("map_sides", {"players": players}, "favor_row_size", 6 if players == "1" else chooser.randint(2, 6))
        )
        changes.append(("map_sides", {"players": players}, "dedication_cap", chooser.randint(1, 3)))
    for key, low, high in (
        ("start_wood", 0, 5),
        ("start_food", 2, 5),
        ("start_steel", 0, 5),
        ("resource_max", 5, 9),
        ("deploy_food_cost", 0, 2),
        ("influence_settler", 1, 2),
        ("influence_temple", 2, 5),
        ("influence_boat_docked", 0, 3),
        ("favor_limit", 1, 3),
        ("fury_start", 0, 2),
        ("fury_on_rune_taken", 0, 3),
        ("fury_on_battle_loss", 0, 3),
        ("fury_on_invader_loss", 0, 3),
        ("vp_island_rank1", 5, 9),
        ("vp_favor_rank2", 1, 9),
    ):
        changes += allowed(key, chooser.randint(low, high))
    settlers = chooser.randint(3, 8)
    changes += allowed("settlers_per_player", settlers) + allowed("start_settlers_on_mat", settlers)
    changes.append(("components", {"component": "settler"}, "per_player", settlers))
    return changes


def consistent(folder: Path) -> Path:
    """Make the counts of map_sides.csv those of the side that it names."""
    sides = rows_of(folder, "map_sides")
    for row in sides:
        here = [dock for dock in rows_of(folder, "docks") if dock["map_side"] == row["map_side"]]
        row["villages_on_map"] = str(sum(int(dock["has_village"]) for dock in here))
        row["island_runes_on_map"] = "6" if row["map_side"] == "A" else "9"
    rewrite(folder, "map_sides", sides)
    return folder


@pytest.mark.parametrize("number", range(3))
def test_engine_and_reference_agree_under_other_tables(number, tmp_path):
    rules = Rules(consistent(altered(tmp_path, *random_changes(random.Random(number)))))
    for players in (2, 3, 4):
        assert play_game(players, number, rules)["DP-3"]


# --- bad rows are refused -------------------------------------------------------------------------


def island(island_id: str, column: str, value: object) -> Change:
    return "islands", {"island_id": island_id}, column, value


def dock(dock_id: str, column: str, value: object) -> Change:
    return "docks", {"dock_id": dock_id}, column, value


BAD: list[Change] = [
    # T-DATA-1
    card("V05", "count", 2),
    card("V05", "card_id", "V06"),
    ("favor_cards", {"favor_id": "F03"}, "count", 0),
    ("gods", {"god_id": "LOKI"}, "god_id", "ODIN"),
    # T-DATA-2
    island("A1", "rune", "NONE"),
    island("A1", "rune", "HAGALAZ"),
    # T-DATA-4
    dock("AD07", "island_id", "A5"),
    dock("AD07", "island_id", "A9"),
    dock("AD07", "route_id", "RA05"),
    ("ferry_routes", {"route_id": "RA04"}, "dock_b", "AD08"),
    ("ferry_routes", {"route_id": "RA04"}, "dock_b", "NONE"),
    ("ferry_routes", {"route_id": "RA04"}, "island_a", "B3"),
    # T-DATA-5
    dock("AD07", "fjord_1", "AF08"),
    dock("AD07", "fjord_1", "NONE"),
    dock("AD07", "fjord_2", "AF09"),
    dock("AD07", "fjord_2", ""),
    # T-DATA-7
    ("clan_mat", {"slot_id": "BOAT_1"}, "starts_on", "MAP"),
    ("clan_mat", {"slot_id": "BOAT_0"}, "starts_on", "MAT"),
    ("clan_mat", {"slot_id": "TEMPLE_1"}, "unit", "BOAT"),
    # T-DATA-8
    card("V05", "rune", "ISA"),
    card("V05", "leader_action", "SMITE"),
    card("V05", "rune_action", "FURY_ADJUST"),
    card("V05", "req1_rune", "SOME"),
    card("V03", "str_boost_source", "GOLD"),
    ("gods", {"god_id": "ODIN"}, "boon_action", "ENTER_BATTLE"),
    ("clan_mat", {"slot_id": "BOAT_1"}, "harvest_bonus", "MEAD"),
    ("clan_mat", {"slot_id": "BOAT_1"}, "unit", "SHIP"),
    ("era_mat", {"era": "2"}, "pass_direction", "LEFT"),
    ("dedication_spaces", {"space_id": "D1"}, "action", "SMITE"),
    ("dedication_spaces", {"space_id": "D1"}, "location", "MAP"),
    island("A1", "row", "LEFT"),
    constant("chieftain_rule", "OLDEST"),
    constant("two_player_enemy", 2),
    constant("enter_battle_card", "BOTH"),
    # T-DATA-9
    ("gods", {"god_id": "TYR"}, "dedication_fury", 3),
    ("dedication_spaces", {"space_id": "G2"}, "action_n", 3),
    ("map_sides", {"players": "3"}, "villages_on_map", 8),
    ("map_sides", {"players": "4"}, "island_runes_on_map", 8),
    card("V05", "req1_n", 0),
    card("V05", "req2_n", 1),
    card("V05", "str_boost_per", 1),
    card("V03", "str_boost_per", 0),
    # Numbers
    card("V05", "str_base", "three"),
    card("V05", "str_base", -1),
    card("V05", "leader_n", 0),
    card("V05", "steel_cost", ""),
    card("V05", "rune_wood", 1),  # a bag without COLLECT
    ("favor_cards", {"favor_id": "F03"}, "bag_wood", "x"),
    ("favor_cards", {"favor_id": "F03"}, "runes_fehu", -2),
    ("gods", {"god_id": "FRIGG"}, "boon_n", "1.5"),
    ("era_mat", {"era": "2"}, "hand_size", 0),
    ("era_mat", {"era": "2"}, "hand_size", 12),
    ("era_mat", {"era": "2"}, "raid_steel_cost", -1),
    ("clan_mat", {"slot_id": "BOAT_1"}, "wood_cost", "one"),
    ("map_sides", {"players": "3"}, "favor_row_size", 10),
    ("map_sides", {"players": "3"}, "map_side", "C"),
    ("fjords", {"fjord_id": "AF03"}, "is_edge", 2),
    ("fjords", {"fjord_id": "AF03"}, "fjord_id", "AF04"),
    dock("AD07", "has_village", "yes"),
    island("A1", "enemy_settlers_2p", -1),
    ("fjord_adjacency", {"route_id": "RA04"}, "fjord_a", "AF12"),
    constant("start_wood", 8),
    constant("start_wood", "two"),
    constant("resource_max", 6),
    constant("favor_limit", "many"),
    constant("eras", 4),
    ("components", {"component": "viking_card"}, "count", 47),
    ("components", {"component": "settler"}, "per_player", 5),
]


@pytest.mark.parametrize(("file", "where", "column", "value"), BAD)
def test_a_bad_cell_is_refused_by_name(file, where, column, value, tmp_path):
    folder = altered(tmp_path, (file, where, column, value))
    with pytest.raises(TableError) as error:
        vikings_game(folder)
    message = str(error.value)
    assert ".csv" in message
    assert "must be" in message or "where" in message
    # The cell that was changed is named, or one in another row or table that no longer agrees with it.
    assert f"{file}.csv: row {line_of(file, where)}, column {column!r}: {str(value)!r}" in message or any(
        word in message for word in ("dock", "route", "Dock", "unit", "starts_on", "rune", "boost", "different", "req")
    ), message


EXACT = [change for change in BAD if change[0] in ("era_mat", "fjords", "components", "constants", "favor_cards")]


@pytest.mark.parametrize(("file", "where", "column", "value"), EXACT)
def test_the_message_names_file_row_column_and_value(file, where, column, value, tmp_path):
    with pytest.raises(TableError) as error:
        vikings_game(altered(tmp_path, (file, where, column, value)))
    message = str(error.value)
    assert f"{file}.csv: row " in message
    assert f"column {column!r}: {str(value)!r} is not allowed; it must be " in message


def test_too_many_villages_are_refused(tmp_path):
    # T-DATA-3: side B has all thirteen.
    folder = altered(tmp_path, dock("BD02", "has_village", 1), ("map_sides", {"players": "4"}, "villages_on_map", 14))
    with pytest.raises(TableError, match=r"docks\.csv.*has_village.*13"):
        vikings_game(folder)


def test_an_island_that_no_route_reaches_is_refused(tmp_path):
    # T-DATA-6
    folder = altered(tmp_path)
    rows = rows_of(folder, "islands")
    for rune in RUNES:
        rows.append(dict(rows[0], island_id=f"A{rune}", rune=rune))
    rewrite(folder, "islands", rows)
    sides = rows_of(folder, "map_sides")
    for row in sides[:3]:
        row["island_runes_on_map"] = "9"
    rewrite(folder, "map_sides", sides)
    with pytest.raises(TableError, match=r"islands\.csv: row 17, column 'island_id': 'AFEHU'"):
        vikings_game(folder)


def test_a_fjord_that_no_boat_reaches_is_refused(tmp_path):
    # T-DATA-6
    folder = altered(tmp_path)
    rows = rows_of(folder, "fjords")
    rows.append(dict(rows[0], fjord_id="AF11"))
    rewrite(folder, "fjords", rows)
    with pytest.raises(TableError, match=r"fjords\.csv: row 24, column 'fjord_id': 'AF11'"):
        vikings_game(folder)


def test_a_dock_that_no_route_names_is_refused(tmp_path):
    # T-DATA-4
    folder = altered(tmp_path)
    rows = rows_of(folder, "docks")
    rows.append(dict(rows[0], dock_id="AD22"))
    rewrite(folder, "docks", rows)
    sides = rows_of(folder, "map_sides")
    for row in sides[:3]:
        row["villages_on_map"] = "10"
    rewrite(folder, "map_sides", sides)
    with pytest.raises(TableError, match=r"docks\.csv: row 51, column 'route_id': 'RA01'"):
        vikings_game(folder)


# Without value.csv a folder has the package's.
FILES = sorted(path.stem for path in TABLES.glob("*.csv") if not path.stem.startswith(("solo", "value")))


@pytest.mark.parametrize("file", FILES)
def test_a_missing_table_column_or_row_is_refused(file, tmp_path):
    folder = altered(tmp_path)
    path = folder / f"{file}.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.unlink()
    with pytest.raises(TableError, match=f"{file}.csv"):
        vikings_game(folder)
    header = lines[0].split(",")
    path.write_text("\n".join([",".join(["nothing", *header[1:]]), *lines[1:]]), encoding="utf-8")
    with pytest.raises(TableError, match=header[0]):
        vikings_game(folder)
    if file != "components":  # those for people only may be absent
        path.write_text("\n".join(lines[:-1]), encoding="utf-8")
        with pytest.raises(TableError, match=r"\.csv"):
            vikings_game(folder)


def test_a_missing_constant_is_refused(tmp_path):
    folder = altered(tmp_path)
    rewrite(folder, "constants", [row for row in rows_of(folder, "constants") if row["key"] != "favor_limit"])
    with pytest.raises(TableError, match="favor_limit"):
        vikings_game(folder)


# --- the numbers in the text ----------------------------------------------------------------------


def test_numbers_that_the_document_names():
    constants = {row["key"]: row["value"] for row in read("constants")}
    assert [constants[f"start_{r}"] for r in ("wood", "food", "steel")] == [2, 2, 1]  # T-SETUP-7
    assert [row["wood_cost"] for row in read("clan_mat")] == [0, 1, 2, 3, 4, 5]  # T-BUILD-1
    assert [row["raid_steel_cost"] for row in read("era_mat")] == [1, 2, 3]  # T-RAID-1
    assert [row["hand_size"] for row in read("era_mat")] == [4, 5, 6]  # T-ERA-2
    assert [row["pass_direction"] for row in read("era_mat")] == ["CW", "CCW", "CW"]  # T-ERA-3
    assert [constants[f"vp_island_rank{k}"] for k in (1, 2, 3)] == [6, 5, 4]  # T-SCORE-1
    assert [constants[f"vp_favor_rank{k}"] for k in (1, 2, 3)] == [4, 3, 2]


def test_the_three_suits_are_equal():
    suits = [[row for row in read("viking_cards") if row["rune"] == rune] for rune in RUNES]
    for suit in suits:
        assert len(suit) == 16
        leaders = [row["leader_action"] for row in suit]
        assert [leaders.count(action) for action in MAIN] == [5, 3, 5, 3]
        assert {row["rune_action"] for row in suit} >= set(RUNE_ACTIONS) - {"NONE"}
    assert sum(row["rune_action"] in MAIN for suit in suits for row in suit) == 15  # CR-15
    favors = read("favor_cards")
    for rune in ("runes_fehu", "runes_hagalaz", "runes_pertho"):
        assert sum(row[rune] for row in favors) == 9
