"""Cards on the move between pile, hands, crews and discard pile, and what each seat keeps of it.

Every seat knows its own hand. Of others' hands, and of the cards it gave back in the draft, the record keeps for each
seat what is *certain*, by kind (``known`` and ``returned``), in two simple steps:

* a card that everybody sees leaving a place lowers what is certain of its kind there by one, however it came there;
* a card that leaves unseen lowers what is certain of every kind there by one, for it may have been any of them.

A card that comes unseen adds nothing. So what is kept may be less than a perfect memory could infer, never more. With
two players the hands are laid open by subtraction whenever the discard pile, which all know, becomes the pile.
"""

from northsea_envs.games.raiders.state import MAX_PLAYERS, ONLOOKER
from northsea_envs.jit import compiled, random_shuffle


@compiled
def knows(state, observer):
    """Whether ``known`` has a row in use for ``observer``: a seat in play, or the onlooker."""
    return observer < state.players or observer == ONLOOKER


@compiled
def take_in_sight(state, seat, kind):
    """A card joins a hand and all see which."""
    state.hand[seat, kind] += 1
    state.hand_size[seat] += 1
    for observer in range(MAX_PLAYERS + 1):
        if observer != seat and knows(state, observer):
            state.known[observer, seat, kind] += 1


@compiled
def lose_in_sight(state, seat, kind):
    """A card leaves a hand and all see which."""
    state.hand[seat, kind] -= 1
    state.hand_size[seat] -= 1
    for observer in range(MAX_PLAYERS + 1):
        if state.known[observer, seat, kind]:
            state.known[observer, seat, kind] -= 1


@compiled
def discard(state, kind):
    """A card joins the discard pile. R-DECK-3."""
    state.discard[kind] += 1
    state.discard_size += 1


@compiled
def discard_from_hand(state, seat, kind):
    """A card goes from a hand to the discard pile."""
    lose_in_sight(state, seat, kind)
    discard(state, kind)


@compiled
def forget(certain, cards):
    """``cards`` unseen cards have left a place of which ``certain`` counts are kept."""
    for kind in range(len(certain)):
        certain[kind] = certain[kind] - cards if certain[kind] > cards else 0


@compiled
def draw(state, seat, cards):
    """Draw up to ``cards`` cards from the pile, and from the discard pile when it is empty. R-DECK-1, -2."""
    for _ in range(cards):
        if state.pile_size == 0:
            if state.discard_size == 0:
                return
            _reshuffle(state)
        top = state.pile_size - 1
        kind = state.pile[top]
        state.pile[top] = 0
        state.pile_size = top
        state.hand[seat, kind] += 1
        state.hand_size[seat] += 1
        if top < state.drafted_left:
            state.drafted_left = top
            for observer in range(state.players):
                if observer != seat:
                    forget(state.returned[observer], 1)
                elif state.returned[seat, kind]:
                    state.returned[seat, kind] -= 1


@compiled
def _reshuffle(state):
    """The discard pile becomes the pile. R-DECK-1."""
    place = 0
    for kind in range(len(state.discard)):
        for _ in range(state.discard[kind]):
            state.pile[place] = kind
            place += 1
        state.discard[kind] = 0
    state.pile_size = place
    state.discard_size = 0
    random_shuffle(state.rng_cards, state.pile[:place])
    if state.players == 2:
        # All other cards lie open or in the own hand.
        state.known[0, 1] = state.hand[1]
        state.known[1, 0] = state.hand[0]


@compiled
def join_crew(tables, state, seat, kind):
    """A card of the hand becomes a crew member."""
    lose_in_sight(state, seat, kind)
    state.crew[seat, kind] += 1
    state.crew_size[seat] += 1
    state.heroes[seat] += tables.is_hero[kind]


@compiled
def leave_crew(tables, state, seat, kind):
    """A crew member leaves; the caller says where the card goes."""
    state.crew[seat, kind] -= 1
    state.crew_size[seat] -= 1
    state.heroes[seat] -= tables.is_hero[kind]


@compiled
def exchange_picked(state, one, other, cards):
    """Two seats exchange the cards that they have picked, ``cards`` each, unseen by the rest. R-TH-16."""
    for observer in range(MAX_PLAYERS + 1):
        if observer != one and observer != other:
            forget(state.known[observer, one], cards)
            forget(state.known[observer, other], cards)
    _give_picked(state, one, other)
    _give_picked(state, other, one)
    for kind in range(len(state.discard)):
        state.hand[one, kind] += state.picked[other, kind]
        state.hand[other, kind] += state.picked[one, kind]
        state.known[one, other, kind] += state.picked[one, kind]
        state.known[other, one, kind] += state.picked[other, kind]
        state.picked[one, kind] = 0
        state.picked[other, kind] = 0


@compiled
def _give_picked(state, giver, taker):
    # The sizes of the hands stay: as many cards come back.
    for kind in range(len(state.discard)):
        given = state.picked[giver, kind]
        state.hand[giver, kind] -= given
        certain = state.known[taker, giver, kind]
        state.known[taker, giver, kind] = certain - given if certain > given else 0


@compiled
def exchange_hands(state, one, other):
    """Two whole hands change owners; each of the two knows what it gave. R-TH-16."""
    for kind in range(len(state.discard)):
        state.hand[one, kind], state.hand[other, kind] = state.hand[other, kind], state.hand[one, kind]
        for observer in range(MAX_PLAYERS + 1):
            if observer != one and observer != other:
                certain = state.known[observer, one, kind]
                state.known[observer, one, kind] = state.known[observer, other, kind]
                state.known[observer, other, kind] = certain
        state.known[one, other, kind] = state.hand[other, kind]
        state.known[other, one, kind] = state.hand[one, kind]
    size = state.hand_size[one]
    state.hand_size[one] = state.hand_size[other]
    state.hand_size[other] = size
