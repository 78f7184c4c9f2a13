"""Whose decision it is, what is legal, and what a decision does: the decision points, one by one. Section 20.2."""

from northsea_envs.games.tiny_epic_vikings.actions import (
    BOAT_0,
    END_0,
    FACEDOWN_0,
    FACEUP_0,
    FAVOR_0,
    LOCATION_0,
    PASS,
    PICK_0,
    TARGETS,
    amount_1,
    deploy_from_mat,
    fury_0,
    island_0,
    link_0,
    pair_0,
    resource_0,
    slot_0,
    space_0,
    target_0,
    yes,
)
from northsea_envs.games.tiny_epic_vikings.battle import (
    choose_return,
    contest,
    give_back,
    legal_ends,
    legal_returns,
)
from northsea_envs.games.tiny_epic_vikings.draft import legal_picks, pick
from northsea_envs.games.tiny_epic_vikings.goods import (
    choose_pair,
    exchange,
    harvest,
    legal_amounts,
    legal_fury,
    legal_pairs,
    legal_resources,
    move_fury,
)
from northsea_envs.games.tiny_epic_vikings.sail import (
    choose_boat,
    deploy,
    displace,
    end_deployment,
    end_docking,
    legal_boats,
    legal_deployments,
    legal_moves,
    legal_raid,
    legal_refuges,
    raid,
    sail_to,
)
from northsea_envs.games.tiny_epic_vikings.setup import legal_starts, place_start_boat
from northsea_envs.games.tiny_epic_vikings.state import (
    ACTION_DONE,
    BATTLE_CARD,
    BOON,
    BUILD_SLOT,
    CARDS,
    CONTEST,
    DEDICATE,
    DEPLOY,
    DISCARD,
    DISPLACE,
    DRAFT,
    EXCHANGE_AMOUNT,
    EXCHANGE_PAIR,
    EXPLORE_STEP,
    FURY,
    HARVEST_ONE,
    IN_HAND,
    LEADER,
    NOWHERE,
    PLAY,
    RAID,
    RETURN_CARD,
    RETURN_END,
    RUNE,
    SAIL_BOAT,
    SAIL_TO,
    SMITE_ONE,
    START_BOAT,
    TEMPLE_STEP,
    TURN_END,
)
from northsea_envs.games.tiny_epic_vikings.turn import (
    accept,
    after_entering,
    decline,
    dedicate,
    discard,
    legal_battle_cards,
    legal_dedications,
    legal_offer,
    legal_plays,
    play_faceup,
    play_to_battle,
    run,
)
from northsea_envs.games.tiny_epic_vikings.units import (
    end_exploring,
    explore,
    legal_sites,
    legal_slots,
    legal_steps,
    legal_victims,
    move_temple,
    pay_for_slot,
    place_boat,
    place_temple,
    smite,
)
from northsea_envs.jit import compiled


@compiled
def decider(tables, state):
    """The seat that decides now, -1 when the game is over."""
    return int(state.seat)


@compiled
def legal_actions(tables, state, mask):
    """Fill ``mask`` for the decider and return how many actions are legal."""
    mask[:] = 0
    phase = state.phase
    if phase == DRAFT:
        return legal_picks(state, mask)
    if phase == PLAY:
        return legal_plays(state, mask)
    if phase in (LEADER, RUNE, BOON):
        return legal_offer(tables, state, mask)
    if phase == HARVEST_ONE:
        return legal_resources(tables, mask)
    if phase == DEDICATE:
        return legal_dedications(tables, state, mask)
    if phase in (CONTEST, RETURN_END):
        return legal_ends(state, phase == CONTEST, mask)
    if SAIL_BOAT <= phase <= RAID:
        return _legal_in_sailing(tables, state, mask)
    if EXPLORE_STEP <= phase <= SMITE_ONE:
        return _legal_units(tables, state, mask)
    return _legal_rest(tables, state, mask)


@compiled
def _legal_in_sailing(tables, state, mask):
    phase = state.phase
    if phase == SAIL_BOAT:
        return legal_boats(state, mask)
    if phase == SAIL_TO:
        return legal_moves(tables, state, mask)
    if phase == DISPLACE:
        return legal_refuges(tables, state, mask)
    if phase == DEPLOY:
        return legal_deployments(tables, state, mask)
    return legal_raid(tables, mask)


