"""Section 10: the limited boatsmen, the auction, and the offer that follows it."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from tests.vikings.advanced.positions import (
    ALL,
    AdvancedPosition,
    auction,
    auctions_of_random_game,
    before_small_scoring,
    home,
    scoring,
)
from tests.vikings.positions import COLOURS, Position

LIMITED = ("limited_boatsmen",)
THREE_SHIPS = "ships 1:red 2:red 3:red\nW: L"

EX_1_TILES = [
    "middle",
    "right end",
    "blue ship",
    "left end",
    "red ship",
    "right end",
    "left end",
    "middle",
    "green ship",
    "right end",
    "middle",
    "left end",
]


def bought(position: AdvancedPosition, winner: int) -> AdvancedPosition:
    """The auction is over and ``winner`` has it."""
    assert position.phase == "REMOVE_VIKING"
    assert position.seat == winner
    assert position.s["start_player"] == winner
    return position


# --- V-ADV ----------------------------------------------------------------------------------------


@pytest.mark.rules("V-ADV-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_without_special_tiles_taken_and_loads_of_one_is_the_basic_game(players):
    """Without auction: what the switches do not touch is the basic game, decision for decision."""
    for seed in range(6):
        chooser = random.Random(100 * players + seed)
        basic = Position(players, seed=seed)
        other = AdvancedPosition(players, seed=seed, switches=("limited_boatsmen", "special_tiles"))
        other.s["stack"], other.s["bag"] = basic.s["stack"], basic.s["bag"]
        for name in ("wheel_tile", "wheel_viking"):
            other.s[name] = basic.s[name]
        while basic.seat is not None:
            while other.phase == "TAKE_SPECIAL":
                assert "DECLINE" in other.legal()
                other.do("DECLINE")
            # A trip of the basic game is ended after one move, where a limited one ends by itself.
            if "END_TRIP" in basic.legal():
                basic.do("END_TRIP")
            assert basic.seat == other.seat
            assert basic.legal() == other.legal()
            name = chooser.choice(sorted(basic.legal()))
            basic.do(name)
            other.do(name)
        assert other.seat is None
        assert basic.scores() == other.scores()
        assert basic.ranks() == other.ranks()
        for seat in range(players):
            assert basic.rows(seat) == other.rows(seat)
            assert basic.ships(seat) == other.ships(seat)
            assert basic.pool(seat) == other.pool(seat)
            assert (basic.gold(seat), basic.fame(seat)) == (other.gold(seat), other.fame(seat))


@pytest.mark.rules("V-ADV-1", "V-AUC-12")
def test_after_the_auction_buying_goes_by_the_basic_rules():
    # 12 sets, the start player has 3 gold and 4 fame: dearest affordable 7, no zero set (its colour is left elsewhere).
    position = auction((3, 4), (30, 10), drawn="2 blue, 10 gray, 1 red").do("PASS", "PASS", "COLOUR red")
    position.do("COLOUR gray", "COLOUR blue")
    assert position.seat == 0
    assert position.legal() == {f"BUY {space}" for space in range(1, 8)}
    position.do("BUY 7")
    assert (position.gold(0), position.fame(0)) == (0, 0)


@pytest.mark.rules("V-ADV-2")
def test_a_trip_of_a_limited_boatsman_moves_one_viking():
    board = "S: L\nG: L* M* M\nF: L* M R* M\npool 3 blue, 1 yellow, 2 green, 2 gray"
    position = scoring(home(board), home(), switches=LIMITED)
    # EX-10: without a boat tile only the four single moves.
    assert position.legal() == {"CELL F2", "CELL F4", "CELL G3", "CELL S1", "DONE"}
    position.do("CELL F4")
    assert position.pool(0) == {"blue": 2, "yellow": 1, "green": 2, "gray": 1}
    # The trip is over, and the next may go to any cell, one to the left as well.
    assert position.legal() == {"CELL F2", "CELL G3", "CELL S1", "DONE"}
    position.do("CELL F2")
    assert position.pool(0) == {"blue": 1, "yellow": 1, "green": 2}
    assert position.legal() == {"DONE"}
    assert position.s["vikings_removed"][COLOURS.index("gray")] == 2
    assert position.row(0, "F") == "L* M* R* M*"


@pytest.mark.rules("V-ADV-2", "V-FERRY-7")
def test_a_limited_boatsman_has_the_duty_of_round_6_too():
    board = "N: L* M R\npool 2 red, 1 blue, 3 gray"
    position = scoring(home(board), home(), round_number=6, switches=LIMITED)
    assert position.legal() == {"CELL N2", "CELL N3"}
    position.do("CELL N3")
    assert position.legal() == {"CELL N2"}
    position.do("CELL N2")
    # No waiting viking has an empty tile, and a boatsman is left.
    assert position.legal() == {"DONE"}
    assert position.pool(0) == {"blue": 1, "gray": 1}


@pytest.mark.rules("V-ADV-2")
@pytest.mark.parametrize("switches", [("auction",), ("special_tiles",), ("auction", "special_tiles")])
def test_boatsmen_are_only_limited_by_their_own_switch(switches):
    position = scoring(home("G: L M\nF: L\npool 2 yellow, 1 blue, 1 gray"), home(), switches=switches)
    position.do("CELL G1")
    assert position.legal() == {"CELL G2", "CELL F1", "END_TRIP"}


@pytest.mark.rules("V-AUC-13", "V-PASS-2")
@pytest.mark.parametrize("switches", [LIMITED, ("special_tiles",), (*LIMITED, "special_tiles")])
def test_without_the_auction_twelve_vikings_are_laid_out_and_the_marker_passes(switches):
    position = AdvancedPosition(3, seed=4, start_seat=1, switches=switches)
    chooser = random.Random(8)
    for round_number in range(1, 7):
        assert (position.phase, int(position.s["round_number"])) == ("BUY", round_number)
        assert position.seat == position.s["start_player"] == round_number % 3
        drawn = position.s["bag"][12 * (round_number - 1) : 12 * round_number].tolist()
        # V-OFFER-4: sorted by colour, from space 0 upward.
        assert [space - 1 for space in position.s["wheel_viking"].tolist()] == sorted(drawn)
        while position.seat is not None and position.s["round_number"] == round_number:
            position.do(chooser.choice(sorted(position.legal())))


# --- V-AUC: who speaks, and what she may say ------------------------------------------------------


@pytest.mark.rules("V-AUC-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_thirteen_vikings_a_round_are_drawn_and_not_laid_out_and_empty_the_bag(players):
    rounds = 0
    seen: Counter[str] = Counter()
    for position in auctions_of_random_game(players, seed=players, switches=ALL):
        bag = [COLOURS[colour] for colour in position.s["bag"].tolist()]
        drawn = bag[13 * rounds : 13 * (rounds + 1)]
        assert position.drawn() == Counter(drawn)
        assert sum(position.drawn().values()) == 13
        assert position.wheel() == {}
        assert not position.s["wheel_tile"].any()
        # V-SPEC-2: refilled before the auction.
        assert sum(position.face_up().values()) == 4
        seen += position.drawn()
        rounds += 1
    assert rounds == 6
    assert seen == dict.fromkeys(COLOURS, 13)


@pytest.mark.rules("V-AUC-2", "V-AUC-5")
@pytest.mark.parametrize(("players", "old"), [(2, 0), (2, 1), (3, 0), (3, 2), (4, 1), (4, 3)])
def test_the_old_start_player_speaks_first_and_then_clockwise(players, old):
    position = auction(*[(40, 10)] * players, old=old)
    speakers = []
    for amount in range(1, 3 * players + 1):
        speakers.append(position.seat)
        position.bid(amount)
    assert speakers == [(old + k) % players for k in range(players)] * 3


@pytest.mark.rules("V-AUC-2", "V-PASS-2")
def test_the_marker_passes_from_the_winner_and_the_next_auction_may_move_it_again():
    position = AdvancedPosition(4, seed=1, start_seat=3, switches=("auction",))
    # Seat 3 passes, 0 bids: it starts round 1.
    assert position.seat == 3
    position.do("PASS").bid(1)
    bought(position.do("PASS", "PASS"), 0)
    chooser = random.Random(2)
    while position.s["round_number"] == 1:
        position.do(chooser.choice(sorted(position.legal())))
    # Clockwise from seat 0, and not from seat 3.
    assert position.phase == "AUCTION"
    assert position.seat == position.s["start_player"] == 1
    position.s["gold"][:] = 20
    position.bid(0).bid(4)
    bought(position.do("PASS", "PASS", "PASS"), 2)


@pytest.mark.rules("V-AUC-3", "V-AUC-4", "V-DEC-1")
@pytest.mark.parametrize("money", [(0, 0), (1, 0), (0, 1), (5, 0), (0, 17), (6, 12), (33, 41), (300, 0), (617, 502)])
def test_the_opener_may_bid_anything_up_to_gold_and_fame_or_pass(money):
    position = auction(money, (3, 3))
    assert position.bids() == set(range(sum(money) + 1))
    assert position.may_pass()
    # Bound 2 + wealth for the opener's first word.
    assert len(position.bids()) + position.may_pass() == 2 + sum(money)


@pytest.mark.rules("V-AUC-3", "V-AUC-5", "V-DEC-1")
@pytest.mark.parametrize(
    ("standing", "money"), [(0, (9, 9)), (1, (2, 0)), (4, (3, 3)), (5, (0, 40)), (19, (10, 10)), (250, (600, 500))]
)
def test_everybody_else_must_bid_more_or_pass(standing, money):
    position = auction((700, 0), money, (5, 5)).bid(standing)
    assert position.seat == 1
    assert position.bids() == set(range(standing + 1, sum(money) + 1))
    assert position.may_pass()


@pytest.mark.rules("V-AUC-3", "V-AUC-5")
@pytest.mark.parametrize("money", [(5, 0), (0, 5), (2, 3), (0, 0)])
def test_who_cannot_bid_more_must_pass(money):
    position = auction((20, 0), money, (30, 0)).bid(5)
    assert position.seat == 1
    assert position.bids() == set()
    assert position.legal() == {"PASS"}


@pytest.mark.rules("V-AUC-4")
def test_a_bid_of_nothing_stays_in_without_raising():
    position = auction((20, 0), (20, 0), (20, 0)).bid(0)
    assert position.bids() == set(range(1, 21))
    # Raised, she may speak again, and must then bid more like everybody.
    position.bid(3).do("PASS")
    assert position.seat == 0
    assert position.bids() == set(range(4, 21))
    # Not raised, she has it for nothing.
    free = auction((20, 0), (20, 0), (20, 0)).bid(0).do("PASS", "PASS")
    assert bought(free, 0).gold(0) == 20


@pytest.mark.rules("V-AUC-4", "V-AUC-5", "V-AUC-6")
def test_a_bid_of_nothing_is_for_the_first_word_of_the_opener_only():
    position = auction((20, 0), (20, 0)).do("PASS")
    # The standing bid is still 0 and the old start player's.
    assert position.seat == 1
    assert position.bids() == set(range(1, 21))
    assert position.may_pass()


@pytest.mark.rules("V-AUC-5")
def test_a_pass_is_final_and_who_passed_is_skipped():
    position = auction(*[(50, 0)] * 4, old=1)
    speakers = []
    for word in (2, "PASS", 4, "PASS", 9, 10, 20, 21):
        speakers.append(position.seat)
        position.do("PASS") if word == "PASS" else position.bid(word)
    # Seat 2 passed in its first word and seat 0 in its first; 1 and 3 go on.
    assert speakers == [1, 2, 3, 0, 1, 3, 1, 3]
    assert position.seat == 1
    assert bought(position.do("PASS"), 3).gold(3) == 29


@pytest.mark.rules("V-AUC-6", "V-AUC-7")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("first", ["PASS", 0])
def test_if_nobody_bids_above_nothing_the_old_start_player_wins_for_nothing(players, first):
    for old in range(players):
        position = auction(*[(20, 10)] * players, old=old)
        position.do("PASS") if first == "PASS" else position.bid(first)
        for k in range(1, players):
            assert position.seat == (old + k) % players
            position.do("PASS")
        bought(position, old)
        assert [(position.gold(seat), position.fame(seat)) for seat in range(players)] == [(20, 10)] * players


@pytest.mark.rules("V-AUC-6")
def test_the_auction_ends_as_soon_as_only_the_standing_bidder_is_left():
    # The opener and the next have passed: the last one need only bid.
    position = auction((20, 0), (20, 0), (20, 0)).do("PASS", "PASS").bid(1)
    assert bought(position, 2).gold(2) == 19
    # And need not be asked again in a game of two.
    position = auction((20, 0), (20, 0), old=1).do("PASS").bid(7)
    assert bought(position, 0).gold(0) == 13
    # With one more in play it goes on.
    position = auction((20, 0), (20, 0), (20, 0)).do("PASS").bid(1)
    assert (position.phase, position.seat) == ("AUCTION", 2)


@pytest.mark.rules("V-AUC-7")
@pytest.mark.parametrize(
    ("money", "bid", "after"),
    [
        ((20, 10), 7, (13, 10)),
        ((20, 10), 20, (0, 10)),
        ((20, 10), 21, (0, 9)),
        ((20, 10), 30, (0, 0)),
        ((0, 25), 24, (0, 1)),
        ((400, 700), 1100, (0, 0)),
        ((5, 5), 1, (4, 5)),
    ],
)
def test_the_winner_pays_gold_first_and_the_rest_with_fame(money, bid, after):
    position = auction((8, 9), money, (0, 3)).do("PASS").bid(bid).do("PASS")
    bought(position, 1)
    assert (position.gold(1), position.fame(1)) == after
    # The others pay nothing.
    assert [(position.gold(seat), position.fame(seat)) for seat in (0, 2)] == [(8, 9), (0, 3)]


@pytest.mark.rules("V-AUC-7")
def test_outbid_players_pay_nothing_and_nothing_is_paid_before_the_end():
    position = auction((10, 5), (10, 5), (10, 5))
    for amount in (3, 12, 15):
        position.bid(amount)
        assert [(position.gold(seat), position.fame(seat)) for seat in range(3)] == [(10, 5)] * 3
    position.do("PASS", "PASS")
    bought(position, 2)
    assert [(position.gold(seat), position.fame(seat)) for seat in range(3)] == [(10, 5), (10, 5), (0, 0)]


@pytest.mark.rules("V-AUC-2", "V-AUC-3", "V-AUC-4", "V-AUC-5", "V-AUC-6", "V-AUC-7")
def test_ex_16_auction():
    def start() -> AdvancedPosition:
        return auction((6, 12), (3, 10), (0, 5))

    position = start().bid(1).bid(2).bid(5).bid(6).do("PASS")
    assert position.seat == 2
    assert position.legal() == {"PASS"}
    bought(position.do("PASS"), 0)
    assert [(position.gold(seat), position.fame(seat)) for seat in range(3)] == [(0, 12), (3, 10), (0, 5)]
    # All pass at once.
    position = bought(start().do("PASS", "PASS", "PASS"), 0)
    assert [position.gold(seat) for seat in range(3)] == [6, 3, 0]
    # A passes, B bids 1, C passes.
    position = bought(start().do("PASS").bid(1).do("PASS"), 1)
    assert [position.gold(seat) for seat in range(3)] == [6, 2, 0]


# --- V-AUC: the thirteenth viking and the offer ---------------------------------------------------


def won(drawn: str, winner: int = 1, players: int = 3, **others) -> AdvancedPosition:
    """``winner`` has the auction, and is to remove a viking."""
    position = auction(*[(30, 10)] * players, drawn=drawn, old=winner, **others).do(*["PASS"] * players)
    return bought(position, winner)


@pytest.mark.rules("V-AUC-8", "V-DEC-2")
def test_the_winner_removes_one_viking_of_any_colour_present():
    drawn = "2 blue, 3 yellow, 2 red, 5 black, 1 gray"
    position = won(drawn)
    assert position.legal() == {"COLOUR blue", "COLOUR yellow", "COLOUR red", "COLOUR black", "COLOUR gray"}
    after = position.then("COLOUR black")
    assert after.drawn() == {"blue": 2, "yellow": 3, "red": 2, "black": 4, "gray": 1}
    assert after.s["vikings_removed"][COLOURS.index("black")] == 1
    assert after.s["vikings_removed"].sum() == 1
    # A colour of one is gone with it.
    after = position.then("COLOUR gray")
    assert after.legal() == {"COLOUR blue", "COLOUR yellow", "COLOUR red", "COLOUR black"}


@pytest.mark.rules("V-AUC-8", "V-AUC-11", "V-DEC-2", "V-DEC-3")
def test_with_one_colour_nothing_is_chosen():
    position = won("13 green")
    assert position.legal() == {"COLOUR green"}
    position.do("COLOUR green")
    assert position.legal() == {"COLOUR green"}
    position.do("COLOUR green")
    assert [viking for _, viking in position.wheel().values()] == ["green"] * 12
    assert (position.phase, position.seat) == ("BUY", 1)


@pytest.mark.rules("V-AUC-9", "V-OFFER-2", "V-OFFER-3")
def test_tiles_are_laid_out_after_the_removal_and_before_the_colours():
    position = won("2 blue, 3 yellow, 2 red, 5 black, 1 gray", tiles=EX_1_TILES)
    assert not position.s["wheel_tile"].any()
    position.do("COLOUR black")
    letters = {"left end": "L", "right end": "R", "middle A": "M"}
    laid = [letters.get(tile, tile) for tile in position.tiles_on_wheel().values()]
    assert laid == [*"MRLRLMRML", "green ship", "red ship", "blue ship"]
    assert position.phase == "LAY_COLOUR"


@pytest.mark.rules("V-AUC-10", "V-AUC-11", "V-AUC-12", "V-DEC-3")
def test_colours_are_laid_from_space_11_down_by_each_player_in_turn():
    position = won("2 blue, 4 yellow, 2 green, 2 red, 2 black, 1 gray", winner=1).do("COLOUR yellow")
    spaces = {}
    for seat, colour, number in (
        (1, "black", 2),
        (2, "blue", 2),
        (0, "gray", 1),
        (1, "yellow", 3),
        (2, "red", 2),
        (0, "green", 2),
    ):
        assert position.phase == "LAY_COLOUR"
        assert position.seat == seat
        assert f"COLOUR {colour}" in position.legal()
        assert len(position.legal()) == 6 - len(set(spaces.values()))
        if colour == "green":
            assert position.legal() == {"COLOUR green"}  # the last is forced
        for _ in range(number):
            spaces[11 - len(spaces)] = colour
        position.do(f"COLOUR {colour}")
    assert {space: viking for space, (_, viking) in position.wheel().items()} == spaces
    assert spaces[11] == spaces[10] == "black"
    assert spaces[0] == spaces[1] == "green"
    assert (position.phase, position.seat) == ("BUY", 1)
    assert position.s["zero_space"] == 0


@pytest.mark.rules("V-AUC-11")
def test_with_fewer_colours_than_players_some_do_not_choose():
    position = won("6 blue, 6 black, 1 gray", winner=3, players=4).do("COLOUR gray")
    assert position.seat == 3
    assert position.legal() == {"COLOUR blue", "COLOUR black"}
    position.do("COLOUR blue")
    assert position.seat == 0
    assert position.legal() == {"COLOUR black"}
    position.do("COLOUR black")
    # Seats 1 and 2 were not asked.
    assert (position.phase, position.seat) == ("BUY", 3)
    assert [position.wheel()[space][1] for space in range(12)] == ["black"] * 6 + ["blue"] * 6


@pytest.mark.rules("V-AUC-12", "V-BUY-1", "V-BUY-2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_buying_starts_with_the_new_start_player(players):
    for winner in range(players):
        position = auction(*[(40, 10)] * players, old=0)
        for seat in range(players):
            position.bid(seat + 1) if seat <= winner else position.do("PASS")
        while position.phase == "AUCTION":
            position.do("PASS")
        bought(position, winner)
        chooser = random.Random(winner)
        buyers = []
        while position.s["sets_left"] or position.phase in ("REMOVE_VIKING", "LAY_COLOUR"):
            if position.phase == "BUY":
                buyers.append(position.seat)
            position.do(chooser.choice(sorted(position.legal())))
        assert buyers == [(winner + k) % players for k in range(12)]


@pytest.mark.rules("V-AUC-7", "V-LARGE-1")
def test_the_large_scoring_begins_with_the_winner_of_the_auction():
    position = auction((40, 10), (40, 10), (40, 10), round_number=2).do("PASS", "PASS").bid(1)
    bought(position, 2)
    chooser = random.Random(0)
    while position.phase != "TRIP":
        position.do(chooser.choice(sorted(position.legal())))
    seats = []
    while position.phase == "TRIP":
        if position.seat not in seats:
            seats.append(position.seat)
        position.do("DONE" if "DONE" in position.legal() else min(position.legal()))
    assert seats == [2, 0, 1]


@pytest.mark.rules("V-AUC-2", "V-SMALL-1")
def test_what_a_scoring_pays_can_be_bid_in_the_next_auction():
    gold = home("G: L* M* M*", gold=4, fame=2)
    position = before_small_scoring(gold, home(THREE_SHIPS, gold=1, fame=1), switches=("auction",)).do("BUY 11")
    assert (position.phase, position.seat) == ("AUCTION", 1)
    position.do("PASS")
    assert position.gold(0) == 13
    assert position.bids() == set(range(1, 16))


@pytest.mark.rules("V-AUC-5", "V-AUC-6", "V-AUC-7")
def test_every_short_auction_of_three_by_hand():
    """All auctions of three players with 2 gold each, against the rules said in one line each."""
    endings = Counter()

    def follow(position: AdvancedPosition, words: tuple) -> None:
        if position.phase != "AUCTION":
            bids = [(seat, word) for seat, word in words if word != "PASS"]
            winner, price = max(bids, key=lambda bid: bid[1], default=(0, 0))
            bought(position, winner)
            assert [position.gold(seat) for seat in range(3)] == [2 - price * (seat == winner) for seat in range(3)]
            endings[winner, price] += 1
            return
        follow(position.then("PASS"), (*words, (position.seat, "PASS")))
        for amount in position.bids():
            follow(position.copy().bid(amount), (*words, (position.seat, amount)))

    follow(auction((2, 0), (2, 0), (2, 0)), ())
    assert set(endings) == {(0, 0), *itertools.product(range(3), (1, 2))}
