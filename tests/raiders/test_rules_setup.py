"""Section 3: setup, the draft and the first player."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from tests.raiders.positions import BUILDINGS, DECK, SETTLEMENTS, SPACES, Position, fresh, observation, walk

PLAYERS = (2, 3, 4)


def drafted(players: int, seed: int) -> Position:
    """A game after the draft, in which everybody gives back what comes first in the list of kinds."""
    p = fresh(players, seed=seed)
    while p.point == "DP-DRAFT":
        p.do(min(p.legal()))
    return p


@pytest.mark.rules("R-SETUP-1")
def test_the_board():
    p = fresh(2)
    assert len(BUILDINGS) == 8
    assert len(SETTLEMENTS) == 10
    assert sum(len(p.sets(settlement)) for settlement in SETTLEMENTS) == 23
    assert all(len(p.sets(s)) == (3 if s.startswith("harbour") else 2) for s in SETTLEMENTS)
    assert {p.vp(0), p.valkyrie(0), p.armour(0)} == {0}


@pytest.mark.rules("R-SETUP-2")
@pytest.mark.parametrize("players", PLAYERS)
def test_all_71_cards_are_in_pile_and_hands(players):
    p = fresh(players, seed=11)
    cards = Counter(p.pile())
    for seat in range(players):
        cards.update(p.hand(seat))
    assert cards == DECK
    assert cards.total() == 71
    assert p.discard() == {}


@pytest.mark.rules("R-SETUP-2")
def test_cards_are_shuffled_evenly():
    # Each of 71 cards lies on top with the same probability; 4 of 71 are berserkers, so 34 of 600 on the average.
    top = Counter(fresh(2, seed=seed).pile()[0] for seed in range(600))
    assert 12 <= top["berserker"] <= 60
    assert len(top) == 26


@pytest.mark.rules("R-SETUP-3")
def test_three_tiles_are_shown_and_thirteen_lie_in_the_stack():
    shown = Counter()
    for seed in range(200):
        p = fresh(2, seed=seed)
        assert len(p.display()) == 3
        assert len(p.stack()) == 13
        assert sorted(p.display() + p.stack()) == list(range(16))
        shown.update(p.display())
    # 600 shown tiles, 37.5 of each kind on the average.
    assert all(15 <= shown[tile] <= 65 for tile in range(16))


@pytest.mark.rules("R-SETUP-4")
def test_tokens_are_drawn_from_the_bag_onto_the_spaces():
    bag = {"valkyrie": 18, "gold": 18, "iron": 18, "livestock": 26}
    least = 18
    drawn = Counter()
    for seed in range(200):
        p = fresh(3, seed=seed)
        board = Counter()
        for settlement in SETTLEMENTS:
            sizes = [row["plunder_count"] for row in SPACES if row["settlement_key"] == settlement]
            assert [sum(tokens.values()) for tokens in p.sets(settlement)] == sizes
            for tokens in p.sets(settlement):
                board.update(tokens)
        assert board.total() == 70
        least = min(least, board["valkyrie"])
        supply = p.supply()
        assert {kind: board[kind] + supply[kind] for kind in bag} == bag
        drawn.update(p.sets("fortress_mid")[0])
    assert least >= 8
    # 400 tokens in that one set, 18 of 80 of them Valkyries: 90 on the average.
    assert 55 <= drawn["valkyrie"] <= 125
    assert 92 <= drawn["livestock"] <= 168


@pytest.mark.rules("R-SETUP-4")
def test_the_supply_may_start_without_gold():
    assert min(fresh(2, seed=seed).supply()["gold"] for seed in range(400)) == 0


@pytest.mark.rules("R-SETUP-5")
def test_every_space_has_the_worker_of_its_colour():
    colours = Counter(row["worker_colour"] for row in SPACES)
    assert colours == {"GREY": 11, "WHITE": 12}
    p = fresh(4)
    assert all(tokens is not None for settlement in SETTLEMENTS for tokens in p.sets(settlement))
    assert all(p.raiders(settlement) == {} for settlement in SETTLEMENTS)


@pytest.mark.rules("R-SETUP-6")
def test_three_black_workers_stand_in_the_village():
    assert fresh(2).village() == {"gate_house": "black", "town_hall": "black", "treasury": "black"}


@pytest.mark.rules("R-SETUP-7", "R-SETUP-8")
@pytest.mark.parametrize(("players", "silver"), [(2, 28), (3, 26), (4, 24)])
def test_supply_and_what_each_player_takes(players, silver):
    p = fresh(players)
    assert (p.supply()["silver"], p.supply()["provision"]) == (silver, 32)
    for seat in range(players):
        assert (p.silver(seat), p.worker(seat)) == (2, "black")
        nothing = (p.provision, p.gold, p.iron, p.livestock, p.vp, p.valkyrie, p.armour)
        assert [value(seat) for value in nothing] == [0] * 7
        assert p.crew(seat) == {}
        assert p.tiles(seat) == set()
    # Unused black workers are in the box: 3 in the Village and one a player are all there are.
    assert list(p.village().values()).count("black") + players == 3 + players


@pytest.mark.rules("R-SETUP-9")
@pytest.mark.parametrize(("players", "pile"), [(2, 65), (3, 62), (4, 59)])
def test_five_cards_are_dealt_and_two_put_under_the_pile(players, pile):
    p = fresh(players, seed=2)
    top = p.pile()
    dealt = [p.hand(seat) for seat in range(players)]
    returned = []
    for seat in range(players):
        for _ in range(2):
            if p.seat != seat:
                continue  # a choice between equal cards plays itself
            assert p.legal() == {f"HAND {kind}" for kind in p.legal("HAND")}
            assert p.legal("HAND") <= set(dealt[seat])
            p.do(min(p.legal()))
    assert p.at_turn_start
    assert p.pile_size() == pile
    assert p.pile()[: len(top)] == top
    for seat in range(players):
        assert p.hand_size(seat) == 3
        gone = Counter(dealt[seat]) - Counter(p.hand(seat))
        assert gone.total() == 2
        returned += gone.elements()
    assert Counter(p.pile()[len(top) :]) == Counter(returned)


@pytest.mark.rules("R-SETUP-10", "R-INV-1")
def test_cards_given_back_count_as_in_hand_until_the_last_pick():
    p = fresh(3, seed=4)
    while p.point == "DP-DRAFT":
        assert [p.hand_size(seat) for seat in range(3)] == [5, 5, 5]
        assert p.pile_size() == 56
        p.do(min(p.legal()))
    assert [p.hand_size(seat) for seat in range(3)] == [3, 3, 3]


@pytest.mark.rules("R-SETUP-10")
def test_the_order_under_the_pile_is_random():
    last = Counter()
    for seed in range(120):
        p = fresh(2, seed=seed)
        dealt = [p.hand(0), p.hand(1)]
        p = drafted(2, seed)
        gone = Counter(dealt[0]) - Counter(p.hand(0))
        others = Counter(dealt[1]) - Counter(p.hand(1))
        bottom = p.pile()[-1]
        if bottom in gone and bottom in others:
            continue
        last[bottom in gone] += 1
    # The card at the very bottom is as often the one player's as the other's.
    total = last.total()
    assert abs(last[True] - total / 2) < 2 * total**0.5


@pytest.mark.rules("R-SETUP-10")
def test_choices_are_made_without_seeing_those_of_others():
    p = fresh(3, seed=4)
    while p.seat == 0:
        p.do(min(p.legal()))
    # Seat 0 has chosen; what it chose changes nothing of what the others see.
    other = fresh(3, seed=4)
    while other.seat == 0:
        other.do(max(other.legal()))
    for who in (1, 2):
        assert (observation(p, who) == observation(other, who)).all()


@pytest.mark.rules("R-SETUP-11")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_roll_for_the_first_turn_favours_nobody(players):
    first = Counter(drafted(players, seed).owner for seed in range(240))
    # 240 / players on the average; four standard deviations.
    expected = 240 / players
    assert set(first) == set(range(players))
    assert all(abs(first[seat] - expected) < 4 * (expected * (1 - 1 / players)) ** 0.5 for seat in range(players))
    # No compensation for the seat.
    p = drafted(players, 5)
    assert {(p.silver(seat), p.hand_size(seat), p.provision(seat)) for seat in range(players)} == {(2, 3, 0)}


@pytest.mark.rules("R-SETUP-12")
@pytest.mark.parametrize("players", PLAYERS)
def test_turns_go_clockwise(players):
    owners = [p.owner for p in walk(players, seed=players, decisions=900) if p.at_turn_start]
    assert len(owners) > 2 * players
    # A walk may run into a second game; within one, each owner follows the last.
    steps = Counter((b - a) % players for a, b in pairwise(owners))
    assert steps[1 % players] >= len(owners) - 3
