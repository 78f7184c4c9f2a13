"""Tables of the advanced game: altered rows of special_tiles.csv take effect, bad ones and bad coins are refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from northsea_envs.tables import TableError
from tests.vikings.advanced.positions import (
    ALL,
    SPECIALS,
    WORD_OF_SPECIAL,
    AdvancedHome,
    AdvancedPosition,
    before_small_scoring,
    buying,
    final,
    game_with,
    home,
    scoring,
)
from tests.vikings.advanced.reference import COPIES
from tests.vikings.positions import default_game
from tests.vikings.test_tables import Tables

THREE_SHIPS = "ships 1:red 2:red 3:red\nW: L"
FILES = ("special_tiles.csv", "coins.csv")


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path)


def magnitude(tables: Tables, word: str, value: int) -> None:
    """Change what a special tile is worth."""
    (name,) = [name for name, other in WORD_OF_SPECIAL.items() if other == word]
    tables.set("special_tiles.csv", name, "magnitude", value)


# --- what an altered table changes ----------------------------------------------------------------


@pytest.mark.rules("V-COMP-6")
def test_the_printed_table_says_what_the_document_says():
    game = game_with(ALL)
    assert dict(zip(SPECIALS, game.tables[0]["special_count"].tolist(), strict=True)) == COPIES
    assert sum(COPIES.values()) == 25


@pytest.mark.rules("V-SPEC-10")
def test_the_coin(tables):
    magnitude(tables, "coin", 12)
    wheel = {8: ("right end", "blue"), 11: ("red ship", "gray")}
    position = buying(home(THREE_SHIPS, gold=3), home("W: L"), wheel=wheel, face_up=["coin"], rules=tables.game()).do(
        "BUY 11", "SPECIAL coin"
    )
    assert position.gold(0) == 12


@pytest.mark.rules("V-SPEC-11", "V-SPEC-13", "V-SPEC-14", "V-SPEC-15")
@pytest.mark.parametrize(
    ("word", "board", "fame", "gold"),
    [
        ("goldsmith +1", "G: L* M*", 0, 2 * (3 + 7)),
        ("goldsmith +2", "G: L* M*", 0, 2 * (3 + 7)),
        ("noble +1", "N: L* M*", 2 * (2 + 7), 0),
        ("scout +1", "S: L* M*", 2 * (1 + 7), 0),
        ("fisherman +1", "F: L* M*", 2 * 7, 0),
    ],
)
def test_what_is_paid_in_scorings(tables, word, board, fame, gold):
    magnitude(tables, word, 7)
    board += f"\nspecial {word}"
    position = scoring(home(board), home(), rules=tables.game()).do("DONE")
    assert (position.fame(0), position.gold(0)) == (fame, gold)
    small = before_small_scoring(home(board), home(THREE_SHIPS), rules=tables.game()).do("BUY 11")
    assert (small.fame(0), small.gold(0)) == (0, gold)


def last(tables: Tables, board: str, rival: str = "", **money: int) -> AdvancedPosition:
    homes: list[AdvancedHome] = [home(board, **({"fame": 50} | money)), home(rival, fame=50)]
    return final(*homes, rules=tables.game())


@pytest.mark.rules("V-SPEC-16", "V-SPEC-17", "V-SPEC-18", "V-SPEC-19")
def test_what_is_paid_at_the_end(tables):
    magnitude(tables, "horn", 3)
    assert last(tables, "special horn", "pool 2 gray").steps(0)["boatsmen"] == 10
    magnitude(tables, "fish", 9)
    assert last(tables, "F: L*\nspecial fish").steps(0)["feeding"] == 36
    magnitude(tables, "rate", 2)
    position = last(tables, "special rate", gold=7)
    assert (position.steps(0)["gold"], position.gold(0)) == (3, 1)
    for letter in "ABCD":
        magnitude(tables, f"building {letter}", 4)
    tables.constant("building_score_per_viking", 4)
    board = "N: L* M* M*\nS: L* [A] M"
    assert last(tables, board).steps(0)["buildings"] == 9  # four vikings, and the most is 9
    tables.constant("building_score_max", 15)
    assert last(tables, board).steps(0)["buildings"] == 15
    tables.constant("building_score_max", 99)
    assert last(tables, board).steps(0)["buildings"] == 16


@pytest.mark.rules("V-SPEC-4")
def test_special_tiles_for_sets_that_cost_nothing(tables):
    tables.constant("special_on_zero_price", "true")
    position = buying(
        home(THREE_SHIPS), home("W: L"), wheel={5: ("red ship", "gray")}, face_up=["boat"], rules=tables.game()
    )
    position.do("BUY 5")
    assert position.phase == "TAKE_SPECIAL"
    assert position.do("SPECIAL boat").held(0) == {"boat": 1}


@pytest.mark.rules("V-COMP-6", "V-SPEC-2")
@pytest.mark.parametrize(("boats", "others"), [(30, 1), (0, 0)])
def test_other_numbers_of_copies(tables, boats, others):
    """Fewer tiles than the display has places for, and none at all, too."""
    for name, word in WORD_OF_SPECIAL.items():
        tables.set("special_tiles.csv", name, "count", boats if word == "boat" else others)
    tables.constant("special_tiles_total", boats + 13 * others)
    expected = +Counter(dict.fromkeys(SPECIALS, others) | {"boat": boats})
    rules = game_with(ALL, tables.game())
    position = AdvancedPosition(2, rules=rules)
    assert position.face_up() + position.hidden_specials() == expected
    assert position.face_up().total() == min(4, boats + 13 * others)
    states = rules.new_states(2, [5])
    legal = np.zeros(rules.num_actions(2), np.int8)
    assert rules.kernels.random_game(rules.tables, states, 0, 5, legal, True) > 0


def test_the_basic_game_does_not_read_them(tables):
    magnitude(tables, "coin", 12)
    assert tables.game().fingerprint == default_game().fingerprint
    assert game_with(ALL, tables.game()).fingerprint != game_with(ALL).fingerprint


def test_columns_and_notes_may_be_changed(tables):
    for file in FILES:
        tables.write(file, [line[::-1] for line in tables.lines(file)])
    lines = tables.lines("special_tiles.csv")
    tables.write("special_tiles.csv", [[*line, "more"] for line in lines])
    assert game_with(ALL, tables.game()).fingerprint == game_with(ALL).fingerprint


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "column", "value"),
    [
        ("SP-COIN5", "count", "-1"),
        ("SP-COIN5", "count", "one"),
        ("SP-COIN5", "count", ""),
        ("SP-COIN5", "magnitude", "0"),
        ("SP-COIN5", "magnitude", "-5"),
        ("SP-COIN5", "magnitude", "5.0"),
        ("SP-COIN5", "magnitude", "100"),
        ("SP-COIN5", "effect_kind", "gain_fame"),
        ("SP-COIN5", "when", "never"),
        ("SP-COIN5", "when", "large_scoring"),
        ("SP-COIN5", "consumed", "no"),
        ("SP-COIN5", "consumed", "perhaps"),
        ("SP-COIN5", "building", "A"),
        ("SP-HORN", "stacks", "no"),
        ("SP-HORN", "stacks", ""),
        ("SP-NOBLE-1", "when", "small_and_large_scoring"),
        ("SP-BOAT", "consumed", "no"),
        # A boat serves one trip: another number would be without effect.
        ("SP-BOAT", "magnitude", "2"),
        ("SP-FISH", "stacks", "yes"),
        ("SP-RATE3", "magnitude", "0"),
        ("SP-BUILD-A", "building", "none"),
        ("SP-BUILD-A", "building", "E"),
        ("SP-BUILD-B", "building", "A"),
        ("SP-BUILD-A", "magnitude", "2"),  # constants.csv has it as 1
    ],
)
def test_a_bad_cell_of_the_special_tiles_is_refused(tables, key, column, value):
    row = tables.set("special_tiles.csv", key, column, value)
    tables.refused(tables.folder / "special_tiles.csv", f"row {row}", f"column {column!r}", repr(value), "must be")


@pytest.mark.parametrize(
    ("key", "column", "value"),
    [
        ("5", "denomination", "0"),
        ("5", "denomination", "five"),
        ("5", "count", "-1"),
        ("5", "count", "15.5"),
        ("5", "total_value", "74"),
        ("5", "total_value", ""),
    ],
)
def test_a_bad_cell_of_the_coins_is_refused(tables, key, column, value):
    row = tables.set("coins.csv", key, column, value)
    tables.refused(tables.folder / "coins.csv", f"row {row}", f"column {column!r}", repr(value), "must be")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("special_on_zero_price", "perhaps"),
        ("special_display", "5"),
        ("boatsman_capacity_advanced", "2"),
        ("auction_min_raise", "2"),
        ("auction_opening_min_bid", "1"),
        ("vikings_drawn_advanced", "12"),
        ("building_score_max", "-1"),
        ("building_score_per_viking", "x"),
        # What other tables say.
        ("special_tiles_total", "24"),
        ("coins_total_value", "196"),
    ],
)
def test_a_bad_constant_is_refused(tables, key, value):
    row = tables.constant(key, value)
    tables.refused(tables.folder / "constants.csv", f"row {row}", "column 'value'", value, "must be")


def test_numbers_of_tiles_that_do_not_add_up_are_refused(tables):
    tables.set("special_tiles.csv", "SP-BOAT", "count", 7)
    tables.refused(tables.folder / "constants.csv", "'special_tiles_total'", "26")
    tables.set("special_tiles.csv", "SP-BOAT", "count", 6)
    tables.set("coins.csv", "5", "count", 16)
    tables.set("coins.csv", "5", "total_value", 80)
    tables.refused(tables.folder / "constants.csv", "'coins_total_value'", "200")


def test_a_tile_of_a_player_and_round_too_many_is_refused(tables):
    row = tables.set("player_counts.csv", "4", "max_special_tiles_taken_per_round_per_player", 4)
    tables.refused(
        tables.folder / "player_counts.csv", f"row {row}", "'max_special_tiles_taken_per_round_per_player'", "'4'"
    )


@pytest.mark.parametrize("file", FILES)
def test_a_damaged_table_is_refused(tables, file):
    path = tables.folder / file
    lines = tables.lines(file)
    tables.write(file, [*lines[:2], lines[2][:-1], *lines[3:]])
    tables.refused(path, "row 3")
    tables.write(file, [*lines, lines[1]])
    tables.refused(path, f"row {len(lines) + 1}")
    tables.write(file, [line[1:] for line in lines])
    tables.refused(path, "row 1", lines[0][0], "missing")
    path.write_bytes(b"\xff\xfe")
    tables.refused(path)
    path.unlink()
    tables.refused(path, "no such table")


@pytest.mark.parametrize("key", ["special_tiles_total", "building_score_max", "auction_min_raise"])
def test_a_missing_constant_is_refused(tables, key):
    tables.write("constants.csv", [line for line in tables.lines("constants.csv") if line[0] != key])
    tables.refused(tables.folder / "constants.csv", repr(key), "missing")


@pytest.mark.rules("V-AUC-1")
def test_a_bag_that_is_too_small_for_the_auction_is_refused_with_it_and_not_without(tables):
    for colour in ("blue", "yellow", "green", "red", "black", "gray"):
        tables.set("vikings.csv", colour, "count", 12)
    tables.constant("vikings_per_colour", 12)
    tables.constant("vikings_total", 72)
    game = tables.game()
    assert game_with(("special_tiles",), game).tables[0]["viking_count"].sum() == 72
    with pytest.raises(TableError, match=r"vikings.csv.*78"):
        game_with(("auction",), game)
