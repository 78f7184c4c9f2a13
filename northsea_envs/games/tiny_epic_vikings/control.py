"""Influence, who holds which Island Rune, and attacks on Settlers. Sections 7.3 and 8."""

from northsea_envs.games.tiny_epic_vikings.state import BOATS, CLANS, ENEMY, NOBODY
from northsea_envs.jit import compiled


@compiled
def plays(state, clan):
    """Whether a clan takes part in the game."""
    return clan < state.players or (clan == ENEMY and state.enemy != 0)


@compiled
def has_boots(state, clan, island):
    """At least one Settler or Temple there."""
    return state.settlers[island, clan] + state.temples[island, clan] > 0


@compiled
def influence(tables, state, clan, island):
    """T-CTRL-1"""
    total = (
        state.settlers[island, clan] * tables.influence_settler + state.temples[island, clan] * tables.influence_temple
    )
    if clan != ENEMY:
        fjords = tables.fjords[state.side]
        for boat in range(BOATS):
            at = state.boat_at[clan, boat]
            if at >= fjords and tables.dock_island[state.side, at - fjords] == island:
                total += tables.influence_docked
    return total


@compiled
def _take_rune(tables, state, seat, island):
    """T-CTRL-7, T-FURY-2"""
    state.holder[island] = seat
    state.fury[tables.island_rune[state.side, island]] += tables.fury_rune


@compiled
def check_take(tables, state, island):
    """A rune that lies on its Island goes to the player with boots and strictly most Influence. T-CTRL-2, T-2P-5."""
    if state.holder[island] != NOBODY:
        return
    best, most, tied = NOBODY, -1, False
    for clan in range(CLANS):
        if not plays(state, clan):
            continue
        here = influence(tables, state, clan, island)
        if here > most:
            best, most, tied = clan, here, False
        elif here == most:
            tied = True
    if not tied and best != ENEMY and has_boots(state, best, island):
        _take_rune(tables, state, best, island)


@compiled
def check_all(tables, state, actor):
    """Steal, loss and take on all Islands after an action of ``actor``. T-CTRL-3..7."""
    for island in range(tables.islands[state.side]):
        holder = int(state.holder[island])
        if holder != NOBODY:
            _check_holder(tables, state, actor, island, holder)
        check_take(tables, state, island)


@compiled
def _check_holder(tables, state, actor, island, holder):
    """T-CTRL-4, T-CTRL-5, T-CTRL-6, T-2P-5."""
    own = influence(tables, state, holder, island)
    thief, most = NOBODY, own
    # Clockwise from the actor, the Enemy last: the first of equals wins.
    for k in range(state.players + 1):
        clan = ENEMY if k == state.players else (actor + k) % state.players
        if clan == holder or not plays(state, clan) or not has_boots(state, clan, island):
            continue
        here = influence(tables, state, clan, island)
        if here > most:
            thief, most = clan, here
    if thief == ENEMY:
        state.holder[island] = NOBODY
    elif thief != NOBODY:
        _take_rune(tables, state, thief, island)
    elif own == 0 if tables.influence_keeps else not has_boots(state, holder, island):
        state.holder[island] = NOBODY


@compiled
def attack(state, actor, island):
    """Rivals of a player with strictly most Settlers lose one each. T-ATTACK-1, T-ATTACK-2."""
    for clan in range(CLANS):
        if clan != actor and plays(state, clan) and state.settlers[island, clan] >= state.settlers[island, actor]:
            return
    for clan in range(CLANS):
        if clan != actor and plays(state, clan) and state.settlers[island, clan]:
            state.settlers[island, clan] -= 1


@compiled
def islands_held(tables, state, seat):
    """Island Runes of a seat."""
    count = 0
    for island in range(tables.islands[state.side]):
        count += state.holder[island] == seat
    return count


@compiled
def settlers_on_mat(tables, state, seat):
    """T-COMP-2, T-COMP-3"""
    count = int(tables.settlers_each)
    for island in range(tables.islands[state.side]):
        count -= state.settlers[island, seat]
    return count
