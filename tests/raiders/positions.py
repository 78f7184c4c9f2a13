"""Positions of Raiders of the North Sea written by hand, in the words of the component tables.

A :class:`Position` is one record of the engine. Its actions go by the names of section 14.1 with keys for numbers
("BUILDING mill", "HAND scout", "RESOURCE gold"), never by id. Decisions with one legal action are played at once, as
the contract has it, so that tests name real decisions only. Amounts are written as text: ``"scout 2, folke"``.
"""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from northsea_envs.game import Game
from northsea_envs.games.raiders import game as raiders_game
from northsea_envs.games.raiders import state as fields
from northsea_envs.jit import random_below

TABLES = Path(fields.__file__).parent / "tables"


def read(file: str, folder: Path = TABLES) -> list[dict]:
    """The rows of a component table, numbers as numbers."""
    with (folder / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
        return [{k: int(v) if v.isdigit() else v for k, v in row.items()} for row in csv.DictReader(lines)]


CARDS = read("townsfolk")
KINDS = tuple(row["key"] for row in sorted(CARDS, key=lambda row: row["card_id"]))
DECK = Counter({row["key"]: row["count"] for row in CARDS})
BUILDINGS = tuple(row["key"] for row in sorted(read("buildings"), key=lambda row: row["building_id"]))
SETTLEMENTS = tuple(row["key"] for row in sorted(read("settlements"), key=lambda row: row["settlement_id"]))
SPACES = sorted(read("raid_spaces"), key=lambda row: row["space_id"])
GOODS = ("gold", "iron", "livestock", "silver", "provision")
TOKENS = ("gold", "iron", "livestock", "valkyrie")
BOX = {"gold": 18, "iron": 18, "livestock": 26, "silver": 32, "provision": 32, "valkyrie": 18}
COLOURS = (None, "black", "grey", "white")
FACES = (2, 3, 3, 4, 4, 5)  # section 2.2

# Section 14.1: the layout of the action ids.
NAMES = (
    "PASS",
    *(f"BUILDING {key}" for key in BUILDINGS),
    *(f"SETTLEMENT {key}" for key in SETTLEMENTS),
    *(f"HAND {kind}" for kind in KINDS),
    *(f"CREW {kind}" for kind in KINDS),
    *(f"OPPONENT {r}" for r in (1, 2, 3)),
    *(f"DISPLAY {d}" for d in range(3)),
    *(f"SET {i}" for i in range(3)),
    *(f"RESOURCE {good}" for good in GOODS),
    *(f"DIE {d}" for d in range(2)),
    *(f"COUNT {k}" for k in range(1, 9)),
    *(f"OPTION {o}" for o in range(2)),
)
IDS = {name: action for action, name in enumerate(NAMES)}

# Decision points of section 14.2 by the engine's phases.
POINTS = {
    fields.DRAFT: "DP-DRAFT",
    fields.MAIN: "DP-MAIN",
    fields.ACT: "DP-ACT",
    fields.TOWN_HALL: "DP-TH",
    fields.PAY_CARD: "DP-TRE",
    fields.HIRE: "DP-BAR",  # and DP-HIRE of the Recruiter
    fields.LONG_HOUSE: "DP-LONG",
    fields.PICK_UP: "DP-PICK",
    fields.OPPONENT: "DP-OPP",
    fields.WORKER_BUILDING: "DP-BLD",
    fields.ACTION_BUILDING: "DP-BLD",
    fields.GAIN_PLUNDER: "DP-RES",
    fields.STEAL_PLUNDER: "DP-RES",
    fields.DISCOUNT_ON: "DP-RES",
    fields.PAY_CREW: "DP-CREW",
    fields.RETURN_CREW: "DP-CREW",
    fields.FREE_HIRE: "DP-HIRE",
    fields.SLOT: "DP-SLOT",
    fields.SWAP_COUNT: "DP-COUNT",
    fields.SWAP_A: "DP-SWAP-A",
    fields.SWAP_B: "DP-SWAP-B",
    fields.PAY: "DP-PAY",
    fields.REROLL: "DP-REROLL",
    fields.SET: "DP-SET",
    fields.KILL: "DP-KILL",
    fields.AVENGE_OPPONENT: "DP-AVENGE-OPP",
    fields.AVENGE_CREW: "DP-AVENGE-CREW",
    fields.LIMIT: "DP-LIMIT",
    fields.OVER: "OVER",
}

# A Village in which the Town Hall is free, and one in which a worker waits there.
FREE_HALL = {"gate_house": "black", "treasury": "black", "mill": "black"}
FULL_HALL = {"gate_house": "black", "treasury": "black", "town_hall": "black"}


@cache
def default_game() -> Game:
    """The game with the tables that it comes with."""
    return raiders_game()


def amounts(text: str) -> Counter[str]:
    """``"scout 2, folke"`` as counts."""
    result: Counter[str] = Counter()
    for part in filter(None, map(str.strip, text.split(","))):
        word, _, number = part.partition(" ")
        result[word] += int(number or 1)
    return result


@dataclass(frozen=True)
class Seat:
    """What one player owns."""

    hand: str = ""
    crew: str = ""
    silver: int = 0
    provision: int = 0
    gold: int = 0
    iron: int = 0
    livestock: int = 0
    armour: int = 0
    valkyrie: int = 0
    vp: int = 0
    worker: str = "black"
    tiles: Sequence[int] = ()


seat = Seat


class Position:
    """One game of the engine, alone in an array.

    Attributes:
        game: the game.
        states: the array of one record.
        s: the record itself.
    """

    def __init__(self, players: int, *, seed: int = 1, rules: Game | None = None):
        self.game = rules or default_game()
        self.players = players
        self.states = np.zeros(1, self.game.state_dtype)
        self.s = self.states[0]
        self.game.setup(self.game.tables[0], self.s, players, self.game.option_codes(players, {}), seed)

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
        """Names of the legal actions; with ``word`` those that begin with it, without it ("mill", "4")."""
        legal = {NAMES[action] for action in np.flatnonzero(self.mask())}
        return {name.removeprefix(f"{word} ") for name in legal if name.startswith(word)} if word else legal

    @property
    def seat(self) -> int | None:
        """Who decides, None at the end."""
        seat = int(self.game.decider(self.game.tables[0], self.s))
        return None if seat < 0 else seat

    @property
    def point(self) -> str:
        """The decision point of section 14.2."""
        return POINTS[int(self.s["phase"])]

    def apply(self, name: str) -> None:
        """Play one action, which must be legal, and nothing that is forced after it."""
        assert self.mask()[IDS[name]], f"{name} is not legal; legal: {sorted(self.legal())}"
        self.game.apply_decision(self.game.tables[0], self.s, IDS[name])

    def settle(self) -> Position:
        """Play decisions with one legal action until a real one or the end; returns self."""
        while len(legal := self.legal()) == 1:
            self.apply(*legal)
        return self

    def do(self, *names: str, dice: Sequence[int] | None = None) -> Position:
        """Play actions, each of which must be legal, and what is forced after each; returns self.

        ``dice`` is what the last action rolls.
        """
        for number, name in enumerate(names, 1):
            if dice is not None and number == len(names):
                self._load_dice(name, dice)
            self.apply(name)
            self.settle()
        return self

    def then(self, *names: str, dice: Sequence[int] | None = None) -> Position:
        """A copy in which the actions have been played."""
        return self.copy().do(*names, dice=dice)

    def redrawn(self, seat: int, seed: int) -> Position:
        """The contract's ``resample_hidden`` of a copy."""
        other = self.copy()
        other.game.resample_hidden(other.game.tables[0], other.s, seat, seed)
        return other

    def _load_dice(self, name: str, dice: Sequence[int]) -> None:
        """Choose the stream of random numbers of the dice so that ``name`` rolls ``dice``."""
        if name.startswith("DIE"):
            dice = [dice[int(name[-1])]]
        chooser = random.Random(0)
        for _ in range(2000):
            self.s["rng_dice"] = [chooser.randrange(1, 2**32) for _ in range(4)]
            if roll(self.s["rng_dice"].copy(), len(dice)) == list(dice):
                return
        raise AssertionError(f"no dice are {dice}")

    # --- reading ---

    @property
    def owner(self) -> int:
        """Whose turn it is."""
        return int(self.s["owner"])

    @property
    def at_turn_start(self) -> bool:
        """Whether the turn owner is to choose between Work and Raid."""
        return int(self.s["phase"]) == fields.MAIN

    def good(self, seat: int, good: str) -> int:
        """How much of a good a seat holds."""
        return int(self.s["goods"][seat, GOODS.index(good)])

    def goods(self, seat: int) -> dict[str, int]:
        """All goods of a seat, without zeros."""
        return {good: n for good in GOODS if (n := self.good(seat, good))}

    def silver(self, seat: int) -> int:
        return self.good(seat, "silver")

    def provision(self, seat: int) -> int:
        return self.good(seat, "provision")

    def gold(self, seat: int) -> int:
        return self.good(seat, "gold")

    def iron(self, seat: int) -> int:
        return self.good(seat, "iron")

    def livestock(self, seat: int) -> int:
        return self.good(seat, "livestock")

    def armour(self, seat: int) -> int:
        return int(self.s["armour"][seat])

    def valkyrie(self, seat: int) -> int:
        """Position on the Valkyrie track."""
        return int(self.s["valkyries"][seat])

    def vp(self, seat: int) -> int:
        """Victory Points scored during play."""
        return int(self.s["vp"][seat])

    def worker(self, seat: int) -> str | None:
        """Colour of the worker in hand."""
        return COLOURS[self.s["worker"][seat]]

    def _cards(self, counts: np.ndarray) -> dict[str, int]:
        return {kind: n for kind, n in zip(KINDS, counts.tolist(), strict=True) if n}

    def hand(self, seat: int) -> dict[str, int]:
        return self._cards(self.s["hand"][seat])

    def hand_size(self, seat: int) -> int:
        return sum(self.hand(seat).values())

    def crew(self, seat: int) -> dict[str, int]:
        return self._cards(self.s["crew"][seat])

    def discard(self) -> dict[str, int]:
        return self._cards(self.s["discard"])

    def discard_size(self) -> int:
        return sum(self.discard().values())

    def pile(self) -> list[str]:
        """The draw pile from the top."""
        return [KINDS[kind] for kind in self.s["pile"][: self.pile_size()][::-1].tolist()]

    def pile_size(self) -> int:
        return int(self.s["pile_size"])

    def tiles(self, seat: int) -> set[int]:
        """Offering tiles that a seat has taken."""
        return set(np.flatnonzero(self.s["tile_owner"] == seat + 1).tolist())

    def display(self) -> list[int | None]:
        return [tile - 1 if tile else None for tile in self.s["display"].tolist()]

    def stack(self) -> list[int]:
        """The tiles that are not shown, from the top."""
        return self.s["stack"][: int(self.s["stack_size"])][::-1].tolist()

    def village(self) -> dict[str, str]:
        """Colour of the worker on each occupied building."""
        return {key: COLOURS[c] for key, c in zip(BUILDINGS, self.s["building_worker"].tolist(), strict=True) if c}

    def supply(self) -> dict[str, int]:
        """The Main Supply, with the Valkyries that are out of play."""
        goods = dict(zip(GOODS, self.s["supply"].tolist(), strict=True))
        return goods | {"valkyrie": int(self.s["valkyries_gone"])}

    def sets(self, settlement: str) -> list[dict[str, int] | None]:
        """Tokens on each raid space of a settlement, None where the set is taken."""
        found: list[dict[str, int] | None] = []
        for space in _spaces_of(settlement):
            counts = self.s["space_tokens"][space].tolist()
            tokens = {word: n for word, n in zip(TOKENS, counts, strict=True) if n}
            found.append(tokens if self.s["set_left"][space] else None)
        return found

    def raiders(self, settlement: str) -> dict[str, int]:
        """Workers left at a settlement, by colour."""
        counts = self.s["raiders"][SETTLEMENTS.index(settlement)].tolist()
        return {colour: n for colour, n in zip(COLOURS, counts, strict=True) if colour and n}

    def dice(self) -> list[int]:
        """The dice of the raid under way."""
        return [die for die in self.s["dice"].tolist() if die]

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

    @property
    def triggered(self) -> bool:
        """Whether the end of the game has been triggered."""
        return bool(self.s["final"])

    @property
    def truncated(self) -> bool:
        return bool(self.s["truncated"])


def roll(stream: np.ndarray, number: int) -> list[int]:
    """The next dice of a stream of random numbers such as the record's, which moves on."""
    return [FACES[random_below(stream, len(FACES))] for _ in range(number)]


def observation(position: Position, seat: int) -> np.ndarray:
    """What a seat may know, as the contract's flat floats."""
    out = np.zeros(position.game.observation_size(position.players), np.float32)
    position.game.observe(position.game.tables[0], position.s, seat, out)
    return out


def _spaces_of(settlement: str) -> list[int]:
    return [row["space_id"] for row in SPACES if row["settlement_key"] == settlement]


def _counts(text: str) -> list[int]:
    cards = amounts(text)
    unknown = set(cards) - set(KINDS)
    assert not unknown, f"no card is {unknown}"
    return [cards[kind] for kind in KINDS]


def fresh(players: int, *, seed: int = 1, rules: Game | None = None) -> Position:
    """A game right after setup, before the draft."""
    return Position(players, seed=seed, rules=rules)


# Sets that keep the game going; every other set is taken unless a test says otherwise.
BOARD = {"fortress_west": ["valkyrie, iron", "valkyrie, iron, livestock"]}


def position(
    *seats: Seat,
    turn: int = 0,
    village: Mapping[str, str] | None = None,
    sets: Mapping[str, Sequence[str | None]] | None = None,
    display: Sequence[int | None] = (0, 1, 2),
    stack: Sequence[int] | None = None,
    pile: str = "",
    rest: str = "pile",
    discard: str = "",
    supply: Mapping[str, int] | None = None,
    turns_left: int | None = None,
    turns: Sequence[int] | None = None,
    seed: int = 1,
    rules: Game | None = None,
) -> Position:
    """The start of the turn of seat ``turn``, with no more on the board than is said here.

    Args:
        seats: what each player owns.
        turn: whose turn it is.
        village: colour of the worker on each occupied building; as at the start of the game if None.
        sets: tokens of the sets of each settlement, slot by slot; what is not named is taken.
        display: tiles in the slots, None for an empty one.
        stack: tiles in the stack from the top; if None, all that lie nowhere else, by number.
        pile: cards on top of the draw pile, from the top.
        rest: where the cards go that no argument names: under these in the "pile", or "away" out of the game.
        discard: the discard pile.
        supply: goods of which the Main Supply holds this; otherwise it holds all that is not elsewhere.
        turns_left: turns left of the final round, or None before its trigger.
        turns: turns that each seat has taken.
        seed: seed of the chance to come.
        rules: the game, if not the one with the package's tables.
    """
    players = len(seats)
    p = Position(players, seed=seed, rules=rules)
    while p.point == "DP-DRAFT":
        p.apply(min(p.legal()))
    s = p.s
    s["owner"] = s["seat"] = s["start_seat"] = turn
    left = DECK.copy()
    held = Counter({good: 0 for good in BOX})
    for index, own in enumerate(seats):
        s["hand"][index], s["crew"][index] = _counts(own.hand), _counts(own.crew)
        s["hand_size"][index], s["crew_size"][index] = s["hand"][index].sum(), s["crew"][index].sum()
        s["heroes"][index] = int(s["crew"][index] @ p.game.tables[0].is_hero)
        left -= amounts(own.hand) + amounts(own.crew)
        goods = {good: getattr(own, good) for good in GOODS}
        s["goods"][index] = list(goods.values())
        held.update(goods)
        s["armour"][index], s["valkyries"][index], s["vp"][index] = own.armour, own.valkyrie, own.vp
        s["worker"][index] = COLOURS.index(own.worker)
        s["turns"][index] = turns[index] if turns else 0
    s["tile_owner"] = 0
    for index, own in enumerate(seats):
        s["tile_owner"][list(own.tiles)] = index + 1
    s["picked"], s["known"], s["returned"], s["drafted_left"] = 0, 0, 0, 0

    top = [kind for part in pile.split(",") if part.strip() for kind in amounts(part).elements()]
    left -= Counter(top) + amounts(discard)
    cards = top + (sorted(left.elements()) if rest == "pile" else [])
    s["pile"] = 0
    s["pile"][: len(cards)] = [KINDS.index(kind) for kind in cards[::-1]]
    s["pile_size"] = len(cards)
    s["discard"] = _counts(discard)
    s["discard_size"] = s["discard"].sum()

    s["display"] = [0 if tile is None else tile + 1 for tile in display]
    if stack is None:
        elsewhere = {tile for own in seats for tile in own.tiles} | set(display)
        stack = [tile for tile in range(16) if tile not in elsewhere]
    s["stack"] = 0
    s["stack"][: len(stack)] = list(stack)[::-1]
    s["stack_size"], s["stack_known"] = len(stack), 0

    s["space_tokens"], s["set_left"], s["raiders"] = 0, 0, 0
    laid = BOARD | dict(sets or {})
    for settlement in SETTLEMENTS:
        spaces = _spaces_of(settlement)
        words = list(laid.get(settlement, ()))
        words += [None] * (len(spaces) - len(words))
        for space, text in zip(spaces, words, strict=True):
            if text is None:
                s["raiders"][SETTLEMENTS.index(settlement), COLOURS.index("grey")] += 1
            else:
                tokens = amounts(text)
                s["space_tokens"][space] = [tokens[word] for word in TOKENS]
                s["set_left"][space] = 1
                held.update(tokens)
    main = Counter(BOX)
    main.subtract(held)
    main.update({good: n - main[good] for good, n in (supply or {}).items()})
    assert min(main.values()) >= 0, f"more than the box holds: {main}"
    s["supply"] = [main[good] for good in GOODS]
    s["valkyries_gone"] = main["valkyrie"]

    s["building_worker"] = 0
    for key, colour in (village or {"gate_house": "black", "town_hall": "black", "treasury": "black"}).items():
        s["building_worker"][BUILDINGS.index(key)] = COLOURS.index(colour)
    s["final"], s["turns_left"] = turns_left is not None, turns_left or 0
    assert p.at_turn_start
    return p


def idle_turn(p: Position) -> Position:
    """A Work turn in which no action is taken, played to its end; returns ``p``."""
    owner = p.owner
    takes_all = [building for building in BUILDINGS if building not in ("armoury", "long_house")]
    p.do(f"BUILDING {next(building for building in takes_all if building in p.legal('BUILDING'))}")
    while p.seat is not None and p.owner == owner and not p.at_turn_start:
        p.do("PASS" if "PASS" in p.legal() else min(p.legal()))
    return p


def walk(players: int, *, seed: int, decisions: int, rules: Game | None = None) -> Iterator[Position]:
    """Positions of random games, forced decisions included, that go on until ``decisions`` have been seen.

    The players prefer raids and hiring, so that games get somewhere. Each position is changed by the next.
    """
    chooser = random.Random(seed)
    seen = 0
    while seen < decisions:
        p = fresh(players, seed=chooser.randrange(2**63), rules=rules)
        while p.seat is not None and seen < decisions:
            yield p
            seen += 1
            names = sorted(p.legal())
            p.apply(chooser.choices(names, [eagerness(name) for name in names])[0])
        if p.seat is None:
            yield p


def eagerness(name: str) -> float:
    """How much a lively player wants an action."""
    word, _, what = name.partition(" ")
    if word == "SETTLEMENT":
        return 30.0
    if word == "BUILDING":
        return {"barracks": 3.0, "mill": 2.0, "silversmith": 2.0, "long_house": 3.0}.get(what, 1.0)
    return {"PASS": 0.2, "HAND": 2.0, "DISPLAY": 4.0}.get(word, 1.0)
