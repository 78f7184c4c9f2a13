"""Sections 10 and 11: the end of the game and the final scoring."""

from __future__ import annotations

from typing import Any

import pytest

from tests.raiders.positions import Position, Seat, idle_turn, position, seat

RAIDER = {"crew": "berserker 4, sage", "worker": "white", "provision": 8, "gold": 5}


def rounds_of_turns(p: Position) -> list[int]:
    """Owners of all turns from now to the end of the game."""
    owners = []
    while p.seat is not None:
        owners.append(p.owner)
        idle_turn(p)
        assert len(owners) < 50
    return owners


def last_set(fortress: str = "fortress_west", *others: Any, **own: Any) -> Position:
    """Seat 0 has just taken the fifth Fortress set."""
    p = position(seat(**(RAIDER | own)), *(others or (seat(), seat())), sets={fortress: ["iron", "valkyrie, iron"]})
    return p.do(f"SETTLEMENT {fortress}", "SET 0")


# --- section 10 -----------------------------------------------------------------------------------


@pytest.mark.rules("R-END-1")
def test_the_end_comes_with_at_most_one_fortress_set():
    left = ["iron", "valkyrie, iron"]
    three = position(seat(**RAIDER), seat(), sets={"fortress_west": left, "fortress_mid": [None, "iron"]})
    three.do("SETTLEMENT fortress_west", "SET 0")
    assert (three.triggered, three.seat) == (False, 1)
    assert last_set().triggered
    # Sets of other settlements do not count.
    p = position(seat(**RAIDER), seat(), sets={"monastery_west": ["valkyrie, iron", "iron"]})
    p.do("SETTLEMENT monastery_west", "SET 1")
    assert not p.triggered


@pytest.mark.rules("R-END-1")
def test_the_end_comes_with_the_last_tile_of_the_stack():
    for stack, ended in (([9, 10], False), ([9], True)):
        p = position(seat(worker="grey", silver=4), seat(), display=(8, 0, 1), stack=stack)
        p.do("BUILDING long_house", "DISPLAY 0", "BUILDING treasury")
        assert (p.seat, len(p.stack()), p.triggered) == (1, len(stack) - 1, ended)
        assert None not in p.display()


@pytest.mark.rules("R-END-1")
def test_the_thirteenth_offering_empties_the_stack():
    p = position(seat(worker="grey"), seat())
    assert len(p.stack()) == 13
    stack = list(range(3, 16))
    for made in range(1, 14):
        tiles = list(range(made))
        q = position(
            seat(tiles=tiles[:-1], worker="grey", **{"gold": 3, "iron": 3, "livestock": 4, "silver": 4}),
            seat(),
            display=(tiles[-1], 14, 15),
            stack=stack[: 13 - (made - 1)],
        )
        q.do("BUILDING long_house", "DISPLAY 0", "BUILDING treasury")
        assert q.triggered == (made == 13)


@pytest.mark.rules("R-END-1")
def test_the_end_comes_without_valkyries_on_the_board():
    fortresses = {"fortress_west": ["iron", "iron"]}
    for other, ended in ((None, True), ("valkyrie, iron", False)):
        p = position(
            seat(crew="sage 2", provision=2, worker="grey"),
            seat(),
            sets=fortresses | {"harbour_west": ["valkyrie, iron"], "harbour_mid": [other]},
        )
        p.do("SETTLEMENT harbour_west")
        assert (p.seat, p.triggered) == (1, ended)


