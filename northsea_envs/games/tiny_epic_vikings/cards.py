"""Viking cards on their way: the deck, hands, Rows, and the runes that cards show. Sections 5 and 6."""

from northsea_envs.games.tiny_epic_vikings.knowledge import note_drawn, note_public, note_reshuffle, note_shown
from northsea_envs.games.tiny_epic_vikings.state import (
    ANY_RUNE,
    CARDS,
    IN_DECK,
    IN_DISCARD,
    IN_ENEMY_DISCARD,
    IN_HAND,
    IN_INVADERS,
    IN_ROW,
    NO_RUNE,
)
from northsea_envs.jit import compiled, random_shuffle


@compiled
def take_top(tables, state, dealing):
    """The top card of the deck, refilled from the discard piles only if it is empty now. T-DRAFT-1, T-DRAW-2, CR-28."""
    if state.deck_size == 0:
        note_reshuffle(tables, state, dealing)
        size = 0
        for card in range(CARDS):
            if state.place[card] == IN_DISCARD or state.place[card] == IN_ENEMY_DISCARD:
                state.place[card] = IN_DECK
                state.deck[size] = card
                size += 1
        random_shuffle(state.rng, state.deck[:size])
        state.deck_size = size
    state.deck_size -= 1
    card = int(state.deck[state.deck_size])
    state.deck[state.deck_size] = 0
    return card


@compiled
def draw_to_hand(tables, state, seat):
    """T-DRAW-1"""
    card = take_top(tables, state, False)
    note_drawn(tables, state, seat, card)
    state.place[card] = IN_HAND + seat
    state.hand_size[seat] += 1


@compiled
def draw_invader(tables, state):
    """Reveal the top card onto the Invader stack and return it. T-INV-1, T-INV-7."""
    card = take_top(tables, state, False)
    note_public(state, card)
    state.place[card] = IN_INVADERS
    state.invaders += 1
    return card


@compiled
def discard_from_hand(tables, state, seat, card):
    """Faceup. T-DRAW-1"""
    note_shown(tables, state, seat, card)
    state.place[card] = IN_DISCARD
    state.hand_size[seat] -= 1


@compiled
def put_into_row(tables, state, seat, card, faceup):
    """A hand card becomes the rightmost of the Row. T-TURN-3"""
    if faceup:
        note_shown(tables, state, seat, card)
    state.row[seat, state.row_size[seat]] = card + 1
    state.row_size[seat] += 1
    state.place[card] = IN_ROW + seat
    state.hand_size[seat] -= 1


@compiled
def hands_empty(state):
    """Whether the era has no more turns. T-TURN-1"""
    for seat in range(state.players):
        if state.hand_size[seat]:
            return False
    return True


@compiled
def active_runes(tables, state, seat, rune):
    """Active Runes of a type, or of all with ANY_RUNE. T-RUNE-1, T-RUNE-2, T-RUNE-3, T-ENTER-3."""
    count = 0
    for island in range(tables.islands[state.side]):
        held = state.holder[island] == seat
        count += held and (rune == ANY_RUNE or tables.island_rune[state.side, island] == rune)
    return count + row_runes(tables, state, seat, rune)


@compiled
def row_runes(tables, state, seat, rune):
    """Runes of a type, or of all with ANY_RUNE, on the faceup cards of a Row."""
    count = 0
    for k in range(state.row_size[seat]):
        card = int(state.row[seat, k]) - 1
        faceup = state.revealed or state.battle_card[seat] != card + 1
        count += faceup and (rune == ANY_RUNE or tables.card_rune[card] == rune)
    return count


@compiled
def requirement_met(tables, state, seat, card):
    """T-RUNE-4"""
    for k in range(2):
        rune = tables.need_rune[card, k]
        if rune != NO_RUNE and active_runes(tables, state, seat, rune) < tables.need_n[card, k]:
            return False
    return True
