"""Section 12's invariants and section 15's bounds, in random games and computed here from the record alone."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vikings.positions import COLOURS, KIND, START_KIND, WORD_OF_KIND, Position

PLAYERS = (2, 3, 4)
MODES = ("adjacent", "any_of_first_three")
BOX = {START_KIND: 4, KIND["left end"]: 17, KIND["right end"]: 21}
BOX |= {KIND[f"middle {building}"]: 5 for building in "ABCD"}
BOX |= {KIND["red ship"]: 3, KIND["green ship"]: 4, KIND["yellow ship"]: 4, KIND["blue ship"]: 3}
ROW_COLOURS = ("black", "red", "green", "yellow", "blue")
EDGES = {"left end": ("sea", "land"), "right end": ("land", "sea")}
SHIPS = ("red ship", "green ship", "yellow ship", "blue ship")
# Section 15, by number of players.
SETS_EACH = {2: 36, 3: 24, 4: 18}
LOWEST_FAME = {2: -82, 3: -70, 4: -64}

games = {
    "players": st.sampled_from(PLAYERS),
    "mode": st.sampled_from(MODES),
    "seed": st.integers(0, 2**63 - 1),
    "chooser": st.randoms(use_true_random=False),
}


def random_property(examples: int) -> Callable:
    """A property of random games, with the same games in every run and nothing left on disk."""
    fixed = settings(max_examples=examples, deadline=None, derandomize=True, database=None)
    return lambda test: fixed(given(**games)(test))


def walk(players: int, mode: str, seed: int, chooser: random.Random) -> Iterator[Position]:
    """All positions of one random game, forced decisions included, and its end; each is changed by the next."""
    position = Position(players, mode=mode, seed=seed, start_seat=None)
    while position.seat is not None:
        yield position
        position.do(chooser.choice(sorted(position.legal())))
    yield position


# --- the invariants, read off the record ----------------------------------------------------------


def tiles_by_kind(s: np.void) -> Counter[int]:
    """All tiles of the game, wherever they are."""
    players, hidden = int(s["players"]), s["stack"][12 * int(s["round_number"]) :]
    found: Counter[int] = Counter(hidden.tolist())
    for places in (s["tile"][:players], s["ship"][:players], s["wheel_tile"], s["bought_tile"]):
        found.update(kind - 1 for kind in np.ravel(places).tolist() if kind)
    found[START_KIND] += int(s["start_tile_kept"][:players].sum())
    for kind, count in enumerate(s["tiles_removed"].tolist()):
        found[kind] += count
    return found


def vikings_by_colour(s: np.void) -> Counter[str]:
    """All vikings of the game, wherever they are."""
    players, hidden = int(s["players"]), s["bag"][12 * int(s["round_number"]) :]
    found: Counter[str] = Counter(COLOURS[colour] for colour in hidden.tolist())
    for places in (s["wheel_viking"], s["bought_viking"]):
        found.update(COLOURS[colour - 1] for colour in np.ravel(places).tolist() if colour)
    for number, colour in enumerate(COLOURS):
        found[colour] += int(s["pool"][:players, number].sum()) + int(s["vikings_removed"][number])
    for row, colour in enumerate(ROW_COLOURS):
        found[colour] += int(s["viking"][:players, row].sum())
    return found


def edges_match(tile: np.ndarray) -> bool:
    """V-INV-7 for the homeland ``tile`` (rows, columns)."""
    for row in tile:
        words = [WORD_OF_KIND[kind - 1] if kind else None for kind in row.tolist()]
        edges = [EDGES.get(word, ("land", "land")) if word else None for word in words]
        if words[0] not in (None, "left end"):
            return False
        for one, two in itertools.pairwise(edges):
            if one and two and one[1] != two[0]:
                return False
    return True


def ships_fit(columns: list[int], mode: str) -> bool:
    """V-INV-8 for ships in these columns, counted from 1."""
    if len(columns) >= 3:
        return columns == list(range(1, len(columns) + 1))
    if any(column > 3 for column in columns):
        return False
    return len(columns) < 2 or mode == "any_of_first_three" or columns[1] - columns[0] == 1


@pytest.mark.rules("V-INV-1", "V-INV-2")
@random_property(25)
def test_no_tile_and_no_viking_is_lost_or_made(players, mode, seed, chooser):
    for position in walk(players, mode, seed, chooser):
        tiles = tiles_by_kind(position.s)
        assert +tiles == BOX
        assert sum(tiles.values()) == 76
        vikings = vikings_by_colour(position.s)
        assert vikings == dict.fromkeys(COLOURS, 13)
        assert sum(vikings.values()) == 78
        assert position.check() == 0


@pytest.mark.rules("V-INV-3", "V-INV-4", "V-INV-5")
@random_property(25)
def test_purchases_zero_space_and_money(players, mode, seed, chooser):
    round_number = 1
    for position in walk(players, mode, seed, chooser):
        s = position.s
        purchases = s["purchases"][:players].tolist()
        if s["round_number"] != round_number or position.seat is None or position.phase == "TRIP":
            round_number = int(s["round_number"])
            behind = round_number - (position.phase == "BUY")
            assert purchases == [behind * 12 // players] * players
        assert max(purchases) - min(purchases) <= 1
        assert sum(purchases) == 12 * round_number - s["sets_left"]
        if position.phase == "BUY":
            assert s["zero_space"] == np.flatnonzero(s["wheel_tile"])[0]
        assert s["sets_left"] == np.count_nonzero(s["wheel_tile"]) == np.count_nonzero(s["wheel_viking"])
        assert (s["gold"] >= 0).all()
        assert position.seat is None or (s["fame"] >= 0).all()


@pytest.mark.rules("V-INV-6", "V-INV-7", "V-INV-8")
@random_property(25)
def test_homelands_stay_in_order(players, mode, seed, chooser):
    for position in walk(players, mode, seed, chooser):
        s = position.s
        assert set(np.unique(s["viking"]).tolist()) <= {0, 1}
        assert (s["tile"][s["viking"] > 0] > 0).all()
        assert not s["tile"][players:].any()
        for seat in range(players):
            assert edges_match(s["tile"][seat])
            assert ships_fit(list(position.ships(seat)), mode)
            assert {WORD_OF_KIND[kind - 1] for kind in np.unique(s["tile"][seat]).tolist() if kind}.isdisjoint(SHIPS)
            assert s["ships"][seat] == len(position.ships(seat))
            filled = np.flatnonzero(s["tile"][seat].any(axis=0))
            assert s["width"][seat] == (filled[-1] + 1 if len(filled) else 0)


@pytest.mark.rules("V-BUY-2", "V-SETUP-6", "V-OFFER-4")
@random_property(20)
def test_bounds_of_section_15(players, mode, seed, chooser):
    each = SETS_EACH[players]
    trip_moves = 0
    for position in walk(players, mode, seed, chooser):
        s = position.s
        assert (s["purchases"] <= each).all()
        assert (np.count_nonzero(s["tile"], axis=(1, 2)) <= each + 1).all()
        assert (s["width"] <= each + 1).all()
        assert (s["ships"] <= 14).all()
        assert (s["pool"].sum(axis=1) <= each).all()
        assert (s["pool"] <= 13).all()
        assert len(s["stack"]) - 12 * int(s["round_number"]) == 72 - 12 * int(s["round_number"]) >= 0
        assert len(s["bag"]) - 12 * int(s["round_number"]) >= 6
        if position.seat is not None:
            assert (s["gold"] + s["fame"] <= 607).all()
            legal = position.legal()
            if position.phase == "TRIP":
                trip_moves = trip_moves + 1 if s["trip_moves"] else 0
                assert trip_moves <= each - 1
                assert len(legal) <= 5 * (each + 1) + 2
        else:
            assert all(LOWEST_FAME[players] <= score < 2048 for score in position.scores())


@pytest.mark.rules("V-DEC-4", "V-DEC-5", "V-DEC-6", "V-DEC-7", "V-DEC-8")
@random_property(20)
def test_no_game_has_more_decisions_than_the_bound(players, mode, seed, chooser):
    asked: Counter[str] = Counter()
    for position in walk(players, mode, seed, chooser):
        if position.seat is not None:
            asked[position.phase] += 1
            size = {"BUY": 12, "START_ROW": 5, "SHIP_COLUMN": 3, "VIKING": 2}.get(position.phase)
            assert size is None or 1 <= len(position.legal()) <= size
    assert asked["BUY"] == 72
    assert asked["START_ROW"] == players
    assert asked["CELL"] + asked["SHIP_COLUMN"] <= 72
    assert asked["SHIP_COLUMN"] <= 3 * players
    assert asked["VIKING"] <= 58
    assert sum(asked.values()) <= position.game.longest_game(players)


# --- check() finds what is broken -----------------------------------------------------------------


def some_position(wanted: Callable[[Position], bool], mode: str = "adjacent") -> Position:
    """The first position of some random game that is as wanted; sound, and in a state of its own."""
    for seed in range(200):
        chooser = random.Random(seed)
        for position in walk(PLAYERS[seed % 3], mode, seed, chooser):
            if wanted(position):
                assert position.check() == 0
                return position.copy()
    raise AssertionError("no random game comes to such a position")


def in_round(round_number: int, phase: str = "BUY") -> Callable[[Position], bool]:
    return lambda position: position.s["round_number"] == round_number and position.phase == phase


def between_rounds(position: Position) -> bool:
    return position.s["round_number"] == 3 and position.s["sets_left"] == 12


@pytest.mark.rules("V-INV-1")
@pytest.mark.parametrize("place", ["removed", "stack", "board", "wheel", "start tile", "ship"])
def test_check_finds_a_tile_too_many_or_too_few(place):
    position = some_position(lambda p: in_round(4)(p) and p.s["sets_left"] < 10 and p.s["ships"][0] > 3)
    s = position.s
    if place == "removed":
        s["tiles_removed"][KIND["right end"]] += 1
    elif place == "stack":
        s["round_number"] = 5  # one stack fewer is hidden, and nothing of it has come out
    elif place == "board":
        s["tile"][0][tuple(np.argwhere((s["tile"][0] > 0) & (s["viking"][0] == 0))[-1])] = 0
    elif place == "wheel":
        s["wheel_tile"][np.flatnonzero(s["wheel_tile"] == 0)[0]] = KIND["middle"] + 1
    elif place == "start tile":
        s["start_tile_kept"][1] = 1
    elif place == "ship":
        s["ship"][0, s["ships"][0]] = KIND["red ship"] + 1
        s["ships"][0] += 1
    assert position.check() == 1


@pytest.mark.rules("V-INV-2")
@pytest.mark.parametrize("place", ["pool", "removed", "bag", "wheel", "island"])
def test_check_finds_a_viking_too_many_or_too_few(place):
    position = some_position(lambda p: in_round(4)(p) and p.s["viking"][0].any() and p.s["sets_left"] > 3)
    s = position.s
    if place == "pool":
        s["pool"][1, 2] += 1
    elif place == "removed":
        s["vikings_removed"][COLOURS.index("gray")] += 1
    elif place == "bag":
        s["bag"][-1] = (s["bag"][-1] + 1) % 6
    elif place == "wheel":
        space = np.flatnonzero(s["wheel_viking"])[0]
        s["wheel_viking"][space] = 1 + s["wheel_viking"][space] % 6
    elif place == "island":
        s["viking"][0][tuple(np.argwhere(s["viking"][0])[0])] = 0
    assert position.check() == 2


@pytest.mark.rules("V-INV-3")
def test_check_finds_unequal_purchases_after_a_round():
    position = some_position(between_rounds)
    position.s["purchases"][0] += 1
    position.s["purchases"][1] -= 1
    assert position.check() == 3


@pytest.mark.rules("V-INV-4")
def test_check_finds_a_zero_that_is_not_at_the_lowest_set():
    position = some_position(lambda p: in_round(2)(p) and p.s["sets_left"] == 7)
    lowest, *others = np.flatnonzero(position.s["wheel_tile"]).tolist()
    assert position.s["zero_space"] == lowest
    for space in (*others[:1], others[-1], -1):
        position.s["zero_space"] = space
        assert position.check() == 4


@pytest.mark.rules("V-INV-5")
@pytest.mark.parametrize("money", ["gold", "fame"])
def test_check_finds_debt(money):
    position = some_position(in_round(3))
    position.s[money][1] = -1
    assert position.check() == 5


@pytest.mark.rules("V-INV-5")
def test_fame_below_zero_is_no_error_at_the_end_but_gold_below_zero_is():
    position = some_position(lambda p: p.seat is None)
    position.s["fame"][0] = -3
    assert position.check() == 0
    position.s["gold"][0] = -1
    assert position.check() == 5


@pytest.mark.rules("V-INV-6")
def test_check_finds_a_viking_without_a_tile():
    position = some_position(lambda p: in_round(5)(p) and p.s["viking"][0, 2].any())
    s = position.s
    s["viking"][0, 2, np.flatnonzero(s["viking"][0, 2])[0]] = 0
    s["viking"][0, 2, np.flatnonzero(s["tile"][0, 2] == 0)[-1]] = 1
    assert position.check() == 6


@pytest.mark.rules("V-INV-6")
def test_check_finds_two_vikings_on_a_tile():
    position = some_position(lambda p: in_round(5)(p) and p.s["viking"][0, 2].sum() >= 2)
    first, second = np.flatnonzero(position.s["viking"][0, 2])[:2]
    position.s["viking"][0, 2, [first, second]] = 0, 2
    # The record has no way to say this, so it counts as a record without sense, before all invariants.
    assert position.check() == 9


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seat", 3),
        ("phase", 77),
        ("round_number", 0),
        ("round_number", 9),
        ("sets_left", 3),
        ("players", 7),
        ("start_player", 5),
    ],
)
def test_check_finds_a_record_that_makes_no_sense(name, value):
    position = some_position(lambda p: in_round(3)(p) and p.players == 2 and p.s["sets_left"] == 6)
    position.s[name] = value
    assert position.check() != 0


@pytest.mark.parametrize("name", ["width", "ships"])
def test_check_finds_counts_that_are_not_those_of_the_homeland(name):
    position = some_position(lambda p: in_round(3)(p) and p.s["width"][0] > 2 and p.s["ships"][0] == 2)
    position.s[name][0] -= 1
    assert position.check() != 0


@pytest.mark.rules("V-INV-7")
@pytest.mark.parametrize("where", ["first column", "neighbours"])
def test_check_finds_edges_that_do_not_match(where):
    def right_end_after(position: Position) -> list[tuple[int, int]]:
        tile = position.s["tile"][0]
        return [(r, c) for r, c in np.argwhere(tile == KIND["right end"] + 1).tolist() if c and tile[r, c - 1]]

    def left_ends(position: Position) -> list[tuple[int, int]]:
        return [(r, c) for r, c in np.argwhere(position.s["tile"][0] == KIND["left end"] + 1).tolist() if c == 0]

    position = some_position(lambda p: in_round(5)(p) and bool(right_end_after(p)) and bool(left_ends(p)))
    tile = position.s["tile"][0]
    # Two tiles change places, so that none is lost.
    one = left_ends(position)[0]
    if where == "first column":
        two = tuple(np.argwhere(tile == KIND["right end"] + 1)[0].tolist())
    else:
        two = right_end_after(position)[0]
    tile[one], tile[two] = tile[two], tile[one]
    assert not edges_match(tile)
    assert position.check() == 7


@pytest.mark.rules("V-INV-7")
def test_check_finds_neighbours_that_do_not_match_behind_the_first_column():
    def middle_between(position: Position) -> list[tuple[int, int]]:
        tile, middles = position.s["tile"][0], [KIND[f"middle {b}"] + 1 for b in "ABCD"]
        return [(r, c) for r, c in np.argwhere(np.isin(tile, middles)).tolist() if tile[r, c - 1] and tile[r, c + 1]]

    position = some_position(lambda p: in_round(5)(p) and bool(middle_between(p)))
    s = position.s
    # The middle changes places with a right end of a coming round: land beside sea, and the tiles still add up.
    place = next(k for k in range(60, 72) if s["stack"][k] == KIND["right end"])
    r, c = middle_between(position)[0]
    s["stack"][place], s["tile"][0, r, c] = s["tile"][0, r, c] - 1, KIND["right end"] + 1
    assert position.check() == 7


@pytest.mark.rules("V-INV-8")
@pytest.mark.parametrize(
    ("count", "columns", "mode", "broken"),
    [
        (1, [4], "adjacent", True),
        (1, [4], "any_of_first_three", True),
        (2, [1, 3], "adjacent", True),
        (2, [1, 3], "any_of_first_three", False),
        (2, [2, 3], "adjacent", False),
        (2, [3, 4], "any_of_first_three", True),
        (3, [1, 2, 4], "adjacent", True),
        (4, [1, 2, 3, 5], "any_of_first_three", True),
        (4, [2, 3, 4, 5], "adjacent", True),
    ],
)
def test_check_finds_ships_that_lie_wrong(count, columns, mode, broken):
    position = some_position(lambda p: p.phase == "BUY" and p.s["ships"][0] == count, mode)
    ships = position.s["ship"][0]
    kinds = ships[ships > 0].tolist()
    ships[:] = 0
    for column, kind in zip(columns, kinds, strict=True):
        ships[column - 1] = kind
    assert position.check() == (8 if broken else 0)
