"""Sailing: moves, displacement, deployment, raids. Sections 7.1 to 7.4."""

from northsea_envs.games.tiny_epic_vikings.actions import BOAT_0, LOCATION_0, PASS, deploy_from_mat, island_0, yes
from northsea_envs.games.tiny_epic_vikings.control import attack, check_take, settlers_on_mat
from northsea_envs.games.tiny_epic_vikings.state import (
    ACTION_DONE,
    BOATS,
    DEPLOY,
    DISPLACE,
    FOOD,
    NOBODY,
    NOWHERE,
    RAID,
    SAIL_TO,
    STEEL,
)
from northsea_envs.jit import compiled


@compiled
def legal_boats(state, mask):
    """DP-7: own boats on the map. T-SAIL-1, T-ACT-1."""
    mask[PASS] = 1
    count = 1
    for boat in range(BOATS):
        if state.boat_at[state.actor, boat] != NOWHERE:
            mask[BOAT_0 + boat] = 1
            count += 1
    return count


@compiled
def choose_boat(state, boat):
    """T-SAIL-1"""
    state.boat = boat
    state.phase = SAIL_TO


@compiled
def legal_moves(tables, state, mask):
    """DP-8. T-SAIL-2, T-SAIL-4, T-SAIL-6."""
    mask[PASS] = 1
    count = 1
    side, fjords = int(state.side), int(tables.fjords[state.side])
    here = int(state.boat_at[state.actor, state.boat])
    if here >= fjords:
        for k in range(2):
            mask[LOCATION_0 + tables.dock_fjords[side, here - fjords, k]] = 1
        return count + 2
    for fjord in range(fjords):
        if tables.fjords_meet[side, here, fjord]:
            mask[LOCATION_0 + fjord] = 1
            count += 1
    for dock in range(tables.docks[side]):
        touches = tables.dock_fjords[side, dock, 0] == here or tables.dock_fjords[side, dock, 1] == here
        if touches and (tables.own_boat_displaced or not _own_boat_at(state, fjords + dock)):
            mask[LOCATION_0 + fjords + dock] = 1
            count += 1
    return count


@compiled
def _own_boat_at(state, location):
    for boat in range(BOATS):
        if state.boat_at[state.actor, boat] == location:
            return True
    return False


@compiled
def sail_to(tables, state, location):
    """One move; on arrival at a Dock first a boat that stands there has to go. T-SAIL-2, T-SAIL-4, T-SAIL-5."""
    state.left -= 1
    fjords = tables.fjords[state.side]
    if location >= fjords:
        for seat in range(state.players):
            for boat in range(BOATS):
                if state.boat_at[seat, boat] == location:
                    state.displaced_seat = seat
                    state.displaced_boat = boat
        state.dock = location - fjords
    state.boat_at[state.actor, state.boat] = location
    if state.dock == NOWHERE:
        _sail_on(state)
    elif state.displaced_seat != NOBODY:
        state.phase = DISPLACE
        state.seat = state.displaced_seat
    else:
        _deploy_or_raid(tables, state)


@compiled
def _sail_on(state):
    """T-SAIL-7"""
    state.phase = SAIL_TO if state.left else ACTION_DONE


@compiled
def legal_refuges(tables, state, mask):
    """DP-9. T-SAIL-4"""
    for k in range(2):
        mask[LOCATION_0 + tables.dock_fjords[state.side, state.dock, k]] = 1
    return 2


@compiled
def displace(tables, state, fjord):
    """T-SAIL-4, T-SAIL-6"""
    state.boat_at[state.displaced_seat, state.displaced_boat] = fjord
    state.displaced_seat = NOBODY
    state.displaced_boat = NOBODY
    state.seat = state.actor
    _deploy_or_raid(tables, state)


@compiled
def _deploy_or_raid(tables, state):
    if _can_deploy(tables, state):
        state.phase = DEPLOY
    else:
        end_deployment(tables, state)


@compiled
def _can_deploy(tables, state):
    """T-DEPLOY-1, T-DEPLOY-2, T-DEPLOY-3."""
    used = state.deployed + (state.deployed_before if tables.deploy_per_action else 0)
    if used >= state.amount or state.resources[state.actor, FOOD] < tables.deploy_food:
        return False
    if settlers_on_mat(tables, state, state.actor) > 0:
        return True
    target = tables.dock_island[state.side, state.dock]
    for island in range(tables.islands[state.side]):
        if island != target and state.settlers[island, state.actor]:
            return True
    return False


@compiled
def legal_deployments(tables, state, mask):
    """DP-10. T-DEPLOY-3, T-DEPLOY-4."""
    mask[PASS] = 1
    if settlers_on_mat(tables, state, state.actor) > 0:
        mask[deploy_from_mat(tables)] = 1
        return 2
    count = 1
    target = tables.dock_island[state.side, state.dock]
    for island in range(tables.islands[state.side]):
        if island != target and state.settlers[island, state.actor]:
            mask[island_0(tables) + island] = 1
            count += 1
    return count


@compiled
def deploy(tables, state, source):
    """One Settler, from an Island or (NOWHERE) from the mat. T-DEPLOY-1, T-DEPLOY-3."""
    actor = state.actor
    state.resources[actor, FOOD] -= tables.deploy_food
    if source != NOWHERE:
        state.settlers[source, actor] -= 1
    state.settlers[tables.dock_island[state.side, state.dock], actor] += 1
    state.deployed += 1
    _deploy_or_raid(tables, state)


@compiled
def end_deployment(tables, state):
    """The attack, then the raid if there is one to make. T-SAIL-5, T-ATTACK-1, T-RAID-1."""
    if state.deployed:
        attack(state, state.actor, tables.dock_island[state.side, state.dock])
        state.deployed_before += state.deployed
        state.deployed = 0
    if state.village[state.dock] and state.resources[state.actor, STEEL] >= tables.raid_steel[state.era - 1]:
        state.phase = RAID
    else:
        end_docking(tables, state)


@compiled
def legal_raid(tables, mask):
    """DP-11"""
    mask[PASS] = 1
    mask[yes(tables)] = 1
    return 2


@compiled
def raid(tables, state):
    """T-RAID-1, T-RAID-2, T-RAID-3."""
    state.resources[state.actor, STEEL] -= tables.raid_steel[state.era - 1]
    state.village[state.dock] = 0
    state.villages[state.actor] += 1
    end_docking(tables, state)


@compiled
def end_docking(tables, state):
    """The docking is resolved: the take check of its Island, then on. T-SAIL-5, T-SAIL-8, T-CTRL-3."""
    check_take(tables, state, tables.dock_island[state.side, state.dock])
    state.dock = NOWHERE
    _sail_on(state)
