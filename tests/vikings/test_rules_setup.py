"""Sections 2, 4 and 5: components, setup, the round and its offer."""

from __future__ import annotations

import csv
import random
from collections import Counter

import pytest

from northsea_envs.games.vikings import state as fields
from tests.vikings.positions import (
    COLOURS,
    KIND,
    START_KIND,
    TABLES,
    WORD_OF_KIND,
    Position,
    action_names,
    before_small_scoring,
    buying,
    default_game,
    final,
    home,
    placing,
    scoring,
)

COUNTS = {
    "left end": 17,
    "middle A": 5,
    "middle B": 5,
    "middle C": 5,
    "middle D": 5,
    "right end": 21,
    "red ship": 3,
    "green ship": 4,
    "yellow ship": 4,
    "blue ship": 3,
}
SHIPS = ("red ship", "green ship", "yellow ship", "blue ship")
OFFER_ORDER = ["blue", "yellow", "green", "red", "black", "gray"]
THREE_SHIPS = "ships 1:red 2:red 3:red\nW: L"


def read(file: str) -> list[dict[str, str]]:
    with (TABLES / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def stack(position: Position) -> list[str]:
    return [WORD_OF_KIND[kind] for kind in position.s["stack"].tolist()]


def bag(position: Position) -> list[str]:
    return [COLOURS[colour] for colour in position.s["bag"].tolist()]


def random_game(players: int, seed: int):
    """Every position of a random game at which a decision is asked, forced ones included, and the end."""
    chooser = random.Random(seed)
    position = Position(players, seed=seed, start_seat=seed % players)
    while position.seat is not None:
        yield position
        position.do(chooser.choice(sorted(position.legal())))
    yield position


# --- 2. Components --------------------------------------------------------------------------------


@pytest.mark.rules("V-COMP-1", "V-COMP-2")
def test_tiles_of_the_box():
    tables = default_game().tables[0]
    of_piece = {piece: int(tables["tile_count"][tables["piece"] == piece].sum()) for piece in range(1, 5)}
    assert of_piece == {fields.LEFT_END: 21, fields.MIDDLE: 20, fields.RIGHT_END: 21, fields.SHIP: 14}
    assert sum(of_piece.values()) == 76
    assert of_piece[fields.LEFT_END] + of_piece[fields.MIDDLE] + of_piece[fields.RIGHT_END] == 62
    assert tables["tile_count"][START_KIND] == 4
    assert [int(tables["tile_count"][KIND[f"middle {b}"]]) for b in "ABCD"] == [5, 5, 5, 5]


@pytest.mark.rules("V-COMP-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_middles_are_interchangeable_in_the_basic_game(players):
    # The same game twice, once with every middle's building changed to the next: nothing else differs.
    one, two = Position(players, seed=5), Position(players, seed=5)
    following = {KIND[f"middle {a}"]: KIND[f"middle {b}"] for a, b in zip("ABCD", "BCDA", strict=True)}
    for name, offset in (("stack", 0), ("wheel_tile", 1)):
        two.s[name] = [following.get(k - offset, k - offset) + offset for k in two.s[name].tolist()]
    assert stack(one) != stack(two)
    chooser = random.Random(3)
    while one.seat is not None:
        assert one.legal() == two.legal()
        name = chooser.choice(sorted(one.legal()))
        one.do(name)
        two.do(name)
    assert two.seat is None
    assert one.scores() == two.scores()
    for seat in range(players):
        assert one.rows(seat) == two.rows(seat)
        assert one.steps(seat) == two.steps(seat)


@pytest.mark.rules("V-COMP-4", "V-SETUP-5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_bag_holds_thirteen_vikings_of_each_colour(players):
    assert Counter(bag(Position(players))) == dict.fromkeys(OFFER_ORDER, 13)
    assert len(bag(Position(players))) == 78


@pytest.mark.rules("V-COMP-5")
def test_coins_of_the_box():
    coins = {int(row["denomination"]): int(row["count"]) for row in read("coins.csv")}
    assert coins == {1: 20, 5: 15, 10: 10}
    assert sum(coins.values()) == 45
    assert sum(value * count for value, count in coins.items()) == 195


@pytest.mark.rules("V-COMP-6")
def test_special_tiles_of_the_box():
    # Section 11: coin 1, goldsmiths 2 + 1, boat 6, noble 3, scout 1, fisherman 1, horn 4, fish 1, rate 1, buildings 4.
    counts = [int(row["count"]) for row in read("special_tiles.csv")]
    assert counts == [1, 2, 1, 6, 3, 1, 1, 4, 1, 1, 1, 1, 1, 1]
    assert sum(counts) == 25


@pytest.mark.rules("V-COMP-7")
@pytest.mark.parametrize(
    ("colour", "count", "last_row", "kind", "value"),
    [
        ("red", 3, "N", "gold", 3),
        ("green", 4, "S", "gold", 5),
        ("yellow", 4, "G", "fame", 2),
        ("blue", 3, "F", "fame", 3),
    ],
)
def test_ships_of_one_colour_have_the_same_count_reach_and_value(colour, count, last_row, kind, value):
    assert stack(Position(2)).count(f"{colour} ship") == count
    # Every ship of the colour that is repelled gives the same value, wherever it lies.
    for column in (1, 2, 3, 4):
        text = f"W: L* M* M* M*\nships {column}:{colour}"
        position = scoring(home(text), home("W: L")).do("DONE")
        assert {"gold": position.gold(0), "fame": position.fame(0)} == {"gold": 0, "fame": 0} | {kind: value}
    # Unrepelled it threatens everything down to its last row: goldsmiths and nobles below it earn nothing there.
    position = scoring(home(f"ships 1:{colour}\nN: L*\nS: L*\nG: L*\nF: L*"), home("W: L")).do("DONE")
    reached = "WNSGF".index(last_row)
    assert position.gold(0) == (3 if reached < 3 else 0)
    # The scout of column 1 has a goldsmith and a fisherman below; every ship reaches the noble.
    assert position.fame(0) == (3 if reached < 2 else 0)


# --- 4. Setup -------------------------------------------------------------------------------------


@pytest.mark.rules("V-SETUP-1")
def test_two_to_four_players_in_clockwise_order():
    for players in (1, 5, 0, True, 2.0, "3"):
        with pytest.raises(ValueError, match="2 to 4"):
            default_game().check_players(players)
    for players in (2, 3, 4):
        position = Position(players, start_seat=1)
        seats = []
        for _ in range(2 * players):
            seats.append(position.seat)
            position.do(min(position.legal()))
            while position.phase != "BUY":
                position.do(min(position.legal()))
        assert seats == [(1 + k) % players for k in range(2 * players)]


@pytest.mark.rules("V-SETUP-2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_start_tiles_are_kept_aside_and_those_of_absent_players_are_gone(players):
    position = Position(players)
    assert position.s["start_tile_kept"][:players].tolist() == [1] * players
    assert position.s["tiles_removed"][START_KIND] == 4 - players
    assert position.s["tiles_removed"].sum() == 4 - players
    assert START_KIND not in position.s["stack"].tolist()
    assert not position.s["tile"].any()


@pytest.mark.rules("V-SETUP-3", "V-SETUP-4")
@pytest.mark.parametrize(("players", "gold"), [(2, 30), (3, 25), (4, 20)])
def test_starting_fame_and_gold(players, gold):
    position = Position(players)
    for seat in range(players):
        assert (position.fame(seat), position.gold(seat)) == (10, gold)


@pytest.mark.rules("V-SETUP-6")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_stack_k_serves_round_k(players):
    start = Position(players, seed=11, start_seat=11 % players)
    tiles = stack(start)
    assert len(tiles) == 72
    assert Counter(tiles) == COUNTS
    rounds = {}
    for position in random_game(players, 11):
        rounds.setdefault(int(position.s["round_number"]), Counter(tile for tile, _ in position.wheel().values()))
    assert rounds == {k: Counter(tiles[12 * (k - 1) : 12 * k]) for k in range(1, 7)}


@pytest.mark.rules("V-SETUP-6", "V-OFFER-4")
def test_tiles_and_vikings_are_shuffled_evenly():
    # In 1,000 games each tile is a ship in 14 of 72 and each viking gray in 1 of 6; bounds of five standard deviations.
    positions = [Position(2, seed=seed) for seed in range(1000)]
    for place in (0, 40, 71):
        ships = sum(stack(position)[place] in SHIPS for position in positions)
        assert abs(ships - 1000 * 14 / 72) < 5 * (1000 * 14 / 72 * 58 / 72) ** 0.5
    for place in (0, 40, 77):
        boatsmen = sum(bag(position)[place] == "gray" for position in positions)
        assert abs(boatsmen - 1000 / 6) < 5 * (1000 * 5 / 36) ** 0.5
    assert len({tuple(stack(position)) for position in positions}) == 1000


@pytest.mark.rules("V-SETUP-7")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_start_player_is_given_or_drawn_evenly(players):
    for seat in range(players):
        position = Position(players, start_seat=seat)
        assert position.seat == seat == position.s["start_player"]
    with pytest.raises(ValueError, match="start_seat"):
        default_game().option_codes(players, {"start_seat": players} if players < 4 else {"start_seat": 4})
    states = default_game().new_states(players, range(1200))
    drawn = Counter(states["start_player"].tolist())
    for seat in range(players):
        expected = 1200 / players
        assert abs(drawn[seat] - expected) < 5 * (expected * (1 - 1 / players)) ** 0.5


@pytest.mark.rules("V-SETUP-8")
def test_the_bank_never_runs_out():
    # All coins of the box are 195 gold; both players together hold more.
    rich = home("G: L* M* M* M* M* M* M* M* M* M* M* M* M*", gold=180)
    position = scoring(rich, rich).do("DONE", "DONE")
    assert [position.gold(seat) for seat in (0, 1)] == [219, 219]


@pytest.mark.rules("V-SETUP-10")
def test_the_number_of_players_changes_nothing_else():
    for players in (2, 3, 4):
        position = Position(players)
        assert Counter(stack(position)) == COUNTS
        assert Counter(bag(position)) == dict.fromkeys(OFFER_ORDER, 13)
        assert len(position.wheel()) == 12

        homes = [home("W: L", gold=20, fame=10) for _ in range(players)]
        position = buying(*homes, wheel={2: ("left end", "red"), 7: ("left end", "red"), 8: ("right end", "red")})
        assert position.then("BUY 7").gold(0) == 15

        board = home("ships 1:green\nW: L*\nN: L* M*\nS: L* M*\nG: L* M*\nF: L* M*")
        others = [home() for _ in range(players - 1)]
        position = scoring(board, *others).do("DONE")
        # Green ship 5 and two goldsmiths 6; nobles 2 x 2, scouts 2 x 3.
        assert (position.gold(0), position.fame(0)) == (11, 10)

        best = home("N: L R\npool 1 gray", fame=20)
        position = final(*[home(fame=20) for _ in range(players - 1)], best)
        assert position.steps(players - 1) == {
            "ships": 0,
            "gold": 0,
            "boatsmen": 10,
            "islands": 7,
            "longest island": 5,
            "feeding": -1,
        }


# --- 5. Rounds ------------------------------------------------------------------------------------


@pytest.mark.rules("V-ROUND-1", "V-ROUND-2", "V-PASS-1", "V-PASS-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_six_rounds_with_scorings_in_between(players):
    phases: dict[int, list[str]] = {}
    start_players = {}
    for position in random_game(players, 21):
        round_number = int(position.s["round_number"])
        start_players.setdefault(round_number, int(position.s["start_player"]))
        asked = "TRIP" if position.phase == "TRIP" else "OVER" if position.phase == "OVER" else "purchases"
        heard = phases.setdefault(round_number, [])
        if not heard or heard[-1] != asked:
            heard.append(asked)
    small, large = ["purchases"], ["purchases", "TRIP"]
    assert phases == {1: small, 2: large, 3: small, 4: large, 5: small, 6: [*large, "OVER"]}
    assert position.s["purchases"][:players].tolist() == [72 // players] * players
    first = 21 % players
    assert start_players == {k: (first + k - 1) % players for k in range(1, 7)}
    times = Counter(start_players.values())
    expected = {2: [3, 3], 3: [2, 2, 2], 4: [2, 2, 1, 1]}[players]
    assert [times[(first + k) % players] for k in range(players)] == expected


@pytest.mark.rules("V-ROUND-2", "V-PASS-1")
@pytest.mark.parametrize("round_number", [1, 3, 5])
def test_odd_rounds_end_with_a_small_scoring(round_number):
    position = before_small_scoring(home("N: L*\nG: L*"), home(THREE_SHIPS), round_number=round_number)
    position.do("BUY 11")
    assert (position.gold(0), position.fame(0)) == (3, 0)
    assert int(position.s["round_number"]) == round_number + 1
    assert position.phase == "BUY"
    assert position.seat == position.s["start_player"] == 1
    assert len(position.wheel()) == 12


@pytest.mark.rules("V-ROUND-2", "V-PASS-1")
@pytest.mark.parametrize("round_number", [2, 4, 6])
def test_even_rounds_end_with_a_large_scoring(round_number):
    position = before_small_scoring(home("N: L*\nG: L*"), home(THREE_SHIPS), round_number=round_number)
    position.do("BUY 11")
    assert position.phase == "TRIP"
    assert position.seat == 0
    position.do("DONE")
    assert (position.gold(0), position.fame(0)) == (3, 2)
    position.do("DONE")
    if round_number < 6:
        assert position.phase == "BUY"
        assert int(position.s["round_number"]) == round_number + 1
        assert position.seat == position.s["start_player"] == 1
        assert position.steps(1) == dict.fromkeys(fields.FINAL_STEPS, 0)
    else:
        assert position.seat is None
        assert position.phase == "OVER"
        # Seat 1 has the only boatsman; its four red ships cost 12 gold that it lacks.
        assert position.steps(1)["ships"] == -12
        assert position.steps(1)["boatsmen"] == 10
        assert not position.mask().any()


# --- 5.1 The offer --------------------------------------------------------------------------------


def next_offer(tiles: list[str], vikings: list[str]) -> Position:
    """Round 2 begins with these tiles and vikings, revealed and drawn in this order."""
    position = before_small_scoring(home("W: L", gold=99), home(THREE_SHIPS, gold=99))
    position.set_chance(2, tiles, vikings)
    return position.do("BUY 11")


@pytest.mark.rules("V-OFFER-1")
def test_number_i_is_beside_space_i():
    position = Position(2, start_seat=0)
    assert position.s["zero_space"] == 0
    for space in range(1, 12):
        assert position.then(f"BUY {space}").gold(0) == 30 - space


@pytest.mark.rules("V-OFFER-2", "V-OFFER-3")
def test_islands_from_the_bottom_and_ships_from_the_top():
    tiles = [
        "blue ship",
        "right end",
        "middle C",
        "red ship",
        "left end",
        "green ship",
        "right end",
        "yellow ship",
        "middle D",
        "left end",
        "yellow ship",
        "middle A",
    ]
    position = next_offer(tiles, ["red"] * 12)
    assert [position.wheel()[space][0] for space in range(12)] == [
        "right end",
        "middle C",
        "left end",
        "right end",
        "middle D",
        "left end",
        "middle A",
        "yellow ship",
        "yellow ship",
        "green ship",
        "red ship",
        "blue ship",
    ]


@pytest.mark.rules("V-OFFER-2", "V-OFFER-3")
@pytest.mark.parametrize(("tiles", "expected"), [(["right end"] * 12, 0), (["red ship"] * 3 + ["blue ship"] * 9, 12)])
def test_a_round_of_islands_or_ships_alone(tiles, expected):
    wheel = next_offer(tiles, ["red"] * 12).wheel()
    assert sum(tile in SHIPS for tile, _ in wheel.values()) == expected
    assert [wheel[space][0] for space in range(12)] == (tiles[::-1] if expected else tiles)


@pytest.mark.rules("V-OFFER-4")
def test_vikings_lie_sorted_by_colour_and_absent_ones_are_skipped():
    drawn = ["gray", "black", "blue", "red", "yellow", "gray", "red", "blue", "yellow", "black", "black", "yellow"]
    wheel = next_offer(["left end"] * 12, drawn).wheel()
    expected = ["blue"] * 2 + ["yellow"] * 3 + ["red"] * 2 + ["black"] * 3 + ["gray"] * 2
    assert [wheel[space][1] for space in range(12)] == expected


@pytest.mark.rules("V-OFFER-4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_twelve_vikings_a_round_from_the_bag_and_six_never_appear(players):
    drawn = bag(Position(players, seed=4, start_seat=4 % players))
    rounds: dict[int, list[str]] = {}
    for position in random_game(players, 4):
        wheel = position.wheel()
        rounds.setdefault(int(position.s["round_number"]), [wheel[space][1] for space in sorted(wheel)])
    for k in range(1, 7):
        assert rounds[k] == sorted(drawn[12 * (k - 1) : 12 * k], key=OFFER_ORDER.index)
    owned = Counter()
    for seat in range(players):
        owned.update(position.pool(seat))
        for row, colour in enumerate(["black", "red", "green", "yellow", "blue"]):
            owned[colour] += int(position.s["viking"][seat][row].sum())
    owned["gray"] += int(position.s["vikings_removed"][COLOURS.index("gray")])
    assert owned == Counter(drawn[:72])
    assert sum(owned.values()) == 72


@pytest.mark.rules("V-OFFER-5")
def test_tile_and_viking_of_a_space_are_bought_together():
    board = home("W: L\nN: L\nS: L", gold=30)
    wheel = {3: ("right end", "gray"), 5: ("right end", "gray"), 8: ("middle", "red"), 9: ("yellow ship", "blue")}
    position = buying(board, home("W: L"), wheel=wheel)
    ship = position.then("BUY 9", "SHIP_COLUMN 2")
    assert (ship.ships(0), ship.pool(0)) == ({2: "yellow"}, {"blue": 1})
    assert set(ship.wheel()) == {3, 5, 8}
    tile = position.then("BUY 8", "CELL W2")
    assert (tile.row(0, "W"), tile.pool(0)) == ("L M", {"red": 1})
    assert set(tile.wheel()) == {3, 5, 9}


@pytest.mark.rules("V-DEC-4", "V-DEC-5", "V-DEC-6", "V-DEC-7", "V-DEC-8", "V-DEC-11")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_action_ids_follow_section_14(players):
    game = default_game()
    columns = {2: 37, 3: 25, 4: 19}[players]
    # BUY, START_ROW, CELL, SHIP_COLUMN, VIKING_ON and _POOL, SPECIAL and DECLINE, COLOUR, END_TRIP to USE_BOAT, PASS
    assert game.num_actions(players) == 12 + 5 + 5 * columns + 3 + 2 + 4 + 1 + 6 + 3 + 1
    names = action_names(players)
    assert len(names) == game.num_actions(players)
    for action, name in enumerate(names):
        told = game.action_name(players, action)
        if name.startswith(("START_ROW", "COLOUR")):
            assert told.startswith(name.split()[0])
        else:
            assert told == name
    for action in (-1, len(names)):
        with pytest.raises(ValueError, match=str(action)):
            game.action_name(players, action)
    # What the ids do, one of each block.
    position = Position(players, start_seat=0)
    assert position.then("BUY 1").legal() == {f"START_ROW {row}" for row in "WNSGF"}
    row_end = placing(home("F: L"), "right end", "blue", players=players).do("CELL F2")
    assert row_end.legal() == {"VIKING_ON", "VIKING_POOL"}
    assert row_end.then("VIKING_ON").row(0, "F") == "L R*"
    assert row_end.then("VIKING_POOL").pool(0) == {"blue": 1}
