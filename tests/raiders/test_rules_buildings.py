"""Section 5: the actions of the buildings."""

from __future__ import annotations

import pytest

from tests.raiders.positions import DECK, observation, position, read, seat

GATE_FREE = {"town_hall": "black", "treasury": "black", "mill": "black"}
TREASURY_FREE = {"town_hall": "black", "gate_house": "black", "mill": "black"}
CREW_OF_FIVE = "forager, jeweller, huntsman, sage, mercenary"


# --- Gate House -----------------------------------------------------------------------------------


@pytest.mark.rules("R-GATE-1", "R-CREW-4")
@pytest.mark.parametrize(("crew", "cards"), [("", 2), ("gatekeeper", 3), ("gatekeeper 4", 6), ("forager", 2)])
def test_the_gate_house_draws_two_cards_and_one_per_gatekeeper(crew, cards):
    p = position(
        seat(crew=crew, hand="folke"),
        seat(),
        village=GATE_FREE,
        pile="scout, sage, trader, warlord, archer, brawler, champion",
    )
    pile = p.pile_size()
    p.do("BUILDING gate_house")
    # All or none of them.
    assert p.legal() == {"OPTION 0", "PASS"}
    p.do("OPTION 0")
    drawn = ["scout", "sage", "trader", "warlord", "archer", "brawler"][:cards]
    assert p.hand(0) == {"folke": 1} | dict.fromkeys(drawn, 1)
    assert p.pile_size() == pile - cards


# --- Treasury -------------------------------------------------------------------------------------


@pytest.mark.rules("R-TRE-1")
def test_the_treasury_takes_one_card_for_two_silver_or_two_for_one_gold():
    p = position(seat(hand="folke, scout 2"), seat(), village=TREASURY_FREE).do("BUILDING treasury")
    assert p.legal() == {"OPTION 0", "OPTION 1", "PASS"}
    one = p.then("OPTION 0")
    assert one.legal() == {"HAND folke", "HAND scout"}
    one.do("HAND folke")
    assert (one.goods(0), one.hand(0), one.discard()) == ({"silver": 2}, {"scout": 2}, {"folke": 1})
    two = p.then("OPTION 1", "HAND folke")
    # The second card is a scout, whichever; it plays itself.
    assert (two.goods(0), two.hand(0), two.discard()) == ({"gold": 1}, {"scout": 1}, {"folke": 1, "scout": 1})
    # Once, and not both: what comes next is the pick-up.
    for after in (one, two):
        assert after.legal() == {f"BUILDING {b}" for b in TREASURY_FREE}
    assert p.supply()["silver"] - one.supply()["silver"] == 2
    assert p.supply()["gold"] - two.supply()["gold"] == 1


@pytest.mark.rules("R-TRE-1")
@pytest.mark.parametrize(
    ("hand", "supply", "options"),
    [
        ("scout", {}, {"0"}),
        ("scout 2", {}, {"0", "1"}),
        ("scout 2", {"gold": 0}, {"0"}),
        ("scout 2", {"silver": 0}, {"1"}),
        ("scout", {"silver": 0}, set()),
        ("", {}, set()),
    ],
)
def test_what_the_treasury_offers(hand, supply, options):
    p = position(seat(hand=hand), seat(), village=TREASURY_FREE, supply=supply).do("BUILDING treasury")
    assert p.legal("OPTION") == options


# --- Barracks -------------------------------------------------------------------------------------


@pytest.mark.rules("R-BAR-1")
def test_a_card_is_hired_for_its_cost():
    p = position(seat(hand="champion, warlord, archer, jeweller", silver=3), seat()).do("BUILDING barracks")
    assert p.legal() == {"HAND archer", "HAND jeweller", "PASS"}
    p.do("HAND archer")
    assert (p.silver(0), p.crew(0), p.supply()["silver"]) == (0, {"archer": 1}, 32)
    assert p.hand(0) == {"champion": 1, "warlord": 1, "jeweller": 1}
    assert p.legal("HAND") == set()  # one card


@pytest.mark.rules("R-BAR-1")
@pytest.mark.parametrize("kind", DECK)
def test_every_card_costs_what_is_printed(kind):
    cost = {row["key"]: row["hire_cost"] for row in read("townsfolk")}[kind]
    poor = position(seat(hand=kind, silver=cost - 1), seat()).do("BUILDING barracks")
    assert not poor.legal("HAND")
    p = position(seat(hand=kind, silver=cost), seat()).do("BUILDING barracks", f"HAND {kind}")
    assert (p.silver(0), p.crew(0), p.hand(0)) == (0, {kind: 1}, {})


