"""Section 7: the actions of cards."""

from __future__ import annotations

import pytest

from tests.tiny_epic_vikings.positions import Position, idle, position, seat

NO, YES = "STOP", "YES"


def sailing(boat: str, *others, card: str = "V02", own: dict | None = None, **board) -> Position:
    """Seat 0 of three has chosen its starting boat for the SAIL of a card (V02: SAIL 3)."""
    seats = [*others, seat(), seat()][:2]
    p = position(seat(boats=boat, hand=f"{card} V03", **(own or {})), *seats, **board)
    return p.do(f"UP {card}", YES, "BOAT 0")


# --- in general -----------------------------------------------------------------------------------


@pytest.mark.rules("T-ACT-1")
def test_less_than_the_number_and_even_nothing_is_legal():
    own = {"settlers": "A1 2", "food": 3, "wood": 7}
    # (card, choices that begin its leader action, choices of which as few may be made as one likes)
    for card, choices in (
        ("V02", ["BOAT 0", "TO AF07", "TO AF10"]),
        ("V07", ["A1>A2", "A1>A2", "A2>A1"]),
        ("V11", ["WOOD", "FOOD", "STEEL"]),
        ("V15", ["BUILD BOAT_1"]),
    ):
        for number in range(len(choices)):
            p = position(seat(boats="AF01", hand=f"{card} V03", **own), seat(), seat(), holders={"A1": 0})
            p.do(f"UP {card}", YES, *choices[:number])
            assert NO in p.legal(), (card, number)
            assert p.do(NO).point in ("DP-3", "DP-6")


@pytest.mark.rules("T-ACT-1")
def test_collect_exchange_and_a_begun_draw_have_no_less():
    p = position(seat(hand="V18 V03", row="V33"), seat(), seat()).do("UP V18", NO)
    assert p.then(YES).resources(0) == (1, 1, 0)
    assert p.then(NO).resources(0) == (0, 0, 0)
    p = position(seat(hand="V10 V03", row="V17", wood=2, food=7), seat(), seat()).do("UP V10", NO, YES)
    assert p.legal() == {"WOOD>STEEL", "FOOD>WOOD", "FOOD>STEEL"}
    p = position(seat(hand="V04 V03", row="V17"), seat(), seat()).do("UP V04", NO, YES)
    assert NO not in p.legal()


@pytest.mark.rules("T-ACT-2")
def test_an_action_is_finished_before_the_next_and_checked_for_control():
    # The rune of A4 is taken at the end of EXPLORE, before the Rune Action of V07 that needs it is offered.
    p = position(seat(hand="V07 V03", settlers="A1 2"), seat(settlers="A6"), seat(), holders={"A1": 0, "A6": 1})
    p.do("UP V07", YES, "A1>A4", "A1>A4")
    assert (p.point, p.holder("A4")) == ("DP-12", None)
    p.do(NO)
    assert (p.point, p.holder("A4"), p.holder("A1")) == ("DP-6", 0, None)


@pytest.mark.rules("T-ACT-3")
@pytest.mark.parametrize(
    ("card", "row", "point"),
    [
        ("V11", "V02", "DP-7"),  # SAIL
        ("V05", "V33", "DP-12"),  # EXPLORE
        ("V14", "V02", "DP-13"),  # HARVEST
        ("V13", "V17 V18", "DP-14"),  # BUILD
        ("V06", "V02", "DP-16"),  # TEMPLE_EXPLORE
        ("V07", "V17", "DP-17"),  # SMITE
        ("V10", "V17", "DP-18"),  # EXCHANGE
        ("V04", "V17", "DP-19"),  # DRAW_REPLACE
        ("V08", "V33 V34", "DP-4"),  # ENTER_BATTLE
    ],
)
def test_every_kind_of_rune_action(card, row, point):
    own = seat(hand=f"{card} V03", row=row, settlers="A1", temples="A1", wood=3)
    p = position(own, seat(settlers="A6"), seat(), holders={"A1": 0, "A6": 1})
    p.do(f"UP {card}", NO)
    assert p.point == "DP-6"
    assert p.do(YES).point == point


# --- SAIL -----------------------------------------------------------------------------------------


@pytest.mark.rules("T-SAIL-1")
def test_one_boat_makes_up_to_n_moves():
    p = position(seat(boats="AF01 AF05 - AF04", hand="V02 V03"), seat(boats="AF02"), seat())
    p.do("UP V02", YES)
    assert p.legal() == {"BOAT 0", "BOAT 1", "BOAT 3", NO}
    p.do("BOAT 1", "TO AF06", "TO AF05")
    assert p.point == "DP-8"
    p.do("TO AF09")
    assert (p.seat, p.point) == (1, "DP-3")
    assert p.boats(0) == ["AF01", "AF09", None, "AF04"]


