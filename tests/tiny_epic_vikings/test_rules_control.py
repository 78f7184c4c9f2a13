"""Section 8: control of Islands."""

from __future__ import annotations

import pytest

from tests.tiny_epic_vikings.positions import Position, idle, position, seat

NO, YES = "STOP", "YES"


def checked(*seats, turn: int = 0, **board) -> Position:
    """A position after an EXPLORE of seat ``turn`` in which nothing was done: the full check has run."""
    hands = [{"hand": "V07 V03"} if s == turn else {} for s in range(len(seats))]
    p = position(*[seat(**own, **hand) for own, hand in zip(seats, hands, strict=True)], turn=turn, **board)
    p.do("UP V07", YES)
    return p.do(NO) if p.point == "DP-12" else p


@pytest.mark.rules("T-CTRL-1", "T-CTRL-2")
@pytest.mark.parametrize(
    ("mine", "theirs", "taken"),
    [
        ({"settlers": "A2 3"}, {"settlers": "A2 2"}, True),
        ({"settlers": "A2 2"}, {"settlers": "A2 2"}, False),
        ({"settlers": "A2 4"}, {"temples": "A2"}, False),
        ({"settlers": "A2 5"}, {"temples": "A2"}, True),
        ({"settlers": "A2 2"}, {"boats": "AD16"}, False),
        ({"settlers": "A2 3"}, {"boats": "AD16"}, True),
        ({"settlers": "A2 4"}, {"boats": "AD16 AD18"}, False),
        ({"settlers": "A2 5"}, {"boats": "AD16 AD18"}, True),
        ({"settlers": "A2"}, {"boats": "AF07 AF10"}, True),
        ({"settlers": "A2", "boats": "AD16"}, {"settlers": "A2 2"}, True),
        ({"boats": "AD16 AD18"}, {}, False),
        ({"temples": "A2"}, {"settlers": "A2", "boats": "AD16"}, True),
    ],
)
def test_influence_and_taking(mine, theirs, taken):
    p = checked({"settlers": "A4"} | mine | ({"settlers": mine["settlers"] + ", A4"} if "settlers" in mine else {}),
                theirs, {}, holders={"A4": 0})  # fmt: skip
    if "settlers" in theirs and not taken:
        assert p.holder("A2") is None
    else:
        assert (p.holder("A2") == 0) == taken
    assert p.fury[2] == (p.holder("A2") is not None)


@pytest.mark.rules("T-CTRL-1")
def test_a_boat_counts_for_the_island_of_its_dock_only():
    # AD16 is a Dock of A2, AD17 the other end of the same route, on A4.
    p = checked({"settlers": "A1, A2"}, {"settlers": "A4"}, {"boats": "AD17"}, holders={"A1": 0})
    assert (p.holder("A2"), p.holder("A4")) == (0, None)


@pytest.mark.rules("T-CTRL-3")
def test_full_check_after_each_kind_of_action():
    # A2 is free and seat 1 leads there: whatever action ends, seat 1 takes it.
    free = {"settlers": "A2"}
    leader = position(seat(hand="V11 V03"), seat(**free), seat()).do("UP V11", YES, NO)
    assert (leader.holder("A2"), leader.fury) == (1, (0, 0, 1))
    rune = position(seat(hand="V31 V03", row="V01"), seat(**free), seat()).do("UP V31", NO)
    assert rune.holder("A2") is None  # nothing was done yet
    assert rune.do(YES).holder("A2") == 1
    dedication = position(seat(hand="V11 V03", villages=1), seat(**free), seat(), raided="AD01").do("UP V11", NO)
    assert dedication.do("SPACE D3", NO).holder("A2") == 1
    battle = {"starter": 0, "favor": "F01", "end": "TOP LEFT"}
    boon = position(seat(row="(V37)"), seat(row="(V22)", **free), seat(), turn=2, battle=battle)
    idle(boon)
    assert boon.holder("A2") is None
    boon.do(YES, NO)
    # Frigg's own step comes on top.
    assert (boon.holder("A2"), boon.fury) == (1, (0, 0, 2))


@pytest.mark.rules("T-CTRL-4")
def test_steal_needs_boots_and_strictly_more_than_the_holder():
    def holder(**thief) -> int | None:
        p = checked({}, {"settlers": "A4 2"}, thief, holders={"A4": 1})
        return p.holder("A4")

    assert holder(settlers="A4 2") == 1
    assert holder(settlers="A4 3") == 2
    assert holder(settlers="A4", boats="AD17") == 2
    assert holder(boats="AD17 AD20") == 1
    assert holder(temples="A4") == 2


