"""What the holdings of a seat will score and may still earn: the greater part of :mod:`value`.

Holdings are given beside the state, so that a change can be weighed without making it: a *purse* (goods, number of
cards and armour, by resource), a crew by kind, and the colour of the worker in hand. Most of what they may earn comes
from *plans*: for each settlement, what a raid would bring as the seat now stands, the less the more turns of work it
still takes. What follows from the crew is mustered once and kept, since most changes leave it as it is. The weights
come from tables/value.csv.
"""

import math

import numpy as np

from northsea_envs.games.raiders.state import (
    ARMOUR,
    BUILDING_EXTRA,
    BUILDINGS,
    CARD,
    DEATH_GAIN_GOLD,
    DEATH_GAIN_VP,
    DEATH_OPPONENT_LOSES_CREW,
    DEATH_RETURN_TO_HAND,
    DIE_FACES,
    DISPLAY,
    END_VP,
    END_VP_PER_LIVESTOCK,
    END_VP_PER_OFFERING,
    EVERY_RAID,
    FORTRESS,
    GOLD,
    GOODS,
    GREY,
    HIRE_DISCOUNT,
    IRON,
    LIVESTOCK,
    MAIN,
    NO_WORKER,
    PLUNDER_KINDS,
    PROVISION,
    RAID_LESS_GOLD,
    RAID_LESS_PROVISION,
    RAID_REROLL,
    RAID_STRENGTH,
    RAID_VP,
    SETTLEMENT_TYPES,
    SILVER,
    STRENGTH_PER_ARMOUR,
    STRENGTH_PER_OTHER_CREW,
    STRENGTH_PER_VALKYRIE,
    VALKYRIE,
    WHITE,
)
from northsea_envs.games.raiders.weights import (
    ARMOUR_SHARE,
    CARD_MEMBER,
    CARD_PRICE,
    CARD_WORTH,
    DEATH_WORTH,
    DELAY,
    DISCOUNT_WORTH,
    ENOUGH,
    EXTRA_WORTH,
    FOOD_A_TURN,
    GOLD_COST,
    GREY_WORTH,
    HALF_LIFE,
    LAST_FORTRESS,
    LIVESTOCK_TO_COME,
    LOST_CREW,
    MEMBER_END,
    MEMBER_RAID,
    MEMBER_WORTH,
    OFFERING_PLUNDER,
    OFFERING_SILVER,
    OFFERINGS_TO_COME,
    PACE,
    PLUNDER_EXTRA,
    PROVISION_COST,
    PROVISION_WORTH,
    REROLL_STRENGTH,
    SECOND_PLAN,
    SHARP_WIDTH,
    SILVER_A_HIRE,
    SILVER_WORTH,
    SLOW_PART,
    SLOW_WIDTH,
    STRENGTH_WORTH,
    THIRD_PLAN,
    TRACK_SHARE,
    TURNS_A_GOLD,
    TURNS_A_SILVER,
    TURNS_A_TOKEN,
    TURNS_TO_RECOLOUR,
    WHITE_WORTH,
)
from northsea_envs.jit import compiled

TYPES = len(SETTLEMENT_TYPES)
CLOSED = -1e6  # worth of a settlement without sets, and of a slot without a tile

# Holdings are one array, float64 (ROWS, columns), since every further array costs time in every call. Rows:
# PURSE by resource; BY_KIND, crew members by kind; SETS, the worth of the best set left by settlement; OFFERS, what
# tiles on display are worth; SEAT; FORCE, what the crew brings to raids, a row a settlement type; and what is mustered
# of the holdings as they are (NOW), and of those that are weighed against them (CHANGED).
PURSE, BY_KIND, SETS, OFFERS, SEAT, FORCE = range(6)
NOW = FORCE + TYPES
# Rows of what is mustered, by settlement: what a raid today would bring, and what it asks for; and of the whole crew.
RAID, PROVISIONS_ASKED, GOLD_ASKED, WHOLE = range(4)
CHANGED = NOW + WHOLE + 1
ROWS = CHANGED + WHOLE + 1
# Columns: of PURSE, goods, cards in hand and armour; of SEAT; of FORCE; of WHOLE.
PURSE_COLUMNS = ARMOUR + 1
TURNS, TILES = range(2)
STRENGTH, BONUS_VP, LESS_PROVISION, LESS_GOLD, REROLLS = range(5)
SIZE, WORTH, ARMED, HERD = range(4)