@pytest.mark.rules("T-SAIL-2", "T-MAP-6")
def test_moves_from_a_fjord_and_from_a_dock():
    p = sailing("AF07")
    assert p.legal("TO") == {"AF01", "AF06", "AF10", "AD01", "AD02", "AD14", "AD15", "AD16", "AD17"}
    p = sailing("AD16")
    assert p.legal("TO") == {"AF07", "AF10"}
    # Edge Fjords on two sides of an outer Island are not adjacent.
    assert "AF06" not in sailing("AF01").legal("TO")


@pytest.mark.rules("T-SAIL-3")
def test_a_fjord_takes_any_number_of_boats():
    p = sailing("AF01", seat(boats="AF07 AF07 AF07"), seat(boats="AF07"), own={"villages": 0})
    assert "AF07" in p.legal("TO")
    assert (p.do("TO AF07").seat, p.point) == (0, "DP-8")


@pytest.mark.rules("T-SAIL-4")
def test_the_owner_moves_a_boat_that_is_displaced():
    p = sailing("AF08", seat(boats="AD18", food=5, steel=5), seat(boats="AF10"))
    p.do("TO AD18")
    assert (p.seat, p.point, p.legal()) == (1, "DP-9", {"TO AF08", "TO AF10"})
    assert p.boats(0)[0] == p.boats(1)[0] == "AD18"
    p.do("TO AF10")
    # It deploys, attacks and raids nothing, and displaces nobody.
    assert (p.boats(1)[0], p.boats(2)[0], p.seat, p.point) == ("AF10", "AF10", 0, "DP-8")
    assert p.resources(1) == (0, 5, 5)


@pytest.mark.rules("T-SAIL-5")
def test_order_of_a_docking():
    p = sailing("AF10", seat(boats="AD19", settlers="A6"), own={"food": 2, "steel": 1}, holders={"A6": 1})
    p.do("TO AD19")
    assert (p.seat, p.point) == (1, "DP-9")
    p.do("TO AF08")
    assert (p.seat, p.point) == (0, "DP-10")
    p.do("MAT", "MAT")
    # The attack is done, the raid not yet.
    assert (p.point, p.settlers("A6"), p.steel(0)) == ("DP-11", {0: 2}, 1)
    p.do(NO)
    assert (p.point, p.holder("A6")) == ("DP-8", 1)  # a take only; the loss of P1 waits for the end
    p.do(NO)
    assert p.holder("A6") == 0


@pytest.mark.rules("T-SAIL-5", "T-CTRL-3")
def test_the_check_at_a_dock_is_for_anybody_who_qualifies():
    # Seat 1 has two Settlers against the boat of seat 2 and nobody leads; that boat is pushed away.
    p = sailing("AF08", seat(settlers="A2 3"), seat(boats="AD18", settlers="A2"))
    assert p.holder("A2") is None
    p.do("TO AD18", "TO AF08")
    # 3 against 1 and the 2 of the boat that came.
    assert (p.holder("A2"), p.fury, p.point) == (1, (0, 0, 1), "DP-8")


@pytest.mark.rules("T-SAIL-5", "T-CTRL-3")
def test_the_check_at_a_dock_is_of_its_island_only_and_takes_only():
    # Seat 1's boat leaves A2, where seat 2 now leads: that is seen at the end of the action.
    p = position(
        seat(boats="AD17", settlers="A2", hand="V02"),
        seat(settlers="A2 2"),
        seat(settlers="A4"),
        holders={"A2": None, "A4": 2},
    )
    p = p.do("UP V02", YES, "BOAT 0", "TO AF10", "TO AD16")
    assert (p.holder("A2"), p.holder("A4")) == (0, 2)  # 1 + 2 against 2
    p = sailing("AD16", seat(settlers="A2 2"), own={"settlers": "A2"}, holders={"A2": 0})
    p.do("TO AF10", "TO AD19", NO)
    # 1 against 2: stolen at the end of the action.
    assert p.holder("A2") == 1


@pytest.mark.rules("T-SAIL-6")
def test_an_own_boat_may_be_displaced():
    p = sailing("AF08 AD18", seat(boats="AF01"))
    p.do("TO AD18")
    assert (p.seat, p.point, p.legal()) == (0, "DP-9", {"TO AF08", "TO AF10"})
    p.do("TO AF08")
    assert (p.boats(0)[:2], p.point) == (["AD18", "AF08"], "DP-8")


