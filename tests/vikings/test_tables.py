"""Component tables: altered copies take effect in the rules, bad ones are refused, and the printed ones say what the
rules document says."""

from __future__ import annotations

import csv
import random
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from northsea_envs.game import Game
from northsea_envs.games.vikings import game as vikings_game
from northsea_envs.tables import TableError
from tests.vikings.positions import (
    COLOURS,
    TABLES,
    WORD_OF_KIND,
    Position,
    before_small_scoring,
    default_game,
    final,
    home,
    placing,
    scoring,
)

RULES = Path(__file__).resolve().parents[2] / "docs" / "rules" / "vikings.md"
FILES = (
    "coins.csv",
    "constants.csv",
    "homeland_rows.csv",
    "player_counts.csv",
    "rounds.csv",
    "ships.csv",
    "special_tiles.csv",
    "tiles.csv",
    "vikings.csv",
)
THREE_SHIPS = "ships 1:red 2:red 3:red\nW: L"


class Tables:
    """A copy of the tables' folder to be spoilt."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "tables"
        shutil.copytree(TABLES, self.folder)

    def lines(self, file: str) -> list[list[str]]:
        with (self.folder / file).open(encoding="utf-8", newline="") as lines:
            return list(csv.reader(lines))

    def write(self, file: str, lines: Iterable[list[str]]) -> None:
        with (self.folder / file).open("w", encoding="utf-8", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows(lines)

    def set(self, file: str, key: str, column: str, value: object) -> int:
        """Change one cell of the row whose first cell (or sail colour) is ``key``; returns the row's number."""
        lines = self.lines(file)
        for number, cells in enumerate(lines[1:], 2):
            if key in cells[:2]:
                cells[lines[0].index(column)] = str(value)
                self.write(file, lines)
                return number
        raise KeyError(key)

    def constant(self, key: str, value: object) -> int:
        """Change one constant; returns the row's number."""
        return self.set("constants.csv", key, "value", value)

    def game(self) -> Game:
        return vikings_game(self.folder)

    def refused(self, *parts: object) -> None:
        """The tables must be refused with a message that has all ``parts``."""
        with pytest.raises(TableError) as caught:
            self.game()
        for part in parts:
            assert str(part) in str(caught.value), f"{part!r} is not in: {caught.value}"


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path)


# --- what an altered table changes ----------------------------------------------------------------


def large(rules: Game, board: str, **money: int) -> tuple[int, int]:
    """Fame and gold after a large scoring of ``board``."""
    position = scoring(home(board, **money), home(), rules=rules).do("DONE")
    return position.fame(0), position.gold(0)


def small(rules: Game, board: str) -> int:
    """Gold from a small scoring of ``board``."""
    return before_small_scoring(home(board), home(THREE_SHIPS), rules=rules).do("BUY 11").gold(0)


def test_a_copy_of_the_tables_is_the_same_game(tables):
    assert tables.game().fingerprint == default_game().fingerprint == vikings_game(str(TABLES)).fingerprint


def test_the_fingerprint_follows_the_values_and_not_the_notes(tables):
    tables.set("ships.csv", "red", "note", "counted by hand")
    lines = tables.lines("rounds.csv")
    tables.write("rounds.csv", [[*line, "x"] for line in lines])
    assert tables.game().fingerprint == default_game().fingerprint
    tables.constant("noble_fame", 4)
    assert tables.game().fingerprint != default_game().fingerprint


def test_columns_may_stand_in_any_order(tables):
    for file in FILES:
        tables.write(file, [line[::-1] for line in tables.lines(file)])
    assert tables.game().fingerprint == default_game().fingerprint


@pytest.mark.rules("V-LARGE-5")
def test_noble_fame(tables):
    tables.constant("noble_fame", 4)
    assert large(tables.game(), "N: L* M*") == (8, 0)
    # The game with the printed tables is not touched.
    assert large(default_game(), "N: L* M*") == (4, 0)


@pytest.mark.rules("V-LARGE-6", "V-LARGE-8")
def test_scouts_and_fishermen(tables):
    for key, value in (("scout_fame", 2), ("scout_bonus_goldsmith_below", 10), ("scout_bonus_fisherman_below", 20)):
        tables.constant(key, value)
    assert large(tables.game(), "S: L* M* M* M*\nG: L M* M M*\nF: L M M* M*")[0] == 2 + 12 + 22 + 32
    tables.constant("fisherman_large_scoring", 5)
    # Fishermen under a ship would be threatened vikings, which yield nothing.
    assert large(tables.game(), "ships 1:blue\nF: L* M* M*")[0] == 10


@pytest.mark.rules("V-SMALL-2", "V-LARGE-7")
def test_goldsmith_gold(tables):
    tables.constant("goldsmith_gold", 7)
    assert large(tables.game(), "G: L* M*") == (0, 14)
    assert small(tables.game(), "G: L* M*") == 14


