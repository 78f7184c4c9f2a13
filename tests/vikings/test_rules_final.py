"""Sections 9.5 and 9.6: the final scoring, the end and ties."""

from __future__ import annotations

import pytest

from tests.vikings.positions import Home, Position, final, home, scoring

NOTHING = {"ships": 0, "gold": 0, "boatsmen": 0, "islands": 0, "longest island": 0, "feeding": 0}


def steps(*homes: Home | str) -> list[dict[str, int]]:
    """The final scoring of these homelands (50 fame and no gold where only the board is given)."""
    position = final(*[home(board, fame=50) if isinstance(board, str) else board for board in homes])
    return [position.steps(seat) for seat in range(len(homes))]


@pytest.mark.rules("V-FINAL-1")
def test_ships_are_judged_after_the_trips_of_round_6():
    board = home("ships 1:blue 2:green\nW: L M\npool 1 black, 1 gray", fame=20)
    position = scoring(home(), board, round_number=6, seat=1)
    # Repelling the blue ship leaves the green one (5 gold, 3 of which stay unpaid).
    blue = position.copy()
    blue.s["gold"][1] = 2
    blue.do("CELL W1", "END_TRIP", "DONE")
    assert blue.steps(1)["ships"] == -3
    # Repelling the green one (5 gold gained) leaves the blue one.
    green = position.then("CELL W2", "END_TRIP", "DONE")
    assert green.steps(1)["ships"] == -3
    assert green.steps(1)["gold"] == 1
    # Vikings carried in that round eat and feed.
    fishers = scoring(home(), home("F: L\npool 1 blue, 1 gray"), round_number=6, seat=1)
    assert fishers.do("CELL F1", "END_TRIP", "DONE").steps(1)["feeding"] == 8


@pytest.mark.rules("V-FINAL-2")
@pytest.mark.parametrize(
    ("ships", "gold", "fame", "gold_after"),
    [
        ("1:red", 3, 0, 0),
        ("1:red", 4, 0, 1),
        ("1:red", 0, -3, 0),
        ("1:green 2:red", 6, -2, 0),
        ("1:green 2:red 3:green", 13, 0, 0),
        ("1:yellow 2:blue", 4, -5, 4),  # fame is lost even with gold at hand
        ("1:yellow 2:green 3:blue", 3, -7, 0),
        ("1:green 2:green", 9, -1, 0),
    ],
)
def test_unrepelled_ships_cost_their_value(ships, gold, fame, gold_after):
    position = final(home(f"ships {ships}", fame=20, gold=gold), home(fame=20))
    assert position.steps(0) == NOTHING | {"ships": fame}
    assert position.gold(0) == gold_after
    assert position.fame(0) == 20 + fame


@pytest.mark.rules("V-FINAL-2")
def test_repelled_ships_cost_nothing():
    position = final(home("ships 1:green 2:blue\nW: L* M\nF: L* R", fame=20, gold=1), home("N: L R", fame=20))
    assert position.steps(0)["ships"] == -3
    assert position.gold(0) == 1


@pytest.mark.rules("V-FINAL-2", "V-FINAL-3")
def test_ships_are_paid_before_gold_becomes_fame():
    position = final(home("ships 1:green", fame=20, gold=14), home(fame=20))
    assert (position.steps(0)["ships"], position.steps(0)["gold"], position.gold(0)) == (0, 1, 4)


@pytest.mark.rules("V-FINAL-3")
@pytest.mark.parametrize(
    ("gold", "fame", "left"), [(0, 0, 0), (4, 0, 4), (5, 1, 0), (9, 1, 4), (10, 2, 0), (123, 24, 3)]
)
def test_every_full_five_gold_gives_a_fame(gold, fame, left):
    position = final(home(fame=10, gold=gold), home(fame=10))
    assert (position.fame(0), position.gold(0)) == (10 + fame, left)
    assert position.steps(0) == NOTHING | {"gold": fame}


@pytest.mark.rules("V-FINAL-4", "V-FINAL-7")
@pytest.mark.parametrize(
    ("boatsmen", "fame"),
    [
        ([1, 3, 2], [0, 10, 0]),
        ([3, 3, 2], [10, 10, 0]),
        ([2, 2, 2], [10, 10, 10]),
        ([0, 0, 0], [0, 0, 0]),
        ([0, 1, 0], [0, 10, 0]),
    ],
)
def test_most_boatsmen_in_the_pool(boatsmen, fame):
    found = steps(*[f"pool {count} gray, 2 red" for count in boatsmen])
    assert [step["boatsmen"] for step in found] == fame


