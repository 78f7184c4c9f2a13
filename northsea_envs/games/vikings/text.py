"""Words and pictures in text for people."""

from __future__ import annotations

import numpy as np

from northsea_envs.games.vikings import actions
from northsea_envs.games.vikings.actions import CELL_0, START_ROW_0, behind_cells, cell_name
from northsea_envs.games.vikings.scoring import threatened_rows
from northsea_envs.games.vikings.state import (
    AUCTION,
    BUILDINGS,
    BUY,
    CELL,
    FINAL_STEPS,
    ISLAND_ROWS,
    LAY_COLOUR,
    LEFT_END,
    MIDDLE,
    REMOVE_VIKING,
    REPLACE,
    RIGHT_END,
    ROW_LETTERS,
    ROW_NAMES,
    SAILS,
    SHIP,
    SHIP_COLUMN,
    START_ROW,
    TAKE_SPECIAL,
    TRIP,
    VIKING,
    WHEEL_SPACES,
    is_advanced,
    special_word,
)

# Roles by island row; the boatsman has none.
ROLES = ("warrior", "noble", "scout", "goldsmith", "fisherman", "boatsman")
PIECE_LETTERS = {LEFT_END: "L", MIDDLE: "M", RIGHT_END: "R"}
PIECE_WORDS = {LEFT_END: "left end", MIDDLE: "middle", RIGHT_END: "right end"}
BUILDING_LETTERS = {building: letter for letter, building in BUILDINGS.items() if building}
DECISIONS = {
    AUCTION: "bid for the start player's marker or pass",
    REMOVE_VIKING: "remove a viking",
    LAY_COLOUR: "lay out all vikings of a colour",
    BUY: "buy a set",
    START_ROW: "choose the row of the start tile",
    CELL: "lay the island tile",
    SHIP_COLUMN: "lay the ship",
    VIKING: "put the viking on the tile or send it to the pool",
    TAKE_SPECIAL: "take a special tile or none",
    REPLACE: "replace a middle tile by the building tile",
    TRIP: "move waiting vikings with boatsmen",
}


