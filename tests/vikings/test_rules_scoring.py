"""Sections 9.1 to 9.4: threat, small and large scoring, and trips with boatsmen."""

from __future__ import annotations

import math

import pytest

from tests.vikings.positions import COLOURS, before_small_scoring, buying, final, home, loads, scoring

GRAY = COLOURS.index("gray")
EVERYBODY = "N: L*\nS: L*\nG: L*\nF: L*"


def large(board: str, *, round_number: int = 2, fame: int = 0, gold: int = 0) -> tuple[int, int]:
    """Fame and gold that ``board`` gains in a large scoring."""
    position = scoring(home(board, fame=fame, gold=gold), home(), round_number=round_number).do("DONE")
    return position.fame(0) - fame, position.gold(0) - gold


def small(board: str, *, round_number: int = 1) -> tuple[int, int]:
    """Fame and gold that ``board`` gains in a small scoring."""
    position = before_small_scoring(home(board), home("ships 1:red 2:red 3:red\nW: L"), round_number=round_number)
    position.do("BUY 11")
    return position.fame(0), position.gold(0)


def food(board: str) -> int:
    """Spare food of ``board``, or minus what is missing, from the final scoring: 2 fame for each spare, -1 missing."""
    fame = final(home(board), home()).steps(0)["feeding"]
    return fame // 2 if fame > 0 else fame


# --- 9.1 Threat -----------------------------------------------------------------------------------


def safe_rows(ship_column: int, colour: str) -> set[str]:
    """Rows whose viking in column 1 is safe from an unrepelled ship, each found by what it earns."""
    ship = f"ships {ship_column}:{colour}\n"
    # A fisherman who is safe gives 5 food and eats 1; one who is not only eats.
    earned = {
        "N": large(ship + "N: L*")[0] == 2,
        "S": large(ship + "S: L*")[0] == 1,
        "G": small(ship + "G: L*")[1] == 3,
        "F": food(ship + "F: L*") == 4,
    }
    return {row for row, safe in earned.items() if safe}


@pytest.mark.rules("V-THREAT-2", "V-THREAT-3")
@pytest.mark.parametrize(
    ("colour", "safe"),
    [("red", {"S", "G", "F"}), ("green", {"G", "F"}), ("yellow", {"F"}), ("blue", set())],
)
def test_an_unrepelled_ship_threatens_its_column_down_to_the_row_of_its_sail(colour, safe):
    assert safe_rows(1, colour) == safe
    # A ship in the next column does not matter.
    assert safe_rows(2, colour) == {"N", "S", "G", "F"}


@pytest.mark.rules("V-THREAT-1", "V-LARGE-4")
@pytest.mark.parametrize("colour", ["red", "green", "yellow", "blue"])
def test_a_warrior_straight_below_repels_a_ship_of_any_colour(colour):
    value = {"red": (0, 3), "green": (0, 5), "yellow": (2, 0), "blue": (3, 0)}[colour]
    # Noble 2, scout 1 + 1 + 1, goldsmith 3 gold: nobody is threatened.
    assert large(f"ships 1:{colour}\nW: L*\n{EVERYBODY}") == (5 + value[0], 3 + value[1])
    # A warrior in another column, or none on the tile, repels nothing.
    reach = {"red": (3, 3), "green": (0, 3), "yellow": (0, 0), "blue": (0, 0)}[colour]
    assert large(f"ships 1:{colour}\nW: L M*\n{EVERYBODY}") == reach
    assert large(f"ships 1:{colour}\nW: L\n{EVERYBODY}") == reach


@pytest.mark.rules("V-THREAT-4", "V-LARGE-3")
def test_threat_has_no_memory_and_removes_nobody():
    board = "ships 1:blue\nW: L\nN: L*\nG: L*\npool 1 black, 1 gray"
    position = scoring(home(board), home(), round_number=2)
    # Without the trip the noble and the goldsmith earn nothing, but they stay.
    without = position.then("DONE")
    assert (without.fame(0), without.gold(0)) == (0, 0)
    assert without.rows(0) == {"W": "L", "N": "L*", "G": "L*"}
    # At the next large scoring a warrior comes with a trip of that very scoring: ship, noble and goldsmith pay.
    later = scoring(home(board), home(), round_number=4).do("CELL W1", "END_TRIP", "DONE")
    assert (later.fame(0), later.gold(0)) == (5, 3)


@pytest.mark.rules("V-THREAT-5")
def test_a_threatened_viking_yields_nothing_but_eats():
    position = final(home(f"ships 1:blue\n{EVERYBODY}", fame=20), home(fame=20))
    assert position.steps(0)["feeding"] == -4
    assert large(f"ships 1:blue\n{EVERYBODY}") == (0, 0)


