"""Section 19: the worked examples of the rules document, one by one."""

from __future__ import annotations

import pytest

from tests.tiny_epic_vikings.positions import boats_placed, fresh, idle, position, seat

NO, YES = "STOP", "YES"


@pytest.mark.rules("T-BATTLE-5", "T-BATTLE-9", "T-BATTLE-11", "T-BATTLE-12", "T-FAVOR-2")
def test_we1_three_fighters():
    p = position(
        seat(hand="V02 V03"), seat(hand="V22 V21"), seat(hand="V37 V36"), top="F01 F02 F03 F04 F05", fury=(3, 2, 0)
    )
    p.do("DOWN V02", "TOP LEFT", "DOWN V22", "DOWN V37")
    assert p.favors(1) == {"F01"}
    assert p.resources(1) == (1, 1, 1)
    assert (p.seat, p.point, p.legal()) == (0, "DP-21", {YES, NO})
    assert p.fury == (3, 2, 0)
    p.do(NO)
    assert (p.seat, p.point, p.fury) == (2, "DP-21", (4, 2, 0))
    p.do(NO)
    assert (p.seat, p.point, p.fury) == (0, "DP-3", (4, 2, 1))


@pytest.mark.rules("T-BATTLE-10", "T-BATTLE-11")
def test_we2_tie_on_top():
    p = position(
        seat(hand="V18 V19"), seat(hand="V11 V12"), seat(hand="V36 V37"), bottom="F02 F03 F04 F05", top="F06 F07"
    )
    p.do("DOWN V18", "BOTTOM RIGHT")
    assert p.bottom() == ["F02", "F03", "F04"]
    p.do("DOWN V11", "DOWN V36")
    assert p.bottom() == ["F02", "F03", "F04", "F05"]
    for loser in range(3):
        assert (p.seat, p.point) == (loser, "DP-21")
        p.do(NO)
    assert p.fury == (1, 1, 1)
    assert [p.favors(s) for s in range(3)] == [set()] * 3


def lone_thora(**board):
    """P1 fights alone with V19; P0's turn goes by, so that the battle is resolved."""
    battle = {"starter": 1, "favor": "F07", "end": "TOP LEFT"}
    thora = seat(row="V27 (V19)", settlers="A3")
    return idle(position(seat(), thora, seat(), holders={"A3": 1}, battle=battle, **board))


@pytest.mark.rules("T-INV-2", "T-INV-4", "T-BATTLE-7", "T-BATTLE-8")
def test_we3_lone_fighter_rune_boosts():
    p = lone_thora(invaders="V33 V34", deck="V10")
    assert p.favors(1) == {"F07"}
    assert p.fury == (1, 0, 0)
    assert p.invaders() == {"V33", "V34", "V10"}
    # With a third Invader before it the revealed one has Strength 6, and that is a tie.
    p = lone_thora(invaders="V33 V34 V35", deck="V10")
    assert (p.favors(1), p.seat, p.point) == (set(), 1, "DP-21")


@pytest.mark.rules("T-INV-2", "T-INV-6")
def test_we4_lone_fighter_tie():
    p = lone_thora(deck="V09", top="F01 F02", bottom="F03")
    assert (p.favors(1), p.top()) == (set(), ["F07", "F01", "F02"])
    assert (p.seat, p.point, p.fury) == (1, "DP-21", (0, 0, 0))
    p.do(NO)
    assert p.fury == (1, 1, 0)


@pytest.mark.rules("T-BATTLE-6", "T-BATTLE-13", "T-INV-3")
def test_we5_steel_unpaid():
    battle = {"starter": 0, "favor": "F01", "end": "TOP LEFT"}
    seats = seat(row="(V14)", steel=1, hand="V11 V03"), seat(row="(V28)", steel=3), seat()
    p = idle(position(*seats, turn=2, battle=battle, deck="V44"))
    assert p.favors(1) == {"F01"}
    assert (p.steel(0), p.resources(1)) == (1, (1, 1, 4))
    assert p.fury == (0, 0, 1)
    assert (p.row(0), p.seat, p.point) == (["V14"], 0, "DP-3")
    # It gives P0 one FEHU, which with V11's own meets what V11's Rune Action needs.
    assert p.do("UP V11", NO).point == "DP-6"


@pytest.mark.rules("T-BATTLE-6", "T-BATTLE-9")
def test_we6_steel_paid_by_both():
    battle = {"starter": 0, "favor": "F06", "end": "TOP LEFT"}
    p = idle(position(seat(row="(V16)", steel=4), seat(row="(V25)", steel=1), seat(), turn=2, battle=battle))
    assert (p.resources(0), p.steel(1), p.favors(0)) == ((2, 1, 1), 0, {"F06"})
    assert (p.seat, p.point) == (1, "DP-21")
    assert p.do(NO).fury == (0, 1, 0)


