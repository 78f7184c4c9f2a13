"""Positions of Tiny Epic Vikings written by hand, in the words of the component tables.

A :class:`Position` is one record of the engine. Its actions go by names ("UP V02", "TO AF07", "SMITE A1 +2"), never by
id. Decisions with one legal action are played at once, as the contract has it, so that tests name real decisions only.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from northsea_envs.game import Game
from northsea_envs.games.tiny_epic_vikings import game as vikings_game
from northsea_envs.games.tiny_epic_vikings import state as fields
from tests.tiny_epic_vikings.reference import ENDS, RESOURCES, RUNES, Tables

TABLES = Path(fields.__file__).parent / "tables"
E = fields.ENEMY

# Decision points of section 20.2 by the engine's phases.
POINTS = {
    fields.START_BOAT: "DP-1",
    fields.DRAFT: "DP-2",
    fields.PLAY: "DP-3",
    fields.BATTLE_CARD: "DP-3",
    fields.CONTEST: "DP-4",
    fields.LEADER: "DP-5",
    fields.RUNE: "DP-6",
    fields.SAIL_BOAT: "DP-7",
    fields.SAIL_TO: "DP-8",
    fields.DISPLACE: "DP-9",
    fields.DEPLOY: "DP-10",
    fields.RAID: "DP-11",
    fields.EXPLORE_STEP: "DP-12",
    fields.HARVEST_ONE: "DP-13",
    fields.BUILD_SLOT: "DP-14",
    fields.BUILD_AT: "DP-15",
    fields.TEMPLE_STEP: "DP-16",
    fields.SMITE_ONE: "DP-17",
    fields.EXCHANGE_PAIR: "DP-18",
    fields.EXCHANGE_AMOUNT: "DP-18",
    fields.DISCARD: "DP-19",
    fields.DEDICATE: "DP-20",
    fields.BOON: "DP-21",
    fields.FURY: "DP-22",
    fields.RETURN_CARD: "DP-23",
    fields.RETURN_END: "DP-23",
    fields.OVER: "OVER",
}


def read(file: str, folder: Path = TABLES) -> list[dict]:
    """The rows of a component table, numbers as numbers."""
    with (folder / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
        return [{k: int(v) if v.isdigit() else v for k, v in row.items()} for row in csv.DictReader(lines)]


@dataclass(frozen=True)
class Rules:
    """The game under the component tables in a folder."""

    folder: Path = TABLES

    @cached_property
    def game(self) -> Game:
        return vikings_game(None if self.folder == TABLES else self.folder)

    def tables(self, players: int) -> Tables:
        """The tables as words, for so many players."""
        return self._tables(self.folder, players)

    _tables = staticmethod(cache(Tables))


PRINTED = Rules()


def names_of(t: Tables) -> list[str]:
    """The name of every action id of section 20.3; ids that the side in play has no use for are numbered."""
    words = {
        "PASS": ["STOP"],
        "PICK": [f"PICK {card}" for card in t.cards],
        "UP": [f"UP {card}" for card in t.cards],
        "DOWN": [f"DOWN {card}" for card in t.cards],
        "END": [" ".join(end) for end in ENDS],
        "FAVOR": [f"FAVOR {favor}" for favor in t.favors],
        "BOAT": [f"BOAT {k}" for k in range(len(t.boats))],
        "LOCATION": [f"TO {place}" for place in t.locations],
        "ISLAND": [f"ISLAND {island}" for island in t.islands],
        "MAT": ["MAT"],
        "YES": ["YES"],
        "RESOURCE": list(RESOURCES),
        "LINK": [f"{source}>{target}" for source, target in t.links],
        "SMITE": [f"SMITE {island} {target}" for island in t.islands for target in ("+1", "+2", "+3", "E")],
        "SLOT": [f"BUILD {slot}" for slot in t.mat_slots],
        "PAIR": [f"{x}>{y}" for x in RESOURCES for y in RESOURCES if x != y],
        "AMOUNT": [f"AMOUNT {k}" for k in range(1, t.constants["resource_max"] + 1)],
        "SPACE": [f"SPACE {space}" for space in t.spaces],
        "FURY": [f"{rune} {sign}" for rune in RUNES for sign in "+-"],
    }
    names: list[str] = []
    for block, first in t.first.items():
        names += [f"UNUSED {action}" for action in range(len(names), first)]
        names += words[block]
    return names + [f"UNUSED {action}" for action in range(len(names), t.actions)]


@dataclass(frozen=True)
class Seat:
    """What one player owns. Cards and places are written in a row ("V02 V03"), pieces with numbers ("A1 2, A4").

    Attributes:
        settlers: own Settlers on the map.
        temples: own Temples on the map; as many slots of the mat are built.
        boats: where the boats are: the starting boat, then those of the slots, "-" for one on the mat.
        hand: cards in hand; two that nobody else has if None.
        row: the Row from the left, the card of a battle in parentheses.
        villages: raided and not dedicated.
    """

    wood: int = 0
    food: int = 0
    steel: int = 0
    settlers: str = ""
    temples: str = ""
    boats: str = ""
    favors: str = ""
    hand: str | None = None
    row: str = ""
    villages: int = 0


seat = Seat


def amounts(text: str) -> dict[str, int]:
    """ "A1 2, A4" as numbers by word."""
    parts = [part.split() for part in text.split(",") if part.strip()]
    return {part[0]: int(part[1]) if len(part) > 1 else 1 for part in parts}


class Position:
    """One game of the engine, alone in an array.

    Attributes:
        game: the game.
        t: its tables as words.
        names: the name of every action.
        states: the array of one record.
        s: the record itself.
    """

    def __init__(self, players: int, *, seed: int = 1, rules: Rules = PRINTED):
        self.game = rules.game
        self.players = players
        self.t = rules.tables(players)
        self.names = names_of(self.t)
        self.ids = {name: action for action, name in enumerate(self.names)}
        self.cards, self.favor_names = list(self.t.cards), list(self.t.favors)
        self.islands = list(self.t.islands)
        self.states = np.zeros(1, self.game.state_dtype)
        self.s = self.states[0]
        self.game.setup(self.game.tables[0], self.s, players, self.game.option_codes(players, {}), seed)

    def copy(self) -> Position:
        """An independent copy."""
        other = object.__new__(Position)
        other.__dict__.update(self.__dict__)
        other.states = self.states.copy()
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
        """Names of the legal actions; with ``word`` those that begin with it, without it ("V02", "AF07")."""
        legal = {self.names[action] for action in np.flatnonzero(self.mask())}
        return {name.removeprefix(f"{word} ") for name in legal if name.startswith(f"{word} ")} if word else legal

    @property
    def seat(self) -> int | None:
        """Who decides, None at the end."""
        seat = int(self.game.decider(self.game.tables[0], self.s))
        return None if seat < 0 else seat

    @property
    def point(self) -> str:
        """The decision point of section 20.2."""
        return POINTS[int(self.s["phase"])]

    def apply(self, name: str) -> None:
        """Play one action, which must be legal, and nothing that is forced after it."""
        assert self.mask()[self.ids[name]], f"{name} is not legal; legal: {sorted(self.legal())}"
        self.game.apply_decision(self.game.tables[0], self.s, self.ids[name])

    def settle(self) -> Position:
        """Play decisions with one legal action until a real one or the end; returns self."""
        while len(legal := self.legal()) == 1:
            self.apply(*legal)
        return self

    def do(self, *names: str) -> Position:
        """Play actions, each of which must be legal, and what is forced after each; returns self."""
        for name in names:
            self.apply(name)
            self.settle()
        return self

    def then(self, *names: str) -> Position:
        """A copy in which the actions have been played."""
        return self.copy().do(*names)

    def redrawn(self, seat: int, seed: int) -> Position:
        """The contract's ``resample_hidden`` of a copy."""
        other = self.copy()
        other.game.resample_hidden(other.game.tables[0], other.s, seat, seed)
        return other

    def view(self, seat: int) -> np.ndarray:
        """What a seat may know, as the contract's flat floats; NaN where the engine wrote nothing."""
        out = np.full(self.game.observation_size(self.players), np.nan, np.float32)
        self.game.observe(self.game.tables[0], self.s, seat, out)
        return out

    def check(self) -> int:
        """The contract's check."""
        return int(self.game.check(self.game.tables[0], self.s))

    # --- reading: players ---

    def resources(self, seat: int) -> tuple[int, ...]:
        """Wood, food, steel."""
        return tuple(self.s["resources"][seat].tolist())

    def wood(self, seat: int) -> int:
        return self.resources(seat)[0]

    def food(self, seat: int) -> int:
        return self.resources(seat)[1]

    def steel(self, seat: int) -> int:
        return self.resources(seat)[2]

    def boats(self, seat: int) -> list[str | None]:
        """Where the boats are, None on the mat: the starting boat, then those of the slots."""
        return [None if place < 0 else self.t.locations[place] for place in self.s["boat_at"][seat].tolist()]

    def built(self, seat: int) -> set[str]:
        """Slots of the mat that are built."""
        return {slot for slot, built in zip(self.t.mat_slots, self.s["built"][seat].tolist(), strict=True) if built}

    def on_mat(self, seat: int) -> int:
        """Settlers on the mat."""
        return self.t.constants["settlers_per_player"] - int(self.s["settlers"][:, seat].sum())

    def villages(self, seat: int) -> int:
        """Villages raided and not dedicated."""
        return int(self.s["villages"][seat])

    def favors(self, seat: int) -> set[str]:
        """Favor cards held; the one on its way back to a row still is."""
        owners = self.s["favor_owner"].tolist()
        return {favor for favor, owner in zip(self.favor_names, owners, strict=True) if owner == seat + 1}

    # --- reading: cards ---

    def at(self, place: int) -> set[str]:
        """Cards in one of the places of ``state.py``."""
        return {card for card, here in zip(self.cards, self.s["place"].tolist(), strict=True) if here == place}

    def hand(self, seat: int) -> set[str]:
        """Cards in hand; those kept during the draft are."""
        return self.at(fields.IN_HAND + seat)

    kept = hand

    def pack(self, seat: int) -> set[str]:
        """The pack a seat chooses from."""
        return self.at(fields.IN_PACK + seat)

    def enemy_pack(self) -> set[str]:
        return self.at(fields.IN_PACK + E)

    def row(self, seat: int) -> list[str]:
        """The Row from the left; a facedown card in parentheses."""
        cards = [self.cards[card - 1] for card in self.s["row"][seat].tolist() if card]
        if self.s["battle_card"][seat] and not self.s["revealed"]:
            cards[-1] = f"({cards[-1]})"
        return cards

    def deck(self) -> list[str]:
        """The deck from the top."""
        return [self.cards[card] for card in self.s["deck"][: int(self.s["deck_size"])][::-1].tolist()]

    def discard(self) -> set[str]:
        """The discard pile, with what the Enemy discarded."""
        return self.at(fields.IN_DISCARD) | self.at(fields.IN_ENEMY_DISCARD)

    def invaders(self) -> set[str]:
        return self.at(fields.IN_INVADERS)

    # --- reading: the map ---

    def _pieces(self, name: str, island: str) -> dict:
        counts = self.s[name][self.islands.index(island)].tolist()
        return {"E" if clan == E else clan: n for clan, n in enumerate(counts) if n}

    def settlers(self, island: str) -> dict:
        """Settlers by seat, those of the Enemy under "E"; without zeros."""
        return self._pieces("settlers", island)

    def temples(self, island: str) -> dict:
        return self._pieces("temples", island)

    def holder(self, island: str) -> int | None:
        """Who has the Island Rune, None if it lies on the Island."""
        seat = int(self.s["holder"][self.islands.index(island)])
        return None if seat < 0 else seat

    def docks_with_village(self) -> set[str]:
        docks = list(self.t.docks)
        return {docks[k] for k in np.flatnonzero(self.s["village"]).tolist()}

    # --- reading: the rest ---

    @property
    def fury(self) -> tuple[int, ...]:
        """Fury of FEHU, HAGALAZ, PERTHO."""
        return tuple(self.s["fury"].tolist())

    @property
    def gods(self) -> tuple[str, ...]:
        """Gods of FEHU, HAGALAZ, PERTHO."""
        return tuple(list(self.t.gods)[god] for god in self.s["god"].tolist())

    @property
    def era(self) -> int:
        return int(self.s["era"])

    @property
    def chieftain(self) -> int:
        return int(self.s["chieftain"])

    @property
    def turn(self) -> int:
        """Whose turn it is, -1 outside the turns."""
        return int(self.s["turn_seat"])

    def _favor_row(self, row: int) -> list[str]:
        cards = self.s["favor_row"][row][: int(self.s["favor_row_size"][row])].tolist()
        return [self.favor_names[card - 1] for card in cards]

    def top(self) -> list[str]:
        return self._favor_row(fields.TOP)

    def bottom(self) -> list[str]:
        return self._favor_row(fields.BOTTOM)

    def spaces(self) -> dict[str, int]:
        """Villages on the Dedication spaces, without zeros."""
        return {space: n for space, n in zip(self.t.spaces, self.s["dedicated"].tolist(), strict=True) if n}

    @property
    def battle(self) -> tuple[int, str, str] | None:
        """Starter, contested Favor card, and the end it came from; None without a battle."""
        if self.s["starter"] < 0 or self.s["revealed"] or not self.s["contested"]:
            return None
        end = ENDS[2 * int(self.s["contested_row"]) + int(self.s["contested_end"])]
        return int(self.s["starter"]), self.favor_names[int(self.s["contested"]) - 1], " ".join(end)

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


