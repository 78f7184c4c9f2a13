"""What each seat knows of cards whose place it does not know, kept up as cards move. Section 20.5.

``kin[seat, card]`` is 0 where the seat knows the card's place, else the card's *class* + 1. Classes:

- ``t`` below ``pass_groups``: cards that the seat passed on at pick ``t`` of the draft and has not seen since. Every
  other clan that took from that pack since took exactly one of them.
- behind them the *pools*, by generation: cards that were in the deck when the era's first deck (0) or that of its k-th
  reshuffle (k) was shuffled, and that the seat has not seen since.

``slots[seat, clan, class]`` counts hidden cards of a clan (hand and facedown card; the Enemy: facedown discards) that
are of that class: those taken out of a pack that the seat has passed on, and those drawn from a deck, by its
generation. Only the Enemy's hidden discards, once they are in a deck, may come back from it: from then on a slot of
generation g holds a card of generation g or earlier, or one of a pass group.

One pack of a deal may be dealt partly from the old deck, ``dealt_before`` cards of it, partly from the new one. Until
it is known which of its cards a clan took, that is a *mixed* slot of ``mixed[seat, clan]``; at least ``mixed_before``
of all mixed slots (and the rest of the pack, while the seat has not seen it) are of generation 0.
"""

from northsea_envs.games.tiny_epic_vikings.state import (
    CARDS,
    CLANS,
    ENEMY,
    IN_DISCARD,
    IN_ENEMY_DISCARD,
    IN_HAND,
    IN_PACK,
    POOLS,
)
from northsea_envs.jit import compiled


@compiled
def pool_0(tables):
    """Class of the pool of generation 0."""
    return max(tables.hand[0], tables.hand[1], tables.hand[2]) - 1


@compiled
def current_pool(tables, state):
    """Class of the deck's pool."""
    return pool_0(tables) + int(state.generation)


# --- the draft ------------------------------------------------------------------------------------


@compiled
def first_pack_size(tables, state, clan):
    """Cards dealt to a clan. T-DRAFT-1, T-DRAFT-6."""
    return int(tables.hand[state.era - 1]) - (clan == ENEMY)


@compiled
def origin(state, clan, direction, picks):
    """The clan to which the pack was dealt that ``clan`` holds after so many passes. T-2P-6, T-ERA-3."""
    members = int(state.players) + int(state.enemy)
    return ring_clan(state, (ring_place(state, clan) - direction * picks) % members)


@compiled
def ring_place(state, clan):
    """Place of a clan in the draft's clockwise order: seat 0, the Enemy, seat 1, or the seats in order. T-2P-6."""
    if state.enemy:
        return 1 if clan == ENEMY else 2 * clan
    return clan


@compiled
def ring_clan(state, place):
    """The clan at a place of the draft's order."""
    if state.enemy:
        return ENEMY if place == 1 else place // 2
    return place


@compiled
def note_pass(state, seat, clan):
    """``seat`` passes its pack, first dealt to ``clan``, on: where its cards go is no longer certain."""
    state.pack_class[seat, clan] = state.pick_number + 1
    for card in range(CARDS):
        if state.place[card] == IN_PACK + seat:
            state.kin[seat, card] = state.pick_number + 1


@compiled
def note_taken(tables, state, taker, clan):
    """``taker`` took a card, unseen by the others, out of the pack first dealt to ``clan``."""
    for seat in range(state.players):
        if seat == taker:
            continue
        if state.pack_class[seat, clan]:
            state.slots[seat, taker, state.pack_class[seat, clan] - 1] += 1
        elif is_mixed(tables, state, clan):
            state.mixed[seat, taker] += 1
        else:
            state.slots[seat, taker, pool_of_pack(tables, state, clan)] += 1


@compiled
def is_mixed(tables, state, clan):
    """Whether a clan's first pack was dealt from two decks."""
    return 0 < state.dealt_before[clan] < first_pack_size(tables, state, clan)


@compiled
def pool_of_pack(tables, state, clan):
    """The class of a pack that was dealt from one deck."""
    return pool_0(tables) + (state.dealt_before[clan] == 0)


@compiled
def note_pack_seen(tables, state, seat, clan):
    """``seat`` now holds the pack first dealt to ``clan`` and sees its cards."""
    old = 0
    for card in range(CARDS):
        if state.place[card] == IN_PACK + seat:
            old += state.kin[seat, card] == pool_0(tables) + 1
            state.kin[seat, card] = 0
    if state.pack_class[seat, clan] == 0 and is_mixed(tables, state, clan):
        state.mixed_before[seat] = max(0, int(state.dealt_before[clan]) - old)
        _settle_mixed(tables, state, seat)


