"""Positions of the advanced game written by hand, in the notation of :mod:`tests.vikings.positions` and two additions.

``[A]`` is building tile A on an island, and a line such as ``special boat, boat, horn`` names the special tiles that
lie beside a homeland, in the words of :data:`tests.vikings.advanced.reference.COPIES`. Actions on colours and special
tiles are named by them ("COLOUR red", "SPECIAL coin"), and bids by their amount (:meth:`AdvancedPosition.bid`).
"""

from __future__ import annotations

import csv
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from northsea_envs.game import Game
from northsea_envs.games.vikings import state as fields
from tests.vikings import positions as basic
from tests.vikings.positions import COLOURS, KIND, ROWS, TABLES, WORD_OF_KIND, Home, Position, default_game

ALL = ("auction", "limited_boatsmen", "special_tiles")
SPECIAL = ("special_tiles",)
PHASES = basic.PHASES | {
    "AUCTION": fields.AUCTION,
    "REMOVE_VIKING": fields.REMOVE_VIKING,
    "LAY_COLOUR": fields.LAY_COLOUR,
    "TAKE_SPECIAL": fields.TAKE_SPECIAL,
    "REPLACE": fields.REPLACE,
}
WORD_OF_SPECIAL = {
    "SP-COIN5": "coin",
    "SP-GOLDSMITH-1": "goldsmith +1",
    "SP-GOLDSMITH-2": "goldsmith +2",
    "SP-BOAT": "boat",
    "SP-NOBLE-1": "noble +1",
    "SP-SCOUT-1": "scout +1",
    "SP-FISHERMAN-1": "fisherman +1",
    "SP-HORN": "horn",
    "SP-FISH": "fish",
    "SP-RATE3": "rate",
    "SP-BUILD-A": "building A",
    "SP-BUILD-B": "building B",
    "SP-BUILD-C": "building C",
    "SP-BUILD-D": "building D",
}
# Special kinds are the rows of special_tiles.csv (state.py).
with (TABLES / "special_tiles.csv").open(encoding="utf-8", newline="") as _file:
    SPECIALS = tuple(WORD_OF_SPECIAL[row["special_id"]] for row in csv.DictReader(_file))
MORE = 20  # the largest raise that has a name of its own


def game_with(switches: Iterable[str], rules: Game | None = None) -> Game:
    """The game in which these switches of the advanced game are on and the others off."""
    on = set(switches)
    assert on <= set(ALL)
    return (rules or default_game()).with_options({switch: switch in on for switch in ALL})


@cache
def action_ids(players: int, auction: bool) -> dict[str, int]:
    """Every name of an action and its id: those of section 14, and the bids behind them."""
    names = list(basic.action_ids(players))
    if auction:
        names += [f"BID {raised}" for raised in range(MORE + 1)] + ["BID_MORE"]
    return {name: number for number, name in enumerate(names)}


# --- homelands ------------------------------------------------------------------------------------


class AdvancedHome(Home):
    """A homeland with special tiles; ``buildings`` are letters by cell."""

    def __init__(self, board: Home, held: Counter[str], buildings: dict[tuple[str, int], str]) -> None:
        super().__init__(**vars(board))
        self.held = held
        self.buildings = buildings


def home(text: str = "", **others: Any) -> AdvancedHome:
    """Parse the notation at the top of this module; keywords as :func:`tests.vikings.positions.home`."""
    lines, held, buildings = [], Counter(), {}
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("special "):
            for word in line.removeprefix("special ").split(", "):
                if word not in SPECIALS:
                    raise ValueError(f"no special tile is {word}: {line}")
                held[word] += 1
            continue
        if line[0] in ROWS and line[1] == ":":
            for column, token in enumerate(line[2:].split(), 1):
                if token.startswith("["):
                    buildings[line[0], column] = token[1]
            line = re.sub(r"\[([A-D])\]", lambda match: "M" if match[1] == "A" else f"M{match[1]}", line)
        lines.append(line)
    return AdvancedHome(basic.home("\n".join(lines), **others), held, buildings)


