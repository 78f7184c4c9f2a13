"""Work: placing and picking up workers, and the buildings' own actions. Sections 4.1 and 5."""

from northsea_envs.games.raiders.actions import (
    BUILDING_0,
    PASS,
    crew_0,
    display_0,
    hand_0,
    option_0,
)
from northsea_envs.games.raiders.cards import (
    discard,
    join_crew,
    leave_crew,
)
from northsea_envs.games.raiders.goods import (
    gain,
    held,
    in_stock,
    lose,
)
from northsea_envs.games.raiders.state import (
    ACT,
    ARMOUR,
    BUILDING_EXTRA,
    BUILDING_SCOPE,
    BUILDINGS,
    CARD,
    CREW,
    DISPLAY,
    GAIN_PLUNDER,
    GOODS,
    HIRE,
    HIRE_AT_PRICE,
    HIRE_DISCOUNT,
    LONG_HOUSE,
    NO_WORKER,
    OP_EXCHANGE,
    OP_GAIN,
    OP_HIRE,
    OP_OFFER,
    OP_PLAY_CARD,
    OPTIONS,
    PAY_CARD,
    PAY_CREW,
    PAY_PLUNDER,
    PLUNDER,
    PROVISION,
    SILVER,
    TOWN_HALL,
)
from northsea_envs.games.raiders.turn import (
    end_action,
    end_effect,
)
from northsea_envs.jit import compiled

NO_KIND = -1
NO_GOOD = -1
LIST_PRICE = -1


@compiled
def building_bonus(tables, state, seat, code, building):
    """What the crew adds to a building by effects of ``code``. R-CREW-1, -2, -4."""
    total = 0
    for kind in range(len(tables.crew_code)):
        if (
            state.crew[seat, kind]
            and tables.crew_code[kind] == code
            and tables.crew_scope[kind] == BUILDING_SCOPE + building
        ):
            total += state.crew[seat, kind] * tables.crew_n[kind]
    return total


# --- placing and picking up -----------------------------------------------------------------------


@compiled
def legal_placements(tables, state, mask):
    """R-WORK-1"""
    count = 0
    colour = state.worker[state.owner]
    for building in range(BUILDINGS):
        if state.building_worker[building] == NO_WORKER and tables.building_takes[building, colour]:
            mask[BUILDING_0 + building] = 1
            count += 1
    return count


@compiled
def legal_pick_ups(state, mask):
    """R-WORK-3, -7"""
    count = 0
    for building in range(BUILDINGS):
        if building != state.placed and state.building_worker[building] != NO_WORKER:
            mask[BUILDING_0 + building] = 1
            count += 1
    return count


@compiled
def place(tables, state, building):
    """R-WORK-1, -2"""
    owner = int(state.owner)
    colour = int(state.worker[owner])
    state.worker[owner] = NO_WORKER
    state.building_worker[building] = colour
    state.placed = building
    start_action(tables, state, building, colour)


@compiled
def pick_up(tables, state, building):
    """R-WORK-3, -4"""
    colour = int(state.building_worker[building])
    state.building_worker[building] = NO_WORKER
    state.worker[state.owner] = colour
    state.picked_up = 1
    start_action(tables, state, building, colour)


@compiled
def start_action(tables, state, building, colour):
    """Offer a building's action to the turn owner. R-WORK-5."""
    if state.used[building]:
        end_action(tables, state)
        return
    state.building = building
    state.act_colour = colour
    op = tables.op[building, 0, colour]
    if op == OP_PLAY_CARD:
        state.phase = TOWN_HALL
    elif op == OP_HIRE:
        state.phase = HIRE
    elif takes_offers(tables, building, colour):
        state.phase = LONG_HOUSE
        state.long_left = 1 + building_bonus(tables, state, state.owner, BUILDING_EXTRA, building)
    else:
        state.phase = ACT


@compiled
def takes_offers(tables, building, colour):
    """Whether offerings are made in a building."""
    for option in range(OPTIONS):
        if tables.op[building, option, colour] == OP_OFFER:
            return True
    return False


# --- gains and exchanges --------------------------------------------------------------------------


@compiled
def gain_possible(tables, state, seat, resource, spent):
    """Whether some of a resource can be gained, the kind ``spent`` (or NO_KIND) being discarded first."""
    return in_stock(tables, state, seat, resource) > 0 or (resource == CARD and spent != NO_KIND)


@compiled
def exchange_possible(tables, state, seat, pay_res, pay_n, get_res, spent):
    """R-SUP-2; ``spent`` is a kind about to go from the hand to the discard pile, or NO_KIND."""
    purse = held(state, seat, pay_res)
    if pay_res == CARD and spent != NO_KIND:
        purse -= 1
    return purse >= pay_n and gain_possible(tables, state, seat, get_res, spent)


