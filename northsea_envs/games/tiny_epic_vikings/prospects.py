"""What things are worth in expected points: runes by fury to come, Islands by influence, cards, battles, resources.

``islands`` below is what is known of each Island, float64 (Islands, COLUMNS): by clan its influence, and NO_BOOTS more
where it has no boots there; from PULL on, by clan, its weight in the contest for the rune with so many turns left; the
weight of NOBODY holding it, and the TOTAL of these.
"""

import math

import numpy as np

from northsea_envs.games.tiny_epic_vikings.battle import strength
from northsea_envs.games.tiny_epic_vikings.cards import active_runes
from northsea_envs.games.tiny_epic_vikings.control import has_boots, influence, plays
from northsea_envs.games.tiny_epic_vikings.state import (
    ANY_RUNE,
    BOOST_ANY,
    BOOST_WOOD,
    BUILD,
    CARDS,
    CLANS,
    COLLECT,
    DRAW_REPLACE,
    ENEMY,
    ENTER_BATTLE,
    ERAS,
    EXCHANGE,
    EXPLORE,
    FAVORS,
    FOOD,
    FURY_ADJUST,
    GOODS,
    HARVEST,
    IN_HAND,
    NO_BOOST,
    NO_RUNE,
    RUNES,
    SAIL,
    SMITE,
    STEEL,
    TEMPLE_EXPLORE,
    WOOD,
)
from northsea_envs.games.tiny_epic_vikings.weights import (
    BATTLE_ACTION,
    BEYOND_PLENTY,
    BOON,
    BOOTLESS_LOSS,
    BOOTLESS_SHARE,
    BUILD_ACTION,
    COLLECT_EACH,
    DRAW_REPLACE_EACH,
    EXCHANGE_ACTION,
    EXPLORE_ACTION,
    EXPLORE_EACH,
    FIGHT,
    FIGHT_STRENGTH,
    FOOD_WORTH,
    FURY_EACH,
    FURY_SPREAD,
    FURY_SPREAD_END,
    GOODS_TURNS,
    HAND_RUNES,
    HARVEST_ACTION,
    HARVEST_EACH,
    HEAT,
    HEAT_END,
    HOLDER,
    INVADER_WIDTH,
    JOINING,
    NEED_MARGIN,
    NOBODY,
    PLENTY,
    RIVAL_WIDTH,
    SAIL_ACTION,
    SAIL_EACH,
    SECOND_USE,
    SMITE_EACH,
    STEEL_WORTH,
    TEMPLE_EXPLORE_EACH,
    USUAL_INVADER,
    USUAL_STRENGTH,
    WOOD_WORTH,
)
from northsea_envs.jit import compiled

NO_BOOTS = 1000.0
PULL = CLANS
PULL_OF_NOBODY, TOTAL, COLUMNS = range(2 * CLANS, 2 * CLANS + 3)


@compiled
def chance(x):
    """The logistic function."""
    return 1.0 / (1.0 + math.exp(-x))


@compiled
def turns_left(tables, state, seat):
    """Cards that a seat has still to play."""
    turns = int(tables.hand[state.era - 1]) - int(state.row_size[seat])
    for era in range(state.era, ERAS):
        turns += tables.hand[era]
    return turns


@compiled
def rune_worth(tables, state, left, out):
    """Points that an Island (row 0) and a Favor rune (row 1) of each type will be worth, by what fury may still do."""
    spread = tables.weights[FURY_SPREAD_END] + tables.weights[FURY_SPREAD] * math.sqrt(left * state.players / 15.0)
    for rune in range(len(RUNES)):
        behind, both = 1.0, 1.0
        for other in range(len(RUNES)):
            if other != rune:
                p = chance((state.fury[other] - state.fury[rune] + 0.2) / spread)
                behind *= 1.0 - p
                both *= p
        middle = 1.0 - behind - both
        out[0, rune] = behind * tables.island_vp[0] + middle * tables.island_vp[1] + both * tables.island_vp[2]
        out[1, rune] = behind * tables.favor_vp[0] + middle * tables.favor_vp[1] + both * tables.favor_vp[2]


@compiled
def survey(tables, state, islands):
    """Fill the influence in ``islands``."""
    for island in range(tables.islands[state.side]):
        for clan in range(CLANS):
            islands[island, clan] = NO_BOOTS
            if plays(state, clan):
                islands[island, clan] = influence(tables, state, clan, island)
                if not has_boots(state, clan, island):
                    islands[island, clan] += NO_BOOTS


