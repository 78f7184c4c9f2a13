"""Section 15: the worked examples of the rules document, one by one."""

from __future__ import annotations

import pytest

from tests.raiders.positions import FREE_HALL, fresh, idle_turn, position, seat

HALL_PICK_UP = {f"BUILDING {building}" for building in FREE_HALL}
START_VILLAGE = {"gate_house": "black", "town_hall": "black", "treasury": "black"}


@pytest.mark.rules("R-SILV-1", "R-MILL-1", "R-MILL-2")
def test_w1_worker_colours():
    village = {"mill": "white", "gate_house": "black", "treasury": "black"}
    p = position(seat(crew="forager 2, jeweller"), seat(), village=village)
    p.do("BUILDING silversmith", "OPTION 0")
    assert p.silver(0) == 4
    p.do("BUILDING mill")
    assert p.then("OPTION 0").goods(0) == {"silver": 4, "provision": 4}
    assert p.then("OPTION 1").goods(0) == {"silver": 4, "gold": 1}


@pytest.mark.rules("R-TRE-1", "R-SUP-1", "R-SUP-2")
def test_w2_treasury_and_short_supply():
    village = {"gate_house": "black", "town_hall": "black", "mill": "black"}
    p = position(seat(hand="scout 3"), seat(), village=village, supply={"silver": 1, "gold": 0})
    p.do("BUILDING treasury")
    assert p.legal() == {"OPTION 0", "PASS"}
    p.do("OPTION 0")
    assert (p.goods(0), p.hand(0)) == ({"silver": 1}, {"scout": 2})


@pytest.mark.rules("R-LIMIT-1", "R-LIMIT-2")
def test_w3_limits():
    p = position(seat(silver=7, provision=8, hand="scout 3, warlord 3, archer 2"), seat())
    p.do("BUILDING silversmith", "OPTION 0")
    assert p.silver(0) == 10
    p.do("BUILDING gate_house", "OPTION 0")
    assert (p.hand_size(0), p.silver(0), p.provision(0), p.supply()["silver"]) == (10, 8, 8, 24)
    for _ in range(2):
        assert (p.seat, p.legal()) == (0, {f"HAND {kind}" for kind in p.hand(0)})
        p.do("HAND scout")
    assert (p.hand_size(0), p.silver(0), p.provision(0), p.seat) == (8, 8, 8, 1)


@pytest.mark.rules("R-BAR-2", "R-BAR-3", "R-BAR-5")
def test_w4_full_crew():
    p = position(seat(crew="recruiter, forager, berserker 2, huntsman", silver=3, hand="champion"), seat())
    p.do("BUILDING barracks")
    assert p.legal() == {"CREW forager", "CREW berserker", "CREW huntsman", "PASS"}
    hired = p.then("CREW forager")
    assert hired.silver(0) == 0
    assert hired.crew(0) == {"recruiter": 1, "berserker": 2, "huntsman": 1, "champion": 1}
    lost = p.then("CREW berserker")
    assert (lost.hand(0), lost.discard()) == ({}, {"berserker": 1})


@pytest.mark.rules("R-RAID-1", "R-RAID-8", "R-RAID-9")
def test_w5_harbour():
    own = {"crew": "warmonger 2, scout", "provision": 1}
    p = position(seat(worker="grey", **own), seat(), sets={"harbour_mid": ["iron", "iron"]})
    p.do("SETTLEMENT harbour_mid")
    assert (p.vp(0), p.provision(0), p.dice()) == (3, 0, [])
    white = position(seat(worker="white", **own), seat(), sets={"harbour_mid": ["iron", "iron"]})
    assert not white.legal("SETTLEMENT")


@pytest.mark.rules("R-RAID-4", "R-RAID-7", "R-RAID-9")
def test_w6_outpost():
    own = seat(crew="berserker, archer, huntsman", armour=4, provision=3, worker="grey")
    p = position(own, seat(), sets={"outpost_mid": ["iron", "iron"]}).do("SETTLEMENT outpost_mid", dice=[3])
    assert (p.vp(0), p.provision(0)) == (4, 1)


@pytest.mark.rules("R-RAID-7", "R-RAID-8")
def test_w7_monastery_threshold_exactly_met():
    own = seat(crew="armourer, shieldmaiden, scout", armour=2, provision=2, gold=1, worker="grey")
    p = position(own, seat(), sets={"monastery_west": ["iron", "iron"]}).do("SETTLEMENT monastery_west", dice=[4, 4])
    assert (p.vp(0), p.goods(0), p.armour(0)) == (7, {}, 2)