@compiled
def option_possible(tables, state, seat, building, option, colour, spent):
    """Whether an option of a gain or exchange has a result. R-WORK-6."""
    op = tables.op[building, option, colour]
    get_res = tables.op_get_res[building, option, colour]
    if op == OP_GAIN:
        return gain_possible(tables, state, seat, get_res, spent)
    if op == OP_EXCHANGE:
        pay_res = tables.op_pay_res[building, option, colour]
        pay_n = tables.op_pay_n[building, option, colour]
        return exchange_possible(tables, state, seat, pay_res, pay_n, get_res, spent)
    return False


@compiled
def action_possible(tables, state, seat, building, colour, spent):
    """Whether a building's action has any result, the Town Hall's aside. R-WORK-6, R-TH-14."""
    if tables.op[building, 0, colour] == OP_HIRE:
        return hire_possible(tables, state, seat, LIST_PRICE, spent)
    if takes_offers(tables, building, colour):
        for slot in range(DISPLAY):
            if affordable(tables, state, seat, slot):
                return True
    for option in range(OPTIONS):
        if option_possible(tables, state, seat, building, option, colour, spent):
            return True
    return False


@compiled
def legal_options(tables, state, mask):
    """Options of gain and exchange of the building in use. DP-ACT."""
    count = 0
    first = option_0(tables)
    for option in range(OPTIONS):
        if option_possible(tables, state, state.owner, state.building, option, state.act_colour, NO_KIND):
            mask[first + option] = 1
            count += 1
    return count


@compiled
def take_option(tables, state, option):
    """Sections 5 and 6: gains with the crew's extra, or an exchange. R-GATE-1, R-TRE-1, R-ARM-1, R-MILL-2, R-SILV-1."""
    owner, building, colour = int(state.owner), int(state.building), int(state.act_colour)
    state.used[building] = 1
    get_res = tables.op_get_res[building, option, colour]
    get_n = tables.op_get_n[building, option, colour]
    if tables.op[building, option, colour] == OP_GAIN:
        if get_res in (CARD, PROVISION, SILVER):
            get_n += building_bonus(tables, state, owner, BUILDING_EXTRA, building)
        state.get_res = get_res
        state.get_left = get_n
        collect(tables, state)
    else:
        pay_res = tables.op_pay_res[building, option, colour]
        start_exchange(tables, state, pay_res, tables.op_pay_n[building, option, colour], get_res, get_n)


@compiled
def start_exchange(tables, state, pay_res, pay_n, get_res, get_n):
    """Pay, or ask what to pay with; then :func:`collect`. R-TH-6."""
    state.get_res = get_res
    state.get_left = get_n
    if pay_res < GOODS or pay_res == ARMOUR:
        lose(state, state.owner, pay_res, pay_n)
        collect(tables, state)
        return
    state.left = pay_n
    if pay_res == CARD:
        state.phase = PAY_CARD
    elif pay_res == CREW:
        state.phase = PAY_CREW
    elif pay_res == PLUNDER:
        state.phase = PAY_PLUNDER


@compiled
def pay_one(tables, state):
    """One of the things asked for has been paid."""
    state.left -= 1
    if state.left == 0:
        collect(tables, state)


@compiled
def collect(tables, state):
    """Take what was gained or paid for; Plunder one token at a time, of kinds chosen by the owner."""
    owner = int(state.owner)
    if state.get_res == PLUNDER:
        if state.get_left and in_stock(tables, state, owner, PLUNDER):
            state.phase = GAIN_PLUNDER
            return
    else:
        gain(tables, state, owner, state.get_res, state.get_left)
    state.get_res = 0
    state.get_left = 0
    end_effect(tables, state)


# --- Long House -----------------------------------------------------------------------------------


@compiled
def affordable(tables, state, seat, slot):
    """Whether a seat can pay the tile in a slot. R-LONG-2."""
    tile = int(state.display[slot]) - 1
    if tile < 0:
        return False
    for good in range(GOODS):
        if state.goods[seat, good] < tables.tile_cost[tile, good]:
            return False
    return True


@compiled
def legal_long_house(tables, state, mask):
    """DP-LONG; declining too, unless the Merchant has sent the owner here for a first action. R-LONG-3, R-TH-14."""
    count = legal_options(tables, state, mask)
    if takes_offers(tables, state.building, state.act_colour):
        for slot in range(DISPLAY):
            if affordable(tables, state, state.owner, slot):
                mask[display_0(tables) + slot] = 1
                count += 1
    if not state.must_act or state.used[state.building]:
        mask[PASS] = 1
        count += 1
    return count