def fresh(players: int, *, seed: int = 1, rules: Rules = PRINTED) -> Position:
    """A game right after setup, before the boats are placed."""
    return Position(players, seed=seed, rules=rules)


def boats_placed(p: Position) -> Position:
    """Every player puts the starting boat into the first edge Fjord; returns ``p``, at the draft's first choice."""
    while p.point == "DP-1":
        p.do(f"TO {min(p.legal('TO'))}")
    return p


def position(
    *seats: Seat,
    turn: int = 0,
    chieftain: int | None = None,
    era: int = 1,
    fury: tuple[int, int, int] = (0, 0, 0),
    gods: tuple[str, str, str] = ("THOR", "ODIN", "FRIGG"),
    holders: Mapping[str, int | None] | None = None,
    top: str | None = None,
    bottom: str | None = None,
    deck: str = "",
    rest: str = "deck",
    discard: str = "",
    invaders: str = "",
    raided: str = "",
    spaces: Mapping[str, int] | None = None,
    enemy: Mapping[str, tuple[int, int]] | None = None,
    battle: Mapping | None = None,
    seed: int = 1,
    rules: Rules = PRINTED,
) -> Position:
    """The start of the turn of seat ``turn``: it is to play a card.

    Args:
        seats: what each player owns.
        turn: whose turn it is.
        chieftain: who began this era; the same seat if None.
        era: 1 to 3.
        fury: of FEHU, HAGALAZ, PERTHO.
        gods: of FEHU, HAGALAZ, PERTHO.
        holders: who has the Island Runes that do not lie on their Islands.
        top: the TOP row of Favor cards from the left; as many as at the start if None. So ``bottom``.
        deck: cards on top of the deck, from the top.
        rest: where the cards go that no argument names: under these in the "deck", or to the "invaders".
        discard: the discard pile.
        invaders: the Invader stack.
        raided: Docks whose Village is gone.
        spaces: Villages on the Dedication spaces.
        enemy: Temples and Settlers of the Enemy by Island; as at the start if None.
        battle: of a battle in progress ``starter``, ``favor`` and ``end``; its cards are those in parentheses.
        seed: seed of the chance to come.
        rules: the game, if not the one with the package's tables.
    """
    players = len(seats)
    p = boats_placed(fresh(players, seed=seed, rules=rules))
    # From the beginning of a first turn on, everything is laid anew.
    while p.point == "DP-2":
        p.do(f"PICK {min(p.legal('PICK'))}")
    s, t = p.s, p.t
    s["turn_seat"] = s["seat"] = turn
    s["chieftain"] = turn if chieftain is None else chieftain
    s["era"], s["fury"] = era, fury
    s["god"] = [list(t.gods).index(god) for god in gods]
    _lay_pieces(p, seats, dict(holders or {}), enemy)
    _lay_cards(p, seats, deck, rest, discard, invaders)
    _lay_favors(p, seats, top, bottom, battle)
    s["village"] = 0
    for k, dock in enumerate(t.docks):
        s["village"][k] = t.docks[dock]["has_village"] and dock not in raided.split()
    s["dedicated"] = [dict(spaces or {}).get(space, 0) for space in t.spaces]
    _forget(p)
    assert p.point == "DP-3"
    return p.settle()


