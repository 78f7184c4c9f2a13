"""Section 4: the turn, work, limits, the Main Supply and the deck."""

from __future__ import annotations

import random

import pytest

from tests.raiders.positions import BUILDINGS, FREE_HALL, observation, position, seat, walk

GREY_VILLAGE = {"gate_house": "black", "town_hall": "black", "mill": "grey"}


# --- turns ----------------------------------------------------------------------------------------


@pytest.mark.rules("R-TURN-1", "R-TURN-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_turn_begins_with_one_worker_in_each_hand_and_three_in_the_village(players):
    turns = 0
    for p in walk(players, seed=players, decisions=1500):
        if p.at_turn_start:
            turns += 1
            assert len(p.village()) == 3
            assert all(p.worker(s) is not None for s in range(players))
            legal = p.legal()
            assert {name.split()[0] for name in legal} <= {"BUILDING", "SETTLEMENT"}
            assert len(p.legal("BUILDING")) >= 3
    assert turns > 100


@pytest.mark.rules("R-TURN-1")
def test_the_turn_is_work_or_a_raid():
    p = position(seat(crew="warmonger 2, scout", provision=1), seat(), sets={"harbour_mid": ["gold"]})
    assert p.legal("SETTLEMENT") == {"harbour_mid"}
    assert p.legal("BUILDING") == {"barracks", "mill", "silversmith"}
    assert p.legal() == {f"BUILDING {b}" for b in p.legal("BUILDING")} | {"SETTLEMENT harbour_mid"}


@pytest.mark.rules("R-TURN-2")
def test_after_work_and_after_a_raid_the_owner_has_one_worker():
    p = position(
        seat(crew="warmonger 2, scout", provision=1, hand="folke"), seat(), sets={"harbour_mid": ["gold", "iron"]}
    )
    work = p.then("BUILDING mill", "PASS")
    assert work.worker(0) is None  # in between it stands in the Village
    work.do("BUILDING treasury", "PASS")
    assert (work.worker(0), work.seat, work.at_turn_start) == ("black", 1, True)
    raid = p.then("SETTLEMENT harbour_mid")
    assert raid.worker(0) is None
    raid.do("SET 1")
    assert (raid.worker(0), raid.seat, raid.at_turn_start) == ("grey", 1, True)


@pytest.mark.rules("R-TURN-3")
def test_there_is_no_pass_at_the_start_of_a_turn_nor_at_the_pick_up():
    p = position(seat(), seat())
    assert "PASS" not in p.legal()
    p.do("BUILDING barracks")  # nobody to hire, so straight to the pick-up
    assert p.legal() == {"BUILDING gate_house", "BUILDING town_hall", "BUILDING treasury"}


@pytest.mark.rules("R-TURN-4", "R-SETUP-12")
def test_limits_come_before_the_end_check_and_the_next_player():
    # The last turn of the game: the surplus is still discarded before the game is over.
    full = "archer 2, scout 3, warlord 3"
    p = position(seat(), seat(hand=full, silver=7), turn=1, turns_left=1)
    p.do("BUILDING silversmith", "OPTION 0", "BUILDING gate_house", "OPTION 0")
    assert (p.seat, p.silver(1), p.hand_size(1)) == (1, 8, 10)
    for _ in range(2):
        assert p.legal() == {f"HAND {kind}" for kind in p.hand(1)}
        p.do("HAND archer")
    assert p.seat is None
    # An ordinary turn: the next player clockwise.
    p = position(seat(), seat(), seat(), turn=2).do("BUILDING barracks", "BUILDING treasury")
    assert (p.seat, p.owner) == (0, 0)


# --- work -----------------------------------------------------------------------------------------


@pytest.mark.rules("R-WORK-1")
@pytest.mark.parametrize(
    ("worker", "places"),
    [
        ("black", {"barracks", "mill", "silversmith"}),
        ("grey", {"barracks", "mill", "silversmith", "armoury", "long_house"}),
        ("white", {"barracks", "mill", "silversmith", "armoury", "long_house"}),
    ],
)
def test_a_worker_is_placed_on_a_free_building_that_takes_its_colour(worker, places):
    p = position(seat(worker=worker), seat())
    assert p.legal("BUILDING") == places
    for place in places:
        assert p.then(f"BUILDING {place}").village()[place] == worker


@pytest.mark.rules("R-WORK-1")
@pytest.mark.parametrize("worker", ["black", "grey", "white"])
@pytest.mark.parametrize("building", ["gate_house", "town_hall", "treasury", "barracks", "mill", "silversmith"])
def test_six_buildings_take_every_colour(building, worker):
    others = [b for b in ("gate_house", "treasury", "mill", "barracks") if b != building][:3]
    p = position(seat(worker=worker), seat(), village=dict.fromkeys(others, "black"))
    assert building in p.legal("BUILDING")


@pytest.mark.rules("R-WORK-2")
def test_the_action_of_the_building_may_be_taken_or_declined():
    p = position(seat(), seat()).do("BUILDING silversmith")
    assert p.legal() == {"OPTION 0", "PASS"}
    taken, declined = p.then("OPTION 0"), p.then("PASS")
    assert (taken.silver(0), declined.silver(0)) == (3, 0)
    assert taken.legal() == declined.legal() == {f"BUILDING {b}" for b in ("gate_house", "town_hall", "treasury")}


@pytest.mark.rules("R-WORK-3")
def test_a_worker_is_picked_up_from_another_building_and_is_in_hand_before_the_action():
    p = position(seat(), seat(), village=GREY_VILLAGE).do("BUILDING silversmith", "OPTION 0")
    assert p.legal() == {"BUILDING gate_house", "BUILDING town_hall", "BUILDING mill"}
    p.do("BUILDING mill")
    assert p.legal() == {"OPTION 0", "PASS"}  # the Mill's action is still to come
    assert p.worker(0) == "grey"
    assert p.village() == {"gate_house": "black", "town_hall": "black", "silversmith": "black"}


@pytest.mark.rules("R-WORK-3")
def test_every_other_worker_may_be_picked_up_and_one_must_be():
    for p in walk(3, seed=5, decisions=1200):
        if p.point == "DP-PICK":
            assert len(p.legal("BUILDING")) == 3 == len(p.legal())
            assert p.worker(p.seat) is None


@pytest.mark.rules("R-WORK-4")
@pytest.mark.parametrize(
    ("worker", "options", "provision"), [("black", {"0"}, 1), ("grey", {"0"}, 2), ("white", {"0", "1"}, 2)]
)
def test_the_second_action_goes_by_the_colour_picked_up(worker, options, provision):
    village = {"gate_house": "black", "town_hall": "black", "mill": worker}
    p = position(seat(), seat(), village=village).do("BUILDING silversmith", "PASS", "BUILDING mill")
    assert p.legal("OPTION") == options
    assert "PASS" in p.legal()
    assert p.then("OPTION 0").provision(0) == provision
    declined = p.then("PASS")
    assert (declined.provision(0), declined.worker(0), declined.seat) == (0, worker, 1)


@pytest.mark.rules("R-WORK-5")
def test_an_action_taken_is_not_taken_again_in_the_same_turn():
    village = {"gate_house": "black", "treasury": "black", "silversmith": "black"}
    p = position(seat(hand="merchant, folke"), seat(), village=village)
    p.do("BUILDING town_hall", "HAND merchant", "BUILDING silversmith")
    assert p.silver(0) == 3
    p.do("BUILDING silversmith")
    assert (p.silver(0), p.worker(0), p.seat) == (3, "black", 1)
    # The other way round: the building worked at is no target for the Merchant.
    village = {"gate_house": "black", "treasury": "black", "town_hall": "black"}
    p = position(seat(hand="merchant, folke"), seat(), village=village)
    p.do("BUILDING silversmith", "OPTION 0", "BUILDING town_hall", "HAND merchant")
    assert "silversmith" not in p.legal("BUILDING")
    assert {"gate_house", "mill", "treasury"} <= p.legal("BUILDING")


@pytest.mark.rules("R-WORK-5")
def test_a_declined_action_may_still_be_taken():
    village = {"gate_house": "black", "treasury": "black", "town_hall": "black"}
    p = position(seat(hand="merchant, folke"), seat(), village=village)
    p.do("BUILDING silversmith", "PASS", "BUILDING town_hall", "HAND merchant")
    assert "silversmith" in p.legal("BUILDING")
    assert p.do("BUILDING silversmith").silver(0) == 3


@pytest.mark.rules("R-WORK-5")
def test_the_next_turn_knows_nothing_of_the_actions_of_the_last():
    p = position(seat(), seat()).do("BUILDING silversmith", "OPTION 0", "BUILDING treasury")
    p.do("BUILDING mill", "OPTION 0", "BUILDING silversmith", "OPTION 0")
    assert p.silver(1) == 3


@pytest.mark.rules("R-WORK-5", "R-LONG-3")
def test_several_long_house_actions_are_one_use():
    p = position(
        seat(hand="merchant, folke", crew="sage", livestock=3, worker="grey"),
        seat(),
        village={"gate_house": "black", "treasury": "black", "town_hall": "grey"},
        display=(8, 11, 12),
    )
    p.do("BUILDING long_house", "OPTION 0", "OPTION 0")
    assert (p.livestock(0), p.provision(0)) == (1, 4)
    p.do("BUILDING town_hall", "HAND merchant")
    assert "long_house" not in p.legal("BUILDING")


@pytest.mark.rules("R-WORK-6")
@pytest.mark.parametrize(
    ("building", "owner", "supply"),
    [
        ("treasury", {}, {}),  # no card to pay
        ("gate_house", {"pile": "", "rest": "away"}, {}),  # no card to draw
        ("barracks", {"hand": "champion", "silver": 3}, {}),  # too poor
        ("mill", {}, {"provision": 0}),
        ("silversmith", {}, {"silver": 0}),
        ("town_hall", {"hand": "brynjar, avenger"}, {}),  # a hero, and opponents without silver
        ("armoury", {"worker": "grey", "silver": 1}, {}),
        ("long_house", {"worker": "grey", "livestock": 1, "display": (0, 1, 6)}, {"provision": 0}),
    ],
)
def test_an_action_without_result_is_not_offered(building, owner, supply):
    others = [b for b in ("gate_house", "treasury", "mill", "barracks") if b != building][:3]
    board = {key: owner.pop(key) for key in ("pile", "rest", "display") if key in owner}
    p = position(seat(**owner), seat(), village=dict.fromkeys(others, "black"), supply=supply, **board)
    p.do(f"BUILDING {building}")
    assert p.legal() == {f"BUILDING {b}" for b in others}


@pytest.mark.rules("R-WORK-7")
def test_the_archer_does_not_open_the_building_just_placed_on():
    p = position(seat(hand="archer"), seat(worker="grey"), village=FREE_HALL)
    p.do("BUILDING town_hall", "HAND archer", "BUILDING town_hall")
    assert (p.village()["town_hall"], p.worker(1)) == ("grey", "black")
    assert p.legal("BUILDING") == set(FREE_HALL)


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.rules("R-LIMIT-1", "R-LIMIT-2")
def test_surplus_goes_at_the_end_of_the_turn_and_not_before():
    p = position(
        seat(silver=8, provision=8, hand="scout 3, warlord 3, sage 2"),
        seat(),
        village={"gate_house": "black", "mill": "grey", "treasury": "black"},
    )
    p.do("BUILDING silversmith", "OPTION 0")
    supply = p.supply()
    assert (p.silver(0), supply["silver"]) == (11, 32 - 11)
    before = p.copy()
    p.do("BUILDING mill", "OPTION 0")
    assert p.seat == 1
    assert (p.silver(0), p.provision(0), p.hand_size(0)) == (8, 8, 8)
    assert (p.supply()["silver"], p.supply()["provision"]) == (24, 24)
    # With cards to discard: silver and provisions are gone before the first card is chosen, one card at a time.
    before.do("BUILDING gate_house", "OPTION 0")
    assert (before.silver(0), before.hand_size(0), before.seat) == (8, 10, 0)
    gone = before.discard_size()
    before.do("HAND scout")
    assert (before.hand_size(0), before.seat, before.discard_size()) == (9, 0, gone + 1)
    before.do("HAND scout")
    assert (before.hand_size(0), before.seat, before.discard().get("scout")) == (8, 1, 2)


@pytest.mark.rules("R-LIMIT-3")
def test_plunder_is_unlimited():
    p = position(seat(gold=12, iron=11, livestock=20), seat()).do("BUILDING barracks", "BUILDING treasury")
    assert p.seat == 1
    assert (p.gold(0), p.iron(0), p.livestock(0)) == (12, 11, 20)


@pytest.mark.rules("R-LIMIT-4")
def test_a_raid_may_end_with_a_card_too_many():
    p = position(
        seat(hand="scout 3, warlord 3, sage 2", crew="berserker, jeweller", provision=2, silver=9),
        seat(),
        sets={"harbour_west": ["valkyrie, gold"]},
    )
    p.do("SETTLEMENT harbour_west", "CREW berserker")
    assert (p.hand_size(0), p.silver(0)) == (9, 8)
    assert p.legal() == {"HAND scout", "HAND warlord", "HAND sage", "HAND berserker"}
    assert p.do("HAND sage").seat == 1


@pytest.mark.rules("R-LIMIT-5")
def test_the_limits_of_opponents_are_not_checked():
    # No effect leads there, so the record is set by hand.
    p = position(seat(), seat(silver=9, provision=10, hand="scout 3, warlord 3, sage 2, archer"))
    p.do("BUILDING barracks", "BUILDING treasury")
    assert (p.seat, p.silver(1), p.provision(1), p.hand_size(1)) == (1, 9, 10, 9)
    p.do("BUILDING mill", "PASS", "BUILDING town_hall", "PASS")
    assert (p.seat, p.silver(1), p.provision(1), p.hand_size(1)) == (1, 8, 8, 9)


@pytest.mark.rules("R-LIMIT-5", "R-INV-6")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_is_above_a_limit_outside_their_own_turn(players):
    for p in walk(players, seed=7 + players, decisions=1500):
        for s in range(players):
            if s != p.owner or p.at_turn_start:
                assert max(p.silver(s), p.provision(s), p.hand_size(s)) <= 8


# --- the Main Supply ------------------------------------------------------------------------------


@pytest.mark.rules("R-SUP-1")
@pytest.mark.parametrize(("stock", "gained"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)])
def test_a_gain_yields_what_is_there(stock, gained):
    p = position(seat(), seat(), supply={"silver": stock}).do("BUILDING silversmith")
    if stock:
        p.do("OPTION 0")
    assert (p.silver(0), p.supply()["silver"]) == (gained, stock - gained)


