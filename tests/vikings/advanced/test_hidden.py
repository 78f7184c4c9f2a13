"""Nobody sees what they may not in the advanced game, and everybody sees the rest.

What is hidden is worked out here from the rules: the order of the tiles, this round's among them until the thirteenth
viking is removed (V-AUC-9), of the bag, and of the special tiles that lie face down (V-SPEC-1).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from scipy import stats

from northsea_envs.game import Game
from northsea_envs.games.vikings import state as fields
from tests.conftest import mask_of, view
from tests.vikings.advanced.positions import (
    ALL,
    AdvancedPosition,
    auction,
    buying,
    game_with,
    home,
    scoring,
)

SWITCHES = [("auction",), ("limited_boatsmen",), ("special_tiles",), ALL]
HIDDEN = ("stack", "bag", "special_stack")
THREE_SHIPS = "ships 1:red 2:red 3:red\nW: L"


def games(switches: tuple[str, ...], players: int, seeds: range) -> Iterator[np.ndarray]:
    """Every fifth position of random games in which auctions are left soon, and those in which one is going on."""
    game = game_with(switches)
    legal = np.zeros(game.num_actions(players), np.int8)
    leave = game.action_blocks(players)[-3].first if "auction" in switches else -1
    for seed in seeds:
        chooser = random.Random(seed)
        states = game.new_states(players, [seed])
        seat = game.kernels.legal(game.tables, states, 0, legal)
        number = 0
        while seat >= 0:
            if number % 5 == seed % 5 or states[0]["phase"] in (fields.AUCTION, fields.REMOVE_VIKING):
                yield states.copy()
            action = chooser.choice(np.flatnonzero(legal).tolist())
            if leave >= 0 and legal[leave] and chooser.random() < 0.6:
                action = leave
            seat = game.kernels.play(game.tables, states, 0, action, legal)
            number += 1
        yield states.copy()


def public(state: np.void, auction: bool) -> dict[str, int]:
    """How many of the elements of each hidden field are known to everybody."""
    unseen_round = state["phase"] in (fields.AUCTION, fields.REMOVE_VIKING)
    return {
        "stack": 12 * (int(state["round_number"]) - unseen_round),
        "bag": (13 if auction else 12) * int(state["round_number"]),
        "special_stack": int(state["specials_revealed"]),
    }


def shuffled(states: np.ndarray, auction: bool, seed: int) -> np.ndarray:
    """The same position to everybody, with another order of everything hidden and other chance."""
    rng = np.random.default_rng(seed)
    other = states.copy()
    for field, known in public(states[0], auction).items():
        other[field][0, known:] = rng.permutation(other[field][0, known:])
    other["rng"] = rng.integers(1, 2**32, 4)
    return other


def redrawn(game: Game, states: np.ndarray, seat: int, seed: int) -> np.ndarray:
    other = states.copy()
    game.kernels.redraw(game.tables, other, 0, seat, seed)
    return other


@pytest.mark.rules("V-AUC-1", "V-AUC-9", "V-SPEC-1")
@pytest.mark.parametrize("switches", SWITCHES, ids="+".join)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_hidden_changes_nothing_that_a_seat_sees_or_may_do(players, switches):
    game = game_with(switches)
    changed = 0
    for number, states in enumerate(games(switches, players, range(2))):
        auctioned = "auction" in switches
        hidden = shuffled(states, auctioned, number)
        decider, mask = mask_of(game, players, states)
        for seat in range(players):
            again = redrawn(game, states, seat, 900 + number)
            changed += again.tobytes() != states.tobytes()
            # Contents are kept, and what everybody knows stays.
            for field, known in public(states[0], auctioned).items():
                was, now = states[field][0], again[field][0]
                assert was[:known].tolist() == now[:known].tolist()
                assert Counter(was[known:].tolist()) == Counter(now[known:].tolist())
            for name in set(game.state_dtype.names) - {*HIDDEN, "rng"}:
                assert states[name].tobytes() == again[name].tobytes(), name
            assert game.kernels.check(game.tables, again, 0) == 0
            seen = view(game, players, states, seat).tobytes()
            for other in (hidden, again):
                assert view(game, players, other, seat).tobytes() == seen
                found, other_mask = mask_of(game, players, other)
                # Nobody has private information, so the mask is known to all.
                assert (found, other_mask.tobytes()) == (decider, mask.tobytes())
                assert game.kernels.value(game.tables, other, 0, seat) == game.kernels.value(
                    game.tables, states, 0, seat
                )
            # The redrawn game depends on what is known and on the seed alone.
            assert redrawn(game, hidden, seat, 900 + number).tobytes() == again.tobytes()
        if number % 7 == 0:
            assert game.text(hidden, 0, 0) == game.text(states, 0, 0)
            for action in np.flatnonzero(mask).tolist():
                assert game.action_text(hidden, 0, action) == game.action_text(states, 0, action)
    assert changed


@pytest.mark.rules("V-AUC-9", "V-SPEC-1", "V-SETUP-9")
def test_every_order_of_what_is_hidden_is_as_likely():
    """In an auction: this round's first tile, the next viking and the next special tile."""
    game = game_with(ALL)
    states = next(states for states in games(ALL, 3, range(1)) if states[0]["round_number"] == 2)
    assert states[0]["phase"] == fields.AUCTION
    draws = 1500
    drawn = [redrawn(game, states, 0, seed) for seed in range(draws)]
    for field, known in public(states[0], True).items():
        contents = Counter(states[field][0, known:].tolist())
        total = sum(contents.values())
        for place in (known, known + total - 1):
            counts = Counter(int(other[field][0, place]) for other in drawn)
            expected = [draws * number / total for number in contents.values()]
            assert stats.chisquare([counts[kind] for kind in contents], expected).pvalue > 1e-4


