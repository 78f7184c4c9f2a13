"""The invariants of a game of Tiny Epic Vikings: section 18 of the rules document."""

from northsea_envs.games.tiny_epic_vikings.battle import favors_held
from northsea_envs.games.tiny_epic_vikings.control import has_boots, influence, plays, settlers_on_mat
from northsea_envs.games.tiny_epic_vikings.knowledge import hidden_cards, is_hidden_of, pool_0
from northsea_envs.games.tiny_epic_vikings.record import record_holds
from northsea_envs.games.tiny_epic_vikings.state import (
    BOAT_SLOTS,
    BOATS,
    BUILD_AT,
    CARDS,
    CLANS,
    DISCARD,
    DISPLACE,
    DRAFT,
    FAVORS,
    GOODS,
    IN_DECK,
    IN_ENEMY_DISCARD,
    IN_HAND,
    IN_INVADERS,
    IN_PACK,
    IN_ROW,
    MAX_PLAYERS,
    NO_ACTION,
    NOBODY,
    NOWHERE,
    OVER,
    RETURN_CARD,
    RETURN_END,
    RUNES,
    SLOTS,
    START_BOAT,
)
from northsea_envs.jit import compiled

RECORD = 11
KNOWLEDGE = 12


@compiled
def check(tables, state):
    """Number k of the first broken T-INVAR-k, 0 if all hold; 11 where the record itself makes no sense, 12 where a seat
    takes for known what is not so.
    """
    if not record_holds(tables, state):
        return RECORD
    if not _cards_hold(state):
        return 1
    if not _favors_hold(tables, state):
        return 2
    if not _units_hold(tables, state):
        return 3
    if not _amounts_hold(tables, state):
        return 4
    if state.phase != DISPLACE and not _docks_hold(tables, state):
        return 5
    # T-INVAR-6: between actions every check is done.
    if state.action == NO_ACTION and not _control_holds(tables, state):
        return 6
    if not _villages_hold(tables, state):
        return 7
    if not _facedown_hold(state):
        return 8
    if not _rows_hold(tables, state):
        return 9
    # T-INVAR-10: ``holder`` is one seat or none for each Island.
    if not _knowledge_holds(tables, state):
        return KNOWLEDGE
    return 0


@compiled
def _cards_hold(state):
    """T-INVAR-1: each card is in one place; the deck, Rows, hands and the Invader stack hold just those."""
    deck, invaders = 0, 0
    for card in range(CARDS):
        deck += state.place[card] == IN_DECK
        invaders += state.place[card] == IN_INVADERS
    if deck != state.deck_size or invaders != state.invaders:
        return False
    for k in range(deck):
        if state.place[state.deck[k]] != IN_DECK:
            return False
        for other in range(k):
            if state.deck[other] == state.deck[k]:
                return False
    for seat in range(MAX_PLAYERS):
        hand, row = 0, 0
        for card in range(CARDS):
            hand += state.place[card] == IN_HAND + seat
            row += state.place[card] == IN_ROW + seat
        if hand != state.hand_size[seat] or row != state.row_size[seat]:
            return False
        for k in range(row):
            if state.row[seat, k] == 0 or state.place[state.row[seat, k] - 1] != IN_ROW + seat:
                return False
            for other in range(k):
                if state.row[seat, other] == state.row[seat, k]:
                    return False
    return True


@compiled
def _favors_hold(tables, state):
    """T-INVAR-2"""
    total = 0
    for favor in range(FAVORS):
        count = int(state.favor_owner[favor] > 0) + int(state.contested == favor + 1)
        for row in range(2):
            for k in range(state.favor_row_size[row]):
                count += state.favor_row[row, k] == favor + 1
        if count > 1:
            return False
        total += count
    for seat in range(state.players):
        returning = state.phase in (RETURN_CARD, RETURN_END) and seat == state.seat
        if favors_held(state, seat) > tables.favor_limit + returning:
            return False
    return total == 2 * tables.favor_row[state.players]


@compiled
def _units_hold(tables, state):
    """T-INVAR-3"""
    for seat in range(state.players):
        if settlers_on_mat(tables, state, seat) < 0:
            return False
        building = state.slot if state.phase == BUILD_AT and seat == state.actor else NOWHERE
        for slot in range(BOAT_SLOTS):
            on_map = state.boat_at[seat, slot + 1] != NOWHERE
            if on_map != (state.built[seat, slot] != 0 and slot != building):
                return False
        temples = 0
        for slot in range(BOAT_SLOTS, SLOTS):
            temples += state.built[seat, slot] != 0 and slot != building
        for island in range(tables.islands[state.side]):
            temples -= state.temples[island, seat]
        if temples != 0:
            return False
        # The Chieftain places last, the seat before it first.
        waits = False
        if state.phase == START_BOAT:
            turn = (state.chieftain - state.seat - 1) % state.players
            waits = (state.chieftain - seat - 1) % state.players >= turn
        if (state.boat_at[seat, 0] == NOWHERE) != waits:
            return False
    return True