@compiled
def _weight(tables, here, holds, heat):
    """Of a clan in the contest for an Island."""
    w = tables.weights
    if here >= NO_BOOTS:
        return math.exp((w[BOOTLESS_SHARE] * (here - NO_BOOTS) - w[BOOTLESS_LOSS]) / heat)
    return math.exp((here + (w[HOLDER] if holds else 0.0)) / heat)


@compiled
def _heat(tables, left):
    """How uncertain the contest for an Island is: the influence that makes a lead about sure."""
    return tables.weights[HEAT_END] + tables.weights[HEAT] * left


@compiled
def weigh(tables, state, islands, left):
    """Fill the rest of ``islands`` for so many turns left."""
    heat = _heat(tables, left)
    nobody = math.exp(tables.weights[NOBODY] / heat)
    for island in range(tables.islands[state.side]):
        total = nobody
        for clan in range(CLANS):
            here, pull = islands[island, clan], 0.0
            if plays(state, clan) and (clan != ENEMY or here < NO_BOOTS):
                pull = _weight(tables, here, state.holder[island] == clan, heat)
            islands[island, PULL + clan] = pull
            total += pull
        islands[island, PULL_OF_NOBODY] = nobody
        islands[island, TOTAL] = total


@compiled
def hold_chance(islands, island, seat):
    """Chance that a seat holds the rune of an Island in the end."""
    return islands[island, PULL + seat] / islands[island, TOTAL]


@compiled
def changed_chance(tables, state, islands, island, seat, extra, with_boots, left):
    """The same with ``extra`` more influence there (and boots); ``left`` as in :func:`weigh`."""
    own, total = 0.0, islands[island, PULL_OF_NOBODY]
    for clan in range(CLANS):
        if clan == seat:
            here = islands[island, clan] + extra
            if with_boots and here >= NO_BOOTS:
                here -= NO_BOOTS
            own = _weight(tables, here, state.holder[island] == clan, _heat(tables, left))
            total += own
        else:
            total += islands[island, PULL + clan]
    return own / total


@compiled
def good_worth(tables, good, number, left):
    """What so many of a resource are worth with so many turns left, the first ones most."""
    w = tables.weights
    each = w[FOOD_WORTH]
    if good == WOOD:
        each = w[WOOD_WORTH]
    elif good == STEEL:
        each = w[STEEL_WORTH]
    first = min(number, w[PLENTY])
    return each * (first + w[BEYOND_PLENTY] * (number - first)) * min(1.0, left / w[GOODS_TURNS]) + 0.01 * number


@compiled
def bag_worth(tables, state, seat, bag, left):
    """What a bag of resources is worth to a seat."""
    worth = 0.0
    for good in range(GOODS):
        held = int(state.resources[seat, good])
        after = min(held + bag[good], tables.resource_max)
        worth += good_worth(tables, good, after, left) - good_worth(tables, good, held, left)
    return worth


@compiled
def favor_runes_worth(tables, favor, runes):
    """What the runes of a Favor card will be worth."""
    worth = 0.0
    for rune in range(len(RUNES)):
        worth += tables.favor_runes[favor, rune] * runes[1, rune]
    return worth


@compiled
def prize_worth(tables, state, seat, favor, runes, left):
    """What winning a Favor card is worth; beyond the limit the least of all goes back."""
    worth = favor_runes_worth(tables, favor, runes)
    held, least = 0, worth
    for other in range(FAVORS):
        if state.favor_owner[other] == seat + 1:
            held += 1
            least = min(least, favor_runes_worth(tables, other, runes))
    if held >= tables.favor_limit:
        worth -= least
    return worth + bag_worth(tables, state, seat, tables.favor_bag[favor], left)


@compiled
def best_prize(tables, state, seat, runes, left):
    """The Favor card at an end of a row that is worth most."""
    best = 0.0
    for row in range(2):
        size = int(state.favor_row_size[row])
        if size:
            best = max(best, prize_worth(tables, state, seat, int(state.favor_row[row, 0]) - 1, runes, left))
            best = max(best, prize_worth(tables, state, seat, int(state.favor_row[row, size - 1]) - 1, runes, left))
    return best


