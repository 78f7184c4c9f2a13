"""Which cards may be played at the Town Hall, and what their effects may be applied to. R-TH-3, -4."""

from northsea_envs.games.raiders.goods import (
    held,
)
from northsea_envs.games.raiders.state import (
    ALL_OPPONENTS_GIVE,
    ALL_OPPONENTS_LOSE,
    BUILDINGS,
    CYCLE_OFFERINGS,
    DISPLAY,
    EXCHANGE,
    GAIN,
    GOODS,
    HIRE_AT_PRICE,
    NO_WORKER,
    OFFER_AT_DISCOUNT,
    OP_PLAY_CARD,
    OPPONENT_LOSES,
    PROVISION,
    SILVER,
    SILVER_OR_PROVISION,
    STEAL,
    SWAP_CARDS,
    SWAP_CREW_WITH_HAND,
    SWAP_WHOLE_HANDS,
    SWAP_WORKER,
    USE_BUILDING,
)
from northsea_envs.games.raiders.work import (
    NO_KIND,
    action_possible,
    exchange_possible,
    gain_possible,
    hire_possible,
)
from northsea_envs.jit import compiled


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