# --- 9.2 Small scoring ----------------------------------------------------------------------------


@pytest.mark.rules("V-SMALL-1")
@pytest.mark.parametrize("round_number", [1, 3, 5])
def test_a_small_scoring_is_about_goldsmiths_on_islands_only(round_number):
    board = "ships 1:green 2:blue\nW: L* M*\nN: L* M*\nS: L* M*\nF: L* M* M*\nG: L\npool 3 yellow, 2 gray"
    assert small(board, round_number=round_number) == (0, 0)


@pytest.mark.rules("V-SMALL-1")
def test_a_small_scoring_has_no_trips():
    position = before_small_scoring(home("G: L\npool 1 yellow, 1 gray"), home("ships 1:red 2:red 3:red\nW: L"))
    position.do("BUY 11")
    assert position.phase == "BUY"
    assert position.pool(0) == {"yellow": 1, "gray": 1}


@pytest.mark.rules("V-SMALL-2")
@pytest.mark.parametrize(
    ("board", "gold"),
    [
        ("G: L*", 3),
        ("G: L* M* R* L*", 12),
        ("G: L M* M", 3),  # islands need not be complete
        ("ships 1:yellow 2:blue 3:green\nG: L* M* M* M", 3),  # green does not reach the goldsmiths
        ("ships 1:yellow\nW: L*\nG: L* M*", 6),
        ("ships 1:yellow\nW: L\nG: L* M*", 3),
    ],
)
def test_three_gold_for_each_safe_goldsmith(board, gold):
    assert small(board) == (0, gold)


# --- 9.3 Large scoring ----------------------------------------------------------------------------


@pytest.mark.rules("V-LARGE-1", "V-LARGE-2")
@pytest.mark.parametrize("start_player", [0, 1, 2, 3])
def test_players_score_completely_one_after_another_from_the_start_player(start_player):
    board = home("N: L* M\npool 1 red, 1 gray")
    position = scoring(*[board] * 4, seat=start_player, start_player=start_player)
    for k in range(4):
        seat = (start_player + k) % 4
        assert position.seat == seat
        position.do("CELL N2")
        assert position.seat == seat
        position.do("END_TRIP", "DONE")
        scored = {(start_player + j) % 4 for j in range(k + 1)}
        assert {s for s in range(4) if position.fame(s) == 4} == scored
        assert {s for s in range(4) if position.fame(s) == 0} == set(range(4)) - scored
        assert {s for s in range(4) if position.row(s, "N") == "L* M*"} == scored
    assert position.phase == "BUY"


@pytest.mark.rules("V-LARGE-4")
@pytest.mark.parametrize("round_number", [2, 4, 6])
def test_repelled_ships_pay_at_every_large_scoring(round_number):
    board = "ships 1:red 2:green 3:yellow 4:blue 5:blue\nW: L* M* M* M* M M*"
    # Columns 1 to 4 repelled; 5 is not and costs nothing yet; the warrior of column 6 has no ship.
    assert large(board, round_number=round_number) == (5, 8)
    assert large("W: L* M*", round_number=round_number) == (0, 0)
    assert large("ships 1:blue 2:red", round_number=round_number) == (0, 0)


@pytest.mark.rules("V-LARGE-4")
def test_a_ship_pays_again_in_the_same_game():
    position = scoring(home("ships 1:green\nW: L*"), home(), round_number=2).do("DONE")
    assert position.gold(0) == 5
    again = scoring(home("ships 1:green\nW: L*", gold=5), home(), round_number=4).do("DONE")
    assert again.gold(0) == 10


@pytest.mark.rules("V-LARGE-5")
@pytest.mark.parametrize(
    ("board", "fame"),
    [
        ("N: L*", 2),
        ("N: L* M* M R*", 6),
        ("N: L M\npool 3 red", 0),
        ("ships 1:red 2:blue\nN: L* M* M*", 2),
        ("ships 1:red\nW: L*\nN: L* M*", 4),
    ],
)
def test_two_fame_for_each_safe_noble_on_an_island(board, fame):
    assert large(board)[0] == fame


