"""Positions of Vikings written by hand, in the board notation of the rules document (section 16).

A :class:`Home` is parsed from text such as::

    ships 1:green 3:blue
    W: L* M  R
    S: .  M*
    pool 2 red, 1 gray

Rows that are not named are empty. ``L``, ``M``, ``R`` are tiles, ``MB`` a middle with building B, ``.`` an empty cell,
``*`` a viking of the row's colour. A :class:`Position` is one record of the engine with such homelands written into
it; it speaks of actions by the names of the rules document ("CELL S3"), never by number.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from northsea_envs.game import Game
from northsea_envs.games.vikings import game as vikings_game
from northsea_envs.games.vikings import state as fields

TABLES = Path(fields.__file__).parent / "tables"
ROWS = "WNSGF"
PHASES = {
    "BUY": fields.BUY,
    "START_ROW": fields.START_ROW,
    "CELL": fields.CELL,
    "SHIP_COLUMN": fields.SHIP_COLUMN,
    "VIKING": fields.VIKING,
    "TRIP": fields.TRIP,
    "OVER": fields.OVER,
}
OPENING_MODES = {"adjacent": fields.ADJACENT, "any_of_first_three": fields.ANY_OF_FIRST_THREE}
COLUMNS = {2: 37, 3: 25, 4: 19}  # section 15, highest island column

# Kinds of tiles are the rows of tiles.csv, colours the offer orders of vikings.csv (state.py).
with (TABLES / "tiles.csv").open(encoding="utf-8", newline="") as _file:
    _IDS = [row["tile_id"] for row in csv.DictReader(_file)]
with (TABLES / "vikings.csv").open(encoding="utf-8", newline="") as _file:
    COLOURS = tuple(row["colour"] for row in sorted(csv.DictReader(_file), key=lambda row: int(row["offer_order"])))

TILE_WORDS = {
    "T-START": "left end",
    "T-LEFT": "left end",
    "T-MID-A": "middle A",
    "T-MID-B": "middle B",
    "T-MID-C": "middle C",
    "T-MID-D": "middle D",
    "T-RIGHT": "right end",
    "T-SHIP-RED": "red ship",
    "T-SHIP-GREEN": "green ship",
    "T-SHIP-YELLOW": "yellow ship",
    "T-SHIP-BLUE": "blue ship",
}
WORD_OF_KIND = [TILE_WORDS[tile_id] for tile_id in _IDS]
START_KIND = _IDS.index("T-START")
KIND = {word: kind for kind, word in enumerate(WORD_OF_KIND) if kind != START_KIND} | {"start tile": START_KIND}
KIND |= {"middle": KIND["middle A"]}
TOKENS = {"L": "left end", "M": "middle A", "MB": "middle B", "MC": "middle C", "MD": "middle D", "R": "right end"}


@cache
def default_game() -> Game:
    """The game with the tables that it comes with."""
    return vikings_game()


# --- actions by name, numbered as section 14 lays them out ----------------------------------------


@cache
def action_ids(players: int) -> dict[str, int]:
    """Every name of an action and its id: the flat layout of section 14, block after block."""
    names = [f"BUY {space}" for space in range(12)]
    names += [f"START_ROW {row}" for row in ROWS]
    names += [f"CELL {row}{column}" for row in ROWS for column in range(1, COLUMNS[players] + 1)]
    names += [f"SHIP_COLUMN {column}" for column in (1, 2, 3)]
    names += ["VIKING_ON", "VIKING_POOL"]
    names += [f"SPECIAL {slot}" for slot in range(4)] + ["DECLINE"]
    names += [f"COLOUR {colour}" for colour in range(6)]
    names += ["END_TRIP", "DONE", "USE_BOAT", "PASS"]
    return {name: number for number, name in enumerate(names)}


@cache
def action_names(players: int) -> tuple[str, ...]:
    """The names of :func:`action_ids` in the order of the ids."""
    return tuple(action_ids(players))


# --- homelands ------------------------------------------------------------------------------------


@dataclass
class Home:
    """One player's things. Cells are (row letter, column from 1); ``ships`` are colours by column from 1."""

    tiles: dict[tuple[str, int], str] = field(default_factory=dict)
    vikings: set[tuple[str, int]] = field(default_factory=set)
    ships: dict[int, str] = field(default_factory=dict)
    pool: Counter[str] = field(default_factory=Counter)
    gold: int = 0
    fame: int = 0
    start_tile_kept: bool = False