@compiled
def _settle_mixed(tables, state, seat):
    """Mixed slots that can only be of one generation."""
    total = 0
    for clan in range(CLANS):
        total += state.mixed[seat, clan]
    least = int(state.mixed_before[seat])
    if 0 < least < total:
        return
    for clan in range(CLANS):
        state.slots[seat, clan, pool_0(tables) + (least == 0)] += state.mixed[seat, clan]
        state.mixed[seat, clan] = 0
    state.mixed_before[seat] = 0


# --- hands ----------------------------------------------------------------------------------------


@compiled
def note_drawn(tables, state, owner, card):
    """``owner`` drew a card that the others do not see."""
    for seat in range(state.players):
        if seat == owner:
            state.kin[seat, card] = 0
        else:
            state.slots[seat, owner, current_pool(tables, state)] += 1


@compiled
def note_public(state, card):
    """A card from the deck is seen by all."""
    for seat in range(state.players):
        state.kin[seat, card] = 0


@compiled
def note_shown(tables, state, owner, card):
    """A card of ``owner`` that was hidden is seen by all."""
    for seat in range(state.players):
        if seat != owner and state.kin[seat, card]:
            _remove_slot(tables, state, seat, owner, int(state.kin[seat, card]) - 1)
            state.kin[seat, card] = 0


@compiled
def _remove_slot(tables, state, seat, owner, group):
    """Of the owner's slots that may have held a card of class ``group``, remove the one that fewest others can fill.

    Whatever the rest may hold after any other choice, it may hold after this one.
    """
    slots = state.slots[seat, owner]
    first = pool_0(tables)
    if group < first:
        if slots[group]:
            slots[group] -= 1
            return
        group = first + int(state.enemy_mixed_in)
    for pool in range(group, current_pool(tables, state) + 1):
        # A mixed slot stands between those of generation 0 and of 1.
        if pool == first + 1 and group == first and state.mixed[seat, owner]:
            state.mixed_before[seat] -= 1
            break
        if slots[pool]:
            slots[pool] -= 1
            return
        if pool == first + 1 and state.mixed[seat, owner]:
            break
    state.mixed[seat, owner] -= 1
    _settle_mixed(tables, state, seat)


# --- decks and eras -------------------------------------------------------------------------------


@compiled
def note_reshuffle(tables, state, dealing):
    """The discard piles are about to become the deck, while packs are dealt or in the middle of an era.

    From the last generation on, later decks are not told apart from it.
    """
    state.generation = min(state.generation + 1, POOLS - 1)
    for seat in range(state.players):
        for card in range(CARDS):
            hidden = state.place[card] == IN_ENEMY_DISCARD and state.kin[seat, card] != 0
            if (state.place[card] == IN_DISCARD or state.place[card] == IN_ENEMY_DISCARD) and not hidden:
                state.kin[seat, card] = current_pool(tables, state) + 1
        state.slots[seat, ENEMY, :] = 0
        if state.enemy and not dealing and state.mixed_before[seat]:
            # Which of the Enemy's cards were dealt from the old deck no longer matters.
            for other in range(state.players):
                state.slots[seat, other, pool_0(tables) + 1] += state.mixed[seat, other]
            state.mixed[seat, :] = 0
            state.mixed_before[seat] = 0
    if state.enemy and not dealing and state.enemy_mixed_in == 0:
        state.enemy_mixed_in = state.generation


@compiled
def note_era_over(tables, state):
    """All hands are empty: what is hidden lies in the deck, or facedown among the Enemy's discards.

    Where a deck ran out while cards were dealt in an era before the last, with the Enemy in play (it cannot with the
    printed tables), seats forget how many of its hidden discards came from the old one.
    """
    for seat in range(state.players):
        hidden = 0
        for card in range(CARDS):
            if state.kin[seat, card] == 0:
                continue
            if state.kin[seat, card] <= pool_0(tables) and state.enemy_mixed_in == 0:
                state.kin[seat, card] = 0
            else:
                state.kin[seat, card] = pool_0(tables) + 1
                hidden += state.place[card] == IN_ENEMY_DISCARD
        state.slots[seat] = 0
        state.slots[seat, ENEMY, pool_0(tables)] = hidden
        state.mixed[seat, :] = 0
        state.mixed_before[seat] = 0
        state.pack_class[seat, :] = 0
    state.generation = 0
    state.enemy_mixed_in = 0


@compiled
def hidden_cards(state, seat):
    """Cards in a seat's hand, and facedown in front of it unless they were seen before."""
    facedown = state.battle_card[seat] and not state.battle_public[seat] and not state.revealed
    return int(state.hand_size[seat]) + (1 if facedown else 0)


@compiled
def is_hidden_of(state, seat, card):
    """Whether a card is in a seat's hand, or facedown in front of it and not seen before."""
    if state.place[card] == IN_HAND + seat:
        return True
    return state.battle_card[seat] == card + 1 and not state.battle_public[seat] and not state.revealed