class AdvancedPosition(Position):
    """One game of the engine with the ``switches`` on, alone in an array."""

    def __init__(
        self,
        players: int,
        *,
        switches: Iterable[str] = ALL,
        seed: int = 1,
        start_seat: int | None = 0,
        mode: str = "adjacent",
        rules: Game | None = None,
    ):
        self.names = tuple(action_ids(players, "auction" in switches))
        self.ids = {name: number for number, name in enumerate(self.names)}
        super().__init__(players, seed=seed, start_seat=start_seat, mode=mode, rules=game_with(switches, rules))

    def copy(self) -> AdvancedPosition:
        """An independent copy."""
        other = object.__new__(AdvancedPosition)
        vars(other).update(vars(self))
        other.states = self.states.copy()
        other.s = other.states[0]
        return other

    # --- asking and acting ---

    def legal(self, word: str = "") -> set[str]:
        """Names of the legal actions; with ``word`` those that begin with it, without it."""
        legal = set()
        for name in (self.names[action] for action in np.flatnonzero(self.mask())):
            kind, _, which = name.partition(" ")
            if kind == "COLOUR":
                name = f"COLOUR {COLOURS[int(which)]}"
            elif kind == "SPECIAL":
                name = f"SPECIAL {SPECIALS[self.s['special_display'][int(which)] - 1]}"
            legal.add(name)
        return {name.removeprefix(f"{word} ") for name in legal if name.startswith(word)} if word else legal

    def action(self, name: str) -> int:
        """The id of an action's name."""
        kind, _, which = name.partition(" ")
        if kind == "COLOUR":
            name = f"COLOUR {COLOURS.index(which)}"
        elif kind == "SPECIAL":
            name = f"SPECIAL {self.s['special_display'].tolist().index(SPECIALS.index(which) + 1)}"
        return self.ids[name]

    def do(self, *names: str) -> AdvancedPosition:
        """Play actions one by one, forced ones included, each of which must be legal; returns self."""
        for name in names:
            assert name in self.legal(), f"{name} is not legal; legal: {sorted(self.legal())}"
            self.game.apply_decision(self.game.tables[0], self.s, self.action(name))
        return self

    def bid(self, amount: int) -> AdvancedPosition:
        """Bid this amount, step by step; returns self."""
        raised = amount - int(self.s["standing_bid"])
        while raised > MORE:
            self.do("BID_MORE")
            raised -= MORE
        return self.do(f"BID {raised}")

    def bids(self) -> set[int]:
        """All amounts that may be bid now, each of which must be said in one way and lead to another's word."""
        assert self.phase == "AUCTION"
        found: list[int] = []
        here, reached = self.copy(), int(self.s["standing_bid"])
        while True:
            legal = here.legal()
            found += [reached + int(name[4:]) for name in legal if name.startswith("BID ")]
            if "BID_MORE" not in legal:
                break
            here.do("BID_MORE")
            reached += MORE
            # A bid that is being named is not taken back, and is always brought to its end.
            assert here.seat == self.seat
            assert here.legal()
            assert here.legal() <= {*(f"BID {raised}" for raised in range(1, MORE + 1)), "BID_MORE"}
        assert len(found) == len(set(found))
        return set(found)

    def may_pass(self) -> bool:
        """Whether PASS is legal."""
        return "PASS" in self.legal()

    def do_forced_replacement(self) -> AdvancedPosition:
        """Replace the one middle that there is to replace, where that is asked at all; returns self."""
        if self.phase == "REPLACE":
            (name,) = self.legal()
            self.do(name)
        return self

    # --- reading ---

    @property
    def phase(self) -> str:
        """What is being decided."""
        return {number: name for name, number in PHASES.items()}[int(self.s["phase"])]

    def drawn(self) -> Counter[str]:
        """Vikings that are shown and not laid out."""
        return +Counter(dict(zip(COLOURS, self.s["drawn"].tolist(), strict=True)))

    def face_up(self) -> Counter[str]:
        """The special tiles that may be taken."""
        return Counter(SPECIALS[kind - 1] for kind in self.s["special_display"].tolist() if kind)

    def special_order(self) -> list[str]:
        """All special tiles in the order in which they are revealed."""
        return [SPECIALS[kind] for kind in self.s["special_stack"].tolist()]

    def hidden_specials(self) -> Counter[str]:
        """The special tiles that lie face down."""
        return Counter(self.special_order()[int(self.s["specials_revealed"]) :])

    def held(self, seat: int) -> Counter[str]:
        """The special tiles beside a homeland."""
        return +Counter(dict(zip(SPECIALS, self.s["special_held"][seat].tolist(), strict=True)))

    def removed_specials(self) -> Counter[str]:
        """The special tiles that have left the game."""
        return +Counter(dict(zip(SPECIALS, self.s["special_removed"].tolist(), strict=True)))

    def buildings(self, seat: int) -> dict[str, str]:
        """The letters of a seat's building tiles by cell, such as ``{"S2": "A"}``."""
        cells = self.s["special_cell"][seat]
        return {
            f"{ROWS[row]}{column + 1}": SPECIALS[cells[row, column] - 1].removeprefix("building ")
            for row, column in np.argwhere(cells).tolist()
        }

    def tiles_on_wheel(self) -> dict[int, str]:
        """Tiles by space, vikings lying there or not."""
        return {space: WORD_OF_KIND[kind - 1] for space, kind in enumerate(self.s["wheel_tile"].tolist()) if kind}

    def removed_tiles(self, word: str) -> int:
        """How many tiles of that kind have left the game."""
        return int(self.s["tiles_removed"][KIND[word]])

    def steps(self, seat: int) -> dict[str, int]:
        """The final scoring of a seat by step."""
        return super().steps(seat) | {"buildings": int(self.s["buildings_step"][seat])}

    # --- writing ---

    def set_home(self, seat: int, home: Home) -> None:
        """Write a homeland and its special tiles into the record."""
        super().set_home(seat, home)
        s = self.s
        s["special_held"][seat], s["special_cell"][seat] = 0, 0
        if isinstance(home, AdvancedHome):
            s["special_held"][seat] = [home.held[word] for word in SPECIALS]
            for (row, column), letter in home.buildings.items():
                s["special_cell"][seat, ROWS.index(row), column - 1] = SPECIALS.index(f"building {letter}") + 1

    def set_face_up(self, words: Sequence[str]) -> None:
        """Lay these special tiles face up and no others."""
        kinds = [SPECIALS.index(word) + 1 for word in words]
        self.s["special_display"] = kinds + [0] * (fields.SPECIAL_SLOTS - len(kinds))