@compiled
def new_holdings(tables):
    """Room for the holdings of a seat."""
    return np.empty((ROWS, max(len(tables.card_count), len(tables.min_crew), PURSE_COLUMNS, DISPLAY)))


@compiled
def rounds_to_come(tables, state):
    """About how many turns each seat will still take, this one's included, before the final round."""
    w = tables.weights
    fortresses, valkyries = 0, 0
    for space in range(len(state.set_left)):
        fortresses += state.set_left[space] and tables.settlement_type[tables.space_settlement[space]] == FORTRESS
        valkyries += state.space_tokens[space, VALKYRIE]
    # Turns that each of the three ends is away, if all players hasten towards it as they usually do.
    pace = w[PACE] * state.players
    turns = min(
        (fortresses - tables.end_fortress_sets_left) / pace + w[LAST_FORTRESS],
        (state.stack_size - tables.end_offering_stack_left) / pace,
        (valkyries - tables.end_valkyrie_on_board) / pace,
    )
    return min(turns, 22.0) + 1.0


@compiled
def turns_to_come(tables, state, seat, rounds):
    """About how many turns a seat will still take after this one; in the final round exactly.

    ``rounds`` is what :func:`rounds_to_come` says.
    """
    under_way = seat == state.owner and state.phase != MAIN
    if state.final:
        away = (seat - state.owner) % state.players
        left = int(state.turns_left) - away
        turns = 0 if left <= 0 else (left + state.players - 1) // state.players
        return float(turns - under_way)
    return min(rounds, float(tables.max_turns_per_player - state.turns[seat])) - under_way


@compiled
def later(tables, turns):
    """How much of their full worth lasting things have with so many turns to come."""
    return turns / (turns + tables.weights[HALF_LIFE]) if turns > 0 else 0.0


@compiled
def _saturating(amount, enough):
    return enough * (1 - math.exp(-amount / enough)) if amount else 0.0


@compiled
def _ramp(gap, width):
    """0 to 1 as ``gap`` goes from -width to width."""
    return min(1.0, max(0.0, 0.5 + 0.5 * gap / width))


@compiled
def track_worth(tables, position, share):
    """VP of the Valkyrie track, and ``share`` of what the next two steps would add each."""
    w = tables.weights
    top = len(tables.valkyrie_vp) - 1
    here = tables.valkyrie_vp[min(position, top)]
    return here + w[TRACK_SHARE] * share * (tables.valkyrie_vp[min(position + 2, top)] - here)


@compiled
def set_worth(tables, state, seat, space, share):
    """What a set brings to its taker beside the VP of the raid."""
    w = tables.weights
    worth = 0.0
    for good in range(PLUNDER_KINDS):
        worth += state.space_tokens[space, good] * (0.5 if good == LIVESTOCK else 1.0)
        worth += state.space_tokens[space, good] * w[PLUNDER_EXTRA] * share
    return worth + kills_worth(tables, state, seat, int(state.space_tokens[space, VALKYRIE]), share)


@compiled
def kills_worth(tables, state, seat, valkyries, share):
    """What meeting so many Valkyries is worth: steps on the track, less the crew lost."""
    w = tables.weights
    met = min(valkyries, max(1, int(state.crew_size[seat])))
    position = int(state.valkyries[seat])
    steps = track_worth(tables, position + met, share) - track_worth(tables, position, share)
    return steps - met * w[LOST_CREW] * share


@compiled
def settlements_worth(tables, state, seat, share, holdings):
    """Fill SETS with the worth of the best set left at each settlement, CLOSED where there is none."""
    for settlement in range(len(tables.min_crew)):
        holdings[SETS, settlement] = CLOSED
        first = tables.first_space[settlement]
        for space in range(first, first + tables.space_count[settlement]):
            if state.set_left[space]:
                worth = set_worth(tables, state, seat, space, share)
                holdings[SETS, settlement] = max(holdings[SETS, settlement], worth)


