"""Reading special_tiles.csv: what each special tile is, and whether its row makes sense. Section 11."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from northsea_envs.games.vikings.state import (
    BUILDING,
    BUILDINGS,
    FISHERMAN_FAME,
    FULL_TRIP,
    GAIN_GOLD,
    GOLD_PER_FAME,
    GOLDSMITH_GOLD,
    MAJORITY_BOATSMAN,
    NOBLE_FAME,
    SCOUT_FAME,
    SURPLUS_FOOD_FAME,
)
from northsea_envs.tables import Column, Row, TableError, integer, read_table, word


class Effect(NamedTuple):
    """What a kind of effect says about its row: its code, when it applies, whether tiles add up, and are used up."""

    code: int
    when: str
    stacks: str
    consumed: str


EFFECTS = {
    "gain_gold": Effect(GAIN_GOLD, "on_taking", "no", "yes"),
    "gold_per_unthreatened_goldsmith": Effect(GOLDSMITH_GOLD, "small_and_large_scoring", "yes", "no"),
    "one_trip_uses_basic_capacity": Effect(FULL_TRIP, "large_scoring_transport", "yes", "yes"),
    "fame_per_unthreatened_noble": Effect(NOBLE_FAME, "large_scoring", "yes", "no"),
    "fame_per_unthreatened_scout": Effect(SCOUT_FAME, "large_scoring", "yes", "no"),
    "fame_per_unthreatened_fisherman": Effect(FISHERMAN_FAME, "large_scoring", "yes", "no"),
    "counts_as_boatsman_for_majority": Effect(MAJORITY_BOATSMAN, "final_scoring", "yes", "no"),
    "fame_per_surplus_food": Effect(SURPLUS_FOOD_FAME, "final_scoring", "no", "no"),
    "gold_per_fame": Effect(GOLD_PER_FAME, "final_scoring", "no", "no"),
    "fame_per_viking_in_3x3": Effect(BUILDING, "final_scoring", "no", "no"),
}


class SpecialTile(NamedTuple):
    """One row: how many copies there are, the code of their effect, how much of it, and the building or 0."""

    copies: int
    effect: int
    magnitude: int
    building: int


def read_special_tiles(folder: Path, constants: Mapping[str, Row]) -> list[SpecialTile]:
    """The rows of special_tiles.csv in order.

    Raises:
        TableError: the table is missing or holds something that is not allowed.
    """
    rows = read_table(
        folder,
        "special_tiles.csv",
        [
            Column("special_id", str, "a name"),
            integer("count", 0, 99),
            word("when", tuple({effect.when: None for effect in EFFECTS.values()})),
            word("effect_kind", tuple(EFFECTS)),
            integer("magnitude", 1, 99),
            word("stacks", ("no", "yes")),
            word("consumed", ("no", "yes")),
            word("building", tuple(BUILDINGS)),
        ],
        key="special_id",
    )
    if not rows:
        raise TableError(f"{Path(folder) / 'special_tiles.csv'}: at least one kind of special tile is needed")
    # Of effects that do not add up, and of each building, one row: two could contradict each other.
    single: dict[tuple[str, str], int] = {}
    for row in rows:
        kind, building = row["effect_kind"], row["building"]
        effect = EFFECTS[kind]
        for column, right in (("when", effect.when), ("stacks", effect.stacks), ("consumed", effect.consumed)):
            if row[column] != right:
                raise row.error(column, f"{right} for {kind}")
        if effect.code == FULL_TRIP and row["magnitude"] != 1:
            raise row.error("magnitude", "1: a boat tile serves one trip")
        if (building != "none") != (effect.code == BUILDING):
            raise row.error("building", "A, B, C or D for a building tile and none for every other")
        if effect.code in (SURPLUS_FOOD_FAME, GOLD_PER_FAME, BUILDING):
            if (kind, building) in single:
                column = "building" if effect.code == BUILDING else "effect_kind"
                raise row.error(column, f"different in every row (row {single[kind, building]} has it too)")
            single[kind, building] = row.number
        score = constants["building_score_per_viking"]["value"]
        if effect.code == BUILDING and row["magnitude"] != score:
            raise row.error("magnitude", f"building_score_per_viking of constants.csv, {score}")
    return [
        SpecialTile(row["count"], EFFECTS[row["effect_kind"]].code, row["magnitude"], BUILDINGS[row["building"]])
        for row in rows
    ]
