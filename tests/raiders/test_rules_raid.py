"""Sections 7 to 9: crew effects, raids and Valkyries."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.raiders.positions import Position, position, seat

# Crew without strength and without any effect in a raid, and more of them than a raid needs.
IDLE = ("jeweller", "forager", "trader", "merchant", "jeweller")
PLENTY = {"provision": 8, "gold": 5}

# Section 2.3: crew, provisions, gold, colours, dice, strength for VP.
SETTLEMENTS = {
    "harbour_west": (2, 2, 0, "black grey", 0, ()),
    "harbour_mid": (3, 1, 0, "black grey", 0, ()),
    "harbour_east": (2, 3, 0, "black grey", 0, ()),
    "outpost_east": (3, 4, 0, "grey", 1, ((8, 2), (14, 4))),
    "outpost_mid": (3, 3, 0, "grey", 1, ((10, 2), (16, 4))),
    "monastery_west": (3, 3, 1, "grey white", 2, ((12, 4), (20, 6))),
    "monastery_east": (4, 2, 1, "grey white", 2, ((14, 4), (22, 6))),
    "fortress_west": (5, 3, 2, "white", 2, ((22, 7), (28, 9), (36, 12))),
    "fortress_mid": (4, 2, 2, "white", 2, ((18, 5), (24, 7), (32, 10))),
    "fortress_east": (5, 4, 1, "white", 2, ((20, 6), (26, 8), (34, 11))),
}
WORKER = {settlement: row[3].split()[-1] for settlement, row in SETTLEMENTS.items()}
RAIDED = [settlement for settlement, row in SETTLEMENTS.items() if row[4]]


def idle(number: int) -> str:
    """``number`` idle crew."""
    return ", ".join(IDLE[:number])


def strong(total: int, number: int) -> str:
    """``number`` crew with ``total`` strength between them and no effect on strength or VP in any raid."""
    least, more = divmod(total, number)
    named = {
        0: ["jeweller", "forager", "trader", "merchant", "jeweller"],
        1: ["sage", "sage", "recruiter", "recruiter", "recruiter"],
        2: ["gatekeeper", "gatekeeper", "gatekeeper", "gatekeeper", "scout"],
        3: ["warlord", "warlord", "warlord", "avenger", "avenger"],
        4: ["berserker", "berserker", "berserker", "berserker", "mercenary"],
    }
    return ", ".join(named[least][: number - more] + (named[least + 1][:more] if more else []))


def ready(settlement: str, crew: str, *others: Any, sets: list[str] | None = None, **own: Any) -> Position:
    """Seat 0 may raid the settlement: the right worker in hand, provisions and gold in plenty."""
    player = seat(**({"crew": crew, "worker": WORKER[settlement]} | PLENTY | own))
    board = {settlement: sets or ["iron", "iron"]}
    return position(player, *(others or (seat(),)), sets=board)


def raid(settlement: str, crew: str, dice: list[int] | None = None, **own: Any) -> Position:
    """Seat 0 has just raided a settlement of two sets without Valkyries and is to choose one."""
    return ready(settlement, crew, **own).do(f"SETTLEMENT {settlement}", dice=dice)


def vp(settlement: str, crew: str, dice: list[int] | None = None, **own: Any) -> int:
    """VP that a raid scores."""
    return raid(settlement, crew, dice, **own).vp(0)


# --- section 7 ------------------------------------------------------------------------------------


@pytest.mark.rules("R-CREW-1")
def test_an_effect_works_while_hired_and_not_in_hand():
    assert vp("harbour_west", "warmonger, sage") == 2
    assert vp("harbour_west", "sage 2", hand="warmonger") == 1
    may = {"worker": "grey", "provision": 3}
    hired = position(seat(crew="huntsman, sage 2", **may), seat(), sets={"outpost_east": ["iron"]})
    held = position(seat(crew="sage 2, jeweller", hand="huntsman", **may), seat(), sets={"outpost_east": ["iron"]})
    assert (hired.legal("SETTLEMENT"), held.legal("SETTLEMENT")) == ({"outpost_east"}, set())


@pytest.mark.rules("R-CREW-2")
@pytest.mark.parametrize(
    ("settlement", "kind", "each"),
    [("harbour_mid", "warmonger", 1), ("outpost_mid", "archer", 2), ("monastery_east", "shieldmaiden", 1)],
)
def test_copies_add_up(settlement, kind, each):
    # Strength 2 or 3 each, so no threshold is met with dice of 2.
    dice = [2] * SETTLEMENTS[settlement][4]
    base = 1 if settlement.startswith("harbour") else 0
    for copies in (1, 2):
        assert vp(settlement, f"{kind} {copies}, {idle(3)}", dice or None) == base + each * copies


@pytest.mark.rules("R-CREW-3", "R-RAID-4")
def test_less_effects_may_bring_a_payment_to_zero_and_not_below():
    p = raid("monastery_west", "scout 3", [2, 2], provision=0, gold=1)
    assert p.goods(0) == {}
    p = raid("fortress_east", f"cartographer 2, {idle(3)}", [2, 2], provision=4, gold=0)
    assert p.goods(0) == {}
    p = raid("outpost_mid", "huntsman 4", [2], provision=1)
    assert p.goods(0) == {"provision": 1, "gold": 5}


@pytest.mark.rules("R-CREW-5", "R-RAID-7")
def test_all_hired_crew_take_part():
    # 4 + 3 + 2 + 1 = 10 and a die of 4: exactly 14. Nobody is asked who goes.
    p = raid("outpost_east", "berserker, warlord, gatekeeper, sage", [4])
    assert p.legal() == {"SET 0", "SET 1"}
    assert p.vp(0) == 4
    assert vp("outpost_east", "berserker, warlord, gatekeeper, sage", [3]) == 2


@pytest.mark.rules("R-CREW-6")
@pytest.mark.parametrize(
    ("settlement", "armour", "dice", "points"),
    [
        # Brynjar 4 + armour + armour / 3 + dice, the other crew have no strength.
        ("outpost_mid", 2, [3], 0),  # 4 + 2 + 0 + 3 = 9
        ("outpost_mid", 3, [2], 2),  # 4 + 3 + 1 + 2 = 10
        ("outpost_mid", 6, [3], 2),  # 4 + 6 + 2 + 3 = 15
        ("outpost_mid", 6, [4], 4),  # 16
        ("monastery_east", 3, [3, 3], 4),  # 4 + 3 + 1 + 6 = 14
        ("monastery_east", 3, [3, 2], 0),
        ("fortress_mid", 6, [3, 3], 5),  # 4 + 6 + 2 + 6 = 18
        ("fortress_mid", 6, [3, 2], 0),
        ("fortress_mid", 8, [2, 2], 5),  # 4 + 8 + 2 + 4 = 18
    ],
)
def test_brynjar_adds_one_per_three_armour(settlement, armour, dice, points):
    assert vp(settlement, f"brynjar, {idle(3)}", dice, armour=armour) == points


@pytest.mark.rules("R-CREW-7")
@pytest.mark.parametrize(
    ("settlement", "others", "armour", "dice", "points"),
    [
        ("outpost_mid", 2, 2, [3], 2),  # 3 + 2 + 2 + 3 = 10
        ("outpost_mid", 2, 2, [2], 0),
        ("outpost_mid", 4, 0, [3], 2),  # 3 + 4 + 0 + 3 = 10
        ("outpost_mid", 3, 0, [3], 0),
        ("monastery_west", 2, 1, [3, 3], 4),  # 3 + 2 + 1 + 6 = 12
        ("fortress_mid", 3, 6, [3, 3], 5),  # 3 + 3 + 6 + 6 = 18
        ("fortress_mid", 3, 6, [3, 2], 0),
    ],
)
def test_folke_adds_one_per_other_crew_member(settlement, others, armour, dice, points):
    assert vp(settlement, f"folke, {idle(others)}", dice, armour=armour) == points


@pytest.mark.rules("R-CREW-8")
@pytest.mark.parametrize(
    ("settlement", "valkyrie", "armour", "dice", "points"),
    [
        ("outpost_mid", 1, 3, [2], 0),  # 4 + 0 + 3 + 2 = 9
        ("outpost_mid", 2, 3, [2], 2),
        ("outpost_mid", 3, 3, [2], 2),
        ("outpost_mid", 5, 1, [2], 0),  # 4 + 2 + 1 + 2 = 9
        ("outpost_mid", 6, 1, [2], 2),  # 4 + 3 + 1 + 2 = 10
        ("outpost_mid", 7, 1, [2], 2),
        ("outpost_mid", 7, 0, [2], 0),  # at most 3
        ("fortress_mid", 4, 6, [3, 3], 5),  # 4 + 2 + 6 + 6 = 18
    ],
)
def test_ragnhildr_adds_one_per_two_steps_of_the_valkyrie_track(settlement, valkyrie, armour, dice, points):
    assert vp(settlement, f"ragnhildr, {idle(3)}", dice, valkyrie=valkyrie, armour=armour) == points


# --- section 8 ------------------------------------------------------------------------------------


@pytest.mark.rules("R-RAID-1")
@pytest.mark.parametrize("settlement", SETTLEMENTS)
def test_what_a_raid_needs(settlement):
    crew, provisions, gold, colours, _, _ = SETTLEMENTS[settlement]

    def may(**change: Any) -> bool:
        own = {"crew": idle(crew), "provision": provisions, "gold": gold, "worker": WORKER[settlement]} | change
        sets = own.pop("sets", ["iron"])
        return settlement in position(seat(**own), seat(), sets={settlement: sets}).legal("SETTLEMENT")

    assert may()
    assert not may(crew=idle(crew - 1))
    assert not may(provision=provisions - 1)
    assert not gold or not may(gold=gold - 1)
    assert not may(sets=[None, None])
    assert may(sets=[None, "iron"])
    for colour in ("black", "grey", "white"):
        assert may(worker=colour) == (colour in colours.split())


@pytest.mark.rules("R-RAID-2", "R-RAID-8")
def test_a_weak_raid_scores_nothing_but_takes_its_set():
    p = raid("fortress_mid", idle(4), [2, 2])
    assert p.vp(0) == 0
    p.do("SET 1")
    assert (p.iron(0), p.sets("fortress_mid"), p.seat) == (1, [{"iron": 1}, None], 1)


@pytest.mark.rules("R-RAID-3", "R-INV-4")
def test_the_worker_stays_at_the_settlement():
    p = ready("outpost_mid", idle(3))
    before = p.raiders("outpost_mid")
    p.do("SETTLEMENT outpost_mid")
    after = {"grey": before.get("grey", 0) + 1}
    assert (p.raiders("outpost_mid"), p.worker(0)) == (after, None)
    p.do("SET 0")
    assert p.raiders("outpost_mid") == after
    black = ready("harbour_west", idle(2), worker="black").do("SETTLEMENT harbour_west")
    assert black.raiders("harbour_west")["black"] == 1


@pytest.mark.rules("R-RAID-4")
@pytest.mark.parametrize("settlement", SETTLEMENTS)
def test_provisions_and_gold_are_paid_to_the_supply(settlement):
    crew, provisions, gold, *_ = SETTLEMENTS[settlement]
    p = ready(settlement, idle(crew))
    before = p.supply()
    p.do(f"SETTLEMENT {settlement}")
    assert (p.provision(0), p.gold(0)) == (8 - provisions, 5 - gold)
    assert p.supply()["provision"] == before["provision"] + provisions
    assert p.supply()["gold"] == before["gold"] + gold


@pytest.mark.rules("R-RAID-4")
@pytest.mark.parametrize("settlement", SETTLEMENTS)
@pytest.mark.parametrize(
    ("kind", "where", "good"),
    [("huntsman", "outpost", "provision"), ("scout", "monastery", "provision"), ("cartographer", "fortress", "gold")],
)
def test_who_lowers_which_payment_where(settlement, kind, where, good):
    crew, provisions, gold, *_ = SETTLEMENTS[settlement]
    p = raid(settlement, f"{kind}, {idle(crew - 1)}")
    spared = Counter({good: 1}) if settlement.startswith(where) else Counter()
    assert p.provision(0) == 8 - provisions + spared["provision"]
    assert p.gold(0) == 5 - gold + spared["gold"]


@pytest.mark.rules("R-RAID-5")
@pytest.mark.parametrize("settlement", SETTLEMENTS)
def test_the_settlement_s_dice_are_rolled(settlement):
    crew, _, _, _, dice, _ = SETTLEMENTS[settlement]
    # A Brawler sees them before they are scored.
    p = raid(settlement, f"brawler, {idle(crew - 1)}")
    assert len(p.dice()) == dice
    assert (p.point == "DP-REROLL") == bool(dice)


@pytest.mark.rules("R-RAID-5")
def test_a_die_shows_two_to_five():
    rolled: Counter[int] = Counter()
    for seed in range(400):
        p = position(
            seat(crew="brawler 3", worker="grey", **PLENTY), seat(), sets={"monastery_west": ["iron"]}, seed=seed
        )
        rolled.update(p.do("SETTLEMENT monastery_west").dice())
    # Of 800 dice 133, 267, 267 and 133 are expected.
    assert set(rolled) == {2, 3, 4, 5}
    assert all(90 <= rolled[face] <= 180 for face in (2, 5))
    assert all(210 <= rolled[face] <= 320 for face in (3, 4))


@pytest.mark.rules("R-RAID-6")
def test_a_brawler_may_reroll_one_die():
    p = raid("monastery_west", "brawler, sage, recruiter", [5, 2])
    assert (p.seat, p.vp(0)) == (0, 0)  # nothing is scored before
    assert p.legal() == {"DIE 0", "DIE 1", "PASS"}
    kept, rolled = p.then("PASS"), p.then("DIE 1", dice=[5, 3])
    # 2 + 1 + 1 + 7 = 11 and one more: the threshold is 12. The new value stands.
    assert (kept.vp(0), rolled.vp(0)) == (0, 4)
    assert kept.legal() == rolled.legal() == {"SET 0", "SET 1"}
    assert p.then("DIE 0", dice=[2, 2]).vp(0) == 0


@pytest.mark.rules("R-RAID-6")
def test_two_brawlers_may_reroll_the_same_die_and_may_stop():
    p = raid("monastery_west", "brawler 2, sage", [2, 3]).do("DIE 0", dice=[4, 3])
    assert (p.legal(), p.dice()) == ({"DIE 0", "DIE 1", "PASS"}, [4, 3])
    # 2 + 2 + 1 and the dice: 12 is the threshold.
    once, twice = p.then("PASS"), p.then("DIE 0", dice=[3, 3])
    assert (once.vp(0), twice.vp(0)) == (4, 0)
    assert once.legal() == twice.legal() == {"SET 0", "SET 1"}
    # PASS ends the rerolls, however many are left.
    assert raid("monastery_west", "brawler 3", [2, 5]).do("PASS").legal() == {"SET 0", "SET 1"}


@pytest.mark.rules("R-RAID-6")
def test_equal_dice_are_one_choice_and_no_dice_none():
    assert raid("monastery_west", "brawler, sage 2", [3, 3]).legal() == {"DIE 0", "PASS"}
    assert raid("outpost_mid", "brawler, sage 2", [3]).legal() == {"DIE 0", "PASS"}
    assert raid("harbour_west", "brawler 2").legal() == {"SET 0", "SET 1"}


@pytest.mark.rules("R-RAID-7")
@pytest.mark.parametrize(
    ("settlement", "crew", "dice", "armour", "points"),
    [
        # Armourer 3 + 2 at a Monastery: 3 + 2 + 0 + 0 + dice 6 + armour 1 = 12.
        ("monastery_west", "armourer, jeweller, forager", [3, 3], 1, 4),
        ("monastery_west", "armourer, jeweller, forager", [3, 3], 0, 0),
        ("monastery_west", "barbarian, jeweller, forager", [3, 3], 2, 0),
        ("monastery_west", "barbarian, jeweller, forager", [3, 3], 3, 4),
        # At a Fortress the Barbarian's 2 count: 3 + 2 + dice 6 + armour 7 = 18.
        ("fortress_mid", "barbarian, jeweller, forager, trader", [3, 3], 7, 5),
        ("fortress_mid", "barbarian, jeweller, forager, trader", [3, 3], 6, 0),
        ("fortress_mid", "armourer, jeweller, forager, trader", [3, 3], 8, 0),
        ("fortress_mid", "armourer, jeweller, forager, trader", [3, 3], 9, 5),
        # Neither helps at an Outpost: 3 + 3 + 0 + die 2 = 8 of 10.
        ("outpost_mid", "armourer, barbarian, jeweller", [2], 1, 0),
        ("outpost_mid", "armourer, barbarian, jeweller", [2], 2, 2),
        # Two of each add up: 3 + 3 + 4 + dice 4 = 14.
        ("monastery_east", "armourer 2, jeweller, forager", [2, 2], 0, 4),
    ],
)
def test_military_strength(settlement, crew, dice, armour, points):
    p = raid(settlement, crew, dice, armour=armour)
    assert p.vp(0) == points
    assert p.armour(0) == armour  # not spent


@pytest.mark.rules("R-RAID-8")
@pytest.mark.parametrize("settlement", RAIDED)
def test_the_highest_threshold_reached_counts(settlement):
    crew, _, _, _, dice, tiers = SETTLEMENTS[settlement]

    def scored(strength: int) -> int:
        rest = strength - 3 * dice
        armour = max(0, rest - 4 * crew)
        return vp(settlement, strong(rest - armour, crew), [3] * dice, armour=armour)

    below = 0
    for strength, points in tiers:
        assert scored(strength - 1) == below
        assert scored(strength) == points
        below = points


@pytest.mark.rules("R-RAID-8", "R-RAID-14")
@pytest.mark.parametrize("settlement", ["harbour_west", "harbour_mid", "harbour_east"])
def test_a_harbour_gives_one_vp_whatever_the_strength(settlement):
    assert vp(settlement, idle(3)) == 1
    assert vp(settlement, strong(20, 5), armour=10) == 1
    assert vp(settlement, idle(3), vp=49) == 50


@pytest.mark.rules("R-RAID-9")
@pytest.mark.parametrize(
    ("settlement", "base", "extra"),
    [
        ("harbour_west", 1, {"warmonger": 1}),
        ("outpost_mid", 0, {"archer": 2, "marauder": 1}),
        ("monastery_east", 0, {"shieldmaiden": 1}),
        ("fortress_mid", 0, {}),
    ],
)
def test_crew_add_vp_at_their_settlements_even_to_nothing(settlement, base, extra):
    for kind in ("warmonger", "archer", "marauder", "shieldmaiden"):
        dice = [2] * SETTLEMENTS[settlement][4]
        assert vp(settlement, f"{kind}, {idle(3)}", dice or None) == base + extra.get(kind, 0)


@pytest.mark.rules("R-RAID-9")
def test_crew_vp_come_on_top_of_a_threshold():
    # 3 + 3 + 2 + die 5 = 13 of 8 and 14: 2 VP, and 2 + 1 of the crew.
    assert vp("outpost_east", "archer, warlord, marauder", [5]) == 5


@pytest.mark.rules("R-RAID-10")
def test_the_set_is_chosen_after_dice_and_scoring():
    p = ready("outpost_east", strong(8, 3), sets=["gold 2, iron, livestock", "iron 3"], provision=4, gold=0).do(
        "SETTLEMENT outpost_east", dice=[3]
    )
    assert (p.vp(0), p.legal()) == (2, {"SET 0", "SET 1"})
    one, two = p.then("SET 0"), p.then("SET 1")
    # Slot 0 holds a grey worker, slot 1 a white one.
    assert (one.goods(0), one.worker(0)) == ({"gold": 2, "iron": 1, "livestock": 1}, "grey")
    assert (two.goods(0), two.worker(0)) == ({"iron": 3}, "white")
    assert one.sets("outpost_east") == [None, {"iron": 3}]
    assert two.sets("outpost_east") == [{"gold": 2, "iron": 1, "livestock": 1}, None]
    assert one.supply() == two.supply() == p.supply()


@pytest.mark.rules("R-RAID-11", "R-RAID-12")
def test_after_the_set_the_turn_ends_without_any_building():
    p = raid("harbour_west", idle(2), hand="scout, sage")
    village = p.village()
    p.do("SET 0")
    assert (p.seat, p.at_turn_start, p.village()) == (1, True, village)
    # With Valkyries they come in between.
    p = ready("harbour_west", "sage, jeweller", sets=["valkyrie, iron", "iron"]).do("SETTLEMENT harbour_west", "SET 0")
    assert (p.seat, p.legal()) == (0, {"CREW sage", "CREW jeweller"})
    assert p.do("CREW sage").seat == 1


@pytest.mark.rules("R-RAID-13")
def test_a_settlement_without_sets_is_closed():
    p = ready("harbour_west", idle(2), seat(crew=idle(3), worker="grey", **PLENTY), sets=["iron"])
    p.do("SETTLEMENT harbour_west")  # the only set, so it is taken at once
    assert p.sets("harbour_west") == [None, None, None]
    assert (p.seat, p.legal("SETTLEMENT")) == (1, set())


@pytest.mark.rules("R-RAID-14")
def test_vp_have_no_upper_bound():
    assert vp("fortress_mid", strong(16, 4), [5, 5], vp=245, armour=6) == 255
    assert vp("fortress_mid", strong(16, 4), [5, 5], vp=300, armour=6) == 310


# --- section 9 ------------------------------------------------------------------------------------


def taken(crew: str, valkyries: int, *others: Any, **own: Any) -> Position:
    """Seat 0 has raided a Harbour, and its set of so many Valkyries is to be paid for."""
    return ready("harbour_west", crew, *others, sets=[f"valkyrie {valkyries}, iron"], **own).do(
        "SETTLEMENT harbour_west"
    )


@pytest.mark.rules("R-VALK-1")
def test_one_crew_member_is_lost_and_one_step_gained_per_valkyrie():
    p = taken("sage, jeweller, scout", 2)
    assert p.legal() == {"CREW sage", "CREW jeweller", "CREW scout"}
    p.do("CREW scout")
    assert (p.crew(0), p.valkyrie(0), p.discard()) == ({"sage": 1, "jeweller": 1}, 1, {"scout": 1})
    assert p.legal() == {"CREW sage", "CREW jeweller"}
    p.do("CREW sage")
    assert (p.crew(0), p.valkyrie(0), p.seat) == ({"jeweller": 1}, 2, 1)


@pytest.mark.rules("R-VALK-2")
def test_without_crew_a_valkyrie_gives_nothing():
    p = taken("sage 2", 3)
    assert (p.crew(0), p.valkyrie(0), p.seat) == ({}, 2, 1)


@pytest.mark.rules("R-VALK-3")
def test_the_track_stops_at_seven_but_crew_are_lost():
    p = taken("sage 2, jeweller", 2, valkyrie=6).do("CREW sage", "CREW jeweller")
    assert (p.crew(0), p.valkyrie(0)) == ({"sage": 1}, 7)
    p = taken("sage 2", 2, valkyrie=7)
    assert (p.crew(0), p.valkyrie(0)) == ({}, 7)


@pytest.mark.rules("R-VALK-4")
def test_death_effects():
    p = taken("berserker, gravedigger, mercenary, sage, folke", 4)
    supply = p.supply()["gold"]
    p.do("CREW berserker")
    assert (p.hand(0), p.discard()) == ({"berserker": 1}, {})
    p.do("CREW gravedigger")
    assert (p.gold(0), p.supply()["gold"], p.discard()) == (6, supply - 1, {"gravedigger": 1})
    points = p.vp(0)
    p.do("CREW mercenary")
    assert (p.vp(0), p.discard()) == (points + 1, {"gravedigger": 1, "mercenary": 1})
    p.do("CREW folke")
    assert p.discard() == {"gravedigger": 1, "mercenary": 1, "folke": 1}
    assert (p.crew(0), p.valkyrie(0)) == ({"sage": 1}, 4)


@pytest.mark.rules("R-VALK-4")
def test_the_gravedigger_brings_no_gold_that_the_supply_lacks():
    p = position(
        seat(crew="gravedigger 2", provision=2),
        seat(),
        sets={"harbour_west": ["valkyrie 2, iron"]},
        supply={"gold": 1},
    ).do("SETTLEMENT harbour_west")
    assert (p.gold(0), p.supply()["gold"], p.crew(0)) == (1, 0, {})


@pytest.mark.rules("R-VALK-5")
def test_the_avenger_takes_a_crew_member_from_an_opponent():
    others = (seat(crew="scout, sage"), seat(), seat(crew="berserker"))
    p = taken("avenger, jeweller", 1, *others).do("CREW avenger")
    assert (p.seat, p.legal()) == (0, {"OPPONENT 1", "OPPONENT 3"})
    p.do("OPPONENT 1")
    assert (p.seat, p.legal()) == (1, {"CREW scout", "CREW sage"})
    p.do("CREW sage")
    assert (p.crew(1), p.discard()) == ({"scout": 1}, {"avenger": 1, "sage": 1})
    assert (p.seat, p.owner, p.at_turn_start) == (1, 1, True)


@pytest.mark.rules("R-VALK-5")
def test_without_an_opponent_who_has_crew_nothing_happens():
    p = taken("avenger, jeweller", 1, seat(hand="sage"), seat()).do("CREW avenger")
    assert (p.seat, p.crew(0), p.valkyrie(0)) == (1, {"jeweller": 1}, 1)


@pytest.mark.rules("R-VALK-5")
def test_after_the_avenger_the_remaining_valkyries_follow():
    p = taken("avenger 2, jeweller, sage", 3, seat(crew="scout"), seat(crew="folke")).do("CREW avenger", "OPPONENT 1")
    # The scout was all that seat 1 had.
    assert (p.seat, p.legal()) == (0, {"CREW avenger", "CREW jeweller", "CREW sage"})
    p.do("CREW avenger")  # only seat 2 is left
    assert (p.crew(1), p.crew(2)) == ({}, {})
    assert p.legal() == {"CREW jeweller", "CREW sage"}


@pytest.mark.rules("R-VALK-6")
@pytest.mark.parametrize("kind", ["berserker", "gravedigger", "mercenary", "avenger"])
def test_crew_lost_to_an_avenger_fire_nothing(kind):
    p = taken("avenger, jeweller", 1, seat(crew=kind)).do("CREW avenger")
    assert (p.hand(1), p.goods(1), p.vp(1), p.valkyrie(1), p.crew(1)) == ({}, {}, 0, 0, {})
    assert p.discard() == {"avenger": 2} if kind == "avenger" else {"avenger": 1, kind: 1}
    assert (p.crew(0), p.seat) == ({"jeweller": 1}, 1)


@pytest.mark.rules("R-VALK-6")
@pytest.mark.parametrize("kind", ["berserker", "gravedigger", "mercenary", "avenger"])
def test_crew_discarded_for_a_hire_fire_nothing(kind):
    p = position(seat(hand="sage", crew=kind, silver=2), seat(crew="scout")).do("BUILDING barracks", f"CREW {kind}")
    assert (p.hand(0), p.goods(0), p.vp(0), p.crew(0), p.crew(1)) == ({}, {}, 0, {"sage": 1}, {"scout": 1})
    assert p.discard() == {kind: 1}


@pytest.mark.rules("R-VALK-7")
def test_deaths_do_not_change_the_vp_of_this_raid():
    p = ready("monastery_west", "armourer 2, shieldmaiden 2", sets=["valkyrie 3"])
    p.do("SETTLEMENT monastery_west", dice=[4, 4])
    # 12 + 4 + 8 = 24: 6 VP, and 2 of the Shield Maidens.
    assert p.vp(0) == 8
    p.do("CREW shieldmaiden", "CREW shieldmaiden")
    assert (p.vp(0), p.crew(0), p.valkyrie(0)) == (8, {"armourer": 1}, 3)


@pytest.mark.rules("R-VALK-8", "R-SUP-4")
def test_all_valkyries_of_the_set_leave_the_board():
    p = ready("harbour_west", "sage 2", sets=["valkyrie 4"])
    gone = p.supply()["valkyrie"]
    p.do("SETTLEMENT harbour_west")
    assert (p.supply()["valkyrie"], p.valkyrie(0)) == (gone + 4, 2)
    assert p.sets("harbour_west") == [None, None, None]