@pytest.mark.rules("T-SAIL-7", "T-DEPLOY-2")
def test_a_boat_may_dock_again_with_what_moves_are_left():
    p = sailing("AF08", own={"food": 7, "steel": 3}, card="V04")  # SAIL 4
    p.do("TO AD18", "MAT", "MAT", "MAT", "MAT")
    assert (p.holder("A2"), p.point) == (0, "DP-8")
    # Up to four again at the second Dock; two are left on the mat.
    p.do("TO AF10", "TO AD19", "MAT", "MAT")
    assert (p.legal(), p.food(0), p.on_mat(0)) == ({"ISLAND A2", NO}, 1, 0)
    p.do("ISLAND A2")
    assert (p.settlers("A2"), p.settlers("A6"), p.point) == ({0: 3}, {0: 3}, "DP-11")
    p.do(YES)
    assert (p.villages(0), p.steel(0)) == (1, 2)


@pytest.mark.rules("T-SAIL-8", "T-RAID-1")
def test_to_raid_later_a_boat_must_arrive_again():
    p = sailing("AD16", own={"food": 3, "steel": 3})
    assert p.point == "DP-8"
    p.do("TO AF07", "TO AD16", NO)
    assert p.point == "DP-11"
    p.do(NO)
    assert (p.boats(0)[0], "AD16" in p.docks_with_village()) == ("AD16", True)


# --- deploy ---------------------------------------------------------------------------------------


@pytest.mark.rules("T-DEPLOY-1")
def test_deploying_costs_food_and_is_limited_by_the_printed_number():
    p = sailing("AF01", own={"food": 7}).do("TO AF07", "TO AF01", "TO AD02")  # SAIL 3, no moves left
    for number in range(1, 4):
        assert p.point == "DP-10"
        p.do("MAT")
        assert (p.food(0), p.settlers("A2")) == (7 - number, {0: number})
    assert (p.seat, p.point) == (1, "DP-3")
    poor = sailing("AF08", own={"food": 1}).do("TO AD18", "MAT")
    assert (poor.food(0), poor.point) == (0, "DP-8")
    none = sailing("AF08").do("TO AD18")
    assert none.point == "DP-8"
    # Never in a Fjord.
    assert sailing("AF08", own={"food": 3}).do("TO AF10").point == "DP-8"


@pytest.mark.rules("T-DEPLOY-2")
def test_the_limit_holds_for_each_docking():
    p = sailing("AD16", own={"food": 6}).do("TO AF07", "TO AD16", "MAT", "MAT", "MAT")
    assert (p.point, p.food(0), p.settlers("A2")) == ("DP-8", 3, {0: 3})


@pytest.mark.rules("T-DEPLOY-3", "T-DEPLOY-4")
def test_settlers_come_from_the_mat_and_only_then_from_other_islands():
    own = {"settlers": "A1 2, A3 2, A2", "food": 3}
    p = sailing("AF08", own=own, holders={"A1": 0, "A3": 0, "A2": 0})
    p.do("TO AD18")
    assert p.legal() == {"MAT", NO}
    p.do("MAT")
    assert p.legal() == {"ISLAND A1", "ISLAND A3", NO}  # not A2 itself
    p.do("ISLAND A1", "ISLAND A1")
    assert (p.food(0), p.settlers("A1"), p.settlers("A2")) == (0, {}, {0: 4})
    # Emptying A1 is legal; its control is checked at the end of the action.
    assert (p.point, p.holder("A1")) == ("DP-8", 0)
    p.do(NO)
    assert (p.holder("A1"), p.fury) == (None, (0, 0, 0))


@pytest.mark.rules("T-DEPLOY-3")
def test_without_a_settler_anywhere_else_nothing_is_deployed():
    p = sailing("AF08", own={"settlers": "A2 6", "food": 3}, holders={"A2": 0}).do("TO AD18")
    assert (p.point, p.food(0)) == ("DP-8", 3)


# --- attack ---------------------------------------------------------------------------------------


@pytest.mark.rules("T-ATTACK-1")
@pytest.mark.parametrize(
    ("added", "left"),
    [(0, {1: 2, 2: 1}), (1, {0: 1, 1: 2, 2: 1}), (2, {0: 2, 1: 2, 2: 1}), (3, {0: 3, 1: 1})],
)
def test_attack_needs_strictly_more_than_each_and_removes_one_of_each(added, left):
    others = seat(settlers="A2 2"), seat(settlers="A2")
    p = sailing("AF08", *others, own={"food": 3}, holders={"A2": 1}).do("TO AD18", *["MAT"] * added)
    if added < 3:
        p.do(NO)
    assert p.settlers("A2") == left
    if added == 3:
        assert (p.on_mat(1), p.on_mat(2)) == (5, 6)


