"""Section 12's invariants and section 15's bounds in random games of the advanced game, read off the record here, and
what check() says of records that are spoilt."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.vikings import test_properties as basic
from tests.vikings.advanced.positions import ALL, SPECIALS, AdvancedPosition
from tests.vikings.advanced.reference import COPIES
from tests.vikings.positions import COLOURS, KIND, START_KIND, WORD_OF_KIND

PLAYERS = (2, 3, 4)
SWITCHES = [("auction",), ("limited_boatsmen",), ("special_tiles",), ALL]
UNSEEN_TILES = ("AUCTION", "REMOVE_VIKING")  # phases before this round's tiles are revealed (V-AUC-9)
TAKEN_IN_A_ROUND = {2: 4, 3: 4, 4: 3}
HELD = {2: 24, 3: 24, 4: 18}

every_switch = pytest.mark.parametrize("switches", SWITCHES, ids="+".join)


def walk(players: int, switches: tuple[str, ...], seed: int) -> Iterator[AdvancedPosition]:
    """All positions of one random game, forced decisions included, and its end; each is changed by the next.

    The dearest set is bought and an auction is left more often than chance has it, so that special tiles are taken.
    """
    chooser = random.Random(seed)
    mode = chooser.choice(basic.MODES)
    position = AdvancedPosition(players, switches=switches, seed=seed, start_seat=None, mode=mode)
    while position.seat is not None:
        yield position
        legal = sorted(position.legal())
        name = chooser.choice(legal)
        if position.phase == "BUY" and chooser.random() < 0.5:
            name = max(legal, key=lambda name: int(name[4:]))
        elif "PASS" in legal and chooser.random() < 0.6:
            name = "PASS"
        position.do(name)
    yield position


# --- the invariants, read off the record ----------------------------------------------------------


def unseen(position: AdvancedPosition) -> tuple[int, int, int]:
    """The first elements of stack, bag and special_stack that nobody has seen."""
    s = position.s
    behind = int(s["round_number"]) - (position.phase in UNSEEN_TILES)
    each = 13 if "BID_MORE" in position.ids else 12
    return 12 * behind, each * int(s["round_number"]), int(s["specials_revealed"])


def tiles_by_kind(position: AdvancedPosition) -> Counter[int]:
    """All of the 76 tiles, wherever they are. Building tiles are none of them."""
    s, players = position.s, position.players
    found: Counter[int] = Counter(s["stack"][unseen(position)[0] :].tolist())
    on_islands = s["tile"][:players][s["special_cell"][:players] == 0]
    for places in (on_islands, s["ship"][:players], s["wheel_tile"], s["bought_tile"]):
        found.update(kind - 1 for kind in np.ravel(places).tolist() if kind)
    found[START_KIND] += int(s["start_tile_kept"][:players].sum())
    for kind, count in enumerate(s["tiles_removed"].tolist()):
        found[kind] += count
    return found


def vikings_by_colour(position: AdvancedPosition) -> Counter[str]:
    """All vikings of the game, wherever they are."""
    s, players = position.s, position.players
    found = Counter(COLOURS[colour] for colour in s["bag"][unseen(position)[1] :].tolist())
    for places in (s["wheel_viking"], s["bought_viking"]):
        found.update(COLOURS[colour - 1] for colour in np.ravel(places).tolist() if colour)
    for number, colour in enumerate(COLOURS):
        found[colour] += int(s["pool"][:players, number].sum() + s["vikings_removed"][number] + s["drawn"][number])
    for row, colour in enumerate(basic.ROW_COLOURS):
        found[colour] += int(s["viking"][:players, row].sum())
    return found


def specials_by_word(position: AdvancedPosition) -> Counter[str]:
    """All special tiles of the game, wherever they are."""
    found = position.hidden_specials() + position.face_up() + position.removed_specials()
    for seat in range(position.players):
        found += position.held(seat)
        found.update(f"building {letter}" for letter in position.buildings(seat).values())
    return found


@pytest.mark.rules("V-INV-1", "V-INV-2", "V-COMP-6", "V-SPEC-19b", "V-AUC-8")
@every_switch
@pytest.mark.parametrize("players", PLAYERS)
def test_no_tile_no_viking_and_no_special_tile_is_lost_or_made(players, switches):
    for seed in range(2):
        for position in walk(players, switches, seed):
            assert position.check() == 0
            assert +tiles_by_kind(position) == basic.BOX
            assert vikings_by_colour(position) == dict.fromkeys(COLOURS, 13)
            if "special_tiles" in switches:
                assert specials_by_word(position) == COPIES
            else:
                assert not specials_by_word(position) - position.hidden_specials()


@pytest.mark.rules("V-INV-3", "V-INV-4", "V-INV-5", "V-INV-6", "V-INV-7", "V-INV-8", "V-AUC-1", "V-AUC-3", "V-SPEC-5")
@every_switch
@pytest.mark.parametrize("players", PLAYERS)
def test_money_purchases_homelands_and_bounds(players, switches):
    each = basic.SETS_EACH[players]
    for seed in range(10, 12):
        taken: Counter[tuple[int, int]] = Counter()
        before: list[int] = [0] * players
        for position in walk(players, switches, seed):
            s, phase = position.s, position.phase
            round_number = int(s["round_number"])
            purchases = s["purchases"][:players].tolist()
            assert max(purchases) - min(purchases) <= 1
            assert sum(purchases) == 12 * round_number - s["sets_left"]
            if phase in ("AUCTION", "REMOVE_VIKING", "LAY_COLOUR"):
                assert purchases == [(round_number - 1) * 12 // players] * players
                assert position.drawn().total() == {"AUCTION": 13, "REMOVE_VIKING": 13}.get(
                    phase, 12 - np.count_nonzero(s["wheel_viking"])
                )
            else:
                assert not s["drawn"].any()
            if phase == "BUY":
                assert s["zero_space"] == np.flatnonzero(s["wheel_tile"])[0]
            if phase == "AUCTION":
                bidder = int(s["standing_bidder"])
                assert 0 <= s["standing_bid"] <= s["gold"][bidder] + s["fame"][bidder]
            assert (s["gold"] >= 0).all()
            if position.seat is not None:
                assert (s["fame"] >= 0).all()
                assert (s["gold"] + s["fame"] <= 1119).all()
                kinds = {"BUY": 12, "START_ROW": 5, "SHIP_COLUMN": 3, "VIKING": 2, "TAKE_SPECIAL": 5, "REPLACE": 5}
                kinds |= {"REMOVE_VIKING": 6, "LAY_COLOUR": 6, "TRIP": 5 * (each + 1) + 2}
                assert 1 <= len(position.legal()) <= kinds.get(phase, 5 * (each + 1))
            else:
                assert all(basic.LOWEST_FAME[players] <= score < 2048 for score in position.scores())
                # With the auction the bag is empty, and without it six are left.
                assert len(s["bag"]) - unseen(position)[1] == (0 if "auction" in switches else 6)
            for seat in range(players):
                assert basic.edges_match(s["tile"][seat])
                assert basic.ships_fit(list(position.ships(seat)), basic.MODES[int(s["opening_mode"])])
                assert (s["tile"][seat][s["viking"][seat] > 0] > 0).all()
                on_buildings = s["tile"][seat][s["special_cell"][seat] > 0].tolist()
                assert sorted(WORD_OF_KIND[kind - 1][-1] for kind in on_buildings) == sorted(
                    position.buildings(seat).values()
                )
                owned = position.held(seat).total() + len(position.buildings(seat))
                assert owned <= HELD[players]
                taken[round_number, seat] += max(0, owned - before[seat])
                before[seat] = owned
        assert max(taken.values()) <= TAKEN_IN_A_ROUND[players]
        assert "special_tiles" in switches or not taken.total()


@pytest.mark.rules("V-DEC-9", "V-DEC-1")
@every_switch
@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_asked_belongs_to_the_switches_that_are_on(players, switches):
    phases: Counter[str] = Counter()
    decisions = 0
    for position in walk(players, switches, 77):
        decisions += position.seat is not None
        phases[position.phase] += 1
        if "USE_BOAT" in position.legal():
            phases["USE_BOAT"] += 1
    assert decisions <= position.game.longest_game(players)
    assert phases["BUY"] == 72
    for switch, asked in (
        ("auction", {"AUCTION", "REMOVE_VIKING", "LAY_COLOUR"}),
        ("special_tiles", {"TAKE_SPECIAL", "REPLACE", "USE_BOAT"}),
    ):
        assert switch in switches or not asked & set(phases)
    assert "auction" not in switches or {"AUCTION", "REMOVE_VIKING", "LAY_COLOUR"} <= set(phases)
    assert "special_tiles" not in switches or phases["TAKE_SPECIAL"] > 0


# --- check() finds what is broken -----------------------------------------------------------------


def some_position(wanted: Callable[[AdvancedPosition], bool]) -> AdvancedPosition:
    """The first position of some random game that is as wanted; sound, and in a state of its own."""
    for seed in range(100):
        for position in walk(PLAYERS[seed % 3], ALL, seed):
            if wanted(position):
                assert position.check() == 0
                return position.copy()
    raise AssertionError("no random game comes to such a position")


def in_phase(phase: str, round_number: int = 3) -> Callable[[AdvancedPosition], bool]:
    return lambda position: position.phase == phase and position.s["round_number"] >= round_number


def spoilt(position: AdvancedPosition, **values: object) -> AdvancedPosition:
    """The position with fields set."""
    for name, value in values.items():
        position.s[name] = value
    return position


@pytest.mark.rules("V-INV-2")
@pytest.mark.parametrize("phase", ["AUCTION", "REMOVE_VIKING", "LAY_COLOUR"])
def test_check_finds_drawn_vikings_too_many_or_too_few(phase):
    position = some_position(in_phase(phase))
    colour = int(np.flatnonzero(position.s["drawn"])[0])
    for change in (1, -1):
        other = position.copy()
        other.s["drawn"][colour] = int(position.s["drawn"][colour]) + change
        assert other.check() != 0
    # As many as there were, of other colours.
    other = position.copy()
    other.s["drawn"][[colour, (colour + 1) % 6]] = position.s["drawn"][[(colour + 1) % 6, colour]]
    assert (other.s["drawn"] != position.s["drawn"]).any()
    assert other.check() != 0


@pytest.mark.rules("V-INV-1", "V-AUC-9")
def test_check_finds_tiles_on_the_wheel_before_they_are_revealed():
    position = some_position(in_phase("AUCTION"))
    position.s["wheel_tile"][0] = KIND["left end"] + 1
    assert position.check() != 0


@pytest.mark.rules("V-AUC-3", "V-AUC-5")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("standing_bid", -1),
        ("standing_bid", 5000),
        ("standing_bidder", 7),
        ("standing_bidder", -1),
        ("pending_raise", -20),
        ("pending_raise", 7),
        ("pending_raise", 20_000),
        ("bid_opened", 2),
    ],
)
def test_check_finds_an_auction_that_makes_no_sense(name, value):
    position = some_position(lambda p: in_phase("AUCTION")(p) and p.s["standing_bid"] > 0)
    position.s["gold"][position.seat] = 200
    assert position.check() == 0
    assert spoilt(position, **{name: value}).check() != 0


@pytest.mark.rules("V-AUC-4")
def test_check_finds_a_bid_of_nothing_that_is_not_the_old_start_players():
    position = some_position(lambda p: in_phase("AUCTION")(p) and p.players == 3 and p.s["passed"][p.s["start_player"]])
    other = ({0, 1, 2} - {position.seat, int(position.s["start_player"])}).pop()
    assert spoilt(position, standing_bid=0, standing_bidder=other).check() != 0


@pytest.mark.rules("V-AUC-5", "V-AUC-6")
def test_check_finds_a_bidder_who_has_passed():
    position = some_position(lambda p: in_phase("AUCTION")(p) and p.players == 3)
    position.s["passed"][position.seat] = 1
    assert position.check() != 0


@pytest.mark.rules("V-COMP-6", "V-SPEC-1")
@pytest.mark.parametrize("place", ["held", "removed", "face up", "hidden", "island"])
def test_check_finds_a_special_tile_too_many_or_too_few(place):
    position = some_position(lambda p: in_phase("BUY", 4)(p) and bool(p.buildings(0)) and 0 < p.face_up().total() < 4)
    s = position.s
    if place == "held":
        s["special_held"][1, SPECIALS.index("boat")] += 1
    elif place == "removed":
        s["special_removed"][SPECIALS.index("horn")] += 1
    elif place == "face up":
        s["special_display"][np.flatnonzero(s["special_display"] == 0)[0]] = SPECIALS.index("fish") + 1
    elif place == "hidden":
        s["specials_revealed"] -= 1
    elif place == "island":
        s["special_cell"][0][tuple(np.argwhere(s["special_cell"][0])[0])] = 0
    assert position.check() != 0


@pytest.mark.rules("V-SPEC-19a", "V-SPEC-19d")
def test_check_finds_a_building_tile_where_no_middle_with_its_building_is():
    def other_middle(position: AdvancedPosition) -> list[tuple[int, int]]:
        built = {KIND[f"middle {letter}"] + 1 for letter in position.buildings(0).values()}
        middles = {KIND[f"middle {letter}"] + 1 for letter in "ABCD"} - built
        return np.argwhere(np.isin(position.s["tile"][0], list(middles))).tolist()

    position = some_position(lambda p: in_phase("BUY")(p) and len(p.buildings(0)) == 1 and bool(other_middle(p)))
    cells = position.s["special_cell"][0]
    (old,) = np.argwhere(cells).tolist()
    new = other_middle(position)[0]
    cells[tuple(new)], cells[tuple(old)] = cells[tuple(old)], 0
    assert position.check() != 0


@pytest.mark.parametrize(
    ("phase", "name", "value"),
    [
        ("BUY", "specials_revealed", 26),
        ("BUY", "special_due", 2),
        ("BUY", "replacing", 1),
        ("BUY", "boat_spent", 1),
        ("BUY", "standing_bid", 3),
        ("BUY", "pending_raise", 20),
        ("TAKE_SPECIAL", "special_display", 0),
        ("TAKE_SPECIAL", "replacing", 99),
        ("LAY_COLOUR", "wheel_tile", 0),
    ],
)
def test_check_finds_a_record_that_makes_no_sense(phase, name, value):
    assert spoilt(some_position(in_phase(phase)), **{name: value}).check() != 0
