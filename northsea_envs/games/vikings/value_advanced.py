"""What the evaluation adds in the advanced game: special tiles, bids, and colours that may become cheap or dear.

The weights come from tables/value.csv, as in ``value.py``.
"""

import math

from northsea_envs.games.vikings.scoring import threatened_rows
from northsea_envs.games.vikings.special_tiles import bonus, replaceable
from northsea_envs.games.vikings.state import (
    ADVANCED,
    AUCTION,
    FISHERMAN_FAME,
    FISHERMEN,
    FULL_TRIP,
    GAIN_GOLD,
    GOLD_PER_FAME,
    GOLDSMITH_GOLD,
    GOLDSMITHS,
    ISLAND_ROWS,
    LAY_COLOUR,
    MAJORITY_BOATSMAN,
    NOBLE_FAME,
    NOBLES,
    SCOUT_FAME,
    SCOUTS,
    SPECIAL_SLOTS,
    SURPLUS_FOOD_FAME,
    WARRIORS,
    WHEEL_SPACES,
)
from northsea_envs.games.vikings.weights import (
    BID_STEEPNESS,
    BOAT,
    BUILDING_AHEAD,
    BUILDING_GROWTH,
    BUILDING_RISK,
    BUILDING_THREATENED,
    COIN_NOW,
    COLOUR_PRICE,
    FIGURE_SAFE,
    FIGURE_THREATENED,
    FIGURES_TO_COME,
    FISH,
    HORN,
    MARKER,
    STAYING,
    USUAL_BID,
)
from northsea_envs.jit import compiled, compiled_for


@compiled_for(ADVANCED, otherwise=0)
def single_trips(tables, state, seat, loads):
    """How many of ``loads`` trips can move one viking only, after spending every boat tile. V-ADV-2, V-SPEC-12."""
    if not tables.limited_boatsmen:
        return 0
    boats = bonus(tables, state, seat, FULL_TRIP) + (state.seat == seat and state.boat_spent != 0)
    return max(loads - boats, 0)


@compiled_for(ADVANCED, otherwise=0.0)
def special_worth(tables, state, seat, payments, large, purchases, later):
    """Fame that the special tiles of one seat will bring, beside what counts elsewhere: horns, fish, the gold rate."""
    if not tables.special_tiles:
        return 0.0
    total = 0.0
    for kind in range(len(tables.special_effect)):
        effect = tables.special_effect[kind]
        if effect in (MAJORITY_BOATSMAN, SURPLUS_FOOD_FAME, GOLD_PER_FAME):
            continue
        for _ in range(state.special_held[seat, kind]):
            total += _tile_worth(tables, state, seat, kind, payments, large, purchases, later)
    for column in range(state.width[seat]):
        for row in range(ISLAND_ROWS):
            if state.special_cell[seat, row, column]:
                kind = state.special_cell[seat, row, column] - 1
                total += _building_worth(tables, state, seat, kind, row, column, later)
    if state.seat == seat and state.special_due:
        best = 0.0
        for place in range(SPECIAL_SLOTS):
            if state.special_display[place]:
                kind = state.special_display[place] - 1
                best = max(best, _tile_worth(tables, state, seat, kind, payments, large, purchases, later))
        total += best
    return total


@compiled
def _tile_worth(tables, state, seat, kind, payments, large, purchases, later):
    """Of one tile beside the homeland, or of taking it."""
    effect = tables.special_effect[kind]
    magnitude = int(tables.special_magnitude[kind])
    if effect == GAIN_GOLD:
        return tables.weights[COIN_NOW] * magnitude
    if effect == GOLDSMITH_GOLD:
        return tables.weights[COIN_NOW] * magnitude * payments * _figures(tables, state, seat, GOLDSMITHS, purchases)
    if effect == NOBLE_FAME:
        return magnitude * large * _figures(tables, state, seat, NOBLES, purchases)
    if effect == SCOUT_FAME:
        return magnitude * large * _figures(tables, state, seat, SCOUTS, purchases)
    if effect == FISHERMAN_FAME:
        return magnitude * large * _figures(tables, state, seat, FISHERMEN, purchases)
    if effect == FULL_TRIP:
        return tables.weights[BOAT] * later * (tables.limited_boatsmen != 0)
    if effect == MAJORITY_BOATSMAN:
        return tables.weights[HORN] * (1 - 0.5 * later) * magnitude
    if effect == SURPLUS_FOOD_FAME:
        return tables.weights[FISH] * later
    if effect == GOLD_PER_FAME:
        return max(int(state.gold[seat]), 6) * (1 / magnitude - 1 / tables.gold_per_fame)
    best = tables.weights[BUILDING_AHEAD] * later
    for row in range(ISLAND_ROWS):
        for column in range(state.width[seat]):
            if replaceable(tables, state, seat, kind, row, column):
                best = max(best, _building_worth(tables, state, seat, kind, row, column, later))
    return best