@pytest.mark.rules("T-ATTACK-1")
def test_attack_is_evaluated_once_when_all_are_deployed():
    p = sailing("AF08", seat(settlers="A2 2"), own={"food": 3, "settlers": "A2 2"}, holders={"A2": 1})
    p.do("TO AD18", "MAT")
    assert (p.point, p.settlers("A2")) == ("DP-10", {0: 3, 1: 2})
    p.do("MAT", "MAT")
    assert (p.point, p.settlers("A2")) == ("DP-8", {0: 5, 1: 1})


@pytest.mark.rules("T-ATTACK-2")
def test_boats_and_temples_do_not_matter_for_the_attack():
    p = sailing("AF08", seat(settlers="A2", temples="A2 2"), own={"food": 2}, holders={"A2": 1})
    p.do("TO AD18", "MAT", "MAT")
    assert (p.settlers("A2"), p.temples("A2"), p.holder("A2")) == ({0: 2}, {1: 2}, 1)


@pytest.mark.rules("T-ATTACK-2", "T-TEMPLE-1")
def test_no_attack_without_an_added_settler():
    # A boat that docks, smiting and moving Temples add none.
    p = sailing("AF08", seat(settlers="A2"), own={"settlers": "A2 3"}, holders={"A2": 0}).do("TO AD18")
    assert p.settlers("A2") == {0: 3, 1: 1}
    p = position(
        seat(settlers="A2 3", temples="A1", hand="V06", row="V01"), seat(settlers="A2"), seat(), holders={"A2": 0}
    )
    p.do("UP V06", NO, YES, "A1>A2")
    assert (p.settlers("A2"), p.temples("A2")) == ({0: 3, 1: 1}, {0: 1})
    p = position(
        seat(settlers="A2 4", hand="V07", row="V17"), seat(settlers="A2 2"), seat(settlers="A2"), holders={"A2": 0}
    )
    p.do("UP V07", NO, YES, "SMITE A2 +1")
    assert p.settlers("A2") == {0: 4, 1: 1, 2: 1}


@pytest.mark.rules("T-ATTACK-3")
def test_explore_attacks_once_at_the_end_where_there_is_a_net_gain():
    seats = seat(settlers="A1 2, A2", hand="V08 V03"), seat(settlers="A2, A4"), seat()  # EXPLORE 4
    p = position(*seats, holders={"A1": 0, "A2": None, "A4": 1})
    p.do("UP V08", YES, "A1>A2", "A1>A2")
    assert p.settlers("A2") == {0: 3, 1: 1}
    back = p.then("A2>A1", "A2>A1")
    # As many as before on A2: no attack there.
    assert (back.settlers("A1"), back.settlers("A2")) == ({0: 2}, {0: 1, 1: 1})
    p.do("A2>A4")
    assert p.settlers("A4") == {0: 1, 1: 1}
    p.do(NO)
    assert (p.settlers("A2"), p.settlers("A4")) == ({0: 2}, {0: 1, 1: 1})


# --- raid -----------------------------------------------------------------------------------------


@pytest.mark.rules("T-RAID-1")
@pytest.mark.parametrize("era", [1, 2, 3])
def test_a_raid_costs_as_many_steel_as_the_era(era):
    p = sailing("AF07", own={"steel": era}, era=era).do("TO AD16")
    assert p.point == "DP-11"
    p.do(YES)
    assert (p.steel(0), p.villages(0)) == (0, 1)
    poor = sailing("AF07", own={"steel": era - 1}, era=era).do("TO AD16")
    assert poor.point == "DP-8"


@pytest.mark.rules("T-RAID-2")
def test_the_village_leaves_its_dock_for_good():
    p = sailing("AF07", own={"steel": 5}).do("TO AD16", YES)
    assert len(p.docks_with_village()) == 8
    p.do("TO AF07", "TO AD16")
    assert (p.seat, p.point, p.villages(0)) == (0, "DP-20", 1)
    # Nor is one there for anybody else.
    assert sailing("AF07", own={"steel": 5}, raided="AD16").do("TO AD16").point == "DP-8"


@pytest.mark.rules("T-RAID-3")
def test_villages_lie_beside_the_mat_without_limit_and_score_nothing():
    p = position(seat(villages=8, hand="V01"), seat(), seat(), raided="AD01 AD03 AD06 AD08 AD11 AD13 AD16 AD19")
    assert p.scores() == [0, 0, 0]
    assert idle(p).villages(0) == 8


