"""What the actions still open to the turn owner would bring: the part of :mod:`value` for a turn under way."""

from northsea_envs.games.raiders.playable import (
    discount_pays,
    is_target,
    playable,
    usable,
)
from northsea_envs.games.raiders.prospects import (
    ARMED,
    BY_KIND,
    CHANGED,
    CLOSED,
    HERD,
    NOW,
    PURSE,
    PURSE_COLUMNS,
    SEAT,
    TURNS,
    WHOLE,
    card_quality,
    holdings_worth,
    kills_worth,
    later,
    member_worth,
    muster,
    set_worth,
)
from northsea_envs.games.raiders.raid import (
    raid_bonus,
    settlement_vp,
    strength_without_dice,
)
from northsea_envs.games.raiders.state import (
    ACT,
    ALL_OPPONENTS_GIVE,
    ARMOUR,
    AVENGE_CREW,
    BUILDING_EXTRA,
    BUILDINGS,
    CARD,
    CREW,
    CYCLE_OFFERINGS,
    DICE,
    DISPLAY,
    EXCHANGE,
    FREE_HIRE,
    GAIN,
    GAIN_PLUNDER,
    GOLD,
    GOODS,
    HIRE,
    HIRE_AT_PRICE,
    KILL,
    LIVESTOCK,
    LONG_HOUSE,
    NO_RESOURCE,
    NO_WORKER,
    OFFER_AT_DISCOUNT,
    OP_GAIN,
    OP_HIRE,
    OP_PLAY_CARD,
    OPPONENT_LOSES,
    OPTIONS,
    PAY_CARD,
    PAY_CREW,
    PAY_PLUNDER,
    PLUNDER,
    PROVISION,
    RAID_VP,
    REROLL,
    SET,
    SILVER,
    SILVER_OR_PROVISION,
    STEAL,
    STEAL_PLUNDER,
    SWAP_CARDS,
    SWAP_CREW_WITH_HAND,
    SWAP_WHOLE_HANDS,
    SWAP_WORKER,
    TOWN_HALL,
    USE_BUILDING,
)
from northsea_envs.games.raiders.weights import (
    HARM,
    LOST_CREW,
    MORE_IN_LONG_HOUSE,
    NEW_TILES,
    SWAPPED_CARDS,
    SWAPPED_WORKER,
)
from northsea_envs.games.raiders.work import (
    LIST_PRICE,
    NO_GOOD,
    NO_KIND,
    affordable,
    building_bonus,
    fixed_price,
    hire_discount,
    option_possible,
    takes_offers,
)
from northsea_envs.jit import compiled


@compiled
def _growth(tables, state, seat, holdings, colour, base):
    """How much more the holdings are worth now, changed as they are by anything but the crew, than ``base``."""
    if (
        holdings[PURSE, ARMOUR] != holdings[NOW + WHOLE, ARMED]
        or holdings[PURSE, LIVESTOCK] != holdings[NOW + WHOLE, HERD]
    ):
        return _growth_by_crew(tables, state, seat, holdings, colour, base)
    return holdings_worth(tables, state, holdings, colour, NOW) - base


@compiled
def _growth_by_crew(tables, state, seat, holdings, colour, base):
    """The same after a change of the crew, or of what it is worth."""
    muster(tables, state, seat, holdings, CHANGED)
    return holdings_worth(tables, state, holdings, colour, CHANGED) - base


# --- the turn under way ---------------------------------------------------------------------------


