"""Section 6: the Town Hall and the action of each card there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.raiders.positions import DECK, FREE_HALL, FULL_HALL, Position, position, read, seat

# After the Town Hall of FREE_HALL comes the pick-up.
PICK_UP = {f"BUILDING {building}" for building in FREE_HALL}


def at_hall(*seats: Any, **board: Any) -> Position:
    """Seat 0 has just placed its worker on the Town Hall."""
    return position(*seats, **({"village": FREE_HALL} | board)).do("BUILDING town_hall")


def playable(own: Mapping, *others: Mapping, **board: Any) -> set[str]:
    """Cards that seat 0 may play at the Town Hall."""
    return at_hall(seat(**own), *(seat(**other) for other in others), **board).legal("HAND")


# --- playing a card -------------------------------------------------------------------------------


@pytest.mark.rules("R-TH-1")
def test_one_card_is_played_from_the_hand_and_discarded():
    p = at_hall(seat(hand="forager 2, huntsman", crew="armourer"), seat())
    assert p.legal() == {"HAND forager", "HAND huntsman", "PASS"}  # nobody of the crew
    assert p.then("PASS").hand(0) == {"forager": 2, "huntsman": 1}
    p.do("HAND forager")
    assert (p.hand(0), p.discard(), p.provision(0)) == ({"forager": 1, "huntsman": 1}, {"forager": 1}, 2)
    assert p.legal() == PICK_UP  # one card only


@pytest.mark.rules("R-TH-1")
def test_the_card_lies_in_the_discard_pile_before_its_action():
    # The Gatekeeper is alone in the discard pile when the empty pile is shuffled anew, and is drawn.
    p = at_hall(seat(hand="gatekeeper"), seat(), pile="", rest="away").do("HAND gatekeeper")
    assert (p.hand(0), p.discard(), p.pile_size()) == ({"gatekeeper": 1}, {}, 0)


@pytest.mark.rules("R-TH-1")
def test_a_played_card_is_carried_out():
    crowd = seat(hand="scout, sage", crew="forager, jeweller", silver=3, provision=3, gold=1, iron=1, armour=2)
    kinds = ", ".join(kind for kind in DECK if kind not in ("brynjar", "folke", "ragnhildr"))
    rich = {"gold": 3, "iron": 3, "livestock": 4, "silver": 9, "provision": 3, "crew": "huntsman, sage"}
    p = at_hall(seat(hand=kinds, worker="grey", **rich), crowd, crowd, stack=[5, 6, 7])
    assert p.legal("HAND") == set(DECK) - {"brynjar", "folke", "ragnhildr"}

    def never_pass(here: Position, depth: int) -> None:
        if here.legal() == PICK_UP:
            return
        if here.point != "DP-LONG" or depth == 1:
            assert "PASS" not in here.legal()
        for name in sorted(here.legal() - {"PASS"})[:3]:
            never_pass(here.then(name), depth + 1)

    for kind in sorted(p.legal("HAND") - {"merchant"}):
        never_pass(p.then(f"HAND {kind}"), 0)
    for target in sorted(p.then("HAND merchant").legal("BUILDING")):
        never_pass(p.then("HAND merchant", f"BUILDING {target}"), 1)


@pytest.mark.rules("R-TH-2")
@pytest.mark.parametrize("hero", ["brynjar", "folke", "ragnhildr"])
def test_heroes_are_never_played_but_are_discarded_like_others(hero):
    assert playable({"hand": f"{hero}, forager"}, {}) == {"forager"}
    village = {"gate_house": "black", "town_hall": "black", "mill": "black"}
    p = position(seat(hand=f"{hero}, forager"), seat(), village=village).do("BUILDING treasury", "OPTION 0")
    assert p.do(f"HAND {hero}").discard() == {hero: 1}


@pytest.mark.rules("R-TH-3")
@pytest.mark.parametrize(
    ("kind", "yes", "no"),
    [
        ("archer", ({}, {"worker": "grey"}), ({}, {"worker": "black"})),
        ("armourer", ({"armour": 9}, {}), ({"armour": 10}, {})),
        ("avenger", ({}, {"silver": 1}), ({"silver": 1}, {"provision": 1})),
        ("champion", ({}, {"provision": 1}), ({"provision": 1}, {"silver": 1})),
        ("barbarian", ({}, {"iron": 1}), ({"iron": 1}, {"silver": 5, "provision": 5})),
        ("berserker", ({}, {"armour": 1}), ({"armour": 1}, {})),
        ("brawler", ({"crew": "sage"}, {}), ({}, {"crew": "sage"})),
        ("cartographer", ({"provision": 1}, {}), ({"silver": 5}, {})),
        ("jeweller", ({"silver": 2}, {}), ({"silver": 1}, {})),
        ("marauder", ({"livestock": 1}, {}), ({"iron": 1}, {})),
        ("shieldmaiden", ({"livestock": 1}, {}), ({"gold": 1}, {})),
        ("gatekeeper", ({}, {}), None),
        ("gravedigger", ({"crew": "sage", "hand": "scout"}, {}), ({"crew": "sage", "hand": "sage"}, {})),
        ("mercenary", ({}, {"provision": 1}), ({"silver": 1}, {"gold": 1})),
        ("mercenary", ({}, {"silver": 1}), ({"provision": 1}, {"gold": 1})),
        ("recruiter", ({"silver": 2, "hand": "champion"}, {}), ({"silver": 1, "hand": "champion"}, {})),
        ("recruiter", ({"silver": 2, "hand": "sage"}, {}), ({"silver": 9}, {})),
        ("scout", ({"hand": "sage"}, {"hand": "sage"}), ({"hand": "sage"}, {})),
        ("scout", ({"hand": "sage"}, {"hand": "sage"}), ({}, {"hand": "sage"})),
        ("trader", ({"gold": 1}, {}), ({"livestock": 1}, {})),
        ("warlord", ({}, {"silver": 1}), ({"silver": 1}, {"provision": 1})),
        ("warmonger", ({}, {"provision": 1}), ({"provision": 1}, {"silver": 1})),
    ],
)
def test_a_card_is_playable_if_it_changes_something(kind, yes, no):
    def may(pair: tuple[dict, dict]) -> bool:
        own, other = pair
        hand = f"{kind}, {own['hand']}" if "hand" in own else kind
        return kind in playable(own | {"hand": hand}, other)

    # Tiles 0, 1, 2 are shown: 2 gold; 2 iron; 3 livestock and 1 silver.
    assert may(yes)
    assert no is None or not may(no)


@pytest.mark.rules("R-TH-3")
@pytest.mark.parametrize(
    ("kind", "own", "good"),
    [
        ("brawler", {"crew": "sage"}, ("gold", "iron", "livestock")),
        ("cartographer", {"provision": 1}, ("gold",)),
        ("jeweller", {"silver": 2}, ("gold",)),
        ("marauder", {"livestock": 1}, ("gold",)),
        ("shieldmaiden", {"livestock": 1}, ("iron",)),
        ("forager", {}, ("provision",)),
        ("huntsman", {}, ("provision", "silver")),
    ],
)
def test_a_card_is_not_playable_if_the_supply_has_nothing_for_it(kind, own, good):
    none = dict.fromkeys(good, 0)
    assert playable(own | {"hand": kind}, {}, supply=none) == set()
    for word in good:
        assert playable(own | {"hand": kind}, {}, supply=none | {word: 1}) == {kind}


@pytest.mark.rules("R-TH-3")
def test_sage_and_trader_look_at_the_stack_and_the_display():
    assert playable({"hand": "sage"}, {}, stack=[9]) == {"sage"}
    assert playable({"hand": "sage"}, {}, stack=[]) == set()
    board = {"display": (None, None, 7), "stack": []}  # 2 gold and 2 livestock
    assert playable({"hand": "trader", "gold": 2, "livestock": 1}, {}, **board) == {"trader"}
    assert playable({"hand": "trader", "gold": 1, "livestock": 2}, {}, **board) == {"trader"}
    assert playable({"hand": "trader", "gold": 1, "livestock": 1}, {}, **board) == set()


@pytest.mark.rules("R-TH-4")
def test_only_targets_on_which_something_happens_are_legal():
    others = (seat(silver=1), seat(armour=1), seat(livestock=1, provision=1))
    kinds = {"warlord": {"1"}, "berserker": {"2"}, "barbarian": {"3"}, "warmonger": {"3"}}
    for kind, targets in kinds.items():
        p = at_hall(seat(hand=kind), *others)
        # The only target plays itself; what it loses tells who it was.
        before = [(p.goods(s), p.armour(s)) for s in range(4)]
        p.do(f"HAND {kind}")
        changed = {str(s) for s in range(1, 4) if (p.goods(s), p.armour(s)) != before[s]}
        assert changed == targets
    two = at_hall(seat(hand="warlord"), seat(silver=1), seat(), seat(silver=2)).do("HAND warlord")
    assert two.legal() == {"OPPONENT 1", "OPPONENT 3"}


@pytest.mark.rules("R-TH-4")
def test_opponents_are_counted_clockwise_from_the_decider():
    p = position(seat(silver=1), seat(silver=2), seat(hand="warlord"), seat(), turn=2, village=FREE_HALL)
    p.do("BUILDING town_hall", "HAND warlord")
    assert p.legal() == {"OPPONENT 2", "OPPONENT 3"}
    assert p.then("OPPONENT 2").silver(0) == 0
    assert p.then("OPPONENT 3").silver(1) == 0


# --- gains and exchanges --------------------------------------------------------------------------


@pytest.mark.rules("R-TH-5")
def test_gains():
    armourer = at_hall(seat(hand="armourer", armour=9), seat()).do("HAND armourer")
    assert armourer.armour(0) == 10
    forager = at_hall(seat(hand="forager"), seat()).do("HAND forager")
    assert (forager.provision(0), forager.supply()["provision"]) == (2, 30)
    huntsman = at_hall(seat(hand="huntsman"), seat()).do("HAND huntsman")
    assert huntsman.goods(0) == {"silver": 1, "provision": 1}
    gatekeeper = at_hall(seat(hand="gatekeeper"), seat(), pile="sage, scout, folke").do("HAND gatekeeper")
    assert gatekeeper.hand(0) == {"sage": 1, "scout": 1, "folke": 1}


@pytest.mark.rules("R-TH-5")
def test_crew_at_the_mill_or_gate_house_adds_nothing_to_a_gain_at_the_town_hall():
    p = at_hall(seat(hand="forager", crew="forager 2"), seat()).do("HAND forager")
    assert p.provision(0) == 2
    p = at_hall(seat(hand="gatekeeper", crew="gatekeeper"), seat()).do("HAND gatekeeper")
    assert p.hand_size(0) == 3


@pytest.mark.rules("R-TH-5")
@pytest.mark.parametrize(("silver", "provision"), [(0, 1), (1, 0), (1, 1)])
def test_two_gains_are_independent(silver, provision):
    p = at_hall(seat(hand="huntsman"), seat(), supply={"silver": silver, "provision": provision}).do("HAND huntsman")
    assert (p.silver(0), p.provision(0)) == (silver, provision)
    p = at_hall(seat(hand="forager"), seat(), supply={"provision": 1}).do("HAND forager")
    assert p.provision(0) == 1


@pytest.mark.rules("R-TH-6")
@pytest.mark.parametrize(
    ("kind", "own", "after"),
    [
        ("cartographer", {"provision": 2}, {"provision": 1, "gold": 1}),
        ("jeweller", {"silver": 3}, {"silver": 1, "gold": 1}),
        ("marauder", {"livestock": 2}, {"livestock": 1, "gold": 1}),
        ("shieldmaiden", {"livestock": 2}, {"livestock": 1, "iron": 1}),
    ],
)
def test_exchanges(kind, own, after):
    p = at_hall(seat(hand=kind, **own), seat()).do(f"HAND {kind}")
    assert p.goods(0) == after
    assert sum(p.supply()[good] + p.goods(0).get(good, 0) for good in ("silver", "provision")) == 64


@pytest.mark.rules("R-TH-6")
def test_the_brawler_gives_a_crew_member_for_plunder_of_choice():
    p = at_hall(seat(hand="brawler", crew="berserker, gravedigger, mercenary"), seat(crew="sage"), supply={"iron": 0})
    p.do("HAND brawler")
    assert p.legal() == {"CREW berserker", "CREW gravedigger", "CREW mercenary"}
    after = {kind: p.then(f"CREW {kind}") for kind in ("berserker", "gravedigger", "mercenary")}
    for kind, q in after.items():
        assert q.legal() == {"RESOURCE gold", "RESOURCE livestock"}
        q.do("RESOURCE livestock")
        # No death effect: no card back, no gold, no VP.
        assert (q.hand(0), q.goods(0), q.vp(0)) == ({}, {"livestock": 1}, 0)
        assert q.discard() == {"brawler": 1, kind: 1}
        assert kind not in q.crew(0)
        assert q.crew(1) == {"sage": 1}


# --- against opponents ----------------------------------------------------------------------------


@pytest.mark.rules("R-TH-7")
@pytest.mark.parametrize(("kind", "good"), [("avenger", "silver"), ("champion", "provision")])
def test_every_opponent_loses_one(kind, good):
    p = at_hall(seat(hand=kind, **{good: 5}), seat(**{good: 3}), seat(), seat(**{good: 1}))
    p.do(f"HAND {kind}")
    assert [p.good(s, good) for s in range(4)] == [5, 2, 0, 0]
    assert p.supply()[good] == 32 - 9 + 2
    assert p.legal() == PICK_UP


@pytest.mark.rules("R-TH-8")
def test_an_opponent_loses_armour():
    p = at_hall(seat(hand="berserker", armour=5), seat(armour=4), seat(), seat(armour=1)).do("HAND berserker")
    assert p.legal() == {"OPPONENT 1", "OPPONENT 3"}
    assert [p.then("OPPONENT 1").armour(s) for s in range(4)] == [5, 3, 0, 1]
    assert [p.then("OPPONENT 3").armour(s) for s in range(4)] == [5, 4, 0, 0]


@pytest.mark.rules("R-TH-9")
@pytest.mark.parametrize(("held", "taken"), [(1, 1), (2, 2), (7, 2)])
def test_the_warlord_steals_as_much_silver_as_he_can(held, taken):
    p = at_hall(seat(hand="warlord", silver=1), seat(silver=held)).do("HAND warlord")
    assert (p.silver(0), p.silver(1)) == (1 + taken, held - taken)


@pytest.mark.rules("R-TH-9")
def test_warmonger_and_barbarian_steal_one():
    p = at_hall(seat(hand="warmonger"), seat(provision=4), seat(provision=1)).do("HAND warmonger", "OPPONENT 2")
    assert [p.provision(s) for s in range(3)] == [1, 4, 0]
    p = at_hall(seat(hand="barbarian"), seat(gold=2, livestock=3, silver=1), seat(iron=1)).do("HAND barbarian")
    assert p.legal() == {"OPPONENT 1", "OPPONENT 2"}
    p.do("OPPONENT 1")
    assert p.legal() == {"RESOURCE gold", "RESOURCE livestock"}  # the kind is the owner's choice
    p.do("RESOURCE gold")
    assert (p.goods(0), p.goods(1)) == ({"gold": 1}, {"gold": 1, "livestock": 3, "silver": 1})


@pytest.mark.rules("R-TH-10")
def test_each_opponent_of_the_mercenary_chooses_what_to_hand_over():
    p = position(
        seat(silver=1, provision=1), seat(hand="mercenary"), seat(provision=2, silver=2), seat(), turn=1,
        village=FREE_HALL,
    )  # fmt: skip
    p.do("BUILDING town_hall", "HAND mercenary")
    # Clockwise from the owner: seat 2, then seat 0; seat 3 has nothing.
    assert p.seat == 2
    assert p.legal() == {"RESOURCE silver", "RESOURCE provision"}
    p.do("RESOURCE silver")
    assert (p.seat, p.goods(1)) == (0, {"silver": 1})  # open: seat 0 sees the payment
    p.do("RESOURCE provision")
    assert (p.seat, p.goods(1)) == (1, {"silver": 1, "provision": 1})
    assert (p.goods(0), p.goods(2)) == ({"silver": 1}, {"silver": 1, "provision": 2})
    assert p.legal() == PICK_UP


# --- Archer ---------------------------------------------------------------------------------------


@pytest.mark.rules("R-TH-11")
def test_the_archer_changes_workers_of_different_colours():
    village = {"gate_house": "white", "mill": "grey", "long_house": "white"}
    p = at_hall(seat(hand="archer", worker="black"), seat(worker="grey"), seat(worker="black"), village=village)
    p.do("HAND archer")
    assert p.legal() == {"OPPONENT 1", "OPPONENT 2"}
    # A grey worker may go everywhere, but not where a grey one stands; the Town Hall counts.
    assert p.then("OPPONENT 1").legal() == {"BUILDING gate_house", "BUILDING long_house", "BUILDING town_hall"}
    # The Long House takes no black worker, and the one on the Town Hall is black.
    assert p.then("OPPONENT 2").legal() == {"BUILDING gate_house", "BUILDING mill"}
    q = p.then("OPPONENT 1", "BUILDING town_hall")
    assert (q.village(), q.worker(1)) == (village | {"town_hall": "grey"}, "black")
    q = p.then("OPPONENT 2", "BUILDING mill")
    assert (q.village(), q.worker(2)) == (village | {"mill": "black", "town_hall": "black"}, "grey")
    assert q.seat == 0


@pytest.mark.rules("R-TH-11")
def test_an_empty_town_hall_does_not_count_for_the_archer():
    village = {"town_hall": "grey", "mill": "black", "treasury": "black"}
    p = position(seat(hand="archer"), seat(), village=village).do("BUILDING silversmith", "PASS", "BUILDING town_hall")
    # All workers in the Village are black now, as is the opponent's.
    assert (p.seat, p.worker(0), p.hand(0)) == (1, "grey", {"archer": 1})


# --- hiring ---------------------------------------------------------------------------------------


@pytest.mark.rules("R-TH-12")
def test_the_gravedigger_exchanges_a_crew_member_with_a_card_of_another_kind():
    p = at_hall(seat(hand="gravedigger, champion, sage", crew="berserker, sage", silver=0), seat()).do(
        "HAND gravedigger"
    )
    assert p.legal() == {"CREW berserker", "CREW sage"}
    one = p.then("CREW berserker")
    assert one.legal() == {"HAND champion", "HAND sage"}
    one.do("HAND champion")  # at no cost
    assert (one.crew(0), one.hand(0)) == ({"champion": 1, "sage": 1}, {"berserker": 1, "sage": 1})
    assert one.discard() == {"gravedigger": 1}
    # The sage in hand is of the same kind, so the champion is the only choice.
    two = p.then("CREW sage")
    assert (two.crew(0), two.hand(0)) == ({"berserker": 1, "champion": 1}, {"sage": 2})


@pytest.mark.rules("R-TH-12")
def test_the_hero_rule_holds_for_the_result_of_the_exchange():
    p = at_hall(seat(hand="gravedigger, folke", crew="brynjar, sage"), seat())
    p.do("HAND gravedigger")  # only the hero may leave for a hero
    assert (p.crew(0), p.hand(0)) == ({"folke": 1, "sage": 1}, {"brynjar": 1})
    assert playable({"hand": "gravedigger, folke", "crew": "sage"}, {}) == {"gravedigger"}
    many = at_hall(seat(hand="gravedigger, folke, scout", crew="brynjar, sage 4"), seat()).do("HAND gravedigger")
    assert many.then("CREW sage").crew(0) == {"brynjar": 1, "sage": 3, "scout": 1}
    assert many.then("CREW brynjar").legal() == {"HAND folke", "HAND scout"}


@pytest.mark.rules("R-TH-12")
def test_the_card_that_returns_is_not_hired_again():
    p = at_hall(seat(hand="gravedigger, gravedigger", crew="gravedigger"), seat())
    assert p.legal("HAND") == set()


@pytest.mark.rules("R-TH-13")
def test_the_recruiter_hires_for_exactly_two_silver():
    p = at_hall(seat(hand="recruiter, champion, jeweller", crew="recruiter 2", silver=2), seat()).do("HAND recruiter")
    assert p.legal() == {"HAND champion", "HAND jeweller", "CREW recruiter"}
    for kind in ("champion", "jeweller"):
        q = p.then(f"HAND {kind}")
        assert (q.silver(0), q.crew(0)) == (0, {"recruiter": 2, kind: 1})
    q = p.then("CREW recruiter", "HAND champion")
    assert (q.silver(0), q.crew(0)) == (0, {"recruiter": 1, "champion": 1})
    assert q.supply()["silver"] == 32


@pytest.mark.rules("R-TH-13")
def test_the_recruiter_keeps_the_rules_of_hiring():
    full = {"crew": "folke, forager, jeweller, sage, huntsman", "silver": 3}
    p = at_hall(seat(hand="recruiter, brynjar", **full), seat()).do("HAND recruiter")
    # Five Crew: one must go, and it must be the other hero.
    assert p.crew(0) == {"brynjar": 1, "forager": 1, "jeweller": 1, "sage": 1, "huntsman": 1}
    assert p.silver(0) == 1
    assert playable({"hand": "recruiter", "silver": 9, "crew": "sage"}, {}) == set()  # nobody to hire


# --- Merchant -------------------------------------------------------------------------------------

EVERYTHING = {"iron": 1, "silver": 4, "livestock": 1}


@pytest.mark.rules("R-TH-14")
@pytest.mark.parametrize("worker", ["black", "grey", "white"])
def test_the_merchant_takes_any_building_that_accepts_the_worker(worker):
    p = at_hall(seat(hand="merchant, sage, folke", worker=worker, **EVERYTHING), seat()).do("HAND merchant")
    # Occupied or not; never the Town Hall itself.
    expected = {"gate_house", "treasury", "barracks", "mill", "silversmith"}
    if worker != "black":
        expected |= {"armoury", "long_house"}
    assert p.legal("BUILDING") == expected
    assert p.legal() == {f"BUILDING {building}" for building in expected}
    village = p.village()
    after = p.then("BUILDING silversmith")
    assert after.silver(0) == 4 + (3 if worker == "black" else 2)
    assert after.village() == village


@pytest.mark.rules("R-TH-14", "R-CREW-4")
def test_crew_bonuses_count_at_the_merchant_s_building():
    own = seat(hand="merchant", crew="gatekeeper, forager, jeweller, recruiter", worker="white")
    p = at_hall(own, seat(), pile="folke, scout, archer").do("HAND merchant")
    assert p.then("BUILDING gate_house").hand(0) == {"folke": 1, "scout": 1, "archer": 1}
    assert p.then("BUILDING silversmith").silver(0) == 3
    mill = p.then("BUILDING mill")
    assert mill.legal() == {"OPTION 0", "OPTION 1"}  # no PASS
    assert mill.then("OPTION 0").provision(0) == 3
    assert mill.then("OPTION 1").goods(0) == {"gold": 1}
    hire = at_hall(seat(hand="merchant, champion", crew="recruiter", silver=3), seat()).do("HAND merchant")
    hire.do("BUILDING barracks")  # 4 - 1 = 3 silver; without the Recruiter it would be 4, so he stays
    assert (hire.silver(0), hire.crew(0)) == (0, {"recruiter": 1, "champion": 1})


@pytest.mark.rules("R-TH-14")
def test_only_buildings_with_a_result_are_offered():
    p = at_hall(seat(hand="merchant", worker="grey"), seat(), supply={"silver": 0}).do("HAND merchant")
    # No card for the Treasury, nobody to hire, nothing for Armoury or Long House, no silver at the Silversmith.
    assert p.legal() == {"BUILDING gate_house", "BUILDING mill"}
    nothing = {"supply": {"silver": 0, "provision": 0}, "pile": "", "rest": "away"}
    # The played Merchant itself lies in the discard pile, so that a card can be drawn.
    assert playable({"hand": "merchant"}, {}, **nothing) == {"merchant"}


@pytest.mark.rules("R-TH-14", "R-TH-1")
def test_the_merchant_s_action_must_be_taken_but_further_long_house_actions_may_be_declined():
    own = seat(hand="merchant, scout", crew="sage 2", worker="grey", livestock=3)
    p = at_hall(own, seat(), display=(0, 1, 6)).do("HAND merchant")
    # The first action is the only one possible and plays itself.
    p.do("BUILDING long_house")
    assert (p.provision(0), p.livestock(0)) == (2, 2)
    assert p.legal() == {"OPTION 0", "PASS"}
    assert p.then("PASS").legal() == PICK_UP
    assert p.then("OPTION 0").legal() == {"OPTION 0", "PASS"}
    first = at_hall(seat(hand="merchant", crew="sage", worker="grey", livestock=1, silver=4), seat(), display=(8, 0, 1))
    first.do("HAND merchant", "BUILDING long_house")
    assert first.legal() == {"OPTION 0", "DISPLAY 0"}


@pytest.mark.rules("R-TH-14")
def test_the_merchant_at_the_barracks_and_treasury():
    p = at_hall(seat(hand="merchant, archer, sage", crew="forager", silver=3), seat()).do("HAND merchant")
    hire = p.then("BUILDING barracks")
    assert hire.legal() == {"HAND archer", "HAND sage", "CREW forager"}
    pay = p.then("BUILDING treasury")
    assert pay.legal() == {"OPTION 0", "OPTION 1"}
    assert pay.do("OPTION 1", "HAND archer").goods(0) == {"silver": 3, "gold": 1}


@pytest.mark.rules("R-TH-14")
def test_the_merchant_uses_the_colour_of_the_worker_picked_up():
    village = {"gate_house": "black", "treasury": "black", "town_hall": "white"}
    p = position(seat(hand="merchant", iron=1), seat(), village=village)
    p.do("BUILDING silversmith", "OPTION 0", "BUILDING town_hall", "HAND merchant")
    assert p.legal() == {"BUILDING gate_house", "BUILDING mill", "BUILDING armoury"}
    assert p.do("BUILDING mill").legal() == {"OPTION 0", "OPTION 1"}


@pytest.mark.rules("R-TH-14", "R-WORK-5")
def test_the_merchant_counts_as_the_use_of_the_building():
    p = at_hall(seat(hand="merchant, scout"), seat()).do("HAND merchant", "BUILDING mill")
    assert p.provision(0) == 1
    assert p.do("BUILDING mill").provision(0) == 1
    assert p.seat == 1


# --- Sage, Scout, Trader --------------------------------------------------------------------------


@pytest.mark.rules("R-TH-15")
def test_the_sage_replaces_the_three_shown_tiles():
    p = at_hall(seat(hand="sage"), seat(), display=(9, 10, 11), stack=[3, 4, 5, 6]).do("HAND sage")
    assert (p.display(), p.stack()) == ([3, 4, 5], [6, 9, 10, 11])
    p = at_hall(seat(hand="sage"), seat(), display=(9, 10, 11), stack=[3, 4]).do("HAND sage")
    assert (p.display(), p.stack()) == ([3, 4, 9], [10, 11])


@pytest.mark.rules("R-TH-16")
def test_the_scout_exchanges_equal_numbers_of_cards():
    p = at_hall(seat(hand="scout, archer, sage, trader"), seat(hand="folke, brawler"), seat()).do("HAND scout")
    # Only seat 1 has cards, so it plays itself; at most as many as both have.
    assert p.legal() == {"COUNT 1", "COUNT 2"}
    p.do("COUNT 1")
    assert (p.seat, p.legal()) == (0, {"HAND archer", "HAND sage", "HAND trader"})
    p.do("HAND sage")
    assert (p.seat, p.legal()) == (1, {"HAND folke", "HAND brawler"})
    assert p.hand(0) == {"archer": 1, "sage": 1, "trader": 1}  # nothing has moved yet
    p.do("HAND folke")
    assert (p.hand(0), p.hand(1)) == ({"archer": 1, "trader": 1, "folke": 1}, {"brawler": 1, "sage": 1})
    assert p.legal() == PICK_UP


@pytest.mark.rules("R-TH-16")
def test_the_scout_s_owner_picks_the_opponent():
    own, others = seat(hand="scout, archer"), (seat(hand="folke"), seat(hand="sage, sage"), seat())
    p = at_hall(own, *others).do("HAND scout")
    assert p.legal() == {"OPPONENT 1", "OPPONENT 2"}
    # One card each, which is all that is left to choose.
    assert p.then("OPPONENT 2").hand(2) == {"sage": 1, "archer": 1}
    assert p.then("OPPONENT 1").hand(1) == {"archer": 1}


@pytest.mark.rules("R-TH-17")
def test_the_trader_pays_one_unit_less():
    # 0: 2 gold. 4: 1 gold, 2 livestock, 1 silver. 8: 4 silver.
    p = at_hall(
        seat(hand="trader, scout", gold=1, livestock=2, silver=2, crew="sage"),
        seat(),
        display=(0, 4, 8),
        stack=[13, 14],
    )
    p.do("HAND trader")
    assert p.legal() == {"DISPLAY 0", "DISPLAY 1"}
    # Tile 0 with one gold spared plays itself.
    zero = p.then("DISPLAY 0")
    assert (zero.goods(0), zero.tiles(0)) == ({"livestock": 2, "silver": 2}, {0})
    # No refill of the pile by the Sage and no second offering; the pick-up comes next.
    assert (zero.display(), zero.stack()) == ([13, 4, 8], [14])
    assert zero.legal() == PICK_UP
    four = p.then("DISPLAY 1")
    assert four.legal() == {"RESOURCE gold", "RESOURCE livestock", "RESOURCE silver"}
    assert four.then("RESOURCE gold").goods(0) == {"gold": 1, "silver": 1}
    assert four.then("RESOURCE livestock").goods(0) == {"livestock": 1, "silver": 1}
    assert four.then("RESOURCE silver").goods(0) == {"silver": 2}


@pytest.mark.rules("R-TH-17")
def test_the_trader_s_rest_must_be_held_in_full():
    own = {"hand": "trader", "gold": 0, "livestock": 2, "silver": 1}
    p = at_hall(seat(**own), seat(), display=(4, 0, 1)).do("HAND trader")
    # Only the gold can be spared.
    assert (p.goods(0), p.tiles(0)) == ({}, {4})
    own["silver"] = 0
    assert playable(own, {}, display=(4, 0, 1)) == set()


@pytest.mark.rules("R-TH-17")
def test_the_trader_leaves_the_long_house_unused_and_counts_for_the_end():
    own = seat(hand="trader, scout", worker="grey", livestock=3, gold=1)
    village = {"gate_house": "black", "treasury": "black", "long_house": "grey"}
    p = at_hall(own, seat(), village=village, display=(0, 1, 7), stack=[9]).do("HAND trader", "DISPLAY 2")
    assert p.goods(0) == {"livestock": 1}
    p.do("BUILDING long_house")
    assert p.legal() == {"OPTION 0", "PASS"}
    p.do("PASS")
    assert (p.seat, p.stack(), p.triggered) == (1, [], True)


# --- every kind -----------------------------------------------------------------------------------


@pytest.mark.rules("R-TH-2", "R-TH-3")
def test_every_card_but_the_heroes_can_be_played_from_the_full_hall_too():
    own = seat(hand=", ".join(kind for kind in DECK), crew="jeweller", gold=2, livestock=2, silver=4, provision=1)
    other = seat(hand="sage", silver=1, provision=1, gold=1, armour=1, worker="white")
    p = position(own, other, village=FULL_HALL).do("BUILDING silversmith", "PASS", "BUILDING town_hall")
    heroes = {row["key"] for row in read("townsfolk") if row["is_hero"]}
    assert p.legal("HAND") == set(DECK) - heroes