@pytest.mark.rules("R-END-2")
def test_the_triggering_turn_is_completed_first():
    p = position(seat(worker="grey", silver=4), seat(), display=(8, 0, 1), stack=[9])
    p.do("BUILDING long_house", "DISPLAY 0")
    assert (p.stack(), p.triggered, p.seat) == ([], False, 0)
    # A second turn's worth of decisions is still there: the pick-up with its action.
    assert p.legal() == {"BUILDING gate_house", "BUILDING town_hall", "BUILDING treasury"}
    p.do("BUILDING gate_house", "OPTION 0")
    assert (p.hand_size(0), p.triggered, p.seat) == (2, True, 1)
    # The Valkyries of the triggering raid are paid for too.
    p = position(
        seat(**RAIDER), seat(), sets={"fortress_west": ["valkyrie 2", "iron"], "harbour_west": ["valkyrie, iron"]}
    ).do("SETTLEMENT fortress_west", "SET 0")
    assert (p.triggered, p.legal()) == (False, {"CREW berserker", "CREW sage"})
    p.do("CREW sage")  # then only berserkers are left
    assert (p.triggered, p.valkyrie(0), p.seat) == (True, 2, 1)


@pytest.mark.rules("R-END-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_has_one_more_turn_the_triggering_player_last(players):
    p = last_set("fortress_west", *[seat()] * (players - 1))
    assert rounds_of_turns(p) == [*range(1, players), 0]


@pytest.mark.rules("R-END-3")
def test_further_triggers_change_nothing():
    p = last_set("fortress_west", seat(**RAIDER), seat())
    p.do("SETTLEMENT fortress_west")  # the sixth Fortress set, and the last Valkyrie with it
    while not p.at_turn_start:
        p.do(min(p.legal()))
    assert rounds_of_turns(p) == [2, 0]


@pytest.mark.rules("R-END-4")
def test_in_the_final_round_the_last_fortress_set_may_be_taken():
    p = last_set("fortress_west", seat(**RAIDER), seat())
    assert p.legal("SETTLEMENT") == {"fortress_west"}
    p.do("SETTLEMENT fortress_west")
    assert p.sets("fortress_west") == [None, None]


@pytest.mark.rules("R-END-4", "R-LONG-2")
def test_in_the_final_round_tiles_are_refilled_as_long_as_the_stack_lasts():
    buyer = {"worker": "grey", "silver": 4}
    p = position(seat(**buyer), seat(**buyer), display=(8, 0, 1), stack=[9, 10], turns_left=4)
    p.do("BUILDING long_house", "DISPLAY 0")
    assert p.display() == [9, 0, 1]
    empty = position(seat(**buyer), seat(**buyer), display=(8, 0, 1), stack=[], turns_left=4)
    empty.do("BUILDING long_house", "DISPLAY 0")
    assert (empty.display(), empty.tiles(0)) == ([None, 0, 1], {8})


@pytest.mark.rules("R-END-5")
@pytest.mark.parametrize("turns_left", [None, 3])
def test_the_game_is_cut_off_when_everybody_has_had_150_turns(turns_left):
    own = seat(vp=7, gold=2, tiles=[6], crew="champion")
    p = position(own, seat(vp=3), turns=[150, 149], turn=1, turns_left=turns_left)
    idle_turn(p)
    assert (p.seat, p.truncated) == (None, True)
    # Scored as it stands: 7 + 2 + 6 + 3 and 3.
    assert (p.scores(), p.ranks()) == ([18, 3], [1, 2])
    # Somebody has a turn left: the game goes on.
    p = position(seat(), seat(), turns=[148, 149], turn=1, turns_left=turns_left)
    idle_turn(p)
    assert (p.seat, p.truncated) == (0, False)


@pytest.mark.rules("R-END-5")
def test_a_game_that_ends_with_that_turn_is_not_cut_off():
    p = position(seat(), seat(), turns=[150, 149], turn=1, turns_left=1)
    idle_turn(p)
    assert (p.seat, p.truncated) == (None, False)


# --- section 11 -----------------------------------------------------------------------------------


def finished(*seats: Seat, **board: Any) -> Position:
    """The game is over; the last seat had the last turn and did nothing in it."""
    p = position(*seats, turn=len(seats) - 1, turns_left=1, **board)
    idle_turn(p)
    assert p.seat is None
    return p


def score(**own: Any) -> float:
    """Final score of a seat."""
    return finished(seat(**own), seat()).scores()[0]


@pytest.mark.rules("R-SCORE-1")
@pytest.mark.parametrize("points", [0, 1, 49, 50, 137, 300])
def test_vp_of_play_count(points):
    assert score(vp=points) == points


@pytest.mark.rules("R-SCORE-2")
def test_vp_of_the_valkyrie_track():
    assert [score(valkyrie=step) for step in range(8)] == [0, 0, 1, 2, 4, 7, 10, 15]


@pytest.mark.rules("R-SCORE-3")
def test_vp_of_the_armour_track():
    assert [score(armour=step) for step in range(11)] == [0, 0, 0, 2, 2, 2, 4, 4, 4, 6, 6]


@pytest.mark.rules("R-SCORE-4")
def test_vp_of_tiles():
    printed = [4, 4, 4, 5, 5, 5, 6, 6, 2, 3, 3, 3, 3, 4, 4, 4]
    for tile, points in enumerate(printed):
        assert score(tiles=[tile]) == points
    assert score(tiles=list(range(16))) == 65


@pytest.mark.rules("R-SCORE-5")
@pytest.mark.parametrize(
    ("own", "points"),
    [
        ({"crew": "champion"}, 3),
        ({"crew": "champion 2"}, 6),
        ({"crew": "warlord"}, 2),
        ({"crew": "warlord 3, champion"}, 9),
        ({"crew": "merchant", "livestock": 5}, 5 + 2),  # on top of the livestock's own VP
        ({"crew": "merchant 2", "livestock": 5}, 10 + 2),
        ({"crew": "merchant", "livestock": 1}, 1),
        ({"crew": "trader", "tiles": [8, 9]}, 2 + 5),
        ({"crew": "trader 2", "tiles": [8, 9]}, 4 + 5),
        ({"crew": "trader, merchant"}, 0),
        ({"crew": "folke, brynjar, archer"}, 0),
        ({"hand": "champion, warlord, merchant, trader", "livestock": 4, "tiles": [8]}, 2 + 2),
    ],
)
def test_vp_of_hired_crew(own, points):
    assert score(**own) == points


@pytest.mark.rules("R-SCORE-6")
@pytest.mark.parametrize(
    ("own", "points"),
    [
        ({"gold": 3}, 3),
        ({"iron": 4}, 4),
        ({"livestock": 1}, 0),
        ({"livestock": 2}, 1),
        ({"livestock": 7}, 3),
        ({"gold": 1, "iron": 1, "livestock": 3}, 3),
        ({"silver": 8, "provision": 8, "hand": "folke 1, berserker 4"}, 0),
    ],
)
def test_vp_of_plunder(own, points):
    assert score(**own) == points


@pytest.mark.rules("R-SCORE-7")
@pytest.mark.parametrize(
    ("seats", "ranks"),
    [
        ([{"vp": 10}, {"vp": 12}, {"vp": 11}], [3, 1, 2]),
        # Both 20: Valkyrie 5 gives 7, 4 gives 4.
        ([{"vp": 13, "valkyrie": 5}, {"vp": 16, "valkyrie": 4}], [1, 2]),
        # Valkyrie counts before armour: both 20 with armour 9 against none.
        ([{"vp": 13, "valkyrie": 5}, {"vp": 14, "armour": 9}], [1, 2]),
        # The position counts, not its VP: 0 and 1 are worth nothing.
        ([{"vp": 5}, {"vp": 5, "valkyrie": 1}], [2, 1]),
        ([{"vp": 5, "armour": 6}, {"vp": 5, "armour": 7}], [2, 1]),
        ([{"vp": 5, "armour": 7}, {"vp": 5, "armour": 7}, {"vp": 5, "armour": 6}], [1, 1, 3]),
        ([{"vp": 5}, {"vp": 9}, {"vp": 5}, {"vp": 1}], [2, 1, 2, 4]),
    ],
)
def test_most_vp_win_then_valkyries_then_armour(seats, ranks):
    assert finished(*(seat(**own) for own in seats)).ranks() == ranks