@pytest.mark.rules("R-BAR-2")
def test_one_crew_member_may_be_discarded_first_and_must_be_when_there_are_five():
    few = position(seat(hand="archer", crew="forager, berserker", silver=9), seat()).do("BUILDING barracks")
    assert few.legal() == {"HAND archer", "CREW forager", "CREW berserker", "PASS"}
    few.do("CREW berserker")
    # The hire that must follow is the only thing left and plays itself; no death: the berserker is not in hand.
    assert (few.crew(0), few.hand(0), few.discard()) == ({"forager": 1, "archer": 1}, {}, {"berserker": 1})
    full = position(seat(hand="archer", crew=CREW_OF_FIVE, silver=9), seat()).do("BUILDING barracks")
    assert full.legal() == {f"CREW {kind}" for kind in ("forager", "jeweller", "huntsman", "sage", "mercenary")} | {
        "PASS"
    }
    full.do("CREW mercenary")
    assert (sum(full.crew(0).values()), full.crew(0)["archer"], full.vp(0)) == (5, 1, 0)


@pytest.mark.rules("R-BAR-2")
def test_only_one_crew_member_is_discarded_per_hire():
    p = position(seat(hand="archer, scout", crew="forager, berserker", silver=9), seat())
    p.do("BUILDING barracks", "CREW forager")
    assert p.legal() == {"HAND archer", "HAND scout"}


@pytest.mark.rules("R-BAR-2")
def test_a_gravedigger_discarded_for_a_hire_brings_no_gold():
    p = position(seat(hand="archer", crew="gravedigger", silver=3), seat()).do("BUILDING barracks", "CREW gravedigger")
    assert (p.gold(0), p.crew(0)) == (0, {"archer": 1})


@pytest.mark.rules("R-BAR-3", "R-CREW-2", "R-CREW-3")
@pytest.mark.parametrize(
    ("recruiters", "kind", "price"), [(1, "champion", 3), (2, "champion", 2), (3, "archer", 0), (3, "jeweller", 0)]
)
def test_each_recruiter_lowers_the_price_but_not_below_zero(recruiters, kind, price):
    crew = f"recruiter {recruiters}"
    p = position(seat(hand=kind, crew=crew, silver=price), seat()).do("BUILDING barracks", f"HAND {kind}")
    assert (p.silver(0), p.crew(0)[kind]) == (0, 1)
    if price:
        poor = position(seat(hand=kind, crew=crew, silver=price - 1), seat()).do("BUILDING barracks")
        assert not poor.legal("HAND")


@pytest.mark.rules("R-BAR-3")
def test_a_recruiter_who_is_discarded_does_not_help():
    crew = "recruiter, forager, jeweller, sage, huntsman"
    rich = position(seat(hand="champion", crew=crew, silver=4), seat())
    assert "recruiter" in rich.do("BUILDING barracks").legal("CREW")
    assert rich.then("CREW recruiter").silver(0) == 0
    assert rich.then("CREW forager").silver(0) == 1
    poor = position(seat(hand="champion", crew=crew, silver=3), seat()).do("BUILDING barracks")
    assert poor.legal() == {"PASS", "CREW forager", "CREW jeweller", "CREW sage", "CREW huntsman"}


@pytest.mark.rules("R-BAR-4")
def test_several_crew_of_one_kind_but_one_hero():
    p = position(seat(hand="archer, folke", crew="archer, brynjar", silver=9), seat()).do("BUILDING barracks")
    assert p.legal("HAND") == {"archer"}
    assert p.then("HAND archer").crew(0) == {"archer": 2, "brynjar": 1}
    # The other hero gives way.
    heroes = p.then("CREW brynjar")
    assert heroes.legal() == {"HAND archer", "HAND folke"}
    assert heroes.do("HAND folke").crew(0) == {"archer": 1, "folke": 1}
    # A discard of somebody else leaves the hero there.
    p.do("CREW archer")
    assert p.crew(0) == {"archer": 1, "brynjar": 1}
    assert p.hand(0) == {"folke": 1}


@pytest.mark.rules("R-BAR-5")
def test_a_discard_is_legal_only_if_a_hire_follows():
    nothing = position(seat(hand="champion", crew="forager", silver=3), seat()).do("BUILDING barracks")
    assert not nothing.legal("CREW")
    # Only the hero in the way may go.
    p = position(seat(hand="folke", crew="forager, brynjar", silver=9), seat()).do("BUILDING barracks")
    assert p.legal() == {"CREW brynjar", "PASS"}
    # After it the hire is mandatory.
    p = position(seat(hand="archer, sage", crew="forager", silver=9), seat()).do("BUILDING barracks", "CREW forager")
    assert "PASS" not in p.legal()