@compiled
def _figures(tables, state, seat, row, purchases):
    """Figures of one row that a bonus will count in a usual scoring to come."""
    w = tables.weights
    count = w[FIGURES_TO_COME] * purchases
    for column in range(state.width[seat]):
        if state.viking[seat, row, column]:
            count += w[FIGURE_THREATENED] if threatened_rows(tables, state, seat, column) > row else w[FIGURE_SAFE]
    return count


@compiled
def _building_worth(tables, state, seat, kind, row, column, later):
    """Of a building tile in this cell: vikings around it, and room for more, if no ship threatens it."""
    around = 0.0
    for r in range(max(row - 1, 0), min(row + 2, ISLAND_ROWS)):
        for c in range(max(column - 1, 0), column + 2):
            if c < state.tile.shape[2]:
                around += 1.0 if state.viking[seat, r, c] else tables.weights[BUILDING_GROWTH] * later
    fame = min(around * int(tables.special_magnitude[kind]), float(tables.building_score_max))
    if threatened_rows(tables, state, seat, column) > row:
        return fame * tables.weights[BUILDING_THREATENED] * later
    return fame * (1 - tables.weights[BUILDING_RISK] * later)


@compiled_for(ADVANCED, otherwise=0.0)
def winning_chance(tables, state, seat):
    """Chance that ``seat`` gets the start player's marker in the auction under way, as far as the bids tell."""
    if state.phase != AUCTION:
        return 0.0
    bid, bidder = standing(state)
    if seat != bidder:
        return 0.0
    chance = 1.0
    for other in range(state.players):
        if other != bidder and not state.passed[other]:
            chance /= 1 + math.exp(tables.weights[BID_STEEPNESS] * (tables.weights[USUAL_BID] - bid))
    return chance


@compiled_for(ADVANCED, otherwise=0)
def bid_at_risk(tables, state, seat):
    """What ``seat`` pays if it wins the auction under way."""
    if state.phase != AUCTION:
        return 0
    bid, bidder = standing(state)
    return bid if seat == bidder else 0


@compiled
def standing(state):
    """The highest bid and whose it is; one that is being named counts as the lowest that it can become."""
    if state.pending_raise:
        return int(state.standing_bid) + int(state.pending_raise) + 1, int(state.seat)
    return int(state.standing_bid), int(state.standing_bidder)


@compiled_for(ADVANCED, otherwise=0.0)
def offer_worth(tables, state, seat, payments, large):
    """What the marker, and the colours as they lie or will lie, mean for one seat before buying begins."""
    if state.phase > LAY_COLOUR:
        return 0.0
    w = tables.weights
    if state.phase == AUCTION:
        # Staying in is worth a little.
        return w[MARKER] * winning_chance(tables, state, seat) + w[STAYING] * (state.passed[seat] == 0)
    total = w[MARKER] if seat == state.start_player else 0.0
    for colour in range(len(state.drawn)):
        if state.drawn[colour]:
            wanted = int(state.drawn[colour]) * _wanted(tables, state, seat, colour, payments, large)
            total += w[COLOUR_PRICE] * 0.5 * wanted
    for space in range(WHEEL_SPACES):
        if state.wheel_viking[space]:
            wanted = _wanted(tables, state, seat, state.wheel_viking[space] - 1, payments, large)
            total += w[COLOUR_PRICE] * (0.5 - space / (WHEEL_SPACES - 1)) * wanted
    return total


@compiled
def _wanted(tables, state, seat, colour, payments, large):
    """How much a seat would like a figure of this colour, roughly in fame."""
    row = tables.home_row[colour]
    if row < 0:
        waiting = 0
        for r in range(ISLAND_ROWS):
            waiting += int(state.pool[seat, tables.row_colour[r]])
        return 1.0 + min(waiting, 4)
    if row == NOBLES:
        return (tables.noble_fame + bonus(tables, state, seat, NOBLE_FAME)) * large
    if row == SCOUTS:
        return (tables.scout_fame + 1 + bonus(tables, state, seat, SCOUT_FAME)) * large
    if row == GOLDSMITHS:
        gold = tables.goldsmith_gold + bonus(tables, state, seat, GOLDSMITH_GOLD)
        return tables.weights[COIN_NOW] * gold * payments
    if row == FISHERMEN:
        mouths = 0
        for colour_waiting in range(len(state.drawn)):
            mouths += int(state.pool[seat, colour_waiting])
        return 5.0 + bonus(tables, state, seat, FISHERMAN_FAME) * large + 0.2 * mouths
    unrepelled = 0
    for column in range(state.ship.shape[1]):
        unrepelled += state.ship[seat, column] != 0 and state.viking[seat, WARRIORS, column] == 0
    return 1.5 + 2.0 * min(unrepelled, 3)
