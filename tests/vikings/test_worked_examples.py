"""The worked examples of section 16 that concern the basic game, value for value."""

from __future__ import annotations

import pytest

from tests.vikings.positions import Home, Position, before_small_scoring, buying, final, home, loads, placing, scoring

THREE_SHIPS = home("ships 1:red 2:red 3:red\nW: L", gold=20, fame=10)

EX_1_TILES = [
    "middle",
    "right end",
    "blue ship",
    "left end",
    "red ship",
    "right end",
    "left end",
    "middle",
    "green ship",
    "right end",
    "middle",
    "left end",
]
# 2 blue, 3 yellow, 2 red, 3 black, 2 gray, drawn in some order.
EX_1_VIKINGS = ["black", "gray", "yellow", "blue", "red", "yellow", "black", "gray", "black", "yellow", "blue", "red"]


def ex_1(gold: int = 20, fame: int = 10) -> Position:
    """Round 2 with the offer of EX-1; seat 1 is start player. Both have laid their start tiles."""
    before = before_small_scoring(home("W: L\nS: L\nG: L", gold=50, fame=10), THREE_SHIPS)
    before.set_chance(2, EX_1_TILES, EX_1_VIKINGS)
    position = before.do("BUY 11")
    position.s["gold"][1], position.s["fame"][1] = gold, fame
    return position


@pytest.mark.rules("V-OFFER-2", "V-OFFER-3", "V-OFFER-4")
def test_ex_1_offer():
    wheel = ex_1().wheel()
    letters = {"left end": "L", "right end": "R"}
    islands = [letters.get(wheel[space][0], "M") for space in range(9)]
    assert islands == ["M", "R", "L", "R", "L", "M", "R", "M", "L"]
    assert [wheel[space][0] for space in (11, 10, 9)] == ["blue ship", "red ship", "green ship"]
    vikings = [wheel[space][1] for space in range(12)]
    assert vikings[0:2] == ["blue"] * 2
    assert vikings[2:5] == ["yellow"] * 3
    assert vikings[5:7] == ["red"] * 2
    assert vikings[7:10] == ["black"] * 3
    assert vikings[10:12] == ["gray"] * 2
    assert wheel[11] == ("blue ship", "gray")
    assert wheel[9] == ("green ship", "black")


@pytest.mark.rules("V-WHEEL-1", "V-WHEEL-2", "V-BUY-5")
def test_ex_2_repricing():
    position = ex_1()
    for space, price, cell in ((1, 1, "W2"), (3, 3, "W2")):
        seat = position.seat
        gold = position.gold(seat)
        position.do(f"BUY {space}", f"CELL {cell}")
        assert gold - position.gold(seat) == price
    # The set on 0 has the last blue, so it may be taken for nothing.
    seat = position.seat
    gold = position.gold(seat)
    assert "BUY 0" in position.legal()
    position.do("BUY 0")
    assert position.gold(seat) == gold
    assert position.s["zero_space"] == 2
    position.do("CELL N2")
    buyer = position.seat
    position.s["gold"][buyer] = 100
    prices = {int(space): 100 - position.then(f"BUY {space}").gold(buyer) for space in position.legal("BUY")}
    # Space 2 is a yellow set with two other yellows left: at 0, and not for one who has gold.
    assert prices == {4: 2, 5: 3, 6: 4, 7: 5, 8: 6, 9: 7, 10: 8, 11: 9}
    position.s["gold"][buyer] = 1
    assert position.then("BUY 2").gold(buyer) == 1


@pytest.mark.rules("V-BUY-4", "V-BUY-5")
def test_ex_3_opening_mask():
    position = ex_1(gold=20, fame=10)
    assert position.legal() == {f"BUY {space}" for space in range(1, 12)}
    assert len(position.legal()) == 11


