"""Sections 3, 7 and 8: the homeland, laying tiles and placing vikings."""

from __future__ import annotations

import random

import pytest

from tests.vikings.positions import ROWS, Position, buying, default_game, final, home, placing, scoring

L, M, R = "left end", "middle", "right end"
COLOUR_OF_ROW = {"W": "black", "N": "red", "S": "green", "G": "yellow", "F": "blue"}
THREE_SHIPS = "ships 1:red 2:red 3:red\n"


def cells(board: str, tile: str, viking: str = "gray") -> set[str]:
    """Where ``tile`` may be laid on ``board``; empty if nowhere, since it is discarded then."""
    return placing(home(board), tile, viking).legal("CELL")


def first_purchase(tile: str, viking: str = "gray", *, players: int = 2) -> Position:
    """Seat 0 makes its first purchase of the game and has the start tile still aside."""
    return placing(home(start_tile_kept=True), tile, viking, players=players)


# --- 3. Geometry ----------------------------------------------------------------------------------


@pytest.mark.rules("V-GEO-1", "V-GEO-8", "V-TILE-2")
def test_neither_the_short_arm_nor_a_ship_gives_contact():
    board = "ships 1:red 2:green 3:blue\nF: L M M"
    assert cells(board, L) == {"W1", "N1", "S1", "G1", "G2", "G3"}
    assert cells(board, M) == {"F4", "G2", "G3"}
    assert cells(board, R) == {"F4", "G2", "G3"}


@pytest.mark.rules("V-GEO-2")
@pytest.mark.parametrize(("players", "columns"), [(2, 37), (3, 25), (4, 19)])
def test_a_row_may_run_as_far_as_the_tiles_reach(players, columns):
    # Every purchase an island in one row and the start tile: 36, 24 or 18 purchases and 1.
    row = "S: L" + " M" * (columns - 2)
    assert placing(home(row), R, players=players).do(f"CELL S{columns}").row(0, "S") == row[3:] + " R"


@pytest.mark.rules("V-GEO-3", "V-GEO-4", "V-VIK-1", "V-VIK-3")
@pytest.mark.parametrize("colour", ["blue", "yellow", "green", "red", "black", "gray"])
def test_each_colour_has_the_one_row_that_is_its_own(colour):
    board = "\n".join(f"{row}: L" for row in ROWS)
    asked = set()
    for row in ROWS:
        position = placing(home(board), M, colour).do(f"CELL {row}2")
        if position.phase == "VIKING":
            asked.add(row)
        else:
            assert position.pool(0) == {colour: 1}
    assert asked == {row for row, own in COLOUR_OF_ROW.items() if own == colour}


@pytest.mark.rules("V-GEO-3")
def test_rows_from_top_to_bottom():
    # The ship's reach counts rows downward: red reaches N, green S, yellow G, blue F.
    assert ROWS == "WNSGF"
    names = [default_game().action_name(2, action) for action in range(12, 17)]
    for name, word in zip(names, ("warriors", "nobles", "scouts", "goldsmiths", "fishermen"), strict=True):
        assert word in name
    # A tile in S2 touches N2 above and G2 below, and nothing else.
    assert cells("W: L R\nS: L M", R) == {"S3", "N2", "G2"}


@pytest.mark.rules("V-GEO-5", "V-TILE-5")
def test_the_coast_of_the_homeland_is_sea():
    board = "N: L"
    assert cells(board, L) == {"W1", "S1", "G1", "F1"}
    for tile in (M, R):
        assert cells(board, tile) == {"N2"}


@pytest.mark.rules("V-GEO-6", "V-TILE-3", "V-TILE-4")
@pytest.mark.parametrize(
    ("board", "allowed"),
    [
        # The cell asked about is S3. What lies on its left has an edge of land, land or sea; on its right likewise.
        ("S: L M\nN: L M R", {"M": True, "R": True, "L": False}),
        ("S: L\nN: L M R", {"M": True, "R": True, "L": True}),
        ("S: L R\nN: L M R", {"L": True, "M": False, "R": False}),
        ("S: L M . M\nN: L M R", {"L": False, "M": True, "R": False}),
        ("S: L M . R\nN: L M R", {"L": False, "M": True, "R": False}),
        ("S: L M . L\nN: L M R", {"L": False, "M": False, "R": True}),
        ("S: L R . M\nN: L M R", {"L": True, "M": False, "R": False}),
        ("S: L R . R\nN: L M R", {"L": True, "M": False, "R": False}),
        ("S: L R . L\nN: L M R", {"L": False, "M": False, "R": False}),
        ("S: L . . L\nN: L M R", {"L": False, "M": False, "R": True}),
        ("S: L . . M\nN: L M R", {"L": True, "M": True, "R": False}),
    ],
)
def test_edges_must_match_on_both_sides(board, allowed):
    for letter, tile in (("L", L), ("M", M), ("R", R)):
        assert ("S3" in cells(board, tile)) == allowed[letter], letter


