"""How good a position looks for one seat: for greedy play, search and reward shaping.

What the advanced game adds is in ``value_advanced.py``.

Each seat's final fame is estimated from what lies open: what its figures will earn in the scorings still to come, how
safe they stand, what its gold will buy, what waiting figures are worth, ships, islands, majorities and feeding. The
value is the mean over the opponents of the chance to end ahead of them. The weights come from tables/value.csv.
"""

import math

import numpy as np

from northsea_envs.games.vikings.rules import cell_fits
from northsea_envs.games.vikings.scoring import gold_for_one_fame, ranks
from northsea_envs.games.vikings.special_tiles import bonus, rate
from northsea_envs.games.vikings.state import (
    CELL,
    FISHERMEN,
    GOLDSMITHS,
    ISLAND_ROWS,
    LEFT_END,
    MAJORITY_BOATSMAN,
    MAX_PLAYERS,
    NOBLES,
    RIGHT_END,
    SCOUTS,
    SHIP,
    SHIP_COLUMN,
    START_ROW,
    SURPLUS_FOOD_FAME,
    TRIP,
    VIKING,
    WARRIORS,
    WHEEL_SPACES,
)
from northsea_envs.games.vikings.value_advanced import (
    bid_at_risk,
    offer_worth,
    single_trips,
    special_worth,
    winning_chance,
)
from northsea_envs.games.vikings.weights import (
    BOATSMEN_LEAD,
    CLOSING,
    COIN,
    COIN_NEED,
    FIGURE_FOOD,
    FIGURE_GOLD,
    ISLANDS_LEAD,
    LEAD_LATER,
    LENGTH_LEAD,
    MOUTHS_TO_COME,
    OPEN_ISLAND,
    OPEN_LENGTH,
    PRICE,
    REPELLED_IN_TIME,
    REPELLED_LATER,
    SCALE,
    SCALE_END,
    SCOUT_AHEAD,
    SCOUT_TO_COME,
    SHIP_GOLD,
    SHIP_GOLD_LOST,
    SHIP_THREAT,
    THREAT_AHEAD,
    TIE,
    UNUSED_TILE,
    WAITING,
    WAITING_LEAST,
    WAITING_WITH_BOAT,
    WARRIOR_AHEAD,
    WARRIOR_AHEAD_END,
    WARRIOR_GOLD,
)
from northsea_envs.jit import compiled

# What is reckoned by island row, float64 (BY_ROW, ISLAND_ROWS): how many of the ships reach the row, the same for all
# seats; then of a seat, what one more figure is worth on its best empty tile, how many tiles are empty, the chance in
# the column under way that a figure is out of threat when it scores, and how many figures wait.
REACH, WORTH, ROOM, SAFE, WAIT, BY_ROW = range(6)


@compiled
def value(tables, state, seat):
    """Between 0 and 1: the mean over the opponents of the chance to end ahead; at the end exactly that."""
    players = int(state.players)
    total = 0.0
    if state.seat < 0:
        places = np.empty(MAX_PLAYERS, np.int64)
        ranks(tables, state, places)
        for other in range(players):
            if other != seat:
                total += 0.5 + 0.5 * (int(places[seat] < places[other]) - int(places[seat] > places[other]))
        return total / (players - 1)
    rounds = len(tables.large_scoring)
    done = (state.round_number - 1 + (WHEEL_SPACES - state.sets_left) / WHEEL_SPACES) / rounds
    fame = np.empty(MAX_PLAYERS)
    counts = np.empty((MAX_PLAYERS, 3))
    rows = np.empty((BY_ROW, ISLAND_ROWS))
    every_ship, ship_worth = _fleet(tables, rows)
    for k in range(players):
        fame[k] = _fame_to_come(tables, state, k, done, every_ship, ship_worth, rows, counts)
    _add_majorities(tables, players, done, counts, fame)
    scale = tables.weights[SCALE_END] + tables.weights[SCALE] * (1 - done)
    for other in range(players):
        if other != seat:
            total += 1 / (1 + math.exp((fame[other] - fame[seat]) / scale))
    return total / (players - 1)


@compiled
def _add_majorities(tables, players, done, counts, fame):
    """Expected bonuses for boatsmen, islands and longest island, by distance to the best other seat."""
    w = tables.weights
    for k in range(3):
        bonus = tables.most_boatsmen_fame
        steepness = w[BOATSMEN_LEAD]
        if k == 1:
            bonus = tables.most_islands_fame
            steepness = w[ISLANDS_LEAD]
        elif k == 2:
            bonus = tables.longest_island_fame
            steepness = w[LENGTH_LEAD]
        steepness += w[LEAD_LATER] * done
        for seat in range(players):
            best = 0.0
            for other in range(players):
                if other != seat:
                    best = max(best, counts[other, k])
            # A tie pays too, hence the part of a step.
            fame[seat] += bonus / (1 + math.exp(-2 * steepness * (counts[seat, k] - best + w[TIE])))


