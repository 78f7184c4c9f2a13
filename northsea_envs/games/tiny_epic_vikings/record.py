"""Whether a record makes sense at all, before its invariants are looked at: no damaged one may be played."""

from northsea_envs.games.tiny_epic_vikings.battle import favors_held, in_progress
from northsea_envs.games.tiny_epic_vikings.knowledge import first_pack_size
from northsea_envs.games.tiny_epic_vikings.state import (
    ACTIONS,
    BATTLE_CARD,
    BOATS,
    BOON,
    BUILD,
    BUILD_AT,
    BUILD_SLOT,
    CARDS,
    CLANS,
    CONTEST,
    DEDICATE,
    DEPLOY,
    DISCARD,
    DISPLACE,
    DRAFT,
    DRAW_REPLACE,
    ENEMY,
    ENTER_BATTLE,
    ERAS,
    EXCHANGE,
    EXCHANGE_AMOUNT,
    EXCHANGE_PAIR,
    EXPLORE,
    EXPLORE_STEP,
    FAVORS,
    FROM_BOON,
    FURY,
    FURY_ADJUST,
    GODS,
    HARVEST,
    HARVEST_ONE,
    IN_ENEMY_DISCARD,
    IN_HAND,
    IN_PACK,
    IN_ROW,
    LEADER,
    MAX_PLAYERS,
    NO_ACTION,
    OVER,
    PAIRS,
    PLACES,
    PLAY,
    POOLS,
    RAID,
    RETURN_CARD,
    RETURN_END,
    RUNE,
    RUNES,
    SAIL,
    SAIL_BOAT,
    SAIL_TO,
    SLOTS,
    SMITE,
    SMITE_ONE,
    SOURCES,
    START_BOAT,
    TEMPLE_EXPLORE,
    TEMPLE_STEP,
)
from northsea_envs.jit import compiled

MOST = 10_000  # more than any count can be


@compiled
def record_holds(tables, state):
    """Whether every field is within its range and belongs to the phase."""
    return (
        _course_holds(tables, state)
        and _cards_hold(tables, state)
        and _map_holds(tables, state)
        and _favors_hold(tables, state)
        and _knowledge_in_range(tables, state)
        and _draft_holds(tables, state)
        and _battle_holds(tables, state)
        and _ranges_of_action_hold(tables, state)
        and _action_holds(tables, state)
        and _sailing_holds(tables, state)
    )


@compiled
def _within(value, low, high):
    return low <= value <= high


@compiled
def _all_within(values, low, high):
    for value in values:
        if not low <= value <= high:
            return False
    return True


@compiled
def _course_holds(tables, state):
    """Who plays, where in the game, and whose decision it is."""
    players, phase = state.players, state.phase
    if not _within(players, 2, MAX_PLAYERS) or not _within(phase, 0, OVER):
        return False
    if state.side != tables.side_of[players] or state.enemy != (players == 2 and tables.two_player_enemy != 0):
        return False
    if not _within(state.era, 1, ERAS) or not _within(state.chieftain, 0, players - 1):
        return False
    if not _within(state.seat, -1, players - 1) or (state.seat < 0) != (phase == OVER):
        return False
    if phase in (START_BOAT, DRAFT):
        if state.turn_seat != -1:
            return False
    elif not _within(state.turn_seat, 0, players - 1):
        return False
    if phase == OVER and state.era != ERAS:
        return False
    if phase == START_BOAT and state.era != 1:
        return False
    if phase == PLAY and state.hand_size[state.turn_seat] == 0:
        return False
    own_turn = phase in (PLAY, BATTLE_CARD, LEADER, RUNE, DEDICATE, CONTEST)
    if own_turn and state.seat != state.turn_seat:
        return False
    if phase == DEDICATE and state.villages[state.seat] == 0:
        return False
    for word in state.rng:
        if word:
            return True
    return False


@compiled
def _cards_hold(tables, state):
    """Places that there are, and sizes kept beside what they count."""
    for card in range(CARDS):
        place = state.place[card]
        if not _within(place, 0, PLACES - 1):
            return False
        if place >= IN_PACK:
            clan = place - IN_PACK
            if state.phase != DRAFT or (clan >= state.players and not (clan == ENEMY and state.enemy)):
                return False
        elif place >= IN_ROW:
            if place - IN_ROW >= state.players:
                return False
        elif place >= IN_HAND:
            if place - IN_HAND >= state.players:
                return False
        elif place == IN_ENEMY_DISCARD and not state.enemy:
            return False
    if not _within(state.deck_size, 0, CARDS) or not _within(state.invaders, 0, CARDS):
        return False
    if not _all_within(state.deck.ravel(), 0, CARDS - 1) or not _all_within(state.row.ravel(), 0, CARDS):
        return False
    if not _all_within(state.row_size.ravel(), 0, state.row.shape[1]) or not _all_within(
        state.hand_size.ravel(), 0, CARDS
    ):
        return False
    for k in range(state.deck_size, CARDS):
        if state.deck[k]:
            return False
    for seat in range(MAX_PLAYERS):
        if seat >= state.players and state.row_size[seat]:
            return False
        for k in range(state.row_size[seat], state.row.shape[1]):
            if state.row[seat, k]:
                return False
    return True


