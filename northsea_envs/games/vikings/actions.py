"""The flat action space of Vikings: which id means what (rules document, section 14).

Ids that only the advanced game uses stand at their place and are never legal in the basic game, so that an id means
the same in every variant. Only bids stand behind all others, and in the game with the auction alone.

A bid is named by how much it raises the standing one: BID k raises it by k and ends the bid, BID_MORE adds MORE to the
raise and asks on. So every amount can be bid, and each in one way: 45 is BID_MORE, BID_MORE, BID 5; 20 is BID 20.
"""

from __future__ import annotations

from northsea_envs.game import ActionBlock
from northsea_envs.games.vikings.state import (
    COLOURS,
    ISLAND_ROWS,
    ROW_LETTERS,
    ROW_NAMES,
    SPECIAL_SLOTS,
    WHEEL_SPACES,
)
from northsea_envs.jit import compiled

SHIP_CHOICES = 3
MORE = 20  # what BID_MORE adds to a raise, and the largest raise in one step

# First ids of the blocks before the cells, which do not depend on the number of players.
BUY_0 = 0
START_ROW_0 = BUY_0 + WHEEL_SPACES
CELL_0 = START_ROW_0 + ISLAND_ROWS

# Distances of the blocks behind the cells from the end of the cells.
SHIP_COLUMN = 0
VIKING_ON = SHIP_COLUMN + SHIP_CHOICES
VIKING_POOL = VIKING_ON + 1
SPECIAL = VIKING_POOL + 1
DECLINE = SPECIAL + SPECIAL_SLOTS
COLOUR = DECLINE + 1
END_TRIP = COLOUR + COLOURS
DONE = END_TRIP + 1
USE_BOAT = DONE + 1
PASS = USE_BOAT + 1
BEHIND = PASS + 1
# With the auction.
BID = BEHIND
BID_MORE = BID + MORE + 1
BEHIND_WITH_BIDS = BID_MORE + 1


@compiled
def behind_cells(columns):
    """First id behind the cells, for homelands of ``columns`` columns."""
    return CELL_0 + ISLAND_ROWS * columns


def num_actions(columns: int, auction: bool) -> int:
    """Number of action ids."""
    return int(behind_cells(columns)) + (BEHIND_WITH_BIDS if auction else BEHIND)


def action_blocks(columns: int, auction: bool) -> tuple[ActionBlock, ...]:
    """All blocks of the action space, in order, without gaps."""
    end = behind_cells(columns)
    blocks = (
        ActionBlock(BUY_0, WHEEL_SPACES, "BUY", "buy the set on wheel space 0..11"),
        ActionBlock(START_ROW_0, ISLAND_ROWS, "START_ROW", "lay the start tile in row W, N, S, G or F"),
        ActionBlock(
            CELL_0,
            ISLAND_ROWS * columns,
            "CELL",
            "lay the island tile there, or move a waiting viking there; row by row from W1",
            (ISLAND_ROWS, columns),
        ),
        ActionBlock(end + SHIP_COLUMN, SHIP_CHOICES, "SHIP_COLUMN", "lay the ship in column 1, 2 or 3"),
        ActionBlock(end + VIKING_ON, 1, "VIKING_ON", "put the viking on the tile just laid"),
        ActionBlock(end + VIKING_POOL, 1, "VIKING_POOL", "send the viking to the pool"),
        ActionBlock(end + SPECIAL, SPECIAL_SLOTS, "SPECIAL", "advanced game: take the special tile in that place"),
        ActionBlock(end + DECLINE, 1, "DECLINE", "advanced game: take no special tile"),
        ActionBlock(end + COLOUR, COLOURS, "COLOUR", "advanced game: remove or lay out this colour"),
        ActionBlock(end + END_TRIP, 1, "END_TRIP", "the boatsman's trip ends here"),
        ActionBlock(end + DONE, 1, "DONE", "no further trip in this scoring"),
        ActionBlock(end + USE_BOAT, 1, "USE_BOAT", "advanced game: spend a boat tile on the next trip"),
        ActionBlock(end + PASS, 1, "PASS", "advanced game: leave the auction"),
    )
    bids = (
        ActionBlock(end + BID, MORE + 1, "BID", f"raise the standing bid by 0..{MORE}, and by what BID_MORE added"),
        ActionBlock(end + BID_MORE, 1, "BID_MORE", f"raise by {MORE} more than the step that follows says"),
    )
    return blocks + bids if auction else blocks


def cell_name(row: int, column: int) -> str:
    """A cell as the rules write it: ``S3`` for island row 2, column index 2."""
    return f"{ROW_LETTERS[row]}{column + 1}"


def action_name(columns: int, auction: bool, action: int) -> str:
    """Name of an action id, such as ``"BUY 3"``, ``"CELL S3"`` or ``"DONE"``; raises ValueError out of range."""
    for block in action_blocks(columns, auction):
        offset = action - block.first
        if 0 <= offset < block.size:
            if block.name == "CELL":
                return f"CELL {cell_name(*divmod(offset, columns))}"
            if block.name == "START_ROW":
                return f"START_ROW {ROW_LETTERS[offset]} ({ROW_NAMES[offset]})"
            if block.name == "SHIP_COLUMN":
                return f"SHIP_COLUMN {offset + 1}"
            return block.name if block.size == 1 else f"{block.name} {offset}"
    raise ValueError(f"action {action} is not allowed; actions are 0 to {num_actions(columns, auction) - 1}")
