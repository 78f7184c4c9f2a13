"""The deal and the draft of an era. Section 5.1."""

from northsea_envs.games.tiny_epic_vikings.actions import PICK_0
from northsea_envs.games.tiny_epic_vikings.cards import take_top
from northsea_envs.games.tiny_epic_vikings.knowledge import (
    first_pack_size,
    is_mixed,
    note_pack_seen,
    note_pass,
    note_taken,
    origin,
    ring_clan,
    ring_place,
)
from northsea_envs.games.tiny_epic_vikings.state import (
    CARDS,
    CLANS,
    DRAFT,
    ENEMY,
    IN_ENEMY_DISCARD,
    IN_HAND,
    IN_PACK,
    MAX_PLAYERS,
    NOBODY,
    TURN_START,
)
from northsea_envs.jit import compiled, random_below


@compiled
def begin_era(tables, state):
    """Deal the packs, whole, seats first, then the Enemy. T-ERA-2, T-DRAFT-1, T-DRAFT-6."""
    state.phase = DRAFT
    state.seat = state.chieftain
    state.turn_seat = NOBODY
    state.pick_number = 0
    for k in range(state.players + state.enemy):
        clan = k if k < state.players else ENEMY
        for _ in range(first_pack_size(tables, state, clan)):
            card = take_top(tables, state, True)
            state.place[card] = IN_PACK + clan
            state.dealt_before[clan] += state.generation == 0
    for clan in range(CLANS):
        if is_mixed(tables, state, clan):
            state.mixed_before[:] = state.dealt_before[clan]
    for seat in range(MAX_PLAYERS):
        if seat < state.players:
            note_pack_seen(tables, state, seat, seat)
        else:
            state.mixed_before[seat] = 0


@compiled
def legal_picks(state, mask):
    """T-DRAFT-2"""
    count = 0
    for card in range(CARDS):
        if state.place[card] == IN_PACK + state.seat:
            mask[PICK_0 + card] = 1
            count += 1
    return count


@compiled
def pick(tables, state, card):
    """A card is chosen; all choices take effect together. T-DRAFT-2, T-DRAFT-5."""
    state.picked[state.seat] = card + 1
    state.seat = (state.seat + 1) % state.players
    if state.seat != state.chieftain:
        return
    direction = int(tables.direction[state.era - 1])
    for seat in range(state.players):
        _keep(tables, state, seat, int(state.picked[seat]) - 1, direction)
        state.picked[seat] = 0
    _pass_on(tables, state, direction)
    if state.pick_number < tables.hand[state.era - 1] - 1:
        return
    # T-DRAFT-3: the last card is not chosen.
    for card in range(CARDS):
        seat = state.place[card] - IN_PACK
        if 0 <= seat < state.players:
            _keep(tables, state, seat, card, direction)
    state.pick_number = 0
    state.dealt_before[:] = 0
    for seat in range(state.players):
        state.pack_class[seat, :] = 0
    state.turn_seat = state.chieftain
    state.phase = TURN_START


@compiled
def _keep(tables, state, seat, card, direction):
    state.place[card] = IN_HAND + seat
    state.hand_size[seat] += 1
    note_taken(tables, state, seat, origin(state, seat, direction, state.pick_number))


@compiled
def _pass_on(tables, state, direction):
    """T-DRAFT-2, T-ERA-3; the Enemy discards after each pass. T-DRAFT-6."""
    members = state.players + state.enemy
    for seat in range(state.players):
        note_pass(state, seat, origin(state, seat, direction, state.pick_number))
    for card in range(CARDS):
        if state.place[card] >= IN_PACK:
            clan = ring_clan(state, (ring_place(state, state.place[card] - IN_PACK) + direction) % members)
            state.place[card] = IN_PACK + clan
    state.pick_number += 1
    for seat in range(state.players):
        note_pack_seen(tables, state, seat, origin(state, seat, direction, state.pick_number))
    if state.enemy:
        _discard_for_enemy(tables, state, direction)


@compiled
def _discard_for_enemy(tables, state, direction):
    """One uniformly random card of its pack, facedown. T-DRAFT-6"""
    size = 0
    for card in range(CARDS):
        size += state.place[card] == IN_PACK + ENEMY
    skip = random_below(state.rng, size)
    for card in range(CARDS):
        if state.place[card] == IN_PACK + ENEMY:
            if skip == 0:
                state.place[card] = IN_ENEMY_DISCARD
                break
            skip -= 1
    note_taken(tables, state, ENEMY, origin(state, ENEMY, direction, state.pick_number))