# --- Armoury --------------------------------------------------------------------------------------


@pytest.mark.rules("R-ARM-1")
@pytest.mark.parametrize("worker", ["grey", "white"])
def test_the_armoury_takes_one_iron_for_two_or_two_silver_for_one(worker):
    p = position(seat(worker=worker, iron=1, silver=4), seat()).do("BUILDING armoury")
    assert p.legal() == {"OPTION 0", "OPTION 1", "PASS"}
    iron, silver = p.then("OPTION 0"), p.then("OPTION 1")
    assert (iron.armour(0), iron.goods(0)) == (2, {"silver": 4})
    assert (silver.armour(0), silver.goods(0)) == (1, {"iron": 1, "silver": 2})
    assert iron.legal() == silver.legal() == {"BUILDING gate_house", "BUILDING town_hall", "BUILDING treasury"}
    assert iron.supply()["iron"] == p.supply()["iron"] + 1


@pytest.mark.rules("R-ARM-2")
@pytest.mark.parametrize(("armour", "after_iron"), [(7, 9), (8, 10), (9, 10)])
def test_armour_stops_at_ten(armour, after_iron):
    p = position(seat(worker="grey", iron=1, silver=2, armour=armour), seat()).do("BUILDING armoury")
    assert p.legal("OPTION") == {"0", "1"}
    assert p.then("OPTION 0").armour(0) == after_iron
    assert p.then("OPTION 1").armour(0) == armour + 1


@pytest.mark.rules("R-ARM-2")
def test_at_ten_the_armoury_offers_nothing():
    p = position(seat(worker="grey", iron=1, silver=2, armour=10), seat()).do("BUILDING armoury")
    assert p.legal() == {"BUILDING gate_house", "BUILDING town_hall", "BUILDING treasury"}


# --- Mill and Silversmith -------------------------------------------------------------------------


@pytest.mark.rules("R-MILL-1", "R-MILL-2", "R-CREW-4")
@pytest.mark.parametrize("foragers", [0, 1, 3])
@pytest.mark.parametrize(("worker", "provision"), [("black", 1), ("grey", 2), ("white", 2)])
def test_the_mill_gives_provisions_and_one_more_per_forager(worker, provision, foragers):
    p = position(seat(worker=worker, crew=f"forager {foragers}" if foragers else ""), seat()).do("BUILDING mill")
    assert p.legal("OPTION") == ({"0", "1"} if worker == "white" else {"0"})
    assert p.then("OPTION 0").goods(0) == {"provision": provision + foragers}
    if worker == "white":
        assert p.then("OPTION 1").goods(0) == {"gold": 1}  # never with gold


@pytest.mark.rules("R-SILV-1", "R-CREW-4")
@pytest.mark.parametrize("jewellers", [0, 2])
@pytest.mark.parametrize(("worker", "silver"), [("black", 3), ("grey", 2), ("white", 2)])
def test_the_silversmith_gives_silver_and_one_more_per_jeweller(worker, silver, jewellers):
    p = position(seat(worker=worker, crew=f"jeweller {jewellers}" if jewellers else ""), seat())
    p.do("BUILDING silversmith")
    assert p.legal() == {"OPTION 0", "PASS"}
    assert p.do("OPTION 0").goods(0) == {"silver": silver + jewellers}


# --- Long House -----------------------------------------------------------------------------------


@pytest.mark.rules("R-LONG-1")
@pytest.mark.parametrize("worker", ["grey", "white"])
def test_the_long_house_feeds_livestock_or_makes_one_offering(worker):
    p = position(seat(worker=worker, livestock=4, silver=1), seat(), display=(2, 8, 5)).do("BUILDING long_house")
    # Tile 2: 3 livestock and 1 silver; tile 8: 4 silver; tile 5: gold and iron.
    assert p.legal() == {"OPTION 0", "DISPLAY 0", "PASS"}
    fed, offered = p.then("OPTION 0"), p.then("DISPLAY 0")
    assert fed.goods(0) == {"livestock": 3, "silver": 1, "provision": 2}
    assert (offered.goods(0), offered.tiles(0)) == ({"livestock": 1}, {2})
    assert fed.legal() == offered.legal() == {"BUILDING gate_house", "BUILDING town_hall", "BUILDING treasury"}


@pytest.mark.rules("R-LONG-2")
def test_an_offering_is_paid_to_the_supply_and_its_slot_filled_at_once():
    p = position(seat(worker="grey", silver=5), seat(), display=(0, 8, 1), stack=[15, 3])
    before = p.supply()["silver"]
    p.do("BUILDING long_house", "DISPLAY 1")
    assert (p.display(), p.stack()) == ([0, 15, 1], [3])
    assert (p.silver(0), p.supply()["silver"]) == (1, before + 4)