@pytest.mark.rules("T-RAID-4")
def test_a_raid_needs_no_boots_and_there_is_one_for_each_arrival():
    p = sailing("AF07", own={"steel": 5}).do("TO AD16", YES)
    assert (p.villages(0), p.settlers("A2"), p.point) == (1, {}, "DP-8")
    p.do("TO AF07", "TO AD01", YES)
    assert p.villages(0) == 2


# --- EXPLORE --------------------------------------------------------------------------------------


@pytest.mark.rules("T-EXPL-1", "T-MAP-9")
def test_steps_follow_ferry_routes():
    p = position(seat(settlers="A1", hand="V07 V03"), seat(settlers="A5"), seat(), holders={"A1": 0, "A5": 1})
    p.do("UP V07", YES)
    assert p.legal() == {"A1>A2", "A1>A4", NO}
    p.do("A1>A2")
    assert p.legal() == {"A2>A1", "A2>A3", "A2>A4", "A2>A6", NO}
    p.do("A2>A6", "A6>A5")
    assert (p.settlers("A5"), p.seat, p.point) == ({0: 1, 1: 1}, 1, "DP-3")


@pytest.mark.rules("T-EXPL-2")
def test_steps_may_start_from_different_islands():
    p = position(seat(settlers="A1, A3", hand="V07 V03"), seat(), seat(), holders={"A1": 0, "A3": 0})
    p.do("UP V07", YES, "A1>A2", "A3>A2", NO)
    assert (p.settlers("A2"), p.holder("A2"), p.holder("A1"), p.holder("A3")) == ({0: 2}, 0, None, None)


@pytest.mark.rules("T-EXPL-3", "T-CTRL-3")
def test_passing_through_an_island_changes_nothing_there():
    p = position(
        seat(settlers="A1 3", hand="V08 V03"),
        seat(settlers="A2"),
        seat(),
        holders={"A1": 0, "A2": None},
        fury=(1, 1, 1),
    )
    p.do("UP V08", YES, "A1>A2", "A1>A2")
    assert (p.settlers("A2"), p.holder("A2")) == ({0: 2, 1: 1}, None)
    p.do("A2>A4", "A2>A4")
    assert p.settlers("A2") == {1: 1}
    assert (p.holder("A4"), p.holder("A2")) == (0, 1)  # free A2 falls to seat 1 at the end
    assert p.fury == (1, 2, 2)


@pytest.mark.rules("T-EXPL-4")
def test_exploring_costs_nothing():
    p = position(seat(settlers="A1", hand="V07 V03", food=2), seat(), seat(), holders={"A1": 0})
    assert p.do("UP V07", YES, "A1>A2", NO).resources(0) == (0, 2, 0)


# --- HARVEST --------------------------------------------------------------------------------------


@pytest.mark.rules("T-HARV-1")
def test_harvest_is_freely_mixed():
    p = position(seat(hand="V11 V03"), seat(), seat()).do("UP V11", YES)
    assert p.legal() == {"WOOD", "FOOD", "STEEL", NO}
    assert p.then("WOOD", "STEEL", "STEEL").resources(0) == (1, 0, 2)
    assert p.then("FOOD", "FOOD", "FOOD").resources(0) == (0, 3, 0)


@pytest.mark.rules("T-HARV-2")
@pytest.mark.parametrize(
    ("boats", "temples", "food", "choices"),
    [
        ("", "", 0, 2),
        ("AF01 AF02", "", 1, 2),
        ("AF01 AF02 AF03 AF04", "", 3, 2),
        ("", "A1", 0, 3),
        ("AF01 - AF02", "A1 2", 1, 4),
    ],
)
def test_harvest_bonus_of_what_is_built(boats, temples, food, choices):
    p = position(
        seat(hand="V09 V03", boats=boats, temples=temples), seat(), seat(), holders={"A1": 0} if temples else {}
    )
    p.do("UP V09", YES)
    assert p.resources(0) == (0, food, 0)
    for _ in range(choices):
        assert p.point == "DP-13"
        p.do("WOOD")
    assert (p.resources(0), p.point) == ((choices, food, 0), "DP-6" if temples else "DP-3")