@pytest.mark.rules("T-DEPLOY-1", "T-ATTACK-1", "T-CTRL-4")
def test_we7_steal_with_boat_and_attack():
    p = position(
        seat(boats="AF08", food=3, hand="V02 V03"), seat(settlers="A2", temples="A2"), seat(), holders={"A2": 1}
    )
    p.do("UP V02", YES, "BOAT 0", "TO AD18", "MAT", "MAT", "MAT")
    assert (p.food(0), p.settlers("A2"), p.temples("A2")) == (0, {0: 3}, {1: 1})
    assert (p.point, p.holder("A2"), p.on_mat(1)) == ("DP-8", 1, 6)
    p.do(NO)
    assert (p.holder("A2"), p.fury) == (0, (0, 0, 1))


@pytest.mark.rules("T-CTRL-2")
def test_we8_bootless_boat_blocks():
    for steps, taken in ((0, False), (1, False), (2, True)):
        p = position(seat(settlers="A6, A5 3", hand="V07 V03"), seat(boats="AD08"), seat(), holders={"A5": 0})
        p.do("UP V07", YES, *["A5>A6"] * steps, NO)
        assert p.settlers("A6") == {0: 1 + steps}
        assert (p.holder("A6"), p.fury) == ((0, (1, 0, 0)) if taken else (None, (0, 0, 0)))


@pytest.mark.rules("T-CTRL-5", "T-CTRL-7")
def test_we9_boots_lost():
    p = position(
        seat(), seat(settlers="A4", boats="AD12"), seat(settlers="A4", row="V02", hand="V01"), turn=2, holders={"A4": 1}
    )
    p.do("UP V01", NO, YES, "SMITE A4 +2")
    assert p.settlers("A4") == {2: 1}
    assert (p.holder("A4"), p.fury, p.on_mat(1)) == (None, (0, 0, 0), 6)


@pytest.mark.rules("T-EXPL-1", "T-ATTACK-3", "T-CTRL-4")
def test_we10_explore_attack_without_control_change():
    p = position(
        seat(settlers="B2 2, B6", hand="V07"),
        seat(settlers="B5 2", boats="BD23"),
        seat(settlers="B5"),
        seat(),
        holders={"B5": 1},
    )
    p.do("UP V07", YES, "B2>B5", "B2>B5", "B6>B5")
    assert p.settlers("B5") == {0: 3, 1: 1}
    assert (p.holder("B5"), p.fury) == (1, (0, 0, 0))


@pytest.mark.rules("T-HARV-1", "T-HARV-2", "T-HARV-3", "T-RES-1")
def test_we11_harvest_at_the_cap():
    p = position(
        seat(boats="AF01 AF01 AF02", temples="A5", wood=6, food=6, steel=2, hand="V11"),
        seat(),
        seat(),
        holders={"A5": 0},
    )
    p.do("UP V11", YES)
    assert p.resources(0) == (6, 7, 2)
    p.do("WOOD", "STEEL", "STEEL")
    assert (p.seat, p.point) == (0, "DP-13")
    p.do("STEEL")
    assert p.resources(0) == (7, 7, 5)
    assert (p.seat, p.point) == (1, "DP-3")


@pytest.mark.rules("T-FAVOR-2", "T-FAVOR-3")
def test_we12_fourth_favor_card():
    battle = {"starter": 2, "favor": "F02", "end": "TOP LEFT"}
    p = position(
        seat(row="(V02)"),
        seat(),
        seat(row="(V38)", food=5, favors="F04 F10 F15", hand="V03"),
        turn=1,
        battle=battle,
        top="F01",
        bottom="F05 F06",
    )
    idle(p)
    assert (p.seat, p.point, p.food(2)) == (2, "DP-23", 7)
    assert p.legal() == {"FAVOR F02", "FAVOR F04", "FAVOR F10", "FAVOR F15"}
    p.do("FAVOR F10")
    assert p.legal() == {"TOP LEFT", "TOP RIGHT", "BOTTOM LEFT", "BOTTOM RIGHT"}
    p.do("BOTTOM RIGHT")
    assert (p.favors(2), p.bottom(), p.food(2)) == ({"F02", "F04", "F15"}, ["F05", "F06", "F10"], 7)
    # The loser's Boon comes after it; then F10 can be fought for again.
    assert (p.seat, p.point) == (0, "DP-21")
    p.do(NO, "DOWN V03", "BOTTOM RIGHT")
    assert p.battle == (2, "F10", "BOTTOM RIGHT")


@pytest.mark.rules("T-SCORE-1", "T-SCORE-2")
@pytest.mark.parametrize(("fury", "score"), [((7, 7, 3), 23), ((5, 5, 5), 18), ((9, 4, 4), 24)])
def test_we13_equal_fury(fury, score):
    own = seat(settlers="A1, A6, A2", favors="F01 F11")
    p = position(own, seat(), seat(), holders={"A1": 0, "A6": 0, "A2": 0}, fury=fury)
    assert p.scores() == [score, 0, 0]