@pytest.mark.rules("V-SMALL-2")
def test_threat_in_small_scorings(tables):
    tables.constant("small_scoring_uses_threat", "false")
    assert small(tables.game(), "ships 1:blue\nG: L*") == 3
    assert large(tables.game(), "ships 1:blue\nG: L*") == (0, 0)


@pytest.mark.rules("V-COMP-7", "V-LARGE-4", "V-FINAL-2")
def test_the_value_of_a_ship(tables):
    tables.set("ships.csv", "red", "value", 8)
    tables.set("ships.csv", "green", "value_kind", "fame")
    rules = tables.game()
    assert large(rules, "ships 1:red 2:green\nW: L* M*") == (5, 8)
    position = final(home("ships 1:red 2:green", fame=50, gold=3), home(), rules=rules)
    assert position.steps(0)["ships"] == -10


@pytest.mark.rules("V-COMP-7", "V-THREAT-2")
def test_the_reach_of_a_ship(tables):
    for colour, row in (("red", 5), ("yellow", 3)):
        tables.set("ships.csv", colour, "threat_last_row", row)
        tables.constant(f"threat_last_row_{colour}", row)
    rules = tables.game()
    assert small(rules, "ships 1:red\nG: L*") == 0
    assert small(rules, "ships 1:yellow\nG: L*") == 3


@pytest.mark.rules("V-COMP-7")
def test_the_number_of_ships(tables):
    for colour, count in (("red", 4), ("green", 3)):
        tables.set("ships.csv", colour, "count", count)
        for column in ("count_total", "count_in_draw_pile"):
            tables.set("tiles.csv", f"T-SHIP-{colour.upper()}", column, count)
    stack = Position(2, rules=tables.game()).s["stack"].tolist()
    words = [WORD_OF_KIND[kind] for kind in stack]
    assert (words.count("red ship"), words.count("green ship"), len(words)) == (4, 3, 72)


@pytest.mark.rules("V-SETUP-3", "V-SETUP-4")
def test_starting_money(tables):
    for players, gold in ((2, 31), (3, 27), (4, 23)):
        tables.set("player_counts.csv", str(players), "start_gold", gold)
        tables.set("player_counts.csv", str(players), "start_fame", 12)
        tables.constant(f"start_gold_{players}p", gold)
    tables.constant("start_fame", 12)
    for players, gold in ((2, 31), (3, 27), (4, 23)):
        position = Position(players, rules=tables.game())
        assert [(position.gold(seat), position.fame(seat)) for seat in range(players)] == [(gold, 12)] * players


@pytest.mark.rules("V-FINAL-3", "V-FINAL-4", "V-FINAL-5", "V-FINAL-6", "V-FINAL-8")
def test_the_final_scoring(tables):
    for key, value in (
        ("final_gold_per_fame", 3),
        ("final_most_boatsmen", 11),
        ("final_most_islands", 8),
        ("final_longest_island", 6),
        ("final_food_per_fisherman", 7),
        ("final_surplus_food_fame", 4),
        ("final_short_food_fame", -3),
    ):
        tables.constant(key, value)
    board = home("F: L* R\npool 1 gray", fame=50, gold=11)
    position = final(board, home("N: L*", fame=50), rules=tables.game())
    # 11 gold are 3 fame and 2 left; 7 food for 2 mouths are 5 spare.
    assert position.steps(0) == {
        "ships": 0,
        "gold": 3,
        "boatsmen": 11,
        "islands": 8,
        "longest island": 6,
        "feeding": 20,
    }
    assert position.gold(0) == 2
    assert position.steps(1)["feeding"] == -3


@pytest.mark.rules("V-FINAL-7")
def test_majorities_of_zero(tables):
    tables.constant("final_majority_needs_positive_count", "false")
    position = final(home(), home(), rules=tables.game())
    for seat in (0, 1):
        steps = position.steps(seat)
        assert (steps["boatsmen"], steps["islands"], steps["longest island"]) == (10, 7, 5)


@pytest.mark.rules("V-SHIP-2")
def test_the_opening_mode_of_ships(tables):
    tables.constant("ship_opening_mode", "any_of_first_three")
    rules = tables.game()
    (option,) = [option for option in rules.options if option.name == "ship_opening_mode"]
    assert option.default == "any_of_first_three"
    assert (rules.option_codes(2, {}) == rules.option_codes(2, {"ship_opening_mode": "any_of_first_three"})).all()
    assert placing(home("ships 1:red\nW: L"), "red ship", mode="any_of_first_three").legal("SHIP_COLUMN") == {"2", "3"}


