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
from northsea_envs.games.raiders.goods import gain, hand_over, held, lose, plunder
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
    NO_WORKER,
    NOWHERE,
    OFFER_AT_DISCOUNT,
    OP_PLAY_CARD,
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
    SWAP_WHOLE_HANDS,
    SWAP_WORKER,
    USE_BUILDING,
    WORKER_BUILDING,
)
from northsea_envs.games.raiders.turn import end_effect
from northsea_envs.games.raiders.work import (
    NO_KIND,
    action_possible,
    collect,
    exchange_possible,
    gain_possible,
    hire_possible,
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


@compiled
def playable(tables, state, seat, kind):
    """Whether the Town Hall action of a card in hand can change something besides the card's own discard. R-TH-3."""
    code = tables.th_code[kind]
    if code == GAIN:
        # The card itself is in the discard pile by then, so a card can always be drawn.
        return gain_possible(tables, state, seat, tables.th_get_res[kind], kind) or gain_possible(
            tables, state, seat, tables.th_get2_res[kind], kind
        )
    if code == EXCHANGE:
        return exchange_possible(
            tables, state, seat, tables.th_pay_res[kind], tables.th_pay_n[kind], tables.th_get_res[kind], kind
        )
    if code == SWAP_CREW_WITH_HAND:
        for member in range(len(tables.th_code)):
            if state.crew[seat, member] and replaceable(tables, state, seat, member, kind):
                return True
        return False
    if code == HIRE_AT_PRICE:
        return hire_possible(tables, state, seat, tables.th_pay_n[kind], kind)
    if code == USE_BUILDING:
        for building in range(BUILDINGS):
            if usable(tables, state, seat, building, kind):
                return True
        return False
    if code == CYCLE_OFFERINGS:
        return state.stack_size > 0
    if code == OFFER_AT_DISCOUNT:
        for slot in range(DISPLAY):
            if affordable_at_discount(tables, state, seat, slot, tables.th_pay_n[kind]):
                return True
        return False
    for k in range(1, state.players):
        if is_target(tables, state, seat, (seat + k) % state.players, kind, kind):
            return True
    return False


@compiled
def is_target(tables, state, seat, other, kind, spent):
    """Whether the card of ``kind`` does something to an opponent. R-TH-4, -7..11, -16."""
    code = tables.th_code[kind]
    if code in (ALL_OPPONENTS_LOSE, OPPONENT_LOSES):
        return held(state, other, tables.th_pay_res[kind]) > 0
    if code in (STEAL, ALL_OPPONENTS_GIVE):
        resource = tables.th_get_res[kind]
        if resource == SILVER_OR_PROVISION:
            return state.goods[other, SILVER] > 0 or state.goods[other, PROVISION] > 0
        return held(state, other, resource) > 0
    if code == SWAP_WORKER:
        for building in range(BUILDINGS):
            if swappable(tables, state, other, building):
                return True
        return False
    own = int(state.hand_size[seat]) - (spent != NO_KIND)
    if code == SWAP_CARDS:
        return own > 0 and state.hand_size[other] > 0
    if code == SWAP_WHOLE_HANDS:
        return own > 0 or state.hand_size[other] > 0
    return False


@compiled
def swappable(tables, state, other, building):
    """Whether an opponent's worker and a building's can change places. R-TH-11."""
    there, theirs = state.building_worker[building], state.worker[other]
    return (
        there != NO_WORKER and theirs != NO_WORKER and there != theirs and tables.building_takes[building, theirs] > 0
    )


@compiled
def replaceable(tables, state, seat, member, spent):
    """Whether a card of another kind could take a crew member's place. R-TH-12."""
    for kind in range(len(tables.th_code)):
        if can_replace(tables, state, seat, member, kind, spent):
            return True
    return False


@compiled
def can_replace(tables, state, seat, member, kind, spent):
    """Whether a hand card of ``kind`` could take a crew member's place. R-TH-12, R-BAR-4."""
    heroes = int(state.heroes[seat]) - tables.is_hero[member] + tables.is_hero[kind]
    return (
        kind != member
        and int(state.hand[seat, kind]) - (kind == spent) > 0
        and (tables.is_hero[kind] == 0 or heroes <= tables.limit_hero_crew)
    )


@compiled
def usable(tables, state, seat, building, spent):
    """Whether the Merchant may lead to a building. R-TH-14."""
    colour = int(state.act_colour)
    return (
        state.used[building] == 0
        and tables.building_takes[building, colour] > 0
        and tables.op[building, 0, colour] != OP_PLAY_CARD
        and action_possible(tables, state, seat, building, colour, spent)
    )


@compiled
def affordable_at_discount(tables, state, seat, slot, discount):
    """Whether some discount makes the tile in a slot payable. R-TH-17."""
    for good in range(GOODS):
        if discount_pays(tables, state, seat, slot, good, discount):
            return True
    return False


@compiled
def discount_pays(tables, state, seat, slot, good, discount):
    """Whether a seat can pay the tile in a slot with ``discount`` less of a good that it costs. R-TH-17."""
    tile = int(state.display[slot]) - 1
    if tile < 0 or tables.tile_cost[tile, good] == 0:
        return False
    for other in range(GOODS):
        cost = tables.tile_cost[tile, other] - (discount if other == good else 0)
        if state.goods[seat, other] < cost:
            return False
    return True


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