@compiled
def under_way(tables, state, seat, holdings, colour, base):
    """The best of what the turn owner may still do this turn."""
    phase = state.phase
    share = later(tables, holdings[SEAT, TURNS])
    if phase in (REROLL, SET):
        worth = _best_set(tables, state, seat, holdings, colour, base)
        if phase == REROLL:
            place = tables.settlement_type[state.settlement]
            strength = strength_without_dice(tables, state, seat, place)
            for die in range(DICE):
                strength += int(state.dice[die])
            worth += settlement_vp(tables, state.settlement, strength)
            worth += raid_bonus(tables, state, seat, RAID_VP, place)
        return worth
    if KILL <= phase <= AVENGE_CREW:
        return kills_worth(tables, state, seat, int(state.valkyries_left), share)
    if state.placed < 0:
        return 0.0
    worth = 0.0
    if state.building >= 0:
        worth = _action_under_way(tables, state, seat, holdings, colour, base)
    if not state.picked_up:
        worth += _best_pick_up(tables, state, seat, holdings, colour, base)
    return worth


@compiled
def _best_set(tables, state, seat, holdings, colour, base):
    """The best set of the settlement just raided, with its worker."""
    best = CLOSED
    share = later(tables, holdings[SEAT, TURNS])
    first = tables.first_space[state.settlement]
    for space in range(first, first + tables.space_count[state.settlement]):
        if state.set_left[space]:
            worth = set_worth(tables, state, seat, space, share)
            worth += _growth(tables, state, seat, holdings, tables.space_worker[space], base)
            best = max(best, worth)
    return best


@compiled
def _best_pick_up(tables, state, seat, holdings, colour, base):
    """The best worker to pick up, with the action of its building."""
    best = CLOSED
    for building in range(BUILDINGS):
        there = int(state.building_worker[building])
        if there == NO_WORKER or building == state.placed:
            continue
        worth = _growth(tables, state, seat, holdings, there, base)
        if not state.used[building] and building != state.building:
            worth += _action_worth(tables, state, seat, building, there, holdings, colour, base)
        best = max(best, worth)
    return best if best > CLOSED else 0.0


@compiled
def _action_worth(tables, state, seat, building, act_colour, holdings, colour, base):
    """The best that an action brings, nothing if it is better declined."""
    if tables.op[building, 0, act_colour] == OP_PLAY_CARD:
        best = 0.0
        for kind in range(len(tables.card_count)):
            if state.hand[seat, kind] and tables.th_code[kind] != USE_BUILDING and playable(tables, state, seat, kind):
                best = max(best, _card_worth(tables, state, seat, kind, holdings, colour, base))
        return best
    return max(0.0, _building_worth(tables, state, seat, building, act_colour, holdings, colour, base, NO_KIND))


@compiled
def _action_under_way(tables, state, seat, holdings, colour, base):
    """What the action or card that is being carried out still brings."""
    phase, building, act_colour = state.phase, int(state.building), int(state.act_colour)
    if phase in (ACT, LONG_HOUSE):
        worth = _building_worth(tables, state, seat, building, act_colour, holdings, colour, base, NO_KIND)
        return worth if state.must_act else max(0.0, worth)
    if phase == TOWN_HALL:
        best = 0.0
        for kind in range(len(tables.card_count)):
            if state.hand[seat, kind] and playable(tables, state, seat, kind):
                worth = _card_worth(tables, state, seat, kind, holdings, colour, base)
                if tables.th_code[kind] == USE_BUILDING:
                    worth += _best_building(tables, state, seat, kind, holdings, colour, base)
                best = max(best, worth)
        return best
    if phase == HIRE:
        worth = _hire_worth(tables, state, seat, fixed_price(tables, state), NO_KIND, holdings, colour, base)
        return max(0.0, worth)
    if phase in (PAY_CARD, PAY_CREW, PAY_PLUNDER, GAIN_PLUNDER):
        return _exchange_worth(
            tables, state, seat, NO_RESOURCE, 0, state.get_res, int(state.get_left), holdings, colour, base
        )
    if phase == STEAL_PLUNDER:
        return _exchange_worth(tables, state, seat, NO_RESOURCE, 0, PLUNDER, int(state.left), holdings, colour, base)
    if phase == FREE_HIRE:
        return _best_replacement(tables, state, seat, state.chosen - 1, NO_KIND, holdings, colour, base)
    kind = int(state.card) - 1
    if tables.th_code[kind] == USE_BUILDING:
        return _best_building(tables, state, seat, NO_KIND, holdings, colour, base)
    return _effect_worth(tables, state, seat, kind, NO_KIND, holdings, colour, base)