@pytest.mark.rules("V-ROUND-2")
def test_which_rounds_end_with_a_large_scoring(tables):
    tables.set("rounds.csv", "1", "scoring", "large")
    position = before_small_scoring(home("N: L*"), home(THREE_SHIPS), rules=tables.game()).do("BUY 11")
    assert position.phase == "TRIP"
    assert position.do("DONE").fame(0) == 2


@pytest.mark.rules("V-OFFER-4")
def test_the_order_of_colours_in_the_offer(tables):
    for colour, place in (("blue", 6), ("gray", 1)):
        tables.set("vikings.csv", colour, "offer_order", place)
    position = Position(2, rules=tables.game())
    # Colours are numbered in the order of the offer: now gray, yellow, green, red, black, blue.
    drawn = position.s["bag"][:12].tolist()
    assert [number - 1 for number in position.s["wheel_viking"].tolist()] == sorted(drawn)
    assert position.game.tables[0]["boatsman"] == 0
    assert position.game.tables[0]["home_row"].tolist() == [-1, 3, 2, 1, 0, 4]


@pytest.mark.rules("V-GEO-3", "V-GEO-4")
def test_the_rows_of_colours(tables):
    for colour, row in (("yellow", 6), ("blue", 5)):
        tables.set("vikings.csv", colour, "home_row", row)
        tables.set("homeland_rows.csv", str(row), "accepts_viking_colour", colour)
    rules = tables.game()
    position = scoring(home("G: L\nF: L\npool 1 yellow, 1 gray"), home(), rules=rules)
    assert position.legal() == {"CELL F1", "DONE"}


@pytest.mark.rules("V-COMP-2")
def test_a_shorter_game_with_fewer_tiles(tables):
    """Five rounds: every count that follows from it, and a whole game."""
    tables.write("rounds.csv", tables.lines("rounds.csv")[:6])
    tables.set("rounds.csv", "5", "final_scoring_follows", "yes")
    for column in ("count_total", "count_in_draw_pile"):
        tables.set("tiles.csv", "T-RIGHT", column, 9)
    for key, value in (
        ("rounds", 5),
        ("tiles_total", 64),
        ("tiles_island_total", 50),
        ("tiles_draw_pile", 60),
        ("island_right_total", 9),
    ):
        tables.constant(key, value)
    for players, sets in ((2, 30), (3, 20), (4, 15)):
        tables.set("player_counts.csv", str(players), "sets_per_player_per_game", sets)
        tables.set("player_counts.csv", str(players), "max_column_index_islands", sets + 1)
        tables.set("player_counts.csv", str(players), "max_island_tiles_per_player", sets + 1)
        tables.set("player_counts.csv", str(players), "max_vikings_acquired_per_player", sets)
    rules = tables.game()
    assert rules.num_actions(2) == 12 + 5 + 5 * 31 + 3 + 2 + 5 + 6 + 3 + 1
    position = Position(2, rules=rules)
    mask = position.mask()
    chooser = random.Random(1)
    while position.seat is not None:
        mask = position.mask()
        action = chooser.choice(mask.nonzero()[0].tolist())
        rules.apply_decision(rules.tables[0], position.s, action)
        assert position.check() == 0
    assert position.s["round_number"] == 5
    assert position.s["purchases"][:2].tolist() == [30, 30]


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "key", "column", "value"),
    [
        ("constants.csv", "noble_fame", "value", "two"),
        ("constants.csv", "noble_fame", "value", "2.0"),
        ("constants.csv", "noble_fame", "value", ""),
        ("constants.csv", "noble_fame", "value", "-1"),
        ("constants.csv", "noble_fame", "value", "100"),
        ("constants.csv", "final_gold_per_fame", "value", "0"),
        ("constants.csv", "final_short_food_fame", "value", "1"),
        ("constants.csv", "small_scoring_uses_threat", "value", "maybe"),
        ("constants.csv", "ship_opening_mode", "value", "anywhere"),
        ("constants.csv", "ship_opening_columns", "value", "4"),
        ("constants.csv", "bank_limited", "value", "true"),
        ("constants.csv", "final_fame_floor", "value", "0"),
        ("constants.csv", "wheel_spaces", "value", "13"),
        ("constants.csv", "fame_to_gold_rate", "value", "2"),
        ("constants.csv", "round6_transport_rule", "value", "any"),
        ("ships.csv", "red", "value", "x"),
        ("ships.csv", "red", "value", "-3"),
        ("ships.csv", "red", "value_kind", "silver"),
        ("ships.csv", "red", "sail_colour", "pink"),
        ("ships.csv", "red", "threat_first_row", "3"),
        ("ships.csv", "blue", "threat_last_row", "7"),
        ("tiles.csv", "T-LEFT", "piece", "top_end"),
        ("tiles.csv", "T-LEFT", "left_edge", "land"),
        ("tiles.csv", "T-MID-A", "right_edge", "shore"),
        ("tiles.csv", "T-MID-A", "building", "E"),
        ("tiles.csv", "T-RIGHT", "building", "A"),
        ("tiles.csv", "T-RIGHT", "class", "ship"),
        ("tiles.csv", "T-RIGHT", "ship_colour", "red"),
        ("tiles.csv", "T-SHIP-RED", "ship_colour", ""),
        ("tiles.csv", "T-SHIP-GREEN", "ship_colour", "red"),
        ("tiles.csv", "T-RIGHT", "count_total", "-1"),
        ("vikings.csv", "blue", "colour", "purple"),
        ("vikings.csv", "blue", "home_row", "5"),
        ("vikings.csv", "gray", "home_row", "6"),
        ("vikings.csv", "blue", "goes_on_islands", "no"),
        ("vikings.csv", "gray", "goes_on_islands", "yes"),
        ("vikings.csv", "blue", "offer_order", "7"),
        ("homeland_rows.csv", "2", "accepts_viking_colour", "gray"),
        ("homeland_rows.csv", "2", "accepts_tile_class", "ship"),
        ("homeland_rows.csv", "2", "homeland_edge_at_column_1", "land"),
        ("homeland_rows.csv", "3", "name", "warriors"),
        ("homeland_rows.csv", "3", "row", "7"),
        ("rounds.csv", "3", "scoring", "medium"),
        ("rounds.csv", "3", "final_scoring_follows", "yes"),
        ("rounds.csv", "6", "final_scoring_follows", "no"),
        ("rounds.csv", "3", "round", "4"),
        ("rounds.csv", "3", "tile_stack", "4"),
        ("player_counts.csv", "4", "players", "5"),
        ("player_counts.csv", "4", "start_gold", "-20"),
        ("player_counts.csv", "4", "sets_per_player_per_round", "4"),
    ],
)
def test_a_bad_cell_is_refused_with_file_row_column_and_value(tables, file, key, column, value):
    row = tables.set(file, key, column, value)
    tables.refused(tables.folder / file, f"row {row}", f"column {column!r}", repr(value), "must be")


