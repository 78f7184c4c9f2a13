"""Sections 12 and 13: the variant of the Cleanup, and scoring."""

from __future__ import annotations

import pytest

from tests.tiny_epic_vikings.positions import idle, position, seat


@pytest.mark.rules("T-SCORE-1")
@pytest.mark.parametrize(
    ("fury", "values"),
    [
        ((3, 2, 1), ((6, 4), (5, 3), (4, 2))),
        ((1, 2, 3), ((4, 2), (5, 3), (6, 4))),
        ((0, 9, 5), ((4, 2), (6, 4), (5, 3))),
    ],
)
def test_runes_are_worth_what_their_god_s_rank_is(fury, values):
    for rune, (islands, favors) in enumerate(values):
        one = [("A1", "F01", "F10"), ("A3", "F04", "F11"), ("A2", "F07", "F12")][rune]
        p = position(seat(settlers=one[0]), seat(favors=one[1]), seat(favors=one[2]), holders={one[0]: 0}, fury=fury)
        assert p.scores() == [islands, favors, 2 * favors]


@pytest.mark.rules("T-SCORE-1")
def test_only_controlled_islands_and_favor_cards_score():
    own = seat(settlers="A1", boats="AD16", temples="A3", wood=7, food=7, steel=7, villages=3, row="V01 V17")
    p = position(own, seat(), seat(), raided="AD01 AD03 AD06", fury=(9, 5, 1))
    assert p.scores() == [0, 0, 0]


@pytest.mark.rules("T-SCORE-2")
@pytest.mark.parametrize(
    ("fury", "values"),
    [
        ((5, 5, 5), (4, 4, 4)),
        ((0, 0, 0), (4, 4, 4)),
        ((7, 7, 3), (5, 5, 4)),
        ((3, 7, 7), (4, 5, 5)),
        ((9, 4, 4), (6, 4, 4)),
        ((4, 4, 9), (4, 4, 6)),
        ((4, 9, 4), (4, 6, 4)),
    ],
)
def test_equal_fury_takes_the_worst_rank(fury, values):
    p = position(
        seat(settlers="A1"), seat(settlers="A3"), seat(settlers="A2"), holders={"A1": 0, "A3": 1, "A2": 2}, fury=fury
    )
    assert p.scores() == list(values)


# Each with 12 points: three Islands, two Islands and two double runes, and so on (all gods equal: 4 and 2).
@pytest.mark.rules("T-SCORE-3")
@pytest.mark.parametrize(
    ("zero", "one", "ranks"),
    [
        # more points
        ({"islands": "A1 A2", "favors": "F01"}, {"islands": "A3 A4"}, [1, 2, 3]),
        # more Island Runes
        ({"islands": "A1 A2"}, {"islands": "A3", "favors": "F10", "temples": "A3 2"}, [1, 2, 3]),
        # more Favor cards
        ({"islands": "A1", "favors": "F01 F04"}, {"islands": "A3", "favors": "F10", "temples": "A3 2"}, [1, 2, 3]),
        # more Temples
        ({"islands": "A1", "temples": "A1"}, {"islands": "A3", "boats": "AF01 AF01 AF01", "wood": 7}, [1, 2, 3]),
        # more boats built
        ({"islands": "A1", "boats": "AF01 AF01"}, {"islands": "A3", "boats": "AF01", "wood": 7}, [1, 2, 3]),
        # more resources
        ({"islands": "A1", "wood": 1, "steel": 2}, {"islands": "A3", "food": 2}, [1, 2, 3]),
        # nothing left
        ({"islands": "A1", "wood": 2}, {"islands": "A3", "steel": 1, "food": 1}, [1, 1, 3]),
    ],
)
def test_ties(zero, one, ranks):
    holders: dict[str, int] = {}
    seats = []
    for s, own in enumerate((zero, one, {})):
        islands = own.get("islands", "").split()
        holders |= {island: s for island in islands}
        seats.append(seat(settlers=", ".join(islands), **{k: v for k, v in own.items() if k != "islands"}))
    p = position(*seats, holders=holders, fury=(5, 5, 5))
    assert p.ranks() == ranks
    # And with the seats the other way round.
    p = position(seats[2], *seats[1::-1], holders={i: 2 - s for i, s in holders.items()}, fury=(5, 5, 5))
    assert p.ranks() == ranks[::-1]


@pytest.mark.rules("T-SCORE-3")
def test_equal_players_share_the_win():
    p = position(seat(hand=""), seat(hand=""), seat(hand="V05"), turn=2, chieftain=0, era=3)
    idle(p)
    assert (p.seat, p.scores(), p.ranks()) == (None, [0, 0, 0], [1, 1, 1])


@pytest.mark.rules("T-SCORE-4")
def test_scores_beyond_the_track_are_plain_numbers():
    # Nine Islands: 3 x (6 + 5 + 4) = 45, and 8 more for two FEHU at rank 1.
    islands = [f"B{k}" for k in range(1, 10)]
    p = position(
        seat(settlers="B1, B2, B3", temples="B4 2", favors="F10"), seat(), seat(), seat(),
        holders=dict.fromkeys(islands, 0), fury=(3, 2, 1),
    )  # fmt: skip
    assert p.scores()[0] == 53