@compiled
def _fleet(tables, rows):
    """How many ships there are and what one is worth on average; fills REACH."""
    every_ship, ship_worth = 0, 0.0
    rows[REACH] = 0.0
    for kind in range(len(tables.piece)):
        if tables.piece[kind] == SHIP:
            every_ship += tables.tile_count[kind]
            ship_worth += tables.tile_count[kind] * (
                tables.ship_fame[kind] + tables.weights[SHIP_GOLD] * tables.ship_gold[kind]
            )
            for row in range(tables.reach_last[kind] + 1):
                rows[REACH, row] += tables.tile_count[kind]
    for row in range(ISLAND_ROWS):
        rows[REACH, row] /= every_ship
    return every_ship, ship_worth / every_ship


@compiled
def _fame_to_come(tables, state, seat, done, every_ship, ship_worth, rows, counts):
    """Estimated final fame of one seat without the majorities, whose counts go to its row of ``counts``."""
    w = tables.weights
    rounds = len(tables.large_scoring)
    columns = int(tables.columns[state.players])
    payments, large = 0, 0
    for k in range(state.round_number - 1, rounds):
        payments += 1
        large += tables.large_scoring[k]
    if state.phase == TRIP and (seat - state.start_player) % state.players < state.scorings_done:
        payments -= 1
        large -= 1
    purchases = rounds * int(tables.purchases_each[state.players]) - int(state.purchases[seat])
    first_hidden = state.round_number * WHEEL_SPACES
    # Ships still to be bought by this seat, if they spread evenly.
    more_ships = every_ship * (len(state.stack) - first_hidden + state.sets_left) / len(state.stack) / state.players
    later = 1 - done

    for row in range(ISLAND_ROWS):
        rows[WORTH, row] = 0.0
        rows[ROOM, row] = 0.0
        rows[WAIT, row] = state.pool[seat, tables.row_colour[row]]
    income_gold, income, food = 0.0, 0.0, 0.0
    mouths = 0.0
    viking = state.viking[seat]
    width = int(state.width[seat])
    for column in range(width):
        _safety(tables, state, seat, column, more_ships, later, rows)
        for row in range(ISLAND_ROWS):
            if state.tile[seat, row, column] == 0:
                continue
            gold, fame, fed = _figure(tables, state, seat, row, column, rows, payments, large, more_ships, ship_worth)
            if viking[row, column]:
                mouths += 1
                income_gold += gold
                income += fame
                food += fed
            else:
                rows[ROOM, row] += 1
                income += w[UNUSED_TILE] * later
                rows[WORTH, row] = max(rows[WORTH, row], fame + w[FIGURE_GOLD] * gold + w[FIGURE_FOOD] * fed)

    # Ships that cost their value at the end unless a warrior comes.
    penalty = 0.0
    for column in range(state.ship.shape[1]):
        ship = int(state.ship[seat, column])
        if ship and not viking[WARRIORS, column]:
            penalty += _ship_loss(tables, ship - 1, later)

    # Waiting figures: boatsmen carry the best loads.
    boats = int(state.pool[seat, tables.boatsman])
    for row in range(ISLAND_ROWS):
        mouths += rows[WAIT, row]
    mouths += boats
    pending = 0.0
    if state.seat == seat:
        pending = _pending(tables, state, seat, columns, more_ships, later, payments, large, ship_worth, rows)
        if state.bought_viking:
            mouths += 1
            boats += state.bought_viking - 1 == tables.boatsman
    carried = 0.0
    loads = boats + (state.trip_moves != 0 and state.seat == seat)
    if large > 0:
        single = single_trips(tables, state, seat, loads)
        carried = _best_loads(rows, loads - single) + _single_loads(rows, single)
    for row in range(ISLAND_ROWS):
        carried += w[WAITING] * later * rows[WAIT, row] * max(rows[WORTH, row], w[WAITING_LEAST] * later)

    spare = food - mouths - w[MOUTHS_TO_COME] * purchases
    special_rate = rate(tables, state, seat, SURPLUS_FOOD_FAME)
    surplus = special_rate if special_rate else tables.surplus_food_fame
    feeding = spare * (surplus if spare > 0 else -tables.short_food_fame)

    bid = winning_chance(tables, state, seat) * bid_at_risk(tables, state, seat)
    bid_in_gold = min(bid, state.gold[seat])
    gold = state.gold[seat] - bid_in_gold + income_gold
    need = w[PRICE] * purchases
    total = state.fame[seat] - (bid - bid_in_gold)
    total += w[COIN] * tables.gold_per_fame / gold_for_one_fame(tables, state, seat) * gold
    if need > 0:
        total += w[COIN_NEED] * need * (1 - math.exp(-gold / need))
    islands, longest = _islands(tables, state, seat, later)
    counts[seat, 0] = boats + bonus(tables, state, seat, MAJORITY_BOATSMAN)
    counts[seat, 1] = islands
    counts[seat, 2] = longest
    total += special_worth(tables, state, seat, payments, large, purchases, later)
    total += offer_worth(tables, state, seat, payments, large)
    return total + income + pending + carried * w[WAITING_WITH_BOAT] + feeding - penalty


