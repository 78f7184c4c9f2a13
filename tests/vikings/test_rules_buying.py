"""Section 6: buying a set and turning the wheel."""

from __future__ import annotations

import random

import pytest

from tests.vikings.positions import ROWS, Position, buying, default_game, home, scoring

L, M, R = "left end", "middle", "right end"


def buyer(gold: int, fame: int, wheel: dict, **others) -> Position:
    """Seat 0 with one start tile and so much money, before ``wheel``."""
    return buying(home("W: L", gold=gold, fame=fame), home("W: L", gold=50), wheel=wheel, **others)


def plain(*spaces: int, colour: str = "gray") -> dict[int, tuple[str, str]]:
    """Right ends with vikings of one colour on these spaces."""
    return {space: (R, colour) for space in spaces}


# --- who buys, and how often ----------------------------------------------------------------------


@pytest.mark.rules("V-BUY-1")
def test_each_turn_is_one_purchase_and_nobody_passes():
    for players in (2, 3, 4):
        position = Position(players, start_seat=1)
        for turn in range(12):
            assert position.seat == (1 + turn) % players
            assert position.phase == "BUY"
            assert position.legal()
            # Nothing but sets may be chosen, so no pass.
            assert {name.split()[0] for name in position.legal()} == {"BUY"}
            position.do(min(position.legal()))
            while position.phase not in ("BUY", "TRIP"):
                assert position.seat == (1 + turn) % players
                position.do(min(position.legal()))
            sold = turn + 1
            if sold < 12:
                assert len(position.wheel()) == 12 - sold


@pytest.mark.rules("V-BUY-2", "V-INV-3")
@pytest.mark.parametrize(("players", "each"), [(2, 6), (3, 4), (4, 3)])
def test_twelve_sets_divide_evenly_and_the_last_goes_to_the_right_of_the_start_player(players, each):
    chooser = random.Random(players)
    position = Position(players, seed=8, start_seat=players - 1)
    last_buyer = None
    while position.seat is not None:
        if position.phase == "BUY":
            round_number, start, last_buyer = (
                int(position.s["round_number"]),
                int(position.s["start_player"]),
                position.seat,
            )
        position.do(chooser.choice(sorted(position.legal())))
        if len(position.wheel()) in (0, 12) and position.s["round_number"] != round_number:
            assert position.s["purchases"][:players].tolist() == [each * round_number] * players
            assert last_buyer == (start - 1) % players
    assert position.s["purchases"][:players].tolist() == [each * 6] * players
    assert 6 * each == {2: 36, 3: 24, 4: 18}[players]


# --- prices and payment ---------------------------------------------------------------------------


@pytest.mark.rules("V-BUY-3")
@pytest.mark.parametrize("space", [6, 7, 11])
def test_the_price_is_the_distance_from_the_zero_space(space):
    position = buyer(20, 10, plain(4, 6, 7, 11)).do(f"BUY {space}")
    assert position.gold(0) == 20 - (space - 4)
    assert position.fame(0) == 10
    assert position.gold(1) == 50


@pytest.mark.rules("V-BUY-4")
@pytest.mark.parametrize(
    ("gold", "fame", "spaces"),
    [
        (5, 0, {"3", "7"}),
        (4, 0, {"3"}),
        (4, 1, {"3", "7"}),
        (3, 8, {"3", "7", "11"}),
        (3, 5, {"3", "7"}),
        (0, 9, {"2", "3", "7", "11"}),
    ],
)
def test_a_set_may_be_bought_with_gold_and_fame_together(gold, fame, spaces):
    # Prices 0, 1, 5, 9; all gray, so the zero set needs gold below 1.
    assert buyer(gold, fame, plain(2, 3, 7, 11)).legal("BUY") == spaces


@pytest.mark.rules("V-BUY-5")
def test_the_zero_set_is_open_when_it_is_the_last_of_its_colour():
    last = plain(4, colour="red") | plain(6, 7, 11)
    assert "4" in buyer(50, 10, last).legal("BUY")
    # Any other space with the colour closes it, wherever it lies.
    for space in (6, 7, 11):
        assert "4" not in buyer(50, 10, last | plain(space, colour="red")).legal("BUY")
    # The tile does not matter.
    assert "4" in buyer(50, 10, {4: (R, "red"), 6: (R, "gray"), 7: (R, "blue")}).legal("BUY")