@pytest.mark.parametrize(
    ("file", "key", "column"),
    [
        ("ships.csv", "green", "sail_colour"),
        ("vikings.csv", "yellow", "colour"),
        ("player_counts.csv", "3", "players"),
        ("homeland_rows.csv", "3", "row"),
        ("tiles.csv", "T-LEFT", "tile_id"),
        ("constants.csv", "scout_fame", "key"),
        ("vikings.csv", "yellow", "offer_order"),
        ("homeland_rows.csv", "3", "accepts_viking_colour"),
        ("ships.csv", "green", "threat_last_row"),
    ],
)
def test_a_value_that_must_be_its_own_may_not_stand_twice(tables, file, key, column):
    lines = tables.lines(file)
    index = next(number for number, cells in enumerate(lines) if key in cells[:2])
    place = lines[0].index(column)
    value = lines[index - 1][place]
    lines[index][place] = value
    tables.write(file, lines)
    tables.refused(tables.folder / file, f"row {index + 1}", f"column {column!r}", repr(value))


@pytest.mark.parametrize("file", FILES)
def test_a_missing_table(tables, file):
    (tables.folder / file).unlink()
    tables.refused(tables.folder / file, "no such table")


def test_a_missing_folder(tmp_path):
    with pytest.raises(TableError, match="nowhere"):
        vikings_game(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("file", "column"),
    [
        ("constants.csv", "value"),
        ("homeland_rows.csv", "accepts_viking_colour"),
        ("player_counts.csv", "start_gold"),
        ("rounds.csv", "scoring"),
        ("ships.csv", "value"),
        ("tiles.csv", "count_total"),
        ("vikings.csv", "offer_order"),
    ],
)
def test_a_missing_column_and_one_that_stands_twice(tables, file, column):
    lines = tables.lines(file)
    place = lines[0].index(column)
    tables.write(file, [[*line[:place], *line[place + 1 :]] for line in lines])
    tables.refused(tables.folder / file, "row 1", f"column {column!r}", "missing")
    tables.write(file, [[*line, line[place]] for line in lines])
    tables.refused(tables.folder / file, "row 1", f"column {column!r}", "twice")


@pytest.mark.parametrize("file", FILES)
def test_a_row_that_is_too_short_or_too_long(tables, file):
    lines = tables.lines(file)
    tables.write(file, [*lines[:2], lines[2][:-1], *lines[3:]])
    tables.refused(tables.folder / file, "row 3", f"{len(lines[0]) - 1} cells", str(len(lines[0])))
    tables.write(file, [*lines[:2], [*lines[2], "extra"], *lines[3:]])
    tables.refused(tables.folder / file, "row 3", f"{len(lines[0]) + 1} cells")