@pytest.mark.rules("R-RAID-2", "R-VALK-1", "R-VALK-4")
def test_w8_fortress_below_the_first_threshold():
    own = seat(crew="cartographer, barbarian, mercenary, gatekeeper", provision=2, gold=1, worker="white")
    p = position(own, seat(), sets={"fortress_mid": ["valkyrie 2"]}).do("SETTLEMENT fortress_mid", dice=[2, 4])
    assert (p.vp(0), p.goods(0)) == (0, {})
    p.do("CREW mercenary", "CREW cartographer")
    assert (p.vp(0), p.valkyrie(0), p.worker(0)) == (1, 2, "white")
    assert p.crew(0) == {"barbarian": 1, "gatekeeper": 1}
    strong = position(own, seat(), sets={"fortress_mid": ["valkyrie 2"]}).do("SETTLEMENT fortress_mid", dice=[3, 4])
    assert strong.vp(0) == 5  # 18: one more would have reached the threshold


@pytest.mark.rules("R-VALK-2", "R-VALK-4", "R-VALK-8")
def test_w9_more_valkyries_than_crew():
    p = position(
        seat(crew="berserker, gravedigger", provision=2),
        seat(),
        sets={"harbour_west": ["valkyrie 3, gold"]},
        supply={"gold": 1},
    )
    valkyries = p.supply()["valkyrie"]
    p.do("SETTLEMENT harbour_west")
    assert (p.vp(0), p.gold(0)) == (1, 1)
    p.do("CREW berserker")  # the Gravedigger is the only one left then
    assert (p.gold(0), p.supply()["gold"]) == (2, 0)
    assert (p.hand(0), p.discard(), p.crew(0)) == ({"berserker": 1}, {"gravedigger": 1}, {})
    assert (p.valkyrie(0), p.supply()["valkyrie"], p.seat) == (2, valkyries + 3, 1)


@pytest.mark.rules("R-END-1", "R-END-3", "R-END-4")
def test_w10_fortress_trigger():
    raider = {"crew": "berserker 4, sage", "provision": 3, "gold": 2, "worker": "white"}
    sets = {"fortress_west": ["iron", "iron"], "harbour_west": ["valkyrie"]}
    p = position(seat(), seat(**raider), seat(**raider), turn=1, sets=sets)
    p.do("SETTLEMENT fortress_west", "SET 0")
    assert (p.triggered, p.owner) == (True, 2)
    assert p.legal("SETTLEMENT") == {"fortress_west"}
    p.do("SETTLEMENT fortress_west")
    owners = [2]
    while p.seat is not None:
        owners.append(p.owner)
        idle_turn(p)
    assert owners == [2, 0, 1]


@pytest.mark.rules("R-LONG-2", "R-END-1", "R-END-4")
def test_w11_offering_trigger():
    buyer = {"worker": "grey", "silver": 8}
    p = position(seat(**buyer), seat(**buyer), display=(8, 11, 1), stack=[15])
    p.do("BUILDING long_house", "DISPLAY 0")
    assert (p.display(), p.stack()) == ([15, 11, 1], [])
    p.do("BUILDING treasury")
    assert (p.triggered, p.owner) == (True, 1)
    q = position(seat(), seat(iron=1, **buyer), display=(15, 11, 1), stack=[], turn=1, turns_left=2)
    q.do("BUILDING long_house", "DISPLAY 1")
    assert (q.display(), q.tiles(1)) == ([15, None, 1], {11})


@pytest.mark.rules("R-SCORE-2", "R-SCORE-3", "R-SCORE-4", "R-SCORE-5", "R-SCORE-6")
def test_w12_final_scoring():
    # Tiles of 4, 3 and 6 VP.
    own = seat(
        vp=41, valkyrie=6, armour=8, tiles=[0, 9, 6], crew="champion, trader, merchant", gold=2, iron=1, livestock=5
    )
    p = position(own, seat(), turn=1, turns_left=1)
    idle_turn(p)
    assert p.seat is None
    assert p.scores()[0] == 84


