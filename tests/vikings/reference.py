"""A slow second implementation of Vikings' basic game, written from the rules document alone.

It shares no code and no table with the engine: every number below is one that ``docs/rules/vikings.md`` states. Rows
are 1..6 and columns 1.., as in the document; tiles and colours are words. Chance comes from outside, so that it can
be driven in lockstep with another implementation.

An action is a tuple: ``("BUY", space)``, ``("START_ROW", row)``, ``("CELL", row, column)``, ``("SHIP_COLUMN",
column)``, ``("VIKING_ON",)``, ``("VIKING_POOL",)``, ``("END_TRIP",)`` or ``("DONE",)``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

Action = tuple
Cell = tuple[int, int]

# V-COMP-2, V-COMP-3
LEFT, RIGHT = "left end", "right end"
MIDDLES = ("middle A", "middle B", "middle C", "middle D")
SHIPS = ("red ship", "green ship", "yellow ship", "blue ship")

# V-OFFER-4: the order in which colours are laid out
COLOURS = ("blue", "yellow", "green", "red", "black", "gray")
BOATSMAN = "gray"

# V-GEO-3, V-GEO-4
ROW_OF_COLOUR = {"black": 2, "red": 3, "green": 4, "yellow": 5, "blue": 6}
COLOUR_OF_ROW = {row: colour for colour, row in ROW_OF_COLOUR.items()}
ISLAND_ROWS = (2, 3, 4, 5, 6)
WARRIORS, NOBLES, SCOUTS, GOLDSMITHS, FISHERMEN = ISLAND_ROWS

# V-GEO-6
EDGES = {LEFT: ("sea", "land"), RIGHT: ("land", "sea"), **{middle: ("land", "land") for middle in MIDDLES}}

# V-COMP-7: kind and size of the printed value; V-THREAT-2: last row in reach
SHIP_VALUE = {
    "red ship": ("gold", 3),
    "green ship": ("gold", 5),
    "yellow ship": ("fame", 2),
    "blue ship": ("fame", 3),
}
SHIP_REACH = {"red ship": 3, "green ship": 4, "yellow ship": 5, "blue ship": 6}

# V-SETUP-3, V-SETUP-4
START_FAME = 10
START_GOLD = {2: 30, 3: 25, 4: 20}

# V-ROUND-1, V-ROUND-2
ROUNDS = 6
LARGE_SCORINGS = (2, 4, 6)

STEPS = ("ships", "gold", "boatsmen", "islands", "longest island", "feeding")


class Set(NamedTuple):
    """What lies on one space of the wheel."""

    tile: str
    viking: str


class Player:
    """What one player owns."""

    def __init__(self, gold: int) -> None:
        self.gold = gold
        self.fame = START_FAME
        self.tiles: dict[Cell, str] = {}
        self.vikings: set[Cell] = set()
        self.ships: dict[int, str] = {}
        self.pool: Counter[str] = Counter()
        self.start_tile_kept = True
        self.purchases = 0


class Trip:
    """An open trip: the cells it has filled so far, in order."""

    def __init__(self) -> None:
        self.cells: list[Cell] = []

    def allows(self, cell: Cell) -> bool:
        """Whether the load may grow by ``cell``: all of one colour, or one each of several (V-FERRY-3)."""
        row, column = cell
        rows = [r for r, _ in self.cells]
        if not rows:
            return True
        if len(rows) == 1:
            # Within one colour columns ascend, so that a load is reached in one order only.
            return row != rows[0] or column > self.cells[-1][1]
        if rows[0] == rows[1]:
            return row == rows[0] and column > self.cells[-1][1]
        return row not in rows


class Reference:
    """One game.

    Args:
        players: 2, 3 or 4.
        stacks: six lists of twelve tiles in the order in which they are revealed.
        bag: colours in the order in which they are drawn, twelve a round.
        start_player: seat that starts round 1.
        opening_mode: ``"adjacent"`` or ``"any_of_first_three"``.
    """

    def __init__(
        self,
        players: int,
        stacks: Sequence[Sequence[str]],
        bag: Sequence[str],
        start_player: int,
        opening_mode: str = "adjacent",
    ) -> None:
        self.stacks = [list(stack) for stack in stacks]
        self.bag = list(bag)
        self.start_player = start_player
        self.opening_mode = opening_mode
        self.players = [Player(START_GOLD[players]) for _ in range(players)]
        self.round_number = 0
        self.wheel: dict[int, Set] = {}
        self.zero: int | None = None
        self.asked = "BUY"
        self.seat: int | None = None
        self.bought: Set | None = None
        self.placed: Cell | None = None
        self.trip: Trip | None = None
        self.scored_seats = 0
        # V-SETUP-2: start tiles of absent players leave the game
        self.removed_tiles: Counter[str] = Counter({LEFT: 4 - players})
        self.removed_vikings: Counter[str] = Counter()
        self.final_steps: list[dict[str, int]] = []
        self.happened: Counter[str] = Counter()
        self._prepare_round()

    # --- rounds and the offer ---------------------------------------------------------------------

    def _prepare_round(self) -> None:
        self.round_number += 1
        revealed = self.stacks[self.round_number - 1]
        drawn, self.bag = self.bag[:12], self.bag[12:]
        tiles: dict[int, str] = {}
        lowest, highest = 0, 11
        for tile in revealed:  # V-OFFER-2, V-OFFER-3
            if tile in SHIPS:
                tiles[highest] = tile
                highest -= 1
            else:
                tiles[lowest] = tile
                lowest += 1
        vikings = [colour for colour in COLOURS for drawn_colour in drawn if drawn_colour == colour]  # V-OFFER-4
        self.wheel = {space: Set(tiles[space], vikings[space]) for space in range(12)}
        self.zero = 0
        self.asked, self.seat = "BUY", self.start_player

    def _end_turn(self) -> None:
        self.bought, self.placed = None, None
        if self.wheel:
            self.asked, self.seat = "BUY", (self.seat + 1) % len(self.players)
        elif self.round_number in LARGE_SCORINGS:
            self.scored_seats = 0
            self.asked, self.seat = "TRIP", self.start_player
        else:
            for player in self.players:
                player.gold += 3 * self._safe_vikings(player, GOLDSMITHS)  # V-SMALL-2
            self._end_round()

    def _end_round(self) -> None:
        if self.round_number == ROUNDS:
            self._final_scoring()
            self.asked, self.seat = "OVER", None
        else:
            self.start_player = (self.start_player + 1) % len(self.players)  # V-PASS-1
            self._prepare_round()

    # --- what may be done -------------------------------------------------------------------------

    def price(self, space: int) -> int:
        """V-BUY-3."""
        return space - self.zero

    def legal_actions(self) -> set[Action]:
        """Every action that the deciding seat may take now; empty at the end of the game."""
        if self.seat is None:
            return set()
        player = self.players[self.seat]
        if self.asked == "BUY":
            return {("BUY", space) for space in self.wheel if self._may_buy(player, space)}
        if self.asked == "START_ROW":
            return {("START_ROW", row) for row in ISLAND_ROWS}  # V-TILE-9
        if self.asked == "CELL":
            return {("CELL", *cell) for cell in self.legal_cells(player, self.bought.tile)}
        if self.asked == "SHIP_COLUMN":
            return {("SHIP_COLUMN", column) for column in self._ship_columns(player)}
        if self.asked == "VIKING":
            return {("VIKING_ON",), ("VIKING_POOL",)}
        return self._trip_actions(player)

    def _may_buy(self, player: Player, space: int) -> bool:
        others = [other for other in self.wheel if other != space]
        if space != self.zero:
            return player.gold + player.fame >= self.price(space)  # V-BUY-4
        last_of_colour = all(self.wheel[other].viking != self.wheel[space].viking for other in others)
        if last_of_colour:  # V-BUY-5 (A)
            return True
        return player.gold < min(self.price(other) for other in others)  # V-BUY-5 (B)

    def legal_cells(self, player: Player, tile: str) -> list[Cell]:
        """V-TILE-4, cell by cell; columns as far as contact can reach."""
        last = 1 + max((column for _, column in player.tiles), default=0)
        left, right = EDGES[tile]
        cells = []
        for row in ISLAND_ROWS:
            for column in range(1, last + 1):
                if (row, column) in player.tiles:
                    continue
                above, below = (row - 1, column), (row + 1, column)
                west, east = (row, column - 1), (row, column + 1)
                contact = column == 1 or any(cell in player.tiles for cell in (above, below, west, east))
                if not contact:
                    continue
                if column == 1 and left != "sea":
                    continue
                if west in player.tiles and EDGES[player.tiles[west]][1] != left:
                    continue
                if east in player.tiles and EDGES[player.tiles[east]][0] != right:
                    continue
                cells.append((row, column))
        return cells

    def _ship_columns(self, player: Player) -> list[int]:
        """V-SHIP-2; only asked for the first three ships."""
        free = [column for column in (1, 2, 3) if column not in player.ships]
        if not player.ships or self.opening_mode == "any_of_first_three":
            return free
        return [column for column in free if column - 1 in player.ships or column + 1 in player.ships]

    def _trip_moves(self, player: Player) -> list[Cell]:
        """Empty island tiles for which a viking of the row's colour waits."""
        return [
            (row, column)
            for row, column in player.tiles
            if (row, column) not in player.vikings and player.pool[COLOUR_OF_ROW[row]] > 0
        ]

    def _trip_actions(self, player: Player) -> set[Action]:
        moves = self._trip_moves(player)
        if self.trip is not None:
            return {("END_TRIP",)} | {("CELL", *cell) for cell in moves if self.trip.allows(cell)}
        openings = {("CELL", *cell) for cell in moves} if player.pool[BOATSMAN] else set()
        if self.round_number == ROUNDS and openings:  # V-FERRY-7
            return openings
        return openings | {("DONE",)}

    # --- doing it ---------------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        """Carry out one legal action, and what follows from it by itself."""
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal")
        player = self.players[self.seat]
        word, *where = action
        if word == "BUY":
            self._buy(player, *where)
        elif word == "START_ROW":
            player.tiles[where[0], 1] = LEFT
            player.start_tile_kept = False
            self._place_bought_tile(player)
        elif word == "SHIP_COLUMN":
            player.ships[where[0]] = self.bought.tile
            self._viking_to_pool(player)
        elif word == "CELL" and self.asked == "CELL":
            cell = tuple(where)
            player.tiles[cell] = self.bought.tile
            if ROW_OF_COLOUR.get(self.bought.viking) == cell[0]:  # V-VIK-1
                self.placed = cell
                self.asked = "VIKING"
            else:
                self._viking_to_pool(player)
        elif word == "VIKING_ON":
            player.vikings.add(self.placed)
            self._end_turn()
        elif word == "VIKING_POOL":
            self._viking_to_pool(player)
        elif word == "CELL":
            self._move(player, tuple(where))
        elif word == "END_TRIP":
            self.trip = None
        elif word == "DONE":
            self._large_scoring(player)

    def _buy(self, player: Player, space: int) -> None:
        price = self.price(space)
        from_gold = min(price, player.gold)  # V-BUY-8
        player.gold -= from_gold
        player.fame -= price - from_gold
        if price > from_gold:
            self.happened["paid with fame"] += 1
        player.purchases += 1
        self.bought = self.wheel.pop(space)
        if space == self.zero:  # V-WHEEL-1
            same = any(other.viking == self.bought.viking for other in self.wheel.values())
            self.happened["zero set, gold too low" if same else "zero set, last of its colour"] += 1
            self.zero = min(self.wheel) if self.wheel else None
        if player.start_tile_kept:  # V-TILE-9, V-TILE-10
            self.asked = "START_ROW"
        else:
            self._place_bought_tile(player)

    def _place_bought_tile(self, player: Player) -> None:
        tile = self.bought.tile
        if tile in SHIPS:
            if len(player.ships) < 3:
                self.asked = "SHIP_COLUMN"
            else:
                player.ships[max(player.ships) + 1] = tile  # V-SHIP-3
                self.happened["fourth or later ship"] += 1
                self._viking_to_pool(player)
        elif self.legal_cells(player, tile):
            self.asked = "CELL"
        else:  # V-TILE-7
            self.removed_tiles[tile] += 1
            self.happened["tile discarded"] += 1
            self._viking_to_pool(player)

    def _viking_to_pool(self, player: Player) -> None:
        player.pool[self.bought.viking] += 1
        self._end_turn()

    def _move(self, player: Player, cell: Cell) -> None:
        if self.trip is None:
            self.trip = Trip()
            player.pool[BOATSMAN] -= 1
            self.removed_vikings[BOATSMAN] += 1
        self.trip.cells.append(cell)
        player.pool[COLOUR_OF_ROW[cell[0]]] -= 1
        player.vikings.add(cell)
        rows = [row for row, _ in self.trip.cells]
        if len(rows) > 1:
            self.happened["trip of one colour" if rows[0] == rows[1] else "trip of several colours"] += 1

    # --- scoring ----------------------------------------------------------------------------------

    def repelled(self, player: Player, column: int) -> bool:
        """V-THREAT-1."""
        return (WARRIORS, column) in player.vikings

    def threatened(self, player: Player, cell: Cell) -> bool:
        """V-THREAT-2."""
        row, column = cell
        ship = player.ships.get(column)
        return ship is not None and not self.repelled(player, column) and row <= SHIP_REACH[ship]

    def _safe_vikings(self, player: Player, row: int) -> int:
        return sum(cell[0] == row and not self.threatened(player, cell) for cell in player.vikings)

    def _large_scoring(self, player: Player) -> None:
        for column, ship in player.ships.items():  # V-LARGE-4
            if self.repelled(player, column):
                self.happened["ship repelled"] += 1
                kind, value = SHIP_VALUE[ship]
                if kind == "gold":
                    player.gold += value
                else:
                    player.fame += value
        player.fame += 2 * self._safe_vikings(player, NOBLES)  # V-LARGE-5
        for row, column in player.vikings:  # V-LARGE-6
            if row == SCOUTS and not self.threatened(player, (row, column)):
                player.fame += 1
                player.fame += (GOLDSMITHS, column) in player.vikings
                player.fame += (FISHERMEN, column) in player.vikings
        player.gold += 3 * self._safe_vikings(player, GOLDSMITHS)  # V-LARGE-7
        self.scored_seats += 1
        if self.scored_seats == len(self.players):
            self._end_round()
        else:
            self.seat = (self.seat + 1) % len(self.players)  # V-LARGE-1

    @staticmethod
    def completed_islands(player: Player) -> list[int]:
        """Lengths of all completed islands (V-FINAL-5)."""
        lengths = []
        for (row, column), tile in player.tiles.items():
            if tile != LEFT:
                continue
            end = column + 1
            while player.tiles.get((row, end)) in MIDDLES:
                end += 1
            if player.tiles.get((row, end)) == RIGHT:
                lengths.append(end - column + 1)
        return lengths

    def _final_scoring(self) -> None:
        self.final_steps = [dict.fromkeys(STEPS, 0) for _ in self.players]
        for player, steps in zip(self.players, self.final_steps, strict=True):
            gold_due = 0
            for column, ship in player.ships.items():  # V-FINAL-2
                if not self.repelled(player, column):
                    kind, value = SHIP_VALUE[ship]
                    if kind == "gold":
                        gold_due += value
                    else:
                        steps["ships"] -= value
            paid = min(gold_due, player.gold)
            player.gold -= paid
            if gold_due > paid:
                self.happened["ship paid with fame"] += 1
            steps["ships"] -= gold_due - paid
            steps["gold"], player.gold = divmod(player.gold, 5)  # V-FINAL-3

        boatsmen = [player.pool[BOATSMAN] for player in self.players]
        islands = [self.completed_islands(player) for player in self.players]
        longest = [max(lengths, default=0) for lengths in islands]
        for counts, step, fame in (  # V-FINAL-4 to V-FINAL-7
            (boatsmen, "boatsmen", 10),
            ([len(lengths) for lengths in islands], "islands", 7),
            (longest, "longest island", 5),
        ):
            for steps, count in zip(self.final_steps, counts, strict=True):
                if count == max(counts) and count > 0:
                    steps[step] = fame

        for player, steps in zip(self.players, self.final_steps, strict=True):  # V-FINAL-8
            mouths = len(player.vikings) + sum(player.pool.values())
            spare = 5 * self._safe_vikings(player, FISHERMEN) - mouths
            steps["feeding"] = 2 * spare if spare > 0 else spare
            if spare > 0:
                self.happened["surplus food"] += 1
            player.fame += sum(steps.values())

    def scores(self) -> list[int]:
        """Fame of every seat."""
        return [player.fame for player in self.players]

    def ranks(self) -> list[int]:
        """V-END-1 to V-END-3."""
        results = [(player.fame, player.gold) for player in self.players]
        return [1 + sum(other > own for other in results) for own in results]