@pytest.mark.rules("R-LONG-2")
def test_with_an_empty_stack_the_slot_stays_empty():
    p = position(
        seat(worker="grey", silver=8), seat(worker="grey", silver=8), display=(8, 0, 1), stack=[], turns_left=4
    )
    p.do("BUILDING long_house", "DISPLAY 0")
    assert (p.display(), p.stack()) == ([None, 0, 1], [])
    p.do("BUILDING treasury", "BUILDING mill", "PASS", "BUILDING long_house")
    # Slot 0 cannot be chosen any more and nothing else can be paid, so the turn is over.
    assert (p.seat, p.tiles(0), p.tiles(1)) == (0, {8}, set())


@pytest.mark.rules("R-LONG-3", "R-CREW-4")
@pytest.mark.parametrize(("sages", "actions"), [(0, 1), (1, 2), (2, 3)])
def test_each_sage_allows_one_more_action(sages, actions):
    p = position(seat(worker="grey", livestock=8, crew=f"sage {sages}" if sages else ""), seat(), display=(0, 1, 5))
    p.do("BUILDING long_house")
    for number in range(actions):
        assert p.legal() == {"OPTION 0", "PASS"}, number
        p.do("OPTION 0")
    assert (p.livestock(0), p.provision(0)) == (8 - actions, 2 * actions)
    assert p.legal() == {"BUILDING gate_house", "BUILDING town_hall", "BUILDING treasury"}


@pytest.mark.rules("R-LONG-3")
def test_the_player_may_stop_and_may_buy_what_the_first_offering_revealed():
    p = position(seat(worker="grey", silver=4, gold=2, crew="sage"), seat(), display=(8, 1, 2), stack=[0, 3])
    p.do("BUILDING long_house", "DISPLAY 0")
    assert p.display() == [0, 1, 2]
    assert p.legal() == {"DISPLAY 0", "PASS"}
    stopped, bought = p.then("PASS"), p.then("DISPLAY 0")
    assert (stopped.tiles(0), bought.tiles(0)) == ({8}, {0, 8})
    assert bought.display() == [3, 1, 2]
    assert stopped.legal() == bought.legal() == {"BUILDING gate_house", "BUILDING town_hall", "BUILDING treasury"}


@pytest.mark.rules("R-LONG-4")
def test_taken_tiles_are_public():
    one = position(seat(), seat(tiles=[3]), seat(), display=(0, 1, 2), stack=[4, 5])
    two = position(seat(), seat(tiles=[4]), seat(), display=(0, 1, 2), stack=[3, 5])
    for who in range(3):
        assert (observation(one, who) != observation(two, who)).any()


@pytest.mark.rules("R-LONG-5")
def test_no_offering_is_free():
    rows = read("offerings")
    assert all(row["gold"] + row["iron"] + row["livestock"] + row["silver"] > 0 for row in rows)
    for slot in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 0, 1)):
        p = position(seat(worker="white", provision=8), seat(), display=slot).do("BUILDING long_house")
        assert not p.legal("DISPLAY")


# --- every building -------------------------------------------------------------------------------


@pytest.mark.rules("R-WORK-2", "R-WORK-4")
@pytest.mark.parametrize(
    ("building", "asked"),
    [
        ("gate_house", {"OPTION 0", "PASS"}),
        ("treasury", {"OPTION 0", "PASS"}),
        ("barracks", {"HAND sage", "PASS"}),
        ("armoury", {"OPTION 0", "OPTION 1", "PASS"}),
        ("mill", {"OPTION 0", "PASS"}),
        ("silversmith", {"OPTION 0", "PASS"}),
        ("long_house", {"OPTION 0", "PASS"}),
        ("town_hall", {"HAND sage", "PASS"}),
    ],
)
def test_every_building_works_when_its_worker_is_picked_up(building, asked):
    village = {"gate_house": "black", "treasury": "black", "barracks": "black"}
    if building not in village:
        village.pop("barracks")
        village[building] = "grey"
    p = position(
        seat(hand="sage", worker="grey", iron=1, silver=2, livestock=1), seat(), village=village, display=(0, 7, 6)
    )
    place = "silversmith" if building != "silversmith" else "mill"
    p.do(f"BUILDING {place}", "PASS", f"BUILDING {building}")
    assert p.legal() == asked
    declined = p.then("PASS")
    assert (declined.seat, declined.goods(0)) == (1, p.goods(0))
    assert building not in declined.village()