@compiled
def make_offering(tables, state, seat, slot, discounted, discount):
    """Pay for a tile, ``discount`` less of one good (or NO_GOOD), take it, refill the slot. R-LONG-2, R-TH-17."""
    tile = int(state.display[slot]) - 1
    for good in range(GOODS):
        cost = int(tables.tile_cost[tile, good])
        if good == discounted:
            cost = max(0, cost - discount)
        lose(state, seat, good, cost)
    state.tile_owner[tile] = seat + 1
    state.display[slot] = 0
    if state.stack_size:
        reveal(state, slot)


@compiled
def reveal(state, slot):
    """Turn the top tile of the stack over into a slot."""
    top = state.stack_size - 1
    state.display[slot] = state.stack[top] + 1
    state.stack[top] = 0
    state.stack_size = top
    state.stack_known = min(state.stack_known, top)


# --- hiring ---------------------------------------------------------------------------------------


@compiled
def fixed_price(tables, state):
    """Price that the card in effect sets for a hire, or LIST_PRICE. R-TH-13."""
    if state.card and tables.th_code[state.card - 1] == HIRE_AT_PRICE:
        return int(tables.th_pay_n[state.card - 1])
    return LIST_PRICE


@compiled
def _affordable_hire(tables, state, seat, kind, price, discount, spent):
    in_hand = int(state.hand[seat, kind]) - (kind == spent)
    if price == LIST_PRICE:
        price = max(0, tables.hire_cost[kind] - discount)
    return in_hand > 0 and price <= state.goods[seat, SILVER]


@compiled
def hire_discount(tables, state, seat):
    """What the crew saves on a hire. R-BAR-3."""
    total = 0
    for kind in range(len(tables.crew_code)):
        if state.crew[seat, kind] and tables.crew_code[kind] == HIRE_DISCOUNT:
            total += state.crew[seat, kind] * tables.crew_n[kind]
    return total


@compiled
def _any_hire(tables, state, seat, price, spent, dismissed):
    """Whether a hire is possible once the crew member ``dismissed`` (or NO_KIND) has gone. R-BAR-2..5."""
    size, heroes = int(state.crew_size[seat]), int(state.heroes[seat])
    discount = hire_discount(tables, state, seat)
    if dismissed != NO_KIND:
        size -= 1
        heroes -= tables.is_hero[dismissed]
        if tables.crew_code[dismissed] == HIRE_DISCOUNT:
            discount -= tables.crew_n[dismissed]
    if size >= tables.limit_crew:
        return False
    for kind in range(len(tables.hire_cost)):
        if (
            state.hand[seat, kind]
            and heroes + tables.is_hero[kind] <= tables.limit_hero_crew
            and _affordable_hire(tables, state, seat, kind, price, discount, spent)
        ):
            return True
    return False


@compiled
def hire_possible(tables, state, seat, price, spent):
    """Whether a hire is possible, if need be after dismissing somebody."""
    if _any_hire(tables, state, seat, price, spent, NO_KIND):
        return True
    if tables.crew_discards_per_hire:
        for kind in range(len(tables.hire_cost)):
            if state.crew[seat, kind] and _any_hire(tables, state, seat, price, spent, kind):
                return True
    return False


@compiled
def legal_hires(tables, state, mask):
    """DP-BAR and the Recruiter's DP-HIRE. R-BAR-1..5, R-TH-13."""
    count = 0
    seat = int(state.owner)
    price = fixed_price(tables, state)
    if state.crew_size[seat] < tables.limit_crew:
        discount = hire_discount(tables, state, seat)
        for kind in range(len(tables.hire_cost)):
            if (
                state.hand[seat, kind]
                and state.heroes[seat] + tables.is_hero[kind] <= tables.limit_hero_crew
                and _affordable_hire(tables, state, seat, kind, price, discount, NO_KIND)
            ):
                mask[hand_0(tables) + kind] = 1
                count += 1
    if state.fired < tables.crew_discards_per_hire:
        for kind in range(len(tables.hire_cost)):
            if state.crew[seat, kind] and _any_hire(tables, state, seat, price, NO_KIND, kind):
                mask[crew_0(tables) + kind] = 1
                count += 1
    if not state.fired and not state.must_act and price == LIST_PRICE:
        mask[PASS] = 1
        count += 1
    return count


@compiled
def hire(tables, state, kind):
    """R-BAR-1, -3"""
    seat = int(state.owner)
    price = fixed_price(tables, state)
    if price == LIST_PRICE:
        price = max(0, tables.hire_cost[kind] - hire_discount(tables, state, seat))
        state.used[state.building] = 1
    lose(state, seat, SILVER, price)
    join_crew(tables, state, seat, kind)
    state.fired = 0
    end_effect(tables, state)


@compiled
def dismiss(tables, state, kind):
    """R-BAR-2: no death."""
    leave_crew(tables, state, state.owner, kind)
    discard(state, kind)
    state.fired += 1