@compiled
def holdings_worth(tables, state, holdings, colour, mustered):
    """Points of the holdings at the end, as they stand and as they may still grow.

    What was ``mustered``, NOW or CHANGED, must be of these holdings.
    """
    w = tables.weights
    turns = holdings[SEAT, TURNS]
    share = later(tables, turns)
    total = holdings[mustered + WHOLE, WORTH]
    armour = min(int(holdings[PURSE, ARMOUR]), len(tables.armour_vp) - 1)
    total += tables.armour_vp[armour]
    for position in range(armour + 1, min(armour + 3, len(tables.armour_vp))):
        total += w[ARMOUR_SHARE] * share * (tables.armour_vp[position] - tables.armour_vp[armour])
    total += holdings[PURSE, GOLD] / tables.gold_per_vp + holdings[PURSE, IRON] / tables.iron_per_vp
    if turns <= 0:
        return total + int(holdings[PURSE, LIVESTOCK]) // tables.livestock_per_vp
    total += holdings[PURSE, LIVESTOCK] / tables.livestock_per_vp
    if colour == GREY:
        total += w[GREY_WORTH] * share
    elif colour == WHITE:
        total += w[WHITE_WORTH] * share
    enough, plenty = w[ENOUGH], 3 * w[ENOUGH]
    plunder = _saturating(holdings[PURSE, GOLD], plenty) + _saturating(holdings[PURSE, IRON], plenty)
    total += share * w[PLUNDER_EXTRA] * (plunder + _saturating(holdings[PURSE, LIVESTOCK], plenty))
    silver = min(holdings[PURSE, SILVER], float(tables.limit_silver))
    provisions = min(holdings[PURSE, PROVISION], float(tables.limit_provision))
    cards = min(holdings[PURSE, CARD], float(tables.limit_hand))
    total += share * w[SILVER_WORTH] * _saturating(silver, enough)
    total += share * w[PROVISION_WORTH] * _saturating(provisions, enough)
    total += share * w[CARD_WORTH] * _saturating(cards, enough)
    return (
        total
        + _plans(tables, state, holdings, colour, turns, mustered)
        + _offering_plan(tables, state, holdings, turns)
    )


@compiled
def muster(tables, state, seat, holdings, mustered):
    """Fill the rows from ``mustered``, NOW or CHANGED, with what follows from crew, armour and livestock."""
    _muster_crew(tables, state, seat, holdings, mustered)
    _muster_raids(tables, holdings, mustered)