@compiled
def _map_holds(tables, state):
    """Units of clans in play, on what there is of the side in play."""
    side = state.side
    islands, locations = tables.islands[side], tables.fjords[side] + tables.docks[side]
    for island in range(len(state.holder)):
        if not _within(state.holder[island], -1, state.players - 1 if island < islands else -1):
            return False
        for clan in range(CLANS):
            lives = island < islands and (clan < state.players or (clan == ENEMY and state.enemy != 0))
            if not _within(state.settlers[island, clan], 0, MOST if lives else 0):
                return False
            if not _within(state.temples[island, clan], 0, MOST if lives else 0):
                return False
        if state.enemy and island < islands:
            if state.settlers[island, ENEMY] > tables.enemy_settlers[side, island]:
                return False
            if state.temples[island, ENEMY] != tables.enemy_temples[side, island]:
                return False
    for dock in range(len(state.village)):
        if not _within(state.village[dock], 0, tables.has_village[side, dock]):
            return False
    for seat in range(MAX_PLAYERS):
        plays = seat < state.players
        if not _all_within(state.boat_at[seat], -1, locations - 1 if plays else -1):
            return False
        if not _all_within(state.built[seat], 0, 1 if plays else 0):
            return False
        if not _within(state.villages[seat], 0, MOST if plays else 0):
            return False
        if not _all_within(state.resources[seat], -MOST if plays else 0, MOST if plays else 0):
            return False
    return _all_within(state.dedicated.ravel(), 0, MOST)


@compiled
def _favors_hold(tables, state):
    places = state.favor_row.shape[1]
    if not _all_within(state.favor_owner.ravel(), 0, state.players) or not _all_within(
        state.favor_row_size.ravel(), 0, places
    ):
        return False
    if not _all_within(state.favor_row.ravel(), 0, FAVORS):
        return False
    for row in range(2):
        for k in range(places):
            if (state.favor_row[row, k] > 0) != (k < state.favor_row_size[row]):
                return False
    if not _all_within(state.god.ravel(), 0, GODS - 1) or not _all_within(state.fury.ravel(), -MOST, MOST):
        return False
    for rune in range(len(RUNES)):
        for other in range(rune):
            if state.god[rune] == state.god[other]:
                return False
    return True


@compiled
def _knowledge_in_range(tables, state):
    classes = state.slots.shape[2]
    if not _all_within(state.kin.ravel(), 0, classes) or not _all_within(state.slots.ravel(), 0, CARDS):
        return False
    if not _all_within(state.mixed.ravel(), 0, CARDS) or not _all_within(state.mixed_before.ravel(), 0, CARDS):
        return False
    if not _all_within(state.pack_class.ravel(), 0, classes) or not _within(state.generation, 0, POOLS - 1):
        return False
    return _within(state.enemy_mixed_in, 0, state.generation)


@compiled
def _draft_holds(tables, state):
    """Packs of the right size, and choices of those who were asked."""
    drafting = state.phase == DRAFT
    hand = tables.hand[state.era - 1]
    if not _within(state.pick_number, 0, hand - 2 if drafting else 0):
        return False
    for clan in range(CLANS):
        most = first_pack_size(tables, state, clan) if drafting else 0
        if not _within(state.dealt_before[clan], 0, most):
            return False
    for seat in range(MAX_PLAYERS):
        pack = 0
        for card in range(CARDS):
            pack += state.place[card] == IN_PACK + seat
        if pack != (hand - state.pick_number if drafting and seat < state.players else 0):
            return False
        asked = False
        if drafting and seat < state.players:
            turn = (state.seat - state.chieftain) % state.players
            asked = (seat - state.chieftain) % state.players < turn
        if not _within(state.picked[seat], 0, CARDS) or (state.picked[seat] > 0) != asked:
            return False
        if asked and state.place[state.picked[seat] - 1] != IN_PACK + seat:
            return False
    return True


@compiled
def _battle_holds(tables, state):
    """What belongs to a battle is there with it, and only then."""
    phase = state.phase
    if not _within(state.starter, -1, state.players - 1) or not _within(state.revealed, 0, 1):
        return False
    if not _all_within(state.battle_card.ravel(), 0, CARDS) or not _all_within(state.battle_public.ravel(), 0, 1):
        return False
    if not _all_within(state.loser.ravel(), 0, 1) or not _within(state.contested, 0, FAVORS):
        return False
    if not _within(state.contested_row, 0, 1) or not _within(state.contested_end, 0, 1):
        return False
    if not _within(state.invader_rune, -1, len(RUNES) - 1) or not _within(state.returning, 0, FAVORS):
        return False
    if state.contested == 0 and (state.contested_row or state.contested_end):
        return False
    if state.starter >= 0 and state.battle_card[state.starter] == 0:
        return False
    resolving = phase in (BOON, RETURN_CARD, RETURN_END) or state.source == FROM_BOON
    if (state.revealed != 0) != resolving or (resolving and state.starter < 0):
        return False
    if (state.contested > 0) != (in_progress(state) and phase != CONTEST):
        return False
    if phase == CONTEST and state.starter != state.seat:
        return False
    if state.invader_rune >= 0 and not resolving:
        return False
    for seat in range(MAX_PLAYERS):
        fights = state.battle_card[seat] > 0
        if (fights and (state.starter < 0 or seat >= state.players)) or (state.battle_public[seat] and not fights):
            return False
        if state.loser[seat] and (not resolving or state.battle_card[seat] == 0):
            return False
    if phase == BOON and not state.loser[state.seat]:
        return False
    if (state.returning > 0) != (phase == RETURN_END):
        return False
    if state.returning and state.favor_owner[state.returning - 1] != state.seat + 1:
        return False
    if phase in (RETURN_CARD, RETURN_END) and favors_held(state, state.seat) != tables.favor_limit + 1:
        return False
    return not (phase in (LEADER, RUNE) and state.battle_card[state.turn_seat])


