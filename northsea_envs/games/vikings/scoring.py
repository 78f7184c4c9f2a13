"""Threat, the three scorings, scores and places: section 9 of the rules document, with what section 11 adds."""

import numpy as np

from northsea_envs.games.vikings.special_tiles import bonus, rate
from northsea_envs.games.vikings.state import (
    ADVANCED,
    FINAL_STEPS,
    FISHERMAN_FAME,
    FISHERMEN,
    GOLD_PER_FAME,
    GOLDSMITH_GOLD,
    GOLDSMITHS,
    ISLAND_ROWS,
    LEFT_END,
    MAJORITY_BOATSMAN,
    MAX_PLAYERS,
    NOBLE_FAME,
    NOBLES,
    RIGHT_END,
    SCOUT_FAME,
    SCOUTS,
    SURPLUS_FOOD_FAME,
    WARRIORS,
)
from northsea_envs.jit import compiled, compiled_for

SHIPS_STEP, GOLD_STEP, BOATSMEN_STEP, ISLANDS_STEP, LONGEST_STEP, FEEDING_STEP = range(len(FINAL_STEPS))


@compiled
def threatened_rows(tables, state, seat, column):
    """How many island rows from the top are threatened in this column, 0..5. V-THREAT-1..4."""
    if column >= state.ship.shape[1]:
        return 0
    ship = int(state.ship[seat, column])
    if ship == 0 or state.viking[seat, WARRIORS, column]:
        return 0
    return int(tables.reach_last[ship - 1]) + 1


@compiled
def goldsmith_income(tables, state, seat, threat_counts):
    """Gold from the goldsmiths of one seat; those under threat pay only if it does not count.

    V-SMALL-2, V-LARGE-7, V-SPEC-11.
    """
    each = tables.goldsmith_gold + bonus(tables, state, seat, GOLDSMITH_GOLD)
    gold = 0
    for column in range(state.width[seat]):
        if state.viking[seat, GOLDSMITHS, column] and not (
            threat_counts and threatened_rows(tables, state, seat, column) > GOLDSMITHS
        ):
            gold += each
    return gold


@compiled
def small_scoring(tables, state, seat):
    """V-SMALL-1, -2."""
    state.gold[seat] += goldsmith_income(tables, state, seat, tables.threat_in_small_scoring)


@compiled
def large_scoring(tables, state, seat):
    """Everything of a large scoring after the trips. V-LARGE-3..8, V-THREAT-5, V-SPEC-9, -13..15."""
    fame, gold = 0, goldsmith_income(tables, state, seat, True)
    noble = tables.noble_fame + bonus(tables, state, seat, NOBLE_FAME)
    scout = tables.scout_fame + bonus(tables, state, seat, SCOUT_FAME)
    fisherman = tables.fisherman_fame + bonus(tables, state, seat, FISHERMAN_FAME)
    viking = state.viking[seat]
    for column in range(state.ship.shape[1]):
        ship = int(state.ship[seat, column])
        if ship and viking[WARRIORS, column]:
            fame += tables.ship_fame[ship - 1]
            gold += tables.ship_gold[ship - 1]
    for column in range(state.width[seat]):
        threat = threatened_rows(tables, state, seat, column)
        if viking[NOBLES, column] and threat <= NOBLES:
            fame += noble
        if viking[SCOUTS, column] and threat <= SCOUTS:
            fame += scout
            if viking[GOLDSMITHS, column]:
                fame += tables.scout_goldsmith_fame
            if viking[FISHERMEN, column]:
                fame += tables.scout_fisherman_fame
        if viking[FISHERMEN, column] and threat <= FISHERMEN:
            fame += fisherman
    state.fame[seat] += fame
    state.gold[seat] += gold


@compiled
def completed_islands(tables, state, seat):
    """Number of completed islands and the length of the longest, in tiles. V-FINAL-5, -6, -10."""
    islands, longest = 0, 0
    for row in range(ISLAND_ROWS):
        run = 0
        for column in range(state.width[seat]):
            tile = int(state.tile[seat, row, column])
            if tile == 0:
                run = 0
            elif tables.piece[tile - 1] == LEFT_END:
                run = 1
            elif run:
                run += 1
                if tables.piece[tile - 1] == RIGHT_END:
                    islands += 1
                    longest = max(longest, run)
                    run = 0
    return islands, longest


@compiled
def feeding(tables, state, seat):
    """Fame from feeding: positive for spare food, negative for missing food. V-FINAL-8, V-SPEC-8, -17."""
    mouths, food = 0, 0
    for colour in range(len(tables.viking_count)):
        mouths += int(state.pool[seat, colour])
    for column in range(state.width[seat]):
        for row in range(ISLAND_ROWS):
            mouths += int(state.viking[seat, row, column])
        if state.viking[seat, FISHERMEN, column] and threatened_rows(tables, state, seat, column) <= FISHERMEN:
            food += tables.food_per_fisherman
    if food >= mouths:
        special = rate(tables, state, seat, SURPLUS_FOOD_FAME)
        return (food - mouths) * (special if special else tables.surplus_food_fame)
    return (mouths - food) * tables.short_food_fame