@pytest.mark.parametrize("file", ["homeland_rows.csv", "player_counts.csv", "ships.csv", "vikings.csv"])
def test_too_few_rows(tables, file):
    lines = tables.lines(file)
    tables.write(file, lines[:-1])
    tables.refused(tables.folder / file, f"{len(lines) - 2} rows where {len(lines) - 1} are needed")


@pytest.mark.parametrize("file", ["rounds.csv", "tiles.csv"])
def test_no_rows(tables, file):
    tables.write(file, tables.lines(file)[:1])
    tables.refused(tables.folder / file)


def test_an_empty_file(tables):
    (tables.folder / "ships.csv").write_bytes(b"")
    tables.refused(tables.folder / "ships.csv", "sail_colour", "missing")


@pytest.mark.parametrize("sail", ["RED", "BLUE"])
def test_a_sail_without_a_tile(tables, sail):
    tables.write("tiles.csv", [line for line in tables.lines("tiles.csv") if line[0] != f"T-SHIP-{sail}"])
    tables.refused(tables.folder / "tiles.csv", "red, green, yellow, blue")


@pytest.mark.parametrize("key", ["noble_fame", "start_fame", "ship_opening_mode"])
def test_a_missing_constant(tables, key):
    tables.write("constants.csv", [line for line in tables.lines("constants.csv") if line[0] != key])
    tables.refused(tables.folder / "constants.csv", repr(key), "missing")


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_not_utf_8(tables, file):
    path = tables.folder / file
    path.write_bytes(path.read_bytes() + b"\xff\xfe")
    tables.refused(path, "UTF-8")


def test_a_file_that_is_not_csv(tables):
    path = tables.folder / "ships.csv"
    path.write_text(path.read_text(encoding="utf-8") + 'S-X,"red\n', encoding="utf-8")
    tables.refused(path, "CSV")


@pytest.mark.parametrize(
    ("file", "key", "column", "value", "named"),
    [
        ("constants.csv", "start_gold_2p", "value", "31", "start_gold_2p"),
        ("player_counts.csv", "2", "start_gold", "31", "start_gold_2p"),
        ("constants.csv", "start_fame", "value", "11", "start_fame"),
        ("player_counts.csv", "3", "start_fame", "11", "start_fame"),
        ("constants.csv", "rounds", "value", "5", "rounds"),
        ("constants.csv", "tiles_total", "value", "77", "tiles_total"),
        ("constants.csv", "tiles_ship_total", "value", "13", "tiles_ship_total"),
        ("constants.csv", "island_middle_total", "value", "21", "island_middle_total"),
        ("constants.csv", "vikings_total", "value", "77", "vikings_total"),
        ("constants.csv", "vikings_per_colour", "value", "12", "vikings.csv"),
        ("constants.csv", "threat_last_row_red", "value", "4", "threat_last_row_red"),
        ("ships.csv", "red", "count", "4", "count_total"),
        ("tiles.csv", "T-SHIP-RED", "count_total", "4", "count_total"),
        ("tiles.csv", "T-RIGHT", "count_total", "20", "count_total"),
        ("vikings.csv", "blue", "count", "12", "vikings"),
        ("player_counts.csv", "2", "sets_per_player_per_game", "35", "sets_per_player_per_game"),
        ("player_counts.csv", "2", "max_column_index_islands", "36", "max_column_index_islands"),
    ],
)
def test_tables_that_contradict_one_another(tables, file, key, column, value, named):
    tables.set(file, key, column, value)
    tables.refused(".csv: row ", "column ", named, "must be")


@pytest.mark.parametrize("count", [0, 3, 5])
def test_a_start_tile_for_each_seat(tables, count):
    for column in ("count_total", "count_set_aside_at_setup"):
        tables.set("tiles.csv", "T-START", column, count)
    tables.refused(tables.folder / "tiles.csv", "count_set_aside_at_setup", "4")


def test_fewer_tiles_than_the_rounds_need(tables):
    for column in ("count_total", "count_in_draw_pile"):
        tables.set("tiles.csv", "T-RIGHT", column, 20)
    for key, value in (
        ("tiles_total", 75),
        ("tiles_island_total", 61),
        ("tiles_draw_pile", 71),
        ("island_right_total", 20),
    ):
        tables.constant(key, value)
    tables.refused("constants.csv", "'71'", "72")


def test_fewer_vikings_than_the_rounds_need(tables):
    for colour in COLOURS:
        tables.set("vikings.csv", colour, "count", 11)
    tables.constant("vikings_per_colour", 11)
    tables.constant("vikings_total", 66)
    tables.refused("constants.csv", "'66'", "72")


