"""What the rest of a turn may bring to the seat whose actions are offered or under way, for the evaluation."""

import numpy as np

from northsea_envs.games.tiny_epic_vikings.cards import requirement_met
from northsea_envs.games.tiny_epic_vikings.control import settlers_on_mat
from northsea_envs.games.tiny_epic_vikings.goods import can_exchange
from northsea_envs.games.tiny_epic_vikings.prospects import (
    action_worth,
    bag_worth,
    best_prize,
    chance,
    changed_chance,
    fight_strength,
    good_worth,
    hold_chance,
)
from northsea_envs.games.tiny_epic_vikings.state import (
    ACTION_DONE,
    BOAT_SLOTS,
    BOATS,
    BOON,
    BUILD,
    BUILD_AT,
    CLANS,
    COLLECT,
    DEPLOY,
    DISPLACE,
    ENEMY,
    ENTER_BATTLE,
    EXCHANGE,
    EXPLORE,
    FOOD,
    FROM_LEADER,
    GOODS,
    HARVEST,
    LEADER,
    NO_ACTION,
    NOWHERE,
    RUNE,
    SAIL,
    SAIL_BOAT,
    SLOTS,
    SMITE,
    STEEL,
    TEMPLE_EXPLORE,
    WOOD,
)
from northsea_envs.games.tiny_epic_vikings.turn import card_played, god_of
from northsea_envs.games.tiny_epic_vikings.weights import (
    BOAT_WORTH,
    BUILT_TURNS,
    ENTER_STRENGTH,
    FURTHER_STEP,
    LATER_RUNE_ACTION,
    RIVAL_WIDTH,
    SMITE_LEAST,
    TEMPLE_BONUS,
    VILLAGE,
)
from northsea_envs.jit import compiled

FAR = 99


@compiled
def pending_worth(tables, state, seat, islands, runes, left):
    """What a seat may still gain by the actions that it is offered, or is doing."""
    phase = state.phase
    worth = 0.0
    if phase == BOON and state.seat == seat:
        god = god_of(tables, state, seat)
        return _worth(
            tables, state, seat, tables.boon_action[god], tables.boon_n[god], tables.boon_bag[god], islands, runes, left
        )
    if state.action != NO_ACTION and state.actor == seat:
        worth += _worth(tables, state, seat, state.action, state.left, tables.boon_bag[0], islands, runes, left)
    if state.turn_seat != seat or state.revealed:
        return worth
    before_rune = phase == LEADER or state.source == FROM_LEADER
    if before_rune or phase == RUNE:
        card = card_played(state)
        if phase == LEADER:
            n = tables.leader_n[card]
            worth += _worth(
                tables, state, seat, tables.leader_action[card], n, tables.rune_bag[card], islands, runes, left
            )
        action, n = tables.rune_action[card], tables.rune_n[card]
        if action != NO_ACTION:
            ready = phase == RUNE or requirement_met(tables, state, seat, card)
            share = 1.0 if ready else tables.weights[LATER_RUNE_ACTION]
            worth += share * _worth(tables, state, seat, action, n, tables.rune_bag[card], islands, runes, left)
    return worth


@compiled
def _worth(tables, state, seat, action, n, bag, islands, runes, left):
    """What an action with ``n`` still to do may bring, at least nothing."""
    if action == SAIL:
        return _sail_worth(tables, state, seat, n, islands, runes, left)
    if action == EXPLORE:
        return _step_worth(tables, state, seat, state.settlers, tables.influence_settler, n, islands, runes, left)
    if action == TEMPLE_EXPLORE:
        return _step_worth(tables, state, seat, state.temples, tables.influence_temple, n, islands, runes, left)
    if action == HARVEST:
        return _harvest_worth(tables, state, seat, n, left)
    if action == BUILD:
        return _build_worth(tables, state, seat, islands, runes, left)
    if action == SMITE:
        return n * _smite_worth(tables, state, seat, islands, runes, left)
    if action == ENTER_BATTLE:
        return _enter_worth(tables, state, seat, runes, left)
    if action == COLLECT:
        return bag_worth(tables, state, seat, bag, left)
    if action == EXCHANGE and not can_exchange(tables, state, seat):
        return 0.0
    return action_worth(tables, action, n, bag) * min(1.0, left / 2.0)