@pytest.mark.rules("R-SCORE-7")
@pytest.mark.parametrize(
    ("a", "b", "ranks"),
    [
        # 62 each: Valkyrie 5 is worth 7, 4 is worth 4; armour 6 and 7 are both worth 4.
        ({"vp": 55, "valkyrie": 5}, {"vp": 58, "valkyrie": 4}, [1, 2]),
        ({"vp": 51, "valkyrie": 5, "armour": 6}, {"vp": 51, "valkyrie": 5, "armour": 7}, [2, 1]),
        ({"vp": 51, "valkyrie": 5, "armour": 7}, {"vp": 51, "valkyrie": 5, "armour": 7}, [1, 1]),
    ],
)
def test_w13_ties(a, b, ranks):
    p = idle_turn(position(seat(**a), seat(**b), turn=1, turns_left=1))
    assert p.seat is None
    assert (p.scores(), p.ranks()) == ([62, 62], ranks)


@pytest.mark.rules("R-TH-14")
def test_w14_merchant():
    village = {"town_hall": "grey", "armoury": "grey", "gate_house": "black"}
    own = {"hand": "merchant, sage", "iron": 1, "livestock": 1}
    p = position(seat(worker="grey", **own), seat(), village=village)
    p.do("BUILDING mill", "OPTION 0", "BUILDING town_hall", "HAND merchant")
    # Neither Town Hall nor Mill; and the sage costs 2 silver at the Barracks, which A has not.
    assert p.legal("BUILDING") == {"gate_house", "treasury", "armoury", "silversmith", "long_house"}
    p.do("BUILDING armoury")
    assert (p.iron(0), p.armour(0), p.village()["armoury"]) == (0, 2, "grey")
    black = position(seat(**own), seat(), village=village | {"town_hall": "black"})
    black.do("BUILDING mill", "OPTION 0", "BUILDING town_hall", "HAND merchant")
    assert not {"BUILDING armoury", "BUILDING long_house"} & black.legal()


@pytest.mark.rules("R-TH-10")
def test_w15_mercenary():
    others = (seat(provision=2), seat(silver=3), seat())
    p = position(seat(hand="mercenary"), *others, village=FREE_HALL).do("BUILDING town_hall", "HAND mercenary")
    # No choice is left, so A is at the pick-up.
    assert (p.seat, p.legal()) == (0, HALL_PICK_UP)
    assert [p.goods(s) for s in range(4)] == [{"silver": 1, "provision": 1}, {"provision": 1}, {"silver": 2}, {}]
    both = position(seat(hand="mercenary"), seat(provision=2, silver=1), *others[1:], village=FREE_HALL)
    both.do("BUILDING town_hall", "HAND mercenary")
    assert (both.seat, both.legal()) == (1, {"RESOURCE silver", "RESOURCE provision"})


@pytest.mark.rules("R-LONG-1", "R-LONG-3")
def test_w16_sage_in_crew():
    own = {"worker": "grey", "livestock": 3, "gold": 1, "silver": 1}
    p = position(seat(crew="sage", **own), seat(), display=(4, 0, 1), stack=[7, 8])
    p.do("BUILDING long_house", "DISPLAY 0")
    assert (p.tiles(0), p.goods(0)) == ({4}, {"livestock": 1})
    assert p.legal() == {"OPTION 0", "PASS"}
    p.do("OPTION 0")
    assert p.goods(0) == {"provision": 2}
    without = position(seat(**own), seat(), display=(4, 0, 1)).do("BUILDING long_house")
    for name in ("DISPLAY 0", "OPTION 0"):
        assert without.then(name).legal() == {f"BUILDING {building}" for building in START_VILLAGE}


@pytest.mark.rules("R-SUP-1")
def test_w17_short_supply_of_provisions():
    p = position(seat(worker="white", crew="forager"), seat(), supply={"provision": 1})
    assert p.do("BUILDING mill", "OPTION 0").provision(0) == 1


@pytest.mark.rules("R-ARM-2", "R-SCORE-3")
def test_w18_armour_cap():
    p = position(seat(worker="grey", armour=9, iron=1, silver=2), seat()).do("BUILDING armoury")
    assert (p.then("OPTION 0").armour(0), p.then("OPTION 1").armour(0)) == (10, 10)
    full = position(seat(worker="grey", armour=10, iron=1, silver=2), seat()).do("BUILDING armoury")
    assert not full.legal("OPTION")
    p = idle_turn(position(seat(armour=10), seat(), turn=1, turns_left=1))
    assert p.scores() == [6, 0]