# --- positions of each kind -----------------------------------------------------------------------


def buying(
    *homes: Home,
    wheel: Mapping[int, tuple[str, str]],
    seat: int = 0,
    start_player: int = 0,
    round_number: int = 2,
    switches: Iterable[str] = SPECIAL,
    face_up: Sequence[str] = (),
    **others: Any,
) -> AdvancedPosition:
    """A position in which ``seat`` is to buy from ``wheel`` while ``face_up`` special tiles lie there."""
    position = AdvancedPosition(len(homes), switches=switches, **others)
    for index, home_ in enumerate(homes):
        position.set_home(index, home_)
    position.set_wheel(wheel)
    position.set_face_up(face_up)
    _begin(position, "BUY", seat, start_player, round_number)
    return position


def scoring(
    *homes: Home,
    round_number: int = 2,
    seat: int = 0,
    start_player: int = 0,
    switches: Iterable[str] = SPECIAL,
    **others: Any,
) -> AdvancedPosition:
    """A large scoring in which it is ``seat``'s part; those before her have finished theirs."""
    position = buying(
        *homes, wheel={}, seat=seat, start_player=start_player, round_number=round_number, switches=switches, **others
    )
    s = position.s
    s["phase"] = PHASES["TRIP"]
    s["scorings_done"] = (seat - start_player) % len(homes)
    s["trip_moves"], s["trip_mode"], s["trip_rows"] = 0, 0, 0
    return position


def final(*homes: Home, seat: int | None = None, **others: Any) -> AdvancedPosition:
    """The end of a game whose last seat to score still has to say DONE; nobody else scores any more."""
    last = len(homes) - 1 if seat is None else seat
    position = scoring(*homes, round_number=6, seat=last, start_player=(last + 1) % len(homes), **others)
    return position.do("DONE")


def before_small_scoring(*homes: Home, round_number: int = 1, **others: Any) -> AdvancedPosition:
    """The last seat is to take the last set of an odd round: a ship without a choice and a boatsman."""
    assert len(homes[-1].ships) >= 3, "the last home needs three ships, so that the fourth is laid without a choice"
    return buying(*homes, wheel={11: ("red ship", "gray")}, seat=len(homes) - 1, round_number=round_number, **others)


def auction(
    *money: tuple[int, int],
    old: int = 0,
    drawn: str = "2 blue, 3 yellow, 2 green, 2 red, 3 black, 1 gray",
    tiles: Sequence[str] = (),
    round_number: int = 2,
    switches: Iterable[str] = ("auction",),
) -> AdvancedPosition:
    """The beginning of a round: seats with that gold and fame, the old start player to speak first."""
    position = AdvancedPosition(len(money), switches=switches, start_seat=old)
    for seat, (gold, fame) in enumerate(money):
        position.set_home(seat, home("W: L", gold=gold, fame=fame))
    s = position.s
    s["round_number"] = round_number
    vikings = [colour for count, colour in re.findall(r"(\d+) (\w+)", drawn) for _ in range(int(count))]
    assert len(vikings) == 13
    s["bag"][13 * (round_number - 1) : 13 * round_number] = [COLOURS.index(colour) for colour in vikings]
    s["drawn"] = [vikings.count(colour) for colour in COLOURS]
    if tiles:
        s["stack"][12 * (round_number - 1) : 12 * round_number] = [KIND[tile] for tile in tiles]
    position.set_purchases()
    assert (position.phase, position.seat) == ("AUCTION", old)
    return position


def auctions_of_random_game(players: int, seed: int, switches: Iterable[str]) -> Iterator[AdvancedPosition]:
    """The beginning of each round of a random game."""
    chooser = random.Random(seed)
    position = AdvancedPosition(players, seed=seed, switches=switches)
    begun = 0
    while position.seat is not None:
        if position.s["round_number"] != begun:
            begun += 1
            assert position.phase == "AUCTION"
            yield position
        position.do(chooser.choice(sorted(position.legal())))


def _begin(position: AdvancedPosition, phase: str, seat: int, start_player: int, round_number: int) -> None:
    s = position.s
    s["phase"], s["seat"], s["start_player"], s["round_number"] = PHASES[phase], seat, start_player, round_number
    # A game with the auction begins with one.
    s["drawn"], s["standing_bid"], s["standing_bidder"], s["bid_opened"], s["passed"] = 0, 0, 0, 0, 0
    position.set_purchases()
