"""Playing cards at the Town Hall: section 6 of the rules document. Effects go by code, never by card."""

from northsea_envs.games.raiders.actions import (
    BUILDING_0,
    PASS,
    count_1,
    crew_0,
    display_0,
    hand_0,
    opponent_0,
    resource_0,
)
from northsea_envs.games.raiders.cards import (
    discard_from_hand,
    exchange_hands,
    exchange_picked,
    join_crew,
    leave_crew,
    take_in_sight,
)
from northsea_envs.games.raiders.goods import (
    gain,
    hand_over,
    lose,
    plunder,
)
from northsea_envs.games.raiders.playable import (
    affordable_at_discount,
    can_replace,
    discount_pays,
    is_target,
    playable,
    replaceable,
    swappable,
    usable,
)
from northsea_envs.games.raiders.state import (
    ACTION_BUILDING,
    ALL_OPPONENTS_GIVE,
    ALL_OPPONENTS_LOSE,
    BUILDINGS,
    CYCLE_OFFERINGS,
    DISCOUNT_ON,
    DISPLAY,
    EXCHANGE,
    FREE_HIRE,
    GAIN,
    GOODS,
    HIRE,
    HIRE_AT_PRICE,
    NO_RESOURCE,
    NOWHERE,
    OFFER_AT_DISCOUNT,
    OPPONENT,
    OPPONENT_LOSES,
    PAY,
    PLUNDER,
    PLUNDER_KINDS,
    PROVISION,
    RETURN_CREW,
    SILVER,
    SILVER_OR_PROVISION,
    SLOT,
    STEAL,
    STEAL_PLUNDER,
    SWAP_A,
    SWAP_B,
    SWAP_CARDS,
    SWAP_COUNT,
    SWAP_CREW_WITH_HAND,
    SWAP_WORKER,
    USE_BUILDING,
    WORKER_BUILDING,
)
from northsea_envs.games.raiders.turn import (
    end_effect,
)
from northsea_envs.games.raiders.work import (
    NO_KIND,
    collect,
    make_offering,
    reveal,
    start_action,
    start_exchange,
)
from northsea_envs.jit import compiled


@compiled
def legal_cards(tables, state, mask):
    """DP-TH. R-TH-1..4."""
    count = 1
    mask[PASS] = 1
    for kind in range(len(tables.th_code)):
        if state.hand[state.owner, kind] and playable(tables, state, state.owner, kind):
            mask[hand_0(tables) + kind] = 1
            count += 1
    return count


# --- playing --------------------------------------------------------------------------------------


@compiled
def play_card(tables, state, kind):
    """R-TH-1: to the discard pile first, then the action."""
    owner = int(state.owner)
    state.used[state.building] = 1
    discard_from_hand(state, owner, kind)
    state.card = kind + 1
    code = tables.th_code[kind]
    if code == GAIN:
        _gain(tables, state, kind)
    elif code == EXCHANGE:
        start_exchange(
            tables,
            state,
            tables.th_pay_res[kind],
            tables.th_pay_n[kind],
            tables.th_get_res[kind],
            tables.th_get_n[kind],
        )
    elif code == ALL_OPPONENTS_LOSE:
        for other in range(state.players):
            if other != owner:
                lose(state, other, tables.th_pay_res[kind], tables.th_pay_n[kind])
        end_effect(tables, state)
    elif code == ALL_OPPONENTS_GIVE:
        state.target = owner
        next_payer(tables, state)
    elif code == SWAP_CREW_WITH_HAND:
        state.phase = RETURN_CREW
    elif code == HIRE_AT_PRICE:
        state.phase = HIRE
    elif code == USE_BUILDING:
        state.phase = ACTION_BUILDING
    elif code == CYCLE_OFFERINGS:
        _cycle_offerings(tables, state)
    elif code == OFFER_AT_DISCOUNT:
        state.phase = SLOT
    else:
        state.phase = OPPONENT


@compiled
def _gain(tables, state, kind):
    """R-TH-5: two independent gains; those that ask for a kind of Plunder come last, together."""
    owner = int(state.owner)
    first, second = tables.th_get_res[kind], tables.th_get2_res[kind]
    choices = 0
    if first == PLUNDER:
        choices += tables.th_get_n[kind]
    else:
        gain(tables, state, owner, first, tables.th_get_n[kind])
    if second == PLUNDER:
        choices += tables.th_get2_n[kind]
    elif second != NO_RESOURCE:
        gain(tables, state, owner, second, tables.th_get2_n[kind])
    state.get_res = PLUNDER
    state.get_left = choices
    collect(tables, state)


