"""Whose decision it is, what is legal, and what a decision does: the phases, one by one. Section 14.2."""

from northsea_envs.games.raiders.actions import (
    BUILDING_0,
    PASS,
    SETTLEMENT_0,
    count_1,
    crew_0,
    die_0,
    display_0,
    hand_0,
    opponent_0,
    option_0,
    resource_0,
    set_0,
)
from northsea_envs.games.raiders.cards import (
    discard,
    discard_from_hand,
    leave_crew,
)
from northsea_envs.games.raiders.goods import (
    lose,
)
from northsea_envs.games.raiders.raid import (
    choose_avenge_opponent,
    keep_dice,
    kill,
    legal_avenge_opponents,
    legal_crew,
    legal_raids,
    legal_rerolls,
    legal_sets,
    lose_to_avenger,
    raid,
    reroll,
    take_set,
)
from northsea_envs.games.raiders.setup import (
    pick_in_draft,
)
from northsea_envs.games.raiders.state import (
    ACT,
    ACTION_BUILDING,
    AVENGE_CREW,
    AVENGE_OPPONENT,
    DISCOUNT_ON,
    DRAFT,
    FREE_HIRE,
    GAIN_PLUNDER,
    HIRE,
    KILL,
    LIMIT,
    LONG_HOUSE,
    MAIN,
    OPPONENT,
    PAY,
    PAY_CARD,
    PAY_CREW,
    PAY_PLUNDER,
    PICK_UP,
    REROLL,
    RETURN_CREW,
    SET,
    SLOT,
    STEAL_PLUNDER,
    SWAP_A,
    SWAP_B,
    SWAP_COUNT,
    TOWN_HALL,
    WORKER_BUILDING,
)
from northsea_envs.games.raiders.town_hall import (
    buy_at_discount,
    choose_count,
    choose_opponent,
    choose_return,
    choose_slot,
    gain_plunder,
    hire_in_place,
    legal_action_buildings,
    legal_cards,
    legal_counts,
    legal_discounts,
    legal_free_hires,
    legal_opponents,
    legal_payments,
    legal_picks,
    legal_plunder,
    legal_returns,
    legal_slots,
    legal_worker_buildings,
    pay_owner,
    pick_to_swap,
    play_card,
    steal_plunder,
    swap_worker,
    use_building,
)
from northsea_envs.games.raiders.turn import (
    discard_surplus,
    end_action,
)
from northsea_envs.games.raiders.work import (
    NO_GOOD,
    dismiss,
    hire,
    legal_hires,
    legal_long_house,
    legal_options,
    legal_pick_ups,
    legal_placements,
    make_offering,
    pay_one,
    pick_up,
    place,
    take_option,
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
    if phase == MAIN:
        return legal_placements(tables, state, mask) + legal_raids(tables, state, mask)
    if phase == PICK_UP:
        return legal_pick_ups(state, mask)
    if phase == ACT:
        count = legal_options(tables, state, mask)
        if not state.must_act:
            mask[PASS] = 1
            count += 1
        return count
    if phase == TOWN_HALL:
        return legal_cards(tables, state, mask)
    if phase == HIRE:
        return legal_hires(tables, state, mask)
    if phase == LONG_HOUSE:
        return legal_long_house(tables, state, mask)
    if phase in (DRAFT, SWAP_A, SWAP_B, PAY_CARD, LIMIT):
        return legal_picks(tables, state, mask)
    if phase in (KILL, AVENGE_CREW, PAY_CREW):
        return legal_crew(tables, state, state.seat, mask)
    if phase == SET:
        return legal_sets(tables, state, mask)
    if phase == REROLL:
        return legal_rerolls(tables, state, mask)
    if phase == AVENGE_OPPONENT:
        return legal_avenge_opponents(tables, state, mask)
    return _legal_in_effect(tables, state, mask)


@compiled
def _legal_in_effect(tables, state, mask):
    """Decisions inside the effect of a card, and kinds of Plunder."""
    phase = state.phase
    if phase == OPPONENT:
        return legal_opponents(tables, state, mask)
    if phase == WORKER_BUILDING:
        return legal_worker_buildings(tables, state, mask)
    if phase == ACTION_BUILDING:
        return legal_action_buildings(tables, state, mask)
    if phase == GAIN_PLUNDER:
        return legal_plunder(tables, state, state.supply, mask)
    if phase == STEAL_PLUNDER:
        return legal_plunder(tables, state, state.goods[state.target], mask)
    if phase == PAY_PLUNDER:
        return legal_plunder(tables, state, state.goods[state.owner], mask)
    if phase == RETURN_CREW:
        return legal_returns(tables, state, mask)
    if phase == FREE_HIRE:
        return legal_free_hires(tables, state, mask)
    if phase == SLOT:
        return legal_slots(tables, state, mask)
    if phase == DISCOUNT_ON:
        return legal_discounts(tables, state, mask)
    if phase == SWAP_COUNT:
        return legal_counts(tables, state, mask)
    if phase == PAY:
        return legal_payments(tables, state, mask)
    return 0


@compiled
def apply_decision(tables, state, action):
    """Carry out one legal decision and all that follows by itself."""
    phase = state.phase
    if action == PASS:
        if phase == REROLL:
            keep_dice(tables, state)
        else:
            end_action(tables, state)
    elif action < SETTLEMENT_0:
        _apply_building(tables, state, action - BUILDING_0)
    elif action < hand_0(tables):
        raid(tables, state, action - SETTLEMENT_0)
    elif action < crew_0(tables):
        _apply_hand(tables, state, action - hand_0(tables))
    elif action < opponent_0(tables):
        _apply_crew(tables, state, action - crew_0(tables))
    elif action < display_0(tables):
        if phase == AVENGE_OPPONENT:
            choose_avenge_opponent(state, action - opponent_0(tables))
        else:
            choose_opponent(tables, state, action - opponent_0(tables))
    elif action < set_0(tables):
        slot = action - display_0(tables)
        if phase == SLOT:
            choose_slot(state, slot)
        else:
            _apply_offering(tables, state, slot)
    elif action < resource_0(tables):
        take_set(tables, state, action - set_0(tables))
    elif action < die_0(tables):
        _apply_resource(tables, state, action - resource_0(tables))
    elif action < count_1(tables):
        reroll(tables, state, action - die_0(tables))
    elif action < option_0(tables):
        choose_count(state, action - count_1(tables) + 1)
    else:
        if phase == LONG_HOUSE:
            state.long_left -= 1
        take_option(tables, state, action - option_0(tables))


@compiled
def _apply_building(tables, state, building):
    phase = state.phase
    if phase == MAIN:
        place(tables, state, building)
    elif phase == PICK_UP:
        pick_up(tables, state, building)
    elif phase == WORKER_BUILDING:
        swap_worker(tables, state, building)
    else:
        use_building(tables, state, building)


@compiled
def _apply_hand(tables, state, kind):
    phase = state.phase
    if phase == DRAFT:
        pick_in_draft(tables, state, kind)
    elif phase == TOWN_HALL:
        play_card(tables, state, kind)
    elif phase == PAY_CARD:
        discard_from_hand(state, state.owner, kind)
        pay_one(tables, state)
    elif phase == HIRE:
        hire(tables, state, kind)
    elif phase == FREE_HIRE:
        hire_in_place(tables, state, kind)
    elif phase == LIMIT:
        discard_surplus(tables, state, kind)
    else:
        pick_to_swap(tables, state, kind)


@compiled
def _apply_crew(tables, state, kind):
    phase = state.phase
    if phase == HIRE:
        dismiss(tables, state, kind)
    elif phase == KILL:
        kill(tables, state, kind)
    elif phase == AVENGE_CREW:
        lose_to_avenger(tables, state, kind)
    elif phase == RETURN_CREW:
        choose_return(state, kind)
    else:
        # R-TH-6: no death.
        leave_crew(tables, state, state.owner, kind)
        discard(state, kind)
        pay_one(tables, state)


@compiled
def _apply_offering(tables, state, slot):
    """R-LONG-2, -3"""
    state.used[state.building] = 1
    state.long_left -= 1
    make_offering(tables, state, int(state.owner), slot, NO_GOOD, 0)
    if state.long_left == 0:
        end_action(tables, state)


@compiled
def _apply_resource(tables, state, good):
    phase = state.phase
    if phase == PAY:
        pay_owner(tables, state, good)
    elif phase == STEAL_PLUNDER:
        steal_plunder(tables, state, good)
    elif phase == GAIN_PLUNDER:
        gain_plunder(tables, state, good)
    elif phase == DISCOUNT_ON:
        buy_at_discount(tables, state, good)
    else:
        lose(state, state.owner, good, 1)
        pay_one(tables, state)