@compiled
def _ranges_of_action_hold(tables, state):
    return (
        _within(state.action, 0, len(ACTIONS) - 1)
        and _within(state.source, 0, len(SOURCES) - 1)
        and _within(state.actor, -1, state.players - 1)
        and _within(state.amount, 0, MOST)
        and _within(state.left, 0, MOST)
        and _within(state.boat, -1, BOATS - 1)
        and _within(state.dock, -1, tables.docks[state.side] - 1)
        and _within(state.displaced_seat, -1, state.players - 1)
        and _within(state.displaced_boat, -1, BOATS - 1)
        and _within(state.deployed, 0, state.amount)
        and _within(state.deployed_before, 0, MOST)
        and _all_within(state.settlers_before.ravel(), 0, tables.settlers_each if state.action == EXPLORE else 0)
        and _within(state.slot, -1, SLOTS - 1)
        and _within(state.pair, -1, PAIRS - 1)
        and _within(state.fury_choice, -1, 2 * len(RUNES) - 1)
    )


@compiled
def _action_of(phase):
    """The action whose decisions are made in a phase; -1 where that may be none or one."""
    if SAIL_BOAT <= phase <= RAID:
        return SAIL
    if phase == EXPLORE_STEP:
        return EXPLORE
    if phase == HARVEST_ONE:
        return HARVEST
    if phase in (BUILD_SLOT, BUILD_AT):
        return BUILD
    if phase == TEMPLE_STEP:
        return TEMPLE_EXPLORE
    if phase == SMITE_ONE:
        return SMITE
    if phase in (EXCHANGE_PAIR, EXCHANGE_AMOUNT):
        return EXCHANGE
    if phase == DISCARD:
        return DRAW_REPLACE
    if phase == FURY:
        return FURY_ADJUST
    if phase == BATTLE_CARD:
        return ENTER_BATTLE
    return -1 if phase == CONTEST else NO_ACTION


@compiled
def _action_holds(tables, state):
    """The action under way belongs to the phase, and what is pending in it too."""
    phase, action = state.phase, int(state.action)
    expected = _action_of(phase)
    if action != expected and not (expected == -1 and action in (NO_ACTION, ENTER_BATTLE)):
        return False
    under_way = action != NO_ACTION
    if (state.source > 0) != under_way or (state.actor >= 0) != under_way:
        return False
    if (state.amount > 0) != (under_way and action != EXCHANGE):
        return False
    if under_way:
        if state.source == FROM_BOON:
            if not state.loser[state.actor]:
                return False
        elif state.actor != state.turn_seat:
            return False
        if phase != DISPLACE and state.seat != state.actor:
            return False
    if action in (NO_ACTION, EXCHANGE):
        if state.left:
            return False
    elif action != SAIL and state.left == 0:
        return False
    if (state.slot >= 0) != (phase == BUILD_AT) or (state.pair >= 0) != (phase == EXCHANGE_AMOUNT):
        return False
    if state.slot >= 0 and not state.built[state.actor, state.slot]:
        return False
    return state.fury_choice < 0 or phase == FURY


@compiled
def _sailing_holds(tables, state):
    """The boat that sails, its Dock, and the boat that has to leave it."""
    phase = state.phase
    sailing = SAIL_TO <= phase <= RAID
    docked = DISPLACE <= phase <= RAID
    if (state.boat >= 0) != sailing or (state.dock >= 0) != docked:
        return False
    if (state.displaced_seat >= 0) != (phase == DISPLACE) or (state.displaced_boat >= 0) != (phase == DISPLACE):
        return False
    if (state.deployed > 0 and phase != DEPLOY) or (state.deployed_before > 0 and not sailing):
        return False
    if phase == SAIL_TO and state.left == 0:
        return False
    if sailing and state.left > state.amount:
        return False
    if not sailing:
        return True
    here = state.boat_at[state.actor, state.boat]
    if here < 0 or (docked and here != tables.fjords[state.side] + state.dock):
        return False
    if phase == DISPLACE:
        if state.seat != state.displaced_seat or state.boat_at[state.seat, state.displaced_boat] != here:
            return False
        return state.seat != state.actor or state.displaced_boat != state.boat
    return True