@pytest.mark.rules("V-LARGE-6")
@pytest.mark.parametrize(
    ("board", "fame"),
    [
        ("S: L*", 1),
        ("S: L*\nG: L*", 2),
        ("S: L*\nF: L*", 2),
        ("S: L*\nG: L*\nF: L*", 3),
        ("S: L*\nG: L\nF: L", 1),
        ("S: L*\nG: L M*\nF: L M*", 1),  # another column
        ("S: L* M*\nG: L* M*\nF: L M*", 5),
        ("S: L\nG: L*\nF: L*\npool 1 green", 0),
        ("ships 1:green\nS: L*\nG: L*\nF: L*", 0),  # a threatened scout gives none
        ("ships 1:red\nS: L*\nG: L*\nF: L*", 3),
    ],
)
def test_scouts_count_themselves_and_the_goldsmith_and_fisherman_below(board, fame):
    assert large(board)[0] == fame


@pytest.mark.rules("V-LARGE-7")
@pytest.mark.parametrize(
    ("board", "gold"),
    [
        ("G: L* M* M", 6),
        ("ships 1:green\nS: L*\nG: L*", 3),  # under a threatened scout, itself out of reach
        ("ships 1:yellow 2:blue\nG: L* M* M*", 3),
        ("G: L\npool 2 yellow", 0),
    ],
)
def test_three_gold_for_each_safe_goldsmith_in_a_large_scoring(board, gold):
    assert large(board) == (0, gold)


@pytest.mark.rules("V-LARGE-8")
@pytest.mark.parametrize("round_number", [2, 4, 6])
def test_fishermen_score_nothing_but_raise_a_scout(round_number):
    assert large("F: L* M* R*", round_number=round_number) == (0, 0)
    assert large("S: L*\nF: L* M* R*", round_number=round_number) == (2, 0)


# --- 9.4 Trips ------------------------------------------------------------------------------------


@pytest.mark.rules("V-FERRY-1")
def test_each_trip_costs_a_boatsman_who_leaves_the_game():
    position = scoring(home("N: L M M\nS: L\npool 2 red, 1 green, 2 gray"), home())
    for number, cell in ((1, "N1"), (2, "N3")):
        position.do(f"CELL {cell}")
        assert position.pool(0).get("gray", 0) == 2 - number
        assert position.s["vikings_removed"][GRAY] == number
        position.do("END_TRIP")
    # No boatsman is left, so there are no more trips, though N2 and S1 are empty.
    assert position.legal() == {"DONE"}
    position.do("DONE")
    assert position.fame(0) == 4
    assert position.pool(0) == {"green": 1}


@pytest.mark.rules("V-FERRY-1")
def test_without_a_boatsman_there_is_no_trip():
    for round_number in (2, 4, 6):
        assert scoring(home("N: L\npool 1 red"), home(), round_number=round_number).legal() == {"DONE"}


@pytest.mark.rules("V-FERRY-2")
def test_trips_go_from_the_pool_to_empty_tiles_of_the_own_row():
    board = "W: L M*\nN: L* R\nS: . . L\nG: L\nF: L*\npool 1 black, 2 red, 1 green, 1 blue, 1 gray"
    position = scoring(home(board), home())
    # G has no waiting goldsmith, F no empty tile; N1 and W2 are taken; S1 and S2 hold no tile.
    assert position.legal() == {"CELL W1", "CELL N2", "CELL S3", "DONE"}
    after = position.then("CELL N2")
    assert after.pool(0) == {"black": 1, "red": 1, "green": 1, "blue": 1}
    assert after.rows(0) == {"W": "L M*", "N": "L* R*", "S": ". . L", "G": "L", "F": "L*"}


@pytest.mark.rules("V-FERRY-2")
def test_boatsmen_do_not_carry_boatsmen():
    assert scoring(home("W: L\nN: L\nS: L\nG: L\nF: L\npool 5 gray"), home()).legal() == {"DONE"}


@pytest.mark.rules("V-FERRY-3", "V-FERRY-4")
def test_the_second_move_decides_between_one_colour_and_several():
    position = scoring(home("N: L M M\nS: L M\nG: L\npool 3 red, 2 green, 1 yellow, 1 gray"), home())
    one = position.then("CELL N1", "CELL N2")
    assert one.legal() == {"CELL N3", "END_TRIP"}
    several = position.then("CELL N1", "CELL S2")
    assert several.legal() == {"CELL G1", "END_TRIP"}
    full = several.then("CELL G1")
    assert full.legal() == {"END_TRIP"}