@compiled
def _amounts_hold(tables, state):
    """T-INVAR-4"""
    for seat in range(state.players):
        for good in range(GOODS):
            if not 0 <= state.resources[seat, good] <= tables.resource_max:
                return False
    for rune in range(len(RUNES)):
        if state.fury[rune] < tables.fury_min:
            return False
    return True


@compiled
def _docks_hold(tables, state):
    """T-INVAR-5"""
    fjords = tables.fjords[state.side]
    boats = state.players * BOATS
    for one in range(boats):
        at = state.boat_at[one // BOATS, one % BOATS]
        if at >= fjords:
            for other in range(one):
                if state.boat_at[other // BOATS, other % BOATS] == at:
                    return False
    return True


@compiled
def _control_holds(tables, state):
    """T-INVAR-6"""
    for island in range(tables.islands[state.side]):
        holder = int(state.holder[island])
        if holder == NOBODY:
            continue
        own = influence(tables, state, holder, island)
        if not has_boots(state, holder, island) and not (tables.influence_keeps and own > 0):
            return False
        for clan in range(CLANS):
            if clan == holder or not plays(state, clan) or not has_boots(state, clan, island):
                continue
            if influence(tables, state, clan, island) > own:
                return False
    return True


@compiled
def _villages_hold(tables, state):
    """T-INVAR-7"""
    count = 0
    for dock in range(tables.docks[state.side]):
        count += state.village[dock] - tables.has_village[state.side, dock]
    for seat in range(state.players):
        count += state.villages[seat]
    for space in range(len(state.dedicated)):
        if state.dedicated[space] > tables.dedication_cap[state.players]:
            return False
        count += state.dedicated[space]
    return count == 0


@compiled
def _facedown_hold(state):
    """T-INVAR-8: a battle card is the last of its owner's Row."""
    for seat in range(state.players):
        card = state.battle_card[seat]
        if card and (state.row_size[seat] == 0 or state.row[seat, state.row_size[seat] - 1] != card):
            return False
    return True


@compiled
def _rows_hold(tables, state):
    """T-INVAR-9: hand and Row together are what was dealt; turns go round."""
    hand = tables.hand[state.era - 1]
    for seat in range(state.players):
        held = state.hand_size[seat] + state.row_size[seat]
        if state.phase == START_BOAT:
            expected = 0
        elif state.phase == DRAFT:
            expected = int(state.pick_number)
        else:
            expected = hand + (state.phase == DISCARD and seat == state.actor)
        if held != expected:
            return False
        if state.phase == OVER and state.hand_size[seat]:
            return False
        if state.phase == START_BOAT or state.phase == DRAFT or tables.enter_from_hand:
            continue
        ahead = (seat - state.chieftain) % state.players < (state.turn_seat - state.chieftain) % state.players
        if seat != state.turn_seat and state.row_size[seat] != _turns_done(state) + ahead:
            return False
    return True


@compiled
def _turns_done(state):
    """Rounds that the turn player had finished before this turn, if each turn plays one card."""
    last = (state.chieftain - 1) % state.players
    if state.turn_seat != last:
        return int(state.row_size[last])
    return int(state.row_size[state.chieftain]) - 1


@compiled
def _knowledge_holds(tables, state):
    """What seats know of cards agrees with where they are."""
    for seat in range(MAX_PLAYERS):
        if seat >= state.players:
            for card in range(CARDS):
                if state.kin[seat, card]:
                    return False
            continue
        for card in range(CARDS):
            unknown = state.kin[seat, card] != 0
            if unknown != _is_hidden_from(state, seat, card) and (unknown or state.place[card] != IN_ENEMY_DISCARD):
                return False
        for other in range(state.players):
            cards = int(state.mixed[seat, other])
            for group in range(state.slots.shape[2]):
                cards += state.slots[seat, other, group]
            if cards != (hidden_cards(state, other) if other != seat else 0):
                return False
            if other != seat and not _groups_hold(tables, state, seat, other):
                return False
    return True


@compiled
def _is_hidden_from(state, seat, card):
    place = state.place[card]
    if place in (IN_DECK, IN_ENEMY_DISCARD) or (place >= IN_PACK and place != IN_PACK + seat):
        return True
    for other in range(state.players):
        if other != seat and is_hidden_of(state, other, card):
            return True
    return False


@compiled
def _groups_hold(tables, state, seat, other):
    """Of each pass group the other holds as many as it took, or more once the Enemy's discards are in the deck."""
    for group in range(pool_0(tables)):
        cards = 0
        for card in range(CARDS):
            cards += state.kin[seat, card] == group + 1 and is_hidden_of(state, other, card)
        taken = state.slots[seat, other, group]
        if cards != taken and (cards < taken or state.enemy_mixed_in == 0):
            return False
    return True