def home(text: str = "", *, gold: int = 0, fame: int = 0, start_tile_kept: bool = False) -> Home:
    """Parse the notation at the top of this module."""
    result = Home(gold=gold, fame=fame, start_tile_kept=start_tile_kept)
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("ships "):
            for ship in line.split()[1:]:
                column, colour = ship.split(":")
                result.ships[int(column)] = colour
        elif line.startswith("pool "):
            for count, colour in re.findall(r"(\d+) (\w+)", line):
                if colour not in COLOURS:
                    raise ValueError(f"no viking is {colour}: {line}")
                result.pool[colour] = int(count)
        elif line[0] in ROWS and line[1] == ":":
            for column, token in enumerate(line[2:].split(), 1):
                if token == ".":
                    continue
                result.tiles[line[0], column] = TOKENS[token.rstrip("*")]
                if token.endswith("*"):
                    result.vikings.add((line[0], column))
        else:
            raise ValueError(f"not a line of a board: {line}")
    return result


class Position:
    """One game of the engine, alone in an array.

    Attributes:
        game: the game.
        states: the array of one record.
        s: the record itself.
    """

    def __init__(
        self,
        players: int,
        *,
        seed: int = 1,
        start_seat: int | None = 0,
        mode: str = "adjacent",
        rules: Game | None = None,
    ):
        self.game = rules or default_game()
        self.players = players
        self.states = np.zeros(1, self.game.state_dtype)
        self.s = self.states[0]
        options = self.game.option_codes(players, {"ship_opening_mode": mode, "start_seat": start_seat})
        self.game.setup(self.game.tables[0], self.s, players, options, seed)

    def copy(self) -> Position:
        """An independent copy."""
        other = object.__new__(Position)
        other.game, other.players, other.states = self.game, self.players, self.states.copy()
        other.s = other.states[0]
        return other

    # --- asking and acting ---

    def mask(self) -> np.ndarray:
        """The engine's mask, int8."""
        mask = np.zeros(self.game.num_actions(self.players), np.int8)
        if self.seat is not None:
            self.game.legal_actions(self.game.tables[0], self.s, mask)
        return mask

    def legal(self, word: str = "") -> set[str]:
        """Names of the legal actions; with ``word`` those that begin with it, without it ("S3", "4")."""
        names = action_names(self.players)
        legal = {names[action] for action in np.flatnonzero(self.mask())}
        return {name.removeprefix(f"{word} ") for name in legal if name.startswith(word)} if word else legal

    @property
    def seat(self) -> int | None:
        """Who decides, None at the end."""
        seat = int(self.game.decider(self.game.tables[0], self.s))
        return None if seat < 0 else seat

    def do(self, *names: str) -> Position:
        """Play actions one by one, forced ones included, each of which must be legal; returns self."""
        for name in names:
            action = action_ids(self.players)[name]
            assert self.mask()[action], f"{name} is not legal; legal: {sorted(self.legal())}"
            self.game.apply_decision(self.game.tables[0], self.s, action)
        return self

    def then(self, *names: str) -> Position:
        """A copy in which the actions have been played."""
        return self.copy().do(*names)

    def do_forced(self) -> Position:
        """Play decisions with one legal action until a real one or the end; returns self."""
        while len(legal := self.legal()) == 1:
            self.do(*legal)
        return self

    # --- reading ---

    @property
    def phase(self) -> str:
        """What is being decided."""
        return {number: name for name, number in PHASES.items()}[int(self.s["phase"])]

    def gold(self, seat: int) -> int:
        """Gold of a seat."""
        return int(self.s["gold"][seat])

    def fame(self, seat: int) -> int:
        """Fame of a seat."""
        return int(self.s["fame"][seat])

    def pool(self, seat: int) -> dict[str, int]:
        """Vikings in a seat's pool by colour, without zeros."""
        return {colour: int(n) for colour, n in zip(COLOURS, self.s["pool"][seat], strict=True) if n}

    def row(self, seat: int, row: str) -> str:
        """One row in board notation, middles all as M, to its last tile."""
        tokens = []
        for tile, viking in zip(
            self.s["tile"][seat][ROWS.index(row)], self.s["viking"][seat][ROWS.index(row)], strict=True
        ):
            piece = WORD_OF_KIND[tile - 1][0].upper() if tile else "."
            tokens.append(piece + "*" * int(viking))
        text = " ".join(tokens)
        return re.sub(r"( ?\.)+$", "", text)

    def rows(self, seat: int) -> dict[str, str]:
        """All rows that are not empty, as :meth:`row`."""
        return {row: text for row in ROWS if (text := self.row(seat, row))}

    def ships(self, seat: int) -> dict[int, str]:
        """Colours of a seat's ships by column from 1."""
        kinds = enumerate(self.s["ship"][seat].tolist(), 1)
        return {column: WORD_OF_KIND[kind - 1].removesuffix(" ship") for column, kind in kinds if kind}

    def wheel(self) -> dict[int, tuple[str, str]]:
        """(tile, viking) by space."""
        pairs = zip(self.s["wheel_tile"].tolist(), self.s["wheel_viking"].tolist(), strict=True)
        return {k: (WORD_OF_KIND[tile - 1], COLOURS[viking - 1]) for k, (tile, viking) in enumerate(pairs) if tile}

    def steps(self, seat: int) -> dict[str, int]:
        """The final scoring of a seat by step."""
        return dict(zip(fields.FINAL_STEPS, self.s["final_steps"][seat].tolist(), strict=True))

    def scores(self) -> list[float]:
        """The contract's scores."""
        out = np.zeros(self.players)
        self.game.scores(self.game.tables[0], self.s, out)
        return out.tolist()

    def ranks(self) -> list[int]:
        """The contract's ranks."""
        out = np.zeros(self.players, np.int64)
        self.game.ranks(self.game.tables[0], self.s, out)
        return out.tolist()

    def check(self) -> int:
        """The contract's check."""
        return int(self.game.check(self.game.tables[0], self.s))

    # --- writing ---

    def set_home(self, seat: int, home: Home) -> None:
        """Write a homeland into the record; the first left end in column 1 becomes the start tile."""
        s = self.s
        s["tile"][seat], s["viking"][seat], s["ship"][seat] = 0, 0, 0
        first_column = [(row, 1) for row in ROWS if home.tiles.get((row, 1)) == "left end"]
        start = first_column[0] if first_column and not home.start_tile_kept else None
        for (row, column), word in home.tiles.items():
            kind = START_KIND if (row, column) == start else KIND[word]
            s["tile"][seat, ROWS.index(row), column - 1] = kind + 1
        for row, column in home.vikings:
            s["viking"][seat, ROWS.index(row), column - 1] = 1
        s["width"][seat] = max((column for _, column in home.tiles), default=0)
        for column, colour in home.ships.items():
            s["ship"][seat, column - 1] = KIND[f"{colour} ship"] + 1
        s["ships"][seat] = len(home.ships)
        s["pool"][seat] = [home.pool[colour] for colour in COLOURS]
        s["gold"][seat], s["fame"][seat] = home.gold, home.fame
        s["start_tile_kept"][seat] = home.start_tile_kept

    def set_wheel(self, wheel: Mapping[int, tuple[str, str]]) -> None:
        """Lay (tile, viking) on the named spaces and nothing elsewhere; the zero is at the lowest."""
        s = self.s
        s["wheel_tile"], s["wheel_viking"] = 0, 0
        for space, (tile, viking) in wheel.items():
            s["wheel_tile"][space] = KIND[tile] + 1
            s["wheel_viking"][space] = COLOURS.index(viking) + 1
        s["sets_left"] = len(wheel)
        s["zero_space"] = min(wheel, default=-1)

    def set_chance(self, round_number: int, tiles: Iterable[str], vikings: Iterable[str]) -> None:
        """Write what a coming round reveals and draws, in order."""
        twelve = slice(12 * (round_number - 1), 12 * round_number)
        self.s["stack"][twelve] = [KIND[tile] for tile in tiles]
        self.s["bag"][twelve] = [COLOURS.index(viking) for viking in vikings]

    def set_purchases(self) -> None:
        """Count the purchases that must lie behind the round and the sets left."""
        s = self.s
        bought = 12 - int(s["sets_left"])
        for seat in range(self.players):
            place = (seat - int(s["start_player"])) % self.players
            this_round = bought // self.players + (place < bought % self.players)
            s["purchases"][seat] = (int(s["round_number"]) - 1) * (12 // self.players) + this_round


def buying(
    *homes: Home,
    wheel: Mapping[int, tuple[str, str]],
    seat: int = 0,
    start_player: int = 0,
    round_number: int = 2,
    mode: str = "adjacent",
    **others: Any,
) -> Position:
    """A position in which ``seat`` is to buy from ``wheel``."""
    position = Position(len(homes), mode=mode, **others)
    for index, home_ in enumerate(homes):
        position.set_home(index, home_)
    position.set_wheel(wheel)
    s = position.s
    s["phase"], s["seat"], s["start_player"], s["round_number"] = PHASES["BUY"], seat, start_player, round_number
    position.set_purchases()
    return position


def placing(home_: Home, tile: str, viking: str = "gray", *, players: int = 2, mode: str = "adjacent") -> Position:
    """Seat 0 has just bought that set, for nothing, and lays its tile; three other sets are left."""
    others = {9: ("right end", "blue"), 10: ("right end", "yellow"), 11: ("right end", "black")}
    homes = [home_] + [home("W: L") for _ in range(players - 1)]
    # The bought viking is the only one of its colour or the buyer has no gold, so that the zero set may be taken.
    return buying(*homes, wheel={8: (tile, viking)} | others, mode=mode).do("BUY 8")


def scoring(*homes: Home, round_number: int = 2, seat: int = 0, start_player: int = 0, **others: Any) -> Position:
    """A large scoring in which it is ``seat``'s part; those before her have finished theirs."""
    position = Position(len(homes), **others)
    for index, home_ in enumerate(homes):
        position.set_home(index, home_)
    position.set_wheel({})
    s = position.s
    s["phase"], s["seat"], s["start_player"], s["round_number"] = PHASES["TRIP"], seat, start_player, round_number
    s["scorings_done"] = (seat - start_player) % len(homes)
    s["trip_moves"], s["trip_mode"], s["trip_rows"] = 0, 0, 0
    position.set_purchases()
    return position


def final(*homes: Home, seat: int | None = None, **others: Any) -> Position:
    """The end of a game whose last seat to score still has to say DONE; nobody else scores any more."""
    last = len(homes) - 1 if seat is None else seat
    position = scoring(*homes, round_number=6, seat=last, start_player=(last + 1) % len(homes), **others)
    return position.do("DONE")


def loads(position: Position) -> list[frozenset[str]]:
    """Cells filled by each trip that may begin now, once for every order of moves in which it may be made."""
    found = []

    def extend(here: Position, load: frozenset[str]) -> None:
        if load:
            assert "END_TRIP" in here.legal()
            found.append(load)
        for cell in here.legal("CELL"):
            extend(here.then(f"CELL {cell}"), load | {cell})

    extend(position, frozenset())
    return found


def before_small_scoring(*homes: Home, round_number: int = 1, **others: Any) -> Position:
    """The last seat is to take the last set of an odd round: a ship without a choice and a boatsman."""
    last = homes[-1]
    assert len(last.ships) >= 3, "the last home needs three ships, so that the fourth is laid without a choice"
    return buying(*homes, wheel={11: ("red ship", "gray")}, seat=len(homes) - 1, round_number=round_number, **others)