@pytest.mark.rules("T-HARV-3")
def test_the_bonus_is_of_every_harvest_and_of_nothing_else():
    built = {"boats": "AF01 AF02", "temples": "A2"}
    held = {"A2": 0}
    p = position(seat(hand="V14 V03", row="V01", **built), seat(), seat(), holders=held).do("UP V14", NO, YES)
    assert p.do("WOOD", "WOOD", "WOOD").resources(0) == (3, 1, 0)  # a Rune Action: HARVEST 2
    p = position(seat(hand="V01 V03", villages=1, **built), seat(), seat(), holders=held, raided="AD01")
    p.do("UP V01", NO, "SPACE D3", *["STEEL"] * 4)
    assert (p.resources(0), p.seat) == ((0, 1, 4), 1)  # a Dedication: HARVEST 3
    battle = {"starter": 0, "favor": "F01", "end": "TOP LEFT"}
    p = position(seat(row="(V37)", **built), seat(row="(V02)"), seat(), turn=2, battle=battle, holders=held)
    idle(p).do(YES, "WOOD", "WOOD", "WOOD")
    assert p.resources(0) == (3, 1, 0)  # Frigg's Boon: HARVEST 2
    p = position(seat(hand="V15 V03", row="V33", **built), seat(), seat(), holders=held).do("UP V15", NO, YES)
    assert p.resources(0) == (0, 2, 0)  # COLLECT


# --- BUILD ----------------------------------------------------------------------------------------


def building(wood: int, **own) -> Position:
    """Seat 0 of three is to choose what to build with V15 (BUILD 1)."""
    board = {island: 0 for island in own.pop("held", "").split()}
    return position(seat(hand="V15 V03", wood=wood, **own), seat(), seat(), holders=board).do("UP V15", YES)


@pytest.mark.rules("T-BUILD-1")
def test_any_slot_that_can_be_paid():
    for wood, slots in ((1, {"BOAT_1"}), (2, {"BOAT_1", "BOAT_2"}), (3, {"BOAT_1", "BOAT_2", "BOAT_3"})):
        assert building(wood).legal("BUILD") == slots
    own = {"settlers": "A1", "held": "A1"}
    assert building(4, **own).legal("BUILD") == {"BOAT_1", "BOAT_2", "BOAT_3", "TEMPLE_1"}
    assert building(5, **own).legal("BUILD") == {"BOAT_1", "BOAT_2", "BOAT_3", "TEMPLE_1", "TEMPLE_2"}
    assert building(5, **own, boats="AF01 - AF02").legal("BUILD") == {"BOAT_1", "BOAT_3", "TEMPLE_1", "TEMPLE_2"}
    assert building(0).point == "DP-3"
    for slot, cost in (("BOAT_1", 1), ("BOAT_2", 2), ("BOAT_3", 3), ("TEMPLE_1", 4), ("TEMPLE_2", 5)):
        p = building(5, **own).do(f"BUILD {slot}")
        assert (p.wood(0), p.built(0)) == (5 - cost, {slot})


@pytest.mark.rules("T-BUILD-2", "T-MAP-10")
def test_a_boat_goes_into_a_fjord_next_to_any_own_unit():
    # In a Fjord: it and its neighbours.
    assert building(1, boats="AF01").do("BUILD BOAT_1").legal("TO") == {"AF01", "AF02", "AF07"}
    # In a Dock: the two Fjords it touches.
    assert building(1, boats="AD20").do("BUILD BOAT_1").legal("TO") == {"AF09", "AF10"}
    # A Settler or a Temple on A5: all Fjords of its Docks.
    for piece in ("settlers", "temples"):
        p = building(1, boats="AD20", held="A5", **{piece: "A5"}).do("BUILD BOAT_1")
        assert p.legal("TO") == {"AF09", "AF10", "AF04", "AF05"}
    assert p.then("TO AF05").boats(0) == ["AD20", "AF05", None, None]


@pytest.mark.rules("T-BUILD-2")
def test_the_boat_is_placed_by_its_own_slot():
    p = building(3, boats="AF01").do("BUILD BOAT_3", "TO AF02")
    assert (p.boats(0), p.built(0)) == (["AF01", None, None, "AF02"], {"BOAT_3"})


@pytest.mark.rules("T-BUILD-3")
def test_a_temple_goes_where_an_own_settler_is():
    assert building(7).legal("BUILD") == {"BOAT_1", "BOAT_2", "BOAT_3"}
    p = building(7, settlers="A1, A3 2", temples="A5", held="A1 A3 A5")
    assert p.legal("BUILD") == {"BOAT_1", "BOAT_2", "BOAT_3", "TEMPLE_2"}
    p.do("BUILD TEMPLE_2")
    assert p.legal() == {"ISLAND A1", "ISLAND A3"}
    p.do("ISLAND A3")
    assert (p.settlers("A3"), p.temples("A3"), p.built(0)) == ({0: 2}, {0: 1}, {"TEMPLE_1", "TEMPLE_2"})
    both = building(7, settlers="A1", temples="A1", held="A1").do("BUILD TEMPLE_2")
    assert both.temples("A1") == {0: 2}  # no limit of one


