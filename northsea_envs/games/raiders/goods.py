"""What players and the supply hold, and how it changes hands: section 4.3 of the rules document."""

from northsea_envs.games.raiders.cards import draw
from northsea_envs.games.raiders.state import ARMOUR, CARD, CREW, GOODS, PLUNDER, PLUNDER_KINDS
from northsea_envs.jit import compiled


@compiled
def plunder(goods):
    """Tokens of Plunder among goods."""
    total = 0
    for good in range(PLUNDER_KINDS):
        total += goods[good]
    return total


@compiled
def held(state, seat, resource):
    """How much of a resource a seat has to pay with or to lose."""
    if resource < GOODS:
        return int(state.goods[seat, resource])
    if resource == CARD:
        return int(state.hand_size[seat])
    if resource == CREW:
        return int(state.crew_size[seat])
    if resource == ARMOUR:
        return int(state.armour[seat])
    if resource == PLUNDER:
        return plunder(state.goods[seat])
    return 0


@compiled
def in_stock(tables, state, seat, resource):
    """How much of a resource a seat could gain now. R-SUP-1, R-ARM-2, R-DECK-2."""
    if resource < GOODS:
        return int(state.supply[resource])
    if resource == CARD:
        return int(state.pile_size) + int(state.discard_size)
    if resource == ARMOUR:
        return len(tables.armour_vp) - 1 - int(state.armour[seat])
    if resource == PLUNDER:
        return plunder(state.supply)
    return 0


@compiled
def gain(tables, state, seat, resource, amount):
    """Take ``amount`` of goods, armour or cards, or as much as there is. R-SUP-1, R-TH-5."""
    amount = min(amount, in_stock(tables, state, seat, resource))
    if resource < GOODS:
        state.goods[seat, resource] += amount
        state.supply[resource] -= amount
    elif resource == ARMOUR:
        state.armour[seat] += amount
    elif resource == CARD:
        draw(state, seat, amount)


@compiled
def lose(state, seat, resource, amount):
    """Give ``amount`` of goods or armour back, or as much as is held. R-SUP-3."""
    amount = min(amount, held(state, seat, resource))
    if resource < GOODS:
        state.goods[seat, resource] -= amount
        state.supply[resource] += amount
    elif resource == ARMOUR:
        state.armour[seat] -= amount


@compiled
def hand_over(state, giver, taker, good, amount):
    """``taker`` gets ``amount`` of a good from ``giver``, or as much as is held."""
    amount = min(amount, held(state, giver, good))
    state.goods[giver, good] -= amount
    state.goods[taker, good] += amount