@pytest.mark.rules("T-CTRL-4", "T-CTRL-7")
def test_the_strongest_challenger_steals_and_fury_rises_by_one():
    p = checked({"settlers": "A4 2"}, {"settlers": "A4"}, {"settlers": "A4 3"}, holders={"A4": 1})
    assert (p.holder("A4"), p.fury) == (2, (0, 1, 0))


@pytest.mark.rules("T-CTRL-4")
@pytest.mark.parametrize(("turn", "thief"), [(0, 0), (1, 2), (2, 2), (3, 3)])
def test_tied_challengers_go_clockwise_from_the_acting_player(turn, thief):
    held = {"settlers": "B5 2"}
    p = checked(held, {"settlers": "B5"}, held, held, turn=turn, holders={"B5": 1})
    assert (p.holder("B5"), p.fury) == (thief, (1, 0, 0))


@pytest.mark.rules("T-CTRL-4", "T-BATTLE-12")
@pytest.mark.parametrize(("starter", "thief"), [(1, 2), (3, 0)])
def test_in_a_boon_the_acting_player_is_the_loser(starter, thief):
    # Seats 0 and 2 are both stronger on B5 than its holder, seat 1 or 3; the loser is the starter.
    seats = [seat(settlers="B5 2"), seat(), seat(settlers="B5 2"), seat()]
    seats[starter] = seat(settlers="B5", row="(V37)")
    seats[0] = seat(settlers="B5 2", row="(V22)")
    battle = {"starter": starter, "favor": "F01", "end": "TOP LEFT"}
    p = position(*seats, turn=(starter - 1) % 4, chieftain=starter, battle=battle, holders={"B5": starter})
    idle(p).do(YES, NO)
    assert p.holder("B5") == thief


@pytest.mark.rules("T-CTRL-5")
def test_loss_returns_the_rune():
    p = position(seat(settlers="A4", hand="V07 V03"), seat(), seat(), holders={"A4": 0}, fury=(0, 1, 0))
    p.do("UP V07", YES, "A4>A1", NO)
    assert (p.holder("A4"), p.holder("A1"), p.fury) == (None, 0, (1, 1, 0))
    # Rivals with boots have more than nothing, so that they steal: of two with one Settler each, the next clockwise.
    one = seat(settlers="A4")
    p = position(seat(settlers="A4", hand="V07 V03"), one, one, holders={"A4": 0}, fury=(0, 1, 0))
    p.do("UP V07", YES, "A4>A1", NO)
    assert (p.holder("A4"), p.fury) == (1, (1, 2, 0))


@pytest.mark.rules("T-CTRL-5", "T-CTRL-2")
def test_after_a_loss_the_one_who_is_strictly_strongest_takes():
    # The holder is left with a boat (2); seat 1 has 2, which is no more: no steal, and no take either.
    p = position(seat(settlers="A4", boats="AD12", hand="V07 V03"), seat(settlers="A4 2"), seat(), holders={"A4": 0})
    p.do("UP V07", YES, "A4>A1", NO)
    assert (p.holder("A4"), p.fury) == (None, (1, 0, 0))
    # With 3 it steals.
    p = position(seat(settlers="A4", boats="AD12", hand="V07 V03"), seat(settlers="A4 3"), seat(), holders={"A4": 0})
    p.do("UP V07", YES, "A4>A1", NO)
    assert (p.holder("A4"), p.fury) == (1, (1, 1, 0))


@pytest.mark.rules("T-CTRL-6")
def test_a_holder_with_boots_keeps_the_rune():
    bootless = checked({}, {"settlers": "A4"}, {"boats": "AD17 AD20"}, holders={"A4": 1})
    assert bootless.holder("A4") == 1
    equal = checked({}, {"settlers": "A4"}, {"settlers": "A4"}, holders={"A4": 1})
    assert (equal.holder("A4"), equal.fury) == (1, (0, 0, 0))


@pytest.mark.rules("T-CTRL-7")
def test_returning_a_rune_changes_no_fury():
    p = position(seat(settlers="A4", hand="V07 V03"), seat(), seat(), holders={"A4": 0}, fury=(5, 5, 5))
    p.do("UP V07", YES, "A4>A1", NO)
    assert (p.holder("A4"), p.holder("A1"), p.fury) == (None, 0, (6, 5, 5))