class Words:
    """Texts of positions and actions under one set of tables (array of one tables' record)."""

    def __init__(self, tables: np.ndarray):
        self.tables = tables
        self.t = tables[0]
        self.auction = is_advanced(tables) and bool(self.t.auction)
        self.special_tiles = is_advanced(tables) and bool(self.t.special_tiles)

    def sail(self, kind: int) -> str:
        """Sail colour of a ship, such as ``"blue"``."""
        return SAILS[int(self.t.sail[kind])]

    def role(self, colour: int) -> str:
        """Role of a viking colour, such as ``"noble"``."""
        return ROLES[int(self.t.home_row[colour])]

    def tile_word(self, kind: int) -> str:
        """A tile in words, such as ``"left end"`` or ``"blue ship (3 fame)"``; a middle's building where it matters."""
        if self.t.piece[kind] != SHIP:
            building = BUILDING_LETTERS.get(int(self.t.building[kind])) if self.special_tiles else None
            return PIECE_WORDS[int(self.t.piece[kind])] + (f" {building}" if building else "")
        gold, fame = int(self.t.ship_gold[kind]), int(self.t.ship_fame[kind])
        return f"{self.sail(kind)} ship ({gold} gold)" if gold else f"{self.sail(kind)} ship ({fame} fame)"

    def action_name(self, players: int, action: int) -> str:
        """Name of an action id; raises ValueError out of range."""
        return actions.action_name(int(self.t.columns[players]), self.auction, action)

    def action_text(self, states: np.ndarray, index: int, action: int) -> str:
        """What the action would do in this position, in words."""
        state = states[index]
        columns = int(self.t.columns[state.players])
        offset = action - int(behind_cells(columns))
        if action < START_ROW_0:
            kind, colour = int(state.wheel_tile[action]) - 1, int(state.wheel_viking[action]) - 1
            price = action - int(state.zero_space)
            return f"buys {self.tile_word(kind)} with {self.role(colour)} for {price}"
        if action < CELL_0:
            return f"lays the start tile in row {ROW_LETTERS[action - START_ROW_0]} ({ROW_NAMES[action - START_ROW_0]})"
        if offset < 0:
            row, column = divmod(action - CELL_0, columns)
            if state.phase == REPLACE:
                word = special_word(self.t, int(state.replacing) - 1)
                return f"replaces the middle tile on {cell_name(row, column)} by {word}"
            if state.phase == TRIP:
                return f"moves a waiting {ROLES[row]} to {cell_name(row, column)}"
            return f"lays the {self.tile_word(int(state.bought_tile) - 1)} on {cell_name(row, column)}"
        if offset < actions.VIKING_ON:
            return f"lays the {self.tile_word(int(state.bought_tile) - 1)} in column {offset + 1}"
        if actions.SPECIAL <= offset < actions.DECLINE:
            place = offset - actions.SPECIAL
            word = special_word(self.t, int(state.special_display[place]) - 1)
            return f"takes the special tile {word} from place {place + 1}"
        if actions.COLOUR <= offset < actions.END_TRIP:
            role = self.role(offset - actions.COLOUR)
            if state.phase == REMOVE_VIKING:
                return f"removes a {role}"
            return f"lays out the vikings of one colour: {int(state.drawn[offset - actions.COLOUR])} {role}"
        if actions.BID <= offset <= actions.BID_MORE:
            return self._bid_text(state, offset)
        words = {
            actions.VIKING_ON: f"puts the {self.role(int(state.bought_viking) - 1)} on it"
            if state.bought_viking
            else "",
            actions.VIKING_POOL: f"sends the {self.role(int(state.bought_viking) - 1)} to the pool"
            if state.bought_viking
            else "",
            actions.DECLINE: "takes no special tile",
            actions.END_TRIP: "ends the trip",
            actions.DONE: "makes no further trip",
            actions.USE_BOAT: "spends a boat tile on the next trip",
            actions.PASS: "passes",
        }
        return words[offset]

    def _bid_text(self, state: np.record, offset: int) -> str:
        named = int(state.standing_bid) + int(state.pending_raise)
        if offset == actions.BID_MORE:
            return f"bids more than {named + actions.MORE}"
        amount = named + offset - actions.BID
        return f"bids {amount}" if amount else "bids 0 and stays in"

    def text(self, states: np.ndarray, index: int, seat: int | None) -> str:
        """The whole position: offer with prices, homelands, pools, gold and fame, whose decision and which.

        All is public, so ``seat`` only says who comes first (None: seat 0).
        """
        state = states[index]
        players = int(state.players)
        rounds = len(self.t.large_scoring)
        lines = []
        if state.seat < 0:
            lines.append("Game over")
        else:
            scoring = "large" if self.t.large_scoring[state.round_number - 1] else "small"
            lines.append(
                f"Round {state.round_number} of {rounds} ({scoring} scoring), start player: seat {state.start_player}"
            )
            lines.append(f"Seat {state.seat} is to {DECISIONS[int(state.phase)]}{self._pending(state)}")
            lines += self._auction(state)
            lines += self._offer(state)
            lines += self._special_tiles(state)
        for k in range(players):
            lines += ["", *self._homeland(states, index, ((seat or 0) + k) % players)]
        return "\n".join(lines)

    def _pending(self, state: np.record) -> str:
        parts = []
        if state.bought_tile:
            parts.append(self.tile_word(int(state.bought_tile) - 1))
        if state.bought_viking:
            parts.append(self.role(int(state.bought_viking) - 1))
        if state.phase == VIKING:
            parts.append(f"on {cell_name(int(state.placed_row), int(state.placed_column))}")
        if state.trip_moves:
            rows = [ROW_LETTERS[row] for row in range(ISLAND_ROWS) if state.trip_rows >> row & 1]
            parts.append(f"trip under way into {' '.join(rows)}")
        if is_advanced(self.tables):
            if state.phase == REPLACE:
                parts.append(special_word(self.t, int(state.replacing) - 1))
            if state.pending_raise:
                parts.append(f"more than {int(state.standing_bid) + int(state.pending_raise)}")
            if state.special_due and state.phase != TAKE_SPECIAL:
                parts.append("then a special tile")
            if state.boat_spent:
                parts.append("with a boat tile")
        return f": {', '.join(parts)}" if parts else ""

    def _offer(self, state: np.record) -> list[str]:
        if not state.wheel_tile.any():
            return []
        lines = ["Offer  space  price  tile                 viking"]
        for space in range(WHEEL_SPACES):
            if state.wheel_tile[space]:
                tile = self.tile_word(int(state.wheel_tile[space]) - 1)
                viking = self.role(int(state.wheel_viking[space]) - 1) if state.wheel_viking[space] else "."
                lines.append(f"       {space:5d}  {space - int(state.zero_space):5d}  {tile:20s} {viking}")
        return lines

    def _auction(self, state: np.record) -> list[str]:
        """Vikings shown and not laid out, and how the bidding stands."""
        if not self.auction or state.phase > LAY_COLOUR:
            return []
        lines = [f"Vikings drawn: {self._figures(state.drawn)}"]
        if state.phase == AUCTION:
            passed = [str(seat) for seat in range(int(state.players)) if state.passed[seat]]
            lines.append(
                f"Standing bid: {state.standing_bid} by seat {state.standing_bidder}"
                + (f"; passed: seat {', '.join(passed)}" if passed else "")
            )
        return lines

    def _special_tiles(self, state: np.record) -> list[str]:
        if not self.special_tiles:
            return []
        face_up = [
            f"{place + 1} {special_word(self.t, int(k) - 1)}" for place, k in enumerate(state.special_display) if k
        ]
        hidden = len(state.special_stack) - int(state.specials_revealed)
        return [f"Special tiles: {', '.join(face_up) or 'none'} ({hidden} hidden)"]

    def _figures(self, counts: np.ndarray) -> str:
        return ", ".join(f"{int(n)} {self.role(colour)}" for colour, n in enumerate(counts) if n) or "empty"

    def _tile_token(self, state: np.record, seat: int, row: int, column: int) -> str:
        """L, M, R or ``.``; with special tiles Ma for a middle with building A, and BA for building tile A."""
        tile = int(state.tile[seat, row, column])
        if not tile:
            return "."
        letter = BUILDING_LETTERS.get(int(self.t.building[tile - 1]), "")
        if self.special_tiles and state.special_cell[seat, row, column]:
            return f"B{letter}"
        return PIECE_LETTERS[int(self.t.piece[tile - 1])] + (letter.lower() if self.special_tiles else "")

    def _homeland(self, states: np.ndarray, index: int, seat: int) -> list[str]:
        state = states[index]
        title = f"Seat {seat}: {state.fame[seat]} fame, {state.gold[seat]} gold"
        if state.start_tile_kept[seat]:
            title += ", start tile aside"
        if state.seat < 0:
            ranks = self._ranks(state)
            title += f", place {ranks[seat]}"
            named = dict(zip(FINAL_STEPS, state.final_steps[seat], strict=True))
            if self.special_tiles:
                named["buildings"] = state.buildings_step[seat]
            steps = (f"{name} {int(f):+d}" for name, f in named.items() if f)
            title += f" (final scoring: {', '.join(steps)})"
        lines = [title, f"  pool: {self._figures(state.pool[seat])}"]
        if self.special_tiles and state.special_held[seat].any():
            held = (f"{int(n)} x {special_word(self.t, kind)}" for kind, n in enumerate(state.special_held[seat]) if n)
            lines.append(f"  special tiles: {', '.join(held)}")
        ship = state.ship[seat]
        width = max([int(state.width[seat]), *(c + 1 for c in range(len(ship)) if ship[c])], default=0)
        if width == 0:
            return lines
        lines.append("      " + "".join(f"{column + 1:<4d}" for column in range(width)).rstrip())
        tokens = [self.sail(int(ship[c]) - 1)[:3] if c < len(ship) and ship[c] else "." for c in range(width)]
        lines.append("  X   " + "".join(f"{token:<4s}" for token in tokens).rstrip())
        threats = [int(threatened_rows(self.t, state, seat, c)) for c in range(width)]
        for row in range(ISLAND_ROWS):
            cells = []
            for column in range(width):
                token = self._tile_token(state, seat, row, column)
                if state.viking[seat, row, column]:
                    token += "!" if row < threats[column] else "*"
                cells.append(f"{token:<4s}")
            lines.append(f"  {ROW_LETTERS[row]}   " + "".join(cells).rstrip())
        return lines

    def _ranks(self, state: np.record) -> list[int]:
        keys = [(int(state.fame[s]), int(state.gold[s])) for s in range(int(state.players))]
        return [1 + sum(other > key for other in keys) for key in keys]