@pytest.mark.rules("V-BUY-4", "V-BUY-5", "V-BUY-7")
def test_ex_4_nearly_broke():
    wheel = {3: ("red ship", "yellow"), 5: ("red ship", "yellow"), 8: ("red ship", "black"), 11: ("red ship", "gray")}

    def position(gold: int) -> Position:
        board = home("ships 1:red 2:red 3:red\nW: L", gold=gold, fame=4)
        return buying(board, home("W: L"), wheel=wheel)

    poor = position(1)
    assert poor.legal("BUY") == {"3", "5", "8"}
    five, eight = poor.then("BUY 5"), poor.then("BUY 8")
    assert (five.gold(0), five.fame(0)) == (0, 3)
    assert (eight.gold(0), eight.fame(0)) == (0, 0)
    assert position(2).legal("BUY") == {"5", "8"}


@pytest.mark.rules("V-TILE-9", "V-TILE-10", "V-TILE-11", "V-TILE-12", "V-VIK-1", "V-VIK-2")
def test_ex_5_first_purchase():
    position = placing(home(start_tile_kept=True), "middle", "red")
    assert position.legal() == {"START_ROW W", "START_ROW N", "START_ROW S", "START_ROW G", "START_ROW F"}
    for row in "WNSGF":
        started = position.then(f"START_ROW {row}")
        assert started.legal() == {f"CELL {row}2"}
        placed = started.then(f"CELL {row}2")
        if row == "N":
            assert placed.legal() == {"VIKING_ON", "VIKING_POOL"}
            assert placed.then("VIKING_ON").row(0, "N") == "L M*"
            assert placed.then("VIKING_POOL").pool(0) == {"red": 1}
        else:
            assert placed.seat == 1
            assert placed.rows(0) == {row: "L M"}
            assert placed.pool(0) == {"red": 1}


@pytest.mark.rules("V-TILE-2", "V-TILE-3", "V-TILE-4", "V-TILE-5", "V-TILE-6")
def test_ex_6_legal_cells():
    board = "S: L R\nG: L M"

    def cells(tile: str, board: str = board) -> set[str]:
        return placing(home(board), tile).legal("CELL")

    assert cells("left end") == {"W1", "N1", "F1", "S3", "N2", "F2"}
    assert cells("middle") == {"G3", "N2", "F2"}
    assert cells("right end") == {"G3", "N2", "F2"}
    # A left end on N2 makes N1 unfillable.
    for tile in ("left end", "middle", "right end"):
        assert "N1" not in cells(tile, board + "\nN: . L")


@pytest.mark.rules("V-TILE-7", "V-VIK-3")
def test_ex_7_discard():
    full = "W: L R\nN: L R\nS: L R\nG: L R\nF: L R"
    wheel = {4: ("left end", "yellow"), 6: ("right end", "yellow"), 9: ("middle", "yellow"), 11: ("left end", "gray")}
    position = buying(home(full, gold=9), home("W: L"), wheel=wheel)
    discarded = position.then("BUY 6")
    assert discarded.rows(0) == position.rows(0)
    assert discarded.pool(0) == {"yellow": 1}
    assert discarded.gold(0) == 7
    assert discarded.seat == 1
    assert discarded.s["tiles_removed"].sum() == position.s["tiles_removed"].sum() + 1
    assert position.then("BUY 9").pool(0) == {"yellow": 1}
    assert position.then("BUY 9").rows(0) == position.rows(0)
    assert position.then("BUY 11").legal("CELL") == {"W3", "N3", "S3", "G3", "F3"}


@pytest.mark.rules("V-SMALL-1", "V-SMALL-2", "V-THREAT-1", "V-THREAT-2")
@pytest.mark.parametrize(("warriors", "gold"), [("", 6), ("\nW: L M M*", 9)])
def test_ex_8_small_scoring(warriors, gold):
    board = home("ships 2:green 3:yellow\nG: L* M* R*" + warriors)
    position = before_small_scoring(board, THREE_SHIPS).do("BUY 11")
    assert (position.gold(0), position.fame(0)) == (gold, 0)


EX_9 = """
ships 1:green 2:red 3:blue 4:yellow
W: L* M  M* R
N: L* M* M  R*
S: L* M* M  R*
G: L* M* M* R
F: L  M* M  R*
"""