@pytest.mark.rules("V-GEO-6")
@pytest.mark.parametrize("building", ["A", "B", "C", "D"])
def test_every_middle_has_land_on_both_sides(building):
    assert cells("S: L . M\nG: L M R", f"middle {building}") == {"S2", "S4", "N3", "F2", "F3"}


@pytest.mark.rules("V-GEO-7", "V-TILE-3")
@pytest.mark.parametrize("above", ["L", "M", "R"])
@pytest.mark.parametrize("tile", [L, M, R])
def test_upper_and_lower_edges_always_match(above, tile):
    # Column 3 of rows N and G: an island tile of any kind stands there, with nothing beside S3.
    board = {"L": "N: L R L", "M": "N: L M M", "R": "N: L M R"}[above]
    assert "S3" in cells(board, tile)
    assert "S3" in cells(board.replace("N:", "G:"), tile)


@pytest.mark.rules("V-GEO-7", "V-FINAL-5")
def test_no_island_spans_rows():
    # A left end above a right end, and a broken row: no completed island, so the other player's single one is the most.
    position = final(home("N: L . R\nS: L M R L", fame=20), home("N: L M\nS: . R", fame=20))
    assert [position.steps(seat)["islands"] for seat in (0, 1)] == [7, 0]


@pytest.mark.rules("V-GEO-8")
def test_ships_never_matter_for_islands():
    board = "W: L M\nN: L R\nG: L"
    for tile in (L, M, R):
        assert cells("ships 1:blue 2:red 3:green\n" + board, tile) == cells(board, tile)
    # A ship is not an island either.
    position = final(home("ships 1:red 2:red 3:red", fame=20), home(fame=20))
    assert position.steps(0)["islands"] == position.steps(0)["longest island"] == 0


# --- 7.1 Island tiles -----------------------------------------------------------------------------


@pytest.mark.rules("V-TILE-1")
@pytest.mark.parametrize("viking", ["blue", "yellow", "green", "red", "black", "gray"])
def test_any_row_is_allowed_whatever_the_viking(viking):
    board = "W: L\nN: L\nS: L\nG: L\nF: L"
    assert cells(board, R, viking) == {"W2", "N2", "S2", "G2", "F2"}
    position = placing(home(board), R, viking)
    # Now, not later: nothing else may be done, and an occupied cell may not be chosen.
    assert {name.split()[0] for name in position.legal()} == {"CELL"}


@pytest.mark.rules("V-TILE-2")
def test_corners_give_no_contact():
    # Cells beside S3 only by a corner: N2, N4, G2, G4.
    assert cells("S: . . M", M) == {"S2", "S4", "N3", "G3"}
    assert cells("S: . . M", L) == {"W1", "N1", "S1", "G1", "F1", "S2", "N3", "G3"}


@pytest.mark.rules("V-TILE-2", "V-GEO-1")
def test_rows_at_the_edges_have_no_neighbours_beyond():
    assert cells("W: . . M", M) == {"W2", "W4", "N3"}
    assert cells("F: . . M", M) == {"F2", "F4", "G3"}


LEFT_EDGE = {"L": "sea", "M": "land", "R": "land"}
RIGHT_EDGE = {"L": "land", "M": "land", "R": "sea"}


def fits(board: dict[tuple[int, int], str], piece: str, r: int, c: int) -> bool:
    """The edges of V-TILE-4, with rows from 0 and columns from 1; a cell that is taken fits nothing."""
    if (r, c) in board:
        return False
    left_neighbour_edge = "sea" if c == 1 else RIGHT_EDGE.get(board.get((r, c - 1)))
    right_neighbour_edge = LEFT_EDGE.get(board.get((r, c + 1)))
    return left_neighbour_edge in (None, LEFT_EDGE[piece]) and right_neighbour_edge in (None, RIGHT_EDGE[piece])


