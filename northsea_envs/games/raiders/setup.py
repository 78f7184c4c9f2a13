"""Setting up a game, the draft, and drawing hidden things anew. Sections 3 and 14.3."""

import numpy as np

from northsea_envs.games.raiders.cards import draw, lose_in_sight
from northsea_envs.games.raiders.state import (
    BAG_STREAM,
    BLACK,
    BUILDINGS,
    CARD_STREAM,
    DICE,
    DICE_STREAM,
    DIE_FACES,
    DISPLAY,
    DRAFT,
    GOODS,
    MAX_PLAYERS,
    NOBODY,
    NOWHERE,
    ONLOOKER,
    START_STREAM,
    TILE_STREAM,
    TOKENS,
    VALKYRIE,
)
from northsea_envs.games.raiders.turn import start_turn
from northsea_envs.games.raiders.work import reveal
from northsea_envs.jit import compiled, mix_seed, random_below, random_seed, random_shuffle

# Stream from which hidden things are drawn anew.
REDRAW_STREAM = 6


@compiled
def setup(tables, state, players, options, seed):
    """A fresh game in an all-zero record, up to the draft. R-SETUP-1..9."""
    state.players = players
    state.owner = NOBODY
    state.start_seat = NOBODY
    state.placed = NOWHERE
    state.building = NOWHERE
    state.target = NOBODY
    state.slot = NOWHERE
    state.settlement = NOWHERE
    _seed_later_chance(state, seed)
    for building in range(BUILDINGS):
        state.building_worker[building] = tables.initial_worker[building]
    for good in range(GOODS):
        state.supply[good] = tables.stock[good] - players * tables.start_goods[good]
    for seat in range(players):
        state.goods[seat] = tables.start_goods
        state.armour[seat] = tables.start_armour
        state.valkyries[seat] = tables.start_valkyrie
        state.vp[seat] = tables.start_vp
        state.worker[seat] = BLACK
    rng = np.empty(4, np.uint32)
    random_seed(rng, mix_seed(seed, BAG_STREAM))
    _fill_board(tables, state, rng)
    random_seed(rng, mix_seed(seed, TILE_STREAM))
    _lay_out_offerings(tables, state, rng)
    _deal(tables, state)


@compiled
def _seed_later_chance(state, seed):
    """The streams that go on after the setup."""
    random_seed(state.rng_cards, mix_seed(seed, CARD_STREAM))
    random_seed(state.rng_dice, mix_seed(seed, DICE_STREAM))
    random_seed(state.rng_start, mix_seed(seed, START_STREAM))


@compiled
def _fill_board(tables, state, rng):
    """R-SETUP-4, -5: tokens left over go to the supply, Valkyries among them out of play."""
    total = 0
    for token in range(TOKENS):
        total += tables.tokens[token]
    bag = np.empty(total, np.uint8)
    place = 0
    for token in range(TOKENS):
        for _ in range(tables.tokens[token]):
            bag[place] = token
            place += 1
    random_shuffle(rng, bag)
    place = 0
    for space in range(len(tables.plunder_count)):
        state.set_left[space] = 1
        for _ in range(tables.plunder_count[space]):
            state.space_tokens[space, bag[place]] += 1
            place += 1
    for k in range(place, total):
        if bag[k] == VALKYRIE:
            state.valkyries_gone += 1
        else:
            state.supply[bag[k]] += 1


@compiled
def _lay_out_offerings(tables, state, rng):
    """R-SETUP-3"""
    for tile in range(len(tables.tile_vp)):
        state.stack[tile] = tile
    random_shuffle(rng, state.stack)
    state.stack_size = len(tables.tile_vp)
    for slot in range(DISPLAY):
        reveal(state, slot)


@compiled
def _deal(tables, state):
    """R-SETUP-2, -9"""
    place = 0
    for kind in range(len(tables.card_count)):
        for _ in range(tables.card_count[kind]):
            state.pile[place] = kind
            place += 1
    state.pile_size = place
    random_shuffle(state.rng_cards, state.pile)
    for seat in range(state.players):
        draw(state, seat, tables.draft_deal)
    state.phase = DRAFT
    state.seat = 0
    state.left = tables.draft_deal - tables.draft_keep
    if state.left == 0:
        _finish_draft(tables, state)


@compiled
def pick_in_draft(tables, state, kind):
    """R-SETUP-9, -10: picked cards stay in hand, unseen, until all have chosen."""
    state.picked[state.seat, kind] += 1
    state.left -= 1
    if state.left:
        return
    state.seat += 1
    if state.seat < state.players:
        state.left = tables.draft_deal - tables.draft_keep
    else:
        _finish_draft(tables, state)


@compiled
def _finish_draft(tables, state):
    """R-SETUP-10, -11: the cards go under the pile in random order, then the first turn begins."""
    back = int(state.players) * (tables.draft_deal - tables.draft_keep)
    for place in range(state.pile_size - 1, -1, -1):
        state.pile[place + back] = state.pile[place]
    state.pile_size += back
    place = 0
    for seat in range(state.players):
        for kind in range(len(tables.card_count)):
            state.returned[seat, kind] = state.picked[seat, kind]
            state.picked[seat, kind] = 0
            for _ in range(state.returned[seat, kind]):
                lose_in_sight(state, seat, kind)
                state.pile[place] = kind
                place += 1
    random_shuffle(state.rng_cards, state.pile[:back])
    state.drafted_left = back
    state.start_seat = _roll_for_start(tables, state)
    start_turn(state, int(state.start_seat))