# --- buildings ------------------------------------------------------------------------------------


@compiled
def _building_worth(tables, state, seat, building, act_colour, holdings, colour, base, spent):
    """What the action of a building other than the Town Hall brings at best."""
    if tables.op[building, 0, act_colour] == OP_HIRE:
        return _hire_worth(tables, state, seat, LIST_PRICE, spent, holdings, colour, base)
    best = CLOSED
    for option in range(OPTIONS):
        if not option_possible(tables, state, seat, building, option, act_colour, spent):
            continue
        get_res = tables.op_get_res[building, option, act_colour]
        get_n = tables.op_get_n[building, option, act_colour]
        if tables.op[building, option, act_colour] == OP_GAIN:
            if get_res in (CARD, PROVISION, SILVER):
                get_n += building_bonus(tables, state, seat, BUILDING_EXTRA, building)
            worth = _exchange_worth(tables, state, seat, NO_RESOURCE, 0, get_res, get_n, holdings, colour, base)
        else:
            pay_res = tables.op_pay_res[building, option, act_colour]
            pay_n = tables.op_pay_n[building, option, act_colour]
            worth = _exchange_worth(tables, state, seat, pay_res, pay_n, get_res, get_n, holdings, colour, base)
        best = max(best, worth)
    if takes_offers(tables, building, act_colour):
        for slot in range(DISPLAY):
            if affordable(tables, state, seat, slot):
                best = max(best, _tile_worth(tables, state, seat, slot, NO_GOOD, 0, holdings, colour, base))
        actions = int(state.long_left)
        if building != state.building:
            actions = 1 + building_bonus(tables, state, seat, BUILDING_EXTRA, building)
        if best > 0:
            best *= 1 + tables.weights[MORE_IN_LONG_HOUSE] * (actions - 1)
    return best if best > CLOSED else 0.0


@compiled
def _best_building(tables, state, seat, spent, holdings, colour, base):
    """The best building that the Merchant may lead to."""
    best = 0.0
    for building in range(BUILDINGS):
        if usable(tables, state, seat, building, spent):
            act_colour = int(state.act_colour)
            worth = _building_worth(tables, state, seat, building, act_colour, holdings, colour, base, spent)
            best = max(best, worth)
    return best


@compiled
def _exchange_worth(tables, state, seat, pay_res, pay_n, get_res, get_n, holdings, colour, base):
    """What paying and gaining brings; Plunder is reckoned as gold."""
    pay, get = _purse_place(pay_res), _purse_place(get_res)
    before_pay, before_get = holdings[PURSE, pay], holdings[PURSE, get]
    worth = 0.0
    if pay_res == CREW:
        worth -= tables.weights[LOST_CREW] * pay_n
    elif pay_res != NO_RESOURCE:
        holdings[PURSE, pay] -= pay_n
    if get_res < GOODS:
        get_n = min(get_n, state.supply[get_res])
    holdings[PURSE, get] += get_n
    if get_res == ARMOUR:
        holdings[PURSE, get] = min(holdings[PURSE, get], len(tables.armour_vp) - 1.0)
    worth += _growth(tables, state, seat, holdings, colour, base)
    holdings[PURSE, get] = before_get
    holdings[PURSE, pay] = before_pay
    return worth


@compiled
def _purse_place(resource):
    """Where a resource stands in a purse."""
    if resource == PLUNDER:
        return GOLD
    return resource if resource < PURSE_COLUMNS else CREW


@compiled
def _tile_worth(tables, state, seat, slot, discounted, discount, holdings, colour, base):
    """What buying a tile brings, with ``discount`` less of one good (or NO_GOOD)."""
    before = holdings[PURSE].copy()
    tile = int(state.display[slot]) - 1
    for good in range(GOODS):
        cost = tables.tile_cost[tile, good]
        holdings[PURSE, good] -= max(0, cost - discount) if good == discounted else cost
    worth = tables.tile_vp[tile] + _growth(tables, state, seat, holdings, colour, base)
    holdings[PURSE] = before
    return worth


