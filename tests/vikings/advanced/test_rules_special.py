"""Section 11: how special tiles come to the players, and what each of the 25 does."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from scipy import stats

from tests.vikings.advanced.positions import (
    ALL,
    AdvancedPosition,
    before_small_scoring,
    buying,
    final,
    home,
    scoring,
)
from tests.vikings.advanced.reference import COPIES
from tests.vikings.positions import COLOURS, loads

SHIPS = "ships 1:red 2:red 3:red\n"
THREE_SHIPS = SHIPS + "W: L"
BOTH = ("limited_boatsmen", "special_tiles")
SAIL = ("red ship", "gray")  # a set that is laid without a choice by who has three ships


def taking(text: str, *face_up: str, gold: int = 0, viking: str = "gray", **others) -> AdvancedPosition:
    """Seat 0 has just bought the dearest set, a ship, for nothing but 3 gold, and may take a special tile."""
    wheel = {8: ("right end", "blue"), 11: ("red ship", viking)}
    position = buying(home(SHIPS + text, gold=gold + 3), home("W: L"), wheel=wheel, face_up=face_up, **others)
    position.do("BUY 11")
    assert (position.phase, position.seat, position.gold(0)) == ("TAKE_SPECIAL", 0, gold)
    return position


def buying_middle(text: str, building: str = "A", *, viking: str = "gray", held: str = "") -> AdvancedPosition:
    """Seat 0, who holds the special tiles ``held``, has just bought a middle with that building for nothing."""
    wheel = {8: (f"middle {building}", viking), 9: ("right end", "green"), 11: ("right end", "black")}
    text += f"\nspecial {held}" if held else ""
    return buying(home(text), home("W: L"), wheel=wheel).do("BUY 8")


def large(text: str, round_number: int = 2) -> tuple[int, int]:
    """Fame and gold from the large scoring of round 2 or 4, of a homeland and its special tiles."""
    position = scoring(home(text), home(), round_number=round_number).do("DONE")
    return position.fame(0), position.gold(0)


def small(text: str) -> tuple[int, int]:
    """Fame and gold from a small scoring."""
    position = before_small_scoring(home(text), home(THREE_SHIPS)).do("BUY 11")
    return position.fame(0), position.gold(0)


def steps(text: str, rival: str = "", **money: int) -> dict[str, int]:
    """Steps of seat 0 in the final scoring, with 50 fame where nothing else is given."""
    return final(home(text, **{"fame": 50} | money), home(rival, fame=50)).steps(0)


# --- V-SPEC-1 to V-SPEC-9: stacks, display and taking ---------------------------------------------


@pytest.mark.rules("V-SETUP-9", "V-SPEC-1", "V-SPEC-2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_twenty_five_special_tiles_four_of_them_face_up(players):
    first = Counter()
    orders = set()
    for seed in range(60):
        position = AdvancedPosition(players, seed=seed, switches=("special_tiles",))
        assert sum(position.face_up().values()) == 4
        assert sum(position.hidden_specials().values()) == 21
        assert position.face_up() + position.hidden_specials() == COPIES
        assert not any(position.held(seat) for seat in range(players))
        first += position.face_up()
        orders.add(tuple(position.special_order()))
    assert len(orders) == 60
    # One random sequence: boats are 6 of 25.
    assert stats.binomtest(first["boat"], 240, 6 / 25).pvalue > 1e-3


@pytest.mark.rules("V-SPEC-1", "V-SETUP-9")
def test_without_the_switch_there_is_none():
    position = AdvancedPosition(2, switches=("auction", "limited_boatsmen"))
    assert not position.face_up()
    wheel = {8: ("right end", "blue"), 11: SAIL}
    position = buying(home(THREE_SHIPS, gold=9), home("W: L"), wheel=wheel, switches=("limited_boatsmen",)).do("BUY 11")
    assert (position.phase, position.seat) == ("BUY", 1)


@pytest.mark.rules("V-SPEC-2", "V-SPEC-5", "V-SETUP-10")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_display_is_refilled_to_four_at_the_start_of_a_round_and_untaken_tiles_stay(players):
    """Random takings: during a round the display only shrinks by what is taken, between rounds it is filled up."""
    chooser = random.Random(players)
    position = AdvancedPosition(players, seed=players, switches=("special_tiles",))
    order = position.special_order()
    revealed, display, round_number = 4, Counter(order[:4]), 1
    while position.seat is not None:
        if position.s["round_number"] != round_number:
            round_number += 1
            missing = 4 - sum(display.values())
            display.update(order[revealed : revealed + missing])
            revealed += missing
            assert sum(display.values()) == 4
        assert position.face_up() == display
        legal = sorted(position.legal())
        if position.phase == "BUY":
            # The dearest set more often than not.
            name = max(legal, key=lambda name: int(name[4:])) if chooser.random() < 0.6 else chooser.choice(legal)
        else:
            name = chooser.choice(legal)
        if name.startswith("SPECIAL "):
            display = display - Counter([name.removeprefix("SPECIAL ")])
        position.do(name)
    assert revealed <= 24
    assert position.hidden_specials() == Counter(order[revealed:])


@pytest.mark.rules("V-SPEC-2", "V-SPEC-5", "V-SPEC-3")
def test_at_most_24_are_revealed_though_all_four_are_taken_every_round():
    position = AdvancedPosition(2, seed=3, switches=("special_tiles",))
    chooser = random.Random(5)
    taken: Counter[int] = Counter()
    while position.seat is not None:
        position.s["gold"][:2] = 500
        legal = sorted(position.legal())
        if position.phase == "BUY":
            name = max(legal, key=lambda name: int(name[4:]))
        elif position.phase == "TAKE_SPECIAL":
            name = chooser.choice([name for name in legal if name != "DECLINE"])
            taken[int(position.s["round_number"])] += 1
        else:
            name = chooser.choice(legal)
        position.do(name)
    assert taken == dict.fromkeys(range(1, 7), 4)
    assert sum(position.hidden_specials().values()) == 1
    assert not position.face_up()


@pytest.mark.rules("V-SPEC-3", "V-SPEC-4", "V-DEC-9")
def test_ex_17_special_tile():
    wheel = {4: SAIL, 6: ("red ship", "red"), 9: ("red ship", "gray")}
    boards = [home(THREE_SHIPS, gold=10) for _ in range(3)]
    position = buying(*boards, wheel=wheel, round_number=4, face_up=["boat", "horn", "fish"])
    dearest = position.then("BUY 9")
    assert dearest.gold(0) == 5
    assert (dearest.phase, dearest.seat) == ("TAKE_SPECIAL", 0)
    assert dearest.legal() == {"SPECIAL boat", "SPECIAL horn", "SPECIAL fish", "DECLINE"}
    dearest.do("SPECIAL horn")
    assert dearest.held(0) == {"horn": 1}
    assert dearest.seat == 1
    # Now space 6 is the dearest.
    dearest.do("BUY 6")
    assert (dearest.phase, dearest.seat, dearest.gold(1)) == ("TAKE_SPECIAL", 1, 8)
    dearest.do("SPECIAL boat")
    assert dearest.seat == 2
    # The last one costs nothing, and the round goes to its scoring.
    dearest.do("BUY 4")
    assert dearest.phase == "TRIP"
    assert dearest.face_up() == {"fish": 1}
    # Not the dearest: no special tile.
    assert position.then("BUY 6").seat == 1


@pytest.mark.rules("V-SPEC-3")
def test_taking_is_optional():
    position = taking("W: L", "boat", "horn").do("DECLINE")
    assert (position.phase, position.seat) == ("BUY", 1)
    assert position.face_up() == {"boat": 1, "horn": 1}
    assert position.held(0) == {}


@pytest.mark.rules("V-SPEC-3", "V-SPEC-5")
def test_a_player_may_take_several_in_a_round_while_tiles_are_face_up():
    wheel = {0: ("red ship", "blue"), 8: SAIL, 9: SAIL, 10: SAIL, 11: SAIL}
    homes = [home(THREE_SHIPS, gold=60), home(THREE_SHIPS, gold=60)]
    position = buying(*homes, wheel=wheel, face_up=["boat", "boat", "horn"])
    position.do("BUY 11", "SPECIAL boat", "BUY 10", "SPECIAL horn", "BUY 9")
    assert position.legal() == {"SPECIAL boat", "DECLINE"}
    position.do("SPECIAL boat")
    assert [position.held(seat) for seat in (0, 1)] == [{"boat": 2}, {"horn": 1}]
    # None is left, and none comes during the round: nothing is asked after the next dearest set.
    position.do("BUY 8")
    assert (position.phase, position.seat) == ("BUY", 0)


@pytest.mark.rules("V-SPEC-4")
def test_not_for_a_set_that_costs_nothing():
    position = buying(home(THREE_SHIPS), home("W: L"), wheel={5: SAIL}, face_up=["boat", "horn", "fish", "rate"])
    position.do("BUY 5")
    assert position.phase == "TRIP"
    assert position.held(0) == {}


@pytest.mark.rules("V-SPEC-3", "V-SPEC-6")
def test_a_set_paid_with_fame_and_a_discarded_tile_earn_a_special_tile_too():
    full = "W: L R\nN: L R\nS: L R\nG: L R\nF: L R"
    wheel = {8: ("right end", "blue"), 11: ("middle C", "red")}
    position = buying(home(full, gold=1, fame=5), home("W: L"), wheel=wheel, face_up=["boat"]).do("BUY 11")
    assert (position.phase, position.seat) == ("TAKE_SPECIAL", 0)
    assert (position.gold(0), position.fame(0)) == (0, 3)
    assert position.pool(0) == {"red": 1}


@pytest.mark.rules("V-SPEC-6")
def test_the_special_tile_is_taken_after_everything_is_placed():
    wheel = {8: ("right end", "blue"), 11: ("left end", "red")}
    position = buying(home(start_tile_kept=True, gold=20), home("W: L"), wheel=wheel, round_number=1, face_up=["boat"])
    phases = []
    for name in ("BUY 11", "START_ROW W", "CELL N1", "VIKING_ON", "SPECIAL boat"):
        phases.append(position.phase)
        assert position.seat == 0
        position.do(name)
    assert phases == ["BUY", "START_ROW", "CELL", "VIKING", "TAKE_SPECIAL"]
    assert (position.phase, position.seat) == ("BUY", 1)
    assert position.rows(0) == {"W": "L", "N": "L*"}


@pytest.mark.rules("V-SPEC-6", "V-WHEEL-1")
def test_a_dearest_set_is_judged_when_it_is_bought():
    # After the purchase of 9 the set on 6 is the dearest; its buyer, not the one before, may take the next tile.
    wheel = {2: SAIL, 6: SAIL, 9: SAIL}
    homes = [home(THREE_SHIPS, gold=20), home(THREE_SHIPS, gold=20)]
    position = buying(*homes, wheel=wheel, face_up=["boat", "horn"])
    # Space 6 first: not the dearest at that time.
    position.do("BUY 6")
    assert (position.phase, position.seat) == ("BUY", 1)
    position.do("BUY 9")
    assert (position.phase, position.seat) == ("TAKE_SPECIAL", 1)


@pytest.mark.rules("V-SPEC-6", "V-SPEC-10")
def test_gold_of_the_coin_does_not_pay_for_the_same_set():
    wheel = {6: ("red ship", "red"), 8: ("right end", "red"), 11: SAIL}
    position = buying(home(THREE_SHIPS, gold=2, fame=2), home("W: L"), wheel=wheel, face_up=["coin"])
    assert "BUY 11" not in position.legal()  # costs 5
    position.s["fame"][0] = 3
    position.do("BUY 11", "SPECIAL coin")
    assert (position.gold(0), position.fame(0)) == (5, 0)


@pytest.mark.rules("V-SPEC-7")
def test_equal_and_different_bonuses_add_up():
    smiths = "G: L* M*\nspecial goldsmith +1, goldsmith +1, goldsmith +2"
    assert small(smiths) == (0, 2 * (3 + 4))
    assert large(smiths) == (0, 2 * (3 + 4))
    assert large("N: L* M*\nspecial noble +1, noble +1, noble +1") == (2 * (2 + 3), 0)


@pytest.mark.rules("V-SPEC-8")
def test_printed_figures_are_neither_fed_nor_scored():
    figures = "special horn, horn, noble +1, scout +1, fisherman +1, goldsmith +1, fish, boat"
    # One fisherman feeds five, himself among them: 4 spare, at 3 fame with the fish.
    assert steps("F: L*\n" + figures)["feeding"] == 4 * 3
    assert steps("N: L*\n" + figures)["feeding"] == -1
    assert steps(figures)["feeding"] == 0
    # And without vikings nothing is scored for them.
    assert large(figures) == (0, 0)
    assert small(figures) == (0, 0)


@pytest.mark.rules("V-SPEC-8", "V-SPEC-19b")
def test_a_viking_on_a_building_tile_is_an_ordinary_viking():
    assert large("N: L* [A]* R") == (4, 0)
    assert large("G: L [B]*") == (0, 3)
    assert small("G: L [B]*") == (0, 3)
    assert large("S: L [C]*\nG: L M*\nF: L [D]*") == (3, 3)
    assert large("ships 2:blue\nW: L [A]*") == (3, 0)
    # He is fed, and a fisherman there feeds.
    assert steps("N: L [A]*")["feeding"] == -1
    assert steps("F: L [A]*")["feeding"] == 8


@pytest.mark.rules("V-SPEC-9")
def test_vikings_in_the_pool_and_threatened_ones_earn_no_bonus():
    bonuses = "\nspecial noble +1, scout +1, fisherman +1, goldsmith +1, goldsmith +2"
    pool = "pool 2 red, 2 green, 2 blue, 2 yellow"
    assert large(pool + bonuses) == (0, 0)
    assert small(pool + bonuses) == (0, 0)
    threatened = "ships 1:blue\nN: L*\nS: L*\nG: L*\nF: L*"
    assert large(threatened + bonuses) == (0, 0)
    assert small(threatened + bonuses) == (0, 0)


# --- V-SPEC-10 to V-SPEC-18: the effects ----------------------------------------------------------


@pytest.mark.rules("V-SPEC-10")
def test_the_coin_gives_five_gold_at_once_and_leaves_the_game():
    position = taking("W: L", "coin", "boat", gold=2).do("SPECIAL coin")
    assert (position.gold(0), position.fame(0)) == (7, 0)
    assert position.held(0) == {}
    assert position.face_up() == {"boat": 1}
    assert position.removed_specials() == {"coin": 1}
    assert (position.phase, position.seat) == ("BUY", 1)


@pytest.mark.rules("V-SPEC-11")
@pytest.mark.parametrize(
    ("tiles", "each"), [("goldsmith +1", 1), ("goldsmith +1, goldsmith +1", 2), ("goldsmith +2", 2)]
)
def test_goldsmith_tiles(tiles, each):
    board = "ships 2:yellow 3:green\nG: L* M* M* M"
    # Two of three are out of reach: column 2 is threatened to row 5, column 3 only to row 4.
    assert small(board + f"\nspecial {tiles}") == (0, 2 * (3 + each))
    assert large(board + f"\nspecial {tiles}") == (0, 2 * (3 + each))
    # Taking it pays nothing by itself, and it stays.
    position = taking("G: L* M*", *tiles.split(", ")).do(f"SPECIAL {tiles.split(', ')[0]}")
    assert position.gold(0) == 0
    assert position.held(0) == {tiles.split(", ")[0]: 1}


@pytest.mark.rules("V-SPEC-11")
def test_goldsmith_tiles_pay_at_every_scoring():
    position = before_small_scoring(
        home("G: L*\nspecial goldsmith +2"), home(THREE_SHIPS), round_number=3, start_player=0
    )
    assert position.do("BUY 11").gold(0) == 5
    assert position.held(0) == {"goldsmith +2": 1}
    # In round 6 too, before the final scoring: five gold are a fame.
    assert final(home("G: L*\nspecial goldsmith +2", fame=9), home(), seat=0).steps(0)["gold"] == 1


@pytest.mark.rules("V-SPEC-13", "V-SPEC-14", "V-SPEC-15")
@pytest.mark.parametrize(
    ("board", "plain", "tiles", "bonus"),
    [
        ("ships 3:red\nN: L* M* M* M", 4, "noble +1", 2),
        ("ships 3:red\nN: L* M* M* M", 4, "noble +1, noble +1", 4),
        ("ships 3:red\nN: L* M* M* M", 4, "noble +1, noble +1, noble +1", 6),
        # Red does not reach row 4, green does.
        ("ships 1:red 2:green\nS: L* M* M*", 2, "scout +1", 2),
        # Blue reaches row 6, yellow does not.
        ("ships 1:yellow 2:blue\nF: L* M* M*", 0, "fisherman +1", 2),
    ],
)
def test_nobles_scouts_and_fishermen(board, plain, tiles, bonus):
    assert large(board) == (plain, 0)
    assert large(f"{board}\nspecial {tiles}") == (plain + bonus, 0)
    assert large(f"{board}\nspecial {tiles}", round_number=4) == (plain + bonus, 0)
    # Not in a small scoring.
    assert small(f"{board}\nspecial {tiles}") == (0, 0)


@pytest.mark.rules("V-SPEC-13", "V-SPEC-14", "V-SPEC-15")
def test_fame_bonuses_are_paid_in_round_6_too():
    board = "N: L*\nS: L*\nF: L*"
    tiles = "\nspecial noble +1, scout +1, fisherman +1"
    plain, more = (final(home(board + extra, fame=20), home(), seat=0).fame(0) for extra in ("", tiles))
    assert more - plain == 3


@pytest.mark.rules("V-SPEC-14", "V-LARGE-6")
def test_the_scout_bonus_is_for_the_scout_and_not_for_those_below():
    assert large("S: L*\nG: L*\nF: L*\nspecial scout +1") == (1 + 1 + 1 + 1, 3)
    # The fisherman is worth his own bonus and the scout's.
    assert large("S: L*\nF: L*\nspecial fisherman +1") == (3, 0)


EX_9 = """
ships 1:green 2:red 3:blue 4:yellow
W: L* M  M* R
N: L* M* M  R*
S: L* M* M  R*
G: L* M* M* R
F: L  M* M  R*
special goldsmith +1, goldsmith +2, noble +1, scout +1, fisherman +1
"""


@pytest.mark.rules("V-SPEC-7", "V-SPEC-9", "V-SPEC-11", "V-SPEC-13", "V-SPEC-14", "V-SPEC-15")
def test_ex_18_bonuses():
    assert large(EX_9) == (15, 23)
    assert small(EX_9) == (0, 18)


BOAT_BOARD = "S: L\nG: L* M* M\nF: L* M R* M\npool 3 blue, 1 yellow, 2 green, {} gray\nspecial {}"


@pytest.mark.rules("V-SPEC-12", "V-FERRY-3", "V-FERRY-4")
def test_a_boat_gives_one_trip_the_basic_capacity():
    position = scoring(home(BOAT_BOARD.format(2, "boat")), home(), switches=BOTH)
    assert position.legal() == {"CELL F2", "CELL F4", "CELL G3", "CELL S1", "USE_BOAT", "DONE"}
    spent = position.then("USE_BOAT")
    # The boat leaves at once, the boatsman with the move, which must follow.
    assert spent.held(0) == {}
    assert spent.removed_specials() == {"boat": 1}
    assert spent.pool(0)["gray"] == 2
    assert spent.legal() == {"CELL F2", "CELL F4", "CELL G3", "CELL S1"}
    # EX-10's twelve loads.
    words = ("F2", "F4", "F2 F4", "G3", "S1", "F2 G3", "F4 G3", "F2 S1", "F4 S1", "G3 S1", "F2 G3 S1", "F4 G3 S1")
    assert set(loads(spent)) == {frozenset(load.split()) for load in words}
    spent.do("CELL F2", "CELL F4", "END_TRIP")
    assert spent.pool(0) == {"blue": 1, "yellow": 1, "green": 2, "gray": 1}
    assert spent.s["vikings_removed"][COLOURS.index("gray")] == 1
    # The other boatsman has no boat.
    assert spent.legal() == {"CELL G3", "CELL S1", "DONE"}
    spent.do("CELL G3")
    assert spent.legal() == {"DONE"}


@pytest.mark.rules("V-SPEC-12")
def test_the_trip_of_a_boat_may_move_one_viking_only():
    position = scoring(home(BOAT_BOARD.format(1, "boat")), home(), switches=BOTH)
    position.do("USE_BOAT", "CELL G3", "END_TRIP")
    assert position.legal() == {"DONE"}
    assert position.pool(0) == {"blue": 3, "green": 2}


@pytest.mark.rules("V-SPEC-12")
def test_several_boats_serve_several_trips():
    position = scoring(home(BOAT_BOARD.format(3, "boat, boat, horn")), home(), switches=BOTH)
    position.do("USE_BOAT", "CELL S1", "CELL G3", "END_TRIP")
    assert position.held(0) == {"boat": 1, "horn": 1}
    assert position.legal() == {"CELL F2", "CELL F4", "USE_BOAT", "DONE"}
    position.do("USE_BOAT", "CELL F2", "CELL F4", "END_TRIP")
    assert position.held(0) == {"horn": 1}
    assert position.pool(0) == {"blue": 1, "green": 1, "gray": 1}
    assert position.removed_specials() == {"boat": 2}


@pytest.mark.rules("V-SPEC-12")
def test_a_trip_without_a_boat_may_come_before_one_with_it():
    position = scoring(home(BOAT_BOARD.format(2, "boat")), home(), switches=BOTH)
    position.do("CELL F4")
    assert "USE_BOAT" in position.legal()
    position.do("USE_BOAT", "CELL F2", "CELL S1", "CELL G3", "END_TRIP")
    assert position.row(0, "F") == "L* M* R* M*"
    assert position.legal() == {"DONE"}


@pytest.mark.rules("V-SPEC-12")
@pytest.mark.parametrize(
    "text",
    [
        "S: L\npool 2 green\nspecial boat",  # no boatsman
        "S: L*\npool 2 green, 1 gray\nspecial boat",  # no empty tile
        "S: L\npool 2 red, 1 gray\nspecial boat",  # nobody for it
        "S: L\npool 2 green\nspecial boat, horn",  # a horn is no boatsman that sails
    ],
)
def test_a_boat_needs_a_boatsman_and_a_possible_move(text):
    position = scoring(home(text), home(), switches=BOTH)
    assert position.legal() == {"DONE"}
    assert scoring(home(text), home(), switches=BOTH, round_number=6).legal() == {"DONE"}


@pytest.mark.rules("V-SPEC-12", "V-FERRY-7")
def test_a_boat_is_optional_in_round_6_too():
    text = "S: L M\nG: L M\npool 2 green, 2 yellow, 2 gray\nspecial boat"
    position = scoring(home(), home(text), seat=1, round_number=6, switches=BOTH)
    assert position.legal() == {"CELL S1", "CELL S2", "CELL G1", "CELL G2", "USE_BOAT"}
    without = position.then("CELL S1", "CELL G2")
    # No boatsman is left, so the boat stays unused.
    assert without.legal() == {"DONE"}
    assert without.held(1) == {"boat": 1}
    # With it, one boatsman can carry two, and the other must sail again.
    with_boat = position.then("USE_BOAT", "CELL S1", "CELL G1", "END_TRIP")
    assert with_boat.legal() == {"CELL S2", "CELL G2"}


@pytest.mark.rules("V-SPEC-12")
def test_without_limited_boatsmen_a_boat_has_no_use():
    position = scoring(home(BOAT_BOARD.format(2, "boat")), home(), switches=("special_tiles",))
    assert position.legal() == {"CELL F2", "CELL F4", "CELL G3", "CELL S1", "DONE"}
    assert set(loads(position)) >= {frozenset({"F2", "F4"})}
    position.do("CELL F2", "CELL F4", "END_TRIP")
    assert position.held(0) == {"boat": 1}
    # It may be taken all the same.
    assert taking("W: L", "boat").do("SPECIAL boat").held(0) == {"boat": 1}


@pytest.mark.rules("V-SPEC-16")
@pytest.mark.parametrize(
    ("own", "rival", "fame"),
    [
        ("special horn", "", [10, 0]),
        ("special horn", "pool 1 gray", [10, 10]),
        ("special horn, horn", "pool 1 gray", [10, 0]),
        ("pool 1 gray\nspecial horn, horn", "pool 2 gray\nspecial horn", [10, 10]),
        ("pool 1 gray\nspecial horn", "pool 3 gray", [0, 10]),
        ("special horn, horn, horn, horn", "pool 3 gray", [10, 0]),
        ("pool 3 red", "special horn", [0, 10]),
    ],
)
def test_a_horn_counts_as_a_boatsman_for_the_majority(own, rival, fame):
    position = final(home(own, fame=50), home(rival, fame=50))
    assert [position.steps(seat)["boatsmen"] for seat in (0, 1)] == fame


@pytest.mark.rules("V-SPEC-16", "V-SPEC-8", "V-FERRY-7")
def test_a_horn_never_makes_a_trip_and_is_never_fed():
    text = "N: L\npool 1 red\nspecial horn, horn"
    for round_number in (2, 4, 6):
        assert scoring(home(text), home(), round_number=round_number).legal() == {"DONE"}
    assert steps("F: L*\nspecial horn, horn, horn, horn")["feeding"] == 8


@pytest.mark.rules("V-SPEC-17")
@pytest.mark.parametrize(
    ("board", "plain", "fish"),
    [
        ("F: L*", 8, 12),
        ("F: L* M*", 16, 24),
        ("F: L*\nN: L* M* M* M*", 0, 0),
        ("F: L*\nN: L* M* M* M* M* M*", -2, -2),  # shortage unchanged
        ("N: L* M*", -2, -2),
        ("ships 1:blue\nF: L*", -1, -1),
    ],
)
def test_the_fisherman_with_fish(board, plain, fish):
    assert steps(board)["feeding"] == plain
    assert steps(board + "\nspecial fish")["feeding"] == fish
    # Nobody else profits.
    assert final(home("special fish"), home(board, fame=50)).steps(1)["feeding"] == plain


@pytest.mark.rules("V-SPEC-18", "V-FINAL-3")
@pytest.mark.parametrize(
    ("gold", "fame", "left"), [(0, 0, 0), (2, 0, 2), (3, 1, 0), (5, 1, 2), (14, 4, 2), (15, 5, 0), (300, 100, 0)]
)
def test_three_gold_are_a_fame(gold, fame, left):
    position = final(home("special rate", gold=gold, fame=50), home(gold=gold, fame=50))
    assert (position.steps(0)["gold"], position.gold(0)) == (fame, left)
    assert (position.steps(1)["gold"], position.gold(1)) == (gold // 5, gold % 5)


@pytest.mark.rules("V-SPEC-18", "V-FINAL-2", "V-END-2")
def test_the_rate_applies_after_the_ships_are_paid_and_its_rest_breaks_ties():
    # 5 of 13 gold for the green ship; 8 are 2 fame and 2 left, against 3 left at the same fame.
    position = final(home("ships 1:green\nspecial rate", gold=13, fame=40), home(gold=3, fame=42))
    assert position.scores() == [42, 42]
    assert [position.gold(seat) for seat in (0, 1)] == [2, 3]
    assert position.ranks() == [2, 1]
    # During the game nothing is turned into fame.
    assert scoring(home("special rate", gold=13), home()).do("DONE").gold(0) == 13


# --- V-SPEC-19: building tiles --------------------------------------------------------------------


@pytest.mark.rules("V-SPEC-19", "V-SPEC-19b", "V-SPEC-6", "V-DEC-10")
@pytest.mark.parametrize("building", "ABCD")
def test_a_building_tile_replaces_a_middle_with_its_building(building):
    token = "M" if building == "A" else f"M{building}"
    other = "MB" if building == "A" else "M"
    text = f"N: L {other}\nS: L {token} {token}*\nG: L {token}"
    position = taking(text, f"building {building}").do(f"SPECIAL building {building}")
    assert (position.phase, position.seat) == ("REPLACE", 0)
    assert position.legal() == {"CELL S2", "CELL S3", "CELL G2"}
    after = position.then("CELL S2")
    assert after.buildings(0) == {"S2": building}
    assert after.held(0) == {}
    assert after.removed_tiles(f"middle {building}") == 1
    assert (after.phase, after.seat) == ("BUY", 1)
    assert after.rows(0) == position.rows(0)
    # A viking on the old tile stays.
    after = position.then("CELL S3")
    assert after.buildings(0) == {"S3": building}
    assert after.row(0, "S") == "L M M*"


@pytest.mark.rules("V-SPEC-19b")
def test_replacing_the_only_match_is_no_choice():
    position = taking("S: L MC MB", "building C").do("SPECIAL building C").do_forced_replacement()
    assert position.buildings(0) == {"S2": "C"}
    assert (position.phase, position.seat) == ("BUY", 1)


@pytest.mark.rules("V-SPEC-6", "V-SPEC-19b")
def test_a_middle_just_placed_may_be_replaced_at_once():
    wheel = {8: ("right end", "blue"), 11: ("middle D", "red")}
    position = buying(home("N: L\nS: L MD", gold=9), home("W: L"), wheel=wheel, face_up=["building D"])
    position.do("BUY 11", "CELL N2", "VIKING_ON", "SPECIAL building D")
    assert position.legal() == {"CELL N2", "CELL S2"}
    position.do("CELL N2")
    assert position.buildings(0) == {"N2": "D"}
    assert position.row(0, "N") == "L M*"


@pytest.mark.rules("V-SPEC-19b", "V-SPEC-19c")
def test_without_a_match_a_building_tile_is_kept():
    position = taking("S: L MB MC MD", "building A").do("SPECIAL building A")
    assert position.held(0) == {"building A": 1}
    assert position.buildings(0) == {}
    assert (position.phase, position.seat) == ("BUY", 1)
    # The other player's middles are none of hers.
    wheel = {8: ("right end", "blue"), 11: SAIL}
    position = buying(home(THREE_SHIPS, gold=9), home("S: L M"), wheel=wheel, face_up=["building A"])
    position.do("BUY 11", "SPECIAL building A")
    assert position.held(0) == {"building A": 1}


@pytest.mark.rules("V-SPEC-19a", "V-SPEC-19c")
@pytest.mark.parametrize("building", "ABCD")
def test_a_kept_building_tile_is_laid_instead_of_the_next_middle_with_its_building(building):
    position = buying_middle("S: L R\nG: L MB*", building, held=f"building {building}, horn")
    # EX-6: the cells of a middle.
    assert position.legal() == {"CELL G3", "CELL N2", "CELL F2"}
    position.do("CELL N2")
    assert position.buildings(0) == {"N2": building}
    assert position.held(0) == {"horn": 1}
    assert position.removed_tiles(f"middle {building}") == 1
    assert position.s["tiles_removed"].sum() == 3  # the two start tiles of absent players and the bought middle
    assert position.rows(0) == {"N": ". M", "S": "L R", "G": "L M*"}


@pytest.mark.rules("V-SPEC-19c")
def test_the_viking_of_the_set_may_stand_on_the_building_tile():
    position = buying_middle("S: L\nN: L", "C", viking="red", held="building C").do("CELL N2")
    assert position.legal() == {"VIKING_ON", "VIKING_POOL"}
    assert position.then("VIKING_ON").row(0, "N") == "L M*"
    assert position.then("VIKING_ON").buildings(0) == {"N2": "C"}
    assert position.then("VIKING_POOL").pool(0) == {"red": 1}
    # In another row he goes to the pool.
    other = buying_middle("S: L\nN: L", "C", viking="red", held="building C").do("CELL S2")
    assert other.pool(0) == {"red": 1}
    assert other.buildings(0) == {"S2": "C"}


@pytest.mark.rules("V-SPEC-19c")
def test_only_a_middle_with_that_building_is_exchanged():
    position = buying_middle("S: L", "B", held="building A").do("CELL S2")
    assert position.buildings(0) == {}
    assert position.held(0) == {"building A": 1}
    assert position.s["tiles_removed"].sum() == 2
    # Nor by somebody else's building tile.
    wheel = {8: ("middle A", "gray"), 9: ("right end", "blue")}
    position = buying(home("S: L"), home("W: L\nspecial building A"), wheel=wheel).do("BUY 8", "CELL S2")
    assert position.buildings(0) == {}
    assert position.held(1) == {"building A": 1}


@pytest.mark.rules("V-SPEC-19c", "V-TILE-7")
def test_without_a_legal_cell_the_bought_tile_goes_and_the_building_tile_is_kept():
    full = "W: L R\nN: L R\nS: L R\nG: L R\nF: L R"
    position = buying_middle(full, "A", viking="yellow", held="building A")
    assert position.pool(0) == {"yellow": 1}
    assert position.held(0) == {"building A": 1}
    assert position.buildings(0) == {}
    assert position.removed_tiles("middle A") == 1
    assert position.s["tiles_removed"].sum() == 3
    assert position.seat == 1


@pytest.mark.rules("V-SPEC-19c", "V-SPEC-3")
def test_a_kept_building_tile_is_laid_and_another_special_tile_taken_in_one_turn():
    wheel = {8: ("right end", "blue"), 11: ("middle A", "red")}
    board = home("S: L M MB\nspecial building A", gold=9)
    # A middle A that lay there before the building tile came is not exchanged: the bought one is.
    position = buying(board, home("W: L"), wheel=wheel, face_up=["building B", "boat"]).do("BUY 11", "CELL S4")
    assert position.buildings(0) == {"S4": "A"}
    position.do("SPECIAL building B").do_forced_replacement()
    assert position.buildings(0) == {"S4": "A", "S3": "B"}


@pytest.mark.rules("V-SPEC-19a", "V-SPEC-19d")
def test_a_building_tile_counts_as_a_middle():
    # For islands and their length.
    found = final(home("N: L [A] [B] R", fame=9), home("N: L M R", fame=9))
    assert [found.steps(0)[step] for step in ("islands", "longest island")] == [7, 5]
    assert [found.steps(1)[step] for step in ("islands", "longest island")] == [7, 0]
    open_islands = final(home("N: L [A]\nS: . [B] R", fame=9), home("N: L R", fame=9))
    assert open_islands.steps(0)["islands"] == 0
    # For what is laid beside it later, and as contact above and below.
    board = "S: L [A]"
    wheel = {9: ("right end", "blue"), 10: ("left end", "gray"), 11: ("middle B", "red")}
    position = buying(home(board, gold=9), home("W: L"), wheel=wheel)
    assert position.then("BUY 11").legal("CELL") == {"S3", "N2", "G2"}
    assert position.then("BUY 10").legal("CELL") == {"W1", "N1", "G1", "F1", "N2", "G2"}
    # A waiting viking may be carried there.
    assert "CELL S2" in scoring(home(board + "\npool 1 green, 1 gray"), home()).legal()


@pytest.mark.rules("V-SPEC-19e")
@pytest.mark.parametrize(("ships", "fame"), [("", 7), ("ships 2:red\n", 7), ("ships 2:green\n", 0)])
def test_ex_19_building_tile(ships, fame):
    board = ships + "N: L* M R*\nS: L* [A]* R\nG: L* M* R*"
    assert steps(board)["buildings"] == fame


@pytest.mark.rules("V-SPEC-19e")
@pytest.mark.parametrize(
    ("board", "fame"),
    [
        ("S: L [A]", 0),
        ("S: L [A]*", 1),
        ("S: L* [A]", 1),
        ("N: L* M* M*\nS: L* [A]* M*\nG: L* M* M*", 9),  # the most
        ("N: L* M* M* M*\nS: L* [A]* M* M*\nG: L* M* M* M*\nF: L* M* M* M*\nW: L* M* M* M*", 9),
        ("W: L [A]\nN: L M M*", 1),  # a corner
        ("W: L* [A]* M*\nN: L* M* M*\nships 1:red 2:red 3:red", 6),  # row 1 never counts
        ("S: L* M* M [B]", 0),  # two columns away
        ("W: L M*\nS: L [B]", 0),  # two rows away
        ("F: L* [D]\npool 3 blue, 2 gray", 1),  # the pool never counts
        ("F: L* [D]* R", 2),
        # Vikings under a ship count as long as the building tile itself is out of its reach.
        ("ships 1:blue 3:yellow\nN: L* M M*\nS: L* [A] M*", 4),
        # Under a ship that its own warrior repels.
        ("ships 2:blue\nW: L M*\nN: L [C] M*", 2),
        ("ships 2:blue\nW: L* M\nN: L [C] M*", 0),
        ("ships 2:yellow\nG: L* [C]*", 0),
        ("ships 2:yellow\nF: L* [C]*", 2),
    ],
)
def test_the_score_of_a_building_tile(board, fame):
    assert steps(board)["buildings"] == fame


@pytest.mark.rules("V-SPEC-19e")
def test_a_building_tile_that_is_not_placed_scores_nothing():
    assert steps("S: L* M* R*\nspecial building A, building B")["buildings"] == 0


@pytest.mark.rules("V-SPEC-19f")
def test_one_viking_may_count_for_several_building_tiles():
    # N2 is next to all four; S1 next to two; each building tile's own viking counts for its neighbours as well.
    assert steps("N: L M* M\nS: L [A] [B]")["buildings"] == 2
    assert steps("W: L [C] [D]\nN: L M* M\nS: L [A] [B]")["buildings"] == 4
    assert steps("S: L* [A]* [B]*")["buildings"] == 3 + 2


@pytest.mark.rules("V-SPEC-19e", "V-FINAL-8")
def test_the_building_step_comes_on_top_of_all_others():
    board = "F: L* [D]* R\nN: L* M*"
    position = final(home(board, fame=20, gold=10), home("N: L", fame=20))
    # Two fishermen feed ten, and four must be fed.
    assert position.steps(0) == {
        "ships": 0,
        "gold": 2,
        "boatsmen": 0,
        "islands": 7,
        "longest island": 5,
        "feeding": 12,
        "buildings": 2,
    }
    assert position.scores() == [20 + 2 + 7 + 5 + 12 + 2, 20]


# --- every tile of the box ------------------------------------------------------------------------


@pytest.mark.rules("V-COMP-6", "V-SPEC-7")
@pytest.mark.parametrize("tile", COPIES)
def test_every_tile_may_be_taken_and_lies_open(tile):
    position = taking("W: L", tile, switches=ALL)
    assert position.legal() == {f"SPECIAL {tile}", "DECLINE"}
    position.do(f"SPECIAL {tile}")
    if tile == "coin":
        assert position.held(0) == {}
        assert position.removed_specials() == {"coin": 1}
    else:
        assert position.held(0) == {tile: 1}
    assert position.face_up() == {}
