"""Section 2: the component tables are data. Altered rows take effect, bad ones are refused, and the text agrees."""

from __future__ import annotations

import csv
import random
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from northsea_envs.game import Game
from northsea_envs.games.raiders import game as raiders_game
from northsea_envs.tables import TableError
from tests.raiders.positions import (
    CARDS,
    DECK,
    FREE_HALL,
    SETTLEMENTS,
    TABLES,
    Position,
    default_game,
    fresh,
    idle_turn,
    position,
    read,
    seat,
)
from tests.raiders.reference import Tables
from tests.raiders.test_reference import play_game

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "rules" / "raiders.md"

# File, what identifies the row, column, new value.
Change = tuple[str, Mapping[str, str], str, object]


def line_of(file: str, where: Mapping[str, str]) -> int:
    """The line of a row as a text editor counts."""
    with (TABLES / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines), 2):
            if all(row[column] == value for column, value in where.items()):
                return number
    raise AssertionError(f"{file} has no row {where}")


def altered(folder: Path, *changes: Change) -> Path:
    """A copy of the tables in which some cells differ."""
    folder = folder / "tables"
    shutil.copytree(TABLES, folder, dirs_exist_ok=True)
    for file, where, column, value in changes:
        path = folder / f"{file}.csv"
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        found = [row for row in rows if all(row[name] == cell for name, cell in where.items())]
        assert found, f"{file} has no row {where}"
        for row in found:
            assert column in row, f"{file} has no column {column}"
            row[column] = str(value)
        with path.open("w", encoding="utf-8", newline="") as lines:
            writer = csv.DictWriter(lines, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return folder


@pytest.fixture
def with_tables(tmp_path):
    """Make the game with some cells altered."""
    return lambda *changes: raiders_game(altered(tmp_path, *changes))


def card(kind: str, column: str, value: object) -> Change:
    return "townsfolk", {"key": kind}, column, value


def constant(key: str, value: object) -> Change:
    return "constants", {"key": key}, "value", value


def hall(rules: Game, *seats, **board) -> Position:
    """Seat 0 has just placed its worker on the Town Hall."""
    return position(*seats, rules=rules, village=FREE_HALL, **board).do("BUILDING town_hall")


# --- altered rows take effect ---------------------------------------------------------------------


def test_tables_are_part_of_the_game_s_identity(with_tables):
    assert with_tables().fingerprint == default_game().fingerprint
    assert with_tables(card("champion", "hire_cost", 2)).fingerprint != default_game().fingerprint
    # A column for people changes nothing.
    assert with_tables(card("champion", "hire_cost", 4), card("champion", "sources", "me")).fingerprint == (
        default_game().fingerprint
    )


def test_cost_and_strength_of_a_card(with_tables):
    rules = with_tables(card("champion", "hire_cost", 2), card("sage", "strength", 4))
    p = position(seat(hand="champion", silver=2), seat(), rules=rules).do("BUILDING barracks", "HAND champion")
    assert (p.silver(0), p.crew(0)) == (0, {"champion": 1})
    # 4 + 0 + 0 and a die of 4: the threshold of 8.
    own = seat(crew="sage, jeweller, forager", worker="grey", provision=4)
    p = position(own, seat(), rules=rules, sets={"outpost_east": ["iron"]})
    assert p.do("SETTLEMENT outpost_east", dice=[4]).vp(0) == 2


def test_number_scope_and_code_of_a_crew_effect(with_tables):
    rules = with_tables(
        card("jeweller", "crew_n", 3),
        card("warmonger", "crew_scope", "MONASTERY"),
        card("archer", "crew_code", "RAID_LESS_PROVISION"),
        card("brynjar", "crew_per", 2),
        card("warlord", "crew_n", 7),
    )
    p = position(seat(crew="jeweller 2"), seat(), rules=rules).do("BUILDING silversmith", "OPTION 0")
    assert p.silver(0) == 3 + 6
    harbour = position(seat(crew="warmonger, sage", provision=2), seat(), rules=rules, sets={"harbour_west": ["iron"]})
    assert harbour.do("SETTLEMENT harbour_west").vp(0) == 1
    own = seat(crew="warmonger 2, jeweller", provision=3, gold=1, worker="grey")
    monastery = position(own, seat(), rules=rules, sets={"monastery_west": ["iron"]})
    assert monastery.do("SETTLEMENT monastery_west", dice=[2, 2]).vp(0) == 2
    # The Archer now saves 2 provisions at Outposts, and brings no VP: 3 and a die of 2.
    own = seat(crew="archer, jeweller, forager", provision=2, worker="grey")
    outpost = position(own, seat(), rules=rules, sets={"outpost_east": ["iron"]})
    assert outpost.do("SETTLEMENT outpost_east", dice=[2]).goods(0) == {"iron": 1}
    assert outpost.vp(0) == 0
    # Brynjar 4, armour 2 and 1 for it, a die of 3: 10 at outpost_mid.
    own = seat(crew="brynjar, jeweller, forager", provision=3, armour=2, worker="grey")
    outpost = position(own, seat(), rules=rules, sets={"outpost_mid": ["iron"]})
    assert outpost.do("SETTLEMENT outpost_mid", dice=[3]).vp(0) == 2
    p = idle_turn(position(seat(crew="warlord"), seat(), rules=rules, turn=1, turns_left=1))
    assert p.scores() == [7, 0]


def test_town_hall_effect_of_a_card(with_tables):
    rules = with_tables(
        card("forager", "th_get_n", 5),
        card("huntsman", "th_get2_res", "GOLD"),
        card("avenger", "th_pay_n", 2),
        card("avenger", "th_pay_res", "PROVISION"),
        card("recruiter", "th_pay_n", 3),
        card("trader", "th_pay_n", 2),
        card("warlord", "th_get_res", "IRON"),
    )
    assert hall(rules, seat(hand="forager"), seat()).do("HAND forager").goods(0) == {"provision": 5}
    assert hall(rules, seat(hand="huntsman"), seat()).do("HAND huntsman").goods(0) == {"provision": 1, "gold": 1}
    p = hall(rules, seat(hand="avenger"), seat(provision=5), seat(provision=1)).do("HAND avenger")
    assert [p.provision(s) for s in range(3)] == [0, 3, 0]
    p = hall(rules, seat(hand="recruiter, sage", silver=4), seat()).do("HAND recruiter")
    assert (p.silver(0), p.crew(0)) == (1, {"sage": 1})
    p = hall(rules, seat(hand="trader", silver=2), seat(), display=(8, 0, 1)).do("HAND trader", "DISPLAY 0")
    assert (p.goods(0), p.tiles(0)) == ({}, {8})
    p = hall(rules, seat(hand="warlord"), seat(silver=3, iron=3)).do("HAND warlord")
    assert (p.goods(0), p.goods(1)) == ({"iron": 2}, {"silver": 3, "iron": 1})


def test_a_hero_by_table_alone(with_tables):
    rules = with_tables(card("sage", "is_hero", 1))
    p = position(seat(hand="folke, archer", crew="sage", silver=9), seat(), rules=rules).do("BUILDING barracks")
    assert p.legal() == {"HAND archer", "CREW sage", "PASS"}


def test_counts_of_cards(with_tables):
    rules = with_tables(card("champion", "count", 3), card("warlord", "count", 2))
    p = fresh(2, rules=rules)
    found = p.pile() + [kind for s in range(2) for kind, n in p.hand(s).items() for _ in range(n)]
    assert (found.count("champion"), found.count("warlord"), len(found)) == (3, 2, 71)


VARIANTS = [("townsfolk", {"key": r["key"]}, r["column"], r["variant_value"]) for r in read("townsfolk_variants")]


def test_the_printed_variants(with_tables):
    assert len(VARIANTS) == 6
    rules = with_tables(*VARIANTS)
    assert not hall(rules, seat(hand="cartographer", provision=1), seat()).legal("HAND")
    p = hall(rules, seat(hand="cartographer", provision=2), seat()).do("HAND cartographer")
    assert p.goods(0) == {"gold": 1}
    p = position(seat(hand="merchant, trader", silver=1), seat(), rules=rules).do("BUILDING barracks")
    assert p.legal("HAND") == {"merchant"}
    p = position(seat(hand="trader", silver=2), seat(), rules=rules).do("BUILDING barracks", "HAND trader")
    assert p.silver(0) == 0
    p = hall(rules, seat(hand="warmonger"), seat(provision=3)).do("HAND warmonger")
    assert (p.provision(0), p.provision(1)) == (2, 1)
    # The Sage has no strength: 0 + 4 + 3 and a die of 2 is 9 of 10.
    own = seat(crew="sage, berserker, warlord", provision=3, worker="grey")
    p = position(own, seat(), rules=rules, sets={"outpost_mid": ["iron"]})
    assert p.do("SETTLEMENT outpost_mid", dice=[2]).vp(0) == 0


@pytest.mark.rules("R-TH-16", "R-LIMIT-5")
def test_whole_hands_change_owners_with_the_variant_of_the_scout(with_tables):
    rules = with_tables(*VARIANTS)
    p = hall(rules, seat(hand="scout, sage 2"), seat(hand="archer"), seat()).do("HAND scout")
    assert p.legal() == {"OPPONENT 1", "OPPONENT 2"}
    one, two = p.then("OPPONENT 1"), p.then("OPPONENT 2")
    assert (one.hand(0), one.hand(1)) == ({"archer": 1}, {"sage": 2})
    assert (two.hand(0), two.hand(2)) == ({}, {"sage": 2})
    # Both have seen both hands.
    assert all(
        one.redrawn(0, n).hand(1) == {"sage": 2} and one.redrawn(1, n).hand(0) == {"archer": 1} for n in range(20)
    )
    # Legal if either is not empty, and only where something happens.
    assert not hall(rules, seat(hand="scout"), seat()).legal("HAND")
    p = hall(rules, seat(hand="scout"), seat(hand="archer"), seat()).do("HAND scout")
    assert p.hand(0) == {"archer": 1}
    # Who comes to more than 8 cards is checked at the end of their own next turn.
    p = hall(rules, seat(hand="scout, sage 2, brawler 3, warlord 3, forager 2"), seat(), pile="folke")
    p.do("HAND scout", "BUILDING treasury")
    assert (p.hand_size(1), p.seat, p.at_turn_start) == (10, 1, True)
    p.do("BUILDING barracks", "BUILDING gate_house", "PASS")
    assert (p.seat, p.at_turn_start, p.hand_size(1)) == (1, False, 10)
    p.do("HAND brawler", "HAND brawler")
    assert (p.seat, p.hand_size(1)) == (0, 8)


def test_cost_and_vp_of_a_tile(with_tables):
    rules = with_tables(
        ("offerings", {"offering_id": "0"}, "gold", 0),
        ("offerings", {"offering_id": "0"}, "iron", 1),
        ("offerings", {"offering_id": "0"}, "vp", 9),
    )
    own = seat(worker="grey", iron=1)
    p = position(own, seat(), rules=rules, turn=0, turns_left=2).do("BUILDING long_house", "DISPLAY 0")
    assert (p.goods(0), p.tiles(0)) == ({}, {0})
    p = idle_turn(position(seat(tiles=[0]), seat(), rules=rules, display=(1, 2, 3), turn=1, turns_left=1))
    assert p.scores() == [9, 0]


def test_every_column_of_a_settlement(with_tables):
    where = {"key": "outpost_mid"}
    new = {
        "min_crew": 2,
        "provisions": 1,
        "gold": 1,
        "dice": 2,
        "allow_black": 1,
        "allow_grey": 0,
        "t1_strength": 6,
        "t1_vp": 3,
        "t2_strength": 9,
        "t2_vp": 8,
    }
    rules = with_tables(*(("settlements", where, column, value) for column, value in new.items()))
    own = {"crew": "brawler, jeweller", "provision": 1, "gold": 1}
    sets = {"outpost_mid": ["iron"]}
    assert not position(seat(worker="grey", **own), seat(), rules=rules, sets=sets).legal("SETTLEMENT")
    p = position(seat(**own), seat(), rules=rules, sets=sets).do("SETTLEMENT outpost_mid", dice=[3, 2])
    assert (p.provision(0), p.gold(0), len(p.dice())) == (0, 0, 2)
    # 2 + 5 = 7 reaches the first threshold, 2 + 7 = 9 the second.
    assert p.then("PASS").vp(0) == 3
    p = position(seat(**own), seat(), rules=rules, sets=sets).do("SETTLEMENT outpost_mid", dice=[3, 4])
    assert p.then("PASS").vp(0) == 8


def test_spaces(with_tables):
    rules = with_tables(
        ("raid_spaces", {"space_id": "0"}, "worker_colour", "WHITE"),
        ("raid_spaces", {"space_id": "13"}, "worker_colour", "GREY"),
        ("raid_spaces", {"space_id": "1"}, "plunder_count", 4),
        ("raid_spaces", {"space_id": "2"}, "plunder_count", 3),
    )
    p = fresh(2, rules=rules)
    assert [sum(tokens.values()) for tokens in p.sets("harbour_west")] == [4, 4, 3]
    p = position(seat(crew="sage 2", provision=2), seat(), rules=rules, sets={"harbour_west": ["iron"]})
    assert p.do("SETTLEMENT harbour_west").worker(0) == "white"


def test_buildings(with_tables):
    rules = with_tables(
        ("buildings", {"key": "armoury"}, "allow_black", 1),
        ("buildings", {"key": "mill"}, "allow_black", 0),
        ("buildings", {"key": "treasury"}, "initial_worker", "NONE"),
        ("buildings", {"key": "silversmith"}, "initial_worker", "BLACK"),
    )
    assert fresh(2, rules=rules).village() == {"gate_house": "black", "town_hall": "black", "silversmith": "black"}
    p = position(seat(iron=1), seat(), rules=rules)
    assert p.legal("BUILDING") == {"barracks", "armoury", "silversmith"}
    assert p.do("BUILDING armoury", "OPTION 0").armour(0) == 2


def test_building_actions(with_tables):
    rules = with_tables(
        ("building_actions", {"building_key": "gate_house"}, "get_n", 4),
        ("building_actions", {"building_key": "treasury", "option_index": "0"}, "get_n", 3),
        ("building_actions", {"building_key": "treasury", "option_index": "1"}, "pay_n", 3),
        ("building_actions", {"building_key": "armoury", "option_index": "1"}, "pay_n", 1),
        ("building_actions", {"building_key": "mill", "worker_colour": "GREY"}, "get_n", 5),
        ("building_actions", {"building_key": "silversmith", "worker_colour": "BLACK"}, "get_res", "IRON"),
        ("building_actions", {"building_key": "long_house", "option_index": "0"}, "get_n", 4),
    )

    def at(building: str, **own) -> Position:
        village = {b: "black" for b in ("gate_house", "treasury", "town_hall", "barracks") if b != building}
        return position(seat(**own), seat(), rules=rules, village=dict(list(village.items())[:3])).do(
            f"BUILDING {building}"
        )

    assert at("gate_house").do("OPTION 0").hand_size(0) == 4
    assert at("treasury", hand="sage 2").legal() == {"OPTION 0", "PASS"}
    assert at("treasury", hand="sage 2").do("OPTION 0").silver(0) == 3
    assert at("treasury", hand="sage 2, scout").do("OPTION 1", "HAND sage", "HAND sage").goods(0) == {"gold": 1}
    assert at("armoury", worker="grey", silver=1).do("OPTION 1").armour(0) == 1
    assert at("mill", worker="grey", crew="forager").do("OPTION 0").provision(0) == 6
    assert at("mill").do("OPTION 0").provision(0) == 1
    assert at("silversmith").do("OPTION 0").goods(0) == {"iron": 3}
    assert at("long_house", worker="grey", livestock=1).do("OPTION 0").provision(0) == 4


def test_tracks(with_tables):
    rules = with_tables(
        ("tracks", {"track": "ARMOUR", "position": "4"}, "vp", 3),
        ("tracks", {"track": "VALKYRIE", "position": "7"}, "vp", 20),
    )
    p = idle_turn(position(seat(armour=4), seat(valkyrie=7), rules=rules, turn=1, turns_left=1))
    assert p.scores() == [3, 20]


def test_constants(with_tables):
    rules = with_tables(
        constant("start_silver", 3),
        constant("limit_silver", 6),
        constant("limit_hand", 7),
        constant("limit_crew", 4),
        constant("limit_hero_crew", 2),
        constant("score_livestock_per_vp", 3),
        constant("max_turns_per_player", 2),
        *(constant(f"die_face_{face}", 1 if face == 1 else 9) for face in range(1, 7)),
    )
    p = fresh(2, rules=rules)
    assert (p.silver(0), p.supply()["silver"]) == (3, 26)
    p = position(seat(silver=8), seat(), rules=rules)
    assert idle_turn(p).silver(0) == 6
    p = position(seat(hand="folke", crew="brynjar, sage 2", silver=9), seat(), rules=rules).do("BUILDING barracks")
    assert p.legal("HAND") == {"folke"}
    p = position(seat(hand="archer", crew="sage 2, jeweller 2", silver=9), seat(), rules=rules).do("BUILDING barracks")
    assert p.legal() == {"CREW sage", "CREW jeweller", "PASS"}
    own = seat(crew="brawler, sage, jeweller", provision=3, worker="grey")
    p = position(own, seat(), rules=rules, sets={"outpost_mid": ["iron"]}).do("SETTLEMENT outpost_mid")
    assert set(p.dice()) <= {1, 9}
    p = idle_turn(position(seat(livestock=8), seat(), rules=rules, turn=1, turns=[2, 1]))
    assert (p.seat, p.truncated, p.scores()) == (None, True, [2, 0])


# --- random alterations, in lockstep with the reference --------------------------------------------


def random_changes(chooser: random.Random) -> list[Change]:
    """Numbers of many rows, changed within what makes sense."""
    changes: list[Change] = []
    for row in CARDS:
        changes.append(card(row["key"], "hire_cost", chooser.randint(0, 5)))
        changes.append(card(row["key"], "strength", chooser.randint(0, 5)))
        if row["crew_n"] and row["crew_code"] not in ("DEATH_RETURN_TO_HAND", "DEATH_OPPONENT_LOSES_CREW"):
            changes.append(card(row["key"], "crew_n", chooser.randint(1, 3)))
        if row["crew_scope"] in ("HARBOUR", "OUTPOST", "MONASTERY", "FORTRESS"):
            scopes = ("HARBOUR", "OUTPOST", "MONASTERY", "FORTRESS", "ANY")
            changes.append(card(row["key"], "crew_scope", chooser.choice(scopes)))
        if row["th_code"] in ("GAIN", "STEAL", "ALL_OPPONENTS_LOSE", "OPPONENT_LOSES") and row["key"] != "barbarian":
            column = "th_pay_n" if "LOSE" in row["th_code"] else "th_get_n"
            changes.append(card(row["key"], column, chooser.randint(1, 3)))
        if row["th_code"] in ("HIRE_AT_PRICE", "OFFER_AT_DISCOUNT"):
            changes.append(card(row["key"], "th_pay_n", chooser.randint(1, 3)))
    for row in read("offerings"):
        where = {"offering_id": str(row["offering_id"])}
        costs = {column: chooser.randint(0, 2) for column in ("gold", "iron", "livestock", "silver")}
        costs["silver"] += not any(costs.values())
        changes += [("offerings", where, column, value) for column, value in costs.items()]
        changes.append(("offerings", where, "vp", chooser.randint(1, 9)))
    for row in read("settlements"):
        where = {"key": row["key"]}
        changes.append(("settlements", where, "min_crew", chooser.randint(1, 5)))
        changes.append(("settlements", where, "provisions", chooser.randint(0, 4)))
        changes.append(("settlements", where, "gold", chooser.randint(0, 2)))
    changes.append(constant("max_turns_per_player", 60))
    return changes


@pytest.mark.parametrize("number", range(3))
def test_engine_and_reference_agree_under_other_tables(number, tmp_path):
    chooser = random.Random(number)
    folder = altered(tmp_path, *random_changes(chooser), *(VARIANTS if number == 0 else []))
    for players in (2, 3, 4):
        assert play_game(players, number, raiders_game(folder), Tables(folder)).happened["DP-MAIN"]


# --- bad rows are refused -------------------------------------------------------------------------

BAD: list[Change] = [
    card("archer", "hire_cost", -1),
    card("archer", "hire_cost", "three"),
    card("archer", "strength", ""),
    card("archer", "is_hero", 2),
    card("archer", "count", -1),
    card("archer", "crew_code", "RAID_MONEY"),
    card("archer", "crew_scope", "VILLAGE"),
    card("archer", "th_code", "DANCE"),
    card("forager", "th_get_res", "WOOD"),
    card("folke", "crew_per", 0),
    ("offerings", {"offering_id": "3"}, "gold", "x"),
    ("offerings", {"offering_id": "3"}, "vp", -2),
    ("offerings", {"offering_id": "3"}, "offering_id", 4),
    ("settlements", {"key": "outpost_mid"}, "type", "VILLAGE"),
    ("settlements", {"key": "outpost_mid"}, "min_crew", -1),
    ("settlements", {"key": "outpost_mid"}, "dice", 3),
    ("settlements", {"key": "outpost_mid"}, "tiers", 4),
    ("settlements", {"key": "outpost_mid"}, "allow_grey", 2),
    ("settlements", {"key": "outpost_mid"}, "t2_strength", 9),
    ("raid_spaces", {"space_id": "5"}, "settlement_key", "harbour_north"),
    ("raid_spaces", {"space_id": "5"}, "worker_colour", "BLUE"),
    ("raid_spaces", {"space_id": "5"}, "plunder_count", 60),
    ("raid_spaces", {"space_id": "5"}, "slot", 1),
    ("buildings", {"key": "mill"}, "allow_black", "yes"),
    ("buildings", {"key": "mill"}, "initial_worker", "RED"),
    ("buildings", {"key": "mill"}, "key", "windmill"),
    ("building_actions", {"building_key": "gate_house"}, "op_code", "STEAL"),
    ("building_actions", {"building_key": "gate_house"}, "get_res", "WOOD"),
    ("building_actions", {"building_key": "gate_house"}, "get_n", -2),
    ("building_actions", {"building_key": "gate_house"}, "option_index", 2),
    ("building_actions", {"building_key": "gate_house"}, "worker_colour", "RED"),
    ("building_actions", {"building_key": "gate_house"}, "building_key", "harbour"),
    ("tracks", {"track": "ARMOUR", "position": "4"}, "vp", "many"),
    ("tracks", {"track": "ARMOUR", "position": "4"}, "position", 5),
    ("tracks", {"track": "ARMOUR", "position": "4"}, "track", "HONOUR"),
    constant("players_max", 5),
    constant("limit_hand", -1),
    constant("draft_keep", 6),
    constant("townsfolk_cards", 70),
    constant("tokens_gold", 17.5),
    constant("die_face_3", "three"),
    constant("max_turns_per_player", 0),
]


@pytest.mark.parametrize(("file", "where", "column", "value"), BAD)
def test_a_bad_cell_is_refused_by_name(file, where, column, value, tmp_path):
    line = line_of(file, where)
    with pytest.raises(TableError) as error:
        raiders_game(altered(tmp_path, (file, where, column, value)))
    message = str(error.value)
    assert f"{file}.csv" in message
    assert f"row {line}" in message
    assert f"'{column}'" in message
    assert f"'{value}'" in message


@pytest.mark.parametrize("file", ["townsfolk", "offerings", "settlements", "raid_spaces", "buildings", "tracks"])
def test_a_missing_table_column_or_row_is_refused(file, tmp_path):
    folder = altered(tmp_path)
    path = folder / f"{file}.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.unlink()
    with pytest.raises(TableError, match=f"{file}.csv"):
        raiders_game(folder)
    header = lines[0].split(",")
    path.write_text("\n".join([",".join(["nothing", *header[1:]]), *lines[1:]]), encoding="utf-8")
    with pytest.raises(TableError, match=header[0]):
        raiders_game(folder)
    path.write_text("\n".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(TableError, match=r"\.csv"):
        raiders_game(folder)


def test_a_missing_constant_is_refused(tmp_path):
    folder = altered(tmp_path)
    path = folder / "constants.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if not line.startswith("limit_hand,")), encoding="utf-8")
    with pytest.raises(TableError, match="limit_hand"):
        raiders_game(folder)


def test_dice_that_never_decide_who_begins_are_refused(tmp_path):
    changes = [constant(f"die_face_{face}", 5) for face in range(1, 7)]
    with pytest.raises(TableError, match="die_face") as error:
        raiders_game(altered(tmp_path, *changes))
    assert "different from another die_face" in str(error.value)


# --- the text of section 2 ------------------------------------------------------------------------


def table_of(heading: str) -> list[list[str]]:
    """Cells of the first table under a heading of the rules document, without its header."""
    text = DOCUMENT.read_text(encoding="utf-8").split(f"\n### {heading}", 1)[1].split("\n#", 1)[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_townsfolk_are_those_of_the_text():
    written = {row[0].removesuffix(" (hero)").lower(): [int(cell) for cell in row[1:4]] for row in table_of("2.5")}
    assert written == {row["key"]: [row["count"], row["hire_cost"], row["strength"]] for row in CARDS}
    heroes = {row[0].removesuffix(" (hero)").lower() for row in table_of("2.5") if row[0].endswith("(hero)")}
    assert heroes == {row["key"] for row in CARDS if row["is_hero"]}
    assert DECK.total() == 71


def test_offerings_are_those_of_the_text():
    written = {}
    for row in table_of("2.6"):
        for half in (row[:6], row[7:]):
            written[int(half[0])] = [int(cell or 0) for cell in half[1:]]
    columns = ("gold", "iron", "livestock", "silver", "vp")
    assert written == {row["offering_id"]: [row[column] for column in columns] for row in read("offerings")}
    assert sum(row["vp"] for row in read("offerings")) == 65


def test_settlements_are_those_of_the_text():
    written = {row[0]: row[1:] for row in table_of("2.3")}
    assert tuple(written) == SETTLEMENTS
    spaces = read("raid_spaces")
    for row in read("settlements"):
        crew, provisions, gold, colours, dice, tiers, sets = written[row["key"]]
        assert [int(crew), int(provisions), int(gold), int(dice)] == [
            row[column] for column in ("min_crew", "provisions", "gold", "dice")
        ]
        assert {c for c in ("black", "grey", "white") if row[f"allow_{c}"]} == set(colours.split(", "))
        if tiers == "always 1 VP":
            assert (row["fixed_vp"], row["tiers"]) == (1, 0)
        else:
            steps = [tuple(map(int, step.split(":"))) for step in tiers.split(", ")]
            assert steps == [(row[f"t{t}_strength"], row[f"t{t}_vp"]) for t in range(1, row["tiers"] + 1)]
        own = [space for space in spaces if space["settlement_key"] == row["key"]]
        assert re.findall(r"(\d) (grey|white)", sets) == [
            (str(space["plunder_count"]), space["worker_colour"].lower()) for space in own
        ]
        assert row["spaces"] == len(own)


def test_numbers_of_the_box():
    # Section 2.1; sections 2.2 and 2.4 are tested with raids and the final scoring.
    constants = {row["key"]: row["value"] for row in read("constants")}
    box = {"valkyrie": 18, "provision": 32, "silver": 32, "gold": 18, "iron": 18, "livestock": 26}
    assert {kind: constants[f"tokens_{kind}"] for kind in box} == box
    assert [constants[f"workers_{colour}"] for colour in ("black", "grey", "white")] == [7, 11, 12]
    spaces = read("raid_spaces")
    assert [sum(s["worker_colour"] == c for s in spaces) for c in ("GREY", "WHITE")] == [11, 12]
    assert sum(space["plunder_count"] for space in spaces) == 70
