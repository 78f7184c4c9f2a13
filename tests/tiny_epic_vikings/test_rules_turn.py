"""Sections 5.2, 6, 11 and 12: turns, runes, resources, fury, dedications and the Cleanup."""

from __future__ import annotations

import pytest

from tests.tiny_epic_vikings.positions import idle, position, seat

NO, YES = "STOP", "YES"


def battle(starter: int, favor: str = "F01", end: str = "TOP LEFT") -> dict:
    return {"starter": starter, "favor": favor, "end": end}


# --- turns ----------------------------------------------------------------------------------------


@pytest.mark.rules("T-TURN-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_clockwise_from_the_chieftain_until_all_hands_are_empty(players):
    for chieftain in range(players):
        p = position(*[seat(hand=f"V{2 * s + 1:02} V{2 * s + 2:02}") for s in range(players)], turn=chieftain)
        for k in range(2 * players):
            assert (p.turn, p.seat, p.point) == ((chieftain + k) % players, (chieftain + k) % players, "DP-3")
            idle(p)
        assert (p.era, p.point) == (2, "DP-2")


@pytest.mark.rules("T-TURN-2", "T-BATTLE-4")
def test_the_starter_s_battle_is_resolved_at_the_start_of_the_own_turn():
    p = position(seat(hand="V02 V03"), seat(), seat())
    p.do("DOWN V02", "TOP LEFT")
    idle(p)
    assert (p.battle[0], p.row(0)) == (0, ["(V02)"])
    idle(p)
    # Seat 0 has not played its next card yet.
    assert (p.battle, p.row(0), p.hand(0), len(p.invaders())) == (None, ["V02"], {"V03"}, 1)


@pytest.mark.rules("T-TURN-2")
def test_the_turn_of_a_joiner_resolves_nothing():
    p = position(seat(), seat(hand="V02 V03"), seat(row="(V22)", hand="V23"), turn=1, chieftain=1, battle=battle(2))
    p.do("DOWN V02")
    assert p.seat == 1 or p.battle is None  # seat 2 started it: its turn resolves
    p = position(seat(hand="V02 V04"), seat(hand="V12 V13"), seat(), seat(row="(V22)"), turn=0, battle=battle(3))
    p.do("DOWN V02")
    assert (p.seat, p.battle) == (1, (3, "F01", "TOP LEFT"))
    p.do("DOWN V12")
    assert (p.seat, p.battle) == (2, (3, "F01", "TOP LEFT"))


@pytest.mark.rules("T-TURN-3")
def test_a_card_must_be_played():
    p = position(seat(hand="V02 V03"), seat(), seat())
    assert p.legal() == {"UP V02", "UP V03", "DOWN V02", "DOWN V03"}
    p.do("UP V03", NO)
    assert (p.row(0), p.hand(0), p.seat) == (["V03"], {"V02"}, 1)
    # The new card is the rightmost of the Row.
    q = position(seat(hand="V02 V03", row="V20 V30"), seat(), seat()).do("DOWN V02", "TOP LEFT")
    assert q.row(0) == ["V20", "V30", "(V02)"]


@pytest.mark.rules("T-TURN-4", "T-RUNE-3")
@pytest.mark.parametrize("leader", [NO, YES])
@pytest.mark.parametrize("rune", [NO, YES])
def test_leader_and_rune_action_are_each_optional(leader, rune):
    p = position(seat(hand="V31 V03", row="V01", wood=1), seat(), seat())  # BUILD 1, then COLLECT 2 steel
    p.do("UP V31")
    assert (p.point, p.legal()) == ("DP-5", {YES, NO})
    p.do(leader)
    if leader == YES:
        p.do("BUILD BOAT_1", f"TO {min(p.then('BUILD BOAT_1').legal('TO'))}")
    assert (p.point, p.legal()) == ("DP-6", {YES, NO})
    p.do(rune)
    assert p.resources(0) == (0 if leader == YES else 1, 0, 2 if rune == YES else 0)
    assert p.seat == 1


@pytest.mark.rules("T-TURN-4")
def test_the_requirement_is_tested_after_the_leader_action():
    # V07 moves the only Settler off A4, and with it goes the HAGALAZ that its Rune Action needs.
    p = position(seat(hand="V07 V03", settlers="A4"), seat(settlers="A3"), seat(), holders={"A4": 0, "A3": 1})
    assert p.then("UP V07", NO).point == "DP-6"
    p.do("UP V07", YES, "A4>A1", NO)
    assert (p.holder("A1"), p.holder("A4"), p.seat, p.point) == (0, None, 1, "DP-3")


@pytest.mark.rules("T-TURN-5", "T-DED-1")
@pytest.mark.parametrize("play", ["UP", "DOWN"])
def test_a_village_may_be_dedicated_after_either_play(play):
    p = position(seat(hand="V02 V03", villages=2), seat(), seat(), raided="AD01 AD03")
    p.do(f"{play} V02", "TOP LEFT" if play == "DOWN" else NO)
    assert (p.seat, p.point) == (0, "DP-20")
    assert p.legal() == {"SPACE D1", "SPACE D2", "SPACE D3", "SPACE D4", "SPACE G1", "SPACE G2", "SPACE G3", NO}
    assert p.then(NO).seat == 1
    p.do("SPACE G1")
    # One in a turn.
    assert (p.seat, p.villages(0), p.spaces()) == (1, 1, {"G1": 1})


@pytest.mark.rules("T-TURN-6")
@pytest.mark.parametrize("era", [1, 3])
def test_a_battle_after_the_last_turn_is_resolved_before_the_era_ends(era):
    seats = seat(row="(V02)", hand=""), seat(row="(V22)", hand=""), seat(hand="V03")
    p = idle(position(*seats, turn=2, chieftain=0, battle=battle(0), era=era))
    assert p.favors(1) == {"F01"}
    assert (p.seat, p.point, p.era) == (0, "DP-21", era)
    p.do(NO)
    assert p.fury == (1, 0, 0)
    assert p.seat is None if era == 3 else (p.era, p.point) == (2, "DP-2")


@pytest.mark.rules("T-TURN-7")
def test_facedown_needs_a_battle_or_a_favor_card():
    board = {"top": "", "bottom": ""}
    p = position(seat(hand="V02 V03"), seat(), seat(), **board)
    assert p.legal() == {"UP V02", "UP V03"}
    p = position(seat(hand="V02 V03"), seat(), seat(row="(V22)"), **board, battle=battle(2))
    assert p.legal() == {"UP V02", "UP V03", "DOWN V02", "DOWN V03"}
    p = position(seat(hand="V02 V03"), seat(), seat(), top="", bottom="F03")
    assert p.legal("DOWN") == {"V02", "V03"}
    assert p.do("DOWN V02").battle == (0, "F03", "BOTTOM LEFT")  # the only end


# --- runes ----------------------------------------------------------------------------------------


@pytest.mark.rules("T-RUNE-1", "T-RUNE-4")
@pytest.mark.parametrize(
    ("row", "holds", "met"),
    [("", "", False), ("V17 V18", "", False), ("V02", "", False), ("V02 V03", "", True), ("V02", "A6", True),
     ("", "A1 A6", True), ("V17", "A1 A6", True), ("V17", "A1 A3", False)],
)  # fmt: skip
def test_active_runes_of_islands_and_cards(row, holds, met):
    # V16 needs three FEHU and counts itself.
    own = seat(hand="V16 V09", row=row, settlers=", ".join(holds.split()))
    p = position(own, seat(settlers="A2"), seat(), holders={island: 0 for island in holds.split()} | {"A2": 1})
    assert (p.do("UP V16", NO).point == "DP-6") == met


@pytest.mark.rules("T-RUNE-1")
def test_runes_are_not_spent():
    p = position(seat(hand="V31 V47 V05", row="V01 V17"), seat(hand="V12 V13"), seat(hand="V14 V15"))
    p.do("UP V31", NO, YES)
    idle(idle(p))
    p.do("UP V47", NO)  # needs one HAGALAZ
    assert p.do(YES).resources(0) == (2, 0, 2)


@pytest.mark.rules("T-RUNE-1", "T-CTRL-2")
def test_a_rune_without_control_is_not_active():
    # A tie on A6: nobody controls it.
    p = position(seat(hand="V01 V03", settlers="A6"), seat(settlers="A6"), seat())
    assert p.do("UP V01", NO).seat == 1
    p = position(seat(hand="V01 V03", settlers="A6"), seat(settlers="A6"), seat(), holders={"A6": 0})
    assert p.do("UP V01", NO).point == "DP-6"


@pytest.mark.rules("T-RUNE-2")
def test_a_revealed_card_counts_even_if_its_steel_was_not_paid():
    # V14 is out; V11 needs two FEHU.
    p = position(seat(row="(V14)", hand="V11 V03"), seat(), seat(), turn=2, battle=battle(0))
    p = idle(p)
    assert (p.row(0), p.seat) == (["V14"], 0)
    assert p.do("UP V11", NO).point == "DP-6"


@pytest.mark.rules("T-RUNE-3")
def test_the_card_just_played_counts():
    # V01 needs two FEHU.
    assert position(seat(hand="V01 V03", row="V02"), seat(), seat()).do("UP V01", NO).point == "DP-6"
    assert position(seat(hand="V01 V03"), seat(), seat()).do("UP V01", NO).seat == 1


@pytest.mark.rules("T-RUNE-4")
@pytest.mark.parametrize(("row", "met"), [("", False), ("V17", True), ("V33", True), ("V01", True)])
def test_any_runes(row, met):
    # V04 needs two of any type.
    p = position(seat(hand="V04 V03", row=row), seat(), seat()).do("UP V04", NO)
    assert (p.point == "DP-6") == met


@pytest.mark.rules("T-RUNE-5")
def test_passive_runes_are_never_active():
    p = position(seat(hand="V01 V03", favors="F10 F01"), seat(), seat()).do("UP V01", NO)
    assert p.seat == 1
    # Nor do they add to Strength: V03 has 3 + 1 for itself, less than 5.
    p = position(seat(row="(V03)", favors="F10 F02"), seat(row="(V22)"), seat(), turn=2, battle=battle(0, "F05"))
    assert idle(p).favors(1) == {"F05"}


# --- resources and fury ---------------------------------------------------------------------------


@pytest.mark.rules("T-RES-1")
def test_resources_stop_at_seven_and_costs_are_paid_in_full():
    p = position(seat(hand="V13 V03", wood=6), seat(), seat()).do("UP V13", YES, *["WOOD"] * 4)
    assert p.resources(0) == (7, 0, 0)
    p = position(seat(hand="V15 V03", wood=1), seat(), seat()).do("UP V15", YES)
    assert p.legal("BUILD") == {"BOAT_1"}


@pytest.mark.rules("T-RES-2")
def test_each_resource_of_a_gain_is_capped_by_itself():
    p = position(seat(hand="V18 V03", row="V33", wood=7, food=2), seat(), seat()).do("UP V18", NO, YES)
    assert p.resources(0) == (7, 3, 0)
    # A gain that is lost altogether may be taken.
    full = position(seat(hand="V11 V03", wood=7, food=7, steel=7), seat(), seat()).do("UP V11", YES)
    assert full.legal() == {"WOOD", "FOOD", "STEEL", NO}
    assert full.do("WOOD", "FOOD", "STEEL").resources(0) == (7, 7, 7)


@pytest.mark.rules("T-FURY-1")
def test_fury_does_not_fall_below_nothing():
    p = position(seat(row="(V22)"), seat(row="(V16)", steel=3), seat(), turn=2, battle=battle(0), fury=(0, 2, 0))
    p = idle(p).do(YES)
    assert p.legal() == {"FEHU +", "HAGALAZ +", "HAGALAZ -", "PERTHO +", NO}


@pytest.mark.rules("T-FURY-2")
def test_where_fury_comes_from():
    take = position(seat(hand="V07", settlers="A1"), seat(), seat()).do("UP V07", YES, NO)
    assert take.fury == (1, 0, 0)
    steal = position(seat(hand="V07", settlers="A1 2"), seat(settlers="A1"), seat(), holders={"A1": 1})
    assert steal.do("UP V07", YES, NO).fury == (1, 0, 0)
    loss = position(seat(row="(V37)"), seat(row="(V22)"), seat(), turn=2, battle=battle(0))
    assert idle(loss).do(NO).fury == (0, 0, 1)
    beaten = position(seat(row="(V06)"), seat(), seat(), turn=2, battle=battle(0), deck="V20")
    assert idle(beaten).fury == (0, 1, 0)
    dedicated = position(seat(hand="V01 V03", villages=1), seat(), seat(), raided="AD01")
    assert dedicated.do("UP V01", NO, "SPACE G3").fury == (0, 0, 2)


@pytest.mark.rules("T-FURY-3")
def test_fury_has_no_upper_end():
    p = position(seat(hand="V01 V03", villages=1), seat(), seat(), raided="AD01", fury=(19, 40, 59))
    p.do("UP V01", NO)
    assert p.then("SPACE G1").fury == (21, 40, 59)
    assert p.then("SPACE G2").fury == (19, 42, 59)
    assert p.then("SPACE G3").fury == (19, 40, 61)


# --- dedication -----------------------------------------------------------------------------------


@pytest.mark.rules("T-DED-2", "T-DED-6")
def test_god_mats_stand_for_the_runes_in_order():
    for gods in (("THOR", "ODIN", "FRIGG"), ("LOKI", "TYR", "FREYJA")):
        p = position(seat(hand="V01 V03", villages=1), seat(), seat(), raided="AD01", gods=gods).do("UP V01", NO)
        assert [p.then(f"SPACE G{k}").fury for k in (1, 2, 3)] == [(2, 0, 0), (0, 2, 0), (0, 0, 2)]


@pytest.mark.rules("T-DED-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_space_holds_as_many_villages_as_there_are_players(players):
    side = {2: "AD01 AD03 AD06 AD08 AD11 AD13 AD16", 3: "AD01 AD03 AD06 AD08 AD11 AD13 AD16"}
    raided = side.get(players, "BD01 BD03 BD06 BD08 BD11 BD13 BD16 BD18 BD21 BD22")
    seats = [seat(hand="V01 V03", villages=1), *[seat()] * (players - 1)]
    p = position(*seats, spaces={"D3": players - 1, "G2": players}, raided=raided)
    p.do("UP V01", NO)
    assert p.legal("SPACE") == {"D1", "D2", "D3", "D4", "G1", "G3"}
    p.do("SPACE D3")
    assert p.spaces() == {"D3": players, "G2": players}


@pytest.mark.rules("T-DED-3")
def test_spaces_are_never_emptied():
    p = position(
        seat(hand="V01"), seat(hand=""), seat(hand=""), spaces={"D3": 3, "G1": 1}, raided="AD01 AD03 AD06 AD08"
    )
    idle(p)
    assert (p.era, p.spaces()) == (2, {"D3": 3, "G1": 1})


@pytest.mark.rules("T-DED-4")
def test_actions_of_the_era_mat():
    own = seat(hand="V05 V03", villages=1, settlers="A1", boats="AF01", wood=3, food=3)
    p = position(own, seat(), seat(), raided="AD01", holders={"A1": 0}).do("UP V05", NO)
    sail = p.then("SPACE D1")
    assert sail.point == "DP-7"
    assert sail.then("BOAT 0", "TO AF07", "TO AD02", "MAT", "MAT").holder("A2") == 0  # 2 moves, up to 2 Settlers
    explore = p.then("SPACE D2")
    assert explore.point == "DP-12"
    assert explore.then("A1>A2", "A2>A4").holder("A4") == 0
    harvest = p.then("SPACE D3")
    assert harvest.then("STEEL", "STEEL", "STEEL").resources(0) == (3, 3, 3)
    build = p.then("SPACE D4")
    assert build.legal("BUILD") == {"BOAT_1", "BOAT_2", "BOAT_3"}
    assert build.then("BUILD BOAT_2", "TO AF02").wood(0) == 1
    for q in (sail, explore, harvest, build):
        assert (q.villages(0), sum(q.spaces().values())) == (0, 1)  # already on its space


@pytest.mark.rules("T-DED-5")
def test_a_village_raided_this_turn_may_be_dedicated_but_not_by_the_sail_that_raids():
    p = position(seat(hand="V02 V03", boats="AF07", steel=3), seat(), seat())
    p.do("UP V02", YES, "BOAT 0", "TO AD16", YES, NO)
    assert (p.seat, p.point, p.villages(0)) == (0, "DP-20", 1)
    p.do("SPACE D1", "BOAT 0", "TO AF07", "TO AD01", YES)
    assert (p.seat, p.villages(0), p.steel(0)) == (1, 1, 1)


# --- cleanup --------------------------------------------------------------------------------------


@pytest.mark.rules("T-CLEAN-1", "T-CLEAN-2")
@pytest.mark.parametrize("era", [1, 2])
def test_cleanup(era):
    own = seat(hand="V01", row="V20 V30", settlers="A1", boats="AF02 AF03", wood=3, steel=1, favors="F08", villages=1)
    other = seat(hand="", row="V21")
    p = position(own, other, seat(hand=""), holders={"A1": 0}, era=era, invaders="V47", fury=(3, 2, 1), raided="AD01")
    idle(p)
    assert p.era == era + 1
    assert [p.row(s) for s in range(3)] == [[], [], []]
    assert p.discard() == {"V01", "V20", "V30", "V21"}
    assert (p.invaders(), p.fury, p.holder("A1"), p.settlers("A1")) == ({"V47"}, (3, 2, 1), 0, {0: 1})
    assert (p.resources(0), p.boats(0), p.favors(0), p.villages(0)) == (
        (3, 0, 1),
        ["AF02", "AF03", None, None],
        {"F08"},
        1,
    )


@pytest.mark.rules("T-CLEAN-3")
@pytest.mark.parametrize(
    ("runes", "first", "chieftain"),
    [((0, 1, 1), 0, 1), ((1, 0, 1), 0, 2), ((1, 1, 0), 0, 0), ((0, 0, 0), 0, 0), ((0, 0, 0), 1, 1), ((0, 0, 2), 0, 2),
     ((0, 0, 2), 1, 1), ((2, 1, 1), 2, 2)],
)  # fmt: skip
def test_the_chieftain_is_left_of_who_has_fewest_runes(runes, first, chieftain):
    islands = iter(f"A{k}" for k in range(1, 7))
    held = [[next(islands) for _ in range(number)] for number in runes]
    last = (first - 1) % 3
    seats = [seat(settlers=", ".join(own), hand="V05" if s == last else "") for s, own in enumerate(held)]
    p = position(*seats, turn=last, chieftain=first, holders={i: s for s, own in enumerate(held) for i in own})
    assert idle(p).chieftain == chieftain