@compiled
def _best_loads(rows, loads):
    """Worth of what ``loads`` boatsmen can move, each taking the better of one colour and one of each. V-FERRY-3."""
    total = 0.0
    for _ in range(min(loads, 4)):
        several, best, best_row = 0.0, 0.0, -1
        for row in range(ISLAND_ROWS):
            fits = min(rows[WAIT, row], rows[ROOM, row])
            if fits and rows[WORTH, row] > 0:
                several += rows[WORTH, row]
                if fits * rows[WORTH, row] > best:
                    best = fits * rows[WORTH, row]
                    best_row = row
        if several <= 0:
            break
        if best >= several:
            total += best
            fits = min(rows[WAIT, best_row], rows[ROOM, best_row])
            rows[WAIT, best_row] -= fits
            rows[ROOM, best_row] -= fits
        else:
            total += several
            for row in range(ISLAND_ROWS):
                if min(rows[WAIT, row], rows[ROOM, row]) and rows[WORTH, row] > 0:
                    rows[WAIT, row] -= 1
                    rows[ROOM, row] -= 1
    return total


@compiled
def _single_loads(rows, loads):
    """Worth of what ``loads`` boatsmen can move who carry one figure each. V-ADV-2."""
    total = 0.0
    for _ in range(loads):
        best = -1
        for row in range(ISLAND_ROWS):
            if (
                min(rows[WAIT, row], rows[ROOM, row])
                and rows[WORTH, row] > 0
                and (best < 0 or rows[WORTH, row] > rows[WORTH, best])
            ):
                best = row
        if best < 0:
            break
        total += rows[WORTH, best]
        rows[WAIT, best] -= 1
        rows[ROOM, best] -= 1
    return total


@compiled
def _safety(tables, state, seat, column, more_ships, later, rows):
    """Fill SAFE with the chance that a figure in this column is out of threat when it scores."""
    if state.viking[seat, WARRIORS, column]:
        rows[SAFE] = 1.0
        return
    w = tables.weights
    ship = int(state.ship[seat, column]) if column < state.ship.shape[1] else 0
    if ship:
        for row in range(ISLAND_ROWS):
            rows[SAFE, row] = w[REPELLED_IN_TIME] * later if tables.reach_last[ship - 1] >= row else 1.0
        return
    threat = w[THREAT_AHEAD] * _ship_coming(state, seat, column, more_ships)
    for row in range(ISLAND_ROWS):
        rows[SAFE, row] = 1 - threat * rows[REACH, row]


@compiled
def _ship_coming(state, seat, column, more_ships):
    """Chance that a ship will yet come to this column."""
    return 1 / (1 + math.exp(1.2 * (column + 0.5 - state.ships[seat] - more_ships)))


@compiled
def _ship_loss(tables, kind, later):
    """Fame that a ship without a warrior may cost at the end."""
    w = tables.weights
    return (tables.ship_fame[kind] + w[SHIP_GOLD_LOST] * tables.ship_gold[kind]) * (1 - w[REPELLED_LATER] * later)