@compiled
def _muster_crew(tables, state, seat, holdings, mustered):
    """Fill FORCE, and WHOLE with the crew's size and its worth beside raids that are planned."""
    w = tables.weights
    share = later(tables, holdings[SEAT, TURNS])
    armour = holdings[PURSE, ARMOUR]
    for place in range(TYPES):
        for column in range(REROLLS + 1):
            holdings[FORCE + place, column] = 0.0
    size, total, per_other = 0, 0.0, 0.0
    for kind in range(len(tables.crew_code)):
        count = int(holdings[BY_KIND, kind])
        if count == 0:
            continue
        size += count
        total += count * w[MEMBER_WORTH] * share
        total += count * crew_worth(tables, kind, holdings, share)
        code, scope = tables.crew_code[kind], tables.crew_scope[kind]
        for place in range(TYPES):
            holdings[FORCE + place, STRENGTH] += count * tables.strength[kind]
            if scope != EVERY_RAID and scope != place:
                continue
            n, per = tables.crew_n[kind], tables.crew_per[kind]
            if code == RAID_STRENGTH:
                holdings[FORCE + place, STRENGTH] += count * n
            elif code == STRENGTH_PER_ARMOUR:
                holdings[FORCE + place, STRENGTH] += count * (int(armour) // per * n)
            elif code == STRENGTH_PER_VALKYRIE:
                holdings[FORCE + place, STRENGTH] += count * (state.valkyries[seat] // per * n)
            elif code == STRENGTH_PER_OTHER_CREW:
                holdings[FORCE + place, STRENGTH] -= count * n / per
                per_other += count * n / per
            elif code == RAID_VP:
                holdings[FORCE + place, BONUS_VP] += count * n
            elif code == RAID_LESS_PROVISION:
                holdings[FORCE + place, LESS_PROVISION] += count * n
            elif code == RAID_LESS_GOLD:
                holdings[FORCE + place, LESS_GOLD] += count * n
            elif code == RAID_REROLL:
                holdings[FORCE + place, REROLLS] += count * n
    strength = 0.0
    for place in range(TYPES):
        # An other-crew hero counts all, at every type: they differ by next to nothing.
        holdings[FORCE + place, STRENGTH] += per_other * size + armour
        strength += holdings[FORCE + place, STRENGTH] / TYPES
    holdings[mustered + WHOLE, SIZE] = size
    holdings[mustered + WHOLE, WORTH] = total + share * w[STRENGTH_WORTH] * strength
    holdings[mustered + WHOLE, ARMED] = armour
    holdings[mustered + WHOLE, HERD] = holdings[PURSE, LIVESTOCK]


@compiled
def _muster_raids(tables, holdings, mustered):
    """Fill in what raids done today would bring by FORCE, and what they ask for."""
    w = tables.weights
    die = 0.0
    for face in range(DIE_FACES):
        die += tables.die_face[face] / DIE_FACES
    for settlement in range(len(tables.min_crew)):
        if holdings[SETS, settlement] == CLOSED:
            holdings[mustered + RAID, settlement] = CLOSED
            continue
        place = tables.settlement_type[settlement]
        dice = tables.dice[settlement]
        strength = holdings[FORCE + place, STRENGTH] + die * dice
        if dice:
            strength += w[REROLL_STRENGTH] * holdings[FORCE + place, REROLLS]
        worth = tables.fixed_vp[settlement] + holdings[FORCE + place, BONUS_VP] + holdings[SETS, settlement]
        reached = 0
        for tier in range(tables.tiers[settlement]):
            gap = strength - tables.tier_strength[settlement, tier] + 0.5
            step = tables.tier_vp[settlement, tier] - reached
            reached = tables.tier_vp[settlement, tier]
            worth += step * ((1 - w[SLOW_PART]) * _ramp(gap, w[SHARP_WIDTH]) + w[SLOW_PART] * _ramp(gap, w[SLOW_WIDTH]))
        provisions = max(0.0, tables.provisions[settlement] - holdings[FORCE + place, LESS_PROVISION])
        gold = max(0.0, tables.gold[settlement] - holdings[FORCE + place, LESS_GOLD])
        holdings[mustered + RAID, settlement] = worth - (w[PROVISION_COST] * provisions + w[GOLD_COST] * gold)
        holdings[mustered + PROVISIONS_ASKED, settlement] = provisions
        holdings[mustered + GOLD_ASKED, settlement] = gold


@compiled
def crew_worth(tables, kind, holdings, share):
    """What one hired crew member is worth by effects outside raids."""
    w = tables.weights
    code, n = tables.crew_code[kind], tables.crew_n[kind]
    if code == END_VP:
        return float(n)
    if code == END_VP_PER_LIVESTOCK:
        return n * (holdings[PURSE, LIVESTOCK] + w[LIVESTOCK_TO_COME] * share) / tables.crew_per[kind]
    if code == END_VP_PER_OFFERING:
        return n * (holdings[SEAT, TILES] + w[OFFERINGS_TO_COME] * share) / tables.crew_per[kind]
    if code == BUILDING_EXTRA:
        return w[EXTRA_WORTH] * share * n
    if code == HIRE_DISCOUNT:
        return w[DISCOUNT_WORTH] * share * n
    if code in (DEATH_RETURN_TO_HAND, DEATH_GAIN_GOLD, DEATH_GAIN_VP, DEATH_OPPONENT_LOSES_CREW):
        return w[DEATH_WORTH] * share * n
    return 0.0


@compiled
def member_worth(tables, kind):
    """A rough measure to compare crew members by."""
    w = tables.weights
    worth = float(tables.strength[kind])
    code, n = tables.crew_code[kind], tables.crew_n[kind]
    if code in (RAID_STRENGTH, RAID_VP, END_VP, STRENGTH_PER_ARMOUR, STRENGTH_PER_OTHER_CREW, STRENGTH_PER_VALKYRIE):
        return worth + w[MEMBER_RAID] * n
    if code in (END_VP_PER_LIVESTOCK, END_VP_PER_OFFERING):
        return worth + w[MEMBER_END] * n
    return worth + 1.0 * n


@compiled
def card_quality(tables, kind):
    """How much better or worse a hand card is than the usual one."""
    w = tables.weights
    return w[CARD_MEMBER] * (member_worth(tables, kind) - 3.5) - w[CARD_PRICE] * (tables.hire_cost[kind] - 2.7)


@compiled
def _plans(tables, state, holdings, colour, turns, mustered):
    """The three best raids ahead, each less by the turns it is away."""
    w = tables.weights
    first, second, third = 0.0, 0.0, 0.0
    soonest = math.exp(-w[DELAY])
    # From the last, which bring most, so that few of the others need to be looked at: waiting never adds, as the ranges
    # of the weights have it.
    for settlement in range(len(tables.min_crew) - 1, -1, -1):
        worth = holdings[mustered + RAID, settlement]
        if worth * soonest <= third:
            continue
        wait = _turns_away(tables, state, holdings, colour, settlement, mustered)
        worth *= math.exp(-w[DELAY] * wait) * min(1.0, max(0.0, turns - wait + 1))
        if worth > first:
            first, second, third = worth, first, second
        elif worth > second:
            second, third = worth, second
        elif worth > third:
            third = worth
    return first + w[SECOND_PLAN] * second + w[THIRD_PLAN] * third


@compiled
def _turns_away(tables, state, holdings, colour, settlement, mustered):
    """About how many turns until a raid is done: one for itself, and the work that it still needs."""
    w = tables.weights
    food = max(0.0, holdings[mustered + PROVISIONS_ASKED, settlement] - holdings[PURSE, PROVISION]) / w[FOOD_A_TURN]
    mining = w[TURNS_A_GOLD] * max(0.0, holdings[mustered + GOLD_ASKED, settlement] - holdings[PURSE, GOLD])
    hires = max(0.0, tables.min_crew[settlement] - holdings[mustered + WHOLE, SIZE])
    money = max(0.0, w[SILVER_A_HIRE] * hires - holdings[PURSE, SILVER]) / 2.5
    cards = max(0.0, hires - holdings[PURSE, CARD]) / 2
    work = max(0.5 * (food + mining + hires + money + cards), max(food, mining, hires))
    if tables.settlement_takes[settlement, colour] == 0:
        near = False
        for building in range(BUILDINGS):
            there = state.building_worker[building]
            near = near or (there != NO_WORKER and tables.settlement_takes[settlement, there] > 0)
        work = max(work, w[TURNS_TO_RECOLOUR] if near else 2.5 * w[TURNS_TO_RECOLOUR])
    return 1.0 + work


@compiled
def offers_worth(tables, state, share, holdings):
    """Fill OFFERS with the worth of the tiles on display, CLOSED where there is none."""
    for slot in range(DISPLAY):
        tile = int(state.display[slot]) - 1
        holdings[OFFERS, slot] = offering_worth(tables, tile, share) if tile >= 0 else CLOSED


@compiled
def offering_worth(tables, tile, share):
    """Points that a tile adds beyond what its cost would score, whether or not it can be paid now."""
    w = tables.weights
    worth = float(tables.tile_vp[tile])
    worth -= tables.tile_cost[tile, GOLD] / tables.gold_per_vp + tables.tile_cost[tile, IRON] / tables.iron_per_vp
    worth -= tables.tile_cost[tile, LIVESTOCK] / tables.livestock_per_vp
    worth -= w[OFFERING_SILVER] * share * tables.tile_cost[tile, SILVER]
    for good in range(PLUNDER_KINDS):
        worth -= w[OFFERING_PLUNDER] * w[PLUNDER_EXTRA] * share * tables.tile_cost[tile, good]
    return worth


@compiled
def _offering_plan(tables, state, holdings, turns):
    """The best displayed tile, less by what is missing for it."""
    w = tables.weights
    best = 0.0
    for slot in range(DISPLAY):
        if holdings[OFFERS, slot] <= best:
            continue
        tile = int(state.display[slot]) - 1
        missing = 0.0
        for good in range(GOODS):
            short = max(0.0, tables.tile_cost[tile, good] - holdings[PURSE, good])
            missing += w[TURNS_A_SILVER] * short if good == SILVER else w[TURNS_A_TOKEN] * short
        wait = 1.0 + missing
        worth = holdings[OFFERS, slot] * math.exp(-w[DELAY] * wait)
        best = max(best, worth * min(1.0, max(0.0, turns - wait + 1)))
    return best