@compiled
def _legal_units(tables, state, mask):
    phase = state.phase
    if phase == EXPLORE_STEP:
        return legal_steps(tables, state, state.settlers, mask)
    if phase == TEMPLE_STEP:
        return legal_steps(tables, state, state.temples, mask)
    if phase == SMITE_ONE:
        return legal_victims(tables, state, mask)
    if phase == BUILD_SLOT:
        return legal_slots(tables, state, mask)
    return legal_sites(tables, state, mask)


@compiled
def _legal_rest(tables, state, mask):
    phase = state.phase
    if phase == START_BOAT:
        return legal_starts(tables, state, mask)
    if phase == BATTLE_CARD:
        return legal_battle_cards(state, mask)
    if phase == EXCHANGE_PAIR:
        return legal_pairs(tables, state, mask)
    if phase == EXCHANGE_AMOUNT:
        return legal_amounts(tables, state, mask)
    if phase == DISCARD:
        return _legal_discards(state, mask)
    if phase == FURY:
        return legal_fury(tables, state, mask)
    if phase == RETURN_CARD:
        return legal_returns(state, mask)
    return 0


@compiled
def _legal_discards(state, mask):
    """DP-19. T-DRAW-1"""
    count = 0
    for card in range(CARDS):
        if state.place[card] == IN_HAND + state.seat:
            mask[PICK_0 + card] = 1
            count += 1
    return count


@compiled
def apply_decision(tables, state, action):
    """Carry out one legal decision and all that follows by itself."""
    phase = state.phase
    if action == PASS:
        _pass(tables, state)
    elif action < FACEUP_0:
        if phase == DRAFT:
            pick(tables, state, action - PICK_0)
        else:
            discard(tables, state, action - PICK_0)
    elif action < FACEDOWN_0:
        play_faceup(tables, state, action - FACEUP_0)
    elif action < END_0:
        play_to_battle(tables, state, action - FACEDOWN_0)
    elif action < FAVOR_0:
        row, end = (action - END_0) // 2, (action - END_0) % 2
        if phase == CONTEST:
            contest(state, row, end)
            after_entering(state)
        else:
            give_back(state, row, end)
    elif action < BOAT_0:
        choose_return(state, action - FAVOR_0)
    elif action < LOCATION_0:
        choose_boat(state, action - BOAT_0)
    elif action < island_0(tables):
        _apply_location(tables, state, action - LOCATION_0)
    elif action < yes(tables):
        _apply_island(tables, state, action)
    elif action == yes(tables):
        if phase == RAID:
            raid(tables, state)
        else:
            accept(tables, state)
    else:
        _apply_rest(tables, state, action)
    run(tables, state)


@compiled
def _pass(tables, state):
    """PASS, STOP, DONE, NO. T-ACT-1"""
    phase = state.phase
    if phase in (LEADER, RUNE, BOON):
        decline(tables, state)
    elif phase == DEPLOY:
        end_deployment(tables, state)
    elif phase == RAID:
        end_docking(tables, state)
    elif phase == EXPLORE_STEP:
        end_exploring(tables, state)
    elif phase == DEDICATE:
        state.phase = TURN_END
    else:
        state.phase = ACTION_DONE


@compiled
def _apply_location(tables, state, location):
    phase = state.phase
    if phase == START_BOAT:
        place_start_boat(tables, state, location)
    elif phase == SAIL_TO:
        sail_to(tables, state, location)
    elif phase == DISPLACE:
        displace(tables, state, location)
    else:
        place_boat(state, location)


@compiled
def _apply_island(tables, state, action):
    if action == deploy_from_mat(tables):
        deploy(tables, state, NOWHERE)
    elif state.phase == DEPLOY:
        deploy(tables, state, action - island_0(tables))
    else:
        place_temple(state, action - island_0(tables))


@compiled
def _apply_rest(tables, state, action):
    if action < link_0(tables):
        harvest(tables, state, action - resource_0(tables))
    elif action < target_0(tables):
        if state.phase == EXPLORE_STEP:
            explore(tables, state, action - link_0(tables))
        else:
            move_temple(tables, state, action - link_0(tables))
    elif action < slot_0(tables):
        target = action - target_0(tables)
        smite(state, target // TARGETS, target % TARGETS)
    elif action < pair_0(tables):
        pay_for_slot(tables, state, action - slot_0(tables))
    elif action < amount_1(tables):
        choose_pair(state, action - pair_0(tables))
    elif action < space_0(tables):
        exchange(state, action - amount_1(tables) + 1)
    elif action < fury_0(tables):
        dedicate(tables, state, action - space_0(tables))
    else:
        move_fury(state, action - fury_0(tables))