@pytest.mark.rules("T-BUILD-4", "T-COMP-3")
def test_what_is_built_stays_built():
    own = {"settlers": "A1", "temples": "A1 2", "boats": "AF01 AF01 AF01 AF01", "held": "A1"}
    assert building(7, **own).point == "DP-3"


# --- the others -----------------------------------------------------------------------------------


@pytest.mark.rules("T-TEMPLE-1")
def test_temples_explore_without_settlers_and_may_share():
    p = position(seat(temples="A1, A4", hand="V06 V03", row="V01"), seat(), seat(), holders={"A1": 0, "A4": 0})
    p.do("UP V06", NO, YES)
    assert p.legal() == {"A1>A2", "A1>A4", "A4>A1", "A4>A2", "A4>A5", "A4>A6", NO}
    p.do("A1>A4")
    assert (p.temples("A4"), p.holder("A1"), p.holder("A4"), p.fury) == ({0: 2}, None, 0, (0, 0, 0))


@pytest.mark.rules("T-SMITE-1")
def test_smite_removes_settlers_of_any_opponents_from_any_islands():
    seats = seat(hand="V16 V03", row="V01 V02"), seat(settlers="A1 2"), seat(settlers="A1, A6")
    p = position(*seats, holders={"A1": 1, "A6": 2})
    p.do("UP V16", NO, YES)
    assert p.legal() == {"SMITE A1 +1", "SMITE A1 +2", "SMITE A6 +2", NO}
    one = p.then("SMITE A1 +1", NO)
    assert (one.settlers("A1"), one.on_mat(1)) == ({1: 1, 2: 1}, 5)
    same = p.then("SMITE A1 +1", "SMITE A1 +1")
    assert (same.settlers("A1"), same.on_mat(1), same.holder("A1"), same.seat) == ({2: 1}, 6, 2, 1)
    both = p.then("SMITE A6 +2", "SMITE A1 +1")
    assert (both.settlers("A6"), both.settlers("A1"), both.holder("A6")) == ({}, {1: 1, 2: 1}, None)


@pytest.mark.rules("T-DRAW-1")
def test_draw_a_card_and_discard_one():
    p = position(seat(hand="V04 V03 V05", row="V17"), seat(), seat(), deck="V30 V31")
    p.do("UP V04", NO, YES)
    assert (p.hand(0), p.legal()) == ({"V03", "V05", "V30"}, {"PICK V03", "PICK V05", "PICK V30"})
    assert p.deck()[0] == "V31"
    old, new = p.then("PICK V03"), p.then("PICK V30")
    assert (old.hand(0), old.discard()) == ({"V05", "V30"}, {"V03"})
    assert (new.hand(0), new.discard()) == ({"V03", "V05"}, {"V30"})


@pytest.mark.rules("T-DRAW-2")
def test_with_an_empty_hand_the_drawn_card_is_discarded():
    p = position(seat(hand="V04", row="V17"), seat(), seat(), deck="V30")
    p.do("UP V04", NO, YES)
    assert (p.hand(0), p.discard(), p.seat) == (set(), {"V30"}, 1)


@pytest.mark.rules("T-DRAW-2", "T-DRAFT-1")
def test_an_empty_deck_is_refilled_when_a_card_is_needed():
    p = position(seat(hand="V04 V03", row="V17"), seat(), seat(), deck="", discard="V30 V31 V32", rest="invaders")
    p.do("UP V04", NO)
    assert (p.deck(), p.discard()) == ([], {"V30", "V31", "V32"})
    p.do(YES)
    drawn = p.hand(0) - {"V03"}
    assert len(drawn) == 1
    assert drawn | set(p.deck()) == {"V30", "V31", "V32"}
    assert p.discard() == set()
    p.do(f"PICK {min(drawn)}")
    assert (p.discard(), len(p.deck())) == (drawn, 2)


