"""Drawing anew what a seat may not know. Section 20.5.

Drawn uniformly from all arrangements that agree with what the seat knows (see :mod:`knowledge`): every way in which the
cards whose places it does not know may lie in the others' hands, facedown in front of them, in packs, among the Enemy's
discards and, in order, in the deck, is equally likely. How many cards of each class lie in each place is drawn first,
by the number of arrangements that have them so; the cards of a class then fall to their places in random order.
Where a class has as many slots as cards, which is so but after a reshuffle, the first step has nothing to choose.
"""

import numpy as np

from northsea_envs.games.tiny_epic_vikings.knowledge import (
    current_pool,
    hidden_cards,
    is_hidden_of,
    is_mixed,
    origin,
    pool_0,
    pool_of_pack,
)
from northsea_envs.games.tiny_epic_vikings.setup import CARD_STREAM
from northsea_envs.games.tiny_epic_vikings.state import (
    CARDS,
    CLANS,
    DRAFT,
    ENEMY,
    IN_DECK,
    IN_ENEMY_DISCARD,
    IN_HAND,
    IN_PACK,
    IN_ROW,
)
from northsea_envs.jit import compiled, mix_seed, random_below, random_seed, random_shuffle, random_word

# Stream from which hidden things are drawn anew.
REDRAW_STREAM = 9

# Places of hidden cards: what clans hold, packs by the clan that holds them, the deck.
PACK_0 = CLANS
DECK = PACK_0 + CLANS
HOLDERS = DECK + 1


@compiled
def resample_hidden(tables, state, seat, seed):
    """Everything that ``seat`` does not know, drawn uniformly from what agrees with what it knows.

    The cards of others, packs, the Enemy's discards, the deck, choices of the draft that are not yet shown, and all
    later chance. What the others know is set to what everybody sees. The outcome depends on the seat's knowledge and
    on ``seed``, on nothing hidden.
    """
    random_seed(state.rng, mix_seed(seed, CARD_STREAM))
    rng = np.empty(4, np.uint32)
    random_seed(rng, mix_seed(seed, REDRAW_STREAM))
    classes = state.slots.shape[2]
    # Cards of each class by place; mixed slots, of either of the first two pools, by place.
    want = np.zeros((HOLDERS, classes), np.int64)
    mixed = np.zeros(HOLDERS, np.int64)
    size = np.zeros(classes, np.int64)
    for card in range(CARDS):
        if state.kin[seat, card]:
            size[state.kin[seat, card] - 1] += 1
    for clan in range(CLANS):
        want[clan] = state.slots[seat, clan]
        mixed[clan] = state.mixed[seat, clan]
    if state.phase == DRAFT:
        _packs_wanted(tables, state, seat, want, mixed)
    if state.enemy_mixed_in:
        _draw_from_chain(tables, state, 1 - seat, size, want, rng)
    elif state.generation:
        _draw_from_two(tables, state, seat, size, want, mixed, rng)
    _hand_out(state, seat, size, want, rng)
    for other in range(state.players):
        if other != seat:
            _choose_facedown(state, other, rng)
            if state.picked[other]:
                state.picked[other] = 1 + _random_card(state, IN_PACK + other, rng)
    for other in range(state.players):
        if other != seat:
            _forget(tables, state, other)


@compiled
def _packs_wanted(tables, state, seat, want, mixed):
    """What lies in the packs that others hold."""
    direction = int(tables.direction[state.era - 1])
    for k in range(state.players + state.enemy):
        clan = k if k < state.players else ENEMY
        if clan == seat:
            continue
        # The Enemy has discarded for this pick already, or was dealt one less.
        cards = tables.hand[state.era - 1] - state.pick_number - (clan == ENEMY)
        dealt_to = origin(state, clan, direction, state.pick_number)
        if state.pack_class[seat, dealt_to]:
            want[PACK_0 + clan, state.pack_class[seat, dealt_to] - 1] = cards
        elif is_mixed(tables, state, dealt_to):
            mixed[PACK_0 + clan] = cards
        else:
            want[PACK_0 + clan, pool_of_pack(tables, state, dealt_to)] = cards


@compiled
def _choices(n, k):
    """Number of ways to choose k of n."""
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


@compiled
def _random_real(rng, below):
    """Uniform from 0 to ``below``."""
    word = np.float64(random_word(rng))
    return (word + np.float64(random_word(rng)) / 4294967296.0) / 4294967296.0 * below


@compiled
def _draw_from_two(tables, state, seat, size, want, mixed, rng):
    """How many cards of the first pool, and so of the second, lie in each place.

    Each place has a number of slots of the first pool that only its cards fill, and mixed slots; cards of the first
    pool beyond these, which went back with the Enemy's discards, fill any others. A place of n cards with k of the
    first pool stands for as many arrangements as there are choices of k of n.
    """
    old, new = pool_0(tables), pool_0(tables) + 1
    total, least = int(size[old]), int(state.mixed_before[seat])
    if least == 0 and want[:, old].sum() == total:
        return
    cards, ways = np.zeros(HOLDERS, np.int64), np.zeros((HOLDERS + 1, total + 1, least + 1))
    for place in range(HOLDERS):
        cards[place] = want[place, old] + want[place, new] + mixed[place]
    if state.generation == 1:
        cards[DECK] = state.deck_size
    # ways[place, used, credit]: of filling this place and those after it, when so many cards of the first pool are used
    # up and so many of the mixed slots that have to hold one do.
    ways[HOLDERS, total, least] = 1.0
    for place in range(HOLDERS - 1, -1, -1):
        for used in range(total + 1):
            for credit in range(least + 1):
                ways[place, used, credit] = 0.0
                for k in range(want[place, old], min(cards[place], total - used) + 1):
                    after = min(least, credit + min(mixed[place], k - want[place, old]))
                    ways[place, used, credit] += _choices(cards[place], k) * ways[place + 1, used + k, after]
    used, credit = 0, 0
    for place in range(HOLDERS):
        rest = _random_real(rng, ways[place, used, credit])
        first, chosen = want[place, old], want[place, old]
        for k in range(first, min(cards[place], total - used) + 1):
            after = min(least, credit + min(mixed[place], k - first))
            here = _choices(cards[place], k) * ways[place + 1, used + k, after]
            if here > 0.0:
                chosen = k
                rest -= here
                if rest < 0.0:
                    break
        credit = min(least, credit + min(mixed[place], chosen - first))
        used += chosen
        want[place, old] = chosen
        want[place, new] = cards[place] - chosen