@compiled
def _cycle_offerings(tables, state):
    """R-TH-15: the display under the stack, slot 0 uppermost, then three from the top."""
    size = int(state.stack_size)
    for place in range(size - 1, -1, -1):
        state.stack[place + DISPLAY] = state.stack[place]
    for slot in range(DISPLAY):
        state.stack[DISPLAY - 1 - slot] = state.display[slot] - 1
    state.stack_size += DISPLAY
    state.stack_known += DISPLAY
    for slot in range(DISPLAY):
        reveal(state, slot)
    end_effect(tables, state)


# --- opponents ------------------------------------------------------------------------------------


@compiled
def legal_opponents(tables, state, mask):
    """DP-OPP"""
    count = 0
    for k in range(1, state.players):
        other = (state.owner + k) % state.players
        if is_target(tables, state, state.owner, other, state.card - 1, NO_KIND):
            mask[opponent_0(tables) + k - 1] = 1
            count += 1
    return count


@compiled
def choose_opponent(tables, state, k):
    """Carry the card out on the opponent k + 1 seats clockwise, or ask on. R-TH-8, -9, -11, -16."""
    owner = int(state.owner)
    other = (owner + k + 1) % state.players
    state.target = other
    kind = int(state.card) - 1
    code = tables.th_code[kind]
    if code == OPPONENT_LOSES:
        lose(state, other, tables.th_pay_res[kind], tables.th_pay_n[kind])
        end_effect(tables, state)
    elif code == STEAL:
        if tables.th_get_res[kind] == PLUNDER:
            state.left = tables.th_get_n[kind]
            state.phase = STEAL_PLUNDER
        else:
            hand_over(state, other, owner, tables.th_get_res[kind], tables.th_get_n[kind])
            end_effect(tables, state)
    elif code == SWAP_WORKER:
        state.phase = WORKER_BUILDING
    elif code == SWAP_CARDS:
        state.phase = SWAP_COUNT
    else:
        exchange_hands(state, owner, other)
        end_effect(tables, state)


@compiled
def next_payer(tables, state):
    """The next opponent clockwise who has something to give, or the end of the effect. R-TH-10."""
    kind = int(state.card) - 1
    resource, amount = tables.th_get_res[kind], tables.th_get_n[kind]
    payer = (state.target + 1) % state.players
    while payer != state.owner:
        state.target = payer
        if resource != SILVER_OR_PROVISION:
            hand_over(state, payer, state.owner, resource, amount)
        elif state.goods[payer, SILVER] or state.goods[payer, PROVISION]:
            state.left = amount
            state.seat = payer
            state.phase = PAY
            return
        payer = (payer + 1) % state.players
    end_effect(tables, state)


@compiled
def legal_payments(tables, state, mask):
    """DP-PAY"""
    count = 0
    for good in (SILVER, PROVISION):
        if state.goods[state.target, good]:
            mask[resource_0(tables) + good] = 1
            count += 1
    return count


@compiled
def pay_owner(tables, state, good):
    """R-TH-10"""
    payer = int(state.target)
    hand_over(state, payer, state.owner, good, 1)
    state.left -= 1
    if state.left == 0 or (state.goods[payer, SILVER] == 0 and state.goods[payer, PROVISION] == 0):
        state.left = 0
        next_payer(tables, state)


@compiled
def legal_plunder(tables, state, goods, mask):
    """DP-RES: kinds of Plunder among ``goods``."""
    count = 0
    for good in range(PLUNDER_KINDS):
        if goods[good]:
            mask[resource_0(tables) + good] = 1
            count += 1
    return count


@compiled
def gain_plunder(tables, state, good):
    """One token from the supply. R-TH-6."""
    gain(tables, state, state.owner, good, 1)
    state.get_left -= 1
    collect(tables, state)


@compiled
def steal_plunder(tables, state, good):
    """One token from the opponent. R-TH-9."""
    hand_over(state, state.target, state.owner, good, 1)
    state.left -= 1
    if state.left == 0 or plunder(state.goods[state.target]) == 0:
        state.left = 0
        end_effect(tables, state)


@compiled
def legal_worker_buildings(tables, state, mask):
    """R-TH-11"""
    count = 0
    for building in range(BUILDINGS):
        if swappable(tables, state, state.target, building):
            mask[BUILDING_0 + building] = 1
            count += 1
    return count