@pytest.mark.rules("V-FINAL-4")
def test_used_boatsmen_do_not_count():
    # Seat 1 had two, one of which carried the noble in this scoring.
    position = scoring(home("pool 2 gray"), home("N: L\npool 1 red, 2 gray"), round_number=6, seat=1)
    position.do("CELL N1", "END_TRIP", "DONE")
    assert [position.steps(seat)["boatsmen"] for seat in (0, 1)] == [10, 0]


@pytest.mark.rules("V-FINAL-5")
@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("W: L R", 1),
        ("W: L M M M R", 1),
        ("W: L R L R", 2),
        ("W: L R\nN: L R\nS: L R\nG: L M R\nF: L R", 5),
        ("W: L M", 0),
        ("W: L . R", 0),
        ("W: . M R", 0),
        ("W: L M . M R", 0),
        ("W: L R L\nN: L M . L M R", 2),
        ("W: L R . M R", 1),
    ],
)
def test_completed_islands_are_runs_from_a_left_to_a_right_end(board, count):
    # Against a player with ``count`` islands it is a tie, against one more a loss, against one fewer a win.
    for other, expected in ((count - 1, [7, 0]), (count, [7, 7] if count else [0, 0]), (count + 1, [0, 7])):
        if other >= 0:
            # Islands of seven tiles, longer than any of the board's.
            rival = "\n".join(f"{row}: L M M M M M R" for row in "WNSGF"[:other])
            if other == 6:
                rival += " L R"
            assert [step["islands"] for step in steps(board, rival)] == expected


@pytest.mark.rules("V-FINAL-6")
@pytest.mark.parametrize(
    ("board", "length"),
    [
        ("W: L R", 2),
        ("W: L M M R", 4),
        ("W: L R L M R", 3),
        ("W: L M R\nN: L M R", 3),
        ("W: L M M M M\nN: L R", 2),
        ("W: L M . R", 0),
    ],
)
def test_the_longest_completed_island_is_counted_in_tiles(board, length):
    for other, expected in ((length - 1, [5, 0]), (length, [5, 5] if length else [0, 0]), (length + 1, [0, 5])):
        if other >= 0:
            rival = "G: L" + " M" * (other - 2) + " R" if other >= 2 else ""
            if rival or other == 0:
                assert [step["longest island"] for step in steps(board, rival)] == expected


@pytest.mark.rules("V-FINAL-6")
def test_several_longest_islands_count_once():
    assert [step["longest island"] for step in steps("W: L M R L M R\nN: L M R", "N: L R")] == [5, 0]


@pytest.mark.rules("V-FINAL-7")
def test_a_maximum_of_zero_awards_nothing():
    assert steps("W: L M\npool 2 red", "N: L", "") == [NOTHING | {"feeding": -2}, NOTHING, NOTHING]


@pytest.mark.rules("V-FINAL-8")
@pytest.mark.parametrize(
    ("board", "fame"),
    [
        ("", 0),
        ("F: L*", 8),  # 5 food, 1 mouth
        ("F: L* M*", 16),
        ("F: L*\nN: L* M* M* M*", 0),  # 5 food, 5 mouths
        ("F: L*\nN: L* M* M* M* M*", -1),
        ("N: L* M*", -2),
        ("pool 2 red, 3 gray", -5),  # waiting vikings and boatsmen eat alike
        ("F: L*\npool 3 blue, 1 gray", 0),  # fishermen in the pool eat and give no food
        ("ships 1:blue\nF: L*", -1),  # a threatened fisherman eats and gives no food
        ("ships 1:blue\nW: L*\nF: L*", 6),  # 5 food, 2 mouths
        ("ships 1:yellow\nF: L*\nG: L*", 6),  # threatened vikings eat
        ("F: L", 0),
    ],
)
def test_feeding(board, fame):
    assert steps(board, "W: L")[0]["feeding"] == fame


@pytest.mark.rules("V-FINAL-8", "V-FERRY-1")
def test_used_boatsmen_do_not_eat():
    position = scoring(home(), home("N: L\npool 1 red, 2 gray"), round_number=6, seat=1)
    # The noble and one boatsman are left.
    assert position.do("CELL N1", "END_TRIP", "DONE").steps(1)["feeding"] == -2