@compiled
def _harvest_worth(tables, state, seat, n, left):
    """The scarcest resources first."""
    begun = state.action == HARVEST and state.actor == seat
    held = np.empty(GOODS, np.int64)
    for good in range(GOODS):
        held[good] = state.resources[seat, good]
    if not begun:
        for slot in range(SLOTS):
            if state.built[seat, slot]:
                held[FOOD] = min(held[FOOD] + tables.slot_food_bonus[slot], tables.resource_max)
                n += tables.slot_any_bonus[slot]
    worth = good_worth(tables, FOOD, held[FOOD], left) - good_worth(tables, FOOD, state.resources[seat, FOOD], left)
    for _ in range(n):
        best, best_good = 0.0, 0
        for good in range(GOODS):
            if held[good] < tables.resource_max:
                gain = good_worth(tables, good, held[good] + 1, left) - good_worth(tables, good, held[good], left)
                if gain > best:
                    best, best_good = gain, good
        worth += best
        held[best_good] += 1
    return worth


@compiled
def _gain(tables, state, islands, island, seat, extra, runes, left):
    """What more (or less) influence of a seat on an Island is worth to it, boots included."""
    before = hold_chance(islands, island, seat)
    after = changed_chance(tables, state, islands, island, seat, extra, extra > 0, left)
    return (after - before) * runes[0, tables.island_rune[state.side, island]]


@compiled
def built_worth(tables, slot, share):
    """What a built piece is worth by itself, a temple's influence not counted."""
    if slot < BOAT_SLOTS:
        return tables.weights[BOAT_WORTH] * share + 0.05
    return tables.weights[TEMPLE_BONUS] * share + 0.06


@compiled
def _build_worth(tables, state, seat, islands, runes, left):
    """The best piece that can be paid for, the wood deducted; or the place of the one paid for."""
    best_site = 0.0
    for island in range(tables.islands[state.side]):
        if state.settlers[island, seat]:
            best_site = max(
                best_site, _gain(tables, state, islands, island, seat, int(tables.influence_temple), runes, left)
            )
    if state.phase == BUILD_AT and state.actor == seat:
        return best_site if state.slot >= BOAT_SLOTS else 0.0
    best = 0.0
    wood = int(state.resources[seat, WOOD])
    share = min(1.0, left / tables.weights[BUILT_TURNS])
    for slot in range(SLOTS):
        if state.built[seat, slot] or wood < tables.slot_wood[slot]:
            continue
        worth = built_worth(tables, slot, share)
        if slot >= BOAT_SLOTS:
            if best_site == 0.0:
                continue
            worth += best_site
        worth += good_worth(tables, WOOD, wood - tables.slot_wood[slot], left) - good_worth(tables, WOOD, wood, left)
        best = max(best, worth)
    return best


@compiled
def _step_worth(tables, state, seat, units, each, n, islands, runes, left):
    """The best single step, and a little more for further ones."""
    if n == 0:
        return 0.0
    best = 0.0
    for link in range(tables.links[state.side]):
        a, b = tables.link_from[state.side, link], tables.link_to[state.side, link]
        if units[a, seat]:
            gain = _gain(tables, state, islands, b, seat, int(each), runes, left)
            best = max(best, gain + _gain(tables, state, islands, a, seat, -int(each), runes, left))
    return best * (1.0 + tables.weights[FURTHER_STEP] * (n - 1))


@compiled
def _smite_worth(tables, state, seat, islands, runes, left):
    """The best Settler to remove, for a seat with a stake in its Island."""
    best = tables.weights[SMITE_LEAST]
    for island in range(tables.islands[state.side]):
        for clan in range(CLANS):
            if clan != seat and state.settlers[island, clan]:
                before = hold_chance(islands, island, seat)
                # As good as one more influence of one's own.
                after = changed_chance(tables, state, islands, island, seat, 1, False, left)
                best = max(best, (after - before) * runes[0, tables.island_rune[state.side, island]])
    return best


@compiled
def _enter_worth(tables, state, seat, runes, left):
    """Taking part in a battle with the card just played."""
    card = card_played(state)
    if state.resources[seat, STEEL] < tables.steel_cost[card]:
        return 0.0
    force = fight_strength(tables, state, seat, card)
    win = chance((force - tables.weights[ENTER_STRENGTH]) / tables.weights[RIVAL_WIDTH])
    return win * best_prize(tables, state, seat, runes, left)


