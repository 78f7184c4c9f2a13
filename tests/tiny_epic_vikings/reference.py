"""A slow second implementation of Tiny Epic Vikings, written from the rules document alone.

It shares no code with the engine: it reads the component tables by itself, because the document says that they hold
the numbers. Cards, Islands, Fjords, Docks, gods and spaces go by the words of the tables; only the action ids are
numbers, those of section 20.3. The Enemy of two players is the clan :data:`ENEMY`.

The rules are one generator that asks: it yields an :class:`Ask` at every decision point of section 20.2, forced ones
included, and is sent the chosen action. Chance comes from outside (:class:`Chance`), so that the game can be driven
in lockstep with another implementation.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

RESOURCES = ("WOOD", "FOOD", "STEEL")
RUNES = ("FEHU", "HAGALAZ", "PERTHO")
ENDS = (("TOP", "LEFT"), ("TOP", "RIGHT"), ("BOTTOM", "LEFT"), ("BOTTOM", "RIGHT"))
PAIRS = tuple((x, y) for x in RESOURCES for y in RESOURCES if x != y)
ENEMY = -1
NOBODY = None


class Ask(NamedTuple):
    """A decision: who decides, its point in section 20.2, and the legal action ids."""

    seat: int
    point: str
    legal: frozenset[int]


Asking = Generator[Ask, int, None]


class Chance(Protocol):
    """Everything that is drawn or shuffled; of a deck shuffled anew, each card is named only as it is drawn."""

    def gods(self) -> list[str]:
        """The gods of FEHU, HAGALAZ and PERTHO (T-SETUP-2)."""

    def deck(self) -> list[str]:
        """The Viking deck at setup, from the top (T-SETUP-5)."""

    def favor_rows(self) -> dict[str, list[str]]:
        """The cards of the TOP and BOTTOM rows, left to right (T-SETUP-6)."""

    def chieftain(self) -> int:
        """The first Chieftain (T-SETUP-8)."""

    def dealt(self, holder: int, pack: list[str]) -> str:
        """The next card dealt to a pack that holds ``pack`` so far."""

    def enemy_discard(self, pack: list[str]) -> str:
        """The card of the Enemy's pack that is discarded (T-DRAFT-6)."""

    def invader(self) -> str:
        """The Invader revealed."""

    def drawn(self, seat: int, hand: list[str]) -> str:
        """The card that a seat draws to ``hand`` by DRAW_REPLACE."""