@pytest.mark.rules(
    "V-LARGE-4", "V-LARGE-5", "V-LARGE-6", "V-LARGE-7", "V-LARGE-8", "V-THREAT-1", "V-THREAT-2", "V-THREAT-5"
)
def test_ex_9_large_scoring():
    position = scoring(home(EX_9), home()).do("DONE")
    assert (position.fame(0), position.gold(0)) == (10, 14)


@pytest.mark.rules("V-SMALL-2")
def test_ex_9_board_in_a_small_scoring():
    position = before_small_scoring(home(EX_9), THREE_SHIPS).do("BUY 11")
    assert (position.fame(0), position.gold(0)) == (0, 9)


def ex_10(round_number: int) -> Position:
    board = "S: L\nG: L* M* M\nF: L* M R* M\npool 3 blue, 1 yellow, 2 green, 1 gray"
    return scoring(home(board), home(), round_number=round_number)


@pytest.mark.rules("V-FERRY-3", "V-FERRY-4")
def test_ex_10_loads_of_one_boatsman():
    expected = {
        frozenset(load.split())
        for load in (
            "F2",
            "F4",
            "F2 F4",
            "G3",
            "S1",
            "F2 G3",
            "F4 G3",
            "F2 S1",
            "F4 S1",
            "G3 S1",
            "F2 G3 S1",
            "F4 G3 S1",
        )
    }
    assert len(expected) == 12
    assert set(loads(ex_10(2))) == expected
    assert frozenset({"F2", "F4", "G3"}) not in loads(ex_10(2))
    # Not sailing: rounds 2 and 4.
    assert ["DONE" in ex_10(round_number).legal() for round_number in (2, 4, 6)] == [True, True, False]


@pytest.mark.rules("V-FERRY-7", "V-FINAL-4", "V-FINAL-8")
def test_ex_11_round_6_duty():
    board = home("N: L* M* R\npool 2 red, 1 blue, 3 gray", fame=20)
    position = scoring(home("pool 1 gray", fame=20), board, round_number=6, seat=1)
    assert position.legal() == {"CELL N3"}
    position.do("CELL N3")
    assert position.legal() == {"END_TRIP"}
    position.do("END_TRIP")
    assert position.legal() == {"DONE"}
    assert position.pool(1) == {"red": 1, "blue": 1, "gray": 2}
    position.do("DONE")
    # Two boatsmen against one; three nobles on islands and four in the pool must be fed.
    assert position.steps(1)["boatsmen"] == 10
    assert position.steps(1)["feeding"] == -7


@pytest.mark.rules("V-FINAL-8")
@pytest.mark.parametrize(
    ("warriors", "nobles", "fame"), [("W: L", "N: L* M* M* M* M*", -4), ("W: L*", "N: L* M* M* M* M", 2)]
)
def test_ex_12_feeding(warriors, nobles, fame):
    # 4 fishermen, 5 scouts and 5 nobles, or 4 nobles and a warrior: 14. One fisherman is under the blue ship.
    board = f"ships 1:blue\n{warriors}\n{nobles}\nS: L* M* M* M* M*\nF: L* M* M* M*\npool 3 yellow, 2 gray"
    position = final(home(board, fame=50), home())
    assert int(position.s["viking"][0].sum()) == 14
    assert position.steps(0)["feeding"] == fame


EX_13 = """
W: L M . R
N: L R L R
S: L M M M R
G: . M R L M R
F: L M M
"""


@pytest.mark.rules("V-FINAL-5", "V-FINAL-6")
@pytest.mark.parametrize(
    ("rival", "islands", "longest"),
    [
        ("W: L R L R L R\nN: L M M R", [7, 7], None),
        ("W: L R L R L R", [7, 0], None),
        ("W: L R L R L R L R", [7, 7], None),
        ("W: L R L R L R L R\nN: L R", [0, 7], None),
        ("W: L M M R", None, [5, 0]),
        ("W: L M M M R", None, [5, 5]),
        ("W: L M M M M R", None, [0, 5]),
    ],
)
def test_ex_13_islands(rival, islands, longest):
    # 4 completed islands, longest 5: told from what rivals with a known count get.
    position = final(home(EX_13), home(rival))
    if islands is not None:
        assert [position.steps(seat)["islands"] for seat in (0, 1)] == islands
    if longest is not None:
        assert [position.steps(seat)["longest island"] for seat in (0, 1)] == longest


