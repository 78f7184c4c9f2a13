"""The map in the component tables: Islands, Fjords, Docks and ferry routes of each side. Sections 3 and 17."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from northsea_envs.games.tiny_epic_vikings.state import ID_BYTES, NAME_BYTES, RUNES
from northsea_envs.tables import Column, Row, TableError, integer, read_table, word

MOST_PLACES = 40  # Islands, Fjords, Docks or routes of a side


@dataclass(frozen=True)
class Side:
    """One side of the map: the rows of its tables."""

    name: str
    islands: list[Row]
    fjords: list[Row]
    docks: list[Row]
    routes: list[Row]
    meetings: list[Row]  # of fjord_adjacency.csv

    @property
    def crossings(self) -> list[Row]:
        """The routes that lead from Island to Island."""
        return [row for row in self.routes if row["island_b"] != "NONE"]


def read_sides(folder: Path, counts: list[Row], villages: int) -> list[Side]:
    """The sides that map_sides.csv names, checked. T-DATA-2..6, -9.

    Args:
        folder: the tables' folder.
        counts: rows of map_sides.csv.
        villages: Village tokens that there are.

    Raises:
        TableError: something is missing, not allowed, or does not fit the rest.
    """
    islands = read_table(
        folder,
        "islands.csv",
        [
            text_column("map_side", ID_BYTES),
            text_column("island_id", ID_BYTES),
            text_column("name", NAME_BYTES),
            word("rune", RUNES),
            integer("is_outer", 0, 1),
            word("row", ("TOP", "MIDDLE", "BOTTOM")),
            integer("enemy_temples_2p", 0, 9),
            integer("enemy_settlers_2p", 0, 9),
        ],
        key="island_id",
    )
    there = list(dict.fromkeys(row["map_side"] for row in islands))
    for row in counts:
        _refer(row, "map_side", there, f"a side that islands.csv has: {', '.join(there)}")
    side = word("map_side", there)
    fjords = read_table(
        folder, "fjords.csv", [side, text_column("fjord_id", ID_BYTES), integer("is_edge", 0, 1)], key="fjord_id"
    )
    routes = read_table(
        folder,
        "ferry_routes.csv",
        [
            side,
            text_column("route_id", ID_BYTES),
            *(_reference(c) for c in ("island_a", "island_b", "dock_a", "dock_b")),
        ],
        key="route_id",
    )
    docks = read_table(
        folder,
        "docks.csv",
        [
            side,
            text_column("dock_id", ID_BYTES),
            *(_reference(c) for c in ("island_id", "route_id", "fjord_1", "fjord_2")),
            integer("has_village", 0, 1),
        ],
        key="dock_id",
    )
    meetings = read_table(
        folder, "fjord_adjacency.csv", [side, *(_reference(c) for c in ("fjord_a", "fjord_b", "route_id"))]
    )
    sides = []
    for name in dict.fromkeys(row["map_side"] for row in counts):
        made = Side(
            name,
            *([row for row in rows if row["map_side"] == name] for rows in (islands, fjords, docks, routes, meetings)),
        )
        for rows, file in (
            (made.islands, "islands.csv"),
            (made.fjords, "fjords.csv"),
            (made.docks, "docks.csv"),
            (made.routes, "ferry_routes.csv"),
        ):
            if not rows or len(rows) > MOST_PLACES:
                raise TableError(
                    f"{folder / file}: {len(rows)} rows of side {name}; 1 to {MOST_PLACES} may stand there"
                )
        _check_side(folder, made)
        sides.append(made)
    _check_counts(counts, sides, villages)
    return sides


def as_bytes(text: str, size: int) -> np.ndarray:
    """``text`` in UTF-8, filled up with zeros; uint8 (size,)."""
    return np.frombuffer(text.encode().ljust(size, b"\0"), np.uint8)


def text_column(name: str, size: int) -> Column:
    """A column of names that fit into ``size`` bytes."""

    def parse(cell: str) -> str:
        if not 1 <= len(cell.encode()) <= size or "\0" in cell or cell == "NONE":
            raise ValueError
        return cell

    return Column(name, parse, f"a name of 1 to {size} bytes other than NONE")


def _reference(name: str) -> Column:
    return Column(name, str, "an id of another table")


def _check_side(folder: Path, side: Side) -> None:
    islands = {row["island_id"] for row in side.islands}
    fjords = {row["fjord_id"] for row in side.fjords}
    docks = {row["dock_id"]: row for row in side.docks}
    routes = {row["route_id"]: row for row in side.routes}
    _check_runes(side)
    for row in side.meetings:
        _refer(row, "fjord_a", fjords, f"a Fjord of side {side.name}")
        _refer(row, "fjord_b", fjords - {row["fjord_a"]}, f"another Fjord of side {side.name}")
        _refer(row, "route_id", routes, f"a ferry route of side {side.name}")
    meeting = {frozenset((row["fjord_a"], row["fjord_b"])) for row in side.meetings}
    for row in side.docks:
        _refer(row, "island_id", islands, f"an Island of side {side.name}")
        _refer(row, "route_id", routes, f"a ferry route of side {side.name}")
        _refer(row, "fjord_1", fjords, f"a Fjord of side {side.name}")
        _refer(row, "fjord_2", fjords - {row["fjord_1"]}, f"another Fjord of side {side.name}")
        # T-DATA-5
        if frozenset((row["fjord_1"], row["fjord_2"])) not in meeting:
            raise row.error("fjord_2", f"a Fjord adjacent to {row['fjord_1']} in fjord_adjacency.csv")
        # T-DATA-4
        route = routes[row["route_id"]]
        if row["dock_id"] not in (route["dock_a"], route["dock_b"]):
            raise row.error("route_id", "a ferry route that names this Dock at one of its ends")
    for row in side.routes:
        _refer(row, "island_a", islands, f"an Island of side {side.name}")
        _refer(
            row, "island_b", (islands - {row["island_a"]}) | {"NONE"}, f"another Island of side {side.name}, or NONE"
        )
        if (row["dock_b"] == "NONE") != (row["island_b"] == "NONE"):
            raise row.error("dock_b", "NONE exactly where island_b is NONE")
        for end in "ab" if row["dock_b"] != "NONE" else "a":
            _refer(row, f"dock_{end}", docks, f"a Dock of side {side.name}")
            dock = docks[row[f"dock_{end}"]]
            if dock["island_id"] != row[f"island_{end}"] or dock["route_id"] != row["route_id"]:
                raise row.error(f"dock_{end}", f"a Dock of {row[f'island_{end}']} at the end of this route")
        if row["dock_a"] == row["dock_b"]:
            raise row.error("dock_b", "another Dock than dock_a")
    # T-DATA-6
    _check_connected(folder / "fjord_adjacency.csv", side.fjords, "fjord_id", meeting)
    crossings = {frozenset((row["island_a"], row["island_b"])) for row in side.crossings}
    _check_connected(folder / "ferry_routes.csv", side.islands, "island_id", crossings)
    # T-MAP-7: boats have to start somewhere; a Fjord may be left only over another one.
    if not any(row["is_edge"] for row in side.fjords):
        raise side.fjords[-1].error("is_edge", f"1 in at least one row of side {side.name}")


def _check_runes(side: Side) -> None:
    """T-DATA-2. A side whose Islands cannot be shared out evenly may have one more of some types."""
    number = {rune: sum(row["rune"] == rune for row in side.islands) for rune in RUNES}
    uneven = len(side.islands) % len(RUNES) > 0
    if min(number.values()) == 0 or max(number.values()) - min(number.values()) > uneven:
        most = max(RUNES, key=lambda rune: number[rune])
        worst = [row for row in side.islands if row["rune"] == most][-1]
        found = ", ".join(f"{n} {rune}" for rune, n in number.items())
        raise worst.error("rune", f"so that side {side.name} has equally many Islands of each type; it has {found}")


def _refer(row: Row, column: str, known: object, allowed: str) -> None:
    if row[column] not in known:  # type: ignore[operator]
        raise row.error(column, allowed)


def _check_connected(file: Path, rows: list[Row], key: str, pairs: set[frozenset[str]]) -> None:
    reached = {rows[0][key]}
    while more := {place for pair in pairs if pair & reached for place in pair} - reached:
        reached |= more
    for row in rows:
        if row[key] not in reached:
            raise row.error(key, f"reachable from {rows[0][key]}; {file.name} does not connect them")


def _check_counts(counts: list[Row], sides: list[Side], villages: int) -> None:
    """T-DATA-3, -9"""
    by_name = {side.name: side for side in sides}
    for row in counts:
        side = by_name[row["map_side"]]
        at_docks = sum(dock["has_village"] for dock in side.docks)
        if at_docks > villages:
            worst = [dock for dock in side.docks if dock["has_village"]][villages]
            raise worst.error(
                "has_village", f"1 in at most {villages} rows of side {side.name}, all Villages there are"
            )
        if row["villages_on_map"] != at_docks:
            raise row.error("villages_on_map", f"{at_docks}, as docks.csv has it")
        if row["island_runes_on_map"] != len(side.islands):
            raise row.error("island_runes_on_map", f"{len(side.islands)}, as islands.csv has it")


def fill_side(t: np.record, index: int, side: Side) -> None:
    """Write one side into the tables' record."""
    islands = {row["island_id"]: k for k, row in enumerate(side.islands)}
    fjords = {row["fjord_id"]: k for k, row in enumerate(side.fjords)}
    t.side_name[index] = as_bytes(side.name, ID_BYTES)
    t.islands[index], t.fjords[index], t.docks[index] = len(islands), len(fjords), len(side.docks)
    t.links[index] = 2 * len(side.crossings)
    for k, row in enumerate(side.islands):
        t.island_id[index, k] = as_bytes(row["island_id"], ID_BYTES)
        t.island_name[index, k] = as_bytes(row["name"], NAME_BYTES)
        t.island_rune[index, k] = RUNES.index(row["rune"])
        t.enemy_temples[index, k] = row["enemy_temples_2p"]
        t.enemy_settlers[index, k] = row["enemy_settlers_2p"]
    for k, row in enumerate(side.fjords):
        t.fjord_id[index, k] = as_bytes(row["fjord_id"], ID_BYTES)
        t.is_edge[index, k] = row["is_edge"]
    for row in side.meetings:
        a, b = fjords[row["fjord_a"]], fjords[row["fjord_b"]]
        t.fjords_meet[index, a, b] = t.fjords_meet[index, b, a] = 1
    for k, row in enumerate(side.docks):
        island = islands[row["island_id"]]
        t.dock_id[index, k] = as_bytes(row["dock_id"], ID_BYTES)
        t.dock_island[index, k] = island
        t.dock_fjords[index, k] = [fjords[row["fjord_1"]], fjords[row["fjord_2"]]]
        t.has_village[index, k] = row["has_village"]
        t.island_fjord[index, island, t.dock_fjords[index, k]] = 1
    for k, row in enumerate(side.crossings):
        a, b = islands[row["island_a"]], islands[row["island_b"]]
        t.link_from[index, 2 * k], t.link_to[index, 2 * k] = a, b
        t.link_from[index, 2 * k + 1], t.link_to[index, 2 * k + 1] = b, a