def _forget(p: Position) -> None:
    """No seat knows more of the hidden cards than where it can see them not to be."""
    s = p.s
    unseen = max(row["hand_size"] for row in p.t.eras.values()) - 1  # the class of cards of the first deck
    s["kin"], s["slots"], s["mixed"], s["mixed_before"], s["pack_class"] = 0, 0, 0, 0, 0
    s["generation"], s["enemy_mixed_in"] = 0, 0
    hidden = [p.hand(who) | {card.strip("()") for card in p.row(who) if "(" in card} for who in range(p.players)]
    for who in range(p.players):
        for other in range(p.players):
            if other != who:
                s["slots"][who, other, unseen] = len(hidden[other])
        for card in set(p.deck()).union(*(hidden[other] for other in range(p.players) if other != who)):
            s["kin"][who, p.cards.index(card)] = unseen + 1


def _lay_pieces(p: Position, seats: tuple[Seat, ...], holders: dict, enemy: Mapping | None) -> None:
    s, t = p.s, p.t
    edge = next(fjord for fjord, row in t.fjords.items() if row["is_edge"])
    if enemy is not None:
        s["temples"][:, E], s["settlers"][:, E] = 0, 0
        for island, (temples, settlers) in enemy.items():
            s["temples"][p.islands.index(island), E] = temples
            s["settlers"][p.islands.index(island), E] = settlers
    s["holder"] = [-1 if (h := holders.get(island)) is None else h for island in t.islands] + [-1] * (
        len(s["holder"]) - len(t.islands)
    )
    for who, own in enumerate(seats):
        s["resources"][who] = own.wood, own.food, own.steel
        s["villages"][who] = own.villages
        for name, text in (("settlers", own.settlers), ("temples", own.temples)):
            s[name][:, who] = 0
            for island, number in amounts(text).items():
                s[name][p.islands.index(island), who] = number
        places = own.boats.split() or [edge]
        places += ["-"] * (len(t.boats) - len(places))
        s["boat_at"][who] = [-1 if place == "-" else t.locations.index(place) for place in places]
        s["built"][who] = 0
        for slot, place in zip(t.boats[1:], places[1:], strict=True):
            s["built"][who, t.mat_slots.index(slot)] = place != "-"
        temple_slots = [slot for slot in t.mat_slots if t.slots[slot]["unit"] == "TEMPLE"]
        for slot in temple_slots[: sum(amounts(own.temples).values())]:
            s["built"][who, t.mat_slots.index(slot)] = 1