@compiled
def battle_worth(tables, state, seat, observer, runes, left):
    """What a seat may expect of the battle that it is in; its card is looked at where ``observer`` knows it."""
    w = tables.weights
    card = int(state.battle_card[seat]) - 1
    known = state.kin[observer, card] == 0
    force = w[USUAL_STRENGTH]
    if known:
        if state.resources[seat, STEEL] < tables.steel_cost[card]:
            return 0.0
        force = 0.0 + fight_strength(tables, state, seat, card)
    rivals, may_join = 0, 0
    for other in range(state.players):
        if other != seat:
            rivals += state.battle_card[other] > 0
            # Those whose turn comes before the starter's next.
            waits = (state.starter - other) % state.players < (state.starter - state.turn_seat) % state.players
            may_join += state.battle_card[other] == 0 and state.hand_size[other] > 0 and waits
    if rivals:
        win = chance((force - w[USUAL_STRENGTH] - 0.3) / w[RIVAL_WIDTH]) ** rivals
    else:
        win = chance((force - w[USUAL_INVADER] - 0.2) / w[INVADER_WIDTH])
    win *= 1.0 - w[JOINING] * may_join * (1.0 - chance((force - 6.0) / 1.5))
    if state.contested:
        prize = prize_worth(tables, state, seat, int(state.contested) - 1, runes, left)
    else:
        prize = best_prize(tables, state, seat, runes, left)
    return win * prize + (1.0 - win) * w[BOON] * min(1.0, left / 2.0)


@compiled
def fight_strength(tables, state, seat, card):
    """Strength of a card once it is revealed: its own rune and paid steel counted."""
    force = strength(tables, state, seat, card)
    source = tables.boost_source[card]
    facedown = state.battle_card[seat] == card + 1 and not state.revealed
    if source == BOOST_ANY or source == tables.card_rune[card]:
        force += tables.boost_per[card] * facedown
    elif source == BOOST_WOOD + STEEL:
        force -= tables.boost_per[card] * tables.steel_cost[card]
    return force


@compiled
def action_worth(tables, action, n, bag):
    """What an action is worth when nothing else is known."""
    w = tables.weights
    if action == SAIL:
        return w[SAIL_ACTION] + w[SAIL_EACH] * n
    if action == EXPLORE:
        return w[EXPLORE_ACTION] + w[EXPLORE_EACH] * n
    if action == HARVEST:
        return w[HARVEST_ACTION] + w[HARVEST_EACH] * n
    if action == BUILD:
        return w[BUILD_ACTION]
    if action == SMITE:
        return w[SMITE_EACH] * n
    if action == TEMPLE_EXPLORE:
        return w[TEMPLE_EXPLORE_EACH] * n
    if action == DRAW_REPLACE:
        return w[DRAW_REPLACE_EACH] * n
    if action == ENTER_BATTLE:
        return w[BATTLE_ACTION]
    if action == EXCHANGE:
        return w[EXCHANGE_ACTION]
    if action == FURY_ADJUST:
        return w[FURY_EACH] * n
    if action == COLLECT:
        return w[COLLECT_EACH] * (bag[WOOD] + bag[FOOD] + bag[STEEL])
    return 0.0


@compiled
def usual_strength(tables, card):
    """Strength of a card in an average position."""
    source = tables.boost_source[card]
    count = 0.0
    if source == BOOST_ANY:
        count = 4.0
    elif source < BOOST_ANY:
        count = 2.2
    elif source != NO_BOOST:
        count = 2.0
    return tables.strength[card] + tables.boost_per[card] * count


@compiled
def _is_in_hand(state, seat, card):
    """Whether a seat holds a card, or has just chosen it in the draft."""
    return state.place[card] == IN_HAND + seat or state.picked[seat] == card + 1


@compiled
def hand_worth(tables, state, seat):
    """What the cards of a hand may do, the best ways to play each."""
    of_type = np.zeros(len(RUNES))
    for card in range(CARDS):
        if _is_in_hand(state, seat, card):
            of_type[tables.card_rune[card]] += 1.0
    for rune in range(len(RUNES)):
        of_type[rune] = tables.weights[HAND_RUNES] * of_type[rune] + active_runes(tables, state, seat, rune)
    worth = 0.0
    for card in range(CARDS):
        if _is_in_hand(state, seat, card):
            worth += card_worth(tables, card, of_type)
    return worth


@compiled
def card_worth(tables, card, of_type):
    """What a card may do, with about so many runes of each type at hand."""
    w = tables.weights
    met = 1.0
    for k in range(2):
        rune = tables.need_rune[card, k]
        if rune == NO_RUNE:
            continue
        count = of_type[0] + of_type[1] + of_type[2] if rune == ANY_RUNE else of_type[rune]
        met *= min(1.0, count / (tables.need_n[card, k] + w[NEED_MARGIN]))
    acts = action_worth(tables, tables.leader_action[card], tables.leader_n[card], tables.rune_bag[card])
    acts += met * action_worth(tables, tables.rune_action[card], tables.rune_n[card], tables.rune_bag[card])
    fights = w[FIGHT] * chance((usual_strength(tables, card) - 0.5 * tables.steel_cost[card] - w[FIGHT_STRENGTH]) / 1.3)
    return max(acts, fights) + w[SECOND_USE] * min(acts, fights)