# --- crew -----------------------------------------------------------------------------------------


@compiled
def _hire_worth(tables, state, seat, price, spent, holdings, colour, base):
    """What the best hire brings, the weakest crew member making room where that is needed."""
    weakest = _weakest_member(tables, state, seat, False)
    discount = hire_discount(tables, state, seat)
    best = CLOSED
    for kind in range(len(tables.card_count)):
        if int(state.hand[seat, kind]) - (kind == spent) <= 0:
            continue
        cost = price if price != LIST_PRICE else max(0, tables.hire_cost[kind] - discount)
        if cost > state.goods[seat, SILVER]:
            continue
        leaver = NO_KIND
        if tables.is_hero[kind] and state.heroes[seat] >= tables.limit_hero_crew:
            leaver = _weakest_member(tables, state, seat, True)
        elif state.crew_size[seat] >= tables.limit_crew:
            leaver = weakest
        if leaver == NO_KIND and state.crew_size[seat] >= tables.limit_crew:
            continue
        if leaver != NO_KIND and state.fired >= tables.crew_discards_per_hire:
            continue
        holdings[BY_KIND, kind] += 1
        if leaver != NO_KIND:
            holdings[BY_KIND, leaver] -= 1
        holdings[PURSE, SILVER] -= cost
        holdings[PURSE, CARD] -= 1
        worth = _growth_by_crew(tables, state, seat, holdings, colour, base)
        holdings[PURSE, CARD] += 1
        holdings[PURSE, SILVER] += cost
        if leaver != NO_KIND:
            holdings[BY_KIND, leaver] += 1
        holdings[BY_KIND, kind] -= 1
        best = max(best, worth - later(tables, holdings[SEAT, TURNS]) * card_quality(tables, kind))
    return best


@compiled
def _weakest_member(tables, state, seat, hero):
    """The crew member that seems worth least, among heroes only if so asked; NO_KIND without any."""
    weakest, least = NO_KIND, 0.0
    for kind in range(len(tables.card_count)):
        if state.crew[seat, kind] and (tables.is_hero[kind] or not hero):
            worth = member_worth(tables, kind)
            if weakest == NO_KIND or worth < least:
                weakest, least = kind, worth
    return weakest


@compiled
def _best_replacement(tables, state, seat, member, spent, holdings, colour, base):
    """What a free hire in place of a crew member, who returns to hand, brings at best."""
    share = later(tables, holdings[SEAT, TURNS])
    best = CLOSED
    for kind in range(len(tables.card_count)):
        if kind == member or int(state.hand[seat, kind]) - (kind == spent) <= 0:
            continue
        heroes = int(state.heroes[seat]) - tables.is_hero[member] + tables.is_hero[kind]
        if tables.is_hero[kind] and heroes > tables.limit_hero_crew:
            continue
        holdings[BY_KIND, kind] += 1
        holdings[BY_KIND, member] -= 1
        worth = _growth_by_crew(tables, state, seat, holdings, colour, base)
        holdings[BY_KIND, member] += 1
        holdings[BY_KIND, kind] -= 1
        best = max(best, worth + share * (card_quality(tables, member) - card_quality(tables, kind)))
    return best if best > CLOSED else 0.0


# --- cards ----------------------------------------------------------------------------------------


@compiled
def _card_worth(tables, state, seat, kind, holdings, colour, base):
    """What playing a card at the Town Hall brings, the card itself deducted; the Merchant's building not included."""
    holdings[PURSE, CARD] -= 1
    card = later(tables, holdings[SEAT, TURNS]) * card_quality(tables, kind)
    card -= _growth(tables, state, seat, holdings, colour, base)
    holdings[PURSE, CARD] += 1
    return _effect_worth(tables, state, seat, kind, kind, holdings, colour, base) - card