def _lay_cards(p: Position, seats: tuple[Seat, ...], deck: str, rest: str, discard: str, invaders: str) -> None:
    s = p.s
    left = dict.fromkeys(p.cards)

    def lay(card: str, place: int) -> str:
        assert card in left, f"{card} lies in two places"
        del left[card]
        s["place"][p.cards.index(card)] = place
        return card

    s["place"] = fields.IN_DECK
    top = [lay(card, fields.IN_DECK) for card in deck.split()]
    for who, own in enumerate(seats):
        row = [lay(card.strip("()"), fields.IN_ROW + who) for card in own.row.split()]
        s["row"][who], s["row_size"][who] = 0, len(row)
        s["row"][who][: len(row)] = [p.cards.index(card) + 1 for card in row]
        s["battle_card"][who] = s["row"][who][len(row) - 1] if own.row.endswith(")") else 0
        s["hand_size"][who] = len([lay(card, fields.IN_HAND + who) for card in (own.hand or "").split()])
    for card in discard.split():
        lay(card, fields.IN_DISCARD)
    for card in invaders.split():
        lay(card, fields.IN_INVADERS)
    for who, own in enumerate(seats):
        if own.hand is None:
            s["hand_size"][who] = len([lay(card, fields.IN_HAND + who) for card in list(left)[-2:]])
    if rest == "invaders":
        for card in list(left):
            lay(card, fields.IN_INVADERS)
    s["invaders"] = len(p.invaders())
    cards = top + list(left)
    s["deck"], s["deck_size"] = 0, len(cards)
    s["deck"][: len(cards)] = [p.cards.index(card) for card in cards[::-1]]