@compiled
def _figure(tables, state, seat, row, column, rows, payments, large, more_ships, ship_worth):
    """What a figure in this cell earns from now on: gold, fame, food."""
    w = tables.weights
    if row == WARRIORS:
        ship = int(state.ship[seat, column]) if column < state.ship.shape[1] else 0
        if ship:
            # Scored at each large scoring and spared at the end.
            gold = tables.ship_gold[ship - 1] * (large + w[WARRIOR_GOLD])
            return gold, tables.ship_fame[ship - 1] * (large + 1.0), 0.0
        coming = _ship_coming(state, seat, column, more_ships)
        return 0.0, coming * ship_worth * (w[WARRIOR_AHEAD] * large + w[WARRIOR_AHEAD_END]), 0.0
    if row == NOBLES:
        return 0.0, tables.noble_fame * large * rows[SAFE, row], 0.0
    if row == SCOUTS:
        fame = tables.scout_fame
        if state.viking[seat, GOLDSMITHS, column]:
            fame += tables.scout_goldsmith_fame
        if state.viking[seat, FISHERMEN, column]:
            fame += tables.scout_fisherman_fame
        return 0.0, (fame + w[SCOUT_AHEAD]) * large * rows[SAFE, row], 0.0
    scout = 0.0
    if state.viking[seat, SCOUTS, column]:
        scout = 1.0
    to_come = large * w[SCOUT_TO_COME] * (1 - scout)
    if row == GOLDSMITHS:
        return tables.goldsmith_gold * payments * rows[SAFE, row], tables.scout_goldsmith_fame * to_come, 0.0
    return 0.0, tables.scout_fisherman_fame * to_come, tables.food_per_fisherman * rows[SAFE, row]


@compiled
def _pending(tables, state, seat, columns, more_ships, later, payments, large, ship_worth, rows):
    """Worth of the bought set not placed yet, at its best place; its viking joins those who WAIT where it must."""
    if state.phase not in (START_ROW, CELL, SHIP_COLUMN, VIKING) or state.bought_viking == 0:
        return 0.0
    w = tables.weights
    home = tables.home_row[state.bought_viking - 1]
    if state.phase == VIKING:
        row, column = int(state.placed_row), int(state.placed_column)
        _safety(tables, state, seat, column, more_ships, later, rows)
        gold, fame, fed = _figure(tables, state, seat, row, column, rows, payments, large, more_ships, ship_worth)
        return fame + w[FIGURE_GOLD] * gold + w[FIGURE_FOOD] * fed
    kind = state.bought_tile - 1
    if tables.piece[kind] == SHIP:
        if home >= 0:
            rows[WAIT, home] += 1
        return -_ship_loss(tables, kind, later) - w[SHIP_THREAT] * later
    best = -1.0
    best_on = False
    if state.phase == START_ROW:
        if home >= 0:
            column = 0 if tables.piece[kind] == LEFT_END else 1
            _safety(tables, state, seat, column, more_ships, later, rows)
            gold, fame, fed = _figure(tables, state, seat, home, column, rows, payments, large, more_ships, ship_worth)
            return fame + w[FIGURE_GOLD] * gold + w[FIGURE_FOOD] * fed
        return 0.0
    home_tile = state.tile[seat]
    for row in range(ISLAND_ROWS):
        for column in range(min(state.width[seat] + 1, columns)):
            if not cell_fits(tables, home_tile, kind, row, column, columns):
                continue
            gain = w[UNUSED_TILE] * later
            if tables.piece[kind] == RIGHT_END:
                k = column - 1
                while k >= 0 and home_tile[row, k] and tables.piece[home_tile[row, k] - 1] != LEFT_END:
                    k -= 1
                if k >= 0 and home_tile[row, k]:
                    gain += w[CLOSING]
            if row == home:
                _safety(tables, state, seat, column, more_ships, later, rows)
                gold, fame, fed = _figure(
                    tables, state, seat, row, column, rows, payments, large, more_ships, ship_worth
                )
                gain += fame + w[FIGURE_GOLD] * gold + w[FIGURE_FOOD] * fed
            if gain > best:
                best = gain
                best_on = row == home
    if home >= 0 and not best_on:
        rows[WAIT, home] += 1
    return max(best, 0.0)


@compiled
def _islands(tables, state, seat, later):
    """Completed islands and longest island, those begun counted in part."""
    w = tables.weights
    islands, longest = 0.0, 0.0
    for row in range(ISLAND_ROWS):
        run = 0
        for column in range(state.width[seat] + 1):
            tile = int(state.tile[seat, row, column]) if column < state.tile.shape[2] else 0
            if tile == 0:
                if run:
                    islands += w[OPEN_ISLAND] * later
                    longest = max(longest, w[OPEN_LENGTH] * later * run)
                run = 0
            elif tables.piece[tile - 1] == LEFT_END:
                run = 1
            elif run:
                run += 1
                if tables.piece[tile - 1] == RIGHT_END:
                    islands += 1
                    longest = max(longest, float(run))
                    run = 0
    return islands, longest
