"""Actions that move, remove or build units: Explore, Temple Explore, Smite, Build. Sections 7.5, 7.7 and 7.8."""

from northsea_envs.games.tiny_epic_vikings.actions import (
    LOCATION_0,
    PASS,
    TARGETS,
    island_0,
    link_0,
    slot_0,
    target_0,
    target_clan,
)
from northsea_envs.games.tiny_epic_vikings.control import attack, has_boots
from northsea_envs.games.tiny_epic_vikings.state import (
    ACTION_DONE,
    BOAT_SLOTS,
    BOATS,
    BUILD_AT,
    NOWHERE,
    SLOTS,
    WOOD,
)
from northsea_envs.jit import compiled


@compiled
def legal_steps(tables, state, units, mask):
    """DP-12 and DP-16: links from Islands with an own unit. T-EXPL-1, T-EXPL-2, T-TEMPLE-1, T-MAP-9."""
    mask[PASS] = 1
    count = 1
    for link in range(tables.links[state.side]):
        if units[tables.link_from[state.side, link], state.actor]:
            mask[link_0(tables) + link] = 1
            count += 1
    return count


@compiled
def explore(tables, state, link):
    """T-EXPL-1, T-EXPL-3, T-EXPL-4."""
    state.settlers[tables.link_from[state.side, link], state.actor] -= 1
    state.settlers[tables.link_to[state.side, link], state.actor] += 1
    state.left -= 1
    if state.left == 0:
        end_exploring(tables, state)


@compiled
def end_exploring(tables, state):
    """Attacks where Settlers were added, Island by Island. T-ATTACK-1, T-ATTACK-3."""
    for island in range(tables.islands[state.side]):
        if state.settlers[island, state.actor] > state.settlers_before[island]:
            attack(state, state.actor, island)
    state.phase = ACTION_DONE


@compiled
def move_temple(tables, state, link):
    """T-TEMPLE-1"""
    state.temples[tables.link_from[state.side, link], state.actor] -= 1
    state.temples[tables.link_to[state.side, link], state.actor] += 1
    state.left -= 1
    if state.left == 0:
        state.phase = ACTION_DONE


@compiled
def legal_victims(tables, state, mask):
    """DP-17. T-SMITE-1, T-2P-4."""
    mask[PASS] = 1
    count = 1
    for target in range(TARGETS):
        clan = target_clan(state.players, state.actor, target)
        if clan < 0:
            continue
        for island in range(tables.islands[state.side]):
            if state.settlers[island, clan]:
                mask[target_0(tables) + TARGETS * island + target] = 1
                count += 1
    return count


@compiled
def smite(state, island, target):
    """T-SMITE-1, T-2P-4."""
    state.settlers[island, target_clan(state.players, state.actor, target)] -= 1
    state.left -= 1
    if state.left == 0:
        state.phase = ACTION_DONE


@compiled
def legal_slots(tables, state, mask):
    """DP-14: what can be paid for and placed. T-BUILD-1, T-BUILD-3."""
    mask[PASS] = 1
    count = 1
    for slot in range(SLOTS):
        if state.built[state.actor, slot] or state.resources[state.actor, WOOD] < tables.slot_wood[slot]:
            continue
        # There is always a Fjord for a boat: the starting boat is on the map.
        if slot < BOAT_SLOTS or _has_settler(tables, state):
            mask[slot_0(tables) + slot] = 1
            count += 1
    return count


@compiled
def _has_settler(tables, state):
    for island in range(tables.islands[state.side]):
        if state.settlers[island, state.actor]:
            return True
    return False


@compiled
def pay_for_slot(tables, state, slot):
    """T-BUILD-1"""
    state.resources[state.actor, WOOD] -= tables.slot_wood[slot]
    state.built[state.actor, slot] = 1
    state.slot = slot
    state.phase = BUILD_AT


@compiled
def legal_sites(tables, state, mask):
    """DP-15. T-BUILD-2, T-BUILD-3."""
    count = 0
    if state.slot >= BOAT_SLOTS:
        for island in range(tables.islands[state.side]):
            if state.settlers[island, state.actor]:
                mask[island_0(tables) + island] = 1
                count += 1
        return count
    for fjord in range(tables.fjords[state.side]):
        if _may_launch(tables, state, fjord):
            mask[LOCATION_0 + fjord] = 1
            count += 1
    return count


@compiled
def _may_launch(tables, state, fjord):
    """Whether a Fjord is adjacent to an own unit. T-BUILD-2, T-MAP-10, CR-21."""
    side, fjords = int(state.side), int(tables.fjords[state.side])
    for island in range(tables.islands[side]):
        if tables.island_fjord[side, island, fjord] and has_boots(state, state.actor, island):
            return True
    for boat in range(BOATS):
        at = int(state.boat_at[state.actor, boat])
        if at == NOWHERE:
            continue
        if at < fjords:
            if at == fjord or tables.fjords_meet[side, at, fjord]:
                return True
        elif tables.dock_fjords[side, at - fjords, 0] == fjord or tables.dock_fjords[side, at - fjords, 1] == fjord:
            return True
    return False


@compiled
def place_boat(state, fjord):
    """T-BUILD-2"""
    state.boat_at[state.actor, state.slot + 1] = fjord
    state.phase = ACTION_DONE


@compiled
def place_temple(state, island):
    """T-BUILD-3, T-BUILD-4."""
    state.temples[island, state.actor] += 1
    state.phase = ACTION_DONE