@pytest.mark.rules("T-ENTER-1", "T-RUNE-2", "T-ENTER-3")
def test_the_card_just_played_enters_the_battle():
    battle = {"starter": 2, "favor": "F01", "end": "TOP LEFT"}
    seats = seat(hand="V08 V03", row="V33 V34"), seat(), seat(row="(V02)")
    p = position(*seats, battle=battle).do("UP V08", NO)
    assert p.row(0) == ["V33", "V34", "V08"]
    p.do(YES)
    assert (p.row(0), p.hand(0)) == (["V33", "V34", "(V08)"], {"V03"})
    assert p.battle == (2, "F01", "TOP LEFT")
    idle(p)
    # P0's V08 has Strength 3 and loses against 4.
    assert (p.seat, p.point, p.favors(2)) == (0, "DP-21", {"F01"})


@pytest.mark.rules("T-ENTER-3", "T-BATTLE-6")
def test_the_steel_of_a_card_that_entered_is_due_at_the_resolution():
    battle = {"starter": 2, "favor": "F01", "end": "TOP LEFT"}
    seats = seat(hand="V09 V03", row="V01", steel=0), seat(), seat(row="(V02)")
    p = position(*seats, battle=battle).do("UP V09", NO, YES)
    assert p.row(0) == ["V01", "(V09)"]
    idle(p)
    assert p.row(0) == ["V01", "V09"]
    assert p.seat == 2  # P0 is out; whatever comes, P2 fights alone


@pytest.mark.rules("T-ENTER-2", "T-BATTLE-2")
def test_entering_may_start_a_battle():
    p = position(seat(hand="V08 V03", row="V33 V34"), seat(), seat(), top="F01 F02", bottom="F03")
    p.do("UP V08", NO, YES)
    assert p.legal() == {"TOP LEFT", "TOP RIGHT", "BOTTOM LEFT"}
    p.do("TOP RIGHT")
    assert (p.battle, p.seat, p.row(0)[-1]) == ((0, "F02", "TOP RIGHT"), 1, "(V08)")


@pytest.mark.rules("T-ENTER-2", "T-TURN-7")
def test_nobody_enters_a_battle_without_a_prize():
    p = position(seat(hand="V08 V03", row="V33 V34"), seat(), seat(), top="", bottom="")
    p.do("UP V08", NO)
    assert (p.seat, p.point) == (1, "DP-3")


@pytest.mark.rules("T-COLL-1")
@pytest.mark.parametrize(
    ("card", "row", "gain"),
    [("V02", "V17", (1, 0, 1)), ("V15", "V33", (0, 2, 0)), ("V31", "V01", (0, 0, 2)), ("V47", "V17", (2, 0, 0))],
)
def test_collect_gains_the_bag(card, row, gain):
    p = position(seat(hand=f"{card} V03", row=row), seat(), seat()).do(f"UP {card}", NO, YES)
    assert p.resources(0) == gain


@pytest.mark.rules("T-EXCH-1")
def test_exchange_of_one_pair():
    p = position(seat(hand="V10 V03", row="V17", wood=5, steel=4), seat(), seat()).do("UP V10", NO, YES)
    assert p.legal() == {"WOOD>FOOD", "WOOD>STEEL", "STEEL>WOOD", "STEEL>FOOD"}
    p.do("WOOD>STEEL")
    assert p.legal() == {"AMOUNT 1", "AMOUNT 2", "AMOUNT 3"}  # 7 - 4
    assert p.resources(0) == (5, 0, 4)
    p.do("AMOUNT 3")
    assert (p.resources(0), p.seat) == ((2, 0, 7), 1)


@pytest.mark.rules("T-EXCH-1")
def test_an_exchange_without_a_legal_pair_cannot_be_said_yes_to():
    p = position(seat(hand="V10 V03", row="V17"), seat(), seat()).do("UP V10", NO)
    assert (p.seat, p.point) == (1, "DP-3")
    p = position(seat(hand="V10 V03", row="V17", wood=7, food=7, steel=7), seat(), seat()).do("UP V10", NO)
    assert (p.seat, p.point) == (1, "DP-3")


@pytest.mark.rules("T-FADJ-1", "T-FURY-1")
def test_fury_is_moved_up_or_down_but_not_below_nothing():
    battle = {"starter": 0, "favor": "F01", "end": "TOP LEFT"}
    p = position(seat(row="(V22)"), seat(row="(V16)", steel=3), seat(), turn=2, battle=battle, fury=(1, 2, 0))
    idle(p).do(YES)
    assert p.legal() == {"FEHU +", "FEHU -", "HAGALAZ +", "HAGALAZ -", "PERTHO +", NO}
    # Then Odin's own step of the loser's rune, HAGALAZ.
    assert p.then("FEHU -").fury == (0, 3, 0)
    assert p.then("PERTHO +").fury == (1, 3, 1)
    assert p.then(NO).fury == (1, 3, 0)