@pytest.mark.rules("R-SUP-1")
def test_plunder_is_finite_too():
    p = position(seat(worker="white"), seat(), supply={"gold": 0}).do("BUILDING mill")
    assert p.legal("OPTION") == {"0"}
    p = position(seat(worker="white"), seat(), supply={"gold": 1}).do("BUILDING mill", "OPTION 1")
    assert (p.gold(0), p.supply()["gold"]) == (1, 0)


@pytest.mark.rules("R-SUP-2")
@pytest.mark.parametrize(
    ("livestock", "stock", "allowed", "gained"), [(0, 9, False, 0), (1, 0, False, 0), (1, 1, True, 1), (1, 2, True, 2)]
)
def test_an_exchange_needs_the_whole_price_and_at_least_one_unit(livestock, stock, allowed, gained):
    p = position(seat(worker="grey", livestock=livestock), seat(), supply={"provision": stock}, display=(0, 1, 6))
    p.do("BUILDING long_house")
    assert ("OPTION 0" in p.legal()) == allowed
    if allowed:
        p.do("OPTION 0")
        assert (p.livestock(0), p.provision(0), p.supply()["provision"]) == (0, gained, stock - gained)


@pytest.mark.rules("R-SUP-2")
def test_two_silver_are_not_half_paid():
    p = position(seat(worker="grey", silver=1), seat()).do("BUILDING armoury")
    assert not p.legal("OPTION")
    p = position(seat(worker="grey", silver=2), seat()).do("BUILDING armoury", "OPTION 1")
    assert (p.silver(0), p.armour(0)) == (0, 1)