# Cells whose change goes unnoticed: columns by file, and keys of constants.csv.
FOR_PEOPLE = {
    "coins.csv": {"provenance", "note"},
    "constants.csv": {"unit", "provenance", "rule_id"},
    "homeland_rows.csv": {"letter", "provenance"},
    "player_counts.csv": {"provenance_gold", "provenance_bounds"},
    "rounds.csv": {"provenance"},
    "ships.csv": {
        "ship_id",
        "threat_last_row_name",
        "provenance_count",
        "provenance_threat",
        "provenance_value",
        "note",
    },
    "special_tiles.csv": {
        "special_id",
        "name",
        "where_kept",
        "provenance_count",
        "provenance_effect",
        "rule_id",
        "note",
    },
    "tiles.csv": {"tile_id", "provenance_count", "provenance_function", "note"},
    "vikings.csv": {"role", "aliases", "provenance"},
}
# What follows from other rules (V-GEO-2, -5, -7, V-SETUP-2, section 15).
UNREAD = {
    "homeland_rows.csv": {"column_1_pieces", "first_column", "last_column"},
}
UNREAD_CONSTANTS = {
    "island_middle_per_kind",
    "vikings_left_in_bag_after_round_6_basic",
    "vikings_left_in_bag_after_round_6_advanced",
}


def fingerprints(game: Game) -> tuple[str, str]:
    """Of the basic and of the advanced game."""
    return game.fingerprint, game.with_options({"variant": "advanced"}).fingerprint


@pytest.mark.parametrize("file", FILES)
def test_a_changed_cell_is_refused_or_makes_another_game(tables, file):
    lines = tables.lines(file)
    words = {"yes": "no", "no": "yes", "true": "false", "false": "true", "sea": "land", "land": "sea"}
    silent = set()
    for row in range(1, len(lines)):
        for place, column in enumerate(lines[0]):
            cell = lines[row][place]
            changed = [list(cells) for cells in lines]
            changed[row][place] = words.get(cell) or (str(int(cell) + 1) if cell.isdigit() else cell + "x")
            tables.write(file, changed)
            try:
                if fingerprints(tables.game()) == fingerprints(default_game()):
                    silent.add(lines[row][0] if column in ("key", "value") and file == "constants.csv" else column)
            except TableError:
                pass
    expected = FOR_PEOPLE[file] | UNREAD.get(file, set())
    assert silent == expected | (UNREAD_CONSTANTS if file == "constants.csv" else set())


# --- the printed tables against the rules document ------------------------------------------------


def statement(rule: str) -> str:
    """The text of one statement."""
    (found,) = [
        line
        for line in RULES.read_text(encoding="utf-8").splitlines()
        if line.startswith((f"- **{rule}** ", f"| **{rule}** "))
    ]
    return found


def table_of(*first_columns: str) -> list[list[str]]:
    """Rows of the Markdown table in the rules whose header begins so."""
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in RULES.read_text(encoding="utf-8").splitlines()
    ]
    start = next(k for k, cells in enumerate(lines) if tuple(cells[: len(first_columns)]) == first_columns)
    rows = []
    for cells in lines[start + 2 :]:
        if len(cells) != len(lines[start]):
            break
        rows.append(cells)
    return rows


def constants() -> dict[str, str]:
    with (TABLES / "constants.csv").open(encoding="utf-8", newline="") as lines:
        return {row["key"]: row["value"] for row in csv.DictReader(lines)}