@compiled
def swap_worker(tables, state, building):
    """R-TH-11"""
    there = state.building_worker[building]
    state.building_worker[building] = state.worker[state.target]
    state.worker[state.target] = there
    end_effect(tables, state)


# --- hand and crew --------------------------------------------------------------------------------


@compiled
def legal_counts(tables, state, mask):
    """DP-COUNT. Never more than a hand's limit, which only other tables could reach."""
    most = min(state.hand_size[state.owner], state.hand_size[state.target])
    count = min(int(most), tables.limit_hand)
    for k in range(count):
        mask[count_1(tables) + k] = 1
    return count


@compiled
def choose_count(state, cards):
    """R-TH-16"""
    state.swap_count = cards
    state.left = cards
    state.phase = SWAP_A


@compiled
def legal_picks(tables, state, mask):
    """DP-DRAFT, DP-SWAP: hand cards of the decider that it has not picked yet."""
    count = 0
    for kind in range(len(tables.th_code)):
        if state.hand[state.seat, kind] > state.picked[state.seat, kind]:
            mask[hand_0(tables) + kind] = 1
            count += 1
    return count


@compiled
def pick_to_swap(tables, state, kind):
    """R-TH-16: the owner picks, then the opponent, then the cards change hands."""
    state.picked[state.seat, kind] += 1
    state.left -= 1
    if state.left:
        return
    if state.phase == SWAP_A:
        state.left = state.swap_count
        state.seat = state.target
        state.phase = SWAP_B
    else:
        exchange_picked(state, state.owner, state.target, int(state.swap_count))
        state.swap_count = 0
        end_effect(tables, state)


@compiled
def legal_returns(tables, state, mask):
    """Crew members that the Gravedigger can bring back. R-TH-12."""
    count = 0
    for member in range(len(tables.th_code)):
        if state.crew[state.owner, member] and replaceable(tables, state, state.owner, member, NO_KIND):
            mask[crew_0(tables) + member] = 1
            count += 1
    return count


@compiled
def choose_return(state, member):
    """R-TH-12: nothing moves before the other card is chosen."""
    state.chosen = member + 1
    state.phase = FREE_HIRE


@compiled
def legal_free_hires(tables, state, mask):
    """R-TH-12"""
    count = 0
    for kind in range(len(tables.th_code)):
        if can_replace(tables, state, state.owner, state.chosen - 1, kind, NO_KIND):
            mask[hand_0(tables) + kind] = 1
            count += 1
    return count


@compiled
def hire_in_place(tables, state, kind):
    """R-TH-12"""
    owner, member = int(state.owner), int(state.chosen) - 1
    state.chosen = 0
    leave_crew(tables, state, owner, member)
    join_crew(tables, state, owner, kind)
    take_in_sight(state, owner, member)
    end_effect(tables, state)


# --- buildings and offerings ----------------------------------------------------------------------


@compiled
def legal_action_buildings(tables, state, mask):
    """R-TH-14"""
    count = 0
    for building in range(BUILDINGS):
        if usable(tables, state, state.owner, building, NO_KIND):
            mask[BUILDING_0 + building] = 1
            count += 1
    return count


@compiled
def use_building(tables, state, building):
    """R-TH-14: with the worker's colour and all bonuses; it may not be declined."""
    state.must_act = 1
    start_action(tables, state, building, int(state.act_colour))


@compiled
def legal_slots(tables, state, mask):
    """R-TH-17"""
    count = 0
    discount = tables.th_pay_n[state.card - 1]
    for slot in range(DISPLAY):
        if affordable_at_discount(tables, state, state.owner, slot, discount):
            mask[display_0(tables) + slot] = 1
            count += 1
    return count


@compiled
def choose_slot(state, slot):
    """R-TH-17"""
    state.slot = slot
    state.phase = DISCOUNT_ON


@compiled
def legal_discounts(tables, state, mask):
    """R-TH-17"""
    count = 0
    discount = tables.th_pay_n[state.card - 1]
    for good in range(GOODS):
        if discount_pays(tables, state, state.owner, state.slot, good, discount):
            mask[resource_0(tables) + good] = 1
            count += 1
    return count


@compiled
def buy_at_discount(tables, state, good):
    """R-TH-17"""
    slot = int(state.slot)
    state.slot = NOWHERE
    make_offering(tables, state, int(state.owner), slot, good, tables.th_pay_n[state.card - 1])
    end_effect(tables, state)