@pytest.mark.rules("R-SETUP-6", "R-SETUP-7", "R-SETUP-8", "R-SETUP-9", "R-WORK-1")
def test_w19_setup_with_three_players():
    p = fresh(3)
    assert sum(p.hand_size(s) for s in range(3)) == 15
    while not p.at_turn_start:
        p.do(min(p.legal()))
    assert (p.pile_size(), sum(p.hand_size(s) for s in range(3))) == (62, 9)
    assert p.supply()["silver"] == 26
    assert p.village() == START_VILLAGE
    assert p.legal() == {"BUILDING barracks", "BUILDING mill", "BUILDING silversmith"}


@pytest.mark.rules("R-WORK-5", "R-TH-14")
def test_w20_once_per_turn():
    village = {"silversmith": "black", "gate_house": "black", "mill": "black"}
    p = position(seat(hand="merchant, sage", worker="white"), seat(), village=village)
    p.do("BUILDING town_hall", "HAND merchant", "BUILDING silversmith")
    assert p.silver(0) == 2
    p.do("BUILDING silversmith")
    assert (p.silver(0), p.worker(0), p.seat) == (2, "black", 1)


@pytest.mark.rules("R-END-3", "R-END-4", "R-LONG-2", "R-LONG-3")
def test_w21_refill_in_the_final_round():
    buyer = {"worker": "grey", "silver": 8}
    p = position(
        seat(),
        seat(crew="sage", gold=1, **buyer),
        seat(iron=1, **buyer),
        turn=1,
        turns_left=2,
        display=(8, 12, 11),
        stack=[6, 7],
    )
    p.do("BUILDING long_house", "DISPLAY 0", "DISPLAY 1")
    assert (p.display(), p.stack(), p.tiles(1)) == ([6, 7, 11], [], {8, 12})
    p.do("BUILDING treasury")
    assert (p.owner, p.seat) == (2, 2)
    # B's worker stands on the Long House now; C's purchase is shown where it is free.
    q = position(seat(), seat(), seat(iron=1, **buyer), turn=2, turns_left=1, display=(6, 7, 11), stack=[])
    q.do("BUILDING long_house", "DISPLAY 2")
    assert q.display() == [6, 7, None]
    q.do("BUILDING treasury")
    assert q.seat is None
    # Nothing more was triggered: after B's turn only C's is left.
    idle_turn(p)
    assert p.seat is None


@pytest.mark.rules("R-TH-15")
def test_w22_sage_with_a_short_stack():
    board = {"village": FREE_HALL, "display": (9, 10, 11)}
    p = position(seat(hand="sage"), seat(), stack=[8], **board).do("BUILDING town_hall", "HAND sage")
    assert (p.display(), p.stack()) == ([8, 9, 10], [11])
    empty = position(seat(hand="sage"), seat(), stack=[], **board).do("BUILDING town_hall")
    assert not empty.legal("HAND")


@pytest.mark.rules("R-TH-3", "R-TH-4", "R-TH-16", "R-LIMIT-1")
def test_w23_scout():
    village = {"town_hall": "black", "gate_house": "black", "treasury": "black"}
    own = seat(hand="scout, archer, armourer 2, brawler 2, sage")
    p = position(
        own, seat(hand="folke, jeweller, huntsman"), seat(),
        village={"town_hall": "black", "mill": "black", "treasury": "black"}, pile="warlord, trader",
    )  # fmt: skip
    p.do("BUILDING gate_house", "OPTION 0")
    assert p.hand_size(0) == 9
    p.do("BUILDING town_hall", "HAND scout")
    assert p.hand_size(0) == 8
    # Only B may be chosen, which plays itself.
    assert (p.seat, p.legal()) == (0, {"COUNT 1", "COUNT 2", "COUNT 3"})
    p.do("COUNT 3", "HAND archer", "HAND brawler", "HAND sage")
    # B gives all three cards, whatever their order.
    while p.seat == 1 and not p.at_turn_start:
        p.do(min(p.legal()))
    assert p.hand(1) == {"archer": 1, "brawler": 1, "sage": 1}
    assert p.hand(0) == {
        "armourer": 2, "brawler": 1, "warlord": 1, "trader": 1, "folke": 1, "jeweller": 1, "huntsman": 1
    }  # fmt: skip
    assert (p.hand_size(0), p.owner) == (8, 1)  # nobody discarded
    alone = position(seat(hand="scout"), seat(hand="folke, jeweller, huntsman"), seat(), village=village)
    alone.do("BUILDING mill", "PASS", "BUILDING town_hall")
    assert (alone.owner, alone.hand(0)) == (1, {"scout": 1})