@pytest.mark.rules("T-CLEAN-3")
@pytest.mark.parametrize(("runes", "chieftain"), [((2, 0, 2, 1), 2), ((1, 2, 2, 1), 1)])
def test_we14_next_chieftain(runes, chieftain):
    islands = iter(f"B{k}" for k in range(1, 10))
    held = [[next(islands) for _ in range(number)] for number in runes]
    seats = [seat(settlers=", ".join(own), hand="V01" if s == 1 else "") for s, own in enumerate(held)]
    p = position(
        *seats, turn=1, chieftain=2, holders={island: s for s, own in enumerate(held) for island in own}, era=1
    )
    idle(p)
    assert (p.era, p.chieftain, p.seat, p.point) == (2, chieftain, chieftain, "DP-2")


@pytest.mark.rules("T-SAIL-1", "T-SAIL-2", "T-SAIL-3", "T-SAIL-4", "T-SAIL-5", "T-RAID-1", "T-CTRL-2")
def test_we15_sail_displace_deploy_raid():
    p = position(seat(boats="AF01", food=2, steel=2, hand="V02 V03"), seat(boats="AD16"), seat(), era=2)
    p.do("UP V02", YES, "BOAT 0", "TO AF07", "TO AD16")
    assert (p.seat, p.point, p.legal()) == (1, "DP-9", {"TO AF07", "TO AF10"})
    p.do("TO AF10", "MAT", "MAT")
    assert (p.seat, p.point, p.food(0)) == (0, "DP-11", 0)
    p.do(YES)
    assert (p.steel(0), p.villages(0), p.boats(1)[0]) == (0, 1, "AF10")
    assert "AD16" not in p.docks_with_village()
    assert (p.holder("A2"), p.fury) == (0, (0, 0, 1))
    assert (p.point, p.legal("TO")) == ("DP-8", {"AF07", "AF10"})


@pytest.mark.rules("T-TURN-4", "T-RUNE-1")
def test_we16_leader_action_unlocks_the_rune_action():
    p = position(seat(settlers="A1 2", hand="V07 V03"), seat(settlers="A5"), seat(), holders={"A1": 0, "A5": 1})
    assert p.then("UP V07", NO).seat == 1
    p.do("UP V07", YES, "A1>A4", NO)
    assert (p.holder("A4"), p.holder("A1"), p.fury) == (0, 0, (0, 1, 0))
    assert (p.seat, p.point) == (0, "DP-6")
    p.do(YES)
    assert p.legal() == {"SMITE A5 +1", NO}


@pytest.mark.rules("T-DRAFT-6", "T-2P-6")
def test_we17_two_player_draft():
    p = boats_placed(fresh(2))
    sizes = lambda: ([len(p.pack(s)) for s in range(2)], len(p.enemy_pack()), len(p.discard()))  # noqa: E731
    assert sizes() == ([4, 4], 3, 0)
    assert len(p.deck()) == 37
    for after in (([3, 3], 2, 1), ([2, 2], 1, 2)):
        for _ in range(2):
            p.do(f"PICK {min(p.legal('PICK'))}")
        assert sizes() == after
    for _ in range(2):
        p.do(f"PICK {min(p.legal('PICK'))}")
    assert [len(p.hand(s)) for s in range(2)] == [4, 4]
    assert sizes() == ([0, 0], 0, 3)
    assert p.point == "DP-3"


@pytest.mark.rules("T-SCORE-3")
def test_we18_final_tie():
    # Fury 9/4/4: FEHU 6 and 4, the others 4 and 2. P0 6 + 4 + 4 and 4 + 4 + 2, P1 4 + 4 + 4 and 2 + 2 + 8.
    p = position(
        seat(settlers="B1, B2, B3", temples="B1 2", favors="F01 F13", wood=7),
        seat(settlers="B4, B6, B7", favors="F04 F05 F10"),
        seat(),
        seat(),
        holders={"B1": 0, "B2": 0, "B3": 0, "B4": 1, "B6": 1, "B7": 1},
        fury=(9, 4, 4),
    )
    assert p.scores() == [24, 24, 0, 0]
    assert p.ranks()[:2] == [2, 1]


@pytest.mark.rules("T-ENTER-1", "T-ENTER-2", "T-ENTER-3", "T-BATTLE-3")
def test_we19_enter_a_battle():
    battle = {"starter": 2, "favor": "F01", "end": "TOP LEFT"}
    p = position(
        seat(hand="V09 V03", settlers="A1", steel=1, villages=1),
        seat(),
        seat(row="(V02)"),
        holders={"A1": 0},
        battle=battle,
    )
    p.do("UP V09", YES, "WOOD", "WOOD", YES)
    assert (p.row(0), p.battle) == (["(V09)"], (2, "F01", "TOP LEFT"))
    assert (p.seat, p.point) == (0, "DP-20")
    assert all(p.redrawn(1, s).row(0) == ["(V09)"] for s in range(20))
    assert {p.redrawn(1, s).row(2)[0] for s in range(20)} != {"(V02)"}
    p.do(NO)
    assert (p.steel(0), p.seat) == (1, 1)
    idle(p)
    assert (p.steel(0), p.favors(0), p.row(0)) == (1, {"F01"}, ["V09"])  # 1 paid, 1 in the bag
    assert (p.seat, p.point) == (2, "DP-21")