@compiled
def _roll_for_start(tables, state):
    """R-SETUP-11: the highest roll starts; those tied roll again."""
    rolls = np.zeros(MAX_PLAYERS, np.int64)
    in_play = np.zeros(MAX_PLAYERS, np.uint8)
    in_play[: state.players] = 1
    while True:
        best, best_seat, tied = -1, -1, 0
        for seat in range(state.players):
            if in_play[seat] == 0:
                continue
            rolls[seat] = 0
            for _ in range(DICE):
                rolls[seat] += tables.die_face[random_below(state.rng_start, DIE_FACES)]
            if rolls[seat] > best:
                best, best_seat, tied = rolls[seat], seat, 1
            elif rolls[seat] == best:
                tied += 1
        if tied == 1:
            return best_seat
        for seat in range(state.players):
            if rolls[seat] != best:
                in_play[seat] = 0


# --- drawing hidden things anew -------------------------------------------------------------------


@compiled
def resample_hidden(tables, state, seat, seed):
    """Everything that ``seat`` does not know, drawn uniformly from what agrees with what it knows. Section 14.3.

    Others' hands, the pile, tiles not seen, others' hidden picks and all later chance. What others know of one another
    is set to what all know. The outcome depends on the seat's knowledge and on ``seed``, on nothing hidden.
    """
    _seed_later_chance(state, seed)
    rng = np.empty(4, np.uint32)
    random_seed(rng, mix_seed(seed, REDRAW_STREAM))
    for observer in range(state.players):
        for holder in range(state.players):
            if seat not in (observer, holder) and observer != holder:
                state.known[observer, holder] = state.known[ONLOOKER, holder]
    unseen = _unseen_cards(tables, state, seat)
    random_shuffle(rng, unseen)
    taken = 0
    for holder in range(state.players):
        if holder != seat:
            picks = _take_picks(state, holder)
            taken = _redraw_hand(state, seat, holder, unseen, taken)
            _redraw_picks(state, holder, picks, rng)
    _redraw_pile(tables, state, seat, unseen[taken:], rng)
    _redraw_stack(tables, state, rng)


@compiled
def _unseen_cards(tables, state, seat):
    """Cards of which the seat does not know where they are, in order of kind."""
    kinds = len(tables.card_count)
    unseen = np.empty(len(state.pile), np.int8)
    place = 0
    for kind in range(kinds):
        count = tables.card_count[kind] - state.hand[seat, kind] - state.discard[kind] - state.returned[seat, kind]
        for other in range(state.players):
            count -= state.crew[other, kind] + state.known[seat, other, kind]
        for _ in range(count):
            unseen[place] = kind
            place += 1
    return unseen[:place]


@compiled
def _take_picks(state, holder):
    """How many cards a seat has picked; the picks are cleared."""
    picks = 0
    for kind in range(len(state.discard)):
        picks += state.picked[holder, kind]
        state.picked[holder, kind] = 0
    return picks


@compiled
def _redraw_hand(state, seat, holder, unseen, taken):
    """The cards known to be there and as many unseen ones as are missing; returns how many are used up."""
    missing = int(state.hand_size[holder])
    for kind in range(len(state.discard)):
        state.hand[holder, kind] = state.known[seat, holder, kind]
        missing -= state.hand[holder, kind]
    for _ in range(missing):
        state.hand[holder, unseen[taken]] += 1
        taken += 1
    return taken


@compiled
def _redraw_picks(state, holder, picks, rng):
    """A uniform choice of ``picks`` cards of the hand."""
    for k in range(picks):
        skip = random_below(rng, int(state.hand_size[holder]) - k)
        for kind in range(len(state.discard)):
            rest = int(state.hand[holder, kind]) - int(state.picked[holder, kind])
            if skip < rest:
                state.picked[holder, kind] += 1
                break
            skip -= rest


@compiled
def _redraw_pile(tables, state, seat, unseen, rng):
    """The own drafted cards somewhere among the lowest, unseen cards in all other places."""
    size, bottom = int(state.pile_size), int(state.drafted_left)
    place = 0
    for kind in range(len(state.discard)):
        for _ in range(state.returned[seat, kind]):
            state.pile[place] = kind
            place += 1
    each = tables.draft_deal - tables.draft_keep
    # Others keep knowledge of their own cards while none of these has been drawn.
    whole = bottom > 0 and bottom == state.players * each
    first = place
    state.pile[place:size] = unseen
    for other in range(state.players):
        if other == seat:
            continue
        state.returned[other, :] = 0
        if whole:
            for k in range(first, first + each):
                state.returned[other, state.pile[k]] += 1
            first += each
    random_shuffle(rng, state.pile[:bottom])


@compiled
def _redraw_stack(tables, state, rng):
    """Tiles above those that all know, from their contents in order."""
    unseen = state.stack[state.stack_known : state.stack_size]
    place = 0
    for tile in range(len(tables.tile_vp)):
        for k in range(place, len(unseen)):
            if unseen[k] == tile:
                unseen[k] = unseen[place]
                unseen[place] = tile
                place += 1
                break
    random_shuffle(rng, unseen)