@compiled_for(ADVANCED, otherwise=0)
def building_fame(tables, state, seat):
    """Fame from the building tiles of one seat: vikings on and around each that is not threatened. V-SPEC-19e, -19f."""
    fame = 0
    width = int(state.width[seat])
    for column in range(width):
        threat = threatened_rows(tables, state, seat, column)
        for row in range(threat, ISLAND_ROWS):
            kind = int(state.special_cell[seat, row, column]) - 1
            if kind < 0:
                continue
            vikings = 0
            for r in range(max(row - 1, 0), min(row + 2, ISLAND_ROWS)):
                for c in range(max(column - 1, 0), min(column + 2, width)):
                    vikings += int(state.viking[seat, r, c])
            fame += min(vikings * int(tables.special_magnitude[kind]), int(tables.building_score_max))
    return fame


@compiled_for(ADVANCED, otherwise=None)
def _score_buildings(tables, state):
    for seat in range(state.players):
        state.buildings_step[seat] = building_fame(tables, state, seat)
        state.fame[seat] += state.buildings_step[seat]


@compiled
def gold_for_one_fame(tables, state, seat):
    """V-FINAL-3, V-SPEC-18"""
    special = rate(tables, state, seat, GOLD_PER_FAME)
    return special if special else int(tables.gold_per_fame)


@compiled
def ship_penalty(tables, state, seat):
    """Fame and gold that the unrepelled ships of one seat cost. V-FINAL-2."""
    fame, gold = 0, 0
    for column in range(state.ship.shape[1]):
        ship = int(state.ship[seat, column])
        if ship and not state.viking[seat, WARRIORS, column]:
            fame += tables.ship_fame[ship - 1]
            gold += tables.ship_gold[ship - 1]
    return fame, gold


@compiled
def final_scoring(tables, state):
    """All steps of the final scoring for all seats; fame may fall below 0. V-FINAL-1..10."""
    boatsmen = np.zeros(MAX_PLAYERS, np.int64)
    islands = np.zeros(MAX_PLAYERS, np.int64)
    longest = np.zeros(MAX_PLAYERS, np.int64)
    for seat in range(state.players):
        steps = state.final_steps[seat]
        fame, gold = ship_penalty(tables, state, seat)
        paid = min(gold, int(state.gold[seat]))
        state.gold[seat] -= paid
        steps[SHIPS_STEP] = -fame - (gold - paid)
        gold_per_fame = gold_for_one_fame(tables, state, seat)
        steps[GOLD_STEP] = state.gold[seat] // gold_per_fame
        state.gold[seat] -= steps[GOLD_STEP] * gold_per_fame
        steps[FEEDING_STEP] = feeding(tables, state, seat)
        # V-SPEC-16
        boatsmen[seat] = state.pool[seat, tables.boatsman] + bonus(tables, state, seat, MAJORITY_BOATSMAN)
        islands[seat], longest[seat] = completed_islands(tables, state, seat)
    _majority(tables, state, boatsmen, BOATSMEN_STEP, tables.most_boatsmen_fame)
    _majority(tables, state, islands, ISLANDS_STEP, tables.most_islands_fame)
    _majority(tables, state, longest, LONGEST_STEP, tables.longest_island_fame)
    for seat in range(state.players):
        for step in range(state.final_steps.shape[1]):
            state.fame[seat] += state.final_steps[seat, step]
    _score_buildings(tables, state)


@compiled
def _majority(tables, state, counts, step, fame):
    """All seats with the highest count get the bonus; a highest count of zero pays nobody. V-FINAL-4..7."""
    most = 0
    for seat in range(state.players):
        most = max(most, counts[seat])
    for seat in range(state.players):
        if counts[seat] == most and (most > 0 or tables.zero_majority_scores):
            state.final_steps[seat, step] = fame


@compiled
def scores(tables, state, out):
    """Fame of every seat. V-END-1."""
    for seat in range(state.players):
        out[seat] = state.fame[seat]


@compiled
def ranks(tables, state, out):
    """Places from 1 by fame, then gold left; equal seats share a place and the next is skipped. V-END-2, -3."""
    for seat in range(state.players):
        out[seat] = 1
        for other in range(state.players):
            if state.fame[other] > state.fame[seat] or (
                state.fame[other] == state.fame[seat] and state.gold[other] > state.gold[seat]
            ):
                out[seat] += 1