def _lay_favors(
    p: Position, seats: tuple[Seat, ...], top: str | None, bottom: str | None, battle: Mapping | None
) -> None:
    s, size = p.s, p.t.side["favor_row_size"]
    s["favor_owner"] = 0
    s["starter"] = -1
    s["contested"] = 0
    gone = {favor for own in seats for favor in own.favors.split()}
    for who, own in enumerate(seats):
        for favor in own.favors.split():
            s["favor_owner"][p.favor_names.index(favor)] = who + 1
    if battle is not None:
        gone.add(battle["favor"])
        s["starter"] = battle["starter"]
        s["contested"] = p.favor_names.index(battle["favor"]) + 1
        end = ENDS.index(tuple(battle["end"].split()))
        s["contested_row"], s["contested_end"] = divmod(end, 2)
    gone |= {*(top or "").split(), *(bottom or "").split()}
    free = [favor for favor in p.favor_names if favor not in gone]
    s["favor_row"] = 0
    for row, text in enumerate((top, bottom)):
        cards = [free.pop(0) for _ in range(min(size, len(free)))] if text is None else text.split()
        s["favor_row_size"][row] = len(cards)
        s["favor_row"][row][: len(cards)] = [p.favor_names.index(favor) + 1 for favor in cards]


def idle(p: Position) -> Position:
    """The turn player plays its first card faceup and does nothing with it; returns ``p``."""
    p.do(f"UP {min(p.legal('UP'))}")
    while p.seat is not None and p.point in ("DP-5", "DP-6", "DP-20"):
        p.do("STOP")
    return p


def walk(players: int, *, seed: int, decisions: int, rules: Rules = PRINTED) -> Iterator[Position]:
    """Positions of lively games, forced decisions included, that go on until ``decisions`` have been seen.

    Each position is changed by the next.
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
    if word == "TO":
        return 4.0 if what[1] == "D" else 1.0
    if ">" in word:
        return 2.0
    weights = {"STOP": 0.25, "YES": 3.0, "MAT": 4.0, "UP": 2.0, "BUILD": 2.0, "SMITE": 2.0, "BOAT": 2.0, "SPACE": 2.0}
    return weights.get(word, 1.0)