def rows_of(file: str) -> list[dict[str, str]]:
    with (TABLES / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


# Where a statement says a constant: its numbers in the pattern's groups are the constants named, in order.
STATED = [
    ("V-COMP-1", r"(\d+) tiles: (\d+) island tiles and (\d+) ships", "tiles_total tiles_island_total tiles_ship_total"),
    ("V-COMP-1", r"(Four) of the 62 island tiles are start tiles", "tiles_start"),
    (
        "V-COMP-2",
        r"(\d+) left ends \(including the 4 start tiles, so (\d+) in the draw pile\), (\d+) middles, (\d+) right",
        "island_left_total island_left_draw_pile island_middle_total island_right_total",
    ),
    ("V-COMP-2", r"in four pictures of (\d+) tiles each", "island_middle_per_kind"),
    ("V-COMP-4", r"(\d+) vikings: (\d+) each", "vikings_total vikings_per_colour"),
    ("V-COMP-5", r"\((\d+) gold\)", "coins_total_value"),
    ("V-COMP-6", r"(\d+) special tiles", "special_tiles_total"),
    ("V-SETUP-1", r"(\d), 3 or (\d) players", "players_min players_max"),
    ("V-SETUP-3", r"starts with (\d+) fame", "start_fame"),
    (
        "V-SETUP-4",
        r"(\d+) with two players, (\d+) with three, (\d+) with four",
        "start_gold_2p start_gold_3p start_gold_4p",
    ),
    ("V-SETUP-6", r"other (\d+) tiles face down and make six stacks of (\d+)", "tiles_draw_pile stack_size"),
    ("V-ROUND-1", r"(Six) rounds", "rounds"),
    ("V-ROUND-1", r"until all (\d+) sets are gone", "sets_per_round"),
    ("V-OFFER-1", r"shows (\d+)\.\.(\d+), ascending", "wheel_lowest_number wheel_highest_number"),
    ("V-OFFER-2", r"round's (\d+) tiles", "wheel_spaces"),
    (
        "V-OFFER-4",
        r"Draw (\d+) vikings .* over a basic game, (\d+) never appear",
        "vikings_drawn_basic vikings_left_in_bag_after_round_6_basic",
    ),
    ("V-AUC-1", r"draws (\d+) vikings", "vikings_drawn_advanced"),
    ("V-AUC-5", r"at least \+(\d)", "auction_min_raise"),
    ("V-AUC-4", r"bid any v ≥ (\d)", "auction_opening_min_bid"),
    ("V-BUY-6", r"fame into gold (\d):1", "fame_to_gold_rate"),
    ("V-GEO-2", r"rows (\d)\.\.(\d) \(top to bottom\)", "ship_row last_island_row"),
    (
        "V-THREAT-2",
        r"from row (\d) down .* red (\d), green (\d), yellow (\d), blue (\d)",
        "first_island_row threat_last_row_red threat_last_row_green threat_last_row_yellow threat_last_row_blue",
    ),
    ("V-SHIP-2", r"columns 1.(\d)", "ship_opening_columns"),
    ("V-SMALL-2", r"(\d) gold per unthreatened goldsmith", "goldsmith_gold"),
    ("V-LARGE-7", r"(\d) gold per unthreatened goldsmith", "goldsmith_gold"),
    ("V-LARGE-5", r"(\d) fame per unthreatened noble", "noble_fame"),
    (
        "V-LARGE-6",
        r"(\d) fame per unthreatened scout on an island, plus (\d) if a goldsmith .* plus (\d) if a fisherman",
        "scout_fame scout_bonus_goldsmith_below scout_bonus_fisherman_below",
    ),
    ("V-FINAL-3", r"full (\d) gold left gives 1 fame", "final_gold_per_fame"),
    ("V-FINAL-4", r"in the pool: (\d+) fame", "final_most_boatsmen"),
    ("V-FINAL-5", r"islands: (\d+) fame", "final_most_islands"),
    ("V-FINAL-6", r"in tiles: (\d+) fame", "final_longest_island"),
    ("V-FINAL-8", r"Food = (\d) . .* \+(\d) fame per spare food", "final_food_per_fisherman final_surplus_food_fame"),
    ("V-ADV-2", r"moves exactly (one) viking", "boatsman_capacity_advanced"),
    ("V-SPEC-1", r"(Two) shuffled face-down stacks", "special_stacks"),
    ("V-SPEC-2", r"(Four) lie face up", "special_display"),
    ("V-SPEC-19e", r"(\d) fame for each viking .* maximum (\d)", "building_score_per_viking building_score_max"),
]
NUMBERS = {"one": 1, "Two": 2, "Four": 4, "Six": 6}

# Constants that a statement says in words, with the words that say so.
IN_WORDS = {
    "island_middle_kinds": ("V-COMP-2", "four pictures", "4"),
    "vikings_left_in_bag_after_round_6_advanced": ("V-AUC-1", "the bag is emptied over the game", "0"),
    "bank_limited": ("V-SETUP-8", "The bank never runs out", "false"),
    "gold_to_fame_in_game": ("V-BUY-6", "Gold is never turned into fame before the final scoring", "false"),
    "ship_opening_mode": ("V-SHIP-2", "switch `ship_opening_mode`, default `adjacent`", "adjacent"),
    "small_scoring_uses_threat": ("V-SMALL-2", "threat does apply here", "true"),
    "fisherman_large_scoring": ("V-LARGE-8", "Fishermen score nothing of their own", "0"),
    "final_majority_needs_positive_count": ("V-FINAL-7", "A maximum of zero awards nothing", "true"),
    "final_short_food_fame": ("V-FINAL-8", "Shortage: −1 fame per missing food", "-1"),  # noqa: RUF001
    "final_fame_floor": ("V-FINAL-9", "there is no floor", "none"),
    "round6_transport_rule": (
        "V-FERRY-7",
        "must go on making trips as long as she has a boatsman",
        "use_boatsmen_while_a_move_exists",
    ),
    "special_on_zero_price": ("V-SPEC-4", "Not for a set that costs 0", "false"),
}


@pytest.mark.parametrize(("rule", "pattern", "keys"), STATED)
def test_constants_are_those_of_the_rules(rule, pattern, keys):
    found = re.search(pattern, statement(rule))
    assert found, f"{rule} does not say {pattern}"
    stated = [NUMBERS.get(group) or int(group) for group in found.groups()]
    assert stated == [int(constants()[key]) for key in keys.split()]


@pytest.mark.parametrize("key", IN_WORDS)
def test_constants_that_the_rules_say_in_words(key):
    rule, words, value = IN_WORDS[key]
    assert words in statement(rule)
    assert constants()[key] == value


def test_every_constant_is_compared_with_the_rules():
    compared = {key for _, _, keys in STATED for key in keys.split()} | set(IN_WORDS)
    assert compared == set(constants())


def test_ships_are_those_of_the_rules():
    stated = {}
    for sail, copies, reach, value, *_ in table_of("sail", "copies", "reach (rows threatened)", "printed value"):
        first, last = re.match(r"(\d)–(\d)", reach).groups()  # noqa: RUF001
        amount, kind = value.split()
        stated[sail] = (copies, first, last, amount, kind)
    ships = {
        row["sail_colour"]: (
            row["count"],
            row["threat_first_row"],
            row["threat_last_row"],
            row["value"],
            row["value_kind"],
        )
        for row in rows_of("ships.csv")
    }
    assert ships == stated


def test_player_counts_are_those_of_the_rules():
    bounds = {cells[0]: cells[1:4] for cells in table_of("component", "2p", "3p", "4p")}
    column_of = {
        "sets bought per player per game": "sets_per_player_per_game",
        "island tiles per player, start tile included": "max_island_tiles_per_player",
        "highest island column": "max_column_index_islands",
        "ships per player = highest ship column": "max_ships_per_player",
        "vikings acquired per player": "max_vikings_acquired_per_player",
        "special tiles taken per player per round": "max_special_tiles_taken_per_round_per_player",
    }
    rows = rows_of("player_counts.csv")
    for name, column in column_of.items():
        assert [row[column] for row in rows] == bounds[name], name
    each = re.search(r"(\d) / (\d) / (\d) purchases per player per round", statement("V-BUY-2")).groups()
    assert tuple(row["sets_per_player_per_round"] for row in rows) == each
    # V-SETUP-2: the four start tiles less one for each player.
    assert [int(row["start_tiles_removed"]) + int(row["players"]) for row in rows] == [4, 4, 4]


def test_rows_colours_and_rounds_are_those_of_the_rules():
    text = statement("V-GEO-3")
    for row in rows_of("homeland_rows.csv"):
        colour = row["accepts_viking_colour"]
        assert f"{row['row']} {row['name']}" + ("" if colour == "none" else f" ({colour})") in text
    stated = re.search(r"all (blue), then (yellow), (green), (red), (black), (gray)", statement("V-OFFER-4")).groups()
    assert stated == COLOURS
    small, large = re.search(
        r"Rounds ([\d, ]+) end with a small .* rounds ([\d, ]+) with a large", statement("V-ROUND-2")
    ).groups()
    rounds = rows_of("rounds.csv")
    for scoring_, numbers in (("small", small), ("large", large)):
        assert [row["round"] for row in rounds if row["scoring"] == scoring_] == numbers.split(", ")
    assert "round 6's large scoring is followed by the final scoring" in statement("V-ROUND-2")
    assert [row["final_scoring_follows"] for row in rounds] == ["no"] * 5 + ["yes"]


def test_draw_pile_and_edges_are_those_of_the_rules():
    drawn: dict[str, int] = {}
    edges = {}
    for row in rows_of("tiles.csv"):
        drawn[row["piece"]] = drawn.get(row["piece"], 0) + int(row["count_in_draw_pile"])
        edges[row["piece"]] = f"{row['left_edge']} | {row['right_edge']}"
    numbers = re.search(
        r"(\d+) left ends, (\d+) middles, (\d+) right ends, (\d+) ships", statement("V-SETUP-6")
    ).groups()
    assert [drawn[piece] for piece in ("left_end", "middle", "right_end", "ship")] == [
        int(number) for number in numbers
    ]
    text = statement("V-GEO-6")
    for piece, name in (("left_end", "left end"), ("middle", "middle"), ("right_end", "right end")):
        assert f"{name}: {edges[piece]}" in text


def test_special_tiles_are_those_of_the_rules():
    stated: dict[str, int] = {}
    for rule, _, copies, *_ in table_of("id", "tile", "copies", "effect", "source"):
        total = re.search(r"\((\d+)\)", copies) or re.match(r"(\d+)", copies)  # "1 each (4)"
        stated[rule.strip("*")] = int(total[1])
    found: dict[str, int] = {}
    for row in rows_of("special_tiles.csv"):
        found[row["rule_id"]] = found.get(row["rule_id"], 0) + int(row["count"])
    assert found == stated


def test_rule_ids_in_the_tables_exist():
    text = RULES.read_text(encoding="utf-8")
    for file in ("constants.csv", "special_tiles.csv"):
        for row in rows_of(file):
            assert f"**{row['rule_id']}" in text, row
