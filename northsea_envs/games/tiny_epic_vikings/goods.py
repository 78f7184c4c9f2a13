"""Resources, and the actions that only move them or fury: Harvest, Collect, Exchange, Fury Adjust. Sections 6 and 7."""

from northsea_envs.games.tiny_epic_vikings.actions import (
    PAIR_GAINS,
    PAIR_LOSES,
    PASS,
    amount_1,
    fury_0,
    pair_0,
    resource_0,
)
from northsea_envs.games.tiny_epic_vikings.state import (
    ACTION_DONE,
    EXCHANGE_AMOUNT,
    FOOD,
    GOODS,
    NOWHERE,
    PAIRS,
    RUNES,
    SLOTS,
)
from northsea_envs.jit import compiled


@compiled
def gain(tables, state, seat, good, amount):
    """What would be above the limit is lost. T-RES-1, T-RES-2."""
    state.resources[seat, good] = min(state.resources[seat, good] + amount, tables.resource_max)


@compiled
def gain_bag(tables, state, seat, bag):
    """T-RES-2, T-COLL-1, T-FAVOR-2."""
    for good in range(GOODS):
        gain(tables, state, seat, good, bag[good])


@compiled
def begin_harvest(tables, state):
    """What built boats and temples add: the fixed food first. T-HARV-1, T-HARV-2, T-HARV-3."""
    for slot in range(SLOTS):
        if state.built[state.actor, slot]:
            gain(tables, state, state.actor, FOOD, tables.slot_food_bonus[slot])
            state.left += tables.slot_any_bonus[slot]


@compiled
def legal_resources(tables, mask):
    """DP-13. T-HARV-1"""
    mask[PASS] = 1
    for good in range(GOODS):
        mask[resource_0(tables) + good] = 1
    return 1 + GOODS


@compiled
def harvest(tables, state, good):
    """T-HARV-1"""
    gain(tables, state, state.actor, good, 1)
    state.left -= 1
    if state.left == 0:
        state.phase = ACTION_DONE


@compiled
def most_exchanged(tables, state, seat, pair):
    """T-EXCH-1"""
    held, room = state.resources[seat, PAIR_LOSES[pair]], tables.resource_max - state.resources[seat, PAIR_GAINS[pair]]
    return min(held, room)


@compiled
def can_exchange(tables, state, seat):
    """Whether there is a legal pair."""
    for pair in range(PAIRS):
        if most_exchanged(tables, state, seat, pair) > 0:
            return True
    return False


@compiled
def legal_pairs(tables, state, mask):
    """DP-18. T-EXCH-1"""
    count = 0
    for pair in range(PAIRS):
        if most_exchanged(tables, state, state.actor, pair) > 0:
            mask[pair_0(tables) + pair] = 1
            count += 1
    return count


@compiled
def choose_pair(state, pair):
    """It changes nothing yet."""
    state.pair = pair
    state.phase = EXCHANGE_AMOUNT


@compiled
def legal_amounts(tables, state, mask):
    """DP-18. T-EXCH-1"""
    most = most_exchanged(tables, state, state.actor, int(state.pair))
    for k in range(most):
        mask[amount_1(tables) + k] = 1
    return most


@compiled
def exchange(state, amount):
    """T-EXCH-1"""
    state.resources[state.actor, PAIR_LOSES[state.pair]] -= amount
    state.resources[state.actor, PAIR_GAINS[state.pair]] += amount
    state.phase = ACTION_DONE


@compiled
def legal_fury(tables, state, mask):
    """DP-22: one god, one direction. T-FADJ-1, T-FURY-1."""
    mask[PASS] = 1
    count = 1
    for choice in range(2 * len(RUNES)):
        if state.fury_choice not in (NOWHERE, choice):
            continue
        if choice % 2 == 0 or state.fury[choice // 2] > tables.fury_min:
            mask[fury_0(tables) + choice] = 1
            count += 1
    return count


@compiled
def move_fury(state, choice):
    """One step. T-FADJ-1"""
    state.fury[choice // 2] += -1 if choice % 2 else 1
    state.fury_choice = choice
    state.left -= 1
    if state.left == 0:
        state.phase = ACTION_DONE
