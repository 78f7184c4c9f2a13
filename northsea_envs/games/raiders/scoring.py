"""Final scoring, scores and places: section 11 of the rules document. It never changes the position."""

import numpy as np

from northsea_envs.games.raiders.state import (
    END_VP,
    END_VP_PER_LIVESTOCK,
    END_VP_PER_OFFERING,
    GOLD,
    IRON,
    LIVESTOCK,
)
from northsea_envs.jit import compiled

# Where points come from: scored during play, then the steps of the final scoring.
SOURCES = ("raids", "Valkyries", "armour", "offerings", "crew", "Plunder")
RAIDS_STEP, VALKYRIES_STEP, ARMOUR_STEP, OFFERINGS_STEP, CREW_STEP, PLUNDER_STEP = range(len(SOURCES))


@compiled
def offerings_made(state, seat):
    """Number of tiles that a seat has collected."""
    tiles = 0
    for tile in range(len(state.tile_owner)):
        tiles += state.tile_owner[tile] == seat + 1
    return tiles


@compiled
def crew_vp(tables, state, seat):
    """R-SCORE-5"""
    tiles = offerings_made(state, seat)
    vp = 0
    for kind in range(len(tables.crew_code)):
        if state.crew[seat, kind] == 0:
            continue
        code = tables.crew_code[kind]
        if code == END_VP:
            vp += state.crew[seat, kind] * tables.crew_n[kind]
        elif code == END_VP_PER_LIVESTOCK:
            times = state.goods[seat, LIVESTOCK] // tables.crew_per[kind]
            vp += state.crew[seat, kind] * tables.crew_n[kind] * times
        elif code == END_VP_PER_OFFERING:
            vp += state.crew[seat, kind] * tables.crew_n[kind] * (tiles // tables.crew_per[kind])
    return vp


@compiled
def score_steps(tables, state, seat, out):
    """Points of a seat by source, in the order of ``SOURCES``, if the game ended here. R-SCORE-1..6."""
    out[RAIDS_STEP] = state.vp[seat]
    out[VALKYRIES_STEP] = tables.valkyrie_vp[state.valkyries[seat]]
    out[ARMOUR_STEP] = tables.armour_vp[state.armour[seat]]
    out[OFFERINGS_STEP] = 0
    for tile in range(len(state.tile_owner)):
        if state.tile_owner[tile] == seat + 1:
            out[OFFERINGS_STEP] += tables.tile_vp[tile]
    out[CREW_STEP] = crew_vp(tables, state, seat)
    goods = state.goods[seat]
    out[PLUNDER_STEP] = (
        goods[GOLD] // tables.gold_per_vp
        + goods[IRON] // tables.iron_per_vp
        + goods[LIVESTOCK] // tables.livestock_per_vp
    )


@compiled
def scores(tables, state, out):
    """Points of every seat if the game ended here. R-SCORE-1..6, R-END-5."""
    steps = np.empty(len(SOURCES), np.int64)
    for seat in range(state.players):
        score_steps(tables, state, seat, steps)
        total = 0
        for step in range(len(SOURCES)):
            total += steps[step]
        out[seat] = total


@compiled
def ranks(tables, state, out):
    """Places from 1 by points, Valkyries, armour; equal seats share and the next place is skipped. R-SCORE-7."""
    points = np.empty(int(state.players))
    scores(tables, state, points)
    for seat in range(state.players):
        out[seat] = 1
        for other in range(state.players):
            out[seat] += _ahead(state, points, other, seat)


@compiled
def _ahead(state, points, one, other):
    if points[one] != points[other]:
        return points[one] > points[other]
    if state.valkyries[one] != state.valkyries[other]:
        return state.valkyries[one] > state.valkyries[other]
    return state.armour[one] > state.armour[other]


@compiled
def truncated(tables, state):
    """Whether the game was cut short by the guard. R-END-5."""
    return state.truncated != 0