@compiled
def _draw_from_chain(tables, state, other, size, want, rng):
    """How many cards of each class the other player holds once the Enemy's hidden discards are in the deck.

    Slots of a pass group are filled from it, slots of generation g from pools up to g and, from the generation on that
    took in the Enemy's discards, from what is left of pass groups. The rest is the deck. To hold n of the c cards of a
    class stands for as many arrangements as there are choices of n of c.
    """
    first, last = pool_0(tables), current_pool(tables, state)
    order, least = np.zeros(last + 1, np.int64), np.zeros(last + 1, np.int64)
    needed = 0
    for step in range(last + 1):
        # Pools before the generation that took the discards in, pass groups, the other pools.
        group = step
        if step < state.enemy_mixed_in:
            group = first + step
        elif step < state.enemy_mixed_in + first:
            group = step - int(state.enemy_mixed_in)
        order[step] = group
        needed += want[other, group]
        least[step] = needed
    held = needed
    ways = np.zeros((last + 2, held + 1))
    ways[last + 1, held] = 1.0
    for k in range(last, -1, -1):
        group = order[k]
        floor = want[other, group] if group < first else 0
        for used in range(held + 1):
            for n in range(floor, min(size[group], held - used) + 1):
                if used + n >= least[k]:
                    ways[k, used] += _choices(size[group], n) * ways[k + 1, used + n]
    used = 0
    for k in range(last + 1):
        group = order[k]
        floor = want[other, group] if group < first else 0
        rest = _random_real(rng, ways[k, used])
        chosen = floor
        for n in range(floor, min(size[group], held - used) + 1):
            if used + n >= least[k]:
                here = _choices(size[group], n) * ways[k + 1, used + n]
                if here > 0.0:
                    chosen = n
                    rest -= here
                    if rest < 0.0:
                        break
        used += chosen
        want[other, group] = chosen


@compiled
def _hand_out(state, seat, size, want, rng):
    """Cards of each class to their places in random order, the rest into the deck, which is shuffled."""
    cards = np.empty(CARDS, np.int64)
    deck = 0
    for group in range(len(size)):
        if size[group] == 0:
            continue
        found = 0
        for card in range(CARDS):
            if state.kin[seat, card] == group + 1:
                cards[found] = card
                found += 1
        random_shuffle(rng, cards[:found])
        taken = 0
        for holder in range(DECK):
            for _ in range(want[holder, group]):
                if holder == ENEMY:
                    state.place[cards[taken]] = IN_ENEMY_DISCARD
                elif holder < ENEMY:
                    state.place[cards[taken]] = IN_HAND + holder
                else:
                    state.place[cards[taken]] = IN_PACK + holder - PACK_0
                taken += 1
        for k in range(taken, found):
            state.place[cards[k]] = IN_DECK
            state.deck[deck] = cards[k]
            deck += 1
    random_shuffle(rng, state.deck[:deck])


@compiled
def _random_card(state, place, rng):
    """A uniformly drawn card in a place."""
    count = 0
    for card in range(CARDS):
        count += state.place[card] == place
    skip = random_below(rng, count)
    for card in range(CARDS):
        if state.place[card] == place:
            if skip == 0:
                return card
            skip -= 1
    return -1


@compiled
def _choose_facedown(state, seat, rng):
    """The battle card of a seat, if nobody has seen it, out of all it holds."""
    if state.battle_card[seat] and not state.battle_public[seat] and not state.revealed:
        card = _random_card(state, IN_HAND + seat, rng)
        state.place[card] = IN_ROW + seat
        state.battle_card[seat] = card + 1
        state.row[seat, state.row_size[seat] - 1] = card + 1


@compiled
def _forget(tables, state, seat):
    """A seat knows what everybody sees: all hidden cards are of the deck's pool."""
    pool = current_pool(tables, state)
    state.slots[seat] = 0
    state.mixed[seat, :] = 0
    state.mixed_before[seat] = 0
    state.pack_class[seat, :] = pool + 1 if state.phase == DRAFT else 0
    for other in range(state.players):
        if other != seat:
            state.slots[seat, other, pool] = hidden_cards(state, other)
    for card in range(CARDS):
        place = state.place[card]
        hidden = place in (IN_DECK, IN_ENEMY_DISCARD) or (place >= IN_PACK and place != IN_PACK + seat)
        for other in range(state.players):
            hidden = hidden or (other != seat and is_hidden_of(state, other, card))
        state.kin[seat, card] = pool + 1 if hidden else 0
        state.slots[seat, ENEMY, pool] += place == IN_ENEMY_DISCARD