@pytest.mark.rules("V-FINAL-9")
def test_fame_may_fall_below_zero():
    position = final(home("ships 1:blue 2:green 3:yellow\npool 4 red", fame=3), home(fame=1))
    # 3 - 3 - 2 - 5 - 4
    assert position.fame(0) == -11
    assert position.scores() == [-11, 1]
    assert position.ranks() == [2, 1]


@pytest.mark.rules("V-FINAL-10")
def test_islands_count_threatened_or_not_and_with_or_without_vikings():
    found = steps("ships 1:blue 2:blue 3:blue\nN: L* M R", "N: L M R", "N: L* M* R*")
    assert [(step["islands"], step["longest island"]) for step in found] == [(7, 5)] * 3


@pytest.mark.rules("V-FINAL-1", "V-FINAL-2", "V-FINAL-3", "V-FINAL-4", "V-FINAL-5", "V-FINAL-6", "V-FINAL-8", "V-END-1")
def test_fame_after_the_final_scoring_is_fame_before_and_all_steps():
    first = home("ships 1:green 2:blue\nN: L R\nF: L R* L*\npool 1 gray", fame=30, gold=16)
    second = home("ships 1:red\nN: L M R\npool 2 gray, 1 blue", fame=31)
    position = final(first, second)
    # Seat 0: blue -3, green 5 of 16 gold, 11 gold 2, two fishermen of which F2 is under blue: 5 food, 3 mouths.
    assert position.steps(0) == {"ships": -3, "gold": 2, "boatsmen": 0, "islands": 7, "longest island": 0, "feeding": 4}
    assert position.steps(1) == {
        "ships": -3,
        "gold": 0,
        "boatsmen": 10,
        "islands": 0,
        "longest island": 5,
        "feeding": -3,
    }
    assert [position.fame(0), position.fame(1)] == [40, 40]
    assert position.scores() == [40, 40]
    # Equal fame: one gold against none.
    assert [position.gold(0), position.gold(1)] == [1, 0]
    assert position.ranks() == [1, 2]


# --- 9.6 End and ties -----------------------------------------------------------------------------


def ended(*results: tuple[int, int]) -> Position:
    """A game that ends with this fame and gold left, by seat."""
    return final(*[home(fame=fame, gold=gold) for fame, gold in results])


@pytest.mark.rules("V-END-1")
def test_most_fame_wins():
    position = ended((41, 0), (44, 0), (43, 4))
    assert position.scores() == [41, 44, 43]
    assert position.ranks() == [3, 1, 2]


@pytest.mark.rules("V-END-2")
@pytest.mark.parametrize(
    ("results", "ranks"),
    [
        ([(30, 2), (30, 3)], [2, 1]),
        ([(30, 3), (30, 3)], [1, 1]),
        ([(30, 4), (31, 0)], [2, 1]),
        ([(30, 1), (30, 1), (29, 4)], [1, 1, 3]),
    ],
)
def test_gold_left_breaks_ties_and_then_victory_is_shared(results, ranks):
    assert ended(*results).ranks() == ranks


@pytest.mark.rules("V-END-2", "V-FINAL-3")
def test_only_gold_left_after_the_exchange_breaks_ties():
    # 7 gold make 1 fame and leave 2; the other has 3 left at the same fame.
    position = ended((29, 7), (30, 3))
    assert position.scores() == [30, 30]
    assert position.ranks() == [2, 1]


@pytest.mark.rules("V-END-3")
@pytest.mark.parametrize(
    ("results", "ranks"),
    [
        ([(50, 0), (40, 2), (40, 2), (30, 0)], [1, 2, 2, 4]),
        ([(40, 2), (50, 0), (40, 3), (30, 0)], [3, 1, 2, 4]),
        ([(40, 1), (40, 1), (40, 1), (40, 1)], [1, 1, 1, 1]),
        ([(20, 4), (40, 1), (40, 1), (20, 4)], [3, 1, 1, 3]),
        ([(40, 1), (20, 0), (20, 0), (20, 0)], [1, 2, 2, 2]),
    ],
)
def test_all_places_are_ordered_alike_and_shared_places_skip_the_next(results, ranks):
    assert ended(*results).ranks() == ranks