EX_14_A = """
ships 1:blue 2:green 3:green
W: L* R
N: L* M* R
S: L* M* R*
G: L* M* M R
F: L* M* R*
pool 1 green, 2 gray
"""
EX_14_B = """
ships 1:green 2:blue
W: L  R*
N: L* M* M* M R
S: L* M*
G: L* M* M*
F: L* M* M*
pool 1 green, 1 yellow, 1 gray
"""
EX_14_C = """
ships 1:green 2:red 3:blue
W: L  M* R
N: L  M*
S: L* M* M M* R
G: L* R*
F: L* M* M* R*
pool 2 yellow, 2 gray
"""


@pytest.mark.rules(
    "V-FINAL-1",
    "V-FINAL-2",
    "V-FINAL-3",
    "V-FINAL-4",
    "V-FINAL-5",
    "V-FINAL-6",
    "V-FINAL-7",
    "V-FINAL-8",
    "V-FERRY-7",
    "V-END-1",
)
def test_ex_14_whole_final_scoring():
    # C is the last to score in round 6. There she gains the red ship 3 gold, N2 2 fame, S2 1 + 1 + 1, S4 1 + 1 (S1 is
    # under the green ship), G1 and G2 6 gold: 7 fame and 9 gold, to the 44 and 11 of the example.
    homes: list[Home] = [
        home(EX_14_A, fame=41, gold=4),
        home(EX_14_B, fame=38, gold=17),
        home(EX_14_C, fame=44 - 7, gold=11 - 9),
    ]
    position = scoring(*homes, round_number=6, seat=2)
    assert position.legal() == {"DONE"}
    position.do("DONE")
    assert position.seat is None
    assert position.steps(0) == {
        "ships": -6,
        "gold": 0,
        "boatsmen": 10,
        "islands": 7,
        "longest island": 0,
        "feeding": 2,
    }
    assert position.steps(1) == {"ships": 0, "gold": 2, "boatsmen": 0, "islands": 0, "longest island": 5, "feeding": 0}
    assert position.steps(2) == {
        "ships": -3,
        "gold": 1,
        "boatsmen": 10,
        "islands": 0,
        "longest island": 5,
        "feeding": 0,
    }
    assert [position.gold(seat) for seat in range(3)] == [0, 2, 1]
    assert position.scores() == [54, 45, 57]
    assert position.ranks() == [2, 3, 1]


@pytest.mark.rules("V-FERRY-7")
@pytest.mark.parametrize("board", [EX_14_A, EX_14_B, EX_14_C])
def test_ex_14_nobody_could_sail(board):
    assert scoring(home(board), home(), round_number=6).legal() == {"DONE"}


@pytest.mark.rules("V-END-2")
@pytest.mark.parametrize(("gold", "ranks"), [((3, 1), [1, 2]), ((3, 3), [1, 1])])
def test_ex_15_tie(gold, ranks):
    position = final(home(fame=61, gold=gold[0]), home(fame=61, gold=gold[1]))
    assert position.scores() == [61, 61]
    assert position.ranks() == ranks


@pytest.mark.rules("V-SHIP-2", "V-SHIP-3", "V-SHIP-4")
def test_ex_20_ships():
    def columns(ships: str, mode: str = "adjacent") -> set[str]:
        board = home((f"ships {ships}\n" if ships else "") + "W: L")
        return placing(board, "blue ship", mode=mode).legal("SHIP_COLUMN")

    assert columns("") == {"1", "2", "3"}
    assert columns("3:red") == {"2"}
    assert columns("3:red 2:red") == {"1"}
    fourth = placing(home("ships 1:red 2:red 3:red\nW: L"), "blue ship")
    assert fourth.ships(0)[4] == "blue"
    assert columns("2:red") == {"1", "3"}
    assert columns("3:red", "any_of_first_three") == {"1", "2"}