@pytest.mark.rules("V-BUY-5")
@pytest.mark.parametrize(("gold", "fame", "is_open"), [(1, 50, True), (0, 50, True), (2, 0, False), (2, 50, False)])
def test_the_zero_set_is_open_when_gold_is_below_the_lowest_other_price_whatever_the_fame(gold, fame, is_open):
    # Prices 0, 2, 5: the lowest other price is 2.
    assert ("3" in buyer(gold, fame, plain(3, 5, 8)).legal("BUY")) == is_open


@pytest.mark.rules("V-BUY-6", "V-BUY-8")
@pytest.mark.parametrize(
    ("gold", "fame", "gold_after", "fame_after"), [(9, 4, 2, 4), (7, 4, 0, 4), (5, 4, 0, 2), (3, 4, 0, 0), (0, 7, 0, 0)]
)
def test_gold_is_paid_first_and_exactly_the_missing_amount_from_fame(gold, fame, gold_after, fame_after):
    position = buyer(gold, fame, plain(4, 11)).do("BUY 11")
    assert (position.gold(0), position.fame(0)) == (gold_after, fame_after)


@pytest.mark.rules("V-BUY-6")
def test_fame_never_goes_below_zero_by_buying():
    assert buyer(3, 3, plain(4, 11)).legal("BUY") == {"4"}
    assert buyer(3, 4, plain(4, 11)).legal("BUY") == {"4", "11"}


@pytest.mark.rules("V-BUY-6")
def test_gold_does_not_become_fame_before_the_final_scoring():
    position = scoring(home("G: L*", gold=100, fame=10), home(), round_number=4).do("DONE")
    assert (position.gold(0), position.fame(0)) == (103, 10)


@pytest.mark.rules("V-BUY-7")
def test_with_too_little_gold_the_zero_set_and_fame_are_both_open():
    assert buyer(1, 4, plain(3, 5, 8, 11)).legal("BUY") == {"3", "5", "8"}
    # Without fame nothing but the zero set is left; nobody must spend fame.
    assert buyer(1, 0, plain(3, 5, 8, 11)).legal("BUY") == {"3"}