@pytest.mark.rules("R-SUP-3")
def test_what_is_paid_or_lost_goes_to_the_supply_unless_a_player_takes_it():
    def before(**kwargs):
        return position(seat(**kwargs), seat(silver=3), seat(silver=2), village=FREE_HALL)

    hired = before(hand="champion", silver=5)
    assert hired.do("BUILDING barracks", "HAND champion").supply()["silver"] == 32 - 10 + 4
    lost = before(hand="avenger").do("BUILDING town_hall", "HAND avenger")
    assert [lost.silver(s) for s in range(3)] == [0, 2, 1]
    assert lost.supply()["silver"] == 32 - 5 + 2
    stolen = before(hand="warlord").do("BUILDING town_hall", "HAND warlord", "OPPONENT 1")
    assert [stolen.silver(s) for s in range(3)] == [2, 1, 2]
    assert stolen.supply()["silver"] == 32 - 5


@pytest.mark.rules("R-SUP-4", "R-VALK-8")
def test_valkyries_leave_the_board_for_good():
    p = position(seat(crew="scout 2", provision=2), seat(), sets={"harbour_west": ["valkyrie 3, gold", "iron"]})
    spent = p.supply()["valkyrie"]
    p.do("SETTLEMENT harbour_west", "SET 0")
    assert p.sets("harbour_west") == [None, {"iron": 1}, None]
    assert p.supply()["valkyrie"] == spent + 3
    assert (p.valkyrie(0), p.gold(0)) == (2, 1)