# --- everything else is seen ----------------------------------------------------------------------


def auctioning(**fields_: object) -> AdvancedPosition:
    return _with(auction((30, 9), (30, 9), (30, 9), switches=ALL).bid(2), **fields_)


def buying_with(text: str, face_up: tuple[str, ...] = ("boat", "horn"), tile: str = "middle A") -> AdvancedPosition:
    wheel = {5: (tile, "red"), 8: ("right end", "blue"), 11: ("red ship", "gray")}
    return buying(home(text, gold=9), home("W: L"), wheel=wheel, face_up=face_up, switches=ALL)


BOAT = "S: L\nG: L M\npool 2 green, 2 yellow, 2 gray\nspecial boat"
DIFFERENT = {
    "standing bid": lambda: (auctioning(), auctioning(standing_bid=3)),
    "standing bidder": lambda: (
        auction((30, 9), (30, 9), (30, 9), switches=ALL).do("PASS").bid(2),
        auctioning(passed=[1, 0, 0, 0], seat=2),
    ),
    "who has passed": lambda: (auctioning(), auctioning(passed=[0, 0, 1, 0])),
    "the raise so far": lambda: (auctioning(), auctioning().do("BID_MORE")),
    "nothing bid or not spoken yet": lambda: (
        auction((9, 9), (9, 9), switches=ALL),
        auction((9, 9), (9, 9), switches=ALL).bid(0),
    ),
    "vikings drawn": lambda: (
        auction((9, 9), (9, 9), drawn="6 blue, 7 red", switches=ALL),
        auction((9, 9), (9, 9), drawn="7 blue, 6 red", switches=ALL),
    ),
    "removing or laying": lambda: (
        auction((9, 9), (9, 9), switches=ALL).do("PASS", "PASS"),
        auction((9, 9), (9, 9), switches=ALL).do("PASS"),
    ),
    "tiles of the round while colours are laid": lambda: tuple(
        auction((9, 9), (9, 9), tiles=tiles, switches=ALL).do("PASS", "PASS", "COLOUR red")
        for tiles in (["left end"] * 6 + ["middle A"] * 6, ["middle A"] * 6 + ["left end"] * 6)
    ),
    "colours laid so far": lambda: tuple(
        auction((9, 9), (9, 9), drawn="5 blue, 5 red, 3 gray", switches=ALL).do(*["PASS"] * 2, "COLOUR gray", colour)
        for colour in ("COLOUR blue", "COLOUR red")
    ),
    "special tiles face up": lambda: (buying_with("S: L"), buying_with("S: L", face_up=("boat", "fish"))),
    "special tiles held": lambda: (buying_with("S: L\nspecial boat"), buying_with("S: L\nspecial boat, boat")),
    "which is held": lambda: (buying_with("S: L\nspecial building A"), buying_with("S: L\nspecial building B")),
    "a building tile or a middle": lambda: (buying_with("S: L M"), buying_with("S: L [A]")),
    "the building of a middle": lambda: (buying_with("S: L M"), buying_with("S: L MB")),
    "where the building tile lies": lambda: (buying_with("S: L M [A]"), buying_with("S: L [A] M")),
    "the building of a tile on the wheel": lambda: (buying_with("S: L"), buying_with("S: L", tile="middle C")),
    "the building of the bought tile": lambda: tuple(
        buying_with("S: L\nspecial building A", tile=tile).do("BUY 5") for tile in ("middle A", "middle B")
    ),
    "whether a special tile is due": lambda: tuple(
        _with(buying_with("S: L").do("BUY 5"), special_due=due) for due in (0, 1)
    ),
    "taking a special tile": lambda: (
        buying_with(THREE_SHIPS).do("BUY 11"),
        buying_with(THREE_SHIPS).do("BUY 11", "DECLINE"),
    ),
    "the building tile to be placed": lambda: tuple(
        buying_with(THREE_SHIPS + "\nS: L M MB M MB", face_up=("building A", "building B")).do("BUY 11", name)
        for name in ("SPECIAL building A", "SPECIAL building B")
    ),
    "a boat spent": lambda: (
        scoring(home(BOAT), home(), switches=ALL).do("USE_BOAT"),
        scoring(home(BOAT.replace("\nspecial boat", "")), home(), switches=ALL),
    ),
    "a boat in an open trip": lambda: tuple(
        _with(scoring(home(BOAT), home(), switches=ALL).do("USE_BOAT", "CELL S1"), boat_spent=spent) for spent in (0, 1)
    ),
}


def _with(position: AdvancedPosition, **fields_: object) -> AdvancedPosition:
    for name, value in fields_.items():
        position.s[name] = value
    return position


@pytest.mark.parametrize("what", DIFFERENT)
def test_whatever_differs_in_public_is_seen_by_every_seat(what):
    one, two = DIFFERENT[what]()
    for seat in range(one.players):
        views = [view(one.game, one.players, position.states, seat).tobytes() for position in (one, two)]
        assert views[0] != views[1], f"seat {seat}"


@pytest.mark.rules("V-SPEC-7")
def test_taken_tiles_lie_open():
    one, two = buying_with("S: L\nspecial fish"), buying_with("S: L\nspecial rate")
    assert one.game.text(one.states, 0, 1) != two.game.text(two.states, 0, 1)