@pytest.mark.rules("V-FERRY-3", "V-FERRY-4")
@pytest.mark.parametrize("pool", [1, 2, 3, 4])
def test_loads_are_any_number_of_one_colour_or_one_each_of_several(pool):
    # Four empty tiles in N, two in S, one in G; as many nobles as ``pool``, two scouts and one goldsmith.
    board = f"N: L M M M\nS: L M\nG: L\npool {pool} red, 2 green, 1 yellow, 1 gray"
    found = loads(scoring(home(board), home()))
    nobles = sum(math.comb(4, k) for k in range(1, pool + 1))
    scouts = 2 + 1
    goldsmiths = 1
    pairs = 4 * 2 + 4 * 1 + 2 * 1
    triples = 4 * 2 * 1
    assert len(set(found)) == nobles + scouts + goldsmiths + pairs + triples
    for load in set(found):
        rows = [cell[0] for cell in load]
        assert len(set(rows)) in (1, len(rows))
        # A load of one colour is reached in one order only.
        if len(set(rows)) == 1:
            assert found.count(load) == 1
    # Never more of a colour than wait.
    assert max(sum(cell[0] == "N" for cell in load) for load in found) == pool


@pytest.mark.rules("V-FERRY-4")
def test_a_trip_moves_at_least_one_viking_and_may_move_fewer_than_it_could():
    position = scoring(home("N: L M\npool 2 red, 1 gray"), home())
    assert "END_TRIP" not in position.legal()
    assert position.then("CELL N1").legal() == {"CELL N2", "END_TRIP"}
    after = position.then("CELL N1", "END_TRIP", "DONE")
    assert (after.row(0, "N"), after.pool(0), after.fame(0)) == ("L* M", {"red": 1}, 2)


@pytest.mark.rules("V-FERRY-5")
def test_threatened_tiles_may_be_filled():
    position = scoring(home("ships 1:blue\nN: L M\npool 1 red, 1 gray"), home())
    assert position.legal() == {"CELL N1", "CELL N2", "DONE"}
    assert position.then("CELL N1", "END_TRIP", "DONE").fame(0) == 0
    assert position.then("CELL N2", "END_TRIP", "DONE").fame(0) == 2


@pytest.mark.rules("V-FERRY-6")
@pytest.mark.parametrize("round_number", [2, 4])
def test_in_rounds_2_and_4_any_number_of_boatsmen_may_be_used(round_number):
    position = scoring(home("N: L M M\npool 3 red, 3 gray"), home(), round_number=round_number)
    for used, cell in enumerate(["N1", "N2", "N3"]):
        assert "DONE" in position.legal()
        done = position.then("DONE")
        assert done.pool(0) == {colour: 3 - used for colour in ("red", "gray")}
        assert done.fame(0) == 2 * used
        position.do(f"CELL {cell}")
        # Within a trip there is no DONE.
        assert "DONE" not in position.legal()
        position.do("END_TRIP")
    assert position.legal() == {"DONE"}


@pytest.mark.rules("V-FERRY-7")
def test_in_round_6_trips_go_on_while_one_is_possible():
    position = scoring(home("N: L M M\nS: L*\npool 2 red, 1 green, 4 gray"), home(), round_number=6)
    assert position.legal() == {"CELL N1", "CELL N2", "CELL N3"}
    # A partial trip is allowed; then the other noble must follow with another boatsman.
    position.do("CELL N2")
    # Within a colour the engine asks for ascending columns.
    assert position.legal() == {"CELL N3", "END_TRIP"}
    position.do("END_TRIP")
    assert position.legal() == {"CELL N1", "CELL N3"}
    position.do("CELL N1")
    assert position.legal() == {"END_TRIP"}
    position.do("END_TRIP")
    # The scout waits for a tile in vain, so she stops with two boatsmen.
    assert position.legal() == {"DONE"}
    assert position.pool(0) == {"green": 1, "gray": 2}


@pytest.mark.rules("V-FERRY-7")
def test_the_duty_of_round_6_ends_with_the_boatsmen():
    position = scoring(home("N: L M\npool 2 red, 1 gray"), home(), round_number=6).do("CELL N1", "END_TRIP")
    assert position.legal() == {"DONE"}


@pytest.mark.rules("V-FERRY-8")
def test_a_tile_takes_a_viking_whatever_it_was_bought_with():
    # The middle comes with a boatsman; a goldsmith from the pool may still be carried there.
    wheel = {8: ("middle", "gray"), 9: ("middle", "yellow")}
    position = buying(home("G: L*\nW: L M\npool 1 yellow"), home("W: L M"), wheel=wheel)
    position.do("BUY 8", "CELL G2")
    assert position.pool(0) == {"yellow": 1, "gray": 1}
    position.do("BUY 9", "CELL W3")
    assert (position.phase, position.seat) == ("TRIP", 0)
    assert position.do("CELL G2").row(0, "G") == "L* M*"