@pytest.mark.rules("V-BUY-9", "V-WHEEL-4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_is_always_a_legal_purchase_and_one_set_costs_nothing(players):
    for seed in range(6):
        chooser = random.Random(seed)
        position = Position(players, seed=seed)
        while position.seat is not None:
            if position.phase == "BUY":
                assert position.legal()
                zero = int(position.s["zero_space"])
                prices = sorted(space - zero for space in position.wheel())
                assert prices[0] == 0
                assert prices[1:] == [] or prices[1] >= 1
                assert prices[-1] <= 11
            position.do(chooser.choice(sorted(position.legal())))


@pytest.mark.rules("V-BUY-9")
def test_a_lone_last_set_may_be_taken_by_anybody():
    for gold, fame in ((0, 0), (40, 40)):
        assert buyer(gold, fame, plain(7)).legal("BUY") == {"7"}


@pytest.mark.rules("V-BUY-10")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_passes_between_players(players):
    # No action names another seat, and no decision changes what another player owns, outside the automatic scorings.
    names = {default_game().action_name(players, action) for action in range(default_game().num_actions(players))}
    assert not any("TRADE" in name or "GIVE" in name for name in names)
    owned = ("tile", "viking", "ship", "pool", "gold", "fame")
    chooser = random.Random(17)
    position = Position(players, seed=17)
    while position.seat is not None:
        seat, before = position.seat, position.copy()
        position.do(chooser.choice(sorted(position.legal())))
        if (len(position.wheel()) == 12 and len(before.wheel()) < 12) or position.seat is None:
            continue
        for other in range(players):
            if other != seat:
                for name in owned:
                    assert (position.s[name][other] == before.s[name][other]).all()


@pytest.mark.rules("V-BUY-11")
def test_tile_and_viking_are_placed_before_the_next_turn():
    position = buyer(30, 10, {4: (R, "gray"), 8: (M, "black"), 10: (R, "gray")}).do("BUY 8")
    assert (position.seat, position.phase) == (0, "CELL")
    position.do("CELL W2")
    assert (position.seat, position.phase) == (0, "VIKING")
    position.do("VIKING_ON")
    assert (position.seat, position.phase) == (1, "BUY")
    assert position.row(0, "W") == "L M*"


# --- 6.1 the wheel --------------------------------------------------------------------------------


def prices(position: Position) -> dict[int, int]:
    """Price of every set by space, found by buying it."""
    gold = position.gold(position.seat)
    found = {}
    for space in position.wheel():
        if f"BUY {space}" in position.legal():
            found[space] = gold - position.then(f"BUY {space}").gold(position.seat)
    return found


@pytest.mark.rules("V-WHEEL-1", "V-WHEEL-2")
def test_taking_the_zero_set_turns_the_wheel_to_the_next_set():
    # Ships so that a turn is one decision: seat 0 lays hers from column 4 on.
    ships = home("ships 1:red 2:red 3:red\nW: L", gold=50, fame=10)
    sets = {3: ("red ship", "blue"), 6: (R, "gray"), 7: (R, "gray"), 11: (R, "green")}
    position = buying(ships, home("W: L", gold=50), wheel=sets)
    assert position.s["zero_space"] == 3
    assert prices(position) == {3: 0, 6: 3, 7: 4, 11: 8}
    position.do("BUY 3")
    assert position.s["zero_space"] == 6
    # Gray 6 is not the last gray, so its price of 0 is not for seat 1.
    assert prices(position) == {7: 1, 11: 5}


@pytest.mark.rules("V-WHEEL-1", "V-WHEEL-5")
def test_after_the_twelfth_purchase_no_zero_space_is_left_and_the_round_is_scored():
    position = buying(
        home("ships 1:red 2:red 3:red\nW: L"), home("W: L"), wheel={9: ("red ship", "gray")}, round_number=2
    )
    position.do("BUY 9")
    assert position.wheel() == {}
    assert position.s["zero_space"] == -1
    assert position.phase == "TRIP"
    # The next offer puts the 0 beside space 0 again.
    position.do("DONE", "DONE")
    assert position.phase == "BUY"
    assert position.s["zero_space"] == 0


@pytest.mark.rules("V-WHEEL-5")
def test_the_round_is_scored_only_after_the_last_set():
    board = home("ships 1:red 2:red 3:red\nW: L\nG: L*", gold=9)
    position = buying(board, board, wheel={9: ("red ship", "gray"), 10: ("red ship", "blue")}, round_number=3)
    position.do("BUY 9")
    assert position.gold(0) == 9
    position.do("BUY 10")
    assert [position.gold(0), position.gold(1)] == [12, 12]
    assert position.s["round_number"] == 4


@pytest.mark.rules("V-WHEEL-3")
def test_buying_another_set_leaves_the_wheel_where_it_is():
    ships = home("ships 1:red 2:red 3:red\nW: L", gold=50)
    sets = {3: (R, "blue"), 6: ("red ship", "gray"), 7: (R, "gray"), 8: (R, "red"), 11: ("red ship", "green")}
    for space in (6, 11):
        position = buying(ships, home("W: L", gold=50), wheel=sets).do(f"BUY {space}")
        assert position.s["zero_space"] == 3
        assert prices(position) == {other: other - 3 for other in sets if other != space}


@pytest.mark.rules("V-WHEEL-4", "V-INV-4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_spaces_below_the_zero_are_empty(players):
    for seed in range(6):
        chooser = random.Random(seed)
        position = Position(players, seed=seed)
        while position.seat is not None:
            if position.phase == "BUY":
                assert position.s["zero_space"] == min(position.wheel())
            position.do(chooser.choice(sorted(position.legal())))


@pytest.mark.rules("V-BUY-1", "V-BUY-11")
def test_rows_of_the_board_are_only_changed_by_their_owner_s_turn():
    position = buyer(30, 10, plain(4, 8, 10)).do("BUY 8", "CELL W2")
    assert position.seat == 1
    assert position.rows(1) == {"W": "L"}
    position.do("BUY 10", "CELL W2")
    assert [position.row(seat, ROWS[0]) for seat in (0, 1)] == ["L R", "L R"]