@pytest.mark.rules("V-TILE-4")
def test_the_formal_test_on_random_boards():
    chooser = random.Random(2)
    for _ in range(60):
        board: dict[tuple[int, int], str] = {}
        for _ in range(chooser.randrange(1, 20)):
            r, c, piece = chooser.randrange(5), chooser.randrange(1, 6), chooser.choice("LMR")
            if fits(board, piece, r, c):
                board[r, c] = piece
        if not board:
            continue
        text = "\n".join(
            f"{row}: " + " ".join(board.get((r, c), ".") for c in range(1, 6)) for r, row in enumerate(ROWS)
        )
        for piece, tile in (("L", L), ("M", M), ("R", R)):
            expected = {
                f"{ROWS[r]}{c}"
                for r in range(5)
                for c in range(1, 8)
                if (c == 1 or {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)} & set(board))
                and fits(board, piece, r, c)
            }
            assert cells(text, tile) == expected, text


@pytest.mark.rules("V-TILE-5")
def test_what_may_lie_on_the_right():
    for board, allowed in (("W: . L", {M, R}), ("W: L M", {M, R}), ("W: L R", {L})):
        assert {tile for tile in (L, M, R) if "W3" in cells(board, tile)} == allowed


@pytest.mark.rules("V-TILE-5", "V-TILE-6")
def test_columns_may_be_entered_from_above_or_below_and_gaps_filled_later():
    position = placing(home("N: L M M"), M).do("CELL S3")
    assert position.row(0, "S") == ". . M"
    # The gaps of S: a middle fits beside the middle, a left end too, and column 1 takes a left end.
    assert cells("N: L M M\nS: . . M", L) >= {"S1", "S2"}
    assert cells("N: L M M\nS: . . M", M) >= {"S2"}
    assert placing(home("N: L M M\nS: . . M"), L).do("CELL S2").row(0, "S") == ". L M"


@pytest.mark.rules("V-TILE-6")
def test_a_gap_between_two_seas_takes_no_tile():
    board = "N: . L M\nS: L R . L"
    for tile in (L, M, R):
        assert "N1" not in cells(board, tile)
        assert "S3" not in cells(board, tile)


@pytest.mark.rules("V-TILE-7", "V-VIK-3")
def test_a_tile_without_a_legal_cell_leaves_the_game_and_is_not_refunded():
    full = "W: L R\nN: L R\nS: L R\nG: L R\nF: L R"
    wheel = {3: (R, "red"), 6: (R, "red"), 8: (M, "red"), 9: (L, "gray")}
    position = buying(home(full, gold=7), home("W: L"), wheel=wheel)
    before = position.s["tiles_removed"].sum()
    for space, paid in ((6, 3), (8, 5)):
        after = position.then(f"BUY {space}")
        assert after.rows(0) == home_rows(full)
        assert after.gold(0) == 7 - paid
        assert after.pool(0) == {"red": 1}
        assert after.s["tiles_removed"].sum() == before + 1
        assert (after.phase, after.seat) == ("BUY", 1)
    # A left end has a cell, so it must be placed.
    assert position.then("BUY 9").legal() == {"CELL W3", "CELL N3", "CELL S3", "CELL G3", "CELL F3"}


def home_rows(text: str) -> dict[str, str]:
    return {line[0]: line[3:] for line in text.splitlines()}


