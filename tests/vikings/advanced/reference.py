"""A slow second implementation of Vikings' advanced game, written from sections 10 and 11 of the rules document alone.

It adds to the basic game's :class:`~tests.vikings.reference.Reference` and shares no code and no table with the engine.
Special tiles are words: ``"coin"``, ``"goldsmith +1"``, ``"building A"``. A building tile on an island is a middle of
its building in ``tiles``; that it is a building tile stands in ``buildings``.

Further actions are ``("BID", amount)``, ``("PASS",)``, ``("COLOUR", colour)``, ``("SPECIAL", tile)``, ``("DECLINE",)``,
``("USE_BOAT",)``, and ``("CELL", row, column)`` also chooses the middle that a building tile replaces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.vikings.reference import (
    BOATSMAN,
    FISHERMEN,
    GOLDSMITHS,
    LARGE_SCORINGS,
    NOBLES,
    SCOUTS,
    SHIP_VALUE,
    SHIPS,
    STEPS,
    Action,
    Cell,
    Player,
    Reference,
    Set,
)

# V-COMP-6, section 11
COPIES = {
    "coin": 1,
    "goldsmith +1": 2,
    "goldsmith +2": 1,
    "boat": 6,
    "noble +1": 3,
    "scout +1": 1,
    "fisherman +1": 1,
    "horn": 4,
    "fish": 1,
    "rate": 1,
    "building A": 1,
    "building B": 1,
    "building C": 1,
    "building D": 1,
}
BUILDING_TILES = {f"building {letter}": f"middle {letter}" for letter in "ABCD"}
ADVANCED_STEPS = (*STEPS, "buildings")


@dataclass
class Values:
    """What the special tiles are worth; the printed ones by default."""

    coin: int = 5
    goldsmith: dict[str, int] = field(default_factory=lambda: {"goldsmith +1": 1, "goldsmith +2": 2})
    noble: int = 1
    scout: int = 1
    fisherman: int = 1
    horn: int = 1
    surplus_food: int = 2
    surplus_food_with_fish: int = 3
    gold_per_fame: int = 5
    gold_per_fame_with_rate: int = 3
    building: int = 1
    building_most: int = 9


@dataclass
class Switches:
    """Section 0: the three independent switches of the advanced game."""

    auction: bool = False
    limited_boatsmen: bool = False
    special_tiles: bool = False


class AdvancedReference(Reference):
    """One game.

    Args:
        players, stacks, bag, start_player, opening_mode: as the basic game has them; with the auction thirteen of the
            bag are drawn a round.
        switches: which parts of the advanced game are played.
        specials: all special tiles in the order in which they are drawn.
        values: what they are worth.
    """

    def __init__(
        self,
        players: int,
        stacks: Sequence[Sequence[str]],
        bag: Sequence[str],
        start_player: int,
        opening_mode: str = "adjacent",
        *,
        switches: Switches,
        specials: Sequence[str] = (),
        values: Values | None = None,
    ) -> None:
        self.switches = switches
        self.values = values or Values()
        self.special_stack = list(specials)
        self.face_up: Counter[str] = Counter()
        self.held: list[Counter[str]] = [Counter() for _ in range(players)]
        self.buildings: list[dict[Cell, str]] = [{} for _ in range(players)]
        self.removed_specials: Counter[str] = Counter()
        self.special_due = False
        self.building_taken: str | None = None
        self.boat_spent = False
        self.drawn: Counter[str] = Counter()
        self.standing_bid = 0
        self.standing_bidder = start_player
        self.bidders: list[int] = []
        self.opening_word = False
        self.laid: dict[int, str] = {}
        self.revealed: dict[int, str] = {}
        super().__init__(players, stacks, bag, start_player, opening_mode)

    # --- the start of a round ---------------------------------------------------------------------

    def _prepare_round(self) -> None:
        if self.switches.special_tiles:  # V-SPEC-2
            while sum(self.face_up.values()) < 4 and self.special_stack:
                self.face_up[self.special_stack.pop(0)] += 1
        if not self.switches.auction:
            super()._prepare_round()  # V-AUC-13
            return
        self.round_number += 1
        self.drawn = Counter(self.bag[:13])  # V-AUC-1
        self.bag = self.bag[13:]
        self.wheel, self.zero, self.laid = {}, None, {}
        self.standing_bid, self.standing_bidder = 0, self.start_player  # V-AUC-4
        # V-AUC-2: those who still bid, in the order in which they speak.
        self.bidders = [(self.start_player + k) % len(self.players) for k in range(len(self.players))]
        self.opening_word = True
        self.asked, self.seat = "AUCTION", self.start_player

    def limit(self, seat: int) -> int:
        """V-AUC-3."""
        return self.players[seat].gold + self.players[seat].fame

    def _bids(self) -> range:
        lowest = self.standing_bid + (0 if self.opening_word else 1)  # V-AUC-4, V-AUC-5
        return range(lowest, self.limit(self.seat) + 1)

    def _after_word(self, speaker: int) -> None:
        """The next bidder clockwise of ``speaker``, or the end of the auction (V-AUC-6)."""
        self.opening_word = False
        others = [seat for seat in self.bidders if seat != self.standing_bidder]
        if others:
            count = len(self.players)
            self.seat = min(others, key=lambda seat: (seat - speaker - 1) % count)
            return
        winner = self.players[self.standing_bidder]
        from_gold = min(self.standing_bid, winner.gold)  # V-AUC-7
        winner.gold -= from_gold
        winner.fame -= self.standing_bid - from_gold
        if self.standing_bid > from_gold:
            self.happened["bid paid with fame"] += 1
        if self.standing_bidder != self.start_player:
            self.happened["marker moved by the auction"] += 1
        self.start_player = self.standing_bidder
        self.asked, self.seat = "REMOVE_VIKING", self.start_player  # V-AUC-8

    def _reveal_tiles(self) -> None:
        """V-AUC-9 by V-OFFER-2, V-OFFER-3."""
        tiles = self.stacks[self.round_number - 1]
        islands = [tile for tile in tiles if tile not in SHIPS]
        ships = [tile for tile in tiles if tile in SHIPS]
        self.revealed = dict(enumerate(islands + ships[::-1]))
        self.asked = "LAY_COLOUR"

    def _lay(self, colour: str) -> None:
        """V-AUC-10."""
        for _ in range(self.drawn.pop(colour)):
            self.laid[11 - len(self.laid)] = colour
        if self.drawn:
            self.seat = (self.seat + 1) % len(self.players)
            return
        self.wheel = {space: Set(self.revealed[space], self.laid[space]) for space in range(12)}
        self.zero = 0
        self.revealed, self.laid = {}, {}
        self.asked, self.seat = "BUY", self.start_player  # V-AUC-12

    # --- what may be done -------------------------------------------------------------------------

    def legal_actions(self) -> set[Action]:
        """Every action that the deciding seat may take now; empty at the end of the game."""
        if self.asked == "AUCTION":
            return {("PASS",)} | {("BID", amount) for amount in self._bids()}
        if self.asked in ("REMOVE_VIKING", "LAY_COLOUR"):
            return {("COLOUR", colour) for colour in +self.drawn}
        if self.asked == "TAKE_SPECIAL":
            return {("DECLINE",)} | {("SPECIAL", tile) for tile in +self.face_up}
        if self.asked == "REPLACE":
            return {("CELL", *cell) for cell in self.replaceable(self.seat, self.building_taken)}
        return super().legal_actions()

    def replaceable(self, seat: int, building: str) -> list[Cell]:
        """Middles with the building of that tile; a building tile is not replaced by another (V-SPEC-19b)."""
        return [
            cell
            for cell, tile in self.players[seat].tiles.items()
            if tile == BUILDING_TILES[building] and cell not in self.buildings[seat]
        ]

    def _trip_actions(self, player: Player) -> set[Action]:
        openings = {("CELL", *cell) for cell in self._trip_moves(player)}
        if self.boat_spent and self.trip is None:
            return openings  # the move of this trip must follow
        actions = super()._trip_actions(player)
        # V-SPEC-12, V-ADV-2
        may_sail = self.trip is None and player.pool[BOATSMAN] > 0 and openings
        if self.switches.limited_boatsmen and may_sail and self.held[self.seat]["boat"]:
            actions.add(("USE_BOAT",))
        return actions

    # --- doing it ---------------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        """Carry out one legal action, and what follows from it by itself."""
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal")
        word, *where = action
        seat = self.seat
        if word == "BID":
            (self.standing_bid,), self.standing_bidder = where, seat
            if not self.opening_word:
                self.happened["raise"] += 1
            self._after_word(seat)
        elif word == "PASS":
            self.bidders.remove(seat)
            self._after_word(seat)
        elif self.asked == "REMOVE_VIKING":
            self.drawn[where[0]] -= 1
            self.drawn = +self.drawn
            self.removed_vikings[where[0]] += 1
            self._reveal_tiles()
        elif self.asked == "LAY_COLOUR":
            self._lay(where[0])
        elif word == "SPECIAL":
            self._take(where[0])
        elif word == "DECLINE":
            self.special_due = False
            self._end_turn()
        elif self.asked == "REPLACE":
            self._replace(tuple(where))
        elif word == "USE_BOAT":
            self.held[seat]["boat"] -= 1
            self.removed_specials["boat"] += 1
            self.boat_spent = True
        else:
            if self.asked == "CELL" and self.building_taken:  # V-SPEC-19c
                self.happened["building tile instead of the bought tile"] += 1
                self.removed_tiles[self.bought.tile] += 1
                self.held[seat][self.building_taken] -= 1
                self.buildings[seat][tuple(where)] = self.building_taken
                self.building_taken = None
            super().apply(action)
            if word == "END_TRIP":
                self.boat_spent = False

    def _buy(self, player: Player, space: int) -> None:
        # V-SPEC-3, V-SPEC-4, V-SPEC-6: judged now, taken after everything is placed.
        dearest = space == max(self.wheel)
        self.special_due = self.switches.special_tiles and dearest and self.price(space) > 0
        if self.special_due and not +self.face_up:
            self.happened["no special tile left to take"] += 1
        super()._buy(player, space)

    def _place_bought_tile(self, player: Player) -> None:
        tile = self.bought.tile
        building = next((special for special, middle in BUILDING_TILES.items() if middle == tile), None)
        if building and self.held[self.seat][building] and self.legal_cells(player, tile):
            self.building_taken = building  # V-SPEC-19c
        super()._place_bought_tile(player)

    def _end_turn(self) -> None:
        if self.special_due and +self.face_up:
            self.bought, self.placed = None, None
            self.asked = "TAKE_SPECIAL"
            return
        self.special_due = False
        if not self.wheel and self.round_number not in LARGE_SCORINGS:
            for seat, player in enumerate(self.players):  # V-SPEC-11
                player.gold += self._goldsmith_bonus(seat)
        super()._end_turn()

    def _take(self, tile: str) -> None:
        seat = self.seat
        self.special_due = False
        self.face_up[tile] -= 1
        if tile == "coin":  # V-SPEC-10
            self.players[seat].gold += self.values.coin
            self.removed_specials["coin"] += 1
        else:
            self.held[seat][tile] += 1
            if tile in BUILDING_TILES and self.replaceable(seat, tile):  # V-SPEC-19b
                self.building_taken = tile
                self.asked = "REPLACE"
                return
        self._end_turn()

    def _replace(self, cell: Cell) -> None:
        self.happened["middle replaced"] += 1
        if cell in self.players[self.seat].vikings:
            self.happened["middle replaced under a viking"] += 1
        self.removed_tiles[self.players[self.seat].tiles[cell]] += 1
        self.held[self.seat][self.building_taken] -= 1
        self.buildings[self.seat][cell] = self.building_taken
        self.building_taken = None
        self._end_turn()

    def _move(self, player: Player, cell: Cell) -> None:
        super()._move(player, cell)
        if self.boat_spent:
            self.happened["move of a boat's trip"] += 1
        elif self.switches.limited_boatsmen:  # V-ADV-2
            self.trip = None

    # --- scoring ----------------------------------------------------------------------------------

    def _goldsmith_bonus(self, seat: int) -> int:
        each = sum(self.held[seat][tile] * gold for tile, gold in self.values.goldsmith.items())
        return each * self._safe_vikings(self.players[seat], GOLDSMITHS)

    def _large_scoring(self, player: Player) -> None:
        held = self.held[self.seat]
        player.gold += self._goldsmith_bonus(self.seat)  # V-SPEC-11
        for tile, row, fame in (  # V-SPEC-13 to V-SPEC-15
            ("noble +1", NOBLES, self.values.noble),
            ("scout +1", SCOUTS, self.values.scout),
            ("fisherman +1", FISHERMEN, self.values.fisherman),
        ):
            gain = held[tile] * fame * self._safe_vikings(player, row)
            self.happened[tile] += gain > 0
            player.fame += gain
        super()._large_scoring(player)

    def building_score(self, seat: int, cell: Cell) -> int:
        """V-SPEC-19e for the building tile on ``cell``."""
        player = self.players[seat]
        if self.threatened(player, cell):
            return 0
        row, column = cell
        around = [(r, c) for r in (row - 1, row, row + 1) for c in (column - 1, column, column + 1)]
        vikings = sum(place in player.vikings for place in around)
        return min(vikings * self.values.building, self.values.building_most)

    def _final_scoring(self) -> None:
        values = self.values
        self.final_steps = [dict.fromkeys(ADVANCED_STEPS, 0) for _ in self.players]
        for seat, (player, steps) in enumerate(zip(self.players, self.final_steps, strict=True)):
            due = Counter()  # V-FINAL-2
            for column, ship in player.ships.items():
                if not self.repelled(player, column):
                    kind, value = SHIP_VALUE[ship]
                    due[kind] += value
            paid = min(due["gold"], player.gold)
            player.gold -= paid
            steps["ships"] = -due["fame"] - (due["gold"] - paid)
            rate = values.gold_per_fame_with_rate if self.held[seat]["rate"] else values.gold_per_fame
            steps["gold"], player.gold = divmod(player.gold, rate)  # V-FINAL-3, V-SPEC-18
            self.happened["rate"] += self.held[seat]["rate"]

        horns = [values.horn * held["horn"] for held in self.held]  # V-SPEC-16
        boatsmen = [player.pool[BOATSMAN] + extra for player, extra in zip(self.players, horns, strict=True)]
        islands = [self.completed_islands(player) for player in self.players]
        counts = {
            "boatsmen": (boatsmen, 10),
            "islands": ([len(lengths) for lengths in islands], 7),
            "longest island": ([max(lengths, default=0) for lengths in islands], 5),
        }
        for step, (numbers, fame) in counts.items():  # V-FINAL-4 to V-FINAL-7
            for steps, number in zip(self.final_steps, numbers, strict=True):
                if 0 < number == max(numbers):
                    steps[step] = fame

        for seat, (player, steps) in enumerate(zip(self.players, self.final_steps, strict=True)):
            mouths = len(player.vikings) + sum(player.pool.values())  # V-FINAL-8; no printed figure, V-SPEC-8
            spare = 5 * self._safe_vikings(player, FISHERMEN) - mouths
            each = values.surplus_food_with_fish if self.held[seat]["fish"] else values.surplus_food  # V-SPEC-17
            steps["feeding"] = each * spare if spare > 0 else spare
            self.happened["fish with spare food"] += bool(self.held[seat]["fish"] and spare > 0)
            for cell in self.buildings[seat]:  # V-SPEC-19e, V-SPEC-19f
                score = self.building_score(seat, cell)
                self.happened["building scores" if score else "building scores nothing"] += 1
                steps["buildings"] += score
            player.fame += sum(steps.values())
