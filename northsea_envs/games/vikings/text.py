"""Words and pictures in text for people."""

from __future__ import annotations

import numpy as np

from northsea_envs.games.vikings import actions
from northsea_envs.games.vikings.actions import CELL_0, START_ROW_0, behind_cells, cell_name
from northsea_envs.games.vikings.scoring import threatened_rows
from northsea_envs.games.vikings.state import (
    BUY,
    CELL,
    FINAL_STEPS,
    ISLAND_ROWS,
    LEFT_END,
    MIDDLE,
    RIGHT_END,
    ROW_LETTERS,
    ROW_NAMES,
    SAILS,
    SHIP,
    SHIP_COLUMN,
    START_ROW,
    TRIP,
    VIKING,
    WHEEL_SPACES,
    is_advanced,
)

# Roles by island row; the boatsman has none.
ROLES = ("warrior", "noble", "scout", "goldsmith", "fisherman", "boatsman")
PIECE_LETTERS = {LEFT_END: "L", MIDDLE: "M", RIGHT_END: "R"}
PIECE_WORDS = {LEFT_END: "left end", MIDDLE: "middle", RIGHT_END: "right end"}
DECISIONS = {
    BUY: "buy a set",
    START_ROW: "choose the row of the start tile",
    CELL: "lay the island tile",
    SHIP_COLUMN: "lay the ship",
    VIKING: "put the viking on the tile or send it to the pool",
    TRIP: "move waiting vikings with boatsmen",
}


class Words:
    """Texts of positions and actions under one set of tables (array of one tables' record)."""

    def __init__(self, tables: np.ndarray):
        self.tables = tables
        self.t = tables[0]
        self.auction = is_advanced(tables) and bool(self.t.auction)

    def sail(self, kind: int) -> str:
        """Sail colour of a ship, such as ``"blue"``."""
        return SAILS[int(self.t.sail[kind])]

    def role(self, colour: int) -> str:
        """Role of a viking colour, such as ``"noble"``."""
        return ROLES[int(self.t.home_row[colour])]

    def tile_word(self, kind: int) -> str:
        """A tile in words, such as ``"left end"`` or ``"blue ship (3 fame)"``."""
        if self.t.piece[kind] != SHIP:
            return PIECE_WORDS[int(self.t.piece[kind])]
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
            if state.phase == TRIP:
                return f"moves a waiting {ROLES[row]} to {cell_name(row, column)}"
            return f"lays the {self.tile_word(int(state.bought_tile) - 1)} on {cell_name(row, column)}"
        if offset < actions.VIKING_ON:
            return f"lays the {self.tile_word(int(state.bought_tile) - 1)} in column {offset + 1}"
        words = {
            actions.VIKING_ON: f"puts the {self.role(int(state.bought_viking) - 1)} on it"
            if state.bought_viking
            else "",
            actions.VIKING_POOL: f"sends the {self.role(int(state.bought_viking) - 1)} to the pool"
            if state.bought_viking
            else "",
            actions.END_TRIP: "ends the trip",
            actions.DONE: "makes no further trip",
        }
        return words[offset]

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
            lines += self._offer(state)
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
        return f": {', '.join(parts)}" if parts else ""

    def _offer(self, state: np.record) -> list[str]:
        if not state.sets_left:
            return []
        lines = ["Offer  space  price  tile                 viking"]
        for space in range(WHEEL_SPACES):
            if state.wheel_tile[space]:
                tile = self.tile_word(int(state.wheel_tile[space]) - 1)
                viking = self.role(int(state.wheel_viking[space]) - 1)
                lines.append(f"       {space:5d}  {space - int(state.zero_space):5d}  {tile:20s} {viking}")
        return lines

    def _homeland(self, states: np.ndarray, index: int, seat: int) -> list[str]:
        state = states[index]
        title = f"Seat {seat}: {state.fame[seat]} fame, {state.gold[seat]} gold"
        if state.start_tile_kept[seat]:
            title += ", start tile aside"
        if state.seat < 0:
            ranks = self._ranks(state)
            title += f", place {ranks[seat]}"
            steps = (f"{name} {int(f):+d}" for name, f in zip(FINAL_STEPS, state.final_steps[seat], strict=True) if f)
            title += f" (final scoring: {', '.join(steps)})"
        waiting = [f"{int(n)} {self.role(colour)}" for colour, n in enumerate(state.pool[seat]) if n]
        lines = [title, f"  pool: {', '.join(waiting) or 'empty'}"]
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
                tile = int(state.tile[seat, row, column])
                token = PIECE_LETTERS[int(self.t.piece[tile - 1])] if tile else "."
                if state.viking[seat, row, column]:
                    token += "!" if row < threats[column] else "*"
                cells.append(f"{token:<4s}")
            lines.append(f"  {ROW_LETTERS[row]}   " + "".join(cells).rstrip())
        return lines

    def _ranks(self, state: np.record) -> list[int]:
        keys = [(int(state.fame[s]), int(state.gold[s])) for s in range(int(state.players))]
        return [1 + sum(other > key for other in keys) for key in keys]