@pytest.mark.rules("V-TILE-8", "V-VIK-5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_tiles_and_vikings_never_move(players):
    chooser = random.Random(players)
    position = Position(players, seed=players)
    while position.seat is not None:
        before = position.copy()
        position.do(chooser.choice(sorted(position.legal())))
        for name in ("tile", "viking", "ship"):
            was, now = before.s[name][:players], position.s[name][:players]
            assert (now[was > 0] == was[was > 0]).all(), name


# --- 7.2 The start tile ---------------------------------------------------------------------------


@pytest.mark.rules("V-TILE-9", "V-TILE-10")
@pytest.mark.parametrize("tile", [L, M, R, "blue ship"])
def test_the_start_tile_is_laid_with_the_first_purchase_whatever_it_is(tile):
    position = first_purchase(tile)
    assert position.legal() == {f"START_ROW {row}" for row in ROWS}
    assert position.s["start_tile_kept"][0] == 1
    for row in ROWS:
        after = position.then(f"START_ROW {row}")
        assert after.rows(0) == {row: "L"}
        assert after.s["start_tile_kept"][0] == 0
        assert after.s["tile"][0, ROWS.index(row), 0] - 1 == default_game().tables[0]["start_kind"]
    # Never again.
    assert placing(home("N: L"), tile).phase in ("CELL", "SHIP_COLUMN")


@pytest.mark.rules("V-TILE-9", "V-SETUP-2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_player_lays_one_start_tile_in_the_first_turn(players):
    chooser = random.Random(9)
    position = Position(players, seed=9)
    asked = []
    while position.seat is not None:
        if position.phase == "START_ROW":
            asked.append((position.seat, int(position.s["purchases"][position.seat])))
        position.do(chooser.choice(sorted(position.legal())))
    assert sorted(asked) == [(seat, 1) for seat in range(players)]


@pytest.mark.rules("V-TILE-11", "V-VIK-2")
@pytest.mark.parametrize("row", ROWS)
def test_the_first_viking_may_not_stand_on_the_start_tile(row):
    # The viking fits the start tile's row, the tile goes to another row or is a ship.
    colour = COLOUR_OF_ROW[row]
    ship = first_purchase("blue ship", colour).do(f"START_ROW {row}", "SHIP_COLUMN 1")
    assert (ship.row(0, row), ship.pool(0)) == ("L", {colour: 1})
    other = ROWS[(ROWS.index(row) + 1) % 5]
    tile = first_purchase(L, colour).do(f"START_ROW {row}", f"CELL {other}1")
    assert (tile.row(0, row), tile.pool(0)) == ("L", {colour: 1})
    assert tile.seat == 1


@pytest.mark.rules("V-TILE-11", "V-FERRY-8")
def test_a_boatsman_may_fill_the_start_tile():
    position = scoring(home("N: L\npool 1 red, 1 gray"), home())
    assert position.s["tile"][0, 1, 0] - 1 == default_game().tables[0]["start_kind"]
    assert position.do("CELL N1").row(0, "N") == "L*"


@pytest.mark.rules("V-TILE-12", "V-TILE-10")
@pytest.mark.parametrize(("tile", "layouts"), [(M, 5), (R, 5), (L, 20), ("red ship", 15)])
def test_layouts_after_the_first_purchase(tile, layouts):
    position = first_purchase(tile)
    found = []
    for row in ROWS:
        placed = position.then(f"START_ROW {row}")
        for name in placed.legal():
            end = placed.then(name)
            # The start tile has a back of its own, so it tells two left ends apart.
            found.append((end.s["tile"][0].tobytes(), end.s["ship"][0].tobytes()))
            if tile in (M, R):
                assert name == f"CELL {row}2"
            elif tile == L:
                assert name in {f"CELL {other}1" for other in ROWS if other != row}
    assert len(found) == len(set(found)) == layouts


# --- 7.3 Ships ------------------------------------------------------------------------------------


@pytest.mark.rules("V-SHIP-1", "V-SHIP-3", "V-SHIP-4")
@pytest.mark.parametrize("mode", ["adjacent", "any_of_first_three"])
def test_a_ship_goes_to_row_1_and_from_the_fourth_on_to_the_next_column(mode):
    position = placing(home(THREE_SHIPS + "W: L"), "blue ship", "red", mode=mode)
    # Laid already, without being asked.
    assert position.ships(0) == {1: "red", 2: "red", 3: "red", 4: "blue"}
    assert position.pool(0) == {"red": 1}
    assert position.rows(0) == {"W": "L"}
    assert position.seat == 1
    many = "ships " + " ".join(f"{column}:green" for column in range(1, 14))
    assert placing(home(many + "\nW: L"), "blue ship", mode=mode).ships(0)[14] == "blue"


@pytest.mark.rules("V-SHIP-2", "V-SHIP-4")
@pytest.mark.parametrize(
    ("ships", "adjacent", "any_of_first_three"),
    [
        ("", {"1", "2", "3"}, {"1", "2", "3"}),
        ("1:red", {"2"}, {"2", "3"}),
        ("2:red", {"1", "3"}, {"1", "3"}),
        ("3:red", {"2"}, {"1", "2"}),
        ("1:red 2:blue", {"3"}, {"3"}),
        ("2:red 3:blue", {"1"}, {"1"}),
    ],
)
def test_columns_of_the_first_three_ships(ships, adjacent, any_of_first_three):
    board = home((f"ships {ships}\n" if ships else "") + "W: L")
    assert placing(board, "blue ship").legal("SHIP_COLUMN") == adjacent
    assert placing(board, "blue ship", mode="any_of_first_three").legal("SHIP_COLUMN") == any_of_first_three


@pytest.mark.rules("V-SHIP-2", "V-SHIP-4")
def test_with_any_of_the_first_three_columns_the_third_ship_takes_the_free_one():
    board = home("ships 1:red 3:blue\nW: L")
    assert placing(board, "blue ship", mode="any_of_first_three").legal("SHIP_COLUMN") == {"2"}


@pytest.mark.rules("V-SHIP-2")
def test_adjacent_is_the_default_of_the_option():
    game = default_game()
    (option,) = [option for option in game.options if option.name == "ship_opening_mode"]
    assert (option.default, set(option.choices)) == ("adjacent", {"adjacent", "any_of_first_three"})
    assert (game.option_codes(2, {}) == game.option_codes(2, {"ship_opening_mode": "adjacent"})).all()
    with pytest.raises(ValueError, match=r"anywhere.*adjacent.*any_of_first_three"):
        game.option_codes(2, {"ship_opening_mode": "anywhere"})


@pytest.mark.rules("V-SHIP-5", "V-SHIP-1")
def test_ships_need_no_island_below():
    position = placing(home("F: L"), "blue ship", "gray").do("SHIP_COLUMN 3")
    assert position.ships(0) == {3: "blue"}
    assert position.rows(0) == {"F": "L"}


# --- 8. Placing vikings ---------------------------------------------------------------------------


@pytest.mark.rules("V-VIK-1")
def test_in_the_row_of_its_colour_the_viking_may_stand_on_the_tile_or_go_to_the_pool():
    position = placing(home("G: L M"), M, "yellow").do("CELL G3")
    assert position.legal() == {"VIKING_ON", "VIKING_POOL"}
    on, pool = position.then("VIKING_ON"), position.then("VIKING_POOL")
    assert (on.row(0, "G"), on.pool(0)) == ("L M M*", {})
    assert (pool.row(0, "G"), pool.pool(0)) == ("L M M", {"yellow": 1})
    assert on.seat == pool.seat == 1


@pytest.mark.rules("V-VIK-2")
def test_no_other_tile_may_receive_the_viking():
    # G1 is empty and of the right row, but the tile goes to N2: no choice at all.
    position = placing(home("N: L\nG: L"), M, "yellow").do("CELL N2")
    assert position.seat == 1
    assert (position.rows(0), position.pool(0)) == ({"N": "L M", "G": "L"}, {"yellow": 1})


@pytest.mark.rules("V-VIK-3")
def test_in_every_other_case_the_viking_goes_to_the_pool():
    boards = "N: L R\nG: L"
    for tile, viking, moves in (
        (M, "yellow", ["CELL G2", "VIKING_POOL"]),
        (M, "red", ["CELL G2"]),  # another row
        ("red ship", "yellow", ["SHIP_COLUMN 2"]),  # a ship
        (M, "gray", ["CELL G2"]),  # a boatsman
        (L, "blue", ["CELL N3"]),
    ):
        position = placing(home(boards), tile, viking).do(*moves)
        assert position.pool(0) == {viking: 1}
        assert not position.s["viking"].any()
        assert position.seat == 1
    # A discarded tile: see V-TILE-7; here a ship without a choice.
    assert placing(home(THREE_SHIPS + "W: L"), "red ship", "black").pool(0) == {"black": 1}


@pytest.mark.rules("V-VIK-4")
def test_one_viking_a_tile_of_the_row_s_colour_and_no_boatsmen():
    position = scoring(home("N: L* M\nS: L\npool 2 red, 1 green, 1 yellow, 2 gray"), home())
    # N1 is taken, G has no tile, and no cell would take a boatsman.
    assert position.legal() == {"CELL N2", "CELL S1", "DONE"}
    after = position.then("CELL N2")
    assert after.legal() == {"CELL S1", "END_TRIP"}
    assert after.row(0, "N") == "L* M*"
    assert after.pool(0) == {"red": 1, "green": 1, "yellow": 1, "gray": 1}


@pytest.mark.rules("V-VIK-6")
def test_the_pool_has_no_limit_and_is_left_by_trips_only():
    position = placing(home("W: L\npool 13 blue, 12 yellow, 5 green, 3 gray"), R, "gray").do("CELL W2")
    assert position.pool(0) == {"blue": 13, "yellow": 12, "green": 5, "gray": 4}
    chooser = random.Random(1)
    for players in (2, 3, 4):
        position = Position(players, seed=players)
        while position.seat is not None:
            before, phase = position.s["pool"].copy(), position.phase
            position.do(chooser.choice(sorted(position.legal())))
            if phase != "TRIP":
                assert (position.s["pool"] >= before).all()