class Tables:
    """The component tables as rows of words and numbers, by key, for one number of players."""

    def __init__(self, folder: Path, players: int) -> None:
        def rows(file: str) -> list[dict]:
            with (folder / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
                return [{k: int(v) if v.isdigit() else v for k, v in row.items()} for row in csv.DictReader(lines)]

        self.constants = {row["key"]: row["value"] for row in rows("constants")}
        self.cards = {row["card_id"]: row for row in rows("viking_cards")}
        self.favors = {row["favor_id"]: row for row in rows("favor_cards")}
        self.gods = {row["god_id"]: row for row in rows("gods")}
        self.slots = {row["slot_id"]: row for row in rows("clan_mat")}
        self.boats = [slot for slot, row in self.slots.items() if row["unit"] == "BOAT"]
        self.mat_slots = [slot for slot, row in self.slots.items() if row["starts_on"] == "MAT"]
        self.eras = {row["era"]: row for row in rows("era_mat")}
        self.spaces = {row["space_id"]: row for row in rows("dedication_spaces")}
        self.side = next(row for row in rows("map_sides") if row["players"] == players)
        sides = sorted({row["map_side"] for row in rows("islands")})
        files = {file: rows(file) for file in ("islands", "docks", "fjords", "ferry_routes", "fjord_adjacency")}

        def here(file: str, side: str = self.side["map_side"]) -> list[dict]:
            return [row for row in files[file] if row["map_side"] == side]

        self.islands = {row["island_id"]: row for row in here("islands")}
        self.docks = {row["dock_id"]: row for row in here("docks")}
        self.fjords = {row["fjord_id"]: row for row in here("fjords")}
        self.locations = [*self.fjords, *self.docks]
        self.next_fjords: dict[str, set[str]] = {fjord: set() for fjord in self.fjords}
        for row in here("fjord_adjacency"):
            self.next_fjords[row["fjord_a"]].add(row["fjord_b"])
            self.next_fjords[row["fjord_b"]].add(row["fjord_a"])
        self.links: list[tuple[str, str]] = []
        for row in here("ferry_routes"):
            if row["island_b"] != "NONE":
                self.links += [(row["island_a"], row["island_b"]), (row["island_b"], row["island_a"])]

        # Section 20.3; where a table is larger, so is its block.
        def most(file: str) -> int:
            return max(len(here(file, side)) for side in sides)

        links = max(2 * sum(row["island_b"] != "NONE" for row in here("ferry_routes", side)) for side in sides)
        blocks = {
            "PASS": 1,
            "PICK": len(self.cards),
            "UP": len(self.cards),
            "DOWN": len(self.cards),
            "END": len(ENDS),
            "FAVOR": len(self.favors),
            "BOAT": len(self.boats),
            "LOCATION": most("fjords") + most("docks"),
            "ISLAND": most("islands"),
            "MAT": 1,
            "YES": 1,
            "RESOURCE": len(RESOURCES),
            "LINK": links,
            "SMITE": 4 * most("islands"),
            "SLOT": len(self.mat_slots),
            "PAIR": len(PAIRS),
            "AMOUNT": self.constants["resource_max"],
            "SPACE": len(self.spaces),
            "FURY": 2 * len(RUNES),
        }
        self.first: dict[str, int] = {}
        self.actions = 0
        for block, size in blocks.items():
            self.first[block] = self.actions
            self.actions += size
        self.words: dict[str, list] = {
            "PICK": list(self.cards),
            "UP": list(self.cards),
            "DOWN": list(self.cards),
            "END": list(ENDS),
            "FAVOR": list(self.favors),
            "BOAT": self.boats,
            "LOCATION": self.locations,
            "ISLAND": list(self.islands),
            "RESOURCE": list(RESOURCES),
            "LINK": self.links,
            "SMITE": [(island, target) for island in self.islands for target in range(4)],
            "SLOT": self.mat_slots,
            "PAIR": list(PAIRS),
            "AMOUNT": list(range(1, self.constants["resource_max"] + 1)),
            "SPACE": list(self.spaces),
            "FURY": [(rune, step) for rune in RUNES for step in (1, -1)],
        }

    def ids(self, block: str, words: Iterable) -> set[int]:
        """Action ids of a block for some of what it counts."""
        return {self.first[block] + self.words[block].index(word) for word in words}

    def word(self, block: str, action: int) -> object:
        """What an action id of a block stands for; IndexError where it is of another block."""
        assert action >= self.first[block]
        return self.words[block][action - self.first[block]]

    def fjords_of_dock(self, dock: str) -> list[str]:
        return [self.docks[dock]["fjord_1"], self.docks[dock]["fjord_2"]]

    def docks_of_fjord(self, fjord: str) -> list[str]:
        return [dock for dock in self.docks if fjord in self.fjords_of_dock(dock)]

    def fjords_of_island(self, island: str) -> set[str]:
        """T-MAP-10."""
        docks = [dock for dock, row in self.docks.items() if row["island_id"] == island]
        return {fjord for dock in docks for fjord in self.fjords_of_dock(dock)}


@dataclass
class Laid:
    """A card of a Row."""

    card: str
    faceup: bool
    public: bool = True  # facedown, but everybody saw it (T-ENTER-3)


@dataclass
class Player:
    """What one player owns."""

    resources: dict[str, int]
    settlers_on_mat: int
    boats: dict[str, str | None]  # slot -> location; None on the mat, or (the starting boat) not placed yet
    built: list[str] = field(default_factory=list)  # slots of the Clan mat, of either unit
    villages: int = 0
    favors: list[str] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    row: list[Laid] = field(default_factory=list)
    pack: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    pick: str | None = None  # chosen of the pack, not yet kept: the others are still choosing
    played: int = 0


@dataclass
class Battle:
    """The battle in progress."""

    starter: int
    favor: str
    end: tuple[str, str]


class Reference:
    """One game.

    Args:
        players: 2, 3 or 4.
        tables: the component tables for so many.
        chance: what is drawn and shuffled.
    """

    def __init__(self, players: int, tables: Tables, chance: Chance) -> None:
        self.n, self.tables, self.chance = players, tables, chance
        c = self.constants = tables.constants
        start = {resource: c[f"start_{resource.lower()}"] for resource in RESOURCES}
        self.players = [
            Player(dict(start), c["start_settlers_on_mat"], {slot: None for slot in tables.boats})
            for _ in range(players)
        ]
        self.enemy = players == 2 and c["two_player_enemy"] == 1
        self.clans = [*range(players), *([ENEMY] if self.enemy else [])]
        self.settlers = {island: dict.fromkeys(self.clans, 0) for island in tables.islands}
        self.temples = {island: dict.fromkeys(self.clans, 0) for island in tables.islands}
        if self.enemy:  # T-2P-1
            for island, row in tables.islands.items():
                self.settlers[island][ENEMY] = row["enemy_settlers_2p"]
                self.temples[island][ENEMY] = row["enemy_temples_2p"]
        self.holder: dict[str, int | None] = dict.fromkeys(tables.islands, NOBODY)
        self.villages = {dock for dock, row in tables.docks.items() if row["has_village"]}
        self.god = dict(zip(RUNES, chance.gods(), strict=True))
        self.fury = dict.fromkeys(RUNES, c["fury_start"])
        self.deck = list(chance.deck())
        self.shuffled = False  # whether the order of the deck is not known yet
        self.discard: list[str] = []
        self.invaders: list[str] = []
        self.rows = {row: list(cards) for row, cards in chance.favor_rows().items()}
        self.spaces = dict.fromkeys(tables.spaces, 0)
        self.enemy_pack: list[str] = []
        self.battle: Battle | None = None
        self.era = 1
        self.chieftain = chance.chieftain()
        self.turn = self.chieftain
        self.happened: Counter[str] = Counter()
        self._rules = self._game()
        self.ask: Ask | None = next(self._rules)

    # --- driving ----------------------------------------------------------------------------------

    def apply(self, action: int) -> None:
        """Carry out one legal action, and what follows from it by itself up to the next decision point."""
        if self.ask is None or action not in self.ask.legal:
            raise ValueError(f"{action} is not legal at {self.ask}")
        self.happened[self.ask.point] += len(self.ask.legal) > 1
        try:
            self.ask = self._rules.send(action)
        except StopIteration:
            self.ask = None

    def settle(self) -> None:
        """Play every decision that has one legal action."""
        while self.ask is not None and len(self.ask.legal) == 1:
            self.apply(*self.ask.legal)

    # --- the game ---------------------------------------------------------------------------------

    def _game(self) -> Asking:
        for back in range(1, self.n + 1):  # T-SETUP-9
            seat = (self.chieftain - back) % self.n
            edge = [fjord for fjord, row in self.tables.fjords.items() if row["is_edge"]]
            action = yield self._ask(seat, "DP-1", self.tables.ids("LOCATION", edge))
            start = next(slot for slot in self.tables.boats if self.tables.slots[slot]["starts_on"] == "MAP")
            self.players[seat].boats[start] = self.tables.word("LOCATION", action)
        eras = self.constants["eras"]
        while True:  # T-ERA-1
            order = [(self.chieftain + k) % self.n for k in range(self.n)]
            yield from self._draft(order)
            yield from self._actions(order)
            if self.era == eras:
                return
            self._cleanup(order)

    def _ask(self, seat: int, point: str, legal: Iterable[int]) -> Ask:
        legal = frozenset(legal)
        assert legal, f"nothing is legal at {point}"
        return Ask(seat, point, legal)

    def _yes(self, seat: int, point: str, possible: bool = True) -> Generator[Ask, int, bool]:
        yes = self.tables.first["YES"]
        action = yield self._ask(seat, point, {0, yes} if possible else {0})
        return action == yes

    def _draw(self, named: Callable[[], str]) -> str:
        """The top card of the deck, refilled if need be; ``named`` tells what it is once the deck was shuffled."""
        if not self.deck:
            self.happened["reshuffle"] += 1
            self.deck, self.discard, self.shuffled = self.discard, [], True
        card = named() if self.shuffled else self.deck[0]
        self.deck.remove(card)
        return card

    # --- section 5.1: draft -----------------------------------------------------------------------

    def _draft(self, order: list[int]) -> Asking:
        era = self.tables.eras[self.era]
        size = era["hand_size"]
        packs: dict[int, list[str]] = {seat: player.pack for seat, player in enumerate(self.players)}
        for seat in range(self.n):  # T-DRAFT-1
            self._deal(seat, size, packs[seat])
        if self.enemy:
            self._deal(ENEMY, size - 1, self.enemy_pack)
        # T-DRAFT-6: clockwise 0, E, 1.
        circle = [0, ENEMY, 1] if self.enemy else list(range(self.n))
        step = 1 if era["pass_direction"] == "CW" else -1
        for _ in range(size - 1):
            for seat in order:
                player = self.players[seat]
                action = yield self._ask(seat, "DP-2", self.tables.ids("PICK", player.pack))
                player.pick = self.tables.word("PICK", action)
            for player in self.players:
                player.pack.remove(player.pick)
                player.kept.append(player.pick)
                player.pick = None
            held = {clan: self.enemy_pack if clan == ENEMY else self.players[clan].pack for clan in circle}
            passed = {circle[(k + step) % len(circle)]: held[clan] for k, clan in enumerate(circle)}
            for seat, player in enumerate(self.players):
                player.pack = passed[seat]
            if self.enemy:
                self.enemy_pack = passed[ENEMY]
                card = self.chance.enemy_discard(self.enemy_pack)
                self.enemy_pack.remove(card)
                self.discard.append(card)
        for player in self.players:  # T-DRAFT-3
            player.hand = player.kept + player.pack
            player.kept, player.pack = [], []

    def _deal(self, holder: int, size: int, pack: list[str]) -> None:
        for _ in range(size):
            pack.append(self._draw(lambda: self.chance.dealt(holder, pack)))

    # --- section 5.2: turns -----------------------------------------------------------------------

    def _actions(self, order: list[int]) -> Asking:
        while True:
            for seat in order:
                if not any(player.hand for player in self.players):
                    if self.battle:  # T-TURN-6
                        self.happened["battle resolved at the end of an era"] += 1
                        yield from self._resolve()
                    return
                self.turn = seat
                yield from self._turn(seat)

    def _turn(self, seat: int) -> Asking:
        player = self.players[seat]
        if self.battle and self.battle.starter == seat:  # T-TURN-2
            yield from self._resolve()
        if not player.hand:
            self.happened["turn with an empty hand"] += 1
            return
        legal = self.tables.ids("UP", player.hand)
        if self._may_battle():
            legal |= self.tables.ids("DOWN", player.hand)
        action = yield self._ask(seat, "DP-3", legal)
        if action in self.tables.ids("DOWN", player.hand):
            yield from self._battle_card(seat, self.tables.word("DOWN", action))
        else:
            yield from self._faceup(seat, self.tables.word("UP", action))
        if player.villages:  # T-DED-1
            yield from self._dedicate(seat)

    def _may_battle(self) -> bool:
        """T-TURN-7, T-ENTER-2."""
        return self.battle is not None or any(self.rows.values())

    def _battle_card(self, seat: int, card: str) -> Asking:
        """A hand card is played facedown: it starts or joins a battle."""
        player = self.players[seat]
        player.hand.remove(card)
        player.played += 1
        player.row.append(Laid(card, faceup=False, public=False))
        yield from self._enter(seat)

    def _enter(self, seat: int) -> Asking:
        """T-BATTLE-1 to T-BATTLE-3, for the rightmost card, which lies facedown."""
        if self.battle:
            self.happened["join"] += 1
            return
        ends = [(row, end) for row, end in ENDS if self.rows[row] and (end == "LEFT" or len(self.rows[row]) > 1)]
        action = yield self._ask(seat, "DP-4", self.tables.ids("END", ends))
        row, end = self.tables.word("END", action)
        favor = self.rows[row].pop(0 if end == "LEFT" else -1)
        self.battle = Battle(seat, favor, (row, end))

    def _faceup(self, seat: int, card: str) -> Asking:
        player, row = self.players[seat], self.tables.cards[card]
        player.hand.remove(card)
        player.played += 1
        player.row.append(Laid(card, faceup=True))
        if (yield from self._yes(seat, "DP-5")):
            yield from self._action(seat, row["leader_action"], row["leader_n"])
        action = row["rune_action"]
        if action == "NONE" or not self._met(seat, row):
            return
        if (yield from self._yes(seat, "DP-6", self._possible(seat, action))):
            bag = {resource: row[f"rune_{resource.lower()}"] for resource in RESOURCES}
            yield from self._action(seat, action, row["rune_n"], bag)

    def active_runes(self, seat: int) -> Counter[str]:
        """T-RUNE-1, T-RUNE-2."""
        runes = Counter(self.tables.islands[island]["rune"] for island, holder in self.holder.items() if holder == seat)
        runes.update(self.tables.cards[laid.card]["rune"] for laid in self.players[seat].row if laid.faceup)
        return runes

    def _met(self, seat: int, row: Mapping) -> bool:
        """T-RUNE-4."""
        runes = self.active_runes(seat)
        for k in (1, 2):
            rune, number = row[f"req{k}_rune"], row[f"req{k}_n"]
            have = runes.total() if rune == "ANY" else runes[rune]
            if rune != "NONE" and have < number:
                return False
        return True

    def _possible(self, seat: int, action: str) -> bool:
        """Whether YES may be said at DP-6 or DP-21."""
        if action == "EXCHANGE":
            return bool(self._pairs(seat))
        if action != "ENTER_BATTLE":
            return True
        if self.constants["enter_battle_card"] == "HAND" and not self.players[seat].hand:
            return False
        if not self.constants["enter_battle_may_start"]:
            return self.battle is not None
        return self._may_battle()

    # --- section 7: actions -----------------------------------------------------------------------

    def _action(self, seat: int, action: str, n: int, bag: Mapping[str, int] = {}) -> Asking:
        self.happened[action] += 1
        if action == "COLLECT":
            self._gain(seat, bag)
        else:
            yield from getattr(self, f"_do_{action.lower()}")(seat, n)
        self._full_check(seat)  # T-ACT-2

    def _gain(self, seat: int, bag: Mapping[str, int]) -> None:
        """T-RES-1, T-RES-2."""
        resources, most = self.players[seat].resources, self.constants["resource_max"]
        for resource, number in bag.items():
            self.happened["gain lost"] += resources[resource] + number > most
            resources[resource] = min(most, resources[resource] + number)

    # SAIL: 7.1

    def _do_sail(self, seat: int, n: int) -> Asking:
        player, t = self.players[seat], self.tables
        boats = [boat for boat, place in player.boats.items() if place is not None]
        action = yield self._ask(seat, "DP-7", {0} | t.ids("BOAT", boats))
        if action == 0:
            return
        boat = t.word("BOAT", action)
        deployed = 0
        dockings = 0
        for _ in range(n):
            here = player.boats[boat]
            if here in t.docks:
                reach = set(t.fjords_of_dock(here))
            else:
                reach = t.next_fjords[here] | set(t.docks_of_fjord(here))
            if not self.constants["own_boat_may_be_displaced"]:
                reach = {place for place in reach if not (place in t.docks and place in player.boats.values())}
            action = yield self._ask(seat, "DP-8", {0} | t.ids("LOCATION", reach))
            if action == 0:
                return
            there = t.word("LOCATION", action)
            if there in t.docks:
                dockings += 1
                self.happened["two dockings in one SAIL"] += dockings == 2
                per_docking = self.constants["deploy_limit_scope"] == "PER_DOCKING"
                deployed += yield from self._dock(seat, boat, there, n if per_docking else n - deployed)
            else:
                player.boats[boat] = there

    def _dock(self, seat: int, boat: str, dock: str, limit: int) -> Generator[Ask, int, int]:
        """T-SAIL-5. Returns how many Settlers were deployed."""
        t = self.tables
        island = t.docks[dock]["island_id"]
        sitting = [
            (owner, other)
            for owner, player in enumerate(self.players)
            for other, place in player.boats.items()
            if place == dock
        ]
        self.players[seat].boats[boat] = dock
        for owner, other in sitting:  # T-SAIL-4, T-SAIL-6: never more than one
            self.happened["own boat displaced" if owner == seat else "boat displaced"] += 1
            action = yield self._ask(owner, "DP-9", t.ids("LOCATION", t.fjords_of_dock(dock)))
            self.players[owner].boats[other] = t.word("LOCATION", action)
        deployed = yield from self._deploy(seat, island, limit)
        if deployed:
            self._attack(seat, island)
        cost = t.eras[self.era]["raid_steel_cost"]
        player = self.players[seat]
        if dock in self.villages and player.resources["STEEL"] >= cost and (yield from self._yes(seat, "DP-11")):
            player.resources["STEEL"] -= cost  # T-RAID-1, T-RAID-2
            self.villages.remove(dock)
            player.villages += 1
        self._take(island)
        return deployed

    def _deploy(self, seat: int, island: str, limit: int) -> Generator[Ask, int, int]:
        """7.2."""
        player, t, cost = self.players[seat], self.tables, self.constants["deploy_food_cost"]
        deployed = 0
        while deployed < limit and player.resources["FOOD"] >= cost:
            legal = {0}
            if player.settlers_on_mat:
                legal.add(t.first["MAT"])
            else:
                legal |= t.ids("ISLAND", [i for i in t.islands if i != island and self.settlers[i][seat]])
            action = yield self._ask(seat, "DP-10", legal)
            if action == 0:
                break
            player.resources["FOOD"] -= cost
            if action == t.first["MAT"]:
                player.settlers_on_mat -= 1
            else:
                self.happened["deploy from an Island"] += 1
                self.settlers[t.word("ISLAND", action)][seat] -= 1
            self.settlers[island][seat] += 1
            deployed += 1
        return deployed

    def _attack(self, seat: int, island: str) -> None:
        """T-ATTACK-1."""
        here = self.settlers[island]
        others = [clan for clan in self.clans if clan != seat]
        if all(here[seat] > here[clan] for clan in others):
            for clan in others:
                if here[clan]:
                    self.happened["attack on E" if clan == ENEMY else "attack"] += 1
                    self._remove_settler(clan, island)

    def _remove_settler(self, clan: int, island: str) -> None:
        self.settlers[island][clan] -= 1
        if clan != ENEMY:
            self.players[clan].settlers_on_mat += 1

    # EXPLORE and TEMPLE_EXPLORE: 7.5, 7.8

    def _walk(self, seat: int, n: int, point: str, pieces: dict[str, dict[int, int]]) -> Asking:
        for _ in range(n):
            links = [link for link in self.tables.links if pieces[link[0]][seat]]
            action = yield self._ask(seat, point, {0} | self.tables.ids("LINK", links))
            if action == 0:
                return
            source, target = self.tables.word("LINK", action)
            pieces[source][seat] -= 1
            pieces[target][seat] += 1

    def _do_explore(self, seat: int, n: int) -> Asking:
        before = {island: self.settlers[island][seat] for island in self.tables.islands}
        yield from self._walk(seat, n, "DP-12", self.settlers)
        for island in self.tables.islands:  # T-ATTACK-3
            if self.settlers[island][seat] > before[island]:
                self._attack(seat, island)

    def _do_temple_explore(self, seat: int, n: int) -> Asking:
        yield from self._walk(seat, n, "DP-16", self.temples)

    # HARVEST: 7.6

    def built(self, seat: int, unit: str) -> int:
        """How many Boats or Temples a seat has built."""
        return sum(self.tables.slots[slot]["unit"] == unit for slot in self.players[seat].built)

    def _do_harvest(self, seat: int, n: int) -> Asking:
        choices = n
        for slot in self.players[seat].built:
            row = self.tables.slots[slot]
            if row["harvest_bonus"] == "FOOD":
                self._gain(seat, {"FOOD": row["harvest_bonus_n"]})
            elif row["harvest_bonus"] == "ANY":
                choices += row["harvest_bonus_n"]
        for _ in range(choices):
            action = yield self._ask(seat, "DP-13", {0} | self.tables.ids("RESOURCE", RESOURCES))
            if action == 0:
                return
            self._gain(seat, {self.tables.word("RESOURCE", action): 1})

    # BUILD: 7.7

    def _do_build(self, seat: int, n: int) -> Asking:
        for _ in range(n):
            player, t = self.players[seat], self.tables
            temple_sites = [island for island in t.islands if self.settlers[island][seat]]
            slots = [
                slot
                for slot in t.mat_slots
                if slot not in player.built
                and t.slots[slot]["wood_cost"] <= player.resources["WOOD"]
                and (t.slots[slot]["unit"] == "BOAT" or temple_sites)
            ]
            action = yield self._ask(seat, "DP-14", {0} | t.ids("SLOT", slots))
            if action == 0:
                return
            slot = t.word("SLOT", action)
            player.resources["WOOD"] -= t.slots[slot]["wood_cost"]
            player.built.append(slot)
            if t.slots[slot]["unit"] == "BOAT":
                action = yield self._ask(seat, "DP-15", t.ids("LOCATION", self._boat_sites(seat)))
                player.boats[slot] = t.word("LOCATION", action)
            else:
                action = yield self._ask(seat, "DP-15", t.ids("ISLAND", temple_sites))
                self.temples[t.word("ISLAND", action)][seat] += 1

    def _boat_sites(self, seat: int) -> set[str]:
        """T-BUILD-2."""
        t = self.tables
        sites: set[str] = set()
        for island in t.islands:
            if self._boots(seat, island):
                sites |= t.fjords_of_island(island)
        for place in self.players[seat].boats.values():
            if place in t.docks:
                sites |= set(t.fjords_of_dock(place))
            elif place is not None:
                sites |= {place} | t.next_fjords[place]
        return sites

    # The other actions: 7.8

    def _do_smite(self, seat: int, n: int) -> Asking:
        for _ in range(n):
            targets = {
                (island, 3 if clan == ENEMY else (clan - seat) % self.n - 1): clan
                for island in self.tables.islands
                for clan in self.clans
                if clan != seat and self.settlers[island][clan]
            }
            action = yield self._ask(seat, "DP-17", {0} | self.tables.ids("SMITE", targets))
            if action == 0:
                return
            island, target = self.tables.word("SMITE", action)
            self.happened["smite E"] += target == 3
            self._remove_settler(targets[island, target], island)

    def _do_draw_replace(self, seat: int, n: int) -> Asking:
        hand = self.players[seat].hand
        for _ in range(n):
            self.happened["draw with an empty hand"] += not hand
            hand.append(self._draw(lambda: self.chance.drawn(seat, hand)))
            action = yield self._ask(seat, "DP-19", self.tables.ids("PICK", hand))
            card = self.tables.word("PICK", action)
            hand.remove(card)
            self.discard.append(card)

    def _do_enter_battle(self, seat: int, n: int) -> Asking:
        player = self.players[seat]
        if self.constants["enter_battle_card"] == "HAND":
            action = yield self._ask(seat, "DP-3", self.tables.ids("DOWN", player.hand))
            yield from self._battle_card(seat, self.tables.word("DOWN", action))
        else:
            player.row[-1].faceup = False  # T-ENTER-1, T-ENTER-3
            yield from self._enter(seat)

    def _pairs(self, seat: int) -> list[tuple[str, str]]:
        resources, most = self.players[seat].resources, self.constants["resource_max"]
        return [(x, y) for x, y in PAIRS if resources[x] and resources[y] < most]

    def _do_exchange(self, seat: int, n: int) -> Asking:
        resources = self.players[seat].resources
        action = yield self._ask(seat, "DP-18", self.tables.ids("PAIR", self._pairs(seat)))
        x, y = self.tables.word("PAIR", action)
        most = min(resources[x], self.constants["resource_max"] - resources[y])
        action = yield self._ask(seat, "DP-18", self.tables.ids("AMOUNT", range(1, most + 1)))
        amount = self.tables.word("AMOUNT", action)
        resources[x] -= amount
        resources[y] += amount

    def _do_fury_adjust(self, seat: int, n: int) -> Asking:
        """T-FADJ-1: one god, one direction, up to n."""
        choice = self.tables.words["FURY"]
        for _ in range(n):
            legal = [(rune, step) for rune, step in choice if self.fury[rune] + step >= self.constants["fury_min"]]
            action = yield self._ask(seat, "DP-22", {0} | self.tables.ids("FURY", legal))
            if action == 0:
                return
            rune, step = self.tables.word("FURY", action)
            self.fury[rune] += step
            choice = [(rune, step)]

    # --- section 8: control -----------------------------------------------------------------------

    def _boots(self, clan: int, island: str) -> bool:
        return self.settlers[island][clan] + self.temples[island][clan] > 0

    def influence(self, clan: int, island: str) -> int:
        """T-CTRL-1."""
        c = self.constants
        total = (
            self.settlers[island][clan] * c["influence_settler"] + self.temples[island][clan] * c["influence_temple"]
        )
        if clan != ENEMY:
            for place in self.players[clan].boats.values():
                if place in self.tables.docks and self.tables.docks[place]["island_id"] == island:
                    total += c["influence_boat_docked"]
        return total

    def _give_rune(self, island: str, seat: int) -> None:
        self.holder[island] = seat
        self.fury[self.tables.islands[island]["rune"]] += self.constants["fury_on_rune_taken"]

    def _take(self, island: str) -> None:
        """T-CTRL-2."""
        if self.holder[island] is not NOBODY:
            return
        for seat in range(self.n):
            own = self.influence(seat, island)
            if self._boots(seat, island) and all(
                own > self.influence(clan, island) for clan in self.clans if clan != seat
            ):
                self.happened["take"] += 1
                self._give_rune(island, seat)
                return

    def _full_check(self, acting: int) -> None:
        """T-CTRL-3 (b)."""
        for island in self.tables.islands:
            holder = self.holder[island]
            if holder is not NOBODY:
                self._steal_or_lose(island, holder, acting)
            self._take(island)

    def _steal_or_lose(self, island: str, holder: int, acting: int) -> None:
        """T-CTRL-4, T-CTRL-5, T-2P-5."""
        own = self.influence(holder, island)
        clockwise = [(acting + k) % self.n for k in range(self.n)] + ([ENEMY] if self.enemy else [])
        rivals = [
            clan
            for clan in clockwise
            if clan != holder and self._boots(clan, island) and self.influence(clan, island) > own
        ]
        if rivals:
            best = max(self.influence(clan, island) for clan in rivals)
            winner = next(clan for clan in rivals if self.influence(clan, island) == best)
            if winner == ENEMY:
                self.happened["rune goes back because of E"] += 1
                self.holder[island] = NOBODY
            else:
                self.happened["steal"] += 1
                self._give_rune(island, winner)
        elif own == 0 if self.constants["control_lost_when"] == "NO_INFLUENCE" else not self._boots(holder, island):
            self.happened["loss"] += 1
            self.holder[island] = NOBODY

    # --- section 9 and 10: battles ------------------------------------------------------------------

    def _put_back(self, battle: Battle) -> None:
        row, end = battle.end
        self.rows[row].insert(0 if end == "LEFT" else len(self.rows[row]), battle.favor)

    def _win(self, seat: int, favor: str) -> Asking:
        """T-FAVOR-2, T-FAVOR-3."""
        player, t = self.players[seat], self.tables
        self._gain(seat, {resource: t.favors[favor][f"bag_{resource.lower()}"] for resource in RESOURCES})
        player.favors.append(favor)
        if len(player.favors) > self.constants["favor_limit"]:
            action = yield self._ask(seat, "DP-23", t.ids("FAVOR", player.favors))
            favor = t.word("FAVOR", action)
            ends = [(row, end) for row, end in ENDS if self.rows[row] or end == "LEFT"]
            action = yield self._ask(seat, "DP-23", t.ids("END", ends))
            row, end = t.word("END", action)
            player.favors.remove(favor)
            self.rows[row].insert(0 if end == "LEFT" else len(self.rows[row]), favor)

    def strength(self, seat: int, card: str) -> int:
        """T-BATTLE-7."""
        row = self.tables.cards[card]
        source, runes = row["str_boost_source"], self.active_runes(seat)
        if source == "RUNE_ANY":
            count = runes.total()
        elif source.startswith("RUNE_"):
            count = runes[source.removeprefix("RUNE_")]
        else:
            count = self.players[seat].resources.get(source, 0)
        return row["str_base"] + row["str_boost_per"] * count

    def _resolve(self) -> Asking:
        battle, self.battle = self.battle, None
        in_order = [(battle.starter + k) % self.n for k in range(self.n)]
        cards: dict[int, str] = {}
        for seat in in_order:  # T-BATTLE-5
            for laid in self.players[seat].row:
                if not laid.faceup:
                    assert seat not in cards
                    cards[seat], laid.faceup, laid.public = laid.card, True, True
        competitors = []
        for seat, card in cards.items():  # T-BATTLE-6
            cost, resources = self.tables.cards[card]["steel_cost"], self.players[seat].resources
            if resources["STEEL"] >= cost:
                resources["STEEL"] -= cost
                competitors.append(seat)
            else:
                self.happened["steel unpaid"] += 1
        strength = {seat: self.strength(seat, cards[seat]) for seat in competitors}
        winner: int | None = None
        invader: str | None = None  # the Invader whose god's fury rises at the end
        if len(competitors) > 1:
            best = max(strength.values())
            first = [seat for seat in competitors if strength[seat] == best]
            winner = first[0] if len(first) == 1 else None
            self.happened["battle tied" if winner is None else "battle won"] += 1
        elif competitors:
            seat = competitors[0]
            alone = len(cards) == 1
            if not alone and self.constants["lone_after_unpaid_steel"] == "WIN_UNOPPOSED":
                self.happened["won unopposed"] += 1
                winner = seat
            else:
                self.happened["last competitor"] += not alone
                card, against = self._reveal_invader()
                if strength[seat] > against:
                    winner = seat
                if strength[seat] >= against:
                    invader = card
                result = "tied" if strength[seat] == against else "won" if winner == seat else "lost"
                self.happened[f"Invader {result}"] += 1
        else:
            self.happened["no competitor"] += 1
        # T-BATTLE-12
        if winner is None:
            self._put_back(battle)
        else:
            yield from self._win(winner, battle.favor)
        for seat in competitors:  # T-BATTLE-11
            if seat != winner:
                rune = self.tables.cards[cards[seat]]["rune"]
                yield from self._boon(seat, self.tables.gods[self.god[rune]])
                self.fury[rune] += self.constants["fury_on_battle_loss"]
        if invader is not None:
            self.fury[self.tables.cards[invader]["rune"]] += self.constants["fury_on_invader_loss"]

    def _reveal_invader(self) -> tuple[str, int]:
        """T-INV-1 to T-INV-3: the card and its Strength."""
        card = self._draw(self.chance.invader)
        earlier = len(self.invaders)
        self.invaders.append(card)
        row = self.tables.cards[card]
        source = row["str_boost_source"]
        count = 0 if source == "NONE" else earlier if source.startswith("RUNE_") else earlier + 1
        return card, row["str_base"] + row["str_boost_per"] * count

    def _boon(self, seat: int, god: Mapping) -> Asking:
        action = god["boon_action"]
        if action == "NONE":
            return
        if (yield from self._yes(seat, "DP-21", self._possible(seat, action))):
            self.happened[f"boon {action}"] += 1
            bag = {resource: god[f"boon_{resource.lower()}"] for resource in RESOURCES}
            yield from self._action(seat, action, god["boon_n"], bag)

    # --- section 11: dedication ---------------------------------------------------------------------

    def _dedicate(self, seat: int) -> Asking:
        t = self.tables
        free = [space for space, number in self.spaces.items() if number < t.side["dedication_cap"]]
        self.happened["Dedication space full"] += len(free) < len(self.spaces)
        action = yield self._ask(seat, "DP-20", {0} | t.ids("SPACE", free))
        if action == 0:
            return
        space = t.word("SPACE", action)
        self.happened[f"dedicated {space}"] += 1
        self.players[seat].villages -= 1
        self.spaces[space] += 1
        row = t.spaces[space]
        if row["action"] == "FURY_PLUS":  # T-DED-2, T-DED-6
            gods = sorted(key for key, other in t.spaces.items() if other["location"] == "GOD_MAT")
            self.fury[RUNES[gods.index(space)]] += row["action_n"]
        else:
            yield from self._action(seat, row["action"], row["action_n"])

    # --- section 12: cleanup ------------------------------------------------------------------------

    def _cleanup(self, order: list[int]) -> None:
        for player in self.players:
            self.discard += [laid.card for laid in player.row]
            player.row = []
        self.era += 1
        runes = [self.island_runes(seat) for seat in range(self.n)]
        if self.constants["chieftain_rule"] == "MOST_ISLAND_RUNES":  # T-CLEAN-4
            self.chieftain = [seat for seat in order if runes[seat] == max(runes)][-1]
        else:  # T-CLEAN-3
            self.happened["fewest Island Runes tied"] += runes.count(min(runes)) > 1
            last = [seat for seat in order if runes[seat] == min(runes)][-1]
            self.chieftain = (last + 1) % self.n

    # --- section 13: scoring ------------------------------------------------------------------------

    def island_runes(self, seat: int) -> int:
        return sum(holder == seat for holder in self.holder.values())

    def score(self, seat: int) -> int:
        """T-SCORE-1, T-SCORE-2."""
        c, score = self.constants, 0
        rank = {rune: sum(other >= fury for other in self.fury.values()) for rune, fury in self.fury.items()}
        for island, holder in self.holder.items():
            if holder == seat:
                score += c[f"vp_island_rank{rank[self.tables.islands[island]['rune']]}"]
        for favor in self.players[seat].favors:
            for rune in RUNES:
                score += self.tables.favors[favor][f"runes_{rune.lower()}"] * c[f"vp_favor_rank{rank[rune]}"]
        return score

    def scores(self) -> list[int]:
        """Points of every seat if the game were over."""
        return [self.score(seat) for seat in range(self.n)]

    def ranks(self) -> list[int]:
        """T-SCORE-3."""
        results = []
        for seat, player in enumerate(self.players):
            ties = (self.island_runes(seat), len(player.favors), self.built(seat, "TEMPLE"), self.built(seat, "BOAT"))
            results.append((self.score(seat), *ties, sum(player.resources.values())))
        return [1 + sum(other > own for other in results) for own in results]