# --- sailing --------------------------------------------------------------------------------------


@compiled
def _sail_worth(tables, state, seat, n, islands, runes, left):
    """The best docking within reach."""
    under_way = state.action == SAIL and state.actor == seat
    amount = int(state.amount) if under_way else n
    if not under_way or state.phase == SAIL_BOAT:
        best = 0.0
        for boat in range(BOATS):
            if state.boat_at[seat, boat] != NOWHERE:
                best = max(best, _boat_worth(tables, state, seat, boat, n, amount, islands, runes, left))
        return best
    worth = 0.0
    if state.phase in (DISPLACE, DEPLOY):
        worth += _arrival_worth(tables, state, seat, amount, islands, runes, left)
    if n and state.phase != ACTION_DONE:
        worth = max(worth, _boat_worth(tables, state, seat, int(state.boat), n, amount, islands, runes, left))
    return worth


@compiled
def _boat_worth(tables, state, seat, boat, moves, amount, islands, runes, left):
    """The best that a boat can reach with so many moves."""
    side, fjords = int(state.side), int(tables.fjords[state.side])
    here = int(state.boat_at[seat, boat])
    reach = np.full(fjords, FAR)
    lost = 0.0
    if here < fjords:
        reach[here] = 0
    else:
        for k in range(2):
            reach[tables.dock_fjords[side, here - fjords, k]] = 1
        island = int(tables.dock_island[side, here - fjords])
        lost = _gain(tables, state, islands, island, seat, -int(tables.influence_docked), runes, left)
    for distance in range(moves):
        for fjord in range(fjords):
            if reach[fjord] == distance:
                for other in range(fjords):
                    if tables.fjords_meet[side, fjord, other]:
                        reach[other] = min(reach[other], distance + 1)
    best = 0.0
    for dock in range(tables.docks[side]):
        steps = 1 + min(reach[tables.dock_fjords[side, dock, 0]], reach[tables.dock_fjords[side, dock, 1]])
        if steps <= moves and fjords + dock != here:
            worth = _docking_worth(tables, state, seat, dock, amount, islands, runes, left)
            best = max(best, worth + lost - 0.02 * steps)
    return best


@compiled
def _docking_worth(tables, state, seat, dock, amount, islands, runes, left):
    """What arriving at a Dock brings: its influence, a deployment, a raid."""
    island = int(tables.dock_island[state.side, dock])
    worth = _deployment_worth(
        tables, state, seat, island, int(tables.influence_docked), amount, 0, islands, runes, left
    )
    steel, cost = int(state.resources[seat, STEEL]), int(tables.raid_steel[state.era - 1])
    if state.village[dock] and steel >= cost:
        raid = tables.weights[VILLAGE] * min(1.0, left / 2.0)
        worth += max(0.0, raid + good_worth(tables, STEEL, steel - cost, left) - good_worth(tables, STEEL, steel, left))
    return worth


@compiled
def _arrival_worth(tables, state, seat, amount, islands, runes, left):
    """What is still to come at the Dock where the boat has just arrived."""
    island = int(tables.dock_island[state.side, state.dock])
    return _deployment_worth(tables, state, seat, island, 0, amount, int(state.deployed), islands, runes, left)


@compiled
def _deployment_worth(tables, state, seat, island, influence, amount, deployed, islands, runes, left):
    """The best number of Settlers to deploy, food deducted, with the attack that they make."""
    food, price = int(state.resources[seat, FOOD]), int(tables.deploy_food)
    most = min(amount - deployed, settlers_on_mat(tables, state, seat))
    best = 0.0
    rivals = 0
    for clan in range(CLANS):
        if clan != seat and (clan < state.players or clan == ENEMY):
            rivals = max(rivals, int(state.settlers[island, clan]))
    for number in range(most + 1):
        if number * price > food:
            break
        extra = influence + number * int(tables.influence_settler)
        attacks = number + deployed > 0 and int(state.settlers[island, seat]) + number > rivals > 0
        boots = number > 0
        before = hold_chance(islands, island, seat)
        after = changed_chance(tables, state, islands, island, seat, extra + (1 if attacks else 0), boots, left)
        worth = (after - before) * runes[0, tables.island_rune[state.side, island]]
        worth += good_worth(tables, FOOD, food - number * price, left) - good_worth(tables, FOOD, food, left)
        best = max(best, worth)
    return best