@compiled
def _effect_worth(tables, state, seat, kind, spent, holdings, colour, base):
    """What the Town Hall action of a card brings."""
    code = tables.th_code[kind]
    if code == GAIN:
        worth = 0.0
        for resource, amount in (
            (tables.th_get_res[kind], tables.th_get_n[kind]),
            (tables.th_get2_res[kind], tables.th_get2_n[kind]),
        ):
            if resource != NO_RESOURCE:
                worth += _exchange_worth(tables, state, seat, NO_RESOURCE, 0, resource, amount, holdings, colour, base)
        return worth
    if code == EXCHANGE:
        pay_res, pay_n = tables.th_pay_res[kind], tables.th_pay_n[kind]
        get_res, get_n = tables.th_get_res[kind], tables.th_get_n[kind]
        return _exchange_worth(tables, state, seat, pay_res, pay_n, get_res, get_n, holdings, colour, base)
    if code == HIRE_AT_PRICE:
        return max(0.0, _hire_worth(tables, state, seat, tables.th_pay_n[kind], spent, holdings, colour, base))
    if code == SWAP_CREW_WITH_HAND:
        member = _weakest_member(tables, state, seat, False)
        if member == NO_KIND:
            return 0.0
        return _best_replacement(tables, state, seat, member, spent, holdings, colour, base)
    if code == OFFER_AT_DISCOUNT:
        best, discount = 0.0, tables.th_pay_n[kind]
        for slot in range(DISPLAY):
            for good in range(GOODS):
                if discount_pays(tables, state, seat, slot, good, discount):
                    worth = _tile_worth(tables, state, seat, slot, good, discount, holdings, colour, base)
                    best = max(best, worth)
        return best
    if code == USE_BUILDING:
        return 0.0
    if code == CYCLE_OFFERINGS:
        return tables.weights[NEW_TILES]
    return _attack_worth(tables, state, seat, kind, spent, holdings, colour, base)


@compiled
def _attack_worth(tables, state, seat, kind, spent, holdings, colour, base):
    """What a card that bears on opponents brings."""
    code = tables.th_code[kind]
    targets, largest = 0, 0
    for other in range(state.players):
        if other != seat and is_target(tables, state, seat, other, kind, spent):
            targets += 1
            largest = max(largest, int(state.hand_size[other]))
    if targets == 0:
        return 0.0
    if code == SWAP_WORKER:
        return tables.weights[SWAPPED_WORKER]
    if code == SWAP_CARDS:
        return tables.weights[SWAPPED_CARDS]
    if code == SWAP_WHOLE_HANDS:
        more = largest - int(state.hand_size[seat]) + (spent != NO_KIND)
        return _exchange_worth(tables, state, seat, NO_RESOURCE, 0, CARD, more, holdings, colour, base)
    if code in (STEAL, ALL_OPPONENTS_GIVE):
        resource = tables.th_get_res[kind]
        amount = int(tables.th_get_n[kind]) * (targets if code == ALL_OPPONENTS_GIVE else 1)
        if resource == SILVER_OR_PROVISION:
            resource = SILVER
        units = tables.th_get_n[kind] * (targets if code == ALL_OPPONENTS_GIVE else 1)
        harm = tables.weights[HARM] * units / (state.players - 1)
        return harm + _loot_worth(tables, state, seat, resource, amount, holdings, colour, base)
    if code == OPPONENT_LOSES:
        targets = 1
    return tables.weights[HARM] * tables.th_pay_n[kind] * targets / (state.players - 1)


@compiled
def _loot_worth(tables, state, seat, resource, amount, holdings, colour, base):
    """What so much of a good, or Plunder, from opponents is worth."""
    place = _purse_place(resource)
    holdings[PURSE, place] += amount
    worth = _growth(tables, state, seat, holdings, colour, base)
    holdings[PURSE, place] -= amount
    return worth