# --- the deck -------------------------------------------------------------------------------------


@pytest.mark.rules("R-DECK-1")
def test_the_discard_pile_is_shuffled_at_the_first_draw_from_an_empty_pile():
    board = {"village": {"town_hall": "black", "treasury": "black", "mill": "black"}, "rest": "away"}
    p = position(seat(), seat(), pile="folke, scout", discard="archer 2, sage", **board)
    p.do("BUILDING gate_house", "OPTION 0")
    # Both cards came from the pile, which is empty now; nothing is shuffled yet.
    assert p.hand(0) == {"folke": 1, "scout": 1}
    assert (p.pile_size(), p.discard()) == (0, {"archer": 2, "sage": 1})
    p = position(seat(), seat(), pile="folke", discard="archer 2, sage", **board)
    p.do("BUILDING gate_house", "OPTION 0")
    assert p.hand(0)["folke"] == 1
    assert p.hand_size(0) == 2
    assert (p.pile_size(), p.discard()) == (2, {})


@pytest.mark.rules("R-DECK-1")
def test_the_new_pile_is_shuffled_evenly():
    drawn = []
    for number in range(300):
        p = position(
            seat(),
            seat(),
            pile="",
            discard="archer, sage, scout",
            rest="away",
            seed=number,
            village={"town_hall": "black", "treasury": "black", "mill": "black"},
        )
        p.do("BUILDING gate_house", "OPTION 0")
        drawn.append(({"archer", "sage", "scout"} - set(p.hand(0))).pop())
    # 100 of each are expected; four standard deviations are 33.
    assert all(67 <= drawn.count(kind) <= 133 for kind in ("archer", "sage", "scout"))


@pytest.mark.rules("R-DECK-2")
def test_with_pile_and_discard_empty_the_rest_of_the_draw_is_lost():
    board = {"village": {"town_hall": "black", "treasury": "black", "mill": "black"}, "rest": "away"}
    p = position(seat(crew="gatekeeper 2"), seat(), pile="folke", discard="archer, sage", **board)
    p.do("BUILDING gate_house", "OPTION 0")
    assert p.hand(0) == {"folke": 1, "archer": 1, "sage": 1}
    assert (p.pile_size(), p.discard()) == (0, {})


@pytest.mark.rules("R-DECK-3")
def test_everybody_sees_what_lies_in_the_discard_pile():
    one = position(seat(), seat(), seat(), discard="archer", pile="sage")
    two = position(seat(), seat(), seat(), discard="sage", pile="archer")
    for who in range(3):
        assert (observation(one, who) != observation(two, who)).any()


def test_walks_reach_every_building():
    # The walks of this file would say little if they stood still.
    chooser = random.Random(3)
    seen: set[str] = set()
    for p in walk(4, seed=chooser.randrange(1000), decisions=1500):
        seen |= set(p.village())
    assert seen == set(BUILDINGS)
